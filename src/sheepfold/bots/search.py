"""Search: information-set Monte Carlo tree search, compiled.

Every iteration guesses one whole position that fits the view, walks down one tree of what has been done (chance
is drawn afresh on the way and is no part of the tree), adds a node, plays on, and adds the value for every seat to all nodes of
its path. Children are told apart by who acts and by the action, because after other
guesses or other dice somebody else may be to act.
"""

from __future__ import annotations

from math import log, sqrt

from mypy_extensions import i64

from sheepfold.bots.greedy import Greedy
from sheepfold.bots.playouts import Playouts
from sheepfold.bots.tree import Tree
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, Position


class Search(Tree):
    """A tree for one decision. Settings are fields; `run` may be called again to think longer."""

    evaluator: Evaluator
    exploration: float
    urgency: float
    """The value that an untried action is reckoned with before exploration; above 1 every action is tried first."""
    playouts: Playouts
    """How a leaf is played on, and judged."""
    pruned: bool
    """Whether only what the evaluator finds sensible is looked at."""
    keep: i64
    """How many actions of a node are followed once it is closed: the best by a greedy look one turn ahead; 0: nothing is closed."""
    ripe: i64
    """After how many visits a node is closed; the root at once."""
    greedy: Greedy

    closed: vec[i64]
    """1 for a node that gets no more children."""
    barred: vec[i64]
    """1 for a child that was tried before its parent was closed and is not among the kept ones."""

    def __init__(
        self,
        evaluator: Evaluator,
        exploration: float = 0.7,
        urgency: float = 2.0,
        playouts: Playouts | None = None,
        pruned: bool = False,
        keep: i64 = 0,
        ripe: i64 = 20,
    ) -> None:
        super().__init__()
        self.evaluator = evaluator
        self.exploration = exploration
        self.urgency = urgency
        self.playouts = playouts if playouts is not None else Playouts(evaluator)
        self.pruned = pruned
        self.keep = keep
        self.ripe = ripe
        self.greedy = Greedy(evaluator, 1)
        self.closed = vec[i64]()
        self.barred = vec[i64]()

    def run(self, view: Position, dice: Dice, simulations: i64) -> None:
        """Think for so many simulations about the decision of `view.to_act`."""
        if len(self.visits) == 0:
            self.plant(view.seats, view.action_count)
        done: i64 = 0
        while done < simulations:
            self.simulate(view.determinize(dice), dice)
            done += 1

    def descend(self, mover: i64, action: i64) -> bool:
        """Go on from what followed an action of the root; whether that was in the tree. What lies elsewhere is not used any more."""
        child = self.child(self.root, mover, action)
        if child != 0:
            self.root = child
        return child != 0

    def thought(self) -> i64:
        """How many simulations have gone through the root."""
        return self.visits[self.root] if len(self.visits) > 0 else 0

    def add_node(self, mover: i64, action: i64) -> i64:
        self.closed = append(self.closed, 0)
        self.barred = append(self.barred, 0)
        return super().add_node(mover, action)

    def simulate(self, position: Position, dice: Dice) -> None:
        self.depth = 0
        self.step_to(self.root)
        node = self.root
        fresh = False
        while not fresh:
            while position.to_act == CHANCE:
                position.advance(position.random_action(dice))
            if position.to_act == OVER:
                break
            actions = self.evaluator.sensible(position) if self.pruned else position.legal()
            if len(actions) == 1:
                position.advance(actions[0])
                continue
            mover = position.to_act
            if self.keep > 0 and self.closed[node] == 0 and (node == self.root or self.visits[node] >= self.ripe):
                self.close(node, position, dice)
            chosen = self.select(node, mover, actions, dice)
            action: i64
            if chosen > 0:
                node = chosen
                action = self.action[node]
            else:
                action = -chosen - 1
                node = self.add_child(node, mover, action)
                self.available[node] = 1
            fresh = self.visits[node] == 0
            self.step_to(node)
            position.advance(action)
        self.back_up(self.playouts.values(position, dice))

    def close(self, node: i64, position: Position, dice: Dice) -> None:
        """From now on only what a greedy look finds best is followed here. What it saw is one guess; so where nothing that was
        kept is possible in another, anything may still be tried."""
        self.closed[node] = 1
        mover = position.to_act
        kept: i64 = 0
        best = self.greedy.values(position, dice)
        child = self.first[node]
        while child != 0:
            if self.mover[child] == mover:
                self.barred[child] = 1
            child = self.sibling[child]
        for action, _ in best:
            if kept == self.keep:
                break
            kept += 1
            child = self.child(node, mover, action)
            if child == 0:
                child = self.add_child(node, mover, action)
                self.available[child] = 1
            else:
                self.barred[child] = 0

    def select(self, node: i64, mover: i64, actions: list[int], dice: Dice) -> i64:
        """The child to go on with, or -1 - action for an action to be tried the first time."""
        now = self.find_children(node, mover)
        child: i64
        best: i64 = 0
        best_value = -1.0
        untried: i64 = -1
        tried_not: i64 = 0
        spare: i64 = 0
        action: i64
        for action in actions:
            if self.stamp[action] == now:
                child = self.slot[action]
                if self.barred[child] != 0:
                    spare = child
                    continue
                seen = self.available[child] + 1
                self.available[child] = seen
                if self.visits[child] == 0:
                    best = child
                    best_value = 1000.0
                    continue
                visits = float(self.visits[child])
                value = self.total[child * self.seats + mover] / visits + self.exploration * sqrt(log(float(seen)) / visits)
                if value > best_value:
                    best_value = value
                    best = child
            elif self.closed[node] == 0 or best == 0:
                tried_not += 1
                if tried_not == 1 or dice.below(tried_not) == 0:
                    untried = action
        if self.closed[node] != 0:
            if best != 0:
                return best
            return -1 - untried if tried_not > 0 else spare
        if tried_not > 0 and (best == 0 or self.urgency > 1.0):
            return -1 - untried
        if tried_not > 0 and self.urgency + self.exploration * sqrt(log(float(self.visits[node] + 1))) > best_value:
            return -1 - untried
        return best
