"""The server under load, as one run: `make bench-server`, or `python bench/server.py [--json FILE] [--peer FOLDER] [--kill N]`.

Ours: one process as `sheepfold serve` runs it, without the limit on requests per client; SQLite on disk, every commit synced before a move
is acknowledged (journal WAL, synchronous FULL). The peer: boardgame.io's own server with its default storage (memory) and its own
client over socket.io, playing bench/boardgame_io/game.js; FOLDER is where its npm package is installed. Both serve the same kind of load,
from a second process over loopback: 100 games of two players, each game's next move sent when the last one was acknowledged. Machines are
noisy, so what counts are the ratios within a run; the processor time that a server spends per move is printed too, because other work on
the machine touches it less.

Ours is measured twice. `moves alone`: who moved is answered, and the load's other player learns of it within the load. `all listening`:
both seats also hold a stream of what the other does, and a player moves only when that has told it of the move before. So every player is
told once of every move, as the peer's clients are; the second is the fairer one.

The loads are not what limits: each takes less processor time per move than the server it drives (printed). The peer's own client was held
against one that does nothing but pass messages; the server was no quicker with it.

`--watching` measures what people get instead, all seats of all tables with the page's own stream: bench/watching.py.

`--kill N` ends our server N times with SIGKILL at random moments under load, starts it again on the same database, and holds what
is there against everything that was acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.request import Request, urlopen

HERE = Path(__file__).parent
GAME = "te-kuiti"
KILL_GAME = "haste-bock"
"""A game whose log is shown whole; Te Kuiti's is short on purpose."""
MATCHES = 100
MOVES = 60
"""Moves a match."""
SECONDS = 60
"""The longest a load may last."""


DISK = "/var/tmp" if Path("/var/tmp").is_dir() else None
"""Where databases are put: often `/tmp` is memory."""


# Our server, in a process of its own.


def serve(port: int, database: str, prepare: Callable[[Any], None] = lambda app: None) -> None:
    """As `sheepfold serve` does, without the limits on what a client may do: all load comes from one address."""
    from sheepfold.table.limits import NO_LIMITS
    from sheepfold.web.app import create_app
    from sheepfold.web.logs import set_up_logs
    from sheepfold.web.serve import listener, run

    set_up_logs()
    app = create_app(database, bot_pause=0.0, **NO_LIMITS)
    prepare(app)
    run(app, listener("127.0.0.1", port))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server process that answers."""

    def __init__(
        self,
        command: list[str],
        port: int,
        ready: str,
        cwd: Path | None = None,
        environment: dict[str, str] | None = None,
        log: Path | None = None,
    ) -> None:
        self.port = port
        began = time.perf_counter()
        with Path(log or os.devnull).open("wb") as told:
            self.process = subprocess.Popen(command, cwd=cwd, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, stderr=told)
        while True:
            with suppress(OSError), urlopen(f"http://127.0.0.1:{port}{ready}", timeout=5):
                break
            if self.process.poll() is not None or time.perf_counter() - began > 60:
                raise RuntimeError(f"{command[0]} did not come up")
            time.sleep(0.01)
        self.started_in = time.perf_counter() - began

    def cpu(self) -> float:
        """Processor seconds so far, all its threads and the processes that it started together."""
        known = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has ended meanwhile
                fields = stat.read_text().rsplit(")", 1)[1].split()
                known[int(stat.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"))
        family = {self.process.pid}
        while more := {process for process, (parent, _) in known.items() if parent in family} - family:
            family |= more
        return sum(known[process][1] for process in family)

    def memory(self) -> int:
        """Resident bytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def ours(folder: Path) -> Iterator[Server]:
    server = start_ours(folder)
    try:
        yield server
    finally:
        server.stop()


def start_ours(folder: Path, port: int | None = None) -> Server:
    port = port or free_port()
    return Server([sys.executable, __file__, "--serve", str(port), f"sqlite:///{folder / 'sheepfold.db'}"], port, "/health")


# Our load, in a process of its own.


class Line(asyncio.Protocol):
    """One player's connection: a request, its answer, the next request."""

    def __init__(self) -> None:
        self.waiting: asyncio.Future[tuple[int, bytes]] | None = None
        self.received = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        if len(body) >= length and self.waiting:
            self.received = body[length:]
            waiting, self.waiting = self.waiting, None
            if not waiting.done():
                waiting.set_result((int(head[9:12]), body[:length]))

    def connection_lost(self, error: Exception | None) -> None:
        if self.waiting and not self.waiting.done():
            self.waiting.set_exception(error or ConnectionResetError("the server hung up"))

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        content = b"" if body is None else json.dumps(body).encode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}Content-Type: application/json\r\n"
        head += f"Content-Length: {len(content)}\r\n\r\n"
        self.waiting = asyncio.get_running_loop().create_future()
        self.transport.write(head.encode() + content)
        status, answer = await self.waiting
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {answer[:200]!r}")
        return json.loads(answer)


class Match:
    """Two players with a connection each, and the game as they know it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.acknowledged: list[tuple[int, str]] = []
        """Who and what, as the server told it."""

    async def sit(self, game: str) -> None:
        from sheepfold.game.registry import find

        await self.connect()
        made = await self.lines[0].ask("POST", "/api/tables", {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]})
        self.table = made["table"]
        sat = await self.lines[1].ask("POST", f"/api/tables/{self.table}/seats", {"seat": 1})
        self.tokens = [made["token"], sat["token"]]
        self.game = find(game)
        self.position = self.game.setup(2).start()
        for told in (await self.lines[0].ask("GET", f"/api/tables/{self.table}", token=self.tokens[0]))["log"]:
            self.happen(told["who"], told["notation"])

    def happen(self, who: int, text: str) -> None:
        self.position.apply(self.game.read(self.position, text))
        self.acknowledged.append((who, text))

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        self.lines = [(await loop.create_connection(Line, "127.0.0.1", self.port))[1] for _ in range(2)]

    async def come_back(self) -> tuple[int, int]:
        """After a restart: how many acknowledged events are not there, and how many are there that were not acknowledged."""
        await self.connect()
        scene = await self.lines[0].ask("GET", f"/api/tables/{self.table}", token=self.tokens[0])
        log = [(told["who"], told["notation"]) for told in scene["log"]]
        known = self.acknowledged
        same = next((place for place, (one, two) in enumerate(zip(known, log, strict=False)) if one != two), min(len(known), len(log)))
        self.position, self.acknowledged = self.game.setup(2).start(), []
        for who, text in log:
            self.happen(who, text)
        if len([who for who, _ in log[len(known) :] if who >= 0]) > 1:
            raise AssertionError(f"table {self.table}: more than one move was stored that nobody was told of")
        return len(known) - same, len(log) - same

    async def play(self, moves: int, ends: float, latencies: list[float], dice: Any) -> None:
        clock = time.perf_counter
        for _ in range(moves):
            if self.position.to_act < 0 or clock() > ends:
                return
            seat = int(self.position.to_act)
            action = self.position.random_action(dice)
            wish = {"ply": len(self.acknowledged), "action": self.game.write(self.position, action)}
            began = clock()
            answer = await self.lines[seat].ask("POST", f"/api/tables/{self.table}/moves", wish, self.tokens[seat])
            latencies.append(clock() - began)
            (who, text), *chance = answer["happened"]
            self.position.advance(action)
            self.acknowledged.append((who, text))
            for who, text in chance:
                self.happen(who, text)


class Player(asyncio.Protocol):
    """A seat's line for its moves. Callbacks and bytes only: the load must cost less than what it measures."""

    def __init__(self, pair: Pair, seat: int) -> None:
        self.pair, self.received = pair, b""
        table, token = pair.match.table, pair.match.tokens[seat]
        head = f"POST /api/tables/{table}/moves HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        self.request = head.encode() + b'Content-Type: application/json\r\nContent-Length: %d\r\n\r\n{"ply":%d,"action":"%b"}'

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def send(self, ply: int, text: str) -> None:
        length = len(text) + len(str(ply)) + len('{"ply":,"action":""}')
        self.transport.write(self.request % (length, ply, text.encode()))

    def data_received(self, data: bytes) -> None:
        self.received += data
        if self.received.endswith(b"}"):
            received, self.received = self.received, b""
            if not received.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"a move was refused: {received!r}")
            self.pair.answered(json.loads(received[received.index(b"\r\n\r\n") :]))


class Listener(asyncio.Protocol):
    """A seat's stream of what happened."""

    def __init__(self, pair: Pair, seat: int) -> None:
        self.pair, self.seat, self.received = pair, seat, b""

    def connection_made(self, transport: Any) -> None:
        table, token = self.pair.match.table, self.pair.match.tokens[self.seat]
        head = f"GET /api/tables/{table}/events?since=1000&own=false HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        self.received += data
        if self.received.endswith(b"\n\n\r\n"):
            at = self.received.rfind(b'"ply":')
            if at >= 0:  # else it is only still there
                self.pair.heard(self.seat, int(self.received[at + 6 : self.received.index(b",", at)]))
            self.received = b""


class Pair:
    """Two players of a match under load: who is to act moves when the last move was acknowledged and, where both listen, told to them."""

    def __init__(self, match: Match, moves: int, dice: Any, latencies: list[float], listen: bool) -> None:
        self.match, self.left, self.dice, self.latencies, self.listen = match, moves, dice, latencies, listen
        self.told = [0, 0]
        self.running = self.waiting = False
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        self.players = [Player(self, seat) for seat in range(2)]
        for seat, player in enumerate(self.players):
            await loop.create_connection(lambda player=player: player, "127.0.0.1", self.match.port)
            if self.listen:
                await loop.create_connection(lambda seat=seat: Listener(self, seat), "127.0.0.1", self.match.port)
        while self.listen and 0 in self.told:
            await asyncio.sleep(0.01)

    def go_on(self) -> None:
        if self.waiting:
            return
        position, ply = self.match.position, len(self.match.acknowledged)
        if self.left == 0 or position.to_act < 0:
            if not self.finished.done():
                self.finished.set_result(None)
        elif not self.listen or self.told[int(position.to_act)] >= ply:
            self.waiting, self.left = True, self.left - 1
            self.action = position.random_action(self.dice)
            self.began = time.perf_counter()
            self.players[int(position.to_act)].send(ply, self.match.game.write(position, self.action))

    def answered(self, answer: dict[str, Any]) -> None:
        self.latencies.append(time.perf_counter() - self.began)
        self.waiting = False
        position = self.match.position
        self.told[int(position.to_act)] = answer["ply"]
        first, *chance = answer["happened"]
        position.advance(self.action)
        self.match.acknowledged.append(first)
        for event in chance:
            position.advance(meaning(self.match, event[1]))
            self.match.acknowledged.append(event)
        self.go_on()

    def heard(self, seat: int, ply: int) -> None:
        self.told[seat] = ply
        if self.running:
            self.go_on()


MEANINGS: dict[str, int] = {}


def meaning(match: Match, text: str) -> int:
    """What chance did. Reading takes long, and the same text means the same."""
    if text not in MEANINGS:
        MEANINGS[text] = int(match.game.read(match.position, text))
    return MEANINGS[text]


async def load(port: int, matches: int, moves: int, seconds: float, listen: bool) -> dict[str, Any]:
    """The load; what is printed for the other process."""
    from sheepfold.core.dice import Dice

    latencies: list[float] = []
    pairs = []
    for number in range(matches):
        match = Match(port)
        await match.sit(GAME)
        pairs.append(Pair(match, moves, Dice(number), latencies, listen))
        await pairs[-1].connect()
    print("go", flush=True)
    began, spent = time.perf_counter(), time.process_time()
    for pair in pairs:
        pair.running = True
        pair.go_on()
    await asyncio.wait([pair.finished for pair in pairs], timeout=seconds)
    return {
        "moves": len(latencies), "seconds": time.perf_counter() - began, "load_cpu": time.process_time() - spent,
        "latencies_ms": [round(1000 * each, 3) for each in latencies],
    }  # fmt: skip


# One run against one server.


def drive(server: Server, load_command: list[str], cwd: Path | None = None) -> tuple[dict[str, Any], float]:
    """What the load found, and the server's processor time meanwhile."""
    with subprocess.Popen(load_command, cwd=cwd, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while (line := process.stdout.readline()).strip() != "go":
            if not line:
                raise RuntimeError("the load did not start")
        spent = server.cpu()
        said = process.stdout.readline()
        spent = server.cpu() - spent
    if not said:
        raise RuntimeError("the load broke off")
    return json.loads(said), spent


def measure(server: Server, load_command: list[str], cwd: Path | None = None) -> dict[str, float]:
    """Moves a second, latencies, and the server's processor time per move."""
    found, spent = drive(server, load_command, cwd)
    shares = quantiles(found["latencies_ms"], n=100)
    return {
        "moves": found["moves"], "seconds": found["seconds"], "moves_per_second": found["moves"] / found["seconds"],
        "p50_ms": shares[49], "p99_ms": shares[98], "server_cpu_us_per_move": 1e6 * spent / found["moves"],
        "load_cpu_us_per_move": 1e6 * found["load_cpu"] / found["moves"],
    }  # fmt: skip


def measure_ours(listen: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="sheepfold-bench-", dir=DISK) as folder, ours(Path(folder)) as server:
        sizes = [str(each) for each in (server.port, MATCHES, MOVES, SECONDS)]
        return measure(server, [sys.executable, __file__, "--load", *sizes, *(["--listen"] if listen else [])])


@contextmanager
def peer(folder: Path) -> Iterator[Server]:
    """boardgame.io's server, installed in that folder."""
    for script in (HERE / "boardgame_io").glob("*.js"):
        shutil.copy(script, folder)
    port = free_port()
    server = Server(["node", "server.js", str(port)], port, "/games", folder)
    try:
        yield server
    finally:
        server.stop()


def measure_peer(folder: Path) -> dict[str, float]:
    with peer(folder) as server:
        return measure(server, ["node", "load.js", str(server.port), str(MATCHES), str(MOVES), str(SECONDS)], folder)


# Sizes, memory, starting up.


def ask(port: int, path: str, body: Any = None) -> bytes:
    content = None if body is None else json.dumps(body).encode()
    request = Request(f"http://127.0.0.1:{port}{path}", content, {"Content-Type": "application/json"})
    with urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


def sent(port: int, path: str) -> tuple[int, str]:
    """How many bytes a browser is sent for an address, and what they mean."""
    with urlopen(Request(f"http://127.0.0.1:{port}{path}", None, {"Accept-Encoding": "gzip"}), timeout=60) as answer:
        body = bytes(answer.read())
        return len(body), (gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body).decode(errors="replace")


def first_load(port: int) -> dict[str, int]:
    """The bytes that a browser is sent to show a table for the first time, by game: the page, in which the picture stands, all that it
    asks for, and what its stream begins with."""
    from sheepfold.game.registry import every_game

    found = {}
    for game in every_game():
        seats = [{"kind": "me"}] * max(2, game.seats[0])
        made = json.loads(ask(port, "/api/tables", {"game": game.name, "seats": seats}))
        files = {"page": sent(port, f"/t/{made['table']}")}
        names = set(re.findall(r'(?:src|href)="(/(?:static/[^"]+|art\.css[^"]*))"', files["page"][1]))
        while names := names - files.keys():
            files |= {name: sent(port, name) for name in names}
            names = {f"/static/{name}" for _, text in files.values() for name in re.findall(r'from "\./([^"]+)"', text)}
        found[game.name] = sum(size for size, _ in files.values()) + first_event(port, f"/t/{made['table']}/stream")
    return found


def first_event(port: int, path: str) -> int:
    """The bytes of what a page's stream begins with."""
    with urlopen(Request(f"http://127.0.0.1:{port}{path}", None, {"Accept-Encoding": "gzip"}), timeout=60) as stream:
        unpacked, size, text = zlib.decompressobj(31), 0, b""
        while not text.endswith(b"\n\n"):
            sent = stream.read1()
            size, text = size + len(sent), text + unpacked.decompress(sent)
        return size


def memory_per_table(tables: int = 1000) -> float:
    """Bytes by which the server grows for each table that is open in memory, with a few moves made."""
    from sheepfold.core.dice import Dice
    from sheepfold.game.registry import find

    with tempfile.TemporaryDirectory(prefix="sheepfold-bench-", dir=DISK) as folder:
        ids = fill(Path(folder), tables, find(GAME).name, 60, Dice("memory"))
        with ours(Path(folder)) as server:
            ask(server.port, f"/api/tables/{ids[0]}?since=1000")
            before = server.memory()
            for table in ids[1:]:
                ask(server.port, f"/api/tables/{table}?since=1000")
            return (server.memory() - before) / (len(ids) - 1)


def fill(folder: Path, tables: int, game: str, plies: int, dice: Any) -> list[str]:
    """A database with tables in the middle of their games."""
    from sheepfold.game.records import Event
    from sheepfold.game.registry import find
    from sheepfold.table.store import Seat, Store
    from sheepfold.table.table import new_table

    store = Store(f"sqlite:///{folder / 'sheepfold.db'}", alone=False)
    ids, waiting = [], []
    for _ in range(tables):
        stored = new_table(game, [Seat("person", "A", "a"), Seat("person", "B", "b")], {}, {"listed": True})
        position = find(game).setup(2).start()
        while position.to_act != -2 and len(stored.events) < plies:
            action = int(position.random_action(dice))
            stored.events.append(Event(int(position.to_act), action))
            position.advance(action)
        stored.status = "playing" if position.to_act != -2 else "over"
        ids.append(stored.id)
        waiting.append(store.create(stored))
    for each in waiting:
        each.result()
    store.close()
    return ids


def start_up(games: int) -> float:
    """Seconds from the command to the first answer, with that many games stored."""
    from sheepfold.core.dice import Dice

    with tempfile.TemporaryDirectory(prefix="sheepfold-bench-", dir=DISK) as folder:
        fill(Path(folder), games, GAME, 60, Dice("start"))
        with ours(Path(folder)) as server:
            return server.started_in


# Killing.


async def kill_often(times: int, matches: int = 12, seed: object = None) -> dict[str, int]:
    """End the server at random moments, start it again, and hold its logs against what was acknowledged. What is counted."""
    from sheepfold.core.dice import Dice

    rolls = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="sheepfold-kill-", dir=DISK) as name:
        folder, port = Path(name), free_port()
        server = await asyncio.to_thread(start_ours, folder, port)
        try:
            games = [Match(port) for _ in range(matches)]
            for game in games:
                await game.sit(KILL_GAME)
            finished: list[Match] = []
            with_bot = await BotMatch.sit(port)
            latencies: list[float] = []
            lost = unacknowledged = 0
            for number in range(times):
                ends = time.perf_counter() + 60
                dice = [Dice(f"{number} {place}") for place in range(matches)]
                playing = [asyncio.create_task(game.play(1000, ends, latencies, rolled)) for game, rolled in zip(games, dice, strict=True)]
                await asyncio.sleep(rolls.uniform(0.02, 0.7))
                server.kill()
                await asyncio.gather(*playing, return_exceptions=True)
                server = await asyncio.to_thread(start_ours, folder, port)
                for place, game in enumerate(games):
                    missing, more = await game.come_back()
                    lost, unacknowledged = lost + missing, unacknowledged + more
                    if game.position.to_act < 0:
                        finished.append(game)
                        games[place] = Match(port)
                        await games[place].sit(KILL_GAME)
                if number % 10 == 9 or number == times - 1:
                    await with_bot.go_on()
            for game in finished:  # those that were over long ago are there too
                lost += (await game.come_back())[0]
            return {
                "kills": times, "acknowledged_moves": len(latencies), "lost": lost, "stored_but_not_acknowledged_events": unacknowledged,
                "finished_games": len(finished), "moves_against_the_bot": with_bot.moves,
            }  # fmt: skip
        finally:
            server.stop()


class BotMatch:
    """A person and a bot; the bot must go on whatever happened to the server."""

    def __init__(self, port: int, table: str, token: str) -> None:
        self.port, self.table, self.token = port, table, token
        self.moves = 0

    @classmethod
    async def sit(cls, port: int) -> BotMatch:
        _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", port)
        wish = {"game": "haste-bock", "seats": [{"kind": "me"}, {"kind": "bot", "level": "lamb"}]}
        made = await line.ask("POST", "/api/tables", wish)
        line.transport.close()
        return cls(port, made["table"], made["token"])

    async def go_on(self) -> None:
        """Wait for the bot's move, and answer it."""
        _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", self.port)
        ends = time.perf_counter() + 60
        while not (scene := await line.ask("GET", f"/api/tables/{self.table}?since=100000", token=self.token))["actions"]:
            if scene["status"] == "over":
                new = await self.sit(self.port)
                self.table, self.token = new.table, new.token
            if time.perf_counter() > ends:
                raise AssertionError("the bot does not go on after a restart")
            await asyncio.sleep(0.05)
        wish = {"ply": scene["ply"], "action": scene["actions"][0]["action"]}
        await line.ask("POST", f"/api/tables/{self.table}/moves", wish, self.token)
        self.moves += 1
        line.transport.close()


# The whole run.


def table_of(rows: list[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def told(found: dict[str, float]) -> str:
    return (
        f"{found['moves_per_second']:8.0f} moves/s   p50 {found['p50_ms']:7.1f} ms   p99 {found['p99_ms']:7.1f} ms   "
        f"server {found['server_cpu_us_per_move']:5.0f} us CPU/move   load {found['load_cpu_us_per_move']:5.0f} us CPU/move"
    )


def together(runs: list[dict[str, float]]) -> dict[str, float]:
    """All rounds as one: moves over seconds, and the medians of the rest."""
    middle = {name: median(each[name] for each in runs) for name in runs[0]}
    return middle | {"moves_per_second": sum(each["moves"] for each in runs) / sum(each["seconds"] for each in runs)}


def run(peer_folder: Path | None, rounds: int, games: int) -> dict[str, Any]:
    found: dict[str, Any] = {"matches": MATCHES, "moves_a_match": MOVES, "game": GAME, "rounds": rounds}
    kinds = {"sheepfold, moves alone": lambda: measure_ours(False), "sheepfold, all listening": lambda: measure_ours(True)}
    if peer_folder:
        kinds["boardgame.io"] = lambda: measure_peer(peer_folder)
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in kinds}
    for _ in range(rounds):  # in turn, so that all meet the same weather
        for name, measured in kinds.items():
            runs[name].append(measured())
            print(f"{name:<24} {told(runs[name][-1])}", flush=True)
    found["runs"] = runs
    with tempfile.TemporaryDirectory(prefix="sheepfold-bench-", dir=DISK) as folder, ours(Path(folder)) as server:
        found["first_load"] = first_load(server.port)
        found["start_up_empty"] = server.started_in
    found["memory_per_table"] = memory_per_table()
    found["start_up"] = start_up(games)
    whole = {name: together(each) for name, each in runs.items()}
    rows = [(f"{name}, all rounds", told(each)) for name, each in whole.items()]
    if peer_folder:
        theirs = whole.pop("boardgame.io")
        for name, mine in whole.items():
            rate = mine["moves_per_second"] / theirs["moves_per_second"]
            spent = theirs["server_cpu_us_per_move"] / mine["server_cpu_us_per_move"]
            found[f"{name}, times boardgame.io"] = {"moves_per_second": rate, "server_cpu": spent}
            rows.append((f"{name}, times boardgame.io", f"{rate:.2f} in moves a second, {spent:.2f} in the server's time per move"))
    sizes = found["first_load"]
    rows += [
        ("first load of a table, as sent", ", ".join(f"{name} {size / 1024:.0f} KB" for name, size in sizes.items())),
        ("memory per open table", f"{found['memory_per_table'] / 1024:.1f} KB"),
        (f"start-up with {games} games", f"{found['start_up']:.2f} s (with none {found['start_up_empty']:.2f} s)"),
    ]
    print(table_of(rows))
    return found


def main() -> None:
    if "--watching" in sys.argv:
        import watching

        watching.main([told for told in sys.argv[1:] if told != "--watching"])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--peer", type=Path, help="the folder where the npm package boardgame.io is installed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=10_000, help="games stored when the start-up is timed")
    parser.add_argument("--watching", action="store_true", help="measure all seats with the page's stream instead; `--watching --help`")
    parser.add_argument("--kill", type=int, metavar="N", help="only kill the server N times")
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "URL"), help=argparse.SUPPRESS)
    parser.add_argument("--load", nargs=4, metavar=("PORT", "MATCHES", "MOVES", "SECONDS"), help=argparse.SUPPRESS)
    parser.add_argument("--listen", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.serve:
        serve(int(wanted.serve[0]), wanted.serve[1])
    elif wanted.load:
        import uvloop

        port, matches, moves, seconds = map(int, wanted.load)
        print(json.dumps(uvloop.run(load(port, matches, moves, seconds, wanted.listen))))
    elif wanted.kill:
        counted = asyncio.run(kill_often(wanted.kill))
        print(json.dumps(counted))
        sys.exit(1 if counted["lost"] else 0)
    else:
        found = run(wanted.peer, wanted.rounds, wanted.games)
        if wanted.json:
            wanted.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
