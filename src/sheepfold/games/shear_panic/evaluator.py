"""What a position of Shear Panic is worth, for bots.

Points so far, and what the flock as it stands would bring at the next scoring, the less the further away that is: every
turn until then stirs the flock. In field 4 a sheep that would be shorn is lost for later scorings too.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import OVER, Position
from sheepfold.games.flock import opposite
from sheepfold.games.shear_panic.geometry import GONE
from sheepfold.games.shear_panic.rules import SQUARE, ShearPanic


class ShearPanicEvaluator(Evaluator):
    """Judges by points and by the sheep that stand well."""

    fade: float
    """How much of what stands well is lost, by each space that the counter has still to go."""
    touch: float
    """What a touching pair is worth, beyond the points it has brought, where touching scores."""
    alive: float
    """What a sheep that is not shorn is worth before the last scoring."""

    def __init__(self, scale: float = 4.0, margin: float = 0.1, fade: float = 0.25, touch: float = 0.5, alive: float = 2.0) -> None:
        super().__init__(scale, margin)
        self.fade = fade
        self.touch = touch
        self.alive = alive

    def points(self, position: Position) -> list[float]:
        assert isinstance(position, ShearPanic)
        expected = [float(points) for points in position.points]
        if position.to_act == OVER:
            return expected
        track = position.printed.track
        phase = max(track.phase[position.counter], 1)
        distance = track.until_rows(position.counter)
        weight = 1.0 / (1.0 + self.fade * float(distance))
        last = position.counter + distance >= track.length
        shearing = phase >= 3
        rows = position.row_points(opposite(position.facing) if shearing else position.facing)
        shorn = position.shorn_next() if shearing else 0
        seat: i64 = 0
        while seat < position.seats:
            expected[seat] = expected[seat] + self.touch * float(position.pair_points(seat, phase))
            seat += 1
        sheep: i64 = 0
        while sheep < position.seats * 2:
            scores = shorn >> sheep & 1 == 0 and rows[sheep] > 0
            value = weight * float(rows[sheep]) if scores else 0.0
            if phase == 4 and not last and position.at[sheep] != GONE:
                value += self.alive * (1.0 if scores else 1.0 - weight)
            expected[sheep // 2] = expected[sheep // 2] + value
            sheep += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, ShearPanic)
        length = position.printed.track.length
        return self.scale * (0.25 + float(length - position.counter) / float(length))

    def quiet(self, position: Position) -> bool:
        assert isinstance(position, ShearPanic)
        return position.stage == SQUARE


EVALUATOR: Final = ShearPanicEvaluator()
