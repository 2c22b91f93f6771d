"""A server under half its load for an hour: `make bench-soak`, or `python bench/soak.py [--minutes N] [--warm-up N]`.

People and bots make tables of all five games, play them, look on by the page's compressed streams and by those for programs, chat, ask for
hints, take moves back, lose their lines and come again, look back at what is over and go away. First they do so as quickly as they can, for
a warm-up of 20 minutes, in which what is drawn once and kept fills its bounds; that also tells how much is half the load, unless it is
said. Few tables may stay in memory, so that tables are soon forgotten as often as they are made.

Every half minute a line is printed: moves a second, resident memory, open descriptors, threads, tables in memory, streams, p50 and p99 of
a move. In the end a straight line is laid through memory and descriptors after the warm-up. It is a fault if memory surely
grows by more than 5 % an hour, or descriptors by more than 10; where the figures are too few, or scatter too much, it says that the run
was too short to tell.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import re
import sys
import tempfile
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import linear_regression, mean, median, quantiles
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from attackers import connect, drink, request
from bad_inputs import UNLIMITED
from fleet import GAMES
from server import DISK, Line, Server, free_port

PARTIES = 40
TABLES_IN_MEMORY = 60
MOST_MEMORY, MOST_DESCRIPTORS = 5.0, 10.0
"""Per cent and number that may be added in an hour."""
HERE = "127.0.0.1"


class Sample(NamedTuple):
    """What is seen of the server at one time, in seconds since the start."""

    at: float
    memory: float
    helpers: float
    """Megabytes of the server, and of the processes that it has for bots and films."""
    descriptors: int
    threads: int
    tables: int
    streams: int


class Load:
    """What all parties have in common."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.rate = 0.0
        """Moves a second in all; 0: as many as can be."""
        self.due = 0.0
        self.took: list[float] = []
        self.counted = dict.fromkeys(("tables", "over", "hints", "undos", "chat", "reconnects", "replays", "refused"), 0)
        self.faults: list[str] = []

    async def turn(self) -> None:
        """Back when the next move is due."""
        if self.rate:
            now = time.perf_counter()
            self.due = max(self.due + 1 / self.rate, now - 1)
            await asyncio.sleep(max(0.0, self.due - now))


class Party:
    """Who plays at one table after the other."""

    def __init__(self, load: Load, number: int) -> None:
        self.load, self.number, self.dice = load, number, random.Random(number)
        self.streams: list[tuple[Any, asyncio.Task[None]]] = []

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """The answer; nothing where it is refused, as it may be when something else came first."""
        try:
            return await self.line.ask(method, path, body, token)
        except RuntimeError as error:
            self.load.counted["refused"] += 1
            if not re.search(r": (4\d\d|503) ", str(error)):
                self.load.faults.append(str(error)[:500])
            return None

    async def look(self, path: str) -> None:
        """A page or a file."""
        status, _, _ = await request(self.load.port, HERE, "GET", path, **{"Accept-Encoding": "gzip"})
        if status >= 500 and status != 503:
            self.load.faults.append(f"GET {path}: {status}")

    async def watch(self, path: str, **headers: str) -> None:
        """A stream that is read until it is cut."""
        reader, writer = await connect(self.load.port, HERE)
        fields = "".join(f"{name}: {value}\r\n" for name, value in {"Host": HERE, **headers}.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{fields}\r\n".encode())
        self.streams.append((writer, asyncio.create_task(drink(reader))))

    async def cut(self) -> None:
        for writer, task in self.streams:
            writer.close()
            await task
        self.streams.clear()

    async def come(self, table: str, tokens: list[str], **headers: str) -> None:
        """Everybody's page, somebody who looks on, and a program."""
        for token in [*tokens, ""]:
            cookie = {"Cookie": f"seat_{table}={token}"} if token else {}
            await self.watch(f"/t/{table}/stream", **{"Accept-Encoding": "gzip"}, **cookie, **headers)
        await self.watch(f"/api/tables/{table}/events", Authorization=f"Bearer {tokens[0]}")

    async def play_for_ever(self) -> None:
        while True:
            _, self.line = await asyncio.get_running_loop().create_connection(Line, HERE, self.load.port)
            try:
                await self.play(GAMES[self.dice.randrange(len(GAMES))], self.dice.randrange(3))
            finally:
                await self.cut()
                self.line.transport.close()

    async def play(self, game: str, way: int) -> None:
        """A table with two at one screen, two who come by themselves, or one and a bot."""
        second = ({"kind": "me"}, {"kind": "open"}, {"kind": "bot", "level": "lamb"})[way]
        made = await self.line.ask("POST", "/api/tables", {"game": game, "seats": [{"kind": "me"}, second]})
        table, tokens, path = made["table"], [made["token"]], f"/api/tables/{made['table']}"
        self.load.counted["tables"] += 1
        if way == 1:
            tokens.append((await self.line.ask("POST", f"{path}/seats", {"seat": 1}))["token"])
        await self.look(f"/t/{table}")
        await self.come(table, tokens)
        mover, left = 0, self.dice.choice((15, 30, 60, 1000))
        while left:
            scene = await self.ask("GET", f"{path}?since=1000000", token=tokens[mover])
            if scene["status"] == "over":
                await self.look_back(table, path, tokens[0])
                return
            if not scene["actions"]:  # a bot's turn, or the other one's
                mover = len(tokens) - 1 - mover
                await asyncio.sleep(0.02)
                continue
            left -= 1
            await self.load.turn()
            began = time.perf_counter()
            wish = {"ply": scene["ply"], "action": self.dice.choice(scene["actions"])["action"], "seat": scene["seat"]}
            if await self.ask("POST", f"{path}/moves", wish, tokens[mover]):
                self.load.took.append(time.perf_counter() - began)
            await self.do_more(table, path, tokens, mover)
        await self.ask("POST", f"{path}/leave", token=tokens[0])

    async def do_more(self, table: str, path: str, tokens: list[str], mover: int) -> None:
        """What people do besides moving."""
        counted, way = self.load.counted, self.dice.random()
        if way < 0.02:
            counted["chat"] += 1
            await self.ask("POST", f"{path}/chat", {"text": f"baa {way}"}, tokens[mover])
        elif way < 0.025:
            counted["hints"] += 1
            await self.ask("POST", f"{path}/hint", token=tokens[mover])
        elif way < 0.05:
            counted["undos"] += 1
            await self.ask("POST", f"{path}/undo", token=tokens[mover])
        elif way < 0.06:
            counted["reconnects"] += 1
            await self.cut()
            await self.come(table, tokens, **{"Last-Event-ID": "0123456789ab"})

    async def look_back(self, table: str, path: str, token: str) -> None:
        self.load.counted["over"] += 1
        self.load.counted["replays"] += 1
        for page in (f"/replay/{table}", f"/replay/{table}/frames?first=0", f"/api/replays/{table}/record", f"{path}/chance"):
            await self.look(page)
        if self.dice.random() < 0.3:
            await self.ask("POST", f"{path}/rematch", token=token)


# What is seen of the server.


async def sample(server: Server, began: float) -> Sample:
    _, _, metrics = await request(server.port, HERE, "GET", "/metrics")
    told = dict(line.rsplit(" ", 1) for line in metrics.decode().splitlines() if not line.startswith("#"))
    process = Path(f"/proc/{server.process.pid}")
    threads = re.search(r"Threads:\s*(\d+)", (process / "status").read_text())
    helpers = 0
    for child in " ".join(each.read_text() for each in process.glob("task/*/children")).split():
        with suppress(OSError):
            helpers += int(Path(f"/proc/{child}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Sample(
        time.perf_counter() - began, server.memory() / 2**20, helpers / 2**20, len(list((process / "fd").iterdir())),
        int(threads[1]) if threads else 0, int(told["sheepfold_tables_loaded"]), int(told["sheepfold_streams"]),
    )  # fmt: skip


def growth(times: list[float], values: list[float]) -> tuple[float, float]:
    """By how much the values grow in an hour, and how far from that the truth may be (two standard errors). What lies above the line often
    stays there for a while, so neighbours count for less than strangers would."""
    slope, start = linear_regression(times, values)
    rests = [value - start - slope * at for at, value in zip(times, values, strict=True)]
    spread, middle = sum(rest * rest for rest in rests), mean(times)
    alike = sum(one * two for one, two in pairwise(rests)) / spread if spread else 0.0
    alike = min(max(alike, 0.0), 0.95)
    error = (spread / max(1, len(times) - 2) / sum((at - middle) ** 2 for at in times) * (1 + alike) / (1 - alike)) ** 0.5
    return 3600 * slope, 3600 * 2 * error


TOO_SHORT = "too short a run to tell"


def verdict(grows: float, unsure: float, most: float) -> str:
    if grows - unsure > most:
        return "grows"
    return "flat" if grows + unsure <= most else TOO_SHORT


def judged(samples: list[Sample], since: float) -> dict[str, Any]:
    """What the figures say after the warm-up, when as many tables are in memory as may be."""
    full = next((each.at for each in samples if each.tables >= TABLES_IN_MEMORY), math.inf)
    warm = [each for each in samples if each.at >= max(full, since)]
    if len(warm) < 20:
        return {"memory": TOO_SHORT, "descriptors": TOO_SHORT}
    times, memory = [each.at for each in warm], [each.memory for each in warm]
    per_cent = [each * 100 / median(memory) for each in growth(times, memory)]
    files = growth(times, [float(each.descriptors) for each in warm])
    return {
        "samples": len(warm), "memory_mb": round(median(memory), 1),
        "memory_per_cent_an_hour": [round(each, 1) for each in per_cent], "memory": verdict(per_cent[0], per_cent[1], MOST_MEMORY),
        "descriptors_an_hour": [round(each, 1) for each in files], "descriptors": verdict(files[0], files[1], MOST_DESCRIPTORS),
    }  # fmt: skip


async def soak(server: Server, minutes: float, warm_up: float, rate: float, every: float) -> dict[str, Any]:
    load, samples, began = Load(server.port), list[Sample](), time.perf_counter()
    work = [asyncio.create_task(Party(load, number).play_for_ever()) for number in range(PARTIES)]
    print(f"{'min':>5}{'moves/s':>9}{'MB':>8}{'helpers':>9}{'files':>7}{'threads':>9}{'tables':>8}{'streams':>9}{'p50 ms':>8}{'p99 ms':>8}")
    moves = 0
    while time.perf_counter() < began + 60 * (warm_up + minutes):
        if not load.rate and time.perf_counter() >= began + 60 * warm_up:
            load.rate, load.due = rate or moves / (time.perf_counter() - began) / 2, time.perf_counter()
            print(f"{load.rate:.0f} moves a second are asked for from now on")
        load.took, since = [], time.perf_counter()
        await asyncio.sleep(every)
        took, seconds = load.took, time.perf_counter() - since
        moves += len(took)
        samples.append(seen := await sample(server, began))
        p50, p99 = (1000 * quantiles(took, n=100)[each] for each in (49, 98)) if len(took) > 1 else (0.0, 0.0)
        print(
            f"{seen.at / 60:5.1f}{len(took) / seconds:9.1f}{seen.memory:8.1f}{seen.helpers:9.1f}{seen.descriptors:7}{seen.threads:9}"
            f"{seen.tables:8}{seen.streams:9}{p50:8.1f}{p99:8.1f}", flush=True,
        )  # fmt: skip
        if broken := [each for each in work if each.done()]:
            load.faults += [repr(each.exception()) for each in broken]
            break
    for each in work:
        each.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    return {
        "moves": moves,
        "asked_per_second": round(load.rate, 1),
        **load.counted,
        **judged(samples, 60 * warm_up),
        "faults": load.faults[:20],
    }


def main() -> int:
    import uvloop

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--moves-per-second", type=float, default=0, help="else half of what the warm-up reached")
    parser.add_argument("--warm-up", type=float, default=20, help="minutes before those")
    parser.add_argument("--every", type=float, default=30, help="seconds from one line to the next")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheepfold-soak-", dir=DISK) as folder:
        port, database = free_port(), f"sqlite:///{Path(folder) / 'sheepfold.db'}"
        command = [sys.executable, "-m", "sheepfold", "serve", "--port", str(port), "--database", database]
        environment = UNLIMITED | {"SHEEPFOLD_BOT_PAUSE": "0", "SHEEPFOLD_TABLES_IN_MEMORY": str(TABLES_IN_MEMORY)}
        server = Server(command, port, "/health", environment=environment, log=Path(folder) / "log")
        try:
            found = uvloop.run(soak(server, asked.minutes, asked.warm_up, asked.moves_per_second, asked.every))
        finally:
            server.stop()
    print(json.dumps(found, indent=1))
    return int(bool(found["faults"]) or "grows" in (found["memory"], found["descriptors"]))


if __name__ == "__main__":
    sys.exit(main())
