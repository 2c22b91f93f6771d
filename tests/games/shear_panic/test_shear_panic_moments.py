"""The moments of Shear Panic: gates, pens, shearings, fields and the end, on drawn flocks."""

from __future__ import annotations

import pytest
from shear_panic_draw import copied, flock, play, squares

from sheepfold.game.moments import Moment, Step
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.rules import ShearPanic
from sheepfold.messages import Voice

VOICE = Voice([GAME.folder / "locale"], "en", ["Ada", "Bo", "Cy", "Di"])


def moment(position: ShearPanic, text: str) -> Moment | None:
    before = copied(position)
    action = GAME.read(before, text)
    play(position, text)
    return GAME.moment(before.seen_by(0), action, position.seen_by(0), VOICE)


def turned(drawing: str, counter: int, seats: int = 4) -> Moment | None:
    """What play stops for when the flock, looking west, is turned to the north by a square of one space."""
    return moment(play(flock(drawing, seats, "w", counter), "turn 1"), "turn right")


def test_at_the_gate_everybody_scores_row_by_row() -> None:  # SP-41
    found = turned("B B\nY Y\nK G\nR .", 24)
    assert found and found.title == "Through the gate: the rows score, near Roger most"
    assert [(gain.points, gain.total) for gain in found.gains] == [(8, 8), (6, 6), (2, 2), (1, 1)]
    assert found.gains[0].reasons == ("blue b1, row 1 from Roger: 4", "blue b2, row 1 from Roger: 4")
    assert found.steps == (
        Step(("sheep-b1", "sheep-b2"), 4), Step(("sheep-y1", "sheep-y2"), 3), Step(("sheep-g1",), 2), Step(("sheep-r1",), 1),
    )  # fmt: skip


def test_the_pen_says_what_counts_next() -> None:  # SP-31
    found = turned("B B\nY Y", 36)
    assert found and found.title.startswith("In the pen")
    assert found.note.startswith("The flock enters the black sheep's meadow: stay close to it. On your turn each of your sheep scores 2")
    assert turned("B B\nY Y", 37) is None  # so the new field is no news


@pytest.mark.parametrize(("counter", "title"), [(12, "Roger's field"), (49, "Shearer's field")])
def test_a_new_field_is_said_without_points(counter: int, title: str) -> None:
    found = turned("B B\nY Y", counter)
    assert found and (found.title, found.gains, found.steps) == (title, (), ())
    assert found.note.endswith("then 3, 2, 1."), "it says what counts there"


@pytest.mark.parametrize("counter", [0, 5, 14, 30, 40, 53])
def test_what_one_player_gains_stops_nothing(counter: int) -> None:
    assert turned("B B\nY Y", counter) is None


def test_a_shearing_says_who_is_shorn_and_lights_who_is_left() -> None:  # SP-43
    found = turned("R B K\nY . G\nR . Y", 61)
    assert found and found.title.startswith("Through the gate: the Shearer")
    assert found.note.startswith("The Shearer shears the front row: 1 blue, 1 red and the black one. Ada has no sheep left")
    assert [gain.points for gain in found.gains] == [0, 3 + 4, 3, 4]
    assert found.gains[3].reasons == ("red r1: shorn", "red r2, row 1 from the back: 4")
    assert found.steps == (Step(("sheep-y2", "sheep-r2"), 4), Step(("sheep-y1", "sheep-g1"), 3))


def test_the_last_pen_is_the_end() -> None:  # SP-60
    found = turned("B Y\nG R\nB K", 73)
    assert found and found.title == "In the last pen: the last shearing, and the game is over"
    assert [gain.total for gain in found.gains] == [4, 0, 3, 3]
    assert found.note.endswith("Ada wins with 4 points.")


def test_nobody_can_act_any_more() -> None:  # SP-61
    position = flock("B Y\nG R", counter=50, facing="w")
    for seat in range(4):
        position.deal(seat, squares(position, "turn 1") if seat == 0 else [])
    found = moment(play(position, "turn 1"), "turn right")
    assert found and found.title.startswith("Nobody can act any more")
    assert [gain.points for gain in found.gains] == [0, 0, 4, 4]


def test_unused_extra_moves_are_a_reason() -> None:  # SP-71
    position = flock("B Y\nG B", 2, "w", 55)
    position.deal(0, squares(position, "turn 1"), extras=[])
    position.deal(1, [], extras=[1, 2])
    found = moment(play(position, "turn 1"), "turn right")
    assert found and found.gains[1].points == -4
    assert "2 extra moves left: -4" in found.gains[1].reasons
