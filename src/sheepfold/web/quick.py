"""Quick: a move, the one request that comes by the thousand, answered beneath the framework, in the protocol that reads the line.

Only a move that goes well is answered here: it passes the same guard, is decided and stored by the same house, and is counted in the
same figures. Whatever else comes is handed on to the ordinary way, which says what was wrong; so there is one place for refusals.
"""

from __future__ import annotations

import asyncio
import re
import time
from functools import cache
from typing import Any

from pydantic_core import to_json
from starlette.requests import cookie_parser
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sheepfold.table.house import House, at_once
from sheepfold.table.table import Plan, Refused, Table
from sheepfold.web.api import MoveWish, bearer, moved, seat_to_move
from sheepfold.web.guard import HEADERS, PASSED, Guard
from sheepfold.web.measure import Figures

_MOVE = re.compile(rb"/(?:(api/tables)|t)/([A-Za-z0-9_-]{4,32})/move(?(1)s)")
_ROUTES = {True: "/api/tables/{table_id}/moves", False: "/t/{table_id}/move"}
_LONGEST = 1000
"""Bytes that a move's body may have here; more is no move."""
_ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n%bcontent-length: %%d\r\n\r\n%%b" % b"".join(
    f"{name.lower()}: {value}\r\n".encode() for name, value in HEADERS.items()
)


class Quick(HttpToolsProtocol):
    """A connection. From the end of a request's head to the end of its body a move waits in `asked`; while it is stored, `underway` stands
    where uvicorn looks for the request that it is answering, so that whatever else is sent on the line waits for its turn."""

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        state = self.config.app.state  # type: ignore[union-attr]
        self.house: House = state.house
        self.guard: Guard = state.guard
        self.figures: Figures = state.figures
        self.asked: re.Match[bytes] | None = None
        self.underway = Underway()

    def on_headers_complete(self) -> None:
        idle = self.cycle is None or self.cycle.response_complete
        plain = idle and self.parser.get_method() == b"POST" and not self.expect_100_continue and not self.parser.should_upgrade()
        self.asked = _MOVE.fullmatch(self.url) if plain else None
        self.sent = b""
        if not self.asked:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self.asked:
            self.sent += body
            if len(self.sent) > _LONGEST:
                self.asked = None
                super().on_headers_complete()
                super().on_body(self.sent)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        asked, self.asked = self.asked, None
        if not asked:
            super().on_message_complete()
        elif not self.move(asked, dict(self.headers)):
            self.hand_on()

    def hand_on(self) -> None:
        """Let the framework answer, as if the request came only now."""
        super().on_headers_complete()
        super().on_body(self.sent)
        super().on_message_complete()

    def move(self, asked: re.Match[bytes], headers: dict[bytes, bytes]) -> bool:
        """Whether it is a move that can be made, and will be answered when it is stored."""
        began = time.monotonic()
        stays = self.parser.get_http_version() == "1.1" and self.parser.should_keep_alive()
        if not stays or not headers.get(b"content-type", b"").startswith(b"application/json"):
            return False
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]
        scope["method"], scope["path"] = "POST", self.url.decode()
        if b"x-forwarded-for" in headers and self.config.proxy_headers:
            at_once(_proxies(self.config.forwarded_allow_ips)(scope, None, None))  # type: ignore[arg-type]
        if self.guard.refusal(scope, headers):
            return False
        scope[PASSED] = True
        programs, table_id = asked[1] is not None, asked[2].decode()

        def answer(table: Table, plan: Plan, refusal: Refused | None) -> None:
            self.underway.response_complete = True
            if self.transport.is_closing():
                return
            if refusal is None:
                body = to_json(moved(table, plan))
                self.transport.write(_ANSWER % (len(body), body))
                self.figures.count("POST", _ROUTES[programs], 200, time.monotonic() - began)
                self.on_response_complete()
                if not self.underway.keep_alive:
                    self.transport.close()
            elif self.scope is scope:
                self.hand_on()
            else:  # what was sent after it has taken its place; who asks again is told why
                self.transport.close()

        try:
            wish = MoveWish.model_validate_json(self.sent)
            tokens = bearer(headers.get(b"authorization", b"").decode("latin-1")) if programs else _cookie(headers, f"seat_{table_id}")
            self.underway.response_complete = False
            self.cycle = self.underway  # type: ignore[assignment]
            if self.house.act_at_once(table_id, lambda table: seat_to_move(table, tokens, wish.seat), wish.ply, wish.action, answer):
                return True
        except Exception:  # the ordinary way meets it again and says what it is
            pass
        self.underway.response_complete = True
        return False


class Underway:
    """A move that is being stored, as uvicorn sees it."""

    message_event = asyncio.Event()
    """Set when the line is cut; nobody waits for it."""

    def __init__(self) -> None:
        self.response_complete = True
        self.disconnected = False
        self.keep_alive = True
        """False when the server is about to stop."""


async def _nothing(*_: object) -> None:
    pass


@cache
def _proxies(trusted: str) -> ProxyHeadersMiddleware:
    """Who asks, where a proxy that is trusted says so, by the rules of uvicorn."""
    return ProxyHeadersMiddleware(_nothing, trusted)


def _cookie(headers: dict[bytes, bytes], name: str) -> list[str]:
    token = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(name)
    return [token] if token else []
