"""A view of La Guerre des Moutons as numbers for learners.

The one idea: every tile says where it lies, in three numbers a tile, and that is all that there is to know of an unbounded table. What a
learner would have to work out of it is told besides: what the first open places meet, in the order in which actions number them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import BIT, write_bits
from sheepfold.core.packed import vec
from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.games.guerre_des_moutons.actions import CONTENT, DRAW, END, REDRAWS
from sheepfold.games.guerre_des_moutons.knowledge import Passed
from sheepfold.games.guerre_des_moutons.map import (
    WIDTH,
    Map,
    laid_cell,
    laid_face,
    open_sides_of,
    place_code,
    sheep_in,
)
from sheepfold.games.guerre_des_moutons.tiles import COLOURS, FOREST, HUNTERS, LANDSCAPES, SHEPHERDS, SQUARE, TILES, WOLVES, tiles_of

if TYPE_CHECKING:
    from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons

SHOWN: Final = 64
"""So many open places are told of. Bots leave 50 at most, players at random now and then 85; what is beyond is told by the tiles alone."""
LAID: Final = TILES + COLOURS
"""All that is laid: the tiles by number, then the '?' tiles by colour."""
ROW: Final = 28150
"""2 to the power of 22, divided by WIDTH: a cell's row without a division, which would take most of the time here; exact for all cells."""
COVERED: Final = 9
TAKEN_UP: Final = 10


def layout(seats: int) -> list[tuple[str, int, int]]:
    """See `Position.layout`."""
    return [
        ("seat whose turn it is; seats count from the viewer's", seats, 1),
        ("seat that lays or draws", seats, 1),
        ("colours by seat, as the viewer knows them", seats * COLOURS, 1),
        ("landscapes in the viewer's hand", LANDSCAPES, 1),
        ("wolves and hunters in it", 8, 1),
        ("stage", END + 1, 1),
        ("a wolf or hunter was laid in this turn", 1, 1),
        ("wolves that no hunter covers", 4, 1),
        ("face to be laid: its motif (village, forest, four colours) by side", 4 * 6, 1),
        ("face to be laid: a landscape's back, a wolf, a hunter", 3, 1),
        ("tiles in hand by seat", seats, 16),
        ("tiles still to be drawn by seat", seats, 16),
        ("place in the order of leaving by seat", seats, 4),
        ("points by seat, as the viewer knows them", seats, 32),
        ("tiles that are left of the oldest hand that passed, by seat: the mean of what may be, in eighths", seats, 64),
        ("tiles in the bag", 1, TILES),
        ("passes in a row", 1, 4),
        ("redraws since a tile was laid", 1, REDRAWS),
        ("'?' tiles that were dealt", 1, 8),
        ("what follows when all is drawn (1 the next turn, 2 an extra play, 3 the turn goes on)", 1, 3),
        ("seats whose oldest hand that passed cannot hold the tile, by tile: the sum of 1, 2, 4, 8", TILES, 16),
        ("by tile, '?' tiles last: how it lies (1 + quarter turns, 4 more for its back; 9 below a hunter; 10 taken up)", LAID, 10),
        ("its row, the village square's being 1", LAID, WIDTH // 2),
        ("its column", LAID, WIDTH // 2),
        ("open places by rank: the motifs their sides meet (1 village, 2 forest, then colours)", SHOWN * 4, 6),
        ("the sheep of the pens they meet", SHOWN, 16),
        ("the open sides of these pens", SHOWN, 16),
    ]


def write(position: GuerreDesMoutons, viewer: i64, numbers: vec[u8], at: i64) -> i64:
    """See `Position.write_tensor`."""
    seats = position.seats
    me: i64 = viewer if viewer >= 0 else max(position.to_act, 0)
    counts = at + seats * (2 + COLOURS) + LANDSCAPES + 8 + END + 1 + 1 + 4 + 24 + 3
    barred = counts + 5 * seats + 5
    largest = position.map.largest()
    seat = me
    step: i64 = 0
    while step < seats:
        if seat == position.turn:
            numbers[at + step] = 1
        if seat == position.actor:
            numbers[at + seats + step] = 1
        colours = i64(position.shown[seat])
        if seat == viewer or viewer == EVERYTHING or position.to_act == OVER:
            colours = i64(position.colours[seat])
        write_bits(numbers, at + 2 * seats + step * COLOURS, colours, COLOURS)
        numbers[counts + step] = position.held[seat]
        numbers[counts + seats + step] = position.owed[seat]
        numbers[counts + 2 * seats + step] = position.finish[seat]
        points = position.bonus(seat)
        colour: i64 = 0
        while colour < COLOURS:
            if colours >> colour & 1 != 0:
                points += largest[colour]
            colour += 1
        numbers[counts + 3 * seats + step] = u8(min(points, 255))
        passed = position.known[seat]
        if passed is not None:
            numbers[counts + 4 * seats + step] = _write_passed(passed, numbers, barred, BIT[step])
        seat = seat + 1 if seat + 1 < seats else 0
        step += 1
    at += seats * (2 + COLOURS)
    if viewer >= 0:
        write_bits(numbers, at, position.hand[me], LANDSCAPES)
        write_bits(numbers, at + LANDSCAPES, position.specials[me], 8)
    at += LANDSCAPES + 8
    numbers[at + position.stage] = 1
    at += END + 1
    if position.resume == CONTENT and position.stage != END:
        numbers[at] = 1
    at = write_bits(numbers, at + 1, position.map.wolves_out, 4)
    if position.chosen >= 0:
        side: i64 = 0
        while side < 4:
            numbers[at + 6 * side + position.tiles.side[position.chosen * 16 + side]] = 1
            side += 1
        if position.chosen < SHEPHERDS and position.chosen & 1 != 0:
            numbers[at + 24 + (0 if position.chosen < WOLVES * 2 else 1 if position.chosen < HUNTERS * 2 else 2)] = 1
    at = counts + 5 * seats
    numbers[at] = u8(position.in_bag)
    numbers[at + 1] = u8(position.passes)
    numbers[at + 2] = u8(position.redraws)
    numbers[at + 3] = u8(position.dealt)
    if position.stage == DRAW:
        numbers[at + 4] = u8(position.after + 1)
    at = barred + TILES
    _write_laid(position.map, position.laid_specials, position.chosen, numbers, at)
    return _write_places(position.map, numbers, at + 3 * LAID)


def _write_passed(passed: Passed, numbers: vec[u8], at: i64, seat: i64) -> u8:
    """Add a seat to the tiles that its oldest hand that passed cannot hold; how many tiles are left of that hand, in eighths."""
    eras = passed.eras()
    if len(eras.barred) == 0:
        return 0
    landscapes: i64 = eras.barred[0][0]
    specials: i64 = eras.barred[0][1]
    for tile in tiles_of(landscapes, specials):
        numbers[at + tile] = numbers[at + tile] | u8(seat)
    return u8(eras.oldest_left(8))


def _write_laid(map: Map, specials: i64, chosen: i64, numbers: vec[u8], at: i64) -> None:
    """How each tile lies, and where."""
    for laid in map.laid:
        face = laid_face(laid)
        if face != SQUARE:
            special = face >= SHEPHERDS
            tile = at + (face - SHEPHERDS + TILES if special else face >> 1)
            cell = laid_cell(laid)
            numbers[tile] = u8(1 + (laid & 3) + (4 if face & 1 != 0 and not special else 0))
            row = cell * ROW >> 22
            numbers[tile + LAID] = u8(row)
            numbers[tile + 2 * LAID] = u8(cell - row * WIDTH)
    wolf: i64 = 0
    while wolf < 4:
        if specials >> wolf & 1 != 0 and numbers[at + WOLVES + wolf] == 0:
            numbers[at + WOLVES + wolf] = COVERED
        wolf += 1
    if chosen >= 0:
        numbers[at + (chosen - SHEPHERDS + TILES if chosen >= SHEPHERDS else chosen >> 1)] = TAKEN_UP


def _write_places(map: Map, numbers: vec[u8], at: i64) -> i64:
    """What the sides of each open place meet, and how large and how open its pens are."""
    sheep = at + 4 * SHOWN
    end = sheep
    for place in map.places:
        if at == end:
            break
        code = place_code(place)
        counted: i64 = 0
        side = at
        while code != 0:
            met = code & 7
            if met != 0:
                numbers[side] = u8(met)
                if met > FOREST + 1:
                    counted += map.tally[map.root(place & 511)]
            place >>= 9
            code >>= 3
            side += 1
        numbers[sheep] = u8(min(sheep_in(counted), 255))
        numbers[sheep + SHOWN] = u8(min(open_sides_of(counted), 255))
        sheep += 1
        at += 4
    return end + 2 * SHOWN
