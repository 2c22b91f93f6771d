"""How soon a page shows what happened: `make bench-painting`, or `python bench/painting.py [--games NAME ...] [--beside FOLDER]`.

A real server, a real Chromium whose processor is slowed four times over (as a phone's is), and tables in all stages of a game at which one
seat has its page open, once on a desktop's screen and once on a phone's. Moves are posted as programs post them; each comes to the page by
its stream. `handler` is how long the page's script takes over a change; `painted` runs from the moment when the event is there until the
first frame that shows it has been laid out and painted: the wait for that frame is part of it. The next move comes when all motion is over.

Machines are noisy, so what counts are the ratios within a run. `--beside` takes another folder of static files (those of another commit's
src/sheepfold/web/static) and measures every table in turn with ours and with those.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from playwright.sync_api import sync_playwright
from server import DISK, ours, table_of
from watching import fill

from sheepfold.game.registry import find, names

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
SCREENS = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SLOWED = 4
"""How many times slower the browser's processor is made."""
STAGES = 4
"""Tables for each screen: from the beginning of a game to near its end."""
MOVES = 12
"""Changes at each table."""
STILL = 450
"""Milliseconds after which whatever moved has come to rest."""
WATCH = """() => {
    window.took = [];
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, handler) {
        if (name !== 'change' && name !== 'scene') return listen.call(this, name, handler);
        return listen.call(this, name, (event) => {
            const began = performance.now();
            handler(event);
            const handled = performance.now();
            requestAnimationFrame(() => { // the frame is painted right after this; what comes by a channel is heard right after that
                const channel = new MessageChannel();
                channel.port1.onmessage = () => window.took.push([handled - began, performance.now() - began]);
                channel.port2.postMessage(0);
            });
        });
    };
}"""


def ask(url: str, token: str, body: object = None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    with urlopen(Request(url, None if body is None else json.dumps(body).encode(), headers), timeout=60) as answer:
        return dict(json.loads(answer.read()))


def move(api: str, tokens: list[str], rolls: random.Random) -> bool:
    """One of the legal actions, by whoever is to act; whether there was one."""
    turn = ask(f"{api}?since=1000000", "")["to_act"]
    if turn is None:
        return False
    view = ask(f"{api}?since=1000000", tokens[turn])
    choices = [each["action"] for each in view["actions"]]
    wish = rolls.choice([each for each in choices if each != "retire"] or choices)  # nobody gives up a game by chance
    ask(f"{api}/moves", tokens[turn], {"ply": view["ply"], "action": wish})
    return True


def open_page(chromium: Any, address: str, screen: dict[str, int], static: Path | None) -> Any:
    context = chromium.new_context(viewport=screen, locale="en-GB", service_workers="block")
    page = context.new_page()
    if static:

        def instead(route: Any) -> None:
            found = static / Path(urlsplit(route.request.url).path).name
            if found.exists():
                route.fulfill(path=found)
            else:
                route.continue_()

        page.route("**/static/*", instead)
    page.add_init_script(f"({WATCH})()")
    page.goto(address)
    page.wait_for_selector("#table[data-ply]")
    page.wait_for_timeout(STILL)
    page.evaluate("window.took = []")  # of the first scene nothing is asked here
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    return page


def watch(page: Any, api: str, tokens: list[str], moves: int, rolls: random.Random) -> list[list[float]]:
    """Milliseconds for each change at a table: the handler's, and until it was painted."""
    for _ in range(moves):
        known = page.evaluate("window.took.length")
        if not move(api, tokens, rolls):
            break
        page.wait_for_function("(known) => window.took.length > known", arg=known, polling=100)
        page.wait_for_timeout(STILL)
    return list(page.evaluate("window.took"))


def measure(chromium: Any, game: str, moves: int, statics: dict[str, Path | None]) -> dict[str, list[list[float]]]:
    """Changes of one game, by screen and by whose static files were loaded."""
    kinds = [(screen, name) for screen in SCREENS for name in statics]
    found: dict[str, list[list[float]]] = {f"{screen}{name}": [] for screen, name in kinds}
    with tempfile.TemporaryDirectory(dir=DISK) as folder:
        fill(Path(folder), game, STAGES * len(kinds), moves)
        tables = json.loads((Path(folder) / "tables.json").read_text())["tables"]
        with ours(Path(folder)) as server:
            at = f"http://127.0.0.1:{server.port}"
            for number, (table, tokens) in enumerate(tables):
                screen, name = kinds[number % len(kinds)]
                page = open_page(chromium, f"{at}/t/{table}/seat/{tokens[0]}", SCREENS[screen], statics[name])
                rolls = random.Random(number // len(kinds))
                found[f"{screen}{name}"] += watch(page, f"{at}/api/tables/{table}", tokens, moves, rolls)
                page.context.close()
    return found


def told(took: list[list[float]]) -> str:
    handler, painted = zip(*took, strict=True)
    return (
        f"handler {median(handler):5.1f} ms   p95 {quantiles(handler, n=20)[18]:5.1f}   "
        f"painted {median(painted):5.1f} ms   p95 {quantiles(painted, n=20)[18]:5.1f}   {len(took)} changes"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--moves", type=int, default=MOVES, help="changes at each table")
    parser.add_argument("--beside", type=Path, help="other static files, to compare with")
    wanted = parser.parse_args()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        parser.error("this needs a Chromium in the PATH (apt install chromium)")
    statics = {"": None} | ({", beside": wanted.beside} if wanted.beside else {})
    found = {}
    with sync_playwright() as run:
        chromium = run.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for name in wanted.games or names():
            found[name] = measure(chromium, find(name).name, wanted.moves, statics)
            print(table_of([(f"{name:<18} {kind:<15}", told(took)) for kind, took in found[name].items()]), flush=True)
        chromium.close()
    if wanted.json:
        wanted.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
