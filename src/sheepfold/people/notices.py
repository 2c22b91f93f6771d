"""Notices: who has gone away is told that it is their turn; once a table, until they have looked at it again.

Nothing of this is in the way of a move. Every second each server looks at the tables where a decision has begun a moment ago (`find`),
writes down who is to be told and where, and sends what is due (`send`): to a browser's push service, or to an address that somebody gave.
Several servers do so side by side: a notice is written down by whoever marks the place first, and sent by whoever puts off its time first.
Who has the table before their eyes counts as having looked (`Presence`).

A notice says which table and whose turn it is, and nothing of the game.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, RowMapping, and_, bindparam, delete, exists, func, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from sheepfold.core.errors import UnknownGame
from sheepfold.game.registry import find as find_game
from sheepfold.messages import Voice
from sheepfold.people.looking import LOOK, end, for_ever
from sheepfold.people.post import Answer, NoAddress, post
from sheepfold.people.push import Browser, Push, can_push
from sheepfold.people.ways import HAS_WAY, Hook, Quiet, Ways, transaction
from sheepfold.table.schema import hooks, intents, notices, people, places, seats, subscriptions, tables
from sheepfold.table.tables import Tables
from sheepfold.table.timing import PAUSED, deadline

log = logging.getLogger("sheepfold")

GRACE = 2.5
"""Seconds for which a decision must have been open, so that who is there can be known to be."""
ASK_AGAIN = 30.0
"""Seconds after which it is asked again whether who looks on would be told otherwise."""
FIRST_LOOK = 86400.0
"""So far back a server looks when it starts, for what nobody was told while none was running."""
LEASE = 30.0
"""Seconds after which somebody else sends a notice that a server wanted to send."""
TOGETHER = 500
AT_ONCE, AT_ONE_HOST = 256, 128
"""How many are sent at the same time, in all and to one host."""
BREATH = 0.03
"""Seconds between two transactions of who sends, so that many share one."""
TRIES, FIRST_WAIT = 5, 15.0
"""How often a notice is tried again, and after how many seconds first; four times as long each time."""
SHORTEST_CLOCK, REMIND = 600.0, 0.75
"""Of clocks that are shorter nobody is reminded; of others when so much of the time is past."""


Pair = tuple[str, str]
"""A device, and a table."""


class Presence:
    """Who looks at which table now."""

    def __init__(self) -> None:
        self.here: Counter[Pair] = Counter()
        self.seen: dict[Pair, float] = {}
        """Until when it was noted that they look."""
        self.asked: dict[Pair, tuple[bool, float]] = {}
        """Whether they would be told otherwise, and when that was found out."""

    def ask_again(self, device: str) -> None:
        """Somebody wants to be told otherwise than before."""
        for pair in [each for each in self.asked if each[0] == device]:
            del self.asked[pair]

    def unknown(self, pairs: Iterable[Pair], now: float) -> list[Pair]:
        """Those of whom it is not known, or was not asked for a while, whether they would be told."""
        return [pair for pair in pairs if self.asked.get(pair, (False, 0.0))[1] < now - ASK_AGAIN]

    @contextmanager
    def looking(self, device: str, table_id: str) -> Iterator[None]:
        """While this lasts, somebody looks."""
        pair = (device, table_id)
        self.here[pair] += 1
        try:
            yield
        finally:
            self.here[pair] -= 1
            if not self.here[pair]:
                del self.here[pair]
                self.seen.pop(pair, None)
                self.asked.pop(pair, None)


class Notices:
    """All that is to be told, at one server."""

    def __init__(self, house: Tables, voice: Callable[[str], Voice], anywhere: bool = False) -> None:
        """`anywhere`: also to addresses of this machine and its neighbours."""
        self.house, self.store, self.voice, self.anywhere = house, house.store, voice, anywhere
        self.push = Push(self.store) if can_push() else None
        self.presence, self.ways = Presence(), Ways(house.store)
        self.post: Callable[..., Any] = post
        self._looked = time.time() - FIRST_LOOK
        self._sending: dict[int, str] = {}
        """Notices that are being sent, and to which host."""
        self._answers: list[tuple[RowMapping, Answer]] = []
        """What has come back and is not written down yet."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._rounds: list[asyncio.Task[None]] = []
        self._due = asyncio.Event()

    def start(self) -> None:
        """From now on, in the loop."""
        self._rounds = [for_ever("notices", self._look), for_ever("notices", self._keep_sending, every=0.0)]

    async def close(self) -> None:
        await end([*self._tasks, *self._rounds])
        with suppress(SQLAlchemyError):
            await transaction(self.store, lambda connection: self._settle_and_take(connection, self._answers, 0))

    async def _look(self) -> None:
        await self.note_presence()
        if await self.find():
            self._due.set()

    async def _keep_sending(self) -> None:
        """What is due, as long as there is something; then after a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK):
                await self._due.wait()
        self._due.clear()
        await asyncio.sleep(BREATH)
        await self.send()

    # Who is there.

    async def note_presence(self) -> None:
        """Those who look on have seen what has happened."""
        now, known, seen = time.time(), self.house.in_memory, self.presence.seen
        fresh = [pair for pair in self.presence.here if (table := known.get(pair[1])) and seen.get(pair, 0.0) < table.since]
        if unknown := self.presence.unknown(fresh, now):
            wanted = await asyncio.to_thread(self.ways.any_for, unknown)
            self.presence.asked |= {pair: (pair in wanted, now) for pair in unknown if pair in self.presence.here}
        fresh = [pair for pair in fresh if self.presence.asked.get(pair, (False, now))[0]]
        for start in range(0, len(fresh), TOGETHER):
            rows = [{"_device": device, "_table": table_id, "_now": now} for device, table_id in fresh[start : start + TOGETHER]]
            await transaction(self.store, lambda connection, rows=rows: connection.execute(_SEEN, rows) and None)  # type: ignore[misc]
        seen |= {pair: now for pair in fresh if pair in self.presence.here}

    # What is to be told.

    async def find(self) -> int:
        """Write down who is to be told of decisions that have begun a moment ago; how many notices those are."""
        until = time.time() - GRACE
        found = await asyncio.to_thread(self._waiting, self._looked - 2 * GRACE, until)  # what was stored late is looked at twice
        count = 0
        for start in range(0, len(found), TOGETHER):
            some = found[start : start + TOGETHER]
            count += await transaction(self.store, lambda connection, some=some: self._note(connection, some))  # type: ignore[misc]
        self._looked = until
        return count

    def _waiting(self, since: float, until: float) -> Sequence[RowMapping]:
        """Places that are waited for, of people who want to be told."""
        asked = (
            select(
                places.c.person, tables.c.id.label("table_id"), tables.c.since, tables.c.settings, tables.c.turn, tables.c.used,
                places.c.visited, places.c.told, _ANSWERS.label("answers"),
                people.c.quiet_from, people.c.quiet_until, people.c.zone,
            )
            .select_from(tables)
            .join(seats, and_(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.turn))
            .join(places, and_(places.c.table_id == tables.c.id, places.c.token == seats.c.token))
            .join(people, people.c.id == places.c.person, isouter=True)
            .where(tables.c.since > since, tables.c.since <= until, tables.c.status == "playing", places.c.muted.is_(False), HAS_WAY)
        )  # fmt: skip
        with self.store.reading.connect() as connection:
            return connection.execute(asked).mappings().all()

    def _note(self, connection: Connection, found: Sequence[RowMapping]) -> int:
        """Mark the places, and write down a notice for each way to tell their people."""
        now = time.time() + random.random() / 1000  # so that no other server marks with the same
        marks = [
            {"_person": row["person"], "_table": row["table_id"], "_since": row["since"], "_now": now}
            for row in sorted(found, key=lambda row: (row["person"], row["table_id"]))  # as every server does, so that none waits crosswise
            if row["told"] <= row["visited"] < row["since"]
        ]
        if marks:
            connection.execute(_MARK, marks)
        here = places.c.table_id.in_({row["_table"] for row in marks})
        marked = set(connection.execute(select(places.c.person, places.c.table_id).where(here, places.c.told == now)).all())
        wanted = []
        for row in found:
            if (row["person"], row["table_id"]) in marked:
                wanted.append((row, "turn", _quiet(row).awake(now)))
            if (due := self._reminder(row, now)) is not None:
                wanted.append((row, "reminder", due))
        ways = self._ways(connection, {row["person"] for row, _, _ in wanted}, {row["table_id"] for row, _, _ in wanted})
        rows = [
            {"kind": kind, "person": row["person"], "table_id": row["table_id"], "target": way, "since": row["since"], "due": due}
            for row, kind, due in wanted
            for way in {*(() if row["answers"] else ways.get(row["person"], ())), *ways.get(row["table_id"], ())}
        ]
        if rows:
            connection.execute(_FORGET_EARLIER, rows)
            connection.execute(_WRITE_DOWN, rows)
        return len(rows)

    def _reminder(self, row: RowMapping, now: float) -> float | None:
        """When somebody is to be reminded that a clock runs out; not in quiet hours, even if it has run out after them."""
        used = json.loads(row["used"]) if row["used"] else [0.0] * (row["turn"] + 1)
        ends = deadline(json.loads(row["settings"]), row["turn"], row["since"], used)
        if ends is None or ends - row["since"] < SHORTEST_CLOCK:
            return None
        due = _quiet(row).awake(row["since"] + REMIND * (ends - row["since"]))
        return due if now < due < ends else None

    def _ways(self, connection: Connection, whom: set[str], where: set[str]) -> dict[str, list[str]]:
        """By person and by table, the browsers and addresses that are told."""
        ways: dict[str, list[str]] = {}
        browsers = select(subscriptions.c.person, subscriptions.c.id).where(subscriptions.c.person.in_(whom))
        own = select(hooks.c.person, hooks.c.id).where(hooks.c.person.in_(whom), hooks.c.table_id.is_(None))
        of_tables = select(hooks.c.table_id, hooks.c.id).where(hooks.c.table_id.in_(where))
        for asked in (browsers, own, of_tables):
            for whose, way in connection.execute(asked):
                ways.setdefault(whose, []).append(way)
        return ways

    # Telling it.

    async def send(self) -> None:
        """Send what is due; what cannot be sent now is sent later, and what nobody needs to know any more is not. What has come of those
        before is written down."""
        answers, self._answers = self._answers, []
        room = AT_ONCE - len(self._sending)
        try:
            taken = await transaction(self.store, lambda connection: self._settle_and_take(connection, answers, room))
        except SQLAlchemyError:
            self._answers += answers
            raise
        crowded, stale = [], []
        hosts = Counter(self._sending.values())
        for row in taken:
            if not _still_so(row):
                stale.append(row["id"])
                continue
            host = urlsplit(row["endpoint"] or row["url"]).netloc
            if hosts[host] >= AT_ONE_HOST:
                crowded.append(row["id"])
                continue
            hosts[host] += 1
            self._sending[row["id"]] = host
            task = asyncio.get_running_loop().create_task(self._send(row))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if len(taken) == room > 0:
            self._due.set()  # there may be more
        if crowded or stale:
            await transaction(self.store, lambda connection: _settle(connection, stale, crowded))

    def _settle_and_take(self, connection: Connection, answers: Sequence[tuple[RowMapping, Answer]], room: int) -> Sequence[RowMapping]:
        taken = [row["id"] for row, answer in answers if answer.taken]
        connection.execute(delete(notices).where(notices.c.id.in_(taken))) if taken else None
        for row, answer in answers:
            if not answer.taken:
                self._settled(connection, row, answer)
        return self._take(connection, room) if room > 0 else []

    def _take(self, connection: Connection, most: int) -> Sequence[RowMapping]:
        """Notices that are due, so that no other server takes them for a while, with all that is told and to whom."""
        now = time.time()
        due = select(notices.c.id).where(notices.c.due <= now).order_by(notices.c.due).limit(most).with_for_update(skip_locked=True)
        ids = list(connection.execute(due).scalars())
        if not ids:
            return []
        connection.execute(update(notices).where(notices.c.id.in_(ids)).values(due=now + LEASE))
        asked = (
            select(
                notices, places.c.visited, places.c.muted, places.c.token,
                tables.c.game, tables.c.status, tables.c.settings, tables.c.since.label("began"),
                seats.c.name, seats.c.token.label("sits"),
                subscriptions.c.endpoint, subscriptions.c.p256dh, subscriptions.c.auth, hooks.c.url, hooks.c.format, hooks.c.secret,
                hooks.c.table_id.label("hooked"), *(_either(name) for name in ("language", "origin")),
            )
            .select_from(notices)
            .join(tables, tables.c.id == notices.c.table_id, isouter=True)
            .join(seats, and_(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.turn), isouter=True)
            .join(places, and_(places.c.table_id == notices.c.table_id, places.c.person == notices.c.person), isouter=True)
            .join(subscriptions, subscriptions.c.id == notices.c.target, isouter=True)
            .join(hooks, hooks.c.id == notices.c.target, isouter=True)
            .where(notices.c.id.in_(ids))
        )  # fmt: skip
        return connection.execute(asked).mappings().all()

    async def _send(self, row: RowMapping) -> None:
        try:
            self._answers.append((row, await self._tell(row)))
        except Exception:
            log.exception("a notice")  # which is tried again when nobody is taken to send it
        finally:
            self._sending.pop(row["id"], None)
            self._due.set()

    async def _tell(self, row: RowMapping) -> Answer:
        told = self.told(row)
        if row["url"]:
            return await self._post_hook(
                Hook(row["target"], row["url"], row["format"], row["secret"], row["language"], row["origin"]), told
            )
        if self.push is None:
            return Answer(410)
        browser = Browser(row["endpoint"], row["p256dh"], row["auth"])
        sealed = await asyncio.to_thread(browser.sealed, told)
        headers = await asyncio.to_thread(self.push.headers, row["endpoint"], row["origin"], row["table_id"])
        return await self._posted(row["endpoint"], headers, sealed)

    def told(self, row: Mapping[Any, Any]) -> dict[str, Any]:
        """What a notice says; to who sees it, and to a program that reads it."""
        voice = self.voice(row["language"])
        try:
            title = find_game(row["game"]).title
        except UnknownGame:
            title = row["game"]
        own = not row["hooked"]
        said = voice.say(f"notice.{row['kind']}" if own else f"notice.{row['kind']}.of", game=title, name=row["name"])
        address = f"/t/{row['table_id']}"
        return {
            "kind": row["kind"], "table": row["table_id"], "game": row["game"], "title": title, "name": row["name"], "text": said,
            "address": address, "url": row["origin"] + address, "since": row["since"],
        }  # fmt: skip

    async def _post_hook(self, hook: Hook, told: Mapping[str, Any]) -> Answer:
        """To an address: as it is, or as a line for a chat channel, where the same key is `text` for some and `content` for others."""
        line = f"{told['text']} {told['url']}"
        body = json.dumps(told if hook.format == "json" else {"text": line, "content": line}, ensure_ascii=False).encode()
        return await self._posted(hook.url, {"Content-Type": "application/json", **signature(hook.secret, body)}, body)

    async def _posted(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        try:
            answer: Answer = await self.post(url, headers, body, self.anywhere)
        except NoAddress:
            return Answer(410)
        self.house.counted["notices sent" if answer.taken else "notices that failed"] += 1
        return answer

    def _settled(self, connection: Connection, row: RowMapping, answer: Answer) -> None:
        """What came of a notice that was not taken. Who is gone is told nothing any more; an address of somebody's own may come back."""
        if answer.gone and row["endpoint"]:
            connection.execute(delete(subscriptions).where(subscriptions.c.id == row["target"]))
            connection.execute(delete(notices).where(notices.c.target == row["target"]))
        elif answer.hopeless or row["tries"] >= TRIES:
            connection.execute(delete(notices).where(notices.c.id == row["id"]))
        else:
            wait = max(answer.retry_after or 0.0, FIRST_WAIT * 4 ** row["tries"])
            later = update(notices).where(notices.c.id == row["id"])
            connection.execute(later.values(tries=row["tries"] + 1, due=time.time() + wait))

    async def try_hook(self, hook: Hook) -> Answer:
        """Tell an address something now, to see whether it hears."""
        said = self.voice(hook.language).say("notice.trial")
        return await self._post_hook(hook, {"kind": "trial", "text": said, "url": hook.origin + "/mine"})


def signature(secret: str, body: bytes, at: int | None = None) -> dict[str, str]:
    """By which an address knows that it is told by us, and now."""
    at = int(time.time()) if at is None else at
    return {"Sheepfold-Signature": f"t={at},v1={hmac.new(secret.encode(), b'%d.' % at + body, sha256).hexdigest()}"}


def _quiet(row: RowMapping) -> Quiet:
    return Quiet(row["quiet_from"] or 0, row["quiet_until"] or 0, row["zone"] or "")


def _still_so(row: RowMapping) -> bool:
    """Whether somebody still has to decide what a notice is about, and has not looked since."""
    if not (row["endpoint"] or row["url"]) or row["status"] != "playing" or row["began"] != row["since"] or row["muted"]:
        return False
    if row["kind"] == "reminder" and json.loads(row["settings"]).get(PAUSED):
        return False
    return bool(row["sits"] == row["token"] is not None and (row["kind"] == "reminder" or row["visited"] < row["since"]))


def _settle(connection: Connection, stale: Sequence[int], crowded: Sequence[int]) -> None:
    connection.execute(delete(notices).where(notices.c.id.in_(stale)))
    connection.execute(update(notices).where(notices.c.id.in_(crowded)).values(due=time.time() + LOOK))


def _either(name: str) -> Any:
    """What a browser, or else an address, was noted with."""
    return func.coalesce(subscriptions.c[name], hooks.c[name]).label(name)


_ANSWERS = exists().where(
    intents.c.table_id == tables.c.id, intents.c.seat == tables.c.turn, intents.c.gone.is_(False), intents.c.due.is_not(None)
)
"""Whether somebody has said before what they do now, so that they need not be told; others who want to hear of it are."""
_MARK = (
    update(places)
    .where(
        places.c.person == bindparam("_person"), places.c.table_id == bindparam("_table"), places.c.told <= places.c.visited,
        places.c.visited < bindparam("_since"),
    )
    .values(told=bindparam("_now"))
)  # fmt: skip
_SEEN = text(
    "UPDATE places SET visited = :_now WHERE table_id = :_table"
    " AND person = coalesce((SELECT person FROM devices WHERE id = :_device), :_device)"
)
_FORGET_EARLIER = text("DELETE FROM notices WHERE target = :target AND person = :person AND table_id = :table_id AND since < :since")
_WRITE_DOWN = text(
    "INSERT INTO notices (kind, person, table_id, target, since, due) VALUES (:kind, :person, :table_id, :target, :since, :due)"
    " ON CONFLICT DO NOTHING"
)
