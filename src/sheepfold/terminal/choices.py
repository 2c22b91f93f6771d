"""Choices: what may be done, as a numbered list that a person can take in.

A short list is shown as it is. A long one is said in notation, with the points that it brings, in as many columns as there is room for; or
it is folded by the words of the notation ('lay 12 …', 34 choices) until it fits, and who picks a fold sees what is inside. Typing any part
of a notation narrows the list in the same way.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Hashable, Iterable, Sequence
from itertools import takewhile, zip_longest
from typing import NamedTuple

from sheepfold.ansi import ink, pad, width

GAP = 3
"""Columns between two columns of the list."""
POINTS = re.compile(r"[+−-]\d+")
"""What an action brings, in what is said of it."""
FULL, TEXT, SHORT = "full", "text", "short"
"""How an entry is said: with its notation, without it, or in notation alone."""


class Choice(NamedTuple):
    """One action: its notation, what it would do, and its number on the board if the picture has numbers."""

    action: int
    notation: str
    text: str
    label: str = ""

    @property
    def place(self) -> str:
        """The number of the label without the letter."""
        return self.label.rstrip("abcdefgh")


class Entry(NamedTuple):
    """A line of the list: one choice, or a fold of several that begin alike."""

    choices: tuple[Choice, ...]
    notation: str
    text: str

    @property
    def short(self) -> str:
        """In notation, with the points."""
        found = POINTS.search(self.text) if len(self.choices) == 1 else None
        return f"{self.notation or self.text} {found[0]}" if found and found[0] not in self.notation else self.notation or self.text

    @property
    def label(self) -> str:
        return self.choices[0].label if len(self.choices) == 1 else self.choices[0].place


def fold(choices: Sequence[Choice], room: int) -> list[Entry]:
    """The choices one by one where there is room, else folded by as many leading words as give the finest list that fits."""
    if len(choices) <= room:
        return [_entry([choice]) for choice in choices]
    if choices[0].label:
        return [_entry(group) for group in _grouped((choice.place, choice) for choice in choices)]
    longest = max(len(choice.notation.split()) for choice in choices)
    foldings = [_folded(choices, words) for words in range(1, longest)]
    useful = [folding for folding in foldings if 1 < len(folding) < len(choices)]
    fitting = [folding for folding in useful if len(folding) <= room]
    if not useful:
        return [_entry([choice]) for choice in choices]
    return [_entry(group) for group in (fitting[-1] if fitting else useful[0])]


def _folded(choices: Sequence[Choice], words: int) -> list[list[Choice]]:
    return _grouped((tuple(choice.notation.split()[:words]), choice) for choice in choices)


def _grouped(keyed: Iterable[tuple[Hashable, Choice]]) -> list[list[Choice]]:
    groups: dict[Hashable, list[Choice]] = {}
    for key, choice in keyed:
        groups.setdefault(key, []).append(choice)
    return list(groups.values())


def _entry(group: Sequence[Choice]) -> Entry:
    if len(group) == 1:
        return Entry(tuple(group), group[0].notation, group[0].text)
    return Entry(tuple(group), _common(choice.notation for choice in group), _common(choice.text for choice in group))


def _common(texts: Iterable[str]) -> str:
    """The words that all texts begin with."""
    columns = zip(*(filter(None, (word.rstrip(",;:.") for word in text.split())) for text in texts), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns))


class Page(NamedTuple):
    """Lines to print and how many entries they show."""

    lines: list[str]
    entries: int


def pages(entries: Sequence[Entry], columns: int, rows: int, manner: str = FULL) -> list[Page]:
    """The numbered list in pages that fit: one column where that is enough, else as many as the width gives."""
    texts = [_line(number, entry, manner, columns) for number, entry in enumerate(entries, start=1)]
    if any("\n" in text for text in texts):
        return _one_column(texts, rows)
    across = 1
    while -(-len(texts) // across) > rows and across < len(texts) and _across(_columns(texts, across + 1, rows)) <= columns:
        across += 1
    size = max(1, rows) * across
    return [_page(texts[first : first + size], across) for first in range(0, len(texts), size)]


def _one_column(texts: Sequence[str], rows: int) -> list[Page]:
    """Pages of entries some of which take several lines."""
    found = [Page([], 0)]
    for text in texts:
        lines = text.split("\n")
        if found[-1].entries and len(found[-1].lines) + len(lines) > rows:
            found.append(Page([], 0))
        found[-1] = Page([*found[-1].lines, *lines], found[-1].entries + 1)
    return found


def _columns(texts: Sequence[str], across: int, rows: int) -> list[list[str]]:
    """The texts of one page in columns, of equal depth but for the last."""
    texts = texts[: max(1, rows) * across]
    deep = -(-len(texts) // across)
    return [list(texts[first : first + deep]) for first in range(0, len(texts), deep)]


def _across(columns: Sequence[Sequence[str]]) -> int:
    return sum(max(width(text) for text in column) + GAP for column in columns) - GAP


def _page(texts: Sequence[str], across: int) -> Page:
    columns = _columns(texts, across, len(texts))
    wide = [max(width(text) for text in column) + GAP for column in columns]
    rows = zip_longest(*columns, fillvalue="")
    return Page(["".join(pad(text, size) for text, size in zip(row, wide, strict=True)).rstrip() for row in rows], len(texts))


def _line(number: int, entry: Entry, manner: str, columns: int) -> str:
    """An entry in one line; without its notation where that is too wide, and in several lines where it is so even then."""
    many = f" … ({len(entry.choices)})" if len(entry.choices) > 1 else ""
    text = entry.short if manner == SHORT else entry.text or entry.notation
    label = f"{entry.label or number:>3}"
    notation = f"  {ink(entry.notation, 'dim')}" if manner == FULL and entry.notation and entry.notation != text else ""
    line = f"{ink(label, 'bold')}  {text}{many}{notation}"
    if width(line) <= columns:
        return line
    indent = " " * (len(label) + 2)
    lines = textwrap.wrap(text + many, columns, initial_indent=indent, subsequent_indent=indent)
    return "\n".join([f"{ink(label, 'bold')}  {lines[0][len(indent) :]}", *lines[1:]])
