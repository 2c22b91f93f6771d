"""Erasing: nothing is kept of a person any more. Their seats and lines of chat become somebody's (`SOMEBODY`), whom each reader's language
names; where a game goes on, a bot plays on for the others, as when somebody leaves.

It is done in the database, one table at a time so that nobody's move waits long, and at last what else has their number. Whatever
servers are at work there read these tables anew; where one was stopped in the middle, the same once more does the rest.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, literal, or_, select, union, update

from sheepfold.bots import STAND_IN
from sheepfold.messages import SOMEBODY
from sheepfold.people.belongings import leave_nothing
from sheepfold.people.ways import transaction
from sheepfold.table.admin import note, read_anew
from sheepfold.table.kept_seats import RETURNED
from sheepfold.table.schema import chat, entrants, intents, people, places, seats, tables
from sheepfold.table.tables import Tables, distinct


async def erase(house: Tables, person: str, host: str = "") -> list[str]:
    """Keep nothing of a person. The tables where they sat or spoke; none where nothing was known. What a host does is noted."""
    found: list[str] = []
    while table_id := await transaction(house.store, lambda connection: erase_next(connection, person, host)):
        await house.host_did([table_id])
        found.append(table_id)
    return found


def erase_next(connection: Connection, person: str, host: str = "") -> str | None:
    """The same at one table; which that was. When there is none left, what else has their number goes, and all is done."""
    connection.execute(delete(people).where(people.c.id == person))  # from here on nobody else writes to SQLite
    tokens = select(places.c.token).where(places.c.person == person)
    sat = select(seats.c.table_id).where(seats.c.token.in_(tokens), seats.c.token != "")  # also where they have not been yet
    spoke = select(chat.c.table_id).where(chat.c.person == person)
    table_id: str | None = connection.scalar(union(sat, spoke).limit(1))
    if table_id is None:
        connection.execute(update(entrants).where(entrants.c.person == person).values(name=SOMEBODY))
        leave_nothing(connection, person)
        if host:
            note(connection, f"erased person {person}", host)
        return None
    here = connection.execute(select(tables.c.status, tables.c.turn).where(tables.c.id == table_id).with_for_update()).first()
    if here:  # else it was erased at the same moment
        left = _leave(connection, table_id, here.status, person, set(connection.execute(tokens).scalars()))
        due = {"due": 0.0} if left and here.status == "playing" else {}  # whichever server comes first lets the bot play
        read_anew(connection, table_id, turn=None if here.turn in left else here.turn, **due)
    return table_id


def _leave(connection: Connection, table_id: str, status: str, person: str, held: Collection[str]) -> Collection[int]:
    """At one table somebody's seats and lines are no longer under their name; which seats those were."""
    sitting = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)).mappings().all()
    by_them = and_(chat.c.table_id == table_id, chat.c.person == person)
    spoken = connection.execute(select(chat.c.who).where(by_them).distinct()).scalars().all()
    theirs = {row["seat"]: row["name"] for row in sitting if row["token"] and row["token"] in held}
    named = {**theirs, **{row["seat"]: row["name"] for row in sitting if row["kind"] == "bot" and row["name"] in spoken}}  # had left before
    taken = [row["name"] for row in sitting if row["seat"] not in named]
    aliases: dict[str, str] = {}
    for seat, name in named.items():
        aliases[name] = distinct(SOMEBODY, taken)
        taken.append(aliases[name])
        there = update(seats).where(seats.c.table_id == table_id, seats.c.seat == seat)
        free = {"kind": "open", "name": "", "token": ""} if status == "open" and seat in theirs else {}
        bot = {"kind": "bot", "level": STAND_IN} if status == "playing" else {}
        connection.execute(there.values({"name": aliases[name], "token": "", **bot, **free}))
    for name in {*named.values(), *spoken}:
        alias = aliases.get(name) or next(iter(aliases.values()), distinct(SOMEBODY, taken))
        lines = update(chat).where(chat.c.table_id == table_id)
        unknown = and_(chat.c.person == "", literal(name in theirs.values()))  # said before persons were noted, or by a program
        connection.execute(lines.where(chat.c.who == name, or_(chat.c.person == person, unknown)).values(who=alias))
        for mark in ("", RETURNED):  # that they have left, and sat there again
            connection.execute(lines.where(chat.c.who == "", chat.c.text == mark + name).values(text=mark + alias))
    connection.execute(update(chat).where(by_them).values(person=""))
    connection.execute(delete(intents).where(intents.c.table_id == table_id, intents.c.token.in_(held)))
    return theirs
