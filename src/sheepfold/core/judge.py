"""Judge: what a position is worth to each seat, for bots.

A game's own judge stands beside its rules in `evaluation.py`, as `JUDGE`. Values are shares of a win from 0 to 1, one for
each seat. The judge here knows only results and points, which every game has; a game without its own judge gets it.
"""

from __future__ import annotations

from math import exp

from mypy_extensions import i64, mypyc_attr

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position
from sheepfold.core.sequential import unwrapped


@mypyc_attr(allow_interpreted_subclasses=True)
class Judge:
    """Judges by points so far. `scale` is the lead, in points, that makes a win likely (about three in four)."""

    scale: float
    margin: float
    """How much of the value of a finished game is the lead in points and not the win itself."""

    def __init__(self, scale: float = 10.0, margin: float = 0.1) -> None:
        self.scale = scale
        self.margin = margin

    def result(self, position: Position) -> list[float]:
        """The value of a finished game: the win, shared among equals, and a little for the lead in points."""
        ranks = position.ranks()
        winners = 0
        for rank in ranks:
            if rank == 1:
                winners += 1
        leads = self.leads(position.scores()) if self.margin > 0.0 else []
        values: list[float] = []
        seat: i64 = 0
        while seat < position.seats:
            won = 1.0 / float(winners) if ranks[seat] == 1 else 0.0
            if self.margin > 0.0:
                won = (1.0 - self.margin) * won + self.margin * leads[seat]
            values.append(won)
            seat += 1
        return values

    def leads(self, points: list[int]) -> list[float]:
        """For each seat a number from 0 to 1 that grows with the lead over the best of the others."""
        seats: i64 = len(points)
        if seats == 1:
            return [1.0 / (1.0 + exp(-float(points[0]) / self.scale))]
        leads: list[float] = []
        seat: i64 = 0
        while seat < seats:
            best = -1000000
            other: i64 = 0
            while other < seats:
                if other != seat and points[other] > best:
                    best = points[other]
                other += 1
            leads.append(1.0 / (1.0 + exp(-float(points[seat] - best) / self.scale)))
            seat += 1
        return leads

    def values(self, position: Position) -> list[float]:
        """What the position is worth to each seat; `result` where the game is over."""
        return self.result(position) if position.to_act == OVER else self.estimate(unwrapped(position))

    def estimate(self, position: Position) -> list[float]:
        """The value of a game that goes on. A game's own judge replaces this."""
        return self.leads(position.scores())

    def playout_action(self, position: Position, dice: Dice) -> i64:
        """A move for playouts; a game's own judge may have a light policy here."""
        return position.random_action(dice)
