"""Regrouping in Shear Panic: where a group that was split off can rejoin the flock (SP-20 to SP-25).

The one idea: a group moves as one rigid piece, so where it goes is one shift, what is added to the place of each of its sheep. As it ends
beside another sheep, a placement has a name that is not bound to the plain: (sheep * 9 + other) * 4 + side, 'this sheep on that
side of that one'; of several names for one placement the smallest is used.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.packed import append, vec
from sheepfold.games.flock import APART, BY_A_CORNER, BY_A_SIDE, COLUMN_STEP, ROW_STEP, SHEEP
from sheepfold.games.shear_panic.geometry import GONE, NOBODY, STEPS, WIDTH, beside, cornerwise, sheep_on

STRAIGHT: Final = 0
DIAGONALLY: Final = 1


def contact(at: vec[i64], group: i64, shift: i64) -> i64:
    """How the shifted group touches other sheep at best: BY_A_SIDE, BY_A_CORNER or APART."""
    sheep: i64
    other: i64
    best: i64 = APART
    for sheep in range(SHEEP):
        if group >> sheep & 1 != 0:
            place = at[sheep] + shift
            for other in range(SHEEP):
                if group >> other & 1 == 0:
                    if beside(place, at[other]):
                        return BY_A_SIDE
                    if cornerwise(place, at[other]):
                        best = BY_A_CORNER
    return best


def straight_shifts(at: vec[i64], group: i64) -> vec[i64]:
    """Die +: straight on until the group touches by a side (SP-22).

    A sheep touches one ahead in its own line when it is one step away, and one ahead in the next line when it is level with it.
    """
    north: i64 = 0
    east: i64 = 0
    south: i64 = 0
    west: i64 = 0
    sheep: i64 = 0
    while sheep < SHEEP:
        if group >> sheep & 1 != 0:
            row = at[sheep] >> 8
            column = at[sheep] & 255
            other: i64 = 0
            while other < SHEEP:
                if group >> other & 1 == 0 and at[other] != GONE:
                    below = (at[other] >> 8) - row
                    beyond = (at[other] & 255) - column
                    if beyond >= -1 and beyond <= 1:
                        spare: i64 = 1 if beyond == 0 else 0
                        north = _fewer(north, -below - spare)
                        south = _fewer(south, below - spare)
                    if below >= -1 and below <= 1:
                        spare = 1 if below == 0 else 0
                        west = _fewer(west, -beyond - spare)
                        east = _fewer(east, beyond - spare)
                other += 1
        sheep += 1
    shifts = vec[i64](capacity=4)
    if north > 0:
        shifts = append(shifts, north * STEPS[0])
    if east > 0:
        shifts = append(shifts, east * STEPS[2])
    if south > 0:
        shifts = append(shifts, south * STEPS[4])
    if west > 0:
        shifts = append(shifts, west * STEPS[6])
    return shifts


def _fewer(least: i64, steps: i64) -> i64:
    """The smaller number of steps; none or less is no way at all."""
    return steps if steps > 0 and (least == 0 or steps < least) else least


def steps_to_touch(at: vec[i64], group: i64, direction: i64) -> i64:
    """After how many diagonal steps the group first touches another sheep by a side or a corner; 0: never.

    With rows and columns counted towards the other, they touch when the larger of the two has become 1.
    """
    rows = ROW_STEP[direction]
    columns = COLUMN_STEP[direction]
    least: i64 = 0
    sheep: i64 = 0
    while sheep < SHEEP:
        if group >> sheep & 1 != 0:
            row = at[sheep] >> 8
            column = at[sheep] & 255
            other: i64 = 0
            while other < SHEEP:
                if group >> other & 1 == 0 and at[other] != GONE:
                    far = ((at[other] >> 8) - row) * rows
                    wide = ((at[other] & 255) - column) * columns
                    if far - wide <= 2 and wide - far <= 2:
                        least = _fewer(least, max(far, wide) - 1)
                other += 1
        sheep += 1
    return least


def diagonal_shifts(at: vec[i64], group: i64) -> vec[i64]:
    """Die X: diagonally until the group touches; from a corner it slides to a side (SP-23)."""
    corner: i64
    shifts = vec[i64]()
    direction: i64 = 1
    while direction < 8:
        if leads_to_a_corner(at, group, direction):
            shifts = append(shifts, STEPS[direction - 1])
            shifts = append(shifts, STEPS[(direction + 1) & 7])
        else:
            steps = steps_to_touch(at, group, direction)
            shift = steps * STEPS[direction]
            if steps > 0 and contact(at, group, shift) == BY_A_SIDE:
                shifts = append(shifts, shift)
            elif steps > 0:
                for corner in range(1, 8, 2):
                    if leads_to_a_corner(at, group, corner, shift):
                        shifts = append(shifts, shift + STEPS[corner - 1])
                        shifts = append(shifts, shift + STEPS[(corner + 1) & 7])
        direction += 2
    return shifts


def leads_to_a_corner(at: vec[i64], group: i64, direction: i64, shift: i64 = 0) -> bool:
    """Whether some sheep of the shifted group touches another by the corner in that diagonal direction."""
    sheep: i64
    for sheep in range(SHEEP):
        if group >> sheep & 1 != 0:
            met = sheep_on(at, at[sheep] + shift + STEPS[direction])
            if met != NOBODY and group >> met & 1 == 0:
                return True
    return False


def nearest_shifts(at: vec[i64], group: i64) -> vec[i64]:
    """The nearest placements that touch by a side, whatever the way (the last resort of SP-24).

    They are free: on any shortest way a group touches somebody by a side one step before it would stand on anybody.
    """
    sheep: i64
    other: i64
    side: i64
    shifts = vec[i64]()
    least: i64 = 4 * WIDTH
    for sheep in range(SHEEP):
        if group >> sheep & 1 == 0:
            continue
        for other in range(SHEEP):
            if group >> other & 1 != 0 or at[other] == GONE:
                continue
            for side in range(0, 8, 2):
                place = at[other] + STEPS[side]
                shift = place - at[sheep]
                rows = (place >> 8) - (at[sheep] >> 8)
                columns = (place & 255) - (at[sheep] & 255)
                far = (rows if rows > 0 else -rows) + (columns if columns > 0 else -columns)
                if far < least:
                    least = far
                    shifts = vec[i64]()
                if far == least:
                    shifts = append(shifts, shift)
    return shifts


def placements(at: vec[i64], group: i64, die: i64) -> vec[i64]:
    """The distinct placements of a group after a roll, each by its smallest name, ascending (SP-24)."""
    shifts = straight_shifts(at, group) if die == STRAIGHT else diagonal_shifts(at, group)
    if len(shifts) == 0:
        shifts = diagonal_shifts(at, group) if die == STRAIGHT else straight_shifts(at, group)
    if len(shifts) == 0:
        shifts = nearest_shifts(at, group)
    names = vec[i64](capacity=8)
    for shift in shifts:
        names = _with_name(names, smallest_name(at, group, shift))
    return names


def smallest_name(at: vec[i64], group: i64, shift: i64) -> i64:
    """The first name, by sheep and other, of the placement that such a shift is; NOBODY where the group would touch nobody by a side."""
    sheep: i64 = 0
    while sheep < SHEEP:
        if group >> sheep & 1 != 0:
            place = at[sheep] + shift
            other: i64 = 0
            while other < SHEEP:
                if group >> other & 1 == 0:
                    side = side_of(place - at[other])
                    if side != NOBODY:
                        return (sheep * SHEEP + other) * 4 + side
                other += 1
        sheep += 1
    return NOBODY


def side_of(apart: i64) -> i64:
    """On which side, north to west, a place lies that is so far apart: NOBODY unless it is the next one."""
    if apart == -WIDTH:
        return 0
    if apart == 1:
        return 1
    if apart == WIDTH:
        return 2
    return 3 if apart == -1 else NOBODY


def _with_name(names: vec[i64], name: i64) -> vec[i64]:
    """Ascending names with one more, unless it is there already or none."""
    index: i64 = 0
    while index < i64(len(names)) and names[index] < name:
        index += 1
    if name == NOBODY or (index < i64(len(names)) and names[index] == name):
        return names
    names = append(names, name)
    last = i64(len(names)) - 1
    while last > index:
        names[last] = names[last - 1]
        last -= 1
    names[index] = name
    return names


def placement_shift(at: vec[i64], placement: i64) -> i64:
    """The shift that a placement's name means."""
    pair = placement // 4
    return at[pair % SHEEP] + STEPS[2 * (placement & 3)] - at[pair // SHEEP]
