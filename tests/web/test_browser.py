"""In a real Chromium: a whole game of each kind by taps, keyboard, a phone, French, a shared screen, two browsers at one table.

Positions in the middle of a game are stored as a log in the server's own database, so the page gets them as it gets any table
that somebody comes back to. Skipped where there is no Chromium.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.core.records import Event
from sheepfold.games import NAMES, find
from sheepfold.table.store import Seat, Store
from sheepfold.table.table import new_table

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (pip install playwright)")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need a Chromium in the PATH (apt install chromium)"),
]
LIT = ":is(#board, #hand, #others) .can"
PATIENCE = 120_000


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser") / "browser.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """`sheepfold serve`, as a user starts it, with bots that do not pause."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sheepfold", "serve", "--database", f"sqlite:///{database}"],
        env=os.environ | {"SHEEPFOLD_BOT_PAUSE": "0"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server prints its address"
        address = found[0].rstrip("/").replace("localhost", "127.0.0.1")
        for _ in range(600):
            try:
                with urlopen(f"{address}/health", timeout=5):
                    break
            except OSError:
                assert process.poll() is None, "the server ended"
        yield address
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, server: str):
    """A page in a fresh browser profile; whatever the page complains about in the console fails the test."""
    contexts, complaints = [], []

    def open_page(width: int = 1280, height: int = 800, forgives: str | None = None, **settings):
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=settings.pop("locale", "en-GB"), **settings)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if line.type == "error" and not (forgives and forgives in line.text) else None,
        )
        contexts.append(context)
        page.goto(server)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def played(database: Path, server: str):
    """Store a table in the middle of a game of people; the addresses at which each of them comes back."""

    def store(game: str, seats: int, seed: str, enough: Callable[[Position, int], bool], **options: bool | int | str) -> list[str]:
        setup, dice, events = find(game).setup(seats, None, **options), Dice(seed), []
        position = setup.start()
        while position.to_act == CHANCE or not enough(position, len(events)):
            assert position.to_act != OVER, f"the game {seed!r} of {game} is over too soon"
            action = int(position.random_action(dice))
            events.append(Event(int(position.to_act), action))
            position.apply(action)
        people = [Seat("person", name, f"token-{name}-{seed}") for name in ("Anna", "Ben", "Cleo", "Dan", "Eve")[:seats]]
        shelf = Store(f"sqlite:///{database}")
        table = replace(new_table(game, people, dict(options)), status="playing", events=events)
        shelf.create(table).result(PATIENCE / 1000)
        shelf.close()
        return [f"{server}/t/{table.id}/seat/{each.token}" for each in people]

    return store


STATE = f"""() => {{
    const result = document.querySelector('#result');
    if (!result || document.querySelector('#table[aria-busy]')) return null;
    if (!result.hidden) return 'over';
    if (document.querySelector('#said.mine')) return document.querySelector('{LIT}') ? 'lit' : 'dark';
    return null;
}}"""
SHOWN = "['board', 'hand', 'others', 'log', 'prompt', 'result', 'note'].map((id) => document.getElementById(id)?.outerHTML).join()"


def my_turn_or_over(page) -> bool:
    """Wait until it is this browser's turn or the game is over; whether it goes on. In one's turn something is lit, always."""
    state = page.wait_for_function(STATE).json_value()
    assert state != "dark", f"nothing is lit, but the page says {page.locator('#prompt').inner_text()!r}"
    return state == "lit"


MIDDLE = """(name) => {
    const box = document.getElementById(name)?.getBoundingClientRect();
    for (const [across, down] of [[4, 4], [2, 4], [6, 4], [4, 2], [4, 6], [2, 2], [6, 6], [2, 6], [6, 2], [1, 4], [7, 4], [4, 1], [4, 7]]) {
        const [x, y] = box ? [box.x + box.width * across / 8, box.y + box.height * down / 8] : [-1, -1];
        if (document.elementFromPoint(x, y)?.closest('[id]:is(.can, .chosen)')?.id === name) return [x, y];
    }
    return null;
}"""
"""Where a person would put the finger: a point that is nobody else's, as near to the middle as may be (a group's places have gaps)."""


def tap_on(page, dice: random.Random, late: bool = False) -> None:
    """Tap something that is lit, as a person does. It must do something, and nothing wrong; `late`: somebody may have been quicker."""
    names = page.evaluate(f"() => {{ window.shown = {SHOWN}; return [...document.querySelectorAll('{LIT}')].map((each) => each.id); }}")
    if not names:  # somebody else acted just now, out of turn
        return
    name = dice.choice([each for each in names if each != "retire"] or names)  # nobody gives up a game by chance
    page.evaluate("(name) => document.getElementById(name)?.scrollIntoView({block: 'nearest'})", name)
    point = page.evaluate(MIDDLE, name)
    if point is None and name not in page.evaluate(f"() => [...document.querySelectorAll('{LIT}')].map((each) => each.id)"):
        return
    assert point, f"{name} is lit, but other things cover it"
    page.mouse.click(*point)
    page.wait_for_function(f"() => {SHOWN} !== window.shown", timeout=30_000)
    note = page.text_content("#note")
    assert note == "" or (late and "an older position" in note), f"tapping {name}: {note}"


def play_to_the_end(page, dice: random.Random, most: int, late: bool = False) -> int:
    """Random taps until the result is shown; how many they were."""
    taps = 0
    while my_turn_or_over(page):
        tap_on(page, dice, late)
        taps += 1
        assert taps < most, "the game does not end"
    return taps


def test_from_play_now_to_the_result_and_once_more(visit) -> None:
    page = visit(reduced_motion="reduce")
    page.click('form[action="/play/haste-bock"] button')
    page.wait_for_selector("#board svg")
    assert play_to_the_end(page, random.Random(1), 400) > 10
    ranks = page.locator("#result li")
    assert ranks.count() == 4
    page.click("#result button")
    page.wait_for_selector("#board svg")
    assert page.locator("#result").is_hidden()


@pytest.mark.parametrize(("game", "players", "most"), [
    ("guerre-des-moutons", 2, 400), ("shear-panic", 2, 600), ("sheepzzz", 2, 600), ("te-kuiti", 1, 400), ("te-kuiti", 2, 400),
])  # fmt: skip
def test_a_whole_game_by_taps(visit, game: str, players: int, most: int) -> None:
    interrupted = game == "guerre-des-moutons"  # the bot may lay a wolf while the finger is on its way
    page = visit(reduced_motion="reduce", forgives="409" if interrupted else None)
    page.click(f'a[href="/new/{game}"]')
    page.locator(f'label.pick:has(input[name=seats][value="{players}"])').click()
    if players > 1:
        page.select_option("[name=level1]", "lamb")
    page.click("#setup button.go")
    page.wait_for_selector("#board svg")
    assert play_to_the_end(page, random.Random(1), most, interrupted) > 1
    ranks = page.locator("#result li")
    assert ranks.count() == players
    assert ranks.first.inner_text().startswith("1.")
    assert re.search(r"\d", ranks.first.locator(".score").inner_text())


def test_a_whole_game_by_keyboard_alone(visit) -> None:
    page, dice = visit(reduced_motion="reduce"), random.Random(2)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('form')?.getAttribute('action')") == "/play/haste-bock":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#board svg")
    steps = 0
    while my_turn_or_over(page):
        for _ in range(dice.randrange(1, 6)):
            page.keyboard.press("Tab")
        for _ in range(80):
            if page.evaluate(f"document.activeElement.matches('{LIT}')"):
                break
            page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused, "what is focused has a name"
        assert page.locator("#preview").inner_text() == focused, "what it would do is said before it is done"
        page.keyboard.press("Enter")
        steps += 1
        assert steps < 400
    assert page.locator("#result li").count() == 4


SIDEWAYS = """() => {
    const wide = document.documentElement.clientWidth, found = [];
    if (document.documentElement.scrollWidth > wide) found.push(`page ${document.documentElement.scrollWidth}`);
    for (const each of document.querySelectorAll("main *, header *")) {
        if (each.closest(".unseen, .rules, defs, symbol") || each.closest("svg") && !each.matches("svg, text, .can, .sf-piece")) continue;
        const box = each.getBoundingClientRect(), middle = box.left + box.width / 2;
        const [left, right] = each.matches(".can, .sf-piece") ? [middle, middle] : [box.left, box.right];
        if (box.width && (left < -1 || right > wide + 1)) found.push(`${each.tagName}#${each.id} ${left} ${right}`);
    }
    return found;
}"""


def sideways(page) -> list[str]:
    """What is cut off or makes the page scroll sideways, in the picture too."""
    return list(page.evaluate(SIDEWAYS))


@pytest.mark.parametrize(("scheme", "locale"), [("light", "en-GB"), ("dark", "fr-FR")])
def test_on_a_phone_nothing_is_cut_off(visit, server: str, scheme: str, locale: str) -> None:
    page = visit(360, 740, has_touch=True, color_scheme=scheme, locale=locale)
    assert sideways(page) == []
    for address in ("/new/haste-bock", "/new/te-kuiti", "/lobby", "/rules/haste-bock"):
        page.goto(server + address)
        assert sideways(page) == []
    page.goto(server)
    page.locator('form[action="/play/haste-bock"] button').tap()
    page.wait_for_selector("#board svg")
    dice = random.Random(3)
    for _ in range(4):
        assert my_turn_or_over(page)
        assert sideways(page) == []
        lit = page.locator(LIT)
        lit.nth(dice.randrange(lit.count())).tap()
    card = page.locator('#hand [id^="card-"]').first.bounding_box()
    assert card["width"] >= 44
    assert card["height"] >= 44
    for tab in ("choices", "log", "others", "chat", "rules", "more"):
        page.locator(f"#tab-{tab}").tap()
        page.locator(f"#{tab}").wait_for(state="visible")
        assert sideways(page) == []


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize(("scheme", "locale"), [("light", "fr-FR"), ("dark", "en-GB")])
def test_on_a_phone_every_table_fits(visit, played, game: str, scheme: str, locale: str) -> None:
    """At the start, in the middle, and while something is chosen."""
    seats = find(game).seats[-1]
    page, dice = visit(360, 740, has_touch=True, color_scheme=scheme, locale=locale), random.Random(8)
    for plies in (0, 40):
        links = played(game, seats, f"phone {scheme}", lambda position, ply, least=plies: position.to_act == 0 and ply >= least)
        page.goto(links[0])
        assert my_turn_or_over(page)
        assert sideways(page) == []
        for _ in range(2):
            if page.locator("#said.mine").count():
                tap_on(page, dice)
                assert sideways(page) == []
    if page.locator("#tab-others").is_visible():
        page.locator("#tab-others").tap()
        assert sideways(page) == []


def test_french_from_home_to_a_move(visit) -> None:
    page = visit(locale="fr-FR")
    page.get_by_role("button", name="Jouer : Haste Bock?").or_(page.get_by_role("button", name="Jouer: Haste Bock?")).first.click()
    page.wait_for_selector("#board svg")
    assert my_turn_or_over(page)
    before = page.locator("#log li").count()
    while page.locator("#log li").count() == before and my_turn_or_over(page):
        tap_on(page, random.Random(4))
        page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.lang") == "fr"
    told = page.locator("#log").inner_text()
    assert re.search(r"Le dé|bouscule|mouton|joue", told)
    assert not re.search(r"\b(the|plays|rams)\b", told)


def test_a_shared_screen_hides_hands_behind_a_curtain(visit, server: str) -> None:
    page = visit()
    page.goto(f"{server}/new/sheepzzz")
    page.locator('label.pick:has-text("2")').first.click()
    page.select_option("[name=kind1]", "me")
    page.fill("[name=name0]", "Anna")
    page.fill("[name=name1]", "Ben")
    assert page.locator("[name=kind2]").is_hidden()
    page.click("#setup button.go")
    page.wait_for_function("() => document.querySelector('#curtain')?.hidden === false")
    seen = set()
    for _ in range(12):
        page.wait_for_function(f"() => document.querySelector('#curtain:not([hidden])') || document.querySelector('{LIT}, #loose button')")
        if page.locator("#curtain").is_visible():
            assert page.locator("#hand *").count() == 0
            assert page.locator("#board *").count() == 0
            assert page.locator("#log li").count() == 0
            who = page.locator("#curtain button").inner_text()
            seen.add("Anna" if "Anna" in who else "Ben")
            page.click("#curtain button")
            page.wait_for_selector("#curtain", state="hidden")
        else:
            page.locator(f"{LIT}, #loose button").first.click()
            page.wait_for_timeout(300)
    assert seen == {"Anna", "Ben"}


def test_two_browsers_one_table(visit) -> None:
    host = visit()
    host.goto(host.url + "new/haste-bock")
    host.locator('label.pick:has-text("2")').first.click()
    host.select_option("[name=kind1]", "open")
    host.click("#setup button.go")
    link = host.input_value("#invite")
    guest = visit()
    guest.goto(link)
    guest.locator("#waiting form:visible input[name=name]").fill("Ben <b>")
    guest.locator("#waiting form:visible button").click()
    host.wait_for_selector("#players >> text=Ben <b>")
    pages, dice = [host, guest], random.Random(5)
    for _ in range(8):
        for page in pages:
            page.wait_for_function("() => document.querySelector('#log li')")
        acting = next((page for page in pages if page.locator(LIT).count()), None)
        if acting:
            tap_on(acting, dice)
        host.wait_for_timeout(300)
    host.wait_for_function("() => document.querySelectorAll('#log li').length > 2")
    guest.wait_for_function("count => document.querySelectorAll('#log li').length === count", arg=host.locator("#log li").count())
    guest.locator("#tab-chat").click()
    guest.fill("#chat input", "<i>hello</i>")
    guest.keyboard.press("Enter")
    host.wait_for_function("() => document.querySelector('#chat ol')?.textContent.includes('<i>hello</i>')")
    assert "news" in (host.locator("#tab-chat").get_attribute("class") or "")


def test_an_interruption_and_the_move_that_came_too_late(visit, played) -> None:
    write = find("guerre-des-moutons").write

    def wolf_ready(position: Position, _: int) -> bool:
        """Anna's turn, and Ben has a wolf that finds a place."""
        return position.to_act == 0 and any(write(position.seen_by(1), each).startswith("wolf") for each in position.interruptions(1))

    links = played("guerre-des-moutons", 2, "cut in 12", wolf_ready)
    anna, ben, dice = visit(forgives="409"), visit(), random.Random(7)
    anna.goto(links[0])
    ben.goto(links[1])
    assert my_turn_or_over(anna)
    on_the_way: list = []
    anna.route("**/move", lambda route: on_the_way.append(route))
    while not on_the_way:
        anna.locator(LIT).nth(dice.randrange(anna.locator(LIT).count())).click()
        anna.wait_for_timeout(200)
    before = anna.locator("#log").inner_text()
    assert ben.locator("#said.mine").count() == 0, "it is Anna's turn"
    ben.locator('[id^="face-wolf"].can').first.click()
    anna.wait_for_function("text => document.querySelector('#log')?.innerText !== text", arg=before)
    assert "Ben" in anna.locator("#log li").first.inner_text()
    for _ in range(10):
        if anna.locator("#said.mine").count():
            break
        if ben.locator("#said.mine").count():
            tap_on(ben, dice)
        ben.wait_for_timeout(200)
    anna.wait_for_selector("#said.mine")
    on_the_way.pop().continue_()
    anna.wait_for_function("() => document.querySelector('#note')?.textContent.includes('an older position')")
    anna.unroute("**/move")
    shown = anna.locator("#log").inner_text()
    for _ in range(20):
        if anna.locator("#log").inner_text() != shown:
            break
        assert my_turn_or_over(anna)
        tap_on(anna, dice)
    ben.wait_for_function("count => document.querySelectorAll('#log li').length === count", arg=anna.locator("#log li").count())


def test_a_server_that_comes_back_finds_the_table_where_it_was(chromium, tmp_path) -> None:
    command = [sys.executable, "-m", "sheepfold", "serve", "--database", f"sqlite:///{tmp_path / 'again.db'}", "--port"]

    def start(port: str) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen([*command, port], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found
        return process, found[1]

    process, port = start("0")
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        for _ in range(100):
            try:
                page.goto(f"http://127.0.0.1:{port}/new/haste-bock")
                break
            except playwright.Error:
                page.wait_for_timeout(300)
        page.locator('label.pick:has-text("2")').first.click()
        page.select_option("[name=kind1]", "me")
        page.click("#setup button.go")
        dice = random.Random(6)
        for _ in range(6):
            assert my_turn_or_over(page)
            tap_on(page, dice)
        assert my_turn_or_over(page)
        page.wait_for_timeout(500)
        before = page.locator("#log").inner_text()
        process.kill()
        process.wait(20)
        page.wait_for_selector("#banner:not([hidden])")
        process, _ = start(port)
        page.wait_for_selector("#banner", state="hidden")
        assert page.locator("#log").inner_text() == before
        for _ in range(4):
            assert my_turn_or_over(page)
            tap_on(page, dice)
            page.wait_for_timeout(300)
        page.wait_for_function("text => document.querySelector('#log')?.innerText !== text", arg=before)
    finally:
        context.close()
        process.kill()
        process.wait(20)
