"""An account, for who likes one: passkeys, a code on paper, signing out. `own` has what they take away, or have erased."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import unquote

from babel.dates import format_date
from fastapi import APIRouter, Body, Form, Path, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from sheepfold.messages import Voice
from sheepfold.people.accounts import Accounts, Site, WrongCode
from sheepfold.web import my_games, rendering
from sheepfold.web.api import NO_STORE, clean_name, tables_of
from sheepfold.web.language import WORDS, language_of
from sheepfold.web.notices import origin_of

router = APIRouter(prefix="/account", include_in_schema=False)
PasskeyId = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
Answer = Annotated[dict[str, Any], Body()]
Sure = Annotated[str, Form(max_length=4)]


def accounts_of(request: Request) -> Accounts:
    """There is nothing here where the host has switched them off."""
    accounts: Accounts | None = request.app.state.accounts
    if accounts is None:
        raise HTTPException(404)
    return accounts


def site_of(request: Request) -> Site:
    return Site(origin_of(request))


async def shown(request: Request, device: str | None) -> dict[str, Any]:
    """What a page shows of somebody's account: nothing where there are none."""
    accounts: Accounts | None = request.app.state.accounts
    if accounts is None:
        return {"account": None}
    passkeys = await accounts.passkeys(device) if device else []
    code = await accounts.code_made(device) if device else None
    return {"account": {"here": site_of(request).has_passkeys, "passkeys": passkeys, "code": code, "kept": bool(passkeys or code)}}


async def can_sign_in(request: Request) -> bool:
    """Whether somebody may have a passkey for here, and has not shown it on this device."""
    found = (await shown(request, my_games.device_of(request)))["account"]
    return found is not None and found["here"] and not found["kept"]


def known_to(request: Request) -> str:
    """The device that somebody's own things are asked for from."""
    device = my_games.device_of(request)
    if device is None:
        raise HTTPException(404)
    return device


# Passkeys.


@router.post("/passkey/new")
async def ask_for_new(request: Request) -> Response:
    """Somebody wants to keep their games: what their browser is to make."""
    voice, name = Voice([WORDS], language_of(request)), clean_name(unquote(request.cookies.get("name", "")), "")
    called = " · ".join([name or voice.say("mine.title"), format_date(datetime.now(), "medium", voice.language)])
    return JSONResponse(await accounts_of(request).ask_for_new(known_to(request), site_of(request), called), headers=NO_STORE)


@router.post("/passkey")
async def keep(request: Request, answer: Answer) -> Response:
    await accounts_of(request).keep(known_to(request), site_of(request), answer)
    return JSONResponse({})


@router.post("/sign-in/new")
async def ask_for_any(request: Request) -> Response:
    """Somebody has a passkey, and perhaps nothing else: what their browser is to sign."""
    accounts, known = accounts_of(request), Response()
    options = await accounts.ask_for_any(my_games.known_device(request, known), site_of(request))
    response = JSONResponse(options, headers=NO_STORE)
    response.raw_headers += [each for each in known.raw_headers if each[0] == b"set-cookie"]
    return response


@router.post("/sign-in")
async def sign_in(request: Request, answer: Answer) -> Response:
    device = await accounts_of(request).sign_in(known_to(request), site_of(request), answer)
    response = JSONResponse({})
    my_games.known_device(request, response, device)
    return response


@router.post("/passkey/{passkey}/name")
async def rename(request: Request, passkey: PasskeyId, name: Annotated[str, Form(max_length=200)] = "") -> Response:
    await accounts_of(request).rename(known_to(request), passkey, clean_name(name, ""))
    return RedirectResponse("/mine#account", 303)


@router.post("/passkey/{passkey}/remove")
async def remove(request: Request, passkey: PasskeyId, sure: Sure = "") -> Response:
    """A passkey goes; the last one, where there is no code on paper, only when somebody has read what that means."""
    accounts, device = accounts_of(request), known_to(request)
    theirs = [each.id for each in await accounts.passkeys(device)]
    if theirs == [passkey] and not sure and await accounts.code_made(device) is None:
        return asked_again(request, "last", request.url.path)
    await accounts.remove(device, passkey)
    return RedirectResponse("/mine#account", 303)


def asked_again(request: Request, what: str, action: str = "") -> Response:
    """A page that says what will happen, or has happened, before somebody goes on."""
    return rendering.render(request, "account_sure.html", what=what, action=action, headers=NO_STORE)


# The code on paper.


@router.post("/code")
async def make_code(request: Request) -> Response:
    """Shown once, to be printed or written down."""
    accounts = accounts_of(request)
    code = await accounts.make_code(known_to(request))
    today = format_date(datetime.now(), "long", language_of(request))
    return rendering.render(request, "account_code.html", code=code, today=today, place=site_of(request).origin, headers=NO_STORE)


@router.get("/lost")
async def lost(request: Request) -> Response:
    accounts_of(request)
    return rendering.render(request, "account_lost.html", wrong=False, headers=NO_STORE)


@router.post("/lost")
async def recover(request: Request, code: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Who has the code has this device from now on, and none of those before."""
    accounts = accounts_of(request)
    tables_of(request).quotas.recover()
    try:
        device = await accounts.recover(my_games.device_of(request) or my_games.identity_of(request).new_device(), code)
    except WrongCode:
        return rendering.render(request, "account_lost.html", 422, wrong=True, headers=NO_STORE)
    await my_games.change_locks(request, device)
    response = RedirectResponse("/mine#account", 303)
    my_games.known_device(request, response, device)
    return response


@router.post("/elsewhere")
async def sign_out_elsewhere(request: Request) -> Response:
    """No other device is theirs any more, nor can anybody play for them there."""
    accounts_of(request)
    device = known_to(request)
    await asyncio.wrap_future(my_games.identity_of(request).forget_others(device))
    await my_games.change_locks(request, device)
    return RedirectResponse("/mine#devices", 303)
