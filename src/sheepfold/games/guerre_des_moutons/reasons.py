"""Why somebody might do it, for a hint: pens of one's own colours that close or grow, others' that a wolf comes to, tiles to draw.

From one's own view: it names one's own colours, which nobody else is shown.
"""

from __future__ import annotations

from sheepfold.games.guerre_des_moutons.actions import RETIRE
from sheepfold.games.guerre_des_moutons.narration import gain, pen_changes
from sheepfold.games.guerre_des_moutons.notation import COLOURS, is_where
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import SHEPHERDS
from sheepfold.messages import Voice

NEWS = {
    "rescued": (True, "reason.rescued"),
    "threatened": (False, "reason.threatened"),
    "closed-threatened": (False, "reason.threatened"),
}
"""Of what happens to a pen: whether it is good for its owner, and what is said of it."""


def reason(view: GuerreDesMoutons, action: int, voice: Voice) -> str:
    """One sentence; empty where there is nothing to say."""
    if is_where(view):
        return _place(view, action, voice)
    after = view.copy()
    if action == RETIRE:
        after.advance(action)
        return voice.say("reason.retire", points=int(after.bonus(view.actor)))
    if action >= SHEPHERDS:
        return ""
    after.advance(action)
    if not is_where(after):
        return ""
    places = after.legal()
    best = max((gain(after, place) or 0) for place in places)
    if best > 0:
        return voice.say("reason.face", points=best)
    grown = max(_largest(_laid(after, place), own(view)) for place in places)
    return voice.say("reason.face.grows", grown) if grown > _largest(view, own(view)) else voice.say("reason.places", len(places))


def own(view: GuerreDesMoutons) -> list[int]:
    """One's colours."""
    return [colour for colour in range(len(COLOURS)) if view.colours[view.actor] >> colour & 1]


def _laid(view: GuerreDesMoutons, place: int) -> GuerreDesMoutons:
    after = view.copy()
    after.advance(place)
    return after


def _largest(view: GuerreDesMoutons, colours: list[int]) -> int:
    """The sheep of the largest pen of these colours, open or closed."""
    return max((int(pen.sheep) for pen in view.map.pens() if pen.colour in colours), default=0)


def _place(view: GuerreDesMoutons, action: int, voice: Voice) -> str:
    mine, after = own(view), _laid(view, action)
    points = gain(view, action) or 0
    if points > 0:
        return voice.say("reason.closes", points=points)
    for what, colour, sheep in pen_changes(view, after):
        good, key = NEWS.get(what, (True, ""))
        if key and good == (colour in mine):
            return voice.say(key, sheep, colour=voice.say(f"pen.{COLOURS[colour]}"))
    before, then = _largest(view, mine), _largest(after, mine)
    if then > before:
        return voice.say("reason.grows", then)
    drawn = int(after.owed[view.actor]) - int(view.owed[view.actor])
    return voice.say("reason.draws", drawn) if drawn > 0 else ""
