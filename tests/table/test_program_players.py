"""Programs at the tables of a server: asked for their seats, replaced when they fail, and named by nobody but the host."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tables_helper import in_a_loop, person, sqlite_at, until
from web_helper import client_of

from sheepfold.bots import STAND_IN, UnknownBot
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.table.program_players import programs_from
from sheepfold.table.schema import seats as stored_seats
from sheepfold.table.store import Store
from sheepfold.table.tables import Tables, bot_seat

EXAMPLE = f"cmd:{sys.executable} -S -E {Path(__file__).parents[2] / 'examples' / 'bots' / 'bot.py'}"
CRASHES = f"cmd:{sys.executable} -S -E -c 'import sys; sys.exit(4)'"
HANGS = f"cmd:start=0.3:{sys.executable} -S -E -c 'import time; time.sleep(1000)'"


def with_programs(folder: Path, work: Callable[[Tables], Awaitable[None]], **named: str) -> None:
    """Do some work with tables whose bots think in this process, as they would in theirs."""

    async def here(client: str, thought: Callable[..., Any], *given: Any) -> Any:
        return thought(*given)

    async def whole() -> None:
        tables = Tables(Store(sqlite_at(folder / "tables.db")), 0.0)
        tables.bots.in_process = here  # type: ignore[method-assign, assignment]
        tables.bots.programs.commands.update(programs_from(named))
        try:
            await asyncio.wait_for(work(tables), 60)
        finally:
            await tables.close()

    in_a_loop(whole())


def test_a_program_plays_at_a_table(tmp_path: Path) -> None:
    async def work(tables: Tables) -> None:
        table = await tables.create("sheepzzz", [person("Ada"), bot_seat("mine", "Woolly")], {})
        for _ in range(3):
            await until(lambda: table.position.to_act == 0, 50)
            view = table.position.seen_by(0)
            await tables.move(table.id, 0, table.ply, table.game.write(view, int(view.random_action(Dice(table.ply)))))
        await until(lambda: table.position.to_act == 0, 50)
        assert any(event.who == 1 for event in table.events)
        assert table.seats[1].level == "mine", "it has its seat still"

    with_programs(tmp_path, work, mine=EXAMPLE)


@pytest.mark.parametrize(
    ("named", "why"), [({"mine": CRASHES}, "code 4"), ({"mine": HANGS}, "no answer in 0.3"), ({}, "no program of that name")]
)
def test_for_a_program_that_fails_another_bot_plays_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, named: dict[str, str], why: str
) -> None:
    """It is stored, so that nobody asks the program again; the table hears that it has left, the host why."""

    async def work(tables: Tables) -> None:
        table = await tables.create("sheepzzz", [bot_seat("mine", "Woolly"), person("Ada")], {"first-starter": "1"})
        await until(lambda: table.position.to_act == 1 and any(event.who == 0 for event in table.events), 50)
        assert table.seats[0].level == STAND_IN
        with tables.store.engine.connect() as connection:
            assert connection.execute(select(stored_seats.c.level).order_by(stored_seats.c.seat)).scalars().all() == [STAND_IN, ""]
        await until(lambda: [(who, text) for who, text, _ in table.chat] == [("", "Woolly")])

    with_programs(tmp_path, work, **named)
    assert "the bot mine forfeits its seat" in caplog.text and why in caplog.text


def test_a_program_that_hangs_lets_nobody_else_wait(tmp_path: Path) -> None:
    """Though more tables wait for it than it is asked for at once."""

    async def work(tables: Tables) -> None:
        stuck = [await tables.create("sheepzzz", [bot_seat("stuck", "Woolly"), person("Ada")], {"first-starter": "1"}) for _ in range(8)]
        table = await tables.create("sheepzzz", [bot_seat("mine", "Dolly"), person("Ada")], {"first-starter": "1"})
        await until(lambda: any(event.who == 0 for event in table.events), 50)
        assert all(each.seats[0].level == "stuck" for each in stuck), "they wait for it still"

    with_programs(tmp_path, work, mine=EXAMPLE, stuck=HANGS.replace("0.3", "1000"))


def test_where_only_bots_play_programs_go_on_by_themselves(tmp_path: Path) -> None:
    """As in a tournament, with one that fails among them."""

    async def work(tables: Tables) -> None:
        bots = [bot_seat(level, level) for level in ("mine", "broken", "lamb")]
        table = await tables.create("sheepzzz", bots, {})
        assert not await tables.bots.play_unseen(table.id, "tournament"), "it goes on by itself"
        await until(lambda: {event.who for event in table.events} >= {0, 1, 2}, 50)
        assert [seat.level for seat in table.seats] == ["mine", STAND_IN, "lamb"]

    with_programs(tmp_path, work, mine=EXAMPLE, broken=CRASHES)


def test_nobody_names_a_program_in_a_request(tmp_path: Path) -> None:
    """Only those that the host has named are there, by those names; nor is a bot of ours set to think for hours, or to read a file."""
    with client_of(tmp_path, programs=programs_from({"mine": EXAMPLE})) as client:
        for level in ("cmd:cat", "cmd:./a", "CMD:cat", " cmd:cat", "mine:", "theirs", "mine=cmd:cat", "search:1000000", "guided:1:net=/x"):
            made = {"game": "sheepzzz", "seats": [{"kind": "me"}, {"kind": "bot", "level": level}]}
            assert client.post("/api/tables", json=made).status_code == 422
            form = {"seats": "2", "kind0": "me", "kind1": "bot", "level1": level}
            assert client.post("/new/sheepzzz", data=form, follow_redirects=False).status_code == 422
            rules = {"seats": "2", "level": level, "fill": "4"}
            assert client.post("/tournaments/new/sheepzzz", data=rules, follow_redirects=False).status_code == 422


def test_programs_are_offered_beside_the_levels(tmp_path: Path) -> None:
    with client_of(tmp_path, programs=programs_from({"mine": EXAMPLE})) as client:
        assert client.get("/api/levels").json()[-1] == "mine"
        assert "<option>mine</option>" in client.get("/new/sheepzzz").text
        assert 'value="mine"' in client.get("/tournaments/new/sheepzzz").text
        made = client.post("/api/tables", json={"game": "sheepzzz", "seats": [{"kind": "me"}, {"kind": "bot", "level": "mine"}]})
        assert made.status_code == 201
        form = {"seats": "2", "level": "mine", "fill": "4", "amount": "60", "unit": "seconds"}
        announced = client.post("/tournaments/new/sheepzzz", data=form, follow_redirects=False)
        assert announced.status_code == 303
        rated = {"game": "sheepzzz", "seats": [{"kind": "me"}, {"kind": "bot", "level": "mine"}], "rated": True}
        assert client.post("/api/tables", json=rated).status_code == 422, "ratings are for bots that stay the same"


@pytest.mark.parametrize("named", [{"lamb": EXAMPLE}, {"Mine": EXAMPLE}, {"a" * 21: EXAMPLE}, {"mine": "./bot"}, {"": EXAMPLE}])
def test_a_host_names_programs_as_they_can_be_told_apart(named: dict[str, str]) -> None:
    with pytest.raises(SheepfoldError, match="--bot"):
        programs_from(named)


def test_a_host_is_told_at_once_of_a_program_that_is_not_there() -> None:
    with pytest.raises(UnknownBot, match="there is no program"):
        programs_from({"mine": "cmd:./there-is-none"})
