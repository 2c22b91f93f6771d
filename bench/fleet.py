"""Several servers on one PostgreSQL, disturbed at random: `python bench/fleet.py [--kills N] [--servers N] [--players N] [--calm]`.

Players play whole games of all five games, some against bots, through an nginx that asks the servers in turn; where there is none, they
choose a server themselves. At every table somebody looks on. Meanwhile servers are killed and started again, stopped for up to half a
minute (SIGSTOP), lose their lines to the database, and, where this is root's Linux, each is a host of its own (a network namespace) that is
cut off from all others without a word. At least one is always left alone. A player who is not answered asks the same thing again; a move
that was stored is done once. In the end every log is read by a fresh server and held against all that was acknowledged.

Printed: what was done to the servers, the moves that were acknowledged, how many of them are lost or out of place (0 is right), how many
were refused that one server alone would have taken (0 is right), the longest that a player waited for an answer, and for a bot's next
decision (with the answer that tells of it; by the logs, without that; and by the logs since a server was last disturbed), and how long it
took until somebody saw a move who looked on at another server than the one that took it (`--calm`: nothing is disturbed).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent))

import local_hosts
import local_postgres
import local_proxy

GAMES = ("haste-bock", "shear-panic", "te-kuiti", "sheepzzz", "guerre-des-moutons")
PATIENCE, SILENT = 3.0, 5.0
"""Seconds after which a player asks another server, and for which nobody asks that one again; where no proxy does that."""
PROXY_PATIENCE = 12.0
"""Seconds after which a player gives up on the proxy."""


class Server:
    """One of them, in a process of its own, perhaps on a host of its own, always at the same address."""

    def __init__(self, database: str, host: local_hosts.Host | None) -> None:
        self.host, self.database = host, database
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"{host.address if host else '127.0.0.1'}:{self.port}"
        self.failed = 0.0
        """When it last did not answer."""
        self.disturbed = False
        self.start()

    def start(self) -> None:
        here = self.address.partition(":")[0]
        command = [sys.executable, "-m", "sheepfold", "serve", "--host", here, "--port", str(self.port), "--database", self.database]
        limits = {f"SHEEPFOLD_{name}": "inf" for name in ("BURST", "PER_SECOND", "TABLES", "TABLES_PER_HOUR", "CONNECTIONS", "STREAMS")}
        environment = {**os.environ, "SHEEPFOLD_BOT_PAUSE": "0", **limits}
        command = [*self.host.enter, *command] if self.host else command
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_up(self) -> bool:
        with suppress(OSError), urlopen(f"http://{self.address}/health", timeout=1):
            return True
        return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.start()

    def stop(self, seconds: float) -> None:
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def cut_off(self, seconds: float) -> None:
        assert self.host
        self.host.cut()
        time.sleep(seconds)
        self.host.mend()


class Fleet:
    """The servers, and what players know."""

    def __init__(self, database: str, servers: list[Server], proxy: str | None) -> None:
        self.database, self.servers, self.proxy = database, servers, proxy
        self.ends = threading.Event()
        self.acknowledged: list[tuple[str, str, int, str]] = []
        """Table, token, ply and action."""
        self.taken: dict[tuple[str, int], tuple[float, str]] = {}
        """By table and ply when a move was acknowledged, and by which server."""
        self.heard: dict[tuple[str, int], tuple[float, str]] = {}
        """The same of when a viewer heard of it, and from which."""
        self.over = 0
        self.refused: list[str] = []
        self.waited = self.paused = 0.0
        self.disturbed: list[float] = []
        """When something was done to a server, by the clock on the wall."""
        self.done: dict[str, int] = {"kills": 0, "stops": 0, "hosts_cut_off": 0, "lines_cut": 0}

    def ask(self, path: str, body: object = None, token: str = "") -> tuple[dict[str, Any], str]:
        """What any server answers, and which it was; tried until one does."""
        began = time.monotonic()
        while True:
            silent = time.monotonic() - SILENT
            server = random.choice([each for each in self.servers if each.failed < silent] or self.servers)
            headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
            where = self.proxy or f"http://{server.address}"
            wish = Request(f"{where}{path}", None if body is None else json.dumps(body).encode(), headers)
            try:
                with urlopen(wish, timeout=PROXY_PATIENCE if self.proxy else PATIENCE) as answer:
                    found: dict[str, Any] = json.loads(answer.read())
                    at = answer.headers.get("X-Server", server.address).split(",")[-1].strip()
                self.waited = max(self.waited, time.monotonic() - began)
                return found, at
            except HTTPError as error:
                if error.code < 500:
                    raise
            except (OSError, HTTPException):  # cut off in the middle, too
                server.failed = time.monotonic()
            time.sleep(0.05)

    def wait_until_up(self) -> None:
        while not all(server.is_up() for server in self.servers):
            time.sleep(0.1)

    # What is done to the servers.

    def disturb(self, kills: int, pauses: float) -> None:
        """One thing after another, until enough were killed; at least one server is always left alone."""
        while not self.ends.wait(random.uniform(0.1, 1.0)):
            free = [each for each in self.servers if not each.disturbed]
            if len(free) < 2:
                continue
            server, way, seconds = random.choice(free), random.random(), random.uniform(1, pauses)
            self.disturbed.append(time.time())
            if way < 0.7:
                self._see_to(server, "kills", server.kill)
                if self.done["kills"] >= kills:
                    self.ends.set()
            elif way < 0.8:
                self._see_to(server, "stops", lambda server=server, seconds=seconds: server.stop(seconds))
            elif way < 0.9 and server.host:
                self._see_to(server, "hosts_cut_off", lambda server=server, seconds=seconds: server.cut_off(seconds))
            else:
                self.done["lines_cut"] += 1
                with suppress(Exception):
                    local_postgres.hang_up_on_everybody(self.database)

    def _see_to(self, server: Server, what: str, how: Any) -> None:
        """In a thread of its own; the server counts as disturbed until it answers again."""
        server.disturbed = True
        self.done[what] += 1

        def work() -> None:
            how()
            while not server.is_up() and not self.ends.is_set():
                time.sleep(0.1)
            server.disturbed = False

        threading.Thread(target=work, daemon=True).start()

    # What people do.

    def play(self, game: str, bots: bool, dice: random.Random) -> None:
        """Games one after the other, until it ends; a move is sent again, to whichever server, until it is answered."""
        while not self.ends.is_set():
            seats = [{"kind": "me"}, {"kind": "bot", "level": "lamb"} if bots else {"kind": "open"}]
            made, _ = self.ask("/api/tables", {"game": game, "seats": seats})
            table, tokens = f"/api/tables/{made['table']}", [made["token"]]
            if not bots:
                try:
                    tokens.append(self.ask(f"{table}/seats", {"seat": 1})[0]["token"])
                except HTTPError:  # it was taken, but the answer, with the token, was lost
                    continue
            left = threading.Event()
            threading.Thread(target=self._look_on, args=(made["table"], left), daemon=True).start()
            moved, ply = time.monotonic(), -1
            while not self.ends.is_set():
                turn, _ = self.ask(f"{table}?since=1000000")
                if turn["ply"] != ply:  # of several decisions of a bot each counts by itself
                    self.paused, ply = max(self.paused, time.monotonic() - moved), turn["ply"]
                    moved = time.monotonic()
                if turn["status"] == "over":
                    self.over += 1
                    break
                if turn["to_act"] is None or turn["to_act"] >= len(tokens):
                    time.sleep(0.02)
                    continue
                token = tokens[turn["to_act"]]
                mine, _ = self.ask(f"{table}?since=1000000", token=token)
                actions = [each["action"] for each in mine["actions"]]
                choices = [action for action in actions if action != "retire"] or actions
                if not choices:  # a bot has interrupted
                    continue
                action = dice.choice(choices)
                try:
                    _, at = self.ask(f"{table}/moves", {"ply": mine["ply"], "action": action}, token)
                    self.acknowledged.append((made["table"], token, mine["ply"], action))
                    self.taken[made["table"], mine["ply"]] = (time.monotonic(), at)
                except HTTPError as error:
                    if not (bots and error.code == 409):  # a bot may interrupt meanwhile, as with one server
                        self.refused.append(f"{game} {error.code} {error.read().decode()[:200]}")
                moved = time.monotonic()
            left.set()

    def _look_on(self, table_id: str, left: threading.Event) -> None:
        """A viewer's stream, and again where it ends."""
        ply = 0
        while not left.is_set() and not self.ends.is_set():
            where = self.proxy or f"http://{random.choice(self.servers).address}"
            line = http.client.HTTPConnection(urlsplit(where).netloc, timeout=25)
            try:
                line.request("GET", f"/api/tables/{table_id}/events?since={ply}")
                answer = line.getresponse()
                at = answer.headers.get("X-Server", urlsplit(where).netloc)
                while not left.is_set() and (told := answer.readline()):
                    if told.startswith(b"data: "):
                        now, heard = time.monotonic(), json.loads(told[6:])
                        for number in range(heard["since"], heard["since"] + len(heard["happened"])):
                            self.heard.setdefault((table_id, number), (now, at))
                        ply = heard["since"] + len(heard["happened"])
            except (OSError, HTTPException):
                time.sleep(0.1)
            finally:
                line.close()

    def seen_elsewhere(self) -> list[float]:
        """How long after its answer a move was seen by a viewer at another server than the one that took it."""
        both = [(self.taken[move], self.heard[move]) for move in self.taken.keys() & self.heard.keys()]
        return sorted(max(0.0, seen - taken) for (taken, server), (seen, other) in both if server != other)

    def close(self) -> None:
        for server in self.servers:
            with suppress(ProcessLookupError):
                server.process.send_signal(signal.SIGCONT)
            server.process.kill()
            server.process.wait()


def missing(database: str, acknowledged: list[tuple[str, str, int, str]]) -> tuple[list[str], int]:
    """What was acknowledged and is not there, and how many logs there are; each is read as a fresh server reads it."""
    from sheepfold.table.store import Store
    from sheepfold.table.table import Table

    store, wrong = Store(database), []
    sessions = {}
    for table_id in {each[0] for each in acknowledged}:
        stored = store.load(table_id)
        if stored is None:
            wrong.append(f"{table_id}: gone")
            continue
        try:
            sessions[table_id] = Table(stored)
        except Exception as error:
            wrong.append(f"{table_id}: {error} ({error.__cause__})")
    for table_id, token, ply, action in acknowledged:
        if table_id not in sessions:
            continue
        table = sessions[table_id]
        if ply >= table.ply or table.events[ply].who not in table.seats_of([token]):
            wrong.append(f"{table_id}: ply {ply} is not {action}")
            continue
        seat = table.events[ply].who
        if table.game.write(table.session.at(ply).seen_by(seat), table.events[ply].action) != action:
            wrong.append(f"{table_id}: ply {ply} is not {action}")
    store.close()
    return wrong, len(sessions)


def bots_took(database: str) -> list[tuple[float, float]]:
    """By the logs: how many seconds after what came before it each decision of a bot was stored that was its turn, and when."""
    from sqlalchemy import create_engine, func, select

    from sheepfold.table.schema import events, seats

    took = (events.c.at - func.lag(events.c.at).over(partition_by=events.c.table_id, order_by=events.c.ply)).label("took")
    decisions = select(events.c.table_id, events.c.who, events.c.interrupt, events.c.at, took).subquery()
    by_a_bot = (seats.c.table_id == decisions.c.table_id) & (seats.c.seat == decisions.c.who) & (seats.c.kind == "bot")
    asked = select(decisions.c.took, decisions.c.at).join(seats, by_a_bot).where(~decisions.c.interrupt, decisions.c.took.is_not(None))
    engine = create_engine(database)
    with engine.connect() as connection:
        found = sorted((took, at) for took, at in connection.execute(asked))
    engine.dispose()
    return found


def run(asked: argparse.Namespace) -> dict[str, Any]:
    with ExitStack() as stack:
        address, hosts, notes = "127.0.0.1", [], []
        if not asked.here:
            try:
                address, hosts = stack.enter_context(local_hosts.running(asked.servers))
            except local_hosts.NoHosts as why:
                notes.append(str(why))
        url = stack.enter_context(local_postgres.running(address=address))
        servers = [Server(url, hosts[number] if hosts else None) for number in range(asked.servers)]
        try:
            proxy: str | None = stack.enter_context(local_proxy.running([each.address for each in servers], patience=1))
        except local_proxy.NoProxy as why:
            proxy = None
            notes.append(str(why))
        fleet = Fleet(url, servers, proxy)
        try:
            fleet.wait_until_up()
            work = [
                threading.Thread(target=fleet.play, args=(GAMES[number % len(GAMES)], number % 2 == 1, random.Random(number)), daemon=True)
                for number in range(asked.players)
            ]
            if not asked.calm:
                work.append(threading.Thread(target=fleet.disturb, args=(asked.kills, asked.pauses), daemon=True))
            for each in work:
                each.start()
            began = time.monotonic()
            while not fleet.ends.wait(10) and time.monotonic() < began + asked.seconds:
                print(f"{time.monotonic() - began:.0f} s: {fleet.done}, {len(fleet.acknowledged)} moves", file=sys.stderr, flush=True)
            fleet.ends.set()
            for each in work:
                each.join(120)
        finally:
            for host in hosts:
                host.mend()
            fleet.close()
        lost, logs = missing(url, fleet.acknowledged)
        bots = bots_took(url)
    undisturbed = [min([took, *(at - each for each in fleet.disturbed if at - took < each < at)]) for took, at in bots]
    seen = fleet.seen_elsewhere()
    quantiles = {f"p{part}": round(1000 * seen[len(seen) * part // 100], 1) for part in (50, 99)} if seen else {}
    return {
        **fleet.done, "acknowledged": len(fleet.acknowledged), "games": logs, "games_over": fleet.over, "lost": len(lost),
        "refused": len(fleet.refused), "longest_wait": round(fleet.waited, 2), "longest_pause": round(fleet.paused, 2),
        "bots_decided": len(bots), "longest_by_the_logs": round(bots[-1][0], 2) if bots else None,
        "longest_after_the_last_disturbance": round(max(undisturbed), 2) if undisturbed else None,
        "seen_elsewhere": len(seen), "seen_elsewhere_ms": quantiles,
        "proxy": bool(proxy), "hosts": len(hosts), "notes": notes, "faults": [*lost, *fleet.refused][:20],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Several servers on one PostgreSQL, disturbed at random.")
    parser.add_argument("--seconds", type=float, default=3600, help="at most")
    parser.add_argument("--kills", type=int, default=200, help="it ends when servers were killed so often")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--players", type=int, default=10)
    parser.add_argument("--pauses", type=float, default=30, help="the longest that a server is stopped or cut off, in seconds")
    parser.add_argument("--calm", action="store_true", help="without disturbing anything")
    parser.add_argument("--here", action="store_true", help="all servers on this host")
    print(json.dumps(run(parser.parse_args()), indent=2))


if __name__ == "__main__":
    main()
