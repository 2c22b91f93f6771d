"""Logs: one JSON object a line on standard error, short lines at a terminal. Nobody waits for who reads them.

A line is handed to a thread that writes it. Where nobody reads the pipe, as many lines as `MOST_LINES` wait; more are dropped, and when
there is room again the log says how many.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import sys
import threading
import time
from typing import TextIO

MOST_LINES = 2000
"""How many lines may wait to be written."""
LONGEST_LINE = 20_000
LAST_WORDS = 2.0
"""Seconds that the end waits for the last lines."""


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "fields", {})
        line = {"at": round(record.created, 3), "level": record.levelname.lower(), "what": record.getMessage(), **fields}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)[-LONGEST_LINE:]
        return json.dumps(line, ensure_ascii=False)


class ShortLines(logging.Formatter):
    """What somebody at a terminal wants to see."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{key}={value}" for key, value in getattr(record, "fields", {}).items())
        text = f"{time.strftime('%H:%M:%S', time.localtime(record.created))} {record.getMessage()} {fields}".rstrip()
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


class Pipe(logging.Handler):
    """Lines on their way to a stream that may be slower than they come."""

    def __init__(self, stream: TextIO, most: int = MOST_LINES) -> None:
        super().__init__()
        self.stream = stream
        self.waiting: queue.Queue[str | None] = queue.Queue(most)
        self.dropped = 0
        """Lines for which there was no room since the start, and"""
        self.untold = 0
        """those of them that the log has not told of."""
        self.thread = threading.Thread(target=self._write_all, name="sheepfold-log", daemon=True)
        self.thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
            if self.untold and self._put(self._confession()):
                self.untold = 0
            if self.untold or not self._put(line):
                self.dropped += 1
                self.untold += 1
        except Exception:
            self.handleError(record)

    def _confession(self) -> str:
        """What is said of the lines that were dropped."""
        text = f"{self.untold} lines of this log were dropped, since nobody read them"
        return self.format(logging.makeLogRecord({"name": "sheepfold", "levelno": logging.WARNING, "levelname": "WARNING", "msg": text}))

    def _put(self, line: str) -> bool:
        try:
            self.waiting.put_nowait(line)
        except queue.Full:
            return False
        return True

    def _write_all(self) -> None:
        try:
            number: int | None = self.stream.fileno()
        except (OSError, ValueError):
            number = None
        while (line := self.waiting.get()) is not None:
            try:
                if number is None:
                    self.stream.write(f"{line}\n")
                    self.stream.flush()
                else:  # past the stream, whose lock whoever ends the process would wait for
                    _write(number, f"{line}\n".encode("utf-8", "replace"))
            except (OSError, ValueError):
                pass  # nobody is there any more to be told

    def close(self) -> None:
        """At the end: what still waits is written, if somebody reads it."""
        if self._put_last():
            self.thread.join(LAST_WORDS)
        super().close()

    def _put_last(self) -> bool:
        try:
            self.waiting.put(None, timeout=0.1)
        except queue.Full:
            return False
        return True


def _write(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]


def set_up_logs(level: int | None = None) -> None:
    """Structured lines for machines; at a terminal only what is worth a look."""
    handler = Pipe(sys.stderr)
    at_terminal = sys.stderr.isatty()
    handler.setFormatter(ShortLines() if at_terminal else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level if level is not None else logging.WARNING if at_terminal else logging.INFO)


def dropped() -> int:
    """How many lines the log has dropped since the start."""
    return sum(handler.dropped for handler in logging.getLogger().handlers if isinstance(handler, Pipe))
