"""Rounds are fair: nobody twice at once, no meeting again that could be avoided, every seat about equally often, byes in turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from sheepfold.people.pairing import Player, Round, everybody, rounds_of_all, swiss, table_sizes
from sheepfold.people.standings import Played, standings


class Season:
    """Players of different strength, round after round."""

    def __init__(self, players: int, seed: int) -> None:
        self.dice = random.Random(seed)
        self.strength = [self.dice.random() for _ in range(players)]
        self.met: list[Counter[int]] = [Counter() for _ in range(players)]
        self.sat: list[Counter[int]] = [Counter() for _ in range(players)]
        self.byes: Counter[int] = Counter()
        self.played: list[Played] = []
        self.number = 0

    def players(self) -> list[Player]:
        """The best first."""
        found = standings(range(len(self.strength)), self.played)
        return [
            Player(each.entrant, each.points, self.met[each.entrant], self.sat[each.entrant], self.byes[each.entrant]) for each in found
        ]

    def play(self, made: Round) -> None:
        self.number += 1
        assert sorted([*made.byes, *(each for table in made.tables for each in table)]) == list(range(len(self.strength)))
        for board, table in enumerate(made.tables):
            order = sorted(table, key=lambda each: self.dice.gauss(self.strength[each], 0.2))
            for seat, each in enumerate(table):
                self.sat[each][seat] += 1
                self.met[each].update(other for other in table if other != each)
                self.played.append(Played(self.number, each, board, seat, order.index(each) + 1))
        for each in made.byes:
            self.byes[each] += 1
            self.played.append(Played(self.number, each, None))

    def uneven(self, seats: int) -> int:
        """By how much anybody had one seat more often than another."""
        times = [[sat[seat] for seat in range(seats)] for sat in self.sat]
        return max(max(each) - min(each) for each in times)

    def again(self) -> int:
        """How often two met who had met before."""
        return sum(times - 1 for met in self.met for times in met.values() if times > 1) // 2


def matchings(players: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to make pairs."""
    if not players:
        yield []
    for other in players[1:]:
        for rest in matchings([each for each in players[1:] if each != other]):
            yield [(players[0], other), *rest]


@settings(max_examples=60, deadline=None)
@given(players=some.integers(2, 40), seats=some.integers(2, 5), seed=some.integers(0, 9999))
def test_everybody_sits_once_or_stays_out_in_turn(players: int, seats: int, seed: int) -> None:
    season = Season(players, seed)
    allowed = range(2, seats + 1) if seed % 2 else (seats,)
    for _ in range(3):
        made = swiss(season.players(), seats, allowed)
        assert made == swiss(season.players(), seats, allowed), "the same players give the same round"
        assert all(len(table) in allowed for table in made.tables)
        fewest = min(season.byes[each] for each in range(players))
        if players >= seats and 2 * len(made.byes) < players:
            assert len(made.byes) < seats and all(season.byes[each] <= fewest + (3 * seats > players) for each in made.byes)
        season.play(made)


@settings(max_examples=40, deadline=None)
@given(half=some.integers(2, 4), rounds=some.integers(1, 9), seed=some.integers(0, 9999))
def test_pairs_meet_again_only_where_they_must(half: int, rounds: int, seed: int) -> None:
    """As often as in the best of all pairings, also when everybody has met nearly everybody."""
    season = Season(2 * half, seed)
    for _ in range(rounds):
        fewest = min(sum(season.met[one][other] for one, other in pairs) for pairs in matchings(range(2 * half)))
        made = swiss(season.players(), 2, (2,))
        assert sum(season.met[one][other] for one, other in made.tables) == fewest
        season.play(made)


@pytest.mark.parametrize(("players", "seats", "rounds"), [(66, 2, 8), (100, 2, 9), (64, 4, 5), (90, 3, 6), (120, 5, 6)])
def test_large_fields_never_meet_again_and_sit_everywhere(players: int, seats: int, rounds: int) -> None:
    season = Season(players, players)
    for _ in range(rounds):
        season.play(swiss(season.players(), seats, range(2, seats + 1)))
        assert season.again() == 0 and season.uneven(seats) <= 1 and not season.byes


@pytest.mark.parametrize("seed", range(10))
def test_an_odd_one_out_is_the_lowest_who_never_was(seed: int) -> None:
    season = Season(13, seed)
    for number in range(12):
        players = season.players()
        made = swiss(players, 2, (2,))
        assert list(made.byes) == [[each.number for each in players if not each.byes][-1]]
        season.play(made)
        assert season.uneven(2) <= 2 and (number > 5 or season.again() == 0)
    assert max(season.byes.values()) == 1


def test_points_bring_people_together() -> None:
    """Winners meet winners, but for those who would all want the same seat."""
    season = Season(64, 1)
    for _ in range(5):
        made = swiss(season.players(), 2, (2,))
        points = {each.number: each.points for each in season.players()}
        apart = [abs(points[one] - points[other]) for one, other in made.tables]
        assert sum(each > 0 for each in apart) <= len(apart) // 3 and max(apart) <= 12
        season.play(made)


@pytest.mark.parametrize(
    ("players", "seats", "allowed", "sizes"),
    [
        (66, 4, (2, 3, 4), [4] * 15 + [3] * 2), (66, 2, (2,), [2] * 33), (5, 2, (2,), [2, 2]), (5, 4, (2, 3, 4), [3, 2]),
        (6, 4, (4,), [4]), (3, 4, (4,), []), (1, 2, (2,), []), (7, 5, (2, 3, 4, 5), [4, 3]),
    ],
)  # fmt: skip
def test_tables_are_full_or_nearly_so(players: int, seats: int, allowed: tuple[int, ...], sizes: list[int]) -> None:
    assert table_sizes(players, seats, allowed) == sizes


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 11, 16, 31])
@pytest.mark.parametrize("twice", [False, True])
def test_everybody_meets_everybody(players: int, twice: bool) -> None:
    season = Season(players, 1)
    began = season.players()
    for number in range(1, rounds_of_all(players, 2, twice) + 1):
        season.play(everybody(began, 2, (2,), number))
    for each in range(players):
        assert all(season.met[each][other] == (2 if twice else 1) for other in range(players) if other != each)
        assert season.byes[each] == (players % 2) * (2 if twice else 1)
    assert season.uneven(2) <= (0 if twice else 1)


def test_who_is_gone_is_met_by_nobody() -> None:
    players = [Player(number) for number in range(6)]
    for number in range(1, 6):
        made = everybody(players, 2, (2,), number, gone={3})
        assert len(made.tables) == 2 and len(made.byes) == 1 and 3 not in [*made.byes, *(each for table in made.tables for each in table)]


@pytest.mark.parametrize(("players", "seats"), [(9, 3), (12, 3), (16, 4), (20, 5), (10, 4)])
def test_groups_meet_about_equally_often(players: int, seats: int) -> None:
    season = Season(players, 1)
    for number in range(1, rounds_of_all(players, seats, True) + 1):
        began = sorted(season.players(), key=lambda each: each.number)
        season.play(everybody(began, seats, range(2, seats + 1), number))
    times = [season.met[each][other] for each in range(players) for other in range(each)]
    assert min(times) >= 1 and max(times) <= 3 and season.uneven(min(seats, 3)) <= 2, Counter(times)
