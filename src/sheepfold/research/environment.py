"""What the environments share: the set-up, what is seen as arrays, and pictures."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from sheepfold.bots import Bot, RandomBot, bot
from sheepfold.core.errors import SheepfoldError, listed, wanted
from sheepfold.core.position import SPECTATOR, Position, divisors
from sheepfold.core.sequential import sequential, unwrapped
from sheepfold.game.game import Setup
from sheepfold.game.registry import find
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


class Screen:
    """What `Games` has written, as arrays: `blank` clears it before it is written, `numbers` and `mask` give it afterwards.

    The arrays are fresh ones or, where `kept`, the same ones every time. Bytes become float32 here, all games at once: most numbers are
    0 or 1 and only converted, those that `layout` divides stand together at the end of a row, and only they are divided.
    """

    def __init__(self, games: Games, shape: tuple[int, ...] = (), kept: bool = False) -> None:
        wholes = divisors(games.first)
        flags = next((index for index, whole in enumerate(wholes) if whole != 1.0), len(wholes))
        self._counts = (..., slice(flags, None))
        self._wholes = np.array(wholes[flags:], np.float32)
        self._seen = shared(games.numbers).reshape(*shape, -1)
        self._mask = shared(games.mask).view(np.int8).reshape(*shape, -1)
        self._kept = np.empty(self._seen.shape, np.float32) if kept else None

    def blank(self) -> None:
        self._seen.fill(0)
        self._mask.fill(0)

    def numbers(self) -> Any:
        if self._kept is None:
            numbers = self._seen.astype(np.float32)
        else:
            numbers = self._kept
            np.copyto(numbers, self._seen)
        counts = numbers[self._counts]
        counts /= self._wholes  # by its name, because numbers[...] /= would copy it back once more
        return numbers

    def mask(self) -> Any:
        return self._mask.copy() if self._kept is None else self._mask


class _Memory:
    """The memory of a buffer that says it is read-only, to be written: `vec` has no other way to be cleared at once."""

    def __init__(self, buffer: Any) -> None:
        array = np.frombuffer(buffer, np.uint8)
        self.buffer = buffer
        self.__array_interface__ = {**array.__array_interface__, "data": (array.ctypes.data, False)}


def shared(buffer: Any) -> Any:
    """A buffer of bytes as an array that shares its memory."""
    return np.asarray(_Memory(buffer))


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
