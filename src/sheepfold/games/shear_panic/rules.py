"""Shear Panic: the rules, a turn in the rulebook's steps A to E (docs/rules/shear-panic.md has them by number).

How the flock stands and moves is in geometry.py, where a group can rejoin it in regrouping.py. Where somebody must decide or roll,
`stage` names what, and `step` says at which point of the turn it is, so that a regrouped flock knows how to go on.

Actions. The plain is unbounded, yet the actions are not, because an action never names a place: it names sheep and directions.
A step is 'this sheep, that way' (9 x 8, also for a push, which names the outermost sheep of its line). In the order of their numbers:

    SQUARE_AT     12  cover this square of the menu
    STEP_AT       72  sheep * 8 + direction: slam, push, roll or leap
    SIDE_AT        4  align on the north, east, south or west
    TURN_AT        2  ewe turn: CLOCKWISE is to the right, COUNTER_CLOCKWISE to the left
    GROUP_AT       9  regroup the group whose first sheep this is
    PLACEMENT_AT 324  (sheep * 9 + other) * 4 + side: the group moves so that its sheep stands on that side of the other
    EXTRA_AT       4  spend no extra move, or one of 1, 2 or 3
    START_AT      48  chance: the start is laid out so (flock.STARTS), where it is drawn
    FIRST_AT       4  chance: this seat begins
    COLOUR_AT      6  chance: the panic die
    DIE_AT         2  chance: the regroup die, STRAIGHT (+) or DIAGONALLY (X)
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import first_bit, ones, write_bits
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.games.flock import (
    APART,
    BLACK,
    BLACK_SHEEP,
    CLOCKWISE,
    COUNTER_CLOCKWISE,
    DIE_FACES,
    NORTH,
    SHEEP,
    STARTS,
    WHITE,
    Track,
    ahead,
    opposite,
    rows_before,
    touching,
    turned,
)
from sheepfold.games.shear_panic.geometry import (
    BEHIND,
    GONE,
    HOME,
    NO_MAP,
    NOBODY,
    STEPS,
    WIDEST,
    WIDTH,
    align,
    beside,
    colour_of,
    group_of,
    is_whole,
    leap_end,
    mapped,
    outermost,
    put_in_order,
    recentre,
    same,
    sheep_on,
    slam,
    smallest_groups,
    whole_flock,
)
from sheepfold.games.shear_panic.regrouping import DIAGONALLY, STRAIGHT, main_flock, placement_shift, placements, shifts_by

# The seven actions of the menu.
SLAM: Final = 0
ALIGN: Final = 1
LINE: Final = 2
DIAGONAL: Final = 3
ROLL: Final = 4
LEAP: Final = 5
TURN: Final = 6
KIND_NAMES: Final = ("slam", "align", "line", "diagonal", "roll", "leap", "turn")
SQUARES: Final = 12
NO_BAN: Final = -1

# Signs of the menu against undoing an action in the next turn (SP-17).
NO_SIGN: Final = 0
UNTIL_A_DIE: Final = 1
EVER: Final = 2

# Stages: what is decided or rolled now.
START: Final = 0  # chance: how the flock stands at the start
FIRST_PLAYER: Final = 1  # chance: who begins
PANIC_DIE: Final = 2  # chance: which colour panics, in the opening or in step E
PANIC: Final = 3  # the slam, or ewe turn, that the panic die asks for
SQUARE: Final = 4  # A: which square of the menu to cover
MOVE: Final = 5  # A: how to carry it out
GROUP: Final = 6  # B: which of the smallest groups rejoins first
REGROUP_DIE: Final = 7  # B, chance: straight or diagonally
PLACEMENT: Final = 8  # B: where the group rejoins
EXTRA: Final = 9  # C: two players only: whether to move the counter on
ENDED: Final = 10
STAGE_NAMES: Final = (
    "start", "first-player", "panic-die", "panic", "square", "move", "group", "regroup-die", "placement", "extra", "ended",
)  # fmt: skip

# Steps: what split the flock, and so what follows when it is whole again.
OUT_OF_THE_LORRY: Final = 0
ACTION: Final = 1
SHEARING: Final = 2
PANICKING: Final = 3

SQUARE_AT: Final = 0
STEP_AT: Final = 12
SIDE_AT: Final = 84
TURN_AT: Final = 88
GROUP_AT: Final = 90
PLACEMENT_AT: Final = 99
EXTRA_AT: Final = 423
START_AT: Final = 427
FIRST_AT: Final = 475
COLOUR_AT: Final = 479
DIE_AT: Final = 485
ACTION_COUNT: Final = 487

ROGER: Final = 1
SHEARER: Final = 2

GRID: Final = 12
"""The tensor's planes are so many rows and columns from the flock's top left corner; the rare sheep beyond stands on the edge."""

START_PLACES: Final = vec[i64]([(HOME + field // 3) * WIDTH + HOME + field % 3 for start in STARTS for field in start])
"""For every start the places of the nine sheep."""


class Printed:
    """What is printed on the pieces for some number of seats. Never changed, so copies share it."""

    kind: vec[i64]
    """The action of each square of the menu, in the order of the actions, and its value."""
    value: vec[i64]
    sign: vec[i64]
    """For each kind of action its sign against undoing."""
    start: vec[i64]
    """The places of the nine sheep in the lorry."""
    track: Final[Track]
    straight_faces: Final[i64]
    diagonal_faces: Final[i64]
    extras: vec[i64]
    """How many extra moves of 0 (none), 1, 2 and 3 a player starts with."""
    extra_penalty: Final[i64]

    def __init__(
        self,
        kinds: list[int],
        values: list[int],
        signs: list[int],
        start: list[tuple[int, int]],
        track: Track,
        straight: int,
        diagonal: int,
        extras: list[int],
        penalty: int,
    ) -> None:
        self.kind = vec[i64](kinds)
        self.value = vec[i64](values)
        self.sign = vec[i64](signs)
        self.start = vec[i64]([(HOME + row) * WIDTH + HOME + column for row, column in start])
        self.track = track
        self.straight_faces = straight
        self.diagonal_faces = diagonal
        self.extras = vec[i64]([extras.count(value) for value in range(4)])
        self.extra_penalty = penalty


class Readings:
    """How we read sentences of the rulebook that can be read in two ways: options of the game. Never changed, so copies share it."""

    any_corner: Final[bool]
    """SP-23: on its diagonal a group stops at any corner that touches, not only at the one that leads."""
    stray_is_enough: Final[bool]
    """SP-25: a group has rejoined when it touches whomever, not only the main flock."""
    roll_may_leave: Final[bool]
    """SP-14: the roller needs one other sheep beside it, and not the main flock."""
    ban_by_facing: Final[bool]
    """SP-17: an ewe turn is banned where the flock would look as it did before, not because it goes the opposite way."""

    def __init__(
        self, any_corner: bool = False, stray_is_enough: bool = False, roll_may_leave: bool = True, ban_by_facing: bool = False
    ) -> None:
        self.any_corner = any_corner
        self.stray_is_enough = stray_is_enough
        self.roll_may_leave = roll_may_leave
        self.ban_by_facing = ban_by_facing


class ShearPanic(Position):
    """A game of Shear Panic. Seat s plays colour s; the colours without a seat are neutral (SP-5)."""

    printed: Final[Printed]
    first_seat_begins: Final[bool]
    drawn_start: Final[bool]
    readings: Final[Readings]
    stage: i64 = START
    step: i64 = OUT_OF_THE_LORRY
    active: i64 = 0
    """Whose turn it is, also while chance acts."""
    opening: i64
    """How many slams out of the lorry are still to come."""
    turn: i64 = 0
    """How many turns have been taken."""
    at: vec[i64]
    crossed: i64 = 0
    """A bit for each colour whose two sheep are numbered the other way round than at the start; for pictures, no part of the key."""
    corner_row: i64 = 0
    """Where the flock's top left corner lies on the plain, counted from the start; for pictures, no part of the key."""
    corner_column: i64 = 0
    facing: i64 = NORTH
    counter: i64 = 0
    came_from: i64 = 0
    """Where the counter stood before step C."""
    menus: vec[i64]
    """By seat: the squares that are still free, as bits."""
    extras: vec[i64]
    """By seat and value (seat * 4 + value): the extra moves left. Empty but for two players."""
    points: vec[i64]
    last_turn: vec[i64]
    """By seat: the number of its last turn; before the first one below 0, in turn order."""
    square: i64 = 0
    die: i64 = 0
    """The colour that panics, or how the group regroups."""
    group: i64 = 0
    """B: the sheep that are regrouped now, as bits."""
    choices: vec[i64]
    """B: the groups or the placements to choose from."""
    ban: i64 = NO_BAN
    """SP-17: the kind of action that must not lead back, or NO_BAN."""
    banned_turn: i64 = 0
    earlier: vec[i64]
    """The flock that a banned push or alignment would restore."""

    def __init__(
        self,
        seats: i64,
        printed: Printed,
        first_seat_begins: bool = False,
        drawn_start: bool = False,
        readings: Readings | None = None,
        of: ShearPanic | None = None,
    ) -> None:
        regroup: i64 = 3 * (SHEEP - 1)  # for each stray a choice, a roll and a placement
        openings: i64 = 4 if seats == 2 else seats
        panics = openings + printed.track.panics  # the counter never comes to a space twice, and to one gate of field 4
        turns = SQUARES * seats
        super().__init__(seats, ACTION_COUNT, 2 + turns * (3 + regroup) + regroup + panics * (2 + regroup))
        self.printed = printed
        self.first_seat_begins = first_seat_begins
        self.drawn_start = drawn_start
        self.readings = Readings() if readings is None else readings
        if of is not None:
            self.to_act = of.to_act
            self.viewer = of.viewer
            self.origin = of.origin
            self.stage = of.stage
            self.step = of.step
            self.active = of.active
            self.opening = of.opening
            self.turn = of.turn
            self.at = of.at[:]
            self.crossed = of.crossed
            self.corner_row = of.corner_row
            self.corner_column = of.corner_column
            self.facing = of.facing
            self.counter = of.counter
            self.came_from = of.came_from
            self.menus = of.menus[:]
            self.extras = of.extras[:]
            self.points = of.points[:]
            self.last_turn = of.last_turn[:]
            self.square = of.square
            self.die = of.die
            self.group = of.group
            self.choices = of.choices  # replaced as a whole, never changed
            self.ban = of.ban
            self.banned_turn = of.banned_turn
            self.earlier = of.earlier  # the same
            return
        self.to_act = CHANCE
        self.opening = openings
        self.at = printed.start[:]
        self.menus = vec[i64]()
        self.extras = vec[i64]()
        self.points = vec[i64]()
        self.last_turn = vec[i64]()
        for seat in range(seats):
            self.menus = append(self.menus, (1 << SQUARES) - 1)
            self.points = append(self.points, 0)
            self.last_turn = append(self.last_turn, seat - seats)
            if seats == 2:
                for value in range(4):
                    self.extras = append(self.extras, printed.extras[value])
        self.choices = vec[i64]()
        self.earlier = vec[i64]()
        if not drawn_start:
            self._leave_for_the_field()

    # What may happen.

    def packed_legal(self) -> vec[i64]:
        stage = self.stage
        if stage == MOVE:
            return self._moves(self.printed.kind[self.square])
        if stage == PANIC:
            return self._panic_moves()
        actions = vec[i64](capacity=12)
        index: i64 = 0
        if stage == SQUARE:
            while index < SQUARES:
                if self.offers(index):
                    actions = append(actions, SQUARE_AT + index)
                index += 1
        elif stage == GROUP:
            while index < i64(len(self.choices)):
                actions = append(actions, GROUP_AT + first_bit(self.choices[index]))
                index += 1
        elif stage == PLACEMENT:
            while index < i64(len(self.choices)):
                actions = append(actions, PLACEMENT_AT + self.choices[index])
                index += 1
        elif stage == EXTRA:
            while index < 4:
                if self.may_spend(index):
                    actions = append(actions, EXTRA_AT + index)
                index += 1
        elif stage == START:
            while index < FIRST_AT - START_AT:
                actions = append(actions, START_AT + index)
                index += 1
        elif stage == FIRST_PLAYER:
            while index < self.seats:
                actions = append(actions, FIRST_AT + index)
                index += 1
        elif stage == PANIC_DIE:
            while index < DIE_FACES:
                if self.answers(index):
                    actions = append(actions, COLOUR_AT + index)
                index += 1
        elif stage == REGROUP_DIE:
            actions = append(append(actions, DIE_AT + STRAIGHT), DIE_AT + DIAGONALLY)
        return actions

    def weights(self) -> list[int]:
        if self.stage == REGROUP_DIE:
            return [self.printed.straight_faces, self.printed.diagonal_faces]
        return [1 for _ in self.legal()]

    def random_action(self, dice: Dice) -> i64:
        """Uniform at every decision, found by drawing until it is legal: quicker than listing all that is."""
        stage = self.stage
        if stage == SQUARE:
            while True:
                square = dice.below(SQUARES)
                if self.offers(square):
                    return SQUARE_AT + square
        if stage == MOVE:
            return self._random_move(self.printed.kind[self.square], dice)
        if stage == PANIC:
            if self.die == WHITE:
                return TURN_AT + dice.below(2)
            return STEP_AT + self._random_sheep(self.die, dice) * 8 + dice.below(8)
        if stage == PANIC_DIE:
            while True:
                colour = dice.below(DIE_FACES)
                if self.answers(colour):
                    return COLOUR_AT + colour
        if stage == REGROUP_DIE:
            faces = self.printed.straight_faces + self.printed.diagonal_faces
            return DIE_AT + (STRAIGHT if dice.below(faces) < self.printed.straight_faces else DIAGONALLY)
        if stage == GROUP:
            return GROUP_AT + first_bit(self.choices[dice.below(len(self.choices))])
        if stage == PLACEMENT:
            return PLACEMENT_AT + self.choices[dice.below(len(self.choices))]
        if stage == START:
            return START_AT + dice.below(FIRST_AT - START_AT)
        if stage == FIRST_PLAYER:
            return FIRST_AT + dice.below(self.seats)
        while True:
            value = dice.below(4)
            if self.may_spend(value):
                return EXTRA_AT + value

    def advance(self, action: i64) -> None:
        stage = self.stage
        if stage == SQUARE:
            self.square = action - SQUARE_AT
            self.stage = MOVE
        elif stage == MOVE:
            self._carry_out(action)
        elif stage == PANIC:
            self._panic(action)
        elif stage == GROUP:
            self.group = group_of(self.at, action - GROUP_AT)
            self._roll(REGROUP_DIE)
        elif stage == PLACEMENT:
            self._rejoin(action - PLACEMENT_AT)
        elif stage == EXTRA:
            self._spend(action - EXTRA_AT)
        elif stage == START:
            self.at = START_PLACES[SHEEP * (action - START_AT) : SHEEP * (action - START_AT + 1)]
            self._leave_for_the_field()
        elif stage == FIRST_PLAYER:
            self._begin(action - FIRST_AT)
        elif stage == PANIC_DIE:
            self._lift_ban()
            self.die = action - COLOUR_AT
            self._ask(PANIC)
        else:
            self._lift_ban()
            self._roll_regroup_die(action - DIE_AT)

    def _ask(self, stage: i64) -> None:
        """The active player decides next."""
        self.stage = stage
        self.to_act = self.active

    def _roll(self, stage: i64) -> None:
        self.stage = stage
        self.to_act = CHANCE

    # The opening: out of the lorry (SP-7, SP-70).

    def _leave_for_the_field(self) -> None:
        """The flock stands in the lorry; now it must be known who begins."""
        if self.first_seat_begins:
            self._begin(0)
        else:
            self._roll(FIRST_PLAYER)

    def _begin(self, first: i64) -> None:
        self.active = first
        for seat in range(self.seats):
            self.last_turn[seat] = (seat - first) % self.seats - self.seats
        self._roll(PANIC_DIE)

    def _next_out_of_the_lorry(self) -> None:
        self.opening -= 1
        self.active = (self.active + 1) % self.seats
        if self.opening > 0:
            self._roll(PANIC_DIE)
        else:
            self._ask(SQUARE)

    # A. The action.

    def offers(self, square: i64) -> bool:
        """Whether the active player may cover this square. Of two squares that are alike the first is taken."""
        free = self.menus[self.active]
        if free >> square & 1 == 0 or not self.is_possible(self.printed.kind[square]):
            return False
        before = square - 1
        while before >= 0 and self.printed.kind[before] == self.printed.kind[square]:
            if free >> before & 1 != 0 and self.printed.value[before] == self.printed.value[square]:
                return False
            before -= 1
        return True

    def is_possible(self, kind: i64) -> bool:
        """Whether such an action can be carried out by a player who has a sheep.

        Only a roll and a leap need another sheep. In a flock of two or more every sheep has a neighbour to leap over. Eight others wall a
        sheep in, so of nine at most one is; round any other there is a free place next to a taken one, to which it can roll, and going
        round it from a sheep of the largest part of the others, one next to that part (`roll_may_leave` off). A ban never takes
        the last choice.
        """
        return (kind != ROLL and kind != LEAP) or ones(whole_flock(self.at)) > 1

    def has_sheep(self, colour: i64) -> bool:
        return self.at[2 * colour] != GONE  # the first of two is the last to go: a shorn one comes after it in reading order

    def may_step(self, kind: i64, sheep: i64, direction: i64) -> bool:
        """Whether that sheep may do a slam, push, roll or leap that way."""
        at = self.at
        if at[sheep] == GONE:
            return False
        if kind in (LINE, DIAGONAL):
            if direction & 1 != (1 if kind == DIAGONAL else 0) or not outermost(at, sheep, direction):
                return False
            return not self._pushes_back(kind, sheep, direction)
        if colour_of(sheep) != self.active:
            return False
        if kind == LEAP:
            return direction & 1 == 0 and sheep_on(at, at[sheep] + STEPS[direction]) != NOBODY
        if kind == ROLL:
            place = at[sheep] + STEPS[direction]
            if sheep_on(at, place) != NOBODY:
                return False
            other: i64 = 0
            while other < SHEEP:
                if other != sheep and beside(place, at[other]):
                    return self.readings.roll_may_leave or self._stays(sheep, direction)
                other += 1
            return False
        return True

    def _stays(self, sheep: i64, direction: i64) -> bool:
        """Whether a sheep that rolls that way is still in the main flock: no other group is larger than its own (SP-14)."""
        result = self.at[:]
        result[sheep] += STEPS[direction]
        recentre(result)
        group = group_of(result, sheep)
        others = main_flock(result, group)
        return others == 0 or ones(group) >= ones(group_of(result, first_bit(others)))

    def _pushes_back(self, kind: i64, sheep: i64, direction: i64) -> bool:
        if self.ban != kind:
            return False
        result = self.at[:]
        slam(result, sheep, direction)
        return self._is_earlier(result)

    def may_align(self, side: i64) -> bool:
        """Whether the flock may be aligned on that side."""
        if self.ban != ALIGN:
            return True
        result = self.at[:]
        align(result, side)
        return not self._is_earlier(result)

    def _is_earlier(self, result: vec[i64]) -> bool:
        recentre(result)
        put_in_order(result)
        return same(result, self.earlier)

    def may_turn(self, way: i64) -> bool:
        """Whether the flock may be turned that way."""
        return self.ban != TURN or way != self.banned_turn

    def _moves(self, kind: i64) -> vec[i64]:
        actions = vec[i64](capacity=16)
        index: i64 = 0
        if kind == TURN:
            while index < 2:
                if self.may_turn(index):
                    actions = append(actions, TURN_AT + index)
                index += 1
            return actions
        if kind == ALIGN:
            while index < 4:
                if self.may_align(2 * index):
                    actions = append(actions, SIDE_AT + index)
                index += 1
            return actions
        if kind in (LINE, DIAGONAL):
            return self._pushes(kind, actions)
        sheep = 2 * self.active
        every: i64 = 2 if kind == LEAP else 1
        while sheep < 2 * self.active + 2:
            direction: i64 = 0
            while direction < 8:
                if self.may_step(kind, sheep, direction):
                    actions = append(actions, STEP_AT + sheep * 8 + direction)
                direction += every
            sheep += 1
        return actions

    def _pushes(self, kind: i64, actions: vec[i64]) -> vec[i64]:
        """Whom `may_step` lets push; on a map, who is outermost is one AND."""
        flock = mapped(self.at)
        sheep: i64 = 0
        while sheep < SHEEP:
            place = self.at[sheep]
            index = ((place >> 8) - HOME) * 8 + (place & 255) - HOME
            direction: i64 = 1 if kind == DIAGONAL else 0
            while place != GONE and direction < 8:
                first = outermost(self.at, sheep, direction) if flock == NO_MAP else flock & BEHIND[direction * 64 + index] == 0
                if first and not self._pushes_back(kind, sheep, direction):
                    actions = append(actions, STEP_AT + sheep * 8 + direction)
                direction += 2
            sheep += 1
        return actions

    def _random_move(self, kind: i64, dice: Dice) -> i64:
        while True:
            if kind == TURN:
                way = dice.below(2)
                if self.may_turn(way):
                    return TURN_AT + way
            elif kind == ALIGN:
                side = dice.below(4)
                if self.may_align(2 * side):
                    return SIDE_AT + side
            else:
                anybody = kind in (LINE, DIAGONAL)
                sheep = dice.below(SHEEP) if anybody else 2 * self.active + dice.below(2)
                direction = dice.below(8)
                if self.may_step(kind, sheep, direction):
                    return STEP_AT + sheep * 8 + direction

    def _random_sheep(self, colour: i64, dice: Dice) -> i64:
        if colour == BLACK or self.at[2 * colour + 1] == GONE:
            return 2 * colour
        return 2 * colour + dice.below(2)

    def _carry_out(self, action: i64) -> None:
        """Cover the square and do its action; remember what must not be undone at once (SP-17)."""
        kind = self.printed.kind[self.square]
        self.menus[self.active] &= ~(1 << self.square)
        self.last_turn[self.active] = self.turn
        self.turn += 1
        self.step = ACTION
        if kind == TURN:
            self._turn_flock(action - TURN_AT)
            self.ban = TURN if self.printed.sign[TURN] != NO_SIGN else NO_BAN
            self.banned_turn = CLOCKWISE if action - TURN_AT == COUNTER_CLOCKWISE else COUNTER_CLOCKWISE
            self._move_counter()
            return
        before = self.at[:]
        if kind == ALIGN:
            align(self.at, 2 * (action - SIDE_AT))
        else:
            sheep = (action - STEP_AT) // 8
            direction = (action - STEP_AT) & 7
            if kind == ROLL:
                self.at[sheep] += STEPS[direction]
            elif kind == LEAP:
                self.at[sheep] = leap_end(self.at, sheep, direction)
            else:
                slam(self.at, sheep, direction)
        self._settle()
        self.ban = NO_BAN
        if self.printed.sign[kind] != NO_SIGN and not same(before, self.at):
            self.ban = kind
            self.earlier = before
        self._regroup()

    def _turn_flock(self, way: i64) -> None:
        self.facing = turned(self.facing, way)

    def _settle(self) -> None:
        shift = recentre(self.at)
        rows = (shift + WIDTH // 2) // WIDTH
        self.corner_row -= rows
        self.corner_column -= shift - rows * WIDTH
        self.crossed ^= put_in_order(self.at)

    def _lift_ban(self) -> None:
        """A die is rolled: what bears the sign for it may be undone."""
        if self.ban != NO_BAN and self.printed.sign[self.ban] == UNTIL_A_DIE:
            self.ban = NO_BAN

    # B. Regrouping.

    def _regroup(self) -> None:
        """Begin with the smallest group, or go on where the flock is whole (SP-21)."""
        if is_whole(self.at):
            self._flock_is_whole()
            return
        groups = smallest_groups(self.at)
        if len(groups) == 1:
            self.group = groups[0]
            self._roll(REGROUP_DIE)
        else:
            self.choices = groups
            self._ask(GROUP)

    def _roll_regroup_die(self, die: i64) -> None:
        self.die = die
        names = self.placements(die)
        if len(names) == 1:
            self._rejoin(names[0])
        else:
            self.choices = names
            self._ask(PLACEMENT)

    def targets(self) -> i64:
        """The sheep, as bits, of which the group must touch one (SP-25)."""
        return whole_flock(self.at) & ~self.group if self.readings.stray_is_enough else main_flock(self.at, self.group)

    def has_way(self, die: i64) -> bool:
        """Whether the group can rejoin by moves of that kind at all."""
        return len(shifts_by(self.at, self.group, self.targets(), self.readings.any_corner, die)) > 0

    def placements(self, die: i64) -> vec[i64]:
        """Where the group may rejoin after that roll (SP-24)."""
        return placements(self.at, self.group, self.targets(), self.readings.any_corner, die)

    def _rejoin(self, placement: i64) -> None:
        """The group moves as one rigid piece."""
        sheep: i64
        shift = placement_shift(self.at, placement)
        for sheep in range(SHEEP):
            if self.group >> sheep & 1 != 0:
                self.at[sheep] += shift
        self._settle()
        self._regroup()

    def _flock_is_whole(self) -> None:
        """Go on from where the flock was moved."""
        if self.step == OUT_OF_THE_LORRY:
            self._next_out_of_the_lorry()
        elif self.step == ACTION:
            self._move_counter()
        elif self.step == SHEARING:
            self._look_for_panic()
        else:
            self._end_turn()

    # C. The counter.

    def _move_counter(self) -> None:
        track = self.printed.track
        self.came_from = self.counter
        self.counter = track.moved(self.counter, self.printed.value[self.square])
        if self.extras_left(self.active) > 0 and track.pen[self.counter] == 0:
            self._ask(EXTRA)
        else:
            self._score()

    def extras_left(self, seat: i64) -> i64:
        """How many extra moves that seat has (SP-71)."""
        if self.seats != 2:
            return 0
        return self.extras[seat * 4 + 1] + self.extras[seat * 4 + 2] + self.extras[seat * 4 + 3]

    def must_spend(self) -> bool:
        """Whether too few free actions are left for the extra moves."""
        return ones(self.menus[self.active]) <= self.extras_left(self.active)

    def may_spend(self, value: i64) -> bool:
        """Whether the active player may spend an extra move of that value now; 0 is to spend none."""
        return not self.must_spend() if value == 0 else self.extras[self.active * 4 + value] > 0

    def _spend(self, value: i64) -> None:
        if value > 0:
            self.extras[self.active * 4 + value] -= 1
            self.counter = self.printed.track.moved(self.counter, value)
        self._score()

    def guest(self) -> i64:
        """Who stands before the heads of the flock: ROGER, SHEARER, or 0 for nobody (SP-32)."""
        track = self.printed.track
        if track.phase[self.counter] == 2 and track.pen[self.counter] == 0:
            return ROGER
        return SHEARER if track.phase[self.counter] == 4 else 0

    # D. Score.

    def _score(self) -> None:
        track = self.printed.track
        field = track.phase[self.counter]
        if field == 1 or field == 3:
            self.points[self.active] += self.pair_points(self.active, field)
        elif track.passed_a_wall(self.came_from, self.counter) or track.pen[self.counter] != 0:
            if field == 2:
                self._score_rows(self.facing)
            elif self.counter == track.length:
                self._last_shearing()
                return
            else:
                self._shear()
                self._score_rows(opposite(self.facing))
                if whole_flock(self.at) == 0:
                    self._end()
                    return
                self.step = SHEARING
                self._regroup()
                return
        self._look_for_panic()

    def touch(self, sheep: i64, other: i64) -> i64:
        """How two sheep touch, as points; a shorn one touches nobody."""
        one = self.at[sheep]
        two = self.at[other]
        return APART if one == GONE or two == GONE else touching(one >> 8, one & 255, two >> 8, two & 255)

    def pair_points(self, seat: i64, field: i64) -> i64:
        """What a seat's sheep bring it by touching: each other in field 1 (SP-40), the black one in field 3 (SP-42), else nothing."""
        if field == 1:
            return self.touch(2 * seat, 2 * seat + 1)
        if field == 3:
            return self.touch(2 * seat, BLACK_SHEEP) + self.touch(2 * seat + 1, BLACK_SHEEP)
        return 0

    def row_points(self, best: i64) -> list[int]:
        """By sheep: 4 for the row furthest in the direction `best`, then 3, 2, 1, 0 (SP-41)."""
        sheep: i64
        places = vec[i64](capacity=SHEEP)
        counted = vec[i64](capacity=SHEEP)
        for sheep in range(SHEEP):
            present = self.at[sheep] != GONE
            places = append(places, ahead(self.at[sheep] >> 8, self.at[sheep] & 255, best) if present else 0)
            counted = append(counted, 1 if present else 0)
        before = rows_before(places, counted)
        return [4 - before[sheep] if counted[sheep] != 0 and before[sheep] < 4 else 0 for sheep in range(SHEEP)]

    def _score_rows(self, best: i64) -> None:
        worth = self.row_points(best)
        for sheep in range(2 * self.seats):
            self.points[colour_of(sheep)] += worth[sheep]

    def front_row(self) -> i64:
        """The sheep nearest to where the flock looks, as bits."""
        sheep: i64
        row: i64 = 0
        front: i64 = -2 * WIDTH
        for sheep in range(SHEEP):
            if self.at[sheep] != GONE:
                place = ahead(self.at[sheep] >> 8, self.at[sheep] & 255, self.facing)
                if place > front:
                    front = place
                    row = 0
                if place == front:
                    row |= 1 << sheep
        return row

    def one_colour(self) -> bool:
        """Whether all sheep of the flock are of one colour; nobody is shorn then (SP-44)."""
        flock = whole_flock(self.at)
        if flock == 0:
            return True
        colour = colour_of(first_bit(flock))
        return flock & ~(3 << (2 * colour)) == 0

    def shorn_next(self) -> i64:
        """The sheep that a shearing now would take, as bits: the row nearest the Shearer (SP-43), unless all are of one colour (SP-44)."""
        return 0 if self.one_colour() else self.front_row()

    def _shear(self) -> None:
        row = self.shorn_next()
        for sheep in range(SHEEP):
            if row >> sheep & 1 != 0:
                self.at[sheep] = GONE
        self._settle()

    # E. Panic.

    def _look_for_panic(self) -> None:
        if self.printed.track.panic[self.counter] != 0:
            self.step = PANICKING
            self._roll(PANIC_DIE)
        else:
            self._end_turn()

    def answers(self, colour: i64) -> bool:
        """Whether the panic die may show that colour: one that is not in the flock is rolled again (SP-50)."""
        return colour == WHITE or self.has_sheep(colour)

    def _panic_moves(self) -> vec[i64]:
        actions = vec[i64](capacity=16)
        if self.die == WHITE:
            return append(append(actions, TURN_AT + CLOCKWISE), TURN_AT + COUNTER_CLOCKWISE)
        sheep: i64 = 2 * self.die
        while sheep < SHEEP and colour_of(sheep) == self.die:
            direction: i64 = 0
            while self.at[sheep] != GONE and direction < 8:
                actions = append(actions, STEP_AT + sheep * 8 + direction)
                direction += 1
            sheep += 1
        return actions

    def _panic(self, action: i64) -> None:
        if self.die == WHITE:
            self._turn_flock(action - TURN_AT)
            if self.ban != TURN or self.readings.ban_by_facing:  # it looks elsewhere: no push or alignment restores it, by facing no turn
                self.ban = NO_BAN
            self._flock_is_whole()
        else:
            slam(self.at, (action - STEP_AT) // 8, (action - STEP_AT) & 7)
            self._settle()
            self._regroup()

    # The end of a turn and of the game.

    def can_act(self, seat: i64) -> bool:
        """Whether that seat takes turns: it has a sheep and an action that can be carried out (SP-18, SP-61)."""
        if not self.has_sheep(seat):
            return False
        square: i64 = 0
        while square < SQUARES:
            if self.menus[seat] >> square & 1 != 0 and self.is_possible(self.printed.kind[square]):
                return True
            square += 1
        return False

    def _end_turn(self) -> None:
        seat = self.active
        for _ in range(self.seats):
            seat = (seat + 1) % self.seats
            if self.can_act(seat):
                self.active = seat
                self._ask(SQUARE)
                return
        self._last_shearing()

    def _last_shearing(self) -> None:
        """The counter is in the last pen, or nobody can go on (SP-60, SP-61)."""
        self._shear()
        self._score_rows(opposite(self.facing))
        self._end()

    def _end(self) -> None:
        for seat in range(self.seats):
            self.points[seat] -= self.printed.extra_penalty * self.extras_left(seat)
        self.stage = ENDED
        self.to_act = OVER

    def sheep_left(self, colour: i64) -> i64:
        """How many sheep of a colour are in the flock."""
        left: i64 = 0
        for sheep in range(SHEEP):
            if colour_of(sheep) == colour and self.at[sheep] != GONE:
                left += 1
        return left

    def scores(self) -> list[int]:
        return [self.points[seat] for seat in range(self.seats)]

    def ranks(self) -> list[int]:
        """Points, then sheep left in the flock, then the last turn that is longest ago (SP-62)."""
        places: list[int] = []
        for seat in range(self.seats):
            place = 1
            for other in range(self.seats):
                if other != seat and self._is_before(other, seat):
                    place += 1
            places.append(place)
        return places

    def _is_before(self, seat: i64, other: i64) -> bool:
        if self.points[seat] != self.points[other]:
            return self.points[seat] > self.points[other]
        if self.sheep_left(seat) != self.sheep_left(other):
            return self.sheep_left(seat) > self.sheep_left(other)
        return self.last_turn[seat] < self.last_turn[other]

    # Copies, comparison, and the view as numbers.

    def copy(self) -> Position:
        return ShearPanic(self.seats, self.printed, self.first_seat_begins, self.drawn_start, self.readings, self)

    def key(self) -> tuple[int, ...]:
        regrouping = self.stage == GROUP or self.stage == REGROUP_DIE or self.stage == PLACEMENT
        key: list[int] = [
            self.stage,
            self.step,
            self.active,
            self.opening,
            self.turn,
            self.facing,
            self.counter,
            self.came_from if self.stage == EXTRA else 0,
            self.square if self.stage == MOVE or (regrouping and self.step == ACTION) else 0,
            self.die if self.stage == PANIC or self.stage == PLACEMENT else 0,
            self.group if self.stage == REGROUP_DIE or self.stage == PLACEMENT else 0,
            self.ban,
            self.banned_turn if self.ban == TURN else 0,
        ]
        for sheep in range(SHEEP):
            key.append(self.at[sheep])
            key.append(self.earlier[sheep] if self.ban != NO_BAN and self.ban != TURN else 0)
        for seat in range(self.seats):
            key += [self.menus[seat], self.points[seat], self.last_turn[seat]]
        for index in range(len(self.extras)):
            key.append(self.extras[index])
        return tuple(key)

    def census(self) -> tuple[int, ...]:
        """Sheep by colour, in the flock (each on a place of its own) or shorn; and squares, free or covered in a turn."""
        counts: list[int] = [0, 0, 0, 0, 0]
        for sheep in range(SHEEP):
            if self.at[sheep] == GONE or sheep_on(self.at, self.at[sheep]) == sheep:
                counts[colour_of(sheep)] += 1
        squares: i64 = self.turn
        for seat in range(self.seats):
            squares += ones(self.menus[seat])
        counts.append(squares)
        return tuple(counts)

    def places(self) -> list[tuple[int, int] | None]:
        """By sheep: row and column, counted from the flock's top left corner, or None when it is shorn."""
        found: list[tuple[int, int] | None] = []
        for sheep in range(SHEEP):
            place = self.at[sheep]
            found.append(None if place == GONE else ((place >> 8) - HOME, (place & 255) - HOME))
        return found

    def piece(self, sheep: i64) -> i64:
        """Which piece of wool that sheep is: the same number all through the game, so that pictures can follow it."""
        if sheep == BLACK_SHEEP or self.crossed >> colour_of(sheep) & 1 == 0:
            return sheep
        return sheep ^ 1

    def moved_by(self, placement: i64) -> tuple[int, int]:
        """How many rows and columns a placement moves the group."""
        pair = placement // 4
        goal = self.at[pair % SHEEP] + STEPS[2 * (placement & 3)]
        start = self.at[pair // SHEEP]
        return (goal >> 8) - (start >> 8), (goal & 255) - (start & 255)

    def arrange(self, places: list[tuple[int, int] | None], facing: int = NORTH, counter: int = 0, active: int = 0) -> None:
        """Set a flock up by hand, for puzzles and tests, with `active` to play; a split one is regrouped first.

        `places` has a row and a column, or None for a shorn sheep, for each of the nine. Menus and points stay as they are.
        """
        if len(places) != SHEEP:
            raise ValueError(f"a flock has nine sheep, some perhaps shorn, not {len(places)}")
        rows = [place[0] for place in places if place is not None]
        columns = [place[1] for place in places if place is not None]
        if not rows or len(set(zip(rows, columns, strict=True))) != len(rows):
            raise ValueError("there must be a sheep, and no two on one place")
        if max(rows) - min(rows) >= WIDEST or max(columns) - min(columns) >= WIDEST:
            raise ValueError(f"a flock may be {WIDEST} places wide, no more")
        for sheep in range(SHEEP):
            place = places[sheep]
            self.at[sheep] = GONE if place is None else (HOME + place[0] - min(rows)) * WIDTH + HOME + place[1] - min(columns)
        self.crossed = put_in_order(self.at)
        self.facing = facing
        self.counter = counter
        self.active = active
        self.opening = 0
        self.step = PANICKING
        self.ban = NO_BAN
        if is_whole(self.at):
            self._ask(SQUARE)
        else:
            self._regroup()

    def deal(self, seat: int, squares: list[int], points: int = 0, extras: list[int] | None = None) -> None:
        """Leave a seat these squares, points and extra moves and no others: the other half of setting up by hand."""
        menu: i64 = 0
        for square in squares:
            menu |= 1 << square
        self.turn += ones(self.menus[seat]) - ones(menu)
        self.menus[seat] = menu
        self.points[seat] = points
        if extras is not None:
            for value in range(1, 4):
                self.extras[seat * 4 + value] = extras.count(value)

    def layout(self) -> list[tuple[str, int, int]]:
        seats = int(self.seats)
        return [
            ("the flock by colour, row and column: the viewer's sheep, those of the next seats, neutral ones, black", 5 * GRID * GRID, 1),
            ("stage", ENDED + 1, 1),
            ("step of the turn", PANICKING + 1, 1),
            ("where the flock looks: north, east, south, west", 4, 1),
            ("field of the counter", 4, 1),
            ("panic, and gate or pen, for each of the six spaces ahead", 12, 1),
            ("seat whose turn it is; from here on seats count from the viewer's", seats, 1),
            ("free squares by seat", seats * SQUARES, 1),
            ("square that was covered", SQUARES, 1),
            ("colour that panics: from the viewer's on, neutral ones, black, white", DIE_FACES, 1),
            ("the group rejoins straight, diagonally", 2, 1),
            ("sheep of the group", SHEEP, 1),
            ("kind of action that must not lead back; a turn, clockwise", TURN + 2, 1),
            ("counter; where it stood before step C", 2, int(self.printed.track.length)),
            ("slams out of the lorry still to come", 1, 4),
            ("points by seat, and twenty (they can be below 0)", seats, 50),
            ("turns since each seat's last", seats, 10),
            ("extra moves by seat and value", seats * 3, 2),
        ]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        me = viewer if viewer >= 0 else self.active
        return self.note_all_but_sheep(me, numbers, self._note_flock(me, numbers, at))

    def note_all_but_sheep(self, me: i64, numbers: vec[u8], at: i64) -> i64:
        """The tensor but for where the sheep stand."""
        seats = self.seats
        stage = self.stage
        numbers[at + stage] = 1
        at += ENDED + 1
        numbers[at + self.step] = 1
        at += PANICKING + 1
        numbers[at + self.facing // 2] = 1
        at = self._note_track(numbers, at + 4)
        numbers[at + (self.active - me if self.active >= me else self.active - me + seats)] = 1
        at += seats
        seat = me
        turn: i64 = 0
        while turn < seats:
            at = write_bits(numbers, at, self.menus[seat], SQUARES)
            seat = seat + 1 if seat + 1 < seats else 0
            turn += 1
        regrouping = stage in (GROUP, REGROUP_DIE, PLACEMENT)
        if stage in (MOVE, EXTRA) or (regrouping and self.step == ACTION):
            numbers[at + self.square] = 1
        at += SQUARES
        if stage == PANIC:
            numbers[at + ((self.die - me) % seats if self.die < seats else self.die)] = 1
        at += DIE_FACES
        if stage == PLACEMENT:
            numbers[at + self.die] = 1
        at += 2
        if stage in (REGROUP_DIE, PLACEMENT):
            write_bits(numbers, at, self.group, SHEEP)
        at += SHEEP
        if self.ban != NO_BAN:
            numbers[at + self.ban] = 1
            if self.ban == TURN and self.banned_turn == CLOCKWISE:
                numbers[at + TURN + 1] = 1
        at += TURN + 2
        numbers[at] = u8(self.counter)
        numbers[at + 1] = u8(self.came_from if stage == EXTRA else self.counter)
        numbers[at + 2] = u8(self.opening)
        at += 3
        turn = 0
        while turn < seats:
            numbers[at + turn] = u8(max(self.points[seat] + 20, 0))
            numbers[at + seats + turn] = u8(self.turn - self.last_turn[seat])
            if seats == 2:
                value: i64 = 1
                while value < 4:
                    numbers[at + 3 + 3 * turn + value] = u8(self.extras[seat * 4 + value])
                    value += 1
            seat = seat + 1 if seat + 1 < seats else 0
            turn += 1
        return at + 5 * seats

    def _note_flock(self, me: i64, numbers: vec[u8], at: i64) -> i64:
        sheep: i64 = 0
        while sheep < SHEEP:
            place = self.at[sheep]
            if place != GONE:
                colour = sheep // 2
                plane = colour
                if colour < self.seats:
                    plane = colour - me if colour >= me else colour - me + self.seats
                row = min((place >> 8) - HOME, GRID - 1)
                column = min((place & 255) - HOME, GRID - 1)
                numbers[at + (plane * GRID + row) * GRID + column] = 1
            sheep += 1
        return at + 5 * GRID * GRID

    def _note_track(self, numbers: vec[u8], at: i64) -> i64:
        """The field of the counter and what lies ahead: panic, a gate or a pen."""
        track = self.printed.track
        counter = self.counter
        if counter > 0:
            numbers[at + track.phase[counter] - 1] = 1
        at += 4
        space = counter
        wall = False
        steps: i64 = 0
        while steps < 6:
            if space < track.length and (space == counter or track.pen[space] == 0):  # the counter stops in a pen
                wall = wall or track.wall[space] != 0
                space += 1
            if track.panic[space] != 0:
                numbers[at] = 1
            if wall or track.pen[space] != 0:
                numbers[at + 1] = 1
            at += 2
            steps += 1
        return at
