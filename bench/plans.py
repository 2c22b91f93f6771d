"""What the Shepherd of Te Kuiti gains by closing a smaller region first: `python bench/plans.py [--games N] [--sheep BOT]`.

A plan is a row of rectangles: the missing fences round the first that is still worth closing are placed, in any order. Everything else both
players do as the bot would. Printed is what the Shepherd and the Sheep player have on average of a round, over both rounds of each game.
"""

from __future__ import annotations

import argparse
import math
import statistics

from sheepfold.bots import bot
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game.registry import find
from sheepfold.games.te_kuiti.rules import TeKuiti, edge_at

SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
WHOLE = (5, 5)
PLANS: dict[str, tuple[tuple[int, int], ...]] = {
    "as the bot": (),
    "the whole field": (WHOLE,),
    "5 by 4, then the whole": ((5, 4), WHOLE),
    "5 by 3, then the whole": ((5, 3), WHOLE),
    "5 by 2, then the whole": ((5, 2), WHOLE),
    "4 by 4, then the whole": ((4, 4), WHOLE),
    "4 by 3, then the whole": ((4, 3), WHOLE),
}
"""By name: so many rows and columns from the top left."""


def lacking(position: TeKuiti, rows: int, columns: int) -> list[int]:
    """The edges round a rectangle that have no fence yet; none where no tile is left in it."""
    cells = [5 * row + column for row in range(rows) for column in range(columns)]
    if not any(position.has_tile(cell) for cell in cells):
        return []
    found = []
    for cell in cells:
        row, column = divmod(cell, 5)
        for side, (down, right) in enumerate(SIDES):
            inside = 0 <= row + down < rows and 0 <= column + right < columns
            if not inside and not position.fenced(edge_at(cell, side)):
                found.append(int(edge_at(cell, side)))
    return found


def played(plan: tuple[tuple[int, int], ...], name: str, dice: Dice) -> list[tuple[int, int]]:
    """The points of Shepherd and Sheep player in both rounds of a game."""
    position, player = find("te-kuiti").setup(2).start(), bot(name)
    assert isinstance(position, TeKuiti)
    while position.to_act != OVER:
        if position.to_act == CHANCE:
            position.advance(position.random_action(dice))
            continue
        fences: list[int] = []
        if position.fencing():
            fences = next((edges for size in plan if (edges := lacking(position, *size))), [])
        position.advance(fences[dice.below(len(fences))] if fences else player.choose(position.seen_by(position.to_act), dice))
    points, last = [int(each) for each in position.points], int(position.shepherd)
    return [(points[1 - last], points[last]), (points[2 + last], points[3 - last])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=250)
    parser.add_argument("--sheep", metavar="BOT", default="greedy:1", help="who plays all that is not planned (greedy:1)")
    arguments = parser.parse_args()
    print("| plan | Shepherd | Sheep player | the Shepherd's lead |\n|---|---|---|---|", flush=True)
    for name, plan in PLANS.items():
        rounds = [each for game in range(arguments.games) for each in played(plan, arguments.sheep, Dice("plans").split(game))]
        shepherd, sheep = (statistics.mean(each) for each in zip(*rounds, strict=True))
        leads = [one - other for one, other in rounds]
        wide = 2 * statistics.stdev(leads) / math.sqrt(len(leads))
        print(f"| {name} | {shepherd:.2f} | {sheep:.2f} | {shepherd - sheep:+.2f} ± {wide:.2f} |", flush=True)


if __name__ == "__main__":
    main()
