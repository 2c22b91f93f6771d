"""Whole random games of every game, decided twice: by the rules, and by a second, slow and plain implementation among its tests.

tests/games/NAME/test_*_plain.py plays one game of a set-up and compares at every decision (`agree`); here are the set-ups, and seeds that
nobody has used before. As a program: `python tests/plain_games.py GAMES [game ...]` plays so many of every set-up. A failure names its
seed; SHEEPFOLD_SEED=SEED before the same command, or before pytest, plays that seed alone.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any

from sheepfold.core.workers import pool
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import Game, Setup

REPEATED = "SHEEPFOLD_SEED"
TESTS = Path(__file__).parent
GAMES = ("te_kuiti", "haste_bock", "sheepzzz", "shear_panic", "guerre_des_moutons")
A_JOB = 10
"""So many games are played between two looks at the progress."""


@dataclass(frozen=True)
class SetUp:
    """A way to begin; with `drawn` each game has options of its own. `box` makes the pieces, where they are not the game's."""

    game: Game
    seats: int
    changed: tuple[tuple[str, object], ...] = ()
    drawn: bool = False
    box: Callable[[random.Random], EnteredFile] | None = None

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.changed]
        words += [self.box.__name__.replace("_", " ")] if self.box else []
        return " ".join([self.game.name, str(self.seats), *words, *(["any options"] if self.drawn else [])])

    def begin(self, seed: str) -> Setup:
        dice = random.Random(f"{self} {seed}")
        options = dict(self.changed)
        if self.drawn:
            options = {option.name: dice.choice(option.values_for(self.seats)) for option in self.game.options}
        return self.game.setup(self.seats, self.box(dice) if self.box else None, **options)


def every_setup(game: Game) -> list[SetUp]:
    """With every number of seats: as it comes, each option at each of its other values (of seats the last), any options, and these with the
    made-up box."""

    def made_up_box(dice: random.Random) -> EnteredFile:
        return EnteredFile("box.toml", (TESTS / "boxes" / f"{game.name}.toml").read_text(encoding="utf-8"))

    found = []
    for seats in game.seats:
        others = [
            (option.name, value)
            for option in game.options
            for value in option.values_for(seats)
            if value != option.default and not (option.names_seat and isinstance(value, int) and value < seats)
        ]
        found += [SetUp(game, seats), *(SetUp(game, seats, (other,)) for other in others)]
        found += [SetUp(game, seats, drawn=True), SetUp(game, seats, drawn=True, box=made_up_box)]
    return found


def in_short(setups: list[SetUp]) -> list[SetUp]:
    """Those that hold all others: as it comes, and any options."""
    return [setup for setup in setups if not setup.changed]


def tables_of(setup: Setup) -> dict[str, dict[str, object]] | None:
    """What is printed on somebody's own pieces."""
    return tomllib.loads(setup.component_file.text) if isinstance(setup.component_file, EnteredFile) else None


def fresh_seeds(count: int) -> Iterator[str]:
    """So many seeds that nobody has used before, or the one that is to be repeated."""
    if wanted := os.environ.get(REPEATED):
        yield wanted
        return
    run = token_hex(4)
    for number in range(count):
        yield f"{run}-{number}"


def agree_on(agree: Callable[[Any, str], int], setup: object, count: int) -> int:
    """Play so many games of a set-up; how many decisions were compared. A failure names the seed that repeats it."""
    decisions = 0
    for seed in fresh_seeds(count):
        try:
            decisions += agree(setup, seed)
        except Exception as error:
            error.add_note(f"{setup}: {REPEATED}={seed} plays this game again")
            raise
    return decisions


@cache
def module_of(name: str) -> ModuleType:
    """The test module of a game."""
    folder = TESTS / "games" / name
    sys.path.insert(0, str(folder))
    return import_module(next(folder.glob("test_*_plain.py")).stem)


@dataclass
class Job:
    """Some games of one set-up, for one process; `decisions` and the seconds that it took come back with it."""

    name: str
    place: int
    games: int
    decisions: int = 0
    seconds: float = 0.0

    def done(self) -> Job:
        module, started = module_of(self.name), time.process_time()
        self.decisions = agree_on(module.agree, module.SETUPS[self.place], self.games)
        self.seconds = time.process_time() - started
        return self


def jobs(names: list[str], games: int, in_all: bool) -> list[Job]:
    places = [(name, place) for name in names for place in range(len(module_of(name).SETUPS))]
    found = []
    for number, (name, place) in enumerate(places):
        share = games * (number + 1) // len(places) - games * number // len(places) if in_all else games
        found += [Job(name, place, min(A_JOB, share - begun)) for begun in range(0, share, A_JOB)]
    return found


def report(all_done: Iterator[Job], left: list[Job]) -> None:
    """A line for every set-up, as soon as it is played; also for one that is broken off. On a terminal the one in hand is shown growing."""
    sums: Job | None = None
    count = 0
    try:
        for job in all_done:
            if sums is None:
                sums = Job(job.name, job.place, 0)
            sums.games, sums.decisions, sums.seconds = sums.games + job.games, sums.decisions + job.decisions, sums.seconds + job.seconds
            count += 1
            if sys.stdout.isatty():
                print(f"\r{100 * count // len(left):3} % {line(sums)}\x1b[K", end="", flush=True)
            if count == len(left) or (left[count].name, left[count].place) != (job.name, job.place):
                print("\r" * sys.stdout.isatty() + line(sums), flush=True)
                sums = None
    finally:
        if sums:
            print(f"\nbroken off: {line(sums)}", flush=True)


def line(sums: Job) -> str:
    setup = module_of(sums.name).SETUPS[sums.place]
    return f"{setup}: {sums.games} games agree, {sums.decisions} decisions, {sums.seconds:.0f} s of CPU"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, help="of every set-up")
    parser.add_argument("names", nargs="*", metavar="game", help=f"of {', '.join(GAMES)}; all of them if none is named")
    parser.add_argument("--in-all", action="store_true", help="so many of all set-ups together")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.names if name not in GAMES]:
        parser.error(f"no such game: {', '.join(unknown)}")
    once = REPEATED in os.environ
    todo = jobs(chosen.names or list(GAMES), 1 if once else chosen.games, chosen.in_all and not once)
    try:
        if chosen.workers == 1:
            report((job.done() for job in todo), todo)
        else:
            with pool(chosen.workers) as processes:
                report(processes.imap(Job.done, todo), todo)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
