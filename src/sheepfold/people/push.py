"""Push: a notice sealed for one browser, as its maker's push service passes it on without reading it (RFC 8030, 8188, 8291, 8292)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from sheepfold.core.errors import SheepfoldError
from sheepfold.people.identity import key
from sheepfold.table.store import Store

DAY = 86400


class NoSubscription(SheepfoldError):
    """Not what a browser says when it wants to be told."""


@dataclass(frozen=True)
class Browser:
    """Where a browser is told, and with what it unseals."""

    endpoint: str
    p256dh: str
    auth: str

    def checked(self) -> Browser:
        """The same, if something can be sealed for it."""
        try:
            fine = (len(_bytes(self.p256dh)), len(_bytes(self.auth))) == (65, 16) and self.sealed({})
        except Exception:  # whatever was sent
            fine = False
        if not fine:
            raise NoSubscription("these are no keys of a browser that wants to be told")
        return self

    def sealed(self, told: Mapping[str, object]) -> bytes:
        """A notice that only this browser can read."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        text = json.dumps(told, ensure_ascii=False).encode()
        once = ec.generate_private_key(ec.SECP256R1())  # for this notice alone
        theirs, secret = _bytes(self.p256dh), _bytes(self.auth)
        return bytes(http_ece.encrypt(text, private_key=once, dh=theirs, auth_secret=secret, version="aes128gcm"))


def can_push() -> bool:
    """Whether what that needs is installed here."""
    try:
        import http_ece
        import py_vapid  # noqa: F401
    except ImportError:
        return False
    return bool(http_ece)


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Push:
    """What this server shows to push services, so that they know that it is the one that a browser has subscribed to."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @cached_property
    def _vapid(self) -> Any:
        from py_vapid import Vapid02

        return Vapid02.from_raw(key(self.store, "push", _new_key).encode())

    @cached_property
    def public_key(self) -> str:
        """What a browser is given when it subscribes."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point: bytes = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return _text(point)

    def headers(self, endpoint: str, origin: str, topic: str) -> dict[str, str]:
        """What goes with a notice. One of the same topic that has not been passed on yet is replaced by it."""
        parts = urlsplit(endpoint)
        contact = origin if origin.startswith("https://") else "mailto:host@localhost"
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + DAY // 2, "sub": contact}
        signed: str = self._vapid.sign(claims)["Authorization"]
        return {
            "Authorization": signed, "TTL": str(DAY), "Urgency": "high", "Topic": topic, "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }  # fmt: skip


def _new_key() -> str:
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))
