"""Finished games to look back at, played at random and stored as tables that are over."""

from __future__ import annotations

from dataclasses import replace

from tables_helper import finished as finished

from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.records import Record
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import new_table
from sheepfold.web.replay_frames import FinishedGame


def played(record: Record) -> FinishedGame:
    """The same as plain values."""
    setup, events = record.setup, [tuple(event) for event in record.events]
    return FinishedGame(setup.game.name, setup.seats, dict(setup.options), list(record.names or []), events, {})  # type: ignore[arg-type]


def put(store: Store, record: Record, people: int = 0, plies: int | None = None) -> str:
    """A table with that game, or its first plies; `people` of its seats are people's (all without a number), the others bots'."""
    seats = [
        Seat("person", name, f"token-{number}") if number < (people or record.setup.seats) else Seat("bot", name, "", "ewe")
        for number, name in enumerate(record.names or [])
    ]
    events = record.events[:plies]
    status = "over" if record.end(plies).to_act == OVER else "playing"
    table = replace(new_table(record.setup.game.name, seats, dict(record.setup.options)), status=status, events=list(events))
    store.create(table).result(30)
    return table.id


def viewers(record: Record) -> list[int]:
    return [SPECTATOR, *range(record.setup.seats)]
