"""La Guerre des Moutons for a terminal: the landscape, the players, the hand with both faces, and numbers where a tile can go.

A tile is three lines: its sides as letters, its corners a letter where an area goes round them and a fence (/ or \\) where it does
not, and in the middle W for a wolf, H for a hunter, @ for a shepherd, O for the village square. Where a box has not one sheep at a side,
their number stands there. Tiles are drawn wide, then narrow, and what still does not fit is cropped with a note.
"""

from __future__ import annotations

from sheepfold.ansi import beside, ink, pad, width
from sheepfold.art import Areas
from sheepfold.games.guerre_des_moutons.land import areas_of_face, sheep_are_counted
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.notation import (
    COLOURS,
    in_the_middle,
    is_where,
    letters,
    names,
    numbered,
    turned,
    write,
)
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import LANDSCAPES, TILES
from sheepfold.messages import Voice

STYLES = {
    "v": ("magenta",), "f": ("green",), "k": ("black", "bold"), "y": ("yellow",), "r": ("red",), "b": ("blue",),
    "W": ("bold", "reverse"), "H": ("bold", "reverse"),
}  # fmt: skip
SIGNS = {"well": "O", "shepherd": "@", "wolf": "W", "hunter": "H"}
MARGIN = 4


def text_picture(view: GuerreDesMoutons, seat: int, columns: int, voice: Voice) -> str:
    """The whole picture."""
    parts = [landscape(view, columns, voice), legend(view, columns, voice)]
    if is_where(view):
        parts.append(places(view, columns, voice))
    parts.append(players(view, voice))
    if seat >= 0 and (view.hand[seat] or view.specials[seat]):
        parts.append(hand(view, seat, columns, voice))
    return "\n\n".join(parts)


def coloured(text: str) -> str:
    """Letters of motifs in their colours."""
    return "".join(ink(letter, *STYLES.get(letter, ())) for letter in text)


def centre(sides: str, face: int, areas: Areas | None = None) -> str:
    """What stands in the middle of a tile."""
    if sign := SIGNS.get(in_the_middle(face)):
        return sign
    if areas and areas.bend:
        return sides[0] if areas.bend == "ns" else sides[1]
    parts = areas.of if areas else sides
    joined = [sides[at] for at in range(4) if parts[at] == parts[at - 1]]
    if len(joined) == 2 and joined[0] != joined[1]:
        return "\\" if parts[0] == parts[1] else "/"
    return joined[0] if joined else "X"


def tile_lines(sides: str, middle: str, wide: bool, areas: Areas | None = None) -> list[str]:
    """A tile as three lines; where they are wide, with the number of sheep at a side that has not one."""
    north, east, south, west = tuple(sides)
    parts = areas.of if areas else sides
    northwest, northeast = north if parts[0] == parts[3] else "\\", north if parts[0] == parts[1] else "/"
    southwest, southeast = south if parts[2] == parts[3] else "/", south if parts[2] == parts[1] else "\\"
    if wide:
        many = [
            letter if letter in "vf" or not areas or areas.sheep[side] == 1 else str(areas.sheep[side]) for side, letter in enumerate(sides)
        ]
        return [
            northwest + north + many[0] + north + northeast,
            west + many[3] + middle + many[1] + east,
            southwest + south + many[2] + south + southeast,
        ]
    return [northwest + north + northeast, west + middle + east, southwest + south + southeast]


def landscape(view: GuerreDesMoutons, columns: int, voice: Voice) -> str:
    """What lies on the table, with coordinates from the village square and numbers where the chosen face can go."""
    laid = {
        int(cell): (int(face), int(turn))
        for cell, face, turn in zip(view.map.laid_cell, view.map.laid_face, view.map.laid_turn, strict=True)
    }
    marks = {cell: str(number) for number, cell in enumerate(numbered(view), start=1)} if is_where(view) else {}
    cells = [*laid, *marks]
    rows = range(min(cells) // WIDTH, max(cells) // WIDTH + 1)
    west, east = min(cell % WIDTH for cell in cells), max(cell % WIDTH for cell in cells)
    wide = (east - west + 1) * 6 + MARGIN <= columns
    size = 6 if wide else 3
    shown = max(1, (columns - MARGIN) // size)
    cropped = east - west + 1 - shown
    if cropped > 0:
        west = min(range(west, east - shown + 2), key=lambda start: -sum(start <= cell % WIDTH < start + shown for cell in cells))
        east = west + shown - 1
    across = range(west, east + 1)
    head = " " * MARGIN + "".join(_axis(column - MIDDLE % WIDTH, "w", "e").center(size) for column in across)
    lines = [ink(head.rstrip(), "dim")]
    for row in rows:
        strips = [_cell(view, laid.get(row * WIDTH + column), marks.get(row * WIDTH + column), wide) for column in across]
        for line in range(3):
            label = _axis(row - MIDDLE // WIDTH, "n", "s") if line == 1 else ""
            gap = " " if wide else ""
            lines.append((ink(label.ljust(MARGIN), "dim") + gap.join(strip[line] for strip in strips)).rstrip())
    if cropped > 0:
        lines.append(voice.say("picture.cropped", cropped))
    return "\n".join(lines)


def _axis(away: int, before: str, behind: str) -> str:
    return f"{before}{-away}" if away < 0 else f"{behind}{away}" if away else "0"


def _cell(view: GuerreDesMoutons, tile: tuple[int, int] | None, mark: str | None, wide: bool) -> list[str]:
    size = 5 if wide else 3
    if tile is None:
        return [" " * size, ink((mark or "").center(size), "bold", "cyan"), " " * size]
    face, turn = tile
    sides = turned(letters(view.tiles)[face], turn)
    areas = areas_of_face(view.tiles, face, turn)
    lines = [coloured(line) for line in tile_lines(sides, centre(sides, face, areas), wide, areas)]
    if mark:
        lines[1] = ink(mark.center(size), "bold", "cyan")
    return lines


def legend(view: GuerreDesMoutons, columns: int, voice: Voice) -> str:
    """What the letters mean."""
    parts = [f"{coloured(letter)} {voice.say(f'motif.{letter}')}" for letter in "vfkyrb"]
    parts += [f"{mark} {voice.say(f'mark.{key}')}" for mark, key in (("W", "wolf"), ("H", "hunter"), ("@", "shepherd"), ("O", "square"))]
    parts.append(f"/ \\ {voice.say('mark.fence')}")
    if sheep_are_counted(view.tiles):
        parts.append(f"2 {voice.say('mark.sheep')}")
    return _wrapped(parts, columns)


def _wrapped(parts: list[str], columns: int) -> str:
    lines = [""]
    for part in parts:
        if lines[-1] and width(lines[-1]) + 3 + width(part) > columns:
            lines.append("")
        lines[-1] += ("   " if lines[-1] else "") + part
    return "\n".join(lines)


def places(view: GuerreDesMoutons, columns: int, voice: Voice) -> str:
    """The numbers on the map with what to type for each rotation."""
    parts = []
    for number, actions in enumerate(numbered(view).values(), start=1):
        for index, action in enumerate(actions):
            letter = "abcd"[index] if len(actions) > 1 else ""
            parts.append(f"{ink(f'{number}{letter}', 'bold', 'cyan')} {write(view, action)}")
    return voice.say("picture.places", len(numbered(view))) + "\n" + _wrapped(parts, columns)


def players(view: GuerreDesMoutons, voice: Voice) -> str:
    """A line for each player: colour, tiles, points."""
    points = view.scores()
    lines = []
    for seat in range(view.seats):
        known = [voice.say(f"motif.{COLOURS[colour]}") for colour in range(4) if view.colours[seat] >> colour & 1]
        hidden = int(view.dealt // view.seats) - len(known)
        marks = [*known, *("?" for _ in range(hidden))]
        place = int(view.finish[seat])
        state = voice.say("picture.finished", place=place) if place else voice.say("tiles", int(view.held[seat]))
        turn = ">" if seat == view.turn and not view.finish[seat] else " "
        lines.append(f"{turn} {pad(voice.name(seat), 14)} {pad(', '.join(marks), 14)} {pad(state, 16)} {voice.say('points', points[seat])}")
    lines.append(f"  {voice.say('picture.bag', int(view.in_bag))}")
    return "\n".join(lines)


def hand(view: GuerreDesMoutons, seat: int, columns: int, voice: Voice) -> str:
    """Both faces of every tile in hand, with what to type below each."""
    held = int(view.hand[seat]) + (int(view.specials[seat]) << LANDSCAPES)
    tiles = [tile for tile in range(TILES) if held >> tile & 1]
    rows: list[str] = []
    row = ""
    for tile in tiles:
        drawn = beside(_face(view, tile * 2), _face(view, tile * 2 + 1), 1)
        if row and max(width(line) for line in beside(row, drawn, 4).split("\n")) > columns:
            rows.append(row)
            row = drawn
        else:
            row = beside(row, drawn, 4) if row else drawn
    return voice.say("picture.hand", who=voice.name(seat)) + "\n" + "\n\n".join([*rows, row])


def _face(view: GuerreDesMoutons, face: int) -> str:
    sides, areas = letters(view.tiles)[face], areas_of_face(view.tiles, face, 0)
    return "\n".join([*[coloured(line) for line in tile_lines(sides, centre(sides, face, areas), True, areas)], names(view.tiles)[face]])
