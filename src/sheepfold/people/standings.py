"""Standings: what a table is worth to who sat there, and who is how far in a tournament. Pure functions of how the tables ended.

A table gives as many points as opponents were left behind, on a scale from 0 to WIN: so two at a table get 12 and 0, four get 12, 8, 4 and
0, and who shares a place shares its points. Between equals those are first who had the stronger opponents, then those who made the larger
share of the scores at their tables, then those who did better where they met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

WIN = 12.0
"""Points of who is alone in first place, and of a bye."""


@dataclass(frozen=True)
class Played:
    """How somebody fared in a round."""

    round: int
    entrant: int
    board: int | None
    """The number of their table in that round; None for a bye."""
    seat: int = 0
    rank: int | None = None
    """None while they play."""
    score: int = 0


@dataclass(frozen=True)
class Standing:
    """How far somebody is."""

    entrant: int
    place: int
    """From 1; shared where nothing tells them apart."""
    points: float
    opponents: float
    """The sum, over all rounds, of what the opponents at the table have on average; for a bye, what one has oneself."""
    share: float
    """The sum, over all tables, of one's part of all scores there, where 1 is what everybody would have if all were equal."""
    direct: float
    """Among those who are equal so far: the opponents that were left behind where they met."""
    rounds: int
    """How many of one's tables are over, byes among them."""


def table_points(ranks: Sequence[int]) -> list[float]:
    """What each seat gets for its rank; the points of a shared place are shared."""
    others = len(ranks) - 1
    behind = [sum(_over(rank, other) for other in ranks) - 0.5 for rank in ranks]  # not counting oneself
    return [WIN * each / others if others else WIN for each in behind]


def shares(scores: Sequence[int]) -> list[float]:
    """Each seat's part of all scores at a table, 1 being an equal one; where there are scores below 0, of what is above the lowest."""
    above = [score - min(0, *scores) for score in scores]
    return [len(scores) * each / sum(above) if any(above) else 1.0 for each in above]


def _over(rank: int, other: int) -> float:
    return 1.0 if rank < other else 0.5 if rank == other else 0.0


def standings(entrants: Iterable[int], played: Sequence[Played]) -> list[Standing]:
    """Everybody, the best first; those whom nothing tells apart in the order in which they are given."""
    order = {entrant: at for at, entrant in enumerate(entrants)}
    points, share, rounds = (dict.fromkeys(order, 0.0) for _ in range(3))
    tables = list(_ended(played))
    for table in tables:
        for each, gained, part in zip(table, *_worth(table), strict=True):
            points[each.entrant] += gained
            share[each.entrant] += part
            rounds[each.entrant] += 1
    strength = dict.fromkeys(order, 0.0)
    for table in tables:
        total = sum(points[each.entrant] for each in table)
        for each in table:
            mine = points[each.entrant]
            strength[each.entrant] += (total - mine) / (len(table) - 1) if len(table) > 1 else mine
    equal = {who: (round(points[who], 6), round(strength[who], 6), round(share[who], 6)) for who in order}
    direct = _direct(tables, equal)
    found: list[Standing] = []
    for place, who in enumerate(sorted(order, key=lambda who: (*(-part for part in equal[who]), -direct[who], order[who])), 1):
        shared = bool(found) and (equal[who], direct[who]) == (equal[found[-1].entrant], direct[found[-1].entrant])
        found.append(Standing(who, found[-1].place if shared else place, *equal[who], direct[who], int(rounds[who])))
    return found


def _ended(played: Iterable[Played]) -> Iterable[list[Played]]:
    """The tables that are over, each with all who sat there; a bye is a table of one."""
    over = [each for each in played if each.rank is not None or each.board is None]
    for (_, board), table in groupby(sorted(over, key=_where), _where):
        if board < 0:
            yield from ([each] for each in table)
        else:
            yield list(table)


def _where(played: Played) -> tuple[int, int]:
    return played.round, -1 if played.board is None else played.board


def _worth(table: Sequence[Played]) -> tuple[list[float], list[float]]:
    if table[0].board is None:
        return [WIN], [1.0]
    return table_points([each.rank or 0 for each in table]), shares([each.score for each in table])


def _direct(tables: Iterable[Sequence[Played]], equal: Mapping[int, object]) -> dict[int, float]:
    """By player the opponents whom they left behind, of those who are equal to them so far."""
    found = dict.fromkeys(equal, 0.0)
    for table in tables:
        for one in table:
            for other in table:
                if one is not other and equal[one.entrant] == equal[other.entrant]:
                    found[one.entrant] += _over(one.rank or 0, other.rank or 0)
    return found
