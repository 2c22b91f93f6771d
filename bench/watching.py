"""All seats of many tables watch as the page does: `python bench/server.py --watching [--peer FOLDER] [--json FILE]`.

For every game, at 100 tables, each seat is a person with a page: it loads `/t/ID`, holds the page's stream open with the page's cookie and
takes it compressed where that is offered, and posts its moves as the page's script does. A table's next move is sent when the last one was
acknowledged and all who sit there were told of it. The tables are in all stages of their games, from the beginning to near the end.
The peer: boardgame.io with as many of its own clients at as many matches, which wait as ours do.

The load is no player: it follows each game by the log in the server's database, which it may only read, so it knows what is hidden and what
can be done without a look at the scenes. Of what the streams bring it reads the ply alone. So it costs little (printed), and it does not
matter to it in which form a scene comes. A viewer who is not told of a move stops its table, and the run fails.

`server CPU` is all that the server and the processes that it started have spent while the load ran; per update it is the same spread over
all that was told to viewers. `sent` is what a stream carried for one change, as compressed as it came, without HTTP's framing. `pause` is
the longest time for which the server's loop did not come to what was due.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from html import unescape
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from server import DISK, Server, drive, free_port, peer, serve, table_of

TABLES = 100
MOVES = 30
"""Moves a table."""
PEER_TIMES = 3
"""How many times as many moves the peer is given: it is quicker, and has to warm up."""
SECONDS = 45
"""After so many no move is begun."""
PATIENCE = 30
"""Seconds that a table may wait for an answer or a stream before the run fails."""
PAUSE = "/bench/longest-pause"


# Our server, in a process of its own.


def time_pauses(app: Any) -> None:
    """Let the server tell how long its loop was held up at most since it was last asked. Looked at every millisecond, from the first
    time on."""
    longest, clock = -1.0, time.perf_counter

    def look(due: float) -> None:
        nonlocal longest
        now = clock()
        longest = max(longest, now - due)
        asyncio.get_running_loop().call_later(0.001, look, now + 0.001)

    @app.get(PAUSE)
    async def pause() -> float:
        nonlocal longest
        if longest < 0:
            look(clock())
        found, longest = longest, 0.0
        return found


def seats_of(game: Any) -> int:
    """The usual number of players."""
    return 4 if 4 in game.seats else int(game.seats[-1])


def fill(folder: Path, url: str, name: str, tables: int, moves: int) -> None:
    """A database with tables of people, evenly from the beginning of a game to as far as leaves it that many moves; and a list of who may
    act there."""
    from sheepfold.core.dice import Dice
    from sheepfold.game.records import Event
    from sheepfold.game.registry import find
    from sheepfold.table.store import Store
    from sheepfold.table.table import new_table
    from sheepfold.table.tables import person_seat

    game, store = find(name), Store(url, alone=False)
    listed, waiting = [], []
    for number in range(tables):
        stored = new_table(game.name, [person_seat(who) for who in ("Ada", "Ben", "Cleo", "Dan")[: seats_of(game)]], {})
        dice, position, events = Dice(f"{name} {number}"), game.setup(seats_of(game)).start(), []
        while position.to_act != -2:
            events.append(Event(int(position.to_act), int(position.random_action(dice))))
            position.advance(events[-1].action)
        decisions = [ply for ply, event in enumerate(events) if event.who >= 0]
        stored.events = events[: decisions[max(0, len(decisions) - moves) * number // tables]]
        stored.status = "playing"
        listed.append((stored.id, [seat.token for seat in stored.seats]))
        waiting.append(store.create(stored))
    for each in waiting:
        each.result()
    store.close()
    (folder / "tables.json").write_text(json.dumps({"game": name, "database": url, "tables": listed}))


# Our load, in a process of its own.


class Seat:
    """A person's page: its line for moves and its stream."""

    def __init__(self, table: Table, number: int, token: str) -> None:
        self.table, self.number = table, number
        browser = f"Host: 127.0.0.1:{table.port}\r\nAccept-Encoding: gzip, deflate, br\r\nAccept-Language: en\r\n"
        self.fields = browser + f"Sec-Fetch-Site: same-origin\r\nCookie: seat_{table.id}={token}\r\n"

    async def come(self) -> None:
        """As a browser does: the page, then its stream."""
        loop, port = asyncio.get_running_loop(), self.table.port
        _, page = await loop.create_connection(Page, "127.0.0.1", port)
        found = re.search(rb'<div id="table"[^>]*\sdata-since="([^"]*)"', await page.get(f"/t/{self.table.id}", self.fields))
        page.transport.close()
        since = "" if found is None else f"?since={quote(unescape(found[1].decode()))}"
        _, self.moves = await loop.create_connection(lambda: Moves(self), "127.0.0.1", port)
        _, self.stream = await loop.create_connection(lambda: Stream(self, since), "127.0.0.1", port)
        there, failed = self.stream.there, self.table.finished
        await asyncio.wait([there, failed], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if not there.done():
            self.table.fail("nothing comes by the stream")
            failed.result()


class Line(asyncio.Protocol):
    """One connection. Callbacks and bytes only: the load must cost less than what it measures."""

    def __init__(self) -> None:
        self.received = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport


class Page(Line):
    """Asked for one page."""

    async def get(self, path: str, fields: str) -> bytes:
        self.whole: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.transport.write(f"GET {path} HTTP/1.1\r\n{fields}Connection: close\r\n\r\n".encode())
        head, _, body = (await self.whole).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"no page: {head!r}")
        return zlib.decompress(body, 31) if b"content-encoding: gzip" in head.lower() else body

    def data_received(self, data: bytes) -> None:
        self.received += data

    def connection_lost(self, error: Exception | None) -> None:
        self.whole.set_result(self.received)


class Moves(Line):
    """Where a page posts its moves."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.table, table = seat.table, seat.table
        head = f"POST /t/{table.id}/move HTTP/1.1\r\n{seat.fields}Origin: http://127.0.0.1:{table.port}\r\nAccept: application/json\r\n"
        body = f'{{"ply":%d,"action":"%b","seat":{seat.number}}}'
        self.request = f"{head}Content-Type: application/json\r\nContent-Length: %d\r\n\r\n{body}".encode()
        self.fixed = len(body) - len("%d%b")

    def send(self, ply: int, text: str) -> None:
        self.transport.write(self.request % (len(text) + len(str(ply)) + self.fixed, ply, text.encode()))

    def data_received(self, data: bytes) -> None:
        self.received += data
        if self.received.endswith(b"}"):
            received, self.received = self.received, b""
            if received.startswith(b"HTTP/1.1 200") and (found := PLY.search(received)):
                self.table.answered(int(found[1]))
            else:
                self.table.fail(f"a move was refused: {received!r}")

    def connection_lost(self, error: Exception | None) -> None:
        self.table.fail(f"a line for moves was cut: {error}")


PLY = re.compile(rb'"ply":\s*(\d+)')


class Stream(Line):
    """A page's stream of what there is to see, taken apart: HTTP's chunks, compression, events, and in them the ply."""

    def __init__(self, seat: Seat, since: str) -> None:
        super().__init__()
        self.table, self.seat, self.since = seat.table, seat, since
        self.there: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.begun, self.rest, self.size, self.ply = False, b"", 0, -1
        self.unzip: Any = None

    def connection_made(self, transport: Any) -> None:
        head = f"GET /t/{self.table.id}/stream{self.since} HTTP/1.1\r\n{self.seat.fields}Accept: text/event-stream\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        received, at = self.received + data, 0
        if not self.begun:
            if (at := received.find(b"\r\n\r\n") + 4) < 4:
                self.received = received
                return
            self.begin(received[:at].lower())
        while (line := received.find(b"\r\n", at)) >= 0:
            end = line + 2 + int(received[at:line], 16)
            if len(received) < end + 2:
                break
            self.chunk(received[line + 2 : end])
            at = end + 2
        self.received = received[at:]

    def begin(self, head: bytes) -> None:
        encoding = found[1] if (found := re.search(rb"content-encoding: *(\S+)", head)) else b"identity"
        if not head.startswith(b"http/1.1 200") or b"transfer-encoding: chunked" not in head or encoding not in (b"gzip", b"identity"):
            self.table.fail(f"no stream that is understood here: {head!r}")
        self.begun, self.unzip = True, zlib.decompressobj(31) if encoding == b"gzip" else None
        if self.since:  # what the page brought is where it goes on; else there is a first scene to wait for
            self.there.set_result(None)

    def chunk(self, data: bytes) -> None:
        self.size += len(data)
        *events, self.rest = (self.rest + (self.unzip.decompress(data) if self.unzip else data)).split(b"\n\n")
        if not events:
            return
        size, self.size = self.size, 0
        ply = max([int(found[1]) for event in events if (found := PLY.search(event))], default=-1)
        if ply > self.ply:  # else only somebody has come, or it is still there
            self.ply = ply
            if self.there.done():
                self.table.heard(size)
            else:
                self.there.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        self.table.fail(f"a stream was cut: {error}")


class Load:
    """What is common to all tables: what they found, and the log of the server's database."""

    def __init__(self, port: int, folder: Path, moves: int) -> None:
        from sheepfold.game.registry import find

        listed = json.loads((folder / "tables.json").read_text())
        self.game = find(listed["game"])
        if (database := listed["database"]).startswith("sqlite:///"):
            self.log: Any = sqlite3.connect(f"file:{database.removeprefix('sqlite:///')}?mode=ro", uri=True, isolation_level=None)
            self.news = "SELECT action FROM events WHERE table_id=? AND ply>=? ORDER BY ply"
        else:
            import psycopg

            self.log = psycopg.connect(database.replace("+psycopg", ""), autocommit=True)
            self.news = "SELECT action FROM events WHERE table_id=%s AND ply>=%s ORDER BY ply"
        self.answers: list[float] = []
        self.updates: list[float] = []
        self.sizes: list[int] = []
        self.tables = [Table(self, port, number, table, tokens, moves) for number, (table, tokens) in enumerate(listed["tables"])]


class Table:
    """A table and all who sit there. Its next move follows when the last one was acknowledged and told to everybody."""

    def __init__(self, load: Load, port: int, number: int, table_id: str, tokens: Sequence[str], moves: int) -> None:
        from sheepfold.core.dice import Dice

        self.load, self.port, self.id, self.left = load, port, table_id, moves
        self.position, self.ply = load.game.setup(len(tokens)).start(), 0
        self.follow()
        self.dice = Dice(number)
        self.seats = [Seat(self, seat, token) for seat, token in enumerate(tokens)]
        self.awaited: int | None = None
        """The ply that the last move has led to, once that is known."""
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def follow(self) -> None:
        """Go on to where the game is by the database."""
        for (action,) in self.load.log.execute(self.load.news, (self.id, self.ply)):
            self.position.advance(action)
            self.ply += 1

    def fail(self, why: str) -> None:
        if not self.finished.done():
            self.finished.set_exception(RuntimeError(f"table {self.id}, ply {self.ply}: {why}"))

    def move(self) -> None:
        position = self.position
        if self.left == 0 or position.to_act < 0:
            if not self.finished.done():
                self.finished.set_result(None)
            return
        self.left -= 1
        self.awaited = None
        seat = int(position.to_act)
        text = self.load.game.write(position.seen_by(seat), position.random_action(self.dice))
        self.began = time.perf_counter()
        self.seats[seat].moves.send(self.ply, text)

    def answered(self, ply: int) -> None:
        self.load.answers.append(time.perf_counter() - self.began)
        self.awaited = ply
        self.go_on()

    def heard(self, size: int) -> None:
        self.last = time.perf_counter()
        self.load.sizes.append(size)
        self.go_on()

    def go_on(self) -> None:
        if self.awaited is not None and all(seat.stream.ply >= self.awaited for seat in self.seats):
            self.load.updates.append(self.last - self.began)
            self.follow()
            self.move()


async def load(port: int, folder: Path, moves: int, seconds: float) -> dict[str, Any]:
    """The load; what is printed for the other process."""
    all_of_it = Load(port, folder, moves)
    tables = all_of_it.tables
    for number, table in enumerate(tables, start=1):
        for seat in table.seats:
            await seat.come()
        if number % 25 == 0:
            tell(f"{all_of_it.game.name}: all of {number} tables watch")
    ask_pause(port)
    print("go", flush=True)
    began, spent, ends = time.perf_counter(), time.process_time(), time.perf_counter() + seconds
    for table in tables:
        table.move()
    waiting = {table.finished for table in tables}
    while waiting:
        done, waiting = await asyncio.wait(waiting, timeout=5, return_when=asyncio.FIRST_EXCEPTION)
        for each in done:
            each.result()
        now = time.perf_counter()
        if waiting:
            tell(f"{all_of_it.game.name}: {len(all_of_it.updates)} moves in {now - began:.0f} s")
        if now > ends:
            for table in tables:
                table.left = 0
        if any(now - table.began > PATIENCE for table in tables if table.finished in waiting):
            raise RuntimeError("somebody was not told of a move, or it was not answered")
    passed, spent, pause = time.perf_counter() - began, time.process_time() - spent, ask_pause(port)
    return {
        "moves": len(all_of_it.updates), "seconds": passed, "load_cpu": spent, "longest_pause_ms": 1000 * pause,
        "latencies_ms": [round(1000 * each, 3) for each in all_of_it.answers],
        "updates_ms": [round(1000 * each, 3) for each in all_of_it.updates], "sizes": all_of_it.sizes,
    }  # fmt: skip


def ask_pause(port: int) -> float:
    """The longest pause; 0 where a server does not tell."""
    with suppress(HTTPError), urlopen(Request(f"http://127.0.0.1:{port}{PAUSE}"), timeout=60) as answer:
        return float(answer.read())
    return 0.0


def tell(text: str) -> None:
    """How far it is, beside the figures."""
    print(f"  {text}", file=sys.stderr, flush=True)


# One run against one server.


def figures(found: dict[str, Any], spent: float, viewers: int) -> dict[str, float]:
    """What is told of a run: of all loads' latencies and processor times, of ours also bytes and pauses."""
    moves, shares, updates = found["moves"], quantiles(found["latencies_ms"], n=100), quantiles(found["updates_ms"], n=100)
    said = {
        "viewers_a_table": viewers, "moves": moves, "seconds": found["seconds"], "moves_per_second": moves / found["seconds"],
        "p50_ms": shares[49], "p99_ms": shares[98], "update_p50_ms": updates[49], "update_p99_ms": updates[98],
        "server_cpu_us_per_move": 1e6 * spent / moves, "server_cpu_us_per_update": 1e6 * spent / (moves * viewers),
        "load_cpu_us_per_move": 1e6 * found["load_cpu"] / moves,
    }  # fmt: skip
    if "sizes" in found:
        sizes = found["sizes"]
        said |= {"bytes": median(sizes), "bytes_p95": quantiles(sizes, n=100)[94], "longest_pause_ms": found["longest_pause_ms"]}
    return said


def measure_ours(name: str, tables: int, moves: int, seconds: float) -> dict[str, float]:
    from sheepfold.game.registry import find

    with tempfile.TemporaryDirectory(prefix="sheepfold-bench-", dir=DISK) as folder:
        port, url = free_port(), f"sqlite:///{folder}/sheepfold.db"
        fill(Path(folder), url, name, tables, moves)
        server = Server([sys.executable, __file__, "--serve", str(port), url], port, "/health")
        try:
            found, spent = drive(server, [sys.executable, __file__, "--load", str(port), folder, str(moves), str(seconds)])
        finally:
            server.stop()
    return figures(found, spent, seats_of(find(name)))


def measure_peer(folder: Path, tables: int, moves: int, seconds: float, viewers: int) -> dict[str, float]:
    tell(f"boardgame.io: {tables} matches of {viewers}")
    with peer(folder) as server:
        sizes = [str(each) for each in (server.port, tables, moves, int(seconds), viewers)]
        found, spent = drive(server, ["node", "load.js", *sizes], folder)
    return figures(found, spent, viewers)


COLUMNS = (
    ("moves/s", "moves_per_second", "8.0f", 1), ("ack p50 ms", "p50_ms", "11.1f", 1), ("p99", "p99_ms", "8.1f", 1),
    ("last viewer p50 ms", "update_p50_ms", "19.1f", 1), ("p99", "update_p99_ms", "8.1f", 1),
    ("server us/move", "server_cpu_us_per_move", "15.0f", 1), ("us/update", "server_cpu_us_per_update", "10.0f", 1),
    ("load us/move", "load_cpu_us_per_move", "13.0f", 1), ("sent KB", "bytes", "8.2f", 1024), ("p95", "bytes_p95", "7.2f", 1024),
    ("pause ms", "longest_pause_ms", "9.1f", 1),
)  # fmt: skip
"""Title, figure, its format (as wide as the title with a space) and its unit."""


def told(found: dict[str, float]) -> str:
    return "".join(f"{found[name] / unit:{form}}" for _, name, form, unit in COLUMNS if name in found)


def run(games: Sequence[str], peer_folder: Path | None, tables: int, moves: int, seconds: float) -> dict[str, Any]:
    """Everything, in one run; printed and given back."""
    ours, theirs = {}, {}
    for name in games:
        ours[name] = measure_ours(name, tables, moves, seconds)
        tell(f"{name}: {ours[name]['moves_per_second']:.0f} moves/s")
    for viewers in sorted({int(each["viewers_a_table"]) for each in ours.values()}) if peer_folder else ():
        assert peer_folder
        theirs[viewers] = measure_peer(peer_folder, tables, PEER_TIMES * moves, seconds, viewers)
    rows = [("", "".join(f"{title:>{form.partition('.')[0]}}" for title, _, form, _ in COLUMNS))]
    rows += [(f"{name}, {each['viewers_a_table']} watch", told(each)) for name, each in ours.items()]
    rows += [(f"boardgame.io, {viewers} watch", told(each)) for viewers, each in theirs.items()]
    for name, mine in ours.items():
        if other := theirs.get(int(mine["viewers_a_table"])):
            mine["times_boardgame_io"] = rate = mine["moves_per_second"] / other["moves_per_second"]
            mine["times_boardgame_io_cpu"] = cpu = other["server_cpu_us_per_move"] / mine["server_cpu_us_per_move"]
            rows.append((f"{name}, times boardgame.io", f"{rate:.2f} in moves a second, {cpu:.2f} in the server's time per move"))
    print(table_of(rows))
    return {"tables": tables, "moves_a_table": moves, "games": ours, "boardgame.io": theirs}


def main(told: Sequence[str]) -> None:
    parser = argparse.ArgumentParser("server.py --watching", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--peer", type=Path, help="the folder where the npm package boardgame.io is installed")
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--moves", type=int, default=MOVES, help="moves a table")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="after so many no move is begun")
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "URL"), help=argparse.SUPPRESS)
    parser.add_argument("--load", nargs=4, metavar=("PORT", "FOLDER", "MOVES", "SECONDS"), help=argparse.SUPPRESS)
    wanted = parser.parse_args(told)
    if wanted.serve:
        serve(int(wanted.serve[0]), wanted.serve[1], time_pauses)
    elif wanted.load:
        import uvloop

        port, folder, moves, seconds = wanted.load
        print(json.dumps(uvloop.run(load(int(port), Path(folder), int(moves), float(seconds)))))
    else:
        from sheepfold.game.registry import names

        found = run(wanted.games or names(), wanted.peer, wanted.tables, wanted.moves, wanted.seconds)
        if wanted.json:
            wanted.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
