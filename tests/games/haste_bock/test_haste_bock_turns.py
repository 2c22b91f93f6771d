"""Set-up, turns, the timer, points, and the end of the game."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from haste_bock_drawn import GAME, fresh, hand, pasture, play, rolled, texts, turn_of, where, with_card

from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadComponents
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.games.flock import BLACK_SHEEP, DIRECTION_NAMES, SHEEP_NAMES, STARTS
from sheepfold.games.haste_bock import svg_board
from sheepfold.games.haste_bock.components import read_components
from sheepfold.games.haste_bock.rules import CARD_KINDS, FIGHT_DIE, FIGHT_RAM, KIND_NAMES, PANIC_DIE, PANIC_RAM, VALUES, HasteBock, cell_at

SQUARE = """
    G B R
    R K Y
    Y G B
"""
APART = """
    G . Y
    . . .
    B . B
    . . .
    Y . G
"""


def cards_of(position: HasteBock, seat: int) -> list[str]:
    return [
        f"{KIND_NAMES[card // VALUES]} {card % VALUES + 1}"
        for card in range(CARD_KINDS)
        for _ in range(position.hand[seat * CARD_KINDS + card])
    ]


def movements_of(position: HasteBock, seat: int) -> list[int]:
    return [value + 1 for value in range(VALUES) for _ in range(position.movement[seat * VALUES + value])]


def timer_moves(position: HasteBock, start: int, value: int) -> HasteBock:
    """Seat 0 moves the timer by that value from there; the flock only turns, and then looks where it was drawn to look."""
    position.timer = start
    with_card(position, 0, f"turn {value}")
    position.facing = (position.facing + 6) % 8
    return play(position, "turn cw")


# Set-up.


def test_all_starts_with_knights_moves_and_no_others():  # HB-2
    ring = [0, 1, 2, 3, 5, 6, 7, 8]
    wanted = set()
    for fields in permutations(ring):
        pairs = [fields[place : place + 2] for place in (0, 2, 4, 6)]
        if all(one < other and sorted((abs(one // 3 - other // 3), abs(one % 3 - other % 3))) == [1, 2] for one, other in pairs):
            wanted.add((*fields, 4))
    assert {tuple(start) for start in STARTS} == wanted
    assert len(STARTS) == len(wanted) == 48


def test_the_start_is_drawn_and_stands_in_the_middle_looking_north():  # HB-2
    position = fresh()
    assert position.to_act == CHANCE
    assert position.weights() == [1] * 48
    play(position, "flock gbr rky ygb")
    assert where(position) == {
        "g1": (3, 3), "b1": (3, 4), "r1": (3, 5), "r2": (4, 3), "k": (4, 4), "y1": (4, 5), "y2": (5, 3), "g2": (5, 4), "b2": (5, 5)
    }  # fmt: skip
    assert DIRECTION_NAMES[position.facing] == "n"


def test_twelve_open_cards_each_four_of_each_value():  # HB-3
    position = fresh()
    for seat in range(4):
        cards = cards_of(position, seat)
        assert len(cards) == 12
        assert Counter(card[-1] for card in cards) == {"1": 4, "2": 4, "3": 4}
    play(position, "flock gbr rky ygb", "first 1")
    assert position.seen_by(SPECTATOR) == position.seen_by(3) == position


def test_which_value_stands_on_which_card():  # HB-40
    assert ", ".join(cards_of(fresh(), 2)) == (
        "step 1, step 2, slam 2, slam 3, leap 2, diagonal 1, diagonal 3, line 1, line 3, trough 2, trough 3, turn 1"
    )


def test_panic_spaces():  # HB-41
    track = fresh().track
    assert [space for space in range(75) if track.panic[space]] == [3, 8, 15, 20, 28, 33, 40, 45, 52, 57, 65, 70]


def test_component_file_of_ones_own_and_what_is_wrong_with_it(tmp_path):  # HB-40, HB-41
    text = (GAME.folder / "components.toml").read_text()
    own = tmp_path / "own.toml"
    own.write_text(text.replace("leap = [2]", "leap = [1]").replace("spaces = [3, 8,", "spaces = [4, 8,"))
    position = GAME.setup(4, own).start()
    assert "leap 1" in cards_of(position, 0)
    assert position.track.panic[4] and not position.track.panic[3]
    for wrong, right, named in (
        ("leap = [2, 2]", "leap = [2]", "12 cards"),
        ("turn = [4]", "turn = [1]", r"cards\.turn\[0\]"),
        ("walls = [24, 49]", "walls = [24, 61]", r"track\.walls"),
        ("pens = [36, 74]", "pens = [37, 74]", r"track\.pens"),
    ):
        own.write_text(text.replace(right, wrong))
        with pytest.raises(BadComponents, match=named):
            read_components(own)


def test_timer_and_points_start_at_nought():  # HB-4
    position = fresh()
    assert position.timer == 0
    assert position.scores() == [0, 0, 0, 0]


def test_points_may_fall_below_nought_and_pass_74():  # HB-4
    position = pasture("B B Y Y G G R R K|", seats=3)
    position.points[1] = 74
    hand(position, 0, "turn 1", "1 2 3")
    hand(position, 1, "", "")
    hand(position, 2, "", "1")
    timer_moves(position, 73, 1)  # in one row nobody scores
    assert position.scores() == [-6, 74, -2]
    position = pasture("B B Y Y G G R R K|", seats=3, facing="e")
    position.points[0] = 74
    timer_moves(position, 73, 1)
    assert position.scores()[0] == 74 + 4 + 3 - 6


def test_who_begins_is_drawn_or_the_first_seat_does_and_then_clockwise():  # HB-5
    position = play(fresh(3), "flock gbr rky ygb")
    assert position.to_act == CHANCE
    assert texts(position) == {"first 1", "first 2", "first 3"}
    assert position.weights() == [1, 1, 1]
    position = play(position, "first 2")
    order = []
    while len(order) < 6:
        if position.stage == FIGHT_DIE:
            order.append(int(position.turn))
            play(position, "die black")
        elif position.stage == FIGHT_RAM:
            play(position, min(texts(position)))
        else:
            order.append(int(position.to_act))
            play(turn_of(position, position.to_act), "step 2")
            play(position, min(texts(position)))
    assert order == [1, 2, 0, 1, 2, 0]
    position = play(fresh(3, first_seat_begins=True), "flock gbr rky ygb")
    assert (position.stage, position.turn) == (FIGHT_DIE, 0)


# The fight for the best spots.


@pytest.mark.parametrize(("seats", "order"), [(4, [2, 3, 0, 1]), (3, [2, 0, 1]), (2, [1, 0, 1, 0])])
def test_everybody_rams_once_and_with_two_players_twice(seats, order):  # HB-9, HB-30
    position = play(fresh(seats), "flock gbr rky ygb", f"first {order[0] + 1}")
    for seat in order:
        assert (position.to_act, position.turn) == (CHANCE, seat)
        assert texts(position) == {f"die {colour}" for colour in ("blue", "yellow", "green", "red", "black", "white")}
        assert position.weights() == [1] * 6
        play(position, "die green")
        assert position.to_act == seat
        assert {text.split()[1] for text in texts(position)} <= {"g1", "g2"}
        play(position, min(texts(position)))
        assert position.timer == 0
        assert not any(position.scores())
    assert position.to_act == order[0]
    assert "turn 1" in {text[:6] for text in texts(position)}


def test_black_is_berta_and_white_is_any_sheep():  # HB-9, HB-31
    for seats in (2, 3, 4):
        assert {text.split()[1] for text in texts(rolled(pasture(SQUARE, seats), "black"))} == {"k"}
        assert {text.split()[1] for text in texts(rolled(pasture(SQUARE, seats), "white"))} == set(SHEEP_NAMES)


def test_where_no_sheep_of_the_colour_can_ram_nothing_happens():  # HB-9
    position = pasture("""
        . . . . . . . . K|
        Y . . . . . . . .|
        . . . . . . . . .|
        . . . . . . . . .|
        . . B . . . . . .|
        . G . . . . . . .|
        . . . . . . B . .|
        Y . . . . G . . .|
        . . . R . . . R .|
    """, at=(0, 0))  # fmt: skip
    before = where(position)
    position.stage, position.fights, position.to_act = FIGHT_DIE, 2, CHANCE
    play(position, "die black")
    assert where(position) == before
    assert (position.stage, position.turn, position.fights) == (FIGHT_DIE, 1, 1)


# A turn.


def test_a_turn_card_timer_points_panic():  # HB-10
    position = pasture("""
        B . .
        . . .
        . . B
    """)  # fmt: skip
    position.timer = 1
    play(position, "step 2")
    assert "step 2" not in cards_of(position, 0)
    assert "step 2" in cards_of(position, 1)
    assert (position.timer, position.to_act) == (1, 0)
    play(position, "step b1 se")
    assert (position.timer, position.scores()) == (3, [1, 0, 0, 0])
    assert (position.stage, position.to_act, position.turn) == (PANIC_DIE, CHANCE, 0)
    play(position, "die yellow")
    assert (position.stage, position.to_act) == (PANIC_RAM, 0)
    assert {text.split()[1] for text in texts(position)} == {"y1", "y2"}


def test_points_come_before_the_panic_ram_which_scores_nothing_and_leaves_the_timer():  # HB-10
    position = pasture("""
        . . Y
        B K .
        . B .
    """)  # fmt: skip
    timer_moves(position, 2, 1)
    assert position.scores() == [1, 0, 0, 0]
    play(position, "die blue", "slam b2 n 1")
    assert (position.scores(), position.timer) == ([1, 0, 0, 0], 3)
    assert position.to_act == 1


def test_without_a_playable_card_the_turn_is_passed_and_the_cards_kept():  # HB-12
    position = pasture(SQUARE)
    hand(position, 1, "trough 2, trough 3")  # nothing to close up
    timer_moves(position, 0, 1)
    assert position.to_act == 2
    assert cards_of(position, 1) == ["trough 2", "trough 3"]


def test_a_ban_alone_never_leaves_a_seat_without_a_move():  # HB-12: so bans need no care when it is asked whether anybody can play
    position = pasture(SQUARE)
    idle = 0
    for rows, columns in ((3, 4), (4, 3), (2, 6), (9, 1)):
        fields = [cell_at(row, column) for row in range(rows) for column in range(columns)]
        for cells in combinations(fields, 9):
            position.stand(list(cells))
            troughs = texts(with_card(position, 0, "trough 2"))
            assert len(troughs) != 1
            idle += not troughs
    assert idle == 5


def test_when_nobody_can_play_only_the_last_pen_is_scored():  # HB-12
    position = pasture(APART)
    for seat in range(4):
        hand(position, seat, "")
    timer_moves(position, 17, 2)
    assert (position.timer, position.to_act) == (74, OVER)
    assert position.scores() == [2 + 2, 0 + 3, 0 + 3, 4 + 4]  # red is parked in the row farthest from Shawn


def test_an_early_end_costs_movement_cards_too():  # HB-12, HB-29
    position = pasture("B B Y Y G G R R K|", seats=3)
    for seat in range(3):
        hand(position, seat, "", "1 2" if seat == 2 else "")
    timer_moves(position, 17, 2)
    assert (position.to_act, position.scores()) == (OVER, [0, 0, -4])


# Points.


def stick_together(drawing: str, seat: int, start: int, value: int) -> int:
    position = pasture(drawing)
    position.timer = start
    return play(with_card(position, seat, f"turn {value}"), "turn cw").scores()[seat]


def test_phase_1_two_by_a_side_one_by_a_corner():  # HB-21, figure 11
    drawing = """
        R R Y
        . Y .
    """
    assert stick_together(drawing, 3, 4, 1) == 2
    assert stick_together(drawing, 1, 4, 1) == 1
    assert stick_together(drawing, 3, 10, 2) == 2
    assert stick_together(drawing, 3, 10, 3) == 0  # 13 is phase 2
    assert stick_together("R . R", 3, 4, 1) == 0


def test_phase_1_only_who_moved():  # HB-21
    assert timer_moves(pasture("R R B B Y Y"), 4, 1).scores() == [2, 0, 0, 0]


ROGER = """
    . B G
    R R Y
    . Y .
    G . .
    B K .
"""


def test_phase_2_rows_near_roger():  # HB-22, figure 12
    assert timer_moves(pasture(ROGER), 24, 1).scores() == [4, 5, 5, 6]


@pytest.mark.parametrize(
    ("start", "value", "scored"), [(24, 1, True), (22, 2, False), (22, 3, True), (25, 2, False), (36, 1, True), (35, 1, False)]
)
def test_phase_2_scores_at_the_wall_and_in_the_pen_only(start, value, scored):  # HB-22
    assert any(timer_moves(pasture(ROGER), start, value).scores()) == scored


@pytest.mark.parametrize(("facing", "scores"), [("n", [4, 5, 5, 6]), ("s", [4, 3, 3, 2]), ("e", [5, 7, 6, 5]), ("w", [7, 5, 6, 7])])
def test_rows_are_at_right_angles_to_the_facing(facing, scores):  # HB-26
    assert timer_moves(pasture(ROGER, facing=facing), 24, 1).scores() == scores


def test_the_timer_stops_in_the_pen_and_the_next_player_goes_on():  # HB-23
    position = timer_moves(pasture(ROGER), 36, 3)
    assert position.timer == 37
    assert position.scores() == [4, 5, 5, 6]
    position.stage = 4
    play(with_card(position, 1, "turn 2"), "turn cw")
    assert position.timer == 39
    assert position.scores() == [4, 5, 5, 6]  # phase 3, and yellow is not beside Berta


def test_roger_and_shawn_stand_where_the_flock_looks():  # HB-19, HB-23, HB-25, figure 10
    position = pasture(ROGER)

    def picture(timer, facing):
        position.timer, position.facing = timer, DIRECTION_NAMES.index(facing)
        lines = GAME.text_picture(position, 0).split("\n")
        return [name for name in ("Roger", "Shawn") if any(name in line for line in lines[:2])]

    assert [picture(timer, "n") for timer in (0, 12, 13, 37, 38, 49, 50, 74)] == [
        [], [], ["Roger"], ["Roger"], [], [], ["Shawn"], ["Shawn"]
    ]  # fmt: skip
    position.timer, position.facing = 20, 0
    play(with_card(position, 0, "turn 1"), "turn cw")
    rows = GAME.text_picture(position, 0).split("\n")[3:12]
    assert [row.split("|")[2].strip()[4:5] for row in rows[2:7]] == list("Roger")


def black_is_beautiful(seat: int, start: int, value: int) -> list[int]:
    position = pasture("""
        R . .
        Y K Y
        . . .
        . R .
    """)  # fmt: skip
    position.timer = start
    return play(with_card(position, seat, f"turn {value}"), "turn cw").scores()


def test_phase_3_sheep_beside_berta():  # HB-24, figure 13
    assert black_is_beautiful(1, 41, 1) == [0, 4, 0, 0]
    assert black_is_beautiful(3, 41, 1) == [0, 0, 0, 1]
    assert black_is_beautiful(1, 37, 1) == [0, 4, 0, 0]
    assert black_is_beautiful(1, 48, 1) == [0, 4, 0, 0]
    assert black_is_beautiful(1, 48, 2) == [0, 0, 0, 0]  # 50 is phase 4


def test_phase_4_rows_far_from_shawn_and_none_for_the_nearest():  # HB-25
    position = pasture("""
        B Y G
        b2 R K
        y2 g2 r2
    """)  # fmt: skip
    assert timer_moves(position, 61, 1).scores() == [0 + 3, 0 + 4, 0 + 4, 3 + 4]


def test_phase_4_one_row_scores_nothing():  # HB-25
    assert timer_moves(pasture("B B Y Y G G R R K|"), 61, 1).scores() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("start", "value", "scored"), [(61, 1, True), (59, 2, False), (60, 3, True), (62, 2, False), (72, 1, False), (73, 1, True)]
)
def test_phase_4_scores_at_the_wall_and_in_the_last_pen_only(start, value, scored):  # HB-25
    position = timer_moves(pasture(ROGER), start, value)
    assert any(position.scores()) == scored
    assert sum(1 for what in position.board if what < 9) == 9  # no sheep is removed


SHAWN = """
    R B
    Y Y
    K .
    G b2
    g2 .
    r2 .
"""


BERTA_IN_FRONT = """
    K . . .
    R B Y Y
    G b2 . .
    g2 . . .
    r2 . . .
"""


def test_a_row_of_berta_alone_is_a_row_unless_the_option_says_otherwise():  # HB-26
    """The points told of figure 14, which is not in the text, come out under either reading: 2, 0, 5, 4."""
    assert timer_moves(pasture(SHAWN), 61, 1).scores() == [2, 0, 5, 4]
    assert timer_moves(pasture(SHAWN, neutral_rows=False), 61, 1).scores() == [2, 2, 5, 4]
    assert timer_moves(pasture(BERTA_IN_FRONT), 61, 1).scores() == [3, 2, 5, 5]
    assert timer_moves(pasture(BERTA_IN_FRONT, neutral_rows=False), 61, 1).scores() == [2, 0, 5, 4]


def test_what_a_row_would_score_stands_beside_rows_that_count(monkeypatch):  # HB-26
    """Berta alone before the others: with her row left out the next one is the first."""
    drawing = """
        . K .
        B Y G
        R . .
        b2 y2 .
        g2 r2 .
    """
    drawn = []
    monkeypatch.setattr(svg_board.art, "rank_label", lambda value, x, y, height: drawn.append((y, value)) or "")

    def beside(**options):
        position = pasture(drawing, **options)
        position.timer = 24
        drawn.clear()
        GAME.picture(position, 0)
        return dict(drawn)

    heights = sorted(beside())
    assert [beside()[y] for y in heights] == [4, 3, 2, 1]
    left_out = beside(neutral_rows=False)
    assert [left_out.get(y) for y in heights] == [None, 4, 3, 2] and sorted(left_out.values()) == [1, 2, 3, 4]


def test_rows_of_neutral_sheep_and_the_row_nearest_to_shawn():  # HB-26
    drawing = """
        R K
        B Y
        . .
        G b2
        r2 y2
    """
    assert timer_moves(pasture(drawing, seats=3), 61, 1).scores()[:3] == [1 + 2, 1 + 3, 2 + 4]  # green 2 is parked in row 8
    drawing = """
        R K
        B Y
        . .
        G g2
        r2 y2
        b2 .
    """
    counted = timer_moves(pasture(drawing, seats=2), 61, 1).scores()
    left_out = timer_moves(pasture(drawing, seats=2, neutral_rows=False), 61, 1).scores()
    assert counted == [1 + 4, 1 + 3]
    assert left_out == [0 + 4, 0 + 3]  # their front row is now the one nearest to Shawn
    assert timer_moves(pasture(drawing, seats=2), 24, 1).scores() == [3 + 0, 3 + 1]
    assert timer_moves(pasture(drawing, seats=2, neutral_rows=False), 24, 1).scores() == [4 + 2, 4 + 3]


# The end.


def test_the_game_ends_in_the_last_pen_after_scoring():  # HB-27
    position = timer_moves(pasture(ROGER), 73, 3)
    assert (position.timer, position.to_act, position.legal()) == (74, OVER, [])
    assert any(position.scores())


def test_most_points_then_unused_action_cards_then_shared():  # HB-28
    position = pasture("B B Y Y G G R R K|", seats=3)
    for seat, (points, cards, movements) in enumerate([(9, "slam 2", "3"), (7, "slam 3", ""), (8, "slam 2, turn 1", "")]):
        position.points[seat] = points
        hand(position, seat, cards, movements)
    timer_moves(position, 73, 1)
    assert position.scores() == [7, 7, 8]
    assert position.ranks() == [3, 2, 1]
    hand(position, 1, "slam 2", "")
    assert position.ranks() == [2, 2, 1]


# Three and two players.


def test_three_players_have_three_movement_cards_and_may_add_one():  # HB-29
    position = pasture(SQUARE, seats=3)
    assert [movements_of(position, seat) for seat in range(3)] == [[1, 2, 3]] * 3
    assert {text for text in texts(position) if text.startswith("slam 2")} == {"slam 2", "slam 2 plus 1", "slam 2 plus 2", "slam 2 plus 3"}
    play(position, "slam 2 plus 3")
    assert movements_of(position, 0) == [1, 2]
    play(position, min(texts(position)))
    assert position.timer == 5
    position = turn_of(position, 0)
    assert {text for text in texts(position) if text.startswith("slam 3")} == {"slam 3", "slam 3 plus 1", "slam 3 plus 2"}
    play(position, "slam 3")
    play(position, min(texts(position)))
    assert position.timer == 8


def test_a_movement_card_may_be_lost_at_a_pen():  # HB-29
    position = pasture(ROGER, seats=3)
    position.timer = 35
    play(position, "slam 2 plus 3")
    play(position, min(texts(position)))
    assert position.timer == 37
    assert movements_of(position, 0) == [1, 2]


def test_an_unused_movement_card_costs_two_points():  # HB-29
    position = pasture("B B Y Y G G R R K|", seats=3)
    hand(position, 1, "slam 2", "1 2")
    hand(position, 2, "slam 2, turn 1", "")
    assert timer_moves(position, 73, 1).scores() == [-6, -4, 0]


def test_two_players_must_add_a_movement_card_and_pay_nothing_at_the_end():  # HB-30
    position = pasture(SQUARE, seats=2)
    assert [movements_of(position, seat) for seat in range(2)] == [[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]] * 2
    assert {text for text in texts(position) if text.startswith("slam 2")} == {"slam 2 plus 1", "slam 2 plus 2", "slam 2 plus 3"}
    play(position, "slam 2 plus 3")
    assert len(movements_of(position, 0)) == 11
    play(position, min(texts(position)))
    assert position.timer == 5
    assert timer_moves(pasture("B B Y Y G G R R K|", seats=2), 73, 1).scores() == [0, 0]


def test_neutral_sheep_answer_the_die_and_are_pushed_like_others():  # HB-31
    position = rolled(pasture(SQUARE, seats=2), "red")
    assert {text.split()[1] for text in texts(position)} == {"r1", "r2"}
    position = with_card(pasture("R . G", seats=2), 0, "line 1")
    play(position, "line r1 w")
    assert (where(position)["r1"], where(position)["g1"]) == ((2, 1), (2, 3))
    position = with_card(pasture("B . G", seats=2), 0, "slam 2")
    assert where(play(position, "slam b1 e 1"))["g1"] == (2, 5)


# Contract.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_keep_their_components_and_end(seats):
    start = fresh(seats)
    for seed in range(40):
        position, dice, plies = start.copy(), Dice(f"census {seed}"), 0
        while position.to_act != OVER:
            action = position.random_action(dice)
            assert position.allows(action)
            position.apply(action)
            plies += 1
            assert position.census() == start.census()
            assert len(set(where(position).values())) == 9
            assert all(position.board[position.where[sheep]] == sheep for sheep in range(BLACK_SHEEP + 1))
            assert len(position.tensor()) == len(start.tensor())
        assert plies <= position.ply_bound
        assert 1 in position.ranks()


def test_random_moves_reach_every_legal_one():
    for drawing in (SQUARE, APART, ROGER):
        for card in ("step 1", "slam 2", "leap 2", "line 1", "diagonal 1", "trough 2", "turn 1"):
            position, dice = with_card(pasture(drawing), 0, card), Dice(card)
            if position.legal():
                assert {int(position.random_action(dice)) for _ in range(1500)} == set(position.legal())
    position, dice = turn_of(pasture(SQUARE), 0), Dice("cards")
    assert {int(position.random_action(dice)) for _ in range(500)} == set(position.legal())
