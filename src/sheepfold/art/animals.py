"""Who lives in the meadow: sheep seen from a little above, Roger, Berta, the wolf and three people.

A sheep is two uses: the body for its facing, and the mark of its colour on the
wool. Wool takes fill, outline and curls from the colour class of the user, so
one body serves every colour.
"""

from __future__ import annotations

from typing import Final, Literal, Unpack

from sheepfold.kept import kept

from . import pen
from .signs import MARKS
from .svg import Place, define, path, piece, use
from .theme import COLOURS, Colour

Facing = Literal["n", "e", "s", "w", "none"]
FACINGS: Final[tuple[Facing, ...]] = ("n", "e", "s", "w", "none")


def _eyes(x1: float, x2: float, y: float, r: float = 3.0) -> str:
    return path("sf-eye-flat", pen.dot(x1, y, r, r * 1.2), pen.dot(x2, y, r, r * 1.2)) + path(
        "sf-glint-flat", pen.dot(x1 + 0.9, y - 1.2, r * 0.36), pen.dot(x2 + 0.9, y - 1.2, r * 0.36)
    )


def _legs(*xs: float, top: float = 22, foot: float = 38) -> str:
    return path("sf-hoof", *(pen.box(f"leg{x}", x - 4, top, 8, foot - top, 3, 0.4) for x in xs))


def _front_face(x: float, y: float, asleep: bool = False) -> str:
    """Head, ears, forelock and a smile (or eyes shut); the middle of the forehead at ``x, y``."""
    ears = path(
        "sf-face",
        pen.blob("earl", "-13,1 -20,-3 -28,2 -27,8 -19,8 -13,6"),
        pen.blob("earr", "13,1 20,-3 28,2 27,8 19,8 13,6"),
    )
    head = path("sf-face", pen.blob("head", "0,-12 12,-8 15,4 11,17 0,23 -11,17 -15,4 -12,-8"))
    smile = path("sf-fine", "M-5 15q3 3.5 5 .5q2 3 5-.5")
    nose = path("sf-eye-flat", "M-3.5 9.5q3.5-2 7 0q-1 4-3.5 4.5q-2.5-.5-3.5-4.5z")
    cheeks = path("sf-blush-flat", pen.dot(-9.5, 9.5, 3), pen.dot(9.5, 9.5, 3))
    eyes = path("sf-fine", "M-10 2q4 4.5 7.5 0M10 2q-4 4.5-7.5 0") if asleep else _eyes(-6.2, 6.2, 3)
    lock = path("", pen.wool("lock", 0, -10, 11, 5.5, 7))
    return f'<g transform="translate({pen.num(x)} {pen.num(y)})">{ears}{head}{cheeks}{eyes}{nose}{smile}{lock}</g>'


def _fleece(name: str, cx: float, cy: float, rx: float, ry: float, bumps: int) -> str:
    """The body's wool, gone over a second time with a finer pen."""
    again = pen.wool(name, cx - 1.2, cy - 1.2, rx * 0.94, ry * 0.94, bumps)
    return path("", pen.wool(name, cx, cy, rx, ry, bumps)) + path("sf-hatch sf-again", again)


_SHADOW = path("sf-shadow", pen.blob("shadow", "-35,38 -22,33 0,32 24,33 37,38 22,43 -4,44 -24,42"))

define(
    "sheep-s",
    _SHADOW
    + _legs(-15, 15, top=24)
    + _fleece("south", 0, -7, 33, 31, 12)
    + path("sf-fold", "M-29 6c2 12 14 17 29 17s27-5 29-17c-6 7-16 10-29 10s-23-3-29-10z")
    + path("sf-curl", "M-28-14q5-5 9 0M20-14q5-5 9 0M-30 6q4-4 8 0")
    + path("sf-hatch", "M24 9l-4 8M29 4l-3 6M-24 11l3 6")
    + _front_face(0, 9),
)
define(
    "sheep-n",
    _SHADOW
    + path(
        "sf-face",
        pen.blob("earnl", "-10,-28 -18,-34 -27,-31 -26,-25 -18,-23"),
        pen.blob("earnr", "10,-28 18,-34 27,-31 26,-25 18,-23"),
    )
    + path("", pen.wool("nape", 0, -29, 14, 12, 8))
    + _legs(-15, 15, top=26, foot=39)
    + _fleece("north", 0, 3, 33, 28, 12)
    + path("sf-fold", "M-29 13c2 11 14 16 29 16s27-5 29-16c-6 7-16 9-29 9s-23-2-29-9z")
    + path("sf-curl", "M-27-8q5-5 9 0M19-8q5-5 9 0M-5-33q5-4 9 0")
    + path("sf-hatch", "M24 16l-4 7M18 20l-3 6M29 11l-2 5")
    + path("", pen.wool("tail", 0, 25, 6, 7, 6)),
)
define(
    "sheep-e",
    _SHADOW
    + _legs(-25, -12, 8, 19, top=20)
    + path("", pen.wool("rump", -38, -4, 5, 6, 6))
    + _fleece("east", -6, -3, 34, 26, 12)
    + path("sf-fold", "M-36 6c3 10 15 15 30 15s27-5 30-15c-7 6-16 9-30 9s-23-3-30-9z")
    + path("sf-curl", "M-32-10q5-5 9 0M-31 8q5-5 9 0M8 12q5-5 9 0")
    + path("sf-hatch", "M-8 16l-4 6M-1 16l-3 6M-16 15l-3 5")
    + path("sf-face", pen.blob("profile", "16,-22 28,-26 37,-18 46,-8 46,0 38,5 27,3 17,-5"))
    + path("sf-blush-flat", pen.dot(33, -3, 3))
    + path("sf-eye-flat", pen.dot(32, -13, 3, 3.7), pen.dot(45, -6.5, 2, 2))
    + path("sf-glint-flat", pen.dot(33, -14.3, 1.1))
    + path("sf-fine", "M36 1q5 0 7-3")
    + path("", pen.wool("elock", 20, -26, 10, 6.5, 7))
    + path("sf-face", pen.blob("eare", "16,-17 22,-14 21,-3 16,3 11,-2 12,-11")),
)
_LOAF = (
    path("sf-shadow", pen.blob("loafshadow", "-40,33 -24,29 4,28 30,29 42,33 26,39 -2,40 -28,38"))
    + _fleece("loaf", 2, 2, 37, 27, 13)
    + path("sf-fold", "M-30 12c4 10 16 15 32 15s28-5 32-15c-8 6-18 9-32 9s-24-3-32-9z")
    + path("sf-curl", "M-2-16q5-5 9 0M26 14q5-5 9 0M8 22q5-5 9 0")
    + path("sf-hatch", "M33 4l-4 6M21 17l-3 6")
    + path("sf-hoof", pen.oval("paw1", -22, 32, 7, 4.5), pen.oval("paw2", -4, 33, 7, 4.5))
)
define("sheep-none", _LOAF + _front_face(-14, 3))
define("sheep-doze", _LOAF + _front_face(-14, 6, asleep=True))
# Where the mark sits on the wool, and how large, for each facing.
_MARK: Final[dict[Facing, tuple[float, float, float]]] = {
    "s": (0, -25, 0.98), "n": (0, 0, 1.25), "e": (-10, -4, 1.3), "w": (10, -4, 1.3), "none": (20.5, -2, 1.05),
}  # fmt: skip

# --- what Berta and Roger wear ---------------------------------------------------------------------
define(
    "daisy",
    path(
        "sf-petal sf-slim",
        *(
            pen.oval(f"petal{k}", 5.5 * x, 5.5 * y, 4, 4, 0.2)
            for k, (x, y) in enumerate(((0, -1), (0.95, -0.3), (0.6, 0.8), (-0.6, 0.8), (-0.95, -0.3)))
        ),
    )
    + path("sf-amber-flat", pen.dot(0, 0, 3.4)),
)
define(
    "ribbon",
    path(
        "sf-bow",
        pen.blob("bowl", "0,0 -8,-8 -15,-7 -15,6 -8,7"),
        pen.blob("bowr", "0,0 8,-8 15,-7 15,6 8,7"),
        pen.oval("knot", 0, 0, 4, 4, 0.2),
    ),
)
_HORN = "M0-8c11-6 19 2 17 11c-2 8-13 9-14 1c0-5 6-6 7-2"
define("horn", path("sf-curled-line", _HORN) + path("sf-curled", _HORN) + path("sf-fine", "M9-12l-1 5M17-6l-5 2M18 5l-6-2"))
_WEAR: Final[dict[str, dict[Facing, str]]] = {
    "berta": {
        "s": use("ribbon", 11, -5, 0.75, "", 20) + use("daisy", -24, -14, 0.95),
        "n": use("ribbon", 3, -38, 0.9, "", 10) + use("daisy", 23, -13, 0.9),
        "e": use("ribbon", 20, -31, 0.9, "", 15) + use("daisy", 12, 8, 0.9),
        "none": use("ribbon", -4, -11, 0.75, "", 20) + use("daisy", 9, 19, 0.95),
    },
    "roger": {
        "s": use("horn", 12, 4) + use("horn", -12, 4, 1, "", 0, True) + path("sf-fine", "M-11 4.5l8 3M11 4.5l-8 3"),
        "n": use("horn", 10, -28) + use("horn", -10, -28, 1, "", 0, True),
        "e": use("horn", 10, -17, 1.15) + path("sf-fine", "M29-20l8 3"),
        "none": use("horn", -2, -2) + use("horn", -26, -2, 1, "", 0, True) + path("sf-fine", "M-25-1.5l8 3M-3-1.5l-8 3"),
    },
}  # fmt: skip
for _who, _looks in _WEAR.items():
    for _way, _drawing in _looks.items():
        define(f"{_who}-{_way}", _drawing)

define("glow", path("sf-wide", pen.box("glow", -46, -46, 92, 92, 18, 1.5)))
_GLOW = use("glow", cls="sf-lit")


@kept(512)
def _animal(cls: str, facing: Facing, wear: str, sign: str, **place: Unpack[Place]) -> str:
    way, mirror = ("e", True) if facing == "w" else (facing, False)
    body = use(f"sheep-{way}", cls=cls, mirror=mirror)
    if wear:
        body += use(f"{wear}-{way}", mirror=mirror)
    if sign:
        x, y, scale = _MARK[facing]
        body += use(sign, x, y, scale, "sf-mark")
    return piece(f'{_GLOW}<g class="sf-hop">{body}</g>', **place)


def sheep(colour: Colour, facing: Facing = "none", **place: Unpack[Place]) -> str:
    """A sheep; seen from the front (s), the back (n), the side (e, w), or lying down (none)."""
    return _animal(f"sf-{colour}", facing, "", "" if colour == "white" else MARKS[colour], **place)


def portrait(colour: Colour, facing: Facing, x: float, y: float, size: float) -> str:
    """A sheep in a picture that is only looked at: nothing in it is ever lit, and nobody moves it."""
    way, mirror = ("e", True) if facing == "w" else (facing, False)
    across, down, scale = _MARK[facing]
    sign = "" if colour == "white" else use(MARKS[colour], across, down, scale, "sf-mark")
    body = use(f"sheep-{way}", cls=f"sf-{colour}", mirror=mirror) + sign
    return f'<g transform="translate({pen.num(x)} {pen.num(y)})scale({size / 100:.3g})">{body}</g>'


def berta(facing: Facing = "none", **place: Unpack[Place]) -> str:
    """Berta, the black sheep, with ribbon and daisy."""
    return _animal("sf-black", facing, "berta", MARKS["black"], **place)


def roger(facing: Facing = "s", **place: Unpack[Place]) -> str:
    """Roger the ram."""
    return _animal("sf-ram", facing, "roger", "", **place)


@kept(512)
def shorn(colour: Colour, facing: Facing = "e", **place: Unpack[Place]) -> str:
    """A sheep that has lost its wool: bare skin, and only the mark tells the colour."""
    way, mirror = ("e", True) if facing == "w" else (facing, False)
    x, y, scale = _MARK[facing]
    body = use(f"sheep-{way}", cls="sf-shorn", mirror=mirror) + use(MARKS[colour], x, y, scale, f"sf-{colour}")
    return piece(f'{_GLOW}<g class="sf-hop">{body}</g>', **place)


# A sheep as it stands on landscape tiles: one symbol a colour, to keep large landscapes small.
for _colour in COLOURS:
    define(
        f"lamb-{_colour}",
        f'<g transform="scale(.36)">{use("sheep-none", cls=f"sf-{_colour}")}{use(MARKS[_colour], 20.5, -2, 1.15, "sf-mark")}</g>',
    )

# --- the wolf ----------------------------------------------------------------------------------------
define(
    "wolf-head",
    path(
        "sf-fur",
        pen.sharp(
            "wolf",
            "-13,-25 -30,-46 -36,-14 -43,6 -33,8 -34,19 -24,18 -10,36 0,41 10,36 24,18 34,19 33,8 43,6 36,-14 30,-46 13,-25 0,-28",
            0.6,
        ),
    )
    + path("sf-blush-flat", "M-28-36l-4 18 11-6zM28-36l4 18-11-6z")
    + path("sf-pelt-flat", pen.blob("muzzle", "0,-6 9,2 21,10 12,30 0,37 -12,30 -21,10 -9,2"))
    + path("sf-amber", pen.blob("weyel", "-22,-6 -14,-9 -7,-2 -14,1", 0.2), pen.blob("weyer", "22,-6 14,-9 7,-2 14,1", 0.2))
    + path("sf-eye-flat", pen.dot(-13, -4, 2.4, 3), pen.dot(13, -4, 2.4, 3))
    + path("sf-thick", "M-25-13l17 7M25-13l-17 7")
    + path("sf-eye-flat", pen.blob("wnose", "-7,11 0,8 7,11 4,17 0,19 -4,17"))
    + path("sf-fine", "M0 19v5M-16 20q8 9 16 4q8 5 16-4")
    + path("sf-glint-flat", "M-9 24.5l2.5 6 3-5zM9 24.5l-2.5 6-3-5z"),
)
define(
    "wolf-howl",
    path("sf-shadow", pen.dot(0, 40, 32, 6))
    + path("sf-fur", pen.blob("wtail", "-18,36 -34,35 -44,22 -43,10 -37,14 -33,24 -18,26"))
    + path(
        "sf-fur",
        pen.sharp("whead", "-12,4 -16,-14 -26,-26 -12,-27 0,-38 17,-49 24,-47 20,-41 27,-37 18,-30 12,-22 15,-10 13,2", 0.4),
    )
    + path("sf-fur", pen.blob("wbody", "-24,38 -26,22 -17,4 -8,-8 6,-10 14,2 16,20 21,37 20,41 8,41 4,30 0,41 -18,42"))
    + path("sf-pelt-flat", "M3-13l5 5 4-7 2 14-4 17-6 5-4-12z")
    + path("sf-eye-flat", pen.dot(22, -46.5, 2.6))
    + path("sf-fine", "M3-30q5 1 6-4M4 30q-1-8 1-14M-14 38q-2-9 6-13"),
)
define("hood", path("sf-white", pen.wool("hood", 0, -3, 43, 40, 13)))


def wolf(pose: Literal["head", "howl"] = "head", **place: Unpack[Place]) -> str:
    """The wolf: his face, or howling at the moon."""
    return piece(f'{_GLOW}<g class="sf-hop">{use(f"wolf-{pose}")}</g>', **place)


# --- people --------------------------------------------------------------------------------------------
def _person(coat: str, name: str, hat: str, front: str, face: str, prop: str) -> str:
    return (
        path("sf-shadow", pen.dot(0, 41, 26, 6))
        + path("sf-hoof", pen.box(f"{name}b1", -14, 30, 12, 12, 4, 0.4), pen.box(f"{name}b2", 2, 30, 12, 12, 4, 0.4))
        + path(coat, pen.blob(f"{name}coat", "0,-14 11,-11 17,4 20,24 20,34 0,36 -20,34 -20,24 -17,4 -11,-11"))
        + front
        + prop
        + path("sf-face", pen.oval(f"{name}head", 0, -22, 13, 13.5))
        + path("sf-blush-flat", pen.dot(-7.5, -17.5, 2.8), pen.dot(7.5, -17.5, 2.8))
        + path("sf-eye-flat", pen.dot(-4.6, -23, 1.9, 2.4), pen.dot(4.6, -23, 1.9, 2.4))
        + face
        + hat
    )


def _hand(x: float, y: float) -> str:
    return path("sf-face", pen.oval(f"hand{x}", x, y, 5, 5, 0.3))


_BRIM = "-21,-31 -8,-35 8,-35 21,-31 10,-27 -10,-27"
define(
    "shearer",
    _person(
        "sf-roof", "shearer",
        path("sf-slate", pen.blob("cap", "-14,-28 -12,-38 0,-42 12,-38 15,-29 23,-26 12,-27 0,-30")),
        path("sf-cloth", pen.blob("bib", "-9,2 9,2 12,14 20,26 19,35 0,36 -19,35 -20,26 -12,14")) + path("sf-fine", "M-9 2l-3-12M9 2l3-12M-5 9h10v7h-10z"),
        path("sf-fine", "M-6-15q6 5 12-1M-1-21q3 2 3 3h-4"),
        path("sf-roof", pen.blob("sharm1", "11,-8 19,-2 29,10 26,18 16,10"), pen.blob("sharm2", "-11,-8 -19,-2 -27,12 -22,18 -14,8")) + path("sf-pelt", pen.sharp("blade1", "25,9 34,-34 41,-30 33,9"), pen.sharp("blade2", "35,9 27,-35 21,-29 27,9")) + path("sf-thick", "M26 10q-6 20 5 22q10-2 3-22") + path("sf-steel", "M26 10q-6 20 5 22q10-2 3-22") + _hand(30, 17) + _hand(-22, 18),
    ),
)  # fmt: skip
define(
    "shepherd",
    _person(
        "sf-cloak", "shepherd",
        path("sf-straw", pen.blob("crown", "-11,-31 -9,-43 0,-46 9,-43 11,-31"), pen.blob("brim", _BRIM, 0.4)) + path("sf-fine", "M-10-35q10 3 20 0"),
        path("sf-fine", "M-18 12q18 7 36 0M-19 20q19 7 38 0M0-10v44"),
        path("sf-pelt", pen.blob("beard", "-11,-17 -5,-15 0,-16 5,-15 11,-17 8,-6 0,-1 -8,-6")) + path("sf-fine", "M-3-12q3 2 6 0M0-21q2 2 1 3"),
        path("sf-rail-line", "M29 41L27-20q-2-18 9-18q10 1 8 11q-3 7-8 3") + path("sf-rail", "M29 41L27-20q-2-18 9-18q10 1 8 11q-3 7-8 3") + path("sf-cloak", pen.blob("sleeve", "12,-6 20,0 28,4 27,11 18,11 12,4")) + _hand(28, 8),
    ),
)  # fmt: skip
define(
    "hunter",
    _person(
        "sf-pine", "hunter",
        path("sf-coat", pen.blob("hcrown", "-11,-31 -10,-40 -3,-45 6,-42 11,-31"), pen.blob("hbrim", _BRIM, 0.4)) + path("sf-bow", pen.blob("feather", "9,-35 13,-46 21,-49 19,-40")),
        path("sf-fine", "M0-10v45M5 2h.1M5 12h.1M-17 22q17 6 34 0") + path("sf-thick", "M-14-8Q4 4 16 18"),
        path("sf-bark", pen.blob("tache", "0,-17 6,-19 12,-14 6,-13 0,-14 -6,-13 -12,-14 -6,-19")) + path("sf-fine", "M-3-10q3 2 6 0M0-22q3 2 1 3"),
        path("sf-pine", pen.blob("harm", "11,-8 19,-2 29,9 26,17 15,10")) + path("sf-amber", pen.blob("bugle", "26,14 34,6 38,-6 34,-12 47,-14 45,0 38,14 28,20")) + _hand(29, 15),
    ),
)  # fmt: skip


@kept(512)
def person(who: Literal["shearer", "shepherd", "hunter"], **place: Unpack[Place]) -> str:
    """Shawn the shearer with his shears, the shepherd with the crook, the hunter with his horn."""
    return piece(f'{_GLOW}<g class="sf-hop">{use(who)}</g>', **place)
