"""Erasing: nothing is kept of a person any more. Their seats and lines of chat become somebody's (`SOMEBODY`), whom each reader's language
names; where a game goes on, a bot plays on for the others, as when somebody leaves.

All of it is one transaction in the database, whichever servers are at work there: they read these tables anew.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, literal, or_, select, update

from sheepfold.messages import SOMEBODY
from sheepfold.people.identity import leave_nothing
from sheepfold.people.ways import transaction
from sheepfold.table.admin import note, read_anew
from sheepfold.table.bot_players import STAND_IN
from sheepfold.table.schema import chat, people, places, seats, tables
from sheepfold.table.tables import Tables, distinct


async def erase(house: Tables, person: str, host: str = "") -> list[str]:
    """Keep nothing of a person. The tables where they sat or spoke; none where nothing was known. What a host does is noted."""
    found = await transaction(house.store, lambda connection: erase_rows(connection, person, host))
    await house.host_did(found)
    return found


def erase_rows(connection: Connection, person: str, host: str = "") -> list[str]:
    """The same as part of other work."""
    connection.execute(delete(people).where(people.c.id == person))  # from here on nobody else writes to SQLite
    sat = dict(connection.execute(select(places.c.table_id, places.c.token).where(places.c.person == person)).all())
    spoke = connection.execute(select(chat.c.table_id).where(chat.c.person == person).distinct()).scalars()
    ids = sorted({*sat, *spoke})
    here = select(tables.c.id, tables.c.status, tables.c.turn).where(tables.c.id.in_(ids)).order_by(tables.c.id).with_for_update()
    for table_id, status, turn in connection.execute(here).all():
        left = _leave(connection, table_id, status == "open", person, sat.get(table_id))
        due = {"due": 0.0} if left and status == "playing" else {}  # whichever server comes first lets the bot play
        read_anew(connection, table_id, turn=None if turn in left else turn, **due)
    leave_nothing(connection, person)
    if host:
        note(connection, f"erased person {person}", host)
    return ids


def _leave(connection: Connection, table_id: str, waiting: bool, person: str, token: str | None) -> Collection[int]:
    """At one table somebody's seats and lines are no longer under their name; which seats those were."""
    sitting = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)).mappings().all()
    spoken = connection.execute(select(chat.c.who).where(chat.c.table_id == table_id, chat.c.person == person).distinct()).scalars().all()
    theirs = {row["seat"]: row["name"] for row in sitting if token and row["token"] == token}
    named = {**theirs, **{row["seat"]: row["name"] for row in sitting if row["kind"] == "bot" and row["name"] in spoken}}  # had left before
    taken = [row["name"] for row in sitting if row["seat"] not in named]
    aliases: dict[str, str] = {}
    for seat, name in named.items():
        aliases[name] = distinct(SOMEBODY, taken)
        taken.append(aliases[name])
        bot = {"kind": "bot", "name": aliases[name], "token": "", "level": STAND_IN}
        free = {"kind": "open", "name": "", "token": "", "level": ""}
        there = update(seats).where(seats.c.table_id == table_id, seats.c.seat == seat)
        connection.execute(there.values(**(free if waiting and seat in theirs else bot)))
    for name in {*named.values(), *spoken}:
        alias = aliases.get(name) or next(iter(aliases.values()), distinct(SOMEBODY, taken))
        lines = update(chat).where(chat.c.table_id == table_id)
        unknown = and_(chat.c.person == "", literal(name in theirs.values()))  # said before persons were noted, or by a program
        connection.execute(lines.where(chat.c.who == name, or_(chat.c.person == person, unknown)).values(who=alias))
        connection.execute(lines.where(chat.c.who == "", chat.c.text == name).values(text=alias))  # that they have left
    return theirs
