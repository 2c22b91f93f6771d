"""Many games stepped at once, compiled: what the environments for learners rest on.

One flat buffer holds what all games show, one which actions are legal, and they are written in place: no Python object is
made for a number. NumPy looks at the same memory (`vec` has the buffer protocol). Chance, and the seats that the learner does not
play, are played here as well. A learner gets `seen_by` of its seat and nothing else.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.bots import Bot
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, IllegalAction, Position
from sheepfold.games.te_kuiti.rules import TeKuiti

EVERY_SEAT: Final = -10
"""As the learner's seat: it is asked for all seats. No number that `to_act` can have."""
ANY_SEAT: Final = -11
"""As the learner's seat: drawn anew for every game."""


def worth(position: Position, seat: i64) -> float:
    """What a finished game is worth to a seat: 1 for winning alone, while the others share the loss of it; all seats together 0.

    Winners who share a victory share that 1 and the loss. A game for one is worth 1 when it is won and -1 when it is lost.
    """
    seats = position.seats
    if seats == 1:
        return 1.0 if isinstance(position, TeKuiti) and position.won() else -1.0
    winners: i64 = 0
    ranks = position.ranks()
    for rank in ranks:
        if rank == 1:
            winners += 1
    share = 1.0 / float(winners) if ranks[seat] == 1 else 0.0
    return (share * float(seats) - 1.0) / float(seats - 1)


class Games:
    """`count` games of one set-up. Rows of `values`, `mask`, `reward`, `ended` and `cut` belong to one game each."""

    first: Position
    count: i64
    size: i64
    """How many numbers a view has."""
    actions: i64
    learner: i64
    """The seat that is asked, EVERY_SEAT or ANY_SEAT."""
    bound: i64
    """After how many decisions of the learner a game is cut off."""
    players: list[Bot | None]
    """Who plays the other seats, by seat; None plays at random."""

    position: list[Position]
    dice: list[Dice]
    seat: vec[i64]
    steps: vec[i64]
    values: vec[float]
    mask: vec[u8]
    marked: list[list[int]]
    """Which actions of `mask` are set, to be cleared before the next are."""
    reward: vec[float]
    ended: vec[u8]
    cut: vec[u8]

    def __init__(self, first: Position, count: i64, learner: i64, bound: i64, players: list[Bot | None]) -> None:
        self.first = first
        self.count = count
        self.size = len(first.seen_by(0).tensor())
        self.actions = first.action_count
        self.learner = learner
        self.bound = bound
        self.players = players
        self.position = [first] * count
        self.dice = [Dice(0)] * count
        self.marked = [[] for _ in range(count)]
        self.seat = vec[i64]()
        self.steps = vec[i64]()
        self.values = vec[float]()
        self.mask = vec[u8]()
        self.reward = vec[float]()
        self.ended = vec[u8]()
        self.cut = vec[u8]()
        for _ in range(count):
            self.seat = append(self.seat, 0)
            self.steps = append(self.steps, 0)
            self.reward = append(self.reward, 0.0)
            self.ended = append(self.ended, 0)
            self.cut = append(self.cut, 0)
        for _ in range(count * self.size):
            self.values = append(self.values, 0.0)
        for _ in range(count * self.actions):
            self.mask = append(self.mask, 0)

    # One game.

    def restart(self, index: i64) -> i64:
        """Begin a game anew, with the dice it has; who is asked. A game that ends without asking the learner is no game."""
        self.steps[index] = 0
        self.reward[index] = 0.0
        self.ended[index] = 0
        self.cut[index] = 0
        self.seat[index] = self.dice[index].below(self.first.seats) if self.learner == ANY_SEAT else self.learner
        while True:
            self.position[index] = self.first.copy()
            asked = self.settle(index)
            if asked != OVER:
                return asked

    def settle(self, index: i64) -> i64:
        """Let chance and the others act until the learner is asked or the game is over; the seat that is asked, or OVER."""
        position = self.position[index]
        dice = self.dice[index]
        mine = self.seat[index]
        while True:
            actor = position.to_act
            if actor in (OVER, mine) or (actor != CHANCE and mine == EVERY_SEAT):
                return actor
            player = self.players[actor] if actor != CHANCE else None
            if player is None:
                position.advance(position.random_action(dice))
            else:
                position.apply(player.choose(position.seen_by(actor), dice))

    def act(self, index: i64, action: int) -> i64:
        """The learner's action, checked; then as `settle`."""
        self.position[index].apply(action)
        self.steps[index] += 1
        return self.settle(index)

    def look(self, index: i64, seat: i64) -> None:
        """Write what a seat sees and, where it is asked, what it may do."""
        view = self.position[index].seen_by(seat)
        view.note(self.values, index * self.size)
        base = index * self.actions
        action: i64
        for action in self.marked[index]:
            self.mask[base + action] = 0
        legal = view.legal() if view.to_act == seat else []
        for action in legal:
            self.mask[base + action] = 1
        self.marked[index] = legal

    def worth(self, index: i64) -> list[float]:
        """What the finished game is worth to each seat."""
        position = self.position[index]
        return [worth(position, seat) for seat in range(position.seats)]

    # All games.

    def begin(self, dice: list[Dice]) -> None:
        """Begin all games anew, each with its dice."""
        for index in range(self.count):
            self.dice[index] = dice[index]
            self.restart(index)
            self.look(index, self.seat[index])

    def step(self, actions: list[int]) -> None:
        """An action for every game. A game that ended or was cut off in the last step begins anew instead.

        The actions are checked before any is taken.
        """
        if len(actions) != self.count:
            raise IllegalAction(f"{self.count} games need {self.count} actions, not {len(actions)}")
        index: i64
        size: int = self.actions
        for index in range(self.count):
            if self.ended[index] == 0 and self.cut[index] == 0:
                action = actions[index]
                if not 0 <= action < size or self.mask[index * self.actions + action] == 0:
                    raise IllegalAction(f"action {action} is not legal in game {index}; the mask has those that are")
        for index in range(self.count):
            mine = self.seat[index]
            if self.ended[index] != 0 or self.cut[index] != 0:
                self.restart(index)
                mine = self.seat[index]
            else:
                self.position[index].advance(actions[index])
                self.steps[index] += 1
                if self.settle(index) == OVER:
                    self.ended[index] = 1
                    self.reward[index] = worth(self.position[index], mine)
                elif self.steps[index] >= self.bound:
                    self.cut[index] = 1
            self.look(index, mine)

    def random_actions(self) -> list[int]:
        """For every game one of its legal actions, each equally likely; 0 where the game is over."""
        drawn: list[int] = []
        for index in range(self.count):
            legal = self.marked[index]
            drawn.append(legal[self.dice[index].below(len(legal))] if legal else 0)
        return drawn
