"""Speed of the environments for research, as one run: `python bench/research.py [--json FILE] [--seconds S]`.

What counts are ratios within one run; seconds are the processor's. Every loop picks a random legal action in the way that its
library shows to users. PettingZoo's classic games need pygame: `pip install pygame`.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import sheepfold

CHOICES = [random.Random(1).randrange(1 << 30) for _ in range(1 << 16)]
"""Drawn in advance, so that stepping measures the games and not the generator."""
GAMES = 256


def rate(work: Callable[[], int], seconds: float) -> float:
    """Steps a second: the best of three runs, because other work on the machine can only slow one down."""
    best = 0.0
    for _ in range(3):
        steps, began = 0, time.process_time()
        while (passed := time.process_time() - began) < seconds / 3:
            steps += work()
        best = max(best, steps / passed)
    return best


def aec_game(env: Any) -> Callable[[], int]:
    """One game of a PettingZoo environment, as its documentation writes the loop."""

    def play() -> int:
        steps = 0
        env.reset(seed=steps)
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                action = None
            else:
                legal = observation["action_mask"].nonzero()[0]
                action = legal[CHOICES[steps & 0xFFFF] % len(legal)]
            env.step(action)
            steps += 1
        return steps

    return play


def single_loop(name: str, seats: int) -> Callable[[], int]:
    """A step in each of many Gymnasium environments, one after the other."""
    from sheepfold.research.gymnasium import SheepfoldEnv

    envs = [SheepfoldEnv(name, seats) for _ in range(GAMES)]
    infos = [env.reset(seed=index)[1] for index, env in enumerate(envs)]
    count = 0

    def step() -> int:
        nonlocal count
        for index, env in enumerate(envs):
            legal = infos[index]["action_mask"].nonzero()[0]
            _, _, ended, cut, info = env.step(legal[CHOICES[count & 0xFFFF] % len(legal)])
            infos[index] = env.reset()[1] if ended or cut else info
            count += 1
        return GAMES

    return step


def sync_vector(name: str, seats: int) -> Callable[[], int]:
    """The same through Gymnasium's own SyncVectorEnv."""
    import gymnasium

    from sheepfold.research.gymnasium import SheepfoldEnv

    many = gymnasium.vector.SyncVectorEnv([lambda: SheepfoldEnv(name, seats) for _ in range(GAMES)])
    _, infos = many.reset(seed=1)
    count = 0

    def step() -> int:
        nonlocal infos, count
        actions = np.zeros(GAMES, np.int64)
        for index, mask in enumerate(infos["action_mask"]):
            legal = mask.nonzero()[0]
            if len(legal):
                actions[index] = legal[CHOICES[count & 0xFFFF] % len(legal)]
            count += 1
        infos = many.step(actions)[4]
        return GAMES

    return step


def our_vector(name: str, seats: int, copy: bool = True) -> Callable[[], int]:
    """A step of our vector environment, with fresh arrays as the others give, or with arrays that are used again."""
    from sheepfold.research.gymnasium import SheepfoldVectorEnv

    many = SheepfoldVectorEnv(name, GAMES, seats, copy=copy)
    many.reset(seed=1)

    def step() -> int:
        many.step(many.random_actions())
        return GAMES

    return step


def open_spiel_game(name: str, parameters: dict[str, Any]) -> Callable[[], int]:
    """One game of an OpenSpiel state, with its chance nodes."""
    import pyspiel

    game = pyspiel.load_game(name, parameters)

    def play() -> int:
        steps = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[CHOICES[steps & 0xFFFF] % len(actions)])
            steps += 1
        return steps

    return play


def measure(seconds: float) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    import open_spiel.python.games  # noqa: F401  # registers OpenSpiel's own games in Python
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    import sheepfold.research.openspiel
    from sheepfold.research.pettingzoo import env

    every = [(game.name, game.seats[0] if game.name != "te-kuiti" else 2) for game in sheepfold.games()]
    results: dict[str, Any] = {"compiled": sheepfold.compiled(), "PettingZoo": {}, "Gymnasium": {}, "OpenSpiel": {}}
    for peer in (connect_four_v3, tictactoe_v3):
        table = peer.env()
        results["PettingZoo"][str(table.metadata["name"])] = rate(aec_game(table), seconds)
    for name, seats in every:
        results["PettingZoo"][name] = rate(aec_game(env(name, seats)), seconds)
        kinds = {"loop": single_loop, "SyncVectorEnv": sync_vector, "vector": our_vector, "no copy": partial(our_vector, copy=False)}
        results["Gymnasium"][name] = {kind: rate(make(name, seats), seconds) for kind, make in kinds.items()}
    for name in ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_block_dominoes"):
        results["OpenSpiel"][name] = rate(open_spiel_game(name, {}), seconds)
    for name, seats in every:
        results["OpenSpiel"][name] = rate(open_spiel_game(f"sheepfold_{name.replace('-', '_')}", {"seats": seats}), seconds)
    return results


def show(results: dict[str, Any]) -> None:
    ours = [game.name for game in sheepfold.games()]
    print(f"{'compiled' if results['compiled'] else 'NOT compiled'}; steps a second of CPU time, and ratios within this run\n")
    zoo = results["PettingZoo"]
    peers = [name for name in zoo if name not in ours]
    print(f"{'PettingZoo':24}{'steps/s':>12}" + "".join(f"{'x ' + peer:>20}" for peer in peers))
    for name, steps in zoo.items():
        print(f"{name:24}{steps:>12,.0f}" + "".join(f"{steps / zoo[peer]:>20.1f}" for peer in peers))
    against = f"{'x loop':>8}{'x Sync':>8}"
    print(f"\n{f'Gymnasium, {GAMES} games':24}{'loop':>12}{'SyncVectorEnv':>15}{'vector':>12}{against}{'no copy':>12}{against}")
    for name, row in results["Gymnasium"].items():
        print(f"{name:24}{row['loop']:>12,.0f}{row['SyncVectorEnv']:>15,.0f}", end="")
        for kind in ("vector", "no copy"):
            print(f"{row[kind]:>12,.0f}{row[kind] / row['loop']:>8.1f}{row[kind] / row['SyncVectorEnv']:>8.1f}", end="")
        print()
    spiel = results["OpenSpiel"]
    peers = [name for name in spiel if name not in ours]
    print(f"\n{'OpenSpiel':24}{'steps/s':>12}" + "".join(f"{'x ' + peer.removeprefix('python_'):>18}" for peer in peers))
    for name, steps in spiel.items():
        print(f"{name:24}{steps:>12,.0f}" + "".join(f"{steps / spiel[peer]:>18.1f}" for peer in peers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    arguments = parser.parse_args()
    results = measure(arguments.seconds)
    show(results)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
