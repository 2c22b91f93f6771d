"""An authenticator as phones and keys have one inside: makes passkeys and signs with them, as WebAuthn wants it. And what goes wrong."""

from __future__ import annotations

import base64
import json
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """Has one passkey, after `create`."""

    origin: str = "https://sheep.test"
    """The site that its browser shows."""
    counts: bool = True
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    handle: str = ""
    count: int = 0

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to being asked for a new passkey."""
        self.handle = options["user"]["id"]
        point = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        data = self._data(options["rp"]["id"], 0x45) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": text(client), "attestationObject": text(attestation)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to being asked for any."""
        data, client = self._data(options["rpId"], 0x05), self._client("webauthn.get", options["challenge"])
        signed = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        told = {"clientDataJSON": client, "authenticatorData": data, "signature": signed}
        return self._answer({**{name: text(value) for name, value in told.items()}, "userHandle": self.handle})

    def _data(self, site: str, flags: int) -> bytes:
        self.count += self.counts
        return sha256(site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response}
