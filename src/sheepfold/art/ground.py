"""The ground the games are played on: pasture, fences, walls and gates, the track, dice and counters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from html import escape
from typing import Final, Literal, Unpack

from sheepfold.kept import kept

from . import pen
from .signs import MARKS, Direction, number
from .svg import Place, define, path, piece, text, use
from .theme import Colour

FenceState = Literal["up", "faint", "lit"]

# --- grass ---------------------------------------------------------------------------------------------
_TUFTS: Final[tuple[str, ...]] = (
    "M0 4q-1-5-5-8M1 4q0-6 1-11M2 4q2-4 6-7",
    "M-6 4q0-5-3-8M-4 4q2-3 3-7M7 3q0-4-2-6M8 3q2-3 4-5",
    "M0 3q-2-4-5-5M1 3q2-4 5-5",
)
for _k, _blades in enumerate(_TUFTS):
    define(f"tuft{_k}", path("sf-grass-blade", _blades))
define("cell", path("sf-wide", pen.box("cell", -44, -44, 88, 88, 16, 2)))
define("clover", use("daisy", 0, -3, 0.55) + path("sf-grass-blade", "M0 2q0 3-1 6M-1 6q-4-1-5-4"))


def paper(width: float, height: float) -> str:
    """The sheet itself: warm paper with a few fibres."""
    fibres = "".join(
        f"M{pen.num(width * (0.5 + pen.wobble('fx', k, 0.5)))} {pen.num(height * (0.5 + pen.wobble('fy', k, 0.5)))}"
        f"q{pen.num(pen.wobble('fa', k, 5))} {pen.num(pen.wobble('fb', k, 5))} {pen.num(pen.wobble('fc', k, 8))} {pen.num(pen.wobble('fd', k, 5))}"
        for k in range(26)
    )
    return f'<rect class="sf-paper-flat" width="{pen.num(width)}" height="{pen.num(height)}"/>' + path("sf-fibres", fibres)


VIGNETTE: Final = (320, 150)
"""How wide and high the small drawing is that a game has on the shelf."""


def meadow(x: float, y: float, width: float, height: float, name: str = "meadow", tufts: int = 14) -> str:
    """A stretch of grass with an uneven edge and a few tufts and daisies, to lay things on."""
    out = path("sf-grass-flat", pen.box(name, x, y, width, height, min(width, height) * 0.05, 5))
    for k in range(tufts):
        px = x + width * (0.5 + pen.wobble(name, 2 * k + 9, 0.47))
        py = y + height * (0.5 + pen.wobble(name, 2 * k + 10, 0.47))
        out += use("clover" if k % 6 == 5 else f"tuft{k % 3}", px, py)
    return out


def lawn(name: str) -> str:
    """The grass that a vignette stands on."""
    return meadow(-6, 92, VIGNETTE[0] + 12, 80, name, 9)


def pasture(
    columns: int,
    rows: int,
    cell: float,
    x: float = 0,
    y: float = 0,
    id: Callable[[int, int], str] | None = None,
    label: Callable[[int, int], str] | None = None,
    states: Mapping[tuple[int, int], str] | None = None,
    flowers: bool = True,
) -> str:
    """A mown grid of fields whose top left corner is at ``x, y``.

    ``id(row, column)`` and ``label(row, column)`` make every field a target; ``states`` gives some of
    them state classes. Fields are lit from below: draw the sheep afterwards.
    """
    width, height = columns * cell, rows * cell
    side = pen.num(cell)
    dark = "".join(
        f"M{pen.num(x + c * cell)} {pen.num(y + r * cell)}h{side}v{side}h-{side}z"
        for r in range(rows)
        for c in range(columns)
        if (r + c) % 2
    )
    out = path("sf-grass-flat", pen.box("pasture", x, y, width, height, 4, cell * 0.05)) + path("sf-mown-flat", dark)
    seams = [pen.run(f"v{c}", x + c * cell, y + 2, x + c * cell, y + height - 2) for c in range(1, columns)]
    seams += [pen.run(f"h{r}", x + 2, y + r * cell, x + width - 2, y + r * cell) for r in range(1, rows)]
    out += path("sf-seam", *seams)
    for r in range(rows):
        for c in range(columns):
            if pen.wobble("grow", r * 31 + c, 1) > 0.62:
                px = x + (c + 0.5 + pen.wobble("px", r * 31 + c, 0.3)) * cell
                py = y + (r + 0.5 + pen.wobble("py", r * 31 + c, 0.3)) * cell
                out += use("clover" if flowers and (r * 3 + c) % 7 == 0 else f"tuft{(r + c) % 3}", px, py, cell / 60)
    if id is None:
        return out
    out += f'<g transform="translate({pen.num(x + cell / 2)} {pen.num(y + cell / 2)})scale({cell / 100:.4g})">'
    for r in range(rows):
        for c in range(columns):
            state = (states or {}).get((r, c), "")
            said = f' aria-label="{escape(label(r, c))}"' if label else ""
            out += (
                f'<use href="#sf-cell" id="{escape(id(r, c))}" class="sf-lit{" " + state if state else ""}"'
                f' x="{c}00" y="{r}00" role="img"{said}/>'
            )
    return out.replace('"000"', '"0"') + "</g>"


# --- fences: 100 long, along the x axis or the y axis ----------------------------------------------------
def _post(name: str, x: float, y: float, high: float) -> str:
    return path(
        "sf-wood",
        pen.sharp(
            name,
            f"{x - 3.6},{y} {x - 3.4},{y - high + 3} {x},{y - high - 1.5} {x + 3.6},{y - high + 3} {x + 3.4},{y}",
            0.5,
        ),
    )


_RAILS_H: Final = pen.line("r1", -46, -7, 46, -6) + pen.line("r2", -46, 4, 46, 3)
_RAILS_V: Final = pen.line("r3", -6, -48, -5.5, 46) + pen.line("r4", 6, -48, 5.5, 46)
define(
    "fence-h",
    path("sf-rail-line", _RAILS_H) + path("sf-rail", _RAILS_H) + _post("p1", -46, 9, 22) + _post("p2", 0, 9, 22) + _post("p3", 46, 9, 22),
)
define(
    "fence-v",
    path("sf-rail-line", _RAILS_V) + path("sf-rail", _RAILS_V)
    + path("sf-wood", *(pen.box(f"bar{y}", -11, y - 4, 22, 9, 3, 0.6) for y in (-44, 0, 43))),
)  # fmt: skip
define(
    "peg",
    path("sf-seam", pen.line("pegline", -38, 0, 38, 0)) + path("sf-tuft-flat", pen.dot(-50, 0, 4.5), pen.dot(50, 0, 4.5)),
)
define("fencelit", path("", pen.box("fencelit", -50, -15, 100, 30, 12)))
define("slot-h", path("", pen.box("slot-h", -31, -4, 62, 8, 4)))
define("slot-v", path("", pen.box("slot-v", -4, -31, 8, 62, 4)))
define("diamond", path("", "M-50 0L0-50L50 0L0 50z"))


@kept(512)
def fence(way: Literal["h", "v"], state: FenceState = "up", **place: Unpack[Place]) -> str:
    """A fence on the edge of a cell, horizontal or vertical; ``size`` is the length of the edge.

    ``faint`` marks a place where one could stand, ``lit`` one that is being shown (the last set, a
    pen that closes). One that can be chosen catches taps on a diamond round the edge.
    """
    turn = 90 if way == "v" else 0
    shown = use("diamond", cls="sf-hit") + use("fencelit", cls="sf-lit", turn=turn)
    if state == "lit":
        place["classes"] = ("last " + place.get("classes", "")).strip()
    body = use("peg", turn=turn) if state == "faint" else f'<g class="sf-hop">{use(f"fence-{way}")}</g>'
    return piece(shown + body, **place)


@kept(512)
def fence_place(way: Literal["h", "v"], **place: Unpack[Place]) -> str:
    """The edge of a cell where a fence could be put: a slim light, and the fence itself while it is pointed at.

    It catches taps on a diamond from the middle of one cell to that of the other, as all edges of a field can.
    """
    return piece(use("diamond", cls="sf-hit") + use(f"slot-{way}", cls="sf-lit") + use(f"fence-{way}", cls="sf-ahead"), **place)


def pen_frame(x: float, y: float, width: float, height: float, post: float = 46) -> str:
    """A fence all round a rectangle, for boards and pens."""
    across, down = max(1, round(width / post)), max(1, round(height / post))
    dx, dy = width / across, height / down
    rails = "".join(pen.line(f"f{y0}{k}", x, y0 + k, x + width, y0 + k, 1.5) for y0 in (y, y + height) for k in (-3, 2.5)) + "".join(
        pen.line(f"f{x0}{k}", x0 + k, y, x0 + k, y + height, 1.5) for x0 in (x, x + width) for k in (-2.2, 2.2)
    )
    posts = "".join(
        f"M{pen.num(x + k * dx - 2.5)} {pen.num(y0 - 8 + pen.wobble('fp', k, 0.8))}h5l.4 14h-5z"
        for y0 in (y, y + height)
        for k in range(across + 1)
    ) + "".join(
        f"M{pen.num(x0 - 4.6)} {pen.num(y + k * dy - 2 + pen.wobble('fq', k, 0.8))}h9l.4 4.5h-9z"
        for x0 in (x, x + width)
        for k in range(1, down)
    )
    return path("sf-thick sf-thin", rails) + path("sf-crook sf-fibre", rails) + path("sf-wood sf-slim", posts)


define(
    "trampled",
    path("sf-sand-flat", pen.box("trampled", -50, -50, 100, 100, 3, 0.5))
    + path("sf-straws", "M-44-30l12 4M-40 34l10-6M30-44l9 7M36 40l8-9M-6-45l10 3M-8 46l11-3M-46 4l4 9M43-6l4 10"),
)


@kept(512)
def pegs(columns: int, rows: int, cell: float, x: float = 0, y: float = 0) -> str:
    """The pegs at the corners of a field's cells, where fences end."""
    return path(
        "sf-wood sf-slim",
        *(pen.dot(x + c * cell, y + r * cell, cell * 0.035) for r in range(rows + 1) for c in range(columns + 1)),
    )


# --- walls, gates, pens of the track ----------------------------------------------------------------------
define(
    "wall",
    path(
        "sf-stone",
        pen.box("w1", -9, -50, 17, 21, 5),
        pen.box("w2", -8, -30, 17, 19, 5),
        pen.box("w3", -9, -12, 17, 22, 5),
        pen.box("w4", -8, 9, 17, 19, 5),
        pen.box("w5", -9, 27, 17, 22, 5),
    )
    + path("sf-fine", "M-3-44q3-2 6 0M-3 17q3-2 5 0"),
)
define(
    "gate",
    path("sf-rail-line", "M-38-12L38-10M-38 3L38 4M-38 17L38 18M-36 17L36-10")
    + path("sf-rail", "M-38-12L38-10M-38 3L38 4M-38 17L38 18M-36 17L36-10")
    + _post("g1", -40, 30, 54)
    + _post("g2", 40, 30, 54),
)
define(
    "pen",
    path("sf-grass-flat", "M-40-40h80v80h-80z")
    + path("sf-rail-line", "M-41-40V40M41-40V40M-41 40H41M-41-40H41")
    + path("sf-rail", "M-41-40V40M41-40V40M-41 40H41M-41-40H41")
    + use("mini", 0, 2, 1.9, "sf-white"),
)


def wall(**place: Unpack[Place]) -> str:
    """A dry-stone wall across the track; ``size`` is its height."""
    return piece(use("wall"), **place)


def gate(**place: Unpack[Place]) -> str:
    """A field gate."""
    return piece(path("sf-lit", pen.dot(0, 0, 50)) + use("gate"), **place)


# --- the track -------------------------------------------------------------------------------------------
for _k in range(3):
    define(f"space{_k}", path("", pen.box(f"space{_k}", -46, -46, 92, 92, 16, 5)))
define("panic", path("sf-amber", pen.sharp("panic", "0,-46 44,34 -44,34", 2)) + path("sf-thick", "M0-20L0 8M0 20v.5"))
define("spacelit", path("", pen.box("spacelit", -50, -50, 100, 100, 18, 3)))


def track_space(value: int, phase: Literal[1, 2, 3, 4], panic: bool = False, goal: bool = False, **place: Unpack[Place]) -> str:
    """One space of the track: numbered, in the colour of its phase, with the panic sign or as a pen."""
    body = use(f"space{value % 3}", cls=f"sf-phase{phase}") + use("spacelit", cls="sf-lit sf-veil")
    if goal:
        body += use("gate", 0, -16, 0.7) + text(0, 42, str(value), 34)
    elif panic:
        body += use("panic", 0, -13, 0.6) + text(0, 42, str(value), 34)
    else:
        body += text(0, 15, str(value), 42)
    return piece(body, **place)


def track(
    phases: tuple[int, int, int, int],
    columns: int,
    space: float,
    x: float = 0,
    y: float = 0,
    panic: Collection[int] = (),
    walls: Collection[int] = (),
    id: Callable[[int], str] | None = None,
) -> str:
    """The whole track as rows that wind to and fro; ``phases`` are the last spaces of the four phases.

    The pens are the last spaces of phases 2 and 4; ``walls`` stand after the given spaces. Where a
    space is: ``track_point``.
    """
    spaces: dict[int, str] = {1: "", 2: "", 3: "", 4: ""}
    signs, numbers, standing, lights = "", "", "", ""
    for value in range(1, phases[3] + 1):
        px, py = track_point(value, columns, 100)
        at = f'x="{pen.num(px)}" y="{pen.num(py)}"'
        phase = 1 + sum(value > end for end in phases[:3])
        spaces[phase] += f'<use href="#sf-space{value % 3}" {at}/>'
        goal = value in (phases[1], phases[3])
        if goal:
            signs += use("gate", px, py - 16, 0.7)
        elif value in panic:
            signs += use("panic", px, py - 15, 0.62)
        low = goal or value in panic
        small = ' font-size="34"' if low else ""
        numbers += f'<text x="{pen.num(px)}" y="{pen.num(py + (43 if low else 15))}"{small}>{value}</text>'
        if id:
            lights += f'<use href="#sf-cell" id="{escape(id(value))}" class="sf-lit sf-veil" {at}/>'
        if value in walls:
            qx, qy = track_point(value + 1, columns, 100)
            standing += use("wall", (px + qx) / 2, (py + qy) / 2, 1.1, "", 90 if qx == px else 0)
    ground = "".join(f'<g class="sf-phase{phase}">{body}</g>' for phase, body in spaces.items())
    return (
        f'<g transform="translate({pen.num(x)} {pen.num(y)})scale({space / 100:.4g})">{ground}{lights}{signs}'
        f'<g class="sf-text sf-middle" font-size="42">{numbers}</g>{standing}</g>'
    )


def track_point(value: int, columns: int, space: float, x: float = 0, y: float = 0) -> tuple[float, float]:
    """The middle of a space of ``track`` (0, the start, lies before the first)."""
    row, column = divmod(max(value, 1) - 1, columns)
    if row % 2:
        column = columns - 1 - column
    left = -1.0 if value < 1 else column
    return x + (left + 0.5) * space, y + (row + 0.5) * space


define(
    "counter",
    path("sf-shadow", pen.dot(0, 42, 16, 5))
    + path("sf-amber", "M0 44C-8 27-35 16-35-10A35 35 0 0 1 35-11C35 15 9 27 0 44z")
    + use("mini", 0, -9, 1.9, "sf-white"),
)


@kept(512)
def counter(**place: Unpack[Place]) -> str:
    """The token on the track."""
    return piece(f'{path("sf-lit", pen.dot(0, 4, 46))}<g class="sf-hop">{use("counter")}</g>', **place)


def score_marker(colour: Colour, **place: Unpack[Place]) -> str:
    """A small flat marker in a player's colour, with the mark."""
    return piece(path(f"sf-{colour}", pen.oval("marker", 0, 0, 44, 44, 1)) + use(MARKS[colour], 0, 0, 2.1, "sf-mark"), **place)


# --- dice ----------------------------------------------------------------------------------------------------
define(
    "die",
    path("sf-shadow", pen.box("die3", -38, -32, 84, 82, 20)) + path("sf-shade", pen.box("die2", -43, -38, 86, 86, 20, 2)),
)
define("dieface", path("", pen.box("die1", -43, -46, 86, 82, 20, 2)))


@kept(512)
def die(face: Colour | Literal["+", "x"], **place: Unpack[Place]) -> str:
    """A die: a colour with its mark, or the regroup die's + or x."""
    lit = path("sf-lit", pen.box("dielit", -50, -52, 100, 108, 26))
    if face == "+" or face == "x":
        body = use("dieface", cls="sf-card") + use("plus" if face == "+" else "times", 0, -5, 0.85)
    else:
        body = use("dieface", cls=f"sf-{face}") + use(MARKS[face], 0, -5, 2, "sf-mark")
    return piece(f'{lit}<g class="sf-hop sf-die">{use("die")}{body}</g>', **place)


define(
    "compass",
    path("sf-card", pen.oval("compass", 0, 0, 46, 46, 1.5)) + path("sf-draw", "M0-38v5M0 38v-5M38 0h-5M-38 0h5"),
)
define("needle", path("sf-amber", pen.sharp("needle", "-24,-9 2,-9 0,-22 30,0 0,22 2,9 -24,9", 0.8)))


@kept(512)
def compass(direction: Direction, **place: Unpack[Place]) -> str:
    """A small rose that shows where the flock looks; turns by CSS when it changes."""
    turn = {"e": 0, "se": 45, "s": 90, "sw": 135, "w": 180, "nw": 225, "n": 270, "ne": 315}[direction]
    return piece(f'{use("compass")}<g class="sf-piece" style="transform:rotate({turn}deg)">{use("needle")}</g>', **place)


@kept(512)
def rank_label(value: int, x: float, y: float, height: float) -> str:
    """Points of a row (4, 3, 2, 1) at the edge of the flock, on a small round of paper."""
    return path("sf-card", pen.oval(f"rank{value}", x, y, height * 0.8, height * 0.8)) + number(value, x, y, height)
