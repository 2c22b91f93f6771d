"""Haste Bock? drawn for a terminal."""

from __future__ import annotations

from sheepfold.games.flock import SHEEP, SHEEP_NAMES
from sheepfold.games.haste_bock.rules import SET_UP, SIDE, HasteBock, cell_at
from sheepfold.words import Voice


def text_picture(view: HasteBock, seat: int, width: int, voice: Voice) -> str:
    """The pasture, the timer, the cards and the points."""
    rows = []
    for row in range(SIDE):
        cells = [view.board[cell_at(row, column)] for column in range(SIDE)]
        rows.append(" ".join(SHEEP_NAMES[what].ljust(2) if what < SHEEP and view.stage != SET_UP else ". " for what in cells))
    return "\n".join(rows)
