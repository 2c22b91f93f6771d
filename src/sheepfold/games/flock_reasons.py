"""Why a move of the flock is a good one, in terms of the rules: for hints in Haste Bock? and Shear Panic.

The one idea: what everybody's sheep would count, were it counted where the timer comes to stand, before the move and after it. The
sentences are each game's own, under the same ids.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sheepfold.messages import Voice

TWICE_THE_BEST = 8
"""What two sheep bring in the row that counts most."""


class Flock(NamedTuple):
    """How a game of the flock is asked for what matters here."""

    timer: Callable[[Any], int]
    standing: Callable[[Any, int], tuple[str, list[int]]]
    """What counts with the timer on that space (`touch`, `rows`, `black`), and what each seat's sheep would bring."""
    until_rows: Callable[[Any, int], int]


def of_move(flock: Flock, view: Any, action: int, voice: Voice) -> str:
    """The points it brings; else a better place for one's own sheep, or a worse one for somebody else's."""
    seat, after = int(view.to_act), view.copy()
    after.advance(action)
    space = flock.timer(after)
    (what, then), (_, before) = flock.standing(after, space), flock.standing(view, space)
    gains = [int(new - old) for new, old in zip(after.scores(), view.scores(), strict=True)]
    others = [gain for other, gain in enumerate(gains) if other != seat]
    if gains[seat] > 0 and not any(others) and what != "rows":
        return voice.say(f"reason.{what}.now", points=gains[seat])
    if gains[seat] > 0:
        key = "reason.rows.both" if gains[seat] == TWICE_THE_BEST else "reason.rows.now"
        return voice.say(key, points=gains[seat], other=max(others))
    if then[seat] > before[seat]:
        return voice.say(f"reason.{what}.better", before=before[seat], after=then[seat])
    loss, rival = max((before[other] - then[other], other) for other in range(len(then)) if other != seat)
    if loss > 0:
        return voice.say("reason.rival", who=voice.name(rival), before=before[rival], after=then[rival])
    if 0 < before[seat] == then[seat]:
        return voice.say("reason.stays", points=then[seat])
    return voice.say("reason.quiet") if then == before else ""


def of_choice(flock: Flock, view: Any, action: int, voice: Voice) -> str:
    """Of a card that leads to a move: what the best move with it brings, else how far it takes the timer."""
    seat, chosen = int(view.to_act), view.copy()
    chosen.advance(action)
    if chosen.to_act != seat:
        return ""
    points, better, space = 0, (0, 0, 0), flock.timer(view)
    for move in chosen.legal():
        end = chosen.copy()
        end.advance(move)
        there = flock.timer(end)
        space = max(space, there)  # a flock that is split comes together first
        then, before = (flock.standing(each, there)[1][seat] for each in (end, view))
        points, better = max(points, int(end.scores()[seat] - view.scores()[seat])), max(better, (then - before, then, before))
    if points > 0:
        return voice.say("reason.card.now", points=points)
    if better[0] > 0:
        return voice.say("reason.card.better", before=better[2], after=better[1])
    return voice.say("reason.card.timer", flock.until_rows(view, space), space=space) if space > flock.timer(view) else ""
