"""What a position of Sheepzzz is worth, for bots: few pillows are good.

Counted are the pillows of earlier rounds and of the piles taken in this one, the cards in hand when the deck is nearly out, and
the cheapest pile where no card fits, because it will have to be taken. Playouts take a pile only now and then unless they must.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from mypy_extensions import i64

from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import vec
from sheepfold.core.position import OVER, Position
from sheepfold.games.sheepzzz.rules import (
    ASLEEP,
    HAND,
    PILE,
    PILES,
    PLAY,
    STARTER,
    TABLE,
    TAKE,
    TAKEN,
    Sheepzzz,
    follows,
)

A_ROUND: Final = 12.0
"""About so many pillows does a seat collect in a round."""

NOTHING: Final = vec[i64]([0] * 5)
"""A count for every seat, to be copied."""


class SheepzzzEvaluator(Evaluator):
    """Judges by pillows had and pillows to come."""

    stuck: float
    """How sure it is that who cannot play will take the cheapest pile."""
    choice: float
    """What each card that fits is worth, up to three."""
    wolf: float
    """What a wolf in hand is worth."""
    late: float
    """With so few cards in the deck, or fewer, the hand begins to count."""

    def __init__(
        self, scale: float = 9.0, margin: float = 0.1, stuck: float = 0.7, choice: float = 0.8, wolf: float = 1.5, late: float = 6.0
    ) -> None:
        super().__init__(scale, margin)
        self.stuck = stuck
        self.choice = choice
        self.wolf = wolf
        self.late = late

    def points(self, position: Position) -> list[float]:
        assert isinstance(position, Sheepzzz)
        expected = [-float(total) for total in position.totals]
        if position.to_act == OVER or position.stage == TABLE or position.stage == STARTER:
            return expected
        seats = position.seats
        cards = position.cards
        pillows = position.pillows()
        fitting = NOTHING[:]
        wolves = NOTHING[:]
        last: i64 = -1  # cards of one kind follow each other
        fits = False
        card: i64 = 0
        for place in position.place:
            if place >= HAND:
                kind = cards.kind_of[card]
                if kind == cards.wolf:
                    wolves[place - HAND] += 1
                else:
                    if kind != last:
                        fits = _fits_somewhere(position, cards.numbers[kind])
                        last = kind
                    if fits:
                        fitting[place - HAND] += 1
            card += 1
        cheapest: i64 = 1000
        pile: i64 = 0
        while pile < PILES:
            if position.pile_size[pile] > 0 and pillows[PILE + pile] < cheapest:
                cheapest = pillows[PILE + pile]
            pile += 1
        seat: i64 = 0
        while seat < seats:
            value = -float(pillows[TAKEN + seat])
            if float(position.deck_size) <= self.late:
                value -= float(pillows[HAND + seat]) * (1.0 - float(position.deck_size) / (self.late + 1.0))
            value += self.wolf * float(wolves[seat]) + self.choice * float(fitting[seat] if fitting[seat] < 3 else 3)
            if fitting[seat] == 0 and wolves[seat] == 0 and position.hand_size[seat] > 0:
                value -= self.stuck * float(cheapest)
            expected[seat] = expected[seat] + value
            seat += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, Sheepzzz)
        most: i64 = 0
        for total in position.totals:
            if total > most:
                most = total
        return self.scale * sqrt(0.5 + max(0.0, float(ASLEEP - most)) / A_ROUND)

    def quiet(self, position: Position) -> bool:
        """Between two rounds nothing is hidden and nobody holds anything."""
        assert isinstance(position, Sheepzzz)
        return position.stage == TABLE

    def playout_action(self, position: Position, dice: Dice) -> i64:
        """Three draws to find a card that fits; else the pile with the fewest pillows is taken."""
        assert isinstance(position, Sheepzzz)
        action = position.random_action(dice)
        if position.stage != PLAY:
            return action
        tries: i64 = 0
        while action < TAKE + PILES and tries < 3:
            action = position.random_action(dice)
            tries += 1
        return _cheapest_pile(position) if action < TAKE + PILES else action


def _fits_somewhere(position: Sheepzzz, number: i64) -> bool:
    pile: i64 = 0
    while pile < PILES:
        if position.pile_size[pile] > 0 and follows(number, position.cards.numbers[position.top[pile]], position.order):
            return True
        pile += 1
    return False


def _cheapest_pile(position: Sheepzzz) -> i64:
    pillows = position.pillows()
    best: i64 = -1
    pile: i64 = 0
    while pile < PILES:
        if position.playable(pile) and (best < 0 or pillows[PILE + pile] < pillows[PILE + best]):
            best = pile
        pile += 1
    return TAKE + best


EVALUATOR: Final = SheepzzzEvaluator()
