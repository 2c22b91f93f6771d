"""Lobby: tables that wait for whoever comes, and tables where everybody may look on. Read from rows, without a game being replayed."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, exists, select

from sheepfold.people.identity import person_of
from sheepfold.table.schema import events, places, seats, tables
from sheepfold.table.store import Store

QUICK = "quick"
"""The setting of a table for whoever comes first."""
FRESH = 600.0
"""Seconds for which somebody is taken to wait there still."""
RECENT = 3600.0
"""Seconds since the last move of a table that is worth looking at."""


@dataclass(frozen=True)
class Running:
    """A table to look on at."""

    table: str
    game: str
    since: float
    revision: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Waiting:
    """A table that waits for people."""

    table: str
    game: str
    options: str
    settings: str
    begun: bool
    players: tuple[tuple[str, str], ...]
    """By seat: a person, a bot or still open; and the name."""


class Lobby:
    """What waits and what goes on, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def quick(self, game: str, device: str | None) -> list[str]:
        """Tables of a game where somebody waits for whoever comes, the longest waiting first; not those where one sits already."""
        asked = select(tables.c.id).where(
            tables.c.status == "open", tables.c.game == game, tables.c.created > time.time() - FRESH, has_setting(QUICK)
        )
        if device:
            mine = exists().where(places.c.table_id == tables.c.id, places.c.person == person_of(device))
            asked = asked.where(~mine)
        with self.store.reading.connect() as connection:
            return list(connection.execute(asked.order_by(tables.c.created).limit(10)).scalars())

    def waiting(self, most: int) -> list[Waiting]:
        """Tables that may be shown and wait for people, the latest first."""
        begun = exists().where(events.c.table_id == tables.c.id).label("begun")
        asked = select(tables.c.id, tables.c.game, tables.c.options, tables.c.settings, begun)
        asked = asked.where(tables.c.status == "open", has_setting("listed")).order_by(tables.c.touched.desc()).limit(most)
        with self.store.reading.connect() as connection:
            found = connection.execute(asked).all()
            sitting = select(seats.c.table_id, seats.c.kind, seats.c.name).where(seats.c.table_id.in_([row.id for row in found]))
            players: dict[str, list[tuple[str, str]]] = {}
            for table_id, kind, name in connection.execute(sitting.order_by(seats.c.seat)) if found else ():
                players.setdefault(table_id, []).append((kind, name))
        return [Waiting(row.id, row.game, row.options, row.settings, row.begun, tuple(players.get(row.id, ()))) for row in found]

    def running(self, most: int) -> list[Running]:
        """Tables that may be shown where something happens, the latest first."""
        among_people = exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "person")
        wanted = and_(tables.c.status == "playing", tables.c.since > time.time() - RECENT, has_setting("listed"), among_people)
        asked = (
            select(tables.c.id, tables.c.game, tables.c.since, tables.c.revision).where(wanted).order_by(tables.c.since.desc()).limit(most)
        )
        with self.store.reading.connect() as connection:
            found = connection.execute(asked).all()
            sitting = select(seats.c.table_id, seats.c.name).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.seat)
            names: dict[str, list[str]] = {}
            for table_id, name in connection.execute(sitting) if found else ():
                names.setdefault(table_id, []).append(name)
        return [Running(*row, tuple(names[row.id])) for row in found]


def has_setting(setting: str) -> Any:
    """Whether a table has a setting, as part of a statement; inside a text there, quotes would have a backslash before them."""
    return tables.c.settings.contains(json.dumps({setting: True})[1:-1], autoescape=True)
