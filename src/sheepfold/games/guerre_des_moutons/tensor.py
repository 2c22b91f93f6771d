"""A view of La Guerre des Moutons as numbers for learners.

The one idea: an open place is told by its rank and what its four sides meet, so that the unbounded table has a fixed size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, u8

from sheepfold.core.bits import write_bits
from sheepfold.core.packed import vec
from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.games.guerre_des_moutons.actions import CONTENT, END, REDRAWS
from sheepfold.games.guerre_des_moutons.map import PLACES, WIDTH, Map, place_cell, place_code
from sheepfold.games.guerre_des_moutons.tiles import COLOURS, HUNTERS, LANDSCAPES, SHEPHERDS, TILES, WOLVES

if TYPE_CHECKING:
    from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons


def layout(seats: int) -> list[tuple[str, int, int]]:
    """See `Position.layout`."""
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


def write(position: GuerreDesMoutons, viewer: i64, numbers: vec[u8], at: i64) -> i64:
    """See `Position.write_tensor`."""
    seats = position.seats
    me: i64 = viewer if viewer >= 0 else max(position.to_act, 0)
    counts = at + seats * (2 + COLOURS) + COLOURS + 2 * (LANDSCAPES + 8) + END + 1 + 1 + 4 + 24 + 2
    largest = position.map.largest()
    seat = me
    step: i64 = 0
    while step < seats:
        if seat == position.turn:
            numbers[at + step] = 1
        if seat == position.actor:
            numbers[at + seats + step] = 1
        shown = i64(position.shown[seat])
        write_bits(numbers, at + 2 * seats + step * COLOURS, shown, COLOURS)
        numbers[counts + step] = position.held[seat]
        numbers[counts + seats + step] = position.finish[seat]
        if seat == viewer or viewer == EVERYTHING or position.to_act == OVER:
            shown = i64(position.colours[seat])
        points = position.bonus(seat)
        colour: i64 = 0
        while colour < COLOURS:
            if shown >> colour & 1 != 0:
                points += largest[colour]
            colour += 1
        numbers[counts + 2 * seats + step] = u8(min(points, 255))
        seat = seat + 1 if seat + 1 < seats else 0
        step += 1
    at += seats * (2 + COLOURS)
    if viewer >= 0:
        write_bits(numbers, at, i64(position.colours[me]), COLOURS)
        write_bits(numbers, at + COLOURS, position.hand[me], LANDSCAPES)
        write_bits(numbers, at + COLOURS + LANDSCAPES, position.specials[me], 8)
    at += COLOURS + LANDSCAPES + 8
    at = write_bits(numbers, at, position.laid_landscapes, LANDSCAPES)
    at = write_bits(numbers, at, position.laid_specials, 8)
    numbers[at + position.stage] = 1
    at += END + 1
    if position.resume == CONTENT:
        numbers[at] = 1
    at = write_bits(numbers, at + 1, position.map.wolves_out, 4)
    if position.chosen >= 0:
        side: i64 = 0
        while side < 4:
            numbers[at + 6 * side + position.tiles.side[position.chosen * 16 + side]] = 1
            side += 1
        if position.chosen >= WOLVES * 2 and position.chosen < SHEPHERDS and position.chosen & 1 != 0:
            numbers[at + 24 + (0 if position.chosen < HUNTERS * 2 else 1)] = 1
    at = counts + 3 * seats
    numbers[at] = u8(position.in_bag)
    numbers[at + 1] = u8(position.passes)
    numbers[at + 2] = u8(position.redraws)
    _write_places(position.map, numbers, at + 3)
    return at + 3 + PLACES * 14


def _write_places(map: Map, numbers: vec[u8], at: i64) -> None:
    """Where each open place is and, for each side, what it meets and how large and how open that pen or how wild that forest is."""
    tally = map.tally[:]
    area: i64 = 0
    for parent in map.parent:  # is no younger than its child, so it has the right tally before
        tally[area] = tally[i64(parent)]
        area += 1
    sides = at + 2 * PLACES
    row: i64 = 0
    start: i64 = 0  # the first cell of that row; places are in reading order
    for place in map.places:
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
