"""The page where somebody says what they would play, as a browser without a script uses it, and the same for programs."""

from __future__ import annotations

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient
from web_helper import tables_of

SEATS = {"kind0": "me", "name0": "Anna", "kind1": "open", "seats": "2"}


@pytest.fixture
def other(client: TestClient) -> TestClient:
    """Another browser at the same server."""
    return TestClient(client.app, client.base_url)


def begun(client: TestClient, other: TestClient, game: str) -> tuple[str, TestClient, TestClient]:
    """A table, who waits there, and who is to act."""
    table = client.post(f"/new/{game}", data=SEATS).url.path.split("/")[2]
    other.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    turn = int(tables_of(client).in_memory[table].position.to_act)
    return table, *((client, other) if turn else (other, client))


def options(page: str) -> list[str]:
    return [unescape(each) for each in re.findall(r'<option value="([^"]+)"', page)]


def test_a_line_is_put_together_step_by_step(client: TestClient, other: TestClient) -> None:
    table, anna, ben = begun(client, other, "te-kuiti")
    where = f"/t/{table}/ahead"
    assert where in anna.get(f"/t/{table}").text
    page = anna.get(where).text
    there = options(page)[5]
    page = anna.get(where, params={"step": [there], "mine": "1"}).text
    assert "Set this plan" not in page and "<svg" in page
    here = options(page)[-1]
    page = anna.get(where, params={"step": [there, here]}).text
    assert "Set this plan" in page and "turn the tile" in page
    seat = here.split()[0]
    page = anna.post(where, data={"step": [there, here], "seat": seat}).text
    assert "What you mean to do" in page and "Withdraw" in page
    assert "What you mean to do" not in ben.get(where).text
    number = re.search(r"/ahead/(\d+)/withdraw", page)
    assert number
    assert ben.post(f"{where}/{number[1]}/withdraw", data={"seat": seat}).status_code == 403
    assert "Withdraw" in anna.get(where).text
    assert "Withdraw" not in anna.post(f"{where}/{number[1]}/withdraw", data={"seat": seat}).text


def test_who_is_to_act_goes_and_plays(client: TestClient, other: TestClient) -> None:
    table, _, ben = begun(client, other, "sheepzzz")
    page = ben.get(f"/t/{table}/ahead").text
    assert "It is your turn now" in page and not options(page)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_standing_answers_are_offered(client: TestClient, other: TestClient, language: str) -> None:
    table, anna, _ = begun(client, other, "guerre-des-moutons")
    where = f"/t/{table}/ahead"
    anna.cookies.set("language", language)
    assert 'value="hunter"' in anna.get(where).text
    seat = re.search(r'name="seat" value="(\d)"', anna.get(where).text)
    assert seat
    page = anna.post(where, data={"standing": "hunter", "seat": seat[1]}).text
    assert 'value="hunter"' not in page and "/withdraw" in page and "standing." not in page


@pytest.mark.parametrize("address", ["", "?step=1", "?step=9999", f"?{'step=0+x&' * 20}", "?seat=7", "?step=7+fence+a1+n&mine=1"])
def test_nonsense_is_refused_or_means_nothing(client: TestClient, other: TestClient, address: str) -> None:
    table, anna, _ = begun(client, other, "te-kuiti")
    stranger = TestClient(client.app, client.base_url)
    assert stranger.get(f"/t/{table}/ahead{address}").status_code in (403, 422)
    assert anna.get(f"/t/{table}/ahead{address}").status_code in (200, 403, 422)
    for data in (
        {"seat": "0"},
        {"seat": "1"},
        {"step": ["0"], "seat": "0"},
        {"step": ["0 x"] * 13, "seat": "0"},
        {"standing": "x", "seat": "0"},
    ):
        assert anna.post(f"/t/{table}/ahead", data=data).status_code in (403, 422)


def test_programs_can_too(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": "guerre-des-moutons", "seats": [{"kind": "me"}, {"kind": "open"}]}).json()
    ben = client.post(f"/api/tables/{made['table']}/seats", json={"seat": 1, "name": "Ben"}).json()
    where = f"/api/tables/{made['table']}/ahead"
    keys = [{"authorization": f"Bearer {token}"} for token in (made["token"], ben["token"])]
    assert client.get(where).status_code == 403
    assert client.get(where, headers=keys[1]).json() == {"intents": [], "standing": ["hunter"]}
    turn = client.get(f"/api/tables/{made['table']}").json()["to_act"]
    line = [{"seat": turn, "action": "retire"}, {"seat": 1 - turn, "action": "retire"}]
    assert client.post(where, json={"line": line}, headers=keys[turn]).status_code == 422, "the last step is one's own"
    assert client.post(where, json={"line": line}, headers=keys[1 - turn]).status_code == 201
    assert client.post(where, json={"standing": "hunter"}, headers=keys[1 - turn]).status_code == 201
    mine = client.get(where, headers=keys[1 - turn]).json()["intents"]
    assert [each["standing"] for each in mine] == ["", "hunter"] and mine[0]["line"] == line
    assert client.get(where, headers=keys[turn]).json()["intents"] == []
    assert client.delete(f"{where}/{mine[0]['id']}", headers=keys[1 - turn]).status_code == 200
    assert len(client.get(where, headers=keys[1 - turn]).json()["intents"]) == 1
