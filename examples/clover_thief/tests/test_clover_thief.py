"""The game keeps Sheepfold's contract, and its one rule is its own."""

import pytest
from sheepfold.game.conformance import Case, cases, faults

from clover_thief import GAME
from clover_thief.rules import CloverThief


@pytest.mark.parametrize("case", cases(GAME), ids=str)
def test_the_game_keeps_the_contract(case: Case) -> None:
    assert faults(case, seed=1) == {}


@pytest.mark.parametrize(
    ("sent", "eats"),
    [((9, 4, 2), 0), ((9, 8, 2), 1), ((9, 8, 7), 1), ((3, 17, 15), 1), ((16, 3, 17), 0)],
    ids=lambda value: str(value),
)
def test_the_sheep_below_the_highest_steals_the_clover(sent: tuple[int, ...], eats: int) -> None:
    position = CloverThief(3)
    position.owed, position.patch, position.sent = 0, 4, list(sent)
    position.graze()
    assert position.scores() == [4 * (seat == eats) for seat in range(3)] and position.lead == eats
