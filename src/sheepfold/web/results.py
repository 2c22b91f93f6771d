"""Results: the page of a finished game that is sent to friends, the same for the table's own page, and the pictures on it.

Every address here goes through the replay's one door, so nothing of a running game can be reached.
"""

from __future__ import annotations

import asyncio
from typing import cast

from fastapi import APIRouter, Request
from fastapi.responses import Response

from sheepfold.art import Theme
from sheepfold.messages import Voice
from sheepfold.web import conclusion
from sheepfold.web.conclusion import Conclusion
from sheepfold.web.language import language_of
from sheepfold.web.rendering import HERE, art_symbols, render, theme_of
from sheepfold.web.replay import NotOver, ReplayId, gallery_of
from sheepfold.web.replay_frames import FinishedGame

router = APIRouter(include_in_schema=False)

DRAWN = {"Cache-Control": "private, max-age=3600"}
"""A picture's address carries a sum of the game."""


async def concluded(request: Request, name: str) -> tuple[FinishedGame, Conclusion]:
    """A finished game and its conclusion; NotOver for every other, also for a record that stops before the end."""
    played = await gallery_of(request).find(name)
    found = await asyncio.to_thread(conclusion.conclude, played, language_of(request))
    if found is None:
        raise NotOver("not-over", "This game is not over; it has no result.")
    return played, found


@router.get("/result/{name}")
async def result_page(request: Request, name: ReplayId, part: bool = False, seat: int | None = None) -> Response:
    """The result as a page; with `part` only what the table's page adds to what it shows, to who sits on `seat` and may have won."""
    try:
        played, found = await concluded(request, name)
    except NotOver as refusal:
        said = Voice([HERE / "locale"], language_of(request)).say(f"problem.{refusal.key}")
        return render(request, "problem.html", 409, problem=said, table=name)
    here = request.url_for("result_page", name=name)
    return render(
        request, "result_part.html" if part else "result.html", found=found, name_of_replay=name, game=played.game, link=str(here),
        won=len(found.players) > 1 and seat in {player.seat for player in found.winners},
        digest=played.digest(), icon=str(request.base_url) + "static/icon-512.png", symbols="" if part else art_symbols(),
    )  # fmt: skip


@router.get("/result/{name}/feast.svg")
async def feast(request: Request, name: ReplayId) -> Response:
    _, found = await concluded(request, name)
    return Response(conclusion.feast(found, cast(Theme, theme_of(request))), media_type="image/svg+xml", headers=DRAWN)


@router.get("/result/{name}/card.svg")
async def card(request: Request, name: ReplayId) -> Response:
    """The picture to share; by day, wherever it is shown."""
    _, found = await concluded(request, name)
    return Response(conclusion.card(found, "light"), media_type="image/svg+xml", headers=DRAWN)
