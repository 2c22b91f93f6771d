"""Fleet: any number of servers on one database. Each hears of what the others have changed, and goes on where one of them has stopped.

What counts is in the database alone. Servers send each other hints, in batches, of the tables that have changed; a hint that is lost costs
a second, for every second each server looks whether the tables that it shows are still as it knows them. What bots and clocks do at a table
is the business of the server that changed it last, for a while (`due`), which it prolongs as long as it is at it. When that time is past,
whoever comes first claims the table. A claim is a change too, so a server that slept meanwhile stores nothing of what it believed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from sheepfold.game.session import Refused
from sheepfold.table.shared_limits import SharedLimits
from sheepfold.table.table import LEASE

if TYPE_CHECKING:
    from sheepfold.table.tables import Tables

log = logging.getLogger("sheepfold")

LOOK = 1.0
"""Seconds between two looks at what others have changed."""
LOOKS_AT_WHAT_IS_DUE = 4
"""How often meanwhile it is looked whether something is due that nobody goes on with, so that play soon goes on where a server has gone."""
REPORT = 3
"""After so many looks a server tells what it has counted, and asks which limits hold."""
TOGETHER = 0.01
"""Seconds in which hints are collected, so that many tables share one."""
CHANNEL, LIMITS, PACE = "sheepfold", "sheepfold_limits", "sheepfold_pace"
"""On which hints are sent, what clients have used up, and what people wish of bots."""
MOST_IN_A_HINT = 200
"""How many tables a hint names; PostgreSQL takes 8,000 bytes."""

MOST_WISHES = 2000
"""So many are kept while the line to the others is cut."""


class Fleet:
    """This server among the others."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.left_to_others: set[str] = set()
        """Tables whose bots another server asks, as far as this one knows."""
        self.at_rest: set[str] = set()
        """Tables whose bots have done what they had to, so that nobody needs to go on there before a clock has run out."""
        self.figures: Callable[[], Mapping[str, float]] = dict
        """What this server has counted, for who asks any of them."""
        self.limits: SharedLimits | None = None
        self._noted: int | None = None
        """The latest line of what hosts did."""
        self._heard: set[str] = set()
        self._catching_up = False
        self._to_tell: set[str] = set()
        self._used_up: list[str] = []
        self._wishes: deque[str] = deque(maxlen=MOST_WISHES)
        self._told = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """From now on, in the loop."""
        work: list[Coroutine[Any, Any, None]] = [self._look_round()]
        if self.store.shared:
            work += [self._for_ever(self._tell), self._for_ever(self._listen)]
        self._tasks = [asyncio.get_running_loop().create_task(each) for each in work]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._tasks and self.store.shared:
            self.store.report(None)

    # Hints.

    def changed(self, table_id: str) -> None:
        """A table has changed here; the others will hear of it."""
        if self._tasks and self.store.shared:
            self._to_tell.add(table_id)
            self._told.set()

    def pass_on(self, wish: str) -> None:
        """Somebody here wishes something of a table's bots, which another server may be asking."""
        if self._tasks and self.store.shared:
            self._wishes.append(wish)
            self._told.set()

    async def _for_ever(self, work: Any) -> None:
        """Something that has a line to the database of its own; when that is cut, with another one."""
        while True:
            try:
                async with await self.store.connect_to_tell() as line:
                    await work(line)
            except Exception as error:
                log.warning("hints between servers stop for a moment (%s)", type(error).__name__)
            await asyncio.sleep(LOOK)

    async def _tell(self, line: Any) -> None:
        while True:
            await self._told.wait()
            await asyncio.sleep(TOGETHER)
            self._told.clear()
            while self._used_up:
                await line.execute("SELECT pg_notify(%s, %s)", (LIMITS, f"{self.store.name} {self._used_up.pop()}"))
            while self._wishes:
                await line.execute("SELECT pg_notify(%s, %s)", (PACE, f"{self.store.name} {self._wishes.popleft()}"))
            while self._to_tell:
                some = [self._to_tell.pop() for _ in range(min(len(self._to_tell), MOST_IN_A_HINT))]
                await line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, " ".join([self.store.name, *some])))

    async def _listen(self, line: Any) -> None:
        await line.execute(f"LISTEN {CHANNEL}")
        await line.execute(f"LISTEN {LIMITS}")
        await line.execute(f"LISTEN {PACE}")
        async for hint in line.notifies():
            sender, _, told = hint.payload.partition(" ")
            if sender == self.store.name:
                continue
            if hint.channel == CHANNEL:
                for table_id in told.split():
                    self._hear(table_id)
            elif hint.channel == PACE:
                table_id, seat, wish = told.split()
                self.tables.bots.pace.hear(sender, table_id, int(seat), wish)
            elif self.limits:
                self.limits.hear(sender, told)

    def _hear(self, table_id: str) -> None:
        """A table has changed elsewhere. Where it is shown here, or bots are at it, that is looked at now; else when it is asked for."""
        if self._concerns(table_id):
            self._heard.add(table_id)
            if not self._catching_up:
                self._catching_up = True
                self.tables.see_to(self._catch_up())

    def _concerns(self, table_id: str) -> bool:
        here = self.tables
        return table_id in here.in_memory and (
            here.listeners.any_at(table_id) or table_id in here.bots.tasks or table_id in here.clocks.running
        )

    async def _catch_up(self) -> None:
        """Look at all tables that were heard of; then at those that were meanwhile."""
        try:
            while self._heard:
                some = [self._heard.pop() for _ in range(min(len(self._heard), MOST_IN_A_HINT))]
                with suppress(SQLAlchemyError):  # who looks on is told when it is looked at
                    await self.tables.catch_up(some)
        finally:
            self._catching_up = False

    # Every second.

    async def _look_round(self) -> None:
        for look in count():
            try:
                if look % REPORT == 0:
                    self.tables.limit_as(await asyncio.to_thread(self.store.limits))
                    if self.store.shared:
                        self.store.report(self.figures())
                        others = await asyncio.to_thread(self.store.reports)
                        self.tables.bots.pace.keep_only({self.store.name, *others})
                for _ in range(LOOKS_AT_WHAT_IS_DUE):
                    await asyncio.sleep(LOOK / LOOKS_AT_WHAT_IS_DUE)
                    await self._go_on_with_what_is_due()
                if self.store.shared:
                    self._tell_what_is_used_up()
                    await self._look_at_those_shown()
                else:
                    await self._look_what_a_host_did()
                at_rest, self.at_rest = self.at_rest, set()
                await self._let_rest(at_rest)
            except SQLAlchemyError:
                log.warning("the database does not answer")
                await asyncio.sleep(LOOK)
            except Exception:
                log.exception("looking round")
                await asyncio.sleep(LOOK)

    def _tell_what_is_used_up(self) -> None:
        if self.limits:
            self._used_up = [*self.limits.to_tell()]  # what could not be told for a second is told no more
            if self._used_up:
                self._told.set()

    async def _look_at_those_shown(self) -> None:
        here = self.tables
        await self._compare({table_id: table.revision for table_id, table in here.in_memory.items() if self._concerns(table_id)})
        if at_work := [each for each in here.bots.tasks if self._is_ours(each)]:
            await asyncio.wrap_future(self.store.put_off(at_work, LEASE))
        waiting, self.left_to_others = self.left_to_others, set()
        for table_id in waiting:
            if table := here.in_memory.get(table_id):
                table.passed = -1
                here.wake(table)

    async def _look_what_a_host_did(self) -> None:
        """Beside the one server on SQLite only a host changes tables, and leaves a line of it."""
        noted = await asyncio.to_thread(self.store.latest_note)
        if noted != self._noted:
            await self._compare({table_id: table.revision for table_id, table in self.tables.in_memory.items()})
            self._noted = noted

    async def _compare(self, known: Mapping[str, int]) -> None:
        """Look again at those of these tables that are not as they are known, or are gone."""
        found = await asyncio.to_thread(self.store.revisions, known) if known else {}
        await self.tables.catch_up(each for each, revision in known.items() if each not in found or found[each][0] != revision)

    def _is_ours(self, table_id: str) -> bool:
        table = self.tables.in_memory.get(table_id)
        return table is not None and table.writer == self.store.name

    async def _let_rest(self, table_ids: Iterable[str]) -> None:
        """Nobody needs to go on with these tables of ours, but for the clocks of those that have one."""
        resting = [each for each in table_ids if self._is_ours(each) and each not in self.tables.bots.tasks]
        left = {each: self.tables.in_memory[each].seconds_left() for each in resting}
        if no_clock := [each for each in resting if left[each] is None]:
            await asyncio.wrap_future(self.store.put_off(no_clock, None))
        for table_id, seconds in left.items():
            if seconds is not None:
                await asyncio.wrap_future(self.store.put_off([table_id], seconds + LEASE))

    async def _go_on_with_what_is_due(self) -> None:
        here = self.tables
        for table_id in await asyncio.to_thread(self.store.overdue):
            with suppress(Refused):
                table = await here.table(table_id)
                if await here.is_ours(table):
                    here.wake(table)
                    if table.seconds_left() != 0:  # else its clock takes the turn away now
                        await self._let_rest([table_id])
