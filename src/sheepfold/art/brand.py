"""The sign over the door: a sheep in a fold."""

from __future__ import annotations

from . import pen
from .svg import define, document, path, text, use
from .theme import Theme

define(
    "emblem",
    path("sf-tree", pen.oval("hill", 0, 6, 47, 41, 0.8))
    + path("sf-grass-flat", pen.oval("hill2", 0, 12, 42, 30, 0.6))
    + use("fence-h", -23, -12, 0.46) + use("fence-h", 23, -12, 0.46)
    + use("sheep-s", 0, -4, 0.82, "sf-white")
    + use("fence-h", -25, 36, 0.46) + use("fence-h", 25, 36, 0.46),
)  # fmt: skip


def emblem(x: float, y: float, size: float) -> str:
    """The sheep in its fold, as a fragment."""
    return use("emblem", x, y, size / 100)


# At 16 pixels only this much is left of a sheep.
define(
    "tiny",
    path("sf-white", pen.wool("tiny", 0, -2, 34, 32, 9))
    + path("sf-hoof", pen.blob("tinyears", "-36,-6 -18,-10 18,-10 36,-6 34,6 20,6 17,24 0,34 -17,24 -20,6 -34,6", 0))
    + path("sf-glint-flat", pen.dot(-8, 4, 5.5, 7), pen.dot(8, 4, 5.5, 7)),
)


def icon(title: str, size: float = 64, theme: Theme = "light", bleeds: bool = False) -> str:
    """The app icon and favicon, a picture of its own; up to 24 pixels a simpler one. One that `bleeds` may be cut to any shape."""
    if size <= 24:
        sheep = use("tiny", 50, 50, 1.15)
    else:
        sheep = use("mood-cheerful", 50, 44, 1.12) + use("fence-h", 50, 86, 0.86)
    ground = path("sf-tree", pen.box("icon", 2, 2, 96, 96, 24, 1))
    if bleeds:
        ground = path("sf-tree", "M-9-9H109V109H-9z")
        sheep = f'<g transform="translate(13 11.5)scale(.74)">{sheep}</g>'
    body = f'<g transform="scale({size / 100:.4g})">{ground}{sheep}</g>'
    return document(size, size, body, title, theme=theme, interactive=False)


def logo(title: str, height: float = 64, theme: Theme = "auto") -> str:
    """The emblem with the name beside it."""
    width = height * (1.25 + 0.36 * len(title))
    body = emblem(height * 0.55, height * 0.5, height) + text(height * 1.15, height * 0.64, title, height * 0.5, "start")
    return document(width, height, body, title, theme=theme, interactive=False)
