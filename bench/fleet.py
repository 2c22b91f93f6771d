"""Several servers on one PostgreSQL, disturbed at random: `python bench/fleet.py [--seconds N] [--servers N] [--players N] [--json]`.

Players play whole games of all five games, some against bots, each move at another server. Meanwhile servers are killed and started again,
stopped for a while (SIGSTOP), and their lines to the database are cut. A player whose server does not answer asks another one the same
thing again; a move that was stored is done once. In the end every log is read by a fresh server and held against all that was
acknowledged. Printed: what was done to the servers, the moves that were acknowledged, how many of them are lost or out of place (0 is
right), how many were refused that one server alone would have taken (0 is right), the longest that a player waited, and that no log is
broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent))

from local_postgres import hang_up_on_everybody, running

GAMES = ("haste-bock", "shear-panic", "te-kuiti", "sheepzzz", "guerre-des-moutons")
PATIENCE, SILENT = 3.0, 5.0
"""Seconds after which a player asks another server, and for which nobody asks that one again; as a proxy does it."""


class Server:
    """One of them, in a process of its own, always at the same port."""

    def __init__(self, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.database = database
        self.failed = 0.0
        """When it last did not answer."""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "sheepfold", "serve", "--port", str(self.port), "--database", self.database]
        limits = {f"SHEEPFOLD_{name}": "inf" for name in ("BURST", "PER_SECOND", "TABLES", "TABLES_PER_HOUR", "CONNECTIONS")}
        environment = {**os.environ, "SHEEPFOLD_BOT_PAUSE": "0", **limits}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.start()

    def stop(self, seconds: float) -> None:
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)


class Fleet:
    """The servers, and what players know."""

    def __init__(self, database: str, servers: int) -> None:
        self.database = database
        self.servers = [Server(database) for _ in range(servers)]
        self.ends = threading.Event()
        self.acknowledged: list[tuple[str, str, int, str]] = []
        """Table, token, ply and action."""
        self.refused: list[str] = []
        self.waited = 0.0
        self.done: dict[str, int] = {"kills": 0, "stops": 0, "cuts": 0}

    def ask(self, path: str, body: object = None, token: str = "") -> dict[str, Any]:
        """What any server answers, tried until one does."""
        began = time.monotonic()
        while True:
            silent = time.monotonic() - SILENT
            server = random.choice([each for each in self.servers if each.failed < silent] or self.servers)
            headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
            wish = Request(f"http://127.0.0.1:{server.port}{path}", None if body is None else json.dumps(body).encode(), headers)
            try:
                with urlopen(wish, timeout=PATIENCE) as answer:
                    found: dict[str, Any] = json.loads(answer.read())
                self.waited = max(self.waited, time.monotonic() - began)
                return found
            except HTTPError as error:
                if error.code < 500:
                    raise
            except (OSError, HTTPException):  # cut off in the middle, too
                server.failed = time.monotonic()
            time.sleep(0.05)

    def wait_until_up(self) -> None:
        for server in self.servers:
            while True:
                with suppress(OSError), urlopen(f"http://127.0.0.1:{server.port}/health", timeout=1):
                    break
                time.sleep(0.1)

    def disturb(self, pauses: float) -> None:
        """One thing after another, until it ends."""
        while not self.ends.wait(random.uniform(0.3, 1.5)):
            server, way = random.choice(self.servers), random.random()
            if way < 0.6:
                server.kill()
                self.done["kills"] += 1
            elif way < 0.8:
                self.done["stops"] += 1
                server.stop(random.uniform(1, pauses))
            else:
                self.done["cuts"] += 1
                with suppress(Exception):
                    hang_up_on_everybody(self.database)

    def play(self, game: str, bots: bool, dice: random.Random) -> None:
        """Games one after the other, until it ends; a move is sent again, to whichever server, until it is answered."""
        while not self.ends.is_set():
            seats = [{"kind": "me"}, {"kind": "bot", "level": "lamb"} if bots else {"kind": "open"}]
            made = self.ask("/api/tables", {"game": game, "seats": seats})
            table, tokens = f"/api/tables/{made['table']}", [made["token"]]
            if not bots:
                try:
                    tokens.append(self.ask(f"{table}/seats", {"seat": 1})["token"])
                except HTTPError:  # it was taken, but the answer, with the token, was lost
                    continue
            while not self.ends.is_set():
                turn = self.ask(f"{table}?since=1000000")
                if turn["status"] == "over":
                    break
                if turn["to_act"] is None or turn["to_act"] >= len(tokens):
                    time.sleep(0.02)
                    continue
                token = tokens[turn["to_act"]]
                mine = self.ask(f"{table}?since=1000000", token=token)
                actions = [each["action"] for each in mine["actions"]]
                choices = [action for action in actions if action != "retire"] or actions
                if not choices:  # a bot has interrupted
                    continue
                action = dice.choice(choices)
                try:
                    self.ask(f"{table}/moves", {"ply": mine["ply"], "action": action}, token)
                    self.acknowledged.append((made["table"], token, mine["ply"], action))
                except HTTPError as error:
                    if not (bots and error.code == 409):  # a bot may interrupt meanwhile, as with one server
                        self.refused.append(f"{game} {error.code} {error.read().decode()[:200]}")

    def close(self) -> None:
        for server in self.servers:
            with suppress(ProcessLookupError):
                server.process.send_signal(signal.SIGCONT)
            server.process.kill()
            server.process.wait()


def missing(database: str, acknowledged: list[tuple[str, str, int, str]]) -> tuple[list[str], int]:
    """What was acknowledged and is not there, and how many logs there are; each is read as a fresh server reads it."""
    from sheepfold.table.store import Store
    from sheepfold.table.tables import read_again

    store, wrong = Store(database), []
    sessions = {}
    for table_id in {each[0] for each in acknowledged}:
        stored = store.load(table_id)
        if stored is None:
            wrong.append(f"{table_id}: gone")
            continue
        try:
            sessions[table_id] = read_again(stored)
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


def run(seconds: float, servers: int, players: int, pauses: float, calm: bool) -> dict[str, Any]:
    with running() as url:
        fleet = Fleet(url, servers)
        try:
            fleet.wait_until_up()
            work = [
                threading.Thread(target=fleet.play, args=(GAMES[number % len(GAMES)], number % 2 == 1, random.Random(number)), daemon=True)
                for number in range(players)
            ]
            trouble = threading.Thread(target=fleet.disturb, args=(pauses,), daemon=True)
            for each in [*work, *([] if calm else [trouble])]:
                each.start()
            time.sleep(seconds)
            fleet.ends.set()
            for each in [*work, *([] if calm else [trouble])]:
                each.join(120)
        finally:
            fleet.close()
        lost, logs = missing(url, fleet.acknowledged)
    return {
        **fleet.done, "acknowledged": len(fleet.acknowledged), "games": logs, "lost": len(lost), "refused": len(fleet.refused),
        "longest_wait": round(fleet.waited, 2), "faults": [*lost, *fleet.refused][:20],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Several servers on one PostgreSQL, disturbed at random.")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--players", type=int, default=10)
    parser.add_argument("--pauses", type=float, default=30, help="the longest that a server is stopped, in seconds")
    parser.add_argument("--calm", action="store_true", help="without disturbing anything")
    asked = parser.parse_args()
    print(json.dumps(run(asked.seconds, asked.servers, asked.players, asked.pauses, asked.calm), indent=2))


if __name__ == "__main__":
    main()
