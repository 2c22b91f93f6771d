"""In a real Chromium: a made-up box of every game is brought, played with, told of in the rules, and named in result and replay."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path

import pytest
from browser_helper import in_chromium, my_turn_or_over, play_to_the_end, sideways, tap_on

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.registry import find

pytestmark = in_chromium

BOXES = {path.stem: path for path in sorted((Path(__file__).parent.parent / "boxes").glob("*.toml"))}
TOLD = {
    "guerre-des-moutons": "red pens of 4 sheep",
    "haste-bock": "Herd Instinct (2)",
    "shear-panic": "4 extra moves (1, 2, 3, 3)",
    "sheepzzz": "39 sheep",
    "te-kuiti": "28 fences",
}
TAPS = 6


@pytest.mark.parametrize("name", BOXES)
def test_a_box_is_brought_and_played_with(visit, server: str, name: str) -> None:
    narrow = name in ("sheepzzz", "shear-panic")
    page = visit(*((390, 844) if narrow else (1280, 800)), reduced_motion="reduce", forgives="409", at=None)
    page.goto(f"{server}/new/{name}")
    page.locator('label.pick:has(input[name=seats][value="2"])').click()
    page.select_option("[name=level1]", "lamb")
    page.click("details:has(textarea) summary")
    page.set_input_files("#components-file", BOXES[name])
    page.wait_for_function("(text) => document.querySelector('textarea').value === text", arg=BOXES[name].read_text())
    assert sideways(page) == []
    page.click("#setup button.go")
    assert my_turn_or_over(page)  # before its script has begun, a page does not answer
    page.click("#tab-rules")
    page.wait_for_function("(words) => document.querySelector('#rules').textContent.includes(words)", arg=TOLD[name])
    page.click("#tab-rules" if narrow else "#tab-log")  # on a phone they lie over the hand, until they are put away
    dice = random.Random(1)
    for _ in range(TAPS):
        if my_turn_or_over(page):
            tap_on(page, dice, late=name == "guerre-des-moutons")


@pytest.mark.parametrize("name", BOXES)
def test_a_box_is_named_in_the_result_and_the_replay(visit, played, name: str) -> None:
    box = EnteredFile("attic.toml", BOXES[name].read_text())
    seed, last = near_the_end(name, box)
    link, _ = played(name, 2, seed, lambda position, ply: ply == last, bots=True, box=box)
    page = visit(reduced_motion="reduce", forgives="409", at=None)
    page.goto(link)
    play_to_the_end(page, random.Random(1), 100, late=name == "guerre-des-moutons", stay=0)
    assert "attic.toml" in page.inner_text("#result")
    page.click('#result a[href^="/replay/"]')
    page.wait_for_selector("#r-board svg")
    assert "attic.toml" in page.inner_text("main")


def near_the_end(name: str, box: EnteredFile) -> tuple[str, int]:
    """The seed of a random game, as `played` plays it, and where in it the first seat acts for the last time, right before the end."""
    for number in count():
        position, dice, ply, last = find(name).setup(2, box).start(), Dice(f"attic {number}"), 0, 0
        while position.to_act != OVER:
            last = ply if position.to_act == 0 else last
            position.apply(int(position.random_action(dice)))
            ply += 1
        if last > ply - 6:
            return f"attic {number}", last
    raise AssertionError("no such game")
