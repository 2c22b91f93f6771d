"""Data sets and pictures in notebooks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import sheepfold
from sheepfold.arena.simulate import simulate
from sheepfold.core.dice import Dice
from sheepfold.core.position import SPECTATOR, playout
from sheepfold.core.sequential import sequential
from sheepfold.game.show import picture_of, show


@pytest.mark.parametrize("name", sheepfold.game.registry.names())
def test_a_data_set_has_every_decision(name: str, tmp_path: Path) -> None:
    setup = sheepfold.load(name)
    file = tmp_path / "games.parquet"
    result = simulate(setup, 2, seed=3, dataset=file)
    assert [game.scores for game in result.played] == [game.scores for game in simulate(setup, 2, seed=3).played]
    table = pyarrow.parquet.read_table(file)
    assert table.schema.metadata[b"sheepfold.game"] == name.encode() and table.schema.metadata[b"sheepfold.seed"] == b"3"
    position, dice, ply = sequential(setup.start()), Dice(3).split(0), 0
    assert set(table["game"].to_pylist()) == {0, 1}
    for row in table.slice(0, 60).to_pylist():
        if row["game"]:
            break
        while position.to_act < 0 or ply < row["ply"]:
            position.apply(int(position.random_action(dice)))
            ply += 1
        view = position.seen_by(row["seat"])
        assert position.to_act == row["seat"] and np.allclose(row["view"], view.tensor())
        assert [action for action, legal in enumerate(row["mask"]) if legal] == view.legal()
        played = result.played[0]
        assert row["mask"][row["action"]] == 1 and (row["score"], row["rank"]) == (played.scores[row["seat"]], played.ranks[row["seat"]])
        action = int(position.random_action(dice))
        assert action == row["action"]
        position.apply(action)
        ply += 1
    playout(position, dice)
    assert tuple(position.scores()) == result.played[0].scores


def test_a_data_set_is_written_by_one_worker(tmp_path: Path) -> None:
    with pytest.raises(sheepfold.SheepfoldError, match="one worker"):
        simulate(sheepfold.load("sheepzzz", seats=2), 4, workers=2, dataset=tmp_path / "games.parquet")


def test_views_draw_themselves_and_whole_positions_as_a_spectator_sees_them() -> None:
    position = sheepfold.load("haste-bock", seats=2).start()
    assert position.seen_by(1)._repr_svg_() == picture_of(position, 1)
    assert position._repr_svg_() == position.seen_by(SPECTATOR)._repr_svg_()
    assert show(position, seat=0)._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("name", sheepfold.game.registry.names())
def test_a_position_that_has_no_picture_shows_as_text(name: str) -> None:
    picture = sequential(sheepfold.load(name).start())._repr_svg_()
    assert picture is None or picture.startswith("<svg")
