"""Line-ups: everybody sits equally often, in every seat, with everybody, as far as the number of games allows."""

from collections import Counter

import pytest

from sheepfold.arena.line_ups import duels, line_ups, whole


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("count", [3, 4, 5, 9])
def test_mixed_bots_sit_equally_often_in_every_seat(seats, count):
    bots = "abcdefghi"[:count]
    in_seat = Counter()
    for number, line_up in enumerate(line_ups(bots, seats, "1", False, 3 * count), start=1):
        in_seat.update((name, seat) for seat, name in enumerate(line_up))
        sat = [in_seat[name, seat] for name in bots for seat in range(seats)]
        assert max(sat) - min(sat) <= (1 if number % whole(bots, seats, False) else 0)
        all_sat = [sum(in_seat[name, seat] for seat in range(seats)) for name in bots]
        assert max(all_sat) - min(all_sat) <= 1


def test_twenty_games_seat_three_bots_alike():
    sat = Counter(name for line_up in line_ups("abc", 4, "1", False, 20) for name in line_up)
    assert sorted(sat.values()) == [26, 27, 27]


def test_all_meet_and_are_shuffled_by_the_seed_alone():
    many = line_ups("abcdef", 3, "1", False, 60)
    met = Counter(frozenset(pair) for line_up in many for pair in zip(line_up, line_up[1:] + line_up[:1], strict=True))
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 2
    assert many == line_ups("abcdef", 3, "1", False, 60)
    assert many[:10] == line_ups("abcdef", 3, "1", False, 10), "more games change nothing of those before them"
    assert many != line_ups("abcdef", 3, "2", False, 60)
    after = {(line_up[seat], line_up[(seat + 1) % 4]) for line_up in line_ups("abcd", 4, "1", False, 40) for seat in range(4)}
    assert len(after) == 12, "everybody sits behind everybody"


def test_one_sits_against_the_others_in_every_seat():
    alone = line_ups("ab", 4, "1", True, 4)
    assert [line_up.index("a") for line_up in alone] == [0, 1, 2, 3]
    assert all(line_up.count("b") == 3 for line_up in alone)
    both = line_ups("ab", 4, "1", False, whole("ab", 4, False))
    assert [sum(line_up[seat] == "a" for line_up in both) for seat in range(4)] == [4] * 4
    assert {"".join(sorted(line_up)) for line_up in both} == {"abbb", "aaab"}
    assert line_ups("ab", 2, "1", False, 3) == [("a", "b"), ("b", "a"), ("a", "b")]
    assert duels("abc", 2, True) == [("a", "b"), ("a", "c")]
    assert line_ups("ab", 1, "1", False, 3) == [("a",), ("b",), ("a",)]
