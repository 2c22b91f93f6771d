"""Solver: the end of a game worked out exactly, compiled.

Where few positions are left to look at, every line is followed to its end: each seat takes what is best for itself,
chance is averaged by its weights. Only for games without secrets: what a view hides is not averaged over.
"""

from __future__ import annotations

from mypy_extensions import i64

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import CHANCE, OVER, Position


class Solver:
    """A look at all that can still happen, given up when `limit` positions have been seen."""

    evaluator: Evaluator
    limit: i64
    seen: i64

    def __init__(self, evaluator: Evaluator, limit: i64) -> None:
        self.evaluator = evaluator
        self.limit = limit
        self.seen = 0

    def values(self, position: Position) -> list[tuple[int, float]]:
        """Every action with its exact value for the seat to act, best first; nothing where the rest is too large."""
        self.seen = 0
        mover = position.to_act
        found: list[tuple[int, float]] = []
        for action in position.legal():
            values = self.after(position, action)
            if len(values) == 0:
                return []
            found.append((action, values[mover]))
        found.sort(key=lambda choice: (-choice[1], choice[0]))
        return found

    def after(self, position: Position, action: i64) -> list[float]:
        self.seen += 1
        if self.seen > self.limit:
            return []
        following = position.copy()
        following.advance(action)
        return self.value(following)

    def value(self, position: Position) -> list[float]:
        """The value for every seat; empty when the limit was passed."""
        if position.to_act == OVER:
            return self.evaluator.result(position)
        actions = position.legal()
        if self.seen + len(actions) > self.limit:
            return []
        best: list[float] = []
        if position.to_act == CHANCE:
            weights = position.weights()
            total = 0.0
            index: i64 = 0
            best = [0.0 for _ in range(position.seats)]
            for action in actions:
                values = self.after(position, action)
                if len(values) == 0:
                    return []
                weight = float(weights[index])
                total += weight
                best = [one + weight * other for one, other in zip(best, values, strict=True)]
                index += 1
            return [value / total for value in best]
        mover = position.to_act
        for action in actions:
            values = self.after(position, action)
            if len(values) == 0:
                return []
            if len(best) == 0 or values[mover] > best[mover]:
                best = values
        return best
