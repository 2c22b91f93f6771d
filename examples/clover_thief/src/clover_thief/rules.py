"""The rules of Clover Thief: a patch of clover, a sheep from everybody's hand, and the one just below the highest steals it.

Actions 0 to 17: for a player to send that sheep (sheep 1 to 18), for chance to deal it. 18 to 21: the patch has 1 to 4 clovers.
Where a sheep is: a seat whose hand it is in, or DECK, SENT, or UNKNOWN to the viewer.
"""

from __future__ import annotations

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, EVERYTHING, OVER, HiddenInformation, Position

SHEEP, HAND = 18, 3
PATCH_WEIGHTS = (1, 2, 2, 1)
DECK, SENT, UNKNOWN = -1, -2, -3


class CloverThief(Position):
    """The state of a game, and the rules to go on from it."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, action_count=SHEEP + len(PATCH_WEIGHTS), ply_bound=3 * SHEEP)
        self.where = [DECK] * SHEEP
        self.hands = [0] * seats
        self.owed = HAND * seats
        """How many sheep are still to be dealt now."""
        self.patch = 0
        """How much clover there is, 0 before it is turned up."""
        self.sent = [-1] * seats
        """The sheep that each seat has sent to this patch."""
        self.before = [-1] * seats
        """The same of the patch before."""
        self.lead = 0
        self.points = [0] * seats
        self.to_act = CHANCE

    # What may happen, and going on.

    def legal(self) -> list[int]:
        if self.to_act == OVER:
            return []
        if self.to_act == CHANCE and not self.owed:
            return list(range(SHEEP, SHEEP + len(PATCH_WEIGHTS)))
        holder = DECK if self.to_act == CHANCE else int(self.to_act)
        if self.viewer not in (EVERYTHING, holder):
            raise HiddenInformation("only who holds the sheep knows them")
        return [sheep for sheep in range(SHEEP) if self.where[sheep] == holder]

    def weights(self) -> list[int]:
        return [1] * len(self.legal()) if self.owed else list(PATCH_WEIGHTS)

    def advance(self, action: int) -> None:
        if action >= SHEEP:
            self.patch = action - SHEEP + 1
            self.to_act = self.lead
        elif self.to_act == CHANCE:
            self.where[action] = self.drawer()
            self.hands[self.drawer()] += 1
            self.owed -= 1
        else:
            self.send(int(self.to_act), action)

    def drawer(self) -> int:
        """Who is dealt the next sheep: the first of those with the fewest."""
        return self.hands.index(min(self.hands))

    def send(self, seat: int, sheep: int) -> None:
        self.where[sheep] = SENT
        self.hands[seat] -= 1
        self.sent[seat] = sheep
        self.to_act = (seat + 1) % self.seats
        if min(self.sent) >= 0:
            self.graze()

    def graze(self) -> None:
        """The highest sheep eats the clover, but the next one below steals it if it is lower by just 1."""
        first, second = sorted(self.sent, reverse=True)[:2]
        self.lead = self.sent.index(second if second == first - 1 else first)
        self.points[self.lead] += self.patch
        self.patch, self.before, self.sent = 0, self.sent, [-1] * int(self.seats)
        self.owed = int(self.seats) if self.where.count(DECK) >= self.seats else 0
        self.to_act = CHANCE if self.owed or max(self.hands) else OVER

    def scores(self) -> list[int]:
        return list(self.points)

    # What each seat knows.

    def seen_by(self, viewer: int) -> CloverThief:
        view = self.copy()
        view.viewer = viewer
        if self.to_act != OVER:
            view.where = [where if where in (SENT, viewer) else UNKNOWN for where in self.where]
        return view

    def sees(self, viewer: int, action: int) -> bool:
        return self.to_act != CHANCE or action >= SHEEP or viewer in (EVERYTHING, self.drawer())

    def determinize(self, dice: Dice) -> CloverThief:
        whole = self.copy()
        whole.viewer = EVERYTHING
        unknown = [sheep for sheep in range(SHEEP) if self.where[sheep] == UNKNOWN]
        for seat in range(self.seats):
            for _ in range(self.hands[seat] - self.where.count(seat)):
                whole.where[unknown.pop(dice.below(len(unknown)))] = seat
        for sheep in unknown:
            whole.where[sheep] = DECK
        return whole

    # Copies and comparison.

    def copy(self) -> CloverThief:
        twin = CloverThief(int(self.seats))
        twin.where, twin.hands, twin.sent, twin.points = self.where[:], self.hands[:], self.sent[:], self.points[:]
        twin.before, twin.owed, twin.patch, twin.lead = self.before[:], self.owed, self.patch, self.lead
        twin.to_act, twin.viewer, twin.origin = self.to_act, self.viewer, self.origin
        return twin

    def key(self) -> tuple[int, ...]:
        return (*self.where, *self.hands, *self.sent, *self.before, *self.points, self.owed, self.patch, self.lead, int(self.to_act))
