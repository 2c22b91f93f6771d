"""Prints pins for tests/perft.toml: `python tests/core/pin_counts.py GAME`. Look at a change before you believe it."""

from __future__ import annotations

import sys

import sheepfold
from sheepfold.core.perft import count_lines
from sheepfold.game.conformance import Case, play

MOST = 40_000


def counts(position) -> list[int]:
    found = [count_lines(position, 1)]
    while found[-1] and len(found) < 6:
        estimate = found[-1] * found[-1] // (found[-2] if len(found) > 1 else 1)
        if estimate > MOST:
            break
        found.append(count_lines(position, len(found) + 1))
    return found


def main() -> None:
    for name in sys.argv[1:] or sheepfold.game.registry.names():
        for seats in sheepfold.games.find(name).seats:
            setup = sheepfold.load(name, seats)
            length = len(play(Case(setup, wrapped=setup.start().interruptible), "pin").events)
            for after in (0, length // 4, length // 2, length - 4):
                line = play(Case(setup, wrapped=setup.start().interruptible), "pin", most=after)
                place = f'seed = "pin"\nafter = {after}\n' if after else ""
                print(f'[[pin]]\ngame = "{name}"\nseats = {seats}\n{place}lines = {counts(line.last)}\n')


if __name__ == "__main__":
    main()
