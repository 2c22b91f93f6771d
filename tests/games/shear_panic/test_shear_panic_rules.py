"""The rules of Shear Panic by their numbers in docs/rules/shear-panic.md; test_shear_panic_regrouping.py has SP-20 to SP-26."""

from __future__ import annotations

from collections import Counter

import pytest
from shear_panic_draw import COLOURS, copied, draw, drawn, flock, moves, new, options, play, squares

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, IllegalAction
from sheepfold.game.conformance import effort
from sheepfold.games.flock import STARTS, Track
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.geometry import HOME, group_of, is_whole
from sheepfold.games.shear_panic.rules import (
    EXTRA,
    FIRST_PLAYER,
    GROUP,
    PANIC_DIE,
    PLACEMENT,
    REGROUP_DIE,
    ROGER,
    SHEARER,
    SQUARE,
    Printed,
    ShearPanic,
)

FULL = """
    Y B R
    G K Y
    B R G
    """
TOGETHER = """
    G Y Y .
    B K G R
    . B R .
    """
HERE_IS_ROGER = """
    . G .
    R B .
    R Y G
    K Y .
    . B .
    """
B, Y, G, R = range(4)
ALL_WAYS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
EVERY_SQUARE = list(range(12))


# Components and set-up.


def test_nine_sheep_and_two_dice() -> None:  # SP-1
    position = opened()
    assert position.census()[:5] == (2, 2, 2, 2, 1)
    assert options(position) == ["die blue", "die yellow", "die green", "die red", "die black", "die white"]
    assert options(flock("B Y . . G")) == ["die straight", "die diagonal"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_start_of_the_rulebook(seats: int) -> None:  # SP-2, SP-84
    position = new(seats)
    assert (draw(position), position.facing, position.stage) == (drawn(FULL), 0, FIRST_PLAYER)
    assert new(seats, first_seat_begins=True).stage == PANIC_DIE


def test_drawn_starts_are_full_squares_with_knights_moves() -> None:  # SP-2
    position = new(drawn_start=True)
    assert (position.to_act, len(position.legal()), position.weights()) == (CHANCE, 48, [1] * 48)
    seen = set()
    for start in position.legal():
        laid = copied(position)
        laid.apply(start)
        places = [place for place in laid.places() if place]
        assert sorted(places) == [(row, column) for row in range(3) for column in range(3)]
        assert (places[8], laid.facing) == ((1, 1), 0)
        for one, two in zip(places[0:8:2], places[1:8:2], strict=True):
            assert sorted((abs(one[0] - two[0]), abs(one[1] - two[1]))) == [1, 2]
        seen.add(draw(laid))
    assert len(seen) == 48


def test_only_relative_positions_matter() -> None:  # SP-3
    one, two = flock(FULL), new()
    two.arrange([(place[0] + 7, place[1] - 11) if place else None for place in one.places()])
    assert one == two
    assert (hash(one), one.legal()) == (hash(two), two.legal())


def test_sheep_of_a_colour_are_alike() -> None:  # SP-3
    one, two = flock(FULL), new()
    places = one.places()
    two.arrange([places[sheep ^ 1] if sheep < 8 else places[8] for sheep in range(9)])
    assert one == two
    assert [two.piece(sheep) for sheep in range(9)] == [one.piece(sheep) ^ 1 for sheep in range(8)] + [8]  # pictures tell them apart


def test_flock_may_wander_for_ever() -> None:  # SP-3
    position = flock("B Y")
    for _ in range(1000):
        position.deal(B, EVERY_SQUARE)
        position.counter = 12
        position.active = position.to_act = B
        play(position, "slam 2", "slam b1 e")
        assert (position.stage, draw(position)) == (SQUARE, "B Y")
    assert [int(place) for place in position.at if place < 65536] == [HOME * 256 + HOME, HOME * 256 + HOME + 1]


def test_menus_are_open_and_a_covered_square_stays_covered() -> None:  # SP-4
    position = flock(FULL, counter=13)
    assert len(options(position)) == 12
    play(position, "turn 1", "turn left")
    for viewer in (B, Y, G, R, SPECTATOR):
        view = position.seen_by(viewer)
        assert isinstance(view, ShearPanic)
        assert [int(menu).bit_count() for menu in view.menus] == [11, 12, 12, 12]
    assert "turn 1" in options(position)  # everybody has a menu of their own
    position.arrange(position.places(), counter=13, active=B)
    assert "turn 1" not in options(position)
    with pytest.raises(IllegalAction):
        position.apply(squares(position, "turn 1")[0])


def test_tracks_by_the_number_of_players() -> None:  # SP-5, SP-31
    assert [GAME.components.printed[seats].track.length for seats in (2, 3, 4)] == [56, 56, 74]
    assert new().counter == 0


def test_neutral_sheep_score_for_nobody_but_are_sheep_like_others() -> None:  # SP-5
    scored = play(flock(TOGETHER, seats=3, facing="w", counter=18, active="Y"), "turn 1", "turn right")
    assert scored.scores() == [3 + 2, 4 + 4, 4 + 3]
    panic = play(flock(FULL, seats=3, counter=2), "turn 1", "turn left", "die red")
    assert len(options(panic)) == 16
    pushed = flock("R R B\nG K Y", seats=3)
    assert draw(play(pushed, "line 1", "line r1 e")) == drawn(". R R B\nG K Y .")
    sheared = play(flock("R K R\nB Y G", seats=3, facing="w", counter=46), "turn 1", "turn right")
    assert draw(sheared) == "B Y G"


def test_every_colour_starts_everywhere_equally_often() -> None:  # SP-5
    seen = Counter((sheep // 2, start[sheep]) for start in STARTS for sheep in range(8))
    assert set(seen.values()) == {12}  # so dealing the colours with the start favours nobody


def test_first_player_is_drawn_or_the_first_seat() -> None:  # SP-6
    position = new()
    assert (position.to_act, options(position), position.weights()) == (CHANCE, ["first 1", "first 2", "first 3", "first 4"], [1] * 4)
    assert play(position, "first 3").active == G
    chosen = new(first_seat_begins=True)
    assert (chosen.stage, chosen.active) == (PANIC_DIE, B)
    drawn_too = new(drawn_start=True)
    drawn_too.apply(drawn_too.legal()[0])
    assert options(drawn_too)[0] == "first 1"


# Out of the lorry.


def opened(seats: int = 4) -> ShearPanic:
    """The second seat begins and is about to roll."""
    return play(new(seats), "first 2")


def regroup(position: ShearPanic) -> ShearPanic:
    """Regrouped by the first choice each time; the active player stays the same."""
    who = position.active
    while position.stage in (GROUP, REGROUP_DIE, PLACEMENT):
        assert position.active == who
        play(position, options(position)[0])
    return position


def test_out_of_the_lorry() -> None:  # SP-7, SP-26
    position = opened()
    order = []
    for _ in range(4):
        order.append(int(position.active))
        play(position, "die black")
        assert options(position) == [f"slam k {way}" for way in ALL_WAYS]
        regroup(play(position, "slam k n"))
    assert order == [Y, G, R, B]
    assert (position.stage, position.to_act) == (SQUARE, Y)
    assert (position.counter, position.scores(), position.turn) == (0, [0, 0, 0, 0], 0)


def test_opening_lets_choose_between_two_sheep() -> None:  # SP-7
    position = play(opened(), "die red")
    assert options(position) == [f"slam {sheep} {way}" for sheep in ("r1", "r2") for way in ALL_WAYS]


def test_white_turns_the_flock_in_the_opening() -> None:  # SP-7
    position = play(opened(), "die white")
    assert options(position) == ["turn right", "turn left"]
    play(position, "turn left")
    assert (position.facing, position.active, position.stage) == (6, G, PANIC_DIE)
    play(position, "die white", "turn right")  # nothing is banned in the opening
    assert position.facing == 0


# A turn.


def test_first_move_of_the_text() -> None:  # SP-8, SP-10, SP-40, SP-80, SP-81
    position = play(flock(FULL, active="Y"), "slam 3", "slam y2 w")
    assert draw(position) == drawn(
        """
        . Y B R
        G K Y .
        . B R G
        """
    )
    assert (position.scores(), position.counter, position.stage) == ([0, 1, 0, 0], 3, PANIC_DIE)


def test_panic_never_scores() -> None:  # SP-8, SP-50
    position = play(flock("Y . .\nB Y G\nK R R", counter=2, active="Y"), "turn 1", "turn left")
    assert (position.scores(), position.stage) == ([0, 1, 0, 0], PANIC_DIE)
    play(position, "die yellow", "slam y2 n")  # side by side now, but too late
    regroup(position)
    assert (position.pair_points(Y, 1), position.scores(), position.to_act) == (2, [0, 1, 0, 0], G)


def with_panic(*spaces: int) -> ShearPanic:
    """Three players, with other panic spaces."""
    box = GAME.components.printed[3]
    track = Track([9, 28, 37, 56], [18, 46], [28, 56], list(spaces))
    signs = [int(sign) for sign in box.sign]
    places = [place for place in new().places() if place]
    return ShearPanic(3, Printed([int(kind) for kind in box.kind], [int(value) for value in box.value], signs, places, track, 3, 3, [], 2))


def test_gate_of_field_four_shears_scores_regroups_and_panics() -> None:  # SP-8, SP-26, SP-43
    split = flock(
        """
        R B K
        Y . G
        R . Y
        """
    )
    position = with_panic(47)
    position.arrange(split.places(), 6, 46, G)
    play(position, "turn 1", "turn right")
    assert draw(position) == drawn("Y . G\nR . Y")
    assert position.scores() == [0, 3 + 4, 3]
    assert (position.to_act, options(position)) == (G, ["group y1", "group y2"])
    play(position, "group y2", "die straight")
    assert (draw(position), position.stage) == (drawn("Y G\nR Y"), PANIC_DIE)
    play(position, "die yellow", "slam y1 nw")
    assert position.stage == REGROUP_DIE
    assert (regroup(position).scores(), position.to_act) == ([0, 7, 3], Y)  # blue is out


# A. The seven actions.


def test_slam_pushes_the_unbroken_run_and_nobody_beyond_a_gap() -> None:  # SP-10
    position = flock("Y B . R\nG K G R", active="Y")
    assert draw(play(position, "slam 2", "slam y1 e")) == drawn(". Y B R\nG K G R")
    position = flock("Y B . R\nG K G R", active="R")
    assert draw(play(position, "slam 2", "slam r1 w")) == drawn("Y B R .\nG K G R")


def test_slam_starts_anywhere_in_the_line() -> None:  # SP-10
    assert draw(play(flock("B Y G\nR K R", active="Y"), "slam 2", "slam y1 e")) == drawn("B . Y G\nR K R .")


def test_slam_is_for_own_sheep_in_eight_directions() -> None:  # SP-10, SP-18
    assert moves(flock(FULL, active="G"), "slam 2") == [f"slam {sheep} {way}" for sheep in ("g1", "g2") for way in ALL_WAYS]


def test_line_push_comes_from_outside() -> None:  # SP-11
    drawing = "A B . C\nD E F G"
    position = flock(drawing, lettered=True)
    assert draw(play(copied(position), "line 1", "line b1 e")) == drawn(". A B C\nD E F G", lettered=True)
    assert draw(play(copied(position), "line 1", "line g1 w")) == drawn("A B C .\nD E F G", lettered=True)
    assert len([text for text in moves(position, "line 1") if text.endswith(" e")]) == 2  # one a row, from its west end


def test_one_sheep_is_a_line() -> None:  # SP-11
    assert {"line g1 w", "line g1 e"} <= set(moves(flock("B Y\n. G"), "line 1"))


def test_pushes_of_the_full_square() -> None:  # SP-11, SP-12
    position = flock(FULL)
    assert len(moves(position, "line 1")) == 12
    assert len(moves(position, "diagonal 1")) == 20
    assert {text.split()[2] for text in moves(position, "diagonal 1")} == {"ne", "se", "sw", "nw"}


def test_diagonal_push() -> None:  # SP-12
    position = flock(
        """
        Y R B .
        G Y R .
        . G K B
        """
    )
    play(position, "diagonal 1", "diagonal k nw")
    assert draw(position) == drawn(
        """
        Y . . . .
        . Y R B .
        . G K R .
        . . G . B
        """
    )
    assert options(position) == ["group b2", "group y1"]


def test_push_is_understood_by_any_sheep_of_its_line() -> None:  # SP-11
    position = play(flock(FULL), "line 1")
    assert GAME.read(position, "line r1 e") == GAME.read(position, "line y1 e")


def test_alignment_closes_all_gaps_against_a_side() -> None:  # SP-13
    drawing = """
        . A B .
        C D . .
        . E F .
        . . G .
        """
    back = play(flock(drawing, lettered=True), "align 2", "align s")
    assert draw(back) == drawn(
        """
        . A B
        . D F
        C E G
        """,
        lettered=True,
    )
    right = play(flock(drawing, lettered=True), "align 2", "align e")
    assert draw(right) == drawn(
        """
        A B
        C D
        E F
        . G
        """,
        lettered=True,
    )


def test_alignment_that_moves_nobody_is_allowed() -> None:  # SP-13
    position = flock(FULL, counter=12)
    assert moves(position, "align 2") == ["align n", "align e", "align s", "align w"]
    assert draw(play(position, "align 2", "align n")) == drawn(FULL)


def test_roll_needs_a_free_place_beside_another_sheep() -> None:  # SP-14
    position = flock("B Y G\n. . R")
    # West, north-west and south-west touch nobody, north touches nobody but a corner; south it would touch nobody by a side.
    assert moves(position, "roll 1") == ["roll b1 ne", "roll b1 se"]


def test_roll_may_isolate_others() -> None:  # SP-14
    position = play(flock("G B Y\n. . R"), "roll 1", "roll b1 ne")
    assert draw(position) == drawn(". . B\nG . Y\n. . R")
    assert position.stage == REGROUP_DIE


def test_roller_and_its_neighbour_may_split_off_together() -> None:  # SP-14
    position = play(flock("G B Y\n. . R\n. . K"), "roll 1", "roll b1 sw")
    assert draw(position) == drawn("G . Y\nB . R\n. . K")
    assert position.stage == REGROUP_DIE


def test_roller_stays_with_the_flock_by_the_option() -> None:  # SP-14
    position = flock("G B Y\n. . R\n. . K")
    assert moves(position, "roll 1") == ["roll b1 ne", "roll b1 s", "roll b1 sw", "roll b1 nw"]
    stays = flock("G B Y\n. . R\n. . K", roll_may_leave=False)
    assert moves(stays, "roll 1") == ["roll b1 ne", "roll b1 s"]  # to the three in the east; the green one may be left behind
    assert play(stays, "roll 1", "roll b1 s").stage == REGROUP_DIE
    halves = flock("G B Y\n. . R", roll_may_leave=False)
    assert "roll b1 sw" in moves(halves, "roll 1")  # of two groups of two neither is the smaller one


def test_rolls_and_leaps_from_the_full_square() -> None:  # SP-14, SP-15
    position = flock("Y B R\nG R Y\nB K G", active="R")  # red in a corner and in the middle
    assert [text.split()[1] for text in moves(position, "roll 1")] == ["r1", "r1"]
    assert [text.split()[1] for text in moves(position, "leap 2")] == ["r1"] * 2 + ["r2"] * 4
    position = flock(FULL, active="B")  # blue on an edge and in a corner
    assert [text.split()[1] for text in moves(position, "roll 1")] == ["b1", "b1", "b2", "b2"]
    assert [text.split()[1] for text in moves(position, "leap 2")] == ["b1"] * 3 + ["b2"] * 2


def test_leap_ends_on_the_first_free_place_also_in_a_hole() -> None:  # SP-15
    position = flock("R Y . G\nB K B G", active="R")
    assert draw(play(position, "leap 2", "leap r1 e")) == drawn(". Y R G\nB K B G")
    position = flock("R Y\nB K", active="R")
    assert moves(position, "leap 2") == ["leap r1 e", "leap r1 s"]
    assert draw(play(position, "leap 2", "leap r1 e")) == drawn(". Y R\nB K .")


def test_leap_must_pass_somebody() -> None:  # SP-15
    assert moves(flock("R Y", active="R"), "leap 2") == ["leap r1 e"]


def test_ewe_turn_turns_everybody_and_who_stands_in_front() -> None:  # SP-16
    position = flock(FULL, counter=13)
    play(position, "turn 1", "turn left")
    assert (position.facing, draw(position), position.guest()) == (6, drawn(FULL), ROGER)
    assert "Roger" in GAME.text_picture(position, 0).split("\n")[1]  # in the west now, beside the middle row


def test_turn_may_go_on_but_not_back_dice_or_no_dice() -> None:  # SP-17
    position = flock(FULL, counter=12)
    play(position, "turn 1", "turn left")
    assert moves(position, "turn 1") == ["turn left"]
    with_dice = flock(FULL, counter=2)
    play(with_dice, "turn 1", "turn left", "die white", "turn left")
    assert moves(with_dice, "turn 1") == ["turn left"]
    play(position, "slam 3", "slam y1 n")
    assert moves(regroup(position), "turn 1") == ["turn right", "turn left"]  # the ban lasts one turn


def test_line_push_may_not_restore_the_flock() -> None:  # SP-17
    position = play(flock(FULL, counter=12), "line 1", "line y1 e")
    assert draw(position) == drawn(
        """
        . Y B R
        G K Y .
        B R G .
        """
    )
    assert "line r1 w" not in moves(position, "line 1")
    assert "line g1 e" in moves(position, "line 1")
    later = play(copied(position), "turn 1", "turn left")
    assert "line r1 w" in moves(later, "line 1")  # the ban lasts one turn


def test_restoring_counts_up_to_a_shift() -> None:  # SP-17
    position = play(flock("B Y G\nR K R", counter=12), "line 1", "line b1 e")
    assert draw(position) == drawn(". B Y G\nR K R .")
    assert {"line r1 e", "line g1 w"}.isdisjoint(moves(position, "line 1"))  # either would restore it


def test_dice_lift_the_ban_on_pushes() -> None:  # SP-17
    position = play(flock(FULL, counter=2), "line 1", "line y1 e", "die white", "turn left")
    assert "line r1 w" in moves(position, "line 1")
    split = play(flock("B Y G\n. K .\n. R .", counter=12, active="R"), "line 1", "line r1 w")
    assert split.stage == REGROUP_DIE
    assert split.ban == 2
    assert regroup(split).ban == -1


def test_diagonal_push_may_not_restore_the_flock() -> None:  # SP-17
    position = play(flock("B Y .\nG K R", counter=12), "diagonal 1", "diagonal b1 ne")
    assert draw(position) == drawn(". B .\n. Y .\nG K R")
    assert "diagonal b1 sw" not in moves(position, "diagonal 1")
    assert "diagonal b1 se" in moves(position, "diagonal 1")
    assert "line b1 w" in moves(position, "line 1")  # only the same kind of action is banned


def test_alignment_may_not_restore_the_flock() -> None:  # SP-17
    position = play(flock("B Y G\nR . .", counter=12), "align 2", "align e")
    assert draw(position) == drawn("B Y G\n. . R")
    assert moves(position, "align 2") == ["align n", "align e", "align s"]


def test_no_ban_where_nothing_had_changed() -> None:  # SP-17
    position = play(flock(FULL, counter=12), "align 2", "align n")
    assert moves(position, "align 2") == ["align n", "align e", "align s", "align w"]
    row = play(flock("B Y G", counter=12), "line 1", "line b1 e")  # the whole flock shifts
    assert {"line b1 e", "line g1 w"} <= set(moves(row, "line 1"))


def test_slams_rolls_and_leaps_may_be_undone() -> None:  # SP-17
    position = play(flock("B Y\nG R", counter=12), "leap 2", "leap b1 e")
    assert position.ban == -1
    position = play(flock("B Y\nG R", counter=12), "slam 2", "slam b1 e")
    assert (position.ban, draw(position)) == (-1, drawn(". B Y\nG R ."))
    assert draw(play(position, "slam 2", "slam y1 w")) == drawn("B Y\nG R")


def test_player_without_sheep_takes_no_turns() -> None:  # SP-18
    position = play(flock("B G\nK R", counter=12), "turn 1", "turn left")
    assert position.to_act == G


# C. The counter.


@pytest.mark.parametrize(
    ("start", "square", "end", "scored"),
    [
        (36, "align 3", 37, True),
        (23, "turn 1", 24, False),
        (24, "turn 1", 25, True),
        (25, "turn 1", 26, False),
        (33, "align 3", 36, False),
        (37, "align 2", 39, False),
    ],
)
def test_counter_stops_in_the_pen(start: int, square: str, end: int, scored: bool) -> None:  # SP-30, SP-31, SP-41
    position = flock("B B\nY Y", counter=start, facing="w")
    play(position, square, "turn right" if square == "turn 1" else "align w")
    assert position.counter == end
    # Facing west both sheep of a colour are in different rows, facing north in one.
    expected = [8, 6] if square == "turn 1" else [7, 7]
    assert position.scores()[:2] == (expected if scored else [0, 0])


def test_last_pen_ends_the_game_whatever_is_left_of_the_move() -> None:  # SP-30, SP-60
    position = play(flock(FULL, counter=73), "align 3", "align n")
    assert (position.counter, position.to_act) == (74, OVER)
    assert draw(position) == drawn("G K Y\nB R G")
    assert position.scores() == [4, 3, 3 + 4, 4]


def test_fields_gates_and_pens() -> None:  # SP-31
    for seats, ends, gates in ((3, [9, 28, 37, 56], [18, 46]), (4, [12, 37, 49, 74], [24, 61])):
        track = GAME.components.printed[seats].track
        fields = [int(field) for field in track.phase]
        assert fields == [0] + [1 + sum(end < space for end in ends) for space in range(1, ends[3] + 1)]
        assert [space for space, wall in enumerate(track.wall) if wall] == gates
        assert [space for space, pen in enumerate(track.pen) if pen] == [ends[1], ends[3]]


def test_roger_and_the_shearer_stand_in_their_fields() -> None:  # SP-32
    position = flock(FULL)
    guests = []
    for space in (0, 12, 13, 36, 37, 38, 49, 50, 73):
        position.counter = space
        guests.append(int(position.guest()))
    assert guests == [0, 0, ROGER, ROGER, 0, 0, 0, SHEARER, SHEARER]


# D. Score.


@pytest.mark.parametrize(("active", "points"), [("Y", 2), ("R", 1), ("B", 1), ("G", 0)])
def test_teammates(active: str, points: int) -> None:  # SP-40
    position = play(flock(TOGETHER, counter=4, active=active), "turn 1", "turn left")
    expected = [0, 0, 0, 0]
    expected[COLOURS.index(active)] = points
    assert position.scores() == expected


def test_teammates_score_only_in_their_meadow() -> None:  # SP-40
    assert play(flock(TOGETHER, counter=12, active="Y"), "turn 1", "turn left").scores() == [0, 0, 0, 0]


def test_rows_near_roger() -> None:  # SP-41
    position = play(flock(HERE_IS_ROGER, counter=24, facing="w"), "turn 1", "turn right")
    assert position.scores() == [3 + 0, 2 + 1, 4 + 2, 3 + 2]
    south = play(flock(HERE_IS_ROGER, counter=24, facing="w"), "turn 1", "turn left")
    assert south.scores() == [4 + 1, 3 + 2, 2 + 0, 2 + 1]


@pytest.mark.parametrize(("active", "points"), [("Y", 3), ("R", 1), ("B", 4), ("G", 3)])
def test_black_sheep(active: str, points: int) -> None:  # SP-42
    position = play(flock(TOGETHER, counter=41, active=active), "turn 1", "turn left")
    assert position.scores()[COLOURS.index(active)] == points == sum(position.scores())


def test_nothing_beside_a_black_sheep_that_is_gone() -> None:  # SP-42
    assert play(flock("B B Y", counter=41), "turn 1", "turn left").scores() == [0, 0, 0, 0]


def test_shearing_of_the_text() -> None:  # SP-43
    position = flock(
        """
        . G .
        R B .
        R G Y
        . K Y
        . B .
        """,
        facing="w",
        counter=61,
    )
    play(position, "turn 1", "turn right")
    assert draw(position) == drawn(
        """
        R B .
        R G Y
        . K Y
        . B .
        """
    )
    assert position.scores() == [4 + 1, 3 + 2, 2, 2 + 1]


def test_shearing_that_splits_the_flock_scores_first() -> None:  # SP-43, SP-8
    position = play(flock("R B K\nY . G\nR . Y", facing="w", counter=61), "turn 1", "turn right")
    assert position.scores() == [0, 3 + 4, 3, 4]
    assert (position.stage, position.to_act) == (GROUP, B)  # blue is out, but regroups as the active player


@pytest.mark.parametrize(("drawing", "points"), [("B B", 8), ("B\nB", 7), ("B", 4)])
def test_flock_of_one_colour_is_not_shorn(drawing: str, points: int) -> None:  # SP-44
    position = play(flock(drawing, facing="w", counter=61), "turn 1", "turn right")
    assert (draw(position), position.scores()[0]) == (drawn(drawing), points)
    end = play(flock(drawing, facing="w", counter=73), "turn 1", "turn right")
    assert (draw(end), end.scores()[0], end.to_act) == (drawn(drawing), points, OVER)


def test_black_and_neutral_are_colours_too() -> None:  # SP-44
    black = play(flock("K\nB", facing="w", counter=61), "turn 1", "turn right")
    assert draw(black) == "B"
    neutral = play(flock("R\nB", seats=3, facing="w", counter=46), "turn 1", "turn right")
    assert draw(neutral) == "B"


def test_score_markers_cause_nothing() -> None:  # SP-45
    position = flock(TOGETHER, counter=4, active="Y")
    position.deal(Y, EVERY_SQUARE, points=1)  # 3, a panic space, with two more
    play(position, "turn 1", "turn left")
    assert (position.scores()[Y], position.counter, position.stage) == (3, 5, SQUARE)


# E. Panic.


def test_panic_slam_is_done_by_the_active_player_with_any_sheep_of_the_colour() -> None:  # SP-50
    position = play(flock(FULL, counter=2, active="G"), "turn 1", "turn left", "die red")
    assert (position.to_act, options(position)) == (G, [f"slam {sheep} {way}" for sheep in ("r1", "r2") for way in ALL_WAYS])
    assert regroup(play(position, "slam r1 n")).to_act == R


def test_colour_that_is_gone_is_rolled_again() -> None:  # SP-50
    position = play(flock("B G\nG R", counter=64), "turn 1", "turn left")
    assert options(position) == ["die blue", "die green", "die red", "die white"]
    assert position.weights() == [1, 1, 1, 1]
    assert len(options(play(position, "die blue"))) == 8


def test_panic_turn_is_free_and_bans_nothing() -> None:  # SP-50, SP-17
    position = play(flock(FULL, counter=2), "turn 1", "turn left", "die white")
    assert options(position) == ["turn right", "turn left"]
    after_slam = play(flock(FULL, counter=0), "slam 3", "slam b1 n")
    regroup(after_slam)
    play(after_slam, "die white", "turn left")
    assert moves(after_slam, "turn 1") == ["turn right", "turn left"]


@pytest.mark.parametrize("way", ["left", "right"])
def test_panic_turn_and_the_ban_on_turning_back(way: str) -> None:  # SP-17
    """Whichever way the panic turns the flock, no single turn leads back to where it looked before both."""
    by_direction = play(flock(FULL, counter=2), "turn 1", "turn left", "die white", f"turn {way}")
    assert moves(by_direction, "turn 1") == ["turn left"]
    by_facing = play(flock(FULL, counter=2, ban_by_facing=True), "turn 1", "turn left", "die white", f"turn {way}")
    assert moves(by_facing, "turn 1") == ["turn right", "turn left"]


def test_ban_on_turning_back_outlasts_a_panic_slam_either_way() -> None:  # SP-17
    for chosen in (False, True):
        position = play(flock(FULL, counter=2, ban_by_facing=chosen), "turn 1", "turn left", "die blue", "slam b1 n")
        assert moves(regroup(position), "turn 1") == ["turn left"]


def test_no_panic_when_the_counter_only_passes() -> None:  # SP-50
    assert play(flock(FULL, counter=2), "align 2", "align n").stage == SQUARE


# The end.


def test_last_shearing_scores_once_more() -> None:  # SP-60
    position = play(flock("B Y\nG R\nB K", facing="w", counter=73), "turn 1", "turn right")
    assert (position.to_act, draw(position), position.scores()) == (OVER, drawn("G R\nB K"), [4, 0, 3, 3])


def test_player_without_sheep_may_still_win() -> None:  # SP-61
    position = flock("B Y\nG R", counter=73, facing="w")
    position.deal(B, EVERY_SQUARE, points=20)
    play(position, "turn 1", "turn right")
    assert (position.sheep_left(B), position.ranks()[B]) == (0, 1)


def test_player_without_a_possible_action_is_skipped() -> None:  # SP-61
    position = flock("B Y\nG R", counter=50)
    position.deal(Y, [])
    assert play(position, "turn 1", "turn left").to_act == G
    # A single sheep can neither roll nor leap.
    single = flock("B", counter=50)
    assert {"roll 1", "roll 2", "leap 2"}.isdisjoint(options(single))
    single.deal(B, squares(single, "turn 1", "leap 2", "roll 1"))
    play(single, "turn 1", "turn left")
    assert (single.to_act, single.counter, single.scores()[B]) == (OVER, 51, 4)


def test_actions_that_run_out_bring_the_last_shearing() -> None:  # SP-61
    position = flock("B Y\nG R", counter=50, facing="w")
    for seat in range(4):
        position.deal(seat, squares(position, "turn 1") if seat == B else [])
    play(position, "turn 1", "turn right")
    assert (position.to_act, position.counter) == (OVER, 51)
    assert (draw(position), position.scores()) == ("G R", [0, 0, 4, 4])


def test_game_ends_when_only_black_and_neutral_sheep_remain() -> None:  # SP-61
    position = play(flock("B Y G\nK . .\nR . .", seats=3, facing="w", counter=46), "turn 1", "turn right")
    assert (position.to_act, draw(position), position.counter) == (OVER, "R", 47)


def test_game_ends_when_the_whole_flock_is_shorn() -> None:  # SP-61
    position = play(flock("B Y G R", facing="w", counter=61), "turn 1", "turn right")
    assert (position.to_act, position.scores(), set(position.places())) == (OVER, [0, 0, 0, 0], {None})


def test_ties_go_to_more_sheep_then_to_the_longest_wait() -> None:  # SP-62
    position = flock("Y B\nG B", facing="w", counter=73)
    position.deal(Y, EVERY_SQUARE, points=4)
    play(position, "turn 1", "turn right")
    assert position.scores() == [4, 4, 4, 0]
    assert [position.sheep_left(seat) for seat in range(4)] == [1, 0, 1, 0]
    assert position.ranks() == [2, 3, 1, 4]  # blue has just played, green is longer ago; yellow has no sheep left


def test_longest_wait_decides_among_equals() -> None:  # SP-62
    position = flock("B Y G R", counter=13)
    play(position, "turn 1", "turn left", "align 2", "align s", "align 2", "align s", "align 3", "align s")
    assert position.to_act == B
    position.arrange(position.places(), 0, 61, B)
    for seat in range(4):
        position.deal(seat, [square for square in EVERY_SQUARE if position.menus[seat] >> square & 1], points=5)
    play(position, "align 2", "align s")
    assert (position.to_act, position.scores()) == (OVER, [5, 5, 5, 5])
    assert position.ranks() == [4, 1, 2, 3]


# Two players.


def test_two_players_open_twice_each() -> None:  # SP-70
    position = opened(seats=2)
    order = []
    while position.stage == PANIC_DIE:
        order.append(int(position.active))
        play(position, "die white", "turn left")
    assert order == [1, 0, 1, 0]
    assert (position.stage, position.to_act) == (SQUARE, 1)


def test_two_players_have_two_neutral_colours_and_the_track_of_three() -> None:  # SP-70
    position = play(flock(TOGETHER, seats=2, facing="w", counter=18), "turn 1", "turn right", "extra none")
    assert position.scores() == [3 + 2, 4 + 4]
    assert position.printed.track.length == 56


def test_extra_moves() -> None:  # SP-71
    position = play(flock(TOGETHER, seats=2, counter=4, active="Y"), "turn 1", "turn left")
    assert (position.stage, position.to_act, position.counter) == (EXTRA, Y, 5)
    assert options(position) == ["extra none", "extra 1", "extra 2", "extra 3"]
    assert play(copied(position), "extra none").scores() == [0, 2]
    assert play(copied(position), "extra 3").scores() == [0, 2]
    spent = play(copied(position), "extra 2")
    assert (spent.counter, spent.stage, spent.extras_left(Y), spent.extras_left(B)) == (7, PANIC_DIE, 4, 5)


def test_extra_move_counts_before_scoring() -> None:  # SP-71
    position = play(flock(TOGETHER, seats=2, counter=8, active="Y", facing="w"), "turn 1", "turn left")
    assert play(copied(position), "extra 1").scores() == [0, 0]  # out of the teammates' meadow
    gate = play(flock("B B\nY Y", seats=2, counter=17, facing="w"), "turn 1", "turn right")
    assert play(copied(gate), "extra none").scores() == [0, 0]
    assert play(copied(gate), "extra 1").scores() == [8, 6]


def test_no_extra_move_in_a_pen() -> None:  # SP-71
    position = play(flock(FULL, seats=2, counter=27), "turn 1", "turn left")
    assert (position.counter, position.stage, position.to_act) == (28, SQUARE, Y)


def test_extra_moves_must_not_outlast_the_actions() -> None:  # SP-71
    position = flock(FULL, seats=2, counter=4)
    position.deal(B, squares(position, "turn 1", "slam 2", "slam 3", "align 2", "align 3", "line 1", "line 3"))
    assert "extra none" in options(play(copied(position), "turn 1", "turn left"))  # six actions, five extra moves
    position.deal(B, squares(position, "turn 1", "slam 2", "slam 3", "align 2", "align 3", "line 1"))
    assert options(play(position, "turn 1", "turn left")) == ["extra 1", "extra 2", "extra 3"]
    none_of_two = flock(FULL, seats=2, counter=4)
    none_of_two.deal(B, squares(position, "turn 1"), extras=[2])
    assert options(play(none_of_two, "turn 1", "turn left")) == ["extra 2"]


def test_extra_moves_left_cost_two_points_each() -> None:  # SP-71
    position = flock("B Y\nB Y", seats=2, counter=55, facing="w")
    position.deal(B, EVERY_SQUARE, extras=[1, 2, 3])
    position.deal(Y, EVERY_SQUARE, extras=[])
    play(position, "turn 1", "turn right")
    assert (position.to_act, position.scores()) == (OVER, [4 - 6, 4])


# Component data.


def test_menu() -> None:  # SP-80
    position = flock(FULL)
    assert options(position) == [
        "slam 2", "slam 3", "align 2", "align 3", "line 1", "line 3", "diagonal 1", "diagonal 3", "roll 1", "roll 2", "leap 2", "turn 1",
    ]  # fmt: skip


def test_panic_spaces() -> None:  # SP-81
    expected = {3: [3, 7, 12, 16, 22, 26, 31, 35, 40, 44, 50, 54], 4: [3, 8, 15, 20, 28, 33, 40, 45, 52, 57, 65, 70]}
    for seats, spaces in expected.items():
        track = GAME.components.printed[seats].track
        assert [space for space, panic in enumerate(track.panic) if panic] == spaces


def test_regroup_die_has_three_faces_of_each() -> None:  # SP-82
    position = flock("B Y . . G")
    assert position.weights() == [3, 3]
    dice = Dice("regroup")
    rolled = Counter(GAME.write(position, position.random_action(dice)) for _ in range(4000))
    assert 1850 < rolled["die straight"] < 2150


# Random games.


@pytest.mark.parametrize("wide", [4, 7, 8, 20])
def test_groups_of_scattered_sheep(wide: int) -> None:  # SP-20
    """Against spreading from sheep to sheep; flocks of up to seven rows and columns are mapped as bits, wider ones are not."""
    position, dice = new(2), Dice(f"scattered {wide}")
    for _ in range(effort(100)):
        found: set[tuple[int, int]] = set()
        while len(found) < 9:
            found.add((int(dice.below(wide)), int(dice.below(wide))))
        places: list[tuple[int, int] | None] = [*found]
        if dice.below(3) == 0:
            places[1] = None
        position.arrange(places)
        spots = position.places()
        whole = True
        for sheep in range(9):
            if spots[sheep] is None:
                continue
            group, fresh = {spots[sheep]}, [spots[sheep]]
            while fresh:
                row, column = fresh.pop()
                beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & set(spots) - group
                group |= beside
                fresh += beside
            assert int(group_of(position.at, sheep)) == sum(1 << other for other in range(9) if spots[other] in group)
            whole = whole and group == set(spots) - {None}
        assert (position.stage == SQUARE) == whole == is_whole(position.at)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_keep_the_rules(seats: int) -> None:  # SP-3, SP-21, SP-61
    dice = Dice(f"random {seats}")
    for _ in range(effort(400)):
        position = new(seats)
        census = position.census()
        plies = 0
        while position.to_act != OVER:
            action = position.random_action(dice)
            if plies % 7 == 0:
                assert action in position.legal()
            if position.stage == SQUARE:
                alive = [sheep for sheep, place in enumerate(position.places()) if place]
                assert int(group_of(position.at, alive[0])).bit_count() == len(alive)
            position.advance(action)
            plies += 1
            assert position.census() == census
            assert all(place is None or (place[0] < 20 and place[1] < 20) for place in position.places())
        assert plies <= position.ply_bound
        assert sorted(position.ranks()) == list(range(1, seats + 1))


@pytest.mark.parametrize("seats", [2, 4])
def test_offered_squares_can_be_carried_out(seats: int) -> None:  # SP-61, SP-17
    dice = Dice(f"offered {seats}")
    for _ in range(effort(40)):
        position = new(seats)
        while position.to_act != OVER:
            if position.stage == SQUARE:
                for square in position.legal():
                    tried = copied(position)
                    tried.advance(square)
                    assert tried.legal()
            position.advance(position.random_action(dice))
