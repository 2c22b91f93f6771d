"""Ten bots and two people play a Swiss tournament to its end at a real server, which is killed twice on the way."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest

pytestmark = pytest.mark.slow
ROUNDS, TABLES = 4, 6
FORM = {
    "name": "Twelve", "seats": "2", "rounds": str(ROUNDS), "amount": "10", "unit": "minutes", "level": ["lamb", "ewe"], "fill": "12",
    "me": "1", "called": "Anna", "listed": "1",
}  # fmt: skip


@contextmanager
def server(database: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """A server at that port. It is killed, not ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sheepfold", "serve", "--port", str(port), "--database", f"sqlite:///{database}"],
        env=os.environ | {"SHEEPFOLD_BOT_PAUSE": "0", "SHEEPFOLD_BURST": "inf"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    try:
        for _ in range(1200):
            try:
                with urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                    break
            except OSError:
                assert process.poll() is None, "the server ended"
                time.sleep(0.05)
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(20)


class Player:
    """Somebody at a browser without a script."""

    def __init__(self, address: str, name: str) -> None:
        self.browser = httpx.Client(base_url=address, headers={"accept-language": "en"}, follow_redirects=True, timeout=60)
        self.name, self.dice = name, random.Random(name)
        self.table: str | None = None

    def go_to_table(self, cup: str) -> None:
        """To the table that the page has for them, if there is one."""
        found = re.search(r'class="go large" href="/t/([\w-]+)"', self.browser.get(cup).text)
        self.table = found[1] if found else None
        if found:
            assert self.browser.get(f"/t/{found[1]}").status_code == 200

    def play_a_little(self, cup: str, moves: int) -> bool:
        """Go to one's table and make some moves, if it is one's turn; whether there were any."""
        if self.table is None:
            self.go_to_table(cup)
        for move in range(moves if self.table else 0):
            scene = self.browser.get(f"/t/{self.table}/scene").json()
            if not scene["actions"]:
                self.table = self.table if scene["status"] == "playing" else None
                return move > 0
            chosen = self.dice.choice(scene["actions"])
            answer = self.browser.post(f"/t/{self.table}/move", json={"ply": scene["ply"], "action": chosen["action"]})
            assert answer.status_code == 200, answer.text
        return self.table is not None


def free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_ten_bots_and_two_people(tmp_path: Path) -> None:
    database, port = tmp_path / "cup.db", free_port()
    address = f"http://127.0.0.1:{port}"
    anna, ben = Player(address, "Anna"), Player(address, "Ben")

    def state() -> dict:
        return dict(anna.browser.get(f"/api/tournaments/{cup.split('/')[-1]}").json())

    def play_until(enough) -> None:
        ends = time.monotonic() + 240
        for each in (anna, ben):
            each.table = None
        while True:
            assert time.monotonic() < ends, "it does not go on"
            moved = [each.play_a_little(cup, 10) for each in (anna, ben)]
            if any(moved):
                continue
            if enough(state()):
                return
            time.sleep(0.1)  # the bots are to have a processor

    def over(found: dict) -> int:
        return sum(table["points"][0] is not None for each in found["rounds"] for table in each["tables"])

    with server(database, port):
        cup = anna.browser.post("/tournaments/new/haste-bock", data=FORM).url.path
        ben.browser.post(f"{cup}/enter", data={"name": "Ben"})
        anna.browser.post(f"{cup}/start")
        play_until(lambda found: over(found) >= 2)  # in the middle of a round
    with server(database, port):
        before = over(state())
        assert before >= 2, "what was written down is there"
        play_until(lambda found: found["round"] >= 2 and over(found) > before)
    with sqlite3.connect(database) as rows:  # as if it had ended when a round was paired, before all of its tables were made
        number = rows.execute("SELECT round FROM tournaments").fetchone()[0]
        lost = [each for (each,) in rows.execute("SELECT DISTINCT table_id FROM pairings WHERE round = ? AND rank IS NULL", [number])][:3]
        for table in lost:
            for kind in ("places", "results", "chat", "events", "seats"):
                rows.execute(f"DELETE FROM {kind} WHERE table_id = ?", [table])
            rows.execute("DELETE FROM tables WHERE id = ?", [table])
            rows.execute("UPDATE pairings SET table_id = NULL WHERE table_id = ?", [table])
    rows.close()
    with server(database, port):
        play_until(lambda found: found["state"] == "over")
        found = state()
        page = ben.browser.get(cup).text
    assert found["round"] == ROUNDS and len(found["players"]) == 2 * TABLES and "After round 4 you are in place" in page
    assert Counter(each["level"] for each in found["players"]) == {"": 2, "lamb": 5, "ewe": 5}
    met, seats = Counter(), Counter()
    for each in found["rounds"]:
        assert len(each["tables"]) == TABLES and not each["byes"]
        assert sorted(player for table in each["tables"] for player in table["players"]) == list(range(2 * TABLES))
        for table in each["tables"]:
            met[frozenset(table["players"])] += 1
            seats[table["players"][0]] += 1
    assert set(met.values()) == {1}, "nobody met anybody twice"
    assert set(seats.values()) == {ROUNDS // 2}, "everybody began as often as not"
    assert sum(each["points"] for each in found["standings"]) == ROUNDS * TABLES * 12
    assert [each["points"] for each in found["standings"]] == sorted((each["points"] for each in found["standings"]), reverse=True)
    with sqlite3.connect(database) as rows:
        (tables,) = rows.execute("SELECT count(*) FROM tables WHERE status = 'over'").fetchone()
        (all_tables,) = rows.execute("SELECT count(*) FROM tables").fetchone()
        wrong = rows.execute(
            "SELECT count(*) FROM pairings p JOIN results r ON r.table_id = p.table_id AND r.seat = p.seat"
            " WHERE r.rank <> p.rank OR r.score <> p.score"
        ).fetchone()
    rows.close()
    assert tables == all_tables == ROUNDS * TABLES and wrong == (0,), "every table was made once, and written down as it ended"
