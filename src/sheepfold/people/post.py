"""Post: something sent to an address that somebody gave us, which may be slow, gone, or meant to reach what is not theirs.

Only addresses of the open Internet are asked, unless the host allows others: whoever could have us ask a neighbour of ours would see
farther than they may. The name is looked up once, and what was found is what is connected to. No redirection is followed, and of the answer
nothing is read but its head.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from sheepfold.core.errors import SheepfoldError

PATIENCE = 10.0
"""Seconds for all of it."""
LONGEST_HEAD = 16_384


class NoAddress(SheepfoldError):
    """Not an address to which anything is sent."""


@dataclass(frozen=True)
class Answer:
    """What came back. A status of 0: nothing, in time."""

    status: int
    retry_after: float | None = None

    @property
    def taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Nobody is there any more, nor will be."""
        return self.status in (404, 410)

    @property
    def hopeless(self) -> bool:
        """The same again would not be taken either."""
        return 400 <= self.status < 500 and self.status not in (408, 425, 429)


def checked(url: str) -> str:
    """An address, if it looks like one."""
    try:
        parts = urlsplit(url)
        fine = (
            parts.scheme in ("http", "https") and parts.hostname and not parts.username and (parts.port is None or 0 < parts.port < 65536)
        )
    except ValueError:
        fine = False
    if not fine or len(url) > 2000 or any(not 32 < ord(letter) < 127 for letter in url):
        raise NoAddress("that is no address to send to: right would be https://chat.example.org/hooks/123, for instance")
    return url


async def post(url: str, headers: Mapping[str, str], body: bytes, anywhere: bool = False, patience: float = PATIENCE) -> Answer:
    """Send something; what came back. `anywhere`: also to this machine and its neighbours."""
    try:
        async with asyncio.timeout(patience):
            return await _post(checked(url), headers, body, anywhere)
    except NoAddress:
        raise
    except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):  # ssl's errors are OSErrors
        return Answer(0)


async def _post(url: str, headers: Mapping[str, str], body: bytes, anywhere: bool) -> Answer:
    parts = urlsplit(url)
    assert parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else 80)
    where = await _looked_up(parts.hostname, port, anywhere)
    secure = {"ssl": _trust(), "server_hostname": parts.hostname} if parts.scheme == "https" else {}
    reader, writer = await asyncio.open_connection(where, port, limit=LONGEST_HEAD, **secure)  # type: ignore[arg-type]
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        head = {"Host": parts.netloc, "Content-Length": str(len(body)), "Connection": "close", "User-Agent": "Sheepfold", **headers}
        lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
        writer.write("\r\n".join(lines).encode("ascii") + body)
        await writer.drain()
        return _answer(await reader.readuntil(b"\r\n\r\n"))
    finally:
        writer.transport.abort()  # nobody waits for a slow goodbye


async def _looked_up(host: str, port: int, anywhere: bool) -> str:
    found = [str(address[4][0]) for address in await asyncio.get_running_loop().getaddrinfo(host, port, type=1)]
    allowed = [each for each in found if anywhere or ip_address(each.partition("%")[0]).is_global]
    if not allowed:
        raise NoAddress("nothing is sent to addresses of this machine or its neighbours")
    return allowed[0]


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


def _answer(head: bytes) -> Answer:
    first, *lines = head.decode("latin-1").split("\r\n")
    version, _, rest = first.partition(" ")
    if not version.startswith("HTTP/1.") or not rest[:3].isdecimal():
        return Answer(0)
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    wait = fields.get("retry-after", "")
    return Answer(int(rest[:3]), min(float(wait), 86400.0) if wait.isdecimal() else None)
