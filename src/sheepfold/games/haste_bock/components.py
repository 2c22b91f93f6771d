"""The pieces of Haste Bock? as components.toml has them: a player's cards, and the track with its panic spaces."""

from __future__ import annotations

from dataclasses import dataclass

from sheepfold.game.component_file import ComponentFile, Source
from sheepfold.games.flock import Track
from sheepfold.games.haste_bock.rules import KIND_NAMES, VALUES

SET_SIZE = 12


@dataclass(frozen=True)
class Components:
    """`cards` counts a player's action cards by kind * 3 + value - 1."""

    cards: tuple[int, ...]
    track: Track
    digest: str

    def named(self) -> dict[str, object]:
        """Every number by its name, as the help calls them: the values of each action's cards, the spaces of each phase, walls and pens."""
        values: dict[str, object] = {"set": sum(self.cards), "values": VALUES}
        for kind, name in enumerate(KIND_NAMES):
            counts = self.cards[VALUES * kind : VALUES * (kind + 1)]
            values[name] = ", ".join(str(value + 1) for value, count in enumerate(counts) for _ in range(count))
        spaces = range(1, int(self.track.length) + 1)
        for phase in range(1, 5):
            within = [space for space in spaces if self.track.phase[space] == phase]
            values[f"phase-{phase}"] = f"{within[0]}-{within[-1]}"
            for what, marked in (("wall", self.track.wall), ("pen", self.track.pen)):
                values[f"{what}-{phase}"] = ", ".join(str(space) for space in within if marked[space])
        return values


def read_components(path: Source) -> Components:
    """Read and check a component file; BadComponents says what is wrong and where."""
    file = ComponentFile(path, ("cards", "track", "panic"))
    values = {kind: file.wholes(f"cards.{kind}", 1, VALUES) for kind in KIND_NAMES}
    cards = tuple(values[kind].count(value) for kind in KIND_NAMES for value in range(1, VALUES + 1))
    if sum(cards) != SET_SIZE:
        file.fail("cards", f"a player has {SET_SIZE} cards, not {sum(cards)}")
    for value in range(VALUES):
        if sum(cards[value::VALUES]) < 3:
            file.fail("cards", f"three players share out one set, so at least three cards have value {value + 1}")
    ends = file.wholes("track.phase_ends", 1, 200, 4)
    walls = file.wholes("track.walls", 1, ends[-1] - 1, 2)
    pens = file.wholes("track.pens", 1, ends[-1], 2)
    if ends != sorted(set(ends)):
        file.fail("track.phase_ends", "must grow from phase to phase")
    if pens != [ends[1], ends[3]]:
        file.fail("track.pens", f"must be the last spaces of phases 2 and 4, {ends[1]} and {ends[3]}")
    if not (ends[0] < walls[0] < pens[0] and ends[2] < walls[1] < pens[1]):
        file.fail("track.walls", "must stand one within phase 2 and one within phase 4, before the pens")
    panics = file.wholes("panic.spaces", 1, ends[-1] - 1)
    if panics != sorted(set(panics)):
        file.fail("panic.spaces", "must be in order, each once")
    return Components(cards, Track(ends, walls, pens, panics), file.digest)
