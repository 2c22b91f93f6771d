"""What if something printed were otherwise: a change of a game's component file that reports play beside the game as it is.

A game lists such changes (`Game.what_ifs`) where its components are reconstructed, so that a report shows how much hangs on a guess.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class WhatIf(NamedTuple):
    """One change: its name (`what-if.<name>` in the game's words says it), its table in the component file, and how that changes."""

    name: str
    table: str
    edits: tuple[tuple[str, str], ...]
    """Patterns, each of which must be found, and what takes their place wherever they are."""


def entries(text: str) -> tuple[tuple[str, str], ...]:
    """The edits that give keys of a table other values: a line of TOML for each."""
    return tuple((rf"(?m)^{re.escape(line.partition(' = ')[0])} *=.*$", line) for line in text.split("\n"))
