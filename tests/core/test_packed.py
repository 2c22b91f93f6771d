"""Packed vectors stand in for librt's where code is interpreted, and positions come with small helpers."""

from __future__ import annotations

import subprocess
import sys
from os import environ

import pytest
import toy_grass
from mypy_extensions import i64

import sheepfold
from sheepfold.core.packed import append, vec
from sheepfold.core.position import IllegalAction, ranked


def test_vectors_are_lists_when_interpreted():
    numbers = vec[i64]([1, 2])
    numbers = append(numbers, 3)
    assert list(numbers) == [1, 2, 3] and list(vec[i64](numbers)) == [1, 2, 3] and list(vec[i64]()) == []
    other = vec[i64](numbers)
    other[0] = 9
    assert numbers[0] == 1


def test_pure_means_interpreted():
    code = "import sheepfold, sheepfold.games.haste_bock.rules as rules; print(sheepfold.compiled(), rules.__file__.endswith('.py'))"
    done = subprocess.run([sys.executable, "-c", code], env={**environ, "SHEEPFOLD_PURE": "1"}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("points", "places"),
    [([5], [1]), ([3, 9], [2, 1]), ([4, 4], [1, 1]), ([1, 7, 7, 3], [4, 1, 1, 3]), ([0, 0, -1], [1, 1, 3])],
)
def test_places_are_shared(points, places):
    assert ranked(points) == places


def test_positions_compare_by_their_keys():
    one, two = toy_grass.GAME.setup(2).start(), toy_grass.GAME.setup(2).start()
    assert one == two and hash(one) == hash(two) and one != 3
    two.apply(3)
    assert one != two


def test_refusals_say_where_to_look():
    position = toy_grass.GAME.setup(2).start()
    with pytest.raises(IllegalAction, match=r"legal\(\) lists"):
        position.apply(0)
    with pytest.raises(IllegalAction, match="no seat 5"):
        position.interrupt(5, 0)
    with pytest.raises(IllegalAction, match=r"interruptions\(1\) lists"):
        position.interrupt(1, 0)
    assert sheepfold.IllegalAction is IllegalAction
