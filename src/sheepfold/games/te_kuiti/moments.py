"""The moments of Te Kuiti: a round is over, what each role brought, and the roles are swapped; or the game is over.

What is said of tiles is how many there are: no face-down one is named.
"""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.moments import Gain, Moment, Step
from sheepfold.games.te_kuiti.narration import result, round_over, round_points, swap, why_round_ended, why_solo_ended
from sheepfold.games.te_kuiti.rules import CELLS, TeKuiti
from sheepfold.games.te_kuiti.svg_board import tile_id
from sheepfold.messages import Voice


def moment(before: TeKuiti, action: int, after: TeKuiti, voice: Voice) -> Moment | None:
    """The points of the round, or of the solo game."""
    if after.seats == 1:
        return _solo(action, after, voice) if after.to_act == OVER else None
    if not round_over(before, after):
        return None
    over, total = after.to_act == OVER, after.scores()
    gains = [
        Gain(seat, points, total[seat], (voice.say(f"moment.{role}", count=points),)) for role, seat, points in round_points(before, after)
    ]
    return Moment(
        voice.say("moment.over" if over else "moment.swap", number=int(before.round) + 1),
        tuple(sorted(gains, key=lambda gain: gain.seat)),
        _enclosed(after) if over else (),
        " ".join([why_round_ended(before, voice), *(result(after, voice) if over else [swap(after, voice)])]),
    )


def _solo(action: int, after: TeKuiti, voice: Voice) -> Moment:
    freed = int(after.scores()[0])
    gain = Gain(0, freed, freed, (voice.say("moment.freed", count=freed),))
    return Moment(voice.say("moment.over"), (gain,), note=" ".join([*why_solo_ended(action, after, voice), *result(after, voice)]))


def _enclosed(after: TeKuiti) -> tuple[Step, ...]:
    """The tiles behind fences, a point each."""
    cells = [cell for cell in range(CELLS) if after.has_tile(cell) and after.enclosed(cell)]
    return (Step(tuple(tile_id(cell) for cell in cells), 1),) if cells else ()
