"""Bot players: the bots of a server's tables, asked wherever it is their turn or they may interrupt.

They think in processes of their own: they are sent the record, make the view of their seat there, and answer with an action. Who made a
table, or asks for a hint, has a turn among all who did: one client's many tables wait for each other, and nobody else's for them.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import os
import secrets
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from threading import Thread
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from sheepfold.bots import LEVELS, Thinker, bot
from sheepfold.core.dice import Dice
from sheepfold.core.sequential import Sequential
from sheepfold.core.workers import Workers
from sheepfold.game.records import Event, Record
from sheepfold.game.session import Session, Stale
from sheepfold.table.fairness import CLIENT, Turns
from sheepfold.table.table import Table
from sheepfold.table.writer import NotStored

if TYPE_CHECKING:
    from sheepfold.table.tables import Tables

log = logging.getLogger("sheepfold")

BOT_PAUSE = 0.7
"""Seconds that a bot takes at least, so that people can follow."""
STAND_IN = LEVELS[1]
"""The level of a bot that plays for somebody who is away or has left."""


# In a bot's process.


def end_with_the_server() -> None:
    """In a bot's process: end when the server does, also when it was killed."""
    server = parent_process()

    def wait() -> None:
        if server:
            server.join()
        os._exit(0)

    Thread(target=wait, daemon=True).start()


def think(record: Record, seat: int, level: str) -> list[tuple[int, float]]:
    """In a bot's process: what the bot of a level finds of its choices, best first, from its own view alone. PASS is -1."""
    asked = Session(record).shown_to_bot(seat)
    dice = Dice(secrets.token_hex(16))
    player = bot(level)
    found = player.think(asked, dice) if isinstance(player, Thinker) else []
    chosen = player.choose(asked, dice) if not found or level == LEVELS[0] else found[0][0]
    ordered = [(chosen, 0.5), *found] if not found or found[0][0] != chosen else found
    passing = asked.pass_action if isinstance(asked, Sequential) else None
    return [(-1 if action == passing else int(action), float(value)) for action, value in ordered]


# In the server.


class BotPlayers:
    """The bots of all tables."""

    def __init__(self, tables: Tables, pause: float, processes: int | None) -> None:
        self.tables = tables
        self.least_pause = pause
        self.tasks: dict[str, asyncio.Task[None]] = {}
        """By table, what asks its bots now."""
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.workers = self._hire()
        self.turns = Turns(self._processes)

    def _hire(self) -> Workers:
        return Workers(self._processes, end_with_the_server)

    async def close(self) -> None:
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        self.workers.shutdown(cancel_futures=True)

    def wake(self, table: Table) -> None:
        """Let bots go on where it is their turn."""
        resting = table.has_bots and table.id not in self.tasks and table.passed != table.version
        if resting and table.status == "playing" and self.seats_to_ask(table):
            nobody = contextvars.Context()  # whoever has moved here is not who asks
            task = asyncio.get_running_loop().create_task(self._play(table), context=nobody)
            self.tasks[table.id] = task
            task.add_done_callback(lambda done: self._rest(table, done))

    def _rest(self, table: Table, done: asyncio.Task[None]) -> None:
        """The bots of a table have stopped. What came in while they were stopping wakes them again."""
        self.tasks.pop(table.id, None)
        if done.cancelled():
            return
        failure = done.exception()
        if isinstance(failure, NotStored | Stale | SQLAlchemyError | BrokenProcessPool):
            self.tables.see_to(self.tables.read_again(table.id))
        elif failure:
            table.passed = table.version  # not again before something changes
            log.error("the bots of a table failed", exc_info=failure)
        elif table.id in self.tables.in_memory:
            self.tables.wake(self.tables.in_memory[table.id])
            if table.id not in self.tasks:
                self.tables.fleet.at_rest.add(table.id)

    def seats_to_ask(self, table: Table) -> list[int]:
        """Bots that may do something now, those who may interrupt first. Where nobody sits and nobody looks they rest."""
        if not table.people() and not self.tables.listeners.any_at(table.id):
            return []
        position = table.position
        if table.lesson and not (place := table.lesson.place(table.events)).done:
            return [place.given.who] if place.given and place.given.who >= 0 else []
        turn = int(position.to_act)
        around = [(turn + step) % len(table.seats) for step in range(1, len(table.seats))]
        waiting = [seat for seat in around if position.may_interrupt(seat)] if position.interruptible else []
        return [seat for seat in [*waiting, turn] if table.seats[seat].kind == "bot" or seat in table.away]

    async def _play(self, table: Table) -> None:
        """Ask the bots in order until a person is to act or the game is over; if no other server does."""
        if not await self.tables.is_ours(table):
            self.tables.fleet.left_to_others.add(table.id)
            table.passed = table.version
            return
        while table.status == "playing" and (seats := self.seats_to_ask(table)):
            version, acted = table.version, False
            began = asyncio.get_running_loop().time()  # for all of them, so that how long one took to decline does not show
            if table.lesson and not table.lesson.place(table.events).done:
                if not await self._play_given(table, version):
                    return
                continue
            for seat in seats:
                action = (await self.think(table, seat, table.seats[seat].level or STAND_IN))[0][0]
                if table.version != version:
                    break  # whoever is next on the old list may have nothing to say now
                if table.position.to_act == seat:
                    await asyncio.sleep(self.pause(table, asyncio.get_running_loop().time() - began))
                if action < 0:
                    continue
                async with self.tables.at(table.id) as current:
                    if current is not table:
                        return
                    if table.version == version and seat in self.seats_to_ask(table):
                        await self.tables.let_happen(table, table.plan(Event(seat, action, table.position.to_act != seat)))
                        self.tables.counted["moves by bots"] += 1
                        acted = True
                break
            if not acted and table.version == version:
                table.passed = version
                return

    async def _play_given(self, table: Table, version: int) -> bool:
        """What a lesson has for a bot; whether it was done."""
        await asyncio.sleep(self.least_pause)
        async with self.tables.at(table.id) as current:
            plan = table.plan_given() if current is table and table.version == version else None
            if plan:
                await self.tables.let_happen(table, plan)
                self.tables.counted["moves by bots"] += 1
            elif table.version == version:
                table.passed = version
        return plan is not None or table.version != version

    def pause(self, table: Table, thought: float) -> float:
        """How long a bot still waits that has thought so long. Where there are secrets it takes whole pauses: so its time tells little."""
        if self.least_pause and table.game.secrets and thought > self.least_pause:
            return self.least_pause - thought % self.least_pause
        return max(0.0, self.least_pause - thought)

    async def think(self, table: Table, seat: int, level: str) -> list[tuple[int, float]]:
        """What the bot of a level finds for a seat, as `think` says, in a process of its own."""
        asked = (Record(table.setup, table.events[:]), seat, level)  # a copy, since it is sent only when a process is free
        loop = asyncio.get_running_loop()
        async with self.turns.place(CLIENT.get() or table.owner):
            workers = self.workers
            try:
                return await loop.run_in_executor(workers, think, *asked)
            except BrokenProcessPool:  # one of them was killed, perhaps for its memory, and took the others with it
                if self.workers is workers:
                    log.error("a bot's process was killed; others take its place")
                    self.workers = self._hire()
                return await loop.run_in_executor(self.workers, think, *asked)
