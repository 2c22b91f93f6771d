"""Tables in a tables with a real database: order, durability, clocks, taking back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from tables_helper import QuickTables, a_move, in_a_loop, people, person, sqlite_at, until, with_bots, with_house

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.game.records import Event
from sheepfold.game.session import SHORT_LOG, NotYourTurn, NoUndo, Stale
from sheepfold.table.limits import Limits
from sheepfold.table.store import Change, Seat, Store, Stored, Work
from sheepfold.table.table import Holder, Table, new_table
from sheepfold.table.tables import NoSuchTable, SeatTaken, Tables, bot_seat

GAME = "haste-bock"


def test_a_move_posted_twice_is_done_once(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        seat, ply, text = a_move(table)
        await tables.move(table.id, seat, ply, text)
        after = list(table.events)
        await tables.move(table.id, seat, ply, f"  {text.upper()} ")
        assert table.events == after

    with_house(tmp_path, work)


def test_another_move_on_an_old_ply_is_stale(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        seat, ply, text = a_move(table)
        other = a_move(table, -1)[2]
        assert other != text
        await tables.move(table.id, seat, ply, text)
        with pytest.raises(Stale):
            await tables.move(table.id, seat, ply, other)
        with pytest.raises(Stale):
            await tables.move(table.id, seat, table.ply + 5, other)

    with_house(tmp_path, work)


def test_two_tabs_at_once_store_one_move(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        seat, ply, text = a_move(table)
        other = a_move(table, -1)[2]
        found = await asyncio.gather(
            tables.move(table.id, seat, ply, text), tables.move(table.id, seat, ply, other), return_exceptions=True
        )
        assert [type(each) for each in found] == [Table, Stale]
        assert table.game.write(table.session.at(ply), table.events[ply].action) == text

    with_house(tmp_path, work)


def test_only_who_is_to_act_may(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        seat, ply, text = a_move(table)
        with pytest.raises(NotYourTurn):
            await tables.move(table.id, 1 - seat, ply, text)
        assert table.ply == ply

    with_house(tmp_path, work)


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    kept: list[object] = []

    async def first(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {"neutral-rows": False}, {"seconds": 600})
        for _ in range(9):
            await tables.move(table.id, *a_move(table))
        await tables.say(table.id, "A", "hello")
        kept.extend([table.id, table.events[:], table.position.key(), table.scene(0, "fr", 0)])

    async def second(tables: QuickTables) -> None:
        table = await tables.table(str(kept[0]))
        assert table.events == kept[1]
        assert table.position.key() == kept[2]
        assert table.chat[0][:2] == ("A", "hello")
        mine, before = table.scene(0, "fr", 0), dict(kept[3])  # type: ignore[call-overload]
        for scene in (mine, before):
            scene.pop("revision")
            assert 0 < scene.pop("left") <= 600
        assert mine == before

    with_house(tmp_path, first)
    with_house(tmp_path, second)


def test_a_bots_unfinished_turn_goes_on_after_a_restart(tmp_path: Path) -> None:
    kept = []

    async def first(tables: QuickTables) -> None:
        async def for_ever(table: Table, seat: int) -> None:
            await asyncio.sleep(3600)

        tables.thinking = for_ever
        table = await tables.create(GAME, with_bots("A", 3), {})
        while int(table.position.to_act) == 0:
            await tables.move(table.id, *a_move(table))
        kept.append((table.id, table.ply))

    async def second(tables: QuickTables) -> None:
        table = await tables.table(kept[0][0])
        assert table.ply == kept[0][1]
        await until(lambda: int(table.position.to_act) in (0, OVER))
        assert table.ply > kept[0][1]

    with_house(tmp_path, first)
    with_house(tmp_path, second)


def test_alone_against_bots_one_may_always_take_back(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, with_bots("A", 3), {})
        await until(lambda: int(table.position.to_act) == 0)
        ply, key = table.ply, table.position.key()
        await tables.move(table.id, *a_move(table))
        await until(lambda: int(table.position.to_act) == 0)
        while table.ply > ply:
            assert table.undo_refusal(0) is None
            await tables.undo(table.id, 0)
        assert (table.ply, table.position.key()) == (ply, key)

    with_house(tmp_path, work)


def test_among_people_a_move_stands_once_chance_or_somebody_else_has_spoken(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        with pytest.raises(NoUndo):
            await tables.undo(table.id, int(table.position.to_act))
        refusals = set()
        while table.position.to_act != OVER:
            seat, _, _ = a_move(table)
            before = table.ply
            await tables.move(table.id, *a_move(table))
            if table.position.to_act == OVER:  # everybody may look at all hands now
                assert table.undo_refusal(seat) == "undo.over"
            elif table.ply == before + 1:  # no chance followed: it can be taken back and is
                assert table.undo_refusal(seat) is None
                await tables.undo(table.id, seat)
                assert table.ply == before
                await tables.move(table.id, *a_move(table))
            else:
                assert table.undo_refusal(seat) == "undo.chance"
            refusals.add(table.undo_refusal(1 - seat))
        assert "undo.others" in refusals

    with_house(tmp_path, work)


AT_ONE_SCREEN = [Seat("person", "A", "one token"), Seat("person", "B", "one token")]


# Fair undo: the policy is the session's (tests/game/test_session.py), as it is the terminal's (tests/terminal/test_terminal_play.py).


@pytest.mark.parametrize("seats", [people("A", "B"), AT_ONE_SCREEN], ids=["two screens", "one screen"])
def test_among_people_nobody_looks_at_a_tile_again_by_taking_back(tmp_path: Path, seats: list[Seat]) -> None:  # TK-7
    async def work(tables: QuickTables) -> None:
        table = await tables.create("te-kuiti", seats, {"first-shepherd": 1})
        looked_again = 0
        for _ in range(30):
            seat, before = int(table.position.to_act), table.ply
            action = min(table.position.legal())  # so the first tiles are turned in every turn
            await tables.move(table.id, seat, before, table.game.write(table.position, action))
            if table.game.shows(action):
                assert table.undo_refusal(seat) == "undo.seen"
                looked_again += table.ply == before + 1  # no chance, the tile was known
            elif table.ply == before + 1:
                assert table.undo_refusal(seat) is None, "a fence may be placed elsewhere"
        assert looked_again

    with_house(tmp_path, work)


def test_what_was_seen_for_a_moment_is_not_shown_again_by_taking_back() -> None:
    table, dice, shown = Table(new_table("te-kuiti", people(2), {})), Dice("moment"), False
    table.happened(table.plan_start())
    while not shown:
        table.happened(table.plan(Event(int(table.position.to_act), int(table.position.random_action(dice)))))
        shown = bool(table.passing(0))
    ply = table.ply
    table.happened(table.plan(Event(int(table.position.to_act), int(table.position.random_action(dice)))))
    table.taken_back(ply)
    assert table.passing(0) == ""


def test_a_bots_answer_to_a_position_that_was_taken_back_is_dropped(tmp_path: Path) -> None:
    """The log may have the same length again when the bot answers; what counts is that it is another position."""

    async def work(tables: QuickTables) -> None:
        gate = asyncio.Event()
        asked = []

        async def wait(table: Table, seat: int) -> None:
            asked.append((table.ply, table.version))
            await gate.wait()

        table = await tables.create(GAME, with_bots("A", 3), {})
        await until(lambda: int(table.position.to_act) == 0)
        while int(table.position.to_act) == 0:
            tables.thinking = wait
            last = a_move(table)
            await tables.move(table.id, *last)
        await until(lambda: bool(asked))
        ply = table.ply
        await tables.undo(table.id, 0)
        seat, at, text = a_move(table, -1)
        assert text != last[2]
        await tables.move(table.id, seat, at, text)
        tables.thinking = None
        gate.set()
        await until(lambda: int(table.position.to_act) in (0, OVER) and table.ply > ply)
        position = table.setup.start()
        from sheepfold.game.records import happen

        for event in table.events:
            happen(position, event)  # every event was legal where it happened
        assert position.key() == table.position.key()

    with_house(tmp_path, work)


def test_a_seat_that_stays_away_is_played_by_a_bot_and_given_back(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {}, {"seconds": 1})
        seat, ply, _ = a_move(table)
        table.since -= 0.9
        tables.wake(table)
        await until(lambda: seat in table.away)
        await until(lambda: table.ply > ply and int(table.position.to_act) == 1 - seat)
        stored = tables.store.load(table.id)
        assert stored is not None
        assert stored.settings["away"] == [seat]
        assert table.seconds_left() is not None
        table.settings["seconds"] = 600
        tables.wake(table)
        await tables.back(table.id, [seat])
        assert table.away == []
        while int(table.position.to_act) != seat:
            await tables.move(table.id, *a_move(table))
        await asyncio.sleep(0.1)
        assert int(table.position.to_act) == seat, "nobody plays for who is here"

    with_house(tmp_path, work)


def test_whoever_acts_is_back(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        async def for_ever(table: Table, seat: int) -> None:
            await asyncio.sleep(3600)

        tables.thinking = for_ever
        table = await tables.create(GAME, people("A", "B"), {}, {"seconds": 600})
        seat = int(table.position.to_act)
        table.settings["away"] = [seat]
        await tables.move(table.id, *a_move(table))
        assert table.away == []

    with_house(tmp_path, work)


async def bots_have_declined(tables: QuickTables, seats: list[Seat], **settings: int) -> Table:
    """A table of La Guerre des Moutons where all bots have been asked whether to interrupt the first seat."""
    while True:
        table = await tables.create("guerre-des-moutons", seats, {}, dict(settings))
        while table.position.to_act != OVER:  # a game may end before there was anything to interrupt
            await until(lambda: not tables.bots.tasks)
            if int(table.position.to_act) == 0 and table.passed == table.version:
                return table
            if table.position.to_act != OVER:
                await tables.move(table.id, *a_move(table))


def test_who_runs_out_of_time_is_played_for_also_where_the_other_bots_had_nothing_to_say(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await bots_have_declined(tables, with_bots("A", 2), seconds=600)
        ply = table.ply
        table.since -= 600
        tables.wake(table)
        await until(lambda: table.ply > ply)
        assert table.away == [0]

    with_house(tmp_path, work)


def test_the_bot_of_who_leaves_plays_also_where_the_other_bots_had_nothing_to_say(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await bots_have_declined(tables, [*people("A", "B"), bot_seat("ewe", "C")])
        ply = table.ply
        await tables.replace(table.id, 0, bot_seat("ewe", "A"))
        await until(lambda: table.ply > ply)

    with_house(tmp_path, work)


def test_who_comes_back_and_goes_again_is_played_for_again(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        gate, asked = asyncio.Event(), []

        async def wait(table: Table, seat: int) -> None:
            asked.append(seat)
            await gate.wait()

        tables.thinking = wait
        table = await tables.create(GAME, people("A", "B"), {}, {"seconds": 600})
        seat, ply, _ = a_move(table)
        table.since -= 600
        tables.wake(table)
        await until(lambda: bool(asked))
        await tables.back(table.id, [seat])
        gate.set()
        await until(lambda: table.id not in tables.bots.tasks)
        assert (table.ply, table.away) == (ply, [])
        table.since -= 600
        tables.wake(table)
        await until(lambda: table.ply > ply)

    with_house(tmp_path, work)


def test_who_acts_while_bots_wonder_whether_to_interrupt_has_them_asked_anew(tmp_path: Path) -> None:
    """Those who were still to be asked may have no say in the position that came of it."""

    async def work(tables: QuickTables) -> None:
        table = await bots_have_declined(tables, with_bots("A", 2))
        gate, asked = asyncio.Event(), []

        async def wait(table: Table, seat: int) -> None:
            asked.append((table.version, seat))
            await gate.wait()

        tables.thinking = wait
        table.passed = -1
        tables.wake(table)
        await until(lambda: bool(asked))
        await tables.move(table.id, *a_move(table))
        assert not any(table.position.may_interrupt(seat) for seat in (1, 2))
        gate.set()
        await until(lambda: table.id not in tables.bots.tasks)
        assert len(asked) == 1
        assert table.passed != table.version, "they have not failed"

    with_house(tmp_path, work)


def test_what_could_not_be_stored_of_a_clock_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.tables.RETRY", 0.01)
    commit, load, failures = Store._commit, Store.load, []
    lost = OperationalError("", {}, Exception("no connection"))

    def commits(self: Store, works: Sequence[Work], short: bool = True) -> list[Exception | None]:
        return [lost] * len(works) if not failures else commit(self, works, short)

    def loads(self: Store, table_id: str) -> Stored | None:
        failures.append(table_id)
        if len(failures) < 4:
            raise lost
        return load(self, table_id)

    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {}, {"seconds": 600})
        monkeypatch.setattr(Store, "_commit", commits)
        monkeypatch.setattr(Store, "load", loads)
        table.since -= 600
        tables.wake(table)
        await until(lambda: table.id in tables.in_memory and tables.in_memory[table.id] is not table)
        assert tables.clocks.running

    with_house(tmp_path, work)


def test_a_table_is_not_forgotten_while_something_of_it_is_stored(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table, other = [await tables.create(GAME, people("A", "B"), {}) for _ in range(2)]
        tables.set_limits(Limits(tables_in_memory=1))
        tables.store._one_at_a_time.acquire()
        moving = asyncio.create_task(tables.move(table.id, *a_move(table)))
        await until(lambda: tables.writer.busy)
        tables.in_memory.pop(other.id)
        await tables.table(other.id)
        await tables.table(table.id)
        tables.store._one_at_a_time.release()
        assert (await moving).ply == (await tables.table(table.id)).ply

    with_house(tmp_path, work)


def test_bots_go_on_after_one_of_their_processes_was_killed(tmp_path: Path) -> None:
    async def work() -> None:
        tables = Tables(Store(sqlite_at(tmp_path / "tables.db")), 0.0, 1)
        asked = tables.bots.workers.submit(os.getpid)
        for process in [*tables.bots.workers._processes.values()]:
            process.kill()
        with pytest.raises(BrokenProcessPool):
            await asyncio.wrap_future(asked)
        table = await tables.create(GAME, with_bots("A", 1), {})
        while table.position.to_act == 0:
            await tables.move(table.id, *a_move(table))
        await until(lambda: any(event.who == 1 for event in table.events))
        await tables.close()

    in_a_loop(work())


def test_sitting_down_starts_the_game_with_the_last_seat(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, [person("A"), Seat("open"), Seat("open")], {})
        assert (table.status, table.ply) == ("open", 0)
        await tables.sit(table.id, 1, person("B"))
        assert table.status == "open"
        with pytest.raises(SeatTaken):
            await tables.sit(table.id, 1, person("C"))
        with pytest.raises(NotYourTurn):
            await tables.move(table.id, 0, 0, "slam 2")
        await tables.sit(table.id, 2, person("C"))
        assert table.status == "playing"
        assert table.ply > 0
        assert table.seats_of(["token-of-B"]) == [1]
        assert table.seats_of(["token-of-b", "", "token-of-BB"]) == []

    with_house(tmp_path, work)


def test_a_game_that_begins_without_chance_starts_too_when_all_have_come(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create("te-kuiti", [person("A"), Seat("open")], {"first-shepherd": 1}, {"seconds": 600})
        async with tables.listeners.listening(table.id) as changed:
            await tables.sit(table.id, 1, person("B"))
            assert await changed(), "who waits is told"
        assert (table.status, table.ply) == ("playing", 0)
        assert tables.clocks.running

    with_house(tmp_path, work)


def test_who_has_left_acts_for_the_seat_no_more(tmp_path: Path) -> None:
    """Which seats tokens are for is remembered, so whatever changes that must be noticed."""

    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B", "C"), {})
        holder, other = Holder(["token-of-B"]), Holder(["token-of-D"])
        assert (holder.seats(table), other.seats(table)) == ([1], [])
        await tables.replace(table.id, 1, person("D"))
        assert (holder.seats(table), other.seats(table)) == ([], [1])
        tables.in_memory.clear()
        again = await tables.table(table.id)
        assert again is not table
        assert (holder.seats(again), other.seats(again)) == ([], [1])

    with_house(tmp_path, work)


def test_bots_rest_where_nobody_sits_and_nobody_looks(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, with_bots("A", 1), {})
        await tables.replace(table.id, 0, Seat("bot", "A", "", "ewe"))
        ply = table.ply
        await asyncio.sleep(0.1)
        table_again = await tables.table(table.id)
        await asyncio.sleep(0.1)
        assert table_again.ply == table.ply <= ply + 1
        async with tables.listeners.listening(table.id):
            await until(lambda: table.position.to_act == OVER)

    with_house(tmp_path, work)


def test_a_rematch_is_one_table_with_the_seats_moved_on(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {"neutral-rows": False}, {"seconds": 600})
        with pytest.raises(NotYourTurn):
            await tables.rematch(table.id)
        while table.position.to_act != OVER:
            await tables.move(table.id, *a_move(table, table.ply))
        one, two = await asyncio.gather(tables.rematch(table.id), tables.rematch(table.id))
        assert one == two
        new = await tables.table(one)
        assert new.names == ["B", "A"]
        assert new.setup.options == table.setup.options
        assert new.settings["seconds"] == 600
        assert new.seats_of(["token-of-A"]) == [1]

    with_house(tmp_path, work)


def test_who_stops_waiting_for_a_move_loses_nothing_and_blocks_nobody(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        wish = a_move(table)
        moving = asyncio.create_task(tables.move(table.id, *wish))
        await asyncio.sleep(0)
        moving.cancel()
        await asyncio.gather(moving, return_exceptions=True)
        for _ in range(200):
            again = await tables.table(table.id)
            if again.ply > wish[1]:
                break
            tables.in_memory.pop(table.id, None)
            await asyncio.sleep(0.01)
        await tables.move(table.id, *a_move(again))
        assert len((await asyncio.to_thread(tables.store.load, table.id)).events) == again.ply  # type: ignore[union-attr]

    with_house(tmp_path, work)


def test_among_people_there_are_hints_only_where_the_table_was_made_so(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        for seats, settings, given in (
            (people("A", "B"), {}, False),
            (people("A", "B"), {"hints": True}, True),
            ([*people("A"), bot_seat("lamb", "C")], {}, True),
        ):
            table = await tables.create("haste-bock", seats, {"first-seat-begins": True}, settings)
            while table.position.to_act != 0:
                await asyncio.sleep(0.01)
            assert table.scene(0, "en")["hints"] is given
            if given:
                assert (await tables.hint(table.id, 0))[1]
            else:
                with pytest.raises(NotYourTurn, match="Among people"):
                    await tables.hint(table.id, 0)

    with_house(tmp_path, work)


def test_a_game_of_memory_keeps_a_short_log_and_gives_no_hints(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create("te-kuiti", people("A", "B"), {})
        for _ in range(12):
            await tables.move(table.id, *a_move(table))
        shown = table.scene(0, "en", 0)
        assert 0 < len(shown["log"]) <= SHORT_LOG < table.ply
        assert shown["log_since"] == table.ply - SHORT_LOG
        with pytest.raises(NotYourTurn):
            await tables.hint(table.id, int(table.position.to_act))
        aided = await tables.create("te-kuiti", people("A", "B"), {"memory-aid": True})
        for _ in range(12):
            await tables.move(aided.id, *a_move(aided))
        assert len(aided.scene(0, "en", 0)["log"]) == aided.ply

    with_house(tmp_path, work)


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        with pytest.raises(NoSuchTable):
            await tables.table("nowhere")

    with_house(tmp_path, work)


def test_a_whole_game_of_bots_with_interruptions(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create("guerre-des-moutons", with_bots("A", 3), {})
        while table.position.to_act != OVER:
            if int(table.position.to_act) == 0:
                with suppress(Stale):  # a bot was quicker
                    await tables.move(table.id, *a_move(table))
            await asyncio.sleep(0.001)
        assert table.scene(0, "en")["ranks"]

    with_house(tmp_path, work)


def test_a_bot_whose_move_could_not_be_stored_tries_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.tables.RETRY", 0.01)
    original, failures = Store._commit, []

    def sometimes(self: Store, works: Sequence[Work]) -> list[Exception | None]:
        bots = any(isinstance(work, Change) and work.happened and work.happened[0].who == 1 for work in works)
        if bots and len(failures) < 2:
            failures.append(works)
            return [OperationalError("INSERT", {}, Exception("full"))] * len(works)
        return original(self, works)

    monkeypatch.setattr(Store, "_commit", sometimes)
    monkeypatch.setattr(Store, "write_here", lambda *_: False)

    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, with_bots("A", 1), {})
        while table.position.to_act == 0:
            await tables.move(table.id, *a_move(table))
        await until(lambda: table.id in tables.in_memory and any(event.who == 1 for event in tables.in_memory[table.id].events))
        assert len(failures) == 2

    with_house(tmp_path, work)


def test_who_listens_hears_changes_and_long_silences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.listeners.SILENCE", 0.05)

    async def work(tables: QuickTables) -> None:
        table = await tables.create("haste-bock", people("A", "B"), {})
        async with tables.listeners.listening(table.id) as changed:
            assert await changed() is False
            await tables.move(table.id, *a_move(table))
            assert await changed() is True
            assert await changed() is False

    with_house(tmp_path, work)
