"""A million bad inputs at real servers: `make bench-bad-inputs`, or `python bench/bad_inputs.py [--count N] [--seed N] [--servers NAME …]`.

Three servers, one after the other, each as `sheepfold serve` runs it in a process of its own, without the limits on what a client may do:
`fast` (SQLite), `ordinary` (the same with moves that go the ordinary way, as with a release of uvicorn that nobody tried) and, where there
is PostgreSQL, `postgres` with two processes. What they are sent is drawn in nonsense.py; requests that schemathesis makes from
/api/openapi.json are a small share, since they take long to make. Records and component files go directly to what reads them, too, in
processes beside it.

Meanwhile two polite people play at a table of their own. It is a fault if an answer is a 500 or no HTTP, if a line is neither answered nor
closed in time, if a traceback is in the log, if a stranger is told a polite player's token or the secret of that table's chance, if a
polite move is refused or lost, if streams stay open that were cut, or if the server is not well afterwards. The figures are printed as
JSON: inputs by kind and status, inputs a second, the longest time to an answer; the exit code says whether there were faults.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from local_postgres import NoPostgres
from local_postgres import running as postgres_running
from nonsense import Bent, Input, Known, Toy, draw, every_game, read_nonsense, true_record, whole
from server import DISK, Match, Server, free_port
from server import Line as PoliteLine

REQUEST_SECONDS = 5
PATIENCE = REQUEST_SECONDS + 25
"""Seconds after which a line is stuck: what is half sent ends after the first, the rest is for a busy machine."""
QUIET = 0.3
"""Seconds after which we hang up where nothing comes."""
SOURCES = [f"127.0.0.{number}" for number in range(1, 33)]
"""Where the stranger sends from: as several clients, and from 127.0.0.1 also as a proxy that is trusted."""
SHARES = {"fast": 0.5, "ordinary": 0.2, "postgres": 0.3}
EVERY = 50
"""At least every so manyth input was made by schemathesis, where that is quick enough; of few inputs more."""
DIRECT = 0.1
"""The share of what goes directly to the readers."""
BATCH = 200
MOST_FAULTS = 40
UNLIMITED = {
    f"SHEEPFOLD_{name}": "inf"
    for name in (
        "BURST",
        "PER_SECOND",
        "CONNECTIONS",
        "STREAMS",
        "STREAMS_PER_TABLE",
        "TABLES",
        "TABLES_PER_HOUR",
        "LISTED",
        "CHAT",
        "CHAT_PER_MINUTE",
    )
}
ENVIRONMENT = UNLIMITED | {
    "SHEEPFOLD_REQUEST_SECONDS": str(REQUEST_SECONDS), "SHEEPFOLD_TABLES_IN_MEMORY": "300", "SHEEPFOLD_BOT_PAUSE": "0",
}  # fmt: skip
ORDINARY = """
import sys
from sheepfold.web import serve
serve.way_of_moves = lambda version: "auto"
serve.serve(port=int(sys.argv[1]), database=sys.argv[2])
"""


# The servers.


@contextmanager
def target(name: str, folder: Path) -> Iterator[tuple[Server, str, Path]]:
    """One of them, with the URL of its database and its log."""
    with ExitStack() as stack:
        port, log = free_port(), folder / f"{name}.log"
        url = stack.enter_context(postgres_running(synced=False)) if name == "postgres" else f"sqlite:///{folder / name}.db"
        command = [sys.executable, "-m", "sheepfold", "serve", "--port", str(port), "--database", url]
        if name == "ordinary":
            command = [sys.executable, "-c", ORDINARY, str(port), url]
        elif name == "postgres":
            command += ["--processes", "2"]
        server = Server(command, port, "/health", environment=ENVIRONMENT, log=log)
        stack.callback(server.stop)
        yield server, url, log


# Lines and answers.


class Malformed(Exception):
    """What came is no HTTP."""


HEAD = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d) [^\r\n\0]*\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*[^\r\n\0]*\r\n)*)\r\n")
CHUNK = re.compile(rb"([0-9a-f]+)\r\n")


def parse(data: bytes, at: int, method: str, ended: bool) -> tuple[int, bytes, int] | None:
    """The answer that begins there: its status, its body and where it ends; None where it is not all there."""
    end = data.find(b"\r\n\r\n", at) + 4
    if end < 4:
        if not b"HTTP/1.".startswith(data[at : at + 7][:7]):
            raise Malformed(repr(data[at : at + 200]))
        return None
    head = HEAD.fullmatch(data, at, end)
    if head is None:
        raise Malformed(repr(data[at:end][:500]))
    status, fields = int(head[1]), [line.partition(b":")[::2] for line in head[2].lower().split(b"\r\n")[:-1]]
    if status < 200:
        return parse(data, end, method, ended)
    lengths = [value.strip() for name, value in fields if name == b"content-length"]
    chunked = (b"transfer-encoding", b" chunked") in fields
    if len(lengths) + chunked > 1 or not all(length.isdigit() for length in lengths):
        raise Malformed(repr(data[at:end][:500]))
    if method == "HEAD" or status in (204, 304):
        return status, b"", end
    if chunked:
        body = b""
        while (size := CHUNK.match(data, end)) and len(data) >= size.end() + int(size[1], 16) + 2:
            length, end = int(size[1], 16), size.end() + int(size[1], 16) + 2
            body += data[size.end() : end - 2]
            if data[end - 2 : end] != b"\r\n":
                raise Malformed(repr(data[end - 20 : end]))
            if not length:
                return status, unzipped(body, fields), end
        return None
    if not lengths:
        return (status, unzipped(data[end:], fields), len(data)) if ended else None
    if len(data) < end + int(lengths[0]):
        return None
    return status, unzipped(data[end : end + int(lengths[0])], fields), end + int(lengths[0])


def unzipped(body: bytes, fields: list[tuple[bytes, ...]]) -> bytes:
    return zlib.decompressobj(31).decompress(body) if body and (b"content-encoding", b" gzip") in fields else body


class Line(asyncio.Protocol):
    """A connection of the stranger's."""

    def __init__(self) -> None:
        self.received, self.ended, self.used = b"", False, 0
        self.waiting: asyncio.Future[None] | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        self.wake()

    def connection_lost(self, error: Exception | None) -> None:
        self.ended = True
        self.wake()

    def send(self, data: bytes) -> None:
        with suppress(RuntimeError):  # the other side was quicker, which is soon noticed
            self.transport.write(data)

    def wake(self) -> None:
        if self.waiting and not self.waiting.done():
            self.waiting.set_result(None)

    async def more(self, seconds: float) -> bool:
        """Whether something has come, or the line has ended, within that time."""
        if self.ended:
            return False
        self.waiting = asyncio.get_running_loop().create_future()
        handle = asyncio.get_running_loop().call_later(seconds, self.wake)
        before = len(self.received)
        await self.waiting
        handle.cancel()
        return self.ended or len(self.received) > before

    async def end(self) -> bool:
        """Whether the server hangs up in time."""
        ends = time.monotonic() + PATIENCE
        while not self.ended and time.monotonic() < ends:
            await self.more(1)
        return self.ended


# The run.


class Run:
    """What is sent at one server, and what came of it."""

    def __init__(self, name: str, port: int, url: str, count: int, seed: str, described: list[tuple[str, bytes]]) -> None:
        self.name, self.port, self.url, self.count, self.seed, self.described = name, port, url, count, seed, described
        self.every = min(EVERY, max(2, count // 100))
        self.known = Known(toys=[Toy(game.name) for game in every_game()])
        self.secrets: list[bytes] = []
        """What no stranger may be told."""
        self.begun = self.done = self.polite_moves = 0
        self.kinds: dict[str, Counter[str]] = {}
        self.seen: set[int] = set()
        self.worst, self.slowest = 0.0, b""
        self.polite_worst = 0.0
        self.faults: list[str] = []
        self.ends = False

    def fault(self, what: str, sent: Input | None = None) -> None:
        if len(self.faults) < MOST_FAULTS:
            shown = f" [{sent.kind}, {sent.way}] {b'|'.join(sent.pieces)[:1500]!r}" if sent else ""
            self.faults.append(f"{self.name}: {what}{shown}")
            print(self.faults[-1], file=sys.stderr, flush=True)

    def next(self) -> Input | None:
        """The next input; what schemathesis has made meanwhile comes among the others."""
        if self.begun >= self.count:
            return None
        self.begun += 1
        if self.described and self.begun % self.every == 0:
            method, data = self.described.pop()
            toy = self.known.toys[len(self.described) % len(self.known.toys)]
            sent = Input("described", "ask", (data.replace(b"TABLE-ID", toy.table.encode()).replace(b"TOKEN", toy.token.encode()),), method)
        else:
            sent = draw(Bent(f"{self.seed} {self.name} {self.begun}"), self.known)
        self.seen.add(hash(sent.pieces))
        return sent

    async def connect(self, number: int) -> Line:
        loop = asyncio.get_running_loop()
        while True:
            try:
                return (await loop.create_connection(Line, "127.0.0.1", self.port, local_addr=(SOURCES[number % len(SOURCES)], 0)))[1]
            except OSError as error:  # all ports of that address are still being given up
                if self.ends:
                    raise
                number += 1
                await asyncio.sleep(0.05)
                if number > 10_000:
                    raise RuntimeError("no connection") from error

    def judge(self, sent: Input, status: int | str, body: bytes = b"") -> None:
        self.kinds.setdefault(sent.kind, Counter())[str(status)] += 1
        if isinstance(status, int) and status >= 500 and status != 503:
            self.fault(f"{status} {body[:300]!r}", sent)
        if any(secret in body for secret in self.secrets):
            self.fault("a stranger was told a secret", sent)

    async def worker(self, number: int) -> None:
        """Sends one input after the other."""
        kept: Line | None = None
        while (sent := self.next()) is not None:
            began = time.monotonic()
            try:
                if sent.way == "ask":
                    if kept is None or kept.ended or kept.used > 300:
                        if kept:
                            kept.transport.close()
                        kept = await self.connect(number)
                    if not await self.ask(kept, sent):
                        kept.transport.close()
                        kept = None
                    if (took := time.monotonic() - began) > self.worst:
                        self.worst, self.slowest = took, sent.pieces[0].partition(b"\r\n")[0][:120]
                else:
                    line = await self.connect(number + self.begun)
                    await self.throw(line, sent)
                    line.transport.abort()
            except Malformed as error:
                self.fault(f"no HTTP: {error}", sent)
                kept = None
            except (OSError, zlib.error) as error:
                self.fault(f"{type(error).__name__}: {error}", sent)
                kept = None
            self.done += 1
        if kept:
            kept.transport.close()

    async def ask(self, line: Line, sent: Input) -> bool:
        """One request and its one answer; whether the line can be used again."""
        line.received = b""
        line.send(sent.pieces[0])
        ends = time.monotonic() + PATIENCE
        while (found := parse(line.received, 0, sent.method, line.ended)) is None:
            if line.ended and not line.received and line.used:  # it was closed before this came
                self.kinds.setdefault(sent.kind, Counter())["too late"] += 1
                return False
            if line.ended or time.monotonic() > ends:
                self.fault(f"{'hung up on' if line.ended else 'stuck'} after {line.received[:300]!r}", sent)
                return False
            await line.more(1)
        status, body, end = found
        line.used += 1
        self.judge(sent, status, body)
        if end != len(line.received):
            self.fault(f"more than an answer: {line.received[end:][:300]!r}", sent)
            return False
        return b"connection: close" not in line.received[: line.received.find(b"\r\n\r\n")].lower() and status != 413

    async def throw(self, line: Line, sent: Input) -> None:
        """Whatever is sent on a line of its own."""
        for piece in sent.pieces:
            line.send(piece)
            if piece is not sent.pieces[-1]:
                await asyncio.sleep(0.002)
        if sent.way == "raw":
            while await line.more(QUIET) and not line.ended:
                pass
        elif sent.way == "stream":
            while await line.more(5 * QUIET) and not line.ended and len(line.received) < 1500:
                pass
        waited = sent.way == "wait" and self.name == "fast"
        if not line.ended and not waited:
            hung_up = True
            with suppress(OSError, RuntimeError):
                line.transport.write_eof()
        else:
            hung_up = False
        if not await line.end():
            self.fault(f"stuck after {line.received[:300]!r}", sent)
        at, found = 0, 0
        while at < len(line.received):
            answer = parse(line.received, at, "GET", True)
            if answer is None:
                if not hung_up:
                    self.fault(f"half an answer: {line.received[at:][:300]!r}", sent)
                self.judge(sent, f"{line.received[at + 9 : at + 12].decode('latin-1')} cut", line.received[at:])
                break
            status, body, at = answer
            found += 1
            self.judge(sent, status, body)
        else:
            if not found:
                self.judge(sent, "closed")

    # The stranger's own tables, and the polite pair.

    @asynccontextmanager
    async def own_line(self) -> AsyncIterator[PoliteLine]:
        _, line = await asyncio.get_running_loop().create_connection(PoliteLine, "127.0.0.1", self.port)
        try:
            yield line
        finally:
            line.transport.close()

    async def prepare(self) -> None:
        async with self.own_line() as line:
            for toy in self.known.toys:
                await self.freshen(line, toy)
                brought = await line.ask("POST", "/api/replays", {"record": true_record(toy.game)})
                self.known.replays.append(brought["replay"])

    async def freshen(self, line: PoliteLine, toy: Toy) -> None:
        """What can be done at that table now; a new one where the game is over or our seats are gone."""
        shown = None
        with suppress(RuntimeError):
            shown = await line.ask("GET", f"/api/tables/{toy.table}?since=1000000", token=toy.token) if toy.table else None
        if shown is None or shown["status"] == "over" or shown["seat"] is None or shown["ply"] > 300:
            seats = [{"kind": "me"}] * max(2, next(game.seats[0] for game in every_game() if game.name == toy.game))
            made = await line.ask("POST", "/api/tables", {"game": toy.game, "seats": seats})
            toy.table, toy.token = made["table"], made["token"]
            shown = await line.ask("GET", f"/api/tables/{toy.table}?since=1000000", token=toy.token)
        toy.ply, toy.seat = shown["ply"], shown["seat"]
        toy.action = shown["actions"][self.begun % len(shown["actions"])]["action"] if shown["actions"] else "x"

    async def keep_fresh(self) -> None:
        async with self.own_line() as line:
            while not self.ends:
                for toy in self.known.toys:
                    await self.freshen(line, toy)
                    await asyncio.sleep(0.05)

    async def be_polite(self) -> None:
        """Two people who only want to play."""
        from sheepfold.core.dice import Dice
        from sheepfold.table.store import Store

        dice, store = Dice(self.seed), Store(self.url, alone=False)
        while not self.ends:
            try:
                await self.play_politely(dice, store)
            except (OSError, RuntimeError) as error:
                where = " < ".join(frame.name for frame in reversed(traceback.extract_tb(error.__traceback__)))
                self.fault(f"a polite player was hung up on, or refused: {error!r} in {where}")
        store.close()

    async def play_politely(self, dice: Any, store: Any) -> None:
        """The beginning of a game, all of it acknowledged and in the end still there."""
        match, took = Match(self.port), list[float]()
        await match.sit("haste-bock")
        stored = await asyncio.to_thread(store.load, match.table)
        self.secrets = [each.encode() for each in (*match.tokens, stored.secret)]
        self.known.watched = match.table
        for _ in range(25):
            await match.play(1, time.perf_counter() + 60, took, dice)
            self.polite_moves += 1
            self.polite_worst = max([self.polite_worst, *took])
            if self.ends:
                break
            await asyncio.sleep(0.1)
        lines, known = match.lines, len(match.acknowledged)
        if (wrong := await match.come_back()) != (0, 0):
            self.fault(f"of {known} polite events {wrong[0]} are lost, and {wrong[1]} are new")
        for line in (*lines, *match.lines):
            line.transport.close()

    async def whole(self, lines: int) -> dict[str, Any]:
        await self.prepare()
        beside = [asyncio.create_task(self.keep_fresh()), asyncio.create_task(self.be_polite())]
        while not self.secrets and not beside[1].done():
            await asyncio.sleep(0.01)
        began = time.monotonic()
        work = [asyncio.create_task(self.worker(number)) for number in range(lines)]
        waiting, told = set(work), 0.0
        while waiting:
            _, waiting = await asyncio.wait(waiting, timeout=1)
            if time.monotonic() > told + 5:
                told = time.monotonic()
                rate = self.done / (told - began)
                print(
                    f"{self.name}: {self.done:,} of {self.count:,}, {rate:,.0f} a second, {len(self.faults)} faults",
                    file=sys.stderr,
                    flush=True,
                )
        seconds = time.monotonic() - began
        self.ends = True
        for each in (*work, *await asyncio.gather(*beside, return_exceptions=True)):
            error = each.exception() if isinstance(each, asyncio.Task) else each
            if error:
                self.fault(f"{type(error).__name__}: {error}")
        await self.look_after()
        dropped = await self.metric("log_dropped_total")  # in which tracebacks would not be seen
        return {
            "inputs": self.done, "different": len(self.seen), "per_second": round(self.done / seconds, 1),
            "worst_answer_ms": round(1000 * self.worst), "slowest": repr(self.slowest), "polite_moves": self.polite_moves,
            "log_lines_dropped": dropped, "polite_worst_ms": round(1000 * self.polite_worst),
            "kinds": {kind: dict(sorted(counted.items())) for kind, counted in sorted(self.kinds.items())},
        }  # fmt: skip

    async def look_after(self) -> None:
        """The server is well, and knows that nobody listens any more."""
        try:
            async with self.own_line() as line, asyncio.timeout(PATIENCE):
                if (await line.ask("GET", "/health"))["status"] != "ok":
                    self.fault("the server is not well")
                await self.freshen(line, Toy("haste-bock"))
                while (left := await self.metric("streams")) > 0:
                    await asyncio.sleep(0.5)
        except TimeoutError:
            self.fault(f"{left} streams were cut, and are still counted")
        except Exception as error:
            self.fault(f"the server is not well: {type(error).__name__}: {error}")

    async def metric(self, name: str) -> int:
        line = await self.connect(0)
        line.send(whole("GET", "/metrics", [("Connection", b"close"), ("Accept-Encoding", b"identity")]))
        await line.end()
        found = re.search(rf"\nsheepfold_{name} (\d+)".encode(), line.received)
        assert found, line.received[:300]
        return int(found[1])


# What is made or read in processes beside.


def describe(document: dict[str, Any], seed: int, count: int) -> list[tuple[str, bytes]]:
    """Requests made by schemathesis from the API's own description: methods and bytes."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from requests import Request

    found: list[tuple[str, bytes]] = []
    operations = [result.ok() for result in schemathesis.openapi.from_dict(document).get_all_operations()]
    each = max(1, count // len(operations) // 2)
    bounded = settings(max_examples=each, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))

    def keep(case: Any) -> None:
        if case.path.endswith(("/stream", "/events")):
            return
        parts = case.as_transport_kwargs(base_url="http://sheep")
        allowed = {key: parts.get(key) for key in ("method", "url", "params", "data", "json", "files")}
        with suppress(ValueError, UnicodeError):  # what cannot be written as a request
            ready = Request(**allowed).prepare()
            path = re.sub(r"^/api/tables/[^/?]+", "/api/tables/TABLE-ID", ready.path_url) if len(found) % 2 else ready.path_url
            body = ready.body.encode() if isinstance(ready.body, str) else bytes(ready.body or b"")
            fields = [("Content-Type", str(ready.headers["Content-Type"]).encode())] if "Content-Type" in ready.headers else []
            found.append((str(ready.method), whole(str(ready.method), path, [*fields, ("Authorization", b"Bearer TOKEN")], body)))

    for operation in operations:
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
            with suppress(Exception):  # some cannot be negated
                bounded(seeded(seed)(given(operation.as_strategy(generation_mode=mode))(keep)))()
    return found


def api_description() -> dict[str, Any]:
    from sheepfold.web.app import create_app

    return dict(create_app("sqlite://").openapi())


def logged_tracebacks(log: Path, name: str) -> Counter[str]:
    """What is in the log that should not be. By itself uvicorn does not tell a request that the line has ended where others wait behind
    it (`Line.connection_lost` does), so on the ordinary way such a request may still write."""
    found = Counter[str]()
    with log.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if "Traceback" in line and not (name == "ordinary" and "the handler is closed" in line):
                found[re.sub(r"0x[0-9a-f]+", "0x", line[-1500:])] += 1
    return found


def run(count: int, seed: int, names: list[str], lines: int) -> dict[str, Any]:
    import uvloop

    found: dict[str, Any] = {"count": count, "seed": seed, "servers": {}}
    faults: list[str] = []
    shares = {name: SHARES[name] / sum(SHARES[each] for each in names) for name in names}
    began = time.monotonic()
    described: list[tuple[str, bytes]] = []
    with ProcessPoolExecutor(1) as pool, tempfile.TemporaryDirectory(prefix="sheepfold-bad-", dir=DISK) as folder:
        document, readings = api_description(), []
        for number, at in enumerate(range(0, round(count * DIRECT), BATCH)):
            if number % 10 == 0:
                made = pool.submit(describe, document, seed + number, min(400, count // 4))
                made.add_done_callback(lambda made: described.extend(made.result()))
                if not number:
                    made.result()
            readings.append(pool.submit(read_nonsense, f"{seed} read {at}", min(BATCH, round(count * DIRECT) - at)))
        for name in names:
            sent = round(shares[name] * count * (1 - DIRECT))
            try:
                with target(name, Path(folder)) as (server, url, log):
                    spent = server.cpu() + time.process_time()
                    attack = Run(name, server.port, url, sent, str(seed), described)
                    figures = uvloop.run(attack.whole(lines))
                    each_us = round(1e6 * (server.cpu() + time.process_time() - spent) / sent)
                    found["servers"][name] = figures | {"memory_mb": server.memory() >> 20, "cpu_us_per_input": each_us}
                    if server.process.poll() is not None:
                        attack.fault("the server has ended")
                faults += attack.faults
                tracebacks = logged_tracebacks(log, name)
                found["servers"][name]["tracebacks"] = sum(tracebacks.values())
                faults += [f"{name}: {count} times in the log: {text}" for text, count in tracebacks.most_common(5)]
            except NoPostgres as error:
                found["servers"][name] = str(error)
        direct, worst = Counter[str](), 0.0
        for reading in readings:
            counted, wrong, took = reading.result()
            direct.update(counted)
            worst = max(worst, took)
            faults += [f"read directly: {each[:1500]}" for each in wrong]
        found["read directly"] = {**direct, "worst_ms": round(1000 * worst)}
    found["inputs"] = sum(each["inputs"] for each in found["servers"].values() if isinstance(each, dict)) + sum(direct.values())
    return found | {"seconds": round(time.monotonic() - began), "faults": faults}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="how many inputs, all servers together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--servers", nargs="+", choices=[*SHARES], default=[*SHARES])
    parser.add_argument("--lines", type=int, default=48, help="how many are sent at the same time")
    asked = parser.parse_args()
    found = run(asked.count, asked.seed, asked.servers, asked.lines)
    print(json.dumps(found, indent=1))
    return int(bool(found["faults"]))


if __name__ == "__main__":
    sys.exit(main())
