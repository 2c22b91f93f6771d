"""A bot that is a program of its own, in any language: `cmd:./mybot`, asked on its standard input (`sheepfold.bots.protocol`).

It is given a time and a memory, and ends with all that it has started. Whatever it does wrong is a `Forfeit` with the reason, and nothing
else: who waits for it waits no longer than its time, and what it writes is read no further than is needed. `bot` knows no programs, so
that nobody has one run by naming it in a form or a file; who runs a command has them by `anybody`.
"""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Any

from sheepfold.bots import Bot, UnknownBot, bot
from sheepfold.bots.protocol import Nonsense, Question, check_greeting, question
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import Position
from sheepfold.game.game import Setup

PREFIX = "cmd:"
LONGEST = 65_536
"""How many bytes an answer may have."""
UNREAD = 8
"""So many lines that nobody asked for are kept; a program that writes more waits."""
MOST_NOTES = 200
"""So many lines of what it writes to standard error are passed on."""
LONGEST_NOTE = 500
LOOK = 0.2
"""So often it is looked whether a program that does not answer has ended."""
GRACE = 1.0
"""Seconds that a program has to end by itself when nobody has a question any more."""


class Forfeit(SheepfoldError):
    """A program has lost its seat; the text is why."""


@dataclass(frozen=True)
class Command:
    """A program and what it is given."""

    words: tuple[str, ...]
    seconds: float = 10.0
    """For an answer."""
    start: float = 30.0
    """Until it is ready."""
    memory: int = 1024
    """In megabytes, for each of its processes; where the system can say so."""

    @property
    def name(self) -> str:
        return os.path.basename(self.words[0])  # noqa: PTH119 - of whichever system


def is_program(name: str) -> bool:
    return name.startswith(PREFIX)


def command(text: str) -> Command:
    """What `cmd:seconds=5:memory=512:./mybot --deep` says; UnknownBot where there is no such program."""
    rest, given = text.strip().removeprefix(PREFIX), Command(())
    while True:
        setting, colon, after = rest.partition(":")
        name, equals, number = setting.partition("=")
        if not (colon and equals and name in ("seconds", "start", "memory")):
            break
        try:
            changed: dict[str, Any] = {name: int(number) if name == "memory" else float(number)}
            given = replace(given, **changed)
        except ValueError:
            raise UnknownBot(f"{setting!r}: a program's {name} is a number, as in {PREFIX}seconds=5:memory=512:./mybot") from None
        rest = after
    if not 0 < given.seconds <= 3600 or not 0 < given.start <= 3600 or given.memory < 1:
        raise UnknownBot(f"{text!r}: a program needs some time, an hour at most, and at least a megabyte")
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise UnknownBot(f"{rest!r} is no command: {error}") from None
    if not words or not shutil.which(words[0]):
        raise UnknownBot(f"there is no program {words[0] if words else ''!r} that could be started, as in {PREFIX}./mybot")
    return replace(given, words=tuple(words))


# The process.


class Running:
    """A program that runs. Threads read and write, so that nobody waits for it longer than they want to."""

    def __init__(self, what: Command, note: Callable[[str], None]) -> None:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("SHEEPFOLD_")}  # a server's keys among them
        try:
            self.process = subprocess.Popen(
                what.words,
                env=ours,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Forfeit(f"it cannot be started: {error.strerror or error}") from None
        _limit(self.process.pid, what.memory)
        if sys.platform != "win32":
            GROUPS.add(self.process.pid)
            _end_with_this_process()
        self.said: queue.Queue[bytes | None] = queue.Queue(UNREAD)
        self.to_say: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.notes: deque[str] = deque(maxlen=5)
        assert self.process.stdin and self.process.stdout and self.process.stderr
        ways: Sequence[tuple[Callable[..., None], tuple[object, ...]]] = (
            (_read_answers, (self.process.stdout.fileno(), self.said)),
            (_read_notes, (self.process.stderr.fileno(), self.notes, note)),
            (_write, (self.process.stdin, self.to_say)),
        )
        self.threads = [threading.Thread(target=work, args=given, daemon=True) for work, given in ways]
        for thread in self.threads:
            thread.start()

    def ask(self, line: str, seconds: float) -> str:
        """Its answer to a line; Forfeit where there is none in time, or it is too long."""
        with suppress(queue.Empty):
            early = self.said.get_nowait()
            if early is not None:
                raise Forfeit(f"it said {early[:80]!r} though nobody had asked")
            self.said.put_nowait(None)
        self.to_say.put(line.encode())
        answer = self._heard(seconds)
        if answer is None:
            raise Forfeit(self._why_it_ended())
        if len(answer) > LONGEST:
            raise Forfeit(f"its answer is longer than {LONGEST} bytes")
        return answer.decode("utf-8", "replace").strip()

    def _heard(self, seconds: float) -> bytes | None:
        """A line of its; None where it has ended, though a process that it has started may still hold its output."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            with suppress(queue.Empty):
                return self.said.get(timeout=min(left, LOOK))
            if self.process.poll() is not None:
                return None
        _end(self.process)
        raise Forfeit(f"it gave no answer in {seconds:g} seconds")

    def _why_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
            _end(self.process)  # what it has left behind
        self.threads[1].join(GRACE)  # what it said last
        code = self.process.returncode
        how = "it closed its output" if code is None else f"it ended with code {code}" if code >= 0 else f"it was ended by signal {-code}"
        return f"{how}: {self.notes[-1]}" if self.notes else how

    def close(self) -> None:
        """Nobody asks any more: it may end by itself, and then it and all that it has started are ended."""
        self.to_say.put(None)
        if self.process.returncode is None:
            self.threads[0].join(GRACE)
            _end(self.process)
        for thread in self.threads:  # their ends of the pipes are closed now, unless somebody has run away with one
            thread.join(GRACE)
        if not any(thread.is_alive() for thread in self.threads):
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                with suppress(OSError):
                    assert pipe
                    pipe.close()


def _limit(process: int, megabytes: int) -> None:
    """Let a process have no more memory than that, on systems that can be told so from outside."""
    if sys.platform != "linux":
        return
    import resource

    with suppress(OSError, ValueError):  # it may have ended already
        resource.prlimit(process, resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))


def _end(process: subprocess.Popen[bytes]) -> None:
    """The process and those that it has started, at once."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    GROUPS.discard(process.pid)


GROUPS: set[int] = set()
"""The programs that run now, each with a group of processes of its own."""


def _end_with_this_process() -> None:
    """What the system ends, as an arena ends its workers, takes its programs with it. Who hears of an ordinary end runs finalizers."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)


def end_all() -> None:
    """Every program of this process ends at once; who waits for an answer hears that there is none."""
    for group in tuple(GROUPS):
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)


def _terminated(number: int, _: object) -> None:
    end_all()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _read_answers(pipe: int, said: queue.Queue[bytes | None]) -> None:
    """Lines, none much longer than is too long; None at the end. Where nobody takes them, nothing is read any more."""
    rest = b""
    with suppress(OSError, queue.Full):
        while len(rest) <= LONGEST and (piece := os.read(pipe, 8192)):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                said.put_nowait(line)
        said.put_nowait(rest if len(rest) > LONGEST else None)


def _read_notes(pipe: int, latest: deque[str], note: Callable[[str], None]) -> None:
    """What it writes to standard error, passed on line by line until that is too much; and read to the end, so that it need not wait."""
    rest, passed_on = b"", 0
    with suppress(OSError):
        while piece := os.read(pipe, 8192):
            *lines, rest = (rest + piece).split(b"\n")
            rest = rest[:LONGEST_NOTE]
            for line in filter(None, (each.decode("utf-8", "replace")[:LONGEST_NOTE].rstrip() for each in lines)):
                latest.append(line)
                passed_on += 1
                if passed_on <= MOST_NOTES:
                    note(line if passed_on < MOST_NOTES else "(it says more than is passed on)")
    if rest.strip():
        latest.append(rest.decode("utf-8", "replace").strip())
        note(latest[-1])


def _write(pipe: IO[bytes], to_say: queue.SimpleQueue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        while (line := to_say.get()) is not None:
            while line:
                line = line[pipe.write(line) :]
        pipe.close()


def ask_once(what: Command, asked: Question, note: Callable[[str], None]) -> int:
    """What a program, begun for this question alone, answers to it."""
    running = Running(what, note)
    try:
        _greet(running, what, asked)
        return _answer(running, what, asked)
    finally:
        running.close()


def _greet(running: Running, what: Command, asked: Question) -> None:
    try:
        check_greeting(running.ask(asked.setup, what.start))
    except Nonsense as error:
        raise Forfeit(error) from None


def _answer(running: Running, what: Command, asked: Question) -> int:
    try:
        return asked.meant(running.ask(asked.decide, what.seconds))
    except Nonsense as error:
        raise Forfeit(error) from None


# The bot.


def _note(name: str, line: str) -> None:
    """What a program has to say to who runs it."""
    print(f"[{name}] {line}", file=sys.stderr)


class ProgramBot:
    """A program on one seat of one game. It begins when it is asked first."""

    def __init__(self, name: str, setup: Setup | None = None) -> None:
        self.name = name
        self.command = command(name)
        self.setup = setup
        self.longest = 0.0
        """Seconds that it took for an answer, at most."""
        self._running: Running | None = None
        self._ending: weakref.finalize[..., ProgramBot] | None = None

    def choose(self, view: Position, dice: Dice) -> int:
        asked = question(view, dice, self.command.seconds, self.setup)
        try:
            running = self._running or self._begin(asked)
            began = time.monotonic()
            action = _answer(running, self.command, asked)
        except Forfeit:
            self.close()
            raise
        self.longest = max(self.longest, time.monotonic() - began)
        return action

    def _begin(self, asked: Question) -> Running:
        running = self._running = Running(self.command, partial(_note, self.command.name))
        self._ending = weakref.finalize(self, running.close)  # also where everything ends early
        _greet(running, self.command, asked)
        return running

    def close(self) -> None:
        self._running = None
        if self._ending:
            self._ending()


def anybody(name: str, setup: Setup | None = None) -> Bot:
    """The bot of that name, or the program: for who runs the command that names it, and for nobody else."""
    return ProgramBot(name, setup) if is_program(name) else bot(name)


@contextmanager
def seated(names: Sequence[str], ours: Sequence[Bot | None], setup: Setup) -> Iterator[list[Bot]]:
    """The players of one game, seat by seat: `ours` where there is one, else the program of that name. Every seat has one of its own, which
    learns of no other seat, and which ends with the game."""
    players: list[Bot] = [own or ProgramBot(name, setup) for name, own in zip(names, ours, strict=True)]
    programs = [player for player in players if isinstance(player, ProgramBot)]
    try:
        yield players
    finally:
        for program in programs:
            program.close()
