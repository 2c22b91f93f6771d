"""What a position of Shear Panic is worth, for bots.

Points so far, and what the flock as it stands would bring at the next scoring, the less the further away that is: every
turn until then stirs the flock. In field 4 a sheep that would be shorn is lost for later scorings too.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position
from sheepfold.games.flock import RELATIONS, SHEEP, opposite, write_relations
from sheepfold.games.shear_panic.geometry import GONE
from sheepfold.games.shear_panic.rules import GRID, SQUARE, ShearPanic


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
        if position.to_act == OVER:
            return [float(points) for points in position.points]
        track = position.printed.track
        phase = max(track.phase[position.counter], 1)
        distance = track.until_rows(position.counter)
        weight = 1.0 / (1.0 + self.fade * float(distance))
        last = position.counter + distance >= track.length
        shearing = phase >= 3
        rows = position.row_points(opposite(position.facing) if shearing else position.facing)
        shorn = position.shorn_next() if shearing else 0
        expected: list[float] = []
        seat: i64 = 0
        while seat < position.seats:
            total = float(position.points[seat]) + self.touch * float(position.pair_points(seat, phase))
            sheep = 2 * seat
            while sheep < 2 * seat + 2:
                scores = shorn >> sheep & 1 == 0 and rows[sheep] > 0
                value = weight * float(rows[sheep]) if scores else 0.0
                if phase == 4 and not last and position.at[sheep] != GONE:
                    value += self.alive * (1.0 if scores else 1.0 - weight)
                total += value
                sheep += 1
            expected.append(total)
            seat += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, ShearPanic)
        length = position.printed.track.length
        return self.scale * (0.25 + float(length - position.counter) / float(length))

    def quiet(self, position: Position) -> bool:
        assert isinstance(position, ShearPanic)
        return position.stage == SQUARE

    def clues(self, position: Position) -> list[int]:
        assert isinstance(position, ShearPanic)
        return [1] * (RELATIONS + int(position.printed.track.length) + 1) + super().clues(position)[5 * GRID * GRID :]

    def write_clues(self, position: Position, viewer: i64, numbers: vec[u8]) -> None:
        assert isinstance(position, ShearPanic)
        rows = vec[i64](capacity=SHEEP)
        columns = vec[i64](capacity=SHEEP)
        present = vec[i64](capacity=SHEEP)
        for place in position.at:
            rows = append(rows, place >> 8)
            columns = append(columns, place & 255)
            present = append(present, 0 if place == GONE else 1)
        at = write_relations(rows, columns, present, position.facing, viewer, position.seats, numbers, 0)
        numbers[at + position.counter] = 1
        position.note_all_but_sheep(viewer, numbers, at + position.printed.track.length + 1)


EVALUATOR: Final = ShearPanicEvaluator()
