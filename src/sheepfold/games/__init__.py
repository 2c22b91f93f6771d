"""Our five games, a folder each. They come through the same door as anybody's: `sheepfold.game.registry` finds them by their entry points.

`sheepfold.games()` lists all that are installed (`every_game()`, where types are checked: no checker lets a module be called).
"""

from __future__ import annotations

import sys
from types import ModuleType

from sheepfold.game.game import Game
from sheepfold.game.registry import every_game as every_game
from sheepfold.game.registry import find as find


class _Callable(ModuleType):
    """This package can also be called, so that both sheepfold.games() and sheepfold.games.haste_bock work."""

    def __call__(self) -> list[Game]:
        return every_game()


sys.modules[__name__].__class__ = _Callable
