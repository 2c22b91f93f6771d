"""The feast at the end of a game: bunting over the meadow, the winner on a hurdle with a garland, the others looking on.

It is drawn so that it needs no motion: the winner stands in the air over the hurdle. Where motion is wanted the classes `sf-hops` and
`sf-waves` bring it, with the rules of `FEAST_MOVES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from . import pen
from .animals import portrait
from .ground import meadow
from .svg import define, path, use
from .theme import COLOURS, Colour

FEAST: Final = (360, 168)
"""How wide and high it is."""
FEAST_MOVES: Final = (
    "@media (prefers-reduced-motion: no-preference) {"
    ".sf-hops { animation: sf-hops .62s cubic-bezier(.3,.1,.5,1) 5 alternate; }"
    ".sf-hops ~ .sf-hops { animation-delay: .31s; }"
    ".sf-waves > * { transform-box: fill-box; transform-origin: top; animation: sf-waves 1.7s ease-in-out 4 alternate; }"
    "@keyframes sf-hops { from { transform: translateY(21px); } to { transform: translateY(-6px); } }"
    "@keyframes sf-waves { from { transform: rotate(-5deg); } to { transform: rotate(6deg); } } }"
)

define("flag", path("", pen.sharp("flag", "-11,-2 11,-2 1,21", 0.5)))
define(
    "garland",
    path("sf-thick", pen.stroke("wreath", "-25,-3 -19,9 0,15 19,9 25,-3"))
    + "".join(use(f"{'daisy' if k % 2 else 'leaf'}", 25 * cos(pi * (0.08 + 0.14 * k)), -2 + 16 * sin(pi * (0.08 + 0.14 * k)),
                  0.62 if k % 2 else 0.5, "" if k % 2 else "sf-tree") for k in range(7)),
)  # fmt: skip
define(
    "cloud",
    path("sf-stone", pen.wool("cloud", 0, 0, 34, 13, 9))
    + path("sf-hatch", "M-20 22l-4 9M-4 24l-4 9M12 23l-4 9M26 20l-4 9"),
)  # fmt: skip


def _sky() -> str:
    """Wider than the sheet, for a frame that is."""
    wide, high = FEAST
    return f'<rect class="sf-night-flat" x="{-wide}" width="{3 * wide}" height="{high}"/>' + meadow(
        -wide, 96, 3 * wide, high - 80, "feast", 33
    )


def _bunting() -> str:
    """A rope of flags from edge to edge, in everybody's colours."""
    wide = FEAST[0]

    def hangs(x: float) -> float:
        return 9 + 22 * (1 - (2 * x / wide - 1) ** 2)

    rope = pen.stroke("rope", " ".join(f"{x},{hangs(x):.1f}" for x in range(-151, wide + 152, 31)), 0.4)
    flags = "".join(
        f"<g>{use('flag', 20 + 32 * k, hangs(20 + 32 * k), 1, f'sf-{COLOURS[k % len(COLOURS)]}')}</g>" for k in range(-2, wide // 32 + 2)
    )
    return path("sf-fine", rope) + f'<g class="sf-waves">{flags}</g>'


def feast(winners: Sequence[Colour], others: Sequence[Colour] = ()) -> str:
    """Who has won, or shares the win, and who else was there; a piece of SVG, `FEAST` large."""
    middle, apart = FEAST[0] / 2, 74 if len(winners) < 4 else 62
    left = middle - apart * (len(winners) - 1) / 2
    edge = left - 62
    watching = ""
    for k, colour in enumerate(others):  # the first at the left, the second at the right, and so on outwards
        x = edge - 46 * (k // 2)
        watching += portrait(colour, "w", 2 * middle - x, 126, 50) if k % 2 else portrait(colour, "e", x, 126, 50)
    hurdles = "".join(use("fence-h", left + apart * k, 143, 0.72) for k in range(len(winners)))
    hopping = "".join(
        f'<g class="sf-hops">{portrait(colour, "s", left + apart * k, 92, 82)}{use("garland", left + apart * k, 108, 1)}</g>'
        for k, colour in enumerate(winners)
    )
    return _sky() + _bunting() + watching + hurdles + hopping


def no_feast(colour: Colour) -> str:
    """Who has lost alone: a rest in the meadow, under a cloud that passes."""
    middle = FEAST[0] / 2
    fences = "".join(use("fence-h", x, 104, 0.72) for x in range(-305, 700, 69) if abs(x - middle) > 60)
    return _sky() + fences + use("cloud", middle + 34, 40, 1.1, "sf-white") + portrait(colour, "none", middle, 116, 86)
