"""Crew: much work of one kind, shared out to processes of this machine or to a cluster; what is done comes as it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sheepfold.core.errors import SheepfoldError
from sheepfold.core.workers import pool

Task = TypeVar("Task")
Made = TypeVar("Made")


def all_done(work: Callable[[Task], Made], tasks: Sequence[Task], workers: int, ray_address: str | None = None) -> Iterator[Made]:
    """What the work makes of every task, in any order: here, in so many processes, or on a Ray cluster."""
    if ray_address is not None:
        yield from _by_ray(work, tasks, ray_address)
    elif workers == 1 or len(tasks) < 2:
        yield from map(work, tasks)
    else:
        with pool(min(workers, len(tasks))) as processes:
            yield from processes.imap_unordered(work, tasks)


def _by_ray(work: Callable[[Task], Made], tasks: Sequence[Task], address: str) -> Iterator[Made]:
    """`auto` or an address; `local` starts one here."""
    try:
        import ray
    except ImportError:
        raise SheepfoldError("Ray is not installed; type: pip install 'sheepfold[ray]'") from None
    if not ray.is_initialized():
        ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    remote = ray.remote(work)
    waiting = [remote.remote(task) for task in tasks]
    while waiting:
        done, waiting = ray.wait(waiting)
        yield from ray.get(done)
