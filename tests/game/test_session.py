"""A game in progress: its log forwards and backwards, what is fair to take back, what viewers are told and bots are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import toy_hats

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, EVERYTHING, HIDDEN, OVER, SPECTATOR
from sheepfold.core.sequential import Sequential
from sheepfold.game.game import Game
from sheepfold.game.records import Event, Record
from sheepfold.game.registry import every_game, find
from sheepfold.game.session import KEEP_EVERY, SHORT_LOG, NotYourTurn, NoUndo, Session, Stale
from sheepfold.messages import Voice

one_of_each = pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)


def going_on(session: Session, seed: str) -> Iterator[int]:
    """Play at random, a decision and the chance after it at a time; the seat that acted, SPECTATOR for chance at the start."""
    dice = Dice(seed)
    while not session.over:
        seat = int(session.position.to_act)
        plan = session.plan_nothing() if seat == CHANCE else session.plan(Event(seat, int(session.position.random_action(dice))))
        session.let_chance_follow(plan, lambda position, _: int(position.random_action(dice)), plan.seat)
        session.happened(plan)
        yield plan.seat


def played(game: Game, seed: str, seats: int | None = None, **options: object) -> Session:
    session = Session(Record(game.setup(seats, None, **options)))
    for _ in going_on(session, seed):
        pass
    return session


PEOPLE = ("Ann", "Bob")


def refusal(session: Session, seat: int, people: Sequence[object] = PEOPLE) -> str | None:
    try:
        session.undo_ply(seat, people)
    except NoUndo as refused:
        return refused.key
    return None


@one_of_each
def test_every_position_of_the_log_is_there_whatever_is_kept(game: Game) -> None:
    session = played(game, "at")
    assert session.ply > KEEP_EVERY
    again = Session(Record(session.setup, session.events[:]))
    for ply, position in enumerate(session.record.positions()):
        assert session.at(ply) == again.at(ply) == position


@one_of_each
def test_taking_back_leaves_the_game_as_it_was(game: Game) -> None:
    session = played(game, "back")
    positions = list(session.record.positions())
    for ply in range(session.ply - 1, -1, -7):
        session.take_back(ply)
        assert (session.ply, len(session.record.events), session.latest) == (ply, ply, ply)
        assert session.position == positions[ply] == session.at(ply)
        assert session.notations(0, ply) == []
        assert session.at(ply // 2) == positions[ply // 2]


@one_of_each
def test_what_is_quick_to_say_of_the_latest_move_is_what_the_log_says(game: Game) -> None:
    session = Session(Record(game.setup()))
    for _ in going_on(session, "notations"):
        fresh = Session(Record(session.setup, session.events[:]))
        for viewer in (*range(session.setup.seats), SPECTATOR):
            assert session.notations(viewer, session.latest) == fresh.notations(viewer, session.latest)
            told = fresh.told(viewer, Voice([game.folder / "locale"]), session.latest)
            assert [(each.who, each.notation) for each in told] == session.notations(viewer, session.latest)
        if session.ply > 60:
            return


def test_a_viewer_is_not_told_what_it_may_not_know() -> None:
    session = played(find("sheepzzz"), "secrets", 3)
    hidden = [seen for seen in session.seen(SPECTATOR) if seen.action == HIDDEN]
    assert hidden and all(seen.before.viewer == seen.after.viewer == SPECTATOR for seen in hidden)
    assert not [seen for seen in session.seen(EVERYTHING) if seen.action == HIDDEN]
    drawn = {seen.ply for seen in hidden}
    assert all(bool(notation) != (ply in drawn) for ply, (_, notation) in enumerate(session.notations(SPECTATOR, 0)))


def test_a_move_that_came_twice_happens_once_and_another_is_stale() -> None:
    session = Session(Record(find("te-kuiti").setup(2, first_shepherd=1)))
    view = session.view(0)
    texts = [session.game.write(view, action) for action in view.legal()]
    session.happened(session.plan_move(0, 0, texts[0]))
    assert session.plan_move(0, 0, f" {texts[0].upper()}").events == []
    with pytest.raises(Stale):
        session.plan_move(0, 0, texts[1])
    with pytest.raises(NotYourTurn, match="not your turn"):
        session.plan_move(1, session.ply, texts[1])
    over = played(find("te-kuiti"), "over", 2)
    with pytest.raises(NotYourTurn, match="is over"):
        over.plan_move(0, over.ply, texts[1])


# Fair undo: the page (tests/table/test_tables.py) and the terminal (tests/terminal/test_terminal_play.py) ask here.


@one_of_each
def test_who_is_alone_may_always_take_back(game: Game) -> None:
    session = Session(Record(game.setup()))
    for seat in going_on(session, "alone"):
        if seat >= 0:
            ply = session.undo_ply(seat, ["Ann"])
            assert session.events[ply].who == seat and all(event.who != seat for event in session.events[ply + 1 :])


@one_of_each
def test_among_people_only_the_last_thing_that_happened_is_taken_back(game: Game) -> None:
    session = Session(Record(game.setup(max(2, game.seats[-1]))))
    others = set(range(session.setup.seats))
    assert {refusal(session, seat) for seat in others} == {"undo.none"}
    for seat in going_on(session, "people"):
        if seat < 0:
            continue
        if session.over:
            assert refusal(session, seat) == "undo.over"
        elif session.forgetful and game.shows(session.events[session.latest].action):
            assert refusal(session, seat) == "undo.seen"
        elif session.ply == session.latest + 1:
            assert session.undo_ply(seat, PEOPLE) == session.latest
        else:
            assert refusal(session, seat) == "undo.chance"
        assert None not in {refusal(session, other) for other in others - {seat}}


@one_of_each
def test_who_shares_a_screen_takes_back_freely_unless_something_is_to_be_remembered(game: Game) -> None:
    session = Session(Record(game.setup(max(2, game.seats[-1]))))
    assert session.is_practice([]) and session.is_practice(["one"]) and not session.is_practice(PEOPLE)
    assert session.is_practice(["one", "one"]) != session.tests_memory
    for seat in going_on(session, "screen"):
        if seat >= 0 and not session.tests_memory:
            assert session.undo_ply(seat, ["one", "one"]) == session.last_ply_of((seat,))


@pytest.mark.parametrize(("name", "options"), [("te-kuiti", {}), ("sheepzzz", {"memory_game": True})])
def test_a_game_of_memory_is_told_shortly_until_it_is_over(name: str, options: dict[str, object]) -> None:
    session = Session(Record(find(name).setup(2, **options)))
    for _ in going_on(session, "short"):
        assert session.forgetful != session.over
        assert session.told_since(0) == (0 if session.over else max(0, session.ply - SHORT_LOG))


@pytest.mark.parametrize(("name", "options"), [("te-kuiti", {}), ("sheepzzz", {"memory_game": True})])
def test_in_a_game_of_memory_taking_back_brings_no_old_story_back(name: str, options: dict[str, object]) -> None:
    session = Session(Record(find(name).setup(2, **options)))
    for _ in going_on(session, "again"):
        if session.ply > 30:
            break
    earliest = session.ply - SHORT_LOG
    for back in (2, 9):
        session.take_back(session.ply - back)
        assert session.told_since(0) == min(earliest, session.ply), "what had faded stays so"
    undone = session.ply
    for _ in going_on(session, "on"):
        assert session.over or session.told_since(0) == max(undone, session.ply - SHORT_LOG), "what happens anew is told"


def test_with_a_memory_aid_it_is_told_whole() -> None:
    aided = played(find("te-kuiti"), "short", 2, memory_aid=True)
    aided.take_back(aided.ply - 1)
    assert not aided.forgetful and aided.told_since(0) == 0


def test_a_bot_is_shown_its_view_and_where_it_may_interrupt_it_is_asked() -> None:
    """In its turn everybody else has let the turn go on; out of turn it may pass. Looking back shows what was shown then."""
    session, interrupted = Session(Record(toy_hats.BELLS.setup(3))), 0
    for _ in going_on(session, "bots"):
        turn = int(session.position.to_act)
        for seat in range(3) if turn >= 0 else ():
            if seat != turn and not session.position.may_interrupt(seat):
                with pytest.raises(ValueError, match="cannot interrupt"):
                    session.shown_to_bot(seat)
                continue
            shown = session.shown_to_bot(seat)
            assert isinstance(shown, Sequential) and (shown.viewer, shown.to_act) == (seat, seat)
            assert shown.asking() == (seat != turn)
            assert (shown.pass_action in shown.legal()) == (seat != turn)
            assert session.shown_to_bot(seat, session.ply) == shown
            interrupted += seat != turn
    assert interrupted
    plain = Session(Record(find("te-kuiti").setup(2, first_shepherd=1)))
    assert plain.shown_to_bot(0) == plain.view(0)
    assert session.position.to_act == OVER
