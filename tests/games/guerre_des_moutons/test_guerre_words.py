"""What La Guerre des Moutons says: where a tile was laid, by things that everybody can point at, and why somebody can only pass."""

from __future__ import annotations

import pytest
from guerre_table import play, table

from sheepfold.core.position import HIDDEN, SPECTATOR
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.landmarks import beside
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.messages import Voice

LAND = """
O  rrbv .  .
.  bfrr Wb .
"""


def voice(language="en"):
    return Voice([GAME.folder / "locale"], language, ["Anna", "Ben"])


@pytest.mark.parametrize(
    ("east", "south", "said"),
    [
        (0, -1, "north of the village square"),
        (-1, 1, "south-west of the village square"),
        (0, -3, "a little north of the village square"),
        (-1, -3, "a little north of the village square"),
        (0, -5, "far north of the village square"),
        (3, 1, "east of the wolf"),
        (3, 0, "north-east of the wolf"),
        (4, 3, "a little south-east of the wolf"),
        (1, -1, "north of the blue pen of 2"),
    ],
)
def test_a_place_is_named_by_the_nearest_landmark(east, south, said):
    assert beside(table(LAND), MIDDLE + south * WIDTH + east, voice()) == said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "east of the black shepherd"), ("fr", "à l'est du berger noir"), ("de", "östlich des schwarzen Schäfers")]
)
def test_landmarks_in_every_language(language, said):
    assert beside(table("O rkbv @k"), MIDDLE + 3, voice(language)) == said


def test_of_two_wolves_none_is_the_wolf():
    place = MIDDLE + 3 + WIDTH
    assert beside(table(LAND), place, voice()) == "east of the wolf"
    assert "wolf" not in beside(table(LAND + ". . Wk ."), place, voice())


def test_the_log_tells_where_a_tile_lies_and_what_it_draws():
    before = table(LAND, hands=("ffrr", "kkkk"), bag="bbbb")
    chosen = play(before.copy(), "1 ffrr")
    action = GAME.read(chosen, "s1e3 rrff")
    laid = chosen.copy()
    laid.apply(action)
    taken_up = [GAME.tell(before.seen_by(seat), GAME.read(before, "ffrr"), chosen.seen_by(seat), voice()) for seat in (0, 1)]
    assert taken_up == [["Anna takes the forest-red landscape from the hand."], []], "the others read of it when it lies"
    said = GAME.tell(chosen.seen_by(1), action, laid.seen_by(1), voice())
    assert said == ["Anna lays the forest-red landscape, east of the wolf.", "That draws 1 tile."]
    drawn = laid.copy()
    drawn.apply(laid.legal()[0])
    assert GAME.tell(laid.seen_by(1), HIDDEN, drawn.seen_by(1), voice()) == [], "it was said already"
    assert "blue" in GAME.tell(laid.seen_by(0), laid.legal()[0], drawn.seen_by(0), voice())[0]


@pytest.mark.parametrize(
    ("drawing", "hand", "said"),
    [("O", "rrbb|kkkk", "village square"), (LAND, "kkkk|yyyy", "fits anywhere"), (LAND, "kkkk|yyyy Wy", "wolf"), ("O", "vvrr", "")],
)
def test_who_can_only_pass_is_told_why_and_nobody_else(drawing, hand, said):  # GM-5
    position = table(drawing, hands=(hand, "kkkk"), colours="yk")
    usual = "Anna: choose a face to lay, or retire."
    own = GAME.prompt(position.seen_by(0), voice())
    assert (said in own and own != usual) if said else own == usual
    assert [GAME.prompt(position.seen_by(other), voice()) for other in (1, SPECTATOR)] == [usual, usual]
