"""What is acknowledged stays, whatever happens to the process or the disk."""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from local_postgres import hang_up_on_everybody
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from tables_helper import QuickTables, a_move, in_a_loop, people, until, with_bots
from web_helper import client_of, new_table, run, scene, tables_of

from sheepfold.core.position import OVER
from sheepfold.game.records import Event
from sheepfold.game.registry import find
from sheepfold.game.session import Stale
from sheepfold.people.lobby import Lobby
from sheepfold.table import store as store_module
from sheepfold.table.store import Change, InUse, Overtaken, Seat, Store, Work, said
from sheepfold.table.table import new_table as stored_table
from sheepfold.table.writer import NotStored
from sheepfold.web import api

BENCH = Path(__file__).parents[2] / "bench"


class Disk:
    """A disk that can be full: SQLite may use no more pages than `most`."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.most = 1 << 30
        event.listen(store.engine, "checkout", self._limit)

    def _limit(self, connection: object, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {self.most}")  # type: ignore[attr-defined]

    def fill(self) -> None:
        self._set(1)  # SQLite takes the size that there is for the least

    def empty(self) -> None:
        self._set(1 << 30)

    def _set(self, most: int) -> None:
        self.most = most
        self.store.write(lambda connection: self._limit(connection.connection.dbapi_connection)).result(10)
        if self.store._impatient:
            self._limit(self.store._impatient.connection.dbapi_connection)


def test_on_a_full_disk_nothing_is_acknowledged_or_shown_and_it_goes_on_afterwards(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with client_of(tmp_path) as client:
        table = new_table(client)
        watching: list[str] = []

        async def watch() -> None:
            async for text in api.scenes(tables_of(client), table, [], "en"):
                watching.append(text)

        async def start() -> asyncio.Task[None]:
            return asyncio.create_task(watch())

        task = run(client, start)
        disk = Disk(tables_of(client).store)
        disk.fill()
        use_up_the_last_page(tables_of(client).store)
        before, seen = scene(client, table), len(watching)
        wish = {"ply": before["ply"], "action": before["actions"][0]["action"], "seat": before["seat"]}
        answer = client.post(f"/t/{table}/move", json=wish, headers={"accept": "application/json"})
        assert answer.status_code == 503
        assert "has not happened" in answer.json()["problem"]
        assert {**scene(client, table), "revision": 0, "stamp": ""} == {**before, "revision": 0, "stamp": ""}
        assert len(watching) == seen
        assert client.post(f"/t/{table}/say", json={"text": "x" * 300}).status_code in (200, 503)
        assert client.get("/health").status_code == 503
        wanted = {"game": "haste-bock", "seats": [{"kind": "me", "name": "A long name " * 3}, {"kind": "open"}]}
        assert [client.post("/api/tables", json=wanted).status_code for _ in range(40)][-1] == 503
        assert "disk is full" in caplog.text and "A long name" not in caplog.text, "a seat's token would stand there too"
        disk.empty()
        assert client.post(f"/t/{table}/move", json=wish).status_code == 200
        assert scene(client, table)["ply"] > before["ply"]
        assert 'what="writes that failed"' in client.get("/metrics").text

        async def stop() -> None:
            task.cancel()

        run(client, stop)


def test_where_the_database_does_not_answer_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client_of(tmp_path) as client:
        table = new_table(client)
        tables_of(client).in_memory.clear()

        def lost(*_: object) -> None:
            raise OperationalError("SELECT", {}, Exception("no connection"))

        monkeypatch.setattr(Store, "load", lost)
        monkeypatch.setattr(Store, "count", lost)
        for path in (f"/api/tables/{table}", f"/t/{table}", "/metrics"):
            answer = client.get(path, headers={"accept": "application/json"})
            assert (answer.status_code, list(answer.json())) == (503, ["problem"]), path
        sick = client.get("/health")
        assert (sick.status_code, sick.json()) == (503, {"status": "failing", "problem": "The database does not answer: no connection"})
        monkeypatch.undo()
        assert client.get(f"/t/{table}").status_code == 200


def test_a_game_that_was_begun_with_other_pieces_is_shown_and_hurts_nobody(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        begun, fine = (new_table(client, "haste-bock", "me", "me") for _ in range(2))
        waiting = new_table(client, "haste-bock", "me", "open", listed="on")
        broken = new_table(client, "haste-bock", "me", "open", listed="on")
        wish = {"ply": 1, "action": scene(client, begun)["actions"][0]["action"], "seat": 0}
        store = tables_of(client).store
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE tables SET components = 'older'"))
            connection.execute(text("DELETE FROM component_files"))
            connection.execute(
                text("UPDATE tables SET components = :now WHERE id = :id"), {"now": find("haste-bock").components.digest, "id": fine}
            )
            connection.execute(text("INSERT INTO events VALUES (:id, 0, 0, 99999, 0, 0)"), {"id": broken})
        tables_of(client).in_memory.clear()
        for table in (begun, broken):
            shown = scene(client, table)
            assert (shown["status"], shown["actions"], "older version" in shown["prompt"]) == ("closed", [], True)
            assert "older version" in client.get(f"/t/{table}").text
            answer = client.post(f"/t/{table}/move", json=wish, headers={"accept": "application/json"})
            assert answer.status_code == 409 and "older version" in answer.json()["problem"]
        assert scene(client, fine)["status"] == "playing"
        assert [each["table"] for each in client.get("/api/tables").json()] == [waiting], "not begun yet, so it can be"
        assert client.get("/lobby").status_code == 200


def use_up_the_last_page(store: Store) -> None:
    other = stored_table("haste-bock", [Seat("person", "A", "a"), Seat("person", "B", "b")], {})
    store.create(other).result(10)
    for ply in range(1000):
        try:
            store.write(Change(other.id, ply, ply, [Event(0, 5)])).result(10)
        except OperationalError as error:
            assert "full" in str(error)
            return
    raise AssertionError("the disk is not full")


def test_one_bad_write_does_not_spoil_those_that_wait_with_it(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'together.db'}")
    ids = []
    for _ in range(3):
        stored = stored_table("haste-bock", [Seat("person", "A", "a"), Seat("person", "B", "b")], {})
        store.create(stored).result(10)
        ids.append(stored.id)
    store.write(Change(ids[1], 0, 0, [Event(0, 5)])).result(10)
    outcomes: list[Exception | None] = []
    works = [Change(table, 0, 0, [Event(0, 7), Event(-1, 2)], "over" if table == ids[2] else None) for table in ids]
    store.write_together(works, outcomes.extend)
    store.write(lambda _: None).result(10)
    assert [outcome is None for outcome in outcomes] == [True, False, True]
    found = [store.load(table) for table in ids]
    assert [each.events for each in found if each] == [[Event(0, 7), Event(-1, 2)], [Event(0, 5)], [Event(0, 7), Event(-1, 2)]]
    assert [each.status for each in found if each] == ["open", "open", "over"]
    store.close()


def test_a_second_server_on_the_same_file_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'one.db'}"
    store = Store(url)
    with pytest.raises(InUse, match="SQLite is for one at a time"):
        Store(url)
    table = stored_table("te-kuiti", people("A", "B"), {})
    store.create(table).result(10)
    store.close()
    again = Store(url)
    assert again.load(table.id) is not None
    again.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_at_random_nothing_acknowledged_is_lost() -> None:
    found = subprocess.run([sys.executable, BENCH / "server.py", "--kill", "2"], capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 0, found.stderr[-2000:]
    counted = json.loads(found.stdout)
    assert counted["kills"] == 2
    assert counted["lost"] == 0
    assert counted["acknowledged_moves"] > 20
    assert counted["moves_against_the_bot"] >= 1


# PostgreSQL.


@pytest.mark.slow
def test_the_same_on_postgresql(empty_postgres: str) -> None:
    async def first() -> tuple[str, str, list[Event], tuple[int, ...]]:
        tables = QuickTables(Store(empty_postgres), 0.0)
        table = await tables.create("haste-bock", people("A", "B"), {"neutral-rows": False}, {"seconds": 600})
        moves = [await tables.create("te-kuiti", people("A", "B"), {}) for _ in range(20)]
        for _ in range(9):
            await asyncio.gather(*(tables.move(each.id, *a_move(each)) for each in [table, *moves]))
        if table.undo_refusal(seat := table.events[-1].who) is None:
            await tables.undo(table.id, seat)
        await tables.say(table.id, "A", "hello <ßé>")
        seat, ply, text = a_move(table)
        both = await asyncio.gather(tables.move(table.id, seat, ply, text), tables.move(table.id, seat, ply, text))
        assert both[0] is both[1]
        against = await tables.create("guerre-des-moutons", with_bots("A", 2), {})
        for _ in range(3):
            await until(lambda: int(against.position.to_act) in (0, OVER))
            if against.position.to_act == 0:
                await tables.move(against.id, *a_move(against))
        waiting = await tables.create("haste-bock", [Seat("person", "A", "a"), Seat("open")], {}, {"listed": True})
        assert waiting.id in [each.table for each in Lobby(tables.store).waiting(50)]
        await tables.sit(waiting.id, 1, Seat("person", "B", "b"))
        assert tables.store.count()["playing"] >= 22
        result = table.id, moves[-1].id, list(table.events), table.position.key()
        await tables.close()
        return result

    async def second(table_id: str, other: str, events: list[Event], key: tuple[int, ...]) -> None:
        tables, twin = QuickTables(Store(empty_postgres), 0.0), QuickTables(Store(empty_postgres), 0.0)
        table = await tables.table(table_id)
        assert (table.events, table.position.key()) == (events, key)
        assert table.chat[0][:2] == ("A", "hello <ßé>")
        assert (await tables.table(other)).ply >= 9
        behind = await twin.table(table_id)
        await tables.move(table_id, *a_move(table))
        with pytest.raises(Stale):
            await twin.move(table_id, *a_move(behind, -1))
        tables.store.write(lambda connection: connection.exec_driver_sql("ALTER TABLE events RENAME TO away")).result(10)  # type: ignore[arg-type,return-value]
        ply = table.ply
        with pytest.raises(NotStored):
            await tables.move(table_id, *a_move(table))
        tables.store.write(lambda connection: connection.exec_driver_sql("ALTER TABLE away RENAME TO events")).result(10)  # type: ignore[arg-type,return-value]
        table = await tables.table(table_id)
        assert table.ply == ply
        hang_up_on_everybody(empty_postgres)
        await tables.say(table_id, "A", "still there")
        tables.store.load(table_id)
        hang_up_on_everybody(empty_postgres)
        assert tables.store.load(table_id) is not None
        await tables.move(table_id, *a_move(table))
        await tables.close()
        await twin.close()

    in_a_loop(second(*in_a_loop(first())))


def test_on_a_slow_disk_nobody_waits_for_a_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.store.QUICK", 0.0)  # no disk is quicker than that
    threads: list[str] = []
    original = store_module._change_all_sqlite

    def append(*what: object) -> bool:
        threads.append(threading.current_thread().name)
        return original(*what)  # type: ignore[arg-type]

    monkeypatch.setattr(store_module, "_change_all_sqlite", append)
    store = Store(f"sqlite:///{tmp_path / 'slow.db'}")
    table = stored_table("te-kuiti", people("A", "B"), {})
    store.create(table).result(10)
    here = threading.current_thread().name
    assert store.write_here([Change(table.id, 0, 0, [Event(0, 1)])])
    assert not store.write_here([Change(table.id, 1, 1, [Event(0, 2)])])
    store.write(Change(table.id, 1, 1, [Event(0, 2)])).result(10)
    assert threads == ["sheepfold-writer", here, "sheepfold-writer"]
    assert store.load(table.id).events == [Event(0, 1), Event(0, 2)]  # type: ignore[union-attr]
    store.close()


def test_while_another_process_writes_only_the_writer_waits(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'shared.db'}")
    table = stored_table("te-kuiti", people("A", "B"), {})
    store.create(table).result(10)
    other = sqlite3.connect(tmp_path / "shared.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    assert not store.write_here([Change(table.id, 0, 0, [Event(0, 1)])])
    assert time.monotonic() - began < 2, "it would keep all tables waiting"  # the writer waits for longer
    stored = store.write(Change(table.id, 0, 0, [Event(0, 1)]))
    other.execute("ROLLBACK")
    other.close()
    stored.result(20)
    assert store.write_here([Change(table.id, 1, 1, [Event(0, 2)])])
    assert store.load(table.id).events == [Event(0, 1), Event(0, 2)]  # type: ignore[union-attr]
    store.close()


def test_who_waits_for_another_process_in_vain_waits_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits together is refused together, not each after the same wait again."""
    monkeypatch.setattr("sheepfold.table.store.PATIENCE", 50)
    store = Store(f"sqlite:///{tmp_path / 'held.db'}")
    table = stored_table("te-kuiti", people("A", "B"), {})
    store.create(table).result(10)
    tried: list[int] = []
    original = Store._commit

    def commit(self: Store, works: Sequence[Work], short: bool = True) -> list[Exception | None]:
        tried.append(len(works))
        return original(self, works, short)

    monkeypatch.setattr(Store, "_commit", commit)
    with sqlite3.connect(tmp_path / "held.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        outcomes: queue.SimpleQueue[list[Exception | None]] = queue.SimpleQueue()
        store.write_together([Change(table.id, ply, ply, [Event(0, 1)]) for ply in range(9)], outcomes.put)
        assert all(isinstance(outcome, OperationalError) for outcome in outcomes.get(timeout=20))
        assert isinstance(store.write(Change(table.id, 0, more=said(table.id, 0, "A", "hello", 1.0))).exception(20), OperationalError)
    other.close()
    assert tried == [9, 1]
    store.write(Change(table.id, 0, 0, [Event(0, 1)])).result(20)
    store.close()


def test_one_bad_move_does_not_spoil_those_stored_with_it(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'bad.db'}")
    table = stored_table("te-kuiti", people("A", "B"), {})
    store.create(table).result(10)
    works = [Change(table.id, ply, ply, [Event(0, ply)]) for ply in (0, 0, 1)]
    assert not store.write_here(works)
    assert store.load(table.id).events == []  # type: ignore[union-attr]
    told: queue.Queue[list[Exception | None]] = queue.Queue()
    store.write_together(works, told.put)
    assert [type(outcome) for outcome in told.get(timeout=20)] == [type(None), Overtaken, type(None)]
    assert store.load(table.id).events == [Event(0, 0), Event(0, 1)]  # type: ignore[union-attr]
    store.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_servers_that_are_killed_stopped_and_cut_off_lose_nothing(postgres_server: str) -> None:
    """The short form of `make bench-fleet`."""
    command = [sys.executable, BENCH / "fleet.py", "--seconds", "10", "--pauses", "2", "--players", "5", "--here"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 0, found.stderr[-2000:]
    counted = json.loads(found.stdout)
    assert counted["faults"] == []
    assert counted["lost"] == counted["refused"] == 0
    assert counted["acknowledged"] > 10 and counted["kills"] + counted["stops"] + counted["lines_cut"] > 0
