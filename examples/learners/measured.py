"""What the recipes share: their command line, and how well a learner plays before and after its training.

A policy is whatever maps the numbers of many views, with the masks of what is legal, to an action each. It is measured in games against our
bots, one game a row of the vector environment, so that short games count no more often than long ones; every seat is taken equally often.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sheepfold.arena.simulate import wilson
from sheepfold.research.gymnasium import SheepfoldVectorEnv

Policy = Callable[[Any, Any], Any]
"""Observations (a row a game) and masks to actions."""


@dataclass(frozen=True)
class Task:
    """What is to be learned, and for how long."""

    game: str
    seats: int
    against: str
    """Who plays the other seats while it is learned; with self-play it does so itself."""
    steps: int
    """Decisions of the learner."""
    seed: int
    games: int
    """That it is measured in, against each bot."""
    bots: tuple[str, ...]
    out: Path | None


def task(description: str | None, against: str | None) -> Task:
    """The task as the command line has it; without somebody to learn against it is learned by self-play."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    if against:
        parser.add_argument("--against", default=against, help="the bot that it is trained against")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument(
        "--bots", type=lambda names: tuple(names.split(",")), default=("random", "greedy"), help="whom it is measured against"
    )
    parser.add_argument("--out", type=Path, help="a folder for result.json and what was learned")
    parser.set_defaults(against=against or "itself")
    return Task(**vars(parser.parse_args()))


def win_rate(policy: Policy, task: Task, bot: str) -> tuple[float, float, float]:
    """The share of its games that a policy wins against a bot in all other seats (a shared victory is shared), with its 95 % interval."""
    won = 0.0
    rows = task.games // task.seats
    for seat in range(task.seats):
        env = SheepfoldVectorEnv(task.game, rows, task.seats, opponents=bot, seat=seat)
        seen, infos = env.reset(seed=task.seed + 1_000_000 + seat)
        playing = np.ones(rows, bool)
        while playing.any():
            seen, rewards, ended, cut, infos = env.step(policy(seen, infos["action_mask"]))
            over = playing & (ended | cut)
            won += float(((rewards[over] * (task.seats - 1) + 1) / task.seats).sum())  # `worth` backwards
            playing &= ~over
    return wilson(won, rows * task.seats)


def trial(recipe: str, task: Task, policy: Policy, train: Callable[[], object]) -> None:
    """Measure a policy, train it, measure it again; print all of it as JSON."""
    result: dict[str, Any] = {"recipe": recipe, "task": {**asdict(task), "out": str(task.out)}}
    result["untrained"] = {bot: win_rate(policy, task, bot) for bot in task.bots}
    cpu, clock = time.process_time(), time.perf_counter()
    train()
    result["cpu_seconds"], result["seconds"] = round(time.process_time() - cpu, 1), round(time.perf_counter() - clock, 1)
    result["trained"] = {bot: win_rate(policy, task, bot) for bot in task.bots}
    text = json.dumps(result)
    if task.out:
        task.out.mkdir(parents=True, exist_ok=True)
        (task.out / "result.json").write_text(text + "\n", encoding="utf-8")
    print(text)
