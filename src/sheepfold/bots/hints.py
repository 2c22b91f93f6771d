"""Why a bot would do what it would do, in a sentence for the player who asked for a hint.

What search knows is how often it wins after each choice; so the sentence says that of the best and of the next, and what the
choice brings at once where that is certain.
"""

from __future__ import annotations

from collections.abc import Sequence

from sheepfold.core.dice import Dice
from sheepfold.core.position import Position
from sheepfold.messages import Voice

CLOSE = 0.02
"""Two choices whose values differ by no more than this are as good as each other."""


def why(view: Position, thoughts: Sequence[tuple[int, float]], voice: Voice) -> str:
    """The reason for the first of a bot's thoughts; empty where there was nothing to choose."""
    if len(thoughts) < 2:
        return ""
    (action, value), (_, other) = thoughts[:2]
    how = "close" if value - other <= CLOSE else "clear"
    sentence = voice.say(f"why.{how}", percent=round(100 * value), other=round(100 * other))
    points = points_at_once(view, action)
    return f"{voice.say('why.points', count=points)} {sentence}" if points > 0 else sentence


def points_at_once(view: Position, action: int) -> int:
    """The points that an action brings its player whatever is hidden: the least of a few guesses, before any dice."""
    mover = view.to_act
    found = []
    for number in range(4):
        world = view.determinize(Dice("hint").split(number))
        before = world.scores()[mover]
        world.advance(action)
        found.append(int(world.scores()[mover] - before))
    return min(found)
