"""The box of Te Kuiti: how many tiles of each kind there are, how many of them carry a flower, and how many fences."""

from __future__ import annotations

from dataclasses import dataclass

from sheepfold.game.component_file import ComponentFile, Source
from sheepfold.games.te_kuiti.rules import CELLS, EDGES

KIND_NAMES = ("cheerful", "sleepy", "shy", "angry", "dreamy", "ram", "shepherd")
MOOD_NAMES = KIND_NAMES[:5]


@dataclass(frozen=True)
class Box:
    """What is in the box, by kind in the order of KIND_NAMES."""

    tiles: tuple[int, ...]
    flowers: tuple[int, ...]
    fences: int
    digest: str

    def counts(self, solo: bool, flowers: int | None = None) -> list[int]:
        """Tiles without and with a flower, kind after kind, as the rules want them; `flowers` replaces the moods' numbers."""
        result = []
        for name, count, printed in zip(KIND_NAMES, self.tiles, self.flowers, strict=True):
            wanted = printed if flowers is None or name not in MOOD_NAMES else min(flowers, count)
            flowered = wanted if solo else 0
            result += [count - flowered, flowered]
        return result

    def named(self, flowers: int | None = None) -> dict[str, int]:
        """Every number by its name, as the help calls them; `flowers` as in `counts`."""
        counts = self.counts(solo=True, flowers=flowers)
        values = {"tiles": sum(self.tiles), "fences": self.fences}
        for place, name in enumerate(KIND_NAMES):
            values |= {name: self.tiles[place], f"{name}-flowers": counts[2 * place + 1]}
        return values


def read_box(path: Source) -> Box:
    """Read and check a component file."""
    file = ComponentFile(path, ("tiles", "fences", "flowers"))
    for table, names in (("tiles", KIND_NAMES), ("fences", ("count",)), ("flowers", KIND_NAMES)):
        file.only(table, names)
    tiles = tuple(file.whole(f"tiles.{name}", 0, CELLS) for name in KIND_NAMES)
    if sum(tiles) != CELLS:
        file.fail("tiles", f"must be {CELLS} in all, five rows of five, not {sum(tiles)}")
    flowers = tuple(file.whole(f"flowers.{name}", 0, count) for name, count in zip(KIND_NAMES, tiles, strict=True))
    return Box(tiles, flowers, file.whole("fences.count", 1, EDGES), file.digest)
