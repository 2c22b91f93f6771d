"""A game of another package comes through the same door as ours: it is there wherever games are, with no edit in our tree.

The package is the example, found by an entry point as if it were installed. Everything happens in processes of their own, since the shelf
of this one is settled; worker processes are spawned from those and find the game by themselves.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from package_helper import environment_with

EXAMPLE = Path(__file__).parents[2] / "examples" / "clover_thief"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return environment_with(tmp_path_factory.mktemp("installed"), EXAMPLE, LANG="en_GB.UTF-8")


def run(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def command(environment: dict[str, str], folder: Path, *arguments: str) -> str:
    done = run(environment, folder, "-m", "sheepfold", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_terminal_has_it(elsewhere: dict[str, str], tmp_path: Path) -> None:
    assert "Clover Thief" in command(elsewhere, tmp_path, "games")
    assert "20" in command(elsewhere, tmp_path, "simulate", "clover-thief", "-n", "20", "--workers", "2", "--seats", "3")
    arena = command(elsewhere, tmp_path, "arena", "clover-thief", "--bots", "lamb,ram", "--games", "6", "--workers", "2", "--out", "run")
    assert "ram" in arena and (tmp_path / "run" / "games.jsonl").read_text().count("line_up") == 6
    command(elsewhere, tmp_path, "report", "clover-thief", "--games", "4", "--workers", "2", "--out", "page.html")
    assert "Clover Thief" in (tmp_path / "page.html").read_text(encoding="utf-8")


RECORDS = """
import pickle
import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.game.records import Event, Record, read_record, write_record

setup = sheepfold.load("clover-thief", seats=3)
assert pickle.loads(pickle.dumps(setup)) == setup
position, record, dice = setup.start(), Record(setup, []), Dice(1)
while position.to_act != OVER:
    record.events.append(Event(int(position.to_act), position.random_action(dice)))
    position.advance(record.events[-1].action)
text = write_record(record)
assert read_record(text).end() == position
assert "clover-thief" in text
"""

RESEARCH = """
import gymnasium, numpy, pyspiel
import sheepfold.research.gymnasium, sheepfold.research.openspiel
from sheepfold.research.pettingzoo import env

alone = gymnasium.make("sheepfold/clover-thief-v0", seats=2)
_, info = alone.reset(seed=1)
alone.step(int(numpy.flatnonzero(info["action_mask"])[0]))
many = gymnasium.make_vec("sheepfold/clover-thief-v0", num_envs=4, seats=2)
many.reset(seed=1)
table = env("clover-thief", seats=3)
table.reset(seed=1)
assert table.last()[0]["action_mask"].any()
state = pyspiel.load_game("sheepfold_clover_thief(seats=3)").new_initial_state()
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
assert len(state.returns()) == 3
"""

DATA = """
import pyarrow.parquet
import sheepfold
from pathlib import Path
from sheepfold.arena.simulate import simulate

simulate(sheepfold.load("clover-thief", seats=2), games=3, seed=1, dataset=Path("games.parquet"))
assert pyarrow.parquet.read_table("games.parquet").num_rows > 6
"""

PAGE = """
from fastapi.testclient import TestClient
from sheepfold.web.app import create_app

with TestClient(create_app("sqlite:///web.db", bot_pause=0.0), base_url="http://sheep.test") as client:
    home = client.get("/").text
    assert "<h2>Clover Thief</h2>" in home and 'action="/play/clover-thief"' in home
    assert home.index("Clover Thief") > home.index('action="/play/haste-bock"')
    assert client.get("/new/clover-thief").status_code == client.get("/rules/clover-thief").status_code == 200
    assert "clover-thief" in [game["name"] for game in client.get("/api/games").json()]
    table = str(client.post("/play/clover-thief").url)
    scene = client.get(f"{table}/scene").json()
    wish = {"ply": scene["ply"], "action": scene["actions"][0]["action"], "seat": scene["seat"]}
    assert client.post(f"{table}/move", json=wish).status_code == 200
"""


@pytest.mark.parametrize("script", [RECORDS, RESEARCH, DATA, PAGE], ids=["records", "research", "data", "page"])
def test_programs_have_it(elsewhere: dict[str, str], tmp_path: Path, script: str) -> None:
    done = run(elsewhere, tmp_path, "-W", "ignore", "-c", script)
    assert done.returncode == 0, done.stderr


SPOILT = (
    "from clover_thief import CloverThiefGame\n\nclass Spoilt(CloverThiefGame):\n    name, seats = 'broken', {seats}\n\nGAME = Spoilt()\n"
)
BROKEN = {
    "import wool": "No module named 'wool'",
    "GAME = None": "must name a Game",
    SPOILT.format(seats="()"): "has no seats",
    SPOILT.format(seats="(2, 7)"): "more seats than colours",
}


def with_broken(folder: Path, module: str) -> dict[str, str]:
    """An environment with the example and with a package whose game is this module."""
    package = folder / "package"
    (package / "src").mkdir(parents=True)
    (package / "src" / "broken.py").write_text(module)
    entry = '[project.entry-points."sheepfold.games"]\nbroken = "broken:GAME"\n'
    (package / "pyproject.toml").write_text(f'[project]\nname = "broken"\nversion = "1"\n{entry}')
    return environment_with(folder / "installed", EXAMPLE, package, LANG="en_GB.UTF-8")


@pytest.mark.parametrize(("module", "reason"), BROKEN.items(), ids=["import", "no game", "no seats", "many seats"])
def test_a_broken_package_is_named_in_a_line_and_the_others_are_there(module: str, reason: str, tmp_path: Path) -> None:
    shelf = run(with_broken(tmp_path, module), tmp_path, "-m", "sheepfold", "games")
    assert shelf.returncode == 0 and "Clover Thief" in shelf.stdout and "broken" not in shelf.stdout
    assert len(shelf.stderr.splitlines()) == 1 and "'broken'" in shelf.stderr and reason in shelf.stderr


def test_workers_play_beside_a_broken_package(tmp_path: Path) -> None:
    environment = with_broken(tmp_path, "import wool")
    command(environment, tmp_path, "simulate", "clover-thief", "-n", "4", "--workers", "2")
    asked = run(environment, tmp_path, "-m", "sheepfold", "simulate", "broken", "-n", "4")
    assert asked.returncode != 0 and "No module named 'wool'" in asked.stderr and "Traceback" not in asked.stderr
