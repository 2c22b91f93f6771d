"""Which language the terminal speaks, and its voice: every sentence stands in its catalogues, locale/*.po."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from sheepfold.core.errors import SheepfoldError, listed
from sheepfold.game.game import Game
from sheepfold.messages import FALLBACK, Voice, languages

WORDS = Path(__file__).parent / "locale"


def chosen_language(arguments: Sequence[str] = (), environment: Mapping[str, str] = os.environ) -> str:
    """The language after --language, else that of LC_ALL, LC_MESSAGES or LANG, else English.

    The command line is looked at before it is parsed, because the help that parsing may print is in that language too.
    """
    for index, word in enumerate(arguments):
        if word == "--language" and index + 1 < len(arguments) and arguments[index + 1] in languages():
            return arguments[index + 1]
        if word.startswith("--language=") and word.partition("=")[2] in languages():
            return word.partition("=")[2]
    setting = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return setting[:2] if setting[:2] in languages() else FALLBACK


def checked_language(language: str | None) -> str | None:
    """The language given with --language, if we speak it."""
    if language is not None and language not in languages():
        raise SheepfoldError(f"--language is {listed(languages())}, not {language!r}")
    return language


@cache
def terminal_voice(language: str) -> Voice:
    """The terminal's own voice."""
    return Voice([WORDS], language)


def game_voice(game: Game, language: str, names: Sequence[str] | None = None) -> Voice:
    """The voice of a game, which knows the players."""
    return Voice([game.folder / "locale"], language, names)
