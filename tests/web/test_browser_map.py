"""In a real Chromium, on phones: a map has half of the screen, shows where one can go, and leaving the game is no large button."""

from __future__ import annotations

import pytest
from browser_helper import in_chromium, my_turn_or_over

from sheepfold.core.position import Position
from sheepfold.games.guerre_des_moutons.actions import LAY, PASS, RETIRE, TURN
from sheepfold.games.guerre_des_moutons.map import WIDTH

pytestmark = in_chromium
GAME = "guerre-des-moutons"
PHONES = [(390, 844), (360, 640)]
SHARE = "() => document.querySelector('#board').getBoundingClientRect().height / innerHeight"

OUT_OF_REACH = """() => {
    const pointed = new Set([...document.querySelectorAll('.pointing button')].flatMap((each) => each.dataset.to.split(' ')));
    const frame = document.querySelector('#board').getBoundingClientRect();
    return [...document.querySelectorAll('#board .can')].filter((each) => {
        const box = each.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
        const inside = Math.min(x - frame.left, frame.right - x, y - frame.top, frame.bottom - y) > 60;
        return document.elementFromPoint(x, y)?.closest('[id]') === each ? pointed.has(each.id) && inside : !pointed.has(each.id);
    }).map((each) => each.id);
}"""
"""Places that are neither to be tapped in their middle nor pointed at; and those that are pointed at though they are well in sight."""
ON_IT = """(id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('[id]')?.id;
}"""
COVERED = f"""() => [...document.querySelectorAll('#hand .can')].map((each) => each.id).filter((id) => {{
    document.getElementById(id).scrollIntoView({{ block: 'center', behavior: 'instant' }});
    return ({ON_IT})(id) !== id;
}})"""
"""Tiles and buttons in the hand that something else lies on, once they are scrolled to."""
AT_REST = """() => new Promise((done) => {
    const board = document.querySelector('#board');
    let last = '', same = 0;
    const look = () => {
        const here = `${board.scrollLeft} ${board.scrollTop}`;
        same = here === last ? same + 1 : 0;
        last = here;
        if (same > 8) done(); else requestAnimationFrame(look);
    };
    look();
})"""
"""The window has come to where it is going, and arrows point from there."""


def asked(least: int, stage: int, spread: int = 0):
    """In the middle of a game, when the first seat chooses a tile or its place; on a landscape that is so many tiles wide."""

    def enough(position: Position, ply: int) -> bool:
        columns = [int(cell) % WIDTH for cell in position.map.laid_cell]
        return position.to_act == 0 and position.stage == stage and ply >= least and max(columns) - min(columns) >= spread

    return enough


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_half_of_a_phone_is_the_map(visit, played, width: int, height: int) -> None:
    """At the start, and in the middle of the game: while a tile is chosen, and while its place is."""
    page = visit(width, height, has_touch=True, is_mobile=True, reduced_motion="reduce", at=None)
    for enough in asked(0, TURN), asked(70, TURN), asked(70, LAY), asked(130, LAY):
        page.goto(played(GAME, 4, "map 2", enough)[0])
        assert my_turn_or_over(page)
        page.evaluate(AT_REST)
        assert page.evaluate(SHARE) >= 0.5
        assert page.evaluate(OUT_OF_REACH) == []
        hand, happened = (page.locator(name).bounding_box() for name in ("#hand", "#happened"))
        assert happened["y"] >= hand["y"] + hand["height"], "the latest events lie over the hand"
        assert page.evaluate(COVERED) == []


def test_places_outside_the_window_are_pointed_at(visit, played) -> None:
    page = visit(360, 640, has_touch=True, is_mobile=True, reduced_motion="reduce", at=None)
    page.goto(played(GAME, 4, "map 2", asked(120, LAY, 11))[0])
    assert my_turn_or_over(page)
    page.evaluate(AT_REST)
    arrows = page.locator(".pointing button")
    corners = ["0, 0", "document.querySelector('#board').scrollWidth, document.querySelector('#board').scrollHeight"]
    met = 0
    for corner in corners:
        page.evaluate(f"() => document.querySelector('#board').scrollTo({corner})")
        page.evaluate(AT_REST)
        assert page.evaluate(OUT_OF_REACH) == []
        met += arrows.count()
        if not arrows.count():
            continue
        assert arrows.first.bounding_box()["width"] >= 44
        there = arrows.first.get_attribute("data-to").split()[0]
        assert page.locator(f"#{there}").get_attribute("aria-label") in arrows.first.get_attribute("aria-label")
        arrows.first.tap()
        page.evaluate(AT_REST)
        assert page.evaluate(ON_IT, there) == there
        assert page.locator("#board .chosen").count() == 0, "an arrow chooses nothing"
    assert met, "nothing was out of sight: a wider landscape is needed"


def test_who_can_only_pass_is_told_why_and_retiring_is_quiet(visit, played) -> None:
    def only(position: Position, ply: int) -> bool:
        return position.to_act == 0 and position.stage == TURN and list(position.legal()) == [PASS, RETIRE]

    page = visit(360, 640, has_touch=True, is_mobile=True, reduced_motion="reduce", at=None)
    page.goto(played(GAME, 4, "map 10", lambda position, ply: only(position, ply) and len(position.map.laid) == 1)[0])
    assert my_turn_or_over(page)
    assert "village" in page.text_content("#prompt")
    leave, go_on = (page.locator(name).bounding_box() for name in ("#retire", "#pass"))
    assert leave["width"] * leave["height"] < go_on["width"] * go_on["height"] / 2
    assert leave["height"] >= 43 and leave["width"] >= 44, "but a finger can hit it"
    assert page.evaluate(SHARE) >= 0.5
    page.locator("#retire").tap()
    page.locator("#retire-sure.can").wait_for()  # asked once
    assert page.locator("#result").is_hidden()


def test_the_log_has_notation_on_demand(visit, played) -> None:
    """For all games, and this device remembers it."""
    page = visit(at=None)
    page.goto(played("haste-bock", 2, "log", lambda position, ply: position.to_act == 0 and ply > 12)[0])
    assert my_turn_or_over(page)
    codes = page.locator("#log code")
    assert codes.count() and not codes.first.is_visible()
    page.locator("#notation").check()
    assert codes.first.is_visible()
    page.reload()
    codes.first.wait_for(state="visible")
    page.locator("#notation").uncheck()
    page.reload()
    page.wait_for_selector("#log li")
    assert not codes.first.is_visible()
