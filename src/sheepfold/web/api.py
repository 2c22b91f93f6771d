"""The JSON API: everything the page can do, for programs. `docs/server.md` has an example client.

A seat's token, given when a table is made or a seat is taken, goes into the header `Authorization: Bearer TOKEN`. Whoever
has none is a spectator.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import to_json

from sheepfold.bots import LEVELS
from sheepfold.core.errors import SheepfoldError, UnknownGame
from sheepfold.core.position import SPECTATOR
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.defaults.narration import option_sentence, value_name
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game, find
from sheepfold.game.session import Plan
from sheepfold.messages import FALLBACK, Voice, languages
from sheepfold.people.lobby import Lobby
from sheepfold.table.rated import CLOCK as RATED_CLOCK
from sheepfold.table.rated import RATED, NotRated, check
from sheepfold.table.store import Seat
from sheepfold.table.table import COMPONENTS, HINTS, Holder, Outdated, Table, entered
from sheepfold.table.tables import Tables, bot_seat, distinct, person_seat
from sheepfold.table.timing import BUDGET, SECONDS
from sheepfold.web.event_stream import STILL_HERE, EventStream, as_it_happens
from sheepfold.web.language import WORDS
from sheepfold.web.lesson_scene import guide_scene
from sheepfold.web.said import in_words

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{4,32}$", description="A table's id")]
Language = Annotated[str, Query(pattern=r"^[a-z]{2}$", description="Language of all texts")]
Token = Annotated[str | None, Header(alias="authorization", description="Bearer TOKEN of a seat")]


def plain(text: str) -> str:
    """A text that every database can keep: no zero characters, and no halves of characters."""
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(NOT_TEXT)
    return text


def one_line(text: str) -> str:
    """What is said, without breaks."""
    tidy = " ".join(text.split())
    if not tidy:
        raise ValueError("nothing is said")
    return tidy


NOT_TEXT = "this is no text: it holds a zero character or half a character"
Name = Annotated[str, Field(max_length=40), AfterValidator(plain)]
MOST_SEATS = max((game.seats[-1] for game in every_game()), default=1)
"""How many sit at the largest table that there can be; whether a table has a certain seat, the table says."""


class Problem(BaseModel):
    """What was wrong and what would be right."""

    problem: str


LIKELY: dict[int | str, dict[str, Any]] = {code: {"model": Problem} for code in (403, 404, 409, 422, 429, 503)}
"""How requests are refused, whatever they are about."""
PLAIN: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}
"""Where the answer is a text."""
router = APIRouter(prefix="/api", tags=["api"], responses=LIKELY)


class SeatWish(BaseModel):
    """Who is to sit on a seat."""

    model_config = ConfigDict(extra="forbid")
    kind: str = Field(default="open", pattern="^(me|open|bot)$", description="me, open (for a friend) or bot")
    name: Name = ""
    level: str = Field(default="ewe", max_length=20, description="For a bot: " + ", ".join(LEVELS))


CLOCK = (5, 7 * 86400)
"""The shortest and the longest time for a move, in seconds, and"""
GAME_CLOCK = (60, 90 * 86400)
"""for all moves of a player in a game."""


class ComponentsWish(BaseModel):
    """What is printed on the pieces, where it is not as in the game's own file."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(default="own.toml", min_length=1, max_length=60, description="What the file is called in results and records")
    text: str = Field(min_length=1, max_length=20_000, description="The file itself: TOML, as the game's own (`/games/GAME/components`)")


class TableWish(BaseModel):
    """A table to be made."""

    model_config = ConfigDict(extra="forbid")
    game: str = Field(max_length=40, examples=["haste-bock"])
    seats: list[SeatWish] = Field(min_length=1, max_length=MOST_SEATS)
    options: dict[str, bool | int | str] = Field(default_factory=dict, max_length=20)
    components: ComponentsWish | None = None
    listed: bool = Field(default=False, description="Whether the table is shown in the lobby while seats are open")
    seconds: int | None = Field(
        default=None, ge=CLOCK[0], le=CLOCK[1], description="Clock per move; a bot takes over a seat that stays away"
    )
    rated: bool = Field(
        default=False, description="Whether the result counts for ratings: with the game's own pieces and options, no hints, no undo"
    )
    hints: bool = Field(default=False, description="Whether people are given hints also where several of them play")
    budget: int | None = Field(
        default=None, ge=GAME_CLOCK[0], le=GAME_CLOCK[1], description="Clock per player for the whole game, in seconds"
    )


MOST_LISTED = 100
"""How many tables a lobby shows."""
LONGEST = 200
"""How long the text of an action may be."""


class MoveWish(BaseModel):
    """An action, in the game's notation, that answers a ply."""

    model_config = ConfigDict(extra="forbid")
    ply: int = Field(ge=0, le=1_000_000, description="The `ply` of the scene that this answers")
    action: str = Field(max_length=LONGEST, examples=["slam r1 ne 2"])
    seat: int | None = Field(default=None, ge=0, lt=MOST_SEATS, description="Needed only by who holds several seats")


class SitWish(BaseModel):
    """Somebody who takes an open seat."""

    model_config = ConfigDict(extra="forbid")
    seat: int = Field(ge=0, lt=MOST_SEATS)
    name: Name = ""


class ChatWish(BaseModel):
    """A line to say at the table."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1, max_length=300), AfterValidator(plain), AfterValidator(one_line)]


def tables_of(request: Request) -> Tables:
    tables = request.app.state.tables
    assert isinstance(tables, Tables)
    return tables


def bearer(authorization: str | None) -> list[str]:
    kind, _, token = (authorization or "").partition(" ")
    return [token.strip()] if kind.lower() == "bearer" and token else []


def clean_name(name: str, otherwise: str, longest: int = 24) -> str:
    """A name as it is shown: one line, printable, not too long."""
    tidy = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:longest]
    return tidy or otherwise


def viewer_of(table: Table, mine: Sequence[int], wanted: int | None = None) -> int:
    """Whose view somebody's seats give: the seat wanted if it is among them, else the one that acts or acted, else a spectator's."""
    if wanted is not None and wanted in mine:
        return wanted
    seat = table.acts_for(mine)
    return SPECTATOR if seat is None else seat


def game_card(game: Game, language: str) -> dict[str, Any]:
    """What a shelf says of a game."""
    voice = Voice([game.folder / "locale"], language)
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "minutes": list(game.minutes),
        "tags": list(game.tags),
        "secrets": game.secrets,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": list(option.values),
                "seats": list(option.seats),
                "names_seat": option.names_seat,
                "sentence": option_sentence(option, voice),
                "names": {value: value_name(option, value, voice) for value in option.values if isinstance(value, str)},
            }
            for option in game.options
        ],
    }


def seats_from(wishes: list[SeatWish], language: str) -> list[Seat]:
    """Seats as wished; all of 'me' share one token, as people at one screen do."""
    voice = Voice([WORDS], language)
    me = person_seat("").token
    seats: list[Seat] = []
    for number, wish in enumerate(wishes):
        otherwise = voice.say("player", number=number + 1)
        if wish.kind == "bot":
            name = clean_name(wish.name, level_name(wish.level, voice))
            seats.append(bot_seat(wish.level, distinct(name, (seat.name for seat in seats))))
        elif wish.kind == "me":
            seats.append(Seat("person", distinct(clean_name(wish.name, otherwise), (seat.name for seat in seats)), me))
        else:
            seats.append(Seat("open", otherwise))
    return seats


def level_name(level: str, voice: Voice) -> str:
    """What a level is called; a bot that is none keeps its own name."""
    return voice.say(f"table.level.{level}") if voice.has(f"table.level.{level}") else level.capitalize()


async def make_table(tables: Tables, wish: TableWish, language: str) -> Table:
    """A table as wished, everything checked."""
    for seat in wish.seats:
        if seat.kind == "bot":
            tables.bots.programs.check(seat.level)
    settings: dict[str, Any] = {"listed": wish.listed, SECONDS: wish.seconds, BUDGET: wish.budget}
    if wish.hints:
        settings[HINTS] = True
    if wish.components:
        name = "".join(filter(str.isprintable, " ".join(wish.components.name.split())))
        settings[COMPONENTS] = [name or "own.toml", wish.components.text.replace("\r\n", "\n")]
    elif usual := tables.components.get(find(wish.game).name):
        settings[COMPONENTS] = [usual.name, usual.text]
    seats = seats_from(wish.seats, language)
    if wish.rated:
        if not tables.rating:
            raise NotRated("off")
        check(settings, find(wish.game).setup(len(seats), None, **wish.options).changed_options(), seats)
        settings |= {RATED: True, SECONDS: wish.seconds or (None if wish.budget else RATED_CLOCK)}
    return await tables.create(find(wish.game).name, seats, dict(wish.options), settings)


def components_of(tables: Tables, game: Game) -> EnteredFile | None:
    """The component file that the game is played with here; none where it has none."""
    if not game.component_file.exists():
        return None
    return tables.components.get(game.name) or EnteredFile(game.component_file.name, game.component_file.read_text(encoding="utf-8"))


@router.get("/games/{game}/components", response_class=Response, responses=PLAIN)
async def components(request: Request, game: str) -> Response:
    """The component file that a game is played with here, to be corrected and sent with a new table."""
    found = components_of(tables_of(request), find(game))
    if found is None:
        raise UnknownGame(f"{find(game).title} has no components that a file could change.")
    return PlainTextResponse(found.text)


@router.get("/games")
async def games(language: Language = "en") -> list[dict[str, Any]]:
    """The shelf: every game with its numbers of players and its options."""
    return [game_card(game, language) for game in every_game()]


@router.get("/levels")
async def levels(request: Request) -> list[str]:
    """The bots' levels, weakest first, and the bots in any language that the host has here."""
    return [*LEVELS, *tables_of(request).bots.programs.commands]


@router.post("/tables", status_code=201)
async def create(request: Request, wish: TableWish, language: Language = "en") -> dict[str, Any]:
    """Make a table. The answer has the token for the seats of 'me'."""
    table = await make_table(tables_of(request), wish, language)
    mine = [seat.token for seat in table.seats if seat.kind == "person"]
    return {"table": table.id, "token": mine[0] if mine else None, "seats": table.seats_of(mine[:1])}


@router.get("/tables")
async def lobby(request: Request) -> list[dict[str, Any]]:
    """Open tables that wait for people and may be shown."""
    return await open_tables(tables_of(request))


async def open_tables(tables: Tables) -> list[dict[str, Any]]:
    """What a lobby shows of each open table."""
    found = []
    for each in await asyncio.to_thread(Lobby(tables.store).waiting, MOST_LISTED):
        try:
            settings = json.loads(each.settings)
        except ValueError:  # something else has written there
            continue
        if not _can_begin(each.game, len(each.players), each.options, json.dumps(settings.get(COMPONENTS))):
            continue
        if each.begun and not await _goes_on(tables, each.table):
            continue
        game = find(each.game)
        players = [{"seat": number, "kind": kind, "name": name} for number, (kind, name) in enumerate(each.players)]
        clock = {name: settings.get(name) for name in (SECONDS, BUDGET)}
        rated = tables.rating and bool(settings.get(RATED))
        found.append({"table": each.table, "game": game.name, "title": game.title, "players": players, "rated": rated, **clock})
    return found


async def _goes_on(tables: Tables, table_id: str) -> bool:
    """Whether a game that was begun can be read as it was begun."""
    try:
        return not (await tables.table(table_id)).outdated
    except Outdated:
        return False


@lru_cache(MOST_LISTED)  # a whole component file may be part of what it is kept by
def _can_begin(game: str, seats: int, options: str, components: str) -> bool:
    """Whether such a game can be played here, or nobody can sit down there."""
    try:
        find(game).setup(seats, entered({COMPONENTS: json.loads(components)}), **json.loads(options))
        return True
    except (SheepfoldError, TypeError, ValueError):
        return False


@router.get("/tables/{table_id}")
async def scene(
    request: Request, table_id: TableId, authorization: Token = None, language: Language = "en", since: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    """All that the token's seat may see now: picture, prompt, actions with their targets, players, and the log from ply `since` on."""
    table = await tables_of(request).table(table_id)
    return plain_scene(table, bearer(authorization), spoken(language), min(since, table.ply))


@router.post("/tables/{table_id}/moves")
async def move(request: Request, table_id: TableId, wish: MoveWish, authorization: Token = None) -> dict[str, Any]:
    """Act, or interrupt. Answered when the move is stored; the same move posted twice is done once.

    `happened` tells what followed at once, as the seat may know it: who (a seat, or -1 for chance) and the action's text.
    """
    return await do_move(tables_of(request), table_id, bearer(authorization), wish)


async def do_move(tables: Tables, table_id: str, tokens: list[str], wish: MoveWish) -> dict[str, Any]:
    """A move, done and stored, or the reason why not raised."""
    return moved(*await tables.act(table_id, lambda table: seat_to_move(table, table.seats_of(tokens), wish.seat), wish.ply, wish.action))


def moved(table: Table, plan: Plan) -> dict[str, Any]:
    """What is answered to a move that is stored."""
    return {"ply": table.ply, "revision": table.revision, "happened": plan.notations}


def seat_to_move(table: Table, mine: Sequence[int], wanted: int | None = None) -> int:
    """Which of somebody's seats acts; NotSeated without one."""
    seat = viewer_of(table, mine, wanted)
    if seat == SPECTATOR or (wanted is not None and seat != wanted):
        raise NotSeated("You watch this table, or that seat is not yours.")
    return seat


class NotSeated(PermissionError):
    """The token is for none of the seats it asks for."""


@router.post("/tables/{table_id}/seats")
async def sit(request: Request, table_id: TableId, wish: SitWish) -> dict[str, Any]:
    """Take an open seat."""
    sitter = person_seat(clean_name(wish.name, f"Player {wish.seat + 1}"))
    table = await tables_of(request).sit(table_id, wish.seat, sitter)
    return {"table": table.id, "token": sitter.token, "seat": wish.seat}


@router.post("/tables/{table_id}/undo")
async def undo(request: Request, table_id: TableId, authorization: Token = None) -> dict[str, Any]:
    """Take back the seat's last move, where that is fair."""
    tables = tables_of(request)
    table = await tables.table(table_id)
    seat = last_mover(table, table.seats_of(bearer(authorization)))
    table = await tables.undo(table_id, seat)
    return {"ply": table.ply, "revision": table.revision}


def last_mover(table: Table, mine: Sequence[int]) -> int:
    """Which of somebody's seats acted last."""
    seat = table.acted_last(mine)
    if seat is None:
        raise NotSeated("You watch this table.")
    return seat


@router.get("/tables/{table_id}/chance", responses={404: {"model": Problem}})
async def chance(request: Request, table_id: TableId) -> dict[str, Any]:
    """What shows that chance was settled before the first event: the seal at any time; when the game is over also the secret and all that
    chance did. `docs/check_chance.py` checks it."""
    return (await tables_of(request).table(table_id)).told_of_chance()


@router.get("/tables/{table_id}/stream")
async def stream(request: Request, table_id: TableId, authorization: Token = None, language: Language = "en") -> Response:
    """Server-sent events: a `scene` at once and after every change. Its id is the revision; after a gap the next scene is whole."""
    tables, tokens = tables_of(request), bearer(authorization)
    table = await tables.table(table_id)
    return EventStream(table, table.seats_of(tokens), scenes(tables, table_id, tokens, language), NO_STORE)


@router.get("/tables/{table_id}/events")
async def events(
    request: Request,
    table_id: TableId,
    authorization: Token = None,
    since: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    own: Annotated[bool, Query(description="Whether to tell also what your own moves bring, as their answers do")] = True,
) -> Response:
    """Server-sent events for programs that know the game: what happened, without pictures and words.

    At once and after every change comes `happened`, with the fields of the answer to a move and `since`: from that ply on this is
    the log, so what was told of later plies before has been taken back.
    """
    tables, tokens = tables_of(request), bearer(authorization)
    table = await tables.table(table_id)
    return EventStream(table, table.seats_of(tokens), as_it_happens(tables, table_id, News(tokens, since, own)), NO_STORE)


NO_STORE = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}


def plain_scene(table: Table, tokens: list[str], language: str, since: int) -> dict[str, Any]:
    """What the API sends of a table."""
    viewer = viewer_of(table, table.seats_of(tokens))
    return {
        **table.scene(viewer, language, since),
        "chat": in_words(table.chat, language),
        "said": table.said,
        "rematch": table.settings.get("rematch"),
        "guide": guide_scene(table, viewer, language),
    }


def spoken(language: str) -> str:
    """The language that was asked for, or English where we do not speak it."""
    return language if language in languages() else FALLBACK


async def scenes(tables: Tables, table_id: str, tokens: list[str], language: str) -> AsyncIterator[str]:
    """A viewer's scenes as server-sent events; the log only from where the last scene ended."""
    language = spoken(language)
    since, undos, short = 0, -1, False
    async with tables.listeners.listening(table_id) as changed:
        while True:
            table = tables.in_memory.get(table_id) or await tables.table(table_id)
            goes_on = (
                undos == table.undos and since <= table.ply and short == table.session.forgetful
            )  # a short log is told whole at the end
            scene = plain_scene(table, tokens, language, since if goes_on else 0)
            since, undos, short = table.ply, table.undos, table.session.forgetful
            yield f"event: scene\nid: {table.revision}\ndata: {to_json(scene).decode()}\n\n"
            while not await changed():
                yield STILL_HERE.decode()


class News:
    """What happened, as server-sent events, as a viewer may know it: each time what is new since the last. Nothing where that is only
    what the viewer's own move brought, unless `own` moves are to be told too; but first of all who comes hears everything."""

    def __init__(self, tokens: list[str], since: int, own: bool = True) -> None:
        self.holder, self.since, self.own, self.undos = Holder(tokens), since, own, -1

    def __call__(self, table: Table) -> bytes:
        known, first = self.since, self.undos < 0
        self.since = table.ply
        if self.undos != table.undos or known > table.ply:
            known = known if first and known <= table.ply else 0
            self.undos = table.undos
        mine = self.holder.seats(table)
        if not self.own and not first and table.latest_by(known) in mine:
            return b""
        viewer = viewer_of(table, mine) if table.game.secrets else SPECTATOR
        return table.once(("happened", viewer, known), lambda: happened(table, viewer, known))


def happened(table: Table, viewer: int, known: int) -> bytes:
    """What happened after what is known, as an event."""
    session = table.session
    since = session.told_since(known)
    news = {"since": since, "ply": session.ply, "revision": table.revision, "happened": session.notations(viewer, since)}
    if table.closed is not None:
        news["status"] = table.status
    return b"event: happened\nid: %d\ndata: %b\n\n" % (table.revision, to_json(news))
