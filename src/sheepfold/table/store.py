"""Store: tables, seats, events and chat in a database. SQLite by default, for one server; PostgreSQL by URL, for any number.

One thread writes. It takes all that is waiting into one transaction, so a hundred tables share the price of making
their moves durable; whoever waits for a write is answered after the commit. Where the disk is quick, who has moves to store may do so
without the thread (`write_here`): two threads that both want the interpreter cost more than a short wait.

A change at a table names the revision that its writer knew, and is stored only if the table still has it, in one transaction. So of two
servers that act at once one is Overtaken, reads again, and nothing of what it believed is stored.
"""

from __future__ import annotations

import json
import math
import os
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    RowMapping,
    TableClause,
    Text,
    Update,
    and_,
    bindparam,
    case,
    cast,
    create_engine,
    delete,
    event,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    true,
    update,
)  # fmt: skip
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from sheepfold.game.records import Event
from sheepfold.table.limits import CHAT_SHOWN
from sheepfold.table.schema import audit, chat, component_files, events, limits, places, prepare, results, seats, servers, tables

BATCH = 500
"""How many writes share a transaction at most."""
PATIENCE = 10_000
"""Milliseconds that the writer waits for another process that writes."""
QUICK = 0.01
"""Seconds that a transaction may take, on average, for its caller to wait for it; and"""
AGAIN = 10.0
"""seconds after which a disk that was slower is tried again."""
_GIVEN_UP = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 2, "tcp_user_timeout": 5000}
POSTGRESQL = {
    "options": " ".join(
        f"-c {name}={value}" for name, value in {"idle_in_transaction_session_timeout": 2000, "lock_timeout": 4000, **_GIVEN_UP}.items()
    ),
    "connect_timeout": 3, **{name.replace("tcp_keepalives", "keepalives"): value for name, value in _GIVEN_UP.items()},
}  # fmt: skip
"""What a server that was stopped in the middle of a transaction has locked is free again after two seconds, and a line that is cut without
a word is given up at both ends after a few: else those of a host that is gone would fill up the database."""
SEEN = 15.0
"""Seconds after which a server that has not reported is taken for gone."""
TIDY = 250
"""After so many of them the writer puts what SQLite has in its log where it belongs; that takes as long as many transactions."""


class Overtaken(SQLAlchemyError):
    """Another server has stored something at a table that this one has not heard of."""


class InUse(SQLAlchemyError):
    """Another process has this SQLite database open."""


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
    """open (waiting for people), playing, over, or closed by the host."""
    created: float
    touched: float
    events: list[Event] = field(default_factory=list)
    chat: list[tuple[str, str, float]] = field(default_factory=list)
    """The latest lines, and"""
    said: int = 0
    """how many there are in all."""
    revision: int = 0
    undos: int = 0
    asides: int = 0
    since: float = 0.0
    """When the present decision began."""
    turn: int | None = None
    """The seat of the person whom it waits for, if it is one."""
    used: list[float] | None = None
    """What each seat has used up of its time."""
    writer: str = ""
    """The server that changed it last."""
    secret: str = ""
    """Of its chance; never sent to anybody before the game is over."""
    rules: int = 1
    """The version of the game's rules that its log is written in."""
    printed: str | None = None
    """The component file that it was begun with; not needed where it is kept with the settings."""


@dataclass(slots=True)
class Change:
    """What happens at a table that has that revision. Events alone are by far the most frequent, so those that wait together are stored in
    one go."""

    table_id: str
    revision: int
    ply: int = 0
    happened: Sequence[Event] = ()
    """From that ply on."""
    status: str | None = None
    """The table's status from now on, if it changes."""
    due: float | None = None
    """In how many seconds another server may go on here if nothing has changed by then; None where nobody needs to."""
    at: float = field(default_factory=time.time)
    since: float | None = None
    """When the decision began that is to be made now, if not with this, and"""
    turn: int | None = None
    """the seat of the person whom it waits for, if it is one."""
    used: Sequence[float] | None = None
    """What each seat has used up of its time from now on, where that is for the whole game."""
    ended: Sequence[tuple[int, int]] = ()
    """Where the game is over with it: points and rank of each seat."""
    more: Callable[[Connection], None] | None = None
    """What else is stored with it."""


Work = Callable[[Connection], None] | Change


Answer = Callable[[list[Exception | None]], None]
"""Told by the writer, when works are durable or have failed: for each of them what went wrong, or None."""


class Store:
    """The database. Reads answer at once; writes give a Future that is done when they are durable."""

    def __init__(self, url: str, alone: bool = True) -> None:
        """`alone`: as a server, which has a SQLite database to itself; without it for a moment beside one."""
        self.engine: Engine = create_engine(
            url,
            pool_pre_ping=True,  # a connection may have been lost since it was last used
            hide_parameters=True,  # a seat's token among them is nobody's business, in a log neither
            connect_args=POSTGRESQL if make_url(url).get_backend_name() == "postgresql" else {},
        )
        self.shared = self.engine.dialect.name != "sqlite"
        """Whether other servers may be at work in the same database."""
        self.reading = self.engine.execution_options(isolation_level="AUTOCOMMIT") if self.shared else self.engine
        """For single statements, which need no transaction."""
        self.name = secrets.token_hex(8)
        """This server's, as others see it."""
        self._lock = None if self.shared or not alone else _only_one(self.engine.url.database)
        if not self.shared:
            event.listen(self.engine, "connect", _tune_sqlite)
        try:
            prepare(self.engine)
        except BaseException:
            self.engine.dispose()
            _let_go(self._lock)
            raise
        self._connection: Connection | None = None
        """The writer's own."""
        self._impatient: Connection | None = None
        """That of `write_here`."""
        self._one_at_a_time = threading.Lock()
        self._took = 0.0
        """How long a transaction of `write_here` takes, on average, and"""
        self._slow_until = math.inf if self.shared else 0.0
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
        _let_go(self._lock)

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
            if not _change_all_sqlite(self._impatient, works, self.name):
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
            if short and not self.shared and _change_all_sqlite(connection, works, self.name):
                return [None] * len(works)
            outcomes: list[Exception | None] = []
            with connection.begin():
                if not self.shared:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                for changes, together in groupby(works, lambda work: isinstance(work, Change)):
                    if changes:
                        outcomes += self._change_all(connection, list(together))  # type: ignore[arg-type]
                        continue
                    for work in together:
                        work(connection)  # type: ignore[operator]
                        outcomes.append(None)
            return outcomes
        except Exception as error:
            self._hang_up()
            if not short or (isinstance(error, OperationalError) and not error.connection_invalidated):
                return [error] * len(works)  # where the database is locked, full or away, no work alone fares better
            return [outcome for work in works for outcome in self._commit([work], short=False)]  # one bad write must not spoil the others

    def _change_all(self, connection: Connection, changes: Sequence[Change]) -> list[Exception | None]:
        """Store those changes whose tables are as their writers knew them; of each whether it was overtaken. Rows are locked in order, so
        that servers with the same tables in hand wait for each other one way only."""
        ids = sorted({each.table_id for each in changes})
        known: dict[str, int] = dict(
            connection.execute(
                select(tables.c.id, tables.c.revision).where(tables.c.id.in_(ids)).order_by(tables.c.id).with_for_update()
            ).all()
        )
        stored, outcomes = [], list[Exception | None]()
        for each in changes:
            if known.get(each.table_id) == each.revision:
                known[each.table_id] += 1
                stored.append(each)
                outcomes.append(None)
            else:
                outcomes.append(Overtaken("the table has changed meanwhile"))
        if not stored:
            return outcomes
        connection.execute(
            update(tables)
            .where(tables.c.id == bindparam("_id"))
            .values(
                revision=tables.c.revision + 1,
                asides=tables.c.asides + bindparam("_aside"),
                writer=self.name,
                since=bindparam("_since"),
                turn=bindparam("_turn"),
                used=func.coalesce(bindparam("_used", type_=Text), tables.c.used),
                due=self.now() + bindparam("_due"),
            ),
            [
                {
                    "_id": each.table_id,
                    "_aside": int(each.more is not None),
                    "_since": _since(each),
                    "_turn": each.turn,
                    "_used": None if each.used is None else json.dumps(each.used),
                    "_due": each.due,
                }
                for each in stored
            ],
        )
        for each in stored:
            if each.status:
                connection.execute(update(tables).where(tables.c.id == each.table_id).values(status=each.status, touched=each.at))
            if each.more:
                each.more(connection)
        if over := [row for each in stored for row in _result_rows(each.table_id, each.ended)]:
            connection.execute(insert(results), over)
        if rows := [row for each in stored for row in _event_rows(each.table_id, each.ply, each.happened, each.at)]:
            connection.execute(insert(events), rows)
        return outcomes

    def now(self) -> ColumnElement[Any]:
        """The time by the database's clock, which is the same for all servers; SQLite's is this machine's."""
        return cast(func.extract("epoch", func.clock_timestamp()), Float) if self.shared else literal(time.time(), Float)

    def _hang_up(self) -> None:
        """Let the writer's connection go; the next work opens another."""
        _close(self._connection)
        self._connection = None

    def create(self, stored: Stored, due: float | None = None, also: Callable[[Connection], None] | None = None) -> Future[None]:
        """A new table, and what else is to be stored with it."""

        def work(connection: Connection) -> None:
            self.insert(connection, stored, due)
            if also:
                also(connection)

        return self.write(work)

    def insert(self, connection: Connection, stored: Stored, due: float | None = None) -> None:
        """A new table, as part of other work."""
        row = {
            "id": stored.id, "game": stored.game, "seats": len(stored.seats), "options": json.dumps(stored.options),
            "settings": json.dumps(stored.settings), "components": stored.components, "status": stored.status,
            "created": stored.created, "touched": stored.touched, "revision": stored.revision, "since": stored.since,
            "turn": stored.turn, "writer": self.name, "secret": stored.secret, "rules": stored.rules,
        }  # fmt: skip
        connection.execute(insert(tables).values(**row, due=None if due is None else self.now() + due))
        connection.execute(insert(seats), [_seat_row(stored.id, number, seat) for number, seat in enumerate(stored.seats)])
        if stored.events:
            connection.execute(insert(events), _event_rows(stored.id, 0, stored.events, stored.created))
        if stored.printed is not None:  # perhaps by another server at the same moment
            connection.execute(_KEEP_PRINTED, {"digest": stored.components, "text": stored.printed})

    def claim(self, table_id: str, revision: int, due: float) -> Future[bool]:
        """Go on with a table that nobody goes on with: whether that is this server's business now. It counts as a change, so that what
        another server believed is overtaken."""
        wish = update(tables).where(tables.c.id == table_id, tables.c.revision == revision, self.free(tables))
        wish = wish.values(revision=tables.c.revision + 1, writer=self.name, due=self.now() + due)
        return self.whether(wish)

    def free(self, what: TableClause) -> ColumnElement[bool]:
        """Of things that a server goes on with (`writer`, until `due`) those that this one may."""
        return or_(what.c.due.is_(None), what.c.due < self.now(), what.c.writer == self.name) if self.shared else true()

    def whether(self, wish: Update) -> Future[bool]:
        """Change something, if it is as the wish says; whether it was."""
        settled: Future[bool] = Future()
        found: list[bool] = []

        def settle(written: Future[None]) -> None:
            if failure := written.exception():
                settled.set_exception(failure)
            else:
                settled.set_result(found[-1])

        self.write(lambda connection: found.append(connection.execute(wish).rowcount == 1)).add_done_callback(settle)
        return settled

    def put_off(self, table_ids: Iterable[str], due: float | None) -> Future[None]:
        """This server still goes on with these tables, until then; or, with None, there is nothing to be done there."""
        ids = list(table_ids)
        later = (
            update(tables).where(tables.c.id.in_(ids), tables.c.writer == self.name).values(due=None if due is None else self.now() + due)
        )
        return self.write(lambda connection: _run(connection, later))

    def report(self, figures: Mapping[str, float] | None) -> Future[None]:
        """What this server has counted so far, for all to see; or, with None, it ends."""

        def work(connection: Connection) -> None:
            gone = or_(servers.c.name == self.name, servers.c.seen < self.now() - 60 * SEEN)
            connection.execute(delete(servers).where(gone))
            if figures is not None:
                connection.execute(insert(servers).values(name=self.name, seen=self.now(), figures=json.dumps(figures)))

        return self.write(work)

    async def connect_to_tell(self) -> Any:
        """A line of one's own to PostgreSQL, for hints to other servers and from them."""
        from psycopg import AsyncConnection

        return await AsyncConnection.connect(_plain_url(self.engine.url), autocommit=True, connect_timeout=5)

    # Reading.

    def load(self, table_id: str) -> Stored | None:
        """A table as it was last stored; of its chat the latest lines."""
        with snapshot(self.engine) as connection:
            printed = select(component_files.c.text).where(component_files.c.digest == tables.c.components).scalar_subquery()
            row = connection.execute(select(tables, printed.label("printed")).where(tables.c.id == table_id)).mappings().first()
            if row is None:
                return None
            sitting = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)).mappings()
            log = select(events.c.who, events.c.action, events.c.interrupt).where(events.c.table_id == table_id).order_by(events.c.ply)
            said = _said(connection, table_id)
            return replace(
                _stored(row), printed=row["printed"], seats=[_seat(each) for each in sitting],
                events=[Event(who, action, bool(cut_in)) for who, action, cut_in in connection.execute(log)],
                chat=[(who, text, at) for _, who, text, at in said], said=said[-1][0] + 1 if said else 0,
            )  # fmt: skip

    def news(self, known: Mapping[str, int]) -> dict[str, Stored]:
        """Tables of which so many events are known, with those that have come since; without who sits there and what was said. In one
        statement, so that all of it is of one moment."""
        more = and_(events.c.table_id == tables.c.id, events.c.ply >= case(dict(known), value=tables.c.id))
        log = select(tables, events.c.ply, events.c.who, events.c.action, events.c.interrupt).join_from(tables, events, more, isouter=True)
        found: dict[str, Stored] = {}
        with self.reading.connect() as connection:
            for row in connection.execute(log.where(tables.c.id.in_(list(known))).order_by(events.c.ply)).mappings():
                stored = found.get(row["id"]) or found.setdefault(row["id"], _stored(row))
                if row["ply"] is not None:
                    stored.events.append(Event(row["who"], row["action"], bool(row["interrupt"])))
        return found

    def revisions(self, table_ids: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Of each of these tables the revision, and how often something was taken back."""
        asked = select(tables.c.id, tables.c.revision, tables.c.undos).where(tables.c.id.in_(list(table_ids)))
        with self.reading.connect() as connection:
            return {table_id: (revision, undos) for table_id, revision, undos in connection.execute(asked)}

    def latest_note(self) -> int | None:
        """The number of the latest line of what hosts did."""
        with self.engine.connect() as connection:
            latest: int | None = connection.scalar(select(func.max(audit.c.id)))
            return latest

    def reports(self) -> dict[str, dict[str, float]]:
        """By its name, what each other server has counted that works now."""
        asked = select(servers.c.name, servers.c.figures).where(servers.c.name != self.name, servers.c.seen > self.now() - SEEN)
        with self.engine.connect() as connection:
            return {name: json.loads(figures) for name, figures in connection.execute(asked)}

    def limits(self) -> dict[str, float]:
        """Those that a host has set for all servers."""
        with self.engine.connect() as connection:
            return dict(connection.execute(select(limits.c.name, limits.c.value)).all())

    def overdue(self, most: int = 50) -> Sequence[str]:
        """Tables where people sit and nobody goes on with what is due, the longest waiting first."""
        seated = exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "person")
        asked = select(tables.c.id).where(tables.c.due < self.now(), tables.c.status == "playing", seated)
        with self.engine.connect() as connection:
            return list(connection.execute(asked.order_by(tables.c.due).limit(most)).scalars())

    def lines(self, table_id: str, before: int) -> Sequence[tuple[int, str, str, float]]:
        """The lines of chat before that number, a page of them: number, who, what and when."""
        with self.engine.connect() as connection:
            return _said(connection, table_id, chat.c.number < before)

    def count(self) -> dict[str, int]:
        """How many tables there are of each status."""
        with self.engine.connect() as connection:
            counted = connection.execute(select(tables.c.status, func.count()).group_by(tables.c.status))
            return {str(status): int(number) for status, number in counted}


# What else a change may bring.


def taken_back(table_id: str, ply: int) -> Callable[[Connection], None]:
    """Everything from that ply on has not happened."""

    def work(connection: Connection) -> None:
        connection.execute(delete(events).where(events.c.table_id == table_id, events.c.ply >= ply))
        connection.execute(delete(results).where(results.c.table_id == table_id))
        connection.execute(update(tables).where(tables.c.id == table_id).values(undos=tables.c.undos + 1))

    return work


def seated(table_id: str, number: int, seat: Seat) -> Callable[[Connection], None]:
    """Somebody else on a seat."""
    there = update(seats).where(seats.c.table_id == table_id, seats.c.seat == number)
    return lambda connection: _run(connection, there.values(**_seat_row(table_id, number, seat)))


def relocked(table_id: str, token: str, fresh: str) -> Callable[[Connection], None]:
    """Another token for the seats that have this one, and for the place of who sits there."""

    def work(connection: Connection) -> None:
        for kind in (seats, places):
            connection.execute(update(kind).where(kind.c.table_id == table_id, kind.c.token == token).values(token=fresh))

    return work


def settled(table_id: str, settings: dict[str, Any]) -> Callable[[Connection], None]:
    """Changed settings."""
    changed = update(tables).where(tables.c.id == table_id).values(settings=json.dumps(settings))
    return lambda connection: _run(connection, changed)


def begun_with(table_id: str, components: str, rules: int, printed: str | None) -> Callable[[Connection], None]:
    """A game begins with other pieces, or by other rules, than there were when its table was made."""

    def work(connection: Connection) -> None:
        connection.execute(update(tables).where(tables.c.id == table_id).values(components=components, rules=rules))
        if printed is not None:
            connection.execute(_KEEP_PRINTED, {"digest": components, "text": printed})

    return work


def said(table_id: str, number: int, who: str, text: str, at: float, person: str = "") -> Callable[[Connection], None]:
    """A line of chat, by a person where that is known."""
    line = insert(chat).values(table_id=table_id, number=number, who=who, text=text, at=at, person=person)
    return lambda connection: _run(connection, line)


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection that sees the database as it is at one moment, whatever is stored meanwhile."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        else:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


def _tune_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={PATIENCE}", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _only_one(database: str | None) -> int | None:
    """Hold the file that says that a server is at work in a SQLite database. The system lets it go when the process ends, however."""
    if not database or database == ":memory:" or database.startswith("file:") or os.name == "nt":
        return None
    import fcntl

    try:
        held = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:  # SQLite will say what is wrong with the place
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise InUse(f"another server has {database} open; SQLite is for one at a time, PostgreSQL for any number") from None
    return held


def _let_go(held: int | None) -> None:
    if held is not None:
        os.close(held)


def _plain_url(url: URL) -> str:
    """As PostgreSQL's own library reads it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _raw(connection: Connection) -> Any:
    """What Python's own module for the database gave."""
    return connection.connection.dbapi_connection


def _close(connection: Connection | None) -> None:
    if connection:
        with suppress(Exception):
            connection.close()


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


def _said(connection: Connection, table_id: str, *which: ColumnElement[bool]) -> Sequence[tuple[int, str, str, float]]:
    """The latest lines of chat, or the latest of those."""
    wanted = select(chat.c.number, chat.c.who, chat.c.text, chat.c.at).where(chat.c.table_id == table_id, *which)
    found = connection.execute(wanted.order_by(chat.c.number.desc()).limit(CHAT_SHOWN))
    return [(number, who, text, at) for number, who, text, at in found][::-1]


def _stored(row: RowMapping) -> Stored:
    """A table without who sits there, and what was done and said."""
    return Stored(
        id=row["id"], game=row["game"], seats=[], options=json.loads(row["options"]), settings=json.loads(row["settings"]),
        components=row["components"], status=row["status"], created=row["created"], touched=row["touched"],
        revision=row["revision"], undos=row["undos"], asides=row["asides"], since=row["since"], turn=row["turn"],
        used=json.loads(row["used"]) if row["used"] else None,
        writer=row["writer"], secret=row["secret"], rules=row["rules"],
    )  # fmt: skip


def _seat(row: RowMapping) -> Seat:
    return Seat(row["kind"], row["name"], row["token"], row["level"])


def _seat_row(table_id: str, number: int, seat: Seat) -> dict[str, Any]:
    return {"table_id": table_id, "seat": number, "kind": seat.kind, "name": seat.name, "token": seat.token, "level": seat.level}


def _since(change: Change) -> float:
    return change.at if change.since is None else change.since


def _change_all_sqlite(connection: Connection, works: Sequence[Work], writer: str) -> bool:
    """Events for SQLite past SQLAlchemy, since moves come by the thousand. False, and nothing is done, where there is other work among it,
    or a table has changed meanwhile."""
    rows, revisions = [], []
    for work in works:
        if not isinstance(work, Change) or work.status or work.more or work.used is not None:
            return False
        for ply, (who, action, interrupt) in enumerate(work.happened, work.ply):
            rows.append((work.table_id, ply, who, action, interrupt, work.at))
        revisions.append((work.at, work.turn, writer, None if work.due is None else work.at + work.due, work.table_id, work.revision))
    raw = _raw(connection)
    try:
        known: bool = raw.executemany(_REVISE, revisions).rowcount == len(revisions)  # begins a transaction
        if known:
            raw.executemany(_INSERT, rows)
            raw.commit()
        else:
            raw.rollback()
        return known
    except sqlite3.OperationalError as error:
        raw.rollback()
        raise OperationalError(_INSERT, None, error) from error
    except BaseException:
        raw.rollback()
        raise


_KEEP_PRINTED = text("INSERT INTO component_files (digest, text) VALUES (:digest, :text) ON CONFLICT DO NOTHING")
_REVISE = "UPDATE tables SET revision = revision + 1, since = ?, turn = ?, writer = ?, due = ? WHERE id = ? AND revision = ?"
_INSERT = "INSERT INTO events (table_id, ply, who, action, interrupt, at) VALUES (?, ?, ?, ?, ?, ?)"


def _event_rows(table_id: str, ply: int, happened: Iterable[Event], at: float) -> list[dict[str, Any]]:
    return [
        {"table_id": table_id, "ply": ply + index, "who": each.who, "action": each.action, "interrupt": each.interrupt, "at": at}
        for index, each in enumerate(happened)
    ]


def _result_rows(table_id: str, ended: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
    return [{"table_id": table_id, "seat": seat, "score": score, "rank": rank} for seat, (score, rank) in enumerate(ended)]
