"""PPO in one file, with nothing but NumPy: a network of two layers, its gradient by hand, Adam, and masks, on the vector environment.

    python examples/learners/ppo.py sheepzzz --steps 500000 --out runs/sheepzzz

What is illegal gets no probability, neither when it plays nor when it learns. Rewards come at the end of a game alone, undiscounted.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measured import Task, task, trial
from sheepfold.research.gymnasium import SheepfoldVectorEnv

Floats = NDArray[np.float32]

GAMES, STEPS, EPOCHS, BATCH, WIDTH = 64, 64, 3, 512, 64
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 1e-3, 0.2, 0.95, 0.005, 0.5


@dataclass
class Decisions:
    """What was seen, done and gained, a row a decision."""

    seen: Floats
    mask: NDArray[np.bool_]
    action: NDArray[np.int64]
    chance: Floats
    """The logarithm of the probability with which it was done."""
    advantage: Floats
    gain: Floats

    def rows(self, chosen: Any) -> Decisions:
        return Decisions(*[getattr(self, each.name)[chosen] for each in fields(self)])


class Network:
    """Views to the logarithms of what to do and to what is expected of the game; both of the same two layers."""

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        self.draw = np.random.default_rng(seed)
        shapes = {"one": (inputs, WIDTH), "two": (WIDTH, WIDTH), "policy": (WIDTH, actions), "value": (WIDTH, 1)}
        scale = {"one": 2.0, "two": 2.0, "policy": 1e-4, "value": 1.0}
        self.weights: dict[str, Floats] = {}
        for name, (rows, columns) in shapes.items():
            self.weights[name] = self.draw.normal(0, (scale[name] / rows) ** 0.5, (rows, columns)).astype(np.float32)
            self.weights[name + " bias"] = np.zeros(columns, np.float32)
        self.first = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.second = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.updates = 0

    def _layer(self, name: str, values: Floats) -> Floats:
        return values @ self.weights[name] + self.weights[name + " bias"]

    def forward(self, seen: Floats, mask: Any) -> tuple[Floats, Floats, Floats, Floats]:
        """Both layers, the logarithms of the probabilities, and the expectations."""
        one = np.maximum(self._layer("one", seen), 0)
        two = np.maximum(self._layer("two", one), 0)
        scores = np.where(mask, self._layer("policy", two), np.float32(-1e9))
        scores -= scores.max(1, keepdims=True)
        return one, two, scores - np.log(np.exp(scores).sum(1, keepdims=True)), self._layer("value", two)[:, 0]

    def best(self, seen: Floats, mask: Any) -> Any:
        return self.forward(seen, mask)[2].argmax(1)

    def save(self, path: Path) -> None:
        np.savez(path, allow_pickle=False, **self.weights)

    def act(self, seen: Floats, mask: Any) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Actions drawn by their probabilities, the logarithms of these, and the expectations."""
        *_, chances, values = self.forward(seen, mask)
        waits = self.draw.standard_exponential(chances.shape, np.float32)  # the shortest of waits by rates comes by the rates' shares
        actions = (chances - np.log(waits + np.float32(1e-20))).argmax(1)
        return actions, chances[np.arange(len(actions)), actions], values

    def learn(self, all_of_them: Decisions, rate: float) -> None:
        for _ in range(EPOCHS):
            order = self.draw.permutation(len(all_of_them.action))
            for at in range(0, len(order) - BATCH + 1, BATCH):
                self._adam(self.gradient(all_of_them.rows(order[at : at + BATCH])), rate)

    def gradient(self, some: Decisions) -> dict[str, Floats]:
        """Of what PPO minimises: the clipped surrogate, the squared error of the expectation, minus the entropy."""
        count = len(some.action)
        one, two, chances, values = self.forward(some.seen, some.mask)
        done = np.arange(count), some.action
        advantage = (some.advantage - some.advantage.mean()) / (some.advantage.std() + 1e-8)
        ratio = np.exp(chances[done] - some.chance)
        inside = np.where(advantage > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        probabilities = np.exp(chances)
        entropy = -(probabilities * np.where(some.mask, chances, 0)).sum(1, keepdims=True)
        pull = (inside * advantage * ratio)[:, None]
        to_policy = probabilities * (pull + ENTROPY * (np.where(some.mask, chances, 0) + entropy))
        to_policy[done] -= pull[:, 0]
        to_policy /= count
        to_value = (VALUE / count * (values - some.gain))[:, None]
        to_two = (to_policy @ self.weights["policy"].T + to_value @ self.weights["value"].T) * (two > 0)
        to_one = (to_two @ self.weights["two"].T) * (one > 0)
        layers = {"one": (some.seen, to_one), "two": (one, to_two), "policy": (two, to_policy), "value": (two, to_value)}
        found = {name: told.T @ back for name, (told, back) in layers.items()}
        return found | {name + " bias": back.sum(0) for name, (_, back) in layers.items()}

    def _adam(self, gradient: dict[str, Floats], rate: float) -> None:
        length = sum(float((slope * slope).sum()) for slope in gradient.values()) ** 0.5
        shorter = min(1.0, 0.5 / (length + 1e-8))
        self.updates += 1
        rate *= (1 - 0.999**self.updates) ** 0.5 / (1 - 0.9**self.updates)
        for name, slope in gradient.items():
            first, second = self.first[name], self.second[name]
            first += 0.1 * (shorter * slope - first)
            second += 0.001 * ((shorter * slope) ** 2 - second)
            self.weights[name] -= rate * first / (np.sqrt(second) + 1e-8)


def advantages(rewards: Floats, values: Floats, ended: NDArray[np.bool_], after: Floats) -> Floats:
    """Generalised advantage estimation, undiscounted: a row a step, a column a game; `after` is what is expected after the last step."""
    found = np.zeros_like(values)
    ahead = np.zeros_like(after)
    for step in reversed(range(len(rewards))):
        on = ~ended[step]
        ahead = rewards[step] + on * (after + LAMBDA * ahead) - values[step]
        found[step], after = ahead, values[step]
    return found


def train(network: Network, task: Task) -> None:
    env = SheepfoldVectorEnv(task.game, GAMES, task.seats, opponents=task.against)
    seen, infos = env.reset(seed=task.seed)
    over = np.zeros(GAMES, bool)
    rounds = max(1, task.steps // (GAMES * STEPS))
    for number in range(rounds):
        rows: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            mask = infos["action_mask"].astype(bool)
            action, chance, value = network.act(seen, mask)
            before, real = seen, ~over  # a game that is over begins anew, whatever is done
            seen, reward, ended, cut, infos = env.step(action)
            over = ended | cut
            rows.append((before, mask, action, chance, value, reward, over, real))
        views, masks, actions, chances, values, rewards, ends, reals = (np.stack(column) for column in zip(*rows, strict=True))
        ahead = advantages(rewards, values, ends, network.forward(seen, infos["action_mask"])[3])
        batch = Decisions(views[reals], masks[reals], actions[reals], chances[reals], ahead[reals], (ahead + values)[reals])
        network.learn(batch, RATE * (1 - number / rounds))
        if number % 25 == 24:
            print(f"{(number + 1) * GAMES * STEPS:9} steps: {(rewards[ends] > 0).mean():.0%} of {ends.sum()} games won", flush=True)


def main() -> None:
    wanted = task(__doc__, against="random")
    env = SheepfoldVectorEnv(wanted.game, 1, wanted.seats)
    network = Network(env.single_observation_space.shape[0], int(env.single_action_space.n), wanted.seed)
    trial("NumPy PPO", wanted, network.best, lambda: train(network, wanted))
    if wanted.out:
        network.save(wanted.out / "network.npz")


if __name__ == "__main__":
    main()
