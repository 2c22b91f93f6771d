"""Vignettes: the small drawings of the shelf, the games' own and one for friends. They use the symbols that the page holds once."""

from __future__ import annotations

from functools import cache

from sheepfold import art
from sheepfold.game.game import Game

WIDTH, HEIGHT = art.VIGNETTE


@cache
def vignette(game: Game) -> str:
    """The drawing of a game; the emblem for one that has none."""
    return _framed(game.vignette() or art.lawn(game.name) + art.emblem(WIDTH / 2, HEIGHT / 2, 110), game.title)


FEELINGS = {
    "luck": art.use("die") + art.use("dieface", cls="sf-card") + art.use("star", 0, -5, 2, "sf-yellow"),
    "thought": art.use("compass") + art.use("ask", 0, 0, 0.62),
    "mischief": art.use("mood-angry", 0, 0, 0.95),
    "memory": art.use("mood-dreamy", 0, 0, 0.95),
    "secrets": art.use("mood-shy", 0, 0, 0.95),
}
"""What a game may feel like (`Game.feel`), each with its small sign."""


def feelings(game: Game) -> list[tuple[str, str]]:
    """The message and the sign of each feeling that a game names."""
    return [
        (
            f"feel.{name}.{min(max(game.feel[name], 0), 3)}",
            f'<svg class="sf sf-auto" viewBox="-50 -50 100 100" aria-hidden="true">{sign}</svg>',
        )
        for name, sign in FEELINGS.items()
        if name in game.feel
    ]


@cache
def friends() -> str:
    """Four of a kind that came together, and a gap in the fence for one more."""
    fences = "".join(art.fence("h", x=x, y=72, size=60) for x in (34, 92, 228, 286))
    flock = art.sheep("green", "e", x=62, y=100, size=62) + art.sheep("yellow", "e", x=118, y=108, size=62)
    flock += art.sheep("red", "w", x=204, y=108, size=62) + art.sheep("blue", "w", x=260, y=100, size=62)
    return _framed(art.lawn("friends") + fences + flock, "Sheepfold")


def _framed(body: str, title: str) -> str:
    return art.document(WIDTH, HEIGHT, body, title, theme="bare", interactive=False)


@cache
def astray() -> str:
    """One that is on the wrong side of the fence; with its own drawings, for pages that have no others."""
    fences = "".join(art.use("fence-h", x, 140, 0.92) for x in range(-394, 1040, 88))
    flock = art.use("sheep-e", 150, 92, 0.7, "sf-white") + art.use("sheep-e", 222, 98, 0.62, "sf-white")
    lost = art.use("sheep-s", 470, 150, 0.84, "sf-black") + art.use("ask", 526, 84, 0.5)
    body = art.meadow(-500, 121, 1640, 90, "astray", 30) + flock + fences + lost
    return art.document(640, 200, body, "Sheepfold", interactive=False)
