"""A backup holds all that was stored at one moment, while moves go on, and is restored into either kind of database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tables_helper import QuickTables, a_move, in_a_loop, people
from test_upgrades import all_go_on, old_database

from sheepfold.core.position import OVER
from sheepfold.table.backup import NoBackup, restore, take
from sheepfold.table.store import Store
from sheepfold.table.table import Table


def test_a_backup_is_taken_while_moves_go_on(tmp_path: Path) -> None:
    """Every table in it is whole; nothing that was stored before is missing."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work() -> dict[str, int]:
        tables = QuickTables(Store(url), 0.0)
        made = [await tables.create("te-kuiti", people("A", "B"), {}) for _ in range(20)]
        known = {}

        async def play() -> None:
            for _ in range(40):
                moves = [tables.move(each.id, *a_move(each)) for each in made if each.position.to_act != OVER]
                await asyncio.gather(*moves)

        playing = asyncio.create_task(play())
        await asyncio.sleep(0.05)
        known = {each.id: each.ply for each in made}
        await asyncio.to_thread(take, url, tmp_path / "backup.db")
        await playing
        await tables.close()
        return known

    known = in_a_loop(work())
    kept = Store(f"sqlite:///{tmp_path / 'backup.db'}")
    for table_id, ply in known.items():
        stored = kept.load(table_id)
        assert stored and Table(stored).ply >= ply
    kept.close()


@pytest.mark.slow
def test_from_sqlite_to_postgresql_and_back(tmp_path: Path, empty_postgres: str) -> None:
    """By way of a backup of version 0.1, which is brought up to date where it is served."""
    url = old_database(tmp_path)
    counted = take(url, tmp_path / "old.backup")
    assert restore(tmp_path / "old.backup", empty_postgres) == counted
    Store(empty_postgres).close()
    assert take(empty_postgres, tmp_path / "new.backup")["events"] == counted["events"]
    again = f"sqlite:///{tmp_path / 'again.db'}"
    restore(tmp_path / "new.backup", again)
    all_go_on(again)


def test_nothing_is_overwritten_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    url = old_database(tmp_path)
    take(url, tmp_path / "backup.db")
    with pytest.raises(NoBackup, match="there already"):
        take(url, tmp_path / "backup.db")
    with pytest.raises(NoBackup, match="not empty"):
        restore(tmp_path / "backup.db", url)
    with pytest.raises(NoBackup, match="there is no backup"):
        restore(tmp_path / "nowhere.db", f"sqlite:///{tmp_path / 'new.db'}")
    (tmp_path / "text.db").write_text("Sheep may safely graze. " * 100)
    with pytest.raises(NoBackup, match="not a database"):
        take(f"sqlite:///{tmp_path / 'text.db'}", tmp_path / "other.db")
    with pytest.raises(NoBackup, match="nothing in the database"):
        take(f"sqlite:///{tmp_path / 'empty.db'}", tmp_path / "other.db")
    assert not list(tmp_path.glob("other*")), "no half of it is left"
