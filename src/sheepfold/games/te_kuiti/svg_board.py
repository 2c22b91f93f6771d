"""Te Kuiti as a picture: the field with its tiles and fences; below it who is what, what has left the field, and the points.

Only what is face up now is drawn, unless the table plays with the memory aid: a tile that has been turned down looks like one that
nobody has seen. `tile-c4` is the tile of a cell, `edge-c4-n` a place for a fence, `fence-c4-n` the fence that stands there.
Each part is drawn from its own few values and kept.
"""

from __future__ import annotations

from typing import Literal, cast

from sheepfold import art
from sheepfold.core.position import OVER
from sheepfold.games.te_kuiti.components import KIND_NAMES
from sheepfold.games.te_kuiti.narration import NO_TILE, Cell, edge_words, field, standing_fences, tile_words, tiles_gone
from sheepfold.games.te_kuiti.notation import SIDES, cell_and_side, cell_name
from sheepfold.games.te_kuiti.rules import (
    CALLING,
    CELLS,
    DONE,
    DRAW_SHEPHERD,
    EDGES,
    FACE,
    FIRST,
    GIVE_UP,
    KINDS,
    LOOKING,
    PAIR_FIRST,
    PAIR_SECOND,
    RAM,
    RAMMING,
    REMOVE,
    SHEPHERD,
    TAKE,
    TURN,
    TURNING,
    TeKuiti,
)
from sheepfold.kept import kept
from sheepfold.messages import Voice

SIZE = 720
"""How wide the picture is; a phone shows it at half that."""
PITCH = 130.0
"""From tile to tile: so that the diamond which catches taps for an edge is 44 px across on a phone."""
CORNER = (SIZE - 5 * PITCH) / 2
TILE = 106.0
ROLES, LEFT, BOTTOM = 112.0, 84.0, 100.0
"""The heights of the three rows below the field."""
GAP = 8.0
COLOURS: tuple[art.Colour, ...] = ("blue", "yellow")
DRAWINGS = (
    "daisy", "diamond", "fence-", "fencelit", "glow", "mood-", "peg", "ramface", "roger-", "sheep-s", "shepherd", "sign-", "slab", "slot-",
    "tileback", "trampled", "tuft",
)  # fmt: skip
"""The beginnings of names of what is drawn here, for `Game.drawings`."""


def targets(view: TeKuiti, action: int) -> list[str]:
    """What to tap, in order."""
    if action < REMOVE:
        return [_edge_id("edge", action)]
    if action < TURN:
        return [_edge_id("fence", action - REMOVE)]
    if action < TAKE:
        return [tile_id(action - TURN)]
    if action < DONE:
        return [tile_id(int(PAIR_FIRST[action - TAKE])), tile_id(int(PAIR_SECOND[action - TAKE]))]
    if action == DONE:
        return ["done"]
    if action == GIVE_UP:
        return ["give-up", "give-up-sure"]
    return []


def picture(view: TeKuiti, seat: int, theme: str, voice: Voice) -> str:
    """The view; everything but the field is in the part `hand`, so that a wide screen has it beside the field."""
    look = cast(art.Theme, theme)
    words, cells = voice.words, field(view)
    body = _ground(cells) + _tiles(cells, words) + _edges(standing_fences(view), words)
    below = _roles(view, voice) + _what_left(tiles_gone(view), words) + _bottom(view, seat, voice)
    high = ROLES + LEFT + BOTTOM + 3 * GAP
    body += art.part("hand", SIZE, SIZE, high, below, look)
    return art.document(SIZE, SIZE + high, body, voice.say("picture.title"), _headline(view, voice), theme=look)


def refusals(view: TeKuiti, voice: Voice) -> dict[str, str]:
    """Why a tile, a fence or a place for one cannot be tapped."""
    if view.stage == RAMMING:
        return {"edge-": voice.say("refuse.no-fence")}
    if view.stage != TURNING:
        return {"fence-": voice.say("refuse.fence")}
    found = {}
    for cell in range(CELLS):
        if view.has_tile(cell) and (view.enclosed(cell) or view.face_up(cell)):
            found[tile_id(cell)] = voice.say("refuse.enclosed" if view.enclosed(cell) else "refuse.face-up")
    return found


def passing(before: TeKuiti, action: int, after: TeKuiti) -> str:
    """The tiles that were turned up in this event and have left the field at once."""
    faces = {cell: int(before.known[cell]) - 1 for cell in range(CELLS) if before.has_tile(cell) and before.face_up(cell)}
    if TURN <= action < TAKE:
        faces[action - TURN] = int(before.known[action - TURN]) - 1
    elif FACE <= action < FIRST:
        faces[int(before.turning)] = action - FACE
    else:
        return ""
    drawn = ""
    for cell, face in faces.items():
        if face >= 0 and before.round == after.round and not after.has_tile(cell):
            (x, y), (kind, flower) = _middle(cell), divmod(face, 5)
            name = cast(art.Mood, KIND_NAMES[kind])
            drawn += art.mood_tile(name, cast(art.Side, SIDES[flower - 1]) if flower else None, x=x, y=y, size=TILE)
    return drawn


def window(name: str) -> tuple[float, float, float, float] | None:
    """`field`, or a piece of it from one cell to another: `a1 c2`."""
    if name == "field":
        return 0, 0, SIZE, SIZE
    if name:
        (left, top), (right, bottom) = ((("abcde".index(cell[0])), int(cell[1]) - 1) for cell in name.split())
        x, y, edge = CORNER + left * PITCH, CORNER + top * PITCH, 22
        return x - edge, y - edge, (right - left + 1) * PITCH + 2 * edge, (bottom - top + 1) * PITCH + 2 * edge
    return None


def tile_id(cell: int) -> str:
    """What the tile of a cell is called in the picture."""
    return f"tile-{cell_name(cell)}"


def _edge_id(what: str, edge: int) -> str:
    cell, side = cell_and_side(edge)
    return f"{what}-{cell_name(cell)}-{SIDES[side]}"


def _middle(cell: int) -> tuple[float, float]:
    return CORNER + (cell % 5 + 0.5) * PITCH, CORNER + (cell // 5 + 0.5) * PITCH


# The field.


GRASS = art.pasture(5, 5, PITCH, CORNER, CORNER, flowers=False)  # flowers mean something in the solo game


@kept(256)
def _ground(cells: tuple[Cell, ...]) -> str:
    """Grass, trampled where it is enclosed, with a peg at every corner and the names of columns and rows."""
    drawn = GRASS
    for cell, (face, _, enclosed) in enumerate(cells):
        x, y = _middle(cell)
        if enclosed:
            drawn += art.use("trampled", x, y, PITCH / 100)
        elif face == NO_TILE:
            drawn += art.use(f"tuft{cell % 3}", x - 34 + 17 * (cell % 4), y + 22, 1.5)
            drawn += art.use(f"tuft{(cell + 1) % 3}", x + 30 - 13 * (cell % 3), y - 26, 1.3)
    drawn += art.pegs(5, 5, PITCH, CORNER, CORNER)
    for index in range(5):
        along = CORNER + (index + 0.5) * PITCH
        drawn += art.text(along, SIZE - 4, "abcde"[index], 20, soft=True) + art.text(8, along + 7, str(index + 1), 20, soft=True)
    return drawn


@kept(256)
def _tiles(cells: tuple[Cell, ...], voice: Voice) -> str:
    return "".join(_tile(cell, *what, voice) for cell, what in enumerate(cells) if what[0] != NO_TILE)


@kept(512)
def _tile(cell: int, face: int, up: bool, enclosed: bool, voice: Voice) -> str:
    x, y = _middle(cell)
    kind, flower = divmod(face, 5) if face >= 0 else (-1, 0)
    name = cast(art.Mood, KIND_NAMES[kind])
    label = "label.up" if up else "label.seen" if kind >= 0 else "label.down"
    said = voice.say(label, cell=cell_name(cell), tile=tile_words(5 * kind, voice) if kind >= 0 else "")
    return art.mood_tile(
        name if up else "back", cast(art.Side, SIDES[flower - 1]) if flower else None, name if kind >= 0 else None,
        id=tile_id(cell), x=x, y=y, size=TILE, label=voice.say("label.penned", what=said) if enclosed else said,
    )  # fmt: skip


@kept(256)
def _edges(fenced: tuple[int, ...], voice: Voice) -> str:
    """Places for fences and fences, from the top down, so that the nearer ones are in front."""
    free = "".join(_edge(edge, False, voice) for edge in FROM_THE_TOP if edge not in fenced)
    standing = "".join(_edge(edge, True, voice) for edge in FROM_THE_TOP if edge in fenced)
    return f'<g transform="scale({GROWN})">{free}{standing}</g>'


@kept(512)
def _edge(edge: int, fenced: bool, voice: Voice) -> str:
    x, y = (along / GROWN for along in _edge_point(edge))
    way: Literal["h", "v"] = "h" if edge < 30 else "v"
    where = edge_words(edge, voice)
    if fenced:
        return art.fence(way, id=_edge_id("fence", edge), x=x, y=y, label=voice.say("label.fence", edge=where))
    return art.fence_place(way, id=_edge_id("edge", edge), x=x, y=y, label=where)


def _edge_point(edge: int) -> tuple[float, float]:
    cell, side = cell_and_side(edge)
    x, y = _middle(cell)
    half = PITCH / 2
    return x + (0, half, 0, -half)[side], y + (-half, 0, half, 0)[side]


GROWN = PITCH / 100
FROM_THE_TOP = sorted(range(EDGES), key=lambda edge: _edge_point(edge)[1])


# Below the field: who is what and has how much.


def _headline(view: TeKuiti, voice: Voice) -> str:
    if view.to_act == OVER:
        return voice.say("panel.over")
    return voice.say("panel.solo") if view.seats == 1 else voice.say("panel.round", number=int(view.round) + 1)


def _roles(view: TeKuiti, voice: Voice) -> str:
    """The Shepherd with the fences at the left, the Sheep player with what was taken at the right."""
    fences = voice.say("panel.fences", count=int(view.supply)), voice.say("panel.enclosed", count=int(view.enclosed_tiles()))
    within_reach = voice.say("panel.open", count=int(view.open_tiles()))
    wide = (SIZE - GAP) / 2
    if view.seats == 1:
        idle = voice.say("panel.idle", count=int(view.idle)) if view.idle else within_reach
        left = _role("shepherd", None, "", fences, 0, wide)
        return left + _role("sheep", None, "", (voice.say("panel.freed", count=int(view.tiles_gone())), idle), wide + GAP, wide)
    if view.stage == DRAW_SHEPHERD:
        return ""
    shepherd, sheep = int(view.shepherd), int(view.sheep)
    taken = voice.say("panel.taken", count=int(view.sheep_taken())), voice.say("panel.late") if view.late else within_reach
    names = [art.shortened(voice.name(each), 15, wide - 240) for each in (shepherd, sheep)]
    left = _role("shepherd", COLOURS[shepherd], voice.say("panel.shepherd", who=names[0]), fences, 0, wide)
    return left + _role("sheep", COLOURS[sheep], voice.say("panel.sheep", who=names[1]), taken, wide + GAP, wide)


@kept(512)
def _role(who: str, colour: art.Colour | None, title: str, lines: tuple[str, ...], x: float, wide: float) -> str:
    ground = f"sf-{colour}-tint" if colour else "sf-shade-flat"
    drawn = f'<rect class="{ground}" x="{x:g}" width="{wide:g}" height="{ROLES:g}" rx="18"/>'
    if who == "shepherd":
        drawn += art.person("shepherd", x=x + 46, y=58, size=92)
    else:
        drawn += art.sheep(colour or "white", "s", x=x + 50, y=58, size=92)
    left, room = x + 102, wide - 110
    if title and colour:
        drawn += art.mark(colour, x=left + 11, y=25, size=24) + _line(left + 30, 33, title, 25, room - 30)
    top = 64 if title else 48
    size = min(art.fitting(words, 22, room) for words in lines)
    for index, words in enumerate(lines):
        drawn += art.text(left, top + index * 32, words, size, "start")
    return drawn


def _line(x: float, y: float, words: str, size: float, room: float) -> str:
    """Text that gets smaller where it would not fit."""
    return art.text(x, y, words, art.fitting(words, size, room), "start")


@kept(256)
def _what_left(counts: tuple[tuple[int, int], ...], voice: Voice) -> str:
    """How many tiles of each kind have left the field in this round: all could see them go."""
    top = ROLES + GAP
    step = SIZE / KINDS
    drawn = f'<rect class="sf-shade-flat" y="{top:g}" width="{SIZE}" height="{LEFT:g}" rx="18"/>'
    for kind, (gone, all_told) in enumerate(counts):
        name = KIND_NAMES[kind]
        x, y = (kind + 0.5) * step - 24, top + LEFT / 2
        label = voice.say("label.gone", tile=tile_words(5 * kind, voice), gone=gone, all=all_told)
        # A new number is a new thing, so that the page shows what has just left.
        drawn += art.mood_tile(
            cast(art.Mood, name), id=f"gone-{name}-{gone}", x=x, y=y, size=50, label=label, classes="" if gone else "sf-used"
        )
        drawn += art.text(x + 30, y + 8, f"{gone}/{all_told}", 22, "start", soft=not gone)
    return drawn


def _bottom(view: TeKuiti, seat: int, voice: Voice) -> str:
    """What can be done besides tapping the field; else the round and its points."""
    middle = ROLES + LEFT + BOTTOM / 2 + 2 * GAP
    acting = seat >= 0 and seat == view.to_act
    room: float = SIZE
    drawn = ""
    if acting and view.seats == 1:
        room -= 210
        drawn += art.button(voice.say("button.give-up"), "give-up", SIZE - 100, middle, 200, 92, 24)
    if acting and view.stage == LOOKING:
        drawn += art.button(voice.say("button.done"), "done", room / 2, middle, room - 8, 92)
    elif view.stage in (RAMMING, CALLING):
        drawn += _visitor(RAM if view.stage == RAMMING else SHEPHERD, middle, room, voice)
    elif view.seats == 1:
        drawn += art.text(16, middle + 9, _headline(view, voice), 26, "start")
    else:
        drawn += _scores(view, middle, voice)
    if acting and view.seats == 1:
        drawn += art.button(voice.say("button.give-up-sure"), "give-up-sure", room / 2, middle, room - 8, 92, classes="sf-soon")
    return drawn


def _visitor(kind: int, middle: float, room: float, voice: Voice) -> str:
    """The ram or shepherd that was turned up just now and has left already."""
    who = art.roger("s", id="ram", x=56, y=middle, size=92) if kind == RAM else art.person("shepherd", id="caller", x=56, y=middle, size=92)
    return who + _line(116, middle + 9, voice.say(f"visit.{KIND_NAMES[kind]}"), 26, room - 130)


def _scores(view: TeKuiti, middle: float, voice: Voice) -> str:
    """The points of both rounds; the round in progress as if it ended now."""
    drawn = art.text(16, middle + 9, _headline(view, voice), 25, "start")
    totals = view.scores()
    for seat in range(2):
        rounds = [int(view.points[seat]), int(view.points[2 + seat])]
        if view.to_act != OVER:
            rounds[view.round] = totals[seat] - rounds[1 - view.round]
        y = middle - 22 + 44 * seat
        name = art.shortened(voice.name(seat), 18, 180)
        score = voice.say("panel.score", who=name, first=rounds[0], second=rounds[1], total=totals[seat])
        drawn += art.mark(COLOURS[seat], x=330, y=y, size=28) + _line(354, y + 8, score, 25, SIZE - 366)
    return drawn


def vignette() -> str:
    """The five moods behind a piece of fence."""
    tiles = "".join(art.mood_tile(mood, x=46 + 57 * place, y=80 + place % 2 * 12, size=58) for place, mood in enumerate(art.MOODS))
    return art.lawn("tk") + art.fence("h", x=100, y=132, size=60) + art.fence("h", x=160, y=134, size=60) + tiles
