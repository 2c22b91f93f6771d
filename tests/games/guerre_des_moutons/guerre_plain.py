"""La Guerre des Moutons a second time, slow and plain, from docs/rules/guerre-des-moutons.md alone; it shares no code with the rules.

Everything is text: a face is four letters clockwise, an action is what a record says. Nothing is kept that can be counted again
from the table: forests and pens are flooded whenever they are asked for.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

COLOURS = "kyrb"
AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west, as steps to the east and to the south."""
CHANCE, OVER = "chance", "over"


class Face(NamedTuple):
    """What is printed: the four sides, and every area with its sides and its sheep. Village is no area."""

    name: str
    sides: str
    areas: frozenset[tuple[frozenset[int], int]]
    middle: str = ""

    def turned(self, turn: int) -> Face:
        """After so many quarter turns clockwise the side that was north points so many sides further."""
        sides = "".join(self.sides[(side - turn) % 4] for side in range(4))
        areas = frozenset((frozenset((side + turn) % 4 for side in among), sheep) for among, sheep in self.areas)
        return self._replace(sides=sides, areas=areas)

    def area_at(self, side: int) -> tuple[frozenset[int], int]:
        return next(area for area in self.areas if side in area[0])


class Tile(NamedTuple):
    """Two faces; of a wolf or hunter the herd is the front."""

    front: Face
    back: Face

    @property
    def special(self) -> bool:
        return self.back.middle in ("wolf", "hunter")

    @property
    def name(self) -> str:
        """What it is called when it is drawn."""
        return self.back.name if self.special else self.front.name


def read_face(text: str, joined: str, a_side: int) -> Face:
    """GM-40, GM-43: which sides are one area, and how many sheep are in it."""
    sides, _, brackets = text.rstrip(")").partition("(")
    areas = []
    for part in brackets.split(",") if brackets else []:
        among, _, sheep = part.partition(":")
        areas.append((frozenset(int(side) - 1 for side in among), int(sheep) if sheep else len(among) * a_side))
    for side in range(4):
        if sides[side] == "v" or any(side in among for among, _ in areas):
            continue
        named = frozenset().union(*(among for among, _ in areas))
        like = {other for other in range(4) if sides[other] == sides[side] and other not in named}
        area = {side}
        for _ in range(4):
            if joined == "neighbours":
                area |= {other for other in like if (other + 1) % 4 in area or (other - 1) % 4 in area}
            elif joined == "opposite":
                area |= like
        areas.append((frozenset(area), len(area) * a_side))
    counted = [(among, 0 if sides[min(among)] == "f" else sheep) for among, sheep in areas]
    return Face("", sides, frozenset(counted))


def read_tiles(data: dict[str, dict[str, object]]) -> tuple[list[Tile], dict[str, Face]]:
    """The tiles of the bag, and the faces behind the '?' by colour. A second face with the same letters is called -2, and so on."""
    how = data["fences"]["joined"], data["sheep"]["a-side"]
    used: list[str] = []

    def named(face: Face, name: str, middle: str = "") -> Face:
        used.append(name)
        count = used.count(name)
        return face._replace(name=name if count == 1 else f"{name}-{count}", middle=middle)

    tiles = []
    for text in data["landscapes"]["tiles"]:
        faces = [read_face(face, *how) for face in text.split()]
        tiles.append(Tile(*(named(face, face.sides) for face in faces)))
    for kind, table in (("wolf", "wolves"), ("hunter", "hunters")):
        for text in data[table]["herds"]:
            herd = read_face(text, *how)
            forest = read_face("ffff", "neighbours", 0)
            tiles.append(Tile(named(herd, f"{herd.sides}-{kind}"), named(forest, f"{kind}-{herd.sides[0]}", kind)))
    shepherds = {text[0]: read_face(text, *how)._replace(name=f"reveal {text[0]}") for text in data["shepherds"]["faces"]}
    return tiles, shepherds


@cache
def rotations(face: Face) -> list[tuple[int, Face, str]]:
    """The quarter turns that look different, with what is written for them."""
    found: list[tuple[int, Face, str]] = []
    for turn in range(4):
        lies = face.turned(turn)
        if all(lies != other for _, other, _ in found):
            text = lies.sides if all(lies.sides != other.sides for _, other, _ in found) else f"{lies.sides} {turn}"
            found.append((turn, lies, text))
    return found


@cache
def matching(face: Face, met: str) -> list[tuple[Face, str]]:
    """GM-4: the rotations in which every side matches what it meets, '.' being nothing."""
    return [
        (lies, text)
        for _, lies, text in rotations(face)
        if all(theirs in (".", mine) for theirs, mine in zip(met, lies.sides, strict=True))
    ]


def place_text(cell: tuple[int, int]) -> str:
    x, y = cell
    return (f"n{-y}" if y < 0 else f"s{y}" if y > 0 else "") + (f"e{x}" if x > 0 else f"w{-x}" if x < 0 else "")


class Plain:
    """A game. `who` is to act, `choices` are the texts of what may be done; `play` and `interrupt` do one of them."""

    def __init__(self, seats: int, options: dict[str, object], box: dict[str, dict[str, object]]) -> None:
        self.seats = seats
        self.colours_each = 2 if options["two-colours"] else 1
        self.last_gets_no_bonus = options["last-gets-no-bonus"]
        self.empty_hand_is_out = options["empty-hand-is-out"]
        tiles, self.shepherds = read_tiles(box)
        self.bag = tiles
        self.hands: list[list[Tile]] = [[] for _ in range(seats)]
        self.aside: list[Tile] = []
        self.colours: list[list[str]] = [[] for _ in range(seats)]
        self.shown: list[list[str]] = [[] for _ in range(seats)]
        self.left: list[int] = []
        """Who has left the game, in order."""
        self.table = {(0, 0): Face("square", "vvvv", frozenset(), "square")}
        self.unlaid = [tile.back.middle for tile in tiles if tile.special]
        self.passes = self.redraws = 0
        self.turn = -1 if options["first-player"] == "drawn" else int(options["first-player"]) - 1
        self.stage = "first" if self.turn < 0 else "deal"
        self.actor = 0
        self.goes_back_to = "turn"
        self.draws: list[int] = []
        """Who is to draw, tile by tile."""
        self.chosen: Face | None = None
        self.why = ""
        """Why the chosen face is laid: turn, reveal, extra or announced."""
        self.owed = 0
        self.after = ""
        """What follows when all draws are made: begin, next turn, extra play or go on."""
        self.places = self.met()

    # Who, and what may be done.

    def who(self) -> str | int:
        if self.stage == "over":
            return OVER
        if self.stage in ("first", "deal", "draw"):
            return CHANCE
        return self.actor

    def choices(self) -> list[str]:
        if self.stage == "first":
            return [f"first {seat + 1}" for seat in range(self.seats)]
        if self.stage == "deal":
            return [f"colour {colour}" for colour in COLOURS if all(colour not in had for had in self.colours)]
        if self.stage == "draw":
            return [f"draw {tile.name}" for tile in self.bag]
        if self.stage == "lay":
            return list(self.where(self.chosen))
        landscapes, wild = self.landscapes(self.actor), self.wolves_and_hunters(self.actor)
        if self.stage == "more":
            return [*wild, "done"]
        if self.stage == "extra":
            return [*landscapes, *wild, "done"]
        found = [*landscapes, *wild, *self.reveals(self.actor), "retire"]
        if self.stage == "content":
            return [*found, "done"]
        return found if landscapes else [*found, "pass"]  # GM-5

    def interruptions(self, seat: int) -> list[str]:
        """GM-8 to GM-10."""
        if self.stage not in ("turn", "content") or seat == self.turn or seat in self.left:
            return []
        return [*self.wolves_and_hunters(seat), *self.reveals(seat)]

    def landscapes(self, seat: int) -> list[str]:
        """GM-4, GM-16."""
        faces = [face for tile in self.hands[seat] for face in ((tile.front,) if tile.special else tile)]
        return [face.name for face in faces if self.fits(face)]

    def wolves_and_hunters(self, seat: int) -> list[str]:
        """GM-9, GM-12, GM-13."""
        return [tile.back.name for tile in self.hands[seat] if tile.special and self.fits(tile.back)]

    def reveals(self, seat: int) -> list[str]:
        """GM-8."""
        return [f"reveal {colour}" for colour in self.colours[seat] if colour not in self.shown[seat] and self.fits(self.shepherds[colour])]

    def question_left(self, seat: int) -> bool:
        return len(self.shown[seat]) < self.colours_each

    # The table.

    def met(self) -> dict[tuple[int, int], str]:
        """The empty places beside a tile, with what their sides meet."""
        found = {}
        for x, y in self.table:
            for dx, dy in AROUND:
                place = x + dx, y + dy
                if place not in self.table:
                    found[place] = "".join(
                        self.table[other].sides[(side + 2) % 4] if (other := (place[0] + sx, place[1] + sy)) in self.table else "."
                        for side, (sx, sy) in enumerate(AROUND)
                    )
        return found

    def fits(self, face: Face) -> bool:
        if face.middle in ("wolf", "hunter"):
            return bool(self.where(face))
        return any(matching(face, met) for met in set(self.places.values()))

    def where(self, face: Face) -> dict[str, tuple[tuple[int, int], Face]]:
        """Every place and rotation by its text: the cell, and the face as it lies there."""
        found = {}
        for cell, met in self.places.items():
            lying = matching(face, met)
            if lying and not (face.middle == "wolf" and self.guarded(cell)):
                for lies, text in lying:
                    found[f"{place_text(cell)} {text}"] = cell, lies
        if face.middle == "hunter":  # GM-13
            for cell, laid in self.table.items():
                if laid.middle == "wolf":
                    found[f"on {place_text(cell)}"] = cell, face
        return found

    def region(self, cell: tuple[int, int], side: int) -> set[tuple[tuple[int, int], int]]:
        """All sides (cell, side) of the forest or pen that this one belongs to."""
        found, todo = set(), [(cell, side)]
        while todo:
            here, at = todo.pop()
            if (here, at) in found:
                continue
            for each in self.table[here].area_at(at)[0]:
                found.add((here, each))
                beside = here[0] + AROUND[each][0], here[1] + AROUND[each][1]
                if beside in self.table:
                    todo.append((beside, (each + 2) % 4))
        return found

    def guarded(self, cell: tuple[int, int]) -> bool:
        """GM-12: whether a forest that this place touches has a hunter."""
        for side, (dx, dy) in enumerate(AROUND):
            other, back = (cell[0] + dx, cell[1] + dy), (side + 2) % 4
            forest = self.region(other, back) if other in self.table and self.table[other].sides[back] == "f" else set()
            if any(self.table[at].middle == "hunter" for at, _ in forest):
                return True
        return False

    def regions(self) -> list[set[tuple[tuple[int, int], int]]]:
        found: list[set[tuple[tuple[int, int], int]]] = []
        seen: set[tuple[tuple[int, int], int]] = set()
        for cell, face in self.table.items():
            for side in range(4):
                if face.sides[side] != "v" and (cell, side) not in seen:
                    found.append(self.region(cell, side))
                    seen |= found[-1]
        return found

    def pens(self) -> dict[str, list[int]]:
        """GM-15, GM-17, GM-18: by colour the sheep of the pens that count, the largest first."""
        wild, counted = set(), {colour: [] for colour in COLOURS}
        regions = self.regions()
        for region in regions:
            if any(self.table[cell].middle == "wolf" for cell, _ in region):
                wild |= {cell for cell, side in region if self.table[cell].sides[side] == "f"}
        for region in regions:
            cell, side = next(iter(region))
            colour = self.table[cell].sides[side]
            closed = all((at[0] + AROUND[each][0], at[1] + AROUND[each][1]) in self.table for at, each in region)
            if colour in counted and closed and not any(at in wild for at, _ in region):
                areas = {(at, self.table[at].area_at(each)) for at, each in region}
                counted[colour].append(sum(sheep for _, (_, sheep) in areas))
        return {colour: sorted(sheep, reverse=True) for colour, sheep in counted.items()}

    # What happens.

    def play(self, text: str) -> None:
        if self.stage == "first":
            self.turn, self.stage = int(text.split()[1]) - 1, "deal"
        elif self.stage == "deal":
            self.deal(text.split()[1])
        elif self.stage == "draw":
            self.draw(text.removeprefix("draw "))
        elif self.stage == "lay":
            self.lay(text)
        elif text == "pass":
            self.pass_()
        elif text == "retire":
            self.left.append(self.turn)
            self.aside += self.hands[self.turn]  # GM-20
            self.hands[self.turn] = []
            self.passes = 0
            self.next_turn()
        elif text == "done":
            self.done()
        elif self.stage in ("turn", "content"):
            self.begin(self.turn, text)
        else:
            self.take_up(self.actor, text, "extra" if self.stage == "extra" else "announced")

    def interrupt(self, seat: int, text: str) -> None:
        self.begin(seat, text)

    def done(self) -> None:
        if self.stage == "more":
            self.start_drawing("go on")
        elif self.stage == "extra":
            self.go_on()
        else:
            self.next_turn()

    def deal(self, colour: str) -> None:
        """GM-2, GM-23: seat by seat, with two colours twice round; then four tiles each."""
        seat = min(range(self.seats), key=lambda one: len(self.colours[one]))
        self.colours[seat].append(colour)
        self.colours[seat].sort(key=COLOURS.index)
        if all(len(had) == self.colours_each for had in self.colours):
            self.draws = [seat for seat in range(self.seats) for _ in range(4)]
            self.stage, self.after = "draw", "begin"

    def draw(self, name: str) -> None:
        tile = next(tile for tile in self.bag if tile.name == name)
        self.bag.remove(tile)
        self.hands[self.draws.pop(0)].append(tile)
        if not self.draws:
            self.drawn()

    def begin(self, seat: int, text: str) -> None:
        """A landscape of the turn, a reveal (GM-8), or the first wolf or hunter of an announcement (GM-9)."""
        self.goes_back_to = self.stage
        if text.startswith("reveal"):
            self.actor, self.chosen, self.why, self.stage = seat, self.shepherds[text[-1]], "reveal", "lay"
            self.shown[seat].append(text[-1])
        elif re.match("(wolf|hunter)-", text):
            if seat == self.turn:
                self.goes_back_to = "content"
            self.take_up(seat, text, "announced")
        else:
            self.take_up(seat, text, "turn")

    def take_up(self, seat: int, name: str, why: str) -> None:
        tile = next(tile for tile in self.hands[seat] if name in (tile.front.name, tile.back.name))
        self.hands[seat].remove(tile)
        if tile.special:
            self.unlaid.remove(tile.back.middle)
        face = tile.front if name == tile.front.name else tile.back
        self.actor, self.chosen, self.why, self.stage = seat, face, why, "lay"

    def lay(self, text: str) -> None:
        cell, lies = self.where(self.chosen)[text]
        self.table[cell] = lies
        self.places = self.met()
        self.owed += sum((cell[0] + dx, cell[1] + dy) in self.table for dx, dy in AROUND)
        self.passes = self.redraws = 0
        if self.why == "announced" and self.hands[self.actor] and self.more_could_follow():
            self.stage = "more"
        else:
            self.start_drawing({"turn": "next turn", "reveal": "extra play"}.get(self.why, "go on"))

    def more_could_follow(self) -> bool:
        """GM-9: whether everybody can see that an unlaid wolf or hunter would have a place."""
        return any(self.fits(read_face("ffff", "neighbours", 0)._replace(middle=kind)) for kind in set(self.unlaid))

    def start_drawing(self, after: str) -> None:
        """GM-4: as far as the bag goes."""
        self.draws = [self.actor] * min(self.owed, len(self.bag))
        self.owed = 0
        self.after, self.stage = after, "draw"
        if not self.draws:
            self.drawn()

    def drawn(self) -> None:
        if self.after == "begin":
            self.actor, self.stage = self.turn, "turn"
            return
        seat = self.actor
        if not self.hands[seat] and (self.empty_hand_is_out or not self.question_left(seat)):  # GM-19, GM-24
            self.left.append(seat)
        if self.after == "next turn":
            self.next_turn()
        elif self.after == "extra play" and self.hands[seat]:
            self.stage = "extra"
        else:
            self.go_on()

    def go_on(self) -> None:
        if self.turn in self.left:
            self.next_turn()
        else:
            self.actor, self.stage = self.turn, self.goes_back_to

    def next_turn(self) -> None:
        if len(self.left) == self.seats:
            self.stage = "over"
            return
        self.turn = next(
            seat % self.seats for seat in range(self.turn + 1, self.turn + 1 + self.seats) if seat % self.seats not in self.left
        )
        self.actor, self.stage = self.turn, "turn"

    def pass_(self) -> None:
        """GM-7, GM-21."""
        self.passes += 1
        if self.passes < self.seats - len(self.left):
            self.next_turn()
        elif not self.bag or self.redraws == 3:
            self.stage = "over"
        else:
            self.redraws += 1
            self.passes = 0
            self.next_turn()
            order = [(self.turn + step) % self.seats for step in range(self.seats)]
            self.draws = [seat for seat in order for _ in self.hands[seat]]
            self.bag += [tile for hand in self.hands for tile in hand] + self.aside
            self.hands, self.aside = [[] for _ in range(self.seats)], []
            self.stage, self.after = "draw", "begin"

    # Results.

    def results(self) -> list[list[int]]:
        """GM-18, GM-19, GM-22: points, then the other pens, largest first."""
        pens = self.pens()
        found = []
        for seat in range(self.seats):
            points, others = 0, []
            if seat in self.left:
                place = self.left.index(seat) + 1
                points = 0 if self.last_gets_no_bonus and place == self.seats else (6, 3, 1, 0)[place - 1]
            for colour in self.colours[seat]:
                points += sum(pens[colour][:1])
                others += pens[colour][1:]
            found.append([points, *sorted(others, reverse=True)])
        return found

    def scores(self) -> list[int]:
        return [result[0] for result in self.results()]

    def ranks(self) -> list[int]:
        results = self.results()
        return [1 + sum(other > mine for other in results) for mine in results]
