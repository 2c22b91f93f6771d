"""The command with the toy games, begun already: a process that has imported all of it and, whenever it is asked, goes on as a copy of
itself with other arguments, other environment, and other input and output. Most of a command's time goes into its imports.

    python warm.py FD

FD is a line to whoever asks (see driver.py): a wish as JSON comes with the files to be used; the answer is the copy's number, and, once it
has ended and was asked for, how.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from importlib import import_module

import toy_game

from sheepfold import terminal

toy_game.register()  # here, in copies, and in the workers that copies start

LARGEST = 1 << 16
NEEDED = (
    "babel.messages.pofile", "babel.numbers", "concurrent.futures.process", "pydantic.type_adapter", "sheepfold.arena.simulate",
    "sheepfold.terminal.app", "sheepfold.terminal.listings", "sheepfold.terminal.play",
)  # fmt: skip
"""What commands import when they come to it."""


def become(wish: dict, files: list[int]) -> None:
    """This process is from now on the command that was wished for. One file is a terminal; else they are input, output and errors."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if len(files) == 1:
        os.login_tty(files[0])
    else:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
    os.environ.clear()
    os.environ.update(wish["environment"])
    os.chdir(wish["folder"])
    sys.argv[1:] = wish["arguments"]
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", buffering=1 if os.isatty(1) else -1)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115


def serve(line: socket.socket) -> bool:
    """Until nobody is there any more (False), or as one of the copies (True)."""
    while True:
        said, files, *_ = socket.recv_fds(line, LARGEST, 3)
        if not said:
            return False
        wish = json.loads(said)
        if "ended" in wish:
            _, status = os.waitpid(wish["ended"], 0)
            line.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        number = os.fork()
        if number == 0:
            line.close()
            become(wish, list(files))
            return True
        for file in files:
            os.close(file)
        line.send(str(number).encode())


if __name__ == "__main__":
    for needed in NEEDED:
        import_module(needed)
    if serve(socket.socket(fileno=int(sys.argv[1]))):
        terminal.main()
