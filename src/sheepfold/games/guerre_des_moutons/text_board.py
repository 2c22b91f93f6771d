"""La Guerre des Moutons for a terminal: the landscape, the players, the hand with both faces, and numbers where a tile can go.

A tile is three lines: its sides as letters, its corners a letter where an area goes round them and a fence (/ or \\) where it does
not, and in the middle W for a wolf, H for a hunter, @ for a shepherd, O for the village square. Where a box has not one sheep at a side,
their number stands there. Tiles are drawn wide, then narrow, and what still does not fit is cropped with a note.

Where a screen has too few lines for that, `excerpt` draws the landscape where it matters now, in two lines a tile: as sides that touch are
alike, neighbours share the line between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheepfold.ansi import beside, ink, pad, width
from sheepfold.art import Areas
from sheepfold.games.guerre_des_moutons.land import areas_of_face, sheep_are_counted
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.notation import (
    COLOURS,
    cell_of,
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
    "v": ("magenta", "reverse"), "f": ("green", "reverse"), "k": ("black", "reverse"), "y": ("yellow", "reverse"), "r": ("red", "reverse"),
    "b": ("blue", "reverse"), "W": ("bold",), "H": ("bold",), "@": ("bold",), "O": ("bold",),
}  # fmt: skip
"""Grounds are coloured, so that areas are seen; fences and who stands there are not."""
SIGNS = {"well": "O", "shepherd": "@", "wolf": "W", "hunter": "H"}
MIDDLES = {"wolf": "wolf", "hunter": "hunter", "shepherd": "shepherd", "well": "square"}
"""What stands in the middle of tiles, and the word for it."""
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


def excerpt(view: GuerreDesMoutons, seat: int, columns: int, height: int, voice: Voice, listed: Sequence[int] = ()) -> str:
    """What matters now, in so many lines: the landscape, or the part of it that is played in; the players and the letters in a few
    words; the hand, if there is still room for it."""
    below = [*_wrapped(_letters(voice)[:-1], columns, " ").split("\n"), *_wrapped(_players_in_short(view, voice), columns).split("\n")]
    whole = landscape(view, columns, voice).split("\n")
    room = height - len(below)
    drawn = [*(whole if len(whole) <= room else small_landscape(view, columns, room, listed)), *below]
    if seat >= 0 and not is_where(view) and (view.hand[seat] or view.specials[seat]):
        held = hand(view, seat, columns, voice).split("\n")
        drawn += held if len(drawn) + len(held) <= height else []
    return "\n".join(drawn)


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


def _laid(view: GuerreDesMoutons) -> dict[int, tuple[int, int]]:
    """The tiles on the table: cell to face and quarter turns, in the order in which they were laid."""
    laid = zip(view.map.laid_cell, view.map.laid_face, view.map.laid_turn, strict=True)
    return {int(cell): (int(face), int(turn)) for cell, face, turn in laid}


def _marks(view: GuerreDesMoutons) -> dict[int, str]:
    """The numbers of the places where the chosen face can go."""
    return {cell: str(number) for number, cell in enumerate(numbered(view), start=1)} if is_where(view) else {}


def _window(lines: Iterable[int], size: int, wanted: Iterable[int]) -> range:
    """Of the lines from the first to the last, so many that hold most of the wanted ones."""
    every, wanted = [*lines], [*wanted]
    first, last = min(every), max(every)
    starts = range(first, max(first, last - size + 1) + 1)
    start = max(starts, key=lambda one: sum(one <= line < one + size for line in wanted))
    return range(start, min(last, start + size - 1) + 1)


def landscape(view: GuerreDesMoutons, columns: int, voice: Voice) -> str:
    """What lies on the table, with coordinates from the village square and numbers where the chosen face can go."""
    laid, marks = _laid(view), _marks(view)
    cells = [*laid, *marks]
    rows = range(min(cells) // WIDTH, max(cells) // WIDTH + 1)
    broad = [cell % WIDTH for cell in cells]
    wide = (max(broad) - min(broad) + 1) * 6 + MARGIN <= columns
    size = 6 if wide else 3
    across = _window(broad, max(1, (columns - MARGIN) // size), broad)
    head = " " * MARGIN + "".join(_axis(column - MIDDLE % WIDTH, "w", "e").center(size) for column in across)
    lines = [ink(head.rstrip(), "dim")]
    for row in rows:
        strips = [_cell(view, laid.get(row * WIDTH + column), marks.get(row * WIDTH + column), wide) for column in across]
        for line in range(3):
            label = _axis(row - MIDDLE // WIDTH, "n", "s") if line == 1 else ""
            gap = " " if wide else ""
            lines.append((ink(label.ljust(MARGIN), "dim") + gap.join(strip[line] for strip in strips)).rstrip())
    if cropped := max(broad) - min(broad) + 1 - len(across):
        lines.append(voice.say("picture.cropped", cropped))
    return "\n".join(lines)


STEP, DOWN = 4, 2
"""How far tiles are apart in the small landscape, which share the sides between them."""
LATEST = 4
"""Where nothing is to be placed, so many tiles that were laid last are what matters."""


def small_landscape(view: GuerreDesMoutons, columns: int, height: int, listed: Sequence[int]) -> list[str]:
    """The landscape in two lines a tile; where it has more of them than there is room for, the part with most of the places that
    are listed, else of all that are numbered, else with the latest tiles. Arrows say what lies beyond."""
    laid, marks = _laid(view), _marks(view)
    places = dict.fromkeys(cell_of(view, action) for action in listed) if marks else {}
    cells, matters = [*laid, *marks], [*(places or marks or [*laid][-LATEST:])]
    tall, broad = [cell // WIDTH for cell in cells], [cell % WIDTH for cell in cells]
    across = _window(broad, max(1, (columns - MARGIN - 1) // STEP), (cell % WIDTH for cell in matters))
    rows = max(1, (height - 2) // DOWN)  # but for the heads and the last line
    if rows < max(tall) - min(tall) + 1:
        rows = max(1, (height - 3) // DOWN)
    down = _window(tall, rows, (cell // WIDTH for cell in matters if cell % WIDTH in across))
    sheet = [[" "] * (STEP * len(across) + 1) for _ in range(DOWN * len(down) + 1)]
    for cell, (face, turn) in laid.items():
        if cell // WIDTH in down and cell % WIDTH in across:
            _draw(view, sheet, (cell // WIDTH - down[0]) * DOWN, (cell % WIDTH - across[0]) * STEP, face, turn)
    for cell, mark in marks.items():
        if cell // WIDTH in down and cell % WIDTH in across:
            x = (cell % WIDTH - across[0]) * STEP + 1
            sheet[(cell // WIDTH - down[0]) * DOWN + 1][x : x + 3] = [ink(sign, "bold", "cyan") for sign in mark.center(3)]
    heads = "".join(_axis(column - MIDDLE % WIDTH, "w", "e").center(STEP) for column in across)
    lines = [ink(f"{' ' * MARGIN} {heads}".rstrip(), "dim")]
    for number, line in enumerate(sheet):
        label = _axis(down[number // DOWN] - MIDDLE // WIDTH, "n", "s") if number % DOWN else ""
        lines.append((ink(label.ljust(MARGIN), "dim") + "".join(line)).rstrip())
    beyond = _beyond(down, across, tall, broad, marks)
    return [*lines, ink(beyond[:columns], "dim")] if beyond else lines


def _draw(view: GuerreDesMoutons, sheet: list[list[str]], y: int, x: int, face: int, turn: int) -> None:
    """One tile: its sides, which its neighbours have too, and its middle between those of west and east."""
    sides, areas = turned(letters(view.tiles)[face], turn), areas_of_face(view.tiles, face, turn)
    north, east, south, west = (ink(side, *STYLES[side]) for side in sides)
    sheet[y][x + 1 : x + STEP] = [north] * 3
    sheet[y + DOWN][x + 1 : x + STEP] = [south] * 3
    sheet[y + 1][x : x + STEP + 1] = [west, west, coloured(centre(sides, face, areas)), east, east]


def _beyond(down: range, across: range, tall: list[int], broad: list[int], marks: Mapping[int, str]) -> str:
    """What lies outside: '↑ n5-n3 (1-4, 6)', the rows or columns, and the numbers of places there."""
    parts = []
    for sign, first, last, of in (
        ("↑", min(tall), down[0] - 1, "ns"), ("↓", down[-1] + 1, max(tall), "ns"), ("←", min(broad), across[0] - 1, "we"),
        ("→", across[-1] + 1, max(broad), "we"),
    ):  # fmt: skip
        if first <= last:
            middle = MIDDLE // WIDTH if of == "ns" else MIDDLE % WIDTH
            ends = dict.fromkeys(_axis(end - middle, *of) for end in (first, last))
            there = [int(mark) for cell, mark in marks.items() if first <= (cell // WIDTH if of == "ns" else cell % WIDTH) <= last]
            parts.append(f"{sign} {'-'.join(ends)}" + (f" ({_runs(there)})" if there else ""))
    return "   ".join(parts)


def _runs(numbers: list[int]) -> str:
    """1-3, 5."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return ", ".join(f"{start}-{end}" if start < end else str(start) for start, end in zip(starts, ends, strict=True))


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
    parts = [*_letters(voice), f"/ \\ {voice.say('mark.fence')}"]
    if sheep_are_counted(view.tiles):
        parts.append(f"2 {voice.say('mark.sheep')}")
    return _wrapped(parts, columns)


def _letters(voice: Voice) -> list[str]:
    parts = [f"{coloured(letter)} {voice.say(f'motif.{letter}')}" for letter in "vfkyrb"]
    return parts + [f"{coloured(SIGNS[sign])} {voice.say(f'mark.{key}')}" for sign, key in MIDDLES.items()]


def _wrapped(parts: list[str], columns: int, gap: str = "   ") -> str:
    lines = [""]
    for part in parts:
        if lines[-1] and width(lines[-1]) + len(gap) + width(part) > columns:
            lines.append("")
        lines[-1] += (gap if lines[-1] else "") + part
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


def _players_in_short(view: GuerreDesMoutons, voice: Voice) -> list[str]:
    """The same in a few words: 'Dolly (blue): 6 points', and the bag."""
    points = view.scores()
    parts = []
    for seat in range(view.seats):
        known = [voice.say(f"motif.{COLOURS[colour]}") for colour in range(4) if view.colours[seat] >> colour & 1]
        marks = [*known, *("?" for _ in range(int(view.dealt // view.seats) - len(known)))]
        parts.append(f"{voice.name(seat)} ({', '.join(marks)}): {voice.say('points', points[seat])}")
    return [*parts, voice.say("picture.bag", int(view.in_bag))]


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
