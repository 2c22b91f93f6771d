"""What a position of Shear Panic is worth, for bots.

Points so far, and what the flock as it stands would bring at the next scoring, the less the further away that is: every
turn until then stirs the flock. In field 4 a sheep that would be shorn is lost for later scorings too.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position
from sheepfold.games.flock import SHEEP, ahead, opposite, rows_before
from sheepfold.games.shear_panic.rules import GONE, SQUARE, ShearPanic


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
        space = position.counter
        phase = track.phase[space] if space > 0 else 1
        seat: i64 = 0
        while seat < position.seats:
            if phase == 1:
                expected[seat] = expected[seat] + self.touch * float(position.together(seat))
            elif phase == 3:
                expected[seat] = expected[seat] + self.touch * float(position.beside_black(seat))
            seat += 1
        distance: i64 = 1
        space += 1
        while space < track.length and track.wall[space - 1] == 0 and track.pen[space] == 0:
            space += 1
            distance += 1
        weight = 1.0 / (1.0 + self.fade * float(distance))
        worth = rows_worth(position, phase >= 3)
        sheep: i64 = 0
        while sheep < position.seats * 2:
            value = weight * float(worth[sheep])
            if phase == 4 and space < track.length and position.at[sheep] != GONE:
                value += self.alive * (1.0 if worth[sheep] > 0 else 1.0 - weight)
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


def rows_worth(position: ShearPanic, shearing: bool) -> vec[i64]:
    """What each sheep would be worth if rows were scored now: near Roger, or far from the Shearer, whose row is shorn."""
    places = vec[i64]()
    counted = vec[i64]()
    best = opposite(position.facing) if shearing else position.facing
    shorn = position.front_row() if shearing else 0
    sheep: i64 = 0
    while sheep < SHEEP:
        present = position.at[sheep] != GONE
        places = append(places, ahead(position.at[sheep] >> 8, position.at[sheep] & 255, best) if present else 0)
        counted = append(counted, 1 if present else 0)
        sheep += 1
    before = rows_before(places, counted)
    worth = vec[i64]()
    sheep = 0
    while sheep < SHEEP:
        scores = counted[sheep] != 0 and before[sheep] < 4 and shorn >> sheep & 1 == 0
        worth = append(worth, 4 - before[sheep] if scores else 0)
        sheep += 1
    return worth


EVALUATOR: Final = ShearPanicEvaluator()
