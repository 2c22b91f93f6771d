"""The moments of La Guerre des Moutons: pens of several colours that change at once, who is out, and the final count, on drawn tables."""

from __future__ import annotations

import pytest
from guerre_table import play, table

from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.moments import Gain, Step
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.messages import Voice

VOICE = Voice([GAME.folder / "locale"], "en", ["Ann", "Bea", "Cy", "Di"])
TWO_PENS = """
    O    vkrv .    .  kyyk kkky
    vrkk @r   kfkr Wk ykkf .
    .    rkkk .    .  .    .
"""
"""A red pen of 8 and a yellow one of 4, beside one forest with a wolf."""


def moment(position, event, viewer=0):
    """What play stops for when that happens, as a viewer sees it."""
    before = position.copy()
    play(position, event)
    return GAME.moment(before.seen_by(viewer), 0, position.seen_by(viewer), VOICE)


def hunted(viewer, shown=""):
    position = table(TWO_PENS, ("Hr vkkk", "vkkk"), bag="bbbb bbbk bbby bbbr", colours="ry", shown=shown)
    play(position, "1 hunter-r")
    return moment(position, "1 on s1e3", viewer)


def test_a_hunter_frees_pens_of_two_colours():  # GM-13 GM-15
    found = hunted(viewer=0)
    assert found.title == "No wolf any more: pens of several colours count"
    assert found.gains == (Gain(0, 8, 8, ("largest red pen, 8 sheep",)),)
    assert found.steps == (Step(("pen-e1-s",), 8), Step(("pen-e4-e",), 4))
    assert found.note.startswith("The closed red pen of 8 sheep is safe from wolves again")


def test_nobody_is_told_whose_pens_they_are():  # GM-30
    assert hunted(viewer=1).gains == (Gain(1, 4, 4, ("largest yellow pen, 4 sheep",)),)
    watched = hunted(viewer=SPECTATOR)
    assert watched.gains == () and watched.steps
    assert hunted(viewer=SPECTATOR, shown="y").gains == (Gain(1, 4, 4, ("largest yellow pen, 4 sheep",)),)  # Bea's is open


def test_pens_of_one_colour_stop_nothing():
    position = table("O vfrv .\n. rkrk .", ("vkkk", "Wk Hb"), bag="bbbb bbbk bbby bbbr", colours="rk")
    play(position, "2! wolf-k")
    assert moment(position, "2 e2") is None


@pytest.mark.parametrize(("tile", "stops"), [("kkyr", True), ("kkkr", False)])
def test_a_tile_that_closes_pens_of_two_colours(tile, stops):  # GM-17
    corner = "ykkv" if stops else "kkkv"
    position = table(f"O vrvv .\nvvvv vvvv {corner}", (tile, "vkkk"), bag="bbbb bbbk", colours="ry")
    play(position, f"1 {tile}")
    found = moment(position, f"1 e2 {tile}")
    assert bool(found) == stops
    if stops:
        assert found.title == "Closed at one stroke: pens of several colours count"
        assert found.gains == (Gain(0, 2, 2, ("largest red pen, 2 sheep",)),)
        assert [step.points for step in found.steps] == [2, 2]


@pytest.mark.parametrize(("shown", "stops"), [("b", True), ("bk", False)])
def test_pens_that_are_known_to_be_nobodys_stop_nothing(shown, stops):
    position = table("O vrvv .\nvvvv vvvv ykkv", ("kkyr", "vkkk"), bag="bbbb bbbk", colours="bk", shown=shown)
    play(position, "1 kkyr")
    assert bool(moment(position, "1 e2 kkyr")) == stops


def test_who_is_out_and_with_which_bonus():  # GM-19
    position = table("O", ["vkkk"] * 3, bag="rrrr")
    found = moment(position, "1 retire", viewer=1)
    assert found.title == "Ann is out as number 1"
    assert found.gains == (Gain(0, 6, 6, ("out as number 1: +6",)), Gain(1, 0, 0, ("no yellow pen that counts",)))
    assert (found.steps, found.note) == ((), "")


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_at_the_end_everybody_is_counted(viewer):  # GM-18 GM-22
    position = table(TWO_PENS.replace("Wk", "Hk"), ("vkkk", "vkkk"), bag="bbbb", colours="ry")
    play(position, "1 retire")
    found = moment(position, "2 retire", viewer)
    assert position.to_act == OVER
    assert found.title == "The game is over: the largest pens count"
    assert found.gains == (
        Gain(0, 14, 14, ("largest red pen, 8 sheep", "out as number 1: +6")),
        Gain(1, 7, 7, ("largest yellow pen, 4 sheep", "out as number 2: +3")),
    )
    assert {step.points for step in found.steps} == {8, 4}
    assert found.note == "Ann wins with 14 points."
