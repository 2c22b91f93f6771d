"""Nothing is kept of who has themselves erased, all at once; and the others play on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import select, text
from tables_helper import QuickTables, a_move, in_a_loop, people, sqlite_at, until

from sheepfold.core.position import OVER
from sheepfold.messages import SOMEBODY
from sheepfold.people.accounts import Accounts, Site
from sheepfold.people.erasing import erase
from sheepfold.people.identity import Identity, person_of
from sheepfold.people.my_games import Places
from sheepfold.people.ways import Quiet, Ways
from sheepfold.table import admin
from sheepfold.table.kept_seats import RETURNED
from sheepfold.table.schema import metadata
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import Table
from sheepfold.table.tables import Tables, bot_seat
from sheepfold.web.said import NOBODY, in_words

ANNA = "Anna-Livia"
"""A name that nothing else contains."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


def with_tables(url: str, work: Callable[..., Awaitable[None]], servers: int = 1) -> None:
    async def whole() -> None:
        houses = [QuickTables(Store(url), 0.0) for _ in range(servers)]
        for house in houses:
            house.fleet.start()
        try:
            await asyncio.wait_for(work(*houses), 120)
        finally:
            for house in houses:
                await house.close()

    in_a_loop(whole())


async def seated(house: Tables, device: str, game: str, *others: Seat) -> Table:
    """A table where Anna sits, who is known there by her device."""
    table = await house.create(game, [*people(ANNA), *others], {})
    await asyncio.wrap_future(Places(house.store).visit(device, table, table.seats[0].token))
    return table


async def ended(house: Tables, table: Table) -> None:
    while table.position.to_act != OVER:
        await house.move(table.id, *a_move(table))


def person(house: Tables, device: str) -> str:
    with house.store.engine.connect() as connection:
        return str(connection.scalar(select(person_of(device))))


def everything(house: Tables) -> str:
    """All that is in the database."""
    with house.store.engine.connect() as connection:
        return "\n".join(f"{table.name} {list(row)}" for table in metadata.sorted_tables for row in connection.execute(select(table)))


def test_nothing_is_left_and_the_others_play_on(url: str) -> None:
    async def work(house: QuickTables) -> None:
        identity, ways, accounts = Identity(house.store), Ways(house.store), Accounts(house.store)
        anna, phone, ben = (identity.new_device() for _ in range(3))
        going_on = await seated(house, anna, "haste-bock", *people("Ben"))
        waiting = await seated(house, anna, "sheepzzz", *people("Ben"), Seat("open", "Player 3"))
        over = await seated(house, anna, "te-kuiti", *people("Ben"))
        await ended(house, over)
        for table in (going_on, waiting, over):
            await asyncio.wrap_future(Places(house.store).visit(ben, table, table.seats[1].token))
        await house.say(over.id, ANNA, "well played")
        await house.say(over.id, "Ben", "thanks")
        await house.say(over.id, NOBODY, ANNA)
        await house.say(over.id, NOBODY, RETURNED + ANNA)
        await accounts.make_code(anna)
        await accounts.ask_for_any(anna, Site("https://sheep.test"))
        code, done = identity.carry(anna)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(identity.carried(phone, code))
        identity.carry(phone)[1].result(30)
        await ways.be_quiet(anna, Quiet(0, 60, "Europe/Berlin"))
        await ways.add_hook(anna, "https://chat.example/anna", "json", "en", "https://sheep.test")
        theirs = person(house, anna)
        assert set(await erase(house, theirs)) == {going_on.id, waiting.id, over.id}

        left = everything(house)
        for trace in (ANNA, theirs, anna, phone, "token-of-" + ANNA, "chat.example", "Europe/Berlin"):
            assert trace not in left, trace
        assert ben in left, "who else sits there is still known"
        table = await house.table(waiting.id)
        assert [(seat.kind, seat.name) for seat in table.seats[:2]] == [("open", ""), ("person", "Ben")] and table.status == "open"

        table = await house.table(over.id)
        assert (table.status, table.seats[0].name, table.seats[0].token) == ("over", SOMEBODY, "")
        for language, word in {"en": "Somebody", "fr": "Quelqu’un", "de": "Jemand"}.items():
            assert [each["name"] for each in table.scene(1, language)["players"]] == [word, "Ben"]
            assert table.voice(language).name(0) == word
            said = in_words(table.chat, language)
            assert [line[0] for line in said] == [word, "Ben", NOBODY, NOBODY] and word in said[2][1] and word in said[3][1]
        again = await house.table(await house.rematch(over.id))
        assert sorted((seat.kind, seat.name) for seat in again.seats) == [("bot", SOMEBODY), ("person", "Ben")]

        for playing in (await house.table(going_on.id), again):
            mine = playing.seats_of(["token-of-Ben"])
            while playing.position.to_act != OVER:
                await until(lambda: playing.position.to_act in (*mine, OVER))  # noqa: B023
                if playing.position.to_act != OVER:
                    await house.move(playing.id, *a_move(playing))
        assert await erase(house, theirs) == [], "once more there is nothing to do"

    with_tables(url, work)


def test_closed_tables_and_games_round_one_screen(url: str) -> None:
    async def work(house: QuickTables) -> None:
        device = Identity(house.store).new_device()
        shared = await seated(house, device, "haste-bock", Seat("person", "Bea", f"token-of-{ANNA}"), bot_seat("ewe", "Dolly"))
        closed = await seated(house, device, "te-kuiti", *people("Ben"))
        admin.close(url, closed.id)
        await erase(house, person(house, device))
        found = await house.table(shared.id)
        assert [(seat.kind, seat.name) for seat in found.seats] == [("bot", SOMEBODY), ("bot", f"{SOMEBODY} 2"), ("bot", "Dolly")]
        assert (await house.table(closed.id)).seats[0].name == SOMEBODY
        assert ANNA not in everything(house) and "Bea" not in everything(house)
        listed = {line.id: line.people for line in admin.overview(url)}
        assert listed[closed.id] == ["Somebody", "Ben"]
        assert [each.name for each in admin.people(url)] == ["Ben"]

    with_tables(url, work)


@pytest.mark.slow
def test_another_server_plays_on_without_them(postgres: str) -> None:
    """It has the table in memory, and moves come while it has not heard."""

    async def work(here: QuickTables, there: QuickTables) -> None:
        device = Identity(here.store).new_device()
        table = await seated(here, device, "haste-bock", *people("Ben"))
        known = await there.table(table.id)
        await erase(here, person(here, device))
        while True:
            current = await there.table(known.id)
            if current.position.to_act == OVER:
                break
            if current.position.to_act == 1:
                await there.move(known.id, *a_move(current))
            else:
                await asyncio.sleep(0.02)
        assert current.seats[0].name == SOMEBODY
        with here.store.engine.connect() as connection:
            assert connection.scalar(text("SELECT count(*) FROM seats WHERE name = :name"), {"name": ANNA}) == 0

    with_tables(postgres, work, servers=2)


@pytest.mark.slow
def test_a_rematch_that_is_made_meanwhile_has_nobodys_name_either(postgres: str) -> None:
    """It is not stored yet when the erasing begins, which waits for the table that it follows."""

    async def work(house: QuickTables) -> None:
        device = Identity(house.store).new_device()
        table = await seated(house, device, "te-kuiti", *people("Ben"))
        following, stored = house._laid("te-kuiti", [*people(ANNA), *people("Ben")], {}, None)
        waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        with house.store.engine.begin() as connection:
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(text("UPDATE tables SET revision = revision + 1 WHERE id = :id"), {"id": table.id})
            house.store.insert(connection, stored, None)
            erasing_them = asyncio.create_task(erase(house, person(house, device)))
            for _ in range(1000):
                with house.store.reading.connect() as other:
                    if other.scalar(waiting):
                        break
                await asyncio.sleep(0.001)
        assert set(await erasing_them) == {table.id, following.id}
        assert ANNA not in everything(house)

    with_tables(postgres, work)


@pytest.mark.slow
def test_while_somebody_moves_nothing_is_lost(postgres: str) -> None:
    """Ben moves as fast as he can, at another server, while Anna is erased at this one."""

    async def work(here: QuickTables, there: QuickTables) -> None:
        device = Identity(here.store).new_device()
        tables = [await seated(here, device, "te-kuiti", *people("Ben")) for _ in range(8)]

        async def plays(table_id: str) -> int:
            acknowledged = 0
            for _ in range(6):
                table = await there.table(table_id)
                if table.position.to_act == 1 or (table.position.to_act == 0 and table.seats[0].kind == "person"):
                    seat, ply, move = a_move(table)
                    try:
                        acknowledged = (await there.move(table_id, seat, ply, move)).ply
                    except Exception:
                        continue
            return acknowledged

        done, *plies = await asyncio.gather(erase(here, person(here, device)), *(plays(table.id) for table in tables))
        assert sorted(done) == sorted(table.id for table in tables)
        for table, ply in zip(tables, plies, strict=True):
            found = await here.look_again(table.id)
            assert found.seats[0].name == SOMEBODY and found.ply >= ply

    with_tables(postgres, work, servers=2)
