"""What the moments of Haste Bock? and Shear Panic have in common: rows of the flock that score, lit one after the other."""

from __future__ import annotations

from collections.abc import Mapping

from sheepfold.game.moments import Step
from sheepfold.games.flock import SHEEP_NAMES
from sheepfold.messages import Voice

BEST_ROW = 4
"""What a sheep in the row that is worth most brings; in each row after it one less."""


def row_steps(worth: Mapping[int, int]) -> tuple[Step, ...]:
    """The rows in which somebody scores, the best one first. `worth` has what each piece brings its owner."""
    rows = [(points, [piece for piece in worth if worth[piece] == points]) for points in range(BEST_ROW, 0, -1)]
    return tuple(Step(tuple(f"sheep-{SHEEP_NAMES[piece]}" for piece in pieces), points) for points, pieces in rows if pieces)


def row_reason(key: str, sheep: str, points: int, voice: Voice) -> str:
    """'blue b1, row 2: 3'."""
    if not points:
        return voice.say("moment.no-row", sheep=sheep)
    return voice.say(f"moment.row.{key}", sheep=sheep, row=BEST_ROW + 1 - points, points=points)
