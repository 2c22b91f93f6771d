"""Again: what happened at a table since somebody's own last move, as pictures one after the other, for who wants to see it once more.

It is what they were shown, made anew of the same views. A game of memory is shown again no further back than its log tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from sheepfold.core.position import Position
from sheepfold.game.session import Seen
from sheepfold.table.table import Table
from sheepfold.web import api
from sheepfold.web.api import TableId, tables_of, viewer_of
from sheepfold.web.differences import Picture
from sheepfold.web.language import language_of
from sheepfold.web.pages import WantedSeat
from sheepfold.web.rendering import tokens_of
from sheepfold.web.scenes import bare

MOST = 24
"""How many decisions are shown again, the latest ones."""

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/again")
async def once_more(request: Request, table_id: TableId, seat: WantedSeat = None) -> Response:
    table = await tables_of(request).table(table_id)
    viewer = viewer_of(table, table.seats_of(tokens_of(request, table_id)), seat)
    return JSONResponse({"frames": frames(table, viewer, language_of(request))}, headers=api.NO_STORE)


def frames(table: Table, viewer: int, language: str) -> list[dict[str, Any]]:
    """The picture after a viewer's own last move, then one for each decision since; spectators are shown the last round. Nothing where
    nobody else has acted."""
    session, voice = table.session, table.voice(language)
    found = [*_decisions(session.seen(viewer, session.told_since(_since(table, viewer))))][-MOST:]
    if not found:
        return []

    def drawn(view: Position) -> str:
        return str(Picture(bare(table.game, table.game.picture(view, viewer, "bare", voice))))

    first = {"ply": found[0][0].ply, "picture": drawn(found[0][0].before), "passing": "", "lines": []}
    return [first] + [
        {
            "ply": decision[-1].ply + 1,
            "picture": drawn(decision[-1].after),
            "passing": "".join(table.game.passing(each.before, each.action, each.after) for each in decision),
            "lines": [line for each in decision for line in session.tell(each, voice).lines],
        }
        for decision in found
    ]


def _since(table: Table, viewer: int) -> int:
    """The ply after somebody's own last decision before others acted; for who only watches, of as many decisions as there are seats."""
    others = table.session.last_ply_of([seat for seat in range(len(table.seats)) if seat != viewer])
    if others is None:
        return table.ply
    if viewer >= 0:
        return next((ply + 1 for ply in range(others, -1, -1) if table.events[ply].who == viewer), 0)
    decisions = [ply for ply in range(others + 1) if table.events[ply].who >= 0]
    return decisions[-len(table.seats) :][0]


def _decisions(seen: Iterator[Seen]) -> Iterator[list[Seen]]:
    """Each decision with the chance that followed it."""
    together: list[Seen] = []
    for each in seen:
        if together and each.event.who >= 0:
            yield together
            together = []
        together.append(each)
    if together:
        yield together
