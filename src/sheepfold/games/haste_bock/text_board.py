"""Haste Bock? drawn for a terminal: the pasture, everybody's cards and points beside it, the timer's track below.

Colours only repeat what letters say: sheep are b1 to r2 and k, an arrow behind each shows where it looks.
"""

from __future__ import annotations

from sheepfold.ansi import beside, ink, pad, width
from sheepfold.games.flock import BLACK, COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES
from sheepfold.games.haste_bock.notation import WAYS
from sheepfold.games.haste_bock.rules import (
    CARD_KINDS,
    ENDED,
    KIND_NAMES,
    NONE,
    SET_UP,
    SIDE,
    TROUGHS,
    TURNS,
    VALUES,
    WHO_BEGINS,
    HasteBock,
    cell_at,
)
from sheepfold.messages import Voice

ARROWS = {0: "^", 2: ">", 4: "v", 6: "<"}
STYLES = ("blue", "yellow", "green", "red")
LABEL = 11
PASTURE = 4 * SIDE + 1


def text_picture(view: HasteBock, seat: int, columns: int, voice: Voice) -> str:
    """The view in lines of that many columns: what stands side by side in 80 is stacked where there is less room."""
    pasture, table = _pasture(view, voice), _table(view, voice)
    ways = [beside(pasture, table, 2), beside(pasture, table, 1), f"{pasture}\n{table}"]
    both = next((way for way in ways if max(width(line) for line in way.split("\n")) <= columns), ways[-1])
    return f"{_players(view, seat, columns, voice)}\n{both}\n{_track(view, columns, voice)}"


def _players(view: HasteBock, seat: int, columns: int, voice: Voice) -> str:
    """Everybody's letter and name; > stands before whose turn it is, * behind the one who looks on."""
    seats = range(int(view.seats))
    room = max(columns // len(seats) - 6, 1)
    texts = []
    for one in seats:
        name = _cut(voice.name(one), room) + ("*" if one == seat else "")
        turn = ">" if one == view.turn and view.stage not in (SET_UP, WHO_BEGINS, ENDED) else " "
        texts.append(f"{turn} {sheep_ink(2 * one, COLOUR_NAMES[one][0])} {ink(name, 'bold') if turn == '>' else name}")
    return " ".join(texts)


def _pasture(view: HasteBock, voice: Voice) -> str:
    """The 9x9 fields, with Roger or Shawn at the side that the flock looks at."""
    visitor = _visitor(view, voice)
    upright = visitor.center(SIDE)
    west = upright if view.facing == 6 else " " * SIDE
    east = upright if view.facing == 2 else " " * SIDE
    rim = f"  +{'-' * PASTURE}+"
    lines = [(visitor if view.facing == 0 else "").center(PASTURE + 4).rstrip(), rim]
    for row in range(SIDE):
        fields = " ".join(_field(view, row, column) for column in range(SIDE))
        lines.append(f"{ink(west[row], 'bold')} | {fields} | {ink(east[row], 'bold')}".rstrip())
    return "\n".join([*lines, rim, (visitor if view.facing == 4 else "").center(PASTURE + 4).rstrip()])


def _visitor(view: HasteBock, voice: Voice) -> str:
    phase = view.track.phase[view.timer]
    return voice.say("roger") if phase == 2 else voice.say("shawn") if phase == 4 else ""


def _field(view: HasteBock, row: int, column: int) -> str:
    what = int(view.board[cell_at(row, column)])
    if what >= SHEEP:
        return ink(" . ", "dim")
    return sheep_ink(what, SHEEP_NAMES[what].rjust(2) + ARROWS[int(view.facing)])


def sheep_ink(sheep: int, text: str) -> str:
    """Text in a sheep's colour."""
    return ink(text, "reverse", "bold") if sheep // 2 == BLACK else ink(text, STYLES[sheep // 2], "bold")


def _table(view: HasteBock, voice: Voice) -> str:
    """A column a player: the sheep, the cards that are left, the points."""
    seats = range(int(view.seats))
    across = 26 // len(seats)
    names = [SHEEP_NAMES[2 * one] + " " + SHEEP_NAMES[2 * one + 1] for one in seats]
    lines = [_line("", [sheep_ink(2 * one, name) for one, name in enumerate(names)], across)]
    for kind, name in enumerate(KIND_NAMES):
        lefts = [[int(view.hand[one * CARD_KINDS + kind * VALUES + value]) for value in range(VALUES)] for one in seats]
        lines.append(_line(voice.say(f"short.{name}"), [_cards(left) for left in lefts], across))
    if view.seats < 4:
        lefts = [[int(view.movement[one * VALUES + value]) for value in range(VALUES)] for one in seats]
        lines.append(_line(voice.say("short.movement"), [_cards(left) for left in lefts], across))
    lines.append(_line(voice.say("short.points"), [ink(str(points), "bold") for points in view.scores()], across))
    lines.append(voice.say("picture.looks", way=voice.say(f"way.{DIRECTION_NAMES[int(view.facing)]}")))
    if view.banned != NONE and view.stage != ENDED:
        lines.append(voice.say("picture.banned", move=_banned(int(view.banned))))
    return "\n".join(lines)


def _banned(action: int) -> str:
    return f"turn {WAYS[action - TURNS]}" if action >= TURNS else f"trough {DIRECTION_NAMES[(action - TROUGHS) * 2]}"


def _line(label: str, texts: list[str], across: int) -> str:
    return (label.ljust(LABEL) + "".join(pad(text, across) for text in texts)).rstrip()


def _cards(left: list[int]) -> str:
    """The values that are left: '12', '113', or '-' for none."""
    return "".join(str(value + 1) * count for value, count in enumerate(left)) or ink("-", "dim")


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: columns - 1] + "…"


def _track(view: HasteBock, columns: int, voice: Voice) -> str:
    """A line a phase, a character a space; the phase that the timer is in stands out."""
    length, track = int(view.track.length), view.track
    legend = [voice.say("picture.timer", space=int(view.timer), length=length), ink(voice.say("picture.legend"), "dim")]
    lines = ["   ".join(legend)] if columns >= 60 else legend
    names = [f"{phase} {voice.say(f'phase.{phase}')}" if columns >= 70 else str(phase) for phase in range(1, 5)]
    label = max(len(name) for name in names)
    apart = " " if columns >= label + 56 else ""
    for phase, name in enumerate(names, start=1):
        spaces = [space for space in range(1, length + 1) if track.phase[space] == phase]
        drawn = "".join(_space(view, space) + ("|" if track.wall[space] else apart) for space in spaces)
        now = track.phase[view.timer] == phase
        lines.append(f"{ink(name.ljust(label), 'bold') if now else name.ljust(label)} {spaces[0]:>2} {drawn.rstrip()} {spaces[-1]}")
    return "\n".join(lines)


def _space(view: HasteBock, space: int) -> str:
    if space == view.timer:
        return ink("@", "reverse", "bold")
    mark = "#" if view.track.pen[space] else "!" if view.track.panic[space] else "."
    return ink(mark, "dim") if space < view.timer else mark
