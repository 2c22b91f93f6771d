"""Pulse: whether the database takes writes, found out by one that changes nothing.

It goes the way of all writes, through the writer's thread and a synced commit, and is large enough to need room: so a full disk, a lost
connection and a writer that hangs are noticed though nobody plays, and so is that they are over.
"""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Connection, delete, insert

from sheepfold.table.schema import uploads
from sheepfold.table.store import Store
from sheepfold.table.writer import reason

EVERY = 2.0
"""Seconds for which an answer holds, however many ask."""
PATIENCE = 5.0
"""Seconds after which a write that has not come back has failed."""
NAME = "a-pulse-of-the-server"
ROOM = 8192
"""More than a page of the database."""


class Pulse:
    """That of one database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.felt = -EVERY
        self.why: str | None = None
        self.lock = asyncio.Lock()

    async def failing(self) -> str | None:
        """Why writes fail; None if they do not."""
        async with self.lock:
            if time.monotonic() > self.felt + EVERY:
                try:
                    await asyncio.wait_for(asyncio.wrap_future(self.store.write(_beat)), PATIENCE)
                    self.why = None
                except TimeoutError:
                    self.why = f"a write was not done after {PATIENCE:.0f} seconds"
                except Exception as error:
                    self.why = reason(error)
                self.felt = time.monotonic()
            return self.why


def _beat(connection: Connection) -> None:
    """A row that is gone again when the transaction ends."""
    connection.execute(insert(uploads).values(id=NAME, record="x" * ROOM, at=0.0))
    connection.execute(delete(uploads).where(uploads.c.id == NAME))
