"""Playouts: how a search plays on from a leaf of its tree, and what it finds that worth, compiled."""

from __future__ import annotations

from mypy_extensions import i64

from sheepfold.bots.greedy import Greedy
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import CHANCE, OVER, Position


class Playouts:
    """Settings of playouts; as they are if nothing is said, any move is played until the game is over."""

    evaluator: Evaluator
    horizon: i64
    """After how many events a playout is cut off, as soon as the position is quiet, and judged; negative: played to the end."""
    policy: bool
    """Whether the evaluator is asked for moves; else any move is played."""
    look: bool
    """Whether moves are what a greedy look one turn ahead finds best, which is dear: for short horizons."""
    glance: i64
    """Of how many turns drawn at random the one is taken that the evaluator likes best; 0: any is taken."""
    greedy: Greedy

    def __init__(
        self,
        evaluator: Evaluator,
        horizon: i64 = -1,
        policy: bool = False,
        look: bool = False,
        glance: i64 = 0,
        guide: Evaluator | None = None,
    ) -> None:
        """`guide` says what is played, where that is not who says what it is worth in the end."""
        self.evaluator = evaluator
        self.horizon = horizon
        self.policy = policy
        self.look = look
        self.glance = glance
        looker = guide if guide is not None else evaluator
        # Draws are averaged where it is worth it: a look of one's own, or where the evaluator cannot judge before them.
        self.greedy = Greedy(looker, 1, 1) if looker.foresees() else Greedy(looker, 1)

    def values(self, position: Position, dice: Dice) -> list[float]:
        """What the position is worth to each seat that a playout comes to; it may be played on itself."""
        left = self.horizon
        evaluator = self.evaluator
        while position.to_act != OVER:
            if left == 0:
                if evaluator.quiet(position):
                    break
            else:
                left -= 1
            if position.to_act == CHANCE:
                position.advance(position.random_action(dice))
            elif self.look:
                position.advance(self.greedy.values(position, dice)[0][0])
            elif self.glance > 0:
                position = self.best_turn(position, dice)
            elif self.policy:
                position.advance(evaluator.playout_action(position, dice))
            else:
                position.advance(position.random_action(dice))
        return evaluator.values(position)

    def best_turn(self, position: Position, dice: Dice) -> Position:
        """The position after the best of some turns, before chance comes to it: nobody chooses what is drawn."""
        mover = position.to_act
        best = position
        most = -1.0
        tried: i64 = 0
        while tried < self.glance:
            tried += 1
            following = position.copy()
            decisions: i64 = 0
            while following.to_act == mover and decisions < 2:
                following.advance(following.random_action(dice))
                decisions += 1
            judged = following
            if following.to_act == CHANCE and not self.evaluator.foresees():
                judged = following.copy()
                while judged.to_act == CHANCE:
                    judged.advance(judged.random_action(dice))
            value = self.evaluator.values(judged)[mover]
            if value > most:
                best, most = following, value
        return best
