"""Games that the search plays against itself, as examples to learn from.

An example is a decision: the numbers of the view, what search would do there, and how the game ended. Most decisions are thought about
shortly and tell only how the game ended; one in four is thought about long and tells also what to do. Now and then somebody does
anything at all, because search has to judge what follows from bad moves too; what was before that is not blamed for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from sheepfold.bots.guided import Guided
from sheepfold.bots.net import Net
from sheepfold.bots.thinkers import evaluator_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position, let_chance_happen, tensor_numbers
from sheepfold.core.sequential import sequential
from sheepfold.game.game import Setup


@dataclass(frozen=True)
class Manner:
    """How games are made."""

    long: int = 256
    """Simulations of a decision that tells what to do,"""
    short: int = 48
    """and of any other."""
    share: float = 0.25
    """How many decisions are thought about long."""
    evenly: float = 0.25
    """See `Guided.evenly`."""
    whims: float = 0.01
    """How many decisions are anything at all."""
    trust: float = 0.3
    """How much of what a position is worth is what search found there; the rest is how the game ended."""
    exploration: float = 1.5
    caution: float = 0.2


@dataclass
class Examples:
    """Decisions, one a row."""

    views: NDArray[numpy.uint8]
    values: NDArray[numpy.float32]
    """By row and seat, counted from the viewer's."""
    judged: NDArray[numpy.float32]
    """What the judge says of it, of a guess as search would make it."""
    rows: NDArray[numpy.int32]
    """For every choice of a decision that tells what to do: its row,"""
    actions: NDArray[numpy.int16]
    shares: NDArray[numpy.float32]
    """and how much of its thought search gave it."""
    games: int = 0

    def __len__(self) -> int:
        return len(self.views)


def joined(parts: Sequence[Examples]) -> Examples:
    """All examples in one."""
    begins = numpy.cumsum([0, *(len(part) for part in parts[:-1])])
    return Examples(
        numpy.concatenate([part.views for part in parts]),
        numpy.concatenate([part.values for part in parts]),
        numpy.concatenate([part.judged for part in parts]),
        numpy.concatenate([part.rows + begin for part, begin in zip(parts, begins, strict=True)]).astype(numpy.int32),
        numpy.concatenate([part.actions for part in parts]),
        numpy.concatenate([part.shares for part in parts]),
        sum(part.games for part in parts),
    )


def numbers_of(position: Position, seat: int) -> list[int]:
    """What the net is shown: the numbers of the seat's view, and which seat it is (actions name seats, views count them from one's own)."""
    return tensor_numbers(position, seat) + [int(each == seat) for each in range(position.seats)]


def play(setup: Setup, net: Net | None, manner: Manner, dice: Dice) -> Examples:
    """One game."""
    position = sequential(setup.start())
    evaluator = evaluator_of(position)
    views: list[list[int]] = []
    seen: list[tuple[int, list[float], list[float]]] = []
    blameless = 0
    choices: list[tuple[int, int, float]] = []
    while True:
        let_chance_happen(position, dice)
        if position.to_act == OVER:
            break
        actions = position.legal()
        if len(actions) == 1:
            position.advance(actions[0])
            continue
        seat = int(position.to_act)
        view = position.seen_by(seat)
        long = dice.fraction() < manner.share
        search = Guided(evaluator, net, manner.exploration, manner.caution, manner.evenly if long else 0.0)
        search.run(view, dice, manner.long if long else manner.short)
        if long:
            choices += [(len(views), action, share) for action, share in search.improved()]
        views.append(numbers_of(position, seat))
        seen.append((seat, search.worth(), evaluator.values(view.determinize(dice))))
        if dice.fraction() < manner.whims:
            blameless = len(views)
            position.advance(actions[dice.below(len(actions))])
        else:
            found = search.choices(seat)
            position.advance(found[dice.weighted([visits * visits for _, visits, _ in found])][0])
    result = evaluator.result(position)
    values, judged = [], []
    for row, (seat, worth, guessed) in enumerate(seen):
        trust = 1.0 if row < blameless else manner.trust
        around = [(seat + step) % setup.seats for step in range(setup.seats)]
        values.append([trust * worth[each] + (1 - trust) * result[each] for each in around])
        judged.append([guessed[each] for each in around])
    return Examples(
        numpy.array(views, numpy.uint8),
        numpy.array(values, numpy.float32),
        numpy.array(judged, numpy.float32),
        numpy.array([row for row, _, _ in choices], numpy.int32),
        numpy.array([action for _, action, _ in choices], numpy.int16),
        numpy.array([share for _, _, share in choices], numpy.float32),
        1,
    )
