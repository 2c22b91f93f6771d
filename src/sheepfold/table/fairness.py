"""Fairness: so that no client keeps the others waiting, however much it asks for.

Whoever is served is remembered, and where several wait it is the turn of the client that was served longest ago; what one client wants
many times waits only for itself. What cannot wait (a table, a line of chat) has a quota. Both know who asks from `CLIENT`, which is set for
each request; work that the server does by itself has none, and no quota.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from contextvars import ContextVar

from sheepfold.game.session import Refused
from sheepfold.table.limits import Limits

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Who asks."""
REMEMBERED = 20_000
"""Of how many clients it is remembered what they had."""


class Crowded(Refused):
    """The client has asked for too much of something; later it may again."""


class Busy(Refused):
    """Too much of what the client wants is waiting already."""


class Buckets:
    """A token bucket for each client, the longest idle forgotten first."""

    def __init__(self, burst: float, per_second: float, most: int = REMEMBERED) -> None:
        self.burst, self.per_second, self.most = burst, per_second, most
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> bool:
        """Whether the client may go on; uses up one."""
        left = self.left
        amount, since = left.pop(client, (self.burst, now))
        amount = min(self.burst, amount + (now - since) * self.per_second)
        allowed = amount >= 1
        left[client] = (amount - 1 if allowed else amount, now)
        if len(left) > self.most:
            left.popitem(last=False)
        return allowed


class Quotas:
    """What each client may make."""

    def __init__(self, limits: Limits) -> None:
        self.tables = Buckets(limits.tables, limits.tables_per_hour / 3600)
        self.listed = Buckets(limits.listed, limits.listed / 3600)
        self.chat = Buckets(limits.chat, limits.chat_per_minute / 60)

    def make_table(self, listed: bool = False) -> None:
        """One table, or record, more."""
        if listed:
            _spend(self.listed, "many-listed", "You have offered many open tables; please let people come first.")
        _spend(self.tables, "many-tables", "You have made many tables; please try again in some minutes.")

    def say(self) -> None:
        """One line of chat more."""
        _spend(self.chat, "many-lines", "You have said much; please wait a moment.")


def _spend(buckets: Buckets, key: str, text: str) -> None:
    client = CLIENT.get()
    if client and not buckets.take(client, time.monotonic()):
        raise Crowded(key, text)


class Order:
    """Whose turn it is: that of the client that was served longest ago."""

    def __init__(self) -> None:
        self.served: OrderedDict[str, int] = OrderedDict()
        """By client the number of the turn that it had last, the latest at the end."""
        self.turn = 0

    def next(self, clients: Iterable[str]) -> str:
        """Which of these is served now."""
        client = min(clients, key=lambda each: self.served.get(each, 0))
        self.turn += 1
        self.served.pop(client, None)
        self.served[client] = self.turn
        if len(self.served) > REMEMBERED:
            self.served.popitem(last=False)
        return client


class Turns:
    """A number of places at work, given to who waits for them in fair order, and to each client's wishes as they came."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self.order = Order()

    def waits(self, client: str) -> int:
        """How much of a client's waits."""
        return len(self.waiting.get(client, ()))

    @asynccontextmanager
    async def place(self, client: str) -> AsyncIterator[None]:
        """A place, when it is the client's turn."""
        await self.enter(client)
        try:
            yield
        finally:
            self.leave()

    async def enter(self, client: str) -> None:
        """Back with a place; who has it calls `leave`."""
        if self.free:
            self.free -= 1
            self.order.next([client])
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(client, turn)
            else:
                self.leave()  # it was given at the same moment
            raise

    def leave(self) -> None:
        """A place is free: for who waits, or for who comes."""
        while self.waiting:
            client = self.order.next(self.waiting)
            turn = self.waiting[client][0]
            self._forget(client, turn)
            if not turn.done():  # else its task is cancelled and does not know yet
                turn.set_result(None)
                return
        self.free += 1

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        queue = self.waiting.get(client)
        if queue and turn in queue:
            queue.remove(turn)
            if not queue:
                del self.waiting[client]
