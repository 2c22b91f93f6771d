"""What a position of Haste Bock? is worth, for bots.

Points so far, and what the flock as it stands would bring at the next scoring, the less the further away that is: every
turn until then stirs the flock.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position
from sheepfold.games.flock import BLACK_SHEEP, SHEEP, ahead, rows_before
from sheepfold.games.haste_bock.rules import CARD, HasteBock, column_of, row_of


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
        track = position.track
        space = position.timer
        phase = track.phase[space] if space > 0 else 1
        seat: i64 = 0
        if phase == 1 or phase == 3:
            while seat < position.seats:
                pair: i64
                if phase == 1:
                    pair = position.touch_points(seat * 2, seat * 2 + 1)
                else:
                    pair = position.touch_points(seat * 2, BLACK_SHEEP) + position.touch_points(seat * 2 + 1, BLACK_SHEEP)
                expected[seat] = expected[seat] + self.touch * float(pair)
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
            expected[sheep // 2] = expected[sheep // 2] + weight * float(worth[sheep])
            sheep += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, HasteBock)
        return self.scale * (0.25 + float(position.track.length - position.timer) / float(position.track.length))

    def quiet(self, position: Position) -> bool:
        assert isinstance(position, HasteBock)
        return position.stage == CARD


def rows_worth(position: HasteBock, shearing: bool) -> vec[i64]:
    """What each sheep would be worth if rows were scored now: near Roger, or far from Shawn."""
    fronts = vec[i64]()
    backs = vec[i64]()
    counted = vec[i64]()
    sheep: i64 = 0
    while sheep < SHEEP:
        place = ahead(row_of(position.where[sheep]), column_of(position.where[sheep]), position.facing)
        fronts = append(fronts, place)
        backs = append(backs, -place)
        counted = append(counted, 1 if position.neutral_rows or sheep < position.seats * 2 else 0)
        sheep += 1
    before = rows_before(backs if shearing else fronts, counted)
    first = rows_before(fronts, counted) if shearing else before
    worth = vec[i64]()
    sheep = 0
    while sheep < SHEEP:
        worth = append(worth, 4 - before[sheep] if before[sheep] < 4 and not (shearing and first[sheep] == 0) else 0)
        sheep += 1
    return worth


EVALUATOR: Final = HasteBockEvaluator()
