"""One server in 1, 2 and 4 processes on one PostgreSQL, under load: `python bench/processes.py [--processes N …] [--rounds N]`.

The server is `sheepfold serve --processes N` as a host starts it, without limits on what a client may do; PostgreSQL syncs commits. The
loads are those of bench/server.py (programs: who moves is answered, without and with everybody listening) and bench/watching.py (pages: all
seats hold the page's stream, and a table goes on when everybody was told). Printed are moves a second, the time of an answer, and the
processor time per move of the server's processes and of PostgreSQL's. The load and PostgreSQL need processors too: on two of them four
processes of a server show what sharing costs, not what it gains.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import local_postgres
import watching
from server import MATCHES, MOVES, SECONDS, Server, drive, free_port, told

UNLIMITED = ("BURST", "PER_SECOND", "TABLES", "TABLES_PER_HOUR", "CONNECTIONS", "STREAMS", "STREAMS_PER_TABLE")
GAME, TABLES, PAGE_MOVES = "te-kuiti", 50, 20
HERE = Path(__file__).parent


@contextmanager
def serving(url: str, processes: int) -> Iterator[Server]:
    os.environ.update({f"SHEEPFOLD_{name}": "inf" for name in UNLIMITED}, SHEEPFOLD_BOT_PAUSE="0")
    port = free_port()
    wish = ["serve", "--port", str(port), "--database", url, "--processes", str(processes)]
    server = Server([sys.executable, "-m", "sheepfold", *wish], port, "/health")
    try:
        yield server
    finally:
        server.stop()


def measure(kind: str, processes: int) -> dict[str, float]:
    """One kind of load at a fresh server on a fresh database."""
    with local_postgres.running() as url, tempfile.TemporaryDirectory(prefix="sheepfold-bench-") as folder:
        if kind == "pages":
            watching.fill(Path(folder), url, GAME, TABLES, PAGE_MOVES)
        with serving(url, processes) as server:
            if kind == "pages":
                command = [str(HERE / "watching.py"), "--load", str(server.port), folder, str(PAGE_MOVES), str(SECONDS)]
            else:
                listening = ["--listen"] if kind == "programs, all listening" else []
                command = [str(HERE / "server.py"), "--load", *map(str, (server.port, MATCHES, MOVES, SECONDS)), *listening]
            database = Family("postgres")
            found, spent = drive(server, [sys.executable, *command])
            return figures(found, spent, database.spent())


class Family:
    """All processes of a name, and what they have spent since."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.before = self._total()

    def _total(self) -> float:
        total = 0.0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
            except OSError:  # it has ended meanwhile
                continue
            if name == self.name:
                total += sum(map(int, rest.split()[11:13])) / os.sysconf("SC_CLK_TCK")
        return total

    def spent(self) -> float:
        return self._total() - self.before


def figures(found: dict[str, Any], spent: float, database: float) -> dict[str, float]:
    from statistics import quantiles

    shares = quantiles(found["latencies_ms"], n=100)
    return {
        "moves_per_second": found["moves"] / found["seconds"], "p50_ms": shares[49], "p99_ms": shares[98],
        "server_cpu_us_per_move": 1e6 * spent / found["moves"], "load_cpu_us_per_move": 1e6 * found["load_cpu"] / found["moves"],
        "database_cpu_us_per_move": 1e6 * database / found["moves"],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    wanted = parser.parse_args()
    runs = []
    for _ in range(wanted.rounds):
        for kind in ("programs", "programs, all listening", "pages"):
            for processes in wanted.processes:
                found = measure(kind, processes)
                runs.append({"kind": kind, "processes": processes, **found})
                print(f"{kind:<24} {processes} {told(found)}   database {found['database_cpu_us_per_move']:5.0f} us", flush=True)
    if wanted.json:
        wanted.json.write_text(json.dumps(runs, indent=1) + "\n")


if __name__ == "__main__":
    main()
