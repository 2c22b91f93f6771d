"""Fast moves: a move, the one request that comes by the thousand, answered beneath the framework, in the protocol that reads the line.

Only a plain move that goes well is answered here: it passes the same guard, is decided and stored by the same tables, and
is counted in the same metrics. Whatever else comes is handed on to the ordinary way as it came, which says what was wrong; so there is one
place for refusals. A line says nearly the same head with every request, so what a head means is kept with the line.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json
from starlette.requests import cookie_parser
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from sheepfold.game.session import Plan, Refused
from sheepfold.table.limits import client_name
from sheepfold.table.table import Holder, Table
from sheepfold.table.tables import Tables, at_once
from sheepfold.web.api import LONGEST, bearer, moved, seat_to_move
from sheepfold.web.guard import HEADERS, PASSED, Guard, is_foreign
from sheepfold.web.lines import Line, proxies
from sheepfold.web.metrics import STREAMS, Metrics

TRIED = ((0, 32), (0, 54))
"""The first and the last release of uvicorn that this was tried with."""
_MOVE = re.compile(rb"POST /(?:(api/tables)|t)/([A-Za-z0-9_-]{4,32})/move(?(1)s) HTTP/1\.1\r\n((?:[A-Za-z0-9-]+:[^\r\n\0]*\r\n)+)\r\n")
_FIELD = re.compile(rb"([A-Za-z0-9-]+):[ \t]*([^\r\n]*)\r\n")
_ROUTES = {True: "/api/tables/{table_id}/moves", False: "/t/{table_id}/move"}
_LENGTH, _LENGTH_TOO = b"\r\nContent-Length: ", b"\r\ncontent-length: "
"""As most write it; all other ways go the ordinary way."""
_NOT_PLAIN = (b"content-length", b"transfer-encoding", b"expect", b"upgrade")
_HEADS, _LONGEST_HEAD = 8, 4096
"""How many heads a line keeps, and how long they may be."""
_ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n%bcontent-length: %%d\r\n\r\n%%b" % b"".join(
    f"{name.lower()}: {value}\r\n".encode() for name, value in HEADERS.items()
)


class Post:
    """What is to be written to lines, collected while the loop goes round once: so readers are woken by much at a time."""

    def __init__(self) -> None:
        self.waiting: list[tuple[asyncio.Transport, bytes]] = []

    def send(self, transport: asyncio.Transport, data: bytes) -> None:
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self.deliver)
        self.waiting.append((transport, data))

    def deliver(self) -> None:
        waiting, self.waiting = self.waiting, []
        for transport, data in waiting:
            transport.write(data)


POST = Post()


@dataclass(slots=True)
class Head:
    """What the head of a request for a move says, but for the length of what follows."""

    table_id: str
    holder: Holder
    client: str
    route: str


class FastMoves(Line):
    """A connection. While a move is stored, `underway` stands where uvicorn looks for the request that it is answering, and whatever else
    is sent on the line waits in `later`."""

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.tables: Tables = self.app_state["tables"]
        self.guard: Guard = self.app_state["guard"]
        self.metrics: Metrics = self.app_state["metrics"]
        self.heads: dict[bytes, Head | None] = {}
        self.underway = Underway()
        self.reading = False
        """Whether uvicorn's parser is in the middle of a request."""
        self.passed = False
        """Whether the guard has let the next request through already."""
        self.active = 0.0
        """When the latest move came, and"""
        self.asked: tuple[Head, bytes]
        """how it was asked for."""
        self.begun = b""
        """A move of which some is still to come."""
        self.later = b""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.reading = True
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]
        if self.passed:
            scope[PASSED] = True
            self.passed = False

    def on_message_complete(self) -> None:
        self.reading = False
        super().on_message_complete()

    def shutdown(self) -> None:
        """The server ends. Who has asked for something is answered; a stream would go on for ever and is cut, its reader comes back."""
        if isinstance(self.cycle, RequestResponseCycle) and self.cycle.scope["path"].endswith(STREAMS):
            self.transport.close()
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        if self.begun:
            data, self.begun = self.begun + data, b""
        if self.later or not self.underway.response_complete:
            self.later += data
            self.flow.pause_reading()
        elif self.reading or (self.cycle is not None and not self.cycle.response_complete) or not self.move(data):
            super().data_received(data)

    def move(self, data: bytes) -> bool:
        """Whether it is a move that can be made, and will be answered when it is there and stored."""
        began = time.monotonic()
        end = data.find(b"\r\n\r\n") + 4
        start = data.find(_LENGTH, 0, end)
        if start < 0:
            start = data.find(_LENGTH_TOO, 0, end)
        digits = start + len(_LENGTH)
        rest = data.find(b"\r\n", digits, end)
        length = data[digits:rest]
        head = self.head(data[:start] + data[rest:end]) if start > 0 and length.isdigit() else None
        missing = int(length) - (len(data) - end) if head and len(length) <= 3 else -1
        if head is None or missing < 0:
            return False
        if missing:
            self.begun = data
            self.begun_at_all = True
            self.lines.expect(self)
            return True
        self.lines.arrived(self)
        if not self.guard.buckets.take(head.client, began):
            return False
        self.passed = True
        self.active, self.asked = began, (head, data)
        self.underway.response_complete = False
        self.cycle = self.underway  # type: ignore[assignment]
        try:
            wish = from_json(data[end:])
            ply, text, seat = wish.pop("ply"), wish.pop("action"), wish.pop("seat", None)
            plain = type(ply) is int and type(text) is str and len(text) <= LONGEST and (seat is None or type(seat) is int) and not wish
            holder = head.holder
            if plain and self.tables.act_at_once(
                head.table_id, lambda table: seat_to_move(table, holder.seats(table), seat), ply, text, self.answer
            ):
                return True
        except Exception:  # the ordinary way meets it again and says what it is
            pass
        self.underway.response_complete = True
        return False

    def answer(self, table: Table, plan: Plan, refusal: Refused | None) -> None:
        """The move is stored, or could not be."""
        self.underway.response_complete = True
        head, data = self.asked
        transport = self.transport
        if transport.is_closing():
            return
        if refusal is None:
            self.passed = False
            body = to_json(moved(table, plan))
            POST.send(transport, _ANSWER % (len(body), body))
            self.metrics.count("POST", head.route, 200, time.monotonic() - self.active)
            self.server_state.total_requests += 1
            if self.timeout_keep_alive_task is None:
                self.timeout_keep_alive_handler()
            if not self.underway.keep_alive:
                self.loop.call_soon(transport.close)  # after the answer is on its way
        else:  # said by the ordinary way, as if the request came only now
            super().data_received(data)
        if self.later:
            self.loop.call_soon(self.go_on)

    def go_on(self) -> None:
        """What waited for the move, before whatever comes next."""
        later, self.later = self.later, b""
        self.flow.resume_reading()
        self.data_received(later)

    def timeout_keep_alive_handler(self) -> None:
        """Hang up, if there was no move for long: it is looked for only now, since a timer for each move would cost more than the look."""
        left = self.active + self.timeout_keep_alive - time.monotonic()
        if left > 0:
            self.timeout_keep_alive_task = self.loop.call_later(left, self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()

    def head(self, sent: bytes) -> Head | None:
        """What a head without its length says, if it is that of a plain move."""
        if sent in self.heads:
            return self.heads[sent]
        if not sent.startswith(b"POST /") or len(sent) > _LONGEST_HEAD:
            return None
        if len(self.heads) == _HEADS:
            self.heads.clear()
        found = self.heads[sent] = self.read(sent)
        return found

    def read(self, sent: bytes) -> Head | None:
        asked = _MOVE.fullmatch(sent)
        if asked is None:
            return None
        fields = [(name.lower(), value.rstrip(b" \t")) for name, value in _FIELD.findall(asked[3])]
        headers = dict(fields)
        plain = len(headers) == len(fields) and headers.get(b"connection", b"keep-alive").lower() == b"keep-alive"
        if not plain or any(name in headers for name in _NOT_PLAIN):
            return None
        if is_foreign(headers) or not headers.get(b"content-type", b"").startswith(b"application/json"):
            return None
        scope: dict[str, Any] = {"type": "http", "client": self.client, "scheme": self.scheme, "headers": fields}
        if b"x-forwarded-for" in headers and self.config.proxy_headers:
            at_once(proxies(str(self.config.forwarded_allow_ips))(scope, None, None))  # type: ignore[arg-type]
        programs, table_id = asked[1] is not None, asked[2].decode()
        tokens = bearer(headers.get(b"authorization", b"").decode("latin-1")) if programs else _cookie(headers, f"seat_{table_id}")
        return Head(table_id, Holder(tokens), client_name(scope["client"][0]) if scope["client"] else "?", _ROUTES[programs])


class Underway:
    """A move that is being stored, as uvicorn sees it."""

    message_event = asyncio.Event()
    """Set when the line is cut; nobody waits for it."""

    def __init__(self) -> None:
        self.response_complete = True
        self.disconnected = False
        self.keep_alive = True
        """False when the server is about to stop."""


def _cookie(headers: dict[bytes, bytes], name: str) -> list[str]:
    token = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(name)
    return [token] if token else []
