"""The pages of tournaments: all of them, one to follow, and one to announce. How they are played is in `people/tournaments.py`.

The page to follow has two parts. What is for everybody (standings, tables of a round) is made once for all who read the same language, and
asked for again every few seconds by a small script, with the tag of what it has: so a thousand who look on mostly get nothing but a 304.
What is one's own, with a way to one's table, comes with the page, which the script fetches when the round has changed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

from babel.numbers import format_decimal
from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from sheepfold.bots import LEVELS
from sheepfold.game.registry import every_game, find, names
from sheepfold.messages import Voice
from sheepfold.people.standings import table_points
from sheepfold.people.tournaments import (
    ANNOUNCED,
    ENDED,
    KINDS,
    MOST_PLAYERS,
    MOST_ROUNDS,
    RUNNING,
    SWISS,
    NoTournament,
    Rules,
    Tournament,
    Tournaments,
)
from sheepfold.web import my_games, vignettes
from sheepfold.web.api import LIKELY, NO_STORE, clean_name, level_name
from sheepfold.web.language import WORDS, language_of
from sheepfold.web.pages import clock_wish
from sheepfold.web.rendering import CLOCK_UNITS, art_symbols, clock_words, keep_name, own_name, render, templates

LONGEST_NAME = 40
SHOWN = 50
"""So many lines of standings, and tables of a round, a page has, unless one asks for all."""
KEPT = 12
"""How many of them are kept of a tournament as it is now: languages, rounds."""
FRESH = 1.0
"""Seconds for which what was read from the database is good enough for who looks on."""
UNITS = ("minutes", "hours", "days")

TournamentId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{4,32}$", description="A tournament's id")]
ShortText = Annotated[str, Form(max_length=200)]
Number = Annotated[int, Form(ge=0, le=10_000)]
WantedRound = Annotated[int | None, Query(alias="round", ge=1, le=1000)]

router = APIRouter(include_in_schema=False)
programs = APIRouter(prefix="/api/tournaments", tags=["api"], responses=LIKELY)


def tournaments_of(request: Request) -> Tournaments:
    """Where the host has switched them off there is nothing at any of these addresses."""
    tournaments: Tournaments | None = request.app.state.tournaments
    if tournaments is None:
        raise NoTournament("no-page", "There are no tournaments here.")
    return tournaments


# All of them.


@router.get("/tournaments")
async def all_of_them(request: Request) -> Response:
    device = my_games.device_of(request)
    lines = [each for each in await tournaments_of(request).listed(device) if each.game in names()]
    games = [game for game in every_game() if game.seats[-1] > 1]
    return render(
        request, "tournaments.html", lines=lines, games=games, titles={game.name: game.title for game in games},
        vignettes={game.name: vignettes.vignette(game) for game in games}, symbols=art_symbols(), headers=NO_STORE if device else None,
    )  # fmt: skip


# A new one.


@router.get("/tournaments/new/{game}")
async def new(request: Request, game: str) -> Response:
    tournaments_of(request)
    chosen = find(game)
    return render(
        request, "tournament_new.html", game=chosen, seats=[count for count in chosen.seats if count > 1], kinds=KINDS, levels=LEVELS,
        vignette=vignettes.vignette(chosen), symbols=art_symbols(), units=list(CLOCK_UNITS)[::-1], later=UNITS,
        programs=tournaments_of(request).house.bots.programs.commands, most=MOST_PLAYERS[SWISS], most_rounds=MOST_ROUNDS,
        longest=LONGEST_NAME,
    )  # fmt: skip


@router.post("/tournaments/new/{game}")
async def announce(
    request: Request,
    game: str,
    seats: Number,
    name: ShortText = "",
    kind: ShortText = SWISS,
    rounds: Number = 5,
    twice: ShortText = "",
    clock: ShortText = "move",
    amount: ShortText = "60",
    unit: ShortText = "seconds",
    level: Annotated[list[str] | None, Form(max_length=8)] = None,
    fill: Number = 0,
    late: Number = 1,
    starts: ShortText = "",
    starts_in: Number = 0,
    starts_unit: ShortText = UNITS[0],
    listed: ShortText = "",
    me: ShortText = "",
    called: ShortText = "",
) -> Response:
    """The form: how it is played, when it starts, and whether who announces it plays too."""
    chosen, room, say = find(game), tournaments_of(request), Voice([WORDS], language_of(request)).say
    rules = Rules(
        seats=seats, kind=kind, rounds=rounds, twice=bool(twice), levels=level or (), fill=fill if level else 0, late=late,
        listed=bool(listed), **clock_wish(clock, amount, unit),
    )  # fmt: skip
    title = clean_name(name, say("tournament.name.usual", game=chosen.title), LONGEST_NAME)
    when = time.time() + starts_in * CLOCK_UNITS.get(starts_unit, 60) if starts == "later" and starts_in else None
    response = RedirectResponse("/", 303)
    device = my_games.known_device(request, response)
    tournament_id = await room.announce(device, title, chosen, rules, when)
    if me:
        await room.enter(device, tournament_id, clean_name(called, own_name(request)))
        keep_name(request, response, called)
    response.headers["location"] = f"/tournament/{tournament_id}"
    return response


# One to follow.


@router.get("/tournament/{tournament_id}")
async def follow(request: Request, tournament_id: TournamentId, number: WantedRound = None, all: bool = False) -> Response:
    room, device = tournaments_of(request), my_games.device_of(request)
    found = await room.found(tournament_id)
    mine = await room.numbers_of(device, tournament_id)
    tables = [each for each in found.played if each.round == found.round and each.entrant in mine]
    return render(
        request, "tournament.html", tournament=found, game=find(found.game), vignette=vignettes.vignette(find(found.game)),
        symbols=art_symbols(), mine=mine, entered=[each for each in found.here if each.number in mine],
        my_tables=[each.table for each in tables if each.table and each.rank is None and not found.entrants[each.entrant].plays_by_itself],
        my_bye=found.state == RUNNING and bool(tables) and all_out(tables),
        my_standings=[each for each in found.before if each.entrant in mine], rounds_over=found.round - (found.state != ENDED),
        organises=await room.is_organiser(device, found), clock=clock_words(Voice([WORDS], language_of(request)).say, vars(found.rules)),
        board=await shown_board(found, language_of(request), number, all), address=board_address(tournament_id, number, all),
        link=str(request.url_for("follow", tournament_id=tournament_id)), number=decimal(language_of(request)),
        starts_in=starts_in, headers=NO_STORE if device else None,
    )  # fmt: skip


def all_out(tables: list[Any]) -> bool:
    """Whether somebody has nobody to play in a round."""
    return all(each.board is None for each in tables)


def board_address(tournament_id: str, number: int | None, whole: bool) -> str:
    asked = "&".join([*([f"round={number}"] if number else []), *(["all=1"] if whole else [])])
    return f"/tournament/{tournament_id}/board{'?' if asked else ''}{asked}"


@router.get("/tournament/{tournament_id}/board")
async def board(request: Request, tournament_id: TournamentId, number: WantedRound = None, all: bool = False) -> Response:
    """What is for everybody, for who has it as it was; the tag says whether anything has changed."""
    found, language = await tournaments_of(request).found(tournament_id, FRESH), language_of(request)
    headers = {"ETag": tag(found, language), "Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(await shown_board(found, language, number, all), media_type="text/html", headers=headers)


def tag(found: Tournament, language: str) -> str:
    return f'"{found.revision}-{language}"'


async def shown_board(found: Tournament, language: str, number: int | None, whole: bool) -> str:
    """The same as `board_of`, made once for all who are shown the same, beside the loop; the last few are kept."""
    key = (language, min(number or found.round, found.round), whole)
    if key not in found.shown:
        made = await asyncio.to_thread(board_of, found, *key)
        while len(found.shown) >= KEPT:
            found.shown.pop(next(iter(found.shown)), None)
        found.shown[key] = made
    return found.shown[key]


def board_of(found: Tournament, language: str, number: int, whole: bool) -> str:
    """Standings and the tables of a round."""
    tables, voice = found.tables(number), Voice([WORDS], language)
    return templates.get_template("tournament_board.html").render(
        say=voice.say, called=voice.called, level_of=lambda level: level_name(level, voice), tournament=found,
        language=language, number=decimal(language), tag=tag(found, language),
        standings=found.standings if whole else found.standings[:SHOWN], tables=tables if whole else tables[:SHOWN], shown=number,
        more=not whole and max(len(found.standings), len(tables)) > SHOWN, count=len(tables), worth=worth,
        laid=all(each[0].table for each in found.tables(found.round)), over=sum(each[0].rank is not None for each in tables),
        out=[voice.called(found.entrants[each].name) for each in found.byes(number)],
    )  # fmt: skip


def decimal(language: str) -> Callable[[float], str]:
    """How a number of points is written, with two digits behind the point at most."""
    return lambda value: _decimal(value, language)


@lru_cache(4096)
def _decimal(value: float, language: str) -> str:
    return format_decimal(value, "#,##0.##", language)


def worth(table: list[Any]) -> list[float | None]:
    """What each seat of a table got; nothing yet where it is played."""
    if table[0].rank is None:
        return [None] * len(table)
    return list(table_points([each.rank for each in table]))


def starts_in(say: Callable[..., str], starts: float) -> str:
    """In how long, in the largest unit of which there is at least one."""
    left = max(60.0, starts - time.time())
    unit = next(unit for unit, seconds in my_games.AGES.items() if left >= seconds)
    return say(f"tournament.starts.{unit}", round(left / my_games.AGES[unit]))


# What people do there.


@router.post("/tournament/{tournament_id}/enter")
async def enter(request: Request, tournament_id: TournamentId, name: ShortText = "") -> Response:
    response = _back(tournament_id)
    room = tournaments_of(request)
    room.house.quotas.enter()
    await room.enter(my_games.known_device(request, response), tournament_id, clean_name(name, own_name(request)))
    keep_name(request, response, name)
    return response


@router.post("/tournament/{tournament_id}/leave")
async def leave(request: Request, tournament_id: TournamentId) -> Response:
    if device := my_games.device_of(request):
        await tournaments_of(request).leave(device, tournament_id)
    return _back(tournament_id)


@router.post("/tournament/{tournament_id}/remove")
async def remove(request: Request, tournament_id: TournamentId, number: Number) -> Response:
    """The organiser has somebody leave."""
    await tournaments_of(request).leave(my_games.device_of(request) or "", tournament_id, number)
    return _back(tournament_id)


@router.post("/tournament/{tournament_id}/start")
async def start(request: Request, tournament_id: TournamentId) -> Response:
    await tournaments_of(request).begin(my_games.device_of(request) or "", tournament_id)
    return _back(tournament_id)


@router.post("/tournament/{tournament_id}/call-off")
async def call_off(request: Request, tournament_id: TournamentId) -> Response:
    await tournaments_of(request).call_off(my_games.device_of(request) or "", tournament_id)
    return _back(tournament_id)


def _back(tournament_id: str) -> Response:
    return RedirectResponse(f"/tournament/{tournament_id}", 303)


# The same for programs, to be read.


@programs.get("")
async def list_tournaments(request: Request) -> list[dict[str, Any]]:
    """Tournaments that anybody may see, those that go on first."""
    return [vars(each) for each in await tournaments_of(request).listed(None)]


@programs.get("/{tournament_id}")
async def show_tournament(request: Request, tournament_id: TournamentId) -> dict[str, Any]:
    """A tournament: how it is played, who takes part, the standings, and the tables of every round, seat by seat."""
    found = await tournaments_of(request).found(tournament_id, FRESH)
    return {
        "tournament": found.id, "name": found.name, "game": found.game, "state": found.state, "round": found.round,
        "revision": found.revision, "rules": vars(found.rules), "starts": found.starts, "open": found.can_be_entered,
        "players": [
            {"number": each.number, "name": each.name, "level": each.level, "left": each.left_in is not None}
            for each in found.entrants.values()
        ],
        "standings": [vars(each) for each in found.standings] if found.state != ANNOUNCED else [],
        "rounds": [
            {
                "tables": [
                    {"table": table[0].table, "players": [each.entrant for each in table], "points": worth(table)}
                    for table in found.tables(number)
                ],
                "byes": found.byes(number),
            }
            for number in range(1, found.round + 1)
        ],
    }  # fmt: skip
