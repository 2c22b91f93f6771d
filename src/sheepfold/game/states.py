"""States: positions and views that travel, as a pickle or as JSON. Whoever has the same game in the same version reads them back.

    >>> from sheepfold.game.states import read_state, write_state
    >>> text = write_state(position.seen_by(0))
    >>> view = read_state(text)

What travels is the set-up in a few words (`Position.origin`) and the fields that play changes (`core.travel`); the rest is taken from a
first position of that set-up, which is kept. A view holds nothing that its viewer may not know, so neither does what is written of it.
What is read is checked for its version and set-up, not against the rules: a game that comes from strangers is better read from its record.

Where a game's `copy` does not carry `origin` along, all of its fields travel, what is printed on the pieces too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from sheepfold.core.errors import SheepfoldError, UnknownGame
from sheepfold.core.position import Position, written_by
from sheepfold.core.sequential import Sequential
from sheepfold.core.travel import BadState, Form, Written
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import STARTED, Game, Setup
from sheepfold.game.registry import find, game_of

FORMAT = 1
"""Grows when the way of writing changes."""
NOT_ASKED = -1
"""Instead of how many seats have passed, for a position that is not played strictly in turns (`core.sequential`)."""
SETUPS_KEPT = 256

State = tuple[int, bytes, str, Written, int]
"""The format, the set-up in words, the form, what was written by it, and how many seats have passed."""


class Home:
    """A set-up as positions come from it: a first one, and how they are written, lightly or with all that they have."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._first = setup.start()
        self.kind = type(self._first)
        self.form = Form(self._first, self._first.copy())
        self.whole = Form(self._first)

    def position(self, form: Form, written: Written) -> Position:
        position = self._first.copy()
        position.origin = self._first.origin
        try:
            form.read(position, written)
        except (TypeError, ValueError, AttributeError) as error:
            raise BadState(f"this state of {self.setup.game.title} is damaged: {error}") from None
        return position


@lru_cache(maxsize=SETUPS_KEPT)
def home(origin: bytes) -> Home:
    """The set-up with everything as the words say, or BadState."""
    try:
        words = json.loads(origin)
        game = _game(words["game"])
        if game.rules_version != words["rules"]:
            found, here = words["rules"], game.rules_version
            raise BadState(f"this state of {game.title} follows version {found} of its rules; here is version {here}")
        file = words["component-file"]
        setup = game.setup(words["seats"], EnteredFile(*file) if isinstance(file, list) else file, **words["options"])
        if setup.digest != words["components"]:
            raise BadState(f"this state of {game.title} was played with component file {words['components']}; here it is {setup.digest}")
    except BadState:
        raise
    except SheepfoldError as error:
        raise BadState(f"this state has a set-up that cannot be had here: {error}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadState(f"the set-up of this state is damaged: {error!r}") from None
    return Home(setup)


def _game(name: str) -> Game:
    """The game of that name: one of the shelf, or one that was started here without being there."""
    try:
        return find(name)
    except UnknownGame:
        for game in STARTED.values():
            if game.name == name:
                return game
        raise


def reduced(position: Position) -> tuple[Callable[..., Position], State]:
    """What `Position.__reduce_ex__` answers: `read`, and all that travels of a position."""
    asked: int = NOT_ASKED
    if isinstance(position, Sequential):
        asked = position.asked
        position = position.inner
    known = position.origin
    origin = known or _some_origin(position)
    there = home(origin)
    if there.kind is not type(position):  # a notebook has defined its game anew
        home.cache_clear()
        there = home(origin)
    form = there.form if known else there.whole
    return read, (FORMAT, origin, form.digest, form.write(position), asked)


def _some_origin(position: Position) -> bytes:
    """For a position that does not know its set-up: one of the same game, whose positions have the same fields."""
    game = game_of(position)
    if game is None:
        raise BadState(f"this {type(position).__name__} was started by no set-up, so it cannot be written; sheepfold.load(...).start() can")
    return game.setup(int(position.seats)).origin


def read(format: int, origin: bytes, digest: str, fields: Written, asked: int) -> Position:
    """The position that was written; BadState says why it cannot be had here."""
    _demand_format(format)
    there = home(origin)
    return _sequential(there.position(_form(there, digest), fields), asked)


def _demand_format(format: object) -> None:
    if format != FORMAT:
        raise BadState(f"this state is written in format {format}, here it is {FORMAT}: another version of Sheepfold wrote it")


def _form(there: Home, digest: object) -> Form:
    for form in (there.form, there.whole):
        if form.digest == digest:
            return form
    raise BadState(f"this state of {there.setup.game.title} has other fields than its rules have here: another version wrote it")


def _sequential(position: Position, asked: int) -> Position:
    return position if asked == NOT_ASKED else Sequential(position, asked)


written_by(reduced)


def write_state(position: Position) -> str:
    """The position, or the view, as JSON, with its fields by their names."""
    format, origin, digest, fields, asked = reduced(position)[1]
    words = {"sheepfold-state": format, **json.loads(origin), "form": digest, "asked": asked}
    return json.dumps({**words, "fields": _form(home(origin), digest).named(fields)})


def read_state(text: str | bytes, setup: Setup | None = None) -> Position:
    """The position that a text holds; BadState says why it cannot be had, also where it is of another set-up than the one wanted."""
    try:
        words = json.loads(text)
        format, digest, asked, fields = (words.pop(key) for key in ("sheepfold-state", "form", "asked", "fields"))
    except (AttributeError, KeyError, ValueError, TypeError, RecursionError) as error:
        raise BadState(f"this is no state as `write_state` writes them: {error!r}") from None
    _demand_format(format)
    origin = json.dumps(words).encode()
    there = home(origin)
    if setup is not None and there.setup != setup:
        raise BadState(f"this state was written in another set-up: {_told(there.setup)}, not {_told(setup)}")
    if type(asked) is not int or not NOT_ASKED <= asked <= there.setup.seats:
        raise BadState(f"how many seats have passed is a number, not {asked!r}")
    form = _form(there, digest)
    return _sequential(there.position(form, form.unnamed(fields)), asked)


def _told(setup: Setup) -> str:
    options = "".join(f", {name}={value}" for name, value in setup.changed_options().items())
    return f"{setup.game.name} for {setup.seats}{options}{', ' * bool(setup.component_file)}{setup.own_file}"
