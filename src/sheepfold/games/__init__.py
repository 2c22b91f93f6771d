"""The games, found by name. `sheepfold.games()` lists them (`every_game()`, where types are checked: no checker lets a module be called);
a game's modules are imported when it is asked for."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from types import ModuleType

from sheepfold.core.errors import UnknownGame, nearest
from sheepfold.core.game import Game

NAMES = ("haste-bock", "shear-panic", "te-kuiti", "sheepzzz", "guerre-des-moutons")


@cache
def find(name: str) -> Game:
    """The game of that name; UnknownGame suggests the nearest."""
    wanted = "-".join(name.lower().replace("_", "-").split()).strip("?!")
    if wanted not in NAMES:
        raise UnknownGame(f"there is no game {name!r}.{nearest(wanted, NAMES)}")
    game = import_module(f"sheepfold.games.{wanted.replace('-', '_')}").GAME
    assert isinstance(game, Game)
    return game


def every_game() -> list[Game]:
    """All games, in the order of the shelf."""
    return [find(name) for name in NAMES]


class _Callable(ModuleType):
    """This package can also be called, so that both sheepfold.games() and sheepfold.games.haste_bock work."""

    def __call__(self) -> list[Game]:
        return every_game()


sys.modules[__name__].__class__ = _Callable
