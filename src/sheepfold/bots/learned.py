"""Learned: a judge that was taught by games, compiled. It says what the game's own judge would, as a net puts it right."""

from __future__ import annotations

from mypy_extensions import i64

from sheepfold.bots.net import Net
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import OVER, Position


class Learned(Evaluator):
    """The game's own judge, with values that a net has learned."""

    judge: Evaluator
    net: Net

    def __init__(self, judge: Evaluator, net: Net) -> None:
        super().__init__(judge.scale, judge.margin)
        self.judge = judge
        self.net = net

    def result(self, position: Position) -> list[float]:
        return self.judge.result(position)

    def values(self, position: Position) -> list[float]:
        if position.to_act == OVER:
            return self.judge.result(position)
        judged = self.judge.values(position)
        net = self.net
        net.look(position, position.to_act if position.to_act >= 0 else 0, self.judge)
        return net.values(judged)

    def points(self, position: Position) -> list[float]:
        return self.judge.points(position)

    def spread(self, position: Position) -> float:
        return self.judge.spread(position)

    def blurred(self, view: Position, memory: float, dice: Dice) -> Position:
        return self.judge.blurred(view, memory, dice)

    def foresees(self) -> bool:
        return self.judge.foresees()

    def quiet(self, position: Position) -> bool:
        return self.judge.quiet(position)

    def sensible(self, position: Position) -> list[int]:
        return self.judge.sensible(position)

    def branch(self, position: Position, outcome: i64) -> i64:
        return self.judge.branch(position, outcome)

    def playout_action(self, position: Position, dice: Dice) -> i64:
        return self.judge.playout_action(position, dice)
