"""The contract as a table of checks: each is a function of a line of play whose first sentence states the rule that it guards.

A check is entered with `@check`, `demand`s what must hold, and raises `Broken` where it does not.
"""

from __future__ import annotations

from collections.abc import Callable

from sheepfold.core.position import HiddenInformation, Position
from sheepfold.core.travel import fields_of
from sheepfold.game.conformance.lines import Case, Line, Pair, play

Check = Callable[[Line], None]
CHECKS: dict[str, Check] = {}
SHOWN = 6
"""How many refused actions a message lists."""


class Broken(AssertionError):
    """A rule of the contract is broken; the message says where and how."""


def demand(condition: object, message: str | Callable[[], str]) -> None:
    """Go on only if the condition holds."""
    if not condition:
        raise Broken(message if isinstance(message, str) else message())


def check(function: Check) -> Check:
    CHECKS[function.__name__] = function
    return function


def faults(case: Case, seed: object, only: list[str] | None = None) -> dict[str, str]:
    """What is broken on one line of play: name of the check -> message."""
    line = play(case, seed)
    found = {}
    for name in only or CHECKS:
        try:
            CHECKS[name](line)
        except Exception as error:
            found[name] = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
    return found


def memory(thing: object) -> object:
    """All that an object holds, as far as it is numbers, text, lists of them or positions."""
    if thing is None or isinstance(thing, int | float | str | bytes):
        return thing
    if isinstance(thing, Position):
        names = [name for name in fields_of(thing) if name != "origin"]  # a copy need not know where it comes from
        return tuple((name, memory(getattr(thing, name, None))) for name in names)
    if isinstance(thing, dict):
        return tuple(sorted(((repr(key), memory(value)) for key, value in thing.items()), key=repr))
    if isinstance(thing, set | frozenset):
        return tuple(sorted((memory(item) for item in thing), key=repr))
    if isinstance(thing, list | tuple) or type(thing).__name__ == "vec":
        return tuple(memory(item) for item in thing)  # type: ignore[attr-defined]
    return f"a {type(thing).__name__}"


def answer(ask: Callable[[], object]) -> object:
    """What a question answers, HiddenInformation being an answer too."""
    try:
        return ask()
    except HiddenInformation:
        return "hidden"


def demand_same(line: Line, pair: Pair, what: str, one: object, two: object) -> None:
    """Go on only if what the viewer is given is the same in both worlds of the pair."""
    demand(
        one == two,
        lambda: (
            f"{line.where(pair.ply)}: {what} tells viewer {pair.viewer} what it cannot know: {difference(one, two)}"
            " (if the last event turns hidden things up by rule, Position.reveals must say so)"
        ),
    )


def difference(one: object, two: object) -> str:
    """Where two things part, for messages."""
    if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        index = next(index for index in range(len(one)) if one[index] != two[index])
        return f"at {index}: {difference(one[index], two[index])}"
    return f"{one!r} or {two!r}"
