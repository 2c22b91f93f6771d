"""What can go wrong, as classes that a caller can tell apart. Every message says what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from types import ModuleType


class SheepfoldError(ValueError):
    """Any error that a user can mend. Its text is English, for programs; where players meet it, `key` names the message that says the
    same to them, with `values` to fill in."""

    def __init__(self, text: object = "", key: str = "", /, **values: object) -> None:
        super().__init__(text)
        self.key = key
        self.values = values


class UnknownGame(SheepfoldError):
    """No game has that name."""


class BadGame(SheepfoldError):
    """A package brings a game that cannot be used."""


class BadSeats(SheepfoldError):
    """The game is not played by that many."""


class BadOption(SheepfoldError):
    """No such option, or not a value for it."""


class BadComponents(SheepfoldError):
    """A component file has a value that the game cannot be played with."""


class UnreadableAction(SheepfoldError):
    """The text is not an action of this position."""


class AmbiguousAction(SheepfoldError):
    """The text could be several actions of this position; `candidates` has their texts."""

    def __init__(self, message: str, candidates: Sequence[str]) -> None:
        super().__init__(message)
        self.candidates = list(candidates)


class BadRecord(SheepfoldError):
    """A record that cannot be replayed; `line` is where, `reason` is why."""

    def __init__(self, line: int, reason: str, key: str = "", /, **values: object) -> None:
        super().__init__(f"line {line}: {reason}", key, **values)
        self.line = line
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return partial(BadRecord, self.line, self.reason, self.key, **self.values), ()


def nearest(word: str, known: Iterable[str], most: int = 3) -> str:
    """' Did you mean a, b or c?', or what there is where nothing is near, or nothing at all."""
    names = list(known)
    if near := near_to(word, names, most):
        return f" Did you mean {listed(near)}?"
    if len(names) == 1:
        return f" There is only {names[0]}."
    return f" There are {listed(names, 'and')}." if 1 < len(names) <= 12 else ""


def near_to(word: str, names: Sequence[str], most: int = 3) -> list[str]:
    """The names that a mistyped word may have meant."""
    return get_close_matches(word.lower(), names, n=most, cutoff=0.5) or [name for name in names if word and word.lower() in name][:most]


def listed(names: Sequence[str], word: str = "or") -> str:
    """'a, b or c'."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


class MissingLibrary(SheepfoldError, ImportError):
    """An optional library is not installed; the message has the command that installs it."""


def wanted(library: str, extra: str) -> ModuleType:
    """The library, imported; where it is missing, MissingLibrary says what to type."""
    try:
        return import_module(library)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] != library.partition(".")[0]:
            raise  # it is there, but something that it needs is not
        raise MissingLibrary(f"{library} is not installed; type: pip install 'sheepfold[{extra}]'") from error
