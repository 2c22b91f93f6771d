"""The command: `python -m sheepfold.game.conformance GAME [--seats N]` checks one game and says what is broken."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module

from sheepfold.game.conformance import CHECKS, cases, checksums, faults
from sheepfold.game.game import Game
from sheepfold.game.registry import find


def find_game(name: str) -> Game:
    """A game of the shelf, or `module:ATTRIBUTE`."""
    if ":" in name:
        module, _, attribute = name.partition(":")
        game = getattr(import_module(module), attribute)
        if not isinstance(game, Game):
            raise SystemExit(f"{name} is not a Game")
        return game
    return find(name)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sheepfold.game.conformance", description="Check a game against the contract.")
    parser.add_argument("game", help="a game's name, or module:ATTRIBUTE")
    parser.add_argument("--seats", type=int, help="only with that many seats")
    parser.add_argument("--seed", default="1", help="for another line of play")
    parser.add_argument("--check", action="append", choices=list(CHECKS), metavar="NAME", help="only this check (may be repeated)")
    parser.add_argument("--checksums", action="store_true", help="play some seeds and print sums, to compare with another process")
    chosen = parser.parse_args(arguments)
    game = find_game(chosen.game)
    if chosen.checksums:
        print(json.dumps(checksums(game)))
        return 0
    broken = 0
    for case in cases(game, chosen.seats):
        found = faults(case, chosen.seed, chosen.check)
        broken += len(found)
        print(f"{case}: {'sound' if not found else 'BROKEN'}", flush=True)
        for name, message in found.items():
            print(f"  {name}: {str(CHECKS[name].__doc__).splitlines()[0]}\n    {message}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
