"""Bots in any language at the terminal: named on the command line, and by nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

from driver import piped

EXAMPLE = f"cmd:{sys.executable} -S -E {Path(__file__).parents[2] / 'examples' / 'bots' / 'bot.py'}"
CRASHES = f"cmd:{sys.executable} -S -E -c 'import sys; sys.exit(4)'"


def test_a_program_plays_against_a_person(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    done = piped("play", "clover", "--seats", 2, "--seed", 1, "--bot", EXAMPLE, "--record", record, typed="1\n" * 30)
    assert done.returncode == 0
    assert "seat 1 of 2" in done.stderr, "what it notes is shown"
    assert any(line.startswith("2 take") for line in record.read_text().splitlines())


def test_for_one_that_fails_another_plays_on_and_that_is_said(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    done = piped("play", "clover", "--seats", 2, "--seed", 1, "--bot", CRASHES, "--record", record, typed="1\n" * 30)
    assert done.returncode == 0
    assert done.stdout.count("forfeits the seat (it ended with code 4)") == 1
    assert any(line.startswith("2 take") for line in record.read_text().splitlines())


def test_a_record_has_no_program_run(tmp_path: Path) -> None:
    """It may be somebody else's: who goes on with it has to name the program again."""
    record, noted = tmp_path / "game.txt", tmp_path / "noted"
    piped("play", "clover", "--seats", 2, "--seed", 1, "--bot", "random", "--record", record, typed="")
    text = "".join(line for line in record.read_text().splitlines(keepends=True) if not line.startswith("sum:"))
    assert "players: person, random\n" in text
    record.write_text(text.replace("players: person, random", f"players: person, cmd:touch {noted}"))
    done = piped("play", "--record", record, typed="1\n" * 30)
    assert done.returncode == 1 and f"name it again: --bot 'cmd:touch {noted}'" in done.stderr
    assert not noted.exists()
    done = piped("play", "--record", record, "--bot", EXAMPLE, typed="1\n" * 30)
    assert done.returncode == 0


def test_the_arena_says_who_forfeited_and_why() -> None:
    done = piped("arena", "clover", "--seats", 2, "--bots", f"{CRASHES},random", "--games", 2)
    assert done.returncode == 0
    assert "forfeited 2 games, the first at ply" in done.stdout and "it ended with code 4" in done.stdout
