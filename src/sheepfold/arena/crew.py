"""Crew: much work of one kind, shared out to processes of this machine or to a cluster; what is done comes as it is done, or in order.

Tasks are taken one by one, a few more than there are hands, so that neither they nor what was made of them ever fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Any, TypeVar

from sheepfold.core.errors import SheepfoldError
from sheepfold.core.workers import pool

Task = TypeVar("Task")
Made = TypeVar("Made")

AHEAD = 4
"""How many tasks are under way for every hand."""


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

        yield from _a_few_at_a_time(tasks, workers, begin, wait)


def _by_ray(work: Callable[[Task], Made], tasks: Iterable[Task], address: str) -> Iterator[tuple[int, Made]]:
    """`auto` or an address; `local` starts one here. What a node that is lost had under way is done anew by another."""
    try:
        import ray
    except ImportError:
        raise SheepfoldError("Ray is not installed; type: pip install 'sheepfold[ray]'") from None
    if not ray.is_initialized():
        ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    remote = ray.remote(max_retries=-1)(work)
    numbers: dict[Any, int] = {}

    def begin(number: int, task: Task) -> None:
        numbers[remote.remote(task)] = number

    def wait() -> tuple[int, Made]:
        done, _ = ray.wait(list(numbers))
        return numbers.pop(done[0]), ray.get(done[0])

    yield from _a_few_at_a_time(tasks, int(ray.cluster_resources().get("CPU", 1)), begin, wait)


def _a_few_at_a_time(
    tasks: Iterable[Task], hands: int, begin: Callable[[int, Task], None], wait: Callable[[], tuple[int, Made]]
) -> Iterator[tuple[int, Made]]:
    under_way = 0
    for number, task in enumerate(tasks):
        begin(number, task)
        under_way += 1
        if under_way >= AHEAD * hands:
            yield wait()
            under_way -= 1
    for _ in range(under_way):
        yield wait()
