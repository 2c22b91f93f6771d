"""What one client may do to a server, and what it may not; a stranger is served all the same. `bench/attackers.py` measures it."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from replay_helper import finished, put
from tables_helper import in_a_loop
from test_fast_moves import TABLE, Line, request, running
from web_helper import client_of, new_table, run, scene, tables_of

from sheepfold.game.session import Refused
from sheepfold.table.fairness import CLIENT
from sheepfold.table.limits import CHAT_SHOWN, Limits
from sheepfold.web.guard import Guard, Guarded

JSON = {"accept": "application/json"}


class Someone:
    """A client of its own, as a proxy names it."""

    def __init__(self, client: TestClient, address: str) -> None:
        self.client, self.address = client, address

    def __enter__(self) -> TestClient:
        self.before = self.client._transport.client  # type: ignore[attr-defined]
        self.client._transport.client = (self.address, 1)  # type: ignore[attr-defined]
        return self.client

    def __exit__(self, *_: object) -> None:
        self.client._transport.client = self.before  # type: ignore[attr-defined]


@pytest.fixture
def silent_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.web.lines.LOOK", 0.02)


def stream(port: int, path: str, **headers: str) -> tuple[int, socket.socket]:
    """A stream that was asked for: the status, and the line that goes on."""
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    line.sendall(request("GET", path, **headers))
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(4096)
    return int(head.split()[1]), line


def test_a_client_has_so_many_streams_and_a_stranger_gets_one(tmp_path: Path) -> None:
    with running(tmp_path, streams=3, streams_per_table=5) as (app, port):
        me = Line(port)
        made = me.ask("POST", "/api/tables", TABLE)[2]
        ways = (f"/t/{made['table']}/stream", f"/api/tables/{made['table']}/stream", f"/api/tables/{made['table']}/events")
        attacker, stranger, third = ({"X_Forwarded_For": address} for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"))
        held = [stream(port, way, **attacker) for way in ways]
        assert [status for status, _ in held] == [200, 200, 200]
        for way in ways:
            refused = Line(port).ask("GET", way, **attacker)
            assert (refused[0], bool(re.search("streams|windows", refused[2]["problem"]))) == (429, True)
        held += [stream(port, way, **stranger) for way in ways[:2]]
        assert [status for status, _ in held[3:]] == [200, 200]
        full = Line(port).ask("GET", ways[0], **third)
        assert (full[0], "look on" in full[2]["problem"]) == (429, True)
        seated = stream(port, ways[2], Authorization=f"Bearer {made['token']}", **third)
        assert seated[0] == 200, "who sits there always sees the table"
        held[0][1].close()
        for _ in range(500):
            if app.state.audience.of.here["192.0.2.1"] == 2:
                break
            time.sleep(0.01)
        again = stream(port, ways[1], Authorization=f"Bearer {made['token']}", **attacker)
        assert again[0] == 200, "one was closed"
        for _, line in (*held[1:], seated, again):
            line.close()
        for _ in range(500):
            if not app.state.audience.of.here and not app.state.audience.at.here:
                break
            time.sleep(0.01)
        assert (app.state.audience.of.here, app.state.audience.at.here) == (Counter(), Counter())


def test_requests_that_do_not_arrive_are_cut(tmp_path: Path, silent_lines: None) -> None:
    with running(tmp_path, request_seconds=0.5) as (app, port):
        made = Line(port).ask("POST", "/api/tables", TABLE)[2]
        watching = stream(port, f"/api/tables/{made['table']}/events")
        move = request("POST", f"/api/tables/{made['table']}/moves", {"ply": 0, "action": "x"})
        halves = [b"", b"GET / HTTP/1.1\r\nHost: sh", request("POST", "/api/tables", TABLE)[:-3], move[:-1]]
        lines = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in halves]
        for line, half in zip(lines, halves, strict=True):
            line.sendall(half)
        said = []
        for line in lines:
            said.append(b"")
            while more := line.recv(4096):
                said[-1] += more
        assert said[0] == b"", "who has not asked is told nothing"
        assert [each.startswith(b"HTTP/1.1 408") for each in said[1:]] == [True] * 3
        later = Line(port)
        whole = request("POST", "/api/tables", TABLE)
        later.send(whole[:30])
        time.sleep(0.1)
        later.send(whole[30:])
        assert later.answer()[0] == 201, "who is only slow is served"
        assert app.state.lines.cut == 4
        watching[1].settimeout(0.1)
        with pytest.raises(TimeoutError):  # and a stream goes on
            while watching[1].recv(4096):
                pass
        watching[1].close()


@pytest.mark.skipif(sys.platform != "linux", reason="only there are all of 127.0.0.0/8 one's own addresses")
def test_a_client_has_so_many_connections_and_a_stranger_gets_one(tmp_path: Path) -> None:
    with running(tmp_path, connections=4) as (app, port):

        def from_(address: str) -> socket.socket:
            return socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(address, 0))

        held = [from_("127.0.0.2") for _ in range(20)]
        for _ in range(500):
            if app.state.lines.refused == 16:
                break
            time.sleep(0.01)
        assert (app.state.lines.refused, app.state.lines.open) == (16, {"127.0.0.2": 4})
        for address in ("127.0.0.3", "127.0.0.1"):
            line = from_(address)
            line.sendall(request("GET", "/api/levels"))
            assert line.recv(4096).startswith(b"HTTP/1.1 200")
            held.append(line)
        proxied = [Line(port) for _ in range(20)]
        assert [line.ask("GET", "/api/levels")[0] for line in proxied] == [200] * 20, "a proxy that is trusted brings many"
        for each in held:
            each.close()


def test_requests_are_begun_in_fair_turns() -> None:
    begun: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["client"][0])

    async def work() -> None:
        guarded = Guarded(app, Guard(Limits()))

        async def ask(client: str) -> None:
            await guarded({"type": "http", "method": "GET", "path": "/", "headers": [], "client": (client, 1)}, None, None)  # type: ignore[arg-type]

        many = [asyncio.create_task(ask("192.0.2.1")) for _ in range(100)]
        await asyncio.sleep(0)
        await asyncio.gather(asyncio.create_task(ask("192.0.2.2")), *many)

    in_a_loop(work())
    assert (begun.index("192.0.2.2") <= 3, len(begun)) == (True, 101)


def test_between_many_requests_of_one_client_there_is_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the last one took; whoever comes meanwhile is served at once."""
    monkeypatch.setattr("sheepfold.web.guard.LONGEST_REST", 60.0)
    begun: list[str] = []

    async def work() -> None:
        guard = Guard(Limits())

        async def ask(client: str, seconds: float = 0.0) -> None:
            await guard.come_in(client)
            begun.append(client)
            time.sleep(seconds)  # as drawing a page keeps the loop

        many = [asyncio.create_task(ask("attacker", 0.2)) for _ in range(3)]
        while guard.rest is None:
            await asyncio.sleep(0)
        await ask("stranger")
        await asyncio.gather(*many)
        assert guard.door.free == 1 or guard.rest is None

    in_a_loop(work())
    assert begun == ["attacker", "stranger", "attacker", "attacker"]


def test_chat_comes_in_pages_and_has_a_limit(tmp_path: Path) -> None:
    with client_of(tmp_path, chat=4, chat_per_minute=0.001) as client:
        table = new_table(client)
        for number in range(4):
            assert client.post(f"/t/{table}/say", json={"text": f"line {number}"}).status_code == 200
        refused = client.post(f"/t/{table}/say", json={"text": "more"}, headers=JSON)
        assert (refused.status_code, "said much" in refused.json()["problem"]) == (429, True)
        assert int(refused.headers["retry-after"]) > 0
        token = tables_of(client).in_memory[table].seats[0].token
        by_program = client.post(f"/api/tables/{table}/chat", json={"text": "more"}, headers={"authorization": f"Bearer {token}"})
        assert by_program.status_code == 429

        async def talk() -> None:
            sitter = tables_of(client).in_memory[table].names[0]
            for number in range(4, 3 * CHAT_SHOWN):
                await tables_of(client).say(table, sitter, f"line {number}")

        run(client, talk)
        with Someone(client, "192.0.2.9"):
            assert client.post(f"/t/{table}/say", json={"text": "a stranger's line"}).status_code == 200
        shown = scene(client, table)
        assert (len(shown["chat"]), shown["said"]) == (CHAT_SHOWN, 3 * CHAT_SHOWN + 1)
        assert client.get(f"/api/tables/{table}").json()["chat"] == shown["chat"]
        texts, before = [text for _, text, _ in shown["chat"]], shown["said"] - CHAT_SHOWN
        for path in (f"/t/{table}/chat", f"/api/tables/{table}/chat", f"/t/{table}/chat"):
            page = client.get(f"{path}?before={before}").json()
            texts, before = [*(text for _, text, _ in page["chat"]), *texts], page["since"]
        assert before == 0
        assert texts == [*(f"line {number}" for number in range(3 * CHAT_SHOWN)), "a stranger's line"]
        assert client.get(f"/t/{table}/chat?before=-1").status_code == 422


def test_whatever_is_made_has_a_quota_and_a_stranger_has_the_own(tmp_path: Path) -> None:
    with client_of(tmp_path, tables=3, tables_per_hour=0.001) as client:
        record = client.get(f"/api/replays/{put(tables_of(client).store, finished('te-kuiti', 2, 'quota'))}/record").text
        ways: list[tuple[str, dict[str, Any]]] = [
            ("/api/tables", {"json": TABLE}), ("/play/haste-bock", {}), ("/new/haste-bock", {"data": {"seats": "2"}}),
            ("/learn/haste-bock", {}), ("/api/games/haste-bock/lesson", {"json": {}}), ("/api/replays", {"json": {"record": record}}),
        ]  # fmt: skip
        for path, body in ways[:3]:
            assert client.post(path, **body, follow_redirects=False).status_code in (201, 303), path
        for path, body in ways:
            refused = client.post(path, **body, headers=JSON, follow_redirects=False)
            assert (refused.status_code, "many tables" in refused.json()["problem"]) == (429, True), path
        with Someone(client, "192.0.2.9"):
            for path, body in ways[3:]:
                assert client.post(path, **body, follow_redirects=False).status_code in (201, 303), path


def test_hints_of_one_client_wait_only_so_far(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "me", hints="on")
    tables = tables_of(client)
    tables.set_limits(Limits(waiting=2))

    async def crowd() -> list[asyncio.Task[None]]:
        await tables.bots.turns.enter("testclient")
        tables.bots.turns.free = 0
        return [asyncio.create_task(tables.bots.turns.enter("testclient")) for _ in range(2)]

    run(client, crowd)
    refused = client.post(f"/t/{table}/hint", headers=JSON)
    assert (refused.status_code, "much to do" in refused.json()["problem"]) == (503, True)
    with Someone(client, "192.0.2.9"):
        assert client.post(f"/t/{table}/hint", headers=JSON).status_code == 200


def test_analyses_are_made_in_fair_turns(tmp_path: Path) -> None:
    """Of two clients' games a decision each; of one client's games one after the other, and not too many wait."""
    with client_of(tmp_path, analyses=3) as client:
        gallery = client.app.state.gallery  # type: ignore[attr-defined]
        queue = gallery.analysis_queue
        names = [put(tables_of(client).store, finished("te-kuiti", 2, f"turn {number}")) for number in range(5)]
        looked: list[str] = []

        async def work() -> None:
            blocked = asyncio.Event()

            async def in_turn(look: Any, played: Any, ply: int, simulations: int) -> dict[str, Any]:
                await blocked.wait()
                looked.append(CLIENT.get())
                if len(looked) == 6:
                    blocked.clear()
                return {"ply": ply}

            async def do(what: Any, played: Any) -> Any:
                return what(played)[:4]

            gallery.jobs.in_turn, gallery.jobs.do = in_turn, do
            refused = []
            for client_name, name in [*(("attacker", each) for each in names[:4]), ("stranger", names[4])]:
                CLIENT.set(client_name)
                try:
                    await queue.want(name, await gallery.find(name))
                except Refused as refusal:
                    refused.append((client_name, refusal.key))
            assert refused == [("attacker", "busy")]
            states = [await queue.state(name, await queue.of(name, await gallery.find(name))) for name in names]
            assert states == ["running", "waiting", "waiting", "none", "running"]
            blocked.set()
            while len(looked) < 6:
                await asyncio.sleep(0.01)

        run(client, work)
        assert looked == ["attacker", "stranger"] * 3


def test_as_many_files_as_the_system_allows_or_a_sentence() -> None:
    pytest.importorskip("resource")
    code = (
        "import resource, logging; logging.basicConfig(format='%(message)s'); from sheepfold.web import serve;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard})); serve.open_many_files();"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    for hard, said in ((1000, True), (5000, False)):
        done = subprocess.run([sys.executable, "-c", code.format(hard=hard)], capture_output=True, text=True, check=True, env=os.environ)
        assert done.stdout.strip() == str(hard)
        assert bool(re.search(rf"only {hard} connections.*ulimit -n", done.stderr)) == said
