"""La Guerre des Moutons in words, thing by thing, for who does not see the picture: the landscape as a grid, pens, hand and others.

A place is named by its distance from the village square, a tile by its four sides clockwise from the north.
"""

from __future__ import annotations

from sheepfold.game.game import Passage
from sheepfold.games.guerre_des_moutons.land import Land, Pen, land_of
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.narration import sides_of
from sheepfold.games.guerre_des_moutons.notation import COLOURS
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import HUNTERS, LANDSCAPES, SHEPHERDS, SQUARE, TILES, WOLVES, Tiles
from sheepfold.kept import kept
from sheepfold.messages import Voice


def outline(view: GuerreDesMoutons, seat: int, voice: Voice) -> list[Passage]:
    """The hand and the colour are the viewer's own; of the others only what is known of them. Passages are kept by what they say."""
    words, land = voice.words, land_of(view)
    own = [_hand_of(view, seat, words)] if seat >= 0 else []
    return [_state(view, seat, voice), *own, _landscape(land, words), _pens(land, words), _players(view, seat, voice)]


def _colours(colours: int, voice: Voice) -> list[str]:
    return [voice.say(f"motif.{COLOURS[colour]}") for colour in range(4) if colours >> colour & 1]


def _state(view: GuerreDesMoutons, seat: int, voice: Voice) -> Passage:
    lines = [voice.say("picture.bag", int(view.in_bag))]
    mine = _colours(int(view.colours[seat]), voice) if seat >= 0 else []
    if mine:
        lines.append(voice.say("label.colour", colour=" + ".join(mine)))
    if view.chosen >= 0:
        face = _face(view.tiles, int(view.chosen), 0, voice.words)
        lines.append(f"{voice.say('picture.taken-up', who=voice.name(int(view.actor)))} {face}")
    return Passage(voice.say("outline.state"), lines)


@kept(512)
def _face(tiles: Tiles, face: int, turn: int, voice: Voice) -> str:
    """What a face shows."""
    if face == SQUARE:
        return voice.say("mark.square")
    if WOLVES * 2 <= face < SHEPHERDS and face % 2:
        return voice.say("mark.wolf" if face < HUNTERS * 2 else "mark.hunter")
    said = sides_of(tiles, face, turn, voice)
    return f"{voice.say('mark.shepherd')}, {said}" if face >= SHEPHERDS else said


def _axis(away: int, before: str, behind: str, voice: Voice) -> str:
    """How far a row or column is from the village square: '2 north', and nothing for its own."""
    return voice.say(f"where.{before if away < 0 else behind}", steps=abs(away)) if away else ""


@kept(512)
def _place(cell: int, voice: Voice) -> str:
    """'2 north 1 east'."""
    ways = _axis(cell // WIDTH - MIDDLE // WIDTH, "n", "s", voice), _axis(cell % WIDTH - MIDDLE % WIDTH, "w", "e", voice)
    return " ".join(filter(None, ways)) or voice.say("mark.square")


@kept(256)
def _landscape(land: Land, voice: Voice) -> Passage:
    laid = {cell: _face(land.tiles, face, turn, voice) for cell, face, turn in land.laid}
    (north, west), (south, east) = land.corners
    rows, columns = range(north, south + 1), range(west, east + 1)
    middle = voice.say("outline.middle")
    heads = [_axis(column - MIDDLE % WIDTH, "w", "e", voice) or middle for column in columns]
    body = [
        [_axis(row - MIDDLE // WIDTH, "n", "s", voice) or middle, *(laid.get(row * WIDTH + column, "") for column in columns)]
        for row in rows
    ]
    return Passage(voice.say("outline.landscape"), [voice.say("outline.sides")], heads, body)


@kept(256)
def _pens(land: Land, voice: Voice) -> Passage:
    pens = sorted(land.pens, key=lambda one: (one.open_sides > 0, -one.sheep, one.colour))
    return Passage(voice.say("outline.pens"), [_pen(pen, voice) for pen in pens] or [voice.say("outline.none")])


@kept(512)
def _pen(pen: Pen, voice: Voice) -> str:
    """A pen: colour, sheep, whether it is closed or how many sides are open, whether a wolf threatens it, and where it is."""
    line = voice.say("outline.pen", count=pen.sheep, colour=voice.say(f"motif.{COLOURS[pen.colour]}"))
    line += voice.say("outline.open", count=pen.open_sides) if pen.open_sides else voice.say("outline.closed")
    line += voice.say("outline.threatened") if pen.threatened else ""
    where = dict.fromkeys(cell for cell, _, _ in pen.sides)
    return line + voice.say("outline.at", places=", ".join(_place(cell, voice) for cell in where))


def _hand_of(view: GuerreDesMoutons, seat: int, voice: Voice) -> Passage:
    hidden = int(view.colours[seat]) & ~int(view.shown[seat])
    return _hand(view.tiles, int(view.hand[seat]) + (int(view.specials[seat]) << LANDSCAPES), hidden, voice)


@kept(256)
def _hand(tiles: Tiles, held: int, hidden: int, voice: Voice) -> Passage:
    """Both faces of every tile; and the '?' tile as long as it is not laid."""
    lines = [
        voice.say("outline.tile", front=_face(tiles, tile * 2, 0, voice), back=_face(tiles, tile * 2 + 1, 0, voice))
        for tile in range(TILES)
        if held >> tile & 1
    ]
    secret = [colour for colour in range(4) if hidden >> colour & 1]
    lines += [voice.say("label.question", colour=voice.say(f"motif.{COLOURS[colour]}")) for colour in secret]
    return Passage(voice.say("outline.hand"), lines or [voice.say("outline.none")])


def _players(view: GuerreDesMoutons, seat: int, voice: Voice) -> Passage:
    lines = []
    for one in range(int(view.seats)):
        place = int(view.finish[one])
        bonus = int(view.bonus(one)) if place else 0
        dealt = int(view.dealt // view.seats)
        lines.append(_player(voice.name(one), int(view.colours[one]), dealt, place, bonus, int(view.held[one]), voice.words))
    return Passage(voice.say("outline.players"), lines)


@kept(512)
def _player(who: str, colours: int, dealt: int, place: int, bonus: int, held: int, voice: Voice) -> str:
    """Of the colours that were dealt to a player those that are known; how many tiles it has, or the place in which it has left."""
    state = voice.say("picture.left", place=place, bonus=bonus) if place else voice.say("tiles", held)
    known = _colours(colours, voice)
    said = ", ".join([*known, *([voice.say("label.secret")] * (dealt - len(known))), state])
    return voice.say("outline.player", who=who, facts=said)
