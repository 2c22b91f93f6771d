"""Scenes: what the page shows of a table to each viewer, drawn once for all who are shown the same, and sent as what has changed.

Those who hold the same seats and read the same language share a `Reel`: the latest scene, called by a stamp, and what changed from the
ones before it. A stream says which stamp its page has; who cannot be told by changes (after a gap, a reload, from another seat) is sent the
whole. Nothing is drawn that nobody asks for.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
import zlib
from collections import deque
from dataclasses import asdict
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from pydantic_core import to_json

from sheepfold.game.game import Game
from sheepfold.table.limits import CHAT_SHOWN
from sheepfold.table.table import Holder, Table
from sheepfold.web.api import last_mover, viewer_of
from sheepfold.web.differences import Picture, Scene, difference
from sheepfold.web.event_stream import STILL_HERE
from sheepfold.web.lesson_scene import guide_scene
from sheepfold.web.said import in_words

KEPT_CHANGES = 8
"""How many changes a reel keeps for who has missed some."""
IDLE = 600.0
"""Seconds after which a reel that nobody asked for is forgotten; whoever still looks is sent the whole next time."""
MOMENTS = 3
"""How many of what play stopped for a scene has, for who was told of several moves together."""
SLICE = 24
"""How many events are told before others have their turn in the loop."""


class Kind(NamedTuple):
    """Who is shown the same: the seats held, the one that is looked as, and the language."""

    mine: tuple[int, ...]
    viewer: int
    language: str


class Sent:
    """Bytes for a stream, as they are and compressed: made once, however many are sent them.

    A compressed stream is one gzip file without an end. Each event is compressed by itself and flushed, so it refers to nothing before it,
    is held back by nobody, and is the same for every reader.
    """

    def __init__(self, plain: bytes) -> None:
        self.plain = plain

    @cached_property
    def zipped(self) -> bytes:
        packer = zlib.compressobj(2, zlib.DEFLATED, -15)  # quick, and within a tenth of the best
        return packer.compress(self.plain) + packer.flush(zlib.Z_SYNC_FLUSH)


GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_STILL_HERE = Sent(STILL_HERE)


class Reel:
    """The scenes of one kind of viewers of a table."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.stamp = ""
        self.scene: Scene = {}
        self.revision = -1
        self.asked = 0.0
        self.changes: deque[tuple[str, Sent]] = deque(maxlen=KEPT_CHANGES)
        """From which stamp on, and what changed then."""
        self._whole: Sent | None = None

    def turn(self, table: Table, log: list[dict[str, Any]], moments: list[dict[str, Any]], chat: list[list[Any]]) -> None:
        """Show the table as it is now."""
        self.asked = time.monotonic()
        if self.revision == table.revision:
            if self.scene["left"] is not None:  # who comes now is told what is left now
                self.scene, self._whole = {**self.scene, "left": table.seconds_left()}, None
            return
        before, old = self.stamp, self.scene
        self.scene = {**page_scene(table, self.kind, log, chat), "moments": moments}
        self.revision, self._whole = table.revision, None
        self.stamp = secrets.token_hex(6)  # a number would tell how much is drawn for others
        if old:
            change = {"from": before, "stamp": self.stamp, **difference(old, self.scene)}
            told = to_json(change)
            if len(told) < 8192 or len(told) < sum(map(len, self.scene["picture"].lines)):
                self.changes.append((before, Sent(_event(b"change", self.stamp, told))))
                return
        self.changes.clear()

    @property
    def stamped(self) -> Scene:
        """All of the present scene."""
        return {"stamp": self.stamp, **self.scene, "picture": str(self.scene["picture"])}

    @property
    def whole(self) -> Sent:
        """The same to be sent."""
        if self._whole is None:
            self._whole = Sent(_event(b"scene", self.stamp, to_json(self.stamped)))
        return self._whole

    def since(self, stamp: str) -> list[Sent]:
        """What to send to somebody whose page has the scene of that stamp."""
        if stamp == self.stamp:
            return []
        missed = next((place for place, (start, _) in enumerate(self.changes) if start == stamp), None)
        return [self.whole] if missed is None else [sent for _, sent in list(self.changes)[missed:]]


def _event(name: bytes, stamp: str, data: bytes) -> bytes:
    return b"event: %b\nid: %b\ndata: %b\n\n" % (name, stamp.encode(), data)


class Log:
    """What happened at a table as some viewers read it, told once and then only what is new."""

    def __init__(self, seat: int, language: str) -> None:
        self.seat, self.language = seat, language
        self.told: list[dict[str, Any]] = []
        self.moments: list[dict[str, Any]] = []
        """What play stopped for, the latest ones."""
        self.ply = 0
        self.told_of: object = None
        """What the log so far holds for: with other names, after an undo, or at the end of a game of memory it is told anew."""

    def go_on(self, table: Table, until: int | None = None) -> list[dict[str, Any]]:
        """The log up to now, or to that ply. Lists that were handed out before stay as they are."""
        session, voice = table.session, table.voice(self.language)
        told_of = (table.undos, session.forgetful, voice.names)
        if self.told_of != told_of:
            self.told, self.moments, self.ply, self.told_of = [], [], 0, told_of
        if self.ply < table.ply:
            seen = [*session.seen(self.seat, session.told_since(self.ply), until)]
            fresh = [session.tell(each, voice) for each in seen]
            earliest = session.told_since(0)
            self.told = [told for told in (*self.told, *map(vars, fresh)) if told["ply"] >= earliest]
            found = [(each.ply, session.moment(each, voice)) for each in seen]
            moments = [*self.moments, *({"ply": ply, **asdict(moment)} for ply, moment in found if moment)]
            self.moments = [moment for moment in moments if moment["ply"] >= earliest][-MOMENTS:]
            self.ply = table.ply if until is None else min(until, table.ply)
        return self.told


class Showing:
    """What is shown of one table."""

    def __init__(self) -> None:
        self.reels: dict[Kind, Reel] = {}
        self.logs: dict[tuple[int, str], Log] = {}
        self.chats: dict[str, tuple[int, list[list[Any]]]] = {}
        """By language, how many lines were said, and the latest of them."""

    def log(self, table: Table, kind: Kind) -> Log:
        """Where nothing is hidden everybody reads the same."""
        key = (kind.viewer if table.game.secrets else 0, kind.language)
        return self.logs.get(key) or self.logs.setdefault(key, Log(*key))

    def reel(self, table: Table, kind: Kind) -> Reel:
        """The reel of that kind, at the present scene."""
        reel = self.reels.get(kind) or self.reels.setdefault(kind, Reel(kind))
        log = self.log(table, kind)
        reel.turn(table, log.go_on(table), log.moments, self.chat(table, kind.language))
        return reel

    def chat(self, table: Table, language: str) -> list[list[Any]]:
        """The latest lines. Lists that were handed out before stay as they are."""
        said, lines = self.chats.get(language, (0, []))
        if fresh := min(table.said - said, len(table.chat)):
            lines = [*lines, *in_words(table.chat[-fresh:], language)][-CHAT_SHOWN:]
            self.chats[language] = (table.said, lines)
        return lines

    def forget(self, before: float) -> None:
        """Reels that nobody has asked for since then."""
        self.reels = {kind: reel for kind, reel in self.reels.items() if reel.asked >= before}
        if not self.reels:
            self.logs.clear()
            self.chats.clear()


class Scenes:
    """What is shown of all tables."""

    def __init__(self) -> None:
        self._showings: WeakKeyDictionary[Table, Showing] = WeakKeyDictionary()
        self._swept = time.monotonic()

    def of(self, table: Table) -> Showing:
        if time.monotonic() > self._swept + IDLE / 10:
            self._swept = time.monotonic()
            for showing in self._showings.values():
                showing.forget(self._swept - IDLE)
        return self._showings.get(table) or self._showings.setdefault(table, Showing())


class Watcher:
    """Somebody's page, to be told of a table as it goes on."""

    def __init__(self, scenes: Scenes, tokens: list[str], language: str, wanted: int | None, stamp: str, zipped: bool) -> None:
        self.scenes, self.holder, self.language, self.wanted = scenes, Holder(tokens), language, wanted
        self.stamp, self.zipped, self.begun = stamp, zipped, False

    def kind(self, table: Table) -> Kind:
        mine = self.holder.seats(table)
        return Kind(tuple(mine), viewer_of(table, mine, self.wanted), self.language)

    async def reel(self, table: Table) -> Reel:
        """For who has just come. A long log is told in slices, so that nobody else has to wait for it."""
        showing, kind = self.scenes.of(table), self.kind(table)
        log = showing.log(table, kind)
        while not table.session.forgetful and log.ply + SLICE < table.ply:
            log.go_on(table, log.ply + SLICE)
            await asyncio.sleep(0)
        return showing.reel(table, self.kind(table))

    def __call__(self, table: Table) -> bytes:
        reel = self.scenes.of(table).reel(table, self.kind(table))
        sent = reel.since(self.stamp)
        self.stamp = reel.stamp
        told = b"".join(each.zipped if self.zipped else each.plain for each in sent)
        if not self.begun:
            self.begun = True
            told = (GZIP_HEAD if self.zipped else b"") + (told or self.still_here)
        return told

    @property
    def headers(self) -> dict[str, str]:
        return {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if self.zipped else {"Vary": "Accept-Encoding"}

    @property
    def still_here(self) -> bytes:
        return _STILL_HERE.zipped if self.zipped else _STILL_HERE.plain


def page_scene(table: Table, kind: Kind, log: list[dict[str, Any]], chat: list[list[Any]]) -> Scene:
    """A scene, with what else the page shows: own seats, chat, the way to a rematch."""
    mine, viewer, language = kind
    scene = table.scene(viewer, language, table.ply, "bare")
    if len(mine) > 1:  # at a shared screen the latest move of any of them can be taken back
        scene["undo"] = table.undo_refusal(last_mover(table, mine))
    del scene["log_since"]
    return {
        **scene,
        "picture": Picture(bare(table.game, scene["picture"])),
        "log": log,
        "mine": list(mine),
        "out_of_turn": out_of_turn(table, viewer),
        "chat": chat,
        "said": table.said,
        "rematch": table.settings.get("rematch"),
        "secrets": table.game.secrets,
        "guide": guide_scene(table, viewer, language),
        "rule": table.game.rule(table.view(viewer)),
    }


def out_of_turn(table: Table, viewer: int) -> bool | None:
    """Whether a viewer might act out of turn now, by what everybody knows; None where nobody ever does."""
    position = table.position
    if not position.interruptible:
        return None
    return table.status == "playing" and viewer >= 0 and position.to_act != viewer and bool(position.may_interrupt(viewer))


_dressed: dict[str, bool] = {}
"""By game, whether its pictures bring style and drawings though they were to be bare."""


def bare(game: Game, picture: str) -> str:
    if game.name not in _dressed:
        _dressed[game.name] = "<style>" in picture or "<defs>" in picture
    return without_kit(picture) if _dressed[game.name] else picture


def without_kit(picture: str) -> str:
    """A picture without its own style and drawings, for a page that has them."""
    return re.sub(r"<style>.*?</style>|<defs>.*?</defs>", "", picture, flags=re.DOTALL)
