"""Goals: what a designer wants of a game, as bounds on the figures of a comparison.

    turns=40-50      from 40 to 50 turns
    luck<30          less than 30 per cent (shares are given in per cent)
    mattered>20      more
    ties=2           as near to that as may be
    win=equal        no seat wins more than another

How far a goal is missed is a number, in the figure's own unit; 0 where it is reached.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from sheepfold.compare.figures import SHARE, Figure, figures_of
from sheepfold.core.errors import SheepfoldError, nearest
from sheepfold.game.game import Setup

NUMBER = r"\d+(?:\.\d+)?"
GOAL = re.compile(rf"\s*([a-z-]+(?:-\d+)?)\s*(?:=\s*({NUMBER})\s*-\s*({NUMBER})|([=<>])\s*({NUMBER})|=\s*(equal))\s*")
HOW = "NAME=LOW-HIGH, NAME<MOST, NAME>LEAST, NAME=VALUE or win=equal"


class Value(NamedTuple):
    """A figure as it was measured, give or take half of its interval."""

    value: float
    half: float


@dataclass(frozen=True)
class Goal:
    """One figure, or the wins of all seats, between two bounds."""

    text: str
    names: tuple[str, ...]
    low: float
    high: float
    share: bool

    def missed(self, values: Mapping[str, Value]) -> float:
        """By how much: the worst of its figures."""
        return max(max(0.0, self.low - values[name].value, values[name].value - self.high) for name in self.names)

    def parts(self, figures: Mapping[str, Figure]) -> set[str]:
        """The parts of a comparison that have to be played for it."""
        return {figures[name].part for name in self.names}


def goal(text: str, setup: Setup) -> Goal:
    """The goal that a text describes, or an error that says what is wrong with it."""
    found, figures = GOAL.fullmatch(text), {figure.key: figure for figure in figures_of(setup)}
    if not found:
        raise SheepfoldError(f"{text!r} is no goal; it is {HOW}")
    name, low, high, sign, bound, equal = found.groups()
    if equal:
        if name != "win" or setup.seats < 2:
            raise SheepfoldError(f"{text!r}: only the wins of several seats can be equal, as in win=equal")
        fair = 1 / setup.seats
        return Goal(text.strip(), tuple(f"win-{seat + 1}" for seat in range(setup.seats)), fair, fair, True)
    if name not in figures:
        raise SheepfoldError(f"{text!r}: there is no figure {name!r}.{nearest(name, list(figures))} There are {', '.join(figures)}.")
    unit = 100 if figures[name].unit == SHARE else 1
    bounds = (low, high) if low else {"=": (bound, bound), "<": (-inf, bound), ">": (bound, inf)}[sign]
    least, most = (float(each) / unit for each in bounds)
    if least > most:
        raise SheepfoldError(f"{text!r}: {bounds[0]} is more than {bounds[1]}")
    return Goal(text.strip(), (name,), least, most, unit == 100)


def front(points: Sequence[Sequence[float]]) -> list[int]:
    """Those that no other is better than in one goal and as good in all (the Pareto front); of equal ones the first."""

    def beats(one: Sequence[float], other: Sequence[float]) -> bool:
        return all(a <= b for a, b in zip(one, other, strict=True)) and tuple(one) != tuple(other)

    return [
        place
        for place, point in enumerate(points)
        if not any(beats(other, point) for other in points) and tuple(point) not in {tuple(before) for before in points[:place]}
    ]
