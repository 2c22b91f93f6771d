"""In a real Chromium, with any eyes: axe on every page, twice the text, the system's colours, a screen reader's words, no network.

A new page goes into PAGES, and is examined with the others.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_helper import CHROMIUM, in_chromium, sideways
from reader import focused, heard, listen, tree

from sheepfold.core.position import OVER
from sheepfold.game.registry import find, names

pytestmark = [*in_chromium, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]
axe = pytest.importorskip("axe_playwright_python.base", reason="the axe test needs axe-playwright-python")
AXE = Path(axe.AXE_FILE_PATH).read_text(encoding="utf-8")
GAMES = names()
PAGES = (
    "/",
    "/lobby",
    "/host",
    "/nothing-here",
    "/offline",
    "/players",
    "/replay",
    "/new/haste-bock",
    "/new/te-kuiti",
    "/rules/shear-panic",
    "/rules/guerre-des-moutons",
    "/tournaments",
    "/tournaments/new/haste-bock",
)
"""Set-up and rules are made alike for all games; these have every kind of thing in them."""
ENDS = ("sheepzzz", "guerre-des-moutons")
"""Of the results too, the longest."""
DRAWN = "() => document.querySelector('#outline h3') || document.querySelector('#curtain:not([hidden]) button')?.textContent"
RUN = """([inside, rules]) => axe.run({ include: [inside], exclude: [':is(#log, #r-log) li:nth-child(n+9)'] },
    { resultTypes: ['violations'], preload: false, ...(rules ? { runOnly: rules } : {}) })"""


def examine(page, what: str, inside: str = "html") -> list[str]:
    """What axe finds wrong with the page as it stands, or with a part of it: by day everything, by night contrast."""
    page.evaluate(AXE)
    wrong = []
    for scheme, rules in (("dark", ["color-contrast"]), ("light", None)):
        page.emulate_media(color_scheme=scheme)
        wrong += [
            f"{what} {scheme}: {each['impact']} {each['id']}, {len(each['nodes'])} times: {each['nodes'][0]['html'][:160]}"
            for each in page.evaluate(RUN, [inside, rules])["violations"]
            if each["impact"] in ("moderate", "serious", "critical")
        ]
    return wrong


def table_of(played, game: str, when: str) -> str:
    """The address of a table in the middle of a game or at its end."""

    def enough(view, ply: int) -> bool:
        return view.to_act == OVER if when == "end" else view.to_act == 0 and ply >= 30

    return played(game, 2, f"eyes {when}", enough)[0]


@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing_on_any_page(visit, server: str, address: str) -> None:
    page = visit(color_scheme="light", reduced_motion="reduce", forgives="404", at=None)
    page.goto(server + address)
    assert examine(page, address) == []


@pytest.mark.parametrize(("game", "when"), [*((game, "middle") for game in GAMES), *((game, "end") for game in ENDS)])
def test_axe_finds_nothing_at_any_table(visit, played, game: str, when: str) -> None:
    page = visit(color_scheme="light", reduced_motion="reduce", at=None)
    page.goto(table_of(played, game, when))
    page.wait_for_function(DRAWN)
    assert examine(page, f"{game}, {when}") == []


def test_axe_finds_nothing_at_a_tournament(visit) -> None:
    """When it is announced, with all doors open, and when it is over; and nothing is cut off on a phone."""
    page = visit(width=390, height=844, color_scheme="light", reduced_motion="reduce", at="/tournaments/new/te-kuiti")
    page.check("[name=level][value=ewe]")
    page.fill("[name=fill]", "4")
    page.fill("[name=rounds]", "2")
    page.fill("[name=called]", "A name that is quite long")
    page.click("button.go.large")
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    wrong = examine(page, "announced") + sideways(page)
    page.click("form[action$='/start'] button")
    page.wait_for_selector(".my-table")
    wrong += examine(page, "running") + sideways(page)
    page.click("details:has(form[action$='/leave']) summary")
    page.click("form[action$='/leave'] button")
    page.wait_for_selector("[data-over]")
    page.reload()
    wrong += examine(page, "over") + sideways(page)
    assert wrong == []


def test_axe_finds_nothing_behind_tabs_and_doors(visit, played, server: str) -> None:
    """Panels, a table that waits, the curtain, a lesson, a game looked back at; on a phone."""
    page = visit(360, 740, reduced_motion="reduce", at=None)
    wrong = []
    page.goto(table_of(played, "haste-bock", "middle"))
    page.wait_for_function(DRAWN)
    for tab in ("choices", "others", "chat", "more", "rules"):
        page.click(f"#tab-{tab}")
        page.wait_for_function("(name) => document.getElementById(name)?.textContent.trim()", arg=tab)
    page.evaluate("() => document.querySelectorAll('#panels [role=tabpanel]').forEach((each) => { each.hidden = false; })")
    wrong += examine(page, "panels", inside="#side")  # all at once: axe reads the whole page each time
    for game, kind in (("haste-bock", "open"), ("sheepzzz", "me")):
        page.goto(f"{server}/new/{game}")
        page.select_option("[name=kind1]", kind)
        page.click("#setup button.go")
        page.wait_for_function(DRAWN)
        wrong += examine(page, f"{game} with a seat for {kind}")
    page.goto(server)
    page.locator('form[action="/learn/te-kuiti"] button').click()
    page.wait_for_function(DRAWN)
    wrong += examine(page, "a lesson")
    page.goto(table_of(played, "sheepzzz", "end"))
    page.wait_for_function(DRAWN)
    page.goto(server + page.get_attribute('a[href^="/replay/"]', "href"))
    page.wait_for_function("() => document.querySelector('#r-log li')")
    wrong += examine(page, "looking back")
    assert wrong == []


def test_axe_finds_nothing_where_people_come_back(visit, played, server: str) -> None:
    """One's games, running and over, with all that can be set; the link to another device; an invitation, and the lobby with tables."""
    page, other = visit(360, 740, reduced_motion="reduce", at=None), visit(at=None)
    for when in ("middle", "end"):
        page.goto(table_of(played, "te-kuiti", when))
        page.wait_for_function(DRAWN)
    wrong = []
    page.goto(server)
    wrong += examine(page, "home with games")
    page.goto(f"{server}/mine")
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    wrong += examine(page, "my games, all open")
    page.fill("#notices input[name=url]", "https://chat.example.org/1")
    page.click(".hook-new button")
    page.click("form[action^='/mine/carry'] button")
    wrong += examine(page, "a link to another device")
    other.goto(page.input_value("#carry"))
    wrong += examine(other, "the link there")
    page.goto(server)
    page.click('form[action="/invite/sheepzzz"] button')
    page.wait_for_function(DRAWN)
    page.click("#waiting summary")
    wrong += examine(page, "inviting")
    other.goto(page.url)
    other.wait_for_function(DRAWN)
    wrong += examine(other, "invited")
    page.goto(f"{server}/lobby")
    page.click('form[action="/pair/shear-panic"] button')
    page.wait_for_function(DRAWN)
    page.goto(f"{server}/lobby")
    wrong += examine(page, "the lobby")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wrong == []


def test_axe_would_find_something(visit) -> None:
    page = visit(at="/offline")
    bad = '<button></button><p style="color:#bbb">By day</p><p style="color:#444">By night</p>'
    page.evaluate("(bad) => document.querySelector('main').insertAdjacentHTML('beforeend', bad)", bad)
    found = [re.sub(r",.*", "", each) for each in examine(page, "here")]
    assert sorted(found) == ["here dark: serious color-contrast", "here light: critical button-name", "here light: serious color-contrast"]


CUT = """() => [...document.querySelectorAll('main *, header *')]
    .filter((each) => !each.closest('svg, .unseen, #happened, #preview') && each.checkVisibility())
    .filter((each) => [...each.childNodes].some((node) => node.data?.trim()))
    .filter((each) => /hidden|clip/.test(getComputedStyle(each).overflow))
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map((each) => `${each.tagName}#${each.id}.${each.className}: ${each.textContent.slice(0, 40)}`)"""
"""Text that its own box cuts off. The latest events above and below the board are an excerpt of the log and end in an ellipsis."""


@pytest.mark.parametrize(("width", "height", "text"), [(640, 400, 16), (1280, 800, 32)], ids=["zoomed", "large text"])
def test_twice_as_large_nothing_is_cut_off(visit, played, server: str, width: int, height: int, text: int) -> None:
    """200 %: a desktop's window zoomed has half its size; or the reader's own text is twice as large."""
    page = visit(width, height, locale="fr-FR", reduced_motion="reduce", at=None)
    sizes = page.context.new_cdp_session(page)
    sizes.send("Page.setFontSizes", {"fontSizes": {"standard": text, "fixed": text}})
    wrong = []
    for address in ("/", "/new/te-kuiti", "/rules/haste-bock", "/offline"):
        page.goto(server + address)
        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == text
        wrong += [f"{address}: {each}" for each in [*sideways(page), *page.evaluate(CUT)]]
    for game in names():
        page.goto(played(game, find(game).seats[-1], "large", lambda view, ply: view.to_act == 0 and ply >= 30)[0])
        page.wait_for_function(DRAWN)
        wrong += [f"{game}: {each}" for each in [*sideways(page), *page.evaluate(CUT)]]
    assert wrong == []


STANDS_OUT = """() => {
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    return { tab: style('[role=tab][aria-selected=true]').backgroundColor !== style('[role=tab][aria-selected=false]').backgroundColor,
             turn: style('#players [aria-current]').borderTopWidth !== style('#players li:not([aria-current])').borderTopWidth,
             lit: style('#hand .can .sf-lit').opacity > style('#board .sf-lit:not(.can)').opacity,
             focus: parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 3,
             marks: document.querySelectorAll('#players .mark use').length === document.querySelectorAll('#players li').length };
}"""


@pytest.mark.parametrize("settings", [{"forced_colors": "active"}, {"contrast": "more"}], ids=["forced colours", "more contrast"])
def test_in_high_contrast_what_matters_stands_out(visit, played, settings: dict[str, str]) -> None:
    page = visit(reduced_motion="reduce", **settings, at=None)
    page.goto(played("haste-bock", 4, "contrast", lambda view, ply: view.to_act == 0 and ply >= 12)[0])
    page.wait_for_function(DRAWN)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.can')"):
            break
    found = page.evaluate(STANDS_OUT)
    assert all(found.values()), found


def test_with_reduced_motion_nothing_moves(visit, played) -> None:
    page = visit(reduced_motion="reduce", at=None)
    page.goto(played("haste-bock", 2, "still", lambda view, ply: view.to_act == 0 and ply >= 12, bots=True)[0])
    page.wait_for_function(DRAWN)
    page.evaluate("() => { window.moving = 0; Element.prototype.animate = () => { window.moving += 1; }; }")
    before = page.locator("#log li").count()
    page.evaluate("document.querySelector('#choices button').click()")
    page.wait_for_function("(count) => document.querySelectorAll('#log li').length > count", arg=before)
    assert page.evaluate("[window.moving, document.getAnimations().filter((each) => each.playState === 'running').length]") == [0, 0]


# What a screen reader is told. `pytest -s -k told` prints it.

GRIDS = {"haste-bock": 81, "te-kuiti": 25, "shear-panic": 9, "guerre-des-moutons": 1}
"""How many cells the board in words has at least."""


@pytest.mark.parametrize("game", names())
def test_what_a_screen_reader_is_told(visit, played, game: str) -> None:
    page = visit(reduced_motion="reduce", forgives="409", at=None)
    page.goto(played(game, 2, "keys 0", lambda view, ply: view.to_act == 0 and ply >= 14 and len(view.legal()) > 1, bots=True)[0])
    page.wait_for_function(DRAWN)
    listen(page)
    before = tree(page)
    names = [name for _, name in before]
    assert page.title().split(" – ")[-1].split(" · ")[0] in names, "the page is named"
    assert ("log", "What happened") in before
    assert "The table in words" in names
    assert sum(role in ("cell", "gridcell") for role, _ in before) >= GRIDS.get(game, 0)
    buttons = [name for role, name in before if role == "button"]
    lit = page.evaluate("[...document.querySelectorAll(':is(#board, #hand) .can')].map((each) => each.getAttribute('aria-label'))")
    assert lit and set(lit) <= set(buttons), "everything lit is a button with a name"
    assert all(name for role, name in before if role in ("button", "link", "textbox", "image", "tab", "tabpanel", "combobox")), before
    said = []
    for _ in range(3):
        page.wait_for_function("() => document.querySelector('#said.mine') && !document.querySelector('#table[aria-busy]')")
        page.wait_for_function("() => document.querySelector('#choices button')")  # a list that is out of sight follows a moment later
        before_log, ply = page.text_content("#log ol"), page.get_attribute("#table", "data-ply")
        page.evaluate("() => { const button = document.querySelector('#choices button'); button.focus(); button.click(); }")
        page.wait_for_function("(ply) => document.querySelector('#table').dataset.ply !== ply", arg=ply)
        page.wait_for_function("() => window.said.length")
        lines, written = heard(page), re.sub(r"\s+", " ", page.evaluate("window.written"))
        told = page.text_content("#log ol") != before_log  # a tile that is only taken up is not
        assert not told or any(line in written for line in lines), f"what happened is said as it is written: {lines}"
        said.append((lines, focused(page)))
    prompt = page.text_content("#prompt")
    assert any(prompt in line for lines, _ in said for line in lines) or prompt in heard(page), "what is expected is said"
    print(f"\n== {game}\n" + "\n".join(f"{role}: {name}" for role, name in before if name))
    for lines, where in said:
        print("-> live: " + " | ".join(lines) + f"\n   focus: {where}")


# Without a network.


def test_without_a_network_there_is_a_friendly_page(visit, played, server: str) -> None:
    page = visit(locale="fr-FR", service_workers="allow", forgives="ERR_INTERNET_DISCONNECTED")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.goto(played("sheepzzz", 2, "offline", lambda view, ply: view.to_act == 0 and ply >= 20)[0])
    page.wait_for_function(DRAWN)
    page.context.set_offline(True)
    for _ in range(20):  # a service worker that had gone to sleep may be awake before it is told that there is no network
        page.goto(f"{server}/new/haste-bock")
        if page.locator("#offline h1").count():
            break
    assert page.locator("#offline h1").inner_text() == "Pas de connexion pour le moment"
    assert page.evaluate("getComputedStyle(document.querySelector('.go')).backgroundColor") == "rgb(255, 226, 122)", "with its style"
    shelves = page.evaluate("() => caches.keys()")
    assert len(shelves) == 1
    kept = page.evaluate("async (shelf) => (await (await caches.open(shelf)).keys()).map((each) => new URL(each.url).pathname)", shelves[0])
    assert sorted(kept) == ["/art.css", "/offline", "/static/app.js", "/static/icon.svg", "/static/sheepfold.css"], "and nothing of a table"
    page.context.set_offline(False)
    page.wait_for_selector("#setup")  # by itself
    page.click("button[name=language][value=en]")
    page.wait_for_function("() => document.documentElement.lang === 'en'")
    page.wait_for_function("async () => (await (await caches.match('/offline')).text()).includes('No connection')")
    page.goto(server)
    page.context.set_offline(True)
    page.click('form[action="/play/haste-bock"] button')  # a form that cannot be sent leads to the same page
    page.wait_for_function("() => document.querySelector('#offline h1')?.textContent === 'No connection just now'")
