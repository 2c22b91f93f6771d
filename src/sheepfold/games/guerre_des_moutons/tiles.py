"""The tiles of La Guerre des Moutons: what is printed on them, as tables.

What fits is looked up, not tried. The sides that a place meets form a code (three bits a side: nothing or one of six motifs), and the code
indexes a table of the tiles whose front, or back, fits there in some rotation, as a mask of bits. In which rotations a face fits
is one AND as well, of those in which its northern and eastern sides do and those in which the other two do.

Tiles 0-59 are landscapes, 60-63 wolves, 64-67 hunters. A face is tile x 2 for its front, x 2 + 1 for its back; the front of a wolf or
hunter is its herd. Then come the four '?' faces and the village square.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import BIT, append_bits, powers
from sheepfold.core.packed import vec

# Motifs: what a side shows. Colours follow: 2 black, 3 yellow, 4 red, 5 blue.
VILLAGE: Final = 0
FOREST: Final = 1
COLOURS: Final = 4
FIRST_COLOUR: Final = 2

LANDSCAPES: Final = 60
WOLVES: Final = 60
HUNTERS: Final = 64
TILES: Final = 68
NO_TILE: Final = -1
WOLF_BITS: Final = 15
"""The wolves among wolves and hunters, as a mask; HUNTER_BITS: the hunters."""
HUNTER_BITS: Final = 240
SHEPHERDS: Final = 136
"""The first of the four '?' faces."""
SQUARE: Final = 140
FACES: Final = 141
CODES: Final = 4096

EIGHT: Final = powers(8, 4)


class Tiles:
    """What is printed on the tiles, as tables that never change and are shared by all positions."""

    every_landscape: i64
    every_special: i64
    """Wolves are bits 0-3, hunters 4-7."""
    side: vec[i64]
    """The motif at [(face * 4 + turn) * 4 + side]; sides are north, east, south, west."""
    area: vec[i64]
    """At the same index: which area of the face the side belongs to; -1 for village."""
    areas: vec[i64]
    area_motif: vec[i64]
    """At [face * 4 + area]; area_sides: how many sides the area reaches; area_sheep: how many sheep are in it."""
    area_sides: vec[i64]
    area_sheep: vec[i64]
    borders: vec[u8]
    """By face: 1 where a pen and a forest meet on it, so that a wolf can threaten the pen."""
    turns: vec[i64]
    """How many rotations of a face differ, in sides, areas or sheep: 1, 2 or 4."""
    half_fits: vec[u8]
    """At [face * 128 + the code's bits for north and east]: the rotations that fit both, as four bits; south and west at 64 more."""
    fits: vec[i64]
    """At [code of a place * 4]: the landscapes whose front fits, as a mask; then those whose back does; then the motifs all round."""

    def __init__(self, faces: list[list[int]], areas: list[list[int]] | None = None, sheep: list[list[int]] | None = None) -> None:
        """`faces` are the sides of all 141 faces; an empty list where a small set has no such tile. `areas` are the areas that the sides
        of each belong to, where they are not those of `areas_of`; `sheep` how many are in each area, where it is not one a side."""
        self.every_landscape = 0
        self.every_special = 0
        self.side = vec[i64]([0 for _ in range(FACES * 16)])
        self.area = vec[i64]([-1 for _ in range(FACES * 16)])
        self.areas = vec[i64]([0 for _ in range(FACES)])
        self.area_motif = vec[i64]([0 for _ in range(FACES * 4)])
        self.area_sides = vec[i64]([0 for _ in range(FACES * 4)])
        self.area_sheep = vec[i64]([0 for _ in range(FACES * 4)])
        self.borders = vec[u8]([0 for _ in range(FACES)])
        self.turns = vec[i64]([4 for _ in range(FACES)])
        self.half_fits = vec[u8]([0 for _ in range(FACES * 128)])
        self.fits = vec[i64]([0] * (CODES * 4))
        self._motifs_all_round()
        face: i64 = 0
        while face < FACES:
            sides = faces[face]
            if sides:
                self._face(face, sides, areas_of(sides) if areas is None else areas[face], None if sheep is None else sheep[face])
            face += 1

    def _motifs_all_round(self) -> None:
        motif: i64 = 0
        while motif < FIRST_COLOUR + COLOURS:
            present: i64 = 1
            while present < 16:
                code: i64 = 0
                at: i64 = 0
                while at < 4:
                    if present & BIT[at]:
                        code += (motif + 1) * EIGHT[at]
                    at += 1
                self.fits[code * 4 + 2] = BIT[motif]
                present += 1
            motif += 1

    def _face(self, face: i64, sides: list[int], areas: list[int], sheep: list[int] | None) -> None:
        if face < SHEPHERDS:
            tile = face // 2
            if tile < LANDSCAPES:
                self.every_landscape |= BIT[tile]
            else:
                self.every_special |= BIT[tile - WOLVES]
        at: i64 = 0
        while at < 4:
            area: i64 = areas[at]
            if area >= 0:
                self.areas[face] = max(self.areas[face], area + 1)
                self.area_motif[face * 4 + area] = sides[at]
                self.area_sides[face * 4 + area] += 1
                if sides[at] >= FIRST_COLOUR:
                    self.area_sheep[face * 4 + area] = self.area_sides[face * 4 + area] if sheep is None else sheep[area]
            at += 1
        if FOREST in sides and max(sides) >= FIRST_COLOUR:
            self.borders[face] = 1
        self.turns[face] = self._period(face, sides, areas)
        turn: i64 = 0
        while turn < 4:
            at = 0
            while at < 4:
                printed = (at - turn) & 3
                index = (face * 4 + turn) * 4 + at
                self.side[index] = sides[printed]
                self.area[index] = areas[printed]
                at += 1
            if turn < self.turns[face]:
                self._fits(face, turn)
            turn += 1

    def _period(self, face: i64, sides: list[int], areas: list[int]) -> i64:
        """After how many quarter turns a face looks as before."""
        for turn in (1, 2):
            same = True
            for at in range(4):
                to = (at + turn) % 4
                same = same and sides[at] == sides[to]
                if same and areas[at] >= 0:
                    same = self.area_sheep[face * 4 + areas[at]] == self.area_sheep[face * 4 + areas[to]]
                for other in range(4):
                    same = same and (areas[at] == areas[other]) == (areas[to] == areas[(other + turn) % 4])
            if same:
                return turn
        return 4

    def _fits(self, face: i64, turn: i64) -> None:
        """Every way in which some sides of this face, turned so, can meet others."""
        present: i64 = 1
        while present < 16:
            code: i64 = 0
            at: i64 = 0
            while at < 4:
                if present & BIT[at]:
                    code += (self.side[(face * 4 + turn) * 4 + at] + 1) * EIGHT[at]
                at += 1
            if present & 12 == 0:
                self._half(face * 128, code, turn)
            if present & 3 == 0:
                self._half(face * 128 + 64, code // 64, turn)
            if face < LANDSCAPES * 2:
                self.fits[code * 4 + (face & 1)] |= BIT[face // 2]
            present += 1
        self._half(face * 128, 0, turn)
        self._half(face * 128 + 64, 0, turn)

    def _half(self, at: i64, sides: i64, turn: i64) -> None:
        self.half_fits[at + sides] = self.half_fits[at + sides] | u8(BIT[turn])

    def rotations(self, face: i64, code: i64) -> i64:
        """The quarter turns, as four bits, with which a face fits a place with that code; of turns that look alike the first."""
        return i64(self.half_fits[face * 128 + (code & 63)] & self.half_fits[face * 128 + 64 + (code >> 6)])


def areas_of(sides: list[int]) -> list[int]:
    """Which area each side belongs to: neighbouring sides of one motif are one area, opposite ones are two (GM-40); -1 for village."""
    areas = [-1, -1, -1, -1]
    count = 0
    start = 0
    while start < 4 and sides[start] == sides[start - 1]:
        start += 1
    for step in range(4):
        at = (start + step) % 4
        if sides[at] == VILLAGE:
            continue
        if step > 0 and sides[at - 1] == sides[at]:
            areas[at] = areas[at - 1]
        else:
            areas[at] = count
            count += 1
    return areas


def tiles_of(landscapes: i64, specials: i64) -> vec[i64]:
    """The tiles of two masks, ascending."""
    return append_bits(append_bits(vec[i64](capacity=TILES), 0, landscapes), WOLVES, specials)


def is_wolf(face: i64) -> bool:
    """Whether the face is that of a wolf, not its herd."""
    return face >= WOLVES * 2 and face < HUNTERS * 2 and face & 1 != 0
