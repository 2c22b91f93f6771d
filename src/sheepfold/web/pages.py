"""The pages: home, set-up, lobby and the table. Rendered here, kept alive by one small script; forms work without it.

Who may act for a seat is a token in a cookie that is sent to that table's address only. A seat's link carries the token once, so that
a person can come back on another device.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, unquote

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.datastructures import FormData

from sheepfold import art
from sheepfold.bots import LEVELS
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game, find
from sheepfold.messages import Voice, languages
from sheepfold.table.lesson import lesson
from sheepfold.table.tables import Tables, person_seat
from sheepfold.web import api, vignettes, wishes
from sheepfold.web.api import ChatWish, ComponentsWish, MoveWish, SeatWish, SitWish, TableId, TableWish, last_mover, tables_of
from sheepfold.web.event_stream import EventStream, as_it_happens
from sheepfold.web.language import language_of
from sheepfold.web.lesson_scene import offered
from sheepfold.web.rules_page import rules_text
from sheepfold.web.scenes import Scenes, Watcher

HERE = Path(__file__).parent
YEAR = 365 * 86400
PLAY_NOW_LEVEL = LEVELS[1]
THEMES = ("auto", "light", "dark")
CLOCK_UNITS = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}

ShortText = Annotated[str, Form(max_length=200)]
WantedSeat = Annotated[int | None, Query(ge=0, lt=api.MOST_SEATS)]
FormSeat = Annotated[int, Form(ge=0, lt=api.MOST_SEATS)]

router = APIRouter(include_in_schema=False)
templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True
)


templates.globals["astray"] = vignettes.astray


def render(request: Request, template: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any) -> HTMLResponse:
    """A page in the reader's language; `say` finds its words."""
    language = language_of(request)
    voice = Voice([HERE / "locale"], language)
    page = templates.get_template(template).render(
        say=voice.say, language=language, languages=languages(), request=request, name=unquote(request.cookies.get("name", "")),
        theme=theme_of(request), mark=_mark, static=static, palettes=art.PALETTES, clock_words=clock_words, **values,
    )  # fmt: skip
    return HTMLResponse(page, status, headers)


def theme_of(request: Request) -> str:
    theme = request.cookies.get("theme", "")
    return theme if theme in THEMES else THEMES[0]


@cache
def static(name: str) -> str:
    """The address of a static file, with a sum of what is in it, so that browsers keep it and never show an old one."""
    content = art_style() if name == "art.css" else (HERE / "static" / name).read_bytes()
    return f"/{'' if name == 'art.css' else 'static/'}{name}?{blake2b(content, digest_size=4).hexdigest()}"


@cache
def art_style() -> bytes:
    """The art kit's colours and classes, once for all pages."""
    return art.style("auto").encode()


PAGE_DRAWS = ("sheep-n", "sheep-s", *art.SIGNS)
"""The drawings that the page shows by itself, beside a picture: the marks of players, who has won, the curtain."""


@cache
def art_symbols(game: Game | None = None) -> str:
    """The art kit's drawings, once on a page whose pictures use them: all of them, or those that one game may need."""
    only = None if game is None or game.drawings is None else (*PAGE_DRAWS, *game.drawings)
    return re.sub(r"<style>.*?</style>", "", art.kit("auto", only), flags=re.DOTALL)


def _mark(colour: str) -> str:
    """The small sign of a colour, for lists of players."""
    name = next((name for known, name in art.MARKS.items() if known == colour), "")
    return f'<svg class="mark sf sf-auto" viewBox="-15 -15 30 30" aria-hidden="true"><use href="#sf-{name}" class="sf-{colour}"/></svg>'


def problem(request: Request, status: int, text: str, key: str = "") -> Response:
    """What was wrong: for programs as JSON, for the page's script too but in the reader's words, for people as a page with the way on."""
    voice = Voice([HERE / "locale"], language_of(request))
    if key and not request.url.path.startswith("/api"):
        text = voice.say(f"problem.{key}", text=text)
    if request.url.path.startswith("/api") or "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"problem": text}, status)
    return render(request, "problem.html", status, problem=text)


def scenes_of(request: Request) -> Scenes:
    scenes = request.app.state.scenes
    assert isinstance(scenes, Scenes)
    return scenes


def tokens_of(request: Request, table_id: str) -> list[str]:
    token = request.cookies.get(f"seat_{table_id}")
    return [token] if token else []


def keep(response: Response, table_id: str, token: str) -> Response:
    """Let the browser hold a seat's token, for this table's address alone."""
    response.set_cookie(f"seat_{table_id}", token, max_age=YEAR, path=f"/t/{table_id}", httponly=True, samesite="lax")
    return response


def keep_name(request: Request, response: Response, name: str) -> None:
    """Remember what somebody calls themselves; what everybody is called who says nothing is no name to remember."""
    name = api.clean_name(name, "")
    if name and name != Voice([HERE / "locale"], language_of(request)).say("you"):
        response.set_cookie("name", quote(name), max_age=YEAR, httponly=True, samesite="lax")


# Home, set-up, lobby.


@router.get("/")
async def home(request: Request) -> Response:
    language = language_of(request)
    cards = [
        {
            **api.game_card(game, language), "sentence": game.about(language), "vignette": vignettes.vignette(game),
            "lesson": offered(request, game),
        }
        for game in every_game()
    ]  # fmt: skip
    return render(request, "home.html", games=cards, friends=vignettes.friends(), symbols=art_symbols())


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
    return render(request, "rules.html", game=chosen, text=text, lesson=lesson(chosen), symbols=art_symbols(chosen))


@router.post("/play/{game}")
async def play_now(request: Request, game: str) -> Response:
    """A table at once: the guest and bots of a gentle level."""
    chosen = find(game)
    seats = 4 if 4 in chosen.seats else chosen.seats[-1]
    sitters = [SeatWish(kind="me", name=own_name(request))]
    sitters += [SeatWish(kind="bot", level=PLAY_NOW_LEVEL, name=name) for name in wishes.bot_names(seats - 1)]
    table = await api.make_table(tables_of(request), TableWish(game=chosen.name, seats=sitters), language_of(request))
    return keep(RedirectResponse(f"/t/{table.id}", 303), table.id, table.seats[0].token)


def own_name(request: Request) -> str:
    """What the guest was called before, else a name that sentences about others can be made with."""
    return api.clean_name(unquote(request.cookies.get("name", "")), Voice([HERE / "locale"], language_of(request)).say("you"))


@router.get("/new/{game}")
async def set_up(request: Request, game: str) -> Response:
    chosen, language = find(game), language_of(request)
    return render(
        request, "new.html", components=api.components_of(tables_of(request), chosen),
        game=api.game_card(chosen, language), levels=LEVELS, sentence=chosen.about(language),
        vignette=vignettes.vignette(chosen), symbols=art_symbols(), bots=wishes.bot_names(chosen.seats[-1]), usual=PLAY_NOW_LEVEL,
        clock=api.CLOCK,
    )  # fmt: skip


def components_wish(form: FormData, usual: EnteredFile | None) -> ComponentsWish | None:
    """The component file that was entered, if it is another than the usual one."""
    text = str(form.get("components", "")).replace("\r\n", "\n")
    if usual is None or not text.strip() or text.strip() == usual.text.strip():
        return None
    return ComponentsWish(name=str(form.get("components-name", "")).strip() or "own.toml", text=text)


@router.post("/new/{game}")
async def make(request: Request, game: str) -> Response:
    """The set-up form: kind0, name0, level0 … for each seat, option-NAME for each option, listed, seconds."""
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
    seconds = str(form.get("seconds", ""))[:9]
    wish = TableWish(
        components=components_wish(form, api.components_of(tables_of(request), chosen)),
        game=chosen.name, seats=sitters, options=dict(options), listed=form.get("listed") is not None,
        seconds=min(max(int(seconds), api.CLOCK[0]), api.CLOCK[1]) if seconds.isdecimal() and int(seconds) else None,
    )  # fmt: skip
    table = await api.make_table(tables_of(request), wish, language_of(request))
    response = RedirectResponse(f"/t/{table.id}", 303)
    mine = next((seat for seat in table.seats if seat.kind == "person"), None)
    if mine:
        keep_name(request, response, next(wish.name for wish in sitters if wish.kind == "me"))
    return keep(response, table.id, mine.token) if mine else response


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    found = await api.open_tables(tables_of(request))
    pictures = {each["game"]: vignettes.vignette(find(each["game"])) for each in found}
    return render(request, "lobby.html", tables=found, vignettes=pictures, friends=vignettes.friends(), symbols=art_symbols())


def clock_words(say: Callable[..., str], seconds: int | None) -> str:
    """How long a move may take, in the largest unit that comes out even; nothing where there is no clock."""
    unit = next((unit for unit in CLOCK_UNITS if seconds and seconds % CLOCK_UNITS[unit] == 0), None)
    return say(f"clock.{unit}", seconds // CLOCK_UNITS[unit]) if seconds and unit else ""


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
    reel = await watcher_of(request, table_id).reel(table)
    here = str(request.url_for("table_page", table_id=table_id))
    return render(
        request, "table.html",
        scene=reel.stamped, mine=mine, symbols=art_symbols(table.game), table=table,
        hidden=table.game.secrets and len(mine) > 1 and table.status != "over", link=here,
        seat_link=f"{here}/seat/{tokens[0]}" if mine else "", words=script_words(language_of(request)), marks=art.MARKS,
        headers=api.NO_STORE if mine else None,  # it has the seat's token
    )  # fmt: skip


SCRIPT_WORDS = (
    "away", "bot", "closer", "copied", "curtain", "curtain.show", "hint", "hint.memory", "hint.not-now", "lost", "moves", "never", "next",
    "not-there", "open",
    "others-turn", "place", "points", "seconds", "step", "switch", "thinking", "undo", "undo.chance", "undo.none", "undo.others",
    "undo.over", "undo.seen", "waiting", "whole", "you", "your-turn", *(f"level.{level}" for level in LEVELS),
)  # fmt: skip
"""What the script says; `table.NAME` in the words. Values in braces are filled in there."""


@cache
def script_words(language: str) -> dict[str, str]:
    """The messages themselves, their braces still open."""
    voice = Voice([HERE / "locale"], language)
    return {key: voice.message(f"table.{key}") for key in SCRIPT_WORDS}


def watcher_of(request: Request, table_id: str, stamp: str = "", seat: int | None = None) -> Watcher:
    """Who asks to be shown a table, with what their page has of it."""
    zipped = "gzip" in request.headers.get("accept-encoding", "")
    return Watcher(scenes_of(request), tokens_of(request, table_id), language_of(request), seat, stamp, zipped)


@router.get("/t/{table_id}/scene")
async def table_scene(request: Request, table_id: TableId, seat: WantedSeat = None) -> Response:
    table = await tables_of(request).table(table_id)
    reel = await watcher_of(request, table_id, seat=seat).reel(table)
    return JSONResponse(reel.stamped, headers=api.NO_STORE)


@router.get("/t/{table_id}/stream")
async def table_stream(request: Request, table_id: TableId, seat: WantedSeat = None, since: str = "") -> Response:
    """What changes in the scene, after the one that the page has; `seat` is for who holds several and wants to look as one of them."""
    tables = tables_of(request)
    watcher = watcher_of(request, table_id, request.headers.get("last-event-id", since), seat)
    table = await tables.table(table_id)
    return EventStream(table, watcher.holder.seats(table), watched(tables, table_id, watcher), api.NO_STORE | watcher.headers)


async def watched(tables: Tables, table_id: str, watcher: Watcher) -> AsyncIterator[bytes]:
    """What a page is told; what is long to tell is told in slices, before it is waited for."""
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


@router.post("/t/{table_id}/say")
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
    response = RedirectResponse("/", 303)
    response.delete_cookie(f"seat_{table_id}", path=f"/t/{table_id}")
    return response


@router.post("/t/{table_id}/rematch")
async def table_rematch(request: Request, table_id: TableId) -> Response:
    following = await wishes.rematch(tables_of(request), table_id, tokens_of(request, table_id))
    return keep(RedirectResponse(f"/t/{following}", 303), following, tokens_of(request, table_id)[0])


@router.get("/t/{table_id}/seat/{token}")
async def come_back(request: Request, table_id: TableId, token: str) -> Response:
    """A seat's own link, on another device."""
    table = await tables_of(request).table(table_id)
    if not table.seats_of([token]):
        return problem(request, 404, Voice([HERE / "locale"], language_of(request)).say("problem.seat-link"))
    return keep(RedirectResponse(f"/t/{table_id}", 303), table_id, token)


def as_json(value: object) -> str:
    """JSON that may stand inside a page."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


templates.filters["as_json"] = as_json
