"""Lines: the connections of a server. A client may have only so many, and a request has to arrive within a time, head and body.

uvicorn bounds neither, so a thousand requests of which only the first letters come would take all the files that a process may open. A
proxy that is trusted holds the lines of many and may have any number; it is the proxy's to hang up on its clients.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import cache
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from sheepfold.table.limits import Limits, client_name

LOOK = 1.0
"""Seconds between two looks at who takes too long."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Lines:
    """Those of one server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: Counter[str] = Counter()
        """How many each client has."""
        self.waiting: dict[Line, float] = {}
        """Lines on which some of a request is still to come, with the time when it began, the first first."""
        self.refused = self.cut = 0
        self.looking = False

    def expect(self, line: Line) -> None:
        """From now on the rest of a request is waited for."""
        self.waiting.pop(line, None)
        self.waiting[line] = time.monotonic()
        if not self.looking:
            self.looking = True
            asyncio.get_running_loop().call_later(LOOK, self._look)

    def arrived(self, line: Line) -> None:
        """It is there, or nobody waits for it any more."""
        self.waiting.pop(line, None)

    def _look(self) -> None:
        """Hang up where it takes too long."""
        now = time.monotonic()
        for line, began in list(self.waiting.items()):
            if now < began + self.limits.request_seconds:
                break
            if line.flow.read_paused:  # what has come before it is not done; so it is we who do not read
                self.expect(line)
            else:
                self.cut += 1
                del self.waiting[line]
                line.hang_up()
        self.looking = bool(self.waiting)
        if self.looking:
            asyncio.get_running_loop().call_later(LOOK, self._look)


async def _nothing(*_: object) -> None:
    pass


@cache
def proxies(trusted: str) -> ProxyHeadersMiddleware:
    """Who asks, where a proxy that is trusted says so, by the rules of uvicorn."""
    return ProxyHeadersMiddleware(_nothing, trusted)


class Line(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.lines: Lines = self.app_state["lines"]
        self.holder = ""
        """The client that it counts for."""
        self.begun_at_all = False
        """Whether any of the request that is waited for has come."""
        self.cycles: list[RequestResponseCycle] = []
        """The requests that were not answered when the latest came."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if host and not self.is_trusted(host):
            self.holder = client_name(host)
            self.lines.open[self.holder] += 1
            if self.lines.open[self.holder] > self.lines.limits.connections:
                self.lines.refused += 1
                transport.abort()
                return
        self.lines.expect(self)

    def is_trusted(self, host: str) -> bool:
        """Whether that is a proxy which says for whom it asks."""
        return bool(self.config.proxy_headers) and host in proxies(str(self.config.forwarded_allow_ips)).trusted_hosts

    def connection_lost(self, exc: Exception | None) -> None:
        self.lines.arrived(self)
        if self.holder:
            self.lines.open[self.holder] -= 1
            if not self.lines.open[self.holder]:
                del self.lines.open[self.holder]
        for cycle in self.cycles:  # uvicorn tells only the latest
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def on_headers_complete(self) -> None:
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self.cycles = [cycle for cycle in self.cycles if not cycle.response_complete]
            self.cycles.append(self.cycle)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.begun_at_all = True
        self.lines.expect(self)

    def on_message_complete(self) -> None:
        self.lines.arrived(self)
        super().on_message_complete()

    def hang_up(self) -> None:
        """The rest of a request has not come. Who has sent nothing at all is told nothing: browsers open lines that they may need."""
        started = self.cycle is not None and not self.cycle.response_complete and getattr(self.cycle, "response_started", False)
        if self.begun_at_all and not started and not self.transport.is_closing():
            self.transport.write(TOO_SLOW)
        self.transport.close()
