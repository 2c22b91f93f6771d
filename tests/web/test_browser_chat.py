"""A long chat in a Chromium: the page has the latest lines, and earlier ones for who wants to read them."""

from __future__ import annotations

from pathlib import Path

from browser_helper import in_chromium

from sheepfold.table.limits import CHAT_SHOWN
from sheepfold.table.store import Change, Store, said

pytestmark = in_chromium

LINES = "() => [...document.querySelectorAll('#chat li')].map((line) => line.textContent)"


def test_earlier_lines_are_fetched_and_later_ones_come_after_them(visit, played, database: Path) -> None:
    count = 2 * CHAT_SHOWN + 5
    (address,) = played("te-kuiti", 1, "chat", lambda position, ply: ply > 0)
    shelf = Store(f"sqlite:///{database}", alone=False)
    table = address.split("/")[4]
    for number in range(count):
        stored = shelf.write(Change(table, number, more=said(table, number, "Ben", f"line {number}", 1.0 + number)))
    stored.result(120)
    shelf.close()
    page = visit(at=None)
    page.goto(address)
    page.locator("#tab-chat").click()
    expected = [f"Ben: line {number}" for number in range(count)]
    page.wait_for_function("(count) => document.querySelectorAll('#chat li').length === count", arg=CHAT_SHOWN)
    assert page.evaluate(LINES) == expected[-CHAT_SHOWN:]
    page.locator("#earlier").click()
    page.wait_for_function("(count) => document.querySelectorAll('#chat li').length === count", arg=2 * CHAT_SHOWN)
    page.fill("#chat input", "me too")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#chat li:last-child').textContent.includes('me too')")
    assert page.evaluate(LINES) == [*expected[-2 * CHAT_SHOWN :], "Anna: me too"]
    page.locator("#earlier").click()
    page.wait_for_selector("#earlier", state="hidden")
    assert page.evaluate(LINES) == [*expected, "Anna: me too"]
