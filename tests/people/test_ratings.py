"""Ratings follow from the games that count, and from them alone: which do, who was before whom, and the same digits on any way there."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from tables_helper import QuickTables, a_move, in_a_loop, people, person, sqlite_at

from sheepfold.core.position import OVER
from sheepfold.game.session import NotYourTurn, NoUndo
from sheepfold.people import ratings as room
from sheepfold.people.identity import Identity
from sheepfold.people.my_games import Places
from sheepfold.people.profiles import Game, Honour, Profiles, Record, honours, records
from sheepfold.people.ratings import BOT, Ratings, placed, recount, shown
from sheepfold.people.skill import START, Skill
from sheepfold.table import admin
from sheepfold.table.lesson import lesson
from sheepfold.table.rated import FIRM, ON, RATED, NotRated, check
from sheepfold.table.schema import profiles, rated_games, rated_seats, rating_cursors, ratings, tables
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import Table
from sheepfold.table.tables import bot_seat

ASKED = {RATED: True}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is over is counted without waiting for what might have ended before it; and however slow the machine is, nothing is too late."""
    monkeypatch.setattr(room, "GRACE", -1.0)
    monkeypatch.setattr(room, "LATE", 3600.0)


class House:
    """A server with all that ratings need."""

    def __init__(self, url: str) -> None:
        self.tables = QuickTables(Store(url, alone=False), 0.0)
        self.store = self.tables.store
        self.identity, self.places = Identity(self.store), Places(self.store)
        self.profiles, self.ratings = Profiles(self.store), Ratings(self.store)

    async def sit(self, table: Table, *devices: str) -> None:
        """They look at the page of the table, each from their own seat."""
        for seat, device in zip(table.people(), devices, strict=False):
            await asyncio.wrap_future(self.places.visit(device, table, table.seats[seat].token))
            await asyncio.wrap_future(self.profiles.came(table.id))

    async def begun(self, *devices: str, game: str = "haste-bock", seats: list[Seat] | None = None, **more: Any) -> Table:
        settings = ASKED | more.pop("settings", {})
        table = await self.tables.create(game, seats or people("Anna", "Ben"), more.pop("options", {}), settings, **more)
        await self.sit(table, *devices)
        return table

    async def played(self, *devices: str, **more: Any) -> Table:
        return await self.to_the_end(await self.begun(*devices, **more))

    async def to_the_end(self, table: Table) -> Table:
        while table.position.to_act != OVER:
            if table.waits_for(table.position) is None:
                await asyncio.sleep(0.001)  # it is a bot's turn
            else:
                await self.tables.move(table.id, *a_move(table))
            table = await self.tables.table(table.id)
        return table

    def rows(self, table: Any) -> list[tuple[Any, ...]]:
        with self.store.engine.connect() as connection:
            return sorted(tuple(row) for row in connection.execute(select(table)))

    def player(self, device: str) -> str:
        profile = self.profiles.of(device)
        assert profile
        return profile.id


def at_houses(url: str, work: Callable[..., Awaitable[None]], count: int = 1) -> None:
    async def whole() -> None:
        houses = [House(url) for _ in range(count)]
        try:
            await asyncio.wait_for(work(*houses), 300)
        finally:
            for house in houses:
                await house.tables.close()

    in_a_loop(whole())


def test_a_rated_game_counts(url: str) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        table = await house.played(anna, ben)
        assert await house.ratings.look() == 1
        wanted = [rank for _, rank in table.ended(table.position)]
        rows = house.rows(rated_seats)
        assert [(row[1], row[2], row[3]) for row in rows] == [(0, house.player(anna), wanted[0]), (1, house.player(ben), wanted[1])]
        known = {row[1]: Skill(row[2], row[3]) for row in house.rows(ratings)}
        assert [known[row[2]] for row in rows] == [Skill(row[4], row[5]) for row in rows]
        if wanted[0] != wanted[1]:
            winner, loser = sorted((0, 1), key=lambda seat: wanted[seat])
            assert known[rows[winner][2]].mu > START.mu > known[rows[loser][2]].mu
        assert all(skill.sigma < START.sigma for skill in known.values())
        before = house.rows(ratings)
        assert await house.ratings.look() == 0 and house.rows(ratings) == before, "once"

    at_houses(url, work)


def test_people_and_bots_are_in_one_pool(url: str) -> None:
    async def work(house: House) -> None:
        anna = house.identity.new_device()
        for level in ("lamb", "bellwether"):
            await house.played(anna, game="haste-bock", seats=[person("Anna"), bot_seat(level, "Dolly"), bot_seat(level, "Wilma")])
        assert await house.ratings.look() == 1
        known = {row[1]: row[4] for row in house.rows(ratings)}
        assert known == {house.player(anna): 2, BOT + "lamb": 1, BOT + "bellwether": 1}

    at_houses(url, work)


@pytest.mark.parametrize("how", ["not asked", "hint", "undo", "seats", "options", "begun", "guide", "program", "level", "rematch"])
def test_what_does_not_count(tmp_path: Path, how: str) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        bots = [person("Anna"), bot_seat("ewe", "Dolly")]
        if how == "not asked":
            await house.played(anna, ben, settings={RATED: False})
        elif how in ("hint", "undo"):
            table = await house.begun(anna, game="haste-bock", seats=bots)
            while table.position.to_act != 0:
                await asyncio.sleep(0.001)
            assert table.rated(0) == ON and table.rated(-1) == FIRM
            if how == "undo":
                await house.tables.move(table.id, *a_move(table))
                await house.tables.undo(table.id, 0)
            else:
                await house.tables.hint(table.id, 0)
            assert table.rated(0) == table.scene(0, "en")["rated"] == how
            house.tables.in_memory.clear()
            assert (await house.tables.table(table.id)).rated(0) == how, "it is stored"
            await house.to_the_end(await house.tables.table(table.id))
        elif how == "seats":
            table = await house.played(anna, seats=[Seat("person", "Anna", "same"), Seat("person", "Bea", "same")])
            assert table.rated(0) == how
        elif how == "options":
            option = next(each for each in table_game("haste-bock").options if len(each.values_for(2)) > 1)
            other = next(value for value in option.values_for(2) if value != option.default)
            table = await house.played(anna, ben, options={option.name: other})
            assert table.rated(0) == how
        elif how == "begun":
            first = await house.tables.create("haste-bock", people("Anna", "Ben"), {})
            table = await house.played(anna, ben, events=first.events)
            assert first.events and table.rated(0) == how
        elif how == "guide":
            found = lesson(table_game("haste-bock"))
            assert found
            seats = [person("Anna"), *(bot_seat("lamb", f"Bot {number}") for number in range(found.setup.seats - 1))]
            table = await house.begun(anna, seats=seats, options=found.setup.changed_options(), settings={"guide": "on"})
            assert table.rated(0) == "lesson"
        elif how == "program":
            await house.played(anna)  # nobody has come to Ben's page
        elif how == "level":
            table = await house.played(anna, seats=[person("Anna"), bot_seat("random", "Dolly")])
            assert table.rated(0) == how
        elif how == "rematch":
            first = await house.played(anna, ben)
            await house.ratings.look()
            again = await house.tables.table(await house.tables.rematch(first.id))
            assert again.rated(0) == FIRM
            await asyncio.wrap_future(house.places.follow(first.id, again.id))
            await asyncio.wrap_future(house.places.visit(anna, again, again.seats[1].token))
            await asyncio.wrap_future(house.profiles.came(again.id))
            await house.to_the_end(again)
            assert await house.ratings.look() == 0, "Ben has never come"
            assert house.profiles.at(again.id).why == "unknown"
            return
        assert await house.ratings.look() == 0
        assert not house.rows(rated_games) and not house.rows(ratings)

    at_houses(sqlite_at(tmp_path / "tables.db"), work)


def table_game(name: str) -> Any:
    from sheepfold.game.registry import find

    return find(name)


def test_nobody_spoils_what_others_play_for(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        table = await house.begun(anna, ben, game="haste-bock")
        seat = int(table.position.to_act)
        with pytest.raises(NotYourTurn, match="rated: no hints"):
            await house.tables.hint(table.id, seat)
        await house.tables.move(table.id, *a_move(table))
        assert table.undo_refusal(seat) == "undo.rated"
        with pytest.raises(NoUndo, match="rated"):
            await house.tables.undo(table.id, seat)
        assert table.rated(0) == FIRM

    at_houses(sqlite_at(tmp_path / "tables.db"), work)


def test_a_lost_game_against_bots_is_not_called_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: House) -> None:
        table = await house.begun(house.identity.new_device(), game="haste-bock", seats=[person("Anna"), bot_seat("ewe", "Dolly")])
        while sum(event.who == 0 for event in table.events) < 5:
            if table.position.to_act == 0:
                await house.tables.move(table.id, *a_move(table))
            await asyncio.sleep(0.001)
        while table.position.to_act not in (0, OVER):
            await asyncio.sleep(0.001)
        assert table.rated(0) == FIRM
        with pytest.raises(NoUndo, match="rated"):
            await house.tables.undo(table.id, 0)
        with pytest.raises(NotYourTurn, match="rated: no hints"):
            await house.tables.hint(table.id, 0)
        await house.to_the_end(table)
        monkeypatch.setattr("sheepfold.table.table.FIRST_MOVES", 10_000)  # nor when it was short, and is over
        with pytest.raises(NoUndo, match="rated"):
            await house.tables.undo(table.id, 0)
        assert await house.ratings.look() == 1

    at_houses(sqlite_at(tmp_path / "tables.db"), work)


@pytest.mark.parametrize(
    ("why", "seats", "settings", "options"),
    [
        ("nobody", [bot_seat("ewe", "Dolly"), bot_seat("ewe", "Wilma")], {}, {}),
        ("one", people("Anna"), {}, {}),
        ("seats", [Seat("person", "Anna", "same"), Seat("person", "Bea", "same")], {}, {}),
        ("options", people("Anna", "Ben"), {}, {"any": True}),
        ("components", people("Anna", "Ben"), {"components": ["own.toml", ""]}, {}),
        ("level", [person("Anna"), bot_seat("random", "Dolly")], {}, {}),
    ],
)
def test_what_cannot_be_rated_is_refused(why: str, seats: list[Seat], settings: dict[str, Any], options: dict[str, Any]) -> None:
    with pytest.raises(NotRated) as refusal:
        check(settings, options, seats)
    assert refusal.value.key == f"not-rated.{why}"


def test_quitting_counts_and_coming_back_does_not(url: str) -> None:
    async def work(house: House) -> None:
        three = [house.identity.new_device() for _ in range(3)]
        for how in ("left", "away", "back", "seat taken back"):
            table = await house.begun(*three, game="haste-bock", seats=people("Anna", "Ben", "Cleo"))
            if how == "left":
                await house.tables.replace(table.id, 1, bot_seat("ewe", "Ben"))
            elif how == "seat taken back":
                token = table.seats[1].token
                await house.tables.leave(table.id, [1])
                assert await house.tables.come_again(table.id, [token]) == [1]
            else:
                async with house.tables.at(table.id) as here:
                    await house.tables.set_away(here, 1, True)
            if how == "back":
                await house.tables.back(table.id, [1])
            table = await house.to_the_end(table)
            ranks = [rank for _, rank in table.ended(table.position)]
            assert await house.ratings.look() == 1
            found = {row[1]: row[3] for row in house.rows(rated_seats) if row[0] == table.id}
            if how in ("back", "seat taken back"):
                assert list(found.values()) == ranks
            else:
                assert found[1] == 3 and (found[0] < found[2]) == (ranks[0] < ranks[2]), "after all others"
                assert {row[2] for row in house.rows(rated_seats)} == {house.player(each) for each in three}, (
                    "and it is the person who left"
                )

    at_houses(url, work)


def test_who_has_left_before_anybody_knew_them(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await house.begun(house.identity.new_device())
        await house.tables.replace(table.id, 1, bot_seat("ewe", "Ben"))
        await house.to_the_end(table)
        assert await house.ratings.look() == 0 and house.profiles.at(table.id).why == "unknown"

    at_houses(sqlite_at(tmp_path / "tables.db"), work)


def test_ranks_of_a_game_with_ties() -> None:
    row = {"settings": json.dumps({RATED: True, "left": [1], "away": [3]}), "options": "{}", "undos": 0}
    seats = [person("Anna"), bot_seat("ewe", "Ben"), bot_seat("ram", "Dolly"), person("Dan")]
    noted = {0: "a", 1: "b", 3: "d"}
    found = placed(row, seats, [2, 1, 2, 4], noted)
    assert [(each.player, each.rank) for each in found] == [("a", 1), ("b", 3), ("bot:ram", 1), ("d", 3)]
    assert placed(row, seats, [2, 1, 2, 4], noted | {3: "a"}) == "seats", "one person from two devices"
    assert placed(row, seats, [], noted) == "unknown"


def test_the_same_to_the_digit_on_two_servers(url: str) -> None:
    async def work(one: House, other: House) -> None:
        dice = random.Random(5)
        devices = [one.identity.new_device() for _ in range(4)]
        going_on = []
        for number in range(10):
            house = (one, other)[number % 2]
            game = ("shear-panic", "haste-bock")[number % 3 == 0]
            with_bots = number % 4 == 0
            seats = (
                [person(f"P{number}"), bot_seat("ewe", "Dolly"), bot_seat("ewe", "Wilma")] if with_bots else people("Anna", "Ben", "Cleo")
            )
            going_on.append((house, await house.begun(*dice.sample(devices, 3), game=game, seats=seats)))
        dice.shuffle(going_on)
        for house, table in going_on:
            await house.to_the_end(table)
            if dice.random() < 0.5:
                await asyncio.gather(one.ratings.look(), other.ratings.look())
        while any([await one.ratings.look(), await other.ratings.look()]):
            pass
        counted = {each.name: one.rows(each) for each in (rated_games, rated_seats, ratings)}
        assert len(counted["rated_games"]) == 10 and all(row[3] is not None and row[5] for row in counted["rated_seats"])
        assert recount(url)["changed"] == 0
        assert {each.name: one.rows(each) for each in (rated_games, rated_seats, ratings)} == counted
        with one.store.engine.begin() as connection:  # nothing is left but who was before whom
            connection.execute(update(rated_seats).values(mu=None, sigma=None))
            connection.execute(ratings.delete())
            connection.execute(rating_cursors.delete())
        assert recount(url) == {
            "games": 10,
            "players": len({row[1] for row in counted["ratings"]}),
            "changed": sum(map(len, counted.values())) - 10,
        }
        assert {each.name: one.rows(each) for each in (rated_games, rated_seats, ratings)} == counted

    at_houses(url, work, 2)


def test_a_game_that_comes_late_is_counted_where_it_belongs(url: str) -> None:
    async def work(house: House) -> None:
        devices = [house.identity.new_device() for _ in range(3)]
        played = [await house.played(devices[number % 3], devices[(number + 1) % 3]) for number in range(6)]
        late = [played[1].id, played[3].id]
        with house.store.engine.begin() as connection:  # another server has not stored them yet
            connection.execute(update(tables).where(tables.c.id.in_(late)).values(status="playing"))
        assert await house.ratings.look() == 1 and len(house.rows(rated_games)) == 4
        for number, table_id in enumerate(late[::-1], 5):
            with house.store.engine.begin() as connection:
                connection.execute(update(tables).where(tables.c.id == table_id).values(status="over"))
            assert await house.ratings.look() == 1 and len(house.rows(rated_games)) == number
        counted = house.rows(rated_seats), house.rows(ratings)
        assert {row[4] for row in counted[1]} == {4} and recount(url)["changed"] == 0
        assert (house.rows(rated_seats), house.rows(ratings)) == counted

    at_houses(url, work)


def test_what_somebody_else_has_counted_is_not_counted_twice(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        await one.played(one.identity.new_device(), one.identity.new_device())
        slow = one.ratings._count(time.time() + 1)
        assert await other.ratings.look() == 1
        counted = one.rows(ratings)
        with one.store.engine.begin() as connection:
            assert not room.store_counted(connection, slow[0])
        assert one.rows(ratings) == counted

    at_houses(sqlite_at(tmp_path / "tables.db"), work, 2)


def test_games_of_two_devices_become_one_players(url: str) -> None:
    async def work(house: House) -> None:
        desk, phone, ben = (house.identity.new_device() for _ in range(3))
        await house.played(desk, ben)
        await house.played(phone, ben)
        await house.ratings.look()
        assert len(house.rows(ratings)) == 3
        mine = house.player(desk)
        code, done = house.identity.carry(desk)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(house.identity.carried(phone, code))
        assert house.player(phone) == house.player(desk) == mine
        assert await house.ratings.look() == 1
        assert {row[1]: row[4] for row in house.rows(ratings)} == {mine: 2, house.player(ben): 2}
        assert recount(url)["changed"] == 0

    at_houses(url, work)


def test_who_is_forgotten_has_no_page(url: str) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        table = await house.played(anna, ben)
        await house.ratings.look()
        mine, theirs = house.player(anna), house.player(ben)
        assert [each.linked for each in house.profiles.at(table.id).seated] == [True, True]
        await asyncio.wrap_future(house.profiles.show(ben, "Ben", False))
        assert house.profiles.page(theirs) is None and house.player(ben) == theirs
        assert [each.linked for each in house.profiles.at(table.id).seated] == [True, False]
        assert house.profiles.best("haste-bock")[0] == [] and [each.player for each in house.profiles.best("haste-bock")[1]] == [mine]
        assert [(each.player, each.name) for each in house.profiles.page(mine).records] == [("", "")], (
            "who does not show themselves is nobody"
        )
        await asyncio.wrap_future(house.profiles.show(ben, "Other", True))
        assert house.profiles.page(theirs).profile.name == "Ben"
        await asyncio.wrap_future(house.identity.forget(anna))
        assert house.profiles.page(mine) is None and house.profiles.of(anna) is None
        assert len(house.rows(profiles)) == 1 and len(house.rows(ratings)) == 2, "the others' numbers are as they were"

    at_houses(url, work)


def test_what_counts_outlives_its_table(url: str) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        over, going_on = await house.played(anna, ben), await house.begun(anna, ben)
        await house.ratings.look()
        counted = house.rows(ratings)
        for table in (over, going_on):
            admin.erase(url, table.id)
        assert {row[0] for row in house.rows(rated_seats)} == {over.id}
        assert recount(url)["changed"] == 0 and house.rows(ratings) == counted

    at_houses(url, work)


def test_a_rating_as_people_read_it() -> None:
    assert shown(START) == (1500, 500)
    assert shown(Skill(START.mu + 10, 2.0)) == (1800, 120)


def played(game: str, ended: float, rank: int, *others: tuple[str, int], mu: float = 25.0) -> Game:
    return Game(game, ended, rank, Skill(25.0, 2.0), [(player, place, Skill(mu, 2.0)) for player, place in others])


def test_records_against_each_opponent() -> None:
    games = [played("a", 1, 1, ("x", 2), ("bot:ewe", 1)), played("a", 2, 2, ("x", 1), ("z", 2)), played("b", 3, 1, ("x", 2), ("y", 3))]
    assert records(games, {"x": "Xenia"}) == [
        Record("x", "Xenia", 2, 1, 0), Record("bot:ewe", "", 0, 0, 1), Record("", "", 1, 0, 1),
    ]  # fmt: skip


def test_honours_come_from_facts() -> None:
    assert honours([]) == honours([played("a", 1, 2, ("x", 1)), played("a", 2, 1, ("x", 1))]) == []
    assert honours([played("a", 1, 1, ("bot:bellwether", 2))]) == [Honour("first-win", "a"), Honour("strongest", "a")]
    assert honours([played("a", 1, 2, ("x", 1), ("y", 3), mu=34.0)]) == [Honour("above", "a")]
    row = [played("a", 1e5 * number, 1, ("x", 2)) for number in range(5)]
    assert honours(row) == [Honour("first-win", "a"), Honour("row", "a", 5)]
    assert honours([*row[:3], played("a", 2.5e5, 2, ("x", 1)), *row[3:]]) == [Honour("first-win", "a")]
    evening = [played("a", 1000.0 * number, 2, ("x", 1)) for number in range(12)]
    assert honours(evening) == [Honour("evening", number=12)]
    assert honours([played("a", 4000.0 * number, 2, ("x", 1)) for number in range(12)]) == []
    assert honours([played("a", 1e5 * number, 2, ("x", 1)) for number in range(100)]) == [Honour("many", number=100)]
