"""Game: what a Position does not know of its game. One object per game, named by its package's entry point.

A Game holds no state of play. Its methods take views (`position.seen_by(seat)`) and give notation, pictures and
words for them, so whatever reaches a person has passed through `seen_by`. Only `name`, `title`, `seats`, `start` and `write` are
required; all else has a default (`sheepfold.game.defaults`), and what a game brings replaces it piece by piece.
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheepfold.core.errors import AmbiguousAction, BadComponents, BadOption, BadSeats, UnreadableAction, listed, near_to, nearest
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import Position
from sheepfold.game.component_file import EnteredFile, Source
from sheepfold.game.levels import read_levels
from sheepfold.game.what_if import WhatIf

if TYPE_CHECKING:
    from sheepfold.game.moments import Moment
    from sheepfold.messages import Voice


STARTED: dict[type[Position], Game] = {}
"""The game of each class of positions that a set-up has started."""


SEAT = "seat-"
"""Before the number of a seat where a bare number would be no text."""


@dataclass(frozen=True)
class Option:
    """A choice to be made before a game starts. Its sentence for players is `option.<name>` in the game's words."""

    name: str
    default: bool | int | str
    values: tuple[bool | int | str, ...] = (False, True)
    seats: tuple[int, ...] = ()
    """The numbers of seats it is for; all when empty. With others only the default is allowed."""
    names_seat: bool = False
    """Whether the whole numbers among its values are seats, from 1: then those that nobody sits on are not allowed."""

    def values_for(self, seats: int) -> tuple[bool | int | str, ...]:
        """The values that are allowed with so many seats."""
        if self.seats and seats not in self.seats:
            return (self.default,)
        return tuple([value for value in self.values if not (self.names_seat and isinstance(value, int) and value > seats)])

    def check(self, value: object) -> bool | int | str:
        """The value, typed; text is understood as well ('true', '3', of seats 'seat-3' too)."""
        if self.names_seat and isinstance(value, str):
            value = value.lower().removeprefix(SEAT)
        for allowed in self.values:
            if (type(value) is type(allowed) and value == allowed) or (isinstance(value, str) and value.lower() in _spellings(allowed)):
                return allowed
        raise BadOption(f"{self.name} is {listed([_spellings(allowed)[0] for allowed in self.values])}, not {value!r}")


def _spellings(value: bool | int | str) -> tuple[str, ...]:
    if value is True:
        return ("true", "yes", "on", "1")
    if value is False:
        return ("false", "no", "off", "0")
    return (str(value).lower(),)


@dataclass(frozen=True)
class Setup:
    """A game that is ready to start: what `sheepfold.load` returns. Equal set-ups give equal games."""

    game: Game
    seats: int
    options: Mapping[str, bool | int | str]
    components: Any = field(compare=False)
    component_file: str | EnteredFile | None = None
    """The component file, by its path or itself, where it is not the game's own."""

    @property
    def digest(self) -> str:
        """What tells the component file from others, for records."""
        return str(self.components.digest)

    @property
    def own_file(self) -> str:
        """What the component file is called, where it is not the game's own."""
        return Path(str(self.component_file)).name if self.component_file else ""

    def __deepcopy__(self, memo: object) -> Setup:
        return self  # nothing in it ever changes

    def __reduce__(self) -> tuple[object, ...]:
        return _set_up_again, (self.game, self.seats, self.component_file, dict(self.options), self.digest)

    def start(self) -> Position:
        """The first position."""
        position = self.game.start(self)
        position.origin = self.origin
        STARTED[type(position)] = self.game
        return position

    @cached_property
    def origin(self) -> bytes:
        """The set-up as its positions carry it along, for `game.states`: JSON, with all that has to be the same where they are read."""
        file = self.component_file
        own = [file.name, file.text] if isinstance(file, EnteredFile) else file
        words = {"game": self.game.name, "rules": self.game.rules_version, "seats": self.seats, "options": dict(self.options)}
        return json.dumps({**words, "components": self.digest, "component-file": own}).encode()

    def changed_options(self) -> dict[str, bool | int | str]:
        """The options that are not at their default."""
        return {option.name: self.options[option.name] for option in self.game.options if self.options[option.name] != option.default}


def _set_up_again(game: Game, seats: int, component_file: str | EnteredFile | None, options: Mapping[str, object], digest: str) -> Setup:
    """A set-up that was pickled, with the same components or not at all."""
    setup = game.setup(seats, component_file, **options)
    if setup.digest != digest:
        raise BadComponents(f"{component_file or game.title}: the components are not those that the set-up was pickled with")
    return setup


class NoComponents:
    """What a game has on its pieces that has no component file."""

    digest = "none"


@dataclass(frozen=True)
class Passage:
    """A piece of what is on the table, in words, for who does not see it: things one by one, or a grid to walk through, or both."""

    title: str
    lines: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    """What stands above the columns of a grid."""
    rows: list[list[str]] = field(default_factory=list)
    """The rows of a grid: first what stands before the row, then a cell a column, empty where there is nothing."""


class Game(ABC):
    """A game. A subclass gives it `name`, `title`, `seats`, `start` and `write`; the rest are extras."""

    name: str
    """As it is typed: `haste-bock`."""
    title: str
    seats: tuple[int, ...]
    """How many can play, ascending."""
    minutes: tuple[int, int] = (5, 15)
    """How long a game takes, by and large."""
    tags: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    secrets: bool = False
    """Whether seats know different things (hands are hidden between players who share a screen)."""
    colours: tuple[str, ...] = ("blue", "yellow", "green", "red", "white", "black")
    """The colour that each seat is marked with; empty where a seat's colour is a secret or there are more seats than colours."""
    shelf: int = 100
    """Where it stands among the others: less is earlier, equal ones by title."""

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def __reduce__(self) -> tuple[object, ...]:
        from sheepfold.game.registry import find

        return find, (self.name,)

    @cached_property
    def folder(self) -> Path:
        """Where the game's components.toml, locale/, help/ and lesson.toml lie, if it has them: beside the module of its class."""
        file = getattr(sys.modules[type(self).__module__], "__file__", None)
        return Path(file).parent if file else Path()

    def open_colours(self, view: Position) -> tuple[str | None, ...]:
        """The colour of each seat, as far as the view knows it where colours are a secret; empty where seats have none."""
        return self.colours

    # For the shelf and the page.

    drawings: tuple[str, ...] | None = None
    """The beginnings of names of the symbols (`art.svg`) that its pictures show, so that its tables load no others; None: any."""

    feel: Mapping[str, int] = {}
    """What it feels like: how much there is of `luck`, `thought`, `mischief`, `memory` and `secrets`, from 0 to 3; what it does not name is
    not told."""

    def about(self, language: str = "en") -> str:
        """What it is about, in one sentence: `about` in its words, where they say so."""
        from sheepfold.messages import Voice

        voice = Voice([self.folder / "locale"], language)
        return voice.say("about") if voice.has("about") else ""

    def vignette(self) -> str:
        """A small drawing (`art.VIGNETTE`) for the shelf, as a piece of SVG; empty where it has none."""
        return ""

    # For bots.

    evaluator: Evaluator = Evaluator()
    """Judges positions for bots; the one here knows only results and points."""

    @cached_property
    def levels(self) -> Mapping[str, str]:
        """How its bots are set, by level; also `search`."""
        return read_levels(self.folder)

    def net(self, seats: int) -> Path | None:
        """The file of what bots have learned for so many players, where they have (`sheepfold train`)."""
        path = self.folder / "nets" / f"{seats}.net"
        return path if path.exists() else None

    # For reports, and for the result.

    what_ifs: tuple[WhatIf, ...] = ()
    """What a report changes of the components, where they are reconstructed."""
    what_if_seats: int | None = None
    """With how many players it plays those changes, where they matter only then; `what-if.seats` in the game's words says why."""
    solo_goal: int = 0
    """So many points win a game that is played alone."""

    def earned(self, position: Position) -> list[float]:
        """What each seat has earned so far, more being better."""
        return [float(points) for points in position.scores()]

    def phase(self, position: Position) -> int:
        """Which of the game's own phases (or rounds) it is in, from 1; 0 where it has none."""
        return 0

    def phase_name(self, phase: int, voice: Voice) -> str:
        """What players call a phase: `phase.<number>` in the game's words, else `phase` with its number."""
        return voice.say(f"phase.{phase}") if voice.has(f"phase.{phase}") else voice.say("phase", number=phase)

    def kind(self, view: Position, action: int) -> str:
        """What kind of action it is, in one word."""
        return self.write(view, action).split()[0]

    def tests_memory(self, setup: Setup) -> bool:
        """Whether people are meant to remember by themselves what they have seen: then the log is short and nobody is given hints."""
        return False

    def shows(self, action: int) -> bool:
        """In a game of memory: whether somebody sees by that action what is to be remembered, so that it cannot be taken back."""
        return False

    def foregone(self, view: Position) -> int | None:
        """Where a decision changes nothing, whatever is chosen: what is then done by itself, so that nobody is asked; else None."""
        return None

    # For who is not there.

    standing_answers: tuple[str, ...] = ()
    """What somebody may want done once and for all, as soon as it can be: `standing.<name>` in the game's words."""

    def standing_answer(self, view: Position, seat: int, name: str) -> list[int] | None:
        """What a standing answer does now, one after the other, in or out of turn; None when it can never do anything more."""
        return None

    # Setting up.

    def setup(self, seats: int | None = None, component_file: Source | None = None, **options: object) -> Setup:
        """Check everything before anything starts. Options may be spelt with - or _."""
        chosen = self.seats[-1] if seats is None else seats
        if chosen not in self.seats or type(chosen) is not int:
            raise BadSeats(f"{self.title} is for {listed([str(count) for count in self.seats])} players, not {chosen!r}")
        known = {option.name: option for option in self.options}
        given = {name.replace("_", "-"): value for name, value in options.items()}
        for name in given:
            if name not in known:
                raise BadOption(f"{self.title} has no option {name!r}.{nearest(name, known)}")
        settled = {name: option.check(given.get(name, option.default)) for name, option in known.items()}
        for option in self.options:
            if settled[option.name] not in (allowed := option.values_for(chosen)):
                if option.seats and chosen not in option.seats:
                    raise BadOption(f"{option.name} is for {listed([str(count) for count in option.seats])} players, not {chosen}")
                values = listed([_spellings(value)[0] for value in allowed])
                raise BadOption(f"{option.name} with {chosen} players is {values}, not {settled[option.name]!r}")
        components = self.read_components(component_file) if component_file else self.components
        kept = component_file if component_file is None or isinstance(component_file, EnteredFile) else str(component_file)
        return Setup(self, chosen, settled, components, kept)

    @cached_property
    def components(self) -> Any:
        """What is printed on the pieces, from the game's own file, where it has one."""
        return self.read_components(self.component_file) if self.component_file.exists() else NoComponents()

    same_components: Mapping[str, tuple[str, ...]] = {}
    """By the digest of a component file: those of earlier ones that say the same, so that records played with them still play."""

    rules_version: int = 1
    """Grows when a log of earlier moves would be read otherwise: by another rule, or since actions have other numbers. Stored games carry
    it; those of another version can be looked at as far as they go, and no more."""

    first_readings: Mapping[str, bool | int | str] = {}
    """Options as version 0.1 played, which knew one reading only, where another is the default now: its stored games go on so."""

    @property
    def component_file(self) -> Path:
        """The game's own file of components; a game without one has no components to change."""
        return self.folder / "components.toml"

    @cached_property
    def printed(self) -> str | None:
        """The text of the game's own component file, where it has one."""
        return self.component_file.read_text(encoding="utf-8") if self.component_file.exists() else None

    def read_components(self, path: Source) -> Any:
        """Read and check a component file; BadComponents says what is wrong and where. The result has a `digest`."""
        raise BadComponents(f"{self.title} has no components that a file could change")

    @abstractmethod
    def start(self, setup: Setup) -> Position:
        """The first position of a checked set-up."""

    # Notation.

    @abstractmethod
    def write(self, view: Position, action: int) -> str:
        """The action as short text, also for chance outcomes and interruptions: lower case words and digits."""

    def aliases(self, view: Position, action: int) -> Sequence[str]:
        """Other texts that mean the same action."""
        return ()

    def read(self, view: Position, text: str, seat: int | None = None) -> int:
        """The action that a text means for the seat to act, for chance, or for an interruption by `seat`."""
        out_of_turn = seat is not None and seat != view.to_act
        actions = view.interruptions(seat) if out_of_turn and seat is not None else view.legal()
        wanted = tidy(text)
        texts = {tidy(self.write(view, action)): action for action in actions}
        if wanted in texts:
            return texts[wanted]
        longer = [known for known in texts if wanted and known.startswith(f"{wanted} ")]
        if len(longer) == 1:
            return texts[longer[0]]
        if longer:
            raise AmbiguousAction(f"{text.strip()!r} could be {listed(longer[:6])}{' and more' if len(longer) > 6 else ''}", longer)
        for action in actions:
            if wanted in self.aliases(view, action):
                return action
        near = near_to(wanted, list(texts))
        key = "bad.action.near" if near else "bad.action"
        said = f"{text.strip()!r} is not possible here.{nearest(wanted, texts)}"
        raise UnreadableAction(said, key, text=text.strip(), near=", ".join(near))

    # Pictures and words: of views only. Without its own a game is drawn from its outline, and told in its notation.

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        """The view in words, thing by thing: for a screen reader, and what the default pictures are made of.

        `seat` is whose view it is; what only that seat is to see is left out for SPECTATOR. The default names the players, their
        points and whose turn it is, which the default pictures show whether or not it is in a game's own outline.
        """
        from sheepfold.game.defaults import narration

        return [narration.players(view, voice)]

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        """The view for a terminal, with ANSI colours and marks that work without them (`sheepfold.ansi`)."""
        from sheepfold.game.defaults import text_board

        return text_board.text_picture(self, view, seat, width, voice or self._voice())

    def text_excerpt(self, view: Position, seat: int, width: int, height: int, voice: Voice, listed: Sequence[int] = ()) -> str:
        """What matters of the text picture now, where a screen has only so many lines and the whole has more. The default is the whole.

        `listed` are the actions that stand beside it to choose from, all of them or a page.
        """
        return self.text_picture(view, seat, width, voice)

    def picture(self, view: Position, seat: int, theme: str = "auto", voice: Voice | None = None) -> str:
        """The view as SVG; the elements that `targets` names carry those ids."""
        from sheepfold.game.defaults import svg_board

        return svg_board.picture(self, view, seat, theme, voice or self._voice())

    def targets(self, view: Position, action: int) -> list[str]:
        """The ids of the elements to tap, in order, that spell the action.

        The default names buttons, which the default picture draws for them; a game that is drawn by default may name cells of its
        outline's grids instead (`cell-1-2-3`: first passage beside the players, second row, third column).
        """
        from sheepfold.game.defaults import svg_board

        return svg_board.targets(self, view, action)

    def _voice(self) -> Voice:
        from sheepfold.messages import Voice

        return Voice([self.folder / "locale"])

    def refusals(self, view: Position, voice: Voice) -> dict[str, str]:
        """Why things in the picture cannot be tapped by who is to act, where one would wonder: by the beginning of their ids."""
        return {}

    def passing(self, before: Position, action: int, after: Position) -> str:
        """What everybody saw for a moment in this event although no picture shows it, as a piece of SVG to lie over the board."""
        return ""

    def lies_open(self, view: Position) -> bool:
        """Whether something lies open that the next decision covers again: bots leave everybody time to look at it."""
        return False

    def labels(self, view: Position) -> dict[int, str]:
        """How `text_picture` numbers the choices on the board ('3b'), by action, where it does; `read` understands them too."""
        return {}

    def prompt(self, view: Position, voice: Voice) -> str:
        """What is expected now, of whom, in one sentence."""
        from sheepfold.game.defaults import narration

        return narration.prompt(view, voice)

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        """What an action would do, in a few words, for a list of choices."""
        return self.write(view, action)

    def gain(self, view: Position, action: int) -> int | None:
        """The points that an action brings who is to act, for certain and at once, before any chance; None where that is not to be known.

        The default plays it on a copy. Where there are secrets, or something to remember, a view may know more or less than is fair to
        say, so there the default says nothing.
        """
        if self.secrets or type(self).tests_memory is not Game.tests_memory:
            return None
        from sheepfold.game.defaults import narration

        return narration.gained(self, view, action)

    def reason(self, view: Position, action: int, voice: Voice) -> str:
        """Why who is to act might do it, in one sentence from the rules, for a hint; empty where there is nothing to say of it."""
        gain = self.gain(view, action) or 0
        return voice.say("why.points", count=gain) if gain > 0 else ""

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        """What happened, in sentences: moves, dice, points with their reason. Derived from views, never stored.

        `action` is HIDDEN where the viewer may not know it; `seat` is who interrupted, if it was an interruption.
        """
        from sheepfold.game.defaults import narration

        return narration.tell(self, before, action, after, voice, seat)

    def moment(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> Moment | None:
        """What play stops for after this event, from the same views as `tell`: a round or phase that ended, roles that swap, points for
        more than one, the end. None for all else: what one player gains is shown where it happens."""
        return None

    # Help for learners: `sheepfold.game.rule_figures` draws the pictures in the rules with these.

    def rule(self, view: Position) -> str:
        """The section of the rules (its anchor in the help files) that explains what is to be decided now."""
        return ""

    def from_drawing(self, setup: Setup, drawing: Sequence[str], facts: Mapping[str, str]) -> Position:
        """A position drawn as text, where the game has such drawings."""
        raise NotImplementedError(f"{self.title} has no drawings; tell its events instead")

    def window(self, view: Position, name: str) -> tuple[float, float, float, float] | None:
        """A part of the picture by its name: left, top, width and height; None for all of it."""
        return None

    def help_values(self, setup: Setup) -> Mapping[str, object]:
        """What `{name}` stands for in the help files: numbers of the components and options in use, so that none is written there."""
        return {}

    def help(self, language: str = "en", setup: Setup | None = None) -> str:
        """The rules for players, as Markdown, in our own words; English where there is no translation.

        They tell the numbers of that set-up, or of the game as it is in its box.
        """
        from sheepfold.game.defaults import narration
        from sheepfold.messages import FALLBACK, page

        pages = self.folder / "help"
        if not (pages / f"{FALLBACK}.md").exists():
            return narration.no_rules(self, language)
        return page(pages, language, self.help_values(setup or self.setup()))


def tidy(text: str) -> str:
    """Text as it is compared: lower case, single spaces."""
    return " ".join(text.lower().split())
