"""What was said at a table, as its readers read it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from sheepfold.messages import Voice
from sheepfold.web.language import WORDS

NOBODY = ""
"""Who says a line of chat that only names somebody who has left; each reader is told in the own language."""


def in_words(lines: Iterable[tuple[str, str, float]], language: str) -> list[list[Any]]:
    """Who said what, and when; what nobody said is that somebody left."""
    left = partial(Voice([WORDS], language).say, "chat.left")
    return [[who, text if who != NOBODY else left(who=text), at] for who, text, at in lines]
