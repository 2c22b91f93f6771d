"""The pages: home, set-up, lobby and the table. Rendered here, kept alive by one small script; forms work without it.

Who may act for a seat is a token in a cookie that is sent to that table's address only. A seat's link carries the token once, so that
a person can come back on another device.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, FileSystemLoader, select_autoescape

from sheepfold.bots import LEVELS
from sheepfold.core.position import SPECTATOR
from sheepfold.games import every_game, find
from sheepfold.table.house import bot_seat, person_seat
from sheepfold.table.table import Table
from sheepfold.web import api
from sheepfold.web.api import MoveWish, SeatWish, SitWish, TableId, TableWish, house_of, last_mover, seat_to_move, viewer_of
from sheepfold.words import Voice, languages

HERE = Path(__file__).parent
YEAR = 365 * 86400
PLAY_NOW_LEVEL = LEVELS[1]

ShortText = Annotated[str, Form(max_length=200)]

router = APIRouter(include_in_schema=False)
templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True
)


def language_of(request: Request) -> str:
    """The language chosen here before, else the first that the browser likes and we have."""
    chosen = request.cookies.get("language", "")
    if chosen in languages():
        return chosen
    for part in request.headers.get("accept-language", "").split(","):
        tag = part.split(";")[0].strip().lower()[:2]
        if tag in languages():
            return tag
    return languages()[0]


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language; `say` finds its words."""
    language = language_of(request)
    voice = Voice([HERE / "words"], language)
    page = templates.get_template(template).render(
        say=voice.say, language=language, languages=languages(), request=request, name=request.cookies.get("name", ""), **values
    )
    return HTMLResponse(page, status)


def problem(request: Request, status: int, text: str) -> Response:
    """What was wrong: for programs and the script as JSON, for people as a page with the way on."""
    if request.url.path.startswith("/api") or "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"problem": text}, status)
    return render(request, "problem.html", status, problem=text)


def tokens_of(request: Request, table_id: str) -> list[str]:
    token = request.cookies.get(f"seat_{table_id}")
    return [token] if token else []


def keep(response: Response, table_id: str, token: str) -> Response:
    """Let the browser hold a seat's token, for this table's address alone."""
    response.set_cookie(f"seat_{table_id}", token, max_age=YEAR, path=f"/t/{table_id}", httponly=True, samesite="lax")
    return response


def keep_name(response: Response, name: str) -> None:
    if name:
        response.set_cookie("name", quote(name), max_age=YEAR, httponly=True, samesite="lax")


# Home, set-up, lobby.


@router.get("/")
async def home(request: Request) -> Response:
    language = language_of(request)
    cards = [{**api.game_card(game, language), "sentence": sentence(game.name, language)} for game in every_game()]
    return render(request, "home.html", games=cards)


def sentence(game: str, language: str) -> str:
    """What the game is about, in one sentence."""
    return Voice([find(game).folder / "words", HERE / "words"], language).say(f"about.{game}")


@router.post("/play/{game}")
async def play_now(request: Request, game: str) -> Response:
    """A table at once: the guest and bots of a gentle level."""
    chosen = find(game)
    seats = 4 if 4 in chosen.seats else chosen.seats[-1]
    wishes = [SeatWish(kind="me", name="")] + [SeatWish(kind="bot", level=PLAY_NOW_LEVEL, name=name) for name in bot_names(seats - 1)]
    table = await api.make_table(house_of(request), TableWish(game=chosen.name, seats=wishes), language_of(request))
    return keep(RedirectResponse(f"/t/{table.id}", 303), table.id, table.seats[0].token)


def bot_names(count: int) -> list[str]:
    """Sheep that people like to play against."""
    return ["Dolly", "Shaun", "Flossie", "Wooliam"][:count]


@router.get("/new/{game}")
async def set_up(request: Request, game: str) -> Response:
    card = api.game_card(find(game), language_of(request))
    return render(request, "new.html", game=card, levels=LEVELS, sentence=sentence(card["name"], language_of(request)))


@router.post("/new/{game}")
async def make(request: Request, game: str) -> Response:
    """The set-up form: kind0, name0, level0 … for each seat, option-NAME for each option, listed, seconds."""
    form = await request.form()
    chosen = find(game)
    count = int(str(form.get("seats", ""))) if str(form.get("seats", "")).isdecimal() else chosen.seats[-1]
    wishes = [
        SeatWish(
            kind=str(form.get(f"kind{number}", "open")),
            name=str(form.get(f"name{number}", ""))[:40],
            level=str(form.get(f"level{number}", PLAY_NOW_LEVEL)),
        )
        for number in range(min(count, 5))
    ]
    options = {key.removeprefix("option-"): str(value) for key, value in form.items() if key.startswith("option-")}
    seconds = str(form.get("seconds", ""))
    wish = TableWish(
        game=chosen.name, seats=wishes, options=dict(options), listed=form.get("listed") is not None,
        seconds=int(seconds) if seconds.isdecimal() and int(seconds) >= 5 else None,
    )  # fmt: skip
    table = await api.make_table(house_of(request), wish, language_of(request))
    response = RedirectResponse(f"/t/{table.id}", 303)
    mine = next((seat for seat in table.seats if seat.kind == "person"), None)
    return keep(response, table.id, mine.token) if mine else response


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    return render(request, "lobby.html", tables=await api.open_tables(house_of(request)))


@router.post("/language")
async def language(request: Request, language: ShortText, back: ShortText = "/") -> Response:
    response = RedirectResponse(back if back.startswith("/") and not back.startswith("//") else "/", 303)
    response.set_cookie("language", language if language in languages() else "en", max_age=YEAR, samesite="lax")
    return response


# The table.


@router.get("/t/{table_id}")
async def table_page(request: Request, table_id: TableId) -> Response:
    table = await house_of(request).table(table_id)
    tokens = tokens_of(request, table_id)
    viewer = viewer_of(table, tokens)
    return render(
        request, "table.html",
        scene=page_scene(table, tokens, language_of(request)), viewer=viewer, mine=table.seats_of(tokens), secrets=table.game.secrets,
        link=str(request.url_for("table_page", table_id=table_id)), table=table, spectator=viewer == SPECTATOR,
    )  # fmt: skip


def page_scene(table: Table, tokens: list[str], language: str, since: int = 0) -> dict[str, Any]:
    """A scene, with what else the page shows: own seats, undo, chat."""
    mine = table.seats_of(tokens)
    return {**table.scene(viewer_of(table, tokens), language, since), "mine": mine, "chat": [list(line) for line in table.chat]}


@router.get("/t/{table_id}/scene")
async def table_scene(request: Request, table_id: TableId) -> Response:
    table = await house_of(request).table(table_id)
    return JSONResponse(page_scene(table, tokens_of(request, table_id), language_of(request)))


@router.get("/t/{table_id}/stream")
async def table_stream(request: Request, table_id: TableId) -> Response:
    house = house_of(request)
    await house.table(table_id)
    live = api.scenes(house, table_id, tokens_of(request, table_id), language_of(request), page_scene)
    return StreamingResponse(live, media_type="text/event-stream", headers=api.NO_STORE)


@router.post("/t/{table_id}/move")
async def table_move(request: Request, table_id: TableId, wish: MoveWish) -> Response:
    house = house_of(request)
    table = await house.table(table_id)
    seat = seat_to_move(table, tokens_of(request, table_id), wish.seat)
    table = await house.move(table_id, seat, wish.ply, wish.action)
    return JSONResponse({"ply": table.ply, "revision": table.revision})


@router.post("/t/{table_id}/undo")
async def table_undo(request: Request, table_id: TableId) -> Response:
    house = house_of(request)
    table = await house.undo(table_id, last_mover(await house.table(table_id), tokens_of(request, table_id)))
    return JSONResponse({"ply": table.ply, "revision": table.revision})


@router.post("/t/{table_id}/hint")
async def table_hint(request: Request, table_id: TableId) -> Response:
    house = house_of(request)
    seat = seat_to_move(await house.table(table_id), tokens_of(request, table_id), None)
    table, found = await house.hint(table_id, seat)
    view = table.position.seen_by(seat)
    voice = Voice([HERE / "words"], language_of(request))
    action, value = found[0]
    label = table.game.describe(view, action, table.voice(language_of(request)))
    reason = voice.say("hint.reason" if len(found) > 1 else "hint.only", label=label, percent=round(100 * value))
    return JSONResponse({"action": table.game.write(view, action), "label": label, "reason": reason})


@router.post("/t/{table_id}/sit")
async def table_sit(request: Request, table_id: TableId, seat: Annotated[int, Form(ge=0, le=4)], name: ShortText = "") -> Response:
    wish = SitWish(seat=seat, name=name[:40])
    voice = Voice(language=language_of(request))
    sitter = person_seat(api.clean_name(wish.name, voice.say("player", number=wish.seat + 1)))
    house = house_of(request)
    tokens = tokens_of(request, table_id)
    if tokens and (await house.table(table_id)).seats_of(tokens):
        sitter.token = tokens[0]
    await house.sit(table_id, wish.seat, sitter)
    response = keep(RedirectResponse(f"/t/{table_id}", 303), table_id, sitter.token)
    keep_name(response, wish.name)
    return response


@router.post("/t/{table_id}/say")
async def table_say(request: Request, table_id: TableId) -> Response:
    """A line of chat by somebody who sits here."""
    house = house_of(request)
    table = await house.table(table_id)
    seat = seat_to_move(table, tokens_of(request, table_id), None)
    text = " ".join(str((await request.json()).get("text", "")).split())[:300]
    if text:
        await house.say(table_id, table.seats[seat].name, text)
    return JSONResponse({})


@router.post("/t/{table_id}/leave")
async def table_leave(request: Request, table_id: TableId) -> Response:
    """A bot takes the seats of who leaves for good."""
    house = house_of(request)
    table = await house.table(table_id)
    for seat in table.seats_of(tokens_of(request, table_id)):
        await house.replace(table_id, seat, bot_seat(PLAY_NOW_LEVEL, table.seats[seat].name))
    return RedirectResponse("/", 303)


@router.post("/t/{table_id}/rematch")
async def table_rematch(request: Request, table_id: TableId) -> Response:
    """The same people at a new table; the seats move on by one."""
    house = house_of(request)
    table = await house.table(table_id)
    seat_to_move(table, tokens_of(request, table_id), None)
    following = table.settings.get("rematch")
    if not following:
        seats = [table.seats[(number + 1) % len(table.seats)] for number in range(len(table.seats))]
        settings = {key: table.settings.get(key) for key in ("listed", "seconds")}
        new = await house.create(table.game.name, seats, table.setup.changed_options(), settings)
        following = table.settings["rematch"] = new.id
        await house.settle(table)
    return keep(RedirectResponse(f"/t/{following}", 303), following, tokens_of(request, table_id)[0])


@router.get("/t/{table_id}/seat/{token}")
async def come_back(request: Request, table_id: TableId, token: str) -> Response:
    """A seat's own link, on another device."""
    table = await house_of(request).table(table_id)
    if not table.seats_of([token]):
        return problem(request, 404, Voice([HERE / "words"], language_of(request)).say("problem.seat-link"))
    return keep(RedirectResponse(f"/t/{table_id}", 303), table_id, token)


def as_json(value: object) -> str:
    """JSON that may stand inside a page."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


templates.filters["as_json"] = as_json
