"""La Guerre des Moutons: the rules, from laying tiles by their matching sides to counting the sheep of closed pens.

The table is not bounded, so nothing is stored by coordinates alone. A position keeps the laid tiles, the *open places* (empty
places beside a laid tile, in reading order, each with the four sides it meets) and the *areas* of the laid faces, joined by
union-find as tiles are laid: a pen knows its sheep and its open sides, a forest its wolves and hunters; closed pens are listed.

What fits is looked up, not tried. The sides that a place meets form a code (three bits a side: nothing or one of six motifs), and the code
indexes a table of the tiles whose front, or back, fits there in some rotation, as a mask of bits. The union of those masks over
all open places is renewed when a tile is laid; a hand is a mask too, so what a player can lay is one AND. In which rotations a face fits
is one AND as well, of those in which its northern and eastern sides do and those in which the other two do.

Actions. A play is two small decisions, first what and then where, so that the bound stays small:
      0-135    lay this face: tile x 2 for its front, x 2 + 1 for its back. Tiles 0-59 are landscapes, 60-63 wolves, 64-67 hunters;
               the front of a wolf or hunter is its herd. Only faces that fit somewhere are offered, so the second half exists.
    136-139    reveal the own '?' tile of that colour
    140-142    pass, retire, done (no more wolves or hunters; no extra play; leave it at that)
    143-146    where: on top of that wolf
    147-730    where: 147 + 4 x (rank of the open place in reading order) + quarter turns clockwise
There are never more than 146 open places to choose from: the first tile has 4, every further tile takes one and opens at most
three, and at most 72 tiles lie when the last of 73 is laid: 4 + 2 x 71 = 146. Chance outcomes are tiles (0-67) and
colours (136-139). Between what and where, and between announced wolves and hunters, nobody can interrupt; as
nothing is drawn or seen there either, choosing wolves and hunters one by one is the same as announcing all of them first.
"""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import i16, i64, u8

from sheepfold.core.bits import BIT, first_bit, nth_bit, ones, powers, write_bits
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, pop, vec
from sheepfold.core.position import CHANCE, EVERYTHING, OVER, HiddenInformation, Position

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
"""The first of the four '?' faces; as an action: reveal."""
SQUARE: Final = 140
FACES: Final = 141
CODES: Final = 4096

PASS: Final = 140
RETIRE: Final = 141
DONE: Final = 142
ON_WOLF: Final = 143
PLACE: Final = 147
PLACES: Final = 146
ACTIONS: Final = 731

# Stages: what is to be decided.
DEAL: Final = 0
DRAW: Final = 1
TURN: Final = 2
CONTENT: Final = 3
"""The own turn, after laying a wolf or hunter: the player may leave it at that."""
LAY: Final = 4
LAY_SHEPHERD: Final = 5
LAY_EXTRA: Final = 6
LAY_SPECIAL: Final = 7
EXTRA: Final = 8
MORE: Final = 9
"""One more wolf or hunter of the same announcement, or done."""
END: Final = 10

# What follows when all draws are made.
NEXT_TURN: Final = 0
EXTRA_PLAY: Final = 1
GO_ON: Final = 2

HAND: Final = 4
REDRAWS: Final = 3
BONUS: Final = (6, 3, 1, 0)

WIDTH: Final = 149
MIDDLE: Final = 74 * 149 + 74
"""Cells are row x 149 + column, rows from north to south; the village square lies in the middle and nothing comes within one of the rim."""

PLY_BOUND: Final = 4 + 68 + 73 * 3 + 4 * 4 + 74 * ((REDRAWS + 1) * 4 + REDRAWS * 68)
"""Deals; draws; two decisions a tile and at most one 'done'; retiring after three passes; and before and after every tile four rounds of
passes and three redraws. A usual game has 250 events or fewer; only the redraws make the bound so large."""


def _steps() -> vec[i64]:
    return vec[i64]([-WIDTH, 1, WIDTH, -1])


STEP: Final = _steps()
EIGHT: Final = powers(8, 4)
SET_BITS: Final = vec[u8]([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4])

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
    """At [face * 4 + area]; area_sides: how many sides the area reaches."""
    area_sides: vec[i64]
    borders: vec[u8]
    """By face: 1 where a pen and a forest meet on it, so that a wolf can threaten the pen."""
    turns: vec[i64]
    """How many rotations of a face differ: 1, 2 or 4."""
    half_fits: vec[u8]
    """At [face * 128 + the code's bits for north and east]: the rotations that fit both, as four bits; south and west at 64 more."""
    fits: vec[i64]
    """At [code of a place * 4]: the landscapes whose front fits, as a mask; then those whose back does; then the motifs all round."""

    def __init__(self, faces: list[list[int]]) -> None:
        """`faces` are the sides of all 141 faces; an empty list where a small set has no such tile."""
        self.every_landscape = 0
        self.every_special = 0
        self.side = vec[i64]([0 for _ in range(FACES * 16)])
        self.area = vec[i64]([-1 for _ in range(FACES * 16)])
        self.areas = vec[i64]([0 for _ in range(FACES)])
        self.area_motif = vec[i64]([0 for _ in range(FACES * 4)])
        self.area_sides = vec[i64]([0 for _ in range(FACES * 4)])
        self.borders = vec[u8]([0 for _ in range(FACES)])
        self.turns = vec[i64]([4 for _ in range(FACES)])
        self.half_fits = vec[u8]([0 for _ in range(FACES * 128)])
        self.fits = vec[i64]([0] * (CODES * 4))
        self._motifs_all_round()
        face: i64 = 0
        while face < FACES:
            sides = faces[face]
            if sides:
                self._face(face, sides)
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

    def _face(self, face: i64, sides: list[int]) -> None:
        if face < SHEPHERDS:
            tile = face // 2
            if tile < LANDSCAPES:
                self.every_landscape |= BIT[tile]
            else:
                self.every_special |= BIT[tile - WOLVES]
        areas = areas_of(sides)
        at: i64 = 0
        while at < 4:
            area: i64 = areas[at]
            if area >= 0:
                self.areas[face] = max(self.areas[face], area + 1)
                self.area_motif[face * 4 + area] = sides[at]
                self.area_sides[face * 4 + area] += 1
            at += 1
        if FOREST in sides and max(sides) >= FIRST_COLOUR:
            self.borders[face] = 1
        if sides[0] == sides[2] and sides[1] == sides[3]:
            self.turns[face] = 1 if sides[0] == sides[1] else 2
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


class Passed:
    """What everybody knows of a hand because its owner passed: nothing in it fitted (GM-5). Never changed, only replaced.

    The tiles that were in hand at a pass can be none of those that fitted then; tiles drawn later can. So a hand has eras: `barred` are the
    masks of excluded landscapes and wolf or hunter tiles by era, oldest first, each within the one before; tiles drawn since the last pass
    are free. When such a player lays a tile, it may have come from several eras. Each of `cases` says how many tiles of each era are
    left, and `ways` in how many ways the hand's slots can have come to it; together with how many fillings a case has
    (`GuerreDesMoutons.determinize` counts them) that is exactly how likely it is.

    All that is only worked out when somebody asks: most positions are played on and nobody does. Until then a pass, or a tile that was laid
    since, is remembered as what happened to what was known `before`.
    """

    before: Passed | None
    held: i64
    tile: i64
    """The tile that was laid, one of `held`, or NO_TILE: the hand passed while these landscapes and specials fitted."""
    landscapes: i64
    specials: i64
    worked_out: Eras | None

    def __init__(self, before: Passed | None, held: i64, tile: i64, landscapes: i64, specials: i64) -> None:
        self.before = before
        self.held = held
        self.tile = tile
        self.landscapes = landscapes
        self.specials = specials
        self.worked_out = None

    def eras(self) -> Eras:
        waiting: list[Passed] = []
        at: Passed | None = self
        eras: Eras | None = None
        while at is not None:
            eras = at.worked_out
            if eras is not None:
                break
            waiting.append(at)
            at = at.before
        if eras is None:
            eras = Eras([], [()], [1])
        while waiting:
            at = waiting.pop()
            if at.tile == NO_TILE:
                eras = eras.after_pass(int(at.held), int(at.landscapes), int(at.specials))
            else:
                eras = eras.after_laying(int(at.held), int(at.tile))
            at.worked_out = eras
            at.before = None
        return eras

    @property
    def barred(self) -> list[tuple[int, int]]:
        return self.eras().barred

    @property
    def cases(self) -> list[tuple[int, ...]]:
        return self.eras().cases

    @property
    def ways(self) -> list[int]:
        return self.eras().ways

    def numbers(self) -> list[int]:
        """For keys."""
        eras = self.eras()
        numbers = [len(eras.barred)]
        if eras.barred:
            for landscapes, specials in eras.barred:
                numbers += [landscapes, specials]
            for case, ways in zip(eras.cases, eras.ways, strict=True):
                numbers += [*case, ways]
        return numbers


class Eras:
    """See `Passed`; without any era nothing is known."""

    barred: list[tuple[int, int]]
    cases: list[tuple[int, ...]]
    ways: list[int]

    def __init__(self, barred: list[tuple[int, int]], cases: list[tuple[int, ...]], ways: list[int]) -> None:
        self.barred = barred
        self.cases = cases
        self.ways = ways

    def after_pass(self, held: int, landscapes: int, specials: int) -> Eras:
        """What is known when a hand of so many tiles has passed while these tiles would have fitted."""
        barred = [(old | landscapes, olds | specials) for old, olds in self.barred]
        found: dict[tuple[int, ...], int] = {}
        for case, ways in zip(self.cases, self.ways, strict=True):
            found[(*case, held - sum(case))] = ways
        return _tidied([*barred, (landscapes, specials)], found)

    def after_laying(self, held: int, tile: int) -> Eras:
        """What is known when a hand of so many tiles, this one included, has laid the tile."""
        found: dict[tuple[int, ...], int] = {}
        bit = 1 << (tile if tile < LANDSCAPES else tile - WOLVES)
        for case, ways in zip(self.cases, self.ways, strict=True):
            free = held - sum(case)
            if free > 0:
                found[case] = found.get(case, 0) + ways * free
            for era, left in enumerate(case):
                masks = self.barred[era]
                if left > 0 and not (masks[0] if tile < LANDSCAPES else masks[1]) & bit:
                    fewer = (*case[:era], left - 1, *case[era + 1 :])
                    found[fewer] = found.get(fewer, 0) + ways * left
        return _tidied(self.barred, found)


def _tidied(barred: list[tuple[int, int]], found: dict[tuple[int, ...], int]) -> Eras:
    """Cases in order, without eras that are used up or bar the same tiles as the era before."""
    kept: list[tuple[int, int]] = []
    joined: list[list[int]] = []
    for era, masks in enumerate(barred):
        if all(case[era] == 0 for case in found):
            continue
        if kept and kept[-1] == masks:
            joined[-1].append(era)
        else:
            kept.append(masks)
            joined.append([era])
    merged: dict[tuple[int, ...], int] = {}
    for case, ways in found.items():
        shorter = tuple([sum([case[era] for era in eras]) for eras in joined])
        merged[shorter] = merged.get(shorter, 0) + ways
    divisor = math.gcd(*merged.values())
    cases = sorted(merged)
    return Eras(kept, cases, [merged[case] // divisor for case in cases])


def after_pass(known: Passed | None, held: i64, landscapes: i64, specials: i64) -> Passed:
    """What is known when a hand of so many tiles has passed while these tiles would have fitted."""
    return Passed(known, held, NO_TILE, landscapes, specials)


def after_laying(known: Passed, held: i64, tile: i64) -> Passed:
    """What is known when a hand of so many tiles, this one included, has laid the tile."""
    return Passed(known, held, tile, 0, 0)


def is_wolf(face: i64) -> bool:
    """Whether the face is that of a wolf, not its herd."""
    return face >= WOLVES * 2 and face < HUNTERS * 2 and face & 1 != 0


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


class GuerreDesMoutons(Position):
    """A game of La Guerre des Moutons; see the module."""

    tiles: Tiles
    two_colours: bool
    last_gets_no_bonus: bool

    stage: i64
    turn: i64
    """Whose turn it is, also while somebody else interrupts."""
    actor: i64
    """Who lays or draws now."""
    chosen: i64
    """The face to be laid, in the LAY stages; else -1. It has left the hand and counts as laid: everybody has seen it."""
    resume: i64
    """The stage (TURN or CONTENT) that goes on after an interruption, a reveal or wolves and hunters."""
    after: i64
    passes: i64
    """Passes in a row."""
    redraws: i64
    """Redraws of all hands since a tile was last laid (GM-7)."""
    finished: i64
    """How many have retired or run out of tiles."""
    in_bag: i64
    dealt: i64
    """How many '?' tiles have been dealt."""

    finish: vec[u8]
    """By seat: 0, or which one it was to leave the game."""
    held: vec[u8]
    """By seat: how many tiles the hand has; of a player who has left, how many left the game with them."""
    owed: vec[u8]
    """By seat: how many tiles are still to be drawn."""
    colours: vec[u8]
    """By seat: the colours of the '?' tiles as a mask; in a view those that the viewer knows."""
    shown: vec[u8]
    """By seat: the colours that have been revealed."""
    hand: vec[i64]
    """By seat: the landscapes in hand as a mask; in a view nothing for the others. specials: wolves and hunters likewise."""
    specials: vec[i64]
    known: list[Passed | None]

    laid_landscapes: i64
    laid_specials: i64
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

    def __init__(
        self, tiles: Tiles, seats: i64, two_colours: bool = False, last_gets_no_bonus: bool = False, of: GuerreDesMoutons | None = None
    ) -> None:
        super().__init__(seats, ACTIONS, PLY_BOUND, True)
        self.tiles = tiles
        self.two_colours = two_colours
        self.last_gets_no_bonus = last_gets_no_bonus
        if of is None:
            self._set_up()
        else:
            self._be_like(of)

    def _set_up(self) -> None:
        self.stage = DEAL
        self.to_act = CHANCE
        self.turn = 0
        self.actor = 0
        self.chosen = -1
        self.resume = TURN
        self.after = GO_ON
        self.passes = 0
        self.redraws = 0
        self.finished = 0
        self.in_bag = ones(self.tiles.every_landscape) + ones(self.tiles.every_special)
        self.dealt = 0
        nothing = [0 for _ in range(self.seats)]
        self.finish = vec[u8](nothing)
        self.held = vec[u8](nothing)
        self.owed = vec[u8](nothing)
        self.colours = vec[u8](nothing)
        self.shown = vec[u8](nothing)
        self.hand = vec[i64](nothing)
        self.specials = vec[i64](nothing)
        self.known = [None for _ in range(self.seats)]
        self.laid_landscapes = 0
        self.laid_specials = 0
        self.laid = vec[i64]()
        self.parent = vec[i16]([NOTHING, A_VILLAGE])
        self.tally = vec[i64]([0, 0])
        self.closed = vec[i16]()
        self.places = vec[i64]([MIDDLE * CELL])
        self.wolves_out = 0
        self.put(0, SQUARE, 0)

    def _be_like(self, of: GuerreDesMoutons) -> None:
        self.to_act = of.to_act
        self.viewer = of.viewer
        self.stage = of.stage
        self.turn = of.turn
        self.actor = of.actor
        self.chosen = of.chosen
        self.resume = of.resume
        self.after = of.after
        self.passes = of.passes
        self.redraws = of.redraws
        self.finished = of.finished
        self.in_bag = of.in_bag
        self.dealt = of.dealt
        self.finish = of.finish[:]
        self.held = of.held[:]
        self.owed = of.owed[:]
        self.colours = of.colours[:]
        self.shown = of.shown[:]
        self.hand = of.hand[:]
        self.specials = of.specials[:]
        self.known = of.known[:]
        self.laid_landscapes = of.laid_landscapes
        self.laid_specials = of.laid_specials
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

    def copy(self) -> GuerreDesMoutons:
        return GuerreDesMoutons(self.tiles, self.seats, self.two_colours, self.last_gets_no_bonus, self)

    # The table: laying a tile.

    def root(self, area: i64) -> i64:
        """The area that stands for the whole pen or forest."""
        while self.parent[area] != area:
            above = i64(self.parent[area])
            self.parent[area] = self.parent[above]
            area = above
        return area

    def _join(self, one: i64, other: i64, open_sides: i64) -> None:
        """Two areas meet and are one from now on, with so many open sides less. The older one stands for both: `_note_places` needs it."""
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
                tally = self.tiles.area_sides[face * 4 + area] * (1 + OPEN_SIDE)
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
                wolf_fits = not self._guarded(place)
        self.any_front = front
        self.any_back = back
        self.any_uniform = uniform
        self.wolf_fits = wolf_fits

    def _guarded(self, place: i64) -> bool:
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

    # What may happen.

    def _must_know(self, seat: i64) -> None:
        if self.viewer != EVERYTHING and self.viewer != seat:
            raise HiddenInformation("what another player can do depends on a hidden hand; ask the view of that seat")

    def _landscapes(self, seat: i64, actions: vec[i64]) -> vec[i64]:
        """The landscape faces in hand that fit somewhere, herds included (GM-4, GM-16)."""
        hand = self.hand[seat]
        left = hand & (self.any_front | self.any_back)
        while left:
            tile = first_bit(left)
            if self.any_front & BIT[tile]:
                actions = append(actions, tile * 2)
            if self.any_back & BIT[tile]:
                actions = append(actions, tile * 2 + 1)
            left &= left - 1
        return actions

    def _herd_fits(self, special: i64) -> bool:
        return (self.any_uniform & BIT[self.tiles.side[(WOLVES + special) * 32]]) != 0

    def _special_fits(self, special: i64) -> bool:
        """Whether a wolf finds an unguarded forest; a hunter a forest or a wolf (GM-12, GM-13)."""
        if special < 4:
            return self.wolf_fits
        return self.any_uniform & BIT[FOREST] != 0 or self.wolves_out != 0

    def _wolves_and_hunters(self, seat: i64, herds: bool, faces: bool, actions: vec[i64]) -> vec[i64]:
        left = self.specials[seat]
        while left:
            special = first_bit(left)
            if herds and self._herd_fits(special):
                actions = append(actions, (WOLVES + special) * 2)
            if faces and self._special_fits(special):
                actions = append(actions, (WOLVES + special) * 2 + 1)
            left &= left - 1
        return actions

    def _reveals(self, seat: i64, actions: vec[i64]) -> vec[i64]:
        left = i64(self.colours[seat]) & ~i64(self.shown[seat])
        colour: i64 = 0
        while colour < COLOURS:
            if left & BIT[colour] and self.any_uniform & BIT[FIRST_COLOUR + colour]:
                actions = append(actions, SHEPHERDS + colour)
            colour += 1
        return actions

    def can_lay_landscape(self, seat: i64) -> bool:
        """Whether a landscape in that hand fits somewhere: then passing is not allowed (GM-5)."""
        if self.hand[seat] & (self.any_front | self.any_back):
            return True
        left = self.specials[seat]
        while left:
            if self._herd_fits(first_bit(left)):
                return True
            left &= left - 1
        return False

    def _where(self, face: i64) -> vec[i64]:
        """Every place and rotation for a face."""
        tiles = self.tiles
        actions = vec[i64](capacity=32)
        if face >= HUNTERS * 2 and face < SHEPHERDS and face & 1:
            left = self.wolves_out
            while left:
                actions = append(actions, ON_WOLF + first_bit(left))
                left &= left - 1
        wolf = is_wolf(face)
        half_fits = tiles.half_fits
        action: i64 = PLACE
        for place in self.places:
            code = place_code(place)
            turns = i64(half_fits[face * 128 + (code & 63)] & half_fits[face * 128 + 64 + (code >> 6)])  # `rotations`, too slow a call here
            if turns != 0 and not (wolf and self._guarded(place)):
                turn: i64 = 0
                while turns != 0:
                    if turns & 1 != 0:
                        actions = append(actions, action + turn)
                    turns >>= 1
                    turn += 1
            action += 4
        return actions

    def _anywhere(self, face: i64, dice: Dice) -> i64:
        """One of `_where`, each equally likely, for a face that needs only to fit: counted, not listed."""
        half_fits = self.tiles.half_fits
        count: i64 = 0
        for place in self.places:
            code = place_code(place)
            turns = i64(half_fits[face * 128 + (code & 63)] & half_fits[face * 128 + 64 + (code >> 6)])
            count += i64(SET_BITS[turns])
        drawn = dice.below(count)
        action: i64 = PLACE
        for place in self.places:
            code = place_code(place)
            turns = i64(half_fits[face * 128 + (code & 63)] & half_fits[face * 128 + 64 + (code >> 6)])
            if drawn < i64(SET_BITS[turns]):
                return action + nth_bit(turns, drawn)
            drawn -= i64(SET_BITS[turns])
            action += 4
        raise ValueError("a face that fits nowhere was taken up")

    def bag(self) -> tuple[i64, i64]:
        """The bag as masks; in a view everything unseen."""
        landscapes = self.tiles.every_landscape & ~self.laid_landscapes
        specials = self.tiles.every_special & ~self.laid_specials
        seat: i64 = 0
        while seat < self.seats:
            landscapes &= ~self.hand[seat]
            specials &= ~self.specials[seat]
            seat += 1
        return landscapes, specials

    def _undealt(self) -> i64:
        colours: i64 = 15
        seat: i64 = 0
        while seat < self.seats:
            colours &= ~i64(self.colours[seat])
            seat += 1
        return colours

    def _chances(self) -> vec[i64]:
        if self.viewer != EVERYTHING:
            raise HiddenInformation("what can be drawn depends on hidden hands; determinize() first")
        actions = vec[i64]()
        if self.stage == DEAL:
            colours = self._undealt()
            while colours:
                actions = append(actions, SHEPHERDS + first_bit(colours))
                colours &= colours - 1
            return actions
        landscapes, specials = self.bag()
        while landscapes:
            actions = append(actions, first_bit(landscapes))
            landscapes &= landscapes - 1
        while specials:
            actions = append(actions, WOLVES + first_bit(specials))
            specials &= specials - 1
        return actions

    def packed_legal(self) -> vec[i64]:
        """`legal()` as a vector; ascending."""
        stage = self.stage
        if stage == END:
            return vec[i64]()
        if stage <= DRAW:
            return self._chances()
        if stage >= LAY and stage <= LAY_SPECIAL:
            return self._where(self.chosen)
        seat = self.to_act
        self._must_know(seat)
        actions = vec[i64](capacity=16)
        if stage != MORE:
            actions = self._landscapes(seat, actions)
        actions = self._wolves_and_hunters(seat, stage != MORE, True, actions)
        if stage in (TURN, CONTENT):
            actions = self._reveals(seat, actions)
            if stage == TURN and not self.can_lay_landscape(seat):
                actions = append(actions, PASS)
            actions = append(actions, RETIRE)
        if stage != TURN:
            actions = append(actions, DONE)
        return actions

    def weights(self) -> list[int]:
        return [1 for _ in self._chances()]

    def allows(self, action: i64) -> bool:
        stage = self.stage
        if stage >= LAY and stage <= LAY_SPECIAL and action >= PLACE:
            rank = (action - PLACE) // 4
            if rank >= i64(len(self.places)):
                return False
            place = self.places[rank]
            turns = self.tiles.rotations(self.chosen, place_code(place))
            return turns >> ((action - PLACE) & 3) & 1 != 0 and not (is_wolf(self.chosen) and self._guarded(place))
        return action in self.legal()

    def random_action(self, dice: Dice) -> i64:
        """Uniform, but for retiring: one in 32 where something can be laid, one in four where not."""
        if self.stage == DRAW and self.viewer == EVERYTHING:
            landscapes, specials = self.bag()
            rank = dice.below(self.in_bag)
            many = self.in_bag - ones(specials)
            return nth_bit(landscapes, rank) if rank < many else WOLVES + nth_bit(specials, rank - many)
        if self.stage >= LAY and self.stage <= LAY_SPECIAL and (self.chosen < WOLVES * 2 or self.chosen >= SHEPHERDS):
            return self._anywhere(self.chosen, dice)
        actions = self.packed_legal()
        count = i64(len(actions))
        if self.stage == TURN or self.stage == CONTENT:
            last: i64 = count - 1 if self.stage == TURN else count - 2  # where RETIRE stands
            if dice.below(4 if count == 2 and self.stage == TURN and actions[0] == PASS else 32) == 0:
                return RETIRE
            drawn = dice.below(count - 1)
            return actions[drawn] if drawn < last else actions[drawn + 1]
        return actions[dice.below(count)]

    # Going on.

    def advance(self, action: i64) -> None:
        stage = self.stage
        if stage == DRAW:
            self._draw(action)
        elif stage >= LAY and stage <= LAY_SPECIAL:
            self._lay(action)
        elif stage in (TURN, CONTENT):
            self._play(action)
        elif stage == MORE:
            if action == DONE:
                self._draw_all(GO_ON)
            else:
                self._choose(self.actor, action, LAY_SPECIAL)
        elif stage == EXTRA:
            if action == DONE:
                self._go_on()
            else:
                self._choose(self.actor, action, LAY_EXTRA)
        else:
            self._deal(action)

    def _deal(self, action: i64) -> None:
        """A '?' tile for the next seat (GM-2); with two colours two rounds of them (GM-23). Then everybody draws a hand."""
        self.colours[self.actor] = self.colours[self.actor] | u8(BIT[action - SHEPHERDS])
        self.dealt += 1
        self.actor = self.dealt % self.seats
        if self.dealt == self.seats * (2 if self.two_colours else 1):
            seat: i64 = 0
            while seat < self.seats:
                self.owed[seat] = HAND
                seat += 1
            self.stage = DRAW

    def _play(self, action: i64) -> None:
        """The own turn (GM-4 to GM-6), or what can be done at any moment."""
        if action < SHEPHERDS and not (action >= WOLVES * 2 and action & 1):
            self._choose(self.turn, action, LAY)
        elif action < PASS:
            self._begin(self.turn, action)
        elif action == PASS:
            self._pass()
        elif action == RETIRE:
            self._retire()
        else:
            self._next_turn()

    def _begin(self, seat: i64, action: i64) -> None:
        """A reveal, or the first wolf or hunter of an announcement (GM-8, GM-9)."""
        self.resume = self.stage
        if action >= SHEPHERDS:
            self._choose(seat, action, LAY_SHEPHERD)
        else:
            if seat == self.turn:
                self.resume = CONTENT
            self._choose(seat, action, LAY_SPECIAL)

    def _choose(self, seat: i64, face: i64, stage: i64) -> None:
        """The first half of a play: a tile is taken up for all to see."""
        self.actor = seat
        self.to_act = seat
        self.chosen = face
        self.stage = stage
        if face < SHEPHERDS:
            self._leave_hand(seat, face // 2)
        else:
            self.shown[seat] = self.shown[seat] | u8(BIT[face - SHEPHERDS])
            self.colours[seat] = self.colours[seat] | self.shown[seat]

    def _lay(self, action: i64) -> None:
        """The second half: it is put on the table."""
        face = self.chosen
        seat = self.actor
        touched: i64
        if action >= PLACE:
            touched = self.put((action - PLACE) // 4, face, (action - PLACE) & 3)
        else:
            touched = self.cover(action - ON_WOLF, face)
        self.chosen = -1
        self.passes = 0
        self.redraws = 0
        self.owed[seat] += u8(touched)
        if self.stage == LAY:
            self._draw_all(NEXT_TURN)
        elif self.stage == LAY_SHEPHERD:
            self._draw_all(EXTRA_PLAY)
        elif self.stage == LAY_SPECIAL and self.held[seat] and self._specials_thinkable():
            self.stage = MORE
        else:
            self._draw_all(GO_ON)

    def _leave_hand(self, seat: i64, tile: i64) -> None:
        known = self.known[seat]
        if known is not None:
            self.known[seat] = after_laying(known, i64(self.held[seat]), tile)
        if tile < LANDSCAPES:
            self.laid_landscapes |= BIT[tile]
            self.hand[seat] &= ~BIT[tile]
        else:
            self.laid_specials |= BIT[tile - WOLVES]
            self.specials[seat] &= ~BIT[tile - WOLVES]
        self.held[seat] -= 1

    def _draw_all(self, after: i64) -> None:
        """Draw what is owed, as far as the bag goes (GM-4), then go on."""
        self.after = after
        if i64(self.owed[self.actor]) > self.in_bag:
            self.owed[self.actor] = u8(self.in_bag)
        if self.owed[self.actor]:
            self.stage = DRAW
            self.to_act = CHANCE
        else:
            self._drawn()

    def _draw(self, tile: i64) -> None:
        seat = self.actor
        if tile < LANDSCAPES:
            self.hand[seat] |= BIT[tile]
        else:
            self.specials[seat] |= BIT[tile - WOLVES]
        self.held[seat] += 1
        self.in_bag -= 1
        self.owed[seat] -= 1
        step: i64 = 0
        while step < self.seats:
            self.actor = (seat + step) % self.seats
            if self.owed[self.actor]:
                return
            step += 1
        self.actor = seat
        self._drawn()

    def _drawn(self) -> None:
        """All draws are made: what follows?"""
        seat = self.actor
        if self.held[seat] == 0 and self.finish[seat] == 0:
            self._finish(seat)
        if self.after == EXTRA_PLAY and self.finish[seat] == 0:
            self.stage = EXTRA
            self.to_act = seat
        elif self.after == NEXT_TURN:
            self._next_turn()
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Back to the turn that was interrupted, if its player is still in the game."""
        if self.finish[self.turn]:
            self._next_turn()
        else:
            self.actor = self.turn
            self.to_act = self.turn
            self.stage = self.resume

    def _finish(self, seat: i64) -> None:
        self.finished += 1
        self.finish[seat] = u8(self.finished)

    def _next_turn(self) -> None:
        if self.finished == self.seats:
            self._end()
            return
        self.turn = (self.turn + 1) % self.seats
        while self.finish[self.turn]:
            self.turn = (self.turn + 1) % self.seats
        self.actor = self.turn
        self.to_act = self.turn
        self.stage = TURN
        self.resume = TURN

    def _end(self) -> None:
        self.stage = END
        self.to_act = OVER

    def _pass(self) -> None:
        """Nothing fits (GM-5), which tells everybody something about the hand. If all who are left have passed in a row: redraw (GM-7), or
        end (GM-21)."""
        seat = self.turn
        specials: i64 = 0
        special: i64 = 0
        while special < 8:
            if self._herd_fits(special):
                specials |= BIT[special]
            special += 1
        self.known[seat] = after_pass(self.known[seat], i64(self.held[seat]), self.any_front | self.any_back, specials)
        self.passes += 1
        if self.passes < self.seats - self.finished:
            self._next_turn()
        elif self.in_bag == 0 or self.redraws == REDRAWS:
            self._end()
        else:
            self._redraw()

    def _retire(self) -> None:
        """That is no pass and breaks their row: who has passed may rather retire too, for what the next to finish gets (GM-21)."""
        self._finish(self.turn)
        self.passes = 0
        self._next_turn()

    def _redraw(self) -> None:
        """Every hand goes back, also those of retired players, so that nothing is known of any hidden tile; who is left draws as many."""
        self.redraws += 1
        self.passes = 0
        self._next_turn()
        seat: i64 = 0
        while seat < self.seats:
            self.owed[seat] = 0 if self.finish[seat] else self.held[seat]
            self.in_bag += i64(self.held[seat])
            self.held[seat] = 0
            self.hand[seat] = 0
            self.specials[seat] = 0
            self.known[seat] = None
            seat += 1
        self.after = GO_ON
        self.stage = DRAW
        self.to_act = CHANCE

    # Out of turn (GM-8 to GM-10).

    def _specials_thinkable(self) -> bool:
        """Whether a wolf or hunter that has not been laid could be laid now, whoever has it: public knowledge."""
        left = self.tiles.every_special & ~self.laid_specials
        return (left & WOLF_BITS != 0 and self._special_fits(0)) or (left & HUNTER_BITS != 0 and self._special_fits(4))

    def may_interrupt(self, seat: i64) -> bool:
        if (self.stage != TURN and self.stage != CONTENT) or seat == self.turn or self.finish[seat]:
            return False
        if self.held[seat] and self._specials_thinkable():
            return True
        return ones(i64(self.shown[seat])) < (2 if self.two_colours else 1) and self._reveals_thinkable()

    def _reveals_thinkable(self) -> bool:
        """Whether a colour that nobody has revealed has a place."""
        shown: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            shown |= i64(self.shown[seat])
            seat += 1
        return self.any_uniform // 4 & ~shown != 0

    def interruptions(self, seat: i64) -> list[int]:
        if not self.may_interrupt(seat):
            return []
        self._must_know(seat)
        actions = self._wolves_and_hunters(seat, False, True, vec[i64]())
        return [int(action) for action in self._reveals(seat, actions)]

    def cut_in(self, seat: i64, action: i64) -> None:
        self._begin(seat, action)

    # Results (GM-15, GM-17 to GM-23).

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

    def bonus(self, seat: i64) -> i64:
        """Points for the order of leaving the game (GM-19)."""
        place = i64(self.finish[seat])
        if place == 0 or (self.last_gets_no_bonus and place == self.seats):
            return 0
        return BONUS[place - 1]

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

    def _largest(self) -> vec[i64]:
        """By colour: the sheep of the largest pen that counts."""
        largest = vec[i64]([0, 0, 0, 0])
        for pen in self.counting():
            largest[i64(pen) & 3] = max(largest[i64(pen) & 3], sheep_in(self.tally[i64(pen) >> 2]))
        return largest

    def results(self) -> list[list[int]]:
        """By seat: the points, then the sheep of the other pens that count, largest first, to break ties (GM-22)."""
        sizes: list[list[int]] = [[] for _ in range(COLOURS)]
        for pen in self.counting():
            sizes[i64(pen) & 3].append(int(sheep_in(self.tally[i64(pen) >> 2])))
        results = []
        seat: i64 = 0
        while seat < self.seats:
            points = int(self.bonus(seat))
            others: list[int] = []
            colour: i64 = 0
            while colour < COLOURS:
                if i64(self.colours[seat]) & BIT[colour] and sizes[colour]:
                    mine = sorted(sizes[colour], reverse=True)
                    points += mine[0]
                    others += mine[1:]
                colour += 1
            others.sort(reverse=True)
            results.append([points, *others])
            seat += 1
        return results

    def scores(self) -> list[int]:
        """Points by seat as the table stands; in a view, unknown colours count nothing."""
        return [result[0] for result in self.results()]

    def ranks(self) -> list[int]:
        results = self.results()
        return [1 + sum([1 for other in results if other > mine]) for mine in results]

    # Knowledge (GM-30).

    def seen_by(self, viewer: i64) -> GuerreDesMoutons:
        view = self.copy()
        view.viewer = viewer
        if viewer == EVERYTHING:
            return view
        seat: i64 = 0
        while seat < self.seats:
            if seat != viewer:
                view.hand[seat] = 0
                view.specials[seat] = 0
                if self.to_act != OVER:
                    view.colours[seat] = view.shown[seat]
            seat += 1
        return view

    def sees(self, viewer: i64, action: i64) -> bool:
        return self.to_act != CHANCE or viewer == EVERYTHING or viewer == self.actor

    def determinize(self, dice: Dice) -> GuerreDesMoutons:
        whole = self.copy()
        if self.viewer == EVERYTHING:
            return whole
        whole.viewer = EVERYTHING
        self._guess_colours(whole, dice)
        landscapes, specials = self.bag()
        slots = self._guess_passed(whole, landscapes, specials, dice)
        landscapes, specials = whole.bag()
        unseen = vec[i64]()
        while landscapes:
            unseen = append(unseen, first_bit(landscapes))
            landscapes &= landscapes - 1
        while specials:
            unseen = append(unseen, WOLVES + first_bit(specials))
            specials &= specials - 1
        left = i64(len(unseen))
        seat: i64 = 0
        while seat < self.seats:
            free: i64 = 0 if seat == self.viewer else i64(self.held[seat]) - slots[seat]
            while free > 0:
                drawn = dice.below(left)
                whole._take(seat, unseen[drawn])
                left -= 1
                unseen[drawn] = unseen[left]
                free -= 1
            seat += 1
        return whole

    def _take(self, seat: i64, tile: i64) -> None:
        if tile < LANDSCAPES:
            self.hand[seat] |= BIT[tile]
        else:
            self.specials[seat] |= BIT[tile - WOLVES]

    def _guess_colours(self, whole: GuerreDesMoutons, dice: Dice) -> None:
        if self.stage == END:
            return
        seat: i64 = 0
        while seat < self.seats:
            dealt = self.dealt // self.seats + (1 if seat < self.dealt % self.seats else 0)
            while ones(i64(whole.colours[seat])) < dealt:
                free = whole._undealt()
                whole.colours[seat] = whole.colours[seat] | u8(BIT[nth_bit(free, dice.below(ones(free)))])
            seat += 1

    def _guess_passed(self, whole: GuerreDesMoutons, landscapes: i64, specials: i64, dice: Dice) -> vec[i64]:
        """Fill the slots of which passing tells something; how many those are by seat.

        Slots are filled from the most to the least restricted, each from what is allowed and left. `most` bounds that number (earlier slots
        whose tiles are all allowed here too have certainly taken one each), and a filling is kept with a probability of the product of
        left / most: so every filling of every case comes out equally often, times its ways.
        """
        slots = vec[i64]([0 for _ in range(self.seats)])
        plans = self._plans(int(landscapes), int(specials))
        if not plans:
            return slots
        while True:
            plan = plans[_drawn_by_weight([each.weight for each in plans], dice)]
            filled = plan.fill(dice)
            if filled is not None:
                break
        for seat, tile in zip(plan.seats, filled, strict=True):
            whole._take(seat, tile)
            slots[seat] += 1
        return slots

    def _plans(self, landscapes: int, specials: int) -> list[HandPlan]:
        """One plan for each combination of the seats' cases; none where nobody's pass is remembered."""
        unseen = int(ones(landscapes) + ones(specials))
        combinations: list[tuple[float, list[tuple[int, int, int, int]]]] = [(0.0, [])]
        seat: i64 = 0
        while seat < self.seats:
            known = self.known[seat]
            if known is not None and seat != self.viewer:
                longer: list[tuple[float, list[tuple[int, int, int, int]]]] = []
                for weight, groups in combinations:
                    for case, ways in zip(known.cases, known.ways, strict=True):
                        more = [
                            (int(seat), landscapes & ~masks[0], specials & ~masks[1], count)
                            for masks, count in zip(known.barred, case, strict=True)
                            if count > 0
                        ]
                        longer.append((weight + math.log(ways), groups + more))
                combinations = longer
            seat += 1
        if len(combinations) == 1 and not combinations[0][1]:
            return []
        return [HandPlan(weight, groups, unseen) for weight, groups in combinations]

    # Comparison.

    def key(self) -> tuple[int, ...]:
        after: i64 = self.after if self.stage == DRAW else -1
        resume: i64 = -1 if self.stage in (TURN, CONTENT, END) else self.resume
        numbers: list[int] = [self.viewer, self.stage, self.to_act, self.turn, self.actor, self.chosen, resume, after]
        numbers += [self.passes, self.redraws, self.in_bag, self.dealt, self.laid_specials]
        seat: i64 = 0
        while seat < self.seats:
            numbers += [int(self.finish[seat]), int(self.held[seat]), int(self.owed[seat]), int(self.colours[seat]), int(self.shown[seat])]
            numbers += [self.hand[seat], self.specials[seat]]
            known = self.known[seat]
            numbers += [0] if known is None else known.numbers()
            seat += 1
        return (*numbers, *self.landscape())

    def landscape(self) -> list[int]:
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

    def census(self) -> tuple[int, ...]:
        """Landscapes, wolves and hunters; tiles by the public counts of bag, hands and table; what lies there beyond them (the square)."""
        landscapes, specials = self.bag()
        places: i64 = self.in_bag + ones(self.laid_landscapes) + ones(self.laid_specials)
        shown: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            landscapes += self.hand[seat]
            specials += self.specials[seat]
            places += i64(self.held[seat])
            shown += i64(self.shown[seat])
            seat += 1
        landscapes += self.laid_landscapes
        specials += self.laid_specials
        covered = ones(self.laid_specials & 15) - ones(self.wolves_out) - self._laid_herds()
        if self.chosen >= WOLVES * 2 and self.chosen < HUNTERS * 2:
            covered -= 1
        taken_up: i64 = 1 if self.chosen >= 0 else 0
        on_table = i64(len(self.laid)) + taken_up + covered - ones(shown) - ones(self.laid_landscapes) - ones(self.laid_specials)
        return (ones(landscapes), ones(specials & 15), ones(specials // 16), places, on_table)

    def _laid_herds(self) -> i64:
        """How many wolf tiles lie with their herd up."""
        count: i64 = 0
        for laid in self.laid:
            face = laid_face(laid)
            if face >= WOLVES * 2 and face < HUNTERS * 2 and face & 1 == 0:
                count += 1
        return count

    def layout(self) -> list[tuple[str, int, int]]:
        seats = int(self.seats)
        return [
            ("seat whose turn it is; seats count from the viewer's", seats, 1),
            ("seat that lays or draws", seats, 1),
            ("colours revealed by seat", seats * COLOURS, 1),
            ("the viewer's own colours", COLOURS, 1),
            ("landscapes in the viewer's hand", LANDSCAPES, 1),
            ("wolves and hunters in it", 8, 1),
            ("landscapes that were laid", LANDSCAPES, 1),
            ("wolves and hunters that were laid", 8, 1),
            ("stage", END + 1, 1),
            ("a wolf or hunter was laid in this turn", 1, 1),
            ("wolves that no hunter covers", 4, 1),
            ("face to be laid: its motif (village, forest, four colours) by side", 4 * 6, 1),
            ("face to be laid: a wolf, a hunter", 2, 1),
            ("tiles in hand by seat", seats, 16),
            ("place in the order of leaving by seat", seats, 4),
            ("points by seat, as the viewer knows them", seats, 32),
            ("tiles in the bag", 1, TILES),
            ("passes in a row", 1, 4),
            ("redraws since a tile was laid", 1, REDRAWS),
            ("open places by rank: their rows, the village square's being 1", PLACES, WIDTH // 2),
            ("their columns", PLACES, WIDTH // 2),
            ("for each place and side the motif it meets (1 village, 2 forest, then colours)", PLACES * 4, 6),
            ("the sheep of that pen, or the wolves of that forest", PLACES * 4, 16),
            ("the open sides of that pen, or the hunters of that forest", PLACES * 4, 16),
        ]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        seats = self.seats
        me: i64 = viewer if viewer >= 0 else max(self.to_act, 0)
        counts = at + seats * (2 + COLOURS) + COLOURS + 2 * (LANDSCAPES + 8) + END + 1 + 1 + 4 + 24 + 2
        largest = self._largest()
        seat = me
        step: i64 = 0
        while step < seats:
            if seat == self.turn:
                numbers[at + step] = 1
            if seat == self.actor:
                numbers[at + seats + step] = 1
            shown = i64(self.shown[seat])
            write_bits(numbers, at + 2 * seats + step * COLOURS, shown, COLOURS)
            numbers[counts + step] = self.held[seat]
            numbers[counts + seats + step] = self.finish[seat]
            if seat == viewer or viewer == EVERYTHING or self.to_act == OVER:
                shown = i64(self.colours[seat])
            points = self.bonus(seat)
            colour: i64 = 0
            while colour < COLOURS:
                if shown >> colour & 1 != 0:
                    points += largest[colour]
                colour += 1
            numbers[counts + 2 * seats + step] = u8(points)
            seat = seat + 1 if seat + 1 < seats else 0
            step += 1
        at += seats * (2 + COLOURS)
        if viewer >= 0:
            write_bits(numbers, at, i64(self.colours[me]), COLOURS)
            write_bits(numbers, at + COLOURS, self.hand[me], LANDSCAPES)
            write_bits(numbers, at + COLOURS + LANDSCAPES, self.specials[me], 8)
        at += COLOURS + LANDSCAPES + 8
        at = write_bits(numbers, at, self.laid_landscapes, LANDSCAPES)
        at = write_bits(numbers, at, self.laid_specials, 8)
        numbers[at + self.stage] = 1
        at += END + 1
        if self.resume == CONTENT:
            numbers[at] = 1
        at = write_bits(numbers, at + 1, self.wolves_out, 4)
        if self.chosen >= 0:
            side: i64 = 0
            while side < 4:
                numbers[at + 6 * side + self.tiles.side[self.chosen * 16 + side]] = 1
                side += 1
            if self.chosen >= WOLVES * 2 and self.chosen < SHEPHERDS and self.chosen & 1 != 0:
                numbers[at + 24 + (0 if self.chosen < HUNTERS * 2 else 1)] = 1
        at = counts + 3 * seats
        numbers[at] = u8(self.in_bag)
        numbers[at + 1] = u8(self.passes)
        numbers[at + 2] = u8(self.redraws)
        self._note_places(numbers, at + 3)
        return at + 3 + PLACES * 14

    def _note_places(self, numbers: vec[u8], at: i64) -> None:
        """Where each open place is and, for each side, what it meets and how large and how open that pen or how wild that forest is."""
        tally = self.tally[:]
        area: i64 = 0
        for parent in self.parent:  # is no younger than its child, so it has the right tally before
            tally[area] = tally[i64(parent)]
            area += 1
        sides = at + 2 * PLACES
        row: i64 = 0
        start: i64 = 0  # the first cell of that row; places are in reading order
        for place in self.places:
            cell = place_cell(place)
            while cell >= start + WIDTH:
                start += WIDTH
                row += 1
            numbers[at] = u8(row)
            numbers[at + PLACES] = u8(cell - start)
            at += 1
            code = place_code(place)
            side: i64 = 0
            while side < 4:  # no branches: what is met is not predictable, and nothing counts nothing
                counted = tally[place & 511]
                numbers[sides] = u8(code & 7)
                numbers[sides + 4 * PLACES] = u8(counted & 255)
                numbers[sides + 8 * PLACES] = u8(counted >> 12)
                place >>= 9
                code >>= 3
                sides += 1
                side += 1


def _without(pens: vec[i16], root: i64) -> vec[i16]:
    """These pens, as `closed` lists them, without that one."""
    index: i64 = 0
    while index < i64(len(pens)):
        if i64(pens[index]) >> 2 == root:
            return pop(pens, index)[0]
        index += 1
    return pens


class HandPlan:
    """One way in which slots may have come about: which slots there are, most restricted first, and what each may hold."""

    weight: float
    """The logarithm of the ways times the bound on the fillings."""
    seats: list[int]
    allowed: list[tuple[int, int]]
    most: list[int]

    def __init__(self, weight: float, groups: list[tuple[int, int, int, int]], unseen: int) -> None:
        sized = sorted([(int(ones(group[1]) + ones(group[2])), group) for group in groups])
        self.seats = []
        self.allowed = []
        self.most = []
        for size, (seat, landscapes, specials, count) in sized:
            for _ in range(count):
                within = sum([1 for earlier in self.allowed if not earlier[0] & ~landscapes and not earlier[1] & ~specials])
                self.seats.append(seat)
                self.allowed.append((landscapes, specials))
                self.most.append(size - within)
        self.weight = weight + math.lgamma(unseen - len(self.seats) + 1)
        for most in self.most:
            self.weight += math.log(most) if most > 0 else -math.inf

    def fill(self, dice: Dice) -> list[int] | None:
        """A tile for every slot (there may be none), or None: then draw a plan again."""
        tiles: list[int] = []
        landscapes_used: i64 = 0
        specials_used: i64 = 0
        chance = 1.0
        for masks, most in zip(self.allowed, self.most, strict=True):
            landscapes: i64 = masks[0]
            specials: i64 = masks[1]
            landscapes &= ~landscapes_used
            specials &= ~specials_used
            many = ones(landscapes)
            count = many + ones(specials)
            if count == 0:
                return None
            chance *= float(count) / float(most)
            rank = dice.below(count)
            if rank < many:
                tile = nth_bit(landscapes, rank)
                landscapes_used |= BIT[tile]
                tiles.append(int(tile))
            else:
                tile = nth_bit(specials, rank - many)
                specials_used |= BIT[tile]
                tiles.append(int(tile) + WOLVES)
        return tiles if chance >= 1.0 or dice.fraction() < chance else None


def _drawn_by_weight(logarithms: list[float], dice: Dice) -> int:
    """An index, as likely as the exponential of its number."""
    if len(logarithms) == 1:
        return 0
    highest = max(logarithms)
    weights = [math.exp(each - highest) for each in logarithms]
    left = dice.fraction() * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0.0:
            return index
    return weights.index(max(weights))
