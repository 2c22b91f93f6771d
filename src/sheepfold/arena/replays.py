"""Replays inside a report: a few games worth a look, picture by picture, in the page itself, and each as a record to take elsewhere.

A picture a turn, as everybody round the table sees it, with what happened in words. All games of a page are packed together: their
pictures are much alike, so that a game takes about 15 KB. A small script (replays.js) unpacks them when the first is opened.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sheepfold import art
from sheepfold.art.pieces import in_pieces
from sheepfold.core.position import SPECTATOR
from sheepfold.game.game import Game, Setup
from sheepfold.game.records import Event, Record, write_record
from sheepfold.game.session import Session
from sheepfold.messages import Voice


class Replay(NamedTuple):
    """A game to look at: its record, and for each turn the picture after it and what happened in it."""

    record: str
    pictures: list[str]
    lines: list[list[str]]


def replay(setup: Setup, log: Sequence[Event], names: Sequence[str], language: str) -> Replay:
    """A game that is over, told and drawn for somebody who looks on."""
    record = Record(setup, list(log), list(names))
    session = Session(record)
    voice = Voice([setup.game.folder / "locale"], language, list(names))
    made = Replay(write_record(record), [_drawn(session, 0, voice)], [[]])
    last = -1
    for seen in session.seen(SPECTATOR):
        if seen.event.who >= 0 and seen.event.who != last:
            last = seen.event.who
            made.pictures.append("")
            made.lines.append([])
        made.pictures[-1] = _drawn(session, seen.ply + 1, voice)
        made.lines[-1] += session.tell(seen, voice).lines
    return made


def _drawn(session: Session, ply: int, voice: Voice) -> str:
    return session.game.picture(session.view(SPECTATOR, ply), SPECTATOR, "bare", voice)


def packed(game: Game, replays: Sequence[Replay]) -> str:
    """All replays of a page, with the style and symbols of their pictures, as its script unpacks them."""
    shown = in_pieces(picture for each in replays for picture in each.pictures)
    frames = iter(shown.frames)
    games = [[[next(frames), lines] for lines in each.lines] for each in replays]
    text = json.dumps({"kit": art.kit("auto", game.drawings), "pieces": shown.pieces, "games": games}, ensure_ascii=False)
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def script() -> str:
    """What shows them."""
    return Path(__file__).with_name("replays.js").read_text(encoding="utf-8")
