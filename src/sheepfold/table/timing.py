"""Timing: until when a decision has to be made, where a table has a clock: so long for a decision, for all decisions of a seat in the game,
or both. While people have agreed on a pause no clock runs, and nobody's runs while they have said that they are away."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

SECONDS, BUDGET, PAUSED, PAUSE_ASKED, ABSENT, ABSENCES = "seconds", "budget", "paused", "pause", "absent", "absences"
"""The settings of a table: for a decision, for a game; whether it rests, and who would like that; from and until when who is away, and how
long each was in all."""
LONGEST_ABSENCE = 21 * 86400.0
"""Seconds that somebody may be away in a game, in all, without their clock running."""


def has_clock(settings: Mapping[str, Any]) -> bool:
    return bool(settings.get(SECONDS) or settings.get(BUDGET))


def absence(settings: Mapping[str, Any], seat: int) -> tuple[float, float]:
    """From and until when somebody said last that they are away."""
    start, until = settings.get(ABSENT, {}).get(str(seat), (0.0, 0.0))
    return float(start), float(until)


def missed(settings: Mapping[str, Any], seat: int, since: float, now: float) -> float:
    """How much of the time since a decision began somebody was away, up to now."""
    start, until = absence(settings, seat)
    return max(0.0, min(until, now) - max(start, since))


def deadline(settings: Mapping[str, Any], seat: int, since: float, used: Sequence[float]) -> float | None:
    """Until when a seat has to decide what it has had to since then; None where no clock runs."""
    allowed = [float(settings[SECONDS])] if settings.get(SECONDS) else []
    if settings.get(BUDGET):
        allowed.append(float(settings[BUDGET]) - used[seat])
    if not allowed or settings.get(PAUSED):
        return None
    return since + missed(settings, seat, since, math.inf) + max(0.0, min(allowed))


def spent(settings: Mapping[str, Any], seat: int, since: float, now: float) -> float:
    """How much of a game's time a seat has used up for a decision."""
    return 0.0 if settings.get(PAUSED) else max(0.0, now - since - missed(settings, seat, since, now))
