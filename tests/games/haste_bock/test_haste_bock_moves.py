"""Ramming and the seven actions, drawn. The figures named are the rulebook's."""

import pytest
from haste_bock_drawn import fresh, hand, pasture, play, rolled, shows, texts, turn_of, where, with_card

from sheepfold.core.errors import UnreadableAction
from sheepfold.games.flock import DIRECTION_NAMES
from sheepfold.games.haste_bock.rules import HasteBock


def refused(position: HasteBock, text: str) -> bool:
    before = position.key()
    with pytest.raises(UnreadableAction):
        play(position, text)
    return position.key() == before


def start() -> HasteBock:
    return pasture("""
        G B R
        R K Y
        Y G B
    """)


def lines_up(seat: int, card: str, drawing: str, at: tuple[int, int] = (2, 0)) -> HasteBock:
    return with_card(pasture(drawing, at=at), seat, card)


# Ramming.


def fought() -> HasteBock:
    """The fight of figures 4.1 to 4.3, up to where red is rolled."""
    position = start()
    play(rolled(position, "black"), "slam k se 1")
    assert shows(position, """
        G B R .
        R . Y .
        Y G K .
        . . . B
    """)  # fmt: skip
    play(rolled(position, "yellow"), "slam y2 ne 1")  # over the empty middle field
    play(rolled(position, "green"), "slam g1 e 2")
    assert shows(position, """
        . . . R
        . G B Y
        R . Y .
        . G K .
        . . . B
    """, at=(1, 2))  # fmt: skip
    return rolled(position, "red")


def test_last_rammed_sheep_moves_one_field():  # HB-6, figure 4.4
    position = play(fought(), "slam r1 s 1")
    assert shows(position, """
        . . . .
        . G B R
        R . Y Y
        . G K .
        . . . B
    """, at=(1, 2))  # fmt: skip


def test_a_ram_may_go_on_to_a_sheep_beyond_a_gap_and_all_close_up():  # HB-6, figure 4.6
    position = play(fought(), "slam r1 s 2")
    assert shows(position, """
        . . . .
        . G B .
        R . Y .
        . G K R
        . . . Y
        . . . B
    """, at=(1, 2))  # fmt: skip


def test_no_other_ram_of_that_column_is_possible():  # HB-6, HB-7, figure 4.5: yellow cannot be moved by two fields
    assert {text for text in texts(fought()) if text.startswith("slam r1 s ")} == {"slam r1 s 1", "slam r1 s 2"}


def test_one_of_two_in_a_line_with_gaps():  # HB-6
    assert shows(play(lines_up(3, "slam 2", "R . Y . . B ."), "slam r1 e 1"), ". . R Y . B .", at=(2, 0))
    assert shows(play(lines_up(3, "slam 2", "R . Y . . B ."), "slam r1 e 2"), ". . . . R Y B", at=(2, 0))


def test_a_sheep_behind_the_last_rammed_one_must_be_rammed_too():  # HB-7
    position = lines_up(3, "slam 2", "R . Y B . .")
    assert refused(position.copy(), "slam r1 e 1")
    assert shows(play(position, "slam r1 e 2"), ". . R Y B .", at=(2, 0))


def test_the_last_rammed_sheep_cannot_leave_the_pasture():  # HB-7, HB-11
    position = with_card(pasture("R . Y . B|"), 3, "slam 2")
    assert refused(position.copy(), "slam r1 e 2")
    assert shows(play(position, "slam r1 e 1"), ". . R Y B|")


def test_a_ram_must_hit_a_sheep():  # HB-8
    position = lines_up(3, "slam 2", "R . . . . . . .")
    assert not {text for text in texts(position) if text.startswith("slam r1 e")}


def test_rams_from_the_start():  # HB-7, HB-8: corner 3, edge 5
    for colour in ("blue", "yellow", "green", "red", "black"):
        assert len(texts(rolled(start(), colour))) == 8
    assert len(texts(rolled(start(), "white"))) == 40


def test_a_ram_may_reach_seven_sheep():  # HB-7: the longest there is
    position = with_card(pasture("r1 B B Y Y G G K .|"), 3, "slam 2")
    assert {text for text in texts(position) if text.startswith("slam r1 e")} == {"slam r1 e 7"}
    assert shows(play(position, "slam r1 e 7"), ". r1 B B Y Y G G K|")


# The seven actions.


def test_step_goes_to_any_free_field_beside():  # HB-13
    position = with_card(pasture("""
        . B .
        Y R .
        . . G
    """), 3, "step 1")  # fmt: skip
    assert {text for text in texts(position) if "r1" in text} == {f"step r1 {way}" for way in ("ne", "e", "s", "sw", "nw")}
    assert {text.split()[1] for text in texts(position)} == {"r1", "r2"}
    assert shows(play(position, "step r1 sw"), """
        . B .
        Y . .
        R . G
    """)  # fmt: skip


def test_step_does_not_leave_the_pasture():  # HB-13, HB-11
    position = with_card(pasture("R B", at=(0, 0)), 3, "step 1")
    assert {text for text in texts(position) if "r1" in text} == {"step r1 se", "step r1 s"}


def test_lamb_slam_is_for_own_sheep():  # HB-14
    for seat, letter in enumerate("bygr"):
        position = with_card(start(), seat, "slam 3")
        assert len(texts(position)) == 8
        assert {text.split()[1][0] for text in texts(position)} == {letter}
    assert shows(play(with_card(start(), 1, "slam 3"), "slam y1 w 2"), """
        . G B R
        R K Y .
        . Y G B
    """, at=(2, 1))  # fmt: skip


def test_leap_lands_directly_behind_the_last_one_jumped():  # HB-15, figure 6
    position = with_card(pasture(". . b1 . R . b2 . G|"), 0, "leap 2")
    assert {text for text in texts(position) if text.startswith("leap b1 e")} == {"leap b1 e 1", "leap b1 e 2"}
    assert where(play(position.copy(), "leap b1 e 1"))["b1"] == (2, 5)
    assert where(play(position, "leap b1 e 2"))["b1"] == (2, 7)


def test_leap_over_an_unbroken_run_and_never_a_run_up_alone():  # HB-15
    position = with_card(pasture("""
        b1 R G .
        b2 . . .
    """, at=(2, 0)), 0, "leap 2")  # fmt: skip
    assert {text for text in texts(position) if " e " in text} == {"leap b1 e 2"}
    assert shows(play(position, "leap b1 e 2"), """
        . R G b1
        b2 . . .
    """, at=(2, 0))  # fmt: skip


def test_leap_is_for_own_sheep_in_eight_directions():  # HB-15
    position = with_card(pasture("""
        B . B . Y
        . Y G G .
        . K R r2 .
        . . . . .
    """), 3, "leap 2")  # fmt: skip
    mine = {text for text in texts(position) if "r1" in text}
    assert mine == {"leap r1 n 2", "leap r1 ne 2", "leap r1 e 1", "leap r1 w 1", "leap r1 nw 2"}
    assert {text.split()[1] for text in texts(position)} == {"r1", "r2"}


def test_diagonal_push_moves_all_of_the_diagonal_gaps_or_not():  # HB-16, figure 7
    position = with_card(pasture("""
        R . . . .
        . Y . G .
        . . . . .
        . . . B .
        . . . . .
    """, at=(4, 0)), 2, "diagonal 1")  # fmt: skip
    assert shows(play(position, "diagonal b1 se"), """
        . . . . .
        . R . G .
        . . Y . .
        . . . . .
        . . . . B
    """, at=(4, 0))  # fmt: skip


def test_diagonal_push_only_along_diagonals_and_within_the_pasture():  # HB-16, HB-11
    position = with_card(pasture("""
        . . R|
        . Y .|
    """, at=(0, 0)), 0, "diagonal 3")  # fmt: skip
    ways = {tuple(text.split()[1:]) for text in texts(position)}
    assert {way for _, way in ways} <= {"ne", "se", "sw", "nw"}
    assert ("y1", "sw") in ways
    assert ("r1", "ne") not in ways  # red would leave the pasture
    assert ("y1", "nw") in ways and ("y1", "se") in ways


def test_line_push_moves_the_row_with_its_gaps():  # HB-17, figure 8
    assert shows(play(lines_up(0, "line 1", ". B . G ."), "line g1 e"), ". . B . G", at=(2, 0))
    position = with_card(pasture(". B . G|"), 0, "line 1")
    assert refused(position.copy(), "line g1 e")
    assert shows(play(position, "line b1 w"), "B . G .|")


def test_line_push_along_columns_by_anybody_and_named_by_any_sheep_of_it():  # HB-17
    drawing = """
        R .
        . .
        K .
    """
    for name in ("r1", "k"):
        position = play(with_card(pasture(drawing, at=(3, 3)), 0, "line 3"), f"line {name} s")
        assert shows(position, """
            . .
            R .
            . .
            K .
        """, at=(3, 3))  # fmt: skip
    assert {text.split()[2] for text in texts(with_card(pasture(drawing, at=(3, 3)), 0, "line 3"))} == {"n", "e", "s", "w"}


def test_line_and_diagonal_pushes_may_be_reversed():  # HB-20
    for card, there, back in (("line 1", "line r1 s", "line r1 n"), ("diagonal 1", "diagonal r1 se", "diagonal r1 nw")):
        position = play(with_card(pasture("R .", at=(4, 0)), 0, card), there)
        assert back in texts(with_card(position, 1, card))


TROUGH = """
    . . K . .
    Y R . G .
    . Y . R B
    . G B . .
"""


@pytest.mark.parametrize(("way", "drawing"), [
    ("n", "Y R K G B\n . Y B R . \n . G . . . \n . . . . ."),
    ("s", ". . . . . \n . R . . . \n . Y K G . \n Y G B R B"),
    ("e", ". . . . K \n . . Y R G \n . . Y R B \n . . . G B"),
    ("w", "K . . . . \n Y R G . . \n Y R B . . \n G B . . ."),
])  # fmt: skip
def test_trough(way, drawing):  # HB-18, figures 9a to 9d
    assert shows(play(with_card(pasture(TROUGH), 0, "trough 2"), f"trough {way}"), drawing)


def test_trough_leaves_empty_columns_between_clusters():  # HB-18
    position = with_card(pasture("""
        B . . . R
        . . . . .
        Y . K . G
        B Y . R G
    """), 0, "trough 2")  # fmt: skip
    assert shows(play(position, "trough n"), """
        B Y K R R
        Y . . . G
        B . . . G
        . . . . .
    """)  # fmt: skip
    position = with_card(pasture("""
        B . . . R
        Y . . . G
        B . K . G
        Y . . . R
    """), 0, "trough 2")  # fmt: skip
    assert shows(play(position, "trough n"), """
        B . K . R
        Y . . . G
        B . . . G
        Y . . . R
    """)  # fmt: skip


def test_an_action_must_move_a_sheep():  # HB-11: a flock that lies at the trough already
    position = with_card(start(), 0, "trough 2")
    assert texts(position) == set()
    assert not {text for text in texts(turn_of(start(), 0)) if text.startswith("trough")}


def test_trough_back_is_forbidden_in_the_very_next_turn():  # HB-18
    position = play(with_card(pasture(TROUGH), 0, "trough 3"), "trough n")
    assert position.timer == 3
    after = play(turn_of(position, 1), "trough 2")  # the panic left aside
    assert texts(after) == {"trough e", "trough w"}
    play(after, "trough e")
    assert texts(play(turn_of(after, 2), "trough 2")) == {"trough s"}  # nobody minds the trough before the last


def test_trough_the_same_way_if_it_moves_a_sheep_and_a_panic_ram_does_not_lift_the_ban():  # HB-18, HB-20
    position = pasture(TROUGH)
    play(with_card(position, 0, "trough 3"), "trough n", "die black")  # space 3 is a panic space
    play(position, "slam k s 1", "trough 2")
    assert position.to_act == 1
    assert "trough s" not in texts(position)
    assert "trough n" in texts(position)


def test_turn_changes_the_facing_and_nothing_else():  # HB-19, HB-11: turning counts as moving
    position = with_card(pasture(TROUGH), 0, "turn 1")
    before = where(position)
    for way, looks in (("cw", "e"), ("ccw", "w")):
        after = play(position.copy(), f"turn {way}")
        assert DIRECTION_NAMES[after.facing] == looks
        assert where(after) == before


def test_turning_back_is_forbidden_turning_on_is_not():  # HB-19
    position = play(with_card(pasture(TROUGH), 0, "turn 1"), "turn cw", "turn 1")
    assert texts(position) == {"turn cw"}
    play(position, "turn cw")
    assert DIRECTION_NAMES[position.facing] == "s"
    play(position, "step 1")
    play(position, sorted(texts(position))[0])
    assert texts(play(turn_of(position, 3), "turn 1")) == {"turn cw", "turn ccw"}  # a turn later nobody minds


def test_a_passed_turn_ends_the_ban():  # HB-20
    position = with_card(pasture(TROUGH), 0, "trough 2")
    hand(position, 1, "")
    play(position, "trough n")
    assert position.to_act == 2
    assert "trough s" in texts(play(position, "trough 2"))


def test_facing_never_restricts_movement():  # HB-11
    for card in ("step 1", "slam 2", "leap 2", "line 1", "diagonal 1", "trough 2", "turn 1"):
        moves = {frozenset(texts(with_card(pasture(TROUGH, facing=way), 0, card))) for way in ("n", "e", "s", "w")}
        assert len(moves) == 1


def test_the_pasture_has_81_fields_and_nine_sheep():  # HB-1
    position = fresh()
    assert sum(1 for what in position.board if what == 9) == 81
    play(position, "flock gbr rky ygb")
    assert sorted(name[0] for name in where(position)) == sorted("bbyyggrrk")
    assert sum(1 for what in position.board if what == 9) == 72
