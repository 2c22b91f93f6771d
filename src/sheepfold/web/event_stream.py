"""An event stream: an answer that goes on with what happens at a table, for pages and for programs.

What a viewer is told is made in rounds: after a few milliseconds of it everything else in the loop has its turn, however many look on.
Who reads more slowly than things happen is told all of it later, together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from weakref import WeakKeyDictionary

from fastapi.responses import StreamingResponse

from sheepfold.table.listeners import SILENCE, Bell
from sheepfold.table.table import Table
from sheepfold.table.tables import Tables

STILL_HERE = b": still here\n\n"
TURN = 0.003
"""Seconds for which viewers are told before others have their turn."""
log = logging.getLogger("sheepfold.web")

Tell = Callable[[Table], bytes]
"""What is new at the table since it was last asked, or nothing."""


class Rounds:
    """The streams that have something to tell, one after the other."""

    def __init__(self) -> None:
        self.waiting: deque[Viewing] = deque()

    def add(self, viewing: Viewing) -> None:
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self.go_on)
        self.waiting.append(viewing)

    def go_on(self) -> None:
        ends = time.perf_counter() + TURN
        while self.waiting:
            self.waiting.popleft().tell_now()
            if time.perf_counter() > ends:
                break
        if self.waiting:
            asyncio.get_running_loop().call_soon(self.go_on)


_ROUNDS: WeakKeyDictionary[Tables, Rounds] = WeakKeyDictionary()
"""Those of each server, which has a loop of its own."""


class Viewing:
    """What one viewer is still to be sent."""

    def __init__(self, tell: Tell, rounds: Rounds) -> None:
        self.tell, self.rounds = tell, rounds
        self.told = b""
        self.table: Table | None = None
        """Where something has happened that the viewer was not told yet."""
        self.broken = False
        self.bell = Bell(SILENCE)

    def ring(self, table: Table) -> None:
        """Something has happened."""
        if self.table is None and not self.told:
            self.rounds.add(self)
        self.table = table

    def tell_now(self) -> None:
        table, self.table = self.table, None
        assert table
        try:
            self.told = self.tell(table)
        except Exception:  # others are to be told too; this one comes back and asks
            log.exception("a stream")
            self.broken = True
        if self.told or self.broken:
            self.bell.ring(table)

    async def next(self) -> bytes | None:
        """What is to be sent next, when there is something; nothing after a long silence."""
        if not await self.bell.wait():
            return None
        told, self.told = self.told, b""
        if self.table:
            self.rounds.add(self)
        return told


async def as_it_happens(tables: Tables, table_id: str, tell: Tell, still_here: bytes = STILL_HERE) -> AsyncIterator[bytes]:
    """What is told at once and after every change; long silences are broken, so that nobody in between closes the line."""
    viewing = Viewing(tell, _ROUNDS.setdefault(tables, Rounds()))
    try:
        with tables.listeners.ringing(table_id, viewing.ring):
            viewing.ring(await tables.table(table_id))
            while not viewing.broken:
                yield await viewing.next() or still_here
    finally:
        viewing.bell.close()


class EventStream(StreamingResponse):
    """The stream of one viewer."""

    def __init__(self, tables: Tables, table_id: str, tell: Tell, headers: Mapping[str, str], still_here: bytes = STILL_HERE) -> None:
        super().__init__(as_it_happens(tables, table_id, tell, still_here), media_type="text/event-stream", headers=headers)
