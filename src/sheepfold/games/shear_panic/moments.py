"""The moments of Shear Panic: rows that score at a gate and in a pen, the shearings, and what counts in a new field."""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.moments import Gain, Moment
from sheepfold.games.flock_moments import row_reason, row_steps
from sheepfold.games.shear_panic.narration import Scored, earned, rows_score, shearing, sheep_name, winner
from sheepfold.games.shear_panic.rules import ShearPanic
from sheepfold.messages import Voice


def moment(before: ShearPanic, after: ShearPanic, voice: Voice) -> Moment | None:
    """Rows that scored; else a field that begins, where no pen has said so before."""
    if what := rows_score(before, after):
        return _rows(what, before, after, voice)
    track, start, field = after.printed.track, int(before.counter), int(after.printed.track.phase[after.counter])
    if start == 0 or field == track.phase[start] or track.pen[start]:
        return None
    return Moment(voice.say(f"field.{field}"), note=_begins(field, voice))


def _begins(field: int, voice: Voice) -> str:
    """A field that begins, and what counts there."""
    return f"{voice.say(f'tell.field.{field}')} {voice.say(f'moment.field.{field}')}"


def _rows(what: str, before: ShearPanic, after: ShearPanic, voice: Voice) -> Moment:
    scored = [earned(before, after, seat) for seat in range(after.seats)]
    worth = {int(after.piece(2 * seat + which)): points for seat, each in enumerate(scored) for which, points in enumerate(each.parts)}
    track, space = after.printed.track, int(after.counter)
    note = shearing(before, after, False, voice)
    if after.to_act == OVER:
        note.append(winner(after, voice))
    elif track.pen[space]:
        note.append(_begins(int(track.phase[space + 1]), voice))
    gains = tuple(_gain(after, seat, each, voice) for seat, each in enumerate(scored))
    return Moment(voice.say(f"moment.{what}"), gains, row_steps(worth), " ".join(note))


def _gain(after: ShearPanic, seat: int, scored: Scored, voice: Voice) -> Gain:
    pieces = [int(after.piece(2 * seat + which)) for which in range(2)]
    standing = [after.places()[2 * seat + which] is not None for which in range(2)]
    reasons = []
    for piece, there, points in sorted(zip(pieces, standing, scored.parts, strict=True)):
        name = sheep_name(piece, voice)
        reasons.append(row_reason(scored.key, name, points, voice) if there else voice.say("moment.shorn", sheep=name))
    if scored.turn:
        reasons.append(voice.say("moment.turn", points=scored.turn))
    if scored.lost:
        points_lost = voice.number(-scored.lost, signed=True)
        reasons.append(voice.say("moment.extras-left", count=int(after.extras_left(seat)), points=points_lost))
    return Gain(seat, scored.gained, after.scores()[seat], tuple(reasons))
