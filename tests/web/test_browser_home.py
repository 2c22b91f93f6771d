"""The home page in a real Chromium: on any screen, by day and night, moving and still, and a friend invited in one tap."""

from __future__ import annotations

from browser_helper import in_chromium, sideways
from test_browser_access import examine

pytestmark = in_chromium
DRAWN = "() => document.querySelector('.living img').naturalWidth > 0"


def test_the_home_page_fits_every_screen(visit) -> None:
    page = visit(locale="de-DE", color_scheme="light")
    page.wait_for_function(DRAWN)
    for width, height in ((360, 640), (390, 844), (768, 1024), (1280, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) == [], width
        box = page.locator(".welcome .go").bounding_box()
        assert box["y"] + box["height"] <= height, f"what to do first is seen without scrolling, also {width} wide"
        if width in (360, 1280):
            assert examine(page, f"home, {width} wide") == []


def test_a_table_for_a_friend_in_one_tap(visit) -> None:
    page = visit(390, 844)
    page.click(".welcome form[action^='/invite/'] button")
    page.wait_for_selector("#waiting:not([hidden]) #invite")
    assert page.input_value("#invite") == page.url


def test_the_living_table_stops_when_told_and_stays_so(visit, server: str) -> None:
    page = visit()
    page.wait_for_function(DRAWN)
    moves = "() => document.getAnimations().length"
    film = page.get_attribute(".living img", "src")
    page.click(".living button")
    page.wait_for_function(f"() => document.querySelector('.living img').getAttribute('src') !== {film!r}")
    page.reload()
    still = page.get_attribute(".living img", "src")
    page.goto(server + still)
    assert page.evaluate(moves) == 0
    page.goto(server)
    page.click(".living button")
    page.wait_for_function(f"() => document.querySelector('.living img').getAttribute('src') === {film!r}")
    page.goto(server + film)
    assert page.evaluate(moves) > 0


def test_the_living_table_keeps_still_for_who_likes_that(visit, server: str) -> None:
    page = visit(reduced_motion="reduce")
    assert page.locator(".living button").is_hidden(), "there is nothing to stop"
    page.goto(server + page.get_attribute(".living img", "src"))
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.locator("svg .sf-piece").count() > 9, "a picture all the same"


def test_all_of_it_is_there_without_scripts(visit) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator(".shelf .card").count() > 5
    page.click(".living button")
    assert page.locator(".living button").get_attribute("aria-label") == "Let the picture move"
    page.click(".welcome .go")
    assert page.locator("#board svg").count() > 0
