"""A seat for a language model: with the official client, in memory and as a command; at a server's table; and nothing leaks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from tables_helper import in_a_loop
from web_helper import serving

from sheepfold.core.errors import SheepfoldError
from sheepfold.game import conformance
from sheepfold.game.records import Record
from sheepfold.game.registry import every_game, find
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.model_seat import SeatHere, Tools, described, listed_moves, seat_here, seat_there, server_of
from sheepfold.terminal.seating import Wishes
from sheepfold.terminal.sitting import Sitting


@pytest.fixture(scope="module", autouse=True)
def mcp() -> Any:
    """Imported by who runs these tests, not by all who collect them: it takes as long as all the rest."""
    found = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    if not hasattr(found, "Client"):
        pytest.skip("an older mcp")
    return found


def said(result: Any) -> str:
    assert not result.is_error, result.content
    return "".join(part.text for part in result.content)


def first_move(moves: str) -> str:
    return next(line for line in moves.splitlines() if line.startswith("- ")).removeprefix("- ").partition(": ")[0]


async def played(mcp: Any, server: Any, most: int) -> str:
    """A model with no thoughts of its own: it takes the first move until the game is over, or so often; what it read last."""
    async with mcp.Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["look", "legal_moves", "play", "rules"] and all(tool.description for tool in tools.values())
        assert "#" in said(await client.call_tool("rules"))
        text = said(await client.call_tool("look"))
        for _ in range(most):
            await client.call_tool("look", {"wait_seconds": 60})
            moves = said(await client.call_tool("legal_moves"))
            if moves == "The game is over.":
                break
            text = said(await client.call_tool("play", {"move": first_move(moves)}))
        return text


def here(game: str, seats: int, **more: Any) -> SeatHere:
    return seat_here(Wishes(game, seats, ["random"], seed="model", names=["Ada"], **more), "en")


def test_a_model_plays_a_game_here(mcp: Any) -> None:
    text = in_a_loop(played(mcp, server_of(Tools(here("sheepzzz", 2), "en")), 400))
    assert "You are Ada, seat 1 of 2" in text and "Places: Ada" in text


def test_a_model_may_act_out_of_turn_or_let_the_others_go_on() -> None:
    seat = here("guerre-des-moutons", 2)
    tools, asked = Tools(seat, "en"), set()
    for _ in range(60):
        moves = tools.legal_moves()
        if "out of turn" not in moves:
            tools.play(first_move(moves))
        else:
            mine = len(asked) == 0
            before = seat.session.ply
            tools.play(first_move(moves) if mine else "pass")
            assert seat.session.ply > before and (seat.session.events[before].who == 0) == mine
            asked.add(mine)
        if len(asked) == 2:
            return
    pytest.fail("it was never asked")


def test_a_wrong_move_is_an_error_that_says_what_would_be_right(mcp: Any) -> None:
    async def work() -> None:
        async with mcp.Client(server_of(Tools(here("haste-bock", 2), "en"))) as client:
            before = said(await client.call_tool("legal_moves"))
            result = await client.call_tool("play", {"move": "fly away"})
            assert result.is_error and "'fly away' is not possible here" in result.content[0].text
            assert said(await client.call_tool("legal_moves")) == before

    in_a_loop(work())


def test_as_a_command_it_speaks_the_protocol_and_nothing_else(mcp: Any) -> None:
    async def work() -> None:
        command = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "sheepfold", "mcp", "te-kuiti", "--seats", "1", "--seed", "1", "--language", "de"]
        )
        async with mcp.Client(command) as client:
            assert "Du bist" in said(await client.call_tool("look"))
            moves = said(await client.call_tool("legal_moves"))
            assert moves.startswith("Du kannst spielen:")
            assert "Seit deinem letzten Blick" in said(await client.call_tool("play", {"move": first_move(moves)}))

    in_a_loop(work())


@pytest.mark.parametrize("game", [game.name for game in every_game() if game.secrets])
def test_a_model_reads_the_same_in_worlds_that_look_alike(game: str) -> None:
    say, tried = terminal_voice("en").say, 0
    case = next(case for case in conformance.cases(find(game)) if case.plain and not case.wrapped and case.setup.seats > 1)
    line = conformance.play(case, "fair models", most=150)
    for pair in conformance.pairs(line):
        if pair.viewer < 0 or pair.truth.to_act < 0:
            continue
        texts = []
        for world in (pair.truth, pair.other):
            players: list[Any] = [None if seat == pair.viewer else object() for seat in range(case.setup.seats)]
            seat = SeatHere.__new__(SeatHere)
            seat.sitting = Sitting(Record(case.setup, list(line.events[: pair.ply])), players, 1)
            seat.session, seat.seat, seat.voice = seat.sitting.session, pair.viewer, case.voice("en")
            seat.session.position = world
            scene = seat.scene(pair.ply)
            texts.append((described(scene, say), listed_moves(scene, say)))
        assert texts[0] == texts[1], f"a model could tell apart two worlds that look alike: {line.where(pair.ply)}"
        tried += 1
    assert tried > 5


def test_in_a_game_of_memory_a_model_remembers_by_itself() -> None:
    """It reads what people read: what was turned down again is told no more."""
    seat = seat_here(Wishes("te-kuiti", 1, seed="memory"), "en")
    tools = Tools(seat, "en")
    for _ in range(8):
        tools.play(first_move(tools.legal_moves()))
    told = [each["ply"] for each in seat.scene(0)["log"]]
    assert told and told[0] >= seat.session.ply - 4, "the log is short"


def test_a_model_sits_down_at_a_servers_table(mcp: Any, tmp_path: Path) -> None:
    with serving(tmp_path / "models.db") as address:
        seats = [{"kind": "open"}, {"kind": "bot", "level": "lamb"}]
        made = httpx.post(f"{address}/api/tables", json={"game": "sheepzzz", "seats": seats}).json()
        table = f"{address}/t/{made['table']}"
        text = in_a_loop(played(mcp, server_of(Tools(seat_there(table, 1, "Model", None, "en"), "en")), 2))
        assert "You are Model, seat 1 of 2 at Sheepzzz." in text
        looker = Tools(seat_there(table, None, "", None, "en"), "en")
        assert "You are" not in looker.look() and looker.legal_moves() == "You have nothing to decide now."
        with pytest.raises(SheepfoldError, match="watch this table"):
            looker.play("anything")
        with pytest.raises(SheepfoldError):
            seat_there(table, 1, "Another", None, "en")


@pytest.mark.parametrize("table", ["sheep.example/t/abcd", "file:///t/abcd", "https://sheep.example/abcd"])
def test_only_a_tables_address_is_one(table: str) -> None:
    with pytest.raises(SheepfoldError, match="no table's address"):
        seat_there(table, None, "", None, "en")


def test_two_people_are_no_model() -> None:
    with pytest.raises(SheepfoldError, match="one seat"):
        seat_here(Wishes("sheepzzz", 3, ["person", "random"]), "en")
