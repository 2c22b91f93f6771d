"""The rules against a second, slow and plain implementation, through whole games; other games in every run.

What fails is printed with its seed; `GUERRE_SEED=… pytest` plays those games again. Many games: guerre_plain_games.py.
"""

from __future__ import annotations

import os
import random
import secrets

import pytest
from guerre_plain_games import SETUPS, compare

SEED = os.environ.get("GUERRE_SEED") or secrets.token_hex(4)


@pytest.mark.parametrize("seats", ["2", "3", "4"])
def test_whole_games_agree(seats):
    """A game as it is, and one of the other set-ups for so many, each run another."""
    print(f"GUERRE_SEED={SEED}")
    for name in (seats, random.Random(SEED).choice([name for name in SETUPS if name.startswith(f"{seats} ")])):
        compare(name, SEED)
