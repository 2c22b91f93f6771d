"""Profiles: who plays rated games has a page that everybody may see, under a random number and the name that they last gave, until they
switch it off. Sitting down at a rated table, and looking at it when it is played at, is agreeing."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, bindparam, exists, select, text, update

from sheepfold.bots import LEVELS
from sheepfold.people.identity import person_of
from sheepfold.people.ratings import BOT, skills_before, why_unrated
from sheepfold.people.skill import START, Skill
from sheepfold.table.rated import RATED
from sheepfold.table.schema import places, profiles, rated_games, rated_seats, ratings, seats, tables
from sheepfold.table.store import Store

FEW = 10
"""Who has played fewer games is listed apart: their rating says little yet."""
MOST = 50
"""How many are listed of a game, of those who have played more and of these."""
EVENING = 8 * 3600.0
"""Seconds in which games are of one evening."""
EVENING_GAMES, ROW, MANY, ABOVE = 10, 5, (100, 1000), 8.0
"""How many games make an evening, how many wins a row, how many games are many; how much stronger somebody is whom to beat is a feat."""


@dataclass(frozen=True)
class Profile:
    """Somebody's page."""

    id: str
    name: str
    shown: bool


@dataclass(frozen=True)
class Rating:
    """What is known of a player of a game. A person who does not show themselves has no name."""

    game: str
    player: str
    name: str
    skill: Skill
    games: int

    @property
    def level(self) -> str:
        """Of a bot."""
        return level_of(self.player)


@dataclass(frozen=True)
class Seated:
    """A player of a rated table, as everybody may see them."""

    player: str
    name: str
    linked: bool
    skill: Skill
    """What is known of them now; or after the game, if it is counted, and"""
    before: Skill | None
    """before it, of people."""

    @property
    def level(self) -> str:
        return level_of(self.player)


@dataclass(frozen=True)
class AtTable:
    """What a rated table's page says of its players."""

    seated: Sequence[Seated]
    counted: bool
    why: str | None
    """Why it will not be, where it is over."""


@dataclass(frozen=True)
class Game:
    """A game that counted for somebody."""

    game: str
    ended: float
    rank: int
    skill: Skill
    others: Sequence[tuple[str, int, Skill]]
    """The other players, their ranks, and what was known of them after it."""

    @property
    def won(self) -> bool:
        """Alone before all others."""
        return all(rank > self.rank for _, rank, _ in self.others)


@dataclass(frozen=True)
class Record:
    """How somebody did against somebody else; nobody's name are all who do not show themselves."""

    player: str
    name: str
    wins: int
    losses: int
    shared: int

    @property
    def level(self) -> str:
        return level_of(self.player)


@dataclass(frozen=True)
class Honour:
    """Something to be proud of: which, at which game if at one, and how many."""

    kind: str
    game: str = ""
    number: int = 0


@dataclass(frozen=True)
class Page:
    """All that is shown of somebody."""

    profile: Profile
    ratings: Sequence[Rating]
    """The game that they played most often first."""
    history: dict[str, list[tuple[float, Skill]]]
    records: Sequence[Record]
    honours: Sequence[Honour]


def level_of(player: str) -> str:
    """The level of a player who is a bot; nothing for a person."""
    return player.removeprefix(BOT) if player.startswith(BOT) else ""


class Profiles:
    """Who shows themselves, in one database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def came(self, table_id: str) -> Future[None]:
        """Somebody looks at a rated table that is played at: whoever sits there and has looked at it is noted as its player."""

        def work(connection: Connection) -> None:
            found = connection.execute(select(tables.c.status, tables.c.settings).where(tables.c.id == table_id)).first()
            if found and found.status == "playing" and json.loads(found.settings).get(RATED):
                for row in connection.execute(_CAME, {"table": table_id}).all():
                    player = _profile(connection, row.person, row.name)
                    connection.execute(_NOTE, {"table_id": table_id, "seat": row.seat, "player": player})

        return self.store.write(work)

    def of(self, device: str) -> Profile | None:
        """One's own."""
        asked = select(profiles.c.id, profiles.c.name, profiles.c.shown).where(profiles.c.person == person_of(device))
        with self.store.reading.connect() as connection:
            row = connection.execute(asked).first()
        return Profile(row.id, row.name, bool(row.shown)) if row else None

    def show(self, device: str, name: str, wanted: bool) -> Future[None]:
        """From now on somebody shows themselves, under that name if they had none; or no more."""

        def work(connection: Connection) -> None:
            person = str(connection.scalar(select(person_of(device))))
            if wanted:
                _profile(connection, person, None if _has(connection, person) else name)
            connection.execute(update(profiles).where(profiles.c.person == person).values(shown=wanted))

        return self.store.write(work)

    def at(self, table_id: str) -> AtTable:
        """The players of a rated table, those who have come and the bots; by seat."""
        with self.store.reading.connect() as connection:
            table = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one()
            sitting = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)).mappings().all()
            noted = {row.seat: row for row in connection.execute(select(rated_seats).where(rated_seats.c.table_id == table_id))}
            ended: float | None = connection.scalar(select(rated_games.c.ended).where(rated_games.c.table_id == table_id))
            players = [noted[row["seat"]].player if row["seat"] in noted else _bot(row) for row in sitting]
            shown = _names(connection, players)
            now = _skills(connection, table["game"], players)
            people = [player for player in players if player and not level_of(player)]
            before = skills_before(connection, table["game"], ended, people) if ended else {}
            why = why_unrated(connection, table) if table["status"] == "over" and not ended else None
        seated = []
        for row, player in zip(sitting, players, strict=True):
            end = noted.get(row["seat"])
            skill = Skill(end.mu, end.sigma) if ended and end else now.get(player, START)
            was = before.get(player, START) if ended and not level_of(player) else None
            seated.append(Seated(player, row["name"], player in shown, skill, was))
        return AtTable(seated, bool(ended), why)

    def best(self, game: str) -> tuple[list[Rating], list[Rating]]:
        """The strongest at a game who show themselves, and the bots; those with few games apart."""
        with self.store.reading.connect() as connection:
            many, few = (connection.execute(_BEST.where(ratings.c.game == game, which)).mappings().all() for which in (_MANY, ~_MANY))
        return [_rating(row) for row in many], [_rating(row) for row in few]

    def page(self, profile_id: str) -> Page | None:
        """All that is shown of somebody; None where nobody shows themselves under that number."""
        with self.store.reading.connect() as connection:
            row = connection.execute(select(profiles).where(profiles.c.id == profile_id, profiles.c.shown)).mappings().first()
            if row is None:
                return None
            games = _games(connection, profile_id)
            known = connection.execute(select(ratings).where(ratings.c.player == profile_id)).mappings().all()
            shown = _names(connection, {player for game in games for player, _, _ in game.others})
        history: dict[str, list[tuple[float, Skill]]] = {}
        for game in games:
            history.setdefault(game.game, []).append((game.ended, game.skill))
        mine = sorted((_rating({**each, "name": row["name"]}) for each in known), key=lambda each: (-each.games, each.game))
        return Page(Profile(row["id"], row["name"], True), mine, history, records(games, shown), honours(games))


# What games come to.


def records(games: Iterable[Game], names: dict[str, str]) -> list[Record]:
    """How somebody did against each other player, the most frequent first. Those who do not show themselves are one."""
    counted: dict[str, Counter[str]] = {}
    for game in games:
        for player, rank, _ in game.others:
            known = player if player in names or level_of(player) else ""
            how = "wins" if game.rank < rank else "losses" if game.rank > rank else "shared"
            counted.setdefault(known, Counter())[how] += 1
    ordered = sorted(counted, key=lambda player: (player == "", -counted[player].total(), player))
    return [Record(each, names.get(each, ""), *(counted[each][how] for how in ("wins", "losses", "shared"))) for each in ordered]


def honours(games: Sequence[Game]) -> list[Honour]:
    """What somebody may be proud of, from their games in the order in which they ended."""
    found = [Honour("first-win", next(game.game for game in games if game.won))] if any(game.won for game in games) else []
    strongest = BOT + LEVELS[-1]
    beaten = {game.game: None for game in games for player, rank, _ in game.others if player == strongest and game.rank < rank}
    found += [Honour("strongest", game) for game in beaten]
    above = {
        game.game: None for game in games for player, rank, skill in game.others if game.rank < rank and skill.mu > game.skill.mu + ABOVE
    }
    found += [Honour("above", game) for game in above]
    for name in dict.fromkeys(game.game for game in games):
        if (row := _longest_row([game.won for game in games if game.game == name])) >= ROW:
            found.append(Honour("row", name, row))
    if (evening := _most_within([game.ended for game in games], EVENING)) >= EVENING_GAMES:
        found.append(Honour("evening", number=evening))
    found += [Honour("many", number=most) for most in MANY[::-1] if len(games) >= most][:1]
    return found


def _longest_row(won: Iterable[bool]) -> int:
    longest = row = 0
    for each in won:
        row = row + 1 if each else 0
        longest = max(longest, row)
    return longest


def _most_within(times: Sequence[float], seconds: float) -> int:
    """How many of the times, which ascend, lie within so many seconds at most."""
    most = first = 0
    for last, time_ in enumerate(times):
        while times[first] < time_ - seconds:
            first += 1
        most = max(most, last - first + 1)
    return most


# Rows.


def _bot(seat: RowMapping) -> str:
    return BOT + str(seat["level"]) if seat["kind"] == "bot" else ""


def _has(connection: Connection, person: str) -> bool:
    return bool(connection.scalar(select(exists().where(profiles.c.person == person))))


def _profile(connection: Connection, person: str, name: str | None) -> str:
    """The number under which everybody may know somebody, who is called so from now on."""
    row = {"id": secrets.token_urlsafe(9), "person": person, "name": name or "", "shown": True, "at": time.time()}
    connection.execute(_MAKE, row)
    if name:
        connection.execute(update(profiles).where(profiles.c.person == person).values(name=name))
    return str(connection.scalar(select(profiles.c.id).where(profiles.c.person == person)))


def _names(connection: Connection, players: Iterable[str]) -> dict[str, str]:
    """Of those players who show themselves the names."""
    asked = select(profiles.c.id, profiles.c.name).where(profiles.c.id.in_(set(players)), profiles.c.shown)
    return dict(tuple(row) for row in connection.execute(asked))


def _skills(connection: Connection, game: str, players: Iterable[str]) -> dict[str, Skill]:
    asked = select(ratings).where(ratings.c.game == game, ratings.c.player.in_(set(players)))
    return {row.player: Skill(row.mu, row.sigma) for row in connection.execute(asked)}


def _games(connection: Connection, player: str) -> list[Game]:
    """All games that counted for somebody, in the order in which they ended."""
    others = rated_seats.alias()
    asked = (
        select(
            rated_games.c.table_id, rated_games.c.game, rated_games.c.ended, rated_seats.c.rank, rated_seats.c.mu, rated_seats.c.sigma,
            others.c.player, others.c.rank.label("other_rank"), others.c.mu.label("other_mu"), others.c.sigma.label("other_sigma"),
        )
        .join_from(rated_seats, rated_games, rated_games.c.table_id == rated_seats.c.table_id)
        .join(others, and_(others.c.table_id == rated_seats.c.table_id, others.c.seat != rated_seats.c.seat))
        .where(rated_seats.c.player == player)
    )  # fmt: skip
    found: dict[str, Any] = {}
    for row in connection.execute(asked):
        game = found.setdefault(row.table_id, (row.game, row.ended, row.rank, Skill(row.mu, row.sigma), []))
        game[4].append((row.player, row.other_rank, Skill(row.other_mu, row.other_sigma)))
    return [Game(*found[table_id]) for table_id in sorted(found, key=lambda each: (found[each][1], each))]


def _rating(row: Any) -> Rating:
    return Rating(row["game"], row["player"], row["name"] or "", Skill(row["mu"], row["sigma"]), row["games"])


_CAME = (
    select(seats.c.seat, seats.c.name, places.c.person)
    .join(places, and_(places.c.table_id == seats.c.table_id, places.c.token == seats.c.token))
    .where(
        seats.c.table_id == bindparam("table"), seats.c.kind == "person", places.c.visited > 0,
        ~exists().where(rated_seats.c.table_id == seats.c.table_id, rated_seats.c.seat == seats.c.seat),
    )
    .order_by(seats.c.seat, places.c.visited)
)  # fmt: skip
_BEST = (
    select(ratings, profiles.c.name)
    .join(profiles, and_(profiles.c.id == ratings.c.player, profiles.c.shown), isouter=True)
    .where(profiles.c.id.isnot(None) | ratings.c.player.startswith(BOT))
    .order_by(ratings.c.mu.desc(), ratings.c.player)
    .limit(MOST)
)
_MANY = ratings.c.games >= FEW
_MAKE = text("INSERT INTO profiles (id, person, name, shown, at) VALUES (:id, :person, :name, :shown, :at) ON CONFLICT DO NOTHING")
_NOTE = text("INSERT INTO rated_seats (table_id, seat, player) VALUES (:table_id, :seat, :player) ON CONFLICT DO NOTHING")
