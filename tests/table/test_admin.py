"""What a host does to tables, beside a running server: nothing of what it does hurts who plays elsewhere, and all of it is noted."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from tables_helper import QuickTables, a_move, in_a_loop, people, with_bots

from sheepfold.table.admin import DAY, NotThere, erase, noted, overview, tidy
from sheepfold.table.store import Store
from sheepfold.table.tables import NoSuchTable


def test_tables_are_seen_and_erased_beside_a_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work() -> None:
        tables = QuickTables(Store(url), 0.0)
        one, other = await tables.create("te-kuiti", people("Ann", "Ben"), {}), await tables.create("haste-bock", with_bots("Ann", 2), {})
        await tables.say(one.id, "Ann", "hello")
        await tables.move(one.id, *a_move(one))
        lines = {line.id: line for line in overview(url)}
        assert (lines[one.id].people, lines[one.id].bots, lines[one.id].plies) == (["Ann", "Ben"], 0, one.ply)
        assert (lines[other.id].people, lines[other.id].bots, lines[other.id].status) == (["Ann"], 2, "playing")
        assert overview(url, "over") == []
        erase(url, one.id)
        with pytest.raises(NoSuchTable):
            await tables.move(one.id, *a_move(one))
        assert tables.store.load(one.id) is None
        assert tables.store.load(other.id) is not None
        with pytest.raises(NotThere):
            erase(url, one.id)
        await tables.close()
        assert [what for _, _, what in noted(url)] == [f"erased table {one.id}"]

    in_a_loop(work())


def test_what_is_old_goes_and_what_is_not_stays(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work() -> None:
        tables = QuickTables(Store(url), 0.0)
        made = [(await tables.create("te-kuiti", people("A", "B"), {})).id for _ in range(4)]
        for table_id, status, days in zip(made, ("over", "over", "playing", "playing"), (400, 100, 100, 10), strict=True):
            with tables.store.engine.begin() as connection:
                old = {"since": days * DAY, "id": table_id, "status": status}
                connection.execute(text("UPDATE tables SET since = since - :since, status = :status WHERE id = :id"), old)
        assert tidy(url, 365, 60) == (1, 1)
        assert [tables.store.load(table_id) is not None for table_id in made] == [False, True, False, True]
        assert tidy(url, 365, 60) == (0, 0)
        await tables.close()
        assert len(noted(url)) == 2

    in_a_loop(work())
