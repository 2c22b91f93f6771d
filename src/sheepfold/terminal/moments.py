"""A moment as text: a frame with what happened, a line or two for each player, and what comes next."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from sheepfold.ansi import CODES, ink, pad, width
from sheepfold.game.moments import Gain, Moment
from sheepfold.messages import Voice
from sheepfold.terminal.layout import READABLE

NARROW = 24
"""Columns beside a name that are enough for reasons; else they stand below it."""
LEAST_BOARD = 8
"""Lines of a board that are worth showing."""


def framed(moment: Moment, voice: Voice, say: Callable[..., str], colours: Sequence[str], columns: int) -> list[str]:
    """The moment in a frame that fits the columns."""
    room = min(columns, READABLE) - 4
    body = [ink(line, "bold") for line in textwrap.wrap(moment.title, room)]
    if moment.gains:
        body += ["", *_gains(moment.gains, voice, say, colours, room)]
    if moment.note:
        body += ["", *textwrap.wrap(moment.note, room)]
    wide = max(width(line) for line in body)
    edge = "─" * (wide + 2)
    return [f"╭{edge}╮", *(f"│ {pad(line, wide)} │" for line in body), f"╰{edge}╯"]


def _gains(gains: Sequence[Gain], voice: Voice, say: Callable[..., str], colours: Sequence[str], room: int) -> list[str]:
    """Name, points, reasons and total of each, in columns."""
    names = [voice.name(gain.seat) for gain in gains]
    points = [voice.number(gain.points, signed=True) for gain in gains]
    totals = [say("moment.total", total=voice.number(gain.total)) for gain in gains]
    most = max(map(len, points))
    last = max(map(len, totals))
    first = min(max(map(len, names)), room - most - last - 4)
    beside = room - first - most - last - 6
    aside = beside >= NARROW
    reasons = [_filled(gain.reasons, beside if aside else room - 2) for gain in gains]
    longest = max(len(line) for each in reasons for line in each) if aside else 0
    lines = []
    for gain, name, gained, why, total in zip(gains, names, points, reasons, totals, strict=True):
        colour = [each for each in colours[gain.seat : gain.seat + 1] if each in CODES]
        head = f"{ink(pad(name[:first], first), *colour)}  {ink(gained.rjust(most), 'bold')}  "
        if aside:
            lines.append(f"{head}{pad(why[0], longest)}  {total.rjust(last)}")
            lines += [f"{' ' * (first + most + 4)}{line}" for line in why[1:]]
        else:
            lines += [f"{head}{total.rjust(last)}", *(f"  {line}" for line in why)]
    return lines


def _filled(reasons: Sequence[str], room: int) -> list[str]:
    """The reasons in lines, none of them broken where it fits into one."""
    lines: list[str] = []
    for reason in reasons:
        if lines and len(lines[-1]) + len(reason) + 2 <= room:
            lines[-1] += f"; {reason}"
        else:
            lines += textwrap.wrap(reason, room)
    return lines


def under(board: str, lines: Sequence[str], rows: int) -> list[str]:
    """Lines under the board; where there is no room for both its empty lines go, then its end, then all of it."""
    shown, left = board.rstrip("\n").split("\n"), rows - len(lines)
    if len(shown) > left:
        shown = [line for line in shown if line.strip()]
    if len(shown) > left:
        shown = [*shown[: left - 1], ink("…", "dim")] if left > LEAST_BOARD else []
    return [*shown, *lines]
