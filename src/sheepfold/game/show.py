"""Pictures of views where there is no table: notebooks, files, papers.

    >>> import sheepfold
    >>> sheepfold.show(position, seat=0).save("position.svg")

A view in the last line of a notebook's cell draws itself, too (`Position._repr_svg_` asks `picture_of` below). A whole position is never
drawn: what a spectator sees of it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sheepfold.core.position import EVERYTHING, SPECTATOR, Position, drawn_by
from sheepfold.core.sequential import unwrapped
from sheepfold.game.registry import game_of


@dataclass(frozen=True)
class Drawing:
    """An SVG picture that notebooks show and that can be kept."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        Path(path).write_text(self.svg, encoding="utf-8")


def show(position: Position, seat: int | None = None, theme: str = "light") -> Drawing:
    """What a seat sees, or, without one, whoever's view it is; a spectator's of a whole position."""
    svg = picture_of(position, seat, theme)
    if svg is None:
        raise NotImplementedError(f"there is no picture of a {type(unwrapped(position)).__name__}")
    return Drawing(svg)


def picture_of(position: Position, seat: int | None = None, theme: str = "light") -> str | None:
    """The same as SVG text; None where nobody knows its game."""
    game = game_of(position)
    if game is None:
        return None
    if seat is not None:
        position = position.seen_by(seat)
    elif position.viewer == EVERYTHING:
        position = position.seen_by(SPECTATOR)
    return game.picture(unwrapped(position), int(position.viewer), theme)


drawn_by(picture_of)
