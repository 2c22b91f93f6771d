"""What a viewer costs the server, without HTTP: `python bench/drawing.py [--games NAME ...] [--repeat N] [--json FILE]`.

A random game of each kind, from the beginning to the end, all seats with a page open. After every change each of them is told, and the
processor time of that is taken, with the bytes that are sent. What viewers share is paid by the first of
them, so beside the median stands the mean, which is what a server with many tables pays.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

from server import table_of
from watching import seats_of

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.game.records import Event
from sheepfold.game.registry import find, names
from sheepfold.table.table import Table, new_table
from sheepfold.table.tables import person_seat
from sheepfold.web.scenes import Scenes, Watcher


class Viewer:
    """What is measured: a page's stream. Called after every change, it makes what is sent of it; first of all the whole."""

    def __init__(self, scenes: Scenes, table: Table, token: str) -> None:
        self.table, self.watcher = table, Watcher(scenes, [token], "en", None, "", zipped=True)

    def __call__(self) -> bytes:
        return self.watcher(self.table)


def measure(name: str, games: int) -> dict[str, float]:
    """Games of one kind: milliseconds and bytes for a viewer and a change."""
    game, scenes, spent, sizes = find(name), Scenes(), [], []
    for number in range(games):
        dice = Dice(f"{name} {number}")
        seats = [person_seat(who) for who in ("Ada", "Ben", "Cleo", "Dan")[: seats_of(game)]]
        table = Table(new_table(name, seats, {}))
        table.draw = lambda position, _, dice=dice: int(position.random_action(dice))  # type: ignore[misc,assignment]
        table.happened(table.plan_start())
        viewers = [Viewer(scenes, table, seat.token) for seat in seats]
        for viewer in viewers:
            viewer()
        while (seat := int(table.position.to_act)) != OVER:
            table.happened(table.plan(Event(seat, int(table.position.random_action(dice)))))
            for viewer in viewers:
                began = time.process_time_ns()
                told = viewer()
                spent.append((time.process_time_ns() - began) / 1e6)
                sizes.append(len(told))
    return {
        "changes": len(spent) / seats_of(game), "ms": median(spent), "ms_p95": quantiles(spent, n=20)[18], "ms_mean": fmean(spent),
        "bytes": median(sizes), "bytes_p95": quantiles(sizes, n=20)[18],
    }  # fmt: skip


def told(found: dict[str, Any]) -> str:
    return (
        f"{found['ms']:7.3f} ms   p95 {found['ms_p95']:7.3f}   mean {found['ms_mean']:7.3f}   "
        f"{found['bytes'] / 1024:6.2f} KB   p95 {found['bytes_p95'] / 1024:6.2f}   {found['changes']:.0f} changes"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--repeat", type=int, default=1, help="games of each kind")
    wanted = parser.parse_args()
    gc.freeze()  # as the server does
    gc.set_threshold(20_000, 20, 20)
    found = {name: measure(find(name).name, wanted.repeat) for name in wanted.games or names()}
    print(table_of([(f"{name}, {seats_of(find(name))} watch", told(each)) for name, each in found.items()]))
    if wanted.json:
        wanted.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
