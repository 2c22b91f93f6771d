"""Why somebody might do it, for a hint: pens that close or are about to, and pairs.

Of tiles that lie face down nothing is said, though they were seen, unless the table plays with the memory aid (TK-18).
"""

from __future__ import annotations

from sheepfold.games.te_kuiti.evaluator import EVALUATOR, TeKuitiEvaluator
from sheepfold.games.te_kuiti.narration import edge_words, gain
from sheepfold.games.te_kuiti.notation import cell_name
from sheepfold.games.te_kuiti.rules import CELLS, DONE, EDGES, RAM, REMOVE, TAKE, TURN, TeKuiti
from sheepfold.messages import Voice

PATIENT = TeKuitiEvaluator(patience=1)
"""As the strongest level, which takes known pairs while there is still time."""


def reason(view: TeKuiti, action: int, voice: Voice) -> str:
    """One sentence; empty where there is nothing to say."""
    if points := gain(view, action):
        return voice.say("reason.fence.now" if action < REMOVE else "reason.take", points=points)
    if action < REMOVE:
        return _fence(view, action, voice)
    if action < TURN:
        return _removal(view, action - REMOVE, voice)
    return _turn(view, action - TURN, voice) if action < TAKE else voice.say("reason.done") if action == DONE else ""


def closing(view: TeKuiti) -> tuple[int, int]:
    """The most tiles that a single fence would enclose, and where it would stand."""
    best = (0, -1)
    for edge in range(EDGES):
        if not view.fenced(edge):
            after = view.copy()
            assert isinstance(after, TeKuiti)
            after.put_fence(edge)
            best = max(best, (int(after.enclosed_tiles() - view.enclosed_tiles()), edge))
    return best


def _fence(view: TeKuiti, edge: int, voice: Voice) -> str:
    after = view.copy()
    assert isinstance(after, TeKuiti)
    after.put_fence(edge)
    count, last = closing(after) if after.supply else (0, -1)
    if count > closing(view)[0]:
        return voice.say("reason.fence.next", count, edge=edge_words(last, voice))
    return voice.say("reason.fence.begin")


def _removal(view: TeKuiti, edge: int, voice: Voice) -> str:
    after = view.copy()
    assert isinstance(after, TeKuiti)
    after.pull_fence(edge)
    if freed := int(view.enclosed_tiles() - after.enclosed_tiles()):
        return voice.say("reason.remove.frees", freed)
    before, then = closing(view)[0], closing(after)[0]
    return voice.say("reason.remove.breaks", before) if before > then else ""


def _turn(view: TeKuiti, cell: int, voice: Voice) -> str:
    if not view.terms.memory_aid:
        return ""
    if not view.known[cell]:
        waiting = TURN + cell in PATIENT.sensible(view) and TURN + cell not in EVALUATOR.sensible(view)
        return voice.say("reason.turn.wait" if waiting else "reason.turn.new")
    mood = int(view.mood(cell))
    twins = [
        other
        for other in range(CELLS)
        if other != cell and view.has_tile(other) and not view.enclosed(other) and view.known[other] and view.mood(other) == mood < RAM
    ]
    if view.revealed == 1 and view.first in twins:
        return voice.say("reason.turn.twin", cell=cell_name(int(view.first)))
    return voice.say("reason.turn.pair", cell=cell_name(twins[0])) if twins and view.revealed == 0 else ""
