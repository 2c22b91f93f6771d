"""Position: the whole state of a game and the rules to go on from it.

Every game has one subclass, in its `rules.py`. Actions are whole numbers from 0 to `action_count - 1`; what
they mean is said at the top of that file. Nothing random is ever stored: a deck is counts, and a draw
is a chance event at the moment it happens, with `to_act == CHANCE`.

A game implements `legal` or `packed_legal`, `advance`, `scores`, `copy`, `key` and, where there is chance, `weights`;
with secrets also `seen_by`, `determinize` and `sees` (and `reveals`); with moves out of turn `may_interrupt`, `interruptions` and
`cut_in`; for one player `won`. The rest has a default that it may replace with something quicker or more telling.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64, mypyc_attr, u8

from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec

CHANCE: Final = -1
OVER: Final = -2
SPECTATOR: Final = -3
EVERYTHING: Final = -4
"""As a viewer: nobody's view, the position itself."""

HIDDEN: Final = -5
"""As an action: something happened here, but the viewer may not know which of the outcomes."""


KEY_BYTES: Final = 4
"""How many bytes a number of the key has in a tensor that the game does not write itself."""


class IllegalAction(ValueError):
    """The action cannot be taken in this position; nothing has changed."""


class HiddenInformation(ValueError):
    """The question can be answered by the position itself, not by this view of it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """The state of one game, and what may happen next. See the module for how a game is written."""

    seats: i64
    to_act: i64
    """A seat from 0 to seats - 1, CHANCE, or OVER."""
    viewer: i64
    """Whose view this is: a seat, SPECTATOR, or EVERYTHING for the position itself."""
    action_count: i64
    ply_bound: i64
    """No game has more events (actions, interruptions and chance together) than this."""
    interruptible: bool
    """Whether seats that are not to act may ever interrupt."""
    origin: bytes
    """The set-up that it comes from, in words that `game.states` understands. A copy that has it travels without what all share."""

    def __init__(self, seats: i64, action_count: i64, ply_bound: i64, interruptible: bool = False) -> None:
        self.seats = seats
        self.to_act = 0
        self.viewer = EVERYTHING
        self.action_count = action_count
        self.ply_bound = ply_bound
        self.interruptible = interruptible
        self.origin = b""

    # What may happen, and going on.

    def legal(self) -> list[int]:
        """The actions of `to_act` (at CHANCE the outcomes): ascending, without repeats, empty only when OVER."""
        return list(self.packed_legal())

    def packed_legal(self) -> vec[i64]:
        """`legal()` packed, for compiled callers. A game writes one of the two; the other follows from it."""
        actions = vec[i64]()
        for action in self.legal():
            actions = append(actions, action)
        return actions

    def weights(self) -> list[int]:
        """At CHANCE: how likely each outcome of `legal()` is, as positive whole numbers in the same order."""
        raise NotImplementedError

    def allows(self, action: i64) -> bool:
        """Whether `action` is one of `legal()`."""
        return action in self.legal()

    def apply(self, action: int) -> None:
        """Take an action of `to_act`, or let a chance outcome happen: the one way forward."""
        if self.to_act == OVER:
            raise IllegalAction("the game is over")
        count: int = self.action_count  # an int, because a huge action would not fit into an i64 to be compared
        if not 0 <= action < count or not self.allows(action):
            raise IllegalAction(f"action {action} is not legal here; legal() lists those that are")
        self.advance(action)

    def advance(self, action: i64) -> None:
        """`apply` without the check, for callers who took the action from `legal` or `random_action`."""
        raise NotImplementedError

    def random_action(self, dice: Dice) -> i64:
        """A legal action to play on with; at CHANCE an outcome drawn by its weight."""
        actions = self.legal()
        if self.to_act == CHANCE:
            return actions[dice.weighted(self.weights())]
        return actions[dice.below(len(actions))]

    # Out of turn.

    def may_interrupt(self, seat: i64) -> bool:
        """Whether everybody must reckon with an interruption by that seat now: public knowledge only."""
        return False

    def interruptions(self, seat: i64) -> list[int]:
        """What a seat that is not to act may do now: ascending, often empty."""
        return []

    def interrupt(self, seat: int, action: int) -> None:
        """Act out of turn. An illegal interruption raises IllegalAction and changes nothing."""
        seats: int = self.seats
        count: int = self.action_count
        if not 0 <= seat < seats:
            raise IllegalAction(f"there is no seat {seat}; seats are 0 to {seats - 1}")
        if not 0 <= action < count or action not in self.interruptions(seat):
            raise IllegalAction(f"seat {seat} cannot interrupt with action {action} here; interruptions({seat}) lists what it can do")
        self.cut_in(seat, action)

    def cut_in(self, seat: i64, action: i64) -> None:
        """`interrupt` without the check."""
        raise NotImplementedError

    # Results.

    def scores(self) -> list[int]:
        """Points by seat as the game counts them so far."""
        raise NotImplementedError

    def ranks(self) -> list[int]:
        """Places by seat after all tie-breaks: 1 is best, equal places are shared."""
        return ranked(self.scores())

    def won(self) -> bool:
        """Of a finished game for one: whether it is won."""
        raise NotImplementedError

    # What each seat knows.

    def seen_by(self, viewer: i64) -> Position:
        """A redacted copy: all that a seat, or SPECTATOR, may know with a perfect memory, and nothing else."""
        view = self.copy()
        view.viewer = viewer
        return view

    def sees(self, viewer: i64, action: i64) -> bool:
        """Whether that viewer is shown which action or outcome it is, when `action` happens here; EVERYTHING always is."""
        return True

    def reveals(self, action: i64) -> bool:
        """Whether `action`, happening here, turns hidden things up for everybody by rule, as the end of a round does."""
        return False

    def determinize(self, dice: Dice) -> Position:
        """From a view: a whole position, drawn with the right frequency from all that fit the view."""
        whole = self.copy()
        whole.viewer = EVERYTHING
        return whole

    def tensor(self) -> list[float]:
        """The view as numbers for learners, of one length for all positions of a set-up: its notes, divided as `layout` says."""
        return [number / whole for number, whole in zip(tensor_numbers(self, self.viewer), divisors(self), strict=True)]

    def layout(self) -> list[tuple[str, int, int]]:
        """The numbers of a view, block by block: what they tell, how many there are, and by what they are divided.

        A game without its own has those of `key()`, four bytes each, the lowest first; then all its keys are of one length.
        """
        return [("the key, four bytes a number", KEY_BYTES * len(self.key()), 255)]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        """Write the numbers of `seen_by(viewer)`, undivided, into a buffer that is blank from index `at` on; the index after them.

        A game's own makes no view for it, so it reads nothing that this viewer may not know: the conformance suite compares the two.
        """
        seen = self if viewer == self.viewer else self.seen_by(viewer)
        for number in seen.key():
            rest = number
            for _ in range(KEY_BYTES):
                low: i64 = rest & 255
                numbers[at] = u8(low)
                rest >>= 8
                at += 1
        return at

    # Copies and comparison.

    def copy(self) -> Position:
        """An independent copy."""
        raise NotImplementedError

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce_ex__(self, protocol: object) -> tuple[object, ...]:
        if not _write:
            raise TypeError("import sheepfold.game.states, which knows how positions are written")
        return _write[0](self)

    def key(self) -> tuple[int, ...]:
        """Everything that tells this position, or this view, from others of the same set-up."""
        raise NotImplementedError

    def census(self) -> tuple[int, ...]:
        """How many there are of each component wherever it lies: the same at every ply, also in views; nothing where none is counted."""
        return ()

    def __repr__(self) -> str:
        who = {CHANCE: "chance", OVER: "over"}.get(self.to_act, f"seat {self.to_act}")
        viewer = {EVERYTHING: "", SPECTATOR: ", as a spectator sees it"}.get(self.viewer, f", as seat {self.viewer} sees it")
        return f"<{type(self).__name__} with {self.seats} seats, to act: {who}{viewer}>"

    def _repr_svg_(self) -> str | None:
        """For notebooks: the picture of this view, or what a spectator sees of a whole position; None where there is none."""
        return _draw[0](self) if _draw else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and type(self) is type(other) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())


_draw: list[Callable[[Position], str | None]] = []
_write: list[Callable[[Position], tuple[object, ...]]] = []


def drawn_by(draw: Callable[[Position], str | None]) -> None:
    """Whoever can draw positions says so here: core knows nothing of pictures."""
    _draw[:] = [draw]


def written_by(write: Callable[[Position], tuple[object, ...]]) -> None:
    """Whoever can write positions says so here, by what `__reduce__` is to answer: core knows nothing of set-ups."""
    _write[:] = [write]


def ranked(points: list[int]) -> list[int]:
    """Places by points: one plus the number of seats that have more."""
    places = []
    for mine in points:
        place = 1
        for other in points:
            if other > mine:
                place += 1
        places.append(place)
    return places


def worth(position: Position, seat: i64) -> float:
    """What a finished game is worth to a seat: 1 for winning alone, while the others share the loss of it; all seats together 0.

    Winners who share a victory share that 1 and the loss. A game for one is worth 1 when it is won and -1 when it is lost.
    """
    seats = position.seats
    if seats == 1:
        return 1.0 if position.won() else -1.0
    winners: i64 = 0
    ranks = position.ranks()
    for rank in ranks:
        if rank == 1:
            winners += 1
    share = 1.0 / float(winners) if ranks[seat] == 1 else 0.0
    return (share * float(seats) - 1.0) / float(seats - 1)


def divisors(position: Position) -> list[float]:
    """For every number of a view by what it is divided."""
    wholes: list[float] = []
    for _, count, whole in position.layout():
        wholes += [float(whole)] * count
    return wholes


def blank(count: i64) -> vec[u8]:
    """A buffer of so many zeros."""
    return vec[u8]([0] * count)


def tensor_numbers(position: Position, viewer: i64) -> list[int]:
    """What `write_tensor` writes for that viewer."""
    numbers = blank(sum([count for _, count, _ in position.layout()]))
    end = position.write_tensor(viewer, numbers, 0)
    if end != i64(len(numbers)):
        raise ValueError(f"write_tensor() wrote {end} numbers where layout() has {len(numbers)}")
    return [int(number) for number in numbers]


def playout(position: Position, dice: Dice) -> i64:
    """Play on at random to the end, in place; how many events that took."""
    plies: i64 = 0
    while position.to_act != OVER:
        position.advance(position.random_action(dice))
        plies += 1
    return plies


def let_chance_happen(position: Position, dice: Dice) -> list[int]:
    """Draw chance events until a seat is to act or the game is over; the outcomes that were drawn."""
    drawn = []
    while position.to_act == CHANCE:
        outcome = position.random_action(dice)
        position.advance(outcome)
        drawn.append(int(outcome))
    return drawn
