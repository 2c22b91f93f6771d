"""SharedLimits: what a client uses up, or has open, at one server counts at all of them.

Every second each server tells the others of clients that had a noticeable part of what they may. So at once a client may have its share at
each server, in the long run it has one for all of them; and what is told and lost is forgiven.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping

from sheepfold.table.fairness import Buckets, Held

TOGETHER = 60
"""How many clients are told of in one go; PostgreSQL takes 8,000 bytes."""


class SharedLimits:
    """The limits of one server that others hear of."""

    def __init__(self, used_up: Mapping[str, Buckets], held: Mapping[str, Held]) -> None:
        self.used_up, self.held = used_up, held
        for buckets in used_up.values():
            buckets.spent = Counter()
        self._told: set[str] = set()

    def to_tell(self) -> Iterator[str]:
        """What the others are to hear now."""
        for name, buckets in self.used_up.items():
            clients = [*buckets.noticeable().items()]
            for first in range(0, len(clients), TOGETHER):
                yield json.dumps([name, dict(clients[first : first + TOGETHER])])
        for name, held in self.held.items():
            found = held.noticeable()
            if found or name in self._told:  # that there is nothing any more is told once
                yield json.dumps([name, dict(sorted(found.items(), key=lambda each: -each[1])[:TOGETHER])])
            (self._told.add if found else self._told.discard)(name)

    def hear(self, server: str, told: str) -> None:
        """What another one tells."""
        name, clients = json.loads(told)
        now = time.monotonic()
        if buckets := self.used_up.get(name):
            for client, amount in clients.items():
                buckets.charge(client, amount, now)
        elif held := self.held.get(name):
            held.hear(server, clients, now)
