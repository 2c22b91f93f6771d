"""Breakthrough on eight by eight. Action = 3 * cell + side, cells row by row, sides left, ahead, right of the mover.

Seat 0 starts on the rows 0 and 1 and goes up the rows. Each seat keeps a list of its pieces, so that a playout draws a piece
and a side until the step is possible, without listing all moves.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position

SIZE: Final = 8
CELLS: Final = 64
PIECES: Final = 16
EMPTY: Final = -1


class Breakthrough(Position):
    board: vec[i64]
    """For each cell EMPTY or a piece's place in `pieces`."""
    pieces: vec[i64]
    """The cells of seat 0's pieces from 0 on, those of seat 1's from 16 on."""
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
            piece = cell if cell < PIECES else EMPTY
            if cell >= CELLS - PIECES:
                piece = cell - (CELLS - PIECES) + PIECES
            self.board = append(self.board, piece)
            if piece != EMPTY:
                self.pieces = append(self.pieces, cell)
            cell += 1

    def can_step(self, cell: i64, side: i64) -> bool:
        column = (cell & 7) + side - 1
        if column < 0 or column >= SIZE:
            return False
        piece = self.board[(cell + SIZE if self.to_act == 0 else cell - SIZE) + side - 1]
        if piece == EMPTY:
            return True
        return side != 1 and (piece >= PIECES) == (self.to_act == 0)

    def is_mine(self, cell: i64) -> bool:
        piece = self.board[cell]
        return piece != EMPTY and (piece < PIECES) == (self.to_act == 0)

    def legal(self) -> list[int]:
        actions: list[int] = []
        if self.to_act == OVER:
            return actions
        board = self.board
        least: i64 = 0
        ahead: i64 = SIZE
        if self.to_act == 1:
            least = PIECES
            ahead = -SIZE
        cell: i64 = 0
        while cell < CELLS:
            piece = board[cell] - least
            if piece >= 0 and piece < PIECES:
                target = cell + ahead
                column = cell & 7
                if column > 0:
                    met = board[target - 1] - least
                    if met < 0 or met >= PIECES:
                        actions.append(cell * 3)
                if board[target] == EMPTY:
                    actions.append(cell * 3 + 1)
                if column < SIZE - 1:
                    met = board[target + 1] - least
                    if met < 0 or met >= PIECES:
                        actions.append(cell * 3 + 2)
            cell += 1
        return actions

    def allows(self, action: i64) -> bool:
        cell = action // 3
        return self.is_mine(cell) and self.can_step(cell, action % 3)

    def advance(self, action: i64) -> None:
        cell = action // 3
        target = (cell + SIZE if self.to_act == 0 else cell - SIZE) + action % 3 - 1
        taken = self.board[target]
        other = 1 - self.to_act
        if taken != EMPTY:
            last = self.counts[other] - 1
            self.counts[other] = last
            last += other * PIECES
            moved = self.pieces[last]
            self.pieces[taken] = moved
            self.board[moved] = taken
        piece = self.board[cell]
        self.board[cell] = EMPTY
        self.board[target] = piece
        self.pieces[piece] = target
        if target // SIZE == (SIZE - 1 if self.to_act == 0 else 0) or self.counts[other] == 0:
            self.winner = self.to_act
            self.to_act = OVER
        else:
            self.to_act = other

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
        owners = [0 if piece == EMPTY else 1 if piece < PIECES else 2 for piece in self.board]
        return (self.to_act, *owners)
