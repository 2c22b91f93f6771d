"""Games of other packages, found as if they were installed: the example of docs/write-a-game.md, and what `sheepfold new-game` writes."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from package_helper import EXAMPLE, environment_with
from sheepfold.messages import OFFERED, _texts

DOC = Path(__file__).parents[2] / "docs" / "write-a-game.md"
MODULES = sorted((EXAMPLE / "src").rglob("*.py"))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packages")


@pytest.fixture(scope="module")
def installed(room: Path) -> dict[str, str]:
    """An environment with the example and a new game, both outside our tree's own packages."""
    run([sys.executable, "-m", "sheepfold", "new-game", "hill-top"], cwd=room)
    return environment_with(room / "installed", EXAMPLE, room / "hill-top")


def run(command: list[object], typed: str = "", **settings: object) -> str:
    done = subprocess.run([*map(str, command)], input=typed, capture_output=True, text=True, timeout=300, check=False, **settings)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def sheepfold(installed: dict[str, str], *words: object, typed: str = "", **settings: object) -> str:
    return run([sys.executable, "-m", "sheepfold", *words], typed, env=installed | {"LANG": "en_GB.UTF-8"}, **settings)


# The document.


def without_gaps(text: str) -> str:
    return re.sub(r"\n\s*\n", "\n", f"\n{text}")


def test_the_code_in_the_document_is_the_example() -> None:
    """What is shown stands so in the example, as it is or inside a class; empty lines do not count."""
    sources = [without_gaps(path.read_text(encoding="utf-8")) for path in [*EXAMPLE.rglob("*.py"), EXAMPLE / "pyproject.toml"]]
    blocks = re.findall(r"^```(?:python|toml)\n(.*?)^```$", DOC.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    shown = [(without_gaps(block), without_gaps(textwrap.indent(block, "    "))) for block in blocks]
    assert [plain for plain, inside in shown if not any(plain in source or inside in source for source in sources)] == []


def test_every_method_that_the_document_lists_exists() -> None:
    from sheepfold.core.position import Position
    from sheepfold.game.game import Game

    table = [line for line in DOC.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    listed = {name for line in table for name in re.findall(r"`([a-z_]+)`", line)}
    known = {*dir(Position), *dir(Game), *Game.__annotations__}
    assert listed <= known and len(listed) > 30


def test_the_example_is_small() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES) <= 200


def test_the_example_speaks_every_language() -> None:
    folder = EXAMPLE / "src" / "clover_thief"
    keys = [set(_texts(folder / "locale", language)) for language in OFFERED]
    assert len(keys[0]) > 5 and all(each == keys[0] for each in keys)
    assert all((folder / "help" / f"{language}.md").exists() for language in OFFERED)


# New games.


def test_a_new_game_is_whole(installed, room) -> None:
    files = [path for path in (room / "hill-top").rglob("*.*") if path.is_file() and path.suffix != ".pyc"]
    texts = {path.relative_to(room): path.read_text(encoding="utf-8") for path in files}
    assert {str(path) for path in texts} >= {
        "hill-top/pyproject.toml", "hill-top/README.md", "hill-top/src/hill_top/__init__.py", "hill-top/tests/test_hill_top.py",
    }  # fmt: skip
    assert [path for path, text in texts.items() if re.search("my.?game", text, re.IGNORECASE)] == []
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", room / "hill-top" / "tests"]
    assert "3 passed" in run(tests, env=installed, cwd=room)


REFUSED = {
    "hill-top": "nothing is overwritten",
    "Hill_Top": "lower case letters",
    "json": "cannot be called",
    "haste-bock": "there is a game",
}


@pytest.mark.parametrize(("name", "said"), REFUSED.items())
def test_a_new_game_is_refused(installed, room, name: str, said: str) -> None:
    before = sorted(room.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-m", "sheepfold", "new-game", name], capture_output=True, text=True, cwd=room, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "") and said in done.stderr and sorted(room.rglob("*")) == before


# Everywhere.


@pytest.mark.slow
def test_the_example_passes_its_own_tests(installed, tmp_path) -> None:
    tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", EXAMPLE / "tests"]
    assert "8 passed" in run(tests, env=installed, cwd=tmp_path)


def test_conformance_by_name(installed) -> None:
    command = [sys.executable, "-m", "sheepfold.game.conformance", "clover-thief", "--seats", 2]
    assert run(command, env=installed) == "clover-thief 2: sound\n"


@pytest.mark.parametrize("game", ["clover-thief", "hill-top"])
def test_a_whole_game_in_the_terminal(installed, game: str, tmp_path) -> None:
    """The first choice every time, against a bot; the record can be looked at again."""
    record = tmp_path / "game.txt"
    said = sheepfold(installed, "play", game, "--seats", 2, "--bot", "ewe", "--seed", 1, "--record", record, typed="1\n" * 60)
    assert "The game is over" in said and "Player" in said
    assert "The game is over" in sheepfold(installed, "replay", record)


@pytest.mark.parametrize("game", ["clover-thief", "hill-top"])
def test_every_level_plays_it(installed, game: str) -> None:
    said = sheepfold(installed, "arena", game, "--bots", "random,lamb,ewe,ram,bellwether", "-n", 10, "--seats", 2)
    assert all(level in said for level in ("random", "lamb", "ewe", "ram", "bellwether"))


@pytest.mark.parametrize("game", ["clover-thief", "hill-top"])
def test_the_other_commands_know_it(installed, game: str, tmp_path) -> None:
    assert game in sheepfold(installed, "games") and game in sheepfold(installed, "games", game)
    assert sheepfold(installed, "simulate", game, "-n", 20, "--check")
    assert int(sheepfold(installed, "count", game, "--depth", 2, "--seats", 2)) > 0
    page = tmp_path / "report.html"
    sheepfold(installed, "report", game, "-n", 4, "--bot", "random", "--out", page, cwd=tmp_path)
    assert "<html" in page.read_text(encoding="utf-8")


def test_open_spiel_loads_it(installed) -> None:
    pytest.importorskip("pyspiel")
    code = """
        import pyspiel
        import sheepfold.research.openspiel
        for name in ("sheepfold_clover_thief", "sheepfold_hill_top"):
            game = pyspiel.load_game(name, {"seats": 2})
            pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
            state = game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(state.legal_actions()[0])
            assert state.information_state_string(0) != "" and len(state.information_state_tensor(0)) > 0
            print(name, game.get_type().information.name)
    """
    said = run([sys.executable, "-c", textwrap.dedent(code)], env=installed)
    assert "clover_thief IMPERFECT" in said and "hill_top PERFECT" in said


def test_a_set_up_comes_back_from_a_pickle(installed) -> None:
    code = "import pickle, sheepfold; s = sheepfold.load('clover-thief', 3); assert pickle.loads(pickle.dumps(s)) == s; print(s.start())"
    assert "CloverThief with 3 seats" in run([sys.executable, "-c", code], env=installed)
