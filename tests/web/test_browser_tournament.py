"""A tournament in real browsers: the page goes on by itself, leads everybody to their tables, and takes nobody's words away."""

from __future__ import annotations

import random

from browser_helper import LIT, READ, in_chromium, tap_on

pytestmark = in_chromium
MINE = f"""() => Boolean(document.querySelector('#said.mine') && document.querySelector('{LIT}')
    && !document.querySelector('#table[aria-busy]'))"""


def announce(page, **fields: str) -> str:
    """Announce a tournament by the form; its address."""
    page.fill("[name=rounds]", "1")
    for name, value in fields.items():
        page.fill(f"[name={name}]", value)
    page.click("button.go.large")
    page.wait_for_url("**/tournament/*")
    return str(page.url)


def test_the_page_goes_on_by_itself(visit) -> None:
    anna, ben = visit(at="/tournaments/new/guerre-des-moutons"), visit(width=390, height=844, at=None)
    address = announce(anna, called="Anna", name="Browsers' Cup")
    ben.goto(address)
    ben.fill(".enter [name=name]", "Ben")
    ben.click(".enter button")
    anna.wait_for_function("() => document.querySelector('#standing').textContent.includes('Ben')")
    ben.evaluate("() => { window.same = true; }")
    ben.click("main summary >> nth=0")
    anna.click("form[action$='/start'] button")
    for page in (anna, ben):
        page.wait_for_selector(".my-table a")
    assert ben.evaluate("() => window.same"), "without being loaded again"
    assert ben.evaluate("() => document.querySelector('main details').open"), "what was open stays so"
    assert ben.text_content("#followed") == "The tournament has gone on."
    for page in (anna, ben):
        page.click(".my-table a")
        page.wait_for_selector("#board svg")
        for tool in ("#undo", "#hint"):
            page.wait_for_selector(tool, state="hidden")
    dice, sides = random.Random(7), (anna, ben)
    while not any(page.is_visible("#result") for page in sides):
        for page in sides:
            page.evaluate(READ)
            if page.evaluate(MINE):
                tap_on(page, dice, late=True, leave=True)  # a game that can be short
    ben.wait_for_function(f"() => {{ {READ}; return document.querySelector('#result:not([hidden])')?.checkVisibility(); }}")
    ben.click("#result a[href^='/tournament/']")
    ben.wait_for_selector("[data-over]")
    ben.wait_for_function("() => /After round 1 you are in place [12] of 2/.test(document.querySelector('main').innerText)")


def test_nobodys_words_are_taken_away(visit) -> None:
    """Who is typing a name when the tournament goes on can go on typing."""
    anna, cleo = visit(at="/tournaments/new/te-kuiti"), visit(at=None)
    anna.check("[name=level][value=ewe]")
    anna.uncheck("[name=me]")
    address = announce(anna, late="2", fill="4")
    cleo.goto(address)
    cleo.fill(".enter [name=name]", "Cle")
    cleo.focus(".enter [name=name]")
    anna.click("form[action$='/start'] button")
    cleo.wait_for_selector("[data-over]")
    assert cleo.input_value(".enter [name=name]") == "Cle"
    cleo.evaluate("() => document.activeElement.blur()")
    cleo.wait_for_function("() => !document.querySelector('.enter')")  # now there is nothing to enter


def test_without_a_script_it_is_looked_at_again(visit) -> None:
    page = visit(at="/tournaments/new/te-kuiti", java_script_enabled=False)
    page.check("[name=level][value=ewe]")
    announce(page, fill="2", called="Anna")
    page.click("form[action$='/start'] button")
    for _ in range(200):
        if page.locator(".my-table a").count():
            break
        page.click("noscript a")
    assert page.locator(".my-table a").count() == 1
