"""Grass, an open toy: a die says how many tufts the sheep may eat at most, a seat eats one to that many; each tuft is a point.

Actions: 0 to 2 eat one to three tufts; 3 to 5 the die shows one to three, two twice as often as the others.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from toy_base import ToyGame

from sheepfold.core.position import CHANCE, OVER, Position


class Grass(Position):
    def __init__(self, seats: int, tufts: int, of: Grass | None = None) -> None:
        super().__init__(seats, 6, 2 * tufts)
        self.tufts = tufts
        self.left = tufts if of is None else of.left
        self.eaten = [0] * seats if of is None else list(of.eaten)
        self.die = 0 if of is None else of.die
        self.turn = 0 if of is None else of.turn
        self.to_act = CHANCE if of is None else of.to_act
        self.viewer = self.viewer if of is None else of.viewer

    def legal(self) -> list[int]:
        if self.to_act == OVER:
            return []
        return [3, 4, 5] if self.to_act == CHANCE else list(range(min(self.die, self.left)))

    def weights(self) -> list[int]:
        return [1, 2, 1]

    def advance(self, action: int) -> None:
        if self.to_act == CHANCE:
            self.die = action - 2
            self.to_act = self.turn
            return
        self.left -= action + 1
        self.eaten[self.turn] += action + 1
        self.turn = (self.turn + 1) % self.seats
        self.die = 0
        self.to_act = CHANCE if self.left else OVER

    def scores(self) -> list[int]:
        return list(self.eaten)

    def copy(self) -> Position:
        return type(self)(int(self.seats), self.tufts, of=self)

    def key(self) -> tuple[int, ...]:
        return (self.left, *self.eaten, self.die, self.turn, int(self.to_act))

    def census(self) -> tuple[int, ...]:
        return (self.left + sum(self.eaten),)

    def layout(self) -> list[tuple[str, int, int]]:
        return [("tufts left", 1, 1), ("eaten", int(self.seats), 8), ("die, turn, seat to act", 3, 3)]

    def write_tensor(self, viewer: int, numbers: MutableSequence[int], at: int) -> int:
        for number in (self.left, *self.eaten, self.die, self.turn, self.to_act - OVER):
            numbers[at] = number
            at += 1
        return at

    def picture(self) -> str:
        return "grass " + "," * self.left


GAME = ToyGame("grass", Grass)
