"""What is made counts for the person as well as for the address: nobody has more by asking from several, and neighbours share one."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tables_helper import finished
from web_helper import client_of, new_table, tables_of

from sheepfold.game.records import write_record
from sheepfold.table.fairness import Buckets, person_name


def from_(client: TestClient, address: str, device: str = "") -> TestClient:
    """A browser at another address, with somebody's device if that is said."""
    found = TestClient(client.app, "http://sheep.test", client=(address, 5000), cookies={"device": device} if device else {})
    found.headers["accept-language"] = "en"
    found.portal = client.portal
    return found


def begun(client: TestClient) -> tuple[str, str]:
    """A table, and the signed device of who sits there."""
    table = new_table(client, "haste-bock", "me", "bot", name0="Anna")
    client.get(f"/t/{table}")
    return table, client.cookies["device"]


def test_both_must_have_room_else_none_is_charged() -> None:
    buckets = Buckets(lambda: (2, 0.0))
    assert [buckets.take_of_all(["address", "anna"], 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take_of_all(["elsewhere", "ben"], 0.0)
    assert not buckets.take_of_all(["elsewhere", "anna"], 0.0) and not buckets.take_of_all(["address", "ben"], 0.0)
    assert buckets.take_of_all(["elsewhere", "ben"], 0.0), "what was refused cost nothing"


@pytest.mark.parametrize(
    ("limit", "address", "form"),
    [
        ({"tables": 3, "tables_per_hour": 0.001}, "/play/haste-bock", {}),
        ({"tables": 3, "tables_per_hour": 0.001}, "/invite/te-kuiti", {}),
        ({"tables": 3, "tables_per_hour": 0.001}, "/learn/haste-bock", {}),
        ({"tables": 3, "tables_per_hour": 0.001}, "/replay", {"text": write_record(finished("te-kuiti", 2, "limits"))}),
        ({"listed": 3}, "/new/te-kuiti", {"seats": "2", "kind0": "me", "kind1": "open", "listed": "1"}),
    ],
)
def test_one_person_at_many_addresses_has_one_share(tmp_path: Path, limit: dict, address: str, form: dict) -> None:
    with client_of(tmp_path, **limit) as client:
        _, device = begun(from_(client, "10.0.0.1"))

        answers = []
        for number in range(5):
            browser = from_(client, f"10.0.1.{number}", device)
            answers.append(browser.post(address, data=form, follow_redirects=False).status_code)
        assert answers == [303] * 3 + [429] * 2
        stranger = from_(client, "10.0.1.0")
        assert stranger.post(address, data=form, follow_redirects=False).status_code == 303, "the address has room for others"


def test_neighbours_share_an_address(tmp_path: Path) -> None:
    with client_of(tmp_path, tables=3, tables_per_hour=0.001) as client:
        _, device = begun(from_(client, "10.0.0.1"))
        _, other = begun(from_(client, "10.0.0.2"))
        one, two = from_(client, "10.0.0.3", device), from_(client, "10.0.0.3", other)
        answers = [each.post("/play/haste-bock", follow_redirects=False).status_code for each in (one, two, one, two, one)]
        assert answers == [303, 303, 303, 429, 429]


def test_chat_and_devices_of_one_person(tmp_path: Path) -> None:
    with client_of(tmp_path, chat=4, chat_per_minute=0.001) as client:
        anna = from_(client, "10.0.0.1")
        table, _ = begun(anna)
        phone = from_(client, "10.0.0.2")
        link = anna.post("/mine/carry").text.split("/carry/")[1].split('"')[0]
        phone.post(f"/carry/{link}")
        phone.get(f"/t/{table}")
        answers = [each.post(f"/t/{table}/say", json={"text": "hello"}).status_code for each in (anna, phone, anna, phone, anna, phone)]
        assert answers == [200, 200, 200, 200, 429, 429]
        assert person_name(client.app.state.identity.person(anna.cookies["device"].partition(".")[0])) in tables_of(client).quotas.chat.left


def test_analyses_that_wait(tmp_path: Path) -> None:
    with client_of(tmp_path, analyses=1, look_back=2000) as client:
        _, device = begun(from_(client, "10.0.0.1"))
        games = [
            client.post("/api/replays", json={"record": write_record(finished("te-kuiti", 2, f"wait {number}"))}).json()["replay"]
            for number in range(3)
        ]
        one, elsewhere, stranger = from_(client, "10.0.1.1", device), from_(client, "10.0.1.2", device), from_(client, "10.0.1.2")
        answers = [each.post(f"/replay/{game}/analysis") for each, game in zip((one, elsewhere, stranger), games, strict=True)]
        assert [each.status_code for each in answers] == [200, 503, 200]
        one.post(f"/replay/{games[0]}/analysis/stop")
        stranger.post(f"/replay/{games[2]}/analysis/stop")
        assert elsewhere.post(f"/replay/{games[1]}/analysis").status_code == 200
        elsewhere.post(f"/replay/{games[1]}/analysis/stop")
