"""Fairness: so that no client keeps the others waiting, however much it asks for.

Whoever is served is remembered, and where several wait it is the turn of the client that was served longest ago; what one client wants
many times waits only for itself. What cannot wait (a table, a line of chat) has a quota. Both know who asks from `CLIENT`, which is set for
each request; work that the server does by itself has none, and no quota. Whose device is known (`PERSON`) has a quota as a person,
too, from whatever addresses they ask; both must have room.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from sheepfold.game.session import Refused
from sheepfold.table.limits import Limits

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Who asks."""
PERSON: ContextVar[str] = ContextVar("person", default="")
"""The person who asks, where that is known and counts."""
NOTICEABLE = 20
"""What a client has used up at one server others hear of when it is this part of what it may at once."""
FORGOTTEN = 5.0
"""Seconds after which what another server has told of holds no longer."""
REMEMBERED = 20_000
"""Of how many clients it is remembered what they had."""


class Crowded(Refused):
    """The client has asked for too much of something; later it may again."""


class Busy(Refused):
    """Too much of what the client wants is waiting already."""


class Buckets:
    """A token bucket for each client, the longest idle forgotten first. What a client uses up at other servers is charged here too."""

    def __init__(self, allowed: Callable[[], tuple[float, float]], most: int = REMEMBERED) -> None:
        self.allowed = allowed
        """How much at once, and a second."""
        self.most = most
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.spent: Counter[str] | None = None
        """What other servers, if there are any, have not heard of."""

    def take(self, client: str, now: float) -> bool:
        """Whether the client may go on; uses up one."""
        amount = self._refilled(client, now)
        allowed = amount >= 1
        self._keep(client, amount - 1 if allowed else amount, now)
        if allowed and self.spent is not None:
            self.spent[client] += 1
        return allowed

    def take_of_all(self, clients: Sequence[str], now: float) -> bool:
        """The same for who is known under several names: all of them must have room, else none is charged."""
        for client in clients:
            self.charge(client, 0.0, now)
        return all(self.left[client][0] >= 1 for client in clients) and all(self.take(client, now) for client in clients)

    def charge(self, client: str, amount: float, now: float) -> None:
        """The client has used up so much elsewhere."""
        self._keep(client, max(-self.allowed()[0], self._refilled(client, now) - amount), now)

    def noticeable(self) -> dict[str, int]:
        """Clients that have used up a noticeable part here, of which nobody has heard, and how much; from now on everybody has."""
        if self.spent is None:
            return {}
        found = {client: spent for client, spent in self.spent.items() if spent >= self.allowed()[0] / NOTICEABLE}
        for client in found if len(self.spent) < self.most else list(self.spent):
            del self.spent[client]
        return found

    def _refilled(self, client: str, now: float) -> float:
        burst, per_second = self.allowed()
        amount, since = self.left.pop(client, (burst, now))
        return min(burst, amount + (now - since) * per_second)

    def _keep(self, client: str, amount: float, now: float) -> None:
        self.left[client] = (amount, now)
        if len(self.left) > self.most:
            self.left.popitem(last=False)


class Held:
    """How much of something each client, or table, has now: here, and as far as is known at other servers."""

    def __init__(self, most: Callable[[], float]) -> None:
        self.most = most
        self.here: Counter[str] = Counter()
        self.elsewhere: dict[str, tuple[float, Mapping[str, int]]] = {}
        """By server when it told that, and what."""

    def is_full(self, name: str) -> bool:
        """Whether there is no room for one more."""
        now = time.monotonic()
        others = sum(held.get(name, 0) for told, held in self.elsewhere.values() if now < told + FORGOTTEN)
        return self.here[name] + others >= self.most()

    def hear(self, server: str, held: Mapping[str, int], now: float) -> None:
        """So much is at another server; what those have told that are gone is forgotten."""
        recent = {each: told for each, told in self.elsewhere.items() if now < told[0] + FORGOTTEN}
        self.elsewhere = {**recent, server: (now, held)}

    @contextmanager
    def one_more(self, name: str) -> Iterator[None]:
        """While this lasts."""
        self.here[name] += 1
        try:
            yield
        finally:
            self.here[name] -= 1
            if not self.here[name]:
                del self.here[name]

    def noticeable(self) -> dict[str, int]:
        """Who has a noticeable part here, and how much."""
        return {name: count for name, count in self.here.items() if count >= self.most() / NOTICEABLE}


class Quotas:
    """What each client may make."""

    def __init__(self, limits: Limits) -> None:
        self.tables = Buckets(lambda: (limits.tables, limits.tables_per_hour / 3600))
        self.listed = Buckets(lambda: (limits.listed, limits.listed / 3600))
        self.entries = Buckets(lambda: (limits.entries, limits.entries / 3600))
        self.chat = Buckets(lambda: (limits.chat, limits.chat_per_minute / 60))
        self.reports = Buckets(lambda: (limits.reports, limits.reports / 3600))
        self.keys = Buckets(lambda: (limits.keys, limits.keys / 3600))
        self.recoveries = Buckets(lambda: (limits.recoveries, limits.recoveries / 3600))

    def make_table(self, listed: bool = False) -> None:
        """One table, or record, more."""
        if listed:
            _spend(self.listed, "many-listed", "You have offered many open tables; please let people come first.")
        _spend(self.tables, "many-tables", "You have made many tables; please try again in some minutes.")

    def enter(self) -> None:
        """One entry into a tournament more."""
        _spend(self.entries, "many-entries", "You have entered many tournaments; please try again in some minutes.")

    def say(self) -> None:
        """One line of chat more."""
        _spend(self.chat, "many-lines", "You have said much; please wait a moment.")

    def report(self) -> None:
        """One line of chat more that a host is to look at."""
        _spend(self.reports, "many-reports", "You have reported much; the host will look at it.")

    def try_key(self) -> None:
        """One key more that might be the host's."""
        _spend(self.keys, "many-keys", "Too many keys were tried from here; please try again later.")

    def recover(self) -> None:
        """One recovery code more."""
        _spend(self.recoveries, "many-codes", "You have tried many codes; please try again in an hour.")


def person_name(person: str) -> str:
    """What a person is called where clients have names."""
    return f"person {person}"


def _spend(buckets: Buckets, key: str, text: str) -> None:
    client, person = CLIENT.get(), PERSON.get()
    if client and not buckets.take_of_all([client, person_name(person)] if person else [client], time.monotonic()):
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
