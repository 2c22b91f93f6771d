"""The server: pages, live updates and the API round a Tables. `sheepfold serve` runs it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from sheepfold import __version__
from sheepfold.bots.program import Command
from sheepfold.core.errors import AmbiguousAction, BadComponents, SheepfoldError, UnknownGame, UnreadableAction
from sheepfold.core.position import IllegalAction
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.session import NotYourTurn, NoUndo, Refused, Stale
from sheepfold.messages import Voice
from sheepfold.people.accounts import Accounts, NotProven, TooManyPasskeys, UnknownPasskey, can_check_passkeys
from sheepfold.people.identity import Identity, OtherAccount
from sheepfold.people.intents import Intents
from sheepfold.people.manners import NoLine, Silenced
from sheepfold.people.my_games import Places
from sheepfold.people.notices import Notices
from sheepfold.people.post import NoAddress
from sheepfold.people.profiles import Profiles
from sheepfold.people.push import NoSubscription
from sheepfold.people.ratings import Ratings
from sheepfold.people.tournaments import NotNow, NoTournament, Tournaments
from sheepfold.people.ways import Nowhere, TooMany
from sheepfold.table.admin import AtAnEnd, NotThere
from sheepfold.table.fairness import Busy, Crowded
from sheepfold.table.limits import BadLimit, Limits
from sheepfold.table.pace import BOT_PAUSE
from sheepfold.table.pulse import Pulse
from sheepfold.table.shared_limits import SharedLimits
from sheepfold.table.store import Store
from sheepfold.table.table import Outdated
from sheepfold.table.tables import NoSuchTable, SeatTaken, Tables
from sheepfold.table.writer import NotStored, reason
from sheepfold.web import (
    account,
    again,
    ahead,
    api,
    host,
    inviting,
    lessons,
    living,
    mine,
    my_games,
    notices,
    own,
    pages,
    puzzles,
    pwa,
    ratings,
    rendering,
    replay,
    results,
    tournaments,
    wishes,
)  # fmt: skip
from sheepfold.web.event_stream import Audience
from sheepfold.web.guard import Guard, Guarded
from sheepfold.web.language import WORDS, takes_gzip
from sheepfold.web.lines import Lines
from sheepfold.web.metrics import STREAMS, Metrics, MetricsMiddleware
from sheepfold.web.metrics import text as metrics_text
from sheepfold.web.scenes import Scenes

log = logging.getLogger("sheepfold.web")
HERE = Path(__file__).parent
KEYS = {
    AtAnEnd: "at-an-end", BadComponents: "components", BadLimit: "bad-limit", NoAddress: "no-address", NoSubscription: "no-subscription",
    NotThere: "no-table", Nowhere: "nowhere", TooMany: "many-hooks", OtherAccount: "other-account", UnknownPasskey: "passkey-unknown",
    NotProven: "passkey", TooManyPasskeys: "many-passkeys", UnknownGame: "no-game",
    UnreadableAction: "move", AmbiguousAction: "move", IllegalAction: "move",
}  # fmt: skip
"""What a person reads instead of an error's own text, which is for programs; "form" where there is nothing better."""
STATUS = {
    Silenced: 403, NoSuchTable: 404, NotThere: 404, NoLine: 404, UnknownGame: 404, Stale: 409, NotYourTurn: 409, NoUndo: 409,
    SeatTaken: 409, Outdated: 409, AtAnEnd: 409, replay.NotOver: 409, replay.NoFurther: 409, NoTournament: 404, NotNow: 409,
    NotStored: 503, Busy: 503, Crowded: 429,
}  # fmt: skip


class Zipped(GZipMiddleware):
    """Compresses answers; streams are left out, since they compress what they send event by event (`scenes`), or not at all. What a
    client says of encodings is read here; further on it says `gzip` or nothing."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        passing = False
        if scope["type"] == "http":
            passing = scope["path"].endswith(STREAMS)
            others = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            scope["headers"] = [*others, (b"accept-encoding", b"gzip")] if takes_gzip(scope["headers"]) else others
        await (self.app if passing else super().__call__)(scope, receive, send)


PAGES = (
    pages.router, again.router, inviting.router, ahead.router, puzzles.router, my_games.router, mine.router, account.router, own.router,
    notices.router, ratings.router, tournaments.router, pwa.router, lessons.router, replay.router, results.router, living.router,
    host.router,
)  # fmt: skip


def create_app(
    database: str,
    bot_pause: float = BOT_PAUSE,
    look_back: int = 0,
    components: Mapping[str, EnteredFile] | None = None,
    telling: str = "on",
    rating: bool = True,
    host_key: str = "",
    accounts: bool = True,
    with_tournaments: bool = True,
    programs: Mapping[str, Command] | None = None,
    **limits: float,
) -> FastAPI:
    """The application; the database is opened when it starts. `look_back` is how many simulations an analysis has a decision, 0: as the
    strongest level. `components` are by game the component files that are played with here, where not with the games' own. `telling`:
    whether people are told of their turns (`serve.TELLING`). `rating`: whether results may count for ratings. `accounts`: whether who likes
    may have one. `with_tournaments`: whether there are any. `host_key` opens the host's page; without one there is none. `programs` are
    bots in any language, by name. `limits` are those of `Limits` that are to be others."""
    allowed = Limits(**limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, object]]:
        tables = app.state.tables = Tables(Store(database), bot_pause)
        tables.set_limits(allowed)
        tables.components.update(components or {})
        tables.bots.programs.commands.update(programs or {})
        app.state.pulse = Pulse(tables.store)
        tables.fleet.figures = partial(metrics.samples, tables)
        if tables.store.shared:
            quotas, audience = tables.quotas, app.state.audience
            tables.fleet.limits = SharedLimits(
                {"requests": guard.buckets, **vars(quotas)}, {"streams": audience.of, "viewers": audience.at}
            )
            tables.bots.get_ready()  # it may go on at once where another server has stopped
        tables.fleet.start()
        app.state.scenes = Scenes()
        app.state.identity, app.state.places = Identity(tables.store), Places(tables.store)
        app.state.intents = Intents(tables)
        app.state.intents.start()
        app.state.door = host.Door(tables.store, host_key) if host.checked_key(host_key) else None
        app.state.accounts = Accounts(tables.store) if accounts and can_check_passkeys() else None
        app.state.notices = None
        if telling != "off":
            told = app.state.notices = Notices(tables, lambda language: Voice([WORDS], language), anywhere=telling == "anywhere")
            told.start()
        tables.rating = rating
        app.state.profiles = Profiles(tables.store) if rating else None
        counting = Ratings(tables.store)
        if rating:
            counting.start()
        app.state.tournaments = Tournaments(tables) if with_tournaments else None
        if app.state.tournaments:
            app.state.tournaments.start()
        app.state.gallery = replay.Gallery(tables, look_back)
        app.state.films = {}
        app.state.gallery.analysis_queue.start()
        yield {"tables": tables, "guard": guard, "metrics": metrics, "lines": lines}  # for who answers beneath the framework
        await app.state.gallery.analysis_queue.close()
        for room in (app.state.notices, app.state.tournaments):
            if room:
                await room.close()
        await app.state.intents.close()
        await counting.close()
        await tables.close()

    guard, metrics, lines = Guard(allowed), Metrics(), Lines(allowed)
    app = FastAPI(title="Sheepfold", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.guard, app.state.metrics, app.state.audience, app.state.lines = guard, metrics, Audience(allowed), lines
    app.add_middleware(Zipped, minimum_size=1000, compresslevel=5)  # more takes twice as long for two per cent
    app.add_middleware(Guarded, guard=guard)
    app.add_middleware(MetricsMiddleware, metrics=metrics)
    for router in (api.router, wishes.router, ahead.programs, replay.programs, tournaments.programs, *PAGES):
        app.router.routes.extend(router.routes)  # as they are: `include_router` makes each anew, and the first visitor waits for it
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")

    @app.get("/health", include_in_schema=False)
    async def health(request: Request) -> Response:
        try:
            counted = await asyncio.to_thread(api.tables_of(request).store.count)
            problem = f"The database takes no writes: {why}" if (why := await request.app.state.pulse.failing()) else None
        except SQLAlchemyError as error:
            problem = f"The database does not answer: {reason(error)}"
        if problem:
            return JSONResponse({"status": "failing", "problem": problem}, 503)
        return JSONResponse({"status": "ok", "version": __version__, "tables": counted})

    @app.get("/metrics", include_in_schema=False)
    async def show_metrics(request: Request) -> Response:
        tables = api.tables_of(request)
        counted = await asyncio.to_thread(tables.store.count)
        others = await asyncio.to_thread(tables.store.reports)
        return PlainTextResponse(metrics_text([metrics.samples(tables), *others.values()], counted), media_type="text/plain; version=0.0.4")

    @app.exception_handler(SheepfoldError)
    @app.exception_handler(IllegalAction)
    async def problem(request: Request, error: Exception) -> Response:
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
        response = rendering.problem(request, status, str(error), error.key if isinstance(error, Refused) else _key(error))
        if status == 429:
            response.headers["Retry-After"] = "60"
        return response

    @app.exception_handler(api.NotSeated)
    async def not_seated(request: Request, error: Exception) -> Response:
        return rendering.problem(request, 403, str(error), "not-seated")

    @app.exception_handler(host.NotHost)
    async def not_host(request: Request, error: Exception) -> Response:
        """The key is asked for again."""
        return RedirectResponse(host.BACK, 303)

    @app.exception_handler(SQLAlchemyError)
    async def no_database(request: Request, error: Exception) -> Response:
        log.error("the database does not answer: %s", reason(error))
        return rendering.problem(
            request, 503, "The server cannot reach its database just now. Please try again in a moment.", "no-database"
        )

    @app.exception_handler(404)
    async def not_found(request: Request, error: Exception) -> Response:
        return rendering.problem(request, 404, "There is nothing at this address.", "no-page")

    @app.exception_handler(405)
    async def not_so(request: Request, error: Exception) -> Response:
        """Also for who reloads, or changes the language, where a form had led: back to the page that the form was on."""
        path = request.url.path
        if request.method == "GET" and "text/html" in request.headers.get("accept", "") and not path.startswith("/api"):
            return RedirectResponse("/".join(path.split("/")[:3]) if path.startswith(("/t/", "/replay/", "/tournament/")) else "/", 303)
        assert isinstance(error, HTTPException)
        response = rendering.problem(request, 405, "That is no method of this address; the header Allow says which are.", "no-page")
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: Exception) -> Response:
        """What the framework refuses by itself, a body that it cannot read for instance."""
        assert isinstance(error, HTTPException)
        return rendering.problem(request, error.status_code, str(error.detail), "form")

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        """A fault of ours; it is logged where it is raised again, after this."""
        return rendering.problem(request, 500, "Something went wrong here; it is not your fault.", "fault")

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        problems = "; ".join(f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors())
        return rendering.problem(request, 422, problems, "form")

    @app.exception_handler(ValidationError)
    async def impossible(request: Request, error: Exception) -> Response:
        assert isinstance(error, ValidationError)
        return rendering.problem(request, 422, "; ".join(each["msg"] for each in error.errors()), "form")

    @app.get("/robots.txt", include_in_schema=False)
    async def robots() -> Response:
        return PlainTextResponse(
            "User-agent: *\nDisallow: /t/\nDisallow: /replay/\nDisallow: /player/\nDisallow: /tournament/\nDisallow: /host\n"
        )

    _answer_heads(app.routes)
    return app


def _answer_heads(routes: Iterable[BaseRoute]) -> None:
    """Who only wants to know whether a page is there asks for its head; a stream has no end, so it has none."""
    for route in routes:
        if isinstance(route, APIRoute) and route.methods == {"GET"} and not route.include_in_schema and not route.path.endswith(STREAMS):
            route.methods.add("HEAD")


def _key(error: Exception) -> str:
    return next((key for kind, key in KEYS.items() if isinstance(error, kind)), "form")
