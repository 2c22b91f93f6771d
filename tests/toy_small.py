"""Small games: the rules of other toys, or a handful of their own, with a name and a notation and nothing else."""

from __future__ import annotations

from toy_grass import Grass
from toy_hats import Hats

from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.game.game import Game, Option, Passage, Setup
from sheepfold.messages import Voice


class SmallGrass(Grass):
    layout, write_tensor, census = Position.layout, Position.write_tensor, Position.census


class SmallHats(Hats):
    layout, write_tensor, census = Position.layout, Position.write_tensor, Position.census


class Grassy(Game):
    name, title, seats, options = "small-grass", "Small Grass", (2, 3), (Option("tufts", "few", ("few", "many")),)

    def start(self, setup: Setup) -> Position:
        return SmallGrass(setup.seats, 9 if setup.options["tufts"] == "few" else 30)

    def write(self, view: Position, action: int) -> str:
        return f"die {action - 2}" if view.to_act == CHANCE else f"eat {action + 1}"


class Hatty(Game):
    name, title, seats, secrets = "small-hats", "Small Hats", (2, 3), True

    def start(self, setup: Setup) -> Position:
        return SmallHats(setup.seats, 10, bells=True)

    def write(self, view: Position, action: int) -> str:
        return f"{'draw' if view.to_act == CHANCE else 'play'} {action}"


class Pastures(Position):
    """Everybody in turn takes one of so many pastures, three times in all."""

    def __init__(self, seats: int, pastures: int) -> None:
        super().__init__(seats, pastures, 3)
        self.taken = [-1] * pastures

    def legal(self) -> list[int]:
        return [] if self.to_act == OVER else [number for number, seat in enumerate(self.taken) if seat < 0]

    def advance(self, action: int) -> None:
        self.taken[action] = int(self.to_act)
        self.to_act = OVER if sum(seat >= 0 for seat in self.taken) == 3 else (self.to_act + 1) % self.seats

    def scores(self) -> list[int]:
        return [self.taken.count(seat) for seat in range(self.seats)]

    def copy(self) -> Position:
        twin = Pastures(int(self.seats), len(self.taken))
        twin.taken, twin.to_act, twin.viewer = self.taken[:], self.to_act, self.viewer
        return twin

    def key(self) -> tuple[int, ...]:
        return (*self.taken, int(self.to_act))


class Pasturing(Game):
    """Nine pastures are a grid to tap; more are written 'graze hill 12'."""

    seats = (2, 5)

    def __init__(self, pastures: int, grid: bool = False) -> None:
        self.name, self.title, self.pastures, self.grid = f"pastures-{pastures}", "Pastures", pastures, grid

    def start(self, setup: Setup) -> Position:
        return Pastures(setup.seats, self.pastures)

    def write(self, view: Position, action: int) -> str:
        return f"graze {('hill', 'vale', 'moor')[action % 3]} {action + 1}"

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        if not self.grid:
            return super().outline(view, seat, voice)
        marks = ["" if seat < 0 else "XOPQR"[seat] for seat in view.taken]
        rows = [[str(row + 1), *marks[3 * row : 3 * row + 3]] for row in range(3)]
        return [*super().outline(view, seat, voice), Passage("Pastures", [], ["a", "b", "c"], rows)]

    def targets(self, view: Position, action: int) -> list[str]:
        return [f"cell-1-{action // 3 + 1}-{action % 3 + 1}"] if self.grid else super().targets(view, action)


GRASS, HATS, FEW, MANY, GRID = Grassy(), Hatty(), Pasturing(40), Pasturing(300), Pasturing(9, grid=True)
