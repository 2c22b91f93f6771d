"""Breakthrough on eight by eight. Action = 3 * cell + side, cells row by row, sides left, ahead, right as the rows are counted.

Seat 0 starts on the rows 0 and 1 and goes up the rows. Each seat keeps its pieces in a list sorted by cell: the moves are
listed in order piece by piece, and a playout draws a piece and a side until the step is possible.
"""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position

SIZE: Final = 8
CELLS: Final = 64
PIECES: Final = 16
EMPTY: Final = -1
ACTIONS: Final[list[object]] = list(range(CELLS * 3))
"""The numbers as objects, so that listing them makes none."""


class Breakthrough(Position):
    board: vec[i64]
    """For each cell EMPTY or the seat whose piece stands there."""
    pieces: vec[i64]
    """The cells of seat 0's pieces from 0 on, of seat 1's from 16 on, each ascending."""
    counts: vec[i64]
    winner: i64

    def __init__(self, of: Breakthrough | None = None) -> None:
        super().__init__(2, CELLS * 3, CELLS * 4)
        if of is not None:
            self.to_act = of.to_act
            self.board = of.board[:]
            self.pieces = of.pieces[:]
            self.counts = of.counts[:]
            self.winner = of.winner
            return
        self.winner = EMPTY
        self.counts = vec[i64]([PIECES, PIECES])
        self.board = vec[i64]()
        self.pieces = vec[i64]()
        cell: i64 = 0
        while cell < CELLS:
            owner: i64 = 0 if cell < PIECES else 1 if cell >= CELLS - PIECES else EMPTY
            self.board = append(self.board, owner)
            if owner != EMPTY:
                self.pieces = append(self.pieces, cell)
            cell += 1

    def can_step(self, cell: i64, side: i64) -> bool:
        column = (cell & 7) + side - 1
        if column < 0 or column >= SIZE:
            return False
        met = self.board[(cell + SIZE if self.to_act == 0 else cell - SIZE) + side - 1]
        return met == EMPTY or (side != 1 and met != self.to_act)

    def legal(self) -> list[int]:
        actions: list[object] = []
        me = self.to_act
        if me == OVER:
            return cast(list[int], actions)
        board = self.board
        pieces = self.pieces
        ahead: i64 = SIZE if me == 0 else -SIZE
        piece = me * PIECES
        end = piece + self.counts[me]
        while piece < end:
            cell = pieces[piece]
            target = cell + ahead
            column = cell & 7
            if column > 0 and board[target - 1] != me:
                actions.append(ACTIONS[cell * 3])
            if board[target] == EMPTY:
                actions.append(ACTIONS[cell * 3 + 1])
            if column < SIZE - 1 and board[target + 1] != me:
                actions.append(ACTIONS[cell * 3 + 2])
            piece += 1
        return cast(list[int], actions)

    def allows(self, action: i64) -> bool:
        cell = action // 3
        return self.board[cell] == self.to_act and self.can_step(cell, action % 3)

    def advance(self, action: i64) -> None:
        me = self.to_act
        other = 1 - me
        cell = action // 3
        target = (cell + SIZE if me == 0 else cell - SIZE) + action % 3 - 1
        if self.board[target] == other:
            self.take(other, target)
        self.board[cell] = EMPTY
        self.board[target] = me
        self.move(me, cell, target)
        if target // SIZE == (SIZE - 1 if me == 0 else 0) or self.counts[other] == 0:
            self.winner = me
            self.to_act = OVER
        else:
            self.to_act = other

    def take(self, seat: i64, cell: i64) -> None:
        pieces = self.pieces
        place = seat * PIECES
        while pieces[place] != cell:
            place += 1
        self.counts[seat] -= 1
        end = seat * PIECES + self.counts[seat]
        while place < end:
            pieces[place] = pieces[place + 1]
            place += 1

    def move(self, seat: i64, cell: i64, target: i64) -> None:
        pieces = self.pieces
        first = seat * PIECES
        last = first + self.counts[seat] - 1
        place = first
        while pieces[place] != cell:
            place += 1
        while place < last and pieces[place + 1] < target:
            pieces[place] = pieces[place + 1]
            place += 1
        while place > first and pieces[place - 1] > target:
            pieces[place] = pieces[place - 1]
            place -= 1
        pieces[place] = target

    def random_action(self, dice: Dice) -> i64:
        mine = self.to_act * PIECES
        choices = self.counts[self.to_act] * 3
        while True:
            drawn = dice.below(choices)
            cell = self.pieces[mine + drawn // 3]
            if self.can_step(cell, drawn % 3):
                return cell * 3 + drawn % 3

    def scores(self) -> list[int]:
        return [int(self.winner == 0), int(self.winner == 1)]

    def copy(self) -> Position:
        return Breakthrough(self)

    def key(self) -> tuple[int, ...]:
        return (self.to_act, *[int(owner) for owner in self.board])
