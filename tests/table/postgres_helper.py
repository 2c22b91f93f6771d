"""A PostgreSQL server of the tests' own, and a fresh database in it for each test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from local_postgres import NoPostgres, running

_NUMBERS = count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    try:
        with running(synced=False) as url:
            yield url
    except NoPostgres as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def prepared(postgres_server: str) -> str:
    """The name of a database there that has our tables and nothing in them: to copy it takes half as long as to make them."""
    from sheepfold.table.store import Store

    url = fresh(postgres_server, "template1")
    Store(url).close()
    return url.rpartition("/")[2]


@pytest.fixture
def postgres(postgres_server: str, prepared: str) -> str:
    """The URL of a fresh database there, as a server finds it that is not the first."""
    return fresh(postgres_server, prepared)


@pytest.fixture
def empty_postgres(postgres_server: str) -> str:
    """The URL of a database there without any table."""
    return fresh(postgres_server, "template1")


def fresh(server: str, like: str) -> str:
    """The URL of a database that was just made."""
    import psycopg

    name = f"sheep{next(_NUMBERS)}"
    with psycopg.connect(server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
    return server.replace("/postgres", f"/{name}")
