"""Whole random games against a second, slow and plain implementation, with seeds that differ from run to run.

A plain implementation is a generator: it yields who is to act and what may be done, and is sent what was done. SHEEPFOLD_SEED=SEED plays
the one game that a failure named. As a program it plays many: python tests/plain_games.py GAMES [te_kuiti sheepzzz haste_bock].
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from secrets import token_hex

REPEATED = "SHEEPFOLD_SEED"
PLAIN = ("te_kuiti", "sheepzzz", "haste_bock")


def fresh_seeds(count: int) -> Iterator[str]:
    """So many seeds that nobody has used before, or the one that is to be repeated."""
    if wanted := os.environ.get(REPEATED):
        yield wanted
        return
    run = token_hex(4)
    for number in range(count):
        yield f"{run}-{number}"


def agree_on(agree: Callable[[object, str], None], setup: object, count: int) -> None:
    """Play so many games of a set-up; a failure names the seed that repeats it."""
    for seed in fresh_seeds(count):
        try:
            agree(setup, seed)
        except Exception as error:
            error.add_note(f"{setup}: {REPEATED}={seed} plays this game again")
            raise


def main(games: int, names: list[str]) -> None:
    for name in names or PLAIN:
        sys.path.insert(0, str(Path(__file__).parent / "games" / name))
        module = import_module(f"test_{name}_plain")
        for setup in module.SETUPS:
            started = time.process_time()
            agree_on(module.agree, setup, games)
            print(f"{name} {setup}: {games} games agree, {time.process_time() - started:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
