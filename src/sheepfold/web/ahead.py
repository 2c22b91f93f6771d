"""Ahead: the page where somebody says what they would do before they are asked, and the same for programs. What comes of it is in
`people/intents.py`; nobody else is told anything of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from sheepfold.core.position import Position
from sheepfold.messages import Voice
from sheepfold.people.foresight import Foreseen, Step, foresee, in_words
from sheepfold.people.intents import LONGEST, Intent, Intents, NoIntent
from sheepfold.table.table import Table
from sheepfold.web import api
from sheepfold.web.api import LIKELY, MOST_SEATS, NO_STORE, TableId, Token, bearer, seat_to_move, tables_of
from sheepfold.web.language import language_of
from sheepfold.web.rendering import art_symbols, render, tokens_of

router = APIRouter(include_in_schema=False)
programs = APIRouter(prefix="/api", tags=["api"], responses=LIKELY)
Said = Annotated[str, Field(max_length=api.LONGEST + 4, pattern=r"^\d\d? \S")]
"""A step as the page writes it: the seat, then what it does."""
Line = Annotated[list[Said], Query(max_length=LONGEST)]
Told = list[tuple[str, str]]
Number = Annotated[int, Path(ge=0, le=2**31 - 1)]


def intents_of(request: Request) -> Intents:
    intents: Intents = request.app.state.intents
    return intents


async def seated(request: Request, table_id: str, tokens: list[str], seat: int | None = None) -> tuple[Table, int]:
    """The table, and whose seat it is about."""
    table = await tables_of(request).table(table_id)
    return table, seat_to_move(table, table.seats_of(tokens), seat)


def steps(said: list[str]) -> list[Step]:
    parted = [each.split(" ", 1) for each in said]
    return [Step(int(seat), action) for seat, action in parted]


# The page.


@router.get("/t/{table_id}/ahead")
async def page(request: Request, table_id: TableId, step: Line = [], mine: bool = False, seat: int | None = None) -> Response:  # noqa: B006
    """What somebody means to do, and a line that they are thinking of, with what may come next in it."""
    table, own = await seated(request, table_id, tokens_of(request, table_id), seat)
    language, line = language_of(request), steps(step)
    voice = table.voice(language)
    if any(each.seat >= len(table.seats) for each in line):
        raise NoIntent("ahead.line", f"There are {len(table.seats)} seats.")
    if table.status != "playing":
        raise NoIntent("ahead.not-playing", "This is for games in progress.")
    intents = await intents_of(request).of(table, own)
    now, before = table.session.view(own), [(each, table.session.view(own, min(each.ply, table.ply))) for each in intents]
    came, said, lines = await asyncio.to_thread(_looked_ahead, table, now, line, voice, mine, before)
    if not line and table.position.to_act == own:  # what one does now needs no plan
        came = Foreseen(None, view=came.view)
    return render(
        request, "ahead.html", table=table, seat=own, step=step, line=said, came=came, longest=LONGEST,
        ends_mine=bool(line) and line[-1].seat == own, names=table.names,
        picture=table.game.picture(came.view, own, "auto", voice) if came.view else "", intents=lines,
        unset=unset(table, intents), voice=voice, symbols=art_symbols(table.game), headers=NO_STORE,
    )  # fmt: skip


def _looked_ahead(
    table: Table, seen: Position, line: list[Step], voice: Voice, mine: bool, before: list[tuple[Intent, Position]]
) -> tuple[Foreseen, Told, list[tuple[Intent, Told]]]:
    """What may come after a line, the line in words, and what was meant before; beside the loop, since all of it plays on from views."""
    came, said = foresee(table.game, seen, line, voice, mine), told(table, seen, line, voice)
    return came, said, [(each, told(table, then, each.line, voice)) for each, then in before]


def unset(table: Table, intents: list[Intent]) -> list[str]:
    """The game's standing answers that somebody has not given."""
    given = {each.standing for each in intents if each.stands}
    return [name for name in table.game.standing_answers if name not in given]


def told(table: Table, seen: Position, line: Sequence[Step], voice: Voice) -> Told:
    """Each step: whose it is, nothing for one's own, and what."""
    words = in_words(table.game, seen, line, voice)
    return [("" if step.seat == seen.viewer else table.names[step.seat], what) for step, what in zip(line, words, strict=True)]


@router.post("/t/{table_id}/ahead")
async def set_one(
    request: Request,
    table_id: TableId,
    seat: Annotated[int, Form(ge=0, lt=MOST_SEATS)],
    step: Annotated[list[Said], Form(max_length=LONGEST)] = [],  # noqa: B006
    standing: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    table, own = await seated(request, table_id, tokens_of(request, table_id), seat)
    await intents_of(request).set(table, own, steps(step), standing)
    return RedirectResponse(f"/t/{table_id}/ahead?seat={own}", 303)


@router.post("/t/{table_id}/ahead/{number}/withdraw")
async def withdraw_one(request: Request, table_id: TableId, number: Number, seat: Annotated[int, Form(ge=0, lt=MOST_SEATS)]) -> Response:
    table, own = await seated(request, table_id, tokens_of(request, table_id), seat)
    await intents_of(request).withdraw(table.id, own, number)
    return RedirectResponse(f"/t/{table_id}/ahead?seat={own}", 303)


# The same for programs.


class StepWish(BaseModel):
    """Something that a seat does."""

    model_config = ConfigDict(extra="forbid")
    seat: int = Field(ge=0, lt=MOST_SEATS)
    action: str = Field(min_length=1, max_length=api.LONGEST)


class IntentWish(BaseModel):
    """What somebody would do: after that line, or by a standing answer of the game's."""

    model_config = ConfigDict(extra="forbid")
    line: list[StepWish] = Field(
        default_factory=list, max_length=LONGEST, description="What others do, then what you do; the last is yours"
    )
    standing: str = Field(default="", max_length=40)
    seat: int | None = Field(default=None, ge=0, lt=MOST_SEATS, description="Needed only by who holds several seats")


WantedSeat = Annotated[int | None, Query(ge=0, lt=MOST_SEATS)]


@programs.get("/tables/{table_id}/ahead")
async def all_of_mine(request: Request, table_id: TableId, authorization: Token = None, seat: WantedSeat = None) -> dict[str, Any]:
    """What you mean to do at this table, told to nobody else, and which standing answers the game has."""
    table, own = await seated(request, table_id, bearer(authorization), seat)
    found = await intents_of(request).of(table, own)
    told = [
        {"id": each.id, "line": [step._asdict() for step in each.line], "standing": each.standing, "stands": each.stands} for each in found
    ]
    return {"intents": told, "standing": list(table.game.standing_answers)}


@programs.post("/tables/{table_id}/ahead", status_code=201)
async def mean(request: Request, table_id: TableId, wish: IntentWish, authorization: Token = None) -> dict[str, Any]:
    """Say what you would do when others have done what the `line` says, in your notation of it. It is played some time after it is your
    turn, as long as you usually take, and withdrawn as soon as it cannot be."""
    table, own = await seated(request, table_id, bearer(authorization), wish.seat)
    await intents_of(request).set(table, own, [Step(step.seat, step.action) for step in wish.line], wish.standing)
    return {}


@programs.delete("/tables/{table_id}/ahead/{number}")
async def withdraw(
    request: Request, table_id: TableId, number: Number, authorization: Token = None, seat: WantedSeat = None
) -> dict[str, Any]:
    """Withdraw what you meant to do; that number may be gone already."""
    table, own = await seated(request, table_id, bearer(authorization), seat)
    await intents_of(request).withdraw(table.id, own, number)
    return {}
