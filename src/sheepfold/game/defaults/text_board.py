"""The default picture for a terminal: the players, then the game's outline, passage by passage, its grids as tables."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from sheepfold.ansi import ink, pad
from sheepfold.core.position import Position
from sheepfold.game.defaults.narration import own_passages, players
from sheepfold.game.game import Passage
from sheepfold.messages import Voice

if TYPE_CHECKING:
    from sheepfold.game.game import Game

INDENT = "  "
EMPTY = "·"


def text_picture(game: Game, view: Position, seat: int, width: int, voice: Voice) -> str:
    """The view as lines of text; who is to play stands out."""
    everybody = players(view, voice)
    lines = [ink(line, "bold") if number == view.to_act else line for number, line in enumerate(everybody.lines)]
    public, own = own_passages(game, view, seat, voice)
    blocks = ["\n".join(lines), *("\n".join(_passage(passage, width)) for passage in (*public, *own))]
    return "\n\n".join(blocks)


def _passage(passage: Passage, width: int) -> list[str]:
    lines = [INDENT + line for text in passage.lines for line in textwrap.wrap(text, width - len(INDENT)) or [""]]
    return [ink(passage.title[:width], "underline"), *lines, *(_grid(passage, width) if passage.rows else [])]


def _grid(passage: Passage, width: int) -> list[str]:
    """The rows below each other; where they are too wide, cells are cut."""
    rows = [["", *passage.columns], *([head, *(cell or EMPTY for cell in cells)] for head, *cells in passage.rows)]
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    while sum(wide) + len(INDENT) * len(wide) > width and max(wide) > 1:
        wide[wide.index(max(wide))] -= 1
    return [
        (INDENT + INDENT.join(pad(cell[:size], size) for cell, size in zip(row, wide, strict=True))).rstrip()
        for number, row in enumerate(rows)
        if number or any(row)
    ]
