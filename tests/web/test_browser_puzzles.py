"""A puzzle from one's own game in a real browser, by touch and by keys, on a phone and at a desk; and a plan, to the move it makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_helper import PATIENCE, in_chromium, sideways
from replay_helper import finished, played, put
from sqlalchemy import update
from test_browser_access import examine
from test_browser_coming_back import whose_turn, with_a_friend

from sheepfold.bots.analysis import Finding, asked
from sheepfold.game.session import Session
from sheepfold.table.archive import Analysis, Archive
from sheepfold.table.schema import intents
from sheepfold.table.store import Store

pytestmark = in_chromium


@pytest.fixture
def puzzle(database: Path, server: str) -> str:
    """The address of one, of a game at seat 0 of which `token-0` sits; the bot would turn the tile at the last place."""
    record = finished("te-kuiti", 2, "a puzzle")
    session = Session(record)
    ply = next(ply for ply, event in enumerate(record.events) if event.who == 0 and asked(session, ply) is not None)
    best = max(each for each in session.view(0, ply).legal() if each != record.events[ply].action)
    shelf = Store(f"sqlite:///{database}", alone=False)
    name = put(shelf, record)
    archive = Archive(shelf)
    archive.begin(name, Analysis(played(record).digest(), "done", [ply])).result(30)
    archive.found(name, ply, vars(Finding(ply, 0, [0.5, 0.5], [best], 0.25))).result(30)
    shelf.close()
    return f"{server}/t/{name}/seat/token-0"


def test_a_puzzle_by_touch(visit, puzzle: str) -> None:
    page = visit(1280, 900, at=None)
    page.goto(puzzle)
    page.goto(f"{puzzle.split('/t/')[0]}/puzzles")
    page.locator(".puzzles a").click()
    page.wait_for_selector("#p-board .can")
    assert not sideways(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert not sideways(page) and not examine(page, "a puzzle")
    last = page.locator("#p-choices button").last
    for target in (last.get_attribute("data-targets") or "").split():
        page.locator(f"#p-board [id='{target}']").dispatch_event("click")
    page.wait_for_selector("#verdict.right")
    assert page.evaluate("document.activeElement.id") == "verdict" and not examine(page, "a puzzle")


def test_a_puzzle_by_keys(visit, puzzle: str) -> None:
    page = visit(at=None)
    page.goto(puzzle)
    page.goto(f"{puzzle.split('/t/')[0]}/puzzles")
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('.puzzles a')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#p-choices button")
    page.locator("#p-choices button").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict.right")


def test_a_plan_is_played(visit, server: str, database: Path) -> None:
    """Anna says what she plays whatever Ben does; then it happens, without her."""
    anna, ben = visit(at="/offline"), visit(at=None)
    address = with_a_friend(anna, ben, "te-kuiti")
    first = whose_turn(anna, ben)
    mover, planner = ((anna, ben), (ben, anna))[first]
    planner.goto(f"{address}/ahead")
    assert not sideways(planner) and not examine(planner, "planning")
    planner.locator("form:has(input[name=mine]) button").click()
    planner.wait_for_selector("select[name=step]")
    planner.locator("form.next button").click()
    planner.wait_for_selector("form[method=post] button.large")
    assert not examine(planner, "planning")
    planner.locator("form[method=post] button.large").click()
    planner.wait_for_selector(".ahead li")
    planner.goto(server)
    while mover.evaluate("document.querySelector('#said.mine') !== null"):
        mover.locator("#tab-choices").click()
        mover.locator("#choices button").first.click()
        mover.wait_for_function("() => !document.querySelector('#table[aria-busy]')")
        mover.wait_for_timeout(200)
    shelf = Store(f"sqlite:///{database}", alone=False)
    for _ in range(PATIENCE // 200):  # she would take her time; here it is over at once
        with shelf.engine.begin() as connection:
            if connection.execute(update(intents).where(intents.c.due.is_not(None)).values(due=0.0)).rowcount:
                break
        mover.wait_for_timeout(200)
    shelf.close()
    mover.wait_for_function(
        "() => [...document.querySelectorAll('#log li')].some((line) => /turn/i.test(line.textContent))", timeout=PATIENCE
    )
