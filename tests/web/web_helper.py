"""A client of the whole server in this process, or the server as a process of its own; on a real SQLite file."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from fastapi.testclient import TestClient
from tables_helper import QuickTables, sqlite_at

from sheepfold.table.limits import NO_LIMITS
from sheepfold.table.tables import Tables
from sheepfold.web import app as server

HOST_KEY = "a key for tests only"
"""What opens the host's page of the browser tests."""


@contextmanager
def client_of(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A browser without scripts; bots answer at once."""
    settings = {**NO_LIMITS, "bot_pause": 0.0} | settings
    kept, server.Tables = server.Tables, QuickTables  # type: ignore[misc]
    try:
        with TestClient(server.create_app(sqlite_at(folder / "web.db"), **settings), base_url="http://sheep.test") as client:
            client.headers["accept-language"] = "en"
            yield client
    finally:
        server.Tables = kept  # type: ignore[misc]


@contextmanager
def serving(database: Path, **environment: str) -> Iterator[str]:
    """The address of a `sheepfold serve`, as a user starts it, with bots that do not pause and guests who may make many tables."""
    quotas = {f"SHEEPFOLD_{limit}": "inf" for limit in ("TABLES", "LISTED", "STREAMS", "CHAT", "REPORTS", "KEYS")}
    process = subprocess.Popen(
        [sys.executable, "-m", "sheepfold", "serve", "--database", f"sqlite:///{database}"],
        env=os.environ | {"SHEEPFOLD_BOT_PAUSE": "0"} | quotas | environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server prints its address"
        address = found[0].rstrip("/").replace("localhost", "127.0.0.1")
        for _ in range(600):
            try:
                with urlopen(f"{address}/health", timeout=5):
                    break
            except OSError:
                assert process.poll() is None, "the server ended"
                time.sleep(0.1)  # a refused connection comes back at once
        yield address
    finally:
        process.terminate()
        process.wait(20)


def tables_of(client: TestClient) -> Tables:
    tables = client.app.state.tables  # type: ignore[attr-defined]
    assert isinstance(tables, Tables)
    return tables


def another(client: TestClient) -> TestClient:
    """Somebody else's browser at the same server."""
    other = TestClient(client.app, base_url="http://sheep.test")
    other.headers["accept-language"] = "en"
    other.portal = client.portal
    return other


def new_table(client: TestClient, game: str = "haste-bock", *kinds: str, **form: str) -> str:
    """Make a table by the form; its id."""
    seats = kinds or ("me", "me")
    values = {"seats": str(len(seats))} | {f"kind{number}": kind for number, kind in enumerate(seats)} | form
    answer = client.post(f"/new/{game}", data=values, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    found = re.fullmatch(r"/t/([\w-]+)", answer.headers["location"])
    assert found
    return found[1]


def scene(client: TestClient, table: str, seat: int | None = None) -> dict[str, Any]:
    answer = client.get(f"/t/{table}/scene" + ("" if seat is None else f"?seat={seat}"))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def without_stamps(text: str) -> str:
    """What was sent, without the names that scenes have by lot."""
    return re.sub(r'(id: |"stamp": ?")[0-9a-f]{12}', r"\1STAMP", text)


def act(client: TestClient, table: str, place: int = 0) -> Any:
    """Do one of the legal actions."""
    shown = scene(client, table)
    choice = shown["actions"][place % len(shown["actions"])]
    return client.post(f"/t/{table}/move", json={"ply": shown["ply"], "action": choice["action"], "seat": shown["seat"]})


def run(client: TestClient, work: Any) -> Any:
    """A coroutine, in the server's own loop."""
    assert client.portal is not None

    async def whole() -> Any:
        return await asyncio.wait_for(work(), 30)

    return client.portal.call(whole)
