"""In a real Chromium: a half-made choice is taken back before a move is, and a lesson waits for its learner in silence."""

from __future__ import annotations

from browser_helper import LIT, MIDDLE, in_chromium, my_turn_or_over

from sheepfold.core.position import Position
from sheepfold.games.haste_bock.rules import MOVE
from sheepfold.games.sheepzzz.rules import PLAY

pytestmark = in_chromium


def _to_move(position: Position, ply: int) -> bool:
    return int(position.to_act) == 0 and ply > 20 and int(position.stage) == MOVE  # type: ignore[attr-defined]


def test_undo_takes_back_a_half_made_choice_and_only_then_a_move(visit, played) -> None:
    page = visit(at=None)
    page.goto(played("haste-bock", 2, "undo", _to_move, bots=True)[0])
    assert my_turn_or_over(page)
    before = page.get_attribute("#table", "data-ply")
    for take_back in (lambda: page.click("#undo"), lambda: page.keyboard.press("Escape")):
        page.locator(LIT).first.click()
        page.wait_for_selector(".chosen")
        take_back()
        page.wait_for_function("() => !document.querySelector('.chosen')")
        assert page.get_attribute("#table", "data-ply") == before, "nothing was played, so nothing is undone"
    page.click("#undo")
    page.wait_for_function("(before) => document.querySelector('#table').dataset.ply < before", arg=before)


def test_a_choice_can_be_taken_back_where_no_move_can(visit, played) -> None:
    page = visit(at=None)
    page.goto(played("haste-bock", 2, "people", lambda position, ply: int(position.to_act) == 0 and ply > 2)[0])
    assert my_turn_or_over(page)
    assert page.get_attribute("#undo", "aria-disabled") == "true", "somebody else has acted since"
    page.locator(LIT).first.click()
    page.wait_for_selector(".chosen")
    assert page.get_attribute("#undo", "aria-disabled") is None
    page.click("#undo")
    page.wait_for_function("() => !document.querySelector('.chosen')")
    assert page.get_attribute("#undo", "aria-disabled") == "true"
    assert page.text_content("#note") == ""


def test_what_was_taken_back_to_is_no_news_on_a_phone(visit, played) -> None:
    page = visit(390, 844, at=None)
    page.goto(played("haste-bock", 2, "news", _to_move, bots=True)[0])
    assert my_turn_or_over(page)
    last = page.locator("#happened span").first.inner_text().strip()
    assert page.text_content("#preview").strip() == last, "the line says what happened last"
    page.click("#undo")
    page.wait_for_function("(last) => !document.querySelector('#happened').textContent.includes(last)", arg=last)
    assert page.text_content("#preview") != page.locator("#happened span").first.inner_text().strip()


def test_on_a_phone_the_line_tells_the_move_and_not_only_what_chance_did_then(visit, played) -> None:
    page = visit(390, 844, at=None)
    page.goto(
        played("sheepzzz", 2, "line", lambda position, ply: int(position.to_act) == 0 and ply > 40 and int(position.stage) == PLAY)[0]
    )
    assert my_turn_or_over(page)
    assert page.text_content("#preview").startswith("Ben ")


def test_on_a_phone_the_line_begins_with_points(visit, played) -> None:
    kept = [0.0]

    def has_scored(position: Position, ply: int) -> bool:
        kept.append(sum(position.scores()))
        return int(position.to_act) == 0 and kept[-2] < kept[-1]

    page = visit(390, 844, at=None)
    page.goto(played("shear-panic", 3, "counted", has_scored)[0])
    assert my_turn_or_over(page)
    assert page.text_content("#preview").startswith("+"), "what is too long for the line is cut off at its end"


def test_on_a_phone_what_was_dealt_is_no_news(visit, played) -> None:
    page = visit(390, 844, at=None)
    page.goto(played("guerre-des-moutons", 2, "line", lambda position, ply: int(position.to_act) == 0)[0])
    assert my_turn_or_over(page)
    assert page.locator("#log li").count() > 4, "its tiles were dealt"
    assert page.text_content("#preview") == "Tap what is lit."


def test_a_lesson_that_waits_for_its_learner_says_nobody_thinks(visit) -> None:
    page = visit(reduced_motion="reduce")
    page.click('form[action="/learn/haste-bock"] button')
    page.wait_for_function("() => document.querySelector('#guide')?.dataset.at")
    for name in ("sheep-b2", "sheep-g1"):  # not what is asked for
        page.mouse.click(*page.wait_for_function(f"() => ({MIDDLE})('{name}')").json_value())
    page.wait_for_selector("#guide .astray:not([hidden])")
    assert page.locator("#said.mine").count() == 0, "it is a bot's turn, and the bot waits"
    assert page.text_content("#preview") == ""
