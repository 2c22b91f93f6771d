"""Admin: what a host does to the tables of a database, also while servers go on: see what there is, erase, and keep no more than is wanted.

Every change leaves a line of who did what in the database itself. A server that has an erased table in memory finds out with its next
change there, which is not stored.
"""

from __future__ import annotations

import getpass
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, and_, create_engine, delete, func, insert, or_, select

from sheepfold.core.errors import SheepfoldError
from sheepfold.table.schema import analyses, audit, chat, events, findings, prepare, seats, tables

DAY = 86400.0
TOGETHER = 500
"""How many tables are erased at a time, so that servers need not wait long."""


class NotThere(SheepfoldError):
    """There is no such table."""


@dataclass(frozen=True)
class Line:
    """A table as a host sees it."""

    id: str
    game: str
    status: str
    people: list[str]
    bots: int
    plies: int
    idle: float
    """Days since something happened there."""


@contextmanager
def _database(url: str) -> Iterator[Connection]:
    """A database of today, in one transaction."""
    engine = create_engine(url, hide_parameters=True)
    try:
        prepare(engine)
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


_LATEST = func.coalesce(func.nullif(tables.c.since, 0), tables.c.touched)
"""When something happened at a table last."""


def overview(url: str, status: str | None = None, most: int = 50) -> list[Line]:
    """The tables where something happened last."""
    plies = select(func.count()).where(events.c.table_id == tables.c.id).scalar_subquery()
    wanted = select(tables.c.id, tables.c.game, tables.c.status, plies, _LATEST).order_by(_LATEST.desc()).limit(most)
    with _database(url) as connection:
        found = connection.execute(wanted.where(tables.c.status == status) if status else wanted).all()
        sitting = (
            connection.execute(select(seats).where(seats.c.table_id.in_([row[0] for row in found])).order_by(seats.c.seat)).mappings().all()
        )
    people = {row[0]: [seat for seat in sitting if seat["table_id"] == row[0]] for row in found}
    now = time.time()
    return [
        Line(
            table_id, game, state, [seat["name"] for seat in people[table_id] if seat["kind"] == "person"],
            sum(seat["kind"] == "bot" for seat in people[table_id]), count, max(0.0, now - latest) / DAY,
        )
        for table_id, game, state, count, latest in found
    ]  # fmt: skip


def erase(url: str, table_id: str) -> None:
    """A table and all that was said and found out there."""
    with _database(url) as connection:
        if not connection.scalar(select(tables.c.id).where(tables.c.id == table_id)):
            raise NotThere(f"there is no table {table_id}")
        _erase(connection, [table_id])
        _note(connection, f"erased table {table_id}")


def tidy(url: str, finished: float, abandoned: float) -> tuple[int, int]:
    """Erase games that were over so many days ago, and games where nothing has happened for so many; how many of each."""
    now, counted = time.time(), []
    for states, days in ((("over",), finished), (("open", "playing"), abandoned)):
        old = (
            select(tables.c.id).where(and_(or_(*(tables.c.status == each for each in states)), now - days * DAY > _LATEST)).limit(TOGETHER)
        )
        count = 0
        while True:
            with _database(url) as connection:
                some = list(connection.execute(old).scalars())
                _erase(connection, some)
                if some:
                    _note(connection, f"erased {len(some)} tables that were {'over' if 'over' in states else 'idle'} for {days:g} days")
            count += len(some)
            if len(some) < TOGETHER:
                break
        counted.append(count)
    return counted[0], counted[1]


def noted(url: str, most: int = 50) -> Sequence[tuple[float, str, str]]:
    """What was done, the latest first: when, who and what."""
    with _database(url) as connection:
        found = connection.execute(select(audit.c.at, audit.c.who, audit.c.what).order_by(audit.c.id.desc()).limit(most))
        return [(at, who, what) for at, who, what in found]


def _erase(connection: Connection, table_ids: Sequence[str]) -> None:
    for kind in (findings, analyses):
        connection.execute(delete(kind).where(kind.c.id.in_(table_ids)))
    for kind in (chat, events, seats):
        connection.execute(delete(kind).where(kind.c.table_id.in_(table_ids)))
    connection.execute(delete(tables).where(tables.c.id.in_(table_ids)))


def _note(connection: Connection, what: str) -> None:
    connection.execute(insert(audit).values(at=time.time(), who=getpass.getuser()[:60], what=what))
