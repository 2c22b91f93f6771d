"""States that travel: round trips of many random states of every game, compiled and interpreted, here and through other processes.

    python bench/states.py                        10,000 states of each game (whole positions and views), both ways of running the rules
    python bench/states.py --states 500 --game te-kuiti
    python bench/states.py --speed                what a pickle costs, beside the same number of bytes and beside a copy

Every state is pickled and written as JSON; what comes back must hold the same, answer the same (legal actions, scores, key) and go on
in the same way with the same dice. Then batches of states go to a spawned process, and to one of Ray where it is installed, which
answers with a sum of what it got and of how it goes on there.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, EVERYTHING, OVER, SPECTATOR, Position
from sheepfold.core.sequential import sequential
from sheepfold.core.workers import pool
from sheepfold.game.conformance import cases
from sheepfold.game.conformance.travel_checks import strayed, travelled
from sheepfold.game.game import Game

BATCH = 500
FURTHER = 6


def states(game: Game, count: int, seed: str = "states") -> Iterator[Position]:
    """So many positions and views of all set-ups of a game, from random games, in turn."""
    setups = [case.setup for case in cases(game) if not case.wrapped]
    made = 0
    for number in range(count):
        dice = Dice(seed).split(game.name, number)
        position = sequential(setups[number % len(setups)].start())
        while position.to_act != OVER:
            position.advance(position.random_action(dice))
            if position.to_act != CHANCE and dice.below(4) == 0:
                viewers = [EVERYTHING, *range(position.seats), SPECTATOR]
                viewer = viewers[dice.below(len(viewers))]
                yield position.copy() if viewer == EVERYTHING else position.seen_by(viewer)
                made += 1
                if made == count:
                    return


def sum_of(batch: list[Position]) -> str:
    """What these states are and become with the same dice; the same in every process."""
    total = blake2b(digest_size=8)
    for thing in batch:
        on = thing.copy() if thing.viewer == EVERYTHING else thing.determinize(Dice("guess"))
        dice = Dice("on")
        for _ in range(FURTHER):
            if on.to_act != OVER:
                on.advance(on.random_action(dice))
        total.update(repr((int(thing.viewer), thing.key(), on.key(), on.scores())).encode())
    return total.hexdigest()


def by_ray() -> Callable[[list[Position]], str] | None:
    """Sums made by a process of Ray; None where it is not installed."""
    try:
        import ray
    except ImportError:
        return None
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    remote = ray.remote(sum_of)
    return lambda batch: str(ray.get(remote.remote(batch)))


def round_trips(game: Game, count: int, ways: dict[str, Callable[[list[Position]], str]]) -> None:
    begun, batch, sums = time.process_time(), [], 0
    for number, thing in enumerate(states(game, count)):
        for way, back in travelled(thing).items():
            fault = strayed(thing, back, Dice(f"on/{number}"))
            if fault:
                raise SystemExit(f"{game.name}, state {number}, as {way}: {fault}")
        batch.append(thing)
        if len(batch) == BATCH or number == count - 1:
            for way, send in ways.items():
                if send(batch) != sum_of(batch):
                    raise SystemExit(f"{game.name}: {way} got something else than was sent, in the states up to {number}")
                sums += 1
            batch = []
    kind = "compiled" if sheepfold.compiled() else "interpreted"
    print(f"{game.name:20} {kind:12} {count:6,} states came back the same, by pickle and JSON; {', '.join(ways)}: {sums} batches the same"
          f" ({time.process_time() - begun:.0f} s of CPU time)", flush=True)  # fmt: skip


def microseconds(work: Callable[[], Any]) -> float:
    """The least that it takes of the processor, which other work can only make longer."""
    return min(timeit.repeat(work, number=200, repeat=100, timer=time.process_time)) / 200 * 1e6


def speed(game: Game) -> None:
    *_, position = states(game, 40)
    while isinstance(position, Position) and position.viewer != EVERYTHING:
        position = position.determinize(Dice(1))
    data = pickle.dumps(position, 5)
    same = bytes(len(data))
    pickled, plain = microseconds(lambda: pickle.dumps(position, 5)), microseconds(lambda: pickle.dumps(same, 5))
    read, copied = microseconds(lambda: pickle.loads(data)), microseconds(position.copy)
    print(f"{game.name:20} {len(data):5} bytes: pickled in {pickled:5.2f} microseconds, as many plain bytes in {plain:.2f},"
          f" so {pickled - plain:5.2f} more; read in {read:5.2f}, copied in {copied:.2f}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--states", type=int, default=10_000)
    parser.add_argument("--game", help="only this one")
    parser.add_argument("--speed", action="store_true", help="what a pickle costs")
    parser.add_argument("--once", action="store_true", help="only as the rules run here, compiled or not")
    chosen = parser.parse_args()
    games = [sheepfold.games.find(chosen.game)] if chosen.game else sheepfold.games.every_game()
    if chosen.speed:
        for game in games:
            speed(game)
        return
    with pool(1) as processes:
        ways = {"a spawned process": lambda batch: str(processes.apply(sum_of, (batch,)))}
        if ray := by_ray():
            ways["Ray"] = ray
        for game in games:
            round_trips(game, chosen.states, ways)
    if sheepfold.compiled() and not chosen.once:
        again = [sys.executable, __file__, "--states", str(chosen.states), *(["--game", chosen.game] if chosen.game else [])]
        raise SystemExit(subprocess.run(again, env={**os.environ, "SHEEPFOLD_PURE": "1"}, check=False).returncode)


if __name__ == "__main__":
    main()
