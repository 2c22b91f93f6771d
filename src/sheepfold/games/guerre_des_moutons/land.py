"""The landscape on the table as pictures and words show it: its tiles in reading order, and its pens with their sides.

Everybody sees the same, and it changes only when a tile is laid: it is worked out once and kept by all that lies there.
"""

from __future__ import annotations

from typing import NamedTuple

from sheepfold import art
from sheepfold.games.guerre_des_moutons.map import WIDTH, Map
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import FACES, FIRST_COLOUR, Tiles, areas_of
from sheepfold.kept import forget, kept

MOST_SETS = 16
"""Sets of tiles of which pictures and words are kept: the game's own, and those that people have entered lately."""


@kept(512)
def areas_of_face(tiles: Tiles, face: int, turn: int) -> art.Areas | None:
    """How a face is parted, as it lies; None where it is as usual: neighbouring sides joined, a sheep a side (GM-40, GM-43)."""
    motifs = [int(tiles.side[face * 16 + side]) for side in range(4)]
    areas = [int(tiles.area[face * 16 + side]) for side in range(4)]
    sheep = [0, 0, 0, 0]
    for area in {*areas} - {-1}:
        among = [side for side in range(4) if areas[side] == area]
        each, more = divmod(int(tiles.area_sheep[face * 4 + area]), len(among))
        for place, side in enumerate(among):
            sheep[side] = each + (place < more)
    usual = [int(area) for area in areas_of(motifs)]
    joined = [[one == other for one in found for other in found] for found in (areas, usual)]
    if joined[0] == joined[1] and sheep == [int(motif >= FIRST_COLOUR) for motif in motifs]:
        return None
    return art.Areas(tuple(areas[(side - turn) % 4] for side in range(4)), tuple(sheep[(side - turn) % 4] for side in range(4)))


@kept(64)
def sheep_are_counted(tiles: Tiles) -> bool:
    """Whether some side of a tile has sheep, and not one."""
    parted = [(face, areas.sheep) for face in range(FACES) if (areas := areas_of_face(tiles, face, 0))]
    return any(sheep[side] != 1 and tiles.side[face * 16 + side] >= FIRST_COLOUR for face, sheep in parted for side in range(4))


class Pen(NamedTuple):
    """A pen as it lies: the cell, the side and the area of its tile, of every side in reading order; and how those tiles are parted."""

    colour: int
    sheep: int
    open_sides: int
    threatened: bool
    sides: tuple[tuple[int, int, int], ...]
    bends: tuple[art.Bend, ...]


class Land:
    """A landscape. Equal ones are one object as long as they are kept, so what is drawn of one can be kept by it."""

    def __init__(self, lie: Map) -> None:
        self.tiles: Tiles = lie.tiles
        laid = sorted(zip(lie.laid_cell, lie.laid_face, lie.laid_turn, lie.laid_area, strict=True))
        self.laid = [(cell, face, turn) for cell, face, turn, _ in laid]
        rows, columns = [cell // WIDTH for cell, *_ in laid], [cell % WIDTH for cell, *_ in laid]
        self.corners = (min(rows), min(columns)), (max(rows), max(columns))
        sides: dict[int, list[tuple[int, int, int]]] = {}
        bends: dict[int, art.Bend] = {}
        for cell, face, turn, first in laid:
            parted = areas_of_face(lie.tiles, int(face), int(turn))
            bends[cell] = parted.bend if parted else ""
            for side in range(4):
                at = (face * 4 + turn) * 4 + side
                area = int(lie.tiles.area[at])
                if area >= 0 and lie.tiles.side[at] >= FIRST_COLOUR:
                    sides.setdefault(int(lie.root(first + area)), []).append((cell, side, area))
        self.pens = []
        for pen in lie.pens():
            mine = tuple(sides[int(pen.area)])
            parting = tuple(bends[cell] for cell, _, _ in mine)
            self.pens.append(Pen(int(pen.colour), int(pen.sheep), int(pen.open_sides), pen.threatened, mine, parting))


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
    _make_room(view.map.tiles)
    return _land(_Lie(view.map))


_sets: list[Tiles] = []


def _make_room(tiles: Tiles) -> None:
    """What is kept of a set of tiles keeps the whole set, a quarter of a megabyte; and people may enter others all day."""
    if tiles not in _sets:
        if len(_sets) == MOST_SETS:
            _sets.clear()
            forget(__package__)
        _sets.append(tiles)
