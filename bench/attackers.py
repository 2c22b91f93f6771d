"""What one client can do to the others: `python bench/attackers.py [--only NAME …] [--seconds N]`.

The server runs as `sheepfold serve` does, limits and all, in a process of its own. A stranger (127.0.0.3) plays at a table of their own and
asks for it 20 times a second, each time by a new connection. An attacker (127.0.0.2) does the worst that comes to mind, as fast as it is
let. For each attack the stranger's p50 and p99 before and during it are printed, in milliseconds, with what the attack is about:
how long the stranger's bot took to answer, what the lobby shows, how large a scene is. Both are measured within one run, since machines
are noisy; `--worst 50` fails where the stranger's p99 grew by more than that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from server import DISK, free_port

ATTACKER, STRANGER = "127.0.0.2", "127.0.0.3"
PERIOD = 0.05
"""Seconds from one question of the stranger to the next."""
FILES = 1024
"""How many files the server may open before it asks for more: what many systems give."""

QUICK_BOTS = os.environ | {"SHEEPFOLD_BOT_PAUSE": "0"}
"""So that what is waited for is the processor."""

Headers = dict[str, str]


class Refusal(Exception):
    """What was answered instead."""


async def connect(port: int, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0), limit=1 << 24)


async def request(port: int, source: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Headers, bytes]:
    """One question by a connection of its own, and its answer."""
    reader, writer = await connect(port, source)
    try:
        content = b"" if body is None else json.dumps(body).encode()
        fields = {
            "Host": "sheep",
            "Connection": "close",
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
        answer, _, rest = (await reader.read(-1)).partition(b"\r\n\r\n")
        if not answer:
            raise ConnectionResetError("the server hung up")
        first, *lines = answer.decode("latin-1").split("\r\n")
        return int(first.split()[1]), {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}, rest
    finally:
        writer.close()


async def ask(port: int, source: str, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> Any:
    more = {"Authorization": f"Bearer {token}"} if token else {}
    status, _, rest = await request(port, source, method, path, body, **more, **headers)
    if status >= 400:
        raise Refusal(f"{method} {path}: {status} {rest[:200]!r}")
    return json.loads(rest)


class Stranger:
    """Somebody who only wants to play."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.took: list[float] = []

    async def sit(self) -> None:
        wish = {"game": "haste-bock", "listed": True, "seats": [{"kind": "me"}, {"kind": "open"}]}
        self.listed = (await ask(self.port, STRANGER, "POST", "/api/tables", wish))["table"]
        wish = {"game": "haste-bock", "seats": [{"kind": "me"}, {"kind": "bot", "level": "lamb"}]}
        made = await ask(self.port, STRANGER, "POST", "/api/tables", wish)
        self.table, self.token = made["table"], made["token"]
        for page in ("/", "/lobby", "/rules/shear-panic", "/new/shear-panic", f"/t/{self.table}"):
            await request(self.port, STRANGER, "GET", page)  # what is made once for all is made

    async def look(self, seconds: float) -> list[float]:
        """How long each answer took, while that lasts; one that never came took all the time there was."""
        took: list[float] = []

        async def once() -> None:
            began = time.perf_counter()
            with suppress(OSError, Refusal, TimeoutError):
                await asyncio.wait_for(ask(self.port, STRANGER, "GET", f"/api/tables/{self.table}", token=self.token), 10)
                took.append(time.perf_counter() - began)
                return
            took.append(10.0)

        tasks = []
        for _ in range(round(seconds / PERIOD)):
            tasks.append(asyncio.create_task(once()))
            await asyncio.sleep(PERIOD)
        await asyncio.gather(*tasks)
        return took

    async def bot(self) -> float:
        """How long the own bot takes to answer a move."""
        path = f"/api/tables/{self.table}"
        ends = time.perf_counter() + 60
        while time.perf_counter() < ends:
            scene = await ask(self.port, STRANGER, "GET", path, token=self.token)
            if scene["status"] == "over":
                await self.sit()
                path = f"/api/tables/{self.table}"
            elif scene["to_act"] == scene["seat"]:
                began, ply = time.perf_counter(), scene["ply"]
                wish = {"ply": ply, "action": scene["actions"][0]["action"]}
                await ask(self.port, STRANGER, "POST", f"{path}/moves", wish, self.token)
                while time.perf_counter() < ends:
                    scene = await ask(self.port, STRANGER, "GET", f"{path}?since={ply}", token=self.token)
                    if any(told["who"] == 1 - scene["seat"] for told in scene["log"]):
                        return time.perf_counter() - began
                    if scene["to_act"] == scene["seat"]:  # some moves leave one the turn
                        break
                    await asyncio.sleep(0.05)
            await asyncio.sleep(0.05)
        return 60.0


# The attacks, in a process of their own: each does its worst for ever, and says when it has begun. They back off a little where they are
# refused: what a server does about more requests than the network can bring is not what is measured here.

BACK_OFF = 0.25


def begun(table: str = "") -> None:
    print(json.dumps({"table": table}), flush=True)


async def flood(work: Callable[[], Any], lines: int) -> None:
    """The same again and again, by several connections."""

    async def one() -> None:
        while True:
            try:
                await work()
            except (OSError, Refusal, IndexError):
                await asyncio.sleep(BACK_OFF)
            await asyncio.sleep(0.001)

    await asyncio.gather(*(one() for _ in range(lines)))


async def drink(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


HELD: list[Any] = []
"""What must not be collected while the attack lasts."""


async def hold(port: int, path: str, **headers: str) -> None:
    """A stream that is opened and read, as far as it is let."""
    with suppress(OSError):
        reader, writer = await connect(port, ATTACKER)
        fields = "".join(f"{name}: {value}\r\n" for name, value in {"Host": "sheep", "Accept-Encoding": "gzip", **headers}.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{fields}\r\n".encode())
        HELD.extend((writer, asyncio.create_task(drink(reader))))
    await asyncio.sleep(0.02)


async def own_table(port: int, **more: Any) -> tuple[str, str]:
    wish = {"game": "shear-panic", "seats": [{"kind": "me"}, {"kind": "me"}]} | more
    made = await ask(port, ATTACKER, "POST", "/api/tables", wish)
    return made["table"], made["token"]


async def streams(port: int) -> None:
    """300 browser streams on an own table, in which something happens all the time."""
    table, token = await own_table(port)
    for number in range(300):
        language = ("en", "fr", "de")[number % 3]
        await hold(port, f"/t/{table}/stream", Cookie=f"language={language}" + (f"; seat_{table}={token}" if number % 2 else ""))

    async def move() -> None:
        scene = await ask(port, ATTACKER, "GET", f"/api/tables/{table}", token=token)
        wish = {"ply": scene["ply"], "action": scene["actions"][0]["action"]}
        await ask(port, ATTACKER, "POST", f"/api/tables/{table}/moves", wish, token)

    begun(table)
    await flood(move, 2)


async def chat(port: int) -> None:
    """As many lines of chat as it may say, with a few browsers looking on."""
    table, token = await own_table(port)
    cookie = f"seat_{table}={token}"
    for _ in range(10):
        await hold(port, f"/t/{table}/stream", Cookie=cookie)
    begun(table)
    await flood(lambda: ask(port, ATTACKER, "POST", f"/t/{table}/say", {"text": "baa " * 75}, Cookie=cookie), 4)


async def lobby(port: int) -> None:
    """Open tables, as many as it may make, and as many looks at the lobby."""
    wish = {"game": "haste-bock", "seats": [{"kind": "me"}, {"kind": "open"}]}

    async def make() -> None:
        await ask(port, ATTACKER, "POST", "/api/tables", wish)

    floods = asyncio.gather(flood(make, 3), flood(lambda: ask(port, ATTACKER, "GET", "/api/tables"), 1))
    await asyncio.sleep(5)
    begun()
    await floods


async def bots(port: int) -> None:
    """300 tables with nobody but strong bots, each watched."""
    ends = time.perf_counter() + 25
    while len(HELD) < 600 and time.perf_counter() < ends:
        try:
            table, _ = await own_table(port, game="haste-bock", seats=[{"kind": "bot", "level": "ram"}] * 4)
            await hold(port, f"/api/tables/{table}/events")
        except (OSError, Refusal):
            await asyncio.sleep(BACK_OFF)
    begun()
    await asyncio.sleep(3600)


async def hints(port: int) -> None:
    """As many hints as it may ask for."""
    table, token = await own_table(port)
    floods = asyncio.create_task(flood(lambda: ask(port, ATTACKER, "POST", f"/t/{table}/hint", Cookie=f"seat_{table}={token}"), 60))
    await asyncio.sleep(3)
    begun()
    await floods


async def pages(port: int) -> None:
    """A hundred pages at once, again and again."""
    table, token = await own_table(port)
    ways = (f"/t/{table}", f"/t/{table}/scene", "/", "/rules/shear-panic", "/new/shear-panic")
    begun()
    while True:
        asked = [request(port, ATTACKER, "GET", ways[each % len(ways)], Cookie=f"seat_{table}={token}") for each in range(100)]
        await asyncio.gather(*asked, return_exceptions=True)
        await asyncio.sleep(2)


async def heads(port: int) -> None:
    """1,000 requests of which only the beginning is sent, and again when they are cut."""

    async def half(number: int) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await connect(port, ATTACKER)
                writer.write(b"GET / HTTP/1.1\r\nHost: sh" if number % 2 else b"POST /x HTTP/1.1\r\nHost: s\r\nContent-Length: 9\r\n\r\n1")
                await reader.read(-1)
                writer.close()
            await asyncio.sleep(random.uniform(1, 9))

    halves = asyncio.gather(*(half(number) for number in range(1000)))
    await asyncio.sleep(3)
    begun()
    await halves


async def log(port: int) -> None:
    """Requests that are logged, where nobody reads the log."""
    floods = asyncio.create_task(flood(lambda: ask(port, ATTACKER, "GET", "/nowhere"), 8))
    await asyncio.sleep(20)
    begun()
    await floods


ATTACKS = {each.__name__: each for each in (streams, chat, lobby, bots, hints, pages, heads, log)}


# What else is to be seen during an attack, by the stranger.


async def noticed(name: str, stranger: Stranger, table: str) -> str:
    port = stranger.port
    if name == "streams":
        _, _, metrics = await request(port, STRANGER, "GET", "/metrics")
        return "streams: " + next(line for line in metrics.decode().splitlines() if line.startswith("sheepfold_streams ")).split()[1]
    if name == "chat":
        _, _, scene = await request(port, STRANGER, "GET", f"/t/{table}/scene")
        return f"scene: {len(scene) / 1000:.0f} KB, chat in it: {len(json.dumps(json.loads(scene)['chat'])) / 1000:.0f} KB"
    if name == "lobby":
        listed = [each["table"] for each in await ask(port, STRANGER, "GET", "/api/tables")]
        return f"stranger's table in the lobby: {'yes' if stranger.listed in listed else 'no'}"
    if name in ("bots", "hints"):
        return f"stranger's bot: {await stranger.bot():.1f} s"
    return ""


Measured = tuple[list[float], list[float], str]


async def measure(name: str, port: int, seconds: float) -> Measured:
    stranger = Stranger(port)
    await stranger.sit()
    bot = ""
    if name in ("bots", "hints"):
        await stranger.bot()  # until the bots' processes are there
        bot = f" ({await stranger.bot():.1f} s before)"
    await stranger.look(1)
    before = await stranger.look(seconds)
    attacker = await asyncio.create_subprocess_exec(sys.executable, __file__, "--attack", name, str(port), stdout=subprocess.PIPE)
    try:
        assert attacker.stdout
        table = json.loads(await asyncio.wait_for(attacker.stdout.readline(), 90))["table"]
        during = await stranger.look(seconds)
        try:
            seen = await asyncio.wait_for(noticed(name, stranger, table), 70)
        except (OSError, TimeoutError, Refusal) as error:
            seen = f"no answer: {error}"
    finally:
        attacker.kill()
        await attacker.wait()
    return before, during, seen + bot


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def attacked(name: str, seconds: float) -> Measured:
    """One attack on a fresh server."""
    with tempfile.TemporaryDirectory(dir=DISK) as folder:
        port = free_port()
        database = f"sqlite:///{Path(folder) / 'sheepfold.db'}"
        command = [sys.executable, "-m", "sheepfold", "serve", "--port", str(port), "--database", database]
        unread = subprocess.PIPE if name == "log" else subprocess.DEVNULL
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=unread, preexec_fn=limit_files, env=QUICK_BOTS)
        try:
            return asyncio.run(ready(name, port, seconds, process))
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def ready(name: str, port: int, seconds: float, process: subprocess.Popen[bytes]) -> Measured:
    for _ in range(600):
        with suppress(OSError):
            await ask(port, STRANGER, "GET", "/health")
            return await measure(name, port, seconds)
        if process.poll() is not None:
            break
        await asyncio.sleep(0.1)
    raise RuntimeError("the server did not come up")


def milliseconds(took: list[float]) -> tuple[float, float]:
    return 1000 * median(took), 1000 * quantiles(took, n=100)[98]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=[*ATTACKS], default=[*ATTACKS])
    parser.add_argument("--seconds", type=float, default=10.0, help="how long the stranger is watched, before and during an attack")
    parser.add_argument("--worst", type=float, default=0.0, help="fail where the stranger's p99 grows by more milliseconds")
    parser.add_argument("--attack", nargs=2, metavar=("NAME", "PORT"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    if wanted.attack:
        asyncio.run(ATTACKS[wanted.attack[0]](int(wanted.attack[1])))
        return 0
    print(f"{'attack':9}{'p50 before':>12}{'during':>9}{'p99 before':>12}{'during':>9}{'more':>9}")
    failed = False
    for name in wanted.only:
        before, during, seen = attacked(name, wanted.seconds)
        (p50, p99), (p50_then, p99_then) = milliseconds(before), milliseconds(during)
        more = p99_then - p99
        failed |= bool(wanted.worst) and more > wanted.worst
        print(f"{name:9}{p50:12.1f}{p50_then:9.1f}{p99:12.1f}{p99_then:9.1f}{more:9.1f}  {seen}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
