"""Shear Panic a second time, slow and plain, as a check on the first: a flock is colours on places, everything else is text.

Written from the dossier alone, its tables too. Every placement of a stray is tried and judged by the words of SP-22 to SP-25; every
action is carried out to see whether it is possible. Nothing is shared with the compiled rules.
"""

from __future__ import annotations

Place = tuple[int, int]
Flock = dict[Place, str]
"""The colour on each place: b y g r k."""

SIDES = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
DIAGONALS = {"ne": (-1, 1), "se": (1, 1), "sw": (1, -1), "nw": (-1, -1)}
WAYS = SIDES | DIAGONALS
COMPASS = "nesw"
COLOURS = ("blue", "yellow", "green", "red", "black", "white")
LETTERS = "bygrk"
PRINTED = {
    "menu": {"slam": [2, 3], "align": [2, 3], "line": [1, 3], "diagonal": [1, 3], "roll": [1, 2], "leap": [2], "turn": [1]},
    "no-reverse": {"ever": ["turn"], "until-a-die": ["align", "line", "diagonal"]},
    "start": {"rows": ["ybr", "gky", "brg"]},
    "fields": {"three": [9, 28, 37, 56], "four": [12, 37, 49, 74]},
    "gates": {"three": [18, 46], "four": [24, 61]},
    "panic": {"three": [3, 7, 12, 16, 22, 26, 31, 35, 40, 44, 50, 54], "four": [3, 8, 15, 20, 28, 33, 40, 45, 52, 57, 65, 70]},
    "regroup-die": {"straight": 3, "diagonal": 3},
    "extra-moves": {"values": [1, 1, 2, 2, 3]},
    "extra-moves-left": {"points": 2},
}
"""SP-31, SP-71, SP-80 to SP-84, as somebody's own box says it too."""


def laid(rows: tuple[str, ...] | list[str]) -> Flock:
    return {(row, column): letter for row, letters in enumerate(rows) for column, letter in enumerate(letters)}


def tidy(flock: Flock) -> Flock:
    """The flock from its own top left corner (SP-3)."""
    if not flock:
        return {}
    top, left = min(row for row, _ in flock), min(column for _, column in flock)
    return {(row - top, column - left): colour for (row, column), colour in flock.items()}


def names(flock: Flock) -> dict[str, Place]:
    """Every sheep by its name, in the order b1 b2 y1 ... k; of two alike the first is the one that comes first in reading order."""
    found = {}
    for colour in LETTERS:
        for number, place in enumerate(sorted(place for place, other in flock.items() if other == colour), start=1):
            found["k" if colour == "k" else f"{colour}{number}"] = place
    return found


def on(place: Place, way: Place, steps: int = 1) -> Place:
    return place[0] + steps * way[0], place[1] + steps * way[1]


def shifted(group: set[Place], shift: Place) -> set[Place]:
    return {on(place, shift) for place in group}


def around(places: set[Place], ways: dict[str, Place]) -> set[Place]:
    return {on(place, way) for place in places for way in ways.values()}


def touch(one: Place, other: Place) -> int:
    return {(0, 1): 2, (1, 1): 1}.get((min(gap := [abs(one[0] - other[0]), abs(one[1] - other[1])]), max(gap)), 0)


# A. The seven actions.


def slammed(flock: Flock, start: Place, way: Place) -> Flock:
    """SP-10: the sheep and the unbroken run ahead of it, one step."""
    run = [start]
    while on(run[-1], way) in flock:
        run.append(on(run[-1], way))
    after = {place: colour for place, colour in flock.items() if place not in run}
    return after | {on(place, way): flock[place] for place in run}


def pushes(flock: Flock, ways: dict[str, Place]) -> dict[tuple[str, str], Flock]:
    """SP-11, SP-12: from outside, so by whoever has nobody behind on the line, near or far."""
    found = {}
    for name, way in ways.items():
        for sheep, place in names(flock).items():
            far = max(max(abs(row - place[0]), abs(column - place[1])) for row, column in flock)
            if not any(on(place, way, -steps) in flock for steps in range(1, far + 1)):
                found[sheep, name] = slammed(flock, place, way)
    return found


def aligned(flock: Flock, way: Place) -> Flock:
    """SP-13: one after the other goes on while the place ahead is free and not beyond the outermost row."""
    edge = max(row * way[0] + column * way[1] for row, column in flock)
    after = dict(flock)
    while True:
        free = [place for place in after if on(place, way) not in after and place[0] * way[0] + place[1] * way[1] < edge]
        if not free:
            return after
        after[on(free[0], way)] = after.pop(free[0])


def rolled(flock: Flock, start: Place, goal: Place) -> Flock:
    return {goal if place == start else place: colour for place, colour in flock.items()}


# B. Regrouping.


def groups(places: set[Place]) -> list[set[Place]]:
    """SP-20: what is connected by sides."""
    left, found = set(places), []
    while left:
        group = {left.pop()}
        while more := around(group, SIDES) & left:
            group |= more
            left -= more
        found.append(group)
    return found


def placements(group: set[Place], everybody: set[Place], die: str, any_corner: bool, stray_is_enough: bool) -> set[Place]:
    """All shifts by which the group may rejoin: `others` are the sheep to rejoin, `strays` only stand about."""
    others = everybody - group
    if not stray_is_enough:
        size = max(len(part) for part in groups(others))
        others = {place for part in groups(others) if len(part) == size for place in part}
    strays = everybody - group - others
    beside = around(others, SIDES)
    touching = {(row - my_row, column - my_column) for row, column in beside for my_row, my_column in group}
    touching = {shift for shift in touching if not shifted(group, shift) & (everybody - group)}
    straight = {shift for shift in touching if is_straight(shift, group, strays, beside)}
    if die == "straight" and straight:
        return straight
    diagonal: set[Place] = set()
    for way in DIAGONALS.values():
        corners = tuple(DIAGONALS.values()) if any_corner else (way,)
        diagonal |= {shift for shift in touching if is_diagonal(shift, way, corners, group, others, strays)}
    if diagonal or straight:
        return diagonal or straight
    least = min(abs(rows) + abs(columns) for rows, columns in touching)
    return {(rows, columns) for rows, columns in touching if abs(rows) + abs(columns) == least}


def is_straight(shift: Place, group: set[Place], strays: set[Place], beside: set[Place]) -> bool:
    """Straight to there; on the way no touch by a side, and nobody to run over."""
    rows, columns = shift
    if rows and columns:
        return False
    steps = abs(rows + columns)
    way = rows // steps, columns // steps
    return not any(shifted(group, on((0, 0), way, step)) & (beside | strays) for step in range(1, steps))


def is_diagonal(shift: Place, way: Place, corners: tuple[Place, ...], group: set[Place], others: set[Place], strays: set[Place]) -> bool:
    """Whether a diagonal move that way can end there; `corners` are those that stop it on its way."""
    if shifted(group, way) & others:  # it touches by the corner in that very direction already
        return shift in ((way[0], 0), (0, way[1]))
    beside = around(others, SIDES)
    for steps in range(1, abs(shift[0]) + 2):
        moved = shifted(group, on((0, 0), way, steps))
        if moved & strays:
            return False
        rest = shift[0] - steps * way[0], shift[1] - steps * way[1]
        if moved & beside:
            return rest == (0, 0)
        met = [corner for corner in corners if shifted(moved, corner) & others]
        if met:
            return any(rest in ((corner[0], 0), (0, corner[1])) for corner in met)
    return False


class Plain:
    """A whole game. `choices` are the texts of what may happen now; `play` takes one."""

    def __init__(self, seats: int, options: dict[str, object], box: dict[str, dict[str, object]] | None = None) -> None:
        self.seats = seats
        self.options = options
        self.box = box = box or PRINTED
        track = "four" if seats == 4 else "three"
        self.fields, self.gates, self.panic = box["fields"][track], box["gates"][track], box["panic"][track]
        self.flock: Flock = laid(box["start"]["rows"])
        self.looks = "n"
        menu = [f"{kind} {value}" for kind, values in box["menu"].items() if kind != "source" for value in values]
        self.menus = [list(menu) for _ in range(seats)]
        self.extras = [list(box["extra-moves"]["values"]) if seats == 2 else [] for _ in range(seats)]
        self.scores = [0] * seats
        self.counter = self.came_from = 0
        self.lorry = 4 if seats == 2 else seats
        self.active = 0
        self.turns: list[int] = []
        """The seats in the order of the turns taken; before the first, as they would have come."""
        self.step = "lorry"
        self.square = self.die = self.ban = ""
        self.before: tuple[str, Flock] = ("n", {})
        """Facing and flock before the action that may not be reversed."""
        self.group: set[Place] = set()
        self.stage = "start"
        if not self.options["drawn-start"]:
            self.who_begins()

    def who(self) -> int:
        """The seat to act, -1 for chance, -2 when it is over."""
        return {"start": -1, "first": -1, "panic die": -1, "regroup die": -1, "over": -2}.get(self.stage, self.active)

    def mine(self, seat: int) -> dict[str, Place]:
        return {name: place for name, place in names(self.flock).items() if self.flock[place] == LETTERS[seat]}

    # What may happen.

    def choices(self) -> set[str]:
        if self.stage == "first":
            return {f"first {seat + 1}" for seat in range(self.seats)}
        if self.stage == "panic die":  # a colour that is gone is rolled again
            return {f"die {colour}" for colour in COLOURS if colour == "white" or self.sheep_of(colour)}
        if self.stage == "panic":
            if self.die == "white":
                return {"turn right", "turn left"}
            return {f"slam {sheep} {way}" for sheep in self.sheep_of(self.die) for way in WAYS}
        if self.stage == "square":
            kinds = {square.split()[0] for square in self.menus[self.active]}
            possible = [kind for kind in kinds if self.moves(self.active, kind)]
            return {square for square in self.menus[self.active] if square.split()[0] in possible}
        if self.stage == "move":
            return set(self.moves(self.active, self.square.split()[0]))
        if self.stage == "group":
            return {f"group {self.first_of(group)}" for group in self.smallest()}
        if self.stage == "regroup die":
            return {"die straight", "die diagonal"}
        if self.stage == "place":
            return set(self.placements())
        left = self.extras[self.active]
        return {f"extra {value}" for value in left} | ({"extra none"} if len(self.menus[self.active]) > len(left) else set())

    def sheep_of(self, colour: str) -> list[str]:
        letter = "k" if colour == "black" else colour[0]
        return [name for name, place in names(self.flock).items() if self.flock[place] == letter]

    def moves(self, seat: int, kind: str) -> dict[str, tuple[str, Flock]]:
        """For every text of that action the facing and the flock that follow."""
        found: dict[str, Flock] = {}
        if kind == "turn":
            return {f"turn {way}": (self.turned(way), self.flock) for way in ("right", "left") if self.may_turn(way)}
        if kind == "align":
            found = {f"align {name}": aligned(self.flock, way) for name, way in SIDES.items()}
        elif kind in ("line", "diagonal"):
            ways = SIDES if kind == "line" else DIAGONALS
            found = {f"{kind} {sheep} {way}": after for (sheep, way), after in pushes(self.flock, ways).items()}
        for sheep, place in self.mine(seat).items():
            for name, way in WAYS.items():
                goal = on(place, way)
                if kind == "slam":
                    found[f"slam {sheep} {name}"] = slammed(self.flock, place, way)
                elif kind == "roll" and goal not in self.flock and self.may_roll(place, goal):
                    found[f"roll {sheep} {name}"] = rolled(self.flock, place, goal)
                elif kind == "leap" and name in SIDES and goal in self.flock:
                    while goal in self.flock:
                        goal = on(goal, way)
                    found[f"leap {sheep} {name}"] = rolled(self.flock, place, goal)
        banned = tidy(self.before[1]) if self.ban == kind and self.looks == self.before[0] else None
        return {text: (self.looks, after) for text, after in found.items() if tidy(after) != banned}

    def turned(self, way: str) -> str:
        return COMPASS[(COMPASS.index(self.looks) + (1 if way == "right" else -1)) % 4]

    def may_turn(self, way: str) -> bool:
        if not self.ban.startswith("turn"):
            return True
        return self.turned(way) != self.before[0] if self.options["ban-by-facing"] else self.ban != f"turn {way}"

    def may_roll(self, start: Place, goal: Place) -> bool:
        """SP-14."""
        after = set(rolled(self.flock, start, goal))
        if not around({goal}, SIDES) & (after - {goal}):
            return False
        sizes = {goal in group: len(group) for group in sorted(groups(after), key=len)}  # the largest of the others is noted last
        return self.options["roll-may-leave"] or sizes[True] >= sizes.get(False, 0)

    def smallest(self) -> list[set[Place]]:
        found = groups(set(self.flock))
        return [group for group in found if len(group) == min(map(len, found))]

    def first_of(self, group: set[Place]) -> str:
        return next(name for name, place in names(self.flock).items() if place in group)

    def placements(self) -> dict[str, Place]:
        """Each shift under its first name: by the sheep of the group, then by the other, then by the side."""
        found = {}
        any_corner, stray_is_enough = self.options["any-corner"], self.options["stray-is-enough"]
        for shift in placements(self.group, set(self.flock), self.die, any_corner, stray_is_enough):
            texts = [
                f"place {sheep} {side} of {other}"
                for sheep, place in names(self.flock).items()
                for other, target in names(self.flock).items()
                for side, way in SIDES.items()
                if place in self.group and target not in self.group and on(place, shift) == on(target, way)
            ]
            found[texts[0]] = shift
        return found

    # What follows.

    def play(self, text: str) -> None:
        words = text.split()
        if self.stage == "start":
            self.flock = laid(words[1:])
            self.who_begins()
        elif self.stage == "first":
            self.begin(int(words[1]) - 1)
        elif self.stage == "panic die":
            self.roll()
            self.die, self.stage = words[1], "panic"
        elif self.stage == "panic":
            if words[0] == "turn":
                self.looks = self.turned(words[1])
            else:
                self.flock = slammed(self.flock, names(self.flock)[words[1]], WAYS[words[2]])
            self.regroup()
        elif self.stage == "square":
            self.square, self.stage = text, "move"
        elif self.stage == "move":
            self.act(text)
        elif self.stage == "group":
            self.group = next(group for group in self.smallest() if self.first_of(group) == words[1])
            self.stage = "regroup die"
        elif self.stage == "regroup die":
            self.roll()
            self.die, self.stage = words[1], "place"
            if len(self.placements()) == 1:
                self.play(next(iter(self.placements())))
        elif self.stage == "place":
            shift = self.placements()[text]
            self.flock = {on(place, shift) if place in self.group else place: colour for place, colour in self.flock.items()}
            self.regroup()
        else:
            if words[1] != "none":
                self.extras[self.active].remove(int(words[1]))
                self.walk(int(words[1]))
            self.score()

    def who_begins(self) -> None:
        self.stage = "first"
        if self.options["first-seat-begins"]:
            self.begin(0)

    def begin(self, first: int) -> None:
        self.active = first
        self.turns = [(first + turn) % self.seats for turn in range(self.seats)]
        self.stage = "panic die"

    def roll(self) -> None:
        """A die lifts some bans (SP-17)."""
        if self.ban and self.ban.split()[0] in self.box["no-reverse"]["until-a-die"]:
            self.ban = ""

    def act(self, text: str) -> None:
        kind = self.square.split()[0]
        looks, after = self.moves(self.active, kind)[text]
        self.menus[self.active].remove(self.square)
        self.turns.append(self.active)
        self.before = self.looks, self.flock
        self.ban = ""
        if kind in self.box["no-reverse"]["ever"] + self.box["no-reverse"]["until-a-die"]:
            if kind == "turn":
                self.ban = "turn left" if text == "turn right" else "turn right"
            elif tidy(after) != tidy(self.flock):
                self.ban = kind
        self.looks, self.flock = looks, after
        self.step = "action"
        self.regroup()

    def regroup(self) -> None:
        found = self.smallest()
        if len(groups(set(self.flock))) > 1:
            self.group = found[0]
            self.stage = "group" if len(found) > 1 else "regroup die"
        elif self.step == "lorry":
            self.lorry -= 1
            self.active = (self.active + 1) % self.seats
            self.stage = "panic die" if self.lorry else "square"
        elif self.step == "action":
            self.came_from = self.counter
            self.walk(int(self.square.split()[1]))
            if self.extras[self.active] and not self.in_pen():
                self.stage = "extra"
            else:
                self.score()
        elif self.step == "shearing":
            self.look_for_panic()
        else:
            self.end_turn()

    def walk(self, steps: int) -> None:
        """SP-30: a pen stops the counter."""
        for _ in range(steps):
            if self.counter < self.fields[3]:
                self.counter += 1
                if self.in_pen():
                    return

    def in_pen(self) -> bool:
        return self.counter in (self.fields[1], self.fields[3])

    def score(self) -> None:
        field = 1 + sum(self.counter > end for end in self.fields)
        places = list(self.mine(self.active).values())
        if field == 1 and len(places) == 2:
            self.scores[self.active] += touch(*places)
        elif field == 3:
            black = names(self.flock)["k"]
            self.scores[self.active] += sum(touch(place, black) for place in places)
        elif self.in_pen() or any(self.came_from <= gate < self.counter for gate in self.gates):
            if field == 4:
                self.shear()
                if not self.flock or self.in_pen():
                    self.end()
                    return
                self.step = "shearing"
                self.regroup()
                return
            self.score_rows(1)
        self.look_for_panic()

    def rows(self) -> dict[Place, int]:
        """How far to the front each sheep stands."""
        down, right = SIDES[self.looks]
        return {place: place[0] * down + place[1] * right for place in self.flock}

    def score_rows(self, sign: int) -> None:
        """4, 3, 2, 1 from the front, or with -1 from the back."""
        order = sorted({sign * row for row in self.rows().values()}, reverse=True)
        for place, row in self.rows().items():
            seat = LETTERS.index(self.flock[place])
            if seat < self.seats:
                self.scores[seat] += max(0, 4 - order.index(sign * row))

    def shear(self) -> None:
        """SP-43, SP-44: the front row goes, unless there is one colour only; then the rest scores from the back."""
        if len(set(self.flock.values())) > 1:
            rows = self.rows()
            self.flock = {place: colour for place, colour in self.flock.items() if rows[place] < max(rows.values())}
        self.score_rows(-1)

    def look_for_panic(self) -> None:
        if self.counter in self.panic:
            self.step, self.stage = "panic", "panic die"
        else:
            self.end_turn()

    def end_turn(self) -> None:
        for later in range(1, self.seats + 1):
            seat = (self.active + later) % self.seats
            if self.mine(seat) and any(self.moves(seat, square.split()[0]) for square in self.menus[seat]):
                self.active, self.stage = seat, "square"
                return
        self.shear()
        self.end()

    def end(self) -> None:
        for seat in range(self.seats):
            self.scores[seat] -= self.box["extra-moves-left"]["points"] * len(self.extras[seat])
        self.stage = "over"

    def ranks(self) -> list[int]:
        """SP-62."""

        def merit(seat: int) -> tuple[int, int, int]:
            return self.scores[seat], len(self.mine(seat)), self.turns[::-1].index(seat)

        return [1 + sum(merit(other) > merit(seat) for other in range(self.seats)) for seat in range(self.seats)]
