"""Lines of play: a game set up in each of its ways and played at random, with a copy of the position kept at every ply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, HiddenInformation, IllegalAction, Position
from sheepfold.core.sequential import sequential
from sheepfold.game.game import Game, Setup
from sheepfold.game.levels import COMPILED
from sheepfold.game.records import Event, Record, happen
from sheepfold.messages import Voice

COLUMNS = 100
"""How wide the screen is on which text has to fit."""
ROWS = 16
"""How many lines an excerpt of a picture may have."""
INTERPRETED_SHARE = 8
"""Interpreted runs do this many times less of whatever can be done more or less thoroughly."""


def effort(number: int) -> int:
    """That many where the rules are compiled, fewer where they are interpreted."""
    return number if COMPILED else max(1, number // INTERPRETED_SHARE)


@dataclass(frozen=True)
class Case:
    """One way to set a game up, played plainly or through the sequential wrapper."""

    setup: Setup
    wrapped: bool = False

    def __str__(self) -> str:
        options = "".join(f" {name}={value}" for name, value in self.setup.changed_options().items())
        return f"{self.setup.game.name} {self.setup.seats}{options}{' sequential' if self.wrapped else ''}"

    @property
    def plain(self) -> bool:
        """Whether all options are at their defaults."""
        return not self.setup.changed_options()

    def start(self) -> Position:
        first = self.setup.start()
        return sequential(first) if self.wrapped else first

    def voice(self, language: str) -> Voice:
        return Voice([self.setup.game.folder / "locale"], language)


def cases(game: Game, seats: int | None = None) -> list[Case]:
    """Every number of seats with every option at each of its values, the others at their defaults; of values that are seats the last."""
    found = []
    for count in game.seats if seats is None else [seats]:
        changes: list[dict[str, Any]] = [{}]
        for option in game.options:
            values = [value for value in option.values_for(count) if value != option.default]
            changes += [{option.name: value} for value in (values[-1:] if option.names_seat else values)]
        for change in changes:
            setup = game.setup(count, **change)
            found.append(Case(setup))
            if setup.start().interruptible:
                found.append(Case(setup, wrapped=True))
    return found


def state(position: Position) -> tuple[object, ...]:
    """What a position answers, to see whether it has changed."""
    to_act = int(position.to_act)
    try:
        legal: object = position.legal()
    except HiddenInformation:
        legal = None
    return (to_act, int(position.viewer), position.key(), legal, position.scores(), position.ranks(), position.census())


def digest(*parts: object) -> str:
    """A short sum of whatever prints the same in every process."""
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def spaced(plies: Sequence[int], number: int) -> list[int]:
    """About that many of the plies, evenly, the first and the last among them; the middle one where one is wanted."""
    count = len(plies)
    if count <= number:
        return list(plies)
    if number < 2:
        return [plies[count // 2]]
    return [plies[index] for index in sorted({round(step * (count - 1) / (number - 1)) for step in range(number)})]


@dataclass
class Pair:
    """A position of the line and a different one that the viewer cannot tell from it."""

    ply: int
    viewer: int
    truth: Position
    other: Position

    @property
    def views(self) -> tuple[Position, Position]:
        """What the viewer sees of the one and of the other."""
        return self.truth.seen_by(self.viewer), self.other.seen_by(self.viewer)


@dataclass
class Line:
    """A game from its start to wherever it got: events, and a copy of the position before each and after the last."""

    case: Case
    seed: str
    events: list[Event] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    """Of each position, taken when it was reached."""
    pairs: list[Pair] | None = None
    """What `worlds.pairs` found on this line, once it has been asked."""

    @property
    def setup(self) -> Setup:
        return self.case.setup

    @property
    def game(self) -> Game:
        return self.case.setup.game

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def finished(self) -> bool:
        return int(self.last.to_act) == OVER

    @property
    def viewers(self) -> list[int]:
        return [*range(self.setup.seats), SPECTATOR]

    def dice(self, *names: object) -> Dice:
        return Dice(self.seed).split(*names)

    def keep(self, position: Position) -> None:
        self.positions.append(position.copy())
        self.digests.append(digest(state(self.last)))

    def plies(self, number: int) -> list[int]:
        """About that many plies, spread over the line, the first and the last among them."""
        return spaced(range(len(self.positions)), number)

    def where(self, ply: int) -> str:
        """The place, for messages."""
        return f"{self.case}, seed {self.seed}, ply {ply}"

    @cached_property
    def seen(self) -> dict[int, list[bool]]:
        """For each viewer, whether each event was seen."""
        moments = list(zip(self.positions, self.events, strict=False))
        return {viewer: [bool(position.sees(viewer, event.action)) for position, event in moments] for viewer in self.viewers}

    @cached_property
    def turned_up(self) -> list[int]:
        """For each ply, the ply from which on hidden things are still hidden."""
        since, found = 0, [0]
        for ply, event in enumerate(self.events):
            if self.positions[ply].reveals(event.action):
                since = ply + 1
            found.append(since)
        return found

    def record(self, ply: int | None = None) -> Record:
        return Record(self.setup, self.events[:ply])


def options_now(position: Position) -> list[tuple[int, int, bool]]:
    """Everything that could happen now, as (who, action, whether out of turn)."""
    found = [(int(position.to_act), action, False) for action in position.legal()]
    if position.interruptible:
        for seat in range(position.seats):
            found += [(seat, action, True) for action in position.interruptions(seat)]
    return found


def play(case: Case, seed: object, choices: list[int] | None = None, most: int | None = None) -> Line:
    """A line of play: at random, or by `choices`, numbers that are taken modulo what could happen; then it stops where they do.

    It does not trust `random_action`, and stops where the rules contradict themselves, for a check to say so.
    """
    line = Line(case, str(seed))
    dice = line.dice("play")
    position = case.start()
    line.keep(position)
    bound = int(position.ply_bound) + 1 if most is None else most
    while int(position.to_act) != OVER and len(line.events) < (bound if choices is None else len(choices)):
        event = next_event(position, dice, None if choices is None else choices[len(line.events)])
        if event is None:
            break
        try:
            happen(position, event)
        except IllegalAction:
            break
        line.events.append(event)
        line.keep(position)
    return line


def next_event(position: Position, dice: Dice, choice: int | None) -> Event | None:
    """What happens next, drawn or by `choice`; None where nothing can."""
    if choice is not None:
        found = options_now(position)
        return Event(*found[choice % len(found)]) if found else None
    if position.interruptible and dice.below(3) == 0:
        out_of_turn = [(seat, action) for seat in range(position.seats) for action in position.interruptions(seat)]
        if out_of_turn:
            seat, action = out_of_turn[dice.below(len(out_of_turn))]
            return Event(seat, action, True)
    actions = position.legal()
    if not actions:
        return None
    index = int(dice.below(len(actions)))
    if int(position.to_act) == CHANCE:
        weights = position.weights()
        if len(weights) == len(actions) and min(weights) > 0:
            index = int(dice.weighted(weights))
    return Event(int(position.to_act), actions[index])


def play_on(position: Position, dice: Dice, most: int) -> None:
    """Go on at random, for at most that many events."""
    for _ in range(most):
        event = None if int(position.to_act) == OVER else next_event(position, dice, None)
        if event is None:
            return
        happen(position, event)
