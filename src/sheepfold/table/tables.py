"""Tables: all tables of a server. Everything that happens at one table happens in order, one thing at a time.

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
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from multiprocessing import parent_process
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from sheepfold.bots import LEVELS, Thinker, bot
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.core.sequential import Sequential
from sheepfold.core.workers import Workers
from sheepfold.game.records import Event, Record
from sheepfold.game.session import NotYourTurn, Plan, Refused, Session, Stale
from sheepfold.table.lesson import LEARNER
from sheepfold.table.store import Append, Overtaken, Seat, Store, Work
from sheepfold.table.table import Table, new_table

log = logging.getLogger("sheepfold")

BOT_PAUSE = 0.7
"""Seconds that a bot takes at least, so that people can follow."""
STAND_IN = LEVELS[1]
"""The level of a bot that plays for somebody who is away or has left."""
SILENCE = 20.0
"""Seconds after which a stream says that it is still there, so that nobody in between closes it."""
PACE = 0.006
"""Seconds between two transactions with moves, where the writer's thread does them one after the other, so that more of them share one; a
move alone does not wait."""
RETRY = 5.0
"""Seconds after which bots try again whose move could not be stored."""
T = TypeVar("T")
MOST_TABLES = 2000
"""How many tables are kept in memory; the others are read again when somebody comes."""


Acted = Callable[[Table, Plan, Refused | None], None]
"""Told when a move is stored: the table, what happened, or why it has not."""
Then = Callable[[Refused | None], None]
"""The same where the rest is known."""
Ring = Callable[[Table], None]
"""Told when something has changed at a table."""


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


class Tables:
    """The tables of one server process."""

    def __init__(self, store: Store, bot_pause: float = BOT_PAUSE, bot_processes: int | None = None) -> None:
        self.store = store
        self.bot_pause = bot_pause
        self.in_memory: dict[str, Table] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._listeners: dict[str, set[Ring]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._small_tasks: set[asyncio.Task[None]] = set()
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        self._to_write: list[tuple[Work, Table, Plan, Then]] = []
        self._writing = False
        self.counted: Counter[str] = Counter()
        """What happened since the start: moves by people and by bots, tables made, hints, undos."""
        self._bot_processes = bot_processes or max(1, (os.cpu_count() or 2) - 1)
        self._bots = self._hire()

    def _hire(self) -> Workers:
        return Workers(self._bot_processes, end_with_the_server)

    async def close(self) -> None:
        for clock in self._clocks.values():
            clock.cancel()
        for task in [*self._tasks.values(), *self._small_tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._bots.shutdown(cancel_futures=True)
        self.store.close()

    # Finding and making tables.

    async def table(self, table_id: str) -> Table:
        """The table of that id, from memory or from the store."""
        found = self.in_memory.pop(table_id, None)
        if found is None:
            stored = await asyncio.to_thread(self.store.load, table_id)
            if stored is None:
                self._locks.pop(table_id, None)
                raise NoSuchTable("no-table", "There is no such table. Perhaps the link was cut off?")
            found = self.in_memory.get(table_id) or Table(stored)
        self.in_memory[table_id] = found  # the latest last
        while len(self.in_memory) > MOST_TABLES:
            idle = next((each for each in self.in_memory if self._is_idle(each)), None)
            if idle is None:
                break
            del self.in_memory[idle]
            self._locks.pop(idle, None)
        self.wake(found)
        return found

    def _is_idle(self, table_id: str) -> bool:
        """Whether nobody looks at the table, nobody acts there, and nothing of it is being stored."""
        lock = self._locks.get(table_id)
        return not self._listeners.get(table_id) and table_id not in self._tasks and not (lock and lock.locked())

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
        await self._kept(self.store.create(stored))
        if start:
            table.happened(start)
        self.in_memory[table.id] = table
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
            table = self.in_memory.get(table_id) or await self.table(table_id)
            seat = seat_of(table)
            plan = table.plan_move(seat, ply, text)
            if seat in table.away:
                await self._set_away(table, seat, False)
            await self._store(table, plan)
            self.counted["moves by people"] += bool(plan.events)
            return table, plan

    def act_at_once(self, table_id: str, seat_of: Callable[[Table], int], ply: int, text: str, answer: Acted) -> bool:
        """The same without a task, for a table that is in memory and at rest; who asked is answered when the move is stored.
        False where there is something else to wait for: then `act` is the way."""
        table = self.in_memory.get(table_id)
        if table is None or table.settings.get("away") or not at_once((lock := self._lock(table_id)).acquire()):
            return False

        def stored(refusal: Refused | None) -> None:
            lock.release()
            self.counted["moves by people"] += refusal is None and bool(plan.events)
            answer(table, plan, refusal)

        try:
            plan = table.plan_move(seat_of(table), ply, text)
            self._append(table, plan, stored)
        except BaseException:
            lock.release()
            raise
        return True

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
            await self._kept(self.store.truncate(table.id, ply, "playing", table.ply), table)
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
        table.seat(number, sitter)
        try:
            await self._kept(self.store.sit(table.id, number, before, sitter, table.status), table)
        except BaseException:
            table.seat(number, before)
            raise
        start = table.plan_start() if table.status == "playing" and table.ply == 0 else None
        if start and start.events:
            await self._store(table, start)
        else:  # not every game begins with chance
            table.revision += 1
            table.version += 1
            self._tell(table)
            self.wake(table)

    async def say(self, table_id: str, who: str, text: str) -> Table:
        """A line of chat."""
        async with self.at(table_id) as table:
            line = (who, text, time.time())
            await self._kept(self.store.say(table.id, len(table.chat), *line), table)
            table.chat.append(line)
            table.revision += 1
            self._tell(table)
            return table

    async def hint(self, table_id: str, seat: int, level: str = LEVELS[-2]) -> tuple[Table, list[tuple[int, float]]]:
        """What a good bot would do on a seat whose turn it is."""
        table = await self.table(table_id)
        if table.position.to_act != seat or table.status != "playing":
            raise NotYourTurn("hint", "Hints are for your own turn.")
        if table.session.forgetful:
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
            await self._kept(self.store.settle(table.id, table.settings))
        except BaseException:
            self.in_memory.pop(table.id, None)
            raise
        table.revision += 1
        self._tell(table)

    # Storing, telling, bots.

    async def _store(self, table: Table, plan: Plan) -> None:
        """Store what happens by a plan; back when it is durable and told."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._append(table, plan, lambda refusal: _settle(stored, refusal))
        try:
            await stored
        except asyncio.CancelledError:
            self.in_memory.pop(table.id, None)  # what is in the store counts; it is read again
            raise

    def _append(self, table: Table, plan: Plan, then: Then) -> None:
        """Store what happens by a plan. When it is durable the table goes on and everybody is told, and `then` is called.
        What comes while the loop goes round once is handed to the writer together."""
        if not plan.events:
            then(None)
            return

        status = "over" if plan.position.to_act == OVER else None
        self._to_write.append((Append(table.id, table.ply, plan.events, status, time.time()), table, plan, then))
        if not self._writing:
            self._writing = True
            asyncio.get_running_loop().call_soon(self._hand_over)

    def _stored(self, table: Table, plan: Plan, then: Then, error: Exception | None) -> None:
        """What a plan brings is durable, or could not be stored."""
        if error is None:
            table.happened(plan)
            then(None)
            self._tell(table)
            self.wake(table)
        else:
            refusal = self._refusal(error)
            self._forget(table, refusal)
            then(refusal)

    def _hand_over(self) -> None:
        """Store all that has come, and afterwards what came meanwhile."""
        loop = asyncio.get_running_loop()
        together, self._to_write = self._to_write, []
        began = loop.time()

        def done(outcomes: list[Exception | None]) -> None:
            for (_, table, plan, then), outcome in zip(together, outcomes, strict=True):
                try:
                    self._stored(table, plan, then, outcome)
                except Exception:  # of one; the others were stored too and must hear of it
                    log.exception("after a write")
            if self._to_write:
                loop.call_later(max(0.0, began + PACE - loop.time()), self._hand_over)
            else:
                self._writing = False

        works = [work for work, *_ in together]
        if self.store.write_here(works):
            done([None] * len(works))
        else:
            self.store.write_together(works, lambda outcomes: _in_loop(loop, done, outcomes))

    async def _kept(self, done: Future[None], table: Table | None = None) -> None:
        """Back when it is durable; what the database does not take is refused."""
        try:
            await asyncio.wrap_future(done)
        except SQLAlchemyError as error:
            refusal = self._refusal(error)
            if table:
                self._forget(table, refusal)
            raise refusal from error

    def _refusal(self, error: Exception) -> Refused:
        """What is said of an error of the database."""
        if isinstance(error, IntegrityError | Overtaken):
            return Stale("stale", "Something else was stored meanwhile; here is the current position.")
        self.counted["writes that failed"] += 1
        log.error("the database did not take a write", exc_info=error)
        return NotStored("not-stored", "This could not be stored, so it has not happened. Please try again in a moment.")

    def _tell(self, table: Table) -> None:
        for ring in self._listeners.get(table.id, ()):
            ring(table)

    def _forget(self, table: Table, refusal: Refused) -> None:
        """What is in the store counts; the table is read again. Who looks on is told where another server has stored something."""
        self.in_memory.pop(table.id, None)
        if isinstance(refusal, Stale):
            self._keep(asyncio.get_running_loop().create_task(self._tell_anew(table.id)))

    async def _tell_anew(self, table_id: str) -> None:
        async with self.at(table_id) as table:  # so that nobody acts on what was read before the latest refusal
            self._tell(table)

    @contextmanager
    def told(self, table_id: str, ring: Ring) -> Iterator[None]:
        """While this lasts, `ring` is called with every change at the table, and bots play there even with nobody seated."""
        listeners = self._listeners.setdefault(table_id, set())
        listeners.add(ring)
        if table := self.in_memory.get(table_id):
            self.wake(table)
        try:
            yield
        finally:
            listeners.discard(ring)
            if not listeners:
                self._listeners.pop(table_id, None)

    @asynccontextmanager
    async def listening(self, table_id: str) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
        """What waits for the next change at the table; False after a silence, so that streams can say that they are still there."""
        bell = Bell(SILENCE)
        with self.told(table_id, bell.ring):
            try:
                yield bell.wait
            finally:
                bell.close()

    @property
    def streams(self) -> int:
        """How many viewers are listening."""
        return sum(len(listeners) for listeners in self._listeners.values())

    def wake(self, table: Table) -> None:
        """Let bots go on where it is their turn, and the clock run where it is a person's."""
        if table.settings.get("seconds"):
            self._wind(table)
        resting = table.has_bots and table.id not in self._tasks and table.passed != table.version
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
        if isinstance(failure, NotStored | Stale | SQLAlchemyError | BrokenProcessPool):
            self._keep(asyncio.get_running_loop().create_task(self._try_again(table.id)))
        elif failure:
            table.passed = table.version  # not again before something changes
            log.error("the bots of a table failed", exc_info=failure)
        elif table.id in self.in_memory:
            self.wake(self.in_memory[table.id])

    async def _try_again(self, table_id: str) -> None:
        """What nobody waits for could not be stored: read the table again after a while, which wakes bots and clock."""
        while True:
            await asyncio.sleep(RETRY)
            with suppress(SQLAlchemyError):
                await self.table(table_id)
                return

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
        try:
            async with self.at(table_id) as table:
                left = table.seconds_left()
                if table.version == version and left is not None and left <= 0.01:
                    await self._set_away(table, int(table.position.to_act), True)
                    self.counted["time-outs"] += 1
        except (NotStored, SQLAlchemyError):
            await self._try_again(table_id)

    async def _set_away(self, table: Table, seat: int, away: bool) -> None:
        table.settings["away"] = [*(other for other in table.away if other != seat), *([seat] if away else [])]
        table.version += 1
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
                if table.version != version:
                    break  # whoever is next on the old list may have nothing to say now
                if table.position.to_act == seat:
                    await asyncio.sleep(self._pause(table, asyncio.get_running_loop().time() - began))
                if action < 0:
                    continue
                async with self.at(table.id) as current:
                    if current is not table:
                        return
                    if table.version == version and seat in self._bot_seats(table):
                        await self._store(table, table.plan(Event(seat, action, table.position.to_act != seat)))
                        self.counted["moves by bots"] += 1
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
                await self._store(table, plan)
                self.counted["moves by bots"] += 1
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
            ply = table.ply_asked()
            if ply < table.ply:
                await self._kept(self.store.truncate(table.id, ply, "playing", table.ply), table)
                table.taken_back(ply)
            if wish == "show":
                await self._store(table, table.plan_asked())
            else:
                self._tell(table)
                self.wake(table)
            return table

    def _pause(self, table: Table, thought: float) -> float:
        """How long a bot still waits that has thought so long. Where there are secrets it takes whole pauses: so its time tells little."""
        if self.bot_pause and table.game.secrets and thought > self.bot_pause:
            return self.bot_pause - thought % self.bot_pause
        return max(0.0, self.bot_pause - thought)

    async def _think(self, table: Table, seat: int, level: str) -> list[tuple[int, float]]:
        asked = (Record(table.setup, table.events[:]), seat, level)  # a copy, since it is sent only when a process is free
        loop, bots = asyncio.get_running_loop(), self._bots
        try:
            return await loop.run_in_executor(bots, think, *asked)
        except BrokenProcessPool:  # one of them was killed, perhaps for its memory, and took the others with it
            if self._bots is bots:
                log.error("a bot's process was killed; others take its place")
                self._bots = self._hire()
            return await loop.run_in_executor(self._bots, think, *asked)


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


def at_once(work: Coroutine[Any, Any, T]) -> T | None:
    """What a coroutine gives that has nothing to wait for; None, and it is not done, if it has."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    work.close()
    return None


def _settle(done: asyncio.Future[None], refusal: Refused | None) -> None:
    if done.cancelled():
        return
    if refusal is None:
        done.set_result(None)
    else:
        done.set_exception(refusal)


def _in_loop(loop: asyncio.AbstractEventLoop, done: Callable[[list[Exception | None]], None], outcomes: list[Exception | None]) -> None:
    """Go on in the loop's thread; a loop that is closed has nobody left who waits."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(done, outcomes)


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
