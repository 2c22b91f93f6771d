"""Belongings: what is kept under somebody's number, room by room. It moves when two devices become one person's, and goes with the person.
A room that keeps rows of people names them here."""

from __future__ import annotations

import time

from sqlalchemy import Connection, and_, case, delete, exists, func, insert, literal, select, update

from sheepfold.table.schema import (
    analyses,
    carries,
    challenges,
    chat,
    devices,
    entrants,
    hooks,
    notices,
    passkeys,
    people,
    places,
    profiles,
    puzzles,
    rated_games,
    rated_seats,
    rating_cursors,
    ratings,
    recoveries,
    reports,
    silences,
    subscriptions,
    tournaments,
)


def has_account(connection: Connection, person: str) -> bool:
    """Whether somebody is found again without any of their devices."""
    return any(connection.scalar(select(kind.c.person).where(kind.c.person == person).limit(1)) for kind in (passkeys, recoveries))


def move_in(connection: Connection, before: str, person: str) -> None:
    """All that somebody has, somebody else has from now on; what they had already stays as it is."""
    for kind in (places, puzzles):
        theirs = select(kind.c.table_id).where(kind.c.person == person)
        connection.execute(delete(kind).where(kind.c.person == before, kind.c.table_id.in_(theirs)))
    same = select(literal(1)).where(_ALSO.c.table_id == reports.c.table_id, _ALSO.c.number == reports.c.number, _ALSO.c.person == person)
    connection.execute(delete(reports).where(reports.c.person == before, exists(same)))
    strictest = select(silences.c.until).where(silences.c.person.in_((before, person)))
    if untils := list(connection.execute(strictest).scalars()):
        connection.execute(delete(silences).where(silences.c.person.in_((before, person))))
        until = None if None in untils else max(untils)
        connection.execute(insert(silences).values(person=person, at=time.time(), until=until))
    connection.execute(update(tournaments).where(tournaments.c.organiser == before).values(organiser=person))
    for kind in (places, puzzles, subscriptions, hooks, notices, chat, analyses, reports, entrants):
        connection.execute(update(kind).where(kind.c.person == before).values(person=person))
    had, has = (connection.scalar(select(profiles.c.id).where(profiles.c.person == each)) for each in (before, person))
    if had and has:
        _play_as(connection, had, has)
        connection.execute(delete(profiles).where(profiles.c.id == had))
    connection.execute(update(profiles).where(profiles.c.person == before).values(person=person))
    if connection.scalar(select(people.c.id).where(people.c.id == person)):
        connection.execute(delete(people).where(people.c.id == before))
    else:
        connection.execute(update(people).where(people.c.id == before).values(id=person))


def _play_as(connection: Connection, before: str, player: str) -> None:
    """Rated games of one player are another's from now on, but those that they played against each other; from the first of them on
    ratings are counted again."""
    mine = and_(rated_seats.c.table_id == rated_games.c.table_id, rated_seats.c.player == before)
    firsts = select(rated_games.c.game, func.min(rated_games.c.ended)).join(rated_seats, mine).group_by(rated_games.c.game)
    for game, first in connection.execute(firsts).all():
        earlier = case((rating_cursors.c.again < first, rating_cursors.c.again), else_=first)
        connection.execute(update(rating_cursors).where(rating_cursors.c.game == game).values(again=earlier))
    connection.execute(update(rating_cursors).values(version=rating_cursors.c.version + 1))  # whoever counts meanwhile knew it otherwise
    connection.execute(delete(ratings).where(ratings.c.player == before))
    against = select(rated_seats.c.table_id).where(rated_seats.c.player == player).scalar_subquery()
    theirs = update(rated_seats).where(rated_seats.c.player == before, rated_seats.c.table_id.not_in(against))
    connection.execute(theirs.values(player=player))


def leave_nothing(connection: Connection, person: str) -> None:
    """Every row that has somebody's number goes; what they said and asked for is nobody's."""
    own = select(devices.c.id).where(devices.c.person == person)
    connection.execute(delete(challenges).where(challenges.c.device.in_(own)))
    gone = (places, puzzles, carries, subscriptions, hooks, notices, reports, silences, profiles, passkeys, recoveries, devices)
    for kind in gone:
        connection.execute(delete(kind).where(kind.c.person == person))
    connection.execute(delete(people).where(people.c.id == person))
    for kind in (chat, analyses):
        connection.execute(update(kind).where(kind.c.person == person).values(person=""))
    connection.execute(update(entrants).where(entrants.c.person == person).values(person=None))
    connection.execute(update(tournaments).where(tournaments.c.organiser == person).values(organiser=None))


_ALSO = reports.alias()
