"""In a real Chromium: whole games by taps and by keyboard, a phone, French, a shared screen. Skipped where there is no Chromium."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (pip install playwright)")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need a Chromium in the PATH (apt install chromium)"),
]
LIT = ":is(#board, #hand, #others) .can"
PATIENCE = 120_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`sheepfold serve`, as a user starts it, with bots that do not pause."""
    database = tmp_path_factory.mktemp("browser") / "browser.db"
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

    def open_page(width: int = 1280, height: int = 800, **settings):
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=settings.pop("locale", "en-GB"), **settings)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        contexts.append(context)
        page.goto(server)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def my_turn_or_over(page) -> bool:
    """Wait until something can be chosen or the game is over; whether it goes on."""
    page.wait_for_function(f"() => !document.querySelector('#table[aria-busy]') && (document.querySelector('{LIT}, #loose button') || "
                           "!document.querySelector('#result').hidden)")  # fmt: skip
    return page.locator("#result").is_hidden()


def shown_ply(page) -> str:
    return str(page.locator("#log li").count())


def tap_on(page, dice: random.Random) -> None:
    """Tap something that is lit, as a person does: at its middle, whatever lies there."""
    lit = page.locator(LIT)
    lit.nth(dice.randrange(lit.count())).click()


def test_a_whole_game_by_taps(visit) -> None:
    page, dice = visit(), random.Random(1)
    page.click('form[action="/play/haste-bock"] button')
    page.wait_for_selector("#board svg")
    taps = 0
    while my_turn_or_over(page):
        tap_on(page, dice)
        taps += 1
        assert taps < 400
    assert taps > 10
    ranks = page.locator("#result li")
    assert ranks.count() == 4
    assert ranks.first.inner_text().startswith("1.")
    assert int(ranks.first.locator(".score").inner_text()) >= int(ranks.last.locator(".score").inner_text())
    page.click("#result button")
    page.wait_for_selector("#board svg")
    assert page.locator("#result").is_hidden()


def test_a_whole_game_by_keyboard_alone(visit) -> None:
    page, dice = visit(), random.Random(2)
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


def sideways(page) -> list[str]:
    """What is cut off or makes the page scroll sideways."""
    return list(
        page.evaluate(
            """() => {
                const wide = document.documentElement.clientWidth, found = [];
                if (document.documentElement.scrollWidth > wide) found.push(`page ${document.documentElement.scrollWidth}`);
                for (const each of document.querySelectorAll("main *, header *")) {
                    if (each.closest("svg") && each.tagName !== "svg" || each.closest(".unseen, .rules")) continue;
                    const box = each.getBoundingClientRect();
                    if (box.width && (box.left < -1 || box.right > wide + 1)) found.push(`${each.tagName}#${each.id} ${box.right}`);
                }
                return found;
            }"""
        )
    )


@pytest.mark.parametrize(("scheme", "locale"), [("light", "en-GB"), ("dark", "fr-FR")])
def test_on_a_phone_nothing_is_cut_off(visit, server: str, scheme: str, locale: str) -> None:
    page = visit(360, 740, has_touch=True, color_scheme=scheme, locale=locale)
    assert sideways(page) == []
    for address in ("/new/haste-bock", "/lobby", "/rules/haste-bock"):
        page.goto(server + address)
        assert sideways(page) == []
    page.goto(server)
    page.locator('form[action="/play/haste-bock"] button').tap()
    page.wait_for_selector("#board svg")
    dice = random.Random(3)
    for _ in range(12):
        assert my_turn_or_over(page)
        assert sideways(page) == []
        lit = page.locator(LIT)
        lit.nth(dice.randrange(lit.count())).tap()
    card = page.locator('#hand [id^="card-"]').first.bounding_box()
    assert card["width"] >= 44
    assert card["height"] >= 44
    for tab in ("choices", "log", "others", "chat", "rules", "more"):
        page.locator(f"#tab-{tab}").tap()
        assert page.locator(f"#{tab}").is_visible()
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
    page.wait_for_function("() => !document.querySelector('#curtain').hidden")
    seen = set()
    for _ in range(12):
        page.wait_for_function(f"() => !document.querySelector('#curtain').hidden || document.querySelector('{LIT}, #loose button')")
        if page.locator("#curtain").is_visible():
            assert page.locator("#hand *").count() == 0
            assert page.locator("#board *").count() == 0
            assert page.locator("#log li").count() == 0
            who = page.locator("#curtain button").inner_text()
            seen.add("Anna" if "Anna" in who else "Ben")
            page.click("#curtain button")
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
    logs = [page.locator("#log li").count() for page in pages]
    assert logs[0] == logs[1] > 2
    guest.locator("#tab-chat").click()
    guest.fill("#chat input", "<i>hello</i>")
    guest.keyboard.press("Enter")
    host.wait_for_function("() => document.querySelector('#chat ol').textContent.includes('<i>hello</i>')")
    assert "news" in (host.locator("#tab-chat").get_attribute("class") or "")


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
        page.wait_for_function("text => document.querySelector('#log').innerText !== text", arg=before)
    finally:
        context.close()
        process.kill()
        process.wait(20)
