"""The host's page: figures, lines of chat that were reported, and what a host does about them; behind a key, and not there without one.

Who shows the key is given a signed cookie for some hours, which is sent to this page alone. Nothing of a game is shown, since a host may be
playing too: no position, no hand, no token. People report lines only where there is such a page, for else nobody would read it.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from datetime import datetime
from hashlib import sha256
from typing import Annotated

from babel.dates import format_datetime
from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sheepfold.core.errors import SheepfoldError
from sheepfold.messages import locale_of
from sheepfold.people.erasing import erase
from sheepfold.people.identity import key
from sheepfold.people.manners import HOST, MOST, Manners
from sheepfold.table.admin import LONGEST_REASON
from sheepfold.table.fairness import PERSON
from sheepfold.table.limits import Limits, limits_asked_for
from sheepfold.table.store import Store
from sheepfold.table.tables import NoSuchTable
from sheepfold.web import my_games
from sheepfold.web.api import NO_STORE, TableId, plain, tables_of
from sheepfold.web.language import language_of
from sheepfold.web.rendering import render
from sheepfold.web.said import in_words

COOKIE = "host"
SHORTEST_KEY = 16
LASTS = 12 * 3600
"""Seconds for which the key is not asked for again."""
DAYS = {"day": 1.0, "good": None}
"""For how long somebody can be silenced."""

router = APIRouter(include_in_schema=False)
FormTable = Annotated[str, Form(alias="table", pattern=r"^[A-Za-z0-9_-]{4,32}$")]
FormNumber = Annotated[int, Form(alias="number", ge=0, le=1_000_000_000)]
FormPerson = Annotated[str, Form(alias="person", pattern=r"^[A-Za-z0-9_-]{10,32}$")]


class ShortKey(SheepfoldError):
    """A key that could be guessed."""


class NotHost(PermissionError):
    """Who asks has not shown the key, or too long ago."""


def checked_key(found: str) -> str:
    """The host's key, if it is long enough; none is none."""
    if 0 < len(found) < SHORTEST_KEY:
        raise ShortKey(
            f"SHEEPFOLD_HOST_KEY has {len(found)} characters; at least {SHORTEST_KEY} would be right, or none for no host's page"
        )
    return found


class Door:
    """Lets the host in."""

    def __init__(self, store: Store, host_key: str) -> None:
        self._key = sha256(host_key.encode()).digest()
        self._secret = hmac.digest(key(store, "host").encode(), self._key, "sha256")  # with another key nobody is in any more

    def opens(self, shown: str) -> bool:
        """Whether that is the key."""
        return hmac.compare_digest(sha256(shown.encode()).digest(), self._key)

    def new_pass(self) -> str:
        """What the cookie says of somebody who has shown the key."""
        return self._signed(str(int(time.time()) + LASTS))

    def lets_in(self, shown: str) -> bool:
        """Whether that is such a pass, and in time."""
        until = shown.partition(".")[0]
        fine = until.isdecimal() and hmac.compare_digest(shown.encode(), self._signed(until).encode())
        return fine and time.time() < int(until)

    def _signed(self, until: str) -> str:
        return f"{until}.{hmac.digest(self._secret, until.encode(), 'sha256').hex()}"


def door_of(request: Request) -> Door:
    """The door, where there is one."""
    door: Door | None = request.app.state.door
    if door is None:
        raise NoSuchTable("no-page", "There is nothing at this address.")
    return door


def is_in(request: Request) -> bool:
    return door_of(request).lets_in(request.cookies.get(COOKIE, "")[:200])


async def only_host(request: Request) -> None:
    """Nobody else does anything here."""
    if not is_in(request):
        raise NotHost("Show the key first.")


def manners_of(request: Request) -> Manners:
    return Manners(tables_of(request))


ONLY_HOST = [Depends(only_host)]
BACK = "/host"


# What people report.


class ReportWish(BaseModel):
    """A line of chat that a host is to look at."""

    model_config = ConfigDict(extra="forbid")
    number: int = Field(ge=0, le=1_000_000_000)
    reason: Annotated[str, Field(max_length=LONGEST_REASON), AfterValidator(plain)] = ""


@router.post("/t/{table_id}/report", dependencies=my_games.COUNTED)
async def report(request: Request, table_id: TableId, wish: ReportWish) -> Response:
    """One tap. Who reports is known from then on, so that the same is not reported twice."""
    door_of(request)
    response = JSONResponse({})
    tables_of(request).quotas.report()
    person = PERSON.get() or my_games.known_device(request, response)
    await manners_of(request).report(person, table_id, wish.number, " ".join(wish.reason.split()))
    return response


# The page.


@router.get("/host")
async def host_page(
    request: Request,
    table: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[int | None, Query(ge=0, le=1 << 60)] = None,
) -> Response:
    """All of it, with the table that was asked for, if one was, and what was done before a line. Without the key, a field for it."""
    if not is_in(request):
        return render(request, "host_door.html", headers=NO_STORE)
    tables, manners = tables_of(request), manners_of(request)
    wanted = table.rstrip("/").split("/")[-1].strip()[:40]  # a link does, too
    said = lambda lines: in_words(((who, text, 0.0) for who, text in lines), language_of(request))  # noqa: E731
    dates = locale_of(language_of(request))
    when = lambda at: format_datetime(datetime.fromtimestamp(at), "medium", locale=dates)  # noqa: E731
    return render(
        request, "host.html", counted=await asyncio.to_thread(tables.store.count),
        servers=1 + len(await asyncio.to_thread(tables.store.reports)), reported=await manners.reported(), wanted=wanted,
        found=await manners.find(wanted) if wanted else None, silenced=await manners.silenced(), usual=tables.usual,
        held=await asyncio.to_thread(tables.store.limits), done=await manners.done(before), most=MOST, when=when, headers=NO_STORE,
        longest=LONGEST_REASON, said=said, dates=dates,
    )  # fmt: skip


@router.post("/host")
async def come_in(request: Request, key: Annotated[str, Form(max_length=400)] = "") -> Response:
    """Somebody shows a key."""
    door = door_of(request)
    tables_of(request).quotas.try_key()
    if not door.opens(key):
        return render(request, "host_door.html", 403, wrong=True, headers=NO_STORE)
    await manners_of(request).come_in()
    response = RedirectResponse(BACK, 303)
    response.set_cookie(COOKIE, door.new_pass(), max_age=LASTS, path=BACK, httponly=True, samesite="strict")
    return response


@router.post("/host/out")
async def go_out(request: Request) -> Response:
    door_of(request)
    response = RedirectResponse(BACK, 303)
    response.delete_cookie(COOKIE, path=BACK)
    return response


@router.post("/host/dismiss", dependencies=ONLY_HOST)
async def dismiss(request: Request, table: FormTable, number: FormNumber) -> Response:
    await manners_of(request).dismiss(table, number)
    return RedirectResponse(BACK, 303)


@router.post("/host/remove", dependencies=ONLY_HOST)
async def remove_line(request: Request, table: FormTable, number: FormNumber) -> Response:
    await manners_of(request).remove_line(table, number)
    return RedirectResponse(BACK, 303)


@router.post("/host/silence", dependencies=ONLY_HOST)
async def silence(request: Request, person: FormPerson, days: Annotated[str, Form(pattern="^(day|good)$")]) -> Response:
    await manners_of(request).silence(person, DAYS[days])
    return RedirectResponse(BACK, 303)


@router.post("/host/speak", dependencies=ONLY_HOST)
async def let_speak(request: Request, person: FormPerson) -> Response:
    await manners_of(request).let_speak(person)
    return RedirectResponse(BACK, 303)


@router.post("/host/close", dependencies=ONLY_HOST)
async def close(request: Request, table: FormTable, reason: Annotated[str, Form(max_length=LONGEST_REASON)] = "") -> Response:
    await manners_of(request).close(table, reason)
    return RedirectResponse(BACK, 303)


@router.post("/host/erase", dependencies=ONLY_HOST)
async def erase_person(request: Request, person: FormPerson) -> Response:
    await erase(tables_of(request), person, HOST)
    return RedirectResponse(BACK, 303)


@router.post("/host/limits", dependencies=ONLY_HOST)
async def change_limits(request: Request) -> Response:
    """A field for each limit; an empty one is as usual. Only those that are other than before are set."""
    form, held = await request.form(), await asyncio.to_thread(tables_of(request).store.limits)
    asked = limits_asked_for(f"{name}={str(form[name]).strip()[:40]}" for name in vars(Limits()) if name in form)
    await manners_of(request).limit({name: value for name, value in asked.items() if value != held.get(name)})
    return RedirectResponse(f"{BACK}#limits", 303)
