"""Looking: what rooms do beside the tables, again and again as long as a server runs. Nothing of it is in the way of a move; what fails is
logged and tried again, as when the database is away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from sqlalchemy.exc import SQLAlchemyError

log = logging.getLogger("sheepfold")

LOOK = 1.0
"""Seconds between two looks."""


def for_ever(what: str, look: Callable[[], Awaitable[object]], every: float | None = None) -> asyncio.Task[None]:
    """Look again and again, from now on, every so many seconds; `what` is what the log says of it."""
    return asyncio.get_running_loop().create_task(_look_for_ever(what, look, LOOK if every is None else every))


async def _look_for_ever(what: str, look: Callable[[], Awaitable[object]], every: float) -> None:
    while True:
        await asyncio.sleep(every)
        try:
            await look()
        except SQLAlchemyError:
            log.warning("%s wait for the database", what)
            await asyncio.sleep(LOOK)
        except Exception:
            log.exception(what)
            await asyncio.sleep(LOOK)


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """These stop now."""
    ended = list(tasks)
    for task in ended:
        task.cancel()
    await asyncio.gather(*ended, return_exceptions=True)
