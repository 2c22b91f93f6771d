"""Glance: a quick bot for games by the thousand. It looks at a few actions only: one as playouts would choose it, the others drawn.

Of these it takes the one after which the game's evaluator likes the position best. It is quicker than the weakest level and plays better,
which is what comparing two ways of making a game needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheepfold.bots.thinkers import evaluator_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, Position


@dataclass(frozen=True)
class GlanceBot:
    """The best of so many actions, at a glance."""

    name: str = "glance"
    looks: int = 4

    def choose(self, view: Position, dice: Dice) -> int:
        evaluator = evaluator_of(view)
        actions = [int(evaluator.playout_action(view, dice))]
        for _ in range(self.looks - 1):
            drawn = int(view.random_action(dice))
            if drawn not in actions:
                actions.append(drawn)
        if len(actions) == 1:
            return actions[0]
        guess, mover = view.determinize(dice), view.to_act
        best, most = actions[0], -1.0
        for action in actions:
            following = guess.copy()
            following.advance(action)
            while following.to_act == CHANCE:
                following.advance(following.random_action(dice))
            value = evaluator.values(following)[mover]
            if value > most:
                best, most = action, value
        return best
