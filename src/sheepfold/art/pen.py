"""The pen: shapes with a slightly unsteady hand, as SVG path data.

Every wobble is a hash of the shape's name, so a drawing is the same on every
call, in every process. Coordinates are plain numbers; pieces are drawn in a box
of 100 by 100 with the origin in its middle.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

from sheepfold.kept import kept

Point = tuple[float, float]


@kept(512)
def num(value: float) -> str:
    """A number as short as SVG allows, to a tenth."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def wobble(name: str, index: int, amount: float) -> float:
    """A fixed number in [-amount, amount] for this name and index."""
    return (zlib.crc32(f"{name}/{index}".encode()) / 0x7FFFFFFF - 1.0) * amount


def points(text: str) -> list[Point]:
    """``"0,1 2,3"`` as a list of points; the notation the drawings are kept in."""
    pairs = (pair.split(",") for pair in text.split())
    return [(float(x), float(y)) for x, y in pairs]


def shaken(name: str, corners: Sequence[Point], amount: float) -> list[Point]:
    return [(x + wobble(name, 2 * i, amount), y + wobble(name, 2 * i + 1, amount)) for i, (x, y) in enumerate(corners)]


def _pair(x: float, y: float) -> str:
    second = num(y)
    return num(x) + (second if second.startswith("-") else " " + second)


def _curve(path: Sequence[Point], closed: bool) -> str:
    """A smooth line through all points (Catmull-Rom as relative cubic curves)."""
    count = len(path)
    out = ["M" + _pair(*path[0])]
    for i in range(count if closed else count - 1):
        if closed:
            before, here, there, after = (path[(i + k) % count] for k in (-1, 0, 1, 2))
        else:
            before, here = path[max(i - 1, 0)], path[i]
            there, after = path[i + 1], path[min(i + 2, count - 1)]
        x, y = here
        steps = (
            ((there[0] - before[0]) / 6, (there[1] - before[1]) / 6),
            (there[0] - (after[0] - here[0]) / 6 - x, there[1] - (after[1] - here[1]) / 6 - y),
            (there[0] - x, there[1] - y),
        )
        out.append("c" + " ".join(_pair(*step) for step in steps))
    return "".join(out) + ("z" if closed else "")


@kept(512)
def blob(name: str, through: str, amount: float = 0.6) -> str:
    """A smooth closed outline through the points of ``through``."""
    return _curve(shaken(name, points(through), amount), closed=True)


@kept(512)
def stroke(name: str, through: str, amount: float = 0.5) -> str:
    """A smooth open line through the points of ``through``."""
    return _curve(shaken(name, points(through), amount), closed=False)


@kept(512)
def sharp(name: str, through: str, amount: float = 0.5) -> str:
    """A closed outline with corners."""
    corners = shaken(name, points(through), amount)
    return "M" + "L".join(_pair(*corner) for corner in corners) + "z"


@kept(512)
def oval(name: str, cx: float, cy: float, rx: float, ry: float, amount: float = 0.5) -> str:
    """A hand-drawn ellipse."""
    count = 6 if max(rx, ry) < 15 else 9
    turn = 2 * math.pi / count
    ring = [(cx + rx * math.cos(k * turn), cy + ry * math.sin(k * turn)) for k in range(count)]
    return _curve(shaken(name, ring, amount), closed=True)


@kept(512)
def dot(cx: float, cy: float, r: float, ry: float = 0.0) -> str:
    """A plain ellipse as path data, so that several can share one path element."""
    tall = num(ry or r)
    return f"M{_pair(cx - r, cy)}a{num(r)} {tall} 0 1 0 {num(2 * r)} 0a{num(r)} {tall} 0 1 0 {num(-2 * r)} 0z"


@kept(512)
def box(name: str, x: float, y: float, w: float, h: float, r: float = 6, amount: float = 0.8) -> str:
    """A rounded rectangle whose sides bow a little."""
    bow = [wobble(name, k, amount) for k in range(4)]
    return (
        f"M{_pair(x + r, y)}q{_pair(w / 2 - r, bow[0])} {_pair(w - 2 * r, 0)}"
        f"q{_pair(r, 0)} {_pair(r, r)}q{_pair(bow[1], h / 2 - r)} {_pair(0, h - 2 * r)}"
        f"q{_pair(0, r)} {_pair(-r, r)}q{_pair(r - w / 2, bow[2])} {_pair(2 * r - w, 0)}"
        f"q{_pair(-r, 0)} {_pair(-r, -r)}q{_pair(bow[3], r - h / 2)} {_pair(0, 2 * r - h)}"
        f"q{_pair(0, -r)} {_pair(r, -r)}z"
    )


@kept(512)
def line(name: str, x1: float, y1: float, x2: float, y2: float, amount: float = 0.8) -> str:
    """A ruled line drawn without a ruler."""
    bend = wobble(name, 0, amount)
    across = math.hypot(x2 - x1, y2 - y1) or 1.0
    return (
        f"M{_pair(x1, y1)}q{_pair((x2 - x1) / 2 - bend * (y2 - y1) / across, (y2 - y1) / 2 + bend * (x2 - x1) / across)}"
        f" {_pair(x2 - x1, y2 - y1)}"
    )


def run(name: str, x1: float, y1: float, x2: float, y2: float, amount: float = 1.1) -> str:
    """A long line that strays and comes back, as a hand does."""
    steps = 5
    way = [(x1 + (x2 - x1) * k / steps, y1 + (y2 - y1) * k / steps) for k in range(steps + 1)]
    return _curve(shaken(name, way, amount), closed=False)


def wool(name: str, cx: float, cy: float, rx: float, ry: float, bumps: int = 11) -> str:
    """A fleece: bulges round an ellipse."""
    ring: list[Point] = []
    for k in range(bumps):
        angle = 2 * math.pi * (k + wobble(name, k, 0.16)) / bumps - math.pi / 2
        ring.append((cx + rx * math.cos(angle), cy + ry * math.sin(angle)))
    out = ["M" + _pair(*ring[0])]
    for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
        r = num(math.hypot(x2 - x1, y2 - y1) * 0.56)
        out.append(f"a{r} {r} 0 0 1 {_pair(x2 - x1, y2 - y1)}")
    return "".join(out) + "z"
