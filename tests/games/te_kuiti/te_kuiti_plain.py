"""Te Kuiti a second time, slow and plain, as a check on the first: tiles and fences are names, and a game is told from start to end.

Written from the dossier alone; nothing is shared with the compiled rules. `game` yields who is to act and what may be done (texts, for
chance with their weights), and is sent the text of what was done. Where something would be turned down, or a pair may still be taken, a
turn ends with `done`, else by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from functools import lru_cache

CHANCE = -1
COLUMNS = "abcde"
CELLS = [f"{column}{row}" for row in range(1, 6) for column in COLUMNS]
MOODS = ("cheerful", "sleepy", "shy", "angry", "dreamy")
WAYS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
PRINTED = {
    "tiles": {**dict.fromkeys(MOODS, 4), "ram": 3, "shepherd": 2},
    "flowers": {**dict.fromkeys(MOODS, 2), "ram": 0, "shepherd": 2},
    "fences": {"count": 30},
}
"""TK-1, TK-30, as somebody's own box says it too."""
Telling = Generator[tuple[int, dict[str, int]], str, bool]


@lru_cache
def neighbour(cell: str, side: str) -> str:
    """The cell at that side, or '' outside the field."""
    column, row = COLUMNS.index(cell[0]) + WAYS[side][0], int(cell[1]) + WAYS[side][1]
    return f"{COLUMNS[column]}{row}" if 0 <= column < 5 and 1 <= row <= 5 else ""


@lru_cache
def edge(cell: str, side: str) -> str:
    """An edge is called by the cell above it or left of it, if there is one."""
    if side == "n" and neighbour(cell, "n"):
        return f"{neighbour(cell, 'n')} s"
    if side == "w" and neighbour(cell, "w"):
        return f"{neighbour(cell, 'w')} e"
    return f"{cell} {side}"


EDGES = sorted({edge(cell, side) for cell in CELLS for side in WAYS})


def gets_out(cell: str, fences: frozenset[str]) -> bool:
    """TK-3, TK-6: whether a way leads outside from there."""
    been, going = {cell}, [cell]
    while going:
        here = going.pop()
        for side in WAYS:
            if edge(here, side) not in fences:
                there = neighbour(here, side)
                if not there:
                    return True
                if there not in been:
                    been.add(there)
                    going.append(there)
    return False


@lru_cache(maxsize=4)
def enclosed_by(fences: frozenset[str]) -> frozenset[str]:
    return frozenset(cell for cell in CELLS if not gets_out(cell, fences))


class Plain:
    """One game."""

    def __init__(self, seats: int, options: dict[str, object], box: dict[str, dict[str, int]] | None = None) -> None:
        self.seats, self.first, self.stays = seats, options["first-shepherd"], options["late-field-stays"]
        box = box or PRINTED
        self.fences_there_are = box["fences"]["count"]
        self.tiles = {kind: count for kind, count in box["tiles"].items() if kind != "source"}
        self.flowers = {kind: box["flowers"][kind] if seats == 1 else 0 for kind in self.tiles}
        if options["flowers"] != "printed":
            self.flowers |= {mood: min(int(options["flowers"]), self.tiles[mood]) for mood in MOODS}
        self.points = [0, 0]
        self.shepherd = -1
        self.lay_out()

    def lay_out(self) -> None:
        """TK-1, TK-2, TK-20: the whole field face down, all fences in the supply."""
        self.flowered = Counter(self.flowers)
        self.unseen = Counter(self.tiles) - self.flowered
        self.field = dict.fromkeys(CELLS, "")  # what is known of each tile
        self.fences: set[str] = set()
        self.up: set[str] = set()
        self.taken = 0

    def supply(self) -> int:
        return self.fences_there_are - len(self.fences)

    def enclosed(self, cell: str) -> bool:
        return cell in enclosed_by(frozenset(self.fences))

    def in_the_open(self) -> list[str]:
        return [cell for cell in self.field if not self.enclosed(cell)]

    def turnable(self) -> list[str]:
        return [cell for cell in self.in_the_open() if cell not in self.up]

    def mood(self, cell: str) -> str:
        return self.field[cell].split()[0]

    def leave(self, *cells: str) -> None:
        for cell in cells:
            del self.field[cell]
            self.up.discard(cell)

    def scores(self) -> list[int]:
        """Solo: the tiles freed. Else the points, the round in progress as if it ended now."""
        if self.seats == 1:
            return [25 - len(self.field)]
        found = list(self.points)
        if self.shepherd >= 0:
            found[self.shepherd] += sum(map(self.enclosed, self.field))
            found[1 - self.shepherd] += self.taken
        return found

    def face(self, cell: str) -> Generator[tuple[int, dict[str, int]], str, str]:
        """TK-18: what a tile is, is drawn when it is first turned; a flower is at any side."""
        if not self.field[cell]:
            likely = {kind: 4 * count for kind, count in self.unseen.items() if count}
            likely |= {f"{kind} {side}": count for kind, count in self.flowered.items() for side in WAYS if count}
            self.field[cell] = yield CHANCE, likely
            kind, _, side = self.field[cell].partition(" ")
            (self.flowered if side else self.unseen)[kind] -= 1
        self.up.add(cell)
        return self.field[cell]

    def game(self) -> Telling:
        if self.seats == 1:
            return (yield from self.solo())
        shepherd = self.first
        if shepherd == "drawn":
            shepherd = (yield CHANCE, {"first 1": 1, "first 2": 1})[-1]
        shepherd = int(shepherd) - 1
        for each in (shepherd, 1 - shepherd):  # TK-4, TK-17
            self.lay_out()
            self.shepherd = each
            yield from self.round()
            self.points, self.shepherd = self.scores(), -1
        return True

    # Two players.

    def fence(self) -> Telling:
        """The Shepherd places one; whether that was the last of the supply (TK-15)."""
        text = yield self.shepherd, {f"fence {each}": 0 for each in EDGES if each not in self.fences}
        self.fences.add(text.removeprefix("fence "))
        return not self.supply()

    def round(self) -> Telling:
        late = last = False
        while True:
            for _ in range(2):  # TK-5
                if (yield from self.fence()):
                    return True
            if last:
                return True
            if (yield from self.sheep_turn(late)):
                return True
            last = not self.turnable()  # TK-14
            late = len(self.in_the_open()) <= 5 or (late and self.stays)  # TK-13
            if not late:
                self.up.clear()

    def sheep_turn(self, late: bool) -> Telling:
        """TK-7 to TK-13; whether the last fence was placed in it."""
        sheep, shown = 1 - self.shepherd, []
        while True:
            visible = [cell for cell in CELLS if cell in self.up and not self.enclosed(cell)] if late else []
            pairs = [f"take {one} {two}" for one in visible for two in visible
                     if CELLS.index(one) < CELLS.index(two) and self.mood(one) == self.mood(two)]  # fmt: skip
            turns = [f"turn {cell}" for cell in self.turnable()] if len(shown) < 2 else []
            goes_down = self.up and len(self.in_the_open()) > 5 and not (late and self.stays)
            if not turns and not pairs and not goes_down:
                return False
            text = yield sheep, dict.fromkeys(turns + pairs if turns else [*pairs, "done"], 0)
            verb, *cells = text.split()
            if verb == "done":
                return False
            if verb == "take":
                self.leave(*cells)
                self.taken += 2
                continue
            face = yield from self.face(cells[0])
            if face == "ram":  # TK-9
                self.leave(cells[0])
                if self.fences:
                    self.fences.remove((yield sheep, {f"remove {each}": 0 for each in self.fences}).removeprefix("remove "))
            elif face == "shepherd":  # TK-10
                self.leave(cells[0])
                if (yield from self.fence()):
                    return True
            else:
                shown.append(cells[0])
                if len(shown) == 2 and not late and self.is_pair(shown):
                    self.leave(*shown)
                    self.taken += 2

    def is_pair(self, shown: list[str]) -> bool:
        """TK-8, TK-11, TK-24."""
        return self.mood(shown[0]) == self.mood(shown[1]) and not any(map(self.enclosed, shown))

    # Solo.

    def solo(self) -> Telling:
        idle = 0
        while idle < 50:  # TK-25
            before = (dict(self.field), set(self.fences))
            placed, shown = len(self.fences), []
            while len(shown) < 2:
                text = yield 0, dict.fromkeys([*(f"turn {cell}" for cell in self.turnable()), "give up"], 0)
                if text == "give up":
                    return False
                cell = text.split()[1]
                face = yield from self.face(cell)
                kind, _, flower = face.partition(" ")
                if flower:  # TK-21
                    sides = "nesw" * 2
                    sides = sides[sides.index(flower) :]
                    self.fences.add(next(edge(cell, side) for side in sides if edge(cell, side) not in self.fences))
                if kind == "ram":
                    self.leave(cell)
                    if self.fences:
                        text = yield 0, dict.fromkeys([*(f"remove {each}" for each in self.fences), "give up"], 0)
                        if text == "give up":
                            return False
                        self.fences.remove(text.removeprefix("remove "))
                        placed = -1
                elif kind == "shepherd":
                    self.leave(cell)
                else:
                    shown.append(cell)
                    if len(shown) == 2 and self.is_pair(shown):
                        self.leave(*shown)
                if self.decided():
                    return True
            if self.up:
                text = yield 0, {"done": 0, "give up": 0}
                if text == "give up":
                    return False
                self.up.clear()
            idle = idle + 1 if (self.field, self.fences) == before and placed == len(self.fences) else 0
        return False

    def decided(self) -> bool:
        """TK-23, TK-25: nothing left in the open, no fence left, or no pair and nothing new to be found."""
        left = [self.field[cell].split(" ")[0] for cell in self.in_the_open()]
        return not left or not self.supply() or ("" not in left and len(set(left)) == len(left))
