"""Games that the search plays against itself, or alone against some other bot, as examples to learn from.

An example is a decision: the numbers of the view, what search would do there, and how the game ended. Most decisions are thought about
shortly and tell only how the game ended; one in four is thought about long and tells also what to do. Search has to judge what follows
from bad moves too, and good play never shows it. So now and then somebody does anything at all (what was before that is not blamed for
it), and more often it is only asked, aside, what search would think of the game after that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from sheepfold.bots import bot
from sheepfold.bots.guided import Guided
from sheepfold.bots.net import Net
from sheepfold.bots.thinkers import evaluator_of, taught
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position, blank, let_chance_happen
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
    """How many decisions are anything at all,"""
    asides: float = 0.3
    """and of how many it is asked what would come of that."""
    trust: float = 0.3
    """How much of what a position is worth is what search found there; the rest is how the game ended."""
    exploration: float = 1.5
    caution: float = 0.2
    pruned: bool = False
    """Whether only what the evaluator finds sensible is thought about and done, except on a whim."""
    other: str = ""
    """The bot that has all seats but one. What it does is learned as what to expect there; so in time search knows it."""


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
    """What the net is shown: the clues of the seat's view, and which seat it is (actions name seats, views count them from one's own)."""
    judge = evaluator_of(position)
    numbers = blank(len(judge.clues(position)))
    judge.write_clues(position, seat, numbers)
    return [*map(int, numbers), *[int(each == seat) for each in range(position.seats)]]


Thought = tuple[list[int], int, list[float], list[float]]
"""The numbers of a view, whose it is, what search found it worth to each seat, and what the judge says of a guess."""


def play(setup: Setup, net: Net | None, manner: Manner, dice: Dice) -> Examples:
    """One game."""
    position = sequential(setup.start())
    evaluator = evaluator_of(position)
    other_bot = bot(manner.other) if manner.other else None
    own = dice.below(setup.seats) if other_bot else 0

    def sensible(at: Position) -> list[int]:
        return evaluator.sensible(at.seen_by(at.to_act)) if manner.pruned else at.legal()

    def thought(of: Position, long: bool) -> tuple[Guided, Thought]:
        seat = int(of.to_act)
        view = of.seen_by(seat)
        search = Guided(
            taught(evaluator, net), net, manner.exploration, manner.caution, manner.evenly if long else 0.0, pruned=manner.pruned
        )
        search.run(view, dice, manner.long if long else manner.short)
        return search, (numbers_of(of, seat), seat, search.worth(), evaluator.values(view.determinize(dice)))

    played: list[Thought] = []
    aside: list[Thought] = []
    blameless = 0
    choices: list[tuple[int, int, float]] = []
    while to_choose(position, dice, sensible):
        seat = int(position.to_act)
        if other_bot and seat != own:
            view = position.seen_by(seat)
            action = other_bot.choose(view, dice)
            judges = evaluator.values(view.determinize(dice))
            choices.append((len(played), action, 1.0))
            played.append((numbers_of(position, seat), seat, judges, judges))
            position.advance(action)
            continue
        actions = position.legal()
        if dice.fraction() < manner.asides:
            other = position.copy()
            other.advance(actions[dice.below(len(actions))])
            if to_choose(other, dice, sensible):
                aside.append(thought(other, False)[1])
        long = dice.fraction() < manner.share
        search, found = thought(position, long)
        if long:
            choices += [(len(played), action, share) for action, share in search.improved()]
        played.append(found)
        if dice.fraction() < manner.whims:
            blameless = len(played)
            position.advance(actions[dice.below(len(actions))])
        else:
            tried = search.choices(position.to_act)
            position.advance(tried[dice.weighted([visits * visits for _, visits, _ in tried])][0])
    result = evaluator.result(position)
    values, judged = [], []
    for row, (_, seat, worth, guessed) in enumerate(played + aside):
        trust = manner.trust if blameless <= row < len(played) else 1.0
        around = [(seat + step) % setup.seats for step in range(setup.seats)]
        values.append([trust * worth[each] + (1 - trust) * result[each] for each in around])
        judged.append([guessed[each] for each in around])
    return Examples(
        numpy.array([numbers for numbers, _, _, _ in played + aside], numpy.uint8),
        numpy.array(values, numpy.float32),
        numpy.array(judged, numpy.float32),
        numpy.array([row for row, _, _ in choices], numpy.int32),
        numpy.array([action for _, action, _ in choices], numpy.int16),
        numpy.array([share for _, _, share in choices], numpy.float32),
        1,
    )


def to_choose(position: Position, dice: Dice, sensible: Callable[[Position], list[int]]) -> bool:
    """Go on to where somebody has a choice, if there is one before the end."""
    let_chance_happen(position, dice)
    while position.to_act != OVER and len(actions := sensible(position)) == 1:
        position.advance(actions[0])
        let_chance_happen(position, dice)
    return bool(position.to_act != OVER)
