"""Listeners: who is told of changes at a table, by a call, or by a bell that can be waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from sheepfold.table.table import Table

SILENCE = 20.0
"""Seconds after which a stream says that it is still there, so that nobody in between closes it."""

Ring = Callable[[Table], None]
"""Called when something has changed at a table."""


class Listeners:
    """Who listens at which table."""

    def __init__(self, came: Callable[[str], None]) -> None:
        self.rings: dict[str, set[Ring]] = {}
        self.came = came
        """Called with the table's id when somebody begins to listen."""

    def tell(self, table: Table) -> None:
        """Something has changed."""
        for ring in self.rings.get(table.id, ()):
            ring(table)

    def any_at(self, table_id: str) -> bool:
        """Whether somebody listens there."""
        return bool(self.rings.get(table_id))

    @property
    def count(self) -> int:
        """How many listen."""
        return sum(len(rings) for rings in self.rings.values())

    @contextmanager
    def ringing(self, table_id: str, ring: Ring) -> Iterator[None]:
        """While this lasts, `ring` is called with every change at the table, and bots play there even with nobody seated."""
        rings = self.rings.setdefault(table_id, set())
        rings.add(ring)
        self.came(table_id)
        try:
            yield
        finally:
            rings.discard(ring)
            if not rings:
                self.rings.pop(table_id, None)

    @asynccontextmanager
    async def listening(self, table_id: str) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
        """What waits for the next change at the table; False after a silence, so that streams can say that they are still there."""
        bell = Bell(SILENCE)
        with self.ringing(table_id, bell.ring):
            try:
                yield bell.wait
            finally:
                bell.close()


class Bell:
    """Rings when something has changed since it was last heard. One timer serves for many waits: it only looks whether one lasted."""

    def __init__(self, silence: float) -> None:
        self.silence = silence
        self.rung = False
        self.waits = 0
        self.loop = asyncio.get_running_loop()
        self.heard: asyncio.Future[bool] | None = None
        self._watch(0)

    def ring(self, _: Table) -> None:
        self.rung = True
        if self.heard and not self.heard.done():
            self.heard.set_result(True)

    async def wait(self) -> bool:
        """Back when it rings, True; or after a silence, False."""
        self.waits += 1
        if not self.rung:
            self.heard = self.loop.create_future()
            await self.heard
        rung, self.rung = self.rung, False
        return rung

    def _watch(self, waits: int) -> None:
        """Every so often: end a wait that was there the last time too."""
        if waits and waits == self.waits and self.heard and not self.heard.done():
            self.heard.set_result(False)
        self.timer = self.loop.call_later(self.silence / 2, self._watch, self.waits)

    def close(self) -> None:
        self.timer.cancel()
