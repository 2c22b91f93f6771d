"""Coming back, in a real browser: one's games on every device, being told of one's turn, a slow game over restarts of the server."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from urllib.parse import urljoin

from browser_helper import PATIENCE, in_chromium, my_turn_or_over, tap_on
from receiver import receiving_beside
from web_helper import serving

pytestmark = in_chromium
DRAWN = "() => document.querySelector('#outline h3')"
MY_TURN = ".my-games li.mine a"
LISTEN = """() => {
    window.rung = [];
    window.AudioContext = class extends AudioContext { constructor() { super(); window.rung.push('bell'); } };
    navigator.vibrate = () => window.rung.push('buzz');
}"""
SUBSCRIBE = """async (wish) => (await fetch('/push/subscribe',
    {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(wish)})).status"""


def with_a_friend(one, other, game: str = "haste-bock") -> str:
    """Anna makes a table and Ben sits down; its path."""
    one.goto(urljoin(one.url, f"/new/{game}"))
    one.locator('label.pick:has-text("2")').first.click()
    one.fill("[name=name0]", "Anna")
    one.select_option("[name=kind1]", "open")
    one.click("#setup button.go")
    one.wait_for_selector("#waiting:not([hidden])")
    other.goto(one.url)
    other.locator("#waiting form:not([hidden]) [name=name]").fill("Ben")
    other.locator("#waiting form:not([hidden]) button.go").click()
    for page in (one, other):
        page.wait_for_selector("#waiting", state="hidden")
    return one.url


def whose_turn(*pages) -> int:
    """Of those who look at a table, the one who is to act."""
    for _ in range(600):
        for number, page in enumerate(pages):
            if page.evaluate("document.querySelector('#said.mine') !== null && !document.querySelector('#table[aria-busy]')"):
                return number
        pages[0].wait_for_timeout(100)
    raise AssertionError("it is nobody's turn")


def take_the_turn(page, dice: random.Random) -> None:
    """Tap until it is no longer one's turn."""
    while page.evaluate("document.querySelector('#said.mine') !== null"):
        tap_on(page, dice)
        page.wait_for_function("() => !document.querySelector('#table[aria-busy]')")


def test_my_games_on_two_devices(visit, server: str) -> None:
    desk, phone, ben = visit(at="/offline"), visit(width=390, height=844, color_scheme="dark", at=None), visit(at=None)
    table = with_a_friend(desk, ben)
    dice = random.Random(3)
    if whose_turn(desk, ben) == 1:
        take_the_turn(ben, dice)
        desk.wait_for_selector("#said.mine")
    desk.click(".brand")
    assert desk.locator(MY_TURN).get_attribute("href") in table
    desk.wait_for_function("() => [...document.querySelectorAll('.my-games img')].every((each) => each.complete && each.naturalWidth)")
    desk.goto(f"{server}/mine")
    desk.click("form[action^='/mine/carry'] button")
    assert desk.locator(".square svg").count() == 1
    phone.goto(desk.input_value("#carry"))
    assert phone.locator(MY_TURN).count() == 0
    phone.click("button.go.large")
    phone.locator(MY_TURN).first.click()
    phone.wait_for_selector("#said.mine")
    take_the_turn(phone, dice)
    ben.wait_for_selector("#said.mine")
    desk.goto(server)
    assert desk.locator(MY_TURN).count() == 0 and "Ben to move" in desk.locator(".my-games").inner_text()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.goto(f"{server}/mine")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.locator(".own-devices li").count() == 2
    phone.click("#devices details summary")
    phone.click("form[action='/mine/forget'] button")
    assert phone.locator(".my-games").count() == 0
    phone.goto(table)
    phone.wait_for_function(DRAWN)
    assert phone.locator("#own").count() == 0, "and nobody plays from there any more"


def test_hide_and_leave_by_keys(visit, server: str) -> None:
    page = visit()
    page.click('form[action="/play/te-kuiti"] button')
    page.wait_for_selector("#board svg")
    page.goto(f"{server}/mine")
    menu = page.locator(".my-games details.side > summary")
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('.my-games')")
    page.click("form[action='/mine/show'] button")
    page.locator(".my-games details.side > summary").click()
    page.locator(".my-games details details summary").click()  # it asks once
    page.click("form[action^='/mine/leave'] button")
    page.wait_for_function("() => !document.querySelector('.my-games')")
    page.get_by_role("button", name="Take my seat back").click()
    page.wait_for_selector("#board svg")
    page.goto(f"{server}/mine")
    page.wait_for_selector(".my-games")


def test_the_open_page_says_that_it_is_my_turn(visit) -> None:
    anna, ben = visit(at="/offline"), visit(at=None)
    with_a_friend(anna, ben)
    dice = random.Random(4)
    pages = [anna, ben]
    first = whose_turn(anna, ben)
    page, other = pages[1 - first], pages[first]
    page.evaluate(LISTEN)
    page.click("#tab-more")
    page.check("#sound")
    page.check("#buzz")
    assert page.evaluate("window.rung") == ["bell", "buzz"], "so it will be"
    assert not page.title().startswith("●") and "data:" not in page.get_attribute("link[rel=icon]", "href")
    take_the_turn(other, dice)
    page.wait_for_function("() => document.title.startsWith('●') && document.querySelector('link[rel=icon]').href.startsWith('data:')")
    page.wait_for_function("() => window.rung.length === 4")
    take_the_turn(page, dice)
    page.wait_for_function("() => !document.title.startsWith('●') && !document.querySelector('link[rel=icon]').href.startsWith('data:')")
    page.reload()
    page.wait_for_function(DRAWN)
    page.wait_for_selector("#bell:not([hidden])")  # offered to who plays with others, as soon as the page is there
    assert page.is_checked("#sound") and page.is_checked("#buzz"), "it is kept"


def test_the_worker_shows_what_is_pushed(visit, server: str) -> None:
    """A browser without a screen shows no notices, so what the worker asks the system to show is caught there."""
    page = visit(service_workers="allow")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    (worker,) = page.context.service_workers
    worker.evaluate(
        "() => { self.shown = []; self.registration.showNotification = async (title, more) => { self.shown.push([title, more]); }; }"
    )
    found: list[dict[str, str]] = []
    tools = page.context.new_cdp_session(page)
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    for _ in range(200):
        if found:
            break
        page.wait_for_timeout(50)
    told = json.dumps({"title": "Te Kuiti", "text": "It is your turn.", "address": "/t/abcd"})
    tools.send("ServiceWorker.deliverPushMessage", {"origin": server, "registrationId": found[0]["registrationId"], "data": told})
    for _ in range(200):
        if shown := worker.evaluate("self.shown"):
            break
        page.wait_for_timeout(50)
    ((title, more),) = shown
    assert (title, more["body"], more["tag"], more["data"]) == ("Te Kuiti", "It is your turn.", "/t/abcd", {"address": "/t/abcd"})


def test_a_browser_without_a_push_service_is_told_so(visit) -> None:
    """As this Chromium is: it has no line to its maker's service."""
    page = visit(service_workers="allow", locale="fr", forgives="Push API")
    page.context.grant_permissions(["notifications"])
    page.click('form[action="/play/te-kuiti"] button')
    page.wait_for_function(DRAWN)
    page.click("#tab-more")
    page.wait_for_selector("#tell-me:not([hidden])")
    page.click("#tell-me")
    page.wait_for_function("() => document.querySelector('#told-how').textContent")
    said = page.evaluate("[document.querySelector('#told-how').textContent, document.querySelector('#device-notices').dataset.without]")
    assert said[0] == said[1]
    assert page.get_attribute("#tell-me", "aria-pressed") == "true", "the open page tells"


def test_a_slow_game_over_restarts(chromium, tmp_path: Path) -> None:
    """Nobody leaves a page open, and the server is started once more. Who is to act is called, and finds the game in one tap."""
    dice = random.Random(5)
    contexts = [chromium.new_context(locale="en-GB", service_workers="block", reduced_motion="reduce") for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(PATIENCE)
    try:
        with receiving_beside() as receiver:
            for restart in range(2):
                with serving(tmp_path / "slow.db", SHEEPFOLD_NOTICES="anywhere") as address:
                    pages = [context.new_page() for context in contexts]
                    if restart == 0:
                        pages[0].goto(f"{address}/offline")
                        with_a_friend(*pages)
                        for number, page in enumerate(pages):
                            browser = receiver.browser(f"phone-{number}")
                            wish = {"endpoint": browser.endpoint, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}}
                            assert page.evaluate(SUBSCRIBE, wish) == 200
                        mover = whose_turn(*pages)
                        path = pages[0].evaluate("location.pathname")
                    else:
                        for page in pages:
                            page.goto(address)
                        mover = next(number for number, page in enumerate(pages) if page.locator(MY_TURN).count())
                        pages[mover].locator(MY_TURN).click()
                        assert my_turn_or_over(pages[mover])
                    pages[1 - mover].close()
                    pages[mover].wait_for_timeout(1500)
                    before = len(receiver.heard)
                    take_the_turn(pages[mover], dice)
                    began = time.monotonic()
                    while len(receiver.heard) == before:
                        pages[mover].wait_for_timeout(50)
                        assert time.monotonic() - began < 60, "who has gone is called"
                    assert receiver.heard[-1][0] == f"/push/phone-{1 - mover}"
                    assert receiver.unsealed()["address"] == path
                    pages[mover].close()
    finally:
        for context in contexts:
            context.close()


def test_a_clock_that_rests_and_somebody_who_is_away(visit) -> None:
    anna, ben = visit(at="/new/haste-bock"), visit(width=390, height=844, at=None)
    anna.locator('label.pick:has-text("2")').first.click()
    anna.fill("[name=name0]", "Anna")
    anna.select_option("[name=kind1]", "open")
    anna.locator("summary", has_text="The table").click()
    anna.select_option("[name=clock]", "move")
    anna.fill("[name=amount]", "3")
    anna.select_option("[name=unit]", "days")
    anna.click("#setup button.go")
    anna.wait_for_selector("#waiting:not([hidden])")
    assert "3 days per move" in anna.locator("#waiting").inner_text()
    ben.goto(anna.url)
    ben.locator("#waiting form:visible [name=name]").fill("Ben")
    ben.locator("#waiting form:visible button.go").click()
    for page in (anna, ben):
        page.wait_for_selector("#waiting", state="hidden")
    anna.wait_for_function("() => /^[23] d$/.test(document.querySelector('.clock')?.textContent)")
    anna.click("#tab-more")
    anna.click("#rest")
    ben.wait_for_function("() => document.querySelector('#pausing:not([hidden])')?.textContent.includes('Anna would like a pause')")
    ben.locator("#pausing button:visible").first.click()
    for page in (anna, ben):
        page.wait_for_function(
            "() => document.querySelector('#pausing').textContent.includes('no clock runs') && !document.querySelector('.clock')"
        )
    ben.locator("#pausing button:visible").click()
    anna.wait_for_function("() => document.querySelector('#pausing').hidden && document.querySelector('.clock')")
    anna.fill("#absence [name=days]", "5")
    anna.locator("#absence button").first.click()
    ben.wait_for_function("() => document.querySelector('#players').textContent.includes('away until')")
    anna.click("#present")
    ben.wait_for_function("() => !document.querySelector('#players').textContent.includes('away until')")
