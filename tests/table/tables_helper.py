"""Tables on a real SQLite file, with bots that answer at once in this process; and finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import Sequential, ask, sequential
from sheepfold.game.records import Event, Record
from sheepfold.game.registry import find
from sheepfold.table.pace import BOT_PAUSE
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import Table
from sheepfold.table.tables import Tables, bot_seat

Made = TypeVar("Made")


def in_a_loop(work: Coroutine[Any, Any, Made]) -> Made:
    """What the work comes to, in a thread of its own: in the main thread Playwright's loop may be running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class QuickTables(Tables):
    """Bots take the first thing that a random draw gives; `thinking` waits there, so that a test can act meanwhile."""

    thinking: Callable[[Table, int], Awaitable[None]] | None = None

    def __init__(self, store: Store, bot_pause: float = BOT_PAUSE) -> None:
        super().__init__(store, bot_pause)
        self.bots.choose = self._choose
        self.bots.think = self._think

    async def _choose(self, table: Table, seat: int, level: str) -> int:
        view = table.position.seen_by(seat)
        if table.position.to_act == seat:
            action = int(view.random_action(Dice(f"{table.ply} {seat}")))
        else:
            asked = ask(view, seat)
            action = int(asked.random_action(Dice(f"{table.ply} {seat}")))
            action = -1 if action == asked.pass_action else action
        if self.thinking:
            await self.thinking(table, seat)
        return action

    async def _think(self, table: Table, seat: int, level: str) -> list[tuple[int, float]]:
        return [(await self._choose(table, seat, level), 0.5)]


@cache
def _prepared() -> bytes:
    with TemporaryDirectory() as folder:
        Store(f"sqlite:///{folder}/new.db").close()
        return (Path(folder) / "new.db").read_bytes()


def sqlite_at(path: Path) -> str:
    """The URL of a database there: one with our tables and nothing in them, if there was none. To copy it takes a tenth of making them."""
    if not path.exists():
        path.write_bytes(_prepared())
    return f"sqlite:///{path}"


def with_house(folder: Path, work: Callable[[QuickTables], Awaitable[None]], bot_pause: float = 0.0) -> None:
    """Do some work with a tables, and close it."""

    async def whole() -> None:
        tables = QuickTables(Store(sqlite_at(folder / "tables.db")), bot_pause)
        try:
            await asyncio.wait_for(work(tables), 60)
        finally:
            await tables.close()

    in_a_loop(whole())


def person(name: str) -> Seat:
    return Seat("person", name, f"token-of-{name}")


def people(*names: str) -> list[Seat]:
    return [person(name) for name in names]


def with_bots(name: str, bots: int) -> list[Seat]:
    return [person(name), *(bot_seat("ewe", f"Bot {number}") for number in range(bots))]


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for something that other tasks bring about."""
    for _ in range(int(seconds / 0.01)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def a_move(table: Table, place: int = 0) -> tuple[int, int, str]:
    """Seat, ply and text of a legal move."""
    seat = int(table.position.to_act)
    view = table.position.seen_by(seat)
    actions: Sequence[int] = view.legal()
    return seat, table.ply, table.game.write(view, actions[place % len(actions)])


NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve"]


@cache
def finished(game: str, seats: int, seed: str) -> Record:
    """A whole game; interruptions happen as they come."""
    setup, dice, events = find(game).setup(seats), Dice(seed), list[Event]()
    position = sequential(setup.start())
    while position.to_act != OVER:
        action, who = int(position.random_action(dice)), int(position.to_act)
        asking = isinstance(position, Sequential) and who != CHANCE and position.asking()
        if not isinstance(position, Sequential) or action != position.pass_action:
            events.append(Event(who, action, asking))
        position.advance(action)
    return Record(setup, events, NAMES[:seats])
