"""Admin: what a host does to the tables of a database, also while servers go on: see what there is and who plays, close, erase, keep
no more than is wanted, and set limits.

Every change leaves a line of who did what in the database itself, and so does asking for people. A server that has a closed or erased table
in memory hears of it within a second; whatever it would store there before that is refused, since the table is no longer as it knew it.
"""

from __future__ import annotations

import getpass
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, case, create_engine, delete, exists, func, insert, or_, select, update

from sheepfold.core.errors import SheepfoldError
from sheepfold.messages import SOMEBODY, Voice
from sheepfold.table.schema import (
    analyses,
    audit,
    chat,
    entrants,
    events,
    findings,
    hooks,
    intents,
    limits,
    notices,
    pairings,
    places,
    prepare,
    puzzles,
    rated_games,
    rated_seats,
    reports,
    results,
    seats,
    tables,
    tournaments,
)  # fmt: skip

DAY = 86400.0
TOGETHER = 500
"""How many tables are erased at a time, so that servers need not wait long."""


LONGEST_REASON = 300


class NotThere(SheepfoldError):
    """There is no such table."""


class AtAnEnd(SheepfoldError):
    """The game at a table that was to be closed has ended."""


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


@dataclass(frozen=True)
class Person:
    """A name that people sit under."""

    name: str
    playing: int
    """At how many tables that wait or are played at, and"""
    tables: int
    """at how many in all."""
    idle: float
    """Days since something happened at one of them."""


@contextmanager
def database(url: str) -> Iterator[Connection]:
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


def overview(url: str, status: str | None = None, most: int = 50, person: str | None = None) -> list[Line]:
    """The tables where something happened last; only those with that status, or of a person, if wanted."""
    plies = select(func.count()).where(events.c.table_id == tables.c.id).scalar_subquery()
    wanted = select(tables.c.id, tables.c.game, tables.c.status, plies, _LATEST).order_by(_LATEST.desc()).limit(most)
    if status:
        wanted = wanted.where(tables.c.status == status)
    if person is not None:
        wanted = wanted.where(tables.c.id.in_(select(seats.c.table_id).where(seats.c.kind == "person", seats.c.name == person)))
    with database(url) as connection:
        if person is not None:
            note(connection, f"looked at the tables of {person}", who_asks())
        found = connection.execute(wanted).all()
        sitting = (
            connection.execute(select(seats).where(seats.c.table_id.in_([row[0] for row in found])).order_by(seats.c.seat)).mappings().all()
        )
    people = {row[0]: [seat for seat in sitting if seat["table_id"] == row[0]] for row in found}
    now = time.time()
    return [
        Line(
            table_id, game, state, [Voice().called(seat["name"]) for seat in people[table_id] if seat["kind"] == "person"],
            sum(seat["kind"] == "bot" for seat in people[table_id]), count, max(0.0, now - latest) / DAY,
        )
        for table_id, game, state, count, latest in found
    ]  # fmt: skip


def people(url: str, most: int = 50) -> list[Person]:
    """Who sits where something happened last."""
    going_on = func.count(case((tables.c.status.in_(("open", "playing")), tables.c.id)).distinct())
    latest = func.max(_LATEST)
    wanted = select(seats.c.name, going_on, func.count(tables.c.id.distinct()), latest).join(tables)
    wanted = wanted.where(seats.c.kind == "person", seats.c.name.not_like(f"{SOMEBODY}%"))  # who has been erased is nobody
    with database(url) as connection:
        note(connection, "looked at the people", who_asks())
        found = connection.execute(wanted.group_by(seats.c.name).order_by(latest.desc()).limit(most)).all()
    return [Person(name, playing, count, max(0.0, time.time() - at) / DAY) for name, playing, count, at in found]


def numbers(url: str, name: str) -> list[tuple[str, int]]:
    """Persons who sit under a name, by their numbers, and at how many tables."""
    sits = and_(places.c.table_id == seats.c.table_id, places.c.token == seats.c.token, seats.c.kind == "person", seats.c.name == name)
    wanted = select(places.c.person, func.count(places.c.table_id.distinct())).join_from(places, seats, sits).group_by(places.c.person)
    with database(url) as connection:
        return [(person, count) for person, count in connection.execute(wanted.order_by(places.c.person))]


def close(url: str, table_id: str, reason: str = "") -> None:
    """End a game without a result: nobody acts there any more, but all can look on, each at what they were shown before."""
    with database(url) as connection:
        end_table(connection, table_id, reason, who_asks())


def end_table(connection: Connection, table_id: str, reason: str, who: str) -> None:
    """The same as part of other work."""
    why = " ".join(reason.split())[:LONGEST_REASON]
    while True:
        here = select(tables.c.status, tables.c.settings, tables.c.revision).where(tables.c.id == table_id)
        found = connection.execute(here).first()
        if found is None:
            raise NotThere(f"there is no table {table_id}")
        status, settings, revision = found
        if status not in ("open", "playing"):
            raise AtAnEnd(f"the game at table {table_id} has ended already: it is {status}")
        now = time.time()
        closed = {"status": "closed", "settings": json.dumps(json.loads(settings) | {"closed": why}), "revision": revision + 1}
        as_known = update(tables).where(tables.c.id == table_id, tables.c.revision == revision)
        if connection.execute(as_known.values(**closed, touched=now, since=now, turn=None, writer="", due=None)).rowcount:
            break
    note(connection, f"closed table {table_id}{f': {why}' if why else ''}", who)


def read_anew(connection: Connection, table_id: str, **values: Any) -> None:
    """Servers that know a table read it anew; what one of them is about to store there is overtaken."""
    grown = {"revision": tables.c.revision + 1, "asides": tables.c.asides + 1}
    connection.execute(update(tables).where(tables.c.id == table_id).values(**grown, **values))


def change_limits(url: str, wanted: Mapping[str, float | None]) -> dict[str, float]:
    """Set limits for all servers, or let them be as usual again (None); those that are set now. Servers hear of it within seconds."""
    with database(url) as connection:
        set_limits(connection, wanted, who_asks())
        return dict(connection.execute(select(limits.c.name, limits.c.value)).all())


def set_limits(connection: Connection, wanted: Mapping[str, float | None], who: str) -> None:
    """The same as part of other work."""
    for name, value in wanted.items():
        connection.execute(delete(limits).where(limits.c.name == name))
        if value is not None:
            connection.execute(insert(limits).values(name=name, value=value))
        note(connection, f"set the limit {name} to {value:g}" if value is not None else f"let the limit {name} be as usual", who)


def erase(url: str, table_id: str) -> None:
    """A table and all that was said and found out there; or a tournament, but not its tables."""
    with database(url) as connection:
        if connection.scalar(select(tables.c.id).where(tables.c.id == table_id)):
            _erase(connection, [table_id])
            note(connection, f"erased table {table_id}", who_asks())
        elif connection.scalar(select(tournaments.c.id).where(tournaments.c.id == table_id)):
            _erase_tournaments(connection, [table_id])
            note(connection, f"erased tournament {table_id}", who_asks())
        else:
            raise NotThere(f"there is no table {table_id}")


def tidy(url: str, finished: float, abandoned: float) -> tuple[int, int]:
    """Erase games that were over or closed so many days ago, and games where nothing has happened for so many; how many of each."""
    now, counted = time.time(), []
    for states, days in ((("over", "closed"), finished), (("open", "playing"), abandoned)):
        old = (
            select(tables.c.id).where(and_(or_(*(tables.c.status == each for each in states)), now - days * DAY > _LATEST)).limit(TOGETHER)
        )
        count = 0
        while True:
            with database(url) as connection:
                some = list(connection.execute(old).scalars())
                _erase(connection, some)
                if some:
                    were = "over" if "over" in states else "idle"
                    note(connection, f"erased {len(some)} tables that were {were} for {days:g} days", who_asks())
            count += len(some)
            if len(some) < TOGETHER:
                break
        counted.append(count)
    with database(url) as connection:
        ended = and_(tournaments.c.state != "running", now - finished * DAY > tournaments.c.since)
        if old_ones := list(connection.execute(select(tournaments.c.id).where(ended)).scalars()):
            _erase_tournaments(connection, old_ones)
            note(connection, f"erased {len(old_ones)} tournaments that were over for {finished:g} days", who_asks())
    return counted[0], counted[1]


def noted(url: str, most: int = 50) -> Sequence[tuple[float, str, str]]:
    """What was done, the latest first: when, who and what."""
    with database(url) as connection:
        return [line[1:] for line in notes(connection, most)]


def notes(connection: Connection, most: int, before: int | None = None) -> Sequence[tuple[int, float, str, str]]:
    """The same, from before a number on; the number of each line first."""
    wanted = select(audit.c.id, audit.c.at, audit.c.who, audit.c.what).order_by(audit.c.id.desc()).limit(most)
    found = connection.execute(wanted if before is None else wanted.where(audit.c.id < before))
    return [(number, at, who, what) for number, at, who, what in found]


def _erase(connection: Connection, table_ids: Sequence[str]) -> None:
    for kind in (findings, analyses):
        connection.execute(delete(kind).where(kind.c.id.in_(table_ids)))
    for kind in (intents, puzzles, reports, notices, hooks, places, results, chat, events, seats):
        connection.execute(delete(kind).where(kind.c.table_id.in_(table_ids)))
    counted = exists().where(rated_games.c.table_id == rated_seats.c.table_id)
    connection.execute(delete(rated_seats).where(rated_seats.c.table_id.in_(table_ids), ~counted))  # of others who was before whom stays
    connection.execute(delete(tables).where(tables.c.id.in_(table_ids)))


def _erase_tournaments(connection: Connection, tournament_ids: Sequence[str]) -> None:
    for kind in (pairings, entrants):
        connection.execute(delete(kind).where(kind.c.tournament_id.in_(tournament_ids)))
    connection.execute(delete(tournaments).where(tournaments.c.id.in_(tournament_ids)))


def note(connection: Connection, what: str, who: str) -> None:
    """A line of what a host did."""
    connection.execute(insert(audit).values(at=time.time(), who=who[:60], what=what))


def who_asks() -> str:
    """The person, also where the command is run as the server's own user."""
    return os.environ.get("SUDO_USER") or getpass.getuser()
