"""An event stream: an answer that goes on with what happens at a table, for pages and for programs.

What a viewer is told is made in rounds: after a few milliseconds of it everything else in the loop has its turn, however many look on.
Who reads more slowly than things happen is told all of it later, together. A client may have only so many streams, and a table too.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from sheepfold.table.fairness import CLIENT, Crowded, Held
from sheepfold.table.limits import Limits
from sheepfold.table.listeners import SILENCE, Bell
from sheepfold.table.table import Table
from sheepfold.table.tables import Tables

STILL_HERE = b": still here\n\n"
TURN = 0.003
"""Seconds for which viewers are told before others have their turn."""
log = logging.getLogger("sheepfold.web")

Tell = Callable[[Table], bytes]
"""What is new at the table since it was last asked, or nothing."""


Told = AsyncIterator[bytes] | AsyncIterator[str]


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


class Audience:
    """Who has streams, and at which tables."""

    def __init__(self, limits: Limits) -> None:
        self.of = Held(lambda: limits.streams)
        """How many each client has, and"""
        self.at = Held(lambda: limits.streams_per_table)
        """how many there are at each table."""

    @contextmanager
    def place(self, client: str, table_id: str, sits_there: bool) -> Iterator[None]:
        """One stream more, while it lasts; refused where there are too many."""
        if self.of.is_full(client):
            raise Crowded("many-streams", "You have very many streams open; close one of them first.")
        if self.at.is_full(table_id) and not sits_there:
            raise Crowded("full-house", "Very many look on at this table; please try again in a moment.")
        with self.of.one_more(client), self.at.one_more(table_id):
            yield


class EventStream(StreamingResponse):
    """The stream of one viewer of a table, who may hold seats there."""

    def __init__(
        self, table: Table, mine: Sequence[int], told: AsyncIterator[bytes] | AsyncIterator[str], headers: Mapping[str, str]
    ) -> None:
        super().__init__(told, media_type="text/event-stream", headers=headers)
        self.table_id, self.sits_there = table.id, bool(mine)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Until there is nothing more to tell, or nobody there. A stream that is cut off leaves no cycle behind, as the framework's own way
        would: it has a whole scene and a compressor, and would wait with them for the next great collection of garbage."""
        with scope["app"].state.audience.place(CLIENT.get(), self.table_id, self.sits_there):
            telling = asyncio.create_task(self.stream_response(send))
            listening = asyncio.create_task(self.listen_for_disconnect(receive))
            try:
                await asyncio.wait((telling, listening), return_when=asyncio.FIRST_COMPLETED)
            finally:
                telling.cancel()
                listening.cancel()
                told, _ = await asyncio.gather(telling, listening, return_exceptions=True)
            if isinstance(told, Exception):
                raise told
