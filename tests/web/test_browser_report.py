"""A report in a browser: nothing else is fetched, a phone shows it, levels are chosen, and its games are led through."""

from browser_helper import in_chromium

from sheepfold.arena.report import make_report
from sheepfold.game.registry import find

pytestmark = in_chromium


def test_a_replay_in_a_report_is_led_through(chromium, tmp_path):
    report = tmp_path / "report.html"
    report.write_text(make_report(find("te-kuiti").setup(2), ["random", "greedy:1"], 2, [], False, "1", "en"), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 360, "height": 640})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(("file:", "data:")) else None)
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 360, "nothing scrolls sideways"
    first, second = page.locator(".level-0 details.replay").all()[:2]
    first.locator("summary").click()
    page.wait_for_selector("details[open] figure svg")
    before = first.locator("figure").inner_html()
    first.get_by_role("button", name="On one turn").click()
    assert first.locator("output").inner_text().startswith("1 / ")
    assert first.locator(".told").inner_text()
    assert first.locator("figure").inner_html() != before
    first.locator("input").press("End")
    assert first.get_by_role("button", name="On one turn").is_disabled()
    second.locator("summary").click()
    page.wait_for_selector(f"details[data-game='{second.get_attribute('data-game')}'] figure svg")
    page.wait_for_function("document.querySelectorAll('figure svg[viewBox]').length && !document.querySelector('.replay:not([open]) svg')")
    page.get_by_label("greedy:1").check()
    assert page.locator(".level-1").is_visible()
    assert not page.locator(".level-0").is_visible()
    assert not wrong
    page.close()
