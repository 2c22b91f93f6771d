"""Migrations: each brings a database from one version's schema to the next. Written with Alembic; docs/operations.md says when they run."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from sheepfold.table.schema import FIRST, mark


def upgrade(connection: Connection, found: str) -> None:
    """All migrations that a database lacks, in the caller's transaction. One without a mark is version 0.1's."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    if found == FIRST and mark(connection) == FIRST:
        command.stamp(config, FIRST)
    command.upgrade(config, "head")
