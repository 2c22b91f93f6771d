"""The end of a game in a real Chromium: how it came about, the turning point, the picture to share, the page for friends."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from browser_helper import in_chromium, sideways
from replay_helper import finished, put
from test_browser_access import examine

from sheepfold.game.ending import ending
from sheepfold.game.records import Record
from sheepfold.game.session import Session
from sheepfold.table.store import Store

pytestmark = in_chromium
TOLD = "#result:not([hidden]) > .came-about .parts"

MIDDLE_IN_SIGHT = (
    "() => { const box = document.getElementById('board').getBoundingClientRect(); return (box.top + box.bottom) / 2 < innerHeight; }"
)


@pytest.fixture
def ended(database: Path, server: str):
    """Store a finished game, of which the first seat is a person's and the others bots'; its table's id."""

    def store(game: str, seats: int, seed: str = "the end") -> str:
        record = finished(game, seats, seed)
        shelf = Store(f"sqlite:///{database}", alone=False)
        name = put(shelf, Record(record.setup, record.events, ["Anna", "Ben", "Cleo", "Dan", "Somebody with a name"][:seats]), 1)
        shelf.close()
        return name

    return store


@pytest.mark.parametrize(
    ("game", "seats", "width", "height", "heading"),
    [
        ("haste-bock", 4, 1280, 900, "You win!"),
        ("sheepzzz", 5, 360, 640, "Ben wins!"),
        ("te-kuiti", 1, 768, 1024, "Not this time: 13 points."),
    ],
)
def test_the_end_is_told_beside_the_board(visit, server: str, ended, game: str, seats: int, width: int, height: int, heading: str) -> None:
    page = visit(width, height, at=f"/t/{ended(game, seats)}/seat/token-0")
    page.wait_for_selector(TOLD)
    assert page.locator("#result li").count() == seats
    assert page.locator("#result > h2").all_inner_texts() == [heading]
    assert page.locator("#result .parts tfoot td").all_inner_texts() == page.locator("#result li .score").all_inner_texts()
    page.wait_for_function("() => document.querySelector('#result .cheer img').naturalWidth > 0")
    assert sideways(page) == []
    assert examine(page, f"the end of {game}", "#result") == []
    if width < 900:  # the board is below, one tap away
        page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
        assert not page.evaluate(MIDDLE_IN_SIGHT)
        page.click("#result a[href='#board']")
        page.wait_for_function(MIDDLE_IN_SIGHT)
    else:
        page.wait_for_selector("#result.more")
        page.evaluate("() => document.getElementById('result').scrollTo({ top: 10_000, behavior: 'instant' })")
        page.wait_for_selector("#result:not(.more)")
        assert (
            page.locator("#board").bounding_box()["x"] + page.locator("#board").bounding_box()["width"]
            <= page.locator("#result").bounding_box()["x"]
        )


def test_the_turning_point_leads_into_the_replay(visit, ended) -> None:
    seed = next(seed for seed in map(str, range(50)) if ending(Session(finished("haste-bock", 4, seed))).turned)
    page = visit(at=f"/t/{ended('haste-bock', 4, seed)}")
    page.wait_for_selector(TOLD)
    link = page.locator("#result a[href*='?ply=']")
    ply = link.get_attribute("href").split("=")[1]
    link.click()
    page.wait_for_function("(ply) => document.getElementById('r-slider')?.value === ply", arg=ply)


def test_a_last_move_taken_back_takes_the_result_with_it(visit, ended) -> None:
    page = visit(at=f"/t/{ended('te-kuiti', 1)}/seat/token-0")
    page.wait_for_selector(TOLD)
    page.click("#undo")
    page.wait_for_selector("#result", state="hidden")
    page.wait_for_selector("#said.mine")


def test_the_picture_to_share_is_a_png(visit, server: str, ended, tmp_path: Path) -> None:
    """Where the system shares files it is handed over, with the link; else it is saved."""
    name = ended("haste-bock", 4)
    page = visit(at=f"/t/{name}")
    page.wait_for_selector(TOLD)
    with page.expect_download() as download:
        page.click("#result .share a")
    download.value.save_as(tmp_path / "result.png")
    picture = (tmp_path / "result.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1440, 756)
    page.wait_for_function("() => document.querySelector('#result .share [role=status]').textContent")
    page.evaluate("() => { navigator.canShare = () => true; navigator.share = async (given) => { window.given = given; }; }")
    page.click("#result .share a")
    page.wait_for_function("() => window.given")
    assert page.evaluate("() => [window.given.files[0].type, window.given.files[0].size > 5000]") == ["image/png", True]
    assert f"{server}/result/{name}" in page.evaluate("() => window.given.text")


def test_friends_find_the_result_at_its_own_address(visit, server: str, ended) -> None:
    page = visit(at=f"/result/{ended('sheepzzz', 5)}")
    assert sideways(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert sideways(page) == []
    assert examine(page, "a result") == []
    page.click("form[action='/play/sheepzzz'] button")
    page.wait_for_selector("#board svg")


def test_the_feast_keeps_still_for_who_likes_that(visit, ended) -> None:
    name = ended("haste-bock", 4)
    moves = "() => document.getAnimations().length"
    assert visit(at=f"/result/{name}/feast.svg").evaluate(moves) > 0
    assert visit(at=f"/result/{name}/feast.svg", reduced_motion="reduce").evaluate(moves) == 0
