"""Backup: all that a database holds, copied as it is at one moment while servers go on; into a file, and from one into an empty database.

The file is a SQLite database, whatever kind it was taken from, so a backup also leads from SQLite to PostgreSQL and back. It has the
schema that it was taken with: whoever serves it brings it up to date.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, MetaData, create_engine, exists, insert, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from sheepfold.core.errors import SheepfoldError
from sheepfold.table.schema import LATEST, MARK, mark, metadata, tables, uploads
from sheepfold.table.store import snapshot
from sheepfold.table.writer import reason

TOGETHER = 1000
"""How many rows are copied at a time."""


class NoBackup(SheepfoldError):
    """It cannot be taken, or cannot be restored there."""


def take(url: str, path: Path) -> dict[str, int]:
    """Everything in a database, in a new file; how many rows of each kind. The file is there when it is whole."""
    if path.exists():
        raise NoBackup(f"{path} is there already; a backup never takes the place of another")
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(0o600)  # there are tokens in it
    try:
        with _opened(url) as source, _opened(f"sqlite:///{unfinished}") as target:
            counted = _copy(source, target)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.rename(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return counted


def restore(path: Path, url: str) -> dict[str, int]:
    """Everything in a backup, in an empty database; how many rows of each kind. All of it or nothing."""
    if not path.exists():
        raise NoBackup(f"there is no backup {path}")
    with _opened(f"sqlite:///{path}") as source, _opened(url) as target:
        return _copy(source, target)


@contextmanager
def _opened(url: str) -> Iterator[Engine]:
    try:
        engine = create_engine(url, hide_parameters=True)
        try:
            yield engine
        finally:
            engine.dispose()
    except ImportError as error:
        raise NoBackup(f"that kind of database needs the module {error.name}; for PostgreSQL install sheepfold[postgres]") from None
    except SQLAlchemyError as error:
        raise NoBackup(f"the database does not answer as it should ({reason(error)})") from None


def _copy(source: Engine, target: Engine) -> dict[str, int]:
    counted = {}
    with snapshot(source) as rows, target.begin() as connection:
        found = mark(rows)
        if found is None:
            raise NoBackup("there is nothing in the database")
        kept = (tables, uploads) if mark(connection) is not None else ()
        if any(connection.scalar(select(exists().where(each.c.id.isnot(None)))) for each in kept):
            raise NoBackup("the database is not empty; a backup goes into an empty one")
        schema = _schema(rows, found)
        schema.create_all(connection)
        for table in schema.sorted_tables:
            copied = rows.execution_options(stream_results=True).execute(select(table)).mappings()
            count = 0
            while some := [dict(row) for row in copied.fetchmany(TOGETHER)]:
                connection.execute(insert(table), some)
                count += len(some)
            counted[table.name] = count
        counted.pop(MARK.name, None)
    return counted


def _schema(rows: Connection, found: str) -> MetaData:
    """The tables of a database: today's where it is one of today, else as they are there."""
    schema = MetaData()
    if found == LATEST:
        for table in (*metadata.sorted_tables, MARK):
            table.to_metadata(schema)
    else:
        schema.reflect(rows)
    return schema
