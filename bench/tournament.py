"""What a tournament of a thousand costs: `python bench/tournament.py [--players N] [--game G] [--seats N] [--rounds N] [--database D]`.

First the pairing alone, round after round with results by chance, for tables of two to five. Then a real server's rooms on a real
database: a tournament of that many bots is announced, and of each round printed what it cost to pair it, to make its tables and to play
them, and the longest pause of the loop meanwhile, in which nobody else is answered; then how long it takes to read it all and count the
standings, and to draw the page for everybody. The figures are printed as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from local_postgres import running as postgres_running
from sqlalchemy import select

from sheepfold.game.registry import find
from sheepfold.people.identity import Identity
from sheepfold.people.pairing import Player, swiss
from sheepfold.people.standings import Played, standings
from sheepfold.people.tournaments import RUNNING, Rules, Tournaments
from sheepfold.table.schema import tournaments
from sheepfold.table.store import Store
from sheepfold.table.tables import Tables
from sheepfold.web.tournaments import board_of


def pairings(players: int, rounds: int) -> dict[str, Any]:
    """Seconds of the slowest round for tables of each size, how often two met again, and how unevenly anybody sat."""
    found = {}
    for seats in (2, 3, 4, 5):
        dice = random.Random(seats)
        strength = [dice.random() for _ in range(players)]
        met = [Counter[int]() for _ in range(players)]
        sat = [Counter[int]() for _ in range(players)]
        byes: Counter[int] = Counter()
        played: list[Played] = []
        times = []
        for number in range(1, rounds + 1):
            order = [
                Player(each.entrant, each.points, met[each.entrant], sat[each.entrant], byes[each.entrant])
                for each in standings(range(players), played)
            ]
            began = time.perf_counter()
            made = swiss(order, seats, range(2, seats + 1))
            times.append(time.perf_counter() - began)
            byes.update(made.byes)
            played += [Played(number, each, None) for each in made.byes]
            for board, table in enumerate(made.tables):
                ranks = sorted(table, key=lambda each: -dice.gauss(strength[each], 0.2))
                for seat, each in enumerate(table):
                    sat[each][seat] += 1
                    met[each].update(other for other in table if other != each)
                    played.append(Played(number, each, board, seat, ranks.index(each) + 1, len(table) - ranks.index(each)))
        again = sum(times - 1 for each in met for times in each.values() if times > 1) // 2
        uneven = max(max(each[seat] for seat in range(seats)) - min(each[seat] for seat in range(seats)) for each in sat)
        found[f"tables of {seats}"] = {
            "slowest_s": round(max(times), 2),
            "median_s": round(sorted(times)[len(times) // 2], 2),
            "met_again": again,
            "uneven": uneven,
        }
    return found


class Watch:
    """The longest pause of the loop."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, time.perf_counter() - before)


async def whole(url: str, game: str, players: int, seats: int, rounds: int) -> dict[str, Any]:
    house = Tables(Store(url), 0.0)
    room, device = Tournaments(house), Identity(house.store).new_device()
    watch = Watch()
    watching = asyncio.get_running_loop().create_task(watch.run())
    rules = Rules(seats=seats, rounds=rounds, seconds=60, levels=("ewe",), fill=players)
    cup = await room.announce(device, "A thousand", find(game), rules)
    await room.begin(device, cup)
    await house.bots.in_process("", len, ())  # the processes are there
    found: list[dict[str, float]] = []
    asked = select(tournaments.c.state, tournaments.c.round).where(tournaments.c.id == cup)
    while True:
        watch.longest, began = 0.0, time.perf_counter()
        await room.step(cup)
        ((state, number),) = room._rows(asked)
        if state != RUNNING:
            break
        if number > len(found):  # this step has paired a round; the next makes its tables
            found.append({"round": number, "paired_s": time.perf_counter() - began, "played_s": 0.0, "pause_ms": 0.0})
            began = time.perf_counter()
            await room.step(cup)
            found[-1]["made_s"] = time.perf_counter() - began
            found[-1]["making_pause_ms"] = 1000 * watch.longest
        else:
            found[-1]["played_s"] += time.perf_counter() - began
            found[-1]["pause_ms"] = max(found[-1]["pause_ms"], 1000 * watch.longest)
    found = [{name: round(value, 2) for name, value in each.items()} for each in found]
    began = time.perf_counter()
    last = room._load(cup)
    assert last
    loaded = time.perf_counter() - began
    drawn = {}
    board_of(last, "en", last.round, False)  # words and templates are there
    for wanted in (False, True):
        began = time.perf_counter()
        text = board_of(last, "en", last.round, wanted)
        drawn["whole" if wanted else "first lines"] = {"ms": round(1000 * (time.perf_counter() - began), 1), "bytes": len(text.encode())}
    watching.cancel()
    await room.close()
    await house.close()
    return {"rounds": found, "read_and_counted_ms": round(1000 * loaded, 1), "drawn": drawn}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--game", default="te-kuiti")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = f"sqlite:///{folder / 'bench.db'}" if asked.database == "sqlite" else stack.enter_context(postgres_running())
        found = {"pairing": pairings(asked.players, 10)}
        print(json.dumps(found), file=sys.stderr, flush=True)
        found |= asyncio.run(whole(url, asked.game, asked.players, asked.seats, asked.rounds))
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
