"""Flat Monte Carlo, compiled: every action is tried alike, on a guess of what is hidden, and played on at random. No tree, no knowledge."""

from __future__ import annotations

from mypy_extensions import i64

from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import OVER, Position


def flat_values(evaluator: Evaluator, view: Position, dice: Dice, simulations: i64) -> list[tuple[int, float]]:
    """The actions of who is to act with the mean of what games brought that went on with them, best first; one game each at least."""
    mover = view.to_act
    actions = view.legal()
    games: i64 = max(1, simulations // len(actions))
    found: list[tuple[int, float]] = []
    for action in actions:
        total = 0.0
        played: i64 = 0
        while played < games:
            position = view.determinize(dice)
            position.advance(action)
            while position.to_act != OVER:
                position.advance(position.random_action(dice))
            total += evaluator.result(position)[mover]
            played += 1
        found.append((action, total / float(games)))
    found.sort(key=lambda choice: (-choice[1], choice[0]))
    return found
