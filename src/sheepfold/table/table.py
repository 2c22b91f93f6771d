"""Table: one game in progress, in memory, rebuilt from its log at any time.

A table never changes by itself. `plan_…` methods check a wish and answer with the events that would follow from it (the
action, then what chance makes of it); the tables stores them and then hands the plan to `happened`. So what is shown is always
what is stored. What a viewer gets is a `scene`, made from `seen_by` alone.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, HIDDEN, OVER, SPECTATOR, Position
from sheepfold.game.game import Game
from sheepfold.game.records import Event, Record, happen
from sheepfold.game.registry import find
from sheepfold.messages import Voice
from sheepfold.table.lesson import Lesson, lesson
from sheepfold.table.store import Seat, Stored

SHORT_LOG = 4
"""How many events back a game of memory is told."""


class Refused(SheepfoldError):
    """A wish that a table does not grant. The text is for programs; `key` finds the same for people, in the page's words."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text, key)


class NotYourTurn(Refused):
    """The seat is not to act, or nobody may act any more."""


class Stale(Refused):
    """The wish answers an older position than the table's."""


class NoUndo(Refused):
    """Nothing that may be taken back."""


@dataclass(frozen=True)
class Told:
    """One event as a viewer may read it."""

    ply: int
    who: int
    notation: str
    """Empty where the viewer may not know it."""
    lines: list[str]


@dataclass
class Plan:
    """What would follow from a wish: events to be stored, and the position after them."""

    events: list[Event]
    position: Position
    notes: list[tuple[int, str]]
    """Who and what of each event, in the game's notation, as the seat that acted may know it."""


_MEANT: dict[tuple[str, str], int] = {}
MOST_MEANT = 20_000

_SECRET = Dice(secrets.token_hex(32))
_NUMBERS = count()


def system_dice() -> Dice:
    """Dice that nobody can foretell: each a hash of what the system's generator gave this process, and a number used once."""
    return _SECRET.split(next(_NUMBERS))


class Holder:
    """Somebody who shows tokens, or none. For which seats is looked up once, and again when somebody else sits there."""

    __slots__ = ("_mine", "_seats", "tokens")

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self._seats: Sequence[Seat] | None = None
        self._mine: list[int] = []

    def seats(self, table: Table) -> list[int]:
        """The seats of that table that it may act for."""
        if self._seats is not table.seats:
            self._seats, self._mine = table.seats, table.seats_of(self.tokens)
        return self._mine


class Table:
    """A game in progress."""

    def __init__(self, stored: Stored, dice: Callable[[], Dice] = system_dice) -> None:
        self.id = stored.id
        self.game = find(stored.game)
        self.setup = self.game.setup(len(stored.seats), None, **stored.options)
        self.settings = stored.settings
        self._seat_all(stored.seats)
        self.created = stored.created
        self.touched = stored.touched
        self.chat = stored.chat
        self.dice = dice
        self.events: list[Event] = stored.events[:]
        self.ply = len(self.events)
        self.revision = 0
        """Grows with every change that viewers must hear of, also seats and undo."""
        self.position = Record(self.setup, self.events).end()
        self._recent = (self.ply, self.position)
        """The ply and the position before the latest move, from where most viewers want to know on."""
        self._noted: tuple[int, list[tuple[int, str]]] | None = (SPECTATOR, [])
        """Who made the latest move, and its notes for them, where there are any; without secrets for all."""
        self._mover: int | None = None
        """The seat whose person made the latest move, if that was the last thing that happened."""
        self._of_memory = self.game.tests_memory(self.setup)
        self._said: tuple[int, dict[object, bytes]] = (-1, {})
        """The revision, and what was said of it to viewers."""
        self.version = 0
        """Grows when bots have to be asked anew: by a move, by taking one back, and when somebody else plays for a seat."""
        self.undos = 0
        self.passed = -1
        """The version at which the bots were asked and did nothing, so that they are not asked again."""
        self.since = time.time()
        """When the present decision began, for the clock."""

    # Who is who.

    def _seat_all(self, seats: Sequence[Seat]) -> None:
        self.seats = tuple(seats)
        kinds = {seat.kind for seat in seats}
        self._waits, self._with_bots = "open" in kinds, "bot" in kinds

    def seat(self, number: int, sitter: Seat) -> None:
        """Somebody else sits on a seat from now on."""
        self._seat_all([sitter if each == number else seat for each, seat in enumerate(self.seats)])

    @property
    def status(self) -> str:
        """open while seats wait for people, then playing, then over."""
        if self._waits:
            return "open"
        return "over" if self.position.to_act == OVER else "playing"

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    def seats_of(self, tokens: Sequence[str]) -> list[int]:
        """The seats that these tokens may act for."""
        mine = []
        for token in map(str.encode, tokens):
            for number, seat in enumerate(self.seats):
                if seat.kind != "open" and seat.token and hmac.compare_digest(seat.token.encode(), token):
                    mine.append(number)
        return sorted(set(mine))

    def people(self) -> list[int]:
        """The seats where people sit."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person"]

    @property
    def has_bots(self) -> bool:
        """Whether a bot plays for any seat."""
        return self._with_bots or bool(self.settings.get("away"))

    @property
    def away(self) -> list[int]:
        """People's seats that a bot plays for until they are back."""
        seats = self.settings.get("away")
        return [seat for seat in seats if self.seats[seat].kind == "person"] if seats else []

    def acts_for(self, mine: Sequence[int]) -> int | None:
        """Of somebody's seats the one to act, else the one that acted last, else the first; None for who only watches."""
        turn = int(self.position.to_act)
        if turn in mine:
            return turn
        return next((event.who for event in reversed(self.events) if event.who in mine), mine[0] if mine else None)

    def is_practice(self) -> bool:
        """One person alone, against bots or solo: may take back freely."""
        return len({self.seats[number].token for number in self.people()}) <= 1

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is given at this table, unless the learner has left it."""
        return lesson(self.game) if self.settings.get("guide") == "on" else None

    # Wishes: what would happen.

    def plan_start(self) -> Plan:
        """The chance events that open a game; in a lesson all that comes before its first step."""
        return self._with_chance(Plan([], self.position.copy(), []), SPECTATOR)

    def plan_move(self, seat: int, ply: int, text: str) -> Plan:
        """A seat's action, or its interruption, with the chance that follows. An action that was stored already gives no events."""
        if ply != self.ply:
            if self.is_repeated(seat, ply, text):
                return Plan([], self.position, [])
            raise Stale("stale", "That move answers an older position; here is the current one.")
        if self._waits:
            raise NotYourTurn("not-started", "The game starts when all seats are taken.")
        if self.position.to_act == OVER:
            raise NotYourTurn("over", "The game is over.")
        interrupt = self.position.to_act != seat
        if interrupt and not self.position.interruptions(seat):
            raise NotYourTurn("not-your-turn", "It is not your turn.")
        action, note = self.read(self.known_to(seat, self.position), text, seat)
        return self.plan(Event(seat, action, interrupt), note)

    def known_to(self, viewer: int, position: Position) -> Position:
        """What a viewer knows of a position, to be looked at only; where there are no secrets, all of it, so nothing is copied."""
        return position.seen_by(viewer) if self.game.secrets else position

    def read(self, view: Position, text: str, seat: int) -> tuple[int, str]:
        """The action that a text means, and its one spelling. Mostly it is what the text meant the last time, which is quick to check."""
        last = _MEANT.get((self.game.name, text))
        if last is not None and view.to_act == seat and view.allows(last) and self.game.write(view, last) == text:
            return last, text
        action = self.game.read(view, text, seat)
        if len(_MEANT) < MOST_MEANT:
            _MEANT[self.game.name, text] = action
        return action, self.game.write(view, action)

    def is_repeated(self, seat: int, ply: int, text: str) -> bool:
        """Whether that very move is what was stored at that ply: the answer to it was lost on the way."""
        if not 0 <= ply < self.ply or self.events[ply].who != seat:
            return False
        before = Record(self.setup, self.events).end(ply)
        return self.game.write(before.seen_by(seat), self.events[ply].action) == " ".join(text.lower().split())

    def plan(self, event: Event, note: str | None = None) -> Plan:
        """An event, checked, with the chance that follows. `write_tensor` is the event in the game's notation, where that is at hand."""
        position = self.position.copy()
        if note is None:
            note = self.game.write(position.seen_by(event.who), event.action)
        happen(position, event)
        return self._with_chance(Plan([event], position, [(event.who, note)]), event.who)

    def _with_chance(self, plan: Plan, viewer: int) -> Plan:
        position = plan.position
        if self.settings.get("guide") == "on":
            self._with_given(plan, viewer, self.events)
        if position.to_act == CHANCE:
            dice = self.dice()
            while position.to_act == CHANCE:
                outcome = int(position.random_action(dice))
                note = self.game.write(self.known_to(viewer, position), outcome) if position.sees(viewer, outcome) else ""
                position.advance(outcome)
                plan.events.append(Event(CHANCE, outcome))
                plan.notes.append((CHANCE, note))
        return plan

    # In a lesson.

    def _with_given(self, plan: Plan, viewer: int, before: Sequence[Event]) -> None:
        """The chance and the skipped turns that a lesson has next."""
        assert self.lesson
        while (item := self.lesson.place([*before, *plan.events]).given) and (item.who == CHANCE or item.skipped):
            event = self.lesson.event(item, plan.position)
            if event is None:
                return
            seen = plan.position.sees(viewer, event.action)
            plan.notes.append((event.who, self.game.write(self.known_to(viewer, plan.position), event.action) if seen else ""))
            happen(plan.position, event)
            plan.events.append(event)

    def plan_given(self) -> Plan | None:
        """What a lesson's bot does next, all of its turn together; None where the lesson has nothing to do."""
        event = self.lesson.given(self.events, self.position) if self.lesson else None
        if self.lesson is None or event is None:
            return None
        plan = self.plan(event)
        while (following := self.lesson.given([*self.events, *plan.events], plan.position)) and following.who == event.who:
            happen(plan.position, following)
            plan.events.append(following)
            self._with_chance(plan, SPECTATOR)
        return plan

    def plan_shown(self) -> tuple[int, Plan]:
        """The ply to go back to, and what the lesson asks for there, done."""
        place = self.lesson.place(self.events) if self.lesson else None
        if self.lesson is None or place is None or place.asked is None:
            raise NotYourTurn("not-your-turn", "Nothing is asked of you now.")
        ply = self.ply if place.astray is None else place.astray
        before = self.events[:ply]
        position = Record(self.setup, before).end()
        event = self.lesson.event(self.lesson.items[ply], position)
        assert event, "a lesson asks for what is possible"
        happen(position, event)
        plan = Plan([event], position, [])
        self._with_given(plan, SPECTATOR, before)
        return ply, plan

    def plan_undo(self, seat: int) -> int:
        """The ply to go back to. Not after another person acted, nor after chance or hidden cards; alone against bots always.

        A game of several people that is over stays over: everybody may have looked back at it, all hands open.
        """
        asked = self.lesson.last_ask(self.ply) if self.lesson and not self.lesson.place(self.events).done else None
        if asked is not None:
            return asked
        if self.position.to_act == OVER and not self.is_practice():
            raise NoUndo("undo.over", "The game is over and everybody may look back at it, so it stands.")
        ply = next((ply for ply in range(self.ply - 1, -1, -1) if self.events[ply].who == seat), None)
        if ply is None:
            raise NoUndo("undo.none", "There is no move of yours to take back.")
        if self.is_practice():
            return ply
        if self.forgetful and self.game.shows(self.events[ply].action):
            raise NoUndo("undo.seen", "You have seen a tile by it, so it stands.")
        if ply == self.ply - 1:
            return ply
        if self.events[-1].who == CHANCE:
            raise NoUndo("undo.chance", "Chance has spoken since your move, so it stands.")
        raise NoUndo("undo.others", "Somebody else has acted since your move, so it stands.")

    # Changes, after they were stored.

    def happened(self, plan: Plan) -> None:
        """The events of this plan are stored now; nothing else has happened since it was made."""
        self._recent = (self.ply, self.position)
        who = plan.events[0].who if plan.events else SPECTATOR
        self._noted = (who, plan.notes) if len(plan.notes) == len(plan.events) else None
        self._mover = who if who >= 0 and who not in self.away else None
        self.events += plan.events
        self.ply = len(self.events)
        self.position = plan.position
        self._changed()

    def taken_back(self, ply: int) -> None:
        """Everything from that ply on is gone from the store."""
        del self.events[ply:]
        self.ply = len(self.events)
        self.undos += 1
        self.position = Record(self.setup, self.events).end()
        self._recent = (self.ply, self.position)
        self._noted, self._mover = (SPECTATOR, []), None
        self._changed()

    def _changed(self) -> None:
        self.revision += 1
        self.version += 1
        self.since = self.touched = time.time()

    # What viewers get.

    @property
    def forgetful(self) -> bool:
        """Whether people are meant to remember by themselves: then the log is short, and bots, which forget nothing, give no hints."""
        return self._of_memory and self.position.to_act != OVER

    def voice(self, language: str) -> Voice:
        voice = Voice([self.game.folder / "locale"], language)
        voice.names = [voice.name(number) if seat.kind == "open" else seat.name for number, seat in enumerate(self.seats)]
        return voice

    def _at(self, ply: int) -> Position:
        """A copy of the position at a ply."""
        recent, position = self._recent
        return position.copy() if ply == recent else Record(self.setup, self.events).end(ply)

    def latest_by(self, since: int) -> int | None:
        """The seat whose person made the move from that ply on that was the latest, if nothing else has happened since then."""
        return self._mover if since == self._recent[0] else None

    def notes(self, viewer: int, since: int) -> list[tuple[int, str]]:
        """Who and what of each event from a ply on, in the game's notation, as the viewer may know it."""
        noted = self._noted
        if noted and since == self._recent[0] and (viewer == noted[0] or not self.game.secrets):
            return noted[1]
        position = self._at(since)
        notes: list[tuple[int, str]] = []
        for event in self.events[since:]:
            known = position.sees(viewer, event.action)
            notes.append((event.who, self.game.write(self.known_to(viewer, position), event.action) if known else ""))
            happen(position, event)
        return notes

    def said(self, say: Callable[[Table, int, int], bytes], viewer: int, since: int) -> bytes:
        """What is said of the present revision. Who asks for the same is given the same, made once."""
        if self._said[0] != self.revision:
            self._said = (self.revision, {})
        texts = self._said[1]
        key = (say, viewer, since)
        return texts.get(key) or texts.setdefault(key, say(self, viewer, since))

    def shown_since(self, ply: int) -> int:
        """From which ply on the log may be told to who knows it up to that one; in a game of memory it is short."""
        return max(ply, self.ply - SHORT_LOG) if self.forgetful else ply

    def told(self, viewer: int, language: str, since: int = 0) -> list[Told]:
        """The log from a ply on, as the viewer may read it."""
        voice = self.voice(language)
        position = self._at(since)
        log = []
        before = position.seen_by(viewer)
        for ply, event in enumerate(self.events[since:], start=since):
            known = event.action if position.sees(viewer, event.action) else HIDDEN
            notation = self.game.write(before, event.action) if known != HIDDEN else ""
            happen(position, event)
            after = position.seen_by(viewer)
            lines = self.game.tell(before, known, after, voice, event.who if event.interrupt else None)
            log.append(Told(ply, event.who, notation, lines))
            before = after
        return log

    def choices(self, view: Position, actions: Sequence[int], voice: Voice) -> list[dict[str, Any]]:
        """Actions as a page offers them: what to post, what to say, what to tap."""
        return [
            {
                "action": self.game.write(view, action),
                "label": self.game.describe(view, action, voice),
                "targets": self.game.targets(view, action),
            }
            for action in actions
        ]

    def scene(self, viewer: int, language: str, log_since: int = 0) -> dict[str, Any]:
        """Everything that a viewer (a seat or SPECTATOR) may see now."""
        voice = self.voice(language)
        view = self.position.seen_by(viewer)
        playing = self.status == "playing"
        mine = playing and viewer == self.position.to_act
        interruptions = view.interruptions(viewer) if playing and viewer >= 0 and not mine else []
        over = self.position.to_act == OVER
        log_since = self.shown_since(log_since)
        scores = [int(score) for score in self.position.scores()] if over else self.shown_scores(view)
        return {
            "table": self.id,
            "game": self.game.name,
            "title": self.game.title,
            "revision": self.revision,
            "ply": self.ply,
            "status": self.status,
            "seat": viewer if viewer != SPECTATOR else None,
            "to_act": int(self.position.to_act) if self.position.to_act >= 0 else None,
            "prompt": self.game.prompt(view, voice),
            "picture": self.game.picture(view, viewer, "auto", voice),
            "outline": [vars(passage) for passage in self.game.outline(view, viewer, voice)],
            "passing": self.passing(viewer),
            "refusals": self.game.refusals(view, voice) if mine else {},
            "actions": self.choices(view, view.legal(), voice) if mine else [],
            "interruptions": self.choices(view, interruptions, voice),
            "players": [
                {
                    "seat": number,
                    "name": seat.name,
                    "kind": seat.kind,
                    "level": seat.level,
                    "score": scores[number],
                    "away": number in self.away,
                    "colour": self.game.colours[number] if self.game.colours else None,
                }
                for number, seat in enumerate(self.seats)
            ],
            "forgetful": self.forgetful,
            "undo": self.undo_refusal(viewer),
            "left": self.seconds_left(),
            "ranks": [int(rank) for rank in self.position.ranks()] if over else None,
            "log": [vars(told) for told in self.told(viewer, language, log_since)],
            "log_since": log_since,
        }

    def passing(self, viewer: int) -> str:
        """What was seen only for a moment in the last decision and the chance that followed it."""
        if type(self.game).passing is Game.passing or not self.events:
            return ""
        since = max((ply for ply, event in enumerate(self.events) if event.who != CHANCE), default=0)
        position, shown = Record(self.setup, self.events).end(since), ""
        for event in self.events[since:]:
            before = position.seen_by(viewer)
            known = event.action if position.sees(viewer, event.action) else HIDDEN
            happen(position, event)
            shown += self.game.passing(before, known, position.seen_by(viewer))
        return shown

    def undo_refusal(self, viewer: int) -> str | None:
        """Why a viewer can take nothing back now, as a key of the page's words; None if it can."""
        if viewer < 0:
            return "undo.none"
        try:
            self.plan_undo(viewer)
        except NoUndo as refusal:
            return refusal.key
        return None

    def seconds_left(self) -> float | None:
        """What is left for the present decision, where there is a clock and a person is to act who is here."""
        seconds, turn = self.settings.get("seconds"), int(self.position.to_act)
        if not seconds or self.status != "playing" or turn < 0 or self.seats[turn].kind != "person" or turn in self.away:
            return None
        return max(0.0, self.since + float(seconds) - time.time())

    def shown_scores(self, view: Position) -> list[int]:
        """The points that everybody may see while the game goes on."""
        return [int(score) for score in view.scores()]


def new_table(game: str, seats: Sequence[Seat], options: dict[str, Any], settings: dict[str, Any] | None = None) -> Stored:
    """What is stored of a table before its first event; everything is checked."""
    setup = find(game).setup(len(seats), None, **options)
    now = time.time()
    return Stored(
        secrets.token_urlsafe(9), setup.game.name, list(seats), dict(setup.changed_options()), dict(settings or {}), setup.digest,
        "open", now, now,
    )  # fmt: skip
