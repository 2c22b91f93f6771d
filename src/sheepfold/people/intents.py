"""Intents: what people would do, said before they are asked. 'If Ben plays there, I play here'; a game's standing answers; whatever comes.

Nobody else can tell that one was set. It is stored beside the table, whose revision does not change by it; nothing that anybody is shown
depends on it; and what comes of it is a move like any other, after as long as its person takes for a move (`patience`). Every second each
server looks at the tables where something has happened since: what cannot be any more is withdrawn at once, what is due is played. Two
servers may do so at the same time: who comes second finds that the move has been made.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, delete, func, insert, or_, select, update

from sheepfold.core.position import CHANCE
from sheepfold.game.game import tidy
from sheepfold.game.session import Refused
from sheepfold.people.foresight import GONE, Step, Verdict, judge, judge_standing
from sheepfold.people.looking import end, for_ever
from sheepfold.people.ways import transaction
from sheepfold.table.schema import events, intents, places, tables
from sheepfold.table.table import Table
from sheepfold.table.tables import NoSuchTable, Tables

log = logging.getLogger("sheepfold")

MOST, LONGEST = 20, 12
"""How many a seat can have, and how many steps each."""
SOONEST = 2.0
UNKNOWN = (4.0, 150.0)
"""Seconds, at least and at most, that somebody takes of whom it is not known how long they take."""
KNOWN = 4
"""So many moves of theirs tell how long somebody takes."""


class NoIntent(Refused):
    """Something that cannot be meant."""


@dataclass(frozen=True)
class Intent:
    """What somebody would do."""

    id: int
    seat: int
    ply: int
    """When it was set."""
    line: tuple[Step, ...]
    standing: str
    """A standing answer of the game's, by its name; then there is no line."""
    stands: bool
    """Whether it can still be."""


class Intents:
    """All that is meant to be done, at one server."""

    def __init__(self, house: Tables) -> None:
        self.house, self.store = house, house.store
        self.dice = random.SystemRandom()
        self._round: asyncio.Task[None] | None = None

    def start(self) -> None:
        """From now on, in the loop."""
        self._round = for_ever("intents", self.look)

    async def close(self) -> None:
        await end([self._round] if self._round else [])

    # What people say.

    async def set(self, table: Table, seat: int, line: Sequence[Step], standing: str = "") -> None:
        """Somebody means to do something."""
        line = [Step(step.seat, tidy(step.action)) for step in line]
        table.refuse_if_closed()
        if table.status != "playing":
            raise NoIntent("ahead.not-playing", "This is for games in progress.")
        if standing:
            if standing not in table.game.standing_answers or line:
                raise NoIntent("ahead.unknown", f"{table.game.title} has no standing answer {standing!r}.")
        elif not 0 < len(line) <= LONGEST or line[-1].seat != seat or any(not 0 <= step.seat < len(table.seats) for step in line):
            raise NoIntent("ahead.line", f"A line has at most {LONGEST} steps, and ends with one of your own.")
        if not self._judge(table, Intent(0, seat, table.ply, tuple(line), standing, True)).stands:
            raise NoIntent("ahead.cannot", "That cannot be any more, as things stand.")
        said = json.dumps(line)
        row = {
            "table_id": table.id, "seat": seat, "token": table.seats[seat].token, "ply": table.ply, "undos": table.undos,
            "line": said, "standing": standing, "looked": -1,
        }  # fmt: skip

        def work(connection: Connection) -> None:
            mine = and_(intents.c.table_id == table.id, intents.c.seat == seat)
            connection.execute(delete(intents).where(mine, intents.c.gone))
            same = and_(mine, intents.c.line == said, intents.c.standing == standing)
            connection.execute(delete(intents).where(same))
            if (connection.scalar(select(func.count()).select_from(intents).where(mine)) or 0) >= MOST:
                raise NoIntent("ahead.many", f"More than {MOST} at a time nobody can keep in mind.")
            connection.execute(insert(intents).values(row))

        await transaction(self.store, work)

    async def withdraw(self, table_id: str, seat: int, number: int) -> None:
        """Somebody does not mean it any more."""
        gone = delete(intents).where(intents.c.table_id == table_id, intents.c.seat == seat, intents.c.id == number)
        await transaction(self.store, lambda connection: connection.execute(gone) and None)

    async def of(self, table: Table, seat: int) -> list[Intent]:
        """What somebody means to do at a table, and what was withdrawn since they set the last one."""
        asked = select(intents).where(intents.c.table_id == table.id, intents.c.seat == seat, intents.c.token == table.seats[seat].token)

        def read() -> list[Intent]:
            with self.store.reading.connect() as connection:
                return [_intent(row) for row in connection.execute(asked.order_by(intents.c.id)).mappings()]

        found = await asyncio.to_thread(read)
        return [each for each in found if not (each.stands and self._judge(table, each).done)]

    # What comes of it.

    async def look(self) -> None:
        """See to all tables where something has happened, or is due."""
        asked = (
            select(intents.c.table_id)
            .distinct()
            .join(tables, tables.c.id == intents.c.table_id)
            .where(intents.c.gone.is_(False), or_(intents.c.looked != tables.c.revision, intents.c.due <= time.time()))
        )

        def read() -> list[str]:
            with self.store.reading.connect() as connection:
                return list(connection.execute(asked).scalars())

        for table_id in await asyncio.to_thread(read):
            with suppress(NoSuchTable):
                await self.see_to(await self.house.table(table_id))

    async def see_to(self, table: Table) -> None:
        """Withdraw what cannot be any more; play what is due; of what is to be done say when."""
        revision, ply = table.revision, table.ply
        rows = await asyncio.to_thread(self._rows, table.id)
        acting: set[int] = set()
        gone: list[RowMapping] = []
        done: list[RowMapping] = []
        waits: list[RowMapping] = []
        for row in rows:
            intent, seat = _intent(row), row["seat"]
            same = row["undos"] == table.undos and row["token"] == table.seats[seat].token and table.status == "playing"
            verdict = self._judge(table, intent) if same and seat not in table.away else GONE
            if not verdict.stands:
                (done if verdict.done else gone).append(row)
            elif not verdict.acts or seat in acting:
                waits.append(row)
            else:
                acting.add(seat)
                if row["due"] is None or (row["due_ply"] != ply and table.position.to_act == seat):
                    await self._put_off(table, intent)
                elif row["due"] <= time.time():
                    await self._act(table, row, verdict)
                    return  # all is otherwise now
        await transaction(self.store, lambda connection: _settle(connection, revision, gone, done, waits))

    def _rows(self, table_id: str) -> Sequence[RowMapping]:
        asked = select(intents).where(intents.c.table_id == table_id, intents.c.gone.is_(False)).order_by(intents.c.id)
        with self.store.reading.connect() as connection:
            return connection.execute(asked).mappings().all()

    def _judge(self, table: Table, intent: Intent) -> Verdict:
        if intent.standing:
            return judge_standing(table.session, intent.seat, intent.standing)
        return judge(table.session, intent.seat, intent.ply, intent.line)

    async def _put_off(self, table: Table, intent: Intent) -> None:
        """Say when it is done: after as long as its person takes, and before a clock runs out."""
        wait = patience(await asyncio.to_thread(self._own_times, table.id, intent.seat), self.dice)
        left = table.seconds_left()
        due = max(time.time() + SOONEST, table.since + (wait if left is None else min(wait, left / 2)))
        wish = update(intents).where(intents.c.id == intent.id, or_(intents.c.due.is_(None), intents.c.due_ply != table.ply))
        wish = wish.values(due=due, due_ply=table.ply, looked=table.revision)
        await transaction(self.store, lambda connection: connection.execute(wish) and None)

    def _own_times(self, table_id: str, seat: int) -> list[float]:
        """How long somebody took for each of their moves in a game."""
        asked = select(events.c.who, events.c.interrupt, events.c.at).where(events.c.table_id == table_id).order_by(events.c.ply)
        with self.store.reading.connect() as connection:
            happened = connection.execute(asked).all()
        times, before = [], None
        for who, interrupt, at in happened:
            if who == seat and not interrupt and before is not None:
                times.append(at - before)
            if who != CHANCE:
                before = at
        return times

    async def _act(self, table: Table, row: RowMapping, verdict: Verdict) -> None:
        """Do it, as the person would who has come to look. Where somebody was quicker it is looked at anew."""
        seat, ply = row["seat"], table.ply
        for action in verdict.acts:
            try:
                table, plan = await self.house.act(table.id, lambda _: seat, ply, action)
            except (Refused, ValueError):
                break
            ply += len(plan.events)
        seen = update(places).where(places.c.table_id == table.id, places.c.token == row["token"]).values(visited=time.time())
        again = update(intents).where(intents.c.id == row["id"]).values(due=None, due_ply=None, looked=-1)
        await transaction(self.store, lambda connection: [connection.execute(each) for each in (seen, again)] and None)


def patience(own: Sequence[float], dice: random.Random) -> float:
    """How many seconds to wait with a move: as long as somebody has needed for one of theirs, of the quicker half, so that no time is more
    than twice as likely for this as for a move by hand. Of whom little is known, anything that people take."""
    if len(own) < KNOWN:
        return math.exp(dice.uniform(*map(math.log, UNKNOWN)))
    quicker = sorted(own)[: (len(own) + 1) // 2]
    return dice.choice(quicker) * dice.uniform(0.8, 1.25)


def _intent(row: RowMapping) -> Intent:
    line = tuple(Step(*step) for step in json.loads(row["line"]))
    return Intent(row["id"], row["seat"], row["ply"], line, row["standing"], not row["gone"])


def _settle(
    connection: Connection, revision: int, gone: Sequence[RowMapping], done: Sequence[RowMapping], waits: Sequence[RowMapping]
) -> None:
    connection.execute(update(intents).where(_among(gone)).values(gone=True, due=None))
    connection.execute(delete(intents).where(_among(done)))
    connection.execute(update(intents).where(_among(waits)).values(looked=revision, due=None, due_ply=None))
    for row in gone:
        if row["due"] is not None:  # its person was told nothing, as it was to act by itself
            theirs = and_(places.c.table_id == row["table_id"], places.c.token == row["token"])
            connection.execute(update(places).where(theirs).values(told=0.0))


def _among(rows: Sequence[RowMapping]) -> ColumnElement[bool]:
    return intents.c.id.in_([row["id"] for row in rows])
