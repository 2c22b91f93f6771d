"""Manners: lines of chat that people report, and what a host does about them: remove a line, let somebody say nothing, close a table.

What a host does is noted in the same transaction, and who looks on at any server is shown it at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Float, and_, bindparam, delete, func, or_, select, text, update

from sheepfold.game.session import Refused
from sheepfold.people.ways import transaction
from sheepfold.table.admin import end_table, note, notes, read_anew, set_limits
from sheepfold.table.schema import chat, places, reports, seats, silences, tables
from sheepfold.table.store import snapshot
from sheepfold.table.tables import Tables

T = TypeVar("T")
HOST = "host page"
"""Who did it, where it was done on the page."""
DAY = 86400.0
CONTEXT = 4
"""How many lines before a reported one are shown with it."""
MOST = 50
"""How many reported lines, or lines of what was done, are shown at a time."""


class Silenced(Refused):
    """Somebody whom the host lets say nothing."""


class NoLine(Refused):
    """There is no such line of chat, or nobody said it."""


@dataclass(frozen=True)
class Reported:
    """A line of chat that somebody wants looked at."""

    table: str
    number: int
    who: str
    person: str
    """Who said it, where that is known."""
    text: str
    at: float
    """When it was first reported."""
    count: int
    """By how many people."""
    reasons: Sequence[str]
    before: Sequence[tuple[str, str]]
    """Who said what just before."""
    going_on: bool
    """Whether the table can be closed."""


@dataclass(frozen=True)
class Sitter:
    """Who sits at a table, as a host sees them."""

    name: str
    kind: str
    person: str
    """Their number, where it is known."""


@dataclass(frozen=True)
class Found:
    """A table that a host asked for: nothing of the game itself."""

    table: str
    game: str
    status: str
    since: float
    sitters: Sequence[Sitter]

    @property
    def going_on(self) -> bool:
        return self.status in ("open", "playing")


class Manners:
    """How people behave, in one database."""

    def __init__(self, house: Tables) -> None:
        self.house, self.store = house, house.store

    # What people do.

    async def speaker(self, table_id: str, token: str, person: str) -> str:
        """Whose line it is that somebody is about to say, with a seat's token: the person who asks, else who holds that seat. Refused where
        one of them is silenced."""
        holders = select(places.c.person).where(places.c.table_id == table_id, places.c.token == token)
        silent = select(silences.c.person).where(_holds(), or_(silences.c.person == person, silences.c.person.in_(holders)))

        def read() -> tuple[str | None, str | None]:
            with self.store.reading.connect() as connection:
                return connection.scalar(silent.limit(1)), person or connection.scalar(holders.limit(1))

        silenced, whose = await asyncio.to_thread(read)
        if silenced is not None:
            raise Silenced("silenced", "The host has asked you to say nothing in chat for now.")
        return whose or ""

    async def report(self, person: str, table_id: str, number: int, reason: str) -> None:
        """Somebody wants a host to look at a line. The same once more is the same report."""

        def work(connection: Connection) -> None:
            said = connection.scalar(select(chat.c.text).where(_line(table_id, number)))
            if not said:
                raise _no_line()
            row = {"table_id": table_id, "number": number, "person": person, "text": said, "reason": reason, "at": time.time()}
            connection.execute(_REPORT, row)

        await transaction(self.store, work)

    # What a host sees.

    async def reported(self) -> list[Reported]:
        """The lines that wait for a host, the longest waiting first."""
        return await self._read(_reported)

    async def find(self, table_id: str) -> Found | None:
        """A table, with who sits there."""
        return await self._read(lambda connection: _found(connection, table_id))

    async def silenced(self) -> Sequence[tuple[str, float | None]]:
        """Who may say nothing now, and until when."""
        asked = select(silences.c.person, silences.c.until).where(_holds()).order_by(silences.c.at.desc()).limit(MOST)
        return await self._read(lambda connection: [(person, until) for person, until in connection.execute(asked)])

    async def done(self, before: int | None = None) -> Sequence[tuple[int, float, str, str]]:
        """What hosts did, a page of it: number, when, who and what."""
        return await self._read(lambda connection: notes(connection, MOST, before))

    async def _read(self, read: Callable[[Connection], T]) -> T:
        def work() -> T:
            with snapshot(self.store.engine) as connection:
                return read(connection)

        return await asyncio.to_thread(work)

    # What a host does.

    async def come_in(self) -> None:
        """Somebody has shown the key."""
        await self._do("came in", lambda connection: None)

    async def dismiss(self, table_id: str, number: int) -> None:
        """Nothing is to be done about a line."""
        await self._do(
            f"dismissed the reports of line {number} at table {table_id}", lambda connection: _settle(connection, table_id, number)
        )

    async def remove_line(self, table_id: str, number: int) -> None:
        """Nobody reads a line any more."""

        def work(connection: Connection) -> None:
            read_anew(connection, table_id)  # first, as all do: so nobody waits for each other
            if not connection.execute(update(chat).where(_line(table_id, number)).values(text="")).rowcount:
                raise _no_line()
            _settle(connection, table_id, number)

        await self._do(f"removed line {number} at table {table_id}", work, [table_id])

    async def silence(self, person: str, days: float | None) -> None:
        """Somebody says nothing in chat for so many days; or for good."""
        now = time.time()
        row = {"person": person, "at": now, "until": None if days is None else now + days * DAY}
        how_long = "for good" if days is None else f"for {days:g} days"
        await self._do(f"silenced person {person} {how_long}", lambda connection: _run(connection, _SILENCE.bindparams(**row)))

    async def let_speak(self, person: str) -> None:
        """They may talk again."""
        gone = delete(silences).where(silences.c.person == person)
        await self._do(f"let person {person} speak again", lambda connection: _run(connection, gone))

    async def close(self, table_id: str, reason: str) -> None:
        """End a game without a result."""
        await transaction(self.store, lambda connection: end_table(connection, table_id, reason, HOST))
        await self.house.host_did([table_id])

    async def limit(self, wanted: Mapping[str, float | None]) -> None:
        """What clients may do, for all servers."""
        await transaction(self.store, lambda connection: set_limits(connection, wanted, HOST))
        self.house.limit_as(await asyncio.to_thread(self.store.limits))

    async def _do(self, what: str, work: Callable[[Connection], None], table_ids: Iterable[str] = ()) -> None:
        """Something, and the line of it."""

        def noted(connection: Connection) -> None:
            work(connection)
            note(connection, what, HOST)

        await transaction(self.store, noted)
        await self.house.host_did(table_ids)


def _reported(connection: Connection) -> list[Reported]:
    """The lines that are reported, with what was said before them."""
    first = func.min(reports.c.at)
    lines = (
        select(reports.c.table_id, reports.c.number, first, func.count())
        .where(reports.c.settled.is_(None))
        .group_by(reports.c.table_id, reports.c.number)
        .order_by(first)
        .limit(MOST)
    )
    return [_one(connection, *row) for row in connection.execute(lines).all()]


def _one(connection: Connection, table_id: str, number: int, at: float, count: int) -> Reported:
    open_ones = (reports.c.table_id == table_id, reports.c.number == number, reports.c.settled.is_(None))
    told = connection.execute(select(reports.c.text, reports.c.reason).where(*open_ones).order_by(reports.c.at)).all()
    around = select(chat.c.number, chat.c.who, chat.c.person, chat.c.text).where(
        chat.c.table_id == table_id, chat.c.number <= number, chat.c.number >= number - CONTEXT
    )
    *before, line = connection.execute(around.order_by(chat.c.number)).all()
    status = connection.scalar(select(tables.c.status).where(tables.c.id == table_id))
    return Reported(
        table_id, number, line.who, line.person, told[0].text if told else "", at, count, [row.reason for row in told if row.reason],
        [(row.who, row.text) for row in before], status in ("open", "playing"),
    )  # fmt: skip


def _found(connection: Connection, table_id: str) -> Found | None:
    row = connection.execute(select(tables.c.game, tables.c.status, tables.c.since).where(tables.c.id == table_id)).first()
    if row is None:
        return None
    holder = select(func.min(places.c.person)).where(places.c.table_id == seats.c.table_id, places.c.token == seats.c.token)
    sitting = select(seats.c.name, seats.c.kind, holder.scalar_subquery()).where(seats.c.table_id == table_id).order_by(seats.c.seat)
    sitters = [Sitter(name, kind, (person or "") if kind == "person" else "") for name, kind, person in connection.execute(sitting)]
    return Found(table_id, row.game, row.status, row.since, sitters)


def _no_line() -> NoLine:
    return NoLine("no-line", "There is no such line any more.")


def _holds() -> ColumnElement[bool]:
    """Whether a silence is not over, as part of a statement."""
    return or_(silences.c.until.is_(None), silences.c.until > time.time())


def _line(table_id: str, number: int) -> ColumnElement[bool]:
    """A line that somebody said, as part of a statement."""
    return and_(chat.c.table_id == table_id, chat.c.number == number, chat.c.who != "")


def _settle(connection: Connection, table_id: str, number: int) -> None:
    """A host has looked at a line: that it was reported is all that is kept."""
    reported = update(reports).where(reports.c.table_id == table_id, reports.c.number == number, reports.c.settled.is_(None))
    connection.execute(reported.values(settled=time.time(), text="", reason=""))


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


_SILENCE = text(
    "INSERT INTO silences (person, at, until) VALUES (:person, :at, :until) ON CONFLICT (person) DO UPDATE SET at = :at, until = :until"
).bindparams(bindparam("until", type_=Float))
_REPORT = text(
    "INSERT INTO reports (table_id, number, person, text, reason, at) VALUES (:table_id, :number, :person, :text, :reason, :at)"
    " ON CONFLICT DO NOTHING"
)
