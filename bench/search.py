"""Speed of the search, as one run: `python bench/search.py [--seconds S | --moves N | --ends N] [--json FILE] [GAME ...]`.

Simulations a second for every game with its own settings, at the first move and in the middle of a game, compiled and interpreted (a second
process with SHEEPFOLD_PURE=1); and side by side with OpenSpiel's C++ MCTSBot on two yardstick games: the same number of simulations,
random playouts to the end on both sides, UCT on both sides. Seconds are the processor's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import sheepfold
from sheepfold.bots import LEVELS, bot
from sheepfold.bots.search import Search
from sheepfold.bots.solver import Solver
from sheepfold.bots.thinkers import GameBot, SearchBot, evaluator_of
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import CHANCE, OVER, Position, playout
from sheepfold.core.sequential import sequential
from sheepfold.yardsticks.breakthrough import Breakthrough
from sheepfold.yardsticks.connect_four import ConnectFour

YARDSTICKS: dict[str, Callable[[], Position]] = {"connect_four": ConnectFour, "breakthrough": Breakthrough}
SIMULATIONS = 1000


def at(start: Callable[[], Position], part: float) -> Position:
    """A position with a choice, that part of the way through a random game."""
    plies = playout(start(), Dice("way"))
    position, dice = start(), Dice("way")
    done = 0
    while done < part * plies or position.to_act == CHANCE or (position.to_act != OVER and len(position.legal()) < 2):
        position.advance(position.random_action(dice))
        done += 1
    return position


def rate(search: Callable[[], Search], view: Position, seconds: float, simulations: int) -> float:
    """Simulations a second of fresh searches of that many."""
    done = 0
    dice = Dice("bench")
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds or not done:
        search().run(view, dice, simulations)
        done += simulations
    return done / passed


def of_games(names: list[str], seconds: float) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    for name in names:
        setup = sheepfold.load(name)
        for where, part in (("first move", 0.0), ("mid-game", 0.5)):
            position = at(lambda setup=setup: sequential(setup.start()), part)
            view = position.seen_by(position.to_act)
            made = bot("search:500")
            assert isinstance(made, GameBot)
            inner = made.inner(view)
            assert isinstance(inner, SearchBot)
            measured = rate(lambda view=view, inner=inner: inner.tree(view), view, seconds, 200)
            figures[f"{name} {setup.seats}, {where}"] = {"simulations/s": measured}
    return figures


def of_yardsticks(seconds: float) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    for name, start in YARDSTICKS.items():
        ours = rate(lambda: Search(Evaluator(margin=0.0), 1.4), start(), seconds, SIMULATIONS)
        figures[name] = {"simulations/s": ours}
        try:
            figures[name]["OpenSpiel"] = of_open_spiel(name, seconds)
        except ImportError:
            print("OpenSpiel is not installed here (`pip install open_spiel`): its column is left out", file=sys.stderr)
    return figures


def of_open_spiel(name: str, seconds: float) -> float:
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    done = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds or not done:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 7 + done)
        player = pyspiel.MCTSBot(game, evaluator, 1.4, SIMULATIONS, 1000, False, 7, False)
        player.step(state)
        done += SIMULATIONS
    return done / passed


def moves(names: list[str], games: int) -> None:
    """The processor's seconds for a decision of the strongest level, median and worst, over whole games against itself."""
    print(f"{'strongest level':32}{'decisions':>10}{'median s':>10}{'worst s':>10}")
    for name in names:
        setup = sheepfold.load(name)
        taken: list[float] = []
        for number in range(games):
            dice = Dice("moves").split(number)
            player = bot(LEVELS[-1])
            position = sequential(setup.start())
            while position.to_act != OVER:
                if position.to_act == CHANCE or len(position.legal()) == 1:
                    position.advance(position.random_action(dice))
                    continue
                view = position.seen_by(position.to_act)
                began = time.process_time()
                action = player.choose(view, dice)
                taken.append(time.process_time() - began)
                position.apply(action)
        taken.sort()
        print(f"{name:26}{setup.seats:>6}{len(taken):>10}{taken[len(taken) // 2]:>10.3f}{taken[-1]:>10.3f}", flush=True)


def ends(names: list[str], games: int, limit: int = 3000) -> None:
    """What the solver would do better than the strongest level at the ends of games against itself: where both are held against the same
    exact values, far fewer games tell than by counting wins."""
    print(f"{'strongest level, per game':26}{'decisions':>16}{'solved':>10}{'missed':>10}{'of a win lost':>15}{'worst s':>10}")
    for name in names:
        setup = sheepfold.load(name)
        decisions = solved = missed = 0
        lost = worst = 0.0
        for number in range(games):
            dice = Dice("ends").split(number)
            player = bot(LEVELS[-1])
            position = setup.start()
            while position.to_act != OVER:
                if position.to_act == CHANCE or len(position.legal()) == 1:
                    position.advance(position.random_action(dice))
                    continue
                view = position.seen_by(position.to_act)
                action = player.choose(view, dice)
                decisions += 1
                began = time.process_time()
                exact = Solver(evaluator_of(view), limit).values(view)
                worst = max(worst, time.process_time() - began)
                if exact:
                    solved += 1
                    given_away = exact[0][1] - dict(exact)[action]
                    missed += given_away > 1e-9
                    lost += given_away
                position.apply(action)
        row = f"{decisions / games:>10.1f}{solved / games:>10.2f}{missed / games:>10.2f}{lost / games:>15.4f}{worst:>10.3f}"
        print(f"{name:26}{setup.seats:>6}{row}", flush=True)


def interpreted(names: list[str], seconds: float) -> dict[str, dict[str, float]]:
    command = [sys.executable, __file__, "--inner", "--seconds", str(seconds), *names]
    done = subprocess.run(command, env={**os.environ, "SHEEPFOLD_PURE": "1"}, check=True, capture_output=True, text=True)
    result: dict[str, dict[str, float]] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="only these games (default: all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--moves", type=int, metavar="N", help="only how long the strongest level takes for a decision, over N games")
    parser.add_argument("--ends", type=int, metavar="N", help="only what a solver would do better, over N games; games without secrets")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = arguments.games or [game.name for game in sheepfold.games.every_game()]
    if arguments.moves:
        moves(names, arguments.moves)
        return
    if arguments.ends:
        ends([name for name in names if not sheepfold.games.find(name).secrets], arguments.ends)
        return
    if arguments.inner:
        print(json.dumps(of_games(names, arguments.seconds)))
        return
    figures = {"games": of_games(names, arguments.seconds), "yardsticks": of_yardsticks(arguments.seconds)}
    figures["interpreted"] = interpreted(names, arguments.seconds)
    print("compiled" if sheepfold.compiled() else "NOT compiled")
    print(f"\n{'search of its own settings':40}{'simulations/s':>15}{'interpreted':>13}{'ratio':>8}")
    for name, row in figures["games"].items():
        slow = figures["interpreted"][name]["simulations/s"]
        print(f"{name:40}{row['simulations/s']:>15,.0f}{slow:>13,.0f}{row['simulations/s'] / slow:>8.1f}")
    print(f"\n{'yardstick, first move':40}{'simulations/s':>15}{'OpenSpiel':>13}{'ratio':>8}")
    for name, row in figures["yardsticks"].items():
        peer = row.get("OpenSpiel")
        against = f"{peer:>13,.0f}{row['simulations/s'] / peer:>8.1f}" if peer else ""
        print(f"{name:40}{row['simulations/s']:>15,.0f}{against}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
