"""A real Chromium and the hands of a person: what browser tests share. Skipped where there is no Chromium."""

from __future__ import annotations

import random
import re
import shutil
from functools import partialmethod

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (pip install playwright)")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
in_chromium = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need a Chromium in the PATH (apt install chromium)"),
]
LIT = ":is(#board, #hand, #others) .can"
PATIENCE = 120_000
playwright.Page.wait_for_function = partialmethod(playwright.Page.wait_for_function, polling=50)
"""Asked twenty times a second. At every frame, as Playwright does it, takes a tenth of a processor for as long as a page waits."""
just_click = playwright.Page.click


def click_and_arrive(page, *told, **more) -> None:
    """Click; and where that leads to another page, let it be whole. Playwright waits until its first byte has come, and what is then asked
    at once (how many there are, whether something is visible) may not be there yet."""
    just_click(page, *told, **more)
    page.wait_for_load_state("domcontentloaded")


playwright.Page.click = click_and_arrive

READ = "document.querySelector('#moment[open]')?.click()"
"""Who has read a card goes on."""
STATE = f"""() => {{
    const result = document.querySelector('#result');
    {READ};
    if (!result || document.querySelector('#table[aria-busy]')) return null;
    if (!result.hidden) return document.querySelector('#table.reading') ? null : 'over';
    if (document.querySelector('#said.mine')) return document.querySelector('{LIT}') ? 'lit' : 'dark';
    return null;
}}"""
SHOWN = "['board', 'hand', 'others', 'log', 'prompt', 'result', 'note'].map((id) => document.getElementById(id)?.outerHTML).join()"


def my_turn_or_over(page) -> bool:
    """Wait until it is this browser's turn or the game is over; whether it goes on. In one's turn something is lit, always."""
    state = page.wait_for_function(STATE).json_value()
    assert state != "dark", f"nothing is lit, but the page says {page.locator('#prompt').inner_text()!r}"
    return state == "lit"


MIDDLE = """(name) => {
    READ;
    const box = document.getElementById(name)?.getBoundingClientRect();
    for (const [across, down] of [[4, 4], [2, 4], [6, 4], [4, 2], [4, 6], [2, 2], [6, 6], [2, 6], [6, 2], [1, 4], [7, 4], [4, 1], [4, 7]]) {
        const [x, y] = box ? [box.x + box.width * across / 8, box.y + box.height * down / 8] : [-1, -1];
        if (document.elementFromPoint(x, y)?.closest('[id]:is(.can, .chosen)')?.id === name) return [x, y];
    }
    return null;
}""".replace("READ", READ)
"""Where a person would put the finger: a point that is nobody else's, as near to the middle as may be (a group's places have gaps)."""


GLIDING = """() => document.getAnimations().some((each) =>
    each.playState === 'running' && Number.isFinite(each.effect.getComputedTiming().endTime) && !each.effect.target?.closest('.hinted'))"""


AIM = f"""async (name) => {{
    const lit = () => [...document.querySelectorAll('{LIT}')].some((each) => each.id === name), middle = {MIDDLE}, gliding = {GLIDING};
    document.getElementById(name)?.scrollIntoView({{block: 'center'}});
    let point = null;
    for (let look = 0; look < 250; look += 1) {{  // the page may still be bringing things into view, and what has moved may be gliding
        const before = point;
        point = middle(name);
        if (!point && !lit()) return 'gone';
        if (point && `${{point}}` === `${{before}}` && !gliding()) break;
        await new Promise((done) => setTimeout(done, 20));
    }}
    window.shown = {SHOWN};
    return point;
}}"""
ANSWERED = f"() => {SHOWN} !== window.shown && [document.querySelector('#note').textContent]"


def tap_on(page, dice: random.Random, late: bool = False, leave: bool = False) -> None:
    """Tap something that is lit, as a person does. It must do something, and nothing wrong; `late`: somebody may have been quicker;
    `leave`: retire, if one may."""
    names = page.evaluate(f"() => [...document.querySelectorAll('{LIT}')].map((each) => each.id)")
    if not names:  # somebody else acted just now, out of turn
        return
    staying = [each for each in names if each != "retire"] or names  # nobody gives up a game by chance
    name = "retire" if leave and "retire" in names else dice.choice(staying)
    point = page.evaluate(AIM, name)
    assert point, f"{name} is lit, but other things cover it"
    if point == "gone":
        return
    page.mouse.click(*point)
    (note,) = page.wait_for_function(ANSWERED, timeout=60_000).json_value()
    assert note == "" or (late and re.search("an older position|is to play", note)), f"tapping {name}: {note}"


def play_to_the_end(page, dice: random.Random, most: int, late: bool = False, stay: int = 1000) -> int:
    """Random taps until the result is shown; how many they were. After `stay` taps one retires, where that can be."""
    taps = 0
    while my_turn_or_over(page):
        tap_on(page, dice, late, taps >= stay)
        taps += 1
        assert taps < most, "the game does not end"
    return taps


SIDEWAYS = """() => {
    const wide = document.documentElement.clientWidth, found = [];
    if (document.documentElement.scrollWidth > wide) found.push(`page ${document.documentElement.scrollWidth}`);
    for (const each of document.querySelectorAll("main *, header *")) {
        if (each.closest(".unseen, .rules, defs, symbol, .pans #board > svg") ||  // the landscape moves inside its own window
            each.closest("svg") && !each.matches("svg, text, .can, .sf-piece")) continue;
        const box = each.getBoundingClientRect(), middle = box.left + box.width / 2;
        const [left, right] = each.matches(".can, .sf-piece") ? [middle, middle] : [box.left, box.right];
        if (box.width && (left < -1 || right > wide + 1)) found.push(`${each.tagName}#${each.id} ${left} ${right}`);
    }
    return found;
}"""


def sideways(page) -> list[str]:
    """What is cut off or makes the page scroll sideways, in the picture too."""
    return list(page.evaluate(SIDEWAYS))
