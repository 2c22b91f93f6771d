"""In a real Chromium: a pace one can follow. Bots hold and go on, moves leave trails, all is shown again, and a moment has its card."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_helper import LIT, READ, STATE, in_chromium, my_turn_or_over, sideways, tap_on
from test_browser_access import examine
from web_helper import serving

from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.game.registry import find
from sheepfold.messages import Voice

pytestmark = in_chromium
HASTE = 0.3
"""Seconds of a pause here; so bots hold where they would at any pace, and else hurry."""
WHILE = 2500
"""Milliseconds in which bots that do not hold have moved."""
PLY = "() => Number(document.getElementById('table').dataset.ply)"
GLIDING = "() => [...document.querySelectorAll('#board .sf-piece')].some((each) => each.getAnimations().length)"
OPEN = "#moment[open]"
RISEN = """() => {
    window.risen = [];
    new MutationObserver((seen) => seen.forEach(({ addedNodes }) => addedNodes.forEach((each) => {
        if (!each.classList?.contains('rising')) return;
        const box = document.getElementById('board').getBoundingClientRect();
        const [x, y] = ['left', 'top'].map((side) => parseFloat(each.style[side]));
        window.risen.push([each.clientHeight, x > box.left && x < box.right && y > box.top && y < box.bottom]);
    }))).observe(document.body, { childList: true });
}"""
TURNS = "document.querySelectorAll('#log li code').length"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pace") / "pace.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """One of its own, whose bots take their time."""
    with serving(database, SHEEPFOLD_BOT_PAUSE=str(HASTE)) as address:
        yield address


def scoring(game: str, text: list[str], at_the_end: bool = False):
    """Whether a move of the first seat brings a moment, after which somebody else is to act, or nobody; `text` is told which."""
    found = find(game)
    voice = Voice([found.folder / "locale"])

    def enough(view: Position, ply: int) -> bool:
        if view.to_act != 0:
            return False
        for action in view.legal():
            after = view.copy()
            after.apply(action)
            wanted = after.to_act == OVER if at_the_end else after.to_act not in (0, CHANCE, OVER)
            if wanted and (moment := found.moment(view, action, after, voice, None)) and moment.gains:
                text[:] = [found.write(view, action)]
                return True
        return False

    return enough


def at_a_moment(visit, played, bots: bool = True, game: str = "haste-bock", **settings):
    """A page whose person has just made a move that scores for several, and the addresses of the others."""
    text: list[str] = []
    addresses = played(game, 3, "wall", scoring(game, text), bots=bots)
    page = visit(at=None, **settings)
    page.goto(addresses[0])
    page.wait_for_selector("#said.mine")
    page.evaluate(RISEN)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    act(page, text[0])
    page.wait_for_selector(OPEN)
    return page, addresses


@pytest.mark.parametrize(("game", "width"), [("te-kuiti", 360), ("guerre-des-moutons", 1280)])
def test_the_card_of_the_end_comes_before_the_result(visit, played, game: str, width: int) -> None:
    text: list[str] = []
    page = visit(at=None, width=width, height=800)
    page.goto(played(game, 2, f"{game} to the end", scoring(game, text, at_the_end=True), bots=True)[0])
    page.wait_for_selector("#said.mine")
    page.evaluate("""() => { window.early = 0; const look = () => {
        if (document.querySelector('#result').checkVisibility() && !document.querySelector('#moment:not([open])')) window.early += 1;
        requestAnimationFrame(look); }; look(); }""")
    act(page, text[0])
    page.wait_for_selector(OPEN)
    assert page.locator("#result").is_hidden()
    assert page.evaluate("window.early") == 0, "nor was it seen before"
    page.click(f"{OPEN} button")
    page.wait_for_selector("#result .first")
    page.wait_for_function("""() => {
        const { top, bottom } = document.querySelector('#result .first').getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight; }""")
    assert page.locator(OPEN).count() == 0


def act(page, text: str) -> None:
    said = page.evaluate(
        """async ([ply, action]) => (await fetch(`${document.getElementById("table").dataset.url}/move`, {
            method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ply, action }) })).status""",
        [page.evaluate(PLY), text],
    )
    assert said == 200


def test_the_card_says_who_got_what_and_bots_wait_for_it(visit, played) -> None:
    page, _ = at_a_moment(visit, played, reduced_motion="reduce")
    assert page.locator(f"{OPEN} li").count() == 3
    gains = page.locator(f"{OPEN} li strong").all_text_contents()
    totals = [int(each.removeprefix("= ")) for each in page.locator(f"{OPEN} .total").all_text_contents()]
    shown = [int(each) for each in page.locator("#players .score").all_text_contents()]
    assert totals == shown
    assert any(each != "+0" for each in gains)
    assert page.evaluate("document.activeElement.closest('#moment') !== null"), "keys are in it"
    assert page.get_attribute("#moment", "aria-labelledby") == "moment-title"
    assert page.locator(".light.on").count() == page.locator(".light").count() > 0, "without motion all is lit at once"
    ply = page.evaluate(PLY)
    page.wait_for_timeout(WHILE)
    assert page.evaluate(PLY) == ply, "bots hold"
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({PLY})() > {ply}")


def test_lights_lie_on_what_scores_also_if_it_has_just_moved(visit, played) -> None:
    page, _ = at_a_moment(visit, played)
    assert page.evaluate(GLIDING) is False, "what has moved is seen first"
    lights, sheep = page.evaluate(
        """() => {
            const at = (each) => { const box = each.getBoundingClientRect(); return [box.x, box.y].map(Math.round).join(); };
            return ["#moment .light", "#board [id^=sheep-]"].map((all) => [...document.querySelectorAll(all)].map(at));
        }"""
    )
    assert lights
    assert set(lights) <= set(sheep)
    page.wait_for_function("() => window.risen.length")
    risen = page.evaluate("() => window.risen")
    assert not any(on_board for _, on_board in risen), "no sum beside the points of single sheep"
    assert all(height < 40 for height, _ in risen), "in one line, also at the edge of the window"


def test_axe_finds_nothing_on_a_card(visit, played) -> None:
    page, _ = at_a_moment(visit, played, reduced_motion="reduce", width=360, height=640, color_scheme="light")
    page.wait_for_function("() => !document.querySelector('#moment.stepping')")
    assert examine(page, "a card", "#moment") == []


@pytest.mark.parametrize("way", ["Space", "Escape", "tap"])
def test_a_key_or_a_tap_anywhere_goes_on(visit, played, way: str) -> None:
    page, _ = at_a_moment(visit, played, width=360, height=640)
    assert sideways(page) == []
    if way == "tap":
        page.mouse.click(180, 20)
    else:
        page.keyboard.press(way)
    page.wait_for_selector(OPEN, state="detached")


def test_a_card_goes_by_itself_where_one_likes_that(visit, played) -> None:
    page = visit(at="/offline")
    page.evaluate("localStorage.setItem('card-goes', 'yes'); localStorage.setItem('pace', 'fast')")
    text: list[str] = []
    page.goto(played("haste-bock", 3, "wall", scoring("haste-bock", text), bots=True)[0])
    page.wait_for_selector("#said.mine")
    act(page, text[0])
    page.wait_for_selector(OPEN)
    page.wait_for_selector(OPEN, state="detached")


def test_a_card_goes_with_what_is_taken_back(visit, played) -> None:
    page, _ = at_a_moment(visit, played)
    page.evaluate("""() => fetch(`${document.getElementById("table").dataset.url}/undo`, { method: "POST" })""")
    page.wait_for_selector(OPEN, state="detached")


def test_nobody_waits_for_another_ones_card(visit, played) -> None:
    page, addresses = at_a_moment(visit, played, bots=False)
    other = visit(at=None)
    other.goto(addresses[1])
    third = visit(at=None)
    third.goto(addresses[2])
    ply = page.evaluate(PLY)
    for each in (other, third):
        each.wait_for_selector("#board svg")
        assert each.locator(OPEN).count() == 0, "who comes later is not shown what was before"
    mover = next(each for each in (other, third) if each.locator("#said.mine").count())
    tap_until(mover, ply)
    page.wait_for_function(f"() => ({PLY})() > {ply}")
    assert page.locator(OPEN).count() == 1, "and the card is still read"


def tap_until(page, ply: int) -> None:
    dice = random.Random(1)
    while page.evaluate(PLY) <= ply and my_turn_or_over(page):
        tap_on(page, dice)


def test_a_move_leaves_a_trail(visit, played) -> None:
    for motion in ("no-preference", "reduce"):
        page = visit(at=None, reduced_motion=motion)
        page.goto(played("haste-bock", 2, f"trail {motion}", lambda view, ply: view.to_act == 0 and ply > 8)[0])
        page.wait_for_selector("#said.mine")
        dice = random.Random(1)
        drawn = f"() => document.querySelector('.trails') ? 'drawn' : ({STATE})()"
        while page.wait_for_function(drawn).json_value() != "drawn":
            tap_on(page, dice)
        found = page.wait_for_function(
            "() => document.querySelector('.trails .trail') && document.querySelector('.trails').getAnimations().length + 1"
        )
        assert found.json_value() == (1 if motion == "reduce" else 2), "it fades, or stands still"


def test_what_the_others_did_is_shown_again(visit, played) -> None:
    page = visit(at=None)
    page.goto(played("haste-bock", 3, "again", lambda view, ply: view.to_act == 0 and ply > 8, bots=True)[0])
    page.wait_for_selector("#said.mine")
    ply = page.evaluate(PLY)
    tap_until(page, ply)
    my_turn_or_over(page)
    page.wait_for_selector("#once-more:not([hidden])")
    lit = "[...document.querySelectorAll('#board .can, #hand .can')].map((each) => each.id).join()"
    now = page.evaluate(PLY)
    page.evaluate(READ)
    page.evaluate(
        """() => { window.captions = []; new MutationObserver(() => {
            const said = document.getElementById("caption")?.textContent;
            if (said && window.captions.at(-1) !== said) window.captions.push(said);
        }).observe(document.getElementById("stage"), { childList: true, subtree: true, characterData: true }); }"""
    )
    page.click("#once-more")
    page.wait_for_selector("#caption span")
    assert page.evaluate(lit) == "", "nothing is chosen in what was"
    page.wait_for_selector("#caption", state="detached")
    captions = page.evaluate("window.captions")
    count = int(captions[-1].split(" ")[2])
    assert [each.split(" ")[0] for each in captions[1:]] == [str(number) for number in range(1, count + 1)]
    page.wait_for_function(f"() => ({lit}) !== ''")
    assert page.evaluate(PLY) == now
    page.click("#once-more")
    page.wait_for_selector("#caption span")
    page.keyboard.press("Escape")
    page.wait_for_selector("#caption", state="detached")
    page.wait_for_function(f"() => ({lit}) !== ''")


def test_behind_a_curtain_nothing_is_shown_again(visit, server: str) -> None:
    page = visit(at=None)
    page.goto(f"{server}/new/sheepzzz")
    page.locator('label.pick:has-text("2")').first.click()
    page.select_option("[name=kind1]", "me")
    page.click("#setup button.go")
    curtain, aside = (
        "#curtain:not([hidden]) button",
        "() => document.querySelector('#curtain').hidden && document.querySelector('#board svg')",
    )
    acted = 0
    for _ in range(60):
        page.wait_for_function(f"() => document.querySelector('{curtain}')?.textContent || document.querySelector('{LIT}, #loose button')")
        if page.locator(curtain).count():
            assert page.locator("#once-more[hidden]").count() == 1
            page.click(curtain)
            page.wait_for_function(aside)
            if acted:
                page.wait_for_selector("#once-more:not([hidden])")
                return
        elif page.locator("#loose button").count():
            page.locator("#loose button").first.click()
            page.wait_for_timeout(50)
        else:
            tap_on(page, random.Random(acted))
        acted = max(acted, page.evaluate(f"() => {TURNS}"))  # behind the next curtain the log is empty
    raise AssertionError("nobody else was asked to come")


def test_the_pace_is_kept_on_this_device_and_told_to_the_server(visit) -> None:
    page = visit()
    with page.expect_request(lambda request: "pace=normal" in request.url):
        page.click('form[action="/play/haste-bock"] button')
    page.click("#tab-more")
    page.wait_for_selector("#pace input[value=normal]:checked")
    with page.expect_request(lambda request: "pace=slow" in request.url):
        page.check("#pace input[value=slow]")
    with page.expect_request(lambda request: "pace=slow" in request.url):
        page.reload()
    page.click("#tab-more")
    page.wait_for_selector("#pace input[value=slow]:checked")


WAIT_AT_ONCE = """() => setInterval(() => { const button = document.getElementById("hold");
    if (button && !button.hidden && !button.disabled && button.ariaPressed !== "true") button.click(); }, 10)"""
"""As somebody who is quick: there is a moment to act after one's own turn."""
HELD = f"""async () => {{
    const before = ({PLY})(), held = document.querySelector('#hold[aria-pressed=true]');
    await new Promise((done) => setTimeout(done, {WHILE}));
    return Boolean(held) && before === ({PLY})() && document.querySelector('#hold[aria-pressed=true]') === held;
}}"""


def test_bots_hold_while_somebody_may_act_out_of_turn(visit, played) -> None:
    text: list[str] = []

    def may_hold(view: Position, ply: int) -> bool:
        if view.to_act != 0 or ply < 20:
            return False
        for action in view.legal():
            after, written = view.copy(), find("guerre-des-moutons").write(view, action)
            after.apply(action)
            while after.to_act == CHANCE:
                after.apply(after.legal()[0])
            if after.to_act > 0 and after.may_interrupt(0) and written != "retire":
                text[:] = [written]
                return True
        return False

    page = visit(at="/offline")
    page.evaluate("localStorage.setItem('pace', 'slow')")
    page.goto(played("guerre-des-moutons", 3, "window", may_hold, bots=True)[0])
    page.wait_for_selector("#said.mine")
    page.click("#tab-more")  # so that what helps is loaded
    page.evaluate(WAIT_AT_ONCE)
    act(page, text[0])
    page.wait_for_function(HELD)
    ply = page.evaluate(PLY)
    page.evaluate("() => { for (let each = 0; each < 10000; each += 1) clearInterval(each); document.getElementById('hold').click(); }")
    page.wait_for_function(f"() => ({PLY})() > {ply}")


def test_two_tiles_that_differ_lie_open_until_somebody_taps(visit, played) -> None:
    """A bot that has opened them holds; at another's tap it goes on."""
    page = visit(at="/offline")
    page.evaluate("localStorage.setItem('pace', 'fast')")
    page.goto(played("te-kuiti", 2, "differ", lambda view, ply: view.to_act == 0 and ply > 3, bots=True)[0])
    asked = []
    page.on("request", lambda request: asked.append(request.post_data) if request.url.endswith("/bots") else None)
    page.wait_for_selector("#said.mine")
    tap_until(page, page.evaluate(PLY))
    for _ in range(200):
        if asked or not my_turn_or_over(page):
            break
        tap_on(page, random.Random(len(asked)))
        page.wait_for_function("() => !document.querySelector('#table[aria-busy]')")
        page.evaluate("() => { if (!document.querySelector('#said.mine')) document.getElementById('board').click(); }")
    assert '{"wish":"go"}' in asked


AS_LIT = """() => {
    const lights = [...document.querySelectorAll('#moment .light')], box = (each) => each.getBoundingClientRect();
    const gap = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
    return lights.length > 0 && lights.every((each) => gap(box(each), box(document.getElementById(each.dataset.on))) < 2);
}"""


def test_the_lights_lie_on_what_scores_when_it_has_come_there(visit, played) -> None:
    page, _ = at_a_moment(visit, played, game="shear-panic", width=360, height=640)
    page.wait_for_function("() => !document.querySelector('#moment.stepping') && document.querySelectorAll('#moment .light.on').length > 0")
    page.wait_for_function(AS_LIT)
    assert page.evaluate("document.getElementById('board').getBoundingClientRect().top >= 0"), "who was at the hand sees the board"
