"""On a cluster: two nodes of one core each on this machine, against one of them, and one that is killed in the middle.

    python bench/cluster.py                   a local cluster of Ray: same games, games a second, the kill
    python bench/cluster.py --states 10000    also so many random states of each game through its workers and back, compared by their bytes

Every command plays through the same crew (`arena/crew.py`), so an arena stands for all of them. The second node is killed by SIGKILL,
raylet and workers at once, as a machine is that loses its power; every game must come once all the same, as it is played here.
"""

from __future__ import annotations

import argparse
import os
import pickle
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # read as Ray is imported; on a busy machine nodes take long to start
os.environ.setdefault("RAY_agent_register_timeout_ms", "120000")
import ray
from ray.cluster_utils import Cluster
from states import BATCH, states

import sheepfold
from sheepfold.arena.arena import Contest, Outcome, contend
from sheepfold.core.position import Position

CONTEST = Contest("haste-bock", 4, ("ram", "lamb"), "cluster")


@contextmanager
def cluster(nodes: int) -> Iterator[Cluster]:
    """So many nodes of one core each."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            made.add_node(num_cpus=1)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def kill(node: Any) -> None:
    """A node's raylet and all below it, at once."""
    raylet = node.all_processes["raylet"][0].process.pid
    below = subprocess.run(["pgrep", "-P", str(raylet)], capture_output=True, text=True, check=False).stdout.split()
    for process in [raylet, *map(int, below)]:
        os.kill(process, signal.SIGKILL)


def timed(
    games: int, address: str | None, folder: Path, progress: Callable[[int], None] = lambda done: None
) -> tuple[list[Outcome], float]:
    """The games of the arena without what they took, and the seconds that all of them took."""
    began = time.perf_counter()
    outcomes = contend(CONTEST, games, 1, folder / "games.jsonl", address, progress)
    return [each._replace(longest=()) for each in outcomes], time.perf_counter() - began


def games_a_second(games: int) -> None:
    with TemporaryDirectory() as folder:
        here, seconds = timed(games, None, Path(folder))
        print(f"here, one core: {games} games, {games / seconds:.1f} a second", flush=True)
    for nodes in (1, 2):
        with cluster(nodes) as made, TemporaryDirectory() as folder, TemporaryDirectory() as first:
            timed(4 * nodes, made.address, Path(first))  # workers start
            there, seconds = timed(games, made.address, Path(folder))
            print(f"{nodes} node(s): {games / seconds:.1f} games a second; the same as here: {there == here}", flush=True)
            if nodes == 2:
                killed(made, games, here)


def killed(made: Cluster, games: int, here: list[Outcome]) -> None:
    """The same with the second node killed after a third of the games."""
    came: list[tuple[float, int]] = []

    def progress(done: int) -> None:
        if done == games // 3:
            kill(made.worker_nodes.copy().pop())
        came.append((time.perf_counter(), done))

    with TemporaryDirectory() as folder:
        there, seconds = timed(games, made.address, Path(folder), progress)
        lines = (Path(folder) / "games.jsonl").read_text().splitlines()[1:]
    pause = max(after[0] - before[0] for before, after in pairwise(came))
    print(f"one of two killed: {games / seconds:.1f} games a second, longest pause {pause:.1f} s; {len(lines)} lines in the file;"
          f" the same as here: {there == here}", flush=True)  # fmt: skip


def back(batch: list[Position]) -> list[Position]:
    """In a worker."""
    return batch


def round_trips(count: int) -> None:
    """States are sent and come back as Ray sends whatever it is given; as pickles they must be what they were, byte by byte."""
    with cluster(2) as made:
        ray.init(address=made.address, log_to_driver=False)
        remote = ray.remote(back)
        for game in sheepfold.games.every_game():
            batch: list[Position] = []
            differ = 0
            for number, state in enumerate(states(game, count), 1):
                batch.append(state)
                if len(batch) == BATCH or number == count:
                    came = ray.get(remote.remote(batch))
                    differ += sum(pickle.dumps(one, 5) != pickle.dumps(two, 5) for one, two in zip(batch, came, strict=True))
                    batch = []
            print(f"{game.name:20} {number:,} states through Ray's workers and back, {differ} differ by their bytes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--games", type=int, default=400, help="0 plays none")
    parser.add_argument("--states", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.games:
        games_a_second(chosen.games)
    if chosen.states:
        round_trips(chosen.states)


if __name__ == "__main__":
    main()
