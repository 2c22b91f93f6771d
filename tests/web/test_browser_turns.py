"""In a real browser: whose turn it is, what a tap would bring, points as they are given, and hints that point at the board."""

from __future__ import annotations

import time

import pytest
from browser_helper import PATIENCE, in_chromium

from sheepfold.game.game import Game
from sheepfold.game.registry import find

pytestmark = in_chromium

RISEN = """() => {
    window.risen = [];
    new MutationObserver((seen) => seen.forEach(({ addedNodes }) => addedNodes.forEach((each) => {
        if (each.classList?.contains('rising')) window.risen.push([each.textContent, getComputedStyle(each).animationName]);
    }))).observe(document.body, { childList: true });
}"""
STANDS = """() => ['board', 'hand', 'tabs', 'bar'].map((id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return [box.x, box.y, box.height];
})"""


def scores(game: Game):
    """A decision of seat 0 where some choices bring points at once, and others do not."""
    return lambda view, ply: view.to_act == 0 and len({bool(game.gain(view, action)) for action in view.legal()}) == 2


def at(visit, played, name: str, seats: int = 2, late: str = "", **how):
    """A page where it is one's turn and something scores; what comes from some address comes late."""
    page = visit(at=None, **how)
    if late:
        page.route(late, lambda route: (time.sleep(1.5), route.continue_()))
    page.goto(played(name, seats, "scoring", scores(find(name)), bots=True)[0])
    page.wait_for_selector("#said.mine", timeout=PATIENCE)
    return page


def test_ones_own_turn_is_unmistakable(visit, played) -> None:
    page = at(visit, played, "haste-bock", late="**/notices.js*")
    assert page.text_content("#my-turn") == "Your turn" and page.is_visible("#my-turn .mark")
    assert page.title() == "● Your turn – Haste Bock?"
    assert "Anna" not in page.text_content("#prompt"), "it says what to do, and needs no name"
    page.wait_for_function("() => document.querySelector('link[rel=icon]').href.startsWith('data:')")
    watching = visit(at=None)
    watching.goto(page.url)
    watching.wait_for_function("() => document.getElementById('table').dataset.ply")
    assert watching.is_hidden("#my-turn") and watching.title().startswith("Haste Bock?")
    assert watching.text_content("#prompt") != page.text_content("#prompt")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_points_stand_on_what_is_lit_and_rise_when_given(visit, played, motion: str) -> None:
    page = at(visit, played, "haste-bock", reduced_motion=motion)
    page.evaluate(RISEN)
    best = page.evaluate(
        """async () => {
            const scene = await (await fetch(location.pathname + '/scene', { headers: { Accept: 'application/json' } })).json();
            return scene.actions.filter((each) => each.gain).sort((one, other) => other.gain - one.gain)[0];
        }"""
    )
    before = int(page.text_content("#players li:first-child .score"))
    for step, name in enumerate(best["targets"]):
        if step == len(best["targets"]) - 1:
            shown = f"() => [...document.querySelectorAll('.gains text')].some((each) => each.textContent === '+{best['gain']}')"
            page.wait_for_function(shown, timeout=PATIENCE)
        page.evaluate("(name) => document.getElementById(name).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))", name)
    page.wait_for_function(f"() => window.risen.some(([text]) => text === '+{best['gain']}')", timeout=PATIENCE)
    names = {name for _, name in page.evaluate("window.risen")}
    assert names == ({"none"} if motion == "reduce" else {"rise"}), "without motion it stands still"
    page.wait_for_function(f"() => Number(document.querySelector('#players li:first-child .score').textContent) >= {before + best['gain']}")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_hint_points_at_the_board_and_moves_nothing(visit, played, width: int) -> None:
    page = at(visit, played, "haste-bock", width=width, height=844)
    page.wait_for_function("() => !document.getAnimations().some((each) => each.playState === 'running')", timeout=PATIENCE)
    before = page.evaluate(STANDS)
    page.click("#hint")
    page.wait_for_selector(".way rect", state="attached", timeout=PATIENCE)
    said = page.text_content("#advice")
    assert said.startswith("I would:") and "100" not in said
    assert page.evaluate(STANDS) == before and page.text_content("#note") == ""
    assert page.locator("#side > #advice").count() == (width == 1280), "where there is room it has a place of its own"
    page.keyboard.press("Escape")
    assert page.text_content("#advice") == "" and page.locator(".way").count() == 0


def test_beside_three_buttons_a_phone_has_room_for_the_latest_move(visit, played) -> None:
    page = at(visit, played, "haste-bock", 4, width=390, height=844)
    page.wait_for_selector("#once-more")
    assert all(page.is_visible(name) for name in ("#undo", "#hint", "#once-more"))
    longest = "Dan: red r1 bumps blue b2 and yellow y2 to the north. The time piece moves to 24."
    cut = """(text) => { const line = document.getElementById('preview'); line.textContent = text;
        return line.scrollHeight > line.clientHeight; }"""
    assert not page.evaluate(cut, longest) and page.evaluate(cut, 2 * longest)


def test_among_people_there_are_hints_only_where_the_table_was_made_so(visit, server: str) -> None:
    page = visit(at=None)
    for hints in (False, True):
        page.goto(f"{server}/new/haste-bock")
        page.click("label:has(input[name=seats][value='2'])")
        page.select_option("[name=kind1]", "me")
        page.click("details:has([name=hints]) summary")
        if hints:
            page.check("[name=hints]")
        page.click("#setup button.go.large")
        page.wait_for_selector("#said.mine", timeout=PATIENCE)
        assert page.text_content("#my-turn").endswith("'s turn"), "who shares a screen reads whose of them it is"
        assert (page.get_attribute("#hint", "aria-disabled") == "true") is not hints
        page.dispatch_event("#hint", "click")  # what is refused can still be asked
        if hints:
            page.wait_for_selector(".way rect", state="attached", timeout=PATIENCE)
        else:
            assert "Among people there are no hints" in page.text_content("#note")
