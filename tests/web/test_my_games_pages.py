"""The list of one's games on the pages, as a browser without a script would use it; and that nobody is given anybody else's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from tables_helper import a_move
from web_helper import client_of, tables_of

from sheepfold.core.position import OVER
from sheepfold.table.schema import hooks, places
from sheepfold.table.tables import Tables

PLAYERS = {"kind0": "me", "name0": "Anna", "kind1": "open", "seats": "2"}


def begun(client: TestClient, game: str = "haste-bock", **form: str) -> str:
    """The id of a table where this browser sits."""
    answer = client.post(f"/new/{game}", data=PLAYERS | form)
    assert answer.status_code == 200
    return answer.url.path.split("/")[2]


def listed(client: TestClient, address: str = "/mine") -> list[str]:
    return re.findall(r'<li[^>]*><a href="/t/([^"]+)"', client.get(address).text)


@pytest.fixture
def other(client: TestClient) -> TestClient:
    """Another browser at the same server."""
    return TestClient(client.app, client.base_url)


def test_nothing_is_known_of_who_only_looks(client: TestClient) -> None:
    for address in ("/", "/lobby", "/mine", "/new/haste-bock", "/rules/haste-bock"):
        client.get(address)
        assert "device" not in client.cookies, address
    assert "my-games" not in client.get("/").text


def test_the_home_page_has_my_games_on_top(client: TestClient, other: TestClient) -> None:
    tables = [begun(client, game) for game in ("haste-bock", "te-kuiti")]
    assert "device" in client.cookies
    assert set(listed(client, "/")) == set(listed(client)) == set(tables)
    page = client.get("/")
    assert page.text.index("my-games") < page.text.index("shelf") and "no-store" in page.headers["cache-control"]
    assert "Waiting for players" in page.text
    assert listed(other, "/") == listed(other) == []
    other.post(f"/t/{tables[0]}/sit", data={"seat": "1", "name": "Ben"})
    assert listed(other) == tables[:1]
    turns = [re.search("(Your turn|Anna to move|Ben to move)", each.get("/mine").text)[1] for each in (client, other)]
    assert turns in (["Your turn", "Anna to move"], ["Ben to move", "Your turn"])


def test_a_small_picture_is_what_its_viewer_may_see(client: TestClient, other: TestClient) -> None:
    table = begun(client, "sheepzzz")
    other.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    mine, theirs, nobodys = (each.get(f"/t/{table}/picture.svg") for each in (client, other, TestClient(client.app, client.base_url)))
    assert {each.headers["content-type"] for each in (mine, theirs, nobodys)} == {"image/svg+xml"}
    assert all(each.headers["cache-control"].startswith("private") for each in (mine, theirs, nobodys))
    assert len({mine.text, theirs.text, nobodys.text}) == 3, "hands differ"
    alone = begun(client, "sheepzzz", kind1="me", name1="Bea")
    assert client.get(f"/t/{alone}/picture.svg").text == other.get(f"/t/{alone}/picture.svg").text, "round one screen nobody's hand is open"


def test_another_device_takes_over(client: TestClient, other: TestClient) -> None:
    table = begun(client)
    page = client.post("/mine/carry")
    link = re.search(r'value="[^"]*(/carry/[^"]+)"', page.text)[1]
    assert "<svg" in page.text and "no-store" in page.headers["cache-control"]
    assert other.get(link).status_code == 200 and listed(other) == [], "a link that was only looked at does nothing"
    other.post(link)
    assert listed(other) == [table]
    assert other.get(f"/t/{table}").text.count('id="own"') == 1, "and sits there"
    assert other.post(link).status_code == 404, "once"
    third = TestClient(client.app, client.base_url)
    assert third.get(link).status_code == 404 and third.post(link).status_code == 404 and listed(third) == []
    other.post("/mine/forget")
    assert listed(other) == [] and listed(client) == [table]
    assert 'id="own"' not in other.get(f"/t/{table}").text, "and holds no seat"


def test_hide_show_and_leave(client: TestClient) -> None:
    table, stays = begun(client), begun(client, kind1="bot")
    client.post(f"/mine/hide/{table}")
    assert listed(client) == [stays]
    client.post("/mine/show")
    assert set(listed(client)) == {table, stays}
    client.post(f"/mine/leave/{stays}")
    assert listed(client) == [table]
    assert 'id="own"' not in client.get(f"/t/{stays}").text


def test_strangers_do_nothing_to_my_games(client: TestClient, other: TestClient) -> None:
    table = begun(client)
    begun(other)
    for wish in (f"hide/{table}", f"leave/{table}", "forget", f"forget/{client.cookies['device'].partition('.')[0]}"):
        assert other.post(f"/mine/{wish}").status_code == 200
    forger = TestClient(client.app, client.base_url, cookies={"device": client.cookies["device"][:-1] + "x"})
    assert listed(forger) == []
    forger.post("/mine/forget")
    assert listed(client) == [table]
    assert 'id="own"' in client.get(f"/t/{table}").text


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_in_three_languages(client: TestClient, language: str) -> None:
    begun(client)
    page = client.get("/mine", headers={"accept-language": language}).text
    assert {"en": "Waiting for players", "fr": "En attente de joueurs", "de": "Wartet auf Mitspieler"}[language] in page
    assert not re.findall(r"\b(?:mine|age|carry)\.[a-z-]+", re.sub(r'(?:href|action|src)="[^"]*"', "", page)), "every message was found"


def test_the_same_again_is_found_by_all_who_played(client: TestClient, other: TestClient) -> None:
    table = begun(client, "te-kuiti")
    other.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    house = tables_of(client)
    client.portal.call(finished, house, table)  # type: ignore[union-attr]
    again = client.post(f"/t/{table}/rematch").url.path.split("/")[2]
    assert again != table and again in listed(other) and again in listed(client)
    assert 'id="own"' in other.get(f"/t/{again}").text, "and they sit there"


async def finished(house: Tables, table_id: str) -> None:
    table = await house.table(table_id)
    while table.position.to_act != OVER:
        await house.move(table_id, *a_move(table))


def test_where_nobody_is_told_no_page_speaks_of_it(tmp_path: Path) -> None:
    with client_of(tmp_path, telling="off") as client:
        table = begun(client)
        for address in ("/mine", f"/t/{table}"):
            assert "notices" not in re.sub("<script.*?</script>", "", client.get(address).text, flags=re.DOTALL)
        assert client.get("/push/key").json() == {"key": None, "subscribed": False}
        assert client.post("/mine/hook", data={"url": "https://a.example"}).status_code == 200


def test_without_what_push_needs_there_is_no_push(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.people.notices.can_push", lambda: False)
    with client_of(tmp_path) as client:
        begun(client)
        page = client.get("/mine").text
        assert 'id="tell-me"' not in page and 'id="sound"' in page
        assert client.get("/push/key").json()["key"] is None


def test_addresses_are_added_tried_and_removed(client: TestClient) -> None:
    table = begun(client)
    assert "is no address that can be called" in client.post("/mine/hook", data={"url": "ftp://a"}).text
    page = client.post("/mine/hook", data={"url": "https://chat.invalid/1", "format": "chat"}).text
    hook = re.search("/mine/hook/([^/]+)/try", page)[1]
    assert "https://chat.invalid/1" in page
    monkey = client.post(f"/mine/hook/{hook}/try").text
    assert "It did not answer" in monkey or "answered with an error" in monkey
    assert "chat.invalid" not in client.post(f"/mine/hook/{hook}/remove").text
    client.post(f"/t/{table}/hook", data={"url": "https://chat.invalid/2"})
    assert "https://chat.invalid/2" in client.get(f"/t/{table}").text
    assert TestClient(client.app, client.base_url).post(f"/t/{table}/hook", data={"url": "https://b.example"}).status_code == 403
    assert "Notices from this table again" in client.post(f"/t/{table}/mute", data={"muted": "1"}).text
    quiet = client.post("/mine/quiet", data={"wanted": "1", "start": "21:30", "until": "07:05", "zone": "Europe/Berlin"}).text
    assert 'value="21:30"' in quiet and 'value="07:05"' in quiet and 'value="Europe/Berlin"' in quiet
    assert client.post("/mine/quiet", data={"wanted": "1", "start": "25:00"}).status_code == 422


def test_who_has_found_a_lost_phone_plays_no_more(client: TestClient, other: TestClient) -> None:
    """Its seat's cookie is still there, so the lock is changed; the owner comes in by any other device."""
    table = begun(client, "sheepzzz")
    browser = TestClient(client.app, client.base_url)
    browser.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    link = re.search(r'value="[^"]*(/carry/[^"]+)"', client.post("/mine/carry").text)[1]
    other.post(link)
    assert 'id="own"' in other.get(f"/t/{table}").text
    lost = re.search('/mine/forget/([^"]+)', client.get("/mine").text)[1]
    hand = client.get(f"/t/{table}/picture.svg").text
    client.post(f"/mine/forget/{lost}")
    assert 'id="own"' not in other.get(f"/t/{table}").text and listed(other) == []
    assert other.get(f"/t/{table}/picture.svg").text != hand
    assert other.post(f"/t/{table}/say", json={"text": "still here"}).status_code == 403
    assert 'id="own"' in client.get(f"/t/{table}").text and client.get(f"/t/{table}/picture.svg").text == hand
    assert 'id="own"' in browser.get(f"/t/{table}").text, "the others notice nothing"


def test_leaving_leaves_nothing_behind(client: TestClient) -> None:
    table = begun(client)
    client.post(f"/t/{table}/hook", data={"url": "https://chat.invalid/1"})
    client.post(f"/t/{table}/leave")
    store = tables_of(client).store
    with store.engine.connect() as connection:
        assert not connection.execute(select(places)).all() and not connection.execute(select(hooks)).all()
