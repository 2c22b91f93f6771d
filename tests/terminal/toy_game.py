"""Two small games for the tests of the terminal and the arena, and a command line that knows them.

Clover: take one to three clovers from a heap, then a die gives 0 to 2 points more; the last clover ends the game. Burrow
is the same with secrets and interruptions: everybody is dealt a card that only they see (1 is worth a point at the end),
and who holds a 1 may ring a bell once, out of turn, for a point. `python tests/terminal/toy_game.py play clover` is
`sheepfold play clover`; the processes that it starts for simulations read this file too, so they know the games as well.
"""

from __future__ import annotations

import time
from pathlib import Path

from sheepfold import bots
from sheepfold.bots import BOTS, RandomBot
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, HIDDEN, OVER, HiddenInformation, Position
from sheepfold.game import registry
from sheepfold.game.game import Game, Option, Setup

DIE, CARD, RING, TAKE = 0, 3, 5, 6
"""Actions: 0-2 the die, 3-4 a card dealt, 5 ring the bell, from 6 on `TAKE + 3 * field + clovers - 1`."""
UNKNOWN = -1


class Toy(Position):
    def __init__(self, seats: int, heap: int, fields: int, burrow: bool, broken: bool = False) -> None:
        super().__init__(seats, TAKE + 3 * fields, 3 * heap + 3 * seats, burrow)
        self.heap, self.fields, self.burrow, self.broken = heap, fields, burrow, broken
        self.turn, self.points = 0, [0] * seats
        self.cards, self.rung = [UNKNOWN] * seats, [False] * seats
        self.dealt = 0 if burrow else seats
        self.taken = 0
        self.rolling = False
        self.to_act = CHANCE if burrow else 0

    def legal(self) -> list[int]:
        if self.to_act == OVER:
            return []
        if self.dealt < self.seats:
            return [CARD, CARD + 1]
        if self.rolling:
            return [DIE, DIE + 1, DIE + 2]
        if self.viewer >= 0 and self.burrow and self.viewer != self.to_act:
            raise HiddenInformation("not yours")
        return [TAKE + 3 * field + clovers - 1 for field in range(self.fields) for clovers in range(1, min(3, self.heap) + 1)]

    def weights(self) -> list[int]:
        return [1] * len(self.legal())

    def advance(self, action: int) -> None:
        if self.dealt < self.seats:
            self.cards[self.dealt] = action - CARD if action >= 0 else UNKNOWN
            self.dealt += 1
            self.to_act = CHANCE if self.dealt < self.seats else 0
        elif self.rolling:
            self.points[self.turn] += action - DIE
            self.rolling = False
            self.turn = (self.turn + 1) % self.seats
            self.to_act = self.turn if self.heap else OVER
        else:
            clovers = (action - TAKE) % 3 + 1
            self.heap -= clovers
            self.taken += 0 if self.broken and self.heap < 4 else clovers
            self.points[self.turn] += clovers
            self.rolling = True
            self.to_act = CHANCE

    def may_interrupt(self, seat: int) -> bool:
        return self.burrow and self.to_act >= 0 and not self.rung[seat]

    def interruptions(self, seat: int) -> list[int]:
        return [RING] if self.may_interrupt(seat) and seat != self.to_act and self.cards[seat] == 1 else []

    def cut_in(self, seat: int, action: int) -> None:
        self.rung[seat] = True
        self.points[seat] += 1

    def scores(self) -> list[int]:
        known = [max(0, card) for card in self.cards] if self.to_act == OVER else [0] * self.seats
        return [points + card for points, card in zip(self.points, known, strict=True)]

    def seen_by(self, viewer: int) -> Position:
        view = self.copy()
        view.viewer = viewer
        assert isinstance(view, Toy)
        if self.to_act != OVER:
            view.cards = [card if seat == viewer else UNKNOWN for seat, card in enumerate(self.cards)]
        return view

    def sees(self, viewer: int, action: int) -> bool:
        return self.dealt >= self.seats or viewer == self.dealt

    def copy(self) -> Position:
        twin = Toy(self.seats, self.heap, self.fields, self.burrow, self.broken)
        for name in ("turn", "dealt", "rolling", "to_act", "viewer", "taken", "ply_bound"):
            setattr(twin, name, getattr(self, name))
        twin.points, twin.cards, twin.rung = self.points[:], self.cards[:], self.rung[:]
        return twin

    def key(self) -> tuple[int, ...]:
        return (self.to_act, self.heap, self.dealt, self.rolling, *self.points, *self.cards, *self.rung)

    def census(self) -> tuple[int, ...]:
        return (self.heap + self.taken,)


class _Components:
    digest = "00000000"


class Clover(Game):
    name, title, seats, minutes = "clover", "Clover", (1, 2, 3), (1, 2)
    options = (Option("heap", 12, (4, 12, 30)), Option("fields", 1, (1, 60)), Option("broken", False))
    folder = Path(__file__).parent / "toy"
    burrow = False

    def read_components(self, path: str | Path) -> _Components:
        return _Components()

    def start(self, setup: Setup) -> Position:
        heap, fields = setup.options["heap"], setup.options["fields"]
        return Toy(setup.seats, int(heap), int(fields), self.burrow, bool(setup.options["broken"]))

    def write(self, view: Position, action: int) -> str:
        if action < CARD:
            return f"die {action}"
        if action < RING:
            return f"card {action - CARD}"
        if action == RING:
            return "ring"
        field, clovers = divmod(action - TAKE, 3)
        return f"take {clovers + 1} field {field + 1}"

    def text_picture(self, view: Position, seat: int, width: int = 80, voice=None) -> str:
        assert isinstance(view, Toy)
        assert view.viewer != -4, "pictures are of views"
        cards = "".join("?" if card == UNKNOWN else str(card) for card in view.cards)
        return f"\x1b[32mheap {'%' * view.heap}\x1b[0m\npoints {view.points}  cards {cards}  seen by {seat}"

    def prompt(self, view: Position, voice) -> str:
        return voice.say("prompt", who=voice.name(int(view.to_act)))

    def describe(self, view: Position, action: int, voice) -> str:
        return voice.say("ring") if action == RING else voice.say("take", count=(action - TAKE) % 3 + 1, field=(action - TAKE) // 3 + 1)

    def tell(self, before, action, after, voice, seat=None) -> list[str]:
        assert before.viewer != -4
        if action == HIDDEN:
            return [voice.say("tell.hidden", who=voice.name(before.dealt))]
        if before.to_act == CHANCE and action >= CARD:
            return [voice.say("tell.card", card=action - CARD, who=voice.name(before.dealt))]
        if before.to_act == CHANCE:
            return [voice.say("tell.die", count=action)]
        if action == RING:
            return [voice.say("tell.ring", who=voice.name(seat))]
        return [voice.say("tell.take", count=(action - TAKE) % 3 + 1, who=voice.name(int(before.to_act)))]


class Burrow(Clover):
    name, title, seats, secrets, burrow = "burrow", "Burrow", (2, 3), True, True


class SlowBot(RandomBot):
    """Random, and slow enough to be interrupted."""

    name = "slow"

    def choose(self, view: Position, dice: Dice) -> int:
        time.sleep(0.02)
        return super().choose(view, dice)


class KeenBot(RandomBot):
    """Always the highest action but a pass: rings its bell whenever it can. It can also think, for hints."""

    name = "keen"

    def choose(self, view: Position, dice: Dice) -> int:
        return view.legal()[0] if RING in view.legal() else view.legal()[-1]

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        return [(action, 1 / (place + 1)) for place, action in enumerate(reversed(view.legal()))]


def register() -> None:
    for game in (Clover(), Burrow()):
        registry.add(game)
    BOTS["slow"] = lambda argument: SlowBot()
    BOTS["keen"] = lambda argument: KeenBot()
    bots.LEVELS = ("random", "keen")


if __name__ in ("__main__", "__mp_main__"):
    register()

if __name__ == "__main__":
    from sheepfold.terminal import main

    main()
