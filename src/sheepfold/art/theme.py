"""The colours of the meadow, by day and by night, and the one style sheet.

A drawing never names a colour: its shapes carry classes, the classes use CSS
custom properties, and a theme is a set of values for these. So a page changes
theme without a redraw. Before each ``var(...)`` stands the plain colour of the
theme drawn for, which readers without custom properties (librsvg) fall back on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final, Literal

Theme = Literal["light", "dark", "auto", "bare"]
"""``auto`` follows the reader; ``bare`` too, and has neither style nor symbols: for a page that holds ``kit`` once."""
Colour = Literal["blue", "yellow", "green", "red", "black", "white"]

COLOURS: Final[tuple[Colour, ...]] = ("blue", "yellow", "green", "red", "black", "white")

LIGHT: Final[Mapping[str, str]] = {
    "paper": "#f8f0de", "shade": "#ebdfc4", "card": "#fffbf1", "ink": "#3a3638", "soft": "#665e56",
    "line": "#45403f", "grass": "#cfdf9f", "mown": "#c4d790", "tuft": "#93b25e", "hedge": "#7f9f58",
    "face": "#f6dcc2", "blush": "#f0a590", "hoof": "#5a5a63", "eye": "#35302f", "glint": "#ffffff",
    "wood": "#c79a65", "bark": "#8b6540", "stone": "#c3bdb2", "slate": "#8b8f98", "sand": "#ead9b0",
    "path": "#f3e7c8", "roof": "#c8694d", "wall": "#fbf0da", "tree": "#77a25c", "pine": "#5d8a58",
    "wood-floor": "#b4cb8c", "fur": "#a2a4ad", "pelt": "#e6e2dc", "amber": "#f2b632", "horn": "#e2c08f",
    "cloth": "#6a8f9c", "coat": "#a07c4f", "cloak": "#d9a35c", "straw": "#f0d488", "bow": "#e4607a",
    "petal": "#fcd5de", "night": "#cfdcef", "dusk": "#f7dcc3", "dawn": "#f6ead0", "midnight": "#5b7099", "pillow": "#ffffff",
    "lit": "#ffe27a", "lit-line": "#c47a00", "pick": "#ffab3d", "trail": "#fff0a3", "danger": "#e2574c",
    "danger-line": "#9b1c1c", "pick-line": "#a34a00", "edge": "#45403f",
    "phase1": "#f6deb0", "phase2": "#efc5ae", "phase3": "#d3cde4", "phase4": "#bfdcd8",
    "cheerful": "#fbe39b", "sleepy": "#c9d8ef", "shy": "#f7cfd0", "angry": "#f1b49b", "dreamy": "#dccdea",
    "blue": "#3a77c2", "blue-deep": "#275492", "blue-tint": "#bcd8ea", "yellow": "#f7d14c",
    "yellow-deep": "#bf8f16", "yellow-tint": "#f4e7a6", "green": "#64bb8a", "green-deep": "#39855c",
    "green-tint": "#c1e4c6", "red": "#cc4a37", "red-deep": "#962b1d", "red-tint": "#f0c4b3",
    "black": "#4a4852", "black-deep": "#24232a", "black-tint": "#cbcac8", "black-line": "#2b2930",
    "white": "#fffaf0", "white-deep": "#c9bda6", "white-tint": "#e4e6c4", "ram": "#cdb79a",
    "ram-deep": "#937a5a", "mark": "#fffbf1",
}  # fmt: skip

DARK: Final[Mapping[str, str]] = {
    "paper": "#1b2430", "shade": "#263241", "card": "#303c4c", "ink": "#f4ecd9", "soft": "#b9bdbf",
    "line": "#10161d", "grass": "#395b51", "mown": "#2f4e48", "tuft": "#55806a", "hedge": "#284540",
    "face": "#e3c3a6", "blush": "#d98c7c", "hoof": "#262a33", "eye": "#1e1b1d", "glint": "#ffffff",
    "wood": "#b08a60", "bark": "#5f4833", "stone": "#7d828a", "slate": "#5b6472", "sand": "#5d574c",
    "path": "#78705f", "roof": "#a65c4b", "wall": "#c9bda6", "tree": "#3f7257", "pine": "#315c4e",
    "wood-floor": "#26433f", "fur": "#7f8796", "pelt": "#c3c6cc", "amber": "#f0b93c", "horn": "#c7a878",
    "cloth": "#56798a", "coat": "#80643f", "cloak": "#b3854b", "straw": "#d1b46b", "bow": "#d9607a",
    "petal": "#ecc6d0", "night": "#2b3a57", "dusk": "#4b3f4c", "dawn": "#3a424d", "midnight": "#3c4d74", "pillow": "#dfe3ea",
    "lit": "#e3bd55", "lit-line": "#ffe9ac", "pick": "#ff8426", "trail": "#8d9b6c", "danger": "#d9534a",
    "danger-line": "#ff9c8f", "pick-line": "#ffd2a1", "edge": "#a8b6c8",
    "phase1": "#5a5138", "phase2": "#5f4339", "phase3": "#46435f", "phase4": "#30524f",
    "cheerful": "#6b5c2f", "sleepy": "#34476b", "shy": "#6b444d", "angry": "#70402f", "dreamy": "#544569",
    "blue": "#427fca", "blue-deep": "#28548c", "blue-tint": "#2f5573", "yellow": "#ebc64f",
    "yellow-deep": "#a57c1b", "yellow-tint": "#6a6339", "green": "#69be90", "green-deep": "#33775a",
    "green-tint": "#2f6a56", "red": "#cb5040", "red-deep": "#822d23", "red-tint": "#704741",
    "black": "#2a2930", "black-deep": "#5d5c69", "black-tint": "#454b55", "black-line": "#a9b0c0",
    "white": "#e6e5e1", "white-deep": "#9fa2a8", "white-tint": "#46605a", "ram": "#a8957c",
    "ram-deep": "#6e5c45", "mark": "#fff8e6",
}  # fmt: skip

PALETTES: Final[Mapping[str, Mapping[str, str]]] = {"light": LIGHT, "dark": DARK}

# Text (first) is only ever set on these grounds; the tests hold each to 4.5 : 1.
TEXT_ON: Final[tuple[tuple[str, str], ...]] = (
    *(("ink", ground) for ground in ("paper", "shade", "card", "grass", "mown", "night", "dusk", "dawn")),
    *(("ink", f"phase{phase}") for phase in (1, 2, 3, 4)),
    *(("ink", mood) for mood in ("cheerful", "sleepy", "shy", "angry", "dreamy")),
    *(("ink", f"{colour}-tint") for colour in COLOURS),
    ("soft", "paper"), ("soft", "card"), ("soft", "shade"),
)  # fmt: skip

_OUTLINE = "stroke:$line;stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round"


def _plain(*names: str) -> dict[str, str]:
    return {f"sf-{name}": f"fill:${name};{_OUTLINE}" for name in names}


# One class, one meaning. Wool and its outline have no class inside a symbol: they inherit fill
# and stroke from the colour class of whoever uses the symbol; curls and shading use its `color`.
CLASSES: Final[Mapping[str, str]] = {
    **{
        f"sf-{colour}": f"fill:${colour};stroke:$line;stroke-width:2.6;stroke-linejoin:round;color:${colour}-deep"
        for colour in (*COLOURS, "ram")
        if colour != "black"
    },
    "sf-shorn": "fill:$face;stroke:$line;stroke-width:2.6;stroke-linejoin:round;color:$blush",
    "sf-black": "fill:$black;stroke:$black-line;stroke-width:2.6;stroke-linejoin:round;color:$black-deep",
    **{f"sf-{colour}-tint": f"fill:${colour}-tint;stroke:none" for colour in COLOURS},
    **_plain(
        "face", "hoof", "wood", "stone", "slate", "wall", "roof", "tree", "pine", "fur", "pelt", "horn",
        "cloth", "coat", "cloak", "straw", "bow", "petal", "amber", "pillow", "mark", "card", "shade",
        "night", "dusk", "dawn", "midnight", "cheerful", "sleepy", "shy", "angry", "dreamy", "paper", "bark",
    ),
    **{f"sf-phase{n}": f"fill:$phase{n};stroke:$line;stroke-width:1.8" for n in (1, 2, 3, 4)},
    **{f"sf-{name}-flat": f"fill:${name};stroke:none" for name in (
        "paper", "shade", "grass", "mown", "hedge", "sand", "path", "wood-floor", "eye", "glint", "blush",
        "tuft", "line", "ink", "pelt", "amber", "mark", "card", "bow", "pine", "slate", "face", "night", "stone", "bark",
    )},
    "sf-shadow": "fill:$line;stroke:none;fill-opacity:.2",
    "sf-curl": "fill:none;stroke:currentColor;stroke-width:2.4;stroke-linecap:round",
    "sf-fold": "fill:currentColor;stroke:none;fill-opacity:.28",
    "sf-fine": "fill:none;stroke:$line;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round",
    "sf-thick": "fill:none;stroke:$line;stroke-width:5.4;stroke-linecap:round;stroke-linejoin:round",
    "sf-draw": "fill:none;stroke:$ink;stroke-width:3.2;stroke-linecap:round;stroke-linejoin:round",
    "sf-bold": "fill:none;stroke:$ink;stroke-width:13;stroke-linecap:round;stroke-linejoin:round",
    "sf-grass-blade": "fill:none;stroke:$tuft;stroke-width:2;stroke-linecap:round",
    "sf-straws": "fill:none;stroke:$straw;stroke-width:2.4;stroke-linecap:round",
    "sf-seam": "fill:none;stroke:$tuft;stroke-width:1.4;stroke-linecap:round;stroke-opacity:.75",
    "sf-rail": "fill:none;stroke:$wood;stroke-width:4;stroke-linecap:round",
    "sf-crook": "fill:none;stroke:$wood;stroke-width:3.4;stroke-linecap:round",
    "sf-steel": "fill:none;stroke:$stone;stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round",
    "sf-curled": "fill:none;stroke:$horn;stroke-width:6.4;stroke-linecap:round;stroke-linejoin:round",
    "sf-curled-line": "fill:none;stroke:$line;stroke-width:11;stroke-linecap:round;stroke-linejoin:round",
    "sf-rail-line": "fill:none;stroke:$line;stroke-width:8;stroke-linecap:round",
    "sf-penned": "fill:none;stroke:$amber;stroke-width:7;stroke-linecap:round;stroke-linejoin:round",
    "sf-penned-line": "fill:none;stroke:$line;stroke-width:12;stroke-linecap:round;stroke-linejoin:round",
    "sf-prey": "fill:$danger;stroke:none;opacity:.1",
    "sf-prey-line": "fill:none;stroke:$danger;stroke-width:6;stroke-dasharray:12 8",
    "sf-road": "fill:none;stroke:$path;stroke-width:11;stroke-linejoin:round",
    "sf-rim": "fill:none;stroke:$line;stroke-width:1.6;stroke-linejoin:round;stroke-opacity:.55",
    "sf-dashed": "fill:none;stroke:$ink;stroke-width:2.4;stroke-dasharray:8 7;stroke-linecap:round",
    "sf-sketch": "fill:none;stroke:$edge;stroke-width:1.2;stroke-linecap:round;stroke-opacity:.5",
    "sf-hatch": "fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-opacity:.7",
    "sf-heavy": "fill:none;stroke:$ink;stroke-width:7;stroke-linecap:round;stroke-linejoin:round",
    "sf-fibres": "fill:none;stroke:$shade;stroke-width:1.1;stroke-linecap:round;stroke-opacity:.8",
    "sf-again": "stroke-width:1.1;stroke-opacity:.6",
    "sf-slim": "stroke-width:1.5",
    "sf-thin": "stroke-width:4.2",
    "sf-fibre": "stroke-width:2",
    "sf-wide": "stroke-width:6",
    "sf-faint": "opacity:.3",
    "sf-used": "opacity:.42",
    "sf-text": "fill:$ink;font-family:ui-rounded,'Nunito','Segoe UI',system-ui,'DejaVu Sans',sans-serif;font-weight:600",
    "sf-soft": "fill:$soft;font-family:ui-rounded,'Nunito','Segoe UI',system-ui,'DejaVu Sans',sans-serif",
    "sf-halo": "stroke:$paper;stroke-width:4px;stroke-linejoin:round;paint-order:stroke",
    "sf-middle": "text-anchor:middle",
    "sf-end": "text-anchor:end",
}  # fmt: skip

# What the page toggles. A `sf-lit` shape lies in or under everything that can be pointed at; its own rule names no ancestor,
# because inside a <use> Chromium sees none.
_STATES = """
.sf-lit{opacity:0;fill:$lit;stroke:$lit-line;stroke-width:2.5;transition:opacity .18s}
.sf .sf-piece{transition:transform .28s cubic-bezier(.3,.7,.3,1.12),opacity .2s}
.sf .sf-view{transition:transform .28s cubic-bezier(.3,.7,.3,1)}
.sf .last .sf-lit,.sf .last.sf-lit{opacity:.55;fill:$trail;stroke:none}
.sf .last .sf-hop{animation:sf-hop .32s ease-out}
.sf .can:hover{cursor:pointer}
.sf .can .sf-lit,.sf .can.sf-lit{opacity:.8;fill:$lit;stroke:$lit-line}
.sf .can:hover .sf-lit,.sf .can.sf-lit:hover{opacity:1}
.sf .sf-wait:not(.can):not(.chosen){visibility:hidden}
.sf .threat .sf-lit,.sf .threat.sf-lit{opacity:.7;fill:$danger;stroke:$danger-line;stroke-dasharray:7 5}
.sf .threat .sf-hop{animation:sf-shiver .3s}
.sf .chosen .sf-lit,.sf .chosen.sf-lit{opacity:1;fill:$pick;stroke:$pick-line;stroke-width:4;stroke-dasharray:none}
.sf .sf-veil{fill-opacity:.22;stroke-width:6}
.sf .sf-clear{fill-opacity:.03}
.sf .can:hover .sf-clear{fill-opacity:.2}
.sf .last .sf-veil,.sf .last.sf-veil{stroke:$lit;stroke-width:5}
.sf .sf-hit{fill-opacity:0;stroke:none;pointer-events:none}
.sf .can .sf-hit,.sf .chosen .sf-hit{pointer-events:all}
.sf .sf-ahead{opacity:0;pointer-events:none;transition:opacity .12s}
.sf .can:hover .sf-ahead,.sf .can:focus-visible .sf-ahead,.sf .chosen .sf-ahead{opacity:.62}
.sf .sf-soon{visibility:hidden}
.sf .sf-soon.can,.sf .sf-soon.chosen{visibility:visible}
.sf .sf-side{transition:transform .17s ease-out .15s}
.sf .sf-side.sf-away{transform:scaleX(0);transition:transform .15s ease-in}
.sf .ghost{opacity:.5}
.sf .sf-peek{opacity:.3;pointer-events:none;transition:opacity .18s}
.sf .sf-later{opacity:0}
.sf .can:hover .sf-peek,.sf .can:focus-visible .sf-peek,.sf .chosen .sf-peek{opacity:.95}
.sf .ghost .sf-lit,.sf .ghost.sf-lit{opacity:.5;stroke-dasharray:5 5}
.sf :focus{outline:none}
.sf :focus-visible{outline:6px solid $ink;outline-offset:-2px}
.sf :focus-visible .sf-lit,.sf .sf-lit:focus-visible{opacity:1;stroke:$ink;stroke-width:4}
.sf .sf-fencing path{animation:sf-fence .35s ease-out}
.sf .sf-prey{animation:sf-howl .35s ease-out}
.sf .sf-hop.sf-die{animation:sf-roll .35s ease-out}
@keyframes sf-fence{from{stroke-dasharray:0 1}to{stroke-dasharray:1 0}}
@keyframes sf-howl{from{opacity:.65}}
@keyframes sf-roll{from{transform:rotate(-200deg) scale(.6)}60%{transform:rotate(14deg) scale(1.08)}}
@keyframes sf-hop{40%{transform:translateY(-14px)}75%{transform:scaleY(.96)}}
@keyframes sf-shiver{25%{transform:translateX(-2px)}75%{transform:translateX(2px)}}
@media (prefers-contrast:more){.sf .can .sf-lit,.sf .can.sf-lit{opacity:1;stroke:$ink;stroke-width:4}.sf :focus-visible{outline-width:11px}.sf .chosen .sf-lit,.sf .chosen.sf-lit{stroke:$ink;stroke-width:9}.sf .sf-soft{fill:$ink}}
@media (prefers-reduced-motion:reduce){.sf *{transition:none!important;animation:none!important}}
"""

_DECLARATION = re.compile(r"([a-z-]+):([^;{}]*\$[a-z0-9-]+[^;{}]*)")
_NAME = re.compile(r"\$([a-z0-9-]+)")


def _resolved(rules: str, palette: Mapping[str, str]) -> str:
    """``fill:$wool`` as ``fill:#fff;fill:var(--sf-wool)``."""

    def both(found: re.Match[str]) -> str:
        key, value = found.groups()
        plain = _NAME.sub(lambda name: palette[name[1]], value)
        return f"{key}:{plain};{key}:" + _NAME.sub(lambda name: f"var(--sf-{name[1]})", value)

    return _DECLARATION.sub(both, rules)


def _values(palette: Mapping[str, str], names: Collection[str]) -> str:
    return ";".join(f"--sf-{name}:{value}" for name, value in palette.items() if name in names)


def style(theme: Theme = "auto", classes: Collection[str] | None = None, interactive: bool = True) -> str:
    """The style sheet: for a page once (``classes=None``: all), or for one drawing only what it uses.

    ``auto`` is light unless the reader prefers dark; ``data-theme`` on the root element overrules both.
    """
    return _sheet(theme, tuple(name for name in CLASSES if classes is None or name in classes), interactive)


@lru_cache(maxsize=256)
def _sheet(theme: Theme, classes: tuple[str, ...], interactive: bool) -> str:
    """The pictures of one game use the same few sets of classes again and again."""
    base: Mapping[str, str] = DARK if theme == "dark" else LIGHT
    wanted = {name: CLASSES[name] for name in classes}
    outlined = [f".{name}" for name, body in wanted.items() if body.endswith(_OUTLINE)]
    rules = f"{','.join(outlined)}{{{_OUTLINE}}}" if outlined else ""
    rules += "".join(f".{name}{{{body.removesuffix(';' + _OUTLINE)}}}" for name, body in wanted.items())
    if interactive:
        rules += _STATES.replace("\n", "")
    names = set(_NAME.findall(rules))
    out = f".sf-{theme}{{{_values(base, names)}}}"
    if theme == "auto":
        night = _values(DARK, names)
        out += (
            "@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .sf-auto,"
            f":root.sf-auto:not([data-theme=light]){{{night}}}}}"
            f"[data-theme=dark] .sf-auto,.sf-auto[data-theme=dark]{{{night}}}"
        )
    return out + _resolved(rules, base)
