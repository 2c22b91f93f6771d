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
    return _face(after, voice)


def _face(view: GuerreDesMoutons, voice: Voice) -> str:
    """Why one might take up a face: for the best that it can do anywhere."""
    places, mine = view.legal(), own(view)
    best = max((gain(view, place) or 0) for place in places)
    if best > 0:
        return voice.say("reason.face", points=best)
    laid = [_laid(view, place) for place in places]
    news = [each for after in laid for each in _news(view, after)]
    if news:
        return _told(max(news), voice)
    grown = max(_largest(after, mine) for after in laid)
    if grown > _largest(view, mine):
        return voice.say("reason.face.grows", grown)
    drawn = max(_drawn(view, after) for after in laid)
    if drawn > 1:
        return voice.say("reason.face.draws", drawn)
    return voice.say("reason.places", len(places)) if len(places) > 1 else ""


def _news(view: GuerreDesMoutons, after: GuerreDesMoutons) -> list[tuple[int, int, str]]:
    """What is good for oneself of what happens to pens: sheep, colour, and what is said of it."""
    found = [(sheep, colour, *NEWS[what]) for what, colour, sheep in pen_changes(view, after) if what in NEWS]
    return [(sheep, colour, key) for sheep, colour, good, key in found if good == (colour in own(view))]


def _told(news: tuple[int, int, str], voice: Voice) -> str:
    sheep, colour, key = news
    return voice.say(key, sheep, colour=voice.say(f"pen.{COLOURS[colour]}"))


def _drawn(view: GuerreDesMoutons, after: GuerreDesMoutons) -> int:
    return int(after.owed[view.actor]) - int(view.owed[view.actor])


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
    if news := _news(view, after):
        return _told(max(news), voice)
    before, then = _largest(view, mine), _largest(after, mine)
    if then > before:
        return voice.say("reason.grows", then)
    drawn = _drawn(view, after)
    return voice.say("reason.draws", drawn) if drawn > 0 else ""
