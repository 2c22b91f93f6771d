"""Languages in a real Chromium: every page in the made-up language, where a text from no catalogue and a text that does not fit stand out,
and a game in French from the first page to the result."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_helper import STATE, in_chromium, my_turn_or_over, sideways, tap_on
from replay_helper import finished, put
from web_helper import HOST_KEY, serving

from sheepfold.core.position import Position
from sheepfold.game.registry import find, names
from sheepfold.messages import PSEUDO, Voice
from sheepfold.table.store import Store

pytestmark = in_chromium


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("languages") / "browser.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """The server of this module is a developer's: it speaks the made-up language as well."""
    with serving(database, SHEEPFOLD_LANGUAGES=PSEUDO, SHEEPFOLD_HOST_KEY=HOST_KEY) as address:
        yield address


BARE = """(names) => {
    const known = new RegExp(names.join('|'), 'g');
    const outside = (text) => {
        let rest = text.replace(known, ''), before;
        do { before = rest; rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' '); } while (rest !== before);
        return /[A-Za-zÀ-ÿ]{3,}/.test(rest) ? text.trim() : '';
    };
    const found = new Set();
    const inline = 'b, i, em, strong, span, small, kbd, a, tspan';
    const block = 'p, li, h1, h2, h3, td, th, button, legend, label, summary, text';
    for (const each of document.querySelectorAll('body *')) {
        if (each.closest('script, style, code, pre, [lang]:not(html), textarea, select, defs, symbol')) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-name', 'data-label']) {
            if (outside(each.getAttribute(name) ?? '')) found.add(`${each.tagName.toLowerCase()} ${name}: ${each.getAttribute(name)}`);
        }
        if (each.tagName === 'OPTION' || each.tagName === 'title' || each.tagName === 'desc') {
            if (outside(each.textContent)) found.add(`${each.tagName}: ${each.textContent}`);
        } else if ([...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim())) {
            const whole = each.matches(inline) ? each.closest(block) ?? each : each;
            const copy = whole.cloneNode(true);
            for (const aside of copy.querySelectorAll('code, [lang], script, style')) aside.remove();
            if (outside(copy.textContent)) found.add(`${each.tagName.toLowerCase()}#${each.id}: ${copy.textContent.trim().slice(0, 90)}`);
        }
    }
    for (const option of document.querySelectorAll('option')) if (outside(option.textContent)) found.add(`option: ${option.textContent}`);
    return [...found];
}"""
"""What stands on the page, or is read out, without the brackets of the made-up language; names of players, games and levels apart."""

CUT = """() => {
    const found = [];
    const name = (each) => `${each.tagName.toLowerCase()}#${each.id}.${each.className}: ${each.textContent.trim().slice(0, 60)}`;
    for (const each of document.querySelectorAll('body *')) {
        if (each.closest('svg, .unseen, .rules, .skip, select, pre, .scroll') || !each.checkVisibility()) continue;
        const style = getComputedStyle(each);
        if (style.display === 'inline' || style.textOverflow === 'ellipsis') continue;
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') continue;
        if (![...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim())) continue;
        if (each.scrollWidth > each.clientWidth + 1) found.push(`${name(each)} (${each.scrollWidth} in ${each.clientWidth})`);
        if (style.overflowY === 'hidden' && each.scrollHeight > each.clientHeight + 2 && style.webkitLineClamp === 'none')
            found.push(`${name(each)} (${each.scrollHeight} high in ${each.clientHeight})`);
    }
    for (const text of document.querySelectorAll('svg text')) {
        if (!text.checkVisibility() || !text.textContent.trim() || text.closest('.pans, .rules')) continue;
        const box = text.getBoundingClientRect(), around = text.ownerSVGElement.getBoundingClientRect();
        if (box.width && (box.left < around.left - 2 || box.right > around.right + 2)) found.push(`svg text: ${text.textContent}`);
        const plate = text.parentElement.matches('.sf-piece') ? text.parentElement.querySelector(':scope > rect.sf-card') : null;
        if (plate && box.width > plate.getBoundingClientRect().width + 1) found.push(`svg text wider than its plate: ${text.textContent}`);
    }
    return found;
}"""
"""Text that is wider or higher than what it stands in (and is not meant to end in an ellipsis), and text of a picture that leaves it."""

PEOPLE = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Dolly", "Wilma", "Flossie", "Wooliam", "Lambert", "Sheepfold"]
TITLES = [re.escape(find(name).title) for name in names()]
SHAPES = ((1280, 800), (360, 740))


def looked_at(page, what: str, words: bool = True) -> list[str]:
    """What is wrong with what is on the page now; the `words` are the same in every shape."""
    wrong = page.evaluate(CUT) + sideways(page) + (page.evaluate(BARE, [*PEOPLE, *TITLES]) if words else [])
    return [f"{what}: {each}" for each in wrong]


def in_every_shape(page, what: str) -> list[str]:
    found = []
    for width, height in SHAPES:
        page.set_viewport_size({"width": width, "height": height})
        found += looked_at(page, f"{what} at {width}", words=width == SHAPES[0][0])
    return found


def speaks_pseudo(page, server: str) -> None:
    page.context.add_cookies([{"name": "language", "value": PSEUDO, "url": server}])


def test_every_page_comes_from_the_catalogues_and_fits(visit, server: str) -> None:
    page = visit(forgives="404", at=None)
    speaks_pseudo(page, server)
    addresses = ["/", "/lobby", "/replay", "/offline", "/nowhere", *(f"/{room}/{name}" for name in names() for room in ("new", "rules"))]
    found = []
    for address in addresses:
        page.goto(server + address)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        found += in_every_shape(page, address)
    assert not found, "\n".join(found)


PLIES = {"haste-bock": (4, 30), "shear-panic": (3, 40), "te-kuiti": (2, 25), "sheepzzz": (4, 60), "guerre-des-moutons": (3, 60)}


@pytest.mark.parametrize("game", names())
def test_every_table_comes_from_the_catalogues_and_fits(visit, server: str, played, game: str) -> None:
    seats, plies = PLIES[game]
    ours = lambda position, ply: ply >= plies and position.to_act == 0  # noqa: E731
    addresses = played(game, seats, "pseudo", ours)
    page = visit(at=None)
    speaks_pseudo(page, server)
    page.goto(addresses[0])
    assert my_turn_or_over(page)
    found = []
    for width, height in SHAPES:
        page.set_viewport_size({"width": width, "height": height})
        for tab in ("choices", "log", "others", "more"):
            page.evaluate("(tab) => document.querySelector(`#tab-${tab}`).click()", tab)
            found += looked_at(page, f"{tab} at {width}", words=width == SHAPES[0][0])
    assert not found, "\n".join(found)


def test_chat_and_the_hosts_page_come_from_the_catalogues_and_fit(visit, server: str, played) -> None:
    addresses = played("te-kuiti", 2, "manners", lambda position, ply: ply >= 4)
    ben, anna, host = visit(at=None), visit(at=None), visit(at=None)
    ben.goto(addresses[1])
    ben.click("#tab-chat")
    ben.fill("#chat > form input", "Dolly")
    ben.keyboard.press("Enter")
    found = []
    for page in (anna, host):
        speaks_pseudo(page, server)
    anna.goto(addresses[0])
    anna.click("#tab-chat")
    anna.locator("#chat summary").click()
    found += in_every_shape(anna, "a line of chat")
    anna.locator("#chat details form button").click()
    anna.wait_for_selector("#chat details [role=status]")
    anna.locator("#chat details > button").click()
    anna.locator("#chat summary").click()
    found += in_every_shape(anna, "a muted line")
    host.goto(f"{server}/host")
    found += in_every_shape(host, "the door")
    host.fill("[name=key]", HOST_KEY)
    host.keyboard.press("Enter")
    host.wait_for_selector("article")
    for table in ("nowhere", anna.url):
        host.goto(f"{server}/host?table={table}")
        host.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        found += in_every_shape(host, f"the host's page, {table}")
    host.locator(".sitters button[value=day]").first.click()
    host.wait_for_selector("#silenced")
    found += in_every_shape(host, "the host's page, silenced")
    assert not found, "\n".join(found)


def test_a_replay_comes_from_the_catalogues_and_fits(visit, server: str, database: Path) -> None:
    shelf = Store(f"sqlite:///{database}", alone=False)
    name = put(shelf, finished("haste-bock", 2, "pseudo"))
    shelf.close()
    page = visit(at=None)
    speaks_pseudo(page, server)
    page.goto(f"{server}/replay/{name}")
    page.wait_for_function("() => document.querySelector('#r-log')?.childElementCount > 0")
    found = in_every_shape(page, "replay")
    assert not found, "\n".join(found)


ENGLISH = re.compile(r"\b(the|and|you|your|is|are|with|turn|tile|sheep|fence|wins|play|round|game|rules|shepherd)\b", re.IGNORECASE)


def almost_over(position: Position, ply: int) -> bool:
    """The last round, with few fences left."""
    return position.to_act == 0 and int(getattr(position, "round", 0)) == 1 and int(getattr(position, "supply", 99)) <= 5


def test_a_game_in_french_from_home_to_the_result(visit, played) -> None:
    page = visit(locale="fr-FR")
    seen = []

    def read() -> None:
        seen.append(page.evaluate("""() => { const copy = document.body.cloneNode(true);
            for (const each of copy.querySelectorAll('script, style, code, pre, [lang], .brand, #rules code')) each.remove();
            const labels = [...document.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'));
            return [document.title, copy.innerText, ...labels].join('\\n'); }"""))  # fmt: skip

    read()
    page.locator("a[href='/new/te-kuiti']").click()
    page.wait_for_selector("#setup")
    read()
    page.goto(played("te-kuiti", 2, "cuite", almost_over, bots=True)[0])
    assert my_turn_or_over(page)
    read()
    page.locator("#tab-rules").click()
    page.wait_for_function("() => document.querySelector('#rules')?.childElementCount > 0")
    read()
    page.locator("#tab-choices").click()
    dice = random.Random(5)
    while page.wait_for_function(STATE).json_value() == "lit":
        tap_on(page, dice)
    read()
    assert page.locator("html").get_attribute("lang") == "fr"
    french = Voice([find("te-kuiti").folder / "locale"], "fr")
    assert french.say("panel.over") in page.locator("#board").inner_html() or "gagne" in seen[-1] or "nul" in seen[-1]
    titles = "|".join(re.escape(find(name).title) for name in names())
    english = {line.strip() for text in seen for line in re.sub(titles, "", text).split("\n") if ENGLISH.search(line)}
    assert english == set()
