"""What a position of Haste Bock? is worth, for bots.

Points so far, and what the flock as it stands would bring at the next scoring, the less the further away that is: every
turn until then stirs the flock.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position
from sheepfold.games.flock import RELATIONS, SHEEP, write_relations
from sheepfold.games.haste_bock.rules import CARD, SET_UP, SIDE, HasteBock, column_of, row_of

EDGE: Final = 5
"""Fields from an edge that are told apart."""
EVERYBODY: Final = vec[i64]([1] * SHEEP)


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
        if position.to_act == OVER:
            return [float(points) for points in position.points]
        phase = max(position.track.phase[position.timer], 1)
        weight = 1.0 / (1.0 + self.fade * float(position.track.until_rows(position.timer)))
        rows = position.row_points()
        expected: list[float] = []
        seat: i64 = 0
        while seat < position.seats:
            value = float(position.points[seat]) + self.touch * float(position.pair_points(seat, phase))
            value += weight * float(rows[2 * seat])
            value += weight * float(rows[2 * seat + 1])
            expected.append(value)
            seat += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, HasteBock)
        return self.scale * (0.25 + float(position.track.length - position.timer) / float(position.track.length))

    def quiet(self, position: Position) -> bool:
        assert isinstance(position, HasteBock)
        return position.stage == CARD

    def clues(self, position: Position) -> list[int]:
        assert isinstance(position, HasteBock)
        return [1] * (RELATIONS + 4 * 5 * EDGE + int(position.track.length) + 1) + super().clues(position)[SHEEP * SIDE * SIDE :]

    def write_clues(self, position: Position, viewer: i64, numbers: vec[u8]) -> None:
        assert isinstance(position, HasteBock)
        if position.stage != SET_UP:
            rows = vec[i64](capacity=SHEEP)
            columns = vec[i64](capacity=SHEEP)
            for cell in position.where:
                rows = append(rows, row_of(cell))
                columns = append(columns, column_of(cell))
            write_relations(rows, columns, EVERYBODY, position.facing, viewer, position.seats, numbers, 0)
            self.write_edges(rows, columns, position, viewer, numbers, RELATIONS)
        at: i64 = RELATIONS + 4 * 5 * EDGE
        numbers[at + position.timer] = 1
        position.note_all_but_sheep(viewer, numbers, at + position.track.length + 1)

    def write_edges(self, rows: vec[i64], columns: vec[i64], position: HasteBock, me: i64, numbers: vec[u8], at: i64) -> None:
        """How near each kind of sheep is to each edge, counted from the one that the sheep look at."""
        turn = position.facing // 2
        sheep: i64 = 0
        while sheep < SHEEP:
            kind = sheep // 2
            if kind < position.seats:
                kind = kind - me if kind >= me else kind - me + position.seats
            edge: i64 = 0
            while edge < 4:
                side = (edge + turn) & 3
                if side == 0:
                    far = rows[sheep]
                elif side == 1:
                    far = SIDE - 1 - columns[sheep]
                elif side == 2:
                    far = SIDE - 1 - rows[sheep]
                else:
                    far = columns[sheep]
                if far < EDGE:
                    place = at + (kind * 4 + edge) * EDGE + far
                    numbers[place] = numbers[place] + 1
                edge += 1
            sheep += 1


EVALUATOR: Final = HasteBockEvaluator()
