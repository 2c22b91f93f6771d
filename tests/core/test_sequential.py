"""The sequential wrapper: who is asked and in which order, what passing does, and that asking tells nothing."""

from __future__ import annotations

import pytest
import toy_grass
import toy_hats

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, IllegalAction, let_chance_happen, playout
from sheepfold.core.sequential import Sequential, ask, sequential, unwrapped
from sheepfold.game.conformance import Case, play


def bells(seats, *hands):
    """Bells with nine cards (7 and 8 are the bells), these hands dealt."""
    position = toy_hats.BELLS.setup(seats).start()
    for card in range(2):
        for hand in hands:
            position.apply(hand[card])
    assert position.to_act == 0
    return position


def test_a_game_without_interruptions_is_not_wrapped():
    position = toy_grass.GAME.setup(2).start()
    assert sequential(position) is position is unwrapped(position)


def test_others_are_asked_clockwise_before_the_turn():
    position = sequential(bells(3, (0, 1), (2, 7), (3, 4)))
    assert unwrapped(position).to_act == 0
    asked = []
    while position.asking():
        asked.append(int(position.to_act))
        position.apply(int(position.pass_action))
    assert asked == [1, 2]
    assert position.to_act == 0 and position.legal() == [0, 1]


def test_who_has_nothing_is_asked_too_and_can_only_pass():
    position = sequential(bells(2, (0, 1), (2, 3)))
    assert position.to_act == 1
    assert position.legal() == [position.pass_action]


def test_after_an_interruption_everybody_is_asked_again():
    position = sequential(bells(3, (0, 1), (2, 7), (3, 8)))
    position.apply(int(position.pass_action))
    assert position.to_act == 2 and position.legal() == [8, position.pass_action]
    position.apply(8)
    assert position.to_act == 1
    assert position.scores() == [0, 0, 1]


def test_passing_is_illegal_for_the_seat_whose_turn_it_is():
    position = sequential(bells(2, (0, 1), (2, 3)))
    position.apply(int(position.pass_action))
    assert position.to_act == 0
    with pytest.raises(IllegalAction):
        position.apply(int(position.pass_action))


def test_chance_and_the_end_ask_nobody():
    position = sequential(toy_hats.BELLS.setup(2).start())
    assert position.to_act == CHANCE
    assert let_chance_happen(position, Dice(1)) and position.to_act >= 0
    assert playout(position, Dice(2)) <= position.ply_bound
    assert position.to_act == OVER and not position.asking()


def test_a_bot_is_asked_through_its_view():
    position = bells(3, (0, 1), (2, 7), (3, 8))
    view = ask(position.seen_by(2), 2)
    assert isinstance(view, Sequential)
    assert view.to_act == 2 and view.legal() == [8, view.pass_action]
    with pytest.raises(ValueError, match="cannot interrupt"):
        ask(position.seen_by(0), 5)
    with pytest.raises(ValueError, match="cannot interrupt"):
        ask(toy_hats.BELLS.setup(3).start().seen_by(1), 1)


def test_the_wrapper_tells_by_passing_only_what_all_may_know():
    """Who is asked is the same whatever is in the hands."""
    one, two = sequential(bells(2, (0, 1), (2, 7))), sequential(bells(2, (0, 1), (2, 3)))
    assert one.to_act == two.to_act
    assert one.seen_by(SPECTATOR).key() == two.seen_by(SPECTATOR).key() and one.seen_by(0).key() == two.seen_by(0).key()


def test_both_ways_of_playing_lead_to_the_same_ends():
    """The events of a wrapped line without its passes are a line of the game itself."""
    line = play(Case(toy_hats.BELLS.setup(3), wrapped=True), 3)
    plain = toy_hats.BELLS.setup(3).start()
    for position, event in zip(line.positions, line.events, strict=False):
        if event.action == position.pass_action:
            continue
        if position.asking():
            plain.interrupt(event.who, event.action)
        else:
            plain.apply(event.action)
    assert plain.key() == unwrapped(line.last).key()
