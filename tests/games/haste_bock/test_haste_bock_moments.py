"""The moments of Haste Bock?: walls, pens, phases and the end, on drawn pastures."""

import pytest
from haste_bock_drawn import GAME, hand, pasture, with_card

from sheepfold.game.moments import Step
from sheepfold.messages import Voice

VOICE = Voice([GAME.folder / "locale"], "en", ["Anna", "Bert", "Cleo", "Dan"])
ROGER = """
    . B G
    R R Y
    . Y .
    G . .
    B K .
"""
"""Figure 12."""


def moment(position, timer, value, text="turn cw"):
    """What play stops for when seat 0 turns the flock to the north with the timer on that space."""
    before = with_card(position, 0, f"turn {value}")
    before.timer = timer
    after = before.copy()
    after.apply(GAME.read(after, text))
    return GAME.moment(before.seen_by(0), GAME.read(before, text), after.seen_by(0), VOICE)


def test_at_the_wall_everybody_scores_row_by_row():  # HB-22
    found = moment(pasture(ROGER, facing="w"), 24, 1)
    assert found.title == "The timer has passed the wall: the rows score"
    assert [(gain.seat, gain.points, gain.total) for gain in found.gains] == [(0, 4, 4), (1, 5, 5), (2, 5, 5), (3, 6, 6)]
    assert found.gains[0].reasons == ("blue b1, row 1 from Roger: 4", "blue b2: 0")
    assert found.gains[3].reasons == ("red r1, row 2 from Roger: 3", "red r2, row 2 from Roger: 3")
    assert found.steps == (
        Step(("sheep-b1", "sheep-g1"), 4),
        Step(("sheep-y1", "sheep-r1", "sheep-r2"), 3),
        Step(("sheep-y2",), 2),
        Step(("sheep-g2",), 1),
    )
    assert found.note == ""


def test_neutral_sheep_make_rows_and_are_not_lit():  # HB-27
    found = moment(pasture(ROGER, seats=2, facing="w"), 24, 1)
    assert [gain.seat for gain in found.gains] == [0, 1]
    assert found.steps == (Step(("sheep-b1",), 4), Step(("sheep-y1",), 3), Step(("sheep-y2",), 2))


def test_the_pen_says_what_counts_next():  # HB-23
    found = moment(pasture(ROGER, facing="w"), 36, 3)
    assert found.title == "The timer is in the pen: the rows score"
    assert found.note.startswith("Roger leaves. Black is beautiful")
    assert moment(pasture(ROGER, facing="w"), 37, 2) is None  # so the new phase is no news


@pytest.mark.parametrize(("timer", "title"), [(12, "Roger's attraction"), (49, "Shear panic")])
def test_a_new_phase_is_said_without_points(timer, title):
    found = moment(pasture(ROGER, facing="w"), timer, 1)
    assert (found.title, found.gains, found.steps) == (title, (), ())
    assert "the north" in found.note


@pytest.mark.parametrize("timer", [0, 4, 14, 30, 40, 55, 70])
def test_what_one_player_gains_stops_nothing(timer):
    assert moment(pasture(ROGER, facing="w"), timer, 2) is None


def test_the_last_pen_is_the_end():  # HB-25
    found = moment(pasture(ROGER, facing="w"), 73, 3)
    assert found.title == "The last pen: the rows score, and the game is over"
    assert found.gains[2].reasons == ("green g1: 0", "green g2, row 2 from the back: 3")
    assert found.note == "Anna wins with 4 points."


def test_an_early_end_counts_the_last_turn_and_unused_cards_too():  # HB-12, HB-29
    position = pasture("B B Y Y G G R R K|", seats=3)
    for seat in range(3):
        hand(position, seat, "", "1 2" if seat == 1 else "")
    found = moment(position, 0, 1)
    assert found.title.startswith("Nobody can play any more")
    assert found.gains[0].reasons[2:] == ("own sheep touching: 2",)
    assert found.gains[1].reasons[2:] == ("2 movement cards left: -4",)
    for gain in found.gains:
        assert gain.points == gain.total
