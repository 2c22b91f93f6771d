"""Positions of Sheepzzz, drawn, for tests.

    table('''
        up, clockwise
        piles: 14 | 6 | 12 9/2
        A> 3 5 7 8 wolf    taken: 10/5
        B: 1 2
        deck: 4
        rest: under 3
    ''')

A pile is written from bottom to top. `>` marks whose turn it is. A number without pillows means the sheep of that number with the
fewest that is still free. Cards that are not named are in the deck,
or, with `rest`, under a pile.
"""

from __future__ import annotations

import sheepfold
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.notation import card_text
from sheepfold.games.sheepzzz.rules import DECK, DOWN, HAND, NONE, PILE, PILES, PLAY, TAKEN, UP, Sheepzzz

LETTERS = "ABCDE"
LEFT_OVER = 99


def kind_of(position: Sheepzzz, text: str) -> int:
    """The kind that a card's text means; for a bare number the first that is still free."""
    cards = position.cards
    for kind in range(cards.kinds):
        free = any(position.place[card] == LEFT_OVER for card in range(cards.first[kind], cards.first[kind + 1]))
        if free and text in (card_text(cards, kind), str(cards.numbers[kind])):
            return kind
    raise ValueError(f"no card {text} is left")


def put(position: Sheepzzz, texts: str, place: int) -> list[int]:
    kinds = []
    for text in texts.split():
        kind = kind_of(position, text)
        card = next(card for card in range(position.cards.first[kind], position.cards.first[kind + 1]) if position.place[card] == LEFT_OVER)
        position.place[card] = place
        kinds.append(kind)
    return kinds


def table(drawing: str, totals: list[int] | None = None, **options: object) -> Sheepzzz:
    """The position that a drawing shows, with its turn about to be played."""
    lines = [line.strip() for line in drawing.strip().splitlines()]
    hands = [line for line in lines if line[0] in LETTERS and line[1] in ":>"]
    position = sheepfold.load("sheepzzz", seats=len(hands), **options).start()
    assert isinstance(position, Sheepzzz)
    for card in range(position.cards.count):
        position.place[card] = LEFT_OVER
    position.order = UP if "up" in lines[0] else DOWN
    position.direction = -1 if "anticlockwise" in lines[0] else 1
    position.starter = 0
    rest = DECK
    for line in lines[1:]:
        word, _, cards = line.partition(" ")
        if word == "piles:":
            for pile, content in enumerate(cards.split("|")):
                kinds = put(position, content.replace("-", ""), PILE + pile)
                position.top[pile] = kinds[-1] if kinds else NONE
        elif word == "deck:":
            put(position, cards, DECK)
        elif word == "rest:":
            rest = PILE + int(cards.removeprefix("under ")) - 1
        else:
            seat = LETTERS.index(word[0])
            held, _, taken = cards.partition("taken:")
            position.hand_size[seat] = len(put(position, held, HAND + seat))
            put(position, taken, TAKEN + seat)
            if word[1] == ">":
                position.turn = seat
    for card in range(position.cards.count):
        if position.place[card] == LEFT_OVER:
            position.place[card] = rest
    position.deck_size = sum(position.count_at(DECK))
    for pile in range(PILES):
        position.pile_size[pile] = sum(position.count_at(PILE + pile))
    for seat, total in enumerate(totals or []):
        position.totals[seat] = total
    position.stage = PLAY
    position.to_act = position.turn
    return position


def do(position: Sheepzzz, *texts: str) -> Sheepzzz:
    """Let these events happen, one after the other, with all checks."""
    for text in texts:
        position.apply(GAME.read(position, text))
    return position


def legal(position: Sheepzzz) -> list[str]:
    """The legal actions as texts."""
    return [GAME.write(position, action) for action in position.legal()]


def held(position: Sheepzzz, seat: int) -> list[str]:
    """The cards in that hand."""
    return lying(position, HAND + seat)


def lying(position: Sheepzzz, place: int) -> list[str]:
    """The cards at a place, in order of their numbers."""
    return [card_text(position.cards, kind) for kind, count in enumerate(position.count_at(place)) for _ in range(count)]


def top(position: Sheepzzz, pile: int) -> str:
    """The top of a pile, counted from 1; '-' where there is none."""
    kind = position.top[pile - 1]
    return "-" if kind == NONE else card_text(position.cards, kind)
