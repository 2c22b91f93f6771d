"""Te Kuiti in a terminal: the field with its fences as box lines, and a panel with roles, supply and scores.

Only what is face up now is shown, unless the table plays with the memory aid. Moods are words, so colour says nothing alone.
"""

from __future__ import annotations

from sheepfold.ansi import beside, ink
from sheepfold.ansi import width as columns
from sheepfold.core.position import OVER
from sheepfold.games.te_kuiti.components import KIND_NAMES
from sheepfold.games.te_kuiti.rules import CELLS, DRAW_SHEPHERD, TeKuiti
from sheepfold.messages import Voice

POSTS = "·╻╹┃╺┏┗┣╸┓┛┫━┳┻╋"
"""A post by the fences that meet there: 1 below, 2 above, 4 to the right, 8 to the left."""
ARROWS = "↑→↓←"
DOWN, PENNED = "░", "▓"
MOOD_INKS = ("yellow", "blue", "magenta", "red", "cyan")
WIDE, NARROW = 8, 3
"""Columns inside a cell."""


def text_picture(view: TeKuiti, width: int, voice: Voice) -> str:
    """The field with the panel beside it, or below it where there is no room."""
    panel = "\n".join(_panel(view, voice))
    broad = field(view, voice, WIDE if width >= 4 + 5 * (WIDE + 1) else NARROW)
    side_by_side = beside(broad, panel)
    if all(columns(line) <= width for line in side_by_side.split("\n")):
        return side_by_side
    return f"{broad}\n\n{panel}"


def field(view: TeKuiti, voice: Voice, inside: int) -> str:
    """The field alone, with `inside` columns in every cell."""
    lines = ["   " + "".join(f" {letter:^{inside}}" for letter in "abcde")]
    for row in range(6):
        lines.append("   " + _lying_line(view, row, inside))
        if row < 5:
            for part in range(2):
                lines.append(f" {row + 1 if part == 0 else ' '} " + _standing_line(view, row, part, inside, voice))
    return "\n".join(line.rstrip() for line in lines)


def _lying(view: TeKuiti, line: int, column: int) -> bool:
    return 0 <= column < 5 and view.fenced(5 * line + column)


def _standing(view: TeKuiti, row: int, line: int) -> bool:
    return 0 <= row < 5 and view.fenced(30 + 6 * row + line)


def _post(view: TeKuiti, line: int, column: int) -> str:
    meeting = (
        _standing(view, line, column)
        + 2 * _standing(view, line - 1, column)
        + 4 * _lying(view, line, column)
        + 8 * _lying(view, line, column - 1)
    )
    return POSTS[meeting]


def _lying_line(view: TeKuiti, line: int, inside: int) -> str:
    text = ""
    for column in range(5):
        text += _post(view, line, column) + ("━" if _lying(view, line, column) else " ") * inside
    return text + _post(view, line, 5)


def _standing_line(view: TeKuiti, row: int, part: int, inside: int, voice: Voice) -> str:
    text = ""
    for column in range(5):
        text += "┃" if _standing(view, row, column) else " "
        text += _cell(view, 5 * row + column, inside, voice)[part]
    return text + ("┃" if _standing(view, row, 5) else " ")


def _cell(view: TeKuiti, cell: int, inside: int, voice: Voice) -> tuple[str, str]:
    """The two lines of a cell: what lies there, and a flower or what the memory aid recalls."""
    if not view.has_tile(cell):
        return " " * inside, " " * inside
    if view.face_up(cell):
        kind, flower = divmod(int(view.known[cell]) - 1, 5)
        second = (f"*{ARROWS[flower - 1]}" if flower else "") + ("#" if view.enclosed(cell) else "")
        return ink(_name(kind, inside, voice), "bold", MOOD_INKS[kind]), f"{second:^{inside}}"
    back = (PENNED if view.enclosed(cell) else DOWN) * inside
    if view.terms.memory_aid and view.known[cell]:
        kind, flower = divmod(int(view.known[cell]) - 1, 5)
        short = voice.say(f"short.{KIND_NAMES[kind]}")
        recalled = f"({short}{ARROWS[flower - 1] if flower else ''})" if inside >= WIDE else short
        return back, ink(f"{recalled:^{inside}}", "dim")
    return back, back


def _name(kind: int, inside: int, voice: Voice) -> str:
    name = voice.say(f"{'name' if inside >= WIDE else 'short'}.{KIND_NAMES[kind]}")
    return f"{name:^{inside}}"


def _panel(view: TeKuiti, voice: Voice) -> list[str]:
    lines = [_headline(view, voice), ""]
    if view.seats == 2 and view.stage != DRAW_SHEPHERD:
        lines += [voice.say("panel.shepherd", who=voice.name(view.shepherd)), voice.say("panel.sheep", who=voice.name(view.sheep))]
    lines.append(voice.say("panel.fences", count=int(view.supply)))
    lines.append(voice.say("panel.enclosed", count=int(view.enclosed_tiles())))
    lines.append(voice.say("panel.open", count=int(view.open_tiles())))
    if view.seats == 2:
        lines.append(voice.say("panel.taken", count=int(view.sheep_taken())))
        if view.late:
            lines.append(voice.say("panel.late"))
        lines.append("")
        lines += [_score(view, seat, voice) for seat in range(2)]
    else:
        lines.append(voice.say("panel.freed", count=int(view.tiles_gone())))
        if view.idle:
            lines.append(voice.say("panel.idle", count=int(view.idle)))
    lines += ["", *_legend(view, voice)]
    return lines


def _headline(view: TeKuiti, voice: Voice) -> str:
    if view.to_act == OVER:
        return ink(voice.say("panel.over"), "bold")
    return ink(voice.say("panel.solo") if view.seats == 1 else voice.say("panel.round", number=int(view.round) + 1), "bold")


def _score(view: TeKuiti, seat: int, voice: Voice) -> str:
    """Points of both rounds; the one in progress as if it ended now."""
    rounds = [int(view.points[seat]), int(view.points[2 + seat])]
    total = view.scores()[seat]
    rounds[view.round] = total - rounds[1 - view.round]
    return voice.say("panel.score", who=voice.name(seat), first=rounds[0], second=rounds[1], total=total)


def _legend(view: TeKuiti, voice: Voice) -> list[str]:
    lines = [voice.say("panel.down", mark=DOWN * 2), voice.say("panel.penned", mark=PENNED * 2)]
    if any(view.face_up(cell) and view.enclosed(cell) for cell in range(CELLS)):
        lines.append(voice.say("panel.enclosed-up"))
    if view.seats == 1:
        lines.append(voice.say("panel.flower"))
    if view.terms.memory_aid:
        lines.append(voice.say("panel.memory"))
    lines.append(voice.say("panel.edges"))
    return lines
