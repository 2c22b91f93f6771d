"""The rules against a second, slow and plain implementation: on scattered flocks, and through whole games."""

import haste_bock_plain as plain
import pytest
from haste_bock_drawn import GAME, pasture, rolled, texts, where, with_card

from plain_games import SetUp, agree_on, every_setup, in_short, tables_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.games.flock import SHEEP_NAMES
from sheepfold.games.haste_bock.rules import cell_at


def scattered(dice, side):
    """Nine sheep on random fields of a square of that side, somewhere on the pasture."""
    top, left = dice.below(10 - side), dice.below(10 - side)
    fields = [(top + row, left + column) for row in range(side) for column in range(side)]
    return {name: fields.pop(dice.below(len(fields))) for name in SHEEP_NAMES}


def results(position):
    """For every legal text the flock that follows."""
    found = {}
    for action in position.legal():
        after = position.copy()
        after.apply(action)
        found[GAME.write(position, action)] = where(after)
    return found


@pytest.mark.parametrize("side", range(3, 10))
def test_every_move_of_a_scattered_flock_agrees(side):
    agree_on(moves_agree, side, 1)


def moves_agree(side, seed):
    dice = Dice(f"scattered {side} {seed}")
    position = pasture("K")
    flocks = 60
    for _ in range(flocks):
        flock = scattered(dice, side)
        position.stand([cell_at(*flock[name]) for name in SHEEP_NAMES])
        every_ram = {}
        for sheep in SHEEP_NAMES:
            every_ram |= plain.rams(flock, sheep)
        assert results(rolled(position.copy(), "white")) == every_ram
        seat = dice.below(4)
        mine = SHEEP_NAMES[2 * seat : 2 * seat + 2]
        for kind, rule in (("step", plain.steps), ("slam", plain.rams), ("leap", plain.leaps)):
            assert results(with_card(position.copy(), seat, f"{kind} 1")) == rule(flock, mine[0]) | rule(flock, mine[1])
        for kind in ("line", "diagonal"):
            assert results(with_card(position.copy(), seat, f"{kind} 1")) == plain.pushes(flock, kind)
        assert results(with_card(position.copy(), seat, "trough 2")) == plain.troughs(flock)
    return flocks


SETUPS = every_setup(GAME)


def agree(setup: SetUp, seed: str) -> int:
    """One random game, compared at every decision; how many there were."""
    dice, decisions = Dice(f"{setup} {seed}"), 0
    begun = setup.begin(seed)
    position, other = begun.start(), plain.Plain(setup.seats, begun.options, tables_of(begun))
    while position.to_act != OVER:
        assert position.to_act == other.who()
        if other.stage != "start":
            assert texts(position) == other.choices()
        decisions += 1
        action = position.random_action(dice)
        text = GAME.write(position, action)
        position.apply(action)
        other.play(text)
        assert where(position) == other.flock
        assert (position.scores(), position.timer) == (other.scores, other.timer), text
    assert other.who() == OVER
    assert position.ranks() == other.places()
    return decisions


@pytest.mark.parametrize("setup", in_short(SETUPS), ids=str)
def test_whole_games_agree(setup: SetUp) -> None:
    agree_on(agree, setup, 3)
