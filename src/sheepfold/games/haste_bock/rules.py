"""Haste Bock?: the rules, for two, three and four players (docs/rules/haste-bock.md, HB-1 to HB-41).

The pasture is a board of 11x11 cells whose rim is EDGE, so that no move needs to look for the border: a field is a cell, and a
direction is a step from cell to cell. Every action of the flock is one of two things: sheep close up against a cell (ram, trough),
or sheep move one cell (step, push). A turn is two decisions, first the card and then the move with it.

Actions:
  at CHANCE    the number of the start, the seat that begins, or the face of the die
  CARDS        (kind * 3 + value - 1) * 4 + value of the movement card, 0 without one
  SHEEP_MOVES  (sheep * 8 + direction) * 7 + sheep rammed or leapt over - 1; a step is the first of the seven
  PUSHES       direction * 17 + line (row, column or diagonal as `line_of` counts them)
  TROUGHS      direction / 2
  TURNS        CLOCKWISE or COUNTER_CLOCKWISE
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import BIT, append_bits, nth_bit, ones
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, Position, ranked
from sheepfold.games.flock import (
    BLACK,
    BLACK_SHEEP,
    CLOCKWISE,
    COLUMN_STEP,
    COUNTER_CLOCKWISE,
    DIE_FACES,
    NORTH,
    ROW_STEP,
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

# What is to be decided.
SET_UP: Final = 0
WHO_BEGINS: Final = 1
FIGHT_DIE: Final = 2
FIGHT_RAM: Final = 3
CARD: Final = 4
MOVE: Final = 5
PANIC_DIE: Final = 6
PANIC_RAM: Final = 7
ENDED: Final = 8
STAGES: Final = 9

# The seven actions, in the rulebook's order.
STEP: Final = 0
SLAM: Final = 1
LEAP: Final = 2
DIAGONAL: Final = 3
LINE: Final = 4
TROUGH: Final = 5
TURN: Final = 6
KINDS: Final = 7
VALUES: Final = 3
KIND_NAMES: Final = ("step", "slam", "leap", "diagonal", "line", "trough", "turn")

CARD_KINDS: Final = KINDS * VALUES
CARDS: Final = 0
SHEEP_MOVES: Final = 84
MOST_RAMMED: Final = 7
PUSHES: Final = 588
LINES: Final = 17
TROUGHS: Final = 724
TURNS: Final = 728
ACTIONS: Final = 730

SIDE: Final = 9
WIDTH: Final = 11
CELLS: Final = 121
EMPTY: Final = 9
EDGE: Final = 10
NONE: Final = -1


def cell_at(row: i64, column: i64) -> i64:
    return (row + 1) * WIDTH + column + 1


ROW: Final = vec[i64]([cell // WIDTH - 1 for cell in range(CELLS)])
COLUMN: Final = vec[i64]([cell % WIDTH - 1 for cell in range(CELLS)])


def row_of(cell: i64) -> i64:
    return ROW[cell]


def column_of(cell: i64) -> i64:
    return COLUMN[cell]


def line_of(direction: i64, row: i64, column: i64) -> i64:
    """The line through a field along a direction: columns and rows count 0 to 8, diagonals 0 to 16."""
    axis = direction & 3
    if axis == 0:
        return column
    if axis == 1:
        return row + column
    return row if axis == 2 else row - column + SIDE - 1


def _steps() -> vec[i64]:
    steps = vec[i64]()
    for direction in range(8):
        steps = append(steps, ROW_STEP[direction] * WIDTH + COLUMN_STEP[direction])
    return steps


def _fronts() -> vec[i64]:
    """The foremost cell of each line in each direction, by direction * LINES + line; NONE where there is no such line."""
    fronts = vec[i64]()
    for _ in range(8 * LINES):
        fronts = append(fronts, NONE)
    for direction in range(8):
        for row in range(SIDE):
            for column in range(SIDE):
                beyond_row = row + ROW_STEP[direction]
                beyond_column = column + COLUMN_STEP[direction]
                if not (0 <= beyond_row < SIDE and 0 <= beyond_column < SIDE):
                    fronts[direction * LINES + line_of(direction, row, column)] = cell_at(row, column)
    return fronts


def _lines() -> vec[i64]:
    """The line through each cell, by direction * CELLS + cell."""
    lines = vec[i64]()
    direction: i64 = 0
    while direction < 8:
        cell: i64 = 0
        while cell < CELLS:
            on_pasture = 0 <= row_of(cell) < SIDE and 0 <= column_of(cell) < SIDE
            lines = append(lines, line_of(direction, row_of(cell), column_of(cell)) if on_pasture else 0)
            cell += 1
        direction += 1
    return lines


STEPS: Final = _steps()
FRONTS: Final = _fronts()
LINE_OF: Final = _lines()


NO_CARDS: Final[list[int]] = []


def _movement_cards(seats: i64, cards: list[int]) -> list[int]:
    """By value, a player's movement cards: none with four players, one of each value with three, a second set with two."""
    if seats == 2:
        return [sum(cards[value::VALUES]) for value in range(VALUES)]
    return [1 if seats == 3 else 0] * VALUES


class HasteBock(Position):
    """A game of Haste Bock?; see the module for what actions mean."""

    track: Track
    neutral_rows: bool
    """Whether a row of neutral and black sheep only counts as a row (HB-26)."""
    first_seat_begins: bool
    stage: i64 = SET_UP
    turn: i64 = 0
    """Whose turn it is, also while the die rolls."""
    fights: i64
    """How many players still have to ram in the fight for the best spots."""
    die: i64 = NONE
    """The colour that was rolled and is to be rammed with, or NONE."""
    card: i64 = NONE
    """The card whose action is to be done, kind * 3 + value - 1, or NONE."""
    steps: i64 = 0
    """How far that card, and the movement card with it, will move the timer."""
    timer: i64 = 0
    facing: i64 = NORTH
    banned: i64 = NONE
    """The trough or turn that would undo the last turn's, or NONE (HB-18, HB-19)."""
    played: i64 = 0
    """How many action cards have left the game."""
    movements_played: i64 = 0
    board: vec[u8]
    """What stands on each cell: a sheep, EMPTY, or EDGE."""
    where: vec[i64]
    """The cell of each sheep."""
    hand: vec[u8]
    """By seat, kind and value: how many such cards are left."""
    movement: vec[u8]
    """By seat and value: how many movement cards are left."""
    points: vec[i64]

    def __init__(
        self,
        seats: i64,
        cards: list[int],
        track: Track,
        neutral_rows: bool = True,
        first_seat_begins: bool = False,
        of: HasteBock | None = None,
    ) -> None:
        """`cards` counts a player's action cards by kind * 3 + value - 1. With `of`, a copy of that position."""
        if of is not None:
            super().__init__(seats, ACTIONS, of.ply_bound)
            self.to_act = of.to_act
            self.viewer = of.viewer
            self.origin = of.origin
            self.track = track
            self.neutral_rows = neutral_rows
            self.first_seat_begins = first_seat_begins
            self.stage = of.stage
            self.turn = of.turn
            self.fights = of.fights
            self.die = of.die
            self.card = of.card
            self.steps = of.steps
            self.timer = of.timer
            self.facing = of.facing
            self.banned = of.banned
            self.played = of.played
            self.movements_played = of.movements_played
            self.board = of.board[:]
            self.where = of.where[:]
            self.hand = of.hand[:]
            self.movement = of.movement[:]
            self.points = of.points[:]
            return
        fights = seats * 2 if seats == 2 else seats
        super().__init__(seats, ACTIONS, 2 + 2 * fights + 2 * sum(cards) * seats + 2 * track.panics)
        self.track = track
        self.neutral_rows = neutral_rows
        self.first_seat_begins = first_seat_begins
        self.to_act = CHANCE
        self.fights = fights
        board = vec[u8]()
        cell: i64 = 0
        while cell < CELLS:
            on_pasture = 0 <= row_of(cell) < SIDE and 0 <= column_of(cell) < SIDE
            board = append(board, u8(EMPTY) if on_pasture else u8(EDGE))
            cell += 1
        self.board = board
        self.where = vec[i64]([0] * SHEEP)
        self.hand = vec[u8]([0] * (seats * CARD_KINDS))
        self.movement = vec[u8]([0] * (seats * VALUES))
        self.points = vec[i64]([0] * seats)
        for seat in range(seats):
            self.deal(seat, cards, _movement_cards(seats, cards))

    def deal(self, seat: i64, cards: list[int], movements: list[int]) -> None:
        """Give a seat these cards and no others: action cards by kind * 3 + value - 1, movement cards by value - 1."""
        for card in range(CARD_KINDS):
            self.hand[seat * CARD_KINDS + card] = u8(cards[card])
        for value in range(VALUES):
            self.movement[seat * VALUES + value] = u8(movements[value])

    def stand(self, cells: list[int]) -> None:
        """Put each of the nine sheep on its cell, all other fields being empty."""
        for cell in range(CELLS):
            if self.board[cell] != EDGE:
                self.board[cell] = u8(EMPTY)
        for sheep in range(SHEEP):
            self.where[sheep] = cells[sheep]
            self.board[cells[sheep]] = u8(sheep)

    # What may happen.

    def packed_legal(self) -> vec[i64]:
        if self.stage == CARD:
            return self._cards()
        if self.stage == MOVE:
            return self._moves(self.card // VALUES, self.turn)
        if self.stage == FIGHT_RAM or self.stage == PANIC_RAM:
            return self._rams_or_leaps(self._first_of_die(), self._last_of_die())
        actions = vec[i64]()
        count: i64 = 0
        if self.stage == SET_UP:
            count = len(STARTS)
        elif self.stage == WHO_BEGINS:
            count = self.seats
        elif self.to_act == CHANCE:
            count = DIE_FACES
        while i64(len(actions)) < count:
            actions = append(actions, i64(len(actions)))
        return actions

    def weights(self) -> list[int]:
        return [1] * len(self.legal())

    def random_action(self, dice: Dice) -> i64:
        """First a card, each one that can be played equally likely; then a move with it, drawn without listing all."""
        if self.stage == MOVE:
            return self._random_move(dice)
        if self.stage == CARD:
            return self._random_card(dice)
        if self.stage == FIGHT_RAM or self.stage == PANIC_RAM:
            return self._random_ram_or_leap(self._first_of_die(), self._last_of_die(), dice)
        if self.stage == SET_UP:
            return dice.below(len(STARTS))
        return dice.below(self.seats if self.stage == WHO_BEGINS else DIE_FACES)

    def _cards(self) -> vec[i64]:
        """The cards that can be played, with two or three players each with the movement cards that can go with it."""
        actions = vec[i64]()
        kind: i64 = 0
        while kind < KINDS:
            if self._holds(self.turn, kind) and self._possible(kind, self.turn):
                card = kind * VALUES
                last = card + VALUES
                while card < last:
                    if self.hand[self.turn * CARD_KINDS + card] != 0:
                        actions = self._with_movement_cards(CARDS + card * 4, actions)
                    card += 1
            kind += 1
        return actions

    def _with_movement_cards(self, action: i64, actions: vec[i64]) -> vec[i64]:
        if self.seats != 2:
            actions = append(actions, action)
        value: i64 = 1
        while value <= VALUES:
            if self.movement[self.turn * VALUES + value - 1] != 0:
                actions = append(actions, action + value)
            value += 1
        return actions

    def _random_card(self, dice: Dice) -> i64:
        base = self.turn * CARD_KINDS
        held: i64 = 0
        card: i64 = 0
        while card < CARD_KINDS:
            if self.hand[base + card] != 0:
                held += 1
            card += 1
        wanted = dice.below(held)
        card = 0
        while True:
            if self.hand[base + card] != 0:
                if wanted == 0:
                    break
                wanted -= 1
            card += 1
        if not self._possible(card // VALUES, self.turn):
            actions = self._cards()
            return actions[dice.below(len(actions))]
        if self.seats == 4:
            return CARDS + card * 4
        while True:
            value = dice.below(VALUES + 1)
            if (self.seats == 3) if value == 0 else (self.movement[self.turn * VALUES + value - 1] != 0):
                return CARDS + card * 4 + value

    def _holds(self, seat: i64, kind: i64) -> bool:
        card = seat * CARD_KINDS + kind * VALUES
        return self.hand[card] != 0 or self.hand[card + 1] != 0 or self.hand[card + 2] != 0

    def _possible(self, kind: i64, seat: i64) -> bool:
        """Whether a card of that kind has a move now, for a seat whose turn it is."""
        if kind == TURN:
            return True
        if kind == TROUGH:
            direction: i64 = 0
            while direction < 8:
                if self._trough_is_allowed(direction):
                    return True
                direction += 2
            return False
        if kind in (LINE, DIAGONAL):
            direction = 0 if kind == LINE else 1
            while direction < 8:
                if self._pushes(direction) != 0:
                    return True
                direction += 2
            return False
        sheep = seat * 2
        while sheep < seat * 2 + 2:
            direction = 0
            while direction < 8:
                if self._step_is_allowed(sheep, direction) if kind == STEP else self._open_behind(sheep, direction) != 0:
                    return True
                direction += 1
            sheep += 1
        return False

    def _moves(self, kind: i64, seat: i64) -> vec[i64]:
        if kind in (SLAM, LEAP):
            return self._rams_or_leaps(seat * 2, seat * 2 + 1)
        actions = vec[i64]()
        direction: i64 = 0
        if kind == STEP:
            sheep = seat * 2
            while sheep < seat * 2 + 2:
                direction = 0
                while direction < 8:
                    if self._step_is_allowed(sheep, direction):
                        actions = append(actions, SHEEP_MOVES + (sheep * 8 + direction) * MOST_RAMMED)
                    direction += 1
                sheep += 1
        elif kind == TROUGH:
            while direction < 8:
                if self._trough_is_allowed(direction):
                    actions = append(actions, TROUGHS + direction // 2)
                direction += 2
        elif kind == TURN:
            if self.banned != TURNS + CLOCKWISE:
                actions = append(actions, TURNS + CLOCKWISE)
            if self.banned != TURNS + COUNTER_CLOCKWISE:
                actions = append(actions, TURNS + COUNTER_CLOCKWISE)
        else:
            direction = 0 if kind == LINE else 1
            while direction < 8:
                actions = append_bits(actions, PUSHES + direction * LINES, self._pushes(direction))
                direction += 2
        return actions

    def _random_move(self, dice: Dice) -> i64:
        kind = self.card // VALUES
        if kind in (SLAM, LEAP):
            return self._random_ram_or_leap(self.turn * 2, self.turn * 2 + 1, dice)
        if kind == TURN:
            turn = TURNS + dice.below(2)
            return turn if turn != self.banned else TURNS + TURNS + 1 - turn
        tries: i64 = 0
        while tries < 32:
            if kind == STEP:
                sheep = self.turn * 2 + dice.below(2)
                direction = dice.below(8)
                if self._step_is_allowed(sheep, direction):
                    return SHEEP_MOVES + (sheep * 8 + direction) * MOST_RAMMED
            elif kind == TROUGH:
                direction = dice.below(4) * 2
                if self._trough_is_allowed(direction):
                    return TROUGHS + direction // 2
            else:  # the line through a sheep, so that it is not empty
                cell = self.where[dice.below(SHEEP)]
                direction = dice.below(4) * 2
                if kind == DIAGONAL:
                    direction += 1
                push = direction * LINES + LINE_OF[direction * CELLS + cell]
                if self.board[FRONTS[push]] == EMPTY:
                    return PUSHES + push
            tries += 1
        actions = self._moves(kind, self.turn)
        return actions[dice.below(len(actions))]

    # Moves of sheep: may they be made?

    def _open_behind(self, sheep: i64, direction: i64) -> i64:
        """Which numbers of sheep of the line ahead can be rammed, or leapt over, as bits: the field behind them is free."""
        board = self.board
        step = STEPS[direction]
        cell = self.where[sheep] + step
        met: i64 = 1
        possible: i64 = 0
        while board[cell] != EDGE:
            if board[cell] != EMPTY:
                met += met
                if board[cell + step] == EMPTY:
                    possible |= met
            cell += step
        return possible

    def _rams_or_leaps(self, first: i64, last: i64) -> vec[i64]:
        actions = vec[i64]()
        sheep = first
        while sheep <= last:
            direction: i64 = 0
            while direction < 8:
                possible = self._open_behind(sheep, direction) >> 1
                actions = append_bits(actions, SHEEP_MOVES + (sheep * 8 + direction) * MOST_RAMMED, possible)
                direction += 1
            sheep += 1
        return actions

    def _random_ram_or_leap(self, first: i64, last: i64, dice: Dice) -> i64:
        tries: i64 = 0
        while tries < 32:
            sheep = first + dice.below(last - first + 1)
            direction = dice.below(8)
            possible = self._open_behind(sheep, direction) >> 1
            if possible != 0:
                count = ones(possible)
                wanted = dice.below(count) if count > 1 else 0
                return SHEEP_MOVES + (sheep * 8 + direction) * MOST_RAMMED + nth_bit(possible, wanted)
            tries += 1
        actions = self._rams_or_leaps(first, last)
        return actions[dice.below(len(actions))]

    def _step_is_allowed(self, sheep: i64, direction: i64) -> bool:
        return self.board[self.where[sheep] + STEPS[direction]] == EMPTY

    def _pushes(self, direction: i64) -> i64:
        """The lines that can be pushed that way, as bits: each holds a sheep, and none that would leave the pasture."""
        board = self.board
        where = self.where
        lines: i64 = 0
        sheep: i64 = 0
        while sheep < SHEEP:
            line = LINE_OF[direction * CELLS + where[sheep]]
            if board[FRONTS[direction * LINES + line]] == EMPTY:
                lines |= BIT[line]
            sheep += 1
        return lines

    def _trough_is_allowed(self, direction: i64) -> bool:
        """It does not undo the last turn's, and some sheep has a gap before it."""
        if self.banned == TROUGHS + direction // 2:
            return False
        step = STEPS[direction]
        distance = self._trough_distance(direction)
        lane: i64 = 0
        while lane < SIDE:
            cell = FRONTS[direction * LINES + lane] - distance * step
            gap = False
            while self.board[cell] != EDGE:
                if self.board[cell] == EMPTY:
                    gap = True
                elif gap:
                    return True
                cell -= step
            lane += 1
        return False

    def _trough_distance(self, direction: i64) -> i64:
        """How far from the edge of the pasture the outermost row or column that holds a sheep lies."""
        distance: i64 = SIDE
        sheep: i64 = 0
        while sheep < SHEEP:
            cell = self.where[sheep]
            from_edge = (SIDE - 1 if direction == 2 or direction == 4 else 0) - ahead(row_of(cell), column_of(cell), direction)
            if from_edge < distance:
                distance = from_edge
            sheep += 1
        return distance

    def _first_of_die(self) -> i64:
        return 0 if self.die == WHITE else self.die * 2

    def _last_of_die(self) -> i64:
        return BLACK_SHEEP if self.die >= BLACK else self.die * 2 + 1

    # Going on.

    def advance(self, action: i64) -> None:
        if self.stage == MOVE:
            self._act(action)
            self._move_timer()
        elif self.stage == CARD:
            self._play(action // 4, action % 4)
        elif self.stage == FIGHT_DIE or self.stage == PANIC_DIE:
            self._roll(action)
        elif self.stage == FIGHT_RAM or self.stage == PANIC_RAM:
            self._ram(action)
            self._after_ram()
        elif self.stage == SET_UP:
            self._place(action)
        else:
            self._begin(action)

    def _place(self, start: i64) -> None:
        """The nine sheep come into the middle of the pasture."""
        self.stand([cell_at(3 + field // 3, 3 + field % 3) for field in STARTS[start]])
        if self.first_seat_begins:
            self._begin(0)
        else:
            self.stage = WHO_BEGINS

    def _begin(self, seat: i64) -> None:
        self.turn = seat
        self.stage = FIGHT_DIE

    def _roll(self, colour: i64) -> None:
        """The die shows with what colour to ram; if none of those sheep can, nothing happens."""
        self.die = colour
        sheep = self._first_of_die()
        last = self._last_of_die()
        while sheep <= last:
            direction: i64 = 0
            while direction < 8:
                if self._open_behind(sheep, direction) != 0:
                    self.stage = FIGHT_RAM if self.stage == FIGHT_DIE else PANIC_RAM
                    self.to_act = self.turn
                    return
                direction += 1
            sheep += 1
        self._after_ram()

    def _after_ram(self) -> None:
        self.die = NONE
        if self.fights > 1:
            self.fights -= 1
            self.turn = (self.turn + 1) % self.seats
            self.stage = FIGHT_DIE
            self.to_act = CHANCE
        else:
            self.fights = 0
            self._next_turn()

    def _next_turn(self) -> None:
        """The next seat that can play a card is to act; seats without one pass, and a pass lifts the ban."""
        passes: i64 = 0
        while passes < self.seats:
            self.turn = (self.turn + 1) % self.seats
            if self._can_play(self.turn):
                self.stage = CARD
                self.to_act = self.turn
                return
            self.banned = NONE
            passes += 1
        self.timer = self.track.length  # nobody will ever play again: it counts as having reached the last pen
        self._score_rows()
        self._end()

    def _can_play(self, seat: i64) -> bool:
        kind: i64 = KINDS
        while kind > 0:  # from the back: whole-flock actions are nearly always possible
            kind -= 1
            if self._holds(seat, kind) and self._possible(kind, seat):
                return True
        return False

    def _play(self, card: i64, movement: i64) -> None:
        self.hand[self.turn * CARD_KINDS + card] -= 1
        self.played += 1
        if movement != 0:
            self.movement[self.turn * VALUES + movement - 1] -= 1
            self.movements_played += 1
        self.card = card
        self.steps = card % VALUES + 1 + movement
        self.stage = MOVE

    def _act(self, action: i64) -> None:
        """Do what the card says, and note what the next player may not undo."""
        self.banned = NONE
        if action >= TURNS:
            way = action - TURNS
            self.facing = turned(self.facing, way)
            self.banned = TURNS + 1 - way
        elif action >= TROUGHS:
            direction = (action - TROUGHS) * 2
            self._trough(direction)
            self.banned = TROUGHS + opposite(direction) // 2
        elif action >= PUSHES:
            self._push(action - PUSHES)
        elif self.card // VALUES == SLAM:
            self._ram(action)
        elif self.card // VALUES == LEAP:
            self._leap(action)
        else:
            move = (action - SHEEP_MOVES) // MOST_RAMMED
            self._put(move // 8, self.where[move // 8] + STEPS[move % 8])
        self.card = NONE

    def _put(self, sheep: i64, cell: i64) -> None:
        self.board[self.where[sheep]] = u8(EMPTY)
        self.board[cell] = u8(sheep)
        self.where[sheep] = cell

    def _behind(self, sheep: i64, direction: i64, number: i64) -> i64:
        """The cell directly behind that many sheep of the line ahead."""
        step = STEPS[direction]
        cell = self.where[sheep]
        while number > 0:
            cell += step
            if self.board[cell] != EMPTY:
                number -= 1
        return cell + step

    def _ram(self, action: i64) -> None:
        """The last rammed sheep moves one field; the others, and the rammer, close up behind it."""
        move = (action - SHEEP_MOVES) // MOST_RAMMED
        sheep = move // 8
        number = (action - SHEEP_MOVES) % MOST_RAMMED + 1
        target = self._behind(sheep, move % 8, number)
        self._close_up(target, STEPS[move % 8], number + 1)

    def _leap(self, action: i64) -> None:
        move = (action - SHEEP_MOVES) // MOST_RAMMED
        sheep = move // 8
        self._put(sheep, self._behind(sheep, move % 8, (action - SHEEP_MOVES) % MOST_RAMMED + 1))

    def _close_up(self, target: i64, step: i64, number: i64) -> None:
        """The next sheep before `target`, up to that many or to the edge, stand in one unbroken run that ends on it."""
        cell = target
        while number > 0:
            who = self.board[cell]
            if who == EDGE:
                return
            if who != EMPTY:
                if cell != target:
                    self._put(i64(who), target)
                target -= step
                number -= 1
            cell -= step

    def _push(self, push: i64) -> None:
        """All sheep on the line move one field along it, the foremost first."""
        step = STEPS[push // LINES]
        cell = FRONTS[push]
        while self.board[cell] != EDGE:
            if self.board[cell] != EMPTY:
                self._put(i64(self.board[cell]), cell + step)
            cell -= step

    def _trough(self, direction: i64) -> None:
        """Every lane closes up against the outermost row or column that holds a sheep."""
        step = STEPS[direction]
        distance = self._trough_distance(direction)
        lane: i64 = 0
        while lane < SIDE:
            self._close_up(FRONTS[direction * LINES + lane] - distance * step, step, SHEEP)
            lane += 1

    # The timer and the points.

    def _move_timer(self) -> None:
        start = self.timer
        self.timer = self.track.moved(start, self.steps)
        self.steps = 0
        phase = self.track.phase[self.timer]
        if self.track.passed_a_wall(start, self.timer):
            self._score_rows()
        if self.track.pen[self.timer] != 0:
            self._score_rows()
        else:
            self.points[self.turn] += self.pair_points(self.turn, phase)
        if self.timer == self.track.length:
            self._end()
        elif self.track.panic[self.timer] != 0:
            self.stage = PANIC_DIE
            self.to_act = CHANCE
        else:
            self._next_turn()

    def touch_points(self, one: i64, other: i64) -> i64:
        """The points for two sheep that touch: 2 by a side, 1 by a corner."""
        cell = self.where[one]
        beside = self.where[other]
        return touching(row_of(cell), column_of(cell), row_of(beside), column_of(beside))

    def pair_points(self, seat: i64, phase: i64) -> i64:
        """What a seat's sheep bring it by touching: each other in phase 1, Berta in phase 3, else nothing."""
        if phase == 1:
            return self.touch_points(seat * 2, seat * 2 + 1)
        if phase == 3:
            return self.touch_points(seat * 2, BLACK_SHEEP) + self.touch_points(seat * 2 + 1, BLACK_SHEEP)
        return 0

    def _score_rows(self) -> None:
        worth = self.row_points()
        sheep: i64 = 0
        while sheep < self.seats * 2:
            self.points[sheep // 2] += worth[sheep]
            sheep += 1

    def row_points(self) -> list[int]:
        """What each sheep is worth to its owner if rows are scored next: near Roger, or from phase 3 on far from Shawn."""
        fronts = vec[i64](capacity=SHEEP)
        backs = vec[i64](capacity=SHEEP)
        counted = vec[i64](capacity=SHEEP)
        sheep: i64 = 0
        while sheep < SHEEP:
            place = ahead(row_of(self.where[sheep]), column_of(self.where[sheep]), self.facing)
            fronts = append(fronts, place)
            backs = append(backs, -place)
            counted = append(counted, 1 if self.neutral_rows or sheep < self.seats * 2 else 0)
            sheep += 1
        shearing = self.track.phase[self.timer] >= 3
        from_front = rows_before(fronts, counted)
        from_back = rows_before(backs, counted) if shearing else from_front
        worth: list[int] = []
        sheep = 0
        while sheep < SHEEP:
            rows = from_back[sheep] if shearing else from_front[sheep]
            worth.append(4 - rows if rows < 4 and not (shearing and from_front[sheep] == 0) else 0)
            sheep += 1
        return worth

    def _end(self) -> None:
        if self.seats == 3:
            seat: i64 = 0
            while seat < self.seats:
                self.points[seat] -= 2 * self.movements_left(seat)
                seat += 1
        self.stage = ENDED
        self.to_act = OVER
        self.banned = NONE

    def movements_left(self, seat: i64) -> i64:
        """How many movement cards a seat has not used."""
        left: i64 = 0
        value: i64 = 0
        while value < VALUES:
            left += i64(self.movement[seat * VALUES + value])
            value += 1
        return left

    def scores(self) -> list[int]:
        return [int(points) for points in self.points]

    def ranks(self) -> list[int]:
        """Most points; then the higher sum of the values on unused action cards."""
        return ranked([int(self.points[seat]) * 1000 + self.unused_values(seat) for seat in range(self.seats)])

    def unused_values(self, seat: i64) -> int:
        """The sum of the values on a seat's unused action cards."""
        total: i64 = 0
        card: i64 = 0
        while card < CARD_KINDS:
            total += i64(self.hand[seat * CARD_KINDS + card]) * (card % VALUES + 1)
            card += 1
        return total

    # Copies and comparison.

    def copy(self) -> HasteBock:
        return HasteBock(self.seats, NO_CARDS, self.track, self.neutral_rows, self.first_seat_begins, self)

    def key(self) -> tuple[int, ...]:
        small = (
            self.stage, self.to_act, self.turn, self.fights, self.die, self.card, self.steps, self.timer, self.facing, self.banned,
            self.played, self.movements_played,
        )  # fmt: skip
        numbers = [int(number) for number in small]
        numbers += [int(cell) for cell in self.where]
        numbers += [int(count) for count in self.hand]
        numbers += [int(count) for count in self.movement]
        numbers += [int(points) for points in self.points]
        return tuple(numbers)

    def census(self) -> tuple[int, ...]:
        """Sheep on the pasture or waiting beside it, action cards and movement cards wherever they are."""
        waiting = SHEEP if self.stage == SET_UP else 0
        standing = sum([1 for what in self.board if what < SHEEP])
        cards = sum([int(count) for count in self.hand]) + int(self.played)
        movements = sum([int(count) for count in self.movement]) + int(self.movements_played)
        return (standing + waiting, cards, movements)

    def layout(self) -> list[tuple[str, int, int]]:
        seats = int(self.seats)
        return [
            ("field of each sheep: the viewer's two, those of the next seats, neutral ones, the black one", SHEEP * SIDE * SIDE, 1),
            ("seat whose turn it is; from here on seats count from the viewer's", seats, 1),
            ("where the sheep look: north, east, south, west", 4, 1),
            ("stage", STAGES, 1),
            ("phase of the timer's space", 4, 1),
            ("card whose action is to be done, by kind and value", CARD_KINDS, 1),
            ("colour rolled: from the viewer's on, neutral ones, black, white", DIE_FACES, 1),
            ("trough or turn that would undo the last", ACTIONS - TROUGHS, 1),
            ("action cards by seat, kind and value", seats * CARD_KINDS, 1),
            ("movement cards by seat and value", seats * VALUES, 4),
            ("points by seat, and six (they can be below 0)", seats, 50),
            ("timer", 1, int(self.track.length)),
            ("how far the card moves it", 1, 6),
            ("rams still to come in the fight for the best spots", 1, 4),
        ]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        seats = self.seats
        me: i64 = viewer if viewer >= 0 else max(self.to_act, 0)
        sheep: i64 = 0
        while sheep < SHEEP and self.stage != SET_UP:
            place: i64 = sheep
            if sheep < 2 * seats:
                place = sheep - 2 * me if sheep >= 2 * me else sheep + 2 * (seats - me)
            cell = self.where[sheep]
            numbers[at + (place * SIDE + row_of(cell)) * SIDE + column_of(cell)] = 1
            sheep += 1
        return self.note_all_but_sheep(me, numbers, at + SHEEP * SIDE * SIDE)

    def note_all_but_sheep(self, me: i64, numbers: vec[u8], at: i64) -> i64:
        """The tensor but for where the sheep stand."""
        seats = self.seats
        numbers[at + (self.turn - me if self.turn >= me else self.turn + seats - me)] = 1
        at += seats
        numbers[at + self.facing // 2] = 1
        at += 4
        numbers[at + self.stage] = 1
        at += STAGES
        if self.timer > 0:
            numbers[at + self.track.phase[self.timer] - 1] = 1
        at += 4
        if self.card >= 0:
            numbers[at + self.card] = 1
        at += CARD_KINDS
        if self.die >= 0:
            colour: i64 = self.die
            if colour < seats:
                colour = colour - me if colour >= me else colour + seats - me
            numbers[at + colour] = 1
        at += DIE_FACES
        if self.banned >= 0:
            numbers[at + self.banned - TROUGHS] = 1
        at += ACTIONS - TROUGHS
        hand = self.hand
        movements = at + seats * CARD_KINDS
        points = movements + seats * VALUES
        seat = me
        turn: i64 = 0
        while turn < seats:
            card: i64 = 0
            while card < CARD_KINDS:
                numbers[at + card] = hand[seat * CARD_KINDS + card]
                card += 1
            at += CARD_KINDS
            value: i64 = 0
            while value < VALUES:
                numbers[movements + value] = self.movement[seat * VALUES + value]
                value += 1
            movements += VALUES
            numbers[points + turn] = u8(self.points[seat] + 6)
            seat = seat + 1 if seat + 1 < seats else 0
            turn += 1
        at = points + seats
        numbers[at] = u8(self.timer)
        numbers[at + 1] = u8(self.steps)
        numbers[at + 2] = u8(self.fights)
        return at + 3
