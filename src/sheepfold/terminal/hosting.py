"""Hosting: what a host does from the command line: backups, upgrades, and the tables of a server."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sheepfold.terminal.language import terminal_voice
from sheepfold.web.serve import default_database, try_database

if TYPE_CHECKING:
    from sheepfold.table.admin import Line


def take_backup(database: str | None, file: Path, language: str) -> None:
    from sheepfold.table.backup import take

    print(terminal_voice(language).say("backup.taken", file=str(file), **take(database or default_database(), file)))


def restore_backup(database: str | None, file: Path, language: str) -> None:
    from sheepfold.table.backup import restore

    print(terminal_voice(language).say("backup.restored", file=str(file), **restore(file, database or default_database())))


def upgrade_database(database: str | None, language: str) -> None:
    """Bring it up to date, as a server does when it starts."""
    from sheepfold.table.schema import LATEST

    try_database(database or default_database(), alone=False)
    print(terminal_voice(language).say("upgrade.done", schema=LATEST))


def show_tables(database: str | None, status: str | None, most: int, language: str) -> None:
    from sheepfold.table.admin import overview

    _print_tables(overview(_known(database), status, most), language)


def show_people(database: str | None, name: str | None, most: int, language: str) -> None:
    from sheepfold.table.admin import numbers, overview, people

    if name is not None:
        _print_tables(overview(_known(database), None, most, name), language)
        for number, count in numbers(_known(database), name):
            print(terminal_voice(language).say("admin.number", count, id=number))
        return
    for each in people(_known(database), most):
        days = round(each.idle, 1)
        print(terminal_voice(language).say("admin.person", name=each.name, playing=each.playing, tables=each.tables, days=days))


def _print_tables(lines: Iterable[Line], language: str) -> None:
    voice = terminal_voice(language)
    for line in lines:
        people = ", ".join([*line.people, *([voice.say("admin.bots", count=line.bots)] if line.bots else [])])
        print(
            voice.say(
                "admin.table", id=line.id, game=line.game, status=line.status, plies=line.plies, days=round(line.idle, 1), people=people
            )
        )


def close_table(database: str | None, table: str, reason: str, language: str) -> None:
    from sheepfold.table.admin import close

    close(_known(database), table, reason)
    print(terminal_voice(language).say("admin.closed", id=table))


def change_limits(database: str | None, wishes: Sequence[str], language: str) -> None:
    """Show the limits, after changing those that are wished for."""
    from sheepfold.table import admin
    from sheepfold.table.limits import Limits, limits_asked_for

    voice = terminal_voice(language)
    held = admin.change_limits(_known(database), limits_asked_for(wishes))
    for name, usual in vars(Limits()).items():
        key = "admin.limit" if name in held else "admin.limit.usual"
        print(voice.say(key, name=name, value=f"{held.get(name, usual):g}", usual=f"{usual:g}"))


def erase_table(database: str | None, table: str, language: str) -> None:
    from sheepfold.table.admin import erase

    erase(_known(database), table)
    print(terminal_voice(language).say("admin.erased", id=table))


def erase_person(database: str | None, person: str, language: str) -> None:
    from sheepfold.people.erasing import erase_next
    from sheepfold.table import admin

    url, found = _known(database), list[str]()
    while True:
        with admin.database(url) as connection:
            table = erase_next(connection, person, admin.who_asks())
        if table is None:
            break
        found.append(table)
    print(terminal_voice(language).say("admin.erased.person", len(found), id=person))


def tidy_up(database: str | None, finished: float, abandoned: float, language: str) -> None:
    from sheepfold.table.admin import tidy

    over, idle = tidy(_known(database), finished, abandoned)
    print(terminal_voice(language).say("admin.tidied", over=over, idle=idle))


def count_ratings(database: str | None, language: str) -> None:
    from sheepfold.people.ratings import recount

    print(terminal_voice(language).say("admin.ratings", **recount(_known(database))))


def show_audit(database: str | None, most: int, language: str) -> None:
    from sheepfold.table.admin import noted

    for at, who, what in noted(_known(database), most):
        print(time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at)), who, what)


def _known(database: str | None) -> str:
    """The URL of a database that can be opened."""
    url = database or default_database()
    try_database(url, alone=False)
    return url
