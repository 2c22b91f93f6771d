"""AnalysisQueue: looks back at finished games in the background, one decision at a time, and keeps what it finds.

The thinking is done in the jobs, one decision after another, so an analysis can be stopped at any moment and goes on where it was, also
after the server was ended. Who wants analyses has turns: after a decision of one client's game comes one of the next client's. Before
every step it is asked anew whether the game is still over: whoever plays alone may take the last move back.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from sheepfold.bots.analysis import Finding
from sheepfold.game.session import Refused
from sheepfold.table.archive import Analysis, Archive
from sheepfold.table.fairness import CLIENT, Busy, Order
from sheepfold.web.jobs import Jobs, decisions, look_back
from sheepfold.web.replay_frames import FinishedGame

log = logging.getLogger("sheepfold")

MOST_QUEUED = 500
"""How many games may wait for their analysis; of each client's far fewer."""
KEPT = 100
"""How many analyses are kept in memory."""


class Alone(Refused):
    """A game for one has no shares of a win."""


class AnalysisQueue:
    """The analyses of one server."""

    def __init__(self, archive: Archive, jobs: Jobs, find: Callable[[str], Awaitable[FinishedGame]], simulations: int = 0) -> None:
        self.archive = archive
        self.jobs = jobs
        self.find = find
        """The game of a name, refused unless it is over."""
        self.simulations = simulations
        self.known: OrderedDict[str, Analysis] = OrderedDict()
        self.queue: dict[str, str] = {}
        """The games that wait, in order, and who wanted each."""
        self.order = Order()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Go on with what was wanted when the server ended."""
        self.queue = dict.fromkeys(await asyncio.to_thread(self.archive.wanted), "")
        self._wake()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.jobs.close()

    async def of(self, name: str, played: FinishedGame) -> Analysis | None:
        """How far the analysis of a game is; None where none was wanted, or only one of how the game ended before."""
        found = self.known.get(name) or await asyncio.to_thread(self.archive.analysis, name)
        if found is None or found.digest != played.digest():
            return None
        self.known[name] = found
        self.known.move_to_end(name)
        while len(self.known) > KEPT:
            self.known.pop(next(each for each in self.known if each not in self.queue))
        return found

    def state(self, name: str, analysis: Analysis | None) -> str:
        """none, waiting, running, stopped or done."""
        if analysis is None:
            return "none"
        if analysis.state != "wanted":
            return analysis.state
        return "running" if name in self._in_turn().values() else "waiting"

    async def want(self, name: str, played: FinishedGame) -> Analysis:
        """Begin, or go on."""
        if played.seats == 1:
            raise Alone("alone", "Who plays alone shares the win with nobody, so there is nothing to weigh.")
        analysis = await self.of(name, played)
        if analysis and analysis.state == "done":
            return analysis
        client = CLIENT.get()
        waiting = [*self.queue.values()]
        if name not in self.queue and (len(waiting) >= MOST_QUEUED or waiting.count(client) >= self.jobs.limits.analyses):
            raise Busy("busy", "The server has much to do; please try again in a moment.")
        if analysis is None:
            analysis = Analysis(played.digest(), "wanted", await self.jobs.do(decisions, played))
            await asyncio.wrap_future(self.archive.begin(name, analysis))
            self.known[name] = analysis
        else:
            await self._settle(name, analysis, "wanted")
        self.queue.setdefault(name, client)
        self._wake()
        return analysis

    async def stop(self, name: str, played: FinishedGame) -> Analysis | None:
        """No further, for now."""
        analysis = await self.of(name, played)
        if analysis and analysis.state == "wanted":
            await self._settle(name, analysis, "stopped")
        return analysis

    async def _settle(self, name: str, analysis: Analysis, state: str) -> None:
        analysis.state = state
        await asyncio.wrap_future(self.archive.settle(name, state))

    def _wake(self) -> None:
        if self.queue and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._work())

    def _in_turn(self) -> dict[str, str]:
        """Of each client the game that is looked at, which is the first of them."""
        return {client: name for name, client in reversed(self.queue.items())}

    async def _work(self) -> None:
        while self.queue:
            in_turn = self._in_turn()
            client = self.order.next(in_turn)
            CLIENT.set(client)
            name, going_on = in_turn[client], False
            try:
                going_on = await self._look_back(name)
            except Exception as error:
                log.error("the analysis of a game failed", exc_info=error)
                if name in self.known:
                    with suppress(SQLAlchemyError):
                        await self._settle(name, self.known[name], "stopped")
            finally:
                if not going_on:
                    del self.queue[name]

    async def _look_back(self, name: str) -> bool:
        """The next decision of one game; whether it goes on after that, and was not stopped or taken back."""
        try:
            played = await self.find(name)
        except Refused:
            self.known.pop(name, None)
            await asyncio.wrap_future(self.archive.forget(name))
            return False
        analysis = await self.of(name, played)
        if analysis is None or analysis.state != "wanted":
            return False
        left = analysis.left()
        if not left:
            await self._settle(name, analysis, "done")
            return False
        found = await self.jobs.in_turn(look_back, played, left[0], self.simulations)
        analysis.found[left[0]] = found
        await asyncio.wrap_future(self.archive.found(name, left[0], found))
        return True


def findings_of(analysis: Analysis) -> list[Finding]:
    """All findings so far, in the order of the game."""
    return [Finding(**analysis.found[ply]) for ply in sorted(analysis.found)]
