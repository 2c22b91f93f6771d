"""Nonsense: requests that nobody should send, each drawn by dice from things that are right. `bad_inputs.py` sends them.

What is right comes from the program itself (its routes, games, records, component files); here it is bent. Nothing here knows what the
answer should be: whatever is sent, it has to be an answer.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, quote_from_bytes

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.game.records import Event, Record, write_record
from sheepfold.game.registry import every_game, find

Bent = random.Random


class Input(NamedTuple):
    """What is sent, in one piece or several, and how. `ask`: on a line that is kept, one answer is due. `raw`: on a line of its own,
    any number of answers, and then we hang up. `cut`: we hang up at once. `wait`: the rest never comes, so the server hangs up. `stream`:
    some of it is read, then we hang up."""

    kind: str
    way: str
    pieces: tuple[bytes, ...]
    method: str = "GET"


@dataclass
class Toy:
    """A table of the stranger's own, and what could be done there."""

    game: str
    table: str = ""
    token: str = ""
    ply: int = 0
    action: str = ""
    seat: int = 0


@dataclass
class Known:
    """What the stranger knows of a server."""

    toys: list[Toy] = field(default_factory=list)
    watched: str = "none"
    """The table of the polite pair; its tokens are not known."""
    replays: list[str] = field(default_factory=list)


# Texts, numbers, values.

TEXTS = (
    "", "\0", "a\0b", "\ud800", "\udfff\ud800", "𝔘", "\u202e", "\ufeff", "%00", "%", "../../etc/passwd", "..\\..", "' OR 1=1 --",
    "<script>", "{{7*7}}", "{0.__class__}", "%s%n", "\r\nX: y", "\x1b[31m", "NaN", "null", "-0", "٣", "²", "1_000", "1e5", " 1", "true",
    "🐑" * 20, "a\u0301" * 30, "\u2028", "İ", "ß", "\x7f", "\x85", "x" * 41, "x" * 201, "x" * 301, "x" * 5000, "-", "=", ",", ";", ":", "/",
    "//evil.test", "\\",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 4, 255, 2**31, -(2**31) - 1, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400, 0.5, -0.0, 1e308, float("inf"),
    float("nan"), 1_000_000, 1_000_001, 10**9 + 1,
)  # fmt: skip
RANGES = (
    (32, 126), (0, 31), (0x80, 0x24F), (0x300, 0x36F), (0x590, 0x6FF), (0x2000, 0x206F), (0xD800, 0xDFFF), (0xFFF0, 0xFFFF),
    (0x1F300, 0x1FAFF),
)  # fmt: skip


def odd_text(dice: Bent) -> str:
    way = dice.random()
    known = dice.choice(TEXTS) if way < 0.7 else ""
    return known if way < 0.3 else known + "".join(chr(dice.randint(*dice.choice(RANGES))) for _ in range(dice.choice((1, 2, 5, 12))))


def odd_number(dice: Bent) -> float:
    return dice.choice((dice.choice(NUMBERS), dice.randint(-(10**6), 10**6), dice.randint(-(10**20), 10**20)))


def odd(dice: Bent, depth: int = 0) -> Any:
    """Any value that JSON knows, and some that it does not."""
    way = dice.random()
    if way < 0.4:
        return odd_text(dice)
    if way < 0.7:
        return odd_number(dice)
    if way < 0.8 or depth > 3:
        return dice.choice((None, True, False, [], {}))
    if way < 0.9:
        return [odd(dice, depth + 1) for _ in range(dice.choice((1, 3, 30)))]
    return {odd_text(dice): odd(dice, depth + 1) for _ in range(dice.choice((1, 3)))}


def bend(dice: Bent, value: Any) -> Any:
    """The value with one thing in it that is wrong."""
    if dice.random() < 0.1:
        return odd(dice)
    if isinstance(value, dict) and value:
        key, way = dice.choice(list(value)), dice.random()
        if way < 0.75:
            return value | {key: bend(dice, value[key])}
        return {name: each for name, each in value.items() if name != key} if way < 0.85 else value | {odd_text(dice): odd(dice)}
    if isinstance(value, list) and value:
        at, way = dice.randrange(len(value)), dice.random()
        if way < 0.7:
            return [*value[:at], bend(dice, value[at]), *value[at + 1 :]]
        return value[:at] if way < 0.85 else value * dice.choice((2, 9))
    if isinstance(value, str):
        at = dice.randint(0, len(value))
        return dice.choice((odd_text(dice), value[:at] + odd_text(dice) + value[at:], value[:at], odd(dice)))
    return dice.choice((odd_number(dice), odd(dice)))


def bend_bytes(dice: Bent, data: bytes) -> bytes:
    """A few bytes are other ones, more or fewer."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randint(0, len(data))
        new = dice.choice((bytes([dice.randrange(256)]), dice.choice(b"\0,\r,\n,\r\n, ,\t,:,\xff,%,".split(b","))))
        data = data[:at] + new + data[at + dice.choice((0, 1, 1, 4)) :]
    return data


def as_json(dice: Bent, value: Any) -> bytes:
    text, way = json.dumps(value, ensure_ascii=dice.random() < 0.5), dice.random()
    data = text.encode("utf-8", "surrogatepass")
    if way < 0.7:
        return data
    depth = dice.choice((5, 100, 1000, 20_000))
    return dice.choice((
        data[:-1] + b"," + data[1:] if len(data) > 2 else data, data[: dice.randint(0, len(data))],
        data + odd_text(dice).encode("utf-8", "surrogatepass"),
        b"[" * depth + data + b"]" * depth, b'{"a":' * (depth // 5) + data, b"[" * depth, b"\xef\xbb\xbf" + data, bend_bytes(dice, data),
        text.encode(dice.choice(("utf-16", "utf-32", "utf-7", "utf-16-le")), "surrogatepass" if "\\" in text else "replace"), b"",
    ))  # fmt: skip


# Requests to every address.


@cache
def routes() -> tuple[tuple[str, str], ...]:
    """All that the program answers, streams left out."""
    from sheepfold.web import api, replay, wishes
    from sheepfold.web.app import PAGES
    from sheepfold.web.metrics import STREAMS

    found = {
        (method, route.path)
        for router in (*PAGES, api.router, wishes.router, replay.programs)
        for route in router.routes
        for method in route.methods - {"HEAD"}
    }
    others = ("/health", "/metrics", "/robots.txt", "/api/openapi.json", "/static/{token}", "/static/table.js", "/{token}")
    return tuple(sorted({each for each in found if not each[1].endswith(STREAMS)} | {("GET", path) for path in others}))


STREAM_ADDRESSES = ("/t/{table_id}/stream", "/api/tables/{table_id}/stream", "/api/tables/{table_id}/events")
LEVEL = "lamb"
NAMES = ("since", "language", "before", "seat", "first", "ply", "part", "table", "own", "text", "back")
TYPES = (
    "application/json", "application/json; charset=utf-16", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
    "multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "x" * 300, "application/xml", "", "a/b/c", "APPLICATION/JSON",
    "application/problem+json",
)  # fmt: skip
HEADERS: dict[str, tuple[str, ...]] = {
    "Range": ("bytes=0-0", "bytes=-1", "bytes=9-1", "bytes=0-,0-,0-", "bytes=" + "0-1," * 400, "lines=1", f"bytes={10**20}-", "bytes=-"),
    "Accept-Encoding": ("gzip", "gzip;q=0", "*", "br;q=nan", "gzip;q=1e999", "," * 400, "gzip;;;", "identity;q=0"),
    "Accept-Language": ("de", "fr;q=inf", "*;q=-1", "zz-" + "z" * 600, ",;q=", "de;q=٣", "-"),
    "Accept": ("text/html", "application/json", "*/*;q=x", "", "application/json, text/html"),
    "Last-Event-ID": ("0", "-1", "x" * 3000, "0123456789ab", "\xff", ""),
    "If-None-Match": ("*", '"x"', 'W/"', "\xff" * 20),
    "If-Modified-Since": ("now", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Foo 99999 99:99:99 GMT"),
    "If-Range": ('"x"', "now"),
    "Host": ("", "sheep:99999", "[::1", "a b", "evil.test", "\xff", "sheep:", "x" * 300),
    "Origin": ("null", "http://[", "http://127.0.0.1", "\xff", "http://sheep:x"),
    "Referer": ("http://[::1", "/" * 900),
    "Sec-Fetch-Site": ("cross-site", "none", "x"),
    "X-Forwarded-For": ("1.2.3.4", "::1", "fe80::1%eth0", "x", ",,,", "\xff", "1.2.3.4:99999", "[::]:x", "999.1.1.1"),
    "X-Forwarded-Proto": ("https", "ftp", "", "wss", "\xff"),
    "Expect": ("100-continue", "x"),
    "Connection": ("close", "keep-alive", "upgrade", "x"),
    "Upgrade": ("h2c", "websocket", "x"),
    "Sec-WebSocket-Key": ("x",),
    "Content-Encoding": ("gzip", "x"),
    "Accept-Charset": ("x",),
}


CONTROLS = bytes([*range(32), 127])


def one_line(text: str) -> bytes:
    """What may stand in a header."""
    return text.encode("utf-8" if max(text, default="a") > "\xff" else "latin-1", "surrogatepass").translate(None, CONTROLS)


def odd_headers(dice: Bent, known: Known, toy: Toy) -> list[tuple[str, bytes]]:
    found = []
    for name in dice.sample(sorted(HEADERS), dice.choice((0, 0, 1, 2, 4))):
        found.append((name, one_line(dice.choice((dice.choice(HEADERS[name]), odd_text(dice))))))
    token = dice.choice((toy.token, toy.token, odd_text(dice), toy.token[:-1], dice.choice(known.toys).token))
    kind = dice.choice(("Bearer ", "Bearer ", "bearer", "Basic ", "Bearer  ", ""))
    if dice.random() < 0.6:
        found.append(("Authorization", one_line(kind + token)))
    if dice.random() < 0.4:
        names = (f"seat_{toy.table}", f"seat_{known.watched}", "language", "name", "theme", "learned", f"learn_{toy.game}", odd_text(dice))
        values = (token, odd_text(dice), quote(odd_text(dice), errors="replace"), toy.table)
        found.append(("Cookie", one_line("; ".join(f"{dice.choice(names)}={dice.choice(values)}" for _ in range(dice.choice((1, 2, 40)))))))
    return found


def in_address(dice: Bent, text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return quote_from_bytes(data, safe=dice.choice(("", "/", "/?&=;:@+$,!*'()[]\"<>\\^`{|}")))


def address(dice: Bent, path: str, known: Known, toy: Toy) -> str:
    def one(right: str, share: float = 0.2) -> str:
        return (
            right
            if dice.random() > share
            else in_address(dice, dice.choice((odd_text(dice), right + odd_text(dice), right[:-1], "x" * 12)))
        )

    table = known.watched if dice.random() < 0.2 else toy.table
    replay = dice.choice((*known.replays, toy.table))
    rights = {"{table_id}": table, "{game}": toy.game, "{token}": toy.token, "{name}": replay, "{replay_id}": replay}
    for name, right in rights.items():
        if name in path:
            path = path.replace(name, one(right, 0.7 if name == "{token}" else 0.2))
    if dice.random() < 0.5:
        values = (
            lambda: str(odd_number(dice)),
            lambda: odd_text(dice),
            lambda: str(dice.randint(0, 400)),
            lambda: dice.choice(("en", "zz", table)),
        )
        asked = [f"{dice.choice(NAMES)}={in_address(dice, dice.choice(values)())}" for _ in range(dice.choice((1, 1, 2, 30)))]
        path += "?" + "&".join(asked)
    return path


def whole(method: str, target: str, fields: list[tuple[str, bytes]], body: bytes = b"") -> bytes:
    """A request with its length."""
    names = {name for name, _ in fields}
    head = [b"%b %b HTTP/1.1" % (method.encode(), target.encode("latin-1"))]
    head += [b"%b: %b" % (name.encode(), value) for name, value in fields]
    head += [b"Host: sheep"] if "Host" not in names else []
    head += [b"Content-Length: %d" % len(body)] if body or method in ("POST", "PUT") else []
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def table_wish(toy: Toy) -> dict[str, Any]:
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "open"}, {"kind": "bot", "level": LEVEL}][: max(2, find(toy.game).seats[0])]
    return {"game": toy.game, "seats": seats, "options": {}, "listed": False, "seconds": 600}


def right_body(dice: Bent, path: str, toy: Toy) -> dict[str, Any]:
    """What the address would take."""
    last = path.rsplit("/", 1)[-1]
    game = find(toy.game)
    if last in ("moves", "move"):
        return {"ply": toy.ply, "action": toy.action, "seat": toy.seat}
    if last == "new" or path.startswith("/new/"):
        options = {f"option-{option.name}": str(option.default) for option in game.options}
        seats = {"seats": "2", "kind0": "me", "name0": "Ann", "kind1": "open", "level1": LEVEL}
        return {**seats, **options, "listed": "on", "seconds": "60", "components": "", "components-name": "own.toml"}
    return {
        "seats": {"seat": 1, "name": "Ben"}, "sit": {"seat": "1", "name": "Ben"}, "chat": {"text": "baa"}, "say": {"text": "baa"},
        "guide": {"wish": dice.choice(("again", "show", "leave", "done"))}, "lesson": {"name": "Ann"}, "tables": table_wish(toy),
        "replays": {"record": ""}, "replay": {"text": ""}, "play": {"ply": "3", "seat": "0", "level": LEVEL},
        "theme": {"theme": "dark", "back": "/lobby"}, "language": {"language": "de", "back": "/"},
    }.get(last, {})  # fmt: skip


def as_form(dice: Bent, form: Any) -> tuple[str, bytes]:
    """A form as browsers send it, in one of two ways."""
    pairs = list(form.items()) if isinstance(form, dict) else [(odd_text(dice), str(form))]
    plain = [(str(name), value if isinstance(value, str) else str(value)) for name, value in pairs]
    if dice.random() < 0.7:
        fields = "&".join(f"{in_address(dice, name)}={in_address(dice, value)}" for name, value in plain)
        return "application/x-www-form-urlencoded", fields.encode()
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"{dice.choice(("", "", "; filename=a.txt"))}\r\n\r\n{value}\r\n'
        for name, value in plain
    )
    return "multipart/form-data; boundary=x", (parts + dice.choice(("--x--\r\n", "--x", ""))).encode("utf-8", "surrogatepass")


def odd_request(dice: Bent, known: Known) -> Input:
    """A request to any address, of which something is wrong."""
    toy = dice.choice(known.toys)
    right, path = dice.choice(routes())
    if (path.endswith(("/analysis", "/hint")) or path.startswith("/play/")) and right == "POST" and dice.random() < 0.9:
        right, path = "POST", "/api/tables/{table_id}/moves"  # those cost the server much, which is measured elsewhere
    method = right if dice.random() < 0.93 else dice.choice(("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"))
    fields, target, body = odd_headers(dice, known, toy), address(dice, path, known, toy), b""
    if method == "POST" or dice.random() < 0.02:
        wish = right_body(dice, path, toy)
        wish = bend(dice, wish) if wish and dice.random() < 0.85 else wish or odd(dice)
        if not path.startswith("/api") and not path.endswith(("/move", "/say", "/guide")):
            kind, body = as_form(dice, wish)
        else:
            kind, body = "application/json", as_json(dice, wish)
        fields.append(("Content-Type", one_line(kind if dice.random() < 0.9 else dice.choice(TYPES))))
        if dice.random() < 0.03:
            body = bend_bytes(dice, body)
    return Input("request", "ask", (whole(method, target, fields, body),), method)


def odd_stream(dice: Bent, known: Known) -> Input:
    """A stream that is opened with nonsense."""
    toy = dice.choice(known.toys)
    target = address(dice, dice.choice(STREAM_ADDRESSES), known, toy)
    return Input("stream", "stream", (whole("GET", target, odd_headers(dice, known, toy)),))


# Records and component files.


@cache
def true_record(game: str, plies: int = 30) -> str:
    """The beginning of a game, as a record."""
    found, dice, events = find(game), Dice(game), list[Event]()
    setup = found.setup(found.seats[0])
    position = setup.start()
    while position.to_act != OVER and len(events) < plies:
        events.append(Event(int(position.to_act), int(position.random_action(dice))))
        position.advance(events[-1].action)
    return write_record(Record(setup, events, [f"N{seat}" for seat in range(setup.seats)]))


def bend_lines(dice: Bent, text: str, values: Callable[[], str]) -> str:
    """A text of lines, of which some are other ones, elsewhere or gone."""
    lines = text.split("\n")
    for _ in range(dice.choice((1, 1, 2, 4))):
        at, other = dice.randrange(len(lines)), dice.choice(lines)
        words = lines[at].split(" ")
        word = dice.randrange(len(words))
        changed = " ".join([*words[:word], dice.choice((values(), dice.choice(other.split(" ")))), *words[word + 1 :]])
        lines[at : at + 1] = dice.choice(([changed], [changed], [changed], [], [lines[at]] * 2, [other, lines[at]], [values(), lines[at]]))
        lines = lines or [""]
    return "\n".join(lines[: dice.randint(1, len(lines))] if dice.random() < 0.1 else lines)


def odd_record(dice: Bent) -> str:
    games = [game.name for game in every_game()]
    text = true_record(dice.choice(games))
    if dice.random() < 0.9:
        text = text[: text.index("sum: ")]
    if dice.random() < 0.1:
        name = dice.choice(games)
        own = json.dumps(["own.toml", odd_components(dice, name)], ensure_ascii=dice.random() < 0.5)
        text = text.replace("\n\n", f"\ncomponent-file: {own}\n\n", 1)
    options = [f"{option.name}={dice.choice([*option.values, odd_text(dice)])}" for name in games for option in find(name).options]
    values: tuple[Callable[[], str], ...] = (
        lambda: odd_text(dice), lambda: str(odd_number(dice)), lambda: dice.choice(games),
        lambda: ", ".join(dice.sample(options, dice.randint(1, 4))),
        lambda: dice.choice(("chance", "1", "2", "1!", "9!", "names:", "result: 1 2", "options:", "seats: 5")),
    )  # fmt: skip
    return bend_lines(dice, text, lambda: dice.choice(values)())


TOML = [
    "inf",
    "nan",
    "1979-05-27",
    "07:32:00",
    '"x"',
    "''",
    "[]",
    "{}",
    "[[1]]",
    "true",
    "-1",
    "0",
    "1e400",
    "0x1f",
    "[1, 2",
    '"""',
    "[[a]]",
    "a.b = 1",
]


def odd_components(dice: Bent, game: str) -> str:
    values: tuple[Callable[[], str], ...] = (
        lambda: odd_text(dice), lambda: str(odd_number(dice)), lambda: dice.choice(TOML), lambda: str(dice.randint(-2, 12)),
        lambda: "[" * 500,
    )  # fmt: skip
    text = find(game).component_file.read_text(encoding="utf-8")
    return bend_lines(dice, text, lambda: dice.choice(values)())


def record_request(dice: Bent, known: Known) -> Input:
    if dice.random() < 0.5:
        target, kind, body = "/api/replays", "application/json", as_json(dice, {"record": odd_record(dice)})
    else:
        target, (kind, body) = "/replay", as_form(dice, {"text": odd_record(dice)})
    return Input("record", "ask", (whole("POST", target, [("Content-Type", kind.encode())], body),), "POST")


def components_request(dice: Bent, known: Known) -> Input:
    toy = dice.choice([toy for toy in known.toys if find(toy.game).component_file.exists()])
    text = odd_components(dice, toy.game)
    if dice.random() < 0.7:
        name = "own.toml" if dice.random() < 0.8 else odd_text(dice)
        target, kind = "/api/tables", "application/json"
        body = json.dumps(table_wish(toy) | {"components": {"name": name, "text": text}}).encode()
    else:
        target = f"/new/{toy.game}"
        kind, body = as_form(dice, right_body(dice, target, toy) | {"components": text})
    return Input("components", "ask", (whole("POST", target, [("Content-Type", kind.encode())], body),), "POST")


# HTTP that is none.


def right_requests(dice: Bent, known: Known) -> list[bytes]:
    """Some that are well made, among them a move that can be made."""
    toy = dice.choice(known.toys)
    mark = [("X-Mark", b"%x" % dice.getrandbits(40))]
    bearer, kind = ("Authorization", f"Bearer {toy.token}".encode()), ("Content-Type", b"application/json")
    move = json.dumps({"ply": toy.ply, "action": toy.action, "seat": toy.seat}).encode()
    cookie = ("Cookie", f"seat_{toy.table}={toy.token}".encode())
    moves, forms = f"/api/tables/{toy.table}/moves", ("Content-Type", b"application/x-www-form-urlencoded")
    chunked = whole("POST", moves, [bearer, kind, ("Transfer-Encoding", b"chunked")]).replace(NO_LENGTH, b"")
    return [
        whole("POST", moves, [bearer, kind], move), whole("POST", f"/t/{toy.table}/move", [cookie, kind], move),
        whole("POST", moves, [bearer, kind, *mark], move), chunked + b"%x\r\n%b\r\n0\r\n\r\n" % (len(move), move),
        whole("GET", "/robots.txt", mark), whole("GET", f"/api/tables/{toy.table}?since=1000000", [bearer, *mark]),
        whole("POST", "/theme", [forms, *mark], b"theme=dark&back=/"),
    ]  # fmt: skip


NO_LENGTH = b"Content-Length: 0\r\n"
LENGTHS = b"+5| 5|5, 5|5,6|1e1|0x5|-1||99999999999999999999|5 5|\xb2|05|5;|4294967296".split(b"|")
CODINGS = b"chunked|Chunked|chunked, chunked|identity|gzip, chunked| chunked|chunked\t|xchunked|chunked;x|\x0bchunked".split(b"|")
SIZES = [*b"-1|FFFFFFFFFFFFFFFFF|0x5|5;ext=1|| 5|g|5 |00000000000000000005|80000000|5\n".split(b"|"), b"5;" + b"x" * 5000]
CHUNKS = b"%b\r\n%b\r\n0\r\n\r\n|%b\r\n%b|%b\n%b\n0\n\n|%b\r\n%b0\r\nX: y\r\n\r\n".split(b"|")
FIRST_LINES = (
    b"GET / HTTP/%b|GET  /%b HTTP/1.1|GET /%b HTTP/1.1 x|get /%b HTTP/1.1|PRI * HTTP/2.0%b|\x16\x03\x01%b|OPTIONS * HTTP/1.1%b|%b"
    b"|GET http://evil.test/%b HTTP/1.1|CONNECT a:1%b HTTP/1.1"
).split(b"|")
FIELDS = b"X: a\rb|X: a\nB: c|X: a\0b| folded|X Y: z|X|: x|\xff: x|X:\r\n\ty".split(b"|")
OVERLONG = (b"X: " + b"x" * 4090, b"X: " + b"x" * 70_000, b"X: y\r\n" * 2000 + b"X: y", b"Cookie: " + b"a=b; " * 3000, b"x" * 70_000)


def raw(dice: Bent, known: Known) -> Input:
    """Bytes on a line."""
    rights = right_requests(dice, known)
    right, other, mark = dice.choice(rights), dice.choice(rights), b"%x" % dice.getrandbits(48)
    head, _, body = right.partition(b"\r\n\r\n")
    first, _, fields = head.partition(b"\r\n")
    at, way = dice.randint(0, len(right)), dice.randrange(12)

    def with_field(field: bytes) -> tuple[bytes]:
        return (b"\r\n".join((first, field, b"X-Mark: " + mark, fields)) + b"\r\n\r\n" + body,)

    if way == 0:  # cut at any byte
        half = right[: dice.randrange(1, len(right))].replace(b"sheep", mark)
        return Input("raw cut", "wait" if dice.random() < 0.03 else "cut", (half,))
    if way == 1:  # in pieces
        places = sorted(dice.randint(0, len(right)) for _ in range(dice.choice((1, 2, 4))))
        pieces = tuple(right[one:two] for one, two in zip([0, *places], [*places, len(right)], strict=True))
        return Input("raw pieces", "raw", (*pieces, other[: dice.randint(0, len(other))]))
    if way == 2:  # one after the other, of the last one only a half
        return Input("raw pipelined", "raw", (b"".join(dice.choice(rights) for _ in range(dice.choice((1, 2, 5, 20)))) + right[:at],))
    if way == 3:
        return Input("raw pipelined", "raw", (right + bend_bytes(dice, other), other))
    if way == 4:
        line = dice.choice((bend_bytes(dice, first), dice.choice(FIRST_LINES) % mark))
        return Input("raw first line", "raw", (line + b"\r\n" + fields + b"\r\n\r\n" + body,))
    if way == 5:
        size = dice.choice((*SIZES, mark, b"%x" % dice.randint(0, 300)))
        sent = whole("POST", "/theme", [("Transfer-Encoding", dice.choice(CODINGS)), ("X-Mark", mark)]).replace(NO_LENGTH, b"")
        return Input("raw chunks", "raw", (sent + dice.choice(CHUNKS) % (size, body or b"hello"),))
    if way == 6:  # two lengths
        coding, length = b"Transfer-Encoding: " + dice.choice(CODINGS), b"Content-Length: " + dice.choice(LENGTHS)
        return Input("raw lengths", "raw", with_field(dice.choice((coding, length, b"Content-Length: %d" % dice.randint(0, 999)))))
    if way == 7:  # more than was announced, or less
        return Input(
            "raw lengths", "raw", (re.sub(rb"(?<=Content-Length: )\d+", b"%d" % dice.randint(0, 400), right).replace(b"sheep", mark),)
        )
    if way == 8:
        return Input("raw header", "raw", with_field(dice.choice((*FIELDS, b"X: " + dice.randbytes(9)))))
    if way == 9 and dice.random() < 0.15:
        return Input("raw overlong", "raw", with_field(dice.choice(OVERLONG)))
    if way == 10:
        return Input("raw noise", "raw", (dice.randbytes(dice.choice((1, 4, 40, 400))) + mark,))
    return Input("raw bent", "raw", (bend_bytes(dice, right),))


KINDS: dict[str, tuple[float, Callable[[Bent, Known], Input]]] = {
    "request": (0.42, odd_request), "raw": (0.40, raw), "record": (0.06, record_request), "components": (0.06, components_request),
    "stream": (0.06, odd_stream),
}  # fmt: skip


def draw(dice: Bent, known: Known) -> Input:
    """An input of any kind."""
    makers = list(KINDS.values())
    return dice.choices([make for _, make in makers], [share for share, _ in makers])[0](dice, known)


# Without a server: what reads records and component files, asked in this process.


def read_nonsense(seed: str, count: int) -> tuple[dict[str, int], list[str], float]:
    """So many records and component files, read: how that ended, what should not have happened, and the longest time that one took."""
    from sheepfold.core.errors import SheepfoldError
    from sheepfold.game.component_file import EnteredFile
    from sheepfold.web.jobs import read_text

    games, counted, faults, worst = [game for game in every_game() if game.component_file.exists()], dict[str, int](), list[str](), 0.0
    for number in range(count):
        dice = Bent(f"{seed} {number}")
        began, outcome, text = time.perf_counter(), "refused", ""
        try:
            if dice.random() < 0.6:
                text = odd_record(dice).encode("utf-8", "replace").decode()
                outcome = "read" if isinstance(read_text(text), tuple) else "refused"
            else:
                game = dice.choice(games)
                text = odd_components(dice, game.name)
                play_some(game.setup(game.seats[-1], EnteredFile("own.toml", text)), number)
                outcome = "read"
        except SheepfoldError:
            pass
        except Exception as error:
            faults.append(f"{seed} {number}: {type(error).__name__}: {error}: {text!r}")
        took = time.perf_counter() - began
        worst = max(worst, took)
        counted[outcome] = counted.get(outcome, 0) + 1
    return counted, faults, worst


def play_some(setup: Any, number: int) -> None:
    """With what was accepted one can play."""
    position, dice = setup.start(), Dice(number)
    for _ in range(40):
        if position.to_act == OVER:
            break
        position.apply(position.random_action(dice))
    setup.game.text_picture(position.seen_by(0), 0, 100)
