"""Muting and reporting in a real browser, and the host's page: what is done there is seen at the table at once."""

from __future__ import annotations

from browser_helper import in_chromium, sideways
from test_browser_access import examine
from test_browser_coming_back import with_a_friend
from web_helper import HOST_KEY

from sheepfold.table.limits import CHAT_SHOWN

pytestmark = in_chromium
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844, "color_scheme": "dark"}
FOLDED = "a line by Ben, muted"
SHOWN = "(text) => [...document.querySelectorAll('#chat li')].some((each) => each.innerText.includes(text))"
SAY = """async (lines) => {
    const headers = { 'Content-Type': 'application/json' };
    for (const text of lines) await fetch(`${location.pathname}/say`, { method: 'POST', headers, body: JSON.stringify({ text }) });
}"""
HEARD = "() => new MutationObserver(() => { window.heard = (window.heard ?? '') + document.getElementById('live').textContent; })" \
        ".observe(document.getElementById('live'), { childList: true })"  # fmt: skip


def say(page, text: str, *readers) -> None:
    """A line of chat; back when all have it."""
    page.fill("#chat > form input", text)
    page.keyboard.press("Enter")
    for each in (page, *readers):
        each.wait_for_function("(text) => document.querySelector('#chat li:last-child')?.textContent.includes(text)", arg=text)


def at_a_table(visit, **size) -> tuple:
    """Anna, with a screen of that size, and Ben, who talk."""
    anna, ben = visit(forgives="403", at="/offline", **size), visit(forgives="403", at=None)
    with_a_friend(anna, ben)
    for page in (anna, ben):
        page.click("#tab-chat")
    return anna, ben


def let_in(page, server: str):
    page.goto(f"{server}/host")
    page.fill("[name=key]", HOST_KEY)
    page.keyboard.press("Enter")
    page.wait_for_selector("#figures", state="attached")
    return page


def cut_off(page) -> list[str]:
    """What does not fit at a desk, nor on a phone."""
    found = []
    for size in (DESK, PHONE):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        found += sideways(page)
    return found


def texts(page) -> list[str]:
    return list(page.evaluate("() => [...document.querySelectorAll('#chat li')].map((each) => each.textContent)"))


def test_mute_and_hear_again(visit) -> None:
    anna, ben = at_a_table(visit, **PHONE)
    say(ben, "one", anna)
    say(anna, "two", ben)
    anna.evaluate(HEARD)
    anna.locator("#chat summary").first.click()
    anna.get_by_role("button", name="Mute Ben").click()
    assert texts(anna) == [FOLDED, "Anna: two"] and texts(ben) == ["Ben: one", "Anna: two"]
    say(ben, "three")
    anna.wait_for_function("() => document.querySelectorAll('#chat li').length === 3")
    assert texts(anna) == [FOLDED, "Anna: two", FOLDED]
    say(anna, "four", ben)
    anna.wait_for_function("() => window.heard?.includes('Anna: four')")
    assert "three" not in anna.evaluate("window.heard"), "nor is it read aloud"
    anna.reload()
    anna.click("#tab-chat")
    anna.wait_for_function("() => document.querySelectorAll('#chat li').length === 4")
    assert texts(anna)[0] == FOLDED, "it is kept"
    anna.locator("#chat summary").first.click()
    assert "Ben: one" in anna.locator("#chat li").first.inner_text()
    assert examine(anna, "muted", "#chat") == [] and cut_off(anna) == []
    anna.get_by_role("button", name="Hear Ben again").click()
    assert texts(anna) == ["Ben: one", "Anna: two", "Ben: three", "Anna: four"]
    assert anna.evaluate("JSON.parse(localStorage.muted)") == {}


def test_by_keys(visit) -> None:
    anna, ben = at_a_table(visit)
    say(ben, "one", anna)
    anna.locator("#chat summary").focus()
    anna.keyboard.press("Enter")
    anna.keyboard.press("Tab")
    anna.keyboard.press("Enter")
    assert texts(anna) == [FOLDED]
    assert anna.evaluate("document.activeElement.id") == "chat", "who uses keys is not thrown out"


def test_who_watches_mutes_and_reports_too(visit, server: str) -> None:
    anna, ben = at_a_table(visit)
    say(ben, "fie", anna)
    watcher = visit(at=None)
    watcher.goto(anna.url)
    watcher.click("#tab-chat")
    watcher.locator("#chat summary").click()
    watcher.get_by_role("button", name="Report to the host").click()
    watcher.get_by_text("Thank you").wait_for()
    watcher.get_by_role("button", name="Mute Ben").click()
    assert texts(watcher) == [FOLDED]
    table = anna.url.rsplit("/", 1)[1]
    host = let_in(visit(at=None), server)
    assert host.locator(f"article[aria-label='Table {table}']").count() == 1


def test_from_a_report_to_what_a_host_does(visit, server: str) -> None:
    anna, ben = at_a_table(visit, **PHONE)
    table = anna.url.rsplit("/", 1)[1]
    say(ben, "hello", anna)
    say(ben, "you stink", anna)
    anna.locator("#chat li:nth-child(2) summary").click()
    anna.locator("#chat li:nth-child(2) input").fill("unkind")
    assert examine(anna, "a report", "#chat") == [] and cut_off(anna) == []
    anna.get_by_role("button", name="Report to the host").click()
    anna.get_by_text("Thank you").wait_for()

    host = let_in(visit(at=None, **PHONE), server)
    report = host.locator(f"article[aria-label='Table {table}']")
    for text in ("Ben: hello", "Ben: you stink", "unkind"):
        assert text in report.inner_text()
    report.locator("summary").first.click()
    assert examine(host, "the host's page") == [] and cut_off(host) == []

    report.get_by_role("button", name="Remove the line").click()
    for page in (anna, ben):
        page.wait_for_function(
            "() => document.querySelector('#chat li:nth-child(2)').textContent === 'A line by Ben was removed by the host.'"
        )
    assert report.count() == 0
    host.fill(".finding input", anna.url)
    host.get_by_role("button", name="Find").click()
    assert examine(host, "a table on the host's page") == [] and cut_off(host) == []
    host.locator(".sitters li:has-text('Ben')").get_by_role("button", name="Silence for a day").click()
    host.wait_for_selector("#silenced")
    ben.fill("#chat > form input", "me?")
    ben.keyboard.press("Enter")
    ben.wait_for_function("() => document.getElementById('note').textContent.includes('write nothing in chat')")
    assert ben.input_value("#chat > form input") == "me?", "what was written is not lost"

    host.goto(f"{server}/host?table={table}")
    ben_there = host.locator(".sitters li:has-text('Ben')")
    ben_there.locator("summary").click()
    ben_there.get_by_role("button", name="Erase for good").click()
    anna.wait_for_function("() => document.querySelector('#players').textContent.includes('Somebody')")
    assert texts(anna) == ["Somebody: hello", "A line by Somebody was removed by the host."]
    ben.wait_for_function("() => document.querySelector('#players').textContent.includes('Somebody')")

    host.goto(f"{server}/host?table={table}")
    host.locator("#found .card summary", has_text="Close the table").click()
    host.fill("#found .card [name=reason]", "Enough.")
    host.locator("#found .card").get_by_role("button", name="Close the table").click()
    anna.wait_for_function("() => document.getElementById('prompt').textContent.includes('Enough.')")
    deeds = host.locator(".done").inner_text()
    for deed in (f"closed table {table}: Enough.", "erased person", "silenced person", f"removed line 1 at table {table}"):
        assert deed in deeds
    host.get_by_role("button", name="Log out").click()
    host.wait_for_selector("[name=key]")


def test_a_removed_line_that_was_fetched_goes_too(visit, server: str) -> None:
    """Earlier than what a scene tells."""
    anna, ben = at_a_table(visit)
    said = [f"line {number}." for number in range(CHAT_SHOWN + 2)]
    ben.evaluate(SAY, said[:-1])
    say(ben, said[-1], anna)
    anna.reload()
    anna.click("#tab-chat")
    anna.click("#earlier")
    anna.wait_for_function(SHOWN, arg="line 0.")
    host = let_in(visit(at=None), server)
    table = anna.url.rsplit("/", 1)[1]
    remove = "async (body) => (await fetch('/host/remove', { method: 'POST', body: new URLSearchParams(body) })).status"
    assert host.evaluate(remove, {"table": table, "number": "0"}) == 200
    anna.wait_for_function(f"(text) => !({SHOWN})(text)", arg="line 0.")
    anna.click("#earlier")
    anna.wait_for_function(SHOWN, arg="was removed by the host")


def test_the_door(visit, server: str) -> None:
    page = visit(at=None, forgives="403", **PHONE)
    page.goto(f"{server}/host")
    page.fill("[name=key]", "not the key at all")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert examine(page, "a wrong key") == [] and sideways(page) == []
    page.get_by_role("button", name="FR").click()
    page.wait_for_function("() => document.querySelector('h1').textContent.includes('La page de l’hôte')")
