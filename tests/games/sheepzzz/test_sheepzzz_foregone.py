"""Which way round play goes matters to nobody where one other player has cards: then nobody is asked (SZ-9, SZ-11)."""

from __future__ import annotations

import pytest

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game.records import Event, Record
from sheepfold.game.session import Session
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.rules import KEEP, TURN, TURN_ROUND, Sheepzzz
from sheepfold.messages import Voice


def asked(seats: int, seed: str, **options: object) -> list[Sheepzzz]:
    """The positions of a random game where somebody is asked which way round."""
    position, dice, found = GAME.setup(seats, None, **options).start(), Dice(seed), []
    while position.to_act != OVER:
        if position.stage == TURN:
            found.append(position.copy())
        position.apply(position.random_action(dice))
    return found


def round_from(position: Sheepzzz, first: int) -> list[object]:
    """Who does what from there to the end of the round, and what comes of it."""
    then, dice, story = position.copy(), Dice("round"), []
    then.apply(first)
    while then.to_act != OVER and then.rounds == position.rounds:
        story.append((then.to_act, list(then.legal())))
        then.apply(then.random_action(dice))
    return [*story, list(then.totals), int(then.starter)]


@pytest.mark.parametrize("options", [{}, {"reverse-names-player": True}])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_foregone_changes_nothing_and_all_else_is_asked(seats: int, options: dict[str, object]) -> None:
    settled = open_choices = 0
    for game in range(6):
        for position in asked(seats, f"way {game}", **options):
            same = round_from(position, TURN_ROUND) == round_from(position, KEEP)
            if GAME.foregone(position.seen_by(position.to_act)) is None:
                open_choices += not same
            else:
                assert same
                settled += 1
    assert settled if seats == 2 else open_choices
    assert not (open_choices and seats == 2)


def test_two_players_are_never_asked_and_take_back_the_card_with_it() -> None:
    session, dice, settled = Session(Record(GAME.setup(2))), Dice("two"), 0
    while not session.over:
        seat, ply = int(session.position.to_act), session.ply
        assert session.position.stage != TURN
        plan = session.plan_nothing() if seat == CHANCE else session.plan(Event(seat, int(session.position.random_action(dice))))
        session.let_follow(plan, lambda position, _: int(position.random_action(dice)), plan.seat)
        session.happened(plan)
        if any(event.action == KEEP for event in plan.events[1:]):
            settled += 1
            assert session.undo_ply(seat, ["one"]) == ply, "the card, not what followed from it by itself"
            assert session.position.to_act == CHANCE or session.undo_ply(seat, ["one", "other"]) == ply
    assert settled


def test_a_card_promises_two_players_what_they_will_be_asked() -> None:
    voice, said = Voice([GAME.folder / "locale"]), set()
    position, dice = GAME.setup(2).start(), Dice("promise")
    while position.to_act != OVER:
        if position.to_act >= 0:
            said |= {GAME.describe(position.seen_by(position.to_act), action, voice).partition(";")[2] for action in position.legal()}
        position.apply(position.random_action(dice))
    assert said == {"", " then maybe impose a pile"}
