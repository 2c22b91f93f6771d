"""AnalysisQueue: looks back at finished games in the background, one decision at a time, and keeps what it finds.

The thinking is done in the jobs, one decision after another, so an analysis can be stopped at any moment and goes on where it was, also
after the server was ended. What waits is in the database, for all servers on it; whichever has time takes the next decision. Who wants
analyses has turns: after a decision of one client's game comes one of the next client's. Before every step it is asked anew whether the
game is still over: whoever plays alone may take the last move back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from sheepfold.bots.analysis import Finding
from sheepfold.game.session import Refused
from sheepfold.table.archive import Analysis, Archive, Waiting
from sheepfold.table.fairness import CLIENT, PERSON, Busy, Order
from sheepfold.web.jobs import Jobs, decisions, look_back
from sheepfold.web.replay_frames import FinishedGame

log = logging.getLogger("sheepfold")

MOST_QUEUED = 500
"""How many games may wait for their analysis; of each client's far fewer."""
LOOK = 2.0
"""Seconds after which a server that has nothing to do looks whether another one has left something."""


class Alone(Refused):
    """A game for one has no shares of a win."""


class AnalysisQueue:
    """The analyses of all servers, as one of them sees them."""

    def __init__(self, archive: Archive, jobs: Jobs, find: Callable[[str], Awaitable[FinishedGame]], simulations: int = 0) -> None:
        self.archive = archive
        self.jobs = jobs
        self.find = find
        """The game of a name, refused unless it is over."""
        self.simulations = simulations
        self.order = Order()
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """From now on, in the loop; with what was wanted before, too."""
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            with suppress(SQLAlchemyError):
                await asyncio.wrap_future(self.archive.leave())
        self.jobs.close()

    async def of(self, name: str, played: FinishedGame) -> Analysis | None:
        """How far the analysis of a game is; None where none was wanted, or only one of how the game ended before."""
        found = await asyncio.to_thread(self.archive.analysis, name)
        return found if found and found.digest == played.digest() else None

    async def state(self, name: str, analysis: Analysis | None) -> str:
        """none, waiting, running, stopped or done."""
        if analysis is None:
            return "none"
        if analysis.state != "wanted":
            return analysis.state
        in_turn = _first_of_each(await asyncio.to_thread(self.archive.waiting))
        return "running" if in_turn.get(analysis.client) == name else "waiting"

    async def want(self, name: str, played: FinishedGame) -> Analysis:
        """Begin, or go on."""
        if played.seats == 1:
            raise Alone("alone", "Who plays alone shares the win with nobody, so there is nothing to weigh.")
        analysis = await self.of(name, played)
        if analysis and analysis.state in ("done", "wanted"):
            return analysis
        client, person = CLIENT.get(), PERSON.get()
        waiting = await asyncio.to_thread(self.archive.waiting)
        theirs = sum(each.client == client for each in waiting), sum(bool(person) and each.person == person for each in waiting)
        if len(waiting) >= MOST_QUEUED or max(theirs) >= self.jobs.limits.analyses:
            raise Busy("busy", "The server has much to do; please try again in a moment.")
        if analysis is None:
            analysis = Analysis(played.digest(), "wanted", await self.jobs.do(decisions, played), client=client, person=person)
            await asyncio.wrap_future(self.archive.begin(name, analysis))
        else:
            await self._settle(name, analysis, "wanted", client, person)
        self._wanted.set()
        return analysis

    async def stop(self, name: str, played: FinishedGame) -> Analysis | None:
        """No further, for now."""
        analysis = await self.of(name, played)
        if analysis and analysis.state == "wanted":
            await self._settle(name, analysis, "stopped")
        return analysis

    async def _settle(self, name: str, analysis: Analysis, state: str, client: str = "", person: str = "") -> None:
        analysis.state, analysis.client, analysis.person = state, client, person
        await asyncio.wrap_future(self.archive.settle(name, state, client, person))

    async def _work(self) -> None:
        while True:
            self._wanted.clear()
            worked = False
            try:
                worked = await self._go_on()
            except SQLAlchemyError as error:
                log.warning("analyses stop for a moment (%s)", type(error).__name__)
            if not worked:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wanted.wait(), LOOK)

    async def _go_on(self) -> bool:
        """A decision of a game whose turn it is; False where nothing waits."""
        in_turn = _first_of_each(each for each in await asyncio.to_thread(self.archive.waiting) if each.free)
        if not in_turn:
            return False
        client = self.order.next(in_turn)
        name = in_turn[client]
        CLIENT.set(client)
        if await asyncio.wrap_future(self.archive.take(name)):
            try:
                await self._look_back(name)
            except SQLAlchemyError:
                raise
            except Exception as error:
                log.error("the analysis of a game failed", exc_info=error)
                await asyncio.wrap_future(self.archive.settle(name, "stopped"))
        return True

    async def _look_back(self, name: str) -> None:
        """The next decision of one game, unless it was taken back or stopped meanwhile."""
        try:
            played = await self.find(name)
        except Refused:
            await asyncio.wrap_future(self.archive.forget(name))
            return
        analysis = await self.of(name, played)
        if analysis is None:  # the game has ended otherwise since
            await asyncio.wrap_future(self.archive.forget(name))
        elif analysis.state == "wanted":
            if left := analysis.left():
                found = await self.jobs.in_turn(look_back, played, left[0], self.simulations)
                await asyncio.wrap_future(self.archive.found(name, left[0], found))
            if len(left) <= 1:
                await self._settle(name, analysis, "done")


def _first_of_each(waiting: Iterable[Waiting]) -> dict[str, str]:
    """Of each client the game that is looked at, which is the first of them."""
    return {each.client: each.name for each in reversed([*waiting])}


def findings_of(analysis: Analysis) -> list[Finding]:
    """All findings so far, in the order of the game."""
    return [Finding(**analysis.found[ply]) for ply in sorted(analysis.found)]
