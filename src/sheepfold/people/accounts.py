"""Accounts: who likes is found again without any of their devices, by a passkey or by a code on paper. No name, no address, no password.

A passkey is a pair of keys whose secret half never leaves its authenticator (WebAuthn). It signs what it is given here (a challenge), which
holds for minutes, once, and on the device that asked for it. All of that is in the database, so any server can ask and any other check.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from sheepfold.core.errors import SheepfoldError
from sheepfold.people.identity import join, only, person_of, renumbered, somebody_with_several
from sheepfold.people.ways import transaction
from sheepfold.table.schema import challenges, passkeys, recoveries
from sheepfold.table.store import Store

SOON = 5 * 60.0
"""Seconds for which a challenge holds."""
MOST_PASSKEYS = 20
LETTERS = "ACDEFHJKMNPRTVWXY34679"
"""Of a recovery code: none that looks like another one."""
LENGTH, GROUP = 24, 4
"""107 bits."""


class NotProven(SheepfoldError):
    """What a passkey has said does not fit what it was asked, or it is none of ours."""


class UnknownPasskey(NotProven):
    """Nobody here has that passkey, or no longer."""


class WrongCode(NotProven):
    """Nobody's recovery code."""


class TooManyPasskeys(SheepfoldError):
    """More than anybody needs."""


@dataclass(frozen=True)
class Passkey:
    """One of somebody's passkeys."""

    id: str
    name: str
    at: float
    used: float


@dataclass(frozen=True)
class Site:
    """This server, as a browser knows it: passkeys are bound to that."""

    origin: str

    @property
    def host(self) -> str:
        return urlsplit(self.origin).hostname or ""

    @property
    def has_passkeys(self) -> bool:
        """Whether browsers have any for it: only by TLS or on the same machine, and only where it has a name."""
        try:
            ip_address(self.host)
            return False
        except ValueError:
            return self.origin.startswith("https://") or self.host == "localhost" or self.host.endswith(".localhost")


def can_check_passkeys() -> bool:
    """Whether what that needs is installed here; it is loaded when it is first needed, by whoever asks (in a thread)."""
    return find_spec("webauthn") is not None


class Accounts:
    """Who has an account, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Passkeys.

    async def passkeys(self, device: str) -> list[Passkey]:
        """Those of the person who has a device, the oldest first."""
        asked = select(passkeys.c.id, passkeys.c.name, passkeys.c.at, passkeys.c.used).where(_mine(device)).order_by(passkeys.c.at)

        def read() -> list[Passkey]:
            with self.store.reading.connect() as connection:
                return [Passkey(*row) for row in connection.execute(asked)]

        return await asyncio.to_thread(read)

    async def ask_for_new(self, device: str, site: Site, called: str) -> dict[str, Any]:
        """What a browser is asked when somebody wants a passkey. `called` is what their authenticator shows, and is not kept here."""

        def work(connection: Connection) -> tuple[str, str, list[str]]:
            known = connection.execute(select(passkeys.c.handle, passkeys.c.credential).where(_mine(device))).all()
            if len(known) >= MOST_PASSKEYS:
                raise TooManyPasskeys(f"nobody has more than {MOST_PASSKEYS} passkeys; remove one first")
            handle = str(known[0].handle) if known else secrets.token_urlsafe(18)
            return _new_challenge(connection, device, handle), handle, [each.credential for each in known]

        challenge, handle, known = await transaction(self.store, work)
        return await asyncio.to_thread(_options_for_new, site, challenge, handle, known, called)

    async def keep(self, device: str, site: Site, answer: Mapping[str, Any]) -> None:
        """A passkey was made: from now on it finds the person who has this device."""
        challenge = _challenge_in(answer)
        handle = await self._take(device, challenge, new=True)
        try:
            made = await asyncio.to_thread(_made, site, challenge, answer)
        except Exception as error:  # whatever was sent
            raise NotProven("this is no passkey that was made here and now") from error

        def work(connection: Connection) -> None:
            now = time.time()
            if connection.scalar(select(passkeys.c.id).where(passkeys.c.id == made["id"])):
                raise NotProven("this passkey is somebody's already")
            person = somebody_with_several(connection, device)
            connection.execute(insert(passkeys).values(**made, person=person, handle=handle, at=now, used=now))

        try:
            await transaction(self.store, work)
        except IntegrityError as error:  # another server was told of it at the same moment
            raise NotProven("this passkey is somebody's already") from error

    async def ask_for_any(self, device: str, site: Site) -> dict[str, Any]:
        """What a browser is asked when somebody shows a passkey; their authenticator knows which they have."""
        challenge = await transaction(self.store, lambda connection: _new_challenge(connection, device, ""))
        return await asyncio.to_thread(_options_for_any, site, challenge)

    async def sign_in(self, device: str, site: Site, answer: Mapping[str, Any]) -> str:
        """Somebody has shown a passkey: the device is theirs, and what was its own moves in with theirs. What it is called from now on."""
        challenge = _challenge_in(answer)
        await self._take(device, challenge, new=False)
        known = await asyncio.to_thread(self._known, str(answer.get("id", "")))
        if known is None:
            raise UnknownPasskey("nobody here has this passkey; perhaps it was removed")
        try:
            count = await asyncio.to_thread(_shown, site, challenge, answer, known)
        except Exception as error:  # whatever was sent
            raise NotProven("this passkey has not signed what it was asked to") from error
        if (whose := answer["response"].get("userHandle")) and whose != known["handle"]:
            raise NotProven("this passkey says that it is somebody else's")

        def work(connection: Connection) -> str:
            as_known = update(passkeys).where(passkeys.c.id == known["id"], passkeys.c.count == known["count"])
            if not connection.execute(as_known.values(count=count, used=time.time())).rowcount:
                raise NotProven("this passkey was removed, or has signed something else meanwhile")
            join(connection, device, known["person"])
            return renumbered(connection, device)

        return await transaction(self.store, work)

    def _known(self, credential: str) -> RowMapping | None:
        with self.store.reading.connect() as connection:
            return connection.execute(select(passkeys).where(passkeys.c.id == _digest(credential))).mappings().first()

    async def _take(self, device: str, challenge: str, new: bool) -> str:
        """Nobody else can answer this challenge any more, whatever becomes of the answer; the handle that goes with it."""

        def work(connection: Connection) -> str | None:
            here = (challenges.c.challenge == challenge, challenges.c.device == device, challenges.c.due >= time.time())
            handle: str | None = connection.scalar(select(challenges.c.handle).where(*here))
            if handle is None or bool(handle) != new or not connection.execute(delete(challenges).where(*here)).rowcount:
                return None
            return handle

        handle = await transaction(self.store, work)
        if handle is None:
            raise NotProven("this was not asked here, or was answered before, or too long ago: try again")
        return handle

    async def rename(self, device: str, passkey: str, name: str) -> None:
        """What somebody calls one of their passkeys."""
        changed = update(passkeys).where(_mine(device), passkeys.c.id == passkey).values(name=name)
        await transaction(self.store, lambda connection: connection.execute(changed) and None)

    async def remove(self, device: str, passkey: str) -> None:
        """One of somebody's passkeys finds them no more."""
        gone = delete(passkeys).where(_mine(device), passkeys.c.id == passkey)
        await transaction(self.store, lambda connection: connection.execute(gone) and None)

    # The code on paper.

    async def code_made(self, device: str) -> float | None:
        """When the person who has a device made the recovery code that holds; None where there is none."""
        asked = select(recoveries.c.at).where(recoveries.c.person == person_of(device))

        def read() -> float | None:
            with self.store.reading.connect() as connection:
                at: float | None = connection.scalar(asked)
                return at

        return await asyncio.to_thread(read)

    async def make_code(self, device: str) -> str:
        """A recovery code, in groups; it is shown once, and ends the one before."""
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))

        def work(connection: Connection) -> None:
            person = somebody_with_several(connection, device)
            connection.execute(delete(recoveries).where(recoveries.c.person == person))
            connection.execute(insert(recoveries).values(person=person, code=_digest(code), at=time.time()))

        await transaction(self.store, work)
        return "-".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP))

    async def recover(self, device: str, code: str) -> str:
        """Somebody has lost their devices and has the code: this device is theirs, and no other. What it is called from now on. The code
        holds until another is made."""
        letters = "".join(letter for letter in code.upper() if letter in LETTERS)

        def work(connection: Connection) -> str:
            person = connection.scalar(select(recoveries.c.person).where(recoveries.c.code == _digest(letters)))
            if person is None:
                raise WrongCode("this is nobody's recovery code; perhaps a newer one was made")
            join(connection, device, person)
            only(connection, device)
            return renumbered(connection, device)

        return await transaction(self.store, work)


def _mine(device: str) -> ColumnElement[bool]:
    return passkeys.c.person == person_of(device)


def _new_challenge(connection: Connection, device: str, handle: str) -> str:
    """What is to be signed; those that nobody has answered in time go."""
    challenge = secrets.token_urlsafe(32)
    connection.execute(delete(challenges).where(challenges.c.due < time.time()))
    connection.execute(insert(challenges).values(challenge=challenge, device=device, handle=handle, due=time.time() + SOON))
    return challenge


def _challenge_in(answer: Mapping[str, Any]) -> str:
    """Which challenge an answer says that it answers."""
    try:
        said = answer["response"]["clientDataJSON"]
        return _CHALLENGE.fullmatch(json.loads(base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)))["challenge"])[0]  # type: ignore[index]
    except Exception as error:  # whatever was sent
        raise NotProven("this is not what a passkey says") from error


_CHALLENGE = re.compile("[A-Za-z0-9_-]{43}")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()


# In a thread, with a library that takes its time to load.


def _options_for_new(site: Site, challenge: str, handle: str, known: Sequence[str], called: str) -> dict[str, Any]:
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import AuthenticatorSelectionCriteria, PublicKeyCredentialDescriptor, ResidentKeyRequirement

    options = generate_registration_options(
        rp_id=site.host, rp_name="Sheepfold", user_name=called, user_id=base64url_to_bytes(handle),
        challenge=base64url_to_bytes(challenge), timeout=int(SOON * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
    )  # fmt: skip
    return dict(json.loads(options_to_json(options)))


def _options_for_any(site: Site, challenge: str) -> dict[str, Any]:
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers import base64url_to_bytes

    options = generate_authentication_options(rp_id=site.host, challenge=base64url_to_bytes(challenge), timeout=int(SOON * 1000))
    return dict(json.loads(options_to_json(options)))


def _made(site: Site, challenge: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a new passkey, if it is one."""
    from webauthn import verify_registration_response
    from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

    made = verify_registration_response(
        credential=dict(answer), expected_challenge=base64url_to_bytes(challenge), expected_rp_id=site.host, expected_origin=site.origin
    )
    credential = bytes_to_base64url(made.credential_id)
    public_key = bytes_to_base64url(made.credential_public_key)
    return {"id": _digest(credential), "credential": credential, "public_key": public_key, "count": made.sign_count}


def _shown(site: Site, challenge: str, answer: Mapping[str, Any], known: RowMapping) -> int:
    """How often a passkey says that it has signed, if it has signed that."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes

    shown = verify_authentication_response(
        credential=dict(answer), expected_challenge=base64url_to_bytes(challenge), expected_rp_id=site.host, expected_origin=site.origin,
        credential_public_key=base64url_to_bytes(known["public_key"]), credential_current_sign_count=known["count"],
    )  # fmt: skip
    return int(shown.new_sign_count)
