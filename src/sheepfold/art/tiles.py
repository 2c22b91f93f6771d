"""Square tiles: sheep in their moods, and landscapes.

A landscape is drawn from its four sides as they lie on the table, so animals and
houses stand upright however the tile is turned; ``turned`` gives the sides after a rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Unpack

from sheepfold.kept import kept

from . import pen
from .svg import Place, define, path, piece, use
from .theme import COLOURS, Colour

Mood = Literal["cheerful", "sleepy", "shy", "angry", "dreamy"]
Side = Literal["n", "e", "s", "w"]
Motif = Literal["village", "forest", "blue", "yellow", "green", "red", "black", "white"]
Middle = Literal["", "wolf", "hunter", "shepherd", "well"]

MOODS: Final[tuple[Mood, ...]] = ("cheerful", "sleepy", "shy", "angry", "dreamy")
SIDES: Final[tuple[Side, ...]] = ("n", "e", "s", "w")

_SLAB = pen.box("slab", -47, -47, 94, 94, 12, 2)
define(
    "slab",
    path("sf-shadow", pen.box("slab-shadow", -44, -42, 94, 94, 12))
    + path("", _SLAB)
    + path("sf-sketch", pen.box("slab-sketch", -45.5, -46, 91.5, 91.5, 13, 4)),
)
define("slablit", path("", pen.box("slablit", -51, -51, 102, 102, 16)))
_LIT = use("slablit", cls="sf-lit")

# --- moods: a large head; what differs is everything the eye looks at -------------------------------------
_WOOL = path("sf-white", pen.wool("mood", 0, 2, 34, 33, 12))
_HEAD = "0,-19 17,-13 21,8 15,26 0,34 -15,26 -21,8 -17,-10"
_LOCK = path("sf-white", pen.wool("moodlock", 0, -18, 15, 7, 8))
_NOSE = path("sf-eye-flat", "M-4.5 12q4.5-3 9 0q-1 5-4.5 6q-3.5-1-4.5-6z")


def _ears(left: str, right: str) -> str:
    return path("sf-face", pen.blob("moodearl", left), pen.blob("moodearr", right))


_LEVEL = _ears("-17,-2 -27,-9 -40,-6 -38,3 -27,6 -18,5", "17,-2 27,-9 40,-6 38,3 27,6 18,5")
_DROOP = _ears("-16,-4 -27,-4 -37,8 -35,19 -27,17 -18,6", "16,-4 27,-4 37,8 35,19 27,17 18,6")
_PRICKED = _ears("-14,-6 -24,-24 -34,-29 -36,-19 -29,-6 -18,2", "14,-6 24,-24 34,-29 36,-19 29,-6 18,2")


def _eye(x: float, y: float, px: float = 0, py: float = 0, r: float = 7.5) -> str:
    return (
        path("sf-mark", pen.oval(f"eye{x}", x, y, r, r * 1.15, 0.2))
        + path("sf-eye-flat", pen.dot(x + px, y + py, r * 0.55))
        + path("sf-glint-flat", pen.dot(x + px + 1.4, y + py - 1.6, 1.4))
    )


def _cheeks(r: float) -> str:
    return path("sf-blush-flat", pen.dot(-14, 13, r, r * 0.75), pen.dot(14, 13, r, r * 0.75))


_HEADSHAPE = path("sf-face", pen.blob("moodhead", _HEAD))
_FACES: Final[dict[Mood, str]] = {
    "cheerful": _LEVEL + _HEADSHAPE + _cheeks(4.5) + _eye(-8, 0) + _eye(8, 0) + _NOSE + path("sf-bow", "M-11 18q11 5 22 0q-2 12-11 12t-11-12z") + _LOCK,
    "sleepy": _DROOP + _HEADSHAPE + _cheeks(3) + path("sf-fine", "M-15-1q5.5 8 12 1M15-1q-5.5 8-12 1M-14-8q4-3 8-1M14-8q-4-3-8-1") + _NOSE + path("sf-hoof", pen.oval("yawn", 0, 25, 4, 4.5, 0.2)) + _LOCK
        + path("sf-cloth", pen.blob("nightcap", "-17,-17 -8,-34 10,-40 28,-30 33,-16 27,-14 22,-22 14,-24 17,-16")) + path("sf-pillow", pen.oval("bobble", 30, -12, 5.5, 5.5, 0.3), pen.box("capband", -19, -22, 38, 8, 4, 0.6)),
    "shy": _DROOP + _HEADSHAPE + _cheeks(6) + _eye(-8, 1, -3.4, 3.4, 6) + _eye(8, 1, -3.4, 3.4, 6) + path("sf-fine", "M-15-9q5-4 9-3M15-9q-5-4-9-3") + _NOSE + path("sf-fine", "M-4 22q4-3 8 0") + _LOCK
        + path("sf-hoof", pen.blob("hoofl", "-21,36 -20,25 -12,22 -7,27 -8,37"), pen.blob("hoofr", "21,36 20,25 12,22 7,27 8,37")),
    "angry": _PRICKED + _HEADSHAPE + _eye(-8, 2, 2, 1, 6.5) + _eye(8, 2, -2, 1, 6.5) + path("sf-thick", "M-17-10L-3-3M17-10L3-3") + _NOSE + path("sf-mark", "M-10 27q10-9 20 0q-10 3-20 0z") + path("sf-fine", "M-4 23.5v4M4 23.5v4") + _LOCK
        + path("sf-pelt", pen.wool("puff1", -30, 24, 6, 4, 6), pen.wool("puff2", 30, 24, 6, 4, 6)),
    "dreamy": f'<g transform="rotate(-9)">{_LEVEL}{_HEADSHAPE}{_cheeks(4.5)}'
        + path("sf-mark", pen.oval("dreaml", -8.5, -1, 7.8, 8.6, 0.2), pen.oval("dreamr", 8.5, -1, 7.8, 8.6, 0.2))
        + use("star", -8.5, -1.5, 0.48, "sf-amber") + use("star", 8.5, -1.5, 0.48, "sf-amber")
        + _NOSE + path("sf-fine", "M-7 21q7 7 14-1") + _LOCK + "</g>",
}  # fmt: skip
for _mood, _drawing in _FACES.items():
    define(f"mood-{_mood}", _WOOL + _drawing)

# The mood again as a sign, for small sizes, logs and whoever sees no difference in faces.
define(
    "sign-cheerful",
    path("sf-draw", "M0-11v-2.5M0 11v2.5M-11 0h-2.5M11 0h2.5M-8-8l-2-2M8-8l2-2M-8 8l-2 2M8 8l2 2") + path("sf-amber", pen.dot(0, 0, 7)),
)
define("sign-sleepy", path("sf-draw", "M-9-2h8l-8 10h8M3-11h7l-7 9h7"))
define("sign-shy", path("sf-pillow", "M0-11c7 9 9 12 9 15a9 8 0 0 1-18 0c0-3 2-6 9-15z"))
define("sign-angry", path("sf-amber", "M3-12l-11 14 6 1-3 10 12-14-7-1 5-10z"))
define("sign-dreamy", path("sf-pillow", pen.wool("dream", 1, -3, 9, 6, 7), pen.dot(-6, 8, 2.6), pen.dot(-10.5, 12, 1.5)))

_SPOT: Final[dict[Side, tuple[float, float]]] = {"n": (0, -40), "e": (40, 0), "s": (0, 40), "w": (-40, 0)}


def mood_face(mood: Mood, **place: Unpack[Place]) -> str:
    """A sheep's face in one of the five moods."""
    return piece(use(f"mood-{mood}", scale=1.1), **place)


def mood_sign(mood: Mood, **place: Unpack[Place]) -> str:
    """The sign of a mood: sun, z, drop, bolt, cloud."""
    return piece(use(f"sign-{mood}", scale=3.4), **place)


define("ramface", use("sheep-s", 0, 0, 0.98, "sf-ram") + use("roger-s", 0, 0, 0.98))
define(
    "tileback",
    use("slab", cls="sf-cloth")
    + path("sf-fine", pen.box("back", -39, -39, 78, 78, 9, 1.5))
    + path("sf-white", pen.wool("backwool", 0, 2, 22, 18, 10))
    + path("sf-white", pen.wool("backtail", 0, 10, 6, 7, 6))
    + path("sf-hoof", pen.box("bl1", -13, 20, 7, 10, 3), pen.box("bl2", 6, 20, 7, 10, 3))
    + use("tuft0", -26, 26) + use("tuft1", 26, 27) + use("tuft2", -24, -24) + use("tuft0", 26, -22),
)  # fmt: skip


@kept(512)
def mood_tile(
    what: Mood | Literal["ram", "shepherd", "back"],
    flower: Side | None = None,
    seen: Mood | Literal["ram", "shepherd"] | None = None,
    **place: Unpack[Place],
) -> str:
    """A sheep in its mood, a ram, a shepherd, or a tile that lies face down.

    ``flower`` marks the side a fence will grow on; ``seen`` is a faint reminder of what is on a
    tile that lies face down.
    """
    back, front = use("tileback"), ""
    if what == "back":
        if seen == "ram" or seen == "shepherd":
            back += f'<g opacity=".55">{use("ramface" if seen == "ram" else "shepherd", 28, -28, 0.36)}</g>'
        elif seen:
            back += f'<g opacity=".7">{path("sf-card-flat", pen.dot(28, -28, 15))}{use(f"sign-{seen}", 28, -28, 0.85)}</g>'
        if flower:
            back += use("daisy", *_SPOT[flower], 0.7)
    elif what == "ram":
        front = use("slab", cls="sf-shade") + use("ramface", 0, 2, 0.95)
    elif what == "shepherd":
        front = use("slab", cls="sf-card") + use("shepherd", -3, 2, 0.95)
    else:
        front = use("slab", cls=f"sf-{what}") + use(f"mood-{what}", 0, 3) + use(f"sign-{what}", -34, -34, 0.8)
    if front and flower:
        front += use("daisy", *_SPOT[flower], 0.95)
    # Both sides, so that turning the tile is a change of class; a side that must not be known is not there.
    near, away = "sf-side", "sf-side sf-away"
    sides = f'<g class="{away if front else near}">{back}</g><g class="{near if front else away}">{front}</g>'
    return piece(f'{_LIT}<g class="sf-hop">{sides}</g>', **place)


# --- landscapes ---------------------------------------------------------------------------------------------
Bend = Literal["", "ns", "ew"]
"""Which opposite sides of a landscape are one area across its middle."""
Point = tuple[float, float]
CORNERS: Final[tuple[Point, ...]] = ((-50, -50), (50, -50), (50, 50), (-50, 50))
"""Where each side begins, going round clockwise."""
_ACROSS: Final = 12
"""Half the breadth of an area where it goes across the middle."""


class Areas(NamedTuple):
    """How a landscape is parted where it is not as usual: the area of each side n, e, s, w (-1 for village), and its sheep at that side."""

    of: tuple[int, ...]
    sheep: tuple[int, ...]

    @property
    def bend(self) -> Bend:
        north, east, south, west = self.of
        if north == south >= 0 and north not in (east, west):
            return "ns"
        return "ew" if east == west >= 0 and east not in (north, south) else ""


def fence_run(corner: int, bend: Bend = "") -> list[Point]:
    """A fence from a corner to the middle of a tile, or to the middle of the area that goes across."""
    x, y = CORNERS[corner]
    if not bend:
        return [(x, y), (0, 0)]
    across, down = (_ACROSS if x > 0 else -_ACROSS), (_ACROSS if y > 0 else -_ACROSS)
    return [(x, y), (across, down), (across, 0) if bend == "ns" else (0, down)]


def side_shape(side: int, bend: Bend = "", x: float = 0, y: float = 0) -> str:
    """The ground of a side, between the fences at its two corners, of a tile whose middle is there: a closed path."""
    points = [*reversed(fence_run(side, bend)), *fence_run((side + 1) % 4, bend)]
    if points[0] == points[-1]:
        points.pop()
    return "M" + "L".join(f"{pen.num(x + across)} {pen.num(y + down)}" for across, down in points).replace(" -", "-") + "z"


_GROUND: Final[dict[str, str]] = {
    "village": "sf-sand-flat",
    "forest": "sf-wood-floor-flat",
    **{c: f"sf-{c}-tint" for c in COLOURS},
}


def _rails(name: str, x1: float, y1: float, x2: float, y2: float, at: tuple[float, ...] = (0.12, 0.42, 0.72, 1.0)) -> str:
    """A fence seen from above, from a corner towards the middle of the tile; its posts stand `at` these parts of the way."""
    dx, dy = (x2 - x1) * 0.05, (y2 - y1) * 0.05
    run = pen.line(name, x1 + dx, y1 + dy - 5.5, x2, y2 - 5.5, 1) + pen.line(name + "b", x1 + dx, y1 + dy, x2, y2, 1)
    posts = ""
    for k in at:
        x, y = x1 + (x2 - x1) * k, y1 + (y2 - y1) * k
        posts += pen.box(f"{name}{k}", x - 2.2, y - 9, 4.4, 12, 1.6, 0.3)
    return path("sf-thick sf-thin", run) + path("sf-crook sf-fibre", run) + path("sf-wood sf-slim", posts)


_CORNER_NAMES: Final = ("nw", "ne", "se", "sw")
_BENDS: Final[tuple[Bend, ...]] = ("ns", "ew")
for _corner, _name in enumerate(_CORNER_NAMES):
    define(f"hurdle-{_name}", _rails(f"hurdle{_name}", *CORNERS[_corner], 0, 0))
    for _bend in _BENDS:
        _first, _second, _third = fence_run(_corner, _bend)
        _run = _rails(f"hurdle{_name}{_bend}", *_first, *_second, (0.15, 0.6, 1.0)) + _rails(f"run{_name}{_bend}", *_second, *_third, ())
        define(f"hurdle-{_name}-{_bend}", _run)

define(
    "house",
    path("sf-wall sf-slim", pen.box("walls", -10, -4, 20, 14, 1.5, 0.5))
    + path("sf-roof sf-slim", pen.sharp("roof", "-14,-3 -7,-15 7,-15 14,-3", 0.5))
    + path("sf-bark-flat", "M-3 10v-8h6v8z")
    + path("sf-slate-flat", "M-8-1h4v4h-4zM5-1h4v4h-4z"),
)
define(
    "church",
    path("sf-wall sf-slim", pen.box("nave", -6, -4, 20, 15, 1.5, 0.5), pen.box("tower", -13, -12, 10, 23, 1.5, 0.5))
    + path(
        "sf-roof sf-slim",
        pen.sharp("spire", "-15,-11 -8,-25 -1,-11", 0.3),
        pen.sharp("naveroof", "-3,-4 1,-12 12,-12 17,-4", 0.3),
    )
    + path("sf-bark-flat", "M3 11v-7h5v7z"),
)
define(
    "roundtree",
    path("sf-bark sf-slim", pen.box("trunk", -2.5, 4, 5, 10, 1.5, 0.3)) + path("sf-tree sf-slim", pen.wool("crown", 0, -4, 9, 9, 8)),
)
define(
    "firtree",
    path("sf-bark sf-slim", pen.box("trunk2", -2.2, 7, 4.4, 7, 1.5, 0.3))
    + path("sf-pine sf-slim", pen.sharp("fir", "0,-19 7,-8 4,-8 10,2 6,2 12,10 -12,10 -6,2 -10,2 -4,-8 -7,-8", 0.4)),
)
define(
    "well",
    path("sf-path-flat", pen.oval("wellground", 0, 3, 17, 15))
    + path("sf-stone sf-slim", pen.box("wellwall", -9, 1, 18, 10, 4, 0.5))
    + path("sf-bark sf-slim", "M-8 1v-10h2v10zM6 1v-10h2v10z")
    + path("sf-roof sf-slim", pen.sharp("wellroof", "-12,-8 0,-17 12,-8", 0.4)),
)
_VILLAGE: Final[dict[str, str]] = {
    "n": use("house", -17, -31, 0.95) + use("church", 15, -28, 0.8),
    "e": use("house", 36, -9, 0.95) + use("house", 34, 15, 0.85),
    "s": use("house", -16, 37, 0.95) + use("house", 14, 34, 0.85) + use("roundtree", 31, 40, 0.6),
    "w": use("house", -36, -10, 0.85) + use("house", -33, 14, 0.95),
}
_FOREST: Final[dict[str, str]] = {
    "n": use("firtree", -25, -31) + use("roundtree", 2, -35) + use("firtree", 25, -31),
    "e": use("firtree", 38, -16) + use("roundtree", 40, 3, 0.95) + use("firtree", 36, 20, 0.95),
    "s": use("roundtree", -23, 36) + use("firtree", 2, 37, 0.95) + use("roundtree", 25, 36),
    "w": use("roundtree", -40, -17, 0.95) + use("firtree", -38, 2) + use("roundtree", -38, 19, 0.95),
}
# Left out where somebody stands in the middle.
_THICKET: Final[dict[str, str]] = {
    "n": use("roundtree", -10, -22, 0.9) + use("firtree", 10, -18, 0.85),
    "e": use("roundtree", 22, -5, 0.9) + use("firtree", 21, 10, 0.8),
    "s": use("firtree", -9, 20, 0.85) + use("roundtree", 10, 20, 0.9),
    "w": use("firtree", -21, -7, 0.8) + use("roundtree", -21, 8, 0.9),
}
_ROAD: Final[dict[str, str]] = {
    "n": "M0 0Q-3-25 0-50",
    "e": "M0 0Q25 3 50 0",
    "s": "M0 0Q3 25 0 50",
    "w": "M0 0Q-25-3-50 0",
}
for _side in SIDES:
    define(f"village-{_side}", _VILLAGE[_side])
    define(f"forest-{_side}", _FOREST[_side])
    define(f"thicket-{_side}", _THICKET[_side])
    define(f"road-{_side}", path("sf-road", _ROAD[_side]))
_PASTURE: Final[dict[str, tuple[float, float]]] = {"n": (0, -31), "e": (31, -1), "s": (0, 29), "w": (-31, -1)}
define("landrim", path("sf-rim", pen.box("landrim", -50, -50, 100, 100, 5, 0.4)))
define("landlit", path("", pen.box("landlit", -49, -49, 98, 98, 6, 0.4)))
define("glade", path("sf-grass-flat", pen.oval("glade", 0, 2, 27, 25, 1.5)))


def turned(sides: Sequence[Motif], quarters: int) -> tuple[Motif, ...]:
    """The sides n, e, s, w of a tile after so many quarter turns clockwise."""
    return tuple(sides[(k - quarters) % 4] for k in range(4))


_FLOCKS: Final[dict[int, tuple[float, tuple[Point, ...]]]] = {
    2: (0.78, ((-14, 33), (14, 33))),
    3: (0.66, ((-19, 36), (19, 36), (0, 24))),
    4: (0.6, ((-23, 38), (0, 38), (23, 38), (0, 23))),
    5: (0.5, ((-28, 39), (-14, 39), (0, 39), (14, 39), (28, 39), (0, 27), (-13, 27), (13, 27), (0, 16))),
}
"""How several sheep of a side stand, how large: to the right along the side, and away from the middle; from 5 on the first so many."""


def _flock(side: int, motif: Motif, sheep: int) -> str:
    if sheep == 1:
        return use(f"lamb-{motif}", *_PASTURE[SIDES[side]])
    size, all_places = _FLOCKS.get(sheep, _FLOCKS[5])
    places = [((u, -v), (v, u), (u, v), (-v, u))[side] for u, v in all_places[:sheep]]
    return "".join(use(f"lamb-{motif}", x, y, size) for x, y in sorted(places, key=lambda place: place[1]))


def landscape(sides: Sequence[Motif], middle: Middle = "", areas: Areas | None = None, **place: Unpack[Place]) -> str:
    """A landscape tile; see ``landscape_face``."""
    face = landscape_face(sides, middle, areas)
    return piece(f'<g class="sf-hop">{face}</g>{use("landrim")}{use("landlit", cls="sf-veil sf-clear sf-lit")}', **place)


def landscape_face(sides: Sequence[Motif], middle: Middle = "", areas: Areas | None = None) -> str:
    """What is printed on a landscape, from its sides n, e, s, w: alone, to be shown in several places by ``use``.

    Neighbouring sides of the same motif are one area with a sheep a side, fences part the others, unless ``areas`` says otherwise.
    ``middle`` puts the wolf, the hunter or the shepherd there.
    """
    if len(sides) != 4:
        raise ValueError(f"a landscape has four sides (n, e, s, w), not {len(sides)}: {sides!r}")
    return _landscape_face(tuple(sides), middle, areas)


@kept(512)
def _landscape_face(sides: tuple[Motif, ...], middle: Middle, areas: Areas | None) -> str:
    bend: Bend = areas.bend if areas else ""
    ground: dict[str, str] = {}
    for index, motif in enumerate(sides):
        ground[_GROUND[motif]] = ground.get(_GROUND[motif], "") + side_shape(index, bend)
    out = "".join(path(cls, shape) for cls, shape in ground.items())
    out += "".join(use(f"road-{side}") for side, motif in zip(SIDES, sides, strict=True) if motif == "village")
    back, front = "", ""
    for corner, one, two in (("nw", 3, 0), ("ne", 0, 1), ("sw", 2, 3), ("se", 1, 2)):
        if sides[one] != sides[two] or (areas and areas.of[one] != areas.of[two]):
            drawn = use(f"hurdle-{corner}{bend and f'-{bend}'}")
            if corner in ("nw", "ne"):
                back += drawn
            else:
                front += drawn
    if middle in ("wolf", "hunter"):
        out += use("glade")
    inside = {
        "": "",
        "wolf": use("wolf-head", 0, 0, 0.56),
        "hunter": use("hunter", -1, 0, 0.56),
        "shepherd": use("shepherd", -1, -1, 0.46),
        "well": use("well"),
    }[middle]
    for index in (0, 3, 1, 2):
        side, motif = SIDES[index], sides[index]
        if index == 3:
            out += back
        if index == 2:
            out += front
        if motif == "village" or motif == "forest":
            out += use(f"{motif}-{side}")
            if motif == "forest" and not middle:
                out += use(f"thicket-{side}")
        else:
            out += _flock(index, motif, areas.sheep[index] if areas else 1)
    return out + inside


define(
    "landback",
    path("sf-hedge-flat", pen.box("landback", -50, -50, 100, 100, 5, 0.4))
    + path("sf-grass-blade", "M-34 34q-4-10-10-14M-32 34q0-14 3-20M36 38q-3-8-8-12M38 38q0-10 4-16"),
)
define(
    "bag",
    path("sf-shadow", pen.dot(0, 41, 34, 6))
    + path("sf-coat", pen.blob("bag", "-9,-22 -26,-2 -34,22 -28,39 0,43 28,39 34,22 26,-2 9,-22"))
    + path("sf-coat", pen.blob("bagneck", "-14,-42 -5,-38 4,-43 15,-40 9,-24 -9,-24"))
    + path("sf-crook", "M-12-23q12 5 24 0")
    + use("lamb-white", 0, 16, 1.5),
)


def bag(**place: Unpack[Place]) -> str:
    """The bag that tiles are drawn from."""
    return piece(f'<g class="sf-hop">{use("bag")}</g>', **place)


@kept(512)
def landscape_back(question: bool = False, colour: Colour | None = None, **place: Unpack[Place]) -> str:
    """A tile in hand that is not yours to see, or a '?' tile (in its colour for whoever may know it)."""
    if question:
        body = path(f"sf-{colour}-tint" if colour else "sf-shade", pen.box("landback", -50, -50, 100, 100, 5, 0.4)) + use("ask", 0, 0, 0.62)
        if colour:
            body += use(f"lamb-{colour}", 30, 32)
    else:
        body = (
            use("landback")
            + use("house", 0, 10, 1.3)
            + use("firtree", -26, 4, 1.3)
            + use("roundtree", 26, 8, 1.3)
            + use("lamb-white", 4, 32)
        )
    return piece(f'<g class="sf-hop">{body}</g>{use("landrim")}{use("landlit", cls="sf-veil sf-clear sf-lit")}', **place)


def empty_spot(**place: Unpack[Place]) -> str:
    """A place where a tile could be laid."""
    return piece(path("sf-faint sf-dashed", pen.box("spot", -44, -44, 88, 88, 8)) + use("landlit", cls="sf-lit"), **place)
