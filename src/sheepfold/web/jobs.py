"""Jobs: processes beside the server for what takes long: films, stories, records that are brought or taken, and looking back with a bot.

They give way to the tables and their bots, start when they are needed first, and end with the server. How much may wait is bounded.
"""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, ParamSpec, TypeVar

from sheepfold.bots.analysis import asked, find_out
from sheepfold.core.errors import BadRecord, UnknownGame
from sheepfold.core.workers import Workers
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.records import read_record, write_record
from sheepfold.table.bot_players import end_with_the_server
from sheepfold.table.fairness import CLIENT, Busy, Turns
from sheepfold.table.limits import Limits
from sheepfold.web.replay_frames import FinishedGame, frames

Given = ParamSpec("Given")
Made = TypeVar("Made")

PROCESSES = 2
"""One for the analysis, one for films."""
MOST_DECISIONS = 600
"""Of a longer game not every decision is looked at."""


# In a process of the jobs.


def step_back() -> None:
    """Films and analyses give way to the tables and their bots, and end with the server."""
    if hasattr(os, "nice"):
        os.nice(8)
    end_with_the_server()


def read_text(text: str) -> tuple[str, FinishedGame] | BadRecord:
    """A record as it would be written here, and the game in it; or what is wrong with it."""
    try:
        record = read_record(text)
    except BadRecord as error:
        return error
    setup = record.setup
    events = [(event.who, event.action, event.interrupt) for event in record.events]
    own = setup.component_file if isinstance(setup.component_file, EnteredFile) else None
    played = FinishedGame(setup.game.name, setup.seats, dict(setup.options), record.names or [], events, record.extra, own)
    return write_record(record), played


def decisions(played: FinishedGame) -> list[int]:
    """The plies at which somebody had a choice."""
    session = played.session()
    found = [ply for ply in range(session.ply) if asked(session, ply) is not None]
    return found[:: -(-len(found) // MOST_DECISIONS) or 1]


def look_back(played: FinishedGame, ply: int, simulations: int) -> dict[str, Any]:
    """What a strong bot thinks of one decision."""
    session = played.session()
    view = asked(session, ply)
    assert view is not None, "only decisions are looked at"
    return vars(find_out(view, session.events[ply].action, ply, simulations))


def weigh(played: FinishedGame, ply: int, action: int, simulations: int) -> float:
    """The share of the win that another action would have cost there."""
    view = asked(played.session(), ply)
    assert view is not None, "only decisions are looked at"
    return find_out(view, action, ply, simulations).loss


def packed_frames(played: FinishedGame, viewer: int, language: str, first: int, last: int) -> bytes:
    """A batch of pictures, as it goes over the wire."""
    return gzip.compress(frames(played, viewer, language, first, last), 6)


# In the server.


class Jobs:
    """Processes beside the server, started when they are needed first. Clients have turns at them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._pool: Workers | None = None
        self.turns = Turns(PROCESSES)

    async def do(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        """Something that somebody waits for."""
        if self.turns.waits(CLIENT.get()) >= self.limits.waiting:
            raise Busy("busy", "The server has much to do; please try again in a moment.")
        try:
            return await self.in_turn(work, *given, **named)
        except UnknownGame:  # it is on the shelf of this process alone
            return work(*given, **named)

    async def in_turn(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        """Something that has time."""
        async with self.turns.place(CLIENT.get()):
            if self._pool is None:
                self._pool = Workers(PROCESSES, step_back)
            try:
                return await asyncio.wrap_future(self._pool.submit(work, *given, **named))
            except BrokenProcessPool:
                self._pool = None  # the next one starts others
                raise

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
