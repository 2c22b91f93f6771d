"""A decision as plain values that go over any wire: what a viewer knows in words, what is expected, and what can be done.

Pages, bots in any language and language models are told the same, by the same few lines; all of it is made from a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sheepfold.core.position import Position
from sheepfold.game.game import Game
from sheepfold.messages import Voice


def outlined(game: Game, view: Position, viewer: int, voice: Voice) -> list[dict[str, Any]]:
    """What is on the table, in words, thing by thing."""
    return [vars(passage) for passage in game.outline(view, viewer, voice)]


def choices(game: Game, view: Position, actions: Sequence[int], voice: Voice) -> list[dict[str, Any]]:
    """Actions: what to write, what that means, and what it brings in one's own turn, where it does."""
    own = view.viewer == view.to_act
    return [
        {
            "action": game.write(view, action),
            "label": game.describe(view, action, voice),
            **({"gain": gain} if own and (gain := game.gain(view, action)) else {}),
        }
        for action in actions
    ]
