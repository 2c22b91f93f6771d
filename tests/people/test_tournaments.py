"""Tournaments go on by themselves, round after round, exactly once, whichever server is at it and however it ends."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from tables_helper import a_move, in_a_loop, sqlite_at

from sheepfold.core.position import OVER
from sheepfold.game.registry import find
from sheepfold.game.session import NotYourTurn, NoUndo
from sheepfold.people import tournaments as room
from sheepfold.people.identity import Identity
from sheepfold.people.my_games import Places
from sheepfold.people.tournaments import ANNOUNCED, ENDED, OFF, RUNNING, BadRules, NotNow, NoTournament, Rules, Tournament, Tournaments
from sheepfold.table.admin import close as close_table
from sheepfold.table.schema import entrants, events, pairings, seats, tables, tournaments
from sheepfold.table.store import Store
from sheepfold.table.tables import Tables

QUICK = Rules(seats=2, rounds=3, seconds=600)


class Server:
    """One of the servers of a database; it does nothing by itself."""

    def __init__(self, url: str) -> None:
        self.house = Tables(Store(url), 0.0)
        self.house.bots.workers = ThreadPoolExecutor(1)  # a process of their own takes a second to start
        self.room = Tournaments(self.house)
        self.identity, self.here = Identity(self.house.store), Places(self.house.store)

    async def entered(self, tournament_id: str, *names: str) -> list[str]:
        """The devices of people who have entered."""
        devices = [self.identity.new_device() for _ in names]
        for device, name in zip(devices, names, strict=True):
            await self.room.enter(device, tournament_id, name)
        return devices

    async def steps(self, tournament_id: str) -> Tournament:
        """All that is to be done now; the tournament after it."""
        while await self.room.step(tournament_id):
            pass
        return await self.room.found(tournament_id)

    async def play(self, tournament_id: str) -> None:
        """People play all tables of the round to the end."""
        found = await self.room.found(tournament_id)
        for sitting in found.tables(found.round):
            table = await self.house.table(str(sitting[0].table))
            while table.position.to_act != OVER:
                table = await self.house.move(table.id, *a_move(table))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


def at_servers(url: str, work: Callable[..., Awaitable[None]], count: int = 1) -> None:
    async def whole() -> None:
        servers = [Server(url) for _ in range(count)]
        try:
            await asyncio.wait_for(work(*servers), 300)
        finally:
            for each in servers:
                await each.room.close()
                await each.house.close()

    in_a_loop(whole())


async def announced(server: Server, rules: Rules = QUICK, game: str = "haste-bock") -> tuple[str, str]:
    """A tournament, and the device of its organiser."""
    organiser = server.identity.new_device()
    return await server.room.announce(organiser, "Spring Cup", find(game), rules), organiser


def test_people_play_a_tournament_to_its_end(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here)
        devices = await here.entered(cup, "Anna", "Ben", "Cleo", "Dan", "Eve")
        with pytest.raises(NotNow, match="announced"):
            await here.room.begin(devices[0], cup)
        await here.room.begin(organiser, cup)
        for number in (1, 2, 3):
            found = await here.steps(cup)
            assert (found.state, found.round) == (RUNNING, number)
            assert len(found.tables(number)) == 2 and len(found.byes(number)) == 1
            for table in found.tables(number):  # each is told of it, and finds it on any of their devices
                for each in table:
                    mine = here.here.of(devices[found.entrants[each.entrant].number])
                    assert [game.table for game in mine.going_on] == [each.table]
                    turn = (await here.house.table(str(each.table))).position.to_act
                    assert mine.going_on[0].my_turn == (turn == each.seat)
            await here.play(cup)
        found = await here.steps(cup)
        assert found.state == ENDED and found.round == 3 and not await here.room.step(cup)
        assert sum(each.points for each in found.standings) == 3 * (2 * 12 + 12), "every table and every bye has given its points"
        assert max(Counter(each.entrant for each in found.played if each.board is None).values()) == 1

    at_servers(url, work)


def test_bots_fill_up_and_play_among_themselves(url: str) -> None:
    async def work(here: Server) -> None:
        rules = Rules(seats=4, rounds=2, seconds=600, levels=("lamb", "ewe"), fill=7)
        cup, organiser = await announced(here, rules, "sheepzzz")
        await here.room.begin(organiser, cup)
        found = await here.steps(cup)
        assert found.state == ENDED and len(found.entrants) == 8, "bots make full tables"
        assert Counter(each.level for each in found.entrants.values()) == {"lamb": 4, "ewe": 4}
        for sitting in (*found.tables(1), *found.tables(2)):
            table = await here.house.table(str(sitting[0].table))
            told = table.told_of_chance()
            assert table.status == "over" and told["secret"] and told["draws"], "with chance that can be checked"
            assert [seat.level for seat in table.seats] == [found.entrants[each.entrant].level for each in sitting]
            assert [each.rank for each in sitting] == [int(rank) for rank in table.position.ranks()]

    at_servers(url, work)


def test_a_bot_plays_where_somebody_was_to_sit_who_has_left(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here)
        anna, _, cleo, dan = await here.entered(cup, "Anna", "Ben", "Cleo", "Dan")
        await here.room.leave(dan, cup)
        await here.room.enter(dan, cup, "Someone else")
        await here.room.begin(organiser, cup)
        found = await here.steps(cup)
        assert [each.name for each in found.entrants.values()] == ["Anna", "Ben", "Cleo", "Dan"]
        await here.room.leave(anna, cup)
        with pytest.raises(NotNow):
            await here.room.leave(cleo, cup, 1)
        await here.room.leave(organiser, cup, 1)
        mine = next(each.table for each in found.played if each.entrant == 0)
        kinds = {seat.name: seat.kind for seat in (await here.house.table(str(mine))).seats}
        assert kinds["Anna"] == "bot"
        for table_id in {str(each.table) for each in found.played}:
            table = await here.house.table(table_id)
            for _ in range(500):
                if (turn := int(table.position.to_act)) == OVER or not table.people():
                    break
                if table.seats[turn].kind == "person":
                    await here.house.move(table.id, *a_move(table))
                await asyncio.sleep(0.01)
        found = await here.steps(cup)
        assert found.round == 2 and {each.entrant for each in found.played if each.round == 2} == {2, 3}, "who has left is paired no more"
        assert {each.name for each in found.here} == {"Cleo", "Dan"}

    at_servers(url, work)


def test_late_comers_begin_with_nothing(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here, Rules(seats=2, rounds=3, seconds=600, late=2))
        await here.entered(cup, "Anna", "Ben")
        await here.room.begin(organiser, cup)
        await here.steps(cup)
        await here.entered(cup, "Cleo", "Dan")
        await here.play(cup)
        found = await here.steps(cup)
        assert {each.entrant for each in found.played if each.round == 2} == {0, 1, 2, 3}
        assert {each.entrant: each.points for each in found.standings}[2] == 0
        with pytest.raises(NotNow, match="any more"):
            await here.entered(cup, "Eve")

    at_servers(url, work)


def test_it_begins_by_itself_or_is_off(url: str) -> None:
    async def work(here: Server) -> None:
        ids = []
        for names in (("Anna", "Ben"), ("Anna",)):
            device = here.identity.new_device()
            ids.append(await here.room.announce(device, "Cup", find("te-kuiti"), QUICK, time.time() + 3600))
            await here.entered(ids[-1], *names)
        await here.room.look()
        assert [(await here.room.found(each)).state for each in ids] == [ANNOUNCED, ANNOUNCED]
        past = update(tournaments).values(starts=time.time() - 1)
        await room.transaction(here.house.store, lambda connection: connection.execute(past) and None)
        await here.room.look()
        while here.room._working:
            await asyncio.sleep(0.01)
        assert [(await here.room.found(each)).state for each in ids] == [RUNNING, OFF]

    at_servers(url, work)


def test_everybody_meets_everybody(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(
            here, Rules(seats=2, kind="everybody", twice=True, seconds=60, levels=("lamb",), fill=4), "haste-bock"
        )
        await here.room.begin(organiser, cup)
        found = await here.steps(cup)
        assert (found.state, found.round) == (ENDED, 6)
        met = Counter(tuple(each.entrant for each in table) for number in range(1, 7) for table in found.tables(number))
        assert set(met) == {(one, other) for one in range(4) for other in range(4) if one != other} and set(met.values()) == {1}

    at_servers(url, work)


def test_a_table_that_counts_helps_nobody(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here, Rules(seats=2, rounds=1, seconds=600, levels=("lamb",)))
        await here.entered(cup, "Anna")
        await here.room.begin(organiser, cup)
        found = await here.steps(cup)
        table = await here.house.table(str(found.played[0].table))
        seat = table.people()[0]
        while table.position.to_act != seat:
            await asyncio.sleep(0.01)
        table = await here.house.move(table.id, *a_move(table))
        with pytest.raises(NoUndo, match="counts"):
            await here.house.undo(table.id, seat)
        for wish in (here.house.pause(table.id, [seat], "yes"), here.house.be_absent(table.id, [seat], time.time() + 99)):
            with pytest.raises(NotYourTurn, match="counts"):
                await wish
        while table.position.to_act != seat:
            await asyncio.sleep(0.01)
        with pytest.raises(NotYourTurn, match="counts"):
            await here.house.hint(table.id, seat)
        scene = table.scene(seat, "en")
        assert scene["counts"] and scene["pause"] is None and scene["undo"] == "undo.counts"

    at_servers(url, work)


def test_a_table_that_was_closed_is_shared_and_one_that_was_erased_made_again(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here, Rules(seats=2, rounds=1, seconds=600))
        await here.entered(cup, "Anna", "Ben", "Cleo", "Dan")
        await here.room.begin(organiser, cup)
        found = await here.steps(cup)
        closed, erased = [str(table[0].table) for table in found.tables(1)]
        await asyncio.to_thread(close_table, url, closed)

        def erase(connection) -> None:
            from sheepfold.table.admin import _erase

            _erase(connection, [erased])

        await room.transaction(here.house.store, erase)
        here.house.in_memory.clear()
        found = await here.steps(cup)
        assert [each.points for each in found.standings][:2] == [6, 6] and found.state == RUNNING
        anew = {str(table[0].table) for table in found.tables(1)} - {closed}
        assert len(anew) == 1 and erased not in anew and (await here.house.table(anew.pop())).people() == [0, 1]

    at_servers(url, work)


def counted(server: Server, what) -> int:
    with server.house.store.engine.connect() as connection:
        return int(connection.scalar(select(func.count()).select_from(what)) or 0)


@pytest.mark.slow
def test_servers_side_by_side_do_everything_once(postgres: str) -> None:
    """All three take every step at the same time, as if none had heard of the others' leases."""

    async def work(*servers: Server) -> None:
        first = servers[0]
        cup, organiser = await announced(first, Rules(seats=2, rounds=3, seconds=600, levels=("ewe",), fill=9), "haste-bock")
        people = await asyncio.gather(*(each.entered(cup, "Anna", "Ben") for each in servers))
        await asyncio.gather(*(each.room.begin(organiser, cup) for each in servers))
        found = await first.room.found(cup)
        assert sorted(found.entrants) == list(range(10)) and len({each.name for each in found.entrants.values()}) == 10
        await asyncio.gather(
            *(each.room.leave(device, cup) for each, devices in zip(servers, people, strict=True) for device in devices[1:])
        )
        for _ in range(3):  # a round is paired and its tables are made
            await asyncio.gather(*(each.room.step(cup) for each in servers))
        await asyncio.gather(*(each.room.leave(devices[0], cup) for each, devices in zip(servers, people, strict=True)))
        while found.state == RUNNING:
            await asyncio.gather(*(each.room.step(cup) for each in servers))
            found = await first.room.found(cup)
        assert [len(found.tables(number)) for number in (1, 2, 3)] == [3, 2, 2] and not found.byes(2)
        assert counted(first, tables) == 7 and counted(first, pairings) == 15 and counted(first, seats) == 14

    at_servers(postgres, work, 3)


def test_what_is_wrong_is_said(url: str) -> None:
    async def work(here: Server) -> None:
        for rules, why in (
            (Rules(seats=7, seconds=60), "not played by 7"),
            (Rules(seats=2), "needs a clock"),
            (Rules(seats=2, seconds=60, rounds=99), "1 to 20 rounds"),
            (Rules(seats=2, seconds=60, fill=2000), "no more than 1000"),
        ):
            with pytest.raises(BadRules, match=why):
                await announced(here, rules)
        cup, organiser = await announced(here)
        with pytest.raises(NotNow, match="too few"):
            await here.room.begin(organiser, cup)
        for _ in range(2):
            await here.room.announce(organiser, "More", find("te-kuiti"), QUICK)
        with pytest.raises(NotNow, match="enough for now"):
            await here.room.announce(organiser, "More", find("te-kuiti"), QUICK)
        await here.room.call_off(organiser, cup)
        with pytest.raises(NotNow):
            await here.entered(cup, "Anna")
        for wish in (here.room.found("nowhere"), here.room.enter(organiser, "nowhere", "Anna")):
            with pytest.raises(NoTournament):
                await wish

    at_servers(url, work)


def test_who_is_forgotten_leaves_a_name_and_nothing_else(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here)
        (anna,) = await here.entered(cup, "Anna")
        assert await here.room.is_organiser(organiser, await here.room.found(cup)) and await here.room.numbers_of(anna, cup) == {0}
        for device in (anna, organiser):
            await asyncio.wrap_future(here.identity.forget(device))
        with here.house.store.engine.connect() as connection:
            assert connection.execute(select(entrants.c.person, entrants.c.name)).all() == [(None, "Anna")]
            assert connection.scalar(select(tournaments.c.organiser)) is None

    at_servers(url, work)


def test_another_device_is_the_same_player(url: str) -> None:
    async def work(here: Server) -> None:
        cup, _ = await announced(here)
        (anna,) = await here.entered(cup, "Anna")
        code, done = here.identity.carry(anna)
        await asyncio.wrap_future(done)
        phone = here.identity.new_device()
        await asyncio.wrap_future(here.identity.carried(phone, code))
        await here.room.enter(phone, cup, "Anna again")
        assert await here.room.numbers_of(phone, cup) == await here.room.numbers_of(anna, cup) == {0}
        assert len((await here.room.found(cup)).entrants) == 1

    at_servers(url, work)


def test_who_was_two_players_plays_for_both(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here, Rules(seats=2, rounds=1, seconds=600))
        phone, tablet = await here.entered(cup, "Phone", "Tablet")
        code, done = here.identity.carry(phone)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(here.identity.carried(tablet, code))
        await here.room.begin(organiser, cup)
        found = await here.steps(cup)
        table = await here.house.table(str(found.played[0].table))
        assert table.seats_of([here.here.token(phone, table.id) or ""]) == [0, 1]

    at_servers(url, work)


def test_a_game_of_bots_waits_while_somebody_looks_on(url: str) -> None:
    async def work(here: Server) -> None:
        cup, organiser = await announced(here, Rules(seats=2, rounds=1, seconds=60, levels=("lamb",), fill=2), "haste-bock")
        await here.room.begin(organiser, cup)
        await here.room.step(cup)
        await here.room.step(cup)
        (sitting,) = (await here.room.found(cup)).tables(1)
        table_id = str(sitting[0].table)
        here.house.bots.pace.ordinary = 3600.0  # one that is looked at is played so that people can follow
        async with here.house.listeners.listening(table_id):
            assert not await here.room.step(cup)
            with here.house.store.engine.connect() as connection:
                assert not connection.scalar(select(func.count()).where(events.c.table_id == table_id, events.c.who >= 0))
        for task in here.house.bots.tasks.values():
            task.cancel()
        while here.house.bots.tasks:
            await asyncio.sleep(0.01)
        assert (await here.steps(cup)).state == ENDED

    at_servers(url, work)


def test_a_tournament_that_is_long_over_is_tidied_up(url: str) -> None:
    from sheepfold.table.admin import erase, tidy

    async def work(here: Server) -> None:
        cups = [(await announced(here))[0] for _ in range(3)]
        await here.entered(cups[0], "Anna")
        old = update(tournaments).where(tournaments.c.id == cups[0]).values(since=time.time() - 40 * 86400)
        await room.transaction(here.house.store, lambda connection: connection.execute(old) and None)
        await asyncio.to_thread(tidy, url, 30, 30)
        await asyncio.to_thread(erase, url, cups[1])
        with here.house.store.engine.connect() as connection:
            assert list(connection.execute(select(tournaments.c.id)).scalars()) == [cups[2]]
            assert not connection.execute(select(entrants)).all()

    at_servers(url, work)
