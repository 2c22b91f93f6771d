"""Every page works for a game that brings only rules and a notation."""

from __future__ import annotations

import re
import time

import pytest

from sheepfold.game.game import Game
from sheepfold.game.registry import added
from toy_small import GRASS, HATS

SMALL = [GRASS, HATS]


@pytest.fixture(params=SMALL, ids=lambda game: game.name)
def game(request) -> Game:
    with added(request.param):
        yield request.param


@pytest.mark.parametrize("address", ["/", "/new/{game}", "/rules/{game}", "/rules/{game}?part=1", "/tips/{game}", "/lobby", "/api/games"])
@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_pages_before_a_game(client, game: Game, address: str, language: str) -> None:
    client.cookies.set("language", language)
    answer = client.get(address.format(game=game.name))
    assert answer.status_code == 200
    assert game.title in answer.text or address in ("/lobby", "/tips/{game}")


def test_an_option_without_words_is_called_by_its_name(client) -> None:
    with added(GRASS):
        page = client.get(f"/new/{GRASS.name}").text
    assert "<legend>Tufts</legend>" in page and ">many<" in page


def test_a_table_from_the_first_move_to_the_replay(client, game: Game) -> None:
    made = client.post(f"/play/{game.name}", follow_redirects=True)
    assert made.status_code == 200
    table = re.search(r"/t/([\w-]+)", str(made.url))[1]
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        scene = client.get(f"/t/{table}/scene").json()
        if scene["status"] == "over":
            break
        if not scene["actions"]:
            time.sleep(0.02)  # a bot is to act
        else:
            assert client.post(f"/t/{table}/hint").status_code == 200
            choice = scene["actions"][0]
            assert all(f'id="{name}"' in scene["picture"] for name in choice["targets"])
            client.post(f"/t/{table}/move", json={"ply": scene["ply"], "action": choice["action"], "seat": scene["seat"]})
    assert scene["status"] == "over" and "The game is over" in scene["prompt"]
    for address in ("/replay/{}", "/replay/{}/record", "/api/tables/{}"):
        assert client.get(address.format(table)).status_code == 200
