"""The living table: a few turns of a game that bots play, as a film for the home page. Who likes it quiet turns it off.

It is played and drawn in a process of the jobs when it is asked for first, and kept; the page itself only names its address.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, cast

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from sheepfold import art
from sheepfold.art import Theme
from sheepfold.bots import LEVELS, bot
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.core.sequential import sequential, unwrapped
from sheepfold.game.registry import find
from sheepfold.messages import Voice
from sheepfold.web.inviting import with_bots
from sheepfold.web.jobs import Jobs
from sheepfold.web.language import language_of
from sheepfold.web.rendering import YEAR, theme_of

BEFORE, TURNS = 3, 9
"""After so many turns it begins, and shows so many; then it begins anew."""
SECONDS = 25.0
COOKIE, OFF = "living", "off"
STILL = "<style>*{animation:none!important}</style>"

Films = dict[tuple[str, str], asyncio.Future[tuple[float, float, str]]]
"""By game and language; whoever asks first lets it be played, and all wait for the same."""

router = APIRouter(include_in_schema=False)


def played(name: str, language: str) -> tuple[float, float, str]:
    """Some turns of a game between bots, as everybody round the table sees them, as a film."""
    game, player, dice = find(name), bot(LEVELS[1]), Dice("the living table")
    voice = Voice([game.folder / "locale"], language)
    position, pictures, last = sequential(game.setup(with_bots(game)).start()), list[str](), CHANCE
    while position.to_act != OVER and len(pictures) < BEFORE + TURNS:
        seat = int(position.to_act)
        if seat == CHANCE:
            position.advance(position.random_action(dice))
            continue
        if seat != last:
            pictures.append(game.picture(unwrapped(position).seen_by(SPECTATOR), SPECTATOR, "bare", voice))
            last = seat
        actions = position.legal()
        position.advance(actions[0] if len(actions) == 1 else player.choose(position.seen_by(seat), dice))
    return art.film(pictures[BEFORE:] or pictures, SECONDS)


def moves(request: Request) -> bool:
    """Whether who looks likes the table to be living."""
    return request.cookies.get(COOKIE) != OFF


@router.get("/living/{game}.svg")
async def film(request: Request, game: str) -> Response:
    """The film; it stands still for who has turned it off. Its address carries what it depends on."""
    chosen, language = find(game), language_of(request)
    films: Films = request.app.state.films
    making = films.get(key := (chosen.name, language))
    if not making:
        jobs: Jobs = request.app.state.gallery.jobs
        making = films[key] = asyncio.ensure_future(jobs.do(played, *key))
    try:
        wide, high, body = await asyncio.shield(making)  # who goes away takes it from nobody else
    except Exception:
        films.pop(key, None)
        raise
    drawn = art.document(wide, high, body if moves(request) else STILL + body, chosen.title, theme=cast(Theme, theme_of(request)))
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=86400"})


@router.post("/living")
async def turn(request: Request, wish: Annotated[str, Form(max_length=9)]) -> Response:
    """On or off, and remembered."""
    response = RedirectResponse("/", 303)
    response.set_cookie(COOKIE, OFF if wish == OFF else "on", max_age=YEAR, samesite="lax")
    return response
