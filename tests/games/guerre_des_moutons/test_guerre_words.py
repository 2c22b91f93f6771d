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
    assert taken_up == [[], []], "it is read when it lies; until then the prompt says it"
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
    usual, of_another = "Lay a tile: choose one of its two faces.", "Anna chooses a tile."
    own = GAME.prompt(position.seen_by(0), voice())
    assert (said in own and own != usual) if said else own == usual
    assert [GAME.prompt(position.seen_by(other), voice()) for other in (1, SPECTATOR)] == [of_another, of_another]


def told(position, event, seat=None, viewer=0):
    """What a viewer reads of that event; `seat`: who acts out of turn."""
    before = position.copy()
    action = GAME.read(position, event.split(maxsplit=1)[1], seat)
    play(position, event)
    return GAME.tell(before.seen_by(viewer), action, position.seen_by(viewer), voice(), seat)


def test_what_comes_out_of_turn_is_told_as_such():  # GM-8 GM-9
    position = table(LAND, hands=("rrrr", "Hb kkkk"), bag="bbbb bbbk bbby")
    assert told(position, "2! hunter-b", 1) == ["Ben announces a hunter out of turn!"]
    own = table(LAND, hands=("Hb kkkk", "rrrr"), bag="bbbb bbbk bbby")
    assert told(own, "1 hunter-b") == ["Anna announces a hunter!"]
    shepherd = table(LAND, hands=("rrrr", "kkkk"), bag="bbbb", colours="kr")
    assert told(shepherd, "2! reveal r", 1) == ["Ben reveals the colour out of turn: red!"]


def test_a_hunter_on_a_wolf_says_what_it_draws():  # GM-13
    position = table(LAND, hands=("Hb kkkk", "rrrr"), bag="bbbb bbbk bbby")
    play(position, "1 hunter-b")
    said = told(position, "1 on s1e2")
    assert said[0].startswith("Anna lays a hunter on the wolf") and said[1] == "That draws 1 tile."


def test_who_has_no_other_wolf_or_hunter_is_told_so_and_nobody_else():  # GM-9 GM-30
    position = table(LAND, hands=("Wk kkkk", "Hb rrrr"), bag="bbbb bbbk bbby")
    play(position, "1 wolf-k", "1 s1e3")
    assert GAME.prompt(position.seen_by(0), voice()) == "You have no other wolf or hunter that fits: draw now."
    assert GAME.prompt(position.seen_by(1), voice()) == "Anna may announce another wolf or hunter."
    assert told(position, "1 done") == []


@pytest.mark.parametrize(
    ("drawing", "hand", "face", "said"),
    [
        ("O vfrv .\n. rkrk .", "Wk", "wolf-k", "A wolf threatens somebody else's pen (red): its 2 sheep count nothing."),
        ("O rrkv .\nvkkk . .", "krrk", "krrk", "It fits where it touches 2 tiles: you can draw as many."),
        ("O vvrv", "brbb", "brbb", ""),
    ],
)
def test_a_face_is_advised_for_what_it_can_do(drawing, hand, face, said):
    position = table(drawing, hands=(hand, "kkkk"), bag="bbbb bbbk", colours="yr")
    view = position.seen_by(0)
    assert GAME.reason(view, GAME.read(position, face), voice()) == said
