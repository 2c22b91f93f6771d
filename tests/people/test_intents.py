"""What people mean to do before they are asked: it happens when it can, is withdrawn when it cannot, and nobody else can tell."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from receiver import receiving
from sqlalchemy import select, update
from tables_helper import QuickTables, a_move, in_a_loop, people, sqlite_at

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.game import tidy
from sheepfold.game.registry import every_game
from sheepfold.game.session import Refused
from sheepfold.messages import Voice
from sheepfold.people import notices as notices_module
from sheepfold.people.foresight import Step, foresee, in_words
from sheepfold.people.identity import Identity
from sheepfold.people.intents import KNOWN, MOST, UNKNOWN, Intents, NoIntent, patience
from sheepfold.people.my_games import Places
from sheepfold.people.notices import Notices
from sheepfold.people.ways import Ways
from sheepfold.table.schema import intents as rows
from sheepfold.table.store import Store
from sheepfold.table.table import Table
from sheepfold.web.language import WORDS


class Desk:
    """A server where Anna and Ben play, with what they mean to do."""

    def __init__(self, url: str) -> None:
        self.house = QuickTables(Store(url, alone=False), 0.0)
        self.intents = Intents(self.house)

    async def begin(self, game: str = "haste-bock", **options: object) -> tuple[Table, int, int]:
        """The table, who is to act, and who waits."""
        table = await self.house.create(game, people("Anna", "Ben"), dict(options))
        turn = int(table.position.to_act)
        return table, turn, 1 - turn

    def choices(self, table: Table, seat: int, *line: Step, mine: bool = False) -> list[str]:
        return [action for action, _ in foresee(table.game, table.session.view(seat), line, table.voice("en"), mine).choices]

    async def due(self) -> None:
        """What is to be done later is due now."""
        now = update(rows).where(rows.c.due.is_not(None)).values(due=time.time() - 1)
        await asyncio.wrap_future(self.house.store.write(lambda connection: connection.execute(now) and None))

    async def pass_time(self) -> None:
        """As long as it takes."""
        await self.intents.look()
        await self.due()
        await self.intents.look()

    def stored(self) -> list[tuple[object, ...]]:
        with self.house.store.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(select(rows.c.seat, rows.c.gone, rows.c.due))]


Work = Callable[[Desk], Awaitable[None]]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def at_desk(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Work], None]:
    url = sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")

    def run(work: Work) -> None:
        async def whole() -> None:
            desk = Desk(url)
            try:
                await asyncio.wait_for(work(desk), 60)
            finally:
                await desk.house.close()

        in_a_loop(whole())

    return run


def test_if_ben_plays_there_i_play_here(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, ben, anna = await desk.begin("te-kuiti")  # Ben sets two fences, then Anna turns a tile
        there = desk.choices(table, anna)[3]
        here = desk.choices(table, anna, Step(ben, there), mine=True)[-1]
        await desk.intents.set(table, anna, [Step(ben, there), Step(anna, here.upper())])
        await desk.pass_time()
        assert not [event for event in table.events if event.who == anna], "it waits for Ben"
        await desk.house.move(table.id, ben, table.ply, there)
        while table.position.to_act == ben:  # what else he has to decide in his turn
            await desk.house.move(table.id, *a_move(table))
        await desk.intents.look()
        assert table.position.to_act == anna, "she takes her time"
        await desk.due()
        await desk.intents.look()
        assert table.session.notations(anna, table.session.latest)[0] == (anna, here)
        await desk.intents.look()
        assert not desk.stored() and not await desk.intents.of(table, anna)

    at_desk(work)


def test_what_others_do_instead_withdraws_it_at_once(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, ben, anna = await desk.begin()
        there, elsewhere = desk.choices(table, anna)[:2]
        here = desk.choices(table, anna, Step(ben, there), mine=True)[0]
        await desk.intents.set(table, anna, [Step(ben, there), Step(anna, here)])
        await desk.house.move(table.id, ben, table.ply, elsewhere)
        await desk.intents.look()
        assert [each.stands for each in await desk.intents.of(table, anna)] == [False], "she can read that it was"
        ply = table.ply
        await desk.pass_time()
        assert table.ply == ply
        await desk.intents.set(table, anna, [Step(anna, desk.choices(table, anna, mine=True)[0])])
        assert [each.stands for each in await desk.intents.of(table, anna)] == [True], "what is gone goes with the next"

    at_desk(work)


def test_an_answer_that_is_not_possible_is_withdrawn(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, ben, anna = await desk.begin()
        await desk.intents.set(table, anna, [Step(anna, "jump over the moon")])
        await desk.intents.look()
        assert [each.stands for each in await desk.intents.of(table, anna)] == [True], "who knows what will be possible"
        while table.position.to_act == ben:
            await desk.house.move(table.id, *a_move(table))
        await desk.intents.look()
        assert [each.stands for each in await desk.intents.of(table, anna)] == [False]

    at_desk(work)


def texts(table: Table, seat: int) -> list[str]:
    view = table.position.seen_by(seat)
    return [tidy(table.game.write(view, action)) for action in view.legal()]


def a_play(table: Table, place: int = 0) -> tuple[int, int, str]:
    """As `a_move`, but nobody gives up while they can do something else."""
    seat = int(table.position.to_act)
    wanted = [each for each in texts(table, seat) if each != "retire"] or ["retire"]
    return seat, table.ply, wanted[place % len(wanted)]


def test_whatever_happens_i_play_this(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, ben, anna = await desk.begin("sheepzzz")
        for action in desk.choices(table, anna, mine=True):
            await desk.intents.set(table, anna, [Step(anna, action)])
        while table.position.to_act == ben:
            await desk.house.move(table.id, *a_move(table))
        possible = texts(table, anna)
        await desk.intents.look()
        standing = [each.line[0].action for each in await desk.intents.of(table, anna) if each.stands]
        assert standing and set(standing) <= set(possible), "the others were withdrawn when her turn came"
        await desk.due()
        await desk.intents.look()
        assert table.session.notations(anna, table.session.latest)[0][1] == standing[0], "the first that was set"

    at_desk(work)


def test_a_longer_line_goes_on(at_desk: Callable[[Work], None]) -> None:
    """As long as Ben does what it says, and chance lets her, Anna answers; every time as if she had come to look."""

    async def work(desk: Desk) -> None:
        while not await the_line_is_played(desk):  # a tile may show what ends her turn
            pass

    at_desk(work)


async def the_line_is_played(desk: Desk) -> bool:
    table, ben, anna = await desk.begin("te-kuiti")
    line: list[Step] = []
    while sum(step.seat == anna for step in line) < 2:
        came = foresee(table.game, table.session.view(anna), line, table.voice("en"))
        assert came.seat is not None
        line.append(Step(came.seat, came.choices[0][0]))
    await desk.intents.set(table, anna, line)
    for step in line:
        if step.seat == anna and step.action not in texts(table, anna):
            return False
        assert [each.stands for each in await desk.intents.of(table, anna)] == [True]
        if step.seat == ben:
            await desk.house.move(table.id, ben, table.ply, step.action)
        else:
            ply = table.ply
            await desk.intents.look()
            assert table.ply == ply, "not at once"
            await desk.due()
            await desk.intents.look()
        assert table.session.notations(anna, table.session.latest)[0] == step
    return not await desk.intents.of(table, anna)


def test_what_i_play_by_hand_counts(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, ben, anna = await desk.begin("sheepzzz")
        wanted = desk.choices(table, anna, mine=True)[0]
        await desk.intents.set(table, anna, [Step(anna, wanted)])
        while table.position.to_act == ben:
            await desk.house.move(table.id, *a_move(table))
        await desk.intents.look()
        other = next(each for each in texts(table, anna) if each != wanted)
        await desk.house.move(table.id, anna, table.ply, other)
        ply = table.ply
        await desk.due()
        await desk.intents.look()
        assert table.ply == ply and not [each for each in await desk.intents.of(table, anna) if each.stands]

    at_desk(work)


def test_taking_back_withdraws_it(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, _, _ = await desk.begin("te-kuiti")
        await desk.house.move(table.id, *a_move(table))
        other = 1 - table.events[-1].who
        await desk.intents.set(table, other, [Step(other, desk.choices(table, other, mine=True)[0])])
        await desk.house._take_back(table, table.ply - 1)
        await desk.intents.look()
        assert [each.stands for each in await desk.intents.of(table, other)] == [False]

    at_desk(work)


def test_who_sits_there_now_knows_nothing_of_it(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, _, anna = await desk.begin()
        await desk.intents.set(table, anna, [Step(anna, desk.choices(table, anna, mine=True)[0])])
        await desk.house.change_lock(table.id, table.seats[anna].token)
        assert not await desk.intents.of(table, anna)
        await desk.intents.look()
        assert [gone for _, gone, _ in desk.stored()] == [True]

    at_desk(work)


def test_what_cannot_be_is_refused(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table, ben, anna = await desk.begin()
        there = desk.choices(table, anna)[0]
        wrong: list[tuple[list[Step], str, str]] = [
            ([], "", "ahead.line"),
            ([Step(ben, there)], "", "ahead.line"),
            ([Step(anna, "x")] * 13, "", "ahead.line"),
            ([Step(7, there), Step(anna, "x")], "", "ahead.line"),
            ([Step(ben, "no such move"), Step(anna, "x")], "", "ahead.cannot"),
            ([], "hunter", "ahead.unknown"),
        ]
        for line, standing, key in wrong:
            with pytest.raises(NoIntent) as refusal:
                await desk.intents.set(table, anna, line, standing)
            assert refusal.value.key == key
        for number in range(MOST):
            await desk.intents.set(table, anna, [Step(anna, f"move {number}")])
        await desk.intents.set(table, anna, [Step(anna, "move 0")])  # the same again is no other
        with pytest.raises(NoIntent):
            await desk.intents.set(table, anna, [Step(anna, "one more")])
        mine = await desk.intents.of(table, anna)
        await desk.intents.withdraw(table.id, ben, mine[0].id)
        assert len(await desk.intents.of(table, anna)) == MOST, "not somebody else's"
        await desk.intents.withdraw(table.id, anna, mine[0].id)
        assert len(await desk.intents.of(table, anna)) == MOST - 1

    at_desk(work)


@pytest.mark.parametrize("game", [game.name for game in every_game() if game.seats[-1] > 1])
def test_all_that_is_foreseen_can_be_meant(tmp_path: Path, game: str) -> None:
    """At many moments of a game: what is offered is taken, and is in words; and nothing that is offered tells what is hidden."""

    async def work(desk: Desk) -> None:
        table, _, _ = await desk.begin(game)
        dice = random.Random(game)
        offered = 0
        for _ in range(30):
            if table.position.to_act == OVER:
                break
            for seat in range(2):
                if table.position.to_act == seat:
                    continue
                came = foresee(table.game, table.session.view(seat), [], table.voice("en"))
                assert came.view == table.position.seen_by(seat)
                line = [Step(came.seat, dice.choice(came.choices)[0])] if came.choices else []
                last = foresee(table.game, table.session.view(seat), line, table.voice("fr"), until_mine=True)
                if last.seat is None:
                    continue
                assert last.seat == seat and last.choices
                line.append(Step(seat, dice.choice(last.choices)[0]))
                assert len(in_words(table.game, table.session.view(seat), line, table.voice("de"))) == len(line)
                await desk.intents.set(table, seat, line)
                offered += 1
            await desk.house.move(table.id, *a_play(table, dice.randrange(100)))
            await desk.intents.look()
        assert offered > 8

    async def whole() -> None:
        desk = Desk(sqlite_at(tmp_path / "tables.db"))
        try:
            await asyncio.wait_for(work(desk), 100)
        finally:
            await desk.house.close()

    in_a_loop(whole())


# That nobody else can tell.


def test_nobody_else_can_tell(at_desk: Callable[[Work], None]) -> None:
    """Two tables with the same chance: at one Anna has said before what she plays, at the other she plays it by hand. What everybody else
    is shown, what is stored, and what becomes of the table is the same to the letter, at every moment."""

    async def work(desk: Desk) -> None:
        for game in ("sheepzzz", "guerre-des-moutons"):
            first, ben, anna = await desk.begin(game)
            twins = [first, await twin(desk, first)]
            for _ in range(5):
                await desk.intents.look()
                meant = [Step(anna, action) for action in desk.choices(first, anna, mine=True)[:MOST] if action != "retire"]
                for step in meant:
                    await desk.intents.set(first, anna, [step])
                compare(twins, anna)
                while first.position.to_act == ben:
                    move = a_play(first, 3)
                    for table in twins:
                        await desk.house.move(table.id, *move)
                    await desk.intents.look()
                    compare(twins, anna)
                if first.position.to_act == OVER:
                    break
                ply = first.ply
                await desk.pass_time()
                if first.ply == ply:  # none of it was possible
                    move = a_play(first)
                    await desk.house.move(first.id, *move)
                else:
                    move = (anna, ply, first.session.notations(anna, ply)[0][1])
                await desk.house.move(twins[1].id, *move)
                compare(twins, anna)
            assert [event.who for event in first.events].count(anna) > 2

    at_desk(work)


async def twin(desk: Desk, table: Table) -> Table:
    """Another table with the same log and the same secret of its chance."""
    stored = desk.house.store.load(table.id)
    assert stored
    await asyncio.wrap_future(desk.house.store.create(replace(stored, id="the-twin-" + table.game.name[:4])))
    return await desk.house.table("the-twin-" + table.game.name[:4])


def compare(twins: list[Table], anna: int) -> None:
    shown = [
        [re.sub(table.id, "ID", json.dumps(table.scene(viewer, "en"), sort_keys=True)) for viewer in (0, 1, SPECTATOR) if viewer != anna]
        for table in twins
    ]
    assert shown[0] == shown[1]
    assert twins[0].revision == twins[1].revision and twins[0].asides == twins[1].asides and twins[0].events == twins[1].events


def test_the_time_it_takes_is_one_of_ones_own() -> None:
    """No time is more than twice as likely for a move that was said before as for one by hand, but for a little jitter."""
    dice = random.Random(1)
    own = [3.0, 30.0, 90.0, 400.0, 7000.0, 90000.0]
    drawn = [patience(own, dice) for _ in range(3000)]
    for time_taken in own[:3]:
        share = sum(0.8 * time_taken <= each <= 1.25 * time_taken for each in drawn) / len(drawn)
        assert 0.25 < share < 0.42, "a third each; by hand a sixth"
    assert max(drawn) <= 1.25 * 90
    unknown = [patience(own[: KNOWN - 1], dice) for _ in range(1000)]
    assert UNKNOWN[0] <= min(unknown) < 6 and 100 < max(unknown) <= UNKNOWN[1]


def test_it_comes_before_a_clock_runs_out(at_desk: Callable[[Work], None]) -> None:
    async def work(desk: Desk) -> None:
        table = await desk.house.create("sheepzzz", people("Anna", "Ben"), {}, {"seconds": 8})
        ben = int(table.position.to_act)
        for action in desk.choices(table, 1 - ben, mine=True):
            await desk.intents.set(table, 1 - ben, [Step(1 - ben, action)])
        while table.position.to_act == ben:
            await desk.house.move(table.id, *a_move(table))
        await desk.intents.look()
        due = [due for _, gone, due in desk.stored() if due is not None]
        assert len(due) == 1 and due[0] < table.since + 6.5

    at_desk(work)


def test_two_servers_play_it_once(at_desk: Callable[[Work], None], postgres: str) -> None:
    async def work(desk: Desk) -> None:
        if not desk.house.store.shared:
            return
        other = Desk(str(desk.house.store.engine.url.render_as_string(hide_password=False)))
        try:
            table, ben, anna = await desk.begin("sheepzzz")
            for action in desk.choices(table, anna, mine=True):
                await desk.intents.set(table, anna, [Step(anna, action)])
            while table.position.to_act == ben:
                await desk.house.move(table.id, *a_move(table))
            await asyncio.gather(desk.intents.look(), other.intents.look())
            assert sum(due is not None for _, _, due in desk.stored()) == 1, "they agree when"
            ply = table.ply
            await desk.due()
            await asyncio.gather(desk.intents.look(), other.intents.look())
            now = await desk.house.table(table.id)
            assert [event.who for event in now.events[ply:]].count(anna) == 1
        finally:
            await other.house.close()

    at_desk(work)


# Being told.


def test_who_has_said_it_before_is_not_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else who wants to hear of every turn at the table does, as always. The next time she is called again."""
    monkeypatch.setattr(notices_module, "GRACE", 0.0)

    async def work() -> None:
        async with receiving() as receiver:
            desk = Desk(sqlite_at(tmp_path / "tables.db"))
            identity, here, ways = Identity(desk.house.store), Places(desk.house.store), Ways(desk.house.store)
            notices = Notices(desk.house, lambda language: Voice([WORDS], language), anywhere=True)
            try:
                table, ben, anna = await desk.begin("sheepzzz")
                devices = [identity.new_device(), identity.new_device()]
                for seat in range(2):
                    await asyncio.wrap_future(here.visit(devices[seat], table, table.seats[seat].token))
                await ways.subscribe(devices[anna], receiver.browser("anna"), "en", "https://sheep.example.org")
                await ways.add_hook(devices[ben], f"{receiver.url}/hook", "json", "en", "https://sheep.example.org", table.id)

                async def told() -> list[str]:
                    before = len(receiver.heard)
                    await desk.intents.look()
                    await notices.find()
                    await notices.send()
                    await asyncio.gather(*notices._tasks)
                    await notices.send()
                    return sorted(address for address, *_ in receiver.heard[before:])

                for action in desk.choices(table, anna, mine=True):
                    await desk.intents.set(table, anna, [Step(anna, action)])
                while table.position.to_act == ben:
                    await desk.house.move(table.id, *a_move(table))
                assert await told() == ["/hook"]
                await desk.pass_time()
                while table.position.to_act != ben:
                    await desk.house.move(table.id, *a_move(table))
                await told()
                for each in await desk.intents.of(table, anna):
                    await desk.intents.withdraw(table.id, anna, each.id)
                while table.position.to_act == ben:
                    await desk.house.move(table.id, *a_move(table))
                assert "/push/anna" in await told()
            finally:
                await notices.close()
                await desk.house.close()

    in_a_loop(asyncio.wait_for(work(), 60))


def test_a_standing_answer_is_given(at_desk: Callable[[Work], None]) -> None:
    """GM-13: whenever a wolf threatens a pen of hers, and she has a hunter, it lies on the wolf; nothing else is ever done by it."""

    async def work(desk: Desk) -> None:
        answered = 0
        for number in range(12):
            table, _, _ = await desk.begin("guerre-des-moutons")
            dice = Dice(f"standing {number}")
            with pytest.raises(Refused):
                await desk.intents.set(table, 0, [], "another")
            await desk.intents.set(table, 0, [], "hunter")
            for _ in range(120):
                if table.position.to_act == OVER or answered > 1:
                    break
                before = table.ply
                await desk.pass_time()
                if table.ply > before:
                    first, where = [event for event in table.events[before:] if event.who == 0][:2]
                    assert "hunter" in table.game.write(table.session.at(before), first.action)
                    assert table.game.write(table.session.at(before + 1), where.action).startswith("on ")
                    answered += 1
                    continue
                seat = int(table.position.to_act)
                view = table.position.seen_by(seat)
                wolves = [each for each in view.legal() if table.game.write(view, each).startswith("wolf")]
                action = wolves[0] if wolves else int(view.random_action(dice))
                await desk.house.move(table.id, seat, table.ply, table.game.write(view, action))
        assert answered > 1

    at_desk(work)
