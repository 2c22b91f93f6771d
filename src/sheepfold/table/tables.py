"""Tables: all tables of a server. Everything that happens at one table happens in order, one thing at a time.

A wish is checked, stored, and only then shown and acknowledged. Storing, listening, bots and clocks have modules of their own; here is
where they meet.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from sheepfold.bots import ADVISER, STAND_IN
from sheepfold.core.position import OVER
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.records import Event
from sheepfold.game.session import NotYourTurn, Plan, Refused, Stale
from sheepfold.table.bot_players import BotPlayers
from sheepfold.table.clocks import Clocks
from sheepfold.table.fairness import CLIENT, Quotas
from sheepfold.table.fleet import Fleet
from sheepfold.table.kept_seats import keep, kept_for, left_at, let_go
from sheepfold.table.kept_seats import kept as kept_seats
from sheepfold.table.lesson import LEARNER
from sheepfold.table.limits import CHAT_SHOWN, Limits
from sheepfold.table.listeners import Listeners
from sheepfold.table.pace import BOT_PAUSE
from sheepfold.table.rated import FIRM, LEFT, ON, RATED, UNRATED
from sheepfold.table.store import Change, Seat, Store, Stored, begun_with, relocked, said, seated, settled, taken_back
from sheepfold.table.table import COMPONENTS, HINTS, LEASE, Outdated, Table, new_table, read_again
from sheepfold.table.timing import ABSENCES, ABSENT, BUDGET, LONGEST_ABSENCE, PAUSE_ASKED, PAUSED, SECONDS, absence, has_clock, missed
from sheepfold.table.writer import NotStored, Then, Writer

RETRY = 5.0
"""Seconds after which bots try again whose move could not be stored."""
T = TypeVar("T")
TRIES = 12
"""How often something is tried again that other servers have overtaken, before somebody is told so."""

Also = Callable[[Connection, str], None]
"""Stores something together with a new table, of that id."""
Acted = Callable[[Table, Plan, Refused | None], None]
"""Called when a move is stored: the table, what happened, or why it has not."""


class NoSuchTable(Refused):
    """The link leads to no table."""


class TooLong(Refused):
    """An absence that the others need not put up with."""


class SeatTaken(Refused):
    """Somebody sits there already."""


class Tables:
    """The tables of one server process."""

    def __init__(self, store: Store, bot_pause: float = BOT_PAUSE, bot_processes: int | None = None) -> None:
        self.store = store
        self.in_memory: dict[str, Table] = {}
        self.counted: Counter[str] = Counter()
        """What happened since the start: moves by people and by bots, tables made, hints, undos."""
        self.writer = Writer(store, self.counted)
        self.listeners = Listeners(self._somebody_came)
        self.bots = BotPlayers(self, bot_pause, bot_processes)
        self.clocks = Clocks(self)
        self.fleet = Fleet(self)
        self.components: dict[str, EnteredFile] = {}
        """By game, the component file that is played with here, where the game's own is not."""
        self.rating = True
        """Whether results may count for ratings here."""
        self.set_limits(Limits())
        self._locks: dict[str, asyncio.Lock] = {}
        self._small_tasks: set[asyncio.Task[None]] = set()

    def set_limits(self, limits: Limits) -> None:
        """From now on clients may do so much."""
        self.limits, self.quotas = limits, Quotas(limits)
        self.usual = dict(vars(limits))
        """Those that hold where a host has set no others."""

    def limit_as(self, wanted: Mapping[str, float]) -> None:
        """The limits are as a host has set them for all servers, the others as usual."""
        vars(self.limits).update({**self.usual, **{name: value for name, value in wanted.items() if name in self.usual}})

    async def close(self) -> None:
        await self.fleet.close()
        self.clocks.close()
        for task in self._small_tasks:
            task.cancel()
        await self.bots.close()
        self.store.close()

    # Finding and making tables.

    async def table(self, table_id: str) -> Table:
        """The table of that id as it is now, from memory or from the store."""
        if not self.store.shared and table_id in self.in_memory:
            return self._kept_in_memory(self.in_memory[table_id])
        return await self.look_again(table_id)

    async def look_again(self, table_id: str) -> Table:
        """The same, with what others have stored there."""
        async with self._lock(table_id):
            return await self.current(table_id)

    async def current(self, table_id: str, overtaken: bool = False) -> Table:
        """The same, for who holds the table's lock: if another server has changed it, which is likely when it has `overtaken` this one,
        with that."""
        known = self.in_memory.get(table_id)
        if known and not overtaken:
            revisions = (await asyncio.to_thread(self.store.revisions, [table_id])).get(table_id)
            if revisions == (known.revision, known.undos):
                return self._kept_in_memory(known)
        if known:
            news = (await asyncio.to_thread(self.store.news, {table_id: known.ply})).get(table_id)
            if news and self._heard(known, news):
                return self._kept_in_memory(known)
        self.in_memory.pop(table_id, None)
        table = await self._found(table_id)
        if known:
            self.listeners.tell(table)
        return table

    async def catch_up(self, table_ids: Iterable[str]) -> None:
        """Others have changed these tables: what has come is read together, and told. What else there is, table by table."""
        known = {each: table.ply for each in table_ids if (table := self.in_memory.get(each))}
        news = await asyncio.to_thread(self.store.news, known) if known else {}
        for table_id, ply in known.items():
            table, found = self.in_memory.get(table_id), news.get(table_id)
            if not (table and found and table.ply == ply and not self._lock(table_id).locked() and self._heard(table, found)):
                self.see_to(self._look_at(table_id))

    def _heard(self, table: Table, news: Stored) -> bool:
        """A table as this server knows it goes on with what others have stored. Not where it is more than events: then it is read anew."""
        if table.revision >= news.revision:
            return True
        if (news.undos, news.asides) != (table.undos, table.asides) or table.outdated or self.in_memory.get(table.id) is not table:
            return False
        try:
            table.heard(news)
        except Exception:  # a server of another version may know moves that this one does not
            return False
        self._changed(table)
        return True

    async def host_did(self, table_ids: Iterable[str]) -> None:
        """Something was stored at these tables past them: who looks on here is told now, others hear of it."""
        for table_id in table_ids:
            self.fleet.changed(table_id)
            if table_id in self.in_memory:
                await self._look_at(table_id)

    async def _look_at(self, table_id: str) -> None:
        with suppress(Refused, SQLAlchemyError):  # who looks on is told when it is looked at
            await self.look_again(table_id)

    async def _found(self, table_id: str) -> Table:
        """The table as this server knows it, or else from the store; for who holds its lock."""
        if known := self.in_memory.get(table_id):
            return known
        try:
            stored = await asyncio.to_thread(self.store.load, table_id)
        except ValueError as broken:  # something else has written there
            raise Outdated from broken
        if stored is None:
            self._locks.pop(table_id, None)
            raise NoSuchTable("no-table", "There is no such table. Perhaps the link was cut off?")
        return self._kept_in_memory(read_again(stored))

    def _kept_in_memory(self, table: Table) -> Table:
        """The table, as the latest that was asked for; those that were not for longest go."""
        self.in_memory.pop(table.id, None)
        self._keep(table)
        self.wake(table)
        return table

    def _keep(self, table: Table) -> None:
        """In memory, as the latest; of the others the longest idle goes where there are too many. Its clock rests until somebody comes."""
        table.owner = table.owner or CLIENT.get()
        self.in_memory[table.id] = table
        while len(self.in_memory) > self.limits.tables_in_memory:
            idle = next((each for each in self.in_memory if each != table.id and self._is_idle(each)), None)
            if idle is None:
                break
            del self.in_memory[idle]
            self._locks.pop(idle, None)
            self.clocks.stop(idle)

    def _is_idle(self, table_id: str) -> bool:
        """Whether nobody looks at the table, nobody acts there, and nothing of it is being stored."""
        lock = self._locks.get(table_id)
        return not self.listeners.any_at(table_id) and table_id not in self.bots.tasks and not (lock and lock.locked())

    async def create(
        self,
        game: str,
        seats: Sequence[Seat],
        options: dict[str, Any],
        settings: dict[str, Any] | None = None,
        events: Sequence[Event] = (),
        also: Also | None = None,
    ) -> Table:
        """A new table; it starts at once when nobody is waited for, after the events of another game if there are any. `also` stores what
        else there is to be with it, or fails, and then there is no table either; it is given the table's id."""
        table, stored = self._laid(game, seats, options, settings, events)
        more = (lambda connection: also(connection, table.id)) if also else None
        await self.writer.kept(self.store.create(stored, table.owed(table.position), more))
        return self._opened(table)

    def _laid(
        self, game: str, seats: Sequence[Seat], options: dict[str, Any], settings: dict[str, Any] | None, events: Sequence[Event] = ()
    ) -> tuple[Table, Stored]:
        """A new table, and what is to be stored of it."""
        settings = {**(settings or {}), **({"begun": len(events)} if events else {})}
        stored = replace(new_table(game, seats, options, settings), events=list(events), writer=self.store.name)
        table = Table(stored)
        self.quotas.make_table(listed=bool(stored.settings.get("listed")))
        stored.status = table.status
        start = table.plan_start() if table.status != "open" else None
        if start:
            stored.events += start.events
            table.happened(start)
        stored.revision, stored.turn = table.revision, table.waits_for(table.position)
        return table, stored

    def _opened(self, table: Table) -> Table:
        """A new table is stored, so it is there."""
        self._keep(table)
        self.counted["tables"] += 1
        self.wake(table)
        return table

    @asynccontextmanager
    async def at(self, table_id: str) -> AsyncIterator[Table]:
        """The table as this server knows it, with everybody else waiting."""
        async with self._lock(table_id):
            yield await self._found(table_id)

    async def _do(self, table_id: str, what: Callable[[Table], Awaitable[T]]) -> T:
        """Do something at a table with everybody else waiting. Where it cannot be done because another server was quicker, or this one has
        not heard of something yet, it is tried again with the table as it is now."""
        async with self._lock(table_id):
            table = await self._found(table_id)
            for tried in range(TRIES):
                known = table.revision
                try:
                    table.refuse_if_closed()
                    return await what(table)
                except Exception as refusal:
                    try:
                        table = await self.current(table_id, isinstance(refusal, Stale))
                    except SQLAlchemyError:
                        if self.store.shared and not isinstance(refusal, NotStored):  # others may have stored what it answers
                            raise
                        raise refusal from None
                    if table.revision == known:
                        raise
                await asyncio.sleep(random.random() * tried / 100)  # so that two who are after the same table do not go on so
            table.refuse_if_closed()
            return await what(table)

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.get(table_id) or self._locks.setdefault(table_id, asyncio.Lock())

    # What people do.

    async def move(self, table_id: str, seat: int, ply: int, text: str) -> Table:
        """A seat's action or interruption; back when it is stored."""
        return (await self.act(table_id, lambda _: seat, ply, text))[0]

    async def act(self, table_id: str, seat_of: Callable[[Table], int], ply: int, text: str) -> tuple[Table, Plan]:
        """As `move`, with what happened; nothing did where the move was stored before. `seat_of` says, or refuses, who acts."""

        async def what(table: Table) -> tuple[Table, Plan]:
            seat = seat_of(table)
            plan = table.plan_move(seat, ply, text)
            if seat in table.away:
                await self.set_away(table, seat, False)
            await self.let_happen(table, plan)
            self.counted["moves by people"] += bool(plan.events)
            return table, plan

        return await self._do(table_id, what)

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

        async def what(table: Table) -> Table:
            for seat in seats:
                if seat in table.away:
                    await self.set_away(table, seat, False)
            return table

        return await self._do(table_id, what)

    async def undo(self, table_id: str, seat: int) -> Table:
        """Take back the seat's last action, where that is fair."""

        async def what(table: Table) -> Table:
            await self._take_back(table, table.plan_undo(seat))
            self.counted["undos"] += 1
            self._changed(table)
            return table

        return await self._do(table_id, what)

    async def _take_back(self, table: Table, ply: int) -> None:
        turn = table.waits_for(table.session.at(ply))
        await self._change(table, Change(table.id, table.revision, status="playing", due=LEASE, turn=turn, more=taken_back(table.id, ply)))
        table.taken_back(ply)

    async def sit(self, table_id: str, seat: int, sitter: Seat) -> Table:
        """Somebody takes an open seat; the game starts with the last one."""
        name = sitter.name

        async def what(table: Table) -> Table:
            if not 0 <= seat < len(table.seats) or table.seats[seat].kind != "open":
                raise SeatTaken("seat-taken", "That seat is taken; another may be free.")
            sitter.name = distinct(name, (other.name for other in table.seats if other.kind != "open"))
            return await self._seat(table, seat, sitter)

        return await self._do(table_id, what)

    async def change_lock(self, table_id: str, token: str) -> str:
        """Who shows that token sits there no more; whose place it is, on any of their devices, shows the one that is the answer."""
        fresh = person_seat("").token

        async def what(table: Table) -> str:
            mine = table.seats_of([token])
            if mine:
                await self._change_aside(table, relocked(table.id, token, fresh))
                for seat in mine:
                    table.seat(seat, replace(table.seats[seat], token=fresh))
                table.revision += 1
                self._changed(table)
            return fresh

        return await self._do(table_id, what)

    async def rename(self, table_id: str, seat: int, name: str) -> Table:
        """Somebody is called otherwise from now on."""

        async def what(table: Table) -> Table:
            others = (other.name for number, other in enumerate(table.seats) if other.kind != "open" and number != seat)
            return await self._seat(table, seat, replace(table.seats[seat], name=distinct(name, others)))

        return await self._do(table_id, what)

    async def replace(self, table_id: str, seat: int, sitter: Seat) -> Table:
        """Somebody else on a seat: a bot for who left, or the person who came back."""
        return await self._do(table_id, lambda table: self._seat(table, seat, sitter))

    async def leave(self, table_id: str, seats: Sequence[int]) -> Table:
        """People get up: a bot plays on for them; before the game starts their seats are free. For a while the seats are kept for them."""

        async def what(table: Table) -> Table:
            for number in seats:
                seat = table.seats[number]
                follower = Seat("open", seat.name) if table.status == "open" else bot_seat(STAND_IN, seat.name)
                await self._seat(table, number, follower, kept=True)
            return table

        return await self._do(table_id, what)

    async def come_again(self, table_id: str, tokens: Sequence[str]) -> list[int]:
        """Who has left sits down again where the seat is kept for them; which seats those are."""

        async def what(table: Table) -> list[int]:
            table.refuse_if_closed()
            found = kept_for(table.settings, tokens)
            if table.counts_at or table.settings.get(RATED):
                played = {event.who for seat in found for event in table.events[left_at(table.settings, seat) :]}
                found = {seat: token for seat, token in found.items() if seat not in played}
            if not found:
                raise SeatTaken("seat-gone", "That seat is not kept for you any more.")
            for number, token in found.items():
                await self._seat(table, number, Seat("person", table.seats[number].name, token))
            return list(found)

        return await self._do(table_id, what)

    async def _seat(self, table: Table, number: int, sitter: Seat, kept: bool = False) -> Table:
        before, settings = table.seats[number], table.settings
        table.seat(number, sitter)
        if number in kept_seats(settings):
            table.settings = let_go(table.settings, number)
        if before.kind == "person" and sitter.kind == "bot":
            table.settings = table.settings | {LEFT: [*settings.get(LEFT, ()), number]}
        elif before.kind == "bot" and sitter.kind == "person" and number in settings.get(LEFT, ()):
            table.settings = table.settings | {LEFT: [seat for seat in settings[LEFT] if seat != number]}
        if kept and before.token:
            table.settings = keep(table.settings, number, before.token, table.session.ply)

        def more(connection: Connection) -> None:
            seated(table.id, number, sitter)(connection)
            if table.settings is not settings:
                settled(table.id, table.settings)(connection)

        try:
            await self._change_aside(table, more, table.status)
        except BaseException:
            table.seat(number, before)
            table.settings = settings
            raise
        table.revision += 1
        start = table.plan_start() if table.status == "playing" and table.ply == 0 else None
        if start and start.events:
            await self.let_happen(table, start)
        else:  # not every game begins with chance
            table.version += 1
            self._changed(table)
        return table

    async def say(self, table_id: str, who: str, text: str, person: str = "") -> Table:
        """A line of chat, by a person where that is known."""
        if who:
            self.quotas.say()

        async def what(table: Table) -> Table:
            if who and who not in table.names:  # who said it has gone meanwhile
                raise NotYourTurn("not-seated", "Only those who sit at the table can talk.")
            line = (who, text, time.time())
            await self._change_aside(table, said(table.id, table.said, *line, person))
            table.chat = [*table.chat, line][-CHAT_SHOWN:]
            table.said += 1
            table.revision += 1
            self._changed(table)
            return table

        return await self._do(table_id, what)

    async def pause(self, table_id: str, seats: Sequence[int], wish: str) -> Table:
        """The clock rests when all people want it (`yes`), and runs again when one of them does not (`no`)."""

        async def what(table: Table) -> Table:
            table.refuse_if_it_counts()
            if not has_clock(table.settings) or table.status != "playing":
                raise NotYourTurn("no-clock", "No clock runs at this table.")
            asked = {*table.settings.get(PAUSE_ASKED, ()), *seats} if wish == "yes" else set()
            rests = bool(asked) and asked >= {each for each in table.people() if each not in table.away}
            if table.settings.get(PAUSED) and not rests:
                table.since = time.time()
            table.settings |= {PAUSED: rests, PAUSE_ASKED: [] if rests else sorted(asked)}
            await self.settle(table)
            self.clocks.stop(table.id)
            self.wake(table)
            return table

        return await self._do(table_id, what)

    async def be_absent(self, table_id: str, seats: Sequence[int], until: float) -> Table:
        """Somebody says that they are away until then, so that their clock does not run; with a time that is past, that they are back."""

        async def what(table: Table) -> Table:
            table.refuse_if_it_counts()
            now, said, sums = time.time(), dict(table.settings.get(ABSENT, {})), dict(table.settings.get(ABSENCES, {}))
            for seat in seats:
                before = max(0.0, absence(table.settings, seat)[1] - now)
                longer = max(0.0, until - now)
                sums[str(seat)] = sums.get(str(seat), 0.0) + longer - before
                if sums[str(seat)] > LONGEST_ABSENCE:
                    raise TooLong("too-long", f"Nobody can be away for more than {LONGEST_ABSENCE / 86400:.0f} days of a game.")
                start = now - missed(table.settings, seat, table.since, now)  # of the present decision nothing is lost
                said[str(seat)] = [start, max(now, until)]
            table.settings |= {ABSENT: said, ABSENCES: sums}
            await self.settle(table)
            self.clocks.stop(table.id)
            self.wake(table)
            return table

        return await self._do(table_id, what)

    async def hint(self, table_id: str, seat: int, level: str = ADVISER) -> tuple[Table, list[tuple[int, float]]]:
        """What a good bot would do on a seat whose turn it is."""
        table = await self.table(table_id)
        if table.position.to_act != seat or table.status != "playing":
            raise NotYourTurn("hint", "Hints are for your own turn.")
        table.refuse_if_it_counts()
        if table.session.forgetful:
            raise NotYourTurn("hint.memory", "This is a game of memory, and bots forget nothing: no hints.")
        if table.rated(seat) in (ON, FIRM):
            table = await self._spoil(table_id, seat)
        if not table.gives_hints:
            raise NotYourTurn("hint.people", "Among people there are no hints, unless the table was made with them.")
        self.counted["hints"] += 1
        asked = (table.ply, table.undos)
        found = await self.bots.think(table, seat, level)
        if (table.ply, table.undos) != asked:
            raise Stale("stale", "The game went on while the bot was thinking; here is the current position.")
        return table, found

    async def _spoil(self, table_id: str, seat: int) -> Table:
        """A hint is asked for where the result is to count: it does not any more, or there are none."""

        async def what(table: Table) -> Table:
            if table.rated(seat) == FIRM:
                raise NotYourTurn("hint.rated", "This game is rated: no hints.")
            table.settings[UNRATED] = "hint"
            await self.settle(table)
            return table

        return await self._do(table_id, what)

    async def rematch(self, table_id: str) -> str:
        """The table where the same people play again, the seats moved on by one; made once, whoever asks first."""

        async def what(table: Table) -> str:
            if table.position.to_act != OVER:
                raise NotYourTurn("rematch", "A rematch starts when the game is over.")
            if not table.settings.get("rematch"):
                seats = [_again(table.seats[(number + 1) % len(table.seats)]) for number in range(len(table.seats))]
                settings = {key: table.settings.get(key) for key in ("listed", SECONDS, BUDGET, COMPONENTS, RATED, HINTS)}
                following, stored = self._laid(table.game.name, seats, table.setup.changed_options(), settings)
                table.settings["rematch"] = following.id
                await self.settle(table, lambda connection: self.store.insert(connection, stored, following.owed(following.position)))
                self._opened(following)
            return str(table.settings["rematch"])

        return await self._do(table_id, what)

    async def settle(self, table: Table, also: Callable[[Connection], None] | None = None) -> None:
        """Keep the table's settings as they are now."""
        keep = settled(table.id, table.settings)

        def more(connection: Connection) -> None:
            keep(connection)
            if also:
                also(connection)

        await self._change_aside(table, more)
        table.revision += 1
        self.listeners.tell(table)

    async def guide(self, table_id: str, seat: int, wish: str) -> Table:
        """In a lesson: take back what was not asked for (`again`), have it done (`show`), or play on without it (`leave`)."""

        async def what(table: Table) -> Table:
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
                await self._take_back(table, ply)
            if wish == "show":
                await self.let_happen(table, table.plan_asked())
            else:
                self._changed(table)
            return table

        return await self._do(table_id, what)

    # Storing and telling.

    async def let_happen(self, table: Table, plan: Plan) -> None:
        """Store what happens by a plan; back when it is durable and told."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._append(table, plan, lambda refusal: _settle(stored, refusal))
        try:
            await stored
        except asyncio.CancelledError:
            self.in_memory.pop(table.id, None)  # what is in the store counts; it is read again
            raise

    def _append(self, table: Table, plan: Plan, then: Then) -> None:
        """Store what happens by a plan. When it is durable the table goes on and everybody is told, and `then` is called."""
        if not plan.events:
            then(None)
            return

        def stored(refusal: Refused | None) -> None:
            if refusal is None:
                table.used, table.made_with = list(change.used or table.used), begins_with
                table.asides += change.more is not None
                table.happened(plan)
                self._ours(table)
                then(None)
                self._changed(table)
            else:
                self._forget(table, refusal)
                then(refusal)

        after = plan.position
        status = "over" if after.to_act == OVER else None
        change = Change(table.id, table.revision, table.ply, plan.events, status, table.owed(after), turn=table.waits_for(after))
        change.ended = table.ended(after)
        change.used = table.used_by(plan, change.at)
        begins_with = table.made_with if table.ply else (table.setup.digest, table.game.rules_version)
        if begins_with != table.made_with:
            change.more = begun_with(table.id, *begins_with, None if table.setup.component_file else table.game.printed)
        self.writer.change(change, stored)

    async def _change_aside(self, table: Table, more: Callable[[Connection], None], status: str | None = None) -> None:
        """Store something else than events."""
        here = table.position
        change = Change(
            table.id, table.revision, status=status, due=table.owed(here), since=table.since, turn=table.waits_for(here), more=more
        )
        await self._change(table, change)

    async def _change(self, table: Table, change: Change) -> None:
        """Store any other change; back when it is durable, and the table is to be changed like that. What the database does not take is
        refused, and the table read again."""
        try:
            await self.writer.kept(self.store.write(change))
        except Refused as refusal:
            self._forget(table, refusal)
            raise
        except BaseException:
            self.in_memory.pop(table.id, None)
            raise
        table.asides += change.more is not None
        self._ours(table)

    def _ours(self, table: Table) -> None:
        """A change of ours is stored; other servers are told."""
        table.writer = self.store.name
        self.fleet.changed(table.id)

    def _changed(self, table: Table) -> None:
        """Something has changed: everybody hears of it, bots go on, the clock runs."""
        self.listeners.tell(table)
        self.wake(table)

    def wake(self, table: Table) -> None:
        """Let bots go on where it is their turn, and the clock run where it is a person's."""
        if has_clock(table.settings):
            self.clocks.wind(table)
        self.bots.wake(table)

    def _somebody_came(self, table_id: str) -> None:
        if table := self.in_memory.get(table_id):
            self.wake(table)

    def _forget(self, table: Table, refusal: Refused) -> None:
        """What is in the store counts; the table is read again. Who looks on is told where another server has stored something."""
        self.in_memory.pop(table.id, None)
        if isinstance(refusal, Stale):
            self.see_to(self._tell_anew(table.id))

    async def _tell_anew(self, table_id: str) -> None:
        async with self._lock(table_id):  # so that nobody acts on what was read before the latest refusal
            self.listeners.tell(await self.current(table_id))

    async def read_again(self, table_id: str) -> None:
        """What nobody waits for could not be stored: read the table again after a while, which wakes bots and clock."""
        while True:
            await asyncio.sleep(RETRY)
            with suppress(SQLAlchemyError):
                await self.table(table_id)
                return

    def see_to(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done that nobody waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self._small_tasks.add(task)
        task.add_done_callback(self._small_tasks.discard)

    async def is_ours(self, table: Table) -> bool:
        """Whether this server goes on with a table's bots and clock: it changed it last, or nobody else goes on and it says so now."""
        if table.writer == self.store.name:
            return True
        async with self._lock(table.id):
            if self.in_memory.get(table.id) is not table:
                return False
            claimed = await asyncio.wrap_future(self.store.claim(table.id, table.revision, LEASE))
            if claimed:
                table.revision += 1
                self._ours(table)
        return claimed

    async def set_away(self, table: Table, seat: int, away: bool) -> None:
        """From now on a bot plays for a seat, or its person again."""
        table.settings["away"] = [*(other for other in table.away if other != seat), *([seat] if away else [])]
        table.version += 1
        if not away:
            table.since = time.time()
        await self.settle(table)
        self.wake(table)


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


def _again(seat: Seat) -> Seat:
    """The same player at another table; a bot for who has been erased."""
    return bot_seat(STAND_IN, seat.name) if seat.kind == "person" and not seat.token else replace(seat)


def person_seat(name: str) -> Seat:
    """A seat for a person, with a token that nobody can guess."""
    return Seat("person", name, secrets.token_urlsafe(24))
