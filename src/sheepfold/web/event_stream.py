"""An event stream: an answer that goes on with what happens at a table, for programs: written to the line at the moment when it happens.

The head and the first piece go the ordinary way, through all that looks after answers; what follows is only more of the body, so it is
written straight to the connection where that is ours (`LINE` in the scope), else sent as any stream is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from sheepfold.table.listeners import SILENCE
from sheepfold.table.table import Table
from sheepfold.table.tables import Tables

LINE = "sheepfold.line"
"""Where a request's scope has its connection: its transport and how full that is."""
STILL_HERE = b": still here\n\n"
log = logging.getLogger("sheepfold.web")

Tell = Callable[[Table], bytes]
"""What is new at the table since it was last asked, or nothing."""


class Post:
    """What is to be written to lines, collected while the loop goes round once: so readers are woken by much at a time."""

    def __init__(self) -> None:
        self.waiting: list[tuple[asyncio.Transport, bytes]] = []

    def send(self, transport: asyncio.Transport, data: bytes) -> None:
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self.deliver)
        self.waiting.append((transport, data))

    def deliver(self) -> None:
        waiting, self.waiting = self.waiting, []
        for transport, data in waiting:
            transport.write(data)


POST = Post()


async def as_it_happens(tables: Tables, table_id: str, tell: Tell) -> AsyncIterator[bytes]:
    """What is told at once and after every change."""
    async with tables.listeners.listening(table_id) as changed:
        while True:
            yield tell(tables.in_memory.get(table_id) or await tables.table(table_id))
            while not await changed():
                yield STILL_HERE


class EventStream(StreamingResponse):
    """The stream of one viewer."""

    def __init__(self, tables: Tables, table_id: str, tell: Tell, headers: Mapping[str, str]) -> None:
        super().__init__(as_it_happens(tables, table_id, tell), media_type="text/event-stream", headers=headers)
        self.tables, self.table_id, self.tell = tables, table_id, tell
        self.catching_up: asyncio.Task[None] | None = None
        self.silent = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.line: Any = scope.get(LINE)
        if self.line is None:
            await super().__call__(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        table = await self.tables.table(self.table_id)
        first, revision = self.tell(table), table.revision
        await send({"type": "http.response.body", "body": first, "more_body": True})
        with self.tables.listeners.ringing(self.table_id, self.ring):
            now = await self.tables.table(self.table_id)
            if now is not table or now.revision != revision:
                self.ring(now)
            await self.last(receive)

    async def last(self, receive: Receive) -> None:
        """Until the line is cut; long silences are broken, so that nobody in between closes it."""
        while True:
            self.silent = True
            try:
                async with asyncio.timeout(SILENCE):
                    while (await receive())["type"] != "http.disconnect":
                        pass
                    return
            except TimeoutError:
                if self.silent:
                    self.write(STILL_HERE)

    def ring(self, table: Table) -> None:
        """Something has happened. Who reads more slowly than that is told all of it later, together."""
        if self.catching_up is not None:
            return
        if self.line.flow.write_paused:
            self.catching_up = asyncio.get_running_loop().create_task(self.catch_up())
            return
        try:
            if told := self.tell(table):
                self.write(told)
        except Exception:  # others are to be told too; this one comes back and asks
            log.exception("a stream")
            self.line.transport.abort()

    async def catch_up(self) -> None:
        await self.line.flow.drain()
        self.catching_up = None
        self.ring(await self.tables.table(self.table_id))

    def write(self, told: bytes) -> None:
        transport = self.line.transport
        if not transport.is_closing():
            POST.send(transport, b"%x\r\n%b\r\n" % (len(told), told))
            self.silent = False
