"""Regrouping in Shear Panic: where a group that was split off can rejoin the flock (SP-20 to SP-25).

The one idea: a group moves as one rigid piece, so where it goes is one shift, what is added to the place of each of its sheep. As it ends
beside another sheep, a placement has a name that is not bound to the plain: (sheep * 9 + other) * 4 + side, 'this sheep on that
side of that one'; of several names for one placement the smallest is used.

`targets` are the sheep, as bits, of which the group must touch one; all others but its own are strays, which it may pass but not run into.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.bits import first_bit, ones
from sheepfold.core.packed import append, vec
from sheepfold.games.flock import APART, BY_A_CORNER, BY_A_SIDE, COLUMN_STEP, ROW_STEP, SHEEP
from sheepfold.games.shear_panic.geometry import NOBODY, STEPS, WIDTH, beside, cornerwise, group_of, sheep_on, whole_flock

STRAIGHT: Final = 0
DIAGONALLY: Final = 1


def main_flock(at: vec[i64], group: i64) -> i64:
    """The largest group besides this one, of equal ones all, as bits (SP-25)."""
    largest: i64 = 0
    found: i64 = 0
    left = whole_flock(at) & ~group
    while left != 0:
        other = group_of(at, first_bit(left))
        left &= ~other
        if ones(other) > largest:
            largest = ones(other)
            found = 0
        if ones(other) == largest:
            found |= other
    return found


def is_free(at: vec[i64], group: i64, shift: i64) -> bool:
    """Whether nobody stands where the shifted group would."""
    sheep: i64 = 0
    while sheep < SHEEP:
        if group >> sheep & 1 != 0:
            met = sheep_on(at, at[sheep] + shift)
            if met != NOBODY and group >> met & 1 == 0:
                return False
        sheep += 1
    return True


def is_free_way(at: vec[i64], group: i64, targets: i64, direction: i64, steps: i64) -> bool:
    """Whether no stray stands in the way; that no target does, who counts the steps has seen to."""
    if whole_flock(at) == group | targets:
        return True
    step: i64 = 1
    while step <= steps:
        if not is_free(at, group, step * STEPS[direction]):
            return False
        step += 1
    return True


def contact(at: vec[i64], group: i64, targets: i64, shift: i64) -> i64:
    """How the shifted group touches its targets at best: BY_A_SIDE, BY_A_CORNER or APART."""
    sheep: i64
    other: i64
    best: i64 = APART
    for sheep in range(SHEEP):
        if group >> sheep & 1 != 0:
            place = at[sheep] + shift
            for other in range(SHEEP):
                if targets >> other & 1 != 0:
                    if beside(place, at[other]):
                        return BY_A_SIDE
                    if cornerwise(place, at[other]):
                        best = BY_A_CORNER
    return best


def straight_shifts(at: vec[i64], group: i64, targets: i64) -> vec[i64]:
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
                if targets >> other & 1 != 0:
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
    if north > 0 and is_free_way(at, group, targets, 0, north):
        shifts = append(shifts, north * STEPS[0])
    if east > 0 and is_free_way(at, group, targets, 2, east):
        shifts = append(shifts, east * STEPS[2])
    if south > 0 and is_free_way(at, group, targets, 4, south):
        shifts = append(shifts, south * STEPS[4])
    if west > 0 and is_free_way(at, group, targets, 6, west):
        shifts = append(shifts, west * STEPS[6])
    return shifts


def _fewer(least: i64, steps: i64) -> i64:
    """The smaller number of steps; none or less is no way at all."""
    return steps if steps > 0 and (least == 0 or steps < least) else least


def steps_to_touch(at: vec[i64], group: i64, targets: i64, direction: i64, any_corner: bool) -> i64:
    """After how many diagonal steps the group first touches a target by a side, by its leading corner or, if asked for, by any; 0: never.

    With rows and columns counted towards the other, they touch when the larger of the two has become 1; the smaller is 1 then at
    the leading corner, 0 at a side and -1 at a corner beside the way.
    """
    rows = ROW_STEP[direction]
    columns = COLUMN_STEP[direction]
    apart: i64 = 2 if any_corner else 1
    least: i64 = 0
    sheep: i64 = 0
    while sheep < SHEEP:
        if group >> sheep & 1 != 0:
            row = at[sheep] >> 8
            column = at[sheep] & 255
            other: i64 = 0
            while other < SHEEP:
                if targets >> other & 1 != 0:
                    far = ((at[other] >> 8) - row) * rows
                    wide = ((at[other] & 255) - column) * columns
                    if far - wide <= apart and wide - far <= apart:
                        least = _fewer(least, max(far, wide) - 1)
                other += 1
        sheep += 1
    return least


def diagonal_shifts(at: vec[i64], group: i64, targets: i64, any_corner: bool) -> vec[i64]:
    """Die X: diagonally until the group touches; from a corner it slides to a side (SP-23)."""
    corner: i64
    shifts = vec[i64]()
    direction: i64 = 1
    while direction < 8:
        if leads_to_a_corner(at, group, targets, direction):
            shifts = append(shifts, STEPS[direction - 1])
            shifts = append(shifts, STEPS[(direction + 1) & 7])
        else:
            steps = steps_to_touch(at, group, targets, direction, any_corner)
            if steps > 0 and is_free_way(at, group, targets, direction, steps):
                shift = steps * STEPS[direction]
                if contact(at, group, targets, shift) == BY_A_SIDE:
                    shifts = append(shifts, shift)
                else:
                    for corner in range(1, 8, 2):
                        if (any_corner or corner == direction) and leads_to_a_corner(at, group, targets, corner, shift):
                            shifts = _with_slide(at, group, shifts, shift + STEPS[corner - 1])
                            shifts = _with_slide(at, group, shifts, shift + STEPS[(corner + 1) & 7])
        direction += 2
    return shifts


def _with_slide(at: vec[i64], group: i64, shifts: vec[i64], shift: i64) -> vec[i64]:
    """With one more shift, unless a stray stands there."""
    return append(shifts, shift) if is_free(at, group, shift) else shifts


def leads_to_a_corner(at: vec[i64], group: i64, targets: i64, direction: i64, shift: i64 = 0) -> bool:
    """Whether some sheep of the shifted group touches a target by the corner in that diagonal direction."""
    sheep: i64
    for sheep in range(SHEEP):
        if group >> sheep & 1 != 0:
            met = sheep_on(at, at[sheep] + shift + STEPS[direction])
            if met != NOBODY and targets >> met & 1 != 0:
                return True
    return False


def nearest_shifts(at: vec[i64], group: i64, targets: i64) -> vec[i64]:
    """The nearest free placements that touch by a side, whatever the way (the last resort of SP-24)."""
    sheep: i64
    other: i64
    side: i64
    shifts = vec[i64]()
    least: i64 = 4 * WIDTH
    for sheep in range(SHEEP):
        if group >> sheep & 1 == 0:
            continue
        for other in range(SHEEP):
            if targets >> other & 1 == 0:
                continue
            for side in range(0, 8, 2):
                place = at[other] + STEPS[side]
                shift = place - at[sheep]
                rows = (place >> 8) - (at[sheep] >> 8)
                columns = (place & 255) - (at[sheep] & 255)
                far = (rows if rows > 0 else -rows) + (columns if columns > 0 else -columns)
                if far > least or not is_free(at, group, shift):
                    continue
                if far < least:
                    least = far
                    shifts = vec[i64]()
                shifts = append(shifts, shift)
    return shifts


def shifts_by(at: vec[i64], group: i64, targets: i64, any_corner: bool, die: i64) -> vec[i64]:
    """Where the group can go by moves of that kind."""
    return straight_shifts(at, group, targets) if die == STRAIGHT else diagonal_shifts(at, group, targets, any_corner)


def placements(at: vec[i64], group: i64, targets: i64, any_corner: bool, die: i64) -> vec[i64]:
    """The distinct placements of a group after a roll, each by its smallest name, ascending (SP-24)."""
    shifts = shifts_by(at, group, targets, any_corner, die)
    if len(shifts) == 0:
        shifts = shifts_by(at, group, targets, any_corner, DIAGONALLY if die == STRAIGHT else STRAIGHT)
    if len(shifts) == 0:
        shifts = nearest_shifts(at, group, targets)
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
