"""Puzzles: the pages where somebody finds better what they once played. What is right is weighed by the bot that looked back at it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from babel.dates import format_date
from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import RedirectResponse, Response

from sheepfold.bots.analysis import Finding
from sheepfold.core.errors import AmbiguousAction, UnreadableAction
from sheepfold.game.registry import find, names
from sheepfold.game.session import Refused, Session
from sheepfold.messages import Voice
from sheepfold.people.puzzles import Puzzle, Puzzles
from sheepfold.table.fairness import Busy
from sheepfold.web import my_games
from sheepfold.web.api import LONGEST, NO_STORE, TableId, tables_of
from sheepfold.web.jobs import weigh
from sheepfold.web.language import language_of
from sheepfold.web.rendering import art_symbols, render
from sheepfold.web.replay import gallery_of
from sheepfold.web.replay_frames import FinishedGame, points_of_turning, voice_of

AS_GOOD = 0.02
"""What costs less of the win is as good as the best."""
AT_A_TIME = 3
"""How many games are given to a bot to look at together."""
SHOWN = 40

router = APIRouter(include_in_schema=False)
Ply = Annotated[int, Path(ge=0, le=1_000_000)]


class NoPuzzle(Refused):
    """Nothing to be found there, or not by who asks."""


def puzzles_of(request: Request) -> Puzzles:
    return Puzzles(tables_of(request).store)


@router.get("/puzzles")
async def listed(request: Request) -> Response:
    """All of somebody's, and what a bot could still look at."""
    device, language = my_games.device_of(request), language_of(request)
    found = await asyncio.to_thread(puzzles_of(request).of, device) if device else []
    unseen = await asyncio.to_thread(puzzles_of(request).unseen, device, AT_A_TIME) if device else []
    found = [each for each in found if each.game in names()]
    titles = {each.game: find(each.game).title for each in found}
    return render(
        request, "puzzles.html", puzzles=found[:SHOWN], solved=sum(each.solved for each in found), count=len(found), titles=titles,
        unseen=unseen, say_date=lambda at: format_date(datetime.fromtimestamp(at), "medium", language),
        percent=Voice(language=language).percent, waiting=await waiting(request, device), headers=NO_STORE,
    )  # fmt: skip


async def waiting(request: Request, device: str | None) -> bool:
    """Whether a bot is still at one of somebody's games."""
    if device is None:
        return False
    wanted = {each.name for each in await asyncio.to_thread(gallery_of(request).archive.waiting)}
    mine = await asyncio.to_thread(my_games.places_of(request).of, device)
    return any(game.table in wanted for game in mine.finished)


@router.post("/puzzles/look")
async def look(request: Request) -> Response:
    """A bot looks back at the latest games that none has looked at."""
    gallery, device = gallery_of(request), my_games.device_of(request)
    for name in await asyncio.to_thread(puzzles_of(request).unseen, device, AT_A_TIME) if device else []:
        with suppress(Refused, Busy):  # as many as may wait
            await gallery.analysis_queue.want(name, await gallery.find(name))
    return RedirectResponse("/puzzles", 303)


async def of_mine(request: Request, name: str, ply: int) -> tuple[Puzzle, list[Puzzle], FinishedGame, Finding]:
    """A puzzle of somebody's own, all of theirs, the game, and what the bot found."""
    device = my_games.device_of(request)
    mine = await asyncio.to_thread(puzzles_of(request).of, device) if device else []
    puzzle = next((each for each in mine if (each.table, each.ply) == (name, ply)), None)
    if puzzle is None:
        raise NoPuzzle("no-puzzle", "That is no puzzle from a game of yours.")
    gallery = gallery_of(request)
    played = await gallery.find(name)
    analysis = await gallery.analysis_queue.of(name, played)
    if analysis is None or ply not in analysis.found:
        raise NoPuzzle("no-puzzle", "That is no puzzle from a game of yours.")
    return puzzle, mine, played, Finding(**analysis.found[ply])


@router.get("/puzzle/{table_id}/{ply}")
async def page(request: Request, table_id: TableId, ply: Ply) -> Response:
    puzzle, mine, played, finding = await of_mine(request, table_id, ply)
    return shown(request, puzzle, mine, played, finding)


@router.post("/puzzle/{table_id}/{ply}")
async def answer(
    request: Request,
    table_id: TableId,
    ply: Ply,
    action: Annotated[str, Form(max_length=LONGEST)] = "",
    show: Annotated[bool, Form()] = False,
) -> Response:
    """What somebody would play there now; or (`show`) they give up."""
    puzzle, mine, played, finding = await of_mine(request, table_id, ply)
    if show:
        return shown(request, puzzle, mine, played, finding, verdict="shown", solution=True)
    session = played.session()
    view = session.view(puzzle.seat, ply)
    try:
        chosen = session.game.read(view, action, puzzle.seat)
    except (UnreadableAction, AmbiguousAction) as error:
        raise NoPuzzle("puzzle-action", f"{action!r} is not possible there.") from error
    verdict, loss = "made", finding.loss
    if chosen == finding.best[0]:
        verdict, loss = "best", 0.0
    elif chosen != session.events[ply].action:
        loss = await gallery_of(request).jobs.do(weigh, played, ply, chosen, gallery_of(request).analysis_queue.simulations)
        verdict = "good" if loss < AS_GOOD else "better" if loss < finding.loss - AS_GOOD else "no"
    right = verdict in ("best", "good")
    device = my_games.device_of(request)
    assert device
    await asyncio.wrap_future(puzzles_of(request).tried(device, table_id, ply, right))
    said = session.game.describe(view, chosen, voice_of(played, language_of(request))).removesuffix(".")
    return shown(request, puzzle, mine, played, finding, verdict=verdict, loss=loss, said=said, solution=right)


def shown(
    request: Request, puzzle: Puzzle, mine: list[Puzzle], played: FinishedGame, finding: Finding, solution: bool = False, **more: Any
) -> Response:
    """The position as its player saw it, what can be played, and what came of an answer."""
    session, voice = played.session(), voice_of(played, language_of(request))
    game, view = session.game, session.view(puzzle.seat, puzzle.ply)
    following = next((each for each in mine if not each.solved and (each.table, each.ply) != (puzzle.table, puzzle.ply)), None)
    return render(
        request, "puzzle.html", puzzle=puzzle, game=game, picture=game.picture(view, puzzle.seat, "auto", voice),
        prompt=game.prompt(view, voice), choices=choices(session, view, voice), following=following, percent=voice.percent,
        outline=game.outline(view, puzzle.seat, voice), symbols=art_symbols(game),
        solution=points_of_turning(played, [finding], language_of(request))[0] if solution else None,
        headers=NO_STORE, **more,
    )  # fmt: skip


def choices(session: Session, view: Any, voice: Voice) -> list[dict[str, Any]]:
    """What can be played: as it is written, in words, and what to tap for it."""
    game = session.game
    return [
        {"action": game.write(view, action), "label": game.describe(view, action, voice), "targets": game.targets(view, action)}
        for action in view.legal()
    ]
