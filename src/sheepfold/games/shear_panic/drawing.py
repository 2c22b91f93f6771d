"""A flock drawn as text: one word a place, a dot or a colour's letter (b y g r k). Sheep that are not drawn are shorn.

The first seat is to play; `facing`, `counter` and `seats` may be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheepfold.games.flock import DIRECTION_NAMES
from sheepfold.games.shear_panic.rules import ShearPanic

LETTERS = "bygrk"


def draw(position: ShearPanic, drawing: Sequence[str], facts: Mapping[str, str]) -> ShearPanic:
    """The position, with that flock on its plain."""
    places: list[tuple[int, int] | None] = [None] * 9
    for row, line in enumerate(drawing):
        for column, word in enumerate(line.split()):
            if word != ".":
                sheep = 2 * LETTERS.index(word)
                places[sheep if places[sheep] is None else sheep + 1] = row, column
    position.arrange(places, DIRECTION_NAMES.index(facts.get("facing", "n")), int(facts.get("counter", "0")), 0)
    return position
