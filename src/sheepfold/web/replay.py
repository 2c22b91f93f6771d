"""Replays: every game that is over has a page to look back at it, and so has every record that somebody brings.

There is one door: `Gallery.find` gives the game of an address and refuses one that is not over, whoever asks. Pages, films,
records and analyses all come through it, so nothing of a running game can be reached here.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, UploadFile
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from sheepfold import art
from sheepfold.bots import LEVELS, bot
from sheepfold.bots.analysis import result, turning_points
from sheepfold.core.errors import BadRecord
from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.game.session import Refused
from sheepfold.messages import Voice, languages
from sheepfold.table.archive import Analysis, Archive
from sheepfold.table.table import COMPONENTS
from sheepfold.table.tables import NoSuchTable, Tables, bot_seat, person_seat
from sheepfold.web import my_games
from sheepfold.web.analysis_queue import AnalysisQueue, findings_of
from sheepfold.web.api import LIKELY, NOT_TEXT, PLAIN, Language, clean_name
from sheepfold.web.jobs import Jobs, packed_frames, read_text
from sheepfold.web.language import language_of
from sheepfold.web.pages import FormSeat, ShortText, WantedSeat
from sheepfold.web.rendering import HERE, art_symbols, keep, render
from sheepfold.web.replay_frames import FinishedGame, opening, outline, points_of_turning, story, voice_of, written

BATCH = 16
"""How many pictures the page gets at once."""
MOST_FILM = 400
"""How many batches are kept in memory, packed: about 4 KB each."""
MOST_UPLOADS_READ = 200
LONGEST_RECORD = 60_000
PLAY_ON_LEVEL = LEVELS[2]
PACKED = {"Content-Type": "application/json", "Cache-Control": "private, max-age=86400", "Vary": "Accept-Encoding"}

router = APIRouter(include_in_schema=False)
programs = APIRouter(prefix="/api/replays", tags=["replays"], responses=LIKELY)

ReplayId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{4,32}$", description="A table's id, or that of an uploaded record")]
Ply = Annotated[int, Query(ge=0, le=1_000_000)]


class NotOver(Refused):
    """The game is still being played."""


class NoFurther(Refused):
    """Nothing can be played on from here."""


class BadUpload(Refused):
    """A record that cannot be replayed: `why` says so, or it is too long."""

    def __init__(self, why: BadRecord | None, text: str = "") -> None:
        super().__init__("record", str(why) if why else text)
        self.why = why


class RecordWish(BaseModel):
    """A record to be looked at."""

    model_config = ConfigDict(extra="forbid")
    record: str = Field(max_length=LONGEST_RECORD, description="The text of a record, as `sheepfold play --record` writes it")


class Gallery:
    """The games of this server that can be looked back at."""

    def __init__(self, tables: Tables, simulations: int = 0) -> None:
        self.tables = tables
        self.archive = Archive(tables.store)
        self.jobs = Jobs(tables.limits)
        self.analysis_queue = AnalysisQueue(self.archive, self.jobs, self.find, simulations)
        self._uploads: OrderedDict[str, FinishedGame] = OrderedDict()
        self._film: OrderedDict[tuple[str, int, str, int], bytes] = OrderedDict()

    async def find(self, name: str) -> FinishedGame:
        """The game of an address: a table's, refused unless it is over, or an uploaded one."""
        try:
            table = await self.tables.table(name)
        except NoSuchTable:
            return await self._uploaded(name)
        if table.status != "over":
            table.refuse_if_closed()
            raise NotOver("not-over", "This game is not over; you can look back at it when it is.")
        events = [(event.who, event.action, event.interrupt) for event in table.events]
        return FinishedGame(table.game.name, len(table.seats), dict(table.setup.options), table.names, events, {}, table.own_pieces)

    async def _uploaded(self, name: str) -> FinishedGame:
        played = self._uploads.pop(name, None)
        if played is None:
            text = await asyncio.to_thread(self.archive.record, name)
            if text is None:
                raise NoSuchTable("no-replay", "There is no such game. Perhaps the link was cut off?")
            _, played = await self._read(text)
        self._remember(name, played)
        return played

    def _remember(self, name: str, played: FinishedGame) -> None:
        self._uploads[name] = played  # the latest last
        while len(self._uploads) > MOST_UPLOADS_READ:
            self._uploads.popitem(last=False)

    async def _read(self, text: str) -> tuple[str, FinishedGame]:
        """A record as it would be written here, and the game in it."""
        found = await self.jobs.do(read_text, text)
        if isinstance(found, BadRecord):
            raise BadUpload(found)
        written, played = found
        return written, played._replace(names=[clean_name(name, str(number + 1)) for number, name in enumerate(played.names)])

    async def keep(self, text: str) -> str:
        """Keep a record that somebody brought; its name."""
        tidy = text.replace("\r\n", "\n").lstrip("\ufeff\n ").encode("utf-8", "replace").decode()
        if len(tidy.encode()) > LONGEST_RECORD:
            raise BadUpload(None, f"That is too long; {LONGEST_RECORD // 1000} KB are allowed.")
        if "\0" in tidy:
            raise BadUpload(BadRecord(tidy[: tidy.index("\0")].count("\n") + 1, NOT_TEXT, "record.no-text"))
        written, played = await self._read(tidy)
        self.tables.quotas.make_table()
        name, done = self.archive.keep(written)
        await self.tables.writer.kept(done)
        self._remember(name, played)
        return name

    async def film(self, played: FinishedGame, viewer: int, language: str, first: int) -> bytes:
        """A batch of pictures, packed."""
        key = (played.digest(), viewer, language, first)
        if key not in self._film:
            self._film[key] = await self.jobs.do(packed_frames, played, viewer, language, first, first + BATCH)
        self._film.move_to_end(key)
        while len(self._film) > MOST_FILM:
            self._film.popitem(last=False)
        return self._film[key]


def gallery_of(request: Request) -> Gallery:
    gallery = request.app.state.gallery
    assert isinstance(gallery, Gallery)
    return gallery


def known_viewer(played: FinishedGame, seat: int | None) -> int:
    """Whose view is asked for; without a seat it is all of it."""
    return seat if seat is not None and seat < played.seats else EVERYTHING


# The page.


@router.get("/replay")
async def bring(request: Request) -> Response:
    """Where a record is brought to be looked at."""
    return render(request, "bring.html", text="", problem="", reason="", broken="")


@router.post("/replay", dependencies=my_games.COUNTED)
async def brought(request: Request, text: Annotated[str, Form()] = "", file: UploadFile | None = None) -> Response:
    if file is not None and file.filename:
        text = (await file.read()).decode("utf-8", "replace")
    try:
        name = await gallery_of(request).keep(text)
    except BadUpload as refusal:
        voice = Voice([HERE / "locale"], language_of(request))
        said, reason, broken = voice.say("bring.long", size=LONGEST_RECORD // 1000), "", ""
        if why := refusal.why:
            said = voice.say("bring.line", line=why.line)
            reason = voice.say(why.key, None, **why.values) if voice.has(why.key) else why.reason
            broken = "".join(text.replace("\r\n", "\n").split("\n")[why.line - 1 : why.line])[:200]
        return render(request, "bring.html", 422, text=text, problem=said, reason=reason, broken=broken)
    return RedirectResponse(f"/replay/{name}", 303)


@router.get("/replay/{name}")
async def replay_page(request: Request, name: ReplayId, ply: Ply = 0, seat: WantedSeat = None) -> Response:
    gallery = gallery_of(request)
    try:
        played = await gallery.find(name)
    except NotOver as refusal:
        voice = Voice([HERE / "locale"], language_of(request))
        return render(request, "problem.html", 409, problem=voice.say(f"problem.{refusal.key}"), table=name)
    language = language_of(request)
    session = played.session()
    game, end = session.game, session.position
    voice = voice_of(played, language)
    at, viewer = min(ply, len(played.events)), known_viewer(played, seat)
    told, picture = await gallery.jobs.do(opening, played, viewer, language, at)
    colours = game.open_colours(end)
    players = [
        {"seat": number, "name": voice.name(number), "colour": colours[number] if colours else None} for number in range(played.seats)
    ]
    shown = {
        "ply": at, "count": len(played.events), "seat": seat if viewer != EVERYTHING else None, "digest": played.digest(),
        "language": language, "batch": BATCH, "title": game.title, "players": players, "over": end.to_act == OVER,
        "ranks": [int(rank) for rank in end.ranks()] if end.to_act == OVER else None,
        "start": [int(score) for score in session.setup.start().scores()], "story": told,
        "analysis": await analysis_shown(gallery, name, played, await gallery.analysis_queue.of(name, played), language),
    }  # fmt: skip
    return render(
        request, "replay.html", name_of_replay=name, own_file=played.components, game=game, shown=shown, picture=picture,
        words=script_words(language), marks=art.MARKS, symbols=art_symbols(game), levels=LEVELS, usual=PLAY_ON_LEVEL,
        link=str(request.url_for("replay_page", name=name)),
    )  # fmt: skip


SCRIPT_WORDS = (
    "copied", "failed", "film", "film.making", "pause", "place", "play", "ply", "points", "running", "start", "stop", "waiting",
    "analyse", "better", "cost", "done", "go-on", "share-of", "over-here",
)  # fmt: skip
"""What the script says; `replay.NAME` in the words."""


@cache
def script_words(language: str) -> dict[str, str]:
    voice = Voice([HERE / "locale"], language)
    return {key: voice.message(f"replay.{key}") for key in SCRIPT_WORDS}


@router.get("/replay/{name}/frames")
async def film(request: Request, name: ReplayId, first: Ply = 0, seat: WantedSeat = None, language: Language = "en") -> Response:
    """A batch of pictures. The address carries a sum of the game, so a browser may keep it; asked for, it is checked as everything here."""
    played = await gallery_of(request).find(name)
    first = min(first, len(played.events)) // BATCH * BATCH
    packed = await gallery_of(request).film(played, known_viewer(played, seat), language if language in languages() else "en", first)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers=PACKED | {"Content-Encoding": "gzip"})
    return Response(gzip.decompress(packed), headers=PACKED)


@router.get("/replay/{name}/story")
async def in_sentences(request: Request, name: ReplayId, seat: WantedSeat = None) -> Response:
    played = await gallery_of(request).find(name)
    return JSONResponse(await gallery_of(request).jobs.do(story, played, known_viewer(played, seat), language_of(request)))


@router.get("/replay/{name}/outline")
async def in_words(request: Request, name: ReplayId, ply: Ply = 0, seat: WantedSeat = None) -> Response:
    """The position after so many events in words, for who does not see the picture."""
    played = await gallery_of(request).find(name)
    at = min(ply, len(played.events))
    return JSONResponse(await gallery_of(request).jobs.do(outline, played, known_viewer(played, seat), language_of(request), at))


@router.get("/replay/{name}/record")
async def download(request: Request, name: ReplayId) -> Response:
    played = await gallery_of(request).find(name)
    headers = {"Content-Disposition": f'attachment; filename="{played.game}-{name}.txt"'}
    return PlainTextResponse(await gallery_of(request).jobs.do(written, played), headers=headers)


@router.get("/replay/{name}/analysis")
async def analysis(request: Request, name: ReplayId) -> Response:
    gallery = gallery_of(request)
    played = await gallery.find(name)
    return JSONResponse(await analysis_shown(gallery, name, played, await gallery.analysis_queue.of(name, played), language_of(request)))


@router.post("/replay/{name}/analysis", dependencies=my_games.COUNTED)
async def analyse(request: Request, name: ReplayId) -> Response:
    gallery = gallery_of(request)
    played = await gallery.find(name)
    return JSONResponse(await analysis_shown(gallery, name, played, await gallery.analysis_queue.want(name, played), language_of(request)))


@router.post("/replay/{name}/analysis/stop")
async def stop(request: Request, name: ReplayId) -> Response:
    gallery = gallery_of(request)
    played = await gallery.find(name)
    return JSONResponse(await analysis_shown(gallery, name, played, await gallery.analysis_queue.stop(name, played), language_of(request)))


async def analysis_shown(gallery: Gallery, name: str, played: FinishedGame, found: Analysis | None, language: str) -> dict[str, Any]:
    """How far the analysis is, and what it has found."""
    findings = findings_of(found) if found else []
    end = played.session().position
    return {
        "state": await gallery.analysis_queue.state(name, found), "done": len(findings), "of": len(found.plies) if found else 0,
        "shares": [[each.ply, each.shares] for each in findings],
        "result": result(end) if end.to_act == OVER and played.seats > 1 else None,
        "turning": points_of_turning(played, turning_points(findings), language),
    }  # fmt: skip


@router.post("/replay/{name}/play", dependencies=my_games.COUNTED)
async def play_on(
    request: Request, name: ReplayId, ply: Annotated[int, Form(ge=0, le=1_000_000)], seat: FormSeat,
    level: ShortText = PLAY_ON_LEVEL,
) -> Response:  # fmt: skip
    """A table for practice that goes on from a ply of this game, against bots."""
    gallery = gallery_of(request)
    played = await gallery.find(name)
    session, voice = played.session(), voice_of(played, language_of(request))
    if session.at(ply).to_act == OVER or seat >= played.seats:
        raise NoFurther("no-further", "The game is over here; go back a little to play on.")
    bot(level)
    names = [clean_name(voice.name(number), str(number + 1)) for number in range(played.seats)]
    seats = [person_seat(each) if number == seat else bot_seat(level, each) for number, each in enumerate(names)]
    options = session.setup.changed_options()
    settings: dict[str, Any] = {"listed": False, "seconds": None}
    if played.components:
        settings[COMPONENTS] = [played.components.name, played.components.text]
    table = await gallery.tables.create(played.game, seats, options, settings, session.events[:ply])
    return keep(RedirectResponse(f"/t/{table.id}", 303), table.id, seats[seat].token)


# The same for programs.


@programs.post("", status_code=201)
async def upload(request: Request, wish: RecordWish) -> dict[str, str]:
    """Bring a record to be looked at; the answer has the id of its replay. A broken one is refused with the line and the reason."""
    name = await gallery_of(request).keep(wish.record)
    return {"replay": name, "page": f"/replay/{name}"}


@programs.get("/{replay_id}/record", response_class=Response, responses=PLAIN)
async def record_text(request: Request, replay_id: ReplayId) -> PlainTextResponse:
    """The record of a game that is over, as text (docs/architecture.md, Records)."""
    gallery = gallery_of(request)
    return PlainTextResponse(await gallery.jobs.do(written, await gallery.find(replay_id)))


@programs.get("/{replay_id}/analysis")
async def see_analysis(request: Request, replay_id: ReplayId, language: Language = "en") -> dict[str, Any]:
    """What a strong bot thinks of the game: by ply the share of the win that each seat may expect, and the decisions that cost most.

    `state` is none, waiting, running, stopped or done; `shares` grows while it runs.
    """
    gallery = gallery_of(request)
    played = await gallery.find(replay_id)
    return await analysis_shown(gallery, replay_id, played, await gallery.analysis_queue.of(replay_id, played), language)


@programs.post("/{replay_id}/analysis")
async def want_analysis(request: Request, replay_id: ReplayId, language: Language = "en") -> dict[str, Any]:
    """Begin the analysis, or go on with it. One game at a time is looked at; others wait."""
    gallery = gallery_of(request)
    played = await gallery.find(replay_id)
    return await analysis_shown(gallery, replay_id, played, await gallery.analysis_queue.want(replay_id, played), language)
