"""The short way of a move, on a real port: the same answers as the ordinary way, whatever the line looks like."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError
from tables_helper import QuickTables, sqlite_at

from sheepfold.table.limits import NO_LIMITS
from sheepfold.table.store import Change, Store
from sheepfold.web import app as server
from sheepfold.web import serve
from sheepfold.web.fast_moves import FastMoves
from sheepfold.web.guard import HEADERS
from sheepfold.web.serve import WISHES, NoDatabase, PortTaken, listener, try_database, way_of_moves

TABLE = {"game": "haste-bock", "seats": [{"kind": "me", "name": "A"}, {"kind": "open"}]}
Answer = tuple[int, dict[str, str], Any]


class Line:
    """One connection, byte by byte if wanted."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.file = self.socket.makefile("rb")

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.socket.sendall(piece)

    def answer(self) -> Answer:
        status = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        body = self.file.read(int(headers["content-length"]))
        return status, headers, json.loads(body) if body else None

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        self.send(request(method, path, body, **headers))
        return self.answer()


def request(method: str, path: str, body: Any = None, **headers: str) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    lines = {"Host": "sheep.test", "Content-Type": "application/json", "Accept": "application/json", "Content-Length": str(len(content))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + content


@contextmanager
def running(folder: Path, **settings: Any) -> Iterator[tuple[FastAPI, int]]:
    """A server on a port of its own, as `sheepfold serve` runs it."""
    kept, server.Tables = server.Tables, QuickTables  # type: ignore[misc]
    app = server.create_app(sqlite_at(folder / "quick.db"), **{**NO_LIMITS, "bot_pause": 0.0, **settings})
    try:
        with listening(app) as port:
            yield app, port
    finally:
        server.Tables = kept  # type: ignore[misc]


@contextmanager
def listening(app: FastAPI | str, **settings: Any) -> Iterator[int]:
    """The port at which an application answers, as `sheepfold serve` has it."""
    running = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, **serve.settings(), **settings))
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        while not running.started:
            thread.join(0.02)
            assert thread.is_alive()
        yield running.servers[0].sockets[0].getsockname()[1]
    finally:
        running.should_exit = True
        thread.join(20)


class Seats:
    """A table for two, and what each may do."""

    def __init__(self, line: Line) -> None:
        self.line = line
        made = line.ask("POST", "/api/tables", TABLE)[2]
        self.path = f"/api/tables/{made['table']}"
        self.table = made["table"]
        self.tokens = [made["token"], line.ask("POST", f"{self.path}/seats", {"seat": 1})[2]["token"]]

    def wish(self) -> tuple[str, dict[str, Any]]:
        """The token of who is to act, and a legal move."""
        turn = self.line.ask("GET", self.path)[2]["to_act"]
        mine = self.line.ask("GET", f"{self.path}?since=1000000", Authorization=f"Bearer {self.tokens[turn]}")[2]
        return self.tokens[turn], {"ply": mine["ply"], "action": mine["actions"][0]["action"]}


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[tuple[FastAPI, Line, Seats]]:
    with running(tmp_path) as (app, port):
        line = Line(port)
        yield app, line, Seats(line)


@pytest.fixture
def framework(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables whose moves came to the framework."""
    asked: list[str] = []
    original = QuickTables.act

    async def act(self: QuickTables, table_id: str, *wish: Any) -> Any:
        asked.append(table_id)
        return await original(self, table_id, *wish)

    monkeypatch.setattr(QuickTables, "act", act)
    return asked


def test_moves_are_answered_the_short_way_and_once(framework: list[str], quick: tuple[FastAPI, Line, Seats]) -> None:
    app, line, seats = quick
    for _ in range(5):
        token, wish = seats.wish()
        status, headers, told = line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")
        assert (status, headers["content-type"]) == (200, "application/json")
        assert all(headers[name.lower()] == value for name, value in HEADERS.items())
        assert told["happened"][0][1] == wish["action"]
        assert told["ply"] == wish["ply"] + len(told["happened"])
        again = line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")[2]
        assert again == told | {"happened": []}
    token, wish = seats.wish()
    assert line.ask("POST", f"/t/{seats.table}/move", wish, Cookie=f"a=b; seat_{seats.table}={token}")[0] == 200
    assert framework == []
    assert app.state.metrics.requests["POST", "/api/tables/{table_id}/moves", 200] == 10
    assert line.ask("POST", f"/t/{seats.table}/move", wish, Cookie=f"a={5000 * 'b'}; seat_{seats.table}={token}")[0] == 200
    assert framework == [seats.table], "a line keeps no long heads"


def test_what_cannot_be_is_refused_in_the_same_words_as_ever(framework: list[str], quick: tuple[FastAPI, Line, Seats]) -> None:
    app, line, seats = quick
    token, wish = seats.wish()
    bearer = f"Bearer {token}"
    for body, headers, status in (
        (wish | {"action": "jump"}, {}, 422), (wish | {"ply": wish["ply"] + 1}, {}, 409), (wish | {"ply": "x"}, {}, 422),
        (wish | {"more": 1}, {}, 422), (wish | {"action": "x" * 5000}, {}, 422), (wish, {"Authorization": "Bearer nobody"}, 403),
        (wish | {"action": wish["action"] + 200 * " "}, {}, 422), ([wish], {}, 422), (wish | {"action": 7}, {}, 422), ({}, {}, 422),
        (wish | {"seat": "me"}, {}, 422), (wish | {"seat": 3}, {}, 403),
        (wish, {"Origin": "http://evil.test"}, 403), (wish, {"Content_Type": "text/plain"}, 422),
    ):  # fmt: skip
        answer = line.ask("POST", f"{seats.path}/moves", body, **{"Authorization": bearer, **headers})
        assert (answer[0], list(answer[2])) == (status, ["problem"]), body
    assert line.ask("POST", "/api/tables/nowhere99/moves", wish, Authorization=bearer)[0] == 404
    assert list(app.state.tables._locks) == [seats.table], "what is not there leaves nothing behind"
    assert line.ask("POST", f"{seats.path}/moves", wish, Authorization=bearer)[0] == 200
    assert framework


def test_a_line_may_come_in_pieces_or_all_at_once(quick: tuple[FastAPI, Line, Seats]) -> None:
    _, line, seats = quick
    token, wish = seats.wish()
    whole = request("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")
    line.send(*(whole[place : place + 7] for place in range(0, len(whole), 7)))
    assert line.answer()[0] == 200
    token, wish = seats.wish()
    whole = request("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")
    stale = request("POST", f"{seats.path}/moves", wish | {"action": "jump"}, Authorization=f"Bearer {token}")
    line.send(request("GET", "/api/levels") + whole + request("GET", "/api/levels") + stale + whole)
    answers = [line.answer() for _ in range(5)]
    assert [answer[0] for answer in answers] == [200, 200, 200, 409, 200]
    assert "happened" in answers[1][2]
    line.send(request("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}", Expect="100-continue"))
    assert line.file.readline() == b"HTTP/1.1 100 Continue\r\n"
    line.file.readline()
    assert line.answer()[0] == 200
    line.send(request("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}", Connection="close"))
    assert line.answer()[0] == 200
    assert line.file.read() == b""


def test_what_comes_in_pieces_behind_a_move_waits_for_it_in_order(
    quick: tuple[FastAPI, Line, Seats], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, line, seats = quick
    original, stored = Store._commit, threading.Event()

    def slow(self: Store, *works: Any) -> list[Exception | None]:
        stored.wait(30)
        return original(self, *works)

    monkeypatch.setattr(Store, "write_here", lambda *_: False)
    for _ in range(5):
        token, wish = seats.wish()
        stored.clear()
        monkeypatch.setattr(Store, "_commit", slow)
        asked = request("GET", "/api/levels")
        for piece in (request("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}"), asked[:30], asked[30:]):
            line.send(piece)
            time.sleep(0.05)  # while the move is stored
        stored.set()
        (moved, _, told), (status, _, levels) = line.answer(), line.answer()
        assert (moved, status) == (200, 200) and "happened" in told and "lamb" in levels
        monkeypatch.setattr(Store, "_commit", original)


def test_what_is_not_stored_is_not_acknowledged(quick: tuple[FastAPI, Line, Seats], monkeypatch: pytest.MonkeyPatch) -> None:
    _, line, seats = quick
    token, wish = seats.wish()
    original = Store._commit

    def full(self: Store, works: Any) -> list[Exception | None]:
        if any(isinstance(work, Change) for work in works):
            return [OperationalError("INSERT", {}, Exception("full"))] * len(works)
        return original(self, works)

    monkeypatch.setattr(Store, "_commit", full)
    monkeypatch.setattr(Store, "write_here", lambda *_: False)
    french = {"Accept-Language": "fr", "Cookie": f"seat_{seats.table}={token}"}
    for path, headers in ((f"{seats.path}/moves", {"Authorization": f"Bearer {token}"}), (f"/t/{seats.table}/move", french)):
        status, _, told = line.ask("POST", path, wish, **headers)
        assert (status, list(told)) == (503, ["problem"])
    monkeypatch.undo()
    assert line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")[0] == 200


def test_behind_a_proxy_everybody_has_a_limit_of_their_own(tmp_path: Path) -> None:
    with running(tmp_path, burst=12.0, per_second=0.001) as (_, port):
        line = Line(port)
        seats = Seats(line)
        token, wish = seats.wish()

        def move(**headers: str) -> int:
            return line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}", **headers)[0]

        assert [move(X_Forwarded_For="203.0.113.7") for _ in range(14)] == [200] * 12 + [429] * 2
        assert move(X_Forwarded_For="203.0.113.8") == 200
        assert move() == 200


def test_cookies_that_come_by_tls_stay_with_it(tmp_path: Path) -> None:
    with running(tmp_path) as (_, port):
        for proto, secure in (("https", True), ("http", False), ("", False)):
            line = Line(port)
            for path, form in (("/play/haste-bock", b""), ("/theme", b"theme=dark"), ("/language", b"language=fr")):
                proxy = {"X_Forwarded_For": "203.0.113.7", "X_Forwarded_Proto": proto} if proto else {}
                kind = "application/x-www-form-urlencoded"
                line.send(request("POST", path, Content_Type=kind, Content_Length=str(len(form)), **proxy) + form)
                status, headers, _ = line.answer()
                assert status == 303
                assert ("; Secure" in headers["set-cookie"]) == secure, (path, proto)


def heard(line: Line) -> dict[str, Any]:
    """The next event of a stream."""
    while not (text := line.file.readline()).startswith(b"data: "):
        assert text, "the stream ended"
    return dict(json.loads(text[6:]))


def test_streams_tell_at_once_what_happens(quick: tuple[FastAPI, Line, Seats]) -> None:
    app, line, seats = quick
    port = line.socket.getpeername()[1]
    streams = []
    for own in ("true", "false"):
        for token in seats.tokens:
            streams.append(Line(port))
            streams[-1].send(request("GET", f"{seats.path}/events?since=1000&own={own}", Authorization=f"Bearer {token}"))
            assert streams[-1].file.readline() == b"HTTP/1.1 200 OK\r\n"
            assert heard(streams[-1])["since"] == 0
    while app.state.tables.listeners.count < 4:
        line.ask("GET", "/api/levels")
    for _ in range(6):
        token, wish = seats.wish()
        told = line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")[2]
        mover = seats.tokens.index(token)
        for place, stream in enumerate(streams):
            if place != 2 + mover:  # who wants to hear only of others has been answered
                assert heard(stream) == told | {"since": wish["ply"]}
    for stream in streams:
        stream.socket.shutdown(socket.SHUT_RDWR)
    while app.state.tables.listeners.count:
        line.ask("GET", "/api/levels")


def test_a_stream_is_not_compressed(quick: tuple[FastAPI, Line, Seats]) -> None:
    """Its first piece goes through the middleware and the rest past it, so neither may be."""
    app, line, seats = quick
    stream = Line(line.socket.getpeername()[1])
    stream.send(request("GET", f"{seats.path}/events", Accept_Encoding="gzip"))
    head = b"".join(iter(stream.file.readline, b"\r\n"))
    assert b"content-encoding" not in head.lower()
    known = heard(stream)["ply"]
    while not app.state.tables.listeners.count:
        line.ask("GET", "/api/levels")
    token, wish = seats.wish()
    line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")
    assert heard(stream)["since"] == known


def test_who_comes_back_hears_also_of_an_own_move_whose_answer_was_lost(quick: tuple[FastAPI, Line, Seats]) -> None:
    _, line, seats = quick
    token, wish = seats.wish()
    told = line.ask("POST", f"{seats.path}/moves", wish, Authorization=f"Bearer {token}")[2]
    stream = Line(line.socket.getpeername()[1])
    stream.send(request("GET", f"{seats.path}/events?since={wish['ply']}&own=false", Authorization=f"Bearer {token}"))
    assert heard(stream) == told | {"since": wish["ply"]}


@pytest.mark.parametrize("version", ["0.31.1", "0.55.0", "1.0", "1.0.dev1", "next"])
def test_with_a_release_that_nobody_tried_moves_go_the_ordinary_way(version: str, caplog: pytest.LogCaptureFixture) -> None:
    assert way_of_moves(uvicorn.__version__) is FastMoves and way_of_moves("0.32.0") is FastMoves
    assert way_of_moves(version) == "auto"
    assert version in caplog.text


def test_two_servers_at_once_get_two_ports_and_a_taken_one_is_refused():
    with listener("127.0.0.1", None) as one, listener("127.0.0.1", None) as other:
        taken = one.getsockname()[1]
        assert taken != other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"cannot listen on 127.0.0.1:{taken}"):
            listener("127.0.0.1", taken)


def test_a_database_that_cannot_be_opened_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database, " * 1000)
    for url, reason in (
        (f"sqlite:///{tmp_path}/nowhere/x.db", "unable to open"),
        (f"sqlite:///{tmp_path}/notes.txt", "not a database"),
        ("sheep", "URL"),
        ("mysql://sheep@localhost/x", "needs the module"),
    ):
        with pytest.raises(NoDatabase, match=reason):
            try_database(url)


def test_a_process_of_several_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn knows its application by name only, then."""
    monkeypatch.setenv(WISHES, json.dumps({"database": f"sqlite:///{tmp_path / 'one.db'}", "components": {}, "bots": {}}))
    monkeypatch.setattr("sheepfold.web.logs.set_up_logs", lambda: None)
    with listening("sheepfold.web.serve:app_as_wished", factory=True) as port:
        assert Line(port).ask("GET", "/health")[0] == 200
