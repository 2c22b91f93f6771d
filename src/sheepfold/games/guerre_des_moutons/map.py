"""The map of La Guerre des Moutons: the tiles on the table, the open places beside them, and the pens and forests they form.

The table is not bounded, so nothing is stored by coordinates alone. A map keeps the laid tiles, the *open places* (empty
places beside a laid tile, in reading order, each with the four sides it meets) and the *areas* of the laid faces, joined by
union-find as tiles are laid: a pen knows its sheep and its open sides, a forest its wolves and hunters; closed pens are listed.
What fits somewhere, the union of the tiles' masks over all open places, is renewed when a tile is laid.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i16, i64, mypyc_attr

from sheepfold.core.bits import BIT, powers
from sheepfold.core.packed import append, pop, vec
from sheepfold.games.guerre_des_moutons.tiles import EIGHT, FIRST_COLOUR, FOREST, HUNTERS, SHEPHERDS, SQUARE, WOLVES, Tiles

WIDTH: Final = 149
MIDDLE: Final = 74 * 149 + 74
"""Cells are row x 149 + column, rows from north to south; the village square lies in the middle and nothing comes within one of the rim."""
PLACES: Final = 146
"""There are never more open places to choose from: the first tile has 4, every further tile takes one and opens at most
three, and at most 72 tiles lie when the last of 73 is laid: 4 + 2 x 71 = 146."""
STEP: Final = vec[i64]([-WIDTH, 1, WIDTH, -1])

# An open place is one number, so that places sort in reading order and one insertion keeps them so: the cell, then the code of the sides it
# meets (for each side three bits: 0 for nothing, or 1 + the motif), then nine bits for each side: NOTHING, A_VILLAGE or an area. There are
# at most 73 x 4 areas, numbered from FIRST_AREA on.
NOTHING: Final = 0
A_VILLAGE: Final = 1
FIRST_AREA: Final = 2
CELL: Final = 1 << 48
CODE: Final = 1 << 36
MEETS: Final = powers(512, 4)


def place_cell(place: i64) -> i64:
    return place >> 48


def place_code(place: i64) -> i64:
    return place >> 36 & 4095


def place_meets(place: i64, side: i64) -> i64:
    return place >> 9 * side & 511


# A laid tile is one number: the first of its areas (the others follow), its cell, its face and its quarter turns.
AREA: Final = 1 << 32


def laid_area(laid: i64) -> i64:
    return laid >> 32


def laid_cell(laid: i64) -> i64:
    return laid >> 10 & 32767


def laid_face(laid: i64) -> i64:
    return laid >> 2 & 255


# What is counted in an area is one number too, so that joining two is one sum: the sheep of a pen and its open sides, or the wolves of
# a forest and its hunters.
WOLF: Final = 1
HUNTER: Final = 4096
OPEN_SIDE: Final = 4096


def sheep_in(tally: i64) -> i64:
    return tally & 4095


def open_sides_of(tally: i64) -> i64:
    return tally >> 12


def wolves_in(tally: i64) -> i64:
    return tally & 4095


def hunters_in(tally: i64) -> i64:
    return tally >> 12


class Pen:
    """A connected area of one colour, for scores and words."""

    colour: i64
    sheep: i64
    open_sides: i64
    threatened: bool
    area: i64
    """The `root` of its areas, for pictures."""

    def __init__(self, colour: i64, sheep: i64, open_sides: i64, threatened: bool, area: i64) -> None:
        self.colour = colour
        self.sheep = sheep
        self.open_sides = open_sides
        self.threatened = threatened
        self.area = area

    def counts(self) -> bool:
        """Whether it can score (GM-17, GM-18)."""
        return self.open_sides == 0 and not self.threatened


@mypyc_attr(acyclic=True)  # the garbage collector need not look at every copy
class Map:
    """What lies on the table; see the module."""

    tiles: Tiles
    laid: vec[i64]
    """The tiles on the table in the order of laying, each one number; see AREA."""

    parent: vec[i16]
    tally: vec[i64]
    """By area, right for the roots of union-find: what is counted there; see OPEN_SIDE. Nothing and villages count nothing."""
    closed: vec[i16]
    """The pens without open sides, in the order in which they were closed: root x 4 + colour. They never change again."""
    places: vec[i64]
    """The open places in reading order; see CELL."""

    any_front: i64
    """The landscapes whose front fits somewhere, as a mask; any_back likewise; any_uniform: the motifs that a uniform tile could have."""
    any_back: i64
    any_uniform: i64
    wolf_fits: bool
    wolves_out: i64
    """Wolves on the table that no hunter covers, as a mask."""

    def __init__(self, tiles: Tiles, of: Map | None = None) -> None:
        """With the village square alone, or a copy."""
        self.tiles = tiles
        if of is not None:
            self.laid = of.laid[:]
            self.parent = of.parent[:]
            self.tally = of.tally[:]
            self.closed = of.closed[:]
            self.places = of.places[:]
            self.any_front = of.any_front
            self.any_back = of.any_back
            self.any_uniform = of.any_uniform
            self.wolf_fits = of.wolf_fits
            self.wolves_out = of.wolves_out
            return
        self.laid = vec[i64]()
        self.parent = vec[i16]([NOTHING, A_VILLAGE])
        self.tally = vec[i64]([0, 0])
        self.closed = vec[i16]()
        self.places = vec[i64]([MIDDLE * CELL])
        self.wolves_out = 0
        self.put(0, SQUARE, 0)

    def root(self, area: i64) -> i64:
        """The area that stands for the whole pen or forest."""
        while self.parent[area] != area:
            above = i64(self.parent[area])
            self.parent[area] = self.parent[above]
            area = above
        return area

    def _join(self, one: i64, other: i64, open_sides: i64) -> None:
        """Two areas meet and are one from now on, with so many open sides less. The older one stands for both: the tensor needs it."""
        one = self.root(one)
        other = self.root(other)
        if other < one:
            one, other = other, one
        if other != one:
            self.parent[other] = i16(one)
            self.tally[one] += self.tally[other]
        self.tally[one] -= open_sides * OPEN_SIDE

    def put(self, rank: i64, face: i64, turn: i64) -> i64:
        """Lay a face on an open place; how many tiles it touches there."""
        place = self.places[rank]
        first = i64(len(self.parent))
        self.laid = append(self.laid, first * AREA + place_cell(place) * 1024 + face * 4 + turn)
        self._new_areas(face, first)
        touched: i64 = 0
        side: i64 = 0
        while side < 4:
            met = place_meets(place, side)
            if met != NOTHING:
                touched += 1
                if met != A_VILLAGE:
                    turned = (face * 4 + turn) * 4 + side
                    self._join(first + self.tiles.area[turned], met, 0 if self.tiles.side[turned] == FOREST else 2)
            side += 1
        self._note_closed(face, first)
        self._open_places(rank, (face * 4 + turn) * 4, first)
        self._survey()
        return touched

    def _new_areas(self, face: i64, first: i64) -> None:
        """The areas of a face, each still alone."""
        special = face < SHEPHERDS and face >= WOLVES * 2 and face & 1
        area: i64 = 0
        while area < self.tiles.areas[face]:
            tally: i64 = 0
            if self.tiles.area_motif[face * 4 + area] != FOREST:
                tally = self.tiles.area_sheep[face * 4 + area] + self.tiles.area_sides[face * 4 + area] * OPEN_SIDE
            elif special:
                tally = WOLF if face < HUNTERS * 2 else HUNTER
            self.parent = append(self.parent, i16(first + area))
            self.tally = append(self.tally, tally)
            area += 1
        if special and face < HUNTERS * 2:
            self.wolves_out |= BIT[face // 2 - WOLVES]

    def _note_closed(self, face: i64, first: i64) -> None:
        """Remember the pens that this tile, just laid, has closed."""
        before = i64(len(self.closed))
        area: i64 = 0
        while area < self.tiles.areas[face]:
            motif = self.tiles.area_motif[face * 4 + area]
            root = self.root(first + area)
            if motif != FOREST and open_sides_of(self.tally[root]) == 0:
                pen = root * 4 + motif - FIRST_COLOUR
                known = before  # two areas of one tile may be of one pen
                while known < i64(len(self.closed)) and i64(self.closed[known]) != pen:
                    known += 1
                if known == i64(len(self.closed)):
                    self.closed = append(self.closed, i16(pen))
            area += 1

    def _open_places(self, rank: i64, turned: i64, first: i64) -> None:
        """Renew the open places when the one of this rank has been taken, keeping the reading order."""
        places, taken = pop(self.places, rank)
        side: i64 = 0
        while side < 4:
            if place_meets(taken, side) == NOTHING:
                area = self.tiles.area[turned + side]
                back = (side + 2) & 3
                met = (self.tiles.side[turned + side] + 1) * EIGHT[back] * CODE + (A_VILLAGE if area < 0 else first + area) * MEETS[back]
                here = (place_cell(taken) + STEP[side]) * CELL
                at = rank  # it is not far from here
                while at > 0 and places[at - 1] >= here:
                    at -= 1
                while at < i64(len(places)) and places[at] < here:
                    at += 1
                if at < i64(len(places)) and places[at] < here + CELL:
                    places[at] += met
                else:
                    places = append(places, 0)
                    last = i64(len(places)) - 1
                    while last > at:
                        places[last] = places[last - 1]
                        last -= 1
                    places[at] = here + met
            side += 1
        self.places = places

    def _survey(self) -> None:
        """Renew what fits somewhere."""
        fits = self.tiles.fits
        forest = BIT[FOREST]
        front: i64 = 0
        back: i64 = 0
        uniform: i64 = 0
        wolf_fits = False
        for place in self.places:
            at = place_code(place) * 4
            front |= fits[at]
            back |= fits[at + 1]
            motifs = fits[at + 2]
            uniform |= motifs
            if motifs == forest and not wolf_fits:
                wolf_fits = not self.guarded(place)
        self.any_front = front
        self.any_back = back
        self.any_uniform = uniform
        self.wolf_fits = wolf_fits

    def guarded(self, place: i64) -> bool:
        """Whether a hunter stands in a forest that this place meets (GM-12)."""
        side: i64 = 0
        while side < 4:
            met = place_meets(place, side)
            if met >= FIRST_AREA and hunters_in(self.tally[self.root(met)]) != 0:
                return True
            side += 1
        return False

    def cover(self, wolf: i64, face: i64) -> i64:
        """Lay a hunter on a wolf (GM-13); how many tiles lie round it."""
        index: i64 = 0
        while laid_face(self.laid[index]) != (WOLVES + wolf) * 2 + 1:
            index += 1
        covered = self.laid[index]
        forest = self.root(laid_area(covered))
        self.tally[forest] += HUNTER - WOLF
        self.laid[index] += (face - laid_face(covered)) * 4
        self.wolves_out &= ~BIT[wolf]
        touched: i64 = 0
        for other in self.laid:
            away = laid_cell(other) - laid_cell(covered)
            if away in (1, -1, WIDTH, -WIDTH):
                touched += 1
        self._survey()
        return touched

    def herd_fits(self, special: i64) -> bool:
        return (self.any_uniform & BIT[self.tiles.side[(WOLVES + special) * 32]]) != 0

    def special_fits(self, special: i64) -> bool:
        """Whether a wolf finds an unguarded forest; a hunter a forest or a wolf (GM-12, GM-13)."""
        if special < 4:
            return self.wolf_fits
        return self.any_uniform & BIT[FOREST] != 0 or self.wolves_out != 0

    def pens(self) -> list[Pen]:
        """Every pen on the table, in the order in which it was begun."""
        tiles = self.tiles
        areas = i64(len(self.parent))
        colour = vec[i64]([-1] * areas)
        threatened = vec[i64]([0] * areas)
        for laid in self.laid:
            face = laid_face(laid)
            first = laid_area(laid)
            wolf = self.wolves_out != 0 and self.wolf_beside(face, first)
            area: i64 = 0
            while area < tiles.areas[face]:
                motif = tiles.area_motif[face * 4 + area]
                if motif != FOREST:
                    root = self.root(first + area)
                    colour[root] = motif - FIRST_COLOUR
                    if wolf:
                        threatened[root] = 1
                area += 1
        pens = []
        root = 0
        while root < areas:
            if colour[root] >= 0 and self.parent[root] == root:
                tally = self.tally[root]
                pens.append(Pen(colour[root], sheep_in(tally), open_sides_of(tally), threatened[root] != 0, root))
            root += 1
        return pens

    def wolf_beside(self, face: i64, first: i64) -> bool:
        """Whether a forest side of this laid face belongs to a forest with a wolf (GM-15)."""
        area: i64 = 0
        while area < self.tiles.areas[face]:
            if self.tiles.area_motif[face * 4 + area] == FOREST and wolves_in(self.tally[self.root(first + area)]) != 0:
                return True
            area += 1
        return False

    def counting(self) -> vec[i16]:
        """The pens that score, as `closed` lists them: closed (GM-17) and not beside a wolf (GM-18). What `pens` tells, but quicker."""
        closed = self.closed[:]
        if self.wolves_out == 0 or len(closed) == 0:
            return closed
        for laid in self.laid:
            face = laid_face(laid)
            first = laid_area(laid)
            if self.tiles.borders[face] != 0 and self.wolf_beside(face, first):
                area: i64 = 0
                while area < self.tiles.areas[face]:
                    closed = _without(closed, self.root(first + area))
                    area += 1
        return closed

    def largest(self) -> vec[i64]:
        """By colour: the sheep of the largest pen that counts."""
        largest = vec[i64]([0, 0, 0, 0])
        for pen in self.counting():
            largest[i64(pen) & 3] = max(largest[i64(pen) & 3], sheep_in(self.tally[i64(pen) >> 2]))
        return largest

    def numbers(self) -> list[int]:
        """What lies on the table, in reading order: cell x 1024 + face x 4 + turn."""
        numbers: list[int] = [int(laid & (AREA - 1)) for laid in self.laid]
        numbers.sort()
        return numbers

    # The laid tiles for pictures and words, in the order of laying.

    @property
    def laid_cell(self) -> list[int]:
        return [int(laid_cell(laid)) for laid in self.laid]

    @property
    def laid_face(self) -> list[int]:
        return [int(laid_face(laid)) for laid in self.laid]

    @property
    def laid_turn(self) -> list[int]:
        return [int(laid & 3) for laid in self.laid]

    @property
    def laid_area(self) -> list[int]:
        """The first of a tile's areas; the others follow."""
        return [int(laid_area(laid)) for laid in self.laid]

    def laid_herds(self) -> i64:
        """How many wolf tiles lie with their herd up."""
        count: i64 = 0
        for laid in self.laid:
            face = laid_face(laid)
            if face >= WOLVES * 2 and face < HUNTERS * 2 and face & 1 == 0:
                count += 1
        return count


def _without(pens: vec[i16], root: i64) -> vec[i16]:
    """These pens, as `closed` lists them, without that one."""
    index: i64 = 0
    while index < i64(len(pens)):
        if i64(pens[index]) >> 2 == root:
            return pop(pens, index)[0]
        index += 1
    return pens
