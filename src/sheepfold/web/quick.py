"""Quick: a move, the one request that comes by the thousand, answered without the framework's routing and checking of parameters.

Only a move that goes well is answered here. Whatever else comes is handed on, with the body that was read, to the ordinary route, which
says what was wrong; so there is one place for refusals, and nothing is done here that is not done there.
"""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

from pydantic import ValidationError
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import IllegalAction
from sheepfold.web.api import MoveWish, NotSeated, bearer, do_move

_MOVE = re.compile(r"/(api/tables|t)/([A-Za-z0-9_-]{4,32})/moves?")
_ROUTES = {"api/tables": ("moves", "/api/tables/{table_id}/moves"), "t": ("move", "/t/{table_id}/move")}


class Quick:
    """ASGI middleware, inside of the guard."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not (asked := _MOVE.fullmatch(scope["path"])):
            await self.app(scope, receive, send)
            return
        word, route = _ROUTES[asked[1]]
        headers = dict(scope["headers"])
        if not scope["path"].endswith(f"/{word}") or not headers.get(b"content-type", b"").startswith(b"application/json"):
            await self.app(scope, receive, send)
            return
        messages: list[Message] = []
        body = b""
        while True:
            message = await receive()
            messages.append(message)
            body += message.get("body", b"")
            if message["type"] != "http.request" or not message.get("more_body"):
                break
        try:
            wish = MoveWish.model_validate_json(body)
            tokens = _tokens(headers, None if word == "moves" else f"seat_{asked[2]}")
            answer = await do_move(scope["app"].state.house, asked[2], tokens, wish)
        except (ValidationError, SheepfoldError, IllegalAction, NotSeated):
            await self.app(scope, _again(messages, receive), send)
            return
        scope["route"] = SimpleNamespace(path=route)
        await _send_json(send, answer)


def _tokens(headers: dict[bytes, bytes], cookie: str | None) -> list[str]:
    """The token in the header for programs, or in that cookie."""
    if cookie is None:
        return bearer(headers.get(b"authorization", b"").decode("latin-1"))
    token = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(cookie)
    return [token] if token else []


def _again(messages: list[Message], receive: Receive) -> Receive:
    """The messages that were read, and then those that follow."""
    waiting = iter(messages)

    async def following() -> Message:
        return next(waiting, None) or await receive()

    return following


async def _send_json(send: Send, value: dict[str, Any]) -> None:
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})
