"""Ten thousand people with fifty games each come back: `python bench/coming_back.py [--people N] [--games N] [--database sqlite|postgres]`.

A database is filled with that many people and their tables, a fifth of them in progress, and a server started on it as `sheepfold serve`
does. Then

- people open the home page with the list of their games, eight at a time, as browsers that nobody has seen before: p50 and p99;
- somebody plays by the API, one move after the other, while elsewhere so many decisions a second begin (as other servers would store
  them) of which nobody wants to be told; then while everybody has an address that is told. Printed are the moves' p50 and p99 both
  times, how many notices came a second, and how long after the decision.

The address that is told is in a process of its own and answers at once. The figures are printed as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from local_postgres import running as postgres_running
from server import Match, Server, free_port
from sqlalchemy import create_engine, delete, insert, text

from sheepfold.people.identity import Identity
from sheepfold.table.schema import hooks, notices, places, results, seats, tables
from sheepfold.table.store import Store

TOGETHER = 5000
GAMES = ("haste-bock", "te-kuiti", "sheepzzz", "shear-panic", "guerre-des-moutons")
UNLIMITED = {f"SHEEPFOLD_{name}": "inf" for name in ("BURST", "PER_SECOND", "CONNECTIONS", "TABLES", "STREAMS")}


def filled(url: str, people: int, games: int) -> tuple[list[str], list[str]]:
    """Cookies of all people, and the tables in progress."""
    store = Store(url, alone=False)
    identity, now, dice = Identity(store), time.time(), random.Random(1)
    devices = [identity.new_device() for _ in range(people)]
    cookies = [identity.signed(device) for device in devices]
    going_on, rows = [], {each: list[dict[str, Any]]() for each in (tables, seats, places, results)}
    count = people * games // 2
    for number in range(count):
        table_id, playing = f"b{number:09d}", number % 5 == 0
        at = now - dice.random() * 30 * 86400
        rows[tables].append({
            "id": table_id, "game": GAMES[number % 5], "seats": 2, "options": "{}", "settings": "{}", "components": "x", "touched": at,
            "status": "playing" if playing else "over", "created": at, "since": at, "turn": number % 2 if playing else None, "revision": 40,
        })  # fmt: skip
        if playing:
            going_on.append(table_id)
        for seat, person in enumerate((number % people, (number * 7 + 1 + number // people) % people)):
            token = f"{table_id}-{seat}"
            rows[seats].append({"table_id": table_id, "seat": seat, "kind": "person", "name": f"P{person}", "token": token, "level": ""})
            if not (seat == 1 and person == number % people):
                rows[places].append({"person": devices[person], "table_id": table_id, "token": token, "visited": at})
            if not playing:
                rows[results].append({"table_id": table_id, "seat": seat, "score": dice.randrange(30), "rank": seat + 1})
        if len(rows[tables]) >= TOGETHER or number == count - 1:
            print(f"\rfilling: {100 * (number + 1) // count} %", end="", file=sys.stderr, flush=True)
            with store.engine.begin() as connection:
                for kind, some in rows.items():
                    connection.execute(insert(kind), some)
                    some.clear()
    with store.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("ANALYZE"))
    print(file=sys.stderr)
    store.close()
    return cookies, going_on


async def homes(port: int, cookies: list[str], count: int, at_once: int) -> list[float]:
    """How long the home page takes, in milliseconds."""
    took: list[float] = []
    wanted = iter(random.Random(2).choices(cookies, k=count))

    async def come() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        for cookie in wanted:
            began = time.perf_counter()
            writer.write(f"GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nCookie: device={cookie}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
            took.append(1000 * (time.perf_counter() - began))
        writer.close()

    await asyncio.gather(*(come() for _ in range(at_once)))
    return took


async def plays(port: int, seconds: float) -> list[float]:
    """How long moves take that come one after the other, in milliseconds."""
    took: list[float] = []
    ends = time.monotonic() + seconds
    match: Match | None = None
    dice = random.Random(3)
    while time.monotonic() < ends:
        if match is None or match.position.to_act < 0:
            match = Match(port)
            await match.sit("te-kuiti")
        seat = int(match.position.to_act)
        action = match.game.write(match.position, dice.choice(match.position.legal()))
        began = time.perf_counter()
        ply = len(match.acknowledged)
        answer = await match.lines[seat].ask("POST", f"/api/tables/{match.table}/moves", {"ply": ply, "action": action}, match.tokens[seat])
        took.append(1000 * (time.perf_counter() - began))
        for who, notation in answer["happened"]:
            match.happen(who, notation)
        await asyncio.sleep(0.02)
    return took


def decide(url: str, going_on: list[str], a_second: int, until: float) -> None:
    """Let decisions begin elsewhere, in ten parts a second."""
    engine = create_engine(url)
    wish, place = text("UPDATE tables SET since = :now, revision = revision + 1 WHERE id = :id"), 0
    while (began := time.time()) < until:
        some = [going_on[(place + each) % len(going_on)] for each in range(a_second // 10)]
        place += len(some)
        with engine.begin() as connection:
            connection.execute(wish, [{"id": each, "now": time.time()} for each in some])
        time.sleep(max(0.0, began + 0.1 - time.time()))


def listen(port: int, told: Path) -> None:
    """The address that is told; how late, it writes into a file."""
    late = told.open("w", buffering=1)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = json.loads(await reader.readexactly(int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])))
        writer.write(b"HTTP/1.1 204 Fine\r\n\r\n")
        writer.close()
        print(time.time() - body["since"], file=late)

    async def work() -> None:
        async with await asyncio.start_server(answer, "127.0.0.1", port, backlog=1024) as server:
            await server.serve_forever()

    asyncio.run(work())


def give_addresses(url: str, whom: list[str], address: str) -> None:
    """Everybody wants to be told, all at one address."""
    row = {"url": address, "format": "json", "secret": "x", "language": "en", "origin": "http://x"}
    with create_engine(url).begin() as connection:
        connection.execute(insert(hooks), [{"id": f"h{number}", "person": who, **row} for number, who in enumerate(whom)])


def figures(took: list[float]) -> dict[str, float]:
    found = quantiles(took, n=100)
    return {"count": len(took), "p50": round(found[49], 2), "p99": round(found[98], 2), "longest": round(max(took), 2)}


@contextmanager
def database(kind: str) -> Iterator[str]:
    if kind == "postgres":
        with postgres_running(synced=False) as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/tables.db"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="postgres")
    parser.add_argument("--decisions", type=int, default=1000, help="that begin in a second")
    parser.add_argument("--seconds", type=int, default=20)
    chosen = parser.parse_args()
    with database(chosen.database) as url:
        cookies, going_on = filled(url, chosen.people, chosen.games)
        port, listener = free_port(), free_port()
        command = [sys.executable, "-m", "sheepfold", "serve", "--port", str(port), "--database", url]
        server = Server(command, port, "/health", environment={"SHEEPFOLD_NOTICES": "anywhere", **UNLIMITED})
        found: dict[str, Any] = {"people": chosen.people, "games each": chosen.games, "database": chosen.database}
        told = Path(tempfile.mkstemp()[1])
        ear = multiprocessing.Process(target=listen, args=(listener, told), daemon=True)
        ear.start()
        try:
            asyncio.run(homes(port, cookies, 100, 4))
            for at_once in (1, 8):
                found[f"home page, ms, {at_once} at once"] = figures(asyncio.run(homes(port, cookies, 1500, at_once)))
            found["moves alone, ms"] = figures(asyncio.run(plays(port, chosen.seconds)))
            for what in ("nobody is told", "everybody is told"):
                if what == "everybody is told":
                    give_addresses(url, [cookie.partition(".")[0] for cookie in cookies], f"http://127.0.0.1:{listener}/")
                until = time.time() + chosen.seconds
                busy = multiprocessing.Process(target=decide, args=(url, going_on, chosen.decisions, until))
                busy.start()
                found[f"moves, ms, {what}"] = figures(asyncio.run(plays(port, chosen.seconds)))
                busy.join()
                time.sleep(8)
            late = [float(line) for line in told.read_text().splitlines()]
            found["notices, s"] = {"a second": round(len(late) / chosen.seconds), **figures(late)}
        finally:
            ear.kill()
            told.unlink()
            server.stop()
        with create_engine(url).begin() as connection:
            found["notices left"] = connection.execute(delete(notices)).rowcount
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
