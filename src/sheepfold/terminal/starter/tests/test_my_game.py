"""The game keeps Sheepfold's contract, with every number of players."""

import pytest
from sheepfold.game.conformance import Case, cases, faults

from my_game import GAME


@pytest.mark.parametrize("case", cases(GAME), ids=str)
def test_the_game_keeps_the_contract(case: Case) -> None:
    assert faults(case, seed=1) == {}
