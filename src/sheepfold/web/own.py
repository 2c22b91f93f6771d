"""All of one's own: one file to take away with everything that is kept of somebody and their games, or all of it erased at once."""

from __future__ import annotations

import asyncio
import io
import json
import time
import zipfile
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy import select

from sheepfold.game.session import Refused
from sheepfold.people.erasing import erase
from sheepfold.people.exporting import kept_of
from sheepfold.people.identity import person_of
from sheepfold.web import my_games, replay
from sheepfold.web.account import Sure, accounts_of, asked_again, known_to
from sheepfold.web.api import NO_STORE, tables_of
from sheepfold.web.language import language_of
from sheepfold.web.replay_frames import written

router = APIRouter(prefix="/account", include_in_schema=False)
MOST_RECORDS = 500
"""How many finished games one file takes; which others there are it says."""
TOLD = ("table", "game", "title", "status", "ply", "seat", "to_act", "prompt", "players", "outline", "log", "log_since")
"""What a file has of the scene of a game that goes on."""


@router.get("/export")
async def export(request: Request) -> Response:
    """One file with all that is kept of somebody, and their games: finished ones as records, others as far as their seat may know."""
    accounts_of(request)
    device = known_to(request)
    tables_of(request).quotas.make_table()  # nobody has us write all day
    kept = await asyncio.to_thread(kept_of, tables_of(request).store, device)
    files, without = await games_of(request, device)
    kept = {"at": time.time(), "games_left_out": without, **kept}
    files["mine.json"] = json.dumps(kept, ensure_ascii=False, indent=1)
    name = f"sheepfold-{datetime.now(UTC):%Y-%m-%d}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', **NO_STORE}
    return Response(await asyncio.to_thread(packed, files), media_type="application/zip", headers=headers)


async def games_of(request: Request, device: str) -> tuple[dict[str, str], list[str]]:
    """By name a file of each of somebody's games, the latest first; and the games that are in none."""
    files: dict[str, str] = {}
    held = await asyncio.to_thread(my_games.places_of(request).held, device)
    without = [each.table for each in held[MOST_RECORDS:]]
    for table_id, token, _ in held[:MOST_RECORDS]:
        try:
            files |= await game_of(request, table_id, token)
        except Refused:  # begun with rules that nobody knows here
            without.append(table_id)
    return files, without


async def game_of(request: Request, table_id: str, token: str) -> dict[str, str]:
    """One game: a record when it is over, else what the seat may know now."""
    gallery, table = replay.gallery_of(request), await tables_of(request).table(table_id)
    if table.status == "over":
        return {f"records/{table_id}.txt": await gallery.jobs.do(written, await gallery.find(table_id))}
    scene = table.scene(my_games.viewer_alone(table, table.seats_of([token])), language_of(request))
    return {f"games/{table_id}.json": json.dumps({key: scene[key] for key in TOLD}, ensure_ascii=False, indent=1)}


def packed(files: dict[str, str]) -> bytes:
    """Files as one."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(name, text)
    return whole.getvalue()


@router.get("/delete")
async def about_deleting(request: Request) -> Response:
    accounts_of(request)
    known_to(request)
    return asked_again(request, "delete", "/account/delete")


@router.post("/delete")
async def delete(request: Request, sure: Sure = "") -> Response:
    """Nothing is kept of somebody any more."""
    accounts = accounts_of(request)
    device = known_to(request)
    if not sure:
        return asked_again(request, "delete", "/account/delete")

    def read() -> str:
        with accounts.store.reading.connect() as connection:
            return str(connection.scalar(select(person_of(device))))

    left = await erase(tables_of(request), await asyncio.to_thread(read))
    response = asked_again(request, "deleted")
    my_games.forgotten(response, left)
    response.delete_cookie("name")
    return response
