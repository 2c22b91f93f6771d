"""Rated games in a real browser: agreed to, played to the end between two people, and looked at on everybody's screens."""

from __future__ import annotations

import random
import time
from itertools import product
from pathlib import Path

import pytest
from browser_helper import READ, in_chromium, sideways
from sqlalchemy import insert
from test_browser_access import examine

from sheepfold.people.ratings import recount
from sheepfold.table.schema import profiles, rated_games, rated_seats
from sheepfold.table.store import Store

pytestmark = in_chromium
SCENE = "(url) => fetch(url + '/scene').then((answer) => answer.json())"
MOVE = """([url, wish]) => fetch(url + '/move', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(wish)})
    .then((answer) => answer.status)"""
COUNTED = f"""() => {{ {READ}; const said = document.querySelector('#result .rated');
    return said?.checkVisibility() && said.textContent.includes('→'); }}"""
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def rated_table(page, server: str, game: str, other: str) -> str:
    """Anna makes a rated table; its address."""
    page.goto(f"{server}/new/{game}")
    page.locator('label.pick:has-text("2")').first.click()
    page.fill("[name=name0]", "Anna")
    page.select_option("[name=kind1]", other)
    page.click("details:has([name=rated]) summary")
    page.check("[name=rated]")
    page.click("#setup button.go")
    page.wait_for_function("() => document.querySelector('#board svg')")
    return page.url


def play(pages, dice: random.Random) -> None:
    """Both move until the game is over, as their pages would; whoever may, retires."""
    while True:
        for page in pages:
            shown = page.evaluate(SCENE, page.url)
            if shown["status"] == "over":
                return
            if shown["actions"]:
                actions = [each["action"] for each in shown["actions"]]
                wish = {"ply": shown["ply"], "action": "retire" if "retire" in actions else dice.choice(actions), "seat": shown["seat"]}
                assert page.evaluate(MOVE, [page.url, wish]) == 200


def test_a_rated_game_between_two_people(visit, server: str) -> None:
    anna, ben = visit(at=None), visit(390, 844, color_scheme="dark", at=None)
    table = rated_table(anna, server, "guerre-des-moutons", "open")
    ben.goto(table)
    assert "Whoever sits down agrees" in ben.inner_text("#waiting")
    assert examine(ben, "invited to a rated game", "#waiting") == []
    ben.locator("#waiting form:not([hidden]) [name=name]").fill("Ben")
    ben.locator("#waiting form:not([hidden]) button.go").click()
    for page in (anna, ben):
        page.wait_for_selector("#waiting", state="hidden")
        page.wait_for_function("() => document.querySelectorAll('#more .rated li a').length === 2")
        assert page.get_attribute("#hint", "aria-disabled") == "true"
    play((anna, ben), random.Random(8))
    for page in (anna, ben):
        page.wait_for_function(COUNTED)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert examine(page, "the end of a rated game", "#result") == []
    ben.locator("#result .rated a", has_text="Anna").click()
    assert ben.inner_text("h1") == "Anna" and "1 rated game" in ben.inner_text("main")
    ben.goto(f"{server}/mine")
    ben.click("#profile a.go")
    own = ben.url
    assert ben.inner_text("h1") == "Ben" and "This is your page" in ben.inner_text("main")
    ben.goto(f"{server}/mine")
    ben.click("#profile form button")
    assert anna.request.get(own).status == 404
    anna.reload()
    anna.wait_for_function(COUNTED)
    assert anna.locator("#result .rated a").all_inner_texts() == ["Anna"], "whose page is off is not linked"


def test_a_hint_is_not_taken_by_mistake(visit, server: str) -> None:
    page = visit(at=None)
    rated_table(page, server, "haste-bock", "bot")
    page.wait_for_selector("#said.mine")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept() if len(asked) > 1 else dialog.dismiss()))
    page.click("#hint")
    assert asked and page.evaluate(SCENE, page.url)["rated"] == "on" and page.inner_text("#note") == ""
    page.click("#hint")
    page.wait_for_function("() => document.querySelector('#more .rated')?.textContent.includes('a hint was taken')")
    page.wait_for_function("() => document.querySelector('#advice').textContent.length > 1")
    page.click("#hint")
    assert len(asked) == 2 and page.evaluate(SCENE, page.url)["rated"] == "hint"


@pytest.fixture(scope="module")
def known(database: Path, server: str) -> str:
    """Somebody with many games against people and bots; their number."""
    dice, store = random.Random(1), Store(f"sqlite:///{database}", alone=False)
    people = {"somebody-known": "Wilhelmina von Schafhausen", "somebody-else": "Ben", "somebody-hidden": "Gus"}
    pool = [*people, "bot:lamb", "bot:ewe", "bot:ram", "bot:bellwether"]
    began = time.time() - 90 * 86400
    with store.engine.begin() as connection:
        for player, name in people.items():
            row = {"id": player, "person": f"the person of {player}", "name": name, "shown": name != "Gus", "at": 0.0}
            connection.execute(insert(profiles).values(**row))
        for number in range(60):
            game = ("te-kuiti", "haste-bock", "sheepzzz")[number % 3]
            connection.execute(insert(rated_games).values(table_id=f"known-{number}", game=game, ended=began + 1800 * number))
            for seat, player in enumerate(["somebody-known", *dice.sample(pool[1:], 1 if number % 3 == 0 else 2)]):
                connection.execute(
                    insert(rated_seats).values(table_id=f"known-{number}", seat=seat, player=player, rank=1 + (seat + number // 3) % 3)
                )
    store.close()
    recount(f"sqlite:///{database}")
    return "somebody-known"


def test_pages_fit_every_screen(visit, server: str, known: str) -> None:
    page = visit(at=None)
    for address in (f"/player/{known}", "/players"):
        page.goto(server + address)
        text = page.inner_text("main")
        assert "Wilhelmina von Schafhausen" in text and "Gus" not in text and "Bellwether" in text
        assert ("Beat the bellwether" in text and "games in one evening" in text) or address == "/players"
        assert page.locator(".rating-plot").count() == (0 if address == "/players" else 3)
        for size, scheme in product((DESK, PHONE), ("light", "dark")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            assert sideways(page) == [], (address, size)
            if address == "/players":
                continue
            drawn = page.eval_on_selector_all(".rating-plot text", "(all) => all.map((each) => each.getBoundingClientRect().height)")
            assert min(drawn) > 11, "what stands at a plot can be read"
            lit = page.eval_on_selector(".rating-plot .rating", "(line) => getComputedStyle(line).stroke")
            assert lit != page.evaluate("getComputedStyle(document.querySelector('.pools .card')).backgroundColor")


def test_axe_finds_nothing_where_people_are_rated(visit, server: str, known: str) -> None:
    page = visit(reduced_motion="reduce", at=None)
    wrong = []
    for address in (f"/player/{known}", "/players"):
        page.goto(server + address)
        wrong += examine(page, address)
    page.goto(server)
    page.click('form[action="/play/te-kuiti"] button')
    page.wait_for_selector("#board svg")
    page.goto(f"{server}/mine")
    wrong += examine(page, "one's own page, to be switched on", "#profile")
    page.click("#profile button")
    wrong += examine(page, "one's own page", "#profile")
    page.click("#profile a.go")
    wrong += examine(page, "without a game")
    assert wrong == []
