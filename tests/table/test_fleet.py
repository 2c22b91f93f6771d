"""Several servers on one PostgreSQL: nothing is stored that its writer did not know, everybody hears of everything, bots act once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from tables_helper import QuickTables, a_move, in_a_loop, people, until, with_bots

from sheepfold.core.position import OVER
from sheepfold.game.session import Refused, Stale
from sheepfold.table import fleet
from sheepfold.table.fairness import CLIENT, Crowded
from sheepfold.table.limits import Limits
from sheepfold.table.shared_limits import SharedLimits
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import LEASE, Table
from sheepfold.table.tables import SeatTaken

pytestmark = pytest.mark.slow
GAME = "haste-bock"


def with_two(url: str, work: Callable[[QuickTables, QuickTables], Awaitable[None]], hints: bool = True) -> None:
    """Do some work with two servers on one database."""

    async def whole() -> None:
        servers = [QuickTables(Store(url), 0.0) for _ in range(2)]
        for each in servers:
            if not hints:
                each.fleet._listen = lambda line: asyncio.sleep(3600)  # type: ignore[method-assign]
            each.fleet.start()
        try:
            await asyncio.wait_for(work(*servers), 60)
        finally:
            for each in servers:
                await each.close()

    in_a_loop(whole())


async def told(tables: QuickTables, table: Table, known: Callable[[Table], bool], seconds: float = 20) -> None:
    """Wait until who looks on at a server has been shown that."""
    shown: list[bool] = []
    with tables.listeners.ringing(table.id, lambda now: shown.append(known(now))):
        shown.append(known(await tables.table(table.id)))
        await until(lambda: any(shown), seconds)


def whole_log(tables: QuickTables, table_id: str) -> Table:
    """The table as a fresh server would read it: without holes, and every event legal."""
    stored = tables.store.load(table_id)
    assert stored
    return Table(stored)


def test_who_answers_what_was_taken_back_elsewhere_is_refused(postgres: str) -> None:
    """The fault of one process per database: the log had a hole afterwards."""

    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, [Seat("person", "A", "a"), Seat("person", "B", "a")], {})
        for _ in range(6):
            await one.move(table.id, *a_move(table))
        twin = await other.table(table.id)
        wish = a_move(twin)
        seat = table.events[table.session.last_ply_of((0, 1))].who  # type: ignore[index]
        await one.undo(table.id, seat)
        await one.undo(table.id, table.events[table.session.last_ply_of((0, 1))].who)  # type: ignore[index]
        with pytest.raises(Refused):
            await other.move(table.id, *wish)
        fresh = whole_log(one, table.id)
        assert fresh.events == table.events == (await other.table(table.id)).events

    with_two(postgres, work, hints=False)


def test_whoever_is_asked_a_game_goes_on(postgres: str) -> None:
    """Round robin: each move at the other server, which has heard nothing of the last one yet."""

    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create("te-kuiti", people("A", "B"), {})
        servers = [one, other]
        for number in range(30):
            if table.position.to_act == OVER:
                break
            table = await servers[number % 2].move(table.id, *a_move(table))
        assert whole_log(one, table.id).events == table.events

    with_two(postgres, work, hints=False)


def test_what_people_wish_of_bots_is_heard_by_whoever_asks_them(postgres: str) -> None:
    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, with_bots("A", 1), {})
        with other.bots.pace.followed(table.id, [0], "slow"):
            await until(lambda: bool(one.bots.pace.looking))
            assert one.bots.pace.looking == other.bots.pace.looking
            other.bots.pace.say(table.id, 0, "hold")
            await until(lambda: bool(one.bots.pace._waits(table).holds))
        await until(lambda: not one.bots.pace.looking)

    with_two(postgres, work)


def test_of_two_moves_at_once_one_is_stored(postgres: str) -> None:
    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, people("A", "B"), {})
        for _ in range(8):
            ply = table.ply
            twin = await other.table(table.id)
            (seat, at, first), (_, _, second) = a_move(table), a_move(twin, -1)
            moves = (one.move(table.id, seat, at, first), other.move(table.id, seat, at, second))
            outcomes = await asyncio.gather(*moves, return_exceptions=True)
            refused = [each for each in outcomes if isinstance(each, Exception)]
            assert len(refused) == (first != second) and all(isinstance(each, Stale) for each in refused)
            table = await one.table(table.id)
            assert table.ply > ply
            assert whole_log(one, table.id).events == table.events
            if table.position.to_act == OVER:
                break

    with_two(postgres, work)


def test_lines_of_chat_seats_and_rematches(postgres: str) -> None:
    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, [Seat("person", "A", "a"), Seat("open"), Seat("open")], {})
        await other.table(table.id)
        await asyncio.gather(*(server.say(table.id, "A", f"line {number}") for number in range(9) for server in (one, other)))
        assert sorted(line[1] for line in whole_log(one, table.id).chat) == sorted(2 * [f"line {number}" for number in range(9)])
        sitting = (one.sit(table.id, 1, Seat("person", "B", "b")), other.sit(table.id, 1, Seat("person", "C", "c")))
        outcomes = await asyncio.gather(*sitting, return_exceptions=True)
        assert {type(each) for each in outcomes} == {SeatTaken, Table}
        await other.sit(table.id, 2, Seat("person", "A", "d"))
        seats = whole_log(one, table.id).seats
        assert {seats[1].token} < {"b", "c"} and seats[2].name == "A 2" and whole_log(one, table.id).status == "playing"

        short = await one.create("guerre-des-moutons", people("A", "B"), {})
        while short.position.to_act != OVER:
            short = (
                await one.move(short.id, int(short.position.to_act), short.ply, "retire")
                if short.ply > 30
                else await one.move(short.id, *a_move(short))
            )
        assert len({*await asyncio.gather(*(server.rematch(short.id) for server in (one, other, one, other)))}) == 1

    with_two(postgres, work)


@pytest.mark.parametrize("hints", [True, False])
def test_viewers_at_another_server_see_what_happens(postgres: str, hints: bool) -> None:
    """By a hint at once; where hints are lost, within a second or two."""

    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, [Seat("person", "A", "a"), Seat("person", "B", "a")], {})
        await asyncio.sleep(0.3)
        for _ in range(3):
            ply = table.ply
            watching = asyncio.create_task(told(other, table, lambda now: now.ply > ply, 10))  # noqa: B023
            await asyncio.sleep(0.05)
            table = await one.move(table.id, *a_move(table))
            await watching
        revision = table.revision
        watching = asyncio.create_task(told(other, table, lambda now: now.revision > revision, 10))
        await asyncio.sleep(0.05)
        await one.undo(table.id, table.events[table.session.last_ply_of((0, 1))].who)  # type: ignore[index]
        await watching
        assert (await other.table(table.id)).events == table.events

    with_two(postgres, work, hints)


def test_what_a_server_cannot_follow_keeps_it_from_nothing_else(postgres: str) -> None:
    """Another version of the program may have stored a move that this one does not know: that table is outdated here, no other."""

    async def work(one: QuickTables, other: QuickTables) -> None:
        strange, fine = [await one.create(GAME, people("A", "B"), {}) for _ in range(2)]
        for table in (strange, fine):
            await other.table(table.id)
        with one.store.engine.begin() as connection:
            unknown = {"id": strange.id, "ply": strange.ply}
            connection.execute(text("INSERT INTO events VALUES (:id, :ply, 0, 99999, false, 0)"), unknown)
            connection.execute(text("UPDATE tables SET revision = revision + 1 WHERE id = :id"), unknown)
        await one.move(fine.id, *a_move(fine))
        await other.catch_up([strange.id, fine.id])
        assert other.in_memory[fine.id].events == fine.events
        assert (await other.table(strange.id)).outdated

    with_two(postgres, work, hints=False)


def test_who_is_behind_and_cannot_look_refuses_nothing(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that answers what another server stored was told 'an older position' where the line to the database was just cut."""

    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, people("A", "B"), {})
        await other.table(table.id)
        await one.move(table.id, *a_move(table))
        behind = other.in_memory[table.id]
        with monkeypatch.context() as cut:

            def lost(*_: object) -> None:
                raise OperationalError("SELECT", {}, Exception("no connection"))

            cut.setattr(other.store, "revisions", lost)
            cut.setattr(other.store, "news", lost)
            assert behind.ply < table.ply
            with pytest.raises(OperationalError):
                await other.move(table.id, *a_move(table))
        await other.move(table.id, *a_move(table))

    with_two(postgres, work, hints=False)


def test_a_client_has_one_share_for_all_servers(postgres: str) -> None:
    async def work(one: QuickTables, other: QuickTables) -> None:
        for each in (one, other):
            each.set_limits(Limits(chat=4, chat_per_minute=0.1))
            each.fleet.limits = SharedLimits({"chat": each.quotas.chat}, {})
        CLIENT.set("greedy")
        for _ in range(4):
            one.quotas.say()
        await until(lambda: "greedy" in other.quotas.chat.left)
        with pytest.raises(Crowded):
            other.quotas.say()

    with_two(postgres, work)


def test_bots_act_once_whoever_looks_on(postgres: str) -> None:
    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create(GAME, with_bots("A", 3), {})
        watching = asyncio.create_task(told(other, table, lambda now: now.ply > 30 or now.position.to_act == OVER))
        servers = [one, other]
        for number in range(12):
            server = servers[number % 2]
            await told(server, table, lambda now: int(now.position.to_act) in (0, OVER))
            now = await server.table(table.id)
            if now.position.to_act == OVER or now.ply > 30:
                break
            await server.move(table.id, *a_move(now))
        watching.cancel()
        fresh = whole_log(one, table.id)
        moves = one.counted["moves by bots"] + other.counted["moves by bots"]
        assert moves == sum(event.who > 0 for event in fresh.events)

    with_two(postgres, work)


def test_another_server_goes_on_with_the_bots_of_one_that_stopped(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And when the first wakes up, what it had in mind is not stored."""
    monkeypatch.setattr(fleet, "LOOK", 0.1)

    async def work(one: QuickTables, other: QuickTables) -> None:
        sleeps = asyncio.Event()

        async def asleep(table: Table, seat: int) -> None:
            await sleeps.wait()

        one.thinking = asleep
        table = await one.create(GAME, with_bots("A", 1), {})
        while table.position.to_act == 0:
            await one.move(table.id, *a_move(table))
        await one.fleet.close()  # it prolongs nothing any more, as a process that was stopped
        ply = table.ply
        await told(other, table, lambda now: now.ply > ply and now.position.to_act == 0, LEASE + 10)
        moves = other.counted["moves by bots"]
        assert moves
        sleeps.set()
        await asyncio.sleep(0.3)
        assert one.counted["moves by bots"] == 0
        fresh = whole_log(one, table.id)
        assert sum(event.who == 1 for event in fresh.events) == moves

    with_two(postgres, work)


def test_a_clock_runs_on_after_a_restart_with_nobody_looking(postgres: str) -> None:
    async def first() -> str:
        tables = QuickTables(Store(postgres), 0.0)
        table = await tables.create(GAME, people("A", "B"), {}, {"seconds": 1})
        await tables.close()
        return table.id

    async def second(table_id: str) -> None:
        tables = QuickTables(Store(postgres), 0.0)
        tables.fleet.start()
        await until(lambda: bool(whole_log(tables, table_id).away), LEASE + 10)
        await tables.close()

    in_a_loop(second(in_a_loop(first())))


def test_where_bots_have_nothing_to_do_nobody_claims_the_table(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may interrupt at any time, but have declined; with a clock the other server waits for that."""
    monkeypatch.setattr(fleet, "LOOK", 0.1)

    async def work(one: QuickTables, other: QuickTables) -> None:
        for settings in ({}, {"seconds": 600}):
            table = await one.create("guerre-des-moutons", with_bots("A", 1), {}, settings)
            await until(lambda: table.position.to_act == 0 and table.id not in one.bots.tasks)  # noqa: B023
            await until(lambda: not one.fleet.at_rest)
            revision = table.revision
            await asyncio.sleep(LEASE + 1)
            assert one.store.revisions([table.id])[table.id] == (revision, 0)
            assert table.id not in other.in_memory

    with_two(postgres, work)


def test_who_looked_at_a_server_that_has_ended_looks_no_more(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "LOOK", 0.1)

    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await one.create("haste-bock", people("A", "B"), {})
        pace = one.bots.pace
        await until(lambda: len(one.store.reports()) == len(other.store.reports()) == 1)
        with pace.followed(table.id, [0], "slow"), other.bots.pace.followed(table.id, [1], "fast"):
            await until(lambda: len(pace.looking[table.id]) == 2)
            await other.fleet.close()  # so that it says nothing any more
            await until(lambda: [seat for _, seat, _ in pace.looking[table.id]] == [0])

    with_two(postgres, work)


def test_each_server_knows_what_all_have_counted(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "LOOK", 0.1)

    async def work(one: QuickTables, other: QuickTables) -> None:
        one.fleet.figures = lambda: {"moves": 3}
        other.fleet.figures = lambda: {"moves": 4}
        await until(lambda: list(one.store.reports().values()) == [{"moves": 4}] and list(other.store.reports().values()) == [{"moves": 3}])
        await other.fleet.close()
        await until(lambda: not one.store.reports())

    with_two(postgres, work)
