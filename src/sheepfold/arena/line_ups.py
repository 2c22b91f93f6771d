"""Line-ups: who sits where in each game of an arena, so that all sit equally often, in every seat, with everybody.

Bots are mixed round by round, as many games as there are bots: in a round each sits as often as there are seats, once in each of them. A
line-up depends on the seed and on what came before it, never on how many games are to follow: an arena that is stopped, or
played on for longer, has the same games. `whole` says after how many games everything is even; in between nobody is more than one ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

from sheepfold.core.dice import Dice

LineUp = tuple[str, ...]
Some = TypeVar("Some")


def line_ups(bots: Sequence[str], seats: int, seed: str, alone: bool, games: int) -> list[LineUp]:
    """The first so many. With `alone`, or with two bots, one sits against the other in all other seats; else all are mixed."""
    if pairs := duels(bots, seats, alone):
        return list(islice(_turning(pairs, seats), games))
    if len(bots) == 1 or seats == 1:
        return [(bots[number % len(bots)],) * seats for number in range(games)]
    return list(islice(_mixed(bots, seats, Dice(seed).split("line-ups")), games))


def duels(bots: Sequence[str], seats: int, alone: bool) -> list[tuple[str, str]]:
    """Who sits alone against whom, where that is what is played."""
    if seats < 2 or len(bots) < 2 or not (alone or len(bots) == 2):
        return []
    pairs = [(bots[0], other) for other in bots[1:]]
    return pairs if alone or seats == 2 else [*pairs, (bots[1], bots[0])]


def whole(bots: Sequence[str], seats: int, alone: bool) -> int:
    """After so many games, and every multiple of them, everything is even."""
    return len(duels(bots, seats, alone)) * seats or len(bots)


def _turning(pairs: Sequence[tuple[str, str]], seats: int) -> Iterator[LineUp]:
    """Every pair with the one in the first seat, then in the second, and so on for ever."""
    while True:
        for seat in range(seats):
            for one, other in pairs:
                yield (other,) * seat + (one,) + (other,) * (seats - 1 - seat)


def _mixed(bots: Sequence[str], seats: int, dice: Dice) -> Iterator[LineUp]:
    """Round after round. All sit equally often in one, so its games can be cut into seats where each bot sits once (König)."""
    met: Counter[tuple[str, str]] = Counter()
    while True:
        groups = _groups(bots, seats, met, dice)
        columns = []
        left = [list(group) for group in groups]
        for _ in range(seats):
            columns.append(_one_each(left))
            for group, name in zip(left, columns[-1], strict=True):
                group.remove(name)
        yield from zip(*_shuffled(columns, dice), strict=True)


def _groups(bots: Sequence[str], seats: int, met: Counter[tuple[str, str]], dice: Dice) -> list[list[str]]:
    """Who meets in the games of a round: who has sat least, with those whom they have met least, else as the dice have it."""
    sat: Counter[str] = Counter()
    groups = []
    for _ in bots:
        group: list[str] = []
        for place in range(seats):
            free = _shuffled([name for name in bots if group.count(name) == place // len(bots)], dice)
            group.append(min(free, key=lambda name: (sat[name], sum(met[name, other] for other in group))))
            sat[group[-1]] += 1
        met.update((one, other) for one in group for other in group if one != other)
        groups.append(_shuffled(group, dice))
    return groups


def _one_each(groups: Sequence[Sequence[str]]) -> list[str]:
    """One of each group, all of them different: whoever is wanted twice makes room if another can be found for their group."""
    taken: dict[str, int] = {}

    def seated(game: int, asked: set[str]) -> bool:
        for name in groups[game]:
            if name not in asked:
                asked.add(name)
                if name not in taken or seated(taken[name], asked):
                    taken[name] = game
                    return True
        return False

    for game in range(len(groups)):
        seated(game, set())
    return sorted(taken, key=lambda name: taken[name])


def _shuffled(some: Sequence[Some], dice: Dice) -> list[Some]:
    left = list(some)
    return [left.pop(dice.below(len(left))) for _ in some]
