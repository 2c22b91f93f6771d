"""What was said at a table, as its readers read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sheepfold.messages import Voice
from sheepfold.table.kept_seats import RETURNED
from sheepfold.web.language import WORDS

NOBODY = ""
"""Who says a line of chat that only names somebody who has left or is back; each reader is told in the own language."""


def in_words(lines: Iterable[tuple[str, str, float]], language: str) -> list[list[Any]]:
    """Who said what, and when; what nobody says is that somebody left or is back, or that a line was removed."""
    voice = Voice([WORDS], language)
    return [[*_worded(voice, who, text), at] for who, text, at in lines]


def _worded(voice: Voice, who: str, text: str) -> tuple[str, str]:
    if who == NOBODY:
        key = "chat.returned" if text.startswith(RETURNED) else "chat.left"
        return NOBODY, voice.say(key, who=voice.called(text.removeprefix(RETURNED)))
    return (voice.called(who), text) if text else (NOBODY, voice.say("chat.removed", who=voice.called(who)))
