"""Who is how far in a tournament: points by place, and what tells equals apart."""

from __future__ import annotations

import pytest

from sheepfold.people.standings import Played, shares, standings, table_points


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([1, 2], [12, 0]), ([1, 1], [6, 6]), ([2, 1, 3], [6, 12, 0]), ([1, 2, 3, 4], [12, 8, 4, 0]), ([1, 1, 3, 4], [10, 10, 4, 0]),
        ([1, 2, 2, 2], [12, 4, 4, 4]), ([5, 4, 3, 2, 1], [0, 3, 6, 9, 12]), ([1, 1, 3, 4, 5], [10.5, 10.5, 6, 3, 0]),
    ],
)  # fmt: skip
def test_places_are_worth_the_opponents_left_behind(ranks: list[int], points: list[float]) -> None:
    assert table_points(ranks) == pytest.approx(points)
    assert sum(points) == 6 * len(points), "a table is worth as much however it ends"


def test_shares_are_of_all_scores() -> None:
    assert shares([30, 10]) == [1.5, 0.5] and shares([10, 0, 5]) == [2.0, 0.0, 1.0] and shares([0, 0]) == [1.0, 1.0]
    assert shares([3, -1]) == [2.0, 0.0], "the lowest has nothing"


def table(number: int, board: int, *ended: tuple[int, int, int]) -> list[Played]:
    """How a table ended: player, rank and score, seat by seat."""
    return [Played(number, player, board, seat, rank, score) for seat, (player, rank, score) in enumerate(ended)]


def test_stronger_opponents_come_first() -> None:
    """0 and 3 have won once each; 3 beat somebody who has won as well."""
    played = [*table(1, 0, (0, 1, 9), (1, 2, 1)), *table(1, 1, (2, 1, 9), (3, 2, 1)), *table(2, 0, (2, 1, 9), (0, 2, 1))]
    played += table(2, 1, (3, 1, 9), (1, 2, 1))
    found = standings(range(4), played)
    assert [(each.entrant, each.points, each.opponents, each.place) for each in found] == [
        (2, 24, 24, 1),
        (0, 12, 24, 2),
        (3, 12, 24, 2),
        (1, 0, 24, 4),
    ]


def test_then_shares_then_meetings() -> None:
    played = [*table(1, 0, (0, 1, 9), (1, 2, 8), (2, 3, 0)), *table(1, 1, (3, 1, 9), (4, 2, 1), (5, 3, 0))]
    found = {each.entrant: each for each in standings(range(6), played)}
    assert [found[each].place for each in (3, 0, 1, 4)] == [1, 2, 3, 4], "who made more of the scores at the table is first"
    played = [*table(1, 0, (0, 1, 9), (1, 2, 0)), *table(1, 1, (2, 1, 9), (3, 2, 0)), *table(2, 0, (1, 1, 9), (3, 2, 0))]
    played += table(2, 1, (2, 1, 9), (0, 2, 0))
    first, *equal = standings(range(4), [*played, *table(3, 0, (2, 1, 9), (1, 2, 0)), *table(3, 1, (3, 1, 9), (0, 2, 0))])
    assert first.entrant == 2 and {each.points for each in equal} == {12.0} and {each.opponents for each in equal} == {60.0}
    assert [each.direct for each in equal] == [1.0, 1.0, 1.0] and [each.place for each in equal] == [2, 2, 2], "each beat one of the others"
    (one, other) = standings(range(2), [*table(1, 0, (0, 1, 9), (1, 2, 0)), *table(2, 0, (1, 1, 9), (0, 2, 0))])
    assert (one.place, other.place) == (1, 1)


def test_a_bye_is_a_win_against_ones_like() -> None:
    found = {each.entrant: each for each in standings(range(3), [*table(1, 0, (0, 1, 9), (1, 2, 0)), Played(1, 2, None)])}
    assert (found[2].points, found[2].opponents, found[2].rounds) == (12.0, 12.0, 1) and found[0].opponents == 0.0


def test_who_still_plays_has_nothing_of_it_yet() -> None:
    (first, second) = standings([1, 0], [Played(1, 0, 0, 0), Played(1, 1, 0, 1)])
    assert (first.entrant, first.points, first.rounds, first.place, second.place) == (1, 0.0, 0, 1, 1)
