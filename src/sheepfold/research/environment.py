"""What the PettingZoo and Gymnasium environments share: the set-up, what is seen as arrays, and pictures."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sheepfold.bots import Bot, RandomBot, bot
from sheepfold.core.errors import SheepfoldError, listed
from sheepfold.core.game import Setup
from sheepfold.core.position import SPECTATOR, Position
from sheepfold.core.sequential import sequential, unwrapped
from sheepfold.games import find
from sheepfold.research import wanted
from sheepfold.research.vector import Games

np: Any = wanted("numpy", "gymnasium")

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
ILLEGAL = ("raise", "lose", "random")
"""What an illegal action does: an error; the game is lost; a random legal one is played instead."""


def set_up(game: str, seats: int | None, components: str | Path | None, options: dict[str, object]) -> Setup:
    return find(game).setup(seats, components, **options)


def checked(value: str | None, allowed: tuple[str, ...], name: str) -> None:
    if value is not None and value not in allowed:
        raise SheepfoldError(f"{name} is {listed(allowed)}, not {value!r}")


def opponents(names: str | list[str] | tuple[str, ...], seats: int) -> list[Bot | None]:
    """The bots by seat from one name for all or a name a seat. Random ones are None: they are played in compiled code."""
    every = [names] * seats if isinstance(names, str) else list(names)
    if len(every) != seats:
        raise SheepfoldError(f"{seats} seats need {seats} bots, or one name for all, not {len(every)}")
    players = [bot(name) for name in every]
    return [None if isinstance(player, RandomBot) else player for player in players]


def games_of(setup: Setup, count: int, learner: int, bound: int | None, players: list[Bot | None]) -> Games:
    first = sequential(setup.start())
    if bound is not None and bound < 1:
        raise SheepfoldError(f"max_cycles is at least 1, not {bound}")
    return Games(first, count, learner, int(first.ply_bound) if bound is None else bound, players)


def window(buffer: Any, kind: Any, fresh: bool = True) -> Callable[[], Any]:
    """A function that gives an array with what is in a buffer of `Games` now: a fresh one, or one that the next step overwrites."""
    if isinstance(buffer, list):  # uncompiled
        return lambda: np.array(buffer, kind)
    whole = np.frombuffer(buffer, np.float64 if kind is np.float32 else np.uint8)
    if kind is np.float32:
        kept = np.empty(len(whole), np.float32)

        def narrowed() -> Any:
            np.copyto(kept, whole, casting="same_kind")
            return kept

        return (lambda: whole.astype(np.float32)) if fresh else narrowed
    seen = whole.view(kind)
    return seen.copy if fresh else lambda: seen


def render(setup: Setup, position: Position, mode: str, seat: int = SPECTATOR) -> Any:
    """The view of a seat, or of a spectator, in one of RENDER_MODES."""
    game, view = setup.game, unwrapped(position.seen_by(seat))
    if mode == "ansi":
        return game.text_picture(view, seat)
    if mode == "svg":
        return game.picture(view, seat, "light")
    if mode == "human":
        print(game.text_picture(view, seat))
        return None
    return pixels(game.picture(view, seat, "light"))


def pixels(svg: str) -> Any:
    """An SVG picture as an array of height x width x 3 bytes."""
    cairosvg = wanted("cairosvg", "pictures")
    image = wanted("PIL.Image", "pictures")
    png = cairosvg.svg2png(bytestring=still(svg).encode(), background_color="white")
    return np.array(image.open(io.BytesIO(png)).convert("RGB"))


def still(svg: str) -> str:
    """The picture without what only browsers understand: custom properties (a plain colour stands before each) and what lights up."""
    return re.sub(r"""[a-z-]+:var\([^)]*\);?|<[a-z]+ [^<>]*class="[^"<>]*sf-lit[^"<>]*"[^<>]*/>""", "", svg)
