"""Tree: what searches keep of what they have tried, compiled. Nodes are numbers, and what is known of them lies in packed vectors.

A node is what somebody did at its parent, or chance. How often it was available is counted beside how often it was chosen, because which
actions there are differs from guess to guess (Cowling, Powley and Whitehouse 2012).
"""

from __future__ import annotations

from mypy_extensions import i64

from sheepfold.core.packed import append, vec


class Tree:
    """The nodes, and the path of the simulation that goes on."""

    seats: i64
    root: i64
    mover: vec[i64]
    action: vec[i64]
    visits: vec[i64]
    available: vec[i64]
    first: vec[i64]
    """A node's newest child, or 0: the root is nobody's child."""
    sibling: vec[i64]
    total: vec[float]
    """The values by node and seat."""
    slot: vec[i64]
    """By action: the child at the node that is being looked at, where `stamp` is fresh."""
    stamp: vec[i64]
    now: i64
    path: vec[i64]
    depth: i64

    def __init__(self) -> None:
        self.seats = 0
        self.root = 0
        self.mover = vec[i64]()
        self.action = vec[i64]()
        self.visits = vec[i64]()
        self.available = vec[i64]()
        self.first = vec[i64]()
        self.sibling = vec[i64]()
        self.total = vec[float]()
        self.slot = vec[i64]()
        self.stamp = vec[i64]()
        self.now = 0
        self.path = vec[i64]()
        self.depth = 0

    def plant(self, seats: i64, actions: i64) -> None:
        """Make the root, for a game with so many seats and actions."""
        self.seats = seats
        self.add_node(-1, -1)
        count: i64 = 0
        while count < actions:
            self.slot = append(self.slot, 0)
            self.stamp = append(self.stamp, 0)
            count += 1

    def add_node(self, mover: i64, action: i64) -> i64:
        node: i64 = len(self.visits)
        self.mover = append(self.mover, mover)
        self.action = append(self.action, action)
        self.visits = append(self.visits, 0)
        self.available = append(self.available, 0)
        self.first = append(self.first, 0)
        self.sibling = append(self.sibling, 0)
        seat: i64 = 0
        while seat < self.seats:
            self.total = append(self.total, 0.0)
            seat += 1
        return node

    def add_child(self, parent: i64, mover: i64, action: i64) -> i64:
        node = self.add_node(mover, action)
        self.sibling[node] = self.first[parent]
        self.first[parent] = node
        return node

    def child(self, node: i64, mover: i64, action: i64) -> i64:
        """The child that is reached so, or 0."""
        child = self.first[node]
        while child != 0 and (self.mover[child] != mover or self.action[child] != action):
            child = self.sibling[child]
        return child

    def find_children(self, node: i64, mover: i64) -> i64:
        """Note where the children of a node by that mover are, in `slot`; the stamp that marks them."""
        self.now += 1
        now = self.now
        child = self.first[node]
        while child != 0:
            if self.mover[child] == mover:
                self.slot[self.action[child]] = child
                self.stamp[self.action[child]] = now
            child = self.sibling[child]
        return now

    def step_to(self, node: i64) -> None:
        if self.depth < len(self.path):
            self.path[self.depth] = node
        else:
            self.path = append(self.path, node)
        self.depth += 1

    def back_up(self, values: list[float]) -> None:
        """Add what was found at the end of the path to all its nodes."""
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

    def choices(self, mover: i64) -> list[tuple[int, int, float]]:
        """The root's actions by `mover`, with visits and mean value for the mover, most visited first."""
        found: list[tuple[int, int, float]] = []
        child = self.first[self.root]
        while child != 0:
            if self.mover[child] == mover:
                visits = self.visits[child]
                if visits > 0:
                    found.append((self.action[child], visits, self.total[child * self.seats + mover] / float(visits)))
            child = self.sibling[child]
        found.sort(key=lambda choice: (-choice[1], -choice[2], choice[0]))
        return found
