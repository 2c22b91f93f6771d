"""Words: every sentence that a player reads comes out of a message catalogue through a Voice.

Catalogues are gettext files (`words/<language>.po`), one set shared by all (here), one in each game's folder and one
for the terminal and the web page. Their ids are names ('tell.slam'), English is a translation like the others, and
values stand in braces ('{who} rams {count} sheep'). A message with a plural is chosen by `count`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FALLBACK = "en"


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    found = sorted(path.stem for path in HERE.glob("*.po"))
    return (FALLBACK, *(language for language in found if language != FALLBACK))


@cache
def catalogue(folder: Path, language: str) -> Any:
    """One catalogue file, as Babel reads it; empty where there is none."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    path = folder / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


class Voice:
    """Speaks one language, knows the players' names, and looks words up in some folders before the shared ones."""

    def __init__(self, folders: Iterable[Path] = (), language: str = FALLBACK, names: Sequence[str] | None = None) -> None:
        self.language = language if language in languages() else FALLBACK
        self.folders = (*folders, HERE)
        self.names = list(names) if names else None

    def name(self, seat: int) -> str:
        """What a seat is called."""
        if self.names and 0 <= seat < len(self.names):
            return self.names[seat]
        return self.say("player", number=seat + 1)

    def say(self, key: str, count: int | None = None, **values: object) -> str:
        """The message of that name with its values filled in."""
        if count is not None:
            values["count"] = count
        return self.message(key, count).format(**values)

    def has(self, key: str) -> bool:
        """Whether there is such a message."""
        return any(key in catalogue(folder, FALLBACK) for folder in self.folders)

    def message(self, key: str, count: int | None = None) -> str:
        """The message of that name as it stands in the catalogue, its values not filled in."""
        for language in (self.language, FALLBACK):
            for folder in self.folders:
                book = catalogue(folder, language)
                message = book.get(key)
                if message and message.string and all(message.string):
                    if isinstance(message.string, str):
                        return message.string
                    return str(message.string[_plural(language, count or 0)])
        raise KeyError(f"no message {key!r} in {', '.join(str(folder) for folder in self.folders)}")


def _plural(language: str, count: int) -> int:
    """Which of two plural forms: French counts 0 as one, English and German do not."""
    return int(abs(count) > 1) if language == "fr" else int(abs(count) != 1)
