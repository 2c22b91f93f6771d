"""What the documents name is there: a file that was renamed must not live on in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("src", "tests", "docs", "bench", "tools", "examples")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
NAME = re.compile(r"(?<![\w/.-])(?:[\w-]+/)*[\w-]+\.(?:py|js|toml)\b")
OLD_NAMES = re.compile(r"^Renamed, old -> new:.*?^## ", re.MULTILINE | re.DOTALL)
FILES = [f"/{path.relative_to(ROOT)}" for room in ROOMS for path in (ROOT / room).rglob("*.*")] + [
    f"/{path.name}" for path in ROOT.glob("*.*")
]


def unknown(text: str) -> list[str]:
    """The files that a text names and that are nowhere; NAME stands for any game, and what was renamed may be listed."""
    named = set(NAME.findall(OLD_NAMES.sub("", text)))
    return sorted(name for name in named if "NAME" not in name and not any(file.endswith(f"/{name}") for file in FILES))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_names_files_that_are_there(document: Path) -> None:
    assert unknown(document.read_text(encoding="utf-8")) == []


def test_a_file_that_is_gone_is_found() -> None:
    assert unknown("see `web/wool.py` and games/NAME/rules.py, but not core/dice.py or pyproject.toml") == ["web/wool.py"]
