"""Skill: how strong somebody is taken to be, and how sure that is; by Plackett-Luce, from the ranks of whole games (openskill)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple


class Skill(NamedTuple):
    """A strength, and the standard deviation of what is known of it."""

    mu: float
    sigma: float


START = Skill(25.0, 25.0 / 3)
"""Of whom nothing is known."""


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()


def rate(known: dict[str, Skill], line_up: Sequence[str], ranks: Sequence[int]) -> None:
    """What is known of those who have played a game, after it; who was on several seats learns from each of them."""
    if len(set(line_up)) < 2:
        return
    model = _model()
    teams = [[model.rating(*known.get(name, START))] for name in line_up]
    rated = [Skill(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(rank) for rank in ranks])]
    for name in dict.fromkeys(line_up):
        mine = [skill for skill, who in zip(rated, line_up, strict=True) if who == name]
        known[name] = Skill(sum(each.mu for each in mine) / len(mine), sum(each.sigma for each in mine) / len(mine))
