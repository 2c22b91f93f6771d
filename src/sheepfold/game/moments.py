"""Moments: what play stops for. A round or a phase ended, roles swap, or more than one player scored at once.

The one idea: a moment belongs to one event, the one by which something was counted, and is made of the same two views as what is told of
it (`Game.moment`, beside `Game.tell`). So it is never stored, and knows no more than its reader. When a move and what chance makes of it
bring several, they are shown one after the other (`Session.moments`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sheepfold.messages import Voice


@dataclass(frozen=True)
class Gain:
    """What a seat got, why, and what it has now."""

    seat: int
    points: int
    total: int
    """As `scores` says it after the event."""
    reasons: tuple[str, ...]
    """Short phrases, each with its own points where there are several."""
    picture: str = ""
    """What the points were counted from where the board no longer shows it: an SVG drawing whose style and symbols are the page's."""


@dataclass(frozen=True)
class Step:
    """Things in the picture after the event that are lit together, and what each of them is worth."""

    targets: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class Moment:
    """What is shown of it. Without gains nobody scored: something begins, and the note says what counts now."""

    title: str
    """What ended or happened."""
    gains: tuple[Gain, ...] = ()
    """By seat, ascending: everybody's, also who got nothing; where points are secret, those that the reader knows."""
    steps: tuple[Step, ...] = ()
    """Lit one after the other."""
    note: str = ""
    """What comes next."""


def spoken(moment: Moment, voice: Voice) -> list[str]:
    """A moment in sentences, to be read aloud."""
    return [moment.title, *(said_gain(gain, voice) for gain in moment.gains), *([moment.note] if moment.note else [])]


def said_gain(gain: Gain, voice: Voice) -> str:
    """'Dolly +7: r1, row 1: 4; r2, row 2: 3. 23 in all.'."""
    points, total = voice.number(gain.points, signed=True), voice.number(gain.total)
    return voice.say("moment.gain", who=voice.name(gain.seat), points=points, reasons="; ".join(gain.reasons), total=total)
