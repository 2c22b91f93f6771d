"""Generic code knows no game: what is true of one game alone stands in its folder, and whoever needs it asks the Game.

The rule: outside `games/` no module, template, script, style sheet, table or catalogue has a game's name, title or option, imports from a
game's folder, or asks by text for an attribute that only a game's own classes have. A name may stand as an example of what people type: in
`backticks` or after >>> in a docstring, in `examples=[...]` of the web's models, and in messages whose id ends with `.example`.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import sheepfold
from sheepfold.core.position import Position
from sheepfold.core.sequential import Sequential
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game

SOURCES = Path(sheepfold.__file__).parent
KINDS = {".py", ".html", ".js", ".css", ".toml", ".po", ".svg"}
GENERIC = sorted(path for path in SOURCES.rglob("*") if path.suffix in KINDS and SOURCES / "games" not in path.parents)
EXAMPLES = {
    ".py": re.compile(r"`[^`\n]+`|^ *>>> .*$|examples=\[[^\]]*\]", re.MULTILINE),
    ".po": re.compile(r'(?:^#.*\n)*^msgid ".+\.example"\nmsgstr .*$', re.MULTILINE),
}
IMPORT = re.compile(r"sheepfold\.games\.\w+|from sheepfold\.games import (?!every_game|find)|\bgames\.(?!every_game|find)[a-z]+_[a-z]+")


@cache
def names() -> re.Pattern[str]:
    """The names, titles and options of our games, however their words are joined. An option of one common word is no name."""
    ours = [game for game in every_game() if SOURCES in game.folder.parents]
    said = {text for game in ours for text in (game.name, game.title)} | {
        option.name for game in ours for option in game.options if "-" in option.name
    }
    return re.compile("|".join(r"[\s_-]*".join(re.findall(r"\w+", text)) for text in sorted(said)), re.IGNORECASE)


@cache
def attributes() -> frozenset[str]:
    """What positions and Games of ours have beyond what every Position and Game has."""
    found: set[str] = set()
    for game in every_game():
        found |= {*dir(game), *dir(game.setup().start())} - {*dir(Game), *Game.__annotations__, *dir(Position), *dir(Sequential)}
    return frozenset(name for name in found if not name.startswith("__"))


def knowledge(text: str, kind: str) -> list[str]:
    """What a generic file says of a certain game."""
    told = EXAMPLES[kind].sub("", text) if kind in EXAMPLES else text
    found = [match[0] for match in names().finditer(told)]
    if kind != ".py":
        return found
    found += [match[0] for match in IMPORT.finditer(told)]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            asked = node.args[1]
            if isinstance(asked, ast.Constant) and asked.value in attributes():
                found.append(f"{node.func.id} {asked.value}")
    return found


@pytest.mark.parametrize("path", GENERIC, ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_generic_file_knows_no_game(path: Path) -> None:
    assert knowledge(path.read_text(encoding="utf-8"), path.suffix) == []


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        ('CHANGED_SEATS = {"te-kuiti": 1}', ".py"),
        ("from sheepfold.games.haste_bock.rules import CARD", ".py"),
        ("from sheepfold.games import flock", ".py"),
        ("games.shear_panic.GAME", ".py"),
        ('"""Points so far; in Sheepzzz pillows count against."""', ".py"),
        ('if setup.options["memory-aid"]:\n    pass', ".py"),
        ('if hasattr(position, "taken_pillows"):\n    pass', ".py"),
        ("# the menu of Shear Panic", ".py"),
        ("/* La Guerre des Moutons zooms */", ".css"),
        ('if (game === "haste-bock") zoom();', ".js"),
        ('[guerre-des-moutons]\nlamb = "greedy"', ".toml"),
        ('{% if game.name == "te-kuiti" %}', ".html"),
        ('msgid "about.haste-bock"\nmsgstr "Ram."', ".po"),
    ],
)
def test_the_search_finds_what_is_planted(planted: str, kind: str) -> None:
    assert knowledge(planted, kind)


@pytest.mark.parametrize(
    ("example", "kind"),
    [
        ('"""`load("haste-bock", seats=4)` is one.\n\n    >>> load("te-kuiti")\n"""', ".py"),
        ('game: str = Field(max_length=40, examples=["haste-bock"])', ".py"),
        ('#. English: x\nmsgid "play.example"\nmsgstr "sheepfold play haste-bock"', ".po"),
    ],
)
def test_an_example_of_what_is_typed_may_name_a_game(example: str, kind: str) -> None:
    assert knowledge(example, kind) == []


def test_the_search_looks_everywhere() -> None:
    assert {path.suffix for path in GENERIC} == KINDS
    assert {"taken_pillows", "timer"} <= attributes()
