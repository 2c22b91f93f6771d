"""Plackett-Luce: how strong players are, from the order in which they ended, fitted to all games at once.

A game is a row of choices: the best place goes to one of all players, the next to one of the rest, each as likely as their worth among
those who are left. A place can be shared: two or more together are chosen by the geometric mean of their worths, times how common such
ties are, which is fitted too (Davidson and Luce; Turner and others 2020, "Modelling rankings in R: the PlackettLuce package"). The
logarithm of the likelihood is concave in the logarithms of these numbers, so Newton's steps lead to its one maximum, in whatever order
the games were played. A wide normal prior keeps who wins all, or never meets the others, finite.

`choix` fits the same model without ties, and needs numpy and scipy, which nothing else here wants at run time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import cos, exp, log, pi, sqrt

from sheepfold.core.dice import Dice

SPREAD = 3.0
"""The prior's standard deviation, of a logarithm of worth: one player in twenty is expected to win or lose 400 games to 1 against a
middling one."""
CLOSE = 1e-3
"""The last step is no longer than this; what is still missing after it is about its square."""

Game = tuple[Sequence[str], Sequence[int]]
"""Who played, and the rank of each; a name may be there several times."""
Usage = tuple[tuple[int, float], ...]
"""What a choice weighs: its weight is the exponential of the sum of these parameters times these factors."""


class PlackettLuce:
    """The games, by what was chosen from what. The parameters are a logarithm of worth for each name, then one for each size of tie."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.names = sorted({name for line_up, _ in games for name in line_up})
        stages = [_stages([self.names.index(name) for name in line_up], ranks) for line_up, ranks in games]
        sizes = sorted({len(best) for game in stages for _, best in game} - {1})
        self._ties = {size: len(self.names) + at for at, size in enumerate(sizes)}
        self._size = len(self.names) + len(self._ties)
        self._kinds = list(dict.fromkeys(stages))
        """Games that ended alike are one kind."""
        numbers = {kind: at for at, kind in enumerate(self._kinds)}
        self._games = [numbers[game] for game in stages]
        self._choices = {field: self._choices_from(field) for kind in self._kinds for field, _ in kind}
        self._chosen = [[use for _, best in kind for use in self._usage(best)] for kind in self._kinds]
        self._best = self._fitted(Counter(self._games), [0.0] * self._size, [0.0] * self._size)

    def strengths(self) -> list[float]:
        """The logarithm of each name's worth; the mean is 0. Who has 1 more than another comes before them in 73 games of 100."""
        return self._centred(self._best)

    def resampled(self, dice: Dice, times: int) -> list[list[float]]:
        """The same from games drawn anew with replacement, so often. The prior's middle is drawn as well: where games say nothing, as of
        who has won them all, the strengths are then as uncertain as the prior is."""
        found = []
        for _ in range(times):
            counts = Counter(self._games[dice.below(len(self._games))] for _ in self._games)
            found.append(self._centred(self._fitted(counts, self._best, [SPREAD * _normal(dice) for _ in range(self._size)])))
        return found

    def _centred(self, found: Sequence[float]) -> list[float]:
        count = len(self.names)
        mean = sum(found[:count]) / count
        return [each - mean for each in found[:count]]

    def _usage(self, best: Sequence[int]) -> Usage:
        """What the choice of these, together, weighs."""
        shares = [(who, times / len(best)) for who, times in sorted(Counter(best).items())]
        return (*shares, *([(self._ties[len(best)], 1.0)] if len(best) > 1 else []))

    def _choices_from(self, field: Sequence[int]) -> list[tuple[Usage, int]]:
        """All that could be chosen from a field, and in how many ways."""
        sizes = [size for size in (1, *self._ties) if size <= len(field)]
        return list(Counter(self._usage(best) for size in sizes for best in combinations(field, size)).items())

    def _fitted(self, kinds: Counter[int], start: Sequence[float], middle: Sequence[float]) -> list[float]:
        """The parameters that make the games of these kinds likeliest, by Newton's method."""
        fields: Counter[tuple[int, ...]] = Counter()
        chosen = [0.0] * self._size
        for kind, count in kinds.items():
            for field, _ in self._kinds[kind]:
                fields[field] += count
            for at, factor in self._chosen[kind]:
                chosen[at] += count * factor
        found = list(start)
        while True:
            slope = [have + (mid - now) / SPREAD**2 for have, mid, now in zip(chosen, middle, found, strict=True)]
            curve = [[SPREAD**-2 * (row == column) for column in range(self._size)] for row in range(self._size)]
            for field, count in fields.items():
                self._expect(self._choices[field], count, found, slope, curve)
            step = _solved(curve, slope)
            longest = max(map(abs, step))
            # within 1 the curve is nearly what it is here, so a step that is no longer leads upwards
            found = [now + each / max(1.0, longest) for now, each in zip(found, step, strict=True)]
            if longest < CLOSE:
                return found

    def _expect(
        self, choices: Sequence[tuple[Usage, int]], count: int, found: Sequence[float], slope: list[float], curve: list[list[float]]
    ) -> None:
        """Take from the slope what a field would choose on average, so many times, and add to the curve how much that varies."""
        weights = [ways * exp(sum([found[at] * factor for at, factor in usage])) for usage, ways in choices]
        scale = count / sum(weights)
        mean: dict[int, float] = {}
        for (usage, _), weight in zip(choices, weights, strict=True):
            for at, factor in usage:
                part = scale * weight * factor
                mean[at] = mean.get(at, 0.0) + part
                row = curve[at]
                for other, second in usage:
                    row[other] += part * second
        for at, expected in mean.items():
            slope[at] -= expected
            row = curve[at]
            for other, second in mean.items():
                row[other] -= expected * second / count


def _stages(line_up: Sequence[int], ranks: Sequence[int]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """A game as the choices that were made: who was left, and who of them came first."""
    stages = []
    for rank in sorted(set(ranks)):
        field = tuple(sorted(who for who, placed in zip(line_up, ranks, strict=True) if placed >= rank))
        if len(field) > 1:
            stages.append((field, tuple(sorted(who for who, placed in zip(line_up, ranks, strict=True) if placed == rank))))
    return tuple(stages)


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """What times the matrix, symmetric and positive, is the right side (Gauss)."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        for below in range(at + 1, size):
            if part := rows[below][at] / rows[at][at]:
                rows[below] = [one - part * other for one, other in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][size] - sum(rows[at][other] * found[other] for other in range(at + 1, size))) / rows[at][at]
    return found


def _normal(dice: Dice) -> float:
    """A number from the standard normal distribution (Box and Muller)."""
    return sqrt(-2 * log(1 - dice.fraction())) * cos(2 * pi * dice.fraction())
