"""The rules against a second, slow and plain implementation: on scattered flocks, and through whole games."""

import haste_bock_plain as plain
import pytest
from haste_bock_drawn import GAME, fresh, pasture, rolled, texts, where, with_card

from plain_games import agree_on
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
    for _ in range(60):
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


SETUPS = [(seats, {}) for seats in GAME.seats]


def agree(setup, seed):
    """One random game, compared at every decision."""
    seats, _ = setup
    dice = Dice(f"whole {seats} {seed}")
    position, other = fresh(seats), plain.Plain(seats)
    while position.to_act != OVER:
        assert position.to_act == other.who()
        if other.stage != "start":
            assert texts(position) == other.choices()
        action = position.random_action(dice)
        text = GAME.write(position, action)
        position.apply(action)
        other.play(text)
        assert where(position) == other.flock
        assert (position.scores(), position.timer) == (other.scores, other.timer), text
    assert other.who() == OVER
    assert position.ranks() == other.places()


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_whole_games_agree(setup):
    agree_on(agree, setup, 6)
