"""Faults of a server that strangers met: each test failed before."""

from __future__ import annotations

import gzip
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from replay_helper import finished, put
from test_fast_moves import TABLE, Line, request, running
from test_server_storage import Disk, use_up_the_last_page
from web_helper import client_of, new_table, run, scene, tables_of

from sheepfold.game.records import write_record
from sheepfold.game.session import NotYourTurn
from sheepfold.table.table import Table
from sheepfold.table.writer import NotStored
from sheepfold.web.app import create_app

JSON = {"accept": "application/json"}


def test_health_says_when_no_write_is_taken_and_when_they_are_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.pulse.EVERY", -1.0)
    with client_of(tmp_path) as client:
        new_table(client)
        store = tables_of(client).store
        assert client.get("/health").json()["status"] == "ok"
        disk = Disk(store)
        disk.fill()
        use_up_the_last_page(store)
        for _ in range(2):
            sick = client.get("/health")
            assert (sick.status_code, sick.json()["status"], "full" in sick.json()["problem"]) == (503, "failing", True)
        disk.empty()
        assert (client.get("/health").status_code, client.get("/health").json()["status"]) == (200, "ok")
        with sqlite3.connect(tmp_path / "web.db") as database:
            assert database.execute("SELECT count(*) FROM uploads").fetchone() == (0,), "a pulse leaves nothing behind"


def test_health_says_when_a_write_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.pulse.PATIENCE", 0.05)
    with client_of(tmp_path) as client:
        store = tables_of(client).store
        store._one_at_a_time.acquire()
        try:
            assert client.get("/health").status_code == 503
        finally:
            store._one_at_a_time.release()


def test_a_failed_write_is_one_line_of_the_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    table = new_table(client)
    disk = Disk(tables_of(client).store)
    disk.fill()
    use_up_the_last_page(tables_of(client).store)
    shown = scene(client, table)
    caplog.clear()
    wish = {"ply": shown["ply"], "action": shown["actions"][0]["action"], "seat": shown["seat"]}
    assert client.post(f"/t/{table}/move", json=wish).status_code == 503
    disk.empty()
    failures = [record for record in caplog.records if "did not take a write" in record.getMessage()]
    assert [(record.getMessage().count("\n"), record.exc_info) for record in failures] == [(0, None)]
    assert "full" in failures[0].getMessage()


ZERO = "a\0b"


def refuses_what_is_no_text(client: TestClient) -> None:
    """On every database the same, and it is not the database's fault."""
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]
    made = client.post("/api/tables", json={"game": "haste-bock", "seats": seats}).json()
    mine = {"authorization": f"Bearer {made['token']}", **JSON}
    path = f"/api/tables/{made['table']}"
    record = write_record(finished("te-kuiti", 2, "zero"))
    header, empty, events = record.partition("\n\n")
    wishes: list[tuple[str, Any]] = [
        (f"{path}/chat", {"text": ZERO}), (f"{path}/seats", {"seat": 1, "name": ZERO}),
        ("/api/tables", {"game": "haste-bock", "seats": [{"kind": "me", "name": ZERO}, {}]}),
        ("/api/games/haste-bock/lesson", {"name": ZERO}), ("/api/replays", {"record": f"{header}\nnote: {ZERO}{empty}{events}"}),
        ("/api/tables", {"game": "haste-bock", "seats": seats, "components": {"name": ZERO, "text": ZERO}}),
    ]  # fmt: skip
    for where, body in wishes:
        for text in (json.dumps(body), json.dumps(body).replace("\\u0000", "\\ud800")):
            answer = client.post(where, content=text, headers=mine | {"content-type": "application/json"})
            assert (answer.status_code, list(answer.json())) == (422, ["problem"]), where
    client.cookies.set("name", "%00")
    assert client.post("/learn/haste-bock", follow_redirects=False).status_code == 303
    client.cookies.clear()
    bad = client.post("/replay", data={"text": f"{header}\nnote: {ZERO}{empty}{events}"}, headers={"accept-language": "de"})
    assert (bad.status_code, "Nullzeichen" in bad.text) == (422, True)
    assert client.get(path).json()["said"] == 0


def test_what_is_no_text_is_refused(client: TestClient) -> None:
    refuses_what_is_no_text(client)


@pytest.mark.slow
def test_what_is_no_text_is_refused_on_postgresql_too(postgres: str) -> None:
    with TestClient(create_app(postgres, bot_pause=0.0), base_url="http://sheep.test") as client:
        refuses_what_is_no_text(client)
        tables = tables_of(client)
        made = client.post("/api/tables", json={"game": "haste-bock", "seats": [{"kind": "me"}, {"kind": "open"}]}).json()

        sitter = tables.in_memory[made["table"]].names[0]

        async def past_the_checks() -> None:
            with pytest.raises(Exception) as refusal:
                await tables.say(made["table"], sitter, ZERO)
            assert not isinstance(refusal.value, NotStored | NotYourTurn), "it is not the database that fails"

        run(client, past_the_checks)
        assert client.get("/health").status_code == 200
        new = [f"line {number}" for number in range(3)]

        async def talk() -> None:
            for text in new:
                await tables.say(made["table"], sitter, text)

        run(client, talk)
        tables.in_memory.clear()
        assert [text for _, text, _ in client.get(f"/api/tables/{made['table']}").json()["chat"]] == new
        assert client.post("/api/tables", json={"game": "haste-bock", "seats": [{"kind": "me"}, {}], "listed": True}).status_code == 201
        assert len(client.get("/api/tables").json()) == 1


def test_every_refusal_has_the_same_shape(client: TestClient) -> None:
    table = new_table(client)
    odd = [
        client.post("/api/tables", content=b"\xff\xfe", headers={"content-type": "application/json"}),
        client.post("/api/tables", content=b"{", headers={"content-type": "application/json"}),
        client.post("/api/replays", content=b"--x", headers={"content-type": "multipart/form-data; boundary=x"}),
        client.post(f"/api/tables/{table}/moves", content=b"\x80", headers={"content-type": "application/json"}),
        client.get("/api/nowhere"),
        client.put("/api/tables"),
    ]
    for answer in odd:
        assert 400 <= answer.status_code < 500
        assert list(answer.json()) == ["problem"], answer.request.url
    form = client.post("/new/haste-bock", content=b"--x", headers={"content-type": "multipart/form-data", **JSON})
    assert (form.status_code, list(form.json())) == (400, ["problem"])


def test_a_fault_of_ours_is_said_in_the_same_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client_of(tmp_path) as client:
        quiet = TestClient(client.app, raise_server_exceptions=False)
        quiet.portal = client.portal
        monkeypatch.setattr("sheepfold.web.api.game_card", None)
        answer = quiet.get("/api/games")
        assert (answer.status_code, list(answer.json())) == (500, ["problem"])


def test_the_description_of_the_api_tells_the_shape_of_refusals(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    assert "HTTPValidationError" not in json.dumps(described)
    shape = {"$ref": "#/components/schemas/Problem"}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            refusals = {code: each for code, each in operation["responses"].items() if code[0] in "45"}
            assert {"422", "429", "503"} <= set(refusals), (method, path)
            for each in refusals.values():
                assert each["content"]["application/json"]["schema"] == shape, (method, path)


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [
        ("gzip", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0, *", False),
        ("br, *;q=0.1", True),
        ("deflate", False),
        ("", False),
        ("*;q=0", False),
    ],
)
def test_who_wants_nothing_compressed_gets_it_so(tmp_path: Path, accepted: str, zipped: bool) -> None:
    with client_of(tmp_path) as client:
        name = put(tables_of(client).store, finished("haste-bock", 2, "zip"))
        for path in ("/", "/static/table.js", f"/replay/{name}/frames", "/api/games"):
            answer = client.get(path, headers={"accept-encoding": accepted})
            assert answer.headers.get("content-encoding") == ("gzip" if zipped else None), path
            assert "accept-encoding" in answer.headers["vary"].lower(), path


def test_streams_heed_it_too(tmp_path: Path) -> None:
    import socket

    with running(tmp_path) as (_, port):
        made = Line(port).ask("POST", "/api/tables", TABLE)[2]
        for accepted, begins in (("gzip;q=0", b"event: scene"), ("gzip", gzip.compress(b"")[:3])):
            with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
                line.sendall(request("GET", f"/t/{made['table']}/stream", Accept_Encoding=accepted))
                received = b""
                while len(received.partition(b"\r\n\r\n")[2]) < 40:
                    received += line.recv(4096)
                assert received.partition(b"\r\n\r\n")[2].split(b"\r\n", 1)[1].startswith(begins)


def test_a_hint_for_a_position_that_is_gone_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(client, hints="on")
    tables = tables_of(client)

    async def move_meanwhile(there: Table, seat: int, level: str) -> list[tuple[int, float]]:
        thought = there.position.legal()[0]
        await tables.act(table, lambda _: seat, there.ply, there.game.write(there.position.seen_by(seat), thought))
        return [(thought, 1.0)]

    monkeypatch.setattr(tables.bots, "think", move_meanwhile)
    assert client.post(f"/t/{table}/hint", headers=JSON).status_code == 409


def test_a_stream_ends_with_its_line_whatever_waits_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn tells only the latest request of a line that the line has ended."""
    monkeypatch.setattr("sheepfold.web.event_stream.SILENCE", 1000.0)
    with running(tmp_path) as (app, port):
        line = Line(port)
        made = line.ask("POST", "/api/tables", TABLE)[2]
        line.send(request("GET", f"/t/{made['table']}/stream") + request("GET", "/robots.txt"))
        while b"event: scene" not in line.file.readline():
            pass
        line.file.close()
        line.socket.close()
        ends = time.monotonic() + 10
        while app.state.audience.of.here and time.monotonic() < ends:
            time.sleep(0.02)
        assert not app.state.audience.of.here


def test_who_asks_for_a_websocket_is_answered(tmp_path: Path) -> None:
    """There are none here; where a library for them is installed, uvicorn gave it the line, and nobody answered."""
    with running(tmp_path) as (_, port):
        assert Line(port).ask("POST", "/theme", {}, Connection="upgrade", Upgrade="websocket")[0] == 422
