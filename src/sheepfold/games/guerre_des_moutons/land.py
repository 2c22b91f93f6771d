"""The landscape on the table as pictures and words show it: its tiles in reading order, and its pens with their sides.

Everybody sees the same, and it changes only when a tile is laid: it is worked out once and kept by all that lies there.
"""

from __future__ import annotations

from typing import NamedTuple

from sheepfold.games.guerre_des_moutons.map import WIDTH, Map
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import FIRST_COLOUR, Tiles
from sheepfold.kept import kept


class Pen(NamedTuple):
    """A pen as it lies: the cell, the side and the area of its tile, of every side of it in reading order."""

    colour: int
    sheep: int
    open_sides: int
    threatened: bool
    sides: tuple[tuple[int, int, int], ...]


class Land:
    """A landscape. Equal ones are one object as long as they are kept, so what is drawn of one can be kept by it."""

    def __init__(self, lie: Map) -> None:
        self.tiles: Tiles = lie.tiles
        laid = sorted(zip(lie.laid_cell, lie.laid_face, lie.laid_turn, lie.laid_area, strict=True))
        self.laid = [(cell, face, turn) for cell, face, turn, _ in laid]
        rows, columns = [cell // WIDTH for cell, *_ in laid], [cell % WIDTH for cell, *_ in laid]
        self.corners = (min(rows), min(columns)), (max(rows), max(columns))
        sides: dict[int, list[tuple[int, int, int]]] = {}
        for cell, face, turn, first in laid:
            for side in range(4):
                at = (face * 4 + turn) * 4 + side
                area = int(lie.tiles.area[at])
                if area >= 0 and lie.tiles.side[at] >= FIRST_COLOUR:
                    sides.setdefault(int(lie.root(first + area)), []).append((cell, side, area))
        self.pens = [
            Pen(int(pen.colour), int(pen.sheep), int(pen.open_sides), pen.threatened, tuple(sides[int(pen.area)])) for pen in lie.pens()
        ]


class _Lie:
    """A map by all its values that a landscape is made of."""

    def __init__(self, lie: Map) -> None:
        self.map = lie
        self.values = (lie.tiles, lie.wolves_out, tuple(lie.laid), tuple(lie.parent), tuple(lie.tally))
        self.hash = hash(self.values)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lie) and self.values == other.values


@kept(256)
def _land(lie: _Lie) -> Land:
    return Land(lie.map)


def land_of(view: GuerreDesMoutons) -> Land:
    """What lies on the table."""
    return _land(_Lie(view.map))
