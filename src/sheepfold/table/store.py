"""Store: tables, seats, events and chat in a database. SQLite by default, PostgreSQL by URL.

One thread writes. It takes all that is waiting into one transaction, so a hundred tables share the price of making
their moves durable; whoever waits for a write is answered after the commit. Where the disk is quick, who has moves to store may do so
without the thread (`write_here`): two threads that both want the interpreter cost more than a short wait. The events of a table are
numbered, and the number is part of the key: two writers can never both store ply 17.
"""

from __future__ import annotations

import json
import math
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)  # fmt: skip
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from sheepfold.game.records import Event
from sheepfold.table.limits import CHAT_SHOWN

metadata = MetaData()
tables = Table(
    "tables", metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("components", String(32), nullable=False),
    Column("status", String(12), nullable=False),
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Index("tables_by_status", "status", "touched"),
)  # fmt: skip
seats = Table(
    "seats", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(60), nullable=False),
    Column("token", String(64), nullable=False),
    Column("level", String(20), nullable=False),
)  # fmt: skip
events = Table(
    "events", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("who", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("interrupt", Boolean, nullable=False),
    Column("at", Float, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip
chat = Table(
    "chat", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("who", String(60), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)  # fmt: skip

BATCH = 500
"""How many writes share a transaction at most."""
PATIENCE = 10_000
"""Milliseconds that the writer waits for another process that writes."""
QUICK = 0.01
"""Seconds that a transaction may take, on average, for its caller to wait for it; and"""
AGAIN = 10.0
"""seconds after which a disk that was slower is tried again."""
TIDY = 250
"""After so many of them the writer puts what SQLite has in its log where it belongs; that takes as long as many transactions."""


class Overtaken(SQLAlchemyError):
    """Another process has stored something at a table that this one has not heard of."""


@dataclass
class Seat:
    """Who sits on a seat. `kind` is person, bot or open (waiting for somebody)."""

    kind: str
    name: str = ""
    token: str = ""
    """What a person shows to act for the seat; unguessable, never sent to anybody else."""
    level: str = ""


@dataclass
class Stored:
    """All that the database knows of a table."""

    id: str
    game: str
    seats: list[Seat]
    options: dict[str, Any]
    settings: dict[str, Any]
    components: str
    status: str
    """open (waiting for people), playing or over."""
    created: float
    touched: float
    events: list[Event] = field(default_factory=list)
    chat: list[tuple[str, str, float]] = field(default_factory=list)
    """The latest lines, and"""
    said: int = 0
    """how many there are in all."""


@dataclass(slots=True)
class Append:
    """What happened at a table, from that ply on. By far the most frequent work, so those that wait together are stored in one go."""

    table_id: str
    ply: int
    happened: Sequence[Event]
    status: str | None
    """The table's status from now on, if it changes."""
    at: float


Work = Callable[[Connection], None] | Append


Answer = Callable[[list[Exception | None]], None]
"""Told by the writer, when works are durable or have failed: for each of them what went wrong, or None."""


class Store:
    """The database. Reads answer at once; writes give a Future that is done when they are durable."""

    def __init__(self, url: str) -> None:
        self.engine: Engine = create_engine(
            url,
            pool_pre_ping=True,  # a connection may have been lost since it was last used
            hide_parameters=True,  # a seat's token among them is nobody's business, in a log neither
        )
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _tune_sqlite)
        metadata.create_all(self.engine)
        self._is_sqlite = self.engine.dialect.name == "sqlite"
        self._connection: Connection | None = None
        """The writer's own."""
        self._impatient: Connection | None = None
        """That of `write_here`."""
        self._one_at_a_time = threading.Lock()
        self._took = 0.0
        """How long a transaction of `write_here` takes, on average, and"""
        self._slow_until = 0.0 if self._is_sqlite else math.inf
        """when that is to be tried again."""
        self._untidy = 0
        """How many there were since the log of SQLite was last tidied up."""
        self._waiting: queue.SimpleQueue[tuple[Sequence[Work], Answer] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="sheepfold-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Finish what is waiting and close."""
        self._waiting.put(None)
        self._writer.join()
        _close(self._impatient)
        self.engine.dispose()

    # Writing.

    def write(self, work: Work) -> Future[None]:
        """Do some work in the writer's next transaction."""
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # from here on it happens, whoever stops waiting for it

        def answer(outcomes: list[Exception | None]) -> None:
            if outcomes[0] is None:
                done.set_result(None)
            else:
                done.set_exception(outcomes[0])

        self.write_together([work], answer)
        return done

    def write_together(self, works: Sequence[Work], answer: Answer) -> None:
        """Do all that has come together in the writer's next transaction; each may fail alone."""
        self._waiting.put((works, answer))

    def write_here(self, works: Sequence[Work]) -> bool:
        """Moves at once, in this thread: whether they are stored. Not where that takes long, or where other work is among it, another
        process holds the lock or anything is amiss: then nothing is done, and the writer waits as long as it takes and says what it is."""
        began = time.monotonic()
        if began < self._slow_until or not self._one_at_a_time.acquire(blocking=False):
            return False
        try:
            self._impatient = self._impatient or self._connect_impatiently()
            if not _append_all_sqlite(self._impatient, works):
                return False
        except Exception:
            _close(self._impatient)
            self._impatient = None
            return False
        finally:
            self._one_at_a_time.release()
        now = time.monotonic()
        self._took += (now - began - self._took) / 16
        if self._took > QUICK:
            self._took, self._slow_until = 0.0, now + AGAIN
        self._untidy += 1
        if self._untidy == TIDY:
            self._untidy = 0
            self.write_together((), self._tidy)
        return True

    def _connect_impatiently(self) -> Connection:
        """A connection that waits for nobody's lock, that nobody else is given, and that leaves the tidying to the writer."""
        connection = self.engine.connect()
        connection.detach()
        _raw(connection).execute("PRAGMA busy_timeout=0")
        _raw(connection).execute("PRAGMA wal_autocheckpoint=0")
        return connection

    def _tidy(self, _: object) -> None:
        """In the writer's thread, while others go on; what cannot be done now is done the next time."""
        with suppress(Exception):
            assert self._connection
            _raw(self._connection).execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _write_all(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch, size = [first], len(first[0])
            while size < BATCH and not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    self._waiting.put(None)
                    break
                batch.append(following)
                size += len(following[0])
            with self._one_at_a_time:
                outcomes = self._commit([work for works, _ in batch for work in works])
            start = 0
            for works, answer in batch:
                answer(outcomes[start : start + len(works)])
                start += len(works)
        self._hang_up()

    def _commit(self, works: Sequence[Work], short: bool = True) -> list[Exception | None]:
        """One transaction; `short` where moves may take the short way, whose errors are not told apart."""
        try:
            connection = self._connection = self._connection or self.engine.connect()
            if short and self._is_sqlite and _append_all_sqlite(connection, works):
                return [None] * len(works)
            with connection.begin():
                appends: list[Append] = []
                for work in works:
                    if isinstance(work, Append):
                        appends.append(work)
                    else:  # in order: it may take back what was appended before it
                        _append_all(connection, appends)
                        appends = []
                        work(connection)
                _append_all(connection, appends)
        except Exception as error:
            self._hang_up()
            if not short or (isinstance(error, OperationalError) and not error.connection_invalidated):
                return [error] * len(works)  # where the database is locked, full or away, no work alone fares better
            return [outcome for work in works for outcome in self._commit([work], short=False)]  # one bad write must not spoil the others
        return [None] * len(works)

    def _hang_up(self) -> None:
        """Let the writer's connection go; the next work opens another."""
        _close(self._connection)
        self._connection = None

    def create(self, stored: Stored) -> Future[None]:
        """A new table."""

        def work(connection: Connection) -> None:
            connection.execute(
                insert(tables).values(
                    id=stored.id, game=stored.game, seats=len(stored.seats), options=json.dumps(stored.options),
                    settings=json.dumps(stored.settings), components=stored.components, status=stored.status,
                    created=stored.created, touched=stored.touched,
                )
            )  # fmt: skip
            connection.execute(insert(seats), [_seat_row(stored.id, number, seat) for number, seat in enumerate(stored.seats)])
            if stored.events:
                connection.execute(insert(events), _event_rows(stored.id, 0, stored.events, stored.created))

        return self.write(work)

    def append(self, table_id: str, ply: int, happened: Sequence[Event], status: str | None = None) -> Future[None]:
        """What happened at a table, from that ply on."""

        return self.write(Append(table_id, ply, happened, status, time.time()))

    def truncate(self, table_id: str, ply: int, status: str, length: int) -> Future[None]:
        """Take back everything from that ply on, of a log of that length."""

        def work(connection: Connection) -> None:
            if connection.scalar(select(func.count()).select_from(events).where(events.c.table_id == table_id)) != length:
                raise Overtaken
            connection.execute(delete(events).where(events.c.table_id == table_id, events.c.ply >= ply))
            connection.execute(update(tables).where(tables.c.id == table_id).values(status=status, touched=time.time()))

        return self.write(work)

    def sit(self, table_id: str, number: int, before: Seat, seat: Seat, status: str) -> Future[None]:
        """Somebody else on a seat."""
        held = (seats.c.table_id == table_id, seats.c.seat == number, seats.c.kind == before.kind, seats.c.token == before.token)

        def work(connection: Connection) -> None:
            if connection.execute(update(seats).where(*held).values(**_seat_row(table_id, number, seat))).rowcount == 0:
                raise Overtaken
            connection.execute(update(tables).where(tables.c.id == table_id).values(status=status, touched=time.time()))

        return self.write(work)

    def settle(self, table_id: str, settings: dict[str, Any]) -> Future[None]:
        """Changed settings of a table."""
        changed = update(tables).where(tables.c.id == table_id).values(settings=json.dumps(settings))
        return self.write(lambda connection: _run(connection, changed))

    def say(self, table_id: str, number: int, who: str, text: str, at: float) -> Future[None]:
        """A line of chat."""
        line = insert(chat).values(table_id=table_id, number=number, who=who, text=text, at=at)
        return self.write(lambda connection: _run(connection, line))

    # Reading.

    def load(self, table_id: str) -> Stored | None:
        """A table as it was last stored."""
        with self.engine.connect() as connection:
            row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
            if row is None:
                return None
            sitting = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)).mappings()
            happened = connection.execute(
                select(events.c.who, events.c.action, events.c.interrupt).where(events.c.table_id == table_id).order_by(events.c.ply)
            )
            said = _said(connection, table_id)
            return Stored(
                id=row["id"], game=row["game"], options=json.loads(row["options"]), settings=json.loads(row["settings"]),
                components=row["components"], status=row["status"], created=row["created"], touched=row["touched"],
                seats=[Seat(each["kind"], each["name"], each["token"], each["level"]) for each in sitting],
                events=[Event(who, action, bool(interrupt)) for who, action, interrupt in happened],
                chat=[(who, text, at) for _, who, text, at in said], said=said[-1][0] + 1 if said else 0,
            )  # fmt: skip

    def lines(self, table_id: str, before: int) -> Sequence[tuple[int, str, str, float]]:
        """The lines of chat before that number, a page of them: number, who, what and when."""
        with self.engine.connect() as connection:
            return _said(connection, table_id, chat.c.number < before)

    def list(self, status: str, most: int = 50, listed: bool = False) -> Sequence[str]:
        """The ids of tables with that status, the latest first; only those for the lobby, if wanted."""
        wanted = [tables.c.status == status, *([tables.c.settings.contains(_LISTED, autoescape=True)] if listed else [])]
        with self.engine.connect() as connection:
            found = connection.execute(select(tables.c.id).where(*wanted).order_by(tables.c.touched.desc()).limit(most))
            return [row[0] for row in found]

    def count(self) -> dict[str, int]:
        """How many tables there are of each status."""
        with self.engine.connect() as connection:
            counted = connection.execute(select(tables.c.status, func.count()).group_by(tables.c.status))
            return {str(status): int(number) for status, number in counted}


def _tune_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={PATIENCE}", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _raw(connection: Connection) -> Any:
    """What Python's own module for the database gave."""
    return connection.connection.dbapi_connection


def _close(connection: Connection | None) -> None:
    if connection:
        with suppress(Exception):
            connection.close()


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


_LISTED = json.dumps({"listed": True})[1:-1]
"""So it stands among the settings; inside a text there, quotes would have a backslash before them."""


def _said(connection: Connection, table_id: str, *which: ColumnElement[bool]) -> Sequence[tuple[int, str, str, float]]:
    """The latest lines of chat, or the latest of those."""
    wanted = select(chat.c.number, chat.c.who, chat.c.text, chat.c.at).where(chat.c.table_id == table_id, *which)
    found = connection.execute(wanted.order_by(chat.c.number.desc()).limit(CHAT_SHOWN))
    return [(number, who, text, at) for number, who, text, at in found][::-1]


def _seat_row(table_id: str, number: int, seat: Seat) -> dict[str, Any]:
    return {"table_id": table_id, "seat": number, "kind": seat.kind, "name": seat.name, "token": seat.token, "level": seat.level}


def _append_all(connection: Connection, appends: Sequence[Append]) -> None:
    if appends:
        rows = [row for each in appends for row in _event_rows(each.table_id, each.ply, each.happened, each.at)]
        connection.execute(insert(events), rows)
        _change_status(connection, appends)


def _append_all_sqlite(connection: Connection, works: Sequence[Work]) -> bool:
    """The same for SQLite past SQLAlchemy, since moves come by the thousand. False, and nothing is done, where there is other work
    among it."""
    rows = []
    for work in works:
        if not isinstance(work, Append) or work.status:
            return False
        for ply, (who, action, interrupt) in enumerate(work.happened, work.ply):
            rows.append((work.table_id, ply, who, action, interrupt, work.at))
    raw = _raw(connection)
    try:
        raw.executemany(_INSERT, rows)  # begins a transaction
        raw.commit()
    except sqlite3.OperationalError as error:
        raw.rollback()
        raise OperationalError(_INSERT, None, error) from error
    except BaseException:
        raw.rollback()
        raise
    return True


_INSERT = "INSERT INTO events (table_id, ply, who, action, interrupt, at) VALUES (?, ?, ?, ?, ?, ?)"


def _change_status(connection: Connection, appends: Sequence[Append]) -> None:
    for each in appends:
        if each.status:
            connection.execute(update(tables).where(tables.c.id == each.table_id).values(status=each.status, touched=each.at))


def _event_rows(table_id: str, ply: int, happened: Iterable[Event], at: float) -> list[dict[str, Any]]:
    return [
        {"table_id": table_id, "ply": ply + index, "who": each.who, "action": each.action, "interrupt": each.interrupt, "at": at}
        for index, each in enumerate(happened)
    ]
