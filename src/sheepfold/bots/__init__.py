"""Bots: who plays where no person does, found by name.

A bot is shown a view, never the position, so it cannot know more than a person in its seat would. A name may carry an
argument after a colon (`search:500`). More bots join by an entry in BOTS, and in LEVELS where a person may choose them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError, nearest
from sheepfold.core.position import Position


class UnknownBot(SheepfoldError):
    """No bot has that name, or it does not understand its argument."""


class Bot(Protocol):
    """Chooses for a seat: `view` is `sequential(position).seen_by(seat)`, or `ask(view, seat)` when it may interrupt."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Position, dice: Dice) -> int:
        """One of `view.legal()`."""


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that can say how good it finds its choices, for hints."""

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        """Actions with the share of a win expected from each (0 to 1), best first."""


class RandomBot:
    """Any legal action, as `random_action` draws it."""

    name = "random"

    def choose(self, view: Position, dice: Dice) -> int:
        return int(view.random_action(dice))


def _random(argument: str | None) -> Bot:
    if argument is not None:
        raise UnknownBot(f"random takes no argument, not {argument!r}")
    return RandomBot()


def _glance(argument: str | None) -> Bot:
    from sheepfold.bots.glance import GlanceBot

    if argument is None:
        return GlanceBot()
    if not argument.isdecimal() or not 1 <= int(argument) <= 1000:
        raise UnknownBot(f"glance takes a whole number after the colon, as in glance:4, not {argument!r}")
    return GlanceBot(f"glance:{argument}", int(argument))


def _thinking(kind: str) -> Callable[[str | None], Bot]:
    def make(argument: str | None) -> Bot:
        from sheepfold.bots.thinkers import BadSetting, GameBot, thinker

        line = kind if argument is None else f"{kind}:{argument}"
        try:
            described = thinker(line, line)
        except BadSetting as error:
            raise UnknownBot(str(error)) from None
        if kind != "search":
            return described
        number, _, changes = (argument or "500").partition(":")
        return GameBot(line, "search", int(number), changes)

    return make


def _level(name: str) -> Callable[[str | None], Bot]:
    def make(argument: str | None) -> Bot:
        from sheepfold.bots.thinkers import GameBot

        if argument is not None:
            raise UnknownBot(f"{name} takes no argument, not {argument!r}")
        return GameBot(name, name)

    return make


LEVELS: tuple[str, ...] = ("lamb", "ewe", "ram", "bellwether")
"""The bots that are offered to people, weakest first."""
STAND_IN = LEVELS[1]
"""Who plays on for somebody who is away, has left, or has forfeited their seat."""

ADVISER = "adviser"
"""Who gives hints: as strong as the strongest level, unless a game's levels.toml has another line for it."""

BOTS: dict[str, Callable[[str | None], Bot]] = {
    "random": _random,
    "glance": _glance,
    "greedy": _thinking("greedy"),
    "plain": _thinking("plain"),
    "flat": _thinking("flat"),
    "guided": _thinking("guided"),
    "search": _thinking("search"),
    **{level: _level(level) for level in (*LEVELS, ADVISER, "bellwether-1")},
}
"""Name -> what makes the bot from the text after the colon (None without a colon)."""


def bot(name: str) -> Bot:
    """The bot of that name; UnknownBot suggests the nearest."""
    wanted, colon, argument = name.strip().partition(":")
    wanted = wanted.lower()
    if wanted not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}.{nearest(wanted, BOTS)}")
    return BOTS[wanted](argument if colon else None)
