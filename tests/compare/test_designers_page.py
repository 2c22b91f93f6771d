"""Every command that docs/designers.md shows runs, on a handful of games, and its Python too."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sheepfold.terminal.app import build

PAGE = (Path(__file__).parents[2] / "docs" / "designers.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    sheepfold (compare .*)$", PAGE, re.M)
QUICKLY = ["--games", "2", "--skill", "0", "--workers", "1"]
TUNING = re.findall(r"^    sheepfold (tune .*)$", PAGE, re.M)


def test_there_are_commands():
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_runs(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(build("en"), [*shlex.split(re.sub(r" --ray \S+", "", line)), *QUICKLY])
    assert told.exit_code == 0, told.output
    assert "what does the change do?" in told.output
    for file in re.findall(r"--(?:out|json) (\S+)", line):
        assert Path(file).exists()


def test_the_study_of_the_page_runs(tmp_path, monkeypatch):
    (line,) = TUNING
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(
        build("en"), [*shlex.split(line), "--tries", "2", "--games", "2", "--fresh", "2", "--bots", "random", "--workers", "1"]
    )
    assert told.exit_code == 0, told.output
    assert "what 2 tries found" in told.output and Path("tuned/point-1.toml").exists()


def test_its_python_runs(capsys):
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)
    exec(block.replace("games=50", "games=2"), {})
    assert capsys.readouterr().out.startswith("win-1 ")


def test_its_pictures_are_there():
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", PAGE)
    assert len(pictures) == 5
    assert all((Path(__file__).parents[2] / "docs" / name).exists() for name in pictures)
