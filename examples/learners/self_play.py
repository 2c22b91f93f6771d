"""Self-play in PettingZoo: one network sits in every seat of many tables and learns from what each of its seats saw, did and got.

    python examples/learners/self_play.py sheepzzz --steps 300000 --out runs/self-play

No bot takes part in the training. Network and PPO are those of `ppo.py`; only where decisions come from is new.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from measured import Task, task, trial
from ppo import RATE, Decisions, Network, advantages
from sheepfold.research.pettingzoo import env

TABLES, DECISIONS = 64, 4096


class Table:
    """A game in progress, and what its agents did in it."""

    def __init__(self, task: Task, seed: int) -> None:
        self.env = env(task.game, task.seats)
        self.env.reset(seed=seed)
        self.done: dict[str, list[tuple[Any, ...]]] = {agent: [] for agent in self.env.agents}

    def asked(self) -> tuple[Any, Any]:
        told = self.env.observe(self.env.agent_selection)
        return told["observation"], told["action_mask"]

    def act(self, *decision: Any) -> list[Decisions]:
        """Note what the agent saw and did, and play it. Where the game is over by it, what everybody did in it, and a new one begins."""
        self.done[self.env.agent_selection].append(decision)
        self.env.step(int(decision[2]))
        if not any(self.env.terminations.values()):
            return []
        found = [_judged(rows, self.env.rewards[agent]) for agent, rows in self.done.items() if rows]
        self.done = {agent: [] for agent in self.env.possible_agents}
        self.env.reset()
        return found


def _judged(rows: list[tuple[Any, ...]], reward: float) -> Decisions:
    """An agent's decisions of a game, by how it ended for it."""
    seen, mask, action, chance, value = (np.stack(column) for column in zip(*rows, strict=True))
    rewards, ended = np.zeros_like(value), np.zeros(len(value), bool)
    rewards[-1], ended[-1] = reward, True
    ahead = advantages(rewards[:, None], value[:, None], ended[:, None], np.zeros(1, np.float32))[:, 0]
    return Decisions(seen, mask, action, chance, ahead, ahead + value)


def _joined(games: list[Decisions]) -> Decisions:
    return Decisions(*[np.concatenate([getattr(one, each.name) for one in games]) for each in fields(Decisions)])


def train(network: Network, task: Task) -> None:
    tables = [Table(task, task.seed * TABLES + index) for index in range(TABLES)]
    games: list[Decisions] = []
    rounds, number = max(1, task.steps // DECISIONS), 0
    while number < rounds:
        seen, mask = (np.stack(column) for column in zip(*[table.asked() for table in tables], strict=True))
        mask = mask.astype(bool)
        for table, *decision in zip(tables, seen, mask, *network.act(seen, mask), strict=True):
            games += table.act(*decision)
        if sum(len(each.action) for each in games) >= DECISIONS:
            network.learn(_joined(games), RATE * (1 - number / rounds))
            games, number = [], number + 1
            if number % 25 == 0:
                print(f"{number * DECISIONS:9} steps", flush=True)


def main() -> None:
    wanted = task(__doc__, against=None)
    spaces = env(wanted.game, wanted.seats)
    actions, told = spaces.action_space("player_0"), spaces.observation_space("player_0")
    network = Network(told["observation"].shape[0], int(actions.n), wanted.seed)
    trial("PettingZoo self-play PPO", wanted, network.best, lambda: train(network, wanted))
    if wanted.out:
        network.save(wanted.out / "network.npz")


if __name__ == "__main__":
    main()
