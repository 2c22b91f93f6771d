"""Learning on the server: lessons are begun from the shelf, found again, not offered twice."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient
from web_helper import another, scene, tables_of

from sheepfold.game.registry import every_game, find
from sheepfold.table.lesson import lesson

GAMES = [game.name for game in every_game()]


def begin(client: TestClient, game: str) -> str:
    answer = client.post(f"/learn/{game}", follow_redirects=False)
    found = re.fullmatch(r"/t/([\w-]+)", answer.headers["location"])
    assert answer.status_code == 303 and found
    return found[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_begins_from_the_shelf(client: TestClient, game: str) -> None:
    assert f'action="/learn/{game}"' in client.get("/").text
    shown = scene(client, begin(client, game))
    guide = shown["guide"]
    assert guide["step"] == 1 and guide["ask"] and not guide["done"]
    assert set(guide["want"]) & {choice["action"] for choice in shown["actions"]}


def test_a_lesson_is_found_again_and_tells_nobody_else(client: TestClient) -> None:
    table = begin(client, "te-kuiti")
    client.post(f"/t/{table}/move", json={"ply": scene(client, table)["ply"], "action": "fence a1 s", "seat": 0})
    assert begin(client, "te-kuiti") == table
    assert scene(client, table)["guide"]["step"] == 2
    watching = another(client)
    assert scene(watching, table)["guide"] is None
    assert watching.post(f"/t/{table}/guide", json={"wish": "show"}, headers={"accept": "application/json"}).status_code == 403


def test_another_move_is_told_and_taken_back(client: TestClient) -> None:
    table = begin(client, "haste-bock")
    ply = scene(client, table)["ply"]
    client.post(f"/t/{table}/move", json={"ply": ply, "action": "slam b2 w 2", "seat": 0})
    guide = scene(client, table)["guide"]
    assert guide["astray"] and "rams" in guide["did"] and guide["said"]
    assert client.post(f"/t/{table}/guide", json={"wish": "again"}).status_code == 200
    assert scene(client, table)["ply"] == ply and not scene(client, table)["guide"]["astray"]


def test_a_lesson_that_was_ended_is_not_offered_again(client: TestClient) -> None:
    table = begin(client, "sheepzzz")
    assert "Go on learning: Sheepzzz" in client.get("/").text
    client.post(f"/t/{table}/guide", json={"wish": "leave"})
    assert "/learn/sheepzzz" not in client.get("/").text
    assert "/learn/haste-bock" in client.get("/").text
    assert scene(client, table)["guide"] is None
    assert "/learn/sheepzzz" in client.get("/rules/sheepzzz").text  # for who wants it once more
    assert begin(client, "sheepzzz") != table


def test_a_lesson_can_be_gone_through_by_show_me(client: TestClient) -> None:
    table = begin(client, "guerre-des-moutons")
    tables, course = tables_of(client), lesson(find("guerre-des-moutons"))
    assert course
    for _ in range(400):
        guide = scene(client, table)["guide"]
        if guide["done"]:
            break
        if guide["want"]:
            client.post(f"/t/{table}/guide", json={"wish": "show"})
    assert tuple(tables.in_memory[table].events) == course.events
    assert client.post(f"/t/{table}/guide", json={"wish": "done"}).status_code == 200
    assert "/learn/guerre-des-moutons" not in client.get("/").text
