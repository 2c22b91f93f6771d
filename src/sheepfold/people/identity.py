"""Identity: a device is known by a signed cookie with a random number, and is a person by itself until somebody carries their games over to
another device. Then both belong to one person, who is a random number too. Who has an account (`accounts`) needs no device to be one."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    String,
    cast,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    update,
)

from sheepfold.core.errors import SheepfoldError
from sheepfold.people.belongings import has_account, leave_nothing, move_in
from sheepfold.table.schema import (
    carries,
    devices,
    keys,
    subscriptions,
)  # fmt: skip
from sheepfold.table.store import Store

CARRIED = 15 * 60.0
"""Seconds for which a link to another device can be used."""


class NotCarried(SheepfoldError):
    """A link that was used before, or too late, or is none."""


class OtherAccount(SheepfoldError):
    """The device is somebody's who has an account, and that is not dissolved by the way."""


@dataclass(frozen=True)
class Device:
    """One of somebody's devices."""

    id: str
    at: float
    """Since when it is theirs."""


class Identity:
    """Who is who, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._key = key(store, "device").encode()

    # Cookies.

    def new_device(self) -> str:
        """A device that nobody has seen before."""
        return secrets.token_urlsafe(15)

    def signed(self, device: str) -> str:
        """What its cookie says."""
        return f"{device}.{self._signature(device)}"

    def device(self, cookie: str) -> str | None:
        """The device that a cookie names, if we have signed it."""
        device, _, signature = cookie.rpartition(".")
        return device if device and hmac.compare_digest(signature.encode(), self._signature(device).encode()) else None

    def _signature(self, device: str) -> str:
        return hmac.new(self._key, device.encode(), sha256).hexdigest()[:32]

    # People.

    def person(self, device: str) -> str:
        """Whose a device is."""
        with self.store.reading.connect() as connection:
            return str(connection.scalar(select(person_of(device))))

    def devices(self, device: str) -> list[Device]:
        """All devices of the person who has this one, the latest first; none where it is the only one."""
        theirs = select(devices.c.id, devices.c.at).where(devices.c.person == person_of(device)).order_by(devices.c.at.desc())
        with self.store.reading.connect() as connection:
            return [Device(*row) for row in connection.execute(theirs)]

    def carry(self, device: str) -> tuple[str, Future[None]]:
        """What to open on another device, so that it becomes the same person's; and when that holds."""
        code = secrets.token_urlsafe(15)

        def work(connection: Connection) -> None:
            now = time.time()
            person = somebody_with_several(connection, device)
            connection.execute(delete(carries).where(carries.c.due < now))
            connection.execute(insert(carries).values(code=_digest(code), person=person, due=now + CARRIED))

        return code, self.store.write(work)

    def can_be_carried(self, code: str) -> bool:
        """Whether that is such a link, and in time."""
        with self.store.reading.connect() as connection:
            due = connection.scalar(select(carries.c.due).where(carries.c.code == _digest(code)))
        return due is not None and due >= time.time()

    def carried(self, device: str, code: str) -> Future[None]:
        """The link was opened on this device: what was its own moves in with the person's. Once."""

        def work(connection: Connection) -> None:
            found = connection.execute(select(carries.c.person, carries.c.due).where(carries.c.code == _digest(code))).first()
            used = connection.execute(delete(carries).where(carries.c.code == _digest(code))).rowcount
            if not found or not used or found.due < time.time():
                raise NotCarried("this link was used before, or is older than a quarter of an hour: make another one")
            join(connection, device, found.person)

        return self.store.write(work)

    def forget(self, device: str, other: str | None = None) -> Future[None]:
        """A device, or another of the same person's, is theirs no more. With the last one goes all that is known of a person, unless they
        have an account."""

        def work(connection: Connection) -> None:
            person = str(connection.scalar(select(person_of(device))))
            gone = other or device
            if not connection.execute(delete(devices).where(devices.c.id == gone, devices.c.person == person)).rowcount and gone != person:
                return
            connection.execute(delete(subscriptions).where(subscriptions.c.device == gone))
            has_another = connection.scalar(select(devices.c.id).where(devices.c.person == person).limit(1))
            if not has_another and not has_account(connection, person):
                leave_nothing(connection, person)

        return self.store.write(work)

    def forget_others(self, device: str) -> Future[None]:
        """Of a person's devices only this one stays theirs."""
        return self.store.write(lambda connection: only(connection, device))


def person_of(device: str | BindParameter[str]) -> ColumnElement[str]:
    """Whose a device is, as part of a statement."""
    known = device if isinstance(device, BindParameter) else literal(device, String)
    whose = select(devices.c.person).where(devices.c.id == known).scalar_subquery()
    return func.coalesce(whose, cast(known, String))


def somebody_with_several(connection: Connection, device: str) -> str:
    """The person who has a device: from now on one who can have several, and lose any of them."""
    person = str(connection.scalar(select(person_of(device))))
    if person == device:
        person = secrets.token_urlsafe(15)
        connection.execute(insert(devices).values(id=device, person=person, at=time.time()))
        move_in(connection, device, person)
    return person


def join(connection: Connection, device: str, person: str) -> None:
    """A device is that person's from now on, and what was its own moves in with theirs."""
    before = str(connection.scalar(select(person_of(device))))
    if before == person:
        return
    if has_account(connection, before):
        raise OtherAccount("this device is somebody else's, who has an account: sign out here first")
    move_in(connection, before, person)
    connection.execute(update(devices).where(devices.c.person == before).values(person=person))  # all are one's own
    if before == device:
        connection.execute(insert(devices).values(id=device, person=person, at=time.time()))


def renumbered(connection: Connection, device: str) -> str:
    """A device under another number: who has a copy of its cookie from before has nothing by it."""
    fresh = secrets.token_urlsafe(15)
    connection.execute(update(devices).where(devices.c.id == device).values(id=fresh))
    connection.execute(update(subscriptions).where(subscriptions.c.device == device).values(device=fresh))
    return fresh


def only(connection: Connection, device: str) -> None:
    """The person who has a device has no other any more."""
    person = connection.scalar(select(person_of(device)))
    connection.execute(delete(devices).where(devices.c.person == person, devices.c.id != device))
    connection.execute(delete(subscriptions).where(subscriptions.c.person == person, subscriptions.c.device != device))
    connection.execute(delete(carries).where(carries.c.person == person))


def key(store: Store, name: str, make: Callable[[], str] = secrets.token_urlsafe) -> str:
    """What the servers of this database sign something with; made when it is first asked for."""
    kept = select(keys.c.value).where(keys.c.name == name)
    with store.engine.begin() as connection:
        found = connection.scalar(kept)
        if found is None:  # perhaps another server is asked for it at the same moment
            connection.execute(_KEEP, {"name": name, "value": make()})
            found = connection.scalar(kept)
    return str(found)


_KEEP = text("INSERT INTO keys (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()
