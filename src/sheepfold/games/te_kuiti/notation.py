"""Te Kuiti in short text: a cell is a column a to e and a row 1 to 5 from the top, an edge is a cell and a side.

An edge is written from the cell above or to the left of it (`b3 e`, not `c3 w`); only the top and left border have
no such cell. Reading takes either cell, either order of a pair, and leaves out what goes without saying (`c4`, `b3e`).
"""

from __future__ import annotations

import re

from sheepfold.games.te_kuiti.components import KIND_NAMES
from sheepfold.games.te_kuiti.rules import (
    DONE,
    FACE,
    FIRST,
    GIVE_UP,
    PAIR_FIRST,
    PAIR_SECOND,
    RAMMING,
    REMOVE,
    TAKE,
    TURN,
    TURNING,
    TeKuiti,
    edge_at,
)

SIDES = "nesw"


def cell_name(cell: int) -> str:
    """'c4' for the third column, fourth row."""
    return f"{'abcde'[cell % 5]}{cell // 5 + 1}"


def cell_called(name: str) -> int:
    """The cell of a name that has been checked."""
    return "abcde".index(name[0]) + 5 * (int(name[1]) - 1)


def cell_and_side(edge: int) -> tuple[int, int]:
    """The cell and the side by which an edge is called."""
    if edge < 30:
        return (edge, 0) if edge < 5 else (edge - 5, 2)
    row, line = divmod(edge - 30, 6)
    return (5 * row, 3) if line == 0 else (5 * row + line - 1, 1)


def edge_name(edge: int) -> str:
    """'b3 e' for the edge at the east side of b3."""
    cell, side = cell_and_side(edge)
    return f"{cell_name(cell)} {SIDES[side]}"


def face_name(face: int) -> str:
    """'shy', or 'shy n' with a flower at the north side."""
    kind, flower = divmod(face, 5)
    return f"{KIND_NAMES[kind]} {SIDES[flower - 1]}" if flower else KIND_NAMES[kind]


def write(action: int) -> str:
    """The one spelling of an action."""
    if action < REMOVE:
        return f"fence {edge_name(action)}"
    if action < TURN:
        return f"remove {edge_name(action - REMOVE)}"
    if action < TAKE:
        return f"turn {cell_name(action - TURN)}"
    if action < DONE:
        return f"take {cell_name(PAIR_FIRST[action - TAKE])} {cell_name(PAIR_SECOND[action - TAKE])}"
    if action == DONE:
        return "done"
    if action == GIVE_UP:
        return "give up"
    if action < FIRST:
        return face_name(action - FACE)
    return f"first {action - FIRST + 1}"


_EDGE = re.compile(r"(?:(fence|remove) ?)?([a-e][1-5]) ?(n|north|e|east|s|south|w|west)")
_CELL = re.compile(r"(?:turn ?)?([a-e][1-5])")
_PAIR = re.compile(r"(?:take ?)?([a-e][1-5]) ?([a-e][1-5])")


def canonical(view: TeKuiti, text: str) -> str:
    """A tidy text in the spelling that `write` uses, where it is a looser one; else as it is."""
    if edge := _EDGE.fullmatch(text):
        verb = edge[1] or ("remove" if view.stage == RAMMING else "fence")
        return f"{verb} {edge_name(edge_at(cell_called(edge[2]), SIDES.index(edge[3][0])))}"
    if (cell := _CELL.fullmatch(text)) and view.stage == TURNING:
        return f"turn {cell[1]}"
    if pair := _PAIR.fullmatch(text):
        one, other = sorted((cell_called(pair[1]), cell_called(pair[2])))
        return f"take {cell_name(one)} {cell_name(other)}"
    return text


REASONS = {
    "no-tile": "there is no tile any more",
    "enclosed": "an enclosed tile cannot be turned",
    "face-up": "that tile is face up already",
    "fenced": "a fence stands there already",
    "no-fence": "no fence stands there",
}
"""Why something cannot be done, for programs; players read `bad.NAME`."""


def why_not(view: TeKuiti, text: str) -> str | None:
    """What stands in the way of a canonical text, where a player would wonder: the name of a reason."""
    if (cell := _CELL.fullmatch(text)) and view.stage == TURNING:
        index = cell_called(cell[1])
        if not view.has_tile(index):
            return "no-tile"
        if view.enclosed(index):
            return "enclosed"
        if view.face_up(index):
            return "face-up"
    if edge := _EDGE.fullmatch(text):
        fenced = view.fenced(edge_at(cell_called(edge[2]), SIDES.index(edge[3][0])))
        if edge[1] == "fence" and fenced and view.stage != RAMMING:
            return "fenced"
        if edge[1] == "remove" and not fenced and view.stage == RAMMING:
            return "no-fence"
    return None
