"""Learning: the guided first game of each kind, and what the page shows of it.

A lesson is a table like any other (`table/lesson.py`), so it can be left and found again by its link; which lesson a browser has begun or
ended is in two cookies. The page's script (`lesson.js`) shows what `guide_scene` says and points at what is to be tapped.
"""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from sheepfold.core.errors import SheepfoldError
from sheepfold.game.registry import find
from sheepfold.messages import Voice, catalogue
from sheepfold.table.lesson import LEARNER
from sheepfold.table.tables import Tables
from sheepfold.web import my_games, rendering, wishes
from sheepfold.web.api import TableId, seat_to_move, tables_of
from sheepfold.web.language import language_of
from sheepfold.web.lesson_scene import learned

router = APIRouter(include_in_schema=False)


class PageWish(BaseModel):
    """What a learner asks of the guide, or that the lesson is done and need not be offered again."""

    model_config = ConfigDict(extra="forbid")
    wish: str = Field(pattern="^(again|show|leave|done)$")


@router.post("/learn/{game}", dependencies=my_games.COUNTED)
async def learn(request: Request, game: str) -> Response:
    """The guided game: the one that was begun in this browser, else a new one."""
    chosen, tables = find(game), tables_of(request)
    begun = request.cookies.get(f"learn_{chosen.name}", "")
    if begun and await _goes_on(tables, begun):
        return RedirectResponse(f"/t/{begun}", 303)
    table = await wishes.learn(tables, chosen.name, rendering.own_name(request))
    response = rendering.keep(RedirectResponse(f"/t/{table.id}", 303), table.id, table.seats[LEARNER].token)
    response.set_cookie(f"learn_{chosen.name}", table.id, max_age=rendering.YEAR, httponly=True, samesite="lax")
    return response


async def _goes_on(tables: Tables, table_id: str) -> bool:
    """Whether that table's lesson was begun here and is not over."""
    try:
        table = await tables.table(table_id)
    except SheepfoldError:
        return False
    return table.lesson is not None and not table.lesson.place(table.events).done


@router.post("/t/{table_id}/guide")
async def guide(request: Request, table_id: TableId, wish: PageWish) -> Response:
    """Try again, show me, leave; and `done`, so that this lesson is not offered again."""
    tables, tokens = tables_of(request), rendering.tokens_of(request, table_id)
    if wish.wish == "done":
        seat_to_move(table := await tables.table(table_id), table.seats_of(tokens), LEARNER)
    else:
        table = await wishes.guide(tables, table_id, tokens, wish.wish)
    response = JSONResponse({"revision": table.revision})
    if wish.wish in ("done", "leave"):
        names = sorted({*learned(request), table.game.name})
        response.set_cookie("learned", ".".join(names), max_age=rendering.YEAR, httponly=True, samesite="lax")
    return response


@router.get("/tips/{game}")
async def tips(request: Request, game: str) -> Response:
    """What things on the board are, by the beginnings of their ids (or the symbols and classes they are drawn with)."""
    return JSONResponse(tips_of(find(game).name, language_of(request)))


@cache
def tips_of(game: str, language: str) -> dict[str, str]:
    folder = find(game).folder / "locale"
    voice = Voice([folder], language)
    names = [str(message.id) for message in catalogue(folder, "en") if str(message.id).startswith("tip.")]
    return {name.removeprefix("tip."): voice.say(f"tip.{name.removeprefix('tip.')}") for name in names}
