"""In a real Chromium: whole games of packages that are not ours, drawn by the defaults."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator

import pytest
from browser_helper import in_chromium, play_to_the_end, sideways
from web_helper import serving

from package_helper import EXAMPLE, environment_with

pytestmark = in_chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One of its own, where the example and a new game are installed."""
    room = tmp_path_factory.mktemp("packages")
    subprocess.run([sys.executable, "-m", "sheepfold", "new-game", "hill-top"], cwd=room, check=True, capture_output=True)
    with serving(room / "browser.db", **environment_with(room / "installed", EXAMPLE, room / "hill-top")) as address:
        yield address


SHAPES = [(1280, 800), (390, 844)]


@pytest.mark.parametrize(("game", "shape"), [("clover-thief", SHAPES[0]), ("hill-top", SHAPES[1])])
def test_a_whole_game_by_taps(visit, game: str, shape: tuple[int, int]) -> None:
    page = visit(reduced_motion="reduce")
    page.click(f'form[action="/play/{game}"] button')
    page.wait_for_selector("#board svg")
    for width, height in (*SHAPES, shape):
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) == []
    assert play_to_the_end(page, random.Random(1), 60) > 1
    assert page.locator("#result li").count() == 4
    page.click('#result a[href^="/replay/"]')
    page.wait_for_selector("#r-board svg")
    assert page.inner_text("#r-story") == "Before the first move."


def test_only_the_own_hand_is_shown(visit) -> None:
    page = visit(reduced_motion="reduce")
    page.click('form[action="/play/clover-thief"] button')
    page.wait_for_selector("#hand [id^=choice-]")
    held = page.locator('#hand [aria-label^="The sheep of"] text').all_text_contents()[-1]
    offered = [label.removeprefix("Send sheep ") for label in page.locator("#hand [id^=choice-] text").all_text_contents()]
    assert held.split(", ") == offered and len(offered) == 3
    assert page.locator('[aria-label^="The sheep of"]').count() == 1
