"""What `pip install sheepfold` brings is enough for all but the page, and `serve` says what to type for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from driver import PATIENCE, environment

ONLY_THE_PAGES = ("fastapi", "httptools", "jinja2", "multipart", "python_multipart", "sqlalchemy", "starlette", "uvicorn")
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({ONLY_THE_PAGES})); from sheepfold.terminal import main; main()"


def without_web(*arguments: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command where the libraries of the page cannot be imported."""
    command = [sys.executable, "-c", WITHOUT, *map(str, arguments)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=PATIENCE, env=environment())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("games", "haste-bock"),
        ("simulate te-kuiti -n 3", "random"),
        ("arena te-kuiti --seats 2 -n 2 --bots random,greedy", "greedy"),
        ("count haste-bock --depth 1", "48"),
    ],
)
def test_commands_need_no_page(arguments: str, said: str) -> None:
    done = without_web(*arguments.split())
    assert (done.returncode, said in done.stdout) == (0, True), done.stderr


def test_a_report_needs_no_page(tmp_path: Path) -> None:
    done = without_web("report", "te-kuiti", "--seats", 2, "-n", 2, "--bot", "random", "--no-changes", "--out", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_a_game_is_played_and_shown_again_without_the_page(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    played = without_web("play", "sheepzzz", "--bot", "lamb", "--seed", 1, "--record", record, typed="hint\n1\nrules\nquit\n")
    assert played.returncode == 0, played.stderr
    shown = without_web("replay", record)
    assert shown.returncode == 0, shown.stderr


def test_serve_says_what_to_type() -> None:
    done = without_web("serve")
    assert done.returncode == 1
    assert done.stderr == "sheepfold: fastapi is not installed; type: pip install 'sheepfold[web]'\n"
