"""The arena: bots against bots, every line-up rotated through the seats, and ratings with their uncertainty.

Game i plays line-up i of the schedule with `Dice(seed).split(i)`, so results depend on nothing but the order that was
given: not on the number of workers, nor on being stopped and resumed. Each finished game is one line appended to a file.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

from sheepfold.arena.crew import all_done
from sheepfold.arena.simulate import Interval, wilson
from sheepfold.arena.skill import START, rate
from sheepfold.bots import Bot, bot
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
    """The bot of that name, honest or not."""
    return bot(name.removeprefix(CHEAT))


class Outcome(NamedTuple):
    """One game: who sat where, how it ended, and each seat's longest thought in seconds of the processor."""

    number: int
    line_up: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    plies: int
    longest: tuple[float, ...]


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

    def schedule(self) -> list[tuple[str, ...]]:
        """The line-ups, each rotated through the seats: with two bots one against the others both ways round, else all mixtures."""
        if len(self.bots) == 1 or self.seats == 1:
            return [(each,) * self.seats for each in self.bots]
        groups: list[tuple[str, ...]]
        if self.alone:
            groups = [(self.bots[0],) + (other,) * (self.seats - 1) for other in self.bots[1:]]
        elif self.seats == 2:
            groups = list(combinations(self.bots, 2))
        elif len(self.bots) == 2:
            one, other = self.bots
            groups = [(one,) + (other,) * (self.seats - 1), (other,) + (one,) * (self.seats - 1)]
        else:
            mixtures = combinations if len(self.bots) >= self.seats else combinations_with_replacement
            groups = [group for group in mixtures(self.bots, self.seats) if len(set(group)) > 1]
        return [tuple(group[(seat - turn) % self.seats] for seat in range(self.seats)) for group in groups for turn in range(self.seats)]

    def checked(self) -> Contest:
        """The same, or an error that says what is wrong."""
        self.setup()
        for name in self.bots:
            contender(name)
        if not self.bots or len(set(self.bots)) != len(self.bots):
            raise SheepfoldError("the arena needs bots that differ from each other, as in --bots greedy,search:500")
        return self


def play(contest: Contest, number: int) -> Outcome:
    """Game `number` of a contest."""
    schedule = contest.schedule()
    line_up = schedule[number % len(schedule)]
    players: dict[str, Bot] = {name: contender(name) for name in set(line_up)}
    dice = Dice(contest.seed).split(number)
    thoughts = [dice.split("seat", seat) for seat in range(contest.seats)]
    position = sequential(contest.setup().start())
    longest = [0.0] * contest.seats
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
            began = time.process_time()
            position.apply(players[line_up[seat]].choose(view, thoughts[seat]))
            longest[seat] = max(longest[seat], time.process_time() - began)
        plies += 1
    return Outcome(number, line_up, tuple(map(int, position.ranks())), tuple(map(int, position.scores())), plies, tuple(longest))


class Results:
    """The file of a contest: a first line that says what it is, then a line a game, in whatever order they ended."""

    def __init__(self, contest: Contest, path: Path | None) -> None:
        self.contest = contest
        self.path = path
        self.outcomes: dict[int, Outcome] = {}
        header = json.dumps({name: value for name, value in asdict(contest).items() if value is not None}, sort_keys=True)
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            lines = path.read_text(encoding="utf-8").split("\n")
            if lines[0] != header:
                raise SheepfoldError(f"{path} holds another contest: {lines[0][:200]}; give another folder or remove it")
            for number, line in enumerate(lines[1:], start=2):
                if line.endswith("}"):  # else it was being written when everything stopped
                    try:
                        outcome = outcome_from(json.loads(line))
                    except (ValueError, KeyError, TypeError):
                        raise SheepfoldError(f"{path}: line {number} is no game of a contest; without that line the rest goes on") from None
                    self.outcomes[outcome.number] = outcome
        text = "".join(f"{line}\n" for line in [header, *(json.dumps(each._asdict()) for each in self.sorted())])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.number] = outcome
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(outcome._asdict()) + "\n")

    def sorted(self) -> list[Outcome]:
        return [self.outcomes[number] for number in sorted(self.outcomes)]


def outcome_from(row: dict[str, Any]) -> Outcome:
    """An outcome as it was written."""
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
    missing = [number for number in range(games) if number not in results.outcomes]
    progress(games - len(missing))
    try:
        for outcome in all_done(_work, [(contest, number) for number in missing], workers, ray_address):
            results.add(outcome)
            progress(sum(number < games for number in results.outcomes))
    except KeyboardInterrupt:
        pass
    return [outcome for outcome in results.sorted() if outcome.number < games]


def _work(task: tuple[Contest, int]) -> Outcome:
    return play(*task)


# What it adds up to.


@dataclass(frozen=True)
class Standing:
    """A bot's place: rating with its interval, share of wins, and how long it thought at most."""

    name: str
    rating: float
    low: float
    high: float
    wins: Interval
    games: int
    longest: float


def standings(outcomes: Sequence[Outcome], seed: str = "bootstrap", resamples: int = 100) -> list[Standing]:
    """Plackett-Luce ratings of all bots that played, best first; the interval holds 95 % of the ratings of resampled games."""
    names = sorted({name for outcome in outcomes for name in outcome.line_up})
    rating = ratings(outcomes, names)
    dice = Dice(seed)
    drawn = [ratings([outcomes[dice.below(len(outcomes))] for _ in outcomes], names) for _ in range(resamples)] if len(names) > 1 else []
    found = []
    for name in names:
        spread = sorted(each[name] for each in drawn) or [rating[name]]
        won = sum(won_by(outcome, name) for outcome in outcomes)
        played = sum(outcome.line_up.count(name) for outcome in outcomes)
        thoughts = [each for outcome in outcomes for each in zip(outcome.line_up, outcome.longest, strict=True)]
        longest = max(seconds for who, seconds in thoughts if who == name)
        low, high = spread[int(0.025 * len(spread))], spread[min(len(spread) - 1, int(0.975 * len(spread)))]
        found.append(Standing(name, rating[name], low, high, wilson(won, played), played, longest))
    return sorted(found, key=lambda standing: -standing.rating)


def won_by(outcome: Outcome, name: str) -> float:
    """How much of a game's win belongs to a bot, all its seats together."""
    winners = outcome.ranks.count(1)
    return sum(1 / winners for who, rank in zip(outcome.line_up, outcome.ranks, strict=True) if who == name and rank == 1)


def ratings(outcomes: Sequence[Outcome], names: Sequence[str]) -> dict[str, float]:
    """The strength of all bots after those games."""
    known = dict.fromkeys(names, START)
    for outcome in outcomes:
        rate(known, outcome.line_up, outcome.ranks)
    return {name: skill.mu for name, skill in known.items()}


def duel(outcomes: Sequence[Outcome], one: str, others: str) -> Interval:
    """The share of wins of one bot that sat alone against all others being the other bot."""
    games = [each for each in outcomes if each.line_up.count(one) == 1 and each.line_up.count(others) == len(each.line_up) - 1]
    return wilson(sum(won_by(each, one) for each in games), len(games))
