"""Frames: a game that is over as a film: the picture of every ply, and its story in words.

A replay is open: whoever looks back sees all hands, or chooses to see what one seat saw. Pictures of one game are much alike, so they are
sent as pieces (the tags) that are listed once and numbers that say which; a whole game is a few dozen KB then.
"""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from sheepfold.art.pen import num
from sheepfold.art.pieces import bare, in_pieces
from sheepfold.bots.analysis import Finding
from sheepfold.core.position import EVERYTHING, OVER, SPECTATOR, Position
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import Game, Passage
from sheepfold.game.records import Event, Record, write_record
from sheepfold.game.registry import find
from sheepfold.game.session import Session
from sheepfold.messages import Voice

HERE = Path(__file__).parent
_HAND = re.compile(r'<svg [^>]*data-part="hand"[^>]* height="([\d.]+)"[^>]*>.*?</svg>', re.DOTALL)
_SHEET = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="[\d.]+" height="[\d.]+"')


class FinishedGame(NamedTuple):
    """A game as plain values, which go to other processes."""

    game: str
    seats: int
    options: dict[str, Any]
    names: list[str]
    events: list[tuple[int, int, bool]]
    extra: dict[str, str]
    components: EnteredFile | None = None

    def record(self) -> Record:
        setup = find(self.game).setup(self.seats, self.components, **self.options)
        return Record(setup, [Event(*event) for event in self.events], [Voice().called(name) for name in self.names], self.extra)

    def session(self) -> Session:
        return Session(self.record())

    def digest(self) -> str:
        """What tells this game from every other: set-up, names and all that happened."""
        told = tuple(self) if self.components else tuple(self)[:-1]  # as before there were any
        return blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def voice_of(played: FinishedGame, language: str) -> Voice:
    return Voice([find(played.game).folder / "locale", HERE / "locale"], language, played.names)


def picture(game: Game, position: Position, viewer: int, voice: Voice) -> str:
    """What a seat saw, or with EVERYTHING the whole position with the hands of all."""
    if viewer != EVERYTHING:
        return game.picture(position.seen_by(viewer), viewer, "bare", voice)
    drawn = game.picture(position, SPECTATOR, "bare", voice)
    if not game.secrets:
        return drawn
    sheet = _SHEET.search(drawn)
    assert sheet, "a picture says how large it is"
    wide, bottom, hands = float(sheet[1]), float(sheet[2]), ""
    for seat in range(int(position.seats)):
        found = _HAND.search(game.picture(position, seat, "bare", voice))
        if found:
            hands += _placed(found[0], seat, bottom)
            bottom += float(found[1])
    size = f'viewBox="0 0 {num(wide)} {num(bottom)}" width="{num(wide)}" height="{num(bottom)}"'
    return drawn.replace(sheet[0], size, 1).removesuffix("</svg>") + hands + "</svg>"


def _placed(hand: str, seat: int, top: float) -> str:
    """A hand below what there is; its things named after the seat, since two may hold the same card."""
    named = re.sub(r' id="(?:part-)?', f' id="seat-{seat}-', hand)
    named = re.sub(r'data-part="hand"', f'data-part="hand-{seat}"', named, count=1)
    return re.sub(r' y="[\d.]+"', f' y="{num(top)}"', named, count=1)


def frames(played: FinishedGame, viewer: int, language: str, first: int, last: int) -> bytes:
    """The pictures after so many events, from the first number to before the last, as the page reads them."""
    session, voice = played.session(), voice_of(played, language)
    plies = range(first, min(last, session.ply + 1))
    shown = in_pieces(picture(session.game, session.at(ply), viewer, voice) for ply in plies)
    return json.dumps({"first": first, **shown._asdict()}, ensure_ascii=False, separators=(",", ":")).encode()


def one_frame(played: FinishedGame, viewer: int, language: str, ply: int) -> str:
    """One picture, for a page that has the kit."""
    session = played.session()
    return bare(picture(session.game, session.at(ply), viewer, voice_of(played, language)))


def opening(played: FinishedGame, viewer: int, language: str, ply: int) -> tuple[list[dict[str, Any]], str]:
    """What a replay's page begins with: the whole story, and the picture of one ply."""
    return story(played, viewer, language), one_frame(played, viewer, language, ply)


def written(played: FinishedGame) -> str:
    """The game as a record."""
    return write_record(played.record())


def outline(played: FinishedGame, viewer: int, language: str, ply: int) -> list[dict[str, Any]]:
    """The same in words: what a seat saw, or with EVERYTHING what all see and then what each seat alone knows."""
    session, voice = played.session(), voice_of(played, language)
    game, view = session.game, session.view(viewer, ply)
    if viewer != EVERYTHING:
        return [vars(passage) for passage in game.outline(view, viewer, voice)]
    passages = game.outline(view, SPECTATOR, voice)
    public = {line for passage in passages for line in passage.lines}
    for seat in range(played.seats) if game.secrets else ():
        for passage in game.outline(view, seat, voice):
            own = [line for line in passage.lines if line not in public]
            if own and not passage.rows:
                passages.append(Passage(f"{voice.name(seat)} · {passage.title}", own))
    return [vars(passage) for passage in passages]


def story(played: FinishedGame, viewer: int, language: str) -> list[dict[str, Any]]:
    """What happened at each ply, as the viewer may read it, with the points after it."""
    session, voice = played.session(), voice_of(played, language)
    happened = []
    for seen in session.seen(viewer):
        told = session.tell(seen, voice)
        points = session.position if seen.after.to_act == OVER else seen.after
        scores = [int(score) for score in points.scores()]
        happened.append({"who": told.who, "code": told.notation, "lines": told.lines, "scores": scores})
    return happened


def points_of_turning(played: FinishedGame, costly: list[Finding], language: str) -> list[dict[str, Any]]:
    """Decisions that cost much, in words: what was done, what would have been better, and what it cost."""
    session, voice = played.session(), voice_of(played, language)
    return [
        {
            "ply": each.ply, "seat": each.seat, "loss": each.loss, "who": voice.name(each.seat),
            "done": _spoken(session, each, _done(session, each), voice), "better": _spoken(session, each, each.best, voice),
        }
        for each in costly
    ]  # fmt: skip


def _done(session: Session, finding: Finding) -> list[int]:
    """What the seat did, and how it went on at once."""
    actions = []
    for event in session.events[finding.ply : finding.ply + max(2, len(finding.best))]:
        if event.who != finding.seat:
            break
        actions.append(event.action)
    return actions


def _spoken(session: Session, finding: Finding, actions: list[int], voice: Voice) -> str:
    game, view = session.game, session.view(finding.seat, finding.ply)
    out_of_turn = view.to_act != finding.seat
    said = []
    for action in actions:
        if action >= view.action_count:
            said.append(voice.say("replay.wait"))  # to let the turn go on instead of interrupting
            break
        said.append(game.describe(view, action, voice).strip().removesuffix("."))
        if out_of_turn:
            break
        view.advance(action)
    return ", ".join(said)
