"""The rules of Te Kuiti, one after the other, as the dossier numbers them."""

from __future__ import annotations

import pytest
from te_kuiti_drawn import all_but, cell, choices, enclosed, field, play, up, who

from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadOption, BadSeats
from sheepfold.core.position import CHANCE, OVER, IllegalAction, playout
from sheepfold.game.conformance import effort
from sheepfold.games.te_kuiti import GAME
from sheepfold.games.te_kuiti.rules import ALL_LYING, ALL_STANDING, EDGES, OUTSIDE, REMOVE, SIDE, flood
from sheepfold.games.te_kuiti.solo_rates import win_rate

ALL_BORDER = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
"""

# Components and set-up.


def test_25_tiles_and_30_fences():  # TK-1
    position = GAME.setup(2).start()
    assert position.census() == (4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 3, 0, 2, 0, 30)


def test_flowers_do_not_matter_for_two():  # TK-1
    assert all(" " not in text for text in choices(_revealing(field())))


def _revealing(position):
    play(position, "turn a1")
    return position


def test_the_field_starts_face_down_with_a_full_supply_and_60_places():  # TK-2
    position = field(turn="shepherd")
    assert len(choices(position)) == 60 == len(set(choices(position)))
    assert (position.supply, position.open_tiles(), position.up) == (30, 25, 0)
    assert all(known == 0 for known in position.known)


def test_one_fence_an_edge():  # TK-2
    position = field(turn="shepherd")
    play(position, "fence b3 e")
    assert "fence b3 e" not in choices(position)
    with pytest.raises(IllegalAction):
        position.apply(GAME.read(field(turn="shepherd"), "fence c3 w"))


def test_the_tiles_are_shuffled_afresh_and_the_supply_filled_for_round_two():  # TK-2
    position = field("""
        +   +
          C   ?
    """, turn="shepherd", supply=1)  # fmt: skip
    play(position, "fence e5 s")
    assert (position.round, position.up, position.supply, position.tiles_gone()) == (1, 0, position.terms.fences, 0)
    assert list(position.unseen) == list(position.terms.tiles) and not any(position.known)


def test_a_pen_at_the_border_needs_fences_there():  # TK-3
    position = field("""
        +   +   +
          ? | ?
        +---+   +
    """)  # fmt: skip
    assert enclosed(position) == ""
    position.put_fence(GAME.read(field(turn="shepherd"), "fence a1 n"))
    assert enclosed(position) == ""
    position.put_fence(GAME.read(field(turn="shepherd"), "fence a1 w"))
    assert enclosed(position) == "a1"


def test_the_first_shepherd_is_chosen_or_drawn_and_begins():  # TK-4
    drawn = GAME.setup(2).start()
    assert (drawn.to_act, choices(drawn), drawn.weights()) == (CHANCE, ["first 1", "first 2"], [1, 1])
    play(drawn, "first 2")
    assert (drawn.shepherd, drawn.sheep, drawn.to_act) == (1, 0, 1)
    assert GAME.setup(2, first_shepherd=2).start().shepherd == 1
    assert GAME.setup(2, first_shepherd=1).start().to_act == 0


def test_turns_alternate():  # TK-4
    position = field(turn="shepherd")
    play(position, "fence a1 n", "fence c3 s")
    assert who(position) == "sheep"
    play(position, "turn a1, shy, turn b2, angry, done")
    assert who(position) == "shepherd"


# The Shepherd's turn and enclosure.


def test_exactly_two_fences_anywhere_and_no_passing():  # TK-5
    position = field(turn="shepherd")
    assert all(text.startswith("fence") for text in choices(position))
    play(position, "fence a1 n")
    assert who(position) == "shepherd" and len(choices(position)) == 59
    assert all(text.startswith("fence") for text in choices(position))
    play(position, "fence e5 e")
    assert who(position) == "sheep"


def test_corner_pen():  # TK-6, an example
    assert enclosed(field("""
        +---+   +
        | ? | ?
        +---+   +
    """)) == "a1"  # fmt: skip


def test_two_by_two_pen():  # TK-6, an example
    drawing = """
        +---+---+   +
        | ?   ? | ?
        +   +   +   +
        | ?   ? | ?
        +---+---+   +
    """
    assert field(drawing).enclosed_tiles() == 4
    for edge in range(EDGES):
        position = field(drawing)
        if position.fenced(edge):
            position.pull_fence(edge)
            assert position.enclosed_tiles() == 0
    position = field(drawing)
    position.put_fence(GAME.read(field(turn="shepherd"), "fence a1 e"))
    assert position.enclosed_tiles() == 4


def test_a_pen_of_any_shape():  # TK-6
    position = field("""
        +   +---+   +   +   +
          ? | ? | ?   ?   ?
        +---+   +---+   +   +
        | ?   ?   ? | ?   ?
        +---+   +---+   +   +
          ? | ? | ?   ?   ?
        +   +---+   +   +   +
    """)  # fmt: skip
    assert enclosed(position) == "b1 a2 b2 c2 b3"


def test_a_fence_inside_a_pen_and_a_pen_in_a_pen():  # TK-6
    position = field(ALL_BORDER, turn="shepherd")
    play(position, "fence c3 n, fence c3 e")
    assert position.enclosed_tiles() == 25
    position.pull_fence(0)
    assert position.enclosed_tiles() == 0


def test_an_empty_cell_lets_the_flood_through():  # TK-6, an example
    assert enclosed(field("""
        +   +---+
              ? |
        +   +---+
    """)) == ""  # fmt: skip
    assert enclosed(field("""
        +---+---+
        |     ? |
        +---+---+
    """)) == "a1 b1"  # fmt: skip
    assert field("""
        +---+---+
        |     ? |
        +---+---+
    """).enclosed_tiles() == 1  # fmt: skip


def plain_flood(fenced: set[int]) -> set[int]:
    """The cells that water from outside does not reach: the rule in the plainest words there are."""
    wet: set[int] = set()
    front = [
        index for index in range(25) for side, (row, column) in enumerate(((0, None), (None, 4), (4, None), (None, 0)))
        if (index // 5 == row or index % 5 == column) and int(SIDE[4 * index + side]) not in fenced
    ]  # fmt: skip
    while front:
        index = front.pop()
        if index in wet:
            continue
        wet.add(index)
        for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            row, column = index // 5 + down, index % 5 + right
            if 0 <= row < 5 and 0 <= column < 5 and int(SIDE[4 * index + side]) not in fenced:
                front.append(5 * row + column)
    return set(range(25)) - wet


def test_the_flood_against_a_plain_one_on_random_fences():  # TK-6
    dice = Dice("fences")
    pens = 0
    for _ in range(1500):
        position = field()
        fenced: set[int] = set()
        density = 1 + dice.below(3)
        for _ in range(80):
            edge = int(dice.below(EDGES))
            if edge in fenced and dice.below(4) == 0:
                position.pull_fence(edge)
                fenced.remove(edge)
            elif edge not in fenced and dice.below(3) < density:
                position.put_fence(edge)
                fenced.add(edge)
        expected = plain_flood(fenced)
        pens += bool(expected)
        assert {index for index in range(25) if position.enclosed(index)} == expected
        assert position.reached == flood(OUTSIDE, position.lying, position.standing)
        assert {edge for edge in range(EDGES) if position.fenced(edge)} == fenced
    assert pens > 300


def test_all_edges_fenced_and_none():  # TK-6
    assert flood(OUTSIDE, 0, 0) == OUTSIDE
    assert flood(OUTSIDE, ALL_LYING, ALL_STANDING) == 2**49 - 1


# The Sheep's turn.


def test_until_two_sheep_are_revealed():  # TK-7
    position = field()
    play(position, "turn a1, shy")
    assert who(position) == "sheep" and position.revealed == 1 and up(position) == "a1"
    assert "turn a1" not in choices(position)
    play(position, "turn a2, angry")
    assert choices(position) == ["done"]


def test_an_enclosed_tile_may_not_be_turned():  # TK-7
    position = field("""
        +---+   +
        | ? | ?
        +---+   +
    """)  # fmt: skip
    assert "turn a1" not in choices(position) and "turn b1" in choices(position)
    with pytest.raises(IllegalAction):
        position.apply(GAME.read(field(), "turn a1"))


def test_a_sheep_that_is_enclosed_after_it_was_revealed_counts():  # TK-7
    position = field("""
        +---+   +
          ? | ?
        +---+   +
    """)  # fmt: skip
    play(position, "turn a1, shy, turn b1, shepherd, fence a1 w, turn c1, angry")
    assert position.revealed == 2 and choices(position) == ["done"]


def test_identical_sheep_are_taken_at_once():  # TK-8
    position = field()
    told = play(position, "turn a1, shy, turn e5, shy")
    assert position.sheep_taken() == 2 and not position.has_tile(cell("a1")) and not position.has_tile(cell("e5"))
    assert who(position) == "shepherd" and position.scores() == [0, 2]
    assert told[-1] == "+2: Player 2 takes two shy sheep, a1 and e5."


def test_different_sheep_are_turned_down_where_they_are():  # TK-8
    position = field()
    play(position, "turn a1, shy, turn e5, dreamy")
    assert up(position) == "a1 e5"
    play(position, "done")
    assert up(position) == "" and position.sheep_taken() == 0
    assert position.has_tile(cell("a1")) and position.mood(cell("a1")) == 2 and position.mood(cell("e5")) == 4


def test_a_ram_removes_any_fence_and_leaves():  # TK-9
    position = field("""
        +---+   +---+
          ?   ?   ?
    """)  # fmt: skip
    play(position, "turn a1, ram")
    assert not position.has_tile(cell("a1")) and who(position) == "sheep"
    assert choices(position) == ["remove a1 n", "remove c1 n"]
    play(position, "remove c1 n")
    assert position.supply == 29 and not position.fenced(2) and who(position) == "sheep"
    assert position.revealed == 0 and "turn b1" in choices(position)


def test_two_fences_and_three_rams():  # TK-9, an example
    position = field("""
        +---+---+
          ?   ?
    """)  # fmt: skip
    told = play(position, "turn a1, ram, remove a1 n, turn b1, ram, remove b1 n, turn c1, ram")
    assert position.supply == 30 and position.tiles_gone() == 3
    assert who(position) == "sheep" and "turn d1" in choices(position)
    assert told[-1] == "The ram leaves the game; there is no fence to break."


def test_a_shepherd_places_one_fence_at_once():  # TK-10
    position = field()
    play(position, "turn a1, shy, turn b1, shepherd")
    assert not position.has_tile(cell("b1")) and who(position) == "shepherd" and len(choices(position)) == 60
    play(position, "fence c3 e")
    assert position.supply == 29 and who(position) == "sheep" and position.revealed == 1
    assert up(position) == "a1" and "turn c1" in choices(position)


def test_ram_shy_shepherd_shy():  # TK-9 TK-10, an example
    position = field("""
        +---+---+
          ?   ?
    """)  # fmt: skip
    play(position, "turn a1, ram, remove a1 n, turn b1, shy, turn c1, shepherd, fence e5 e, turn d1, shy")
    assert (position.supply, position.tiles_gone(), position.sheep_taken()) == (28, 4, 2)
    assert who(position) == "shepherd"


def test_a_ram_opens_a_pen_and_its_tiles_become_legal():  # TK-11
    position = field("""
        +---+   +
        | ? | ?
        +---+   +
    """)  # fmt: skip
    told = play(position, "turn b1, ram")
    assert enclosed(position) == "a1"
    told = play(position, "remove a1 e")
    assert told[-1] == "1 tile is in the open again."
    assert enclosed(position) == "" and "turn a1" in choices(position)


def test_a_shepherd_closes_a_pen_over_a_face_up_sheep():  # TK-11, an example
    position = field("""
        +---+---+   +   +
        | ?   ? | ?   ?
        +---+---+   +   +
    """)  # fmt: skip
    play(position, "turn c1, ram, remove a1 n, turn a1, shy, turn b1, shepherd, fence a1 n")
    assert enclosed(position) == "a1 b1" and up(position) == "a1"
    told = play(position, "turn d1, shy")
    assert position.sheep_taken() == 0 and choices(position) == ["done"]
    assert told[-1] == "They are identical, but one is enclosed and cannot be taken."
    play(position, "done")
    assert up(position) == "" and position.has_tile(cell("a1"))


def test_a_pen_that_is_opened_again_gives_its_sheep_back():  # TK-11
    position = field("""
        +---+   +
          ? | ?
        +---+   +
    """)  # fmt: skip
    play(position, "turn a1, shy, turn c1, shepherd, fence a1 w, turn d1, ram, remove a1 w, turn b1, shy")
    assert position.sheep_taken() == 2


NEARLY_ALL_ENCLOSED = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +---+
    | ?   ?   ?   ? | ?
    +---+---+---+---+   +
"""


def test_the_turn_ends_when_no_tile_is_left_to_turn():  # TK-12
    position = field(NEARLY_ALL_ENCLOSED)
    assert choices(position) == ["turn e5"]
    play(position, "turn e5, shy")
    assert who(position) == "shepherd" and position.revealed == 1


def test_a_turn_without_any_tile_to_turn_is_over_at_once():  # TK-12, an example
    position = field(NEARLY_ALL_ENCLOSED, turn="shepherd")
    play(position, "fence e5 s, fence e5 e")
    assert position.enclosed_tiles() == 25 and who(position) == "shepherd"
    play(position, "fence a1 s, fence a2 s")
    assert position.round == 1 and list(position.points) == [25, 0, 0, 0]


def test_nothing_can_be_revealed_when_the_border_is_fenced():  # TK-6 TK-7, an example
    position = field(ALL_BORDER)
    assert position.enclosed_tiles() == 25 and position.turnable() == 0


FIVE_OPEN = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
      ?   ?   ?   ?   ?
    +   +   +   +   +   +
"""
SIX_OPEN = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +---+
    | ?   ?   ?   ? | ?
    +---+---+---+---+   +
      ?   ?   ?   ?   ?
    +   +   +   +   +   +
"""


def test_five_in_the_open_stay_face_up():  # TK-13, an example
    position = field(FIVE_OPEN)
    play(position, "turn a5, cheerful, turn b5, dreamy")
    assert who(position) == "shepherd" and position.late and up(position) == "a5 b5"


def test_six_in_the_open_go_down():  # TK-13, an example
    position = field(SIX_OPEN)
    play(position, "turn a5, cheerful, turn b5, dreamy")
    assert choices(position) == ["done"]
    play(position, "done")
    assert who(position) == "shepherd" and not position.late and up(position) == ""


def test_identical_sheep_are_still_taken_in_the_turn_that_makes_the_field_late():  # TK-8 TK-13
    position = field(FIVE_OPEN)
    play(position, "turn a5, shy, turn b5, shy")
    assert position.sheep_taken() == 2 and position.late


THREE_SHY = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
      H   H   ?   H   ?
    +   +   +   +   +   +
"""


def test_late_field_with_three_of_a_kind():  # TK-13, an example
    position = field(THREE_SHY, late=True)
    assert choices(position) == ["turn c5", "turn e5", "take a5 b5", "take a5 d5", "take b5 d5"]
    play(position, "take a5 d5")
    assert up(position) == "b5" and position.sheep_taken() == 2 and choices(position) == ["turn c5", "turn e5"]


def test_taking_is_by_choice_at_any_moment_and_two_new_sheep_are_still_revealed():  # TK-13
    position = field(THREE_SHY, late=True)
    play(position, "turn c5, angry")
    assert choices(position) == ["turn e5", "take a5 b5", "take a5 d5", "take b5 d5"]
    play(position, "turn e5, angry")
    assert choices(position) == ["take a5 b5", "take a5 d5", "take b5 d5", "take c5 e5", "done"]
    play(position, "take c5 e5, done")
    assert up(position) == "a5 b5 d5" and position.sheep_taken() == 2 and who(position) == "shepherd"


def test_no_pair_with_an_enclosed_sheep_in_a_late_field():  # TK-13 TK-11
    position = field("""
        +---+---+---+---+---+
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +---+---+---+---+---+
        | H | H   ?   H   ?
        +---+   +   +   +   +
    """, late=True)  # fmt: skip
    assert choices(position) == ["turn c5", "turn e5", "take b5 d5"]


def test_no_pair_may_be_taken_where_the_field_was_not_late():  # TK-13
    assert choices(field(THREE_SHY, late=False)) == ["turn c5", "turn e5"]


def test_a_ram_opens_a_late_field_and_the_sheep_go_down():  # TK-13
    position = field(THREE_SHY, late=True)
    play(position, "turn c5, ram, remove a4 s, turn a1, angry, turn b1, dreamy")
    assert position.open_tiles() > 5 and "take a5 b5" in choices(position)
    play(position, "done")
    assert up(position) == "" and not position.late and who(position) == "shepherd"


def test_late_field_stays():  # TK-13, the option
    position = field(THREE_SHY, late=True, late_field_stays=True)
    play(position, "turn c5, ram, remove a4 s, turn a1, angry, turn b1, dreamy, done")
    assert up(position) == "a1 b1 a5 b5 d5" and position.late


LAST_TILES = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
      C   A   S   ?   ?
    +   +   +   +   +   +
"""


def test_the_shepherds_last_turn():  # TK-14
    position = field(LAST_TILES, late=True)
    told = play(position, "turn d5, shy, turn e5, dreamy")
    assert told[-1] == "Every tile in the open is face up: Player 1 has one last turn."
    assert who(position) == "shepherd" and position.round == 0
    play(position, "fence a5 e")
    assert position.round == 0
    play(position, "fence b5 e")
    assert position.round == 1 and list(position.points) == [20, 0, 0, 0]


def test_the_last_turn_counts_what_it_encloses():  # TK-14 TK-16
    position = field("""
        +---+---+---+---+---+
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +---+---+---+---+---+
          C | A   S   ?   ?
        +   +   +   +   +   +
    """, late=True)  # fmt: skip
    play(position, "turn d5, shy, turn e5, dreamy, fence a5 w, fence a5 s")
    assert list(position.points) == [21, 0, 0, 0]


def test_no_last_turn_while_a_tile_in_the_open_is_face_down():  # TK-14
    position = field(LAST_TILES, late=True)
    play(position, "turn d5, shepherd, fence a1 s, turn e5, shy")
    assert who(position) == "shepherd" and position.round == 0
    other = field(FIVE_OPEN)
    play(other, "turn a5, cheerful, turn b5, dreamy, fence a1 s, fence a2 s")
    assert other.round == 0 and who(other) == "sheep"


def test_the_last_turn_is_tested_before_anything_is_turned_down():  # TK-14
    position = field("""
        +---+---+---+---+---+
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +---+---+   +
        | ?   ? | H   C | ? |
        +---+---+---+---+---+
          C   A   S   D   ?
        +   +   +   +   +   +
    """, late=True)  # fmt: skip
    play(position, "turn e5, ram, remove c4 s")
    assert choices(position) == ["take d4 a5", "done"] and position.open_tiles() == 6
    told = play(position, "done")
    assert told[-1] == "Every tile in the open is face up: Player 1 has one last turn."
    assert up(position) == "" and not position.late
    play(position, "fence a1 s, fence a2 s")
    assert position.round == 1


def test_none_left_in_the_open_brings_the_last_turn():  # TK-14
    position = field("""
        +---+---+---+---+---+
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +---+---+---+---+---+
          H       ?
        +   +   +   +   +   +
    """)  # fmt: skip
    position.up = 0
    told = play(position, "turn a5, turn c5, shy")
    assert position.open_tiles() == 0
    assert told[-1] == "No tile is left in the open: Player 1 has one last turn." and not any("face up" in line for line in told)


# The end of a round.


@pytest.mark.parametrize(("supply", "fences"), [(1, "fence c3 n"), (2, "fence c3 n, fence c3 e")])
def test_the_round_ends_at_once_with_the_last_fence(supply, fences):  # TK-15
    position = field(turn="shepherd", supply=supply)
    told = play(position, fences)
    assert position.round == 1 and "That was the last fence." in told and "Round 1 is over." in told
    assert (position.shepherd, who(position), position.to_act) == (1, "shepherd", 1)


def test_supply_empty_in_mid_turn():  # TK-15, an example
    position = field("""
        +---+---+   +
        | ?   ?   ?
        +---+---+   +
    """, supply=1)  # fmt: skip
    told = play(position, "turn c1, shy, turn d1, shepherd")
    assert who(position) == "shepherd" and position.round == 0
    told = play(position, "fence b1 e")
    assert list(position.points) == [2, 0, 0, 0] and position.round == 1
    assert "+2: Player 1 has enclosed 2 tiles." in told and "+0: Player 2 has taken 0 sheep." in told


def test_a_ram_fills_the_supply_again():  # TK-9 TK-15
    position = field("""
        +---+---+   +
        | ?   ?   ?
        +---+---+   +
    """, supply=1)  # fmt: skip
    play(position, "turn c1, ram, remove a1 n, turn d1, shepherd, fence b1 e")
    assert position.round == 0 and position.supply == 1 and who(position) == "sheep"


def test_points_of_a_round():  # TK-16
    position = field("""
        +---+---+---+   +   +
        | ?       h | A   ?
        +---+---+---+   +   +
          ?   ?   ?
        +   +   +   +   +   +
    """, gone="shy shy ram", supply=1, turn="shepherd")  # fmt: skip
    play(position, "fence e5 s")
    assert list(position.points) == [2, 2, 0, 0]  # two tiles in the pen, two sheep taken; the ram counts for nobody


def test_the_sums_of_both_rounds_decide():  # TK-17
    position = field("""
        +---+---+---+   +
        | ?   ?   ? |
        +---+---+---+   +
    """, round=2, supply=1, turn="shepherd", gone="shy shy")  # fmt: skip
    position.points[0], position.points[1] = 4, 7
    play(position, "fence e5 s")
    assert position.to_act == OVER and position.scores() == [6, 10] and position.ranks() == [2, 1]


def test_equal_sums_are_a_draw():  # TK-17
    position = field(round=2, supply=1, turn="shepherd")
    position.points[0], position.points[1] = 7, 7
    assert play(position, "fence e5 s")[-1] == "A draw: 7 points each. Play again!"
    assert position.ranks() == [1, 1]


# Knowledge.


def test_a_tile_is_drawn_when_it_is_first_turned_and_then_known():  # TK-18
    position = field()
    play(position, "turn a1")
    assert position.to_act == CHANCE
    assert dict(zip(choices(position), position.weights(), strict=True)) == {
        "cheerful": 16, "sleepy": 16, "shy": 16, "angry": 16, "dreamy": 16, "ram": 12, "shepherd": 8,
    }  # fmt: skip
    play(position, "shy, turn a2, angry, done, fence a1 n, fence a2 n, turn a1")
    assert who(position) == "sheep" and up(position) == "a1" and position.mood(cell("a1")) == 2
    play(position, "turn a3")
    assert dict(zip(choices(position), position.weights(), strict=True))["shy"] == 12


def test_both_players_and_spectators_know_the_same():  # TK-18
    position = field()
    play(position, "turn a1, shy, turn a2, angry, done")
    for viewer in (0, 1, -3):
        view = position.seen_by(viewer)
        assert list(view.known) == list(position.known) and view.determinize(Dice(1)).key() == position.key()


def test_when_each_tile_was_last_seen():  # TK-18
    position = field()
    assert position.turn == 7
    play(position, "turn a1, shy, turn a2, angry, done, fence a1 n, fence a2 n, turn a2, turn a3, shy, done")
    assert [position.seen_at[cell(name)] for name in ("a1", "a2", "a3", "a4")] == [7, 8, 8, 0]


def test_a_sheep_that_stays_up_is_seen_until_it_goes_down():  # TK-18
    position = field(THREE_SHY, late=True)
    play(position, "turn c5, ram, remove a4 s, turn a1, angry, turn b1, dreamy, done")
    assert position.seen_at[cell("a5")] == 7


# Solo.


def test_solo_set_up():  # TK-20
    position = GAME.setup(1).start()
    assert (position.seats, position.to_act, position.supply, position.open_tiles()) == (1, 0, 30, 25)
    assert position.lying == ALL_LYING and position.standing == ALL_STANDING


def test_a_flower_lies_at_each_side_alike():  # TK-20
    position = field(seats=1)
    play(position, "turn a1")
    weights = dict(zip(choices(position), position.weights(), strict=True))
    assert weights["shy"] == 8 and weights["ram"] == 12
    assert [weights[f"shy {side}"] for side in "nesw"] == [2, 2, 2, 2]
    assert [weights[f"shepherd {side}"] for side in "nesw"] == [2, 2, 2, 2] and "shepherd" not in weights


@pytest.mark.parametrize(("around", "fenced"), [("", "e"), ("e", "s"), ("es", "w")])
def test_a_flower_brings_a_fence(around, fenced):  # TK-21, an example
    position = field(seats=1)
    for side in around:
        position.put_fence(GAME.read(field(turn="shepherd"), f"fence c3 {side}"))
    play(position, "turn c3, shy e")
    assert [side for side in "nesw" if position.fenced(SIDE[4 * cell("c3") + "nesw".index(side)])] == sorted(
        around + fenced, key="nesw".index
    )
    assert position.supply == 30 - len(around) - 1


def test_clockwise_goes_round_to_the_north():  # TK-21
    position = field("""
        +   +   +
              ?
        +   +   +
            | ?
    """, seats=1)  # fmt: skip
    play(position, "turn b2, shy w")
    assert position.fenced(SIDE[4 * cell("b2")])


def test_a_flower_counts_each_time_it_is_revealed():  # TK-21
    position = field(seats=1)
    play(position, "turn c3, shy n, turn a1, angry, done, turn c3")
    assert position.supply == 28 and position.fenced(SIDE[4 * cell("c3") + 1])


def test_no_enclosed_tile_is_revealed_in_solo():  # TK-21
    position = field("""
        +---+   +
        | ? | ?
        +---+   +
    """, seats=1)  # fmt: skip
    assert "turn a1" not in choices(position) and "turn b1" in choices(position)


def test_solo_pairs_go_and_others_are_turned_down_with_their_orientation():  # TK-22
    position = field(seats=1)
    play(position, "turn a1, shy, turn b1, shy")
    assert position.tiles_gone() == 2 and position.scores() == [2] and who(position) == "sheep"
    play(position, "turn c1, angry w, turn d1, shy n")
    assert choices(position) == ["done", "give up"] and up(position) == "c1 d1"
    play(position, "done")
    assert up(position) == "" and position.known[cell("c1")] == 1 + 5 * 3 + 4 and position.known[cell("d1")] == 1 + 5 * 2 + 1


def test_solo_ram_and_shepherd():  # TK-22
    position = field(seats=1)
    play(position, "turn a1, shepherd s")
    assert position.supply == 29 and not position.has_tile(cell("a1")) and position.fenced(SIDE[4 * cell("a1") + 2])
    assert "turn b1" in choices(position)
    play(position, "turn b1, ram")
    assert choices(position) == ["remove a1 s", "give up"]
    play(position, "remove a1 s")
    assert position.supply == 30 and position.tiles_gone() == 2 and "turn c1" in choices(position)
    play(position, "turn c1, ram")
    assert "turn d1" in choices(position)


TWO_OPEN = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
      h   a   ?
    +   +   +   +   +   +
"""


def test_solo_has_no_late_field_and_no_last_turn():  # TK-22
    position = field(TWO_OPEN, seats=1)
    play(position, "turn a5, turn b5")
    assert choices(position) == ["done", "give up"]
    play(position, "done")
    assert up(position) == "" and choices(position) == ["turn a5", "turn b5", "turn c5", "give up"]


def test_a_solo_turn_with_no_tile_left_to_turn_goes_no_further():  # TK-12 TK-22 TK-25: the one sheep left has no match
    position = field("""
        +---+---+---+---+---+
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +---+---+---+---+---+
              H       ?
        +   +   +   +   +   +
    """, seats=1, revealed=1, first="b5")  # fmt: skip
    assert choices(position) == ["turn d5", "give up"]
    play(position, "turn d5, shepherd s")
    assert position.to_act == OVER and position.has_tile(cell("b5")) and not position.won()


LAST_PAIR = """
    +   +   +   +   +   +

    +   +   +   +   +   +

    +   +   +   +   +   +
              H
    +   +   +   +   +   +

    +   +   +   +   +   +
                      ?
    +   +   +   +   +   +
"""


def test_solo_won():  # TK-23
    position = field(LAST_PAIR, seats=1, gone=all_but("shy shy"), revealed=1, first="c3")
    told = play(position, "turn e5, shy n")
    assert position.to_act == OVER and position.won() and position.scores() == [25]
    assert told[-1] == "You win: every tile is free!"


def test_solo_won_with_the_last_fence():  # TK-23, an example
    position = field(LAST_PAIR, seats=1, gone=all_but("shy shy"), revealed=1, first="c3", supply=1)
    play(position, "turn e5, shy n")
    assert position.supply == 0 and position.won()


def test_solo_lost_with_the_last_fence():  # TK-23
    position = field(seats=1, supply=1)
    told = play(position, "turn a1, shy n")
    assert position.to_act == OVER and not position.won() and position.scores() == [0]
    assert told[-2:] == ["That was the last fence.", "Lost, with 0 of 25 tiles freed."]


def test_solo_a_ram_saves_the_last_fence():  # TK-23: only a resolved tile is judged
    position = field("""
        +---+
          ?
    """, seats=1, supply=1)  # fmt: skip
    play(position, "turn a1, ram, remove a1 n")
    assert position.to_act == 0 and position.supply == 2


ONE_OPEN = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
    | ? |
    +   +   +   +   +   +
"""


def test_solo_lost_when_all_that_is_left_is_enclosed():  # TK-23
    position = field(ONE_OPEN, seats=1, supply=5)
    told = play(position, "turn a5, shy s")
    assert position.to_act == OVER and position.supply == 4 and position.scores() == [4]
    assert told[-2] == "All the tiles that are left are enclosed."


def test_solo_a_flower_encloses_a_face_up_sheep():  # TK-24
    position = field("""
        +---+   +
          H   ?
        +---+   +
    """, seats=1, revealed=1, first="a1")  # fmt: skip
    position.put_fence(GAME.read(field(turn="shepherd"), "fence a1 w"))
    told = play(position, "turn b1, shy w")
    assert enclosed(position) == "a1" and position.tiles_gone() == 0
    assert told[-1] == "They are identical, but one is enclosed and cannot be taken."
    play(position, "done")
    assert up(position) == "" and "turn a1" not in choices(position)


def test_solo_a_flower_encloses_its_own_tile():  # TK-24
    position = field("""
        +---+   +
          ? | H
        +---+   +
    """, seats=1, revealed=1, first="b1")  # fmt: skip
    play(position, "turn a1, shy w")
    assert enclosed(position) == "a1" and position.tiles_gone() == 0


HOPELESS = """
    +---+---+---+---+---+
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +   +   +   +   +   +
    | ?   ?   ?   ?   ? |
    +---+---+---+---+---+
      h   A   c   ?
    +   +   +   +   +   +
"""


def test_solo_lost_when_all_is_seen_and_nothing_matches():  # TK-25
    position = field(HOPELESS, seats=1, revealed=1, first="b5")
    told = play(position, "turn d5, dreamy")
    assert position.to_act == OVER and not position.won()
    assert told[-2] == "All the tiles in the open have been seen, and no two of them match."


@pytest.mark.parametrize("tile", ["shy", "cheerful"])
def test_solo_goes_on_while_two_match(tile):  # TK-25
    position = field(HOPELESS, seats=1, revealed=1, first="b5")
    play(position, f"turn d5, {tile}")
    assert choices(position) == ["done", "give up"]


def test_solo_goes_on_while_a_tile_is_unseen():  # TK-25
    position = field(HOPELESS.replace("c   ?", "c   ?   ?"), seats=1, revealed=1, first="b5")
    play(position, "turn d5, dreamy")
    assert choices(position) == ["done", "give up"]


def test_giving_up_is_possible_at_every_decision():  # TK-25
    position = field(seats=1)
    play(position, "turn a1, shy n")
    for moment in ("turn b1, ram", "remove a1 n", "turn c1, angry"):
        play(position, moment)
        assert choices(position)[-1] == "give up"
    told = play(position, "give up")
    assert position.to_act == OVER and told == ["Player 1 gives up.", "Lost, with 1 of 25 tiles freed."]


def test_no_giving_up_for_two():  # TK-25
    assert "give up" not in choices(field()) + choices(field(turn="shepherd"))


SEEN = """
    +   +   +
      h   a   ?
"""


def test_fifty_turns_that_change_nothing_lose():  # TK-25
    position = field(SEEN, seats=1)
    for count in range(1, 50):
        play(position, "turn a1, turn b1, done")
        assert position.to_act == 0 and position.idle == count
    told = play(position, "turn b1, turn a1, done")
    assert position.to_act == OVER and "50 turns in a row have changed nothing." in told


@pytest.mark.parametrize("change", ["turn a1, turn c1, dreamy, done", "turn a1, turn c1, shy", "turn c1, ram, turn a1, turn b1, done"])
def test_a_turn_that_changes_something_starts_the_count_again(change):  # TK-25
    position = field(SEEN, seats=1)
    play(position, *["turn a1, turn b1, done"] * 49)
    play(position, change)
    assert position.idle == 0 and position.to_act == 0


def test_a_flowers_fence_is_a_change():  # TK-25
    position = field(SEEN.replace("h ", "h^"), seats=1)
    play(position, "turn a1, turn b1, done")
    assert position.idle == 0


# Component data and options.


@pytest.mark.parametrize("flowers", range(5))
def test_flowers_of_each_mood_and_of_shepherds(flowers):  # TK-30
    assert GAME.setup(1, flowers=flowers).start().census() == (*(4 - flowers, flowers) * 5, 3, 0, 0, 2, 30)


def test_two_flowers_a_mood_by_default():  # TK-30
    assert GAME.setup(1).start().census() == (2, 2) * 5 + (3, 0, 0, 2, 30)


def test_options_are_for_their_games():
    with pytest.raises(BadOption):
        GAME.setup(2, flowers=3)
    with pytest.raises(BadOption):
        GAME.setup(1, late_field_stays=True)
    with pytest.raises(BadSeats):
        GAME.setup(3)


def test_a_file_with_other_flowers(tmp_path):  # TK-30
    text = (GAME.folder / "components.toml").read_text()
    before, flowers = text.split("[flowers]")
    path = tmp_path / "box.toml"
    path.write_text(f"{before}[flowers]{flowers.replace('shy = 2', 'shy = 4')}")
    assert GAME.setup(1, path).start().census() == (2, 2, 2, 2, 0, 4, 2, 2, 2, 2, 3, 0, 0, 2, 30)
    assert GAME.setup(1, path, flowers=1).start().census()[:10] == (3, 1) * 5
    path.write_text(text.replace("ram = 3", "ram = 4"))
    with pytest.raises(ValueError, match=r"box.toml, line 3: tiles: must be 25 in all, five rows of five, not 26"):
        GAME.setup(1, path)
    path.write_text(text.replace("count = 30", "cuont = 30"))
    with pytest.raises(ValueError, match=r"box.toml, line 16: fences.cuont: unknown. Did you mean count"):
        GAME.setup(1, path)
    path.write_text(text.replace("shepherd = 2\n\n[fences]", "[fences]"))
    with pytest.raises(ValueError, match=r"box.toml, line 3: tiles.shepherd: is missing; it must be a whole number from 0 to 25"):
        GAME.setup(1, path)


def test_removing_is_only_for_rams():  # TK-9
    position = field(ALL_BORDER.replace("+---+\n", "+   +\n", 1), turn="shepherd")
    assert not any(position.allows(action) for action in range(REMOVE, REMOVE + 60))
    with pytest.raises(IllegalAction):
        position.apply(REMOVE)


@pytest.mark.parametrize("seats", [1, 2])
def test_allows_says_what_legal_says(seats):
    for seed in range(25):
        dice = Dice(seed)
        position = GAME.setup(seats).start()
        while position.to_act != OVER:
            actions = position.legal()
            assert actions == sorted(set(actions)) and actions
            assert [action for action in range(position.action_count) if position.allows(action)] == actions
            position.apply(position.random_action(dice))


@pytest.mark.parametrize("seats", [1, 2])
def test_random_games_keep_every_tile_and_fence_and_end_in_time(seats):  # TK-1 TK-2 TK-25
    start = GAME.setup(seats).start()
    dice = Dice(f"census {seats}")
    for _ in range(effort(2000)):
        position = start.copy()
        plies = 0
        while position.to_act != OVER:
            position.advance(position.random_action(dice))
            plies += 1
            assert position.census() == start.census()
        assert plies <= position.ply_bound


@pytest.mark.parametrize("seats", [1, 2])
def test_the_random_draw_follows_the_weights(seats):  # TK-18
    position = field(seats=seats)
    play(position, "turn c3")
    dice = Dice("weights")
    seen = dict.fromkeys(position.legal(), 0)
    for _ in range(20000):
        seen[position.random_action(dice)] += 1
    total = sum(position.weights())
    for action, weight in zip(position.legal(), position.weights(), strict=True):
        expected = 20000 * weight / total
        assert abs(seen[action] - expected) < 5 * expected**0.5


def test_copies_are_independent():
    position = field(seats=1)
    play(position, "turn c3, shy n")
    key = position.key()
    for seed in range(20):
        playout(position.copy(), Dice(seed))
    assert position.key() == key


@pytest.mark.parametrize("seats", [1, 2])
def test_tensors_have_one_length_and_small_values(seats):
    dice = Dice(3)
    position = GAME.setup(seats).start()
    lengths = set()
    while position.to_act != OVER:
        for viewer in (-4, -3, *range(seats)):
            values = position.seen_by(viewer).tensor()
            lengths.add(len(values))
            assert -1 <= min(values) <= max(values) <= 2
        position.apply(position.random_action(dice))
    assert len(lengths) == 1


def test_solo_rates_of_a_player_who_forgets_nothing():  # TK-30
    games = effort(600)
    rates = [win_rate(flowers, games) for flowers in range(5)]
    for rate, expected in zip(rates, (1.0, 0.99, 0.888, 0.59, 0.136), strict=True):
        assert abs(rate - expected) < 5 * (expected * (1 - expected) / games) ** 0.5 + 1 / games
