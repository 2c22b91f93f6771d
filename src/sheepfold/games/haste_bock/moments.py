"""The moments of Haste Bock?: rows that score at a wall and in a pen, and what counts in a new phase. The last pen ends the game."""

from __future__ import annotations

from sheepfold.game.moments import Gain, Moment
from sheepfold.games.flock_moments import row_reason, row_steps
from sheepfold.games.haste_bock.narration import (
    SHAWNS_PHASE,
    ended_early,
    landing,
    new_phase,
    penalty,
    row_scorings,
    row_worth,
    sheep_name,
    winners,
)
from sheepfold.games.haste_bock.rules import ENDED, HasteBock
from sheepfold.messages import Voice


def moment(before: HasteBock, after: HasteBock, voice: Voice) -> Moment | None:
    """Rows that scored; else a phase that begins, where no pen has said so before."""
    landed = landing(before)
    scored = [(what, landed) for what in row_scorings(before, landed)]
    if ended_early(after, landed):
        scored.append(("early-end", int(after.track.length)))
    if scored:
        return _rows(before, after, scored, landed, voice)
    phase = int(after.track.phase[landed])
    if before.timer == 0 or phase == after.track.phase[before.timer] or after.track.pen[before.timer]:
        return None
    return Moment(voice.say(f"phase.{phase}"), note=new_phase(after, phase, voice))


def _rows(before: HasteBock, after: HasteBock, scored: list[tuple[str, int]], landed: int, voice: Voice) -> Moment:
    what, space = scored[-1]
    worths = [(row_worth(after, at), int(after.track.phase[at])) for _, at in scored]
    note, last = "", space == after.track.length
    if after.stage == ENDED:
        note = winners(after, voice)
    elif after.track.pen[landed]:
        note = new_phase(after, int(after.track.phase[landed + 1]), voice)
    return Moment(
        voice.say(f"moment.{'last' if last and what == 'pen' else what}"),
        tuple(_gain(before, after, seat, worths, voice) for seat in range(int(after.seats))),
        row_steps({sheep: points for sheep, points in enumerate(worths[-1][0]) if sheep < 2 * after.seats}),
        note,
    )


def _gain(before: HasteBock, after: HasteBock, seat: int, worths: list[tuple[list[int], int]], voice: Voice) -> Gain:
    gained, total = after.scores()[seat] - before.scores()[seat], after.scores()[seat]
    reasons = []
    for worth, phase in worths:
        key = "shawn" if phase == SHAWNS_PHASE else "roger"
        reasons += [row_reason(key, sheep_name(sheep, voice), worth[sheep], voice) for sheep in (2 * seat, 2 * seat + 1)]
    lost = penalty(after, seat)
    own = gained + lost - sum(worth[2 * seat] + worth[2 * seat + 1] for worth, _ in worths)
    if own:
        reasons.append(voice.say("moment.touch", points=own))
    if lost:
        reasons.append(voice.say("moment.penalty", count=int(after.movements_left(seat)), points=voice.number(-lost, signed=True)))
    return Gain(seat, gained, total, tuple(reasons))
