"""Whether to retire early from La Guerre des Moutons: `python bench/retiring.py [--decisions N] [--rollouts R] [--seats S ...]`.

Games are played by `greedy:1`, which may retire at any time. Wherever somebody does while more than half of the tiles are in the bag, the
game is played on many times from there: once after retiring and once after the best that it would have done instead, with the same guess
of what is hidden and the same dice, and everybody goes on as `greedy:1`. What staying wins more, averaged over these decisions, says
whether retiring was right; a decision counts once, whatever it was played on.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import sqrt

import sheepfold
from sheepfold.bots.greedy import Greedy
from sheepfold.bots.thinkers import evaluator_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position, let_chance_happen
from sheepfold.core.sequential import sequential, unwrapped
from sheepfold.games.guerre_des_moutons.actions import RETIRE
from sheepfold.games.guerre_des_moutons.evaluator import TILES
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons


@dataclass
class Found:
    """What became of one decision to retire: the share of the wins and the points after it, and after staying."""

    turn: int
    bag: float
    retired: float
    stayed: float
    retired_points: float
    stayed_points: float


def bag(position: Position) -> float:
    """What part of the tiles is still in it."""
    inner = unwrapped(position)
    assert isinstance(inner, GuerreDesMoutons)
    return float(inner.in_bag) / TILES


def played_out(position: Position, greedy: Greedy, seat: int, dice: Dice) -> tuple[float, float]:
    """A seat's share of the win and its points, everybody playing on by a greedy look at the own view."""
    while True:
        let_chance_happen(position, dice)
        if position.to_act == OVER:
            ranks = position.ranks()
            return (1 / ranks.count(1) if ranks[seat] == 1 else 0.0), float(position.scores()[seat])
        position.advance(greedy.values(position.seen_by(position.to_act), dice)[0][0])


def weighed(view: Position, other: int, greedy: Greedy, rollouts: int, turn: int, dice: Dice) -> Found:
    totals = {RETIRE: [0.0, 0.0], other: [0.0, 0.0]}
    for number in range(rollouts):
        guess = view.determinize(dice)
        for action, total in totals.items():
            after = guess.copy()
            after.advance(action)
            won, points = played_out(after, greedy, int(view.to_act), dice.split(number))
            total[0] += won / rollouts
            total[1] += points / rollouts
    return Found(turn, bag(view), totals[RETIRE][0], totals[other][0], totals[RETIRE][1], totals[other][1])


def decisions(seats: int, wanted: int, rollouts: int) -> tuple[list[Found], list[float]]:
    """Some decisions to retire early; and how much is left in the bag when a game is over."""
    setup = sheepfold.load("guerre-des-moutons", seats=seats)
    found: list[Found] = []
    left: list[float] = []
    while len(found) < wanted:
        dice = Dice(f"retiring/{seats}/{len(left)}")
        position = sequential(setup.start())
        greedy = Greedy(evaluator_of(position), 1)
        turns = [0] * seats
        weighed_here = False
        while True:
            let_chance_happen(position, dice)
            if position.to_act == OVER:
                break
            view = position.seen_by(position.to_act)
            values = greedy.values(view, dice)
            action = values[0][0]
            own_turn = RETIRE in [choice for choice, _ in values]
            turns[position.to_act] += own_turn
            if own_turn and action == RETIRE and len(values) > 1 and bag(position) > 0.5 and not weighed_here and len(found) < wanted:
                weighed_here = True  # one of a game, so that all are of different games
                found.append(weighed(view, values[1][0], greedy, rollouts, turns[position.to_act], dice.split(0)))
            position.advance(action)
        left.append(bag(position))
    return found, left


def told(numbers: list[float]) -> str:
    """The mean, and twice its standard error."""
    mean = sum(numbers) / len(numbers)
    error = sqrt(sum((each - mean) ** 2 for each in numbers) / max(1, len(numbers) - 1) / len(numbers))
    return f"{mean:+.3f} ± {2 * error:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=60)
    parser.add_argument("--rollouts", type=int, default=40)
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4])
    arguments = parser.parse_args()
    print("| seats | games | with early retiring | tiles left | decisions | bag then | wins more by staying | points more by staying |")
    print("|---|---|---|---|---|---|---|---|")
    for seats in arguments.seats:
        found, left = decisions(seats, arguments.decisions, arguments.rollouts)
        wins = told([each.stayed - each.retired for each in found])
        points = told([each.stayed_points - each.retired_points for each in found])
        full = sum(each.bag for each in found) / len(found)
        rest = sum(left) / len(left)
        print(
            f"| {seats} | {len(left)} | {100 * len(found) / len(left):.0f} % | {100 * rest:.0f} % | {len(found)} "
            f"| {100 * full:.0f} % | {wins} | {points} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
