"""Ratings on the pages: who plays at a rated table, a player's own page, and the best of each game. How they are counted is in
`people/ratings.py`; where the host has switched them off no page speaks of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from babel.dates import format_date
from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy.exc import SQLAlchemyError

from sheepfold.game.registry import every_game, names
from sheepfold.messages import Voice, languages
from sheepfold.people.profiles import FEW, Honour, Page, Profiles
from sheepfold.people.ratings import shown as as_shown
from sheepfold.table.rated import FIRM, ON, RATED
from sheepfold.table.table import Table
from sheepfold.web import my_games, rendering
from sheepfold.web.api import NO_STORE, TableId, level_name, tables_of
from sheepfold.web.language import WORDS, language_of
from sheepfold.web.rating_plot import rating_plot

ProfileId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{6,32}$")]

router = APIRouter(include_in_schema=False)


def profiles_of(request: Request) -> Profiles | None:
    """None where the host has switched ratings off."""
    profiles: Profiles | None = request.app.state.profiles
    return profiles


# The table's page.


async def shown(request: Request, table: Table) -> dict[str, Any]:
    """What a table's page says of its players; nothing where the result is not meant to count."""
    profiles = profiles_of(request)
    if profiles is None or not table.settings.get(RATED):
        return {"rated": None}
    return {"rated": await asyncio.to_thread(profiles.at, table.id), "why": _why(table), "rating": as_shown, "level_of": _levels(request)}


def _why(table: Table) -> str | None:
    """Why the result will not count, as far as the table itself knows."""
    found = table.rated(-1)
    return None if found in (None, ON, FIRM) else found


async def came(request: Request, table: Table) -> None:
    """Somebody has come to a table where they sit. Where it cannot be noted now, it is the next time."""
    profiles = profiles_of(request)
    if profiles and table.settings.get(RATED) and table.status == "playing":
        with suppress(SQLAlchemyError):
            await asyncio.wrap_future(profiles.came(table.id))


@router.get("/t/{table_id}/rated")
async def rated(request: Request, table_id: TableId) -> Response:
    """The same for a page that is open already."""
    table = await tables_of(request).table(table_id)
    found = await shown(request, table)
    if found["rated"] and not all(each.player for each in found["rated"].seated) and table.seats_of(rendering.tokens_of(request, table_id)):
        await came(request, table)
        found = await shown(request, table)
    if found["rated"] is None:
        return HTMLResponse("")
    return rendering.render(request, "rated.html", table=table, headers=NO_STORE, **found)


# Players.


@router.get("/player/{profile_id}")
async def player(request: Request, profile_id: ProfileId) -> Response:
    """Somebody's page, if they show themselves."""
    profiles = profiles_of(request)
    page = await asyncio.to_thread(profiles.page, profile_id) if profiles else None
    if page is None:
        return rendering.problem(request, 404, _voice(request).say("problem.no-player"))
    said = [_said(request, each) for each in page.honours if not each.game or each.game in names()]
    known = [each for each in page.ratings if each.game in names() and each.game in page.history]
    device = my_games.device_of(request)
    own = await asyncio.to_thread(profiles.of, device) if profiles and device else None
    return rendering.render(
        request, "player.html", page=page, ratings=known, plots={each.game: _plot(request, page, each.game) for each in known},
        own=bool(own and own.id == profile_id), honours=said,
        rating=as_shown, titles=_titles(), level_of=_levels(request), named=_named(request), headers=NO_STORE,
        favourites=", ".join(_titles()[each.game] for each in known[:3]),
    )  # fmt: skip


@router.get("/players")
async def players(request: Request) -> Response:
    """The best of each game; those with few games apart."""
    profiles = profiles_of(request)
    if profiles is None:
        return rendering.problem(request, 404, _voice(request).say("problem.no-page"))
    best = await asyncio.to_thread(lambda: {game: profiles.best(game) for game in names()})
    lists = {game: found for game, found in best.items() if any(found)}
    return rendering.render(
        request, "players.html", lists=lists, rating=as_shown, few=FEW, titles=_titles(), level_of=_levels(request), named=_named(request)
    )


@router.post("/mine/profile")
async def show_profile(request: Request, wanted: Annotated[str, Form(max_length=4)] = "") -> Response:
    """Somebody shows themselves to everybody, or no more."""
    profiles, device = profiles_of(request), my_games.device_of(request)
    if profiles and device:
        await asyncio.wrap_future(profiles.show(device, rendering.own_name(request), bool(wanted)))
    return RedirectResponse("/mine#profile", 303)


async def own(request: Request, device: str | None) -> dict[str, Any]:
    """What the page of somebody's games says of their profile; nothing where there are none."""
    profiles = profiles_of(request)
    if profiles is None or device is None:
        return {"profiles": False, "profile": None}
    return {"profiles": True, "profile": await asyncio.to_thread(profiles.of, device)}


# Words.


def _voice(request: Request) -> Voice:
    return Voice([WORDS], language_of(request))


def _levels(request: Request) -> Callable[[str], str]:
    """What a bot's level is called, in the reader's language."""
    voice = _voice(request)
    return lambda level: level_name(level, voice)


def _named(request: Request) -> Callable[[str], str]:
    """What somebody is called, also who said nothing when they were asked for a name."""
    nameless = {Voice([WORDS], each).say("you") for each in languages()}
    voice = _voice(request)
    return lambda name: voice.say("player.nameless") if name in nameless else name


def _titles() -> dict[str, str]:
    return {game.name: game.title for game in every_game()}


def _plot(request: Request, page: Page, game: str) -> str:
    """How a rating has gone, drawn and in words."""
    voice, history = _voice(request), page.history[game]
    numbers = [as_shown(skill)[0] for _, skill in history]
    said = voice.say("player.plot", len(history), first=numbers[0], last=numbers[-1], lowest=min(numbers), highest=max(numbers))
    start, end = (format_date(datetime.fromtimestamp(at), "medium", voice.language) for at in (history[0][0], history[-1][0]))
    return rating_plot([skill for _, skill in history], said, start, end if len(history) > 1 else "")


def _said(request: Request, honour: Honour) -> str:
    """An honour, in words."""
    return _voice(request).say(f"honour.{honour.kind}", game=_titles().get(honour.game, ""), number=honour.number)
