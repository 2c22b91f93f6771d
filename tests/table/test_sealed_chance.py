"""Chance is settled before the first event: anybody can check it afterwards, and nothing that happens at a table changes it."""

from __future__ import annotations

import copy
import runpy
from collections import Counter
from pathlib import Path

import pytest
from tables_helper import QuickTables, a_move, in_a_loop, people, with_house

from sheepfold.core.position import CHANCE, OVER
from sheepfold.game.registry import names
from sheepfold.table.sealed_chance import SealedChance
from sheepfold.table.store import Seat, Store

CHECK = Path(__file__).parents[2] / "docs" / "check_chance.py"
faults = runpy.run_path(str(CHECK))["faults"]


@pytest.mark.parametrize("game", names())
def test_a_finished_game_is_checked_by_who_knows_nothing_of_us(tmp_path: Path, game: str) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(game, people("A", "B"), {})
        seal = table.seal
        assert seal
        while table.position.to_act != OVER:
            assert table.told_of_chance() == {"seal": seal, "secret": None, "draws": []}, "nothing before the end"
            await tables.move(table.id, *a_move(table, table.ply % 5))
        told = table.told_of_chance()
        assert faults(told, seal) == []
        drawn = sum(event.who == CHANCE for event in table.events)
        assert len(told["draws"]) == drawn > 0
        other = copy.deepcopy(told)
        changed = next(draw for draw in other["draws"] if len(set(draw["outcomes"])) > 1)
        changed["drawn"] = next(outcome for outcome in changed["outcomes"] if outcome != changed["drawn"])
        assert len(faults(other, seal)) == 1
        assert faults(told, "0" * 64) == ["the secret is not the one that was sealed"]

    with_house(tmp_path, work)


def test_a_draw_that_was_taken_back_stays_drawn_also_after_a_restart(tmp_path: Path) -> None:
    async def work() -> None:
        url = f"sqlite:///{tmp_path / 'tables.db'}"
        tables = QuickTables(Store(url), 0.0)
        table = await tables.create("haste-bock", [Seat("person", "A", "a"), Seat("person", "B", "a")], {})
        while True:
            move = a_move(table)
            table = await tables.move(table.id, *move)
            if table.events[-1].who == CHANCE:
                break
        log = list(table.events)
        await tables.undo(table.id, move[0])
        assert len((await tables.table(table.id)).events) < len(log)
        assert (await tables.move(table.id, *move)).events == log
        await tables.undo(table.id, move[0])
        await tables.close()
        again = QuickTables(Store(url), 0.0)
        assert (await again.table(table.id)).seal == table.seal
        assert (await again.move(table.id, *move)).events == log
        await again.close()

    in_a_loop(work())


def test_outcomes_follow_their_weights() -> None:
    chance, weights = SealedChance("sheep"), [1, 0, 3, 6]
    found = Counter(chance.place(ply, weights) for ply in range(20_000))
    assert found[1] == 0
    for place, weight in enumerate(weights):
        assert abs(found[place] / 20_000 - weight / 10) < 0.015


def test_who_checks_needs_a_hundred_lines_at_most() -> None:
    text = CHECK.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    assert "sheepfold." not in text
