"""Crew: much work of one kind, shared out to processes of this machine or to a cluster; what is done comes as it is done, or in order.

Tasks are taken one by one, a few more than there are hands, so that neither they nor what was made of them ever fill the memory.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Any, TypeVar

import sheepfold
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.workers import pool

Task = TypeVar("Task")
Made = TypeVar("Made")

AHEAD = 4
"""How many tasks are under way for every hand."""
RETRIES = 20
"""So often a task is done anew whose worker was lost; one that ends every worker is not tried for ever."""
EVERY = 1.0
"""So many seconds lie between two looks at who is in the cluster."""
PATIENCE = 10.0
"""After so many seconds there is no cluster at an address."""

log = logging.getLogger(__name__)


def all_done(
    work: Callable[[Task], Made], tasks: Iterable[Task], workers: int, ray_address: str | None = None, in_order: bool = False
) -> Iterator[Made]:
    """What the work makes of every task: here, in so many processes, or on a Ray cluster."""
    if ray_address is not None:
        done = _by_ray(work, tasks, ray_address)
    elif workers == 1:
        yield from map(work, tasks)
        return
    else:
        done = _by_processes(work, tasks, workers)
    yield from _sorted(done) if in_order else (made for _, made in done)


def _sorted(done: Iterator[tuple[int, Made]]) -> Iterator[Made]:
    ready: dict[int, Made] = {}
    following = 0
    for number, made in done:
        ready[number] = made
        while following in ready:
            yield ready.pop(following)
            following += 1


def _by_processes(work: Callable[[Task], Made], tasks: Iterable[Task], workers: int) -> Iterator[tuple[int, Made]]:
    ended: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    with pool(workers) as processes:

        def begin(number: int, task: Task) -> None:
            processes.apply_async(
                work,
                (task,),
                callback=lambda made: ended.put((number, made, None)),
                error_callback=lambda error: ended.put((number, None, error)),
            )

        def wait() -> tuple[int, Made]:
            number, made, error = ended.get()
            if error:
                raise error
            return number, made

        yield from _a_few_at_a_time(tasks, lambda: workers, begin, wait)


def _by_ray(work: Callable[[Task], Made], tasks: Iterable[Task], address: str) -> Iterator[tuple[int, Made]]:
    """By a cluster: `auto`, an address, or `local` for one that is started here. What a lost node had under way is done anew by others."""
    cluster = _Cluster(address)
    remote = cluster.ray.remote(max_retries=RETRIES)(_on_a_node)
    numbers: dict[Any, int] = {}

    def begin(number: int, task: Task) -> None:
        numbers[remote.remote(sheepfold.__version__, work, task)] = number

    def wait() -> tuple[int, Made]:
        done = cluster.first_of(list(numbers))
        return numbers.pop(done), cluster.get(done)

    yield from _a_few_at_a_time(tasks, cluster.hands, begin, wait)
    cluster.look()


def _on_a_node(version: str, work: Callable[[Task], Made], task: Task) -> Made:
    """In a worker. Another version might play other games, so it plays none."""
    if version != sheepfold.__version__:
        raise SheepfoldError(f"a node has sheepfold {sheepfold.__version__}, and {version} is wanted: every node needs the same version")
    return work(task)


class _Cluster:
    """A Ray cluster whose nodes come and go."""

    def __init__(self, address: str) -> None:
        # Ray writes pages about a lost node onto standard output, where our figures belong; what is to be said of it is said here.
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
        self.ray: Any = wanted("ray", "ray")
        self.address = address
        try:
            host, colon, port = address.removeprefix("ray://").rpartition(":")
            if colon:  # Ray itself asks for many minutes
                socket.create_connection((host, int(port)), PATIENCE).close()
            if not self.ray.is_initialized():
                self.ray.init(address=address, log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
        except (OSError, RuntimeError, ValueError) as error:
            raise SheepfoldError(f"--ray {address}: {_first_line(error)}") from None
        self._lost: set[str] = {node["NodeID"] for node in self.ray.nodes() if not node["Alive"]}
        self._looked = 0.0
        self.look()

    def first_of(self, asked: list[Any]) -> Any:
        """One of these that is done, once there is one."""
        while True:
            done, _ = self.ray.wait(asked, timeout=EVERY)
            if time.monotonic() - self._looked > EVERY:
                self.look()
            if done:
                return done[0]

    def get(self, done: Any) -> Any:
        """What was made; what went wrong there is raised as if it had been here."""
        try:
            return self.ray.get(done)
        except self.ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            if not isinstance(cause, (ImportError, self.ray.exceptions.RayError)):
                raise cause from None
            hint = "; every node needs what is installed here" if "No module named" in str(cause) else ""
            raise SheepfoldError(f"--ray {self.address}: {_first_line(cause)}{hint}") from None

    def look(self) -> None:
        """See who is there, and say who is not any more."""
        nodes = self.ray.nodes()
        for node in nodes:
            if not node["Alive"] and node["NodeID"] not in self._lost:
                self._lost.add(node["NodeID"])
                log.warning("node %s is lost; what it had under way is done anew by the others", node["NodeManagerAddress"])
        self._hands = max(1, int(sum(node["Resources"].get("CPU", 0) for node in nodes if node["Alive"])))
        self._looked = time.monotonic()

    def hands(self) -> int:
        """How many tasks are done at once, as far as is known."""
        return self._hands


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _a_few_at_a_time(
    tasks: Iterable[Task], hands: Callable[[], int], begin: Callable[[int, Task], None], wait: Callable[[], tuple[int, Made]]
) -> Iterator[tuple[int, Made]]:
    under_way = 0
    for number, task in enumerate(tasks):
        begin(number, task)
        under_way += 1
        while under_way >= AHEAD * hands():
            yield wait()
            under_way -= 1
    for _ in range(under_way):
        yield wait()
