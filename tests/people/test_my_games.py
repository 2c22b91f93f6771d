"""Somebody's games are found again: on their device, and on another one that they have carried them over to; and nobody else's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select
from tables_helper import QuickTables, a_move, in_a_loop, people, sqlite_at

from sheepfold.core.position import OVER
from sheepfold.people.identity import CARRIED, Identity, NotCarried
from sheepfold.people.my_games import MyGame, Places
from sheepfold.table.schema import carries, devices, places, results, tables
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import Table
from sheepfold.table.tables import bot_seat


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


@contextmanager
def opened(url: str) -> Iterator[tuple[Identity, Places]]:
    store = Store(url)
    try:
        yield Identity(store), Places(store)
    finally:
        store.close()


def at_tables(url: str, work) -> None:
    """Do some work with all that a server has."""

    async def whole() -> None:
        house = QuickTables(Store(url), 0.0)
        try:
            await asyncio.wait_for(work(house, Identity(house.store), Places(house.store)), 60)
        finally:
            await house.close()

    in_a_loop(whole())


async def sit(here: Places, device: str, table: Table, seat: int) -> None:
    await asyncio.wrap_future(here.visit(device, table, table.seats[seat].token))


def ids(games: list[MyGame]) -> list[str]:
    return [each.table for each in games]


def test_a_cookie_is_ours_or_none(url: str) -> None:
    with opened(url) as (identity, _):
        device = identity.new_device()
        assert identity.device(identity.signed(device)) == device
        other = identity.new_device()
        for forged in ("", ".", device, f"{device}.", f"{other}.{identity.signed(device).rpartition('.')[2]}", f"{device}.é", "x" * 200):
            assert identity.device(forged) is None
        signed = identity.signed(device)
    with opened(url) as (identity, _):
        assert identity.device(signed) == device, "also after the server was started again"


def test_games_where_it_is_my_turn_come_first(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        anna, ben = identity.new_device(), identity.new_device()
        made = []
        for game in ("haste-bock", "te-kuiti", "sheepzzz"):
            table = await house.create(game, people("Anna", "Ben"), {})
            for seat, device in enumerate((anna, ben)):
                await sit(here, device, table, seat)
            made.append(table)
        for table in made:
            mover = int(table.position.to_act)
            for device, seat in ((anna, 0), (ben, 1)):
                found = next(each for each in here.of(device).going_on if each.table == table.id)
                assert found.my_turn == (seat == mover)
                assert found.waits_for == ("Anna", "Ben")[mover]
                assert [each.name for each in found.others] == [("Ben", "Anna")[seat]]
        while int(made[0].position.to_act) == 0:
            await house.move(made[0].id, *a_move(made[0]))
        assert made[0].id not in ids([each for each in here.of(anna).going_on if each.my_turn])
        for device in (anna, ben):
            turns = [each.my_turn for each in here.of(device).going_on]
            assert turns == sorted(turns, reverse=True) and len(turns) == 3
        assert not here.of(identity.new_device())

    at_tables(url, work)


def test_a_finished_game_has_its_result(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        anna, ben = identity.new_device(), identity.new_device()
        table = await house.create("te-kuiti", people("Anna", "Ben"), {})
        await sit(here, anna, table, 0)
        await sit(here, ben, table, 1)
        while table.position.to_act != OVER:
            await house.move(table.id, *a_move(table))
        wanted = table.ended(table.position)
        for device, seat in ((anna, 0), (ben, 1)):
            games = here.of(device)
            assert not games.going_on
            (found,) = games.finished
            assert (found.status, found.my_turn, found.waits_for, found.ranks) == ("over", False, "", [wanted[seat][1]])
            assert [(each.score, each.rank) for each in found.sitters] == wanted

    at_tables(url, work)


def test_a_game_that_somebody_comes_to_when_it_is_over_is_listed(url: str) -> None:
    """By a seat's own link, on another device for instance."""

    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        device = identity.new_device()
        table = await house.create("haste-bock", people("Anna", "Ben"), {})
        while table.position.to_act != OVER:
            await house.move(table.id, *a_move(table))
        await sit(here, device, table, 0)
        assert ids(here.of(device).finished) == [table.id]

    at_tables(url, work)


def test_what_is_taken_back_has_no_result(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        device = identity.new_device()
        table = await house.create("haste-bock", people("Anna", "Ben"), {})
        await sit(here, device, table, 0)
        while table.position.to_act != OVER:
            await house.move(table.id, *a_move(table))
        assert here.of(device).finished
        ply = next(ply for ply in range(table.ply - 1, 0, -1) if table.session.at(ply).to_act == 0)
        await house._take_back(table, ply)
        with house.store.engine.connect() as connection:
            assert not connection.execute(select(results)).all()
            assert connection.scalar(select(tables.c.turn)) == 0
        assert [each.my_turn for each in here.of(device).going_on] == [True]

    at_tables(url, work)


def test_bots_and_open_seats_wait_for_nobody(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        device = identity.new_device()
        waiting = await house.create("haste-bock", [*people("Anna"), Seat("open", "Player 2")], {})
        await sit(here, device, waiting, 0)
        (found,) = here.of(device).going_on
        assert (found.status, found.my_turn, found.waits_for, found.others) == ("open", False, "", [])
        await house.set_away(table := await house.create("te-kuiti", people("Anna", "Ben"), {}), 0, True)
        await sit(here, device, table, 1)
        found = next(each for each in here.of(device).going_on if each.table == table.id)
        assert found.waits_for in ("", "Ben"), "a bot plays for who is away"

    at_tables(url, work)


def test_a_game_of_an_earlier_version_is_noted_when_it_is_visited(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        anna = identity.new_device()
        table = await house.create("haste-bock", people("Anna", "Ben"), {})
        await asyncio.wrap_future(house.store.write(lambda connection: connection.execute(tables.update().values(turn=None)) and None))
        await sit(here, anna, table, 0)
        (found,) = here.of(anna).going_on
        assert found.waits_for == ("Anna", "Ben")[int(table.position.to_act)]

    at_tables(url, work)


def test_hidden_games_are_not_listed_and_come_back(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        anna, ben = identity.new_device(), identity.new_device()
        table = await house.create("haste-bock", people("Anna", "Ben"), {})
        await sit(here, anna, table, 0)
        await sit(here, ben, table, 1)
        await asyncio.wrap_future(here.hide(anna, table.id))
        games = here.of(anna)
        assert (games.going_on, games.hidden) == ([], 1) and games
        assert ids(here.of(ben).going_on) == [table.id], "it is hidden from who has hidden it"
        await asyncio.wrap_future(here.hide(anna, None, False))
        assert ids(here.of(anna).going_on) == [table.id]

    at_tables(url, work)


def test_who_has_left_sits_there_no_more(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        anna = identity.new_device()
        table = await house.create("haste-bock", people("Anna", "Ben"), {})
        await sit(here, anna, table, 0)
        await house.replace(table.id, 0, bot_seat("ewe", "Anna"))
        assert not here.of(anna).going_on

    at_tables(url, work)


def test_two_devices_of_one_person(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        desk, phone, thief = (identity.new_device() for _ in range(3))
        on_desk = await house.create("haste-bock", people("Anna", "Ben"), {})
        on_phone = await house.create("te-kuiti", people("Anna", "Cleo"), {})
        await sit(here, desk, on_desk, 0)
        await sit(here, phone, on_phone, 0)
        code, done = identity.carry(desk)
        await asyncio.wrap_future(done)
        assert identity.can_be_carried(code) and not identity.can_be_carried(code[:-1])
        await asyncio.wrap_future(identity.carried(phone, code))
        for device in (desk, phone):
            assert set(ids(here.of(device).going_on)) == {on_desk.id, on_phone.id}
            assert here.token(device, on_desk.id) == on_desk.seats[0].token
            assert {each.id for each in identity.devices(device)} == {desk, phone}
        assert here.token(thief, on_desk.id) is None
        with pytest.raises(NotCarried):
            await asyncio.wrap_future(identity.carried(thief, code))
        assert not here.of(thief) and not identity.devices(thief)

        await asyncio.wrap_future(identity.forget(thief, desk))
        assert here.of(desk).going_on, "nobody forgets a device that is not theirs"
        await asyncio.wrap_future(identity.forget(desk, phone))
        assert not here.of(phone) and len(here.of(desk).going_on) == 2
        await asyncio.wrap_future(identity.forget(desk))
        with house.store.engine.connect() as connection:
            for kind in (devices, places, carries):
                assert not connection.execute(select(kind)).all(), "with the last device goes all that is known of a person"

    at_tables(url, work)


def test_a_link_to_another_device_does_not_hold_for_long(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(url) as (identity, _):
        code, done = identity.carry(identity.new_device())
        done.result(60)
        began = time.time()
        monkeypatch.setattr(time, "time", lambda: began + CARRIED + 60)
        assert not identity.can_be_carried(code)
        with pytest.raises(NotCarried):
            identity.carried(identity.new_device(), code).result(60)


def test_the_same_table_on_both_devices_is_one(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        desk, phone = identity.new_device(), identity.new_device()
        table = await house.create("haste-bock", people("Anna", "Ben"), {})
        await sit(here, desk, table, 0)
        await sit(here, phone, table, 0)  # by the seat's own link
        code, done = identity.carry(desk)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(identity.carried(phone, code))
        assert ids(here.of(phone).going_on) == ids(here.of(desk).going_on) == [table.id]

    at_tables(url, work)


def test_a_device_that_was_to_be_carried_from_can_be_carried_to(url: str) -> None:
    """Somebody taps 'carry over' on the phone, and then does it from the desk: what was on the phone is not lost."""

    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        desk, phone = identity.new_device(), identity.new_device()
        for device in (desk, phone):
            await sit(here, device, await house.create("te-kuiti", people("Anna", "Ben"), {}), 0)
        _, done = identity.carry(phone)
        await asyncio.wrap_future(done)
        code, done = identity.carry(desk)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(identity.carried(phone, code))
        assert len(here.of(phone).going_on) == len(here.of(desk).going_on) == 2
        assert {each.id for each in identity.devices(phone)} == {desk, phone}

    at_tables(url, work)


def test_a_device_alone_cannot_forget_another(url: str) -> None:
    async def work(house: QuickTables, identity: Identity, here: Places) -> None:
        device = identity.new_device()
        await sit(here, device, await house.create("te-kuiti", people("Anna", "Ben"), {}), 0)
        await asyncio.wrap_future(identity.forget(device, identity.new_device()))
        assert here.of(device).going_on, "and loses nothing by it"

    at_tables(url, work)
