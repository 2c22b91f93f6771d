"""The web tests' own helpers: a client for each test; for browser tests a server, a Chromium, and tables in the middle of a game.

Positions in the middle of a game are stored as a log in the server's own database, so the page gets them as it gets any table
that somebody comes back to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.records import Event
from sheepfold.game.registry import find
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import new_table
from sheepfold.table.tables import bot_seat

sys.path.insert(0, str(Path(__file__).parent))

from web_helper import HOST_KEY, client_of, serving


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(tmp_path) as found:
        yield found


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser") / "browser.db"


@pytest.fixture(scope="session")
def server(database: Path) -> Iterator[str]:
    """One for all browser tests: they share it as guests who do not know each other would."""
    with serving(database, SHEEPFOLD_HOST_KEY=HOST_KEY) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    from browser_helper import CHROMIUM, playwright

    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, server: str):
    """A page in a fresh browser profile; whatever the page complains about in the console fails the test."""
    contexts, complaints = [], []

    def open_page(width: int = 1280, height: int = 800, forgives: str | None = None, at: str | None = "/", **settings):
        settings = {"locale": "en-GB", "service_workers": "block"} | settings
        context = chromium.new_context(viewport={"width": width, "height": height}, **settings)
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if line.type == "error" and not (forgives and forgives in line.text) else None,
        )
        contexts.append(context)
        if at:
            page.goto(server + at)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def played(database: Path, server: str):
    """Store a table in the middle of a game; the addresses at which the people come back. With `bots` all but the first are bots."""

    def store(
        game: str, seats: int, seed: str, enough: Callable[[Position, int], bool],
        bots: bool = False, box: EnteredFile | None = None, **options: bool | int | str,
    ) -> list[str]:  # fmt: skip
        setup, dice, events = find(game).setup(seats, box, **options), Dice(seed), []
        position = setup.start()
        while position.to_act == CHANCE or not enough(position, len(events)):
            assert position.to_act != OVER, f"the game {seed!r} of {game} is over too soon"
            action = int(position.random_action(dice))
            events.append(Event(int(position.to_act), action))
            position.apply(action)
        names = ("Anna", "Ben", "Cleo", "Dan", "Eve")[:seats]
        people = [bot_seat("lamb", name) if bots and name != "Anna" else Seat("person", name, f"token-{name}-{seed}") for name in names]
        shelf = Store(f"sqlite:///{database}", alone=False)
        settings = {"components": [box.name, box.text]} if box else {}
        table = replace(new_table(game, people, dict(options), settings), status="playing", events=events)
        shelf.create(table).result(120)
        shelf.close()
        return [f"{server}/t/{table.id}/seat/{each.token}" for each in people]

    return store
