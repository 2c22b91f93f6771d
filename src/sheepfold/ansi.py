"""ANSI colours for drawings in a terminal. Every colour also has a letter or a mark, so plain text says the same."""

from __future__ import annotations

import re

CODES = {
    "bold": "1", "dim": "2", "underline": "4", "reverse": "7",
    "black": "90", "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "white": "37",
    "on-red": "41", "on-green": "42", "on-yellow": "43", "on-blue": "44", "on-white": "47", "on-black": "100",
}  # fmt: skip
_CODE = re.compile(r"\x1b\[[0-9;]*m")


def ink(text: str, *styles: str) -> str:
    """The text in some styles: ink("Berta", "bold", "red")."""
    return f"\x1b[{';'.join(CODES[style] for style in styles)}m{text}\x1b[0m" if styles and text else text


def plain(text: str) -> str:
    """The text without any ink."""
    return _CODE.sub("", text)


def width(text: str) -> int:
    """How many columns a line takes, ink left aside (all our drawings use characters one column wide)."""
    return len(plain(text))


def pad(text: str, columns: int) -> str:
    """The line, filled up with spaces to that many columns."""
    return text + " " * max(0, columns - width(text))


def beside(left: str, right: str, gap: int = 3) -> str:
    """Two drawings side by side."""
    lefts, rights = left.split("\n"), right.split("\n")
    columns = max(width(line) for line in lefts)
    rows = max(len(lefts), len(rights))
    lefts += [""] * (rows - len(lefts))
    rights += [""] * (rows - len(rights))
    return "\n".join((pad(one, columns + gap) + other).rstrip() for one, other in zip(lefts, rights, strict=True))
