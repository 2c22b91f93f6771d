"""Sheepzzz as a game of memory: nothing that is shown or said depends on what lies below the tops and what was taken."""

from __future__ import annotations

import pytest
from sheepzzz_table import do, table

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadOption
from sheepfold.core.position import CHANCE, HIDDEN, OVER, SPECTATOR
from sheepfold.game.records import Record
from sheepfold.game.session import NoUndo, Session
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.rules import BITE, NONE, PILE, PILES, TABLE, TAKEN, Sheepzzz
from sheepfold.messages import Voice

VOICES = [Voice([GAME.folder / "locale"], language) for language in ("en", "fr", "de")]

SMALL = """
    up, clockwise
    piles: 9/2 14 | 6 | 4 5 12
    A> 15 16 wolf    taken: 7
    B: 19 1          taken: 8 8/3
    C: 10 11         taken: 13
    deck: 3 17
    rest: under 3
"""


def otherwise(position: Sheepzzz, dice: Dice) -> Sheepzzz:
    """The same for who remembers nothing: what lies below the tops and what was taken is shared out anew."""
    other = position.copy()
    bottoms = [pile for pile in range(PILES) if position.top[pile] != NONE]
    tops = [(PILE + pile, int(position.top[pile])) for pile in bottoms]
    if position.stage == BITE:
        tops.append((PILE + int(position.pile), int(position.cards.wolf)))  # the wolf that was just played
    for card in range(position.cards.count):
        here = int(position.place[card]), int(position.cards.kind_of[card])
        if here in tops:
            tops.remove(here)
        elif PILE <= here[0] < TAKEN + position.seats:
            goal = int(dice.below(len(bottoms) + position.seats))
            other.place[card] = PILE + bottoms[goal] if goal < len(bottoms) else TAKEN + goal - len(bottoms)
    for pile in range(PILES):
        other.pile_size[pile] = sum(other.count_at(PILE + pile))
    return other


def shown(position: Sheepzzz, viewer: int, voice: Voice) -> list[object]:
    """All that a person is shown and told of a position."""
    view = position.seen_by(viewer)
    seen = [GAME.text_picture(view, viewer, 80, voice), GAME.picture(view, viewer, "auto", voice), GAME.outline(view, viewer, voice)]
    seen += [GAME.prompt(view, voice), GAME.refusals(view, voice)]
    if view.to_act == viewer:
        seen += [(GAME.write(view, action), GAME.describe(view, action, voice), GAME.targets(view, action)) for action in view.legal()]
        seen += [(GAME.gain(view, action), GAME.reason(view, action, voice)) for action in view.legal()]
    return seen


def told(position: Sheepzzz, action: int, viewer: int, voice: Voice) -> list[str]:
    after = position.copy()
    after.advance(action)
    return GAME.tell(position.seen_by(viewer), action if position.sees(viewer, action) else HIDDEN, after.seen_by(viewer), voice)


def ends_round(position: Sheepzzz, action: int) -> bool:
    after = position.copy()
    after.advance(action)
    return bool(after.rounds > position.rounds)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_nothing_shown_or_said_depends_on_memories(seats: int):  # SZ-22
    dice, compared = Dice(f"memories {seats}"), 0
    position = GAME.setup(seats, memory_game=True).start()
    while position.to_act != OVER and position.rounds < 2:
        action = int(position.random_action(dice))
        other = otherwise(position, dice)
        if position.stage != TABLE and other.key() != position.key():
            viewer = (*range(seats), SPECTATOR)[int(dice.below(seats + 1))]
            voice = VOICES[int(dice.below(3))]
            acting = int(position.to_act)
            for who in {viewer, acting if acting != CHANCE else viewer}:
                assert shown(other, who, voice) == shown(position, who, voice)
                # After a round pillows are counted, and that is told; a wolf finds only what is in its pile.
                if not ends_round(position, action) and action in other.legal():
                    assert told(other, action, who, voice) == told(position, action, who, voice)
            compared += 1
        position.advance(action)
    assert compared > 60


def test_otherwise_sizes_are_told():  # so the test above can fail
    position = table(SMALL)
    other = otherwise(position, Dice("sizes"))
    for viewer in (0, 1, SPECTATOR):
        for one, two in zip(shown(position, viewer, VOICES[0])[:3], shown(other, viewer, VOICES[0])[:3], strict=True):
            assert one != two
    assert described(position, "take 1") == "Take pile 1 (2 cards), then start a new one"
    assert described(table(SMALL, memory_game=True), "take 1") == "Take pile 1, then start a new one"


def described(position: Sheepzzz, text: str) -> str:
    return GAME.describe(position.seen_by(0), GAME.read(position, text), VOICES[0])


def test_a_memory_game_is_the_same_game():  # SZ-22
    for seats in GAME.seats:
        one, two, dice = GAME.setup(seats).start(), GAME.setup(seats, memory_game=True).start(), Dice(f"same {seats}")
        for _ in range(400):
            assert one.key() == two.key() and one.tensor() == two.tensor()
            if one.to_act == OVER:
                break
            action = int(one.random_action(dice))
            one.advance(action)
            two.advance(action)


def test_nobody_looks_again_below_a_card_by_taking_it_back():  # SZ-22
    people = ["A", "B", "C"]
    for options, refused in (({}, False), ({"memory_game": True}, True)):
        session = Session(Record(GAME.setup(3, first_starter=1, **options)))
        plan, dice = session.plan_nothing(), Dice("nineteen 12")
        session.let_chance_follow(plan, lambda position, _: int(position.random_action(dice)), 0)  # noqa: B023
        session.happened(plan)
        session.happened(session.plan_move(0, session.ply, "up"))
        assert session.undo_ply(0, people) == session.ply - 1  # nothing lies below a word
        session.happened(session.plan_move(0, session.ply, "take 1"))
        if refused:
            with pytest.raises(NoUndo, match="seen something"):
                session.undo_ply(0, people)
        else:
            assert session.undo_ply(0, people) == session.ply - 1


# Who starts.


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_table_may_choose_who_starts(seats: int):  # SZ-3
    for seat in range(seats):
        position = sheepfold.load("sheepzzz", seats=seats, first_starter=seat + 1).start()
        drawn = do(sheepfold.load("sheepzzz", seats=seats).start(), f"starter {seat + 1}")
        assert (position.starter, position.key()) == (seat, drawn.key())
        assert GAME.prompt(position, VOICES[0]) == "Three sheep are laid out to start the piles."
    with pytest.raises(
        BadOption, match=f"first-starter with {seats} players is drawn, 1" if seats < 5 else "first-starter is drawn, 1, 2, 3, 4 or 5"
    ):
        GAME.setup(seats, first_starter=seats + 1)
