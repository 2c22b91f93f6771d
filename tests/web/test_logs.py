"""The log of a server, and that nobody waits for who reads it."""

from __future__ import annotations

import json
import logging
import os
import time
from contextlib import suppress
from typing import BinaryIO, TextIO

import pytest

from sheepfold.web.logs import JsonLines, Pipe


def full_pipe() -> tuple[BinaryIO, TextIO]:
    """A pipe that nobody has read for long."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b"older\n" * 100)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b"\n")
    os.set_blocking(writing, True)
    return os.fdopen(reading, "rb"), os.fdopen(writing, "w")


def lines(pipe: Pipe, count: int) -> None:
    for number in range(count):
        pipe.emit(logging.makeLogRecord({"msg": f"line {number}", "levelname": "INFO"}))


def test_nobody_waits_for_who_reads_the_log() -> None:
    """Lines wait, then they are dropped, and when there is room again the log says how many."""
    reader, stream = full_pipe()
    with reader, stream:
        pipe = Pipe(stream, most=50)
        pipe.setFormatter(JsonLines())
        lines(pipe, 1)
        while not pipe.waiting.empty():
            time.sleep(0.01)  # until the thread has it in its hands
        lines(pipe, 300)
        assert (pipe.dropped, pipe.waiting.qsize()) == (250, 50)
        read: list[bytes] = []
        while b"line 49" not in b"".join(read):
            read.append(reader.readline())
        lines(pipe, 2)
        told = [json.loads(reader.readline())["what"] for _ in range(3)]
        assert told == ["250 lines of this log were dropped, since nobody read them", "line 0", "line 1"]
        pipe.close()
        assert not pipe.thread.is_alive()


def test_a_log_that_nobody_reads_does_not_keep_the_server_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.web.logs.LAST_WORDS", 0.05)
    reader, stream = full_pipe()
    with reader, stream:
        pipe = Pipe(stream, most=50)
        lines(pipe, 10)
        pipe.close()
        assert pipe.thread.is_alive(), "it still waits, and nobody for it"
        while b"line 9" not in reader.readline():
            pass
        pipe.thread.join(10)
