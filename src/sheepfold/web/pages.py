"""The pages: home, set-up and the table. Rendered here, kept alive by one small script; forms work without it.

Who may act for a seat is a token in a cookie that is sent to that table's address only. A seat's link carries the token once, so that
a person can come back on another device.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from sheepfold import art
from sheepfold.bots import LEVELS
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game, find
from sheepfold.messages import Voice, languages
from sheepfold.table.bot_players import bot_names
from sheepfold.table.lesson import lesson
from sheepfold.table.pace import ORDINARY, PACES
from sheepfold.table.tables import Tables, person_seat
from sheepfold.web import account, api, inviting, living, my_games, notices, ratings, vignettes, wishes
from sheepfold.web.api import ChatWish, ComponentsWish, MoveWish, SeatWish, SitWish, TableId, TableWish, last_mover, tables_of
from sheepfold.web.event_stream import EventStream, as_it_happens
from sheepfold.web.language import language_of
from sheepfold.web.lesson_scene import offered
from sheepfold.web.rendering import (
    CLOCK_UNITS,
    HERE,
    THEMES,
    YEAR,
    art_style,
    art_symbols,
    keep,
    keep_name,
    own_name,
    problem,
    render,
    symbols_of,
    tokens_of,
)
from sheepfold.web.rules_page import contents, rules_text
from sheepfold.web.scenes import Scenes, Watcher

PLAY_NOW_LEVEL = LEVELS[1]

ShortText = Annotated[str, Form(max_length=200)]
WantedSeat = Annotated[int | None, Query(ge=0, lt=api.MOST_SEATS)]
FormSeat = Annotated[int, Form(ge=0, lt=api.MOST_SEATS)]

router = APIRouter(include_in_schema=False)


def scenes_of(request: Request) -> Scenes:
    scenes = request.app.state.scenes
    assert isinstance(scenes, Scenes)
    return scenes


# Home, set-up.


@router.get("/")
async def home(request: Request) -> Response:
    games, language = every_game(), language_of(request)
    mine = my_games.listed(await my_games.mine(request))
    cards = [card | {"lesson": offered(request, game)} for game, card in zip(games, shelf(tuple(games), language), strict=True)]
    headers = api.NO_STORE if mine else None
    drawn = [vignettes.friends(), *(card["vignette"] for card in cards), *vignettes.FEELINGS.values()]
    return render(
        request, "home.html", games=cards, mine=mine, friends=vignettes.friends(), symbols=symbols_of(*drawn), headers=headers,
        sign_in=await account.can_sign_in(request), living=living.moves(request), **await my_games.kept_seat(request),
    )  # fmt: skip


@cache
def shelf(games: tuple[Game, ...], language: str) -> list[dict[str, Any]]:
    """A card for every game, made once."""
    return [
        {
            "name": game.name, "title": game.title, "seats": game.seats, "minutes": game.minutes, "sentence": game.about(language),
            "vignette": vignettes.vignette(game), "feelings": vignettes.feelings(game),
        }
        for game in games
    ]  # fmt: skip


@router.get("/art.css")
async def style() -> Response:
    return Response(art_style(), media_type="text/css", headers={"Cache-Control": f"public, max-age={YEAR}, immutable"})


@router.get("/rules/{game}")
async def rules(request: Request, game: str) -> Response:
    """The rules for players: a page, or for the script beside the board only the text, with the numbers of that table's set-up."""
    chosen = find(game)
    table_id = request.query_params.get("table")
    table = await tables_of(request).table(table_id) if table_id else None
    setup = table.session.setup if table and table.game.name == chosen.name else None
    text = rules_text(chosen.name, language_of(request), setup)
    if request.query_params.get("part"):
        return HTMLResponse(text)
    return render(
        request, "rules.html", game=chosen, text=text, contents=contents(text), lesson=lesson(chosen), symbols=art_symbols(chosen)
    )


@router.post("/play/{game}", dependencies=my_games.COUNTED)
async def play_now(request: Request, game: str) -> Response:
    """A table at once: the guest and bots of a gentle level."""
    chosen = find(game)
    seats = inviting.with_bots(chosen)
    sitters = [SeatWish(kind="me", name=own_name(request))]
    sitters += [SeatWish(kind="bot", level=PLAY_NOW_LEVEL, name=name) for name in bot_names(seats - 1)]
    table = await api.make_table(tables_of(request), TableWish(game=chosen.name, seats=sitters), language_of(request))
    return keep(RedirectResponse(f"/t/{table.id}", 303), table.id, table.seats[0].token)


@router.get("/new/{game}")
async def set_up(request: Request, game: str) -> Response:
    chosen, language = find(game), language_of(request)
    return render(
        request, "new.html", components=api.components_of(tables_of(request), chosen),
        game=api.game_card(chosen, language), levels=LEVELS, sentence=chosen.about(language),
        programs=tables_of(request).bots.programs.commands,
        vignette=vignettes.vignette(chosen), symbols=art_symbols(), bots=bot_names(chosen.seats[-1]), usual=PLAY_NOW_LEVEL,
        units=list(CLOCK_UNITS)[::-1], rating=tables_of(request).rating,
    )  # fmt: skip


def components_wish(form: FormData, usual: EnteredFile | None) -> ComponentsWish | None:
    """The component file that was entered, if it is another than the usual one."""
    text = str(form.get("components", "")).replace("\r\n", "\n")
    if usual is None or not text.strip() or text.strip() == usual.text.strip():
        return None
    return ComponentsWish(name=str(form.get("components-name", "")).strip() or "own.toml", text=text)


def clock_wish(kind: str, amount: str, unit: str) -> dict[str, int]:
    """The clock that was set up: for a move (`seconds`) or for a game (`budget`), in any unit."""
    if kind == "none" or not amount[:9].isdecimal() or not int(amount[:9]):
        return {}
    name, (least, most) = ("budget", api.GAME_CLOCK) if kind == "game" else ("seconds", api.CLOCK)
    return {name: min(max(int(amount[:9]) * CLOCK_UNITS.get(unit, 1), least), most)}


@router.post("/new/{game}", dependencies=my_games.COUNTED)
async def make(request: Request, game: str) -> Response:
    """The set-up form: kind0, name0, level0 … for each seat, option-NAME for each option, listed, rated, hints, clock, amount, unit."""
    form = await request.form()
    chosen = find(game)
    seats = str(form.get("seats", ""))[:9]
    count = int(seats) if seats.isdecimal() else chosen.seats[-1]
    sitters = [
        SeatWish(
            kind=str(form.get(f"kind{number}", "open")),
            name=api.clean_name(str(form.get(f"name{number}", "")), ""),
            level=str(form.get(f"level{number}", PLAY_NOW_LEVEL)),
        )
        for number in range(min(count, api.MOST_SEATS))
    ]
    options = {}
    for option in chosen.options:
        picked = str(form.get(f"option-{option.name}", option.default)).lower()
        known, meant = ({str(value).lower() for value in values} for values in (option.values, option.values_for(count)))
        if picked in meant or picked not in known:  # what is for other numbers of players means nothing here
            options[option.name] = picked
    clock = clock_wish(str(form.get("clock", "")), str(form.get("amount", form.get("seconds", ""))), str(form.get("unit", "")))
    wish = TableWish(
        components=components_wish(form, api.components_of(tables_of(request), chosen)),
        game=chosen.name, seats=sitters, options=dict(options), listed=form.get("listed") is not None, rated=form.get("rated") is not None,
        hints=form.get("hints") is not None,
        **clock,
    )  # fmt: skip
    table = await api.make_table(tables_of(request), wish, language_of(request))
    response = RedirectResponse(f"/t/{table.id}", 303)
    mine = next((seat for seat in table.seats if seat.kind == "person"), None)
    if mine:
        keep_name(request, response, next(wish.name for wish in sitters if wish.kind == "me"))
    return keep(response, table.id, mine.token) if mine else response


@router.post("/theme")
async def theme(request: Request, theme: ShortText, back: ShortText = "/") -> Response:
    response = RedirectResponse(_inside(back), 303)
    response.set_cookie("theme", theme if theme in THEMES else THEMES[0], max_age=YEAR, samesite="lax")
    return response


def _inside(back: str) -> str:
    """An address of ours to go back to."""
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"


@router.post("/language")
async def language(request: Request, language: ShortText, back: ShortText = "/") -> Response:
    response = RedirectResponse(_inside(back), 303)
    response.set_cookie("language", language if language in languages() else "en", max_age=YEAR, samesite="lax")
    return response


# The table.


@router.get("/t/{table_id}")
async def table_page(request: Request, table_id: TableId) -> Response:
    table = await tables_of(request).table(table_id)
    tokens = tokens_of(request, table_id)
    mine = table.seats_of(tokens)
    if not mine and (token := await my_games.token_at(request, table_id)):  # from another of somebody's devices
        tokens, mine = [token], table.seats_of([token])
    reel = await watcher_of(request, table_id, tokens=tokens).reel(table)
    here = str(request.url_for("table_page", table_id=table_id))
    device = my_games.device_of(request) or my_games.identity_of(request).new_device()
    response = render(
        request, "table.html",
        scene=reel.stamped, mine=mine, symbols=art_symbols(table.game), table=table,
        hidden=table.game.secrets and len(mine) > 1 and table.status != "over", link=here,
        seat_link=f"{here}/seat/{tokens[0]}" if mine else "", words=script_words(language_of(request)), marks=art.MARKS,
        headers=api.NO_STORE if mine else None,  # it has the seat's token
        reports=request.app.state.door is not None,
        **inviting.invitation(request, table), **(await notices.shown(request, device, table_id) if mine else {}),
        square=my_games.qr_code(here) if table.status == "open" and mine else "", **await ratings.shown(request, table),
    )  # fmt: skip
    if mine:
        keep(response, table_id, tokens[0])
        await my_games.visited(request, response, device, table, tokens[0])
        await ratings.came(request, table)
    return response


SCRIPT_WORDS = (
    "again.start", "away", "before", "bot", "card.go", "clock.days", "clock.hours", "clock.minutes", "closer", "curtain", "curtain.show",
    "gone", "hint", "hint.memory", "hint.not-now", "hint.people", "hint.rated", "line", "line.hear", "line.mute", "line.muted",
    "line.reason", "line.report", "line.thanks", "lost", "moves", "never", "next", "not-there", "open", "others-turn", "pause.asked",
    "pause.on", "place", "point", "point.more", "points", "seconds", "step", "switch", "thinking", "turn", "turn-of", "undo", "undo.chance",
    "undo.counts", "undo.none", "undo.others", "undo.over", "undo.rated", "undo.seen", "waiting", "whole", "you", "your-turn",
    *(f"level.{level}" for level in LEVELS),
)  # fmt: skip
"""What the script says; `table.NAME` in the words. Values in braces are filled in there."""


@cache
def script_words(language: str) -> dict[str, str]:
    """The messages themselves, their braces still open."""
    voice = Voice([HERE / "locale"], language)
    return {key: voice.message(f"table.{key}") for key in SCRIPT_WORDS}


def watcher_of(request: Request, table_id: str, stamp: str = "", seat: int | None = None, tokens: list[str] | None = None) -> Watcher:
    """Who asks to be shown a table, with what their page has of it."""
    zipped = "gzip" in request.headers.get("accept-encoding", "")
    shown = tokens_of(request, table_id) if tokens is None else tokens
    return Watcher(scenes_of(request), shown, language_of(request), seat, stamp, zipped)


@router.get("/t/{table_id}/scene")
async def table_scene(request: Request, table_id: TableId, seat: WantedSeat = None) -> Response:
    table = await tables_of(request).table(table_id)
    reel = await watcher_of(request, table_id, seat=seat).reel(table)
    return JSONResponse(reel.stamped, headers=api.NO_STORE)


Liked = Annotated[str, Query(pattern=f"^({'|'.join(PACES)})$")]


@router.get("/t/{table_id}/stream")
async def table_stream(
    request: Request, table_id: TableId, seat: WantedSeat = None, since: str = "", away: bool = False, pace: Liked = ORDINARY
) -> Response:
    """What changes in the scene, after the one that the page has; `seat` is for who holds several and wants to look as one of them, `away`
    for a page that nobody sees, `pace` is how quick they like bots."""
    tables = tables_of(request)
    watcher = watcher_of(request, table_id, request.headers.get("last-event-id", since), seat)
    table = await tables.table(table_id)
    mine = watcher.holder.seats(table)
    looking = notices.looking(request, table_id, bool(mine), away)
    following = tables.bots.pace.followed(table_id, [] if away else mine, pace)
    return EventStream(table, mine, watched(tables, table_id, watcher, looking, following), api.NO_STORE | watcher.headers)


async def watched(tables: Tables, table_id: str, watcher: Watcher, *while_it_lasts: AbstractContextManager[None]) -> AsyncIterator[bytes]:
    """What a page is told; what is long to tell is told in slices, before it is waited for."""
    with ExitStack() as lasting:
        for each in while_it_lasts:
            lasting.enter_context(each)
        await watcher.reel(await tables.table(table_id))
        async for told in as_it_happens(tables, table_id, watcher, watcher.still_here):
            yield told


@router.post("/t/{table_id}/move")
async def table_move(request: Request, table_id: TableId, wish: MoveWish) -> Response:
    return JSONResponse(await api.do_move(tables_of(request), table_id, tokens_of(request, table_id), wish))


@router.post("/t/{table_id}/undo")
async def table_undo(request: Request, table_id: TableId) -> Response:
    tables = tables_of(request)
    table = await tables.table(table_id)
    table = await tables.undo(table_id, last_mover(table, table.seats_of(tokens_of(request, table_id))))
    return JSONResponse({"ply": table.ply, "revision": table.revision})


@router.post("/t/{table_id}/back")
async def table_back(request: Request, table_id: TableId) -> Response:
    table = await wishes.back(tables_of(request), table_id, tokens_of(request, table_id))
    return JSONResponse({"revision": table.revision})


@router.post("/t/{table_id}/pause")
async def table_pause(request: Request, table_id: TableId, wish: wishes.PauseWish) -> Response:
    table = await wishes.pause(tables_of(request), table_id, tokens_of(request, table_id), wish.wish)
    return JSONResponse({"revision": table.revision})


@router.post("/t/{table_id}/bots")
async def table_bots(request: Request, table_id: TableId, wish: wishes.BotsWish) -> Response:
    await wishes.of_bots(tables_of(request), table_id, tokens_of(request, table_id), wish.wish)
    return JSONResponse({})


@router.post("/t/{table_id}/absence")
async def table_absence(request: Request, table_id: TableId, wish: wishes.AbsenceWish) -> Response:
    table = await wishes.be_absent(tables_of(request), table_id, tokens_of(request, table_id), wish.days)
    return JSONResponse({"revision": table.revision})


@router.post("/t/{table_id}/hint")
async def table_hint(request: Request, table_id: TableId) -> Response:
    return JSONResponse(await wishes.hint(tables_of(request), table_id, tokens_of(request, table_id), language_of(request)))


@router.post("/t/{table_id}/sit")
async def table_sit(request: Request, table_id: TableId, seat: FormSeat, name: ShortText = "") -> Response:
    wish = SitWish(seat=seat, name=api.clean_name(name, ""))
    voice = Voice(language=language_of(request))
    sitter = person_seat(wish.name or voice.say("player", number=wish.seat + 1))
    tables = tables_of(request)
    tokens = tokens_of(request, table_id)
    if tokens and (await tables.table(table_id)).seats_of(tokens):
        sitter.token = tokens[0]
    await tables.sit(table_id, wish.seat, sitter)
    response = keep(RedirectResponse(f"/t/{table_id}", 303), table_id, sitter.token)
    keep_name(request, response, wish.name)
    return response


@router.post("/t/{table_id}/say", dependencies=my_games.COUNTED)
async def table_say(request: Request, table_id: TableId, wish: ChatWish) -> Response:
    await wishes.say(tables_of(request), table_id, tokens_of(request, table_id), wish.text)
    return JSONResponse({})


@router.get("/t/{table_id}/chat")
async def table_chat(request: Request, table_id: TableId, before: Annotated[int, Query(ge=0, le=1_000_000_000)]) -> Response:
    """Earlier lines, for who wants to read them."""
    return JSONResponse(await wishes.earlier(tables_of(request), table_id, before, language_of(request)), headers=api.NO_STORE)


@router.post("/t/{table_id}/leave")
async def table_leave(request: Request, table_id: TableId) -> Response:
    await wishes.leave(tables_of(request), table_id, tokens_of(request, table_id))
    if device := my_games.device_of(request):
        await asyncio.wrap_future(my_games.places_of(request).leave(device, table_id))
    return RedirectResponse(f"/?left={table_id}", 303)  # the cookie stays, for who wants the seat back


@router.post("/t/{table_id}/return")
async def table_return(request: Request, table_id: TableId) -> Response:
    await wishes.come_again(tables_of(request), table_id, tokens_of(request, table_id))
    return RedirectResponse(f"/t/{table_id}", 303)


@router.post("/t/{table_id}/rematch", dependencies=my_games.COUNTED)
async def table_rematch(request: Request, table_id: TableId) -> Response:
    following = await wishes.rematch(tables_of(request), table_id, tokens_of(request, table_id))
    await asyncio.wrap_future(my_games.places_of(request).follow(table_id, following))
    return keep(RedirectResponse(f"/t/{following}", 303), following, tokens_of(request, table_id)[0])


@router.get("/t/{table_id}/seat/{token}")
async def come_back(request: Request, table_id: TableId, token: str) -> Response:
    """A seat's own link, on another device."""
    table = await tables_of(request).table(table_id)
    if not table.seats_of([token]):
        return problem(request, 404, Voice([HERE / "locale"], language_of(request)).say("problem.seat-link"))
    return keep(RedirectResponse(f"/t/{table_id}", 303), table_id, token)
