"""In a real Chromium: every guided first game to its end by taps, left and found again, gone astray from; rules beside the board; tips."""

from __future__ import annotations

import pytest
from browser_helper import MIDDLE, in_chromium
from playwright.sync_api import TimeoutError

from sheepfold.game import rule_figures
from sheepfold.game.registry import find
from sheepfold.table.lesson import lesson

pytestmark = in_chromium
LESSONS = [
    ("haste-bock", 360, "fight"), ("shear-panic", 1280, "lorry"), ("te-kuiti", 1280, "shepherd"), ("sheepzzz", 360, "start"),
    ("guerre-des-moutons", 360, "turn"),
]  # fmt: skip

NEXT = f"""() => {{
    document.querySelector('#moment[open]')?.click();
    const guide = document.querySelector('#guide'), finger = document.querySelector('#finger');
    if (!guide?.dataset.at || document.querySelector('#table[aria-busy]')) return null;
    if (!guide.querySelector('.over').hidden) return 'over';
    if (finger.hidden) return null;
    const name = finger.dataset.at, point = ({MIDDLE})(name);
    return point && {{ name, point, at: guide.dataset.at }};
}}"""
"""Where to tap for what is asked; null while others act or things still move."""
GONE_ON = "(at) => document.querySelector('#guide')?.dataset.at !== at"
TOP = "document.querySelector('{}').getBoundingClientRect().top"


def begin(page, game: str, words: str = "Learn") -> None:
    page.locator(f'form[action="/learn/{game}"] button', has_text=words).click()
    page.wait_for_function("() => document.querySelector('#guide')?.dataset.at")


def follow(page, taps: int = 100) -> bool:
    """Do what is asked, tap by tap; whether the lesson is over."""
    for _ in range(taps):
        following = page.wait_for_function(NEXT).json_value()
        if following == "over":
            return True
        page.mouse.click(*following["point"])
        try:
            page.wait_for_function(GONE_ON, arg=following["at"], timeout=4000)
        except TimeoutError:
            continue  # a scoring card came before the tap, which only closed it
        assert page.text_content("#note") == ""
    return False


def asked(page) -> str:
    page.wait_for_function(NEXT)
    return str(page.text_content("#guide .ask"))


@pytest.mark.parametrize(("game", "width", "section"), LESSONS, ids=[game for game, *_ in LESSONS])
def test_a_first_game_and_its_rules(visit, server, game, width, section):
    page = visit(width, 800 if width > 900 else 640, reduced_motion="reduce", at=None)
    page.goto(f"{server}/rules/{game}")
    sizes = "all => all.map((each) => [each.clientWidth, each.clientHeight, each.querySelectorAll('use').length])"
    boxes = page.eval_on_selector_all("figure > svg", sizes)
    assert len(boxes) == sum(block.count("\n---") for block in rule_figures.FENCE.findall(find(game).help("en")))
    assert all(wide > 60 and high > 30 and uses > 2 for wide, high, uses in boxes)
    page.goto(server)
    begin(page, game)
    page.wait_for_function(NEXT)
    if width > 900:
        page.locator("#rule").click()
    else:  # the guide stands where the prompt and its link to the rule would be
        page.locator("#tab-rules").click()
    page.wait_for_function("(name) => document.querySelector('#rules .here')?.id === name", arg=f"rule-{section}")
    page.wait_for_function(f"() => Math.abs({TOP.format('#rules .here')} - {TOP.format('#panels')}) < 60")
    if width < 900:
        page.locator("#tab-rules").click()
    assert follow(page)
    assert page.locator("#guide .over .go").inner_text() == "Play a real game now"
    page.wait_for_function("async (name) => !(await (await fetch('/')).text()).includes(`/learn/${name}`)", arg=game)


def test_a_lesson_is_left_and_found_again(visit, server):
    page = visit(reduced_motion="reduce")
    begin(page, "te-kuiti")
    follow(page, 2)
    words, address = asked(page), page.url
    page.goto(server)
    begin(page, "te-kuiti", "Go on learning")
    assert page.url == address and asked(page) == words
    page.locator("#guide .count [data-wish=leave]").click()
    page.wait_for_function("() => document.querySelector('#guide')?.hidden")
    page.wait_for_selector("#said.mine")
    page.goto(server)
    assert page.locator('form[action="/learn/te-kuiti"]').count() == 0
    assert page.locator('form[action="/learn/sheepzzz"]').count() == 1


def test_another_move_is_kindly_met(visit):
    page = visit(reduced_motion="reduce")
    begin(page, "haste-bock")
    first = asked(page)
    for name in ("sheep-b2", "sheep-g1"):
        point = page.wait_for_function(f"() => ({MIDDLE})('{name}')").json_value()
        page.mouse.click(*point)
    page.wait_for_selector("#guide .astray:not([hidden])")
    assert "allowed" in page.text_content("#guide .said") and "rams" in page.text_content("#guide .did")
    page.locator("#guide .astray [data-wish=again]").click()
    page.wait_for_selector("#guide .astray", state="hidden")
    assert asked(page) == first
    page.locator("#guide .count [data-wish=show]").click()
    page.wait_for_function("(words) => !['', words].includes(document.querySelector('#guide .ask')?.textContent ?? '')", arg=first)
    assert "one field" in page.text_content("#guide .said")


def test_things_explain_themselves(visit, server, played):
    """By resting on them with the mouse, by a long press, by focus."""
    address = played("sheepzzz", 2, "tips", lambda position, ply: position.to_act == 0 and ply > 20)[0]
    page = visit(reduced_motion="reduce", has_touch=True, at=None)
    page.goto(address)
    page.wait_for_selector("#said.mine")
    deck = page.locator("#deck").bounding_box()
    middle = deck["x"] + deck["width"] / 2, deck["y"] + deck["height"] / 2
    page.touchscreen.tap(*middle)  # quick, while what explains things is still on its way: a tap, not a long press
    page.evaluate("window.tapped = performance.now()")
    page.wait_for_function("() => performance.now() > window.tapped + 800")
    assert page.locator("#tip:not([hidden])").count() == 0
    assert page.text_content("#note") != ""
    page.locator("#board").click(position={"x": 3, "y": 3})
    assert page.text_content("#note") == ""
    page.mouse.move(*middle)
    page.wait_for_selector("#tip:not([hidden])")
    assert "you draw a card after each play" in page.text_content("#tip")
    page.mouse.move(2, 2)
    page.wait_for_selector("#tip", state="hidden")
    card = page.locator("#hand .can").first
    card.focus()
    page.wait_for_function("() => document.querySelector('#hand .can')?.getAttribute('aria-description')?.length > 20")
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": middle[0], "y": middle[1]}]})
    page.wait_for_selector("#tip:not([hidden])")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.text_content("#note") == ""  # a long press is no tap


def test_lessons_are_as_long_as_they_say():
    assert all(8 <= len(lesson(find(game)).steps) <= 14 for game, *_ in LESSONS)


def test_the_contents_follow_the_reader(visit, server):
    page = visit(at=None)
    page.goto(f"{server}/rules/haste-bock")
    small = page.evaluate("Number(document.querySelector('figure > svg').getAttribute('width'))")
    assert page.locator("figure > svg").first.bounding_box()["width"] > 1.4 * small, "figures are large here"
    page.click(".contents a[href='#rule-points']")
    page.wait_for_function("() => document.querySelector('.contents [aria-current]')?.hash === '#rule-points'")
    assert page.locator(".contents .go").bounding_box()["y"] >= 0, "they stay beside the text"
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => !document.querySelector('.contents details').open")
    page.evaluate("scrollTo(0, 0)")
    page.click(".contents summary")
    page.click(".contents a[href='#rule-end']")
    page.wait_for_function("() => Math.abs(document.querySelector('#rule-end').getBoundingClientRect().top) < 100")
    assert not page.evaluate("document.querySelector('.contents details').open"), "the text has the room again"
