"""Many games stepped at once, compiled: what the environments for learners rest on.

One flat buffer of bytes holds what all games show, one which actions are legal, and they are written in place: no Python object is
made for a number. NumPy looks at the same memory (`vec` has the buffer protocol), and clears it, which no loop does as fast. Chance,
and the seats that the learner does not play, are played here as well. A learner gets what `write_tensor` writes for its seat and
nothing else.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.bots import Bot
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, IllegalAction, Position, divisors, worth

EVERY_SEAT: Final = -10
"""As the learner's seat: it is asked for all seats. No number that `to_act` can have."""
ANY_SEAT: Final = -11
"""As the learner's seat: drawn anew for every game."""


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
    numbers: vec[u8]
    """What is seen, undivided; blank where it is not written, as `mask` is."""
    mask: vec[u8]
    choices: vec[vec[i64]]
    """The actions that are set in `mask`."""
    reward: vec[float]
    ended: vec[u8]
    cut: vec[u8]

    def __init__(self, first: Position, count: i64, learner: i64, bound: i64, players: list[Bot | None]) -> None:
        self.first = first
        self.count = count
        self.size = len(divisors(first))
        self.actions = first.action_count
        self.learner = learner
        self.bound = bound
        self.players = players
        self.position = [first] * count
        self.dice = [Dice(0)] * count
        self.seat = vec[i64]()
        self.steps = vec[i64]()
        self.numbers = vec[u8]()
        self.mask = vec[u8]()
        self.choices = vec[vec[i64]]()
        self.reward = vec[float]()
        self.ended = vec[u8]()
        self.cut = vec[u8]()
        for _ in range(count):
            self.seat = append(self.seat, 0)
            self.steps = append(self.steps, 0)
            self.reward = append(self.reward, 0.0)
            self.ended = append(self.ended, 0)
            self.cut = append(self.cut, 0)
            self.choices = append(self.choices, vec[i64]())
        for _ in range(count * self.size):
            self.numbers = append(self.numbers, 0)
        for _ in range(count * self.actions):
            self.mask = append(self.mask, 0)

    def __reduce__(self) -> tuple[object, ...]:
        """What is shown is not written: it is shown again."""
        rows = [list(self.seat), list(self.steps), list(self.ended), list(self.cut)]
        made = (self.first, self.count, self.learner, self.bound, self.players)
        return _games_again, (made, self.position, self.dice, rows, list(self.reward))

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
        """Write what a seat sees and, where it is asked, what it may do, into rows that are blank."""
        position = self.position[index]
        position.write_tensor(seat, self.numbers, index * self.size)
        choices = position.packed_legal() if position.to_act == seat else vec[i64]()
        mask = self.mask
        base = index * self.actions
        for action in choices:
            mask[base + action] = 1
        self.choices[index] = choices

    def worth(self, index: i64) -> list[float]:
        """What the finished game is worth to each seat."""
        position = self.position[index]
        return [worth(position, seat) for seat in range(position.seats)]

    # All games.

    def begin(self, dice: list[Dice]) -> None:
        """Begin all games anew, each with its dice, with `numbers` and `mask` blank."""
        index: i64 = 0
        while index < self.count:
            self.dice[index] = dice[index]
            self.restart(index)
            index += 1
        self.show()

    def show(self) -> None:
        """Write what the learner of every game sees, where `numbers` and `mask` are blank."""
        index: i64 = 0
        while index < self.count:
            self.look(index, self.seat[index])
            index += 1

    def check(self, actions: list[int]) -> None:
        """Refuse actions of which one cannot be taken, before any is."""
        if len(actions) != self.count:
            raise IllegalAction(f"{self.count} games need {self.count} actions, not {len(actions)}")
        index: i64 = 0
        size: int = self.actions
        for action in actions:
            on = self.ended[index] == 0 and self.cut[index] == 0
            if on and (not 0 <= action < size or self.mask[index * self.actions + action] == 0):
                raise IllegalAction(f"action {action} is not legal in game {index}; the mask has those that are")
            index += 1

    def step(self, actions: list[int]) -> None:
        """A checked action for every game, with `numbers` and `mask` blank. A game that was over or cut off begins anew instead."""
        index: i64 = 0
        while index < self.count:
            if self.ended[index] != 0 or self.cut[index] != 0:
                self.restart(index)
            else:
                self.position[index].advance(actions[index])
                self.steps[index] += 1
                if self.settle(index) == OVER:
                    self.ended[index] = 1
                    self.reward[index] = worth(self.position[index], self.seat[index])
                elif self.steps[index] >= self.bound:
                    self.cut[index] = 1
            self.look(index, self.seat[index])
            index += 1

    def random_actions(self) -> list[int]:
        """For every game one of its legal actions, each equally likely; 0 where the game is over."""
        drawn: list[int] = []
        index: i64 = 0
        while index < self.count:
            choices = self.choices[index]
            count: i64 = len(choices)
            drawn.append(choices[self.dice[index].below(count)] if count > 0 else 0)
            index += 1
        return drawn


def _games_again(
    made: tuple[Position, int, int, int, list[Bot | None]],
    position: list[Position],
    dice: list[Dice],
    rows: list[list[int]],
    reward: list[float],
) -> Games:
    """Games that were pickled or copied, with memory of their own."""
    first, count, learner, bound, players = made
    games = Games(first, count, learner, bound, players)
    games.position = position
    games.dice = dice
    for index in range(count):
        games.seat[index] = rows[0][index]
        games.steps[index] = rows[1][index]
        games.ended[index] = u8(rows[2][index])
        games.cut[index] = u8(rows[3][index])
        games.reward[index] = reward[index]
    if learner != EVERY_SEAT:
        games.show()
    return games


class Sheet:
    """Room for the numbers of one view."""

    numbers: vec[u8]

    def __init__(self, size: i64) -> None:
        self.numbers = vec[u8]()
        for _ in range(size):
            self.numbers = append(self.numbers, 0)

    def take(self, position: Position, viewer: i64) -> None:
        """Write what that viewer sees, where the sheet is blank."""
        position.write_tensor(viewer, self.numbers, 0)
