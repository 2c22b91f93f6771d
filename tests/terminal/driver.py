"""Runs the command as people do: through pipes, or at a terminal of its own (a pty). With the toy games it has begun already (warm.py)."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from fcntl import ioctl
from functools import cache
from pathlib import Path
from termios import TIOCSWINSZ

TOY, WARM = (Path(__file__).with_name(name) for name in ("toy_game.py", "warm.py"))
TOYS, SHEEPFOLD = (str(TOY),), ("-m", "sheepfold")
"""What Python runs: the command with the toy games, and the command itself."""
CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 60
"""Seconds after which something that should have happened will not happen."""


def environment(**changes: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "LC_MESSAGES", "COLUMNS", "LINES")}
    return {**clean, "LANG": "en_GB.UTF-8", "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **changes}


@cache
def warm() -> socket.socket:
    """A line to the process that goes on as any command."""
    here, there = socket.socketpair()
    here.settimeout(PATIENCE)
    with there:
        subprocess.Popen([sys.executable, WARM, str(there.fileno())], pass_fds=[there.fileno()], env=environment())
    return here


def begun(arguments: Sequence[object], files: Sequence[int], **changes: str) -> int:
    """The number of a process that is the command with the toy games, with these files as its terminal or as input, output and errors."""
    wish = {"arguments": [*map(str, arguments)], "environment": environment(**changes), "folder": str(Path.cwd())}
    socket.send_fds(warm(), [json.dumps(wish).encode()], files)
    return int(warm().recv(100))


def ended(process: int) -> int:
    """Wait for the end of one that was begun so; its exit code."""
    warm().send(json.dumps({"ended": process}).encode())
    try:
        return int(warm().recv(100))
    except TimeoutError:
        os.kill(process, signal.SIGKILL)
        warm().recv(100)
        raise AssertionError("it does not end") from None


def piped(*arguments: object, typed: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
    """The command with its input and output in pipes (files, here)."""
    if "SHEEPFOLD_PURE" in changes:  # what is imported is another
        command = [sys.executable, str(TOY), *map(str, arguments)]
        return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=PATIENCE, env=environment(**changes))
    with tempfile.TemporaryFile("w+") as typing, tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        typing.write(typed)
        typing.seek(0)
        files = [typing.fileno(), out.fileno(), errors.fileno()]
        code = ended(begun(arguments, files, **changes))
        for each in (out, errors):
            each.seek(0)
        return subprocess.CompletedProcess(arguments, code, out.read(), errors.read())


class Terminal:
    """The command at a terminal: `see` waits for a text on the screen, `type` types a line."""

    def __init__(self, *arguments: object, program: Sequence[str] = TOYS, rows: int = 40, columns: int = 100, **changes: str) -> None:
        self.warm = program is TOYS
        if self.warm:
            self.file, end = pty.openpty()
            ioctl(self.file, TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            self.pid = begun(arguments, [end], **changes)
            os.close(end)
        else:
            self.pid, self.file = pty.fork()
            if self.pid == 0:
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # as at a terminal, also where the tests run in the background
                os.execve(sys.executable, [sys.executable, *program, *map(str, arguments)], environment(**changes))
            ioctl(self.file, TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.raw = ""
        self.read_to = 0

    def see(self, text: str) -> str:
        """Wait until the text is printed after what was seen before; everything printed up to its end, without codes."""
        end = time.monotonic() + PATIENCE
        while text not in self._unseen():
            assert time.monotonic() < end, f"no {text!r} in:\n{self._unseen()}"
            assert self._more(), f"it ended without {text!r}:\n{self._unseen()}"
        seen = self._unseen()
        seen = seen[: seen.index(text) + len(text)]
        self.read_to += len(seen)
        return seen

    def _unseen(self) -> str:
        return CODES.sub("", self.raw)[self.read_to :].replace("\r", "")

    def _more(self) -> bool:
        ready, _, _ = select.select([self.file], [], [], 1)
        if not ready:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.raw += data.decode(errors="replace").replace("\r", "")
        return bool(data)

    def type(self, line: str) -> None:
        os.write(self.file, f"{line}\n".encode())

    def ctrl_c(self) -> None:
        os.write(self.file, b"\x03")

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self._code()

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while self._more():
            assert time.monotonic() < end, f"it does not end:\n{self._unseen()}"
        return self._code()

    def _code(self) -> int:
        code = ended(self.pid) if self.warm else os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.file)
        return code
