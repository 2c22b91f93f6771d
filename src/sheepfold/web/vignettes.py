"""Vignettes: one small drawing a game, and one for friends, for the shelf. They use the symbols that the page holds once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sheepfold import art

WIDTH, HEIGHT = 320, 150


def _ground(name: str) -> str:
    return art.meadow(-6, 92, WIDTH + 12, 80, name, 9)


def _haste_bock() -> str:
    flock = art.sheep("red", "e", x=60, y=100, size=62) + art.sheep("blue", "e", x=116, y=96, size=62)
    flock += art.sheep("green", "e", x=166, y=103, size=62)
    return _ground("hb") + flock + art.roger("w", x=266, y=88, size=92)


def _shear_panic() -> str:
    flock = art.sheep("yellow", "w", x=52, y=104, size=60) + art.berta("w", x=104, y=98, size=62)
    flock += art.sheep("blue", "w", x=154, y=106, size=60)
    return _ground("sp") + flock + art.person("shearer", x=262, y=84, size=104)


def _te_kuiti() -> str:
    tiles = "".join(art.mood_tile(mood, x=46 + 57 * place, y=80 + place % 2 * 12, size=58) for place, mood in enumerate(art.MOODS))
    return _ground("tk") + art.fence("h", x=100, y=132, size=60) + art.fence("h", x=160, y=134, size=60) + tiles


def _sheepzzz() -> str:
    cards = art.counting_card(4, 1, x=74, y=80, size=72) + art.counting_card(9, 2, x=160, y=74, size=72)
    return _ground("sz") + cards + art.wolf_card(x=246, y=80, size=72)


def _guerre_des_moutons() -> str:
    tiles = art.landscape(("white", "forest", "white", "village"), x=78, y=80, size=84)
    tiles += art.landscape(("forest", "blue", "blue", "forest"), "wolf", x=162, y=80, size=84)
    return _ground("gm") + tiles + art.landscape(("red", "red", "village", "red"), x=246, y=80, size=84)


def _friends() -> str:
    """Four of a kind that came together, and a gap in the fence for one more."""
    fences = "".join(art.fence("h", x=x, y=72, size=60) for x in (34, 92, 228, 286))
    flock = art.sheep("green", "e", x=62, y=100, size=62) + art.sheep("yellow", "e", x=118, y=108, size=62)
    flock += art.sheep("red", "w", x=204, y=108, size=62) + art.sheep("blue", "w", x=260, y=100, size=62)
    return _ground("friends") + fences + flock


@cache
def astray() -> str:
    """One that is on the wrong side of the fence; with its own drawings, for pages that have no others."""
    fences = "".join(art.use("fence-h", x, 140, 0.92) for x in range(-394, 1040, 88))
    flock = art.use("sheep-e", 150, 92, 0.7, "sf-white") + art.use("sheep-e", 222, 98, 0.62, "sf-white")
    lost = art.use("sheep-s", 470, 150, 0.84, "sf-black") + art.use("ask", 526, 84, 0.5)
    body = art.meadow(-500, 121, 1640, 90, "astray", 30) + flock + fences + lost
    return art.document(640, 200, body, "Sheepfold", interactive=False)


VIGNETTES: dict[str, Callable[[], str]] = {
    "haste-bock": _haste_bock,
    "shear-panic": _shear_panic,
    "te-kuiti": _te_kuiti,
    "sheepzzz": _sheepzzz,
    "guerre-des-moutons": _guerre_des_moutons,
    "friends": _friends,
}


@cache
def vignette(game: str, title: str) -> str:
    """The drawing of a game; an emblem for one that has none."""
    body = VIGNETTES[game]() if game in VIGNETTES else _ground(game) + art.emblem(WIDTH / 2, HEIGHT / 2, 110)
    return art.document(WIDTH, HEIGHT, body, title, interactive=False, bare=True)
