"""Worlds that a viewer cannot tell apart: the line replayed with the events that the viewer did not see drawn anew."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.game.conformance.contract import demand
from sheepfold.game.conformance.lines import Line, Pair, effort, spaced
from sheepfold.game.records import Event

ONE, SWAP, ALL = range(3)


class Likelihood(NamedTuple):
    """Logarithms: how likely an event is, and how likely it is drawn among those that the viewer does not see."""

    happening: float
    drawing: float


SAID = Likelihood(0.0, 0.0)
"""Of a choice that was seen: it says nothing about what is hidden, beyond that it was possible."""


class Worlds:
    """A walk through the worlds that one viewer cannot tell from a position of a line.

    A step draws one unseen event anew, or all from one on, or swaps two, and replays what follows; it is taken if everything that was
    seen can still happen and nothing unseen becomes seen. With `fair` it is also weighed (Metropolis and Hastings), so that the
    worlds come as often as chance makes them.
    """

    def __init__(self, line: Line, ply: int, viewer: int, dice: Dice) -> None:
        first = line.turned_up[ply]
        self.events = line.events[first:ply]
        self.seen = line.seen[viewer][first:ply]
        self.viewer = viewer
        self.dice = dice
        self.actions = [event.action for event in self.events]
        self.positions = line.positions[first : ply + 1]
        self.unseen = [index for index, seen in enumerate(self.seen) if not seen]
        self.likelihoods = [SAID] * len(self.events)
        self.to_act = int(self.positions[-1].to_act)
        self.renewals = 0.0
        """How many times over the world has been drawn anew, roughly: what the walk is worth in independent draws."""
        if self.unseen:
            for index in range(self.unseen[0], len(self.events)):
                likelihood = self._likelihood(index, self.positions[index], self.actions[index])
                demand(likelihood, lambda: f"{line.where(first + index)}: replayed, {self.events[index]} cannot happen")  # noqa: B023
                self.likelihoods[index] = likelihood or SAID

    @property
    def world(self) -> Position:
        return self.positions[-1]

    def step(self, fair: bool = False) -> bool:
        """Whether the walk went on to another world."""
        if not self.unseen:
            return False
        actions = list(self.actions)
        at = self.unseen[self.dice.below(len(self.unseen))]
        way = self.dice.below(3)
        if way == SWAP:
            other = self.unseen[self.dice.below(len(self.unseen))]
            actions[at], actions[other] = actions[other], actions[at]
            at = min(at, other)
            if actions == self.actions:
                return False
        tail, likelihoods, gain = [], [], 0.0
        position = self.positions[at].copy()
        for index in range(at, len(self.events)):
            event = self.events[index]
            if not event.interrupt and int(position.to_act) != event.who:
                return False
            anew = not self.seen[index] and (way == ALL or (way == ONE and index == at))
            if anew:
                possible, weights, _ = self._unseen_here(position, event)
                if not possible:
                    return False
                actions[index] = possible[self.dice.weighted(weights)]
            likelihood = self._likelihood(index, position, actions[index])
            if likelihood is None:
                return False
            gain += likelihood.happening - self.likelihoods[index].happening
            if anew:
                gain += self.likelihoods[index].drawing - likelihood.drawing
            likelihoods.append(likelihood)
            if event.interrupt:
                position.cut_in(event.who, actions[index])
            else:
                position.advance(actions[index])
            tail.append(position.copy())
        if int(position.to_act) != self.to_act or actions == self.actions:
            return False
        if fair and gain < 0 and self.dice.fraction() >= math.exp(gain):
            return False
        self.actions = actions
        self.positions = self.positions[: at + 1] + tail
        self.likelihoods = self.likelihoods[:at] + likelihoods
        self.renewals += 1.0 if way == ALL and at == self.unseen[0] else 1.0 / len(self.unseen)
        return True

    def _likelihood(self, index: int, position: Position, action: int) -> Likelihood | None:
        """How likely an action is at that event; None where it cannot be, or would be seen where it was not."""
        event = self.events[index]
        if position.reveals(action):
            return None
        if not self.seen[index]:
            actions, weights, total = self._unseen_here(position, event)
            if action not in actions:
                return None
            weight = weights[actions.index(action)]
            return Likelihood(math.log(weight / total), math.log(weight / sum(weights)))
        if event.who != CHANCE:
            possible = action in position.interruptions(event.who) if event.interrupt else position.allows(action)
            return SAID if possible and position.sees(self.viewer, action) else None
        actions, weights = position.legal(), position.weights()
        if action not in actions or not position.sees(self.viewer, action):
            return None
        return Likelihood(math.log(weights[actions.index(action)] / sum(weights)), 0.0)

    def _unseen_here(self, position: Position, event: Event) -> tuple[list[int], list[int], int]:
        """What could happen unseen, with weights (choices weigh the same), and the weight of all that could happen, seen or not."""
        actions = position.interruptions(event.who) if event.interrupt else position.legal()
        weights = position.weights() if event.who == CHANCE else [1] * len(actions)
        hidden = [not position.sees(self.viewer, action) for action in actions]
        if all(hidden):
            return actions, weights, sum(weights)
        unseen = [index for index, unseen in enumerate(hidden) if unseen]
        total = sum(weights) if event.who == CHANCE else len(unseen)
        return [actions[index] for index in unseen], [weights[index] for index in unseen], total


def pairs(line: Line) -> list[Pair]:
    """Positions of the line with worlds that a viewer cannot tell from them."""
    if line.pairs is None:
        line.pairs = list(_pairs(line))
    return line.pairs


def _pairs(line: Line) -> Iterator[Pair]:
    for viewer in line.viewers:
        if all(line.seen[viewer]):
            continue
        hiding = [ply for ply in range(len(line.positions)) if not all(line.seen[viewer][line.turned_up[ply] : ply])]
        for ply in spaced(hiding, effort(16) + 2):
            truth = line.positions[ply]
            if int(truth.to_act) == OVER:
                continue
            worlds = Worlds(line, ply, viewer, line.dice("worlds", viewer, ply))
            found = 0
            for _ in range(16):
                if worlds.step() and worlds.world.key() != truth.key():
                    yield Pair(ply, viewer, truth, worlds.world.copy())
                    found += 1
                if found == 2:
                    break
