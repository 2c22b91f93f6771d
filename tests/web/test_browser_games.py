"""In a real Chromium: a game of each kind by taps to its end, most of them whole."""

from __future__ import annotations

import random
import re

import pytest
from browser_helper import in_chromium, play_to_the_end

pytestmark = in_chromium


def test_from_play_now_to_the_result_and_once_more(visit) -> None:
    page = visit(reduced_motion="reduce")
    page.click('form[action="/play/haste-bock"] button')
    page.wait_for_selector("#board svg")
    assert play_to_the_end(page, random.Random(1), 400) > 10
    ranks = page.locator("#result li")
    assert ranks.count() == 4
    page.click("#result button")
    page.wait_for_selector("#board svg")
    assert page.locator("#result").is_hidden()


@pytest.mark.parametrize(("game", "players", "most"), [("guerre-des-moutons", 2, 400), ("shear-panic", 2, 600), ("te-kuiti", 1, 400)])
def test_a_whole_game_by_taps(visit, game: str, players: int, most: int) -> None:
    interrupted = game == "guerre-des-moutons"  # the bot may lay a wolf while the finger is on its way
    page = visit(reduced_motion="reduce", forgives="409" if interrupted else None, at=f"/new/{game}")
    page.locator(f'label.pick:has(input[name=seats][value="{players}"])').click()
    if players > 1:
        page.select_option("[name=level1]", "lamb")
    page.click("#setup button.go")
    page.wait_for_selector("#board svg")
    assert play_to_the_end(page, random.Random(1), most, interrupted, stay=12) > 1
    has_a_result(page, players)


@pytest.mark.parametrize(("game", "since"), [("sheepzzz", 150), ("te-kuiti", 130)])
def test_a_long_game_by_taps_to_its_end(visit, played, game: str, since: int) -> None:
    """From somewhere in the middle; `test_browser_boxes` begins them."""
    page = visit(reduced_motion="reduce", at=None)
    page.goto(played(game, 2, "taps", lambda view, ply: view.to_act == 0 and ply >= since, bots=True)[0])
    assert play_to_the_end(page, random.Random(1), 400) > 8
    has_a_result(page, 2)


def has_a_result(page, players: int) -> None:
    ranks = page.locator("#result li")
    assert ranks.count() == players
    assert ranks.first.inner_text().startswith("1.") == (players > 1)  # nobody is the first of one
    assert re.search(r"\d", ranks.first.locator(".score").inner_text())
