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


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[str]:
    try:
        with running(synced=False) as url:
            yield url
    except NoPostgres as reason:
        pytest.skip(str(reason))


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The URL of a fresh database there."""
    import psycopg

    name = f"sheep{next(_NUMBERS)}"
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_server.replace("/postgres", f"/{name}")
