"""Cards: sheep to be counted, and actions on cards and on the squares of a menu.

A card is 100 wide; counting cards are 140 high, action cards 132, menu squares
100. ``compact`` cards keep only what is needed to play, for piles on a phone.
"""

from __future__ import annotations

from typing import Final, Literal, Unpack

from sheepfold.kept import kept

from . import pen
from .signs import MARKS, Action, Power, number
from .svg import Place, define, path, piece, use
from .theme import Colour

CARD_RATIO: Final = 1.4
ACTION_RATIO: Final = 1.32

_FACE = pen.box("cardface", -48, -68, 96, 136, 11, 1.6)
define(
    "cardface",
    path("sf-shadow", pen.box("cardshadow", -45, -64, 96, 136, 11))
    + path("", _FACE)
    + path("sf-sketch", pen.box("cardsketch", -46, -67, 93.5, 133, 13, 5)),
)
define("cardlit", path("", pen.box("cardlit", -53, -73, 106, 146, 15)))
define(
    "pillow",
    path("sf-pillow", "M-12.5-8.5q12.5-2.5 25 0q-2.5 8.5 0 17q-12.5 2.5-25 0q2.5-8.5 0-17z")
    + path("sf-fine", "M-7-3q2.5 1.5 5 0M5 4q2 0 3-2"),
)
define("zzz", path("sf-draw", "M-16 4h11l-11 13h11M0-12h9l-9 11h9M14-24h7l-7 9h7"))
define(
    "stars",
    path(
        "sf-amber-flat",
        *(
            f"M{x}{y:+d}l1.5 3.5 3.5 1.5-3.5 1.5-1.5 3.5-1.5-3.5-3.5-1.5 3.5-1.5z".replace("+", " ")
            for x, y in ((-36, -14), (36, -12), (-20, -24), (24, -30))
        ),
    ),
)
define("fencelet", use("fence-h", 0, 0, 0.84) + use("tuft0", -36, 8) + use("tuft1", 36, 8) + use("tuft2", 14, 9))
define("moonlet", path("sf-amber", "M4-12c-22 1-21 25 1 24c3 0 5.5-1 7-2.5c-12-1-15-15-3-20.5c-1.5-.7-3-1-5-1z"))

# Three scenes, so that a hand of cards is not a row of copies.
define("scene0", use("stars") + use("fencelet", 0, 33) + use("sheep-e", -2, 4, 0.66, "sf-white", -14))
define("scene1", use("moonlet", 35, -14, 0.75) + use("fencelet", 0, 4) + use("sheep-s", 0, 10, 0.72, "sf-white"))
define("scene2", use("stars") + use("sheep-doze", 0, 17, 0.86, "sf-white") + use("zzz", 24, -12, 0.8))
define("scene3", use("moonlet", 35, -14, 0.75) + use("fencelet", 0, 33) + use("sheep-e", 2, 4, 0.66, "sf-white", 12, True))


def _pillows(count: int, y: float) -> str:
    step = min(19.0, 80 / max(count, 1))
    return "".join(use("pillow", (k - (count - 1) / 2) * step, y, 0.78) for k in range(count))


@kept(512)
def counting_card(value: int, pillows: int, power: Power | None = None, compact: bool = False, **place: Unpack[Place]) -> str:
    """A sheep to be counted: its number, its pillows, and the power of the special ones."""
    sky = "sf-dusk" if value <= 6 else "sf-dawn" if value <= 13 else "sf-night"
    body = use("cardface", cls=sky)
    if compact:
        body += number(value, 0, -14, 74)
        if pillows:
            body += use("pillow", 28, 46, 1.15) + number(pillows, 2, 46, 30)
        if power:
            body += use(f"power-{power}", -27, 45, 0.36)
    else:
        wide = 27 if value < 10 else 36
        body += use(f"scene{value % 4}", 0, 4) + number(value, -46 + wide * 0.72, -45, 40) + _pillows(pillows, 57)
        if power:
            body += path("sf-card", pen.oval("powerring", 28, -45, 17, 17)) + use(f"power-{power}", 28, -45, 0.33)
    return piece(f'{use("cardlit", cls="sf-lit")}<g class="sf-hop">{body}</g>', **place)


@kept(512)
def wolf_card(compact: bool = False, **place: Unpack[Place]) -> str:
    """The wolf in sheep's clothing: he turns the counting round."""
    body = use("cardface", cls="sf-angry") + use("hood", 0, 6, 0.98) + use("wolf-head", 0, 8, 0.84)
    if not compact:
        body += use("tuft0", -30, 60) + use("tuft1", 28, 60)
    body += path("sf-card", pen.oval("powerring", 30, -47, 15, 15)) + path("sf-draw", "M25-40v-13M21-49l4-5 4 5M35-54v13M31-45l4 5 4-5")
    return piece(f'{use("cardlit", cls="sf-lit")}<g class="sf-hop">{body}</g>', **place)


define(
    "cardback",
    use("cardface", cls="sf-midnight")
    + path("sf-fine", pen.box("backrim", -41, -61, 82, 122, 8, 1.5))
    + use("stars", 0, -12) + use("stars", 0, 60) + use("moonlet", 18, -36, 1.3)
    + use("sheep-doze", 0, 14, 0.74, "sf-white"),
)  # fmt: skip


def card_back(**place: Unpack[Place]) -> str:
    """A counting card from behind."""
    return piece(f'{use("cardlit", cls="sf-lit")}<g class="sf-hop">{use("cardback")}</g>', **place)


define("cardspot", path("sf-dashed", pen.box("cardspot", -46, -66, 92, 132, 12, 1.5)))


@kept(512)
def card_spot(**place: Unpack[Place]) -> str:
    """A place for a counting card or a pile where there is none."""
    return piece(use("cardlit", cls="sf-lit") + use("cardspot", cls="sf-faint"), **place)


define("hoofprint", path("sf-ink-flat", "M-1.5-9c-7 2-9 14-4 18c4 1 5-8 3.5-18zM1.5-9c7 2 9 14 4 18c-4 1-5-8-3.5-18z"))
define(
    "actionface",
    path("sf-shadow", pen.box("acsh", -45, -60, 96, 128, 11)) + path("sf-card", pen.box("acface", -48, -64, 96, 128, 11, 1.6)),
)
define("actionlit", path("", pen.box("aclit", -53, -69, 106, 138, 15)))
define("squareface", path("sf-card", pen.box("sqface", -47, -47, 94, 94, 11, 1.8)))
define("squarelit", path("", pen.box("sqlit", -52, -52, 104, 104, 15)))
define("sqband", path("", pen.oval("sqband", 31, 31, 14, 14)))
define("crossed", path("sf-bold sf-faint", "M-30-31Q2 2 32 30M31-30Q-3 0-32 31"))


@kept(512)
def action_card(
    action: Action | None,
    value: int,
    colour: Colour,
    shape: Literal["card", "square"] = "card",
    used: bool = False,
    **place: Unpack[Place],
) -> str:
    """An action with its number: a card, or a square of a menu.

    ``action=None`` is a movement card. ``used`` covers it; playable ones carry the state class ``can``.
    """
    prints = "".join(use("hoofprint", (k - (value - 1) / 2) * 13, 0, 0.55, "", 12) for k in range(value))
    if shape == "card":
        band = path(f"sf-{colour}-tint", pen.box("band", -44, 28, 88, 32, 8))
        body = use("actionface") + band + use(MARKS[colour], -30, 44, 0.85, f"sf-{colour}")
        if action:
            body += use(f"act-{action}", 0, -19, 0.92, f"sf-{colour}") + number(value, 33, 44, 26)
            body += f'<g transform="translate(2 44)">{prints}</g>'
        else:
            body += number(value, 0, -22, 62) + f'<g transform="translate(6 44)">{prints}</g>'
        lit = use("actionlit", cls="sf-lit")
    else:
        band = use("sqband", cls=f"sf-{colour}-tint")
        picture = use(f"act-{action}", -3, -5, 0.9, f"sf-{colour}") if action else f'<g transform="translate(0-6)scale(2)">{prints}</g>'
        body = use("squareface") + picture + band + number(value, 31, 31, 22)
        lit = use("squarelit", cls="sf-lit")
    if used:
        body = f'<g class="sf-used">{body}</g>' + use("crossed", 0, -8 if shape == "card" else 0)
    # What has no name cannot be pointed at: another player's card, of which there are many.
    return piece(f'{lit}<g class="sf-hop">{body}</g>' if place.get("id") else body, **place)


def pillow(**place: Unpack[Place]) -> str:
    """A pillow: a sleep point."""
    return piece(use("pillow", scale=3.6), **place)


def power_icon(power: Power, **place: Unpack[Place]) -> str:
    """What a special card does: name the next player and the pile, or turn the direction."""
    return piece(use(f"power-{power}"), **place)
