"""Session: one game in progress, or one that is looked back at. It owns the log, whose turn it is, what may fairly be taken back, what each
viewer is told, and what a bot is shown.

The one idea: a session changes in two steps. `plan…` checks a wish and answers with the events that would follow and the position after
them; `happened` makes it so. Between the two somebody may store it. Whatever reaches a viewer or a bot is made here, from `seen_by` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, HIDDEN, OVER, SPECTATOR, Position
from sheepfold.core.sequential import Sequential, ask
from sheepfold.game.game import Game
from sheepfold.game.moments import Moment
from sheepfold.game.records import Event, Record, happen
from sheepfold.messages import Voice

SHORT_LOG = 4
"""How many events back a game of memory is told."""
KEEP_EVERY = 32
"""A position is kept every so many plies, so that looking back replays only a few events."""
MOST_MEANINGS = 4096
_MEANINGS: dict[tuple[str, str], int] = {}
"""By game and text: the action that the text meant the last time."""


class Refused(SheepfoldError):
    """A wish that is not granted. The text is for programs; `key` finds the same for people, in a catalogue."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text, key)


class NotYourTurn(Refused):
    """The seat is not to act, or nobody may act any more."""


class Stale(Refused):
    """The wish answers an older position than the present one."""


class NoUndo(Refused):
    """Nothing that may be taken back."""


@dataclass
class Plan:
    """What would follow from a wish: events, and the position after them."""

    events: list[Event]
    position: Position
    notations: list[tuple[int, str]]
    """Who and what of each event, in the game's notation, as the seat that began it may know it."""

    @property
    def seat(self) -> int:
        """The seat that began it; SPECTATOR where chance did, or nothing happens."""
        who = self.events[0].who if self.events else SPECTATOR
        return who if who >= 0 else SPECTATOR


class Seen(NamedTuple):
    """One event as a viewer saw it."""

    ply: int
    event: Event
    action: int
    """HIDDEN where the viewer may not know which it was."""
    before: Position
    after: Position


@dataclass(frozen=True)
class Told:
    """One event as a viewer may read it."""

    ply: int
    who: int
    notation: str
    """Empty where the viewer may not know it."""
    lines: list[str]


class Session:
    """A game and all that happened in it so far. Positions that it hands out as they are, are to be looked at only."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.setup = record.setup
        self.game = record.setup.game
        self.events = record.events
        """The log. It is the record's own, so the record is always that of the game as it is now."""
        self.tests_memory = self.game.tests_memory(self.setup)
        position = self.setup.start()
        self._kept = [(0, position.copy())]
        """Positions by ply, from which later ones are replayed."""
        for ply, event in enumerate(self.events, start=1):
            happen(position, event)
            if ply % KEEP_EVERY == 0:
                self._kept.append((ply, position.copy()))
        self.faded = 0
        """In a game of memory: before that ply nothing is told again, though the game was taken back to where it had been."""
        self._stand(position)

    def _stand(self, position: Position) -> None:
        """Here the game is, and what came before is no move of just now."""
        self.position = position
        self.ply = len(self.events)
        self.latest = self.ply
        """The ply at which the latest move began, from where most viewers want to know on."""
        self._before = position
        self._notations: tuple[int, list[tuple[int, str]]] | None = None
        """Who made the latest move, and its notations for them; without secrets for all. None where they were not needed yet."""

    # The log.

    @property
    def over(self) -> bool:
        return self.position.to_act == OVER

    def at(self, ply: int) -> Position:
        """A copy of the position after so many events."""
        if ply == self.latest:
            return self._before.copy()
        if ply == self.ply:
            return self.position.copy()
        known, position = next(kept for kept in reversed(self._kept) if kept[0] <= ply)
        position = position.copy()
        for event in self.events[known:ply]:
            happen(position, event)
        return position

    def last_ply_of(self, seats: Collection[int], before: int | None = None) -> int | None:
        """The ply of the last thing that one of these seats did, in all or before a ply."""
        return next((ply for ply in range((self.ply if before is None else before) - 1, -1, -1) if self.events[ply].who in seats), None)

    def _last_decision_of(self, seat: int) -> int | None:
        """The ply of the last thing that a seat decided; what was foregone is not taken back by itself."""
        ply = self.last_ply_of((seat,))
        while ply is not None and self.foregone(self.at(ply)) == self.events[ply].action:
            ply = self.last_ply_of((seat,), ply)
        return ply

    # Going on.

    def plan_move(self, seat: int, ply: int, text: str) -> Plan:
        """A seat's action, or its interruption, that answers a ply. An action that has happened already gives no events."""
        if ply != self.ply:
            if self._is_repeated(seat, ply, text):
                return Plan([], self.position, [])
            raise Stale("stale", "That move answers an older position; here is the current one.")
        turn = self.position.to_act
        if turn == OVER:
            raise NotYourTurn("over", "The game is over.")
        interrupt = turn != seat
        if interrupt and not self.position.interruptions(seat):
            raise NotYourTurn("not-your-turn", "It is not your turn.")
        action, notation = self.read(seat, text)
        return self.plan(Event(seat, action, interrupt), notation)

    def read(self, seat: int, text: str) -> tuple[int, str]:
        """The action that a seat means by a text, and its one spelling. Mostly it is what that text meant last, which is quick to check."""
        game = self.game
        view = self.position.seen_by(seat) if game.secrets else self.position  # looked at only: no copy where nothing is hidden
        last = _MEANINGS.get((game.name, text))
        if last is not None and view.to_act == seat and view.allows(last) and game.write(view, last) == text:
            return last, text
        action = game.read(view, text, seat)
        if len(_MEANINGS) < MOST_MEANINGS:
            _MEANINGS[game.name, text] = action
        return action, game.write(view, action)

    def _is_repeated(self, seat: int, ply: int, text: str) -> bool:
        """Whether that very move is what happened at that ply: the answer to it was lost on the way."""
        if not 0 <= ply < self.ply or self.events[ply].who != seat:
            return False
        return self.game.write(self.at(ply).seen_by(seat), self.events[ply].action) == " ".join(text.lower().split())

    def plan(self, event: Event, notation: str | None = None) -> Plan:
        """An event, with all checks. Its notation is written where it is not at hand."""
        position = self.position.copy()
        if notation is None:
            notation = self.notation(position, event.action, event.who if event.who >= 0 else SPECTATOR)
        happen(position, event)
        return Plan([event], position, [(event.who, notation)])

    def plan_nothing(self) -> Plan:
        """A plan in which something may follow all the same, as chance does at the start."""
        return Plan([], self.position.copy(), [])

    def follow(self, plan: Plan, event: Event, viewer: int) -> None:
        """Let another event be part of a plan, with all checks; `viewer` is whose notations it has."""
        plan.notations.append((event.who, self.notation(plan.position, event.action, viewer)))
        happen(plan.position, event)
        plan.events.append(event)

    def let_chance_follow(self, plan: Plan, draw: Callable[[Position, int], int], viewer: int) -> None:
        """Let chance do all that it has to, until somebody is to act. `draw` is asked for the outcome at a position and its ply."""
        position = plan.position
        while position.to_act == CHANCE:
            outcome = draw(position, self.ply + len(plan.events))
            plan.notations.append((CHANCE, self.notation(position, outcome, viewer)))
            position.advance(outcome)
            plan.events.append(Event(CHANCE, outcome))

    def let_follow(self, plan: Plan, draw: Callable[[Position, int], int], viewer: int) -> None:
        """Let all happen that needs nobody's decision: chance, and what is foregone."""
        self.let_chance_follow(plan, draw, viewer)
        while (action := self.foregone(plan.position)) is not None:
            self.follow(plan, Event(int(plan.position.to_act), action), viewer)
            self.let_chance_follow(plan, draw, viewer)

    def foregone(self, position: Position) -> int | None:
        """What is done by itself at a position, since the decision there changes nothing (`Game.foregone`); None where there is one."""
        if type(self.game).foregone is Game.foregone or position.to_act < 0:
            return None
        return self.game.foregone(position.seen_by(int(position.to_act)))

    def happened(self, plan: Plan) -> None:
        """What was planned is so; nothing else has happened since."""
        self.latest, self._before = self.ply, self.position
        if self.ply >= self._kept[-1][0] + KEEP_EVERY:
            self._kept.append((self.ply, self.position))
        self._notations = (plan.seat, plan.notations)
        self.events += plan.events
        self.ply = len(self.events)
        self.position = plan.position

    def went_on(self, events: Sequence[Event]) -> None:
        """More has happened, somewhere else, all of it stored."""
        position = self.position.copy()
        for event in events:
            happen(position, event)
        self.happened(Plan(list(events), position, []))
        self._notations = None

    # Going back.

    def is_practice(self, people: Sequence[object]) -> bool:
        """Whether what is taken back is nobody else's business. `people` has for each person's seat who acts for it.

        So it is for one person alone, solo or among bots, and where one and the same acts for all of them: that one plays both sides, or
        they share a screen and agree. A game of memory would be no game there if everybody looked again as they like, so in it seats are
        people.
        """
        return len(people) <= 1 or (not self.tests_memory and len(set(people)) == 1)

    def undo_ply(self, seat: int, people: Sequence[object]) -> int:
        """The ply to go back to when a seat takes its last action back; NoUndo where that would not be fair.

        In practice it always is. Among people an action stands when somebody else has acted since, when chance has, when something was
        seen by it that is to be remembered, and when the game is over: everybody may have looked back at it then, all hands open.
        """
        alone = self.is_practice(people)
        ply = self._last_decision_of(seat)
        if self.over and not alone:
            raise NoUndo("undo.over", "The game is over and everybody may look back at it, so it stands.")
        if ply is None:
            raise NoUndo("undo.none", "There is no move of yours to take back.")
        if alone:
            return ply
        if self.forgetful and self.game.shows(self.events[ply].action):
            raise NoUndo("undo.seen", "You have seen something by it, so it stands.")
        if all(event.who == seat for event in self.events[ply:]):  # what followed by itself included
            return ply
        if self.events[-1].who == CHANCE:
            raise NoUndo("undo.chance", "Chance has spoken since your move, so it stands.")
        raise NoUndo("undo.others", "Somebody else has acted since your move, so it stands.")

    def take_back(self, ply: int) -> None:
        """All from that ply on has not happened."""
        position = self.at(ply)
        self.faded = min(self.told_since(self.faded), ply)
        del self.events[ply:]
        self._kept = [kept for kept in self._kept if kept[0] <= ply]
        self._stand(position)

    # What viewers get.

    @property
    def forgetful(self) -> bool:
        """Whether people are meant to remember by themselves: then the log is short, and bots, which forget nothing, give no hints."""
        return self.tests_memory and self.position.to_act != OVER

    def view(self, viewer: int, ply: int | None = None) -> Position:
        """What a viewer may know now, or after so many events."""
        return (self.position if ply is None else self.at(ply)).seen_by(viewer)

    def notation(self, position: Position, action: int, viewer: int) -> str:
        """What happens at a position, in the game's notation; empty where the viewer may not know it."""
        if not position.sees(viewer, action):
            return ""
        return self.game.write(position.seen_by(viewer) if self.game.secrets else position, action)

    def notations(self, viewer: int, since: int) -> list[tuple[int, str]]:
        """Who and what of each event from a ply on, in the game's notation, as the viewer may know it."""
        if self._notations and since == self.latest and (viewer == self._notations[0] or not self.game.secrets):
            return self._notations[1]
        position = self.at(since)
        notations = []
        for event in self.events[since:]:
            notations.append((event.who, self.notation(position, event.action, viewer)))
            happen(position, event)
        return notations

    def seen(self, viewer: int, since: int = 0, until: int | None = None) -> Iterator[Seen]:
        """The events from one ply to another (by default until now), each as the viewer saw it."""
        position = self.at(since)
        before = position.seen_by(viewer)
        for ply, event in enumerate(self.events[since:until], start=since):
            action = event.action if position.sees(viewer, event.action) else HIDDEN
            happen(position, event)
            after = position.seen_by(viewer)
            yield Seen(ply, event, action, before, after)
            before = after

    def tell(self, seen: Seen, voice: Voice) -> Told:
        """What a viewer saw, to be read."""
        event = seen.event
        notation = self.game.write(seen.before, event.action) if seen.action != HIDDEN else ""
        lines = self.game.tell(seen.before, seen.action, seen.after, voice, event.who if event.interrupt else None)
        return Told(seen.ply, event.who, notation, lines)

    def told(self, viewer: int, voice: Voice, since: int = 0, until: int | None = None) -> list[Told]:
        """The log from one ply to another, as the viewer may read it."""
        return [self.tell(seen, voice) for seen in self.seen(viewer, since, until)]

    def moment(self, seen: Seen, voice: Voice) -> Moment | None:
        """What play stops for after what a viewer saw, if it does."""
        return self.game.moment(seen.before, seen.action, seen.after, voice, seen.event.who if seen.event.interrupt else None)

    def moments(self, viewer: int, voice: Voice, since: int = 0, until: int | None = None) -> list[tuple[int, Moment]]:
        """The moments from one ply to another, as the viewer may read them, each with the ply of its event."""
        if type(self.game).moment is Game.moment:
            return []
        found = ((seen.ply, self.moment(seen, voice)) for seen in self.seen(viewer, since, until))
        return [(ply, moment) for ply, moment in found if moment]

    def told_since(self, ply: int) -> int:
        """From which ply on the log may be told to who knows it up to that one; in a game of memory it is short."""
        return max(ply, self.ply - SHORT_LOG, self.faded) if self.forgetful else ply

    def shown_to_bot(self, seat: int, ply: int | None = None) -> Position:
        """What a bot is shown to decide for a seat, or to advise it, now or after so many events."""
        return shown_to_bot(self.position if ply is None else self.at(ply), seat)


def shown_to_bot(position: Position, seat: int) -> Position:
    """The seat's own view. Where there are interruptions the bot is asked whether to interrupt, or it is to act and everybody else has
    let the turn go on."""
    view = position.seen_by(seat)
    if view.to_act != seat:
        return ask(view, seat)
    return Sequential(view, view.seats - 1) if view.interruptible else view
