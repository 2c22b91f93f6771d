"""Actions of La Guerre des Moutons as short text.

A face is its four sides clockwise as letters (`rryk`; v village, f forest, k black, y yellow, r red, b blue), a wolf with a red
herd behind it is `wolf-r` and that herd `rrrr-wolf`. A place is counted from the village square (`n1e2`), and a laid face is
read from the north: `n1e2 yrrk`; where letters do not tell two rotations apart (other boxes may have such faces), the second has its
quarter turns: `n1e2 rbrb 2`. The numbers on the map do as well: `3`, or `3b` for the second rotation there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from sheepfold.core.errors import UnreadableAction
from sheepfold.core.position import Position
from sheepfold.games.guerre_des_moutons.actions import DEAL, DRAW, LAY, LAY_SPECIAL, ON_WOLF, PASS, PLACE
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH, place_cell
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import FACES, HUNTERS, LANDSCAPES, SHEPHERDS, SQUARE, WOLVES, Tiles

MOTIFS = "vfkyrb"
"""Letters of the motifs, in the order of the rules."""
COLOURS = MOTIFS[2:]
WORDS = ("pass", "retire", "done")
KEPT = 16
"""Sets of tiles whose letters are kept: the game's own, and those that people have entered lately."""


def guerre(view: Position) -> GuerreDesMoutons:
    """The view, as what it is."""
    assert isinstance(view, GuerreDesMoutons)
    return view


@lru_cache(KEPT)
def letters(tiles: Tiles) -> list[str]:
    """The sides of every face as letters."""
    return ["".join(MOTIFS[tiles.side[face * 16 + at]] for at in range(4)) for face in range(FACES)]


@lru_cache(KEPT)
def names(tiles: Tiles) -> list[str]:
    """What to type for every face; a second face with the same sides, or a second wolf with the same herd, gets a number."""
    faces = letters(tiles)
    texts = []
    for face in range(SHEPHERDS):
        if face < LANDSCAPES * 2:
            before = faces[:face].count(faces[face])
            texts.append(faces[face] if not before else f"{faces[face]}-{before + 1}")
        else:
            kind, first = ("wolf", WOLVES * 2) if face < HUNTERS * 2 else ("hunter", HUNTERS * 2)
            herd = faces[face - face % 2]
            before = faces[first : face - face % 2 : 2].count(herd)
            text = f"{herd}-{kind}" if face % 2 == 0 else f"{kind}-{herd[0]}"
            texts.append(text if not before else f"{text}-{before + 1}")
    return texts


def in_the_middle(face: int) -> Literal["", "well", "shepherd", "wolf", "hunter"]:
    """What stands in the middle of a face, beside its areas."""
    if face == SQUARE:
        return "well"
    if face >= SHEPHERDS:
        return "shepherd"
    if face >= WOLVES * 2 and face % 2:
        return "wolf" if face < HUNTERS * 2 else "hunter"
    return ""


def turned(face: str, turn: int) -> str:
    """The sides of a face from the north on, after so many quarter turns clockwise."""
    return face[4 - turn :] + face[: 4 - turn]


def place_name(cell: int) -> str:
    """Where a place is, counted from the village square: n1e2."""
    north, east = MIDDLE // WIDTH - cell // WIDTH, cell % WIDTH - MIDDLE % WIDTH
    text = (f"n{north}" if north > 0 else f"s{-north}" if north < 0 else "") + (f"e{east}" if east > 0 else f"w{-east}" if east < 0 else "")
    return text or "square"


def is_where(view: GuerreDesMoutons) -> bool:
    """Whether the second half of a play is to be decided: where."""
    return LAY <= view.stage <= LAY_SPECIAL


def cell_of(view: GuerreDesMoutons, action: int) -> int:
    """The cell that a 'where' action names."""
    if action >= PLACE:
        return int(place_cell(view.map.places[(action - PLACE) // 4]))
    face = (WOLVES + action - ON_WOLF) * 2 + 1
    return next(int(cell) for cell, laid in zip(view.map.laid_cell, view.map.laid_face, strict=True) if laid == face)


def numbered(view: GuerreDesMoutons) -> dict[int, list[int]]:
    """Where the chosen face can go: cell to actions, in reading order; the map numbers them from 1."""
    cells: dict[int, list[int]] = {}
    for action in view.legal():
        cells.setdefault(cell_of(view, action), []).append(action)
    return dict(sorted(cells.items()))


def write(view: GuerreDesMoutons, action: int) -> str:
    """The action as text."""
    faces = names(view.tiles)
    if view.drawing_first():
        return f"first {action + 1}"
    if view.stage == DEAL:
        return f"colour {COLOURS[action - SHEPHERDS]}"
    if view.stage == DRAW:
        return f"draw {faces[action * 2 if action < LANDSCAPES else action * 2 + 1]}"
    if action < SHEPHERDS:
        return faces[action]
    if action < PASS:
        return f"reveal {COLOURS[action - SHEPHERDS]}"
    if action < ON_WOLF:
        return WORDS[action - PASS]
    where = place_name(cell_of(view, action))
    if action < PLACE:
        return f"on {where}"
    face, turn = letters(view.tiles)[view.chosen], (action - PLACE) % 4
    alike = 1 if face == turned(face, 1) else 2 if face == turned(face, 2) else 4
    return f"{where} {turned(face, turn)}" + ("" if turn < alike else f" {turn}")


def labels(view: GuerreDesMoutons) -> dict[int, str]:
    """The numbers on the map by action, with a letter where a tile can be turned several ways."""
    places = numbered(view).values() if is_where(view) else ()
    return {
        action: f"{number}{'abcd'[index] if len(actions) > 1 else ''}"
        for number, actions in enumerate(places, start=1)
        for index, action in enumerate(actions)
    }


def read_number(view: GuerreDesMoutons, text: str) -> int | None:
    """The action for a number on the map, such as 3 or 3b; nothing if the text is no such number."""
    found = re.fullmatch(r"(\d+) ?([a-d]?)", text.strip().lower())
    if not found or not is_where(view):
        return None
    places = list(numbered(view).values())
    number = int(found[1])
    if not 1 <= number <= len(places):
        said = f"{text.strip()!r} is not on the map; its places are 1 to {len(places)}"
        raise UnreadableAction(said, "bad.off-map", text=text.strip(), most=len(places))
    actions = places[number - 1]
    rotations = ", ".join(f"{number}{'abcd'[index]} = {write(view, action)}" for index, action in enumerate(actions))
    if not found[2] and len(actions) > 1:
        raise UnreadableAction(f"the tile can be turned several ways there: {rotations}", "bad.rotations", rotations=rotations)
    index = "abcd".index(found[2]) if found[2] else 0
    if index >= len(actions):
        said = f"{text.strip()!r} is not possible here: {rotations}"
        raise UnreadableAction(said, "bad.rotation", text=text.strip(), rotations=rotations)
    return actions[index]
