"""The yardstick games play by the known rules: numbers of lines, drawn ends, and playouts that agree with `legal`."""

import pytest

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position
from sheepfold.yardsticks.breakthrough import Breakthrough
from sheepfold.yardsticks.connect_four import ConnectFour


def lines(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for action in position.legal():
        after = position.copy()
        after.apply(action)
        total += lines(after, depth - 1)
    return total


def drop(columns: str) -> ConnectFour:
    position = ConnectFour()
    for column in columns:
        position.apply(int(column))
    return position


def test_numbers_of_lines():
    assert [lines(ConnectFour(), depth) for depth in range(6)] == [1, 7, 49, 343, 2401, 16807]
    assert [lines(Breakthrough(), depth) for depth in range(4)] == [1, 22, 484, 11132]


@pytest.mark.parametrize(
    "columns",
    ["3132343", "0011223", "01122323363", "65544343303"],
    ids=["a column", "a row", "rising to the right", "rising to the left"],
)
def test_four_in_a_line_win(columns):
    assert drop(columns[:-1]).to_act == 0
    end = drop(columns)
    assert end.to_act == OVER
    assert end.scores() == [1, 0]


def test_a_full_board_is_a_draw():
    end = drop("260336100500443133640542322455145122516166")
    assert end.to_act == OVER
    assert end.scores() == [0, 0]


@pytest.mark.parametrize("start", [ConnectFour, Breakthrough])
def test_playouts_take_legal_actions_and_all_of_them(start):
    dice = Dice("yardsticks")
    for _ in range(20):
        position = start()
        while position.to_act != OVER:
            drawn = {position.random_action(dice) for _ in range(3)}
            assert drawn <= set(position.legal())
            assert all(position.allows(action) == (action in position.legal()) for action in range(position.action_count))
            position.apply(min(drawn))
    first = start()
    assert {first.random_action(dice) for _ in range(2000)} == set(first.legal())


def test_breakthrough_ends_on_the_far_row():
    dice = Dice("far")
    for _ in range(30):
        position = Breakthrough()
        while position.to_act != OVER:
            position.apply(position.random_action(dice))
        far = range(56, 64) if position.winner == 0 else range(8)
        assert any(position.board[cell] == position.winner for cell in far) or 0 in list(position.counts)
        assert sorted(position.scores()) == [0, 1]
