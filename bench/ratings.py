"""Whether the arena's ratings can be trusted: `python bench/ratings.py [ARENAS [WORKERS]]` (1000 and 1 if not said).

Players of known strength play made-up arenas by the model itself, ties included; counted is how often the 95 % interval of a rating
holds the true one, and how often the rating lies in its own interval. With 1,000 arenas it takes about 20 minutes of one core.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import combinations
from math import exp
from typing import NamedTuple

from sheepfold.arena.arena import MIDDLE, POINTS, RESAMPLES, Outcome, standings
from sheepfold.arena.crew import all_done
from sheepfold.arena.line_ups import line_ups
from sheepfold.core.dice import Dice


class Made(NamedTuple):
    """Arenas of one kind: how many points each player has, how many sit at a table, how common ties are, how many games are played."""

    points: tuple[int, ...]
    seats: int
    ties: float
    games: int


class Covered(NamedTuple):
    """How many ratings were given, how many intervals held the true one, and how many the rating itself."""

    count: int
    held: int
    inside: int


CHUNK = 25
"""So many arenas are one piece of work."""
KINDS = (
    Made((0, 100), 2, 0.0, 50),
    Made((0, 100), 2, 0.3, 400),
    Made((0, 800), 2, 0.1, 40),
    Made((0, 100, 250, 600), 2, 0.1, 100),
    Made((0, 100, 250, 600), 4, 0.1, 40),
    Made((0, 100, 250, 600), 4, 0.1, 400),
)


def ranks(strengths: Sequence[float], ties: float, dice: Dice) -> tuple[int, ...]:
    """How a game ends: place after place is given to one or, as often as ties are, shared by two."""
    placed = [0] * len(strengths)
    place = 1
    while left := [seat for seat, rank in enumerate(placed) if not rank]:
        best = [(seat,) for seat in left] + list(combinations(left, 2)) * (ties > 0)
        weights = [exp(sum(strengths[seat] for seat in some) / len(some)) * (ties if len(some) > 1 else 1) for some in best]
        mark = dice.fraction() * sum(weights)
        at = 0
        while at < len(best) - 1 and mark >= weights[at]:
            mark -= weights[at]
            at += 1
        for seat in best[at]:
            placed[seat] = place
        place += len(best[at])
    return tuple(placed)


def made_up(kind: Made, seed: str) -> list[Outcome]:
    """An arena's games."""
    strengths = {f"p{points}": points / POINTS for points in kind.points}
    dice = Dice(seed)
    outcomes = []
    for number, line_up in enumerate(line_ups(list(strengths), kind.seats, seed, False, kind.games)):
        ended = ranks([strengths[name] for name in line_up], kind.ties, dice)
        outcomes.append(Outcome(number, line_up, ended, ended, 1, (0.0,) * kind.seats))
    return outcomes


def coverage(kind: Made, arenas: range, resamples: int = RESAMPLES, seed: str = "ratings") -> Covered:
    """What some arenas of a kind show."""
    middle = sum(kind.points) / len(kind.points)
    true = {f"p{points}": MIDDLE + points - middle for points in kind.points}
    count = held = inside = 0
    for number in arenas:
        for each in standings(made_up(kind, f"{seed}/{number}"), f"{seed}/{number}/bootstrap", resamples):
            assert each.rating
            count += 1
            held += each.rating.low <= true[each.name] <= each.rating.high
            inside += each.rating.low <= each.rating.points <= each.rating.high
    return Covered(count, held, inside)


def _work(task: tuple[Made, range]) -> Covered:
    return coverage(*task)


def main() -> None:
    arenas, workers = (int(given) if given else usual for given, usual in zip([*sys.argv[1:3], "", ""], (1000, 1), strict=False))
    print(f"{arenas} made-up arenas each\n\n| players, points apart | seats | ties | games | true rating in the interval | rating in it |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        tasks = [(kind, range(first, min(first + CHUNK, arenas))) for first in range(0, arenas, CHUNK)]
        count, held, inside = map(sum, zip(*all_done(_work, tasks, workers), strict=True))
        about = f"| {', '.join(map(str, kind.points))} | {kind.seats} | {kind.ties} | {kind.games}"
        print(f"{about} | {100 * held / count:.1f} % | {100 * inside / count:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
