"""Whole games of Sheepzzz: everything counted at every ply, in the position and in views."""

from __future__ import annotations

import pytest
from sheepzzz_random_games import random_game

import sheepfold
from sheepfold import OVER, Dice
from sheepfold.games.sheepzzz.rules import CARD, NEXT, PLAY, TAKE, Sheepzzz


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("option", ["none", "reverse-names-player", "first-out-ends"])
def test_random_games_lose_no_card_and_end(seats: int, option: str):  # SZ-1 SZ-15 SZ-16
    setup = sheepfold.load("sheepzzz", seats=seats, **({} if option == "none" else {option: True}))
    for game in range(4):
        random_game(setup, Dice(f"{option} {seats} {game}"))


def careful(position: Sheepzzz, dice: Dice) -> int:
    """A player who counts in small steps, and takes a pile, the smallest, only when nothing fits."""
    actions = position.legal()
    if position.stage != PLAY:
        return actions[dice.below(len(actions))]
    steps = {}
    for action in actions:
        if action >= NEXT:
            kind, pile = divmod(action - CARD - 2 * position.cards.kinds, 3)
            top = int(position.cards.numbers[position.top[pile]])
            steps[action] = 50 if kind == position.cards.wolf else abs(int(position.cards.numbers[kind]) - top)
    return min(steps, key=lambda action: steps[action]) if steps else min(actions, key=lambda action: position.pile_size[action - TAKE])


@pytest.mark.parametrize("seats", [2, 4])
def test_careful_players_need_a_few_rounds(seats: int):  # SZ-31
    setup = sheepfold.load("sheepzzz", seats=seats)
    rounds, games = 0, 40
    for game in range(games):
        dice, position = Dice(f"careful {seats} {game}"), setup.start()
        assert isinstance(position, Sheepzzz)
        while position.to_act != OVER:
            position.advance(careful(position, dice) if position.to_act >= 0 else position.random_action(dice))
        rounds += int(position.rounds)
    assert 4 * 0.8 < rounds / games < 6 * 1.2
