"""The home page without a browser: what one does first, what games feel like, the living table, and how little of it there is."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from sheepfold.core.position import SPECTATOR
from sheepfold.game.registry import every_game, find
from sheepfold.messages import Voice, languages
from sheepfold.web import living, vignettes
from sheepfold.web.pages import HERE

FIRST = every_game()[0]


def test_one_thing_comes_first(client: TestClient) -> None:
    home = client.get("/").text
    assert len(re.findall(r'class="go[ "]', home)) == 1
    assert re.search(rf'action="/play/{FIRST.name}"><button class="go large">', home)
    assert home.index('action="/invite/') < home.index('class="shelf"'), "a friend is one tap away"
    page = client.post(f"/invite/{FIRST.name}")
    assert f'value="{page.url}"' in page.text, "and the link is there at once"


def test_every_game_says_what_it_feels_like(client: TestClient) -> None:
    for language in languages():
        home, voice = client.get("/", headers={"accept-language": language}).text, Voice([HERE / "locale"], language)
        for game in every_game():
            card = home.split(f"<h2>{game.title}</h2>")[1].split("</li>\n  <li")[0]
            assert game.about(language)
            for name, level in game.feel.items():
                assert voice.say(f"feel.{name}.{level}") in card
    for name in vignettes.FEELINGS:
        assert all(Voice([HERE / "locale"], "en").has(f"feel.{name}.{level}") for level in range(4))
    assert all(game.feel.keys() <= vignettes.FEELINGS.keys() and set(game.feel.values()) <= set(range(4)) for game in every_game())


def test_a_feeling_that_nobody_knows_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FIRST, "feel", {"hunger": 2, "luck": 9}, raising=False)
    assert [key for key, _ in vignettes.feelings(FIRST)] == ["feel.luck.3"]


def test_the_page_holds_just_the_drawings_that_it_shows(client: TestClient) -> None:
    home = client.get("/").text
    assert set(re.findall(r'href="#(sf-[\w-]+)"', home)) <= set(re.findall(r' id="(sf-[\w-]+)"', home))
    assert 'id="sf-garland"' not in home
    assert len(home.encode()) < 75_000
    assert "<script" not in home.replace('<script type="module" src=', ""), "it is all there without a script"


def test_the_living_table_can_be_turned_off_and_stays_so(client: TestClient) -> None:
    address = re.search(rf"/living/{FIRST.name}\.svg\?[\w-]+", client.get("/").text)
    assert address
    moving = client.get(address[0])
    assert moving.headers["content-type"] == "image/svg+xml"
    assert living.STILL not in moving.text
    ElementTree.fromstring(moving.text)
    client.post("/living", data={"wish": "off"})
    other = re.search(rf"/living/{FIRST.name}\.svg\?[\w-]+", client.get("/").text)
    assert other and other[0] != address[0], "so that no browser shows the one that it has kept"
    assert living.STILL in client.get(other[0]).text
    client.post("/living", data={"wish": "on"})
    assert living.STILL not in client.get(address[0]).text
    assert client.get("/living/no-such-game.svg").status_code == 404


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_any_game_can_be_a_living_table(game) -> None:
    wide, high, body = living.played(game.name, "fr")
    assert wide > 300 and high > 300
    assert body.count("@keyframes film") > 3, "something moves"
    root = ElementTree.fromstring(f"<svg>{body}</svg>")
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_a_living_table_shows_what_everybody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    game, viewers = find("sheepzzz"), []
    drawn = game.picture

    def watched(view, seat, *further):
        viewers.append((int(view.viewer), seat))
        return drawn(view, seat, *further)

    monkeypatch.setattr(game, "picture", watched)
    living.played("sheepzzz", "en")
    assert viewers == [(SPECTATOR, SPECTATOR)] * (living.BEFORE + living.TURNS)
