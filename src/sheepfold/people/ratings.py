"""Ratings: how strong people and bots are at a game, in one pool, from the games whose result counts (`table/rated.py`).

Nothing of this is in the way of a move. Every second each server looks for rated games that have ended a moment ago, writes down who was
before whom, and counts them in the order in which they ended. Ratings follow from these rows alone: counted game by game as they come, or
all of them again (`recount`), they are the same to the digit. Several servers do so side by side: what is counted is stored only if nobody
else has counted since. After a game that comes late, from before one that is counted, those that follow it are counted again.

A rank is that of the game; who has left for good, or is still away at the end with a bot on their seat, comes after all others.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, exists, func, select, text, update

from sheepfold.arena.ranks import placed_last
from sheepfold.people.lobby import has_setting
from sheepfold.people.looking import end, for_ever
from sheepfold.people.skill import START, Skill, rate
from sheepfold.people.ways import transaction
from sheepfold.table.admin import note, who_asks
from sheepfold.table.rated import LEFT, RATED, why_not
from sheepfold.table.schema import events, rated_games, rated_seats, rating_cursors, ratings, results, seats, tables
from sheepfold.table.store import Seat, Store

log = logging.getLogger("sheepfold")

GRACE = 2.5
"""Seconds for which a game must be over, so that those that ended before it are stored as well."""
LATE = 30.0
"""So long something may take to be stored and is still found."""
FIRST_LOOK = 86400.0
"""So far back from the last game that is counted a server looks when it starts."""
BOT = "bot:"
"""Before the level of a bot, where a player is one."""
MIDDLE, POINTS, SURE = 1500, 30, 2
"""Shown is a whole number: of whom nothing is known this one. A step of strength has so many points, by which 100 points more win nearly
two games of three. The true number is within so many standard deviations of it, in 19 cases of 20."""


def shown(skill: Skill) -> tuple[int, int]:
    """A rating as people read it: a number, and how much more or less it may be."""
    return round(MIDDLE + POINTS * (skill.mu - START.mu)), round(POINTS * SURE * skill.sigma)


@dataclass(frozen=True)
class Placed:
    """A player of a game that counts, and who was before whom."""

    seat: int
    player: str
    rank: int


@dataclass(frozen=True)
class Played:
    """A game that counts."""

    table_id: str
    ended: float
    placed: Sequence[Placed]

    @property
    def order(self) -> tuple[float, str]:
        return self.ended, self.table_id


@dataclass(frozen=True)
class Cursor:
    """How far a pool is counted."""

    game: str
    version: int = 0
    upto: tuple[float, str] = (0.0, "")
    """The end and the table of the last game."""
    again: float | None = None
    """From when on it is to be counted again."""


@dataclass
class Counted:
    """What is to be stored of a pool, if nobody has counted since."""

    game: str
    version: int
    upto: tuple[float, str]
    fresh: Sequence[Played]
    """Games that were not counted before."""
    seats: list[dict[str, Any]]
    ratings: list[dict[str, Any]]
    gone: list[str]
    """Players who have no game any more."""


def placed(row: Mapping[Any, Any], sitting: Sequence[Seat], ranks: Sequence[int], noted: Mapping[int, str]) -> list[Placed] | str:
    """Who was before whom at a table that is over; or why that does not count. `noted` are the people who came, by seat."""
    settings = json.loads(row["settings"])
    if why := why_not(settings, json.loads(row["options"]), row["undos"], sitting):
        return why
    left = set(settings.get(LEFT, ()))
    players = [noted.get(number) or _bot(seat) for number, seat in enumerate(sitting)]
    if any(number not in noted for number in left):
        return "unknown"
    if not all(players) or len(ranks) != len(players):
        return "unknown"
    people = [player for player in players if not player.startswith(BOT)]
    if len(set(people)) < len(people):
        return "seats"
    final = placed_last(ranks, left | set(settings.get("away", ())))
    return [Placed(number, player, rank) for number, (player, rank) in enumerate(zip(players, final, strict=True))]


def _bot(seat: Seat) -> str:
    return BOT + seat.level if seat.kind == "bot" else ""


class Ratings:
    """All ratings, counted at one server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._looked: float | None = None
        self._round: asyncio.Task[None] | None = None

    def start(self) -> None:
        """From now on, in the loop."""
        self._round = for_ever("ratings", self.look)

    async def close(self) -> None:
        await end([self._round] if self._round else [])

    async def look(self) -> int:
        """Count the games that have ended a moment ago; how many pools have changed."""
        until = time.time() - GRACE
        counted = await asyncio.to_thread(self._count, until)
        changed = 0
        for each in counted:
            changed += await transaction(self.store, lambda connection, each=each: store_counted(connection, each))  # type: ignore[misc]
        if changed == len(counted):  # what another server was quicker with is looked at again
            self._looked = until
        return changed

    def _count(self, until: float) -> list[Counted]:
        with self.store.reading.connect() as connection:
            if self._looked is None:
                latest: float = connection.scalar(select(func.max(rating_cursors.c.ended))) or 0.0
                self._looked = latest - FIRST_LOOK
            cursors = _cursors(connection)
            found = ended_games(connection, self._looked - LATE, until)
            again = {each.game for each in cursors.values() if each.again is not None}
            return [count(connection, cursors.get(game, Cursor(game)), found.get(game, [])) for game in {*found, *again}]


def ended_games(connection: Connection, since: float, until: float) -> dict[str, list[Played]]:
    """By game, those that ended then, count, and were not counted before."""
    ended = select(func.max(events.c.at)).where(events.c.table_id == tables.c.id).scalar_subquery()
    asked = select(tables.c.id, tables.c.game, tables.c.settings, tables.c.options, tables.c.undos, ended.label("ended")).where(
        tables.c.status == "over", tables.c.since > since, tables.c.since <= until, has_setting(RATED),
        ~exists().where(rated_games.c.table_id == tables.c.id),
    )  # fmt: skip
    found: dict[str, list[Played]] = {}
    for row in connection.execute(asked).mappings().all():
        known = placed(row, *_sat(connection, row["id"]))
        if not isinstance(known, str):
            found.setdefault(row["game"], []).append(Played(row["id"], row["ended"], known))
    return found


def why_unrated(connection: Connection, row: RowMapping) -> str | None:
    """Why the result of a table that is over does not count, if it does not."""
    known = placed(row, *_sat(connection, row["id"]))
    return known if isinstance(known, str) else None


def _sat(connection: Connection, table_id: str) -> tuple[list[Seat], list[int], dict[int, str]]:
    """Who sits at a table, the ranks of its result, and which people have come, by seat."""
    sitting = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)).mappings()
    ranks = connection.execute(select(results.c.rank).where(results.c.table_id == table_id).order_by(results.c.seat)).scalars()
    noted = connection.execute(select(rated_seats.c.seat, rated_seats.c.player).where(rated_seats.c.table_id == table_id)).all()
    return (
        [Seat(each["kind"], each["name"], each["token"], each["level"]) for each in sitting],
        list(ranks),
        dict(tuple(each) for each in noted),
    )


def _cursors(connection: Connection) -> dict[str, Cursor]:
    """How far each pool is counted; read before anything else, so that what others count meanwhile shows."""
    rows = connection.execute(select(rating_cursors)).mappings()
    return {row["game"]: Cursor(row["game"], row["version"], (row["ended"], row["table_id"]), row["again"]) for row in rows}


def count(connection: Connection, cursor: Cursor, fresh: Sequence[Played]) -> Counted:
    """What the ratings of a game come to with more games: from what is known; or from an earlier moment on where that is wanted, or one of
    them is from before the last that is counted."""
    game, ordered = cursor.game, sorted(fresh, key=lambda each: each.order)
    late = [ordered[0].ended] if ordered and ordered[0].order <= cursor.upto else []
    since = min([*late, *([] if cursor.again is None else [cursor.again])], default=None)
    stored = {} if since is None else _stored_seats(connection, game, since)
    ordered = sorted([*_games(stored), *ordered], key=lambda each: each.order)
    players = {each.player for played in ordered for each in played.placed}
    before = _known(connection, game, None if since == 0.0 else players)
    known = skills_before(connection, game, since, players) if since is not None else {name: skill for name, (skill, _) in before.items()}
    games = _counted_games(connection, game) if cursor.again is not None else Counter({name: many for name, (_, many) in before.items()})
    for played in fresh:
        games.update({each.player for each in played.placed})
    after: dict[tuple[str, int], tuple[Placed, Skill]] = {}
    for played in ordered:
        rate(known, [each.player for each in played.placed], [each.rank for each in played.placed])
        after |= {(played.table_id, each.seat): (each, known[each.player]) for each in played.placed}
    return Counted(
        game, cursor.version, max([cursor.upto, *(each.order for each in ordered)]), fresh,
        [
            {"table_id": where[0], "seat": where[1], "player": each.player, "rank": each.rank, "mu": skill.mu, "sigma": skill.sigma}
            for where, (each, skill) in after.items()
            if where not in stored or Skill(stored[where]["mu"], stored[where]["sigma"]) != skill
        ],
        [
            {"game": game, "player": name, "mu": skill.mu, "sigma": skill.sigma, "games": games[name]}
            for name, skill in known.items()
            if before.get(name) != (skill, games[name])
        ],
        [name for name in before if name not in known],
    )  # fmt: skip


def _known(connection: Connection, game: str, players: set[str] | None) -> dict[str, tuple[Skill, int]]:
    """What is stored of players of a game, or of all of them, and how many games they have played."""
    asked = select(ratings).where(ratings.c.game == game)
    rows = connection.execute(asked if players is None else asked.where(ratings.c.player.in_(players))).mappings()
    return {row["player"]: (Skill(row["mu"], row["sigma"]), row["games"]) for row in rows}


def _stored_seats(connection: Connection, game: str, since: float) -> dict[tuple[str, int], RowMapping]:
    """Of games that were counted, and ended then or later."""
    asked = _OF_GAME.where(rated_games.c.game == game, rated_games.c.ended >= since).order_by(rated_seats.c.seat)
    return {(row["table_id"], row["seat"]): row for row in connection.execute(asked).mappings()}


def _games(stored: Mapping[tuple[str, int], RowMapping]) -> list[Played]:
    """The same as games."""
    found: dict[str, tuple[float, list[Placed]]] = {}
    for row in stored.values():
        _, them = found.setdefault(row["table_id"], (row["ended"], []))
        them.append(Placed(row["seat"], row["player"], row["rank"]))
    return [Played(table_id, ended, them) for table_id, (ended, them) in found.items()]


def _counted_games(connection: Connection, game: str) -> Counter[str]:
    """How many games of each player were counted."""
    many = func.count(rated_seats.c.table_id.distinct())
    asked = select(rated_seats.c.player, many).join(rated_games, _SAME).where(rated_games.c.game == game).group_by(rated_seats.c.player)
    return Counter(dict(connection.execute(asked).all()))


def skills_before(connection: Connection, game: str, since: float, players: Iterable[str]) -> dict[str, Skill]:
    """What was known of players after the last game that ended before then."""
    found = {}
    for player in players if since > 0.0 else ():
        asked = _OF_GAME.where(rated_games.c.game == game, rated_games.c.ended < since, rated_seats.c.player == player)
        rows = connection.execute(asked.order_by(rated_games.c.ended.desc()).limit(10)).mappings().all()
        if rows:  # of those that ended at the same moment the last by its table, whatever order the database has for texts
            last = max(rows, key=lambda row: (row["ended"], row["table_id"]))
            found[player] = Skill(last["mu"], last["sigma"])
    return found


def store_counted(connection: Connection, counted: Counted) -> bool:
    """Store it, in one transaction; not where somebody else has counted since."""
    connection.execute(_BEGIN, {"game": counted.game})
    as_known = update(rating_cursors).where(rating_cursors.c.game == counted.game, rating_cursors.c.version == counted.version)
    moved = {"version": counted.version + 1, "ended": counted.upto[0], "table_id": counted.upto[1], "again": None}
    if not connection.execute(as_known.values(**moved)).rowcount:
        return False
    if counted.fresh:
        rows = [{"table_id": each.table_id, "game": counted.game, "ended": each.ended} for each in counted.fresh]
        connection.execute(rated_games.insert(), rows)
    for statement, rows in ((_KEEP_SEAT, counted.seats), (_KEEP_RATING, counted.ratings)):
        if rows:
            connection.execute(statement, rows)
    if counted.gone:
        connection.execute(delete(ratings).where(ratings.c.game == counted.game, ratings.c.player.in_(counted.gone)))
    return True


def recount(url: str) -> dict[str, int]:
    """Count all ratings again, from the first game on, with games that nobody has counted yet; how many games and players there are, and
    how many numbers are others than before."""
    store = Store(url, alone=False)
    try:
        found = Counter({"games": 0, "players": 0, "changed": 0})
        with store.reading.connect() as connection:
            known = {*connection.execute(select(rated_games.c.game).distinct()).scalars(), *ended_games(connection, 0.0, time.time())}
        for game in sorted(known):
            found["changed"] += _recount(store, game)
        with store.engine.begin() as connection:
            found["games"] = connection.scalar(select(func.count()).select_from(rated_games)) or 0
            found["players"] = connection.scalar(select(func.count(ratings.c.player.distinct()))) or 0
            note(connection, f"counted the ratings again: {found['changed']} numbers changed", who_asks())
        return dict(found)
    finally:
        store.close()


def _recount(store: Store, game: str) -> int:
    """Of one game, as often as a server is quicker."""
    while True:
        with store.reading.connect() as connection:
            cursor = replace(_cursors(connection).get(game, Cursor(game)), again=0.0)
            counted = count(connection, cursor, ended_games(connection, 0.0, time.time()).get(game, []))
        stored: list[bool] = []

        def work(connection: Connection, counted: Counted = counted, stored: list[bool] = stored) -> None:
            stored.append(store_counted(connection, counted))

        store.write(work).result()
        if stored[-1]:
            return len(counted.seats) + len(counted.ratings) + len(counted.gone)


_SAME = rated_games.c.table_id == rated_seats.c.table_id
_OF_GAME = select(rated_games.c.ended, rated_seats).join(rated_seats, _SAME)
_BEGIN = text("INSERT INTO rating_cursors (game, version, ended, table_id) VALUES (:game, 0, 0, '') ON CONFLICT DO NOTHING")
_KEEP_SEAT = text(
    "INSERT INTO rated_seats (table_id, seat, player, rank, mu, sigma) VALUES (:table_id, :seat, :player, :rank, :mu, :sigma)"
    " ON CONFLICT (table_id, seat) DO UPDATE SET rank = excluded.rank, mu = excluded.mu, sigma = excluded.sigma"
)
_KEEP_RATING = text(
    "INSERT INTO ratings (game, player, mu, sigma, games) VALUES (:game, :player, :mu, :sigma, :games)"
    " ON CONFLICT (game, player) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games"
)
