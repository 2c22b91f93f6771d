"""Connect Four, seven columns of six. An action is a column, 0 to 6.

The discs of each seat are one number, seven bits a column with the top one always empty, so that four in a
line are four equal steps of 1 (up), 7 (along), 6 or 8 (across).
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.bits import BIT
from sheepfold.core.dice import Dice
from sheepfold.core.packed import vec
from sheepfold.core.position import OVER, Position

COLUMNS: Final = 7
ROWS: Final = 6
DRAW: Final = -1


def four_in_line(discs: i64) -> bool:
    pair = discs & (discs >> 1)
    if pair & (pair >> 2):
        return True
    pair = discs & (discs >> 7)
    if pair & (pair >> 14):
        return True
    pair = discs & (discs >> 6)
    if pair & (pair >> 12):
        return True
    pair = discs & (discs >> 8)
    return (pair & (pair >> 16)) != 0


class ConnectFour(Position):
    mine: i64
    theirs: i64
    heights: vec[i64]
    dropped: i64
    winner: i64

    def __init__(self, of: ConnectFour | None = None) -> None:
        super().__init__(2, COLUMNS, COLUMNS * ROWS)
        if of is None:
            self.mine = 0
            self.theirs = 0
            self.heights = vec[i64]([0, 0, 0, 0, 0, 0, 0])
            self.dropped = 0
            self.winner = DRAW
        else:
            self.to_act = of.to_act
            self.mine = of.mine
            self.theirs = of.theirs
            self.heights = of.heights[:]
            self.dropped = of.dropped
            self.winner = of.winner

    def legal(self) -> list[int]:
        columns: list[int] = []
        if self.to_act == OVER:
            return columns
        column: i64 = 0
        while column < COLUMNS:
            if self.heights[column] < ROWS:
                columns.append(column)
            column += 1
        return columns

    def allows(self, action: i64) -> bool:
        return self.heights[action] < ROWS

    def advance(self, action: i64) -> None:
        height = self.heights[action]
        self.heights[action] = height + 1
        self.dropped += 1
        mover = self.mine | BIT[action * 7 + height]
        self.mine = self.theirs
        self.theirs = mover
        if four_in_line(mover):
            self.winner = self.to_act
            self.to_act = OVER
        elif self.dropped == COLUMNS * ROWS:
            self.to_act = OVER
        else:
            self.to_act = 1 - self.to_act

    def random_action(self, dice: Dice) -> i64:
        column = dice.below(COLUMNS)
        while self.heights[column] == ROWS:
            column = dice.below(COLUMNS)
        return column

    def scores(self) -> list[int]:
        return [int(self.winner == 0), int(self.winner == 1)]

    def copy(self) -> Position:
        return ConnectFour(self)

    def key(self) -> tuple[int, ...]:
        return (self.to_act, self.mine, self.theirs)
