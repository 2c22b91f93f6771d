"""One client plays the attacker, another the stranger: whatever the first asks for, the second has its turn."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tables_helper import QuickTables, in_a_loop, people, sqlite_at, until, with_house

from sheepfold.game.records import Record
from sheepfold.game.session import Session
from sheepfold.people.lobby import Lobby
from sheepfold.table.fairness import CLIENT, Buckets, Crowded, Held, Turns
from sheepfold.table.limits import CHAT_SHOWN, LONGEST_NAME, BadLimit, Limits, client_name, limits_from
from sheepfold.table.shared_limits import SharedLimits
from sheepfold.table.store import Seat, Store
from sheepfold.table.tables import Tables, bot_seat

GAME = "haste-bock"


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    token = CLIENT.set("")
    yield
    CLIENT.reset(token)


def test_turns_go_to_the_client_that_was_served_longest_ago() -> None:
    async def work() -> list[str]:
        turns, order, all_wait = Turns(1), [], asyncio.Event()

        async def one(client: str) -> None:
            async with turns.place(client):
                order.append(client)
                await all_wait.wait()

        tasks = [asyncio.create_task(one(client)) for client in (*("attacker",) * 300, "stranger", "stranger", "other")]
        await until(lambda: turns.waits("other") == 1)
        all_wait.set()
        await asyncio.gather(*tasks)
        assert (turns.free, turns.waiting) == (1, {})
        return order

    order = in_a_loop(work())
    assert order[:6] == ["attacker", "stranger", "other", "attacker", "stranger", "attacker"]
    assert len(order) == 303


def test_what_a_client_has_at_one_server_counts_at_the_others() -> None:
    """Each may be had once at each server at once, then once in all; who asks little is not talked of."""

    def server() -> SharedLimits:
        return SharedLimits({"chat": Buckets(lambda: (40, 1.0))}, {"streams": Held(lambda: 40)})

    one, other = server(), server()
    assert [one.used_up["chat"].take("polite", 0.0), *one.to_tell()] == [True]
    assert sum(one.used_up["chat"].take("greedy", 0.0) for _ in range(50)) == 40
    with ExitStack() as streams:
        for _ in range(30):
            streams.enter_context(one.held["streams"].one_more("greedy"))
        told = [*one.to_tell()]
        assert [json.loads(each)[1] for each in told] == [{"greedy": 40}, {"greedy": 30}] and "polite" not in str(told)
        for each in told:
            other.hear("one", each)
        for _ in range(10):
            assert not other.held["streams"].is_full("greedy")
            streams.enter_context(other.held["streams"].one_more("greedy"))
        assert other.held["streams"].is_full("greedy") and not other.held["streams"].is_full("polite")
    now = time.monotonic()
    assert not other.used_up["chat"].take("greedy", now) and other.used_up["chat"].take("polite", now)
    assert not other.used_up["chat"].take("greedy", now + 0.5) and other.used_up["chat"].take("greedy", now + 2)
    assert [*one.to_tell()] == ['["streams", {}]'], "that they are closed is told once"
    assert [*one.to_tell()] == []


def test_who_stops_waiting_takes_nobodys_place() -> None:
    async def work() -> None:
        turns = Turns(1)
        await turns.enter("a")
        waiting = [asyncio.create_task(turns.enter(client)) for client in ("b", "b", "b", "c")]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        assert turns.waits("b") == 2
        waiting[1].cancel()  # it does not know yet when the place is free
        turns.leave()
        waiting[2].cancel()  # at the moment when it was given the place
        await asyncio.gather(*waiting[:3], return_exceptions=True)
        await asyncio.wait_for(waiting[3], 5)
        turns.leave()
        assert (turns.free, turns.waiting) == (1, {})

    in_a_loop(work())


def test_the_bots_of_one_clients_many_tables_do_not_delay_anothers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one process for bots: as soon as what is thought now is thought, it is the stranger's turn."""
    thought: list[str] = []
    made: list[Tables] = []
    go_on = threading.Semaphore(0)

    def choose(record: Record, seat: int, level: str) -> int:
        go_on.acquire()
        thought.append(level)
        return int(Session(record).shown_to_bot(seat).legal()[0])

    monkeypatch.setattr("sheepfold.table.bot_players.choose", choose)

    async def work() -> None:
        made.append(tables := Tables(Store(sqlite_at(tmp_path / "bots.db")), 0.0, 1))
        tables.bots.workers.shutdown()
        tables.bots.workers = ThreadPoolExecutor(1)  # type: ignore[assignment]
        with ExitStack() as watching:
            for client, count, level in (("attacker", 40, "ram"), ("stranger", 1, "lamb")):
                CLIENT.set(client)
                for _ in range(count):
                    table = await tables.create(GAME, [bot_seat(level, "A"), bot_seat(level, "B")], {})
                    watching.enter_context(tables.listeners.ringing(table.id, lambda _: None))
            CLIENT.set("")
            await until(lambda: tables.bots.turns.waits("attacker") == 39 and tables.bots.turns.waits("stranger") == 1)
            for count in range(1, 7):
                if count % 2:  # the attacker's bot thinks; by then the stranger's has moved and waits again
                    await until(lambda: tables.bots.turns.waits("stranger") == 1)
                go_on.release()
                await until(lambda: len(thought) == count)  # noqa: B023
            assert thought == ["ram", "lamb", "ram", "lamb", "ram", "lamb"]

    async def whole() -> None:
        try:
            await work()
        finally:
            go_on.release(10_000)
            await made[0].close()

    in_a_loop(whole())


def test_who_moves_at_anothers_table_does_not_wait_for_its_bots_with_the_own_turn(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        asked: list[str] = []

        async def thinking(*_: Any) -> None:
            asked.append(CLIENT.get())

        tables.thinking = thinking
        CLIENT.set("attacker")
        table = await tables.create(GAME, [Seat("person", "A", "a"), bot_seat("lamb", "B")], {})
        CLIENT.set("stranger")
        assert (await tables.table(table.id)).owner == "attacker"
        while not asked:
            seat = int(table.position.to_act)
            view = table.position.seen_by(seat)
            await tables.move(table.id, seat, table.ply, table.game.write(view, view.legal()[0]))
            await asyncio.sleep(0.01)
        assert set(asked) == {""}, "so the table's own client counts"

    with_house(tmp_path, work)


def test_tables_with_clocks_do_not_fill_the_memory(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        tables.set_limits(Limits(tables_in_memory=3))
        alive = weakref.WeakSet[Any]()
        ids = []
        for _ in range(12):
            table = await tables.create(GAME, people("A", "B"), {}, {"seconds": 600})
            alive.add(table)
            ids.append(table.id)
        del table
        gc.collect()
        assert (len(tables.in_memory), len(tables.clocks.running), len(alive)) == (3, 3, 3)
        back = await tables.table(ids[0])
        assert back.seconds_left() is not None and ids[0] in tables.clocks.running, "it runs again when somebody comes"

    with_house(tmp_path, work)


def test_a_client_makes_so_many_tables_and_others_still_may(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        tables.set_limits(Limits(tables=5, tables_per_hour=0.001, listed=2))
        CLIENT.set("attacker")
        for number in range(5):
            await tables.create(GAME, people("A", "B"), {}, {"listed": number < 2})
        for settings in ({}, {"listed": True}):
            with pytest.raises(Crowded):
                await tables.create(GAME, people("A", "B"), {}, settings)
        CLIENT.set("stranger")
        for listed in (True, True):
            await tables.create(GAME, people("A", "B"), {}, {"listed": listed})
        with pytest.raises(Crowded):
            await tables.create(GAME, people("A", "B"), {}, {"listed": True})
        CLIENT.set("")
        for _ in range(8):
            await tables.create(GAME, people("A", "B"), {}, {"listed": True})

    with_house(tmp_path, work)


def test_unlisted_tables_push_nobody_out_of_the_lobby(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        seats = [Seat("person", "A", "a"), Seat("open")]
        shown = await tables.create(GAME, seats, {}, {"listed": True})
        text = '"listed": true'  # what somebody writes into a file of components is not a setting
        for _ in range(101):
            await tables.create(GAME, seats, {}, {"listed": False, "note": text})
        assert [each.table for each in Lobby(tables.store).waiting(100)] == [shown.id]

    with_house(tmp_path, work)


def test_only_the_latest_lines_of_chat_are_kept_at_hand(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(GAME, people("A", "B"), {})
        count = 2 * CHAT_SHOWN + 7
        for number in range(count):
            await tables.say(table.id, "A", str(number))
        latest = [str(number) for number in range(count - CHAT_SHOWN, count)]
        tables.in_memory.clear()
        for each in (table, await tables.table(table.id)):
            assert ([text for _, text, _ in each.chat], each.said) == (latest, count)
        await tables.say(table.id, "A", "again")
        pages, before = [], count + 1
        while before:
            lines = tables.store.lines(table.id, before)
            assert 0 < len(lines) <= CHAT_SHOWN
            before = lines[0][0]
            pages = [*(text for _, _, text, _ in lines), *pages]
        assert pages == [*map(str, range(count)), "again"]

    with_house(tmp_path, work)


def test_a_host_sets_limits_by_the_environment() -> None:
    assert limits_from({"SHEEPFOLD_STREAMS": "200", "SHEEPFOLD_BURST": "inf"}) == Limits(streams=200, burst=float("inf"))
    for bad in ("many", "0", "-3", "nan"):
        with pytest.raises(BadLimit, match="SHEEPFOLD_STREAMS"):
            limits_from({"SHEEPFOLD_STREAMS": bad})


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("a:b", "a:b"),
        ("x" * 9000, "x" * LONGEST_NAME),
        ("schäf:chen", "sch?f:chen"),
    ],
)
def test_who_has_many_addresses_is_one_client(address: str, client: str) -> None:
    assert client_name(address) == client
