"""Layout: a picture, what happened and a list of choices, fitted to the screen so that nothing scrolls away.

Room is given first to the picture, then to the choices, then to the news, then to empty lines. The news stand beside the picture
where there is room. On a short screen empty lines go, the list takes more columns, notations give way to descriptions, and at last
descriptions to notations, which are short; where even that is too long, the end of the picture goes.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from sheepfold.ansi import beside, ink, width
from sheepfold.terminal.choices import FULL, SHORT, TEXT, Choice, Entry, Page, fold, pages

NARROW = 30
"""Columns beside the picture that are enough for the news."""
READABLE = 100
"""Longer lines of prose are hard to read."""
LEAST_ROWS = 4
"""Lines that the choices get even where the picture leaves none."""
LISTED = 6
"""Lines that the choices should have beside a picture that can be shortened."""
PIPE_ROWS = 40
"""Lines of a page of choices where there is no screen that it must fit."""


class Size(NamedTuple):
    """Of the screen; `rows` is None in a pipe, where everything may take the room it needs."""

    columns: int
    rows: int | None


class Sheet(NamedTuple):
    """What is printed: lines above the choices, and the choices in pages."""

    top: list[str]
    entries: list[Entry]
    pages: list[Page]
    complete: bool
    """Whether all news are there."""


def wrapped(text: str, columns: int, first: str = "") -> list[str]:
    """The text in lines that fit; those after the first are indented as far as `first` reaches."""
    return textwrap.wrap(text, min(columns, READABLE), initial_indent=first, subsequent_indent=" " * len(first)) or [first]


def bullets(news: Sequence[str], columns: int) -> list[str]:
    """The news as a list."""
    return [line for text in news for line in wrapped(text, columns, "· ")]


def room_for_picture(size: Size, heading: str, asides: int, choices: int) -> int:
    """How many lines a picture may have that leaves room for the question, some of the choices and a line of news."""
    if size.rows is None:
        return sys.maxsize
    return max(1, size.rows - len(wrapped(heading, size.columns) if heading else []) - asides - min(choices, LISTED) - 2)


def lay_out(
    bar: str, picture: str, news: Sequence[str], older: str, cut: str, heading: str, asides: int, choices: Sequence[Choice], size: Size
) -> Sheet:
    """Fit everything. `older` is said where news had to be left out, `cut` where the picture's end had to; `asides` are the lines needed
    under the list."""
    board = picture.rstrip("\n").split("\n")
    asked = [ink(line, "bold") for line in wrapped(heading, size.columns)] if heading else []
    news_lines = bullets(news, size.columns)
    if size.rows is None:
        return Sheet([*board, *_spaced(news_lines), "", *asked], *_listed(choices, size.columns, PIPE_ROWS), complete=True)
    left = size.rows - len(board) - len(asked) - asides - 1
    least = min(LEAST_ROWS, len(choices) + 1) if choices else 0
    wanted = max(least, min(len(choices), 8))
    free_columns = size.columns - max(width(line) for line in board) - 4
    side = bullets(news, free_columns) if free_columns >= max(NARROW, width(older)) else []
    if side and (len(side) <= len(board) or len(news_lines) > left - 3 - wanted):
        news_lines = []
    else:
        side = []
    if left >= 3 + min(len(news_lines), 4) + wanted:
        news_rows = max(4, left - 4 - len(choices))
        below = _spaced(_newest(news_lines, news_rows, older))
        top = [ink(bar, "dim"), *_with_news(board, side, older), *below, "", *asked]
        complete = len(side) <= len(board) and len(news_lines) <= news_rows
        return Sheet(top, *_listed(choices, size.columns, left - 2 - len(below)), complete)
    board = [line for line in board if line.strip()]
    left = size.rows - len(board) - len(asked) - asides - 1
    if left < least:
        board = [*board[: max(0, len(board) + left - least - 1)], ink(cut, "dim")]
        left = least
    news_rows = max(1, left - wanted) if left > least else 0
    below = _newest(news_lines, news_rows, older) if news_rows else []
    listed = _listed(choices, size.columns, left - len(below))
    complete = len(side) <= len(board) and len(news_lines) <= news_rows
    return Sheet([*_with_news(board, side, older), *below, *asked], *listed, complete)


def _with_news(board: list[str], side: list[str], older: str) -> list[str]:
    """The picture with the news beside it, if there are any."""
    return beside("\n".join(board), "\n".join(_newest(side, len(board), older)), 4).split("\n") if side else board


def _spaced(lines: list[str]) -> list[str]:
    return ["", *lines] if lines else []


def _newest(lines: list[str], rows: int, older: str) -> list[str]:
    """The newest lines, with a word about older ones where there is room for it."""
    if len(lines) <= rows:
        return lines
    return lines[-rows:] if rows < 3 else [ink(older, "dim"), *lines[1 - rows :]]


def _listed(choices: Sequence[Choice], columns: int, rows: int) -> tuple[list[Entry], list[Page]]:
    """The list on one page if that can be: with notations, without them, folded, in notation alone; else on as few as can be."""
    if not choices:
        return [], [Page([], 0)]
    entries, folded = fold(choices, len(choices)), fold(choices, max(rows, 9))
    ways = [(entries, FULL), (entries, TEXT), (folded, FULL), (folded, TEXT), (entries, SHORT), (folded, SHORT)]
    listed = [(found, pages(found, columns, rows, manner)) for found, manner in ways]
    return min(listed, key=lambda way: (any(len(page.lines) > rows for page in way[1]), len(way[1])))
