"""Strengths from all games at once: the likeliest, whatever their order, with intervals that hold what is true.

`bench/ratings.py` is the long form."""

import sys
from itertools import combinations
from math import exp, log
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import ratings

from sheepfold.arena.arena import POINTS
from sheepfold.arena.plackett_luce import SPREAD, PlackettLuce
from sheepfold.core.dice import Dice

KIND = ratings.Made((0, 150, 400), 3, 0.1, 60)


def games_of(kind, seed):
    return [(each.line_up, each.ranks) for each in ratings.made_up(kind, seed)]


def plainly(games, worth, tie):
    """The logarithm of the likelihood and the prior, by the book: place after place, every choice that there was."""
    total = -sum(value**2 for value in (*worth.values(), tie)) / (2 * SPREAD**2)
    for line_up, ranks in games:
        for rank in sorted(set(ranks)):
            left = [name for name, placed in zip(line_up, ranks, strict=True) if placed >= rank]
            best = [name for name, placed in zip(line_up, ranks, strict=True) if placed == rank]
            assert len(best) < 3
            if len(left) == 1:
                continue
            pairs = sum(exp(tie + (worth[one] + worth[other]) / 2) for one, other in combinations(left, 2))
            total += sum(worth[name] for name in best) / len(best) + (tie if len(best) == 2 else 0.0)
            total -= log(sum(exp(worth[name]) for name in left) + pairs)
    return total


def test_one_of_two_who_wins_three_of_four_is_worth_three_times_as_much():
    games = [(("a", "b"), (1, 2))] * 300 + [(("b", "a"), (2, 1))] * 300 + [(("a", "b"), (2, 1))] * 200
    strong, weak = PlackettLuce(games).strengths()
    assert strong - weak == pytest.approx(log(3), rel=0.01)
    assert strong == pytest.approx(-weak)


def test_nothing_near_the_fit_is_likelier():
    games = games_of(KIND, "near")
    assert any(len(set(ranks)) < 3 for _, ranks in games), "there are ties"
    fit = PlackettLuce(games)
    *found, tie = fit._best
    best = plainly(games, dict(zip(fit.names, found, strict=True)), tie)
    for at in range(4):
        for by in (-0.02, 0.02):
            *near, other = [value + by * (index == at) for index, value in enumerate((*found, tie))]
            assert plainly(games, dict(zip(fit.names, near, strict=True)), other) < best


def test_the_order_of_the_games_does_not_matter():
    games = games_of(KIND, "order")
    assert PlackettLuce(games).strengths() == pytest.approx(PlackettLuce(games[::-1]).strengths(), abs=1e-6)


def test_who_wins_all_and_who_meets_nobody_stay_finite_and_unsure():
    games = [(("a", "b"), (1, 2))] * 20 + [(("c", "d"), (1, 2))]
    fit = PlackettLuce(games)
    a, b, c, d = fit.strengths()
    assert 2 < a - b < 8
    assert 0 < c - d < a - b
    drawn = [each[0] - each[1] for each in fit.resampled(Dice("all"), 100)]
    assert max(drawn) - min(drawn) > 2, "twenty wins of twenty do not say by how much"
    assert min(drawn) > 0


def test_one_name_in_several_seats_is_one_strength():
    games = [(("a", "b", "b"), (1, 2, 3))] * 40 + [(("b", "b", "a"), (1, 3, 2))] * 40
    strong, weak = PlackettLuce(games).strengths()
    assert strong - weak == pytest.approx(log(2), abs=0.5)


def test_known_strengths_are_found_and_lie_in_their_intervals():
    many = PlackettLuce(games_of(KIND._replace(games=3000), "many"))
    assert [POINTS * value for value in many.strengths()] == pytest.approx([-550 / 3, -100 / 3, 650 / 3], abs=25)
    covered = ratings.coverage(KIND, range(40), resamples=79)
    assert covered.inside == covered.count == 120
    assert 0.9 <= covered.held / covered.count <= 0.99
