"""The component file of La Guerre des Moutons, read and checked: the counts, equal colours, and no tile with both forest and village."""

from __future__ import annotations

from pathlib import Path

from sheepfold.game.component_file import ComponentFile
from sheepfold.games.guerre_des_moutons.notation import COLOURS, MOTIFS
from sheepfold.games.guerre_des_moutons.tiles import FOREST, LANDSCAPES, VILLAGE, Tiles

TABLES = ("village", "shepherds", "wolves", "hunters", "landscapes")


class Components:
    """What is printed on the tiles: the `faces` as letters, by face number, and the tables that the rules look them up in."""

    def __init__(self, path: str | Path) -> None:
        file = ComponentFile(path, TABLES)
        self.digest = file.digest
        landscapes = _landscapes(file)
        specials = [face for table in ("wolves", "hunters") for herd in _herds(file, f"{table}.herds") for face in (herd, "ffff")]
        square = file.get("village.square")
        if square != "vvvv":
            file.fail("village.square", f"must be 'vvvv', not {square!r}")
        self.faces = [*landscapes, *specials, *_herds(file, "shepherds.faces"), "vvvv"]
        _equal_colours(file, self.faces[:-5])
        self.tiles = Tiles([[MOTIFS.index(letter) for letter in face] for face in self.faces])


def _landscapes(file: ComponentFile) -> list[str]:
    """Front and back of the 60 landscapes."""
    tiles = file.get("landscapes.tiles")
    if not isinstance(tiles, list) or len(tiles) != LANDSCAPES:
        file.fail("landscapes.tiles", f"must be a list of {LANDSCAPES} tiles")
    faces: list[str] = []
    for index, tile in enumerate(tiles):
        where = f"landscapes.tiles[{index}]"
        both = tile.split() if isinstance(tile, str) else []
        if len(both) != 2 or any(len(face) != 4 or set(face) - set(MOTIFS) for face in both):
            file.fail(where, f"must be two faces of four letters out of {MOTIFS}, such as 'rrrb vyyr', not {tile!r}")
        if MOTIFS[VILLAGE] in tile and MOTIFS[FOREST] in tile:
            file.fail(where, f"{tile!r} has both forest and village; no tile has")
        faces += both
    return faces


def _herds(file: ComponentFile, where: str) -> list[str]:
    """Four faces of one colour each, in the order of the colours."""
    herds = file.get(where)
    if herds != [colour * 4 for colour in COLOURS]:
        file.fail(where, f"must be a full herd of each colour: {[colour * 4 for colour in COLOURS]}")
    return list(herds)


def _equal_colours(file: ComponentFile, faces: list[str]) -> None:
    """Every player's colour is on as many sides, also counting village and forest faces alone: else the game would not be fair."""
    for kind in ("", "v", "f"):
        chosen = [face for face in faces if kind in face]
        counts = {colour: "".join(chosen).count(colour) for colour in COLOURS}
        if len(set(counts.values())) > 1:
            file.fail("landscapes.tiles", f"the colours must be on equally many sides (of faces with {kind or 'anything'}), not {counts}")
