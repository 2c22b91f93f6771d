"""Data sets and pictures in notebooks."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import sheepfold
from sheepfold.arena import dataset
from sheepfold.arena.simulate import simulate
from sheepfold.core.dice import Dice
from sheepfold.core.position import SPECTATOR, playout
from sheepfold.core.sequential import sequential
from sheepfold.game.show import picture_of, show

sys.path.insert(0, str(Path(__file__).parents[1] / "terminal"))
from toy_game import Clover


@pytest.mark.parametrize("name", sheepfold.game.registry.names())
def test_a_data_set_has_every_decision(name: str, tmp_path: Path) -> None:
    setup = sheepfold.load(name)
    file = tmp_path / "games.parquet"
    result = simulate(setup, 2, seed=3, dataset=file)
    assert [game.scores for game in result.played] == [game.scores for game in simulate(setup, 2, seed=3).played]
    table = pyarrow.parquet.read_table(file)
    about = table.schema.metadata
    assert about[b"sheepfold.game"] == name.encode() and about[b"sheepfold.seed"] == b"3"
    divisors = np.array([whole for _, count, whole in json.loads(about[b"sheepfold.layout"]) for _ in range(count)], np.float32)
    position, dice, ply = sequential(setup.start()), Dice(3).split(0), 0
    assert set(table["game"].to_pylist()) == {0, 1}
    for row in table.slice(0, 60).to_pylist():
        if row["game"]:
            break
        while position.to_act < 0 or ply < row["ply"]:
            position.apply(int(position.random_action(dice)))
            ply += 1
        view = position.seen_by(row["seat"])
        assert position.to_act == row["seat"] and np.allclose(row["view"] / divisors, view.tensor())
        assert row["legal"] == view.legal() and max(row["legal"]) < int(about[b"sheepfold.actions"])
        played = result.played[0]
        assert row["action"] in row["legal"] and (row["score"], row["rank"]) == (played.scores[row["seat"]], played.ranks[row["seat"]])
        action = int(position.random_action(dice))
        assert action == row["action"]
        position.apply(action)
        ply += 1
    playout(position, dice)
    assert tuple(position.scores()) == result.played[0].scores


def test_a_folder_of_data_is_split_by_game_and_says_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "A_GROUP", 20)
    monkeypatch.setattr(dataset, "A_FILE", 200)
    setup, folder = sheepfold.load("sheepzzz", seats=2), tmp_path / "games"
    made = simulate(setup, 20, seed=1, dataset=folder)
    whole = simulate(setup, 20, seed=1, workers=2, dataset=tmp_path / "games.parquet")
    assert made.data == whole.data != simulate(setup, 20, seed=2, dataset=tmp_path / "other").data
    by_split = {split: pyarrow.parquet.read_table(sorted(folder.glob(f"{split}-*.parquet"))) for split in ("train", "validation", "test")}
    digits = {"train": set(range(8)), "validation": {8}, "test": {9}}
    assert {split: {game % 10 for game in rows["game"].to_pylist()} for split, rows in by_split.items()} == digits
    assert len(list(folder.glob("train-*.parquet"))) > 1, "a file has a bounded size"
    everything = pyarrow.parquet.read_table(tmp_path / "games.parquet")
    assert pyarrow.concat_tables(by_split.values()).sort_by([("game", "ascending"), ("ply", "ascending")]).equals(everything)
    card = (folder / "README.md").read_text()
    assert made.data in card and f"| train | 16 | {len(by_split['train'])} |" in card
    command = re.search(r"sheepfold (simulate .*) --dataset", card)
    assert command
    typed = [sys.executable, "-m", "sheepfold", *command[1].split(), "--dataset", str(tmp_path / "again")]
    said = subprocess.run(typed, capture_output=True, text=True, check=True).stdout
    assert made.data in said, "who types what the card says gets the same rows"
    about = json.loads((folder / "croissant.json").read_text())
    files = {each["@id"]: each["sha256"] for each in about["distribution"] if "sha256" in each}
    assert files == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.parquet")}
    assert {field["name"] for field in about["recordSet"][0]["field"]} == {f"train/{name}" for name in everything.column_names}
    with pytest.raises(sheepfold.SheepfoldError, match="File exists"):
        simulate(setup, 1, dataset=folder)


def test_a_game_that_breaks_off_leaves_no_rows(tmp_path: Path) -> None:
    simulate(Clover().setup(2, broken=True), 10, seed=1, check=True, dataset=tmp_path / "games.parquet")
    kept = set(pyarrow.parquet.read_table(tmp_path / "games.parquet")["game"].to_pylist())
    result = simulate(Clover().setup(2, broken=True), 10, seed=1, check=True)
    assert kept == {game.number for game in result.played} and result.problems


def test_views_draw_themselves_and_whole_positions_as_a_spectator_sees_them() -> None:
    position = sheepfold.load("haste-bock", seats=2).start()
    assert position.seen_by(1)._repr_svg_() == picture_of(position, 1)
    assert position._repr_svg_() == position.seen_by(SPECTATOR)._repr_svg_()
    assert show(position, seat=0)._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("name", sheepfold.game.registry.names())
def test_a_position_that_has_no_picture_shows_as_text(name: str) -> None:
    picture = sequential(sheepfold.load(name).start())._repr_svg_()
    assert picture is None or picture.startswith("<svg")
