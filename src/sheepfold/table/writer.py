"""Writer: stores what happens at tables, in order. What comes while the loop goes round once shares a transaction.

It knows nothing of tables: who hands something over is called in the loop's thread when it is durable, or with why it is not.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from sheepfold.game.session import Refused, Stale
from sheepfold.table.store import Change, Overtaken, Store

log = logging.getLogger("sheepfold")

PACE = 0.006
"""Seconds between two transactions with moves, where the writer's thread does them one after the other, so that more of them share one; a
move alone does not wait."""

Then = Callable[[Refused | None], None]
"""Called when something is stored, or with why it is not."""


class NotStored(Refused):
    """The database did not take it (a full disk, a lost connection), so it has not happened."""


class NotText(Refused):
    """No database could take it."""


class Writer:
    """What waits to be stored."""

    def __init__(self, store: Store, counted: Counter[str]) -> None:
        self.store = store
        self.counted = counted
        self.busy = False
        self._waiting: list[tuple[Change, Then]] = []

    def change(self, change: Change, then: Then) -> None:
        """Store a change, with whatever else comes before the loop has gone round."""
        self._waiting.append((change, then))
        if not self.busy:
            self.busy = True
            asyncio.get_running_loop().call_soon(self._hand_over)

    def _hand_over(self) -> None:
        """Store all that has come, and afterwards what came meanwhile."""
        loop = asyncio.get_running_loop()
        together, self._waiting = self._waiting, []
        began = loop.time()

        def done(outcomes: list[Exception | None]) -> None:
            for (_, then), outcome in zip(together, outcomes, strict=True):
                try:
                    then(self._refusal(outcome) if outcome else None)
                except Exception:  # of one; the others were stored too and must hear of it
                    log.exception("after a write")
            if self._waiting:
                loop.call_later(max(0.0, began + PACE - loop.time()), self._hand_over)
            else:
                self.busy = False

        works = [work for work, _ in together]
        if self.store.write_here(works):
            done([None] * len(works))
        else:
            self.store.write_together(works, lambda outcomes: _in_loop(loop, done, outcomes))

    async def kept(self, done: Future[None]) -> None:
        """Back when it is durable; what the database does not take is refused."""
        try:
            await asyncio.wrap_future(done)
        except SQLAlchemyError as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> Refused:
        """What is said of an error of the database."""
        if isinstance(error, IntegrityError | Overtaken):
            return Stale("stale", "Something else was stored meanwhile; here is the current position.")
        if isinstance(error, DataError):  # what was to be written is at fault
            return NotText("form", "This holds something that cannot be stored.")
        self.counted["writes that failed"] += 1
        log.error("the database did not take a write: %s", reason(error))
        return NotStored("not-stored", "This could not be stored, so it has not happened. Please try again in a moment.")


def reason(error: BaseException) -> str:
    """Why the database failed, in a line; nothing of what was to be written is in it."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return lines[0] if lines else type(error).__name__


def _in_loop(loop: asyncio.AbstractEventLoop, done: Callable[[list[Exception | None]], None], outcomes: list[Exception | None]) -> None:
    """Go on in the loop's thread; a loop that is closed has nobody left who waits."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(done, outcomes)
