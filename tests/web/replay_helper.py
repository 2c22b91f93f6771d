"""Finished games to look back at, played at random and stored as tables that are over."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.core.sequential import Sequential, sequential
from sheepfold.game.records import Event, Record
from sheepfold.game.registry import find
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import new_table
from sheepfold.web.replay_frames import FinishedGame

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve"]


@cache
def finished(game: str, seats: int, seed: str) -> Record:
    """A whole game; interruptions happen as they come."""
    setup, dice, events = find(game).setup(seats), Dice(seed), list[Event]()
    position = sequential(setup.start())
    while position.to_act != OVER:
        action, who = int(position.random_action(dice)), int(position.to_act)
        asking = isinstance(position, Sequential) and who != CHANCE and position.asking()
        if not isinstance(position, Sequential) or action != position.pass_action:
            events.append(Event(who, action, asking))
        position.advance(action)
    return Record(setup, events, NAMES[:seats])


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
