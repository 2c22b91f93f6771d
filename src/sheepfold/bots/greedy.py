"""Greedy: looks one turn ahead, compiled.

An action is worth what the evaluator says of the position after it; where the same seat goes on (a card, then a move with it), what
its best continuation is worth, as far as no chance comes between. Chance is averaged exactly where it has few outcomes, else drawn.
What is hidden is guessed a few times.
"""

from __future__ import annotations

from mypy_extensions import i64

from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import CHANCE, Position


class Greedy:
    """Settings of a look ahead."""

    evaluator: Evaluator
    guesses: i64
    """How many positions are guessed where something is hidden."""
    exact: i64
    """Up to how many chance outcomes are averaged exactly, a chain of them multiplied."""
    decisions: i64
    """How many decisions of one's own in a row are looked at."""
    looked: i64
    """How many positions have been looked at until now."""

    def __init__(self, evaluator: Evaluator, guesses: i64 = 8, exact: i64 = 12, decisions: i64 = 2) -> None:
        self.evaluator = evaluator
        self.guesses = guesses
        self.exact = exact
        self.decisions = decisions
        self.looked = 0

    def values(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        """Every sensible action with its value for the seat to act, best first."""
        mover = view.to_act
        actions = self.evaluator.sensible(view)
        totals = [0.0 for _ in actions]
        draw: i64 = 0
        while draw < self.guesses:
            position = view.determinize(dice)
            index: i64 = 0
            for action in actions:
                totals[index] = totals[index] + self.after(position, action, mover, dice, self.decisions)
                index += 1
            draw += 1
        found = [(action, total / float(self.guesses)) for action, total in zip(actions, totals, strict=True)]
        found.sort(key=lambda choice: (-choice[1], choice[0]))
        return found

    def after(self, position: Position, action: i64, mover: i64, dice: Dice, decisions: i64) -> float:
        following = position.copy()
        following.advance(action)
        return self.value(following, mover, dice, decisions - 1, self.exact)

    def value(self, position: Position, mover: i64, dice: Dice, decisions: i64, exact: i64) -> float:
        """`exact` is how many outcomes may still be averaged, all chance events in a row together."""
        self.looked += 1
        if position.to_act == CHANCE:
            outcomes = position.legal()
            if len(outcomes) > exact:
                if self.evaluator.foresees():
                    return self.evaluator.values(position)[mover]
                position.advance(position.random_action(dice))
                return self.value(position, mover, dice, 0, exact)
            left: i64 = exact // i64(len(outcomes))
            weights = position.weights()
            total = 0.0
            weight_sum = 0.0
            index: i64 = 0
            for outcome in outcomes:
                following = position.copy()
                following.advance(outcome)
                weight = float(weights[index])
                total += weight * self.value(following, mover, dice, 0, left)
                weight_sum += weight
                index += 1
            return total / weight_sum
        if position.to_act == mover and decisions > 0:
            best = -1.0
            for action in self.evaluator.sensible(position):
                value = self.after(position, action, mover, dice, decisions)
                if value > best:
                    best = value
            return best
        return self.evaluator.values(position)[mover]
