"""Lesson: a guided first game, played on a normal table. `games/<name>/lesson.toml` has its steps, the game's words have its texts.

The one idea: a lesson is the log of one good game, in which some events are asked of the learner and all others (chance, the bots, turns
that are skipped) are given. So where a learner is follows from the table's own log: event by event it is what the lesson says, or one
of the other things that a step takes as well, or the learner has gone astray and may try again. Nothing else is stored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from sheepfold.core.errors import BadRecord, SheepfoldError
from sheepfold.core.position import CHANCE, Position
from sheepfold.game.game import Game, Setup
from sheepfold.game.records import Event, Record, happen

LEARNER = 0
"""The learner's seat."""


@dataclass(frozen=True)
class Step:
    """One thing that is asked of the learner. Its texts are `guide.NAME.ask`, `.good` and `.other` in the game's words."""

    name: str
    want: tuple[str, ...]
    """What is asked for, in the game's notation; the first is what 'show me' does."""
    fine: tuple[str, ...] = ()
    """Patterns of other things after which the lesson goes on all the same."""
    point: tuple[str, ...] = ()
    """Ids in the picture to look at besides what is to be tapped."""

    def takes(self, text: str) -> bool:
        return text in self.want or any(fnmatchcase(text, pattern) for pattern in self.fine)


@dataclass(frozen=True)
class Item:
    """One event of the lesson: asked for in a step, or given."""

    who: int
    text: str
    interrupt: bool = False
    step: Step | None = None
    skipped: bool = False
    """Whether it passes together with what comes before, unseen: turns that the lesson leaves out."""


@dataclass(frozen=True)
class Place:
    """Where a learner is."""

    asked: Step | None
    """What is asked now; the step that was left where the learner is astray; None while others act and at the end."""
    last: Step | None
    """The step that was taken last."""
    right: bool = True
    """Whether that was what was asked for."""
    astray: int | None = None
    """The ply at which the learner did something else."""
    given: Item | None = None
    """What happens next without the learner."""
    done: bool = False
    steps: int = 0
    """How many steps are behind."""


@dataclass(frozen=True)
class Lesson:
    """A game's lesson, read and played through once, so that it is known to work."""

    setup: Setup
    level: str
    """Of the bots, when the lesson is over and the learner plays on."""
    items: tuple[Item, ...]
    events: tuple[Event, ...] = field(repr=False)
    """The items as events, each step done as asked."""

    @property
    def steps(self) -> list[Step]:
        return [item.step for item in self.items if item.step]

    def place(self, events: Sequence[Event]) -> Place:
        """Where a log is."""
        position: Position | None = None  # made only where the log is not the lesson's own
        last, right, behind = None, True, 0
        for ply, event in enumerate(events[: len(self.items)]):
            item = self.items[ply]
            as_given = event == self.events[ply]
            if position is None and not as_given:
                position = Record(self.setup, list(events[:ply])).end()
            if position is not None:
                text = self.setup.game.write(position, event.action)
                same = event.who == item.who and event.interrupt == item.interrupt
                if not same or not (item.step.takes(text) if item.step else event == self.event(item, position)):
                    return Place(item.step, last, right, ply, steps=behind)
                happen(position, event)
                as_given = text in item.step.want if item.step else True
            if item.step:
                last, right, behind = item.step, as_given, behind + 1
        if len(events) >= len(self.items):
            return Place(None, last, right, done=True, steps=behind)
        following = self.items[len(events)]
        return Place(following.step, last, right, given=None if following.step else following, steps=behind)

    def given(self, events: Sequence[Event], position: Position) -> Event | None:
        """The event that the lesson has next, where it is not the learner's own; None where it has none that is possible."""
        item = self.place(events).given
        return self.event(item, position) if item else None

    def event(self, item: Item, position: Position) -> Event | None:
        """An item as an event of a position; None where it is not possible there."""
        return _event(self.setup.game, item, position)

    def last_ask(self, ply: int) -> int | None:
        """The last ply before that one at which the learner was asked."""
        return next((earlier for earlier in range(min(ply, len(self.items)) - 1, -1, -1) if self.items[earlier].step), None)


def _event(game: Game, item: Item, position: Position) -> Event | None:
    if not item.interrupt and int(position.to_act) != item.who:
        return None
    for text in item.step.want if item.step else (item.text,):
        with suppress(SheepfoldError):
            return Event(item.who, game.read(position, text, item.who if item.interrupt else None), item.interrupt)
    return None


@cache
def lesson(game: Game) -> Lesson | None:
    """The lesson of a game, if it has one; BadRecord says which of its events is not possible."""
    path = game.folder / "lesson.toml"
    if not path.exists():
        return None
    return read_lesson(game, tomllib.loads(path.read_text(encoding="utf-8")))


def read_lesson(game: Game, data: dict[str, Any]) -> Lesson:
    """A lesson from what its file holds, played through."""
    setup = game.setup(int(data["seats"]), None, **data.get("options", {}))
    items = _items(data.get("start", ""), skipped=True)
    for each in data["step"]:
        step = Step(each["name"], tuple(each["want"]), tuple(each.get("fine", ())), tuple(each.get("point", ())))
        items.append(Item(LEARNER, step.want[0], bool(each.get("interrupt")), step))
        items += _items(each.get("then", "")) + _items(each.get("skip", ""), skipped=True)
    position, events = setup.start(), []
    for number, item in enumerate(items, start=1):
        event = _event(game, item, position)
        if event is None:
            possible = ", ".join(game.write(position, action) for action in position.legal()[:40])
            raise BadRecord(number, f"{item.text!r} by {item.who} is not possible; {int(position.to_act)} may do {possible}")
        if item.step and item.step.want[0] != game.write(position, event.action):
            raise BadRecord(number, f"{item.text!r} must be spelt {game.write(position, event.action)!r}")
        happen(position, event)
        events.append(event)
    return Lesson(setup, str(data.get("level", "lamb")), tuple(items), tuple(events))


def _items(text: str, skipped: bool = False) -> list[Item]:
    """Lines as in a record: a seat counted from 1, with ! for an interruption, or `chance`; then the action."""
    items = []
    for line in filter(None, (line.partition("#")[0].strip() for line in text.splitlines())):
        who, _, action = line.partition(" ")
        seat = CHANCE if who == "chance" else int(who.rstrip("!")) - 1
        items.append(Item(seat, action.strip(), who.endswith("!"), skipped=skipped))
    return items
