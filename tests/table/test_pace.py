"""The pace of bots: how long they take, by whom and by what, and who lets them hold. Bots answer at once here."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest
from tables_helper import QuickTables, a_move, people, until, with_bots, with_house

from sheepfold.core.position import CHANCE, SPECTATOR
from sheepfold.game.records import Event
from sheepfold.table.pace import HOLDS, HOLDS_ALONE, LIES_OPEN, PACES
from sheepfold.table.table import Table
from sheepfold.table.tables import bot_seat
from sheepfold.table.timing import SECONDS

PAUSE = 0.5
MOMENT = 0.2
"""Seconds after which what is held would have gone on."""


def with_pace(folder: Path, work: object, pause: float = PAUSE) -> None:
    with_house(folder, work, bot_pause=pause)  # type: ignore[arg-type]


def test_where_there_are_secrets_a_bots_time_comes_in_whole_pauses(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        open_game = await tables.create("haste-bock", people("A", "B"), {})
        secret = await tables.create("sheepzzz", people("A", "B", "C"), {})
        cases = ((0.0, 0.25, 0.25), (0.125, 0.125, 0.125), (0.25, 0.0, 0.0), (0.375, 0.0, 0.125), (0.625, 0.0, 0.125))
        for thought, waits, waits_with_secrets in cases:  # nobody looks: half of an ordinary pause
            assert tables.bots.pace.pause(open_game, thought, 0.25) == waits
            assert tables.bots.pace.pause(secret, thought, 0.25) == waits_with_secrets

    with_pace(tmp_path, work)


def test_everybody_has_their_pace_and_where_they_differ_it_is_the_ordinary_one(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        table = await tables.create("haste-bock", [*people("A", "B"), bot_seat("ewe", "Bot")], {})
        assert pace.usual(table) == PAUSE * PACES["fast"], "nobody looks"
        with pace.followed(table.id, [0], "slow"):
            assert pace.usual(table) == PAUSE * PACES["slow"]
            with pace.followed(table.id, [1], "fast"):
                assert pace.usual(table) == PAUSE
            with pace.followed(table.id, [1], "slow"), pace.followed(table.id, [1], "slow"):
                assert pace.usual(table) == PAUSE * PACES["slow"], "they agree"
        with pace.followed(table.id, [], "slow"), pace.followed(table.id, [2], "slow"):
            assert pace.usual(table) == PAUSE * PACES["fast"], "neither a spectator nor a bot has a say"
        assert not pace.looking, "who has gone is forgotten"

    with_pace(tmp_path, work)


def test_the_more_is_told_the_longer_a_bot_waits(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        table = await tables.create("haste-bock", people("A", "B"), {})
        found = set()
        while table.status == "playing":
            await tables.move(table.id, *a_move(table, table.ply))
            told = table.session.told(SPECTATOR, table.voice("en"), table.session.latest)
            sentences = sum(len(each.lines) for each in told)
            with pace.followed(table.id, [0], "normal"):
                found.add((min(sentences, 4), pace.least(table)))
            assert pace.least(table) == pace.usual(table), "nobody looks"
        assert len({sentences for sentences, _ in found}) > 2
        assert [waits for _, waits in sorted(found)] == sorted(waits for _, waits in found)
        assert len({waits for _, waits in found}) == len(found)
        assert min(waits for _, waits in found) == PAUSE

    with_pace(tmp_path, work)


def test_two_tiles_that_differ_lie_open_for_a_while_at_any_pace(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        table = await tables.create("te-kuiti", people("A", "B"), {})
        seen = set()
        for _ in range(60):
            await tables.move(table.id, *a_move(table, 7 * table.ply))
            with pace.followed(table.id, [0], "fast"):
                opened = table.game.lies_open(table.view(SPECTATOR))
                seen.add(opened)
                assert not opened or pace.least(table) == LIES_OPEN
        assert seen == {False, True}

    with_pace(tmp_path, work)


def test_who_has_played_may_act_out_of_turn_before_a_bot_goes_on(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        table = await tables.create("guerre-des-moutons", people("A", "B", "C"), {})
        waits: dict[bool, set[float]] = {False: set(), True: set()}
        for _ in range(40):
            mover = int(table.position.to_act)
            await tables.move(table.id, *stays(table))
            with pace.followed(table.id, [mover], "normal"):
                waits[table.position.may_interrupt(mover)].add(pace.least(table))
        assert min(waits[True]) > PAUSE
        assert min(waits[True]) > min(waits[False], default=0)

    with_pace(tmp_path, work)


def stays(table: Table) -> tuple[int, int, str]:
    """A move of somebody who does not leave the game."""
    return next(move for move in (a_move(table, place) for place in range(5 * table.ply, 100_000)) if not move[2].startswith("retire"))


async def still_waits(task: asyncio.Task[None]) -> bool:
    await asyncio.wait([task], timeout=MOMENT)
    return not task.done()


def waiting(tables: QuickTables, table: Table) -> asyncio.Task[None]:
    """A bot that was asked just now."""
    now = asyncio.get_running_loop().time()
    return asyncio.get_running_loop().create_task(tables.bots.pace.wait(table, table.version, now))


def test_bots_hold_while_somebody_alone_with_them_reads(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create("haste-bock", with_bots("A", 1), {})
        await until(lambda: table.position.to_act == 0)
        tables.bots.pace.say(table.id, 0, "hold")
        while table.position.to_act == 0:
            await tables.move(table.id, *a_move(table))
            tables.bots.pace.say(table.id, 0, "hold")
        bot = tables.bots.tasks[table.id]
        assert await still_waits(bot)
        assert table.position.to_act == 1
        tables.bots.pace.say(table.id, 0, "go")
        await until(lambda: any(event.who == 1 for event in table.events))

    with_pace(tmp_path, work, 0.01)


def test_what_somebody_does_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create("haste-bock", people("A", "B"), {})
        table.seats[1].token = table.seats[0].token  # one person plays both
        tables.bots.pace.say(table.id, 0, "hold")
        bot = waiting(tables, table)
        assert await still_waits(bot)
        await tables.move(table.id, *a_move(table))
        await asyncio.wait_for(bot, 20)

    with_pace(tmp_path, work, 0.01)


@pytest.mark.parametrize(("game", "holds"), [("haste-bock", 0.0), ("guerre-des-moutons", HOLDS)])
def test_among_people_only_who_may_act_out_of_turn_lets_bots_hold(tmp_path: Path, game: str, holds: float) -> None:
    async def work(tables: QuickTables) -> None:
        pace, now = tables.bots.pace, asyncio.get_running_loop().time
        table = await tables.create(game, people("A", "B", "C"), {})
        while table.position.to_act == 0 or (holds and not table.position.may_interrupt(0)):
            await tables.move(table.id, *stays(table))
        begun = now()
        pace.say(table.id, 0, "hold")
        ends = pace._held_until(table)
        assert ends <= now() + holds
        assert ends >= begun + holds or not holds
        pace.say(table.id, 0, "go")
        assert pace._held_until(table) == 0.0
        pace.say(table.id, 0, "hold")
        assert pace._held_until(table) == ends, "it is not renewed"

    with_pace(tmp_path, work)


def test_a_clock_is_not_outwitted(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        for settings, alone in (({}, True), ({SECONDS: 60}, False), ({"counts_at": "/x"}, False)):
            table = await tables.create("haste-bock", with_bots("A", 1), {}, dict(settings))
            begun = asyncio.get_running_loop().time()
            pace.say(table.id, 0, "hold")
            assert (pace._held_until(table) >= begun + HOLDS_ALONE) == alone
            assert alone or pace._held_until(table) == 0.0

    with_pace(tmp_path, work)


def test_when_all_have_seen_it_bots_wait_no_longer_than_usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        monkeypatch.setattr(pace, "least", lambda _: 600.0)
        table = await tables.create("haste-bock", people("A", "B"), {})
        with ExitStack() as looking:
            for seat in (0, 1):
                looking.enter_context(pace.followed(table.id, [seat], "normal"))
            bot = waiting(tables, table)
            pace.say(table.id, 0, "go")
            assert await still_waits(bot), "the other one has not"
            pace.say(table.id, 1, "go")
            await asyncio.wait_for(bot, 20)

    with_pace(tmp_path, work, 0.01)


def test_the_pace_tells_nothing_that_is_hidden(tmp_path: Path) -> None:
    """Positions that a spectator cannot tell apart are paced alike: what is drawn unseen changes nothing."""

    async def work(tables: QuickTables) -> None:
        pace = tables.bots.pace
        tried = 0
        for game in ("sheepzzz", "guerre-des-moutons"):
            table = await tables.create(game, people("A", "B", "C"), {})
            for _ in range(12):
                await tables.move(table.id, *a_move(table, 3 * table.ply))
                with pace.followed(table.id, [0, 1, 2], "normal"):
                    found = pace.least(table)
                    last = max(ply for ply, event in enumerate(table.events) if event.who != CHANCE)
                    for other in _other_draws(table, last):
                        kept, table.events[-1] = table.events[-1], other
                        table.revision += 1
                        assert pace.least(table) == found
                        table.events[-1] = kept
                        tried += 1
        assert tried

    with_pace(tmp_path, work)


def _other_draws(table: Table, last: int) -> list[Event]:
    """What chance could have drawn instead, unseen by spectators, at the latest event."""
    before = table.session.at(table.ply - 1)
    if last == table.ply - 1 or before.sees(SPECTATOR, table.events[-1].action):
        return []
    return [Event(CHANCE, int(action)) for action in before.legal() if action != table.events[-1].action][:3]
