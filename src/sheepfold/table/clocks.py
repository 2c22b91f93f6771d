"""Clocks: a time for each decision of a person, where a table has one; a bot takes over a seat that lets it run out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from sheepfold.game.session import Stale
from sheepfold.table.table import Table
from sheepfold.table.writer import NotStored

if TYPE_CHECKING:
    from sheepfold.table.tables import Tables


class Clocks:
    """The clocks of all tables that have one running."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.running: dict[str, asyncio.TimerHandle] = {}

    def close(self) -> None:
        for clock in self.running.values():
            clock.cancel()

    def wind(self, table: Table) -> None:
        """Set the clock for the present decision."""
        self.stop(table.id)
        left = table.seconds_left()
        if left is not None:
            loop = asyncio.get_running_loop()
            table_id, version = table.id, table.version  # not the table itself, which may be forgotten meanwhile
            self.running[table_id] = loop.call_later(left, lambda: self.tables.see_to(self._time_out(table_id, version)))

    def stop(self, table_id: str) -> None:
        """No clock runs at that table."""
        running = self.running.pop(table_id, None)
        if running:
            running.cancel()

    async def _time_out(self, table_id: str, version: int) -> None:
        """Who was to act has not: a bot plays for that seat until somebody acts there again."""
        try:
            if (known := self.tables.in_memory.get(table_id)) and not await self.tables.is_ours(known):
                return
            async with self.tables.at(table_id) as table:
                left = table.seconds_left()
                if table.version == version and left is not None and left <= 0.01:
                    await self.tables.set_away(table, int(table.position.to_act), True)
                    self.tables.counted["time-outs"] += 1
        except Stale:
            pass  # another server was quicker
        except (NotStored, SQLAlchemyError):
            await self.tables.read_again(table_id)
