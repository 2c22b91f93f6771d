"""On a cluster of two nodes: the same games as here; when one is killed nothing is lost or counted twice, and one line says so."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from sheepfold.arena.arena import Contest, _work, contend
from sheepfold.arena.crew import all_done
from sheepfold.arena.line_ups import LineUp

os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # read as Ray is imported; on a busy machine nodes take long to start
os.environ.setdefault("RAY_agent_register_timeout_ms", "120000")
cluster_utils = pytest.importorskip("ray.cluster_utils", reason="Ray is not installed: pip install 'sheepfold[ray]'")


@pytest.fixture
def cluster() -> Iterator[Any]:
    import ray

    made = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        made.add_node(num_cpus=1)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


@pytest.mark.slow
def test_a_cluster_plays_the_same_games_and_a_node_may_be_lost(cluster: Any, caplog: pytest.LogCaptureFixture) -> None:
    contest = Contest("te-kuiti", 2, ("greedy:1", "random"), "1")
    line_ups = contest.line_ups(10_000)
    raylet = cluster.worker_nodes.copy().pop().all_processes["raylet"][0].process.pid
    given = 0

    def tasks() -> Iterator[tuple[Contest, int, LineUp]]:
        """Until the loss is told: Ray itself takes a while to be sure of it."""
        nonlocal given
        until = time.monotonic() + 120
        while not caplog.records and time.monotonic() < until:
            if given == 20:
                workers = subprocess.run(["pgrep", "-P", str(raylet)], capture_output=True, text=True, check=True).stdout.split()
                for process in [raylet, *map(int, workers)]:
                    os.kill(process, signal.SIGKILL)
            yield contest, given, line_ups[given]
            given += 1

    with caplog.at_level(logging.WARNING, "sheepfold"):
        done = sorted(all_done(_work, tasks(), 1, cluster.address))
    assert [each.number for each in done] == list(range(given))
    here, there = ([each._replace(longest=()) for each in some] for some in (contend(contest, 40), done[:40]))
    assert there == here
    assert len(caplog.records) == 1 and "is lost" in caplog.text
