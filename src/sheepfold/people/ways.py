"""Ways to be told: browsers that have subscribed, addresses that somebody gave, quiet hours, and tables that nobody wants to hear of."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, String, and_, bindparam, delete, exists, insert, or_, select, update

from sheepfold.core.errors import SheepfoldError
from sheepfold.people.identity import person_of
from sheepfold.people.post import checked
from sheepfold.people.push import Browser
from sheepfold.table.schema import hooks, people, places, subscriptions
from sheepfold.table.store import Store

T = TypeVar("T")
MOST_HOOKS = 5
"""Addresses that a person, or a table, can have told."""
FORMATS = ("json", "chat")


class TooMany(SheepfoldError):
    """More addresses than anybody needs."""


class Nowhere(SheepfoldError):
    """Somebody who sits at no table wants to be told."""


@dataclass(frozen=True)
class Hook:
    """An address that is told."""

    id: str
    url: str
    format: str
    secret: str
    language: str
    origin: str


@dataclass(frozen=True)
class Quiet:
    """When somebody does not want to be told: minutes of the day, in a zone. From 22:00 until 8:00 is (1320, 480)."""

    start: int
    until: int
    zone: str

    def awake(self, at: float) -> float:
        """The first moment from then on that is not quiet."""
        there = datetime.fromtimestamp(at, self._zone)
        minute = there.hour * 60 + there.minute
        length = (self.until - self.start) % 1440
        if (minute - self.start) % 1440 >= length:
            return at
        ends = there.replace(hour=self.until // 60, minute=self.until % 60, second=0, microsecond=0)
        return (ends if ends > there else ends + timedelta(days=1)).timestamp()

    @property
    def _zone(self) -> Any:
        try:
            return ZoneInfo(self.zone)
        except Exception:  # a name that is not known here, or none
            return UTC


async def transaction(store: Store, work: Callable[[Connection], T]) -> T:
    """Do some work in a transaction that no move waits for, where the database can have several."""
    if store.shared:
        return await asyncio.to_thread(_in_transaction, store, work)
    done: list[T] = []
    await asyncio.wrap_future(store.write(lambda connection: done.append(work(connection))))
    return done[-1]


def _in_transaction(store: Store, work: Callable[[Connection], T]) -> T:
    with store.engine.begin() as connection:
        return work(connection)


class Ways:
    """How people want to be told, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def _scalar(self, asked: Any) -> Any:
        with self.store.reading.connect() as connection:
            return connection.scalar(asked)

    def any_for(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Of devices and tables those whose person would be told of their turn there, by any way."""
        with self.store.reading.connect() as connection:
            return {(device, table) for device, table in pairs if connection.scalar(_ANY, {"device": device, "table": table})}

    async def subscribe(self, device: str, browser: Browser, language: str, origin: str) -> None:
        """A browser wants to be told."""
        checked(browser.endpoint)
        await asyncio.to_thread(browser.checked)

        def work(connection: Connection) -> None:
            person = _seated(connection, device)
            name = _digest(browser.endpoint)
            connection.execute(delete(subscriptions).where(or_(subscriptions.c.id == name, subscriptions.c.device == device)))
            row = {"id": name, "person": person, "device": device, "language": language, "origin": origin, **vars(browser)}
            connection.execute(insert(subscriptions).values(**row))

        await transaction(self.store, work)

    async def unsubscribe(self, device: str) -> None:
        """A browser wants to be told no more."""
        await transaction(
            self.store, lambda connection: connection.execute(delete(subscriptions).where(subscriptions.c.device == device)) and None
        )

    async def is_subscribed(self, device: str) -> bool:
        return bool(await asyncio.to_thread(self._scalar, select(subscriptions.c.id).where(subscriptions.c.device == device)))

    async def quiet(self, device: str) -> Quiet | None:
        """Somebody's quiet hours."""
        asked = select(people).where(people.c.id == person_of(device), people.c.quiet_from.isnot(None))

        def read() -> Quiet | None:
            with self.store.reading.connect() as connection:
                row = connection.execute(asked).mappings().first()
            return Quiet(row["quiet_from"], row["quiet_until"], row["zone"]) if row else None

        return await asyncio.to_thread(read)

    async def be_quiet(self, device: str, quiet: Quiet | None) -> None:
        """From now on these are somebody's quiet hours; or none."""

        def work(connection: Connection) -> None:
            person = connection.scalar(select(person_of(device)))
            connection.execute(delete(people).where(people.c.id == person))
            if quiet:
                row = {"id": person, "zone": quiet.zone, "quiet_from": quiet.start, "quiet_until": quiet.until}
                connection.execute(insert(people).values(**row))

        await transaction(self.store, work)

    async def mute(self, device: str, table_id: str, muted: bool) -> None:
        """Nothing is told of one table; or again."""
        mine = update(places).where(places.c.person == person_of(device), places.c.table_id == table_id)
        await transaction(self.store, lambda connection: connection.execute(mine.values(muted=muted)) and None)

    async def is_muted(self, device: str, table_id: str) -> bool:
        mine = select(places.c.muted).where(places.c.person == person_of(device), places.c.table_id == table_id)
        return bool(await asyncio.to_thread(self._scalar, mine))

    async def hooks(self, device: str, table_id: str | None = None) -> list[Hook]:
        """Somebody's addresses: those that hear of all their games, or those that hear of a table."""
        mine = and_(hooks.c.person == person_of(device), hooks.c.table_id == table_id if table_id else hooks.c.table_id.is_(None))
        asked = select(*_HOOK).where(mine).order_by(hooks.c.url)

        def read() -> list[Hook]:
            with self.store.reading.connect() as connection:
                return [Hook(*row) for row in connection.execute(asked)]

        return await asyncio.to_thread(read)

    async def add_hook(self, device: str, url: str, form: str, language: str, origin: str, table_id: str | None = None) -> Hook:
        """An address is told from now on; what it is sent is signed with a secret that only its owner is shown."""
        hook = Hook(
            secrets.token_urlsafe(9), checked(url), form if form in FORMATS else FORMATS[0], secrets.token_urlsafe(24), language, origin
        )
        if len(await self.hooks(device, table_id)) >= MOST_HOOKS:
            raise TooMany(f"no more than {MOST_HOOKS} addresses are told; remove one first")

        def work(connection: Connection) -> None:
            row = {**vars(hook), "person": _seated(connection, device), "table_id": table_id}
            connection.execute(insert(hooks).values(**row))

        await transaction(self.store, work)
        return hook

    async def remove_hook(self, device: str, hook_id: str) -> None:
        mine = delete(hooks).where(hooks.c.id == hook_id, hooks.c.person == person_of(device))
        await transaction(self.store, lambda connection: connection.execute(mine) and None)

    async def hook(self, device: str, hook_id: str) -> Hook | None:
        """One of somebody's addresses."""
        mine = select(*_HOOK).where(hooks.c.id == hook_id, hooks.c.person == person_of(device))

        def read() -> Hook | None:
            with self.store.reading.connect() as connection:
                row = connection.execute(mine).first()
            return Hook(*row) if row else None

        return await asyncio.to_thread(read)


def _seated(connection: Connection, device: str) -> str:
    """Whose a device is, if they sit anywhere: who does not has nothing to be told of, and is not kept."""
    person = str(connection.scalar(select(person_of(device))))
    if not connection.scalar(select(places.c.person).where(places.c.person == person).limit(1)):
        raise Nowhere("you sit at no table, so there is nothing to tell you")
    return person


def _digest(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


_HOOK = (hooks.c.id, hooks.c.url, hooks.c.format, hooks.c.secret, hooks.c.language, hooks.c.origin)
HAS_WAY = or_(
    exists().where(subscriptions.c.person == places.c.person),
    exists().where(hooks.c.person == places.c.person, hooks.c.table_id.is_(None)),
    exists().where(hooks.c.table_id == places.c.table_id),
)
"""Whether there is any way to tell the person at a place, as part of a statement."""
_ANY = select(HAS_WAY).where(places.c.person == person_of(bindparam("device", type_=String)), places.c.table_id == bindparam("table"))
