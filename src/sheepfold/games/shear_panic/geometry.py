"""The flock of Shear Panic: nine places on a plain without edges, and how sheep move there.

The one idea: after every movement the flock is shifted so that its top row and its left column are always the same (`recentre`), and the
two sheep of a colour are numbered in reading order; so flocks that look alike are equal, numbers stay small however far the flock wanders,
and no coordinate can overflow. A flock is `at`, a vector of the places of the nine sheep; small ones are also mapped as bits.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.bits import BIT, first_bit, ones
from sheepfold.core.packed import append, vec
from sheepfold.games.flock import BLACK, COLUMN_STEP, ROW_STEP, SHEEP, ahead

# A place is row * 256 + column, and the flock's top row and left column are HOME. A whole flock spans nine places at most, a movement
# makes it ten, and each of eight placements adds no more than the four of a smallest group: so it is never wider than WIDEST, and a
# group may leave it on any side without meeting the others round the edge.
WIDTH: Final = 256
HOME: Final = 64
WIDEST: Final = 60
GONE: Final = 65536
"""The place of a sheep that is shorn: behind all others in reading order, and beside none."""
NOBODY: Final = -1
NO_MAP: Final = -1

STEPS: Final = vec[i64]([-256, -255, 1, 257, 256, 255, -1, -257])
"""What a step in each direction adds to a place."""


def recentre(at: vec[i64]) -> i64:
    """Shift the flock so that its top row and its left column are HOME; what was added to every place."""
    sheep: i64
    top: i64 = WIDTH
    left: i64 = WIDTH
    for sheep in range(SHEEP):
        if at[sheep] != GONE:
            if at[sheep] >> 8 < top:
                top = at[sheep] >> 8
            if at[sheep] & 255 < left:
                left = at[sheep] & 255
    shift = (HOME - top) * WIDTH + HOME - left
    if shift != 0:
        for sheep in range(SHEEP):
            if at[sheep] != GONE:
                at[sheep] += shift
    return shift


def put_in_order(at: vec[i64]) -> i64:
    """Number the two sheep of each colour in reading order; a bit for each colour whose sheep changed numbers."""
    colour: i64
    changed: i64 = 0
    for colour in range(BLACK):
        first = at[2 * colour]
        second = at[2 * colour + 1]
        if second < first:
            at[2 * colour] = second
            at[2 * colour + 1] = first
            changed |= 1 << colour
    return changed


def same(at: vec[i64], other: vec[i64]) -> bool:
    sheep: i64 = 0
    while sheep < SHEEP and at[sheep] == other[sheep]:
        sheep += 1
    return sheep == SHEEP


def sheep_on(at: vec[i64], place: i64) -> i64:
    """The sheep on a place, or NOBODY."""
    sheep: i64 = 0
    while sheep < SHEEP:
        if at[sheep] == place:
            return sheep
        sheep += 1
    return NOBODY


def beside(place: i64, other: i64) -> bool:
    """Whether two places touch by a side."""
    apart = place - other
    return apart == 1 or apart == -1 or apart == WIDTH or apart == -WIDTH


def cornerwise(place: i64, other: i64) -> bool:
    """Whether two places touch by a corner."""
    apart = place - other
    return apart == 257 or apart == -257 or apart == 255 or apart == -255


def whole_flock(at: vec[i64]) -> i64:
    """The sheep that are not shorn, as bits."""
    sheep: i64
    flock: i64 = 0
    for sheep in range(SHEEP):
        if at[sheep] != GONE:
            flock |= 1 << sheep
    return flock


def spot(place: i64) -> i64:
    """The bit of a place on the map of a flock: eight for a row."""
    return BIT[((place >> 8) - HOME) * 8 + (place & 255) - HOME]


def mapped(at: vec[i64]) -> i64:
    """The flock as bits; NO_MAP where it has more than seven rows or columns (the eighth stays free, so that rows do not touch)."""
    flock: i64 = 0
    sheep: i64 = 0
    while sheep < SHEEP:
        place = at[sheep]
        if place != GONE:
            if place >> 8 > HOME + 6 or place & 255 > HOME + 6:
                return NO_MAP
            flock |= spot(place)
        sheep += 1
    return flock


def connected(flock: i64, part: i64) -> i64:
    """On a map: the part, and all of the flock that is connected with it by sides."""
    while True:
        more = (part | part << 1 | part >> 1 | part << 8 | part >> 8) & flock
        if more == part:
            return part
        part = more


def is_whole(at: vec[i64]) -> bool:
    """Whether all sheep of the flock are one group (SP-20)."""
    flock = mapped(at)
    if flock == NO_MAP:
        every = whole_flock(at)
        return group_of(at, first_bit(every)) == every
    return connected(flock, flock & -flock) == flock


def group_of(at: vec[i64], sheep: i64) -> i64:
    """All sheep that are connected with this one by sides, itself included, as bits (SP-20)."""
    flock = mapped(at)
    if flock == NO_MAP:
        return _group_without_map(at, sheep)
    part = connected(flock, spot(at[sheep]))
    group: i64 = 0
    other: i64 = 0
    while other < SHEEP:
        if at[other] != GONE and part & spot(at[other]) != 0:
            group |= 1 << other
        other += 1
    return group


def _group_without_map(at: vec[i64], sheep: i64) -> i64:
    """The same for a flock of any size: from each sheep that has joined the group to those beside it."""
    group: i64 = 1 << sheep
    fresh = group
    while fresh != 0:
        place = at[first_bit(fresh)]
        fresh &= fresh - 1
        other: i64 = 0
        while other < SHEEP:
            if group >> other & 1 == 0 and beside(place, at[other]):
                group |= 1 << other
                fresh |= 1 << other
            other += 1
    return group


def smallest_groups(at: vec[i64]) -> vec[i64]:
    """The groups of the smallest size, by their first sheep (SP-21); the whole flock where it is not split."""
    found = vec[i64]()
    least: i64 = SHEEP + 1
    left = whole_flock(at)
    while left != 0:
        group = group_of(at, first_bit(left))
        left &= ~group
        count = ones(group)
        if count < least:
            least = count
            found = vec[i64]()
        if count == least:
            found = append(found, group)
    return found


# The movements of sheep; each changes `at` and leaves it to be put in order.


def slam(at: vec[i64], sheep: i64, direction: i64) -> None:
    """One step, pushing the unbroken run of sheep ahead (SP-10)."""
    step = STEPS[direction]
    pushed = sheep
    while pushed != NOBODY:
        following = sheep_on(at, at[pushed] + step)
        at[pushed] += step
        pushed = following


def align(at: vec[i64], side: i64) -> None:
    """Every line slides against the outermost row or column of that side and closes its gaps (SP-13)."""
    sheep: i64
    step = STEPS[side]
    edge: i64 = -WIDTH
    for sheep in range(SHEEP):
        if at[sheep] != GONE:
            edge = max(edge, ahead(at[sheep] >> 8, at[sheep] & 255, side))
    steps = vec[i64]([0, 0, 0, 0, 0, 0, 0, 0, 0])
    for sheep in range(SHEEP):
        if at[sheep] != GONE:
            steps[sheep] = edge - ahead(at[sheep] >> 8, at[sheep] & 255, side) - _before(at, at[sheep], step)
    for sheep in range(SHEEP):
        if at[sheep] != GONE:
            at[sheep] += steps[sheep] * step


def _before(at: vec[i64], place: i64, step: i64) -> i64:
    """How many sheep stand further ahead in the row or column of a place; a shorn one is in none."""
    upright = step == WIDTH or step == -WIDTH
    line = place & 255 if upright else place >> 8
    count: i64 = 0
    other: i64 = 0
    while other < SHEEP:
        if (at[other] & 255 if upright else at[other] >> 8) == line and (at[other] - place) * step > 0:
            count += 1
        other += 1
    return count


def leap_end(at: vec[i64], sheep: i64, direction: i64) -> i64:
    """The first free place behind the unbroken run of sheep next to this one (SP-15)."""
    place = at[sheep] + STEPS[direction]
    while sheep_on(at, place) != NOBODY:
        place += STEPS[direction]
    return place


def outermost(at: vec[i64], sheep: i64, direction: i64) -> bool:
    """Whether a push in that direction, coming from outside, meets this sheep first (SP-11)."""
    rows = ROW_STEP[direction]
    columns = COLUMN_STEP[direction]
    row = at[sheep] >> 8
    column = at[sheep] & 255
    other: i64 = 0
    while other < SHEEP:
        if at[other] != GONE:
            below = (at[other] >> 8) - row
            beyond = (at[other] & 255) - column
            if below * columns == beyond * rows and below * rows + beyond * columns < 0:
                return False
        other += 1
    return True


def _behind() -> vec[i64]:
    """On the map, for every direction and spot (direction * 64 + its bit's number): the spots from which one comes to it that way."""
    spots = vec[i64]([0] * (8 * 64))
    direction: i64 = 0
    while direction < 8:
        start: i64 = 0
        while start < 56:
            row = start // 8 - ROW_STEP[direction]
            column = start % 8 - COLUMN_STEP[direction]
            while row >= 0 and row < 7 and column >= 0 and column < 7:
                spots[direction * 64 + start] |= BIT[row * 8 + column]
                row -= ROW_STEP[direction]
                column -= COLUMN_STEP[direction]
            start += 1
        direction += 1
    return spots


BEHIND: Final = _behind()


def colour_of(sheep: i64) -> i64:
    return sheep >> 1
