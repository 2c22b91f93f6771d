"""Pairs: every game is played once on each side, with the same dice, by all processes or a cluster, and can be stopped and gone on with.

A pair is a line of a file. What it is depends on its part and number alone, not on who plays it or when, so the same command goes on where
it was stopped and comes to the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from sheepfold.arena.crew import all_done
from sheepfold.arena.ledger import Ledger
from sheepfold.bots import bot
from sheepfold.compare.sides import Side
from sheepfold.compare.watched import Watched, watch
from sheepfold.core.dice import Dice
from sheepfold.game.game import Setup

LINE_UP, ALONE, BEST = "line-up", "alone", "best"
"""The parts: the line-ups as they are; a better level alone against the line-up, seat by seat; and that level on all seats."""
PIECES = 200
"""Into how many pieces the games of a part are cut: a smooth bar, and little lost at a stop."""


@dataclass(frozen=True)
class Comparison:
    """What is to be played; plain values."""

    game: str
    seats: int
    a: Side
    b: Side
    seed: str
    best: str
    """The better level, for luck against skill."""

    def checked(self) -> Comparison:
        """The same, or an error that says what is wrong."""
        bot(self.best)
        for each in (self.a, self.b):
            each.setup(self.game, self.seats)
        return self


class Pair(NamedTuple):
    """The same game on both sides."""

    part: str
    number: int
    a: Watched
    b: Watched


@cache
def _setup(game: str, seats: int, side: Side) -> Setup:
    return side.setup(game, seats)


def play(comparison: Comparison, part: str, number: int) -> Pair:
    """One pair. Where both sides would play the same game, it is played once."""
    dice = Dice(comparison.seed).split(part, number)
    seats = comparison.seats
    alone = number % seats if part == ALONE else -1
    games = [
        replace(side, bots=tuple(comparison.best if part == BEST or seat == alone else name for seat, name in enumerate(side.bots)))
        for side in (comparison.a, comparison.b)
    ]
    a, b = (partial(watch, _setup(comparison.game, seats, side), side.bots, dice, alone) for side in games)
    first = a()
    return Pair(part, number, first, first if games[0] == games[1] else b())


class Pairs:
    """The file of a comparison: a first line that says what it is, then a line a pair, in whatever order they ended."""

    def __init__(self, comparison: Comparison, path: Path | None) -> None:
        self._ledger = Ledger(path, asdict(comparison), "comparison")
        self.found = {(each.part, each.number): each for each in self._ledger.rows(_pair, "pair of games")}

    def add(self, pairs: Sequence[Pair]) -> None:
        self._ledger.add(pairs)
        self.found |= {(pair.part, pair.number): pair for pair in pairs}


def _pair(row: list[Any]) -> Pair:
    part, number, *games = row
    a, b = (Watched._make(tuple(value) if isinstance(value, list) else value for value in game) for game in games)
    if part not in (LINE_UP, ALONE, BEST) or type(number) is not int:
        raise ValueError(part)
    return Pair(part, number, a, b)


def compare(
    comparison: Comparison,
    games: int,
    skill: int = 0,
    workers: int = 1,
    path: Path | None = None,
    ray_address: str | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Pair]:
    """Play `games` pairs of the line-ups, and `skill` pairs of each part with the better level, those that the file has left out.

    Ctrl-C ends it; what was played until then is what comes back, and the file stays sound.
    """
    pairs = Pairs(comparison.checked(), path)
    wanted = {LINE_UP: games, ALONE: skill if comparison.seats > 1 else 0, BEST: skill}
    tasks = [(comparison, part, piece) for part, count in wanted.items() for piece in _pieces(part, count, pairs.found)]
    done = sum(wanted.values()) - sum(len(piece) for _, _, piece in tasks)
    progress(done)
    try:
        for played in all_done(_work, tasks, workers, ray_address):
            pairs.add(played)
            done += len(played)
            progress(done)
    except KeyboardInterrupt:
        pass
    return sorted(pair for pair in pairs.found.values() if pair.number < wanted[pair.part])


def work_of(games: int, skill: int, seats: int) -> int:
    """How many pairs that is."""
    return games + skill * (2 if seats > 1 else 1)


def _pieces(part: str, count: int, found: Iterable[tuple[str, int]]) -> list[list[int]]:
    """The numbers that are missing, in pieces; games with a better level take long and go one by one."""
    known = set(found)
    missing = [number for number in range(count) if (part, number) not in known]
    size = max(1, count // PIECES) if part == LINE_UP else 1
    return [missing[first : first + size] for first in range(0, len(missing), size)]


def _work(task: tuple[Comparison, str, list[int]]) -> list[Pair]:
    comparison, part, numbers = task
    return [play(comparison, part, number) for number in numbers]
