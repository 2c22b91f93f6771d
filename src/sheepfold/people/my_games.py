"""My games: where somebody sits, whose turn it is there, and how the finished ones have ended. Read from rows alone, without a game being
replayed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Float,
    Integer,
    RowMapping,
    String,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    text,
    update,
)  # fmt: skip

from sheepfold.people.identity import person_of
from sheepfold.table.schema import hooks, places, results, seats, tables
from sheepfold.table.store import Store
from sheepfold.table.table import Table

MOST = 60
"""How many games in progress are listed, and how many finished ones at a time."""
GOING_ON = ("open", "playing")


@dataclass(frozen=True)
class Sitter:
    """Who sits at a table, as everybody there sees them."""

    name: str
    kind: str
    mine: bool
    score: int | None = None
    rank: int | None = None


@dataclass(frozen=True)
class MyGame:
    """A table where somebody sits."""

    table: str
    game: str
    status: str
    since: float
    """When the present decision began, or the game ended."""
    revision: int
    my_turn: bool
    waits_for: str
    """The name of the person whose turn it is, if it is one; and where seats are open, nobody's."""
    sitters: Sequence[Sitter] = field(default_factory=tuple)

    @property
    def others(self) -> list[Sitter]:
        """Who else sits there."""
        return [each for each in self.sitters if not each.mine and each.kind != "open"]

    @property
    def ranks(self) -> list[int]:
        """The ranks of one's own seats."""
        return [each.rank for each in self.sitters if each.mine and each.rank is not None]


class Held(NamedTuple):
    """A place of somebody, with what shows it."""

    table: str
    token: str
    going_on: bool


@dataclass(frozen=True)
class MyGames:
    """All of somebody's games that are listed."""

    going_on: Sequence[MyGame]
    """Those where it is one's own turn first."""
    finished: Sequence[MyGame]
    """The latest first."""
    hidden: int
    """How many are not shown."""

    def __bool__(self) -> bool:
        return bool(self.going_on or self.finished or self.hidden)


class Places:
    """Where people sit, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def visit(self, device: str, table: Table, token: str) -> Future[None]:
        """Somebody looks at a table where they sit. What an earlier version has not noted of it is noted now."""
        turn, ended, now = table.waits_for(table.position), table.ended(table.position), time.time()

        def work(connection: Connection) -> None:
            mine = and_(places.c.person == person_of(device), places.c.table_id == table.id)
            if connection.execute(update(places).where(mine).values(visited=now, token=token)).rowcount:
                return
            person = connection.scalar(select(person_of(device)))
            connection.execute(_SIT, {"person": person, "table_id": table.id, "token": token, "visited": now})
            unknown = and_(tables.c.id == table.id, tables.c.turn.is_(None), tables.c.revision == table.revision)
            connection.execute(update(tables).where(unknown).values(turn=turn))
            if ended and connection.scalar(select(results.c.seat).where(results.c.table_id == table.id).limit(1)) is None:
                rows = [{"table_id": table.id, "seat": seat, "score": score, "rank": rank} for seat, (score, rank) in enumerate(ended)]
                connection.execute(insert(results), rows)

        return self.store.write(work)

    def follow(self, table_id: str, following: str) -> Future[None]:
        """The same people sit at another table, with the same tokens, and have not looked at it yet."""
        return self.store.write(lambda connection: _run(connection, _FOLLOW.params(table_id=table_id, following=following)))

    def token(self, device: str, table_id: str) -> str | None:
        """What shows, on any of somebody's devices, that they sit at a table."""
        mine = select(places.c.token).where(places.c.person == person_of(device), places.c.table_id == table_id)
        with self.store.reading.connect() as connection:
            token: str | None = connection.scalar(mine)
        return token

    def hide(self, device: str, table_id: str | None, hidden: bool = True) -> Future[None]:
        """List a table no more; or again, or (None) all of them."""
        mine = update(places).where(places.c.person == person_of(device))
        wish = (mine if table_id is None else mine.where(places.c.table_id == table_id)).values(hidden=hidden)
        return self.store.write(lambda connection: _run(connection, wish))

    def leave(self, device: str, table_id: str) -> Future[None]:
        """Somebody sits there no more."""

        def work(connection: Connection) -> None:
            for kind in (places, hooks):
                connection.execute(delete(kind).where(kind.c.person == person_of(device), kind.c.table_id == table_id))

        return self.store.write(work)

    def held(self, device: str) -> list[Held]:
        """All places of somebody, hidden ones too, those that they looked at last first."""
        mine = select(places.c.table_id, places.c.token, tables.c.status.in_(GOING_ON)).join(tables)
        latest = mine.where(places.c.person == person_of(device)).order_by(places.c.visited.desc())
        with self.store.reading.connect() as connection:
            return [Held(*row) for row in connection.execute(latest)]

    def of(self, device: str, most: int = MOST, finished: int = MOST, before: float | None = None) -> MyGames:
        """Somebody's games; of the finished ones so many, from before a time on."""
        asked = {"device": device, "most": most, "finished": finished, "before": math.inf if before is None else before}
        with self.store.reading.connect() as connection:
            going_on = connection.execute(_GOING_ON, asked).mappings().all()
            ended = connection.execute(_FINISHED, asked).mappings().all()
            hidden = connection.scalar(_HIDDEN, asked)
            sitting = _sitting(connection, [row["id"] for row in (*going_on, *ended)])
        return MyGames([_game(row, sitting[row["id"]]) for row in going_on], [_game(row, sitting[row["id"]]) for row in ended], hidden or 0)


def _sitting(connection: Connection, table_ids: Sequence[str]) -> dict[str, list[RowMapping]]:
    """Who sits at these tables, in order, with how they ended."""
    found: dict[str, list[RowMapping]] = {each: [] for each in table_ids}
    if table_ids:
        for row in connection.execute(_SITTING, {"ids": table_ids}).mappings():
            found[row["table_id"]].append(row)
    return found


def _game(row: RowMapping, sitting: Iterable[RowMapping]) -> MyGame:
    everybody = list(sitting)
    sitters = [Sitter(each["name"], each["kind"], each["token"] == row["token"], each["score"], each["rank"]) for each in everybody]
    waits_for = next((each["name"] for each in everybody if each["seat"] == row["turn"]), "")
    my_turn = bool(row["my_turn"]) and row["status"] == "playing"
    return MyGame(row["id"], row["game"], row["status"], row["since"], row["revision"], my_turn, waits_for, sitters)


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


# The same each time, so put together once.
_PERSON = person_of(bindparam("device", type_=String))
_SEATED = and_(seats.c.table_id == tables.c.id, seats.c.token == places.c.token)
_MY_TURN = exists().where(_SEATED, seats.c.seat == tables.c.turn)
_AMONG_PEOPLE = exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "person", seats.c.token != places.c.token)
_LISTED = (
    select(
        tables.c.id, tables.c.game, tables.c.status, tables.c.since, tables.c.turn, tables.c.revision, places.c.token,
        _MY_TURN.label("my_turn"),
    )
    .join_from(places, tables, places.c.table_id == tables.c.id)
    .where(places.c.person == _PERSON, exists().where(_SEATED), places.c.hidden.is_(False))
)  # fmt: skip
_GOING_ON = (
    _LISTED.where(tables.c.status.in_(GOING_ON))
    .order_by(_MY_TURN.desc(), _AMONG_PEOPLE.desc(), tables.c.since.desc())
    .limit(bindparam("most", type_=Integer))
)
_FINISHED = (
    _LISTED.where(tables.c.status.not_in(GOING_ON), tables.c.since < bindparam("before", type_=Float))
    .order_by(tables.c.since.desc())
    .limit(bindparam("finished", type_=Integer))
)
_HIDDEN = select(func.count()).where(places.c.person == _PERSON, places.c.hidden)
_SITTING = (
    select(seats, results.c.score, results.c.rank)
    .join_from(seats, results, and_(results.c.table_id == seats.c.table_id, results.c.seat == seats.c.seat), isouter=True)
    .where(seats.c.table_id.in_(bindparam("ids", expanding=True)))
    .order_by(seats.c.seat)
)
_FOLLOW = text(
    "INSERT INTO places (person, table_id, token, visited) SELECT person, :following, token, 0 FROM places WHERE table_id = :table_id"
    " ON CONFLICT DO NOTHING"
)
_SIT = text(
    "INSERT INTO places (person, table_id, token, visited) SELECT :person, :table_id, :token, :visited"
    " WHERE EXISTS (SELECT 1 FROM seats WHERE seats.table_id = :table_id AND seats.token = :token) ON CONFLICT DO NOTHING"
).bindparams(*(bindparam(name, type_=String) for name in ("person", "table_id", "token")), bindparam("visited", type_=Float))
"""Unless the seat was taken away at the same moment."""
