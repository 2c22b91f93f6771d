"""Games in which everybody takes one look ahead, as examples of who wins.

A look costs a hundredth of a search, so there can be tens of thousands of games. What a position is worth is learned from how the game went
on, near positions more than the far end (TD(lambda): Sutton 1988; for games of chance Tesauro 1995). Now and then somebody does anything
at all, so that what follows from bad moves is seen, too; what was before that is not blamed for it. A net that learned so judges, and
does not say what to try.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from sheepfold.bots.greedy import Greedy
from sheepfold.bots.net import Net
from sheepfold.bots.thinkers import evaluator_of, taught
from sheepfold.core.dice import Dice
from sheepfold.core.sequential import sequential
from sheepfold.game.game import Setup
from sheepfold.learning.self_play import Examples, numbers_of, to_choose


@dataclass(frozen=True)
class Looks:
    """How games are made."""

    whims: float = 0.1
    """How many decisions are anything at all."""
    reach: float = 0.8
    """How much of what a position is worth comes from beyond the next decision (lambda)."""


def play_by_looks(setup: Setup, net: Net | None, manner: Looks, dice: Dice) -> Examples:
    """One game. The first ones, where nothing was learned yet, teach how they ended."""
    position = sequential(setup.start())
    judge = evaluator_of(position)
    looks = Greedy(taught(judge, net), 1)
    reach = manner.reach if net else 1.0
    numbers: list[list[int]] = []
    seats: list[int] = []
    worth: list[list[float]] = []
    judged: list[list[float]] = []
    whims: list[bool] = []
    while to_choose(position, dice, lambda at: judge.sensible(at.seen_by(at.to_act))):
        seat = int(position.to_act)
        view = position.seen_by(seat)
        guess = view.determinize(dice)
        numbers.append(numbers_of(position, seat))
        seats.append(seat)
        judged.append(judge.values(guess))
        worth.append(looks.evaluator.values(guess))
        whims.append(dice.fraction() < manner.whims)
        if whims[-1]:
            actions = judge.sensible(view)
            position.advance(actions[dice.below(len(actions))])
        else:
            found = looks.values(view, dice)
            best = [action for action, value in found if value == found[0][1]]
            position.advance(best[dice.below(len(best))])
    values = returns(numpy.array(worth), numpy.array(judge.result(position)), whims, reach)
    kept = [at for at, whim in enumerate(whims) if not whim]
    return Examples(
        numpy.array(numbers, numpy.uint8)[kept],
        numpy.array([numpy.roll(values[at], -seats[at]) for at in kept], numpy.float32),
        numpy.array([numpy.roll(judged[at], -seats[at]) for at in kept], numpy.float32),
        numpy.array([], numpy.int32),
        numpy.array([], numpy.int16),
        numpy.array([], numpy.float32),
        1,
    )


def returns(worth: NDArray[numpy.float64], result: NDArray[numpy.float64], whims: list[bool], reach: float) -> list[NDArray[numpy.float64]]:
    """What each position of a game should have been thought to be worth, by what came after it (lambda returns). Before a whim, what was
    thought there counts as what came."""
    later = after = result
    found = []
    for thought, whim in zip(worth[::-1], whims[::-1], strict=True):
        later = thought if whim else (1 - reach) * after + reach * later
        after = thought
        found.append(later)
    return found[::-1]
