"""What the environments share: the set-up, what is seen as arrays, and pictures."""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass, fields
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
NUMBERS = ("float32", "bytes")
"""What a view's numbers are: divided as `layout` says, or as the game writes them, a byte each."""
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


@dataclass(frozen=True)
class Shape:
    """What a board has room for."""

    count: int
    size: int
    """How many numbers a view has."""
    actions: int
    numbers: str = "float32"
    """As what they are shown, one of NUMBERS."""
    packed: bool = False
    """Whether eight actions of a mask are one byte, the first in its lowest bit."""

    def fields(self) -> list[tuple[tuple[int, ...], Any]]:
        """The arrays of a board: their shapes and what they hold."""
        mask = ((self.count, -(-self.actions // 8)), np.uint8) if self.packed else ((self.count, self.actions), np.int8)
        row = (self.count,)
        seen = ((self.count, self.size), np.float32 if self.numbers == "float32" else np.uint8)
        return [seen, mask, (row, np.float32), (row, np.bool_), (row, np.bool_), (row, np.int64)]

    def bytes(self) -> int:
        """How much memory such a board takes."""
        return sum(_whole_lines(math.prod(shape) * np.dtype(kind).itemsize) for shape, kind in self.fields())

    def board(self, memory: Any = None) -> Board:
        """A board in this memory, or in memory of its own."""
        if memory is None:
            return Board(*[np.empty(shape, kind) for shape, kind in self.fields()])
        arrays, at = [], 0
        for shape, kind in self.fields():
            arrays.append(np.frombuffer(memory, kind, math.prod(shape), at).reshape(shape))
            at += _whole_lines(arrays[-1].nbytes)
        return Board(*arrays)


def _whole_lines(size: int) -> int:
    """No two arrays in one line of a processor's cache."""
    return -(-size // 64) * 64


@dataclass
class Board:
    """What many games show, a row each, as arrays."""

    numbers: Any
    mask: Any
    reward: Any
    ended: Any
    cut: Any
    actions: Any
    """What is to be done in each game, not shown."""

    def part(self, first: int, end: int) -> Board:
        """The same memory, for some games only."""
        return Board(*[getattr(self, each.name)[first:end] for each in fields(self)])

    def copy(self) -> Board:
        return Board(*[getattr(self, each.name).copy() for each in fields(self)])


class Screen:
    """What `Games` has written, as arrays: `blank` clears it before it is written; afterwards `numbers` and `mask` give it, `show` puts it
    on a board.

    Bytes become float32 here, all games at once: most numbers are 0 or 1 and only converted, those that `layout` divides stand together
    at the end of a row, and only they are divided.
    """

    def __init__(self, games: Games, shape: tuple[int, ...] = ()) -> None:
        self._made_of = games, shape
        wholes = divisors(games.first)
        flags = next((index for index, whole in enumerate(wholes) if whole != 1.0), len(wholes))
        self._counts = (..., slice(flags, None))
        self._wholes = np.array(wholes[flags:], np.float32)
        self._seen = shared(games.numbers).reshape(*shape, -1)
        self._mask = shared(games.mask).view(np.int8).reshape(*shape, -1)

    def __reduce__(self) -> tuple[object, ...]:
        return Screen, self._made_of

    def blank(self) -> None:
        self._seen.fill(0)
        self._mask.fill(0)

    def numbers(self) -> Any:
        return self._divided(self._seen.astype(np.float32))

    def _divided(self, numbers: Any) -> Any:
        counts = numbers[self._counts]
        counts /= self._wholes  # by its name, because numbers[...] /= would copy it back once more
        return numbers

    def mask(self) -> Any:
        return self._mask.copy()

    def show(self, board: Board) -> None:
        """Put what all games show on a board."""
        np.copyto(board.numbers, self._seen)
        if board.numbers.dtype == np.float32:
            self._divided(board.numbers)
        packed = board.mask.shape != self._mask.shape
        np.copyto(board.mask, np.packbits(self._mask.view(np.uint8), axis=-1, bitorder="little") if packed else self._mask)
        games = self._made_of[0]
        board.reward[:] = games.reward
        board.ended[:] = np.frombuffer(games.ended, np.bool_)
        board.cut[:] = np.frombuffer(games.cut, np.bool_)


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
