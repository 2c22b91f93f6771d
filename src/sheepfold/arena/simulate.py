"""Simulation: many games of one set-up, and what they add up to.

Game i draws everything from `Dice(seed).split(i)`, so the same seed gives the same games whatever the number of workers
and whichever of them plays which game. Workers are fresh processes that are told the set-up by name.

    >>> from sheepfold.arena.simulate import simulate
    >>> result = simulate(sheepfold.load("haste-bock", seats=3), games=1000, seed=1)
    >>> result.wins()
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from sheepfold.arena.crew import all_done
from sheepfold.bots import Bot, RandomBot, bot
from sheepfold.bots.program import Forfeit, anybody, is_program, seated
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, OVER, Position, playout
from sheepfold.core.sequential import sequential
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import Setup

if TYPE_CHECKING:
    from sheepfold.arena.dataset import DataSet, Rows

GAMES_OF_ROWS = 32
"""So many random games' decisions are handed on together."""
CHUNKS = 60
"""Into how many pieces a worker's share of random games is cut: a smooth bar at no cost. Bots that think get game by game."""


class SimulatedGame(NamedTuple):
    """One game that was played to its end."""

    number: int
    plies: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class Played(Sequence[SimulatedGame]):
    """Games in the order of their numbers, a few bytes each, since there may be millions."""

    def __init__(self, seats: int, games: Iterable[SimulatedGame] = ()) -> None:
        self._seats = seats
        self._wide = 2 + 2 * seats
        self._numbers = array("i")
        self.extend(games)

    def extend(self, games: Iterable[SimulatedGame]) -> None:
        for game in games:
            self._numbers.extend((game.number, game.plies, *game.scores, *game.ranks))

    def __len__(self) -> int:
        return len(self._numbers) // self._wide

    @overload
    def __getitem__(self, place: int) -> SimulatedGame: ...
    @overload
    def __getitem__(self, place: slice) -> Played: ...
    def __getitem__(self, place: int | slice) -> SimulatedGame | Played:
        if isinstance(place, slice):
            return Played(self._seats, (self[each] for each in range(*place.indices(len(self)))))
        at = range(len(self))[place] * self._wide
        number, plies, *rest = self._numbers[at : at + self._wide]
        return SimulatedGame(number, plies, tuple(rest[: self._seats]), tuple(rest[self._seats :]))

    def all_plies(self) -> array[int]:
        return self._numbers[1 :: self._wide]

    def scores_of(self, seat: int) -> array[int]:
        return self._numbers[2 + seat :: self._wide]

    def ranks_of(self, seat: int) -> array[int]:
        return self._numbers[2 + self._seats + seat :: self._wide]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Played) and self._numbers == other._numbers

    __hash__ = None  # type: ignore[assignment]


class Problem(NamedTuple):
    """What a check found, or why a program lost its seat: the game has no result."""

    number: int
    ply: int
    what: str


class Order(NamedTuple):
    """What a worker needs to know; plain values, so that any process can be told."""

    game: str
    seats: int
    component_file: EnteredFile | None
    """By its text: another machine does not have the file."""
    options: tuple[tuple[str, bool | int | str], ...]
    bots: tuple[str, ...]
    seed: str
    check: bool
    rows: bool
    """Whether every decision is written down."""


class Interval(NamedTuple):
    """A share with the bounds it has with 95 % confidence."""

    share: float
    low: float
    high: float


@dataclass
class Simulation:
    """The games that were played, in order, and questions about them."""

    setup: Setup
    bots: tuple[str, ...]
    seed: str
    wanted: int
    problems: list[Problem] = field(default_factory=list)
    seconds: float = 0.0
    data: str = ""
    """The digest of the data set, if one was made."""

    def __post_init__(self) -> None:
        self.played = Played(self.setup.seats)

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before all games were played."""
        return len(self.played) + len({problem.number for problem in self.problems}) < self.wanted

    def games_per_second(self) -> float:
        return len(self.played) / self.seconds if self.seconds else 0.0

    def plies(self) -> tuple[float, int, int]:
        """Events a game: mean, least, most."""
        counts = self.played.all_plies()
        return sum(counts) / len(counts), min(counts), max(counts)

    def wins(self) -> list[Interval]:
        """By seat, the share of games won; a victory shared by two counts half for each."""
        shares = [0.0] * self.setup.seats
        for ranks in zip(*(self.played.ranks_of(seat) for seat in range(self.setup.seats)), strict=True):
            first = ranks.count(1)
            for seat, rank in enumerate(ranks):
                if rank == 1:
                    shares[seat] += 1 / first
        return [wilson(won, len(self.played)) for won in shares]

    def ranks(self) -> list[list[float]]:
        """By seat, how often it came first, second and so on; equal places count for all who share them."""
        seats = range(self.setup.seats)
        return [[self.played.ranks_of(seat).count(place + 1) / len(self.played) for place in seats] for seat in seats]

    def scores(self) -> list[tuple[float, float]]:
        """By seat, the mean of the points and their standard deviation."""
        return [_mean_and_deviation(self.played.scores_of(seat)) for seat in range(self.setup.seats)]

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        summary: dict[str, Any] = {}
        if self.played:
            mean, least, most = self.plies()
            summary = {
                "plies": {"mean": mean, "min": least, "max": most},
                "wins": [interval._asdict() for interval in self.wins()],
                "ranks": self.ranks(),
                "scores": [{"mean": points, "sd": deviation} for points, deviation in self.scores()],
            }
        return {
            "game": self.setup.game.name,
            "seats": self.setup.seats,
            "options": dict(self.setup.options),
            "components": self.setup.digest,
            "bots": list(self.bots),
            "seed": self.seed,
            "wanted": self.wanted,
            "seconds": self.seconds,
            **({"data": self.data} if self.data else {}),
            **summary,
            "games": [game._asdict() for game in self.played],
            "problems": [problem._asdict() for problem in self.problems],
        }


def simulate(
    setup: Setup,
    games: int,
    bots: Sequence[str] = (),
    seed: object = None,
    workers: int = 1,
    check: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    dataset: Path | None = None,
    ray: str | None = None,
) -> Simulation:
    """Play so many games. `bots` are names, seat by seat (one is for all seats, none is random); `check` watches every position.

    `progress` is told how many games are done; `dataset` is a Parquet file, or a folder, for every decision; `ray` is a cluster that plays.
    Ctrl-C ends it early: the result holds what was played until then.
    """
    if games < 1:
        raise SheepfoldError(f"at least one game is needed, not {games}")
    if workers < 1:
        raise SheepfoldError(f"at least one worker is needed, not {workers}")
    names = _seated(bots, setup.seats)
    result = Simulation(setup, names, Dice(seed).seed, games)
    own, options = setup.component_file, tuple(setup.options.items())
    if isinstance(own, str):
        own = EnteredFile(setup.own_file, Path(own).read_bytes().decode())
    order = Order(setup.game.name, setup.seats, own, options, names, result.seed, check, dataset is not None)
    began = time.perf_counter()
    with _data_set(dataset, setup, order, games) as rows:
        pieces = _here(setup, order, games) if ray is None and (workers == 1 or games == 1) else _by_crew(order, games, workers, ray)
        with closing(pieces), suppress(KeyboardInterrupt):
            for piece in pieces:
                if rows and piece.rows:
                    rows.append(piece.rows)
                result.played.extend(piece.played)
                result.problems += piece.problems
                progress(len(result.played) + len(result.problems))
    result.data = rows.digest() if rows else ""
    result.seconds = time.perf_counter() - began
    return result


class Piece(NamedTuple):
    """Some games that follow each other."""

    played: list[SimulatedGame]
    problems: list[Problem]
    rows: Rows | None


def _data_set(path: Path | None, setup: Setup, order: Order, games: int) -> AbstractContextManager[DataSet | None]:
    if path is None:
        return nullcontext()
    from sheepfold.arena.dataset import data_set

    return data_set(setup, path, order.bots, order.seed, games)


def _here(setup: Setup, order: Order, games: int) -> Generator[Piece]:
    for index in range(games):
        yield _play(setup, order, range(index, index + 1))


def _by_crew(order: Order, games: int, workers: int, ray: str | None) -> Generator[Piece]:
    """A few games at a time where they are quick, else one by one; in their order."""
    quick = all(isinstance(anybody(name), RandomBot) for name in order.bots)
    size = max(1, min(games // (workers * CHUNKS), GAMES_OF_ROWS if order.rows else games)) if quick else 1
    yield from all_done(
        _work, ((order, range(first, min(first + size, games))) for first in range(0, games, size)), workers, ray, in_order=True
    )


def _work(task: tuple[Order, range]) -> Piece:
    order, indices = task
    return _play(_setup(order), order, indices)


@lru_cache(1)
def _setup(order: Order) -> Setup:
    from sheepfold.game.registry import find

    return find(order.game).setup(order.seats, order.component_file, **dict(order.options))


def _seated(bots: Sequence[str], seats: int) -> tuple[str, ...]:
    names = tuple(bots) or ("random",)
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise SheepfoldError(f"{seats} seats need {seats} bots, or one for all, not {len(names)}")
    for name in names:
        anybody(name)
    return names


def _play(setup: Setup, order: Order, indices: range) -> Piece:
    ours = [None if is_program(name) else bot(name) for name in order.bots]
    all_random = all(isinstance(player, RandomBot) for player in ours)
    played: list[SimulatedGame] = []
    problems: list[Problem] = []
    rows = None
    if order.rows:
        from sheepfold.arena.dataset import Rows

        rows = Rows()
    for index in indices:
        dice = Dice(order.seed).split(index)
        position = sequential(setup.start())
        if all_random and not order.check and rows is None:
            plies = int(playout(position, dice))
        else:
            watch = None if rows is None else partial(rows.decision, index)
            with seated(order.bots, ours, setup) as players:
                plies, problem = _play_one(position, dice, None if all_random else players, order.check, watch)
            if rows:
                rows.dropped() if problem else rows.ended(position)
            if problem:
                problems.append(Problem(index, plies, problem))
                continue
        played.append(SimulatedGame(index, plies, tuple(map(int, position.scores())), tuple(map(int, position.ranks()))))
    return Piece(played, problems, rows)


def _play_one(
    position: Position, dice: Dice, players: list[Bot] | None, check: bool, watch: Callable[[int, Position, int], None] | None = None
) -> tuple[int, str]:
    """Play to the end in place, like `playout` when there are no players but chance; the plies and what a check found.

    `watch` is told the ply, the position and the action of every decision before it is taken.
    """
    thoughts = [dice.split("seat", seat) for seat in range(position.seats)]
    census = position.census()
    plies = 0
    while position.to_act != OVER:
        if check and (problem := _fault(position, census, plies)):
            return plies, problem
        seat = int(position.to_act)
        if seat == CHANCE or players is None:
            action = int(position.random_action(dice))
        else:
            try:
                action = players[seat].choose(position.seen_by(seat), thoughts[seat])
            except Forfeit as why:
                return plies, f"{players[seat].name} forfeits: {why}"
        if watch and seat != CHANCE:
            watch(plies, position, action)
        if players is None:
            position.advance(action)
        else:
            position.apply(action)
        plies += 1
    return plies, _fault(position, census, plies) if check else ""


def _fault(position: Position, census: tuple[int, ...], plies: int) -> str:
    """What is wrong with a position, if anything."""
    if position.census() != census:
        return f"the census changed from {census} to {position.census()}"
    if plies > position.ply_bound:
        return f"more events than the bound of {position.ply_bound}"
    if position.to_act == OVER:
        return ""
    if position.to_act != CHANCE and not 0 <= position.to_act < position.seats:
        return f"to_act is {position.to_act}"
    actions = position.legal()
    if not actions:
        return "nothing is legal, but the game is not over"
    if any(first >= second for first, second in pairwise(actions)):
        return f"legal() is not ascending: {actions[:20]}"
    if actions[0] < 0 or actions[-1] >= position.action_count:
        return f"legal() is not within 0 and {position.action_count - 1}: {actions[:20]}"
    if position.to_act == CHANCE:
        weights = position.weights()
        if len(weights) != len(actions) or min(weights) < 1:
            return f"{len(actions)} outcomes have the weights {weights[:20]}"
    return ""


def wilson(won: float, games: int, deviations: float = 1.96) -> Interval:
    """A share with its Wilson score interval."""
    if not games:
        return Interval(0.0, 0.0, 1.0)
    share = won / games
    spread = deviations**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def _mean_and_deviation(values: Sequence[int]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
