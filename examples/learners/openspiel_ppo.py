"""OpenSpiel's own PPO, on its vector of environments. It knows one agent alone, so a bot of ours plays the other seats inside them.

    python examples/learners/openspiel_ppo.py sheepzzz --steps 100000 --out runs/openspiel

What it is told are the information states; the bot is told its view.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python.pytorch.ppo import PPO, PPOAgent
from open_spiel.python.rl_environment import StepType, TimeStep
from open_spiel.python.vector_env import SyncVectorEnv

import sheepfold.research.openspiel  # registers the games  # noqa: F401
from measured import Task, task, trial
from sheepfold import Dice
from sheepfold.bots import bot

GAMES, STEPS = 32, 128


class Against:
    """An environment in which the learner alone decides, from another seat every game; it is player 0 of what is told."""

    def __init__(self, game: Any, opponent: str, seed: int) -> None:
        self._game, self._bot, self._seat = game, bot(opponent), seed % game.num_players()
        self._draw, self._dice = Random(seed), Dice(seed)
        self._now: Any = None

    def reset(self) -> Any:
        self._state = self._game.new_initial_state()
        self._seat = (self._seat + 1) % self._game.num_players()
        return self._asked()

    def step(self, actions: list[int]) -> Any:
        self._state.apply_action(actions[0])
        return self._asked()

    def get_time_step(self) -> Any:
        return self._now

    def _asked(self) -> Any:
        """Chance and the others act until the learner is asked, or the game is over."""
        state, seat = self._state, self._seat
        while not state.is_terminal() and (player := state.current_player()) != seat:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(self._draw.choices(outcomes, chances)[0])
            else:
                state.apply_action(self._bot.choose(state.position.seen_by(player), self._dice))
        told = {"info_state": [state.information_state_tensor(seat)], "legal_actions": [state.legal_actions(seat)]}
        kind = StepType.LAST if state.is_terminal() else StepType.MID
        self._now = TimeStep(told, [state.returns()[seat]], None, kind)
        return self._now


def train(agent: Any, game: Any, task: Task) -> None:
    many = SyncVectorEnv([Against(game, task.against, task.seed * GAMES + index) for index in range(GAMES)])
    now = many.reset()
    rounds = max(1, task.steps // (GAMES * STEPS))
    for number in range(rounds):
        won = []
        for _ in range(STEPS):
            now, rewards, ended, _ = many.step(agent.step(now), reset_if_done=True)
            agent.post_step(rewards, ended)
            won += [reward[0] > 0 for reward, over in zip(rewards, ended, strict=True) if over]
        agent.anneal_learning_rate(number, rounds)
        agent.learn(now)
        if number % 10 == 9:
            print(f"{agent.total_steps_done:9} steps: {np.mean(won):.0%} of {len(won)} games won", flush=True)


def main() -> None:
    torch.set_num_threads(1)  # networks this small only lose by more
    wanted = task(__doc__, against="random")
    torch.manual_seed(wanted.seed)
    np.random.seed(wanted.seed)  # by which it shuffles
    game = pyspiel.load_game(f"sheepfold_{wanted.game.replace('-', '_')}", {"seats": wanted.seats})
    agent = PPO(
        input_shape=tuple(game.information_state_tensor_shape()),
        num_actions=game.num_distinct_actions(),
        num_players=1,
        num_envs=GAMES,
        steps_per_batch=STEPS,
        num_minibatches=8,
        learning_rate=1e-3,
        gamma=1.0,
        entropy_coef=0.005,
        agent_fn=PPOAgent,
    )

    def policy(seen: Any, masks: Any) -> Any:
        with torch.no_grad():
            *_, shares = agent.get_action_and_value(torch.from_numpy(seen), torch.from_numpy(masks))
        return shares.argmax(1).numpy()

    trial("OpenSpiel PPO", wanted, policy, lambda: train(agent, game, wanted))
    if wanted.out:
        torch.save(agent.state_dict(), wanted.out / "agent.pt")


if __name__ == "__main__":
    main()
