"""What tells people for us, played here: a push service that unseals as the browser behind it would, and any other address."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from sheepfold.people.push import Browser


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Receiver:
    """Answers at an address of this machine, as it is told to."""

    url: str = ""
    heard: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """Path, headers and body of what came."""
    answers: list[str] = field(default_factory=list)
    """Heads of the next answers; then all is taken. `silence` for one that never comes."""
    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    def browser(self, name: str = "phone") -> Browser:
        """One that has subscribed at this service."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return Browser(f"{self.url}/push/{name}", _text(point), _text(self.secret))

    def unsealed(self, at: int = -1) -> dict[str, Any]:
        """What the browser shows, after it has found everything in order as RFC 8291 and 8292 have it."""
        _, headers, body = self.heard[at]
        assert (headers["content-encoding"], int(headers["ttl"]) > 0, len(body) <= 4096) == ("aes128gcm", True, True)
        assert Vapid02.verify(headers["authorization"]), "signed with the key that is in it"
        claims = json.loads(base64.urlsafe_b64decode(headers["authorization"].split("t=")[1].split(".")[1] + "=="))
        assert claims["aud"] == self.url and claims["sub"].startswith(("https://", "mailto:"))
        found: dict[str, Any] = json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))
        return found

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers["content-length"]))
        self.heard.append((head[0].split()[1], headers, body))
        said = self.answers.pop(0) if self.answers else "201 Created"
        if said == "silence":
            await asyncio.sleep(60)
        writer.write(f"HTTP/1.1 {said}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver.answer, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield receiver
    finally:
        server.close()


@contextmanager
def receiving_beside() -> Iterator[Receiver]:
    """The same in a thread of its own, for tests that have no loop."""
    loop, begun, ended = asyncio.new_event_loop(), Future[Receiver](), asyncio.Event()

    async def work() -> None:
        async with receiving() as receiver:
            begun.set_result(receiver)
            await ended.wait()

    thread = Thread(target=loop.run_until_complete, args=(work(),))
    thread.start()
    try:
        yield begun.result(60)
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
