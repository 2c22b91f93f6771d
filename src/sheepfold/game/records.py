"""Records: a game as text that people can read and a program can replay.

A header (`key: value`, unknown keys are kept), an empty line, then one event per line: a seat counted from 1, `chance`, or
a seat with `!` for an interruption, and the action in the game's notation. A last line `sum:` guards against
damage; a record written by hand may leave it out. Reading replays the game, so a record that was read is sound.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from sheepfold.core.errors import BadRecord, SheepfoldError
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.game.component_file import EnteredFile, Source
from sheepfold.game.game import Setup

FIRST_LINE = "sheepfold record 1"
SETTLED = ("self", "seats", "component_file")
"""What a set-up takes beside options, so no option can have these names."""
OWN_KEYS = ("game", "seats", "options", "components", "component-file", "names", "result")


class Event(NamedTuple):
    """One thing that happened: who (a seat or CHANCE), the action, and whether it was out of turn."""

    who: int
    action: int
    interrupt: bool = False


def happen(position: Position, event: Event) -> None:
    """Apply an event, with all checks."""
    if event.interrupt:
        position.interrupt(event.who, event.action)
    else:
        position.apply(event.action)


@dataclass
class Record:
    """A game from its start to wherever it got."""

    setup: Setup
    events: list[Event] = field(default_factory=list)
    names: list[str] | None = None
    extra: dict[str, str] = field(default_factory=dict)
    """Header entries that are not the record's own: date, place, whatever was written."""

    def positions(self) -> Iterator[Position]:
        """The first position, then the one after each event. Each is the caller's to keep."""
        position = self.setup.start()
        yield position.copy()
        for event in self.events:
            happen(position, event)
            yield position.copy()

    def end(self, ply: int | None = None) -> Position:
        """The position after all events, or after the first `ply` of them."""
        position = self.setup.start()
        for event in self.events[:ply]:
            happen(position, event)
        return position


def write_record(record: Record) -> str:
    """The record as text."""
    setup = record.setup
    options = ", ".join(f"{name}={str(value).lower()}" for name, value in setup.changed_options().items())
    lines = [FIRST_LINE, f"game: {setup.game.name}", f"seats: {setup.seats}", f"options: {options}", f"components: {setup.digest}"]
    if isinstance(setup.component_file, EnteredFile):
        lines.append(f"component-file: {json.dumps([setup.component_file.name, setup.component_file.text], ensure_ascii=False)}")
    if record.names:
        lines.append(f"names: {', '.join(_plain(name) for name in record.names)}")
    events = []
    position = setup.start()
    for event in record.events:
        who = "chance" if event.who == CHANCE else f"{event.who + 1}{'!' if event.interrupt else ''}"
        events.append(f"{who} {setup.game.write(position, event.action)}")
        happen(position, event)
    if position.to_act == OVER:
        lines.append(f"result: {' '.join(str(score) for score in position.scores())}")
    lines += [f"{key}: {' '.join(value.split())}" for key, value in record.extra.items()]
    text = "\n".join([*lines, "", *events]) + "\n"
    return f"{text}sum: {_sum(text)}\n"


def _plain(name: str) -> str:
    return " ".join(name.replace(",", " ").split())


def _sum(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def read_record(text: str, component_file: Source | None = None) -> Record:
    """The record that a text holds, replayed from start to end; BadRecord says which line is wrong and why. One that was played with a
    component file of its own has it in its header, unless that file lay elsewhere: then it is to be given here."""
    lines = text.split("\n")
    if lines[0] != FIRST_LINE:
        found = lines[0][:40]
        raise BadRecord(1, f"a record starts with {FIRST_LINE!r}, this with {found!r}", "record.start", right=FIRST_LINE, found=found)
    header, body = _header(lines)
    setup = _setup(header, component_file)
    record = Record(setup, extra={key: value for key, (_, value) in header.items() if key not in OWN_KEYS})
    if "names" in header:
        line, value = header["names"]
        record.names = [name.strip() for name in value.split(",")]
        if len(record.names) != setup.seats:
            seats = setup.seats
            raise BadRecord(line, f"{seats} names are needed, one a seat, with commas between them", "record.names", seats=seats)
    position = setup.start()
    for number, content in _events(lines, body):
        record.events.append(_event(setup, position, number, content))
    if "result" in header:
        line, value = header["result"]
        if position.to_act != OVER:
            raise BadRecord(line, "there is a result, but the events end before the game does", "record.unfinished")
        right = " ".join(str(score) for score in position.scores())
        if " ".join(value.split()) != right:
            reason = f"the result is {value!r}, but the game as played ends {right!r}"
            raise BadRecord(line, reason, "record.result", found=value, right=right)
    return record


def _header(lines: list[str]) -> tuple[dict[str, tuple[int, str]], int]:
    header: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            return header, number
        key, colon, value = line.partition(":")
        if not colon or not key or key != key.strip().lower():
            found = line[:40]
            reason = f"expected 'key: value' or the empty line that ends the header, not {found!r}"
            raise BadRecord(number, reason, "record.header", found=found)
        if key in header:
            raise BadRecord(number, f"{key} stands here a second time", "record.twice", what=key)
        header[key] = (number, value.strip())
    raise BadRecord(len(lines), "the empty line that ends the header is missing", "record.no-gap")


def _setup(header: dict[str, tuple[int, str]], component_file: Source | None) -> Setup:
    from sheepfold.game.registry import find

    for key in ("game", "seats"):
        if key not in header:
            raise BadRecord(1, f"the header has no {key}", "record.missing", what=key)
    line = 1
    try:
        line, name = header["game"]
        game = find(name)
        line, seats = header["seats"]
        if not seats.isdecimal() or len(seats) > 3:
            raise BadRecord(line, f"seats must be a whole number, not {seats!r}", "record.seats", found=seats)
        game.setup(int(seats))
        line, text = header.get("options", (line, ""))
        options: dict[str, object] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            key, equals, value = part.partition("=")
            if not equals or key in options or key in SETTLED:
                raise BadRecord(line, f"options are written name=value, each once, not {part!r}", "record.options", found=part)
            options[key] = value
        if "component-file" in header:
            line, text = header["component-file"]
            component_file = _entered(text)
        setup = game.setup(int(seats), component_file, **options)
        line, digest = header.get("components", (line, setup.digest))
        if digest != setup.digest and digest not in game.same_components.get(setup.digest, ()):
            raise BadRecord(line, f"played with component file {digest}, but the one given here is {setup.digest}", "record.components")
        return setup
    except BadRecord:
        raise
    except SheepfoldError as error:
        raise BadRecord(line, str(error), error.key, **error.values) from None


def _entered(text: str) -> EnteredFile:
    try:
        name, content = json.loads(text)
    except (ValueError, RecursionError):
        name = content = None
    if not isinstance(name, str) or not name.isprintable() or not isinstance(content, str):
        raise SheepfoldError("a component file stands here as its name and its text, two JSON strings in a list")
    return EnteredFile(name, content)


def _events(lines: list[str], body: int) -> Iterable[tuple[int, str]]:
    """The numbered event lines; the `sum:` line, if there is one, is checked and must be the last."""
    last = len(lines) if lines[-1] else len(lines) - 1
    numbered = [(number, lines[number - 1]) for number in range(body + 1, last + 1)]
    for number, line in numbered:
        if line.startswith("sum:"):
            if number != last or lines[-1]:
                raise BadRecord(number, "nothing may follow the sum but the end of its line", "record.after-sum")
            if line != f"sum: {_sum(''.join(above + chr(10) for above in lines[: number - 1]))}":
                hint = "without this line the record is read as it is"
                raise BadRecord(number, f"the sum does not fit: something above was changed ({hint})", "record.sum")
            return numbered[:-1]
    return numbered


def _event(setup: Setup, position: Position, number: int, line: str) -> Event:
    who, _, text = line.partition(" ")
    if position.to_act == OVER:
        raise BadRecord(number, f"the game is over, nothing can follow: {line[:40]!r}", "record.over")
    expected = "chance" if position.to_act == CHANCE else str(position.to_act + 1)
    interrupt = who.endswith("!")
    seat = who.removesuffix("!")
    if interrupt and seat not in [str(number + 1) for number in range(setup.seats)]:
        raise BadRecord(number, f"{who!r} is no seat that could interrupt", "record.interrupt", found=who)
    if not interrupt and who != expected:
        raise BadRecord(number, f"{expected} is to act here, not {who!r}", "record.turn", right=expected, found=who)
    try:
        action = setup.game.read(position, text, int(seat) - 1 if interrupt else None)
        event = Event(int(seat) - 1 if interrupt else int(position.to_act), action, interrupt)
        happen(position, event)
    except SheepfoldError as error:
        raise BadRecord(number, str(error), error.key, **error.values) from None
    except ValueError as error:
        raise BadRecord(number, str(error)) from None
    return event
