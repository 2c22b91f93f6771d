"""Guard: what every request passes and every answer carries, before any page or game is asked.

Size and rate limits, the origin check on POST, the headers that keep foreign scripts out; and cookies that came by TLS stay with it.
Requests are begun one at a time, while the loop goes round once, in fair turns: so who asks much at once waits for it alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sheepfold.messages import FALLBACK, Voice
from sheepfold.table.fairness import CLIENT, Buckets, Turns
from sheepfold.table.limits import LARGEST_BODY, Limits, client_name
from sheepfold.web.language import WORDS, language_from

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Styles may stand in the page because SVG pictures carry theirs; scripts may not."""


LONGEST_REST = 0.1
"""Seconds that a client with many requests waits at most between two of them."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
PASSED = "sheepfold.guarded"
"""Marks a request that the guard has let through before."""


def is_foreign(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser says that another site's page sent this."""
    if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
        return True
    origin = headers.get(b"origin")
    return origin is not None and _authority(origin) != headers.get(b"host", b"").decode("latin-1")


def _authority(origin: bytes) -> str | None:
    try:
        return urlsplit(origin.decode("latin-1")).netloc
    except ValueError:
        return None


class Guard:
    """Lets requests through, or says why not."""

    def __init__(self, limits: Limits) -> None:
        self.buckets = Buckets(lambda: (limits.burst, limits.per_second))
        self.door = Turns(1)
        self.rest: asyncio.TimerHandle | None = None
        """Until when the client that was served last waits, and"""
        self.served = ""
        """who that is."""

    def refusal(self, scope: Scope, headers: Mapping[bytes, bytes]) -> ASGIApp | None:
        """The answer to a request that gets no further, or None."""
        if PASSED in scope:
            return None
        if not self.buckets.take(asking(scope), time.monotonic()):
            return _answer(scope, 429, "problem.crowd", {"Retry-After": "2"})
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and is_foreign(headers):
            return _answer(scope, 403, "problem.foreign")
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > LARGEST_BODY:
            return _answer(scope, 413, "problem.long")
        return None

    async def come_in(self, client: str) -> None:
        """Back when it is this client's turn to have a request begun; the next one's comes when the loop has gone round."""
        if self.rest and client != self.served:
            self.rest.cancel()
            self.rest = None
            asyncio.get_running_loop().call_soon(self.door.leave)  # when this one waits too, whose turn it is
        await self.door.enter(client)
        asyncio.get_running_loop().call_soon(self._begun, client, time.perf_counter())

    def _begun(self, client: str, since: float) -> None:
        """Where only the same client waits, it waits as long again as its request took: so half of the loop's time is for who comes."""
        if self.door.waiting.keys() == {client}:
            self.served = client
            self.rest = asyncio.get_running_loop().call_later(min(LONGEST_REST, time.perf_counter() - since), self._go_on)
        else:
            self.door.leave()

    def _go_on(self) -> None:
        self.rest = None
        self.door.leave()


def asking(scope: Scope) -> str:
    """The client that a request comes from."""
    return client_name(scope["client"][0]) if scope.get("client") else "?"


class Guarded:
    """ASGI middleware that asks the guard, counts what comes in, and adds the headers."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app = app
        self.guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = asking(scope)
        CLIENT.set(client)
        refusal = self.guard.refusal(scope, dict(scope["headers"]))
        app = self.app if refusal is None else refusal
        if refusal is None:
            await self.guard.come_in(client)
        size = 0

        async def limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST_BODY:
                raise TooLarge
            return message

        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if size > LARGEST_BODY and not started:
                return  # whatever the application makes of it, the answer is the one below
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    sent = message["headers"]
                    message["headers"] = [(name, value + b"; Secure" if name == b"set-cookie" else value) for name, value in sent]
            await send(message)

        with suppress(TooLarge):
            await app(scope, limited, sending)
        if size > LARGEST_BODY and not started:
            size = 0
            await _answer(scope, 413, "problem.long")(scope, receive, sending)


class TooLarge(Exception):
    """The body went on past the limit."""


def _answer(scope: Scope, status: int, key: str, headers: dict[str, str] | None = None) -> ASGIApp:
    """What is wrong: to people in their language, to programs in English."""
    language = FALLBACK if scope["path"].startswith("/api") else language_from(dict(scope["headers"]))
    problem = Voice([WORDS], language).say(key, most=LARGEST_BODY // 1024)
    return JSONResponse({"problem": problem}, status, headers)
