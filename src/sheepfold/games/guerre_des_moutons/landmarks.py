"""Where a place is, as people say it: by the nearest thing on the table that everybody can point at ('north of the red shepherd').

Such a thing is there only once: the village square, each colour's shepherd; a wolf, a hunter, a herd of a colour as long as there is no
second one; a closed pen unlike all others. Pictures, choices and notation are exact; this is for the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sheepfold.games.guerre_des_moutons.land import Land, land_of
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.notation import COLOURS, in_the_middle, letters
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import SHEPHERDS, WOLVES, Tiles
from sheepfold.kept import kept
from sheepfold.messages import Voice

DISTANCES = ((1, "near"), (3, "near.far"))
"""Up to how many steps along rows or columns which words are said; beyond them `near.away`."""
WAYS = {(0, -1): "n", (1, -1): "ne", (1, 0): "e", (1, 1): "se", (0, 1): "s", (-1, 1): "sw", (-1, 0): "w", (-1, -1): "nw"}


class Landmark(NamedTuple):
    """A thing and where it lies; of a pen, one of its cells. `sheep` are those of a pen."""

    cell: int
    key: str
    sheep: int = 0


def beside(view: GuerreDesMoutons, cell: int, voice: Voice) -> str:
    """'north of the red shepherd', 'a little south-east of the wolf', by the nearest landmark that is not there itself."""
    mark = min((mark for mark in _landmarks(land_of(view)) if mark.cell != cell), key=lambda mark: _steps(cell, mark.cell))
    across, down = _offset(cell, mark.cell)
    thing = voice.say(mark.key, mark.sheep) if mark.sheep else voice.say(mark.key)
    words = next((key for most, key in DISTANCES if max(abs(across), abs(down)) <= most), "near.away")
    return voice.say(words, way=voice.say(f"way.{_way(across, down)}"), thing=thing)


def _offset(cell: int, mark: int) -> tuple[int, int]:
    """How far a cell is from another: columns to the east, rows to the south."""
    return cell % WIDTH - mark % WIDTH, cell // WIDTH - mark // WIDTH


def _steps(cell: int, mark: int) -> int:
    return sum(map(abs, _offset(cell, mark)))


def _way(across: int, down: int) -> str:
    """One of eight directions: a main one where it leads more than twice as far that way."""
    east, south = (0 if 2 * abs(one) < abs(other) else (one > 0) - (one < 0) for one, other in ((across, down), (down, across)))
    return WAYS[east, south]


@kept(256)
def _landmarks(land: Land) -> list[Landmark]:
    """The landmarks of a landscape; what is more easily found comes first."""
    return [*_figures(land), Landmark(MIDDLE, "of.square"), *_lone_pens(land)]


def _figures(land: Land) -> Iterator[Landmark]:
    """Shepherds; and the wolf, the hunter, a colour's herd if there is one of them."""
    stands = [(name, cell) for cell, face, _ in land.laid if (name := _figure(land.tiles, face))]
    often = Counter(name for name, _ in stands)
    yield from (Landmark(cell, f"of.{name}") for name, cell in stands if often[name] == 1)


def _figure(tiles: Tiles, face: int) -> str:
    """What is seen on a face from afar, if there is something."""
    if WOLVES * 2 <= face < SHEPHERDS and face % 2 == 0:
        return f"herd.{letters(tiles)[face][0]}"
    kind = in_the_middle(face)
    return f"shepherd.{COLOURS[face - SHEPHERDS]}" if kind == "shepherd" else kind if kind in ("wolf", "hunter") else ""


def _lone_pens(land: Land) -> Iterator[Landmark]:
    """Closed pens, which have their number on the map, unless there are two of the same colour and size."""
    closed = [pen for pen in land.pens if pen.open_sides == 0]
    often = Counter((pen.colour, pen.sheep) for pen in closed)
    for pen in closed:
        if often[pen.colour, pen.sheep] == 1:
            for cell in dict.fromkeys(cell for cell, _, _ in pen.sides):
                yield Landmark(cell, f"of.pen.{COLOURS[pen.colour]}", pen.sheep)
