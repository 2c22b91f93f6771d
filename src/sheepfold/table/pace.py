"""Pace: how long the bots of a table take, so that people can follow them; and who lets them hold for a while, or go on.

A decision takes longer where the game told more of what happened before it, or showed something for a moment only. Who sits at a table and
looks at it says how quick they like it; where they differ it is the ordinary pace, and where nobody looks bots hurry. Whoever reads or
chooses lets bots hold. Nothing of it is stored, none of it depends on what is hidden, and nobody waits long for somebody else.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sheepfold.core.position import SPECTATOR
from sheepfold.table.table import Table
from sheepfold.table.timing import has_clock

if TYPE_CHECKING:
    from sheepfold.table.tables import Tables

BOT_PAUSE = 1.3
"""Seconds that a bot's decision takes at least, at the ordinary pace."""
ORDINARY, HURRIED = "normal", "fast"
PACES = {"slow": 1.8, ORDINARY: 1.0, HURRIED: 0.5}
"""How long it takes at each pace, of the ordinary."""
A_SENTENCE, MOST_SENTENCES = 0.35, 4
"""How much longer, of a pause, for every sentence beyond the first that was told of what happened before; and of how many."""
LIES_OPEN = 2.5
"""Seconds at any pace for what is seen only for a moment."""
CHANCE_TO_ACT = 2.5
"""How many pauses there are after somebody's own turn, where they might still act out of turn."""
HOLDS, HOLDS_ALONE = 20.0, 600.0
"""Seconds for which somebody may let bots hold from one turn of theirs to the next: where others play or a clock runs, and elsewhere."""
WISHES = ("hold", "go")
"""Bots are to hold; or somebody has seen what there is, and they may go on."""


@dataclass
class Hold:
    """Somebody's wish that bots hold. It is not renewed before they have acted."""

    since: int | None
    ends: float
    on: bool = True


@dataclass
class Waiting:
    """What is to be waited for at a table."""

    holds: dict[int, Hold] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    """By seat, the version of the table at which they had seen what there is."""
    stirred: asyncio.Event = field(default_factory=asyncio.Event)


class Pace:
    """The pace of all tables of a server."""

    def __init__(self, tables: Tables, pause: float) -> None:
        self.tables = tables
        self.ordinary = pause
        self.looking: dict[str, Counter[tuple[str, int, str]]] = {}
        """By table, at which server the people of which seats look at it, and the pace that they like."""
        self._waiting: WeakKeyDictionary[Table, Waiting] = WeakKeyDictionary()

    # Who looks, and what they wish.

    @contextmanager
    def followed(self, table_id: str, seats: list[int], pace: str) -> Iterator[None]:
        """While this lasts, the people of these seats look at a table, and like that pace."""
        for seat in seats:
            self.say(table_id, seat, f"+{pace}")
        try:
            yield
        finally:
            for seat in seats:
                self.say(table_id, seat, f"-{pace}")

    def say(self, table_id: str, seat: int, what: str) -> None:
        """Something that is heard at every server, whichever asks the bots of that table: a pace liked from now on (+) or no longer (-), or
        one of the wishes."""
        self.hear(self.tables.store.name, table_id, seat, what)
        self.tables.fleet.pass_on(f"{table_id} {seat} {what}")

    def hear(self, server: str, table_id: str, seat: int, what: str) -> None:
        """What somebody there, or here, has said."""
        table = self.tables.in_memory.get(table_id)
        if what in WISHES:
            if table and seat in table.people():
                self._wish(table, seat, what)
        elif what[1:] in PACES:
            found = self.looking.setdefault(table_id, Counter())
            found[server, seat, what[1:]] += 1 if what[0] == "+" else -1
            self._look(table_id, +found)

    def keep_only(self, servers: Collection[str]) -> None:
        """Who looked at a server that has ended looks no more."""
        for table_id, found in list(self.looking.items()):
            if any(server not in servers for server, _, _ in found):
                self._look(table_id, Counter({key: count for key, count in found.items() if key[0] in servers}))

    def _look(self, table_id: str, who: Counter[tuple[str, int, str]]) -> None:
        if who:
            self.looking[table_id] = who
        else:
            self.looking.pop(table_id, None)

    def _wish(self, table: Table, seat: int, wish: str) -> None:
        waiting, acted = self._waits(table), table.session.last_ply_of((seat,))
        held = waiting.holds.get(seat)
        if wish == "go":
            waiting.seen[seat] = table.version
            if held:
                held.on = False
        elif held and held.since == acted:
            held.on = True
        else:
            lasts = HOLDS_ALONE if self.alone(table) else HOLDS
            waiting.holds[seat] = Hold(acted, asyncio.get_running_loop().time() + lasts)
        waiting.stirred.set()

    def _waits(self, table: Table) -> Waiting:
        return self._waiting.get(table) or self._waiting.setdefault(table, Waiting())

    def stir(self, table: Table) -> None:
        """Something has changed there, so who waits looks again."""
        if table in self._waiting:
            self._waiting[table].stirred.set()

    @staticmethod
    def alone(table: Table) -> bool:
        """Whether one person plays there, and no clock by which that would be unfair to others."""
        clock = has_clock(table.settings) or table.counts_at
        return not clock and len({table.seats[seat].token for seat in table.people()}) <= 1

    def _present(self, table: Table) -> set[int]:
        people = table.people()
        return {seat for _, seat, _ in self.looking.get(table.id, ()) if seat in people}

    # How long.

    def usual(self, table: Table) -> float:
        """Seconds for a decision before which there was little to see."""
        present = self._present(table)
        liked = {pace for _, seat, pace in self.looking.get(table.id, ()) if seat in present}
        return self.ordinary * PACES[HURRIED if not liked else liked.pop() if len(liked) == 1 else ORDINARY]

    def least(self, table: Table) -> float:
        """Seconds for the next decision, with what there was to see before it, and with who might act out of turn first."""
        usual, present = self.usual(table), self._present(table)
        if not usual or not present:
            return usual
        session, position = table.session, table.position
        told = sum(len(each.lines) for each in session.told(SPECTATOR, table.voice("en"), session.latest))
        least = usual * (1 + A_SENTENCE * max(0, min(told, MOST_SENTENCES) - 1))
        if table.game.lies_open(table.view(SPECTATOR)) or table.passing(SPECTATOR):
            least = max(least, LIES_OPEN)
        latest = session.last_ply_of(range(position.seats))
        mover = SPECTATOR if latest is None else table.events[latest].who
        if mover in present and position.interruptible and position.may_interrupt(mover):
            least = max(least, usual * CHANCE_TO_ACT)
        return least

    def pause(self, table: Table, thought: float, least: float) -> float:
        """How long a bot still waits that has thought so long. Where there are secrets it takes whole pauses: so its time tells little."""
        usual = self.usual(table)
        if usual and table.game.secrets and thought > least:
            return usual - (thought - least) % usual
        return max(0.0, least - thought)

    async def wait(self, table: Table, version: int, began: float) -> None:
        """Back when a bot that was asked then may act, or is overtaken by what somebody did."""
        waiting, loop = self._waits(table), asyncio.get_running_loop()
        thought = loop.time() - began
        least, usual = (began + thought + self.pause(table, thought, each) for each in (self.least(table), self.usual(table)))
        while table.version == version:
            waiting.stirred.clear()
            left = max(usual if self._all_have_seen(table) else least, self._held_until(table)) - loop.time()
            if left <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await waiting.stirred.wait()

    def _all_have_seen(self, table: Table) -> bool:
        present, seen = self._present(table), self._waits(table).seen
        return bool(present) and all(seen.get(seat) == table.version for seat in present)

    def _held_until(self, table: Table) -> float:
        """Where others play, only who may act out of turn is waited for, by what everybody knows."""
        if not self.ordinary:
            return 0.0
        alone, position = self.alone(table), table.position
        holds = {seat: held for seat, held in self._waits(table).holds.items() if held.on}
        waited_for = (seat for seat in holds if alone or (position.interruptible and position.may_interrupt(seat)))
        return max((holds[seat].ends for seat in waited_for if holds[seat].since == table.session.last_ply_of((seat,))), default=0.0)
