"""Figures: what is compared, how much it differs, and how sure that is.

A figure is a ratio of two sums over games: wins over games, decisions that mattered over decisions judged. The difference of the two sides
is taken pair by pair, so what dice and cards did to both cancels out; its interval holds the truth with 95 %. Many figures are looked at
at once, and one in twenty leaves its interval by chance: so a difference is clear only where it would be among all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from sheepfold.compare.pairs import ALONE, BEST, LINE_UP, Pair
from sheepfold.compare.watched import Watched
from sheepfold.game.game import Setup

SHARE, NUMBER = "share", "number"
CLEARLY, PERHAPS, SAME, OPEN = "clear", "perhaps", "same", "open"
"""What can be said of a difference: it is there; it seems to be there; there is none that matters; the games are too few to tell."""
FEW = 30
"""With fewer pairs nothing is said of any figure."""
FINE_SHARE = 0.01
FINE_NUMBER = 0.02
"""How fine a difference has to be known for nothing to be left open: in shares, and in parts of a number."""

COMEBACK = 0.5
"""The winner has come back who was once behind by so much of the win."""

Measure = Callable[[Watched], float]


def _one(game: Watched) -> float:
    return 1.0


@dataclass(frozen=True)
class Figure:
    """One thing that is compared; `name` is what it is called in the words, with the seat's number where it has one."""

    name: str
    unit: str
    part: str
    above: Measure
    below: Measure = _one
    seat: int | None = None

    @property
    def key(self) -> str:
        """What it is called in files."""
        return self.name if self.seat is None else f"{self.name}-{self.seat + 1}"


class Found(NamedTuple):
    """A figure on both sides, their difference (b less a) with half the width of its interval, and what that says."""

    figure: Figure
    pairs: int
    a: float
    b: float
    difference: float
    half: float
    verdict: str
    needed: int
    """How many pairs would say more, where these leave something open."""

    @property
    def low(self) -> float:
        return self.difference - self.half

    @property
    def high(self) -> float:
        return self.difference + self.half

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        named = {"figure": self.figure.key, "unit": self.figure.unit, "part": self.figure.part}
        return self._asdict() | named | {"low": self.low, "high": self.high}


def figures_of(setup: Setup) -> list[Figure]:
    """What is compared of a game: what several players make has no meaning alone."""
    seats, goal = setup.seats, setup.game.solo_goal
    fair = 1 / seats

    def won(seat: int) -> Measure:
        if seats == 1:
            return lambda game: float(game.scores[0] >= goal)
        return lambda game: won_by(game, seat)

    def luck(game: Watched) -> float:
        return 1 - (won_by(game, game.alone) - fair) / (1 - fair)

    wins = [Figure("win", SHARE, LINE_UP, won(seat), seat=seat) for seat in range(seats)]
    best = [Figure("best-win", SHARE, BEST, won(seat), seat=seat) for seat in range(seats)]
    lengths = [
        Figure("turns", NUMBER, LINE_UP, lambda game: float(game.turns)),
        Figure("decisions", NUMBER, LINE_UP, lambda game: float(game.decisions)),
    ]
    points = [Figure("points", NUMBER, LINE_UP, lambda game: sum(game.scores) / seats)]
    choices = [
        Figure("stake", SHARE, LINE_UP, lambda game: game.stake, lambda game: float(game.judged)),
        Figure("mattered", SHARE, LINE_UP, lambda game: float(game.mattered), lambda game: float(game.judged)),
    ]
    if seats == 1:
        return [*wins, *lengths, *points, *choices, *best]
    return [
        *wins,
        Figure("starter", SHARE, LINE_UP, lambda game: won_by(game, game.starter)),
        *lengths,
        *points,
        Figure("winner", NUMBER, LINE_UP, lambda game: float(game.scores[game.ranks.index(1)])),
        Figure("lead", NUMBER, LINE_UP, lead),
        Figure("spread", NUMBER, LINE_UP, lambda game: float(max(game.scores) - min(game.scores))),
        Figure("ties", SHARE, LINE_UP, lambda game: float(game.ranks.count(1) > 1)),
        Figure("behind", SHARE, LINE_UP, lambda game: game.behind),
        Figure("comebacks", SHARE, LINE_UP, lambda game: float(game.behind >= COMEBACK)),
        *choices,
        Figure("alone", SHARE, ALONE, lambda game: won_by(game, game.alone)),
        Figure("luck", SHARE, ALONE, luck),
        *best,
        Figure("best-starter", SHARE, BEST, lambda game: won_by(game, game.starter)),
    ]


def won_by(game: Watched, seat: int) -> float:
    """How much of the win belongs to a seat."""
    return 1 / game.ranks.count(1) if game.ranks[seat] == 1 else 0.0


def lead(game: Watched) -> float:
    """How many points lie between the winner and the second, whichever way points count."""
    first, second = [score for _, score in sorted(zip(game.ranks, game.scores, strict=True))][:2]
    return float(abs(first - second))


# How sure it is.


def found_in(pairs: Sequence[Pair], setup: Setup) -> list[Found]:
    """All figures of which there is anything to say."""
    parts = {part: [pair for pair in pairs if pair.part == part] for part in (LINE_UP, ALONE, BEST)}
    figures = [figure for figure in figures_of(setup) if parts[figure.part]]
    return [found for figure in figures if (found := measured(figure, parts[figure.part], len(figures)))]


def measured(figure: Figure, pairs: Sequence[Pair], looked_at: int = 1) -> Found | None:
    """The figure on both sides with its paired interval; None where nothing was there to be counted.

    A ratio is made straight by its first derivative (the delta method): what each game adds to it, given the two sums.
    """
    sides = [_ratio(figure, games) for games in ([pair.a for pair in pairs], [pair.b for pair in pairs])]
    if not sides[0] or not sides[1]:
        return None
    (a, one_by_one), (b, other) = sides[0], sides[1]
    difference = b - a
    half = _half(
        [difference + two - one for one, two in zip(one_by_one, other, strict=True)], figure.unit == SHARE and figure.below is _one
    )
    fine = FINE_SHARE if figure.unit == SHARE else FINE_NUMBER * max(abs(a), abs(b))
    return Found(figure, len(pairs), a, b, difference, half, *_verdict(difference, half, fine, len(pairs), looked_at))


def of_one_side(figure: Figure, games: Sequence[Watched]) -> tuple[float, float] | None:
    """The figure alone, and half the width of its interval; None where nothing was there to be counted."""
    found = _ratio(figure, games)
    return found and (found[0], _half([found[0] + each for each in found[1]], figure.unit == SHARE and figure.below is _one))


def _ratio(figure: Figure, games: Sequence[Watched]) -> tuple[float, list[float]] | None:
    """The ratio, and what each game adds to it."""
    above, below = [figure.above(game) for game in games], [figure.below(game) for game in games]
    if not sum(below):
        return None
    ratio, mean = sum(above) / sum(below), sum(below) / len(below)
    return ratio, [(one - ratio * other) / mean for one, other in zip(above, below, strict=True)]


def _half(differences: Sequence[float], share: bool) -> float:
    """Half the width of the interval of a mean. With shares two pairs are added, one that speaks for either side (Bonett and Price): a
    change that none of the games met may still be there."""
    count = len(differences)
    total, squares = sum(differences), sum(value * value for value in differences)
    if share:
        count, squares = count + 2, squares + 2
    variance = max(0.0, squares / count - (total / count) ** 2)
    free = max(1, count - 1)
    return student(free) * sqrt(variance / free)


def student(free: int) -> float:
    """The 97.5 % point of Student's t, by the Cornish-Fisher expansion: exact to a hundredth from 5 degrees of freedom on."""
    z = NormalDist().inv_cdf(0.975)
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return float(sum(term / free**power for power, term in enumerate(terms)))


def _verdict(difference: float, half: float, fine: float, pairs: int, looked_at: int) -> tuple[str, int]:
    """What the interval says, and how many pairs would say more."""
    normal = NormalDist()
    wider = half * normal.inv_cdf(1 - 0.025 / max(1, looked_at)) / normal.inv_cdf(0.975)
    if pairs < FEW:
        return OPEN, max(FEW, _times(pairs, half / fine if fine else 1.0))
    if abs(difference) > wider:
        return CLEARLY, pairs
    if abs(difference) > half:
        return PERHAPS, _times(pairs, wider / abs(difference))
    if half <= fine:
        return SAME, pairs
    return OPEN, _times(pairs, half / fine)


def _times(pairs: int, finer: float) -> int:
    """As many as give an interval so many times finer, rounded up to two figures."""
    wanted = ceil(pairs * finer**2)
    step = int(10 ** max(0, len(str(wanted)) - 2))
    return -(-wanted // step) * step
