"""Puzzles: 'find better' at the turning points of one's own games, wherever a bot has looked back at them; and which of them somebody has
solved. Read from what the analyses have found: no game is replayed for the list."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, insert, select

from sheepfold.bots.analysis import TURNING_POINT
from sheepfold.people.identity import person_of
from sheepfold.table.schema import analyses, findings, places, puzzles, results, seats, tables
from sheepfold.table.store import Store

LATEST = 60
"""How many of the latest games are looked through."""


@dataclass(frozen=True)
class Puzzle:
    """A decision of one's own that cost much."""

    table: str
    game: str
    ply: int
    seat: int
    loss: float
    """The share of the win that it cost."""
    at: float
    """When the game ended."""
    solved: bool
    tries: int


class Puzzles:
    """Everybody's, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def of(self, device: str) -> list[Puzzle]:
        """Somebody's, those to be solved first, the costliest of them first."""
        mine = (
            select(tables.c.id, tables.c.game, tables.c.since, places.c.person, seats.c.seat)
            .join_from(places, tables, tables.c.id == places.c.table_id)
            .join(seats, and_(seats.c.table_id == tables.c.id, seats.c.token == places.c.token))
            .where(places.c.person == person_of(device), places.c.hidden.is_(False), tables.c.status == "over")
            .order_by(tables.c.since.desc())
            .limit(LATEST)
            .subquery()
        )
        tried = and_(puzzles.c.person == mine.c.person, puzzles.c.table_id == mine.c.id, puzzles.c.ply == findings.c.ply)
        asked = (
            select(mine, findings.c.ply, findings.c.found, puzzles.c.solved, puzzles.c.tries)
            .join_from(mine, findings, findings.c.id == mine.c.id)
            .join(puzzles, tried, isouter=True)
        )
        with self.store.reading.connect() as connection:
            rows = connection.execute(asked).mappings().all()
        found = []
        for row in rows:
            finding = json.loads(row["found"])
            if finding["seat"] == row["seat"] and finding["loss"] >= TURNING_POINT:
                solved, tries = bool(row["solved"]), row["tries"] or 0
                found.append(Puzzle(row["id"], row["game"], row["ply"], row["seat"], finding["loss"], row["since"], solved, tries))
        return sorted(found, key=lambda each: (each.solved, -each.loss, each.table, each.ply))

    def unseen(self, device: str, most: int) -> Sequence[str]:
        """The latest of somebody's finished games that no bot has looked back at."""
        looked = select(analyses.c.id).where(analyses.c.id == tables.c.id)
        ended = select(results.c.seat).where(results.c.table_id == tables.c.id, results.c.seat == 1)  # alone there is no share of a win
        asked = (
            select(tables.c.id)
            .join_from(places, tables, tables.c.id == places.c.table_id)
            .where(places.c.person == person_of(device), places.c.hidden.is_(False), tables.c.status == "over")
            .where(~looked.exists(), ended.exists())
            .order_by(tables.c.since.desc())
            .limit(most)
        )
        with self.store.reading.connect() as connection:
            return list(connection.execute(asked).scalars())

    def tried(self, device: str, table_id: str, ply: int, solved: bool) -> Future[None]:
        """Somebody has tried one; who has solved it once has solved it."""

        def work(connection: Connection) -> None:
            person = connection.scalar(select(person_of(device)))
            one = and_(puzzles.c.person == person, puzzles.c.table_id == table_id, puzzles.c.ply == ply)
            before = connection.execute(select(puzzles.c.solved, puzzles.c.tries).where(one)).first()
            connection.execute(delete(puzzles).where(one))
            row = {"solved": solved or bool(before and before.solved), "tries": 1 + (before.tries if before else 0)}
            connection.execute(insert(puzzles).values(person=person, table_id=table_id, ply=ply, at=time.time(), **row))

        return self.store.write(work)
