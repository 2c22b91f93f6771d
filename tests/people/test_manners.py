"""What people report, what a host does about it, and that nothing is kept of who is erased; on both databases, with several servers."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import select
from tables_helper import QuickTables, a_move, finished, in_a_loop, people, sqlite_at, until, with_bots

from sheepfold.core.position import OVER
from sheepfold.game.session import NotYourTurn, Refused
from sheepfold.messages import SOMEBODY
from sheepfold.people.erasing import erase, erase_next
from sheepfold.people.identity import Identity
from sheepfold.people.manners import CONTEXT, DAY, HOST, Manners, NoLine, Silenced
from sheepfold.people.my_games import Places
from sheepfold.table.admin import AtAnEnd, NotThere, noted
from sheepfold.table.schema import analyses, chat, devices, metadata, places, reports, seats, silences, tables
from sheepfold.table.store import Store
from sheepfold.table.table import Table
from sheepfold.terminal.hosting import erase_person, show_people
from sheepfold.web.replay_frames import FinishedGame, voice_of, written
from sheepfold.web.wishes import leave

ANNA, BEN, CLEO = ("anna-0123456789", "ben-01234567890", "cleo-0123456789")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


def at_tables(url: str, work, servers: int = 1) -> None:
    """Do some work with all that each of some servers has."""

    async def whole() -> None:
        houses = [QuickTables(Store(url), 0.0) for _ in range(servers)]
        for each in houses:
            each.fleet.start()
        try:
            await asyncio.wait_for(work(*houses), 60)
        finally:
            for each in houses:
                await each.close()

    in_a_loop(whole())


async def sit(house: QuickTables, device: str, table: Table, seat: int) -> None:
    await asyncio.wrap_future(Places(house.store).visit(device, table, table.seats[seat].token))


async def two_at(house: QuickTables, game: str = "haste-bock") -> Table:
    table = await house.create(game, people("Anna", "Ben"), {})
    for seat, device in enumerate((ANNA, BEN)):
        await sit(house, device, table, seat)
    return table


def rows(house: QuickTables, kind) -> list:
    with house.store.engine.connect() as connection:
        return list(connection.execute(select(kind)).mappings())


def deeds(url: str) -> list[str]:
    return [what for _, who, what in noted(url) if who == HOST]


# Reports.


def test_a_report_is_one_however_often(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, table = Manners(house), await two_at(house)
        for number in range(CONTEXT + 3):
            await house.say(table.id, "Ben", f"line {number}", BEN)
        bad = CONTEXT + 2
        assert await manners.reported() == []
        for person, reason in ((ANNA, ""), (ANNA, "again"), (CLEO, "rude")):
            await manners.report(person, table.id, bad, reason)
        (found,) = await manners.reported()
        assert (found.table, found.number, found.who, found.person, found.text) == (table.id, bad, "Ben", BEN, f"line {bad}")
        assert found.count == 2 and found.reasons == ["rude"] and found.going_on
        assert found.before == [("Ben", f"line {number}") for number in range(2, bad)]
        await manners.dismiss(table.id, bad)
        assert await manners.reported() == []
        assert {(row["text"], row["reason"]) for row in rows(house, reports)} == {("", "")}, "what was said is not kept twice"
        await manners.report(ANNA, table.id, bad, "once more")
        assert await manners.reported() == []
        await manners.report(BEN, table.id, bad, "")
        assert [each.count for each in await manners.reported()] == [1]

    at_tables(url, work)
    assert deeds(url)[0].startswith("dismissed the reports of line 6 at table")


def test_only_lines_that_somebody_said_are_reported(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, table = Manners(house), await two_at(house)
        await house.say(table.id, "", "Ben")
        await house.say(table.id, "Ben", "hello")
        await manners.remove_line(table.id, 1)
        for number in (0, 1, 2):
            with pytest.raises(NoLine):
                await manners.report(ANNA, table.id, number, "")
        for table_id, number in ((table.id, 0), (table.id, 7), ("nowhere", 0)):
            with pytest.raises(NoLine):
                await manners.remove_line(table_id, number)
        assert await manners.reported() == []

    at_tables(url, work)
    assert len(deeds(url)) == 1


# What a host does.


def test_a_removed_line_is_gone_for_who_looks_on(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, table = Manners(house), await two_at(house)
        await house.say(table.id, "Ben", "shame", BEN)
        await manners.report(ANNA, table.id, 0, "")
        told: list[str] = []
        with house.listeners.ringing(table.id, lambda now: told.append(now.chat[0][1])):
            await manners.remove_line(table.id, 0)
            await until(lambda: told[-1:] == [""])
        assert await manners.reported() == []
        table = await house.table(table.id)
        await house.move(table.id, *a_move(table))
        await house.say(table.id, "Anna", "on we go", ANNA)
        assert [line[1] for line in (await house.table(table.id)).chat] == ["", "on we go"]

    at_tables(url, work)


def test_who_is_silenced_says_nothing_until_then(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: QuickTables) -> None:
        manners, table = Manners(house), await two_at(house)
        token = table.seats[1].token
        assert await manners.speaker(table.id, token, "") == await manners.speaker(table.id, token, BEN) == BEN
        assert await manners.speaker(table.id, token, CLEO) == CLEO
        await manners.silence(BEN, 1.0)
        for person in (BEN, "", CLEO):
            with pytest.raises(Silenced):
                await manners.speaker(table.id, token, person)
        assert await manners.speaker(table.id, table.seats[0].token, ANNA) == ANNA
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + DAY - 60)
        with pytest.raises(Silenced):
            await manners.speaker(table.id, token, BEN)
        monkeypatch.setattr(time, "time", lambda: now + DAY + 60)
        assert await manners.speaker(table.id, token, BEN) == BEN and await manners.silenced() == []
        await manners.silence(BEN, None)
        monkeypatch.setattr(time, "time", lambda: now + 1000 * DAY)
        with pytest.raises(Silenced):
            await manners.speaker(table.id, token, BEN)
        assert await manners.silenced() == [(BEN, None)]
        await manners.let_speak(BEN)
        assert await manners.speaker(table.id, token, BEN) == BEN
        monkeypatch.undo()

    at_tables(url, work)
    assert [each for each in deeds(url) if "speak" not in each] == [f"silenced person {BEN} for good", f"silenced person {BEN} for 1 days"]


def test_a_silence_goes_with_the_person_to_another_device(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, identity, table = Manners(house), Identity(house.store), await two_at(house)
        await house.say(table.id, "Ben", "hello", BEN)
        await manners.silence(BEN, 1.0)
        for person in (BEN, CLEO):
            await manners.report(person, table.id, 0, "")
        code, done = identity.carry(CLEO)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(identity.carried(BEN, code))
        person = identity.person(BEN)
        assert person == identity.person(CLEO) != BEN
        with pytest.raises(Silenced):
            await manners.speaker(table.id, "", person)
        assert [row["person"] for kind in (chat, reports, silences) for row in rows(house, kind)] == 3 * [person]

    at_tables(url, work)


def test_a_table_is_closed_for_who_is_there(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, table = Manners(house), await two_at(house)
        told: list[str] = []
        with house.listeners.ringing(table.id, lambda now: told.append(now.status)):
            await manners.close(table.id, "unkind")
            await until(lambda: told[-1:] == ["closed"])
        assert (await house.table(table.id)).closed == "unkind"
        with pytest.raises(AtAnEnd):
            await manners.close(table.id, "")
        with pytest.raises(NotThere):
            await manners.close("nowhere", "")
        found = await manners.find(table.id)
        assert found and (found.status, found.going_on) == ("closed", False) and await manners.find("nowhere") is None

    at_tables(url, work)
    assert len(deeds(url)) == 1


def test_a_host_finds_who_sits_where_and_no_token(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, table = Manners(house), await two_at(house)
        found = await manners.find(table.id)
        assert found and [(each.name, each.person) for each in found.sitters] == [("Anna", ANNA), ("Ben", BEN)]
        assert not any(seat.token in str(found) for seat in table.seats)
        await manners.limit({"chat": 3.0})
        assert house.limits.chat == 3.0
        await manners.limit({"chat": None})
        assert house.limits.chat == 20.0
        await manners.come_in()
        done = await manners.done()
        assert next(what for _, _, _, what in done) == "came in"
        assert [each[0] for each in await manners.done(done[0][0])] == [each[0] for each in done[1:]]

    at_tables(url, work)


# Erasing.


def everything_of(house: QuickTables, person: str) -> dict[str, list]:
    """Every row, of any kind, that has a person's number."""
    found = {}
    for kind in metadata.tables.values():
        if mine := [row for row in rows(house, kind) if person in row.values()]:
            found[kind.name] = mine
    return found


def test_nothing_is_kept_of_who_is_erased_and_the_game_goes_on(url: str) -> None:
    async def work(house: QuickTables) -> None:
        manners, identity = Manners(house), Identity(house.store)
        table = await two_at(house)
        waiting = await house.create("te-kuiti", [*people("Ben"), *[type(table.seats[0])("open", "Player 2")]], {})
        await sit(house, BEN, waiting, 0)
        while int(table.position.to_act) != 1:
            await house.move(table.id, *a_move(table))
        for who, person, said in (("Ben", "", "of old"), ("Ben", BEN, "hello"), ("Anna", ANNA, "Ben!"), ("", "", "Ben")):
            await house.say(table.id, who, said, person)
        await manners.report(BEN, table.id, 2, "reported by Ben")
        await manners.report(ANNA, table.id, 1, "reported by Anna")
        await manners.silence(BEN, None)
        _, done = identity.carry(BEN)
        await asyncio.wrap_future(done)
        person = identity.person(BEN)
        assert {"places", "chat", "reports", "silences", "devices", "carries"} <= everything_of(house, person).keys()
        told: list[Table] = []
        with house.listeners.ringing(table.id, told.append):
            assert sorted(await erase(house, person, HOST)) == sorted([table.id, waiting.id])
            await until(lambda: bool(told) and int(told[-1].position.to_act) == 0)
        assert everything_of(house, person) == everything_of(house, BEN) == {}
        now = await house.table(table.id)
        assert [(seat.kind, seat.name) for seat in now.seats] == [("person", "Anna"), ("bot", SOMEBODY)], "and the bot has moved"
        assert [(who, text) for who, text, _ in now.chat] == [(SOMEBODY, "of old"), (SOMEBODY, "hello"), ("Anna", "Ben!"), ("", SOMEBODY)]
        assert next((seat.kind, seat.name, seat.token) for seat in (await house.table(waiting.id)).seats) == ("open", "", "")
        assert [each.reasons for each in await manners.reported()] == [["reported by Anna"]]
        assert {now.voice(each).name(1) for each in ("en", "fr", "de")} == {"Somebody", "Quelqu’un", "Jemand"}
        with pytest.raises(NotYourTurn):
            await house.say(table.id, "Ben", "said at the same moment", BEN)
        assert await erase(house, person) == await erase(house, BEN) == await erase(house, "never-was-here") == []
        while (table := await house.table(table.id)).position.to_act != OVER:
            if int(table.position.to_act) == 0:
                await house.move(table.id, *a_move(table))
            else:
                await until(lambda table=table: int(table.position.to_act) != 1)

    at_tables(url, work)
    assert deeds(url)[0].startswith("erased person ")


def test_two_who_are_erased_are_told_apart_and_finished_games_stay(url: str) -> None:
    async def work(house: QuickTables) -> None:
        table = await two_at(house, "te-kuiti")
        shared = await house.create("haste-bock", with_bots("Anna", 2), {})
        await sit(house, ANNA, shared, 0)
        while table.position.to_act != OVER:
            table = await house.move(table.id, *a_move(table))
        for person in (BEN, ANNA):
            await erase(house, person)
        over = await house.table(table.id)
        assert over.status == "over" and over.events == table.events
        assert over.voice("en").names == ["Somebody 2", "Somebody"]
        assert sorted(row["name"] for row in rows(house, seats) if row["table_id"] == shared.id) == sorted([SOMEBODY, "Bot 0", "Bot 1"])
        assert rows(house, places) == rows(house, devices) == []

    at_tables(url, work)


def test_who_had_left_is_found_by_what_they_said(url: str) -> None:
    async def work(house: QuickTables) -> None:
        table = await two_at(house)
        await house.say(table.id, "Ben", "bye", BEN)
        await leave(house, table.id, [table.seats[1].token])
        await asyncio.wrap_future(Places(house.store).leave(BEN, table.id))
        assert await erase(house, BEN) == [table.id]
        now = await house.table(table.id)
        assert now.seats[1].name == SOMEBODY and [line[:2] for line in now.chat] == [(SOMEBODY, "bye"), ("", SOMEBODY)]

    at_tables(url, work)


def test_a_visit_at_the_same_moment_brings_nobody_back(url: str) -> None:
    async def work(house: QuickTables) -> None:
        table = await two_at(house)
        await erase(house, BEN)
        await asyncio.wrap_future(Places(house.store).visit(BEN, table, table.seats[1].token))  # as a server that has not heard of it
        assert everything_of(house, BEN) == {}

    at_tables(url, work)


def test_forgetting_the_last_device_leaves_nothing_either(url: str) -> None:
    async def work(house: QuickTables) -> None:
        table = await two_at(house)
        await house.say(table.id, "Ben", "hello", BEN)
        await Manners(house).report(BEN, table.id, 0, "")
        await Manners(house).silence(BEN, None)
        await asyncio.wrap_future(Identity(house.store).forget(BEN))
        assert {**everything_of(house, BEN), "audit": []} == {"audit": []}
        assert [row["text"] for row in rows(house, chat)] == ["hello"] and rows(house, analyses) == []

    at_tables(url, work)


def test_what_was_stopped_in_the_middle_is_finished(url: str) -> None:
    async def work(house: QuickTables) -> None:
        made = [(await two_at(house)).id for _ in range(4)]
        await house.say(made[0], "Ben", "hello", BEN)
        with house.store.engine.begin() as connection:
            first = erase_next(connection, BEN)  # and then the server was killed
        assert first in made and len(everything_of(house, BEN)["places"]) == 4, "by these the rest is found"
        assert sorted([first, *await erase(house, BEN)]) == sorted(made)
        assert everything_of(house, BEN) == {}
        assert all(house.store.load(each).seats[1].name == SOMEBODY for each in made)

    at_tables(url, work)


def test_by_the_command(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def work(house: QuickTables) -> None:
        table = await two_at(house)
        show_people(url, "Ben", 50, "en")
        assert capsys.readouterr().out.splitlines()[-1] == f"person {BEN}  at 1 table"
        told: list[Table] = []
        with house.listeners.ringing(table.id, told.append):
            await asyncio.to_thread(erase_person, url, BEN, "en")
            await until(lambda: bool(told) and told[-1].seats[1].name == SOMEBODY)
        erase_person(url, BEN, "en")
        assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == ["1 table was changed.", "0 tables were changed."]
        assert everything_of(house, BEN) == {}

    at_tables(url, work)
    assert [what for _, _, what in noted(url)][:2] == 2 * [f"erased person {BEN}"]


def test_a_finished_game_names_nobody_in_any_language() -> None:
    record = finished("te-kuiti", 2, "nobody")
    events = [(event.who, event.action, event.interrupt) for event in record.events]
    played = FinishedGame("te-kuiti", 2, dict(record.setup.options), ["Anna", f"{SOMEBODY} 2"], events, {})
    assert [voice_of(played, each).name(1) for each in ("en", "fr", "de")] == ["Somebody 2", "Quelqu’un 2", "Jemand 2"]
    assert "Somebody 2" in written(played) and SOMEBODY not in written(played)


@pytest.mark.slow
def test_other_servers_hear_of_it(postgres: str) -> None:
    async def work(one: QuickTables, other: QuickTables) -> None:
        table = await two_at(one)
        await one.say(table.id, "Ben", "shame", BEN)
        told: list[Table] = []
        await other.table(table.id)
        with other.listeners.ringing(table.id, told.append):
            await Manners(one).remove_line(table.id, 0)
            await until(lambda: any(each.chat[0][1] == "" for each in told))
            await erase(one, BEN)
            await until(lambda: told[-1].seats[1].name == SOMEBODY)
            turn = await other.table(table.id)
            while int(turn.position.to_act) == 0:
                turn = await other.move(table.id, *a_move(turn))
            await until(lambda: told[-1].position.to_act != 1)
        with one.store.engine.connect() as connection:
            assert connection.scalar(select(tables.c.turn)) in (0, None)

    at_tables(postgres, work, 2)


@pytest.mark.slow
def test_of_an_erasing_and_moves_at_once_nothing_is_lost(postgres: str) -> None:
    """Two servers play on as fast as they can while both erase the same person."""

    async def work(one: QuickTables, other: QuickTables) -> None:
        made = [await two_at(one) for _ in range(4)]

        async def play(house: QuickTables, table_id: str) -> None:
            for _ in range(15):
                table = await house.table(table_id)
                if table.position.to_act == OVER:
                    return
                if table.seats[int(table.position.to_act)].kind == "person":
                    with suppress(Refused):  # another was quicker
                        await house.move(table_id, *a_move(table))
                await asyncio.sleep(0)

        await asyncio.gather(
            *(play(house, each.id) for house in (one, other) for each in made), *(erase(each, BEN) for each in (one, other))
        )
        for each in made:
            stored = one.store.load(each.id)
            assert stored and stored.seats[1].name == SOMEBODY and stored.seats[0].name == "Anna"
            Table(stored)  # every event legal, none missing
        assert everything_of(one, BEN) == {}

    at_tables(postgres, work, 2)
