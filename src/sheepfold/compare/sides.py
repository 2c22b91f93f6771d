"""Sides: what is compared. A side is a game's options, its components and who plays; the command line says how it differs.

    some-option=yes                       an option, as with --option
    components=own.toml                   a component file, as with --components
    panic.spaces=[3, 40]                  one value of it: an entry of a table, written as TOML
    bots=ram,lamb                         who plays, as with --bots: one for all seats, or one for each

Several are separated by commas. What a side does not say is what both sides have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sheepfold.bots import bot
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.component_file import EnteredFile, with_value
from sheepfold.game.game import Game, Setup
from sheepfold.game.registry import find

ENTRY = re.compile(r"\s*([\w.-]+)\s*=(.*)", re.S)
HOW = "name=value, several separated by commas: an option, components=FILE, table.entry=VALUE or bots=A,B"


@dataclass(frozen=True)
class Side:
    """Plain values, so that any process can be told and a file can say it."""

    options: tuple[tuple[str, bool | int | str], ...] = ()
    """Those that are not at their default."""
    components: tuple[str, str] | None = None
    """What the components are called and the text of their file, where they are not the game's own."""
    bots: tuple[str, ...] = ()
    """Seat by seat."""

    def setup(self, game: str, seats: int) -> Setup:
        """What every game of it starts from."""
        return find(game).setup(seats, EnteredFile(*self.components) if self.components else None, **dict(self.options))

    def label(self, other: Side) -> str:
        """How it differs from the game as it is, or by its bots from the other side; empty where it does not."""
        parts = [f"{name}={str(value).lower()}" for name, value in self.options]
        if self.components:
            parts.append(self.components[0])
        if self.bots != other.bots:
            parts.append(",".join(self.bots if len(set(self.bots)) > 1 else self.bots[:1]))
        return ", ".join(parts)


def entries(text: str) -> list[tuple[str, str]]:
    """Names and values of a side. A comma inside brackets, or before what is no name=value, belongs to the value."""
    found: list[tuple[str, str]] = []
    depth = 0
    for part in text.split(","):
        entry = ENTRY.fullmatch(part)
        if depth == 0 and entry:
            found.append((entry[1], entry[2].strip()))
        elif found:
            name, value = found[-1]
            found[-1] = (name, f"{value},{part}")
        elif part.strip():
            raise SheepfoldError(f"{part.strip()!r} says nothing of a side; it is {HOW}")
        depth += sum(part.count(bracket) for bracket in "[{") - sum(part.count(bracket) for bracket in "]}")
    return found


def side(
    game: Game, seats: int | None, text: str, options: Mapping[str, object], components: str | None, bots: Sequence[str], where: str
) -> tuple[Side, Setup]:
    """The side that a text describes, on top of what both sides have, checked; `where` is how the text is called."""
    try:
        return _side(game, seats, text, options, components, bots)
    except SheepfoldError as error:
        raise SheepfoldError(f"{where}: {error}" if text and where else str(error)) from None


def _side(
    game: Game, seats: int | None, text: str, options: Mapping[str, object], components: str | None, bots: Sequence[str]
) -> tuple[Side, Setup]:
    chosen, players, values = dict(options), list(bots), []
    for name, value in entries(text):
        if not value:
            raise SheepfoldError(f"{name}= has no value; a side is {HOW}")
        if name == "bots":
            players = [each.strip() for each in value.split(",") if each.strip()]
        elif name == "components":
            components = value
        elif name == "seats":
            raise SheepfoldError("both sides are played by as many: give --seats beside them")
        elif "." in name:
            values.append((name, value))
        else:
            chosen[name] = value
    file = _components(game, components, values)
    setup = game.setup(seats, EnteredFile(*file) if file else None, **chosen)
    return Side(tuple(setup.changed_options().items()), file, seated(players, setup.seats)), setup


def _components(game: Game, path: str | None, values: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """What the components are called, and their file's text; None where they are the game's own."""
    if path is None and not values:
        return None
    if path is not None:
        game.read_components(path)  # says by its whole path what is wrong with it
        name, text = Path(path).name, Path(path).read_text(encoding="utf-8")
    else:
        if game.printed is None:
            raise SheepfoldError(f"{game.title} has no component file whose values could be changed")
        name, text = "", game.printed
    for where, value in values:
        text = with_value(text, where, value, name or "components.toml")
    return ", ".join([name] * bool(name) + [f"{where}={value}" for where, value in values]), text


def seated(bots: Sequence[str], seats: int) -> tuple[str, ...]:
    """Seat by seat: one is for all."""
    names = tuple(bots) * (seats if len(bots) == 1 else 1)
    if len(names) != seats:
        raise SheepfoldError(f"{seats} seats need {seats} bots, or one for all, not {len(names)}")
    for name in names:
        bot(name)
    return names
