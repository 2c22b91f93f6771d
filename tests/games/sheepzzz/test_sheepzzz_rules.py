"""The rules of Sheepzzz, each with the number it has in docs/rules/sheepzzz.md."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from sheepzzz_table import do, held, legal, lying, table, top

import sheepfold
from sheepfold import CHANCE, OVER, Dice, IllegalAction
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.rules import (
    BITE,
    DEAL,
    DECK,
    DOWN,
    DRAW,
    IMPOSE,
    LAY,
    MOST_ROUNDS,
    NAME,
    ORDER,
    PILE,
    PLAY,
    START,
    STARTER,
    TABLE,
    TAKEN,
    TURN,
    UP,
    Sheepzzz,
    follows,
)


def start(seats: int = 4, **options: object) -> Sheepzzz:
    position = sheepfold.load("sheepzzz", seats=seats, **options).start()
    assert isinstance(position, Sheepzzz)
    return position


def chances(position: Sheepzzz) -> dict[str, Fraction]:
    weights = position.weights()
    return {text: Fraction(weight, sum(weights)) for text, weight in zip(legal(position), weights, strict=True)}


def draw_anything(position: Sheepzzz) -> Sheepzzz:
    """Let the first possible chance outcomes happen until somebody is to act or the game is over."""
    while position.to_act == CHANCE:
        position.apply(position.legal()[0])
    return position


# Components.


def test_forty_four_sheep_from_1_to_19_and_four_wolves():  # SZ-1
    cards = GAME.components.cards
    copies = Counter(int(cards.numbers[kind]) for kind in cards.kind_of)
    assert sum(copies.values()) == cards.count == 48
    assert copies.pop(0) == 4
    assert sorted(copies) == list(range(1, 20))


def test_copies_of_each_number():  # SZ-30
    cards = GAME.components.cards
    copies = Counter(int(cards.numbers[kind]) for kind in cards.kind_of)
    assert [copies[number] for number in range(1, 20)] == [1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 2, 2, 1, 1, 1]


def test_pillows_on_each_card():  # SZ-31
    cards = GAME.components.cards
    pillows: dict[int, list[int]] = {number: [] for number in range(20)}
    for kind in cards.kind_of:
        pillows[int(cards.numbers[kind])].append(int(cards.pillows[kind]))
    assert pillows[0] == [0, 0, 0, 0]
    assert pillows[1] == pillows[19] == [5]
    assert pillows[2] == pillows[3] == pillows[17] == pillows[18] == [4]
    assert pillows[4] == pillows[16] == [0, 2]
    assert pillows[6] == pillows[14] == [0, 2, 3]
    assert pillows[9] == pillows[11] == [0, 2, 3, 5]
    assert sum(map(sum, pillows.values())) == 94


# Set-up.


def test_a_round_starts_with_three_sheep_and_five_cards_each():  # SZ-2
    position = do(start(3), "starter 2")
    assert position.stage == TABLE
    assert "draw wolf" not in legal(position)  # a wolf goes back and the next card is taken
    assert set(chances(position).values()) == {Fraction(1, 44)}
    do(position, "draw 7/0", "draw 9/5", "draw 19")
    assert [top(position, pile) for pile in (1, 2, 3)] == ["7/0", "9/5", "19"]
    assert position.stage == DEAL
    assert chances(position)["draw wolf"] == Fraction(4, 45)
    draw_anything(position)
    assert [len(held(position, seat)) for seat in range(3)] == [5, 5, 5]
    assert position.deck_size == 48 - 3 - 15 == len(lying(position, DECK))
    assert position.direction == 1


def test_the_direction_is_clockwise_again_in_the_next_round():  # SZ-2
    position = table("""
        up, anticlockwise
        piles: 14 | 6 | 12
        A> 3
        B: 5
        rest: under 3
    """)
    do(position, "take 1")
    draw_anything(position)
    assert position.rounds == 1
    assert position.direction == 1


def test_the_first_starter_is_drawn_and_chooses_the_counting_order():  # SZ-3
    position = start(4)
    assert position.stage == STARTER
    assert chances(position) == {f"starter {seat}": Fraction(1, 4) for seat in (1, 2, 3, 4)}
    do(position, "starter 3")
    draw_anything(position)
    assert (position.stage, position.to_act) == (ORDER, 2)
    assert legal(position) == ["up", "down"]
    assert (do(position.copy(), "up").order, do(position.copy(), "down").order) == (UP, DOWN)
    assert (do(position, "down").stage, position.to_act) == (PLAY, 2)


# A turn.


def test_play_a_card_then_draw_one():  # SZ-4
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 5 7 8 9 10
        B: 4 4 5 6 6
        C: 11 11 11 12 12
    """)
    do(position, "9 on 2")
    assert (position.stage, position.to_act) == (DRAW, CHANCE)
    do(position, "draw 15/2")
    assert held(position, 0) == ["5/0", "7/0", "8/0", "10/0", "15/2"]
    assert (position.stage, position.to_act) == (PLAY, 1)


def test_choices_of_a_card_come_before_the_draw():  # SZ-4
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 5 17 8 9 10
        B: 4 4 5 6 6
    """)
    do(position, "17 on 1")
    assert position.stage == TURN
    do(position, "keep")
    assert position.stage == IMPOSE
    do(position, "free")
    assert position.stage == DRAW


def test_without_a_deck_nothing_is_drawn():  # SZ-4
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 15 16
        B: 4 4
        rest: under 3
    """)
    do(position, "15 on 1")
    assert (position.stage, position.to_act) == (PLAY, 1)
    assert held(position, 0) == ["16/0"]


@pytest.mark.parametrize(
    ("order", "on", "fitting"),
    [
        (UP, 14, [4, 15, 16, 17, 18, 19]),
        (DOWN, 6, [1, 2, 3, 4, 5, 16]),
        (UP, 19, [9]),
        (DOWN, 1, [11]),
        (UP, 9, list(range(10, 20))),
        (DOWN, 11, list(range(1, 11))),
    ],
)
def test_strictly_further_or_exactly_ten_back(order: int, on: int, fitting: list[int]):  # SZ-5
    assert [number for number in range(1, 20) if follows(number, on, order)] == fitting


def test_cards_that_do_not_fit_cannot_be_played():  # SZ-5
    position = table("""
        down, clockwise
        piles: 6 | 19 | 1
        A> 6 16 11 12 18
        B: 4 4 5 5 6
    """)
    takings = ["take 1", "take 2", "take 3"]
    assert legal(position) == [*takings, "6/2 on 2", "11/0 on 2", "11/0 on 3", "12/0 on 2", "16/0 on 1", "16/0 on 2", "18 on 2"]
    key = position.key()
    with pytest.raises(IllegalAction):
        position.apply(position.action_count - 1)
    assert position.key() == key


def test_taking_a_pile_is_allowed_even_with_a_sheep_that_fits():  # SZ-6
    position = table("""
        up, clockwise
        piles: 14 | 4 5/2 6/3 | 12
        A> 15 16 17 9/5 wolf    taken: 10/5
        B: 4 5 6 6 7
    """)
    do(position, "take 2")
    assert lying(position, TAKEN + 0) == ["4/0", "5/2", "6/3", "10/5"]
    assert (position.stage, position.to_act, top(position, 2)) == (START, 0, "-")
    assert legal(position) == ["start 9/5", "start 15/0", "start 16/0", "start 17"]
    do(position, "start 9")
    assert (top(position, 2), position.pile_size[1]) == ("9/5", 1)
    assert position.stage == DRAW
    do(position, "draw wolf")
    assert held(position, 0) == ["15/0", "16/0", "17", "wolf", "wolf"]
    assert position.to_act == 1


def test_taking_a_pile_without_a_deck_ends_the_round():  # SZ-6 SZ-14
    position = table("""
        up, clockwise
        piles: 14 | 4 5/2 6/3 | 12
        A> 15/2 wolf    taken: 10/5
        B: 4/2 5
        rest: under 3
    """)
    do(position, "take 2")
    assert position.stage == LAY
    assert lying(position, TAKEN + 0) == ["4/0", "5/2", "6/3", "10/5"]


def test_a_wolf_cannot_start_a_pile_and_the_starting_sheep_has_its_power():  # SZ-7
    position = table("""
        up, clockwise
        piles: 14 | 4 | 12
        A> 1 wolf 17 9 wolf
        B: 4 5 6 6 7
        C: 7 8 8 8 9
    """)
    do(position, "take 1")
    assert legal(position) == ["start 1", "start 9/0", "start 17"]
    assert do(position.copy(), "start 1").stage == NAME
    assert do(position.copy(), "start 17").stage == TURN
    assert do(position.copy(), "start 9").stage == DRAW


def test_only_wolves_in_hand_with_a_pile_imposed():  # SZ-7 SZ-10
    position = table("""
        up, clockwise
        piles: 4 | 5 | 12
        A> 19 7
        B: wolf wolf
        rest: under 3
    """)
    do(position, "19 on 1", "impose 2")
    assert legal(position) == ["take 2", "wolf on 2"]
    wolf = do(position.copy(), "wolf on 2", "draw 5/0")
    assert (wolf.order, top(wolf, 2), wolf.to_act) == (DOWN, "5/0", 0)
    taking = do(position.copy(), "take 2")  # no deck: nothing has to be started
    assert taking.stage == LAY
    assert "5/0" in lying(taking, TAKEN + 1)


@pytest.mark.parametrize("seats", [2, 5])
def test_who_takes_a_pile_with_a_deck_always_holds_a_sheep(seats: int):  # SZ-7
    dice = Dice(f"sheep to start with {seats}")
    takings = 0
    for _ in range(5):
        position = start(seats)
        while position.to_act != OVER:
            if position.stage == START:
                takings += 1
                assert position.hand_size[position.turn] == 5
                assert position.legal()
            position.advance(position.random_action(dice))
    assert takings > 20


# Special cards.

FOUR = """
    up, clockwise
    piles: 14 | 6 | 12
    A> 19 17 18 9 10
    B: 4 4 5 5 6
    C: 6 7 7 7 8
    D: 8 8 9 9 10
"""


def test_19_names_the_next_player_and_the_pile_and_play_goes_on_from_there():  # SZ-8
    position = do(table(FOUR), "19 on 1")
    assert (position.stage, position.to_act) == (NAME, 0)
    assert legal(position) == ["next 2", "next 3", "next 4"]
    do(position, "next 3")
    assert (position.stage, legal(position)) == (IMPOSE, ["free", "impose 1", "impose 2", "impose 3"])
    do(position, "impose 2", "draw 11/0")
    assert position.to_act == 2
    assert legal(position) == ["take 2", "7/0 on 2", "7/2 on 2", "7/3 on 2", "8/0 on 2"]
    do(position, "8 on 2", "draw 11/2")
    assert (position.to_act, position.direction) == (3, 1)


def test_1_does_the_same_counting_down_and_against_the_clock():  # SZ-8
    position = table(FOUR.replace("up, clockwise", "down, anticlockwise").replace("19", "1"))
    do(position, "1 on 1", "next 3", "impose 3", "draw 11/0")
    assert (position.to_act, position.direction, position.imposed) == (2, -1, 2)
    do(position, "8 on 3", "draw 11/2")
    assert position.to_act == 1


def test_a_player_without_cards_cannot_be_named():  # SZ-8
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 19 9
        B: 4
        C:
        D: 8
        rest: under 3
    """)
    do(position, "19 on 1")
    assert legal(position) == ["next 2", "next 4"]
    do(position, "next 4", "free")
    assert position.to_act == 3


def test_17_may_turn_the_direction_and_impose_a_pile_on_who_is_then_next():  # SZ-9
    position = do(table(FOUR), "17 on 1")
    assert (position.stage, legal(position)) == (TURN, ["turn", "keep"])
    turned = do(position.copy(), "turn", "impose 3", "draw 11/0")
    assert (turned.to_act, turned.direction, turned.imposed) == (3, -1, 2)
    assert do(turned, "take 3", "start 8/2", "draw 11/2").to_act == 2
    only_turned = do(position.copy(), "turn", "free", "draw 11/0")
    assert (only_turned.to_act, only_turned.imposed) == (3, -1)
    only_imposed = do(position.copy(), "keep", "impose 2", "draw 11/0")
    assert (only_imposed.to_act, only_imposed.direction, only_imposed.imposed) == (1, 1, 1)


@pytest.mark.parametrize("number", [2, 3, 17, 18])
def test_four_numbers_turn_play(number: int):  # SZ-9
    order = "up" if number > 10 else "down"
    position = table(f"""
        {order}, clockwise
        piles: 14 | 6 | 12
        A> {number} 7
        B: 4 5
    """)
    assert do(position, f"{number} on 1").stage == TURN


@pytest.mark.parametrize("number", [4, 9, 16])
def test_other_numbers_have_no_power(number: int):  # SZ-8 SZ-9
    position = table(f"""
        up, clockwise
        piles: 14 | 6 | 3
        A> {number} 7
        B: 4 5
    """)
    assert do(position, f"{number} on 3").stage == DRAW


def test_two_players_turn_the_direction_and_the_opponent_is_next():  # SZ-9
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 17 9
        B: 4 5
    """)
    turned = do(position.copy(), "17 on 1", "turn", "impose 2", "draw 10/0")
    kept = do(position.copy(), "17 on 1", "keep", "impose 2", "draw 10/0")
    assert (turned.to_act, turned.direction, turned.imposed) == (1, -1, 1)
    assert (kept.to_act, kept.direction, kept.imposed) == (1, 1, 1)


def test_by_option_who_turns_also_names_the_player():  # SZ-9
    position = do(table(FOUR, reverse_names_player=True), "17 on 1", "turn")
    assert (position.stage, legal(position)) == (NAME, ["next 2", "next 3", "next 4"])
    do(position, "next 2", "impose 1", "draw 11/0")
    assert (position.to_act, position.imposed, position.direction) == (1, 0, -1)
    do(position, "take 1", "start 4/0", "draw 11/2")
    assert position.to_act == 0


def test_an_imposed_pile_is_played_on_or_taken_and_then_the_duty_ends():  # SZ-10
    position = table("""
        up, clockwise
        piles: 14 | 17 | 4
        A> 18 6 6 6 7
        B: 3 5 7 8 12
        C: 9 9 9 10 10
    """)
    do(position, "18 on 2", "keep", "impose 2", "draw 11/0")
    assert legal(position) == ["take 2", "8/0 on 2"]
    taken = do(position.copy(), "take 2", "start 5", "draw 11/2")
    assert (taken.to_act, taken.imposed) == (2, -1)
    do(position, "8 on 2", "draw 11/2")
    assert position.imposed == -1
    assert {text[-1] for text in legal(position)} == {"1", "2", "3"}


def test_powers_are_optional():  # SZ-11
    position = do(table(FOUR), "19 on 1", "next 2", "free", "draw 11/0")
    plain = do(table(FOUR), "9 on 2", "draw 11/0")
    assert (position.to_act, position.imposed, position.direction) == (plain.to_act, plain.imposed, plain.direction) == (1, -1, 1)


@pytest.mark.parametrize("number", [17, 19])
def test_the_power_lapses_where_nobody_else_has_cards(number: int):  # SZ-11
    position = table(f"""
        up, clockwise
        piles: 14 | 6 | 12
        A> {number} 9
        B:
        C:
        rest: under 3
    """)
    do(position, f"{number} on 1")
    assert (position.stage, position.to_act, held(position, 0)) == (PLAY, 0, ["9/0"])


def test_nothing_is_asked_where_there_is_nothing_to_choose():  # SZ-11
    one_other = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 19 9
        B:
        C: 7
        rest: under 3
    """)
    assert do(one_other, "19 on 1").stage == IMPOSE
    assert do(one_other, "impose 3").to_act == 2
    one_pile = table("""
        up, clockwise
        piles: - | 6 | -
        A> 17 9
        B: 5
        C: 7
        rest: under 2
    """)
    assert do(one_pile, "17 on 2", "turn").to_act == 2


# Wolves.


def test_wolf_on_a_single_card_is_eaten_half_the_time():  # SZ-12
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> wolf 9
        B: 5 7
    """)
    do(position, "wolf on 2")
    assert (position.stage, position.to_act, position.order) == (BITE, CHANCE, DOWN)
    assert chances(position) == {"draw 6/0": Fraction(1, 2), "draw wolf": Fraction(1, 2)}


def test_wolf_on_a_pile_of_five_with_a_wolf_in_it():  # SZ-12
    position = table("""
        up, clockwise
        piles: 4 wolf 5 6 7 | 6 | 12
        A> wolf 9
        B: 5 7
    """)
    do(position, "wolf on 1")
    assert chances(position)["draw wolf"] == Fraction(2, 6)


def test_wolf_turns_the_count_and_a_drawn_sheep_becomes_the_top():  # SZ-12
    position = table("""
        up, clockwise
        piles: 9 10 14 | 6 | 12
        A> wolf 9
        B: 1 8 9 19 15
    """)
    do(position, "wolf on 1", "draw 9/0")
    assert (position.order, position.pile_size[0], top(position, 1)) == (DOWN, 4, "9/0")
    assert lying(position, PILE) == ["9/0", "10/0", "14/0", "wolf"]
    do(position, "draw 4/0")
    assert [text for text in legal(position) if text.endswith("on 1")] == ["1 on 1", "8/0 on 1", "19 on 1"]


@pytest.mark.parametrize("number", [17, 19])
def test_the_power_of_the_drawn_sheep_does_not_act(number: int):  # SZ-12
    position = table(f"""
        up, clockwise
        piles: {number} | 6 | 12
        A> wolf 9
        B: 5 7
        C: 7 7
    """)
    do(position, "wolf on 1", f"draw {number}")
    assert position.stage == DRAW
    assert do(position, "draw 4/0").to_act == 1


def test_eaten_the_player_gets_the_pile_and_there_is_one_less():  # SZ-12
    position = table("""
        up, clockwise
        piles: 9 10 14 | 6 | 12
        A> wolf 9
        B: 1 8 9 19 15
    """)
    do(position, "wolf on 1", "draw wolf")
    assert lying(position, TAKEN) == ["9/0", "10/0", "14/0", "wolf"]
    assert (position.stage, position.piles_left(), top(position, 1)) == (DRAW, 2, "-")
    do(position, "draw 4/0")
    assert (position.to_act, held(position, 0)) == (1, ["4/0", "9/2"])
    assert {text[-1] for text in legal(position)} == {"2", "3"}
    do(position, "take 2", "start 19", "impose 3", "draw 4/2")
    assert (position.piles_left(), position.imposed) == (2, 2)


def test_the_piles_are_three_again_in_the_next_round():  # SZ-12
    position = table("""
        up, clockwise
        piles: - | 6 | 12
        A> 9
        B: 5
        rest: under 3
    """)
    do(position, "take 2")
    position = draw_anything(position)
    assert (position.rounds, position.piles_left()) == (1, 3)


def test_wolf_on_the_imposed_pile():  # SZ-12 SZ-10
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 17 9
        B: wolf 4
    """)
    do(position, "17 on 1", "keep", "impose 3", "draw 10/0")
    assert legal(position) == ["take 3", "wolf on 3"]


def test_the_round_ends_at_once_when_all_three_piles_are_eaten():  # SZ-13
    position = table("""
        up, clockwise
        piles: - | 6/3 | -
        A> wolf 9/2
        B: 5 7/3
    """)
    assert position.deck_size > 0
    do(position, "wolf on 2", "draw wolf")
    assert position.stage == LAY
    draw_anything(position)
    assert (position.scores(), position.rounds) == ([5, 3], 1)


# End of a round.


def test_eaten_with_the_deck_empty_ends_the_round():  # SZ-14
    position = table("""
        up, clockwise
        piles: 14 | 6/3 | 12
        A> wolf 9/2
        B: 5 7/3
        C: 8/2    taken: 9/5
        rest: under 3
    """)
    do(position, "wolf on 2", "draw wolf")
    assert position.stage == LAY
    draw_anything(position)
    assert position.scores() == [3 + 2, 3, 2 + 5]


def test_eaten_with_a_last_card_in_the_deck_goes_on():  # SZ-14
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> wolf 9
        B: 5 7
        deck: 8
        rest: under 3
    """)
    do(position, "wolf on 2", "draw wolf", "draw 8")
    assert (position.stage, position.to_act, position.deck_size) == (PLAY, 1, 0)


def test_the_deck_runs_out_on_the_draw_after_a_taking_and_the_next_taking_ends_the_round():  # SZ-14
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 9 10 11 12 13
        B: 5 7 8 8 9
        deck: 8/3
        rest: under 3
    """)
    do(position, "take 1", "start 9", "draw 8/3")
    assert (position.stage, position.to_act, position.deck_size) == (PLAY, 1, 0)
    do(position, "take 2")
    assert position.stage == LAY


def test_the_round_ends_when_nobody_has_a_card_and_those_without_are_skipped():  # SZ-14
    position = table("""
        up, clockwise
        piles: 4 | 6 | 12
        A> 9
        B:
        C: 10 11    taken: 9/5
        rest: under 3
    """)
    do(position, "9 on 1")
    assert position.to_act == 2
    do(position, "10 on 1")
    assert position.to_act == 2
    do(position, "11 on 1")
    assert position.rounds == 1
    assert position.scores()[0] == 0
    assert position.scores()[2] == 5


def test_by_option_the_round_ends_with_the_first_player_out():  # SZ-14
    drawing = """
        up, clockwise
        piles: 4 | 6 | 12
        A> 19
        B: 5/2
        C: 10/5 11    taken: 9/5
        rest: under 3
    """
    ended = do(table(drawing, first_out_ends=True), "19 on 1")
    assert ended.stage == LAY
    draw_anything(ended)
    assert (ended.rounds, ended.scores()[2]) == (1, 10)
    assert do(table(drawing), "19 on 1").stage == NAME


def test_by_option_a_wolf_as_last_card_still_bites():  # SZ-14
    position = table(
        """
        up, clockwise
        piles: 4/2 | 6 | 12
        A> wolf
        B: 5
        rest: under 3
    """,
        first_out_ends=True,
    )
    do(position, "wolf on 1")
    eaten, saved = draw_anything(do(position.copy(), "draw wolf")), draw_anything(do(position, "draw 4/2"))
    assert (eaten.scores()[0], saved.scores()[0]) == (2, 0)


def test_cards_in_hand_count_and_piles_count_for_nobody():  # SZ-15
    position = table(
        """
        up, clockwise
        piles: 1 19 | 2 | 6/3
        A> 7/3 wolf    taken: 9/5
        B: 10/5 8/2
        C: 8/3         taken: 11/5 12/3
        rest: under 1
    """,
        totals=[1, 20, 30],
    )
    position = draw_anything(do(position, "take 3"))
    assert position.scores() == [1 + 3 + 5 + 3, 20 + 5 + 2, 30 + 3 + 5 + 3]


def ended_with(*totals: int, starter: int = 0, rounds: int = 0) -> Sheepzzz:
    """What follows a round that ended with these totals and brought nobody a pillow."""
    lines = ["up, clockwise", "piles: 4 | 6 | 12", "A> 5", "B:", "C:", "D:", "E:"][: 2 + len(totals)]
    position = table("\n".join([*lines, "rest: under 3"]), totals=list(totals))
    position.starter, position.rounds = starter, rounds
    return do(position, "5 on 1")


def test_nobody_at_75_and_the_highest_total_starts_a_new_round():  # SZ-16
    position = ended_with(60, 74, 12)
    assert (position.to_act, position.stage, position.starter) == (CHANCE, TABLE, 1)
    draw_anything(position)
    assert position.to_act == 1


def test_at_75_the_game_ends_and_the_lowest_total_wins():  # SZ-16
    position = ended_with(75, 80, 30)
    assert (position.to_act, position.ranks()) == (OVER, [2, 3, 1])
    assert ended_with(75, 80, 90).ranks() == [1, 2, 3]
    assert ended_with(75, 0).to_act == OVER
    assert ended_with(74, 74).to_act != OVER


def test_equal_lowest_totals_share_the_win():  # SZ-16
    assert ended_with(30, 80, 30, 31).ranks() == [1, 4, 1, 3]


@pytest.mark.parametrize(("starter", "next_starter"), [(0, 1), (1, 3), (2, 3), (3, 1)])
def test_of_equal_highest_totals_the_first_after_the_last_starter_starts(starter: int, next_starter: int):  # SZ-16
    assert ended_with(10, 40, 0, 40, starter=starter).starter == next_starter


def test_after_a_hundred_rounds_the_game_ends():  # SZ-17
    assert MOST_ROUNDS == 100
    assert ended_with(0, 3, 0, rounds=98).to_act == CHANCE
    last = ended_with(0, 3, 0, rounds=99)
    assert (last.rounds, last.to_act, last.ranks()) == (100, OVER, [1, 3, 1])


def test_what_is_left_in_hands_is_laid_open_in_any_order():  # SZ-18
    position = table("""
        up, clockwise
        piles: 4 | 6 | 12
        A> wolf
        B: 5 7/3 wolf wolf
        rest: under 3
    """)
    do(position, "take 1", "draw wolf")
    assert (position.stage, position.turn) == (LAY, 1)
    assert chances(position) == {"draw 5/0": Fraction(1, 4), "draw 7/3": Fraction(1, 4), "draw wolf": Fraction(1, 2)}
    do(position, "draw 7/3")
    assert lying(position, TAKEN + 1) == ["7/3"]
    assert held(position, 1) == ["5/0", "wolf", "wolf"]


# Knowledge: more of it in test_sheepzzz_secrets.py.


def test_a_draw_is_a_chance_event_over_the_cards_not_yet_drawn():  # SZ-21
    position = table("""
        up, clockwise
        piles: 14 | 6 | 12
        A> 9 10
        B: 5 7
        deck: 8 wolf wolf 8/3
        rest: under 3
    """)
    do(position, "9 on 2")
    assert chances(position) == {"draw 8/0": Fraction(1, 4), "draw 8/3": Fraction(1, 4), "draw wolf": Fraction(1, 2)}
    dice, found = Dice("draws"), Counter()
    for _ in range(4000):
        found[GAME.write(position, position.random_action(dice))] += 1
    assert 1850 < found["draw wolf"] < 2150
    assert 850 < found["draw 8/0"] < 1150
