"""Clocks for a decision or for a game, pauses that people agree on, and absences that they announce."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from tables_helper import QuickTables, a_move, in_a_loop, people, with_house

from sheepfold.game.session import NotYourTurn
from sheepfold.table.store import Store
from sheepfold.table.table import Table
from sheepfold.table.tables import TooLong
from sheepfold.table.timing import ABSENT, BUDGET, LONGEST_ABSENCE, PAUSED, SECONDS, deadline, spent

DAY = 86400.0


@pytest.mark.parametrize(
    ("settings", "ends"),
    [
        ({}, None),
        ({SECONDS: 60}, 1060),
        ({BUDGET: 600}, 1500),  # of which 100 are used up
        ({SECONDS: 60, BUDGET: 600}, 1060),
        ({SECONDS: 600, BUDGET: 130}, 1030),
        ({BUDGET: 50}, 1000),
        ({SECONDS: 60, PAUSED: True}, None),
        ({SECONDS: 60, ABSENT: {"1": [900.0, 5000.0]}}, 5060),
        ({SECONDS: 60, ABSENT: {"1": [1020.0, 5000.0]}}, 5040),  # of which 20 are used up
        ({SECONDS: 60, ABSENT: {"1": [400.0, 500.0]}}, 1060),
        ({SECONDS: 60, ABSENT: {"0": [900.0, 5000.0]}}, 1060),
    ],
)
def test_until_when_a_seat_has_to_decide(settings: dict[str, object], ends: float | None) -> None:
    assert deadline(settings, 1, 1000.0, [0.0, 100.0]) == ends


@pytest.mark.parametrize(
    ("settings", "used"), [({}, 50), ({PAUSED: True}, 0), ({ABSENT: {"1": [1010.0, 1030.0]}}, 30), ({ABSENT: {"1": [900.0, 2000.0]}}, 0)]
)
def test_what_a_decision_uses_up(settings: dict[str, object], used: float) -> None:
    assert spent(settings, 1, 1000.0, 1050.0) == used


async def begun(house: QuickTables, **settings: object) -> Table:
    return await house.create("haste-bock", people("Anna", "Ben"), {}, settings)


def test_time_for_a_game_is_used_up_by_who_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: QuickTables) -> None:
        table = await begun(house, budget=1000)
        seat = int(table.position.to_act)
        table.since -= 100
        await house.move(table.id, *a_move(table))
        while int(table.position.to_act) == seat:
            await house.move(table.id, *a_move(table))
        assert 100 <= table.used[seat] < 110 and table.used[1 - seat] < 5
        assert 890 < (table.seconds_left() or 0) + table.used[seat] - table.used[1 - seat] <= 1101
        shown = table.scene(0, "en")["players"]
        assert 885 < shown[seat]["time"] <= 900 and shown[1 - seat]["time"] > 990
        again = house.in_memory.pop(table.id)
        table = await house.table(table.id)
        assert table is not again and table.used == again.used, "also after a restart"

    with_house(tmp_path, work)


def test_whose_time_is_used_up_is_played_for(tmp_path: Path) -> None:
    async def work(house: QuickTables) -> None:
        table = await begun(house, budget=1000)
        seat = int(table.position.to_act)
        table.used[seat] = 1000.0
        house.wake(table)
        for _ in range(200):
            await asyncio.sleep(0.02)
            if seat in house.in_memory[table.id].away:
                break
        assert seat in house.in_memory[table.id].away

    with_house(tmp_path, work)


def test_a_pause_needs_all_and_ends_with_one(tmp_path: Path) -> None:
    async def work(house: QuickTables) -> None:
        table = await begun(house, seconds=60)
        assert table.scene(0, "en")["pause"] == {"asked": [], "on": False}
        await house.pause(table.id, [0], "yes")
        assert table.scene(1, "en")["pause"] == {"asked": [0], "on": False} and table.seconds_left() is not None
        await house.pause(table.id, [1], "no")
        assert table.scene(1, "en")["pause"] == {"asked": [], "on": False}
        await house.pause(table.id, [0], "yes")
        await house.pause(table.id, [1], "yes")
        assert table.scene(1, "en")["pause"] == {"asked": [], "on": True}
        assert table.seconds_left() is None and table.id not in house.clocks.running and table.owed(table.position) is None
        table.since -= 1000
        await house.pause(table.id, [0], "no")
        assert 55 < (table.seconds_left() or 0) <= 60, "the decision begins anew"
        assert table.id in house.clocks.running
        unhurried = await begun(house)
        assert unhurried.scene(0, "en")["pause"] is None
        with pytest.raises(NotYourTurn):
            await house.pause(unhurried.id, [0], "yes")

    with_house(tmp_path, work)


def test_who_is_away_has_time_until_they_are_back(tmp_path: Path) -> None:
    async def work(house: QuickTables) -> None:
        table = await begun(house, seconds=3600)
        seat = int(table.position.to_act)
        await house.be_absent(table.id, [seat], time.time() + 3 * DAY)
        assert 3 * DAY + 3500 < (table.seconds_left() or 0) <= 3 * DAY + 3600
        assert table.scene(1 - seat, "en")["players"][seat]["absent"] > time.time(), "the others are told"
        await house.be_absent(table.id, [seat], time.time() + 5 * DAY)
        with pytest.raises(TooLong):
            await house.be_absent(table.id, [seat], time.time() + LONGEST_ABSENCE + 60)
        table = await house.table(table.id)
        table.since -= 1000
        left = (table.seconds_left() or 0) - 5 * DAY
        assert left < 2700, "what was thought before counts"
        await house.be_absent(table.id, [seat], 0.0)
        assert abs((table.seconds_left() or 0) - left) < 60
        for _ in range(3):  # nobody takes more than there is by saying it again and again
            await house.be_absent(table.id, [seat], time.time() + 20 * DAY)
            await house.be_absent(table.id, [seat], 0.0)
        assert table.settings["absences"][str(seat)] < 60 and abs((table.seconds_left() or 0) - left) < 60

    with_house(tmp_path, work)


def test_another_server_knows_what_is_used_up(postgres: str) -> None:
    async def work() -> None:
        one, two = QuickTables(Store(postgres), 0.0), QuickTables(Store(postgres), 0.0)
        table = await begun(one, budget=1000)
        seat = int(table.position.to_act)
        there = await two.table(table.id)
        table.since -= 100
        await one.move(table.id, *a_move(table))
        assert 100 <= (await two.table(table.id)).used[seat] < 110
        assert there.used == table.used
        for house in (one, two):
            await house.close()

    in_a_loop(work())
