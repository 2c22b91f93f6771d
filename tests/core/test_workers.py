"""Ctrl+C at a terminal reaches every process of it: the workers must not care, the process that started them must."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from sheepfold.core.workers import Workers, deaf_to_ctrl_c, pool


def interrupt_all() -> None:
    """As a terminal does to those who were only just started."""
    children = active_children()
    assert children
    for child in children:
        assert child.pid
        os.kill(child.pid, signal.SIGINT)


def nothing() -> None:
    pass


def test_a_pool_does_not_hear_ctrl_c_while_it_starts(capfd: pytest.CaptureFixture[str]) -> None:
    with pool(2) as workers:
        began = {child.pid for child in active_children()}
        interrupt_all()
        assert workers.map(abs, range(-4, 0)) == [4, 3, 2, 1]
        interrupt_all()
        assert workers.map(abs, [-5]) == [5]
        assert {child.pid for child in active_children()} == began, "the same processes as at the start"
    assert capfd.readouterr().err == ""
    assert not active_children()


def test_workers_that_stay_do_not_hear_ctrl_c(capfd: pytest.CaptureFixture[str]) -> None:
    with Workers(1, nothing) as workers:
        waiting = workers.submit(abs, -7)
        interrupt_all()
        assert waiting.result(60) == 7
        interrupt_all()
        assert workers.submit(abs, -8).result(60) == 8
    assert capfd.readouterr().err == ""


@pytest.fixture
def answering() -> Iterator[None]:
    """Python answers Ctrl+C as at a terminal, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_this_thread() -> None:
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # sent to the process, any thread of a library might take it


def test_ctrl_c_while_workers_start_is_heard_when_they_have(answering: None) -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), deaf_to_ctrl_c():
        interrupt_this_thread()
        done = True
    assert done
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_ctrl_c_that_another_thread_takes_is_heard_no_sooner(answering: None) -> None:
    """Such as the one that draws the bar of a simulation."""
    done, starting = False, threading.Event()
    beside = threading.Thread(target=lambda: starting.wait(60) and interrupt_this_thread())
    beside.start()
    with pytest.raises(KeyboardInterrupt), deaf_to_ctrl_c():
        starting.set()
        beside.join()
        done = True
    assert done
