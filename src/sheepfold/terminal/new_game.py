"""`sheepfold new-game`: a package with a tiny game that works at once, to be made into another.

What is written is the folder `starter` beside this module, a whole package about a game called My Game, with the name changed wherever it
stands. So the starter is checked and tested like any other code.
"""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from sheepfold.ansi import ink
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.registry import names
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.screen import Screen

STARTER = Path(__file__).parent / "starter"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def new_game(name: str, language: str) -> None:
    """Write the package into a new folder of that name, and say what to type next."""
    module = checked(name)
    folder = Path(name)
    if folder.exists():
        raise SheepfoldError(f"{folder} is there already, and nothing is overwritten: choose another name or go to another folder")
    write_package(folder, name)
    say, screen = terminal_voice(language).say, Screen()
    screen.show(say("new-game.written", path=folder))
    for key, command in (
        ("new-game.install", f"pip install -e {folder}"),
        ("new-game.check", f"python -m sheepfold.game.conformance {name}"),
        ("new-game.play", f"sheepfold play {name}"),
        ("new-game.serve", "sheepfold serve --open"),
    ):
        screen.show(f"  {ink(command, 'bold')}")
        screen.show(f"      {say(key)}")
    screen.show(say("new-game.edit", path=folder / "src" / module / "__init__.py"))


def checked(name: str) -> str:
    """The name of the module for a game's name; SheepfoldError where nothing could be called so."""
    module = name.replace("-", "_")
    if not NAME.fullmatch(name):
        raise SheepfoldError(f"a game's name is lower case letters, digits and single - between them, such as clover-thief, not {name!r}")
    if name in names():
        raise SheepfoldError(f"there is a game {name!r} already")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module == "sheepfold":
        raise SheepfoldError(f"a package cannot be called {module!r} in Python: choose another name")
    return module


def write_package(folder: Path, name: str) -> None:
    """The starter with the game's name in place of its own, in the files and in what they are called."""
    words = name.split("-")
    changes = {
        "my_game": name.replace("-", "_"),
        "my-game": name,
        "My Game": " ".join(word.capitalize() for word in words),
        "MyGame": "".join(word.capitalize() for word in words),
    }

    def renamed(text: str) -> str:
        return re.sub("|".join(changes), lambda found: changes[found[0]], text)

    for source in sorted(path for path in STARTER.rglob("*") if path.is_file() and path.suffix in (".py", ".toml", ".md", ".po")):
        target = folder / renamed(str(source.relative_to(STARTER)))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(renamed(source.read_text(encoding="utf-8")), encoding="utf-8")
