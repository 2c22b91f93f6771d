"""Workers: processes beside this one. They leave Ctrl+C to it: at a terminal it reaches all processes at once, and a worker that is
interrupted, perhaps while it is still starting, would only write over what this one has to say."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.pool import Pool
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")

SPAWN = multiprocessing.get_context("spawn")


def cores() -> int:
    """How many processes this machine runs at once, as far as this one may use it."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started in here never hear Ctrl+C, not even in their first moments. This one hears it as soon as they are started."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows only once they run
        yield
        return
    resource_tracker.ensure_running()  # comes up with the first worker otherwise, and lets Ctrl+C through again
    with _putting_off_ctrl_c():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _putting_off_ctrl_c() -> Iterator[None]:
    """Answer Ctrl+C at the end of this: a thread beside this one may take the signal, and Python would answer it here at once."""
    if threading.current_thread() is not threading.main_thread():  # Python answers signals in that thread alone
        yield
        return
    pressed: list[int] = []
    answer = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, answer)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def ignore_ctrl_c() -> None:
    """In a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def pool(processes: int) -> Iterator[Pool]:
    """Workers for one piece of work, gone at its end."""
    workers = None
    try:
        with deaf_to_ctrl_c():
            workers = SPAWN.Pool(processes, ignore_ctrl_c)
        yield workers
    finally:
        if workers:
            workers.terminate()


class Workers(ProcessPoolExecutor):
    """Workers that start when they are needed first and stay."""

    def __init__(self, processes: int, begin: Callable[[], None]) -> None:
        super().__init__(processes, mp_context=SPAWN, initializer=_begin, initargs=(begin,))

    def submit(self, fn: Callable[Given, Made], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Made]:
        with deaf_to_ctrl_c():
            return super().submit(fn, *args, **kwargs)


def _begin(begin: Callable[[], Any]) -> None:
    ignore_ctrl_c()
    begin()
