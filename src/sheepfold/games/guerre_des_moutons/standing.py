"""Standing answers: what somebody wants done while they are not there. `hunter`: let everything go by, until a wolf threatens a pen of the
own colour (GM-15); then a hunter out of the hand lies on it (GM-13)."""

from __future__ import annotations

from sheepfold.games.guerre_des_moutons.actions import CONTENT, DONE, MORE, ON_WOLF, TURN
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import HUNTER_BITS, HUNTERS, SHEPHERDS

HUNTER = "hunter"


def lay_hunter(view: GuerreDesMoutons, seat: int) -> list[int] | None:
    """The hunter that frees most sheep, and the wolf that it lies on; nothing while no pen is threatened or no hunter is in hand."""
    if view.finish[seat] or view.laid_specials & HUNTER_BITS == HUNTER_BITS:
        return None
    before = threatened(view, seat)
    best: tuple[int, list[int]] = (before, [])
    for face in faces(view, seat) if before else []:
        taken_up = view.copy()
        if view.to_act == seat:
            taken_up.apply(face)
        else:
            taken_up.interrupt(seat, face)
        for on in taken_up.legal():
            if ON_WOLF <= on < ON_WOLF + 4:
                laid = taken_up.copy()
                laid.apply(on)
                best = min(best, (threatened(laid, seat), [face, on, DONE] if laid.stage == MORE else [face, on]))
    return best[1]


def faces(view: GuerreDesMoutons, seat: int) -> list[int]:
    """The hunters that a seat may lay now."""
    in_turn = view.to_act == seat
    actions = view.interruptions(seat) if not in_turn else view.legal() if view.stage in (TURN, CONTENT) else []
    return [face for face in actions if HUNTERS * 2 <= face < SHEPHERDS and face & 1]


def threatened(view: GuerreDesMoutons, seat: int) -> int:
    """How many sheep of a seat's own colours stand in pens beside a wolf."""
    mine = int(view.colours[seat])
    return sum(int(pen.sheep) for pen in view.map.pens() if pen.threatened and mine >> int(pen.colour) & 1)
