"""Shear Panic drawn for a terminal: the flock with what stands before it, the track, and everybody's menu.

The drawing follows the flock, so it has no fixed corner. Where a group is to rejoin, its sheep stand in brackets and every choice has its
number: on the place where the group's first sheep would go, the same number that `describe` says.
"""

from __future__ import annotations

from sheepfold.ansi import ink, pad, width
from sheepfold.core.position import OVER
from sheepfold.games.flock import COLOUR_NAMES, EAST, NORTH, SHEEP, SOUTH, WEST
from sheepfold.games.shear_panic.geometry import colour_of
from sheepfold.games.shear_panic.narration import field_name, guest_name
from sheepfold.games.shear_panic.notation import called, group, members
from sheepfold.games.shear_panic.rules import GROUP, KIND_NAMES, PLACEMENT, PLACEMENT_AT, REGROUP_DIE, SQUARES, ShearPanic
from sheepfold.messages import Voice

STYLES = (("bold", "blue"), ("bold", "yellow"), ("bold", "green"), ("bold", "red"), ("bold", "reverse"))
LOOKS = {NORTH: "^", EAST: ">", SOUTH: "v", WEST: "<"}
FACES = {NORTH: "v", EAST: "<", SOUTH: "^", WEST: ">"}
"""How the flock looks, and how who stands before it looks back."""
Place = tuple[int, int]


def text_picture(view: ShearPanic, seat: int, columns: int, voice: Voice) -> str:
    """The whole table, as that seat sees it."""
    return "\n\n".join([flock(view, columns, voice), track(view, voice), menus(view, seat, columns, voice)])


# The flock.


def flock(view: ShearPanic, columns: int, voice: Voice) -> str:
    """The sheep, the numbered choices among them, and Roger or the Shearer in front."""
    cells = marks(view)
    if not cells:
        return voice.say("picture.empty")
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    bottom, right = max(row for row, _ in cells), max(column for _, column in cells)
    cell = max(2 + max(width(mark) for mark in cells.values()), 5)
    if (right - left + 1) * cell > columns - 16:
        cell = max(width(mark) for mark in cells.values())
    lines = ["".join(_middle(cells.get((row, column), "."), cell) for column in range(left, right + 1)) for row in range(top, bottom + 1)]
    return _with_front(view, lines, cell * (right - left + 1), voice)


def marks(view: ShearPanic) -> dict[Place, str]:
    """What is drawn on each place."""
    numbers = choices(view)
    regrouped = members(view.group) if view.stage in (REGROUP_DIE, PLACEMENT) else []
    cells = {place: ink(f"({number})", "bold") for place, number in numbers.items()}
    for sheep, place in enumerate(view.places()):
        if place is None:
            continue
        name = ink(f"{called(view, sheep)}{LOOKS[int(view.facing)]}", *STYLES[colour_of(sheep)])
        number = str(numbers.get(place, ""))
        cells[place] = f"[{name}]{number}" if sheep in regrouped or (number and view.stage == GROUP) else name
    return cells


def choices(view: ShearPanic) -> dict[Place, int]:
    """The number of each choice of a group or a placement, by the place where it is drawn."""
    numbers: dict[Place, int] = {}
    places = view.places()
    for number, action in enumerate(view.legal() if view.stage in (GROUP, PLACEMENT) else [], start=1):
        if view.stage == GROUP:
            for sheep in members(group(view, action)):
                place = places[sheep]
                if place:
                    numbers[place] = number
        else:
            start = places[members(view.group)[0]]
            rows, columns = view.moved_by(action - PLACEMENT_AT)
            if start:
                numbers[start[0] + rows, start[1] + columns] = number
    return numbers


def _middle(text: str, columns: int) -> str:
    before = (columns - width(text)) // 2
    return pad(" " * before + text, columns)


def _with_front(view: ShearPanic, lines: list[str], columns: int, voice: Voice) -> str:
    """The flock with its front marked: who stands there, or the way the sheep look."""
    facing = int(view.facing)
    name = guest_name(view, voice)
    sign = ink(f"{FACES[facing]} {name} {FACES[facing]}", "bold", "magenta") if name else ink(LOOKS[facing] * 3, "dim")
    margin = " " * (width(sign) + 2)
    if facing == NORTH:
        lines = [_middle(sign, columns), *lines]
    elif facing == SOUTH:
        lines = [*lines, _middle(sign, columns)]
    else:
        row = len(lines) // 2
        sides = [f"{sign}  " if index == row else margin for index in range(len(lines))]
        if facing == WEST:
            return "\n".join((side + line).rstrip() for side, line in zip(sides, lines, strict=True))
        return "\n".join((pad(line, columns) + "  " + side).rstrip() for side, line in zip(sides, lines, strict=True))
    return "\n".join(f"  {line}".rstrip() for line in lines)


# The track.


def track(view: ShearPanic, voice: Voice) -> str:
    """One line a field: ! is panic, | a gate, # a pen, and the counter is the @."""
    spaces = view.printed.track
    names = [field_name(field, voice) for field in range(1, 5)]
    longest = max(len(name) for name in names)
    lines = []
    for field in range(1, 5):
        inside = [space for space in range(1, spaces.length + 1) if spaces.phase[space] == field]
        here = view.counter in inside
        line = "".join(_space(view, space) for space in inside)
        text = f"{'>' if here else ' '} {names[field - 1]:<{longest}} {inside[0]:>3} {line} {inside[-1]}"
        lines.append(ink(text, "bold") if here else text)
    lines.append("  " + voice.say("picture.track", space=view.counter))
    return "\n".join(lines)


def _space(view: ShearPanic, space: int) -> str:
    spaces = view.printed.track
    sign = "@" if view.counter == space else "#" if spaces.pen[space] else "!" if spaces.panic[space] else "."
    return f"{sign}|" if spaces.wall[space] else sign


# The menus.


def menus(view: ShearPanic, seat: int, columns: int, voice: Voice) -> str:
    """A line a seat: colour, points, and the values of the squares that are still free."""
    table = [["", "", "", voice.say("short.points"), *(voice.say(f"short.{kind}") for kind in KIND_NAMES)]]
    for player in range(view.seats):
        turn = ">" if player == view.active and view.to_act != OVER else ""
        name = voice.name(player) + ("" if view.has_sheep(player) else f" {voice.say('picture.shorn')}")
        colour = ink(voice.say(f"colour.{COLOUR_NAMES[player]}"), *STYLES[player])
        free = [_free(view, player, kind) for kind in range(len(KIND_NAMES))]
        table.append([turn, ink(name, "underline") if player == seat else name, colour, str(view.scores()[player]), *free])
    if view.seats == 2:
        for row, cell in zip(table, [voice.say("short.extra"), *(_extras(view, player) for player in range(2))], strict=True):
            row.append(cell)
    lines = _in_columns(table, 2)
    if max(width(line) for line in lines) > columns:
        lines = _in_columns(table, 1)
    shorn = SHEEP - sum(place is not None for place in view.places())
    return "\n".join(lines + ([f"  {voice.say('picture.shorn-sheep', count=shorn)}"] if shorn else []))


def _in_columns(table: list[list[str]], gap: int) -> list[str]:
    widths = [max(width(row[column]) for row in table) for column in range(len(table[0]))]
    return [(" " * gap).join(pad(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip() for row in table]


def _free(view: ShearPanic, seat: int, kind: int) -> str:
    """The values of a kind's squares, a dash for a covered one."""
    squares = [square for square in range(SQUARES) if view.printed.kind[square] == kind]
    return " ".join(str(view.printed.value[square]) if view.menus[seat] >> square & 1 else "-" for square in squares)


def _extras(view: ShearPanic, seat: int) -> str:
    return " ".join(str(value) for value in range(1, 4) for _ in range(view.extras[seat * 4 + value])) or "-"
