"""The other commands, how they end, and the words they are made of."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from driver import COLOUR, SHEEPFOLD, TOY, Terminal, environment, piped

from sheepfold.messages import catalogue
from sheepfold.terminal.language import WORDS, chosen_language

SOURCES = [*sorted(WORDS.parent.glob("*.py")), WORDS.parent.parent / "game" / "session.py"]
COMMANDS = ("games", "play", "simulate", "replay", "count", "bench")


# Help, errors, exit codes.


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    done = piped(command, "--help")
    assert done.returncode == 0
    assert f"Example:\n    sheepfold {command}" in done.stdout
    assert "\x1b" not in done.stdout


def test_help_speaks_french():
    assert "Exemple\u00a0:" in piped("play", "--help", LANG="fr_FR.UTF-8").stdout
    assert "Exemple\u00a0:" in piped("play", "--language", "fr", "--help").stdout


@pytest.mark.parametrize(
    "arguments",
    [("fly",), ("play", "--seats", "many"), ("simulate",), ("simulate", "clover", "-n", 0), ("play", "clover", "--option", "heap")],
)
def test_wrong_usage_ends_with_2(arguments):
    done = piped(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Usage:" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("play", "clovr"), "there is no game 'clovr'. Did you mean clover?"),
        (("play", "clover", "--seats", 9), "Clover is for 1, 2 or 3 players, not 9"),
        (("play", "clover", "--option", "heap=5"), "heap is 4, 12 or 30, not '5'"),
        (("play", "clover", "--bot", "keeen"), "there is no bot 'keeen'. Did you mean keen"),
        (("play", "clover", "--language", "tlh"), "--language is en, fr or de, not 'tlh'"),
        (("replay", "/nowhere"), "/nowhere: No such file or directory"),
        (("replay", TOY), "line 1: a record starts with"),
        (("simulate", "clover", "--seats", 2, "--bots", "a,b,c"), "2 seats need 2 bots, or one for all, not 3"),
        (("simulate", "clover", "--json", "/nowhere/x.json"), "there is no folder /nowhere"),
        (("count", "clover", "--depth", 0, "--breakdown"), "a depth of 1 or more"),
        (("report", "te-kuiti", "--out", TOY.parent), "is a folder; name the file to write"),
    ],
)
def test_errors_are_one_clear_line(arguments, answer):
    done = piped(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert answer in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_version_says_whether_the_rules_are_compiled():
    assert re.fullmatch(r"sheepfold \d+\.\d+\.\d+ \((compiled|interpreted)\)\n", piped("--version").stdout)
    assert "(interpreted)" in piped("--version", SHEEPFOLD_PURE="1").stdout


def test_python_dash_m_is_the_same_command():
    done = subprocess.run([sys.executable, "-m", "sheepfold", "--version"], capture_output=True, text=True, env=environment())
    assert done.stdout.startswith("sheepfold ")


def test_importing_sheepfold_is_light_and_help_loads_no_game():
    heavy = "import sheepfold, sys; print([name for name in ('typer', 'rich', 'babel') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True).stdout == "[]\n"
    code = (
        "import sys; from sheepfold.terminal import main; sys.argv = ['sheepfold', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith(('rich', 'multiprocessing', 'sheepfold.games.', 'sheepfold.arena.'))])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.splitlines()[-1] == "[]"


def test_games_are_on_the_shelf():
    done = piped("games")
    assert "Clover  clover · 1-3 players, 1-2 minutes\n  Take clovers from a heap." in done.stdout
    assert "joueurs" in piped("games", LANG="fr_FR.UTF-8").stdout


def test_a_game_tells_its_options():
    told = piped("games", "te-kuiti", LANG="de_DE.UTF-8").stdout
    assert "--option first-shepherd=drawn  möglich: drawn, 1, 2  Spieler: 2\n  Wer zuerst Schäfer ist" in told
    assert "te_kuiti/components.toml" in told


@pytest.mark.parametrize("arguments", [("games",), ("--help",)])
def test_a_full_disk_is_one_clear_line(arguments):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sheepfold", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, env=environment()
        )
    assert (done.returncode, done.stderr) == (1, "sheepfold: No space left on device\n")


# Simulations.


def figures(*arguments: object, code: int = 0) -> dict[str, object]:
    done = piped("simulate", *arguments, "--json", "-")
    assert done.returncode == code, done.stderr
    result = json.loads(done.stdout)
    del result["seconds"]
    return result


@pytest.mark.parametrize("game", ["clover", "burrow"])
def test_the_number_of_workers_changes_nothing(game):
    alone = figures(game, "-n", 40, "--seed", 7, "--seats", 2)
    assert alone == figures(game, "-n", 40, "--seed", 7, "--seats", 2, "--workers", 3)
    assert alone != figures(game, "-n", 40, "--seed", 8, "--seats", 2)
    assert len(alone["games"]) == 40


def test_the_table_for_people():
    done = piped("simulate", "clover", "-n", 50, "--seed", 7, "--seats", 2, "--bots", "random,keen", "--check")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    assert "Clover, 2 players, seed 7" in done.stdout
    assert "checked every position of 50 games: all is well" in done.stdout
    assert re.search(r"^ *2 +keen +\d+\.\d +\d+\.\d-\d+\.\d ", done.stdout, re.MULTILINE)


def test_a_broken_invariant_is_found_and_ends_with_1():
    done = piped("simulate", "clover", "-n", 5, "--option", "broken=yes", "--seed", 1, "--check")
    assert done.returncode == 1
    assert "the census changed from (12,)" in done.stdout


def test_on_a_terminal_there_is_a_bar():
    terminal = Terminal("simulate", "clover", "-n", 60, "--bots", "slow", "--seats", 2, "--option", "heap=4")
    terminal.see("/60")
    terminal.see("games/s")
    assert terminal.ended() == 0
    assert COLOUR.search(terminal.raw)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_simulation_with_what_was_done(workers):
    words = f"simulate clover -n 100000 --bots slow --seats 1 --option heap=4 --workers {workers}"
    terminal = Terminal(*words.split())
    while terminal.see("/100000").split()[-1] == "0/100000":
        pass
    terminal.ctrl_c()
    terminal.see("Clover, 1 player, heap=4")
    terminal.see("games/s")
    terminal.see("stopped after ")
    assert int(terminal.see(" of 100000 games").split()[0]) > 0
    assert terminal.ended() == 130
    assert "Traceback" not in terminal.raw


def test_ctrl_c_ends_the_server_in_the_middle_of_a_game_without_a_word(tmp_path):
    database = f"sqlite:///{tmp_path / 'games.db'}"
    terminal = Terminal("serve", "--port", 0, "--database", database, program=SHEEPFOLD, SHEEPFOLD_BOT_PAUSE="0")
    address = re.search(r"http://\S+/", terminal.see("(Ctrl+C ends)"))
    assert address
    wish = {"game": "sheepzzz", "seats": [{"kind": "bot", "level": "ewe"}] * 2}
    request = Request(f"{address[0]}api/tables", json.dumps(wish).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        table = json.load(answer)["table"]
    with urlopen(f"{address[0]}api/tables/{table}/stream") as stream:
        for _ in range(5):  # bots are at work
            while not (line := stream.readline()).startswith(b"event: scene"):
                assert not line.startswith(b":"), "nobody plays"
        terminal.ctrl_c()
        assert terminal.ended() == 0
    assert terminal.raw.split("ends)")[1].strip() == "^C"


# Replay, count, bench.


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    piped("play", "burrow", "--seats", 2, "--bot", "keen", "--seed", 1, "--record", path, typed="1\n" * 20)
    assert "result:" in path.read_text()
    return path


def test_replay_tells_and_draws_the_game(record):
    done = piped("replay", record)
    assert done.returncode == 0
    assert "   3  " in done.stdout
    assert "End of the game: Player 1" in done.stdout
    assert "secret" not in done.stdout
    assert "Player 1 is dealt the secret card" in piped("replay", record, "--seat", 1).stdout
    assert "heap %%%%%%%%%%%%\n" in piped("replay", record, "--to", 2).stdout
    assert "--to is 0 to" in piped("replay", record, "--to", 9999).stderr
    assert "--seat is 1 to 2" in piped("replay", record, "--seat", 3).stderr


def test_replay_step_by_step(record):
    terminal = Terminal("replay", record, "--step")
    terminal.see("0 of ")
    terminal.type("")
    terminal.see("1 of ")
    terminal.type("7")
    terminal.see("7 of ")
    terminal.type("b")
    terminal.see("6 of ")
    terminal.type("q")
    assert terminal.ended() == 0


def test_count():
    assert piped("count", "clover", "--depth", 2, "--seats", 2).stdout == "9\n"
    done = piped("count", "clover", "--depth", 2, "--seats", 2, "--breakdown")
    assert done.stdout.splitlines()[0].split(maxsplit=1) == ["3", "take 1 field 1"]
    assert done.stdout.splitlines()[-1].split()[0] == "9"


def test_bench_outside_the_source_tree_measures_playouts(monkeypatch, capsys, tmp_path):
    from sheepfold.terminal import listings

    monkeypatch.setattr(listings, "BENCH", tmp_path / "none.py")
    listings.benchmark(["haste-bock"], 0.01, tmp_path / "figures.json", "en")
    assert "games/s" in capsys.readouterr().out
    assert json.loads((tmp_path / "figures.json").read_text())["haste-bock 2"]["games/s"] > 0
    listings.benchmark(["haste-bock"], 0.01, Path("-"), "en")
    assert json.loads(capsys.readouterr().out)["haste-bock 2"]["games/s"] > 0


# Words.


def used_keys() -> set[str]:
    """The keys that the sources name, patterns with a value in them included as far as they are fixed."""
    text = "\n".join(path.read_text() for path in SOURCES)
    return set(re.findall(r"""["']((?:[a-z][a-z0-9-]*\.)*[a-z][a-z0-9-]*)["']""", text))


def test_every_message_is_used():
    keys = {message.id[0] if isinstance(message.id, tuple) else message.id for message in catalogue(WORDS, "en") if message.id}
    made_up = ("command.", "level.", "cmd", "mcp.tool.")
    assert {key for key in keys - used_keys() if not key.startswith(made_up)} == set()


def test_the_language_is_chosen():
    assert chosen_language((), {"LANG": "fr_BE.UTF-8"}) == "fr"
    assert chosen_language((), {"LANG": "fr_BE.UTF-8", "LC_ALL": "C"}) == "en"
    assert chosen_language(("play", "--language=fr"), {"LANG": "de_DE"}) == "fr"
    assert chosen_language((), {}) == "en"
