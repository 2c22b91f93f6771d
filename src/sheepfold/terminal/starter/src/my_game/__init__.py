"""My Game: everybody in turn eats one to three clovers from a heap; who eats the last one wins.

An action is how many clovers are eaten, less one: 0, 1 or 2.
"""

from __future__ import annotations

from sheepfold.core.position import OVER, Position
from sheepfold.game.game import Game, Passage, Setup
from sheepfold.messages import Voice

HEAP = 15


class MyGamePosition(Position):
    """The state of a game, and the rules to go on from it."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, action_count=3, ply_bound=HEAP)
        self.heap = HEAP
        self.last = -1

    def legal(self) -> list[int]:
        return [] if self.to_act == OVER else list(range(min(3, self.heap)))

    def advance(self, action: int) -> None:
        self.heap -= action + 1
        self.last = int(self.to_act)
        self.to_act = (self.last + 1) % self.seats if self.heap else OVER

    def scores(self) -> list[int]:
        return [int(self.to_act == OVER and seat == self.last) for seat in range(self.seats)]

    def copy(self) -> MyGamePosition:
        twin = MyGamePosition(int(self.seats))
        twin.heap, twin.last, twin.to_act, twin.viewer = self.heap, self.last, self.to_act, self.viewer
        return twin

    def key(self) -> tuple[int, ...]:
        return (self.heap, self.last, int(self.to_act))


class MyGame(Game):
    """What the position does not know: names, notation, and what is on the table."""

    name = "my-game"
    title = "My Game"
    seats = (2, 3, 4)

    def start(self, setup: Setup) -> MyGamePosition:
        return MyGamePosition(setup.seats)

    def write(self, view: Position, action: int) -> str:
        return f"eat {action + 1}"

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        assert isinstance(view, MyGamePosition)
        return [Passage("The heap", [f"Clovers left: {view.heap}"])]


GAME = MyGame()
