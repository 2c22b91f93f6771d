"""Guard: what every request passes and every answer carries, before any page or game is asked.

Size and rate limits, the origin check on POST, and the headers that keep foreign scripts out.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 64 * 1024
BURST = 120
"""How many requests a client may make at once, and"""
PER_SECOND = 30.0
"""how many it may make in the long run."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Styles may stand in the page because SVG pictures carry theirs; scripts may not."""


class Buckets:
    """A token bucket for each client, the longest idle forgotten first."""

    def __init__(self, burst: float = BURST, per_second: float = PER_SECOND, most: int = 20_000) -> None:
        self.burst, self.per_second, self.most = burst, per_second, most
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> bool:
        """Whether the client may go on; uses up one."""
        amount, since = self.left.pop(client, (self.burst, now))
        amount = min(self.burst, amount + (now - since) * self.per_second)
        allowed = amount >= 1
        self.left[client] = (amount - 1 if allowed else amount, now)
        if len(self.left) > self.most:
            self.left.popitem(last=False)
        return allowed


def is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, burst: float = BURST, per_second: float = PER_SECOND) -> None:
        self.app = app
        self.buckets = Buckets(burst, per_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope)
        app = self.app if refusal is None else refusal
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
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "same-origin")
                headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
            await send(message)

        with suppress(TooLarge):
            await app(scope, limited, sending)
        if size > LARGEST_BODY and not started:
            size = 0
            await _answer(413, f"That is too long; {LARGEST_BODY // 1024} KB are allowed.")(scope, receive, sending)

    def refusal(self, scope: Scope) -> ASGIApp | None:
        """The answer to a request that gets no further, or None."""
        headers = Headers(scope=scope)
        client = scope["client"][0] if scope.get("client") else "?"
        if not self.buckets.take(client, time.monotonic()):
            return _answer(429, "Too many requests at once; try again in a few seconds.", {"Retry-After": "2"})
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and is_foreign(headers):
            return _answer(403, "This came from another site's page, so it was not done.")
        if int(headers.get("content-length", "0") if headers.get("content-length", "0").isdecimal() else "0") > LARGEST_BODY:
            return _answer(413, f"That is too long; {LARGEST_BODY // 1024} KB are allowed.")
        return None


class TooLarge(Exception):
    """The body went on past the limit."""


def _answer(status: int, problem: str, headers: dict[str, str] | None = None) -> ASGIApp:
    return JSONResponse({"problem": problem}, status, headers)
