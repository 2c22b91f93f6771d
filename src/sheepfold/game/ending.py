"""Ending: how a finished game came about. Which points came when, and where it turned, read from the log alone.

Where it turned is told by the game's own evaluator, which is quick: no search, one look at every position. It is the event after which
the winner was ahead to the end, and only where somebody else had clearly been ahead before; else the game has no turning point.
"""

from __future__ import annotations

from typing import NamedTuple

from sheepfold.core.position import Position
from sheepfold.game.records import happen
from sheepfold.game.session import Session

CLEAR = 0.1
"""By so large a share of the win somebody else had to be ahead."""
QUARTERS = 4
"""A game without phases of its own is told in so many parts of equal length."""


class Part(NamedTuple):
    """A phase of the game, or a quarter of it, and the points that each seat won in it, or lost. All parts together are the result."""

    number: int
    gains: list[int]


class Ending(NamedTuple):
    """How a game came about."""

    parts: list[Part]
    has_phases: bool
    """Whether the parts are the game's own phases."""
    turned: int | None
    """The ply of the event after which the winner was ahead to the end; None where there is no clear one."""


def ending(session: Session) -> Ending:
    """How the game of a session, which is over, came about."""
    assert session.over, "only what is over has an end"
    game, position = session.game, session.setup.start()
    winner = _winner(session.position)
    leads = [_lead(session, position, winner)]
    gains: dict[int, list[int]] = {}
    before, phases = [0] * int(position.seats), False
    for ply, event in enumerate(session.events):
        phase = game.phase(position)
        phases = phases or phase > 0
        happen(position, event)
        after = _scores(position)
        won = gains.setdefault(phase or QUARTERS * ply // session.ply + 1, [0] * len(after))
        for seat, points in enumerate(after):
            won[seat] += points - before[seat]
        before = after
        leads.append(_lead(session, position, winner))
    return Ending([Part(number, gains[number]) for number in sorted(gains)], phases, _turned(leads))


def _scores(position: Position) -> list[int]:
    return [int(points) for points in position.scores()]


def _winner(end: Position) -> int | None:
    """The one seat that has won; None where nobody else was there, or the win is shared."""
    ranks = [int(rank) for rank in end.ranks()]
    return ranks.index(1) if len(ranks) > 1 and ranks.count(1) == 1 else None


def _lead(session: Session, position: Position, winner: int | None) -> float:
    """How far the later winner is ahead of the best of the others, as a share of the win."""
    if winner is None:
        return 0.0
    values = session.game.evaluator.values(position)
    return float(values[winner] - max(value for seat, value in enumerate(values) if seat != winner))


def _turned(leads: list[float]) -> int | None:
    """The last ply before which the winner was behind, where that had been clear at any time."""
    return max(ply for ply, lead in enumerate(leads) if lead < 0) if min(leads) <= -CLEAR else None
