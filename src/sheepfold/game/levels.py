"""Levels: how the bots of a game are set, a line each for `search`, for every level that people choose from, and for who gives hints.

A game's own lines stand in levels.toml in its folder and replace the usual ones here, each for itself. `sheepfold.bots` reads the
lines (docs/bots.md); what ours were measured at stands there too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from sheepfold.core.errors import BadGame, nearest

USUAL: Mapping[str, str] = {
    "search": "",
    "lamb": "greedy:1:decisions=1:warmth=2:slack=0.5",
    "ewe": "greedy:1:warmth=2:slack=0.2",
    "ram": "greedy:4",
    "bellwether": "plain:2000",
    "adviser": "plain:2000:seconds=2",
}
"""The weakest level first. `search` has what `search:N` adds to a search that knows nothing of the game; `adviser` gives hints."""


def read_levels(folder: Path) -> Mapping[str, str]:
    """The lines of the game in that folder; BadGame says which of them nobody would read."""
    path = folder / "levels.toml"
    if not path.exists():
        return USUAL
    try:
        own = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadGame(f"{path}: {error}") from None
    for name, line in own.items():
        if name not in USUAL:
            raise BadGame(f"{path}: {name!r} is no level.{nearest(name, USUAL)}")
        if not isinstance(line, str):
            raise BadGame(f'{path}: {name} is a line of text, as in {name} = "greedy:4", not {line!r}')
    return {**USUAL, "adviser": _in_time(own.get("bellwether", USUAL["bellwether"])), **own}


def _in_time(line: str) -> str:
    """The same bot, so that nobody waits long for it: who looks one turn ahead is quick, others stop."""
    return line if line.startswith("greedy") else f"{line}:seconds=2"
