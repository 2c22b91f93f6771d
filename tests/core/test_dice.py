"""Dice: pinned numbers, fair draws, streams that do not disturb each other, and clear refusals."""

from __future__ import annotations

from collections import Counter

import pytest

from sheepfold.core.dice import Dice
from sheepfold.game.conformance.statistics import chi_squared, chi_squared_limit


def reference(seed: str, count: int) -> list[int]:
    """sfc32 written out once more, without i64."""
    from hashlib import blake2b

    digest = blake2b(seed.encode(), digest_size=12).digest()
    a, b, c = (int.from_bytes(digest[place : place + 4], "little") for place in (0, 4, 8))
    counter, words = 1, []
    for _ in range(12 + count):
        word = (a + b + counter) % 2**32
        counter += 1
        a = b ^ (b >> 9)
        b = (c + (c << 3)) % 2**32
        c = (((c << 21) % 2**32 | (c >> 11)) + word) % 2**32
        words.append(word)
    return words[12:]


def test_words_are_those_of_sfc32():
    dice = Dice("sheep")
    assert [dice.word() for _ in range(200)] == reference("sheep", 200)


def test_the_same_seed_gives_the_same_numbers_and_another_others():
    assert [Dice(7).word() for _ in range(3)] == [Dice("7").word() for _ in range(3)]
    assert Dice(7).word() != Dice(8).word()
    assert Dice().word() != Dice().word()


def test_splitting_does_not_disturb_and_does_not_depend_on_what_was_drawn():
    one, two = Dice("s"), Dice("s")
    early = one.split("bot", 1).word()
    drawn = [one.word() for _ in range(5)]
    assert drawn == [two.word() for _ in range(5)]
    assert one.split("bot", 1).word() == early != one.split("bot", 2).word()


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 10, 77])
def test_below_is_fair(bound):
    dice, draws = Dice(f"fair {bound}"), 6000
    counts = Counter(dice.below(bound) for _ in range(draws))
    assert set(counts) == set(range(bound))
    found, freedom = chi_squared([counts[face] for face in range(bound)], [draws / bound] * bound)
    assert freedom == 0 or found < chi_squared_limit(freedom)


def test_below_at_its_largest_bound_reaches_both_halves():
    dice = Dice("large")
    drawn = [dice.below(2**31) for _ in range(200)]
    assert min(drawn) < 2**29 and 2**31 > max(drawn) > 3 * 2**29


@pytest.mark.parametrize("bound", [0, -1, 2**31 + 1])
def test_impossible_bounds_are_refused(bound):
    with pytest.raises(ValueError, match=r"2\*\*31"):
        Dice(1).below(bound)


def test_weighted_follows_its_weights():
    dice, weights, draws = Dice("weighted"), [1, 0, 2, 5], 8000
    counts = Counter(dice.weighted(weights) for _ in range(draws))
    assert counts[1] == 0
    found, freedom = chi_squared([counts[0], counts[2], counts[3]], [draws * weight / 8 for weight in (1, 2, 5)])
    assert found < chi_squared_limit(freedom)


def test_no_weight_at_all_is_refused():
    with pytest.raises(ValueError, match="bound"):
        Dice(1).weighted([0, 0])


def test_fractions_fill_the_unit():
    dice = Dice("fractions")
    drawn = [dice.fraction() for _ in range(2000)]
    assert min(drawn) >= 0 and max(drawn) < 1 and 0.47 < sum(drawn) / 2000 < 0.53


def test_dice_print_their_seed():
    assert repr(Dice("x").split(1, "y")) == "Dice('x/1/y')"
