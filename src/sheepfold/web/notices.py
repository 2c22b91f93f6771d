"""Being told that it is one's turn: what a page asks for and what people set. How it is told is in `people/notices.py`."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from sheepfold.people.notices import Notices
from sheepfold.people.push import Browser
from sheepfold.people.ways import Quiet, Ways
from sheepfold.web import my_games
from sheepfold.web.api import NotSeated, TableId
from sheepfold.web.language import language_of

router = APIRouter(include_in_schema=False)
HookId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{6,32}$")]
Address = Annotated[str, Form(max_length=2000)]
Clock = Annotated[str, Form(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Zone = Annotated[str, Form(max_length=60, pattern=r"^[A-Za-z0-9_+/-]*$")]


class PushWish(BaseModel):
    """A browser that wants to be told, as browsers say it."""

    model_config = ConfigDict(extra="ignore")
    endpoint: str = Field(max_length=2000)
    keys: dict[str, str] = Field(max_length=4)


def notices_of(request: Request) -> Notices | None:
    """None where the host has switched them off."""
    notices: Notices | None = request.app.state.notices
    return notices


def ways_of(request: Request) -> Ways:
    return Ways(my_games.identity_of(request).store)


def origin_of(request: Request) -> str:
    """This server's address, as who asks knows it."""
    return str(request.base_url).rstrip("/")[:200]


def looking(request: Request, table_id: str, mine: bool, away: bool) -> AbstractContextManager[None]:
    """While a page that can be seen shows a table, its person need not be told of it."""
    notices, device = notices_of(request), my_games.device_of(request) if mine and not away else None
    if notices is None or device is None:
        return nullcontext()
    return notices.presence.looking(device, table_id)


async def shown(request: Request, device: str | None, table_id: str | None = None) -> dict[str, Any]:
    """What a page shows of how somebody is told: nothing where nobody is."""
    notices = notices_of(request)
    if notices is None or device is None:
        return {"notices": None}
    ways = ways_of(request)
    return {
        "notices": {
            "push": notices.push is not None, "quiet": None if table_id else await ways.quiet(device),
            "hooks": await ways.hooks(device, table_id), "muted": bool(table_id and await ways.is_muted(device, table_id)),
        }
    }  # fmt: skip


def ask_again(request: Request, device: str) -> None:
    """Somebody wants to be told otherwise; who looks at a table meanwhile is not."""
    if notices := notices_of(request):
        notices.presence.ask_again(device)


@router.get("/push/key")
async def push_key(request: Request) -> Response:
    """What a browser needs to subscribe, and whether it has."""
    notices, device = notices_of(request), my_games.device_of(request)
    if notices is None or notices.push is None:
        return JSONResponse({"key": None, "subscribed": False})
    return JSONResponse({"key": notices.push.public_key, "subscribed": bool(device and await ways_of(request).is_subscribed(device))})


@router.post("/push/subscribe")
async def subscribe(request: Request, wish: PushWish) -> Response:
    response = JSONResponse({})
    device = my_games.known_device(request, response)
    browser = Browser(wish.endpoint, wish.keys.get("p256dh", "")[:100], wish.keys.get("auth", "")[:40])
    await ways_of(request).subscribe(device, browser, language_of(request), origin_of(request))
    ask_again(request, device)
    return response


@router.post("/push/unsubscribe")
async def unsubscribe(request: Request) -> Response:
    if device := my_games.device_of(request):
        await ways_of(request).unsubscribe(device)
    return JSONResponse({})


@router.post("/mine/quiet")
async def be_quiet(
    request: Request, start: Clock = "22:00", until: Clock = "08:00", zone: Zone = "", wanted: Annotated[str, Form()] = ""
) -> Response:
    """Quiet hours, from and until; without `wanted` there are none."""
    if device := my_games.device_of(request):
        minutes = [int(each[:2]) * 60 + int(each[3:]) for each in (start, until)]
        await ways_of(request).be_quiet(device, Quiet(minutes[0], minutes[1], zone) if wanted else None)
    return RedirectResponse("/mine#notices", 303)


@router.post("/mine/hook")
async def add_hook(request: Request, url: Address, format: Annotated[str, Form(max_length=8)] = "json") -> Response:
    """An address that hears of all of somebody's games."""
    return await _add_hook(request, url, format, None, "/mine#notices")


@router.post("/t/{table_id}/hook")
async def add_table_hook(
    request: Request, table_id: TableId, url: Address, format: Annotated[str, Form(max_length=8)] = "chat"
) -> Response:
    """An address that hears of everybody's turn at a table where somebody sits."""
    if await my_games.token_at(request, table_id) is None:
        raise NotSeated("You watch this table.")
    return await _add_hook(request, url, format, table_id, f"/t/{table_id}")


async def _add_hook(request: Request, url: str, form: str, table_id: str | None, back: str) -> Response:
    if (device := my_games.device_of(request)) and notices_of(request):
        await ways_of(request).add_hook(device, url.strip(), form, language_of(request), origin_of(request), table_id)
        ask_again(request, device)
    return RedirectResponse(back, 303)


@router.post("/mine/hook/{hook}/remove")
async def remove_hook(request: Request, hook: HookId) -> Response:
    if device := my_games.device_of(request):
        await ways_of(request).remove_hook(device, hook)
    return RedirectResponse("/mine#notices", 303)


@router.post("/mine/hook/{hook}/try", dependencies=my_games.COUNTED)
async def try_hook(request: Request, hook: HookId) -> Response:
    """Tell an address something now; the page says what came of it."""
    notices, device = notices_of(request), my_games.device_of(request)
    found = await ways_of(request).hook(device, hook) if device else None
    if notices is None or found is None:
        return RedirectResponse("/mine#notices", 303)
    notices.house.quotas.say()  # nobody has us call others all day
    return RedirectResponse(f"/mine?tried={(await notices.try_hook(found)).status}#notices", 303)


@router.post("/t/{table_id}/mute")
async def mute(request: Request, table_id: TableId, muted: Annotated[str, Form(max_length=4)] = "") -> Response:
    """No notices from this table; or again."""
    if device := my_games.device_of(request):
        await ways_of(request).mute(device, table_id, bool(muted))
    return RedirectResponse(f"/t/{table_id}", 303)
