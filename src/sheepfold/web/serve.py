"""`sheepfold serve`: one process, or several, that serve pages, live updates and the API, and keep everything in one database."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.request import urlopen

from sheepfold.core.errors import SheepfoldError, wanted

if TYPE_CHECKING:
    from fastapi import FastAPI

    from sheepfold.game.component_file import EnteredFile
    from sheepfold.web.fast_moves import FastMoves

HOST = "127.0.0.1"
PORT = 8321
LIBRARIES = ("fastapi", "httptools", "jinja2", "markdown_it", "python_multipart", "segno", "sqlalchemy", "uvicorn")
"""What the page is made with: the extra `web`."""
WISHES = "SHEEPFOLD_SERVE"
"""Where the processes of a server find what it was asked for."""
BACKLOG = 2048
"""How many connections may wait to be taken."""
READY = 60
"""Seconds that a process has to be ready in; on a busy machine uvicorn's own 5 are too few, and nothing would be replaced."""
MOST_FILES, FEW_FILES = 65_536, 4096
"""How many files a process is to be able to open, and below which number that is said."""
log = logging.getLogger("sheepfold")


class PortTaken(SheepfoldError):
    """Somebody else listens there."""


TELLING = ("on", "off", "anywhere")
"""Whether people are told of their turns: to the open Internet, not at all, or also to this machine and its neighbours."""


SWITCHED = ("on", "off")


class NoSuchWish(SheepfoldError):
    """A setting that means nothing."""


class NoDatabase(SheepfoldError):
    """There is none at that URL, or none that can be opened."""


def data_folder() -> Path:
    """Where a user's own data belongs."""
    base = os.environ.get("XDG_DATA_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".local" / "share") / "sheepfold"


def default_database() -> str:
    """SQLite in the user's data folder."""
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'sheepfold.db'}"


def open_many_files() -> None:
    """Each connection is a file: as many as the system lets this process have, or a sentence where that is few."""
    try:
        import resource
    except ImportError:  # on Windows there is no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if soft != resource.RLIM_INFINITY and soft < FEW_FILES:
        log.warning("only %d connections may be open at once here; `ulimit -n %d` before the start allows more", soft, MOST_FILES)


def listener(host: str, port: int | None) -> socket.socket:
    """A socket that listens on the port asked for, or from the usual one on the first that is free; so nobody can take it meanwhile."""
    for candidate in [port] if port is not None else [*range(PORT, PORT + 20), 0]:
        found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if os.name != "nt":  # there it would let two listen
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, candidate))
            found.listen(BACKLOG)
        except OSError as error:
            found.close()
            if port is not None:
                raise PortTaken(f"cannot listen on {host}:{port} ({error.strerror}); without --port a free one is found") from None
            continue
        return found
    raise PortTaken(f"no free port on {host}")


def try_database(url: str, alone: bool = True) -> None:
    """Open it once and say in a sentence why not, before anything is promised; `alone`: as a server does."""
    from sqlalchemy.exc import SQLAlchemyError

    from sheepfold.table.store import InUse, Store
    from sheepfold.table.writer import reason

    try:
        Store(url, alone).close()
    except ImportError as error:
        raise NoDatabase(f"that kind of database needs the module {error.name}; for PostgreSQL install sheepfold[postgres]") from None
    except InUse as error:
        raise NoDatabase(str(error)) from None
    except SQLAlchemyError as error:
        raise NoDatabase(f"cannot open the database ({reason(error)}); right would be sqlite:////srv/sheep.db, for instance") from None


def component_files(paths: Mapping[str, str]) -> dict[str, EnteredFile]:
    """The component files that games are to be played with, by the games' names, checked."""
    from sheepfold.game.component_file import EnteredFile
    from sheepfold.game.registry import find

    found = {}
    for name, path in paths.items():
        game = find(name)
        game.read_components(path)
        found[game.name] = EnteredFile(Path(path).name, Path(path).read_text(encoding="utf-8"))
    return found


def serve(
    host: str = HOST,
    port: int | None = None,
    database: str | None = None,
    open_browser: bool = False,
    components: Mapping[str, str] | None = None,
    processes: int = 1,
    bots: Mapping[str, str] | None = None,
) -> int:
    """Serve until interrupted; the address is printed when it is known. `components` are paths of component files by game, `bots` programs
    by name."""
    for library in LIBRARIES:
        wanted(library, "web")
    from sheepfold.table.limits import limits_from
    from sheepfold.table.program_players import programs_from
    from sheepfold.web.logs import set_up_logs

    files = component_files(components or {})
    programs_from(bots or {})
    limits_from()  # which says what is wrong with them
    telling_from()
    rating_from()
    host_key_from()
    accounts_from()
    tournaments_from()
    set_up_logs()
    open_many_files()
    database = database or default_database()
    if processes > 1 and database.startswith("sqlite"):
        raise NoDatabase("several processes need PostgreSQL (--database postgresql+psycopg://USER@HOST/NAME); SQLite is for one")
    try_database(database)
    door = listener(host, port)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    address = f"http://{shown}:{door.getsockname()[1]}/"
    own = {name: [file.name, file.text] for name, file in files.items()}
    os.environ[WISHES] = json.dumps({"database": database, "components": own, "bots": dict(bots or {})})
    print(f"Sheepfold: {address}  (Ctrl+C ends)", flush=True)
    if open_browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()
    if processes == 1:
        run(app_as_wished(), door)
    else:
        run_many(door, processes)
    return 0


def app_as_wished() -> FastAPI:
    """The application as `serve` was asked for it, in whichever process."""
    from sheepfold.game.component_file import EnteredFile
    from sheepfold.table.limits import limits_from
    from sheepfold.table.pace import BOT_PAUSE
    from sheepfold.table.program_players import programs_from
    from sheepfold.web.app import create_app
    from sheepfold.web.logs import set_up_logs

    set_up_logs()
    open_many_files()
    wishes = json.loads(os.environ[WISHES])
    pause = float(os.environ.get("SHEEPFOLD_BOT_PAUSE", BOT_PAUSE))
    files = {name: EnteredFile(*file) for name, file in wishes["components"].items()}
    return create_app(
        wishes["database"], pause, components=files, telling=telling_from(), rating=rating_from(), accounts=accounts_from(),
        with_tournaments=tournaments_from(), host_key=host_key_from(), programs=programs_from(wishes["bots"]), **vars(limits_from()),
    )  # fmt: skip


def telling_from() -> str:
    """Whether people are told of their turns, as the host wants it."""
    return _one_of("SHEEPFOLD_NOTICES", TELLING)


def accounts_from() -> bool:
    """Whether people may have accounts, as the host wants it."""
    return _one_of("SHEEPFOLD_ACCOUNTS", SWITCHED) == "on"


def _one_of(setting: str, choices: Sequence[str]) -> str:
    """What the environment says for a setting; the first choice where it says nothing."""
    wanted = os.environ.get(setting) or choices[0]
    if wanted not in choices:
        raise NoSuchWish(f"{setting}={wanted} is not one of {', '.join(choices)}")
    return wanted


def rating_from() -> bool:
    """Whether results may count for ratings, as the host wants it."""
    return _one_of("SHEEPFOLD_RATINGS", SWITCHED) == "on"


def tournaments_from() -> bool:
    """Whether there are tournaments, as the host wants it."""
    return _one_of("SHEEPFOLD_TOURNAMENTS", SWITCHED) == "on"


def host_key_from() -> str:
    """What opens the host's page; nothing where there is to be none."""
    from sheepfold.web.host import checked_key

    return checked_key(os.environ.get("SHEEPFOLD_HOST_KEY", ""))


def settings() -> dict[str, Any]:
    """How uvicorn is to serve, also in several processes."""
    import uvicorn

    way = way_of_moves(uvicorn.__version__)
    return {
        "http": way, "ws": "none", "log_config": None, "access_log": False, "timeout_graceful_shutdown": 2, "timeout_keep_alive": 75,
    }  # fmt: skip


def run(app: FastAPI, door: socket.socket) -> None:
    """Answer requests at that door until interrupted."""
    import gc

    import uvicorn

    gc.collect()
    gc.freeze()  # what is loaded stays; a move makes no cycles, so there is little to look for
    gc.set_threshold(20_000, 20, 20)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(uvicorn.Config(app, **settings())).run(sockets=[door])


def run_many(door: socket.socket, processes: int) -> None:
    """The same in several processes, one of which takes each connection. One that ends is replaced; SIGHUP replaces them one by one."""
    import inspect

    import uvicorn

    known = inspect.signature(uvicorn.run).parameters  # older releases do not ask whether a process is ready
    patience: dict[str, Any] = {"timeout_worker_healthcheck": READY} if "timeout_worker_healthcheck" in known else {}
    with suppress(KeyboardInterrupt):
        uvicorn.run("sheepfold.web.serve:app_as_wished", factory=True, workers=processes, fd=door.fileno(), **settings(), **patience)


def way_of_moves(version: str) -> type[FastMoves] | Literal["auto"]:
    """The short way of a move leans on insides of uvicorn: with a release that it was not tried with, moves go the ordinary way."""
    from sheepfold.web.fast_moves import TRIED, FastMoves

    known = TRIED[0] <= tuple(int(part) for part in version.split(".")[:2] if part.isdecimal()) <= TRIED[1]
    if not known:
        log.warning("uvicorn %s is new here: moves go the ordinary way", version)
    return FastMoves if known else "auto"


def _open(address: str) -> None:
    """Show the page once the server answers, where there is a browser with a screen."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    for _ in range(100):
        try:
            with urlopen(f"{address}health", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    webbrowser.open(address)
