"""In a real Chromium: a phone, French, a shared screen, two browsers at one table, a server that was killed."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pytest
from browser_helper import LIT, PATIENCE, STATE, in_chromium, my_turn_or_over, playwright, sideways, tap_on

from sheepfold.core.position import Position
from sheepfold.game.registry import find, names

pytestmark = in_chromium


def test_on_a_phone_nothing_is_cut_off(visit, server: str) -> None:
    """In French, which is longer than English."""
    page = visit(360, 740, has_touch=True, locale="fr-FR")
    assert sideways(page) == []
    for address in ("/new/haste-bock", "/new/te-kuiti", "/lobby", "/rules/haste-bock"):
        page.goto(server + address)
        assert sideways(page) == []
    page.goto(server)
    page.locator(".welcome .go").tap()
    page.wait_for_selector("#board svg")
    dice = random.Random(3)
    for tap in range(4):
        assert my_turn_or_over(page)
        assert sideways(page) == []
        lit = page.locator(LIT)
        lit.nth(dice.randrange(lit.count())).tap()
        if tap < 2:  # a sheep, and which one it rams: a quick tap counts, also while what explains things is still on its way
            page.wait_for_function(f"() => {'!' * tap}document.querySelector('#board .chosen')")
    card = page.locator('#hand [id^="card-"]').first.bounding_box()
    assert card["width"] >= 44
    assert card["height"] >= 44
    for tab in ("choices", "log", "others", "chat", "rules", "more"):
        page.locator(f"#tab-{tab}").tap()
        page.locator(f"#{tab}").wait_for(state="visible")
        assert sideways(page) == []
    page.set_viewport_size({"width": 740, "height": 360})  # held across: the whole board is seen, all else beside it
    page.wait_for_function("() => document.querySelector('#board > svg')?.getBoundingClientRect().bottom <= innerHeight")
    assert page.locator("#board").bounding_box()["width"] <= page.locator("#prompt").bounding_box()["x"]
    assert sideways(page) == []


@pytest.mark.parametrize("game", names())
def test_on_a_phone_every_table_fits(visit, played, game: str) -> None:
    """At the start, in the middle, and while something is chosen."""
    seats = find(game).seats[-1]
    page, dice = visit(360, 740, has_touch=True, locale="fr-FR", reduced_motion="reduce", at=None), random.Random(8)
    for plies in (0, 40):
        links = played(game, seats, "phone", lambda position, ply, least=plies: position.to_act == 0 and ply >= least)
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
    """On a phone. Anybody may look at their own side out of turn; then too the next to act is asked to come."""
    page = visit(360, 740, at=None)
    page.goto(f"{server}/new/sheepzzz")
    page.locator('label.pick:has-text("2")').first.click()
    page.select_option("[name=kind1]", "me")
    page.fill("[name=name0]", "Anna")
    page.fill("[name=name1]", "Ben")
    assert page.locator("[name=kind2]").is_hidden()
    page.click("details:has([name=hints]) summary")
    page.check("[name=hints]")
    page.click("#setup button.go")

    def draw_it_aside() -> str:
        page.wait_for_function("() => document.querySelector('#curtain:not([hidden]) button')?.textContent")
        for part in ("#hand *", "#board *", "#log li"):
            assert page.locator(part).count() == 0
        assert page.text_content("#note") + page.text_content("#advice") == "", "a hint is for one person"
        who = page.locator("#curtain button").inner_text()
        page.click("#curtain button")
        page.wait_for_function("() => document.querySelector('#curtain')?.hidden && document.querySelector('#board svg')")
        return "Anna" if "Anna" in who else "Ben"

    first = draw_it_aside()
    page.click("#hint")
    page.wait_for_function("() => document.querySelector('#advice').textContent.length > 1")
    page.click("#players button")
    assert draw_it_aside() != first
    page.click("#players [aria-current] button")
    seen = {draw_it_aside()}
    assert seen == {first}
    for _ in range(12):
        page.wait_for_function(f"() => document.querySelector('#curtain:not([hidden])') || document.querySelector('{LIT}, #loose button')")
        if page.locator("#curtain").is_visible():
            other = page.locator("#curtain button").inner_text()
            # From another device the move is taken back: it is the turn of the first again, who has given this screen away.
            page.evaluate("() => fetch(`${location.pathname}/undo`, { method: 'POST' })")
            came = "() => (document.querySelector('#curtain')?.hidden ? '' : document.querySelector('#curtain button').textContent)"
            page.wait_for_function(f"() => ({came})() !== '{other}'")
            assert draw_it_aside() == first
            seen.add("Anna" if "Anna" in other else "Ben")
            break
        page.locator(f"{LIT}, #loose button").first.click()
        page.wait_for_timeout(300)
    assert seen == {"Anna", "Ben"}


def test_two_browsers_one_table(visit) -> None:
    host = visit(at="/new/haste-bock")
    host.locator('label.pick:has-text("2")').first.click()
    host.select_option("[name=kind1]", "open")
    host.click("#setup button.go")
    link = host.input_value("#invite")
    guest = visit(at=None)
    guest.goto(link)
    guest.locator("#waiting form:visible input[name=name]").fill("Ben <b>")
    guest.locator("#waiting form:visible button.go").click()
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
    anna, ben, dice = visit(forgives="409", at=None), visit(at=None), random.Random(7)
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
    ply = int(anna.get_attribute("#table", "data-ply"))
    on = f"Number(document.querySelector('#table').dataset.ply) > {ply}"
    while anna.wait_for_function(f"() => {on} ? 'on' : ({STATE})()").json_value() == "lit":
        tap_on(anna, dice)
    ben.wait_for_function(f"() => {on}")


def test_a_server_that_comes_back_finds_the_table_where_it_was(chromium, tmp_path) -> None:
    command = [sys.executable, "-m", "sheepfold", "serve", "--database", f"sqlite:///{tmp_path / 'again.db'}", "--port"]

    def start(port: str) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen([*command, port], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found
        return process, found[1]

    process, port = start("0")
    context = chromium.new_context(reduced_motion="reduce")
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
        for _ in range(3):
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
