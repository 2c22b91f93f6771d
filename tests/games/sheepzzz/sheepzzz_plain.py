"""Sheepzzz a second time, slow and plain, as a check on the first: cards are texts, and a game is told from start to end.

Written from the dossier alone, its tables of cards too; nothing is shared with the compiled rules. `game` yields who is to act and what
may be done (texts, for chance with their weights), and is sent the text of what was done. Cards are dealt and laid open one by one:
dealt clockwise from the starter, laid open seat by seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable

CHANCE = -1
COPIES = {
    number: 1 if number in (1, 2, 3, 17, 18, 19) else 2 if number in (4, 5, 15, 16) else 4 if 9 <= number <= 11 else 3
    for number in range(1, 20)
}
LONE = {1: 5, 19: 5, 2: 4, 3: 4, 17: 4, 18: 4}
PRINTED = {
    "sheep": {number: [0, 2, 3, 5][:copies] if copies > 1 else [LONE[number]] for number, copies in COPIES.items()},
    "wolves": {"cards": 4},
    "powers": {"names-next": [1, 19], "turns-play": [2, 3, 17, 18]},
}
"""SZ-8, SZ-9, SZ-30, SZ-31, as somebody's own box says it too."""
Telling = Generator[tuple[int, dict[str, int]], str, object]


def number_on(card: str) -> int:
    return int(card.split("/")[0])


class Plain:
    """One game. A pile is a list, its top the last card; None where there is none."""

    def __init__(self, seats: int, options: dict[str, object], box: dict[str, dict[object, object]] | None = None) -> None:
        self.seats, self.first = seats, options["first-starter"]
        self.names, self.first_out = options["reverse-names-player"], options["first-out-ends"]
        box = box or PRINTED
        self.names_next, self.turns_play = box["powers"]["names-next"], box["powers"]["turns-play"]
        self.cards = ["wolf"] * box["wolves"]["cards"]
        self.pillows = {"wolf": 0}
        for number, copies in box["sheep"].items():
            for pillows in copies if number != "source" else ():
                self.cards.append(str(number) if len(set(copies)) == 1 else f"{number}/{pillows}")
                self.pillows[self.cards[-1]] = pillows
        self.totals = [0] * seats
        self.gather()

    def gather(self) -> None:
        self.deck = list(self.cards)
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.taken: list[list[str]] = [[] for _ in range(self.seats)]
        self.piles: list[list[str] | None] = [None, None, None]
        self.up, self.direction = True, 1
        self.imposed: int | None = None

    def drawn(self, cards: Iterable[str]) -> Generator[tuple[int, dict[str, int]], str, str]:
        """One card by chance."""
        text = yield CHANCE, {f"draw {card}": count for card, count in Counter(cards).items()}
        return text.removeprefix("draw ")

    def game(self) -> Telling:
        starter = self.first
        if starter == "drawn":  # SZ-3
            starter = (yield CHANCE, {f"starter {seat + 1}": 1 for seat in range(self.seats)})[-1]
        starter = int(starter) - 1
        for _ in range(100):  # SZ-17
            yield from self.round(starter)
            for seat in range(self.seats):  # SZ-15
                self.totals[seat] += sum(self.pillows[card] for card in self.taken[seat])
            self.gather()
            if max(self.totals) >= 75:  # SZ-16
                return
            clockwise = [(starter + step) % self.seats for step in range(1, self.seats + 1)]
            starter = max(clockwise, key=lambda seat: self.totals[seat])  # the first of equals

    def round(self, starter: int) -> Telling:
        for pile in range(3):  # SZ-2
            card = yield from self.drawn(card for card in self.deck if card != "wolf")
            self.deck.remove(card)
            self.piles[pile] = [card]
        for step in range(5 * self.seats):
            yield from self.get((starter + step) % self.seats)
        self.up = (yield starter, {"up": 0, "down": 0}) == "up"
        player: int | None = starter
        while player is not None:
            player = yield from self.turn(player)
        for seat in range(self.seats):  # SZ-18
            while self.hands[seat]:
                card = yield from self.drawn(self.hands[seat])
                self.hands[seat].remove(card)
                self.taken[seat].append(card)

    def get(self, player: int) -> Telling:
        if self.deck:
            card = yield from self.drawn(self.deck)
            self.deck.remove(card)
            self.hands[player].append(card)

    def fits(self, card: str, top: str) -> bool:
        """SZ-5, SZ-12."""
        if card == "wolf":
            return True
        apart = number_on(card) - number_on(top)
        return apart > 0 or apart == -10 if self.up else apart < 0 or apart == 10

    def is_out(self) -> bool:
        """SZ-14."""
        without = [not hand for hand in self.hands]
        return not self.deck and (all(without) or (self.first_out and any(without)))

    def turn(self, player: int) -> Generator[tuple[int, dict[str, int]], str, int | None]:
        """One turn (SZ-4); who plays next, or None where the round is over."""
        hand = self.hands[player]
        allowed = [pile for pile in range(3) if self.piles[pile] is not None and self.imposed in (None, pile)]  # SZ-10
        self.imposed = None
        choices = [f"take {pile + 1}" for pile in allowed]
        choices += [f"{card} on {pile + 1}" for card in hand for pile in allowed if self.fits(card, self.piles[pile][-1])]
        text = yield player, dict.fromkeys(choices, 0)
        pile = int(text[-1]) - 1
        card = text.split()[0]
        if card == "take":  # SZ-6, SZ-7
            self.taken[player] += self.piles[pile]
            self.piles[pile] = None
            if not self.deck:
                return None
            text = yield player, {f"start {card}": 0 for card in hand if card != "wolf"}
            card = text.removeprefix("start ")
            self.piles[pile] = []
        hand.remove(card)
        self.piles[pile].append(card)
        following = None
        if card == "wolf":
            if not (yield from self.wolf(player, pile)):
                return None
        elif any(self.hands[seat] for seat in range(self.seats) if seat != player) and not self.is_out():  # SZ-11
            following = yield from self.power(player, number_on(card))
        yield from self.get(player)
        if self.is_out():
            return None
        if following is None:
            following = self.next_to(player)
        return following

    def next_to(self, player: int) -> int:
        around = [(player + step * self.direction) % self.seats for step in range(1, self.seats + 1)]
        return next(seat for seat in around if self.hands[seat] or seat == player)

    def wolf(self, player: int, pile: int) -> Generator[tuple[int, dict[str, int]], str, bool]:
        """SZ-12, SZ-13; whether the round goes on."""
        self.up = not self.up
        cards = self.piles[pile]
        card = yield from self.drawn(cards)
        if card != "wolf":
            cards.remove(card)
            cards.append(card)
            return True
        self.taken[player] += cards
        self.piles[pile] = None
        return bool(self.deck) and self.piles != [None, None, None]

    def power(self, player: int, number: int) -> Generator[tuple[int, dict[str, int]], str, int | None]:
        """SZ-8, SZ-9, SZ-11; who was named."""
        named = None
        if number not in (*self.names_next, *self.turns_play):
            return None
        if number in self.turns_play and (yield player, {"turn": 0, "keep": 0}) == "turn":
            self.direction = -self.direction
        if number in self.names_next or self.names:
            others = [seat for seat in range(self.seats) if seat != player and self.hands[seat]]
            named = others[0]
            if len(others) > 1:
                named = int((yield player, {f"next {seat + 1}": 0 for seat in others})[-1]) - 1
        left = [pile for pile in range(3) if self.piles[pile] is not None]
        if len(left) > 1:
            text = yield player, dict.fromkeys(["free", *(f"impose {pile + 1}" for pile in left)], 0)
            self.imposed = None if text == "free" else int(text[-1]) - 1
        return named
