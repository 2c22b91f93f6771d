"""La Guerre des Moutons as a picture: the landscape, zoomed so that all of it is seen; below it the bag, the tile taken up, the hand.

The one idea: tiles are named and placed by their distance from the village square (`tile-n1e2`), which never changes, and only the view of
them zooms. `data-tile` tells a page how large a tile came out, so that it can show the landscape larger and let it be moved.
What is laid is spelt by a face of the hand; then, as the second decision, by a place, and where the face fits in several
rotations by one of those, which are drawn beside the place and wait unseen until it is tapped.
Tiles, pens and each player's things are drawn from their own few values and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import cast

from sheepfold import art
from sheepfold.art.pen import num
from sheepfold.core.bits import every_bit
from sheepfold.games.guerre_des_moutons.actions import CONTENT, DONE, EXTRA, MORE, PASS, PLACE, RETIRE
from sheepfold.games.guerre_des_moutons.land import Land, Pen, areas_of_face, land_of
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.narration import sides_of, where_words
from sheepfold.games.guerre_des_moutons.notation import (
    COLOURS,
    cell_of,
    in_the_middle,
    is_where,
    letters,
    names,
    numbered,
    place_name,
    turned,
)
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import LANDSCAPES, SHEPHERDS, SQUARE, TILES, Tiles
from sheepfold.kept import kept
from sheepfold.messages import Voice

SIZE = 720
"""How wide the picture is; a phone shows it at half that."""
HIGHEST, LOWEST = 900.0, 460.0
"""How high the board may be, and is at least."""
LARGEST = 118.0
MARGIN = 1.04
"""How much of the open places round the landscape is seen, in tiles."""
STRIP_WIDE, STRIP = 520.0, 72.0
"""The strip with the bag; on a phone it shares a line with a button of the page."""
VARIANT = 104.0
TOP = 100.0
"""The height of the row of '?' tiles and buttons above the hand."""
BUTTON = 88.0
"""How high things in that row are: 44 pixels on the narrowest phone."""
LEAVING = 172.0
"""How wide the button to retire is, at the end of that row."""
IN_A_ROW = 4
FACE, ROW = 86.0, 106.0
"""How large a face in the hand is drawn, and how high a row of tiles is, with what turns them over."""
MOTIFS: dict[str, art.Motif] = {"v": "village", "f": "forest", "k": "black", "y": "yellow", "r": "red", "b": "blue"}
EDGES = ((0, -50), (50, 0), (0, 50), (-50, 0))
SPIN = art.use("spin", scale=0.55) + art.use("spin", scale=0.55, turn=180)
"""Two bent arrows, on a place where the face fits in several rotations."""
OVER_LEAF = '<path class="sf-draw" d="M-11 5Q0-13 11 5M12-6L11 5L1 4"/>'
"""An arrow over the seam between the two faces of a tile: what it shows is turned over."""
DONE_WORDS = {CONTENT: "button.content", EXTRA: "button.extra", MORE: "button.more"}
DRAWINGS = (
    "bag", "church", "clover", "firtree", "forest-", "glade", "house", "hunter", "hurdle-", "lamb-", "landback", "landlit", "landrim",
    "road-", "roundtree", "shepherd", "thicket-", "tuft", "village-", "well", "wolf-head",
)  # fmt: skip
"""The beginnings of names of what is drawn here, for `Game.drawings`."""


def targets(view: GuerreDesMoutons, action: int) -> list[str]:
    """What to tap, in order; for an interruption the same things."""
    if view.to_act < 0:
        return []
    if is_where(view):
        cell = cell_of(view, action)
        if action < PLACE:
            return [f"tile-{place_name(cell)}"]
        here, turn = f"place-{place_name(cell)}", (action - PLACE) % 4
        alone = not any(view.allows(action - turn + other) for other in range(4) if other != turn)
        return [here] if alone else [here, f"{here}-{turn}"]
    if action < SHEPHERDS:
        return [f"face-{names(view.tiles)[action]}"]
    if action < PASS:
        return [f"question-{COLOURS[action - SHEPHERDS]}"]
    return {PASS: ["pass"], RETIRE: ["retire", "retire-sure"], DONE: ["done"]}[action]


def refusals(view: GuerreDesMoutons, voice: Voice) -> dict[str, str]:
    """Why a face or a tile on the table cannot be tapped."""
    if is_where(view):
        return {"tile-": voice.say("refuse.taken")}
    nowhere = voice.say("refuse.nowhere")
    return {"face-": nowhere, "question-": nowhere, "tile-": voice.say("refuse.lies")}


def picture(view: GuerreDesMoutons, seat: int, theme: str, voice: Voice) -> str:
    """The view, with the viewer's own tiles in the part `hand` and what is known of the others in the part `others`."""
    look = cast(art.Theme, theme)
    board = Board(view, seat)
    body = [board.drawn(voice), board.variants(voice)]
    bottom = board.high
    taken_by = voice.name(int(view.actor)) if view.chosen >= 0 else ""
    strip = _strip(view.tiles, int(view.in_bag), int(view.chosen), taken_by, voice.words)
    parts = {"below": (strip, STRIP), "hand": _hand_of(view, seat, voice.words), "others": _others(view, seat, voice)}
    for name, (part, high) in parts.items():
        if part:
            body.append(art.part(name, bottom, STRIP_WIDE if name == "below" else SIZE, high, part, look))
            bottom += high
    said = voice.say("picture.bag", int(view.in_bag))
    return art.document(SIZE, bottom, "".join(body), voice.say("picture.title"), said, theme=look)


def window(view: GuerreDesMoutons, name: str) -> tuple[float, float, float, float] | None:
    """`land`: the landscape with the places beside it; `hand`: the tiles in hand."""
    if name == "land":
        board = Board(view, -1)
        rows, columns = ([board.on_sheet(cell)[axis] for cell, *_ in board.land.laid] for axis in (1, 0))
        edge = 100 * board.zoom
        return min(columns) - edge, min(rows) - edge, max(columns) - min(columns) + 2 * edge, max(rows) - min(rows) + 2 * edge
    if name == "hand":
        seat = int(view.viewer)
        return 0, Board(view, seat).high + STRIP, SIZE, _hand_of(view, seat, Voice([Path(__file__).parent / "locale"]))[1]
    return None


# Faces.


def _print(tiles: Tiles, face: int, turn: int = 0) -> tuple[list[art.Motif], art.Middle, art.Areas | None]:
    """What is to be drawn of a face, as it lies."""
    return [MOTIFS[letter] for letter in turned(letters(tiles)[face], turn)], in_the_middle(face), areas_of_face(tiles, face, turn)


@kept(512)
def _face_label(tiles: Tiles, face: int, turn: int, voice: Voice) -> str:
    """What a face shows, read aloud from the north."""
    middle = in_the_middle(face)
    if middle in ("wolf", "hunter"):
        return voice.say(f"mark.{middle}")
    if middle == "well":
        return voice.say("mark.square")
    said = sides_of(tiles, face, turn, voice)
    return f"{voice.say('mark.shepherd')}, {said}" if middle else said


# The landscape.


def _point(cell: int) -> tuple[int, int]:
    """The middle of a cell, before zooming."""
    return (cell % WIDTH - MIDDLE % WIDTH) * 100, (cell // WIDTH - MIDDLE // WIDTH) * 100


@kept(64)
def _ground(high: float) -> str:
    return art.meadow(0, 0, SIZE, high, "common", 22)


@kept(256)
def _laid(land: Land, voice: Voice) -> str:
    return "".join(_laid_tile(land.tiles, *laid, voice) for laid in land.laid)


@kept(512)
def _laid_tile(tiles: Tiles, cell: int, face: int, turn: int, voice: Voice) -> str:
    x, y = _point(cell)
    label = _face_label(tiles, face, turn, voice) + (f" ({where_words(cell, voice)})" if face != SQUARE else "")
    return art.landscape(*_print(tiles, face, turn), id=f"tile-{place_name(cell)}", x=x, y=y, label=label)


# Pens: fenced round when closed, red where a wolf is near.


@kept(256)
def _pens(land: Land, mine: int) -> str:
    """The pens that are closed or threatened; `mine` are the viewer's colours, as bits."""
    pens = [pen for pen in land.pens if pen.open_sides == 0 or pen.threatened]
    drawn = ""
    for pen in pens:
        where, edges = _begins(pen), _round(pen)
        if pen.threatened:
            drawn += f'<path id="prey-{where}" class="sf-prey" d="{_inside(pen)}"/>'
        if pen.open_sides == 0:
            fence = "".join(f'<path class="{name}" pathLength="1" d="{edges}"/>' for name in ("sf-penned-line", "sf-penned"))
            drawn += f'\n<g id="{pen_id(pen)}" class="sf-fencing">{fence}</g>'
        elif edges:
            drawn += f'<path class="sf-prey-line" d="{edges}"/>'
    counts = "".join(_count(pen, mine) for pen in pens if pen.open_sides == 0)
    return f'<g pointer-events="none">{drawn}{counts}</g>'


def pen_id(pen: Pen) -> str:
    """What a closed pen is called in the picture."""
    return f"pen-{_begins(pen)}"


def _begins(pen: Pen) -> str:
    """The first side of a pen: `n1e2-s`."""
    cell, side, _ = pen.sides[0]
    return f"{place_name(cell)}-{'nesw'[side]}"


def _inside(pen: Pen) -> str:
    """The ground of a pen."""
    return "".join(art.side_shape(side, bend, *_point(cell)) for (cell, side, _), bend in zip(pen.sides, pen.bends, strict=True))


@kept(512)
def _round(pen: Pen) -> str:
    """The fences of a pen: they run from corners to the middle of its tiles, wherever the next side is no part of it."""
    sides = {(cell, side): area for cell, side, area in pen.sides}
    drawn = ""
    for ((cell, side), area), bend in zip(sides.items(), pen.bends, strict=True):
        x, y = _point(cell)
        for neighbour, corner in ((side - 1) % 4, side), ((side + 1) % 4, (side + 1) % 4):
            if sides.get((cell, neighbour)) != area:
                (across, down), *way = reversed(art.fence_run(corner, bend))
                drawn += f"M{num(x + across)} {num(y + down)}"
                for next_across, next_down in way:
                    drawn += f"l{num(next_across - across)} {num(next_down - down)}"
                    across, down = next_across, next_down
    return drawn


def _count(pen: Pen, mine: int) -> str:
    """How many sheep are in a closed pen, larger where they are the viewer's; a wolf's head where they count nothing."""
    cell, side, _ = pen.sides[0]
    (x, y), (dx, dy) = _point(cell), EDGES[side]
    size = 46 if mine >> pen.colour & 1 else 34
    drawn = art.badge(pen.sheep, _colour(pen.colour), x=x + dx, y=y + dy, size=size)
    return drawn + (art.use("wolf-head", x + dx + size * 0.55, y + dy - size * 0.45, 0.3) if pen.threatened else "")


@kept(512)
def _place(cell: int, turns: tuple[int, ...], voice: Voice) -> str:
    """Where the face can go, with the face in the first of its rotations there."""
    x, y = _point(cell)
    label = voice.say("label.place", len(turns), where=where_words(cell, voice))
    several = f'<circle class="sf-card" r="22"/>{SPIN}' if len(turns) > 1 else ""
    body = f'<use href="#turned-{turns[0]}" class="sf-peek"/>{art.use("landlit", cls="sf-lit sf-veil")}{several}'
    return f'\n<g id="place-{place_name(cell)}" transform="translate({x} {y})" role="img" aria-label="{escape(label)}">{body}</g>'


class Board:
    """The landscape with what can be laid on it. Inside, a tile is 100 wide and the village square stands at 0, 0."""

    def __init__(self, view: GuerreDesMoutons, seat: int) -> None:
        self.view = view
        self.mine = int(view.colours[seat]) if seat >= 0 else 0
        self.land = land_of(view)
        self.asked = is_where(view) and view.to_act == seat
        (left, top), (right, bottom) = (_point(row * WIDTH + column) for row, column in self.land.corners)
        wide, tall = right - left + 100 + 200 * MARGIN, bottom - top + 100 + 200 * MARGIN
        self.zoom = min(LARGEST / 100, SIZE / wide, HIGHEST / tall)
        self.high = max(LOWEST, tall * self.zoom)
        self.left = SIZE / 2 - (left + right) / 2 * self.zoom
        self.top = self.high / 2 - (top + bottom) / 2 * self.zoom
        self.choices = self._choices() if self.asked else {}
        """Where the face that was taken up can go: cell to quarter turns."""

    def on_sheet(self, cell: int) -> tuple[float, float]:
        x, y = _point(cell)
        return self.left + x * self.zoom, self.top + y * self.zoom

    def _choices(self) -> dict[int, tuple[int, ...]]:
        """Hunters on wolves are left out, the wolf itself is tapped."""
        found = {
            cell: tuple((action - PLACE) % 4 for action in actions if action >= PLACE) for cell, actions in numbered(self.view).items()
        }
        return {cell: turns for cell, turns in found.items() if turns}

    def drawn(self, voice: Voice) -> str:
        view = f"transform:translate({num(self.left)}px,{num(self.top)}px) scale({self.zoom:.4g})"
        clip = f'<clipPath id="board-edge"><rect width="{SIZE}" height="{num(self.high)}" rx="18"/></clipPath>'
        return (
            f'{clip}<g clip-path="url(#board-edge)">{_ground(self.high)}'
            f'<g class="sf-view" data-tile="{num(100 * self.zoom)}" style="{view}">'
            f"{_laid(self.land, voice.words)}{_pens(self.land, self.mine)}{self._sources()}{self._places(voice.words)}</g></g>"
        )

    # Where the face can go.

    def _sources(self) -> str:
        """The face in its rotations, drawn once and shown wherever it can go."""
        turns = sorted({turn for here in self.choices.values() for turn in here})
        chosen = int(self.view.chosen)
        faces = "".join(f'<g id="turned-{turn}">{art.landscape_face(*_print(self.view.tiles, chosen, turn))}</g>' for turn in turns)
        return f'<g display="none">{faces}</g>' if faces else ""

    def _places(self, voice: Voice) -> str:
        return "".join(_place(cell, turns, voice) for cell, turns in self.choices.items())

    def variants(self, voice: Voice) -> str:
        """The rotations to choose from, in a row above or below their place; unseen until it is tapped."""
        drawn = ""
        for cell, turns in self.choices.items():
            if len(turns) < 2:
                continue
            x, y = self.on_sheet(cell)
            away = self.zoom * 50 + VARIANT * 0.62
            y = y - away if y - away > VARIANT * 0.6 else y + away
            wide = VARIANT * 1.12
            first = min(max(x - wide * (len(turns) - 1) / 2, wide * 0.55), SIZE - wide * (len(turns) - 0.45))
            for order, turn in enumerate(turns):
                label = _face_label(self.view.tiles, int(self.view.chosen), turn, voice.words)
                at = f"translate({num(first + wide * order)} {num(y)})scale({VARIANT / 112:.4g})"
                back = '<rect class="sf-card" x="-58" y="-58" width="116" height="116" rx="10"/>'
                lit = '<rect class="sf-lit sf-veil sf-clear" x="-57" y="-57" width="114" height="114" rx="9"/>'
                drawn += (
                    f'\n<g id="place-{place_name(cell)}-{turn}" class="sf-wait" transform="{at}" role="img" aria-label="{escape(label)}">'
                    f'{back}<use href="#turned-{turn}"/>{lit}</g>'
                )
        return drawn


@kept(512)
def _strip(tiles: Tiles, in_bag: int, chosen: int, who: str, voice: Voice) -> str:
    """Below the landscape: the bag, and the tile that somebody has taken up."""
    middle, right = STRIP / 2, STRIP_WIDE - 76
    drawn = f'<rect class="sf-shade" x="2" y="3" width="{num(STRIP_WIDE - 4)}" height="{num(STRIP - 6)}" rx="14"/>'
    drawn += art.bag(id="bag", x=40, y=middle - 1, size=60)
    if chosen < 0:
        said = voice.say("picture.bag", in_bag)
        return drawn + art.text(78, middle + 8, said, art.fitting(said, 24, STRIP_WIDE - 96), "start")
    said = voice.say("picture.taken-up", who=art.shortened(who, 24, right - 270))
    drawn += art.text(78, middle + 8, str(in_bag), 24, "start")
    drawn += art.text(right, middle + 8, said, art.fitting(said, 24, right - 130), "end")
    label = _face_label(tiles, chosen, 0, voice)
    return drawn + art.landscape(*_print(tiles, chosen), id="taken-up", x=STRIP_WIDE - 40, y=middle, size=60, label=label)


# The hand: '?' tiles and buttons first, then both faces of every tile.


def _hand_of(view: GuerreDesMoutons, seat: int, voice: Voice) -> tuple[str, float]:
    if seat < 0:
        return "", 0
    colours = every_bit(int(view.colours[seat]))
    held = int(view.hand[seat]) + (int(view.specials[seat]) << LANDSCAPES)
    buttons = _buttons(view, seat, 8.0 + 100 * len(colours), voice)
    choosing = not view.finish[seat] and not (is_where(view) and int(view.actor) == seat)
    return _hand(view.tiles, tuple(colours), int(view.shown[seat]), held, buttons, view.viewer == seat, choosing, voice)


@kept(256)
def _hand(
    printed: Tiles, colours: tuple[int, ...], shown: int, held: int, buttons: str, own: bool, choosing: bool, voice: Voice
) -> tuple[str, float]:  # fmt: skip
    """The viewer's own tiles; and how high that is."""
    tiles = [tile for tile in range(TILES) if held >> tile & 1]
    drawn, x = "", 50.0
    for colour in colours:
        drawn += _question(colour, bool(shown >> colour & 1), x, voice)
        x += 100
    mine = " + ".join(voice.say(f"motif.{COLOURS[colour]}") for colour in colours)
    if mine and not ('id="pass"' in buttons or 'id="done"' in buttons):  # what asks again before retiring lies over it
        lines = [(voice.say("label.colour" if own else "label.colour.open", colour=mine), 25.0)]
        if own and tiles and choosing:
            lines.append((voice.say("label.faces"), 22.0))
        room = SIZE - x + 40 - (LEAVING if buttons else 0)
        for place, (said, size) in enumerate(lines):
            y = TOP / 2 + 8 + (place - (len(lines) - 1) / 2) * 34
            drawn += art.text(x - 40, y, said, art.fitting(said, size, room), "start", soft=place > 0)
    drawn += buttons
    wide = SIZE / IN_A_ROW
    for place, tile in enumerate(tiles):
        row, column = divmod(place, IN_A_ROW)
        drawn += _tile(printed, tile, (column + 0.5) * wide, TOP + row * ROW + FACE / 2 + 4, voice)
    return drawn, TOP + -(-len(tiles) // IN_A_ROW) * ROW


def colours_of(view: GuerreDesMoutons) -> tuple[str | None, ...]:
    """The colour of every seat that the view knows; the first of two."""
    held = [every_bit(int(view.colours[seat])) for seat in range(int(view.seats))]
    return tuple(_colour(colours[0]) if colours else None for colours in held)


def _question(colour: int, laid: bool, x: float, voice: Voice) -> str:
    """The own '?' tile with its colour; once it is laid, the marker that shows the colour."""
    name = voice.say(f"motif.{COLOURS[colour]}")
    if laid:
        return art.mark(_colour(colour), x=x, y=TOP / 2, size=76, label=voice.say("label.colour", colour=name))
    said = voice.say("label.question", colour=name)
    return art.landscape_back(True, _colour(colour), id=f"question-{COLOURS[colour]}", x=x, y=TOP / 2, size=BUTTON, label=said)


def _colour(colour: int) -> art.Colour:
    return cast(art.Colour, MOTIFS[COLOURS[colour]])


def _buttons(view: GuerreDesMoutons, seat: int, left: float, voice: Voice) -> str:
    """Pass or done, where they are allowed; and retiring, quiet, small and apart. Whoever retires is asked again."""
    if view.to_act != seat or is_where(view):
        return ""
    wide = SIZE - left - LEAVING - 12
    middle = left + wide / 2
    allowed = view.legal()
    drawn = ""
    for action, name, key in (PASS, "pass", "button.pass"), (DONE, "done", DONE_WORDS.get(int(view.stage), "")):
        if action in allowed:
            drawn += art.button(voice.say(key), name, middle, TOP / 2, wide, BUTTON, 28)
    if RETIRE in allowed:
        said = voice.say("button.retire")
        reach, shape = (
            f'<rect x="{num(-LEAVING / 2)}" y="{num(-high / 2)}" width="{num(LEAVING)}" height="{num(high)}" rx="20" {look}/>'
            for high, look in ((BUTTON, 'fill="transparent"'), (56, 'class="sf-shade"'))
        )
        line = art.text(0, 8, said, art.fitting(said, 22, LEAVING - 16), soft=True)
        drawn += art.piece(f"{reach}{shape}{line}", id="retire", x=SIZE - LEAVING / 2 - 2, y=TOP / 2, label=said)
        sure = voice.say("button.retire-sure", bonus=_bonus(view, seat))
        drawn += art.button(sure, "retire-sure", middle, TOP / 2, wide, BUTTON, 26, classes="sf-wait")
    return drawn


def _bonus(view: GuerreDesMoutons, seat: int) -> int:
    """What retiring now would bring."""
    trial = view.copy()
    trial.advance(RETIRE)
    return int(trial.bonus(seat))


@kept(512)
def _tile(tiles: Tiles, tile: int, x: float, y: float, voice: Voice) -> str:
    """Both faces of a tile, side by side, and between them the sign that it is turned over."""
    shape = f'x="{num(x - FACE - 2)}" y="{num(y - FACE / 2 - 3)}" width="{num(2 * FACE + 4)}" height="{num(FACE + 6)}"'
    drawn = f'<rect class="sf-card" {shape} rx="9"/>'
    for back in range(2):
        face = tile * 2 + back
        name, label = names(tiles)[face], _face_label(tiles, face, 0, voice)
        at = x + (back - 0.5) * FACE
        drawn += art.landscape(*_print(tiles, face), id=f"face-{name}", x=at, y=y, size=FACE - 4, label=label)
    sign = f'<circle class="sf-card" r="17"/>{OVER_LEAF}'
    return drawn + f'<g transform="translate({num(x)} {num(y + FACE / 2)})" pointer-events="none">{sign}</g>'


# The others: their colours as far as they are known, how many tiles they have, and who has left the game.


def _others(view: GuerreDesMoutons, seat: int, voice: Voice) -> tuple[str, float]:
    drawn, y = "", 0.0
    for other in _others_of(view, seat):
        known, place = every_bit(int(view.colours[other])), int(view.finish[other])
        unknown = int(view.dealt // view.seats) - len(known)
        bonus = int(view.bonus(other)) if place else 0
        drawn += _other(voice.name(other), tuple(known), unknown, place, bonus, int(view.held[other]), y, voice.words)
        y += 74
    return drawn, y + 4 if y else 0


@kept(512)
def _other(who: str, known: tuple[int, ...], unknown: int, place: int, bonus: int, held: int, y: float, voice: Voice) -> str:
    """Another player: the colours that are known of it, how many are not, how many tiles it has; or the place in which it has left."""
    drawn, x = "", 30.0
    for colour in known:
        drawn += art.mark(_colour(colour), x=x, y=y + 36, size=48, label=voice.say(f"motif.{COLOURS[colour]}"))
        x += 58
    for _ in range(unknown):
        drawn += art.landscape_back(True, x=x, y=y + 36, size=52, label=voice.say("label.secret"))
        x += 58
    state = voice.say("picture.left", place=place, bonus=bonus) if place else voice.say("tiles", held)
    drawn += art.text(x, y + 30, who, 24, "start") + art.text(x, y + 58, state, 20, "start", soft=True)
    count = 0 if place else held
    step = min(40.0, 300 / max(count, 1))
    for number in range(count):
        drawn += art.landscape_back(x=SIZE - 360 + number * step, y=y + 36, size=46)
    return drawn


def _others_of(view: GuerreDesMoutons, seat: int) -> Iterable[int]:
    return (other for other in range(int(view.seats)) if other != seat)


def vignette() -> str:
    """Three landscapes, with a wolf in the middle one."""
    tiles = art.landscape(("white", "forest", "white", "village"), x=78, y=80, size=84)
    tiles += art.landscape(("forest", "blue", "blue", "forest"), "wolf", x=162, y=80, size=84)
    return art.lawn("gm") + tiles + art.landscape(("red", "red", "village", "red"), x=246, y=80, size=84)
