"""Mine: the page of somebody's games, devices and ways to be told; and what they do there."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any

from babel.dates import format_date
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from sheepfold.messages import Voice
from sheepfold.people.identity import NotCarried
from sheepfold.people.my_games import MOST
from sheepfold.web import account, my_games, notices, ratings, rendering, wishes
from sheepfold.web.api import NO_STORE, TableId, tables_of
from sheepfold.web.language import language_of

Code = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{10,40}$")]
DeviceId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{10,32}$")]

router = APIRouter(include_in_schema=False)


@router.get("/mine")
async def my_page(
    request: Request,
    before: Annotated[float | None, Query(ge=0, allow_inf_nan=False)] = None,
    tried: Annotated[int | None, Query(ge=0, le=999)] = None,
) -> Response:
    """All of somebody's games, their devices, and how they are told. `tried` is what an address has answered that was told something."""
    return await my_page_with(request, before, tried=tried)


async def my_page_with(request: Request, before: float | None = None, **more: Any) -> Response:
    """The same, with what somebody has asked for there."""
    device = my_games.device_of(request)
    games = my_games.listed(await my_games.mine(request, MOST, MOST, before))
    devices = await asyncio.to_thread(my_games.identity_of(request).devices, device) if device else []
    say_date = lambda at: format_date(datetime.fromtimestamp(at), "medium", language_of(request))  # noqa: E731
    return rendering.render(
        request, "mine.html", games=games, device=device, devices=devices, say_date=say_date, older=before is not None, most=MOST,
        headers=NO_STORE, **await notices.shown(request, device), **await ratings.own(request, device),
        **await account.shown(request, device), **await my_games.kept_seat(request), **more,
    )  # fmt: skip


@router.post("/mine/hide/{table_id}")
async def hide(request: Request, table_id: TableId) -> Response:
    if device := my_games.device_of(request):
        await asyncio.wrap_future(my_games.places_of(request).hide(device, table_id))
    return RedirectResponse("/mine", 303)


@router.post("/mine/show")
async def show_again(request: Request) -> Response:
    if device := my_games.device_of(request):
        await asyncio.wrap_future(my_games.places_of(request).hide(device, None, False))
    return RedirectResponse("/mine", 303)


@router.post("/mine/leave/{table_id}")
async def leave(request: Request, table_id: TableId) -> Response:
    """Leave a table, from the list."""
    device = my_games.device_of(request)
    token = await my_games.token_at(request, table_id)
    if device and token:
        await wishes.leave(tables_of(request), table_id, [token])
        await asyncio.wrap_future(my_games.places_of(request).leave(device, table_id))
        return rendering.keep(RedirectResponse(f"/mine?left={table_id}", 303), table_id, token)
    return RedirectResponse("/mine", 303)


# Devices.


@router.post("/mine/carry")
async def carry(request: Request) -> Response:
    """A link, and the same as a picture for a camera, that makes another device one's own too."""
    device = my_games.device_of(request)
    if device is None:
        return RedirectResponse("/mine", 303)
    code, done = my_games.identity_of(request).carry(device)
    await asyncio.wrap_future(done)
    link = str(request.url_for("carry_page", code=code))
    return await my_page_with(request, link=link, square=my_games.qr_code(link))


@router.get("/carry/{code}")
async def carry_page(request: Request, code: Code) -> Response:
    """Only a page, since links are looked at by more than people."""
    if not await asyncio.to_thread(my_games.identity_of(request).can_be_carried, code):
        return rendering.problem(request, 404, Voice([rendering.HERE / "locale"], language_of(request)).say("problem.carried"))
    return rendering.render(request, "carry.html", code=code, headers=NO_STORE)


@router.post("/carry/{code}")
async def carried(request: Request, code: Code) -> Response:
    response = RedirectResponse("/mine", 303)
    device = my_games.known_device(request, response)
    try:
        await asyncio.wrap_future(my_games.identity_of(request).carried(device, code))
    except NotCarried as error:
        return rendering.problem(request, 404, str(error), "carried")
    return response


@router.post("/mine/forget")
async def forget(request: Request) -> Response:
    """This device knows nothing of anybody's games any more."""
    response, theirs = RedirectResponse("/", 303), []
    if device := my_games.device_of(request):
        theirs = [each.table for each in await asyncio.to_thread(my_games.places_of(request).held, device)]
        await asyncio.wrap_future(my_games.identity_of(request).forget(device))
    my_games.forgotten(response, theirs)
    return response


@router.post("/mine/forget/{other}")
async def forget_other(request: Request, other: DeviceId) -> Response:
    """Another of somebody's devices, one that was lost for instance."""
    device = my_games.device_of(request)
    if device and other in [each.id for each in await asyncio.to_thread(my_games.identity_of(request).devices, device)]:
        await asyncio.wrap_future(my_games.identity_of(request).forget(device, other))
        await my_games.change_locks(request, device)
    return RedirectResponse("/mine", 303)
