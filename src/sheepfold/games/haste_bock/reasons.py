"""Why somebody might do it, for a hint: what the flock's sheep count then (flock_reasons)."""

from __future__ import annotations

from sheepfold.games.flock_reasons import Flock, of_choice, of_move
from sheepfold.games.haste_bock.rules import CARD, HasteBock
from sheepfold.messages import Voice


def reason(view: HasteBock, action: int, voice: Voice) -> str:
    """One sentence; empty where there is nothing to say."""
    return (of_choice if view.stage == CARD else of_move)(FLOCK, view, action, voice)


def standing(view: HasteBock, space: int) -> tuple[str, list[int]]:
    """What counts with the timer there, and what each seat's sheep would bring."""
    phase = max(int(view.track.phase[space]), 1)
    if phase in (1, 3):
        return ("touch" if phase == 1 else "black"), [int(view.pair_points(seat, phase)) for seat in range(view.seats)]
    then = view.copy()
    then.timer = space
    worth = then.row_points()
    return "rows", [int(worth[2 * seat] + worth[2 * seat + 1]) for seat in range(view.seats)]


FLOCK = Flock(lambda view: int(view.timer), standing, lambda view, space: int(view.track.until_rows(space)))
