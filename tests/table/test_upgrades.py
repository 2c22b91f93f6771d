"""Databases that earlier versions wrote: their games go on, running and finished ones, of all five; what is not ours is left alone.

`databases/` has for each version a database as its server left it, as SQL. The games in it were played through the API of that version.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from tables_helper import QuickTables, a_move, finished, in_a_loop, people

from sheepfold.core.position import OVER
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.registry import find
from sheepfold.table.backup import restore, take
from sheepfold.table.migrations import upgrade
from sheepfold.table.schema import LATEST, MARK, WrongDatabase, metadata
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import Outdated, read_again
from sheepfold.web.serve import NoDatabase, try_database

DATABASES = Path(__file__).parent / "databases"
BOXES = Path(__file__).parents[1] / "boxes"
PLAYED = {
    "SgEWr15ZKo17": ("haste-bock", 34, "playing", [7, 5]),
    "tLyRNT1nhPT1": ("haste-bock", 50, "over", [15, 11]),
    "xxAGPbGSpCRB": ("te-kuiti", 54, "playing", [0, 0]),
    "iH4UAwGYouyl": ("te-kuiti", 202, "over", [13, 5]),
    "0eKlvnw6WRIB": ("sheepzzz", 85, "playing", [0, 0, 0]),
    "dNIfn5ujTlKX": ("sheepzzz", 333, "over", [99, 83, 78]),
    "zMP_NdmcbrFm": ("shear-panic", 36, "playing", [7, 6, 5]),
    "nhpWYGt2mrlr": ("shear-panic", 113, "over", [17, 22, 18]),
    "bFkaDTL4702S": ("guerre-des-moutons", 39, "playing", [0, 0]),
    "8yvcQvanhG3V": ("guerre-des-moutons", 50, "over", [3, 6]),
}
"""By table: what version 0.1 said of it, with the points that it showed."""


def old_database(folder: Path) -> str:
    """The URL of the database that version 0.1 left."""
    with sqlite3.connect(folder / "old.db") as connection:
        connection.executescript((DATABASES / "version-0.1.sql").read_text(encoding="utf-8"))
    connection.close()
    return f"sqlite:///{folder / 'old.db'}"


def all_go_on(url: str) -> None:
    async def work() -> None:
        tables = QuickTables(Store(url), 0.0)
        for table_id, (game, ply, status, scores) in PLAYED.items():
            table = await tables.table(table_id)
            shown = [int(score) for score in table.position.scores()] if status == "over" else table.shown_scores(table.position)
            assert (table.game.name, table.ply, table.status, shown) == (game, ply, status, scores)
            for _ in range(400):
                if table.position.to_act == OVER:
                    break
                table = await tables.move(table_id, *a_move(table))
            assert table.position.to_act == OVER
        await tables.close()

    in_a_loop(work())


def test_games_of_version_0_1_go_on(tmp_path: Path) -> None:
    all_go_on(old_database(tmp_path))


@pytest.mark.slow
def test_games_of_version_0_1_go_on_in_postgresql(tmp_path: Path, empty_postgres: str) -> None:
    take(old_database(tmp_path), tmp_path / "backup.db")
    restore(tmp_path / "backup.db", empty_postgres)
    all_go_on(empty_postgres)


def test_migrations_come_to_what_a_new_database_is(tmp_path: Path) -> None:
    for url in (old_database(tmp_path), f"sqlite:///{tmp_path / 'new.db'}"):
        store = Store(url)
        with store.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
            assert connection.scalar(text("SELECT version_num FROM alembic_version")) == LATEST
        store.close()


def test_a_database_that_was_broken_off_in_the_making_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(*given: Any) -> None:
        if len(given) == 2:
            upgrade(*given)
        raise KeyboardInterrupt

    for path in (tmp_path / "new.db", Path(old_database(tmp_path).removeprefix("sqlite:///"))):
        with sqlite3.connect(path) as connection, monkeypatch.context() as now:
            before = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
            now.setattr(MARK, "create", broken_off)
            now.setattr("sheepfold.table.migrations.upgrade", broken_off)
            with pytest.raises(KeyboardInterrupt):
                Store(f"sqlite:///{path}")
            assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == before
        connection.close()
        Store(f"sqlite:///{path}").close()


def test_a_newer_database_and_a_strange_one_are_refused_untouched(tmp_path: Path) -> None:
    newer = f"sqlite:///{tmp_path / 'newer.db'}"
    Store(newer).close()
    strange = tmp_path / "strange.db"
    for path, change in ((tmp_path / "newer.db", "UPDATE alembic_version SET version_num = '9999'"), (strange, "CREATE TABLE cows (id)")):
        with sqlite3.connect(path) as connection:
            connection.execute(change)
        connection.close()
    with pytest.raises(WrongDatabase, match="written by a newer version of Sheepfold"):
        try_database(newer)
    with pytest.raises(WrongDatabase, match="not one of Sheepfold's"):
        try_database(f"sqlite:///{strange}")
    with sqlite3.connect(strange) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("cows",)]
    connection.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("Sheep may safely graze. " * 100)
    with pytest.raises(NoDatabase, match="not a database"):
        try_database(f"sqlite:///{tmp_path / 'text.db'}")


@pytest.mark.parametrize("name", ["haste-bock", "shear-panic", "te-kuiti", "sheepzzz", "guerre-des-moutons"])
def test_a_game_goes_on_with_the_pieces_that_it_began_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The game's own file is corrected while the table is stored; new tables are laid with the new one."""
    game = find(name)

    async def work() -> None:
        tables = QuickTables(Store(f"sqlite:///{tmp_path / 'tables.db'}"), 0.0)
        table = await tables.create(name, people("A", "B"), {})
        for _ in range(10):
            await tables.move(table.id, *a_move(table))
        corrected = EnteredFile("components.toml", (BOXES / f"{name}.toml").read_text(encoding="utf-8"))
        monkeypatch.setitem(vars(game), "components", game.read_components(corrected))
        monkeypatch.setitem(vars(game), "printed", corrected.text)
        tables.in_memory.clear()
        again = await tables.table(table.id)
        assert (again.setup.digest, again.events, again.position.key()) == (table.setup.digest, table.events, table.position.key())
        await tables.move(table.id, *a_move(again))
        new = await tables.create(name, people("A", "B"), {})
        assert new.setup.digest == game.components.digest != table.setup.digest
        await tables.close()

    in_a_loop(work())


def test_a_game_by_other_rules_is_looked_at_as_far_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun by rules, with pieces or in a numbering of actions that are others today: nobody acts there, nothing of it is changed."""

    async def work() -> None:
        tables = QuickTables(Store(f"sqlite:///{tmp_path / 'tables.db'}"), 0.0)
        table = await tables.create("te-kuiti", people("A", "B"), {})
        for _ in range(10):
            table = await tables.move(table.id, *a_move(table))
        monkeypatch.setitem(vars(table.game), "rules_version", 2)
        tables.in_memory.clear()
        shown = await tables.table(table.id)
        assert (shown.status, shown.ply) == ("closed", table.ply)
        assert "older version of its rules" in shown.scene(0, "en")["prompt"]
        for wish in (tables.move(table.id, *a_move(table)), tables.undo(table.id, 0), tables.say(table.id, "A", "Oh.")):
            with pytest.raises(Outdated):
                await wish
        stored = tables.store.load(table.id)
        assert stored and (stored.events, stored.revision, stored.status) == (table.events, table.revision, "playing")
        monkeypatch.undo()
        cut = replace(stored, events=[*stored.events[:6], stored.events[6]._replace(action=9999), *stored.events[7:]])
        assert (read_again(cut).ply, read_again(cut).outdated) == (6, True)
        other = replace(stored, components="elsewhere", printed=None)
        assert read_again(other).outdated and not read_again(stored).outdated
        with pytest.raises(Outdated):
            read_again(replace(stored, options={"no-such-option": True}))
        tables.in_memory.clear()
        with tables.store.engine.begin() as connection:
            connection.execute(text("UPDATE tables SET settings = '{'"))
        with pytest.raises(Outdated):
            await tables.table(table.id)
        await tables.close()

    in_a_loop(work())


def test_who_waited_through_an_upgrade_begins_by_the_rules_of_today(tmp_path: Path) -> None:
    """Also where nothing is drawn before the first move."""

    async def work() -> None:
        tables = QuickTables(Store(f"sqlite:///{tmp_path / 'tables.db'}"), 0.0)
        for game in ("haste-bock", "te-kuiti"):
            table = await tables.create(game, [*people("A"), Seat("open", "B", "")], {})
            with tables.store.engine.begin() as connection:
                connection.execute(text("UPDATE tables SET rules = 0, components = 'of old'"))
            tables.in_memory.clear()
            table = await tables.sit(table.id, 1, people("B")[0])
            tables.in_memory.clear()
            table = await tables.table(table.id)
            for _ in range(2):
                table = await tables.move(table.id, *a_move(table))
            tables.in_memory.clear()
            again = await tables.table(table.id)
            assert (again.status, again.events) == ("playing", table.events)
            assert (again.asides, again.own_pieces) == (table.asides, None)
        await tables.close()

    in_a_loop(work())


RULES = {
    "haste-bock": (1, "07b2a25d67e0728f"),
    "shear-panic": (1, "75ecf7ca6aeeb07d"),
    "te-kuiti": (1, "c4ae9f42b9d9e5ae"),
    "sheepzzz": (1, "3af3bbd5aefedffb"),
    "guerre-des-moutons": (1, "6f2afc4f85a4717f"),
}
"""By game the version of its rules, and what some games played at random come to."""


@pytest.mark.parametrize("name", RULES)
def test_the_version_of_the_rules_grows_when_a_log_would_be_read_otherwise(name: str) -> None:
    """If this fails on purpose, `rules_version` of the game grows by one, and a migration says what becomes of the games stored before."""
    game, told = find(name), blake2b(digest_size=8)
    for seats in game.seats:
        for seed in range(4):
            record = finished(name, seats, f"rules {seed}")
            told.update(repr(([tuple(event) for event in record.events], [int(score) for score in record.end().scores()])).encode())
    assert (game.rules_version, told.hexdigest()) == RULES[name]
