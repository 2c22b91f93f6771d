"""A pasture drawn as text: one word a field, a dot, a colour's letter (the first of a colour in reading order is 1) or a sheep's name.

The drawing's upper left field is row 3, column 3. Sheep that are not drawn stand out of the way, in the south-east corner. The first
seat is to choose a card; `facing` and `timer` may be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheepfold.games.flock import DIRECTION_NAMES, SHEEP_NAMES
from sheepfold.games.haste_bock.rules import CARD, HasteBock, cell_at

AT = 2
"""Row and column of the drawing's first field, counted from 0."""


def draw(position: HasteBock, drawing: Sequence[str], facts: Mapping[str, str]) -> HasteBock:
    """The position, with that flock on its pasture."""
    places: dict[str, tuple[int, int]] = {}
    for row, line in enumerate(drawing):
        for column, word in enumerate(line.split()):
            if word != ".":
                name = word if word in SHEEP_NAMES else f"{word}2" if f"{word}1" in places else f"{word}1"
                places[name] = AT + row, AT + column
    corner = [(row, column) for row in (8, 7, 6) for column in (8, 7, 6) if (row, column) not in places.values()]
    for name in SHEEP_NAMES:
        if name not in places:
            places[name] = corner.pop(0)
    position.stand([cell_at(*places[name]) for name in SHEEP_NAMES])
    position.fights = 0
    position.facing = DIRECTION_NAMES.index(facts.get("facing", "n"))
    position.timer = int(facts.get("timer", "0"))
    position.stage = CARD
    position.turn = position.to_act = 0
    return position
