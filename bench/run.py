"""Speed of Sheepfold, as one run: `make bench`, or `python bench/run.py [--json FILE] [--seconds S] [GAME ...]`.

Machines are noisy, so what counts are the ratios within one run: compiled against interpreted (a second process with
SHEEPFOLD_PURE=1), and our core against OpenSpiel on two yardstick games stepped from Python in the very same way. Seconds are the
processor's, so that other work on the machine counts less.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, Position, playout
from sheepfold.core.sequential import sequential
from sheepfold.yardsticks.breakthrough import Breakthrough
from sheepfold.yardsticks.connect_four import ConnectFour

YARDSTICKS: dict[str, Callable[[], Position]] = {"connect_four": ConnectFour, "breakthrough": Breakthrough}
CHOICES = [random.Random(1).randrange(1 << 30) for _ in range(1 << 16)]
"""Drawn in advance, so that stepping measures the games and not the generator."""


def playouts_per_second(start: Callable[[], Position], seconds: float) -> tuple[float, float]:
    """Random games a second and events a second."""
    dice = Dice("bench")
    games = plies = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds:
        for _ in range(4):
            plies += playout(start(), dice)
        games += 4
    return games / passed, plies / passed


def steps_per_second(start: Callable[[], Position], seconds: float) -> float:
    """Events a second when a Python loop asks for the legal actions, picks one and applies it."""
    dice = Dice("bench")
    steps = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds:
        position = start()
        while position.to_act != OVER:
            if position.to_act == CHANCE:
                position.apply(position.random_action(dice))
            else:
                actions = position.legal()
                position.apply(actions[CHOICES[steps & 0xFFFF] % len(actions)])
            steps += 1
    return steps / passed


def yardstick_steps_per_second(start: Callable[[], Position], seconds: float) -> float:
    """The same without chance, as OpenSpiel is stepped below, with as little as possible round it. A batch is one step a choice."""

    def batch() -> None:
        draw = iter(CHOICES).__next__
        while True:
            position = start()
            legal, apply = position.legal, position.apply
            while position.to_act != OVER:
                actions = legal()
                apply(actions[draw() % len(actions)])

    return _batches(batch, seconds)


def open_spiel_steps_per_second(name: str, seconds: float) -> float:
    """The same loop in OpenSpiel."""
    import pyspiel

    game = pyspiel.load_game(name)

    def batch() -> None:
        draw = iter(CHOICES).__next__
        while True:
            state = game.new_initial_state()
            legal, apply, over = state.legal_actions, state.apply_action, state.is_terminal
            while not over():
                actions = legal()
                apply(actions[draw() % len(actions)])

    return _batches(batch, seconds)


def _batches(batch: Callable[[], None], seconds: float) -> float:
    """Steps a second of batches, each of which ends when its choices do."""
    steps = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds:
        with suppress(StopIteration):
            batch()
        steps += len(CHOICES)
    return steps / passed


def middle(start: Callable[[], Position]) -> Position:
    """A position half way through a random game."""
    dice = Dice("middle")
    plies = playout(start(), dice.split("game"))
    position, again = start(), dice.split("game")
    for _ in range(plies // 2):
        position.advance(position.random_action(again))
    return position


def copies(position: Position, seconds: float) -> tuple[float, float]:
    """Copies a second, and bytes a copy."""
    count = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds:
        for _ in range(100):
            position.copy()
        count += 100
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [position.copy() for _ in range(1000)]
    size = (tracemalloc.get_traced_memory()[0] - before - sys.getsizeof(kept)) / len(kept)
    tracemalloc.stop()
    return count / passed, size


def measure_games(names: list[str], seconds: float) -> dict[str, dict[str, float]]:
    """Our games at every number of seats, as this process runs them."""
    figures = {}
    for name in names:
        for seats in sheepfold.games.find(name).seats:
            setup = sheepfold.load(name, seats=seats)

            def start(setup: sheepfold.Setup = setup) -> Position:
                return sequential(setup.start())

            games, plies = playouts_per_second(start, seconds)
            copied, size = copies(middle(start), seconds / 4)
            figures[f"{name} {seats}"] = {
                "games/s": games, "plies/s": plies, "steps/s": steps_per_second(start, seconds), "copies/s": copied, "bytes": size,
            }  # fmt: skip
    return figures


def measure_yardsticks(seconds: float) -> dict[str, dict[str, float]]:
    figures = {}
    for name, start in YARDSTICKS.items():
        games, plies = playouts_per_second(start, seconds)
        figures[name] = {"games/s": games, "plies/s": plies, "steps/s": yardstick_steps_per_second(start, seconds)}
        try:
            figures[name]["open_spiel steps/s"] = open_spiel_steps_per_second(name, seconds)
        except ImportError:
            print("OpenSpiel is not installed here (`make bench` does it): its column is left out", file=sys.stderr)
    return figures


def import_milliseconds() -> float:
    """The median of seven fresh interpreters importing sheepfold, less the same without it."""

    def once(code: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - began

    return 1000 * sorted(once("import sheepfold") - once("pass") for _ in range(7))[3]


def interpreted(names: list[str], seconds: float) -> dict[str, dict[str, float]]:
    """The same measurements by a process that runs the same sources uncompiled."""
    command = [sys.executable, __file__, "--inner", "--seconds", str(seconds), *names]
    done = subprocess.run(command, env={**os.environ, "SHEEPFOLD_PURE": "1"}, check=True, capture_output=True, text=True)
    result: dict[str, dict[str, float]] = json.loads(done.stdout)
    return result


def show(results: dict[str, Any]) -> None:
    print(f"import sheepfold: {results['import ms']:.0f} ms; {'compiled' if results['compiled'] else 'NOT compiled'}\n")
    print(f"{'game, seats':24}{'games/s':>11}{'interpreted':>13}{'ratio':>8}{'plies/s':>12}{'steps/s':>11}{'copies/s':>12}{'bytes':>8}")
    for name, row in results["games"].items():
        slow = results["interpreted"][name]["games/s"]
        print(
            f"{name:24}{row['games/s']:>11,.0f}{slow:>13,.0f}{row['games/s'] / slow:>8.1f}"
            f"{row['plies/s']:>12,.0f}{row['steps/s']:>11,.0f}{row['copies/s']:>12,.0f}{row['bytes']:>8,.0f}"
        )
    print(f"\n{'yardstick':24}{'games/s':>11}{'plies/s':>12}{'steps/s':>11}{'OpenSpiel':>11}{'ratio':>8}")
    for name, row in results["yardsticks"].items():
        peer = row.get("open_spiel steps/s")
        against = f"{peer:>11,.0f}{row['steps/s'] / peer:>8.1f}" if peer else ""
        print(f"{name:24}{row['games/s']:>11,.0f}{row['plies/s']:>12,.0f}{row['steps/s']:>11,.0f}{against}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="only these games (default: all)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--json", type=Path, help="write the figures to this file too (- is standard output)")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        names = [sheepfold.games.find(name).name for name in arguments.games] or [game.name for game in sheepfold.games.every_game()]
    except sheepfold.SheepfoldError as error:
        raise SystemExit(str(error)) from None
    if arguments.inner:
        print(json.dumps(measure_games(names, arguments.seconds)))
        return
    results = {
        "compiled": sheepfold.compiled(),
        "import ms": import_milliseconds(),
        "games": measure_games(names, arguments.seconds),
        "interpreted": interpreted(names, arguments.seconds),
        "yardsticks": measure_yardsticks(arguments.seconds),
    }
    text = json.dumps(results, indent=2) + "\n"
    if str(arguments.json) == "-":
        print(text, end="")
        return
    show(results)
    if arguments.json:
        arguments.json.write_text(text)


if __name__ == "__main__":
    main()
