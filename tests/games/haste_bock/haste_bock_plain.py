"""Haste Bock? a second time, slow and plain, as a check on the first: fields are pairs, sheep are names, actions are texts.

Written from the dossier alone, its cards and track too. What a move does is worked out from sorted lists of sheep; nothing is shared with
the compiled rules.
"""

from __future__ import annotations

Flock = dict[str, tuple[int, int]]
WAYS = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}
COLOURS = ("blue", "yellow", "green", "red")
AGAINST = {"n": "s", "s": "n", "e": "w", "w": "e", "ne": "sw", "sw": "ne", "nw": "se", "se": "nw", "cw": "ccw", "ccw": "cw"}
PRINTED = {
    "cards": {"slam": [2, 3], "trough": [2, 3], "line": [1, 3], "diagonal": [1, 3], "step": [1, 2], "leap": [2], "turn": [1]},
    "track": {"phase_ends": [12, 37, 49, 74], "walls": [24, 61]},
    "panic": {"spaces": [3, 8, 15, 20, 28, 33, 40, 45, 52, 57, 65, 70]},
}
"""HB-40, HB-41, HB-21 to HB-25, as somebody's own box says it too."""


def on_pasture(field: tuple[int, int]) -> bool:
    return min(field) >= 0 and max(field) <= 8


def shifted(field: tuple[int, int], way: str, by: int = 1) -> tuple[int, int]:
    return field[0] + by * WAYS[way][0], field[1] + by * WAYS[way][1]


def line_ahead(flock: Flock, sheep: str, way: str) -> list[str]:
    """The sheep that stand on the line before it, nearest first."""
    standing = {field: other for other, field in flock.items()}
    line = [shifted(flock[sheep], way, distance) for distance in range(1, 9)]
    return [standing[field] for field in line if field in standing]


def rams(flock: Flock, sheep: str) -> dict[str, Flock]:
    found = {}
    for way in WAYS:
        line = line_ahead(flock, sheep, way)
        for number in range(1, len(line) + 1):
            goal = shifted(flock[line[number - 1]], way)
            if on_pasture(goal) and goal not in flock.values():
                after = dict(flock)
                for behind, member in enumerate([*reversed(line[:number]), sheep]):
                    after[member] = shifted(goal, way, -behind)
                found[f"slam {sheep} {way} {number}"] = after
    return found


def leaps(flock: Flock, sheep: str) -> dict[str, Flock]:
    found = {}
    for way in WAYS:
        line = line_ahead(flock, sheep, way)
        for number in range(1, len(line) + 1):
            goal = shifted(flock[line[number - 1]], way)
            if on_pasture(goal) and goal not in flock.values():
                found[f"leap {sheep} {way} {number}"] = {**flock, sheep: goal}
    return found


def steps(flock: Flock, sheep: str) -> dict[str, Flock]:
    goals = {way: shifted(flock[sheep], way) for way in WAYS}
    free = {way: goal for way, goal in goals.items() if on_pasture(goal) and goal not in flock.values()}
    return {f"step {sheep} {way}": {**flock, sheep: goal} for way, goal in free.items()}


def pushes(flock: Flock, kind: str) -> dict[str, Flock]:
    """Named by the foremost sheep: the one with nobody ahead of it on its line."""
    found = {}
    for way in WAYS:
        if (len(way) == 2) != (kind == "diagonal"):
            continue
        for first in flock:
            if line_ahead(flock, first, way):
                continue
            moved = [first, *line_ahead(flock, first, AGAINST[way])]
            after = {**flock, **{sheep: shifted(flock[sheep], way) for sheep in moved}}
            if all(on_pasture(field) for field in after.values()):
                found[f"{kind} {first} {way}"] = after
    return found


def troughs(flock: Flock) -> dict[str, Flock]:
    """One sheep after the other goes on while the field before it is free and not beyond the trough, until none can."""
    found = {}
    for way in ("n", "e", "s", "w"):
        down, right = WAYS[way]
        trough = max(row * down + column * right for row, column in flock.values())
        after = dict(flock)
        while True:
            mobile = {
                sheep: shifted(field, way)
                for sheep, field in after.items()
                if shifted(field, way) not in after.values() and field[0] * down + field[1] * right < trough
            }
            if not mobile:
                break
            sheep, goal = next(iter(mobile.items()))
            after[sheep] = goal
        if after != flock:
            found[f"trough {way}"] = after
    return found


def touch(one: tuple[int, int], other: tuple[int, int]) -> int:
    return {(0, 1): 2, (1, 1): 1}.get(tuple(sorted((abs(one[0] - other[0]), abs(one[1] - other[1])))), 0)


class Plain:
    """A whole game. `choices` maps texts to what follows; `play` takes one."""

    def __init__(self, seats: int, options: dict[str, object], box: dict[str, dict[str, object]] | None = None) -> None:
        self.seats = seats
        self.neutral_rows, self.first_seat_begins = options["neutral-rows"], options["first-seat-begins"]
        self.box = box or PRINTED
        self.ends = self.box["track"]["phase_ends"]
        cards = [f"{kind} {value}" for kind, values in self.box["cards"].items() if kind != "source" for value in values]
        second = [int(card[-1]) for card in cards]
        self.flock: Flock = {}
        self.mine = [[f"{colour[0]}1", f"{colour[0]}2"] for colour in COLOURS[:seats]]
        self.hands = [list(cards) for _ in range(seats)]
        self.movements = [{2: second, 3: [1, 2, 3], 4: []}[seats][:] for _ in range(seats)]
        self.scores = [0] * seats
        self.timer = 0
        self.looks = "n"
        self.turn = 0
        self.fights = 4 if seats == 2 else seats
        self.ban = ""
        self.stage = "start"
        self.card = ""
        self.steps = 0
        self.die = ""

    def who(self) -> int:
        """The seat to act, -1 for chance, -2 when it is over."""
        return {"start": -1, "first": -1, "die": -1, "over": -2}.get(self.stage, self.turn)

    def choices(self) -> set[str]:
        if self.stage == "first":
            return {f"first {seat + 1}" for seat in range(self.seats)}
        if self.stage == "die":
            return {f"die {colour}" for colour in (*COLOURS, "black", "white")}
        if self.stage == "card":
            return self.playable(self.turn, self.ban)
        return set(self.outcomes())

    def playable(self, seat: int, ban: str) -> set[str]:
        possible = [kind for kind in {card.split()[0] for card in self.hands[seat]} if self.moves(seat, kind, ban)]
        cards = {card for card in self.hands[seat] if card.split()[0] in possible}
        extra = {f" plus {value}" for value in self.movements[seat]} | ({""} if self.seats != 2 else set())
        return {card + more for card in cards for more in extra}

    def moves(self, seat: int, kind: str, ban: str) -> dict[str, Flock]:
        found: dict[str, Flock] = {}
        if kind == "turn":
            found = {"turn cw": self.flock, "turn ccw": self.flock}
        elif kind == "trough":
            found = troughs(self.flock)
        elif kind in ("line", "diagonal"):
            found = pushes(self.flock, kind)
        else:
            for sheep in self.mine[seat]:
                found |= {"step": steps, "slam": rams, "leap": leaps}[kind](self.flock, sheep)
        return {text: flock for text, flock in found.items() if text != ban}

    def outcomes(self) -> dict[str, Flock]:
        if self.stage == "move":
            return self.moves(self.turn, self.card, self.ban)
        found: dict[str, Flock] = {}
        for sheep in self.flock:
            if self.die == "white" or {"black": "k"}.get(self.die, self.die[0]) == sheep[0]:
                found |= rams(self.flock, sheep)
        return found

    def play(self, text: str) -> None:
        words = text.split()
        if self.stage == "start":
            for row, letters in enumerate(words[1:]):
                for column, letter in enumerate(letters):
                    name = letter if letter == "k" else f"{letter}{2 if f'{letter}1' in self.flock else 1}"
                    self.flock[name] = (3 + row, 3 + column)
            self.stage = "die" if self.first_seat_begins else "first"
        elif self.stage == "first":
            self.turn = int(words[1]) - 1
            self.stage = "die"
        elif self.stage == "die":
            self.die = words[1]
            self.stage = "ram"
            if not self.outcomes():
                self.rammed()
        elif self.stage == "ram":
            self.flock = self.outcomes()[text]
            self.rammed()
        elif self.stage == "card":
            self.hands[self.turn].remove(" ".join(words[:2]))
            self.card, self.steps, self.stage = words[0], int(words[1]), "move"
            if len(words) > 2:
                self.movements[self.turn].remove(int(words[3]))
                self.steps += int(words[3])
        else:
            self.flock = self.outcomes()[text]
            self.ban = f"{words[0]} {AGAINST[words[1]]}" if self.card in ("turn", "trough") else ""
            if self.card == "turn":
                compass = "nesw" if words[1] == "cw" else "nwse"
                self.looks = compass[(compass.index(self.looks) + 1) % 4]
            self.walk()

    def rammed(self) -> None:
        self.fights = max(self.fights - 1, -1)
        if self.fights > 0:
            self.turn = (self.turn + 1) % self.seats
            self.stage = "die"
        else:
            self.next_turn()

    def walk(self) -> None:
        for _ in range(self.steps):
            self.timer += 1
            if self.timer - 1 in self.box["track"]["walls"]:
                self.rows(self.timer)
            if self.timer in (self.ends[1], self.ends[3]):
                self.rows(self.timer)
                break
        mine = [self.flock[sheep] for sheep in self.mine[self.turn]]
        if self.timer <= self.ends[0]:
            self.scores[self.turn] += touch(*mine)
        if self.ends[1] < self.timer <= self.ends[2]:
            self.scores[self.turn] += sum(touch(field, self.flock["k"]) for field in mine)
        if self.timer == self.ends[3]:
            self.over()
        elif self.timer in self.box["panic"]["spaces"]:
            self.stage = "die"
        else:
            self.next_turn()

    def rows(self, space: int) -> None:
        down, right = WAYS[self.looks]
        ahead = {sheep: field[0] * down + field[1] * right for sheep, field in self.flock.items()}
        counted = [sheep for sheep in self.flock if self.neutral_rows or any(sheep in mine for mine in self.mine)]  # HB-26
        rows = sorted({ahead[sheep] for sheep in counted}, reverse=True)
        if space <= self.ends[1]:
            worth = dict(zip(rows, (4, 3, 2, 1), strict=False))
        else:
            worth = {**dict(zip(reversed(rows), (4, 3, 2, 1), strict=False)), rows[0]: 0}
        for seat, sheep in enumerate(self.mine):
            self.scores[seat] += sum(worth.get(ahead[one], 0) for one in sheep)

    def next_turn(self) -> None:
        self.turn = (self.turn + 1) % self.seats
        self.stage = "card"
        if self.playable(self.turn, self.ban):
            return
        self.ban = ""
        for later in range(1, self.seats + 1):
            if self.playable((self.turn + later) % self.seats, ""):
                self.turn = (self.turn + later) % self.seats
                return
        self.timer = self.ends[3]
        self.rows(self.timer)
        self.over()

    def over(self) -> None:
        self.stage = "over"
        if self.seats == 3:
            self.scores = [score - 2 * len(left) for score, left in zip(self.scores, self.movements, strict=True)]

    def places(self) -> list[int]:
        totals = [(score, sum(int(card[-1]) for card in hand)) for score, hand in zip(self.scores, self.hands, strict=True)]
        return [1 + sum(other > mine for other in totals) for mine in totals]
