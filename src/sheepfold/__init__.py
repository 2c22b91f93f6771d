"""Sheepfold: five sheep games, played from their rulebooks.

    >>> import sheepfold
    >>> setup = sheepfold.load("haste-bock", seats=4)
    >>> position = setup.start()

`position` is the whole state and the rules (`legal`, `apply`, `scores`, `seen_by` ...); `setup.game` knows notation,
pictures and words. `games.every_game()` has all games with their options; `bots.bot("ram")` plays (`choose`); a game as text is a
`game.records.Record`; `arena.simulate.simulate` plays many. docs/architecture.md tells the rest.
"""

from __future__ import annotations

import os
from pathlib import Path

if os.environ.get("SHEEPFOLD_PURE") == "1":
    from sheepfold import _pure

    _pure.install()

from sheepfold import games as games
from sheepfold.core.dice import Dice as Dice
from sheepfold.core.errors import AmbiguousAction as AmbiguousAction
from sheepfold.core.errors import SheepfoldError as SheepfoldError
from sheepfold.core.errors import UnreadableAction as UnreadableAction
from sheepfold.core.position import CHANCE as CHANCE
from sheepfold.core.position import EVERYTHING as EVERYTHING
from sheepfold.core.position import HIDDEN as HIDDEN
from sheepfold.core.position import OVER as OVER
from sheepfold.core.position import SPECTATOR as SPECTATOR
from sheepfold.core.position import IllegalAction as IllegalAction
from sheepfold.core.position import Position as Position
from sheepfold.game.game import Game as Game
from sheepfold.game.game import Setup as Setup
from sheepfold.game.show import show as show
from sheepfold.game.states import read_state as read_state
from sheepfold.game.states import write_state as write_state

__version__ = "0.2.0"


def load(name: str, seats: int | None = None, components: str | Path | None = None, **options: object) -> Setup:
    """A game, checked and ready: `load("haste-bock", seats=4).start()` is its first position."""
    return games.find(name).setup(seats, components, **options)


def compiled() -> bool:
    """Whether the rules run compiled."""
    from sheepfold.core import position

    return not str(position.__file__).endswith(".py")
