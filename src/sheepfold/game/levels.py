"""Levels: how the bots of a game are set, a line each for `search`, for every level that people choose from, and for who gives hints.

A game's own lines stand in levels.toml in its folder and replace the usual ones here, each for itself; what is different with two players
stands below `[seats-2]`, and so on. `sheepfold.bots` reads the lines (docs/bots.md); what ours were measured at stands there too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from sheepfold.core import position
from sheepfold.core.errors import BadGame, nearest

USUAL: Mapping[str, str] = {
    "search": "",
    "lamb": "greedy:1:decisions=1:warmth=2:slack=0.5",
    "ewe": "greedy:1:warmth=2:slack=0.2",
    "ram": "greedy:4",
    "bellwether": "plain:2000",
    "adviser": "plain:2000:seconds=2",
    "bellwether-1": "plain:2000",
}
"""The weakest level first. `search` has what `search:N` adds to a search that knows nothing of the game; `adviser` gives hints;
`bellwether-1` is what the strongest level once was, and stays so: others are measured by it."""
SEATS = "seats-"
COMPILED = not str(position.__file__).endswith(".py")
"""Whether rules and searches are; else they are some thirty times slower."""


def read_levels(folder: Path) -> Mapping[str, str]:
    """The lines of the game in that folder; BadGame says which of them nobody would read."""
    path = folder / "levels.toml"
    try:
        own = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:
        raise BadGame(f"{path}: {error}") from None
    found = dict(USUAL)
    for name, line in own.items():
        seats = name.removeprefix(SEATS)
        if name.startswith(SEATS) and seats.isdecimal() and isinstance(line, dict):
            found |= {for_seats(level, int(seats)): _checked(path, level, each) for level, each in line.items()}
        else:
            found[name] = _checked(path, name, line)
    strongest = {name: _in_time(line) for name, line in found.items() if name.partition(" ")[0] == "bellwether"}
    if not COMPILED:  # its simulations would take half a minute
        found |= strongest
    if "adviser" not in own:
        found |= {name.replace("bellwether", "adviser"): line for name, line in strongest.items()}
    return found


def _in_time(line: str) -> str:
    """The same bot, so that nobody waits long for it: who looks one turn ahead is quick, others stop."""
    return line if line.startswith("greedy") else f"{line}:seconds=2"


def for_seats(name: str, seats: int) -> str:
    """The name of a line that stands for so many players only."""
    return f"{name} {SEATS}{seats}"


def line_for(levels: Mapping[str, str], name: str, seats: int) -> str:
    """The line of a level with so many players."""
    return levels.get(for_seats(name, seats), levels[name])


def _checked(path: Path, name: str, line: object) -> str:
    if name not in USUAL:
        raise BadGame(f"{path}: {name!r} is no level.{nearest(name, USUAL)}")
    if not isinstance(line, str):
        raise BadGame(f'{path}: {name} is a line of text, as in {name} = "greedy:4", not {line!r}')
    return line
