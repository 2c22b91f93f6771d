"""What a position of La Guerre des Moutons is worth, for bots.

A seat has its largest closed pen that no wolf threatens, and hopes for its best open one: the more sheep the better, the more open
sides the less likely it closes. Whoever has left the game has the bonus too; who plays on hopes for the tiles of the bag, and when it
is out, to be rid of the own.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.dice import Dice
from sheepfold.core.judge import Judge
from sheepfold.core.position import OVER, Position
from sheepfold.core.sequential import Sequential, unwrapped
from sheepfold.games.guerre_des_moutons.rules import BIT, COLOURS, END, RETIRE, TURN, GuerreDesMoutons


class GuerreJudge(Judge):
    """Judges by pens closed and pens to close."""

    hope: float
    """How much of what an open pen might add is counted."""
    side: float
    """What is left of that hope for each open side."""
    wolf: float
    """How much of a threatened pen is counted: a hunter may still come."""
    grow: float
    """What each tile that may still be drawn is worth to who plays on, so that nobody retires with the bag full."""

    def __init__(
        self, scale: float = 5.0, margin: float = 0.1, hope: float = 0.9, side: float = 0.75, wolf: float = 0.35, grow: float = 0.4
    ) -> None:
        super().__init__(scale, margin)
        self.hope = hope
        self.side = side
        self.wolf = wolf
        self.grow = grow

    def points(self, position: Position) -> list[float]:
        assert isinstance(position, GuerreDesMoutons)
        if position.to_act == OVER or position.stage == END:
            return [float(points) for points in position.scores()]
        had = [0.0] * COLOURS
        hoped = [0.0] * COLOURS
        for pen in position.pens():
            sheep = float(pen.sheep)
            if pen.counts():
                if sheep > had[pen.colour]:
                    had[pen.colour] = sheep
                continue
            value = self.wolf * sheep if pen.threatened else sheep
            open_side: i64 = 0
            while open_side < pen.open_sides:
                value = (value + 1.0) * self.side
                open_side += 1
            if value > hoped[pen.colour]:
                hoped[pen.colour] = value
        playing: i64 = 0
        seat: i64 = 0
        while seat < position.seats:
            if position.finish[seat] == 0:
                playing += 1
            seat += 1
        expected: list[float] = []
        seat = 0
        while seat < position.seats:
            total = float(position.bonus(seat))
            colour: i64 = 0
            while colour < COLOURS:
                if i64(position.colours[seat]) & BIT[colour]:
                    total += had[colour]
                    if hoped[colour] > had[colour]:
                        total += self.hope * (hoped[colour] - had[colour])
                colour += 1
            if position.finish[seat] == 0:
                if position.in_bag == 0:
                    total -= 0.5 * float(i64(position.held[seat]))
                else:
                    total += self.grow * float(position.in_bag) / float(playing)
            expected.append(total)
            seat += 1
        return expected

    def spread(self, position: Position) -> float:
        assert isinstance(position, GuerreDesMoutons)
        return self.scale * (0.3 + float(position.in_bag) / 68.0)

    def quiet(self, position: Position) -> bool:
        inner = unwrapped(position)
        assert isinstance(inner, GuerreDesMoutons)
        return inner.stage == TURN

    def playout_action(self, position: Position, dice: Dice) -> i64:
        """Nobody retires in a playout while tiles are left, unless by the second draw too; interruptions are as the wrapper draws them."""
        action = position.random_action(dice)
        if action == RETIRE and not (isinstance(position, Sequential) and position.asking()):
            action = position.random_action(dice)
        return action


JUDGE: Final = GuerreJudge()
