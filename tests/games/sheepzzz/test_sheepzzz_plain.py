"""The rules of Sheepzzz against a second, slow and plain implementation, through whole random games."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache

import pytest
from sheepzzz_plain import Plain

from plain_games import SetUp, agree_on, every_setup, in_short, tables_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.notation import card_text
from sheepfold.games.sheepzzz.rules import BITE, DEAL, DECK, DRAW, HAND, NONE, PILE, PLAY, TAKEN, UP, Cards, Sheepzzz

SETUPS = every_setup(GAME)


@lru_cache(maxsize=2)
def texts_of(cards: Cards) -> list[str]:
    return [card_text(cards, kind) for kind in range(cards.kinds)]


def seen(view: Sheepzzz) -> tuple[object, ...]:
    """What a view tells."""
    texts = texts_of(view.cards)
    at: dict[int, Counter[str]] = defaultdict(Counter)
    for card in range(view.cards.count):
        at[int(view.place[card])][texts[view.cards.kind_of[card]]] += 1
    piles = [None if view.top[pile] == NONE else (at[PILE + pile], texts[view.top[pile]]) for pile in range(3)]
    hands = [at[HAND + seat] for seat in range(view.seats)]
    taken = [at[TAKEN + seat] for seat in range(view.seats)]
    return piles, hands, taken, at[DECK], list(view.hand_size), int(view.deck_size), view.direction, view.scores()


def plainly(other: Plain, viewer: int) -> tuple[object, ...]:
    """SZ-20: the own hand, and all that lies or was taken; the rest is one heap."""
    piles = [None if pile is None else (Counter(pile), pile[-1]) for pile in other.piles]
    hands = [Counter(hand) if seat == viewer else Counter() for seat, hand in enumerate(other.hands)]
    heap = Counter(other.deck) + sum((Counter(hand) for seat, hand in enumerate(other.hands) if seat != viewer), Counter())
    sizes = [len(hand) for hand in other.hands]
    return piles, hands, list(map(Counter, other.taken)), heap, sizes, len(other.deck), other.direction, other.totals


def agree(setup: SetUp, seed: str) -> int:
    """One random game, compared at every decision; how many there were. Some are played on without taking piles where it can be helped."""
    dice, decisions = Dice(f"{setup} {seed}"), 0
    begun = setup.begin(seed)
    position, other = begun.start(), Plain(setup.seats, begun.options, tables_of(begun))
    telling = other.game()
    who, choices = next(telling)
    careful = dice.below(2) == 0
    while position.to_act != OVER:
        assert position.to_act == (CHANCE if who == -1 else who)
        actions = {GAME.write(position, action): action for action in position.legal()}
        assert set(actions) == set(choices)
        decisions += 1
        viewer = int(dice.below(setup.seats + 1)) - 1
        viewer = SPECTATOR if viewer < 0 else viewer
        if who == -1:
            assert dict(zip(actions, position.weights(), strict=True)) == choices
            hidden = position.stage in (DEAL, DRAW) and viewer != position.turn
            assert position.sees(viewer, next(iter(actions.values()))) != hidden
        else:
            assert position.seen_by(who).legal() == list(actions.values())
        found, told = seen(position.seen_by(viewer)), plainly(other, viewer)
        if position.stage == BITE:  # the pile is being shuffled and has no top
            found, told = found[1:], told[1:]
        assert found == told
        if position.stage == PLAY:
            assert (position.order == UP) == other.up
            piles = {text[-1] for text in choices if text.startswith("take")}
            assert piles == ({str(position.imposed + 1)} if position.imposed != NONE else piles)
        text = GAME.write(position, int(position.random_action(dice)))
        if careful and text.startswith("take"):
            cards = [text for text in choices if " on " in text]
            text = cards[int(dice.below(len(cards)))] if cards else text
        position.apply(actions[text])
        try:
            who, choices = telling.send(text)
        except StopIteration:
            assert position.to_act == OVER, text
    assert position.scores() == other.totals
    assert position.ranks() == [1 + sum(less < total for less in other.totals) for total in other.totals]
    return decisions


@pytest.mark.parametrize("setup", in_short(SETUPS), ids=str)
def test_whole_games_agree(setup: SetUp) -> None:  # SZ-1 to SZ-21
    agree_on(agree, setup, 1)
