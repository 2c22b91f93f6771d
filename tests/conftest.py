"""Makes the toy games importable, has one PostgreSQL server for whoever asks, and quiets Hypothesis: the time of a test is no fault of
it, and every run draws the same examples.

NumPy multiplies with one thread: with more, on a busy machine, most of the time goes into waiting for each other. Bytecode is kept,
whatever the environment says: tests start hundreds of processes, and without it each spends half of its start on compiling our sources.
Databases of tests lie in memory, where there is enough of it: a disk is waited for at every move.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
if Path("/dev/shm").is_dir() and shutil.disk_usage("/dev/shm").free > 2**31:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")  # what pytest calls the place for temporary folders
sys.path.insert(0, str(Path(__file__).parent / "toys"))
sys.path.insert(0, str(Path(__file__).parent / "table"))
sys.path.insert(0, str(Path(__file__).parent / "people"))
sys.path.insert(0, str(Path(__file__).parent / "web"))

from postgres_helper import empty_postgres, postgres, postgres_server, prepared  # noqa: E402, F401

settings.register_profile("sheepfold", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
settings.load_profile("sheepfold")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker begins with its share of the slow tests, so that what is left at the end, for whoever is free, is quick.

    pytest-xdist gives every worker a run of neighbours; those of one file stay together, for what they share.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 0)
    if not workers:
        return
    slow = [each for each in items if each.get_closest_marker("slow")]
    quick = [each for each in items if not each.get_closest_marker("slow")]
    items[:] = [each for worker in range(workers) for some in (slow, quick) for each in some[share(some, worker, workers)]]


def share(some: list[pytest.Item], worker: int, workers: int) -> slice:
    return slice(len(some) * worker // workers, len(some) * (worker + 1) // workers)
