"""The rules against the plain second implementation, through whole random games that differ from run to run.

A failure names its seed; `SHEEPFOLD_SEED=seed pytest tests/games/shear_panic/test_shear_panic_second.py` plays the same games again.
"""

from __future__ import annotations

import os
import secrets

import pytest
from shear_panic_draw import flock, play
from shear_panic_plain import Plain
from shear_panic_second import SETUPS, facts, plain_facts, whole_game

from sheepfold.games.shear_panic.rules import ShearPanic

SEED = os.environ.get("SHEEPFOLD_SEED") or secrets.token_hex(4)


@pytest.mark.parametrize(("seats", "chosen"), SETUPS)
def test_whole_games_agree(seats: int, chosen: dict[str, bool]) -> None:  # SP-1 to SP-84
    assert whole_game(seats, chosen, SEED) > 30


def test_what_was_played_and_the_seed_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: a rule that is broken is found, and can be played again."""
    monkeypatch.setattr(Plain, "look_for_panic", Plain.end_turn)
    with pytest.raises(AssertionError, match=r"4 seats, \{\}, seed again, after \['first \d', 'die "):
        whole_game(4, {}, "again")


def test_facts_tell_positions_apart() -> None:
    position, other = flock("Y B R\nG K Y\nB R G", active="Y"), Plain(4)
    assert isinstance(position, ShearPanic)
    other.begin(1)
    other.stage = "square"
    assert facts(position) == plain_facts(other)
    play(position, "slam 3", "slam y2 w")
    for text in ("slam 3", "slam y2 w"):
        assert facts(position) != plain_facts(other)
        other.play(text)
    assert facts(position) == plain_facts(other)
