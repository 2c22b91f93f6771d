"""Words: every sentence that a player reads comes out of a message catalogue through a Voice.

Catalogues are gettext files (`locale/<language>.po`), one set shared by all (here), one in each game's folder and one
for the terminal and the web page. Their ids are names ('tell.slam'), English is a translation like the others, and
values stand in braces ('{who} rams {count} sheep'). A message with a plural is chosen by `count`, by the rule in its
catalogue's header. docs/languages.md says how a language is added.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from gettext import c2py
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
SHARED = HERE / "locale"
FALLBACK = "en"
OFFERED = (FALLBACK, "fr", "de")
"""The languages that people can choose. One that is still being written stays out of this list."""
PSEUDO = "xx"
"""A made-up language, long and bracketed, in which a text that comes from no catalogue stands out (sheepfold.messages.pseudo)."""

SOMEBODY = "\x1a"
"""Stands for the name of somebody of whom nothing is kept any more, with a number where there are several; no name can have it in it."""

FIRM_SPACES = {"fr": re.compile(r" (?=[?!;»%]|:(?!-))|(?<=«) "), "de": re.compile(r" (?=%)")}
"""Where a language allows no line to break. Translators type plain spaces; `typeset` makes them firm."""
VALUE = re.compile(r"\{([a-z][a-z0-9-]*)\}")
"""A value in a longer text, by its name."""


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first; for developers also those that SHEEPFOLD_LANGUAGES names ('xx,es')."""
    more = (language.strip() for language in os.environ.get("SHEEPFOLD_LANGUAGES", "").split(","))
    return (*OFFERED, *(language for language in more if language and language not in OFFERED))


@cache
def catalogue(folder: Path, language: str) -> Any:
    """One catalogue file, as Babel reads it; empty where there is none."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    path = folder / f"{language}.po"
    if not path.exists():
        return Catalog(locale=None if language == PSEUDO else language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


class Forms(NamedTuple):
    """A message with a plural: its forms, and which of them a count takes."""

    texts: tuple[str, ...]
    which: Callable[[int], int]


Book = dict[str, str | Forms]


@cache
def book(folders: tuple[Path, ...], language: str) -> Book:
    """All messages of these folders, those of an earlier one before those of a later one; in English what the language lacks."""
    found: Book = {}
    for folder in reversed(folders):
        for each in (FALLBACK, language):
            found |= _texts(folder, each)
    return found


@cache
def _texts(folder: Path, language: str) -> Book:
    """The messages of one catalogue that are translated."""
    if language == PSEUDO:
        from sheepfold.messages.pseudo import disguised

        return {key: disguised(message) for key, message in _texts(folder, FALLBACK).items()}
    messages = catalogue(folder, language)
    which = lru_cache(maxsize=1024)(c2py(messages.plural_expr))
    found: Book = {}
    for message in messages:
        if not message.id or not message.string or not all(message.string):
            continue
        if isinstance(message.id, tuple | list):
            found[message.id[0]] = Forms(tuple(typeset(text, language) for text in message.string), which)
        else:
            found[message.id] = typeset(message.string, language)
    return found


def typeset(text: str, language: str) -> str:
    """A text with the spaces that the language does not break at made firm."""
    return FIRM_SPACES[language].sub("\u00a0", text) if language in FIRM_SPACES else text


def page(folder: Path, language: str, values: Mapping[str, object] | None = None) -> str:
    """A longer text in Markdown, from a folder with one file for each language; in English where the language has none.

    `values` has what a name in braces stands for; a name that it lacks is an error, since readers would see the braces.
    """
    path = folder / f"{FALLBACK if language == PSEUDO else language}.md"
    text = (path if path.exists() else folder / f"{FALLBACK}.md").read_text(encoding="utf-8")
    text = _filled(text, values or {}, path.name)
    if language == PSEUDO:
        from sheepfold.messages.pseudo import disguised_page

        return disguised_page(text)
    return typeset(text, language) if path.exists() else text


def _filled(text: str, values: Mapping[str, object], file: str) -> str:
    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            line = text.count("\n", 0, found.start()) + 1
            known = ", ".join(sorted(values)) or "none"
            raise ValueError(f"{file}, line {line}: nothing is known by the name {found[0]}; known are {known}")
        return str(values[found[1]])

    return VALUE.sub(value, text)


@cache
def _words(folders: tuple[Path, ...], language: str) -> Voice:
    return Voice(folders, language)


class Voice:
    """Speaks one language, knows the players' names, and looks words up in some folders before the shared ones."""

    def __init__(self, folders: Iterable[Path] = (), language: str = FALLBACK, names: Sequence[str] | None = None) -> None:
        self.language = language if language in languages() else FALLBACK
        self.folders = (*folders, SHARED)
        self.book = book(self.folders, self.language)
        self.names = [self.called(name) for name in names] if names else None

    @cached_property
    def words(self) -> Voice:
        """The same words without names. There is one such voice of each folders and language, so what depends on nothing else that a
        table says can be kept by it."""
        return _words(self.folders[:-1], self.language)

    def name(self, seat: int) -> str:
        """What a seat is called."""
        if self.names and 0 <= seat < len(self.names):
            return self.names[seat]
        return self.say("player", number=seat + 1)

    def called(self, name: str) -> str:
        """A name that was stored, as it is read."""
        return self.say("somebody") + name[1:] if name.startswith(SOMEBODY) else name

    def say(self, key: str, count: int | None = None, **values: object) -> str:
        """The message of that name with its values filled in."""
        if count is not None:
            values["count"] = count
        text = self.book.get(key)
        if not isinstance(text, str):
            text = self.message(key, count)
        return text.format(**values) if "{" in text else text

    def has(self, key: str) -> bool:
        """Whether there is such a message."""
        return key in self.book

    def message(self, key: str, count: int | None = None) -> str:
        """The message of that name as it stands in the catalogue, its values not filled in."""
        found = self.book.get(key)
        if found is None:
            raise KeyError(f"no message {key!r} in {', '.join(str(folder) for folder in self.folders)}")
        return found if isinstance(found, str) else found.texts[found.which(abs(count or 0))]

    def listed(self, names: Sequence[str]) -> str:
        """Several names, joined as the language does it: Anna, Ben and Cleo."""
        from babel.lists import format_list

        return format_list(names, locale=locale_of(self.language))

    def number(self, value: float, places: int = 0, signed: bool = False) -> str:
        """A number as the language writes it: 1,234.5 or 1 234,5."""
        from babel.numbers import format_decimal

        pattern = _places("#,##0", places)
        return format_decimal(value, f"+{pattern};-{pattern}" if signed else pattern, locale=locale_of(self.language))

    def percent(self, share: float, places: int = 0) -> str:
        """A share of 1 as the language writes per cent: 12% or 12 %."""
        from babel import Locale
        from babel.numbers import format_percent

        locale = Locale.parse(locale_of(self.language))
        return format_percent(share, _places(locale.percent_formats[None].pattern, places), locale=locale)


def _places(pattern: str, places: int) -> str:
    """The pattern of a number with that many places after the point."""
    return pattern.replace("0", "0." + "0" * places) if places else pattern


def locale_of(language: str) -> str:
    """Whose numbers a language has."""
    return FALLBACK if language == PSEUDO else language
