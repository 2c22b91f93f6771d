"""The layers of the house: imports go one way, as pyproject.toml says, and an import that goes the other way is noticed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", LINT], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, where something may be planted."""
    folder = tmp_path_factory.mktemp("house")
    sources = ROOT / "src" / "sheepfold"
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path in sources.rglob("*.py"):
        copy = folder / "sheepfold" / path.relative_to(sources)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return folder


def test_imports_go_one_way(house: Path) -> None:
    done = lint(house)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("room", "imported"),
    [
        ("core", "sheepfold.messages"),
        ("core", "sheepfold"),
        ("game", "sheepfold.bots"),
        ("arena", "sheepfold.research.vector"),
        ("table", "sheepfold.web.app"),
        ("web", "sheepfold.games.te_kuiti"),
        ("games/te_kuiti", "sheepfold.bots"),
    ],
)
def test_an_import_across_the_layers_is_noticed(house: Path, room: str, imported: str) -> None:
    planted = house / "sheepfold" / room / "planted.py"
    planted.write_text(f"import {imported}\n")
    try:
        done = lint(house)
    finally:
        planted.unlink()
    assert done.returncode == 1, done.stdout
    assert f"sheepfold.{room.replace('/', '.')}.planted" in done.stdout


def test_a_new_room_has_to_be_put_in_a_layer(house: Path) -> None:
    attic = house / "sheepfold" / "attic.py"
    attic.write_text("")
    try:
        done = lint(house)
    finally:
        attic.unlink()
    assert done.returncode == 1
    assert "attic" in done.stdout
