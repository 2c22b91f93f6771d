"""Archive: games to look back at, that were not played here, and what bots found out about finished games.

A record that somebody uploads is kept as text under a name made from that text, so the same record is kept once and its address lasts.
Findings are kept ply by ply, so an analysis goes on where it was when the server ended. All servers of a database share what waits; one of
them at a time is at a game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, text, update

from sheepfold.table.schema import analyses, findings, uploads
from sheepfold.table.store import Store

AT_MOST = 20.0
"""Seconds after which a server that looks at a decision is taken for gone."""
MOST_UPLOADS = 5000
"""How many uploaded records are kept; the oldest goes when another comes."""


@dataclass
class Analysis:
    """How far a strong bot is with a game."""

    digest: str
    state: str
    """wanted, stopped or done."""
    plies: list[int]
    """The decisions to look at."""
    found: dict[int, dict[str, Any]] = field(default_factory=dict)
    client: str = ""
    """Who wanted it, as long as it is wanted, and"""
    person: str = ""
    """which person, where that is known."""

    def left(self) -> list[int]:
        """What is still to be looked at: first a few all over the game, then those between, so that the picture is whole early."""
        order = sorted(range(len(self.plies)), key=lambda place: (-((place or 1 << 20) & -(place or 1 << 20)), place))
        return [self.plies[place] for place in order if self.plies[place] not in self.found]


class Waiting(NamedTuple):
    """A game whose analysis is wanted and not done."""

    name: str
    client: str
    person: str
    free: bool
    """Whether no other server is at it."""


class Archive:
    """What is kept beside the tables, in the same database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Uploaded records.

    def keep(self, text: str) -> tuple[str, Future[None]]:
        """Keep a record; its name, and when it is durable."""
        name = f"u{blake2b(text.encode(), digest_size=9).hexdigest()}"

        def work(connection: Connection) -> None:
            if connection.execute(select(uploads.c.id).where(uploads.c.id == name)).first():
                return
            connection.execute(insert(uploads).values(id=name, record=text, at=time.time()))
            count = connection.execute(select(func.count()).select_from(uploads)).scalar_one()
            if count > MOST_UPLOADS:
                oldest = select(uploads.c.id).order_by(uploads.c.at).limit(count - MOST_UPLOADS)
                for (gone,) in connection.execute(oldest).all():
                    _forget(connection, gone)
                    connection.execute(delete(uploads).where(uploads.c.id == gone))

        return name, self.store.write(work)

    def record(self, name: str) -> str | None:
        """The record kept under a name."""
        with self.store.engine.connect() as connection:
            return connection.execute(select(uploads.c.record).where(uploads.c.id == name)).scalar()

    # Findings.

    def begin(self, name: str, analysis: Analysis) -> Future[None]:
        """An analysis from the start, whatever there was before."""
        row = {"id": name, "digest": analysis.digest, "state": analysis.state, "plies": json.dumps(analysis.plies), "at": time.time()}

        def work(connection: Connection) -> None:
            _forget(connection, name)
            connection.execute(_BEGIN, {**row, "client": analysis.client, "person": analysis.person})

        return self.store.write(work)

    def settle(self, name: str, state: str, client: str = "", person: str = "") -> Future[None]:
        """An analysis is wanted, by somebody, or stopped or done from now on."""
        changed = update(analyses).where(analyses.c.id == name).values(state=state, client=client, person=person, due=None, at=time.time())
        return self.store.write(lambda connection: _run(connection, changed))

    def take(self, name: str) -> Future[bool]:
        """This server looks at the next decision of a game; not so where another one does."""
        wish = update(analyses).where(analyses.c.id == name, analyses.c.state == "wanted", self.store.free(analyses))
        return self.store.whether(wish.values(writer=self.store.name, due=self.store.now() + AT_MOST))

    def leave(self) -> Future[None]:
        """This server looks at nothing any more."""
        ours = update(analyses).where(analyses.c.writer == self.store.name).values(due=None)
        return self.store.write(lambda connection: _run(connection, ours))

    def found(self, name: str, ply: int, finding: dict[str, Any]) -> Future[None]:
        """What was found out about one decision; whoever comes first looks at the next one."""

        def work(connection: Connection) -> None:
            connection.execute(delete(findings).where(findings.c.id == name, findings.c.ply == ply))
            connection.execute(insert(findings).values(id=name, ply=ply, found=json.dumps(finding)))
            connection.execute(update(analyses).where(analyses.c.id == name).values(due=None))

        return self.store.write(work)

    def forget(self, name: str) -> Future[None]:
        """The game goes on after all, so what was found is of no use."""
        return self.store.write(lambda connection: _forget(connection, name))

    def analysis(self, name: str) -> Analysis | None:
        """How far the analysis of a game is."""
        with self.store.engine.connect() as connection:
            row = connection.execute(select(analyses).where(analyses.c.id == name)).mappings().first()
            if row is None:
                return None
            kept = connection.execute(select(findings.c.ply, findings.c.found).where(findings.c.id == name).order_by(findings.c.ply))
            found = {ply: json.loads(text) for ply, text in kept}
            return Analysis(row["digest"], row["state"], json.loads(row["plies"]), found, row["client"], row["person"])

    def waiting(self) -> Sequence[Waiting]:
        """The games whose analysis is wanted and not done, the longest waiting first."""
        wanted = select(analyses.c.id, analyses.c.client, analyses.c.person, self.store.free(analyses)).where(analyses.c.state == "wanted")
        with self.store.engine.connect() as connection:
            found = connection.execute(wanted.order_by(analyses.c.at))
            return [Waiting(name, client, person, bool(free)) for name, client, person, free in found]


_BEGIN = text(
    "INSERT INTO analyses (id, digest, state, plies, client, person, at)"
    " VALUES (:id, :digest, :state, :plies, :client, :person, :at) ON CONFLICT DO NOTHING"
)
"""Another server may begin it at the same moment."""


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


def _forget(connection: Connection, name: str) -> None:
    connection.execute(delete(findings).where(findings.c.id == name))
    connection.execute(delete(analyses).where(analyses.c.id == name))
