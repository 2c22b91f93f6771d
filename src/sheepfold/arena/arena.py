"""The arena: bots against bots, seated evenly, and ratings with their uncertainty.

Game i has line-up i (`line_ups.py`) and `Dice(seed).split(i)`, so results depend on nothing but the order that was
given: not on the number of workers, nor on being stopped and resumed. Each finished game is one line appended to a file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from sheepfold.arena.crew import all_done
from sheepfold.arena.ledger import Ledger
from sheepfold.arena.line_ups import LineUp, duels, line_ups, whole
from sheepfold.arena.plackett_luce import PlackettLuce
from sheepfold.arena.ranks import placed_last
from sheepfold.arena.simulate import Interval, wilson
from sheepfold.bots import STAND_IN, Bot, bot
from sheepfold.bots.program import Forfeit, ProgramBot, anybody, is_program, seated
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import sequential
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import Setup
from sheepfold.game.registry import find

CHEAT = "cheat:"
"""A bot of the arena only: `cheat:search:500` is shown the position itself, to see how much luck and secrets leave to be won."""


def contender(name: str) -> Bot:
    """The bot of that name, honest or not, or the program."""
    return bot(name.removeprefix(CHEAT)) if name.startswith(CHEAT) else anybody(name)


class Outcome(NamedTuple):
    """One game: who sat where, how it ended, and each seat's longest thought in seconds of the processor; a program's in seconds."""

    number: int
    line_up: LineUp
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    plies: int
    longest: tuple[float, ...]
    forfeits: tuple[str, ...] = ()
    """By seat, why a program lost it; empty where none did. A stand-in plays on for it, and it comes last."""


@dataclass(frozen=True)
class Contest:
    """What is to be played; plain values, so that any process can be told and a file can say it."""

    game: str
    seats: int
    bots: tuple[str, ...]
    seed: str
    options: dict[str, bool | int | str] = field(default_factory=dict)
    alone: bool = False
    """Whether only the first bot against the others is played, one seat against all other seats."""
    components: tuple[str, str] | None = None
    """Name and text of the component file, where it is not the game's own."""

    def setup(self) -> Setup:
        """What every game of it starts from."""
        return find(self.game).setup(self.seats, EnteredFile(*self.components) if self.components else None, **self.options)

    def line_ups(self, games: int) -> list[LineUp]:
        """Who sits where in the first so many games."""
        return line_ups(self.bots, self.seats, self.seed, self.alone, games)

    def duels(self) -> list[tuple[str, str]]:
        """Who sits alone against whom."""
        return duels(self.bots, self.seats, self.alone)

    def whole(self) -> int:
        """After so many games, and every multiple of them, all have sat equally often in every seat."""
        return whole(self.bots, self.seats, self.alone)

    def checked(self) -> Contest:
        """The same, or an error that says what is wrong."""
        self.setup()
        for name in self.bots:
            contender(name)
        if not self.bots or len(set(self.bots)) != len(self.bots):
            raise SheepfoldError("the arena needs bots that differ from each other, as in --bots greedy,search:500")
        return self


def play(contest: Contest, number: int, line_up: LineUp) -> Outcome:
    """Game `number` of a contest, between those bots."""
    setup = contest.setup()
    known = {name: contender(name) for name in set(line_up) if not is_program(name)}
    with seated(line_up, [known.get(name) for name in line_up], setup) as players:
        return _played(contest, number, line_up, setup, players)


def _played(contest: Contest, number: int, line_up: LineUp, setup: Setup, players: list[Bot]) -> Outcome:
    dice = Dice(contest.seed).split(number)
    thoughts = [dice.split("seat", seat) for seat in range(contest.seats)]
    position = sequential(setup.start())
    longest = [0.0] * contest.seats
    forfeits: dict[int, str] = {}
    plies = 0
    while position.to_act != OVER:
        seat = int(position.to_act)
        actions = position.legal() if seat != CHANCE else []
        if seat == CHANCE:
            position.advance(position.random_action(dice))
        elif len(actions) == 1:
            position.advance(actions[0])
        else:
            view = position.copy() if line_up[seat].startswith(CHEAT) else position.seen_by(seat)
            player, began = players[seat], time.process_time()
            try:
                position.apply(player.choose(view, thoughts[seat]))
            except Forfeit as why:
                forfeits[seat], players[seat] = f"ply {plies}: {why}", bot(STAND_IN)
                continue
            took = player.longest if isinstance(player, ProgramBot) else time.process_time() - began
            longest[seat] = max(longest[seat], took)
        plies += 1
    ranks = placed_last([int(rank) for rank in position.ranks()], forfeits)
    reasons = [forfeits.get(seat, "") for seat in range(contest.seats)]
    points = tuple(map(int, position.scores()))
    return Outcome(number, line_up, tuple(ranks), points, plies, tuple(longest), tuple(reasons) if forfeits else ())


class Results:
    """The file of a contest: a first line that says what it is, then a line a game, in whatever order they ended."""

    def __init__(self, contest: Contest, path: Path | None) -> None:
        self.contest = contest
        about = {name: value for name, value in asdict(contest).items() if value is not None}
        self._ledger = Ledger(path, about, "contest")
        self.outcomes = {each.number: each for each in self._ledger.rows(outcome_from, "game of a contest")}
        self._refuse_other_line_ups(path)

    def _refuse_other_line_ups(self, path: Path | None) -> None:
        """A file of a version that seated bots in another order cannot be gone on with: the games missing would be others."""
        expected = self.contest.line_ups(max(self.outcomes, default=-1) + 1)
        for number, outcome in self.outcomes.items():
            if outcome.line_up != expected[number]:
                text = f"{path} was written by a version that seated bots in another order (game {number + 1})"
                raise SheepfoldError(f"{text}: `sheepfold report {path}` still reads it; to play on, give another folder")

    def add(self, outcome: Outcome) -> None:
        self._ledger.add([outcome._asdict()])
        self.outcomes[outcome.number] = outcome

    def sorted(self) -> list[Outcome]:
        return [self.outcomes[number] for number in sorted(self.outcomes)]


def outcome_from(row: dict[str, Any]) -> Outcome:
    """An outcome as it was written."""
    row = {**Outcome._field_defaults, **row}
    return Outcome._make(tuple(row[key]) if isinstance(row[key], list) else row[key] for key in Outcome._fields)


def contend(
    contest: Contest,
    games: int,
    workers: int = 1,
    path: Path | None = None,
    ray_address: str | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Outcome]:
    """Play the first `games` games of a contest, those that the file has already left out. Ctrl-C ends it; the file stays sound."""
    results = Results(contest.checked(), path)
    missing = [(contest, number, line_up) for number, line_up in enumerate(contest.line_ups(games)) if number not in results.outcomes]
    progress(games - len(missing))
    try:
        for outcome in all_done(_work, missing, workers, ray_address):
            results.add(outcome)
            progress(sum(number < games for number in results.outcomes))
    except KeyboardInterrupt:
        pass
    return [outcome for outcome in results.sorted() if outcome.number < games]


def _work(task: tuple[Contest, int, LineUp]) -> Outcome:
    return play(*task)


# What it adds up to.


MIDDLE, POINTS = 1500.0, 400 / log(10)
"""Ratings are shown as in chess: the mean of all bots is 1500, and whoever has 100 points more comes before the other in 64 games of 100,
ties left out. So many points are a strength of 1."""
RESAMPLES = 399
"""One less than a multiple of 40, so that the bounds of an interval are among them."""

SURE = 0.975


class Rating(NamedTuple):
    """A strength with its 95 % interval, and how sure it is that it is more than the next one's (1 at the end of the table)."""

    points: float
    low: float
    high: float
    above_next: float

    @property
    def told_apart(self) -> bool:
        """Whether it is sure enough that it is more than the next one's."""
        return self.above_next >= SURE


@dataclass(frozen=True)
class Standing:
    """A bot's place: its rating, its share of wins, the games that both rest on, the seats it had in them, and its longest thought."""

    name: str
    rating: Rating | None
    """None where bots never met each other."""
    wins: Interval
    games: int
    seats: int
    longest: float


def standings(outcomes: Sequence[Outcome], seed: str = "bootstrap", resamples: int = RESAMPLES) -> list[Standing]:
    """All bots that played, best first: rated by all games at once, each interval by the same fit to games drawn anew."""
    found = []
    rating = ratings(outcomes, seed, resamples)
    for name in sorted({name for outcome in outcomes for name in outcome.line_up}):
        games = [outcome for outcome in outcomes if name in outcome.line_up]
        sat = sum(outcome.line_up.count(name) for outcome in games)
        wins = wilson(sum(won_by(outcome, name) for outcome in games), sat)
        longest = max(seconds for each in games for who, seconds in zip(each.line_up, each.longest, strict=True) if who == name)
        found.append(Standing(name, rating.get(name), wins, len(games), sat, longest))
    return sorted(found, key=lambda each: (-each.rating.points if each.rating else 0.0, -each.wins.share))


def ratings(outcomes: Sequence[Outcome], seed: str, resamples: int) -> dict[str, Rating]:
    """The rating of each bot by name, best first; empty where no two of them met."""
    met = [(each.line_up, each.ranks) for each in outcomes if len(set(each.line_up)) > 1]
    if not met:
        return {}
    fit = PlackettLuce(met)
    strengths, drawn = fit.strengths(), fit.resampled(Dice(seed), resamples)
    tail = (resamples + 1) // 40
    order = sorted(range(len(strengths)), key=lambda at: -strengths[at])
    found = {}
    for at, below in zip(order, [*order[1:], None], strict=True):
        spread = sorted(each[at] for each in drawn)
        surely = 1.0 if below is None else sum(each[at] > each[below] for each in drawn) / resamples
        points, low, high = (MIDDLE + POINTS * value for value in (strengths[at], spread[tail - 1], spread[-tail]))
        found[fit.names[at]] = Rating(points, low, high, surely)
    return found


def won_by(outcome: Outcome, name: str) -> float:
    """How much of a game's win belongs to a bot, all its seats together."""
    winners = outcome.ranks.count(1)
    return sum(1 / winners for who, rank in zip(outcome.line_up, outcome.ranks, strict=True) if who == name and rank == 1)


def duels_of(outcomes: Sequence[Outcome], one: str, others: str) -> list[Outcome]:
    """The games in which the one bot sat alone and all others were the other."""
    return [each for each in outcomes if each.line_up.count(one) == 1 and each.line_up.count(others) == len(each.line_up) - 1]


def duel(outcomes: Sequence[Outcome], one: str, others: str) -> Interval:
    """The share of wins of one bot that sat alone against all others being the other bot."""
    games = duels_of(outcomes, one, others)
    return wilson(sum(won_by(each, one) for each in games), len(games))
