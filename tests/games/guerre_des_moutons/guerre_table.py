"""Positions of La Guerre des Moutons for tests: drawn tile by tile, played by lines of notation, and counted again from the table alone."""

from __future__ import annotations

from collections import Counter

from sheepfold.core.position import CHANCE
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.actions import TURN
from sheepfold.games.guerre_des_moutons.map import WIDTH, hunters_in, place_cell, place_code, wolves_in
from sheepfold.games.guerre_des_moutons.notation import COLOURS, MOTIFS, letters, turned
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import FACES, HUNTERS, SHEPHERDS, SQUARE, WOLVES, Tiles

STEPS = (-WIDTH, 1, WIDTH, -1)
WOLF_FACES = range(WOLVES * 2 + 1, HUNTERS * 2, 2)
HUNTER_FACES = range(HUNTERS * 2 + 1, SHEPHERDS, 2)


class Box:
    """Makes a set of tiles out of what a test names: rrry (front only), rrry|vvkk (both faces), Wr and Hr (wolf and hunter with a red
    herd behind), @r (red shepherd), O (village square), r-W (the herd behind the red wolf)."""

    def __init__(self):
        self.faces = [[] for _ in range(FACES)]
        self.count = 0
        self.faces[SQUARE] = [0, 0, 0, 0]
        for colour in range(4):
            self.faces[SHEPHERDS + colour] = [2 + colour] * 4

    def face(self, token):
        """The face that a token means; the tile is put into the box."""
        if token == "O":
            return SQUARE
        if token[0] == "@":
            return SHEPHERDS + COLOURS.index(token[1])
        if token[0] in "WH" or token[-1] in "WH":
            kind, colour = (token[0], token[1]) if token[0] in "WH" else (token[-1], token[0])
            tile = (WOLVES if kind == "W" else HUNTERS) + COLOURS.index(colour)
            self.faces[tile * 2] = [MOTIFS.index(colour)] * 4
            self.faces[tile * 2 + 1] = [1, 1, 1, 1]
            return tile * 2 + (token[0] in "WH")
        front, _, back = token.partition("|")
        tile = self.count
        self.count += 1
        self.faces[tile * 2] = [MOTIFS.index(letter) for letter in front]
        self.faces[tile * 2 + 1] = [MOTIFS.index(letter) for letter in back]
        return tile * 2


def table(drawing, hands=("", ""), bag="", colours="kyrb", shown="", turn=1, **options):
    """A position at the start of a turn: the drawing has a tile in each cell (north, east, south, west) and . for nothing."""
    box = Box()
    rows = [line.split() for line in drawing.strip().splitlines()]
    cells = {(y, x): box.face(token) for y, row in enumerate(rows) for x, token in enumerate(row) if token != "."}
    held = [[box.face(token) // 2 for token in hand.split()] for hand in hands]
    in_bag = [box.face(token) // 2 for token in bag.split()]
    position = GuerreDesMoutons(Tiles(box.faces), len(hands), **options)
    (oy, ox), middle = next(place for place, face in cells.items() if face == SQUARE), int(position.map.laid_cell[0])
    left = {middle + (y - oy) * WIDTH + x - ox: face for (y, x), face in cells.items() if face != SQUARE}
    while left:
        places = {place_cell(place): rank for rank, place in enumerate(position.map.places)}
        cell = next(cell for cell in left if cell in places)
        face = left.pop(cell)
        code = place_code(position.map.places[places[cell]])
        assert position.tiles.rotations(face, code) & 1, f"{letters(position.tiles)[face]} does not fit as drawn"
        position.map.put(places[cell], face, 0)
        if face < WOLVES * 2:
            position.laid_landscapes |= 1 << face // 2
        elif face < SHEPHERDS:
            position.laid_specials |= 1 << face // 2 - WOLVES
    for seat, tiles in enumerate(held):
        for tile in tiles:
            position._take(seat, tile)
        position.held[seat] = len(tiles)
        for colour in colours[2 * seat : 2 * seat + 2] if position.two_colours else colours[seat]:
            position.colours[seat] |= 1 << COLOURS.index(colour)
            if colour in shown:
                position.shown[seat] |= 1 << COLOURS.index(colour)
    position.in_bag = len(in_bag)
    position.dealt = len(hands) * (2 if position.two_colours else 1)
    position.stage = TURN
    position.turn = position.actor = position.to_act = turn - 1
    return position


def play(position, *events):
    """Let events happen, written as in a record: '1 rrry', 'chance draw kkkk', '2! wolf-r'."""
    for event in events:
        who, _, text = event.partition(" ")
        if who.endswith("!"):
            seat = int(who[:-1]) - 1
            position.interrupt(seat, GAME.read(position, text, seat))
        else:
            assert who == ("chance" if position.to_act == CHANCE else str(position.to_act + 1)), f"{event}: {position.to_act} is to act"
            position.apply(GAME.read(position, text))
    return position


def legal(position, seat=None):
    """The texts of what may be done, or of what a seat may do out of turn."""
    actions = position.legal() if seat is None else position.interruptions(seat - 1)
    return [GAME.write(position, action) for action in actions]


def draw_all(position):
    """Draw whatever comes first until somebody is to act; how many tiles that took."""
    count = 0
    while position.to_act == CHANCE:
        position.apply(position.legal()[0])
        count += 1
    return count


# Counting again from the table alone.


def sides_on_table(position):
    """Cell -> the four sides as letters, and the face."""
    found = {}
    for cell, face, turn in zip(position.map.laid_cell, position.map.laid_face, position.map.laid_turn, strict=True):
        found[int(cell)] = (turned(letters(position.tiles)[int(face)], int(turn)), int(face))
    return found


def areas(position):
    """Every connected area of forest or sheep: a set of (cell, side), by flooding."""
    laid = sides_on_table(position)
    seen, found = set(), []
    for cell, (sides, _) in laid.items():
        for side in range(4):
            if sides[side] == "v" or (cell, side) in seen:
                continue
            area, todo = set(), [(cell, side)]
            while todo:
                here, at = todo.pop()
                if (here, at) in area:
                    continue
                area.add((here, at))
                mine = laid[here][0]
                todo += [(here, (at + turn) % 4) for turn in (1, 3) if mine[(at + turn) % 4] == mine[at]]
                if here + STEPS[at] in laid:
                    todo.append((here + STEPS[at], (at + 2) % 4))
            seen |= area
            found.append(area)
    return found


def recount(position):
    """Pens as (colour, sheep, open sides, threatened) and forests as (wolves, hunters), from the table alone."""
    laid = sides_on_table(position)
    pens, forests, wild = [], [], set()
    every = areas(position)
    for area in every:
        cell, side = next(iter(area))
        if laid[cell][0][side] == "f":
            cells = {cell for cell, _ in area}
            wolves = sum(laid[cell][1] in WOLF_FACES for cell in cells)
            forests.append((wolves, sum(laid[cell][1] in HUNTER_FACES for cell in cells)))
            wild |= cells if wolves else set()
    for area in every:
        cell, side = next(iter(area))
        colour = laid[cell][0][side]
        if colour != "f":
            gates = sum(cell + STEPS[side] not in laid for cell, side in area)
            pens.append((COLOURS.index(colour), len(area), gates, any(cell in wild for cell, _ in area)))
    return Counter(pens), Counter(forests)


def kept(position):
    """The same from what the position keeps as it goes."""
    pens = Counter((int(pen.colour), int(pen.sheep), int(pen.open_sides), bool(pen.threatened)) for pen in position.map.pens())
    roots = set()
    for laid, face in enumerate(position.map.laid_face):
        for area in range(position.tiles.areas[int(face)]):
            if position.tiles.area_motif[int(face) * 4 + area] == 1:
                roots.add(int(position.map.root(int(position.map.laid_area[laid]) + area)))
    return pens, Counter((wolves_in(position.map.tally[root]), hunters_in(position.map.tally[root])) for root in roots)


def fitting(position, face):
    """Where a face can be laid, as (cell, sides from the north), by trying every rotation beside every tile."""
    laid = sides_on_table(position)
    guarded = set()
    for area in areas(position):
        if any(laid[cell][1] in HUNTER_FACES for cell, side in area if laid[cell][0][side] == "f"):
            guarded |= area
    found = set()
    for cell in {beside + step for beside in laid for step in STEPS} - set(laid):
        for turn in range(4):
            sides = turned(letters(position.tiles)[face], turn)
            met = [(cell + STEPS[at], (at + 2) % 4, sides[at]) for at in range(4) if cell + STEPS[at] in laid]
            if all(laid[other][0][side] == motif for other, side, motif in met) and not (
                face in WOLF_FACES and any((other, side) in guarded for other, side, _ in met)
            ):
                found.add((cell, sides))
    if face in HUNTER_FACES:
        found |= {(cell, "on") for cell, (_, below) in laid.items() if below in WOLF_FACES}
    return found
