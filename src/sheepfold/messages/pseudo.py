"""A language that nobody speaks, made from the English catalogues: letters with accents, brackets round every message, two fifths longer.

What stands on a page without brackets did not come from a catalogue; what does not fit will not fit in German either. It is spoken
only where SHEEPFOLD_LANGUAGES names it (docs/languages.md).
"""

from __future__ import annotations

import re

from sheepfold.messages import Forms

OPEN, CLOSE, FILLER = "⟦", "⟧", "~"
LONGER = 0.4
ACCENTED = str.maketrans("AaCcDdEeGgIiLlNnOoRrSsTtUuYyZz", "ÅåÇçĐđÉéĜĝÎîĻļÑñÖöŘřŠšŤťÛûÝýŽž")


def disguised(message: str | Forms) -> str | Forms:
    """A message of the pseudo-language; the values in braces stay as they are."""
    if isinstance(message, Forms):
        return Forms(tuple(disguised_text(text) for text in message.texts), message.which)
    return disguised_text(message)


def disguised_text(text: str) -> str:
    """One text, or each line of it."""
    return "\n".join(_line(line) if line.strip() else line for line in text.split("\n"))


def _line(text: str) -> str:
    parts = re.split(r"(\{\w+\})", text)
    letters = sum(len(part) for part in parts[::2])
    longer = "".join(part if at % 2 else part.translate(ACCENTED) for at, part in enumerate(parts))
    return f"{OPEN}{longer}{_filler(round(letters * LONGER) - 2)}{CLOSE}"


def _filler(length: int) -> str:
    """What makes a text longer, in words of ten letters."""
    return " ".join(FILLER * min(10, length - at) for at in range(0, length, 11))


def disguised_page(text: str) -> str:
    """A page in Markdown: every paragraph, heading, item and cell of a table as a text of its own, code as it is."""
    blocks = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    for at, block in enumerate(blocks):
        if at % 2:  # code as it is, but for the captions of a figure
            blocks[at] = re.sub(r"(?<=^--- ).+", lambda caption: _whole(caption[0]), block, flags=re.MULTILINE)
        else:
            blocks[at] = re.sub(r"^(.*\S.*\n?)+", _paragraphs, block, flags=re.MULTILINE)
    return "".join(blocks)


def _paragraphs(found: re.Match[str]) -> str:
    """What stands between two empty lines."""
    pieces = re.split(r"^(\s*(?:#+|[-*>]|\d+\.)\s+|\|[-|: ]+\|$|\|)", found[0], flags=re.MULTILINE)
    for at, piece in enumerate(pieces):
        if at % 2 == 0 and piece.strip():
            heading, end, rest = piece.partition("\n") if pieces[at - 1].startswith("#") else ("", "", piece)
            pieces[at] = _cells(piece) if pieces[at - 1] == "|" else f"{_whole(heading)}{end}{_whole(rest)}"
    return "".join(pieces)


def _cells(row: str) -> str:
    return "|".join(_whole(cell) for cell in row.split("|"))


def _whole(text: str) -> str:
    """One text that may run over several lines; code, addresses and anchors in it stay as they are."""
    words = re.sub(r"\s*\{#[\w-]+\}\s*$", "", text).strip()
    if not words:
        return text
    parts = re.split(r"(`[^`]*`|\]\([^)]*\))", words)
    longer = "".join(part if at % 2 else part.translate(ACCENTED) for at, part in enumerate(parts))
    return text.replace(words, f"{OPEN}{longer}{_filler(round(len(words) * LONGER / 4))}{CLOSE}")
