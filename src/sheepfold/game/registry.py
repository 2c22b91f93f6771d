"""The shelf: every game that is installed, found by name.

A package brings a game by an entry point in the group `sheepfold.games`, name = "package.module:GAME"; ours come the same way. A game's
modules are imported when it is asked for. A game that cannot be imported is left off the shelf and named in the log, so that one broken
package does not take the others with it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from sheepfold.core.errors import BadGame, UnknownGame, nearest
from sheepfold.core.position import Position
from sheepfold.core.sequential import unwrapped
from sheepfold.game.game import STARTED, Game

GROUP = "sheepfold.games"
log = logging.getLogger("sheepfold")
_here: dict[str, Game] = {}
"""Games that this process brought by itself (`added`)."""


@cache
def _installed() -> dict[str, EntryPoint]:
    """The entry points by name. Of two packages with the same name for a game the first one found counts, as for imports."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return found


def names() -> list[str]:
    """The names of all games, in the order of the shelf."""
    return [game.name for game in every_game()]


def find(name: str) -> Game:
    """The game of that name; UnknownGame suggests the nearest, BadGame says why a package's game cannot be had."""
    wanted = "-".join(name.lower().replace("_", "-").split()).strip("?!")
    if wanted in _here:
        return _here[wanted]
    if wanted not in _installed():
        if not _installed():
            raise UnknownGame(
                f"there is no game {name!r}: no game is installed at all, so sheepfold has to be installed again (pip install)"
            )
        raise UnknownGame(f"there is no game {name!r}.{nearest(wanted, names())}")
    return _loaded(wanted)


@cache
def _loaded(name: str) -> Game:
    entry = _installed()[name]
    try:
        game = entry.load()
    except Exception as error:
        raise BadGame(f"the game {name!r} ({entry.value}) cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game) or getattr(game, "name", "") != name:
        raise BadGame(f"the entry point {name!r} of {GROUP} must name a Game called {name!r}; {entry.value} is {type(game).__name__}")
    for what in ("title", "seats"):
        if not getattr(game, what, None):
            raise BadGame(f"the game {name!r} ({entry.value}) has no {what}")
    if game.colours and len(game.colours) < game.seats[-1]:
        raise BadGame(f"the game {name!r} ({entry.value}) has more seats than colours; colours = () marks no seat")
    return game


@cache
def _shelf() -> tuple[Game, ...]:
    games = []
    for name in _installed():
        try:
            games.append(_loaded(name))
        except BadGame as error:
            log.error("%s", error)
    return tuple(sorted(games, key=lambda game: (game.shelf, game.title)))


def every_game() -> list[Game]:
    """All games, in the order of the shelf."""
    return [*(game for game in _shelf() if game.name not in _here), *_here.values()]


def game_of(position: Position) -> Game | None:
    """The game whose rules a position follows: the one that started such a position, else the one whose module or package has its class."""
    rules = type(unwrapped(position))
    return STARTED.get(rules) or _neighbour(rules.__module__)


@cache
def _neighbour(module: str) -> Game | None:
    """The game that is at home in a module, or in the package round it."""
    for home in (_module, _package):
        for game in _shelf():
            if home(game) and f"{module}.".startswith(f"{home(game)}."):
                return game
    return None


def _module(game: Game) -> str:
    return type(game).__module__


def _package(game: Game) -> str:
    return sys.modules[_module(game)].__package__ or ""


def add(game: Game) -> None:
    """Let the game be found by name in this process: for notebooks and tests, where nothing is installed."""
    _here[game.name] = game


@contextmanager
def added(game: Game) -> Iterator[Game]:
    """The same while it lasts."""
    add(game)
    try:
        yield game
    finally:
        del _here[game.name]
