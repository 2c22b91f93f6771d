"""How often the solo game is won by a player who forgets nothing and looks no further than the next tile (TK-30).

    python -m sheepfold.games.te_kuiti.solo_rates --games 10000

The player turns up a pair it knows of, else a tile that nobody has seen, else any. A ram removes the fence that sets most tiles
free; where none sets any free, the plain player removes any fence and the careful one a fence of the tile that has most of them.
That one habit wins many games with three or four flowers a mood.
"""

from __future__ import annotations

import argparse

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.games.te_kuiti import GAME
from sheepfold.games.te_kuiti.rules import CELLS, DONE, RAMMING, REMOVE, TAKE, TURN, TURNING, TeKuiti, edge_at


def greedy(position: TeKuiti, dice: Dice, careful: bool) -> int:
    """The player's choice."""
    if position.stage == TURNING:
        return TURN + _tile(position, dice)
    if position.stage == RAMMING:
        return REMOVE + _fence(position, dice, careful)
    return DONE


def _tile(position: TeKuiti, dice: Dice) -> int:
    """The cell to turn."""
    turnable = [action - TURN for action in position.legal() if TURN <= action < TAKE]
    seen = [cell for cell in turnable if position.known[cell]]
    unseen = [cell for cell in turnable if not position.known[cell]]
    if position.revealed == 1:
        first = int(position.first)
        wanted = [] if position.enclosed(first) else [cell for cell in seen if position.mood(cell) == position.mood(first)]
    else:
        moods = [position.mood(cell) for cell in seen]
        wanted = [cell for cell in seen if moods.count(position.mood(cell)) > 1]
    return _any(wanted or unseen or seen, dice)


def _fence(position: TeKuiti, dice: Dice, careful: bool) -> int:
    """The fence to remove."""
    values = {
        action - REMOVE: (_set_free(position, action - REMOVE), _crowding(position, action - REMOVE) if careful else 0)
        for action in position.legal()
        if REMOVE <= action < TURN
    }
    most = max(values.values())
    return _any([edge for edge, value in values.items() if value == most], dice)


def _set_free(position: TeKuiti, edge: int) -> int:
    after = position.copy()
    assert isinstance(after, TeKuiti)
    after.pull_fence(edge)
    return int(after.open_tiles() - position.open_tiles())


def _crowding(position: TeKuiti, edge: int) -> int:
    """The most fences round a tile in the open that this fence touches."""
    return max(
        (
            sum(position.fenced(edge_at(cell, side)) for side in range(4))
            for cell in range(CELLS)
            if position.has_tile(cell) and not position.enclosed(cell) and edge in [edge_at(cell, side) for side in range(4)]
        ),
        default=0,
    )


def _any(things: list[int], dice: Dice) -> int:
    return things[dice.below(len(things))]


def win_rate(flowers: int, games: int, careful: bool = False, seed: object = "solo") -> float:
    """The share of games won with that many flowers a mood."""
    start = GAME.setup(1, flowers=flowers).start()
    won = 0
    for number in range(games):
        dice = Dice(f"{seed}/{flowers}/{number}")
        position = start.copy()
        assert isinstance(position, TeKuiti)
        while position.to_act != OVER:
            position.advance(position.random_action(dice) if position.to_act == CHANCE else greedy(position, dice, careful))
        won += position.won()
    return won / games


def main() -> None:
    """The table, one row for each number of flowers."""
    parser = argparse.ArgumentParser(description="How often the solo game is won by a player who forgets nothing.")
    parser.add_argument("--games", type=int, default=10000, help="games for each number of flowers and each player")
    parser.add_argument("--seed", default="solo")
    arguments = parser.parse_args()
    print(f"{arguments.games} games each; standard error in brackets\n\nflowers a mood        plain player      careful player")
    for flowers in range(5):
        rates = [win_rate(flowers, arguments.games, careful, arguments.seed) for careful in (False, True)]
        print(f"{flowers:>14}   " + "   ".join(f"{rate:>7.1%} ({_error(rate, arguments.games):.2%})" for rate in rates), flush=True)


def _error(rate: float, games: int) -> float:
    return float((rate * (1 - rate) / games) ** 0.5)


if __name__ == "__main__":
    main()
