"""Bits against Python's own sets and shifts, up to the highest place that the games use."""

from __future__ import annotations

import pytest

from sheepfold.core.bits import BIT, every_bit, first_bit, mask_of, nth_bit, ones
from sheepfold.core.dice import Dice

MASKS = [
    [0],
    [31],
    [61],
    [0, 61],
    [30, 31, 32],
    list(range(62)),
    *([bit for bit in range(62) if Dice(seed).split(bit).below(3) == 0] for seed in range(20)),
]


def test_every_bit_is_a_power_of_two():
    assert list(BIT) == [1 << place for place in range(62)]


@pytest.mark.parametrize("places", MASKS)
def test_a_mask_is_a_set(places):
    mask = mask_of(places)
    assert mask == sum(1 << place for place in places)
    assert (ones(mask), first_bit(mask), every_bit(mask)) == (len(places), places[0], places)
    assert [nth_bit(mask, rank) for rank in range(len(places))] == places


def test_an_empty_mask_names_nothing():
    assert (ones(0), every_bit(0), mask_of([])) == (0, [], 0)
