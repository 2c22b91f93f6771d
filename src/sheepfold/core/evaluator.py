"""Evaluator: what a position is worth to each seat, and what is worth looking at, for bots.

A game's own evaluator stands beside its rules in `evaluator.py`, as `EVALUATOR`. Values are shares of a win from 0 to 1, one for
each seat. The evaluator here knows only results and points, which every game has; a game without its own evaluator gets it. A game's
evaluator mostly replaces `points` (with how many points each seat will have in the end, by and large) and `spread`; the hooks for
search are used where docs/bots.md shows that they make it stronger.
"""

from __future__ import annotations

from math import exp

from mypy_extensions import i64, mypyc_attr, u8

from sheepfold.core.dice import Dice
from sheepfold.core.packed import vec
from sheepfold.core.position import OVER, Position
from sheepfold.core.sequential import unwrapped


@mypyc_attr(allow_interpreted_subclasses=True)
class Evaluator:
    """Judges by points. `scale` is the lead, in points, that makes a win likely (about three in four)."""

    scale: float
    margin: float
    """How much of the value of a finished game is the lead in points and not the win itself."""

    def __init__(self, scale: float = 10.0, margin: float = 0.1) -> None:
        self.scale = scale
        self.margin = margin

    def result(self, position: Position) -> list[float]:
        """The value of a finished game: the win, shared among equals, and a little for the lead in points; alone, the points."""
        if position.seats == 1:
            return shares(self.points(unwrapped(position)), self.scale)
        ranks = position.ranks()
        winners = 0
        for rank in ranks:
            if rank == 1:
                winners += 1
        leads = shares(self.points(unwrapped(position)), self.scale) if self.margin > 0.0 else []
        values: list[float] = []
        seat: i64 = 0
        while seat < position.seats:
            won = 1.0 / float(winners) if ranks[seat] == 1 else 0.0
            if self.margin > 0.0:
                won = (1.0 - self.margin) * won + self.margin * leads[seat]
            values.append(won)
            seat += 1
        return values

    def values(self, position: Position) -> list[float]:
        """What the position is worth to each seat; `result` where the game is over."""
        if position.to_act == OVER:
            return self.result(position)
        inner = unwrapped(position)
        return shares(self.points(inner), self.spread(inner))

    # What a game's own evaluator replaces.

    def points(self, position: Position) -> list[float]:
        """How many points each seat will have in the end, by and large; more are better. Exact where the game is over."""
        return [float(points) for points in position.scores()]

    def spread(self, position: Position) -> float:
        """The lead that makes a win likely from here: less the nearer the end."""
        return self.scale

    def blurred(self, view: Position, memory: float, dice: Dice) -> Position:
        """The view as one remembers it whose memory fades, where something can be forgotten: after `memory` turns half of what was seen,
        after twice as many half of the rest. What is still remembered is drawn for every decision."""
        return view

    def foresees(self) -> bool:
        """Whether a position before a draw with many outcomes is judged as it is; else one outcome is drawn first, which is as fair
        but noisy."""
        return False

    def quiet(self, position: Position) -> bool:
        """Whether a playout may stop here to be judged: not between a card and the move with it."""
        return True

    def sensible(self, position: Position) -> list[int]:
        """The legal actions that a search looks at: never none, and never without one that may be best."""
        return position.legal()

    def branch(self, position: Position, outcome: i64) -> i64:
        """What stands for an outcome of chance in a search tree: the same for outcomes whose differences never matter."""
        return outcome

    def playout_action(self, position: Position, dice: Dice) -> i64:
        """A move for playouts."""
        return position.random_action(dice)

    def clues(self, position: Position) -> list[int]:
        """What a net is shown of such positions: for each number what it is a part of. As learners get it, where nothing else is said."""
        return [whole for _, count, whole in position.layout() for _ in range(count)]

    def write_clues(self, position: Position, viewer: i64, numbers: vec[u8]) -> None:
        """Write these numbers, of what the viewer knows alone, into a blank buffer."""
        position.write_tensor(viewer, numbers, 0)


def shares(points: list[float], scale: float) -> list[float]:
    """Shares of a win that grow with the points; alone, how far above nothing one is."""
    if len(points) == 1:
        return [1.0 / (1.0 + exp(-points[0] / scale))]
    best = points[0]
    for each in points:
        if each > best:
            best = each
    values: list[float] = []
    total = 0.0
    for each in points:
        value = exp((each - best) / scale)
        values.append(value)
        total += value
    return [value / total for value in values]
