"""Why somebody might do it, for a hint: what the flock's sheep count then (flock_reasons)."""

from __future__ import annotations

from sheepfold.games.flock import opposite
from sheepfold.games.flock_reasons import Flock, of_choice, of_move
from sheepfold.games.shear_panic.rules import GROUP, SQUARE, ShearPanic
from sheepfold.messages import Voice


def reason(view: ShearPanic, action: int, voice: Voice) -> str:
    """One sentence; empty where there is nothing to say. Before the die that says how a group comes back, what its turn means."""
    if view.stage == GROUP:
        return voice.say("reason.group")
    return (of_choice if view.stage == SQUARE else of_move)(FLOCK, view, action, voice)


def standing(view: ShearPanic, space: int) -> tuple[str, list[int]]:
    """What counts with the counter there, and what each seat's sheep would bring."""
    field = max(int(view.printed.track.phase[space]), 1)
    if field in (1, 3):
        return ("touch" if field == 1 else "black"), [int(view.pair_points(seat, field)) for seat in range(view.seats)]
    worth = view.row_points(opposite(view.facing) if field == 4 else view.facing)
    return "rows", [int(worth[2 * seat] + worth[2 * seat + 1]) for seat in range(view.seats)]


FLOCK = Flock(lambda view: int(view.counter), standing, lambda view, space: int(view.printed.track.until_rows(space)))
