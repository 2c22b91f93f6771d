"""My games: who a browser belongs to, and where its person sits; on top of the home page, with small pictures. `mine` has the page of their
own.

A browser that sits down at a table is given a signed cookie with a random number, by which it finds its games again (`people/`). Seats are
still held by their tokens: this only hands out again, on any device of the same person, what was handed out to them before.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import segno
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from sqlalchemy.exc import SQLAlchemyError

from sheepfold.core.errors import UnknownGame
from sheepfold.core.position import SPECTATOR
from sheepfold.game.registry import find
from sheepfold.game.session import Refused
from sheepfold.people.identity import Identity
from sheepfold.people.my_games import MyGame, MyGames, Places
from sheepfold.table.fairness import PERSON
from sheepfold.table.kept_seats import kept
from sheepfold.table.table import Table
from sheepfold.web import rendering
from sheepfold.web.api import TableId, tables_of, viewer_of
from sheepfold.web.language import language_of

COOKIE = "device"
ON_TOP, ENDED_ON_TOP = 6, 3
"""How many games in progress, and how many finished ones, the home page shows."""
MOST_COOKIES = 100
"""How many a browser is told to throw away at once; a proxy takes only so many lines in the head of an answer."""
AGES = {"days": 86400, "hours": 3600, "minutes": 60}

router = APIRouter(include_in_schema=False)


def identity_of(request: Request) -> Identity:
    identity = request.app.state.identity
    assert isinstance(identity, Identity)
    return identity


def places_of(request: Request) -> Places:
    places = request.app.state.places
    assert isinstance(places, Places)
    return places


def device_of(request: Request) -> str | None:
    """The device that a request comes from, if it is known."""
    cookie = request.cookies.get(COOKIE, "")
    return identity_of(request).device(cookie[:200]) if cookie else None


def known_device(request: Request, response: Response, device: str | None = None) -> str:
    """The same; a device that was not known is from now on."""
    identity = identity_of(request)
    device = device or device_of(request) or identity.new_device()
    response.set_cookie(COOKIE, identity.signed(device), max_age=rendering.YEAR, httponly=True, samesite="lax")
    return device


async def _count_person(request: Request) -> None:
    """What is made by this request counts for its person, too."""
    if device := device_of(request):
        PERSON.set(await asyncio.to_thread(identity_of(request).person, device))


COUNTED = [Depends(_count_person)]
"""For addresses at which something is made."""


def without_seat(response: Response, table_id: str) -> Response:
    """The browser holds no seat there any more."""
    response.delete_cookie(f"seat_{table_id}", path=f"/t/{table_id}")
    return response


async def kept_seat(request: Request) -> dict[str, Any]:
    """The table that somebody has left just now (`?left=`), for a page that offers them their seat back."""
    with suppress(Refused):
        left = request.query_params.get("left")
        table = await tables_of(request).table(left) if left else None
        if table and kept(table.settings):
            return {"left": {"table": table.id, "title": table.game.title}}
    return {"left": None}


def forgotten(response: Response, table_ids: Sequence[str]) -> None:
    """The browser is nobody's any more, and holds no seat at these tables, of which the latest come first."""
    response.delete_cookie(COOKIE)
    for table_id in table_ids[:MOST_COOKIES]:
        without_seat(response, table_id)


async def change_locks(request: Request, device: str) -> None:
    """A device that is one's own no more still has the tokens of the seats that it was at; they are no good any longer."""
    for held in await asyncio.to_thread(places_of(request).held, device):
        if held.going_on:
            with suppress(Refused):  # where nobody acts any more
                await tables_of(request).change_lock(held.table, held.token)


# The table's page.


async def token_at(request: Request, table_id: str) -> str | None:
    """The token of somebody who sits at a table, and has come from another of their devices."""
    device = device_of(request)
    return await asyncio.to_thread(places_of(request).token, device, table_id) if device else None


async def visited(request: Request, response: Response, device: str, table: Table, token: str) -> None:
    """Somebody has come to a table where they sit; they will find it again. Where it cannot be noted now, it is the next time."""
    with suppress(SQLAlchemyError):
        await asyncio.wrap_future(places_of(request).visit(known_device(request, response, device), table, token))


def viewer_alone(table: Table, mine: Sequence[int]) -> int:
    """Whose view somebody is given apart from the table: who plays several seats with secrets sees there what everybody does."""
    return SPECTATOR if table.game.secrets and len(mine) > 1 else viewer_of(table, mine)


@router.get("/t/{table_id}/picture.svg")
async def small_picture(request: Request, table_id: TableId) -> Response:
    """The table as whoever asks sees it, to be shown small; for who plays several seats with secrets, as everybody does."""
    table = await tables_of(request).table(table_id)
    token = None if rendering.tokens_of(request, table_id) else await token_at(request, table_id)
    mine = table.seats_of([token] if token else rendering.tokens_of(request, table_id))
    viewer = viewer_alone(table, mine)
    drawn = table.game.picture(table.view(viewer), viewer, rendering.theme_of(request), table.voice(language_of(request)))
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


# The list.


async def mine(request: Request, going_on: int = ON_TOP, finished: int = ENDED_ON_TOP, before: float | None = None) -> MyGames | None:
    """Somebody's games; None for who has never sat down."""
    device = device_of(request)
    return await asyncio.to_thread(places_of(request).of, device, going_on, finished, before) if device else None


def listed(theirs: MyGames | None) -> MyGames | None:
    """Those whose game is still on the shelf here."""
    if theirs is None:
        return None
    return MyGames([each for each in theirs.going_on if _title(each)], [each for each in theirs.finished if _title(each)], theirs.hidden)


def _title(game: MyGame) -> str:
    try:
        return find(game.game).title
    except UnknownGame:
        return ""


def age(say: Callable[..., str], since: float) -> str:
    """How long ago, in the largest unit of which there is at least one."""
    passed = time.time() - since
    unit = next((unit for unit, seconds in AGES.items() if passed >= seconds), None)
    return say(f"age.{unit}", int(passed // AGES[unit])) if unit else say("age.now")


def outcome(say: Callable[..., str], called: Callable[[Iterable[str]], str], game: MyGame) -> str:
    """How a finished game ended for who looks."""
    mine = [each for each in game.sitters if each.mine]
    if game.status == "closed" or not game.ranks:
        return say("mine.closed" if game.status == "closed" else "mine.over")
    if len(mine) > 1:  # round one screen
        best = [each.name for each in game.sitters if each.rank == 1]
        return say("mine.winner", name=called(best))
    points = say("mine.points", mine[0].score)
    if len(game.sitters) == 1:
        return points
    rank, shared = game.ranks[0], sum(each.rank == game.ranks[0] for each in game.sitters) > 1
    how = say("mine.shared" if shared else "mine.won") if rank == 1 else say("mine.place", rank=rank, count=len(game.sitters))
    return f"{how} · {points}"


rendering.templates.globals.update(age=age, outcome=outcome, title_of=_title)


def qr_code(link: str) -> str:
    """A link for a camera."""
    drawn: str = segno.make(link, error="m", micro=False).svg_inline(scale=4, border=3, dark="#000", light="#fff", omitsize=True)
    return drawn
