"""The server: pages, live updates and the API round a House. `sheepfold serve` runs it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles

from sheepfold import __version__
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import IllegalAction
from sheepfold.table.house import House, NoSuchTable, SeatTaken
from sheepfold.table.store import Store
from sheepfold.table.table import NotYourTurn, NoUndo, Stale
from sheepfold.web import api, pages
from sheepfold.web.guard import BURST, PER_SECOND, Guard

HERE = Path(__file__).parent
STATUS = {NoSuchTable: 404, Stale: 409, NotYourTurn: 409, NoUndo: 409, SeatTaken: 409}


def create_app(database: str, bot_pause: float = 0.7, burst: float = BURST, per_second: float = PER_SECOND) -> FastAPI:
    """The application; the database is opened when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.house = House(Store(database), bot_pause)
        yield
        await app.state.house.close()

    app = FastAPI(title="Sheepfold", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.add_middleware(Guard, burst=burst, per_second=per_second)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")

    @app.get("/health", include_in_schema=False)
    async def health(request: Request) -> Response:
        counted = api.house_of(request).store.count()
        return JSONResponse({"status": "ok", "version": __version__, "tables": counted})

    @app.exception_handler(SheepfoldError)
    @app.exception_handler(IllegalAction)
    async def problem(request: Request, error: Exception) -> Response:
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
        return pages.problem(request, status, str(error))

    @app.exception_handler(api.NotSeated)
    async def not_seated(request: Request, error: Exception) -> Response:
        return pages.problem(request, 403, str(error))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        problems = "; ".join(f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors())
        return pages.problem(request, 422, problems)

    @app.get("/robots.txt", include_in_schema=False)
    async def robots() -> Response:
        return PlainTextResponse("User-agent: *\nDisallow: /t/\n")

    return app
