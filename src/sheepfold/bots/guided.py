"""Guided search: information-set tree search that a net, or the game's judge, guides. Compiled.

Every simulation guesses one whole position that fits the view, walks down one tree of what has been done, adds a node where it leaves the
tree, and has that position judged at once. What to try is weighed by what the net would do (PUCT, as in
AlphaZero), as often as an action was possible at all (availability, as in `search`). What is gained by trying is reckoned in how far the
values of this tree differ at all: in some decisions that is a hundredth of a win, in others a half. What chance brings is a branch of the
tree where everybody sees it (a die, a tile that is turned up), for decisions depend on it; what somebody draws unseen is none.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final

from mypy_extensions import i64

from sheepfold.bots.greedy import Greedy
from sheepfold.bots.net import Net
from sheepfold.bots.playouts import Playouts
from sheepfold.bots.tree import Tree
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, Position

LEAST: Final = 1e-6
"""No action weighs nothing: in another guess there may be no other."""
NARROWEST: Final = 0.01
"""No less than so much do values differ."""


class Guided(Tree):
    """A tree for one decision. `run` may be called again to think longer."""

    evaluator: Evaluator
    """Says what positions are worth: the game's judge, or one that has learned (`learned`)."""
    net: Net | None
    """Says what is worth trying."""
    exploration: float
    """The weight of trying, in spreads (`spread`)."""
    caution: float
    """By how many spreads less than what its node is worth an untried action is reckoned."""
    evenly: float
    """The share of the root's weights that is spread over all actions, so that none is overlooked; for training."""

    playouts: Playouts
    """How a leaf is played on,"""
    share: float
    """and how much of what it is worth is what that comes to; the rest is what was judged."""
    pruned: bool
    """Whether only what the evaluator finds sensible is looked at."""
    look: float
    """Without a net: by how many spreads a greedy look finds an action better that weighs e times as much; 0: all weigh alike."""
    greedy: Greedy

    weight: vec[float]
    """How much the net, or a greedy look, would do what leads here."""
    thinker: i64
    """Who thinks; the first seat where nobody is to act."""
    squares: float
    """The sum of the squares of what leaves were worth to who thinks."""
    width: float
    """The spread before the simulation that goes on."""
    urges: vec[float]
    """By action: how much the net would do it, where it was just asked."""

    def __init__(
        self,
        evaluator: Evaluator,
        net: Net | None,
        exploration: float = 1.5,
        caution: float = 0.2,
        evenly: float = 0.0,
        share: float = 0.0,
        pruned: bool = False,
        look: float = 0.0,
        playouts: Playouts | None = None,
    ) -> None:
        super().__init__()
        self.evaluator = evaluator
        self.net = net
        self.exploration = exploration
        self.caution = caution
        self.evenly = evenly
        self.playouts = playouts if playouts is not None else Playouts(evaluator)
        self.share = share
        self.pruned = pruned
        self.look = look
        self.greedy = Greedy(evaluator, 1)
        self.weight = vec[float]()
        self.thinker = 0
        self.squares = 0.0
        self.width = 0.0
        self.urges = vec[float]()

    def run(self, view: Position, dice: Dice, simulations: i64) -> None:
        """Think for so many simulations about the decision of `view.to_act`, or about what comes of a view where nobody is to act."""
        if len(self.visits) == 0:
            self.plant(view.seats, view.action_count)
            self.thinker = view.to_act if view.to_act >= 0 else 0
            for _ in range(view.action_count):
                self.urges = append(self.urges, 0.0)
        done: i64 = 0
        while done < simulations:
            self.simulate(view.determinize(dice), dice)
            done += 1

    def add_node(self, mover: i64, action: i64) -> i64:
        self.weight = append(self.weight, 0.0)
        return super().add_node(mover, action)

    def back_up(self, values: list[float]) -> None:
        super().back_up(values)
        value = values[self.thinker]
        self.squares += value * value

    def spread(self) -> float:
        """How far what leaves are worth to who thinks differs: the standard deviation."""
        count = float(self.visits[0])
        if count < 2.0:
            return 0.1
        mean = self.total[self.thinker] / count
        square = self.squares / count - mean * mean
        return max(NARROWEST, sqrt(square)) if square > 0.0 else NARROWEST

    def simulate(self, position: Position, dice: Dice) -> None:
        self.depth = 0
        self.width = self.spread()
        node: i64 = 0
        self.step_to(node)
        while True:
            if position.to_act == CHANCE:
                outcome = position.random_action(dice)
                public = position.sees(SPECTATOR, outcome)
                branch = self.evaluator.branch(position, outcome)
                position.advance(outcome)
                if public:
                    after = self.child(node, CHANCE, branch)
                    node = after if after != 0 else self.add_child(node, CHANCE, branch)
                    self.step_to(node)
                continue
            if position.to_act == OVER:
                self.back_up(self.evaluator.result(position))
                return
            actions = self.sensible(position) if self.pruned else position.packed_legal()
            if len(actions) == 1:
                position.advance(actions[0])
                continue
            if self.visits[node] == 0 and node != 0:
                self.back_up(self.judged(position, dice))
                return
            node = self.select(node, position, actions, dice)
            self.step_to(node)
            position.advance(self.action[node])

    def sensible(self, position: Position) -> vec[i64]:
        found = vec[i64]()
        action: i64
        for action in self.evaluator.sensible(position):
            found = append(found, action)
        return found

    def judged(self, position: Position, dice: Dice) -> list[float]:
        """What a position is worth that was not looked at before. It may be played on."""
        if self.share >= 1.0:
            return self.playouts.values(position, dice)
        found = self.evaluator.values(position)
        if self.share > 0.0:
            played = self.playouts.values(position, dice)
            seat: i64 = 0
            while seat < self.seats:
                found[seat] = (1.0 - self.share) * found[seat] + self.share * played[seat]
                seat += 1
        return found

    def weigh(self, node: i64, position: Position, actions: vec[i64], dice: Dice) -> None:
        """Give every action that has none a child with its weight. That is for the second visit: most leaves are never visited again."""
        mover = position.to_act
        now = self.find_children(node, mover)
        net = self.net
        if net is None and self.look == 0.0:
            for action in actions:
                if self.stamp[action] != now:
                    child = self.add_child(node, mover, action)
                    self.weight[child] = 1.0
            return
        highest = -1000.0
        urges = self.urges
        if net is not None:
            net.look(position, mover, self.evaluator)
            for action in actions:
                urge = net.urge(action)
                urges[action] = urge
                if urge > highest:
                    highest = urge
        else:
            for action in actions:
                urges[action] = -1000.0
            for found, value in self.greedy.values(position, dice):
                urge = value / (self.look * self.width)
                urges[found] = urge
                if urge > highest:
                    highest = urge
        total = 0.0
        for action in actions:
            raised = exp(urges[action] - highest)
            urges[action] = raised
            total += raised
        for action in actions:
            if self.stamp[action] != now:
                child = self.add_child(node, mover, action)
                self.weight[child] = urges[action] / total + LEAST

    def select(self, node: i64, position: Position, actions: vec[i64], dice: Dice) -> i64:
        """The child to go on with."""
        mover = position.to_act
        now = self.find_children(node, mover)
        weights = 0.0
        for action in actions:
            if self.stamp[action] != now:
                self.weigh(node, position, actions, dice)
                now = self.find_children(node, mover)
                break
        for action in actions:
            weights += self.weight[self.slot[action]]
        evenly = self.evenly / float(len(actions)) if node == 0 else 0.0
        kept = 1.0 - self.evenly if node == 0 else 1.0
        visits = self.visits[node]
        trying = self.exploration * self.width
        worth = self.total[node * self.seats + mover] / float(visits) - self.caution * self.width if visits > 0 else 0.5
        best: i64 = 0
        best_value = -1000.0
        for action in actions:
            child = self.slot[action]
            seen = self.available[child] + 1
            self.available[child] = seen
            tried = self.visits[child]
            value = self.total[child * self.seats + mover] / float(tried) if tried > 0 else worth
            value += trying * (kept * self.weight[child] / weights + evenly) * sqrt(float(seen)) / (1.0 + float(tried))
            if value > best_value:
                best_value = value
                best = child
        return best

    def looked(self) -> i64:
        """At how many positions all greedy looks together have looked, which is most of the work where there are any."""
        return self.greedy.looked + self.playouts.greedy.looked

    def worth(self) -> list[float]:
        """What the root is worth to every seat."""
        return [self.total[seat] / float(max(self.visits[0], 1)) for seat in range(self.seats)]

    def improved(self) -> list[tuple[int, float]]:
        """What the net should do at the root after this: every action's share. What it would do, the more or the less by what each was
        found worth, as far as so many simulations are to be trusted: by what PUCT comes to in the long run (Grill and others 2020), not
        by visits, which lag behind."""
        mover = self.thinker
        total = float(self.visits[0])
        worth = self.total[mover] / max(total, 1.0)
        trust = sqrt(total) / (self.exploration * self.spread())
        found: list[tuple[int, float]] = []
        highest = -1000.0
        child = self.first[0]
        while child != 0:
            if self.mover[child] == mover:
                tried = self.visits[child]
                value = self.total[child * self.seats + mover] / float(tried) if tried > 0 else worth
                urge = log(self.weight[child]) + trust * (value - worth)
                found.append((self.action[child], urge))
                highest = max(highest, urge)
            child = self.sibling[child]
        raised = [(action, exp(urge - highest)) for action, urge in found]
        whole = 0.0
        for _, share in raised:
            whole += share
        return [(action, share / whole) for action, share in raised]
