"""Component files: what is printed on cards, tiles and tracks, as TOML that an owner of the box can correct.

Every table says where its values come from (`source = "rulebook" | "public" | "reconstructed"`). A game reads its file
through `ComponentFile`, which names the place of whatever is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NoReturn

from sheepfold.core.errors import BadComponents, listed, nearest

SOURCES = ("rulebook", "public", "reconstructed")


@dataclass(frozen=True)
class EnteredFile:
    """A component file by its text, as somebody entered it who has the box: it goes wherever its game goes, with its table and record."""

    name: str
    text: str

    def __str__(self) -> str:
        return self.name


Source = str | Path | EnteredFile
"""Where components are read from: a file, or what would stand in one."""

TABLE = re.compile(r"\s*\[([\w.-]+)\]")
ENTRY = re.compile(r"\s*\"?([\w.-]+)\"?\s*=")


def _lines_of(text: str) -> dict[str, int]:
    """On which line every table and every entry begins, by dotted place."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if head := TABLE.match(line):
            table = head[1]
            found.setdefault(table, number)
        elif entry := ENTRY.match(line):
            found.setdefault(f"{table}.{entry[1]}" if table else entry[1], number)
    return found


class ComponentFile:
    """A component file that has been read, with questions that answer or say what is wrong and where."""

    def __init__(self, path: Source, tables: Iterable[str]) -> None:
        """`tables` are the names of the tables that the file must have, and all that it may have."""
        self.path = Path(str(path))
        try:
            raw = path.text.encode("utf-8", "surrogatepass") if isinstance(path, EnteredFile) else self.path.read_bytes()
        except OSError as error:
            raise BadComponents(f"{self.path}: {error.strerror or error}") from None
        try:
            self.text = raw.decode()
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise BadComponents(f"{self.path}: not a TOML file: {error}") from None
        self.digest = blake2b(raw, digest_size=4).hexdigest()
        self.lines = _lines_of(self.text)
        names = list(tables)
        for name in names:
            if not isinstance(self.data.get(name), dict):
                self.fail(name, f"the table is missing; the tables of this game are {listed(names, 'and')}")
            if self.data[name].get("source") not in SOURCES:
                self.fail(f"{name}.source", f"must be {listed(SOURCES)}, not {self.data[name].get('source')!r}")
        for name in self.data:
            if name not in names:
                self.fail(name, f"unknown; the tables of this game are {listed(names, 'and')}")

    def fail(self, where: str, problem: str) -> NoReturn:
        """Refuse the file for what stands at `where`, or for what is missing there."""
        line = self.line_of(where)
        raise BadComponents(f"{self.path.name}{f', line {line}' if line else ''}: {where}: {problem}")

    def line_of(self, where: str) -> int | None:
        """The line of `table`, `table.key` or `table.key[index]`, as near as it is found; nothing where not even the table is there."""
        place, bracket, index = where.partition("[")
        while place not in self.lines and "." in place:
            place, bracket = place.rpartition(".")[0], ""
        line = self.lines.get(place)
        if line is None or not bracket:
            return line
        values = _value_lines("\n".join(self.text.splitlines()[line - 1 :]).partition("=")[2])
        number = int(index.partition("]")[0])
        return line + (values[number] if number < len(values) else 0)

    def get(self, where: str, wanted: str = "") -> Any:
        """The value at a dotted place; `wanted` says what ought to be there."""
        value: Any = self.data
        for part in where.split("."):
            if not isinstance(value, dict) or part not in value:
                self.fail(where, f"is missing; it must be {wanted}" if wanted else "is missing")
            value = value[part]
        return value

    def whole(self, where: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        return self._whole(where, self.get(where, f"a whole number from {least} to {most}"), least, most)

    def wholes(self, where: str, least: int, most: int, count: int | None = None) -> list[int]:
        """A list of whole numbers within bounds, and of a given length if one is given."""
        values = self.get(where, f"a list of whole numbers from {least} to {most}")
        if not isinstance(values, list):
            self.fail(where, f"must be a list of whole numbers, not {values!r}")
        if count is not None and len(values) != count:
            self.fail(where, f"must have {count} numbers, not {len(values)}")
        return [self._whole(f"{where}[{index}]", value, least, most) for index, value in enumerate(values)]

    def words(self, where: str, allowed: Iterable[str] | None = None) -> list[str]:
        """A list of words, each of them allowed and none of them twice if the allowed ones are given."""
        values = self.get(where)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.fail(where, f"must be a list of words in quotation marks, not {values!r}")
        if allowed is not None:
            names = list(allowed)
            for index, value in enumerate(values):
                if value not in names:
                    self.fail(f"{where}[{index}]", f"must be {listed(names)}, not {value!r}")
                if value in values[:index]:
                    self.fail(f"{where}[{index}]", f"{value!r} is there twice")
        return values

    def only(self, table: str, names: Iterable[str]) -> None:
        """Refuse whatever a table has beside its source and these names: a misspelt entry would count for nothing."""
        known = list(names)
        for name in self.data[table]:
            if name != "source" and name not in known:
                self.fail(f"{table}.{name}", f"unknown.{nearest(name, known)}")

    def _whole(self, where: str, value: Any, least: int, most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.fail(where, f"must be a whole number from {least} to {most}, not {value!r}")
        return value


def with_value(text: str, where: str, value: str, name: str) -> str:
    """The text of a component file with another value, written as TOML, at a place: `panic.spaces` is the entry `spaces` of `[panic]`."""
    try:
        tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        raise BadComponents(f'{where}: {value} is no value that TOML knows, such as 3, [1, 2] or "word"') from None
    first = _lines_of(text).get(where)
    if first is None:
        known = [place for place in _lines_of(text) if "." in place and not place.endswith(".source")]
        raise BadComponents(f"{name}: there is nothing at {where!r}.{nearest(where, known)}")
    lines = text.splitlines()
    last = first
    while not _is_toml("\n".join(lines[first - 1 : last])) and last < len(lines):
        last += 1
    written = lines[first - 1].partition("=")[0]
    return "\n".join([*lines[: first - 1], f"{written}= {value}", *lines[last:]]) + "\n"


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _value_lines(text: str) -> list[int]:
    """Of the list that the text begins with: on which line, from 0, each of its values stands."""
    found: list[int] = []
    line = depth = 0
    fresh = False  # whether a value of the list itself may begin here
    for piece in re.findall(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|\n|[^\s]', text):
        if piece == "\n":
            line += 1
        elif piece == "]":
            depth -= 1
            if depth <= 0:
                break
        elif piece == "," and depth == 1:
            fresh = True
        elif not piece.startswith("#"):
            if fresh and depth == 1:
                found.append(line)
                fresh = False
            if piece == "[":
                depth += 1
                fresh = depth == 1
    return found
