"""Quick: a move, the one request that comes by the thousand, answered ahead of the framework.

Only a move that goes well is answered here: it passes the same guard, is done by the same function and counted in the same figures.
Whatever else comes is handed on, with the body that was read, to the ordinary way, which says what was wrong; so there is one place for
refusals.
"""

from __future__ import annotations

import re
import time
from typing import Any

from fastapi import FastAPI
from pydantic import ValidationError
from pydantic_core import to_json
from starlette.requests import cookie_parser
from starlette.types import Message, Receive, Scope, Send

from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import IllegalAction
from sheepfold.web.api import MoveWish, NotSeated, bearer, do_move
from sheepfold.web.guard import HEADERS, LARGEST_BODY, PASSED, Guard
from sheepfold.web.measure import Figures

_MOVE = re.compile(r"/(?:(api/tables)|t)/([A-Za-z0-9_-]{4,32})/move(?(1)s)")
_START = [(b"content-type", b"application/json"), *((name.lower().encode(), value.encode()) for name, value in HEADERS.items())]


class Server(FastAPI):
    """The application, with a short way for moves."""

    def __init__(self, guard: Guard, figures: Figures, **settings: Any) -> None:
        super().__init__(**settings)
        self.guard, self.figures = guard, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = _MOVE.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        read: list[Message] = []
        if not asked or not await self.move(asked, scope, receive, send, read):
            await super().__call__(scope, _again(read, receive) if read else receive, send)

    async def move(self, asked: re.Match[str], scope: Scope, receive: Receive, send: Send, read: list[Message]) -> bool:
        """Whether it was a move that went well and is answered; if not, the messages that were read are in `read`."""
        began = time.monotonic()
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"")
        if not headers.get(b"content-type", b"").startswith(b"application/json") or not length.isdigit() or int(length) > LARGEST_BODY:
            return False
        if self.guard.refusal(scope, headers):
            return False
        scope[PASSED] = True
        body = b""
        while not read or (read[-1]["type"] == "http.request" and read[-1].get("more_body")):
            read.append(await receive())
            body += read[-1].get("body", b"")
        programs, table_id = asked.groups()
        try:
            wish = MoveWish.model_validate_json(body)
            tokens = bearer(headers.get(b"authorization", b"").decode("latin-1")) if programs else _cookie(headers, f"seat_{table_id}")
            answer = to_json(await do_move(self.state.house, table_id, tokens, wish))
        except (ValidationError, SheepfoldError, IllegalAction, NotSeated):
            return False
        await send({"type": "http.response.start", "status": 200, "headers": [*_START, (b"content-length", b"%d" % len(answer))]})
        await send({"type": "http.response.body", "body": answer})
        route = "/api/tables/{table_id}/moves" if programs else "/t/{table_id}/move"
        self.figures.answered("POST", route, 200, time.monotonic() - began)
        return True


def _cookie(headers: dict[bytes, bytes], name: str) -> list[str]:
    token = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(name)
    return [token] if token else []


def _again(messages: list[Message], receive: Receive) -> Receive:
    """The messages that were read, and then those that follow."""
    waiting = iter(messages)

    async def following() -> Message:
        return next(waiting, None) or await receive()

    return following
