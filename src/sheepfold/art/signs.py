"""Signs: the shape that goes with each colour, hand-written digits, arrows, action and power icons.

Nobody has to tell colours apart: bell, star, leaf, heart, moon and ring say the
same as blue, yellow, green, red, black and white.
"""

from __future__ import annotations

from typing import Final, Literal, Unpack

from sheepfold.kept import kept

from . import pen
from .svg import Place, define, path, piece, text, use
from .theme import Colour

Direction = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]
Action = Literal["slam", "align", "line", "diagonal", "step", "leap", "turn"]
Power = Literal["name", "reverse"]

MARKS: Final[dict[Colour, str]] = {
    "blue": "bell", "yellow": "star", "green": "leaf", "red": "heart", "black": "moon", "white": "ring",
}  # fmt: skip
ACTIONS: Final[tuple[Action, ...]] = ("slam", "align", "line", "diagonal", "step", "leap", "turn")
DIRECTIONS: Final[tuple[Direction, ...]] = ("n", "ne", "e", "se", "s", "sw", "w", "nw")

# --- marks: fill and outline come from the user; 24 wide ------------------------------------------
define(
    "bell",
    path("", pen.dot(0, 8.6, 3.8))
    + path(
        "",
        "M-12 6.5c5-3 3-10 5-14c1-2.5 3-3.5 5-4c.5-2.5 3.5-2.5 4 0c2 .5 4 1.5 5 4c2 4 0 11 5 14c-6 2.6-18 2.6-24 0z",
    )
    + path("sf-fine", "M-6.5 2.5q6.5 2 13 0"),
)
define(
    "star",
    path(
        "",
        pen.sharp("star", "0,-12.5 3.6,-4.4 12.4,-3.6 5.8,2.4 7.8,11 0,6.6 -7.6,11 -5.8,2.2 -12.4,-3.6 -3.6,-4.4", 0.3),
    ),
)
define(
    "leaf",
    path("", "M-9.5 10.5c-6-13 3-22 20-21.5c1.5 16-5 25-20 21.5z") + path("sf-fine", "M-11.5 12.5c5-7 9-11 15-15.5"),
)
define(
    "heart",
    path("", "M0 11.5c-15-9-14.5-21.5-6.5-22.5c4 0 6 2.5 6.5 5.5c.5-3 3-5.5 6.5-5.5c8 1 8.5 13.5-6.5 22.5z"),
)
define("moon", path("", "M4-12c-22 1-21 25 1 24c3 0 5.5-1 7-2.5c-12-1-15-15-3-20.5c-1.5-.7-3-1-5-1z"))
define("ring", path("", pen.oval("ring", 0, 0, 10.5, 10.5)) + path("sf-fine", pen.oval("ring-in", 0, 0, 5, 5, 0.3)))

# --- digits, 100 high ------------------------------------------------------------------------------
_DIGITS = (
    "M0-46c-20 0-27 22-27 46s8 46 27 46 27-22 27-46S20-46 0-46z",
    "M-17-28L5-46L3 46",
    "M-25-22c2-32 50-32 48 2c-1 20-38 42-49 65c16-3 34-2 53-1",
    "M-24-37c20-16 46-8 44 13c-1 14-14 19-27 20c17-1 33 8 32 25c-1 28-35 31-51 13",
    "M8-46L-29 17L29 15M13-12L11 46",
    "M24-45L-16-43L-20-5c18-13 46-4 45 21c-1 32-34 37-50 17",
    "M17-46c-24 9-44 38-42 65c2 35 49 35 51 2c1-32-42-33-50-4",
    "M-27-42L27-44c-19 26-28 55-32 90",
    "M0-4c-33-10-28-42 1-42s33 32-1 42c-37 8-37 50 0 50s38-42 0-50z",
    "M24-21c-6 31-50 27-49-2c2-31 50-31 50 4c0 27-8 47-23 64",
)
for _value, _shape in enumerate(_DIGITS):
    define(f"d{_value}", path("sf-bold", _shape))
define("plus", path("sf-bold", "M-28 1L28-1M-1-28L1 29"))
define("times", path("sf-bold", "M-23-24L24 23M23-24L-24 24"))
define("minus", path("sf-bold", "M-22 1L22-1"))
SIGNS: Final[tuple[str, ...]] = (*MARKS.values(), *(f"d{_value}" for _value in range(10)), "plus", "times", "minus", "ask", "arrow", "spin")
"""The symbols that stand on anything: marks, digits, arrows."""
define("ask", path("sf-bold", "M-23-24c2-30 50-28 47 2c-2 18-24 18-24 38", "M0 43v.2"))

# --- arrows, pointing east ---------------------------------------------------------------------------
define("arrow", path("sf-amber", pen.sharp("arrow", "-40,-8 6,-10 4,-28 42,0 4,28 6,10 -40,9", 1)))
define("dart", path("sf-draw", "M-20 1q18-2 36-1M6-10q6 6 12 10q-7 4-12 10"))
define("tick", path("sf-draw", "M-4-6q4 3 7 6q-4 3-7 6"))
_SPIN = "M-30.5-5.4A31 31 0 0 1 26.8-15.5M28-28.4L26.8-15.5L15-21"
define("spin", path("sf-draw", _SPIN))

# --- a sheep no bigger than a thumbnail; wool inherits ---------------------------------------------
define(
    "mini",
    path("", pen.wool("mini", 0, -1, 13, 11, 8))
    + path("sf-face", pen.oval("mini-face", 0, 2.5, 6.5, 7, 0.2))
    + path("sf-eye-flat", pen.dot(-2.4, 1, 1.4), pen.dot(2.4, 1, 1.4)),
)


def _mini(x: float, y: float, cls: str = "", scale: float = 1) -> str:
    return use("mini", x, y, scale, cls)


_BURST = path("sf-amber", pen.sharp("burst", "0,-15 4,-6 13,-9 8,0 14,8 4,6 0,15 -4,6 -13,9 -8,0 -13,-8 -4,-6", 0.6))

# The actor inherits the colour of its owner, the others are white.
define(
    "act-slam",
    path("sf-draw", "M-44-2h8M-45 8h6M-44 18h8")
    + _mini(23, 8, "sf-white", 1.15)
    + f'<g transform="translate(4-6)">{_BURST}</g>'
    + _mini(-15, 8, "", 1.3),
)
define(
    "act-align",
    path("sf-wood", pen.box("trough", -43, -35, 86, 14, 4))
    + path("sf-amber", "M-36-35q8-11 18-4q9-9 17-1q9-9 17-1q9-6 18 6z")
    + _mini(-28, -6)
    + _mini(0, -6)
    + _mini(-28, 20)
    + _mini(28, 26)
    + use("dart", 28, 0, 0.8, "", -90),
)
define("act-line", _mini(-29, -10) + _mini(0, -10) + _mini(29, -10) + use("arrow", 0, 24, 0.72))
define("act-diagonal", _mini(-29, 20) + _mini(-7, -3) + _mini(15, -26) + use("arrow", 17, 18, 0.62, "", -45))
define(
    "act-step",
    "".join(
        use("tick", x, y, 1, "", turn)
        for x, y, turn in (
            (34, 0, 0),
            (25, 25, 45),
            (0, 34, 90),
            (-25, 25, 135),
            (-34, 0, 180),
            (-25, -25, 225),
            (0, -34, 270),
            (25, -25, 315),
        )
    )
    + _mini(0, 0, "", 1.35),
)
define(
    "act-leap",
    _mini(0, 22, "sf-white", 1.15) + path("sf-draw", "M-36 32c4-66 60-74 70-4M22 20q7 6 12 10q4-6 8-13") + _mini(-6, -19, "", 1.2),
)
define("act-turn", use("spin", 0, 0, 1.15) + use("spin", 0, 0, 1.15, "", 180) + _mini(0, 1, "", 1.25))

# --- card powers ------------------------------------------------------------------------------------
define("power-reverse", "".join(f'<g transform="rotate({turn})">{path("sf-heavy", _SPIN)}</g>' for turn in (0, 180)))
define(
    "power-name",
    path("sf-card sf-wide", pen.box("pile", 14, -34, 34, 46, 5))
    + path(
        "sf-face sf-wide",
        pen.blob("hand", "-44,-8 -30,-20 -12,-18 -6,-14 12,-13 17,-8 12,-2 -4,-2 -2,4 -4,10 -6,16 -10,24 -30,24 -44,16", 0.4),
    )
    + path("sf-heavy", "M-16 6h13M-17 15h9"),
)


@kept(512)
def mark(colour: Colour, **place: Unpack[Place]) -> str:
    """The shape of a colour, in that colour: for panels, logs and cards. Fills about the box."""
    return piece(use(MARKS[colour], 0, 0, 3.6, f"sf-{colour}"), **place)


@kept(512)
def number(value: int, x: float, y: float, height: float, sign: bool = False) -> str:
    """A whole number in the house handwriting, its middle at ``x, y``; ``sign`` shows a plus too."""
    glyphs = [f"d{digit}" for digit in str(abs(value))]
    if value < 0:
        glyphs.insert(0, "minus")
    elif sign:
        glyphs.insert(0, "plus")
    scale = height / 118
    widths = [46.0 if glyph == "d1" else 76.0 for glyph in glyphs]
    left = x - sum(widths) * scale / 2
    out = ""
    for glyph, width in zip(glyphs, widths, strict=True):
        out += use(glyph, left + width * scale / 2, y, scale)
        left += width * scale
    return out


@kept(512)
def arrow(direction: Direction, **place: Unpack[Place]) -> str:
    """A broad arrow: where something goes, or where the flock looks."""
    turn = DIRECTIONS.index(direction) * 45 - 90
    return piece(path("sf-lit", pen.dot(0, 0, 48)) + use("arrow", 0, 0, 1, "", turn), **place)


@kept(512)
def turn_arrow(clockwise: bool, **place: Unpack[Place]) -> str:
    """A bent arrow: the flock turns right (clockwise) or left."""
    return piece(
        path("sf-lit", pen.dot(0, 0, 48))
        + path("sf-card", pen.oval("turn", 0, 0, 44, 44, 1))
        + use("spin", 0, 5, 0.9, "", 20, mirror=not clockwise),
        **place,
    )


def action_icon(action: Action, colour: Colour = "white", **place: Unpack[Place]) -> str:
    """The picture of one of the seven actions, the acting sheep in ``colour``."""
    return piece(use(f"act-{action}", cls=f"sf-{colour}"), **place)


@kept(512)
def badge(value: int, colour: Colour | None = None, sign: bool = False, **place: Unpack[Place]) -> str:
    """A number on a round of paper, ringed with its owner's tint."""
    ground = path(f"sf-{colour}" if colour else "sf-shade", pen.oval("badge", 0, 0, 46, 46, 1))
    inner = path("sf-card-flat", pen.oval("badge-in", 0, 0, 36, 36, 0.8))
    height = 46 if len(str(value)) + sign < 3 else 32
    return piece(path("sf-lit", pen.dot(0, 0, 54)) + ground + inner + number(value, 0, 0, height, sign), **place)


def bubble(points: int, reason: str, colour: Colour, x: float, y: float, size: float = 14, id: str = "", up: bool = True) -> str:
    """What was scored and why, as a speech bubble whose tip is at ``x, y`` (above it, or below)."""
    wide = 0.62 * size * (len(str(abs(points))) + 1)
    width = 3.2 * size + wide + 0.6 * size * len(reason)
    high = 2.1 * size
    middle = -(high / 2 + size * 0.8) if up else high / 2 + size * 0.8
    edge = middle + high / 2 if up else middle - high / 2
    tip = f"M{pen.num(-size * 0.5)} {pen.num(edge)}L0 0L{pen.num(size * 0.5)} {pen.num(edge)}"
    body = (
        path(f"sf-{colour}-tint", tip + "z")
        + path(f"sf-{colour}-tint", pen.box("bubble" + reason, -width / 2, middle - high / 2, width, high, size * 0.7, 1.2))
        + path("sf-fine", pen.box("bubble" + reason, -width / 2, middle - high / 2, width, high, size * 0.7, 1.2))
        + path(f"sf-{colour}-tint", tip + "z")
        + path("sf-fine", tip)
        + use(MARKS[colour], -width / 2 + size * 1.2, middle, size / 18, f"sf-{colour}")
        + number(points, -width / 2 + size * 2.0 + wide / 2, middle, size * 1.15, sign=True)
        + text(-width / 2 + size * 2.4 + wide, middle + size * 0.34, reason, size * 0.95, "start")
    )
    return piece(f'<g class="sf-hop">{body}</g>', x=x, y=y, id=id)
