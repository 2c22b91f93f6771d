"""The moments of Sheepzzz: the end of a round, on drawn tables."""

from __future__ import annotations

import re

import pytest
from sheepzzz_table import do, table

from sheepfold import OVER, SPECTATOR
from sheepfold.core.dice import Dice
from sheepfold.games.sheepzzz import GAME
from sheepfold.messages import Voice

VOICE = Voice([GAME.folder / "locale"], "en", ["Ann", "Bea", "Cleo"])


def moment(position, text, viewer=1):
    """What play stops for when that happens, as a viewer sees it."""
    before, action = position.copy(), GAME.read(position, text)
    position.apply(action)
    return GAME.moment(before.seen_by(viewer), action, position.seen_by(viewer), VOICE)


def drawn(gain):
    """The cards in the picture of a gain, as it is read aloud."""
    found = re.search(r'aria-label="([^"]*)"', gain.picture)
    return found[1] if found else ""


TAKEN = "The deck is empty and a pile was taken: the round is over. "
LAST = "up, clockwise\npiles: 4/2 | 6 | 12\nA> 9/5\nB: 10\nC: 1\nrest: under 3"


def test_taken_cards_and_those_left_in_hand_are_counted():  # SZ-15 SZ-16
    position = table(LAST, totals=[10, 10, 10])
    assert moment(position, "take 1") is None
    assert moment(position, "draw 9/5") is None
    do(position, "draw 10/0")
    found = moment(position, "draw 1")
    assert found.title == "Round 1: pillows are counted"
    assert [(gain.points, gain.total) for gain in found.gains] == [(7, 17), (0, 10), (5, 15)]
    assert [gain.reasons for gain in found.gains] == [
        ("1 card worth 5: 5", "1 card worth 2: 2"),
        ("0 pillows",),
        ("1 card worth 5: 5",),
    ]
    assert [drawn(gain) for gain in found.gains] == ["9 (5 pillows), 4 (2 pillows)", "", "1 (5 pillows)"]
    assert found.note == TAKEN + "Ann has the most pillows and starts the next round."


def test_a_count_says_why_there_is_one():  # SZ-14
    out = table("up, clockwise\npiles: 4/2 | 6 | 12\nA> 9/5\nB:\nC:\nrest: under 3")
    assert moment(out, "9/5 on 1").note.startswith("Nobody has a card left: the round is over. ")
    first = table(LAST, first_out_ends=True)
    do(first, "9/5 on 1", "draw 10/0")
    assert moment(first, "draw 1").note.startswith("The first player has no card left: the round is over. ")
    taken = table(LAST, first_out_ends=True)  # whether it was this, the position no longer shows
    do(taken, "take 1", "draw 9/5", "draw 10/0")
    assert "the round is over" not in moment(taken, "draw 1").note


def test_the_end_says_who_wins():  # SZ-17
    position = table(LAST, totals=[70, 10, 10])
    do(position, "take 1", "draw 9/5", "draw 10/0")
    found = moment(position, "draw 1")
    assert position.to_act == OVER
    assert found.note == TAKEN + "Ann has 75 pillows or more and falls asleep. Bea wins with the fewest pillows: 10."


@pytest.mark.parametrize("viewer", [0, 2, SPECTATOR])
def test_in_a_game_of_memory_the_sums_are_told_and_no_card(viewer):  # SZ-22
    position = table(LAST, totals=[10, 10, 10], memory_game=True)
    do(position, "take 1", "draw 9/5", "draw 10/0")
    found = moment(position, "draw 1", viewer)
    assert [gain.reasons for gain in found.gains] == [("7 pillows",), ("0 pillows",), ("5 pillows",)]
    assert not any(gain.picture for gain in found.gains)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_what_is_counted_is_what_is_scored(seats):  # SZ-15
    """Whatever ended the round: the reasons add up to the pillows."""
    for seed in range(12):
        position, dice, rounds = GAME.setup(seats).start(), Dice(f"counted {seats} {seed}"), 0
        while position.to_act != OVER and rounds < 3:
            before, action = position.copy(), int(position.random_action(dice))
            position.apply(action)
            if found := GAME.moment(before.seen_by(0), action, position.seen_by(0), VOICE):
                rounds += 1
                for gain in found.gains:
                    summed = sum(int(reason.split(": ")[1]) for reason in gain.reasons) if gain.points else 0
                    assert summed == gain.points
        assert rounds
