"""Hats, a toy with secrets, and Bells, the same with interruptions.

Everybody is dealt two cards; who is to act plays one, which scores its number, and draws another, which the others do not see. When a draw
is due and the deck is empty the round ends: hands are turned up and count against their owners. Two rounds. In Bells the two highest
cards may also be rung out of turn for a point each, without a draw. Action: the card.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from toy_base import ToyGame

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, EVERYTHING, OVER, HiddenInformation, Position

DECK, PLAYED, UNKNOWN, LOST = -1, -2, -3, -4
HAND = 2


class Hats(Position):
    def __init__(self, seats: int, cards: int, bells: bool = False, of: Hats | None = None) -> None:
        super().__init__(seats, cards, 4 * cards + 4, bells)
        self.cards = cards
        self.where = [DECK] * cards if of is None else list(of.where)
        self.sizes = [0] * seats if of is None else list(of.sizes)
        self.points = [0] * seats if of is None else list(of.points)
        self.deck = cards if of is None else of.deck
        self.round = 1 if of is None else of.round
        self.dealt = 0 if of is None else of.dealt
        self.turn = 0 if of is None else of.turn
        self.to_act = CHANCE if of is None else of.to_act
        self.viewer = self.viewer if of is None else of.viewer

    def drawer(self) -> int:
        return self.turn if self.dealt == HAND * self.seats else self.dealt % int(self.seats)

    def legal(self) -> list[int]:
        if self.to_act == OVER:
            return []
        if self.to_act == CHANCE:
            return self.lying(DECK)
        return self.lying(int(self.to_act))

    def lying(self, where: int) -> list[int]:
        if self.viewer not in (EVERYTHING, where):
            raise HiddenInformation("that is hidden")
        return [card for card in range(self.cards) if self.where[card] == where]

    def weights(self) -> list[int]:
        return [1] * len(self.lying(DECK))

    def advance(self, action: int) -> None:
        if self.to_act == CHANCE:
            self.draw(action)
            return
        self.put(int(self.to_act), action)
        self.points[self.to_act] += action
        if self.deck:
            self.to_act = CHANCE
        else:
            self.end_round()

    def draw(self, card: int) -> None:
        self.where[card] = self.drawer()
        self.sizes[self.drawer()] += 1
        self.deck -= 1
        if self.dealt < HAND * self.seats:
            self.dealt += 1
            self.to_act = CHANCE if self.dealt < HAND * self.seats else self.turn
        else:
            self.turn = (self.turn + 1) % int(self.seats)
            while not self.sizes[self.turn]:
                self.turn = (self.turn + 1) % int(self.seats)
            self.to_act = self.turn

    def put(self, seat: int, card: int) -> None:
        self.where[card] = PLAYED
        self.sizes[seat] -= 1

    def end_round(self) -> None:
        for card, where in enumerate(self.where):
            if where >= 0:
                self.points[where] -= card
        if self.round == 2:
            self.to_act = OVER
            return
        self.round, self.deck, self.dealt, self.turn, self.to_act = 2, self.cards, 0, 0, CHANCE
        self.where, self.sizes = [DECK] * self.cards, [0] * int(self.seats)

    def may_interrupt(self, seat: int) -> bool:
        return self.interruptible and self.to_act >= 0 and seat != self.to_act and self.sizes[seat] > 0

    def interruptions(self, seat: int) -> list[int]:
        return [card for card in self.lying(seat) if card >= self.cards - 2] if self.may_interrupt(seat) else []

    def cut_in(self, seat: int, action: int) -> None:
        self.put(seat, action)
        self.points[seat] += 1

    def scores(self) -> list[int]:
        return list(self.points)

    def seen_by(self, viewer: int) -> Position:
        view = self.copy()
        view.viewer = viewer
        if self.to_act != OVER:
            view.where = [where if where in (PLAYED, viewer) else UNKNOWN for where in self.where]
        return view

    def sees(self, viewer: int, action: int) -> bool:
        return self.to_act != CHANCE or viewer == self.drawer()

    def reveals(self, action: int) -> bool:
        return self.to_act >= 0 and not self.deck

    def determinize(self, dice: Dice) -> Position:
        whole = self.copy()
        whole.viewer = EVERYTHING
        unknown = [card for card in range(self.cards) if self.where[card] == UNKNOWN]
        for seat in range(self.seats):
            for _ in range(self.sizes[seat] if unknown and seat != self.viewer else 0):
                whole.where[unknown.pop(dice.below(len(unknown)))] = seat
        for card in unknown:
            whole.where[card] = DECK
        return whole

    def copy(self) -> Position:
        return type(self)(int(self.seats), self.cards, self.interruptible, of=self)

    def key(self) -> tuple[int, ...]:
        lying = [where + 4 for where in self.where]
        return (*lying, *self.sizes, *self.points, self.deck, self.round, self.dealt, self.turn, int(self.to_act))

    def census(self) -> tuple[int, ...]:
        return (sum(where != LOST for where in self.where), self.deck + sum(self.sizes) + self.where.count(PLAYED))

    def layout(self) -> list[tuple[str, int, int]]:
        return [("where each card is", self.cards, 1), ("hands, points and the rest", 2 * int(self.seats) + 5, 10)]

    def write_tensor(self, viewer: int, numbers: MutableSequence[int], at: int) -> int:
        everything = self.to_act == OVER or viewer == EVERYTHING
        seen = [where if everything or where in (PLAYED, viewer) else UNKNOWN for where in self.where]
        counts = [*self.sizes, *(points + 100 for points in self.points), self.deck, self.round, self.dealt, self.turn]
        for number in (*(where - LOST for where in seen), *counts, self.to_act - OVER):
            numbers[at] = number
            at += 1
        return at

    def picture(self) -> str:
        return f"{self.where} {self.sizes} {self.points} {self.deck}"


GAME = ToyGame("hats", Hats, secrets=True)
BELLS = ToyGame("bells", Hats, secrets=True, bells=True)
