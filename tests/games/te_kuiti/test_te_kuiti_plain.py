"""The rules of Te Kuiti against a second, slow and plain implementation, through whole random games."""

from __future__ import annotations

import pytest
from te_kuiti_plain import CELLS, EDGES, WAYS, Plain, edge, neighbour

from plain_games import SetUp, agree_on, every_setup, in_short, tables_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.games.te_kuiti import GAME
from sheepfold.games.te_kuiti.notation import cell_called, edge_at, face_name
from sheepfold.games.te_kuiti.rules import TeKuiti

SETUPS = every_setup(GAME)


def open_to_all(position: TeKuiti) -> tuple[object, ...]:
    """The field as it lies: the tiles there are, what is face up, what is enclosed, the fences, the supply."""
    tiles = {name for name in CELLS if position.has_tile(cell_called(name))}
    up = {name: face_name(int(position.known[cell_called(name)]) - 1) for name in tiles if position.face_up(cell_called(name))}
    fences = {name for name in EDGES if position.fenced(edge_at(cell_called(name[:2]), "nesw".index(name[3])))}
    enclosed = {name for name in tiles if position.enclosed(cell_called(name))}
    return tiles, up, enclosed, fences, position.supply


def plainly(other: Plain) -> tuple[object, ...]:
    tiles = set(other.field)
    up = {name: other.field[name] for name in other.up}
    return tiles, up, {name for name in tiles if other.enclosed(name)}, other.fences, other.supply()


class Habits:
    """How somebody plays at random and yet so that fields get late, pens are closed and solo turns idle."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.keen, self.lazy = dice.below(3) > 0, dice.below(4) == 0
        wide, high = 2 + int(dice.below(4)), 1 + int(dice.below(4))
        pen = [f"{column}{row}" for column in "abcde"[:wide] for row in range(1, high + 1)]
        self.pen = {f"fence {edge(cell, side)}" for cell in pen for side in WAYS if neighbour(cell, side) not in pen}

    def choose(self, text: str, choices: dict[str, int], other: Plain) -> str:
        """What is done instead of something at random."""
        if "give up" in choices and self.dice.below(300) == 0:
            return "give up"
        known = {cell: face.split()[0] for cell, face in other.field.items() if face and f"turn {cell}" in choices}
        good = [choice for choice in choices if choice in self.pen]
        if self.lazy and other.seats == 1:
            good = [f"turn {cell}" for cell in known]
        elif known and self.keen:
            lying = [other.mood(cell) for cell in other.up]
            moods = list(known.values())
            good = [f"turn {cell}" for cell, mood in known.items() if mood in lying or (not lying and moods.count(mood) > 1)]
        return good[int(self.dice.below(len(good)))] if good and (self.keen or self.lazy) else text


def agree(setup: SetUp, seed: str) -> int:
    """One random game, compared at every decision; how many there were."""
    dice, decisions = Dice(f"{setup} {seed}"), 0
    begun = setup.begin(seed)
    position, other = begun.start(), Plain(setup.seats, begun.options, tables_of(begun))
    telling = other.game()
    who, choices = next(telling)
    habits = Habits(dice)
    while position.to_act != OVER:
        assert position.to_act == (CHANCE if who == -1 else who)
        actions = {GAME.write(position, action): action for action in position.legal()}
        assert set(actions) == set(choices)
        if who == -1:
            assert dict(zip(actions, position.weights(), strict=True)) == choices
        if who != -1 or position.turning < 0:  # while a tile is being turned it is neither up nor down
            assert open_to_all(position) == plainly(other)
        assert position.scores() == other.scores()
        decisions += 1
        text = GAME.write(position, int(position.random_action(dice)))
        if who != -1:
            text = habits.choose(text, choices, other)
        position.apply(actions[text])
        try:
            who, choices = telling.send(text)
        except StopIteration:
            assert position.to_act == OVER, text
    assert position.scores() == other.scores()
    best = max(other.scores())
    assert position.ranks() == ([1] if setup.seats == 1 else [1 if points == best else 2 for points in other.scores()])
    return decisions


@pytest.mark.parametrize("setup", in_short(SETUPS), ids=str)
def test_whole_games_agree(setup: SetUp) -> None:  # TK-1 to TK-25
    agree_on(agree, setup, 3)
