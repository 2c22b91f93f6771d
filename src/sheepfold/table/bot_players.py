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
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import parent_process
from threading import Thread
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from sheepfold.bots import STAND_IN, Thinker, bot
from sheepfold.bots.program import Forfeit
from sheepfold.bots.protocol import Question, question
from sheepfold.core.dice import Dice
from sheepfold.core.position import SPECTATOR, Position
from sheepfold.core.sequential import Sequential
from sheepfold.core.workers import Workers
from sheepfold.game.records import Event, Record
from sheepfold.game.registry import names
from sheepfold.game.session import Session, Stale
from sheepfold.table.fairness import CLIENT, Turns
from sheepfold.table.pace import Pace
from sheepfold.table.program_players import ProgramPlayers
from sheepfold.table.sealed_chance import SealedChance
from sheepfold.table.store import Seat
from sheepfold.table.table import Table
from sheepfold.table.writer import NotStored

if TYPE_CHECKING:
    from sheepfold.table.tables import Tables

Given = ParamSpec("Given")
Made = TypeVar("Made")
log = logging.getLogger("sheepfold")

MOMENT = 0.3
"""Seconds for which bots play a game among themselves before others may want the processor."""


# In a bot's process.


def end_with_the_server() -> None:
    """In a bot's process: end when the server does, also when it was killed."""
    server = parent_process()

    def wait() -> None:
        if server:
            server.join()
        os._exit(0)

    Thread(target=wait, daemon=True).start()


def choose(record: Record, seat: int, level: str) -> int:
    """In a bot's process: what the bot of a level does, from its own view alone. PASS is -1."""
    return _chosen(Session(record), seat, level)


def think(record: Record, seat: int, level: str) -> list[tuple[int, float]]:
    """In a bot's process: what the bot of a level finds of the choices of a seat whose turn it is, best first, for a hint."""
    view, player, dice = Session(record).shown_to_bot(seat), bot(level), Dice(secrets.token_hex(16))
    return player.think(view, dice) if isinstance(player, Thinker) else [(player.choose(view, dice), 0.5)]


def play_on(record: Record, levels: Sequence[str], secret: str, seconds: float) -> list[Event]:
    """In a bot's process: what bots make of a game among themselves in so many seconds, one decision at least. Each sees its own view
    alone, and chance is as the table's secret has settled it."""
    session, chance = Session(record), SealedChance(secret)
    begun, ends = session.ply, time.monotonic() + seconds
    while not session.over and (session.ply == begun or time.monotonic() < ends):
        for seat in in_order(session.position):
            if (action := _chosen(session, seat, levels[seat])) >= 0:
                plan = session.plan(Event(seat, action, session.position.to_act != seat), "")
                session.let_chance_follow(plan, chance.draw, plan.seat)
                session.happened(plan)
                break
        else:
            break
    return session.events[begun:]


def in_order(position: Position) -> list[int]:
    """The seats that may do something now, those who may interrupt first, from the next one on."""
    turn = int(position.to_act)
    around = [(turn + step) % position.seats for step in range(1, position.seats)]
    return [*(seat for seat in around if position.interruptible and position.may_interrupt(seat)), turn]


def _chosen(session: Session, seat: int, level: str) -> int:
    asked = session.shown_to_bot(seat)
    return _or_pass(asked, int(bot(level).choose(asked, Dice(secrets.token_hex(16)))))


def _or_pass(asked: Position, action: int) -> int:
    """An action as the server reads it."""
    return -1 if isinstance(asked, Sequential) and action == asked.pass_action else action


def asked_of_program(record: Record, seat: int, seconds: float) -> Question:
    """In a bot's process: what a program is asked, from its own view alone. PASS is -1."""
    session = Session(record)
    shown = session.shown_to_bot(seat)
    asked = question(shown, Dice(secrets.token_hex(16)), seconds, session.setup)
    return replace(asked, answers={text: _or_pass(shown, action) for text, action in asked.answers.items()})


# In the server.


class BotPlayers:
    """The bots of all tables."""

    def __init__(self, tables: Tables, pause: float, processes: int | None) -> None:
        self.tables = tables
        self.pace = Pace(tables, pause)
        self.tasks: dict[str, asyncio.Task[None]] = {}
        """By table, what asks its bots now."""
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.workers = self._hire()
        self.turns = Turns(self.processes)
        self.programs = ProgramPlayers()

    def _hire(self) -> Workers:
        return Workers(self.processes, end_with_the_server)

    def get_ready(self) -> None:
        """Start a process that knows all games, so that nobody waits for it who waits for a bot."""
        self.workers.submit(names)

    async def close(self) -> None:
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        self.programs.close()
        self.workers.shutdown(cancel_futures=True)

    def wake(self, table: Table) -> None:
        """Let bots go on where it is their turn."""
        self.pace.stir(table)
        resting = table.has_bots and table.id not in self.tasks and table.passed != table.version
        if resting and table.status == "playing" and self.seats_to_ask(table):
            self._start(table, self._play(table))

    def _start(self, table: Table, playing: Coroutine[None, None, None]) -> None:
        """Bots play at a table, unless they do already."""
        if table.id in self.tasks:
            playing.close()
            return
        nobody = contextvars.Context()  # whoever has moved here is not who asks
        task = self.tasks[table.id] = asyncio.get_running_loop().create_task(playing, context=nobody)
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
        return [seat for seat in in_order(position) if table.seats[seat].kind == "bot" or seat in table.away]

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
                action = await self.choose(table, seat, table.seats[seat].level or STAND_IN)
                if table.version != version:
                    break  # whoever is next on the old list may have nothing to say now
                if action >= 0 or table.position.to_act == seat:
                    await self.pace.wait(table, version, began)
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
        await self.pace.wait(table, version, asyncio.get_running_loop().time())
        async with self.tables.at(table.id) as current:
            plan = table.plan_given() if current is table and table.version == version else None
            if plan:
                await self.tables.let_happen(table, plan)
                self.tables.counted["moves by bots"] += 1
            elif table.version == version:
                table.passed = version
        return plan is not None or table.version != version

    async def choose(self, table: Table, seat: int, level: str) -> int:
        """What the bot of a level does on a seat, as `choose` says, in a process of its own."""
        record, client = Record(table.setup, table.events[:]), CLIENT.get() or table.owner  # a copy, since it is sent only later
        if not self.programs.plays(level):
            return await self.in_process(client, choose, record, seat, level)
        try:
            asked = await self.in_process(client, asked_of_program, record, seat, self.programs.seconds(level))
            return await self.programs.answer(level, asked)
        except Forfeit as why:
            await self._forfeit(table, seat, level, why)
            return -1

    async def _forfeit(self, table: Table, seat: int, level: str, why: Forfeit) -> None:
        """A program has lost its seat at a table: as for somebody who has left, another bot plays on to the end."""
        log.warning("the bot %s forfeits its seat at table %s, ply %d: %s", level, table.id, table.ply, why)
        name = table.seats[seat].name
        if table.seats[seat].level == level:
            await self.tables.replace(table.id, seat, Seat("bot", name, "", STAND_IN))
            await self.tables.say(table.id, "", name)

    async def think(self, table: Table, seat: int, level: str) -> list[tuple[int, float]]:
        """What the bot of a level finds for a seat, as `think` says, in a process of its own."""
        record = Record(table.setup, table.events[:])
        return await self.in_process(CLIENT.get() or table.owner, think, record, seat, level)

    async def play_unseen(self, table_id: str, whose: str) -> bool:
        """Play on for a moment where only bots sit and nobody looks; whether anything has happened. It is all stored together. `whose` is
        the client in whose turns that is."""
        table = await self.tables.table(table_id)
        busy = table.status != "playing" or table.people() or self.tables.listeners.any_at(table_id)
        if busy or not await self.tables.is_ours(table):
            return False
        version, levels = table.version, [seat.level or STAND_IN for seat in table.seats]
        if any(map(self.programs.plays, levels)):
            self._start(table, self._play_with_programs(table))  # nobody's moment waits for them
            return False
        record = Record(table.setup, table.events[:])
        events = await self.in_process(whose, play_on, record, levels, table.chance.secret, MOMENT)
        async with self.tables.at(table_id) as current:
            if current is not table or table.version != version:
                return False
            plan = table.session.plan_nothing()
            for event in events:
                table.session.follow(plan, event, SPECTATOR)
            await self.tables.let_happen(table, plan)
            self.tables.counted["moves by bots"] += sum(event.who >= 0 for event in events)
        return bool(events)

    async def _play_with_programs(self, table: Table) -> None:
        """The same with programs among the bots, one decision after the other, until somebody comes."""
        while table.status == "playing" and not table.people() and not self.tables.listeners.any_at(table.id):
            version = table.version
            for seat in in_order(table.position):
                action = await self.choose(table, seat, table.seats[seat].level or STAND_IN)
                if action >= 0 or table.version != version:
                    break
            async with self.tables.at(table.id) as current:
                if current is not table or (action < 0 and table.version == version):
                    return
                if table.version == version:
                    await self.tables.let_happen(table, table.plan(Event(seat, action, table.position.to_act != seat)))
                    self.tables.counted["moves by bots"] += 1

    async def in_process(self, client: str, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        """Have something done in a bot's process, when it is the client's turn."""
        loop, wanted = asyncio.get_running_loop(), partial(work, *given, **named)
        async with self.turns.place(client):
            workers = self.workers
            try:
                return await loop.run_in_executor(workers, wanted)
            except BrokenProcessPool:  # one of them was killed, perhaps for its memory, and took the others with it
                if self.workers is workers:
                    log.error("a bot's process was killed; others take its place")
                    self.workers = self._hire()
                return await loop.run_in_executor(self.workers, wanted)


def bot_names(count: int) -> list[str]:
    """Sheep that people like to play against; in a large flock some have a namesake."""
    sheep = ("Dolly", "Wilma", "Flossie", "Wooliam", "Lambert")
    return [f"{sheep[at % len(sheep)]} {at // len(sheep) + 1}".removesuffix(" 1") for at in range(count)]
