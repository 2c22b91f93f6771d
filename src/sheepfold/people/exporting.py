"""Exporting: every row that is kept of somebody, for them to take away. What only shows who somebody is to this server (tokens, digests,
keys) stays out on purpose, and is named; so does the log of a game that goes on, which is told as far as their seat may know it (`web`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, exists, or_, select

from sheepfold.people.identity import person_of
from sheepfold.table.schema import (
    analyses,
    carries,
    challenges,
    chat,
    devices,
    entrants,
    hooks,
    intents,
    notices,
    pairings,
    passkeys,
    people,
    places,
    profiles,
    puzzles,
    rated_seats,
    ratings,
    recoveries,
    reports,
    results,
    seats,
    silences,
    subscriptions,
    tables,
    tournaments,
)
from sheepfold.table.store import Store

LEFT_OUT = (
    "tables.secret", "tables.writer", "seats.token", "places.token", "carries.code", "subscriptions.p256dh", "subscriptions.auth",
    "hooks.secret", "intents.token", "recoveries.code", "challenges.challenge",
    "tournaments.organiser", "tournaments.writer",
)  # fmt: skip
"""Secrets, of people, of this server, and of chance in a game that goes on."""
TOLD_OTHERWISE = ("events",)
"""As records, and as far as somebody's seat may know."""
NOBODYS = ("component_files", "uploads", "findings", "limits", "audit", "servers", "keys", "rated_games", "rating_cursors")
"""Nothing in these is known to be anybody's."""
_IN_JSON = ("tables.options", "tables.settings", "tables.used", "tournaments.settings")


def kept_of(store: Store, device: str) -> dict[str, Any]:
    """All rows that are about the person who has a device, by table; and what of them is not here."""
    with store.reading.connect() as connection:
        person = connection.scalar(select(person_of(device)))
        found = {
            kind.name: [_plain(kind, row._mapping) for row in connection.execute(asked)] for kind, asked in _asked(str(person)).items()
        }
    return {"left_out": list(LEFT_OUT), **found}


def _asked(person: str) -> dict[Table, Select[Any]]:
    """By table the rows of a person."""
    sat = seats.c.token.in_(select(places.c.token).where(places.c.person == person))
    own_devices = or_(challenges.c.device == person, challenges.c.device.in_(select(devices.c.id).where(devices.c.person == person)))
    theirs = (
        places, devices, carries, subscriptions, hooks, notices, passkeys, recoveries, puzzles, reports, silences, profiles, analyses,
        entrants,
    )  # fmt: skip
    by_person = {kind: kind.c.person == person for kind in theirs}
    player = select(profiles.c.id).where(profiles.c.person == person)
    where: dict[Table, ColumnElement[bool]] = {
        tables: tables.c.id.in_(select(seats.c.table_id).where(sat)), seats: sat, **by_person, people: people.c.id == person,
        challenges: own_devices, rated_seats: rated_seats.c.player.in_(player), ratings: ratings.c.player.in_(player),
        tournaments: tournaments.c.id.in_(select(entrants.c.tournament_id).where(entrants.c.person == person)),
        pairings: exists().where(
            entrants.c.person == person, entrants.c.tournament_id == pairings.c.tournament_id, entrants.c.number == pairings.c.entrant
        ),
        intents: intents.c.token.in_(select(places.c.token).where(places.c.person == person)),
    }  # fmt: skip
    asked = {kind: select(*_told(kind)).where(condition) for kind, condition in where.items()}
    for kind, own in ((results, seats.c.seat == results.c.seat), (chat, or_(chat.c.person == person, seats.c.name == chat.c.who))):
        asked[kind] = select(*_told(kind)).join(seats, and_(seats.c.table_id == kind.c.table_id, own)).where(sat)
    return asked


def _told(kind: Table) -> Sequence[ColumnElement[Any]]:
    return [column for column in kind.columns if f"{kind.name}.{column.name}" not in LEFT_OUT]


def _plain(kind: Table, row: Any) -> dict[str, Any]:
    """A row, with what is JSON in it already as it is meant."""
    return {name: json.loads(value) if f"{kind.name}.{name}" in _IN_JSON and value else value for name, value in row.items()}
