"""Inviting: a table for a friend in one tap, a partner for who has none, and the lobby with what waits and what goes on."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from sheepfold.game.game import Game
from sheepfold.game.registry import every_game, find, names
from sheepfold.messages import Voice, languages
from sheepfold.people.lobby import QUICK, Lobby
from sheepfold.table.bot_players import bot_names
from sheepfold.table.store import Seat
from sheepfold.table.table import Table
from sheepfold.table.tables import SeatTaken, bot_seat, person_seat
from sheepfold.web import api, my_games, vignettes
from sheepfold.web.api import SeatWish, TableId, TableWish, tables_of
from sheepfold.web.language import WORDS, language_of
from sheepfold.web.rendering import art_symbols, keep, keep_name, own_name, render, tokens_of

QUICK_CLOCK = 180
"""Seconds for a move where two meet who do not know each other."""
SHOWN_RUNNING = 12
FILLED_LEVEL = "ewe"

router = APIRouter(include_in_schema=False)


def lobby_of(request: Request) -> Lobby:
    return Lobby(tables_of(request).store)


def for_friends(game: Game) -> int:
    """How many sit down where nobody says how many: as few as can play with each other."""
    return next((count for count in game.seats if count > 1), game.seats[-1])


def with_bots(game: Game) -> int:
    """How many play where somebody wants to begin at once, and bots take the other seats."""
    return 4 if 4 in game.seats else game.seats[-1]


@router.post("/invite/{game}", dependencies=my_games.COUNTED)
async def invite(request: Request, game: str) -> Response:
    """A table with seats for friends; its page has the link to send."""
    chosen = find(game)
    seats = [SeatWish(kind="me", name=own_name(request)), *(SeatWish(kind="open") for _ in range(for_friends(chosen) - 1))]
    table = await api.make_table(tables_of(request), TableWish(game=chosen.name, seats=seats), language_of(request))
    return keep(RedirectResponse(f"/t/{table.id}", 303), table.id, table.seats[0].token)


@router.post("/pair/{game}", dependencies=my_games.COUNTED)
async def pair(request: Request, game: str) -> Response:
    """A seat where somebody waits, or a table where the next who comes is waited for."""
    chosen, tables = find(game), tables_of(request)
    me = person_seat(own_name(request))
    for table_id in await asyncio.to_thread(lobby_of(request).quick, chosen.name, my_games.device_of(request)):
        table = await tables.table(table_id)
        free = next((number for number, seat in enumerate(table.seats) if seat.kind == "open"), None)
        if free is None or tokens_of(request, table_id):
            continue
        try:
            await tables.sit(table_id, free, me)
        except SeatTaken:  # somebody was quicker
            continue
        return keep(RedirectResponse(f"/t/{table_id}", 303), table_id, me.token)
    voice = Voice([WORDS], language_of(request))
    others = [Seat("open", voice.say("player", number=number + 1)) for number in range(1, for_friends(chosen))]
    table = await tables.create(chosen.name, [me, *others], {}, {"listed": True, "seconds": QUICK_CLOCK, QUICK: True})
    return keep(RedirectResponse(f"/t/{table.id}", 303), table.id, me.token)


def invitation(request: Request, table: Table) -> dict[str, Any]:
    """What somebody who opens the link of a waiting table reads; nothing elsewhere."""
    if table.status != "open":
        return {"invitation": None}
    host = next((seat.name for seat in table.seats if seat.kind == "person"), "")
    nameless = {Voice([WORDS], each).say("you") for each in languages()}
    return {
        "invitation": {
            "host": "" if host in nameless else host, "sentence": table.game.about(language_of(request)),
            "vignette": vignettes.vignette(table.game), "card": api.game_card(table.game, language_of(request)),
            "quick": bool(table.settings.get(QUICK)), "named": bool(unquote(request.cookies.get("name", ""))),
        }
    }  # fmt: skip


@router.post("/t/{table_id}/fill")
async def fill(request: Request, table_id: TableId) -> Response:
    """Bots take the seats that are still free, so that the game begins."""
    tables = tables_of(request)
    table = await tables.table(table_id)
    api.seat_to_move(table, table.seats_of(tokens_of(request, table_id)))
    sheep = iter(bot_names(len(table.seats)))
    for number, seat in enumerate(table.seats):
        if seat.kind == "open":
            try:
                await tables.sit(table_id, number, bot_seat(FILLED_LEVEL, next(sheep)))
            except SeatTaken:  # a friend was quicker
                continue
    return RedirectResponse(f"/t/{table_id}", 303)


@router.post("/t/{table_id}/name")
async def rename(request: Request, table_id: TableId, name: Annotated[str, Form(max_length=200)] = "") -> Response:
    """What somebody is called at a table that waits, and from then on."""
    tables = tables_of(request)
    table = await tables.table(table_id)
    response = RedirectResponse(f"/t/{table_id}", 303)
    seat = api.seat_to_move(table, table.seats_of(tokens_of(request, table_id)))
    if (wanted := api.clean_name(name, "")) and table.status == "open":
        await tables.rename(table_id, seat, wanted)
        keep_name(request, response, wanted)
    return response


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    """Tables that wait, a partner at once for any game, and tables to look on at."""
    found = await api.open_tables(tables_of(request))
    running = [each for each in await asyncio.to_thread(lobby_of(request).running, SHOWN_RUNNING) if each.game in names()]
    pictures = {game.name: vignettes.vignette(game) for game in every_game()}
    titles = {game.name: game.title for game in every_game()}
    games = [game for game in every_game() if game.seats[-1] > 1]
    return render(
        request, "lobby.html", tables=found, running=running, games=games, vignettes=pictures, titles=titles, friends=vignettes.friends(),
        symbols=art_symbols(), rating=tables_of(request).rating,
    )  # fmt: skip
