"""Guided search: information-set tree search that a net, or the game's judge, guides. Compiled.

Every simulation guesses one whole position that fits the view, walks down one tree of what has been done, adds a node where it leaves the
tree, and has that position judged at once: nothing is played out. What to try is weighed by what the net would do (PUCT, as in
AlphaZero), as often as an action was possible at all (availability, as in `search`). What chance brings is a branch of the tree where
everybody sees it (a die, a tile that is turned up), for decisions depend on it; what somebody draws unseen is none.
"""

from __future__ import annotations

from math import exp, sqrt

from mypy_extensions import i64

from sheepfold.bots.net import Net
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, Position


class Guided:
    """A tree for one decision. `run` may be called again to think longer."""

    evaluator: Evaluator
    """Says what a finished game is worth; and without a net, what any position is."""
    net: Net | None
    exploration: float
    caution: float
    """By how much less than what its node is worth an untried action is reckoned."""
    evenly: float
    """The share of the root's weights that is spread over all actions, so that none is overlooked; for training."""

    seats: i64
    mover: vec[i64]
    action: vec[i64]
    visits: vec[i64]
    available: vec[i64]
    first: vec[i64]
    """A node's newest child, or 0: the root is nobody's child."""
    sibling: vec[i64]
    weight: vec[float]
    """How much the net would do what leads here."""
    total: vec[float]
    """The values by node and seat."""
    slot: vec[i64]
    """By action: the child at the node that is being looked at, where `stamp` is fresh."""
    stamp: vec[i64]
    now: i64
    path: vec[i64]
    depth: i64

    def __init__(self, evaluator: Evaluator, net: Net | None, exploration: float = 1.0, caution: float = 0.1, evenly: float = 0.0) -> None:
        self.evaluator = evaluator
        self.net = net
        self.exploration = exploration
        self.caution = caution
        self.evenly = evenly
        self.seats = 0
        self.now = 0
        self.depth = 0
        self.mover = vec[i64]()
        self.action = vec[i64]()
        self.visits = vec[i64]()
        self.available = vec[i64]()
        self.first = vec[i64]()
        self.sibling = vec[i64]()
        self.weight = vec[float]()
        self.total = vec[float]()
        self.path = vec[i64]()
        self.slot = vec[i64]()
        self.stamp = vec[i64]()

    def run(self, view: Position, dice: Dice, simulations: i64) -> None:
        """Think for so many simulations about the decision of `view.to_act`, which has a choice."""
        if len(self.visits) == 0:
            self.seats = view.seats
            self.add_node(-1, -1, 1.0)
            count: i64 = 0
            while count < view.action_count:
                self.slot = append(self.slot, 0)
                self.stamp = append(self.stamp, 0)
                count += 1
        done: i64 = 0
        while done < simulations:
            self.simulate(view.determinize(dice), dice)
            done += 1

    def add_node(self, mover: i64, action: i64, weight: float) -> i64:
        node: i64 = len(self.visits)
        self.mover = append(self.mover, mover)
        self.action = append(self.action, action)
        self.visits = append(self.visits, 0)
        self.available = append(self.available, 0)
        self.first = append(self.first, 0)
        self.sibling = append(self.sibling, 0)
        self.weight = append(self.weight, weight)
        seat: i64 = 0
        while seat < self.seats:
            self.total = append(self.total, 0.0)
            seat += 1
        return node

    def add_child(self, parent: i64, mover: i64, action: i64, weight: float) -> i64:
        node = self.add_node(mover, action, weight)
        self.sibling[node] = self.first[parent]
        self.first[parent] = node
        return node

    def step_to(self, node: i64) -> None:
        if self.depth < len(self.path):
            self.path[self.depth] = node
        else:
            self.path = append(self.path, node)
        self.depth += 1

    def simulate(self, position: Position, dice: Dice) -> None:
        self.depth = 0
        node: i64 = 0
        self.step_to(node)
        while True:
            if position.to_act == CHANCE:
                outcome = position.random_action(dice)
                public = position.sees(SPECTATOR, outcome)
                position.advance(outcome)
                if public:
                    node = self.child(node, CHANCE, outcome)
                    self.step_to(node)
                continue
            if position.to_act == OVER:
                self.back_up(self.evaluator.result(position))
                return
            actions = position.packed_legal()
            if len(actions) == 1:
                position.advance(actions[0])
                continue
            if self.visits[node] == 0 and node != 0:
                self.back_up(self.judged(node, position, actions))
                return
            node = self.select(node, position, actions)
            self.step_to(node)
            position.advance(self.action[node])

    def child(self, node: i64, mover: i64, action: i64) -> i64:
        """The child that is reached so, made if it was not there."""
        child = self.first[node]
        while child != 0:
            if self.action[child] == action and self.mover[child] == mover:
                return child
            child = self.sibling[child]
        return self.add_child(node, mover, action, 0.0)

    def judged(self, node: i64, position: Position, actions: vec[i64]) -> list[float]:
        """What a position is worth that was not looked at before; its actions become children."""
        self.weigh(node, position, actions)
        net = self.net
        return self.evaluator.values(position) if net is None else net.values()

    def weigh(self, node: i64, position: Position, actions: vec[i64]) -> None:
        """Give every action that has none a child with its weight."""
        mover = position.to_act
        self.find_children(node, mover)
        now = self.now
        net = self.net
        if net is None:
            for action in actions:
                if self.stamp[action] != now:
                    self.add_child(node, mover, action, 1.0)
            return
        net.look(position, mover)
        highest = -1000.0
        for action in actions:
            urge = net.urge(action)
            if urge > highest:
                highest = urge
        total = 0.0
        for action in actions:
            total += exp(net.urge(action) - highest)
        for action in actions:
            if self.stamp[action] != now:
                self.add_child(node, mover, action, exp(net.urge(action) - highest) / total)

    def find_children(self, node: i64, mover: i64) -> None:
        """Note where the children of a node are, by action."""
        self.now += 1
        now = self.now
        child = self.first[node]
        while child != 0:
            if self.mover[child] == mover:
                action = self.action[child]
                self.slot[action] = child
                self.stamp[action] = now
            child = self.sibling[child]

    def select(self, node: i64, position: Position, actions: vec[i64]) -> i64:
        """The child to go on with."""
        mover = position.to_act
        self.find_children(node, mover)
        now = self.now
        weights = 0.0
        for action in actions:
            if self.stamp[action] != now:
                self.weigh(node, position, actions)
                self.find_children(node, mover)
                now = self.now
                break
        for action in actions:
            weights += self.weight[self.slot[action]]
        evenly = self.evenly / float(len(actions)) if node == 0 else 0.0
        kept = 1.0 - self.evenly if node == 0 else 1.0
        visits = self.visits[node]
        worth = self.total[node * self.seats + mover] / float(visits) - self.caution if visits > 0 else 0.5
        best: i64 = 0
        best_value = -1000.0
        for action in actions:
            child = self.slot[action]
            seen = self.available[child] + 1
            self.available[child] = seen
            tried = self.visits[child]
            value = self.total[child * self.seats + mover] / float(tried) if tried > 0 else worth
            value += self.exploration * (kept * self.weight[child] / weights + evenly) * sqrt(float(seen)) / (1.0 + float(tried))
            if value > best_value:
                best_value = value
                best = child
        return best

    def back_up(self, values: list[float]) -> None:
        step: i64 = 0
        while step < self.depth:
            node = self.path[step]
            self.visits[node] += 1
            base = node * self.seats
            seat: i64 = 0
            while seat < self.seats:
                self.total[base + seat] = self.total[base + seat] + values[seat]
                seat += 1
            step += 1

    def worth(self) -> list[float]:
        """What the root is worth to every seat."""
        return [self.total[seat] / float(max(self.visits[0], 1)) for seat in range(self.seats)]

    def choices(self, mover: i64) -> list[tuple[int, int, float]]:
        """The root's actions by `mover`, with visits and mean value for the mover, most visited first."""
        found: list[tuple[int, int, float]] = []
        child = self.first[0]
        while child != 0:
            if self.mover[child] == mover:
                visits = self.visits[child]
                if visits > 0:
                    found.append((self.action[child], visits, self.total[child * self.seats + mover] / float(visits)))
            child = self.sibling[child]
        found.sort(key=lambda choice: (-choice[1], -choice[2], choice[0]))
        return found
