"""Writes components.toml: the 60 landscapes of GM-42, each sheep-only face paired once and for all with a village or forest face.

Run `python -m sheepfold.games.guerre_des_moutons.make_tiles` to write the file again; the same file comes out every time. Of many shuffles
it keeps the one whose backs mix the colours most evenly: half of every shape has village behind it, half forest, every colour
shows equally often in front of both, and no colour prefers another on its back.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path

from sheepfold.core.dice import Dice

COLOURS = "kyrb"
SHUFFLES = 4000

HEAD = """\
# La Guerre des Moutons: what is printed on the tiles. Written by make_tiles.py; correct it here if you own the box.
# A face is its four sides clockwise: v village, f forest, and sheep k black, y yellow, r red, b blue.

[village]
source = "rulebook"
square = "vvvv"

[shepherds]
source = "rulebook"
faces = ["kkkk", "yyyy", "rrrr", "bbbb"]

[wolves]
source = "public"
herds = ["kkkk", "yyyy", "rrrr", "bbbb"]

[hunters]
source = "public"
herds = ["kkkk", "yyyy", "rrrr", "bbbb"]

# How many sheep stand on each side that shows sheep.
[sheep]
source = "public"
a-side = 1

# Which sides of a face with the same motif are one area: "neighbours", "opposite" (opposite ones too) or "none".
[fences]
source = "reconstructed"
joined = "neighbours"

# A tile is its two faces. A face that is not like the others says so in brackets, its sides numbered 1 to 4 as they are written:
# "rbrk(13)" the two red sides are one pen, "rrbk(1,2)" they are two, "rrbk(12:3)" they are one with three sheep.
[landscapes]
source = "reconstructed"
"""


def sheep_faces() -> list[list[str]]:
    """The sheep-only faces, by shape."""
    return [
        [a * 3 + b for a, b in permutations(COLOURS, 2)],
        [a * 2 + b * 2 for a, b in combinations(COLOURS, 2)],
        [a * 2 + b + c for a, b, c in permutations(COLOURS, 3)],
        [a + b + a + c for a in COLOURS for b, c in combinations([x for x in COLOURS if x != a], 2)],
        ["k" + b + c + d for b, c, d in permutations(COLOURS[1:])],
    ]


def other_faces(motif: str) -> list[str]:
    """The faces with village, or with forest."""
    return [
        *[motif * 3 + a for a in COLOURS],
        *[motif * 2 + a + b for a, b in combinations_with_replacement(COLOURS, 2)],
        *[motif + a + a + b for a, b in permutations(COLOURS, 2)],
        *[motif + a + b + c for a, b, c in combinations(COLOURS, 3)],
    ]


def shuffled(items: list[str], dice: Dice) -> list[str]:
    """The items in another order."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = dice.below(last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def unevenness(tiles: list[tuple[str, str]]) -> int:
    """How far the colours in front are from meeting all colours behind equally often, and village and forest equally often."""
    meetings = {(a, b): 0 for a in COLOURS for b in COLOURS + "vf"}
    for front, back in tiles:
        for a in front:
            for b in back:
                meetings[a, b] += 1
    uneven = 0
    for group in (COLOURS, "vf"):
        values = [meetings[a, b] for a in COLOURS for b in group]
        mean = sum(values) / len(values)
        uneven += round(sum((value - mean) ** 2 for value in values))
    return uneven


def pair(dice: Dice) -> list[tuple[str, str]]:
    """The most even of many pairings, in the order of the fronts."""
    best: list[tuple[str, str]] = []
    for _ in range(SHUFFLES):
        villages, forests = [], []
        for shape in sheep_faces():
            mixed = shuffled(shape, dice)
            villages += mixed[: len(mixed) // 2]
            forests += mixed[len(mixed) // 2 :]
        backs = shuffled(other_faces("v"), dice) + shuffled(other_faces("f"), dice)
        tiles = list(zip(villages + forests, backs, strict=True))
        if not best or unevenness(tiles) < unevenness(best):
            best = tiles
    order = [face for shape in sheep_faces() for face in shape]
    return sorted(best, key=lambda tile: order.index(tile[0]))


def text() -> str:
    """The whole file."""
    rows = [f'    "{front} {back}",' for front, back in pair(Dice("la guerre des moutons"))]
    return HEAD + "tiles = [\n" + "\n".join(rows) + "\n]\n"


if __name__ == "__main__":
    Path(__file__).with_name("components.toml").write_text(text(), encoding="utf-8")
