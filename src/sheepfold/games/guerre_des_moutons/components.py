"""The component file of La Guerre des Moutons, read and checked: counts, what a face can show, no tile with both forest and village.

A real box has its own tiles, so nothing is demanded of the colours but that they are the game's (docs/rules/guerre-des-moutons.md, GM-43).
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import NamedTuple

from sheepfold.game.component_file import ComponentFile, Source
from sheepfold.games.guerre_des_moutons.notation import COLOURS, MOTIFS
from sheepfold.games.guerre_des_moutons.tiles import FIRST_COLOUR, FOREST, LANDSCAPES, VILLAGE, Tiles, areas_of

TABLES = ("village", "shepherds", "wolves", "hunters", "sheep", "fences", "landscapes")
JOINED = ("neighbours", "opposite", "none")
"""Which equal sides of a face are one area: neighbouring ones, opposite ones too, or none."""
YES, NO = "✓", "✗"
MOST_SHEEP = 9
"""In an area, or on a side."""
COUNTABLE = 255
"""So many sheep of a pen can be told to learners in one byte."""
FACE = re.compile(rf"([{MOTIFS}]{{4}})(?:\(([^()]*)\))?")
AREA = re.compile(r"([1-4]+)(?::([0-9]))?")


class Face(NamedTuple):
    """What is printed on a face: its sides as motifs, the area of each (-1 for village), and the sheep of each area."""

    sides: list[int]
    areas: list[int]
    sheep: list[int]


@lru_cache(16)
def _tiles(printed: str) -> Tiles:
    """The tables of such faces; the same again for the same ones, which are read with every table that is played with them."""
    sides, areas, sheep = (list(each) for each in zip(*json.loads(printed), strict=True))
    return Tiles(sides, areas, sheep)


WILD = Face([FOREST] * 4, [0] * 4, [0])
"""A wolf or a hunter stands in one forest, whatever the fences of landscapes are like (GM-11)."""


class Components:
    """What is printed on the tiles: the `faces` as letters, by face number, and the tables that the rules look them up in."""

    def __init__(self, path: Source) -> None:
        file = ComponentFile(path, TABLES)
        self.digest = file.digest
        reader = _Reader(file)
        self.a_side, self.joined = reader.a_side, reader.joined
        printed = reader.landscapes()
        for table in ("wolves", "hunters"):
            for herd in reader.herds(f"{table}.herds"):
                printed += [herd, WILD]
        shepherds = reader.herds("shepherds.faces")
        if [face.sides[0] - FIRST_COLOUR for face in shepherds] != list(range(len(COLOURS))):
            file.fail("shepherds.faces", f"must be each colour once, in this order: {[colour * 4 for colour in COLOURS]}")
        square = file.get("village.square")
        if square != "vvvv":
            file.fail("village.square", f"must be 'vvvv', not {square!r}")
        _countable(file, printed, shepherds)
        printed += [*shepherds, reader.face("village.square", square)]
        self.faces = ["".join(MOTIFS[side] for side in face.sides) for face in printed]
        self.tiles = _tiles(json.dumps(printed))

    def named(self) -> dict[str, object]:
        """Every number by its name, as the help calls them. `neighbours` and `opposite`: whether such sides of a face are joined; `apart`:
        how the sheep of two opposite sides count, then."""
        opposite = self.joined == "opposite"
        return {
            "landscapes": LANDSCAPES,
            "wolves": len(COLOURS),
            "hunters": len(COLOURS),
            "a-side": self.a_side,
            "neighbours": YES if self.joined != "none" else NO,
            "opposite": YES if opposite else NO,
            "apart": str(2 * self.a_side) if opposite else f"{self.a_side} + {self.a_side}",
        }


class _Reader:
    """Reads faces, with what the file says of all of them."""

    def __init__(self, file: ComponentFile) -> None:
        self.file = file
        self.a_side = file.whole("sheep.a-side", 1, MOST_SHEEP)
        self.joined = str(file.get("fences.joined"))
        if self.joined not in JOINED:
            file.fail("fences.joined", f"must be one of {', '.join(JOINED)}, not {self.joined!r}")

    def landscapes(self) -> list[Face]:
        """Front and back of the 60 landscapes."""
        tiles = self.file.get("landscapes.tiles")
        if not isinstance(tiles, list) or len(tiles) != LANDSCAPES:
            many = f", not {len(tiles)}" if isinstance(tiles, list) else ""
            self.file.fail("landscapes.tiles", f"must be a list of {LANDSCAPES} tiles{many}")
        faces: list[Face] = []
        for index, tile in enumerate(tiles):
            where = f"landscapes.tiles[{index}]"
            both = tile.split() if isinstance(tile, str) else []
            if len(both) != 2:
                self.file.fail(where, f"must be two faces of four letters out of {MOTIFS}, such as 'rrrb vyyr', not {tile!r}")
            front, back = (self.face(where, face) for face in both)
            if {VILLAGE, FOREST} <= {*front.sides, *back.sides}:
                self.file.fail(where, f"{tile!r} has both forest and village; no tile has")
            faces += [front, back]
        return faces

    def herds(self, where: str) -> list[Face]:
        """Four faces of one colour each."""
        herds = self.file.get(where)
        if not isinstance(herds, list) or len(herds) != len(COLOURS):
            self.file.fail(where, f"must be a list of {len(COLOURS)} full herds, such as {[colour * 4 for colour in COLOURS]}")
        faces = [self.face(f"{where}[{index}]", herd) for index, herd in enumerate(herds)]
        for index, face in enumerate(faces):
            if len(set(face.sides)) > 1 or face.sides[0] < FIRST_COLOUR:
                self.file.fail(
                    f"{where}[{index}]", f"must be a full herd, one colour on all four sides such as 'rrrr', not {herds[index]!r}"
                )
        return faces

    def face(self, where: str, text: object) -> Face:
        """A face: four letters clockwise, and in brackets what is not as usual: `rbrk(13:3)`, sides 1 and 3 are joined, three sheep."""
        found = FACE.fullmatch(text) if isinstance(text, str) else None
        if not found:
            self.file.fail(where, f"a face is four letters out of {MOTIFS}, such as 'rrrb', perhaps with areas: 'rbrk(13:3)'; not {text!r}")
        sides = [MOTIFS.index(letter) for letter in found[1]]
        named: list[tuple[list[int], int]] = []
        for area in found[2].split(",") if found[2] is not None else ():
            read = AREA.fullmatch(area)
            if not read:
                self.file.fail(where, f"an area is its sides from 1 to 4, perhaps with its sheep, such as '13' or '13:3', not {area!r}")
            among = [int(side) - 1 for side in read[1]]
            if len({*among}) < len(among) or any(side in others for side in among for others, _ in named):
                self.file.fail(where, f"each side is in one area; in {text!r} one is there twice")
            motifs = {sides[side] for side in among}
            if len(motifs) > 1 or VILLAGE in motifs:
                self.file.fail(where, f"the sides of an area are all forest or all sheep of one colour, unlike {area!r} in {text!r}")
            if read[2] and FOREST in motifs:
                self.file.fail(where, f"a forest has no sheep; write {read[1]!r}, not {area!r}, in {text!r}")
            named.append((among, int(read[2]) if read[2] else len(among) * self.a_side))
        areas = self._areas(sides, [among for among, _ in named])
        if areas[0] == areas[2] >= 0 and areas[1] == areas[3] >= 0 and areas[0] != areas[1]:
            self.file.fail(
                where, f"in {text!r} sides 1 and 3 and sides 2 and 4 would cross; say which are joined, such as '{found[1]}(13,2,4)'"
            )
        sheep = [self.a_side * areas.count(area) if sides[areas.index(area)] >= FIRST_COLOUR else 0 for area in range(max(areas) + 1)]
        for among, many in named:
            if sides[among[0]] >= FIRST_COLOUR:
                sheep[areas[among[0]]] = many
        return Face(sides, areas, sheep)

    def _areas(self, sides: list[int], named: list[list[int]]) -> list[int]:
        """The area of every side: as named, the others as on every face."""
        if not named and self.joined == "neighbours":
            return areas_of(sides)
        areas = [-1, -1, -1, -1]
        for number, among in enumerate(named):
            for side in among:
                areas[side] = number
        left = [side for side in range(4) if areas[side] < 0 and sides[side] != VILLAGE]
        count = len(named)
        while left:
            area, reach = [left[0]], {"none": (), "neighbours": (1, 3), "opposite": (1, 2, 3)}[self.joined]
            for side in area:  # grows as it goes
                area += [to for step in reach if (to := (side + step) % 4) in left and to not in area and sides[to] == sides[side]]
            for side in area:
                areas[side] = count
                left.remove(side)
            count += 1
        return areas


def _countable(file: ComponentFile, tiles: list[Face], shepherds: list[Face]) -> None:
    """Not more sheep than can be counted, if of every tile the face with the more of them is laid."""
    most = []
    for colour in range(FIRST_COLOUR, FIRST_COLOUR + len(COLOURS)):
        many = [sum(sheep for area, sheep in enumerate(face.sheep) if face.sides[face.areas.index(area)] == colour) for face in tiles]
        shepherd = sum(shepherds[colour - FIRST_COLOUR].sheep)
        most.append(shepherd + sum(max(pair) for pair in zip(many[::2], many[1::2], strict=True)))
    if max(most) > COUNTABLE:
        named = ", ".join(f"{colour} {many}" for colour, many in zip(COLOURS, most, strict=True))
        file.fail("landscapes.tiles", f"a colour can have {COUNTABLE} sheep on the table, not more; here they could have {named}")
