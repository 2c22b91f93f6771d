"""No sentence for players stands in code: not in Python, not in a template, not in a script.

The search takes a string for a sentence if two words stand side by side in it. What programs, administrators or developers read may be
English and stay where it is; the places for that are listed here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sheepfold

SOURCES = Path(sheepfold.__file__).parent
ROOMS = (
    "web",
    "terminal",
    "table",
    "games",
    "game/defaults",
    "art",
    "arena/report.py",
    "arena/plots.py",
    "compare/page.py",
    "compare/words.py",
)
NOT_FOR_PLAYERS = ("rules.py", "tensor.py", "components.py", "evaluator.py", "make_tiles.py", "solo_rates.py", "metrics.py")
SENTENCE = re.compile(r"(?<![\w$.-])[A-Za-zÀ-ÿ]{2,}[,;:]? +[A-Za-zÀ-ÿ]{2,}(?![\w-]*[=({])")
MARKUP = re.compile(
    r"[<>]|[\w-]+=\"|\{[\w-]+:|[\w-]+:\$?[\w#'-]+[;,]|^(INSERT|SELECT|UPDATE|DELETE|CREATE|BEGIN|REPEATABLE)\b|^ FROM |-src |max-age|sf-"
)
"""Pictures, style sheets, queries and headers."""
FOR_PROGRAMS = re.compile(
    r"raise|\.fail$|^log\.|^(?:_?log|logger|logging)\b|^Field$|^Query$|^Header$|^Path$|Path\w*$|BadParameter$|add_argument$|ArgumentParser$|parse_and_bind$|"
    r"^(?:Refused|Stale|NotStored|NotYourTurn|NoUndo|NoSuchTable|SeatTaken|Overtaken|NotText|_spend|note)$|^Dice$|problem$|FastAPI$|Server$|^Option$"
)
"""Errors (players read their keys), the log, and the descriptions of the API and of the command line."""
NAMES = {"Haste Bock?", "Shear Panic", "Te Kuiti", "La Guerre des Moutons"}
"""Titles are the same in every language."""


def texts_of_players(path: Path) -> Iterator[tuple[int, str]]:
    """The sentences in a module that are neither documentation nor for programs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node.value in NAMES:
            continue
        if isinstance(parents[node], ast.Expr) or not SENTENCE.search(node.value) or MARKUP.search(node.value):
            continue
        if not any(FOR_PROGRAMS.search(each) for each in surroundings(node, parents)):
            yield node.lineno, node.value


def surroundings(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[str]:
    """The calls and statements that a node stands in, from the inside out, up to the function; for a constant of a module its name."""
    while node in parents and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        node = parents[node]
        if isinstance(node, ast.Raise | ast.Assert):
            yield "raise"
        elif isinstance(node, ast.Call):
            yield ast.unparse(node.func)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from FOR_PROGRAMS_NAMED.get(ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target), ())


FOR_PROGRAMS_NAMED = dict.fromkeys(("REASONS", "said", "tags", "HEADERS", "COMMANDS"), ("raise",))
"""Tables of what errors say to programs, words to search by, and codes."""
CODES = {
    "go on", "give up", "sheepfold replay ", "sheepfold play --record ",
    "pip install -e ", "sheepfold play ", "sheepfold serve --open", "My Game",
    "moves by people", "moves by bots", "writes that failed", "a write was not done after ", "The database takes no writes: ",
    "The database does not answer: ",
    " lines of this log were dropped, since nobody read them", "this is no text: it holds a zero character or half a character",
    "event: scene\nid: ", ": still here\n\n", "const kept = ",
}  # fmt: skip
"""Names inside the program and commands to type; figures that are counted, what hosts and programs are told; what browsers are sent."""


MODULES = [
    path
    for path in sorted(SOURCES.rglob("*.py"))
    if str(path.relative_to(SOURCES)).startswith(ROOMS) and path.name not in NOT_FOR_PLAYERS and "starter" not in path.parts
]


def test_no_module_speaks_to_players_by_itself():
    found = {f"{path.relative_to(SOURCES)}:{line}": text for path in MODULES for line, text in texts_of_players(path) if text not in CODES}
    assert found == {}, "these belong into locale/en.po (or, if no player reads them, into the lists of this test)"


def test_what_a_player_types_wrongly_is_answered_from_a_catalogue():
    """An UnreadableAction has the key of a message beside its English text."""
    found = 0
    for path in (*MODULES, SOURCES / "game" / "game.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "UnreadableAction(" in text else ():
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) == "UnreadableAction":
                assert len(node.exc.args) == 2, f"{path.relative_to(SOURCES)}:{node.lineno} has no key"
                found += 1
    assert found >= 5


class Page(HTMLParser):
    """The text of a template that stands there by itself, and such attributes as are read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)
        shown = ("aria-label", "aria-description", "title", "placeholder", "alt")
        self.found += [value or "" for name, value in attributes if name in shown]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass

    def handle_data(self, text: str) -> None:
        if not {"script", "style"} & set(self.inside):
            self.found.append(text)


def bare_in_template(text: str) -> list[str]:
    """What a template says without asking a catalogue."""
    page = Page()
    text = re.sub(r"\{% block body_class %\}.*?\{% endblock %\}", "", text)
    page.feed(re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", text, flags=re.DOTALL))
    return [words.strip() for words in page.found if re.search(r"[A-Za-zÀ-ÿ]{2}", words.replace("Sheepfold", ""))]


def bare_in_script(text: str) -> list[str]:
    """The literals of a script that look like sentences; selectors, classes and addresses do not."""
    code = re.sub(r"^\s*//.*$|(?<=[\s;{}(),])//[^\n\"'`]*$|/\*.*?\*/", "", text, flags=re.DOTALL | re.MULTILINE)
    code = re.sub(r"\$\{[^{}]*\}", "", code)
    literals = re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`", code)
    return [text for each in literals for text in each if SENTENCE.search(text) and not re.search(r"[#.\[\]<>{}=:*_/]|sf-", text)]


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.html")), ids=lambda path: path.name)
def test_no_template_speaks_by_itself(path):
    assert bare_in_template(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("static/*.js")), ids=lambda path: path.name)
def test_no_script_speaks_by_itself(path):
    assert [text for text in bare_in_script(path.read_text(encoding="utf-8")) if text not in SCRIPT_CODES] == []


SCRIPT_CODES = {"use strict", "mark sf sf-auto"}


def test_the_searches_would_find_something(tmp_path):
    module = tmp_path / "talks.py"
    module.write_text('"""Talks a lot."""\ndef say():\n    print(f"You have {3} sheep")\n    raise ValueError("for a program")\n')
    assert [text for _, text in texts_of_players(module)] == ["You have "]
    template = '<p title="{{ say("x") }}">{{ say("a") }} <b>Play now</b></p><input placeholder="Your name">'
    assert bare_in_template(template) == ["Play now", "Your name"]
    assert bare_in_script('const a = "Play now", b = `#board .can`; // a comment of words') == ["Play now"]
