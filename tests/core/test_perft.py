"""Counting lines: by hand on toys, and the pinned numbers of every game in tests/perft.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import toy_grass
import toy_hats

import sheepfold
from sheepfold.core.perft import breakdown, count_lines
from sheepfold.game.conformance import Case, play

PINS = tomllib.loads((Path(__file__).parent.parent / "perft.toml").read_text(encoding="utf-8"))


def test_grass_by_hand():
    """The die shows 1, 2 or 3 and leaves as many choices: 3 throws, 1 + 2 + 3 bites, then a throw after each."""
    start = toy_grass.GAME.setup(2).start()
    assert [count_lines(start, depth) for depth in range(4)] == [1, 3, 6, 18]
    assert breakdown(start, 2) == {3: 1, 4: 2, 5: 3}


def test_lines_that_end_early_do_not_count():
    case = Case(toy_grass.GAME.setup(2))
    line = play(case, 1)
    assert count_lines(line.last, 0) == 1
    assert count_lines(line.last, 1) == 0
    assert breakdown(line.last, 1) == {}


def test_an_interruptible_game_is_counted_with_its_passes():
    """Nine cards, two of them bells: while seats are asked, passing is a branch."""
    line = play(Case(toy_hats.BELLS.setup(2)), 1)
    choosing = next(position for position in line.positions if position.to_act >= 0)
    assert count_lines(choosing, 1) == 1 + len(choosing.interruptions(1 - choosing.to_act))


def test_counting_leaves_the_position_alone():
    start = toy_hats.GAME.setup(2).start()
    before = start.key()
    count_lines(start, 3)
    assert start.key() == before


@pytest.mark.parametrize("depth", [-1, -5])
def test_impossible_depths_are_refused(depth):
    start = toy_grass.GAME.setup(2).start()
    with pytest.raises(ValueError, match="depth"):
        count_lines(start, depth)
    with pytest.raises(ValueError, match="depth"):
        breakdown(start, 0)


def pinned_position(pin):
    """The start, or the position after some events of a line with a seed."""
    setup = sheepfold.load(pin["game"], pin["seats"], **pin.get("options", {}))
    if "after" not in pin:
        return setup.start()
    line = play(Case(setup, wrapped=setup.start().interruptible), pin["seed"], most=pin["after"])
    return line.last


@pytest.mark.parametrize("pin", PINS["pin"], ids=lambda pin: f"{pin['game']}-{pin['seats']}-{pin.get('after', 0)}")
def test_pinned_counts(pin):
    """On a mismatch the counts by first event show where it lies."""
    position = pinned_position(pin)
    for depth, wanted in enumerate(pin["lines"], start=1):
        found = count_lines(position, depth)
        assert found == wanted, f"depth {depth}: {found} lines, not {wanted}; by first event {breakdown(position, depth)}"


def test_every_game_has_pinned_counts():
    assert {game.name for game in sheepfold.games()} <= {pin["game"] for pin in PINS["pin"]}
