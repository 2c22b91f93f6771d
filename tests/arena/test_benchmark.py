"""The benchmark: its tasks can be played, a result is what the arena finds, and a leaderboard keeps whole results only."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import sheepfold
from sheepfold.arena import benchmark
from sheepfold.arena.arena import contend, duel
from sheepfold.arena.benchmark import Result, attempt, chosen, enter, read, suite, table
from sheepfold.terminal.benchmark import benchmark as typed


def never(done: int) -> None:
    """Nobody looks."""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> benchmark.Task:
    """A suite of one short task."""
    task = replace(chosen(["te-kuiti-2"])[0], games=4)
    monkeypatch.setattr(benchmark, "suite", lambda: (1, {task.name: task}))
    return task


def test_every_task_can_be_played() -> None:
    number, tasks = suite()
    assert number == 1 and {task.game for task in tasks.values()} == set(sheepfold.game.registry.names())
    for task in tasks.values():
        task.contest("random").checked()
        assert task.games % task.contest("random").whole() == 0, "in every seat equally often"


def test_a_result_is_what_the_arena_finds_and_goes_on_where_it_was(short: benchmark.Task, tmp_path: Path) -> None:
    first = attempt(short, "random", 2, 1, None, tmp_path, never)
    assert first and first.games == 2 and not first.within(short)
    whole = attempt(short, "random", 4, 1, None, tmp_path, never)
    wins = duel(contend(short.contest("random"), 4), "random", short.opponent)
    assert whole and whole.games == 4 and whole.within(short)
    assert (whole.share, whole.low, whole.high) == pytest.approx(wins, abs=1e-4)
    assert not replace(whole, longest=short.seconds + 1).within(short)
    with pytest.raises(sheepfold.SheepfoldError, match="is the opponent"):
        attempt(short, short.opponent, 4, 1, None, None, never)


def test_a_leaderboard_has_whole_results_only(short: benchmark.Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "board.json"
    assert typed("random", "dice", [], 2, board, None, 1, None, "en") == 0
    assert not board.exists() and "Not a result" in capsys.readouterr().out
    assert typed("random", "dice", [], None, board, None, 1, None, "en") == 0
    found = json.loads(board.read_text())
    assert found["players"]["dice"]["agent"] == "random" and list(found["players"]["dice"]["results"]) == [short.name]
    capsys.readouterr()
    assert typed(None, None, [], None, board, None, 1, None, "en") == 0
    assert "| dice | 0.0 ± " in capsys.readouterr().out


def test_results_of_one_player_are_kept_together(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    one, other = Result(0.5, 0.4, 0.6, 400, 0.1), Result(0.9, 0.8, 1.0, 400, 0.1)
    enter(board, "clever", "ram", {"te-kuiti-2": one})
    enter(board, "clever", "ram", {"sheepzzz-2": other})
    enter(board, "dull", "lamb", {"sheepzzz-2": one})
    assert set(read(board)["players"]["clever"]["results"]) == {"te-kuiti-2", "sheepzzz-2"}
    rows = table(read(board)).split("\n")
    assert rows[2].startswith("| clever |") and "90.0 ± 10.0" in rows[2] and rows[3].startswith("| dull |")
    enter(board, "clever", "ewe", {"te-kuiti-2": one})
    assert set(read(board)["players"]["clever"]["results"]) == {"te-kuiti-2"}, "another bot's results are not its own"


@pytest.mark.parametrize(
    ("text", "why"),
    [("[]", "no leaderboard"), ("{", "no leaderboard"), ('{"suite": 7, "players": {}}', "of suite 7; this version plays suite 1")],
)
def test_what_is_no_leaderboard_is_said(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "board.json").write_text(text)
    with pytest.raises(sheepfold.SheepfoldError, match=why):
        read(tmp_path / "board.json")
    with pytest.raises(sheepfold.SheepfoldError, match="there is no task chess; there are haste-bock-2"):
        chosen(["chess"])
