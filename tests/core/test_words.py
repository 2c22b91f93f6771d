"""Catalogues: complete in every language, with the same values to fill in, and with exactly the messages that the code asks for."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import sheepfold
from sheepfold.words import Voice, catalogue, languages

SOURCES = Path(sheepfold.__file__).parent
FOLDERS = sorted({path.parent for path in SOURCES.rglob("*.po")})
SHARED = SOURCES / "words"
DYNAMIC: tuple[str, ...] = ()
"""Beginnings of keys that are put together in a way the search below cannot see."""


ELSEWHERE = {"about"}
"""Keys that are asked of a game which is not on our shelf."""


def name_of(folder: Path) -> str:
    return str(folder.relative_to(SOURCES))


def messages(folder: Path, language: str) -> dict[str, tuple[str, ...]]:
    """Key -> its forms (one, or one per number)."""
    found = {}
    for message in catalogue(folder, language):
        if message.id:
            key = message.id[0] if isinstance(message.id, tuple | list) else message.id
            found[key] = tuple(message.string) if isinstance(message.string, tuple | list) else (message.string,)
    return found


def values(text: str) -> set[str]:
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_messages(folder, language):
    """All there, none empty, none marked as doubtful, and as many forms as in English."""
    english, found = messages(folder, "en"), messages(folder, language)
    assert sorted(found) == sorted(english)
    for key, forms in found.items():
        assert all(form.strip() for form in forms), key
        assert len(forms) == len(english[key]), key
    assert not [message.id for message in catalogue(folder, language) if message.id and message.fuzzy]


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
@pytest.mark.parametrize("language", languages())
def test_every_language_fills_in_the_same_values(folder, language):
    """Form by form those of the English message; only the count may be left out of a singular, and none is new in it."""
    english = messages(folder, "en")
    for key, forms in messages(folder, language).items():
        assert values(forms[-1]) == values(english[key][-1]), key
        for form, model in zip(forms[:-1], english[key], strict=False):
            assert values(form) - {"count"} == values(model) - {"count"}, key
            assert values(form) <= values(forms[-1]) | {"count"}, key


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_no_key_stands_twice(folder):
    for language in languages():
        keys = re.findall(r'^msgid "(.+)"', (folder / f"{language}.po").read_text(encoding="utf-8"), re.MULTILINE)
        assert len(keys) == len(set(keys)), sorted({key for key in keys if keys.count(key) > 1})


class Strings(ast.NodeVisitor):
    """All strings of a module; those with values in them as patterns; and the literal keys that are given to `say`."""

    def __init__(self) -> None:
        self.plain: set[str] = set()
        self.patterns: set[str] = set()
        self.said: set[str] = set()

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.plain.add(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        parts = [re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in node.values]
        if re.match(r"\w", parts[0]):
            self.patterns.add("".join(parts))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        if called == "say" and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            self.said.add(node.args[0].value)
        self.generic_visit(node)


@cache
def strings(path: Path) -> Strings:
    found = Strings()
    found.visit(ast.parse(path.read_text(encoding="utf-8")))
    return found


MODULES = sorted(SOURCES.rglob("*.py"))
TEMPLATES = "\n".join(path.read_text(encoding="utf-8") for end in ("html", "j2", "js") for path in sorted(SOURCES.rglob(f"*.{end}")))


def rooms_of(path: Path) -> list[Path]:
    """The catalogues that a module's words may come from: its own folder's or the one's above, and the shared ones."""
    return [folder / "words" for folder in path.parents if (folder / "words") in FOLDERS and folder.is_relative_to(SOURCES)] + [SHARED]


TALKING = [path for path in MODULES if strings(path).said and len(rooms_of(path)) > 2]


@pytest.mark.parametrize("path", TALKING, ids=lambda path: str(path.relative_to(SOURCES)))
def test_every_key_that_is_said_exists(path):
    known = {key for folder in rooms_of(path) for key in messages(folder, "en")}
    assert strings(path).said <= known | ELSEWHERE


def test_the_search_for_said_keys_finds_some():
    assert len(TALKING) >= 2 * len(sheepfold.games())


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_no_message_is_unused(folder):
    plain = set().union(*(strings(path).plain for path in MODULES))
    patterns = [re.compile(pattern) for path in MODULES for pattern in strings(path).patterns]
    beginnings = re.findall(r"""["'`]([\w-]+\.(?:[\w-]+\.)*)["'`]\s*[~+]""", TEMPLATES)
    unused = [
        key
        for key in messages(folder, "en")
        if key not in plain
        and not key.startswith((*DYNAMIC, *beginnings))
        and not re.search(rf"""["'`]{re.escape(key)}["'`]""", TEMPLATES)
        and not any(pattern.fullmatch(key) for pattern in patterns)
    ]
    assert unused == []


@pytest.mark.parametrize("game", sheepfold.games(), ids=lambda game: game.name)
def test_every_option_has_its_sentence(game):
    for language in languages():
        voice = Voice([game.folder / "words"], language)
        for option in game.options:
            assert len(voice.say(f"option.{option.name}")) > 10


@pytest.mark.parametrize("game", sheepfold.games(), ids=lambda game: game.name)
def test_every_language_has_its_own_help(game):
    texts = [game.help(language) for language in languages()]
    assert len(set(texts)) == len(texts)
    assert all(text.startswith("# ") for text in texts)


def test_a_voice_speaks():
    english, french = Voice(language="en"), Voice(language="fr", names=["Berta", "Roger"])
    assert english.name(1) == "Player 2"
    assert [french.name(0), french.name(5)] == ["Berta", "Joueur 6"]
    assert [english.say("points", count=count) for count in (0, 1, 2, -1)] == ["0 points", "1 point", "2 points", "-1 point"]
    assert [french.say("points", count=count) for count in (0, 1, 2, -2)] == ["0 point", "1 point", "2 points", "-2 points"]
    assert Voice(language="xx").language == "en"
    assert english.has("points") and not english.has("wool")
    with pytest.raises(KeyError, match="no message 'wool'"):
        english.say("wool")
