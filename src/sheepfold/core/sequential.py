"""Sequential: an interruptible position played strictly in turns.

Wherever a seat is to act, every other seat that might interrupt is asked first, clockwise from the seat
to act: interrupt, or PASS. After an interruption everybody is asked again. Only public knowledge decides who is
asked (`may_interrupt`), because being asked must not give a secret away; a seat that has
nothing to play can then only pass. Bots, the arena and the research adapters play through this wrapper;
the live table does not, there people interrupt when they want.
"""

from __future__ import annotations

from mypy_extensions import i64, u8

from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import Position


def sequential(position: Position) -> Position:
    """The position itself where nobody can interrupt, else wrapped."""
    return Sequential(position) if position.interruptible else position


class Sequential(Position):
    """`inner` with one more action, `pass_action`; see the module."""

    inner: Position
    asked: i64
    """How many seats after the one to act have passed at this moment."""
    pass_action: i64

    def __init__(self, inner: Position, asked: i64 = 0) -> None:
        super().__init__(inner.seats, inner.action_count + 1, inner.ply_bound * (inner.seats + 1), False)
        self.inner = inner
        self.viewer = inner.viewer
        self.pass_action = inner.action_count
        self.asked = asked
        self._find_who_is_asked()

    def _find_who_is_asked(self) -> None:
        turn = self.inner.to_act
        if turn >= 0:
            while self.asked < self.seats - 1:
                seat = turn + 1 + self.asked
                if seat >= self.seats:
                    seat -= self.seats
                if self.inner.may_interrupt(seat):
                    self.to_act = seat
                    return
                self.asked += 1
        self.to_act = turn

    def asking(self) -> bool:
        """Whether `to_act` is asked for an interruption, not for an action of its turn."""
        return self.to_act != self.inner.to_act

    def packed_legal(self) -> vec[i64]:
        if not self.asking():
            return self.inner.packed_legal()
        actions = vec[i64]()
        for action in self.inner.interruptions(self.to_act):
            actions = append(actions, action)
        return append(actions, self.pass_action)

    def weights(self) -> list[int]:
        return self.inner.weights()

    def allows(self, action: i64) -> bool:
        if self.asking():
            return action == self.pass_action or action in self.inner.interruptions(self.to_act)
        return action != self.pass_action and self.inner.allows(action)

    def advance(self, action: i64) -> None:
        if action == self.pass_action:
            self.asked += 1
        else:
            if self.asking():
                self.inner.cut_in(self.to_act, action)
            else:
                self.inner.advance(action)
            self.asked = 0
        self._find_who_is_asked()

    def random_action(self, dice: Dice) -> i64:
        """Who is asked mostly passes: a table where everybody interrupts at every moment is no likeness of play."""
        if self.asking():
            if dice.below(4) != 0:
                return self.pass_action
            actions = self.inner.interruptions(self.to_act)
            drawn = dice.below(len(actions) + 1)
            return actions[drawn] if drawn < len(actions) else self.pass_action
        return self.inner.random_action(dice)

    def scores(self) -> list[int]:
        return self.inner.scores()

    def ranks(self) -> list[int]:
        return self.inner.ranks()

    def seen_by(self, viewer: i64) -> Position:
        return Sequential(self.inner.seen_by(viewer), self.asked)

    def sees(self, viewer: i64, action: i64) -> bool:
        return action == self.pass_action or self.inner.sees(viewer, action)

    def reveals(self, action: i64) -> bool:
        return action != self.pass_action and self.inner.reveals(action)

    def determinize(self, dice: Dice) -> Position:
        return Sequential(self.inner.determinize(dice), self.asked)

    def layout(self) -> list[tuple[str, int, int]]:
        return [*self.inner.layout(), ("seat that is asked whether to interrupt, counted from the viewer's", int(self.seats), 1)]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        at = self.inner.write_tensor(viewer, numbers, at)
        if self.asking():
            me: i64 = viewer if viewer >= 0 else self.to_act
            numbers[at + (self.to_act - me + self.seats) % self.seats] = 1
        return at + self.seats

    def copy(self) -> Position:
        return Sequential(self.inner.copy(), self.asked)

    def key(self) -> tuple[int, ...]:
        return (self.asked, *self.inner.key())

    def census(self) -> tuple[int, ...]:
        return self.inner.census()


def ask(view: Position, seat: i64) -> Position:
    """What a bot of that seat is shown when it may interrupt now: its view, wrapped, with the seat asked."""
    wrapped = Sequential(view, (seat - view.to_act - 1) % view.seats)
    if wrapped.to_act != seat:
        raise ValueError(f"seat {seat} cannot interrupt here")
    return wrapped


def unwrapped(position: Position) -> Position:
    """The game's own position inside a wrapper, for pictures and words."""
    return position.inner if isinstance(position, Sequential) else position
