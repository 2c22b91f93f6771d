"""Simulations from Python: equal seeds, equal games; checks that find what is broken; figures that add up."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import sheepfold
from sheepfold.arena.simulate import SimulatedGame, Simulation, simulate, wilson
from sheepfold.bots import UnknownBot, bot

sys.path.insert(0, str(Path(__file__).parents[1] / "terminal"))
from toy_game import Burrow, Clover


def test_the_same_seed_gives_the_same_games_whatever_the_number_of_workers():
    setup = sheepfold.load("haste-bock", seats=2)
    alone = simulate(setup, 7, seed="fold")
    assert [game.number for game in alone.played] == list(range(7))
    assert alone.played == simulate(setup, 7, seed="fold", workers=2).played
    assert alone.played != simulate(setup, 7, seed="flock").played


def test_a_longer_run_begins_with_the_shorter_one():
    setup = Clover().setup(3)
    assert simulate(setup, 20, seed=1).played[:5] == simulate(setup, 5, seed=1).played


@pytest.mark.parametrize("game", [Clover(), Burrow()])
def test_checking_changes_no_game(game):
    setup = game.setup(3)
    checked = simulate(setup, 30, seed=2, check=True)
    assert checked.problems == []
    assert checked.played == simulate(setup, 30, seed=2).played


def test_a_broken_invariant_is_found():
    result = simulate(Clover().setup(2, broken=True), 10, seed=1, check=True)
    assert result.problems
    assert "the census changed" in result.problems[0].what
    assert not result.interrupted


def test_bots_sit_where_they_are_named():
    result = simulate(Clover().setup(2), 3, ["random", "random"], seed=1)
    assert result.bots == ("random", "random")
    with pytest.raises(sheepfold.SheepfoldError, match="2 seats need 2 bots"):
        simulate(Clover().setup(2), 3, ["random"] * 3)
    with pytest.raises(UnknownBot, match="Did you mean random"):
        simulate(Clover().setup(2), 3, ["randm"])


def test_a_bot_gets_its_view_and_not_the_position(monkeypatch):
    seen = []

    class Nosy:
        name = "nosy"

        def choose(self, view, dice):
            seen.append((view.viewer, view.to_act))
            return view.legal()[0]

    monkeypatch.setitem(sheepfold.bots.BOTS, "nosy", lambda argument: Nosy())
    simulate(Burrow().setup(2), 2, ["nosy", "random"], seed=1)
    assert seen
    assert set(seen) == {(0, 0)}


def test_stopping_early_keeps_what_was_played():
    def stop(done: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    result = simulate(Clover().setup(2), 50, seed=1, progress=stop)
    assert result.interrupted
    assert len(result.played) == 4


def test_the_figures():
    played = [
        SimulatedGame(0, 10, (3, 1), (1, 2)),
        SimulatedGame(1, 14, (2, 2), (1, 1)),
        SimulatedGame(2, 12, (0, 4), (2, 1)),
        SimulatedGame(3, 12, (5, 5), (1, 1)),
    ]
    result = Simulation(Clover().setup(2), ("random", "random"), "1", 4, seconds=2.0)
    result.played.extend(played)
    assert list(result.played) == played and list(result.played[1:3]) == played[1:3] and result.played[-1] == played[-1]
    assert result.games_per_second() == 2
    assert result.plies() == (12, 10, 14)
    assert [won.share for won in result.wins()] == [0.5, 0.5]
    assert result.ranks() == [[0.75, 0.25], [0.75, 0.25]]
    mean, deviation = result.scores()[0]
    assert mean == 2.5
    assert deviation == pytest.approx(2.0817, abs=1e-4)


def test_intervals():
    assert wilson(50, 100) == pytest.approx((0.5, 0.4038, 0.5962), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0, 0, 0.2775), abs=1e-4)
    assert wilson(10, 10).high == 1


def test_bots_are_found_by_name():
    assert bot("Random").name == "random"
    with pytest.raises(UnknownBot, match="takes no argument"):
        bot("random:7")
