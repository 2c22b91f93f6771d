"""Words: a comparison's findings as sentences, for the page and the terminal alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sheepfold.compare.figures import CLEARLY, NUMBER, OPEN, PERHAPS, SAME, SHARE, Figure, Found
from sheepfold.messages import Voice

VERDICTS = (CLEARLY, PERHAPS, OPEN, SAME)
"""In the order in which a reader wants to know."""


def comparing_voice(language: str) -> Voice:
    return Voice([Path(__file__).parent / "locale"], language)


def title_of(game: str, seats: int, voice: Voice) -> str:
    return voice.say("title", game=game, seats=seats)


def label(figure: Figure, voice: Voice) -> str:
    """What a figure is called in tables and plots."""
    return voice.say(f"figure.{figure.name}", number=(figure.seat or 0) + 1)


def written(value: float, found: Found, voice: Voice, signed: bool = False) -> str:
    """A value of a figure: shares in per cent; as fine as the interval is. Nothing has no sign."""
    if found.figure.unit == SHARE:
        places = 2 if found.half < 0.0015 else 1
        value = round(value, places + 2) + 0.0
        return "+" * (signed and value > 0) + voice.percent(value, places)
    places = 2 if max(abs(found.a), abs(found.b)) < 100 else 1
    value = round(value, places) + 0.0
    return voice.number(value, places, signed and value != 0)


def difference(found: Found, voice: Voice) -> str:
    """The difference, give or take half of its interval."""
    return f"{written(found.difference, found, voice, signed=True)} ± {written(found.half, found, voice)}"


def sentence(found: Found, voice: Voice) -> str:
    """What one figure says, in a sentence."""
    values: dict[str, Any] = {
        "what": voice.say(f"said.{found.figure.name}", number=(found.figure.seat or 0) + 1),
        "a": written(found.a, found, voice),
        "b": written(found.b, found, voice),
        "difference": difference(found, voice),
        "low": written(found.low, found, voice, signed=True),
        "high": written(found.high, found, voice, signed=True),
        "needed": voice.number(found.needed),
    }
    if found.verdict in (CLEARLY, PERHAPS):
        return voice.say(f"finding.{found.verdict}.{'more' if found.difference > 0 else 'less'}", **values)
    if found.verdict == SAME and found.difference == 0:
        return voice.say("finding.same.exactly", **values)
    return voice.say(f"finding.{found.verdict}", **values)


def sides_named(a: str, b: str, voice: Voice) -> tuple[str, str]:
    """What the two sides are called."""
    return f"A: {a or voice.say('as-it-is')}", f"B: {b or voice.say('as-it-is')}"


def relative(found: Found) -> float:
    """By what a difference is divided for a plot in per cent: numbers by what they are on the first side."""
    return abs(found.a) or 1.0 if found.figure.unit == NUMBER else 1.0
