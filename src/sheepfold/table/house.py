"""House: all tables of a server. Everything that happens at one table happens in order, one thing at a time.

A wish is checked, stored, and only then shown and acknowledged. Bots think in processes of their own: they are sent the log,
make the view of their seat there, and answer with an action, so no table ever waits for another's bot.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from sheepfold.bots import LEVELS, Thinker, bot
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.core.records import Event, Record
from sheepfold.core.sequential import Sequential, ask, sequential
from sheepfold.games import find
from sheepfold.table.lesson import LEARNER
from sheepfold.table.store import Append, Seat, Store, Work
from sheepfold.table.table import NotYourTurn, Plan, Refused, Stale, Table, new_table

log = logging.getLogger("sheepfold")

BOT_PAUSE = 0.7
"""Seconds that a bot takes at least, so that people can follow."""
STAND_IN = LEVELS[1]
"""The level of a bot that plays for somebody who is away or has left."""
MOST_TABLES = 2000
"""How many tables are kept in memory; the others are read again when somebody comes."""


class NoSuchTable(Refused):
    """The link leads to no table."""


class SeatTaken(Refused):
    """Somebody sits there already."""


class NotStored(Refused):
    """The database did not take it (a full disk, a lost connection), so it has not happened."""


def end_with_the_server() -> None:
    """In a bot's process: end when the server does, also when it was killed."""
    server = parent_process()

    def wait() -> None:
        if server:
            server.join()
        os._exit(0)

    Thread(target=wait, daemon=True).start()


def think(
    game: str, seats: int, options: dict[str, Any], events: Sequence[tuple[int, int, bool]], seat: int, level: str
) -> list[tuple[int, float]]:
    """In a bot's process: what the bot of a level finds of its choices, best first, from its own view alone. PASS is -1."""
    position = Record(find(game).setup(seats, None, **options), [Event(*event) for event in events]).end()
    view = position.seen_by(seat)
    asked = ask(view, seat) if position.to_act != seat else sequential(view) if not position.interruptible else Sequential(view, seats - 1)
    dice = Dice(secrets.token_hex(16))
    player = bot(level)
    found = player.think(asked, dice) if isinstance(player, Thinker) else []
    chosen = player.choose(asked, dice) if not found or level == LEVELS[0] else found[0][0]
    ordered = [(chosen, 0.5), *found] if not found or found[0][0] != chosen else found
    passing = asked.pass_action if isinstance(asked, Sequential) else None
    return [(-1 if action == passing else int(action), float(value)) for action, value in ordered]


class House:
    """The tables of one server process."""

    def __init__(self, store: Store, bot_pause: float = BOT_PAUSE, bot_processes: int | None = None) -> None:
        self.store = store
        self.bot_pause = bot_pause
        self.tables: dict[str, Table] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._small_tasks: set[asyncio.Task[None]] = set()
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        self._to_write: list[tuple[Work, asyncio.Future[None]]] = []
        self.counted: Counter[str] = Counter()
        """What happened since the start: moves by people and by bots, tables made, hints, undos."""
        processes = bot_processes or max(1, (os.cpu_count() or 2) - 1)
        self._bots = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=end_with_the_server)

    async def close(self) -> None:
        for clock in self._clocks.values():
            clock.cancel()
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._bots.shutdown(cancel_futures=True)
        self.store.close()

    # Finding and making tables.

    async def table(self, table_id: str) -> Table:
        """The table of that id, from memory or from the store."""
        found = self.tables.pop(table_id, None)
        if found is None:
            stored = await asyncio.to_thread(self.store.load, table_id)
            if stored is None:
                raise NoSuchTable("no-table", "There is no such table. Perhaps the link was cut off?")
            found = self.tables.get(table_id) or Table(stored)
        self.tables[table_id] = found  # the latest last
        while len(self.tables) > MOST_TABLES:
            idle = next((each for each in self.tables if not self._listeners.get(each) and each not in self._tasks), None)
            if idle is None:
                break
            del self.tables[idle]
            self._locks.pop(idle, None)
        self.wake(found)
        return found

    async def create(
        self,
        game: str,
        seats: Sequence[Seat],
        options: dict[str, Any],
        settings: dict[str, Any] | None = None,
        events: Sequence[Event] = (),
    ) -> Table:
        """A new table; it starts at once when nobody is waited for, after the events of another game if there are any."""
        stored = replace(new_table(game, seats, options, settings), events=list(events))
        table = Table(stored)
        stored.status = table.status
        start = table.plan_start() if table.status != "open" else None
        stored.events += start.events if start else []
        await self._kept(asyncio.wrap_future(self.store.create(stored)))
        if start:
            table.happened(start)
        self.tables[table.id] = table
        self.counted["tables"] += 1
        self.wake(table)
        return table

    @asynccontextmanager
    async def at(self, table_id: str) -> AsyncIterator[Table]:
        """The table, with everybody else waiting."""
        async with self._lock(table_id):
            yield await self.table(table_id)

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.get(table_id) or self._locks.setdefault(table_id, asyncio.Lock())

    # What people do.

    async def move(self, table_id: str, seat: int, ply: int, text: str) -> Table:
        """A seat's action or interruption; back when it is stored."""
        return (await self.act(table_id, lambda _: seat, ply, text))[0]

    async def act(self, table_id: str, seat_of: Callable[[Table], int], ply: int, text: str) -> tuple[Table, Plan]:
        """As `move`, with what happened; nothing did where the move was stored before. `seat_of` says, or refuses, who acts."""
        async with self._lock(table_id):
            table = self.tables.get(table_id) or await self.table(table_id)
            seat = seat_of(table)
            plan = table.plan_move(seat, ply, text)
            if seat in table.away:
                await self._set_away(table, seat, False)
            if plan.events:
                self.counted["moves by people"] += 1
            await self._store(table, plan)
            return table, plan

    async def back(self, table_id: str, seats: Sequence[int]) -> Table:
        """People whom a bot played for are here again."""
        async with self.at(table_id) as table:
            for seat in seats:
                if seat in table.away:
                    await self._set_away(table, seat, False)
            return table

    async def undo(self, table_id: str, seat: int) -> Table:
        """Take back the seat's last action, where that is fair."""
        async with self.at(table_id) as table:
            ply = table.plan_undo(seat)
            await self._kept(asyncio.wrap_future(self.store.truncate(table.id, ply, "playing")))
            table.taken_back(ply)
            self.counted["undos"] += 1
            self._tell(table)
            self.wake(table)
            return table

    async def sit(self, table_id: str, seat: int, sitter: Seat) -> Table:
        """Somebody takes an open seat; the game starts with the last one."""
        async with self.at(table_id) as table:
            if not 0 <= seat < len(table.seats) or table.seats[seat].kind != "open":
                raise SeatTaken("seat-taken", "That seat is taken; another may be free.")
            sitter.name = distinct(sitter.name, (other.name for other in table.seats if other.kind != "open"))
            await self._seat(table, seat, sitter)
            return table

    async def replace(self, table_id: str, seat: int, sitter: Seat) -> Table:
        """Somebody else on a seat: a bot for who left, or the person who came back."""
        async with self.at(table_id) as table:
            await self._seat(table, seat, sitter)
            return table

    async def _seat(self, table: Table, number: int, sitter: Seat) -> None:
        before = table.seats[number]
        table.seats[number] = sitter
        try:
            await self._kept(asyncio.wrap_future(self.store.sit(table.id, number, sitter, table.status)))
        except BaseException:
            table.seats[number] = before
            raise
        if table.status == "playing" and table.ply == 0:
            await self._store(table, table.plan_start())
        else:
            table.revision += 1
            self._tell(table)
            self.wake(table)

    async def say(self, table_id: str, who: str, text: str) -> Table:
        """A line of chat."""
        async with self.at(table_id) as table:
            line = (who, text, time.time())
            await self._kept(asyncio.wrap_future(self.store.say(table.id, len(table.chat), *line)))
            table.chat.append(line)
            table.revision += 1
            self._tell(table)
            return table

    async def hint(self, table_id: str, seat: int, level: str = LEVELS[-2]) -> tuple[Table, list[tuple[int, float]]]:
        """What a good bot would do on a seat whose turn it is."""
        table = await self.table(table_id)
        if table.position.to_act != seat or table.status != "playing":
            raise NotYourTurn("hint", "Hints are for your own turn.")
        if table.forgetful:
            raise NotYourTurn("hint.memory", "This is a game of memory, and bots forget nothing: no hints.")
        self.counted["hints"] += 1
        return table, await self._think(table, seat, level)

    async def rematch(self, table_id: str) -> str:
        """The table where the same people play again, the seats moved on by one; made once, whoever asks first."""
        async with self.at(table_id) as table:
            if table.position.to_act != OVER:
                raise NotYourTurn("rematch", "A rematch starts when the game is over.")
            following = table.settings.get("rematch")
            if not following:
                seats = [replace(table.seats[(number + 1) % len(table.seats)]) for number in range(len(table.seats))]
                settings = {key: table.settings.get(key) for key in ("listed", "seconds")}
                following = (await self.create(table.game.name, seats, table.setup.changed_options(), settings)).id
                table.settings["rematch"] = following
                await self.settle(table)
            return str(following)

    async def settle(self, table: Table) -> None:
        """Keep the table's settings as they are now."""
        try:
            await self._kept(asyncio.wrap_future(self.store.settle(table.id, table.settings)))
        except BaseException:
            self.tables.pop(table.id, None)
            raise
        table.revision += 1
        self._tell(table)

    # Storing, telling, bots.

    async def _store(self, table: Table, plan: Plan) -> None:
        if not plan.events:
            return
        status = "over" if plan.position.to_act == OVER else None
        try:
            await self._kept(self._written(Append(table.id, table.ply, plan.events, status, time.time())))
        except BaseException:
            self.tables.pop(table.id, None)  # what is in the store counts; it is read again
            raise
        table.happened(plan)
        self._tell(table)
        self.wake(table)

    async def _kept(self, done: asyncio.Future[None]) -> None:
        """Back when it is durable; what the database does not take is refused."""
        try:
            await done
        except IntegrityError as error:
            raise Stale("stale", "Something else was stored meanwhile; here is the current position.") from error
        except SQLAlchemyError as error:
            self.counted["writes that failed"] += 1
            log.error("the database did not take a write", exc_info=error)
            raise NotStored("not-stored", "This could not be stored, so it has not happened. Please try again in a moment.") from error

    def _written(self, work: Work) -> asyncio.Future[None]:
        """Done when the work is durable. What comes while the loop goes round once is handed to the writer together."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._to_write:
            loop.call_soon(self._hand_over, loop)
        self._to_write.append((work, done))
        return done

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        together, self._to_write = self._to_write, []

        def answer(outcomes: list[Exception | None]) -> None:
            loop.call_soon_threadsafe(_settle, [done for _, done in together], outcomes)

        self.store.write_together([work for work, _ in together], answer)

    def _tell(self, table: Table) -> None:
        for listener in self._listeners.get(table.id, ()):
            listener.set()

    @asynccontextmanager
    async def listening(self, table_id: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever something at the table changes."""
        listener = asyncio.Event()
        listeners = self._listeners.setdefault(table_id, set())
        listeners.add(listener)
        try:
            yield listener
        finally:
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(table_id, None)

    @property
    def streams(self) -> int:
        """How many viewers are listening."""
        return sum(len(listeners) for listeners in self._listeners.values())

    def wake(self, table: Table) -> None:
        """Let bots go on where it is their turn, and the clock run where it is a person's."""
        self._wind(table)
        resting = table.id not in self._tasks and table.passed != table.version and table.has_bots
        if resting and table.status == "playing" and self._bot_seats(table):
            task = asyncio.get_running_loop().create_task(self._play_bots(table))
            self._tasks[table.id] = task
            task.add_done_callback(lambda done: self._rest(table, done))

    def _rest(self, table: Table, done: asyncio.Task[None]) -> None:
        """The bots of a table have stopped. What came in while they were stopping wakes them again."""
        self._tasks.pop(table.id, None)
        if done.cancelled():
            return
        failure = done.exception()
        if failure:
            table.passed = table.version  # not again before something changes
            log.error("bots at table %s failed", table.id, exc_info=failure)
        elif table.id in self.tables:
            self.wake(self.tables[table.id])

    def _wind(self, table: Table) -> None:
        """Set the clock for the present decision."""
        running = self._clocks.pop(table.id, None)
        if running:
            running.cancel()
        left = table.seconds_left()
        if left is not None:
            loop = asyncio.get_running_loop()
            self._clocks[table.id] = loop.call_later(left, lambda: self._keep(loop.create_task(self._time_out(table.id, table.version))))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._small_tasks.add(task)
        task.add_done_callback(self._small_tasks.discard)

    async def _time_out(self, table_id: str, version: int) -> None:
        """Who was to act has not: a bot plays for that seat until somebody acts there again."""
        async with self.at(table_id) as table:
            left = table.seconds_left()
            if table.version == version and left is not None and left <= 0.01:
                self.counted["time-outs"] += 1
                await self._set_away(table, int(table.position.to_act), True)

    async def _set_away(self, table: Table, seat: int, away: bool) -> None:
        table.settings["away"] = [*(other for other in table.away if other != seat), *([seat] if away else [])]
        if not away:
            table.since = time.time()
        await self.settle(table)
        self.wake(table)

    def _bot_seats(self, table: Table) -> list[int]:
        """Bots that may do something now, those who may interrupt first. Where nobody sits and nobody looks they rest."""
        if not table.people() and not self._listeners.get(table.id):
            return []
        position = table.position
        if table.lesson and not (place := table.lesson.place(table.events)).done:
            return [place.given.who] if place.given and place.given.who >= 0 else []
        turn = int(position.to_act)
        around = [(turn + step) % len(table.seats) for step in range(1, len(table.seats))]
        waiting = [seat for seat in around if position.may_interrupt(seat)] if position.interruptible else []
        return [seat for seat in [*waiting, turn] if table.seats[seat].kind == "bot" or seat in table.away]

    async def _play_bots(self, table: Table) -> None:
        """Ask the bots in order until a person is to act or the game is over."""
        while table.status == "playing" and (seats := self._bot_seats(table)):
            version, acted = table.version, False
            began = asyncio.get_running_loop().time()  # for all of them, so that how long one took to decline does not show
            if table.lesson and not table.lesson.place(table.events).done:
                if not await self._play_given(table, version):
                    return
                continue
            for seat in seats:
                action = (await self._think(table, seat, table.seats[seat].level or STAND_IN))[0][0]
                if table.position.to_act == seat:
                    await asyncio.sleep(max(0.0, self.bot_pause - (asyncio.get_running_loop().time() - began)))
                if action < 0 or table.version != version:
                    continue
                async with self.at(table.id) as current:
                    if current is not table:
                        return
                    if table.version == version and seat in self._bot_seats(table):
                        self.counted["moves by bots"] += 1
                        await self._store(table, table.plan(Event(seat, action, table.position.to_act != seat)))
                        acted = True
                break
            if not acted and table.version == version:
                table.passed = version
                return

    async def _play_given(self, table: Table, version: int) -> bool:
        """What a lesson has for a bot; whether it was done."""
        await asyncio.sleep(self.bot_pause)
        async with self.at(table.id) as current:
            plan = table.plan_given() if current is table and table.version == version else None
            if plan:
                self.counted["moves by bots"] += 1
                await self._store(table, plan)
            elif table.version == version:
                table.passed = version
        return plan is not None or table.version != version

    async def guide(self, table_id: str, seat: int, wish: str) -> Table:
        """In a lesson: take back what was not asked for (`again`), have it done (`show`), or play on without it (`leave`)."""
        async with self.at(table_id) as table:
            place = table.lesson.place(table.events) if table.lesson and seat == LEARNER else None
            if place is None:
                raise NotYourTurn("no-lesson", "There is no lesson at this table.")
            if wish == "leave":
                table.settings["guide"] = "left"
                table.version += 1
                await self.settle(table)
                self.wake(table)
                return table
            ply, plan = table.plan_shown()
            if ply < table.ply:
                await self._kept(asyncio.wrap_future(self.store.truncate(table.id, ply, "playing")))
                table.taken_back(ply)
            if wish == "show":
                await self._store(table, plan)
            else:
                self._tell(table)
                self.wake(table)
            return table

    async def _think(self, table: Table, seat: int, level: str) -> list[tuple[int, float]]:
        log = [(event.who, event.action, event.interrupt) for event in table.events]
        options = dict(table.setup.options)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._bots, think, table.game.name, len(table.seats), options, log, seat, level)


def _settle(waiting: Sequence[asyncio.Future[None]], outcomes: Sequence[Exception | None]) -> None:
    for done, outcome in zip(waiting, outcomes, strict=True):
        if done.cancelled():
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(outcome)


def bot_seat(level: str, name: str) -> Seat:
    """A seat for a bot of a level."""
    return Seat("bot", name, "", level)


def distinct(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where somebody at the table has it already."""
    found, number, names = name, 1, set(taken)
    while found in names:
        number += 1
        found = f"{name[:21]} {number}"
    return found


def person_seat(name: str) -> Seat:
    """A seat for a person, with a token that nobody can guess."""
    return Seat("person", name, secrets.token_urlsafe(24))
