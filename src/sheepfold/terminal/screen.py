"""The screen: text out, lines in. One place knows whether this is a terminal, how large it is and whether it has colours.

On a terminal a screenful replaces the one before; in a pipe the same text simply follows, without colours, and lines that are read are
echoed, so that a scripted game reads like a played one.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sheepfold import ansi
from sheepfold.core.errors import SheepfoldError
from sheepfold.terminal.layout import Size

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


LOOK_UP = 0.1
"""Seconds between two looks whether Ctrl+C was pressed, while a line is waited for."""


class EndOfInput(Exception):
    """Nobody types any more."""


def whole(text: str) -> int:
    """The number that was typed; one with more digits than anything here has is just very large."""
    return int(text) if len(text) < 10 else 10**9


def colours(stream: object) -> bool:
    """Whether text for this stream may carry colour codes."""
    isatty = getattr(stream, "isatty", lambda: False)
    return bool(isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Screen:
    """Standard output and input, as people see them."""

    def __init__(self) -> None:
        self.live = sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"
        """Whether a person sits here, so that screens may be cleared."""
        self.colour = colours(sys.stdout)
        self.alternate = False

    @property
    def size(self) -> Size:
        """As it is now: people change the size of their windows."""
        columns, rows = shutil.get_terminal_size((80, 24))
        return Size(max(40, columns), max(12, rows) if self.live else None)

    # Out.

    def show(self, text: str = "") -> None:
        """Print text that may have ink in it."""
        print(text if self.colour else ansi.plain(text))

    def show_all(self, lines: Sequence[str]) -> None:
        """Print lines, one below the other."""
        for line in lines:
            self.show(line)

    def pass_by(self, text: str) -> None:
        """Say something in the last line of a terminal, over what was said there before, so that nothing scrolls."""
        print(f"\r\x1b[K{text if self.colour else ansi.plain(text)}", end="", flush=True)

    def clear(self) -> None:
        """A fresh screen; in a pipe an empty line."""
        print("\x1b[H\x1b[2J" if self.live else "", end="" if self.live else "\n")

    def enter(self, alternate: bool) -> None:
        """Begin to play; the alternate screen leaves no hands behind that could be scrolled back to."""
        if alternate and self.live:
            self.alternate = True
            print("\x1b[?1049h", end="")

    def leave(self) -> None:
        """Back to the ordinary screen."""
        if self.alternate:
            self.alternate = False
            print("\x1b[?1049l", end="", flush=True)

    def console(self) -> Console:
        """A rich console for tables and Markdown; in a pipe nothing is cut."""
        from rich.console import Console

        width = self.size.columns if sys.stdout.isatty() else max(120, self.size.columns)
        return Console(width=width, force_terminal=self.colour, no_color=not self.colour, highlight=False)

    def rendered(self, thing: RenderableType) -> list[str]:
        """What rich makes of something, as lines."""
        console = self.console()
        with console.capture() as capture:
            console.print(thing)
        return capture.get().rstrip("\n").split("\n")

    # In.

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """One line from whoever plays; `words` are completed with the tab key."""
        sys.stdout.flush()
        if not self.live:
            print(prompt, end="", flush=True)
            with hearing_ctrl_c():
                line = sys.stdin.readline()
            if not line:
                print(flush=True)
                raise EndOfInput
            print("" if sys.stdin.isatty() else line.rstrip("\n"), end="" if sys.stdin.isatty() else "\n")
            return line.strip()
        _complete(words)
        try:
            with hearing_ctrl_c():
                return input(prompt).strip()
        except EOFError:
            print()
            raise EndOfInput from None

    def pages(self, lines: Sequence[str], more: str) -> None:
        """Show long text a screenful at a time; `more` is asked after each, and q ends it."""
        rows = self.size.rows
        size = rows - 2 if rows else max(1, len(lines))
        for first in range(0, max(1, len(lines)), size):
            self.clear()
            self.show_all(lines[first : first + size])
            if self.live and self.ask(more).lower() in ("q", "quit"):
                return


@contextmanager
def hearing_ctrl_c() -> Iterator[None]:
    """Wait for a line in here without losing Ctrl+C.

    Python answers a signal when the waiting is disturbed by it. One that comes a moment before the waiting begins, or is taken by
    another thread, disturbs nothing and would be heard only after the next key. Therefore a timer disturbs the waiting regularly.
    """
    if not hasattr(signal, "setitimer"):  # Windows tells Python of Ctrl+C in another way
        yield
        return
    signal.signal(signal.SIGALRM, lambda *_: None)  # stays: one that is still under way afterwards must do no harm
    signal.setitimer(signal.ITIMER_REAL, LOOK_UP, LOOK_UP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _complete(words: Sequence[str]) -> None:
    """Let the tab key complete one of these words, where Python has readline."""
    with suppress(ImportError):
        import readline

        readline.set_completer_delims("")
        readline.set_completer(_completer(words))
        readline.parse_and_bind("tab: complete")


def _completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    def complete(text: str, state: int) -> str | None:
        fitting = [word for word in words if word.startswith(text.lower())]
        return fitting[state] if state < len(fitting) else None

    return complete


def write(path: Path, text: str) -> None:
    """A whole file or none: what was there before stays where there is no room for the new. `-` is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
        return
    fresh = path.with_name(path.name + ".new") if path.is_file() or not path.exists() else path  # what is no file, as /dev/null, stays
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        if fresh != path:
            fresh.unlink(missing_ok=True)
        raise SheepfoldError(f"{path}: {error.strerror or error}") from None
