"""Ledger: a file that grows by a line for whatever is done, so that a run that was stopped goes on.

Its first line says what is played, every other line is one thing that was done, as JSON. A line that was being written when everything
stopped is cut off; a full disk ends the run in one sentence, and what stands in the file stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from sheepfold.core.errors import SheepfoldError

Row = TypeVar("Row")


class Ledger:
    """The file at a path; without one nothing is kept."""

    def __init__(self, path: Path | None, about: dict[str, Any], what: str) -> None:
        """`about` is what its first line says, `what` is what a file with another first line is called."""
        self.path = path
        self._lines: list[str] = []
        if path is None:
            return
        header = json.dumps(about, sort_keys=True)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            whole = path.read_bytes() if path.exists() else b""
            end = whole.rfind(b"\n") + 1
            if end < len(whole):
                with path.open("r+b") as file:
                    file.truncate(end)
        except OSError as error:
            raise SheepfoldError(f"{path}: {error.strerror or error}") from None
        if not end:
            append(path, header + "\n")
            return
        first, *self._lines = whole[: end - 1].decode("utf-8", "replace").split("\n")
        if first != header:
            raise SheepfoldError(f"{path} holds another {what}: {first[:200]}; give another folder or remove it")

    def rows(self, read: Callable[[Any], Row], what: str) -> Iterator[Row]:
        """What the file held when it was opened; `what` is what a line should be."""
        for number, line in enumerate(self._lines, start=2):
            try:
                yield read(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise SheepfoldError(f"{self.path}: line {number} is no {what}; without that line the rest goes on") from None

    def add(self, rows: Iterable[object]) -> None:
        """More of them."""
        if self.path:
            append(self.path, "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))


def append(path: Path, text: str) -> None:
    """Write at the end of a file; where that cannot be, say so, and that nothing is lost."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise SheepfoldError(f"{path}: {error.strerror or error}; what is in it is kept, and the same command goes on from there") from None
