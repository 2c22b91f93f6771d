"""In a real Chromium, by keys alone: a whole game of each kind; and what else is on a table, without ever losing the focus.

The page's own promise is held to: after a move the focus is on something lit when it is one's turn again, and on the result at the end.
"""

from __future__ import annotations

import random

import pytest
from browser_helper import in_chromium

pytestmark = in_chromium
READY = """() => {
    const result = document.querySelector('#result'), now = document.activeElement;
    if (document.querySelector('#moment[open]')) return now?.closest('#moment') ? 'card' : null;
    if (!result || document.querySelector('#table[aria-busy]')) return null;
    if (!result.hidden) return now === result ? 'over' : null;
    return document.querySelector('#said.mine') && now?.matches(':is(#board, #hand, #others) .can') ? 'lit' : null;
}"""
HERE = """() => {
    const now = document.activeElement, box = now.getBoundingClientRect(), style = getComputedStyle(now);
    return { id: now.id, can: now.matches('.can'), label: now.getAttribute('aria-label'),
             ring: parseFloat(style.outlineWidth), style: style.outlineStyle,
             seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight, preview: document.querySelector('#preview').textContent };
}"""
ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight")


def tab_to(page, selector: str, most: int = 80) -> None:
    """Tab until something like that has the focus."""
    for _ in range(most):
        if page.evaluate("(selector) => Boolean(document.activeElement?.matches(selector))", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by Tab")


def begin(page) -> None:
    """Wait for the first turn of one's own, and go to what is lit."""
    page.wait_for_function("() => document.querySelector('#said.mine') && document.querySelector(':is(#board, #hand) .can')")
    tab_to(page, ":is(#board, #hand) .can")


def goes_on(page) -> bool:
    """Wait for one's turn with the focus on something lit (True), or for the result with the focus on it. A card in between is read."""
    while (state := page.wait_for_function(READY).json_value()) == "card":
        page.keyboard.press("Enter")
    return bool(state == "lit")


def decide(page, dice: random.Random, leave: bool = False) -> None:
    """Some arrows, then Enter or the space bar. What has the focus is seen, named, and told before it is done; `leave`: retire."""
    leaving = leave and page.evaluate("Boolean(document.querySelector('#retire.can'))")
    for _ in range(dice.randrange(4)):
        page.keyboard.press(dice.choice(ARROWS))
    here = page.evaluate(HERE)
    for _ in range(60):
        if here["can"] and (here["id"] == "retire") == leaving:
            break
        page.keyboard.press("ArrowRight")
        here = page.evaluate(HERE)
    if page.locator("#moment[open]").count():  # it came just now, and is read first
        return
    assert here["can"], f"arrows lead to {here}"
    assert here["label"] and here["preview"] == here["label"], f"what it would do is said before it is done: {here}"
    assert here["ring"] >= 3 and here["style"] == "solid" and here["seen"], f"the focus is seen: {here}"
    page.keyboard.press(dice.choice(("Enter", "Space")))


def play_on(page, dice: random.Random) -> int:
    """To the result; how many decisions that took."""
    count = 0
    while goes_on(page):
        decide(page, dice, leave=count > 8)
        count += 1
        assert count < 400, "the game does not end"
    return count


def test_a_whole_game_by_keys_from_the_set_up(visit) -> None:
    page = visit(reduced_motion="reduce")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    tab_to(page, 'a[href="/new/haste-bock"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#setup")
    tab_to(page, "input[name=seats]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('[name=seats]')?.checked && document.querySelector('[data-seat=\"2\"]')?.hidden")
    tab_to(page, "[name=level1]")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('[name=level1]')?.value === 'lamb'")
    tab_to(page, "#setup button.go")
    page.keyboard.press("Enter")
    begin(page)
    assert play_on(page, random.Random(2)) > 10
    assert page.locator("#result li").count() == 2
    tab_to(page, "#result button")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#result')?.hidden && document.querySelector('#board svg')")


@pytest.mark.parametrize(("game", "since"), [("guerre-des-moutons", 0), ("shear-panic", 40), ("sheepzzz", 160), ("te-kuiti", 160)])
def test_a_game_by_keys_to_its_end(visit, played, game: str, since: int) -> None:
    """Long games from somewhere in the middle."""
    page = visit(reduced_motion="reduce", forgives="409" if game == "guerre-des-moutons" else None, at=None)  # a wolf may come first
    page.goto(played(game, 2, "keys", lambda view, ply: view.to_act == 0 and ply >= since, bots=True)[0])
    begin(page)
    assert play_on(page, random.Random(3)) > 8
    assert page.locator("#result li").count() == 2


def test_lists_tools_and_chat_by_keys(visit, played) -> None:
    page = visit(reduced_motion="reduce", at=None)
    page.goto(played("haste-bock", 2, "tools", lambda view, ply: view.to_act == 0 and ply >= 20 and len(view.legal()) > 4, bots=True)[0])
    begin(page)
    assert goes_on(page)
    page.keyboard.press("Enter")
    page.wait_for_selector(".chosen")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.chosen') && document.activeElement?.matches('.can')")
    tab_to(page, "#hint")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#advice')?.textContent.startsWith('I would')")
    tab_to(page, "[role=tab][aria-selected=true]")
    for key, name in (("Home", "choices"), ("End", "more"), ("Home", "choices")):
        page.keyboard.press(key)
        page.wait_for_function("(name) => document.activeElement?.id === `tab-${name}` && !document.getElementById(name).hidden", arg=name)
    tab_to(page, "#choices button")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('#table[aria-busy]') && document.activeElement?.matches('#choices button')")
    page.evaluate("document.querySelector('#undo').focus()")
    length = page.locator("#log li").count()
    page.keyboard.press("Enter")
    page.wait_for_function("(count) => document.querySelectorAll('#log li').length < count", arg=length)
    assert page.evaluate("document.activeElement !== document.body"), "the focus is somewhere"
    tab_to(page, "#tab-choices")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement?.id === 'tab-chat'")
    tab_to(page, "#chat input")
    page.keyboard.type("Baa")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#chat ol')?.textContent.includes('Baa')")
    assert page.evaluate("document.activeElement.matches('#chat input')")


def test_a_shared_screen_is_passed_on_by_keys(visit, server: str) -> None:
    page, dice = visit(reduced_motion="reduce", at=None), random.Random(5)
    page.goto(f"{server}/new/sheepzzz")
    page.locator('label.pick:has-text("2")').first.click()
    page.select_option("[name=kind1]", "me")
    page.click("#setup button.go")
    page.wait_for_function("() => document.querySelector('#curtain:not([hidden]) button')?.textContent")
    tab_to(page, "#curtain button")
    handed = 0
    while handed < 4:
        at = page.wait_for_function(f"() => document.activeElement?.matches('#curtain button') ? 'curtain' : ({READY})()").json_value()
        if at == "curtain":
            told = " ".join(page.text_content(each) for each in ("#live", "#outline", "#log ol", "#hand"))
            assert "draws" not in told and "pillow" not in told, f"nothing of a hand is left behind the curtain: {told}"
            handed += 1
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.querySelector('#curtain')?.hidden")
        else:
            decide(page, dice)
