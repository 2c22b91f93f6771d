"""What a host does to tables, beside a running server: nothing of what it does hurts who plays elsewhere, and all of it is noted."""

from __future__ import annotations

import asyncio
from math import inf
from pathlib import Path

import pytest
from sqlalchemy import text
from tables_helper import QuickTables, a_move, in_a_loop, people, until, with_bots

from sheepfold.game.session import NotYourTurn
from sheepfold.table import admin
from sheepfold.table.admin import DAY, AtAnEnd, NotThere, change_limits, close, erase, noted, overview, tidy
from sheepfold.table.limits import BadLimit, Limits, limits_asked_for
from sheepfold.table.store import Store
from sheepfold.table.table import Table
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


def test_limits_hold_for_a_server_that_runs_and_for_the_next_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work() -> None:
        for wishes, held in ((["chat=7", "streams=inf"], (7, inf, 5)), (["chat="], (20, inf, 5)), ([], (20, inf, 5))):
            tables = QuickTables(Store(url), 0.0)
            tables.set_limits(Limits(analyses=5))
            tables.fleet.start()
            set_now = change_limits(url, limits_asked_for(wishes))
            assert "streams" in set_now
            limits = tables.limits
            await until(lambda limits=limits, held=held: (limits.chat, limits.streams, limits.analyses) == held)
            await tables.close()
        assert [what for _, _, what in noted(url)][::-1] == [
            "set the limit chat to 7", "set the limit streams to inf", "let the limit chat be as usual"
        ]  # fmt: skip

    in_a_loop(work())
    for wish in ("cows=3", "chat", "chat=-1", "chat=many"):
        with pytest.raises(BadLimit, match=wish):
            limits_asked_for([wish])


def test_people_are_found_by_name_with_their_tables(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work() -> None:
        tables = QuickTables(Store(url), 0.0)
        one = await tables.create("te-kuiti", people("Ann", "Ben"), {})
        two = await tables.create("haste-bock", people("Ann", "Cy"), {})
        close(url, two.id)
        found = {each.name: (each.playing, each.tables) for each in admin.people(url)}
        assert found == {"Ann": (1, 2), "Ben": (1, 1), "Cy": (0, 1)}
        assert {line.id for line in overview(url, person="Ann")} == {one.id, two.id}
        assert [line.id for line in overview(url, person="Ben")] == [one.id]
        await tables.close()
        assert [what for _, _, what in noted(url)][:3] == [
            "looked at the tables of Ben", "looked at the tables of Ann", "looked at the people",
        ]  # fmt: skip

    in_a_loop(work())


async def _closed_beside(url: str, start: bool) -> None:
    """A table with a clock where a bot thinks is closed: the bot's move is not stored, who looks on is told, and so it stays."""
    tables = QuickTables(Store(url), 0.0)
    if start:
        tables.fleet.start()
    thinks, told, go_on = asyncio.Event(), list[str](), asyncio.Event()

    async def thinking(table: Table, seat: int) -> None:
        thinks.set()
        await go_on.wait()

    tables.thinking = thinking
    table = await tables.create("te-kuiti", with_bots("Ann", 1), {}, {"seconds": 60, "listed": True})
    with tables.listeners.ringing(table.id, lambda now: told.append(now.status)):
        while table.position.to_act == 0:
            await tables.move(table.id, *a_move(table))
        await thinks.wait()
        ply = table.ply
        close(url, table.id, "The server moves house.")
        if start:
            await until(lambda: told[-1:] == ["closed"])
        go_on.set()
        for refused in (tables.move(table.id, 0, ply, "pass"), tables.say(table.id, "Ann", "oh"), tables.undo(table.id, 0)):
            with pytest.raises(NotYourTurn, match="closed"):
                await refused
        await until(lambda: table.id not in tables.bots.tasks)
    now = await tables.table(table.id)
    assert (now.status, now.ply, now.seconds_left()) == ("closed", ply, None)
    assert tables.clocks.running == {}
    assert tables.store.overdue() == []
    await tables.close()
    again = QuickTables(Store(url), 0.0)
    scene = (await again.table(table.id)).scene(0, "de")
    assert (scene["status"], scene["to_act"], scene["actions"], scene["ranks"]) == ("closed", None, [], None)
    assert scene["prompt"].startswith("Der Gastgeber hat diesen Tisch geschlossen")
    assert scene["prompt"].endswith("The server moves house.")
    await again.close()
    with pytest.raises(AtAnEnd):
        close(url, table.id)
    assert [what for _, _, what in noted(url)] == [f"closed table {table.id}: The server moves house."]
    assert tidy(url, 0, 60) == (1, 0)


@pytest.mark.parametrize("start", [True, False], ids=["that looks round", "before it looks"])
def test_a_closed_table_stays_as_it_is_beside_a_server(tmp_path: Path, start: bool) -> None:
    in_a_loop(_closed_beside(f"sqlite:///{tmp_path / 'tables.db'}", start))


@pytest.mark.slow
@pytest.mark.parametrize("start", [True, False], ids=["that looks round", "before it looks"])
def test_a_closed_table_stays_as_it_is_beside_many_servers(postgres: str, start: bool) -> None:
    in_a_loop(_closed_beside(postgres, start))
