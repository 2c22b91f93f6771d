"""Flock: what Haste Bock? and Shear Panic have in common.

Nine sheep, two of each player's colour and a black one, on fields with rows and columns (rows count down the page); eight
directions; rows at right angles to where the sheep look; and a track whose spaces lie in four phases. Nothing here knows of
a board's edge.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import BIT, BITS, ones
from sheepfold.core.packed import append, vec

# Directions, clockwise from north; the even ones run along rows and columns, the odd ones along diagonals.
NORTH: Final = 0
NORTH_EAST: Final = 1
EAST: Final = 2
SOUTH_EAST: Final = 3
SOUTH: Final = 4
SOUTH_WEST: Final = 5
WEST: Final = 6
NORTH_WEST: Final = 7
DIRECTION_NAMES: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
ROW_STEP: Final = vec[i64]([-1, -1, 0, 1, 1, 1, 0, -1])
COLUMN_STEP: Final = vec[i64]([0, 1, 1, 1, 0, -1, -1, -1])

# Colours; BLACK and WHITE are also faces of the die. Sheep 2c and 2c + 1 are of colour c, the black sheep is the last.
BLUE: Final = 0
YELLOW: Final = 1
GREEN: Final = 2
RED: Final = 3
BLACK: Final = 4
WHITE: Final = 5
COLOUR_NAMES: Final = ("blue", "yellow", "green", "red", "black", "white")
DIE_FACES: Final = 6
SHEEP: Final = 9
BLACK_SHEEP: Final = 8
SHEEP_NAMES: Final = ("b1", "b2", "y1", "y2", "g1", "g2", "r1", "r2", "k")

# How two sheep touch, as the points that it is worth.
APART: Final = 0
BY_A_CORNER: Final = 1
BY_A_SIDE: Final = 2

CLOCKWISE: Final = 0
COUNTER_CLOCKWISE: Final = 1


def opposite(direction: i64) -> i64:
    return (direction + 4) & 7


def turned(facing: i64, way: i64) -> i64:
    """Where sheep look after a turn of 90 degrees, CLOCKWISE or COUNTER_CLOCKWISE."""
    return (facing + 2) & 7 if way == CLOCKWISE else (facing + 6) & 7


def touching(row: i64, column: i64, other_row: i64, other_column: i64) -> i64:
    """BY_A_SIDE, BY_A_CORNER or APART (also when it is the same field)."""
    rows = (row - other_row) * (row - other_row)
    columns = (column - other_column) * (column - other_column)
    if rows + columns == 1:
        return BY_A_SIDE
    return BY_A_CORNER if rows == 1 and columns == 1 else APART


# The start: the outer fields of a 3x3, counted 0 to 8 by rows, in the order of one closed walk of knight's moves. Its two ways
# of pairing neighbours, with the four colours dealt to the pairs, are all the starts there are.
_KNIGHTS_WALK: Final = (0, 5, 6, 1, 8, 3, 2, 7)


def _starts() -> list[list[int]]:
    starts = []
    for shift in range(2):
        pairs = [sorted([_KNIGHTS_WALK[2 * pair + shift], _KNIGHTS_WALK[(2 * pair + shift + 1) % 8]]) for pair in range(4)]
        for dealt in permutations(range(4)):
            starts.append([field for colour in range(4) for field in pairs[dealt[colour]]] + [4])
    return starts


STARTS: Final[list[list[int]]] = _starts()
"""For every start the field (0 to 8) of each sheep; of two sheep of a colour the first one is 1."""


def start_rows(start: int) -> list[str]:
    """A start as three words, one a row: gbr rky ygb."""
    letters = [""] * SHEEP
    for sheep, field in enumerate(STARTS[start]):
        letters[field] = SHEEP_NAMES[sheep][0]
    return ["".join(letters[row : row + 3]) for row in (0, 3, 6)]


def ahead(row: i64, column: i64, facing: i64) -> i64:
    """How far to the front a field lies: equal for the fields of one row, larger nearer to where the sheep look."""
    return row * ROW_STEP[facing] + column * COLUMN_STEP[facing]


def rows_before(places: vec[i64], counted: vec[i64]) -> vec[i64]:
    """For every sheep how many rows lie further ahead than its own; `places` are those of `ahead`.

    Only rows that hold a sheep with `counted` other than 0 are rows; so empty ones are skipped.
    """
    least: i64 = 0
    found = False
    sheep: i64 = 0
    for place in places:
        if counted[sheep] != 0 and (not found or place < least):
            least = place
            found = True
        sheep += 1
    rows: i64 = 0  # as bits, the hindmost lowest
    sheep = 0
    for place in places:
        if counted[sheep] != 0:
            rows |= BIT[place - least]
        sheep += 1
    before = places[:]
    sheep = 0
    for place in places:
        behind = place - least + 1  # so many of these bits are of rows that are not ahead
        before[sheep] = ones(rows) if behind <= 0 else ones(rows & ~(BIT[behind] - 1)) if behind < BITS else 0
        sheep += 1
    return before


# What a net is shown of a flock: who stands how beside whom, seen by the way the sheep look, and in which rows they stand. Colours count
# from the viewer's, neutral ones and the black sheep come last; two sheep of a colour are alike.

NEAR: Final = 3
"""Sheep that are further away than so many fields count as so far away."""
ACROSS: Final = 7
KINSHIPS: Final = 15
"""Pairs of the five kinds of sheep."""
RANKS: Final = 9
RELATIONS: Final = KINSHIPS * ACROSS * ACROSS + 2 * 5 * RANKS


def write_relations(
    rows: vec[i64], columns: vec[i64], present: vec[i64], facing: i64, me: i64, seats: i64, numbers: vec[u8], at: i64
) -> i64:
    """Note for every two sheep how far one stands ahead of and beside the other, and for each how many rows are before and behind it;
    the index after that. Sheep with a 0 in `present` are shorn."""
    fronts = vec[i64](capacity=SHEEP)
    backs = vec[i64](capacity=SHEEP)
    sides = vec[i64](capacity=SHEEP)
    kinds = vec[i64](capacity=SHEEP)
    beside = (facing + 2) & 7
    sheep: i64 = 0
    while sheep < SHEEP:
        front = ahead(rows[sheep], columns[sheep], facing) if present[sheep] != 0 else 0
        fronts = append(fronts, front)
        backs = append(backs, -front)
        sides = append(sides, ahead(rows[sheep], columns[sheep], beside))
        kind = sheep // 2
        if kind < seats:
            kind = kind - me if kind >= me else kind - me + seats
        kinds = append(kinds, kind)
        sheep += 1
    one: i64 = 0
    while one < SHEEP:
        other: i64 = one + 1
        while other < SHEEP and present[one] != 0:
            if present[other] != 0:
                low = kinds[one]
                high = kinds[other]
                forward = fronts[other] - fronts[one]
                right = sides[other] - sides[one]
                if low > high or (low == high and (forward < 0 or (forward == 0 and right < 0))):
                    low = kinds[other]
                    high = kinds[one]
                    forward = -forward
                    right = -right
                forward = min(max(forward, -NEAR), NEAR) + NEAR
                right = min(max(right, -NEAR), NEAR) + NEAR
                pair = high * (high + 1) // 2 + low
                place = at + (pair * ACROSS + forward) * ACROSS + right
                numbers[place] = numbers[place] + 1
            other += 1
        one += 1
    at += KINSHIPS * ACROSS * ACROSS
    before = rows_before(fronts, present)
    behind = rows_before(backs, present)
    sheep = 0
    while sheep < SHEEP:
        if present[sheep] != 0:
            place = at + 2 * kinds[sheep] * RANKS + before[sheep]
            numbers[place] = numbers[place] + 1
            place = at + (2 * kinds[sheep] + 1) * RANKS + behind[sheep]
            numbers[place] = numbers[place] + 1
        sheep += 1
    return at + 2 * 5 * RANKS


class Track:
    """The spaces that the timer walks, from 1 to `length`; it starts before them, on 0. Never changed, so copies share it."""

    length: Final[i64]
    panics: Final[i64]
    """How many panic spaces there are."""
    phase: vec[i64]
    """The phase, 1 to 4, of each space; 0 has none."""
    wall: vec[i64]
    """1 for a space with a wall behind it."""
    pen: vec[i64]
    panic: vec[i64]

    def __init__(self, phase_ends: list[int], walls: list[int], pens: list[int], panics: list[int]) -> None:
        self.length = phase_ends[-1]
        self.panics = len(panics)
        phase = vec[i64]()
        wall = vec[i64]()
        pen = vec[i64]()
        panic = vec[i64]()
        for space in range(phase_ends[-1] + 1):
            phase = append(phase, sum([1 for end in phase_ends if end < space]) + 1 if space else 0)
            wall = append(wall, 1 if space in walls else 0)
            pen = append(pen, 1 if space in pens else 0)
            panic = append(panic, 1 if space in panics else 0)
        self.phase = phase
        self.wall = wall
        self.pen = pen
        self.panic = panic

    def moved(self, start: i64, steps: i64) -> i64:
        """Where the timer comes to stand: it stops in a pen, and what is left of the move is lost."""
        space = start
        while steps > 0 and space < self.length:
            space += 1
            steps -= 1
            if self.pen[space] != 0:
                break
        return space

    def until_rows(self, start: i64) -> i64:
        """How many spaces the timer is from the next one where rows are scored: the first behind a wall, or a pen."""
        space = start + 1
        while space < self.length and self.wall[space - 1] == 0 and self.pen[space] == 0:
            space += 1
        return space - start

    def passed_a_wall(self, start: i64, end: i64) -> bool:
        """Whether there is a wall between the two spaces."""
        space = start
        while space < end:
            if self.wall[space] != 0:
                return True
            space += 1
        return False
