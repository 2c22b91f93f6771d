"""Rendering: what every page is made with. The reader's language and colours, the drawings, static files; a seat's cookie; what is said
when something is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, FileSystemLoader, select_autoescape

from sheepfold import art
from sheepfold.game.game import Game
from sheepfold.messages import Voice, languages
from sheepfold.table.timing import BUDGET, SECONDS
from sheepfold.web import vignettes
from sheepfold.web.api import clean_name
from sheepfold.web.language import language_of

HERE = Path(__file__).parent
YEAR = 365 * 86400
THEMES = ("auto", "light", "dark")
CLOCK_UNITS = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}

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
        theme=theme_of(request), mark=_mark, static=static, palettes=art.PALETTES, clock_words=clock_words,
        called=lambda names: ", ".join(map(voice.called, names)), **values,
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


PAGE_DRAWS = ("sheep-n", *art.SIGNS)
"""The drawings that the page shows by itself, beside a picture: the marks of players, the curtain."""


@cache
def art_symbols(game: Game | None = None) -> str:
    """The art kit's drawings, once on a page whose pictures use them: all of them, or those that one game may need."""
    only = None if game is None or game.drawings is None else (*PAGE_DRAWS, *game.drawings)
    return re.sub(r"<style>.*?</style>", "", art.kit("auto", only), flags=re.DOTALL)


@cache
def symbols_of(*drawings: str) -> str:
    """Those that these drawings use, for a page that shows no others."""
    named = tuple(set(re.findall(r'href="#sf-([\w-]+)"', "".join(drawings))))
    return re.sub(r"<style>.*?</style>", "", art.kit("auto", named), flags=re.DOTALL)


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


def tokens_of(request: Request, table_id: str) -> list[str]:
    token = request.cookies.get(f"seat_{table_id}")
    return [token] if token else []


def keep(response: Response, table_id: str, token: str) -> Response:
    """Let the browser hold a seat's token, for this table's address alone."""
    response.set_cookie(f"seat_{table_id}", token, max_age=YEAR, path=f"/t/{table_id}", httponly=True, samesite="lax")
    return response


def keep_name(request: Request, response: Response, name: str) -> None:
    """Remember what somebody calls themselves; what everybody is called who says nothing is no name to remember."""
    name = clean_name(name, "")
    if name and name != Voice([HERE / "locale"], language_of(request)).say("you"):
        response.set_cookie("name", quote(name), max_age=YEAR, httponly=True, samesite="lax")


def own_name(request: Request) -> str:
    """What the guest was called before, else a name that sentences about others can be made with."""
    return clean_name(unquote(request.cookies.get("name", "")), Voice([HERE / "locale"], language_of(request)).say("you"))


def clock_words(say: Callable[..., str], settings: Mapping[str, Any]) -> str:
    """How long a move or a game may take, in the largest unit that comes out even; nothing where there is no clock."""
    for_a_move, for_a_game = (settings.get(name) or 0 for name in (SECONDS, BUDGET))
    said = [say(f"clock.{_unit(for_a_move)}", for_a_move // CLOCK_UNITS[_unit(for_a_move)])] if for_a_move else []
    said += [say(f"game-clock.{_unit(for_a_game)}", for_a_game // CLOCK_UNITS[_unit(for_a_game)])] if for_a_game else []
    return " ".join(said)


def _unit(seconds: int) -> str:
    return next(unit for unit, size in CLOCK_UNITS.items() if seconds % size == 0)


def as_json(value: object) -> str:
    """JSON that may stand inside a page."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


templates.filters["as_json"] = as_json
