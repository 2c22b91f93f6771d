"""The bots that think: greedy, search, and the levels that people choose from.

A level is a setting of these, by simulations and not by time, so that a seed repeats a game. What each setting is worth is
measured in docs/bots.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from time import monotonic

from sheepfold.bots.greedy import Greedy
from sheepfold.bots.search import Search
from sheepfold.core.dice import Dice
from sheepfold.core.judge import Judge
from sheepfold.core.position import Position
from sheepfold.core.sequential import unwrapped


@cache
def _judge(module: str) -> Judge:
    room = module.rpartition(".")[0]
    try:
        judge = import_module(f"{room}.evaluation").JUDGE
    except ModuleNotFoundError:
        return Judge()
    assert isinstance(judge, Judge)
    return judge


def judge_of(view: Position) -> Judge:
    """The judge that stands beside the rules of a view's game."""
    return _judge(type(unwrapped(view)).__module__)


@dataclass(frozen=True)
class GreedyBot:
    """The best that one turn can bring; `blunders` is how often, in per cent, anything is played instead."""

    name: str = "greedy"
    guesses: int = 8
    blunders: int = 0

    def choose(self, view: Position, dice: Dice) -> int:
        if self.blunders and dice.below(100) < self.blunders:
            return int(view.random_action(dice))
        values = self.think(view, dice)
        best = [action for action, value in values if value == values[0][1]]
        return best[dice.below(len(best))]

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        guesses = self.guesses if view.guess(dice) != view.guess(dice) else 1
        return Greedy(judge_of(view), guesses).values(view, dice)


@dataclass(frozen=True)
class SearchBot:
    """Information-set tree search."""

    name: str
    simulations: int
    exploration: float = 0.7
    urgency: float = 2.0
    horizon: int = -1
    seconds: float | None = None
    """A time limit on top of the simulations; with one, a seed no longer repeats a game."""

    def choose(self, view: Position, dice: Dice) -> int:
        return self.think(view, dice)[0][0]

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        """The most visited first: visits are steadier than means."""
        actions = view.legal()
        if len(actions) == 1:
            return [(actions[0], 0.5)]
        search = Search(judge_of(view), self.exploration, self.urgency, self.horizon)
        if self.seconds is None:
            search.run(view, dice, self.simulations)
        else:
            deadline, done = monotonic() + self.seconds, 0
            while done < self.simulations and (done == 0 or monotonic() < deadline):
                search.run(view, dice, min(50, self.simulations - done))
                done += 50
        tried = search.choices(view.to_act)
        return [(action, value) for action, _, value in tried]
