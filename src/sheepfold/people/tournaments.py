"""Tournaments: many tables, round after round, until it is known who plays best. Anybody announces one, and anybody enters.

All of it is in rows, so nothing is lost when a server ends. Every second each server looks at those that are running, and goes on with
those that no other does (`writer`, until `due`): how tables have ended is written down; when all of a round have, the next one is paired,
and stored only if nothing else has changed meanwhile (`revision`); where a pairing has no table yet one is made, in one transaction with
who sits there and with the note that it has one now. So whatever a server had in mind when it ended, another one finds what is missing,
and does nothing twice.

People play at their tables as at any other, and are told of them as of any other. Where only bots sit and nobody looks, a game is played in
the bots' processes, in turns with everybody else's.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, exists, func, insert, or_, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from sheepfold.bots import STAND_IN
from sheepfold.game.game import Game
from sheepfold.game.registry import find, names
from sheepfold.game.session import Refused
from sheepfold.people.identity import person_of
from sheepfold.people.looking import end, for_ever
from sheepfold.people.pairing import Player, Round, everybody, rounds_of_all, swiss, table_sizes
from sheepfold.people.standings import Played, Standing, standings
from sheepfold.people.ways import transaction
from sheepfold.table.bot_players import bot_names
from sheepfold.table.schema import entrants, pairings, results, seats, tables, tournaments
from sheepfold.table.store import Overtaken, Seat
from sheepfold.table.table import COMPONENTS, COUNTS_AT
from sheepfold.table.tables import Tables, bot_seat, distinct, person_seat
from sheepfold.table.timing import BUDGET, SECONDS

log = logging.getLogger("sheepfold")

ANNOUNCED, RUNNING, ENDED, OFF = "announced", "running", "over", "off"
SWISS, EVERYBODY = "swiss", "everybody"
KINDS = (SWISS, EVERYBODY)
MOST_PLAYERS = {SWISS: 1000, EVERYBODY: 64}
"""How many take part at most; where everybody meets everybody there are as many rounds."""
MOST_ROUNDS = 20
"""Of a Swiss tournament."""
MOST_AT_ONCE = 3
"""How many tournaments somebody may have announced that are not over."""
LEASE = 10.0
"""Seconds after which another server goes on with a tournament that one wanted to go on with."""
TOGETHER = 25
"""How many tables are made at a time, so that moves need not wait long."""
LISTED = 60
"""How many a list shows."""
SOME = 8
"""How many tables of bots go on before it is looked what has ended, for each process."""
TURNS = "tournaments"
"""The client in whose turns bots play among themselves, and rounds are paired."""


class NoTournament(Refused):
    """There is none at that address."""


class NotNow(Refused):
    """What somebody wants of a tournament cannot be, or not any more."""


class BadRules(Refused):
    """A tournament that nobody could play."""


@dataclass(frozen=True)
class Rules:
    """How a tournament is played."""

    seats: int
    """At a table, at most."""
    kind: str = SWISS
    rounds: int = 5
    twice: bool = False
    """Where everybody meets everybody: and then once more."""
    seconds: int | None = None
    budget: int | None = None
    """The clock of its tables; there is one, or nobody would know when it ends."""
    levels: Sequence[str] = ()
    """Bots of these levels fill up the tables; none where there are none."""
    fill: int = 0
    """So many players there are to be, with bots."""
    late: int = 1
    """The last round that somebody may still enter for."""
    listed: bool = True

    def checked(self, game: Game) -> Rules:
        """The same, if it can be played."""
        if self.seats < 2 or self.seats not in game.seats:
            raise BadRules("tournament.seats", f"{game.title} is not played by {self.seats} against each other")
        if self.kind not in KINDS or not 1 <= self.rounds <= MOST_ROUNDS or not 0 <= self.late <= MOST_ROUNDS:
            raise BadRules("tournament.rounds", f"a tournament is one of {', '.join(KINDS)}, with 1 to {MOST_ROUNDS} rounds")
        if not self.seconds and not self.budget:
            raise BadRules("tournament.clock", "a tournament needs a clock, for a move or for a game: else nobody knows when it ends")
        if not 0 <= self.fill <= MOST_PLAYERS[self.kind]:
            raise BadRules("tournament.players", f"no more than {MOST_PLAYERS[self.kind]} can take part")
        return self

    def sizes(self, game: Game) -> list[int]:
        """How many may sit at a table."""
        return [count for count in game.seats if 2 <= count <= self.seats]


@dataclass(frozen=True)
class Entrant:
    """Who takes part."""

    number: int
    person: str | None
    """Nobody else's business; None for a bot, and for who has let themselves be forgotten."""
    name: str
    level: str
    left_in: int | None

    @property
    def plays_by_itself(self) -> bool:
        """Whether a bot sits at its tables."""
        return bool(self.level) or self.person is None or self.left_in is not None


@dataclass(frozen=True)
class Paired(Played):
    """The same, with the table."""

    table: str | None = None
    """None for a bye, and before it is made."""


@dataclass(frozen=True)
class Tournament:
    """A tournament at one moment."""

    id: str
    name: str
    game: str
    rules: Rules
    organiser: str | None
    state: str
    round: int
    revision: int
    since: float
    starts: float | None
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    played: Sequence[Paired] = ()
    shown: dict[object, str] = field(default_factory=dict, compare=False, repr=False)
    """What was made of it for pages: who asks for the same is given the same, made once."""

    @cached_property
    def lots(self) -> list[int]:
        """Everybody in an order that nobody has chosen, the same each time."""
        return sorted(self.entrants, key=lambda number: sha256(f"{self.id} {number}".encode()).digest())

    @cached_property
    def standings(self) -> list[Standing]:
        """The best first; who has left before the first round is not among them."""
        there = {each.entrant for each in self.played}
        return standings([each for each in self.lots if each in there or self.entrants[each].left_in is None], self.played)

    @cached_property
    def before(self) -> list[Standing]:
        """The same as they were when the present round began; at the end as they are."""
        return self.standings if self.state == ENDED else standings(self.lots, [each for each in self.played if each.round < self.round])

    @property
    def here(self) -> list[Entrant]:
        """Who has not left."""
        return [each for each in self.entrants.values() if each.left_in is None]

    @property
    def can_be_entered(self) -> bool:
        """Whether somebody may come, now that so many are there."""
        coming = self.state == ANNOUNCED or (self.state == RUNNING and self.rules.kind == SWISS and self.round < self.rules.late)
        return coming and len(self.here) < MOST_PLAYERS[self.rules.kind]

    def tables(self, number: int) -> list[list[Paired]]:
        """The tables of a round, seat by seat."""
        found: dict[int, list[Paired]] = {}
        for each in self.played:
            if each.round == number and each.board is not None:
                found.setdefault(each.board, []).append(each)
        return [sorted(found[board], key=lambda each: each.seat) for board in sorted(found)]

    def byes(self, number: int) -> list[int]:
        """Who had nobody to play in a round."""
        return [each.entrant for each in self.played if each.round == number and each.board is None]

    @cached_property
    def _met(self) -> dict[int, Counter[int]]:
        found: dict[int, Counter[int]] = {number: Counter() for number in self.entrants}
        for number in range(1, self.round + 1):
            for table in self.tables(number):
                for one in table:
                    found[one.entrant].update(other.entrant for other in table if other is not one)
        return found

    def players(self, order: Iterable[int]) -> list[Player]:
        """What a pairing has to know of them, in that order."""
        points = {each.entrant: each.points for each in self.standings}
        sat: dict[int, Counter[int]] = {number: Counter() for number in self.entrants}
        byes: Counter[int] = Counter()
        for each in self.played:
            if each.board is None:
                byes[each.entrant] += 1
            else:
                sat[each.entrant][each.seat] += 1
        return [Player(number, points.get(number, 0.0), dict(self._met[number]), dict(sat[number]), byes[number]) for number in order]

    def next_round(self) -> Round:
        """The round that follows."""
        sizes = self.rules.sizes(find(self.game))
        if self.rules.kind == EVERYBODY:
            gone = {each.number for each in self.entrants.values() if each.left_in is not None}
            began = [number for number in self.lots if self.entrants[number].left_in != 0]
            return everybody(self.players(began), self.rules.seats, sizes, self.round + 1, gone)
        order = [each.entrant for each in self.standings if self.entrants[each.entrant].left_in is None]
        return swiss(self.players(order), self.rules.seats, sizes)


@dataclass(frozen=True)
class Line:
    """A tournament in a list."""

    id: str
    name: str
    game: str
    state: str
    round: int
    rounds: int
    players: int
    since: float
    mine: bool


class Tournaments:
    """The tournaments of a database, and those that this server goes on with."""

    def __init__(self, house: Tables) -> None:
        self.house, self.store = house, house.store
        self._known: dict[str, tuple[float, Tournament]] = {}
        """As they were when they were last looked at, the latest at the end."""
        self._reading: dict[str, asyncio.Lock] = {}
        self._working: dict[str, asyncio.Task[None]] = {}
        self._round: asyncio.Task[None] | None = None

    def start(self) -> None:
        """From now on, in the loop."""
        self._round = for_ever("tournaments", self.look)

    async def close(self) -> None:
        await end([*self._working.values(), *([self._round] if self._round else [])])

    # What people do.

    async def announce(self, device: str, name: str, game: Game, rules: Rules, starts: float | None = None) -> str:
        """A new tournament, which begins when its organiser says so, or by itself; its id."""
        rules.checked(game)
        for level in rules.levels:
            self.house.bots.programs.check(level)
        self.house.quotas.make_table(listed=rules.listed)
        tournament_id, now = secrets.token_urlsafe(9), time.time()

        def work(connection: Connection) -> None:
            person = connection.scalar(select(person_of(device)))
            mine = and_(tournaments.c.organiser == person, tournaments.c.state.in_((ANNOUNCED, RUNNING)))
            if (connection.scalar(select(func.count()).where(mine)) or 0) >= MOST_AT_ONCE:
                raise NotNow("tournament.many", f"You have announced {MOST_AT_ONCE} tournaments that are not over; that is enough for now.")
            connection.execute(
                insert(tournaments).values(
                    id=tournament_id, name=name, game=game.name, settings=json.dumps(asdict(rules)), organiser=person, state=ANNOUNCED,
                    created=now, since=now, starts=starts,
                )
            )  # fmt: skip

        await self._change(work)
        return tournament_id

    async def enter(self, device: str, tournament_id: str, name: str) -> None:
        """Somebody wants to play; who had left plays again."""

        def work(connection: Connection) -> None:
            found = self._as_it_is(connection, tournament_id)
            if not found.can_be_entered:
                late = found.state != ANNOUNCED and len(found.here) < MOST_PLAYERS[found.rules.kind]
                raise NotNow("tournament.late" if late else "tournament.full", "Nobody can enter this tournament any more.")
            person = connection.scalar(select(person_of(device)))
            mine = next((each for each in found.entrants.values() if each.person == person), None)
            if mine:
                again = update(entrants).where(entrants.c.tournament_id == tournament_id, entrants.c.number == mine.number)
                connection.execute(again.values(left_in=None))
                return
            called = distinct(name, (each.name for each in found.entrants.values()))
            row = {"tournament_id": tournament_id, "number": _next_number(found.entrants), "person": person, "name": called}
            connection.execute(insert(entrants).values(**row))

        await self._change(work, tournament_id)

    async def leave(self, device: str, tournament_id: str, number: int | None = None) -> None:
        """Somebody plays no more, a bot goes on at their table. With a number the organiser has somebody else leave."""
        left: list[Entrant] = []

        def work(connection: Connection) -> None:
            found = self._as_it_is(connection, tournament_id)
            person = connection.scalar(select(person_of(device)))
            if number is not None:
                _only_for_its_organiser(found, person)
            theirs = [each for each in found.here if (each.person == person if number is None else each.number == number)]
            left[:] = theirs if found.state in (ANNOUNCED, RUNNING) else []
            for each in left:
                gone = update(entrants).where(entrants.c.tournament_id == tournament_id, entrants.c.number == each.number)
                connection.execute(gone.values(left_in=found.round))

        await self._change(work, tournament_id)
        for each in left:
            await self._stand_up(tournament_id, each)

    async def _stand_up(self, tournament_id: str, gone: Entrant) -> None:
        """A bot takes the seat of who has left, where they still play."""
        theirs = and_(pairings.c.tournament_id == tournament_id, pairings.c.entrant == gone.number, pairings.c.rank.is_(None))
        asked = select(pairings.c.table_id, pairings.c.seat).where(theirs, pairings.c.table_id.isnot(None))
        for table_id, seat in await asyncio.to_thread(self._rows, asked):
            with suppress(Refused):  # not made yet, and then it is made with a bot; or closed
                table = await self.house.table(table_id)
                if table.status == "playing" and table.seats[seat].kind == "person":
                    name = table.seats[seat].name
                    await self.house.replace(table_id, seat, bot_seat(STAND_IN, name))
                    await self.house.say(table_id, "", name)

    async def begin(self, device: str, tournament_id: str) -> None:
        """The organiser has it start."""

        def work(connection: Connection) -> None:
            found = self._as_it_is(connection, tournament_id)
            _only_for_its_organiser(found, connection.scalar(select(person_of(device))))
            if found.state == ANNOUNCED:
                self._begin(connection, found)

        await self._change(work, tournament_id)

    async def call_off(self, device: str, tournament_id: str) -> None:
        """The organiser has it end, as it is; tables that are played are played on."""

        def work(connection: Connection) -> None:
            found = self._as_it_is(connection, tournament_id)
            _only_for_its_organiser(found, connection.scalar(select(person_of(device))))
            if found.state in (ANNOUNCED, RUNNING):
                _set(connection, found.id, state=OFF, since=time.time())

        await self._change(work, tournament_id)

    async def _change(self, work: Callable[[Connection], None], tournament_id: str | None = None) -> None:
        """Do something in a transaction in which nobody else changes that tournament."""

        def alone(connection: Connection) -> None:
            if tournament_id is not None and not _set(connection, tournament_id):
                raise NoTournament("no-tournament", "There is no such tournament. Perhaps the link was cut off?")
            work(connection)

        await transaction(self.store, alone)
        if tournament_id is not None:
            self._known.pop(tournament_id, None)

    def _as_it_is(self, connection: Connection, tournament_id: str) -> Tournament:
        """A tournament without its rounds, for who changes it."""
        row = connection.execute(select(tournaments).where(tournaments.c.id == tournament_id)).mappings().one()
        return _tournament(row, connection.execute(select(entrants).where(entrants.c.tournament_id == tournament_id)).mappings().all())

    def _begin(self, connection: Connection, found: Tournament) -> None:
        """From now on it runs, with bots if they are wanted."""
        rules, people, sizes = found.rules, len(found.here), found.rules.sizes(find(found.game))
        count = people
        if rules.levels:
            count = max(people, rules.fill)
            count = min(-(-count // rules.seats) * rules.seats, MOST_PLAYERS[rules.kind])
        if not table_sizes(count, rules.seats, sizes):
            raise NotNow("tournament.few", "There are too few players for a single table.")
        first, taken = _next_number(found.entrants), {each.name for each in found.entrants.values()}
        sheep = [each for each in bot_names(count + len(taken)) if each not in taken][: count - people]
        rows = [
            {"tournament_id": found.id, "number": first + at, "name": name, "level": rules.levels[at % len(rules.levels)]}
            for at, name in enumerate(sheep)
        ]
        if rows:
            connection.execute(insert(entrants), rows)
        rounds = rules.rounds if rules.kind == SWISS else rounds_of_all(count, rules.seats, rules.twice)
        _set(connection, found.id, state=RUNNING, since=time.time(), settings=json.dumps(asdict(rules) | {"rounds": rounds}))

    # What people are shown.

    async def found(self, tournament_id: str, within: float = 0.0) -> Tournament:
        """A tournament as it is, or was so many seconds ago."""
        known = self._known.get(tournament_id)
        if known and time.monotonic() < known[0] + within:
            return known[1]
        async with self._reading.setdefault(tournament_id, asyncio.Lock()):
            now, known = time.monotonic(), self._known.get(tournament_id)
            if known and now < known[0] + within:  # somebody else has looked meanwhile
                return known[1]
            try:
                found = await asyncio.to_thread(self._load, tournament_id, known[1] if known else None)
            finally:
                self._reading.pop(tournament_id, None)
            if found is None:
                raise NoTournament("no-tournament", "There is no such tournament. Perhaps the link was cut off?")
            self._known.pop(tournament_id, None)
            self._known[tournament_id] = (now, found)
            while len(self._known) > LISTED:
                self._known.pop(next(iter(self._known)))
            return found

    def _load(self, tournament_id: str, known: Tournament | None = None) -> Tournament | None:
        """From the database, with all its rounds; the same as is known, where nothing has changed."""
        with self.store.engine.connect() as connection:
            row = connection.execute(select(tournaments).where(tournaments.c.id == tournament_id)).mappings().first()
            if row is None or (known and known.revision == row["revision"]):
                return known if row else None
            who = connection.execute(select(entrants).where(entrants.c.tournament_id == tournament_id)).mappings().all()
            met = connection.execute(select(pairings).where(pairings.c.tournament_id == tournament_id)).mappings().all()
        found = _tournament(row, who, met)
        found.standings, found.before  # noqa: B018  counted here, beside the loop
        return found

    async def numbers_of(self, device: str | None, tournament_id: str) -> set[int]:
        """Who somebody is in a tournament."""
        mine = select(entrants.c.number).where(entrants.c.tournament_id == tournament_id, entrants.c.person == person_of(device or ""))
        return {row.number for row in await asyncio.to_thread(self._rows, mine)} if device else set()

    async def is_organiser(self, device: str | None, found: Tournament) -> bool:
        if not device or not found.organiser:
            return False
        return bool([row for row in await asyncio.to_thread(self._rows, select(person_of(device))) if row[0] == found.organiser])

    async def listed(self, device: str | None) -> list[Line]:
        """Those that anybody may see and those where one takes part, what is going on first, then the latest."""
        person = person_of(device or "")
        entered = exists().where(entrants.c.tournament_id == tournaments.c.id, entrants.c.person == person, entrants.c.left_in.is_(None))
        mine = or_(entered, tournaments.c.organiser == person)
        count = select(func.count()).where(entrants.c.tournament_id == tournaments.c.id, entrants.c.left_in.is_(None)).scalar_subquery()
        shown = tournaments.c.settings.contains('"listed": true', autoescape=True)
        asked = (
            select(tournaments, count.label("players"), mine.label("mine"))
            .where(or_(shown, mine))
            .order_by(tournaments.c.state.in_((ENDED, OFF)), mine.desc(), tournaments.c.since.desc())
            .limit(LISTED)
        )
        return [
            Line(
                row.id, row.name, row.game, row.state, row.round, json.loads(row.settings)["rounds"], row.players, row.since,
                bool(device) and bool(row.mine),
            )
            for row in await asyncio.to_thread(self._rows, asked)
        ]  # fmt: skip

    def _rows(self, asked: Any) -> Sequence[Any]:
        with self.store.reading.connect() as connection:
            return connection.execute(asked).all()

    # Going on.

    async def look(self) -> None:
        """Go on with what runs and what is to begin, where no other server does."""
        due = and_(tournaments.c.state == ANNOUNCED, tournaments.c.starts <= time.time())
        running = and_(or_(tournaments.c.state == RUNNING, due), tournaments.c.game.in_(names()), self.store.free(tournaments))
        for row in await asyncio.to_thread(self._rows, select(tournaments.c.id, tournaments.c.writer).where(running)):
            if self.store.shared and not await self._claimed(row.id):
                continue
            if row.id not in self._working:
                task = self._working[row.id] = asyncio.get_running_loop().create_task(self._go_on(row.id))
                task.add_done_callback(lambda _, tournament_id=row.id: self._working.pop(tournament_id, None))  # type: ignore[misc]

    async def _claimed(self, tournament_id: str) -> bool:
        """Whether this server goes on with it for a while; said again when half of that is past."""
        asked = update(tournaments).where(tournaments.c.id == tournament_id, self.store.free(tournaments))
        late = or_(tournaments.c.writer != self.store.name, tournaments.c.due.is_(None), tournaments.c.due < self.store.now() + LEASE / 2)
        ours = select(tournaments.c.id).where(tournaments.c.id == tournament_id, tournaments.c.writer == self.store.name, ~late)
        if await asyncio.to_thread(self._rows, ours):
            return True
        return await asyncio.wrap_future(self.store.whether(asked.values(writer=self.store.name, due=self.store.now() + LEASE)))

    async def _go_on(self, tournament_id: str) -> None:
        """All that is to be done now."""
        try:
            while await self.step(tournament_id):
                pass
        except SQLAlchemyError:
            log.warning("a tournament waits for the database")
        except Exception:
            log.exception("a tournament")

    async def step(self, tournament_id: str) -> bool:
        """The next thing that is to be done at a tournament; whether there may be more of it at once."""
        found = await asyncio.to_thread(self._rows, select(tournaments).where(tournaments.c.id == tournament_id))
        row = found[0] if found else None
        if row and row.state == ANNOUNCED:
            await self._begin_by_itself(tournament_id)
            return True
        if row is None or row.state != RUNNING:
            return False
        playing = await asyncio.to_thread(self._rows, _PLAYING.where(pairings.c.tournament_id == row.id, pairings.c.round == row.round))
        if not playing:
            return await self._next_round(tournament_id)
        if missing := {each.board: each.table_id for each in playing if each.status is None}:
            return await self._make(tournament_id, missing)
        if ended := [each for each in playing if each.status not in ("open", "playing")]:
            await self._write_down(tournament_id, ended)
            return True
        looked_at = self.house.listeners.any_at
        unseen = sorted({each.table_id for each in playing if not each.seated and not looked_at(each.table_id)})
        return await self._play(unseen[: SOME * self.house.bots.processes])

    async def _begin_by_itself(self, tournament_id: str) -> None:
        """Its time has come; with too few players it is off."""

        def work(connection: Connection) -> None:
            found = self._as_it_is(connection, tournament_id)
            if found.state != ANNOUNCED:
                return
            try:
                self._begin(connection, found)
            except NotNow:
                _set(connection, found.id, state=OFF, since=time.time())

        await self._change(work, tournament_id)

    async def _next_round(self, tournament_id: str) -> bool:
        """Pair the next round and store it, if nothing has changed meanwhile; or it is over."""
        found = await asyncio.to_thread(self._load, tournament_id)
        if found is None or found.state != RUNNING or any(each.board is not None and each.rank is None for each in found.played):
            return False
        ends = found.round >= found.rules.rounds or len(found.here) < 2
        made = Round([]) if ends else await self.house.bots.in_process(TURNS, found.next_round)
        goes_on = bool(made.tables or (made.byes and found.rules.kind == EVERYBODY))
        changed: dict[str, Any] = {"round": found.round + 1} if goes_on else {"state": ENDED}
        rows: list[dict[str, Any]] = [
            {"round": found.round + 1, "entrant": entrant, "board": board, "seat": seat}
            for board, table in enumerate(made.tables)
            for seat, entrant in enumerate(table)
        ]
        rows += [{"round": found.round + 1, "entrant": entrant, "board": None, "seat": 0} for entrant in made.byes]

        def work(connection: Connection) -> None:
            as_known = and_(tournaments.c.revision == found.revision, tournaments.c.state == RUNNING)
            if _set(connection, tournament_id, as_known, since=time.time(), **changed) and goes_on:
                connection.execute(insert(pairings), [{"tournament_id": tournament_id, **row} for row in rows])

        await transaction(self.store, work)
        return True

    async def _make(self, tournament_id: str, missing: Mapping[int, str | None]) -> bool:
        """The tables of a round that are not there yet, or no more: by board what was noted then. Whether all could be made."""
        found = await asyncio.to_thread(self._load, tournament_id)
        wanted = [table for table in found.tables(found.round) if table[0].board in missing] if found else []
        made: list[bool] = []
        for start in range(0, len(wanted), TOGETHER):
            assert found
            some = wanted[start : start + TOGETHER]
            made += await asyncio.gather(*(self._make_one(found, table, missing[table[0].board or 0]) for table in some))
        return all(made)

    async def _make_one(self, found: Tournament, sitting: Sequence[Paired], noted: str | None) -> bool:
        here = [found.entrants[each.entrant] for each in sitting]
        tokens = {each.person: person_seat("").token for each in here}  # one for who was two people before they carried their games over
        seated = [
            bot_seat(each.level or STAND_IN, each.name) if each.plays_by_itself else Seat("person", each.name, tokens[each.person])
            for each in here
        ]
        settings: dict[str, Any] = {SECONDS: found.rules.seconds, BUDGET: found.rules.budget, COUNTS_AT: f"/tournament/{found.id}"}
        if usual := self.house.components.get(found.game):
            settings[COMPONENTS] = [usual.name, usual.text]

        def sit_down(connection: Connection, table_id: str) -> None:
            _set(connection, found.id)
            as_known = and_(pairings.c.tournament_id == found.id, pairings.c.round == found.round, pairings.c.board == sitting[0].board)
            as_noted = func.coalesce(pairings.c.table_id, "") == (noted or "")
            if connection.execute(update(pairings).where(as_known, as_noted).values(table_id=table_id)).rowcount != len(sitting):
                raise Overtaken("another server has made this table")
            rows = [_place(table_id, each, seat) for each, seat in zip(here, seated, strict=True) if seat.kind == "person"]
            if rows:
                connection.execute(_SIT, rows)

        try:
            await self.house.create(found.game, seated, {}, settings, also=sit_down)
        except Refused:  # another server was quicker, or it is tried again
            return False
        return True

    async def _write_down(self, tournament_id: str, ended: Sequence[Any]) -> None:
        """How tables have ended. Where a host has closed one, all share the place."""
        rows = [
            {"_round": each.round, "_entrant": each.entrant, "_rank": each.ended or 1, "_score": each.points or 0, "_id": tournament_id}
            for each in ended
        ]

        def work(connection: Connection) -> None:
            connection.execute(_WRITE_DOWN, rows)

        await self._change(work, tournament_id)

    async def _play(self, unseen: Sequence[str]) -> bool:
        """Let bots go on among themselves, each table for a moment, as many at once as there are processes; whether that did anything."""
        waiting = iter(unseen)
        moved: list[bool] = []

        async def one_after_the_other() -> None:
            for table_id in waiting:
                with suppress(Refused):  # another server is at it
                    moved.append(await self.house.bots.play_unseen(table_id, TURNS))

        await asyncio.gather(*(one_after_the_other() for _ in range(self.house.bots.processes + 1)))
        return any(moved)


def _only_for_its_organiser(found: Tournament, person: str | None) -> None:
    if not person or found.organiser != person:
        raise NotNow("tournament.organiser", "Only who has announced the tournament can do that.")


def _next_number(known: Iterable[int]) -> int:
    return max(known, default=-1) + 1


def _set(connection: Connection, tournament_id: str, *as_known: Any, **values: Any) -> bool:
    """Change a tournament, if it is as somebody knows it; whether it was."""
    wish = update(tournaments).where(tournaments.c.id == tournament_id, *as_known)
    return connection.execute(wish.values(revision=tournaments.c.revision + 1, **values)).rowcount == 1


def _place(table_id: str, who: Entrant, seat: Seat) -> dict[str, Any]:
    return {"person": who.person, "table_id": table_id, "token": seat.token}


def _tournament(row: RowMapping, who: Sequence[RowMapping], met: Sequence[RowMapping] = ()) -> Tournament:
    return Tournament(
        row["id"], row["name"], row["game"], Rules(**json.loads(row["settings"])), row["organiser"], row["state"], row["round"],
        row["revision"], row["since"], row["starts"],
        {each["number"]: Entrant(each["number"], each["person"], each["name"], each["level"], each["left_in"]) for each in who},
        [
            Paired(each["round"], each["entrant"], each["board"], each["seat"], each["rank"], each["score"] or 0, each["table_id"])
            for each in met
        ],
    )  # fmt: skip


_SIT = text("INSERT INTO places (person, table_id, token, visited) VALUES (:person, :table_id, :token, 0) ON CONFLICT DO NOTHING")
_PLAYING = (
    select(
        pairings.c.round, pairings.c.entrant, pairings.c.board, pairings.c.table_id, tables.c.status, results.c.rank.label("ended"),
        results.c.score.label("points"), exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "person").label("seated"),
    )
    .join_from(pairings, tables, tables.c.id == pairings.c.table_id, isouter=True)
    .join(results, and_(results.c.table_id == tables.c.id, results.c.seat == pairings.c.seat), isouter=True)
    .where(pairings.c.rank.is_(None), pairings.c.board.isnot(None))
)  # fmt: skip
"""Where somebody still plays in a round, as far as is written down: the table's status, if it is there, and how it has ended."""
_WRITE_DOWN = text(
    "UPDATE pairings SET rank = :_rank, score = :_score"
    " WHERE tournament_id = :_id AND round = :_round AND entrant = :_entrant AND rank IS NULL"
)
