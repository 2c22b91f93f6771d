"""What a position of Haste Bock? is worth, for bots.

Points so far, and what the flock as it stands would bring at the next scoring, the less the further away that is: every
turn until then stirs the flock.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import OVER, Position
from sheepfold.games.haste_bock.rules import CARD, HasteBock


class HasteBockEvaluator(Evaluator):
    """Judges by points and by the sheep that stand well."""

    fade: float
    """How much of what stands well is lost, by each space that the timer has still to go."""
    touch: float
    """What a touching pair is worth, beyond the points it has brought, where touching scores."""

    def __init__(self, scale: float = 4.0, margin: float = 0.1, fade: float = 0.25, touch: float = 0.5) -> None:
        super().__init__(scale, margin)
        self.fade = fade
        self.touch = touch

    def points(self, position: Position) -> list[float]:
        assert isinstance(position, HasteBock)
        expected = [float(points) for points in position.points]
        if position.to_act == OVER:
            return expected
        phase = max(position.track.phase[position.timer], 1)
        weight = 1.0 / (1.0 + self.fade * float(position.track.until_rows(position.timer)))
        rows = position.row_points()
        seat: i64 = 0
        while seat < position.seats:
            expected[seat] = expected[seat] + self.touch * float(position.pair_points(seat, phase))
            seat += 1
        sheep: i64 = 0
        while sheep < position.seats * 2:
            expected[sheep // 2] = expected[sheep // 2] + weight * float(rows[sheep])
            sheep += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, HasteBock)
        return self.scale * (0.25 + float(position.track.length - position.timer) / float(position.track.length))

    def quiet(self, position: Position) -> bool:
        assert isinstance(position, HasteBock)
        return position.stage == CARD


EVALUATOR: Final = HasteBockEvaluator()
