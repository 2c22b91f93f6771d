"""Pairing: who meets whom in the next round of a tournament, and on which seat. Pure functions: the same players give the same round.

One method serves tables of any size. Players are dealt out to the tables in the order of their points, and then change places as long as
the round gets better by it: first nobody is to meet anybody again, then everybody is to have a seat that they had least often, then those
at one table are to have the same points. For two seats everybody meets everybody by the circle method, which needs no search.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations, product

AGAIN, OTHER_SEAT = 1e9, 1e6
"""What it costs that two meet again, and that somebody has a seat that they had more often than others; one point between two costs 1."""
REACH = 24
"""Over how many players of the order places are changed, to bring together those with the same points."""
STEPS, LOOKS = 1000, 60
"""How many changes are tried where something is still wrong, and with how many others each."""


@dataclass(frozen=True)
class Player:
    """What is known of somebody before a round."""

    number: int
    points: float = 0.0
    met: Mapping[int, int] = field(default_factory=dict)
    """How often they met whom."""
    sat: Mapping[int, int] = field(default_factory=dict)
    """How often they had which seat."""
    byes: int = 0


@dataclass(frozen=True)
class Round:
    """Who sits where, and who has nobody to play."""

    tables: Sequence[Sequence[int]]
    """The players' numbers, seat by seat."""
    byes: Sequence[int] = ()


def table_sizes(players: int, seats: int, allowed: Collection[int]) -> list[int]:
    """How many sit at each table: as many players as can, at as few tables as can be, which differ by one seat at most."""
    for seated in range(players, 1, -1):
        for tables in range(-(-seated // seats), seated // 2 + 1):
            least, larger = divmod(seated, tables)
            found = [least + 1] * larger + [least] * (tables - larger)
            if all(each in allowed for each in found):
                return found
    return []


def swiss(players: Sequence[Player], seats: int, allowed: Collection[int]) -> Round:
    """A round for players, the best first. Who cannot sit down is the lowest of those who had to stay out least often."""
    sizes = table_sizes(len(players), seats, allowed)
    last = sorted(range(len(players)), key=lambda place: (players[place].byes, -place))[: len(players) - sum(sizes)]
    out = [players[place].number for place in sorted(last)]
    return Round(_seated([each for each in players if each.number not in out], sizes), out)


def rounds_of_all(players: int, seats: int, twice: bool) -> int:
    """After how many rounds everybody has met everybody, or about so where more than two sit at a table."""
    once = players - 1 + players % 2 if seats == 2 else -(-(players - 1) // (seats - 1))
    return max(1, once) * (2 if twice else 1)


def everybody(players: Sequence[Player], seats: int, allowed: Collection[int], number: int, gone: Collection[int] = ()) -> Round:
    """The round of that number, from 1, in which everybody meets everybody; `players` are those who began, in the same order each time."""
    here = [each for each in players if each.number not in gone]
    if seats > 2:
        return swiss([Player(each.number, 0.0, each.met, each.sat, each.byes) for each in here], seats, allowed)
    numbers: list[int | None] = [each.number for each in players]
    tables, out = [], []
    for pair in _circle([None] * (len(numbers) % 2) + numbers, number - 1):  # who meets nobody has no seat there, so that one stays
        sitting = [each for each in pair if each is not None and each not in gone]
        if len(sitting) == 2:
            tables.append(sitting)
        else:
            out += sitting
    return Round(tables, out)


def _circle(players: Sequence[int | None], turn: int) -> list[tuple[int | None, int | None]]:
    """One stays, the others go round. The second time round seats are exchanged."""
    last = len(players) - 1
    again, turn = divmod(turn, last)
    ring = [players[0], *(players[1 + (place - turn) % last] for place in range(last))]
    pairs = []
    for place in range(len(players) // 2):
        pair = ring[place], ring[last - place]
        exchanged = (turn if place == 0 else place) % 2 ^ again % 2
        pairs.append(pair[::-1] if exchanged else pair)
    return pairs


def _seated(players: Sequence[Player], sizes: Sequence[int]) -> list[list[int]]:
    """All players at tables of those sizes, in the order of seats."""
    if not sizes:
        return []
    hall = _Hall(players, sizes)
    hall.bring_together()
    hall.mend()
    hall.bring_together()
    return [[players[each].number for each in _in_seats(players, table)] for table in hall.tables]


def _in_seats(players: Sequence[Player], table: Sequence[int]) -> Sequence[int]:
    """Who sits where at a table, so that everybody has the seats about equally often."""
    return min(permutations(table), key=lambda order: sum(players[each].sat.get(seat, 0) for seat, each in enumerate(order)))


class _Hall:
    """Players at tables, and what each table costs."""

    def __init__(self, players: Sequence[Player], sizes: Sequence[int]) -> None:
        place = {each.number: at for at, each in enumerate(players)}
        self.points = [each.points for each in players]
        self.met = [{place[other]: times for other, times in each.met.items() if other in place} for each in players]
        self.due = {size: [_due_seats(each, size) for each in players] for size in set(sizes)}
        starts = [sum(sizes[:at]) for at in range(len(sizes))]
        self.tables = [list(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]
        self.costs = [self._cost(table) for table in self.tables]
        self.dice = random.Random(len(players))

    def _cost(self, table: Sequence[int]) -> float:
        due, points, met = self.due[len(table)], self.points, self.met
        cost = OTHER_SEAT * _without_due_seat(tuple(sorted([due[each] for each in table])))
        for one, other in combinations(table, 2):
            apart = points[one] - points[other]
            cost += apart * apart
            if other in met[one]:
                cost += AGAIN * met[one][other]
        return cost

    def _after(self, a: int, i: int, b: int, j: int) -> tuple[float, float]:
        """What two tables would cost if those on two places there changed them."""
        one, other = self.tables[a], self.tables[b]
        one[i], other[j] = other[j], one[i]
        costs = self._cost(one), self._cost(other)
        one[i], other[j] = other[j], one[i]
        return costs

    def _change(self, a: int, i: int, b: int, j: int) -> None:
        one, other = self.tables[a], self.tables[b]
        one[i], other[j] = other[j], one[i]
        self.costs[a], self.costs[b] = self._cost(one), self._cost(other)

    def bring_together(self) -> None:
        """Change places with who is near in the order, as long as that makes anything better."""
        reach = max(1, REACH // len(self.tables[0]))
        better = True
        while better:
            better = False
            for a in range(len(self.tables)):
                for b in range(a + 1, min(len(self.tables), a + 1 + reach)):
                    if self.costs[a] + self.costs[b]:
                        better |= self._change_best(a, b)

    def _change_best(self, a: int, b: int) -> bool:
        """Between two tables the one change that gains most; whether there is one."""
        places = product(range(len(self.tables[a])), range(len(self.tables[b])))
        cost, i, j = min((sum(self._after(a, i, b, j)), i, j) for i, j in places)
        if cost < self.costs[a] + self.costs[b]:
            self._change(a, i, b, j)
            return True
        return False

    def mend(self) -> None:
        """Where two meet again or seats are unfair, try further away, also what makes nothing better by itself; the best counts."""
        best, kept = sum(self.costs), [table[:] for table in self.tables]
        everywhere = [(b, j) for b, table in enumerate(self.tables) for j in range(len(table))]
        for _ in range(STEPS):
            wrong = [at for at, cost in enumerate(self.costs) if cost >= OTHER_SEAT]
            if not wrong or len(self.tables) == 1:
                break
            a = self.dice.choice(wrong)
            i = self.dice.randrange(len(self.tables[a]))
            looks = everywhere if len(everywhere) <= LOOKS else self.dice.sample(everywhere, LOOKS)
            changes = [(sum(self._after(a, i, b, j)) - self.costs[a] - self.costs[b], self.dice.random(), b, j) for b, j in looks if b != a]
            if not changes:
                continue
            gain, _, b, j = min(changes)
            if gain <= 0 or self.dice.random() < 0.1:
                self._change(a, i, b, j)
            if (cost := sum(self.costs)) < best:
                best, kept = cost, [table[:] for table in self.tables]
        self.tables = kept
        self.costs = [self._cost(table) for table in kept]


def _due_seats(player: Player, size: int) -> int:
    """The seats of a table that somebody had least often, as a set of bits."""
    times = [player.sat.get(seat, 0) for seat in range(size)]
    return sum(1 << seat for seat, count in enumerate(times) if count == min(times))


@lru_cache(1 << 16)
def _without_due_seat(due: tuple[int, ...]) -> int:
    """Of players at a table who should have one of these seats, how many cannot."""
    return min(sum(not seats >> seat & 1 for seat, seats in enumerate(order)) for order in permutations(due))
