"""Table: a game in progress as a server has it: a session, with who sits where, settings, a clock and a lesson.

A table never changes by itself. `plan_…` methods check a wish and answer with the events that would follow from it (the
action, then what chance or a lesson makes of it); the tables store them and then hand the plan to `happened`. So what is shown is always
what is stored. What a viewer gets is a `scene`, made from `seen_by` alone.
"""

from __future__ import annotations

import hmac
import secrets
import time
from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sheepfold.core.errors import BadOption
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, Position
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.decision import choices, outlined
from sheepfold.game.game import Game
from sheepfold.game.records import SETTLED, Event, Record
from sheepfold.game.registry import find
from sheepfold.game.session import NotYourTurn, NoUndo, Plan, Refused, Session
from sheepfold.messages import Voice
from sheepfold.table.lesson import Lesson, lesson
from sheepfold.table.rated import FIRM, FIRST_MOVES, ON, RATED, why_not
from sheepfold.table.sealed_chance import SealedChance, draws, new_secret
from sheepfold.table.store import Seat, Stored
from sheepfold.table.timing import BUDGET, PAUSE_ASKED, PAUSED, absence, deadline, has_clock, spent

T = TypeVar("T")
COMPONENTS = "components"
"""The setting of a table that is played with another component file than the game's own: its name and its text."""
COUNTS_AT = "counts_at"
"""The setting of a table that counts for others, too: the address of the page where it does. Nothing is taken back there, nobody is given a
hint, and no clock rests."""
HINTS = "hints"
"""The setting of a table where also people among themselves are given hints."""
LEASE = 3.0
"""Seconds for which what bots and clocks do at a table is the business of the server that changed it last."""


class Outdated(Refused):
    """The game was begun with pieces or rules that have changed since, so by today's it would be another game, or none."""

    def __init__(self) -> None:
        said = "This game was begun with an older version of its rules or pieces, and cannot go on here."
        super().__init__("outdated", said)


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

    def __init__(self, stored: Stored) -> None:
        self.id = stored.id
        self.game = find(stored.game)
        self.own_pieces = entered(stored.settings)
        """The component file that it is played with, where that is not the game's own of today."""
        self.setup = self.game.setup(len(stored.seats), self.own_pieces, **stored.options)
        if stored.events and self.setup.digest != stored.components and stored.printed is not None:  # as it began
            self.own_pieces = EnteredFile("components.toml", stored.printed)
            self.setup = self.game.setup(len(stored.seats), self.own_pieces, **stored.options)
        self.session = Session(Record(self.setup, stored.events[:]))
        self.made_with = stored.components, stored.rules
        """The pieces and the version of the rules that are stored with it."""
        self.outdated = False
        """Whether it can only be looked at, as far as its log can be read (`read_again`)."""
        self.settings = stored.settings
        self._seat_all(stored.seats)
        self.created = stored.created
        self.touched = stored.touched
        self.chat = stored.chat
        """The latest lines, and"""
        self.said = stored.said
        """how many there are in all."""
        self.owner = ""
        """The client that made the table, or asked for it first; its bots think in that client's turn."""
        self.chance = SealedChance(stored.secret or new_secret())
        self.sealed = bool(stored.secret)
        """Whether the secret of its chance was there from the start; not so at tables of version 0.1."""
        self.draw = self.chance.draw
        self.revision = stored.revision
        """Grows with every change, also of seats and by undo; as stored."""
        self.writer = stored.writer
        """The server that changed it last."""
        self._mover: int | None = None
        """The seat whose person made the latest move, if that was the last thing that happened."""
        self._made: tuple[int, dict[object, Any]] = (-1, {})
        """The revision, and what was made of it for viewers."""
        self.version = 0
        """Grows when bots have to be asked anew: by a move, by taking one back, and when somebody else plays for a seat."""
        self.undos, self.asides = stored.undos, stored.asides
        self.passed = -1
        """The version at which the bots were asked and did nothing, so that they are not asked again."""
        self.used = stored.used or [0.0] * len(stored.seats)
        """What each seat has used up of its time, where that is for the whole game."""
        self.since = stored.since
        """When the present decision began, for the clock."""

    @property
    def events(self) -> list[Event]:
        return self.session.events

    @property
    def ply(self) -> int:
        return self.session.ply

    @property
    def position(self) -> Position:
        return self.session.position

    # Who is who.

    def _seat_all(self, seats: Sequence[Seat]) -> None:
        self.seats = tuple(seats)
        kinds = {seat.kind for seat in seats}
        self._waits, self._with_bots = "open" in kinds, "bot" in kinds
        self._voices: dict[str, Voice] = {}

    def seat(self, number: int, sitter: Seat) -> None:
        """Somebody else sits on a seat from now on."""
        self._seat_all([sitter if each == number else seat for each, seat in enumerate(self.seats)])

    @property
    def status(self) -> str:
        """open while seats wait for people, then playing, then over; or closed, whatever it was."""
        if self.closed is not None:
            return "closed"
        if self._waits:
            return "open"
        return "over" if self.position.to_act == OVER else "playing"

    @property
    def closed(self) -> str | None:
        """Why the game has ended without a result, which may be nothing; None where that is not so."""
        return "" if self.outdated else self.settings.get("closed")

    def refuse_if_closed(self) -> None:
        """Nobody does anything at a closed table."""
        if self.outdated:
            raise Outdated
        if self.closed is not None:
            raise NotYourTurn("closed", "The host has closed this table, so the game has ended without a result.")

    @property
    def counts_at(self) -> str:
        """The page where this game counts for others, too, if there is one."""
        return str(self.settings.get(COUNTS_AT, ""))

    def refuse_if_it_counts(self) -> None:
        """Nobody is helped, or lets others wait, where that would be unfair to those at other tables."""
        if self.counts_at:
            raise NotYourTurn("counts", "This game counts elsewhere, too: there are no hints and no pauses.")

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
    def gives_hints(self) -> bool:
        """Whether nobody is spoilt the game by another's hints: they play alone against bots, or the table was made so."""
        return len(self.people()) < 2 or bool(self.settings.get(HINTS))

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
        turn = int(self.session.position.to_act)
        return turn if turn in mine else self.acted_last(mine)

    def acted_last(self, mine: Sequence[int]) -> int | None:
        """Of somebody's seats the one that acted last, else the first; None for who only watches."""
        ply = self.session.last_ply_of(mine)
        return self.events[ply].who if ply is not None else mine[0] if mine else None

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is given at this table, unless the learner has left it."""
        return lesson(self.game) if self.settings.get("guide") == "on" and self.closed is None else None

    def rated(self, seat: int) -> str | None:
        """Whether the result counts: None where nobody has asked for that; else ON, FIRM where whoever sits there can change nothing about
        it, or why not."""
        if not self.settings.get(RATED):
            return None
        if why := why_not(self.settings, self.setup.changed_options(), self.undos, self.seats):
            return why
        alone = self.people() == [seat] and self.position.to_act != OVER
        return ON if alone and sum(event.who == seat for event in self.events) <= FIRST_MOVES else FIRM

    # Wishes: what would happen.

    def plan_start(self) -> Plan:
        """The chance events that open a game; in a lesson all that comes before its first step."""
        return self._with_the_rest(self.session.plan_nothing())

    def plan_move(self, seat: int, ply: int, text: str) -> Plan:
        """A seat's action, or its interruption, with the chance that follows. An action that was stored already gives no events."""
        self.refuse_if_closed()
        if self._waits:
            raise NotYourTurn("not-started", "The game starts when all seats are taken.")
        plan = self.session.plan_move(seat, ply, text)
        return self._with_the_rest(plan) if plan.events else plan

    def plan(self, event: Event) -> Plan:
        """An event, checked, with the chance that follows."""
        return self._with_the_rest(self.session.plan(event))

    def _with_the_rest(self, plan: Plan) -> Plan:
        """The same plan with what follows without anybody's decision: chance, and what is foregone; in a lesson what that has next."""
        if self.settings.get("guide") == "on":
            self._follow_lesson(plan)
            self.session.let_chance_follow(plan, self.draw, plan.seat)
        else:
            self.session.let_follow(plan, self.draw, plan.seat)
        return plan

    def plan_undo(self, seat: int) -> int:
        """The ply to go back to: in a lesson to what was last asked for, else as is fair."""
        if self.rated(seat) == FIRM:
            raise NoUndo("undo.rated", "This game is rated, so every move stands.")
        if self.counts_at:
            raise NoUndo("undo.counts", "This game counts elsewhere, too, so every move stands.")
        asked = self.lesson.last_ask(self.ply) if self.lesson and not self.lesson.place(self.events).done else None
        if asked is not None:
            return asked
        return self.session.undo_ply(seat, [self.seats[number].token for number in self.people()])

    # In a lesson.

    def _follow_lesson(self, plan: Plan) -> None:
        """The chance and the skipped turns that a lesson has next."""
        assert self.lesson
        while (item := self.lesson.place([*self.events, *plan.events]).given) and (item.who == CHANCE or item.skipped):
            event = self.lesson.event(item, plan.position)
            if event is None:
                return
            self.session.follow(plan, event, plan.seat)

    def plan_given(self) -> Plan | None:
        """What a lesson's bot does next, all of its turn together; None where the lesson has nothing to do."""
        event = self.lesson.given(self.events, self.position) if self.lesson else None
        if self.lesson is None or event is None:
            return None
        plan = self.plan(event)
        while (following := self.lesson.given([*self.events, *plan.events], plan.position)) and following.who == event.who:
            self.session.follow(plan, following, event.who)
            self._with_the_rest(plan)
        return plan

    def ply_asked(self) -> int:
        """The ply at which the lesson asks for something: the present one, or where the learner went astray."""
        place = self.lesson.place(self.events) if self.lesson else None
        if place is None or place.asked is None:
            raise NotYourTurn("not-your-turn", "Nothing is asked of you now.")
        return self.ply if place.astray is None else place.astray

    def plan_asked(self) -> Plan:
        """What the lesson asks for now, done."""
        assert self.lesson
        event = self.lesson.event(self.lesson.items[self.ply], self.position)
        assert event, "a lesson asks for what is possible"
        return self.plan(event)

    # Changes, after they were stored.

    def happened(self, plan: Plan) -> None:
        """The events of this plan are stored now; nothing else has happened since it was made."""
        seat = plan.seat
        self._mover = seat if seat >= 0 and seat not in self.away else None
        self.session.happened(plan)
        self._changed()

    def taken_back(self, ply: int) -> None:
        """Everything from that ply on is gone from the store."""
        self.undos += 1
        self._mover = None
        self.session.take_back(ply)
        self._changed()

    def _changed(self) -> None:
        self.revision += 1
        self.version += 1
        self.since = self.touched = time.time()

    def heard(self, news: Stored) -> None:
        """What another server has stored since: events, or that a host has closed it; nothing was taken back, nobody sat down or spoke."""
        if news.events:
            self.session.went_on(news.events)
            self._mover = None
            self.touched = news.since
        self.settings = news.settings
        self.revision, self.writer, self.since, self.used = news.revision, news.writer, news.since, news.used or self.used
        self.version += 1

    def owed(self, position: Position) -> float | None:
        """In how many seconds another server may go on here at that position, if this one has not: bots at once, who lets a clock run out
        then. None where nothing happens without a person."""
        turn = int(position.to_act)
        if turn < 0 or self._waits:
            return None
        bots = [number for number, seat in enumerate(self.seats) if seat.kind == "bot" or number in self.away] if self.has_bots else []
        if turn in bots or (position.interruptible and any(position.may_interrupt(seat) for seat in bots)):
            return LEASE
        now = time.time()
        ends = deadline(self.settings, turn, now, self.used) if self.waits_for(position) is not None else None
        return None if ends is None else ends - now + LEASE

    def waits_for(self, position: Position) -> int | None:
        """The seat of the person whose decision it is at that position, if it is one who is here."""
        turn = int(position.to_act)
        if turn < 0 or self._waits or self.closed is not None or self.seats[turn].kind != "person" or turn in self.away:
            return None
        return turn

    @staticmethod
    def ended(position: Position) -> list[tuple[int, int]]:
        """The points and the rank of each seat, where that position is the end; else nothing."""
        if position.to_act != OVER:
            return []
        return [(int(score), int(rank)) for score, rank in zip(position.scores(), position.ranks(), strict=True)]

    # What viewers get.

    def voice(self, language: str) -> Voice:
        """What speaks that language and knows who sits here."""
        if language not in self._voices:
            voice = self._voices[language] = Voice([self.game.folder / "locale"], language)
            voice.names = [voice.name(number) if seat.kind == "open" else voice.called(seat.name) for number, seat in enumerate(self.seats)]
        return self._voices[language]

    def latest_by(self, since: int) -> int | None:
        """The seat whose person made the move from that ply on that was the latest, if nothing else has happened since then."""
        return self._mover if since == self.session.latest else None

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is made of the present revision. Who asks for the same is given the same, made once."""
        if self._made[0] != self.revision:
            self._made = (self.revision, {})
        made = self._made[1]
        if key not in made:
            made[key] = make()
        found: T = made[key]
        return found

    def view(self, viewer: int) -> Position:
        """What a viewer may know now, to be looked at only."""
        return self.once(("view", viewer), lambda: self.position.seen_by(viewer))

    def choices(self, view: Position, actions: Sequence[int], voice: Voice) -> list[dict[str, Any]]:
        """Actions as a page offers them: what to post, what to say, what it brings, and what to tap."""
        told = choices(self.game, view, actions, voice)
        return [{**choice, "targets": self.game.targets(view, action)} for choice, action in zip(told, actions, strict=True)]

    def scene(self, viewer: int, language: str, log_since: int = 0, theme: str = "auto") -> dict[str, Any]:
        """Everything that a viewer (a seat or SPECTATOR) may see now."""
        voice = self.voice(language)
        view = self.view(viewer)
        playing = self.status == "playing"
        mine = playing and viewer == self.position.to_act
        interruptions = view.interruptions(viewer) if playing and viewer >= 0 and not mine else []
        over = self.position.to_act == OVER
        reader = viewer if self.game.secrets else viewer == self.position.to_act  # where nothing is hidden all others read the same
        log_since = self.session.told_since(log_since)
        colours = self.game.colours or self.game.open_colours(self.view(SPECTATOR))  # what everybody knows: nobody need hide the screen
        scores = [int(score) for score in self.position.scores()] if over else self.shown_scores(view)
        return {
            "table": self.id,
            "game": self.game.name,
            "title": self.game.title,
            "revision": self.revision,
            "ply": self.ply,
            "status": self.status,
            "seat": viewer if viewer != SPECTATOR else None,
            "to_act": int(self.position.to_act) if self.position.to_act >= 0 and self.closed is None else None,
            "prompt": self.once(("prompt", reader, language), lambda: self._prompt(view, voice)),
            "picture": self.game.picture(view, viewer, theme, voice),
            "outline": outlined(self.game, view, viewer, voice),
            "passing": self.passing(viewer),
            "refusals": self.game.refusals(view, voice) if mine else {},
            "actions": self.choices(view, view.legal(), voice) if mine else [],
            "interruptions": self.choices(view, interruptions, voice),
            "players": [
                {
                    "seat": number,
                    "name": voice.called(seat.name),
                    "kind": seat.kind,
                    "level": seat.level,
                    "score": scores[number],
                    "away": number in self.away,
                    "absent": absence(self.settings, number)[1] or None,
                    "time": max(0.0, self.settings[BUDGET] - self.used[number]) if self.settings.get(BUDGET) else None,
                    "colour": colours[number] if colours else None,
                }
                for number, seat in enumerate(self.seats)
            ],
            "forgetful": self.session.forgetful,
            "hints": self.gives_hints,
            "counts": bool(self.counts_at),
            "undo": self.undo_refusal(viewer),
            "rated": self.rated(viewer),
            "left": self.seconds_left(),
            "pause": self._pause() if has_clock(self.settings) and not self.counts_at else None,
            "ranks": [int(rank) for rank in self.position.ranks()] if over else None,
            "log": [vars(told) for told in self.session.told(viewer, voice, log_since)],
            "log_since": log_since,
        }

    def _pause(self) -> dict[str, Any]:
        """Who would like the clock to rest, and whether it does."""
        return {"asked": self.settings.get(PAUSE_ASKED, []), "on": bool(self.settings.get(PAUSED))}

    def _prompt(self, view: Position, voice: Voice) -> str:
        """What is expected now, of whom; at a table that is closed, or cannot go on, that and why."""
        if self.closed is None:
            return self.game.prompt(view, voice)
        if self.outdated:
            return voice.say("outdated")
        return voice.say("closed.why", reason=self.closed) if self.closed else voice.say("closed")

    def passing(self, viewer: int) -> str:
        """What was seen only for a moment in the last decision and the chance that followed it; after an undo that is no news."""
        if type(self.game).passing is Game.passing or not self.events:
            return ""
        since = max(self.session.last_ply_of(range(len(self.seats))) or 0, self.session.latest)
        return "".join(self.game.passing(seen.before, seen.action, seen.after) for seen in self.session.seen(viewer, since))

    def undo_refusal(self, viewer: int) -> str | None:
        """Why a viewer can take nothing back now, as a key of the page's words; None if it can."""
        if viewer < 0 or self.closed is not None:
            return "undo.none"
        try:
            self.plan_undo(viewer)
        except NoUndo as refusal:
            return refusal.key
        return None

    def seconds_left(self) -> float | None:
        """What is left for the present decision, where there is a clock and a person is to act who is here."""
        turn = self.waits_for(self.position)
        ends = None if turn is None else deadline(self.settings, turn, self.since, self.used)
        return None if ends is None else max(0.0, ends - time.time())

    def used_by(self, plan: Plan, now: float) -> list[float] | None:
        """What each seat has used up of its time after a plan, where that is for the whole game."""
        turn = int(self.position.to_act)
        if not self.settings.get(BUDGET) or turn < 0 or plan.seat != turn:
            return None
        used = list(self.used)
        used[turn] += spent(self.settings, turn, self.since, now)
        return used

    @property
    def seal(self) -> str | None:
        """What shows, from the start on, that chance is settled; none where a lesson settles it, or where it was not so from the start."""
        return self.chance.seal if self.sealed and not self.settings.get("guide") else None

    def told_of_chance(self) -> dict[str, Any]:
        """The seal, and when the game is over the secret and what chance did, to be checked."""
        if self.seal is None or self.status != "over":
            return {"seal": self.seal, "secret": None, "draws": []}
        told = self.once("draws", lambda: draws(self.session, self.settings.get("begun", 0)))
        return {"seal": self.seal, "secret": self.chance.secret, "draws": told}

    def shown_scores(self, view: Position) -> list[int]:
        """The points that everybody may see while the game goes on."""
        return [int(score) for score in view.scores()]


def entered(settings: Mapping[str, Any]) -> EnteredFile | None:
    """The component file that a table is played with, if it is not the game's own."""
    return EnteredFile(*settings[COMPONENTS]) if settings.get(COMPONENTS) else None


def new_table(game: str, seats: Sequence[Seat], options: dict[str, Any], settings: dict[str, Any] | None = None) -> Stored:
    """What is stored of a table before its first event; everything is checked."""
    for name in SETTLED:
        if name in options:
            raise BadOption(f"{find(game).title} has no option {name!r}.")
    setup = find(game).setup(len(seats), entered(settings or {}), **options)
    now = time.time()
    return Stored(
        secrets.token_urlsafe(9), setup.game.name, list(seats), dict(setup.changed_options()), dict(settings or {}), setup.digest,
        "open", now, now, since=now, secret=new_secret(), rules=setup.game.rules_version,
        printed=None if setup.component_file else setup.game.printed,
    )  # fmt: skip


def read_again(stored: Stored) -> Table:
    """A table from the store. Where its game can no longer be read as it was begun, as far as it goes, to be looked at."""
    try:
        table = Table(stored)
        now, begun = table.setup.digest, stored.components
        same_pieces = now == begun or begun in table.game.same_components.get(now, ())
        if stored.events and not (same_pieces and stored.rules == table.game.rules_version):
            raise Outdated
        return table
    except Exception as error:
        unreadable = bisect_left(range(len(stored.events) + 1), True, key=lambda ply: not _can_be_read(stored, ply))
        if not unreadable:
            raise Outdated from error
        table = Table(replace(stored, events=stored.events[: unreadable - 1]))
        table.outdated = True
        return table


def _can_be_read(stored: Stored, ply: int) -> bool:
    """Whether the first events of a game are such by the rules and with the pieces of today."""
    try:
        Table(replace(stored, events=stored.events[:ply]))
        return True
    except Exception:
        return False
