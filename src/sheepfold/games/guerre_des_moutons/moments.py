"""The moments of La Guerre des Moutons: one tile, a wolf or a hunter changes what pens of several colours count; somebody is
out; and the final count.

Whose colours they are is secret while the game goes on, so points are told of the seats whose colours the reader knows, their own among
them, and the note says what everybody sees.
"""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.moments import Gain, Moment, Step
from sheepfold.games.guerre_des_moutons.land import Pen, land_of
from sheepfold.games.guerre_des_moutons.narration import COUNTED, leaving, pen_changes, pen_news, winner
from sheepfold.games.guerre_des_moutons.notation import COLOURS
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.svg_board import pen_id
from sheepfold.messages import Voice


def moment(before: GuerreDesMoutons, after: GuerreDesMoutons, voice: Voice) -> Moment | None:
    """The final count; else somebody who is out, or pens of more than one colour that count from now on, or no more, unless all know
    that it is to nobody's profit or loss."""
    if after.to_act == OVER:
        return Moment(voice.say("moment.over"), _gains(None, after, voice), _largest(after), winner(after, voice))
    titles = [voice.say("moment.left", who=voice.name(seat), place=int(after.finish[seat])) for seat in leaving(before, after)]
    changes = [(what, colour) for what, colour, _ in pen_changes(before, after) if what in COUNTED]
    gains = _gains(before, after, voice)
    secret = any(int(known).bit_count() < 1 + after.two_colours for known in after.colours)
    if len({colour for _, colour in changes}) > 1 and (secret or any(gain.points for gain in gains)):
        titles.append(voice.say(f"moment.{next(what for what in COUNTED if what in dict(changes))}"))
    if not titles:
        return None
    news = " ".join(pen_news(before, after, voice))
    return Moment(". ".join(titles), gains if any(gain.points for gain in gains) else (), _changed(before, after), news)


def _gains(before: GuerreDesMoutons | None, after: GuerreDesMoutons, voice: Voice) -> tuple[Gain, ...]:
    """What seats have more than before, or in all, of which the reader knows something: a colour, or the place at which they left."""
    found, totals = [], after.scores()
    base = before.scores() if before else [0] * int(after.seats)
    for seat in range(int(after.seats)):
        known = _reasons(before, seat, voice) if before else []
        reasons = _reasons(after, seat, voice)
        if reasons:
            news = [reason for reason in reasons if reason not in known]
            found.append(Gain(seat, totals[seat] - base[seat], totals[seat], tuple(news or reasons)))
    return tuple(found)


def _reasons(view: GuerreDesMoutons, seat: int, voice: Voice) -> list[str]:
    """What a seat's points are made of, as far as the reader knows."""
    largest = view.map.largest()
    reasons = [_reason(colour, int(largest[colour]), voice) for colour in range(4) if view.colours[seat] >> colour & 1]
    if bonus := int(view.bonus(seat)):
        reasons.append(voice.say("picture.left", place=int(view.finish[seat]), bonus=bonus))
    return reasons


def _reason(colour: int, sheep: int, voice: Voice) -> str:
    said = voice.say(f"pen.{COLOURS[colour]}")
    return voice.say("moment.largest", count=sheep, colour=said) if sheep else voice.say("moment.no-pen", colour=said)


def _largest(after: GuerreDesMoutons) -> tuple[Step, ...]:
    """For each colour that somebody has, the pen that counted."""
    owned, best = 0, dict[int, Pen]()
    for seat in range(int(after.seats)):
        owned |= int(after.colours[seat])
    for pen in land_of(after).pens:
        if pen.open_sides == 0 and not pen.threatened and owned >> pen.colour & 1:
            best[pen.colour] = max(best.get(pen.colour, pen), pen, key=lambda each: each.sheep)
    return tuple(Step((pen_id(pen),), pen.sheep) for _, pen in sorted(best.items()))


def _changed(before: GuerreDesMoutons, after: GuerreDesMoutons) -> tuple[Step, ...]:
    """The pens that count now, or no more."""
    closed = {pen.sides: pen.threatened for pen in land_of(before).pens if pen.open_sides == 0}
    steps = []
    for pen in land_of(after).pens:
        counted = closed.get(pen.sides) is False
        counts = pen.open_sides == 0 and not pen.threatened
        if counts != counted:
            steps.append(Step((pen_id(pen),), pen.sheep if counts else -pen.sheep))
    return tuple(steps)
