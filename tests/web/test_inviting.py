"""A table for a friend in one tap, a partner for who has none, and a lobby with what waits and what goes on."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event
from web_helper import new_table, tables_of

from sheepfold.game.registry import find, names
from sheepfold.people.lobby import FRESH

GAMES = [name for name in names() if find(name).seats[-1] > 1]


def browser(client: TestClient, **cookies: str) -> TestClient:
    """Another one at the same server."""
    return TestClient(client.app, client.base_url, cookies=cookies)


def seats(client: TestClient, table: str) -> list[tuple[str, str]]:
    return [(seat.kind, seat.name) for seat in tables_of(client).in_memory[table].seats]


@pytest.mark.parametrize("game", GAMES)
def test_a_friend_is_invited_in_one_tap(client: TestClient, game: str) -> None:
    client.cookies.set("name", "Anna")
    page = client.post(f"/invite/{game}")
    table = page.url.path.split("/")[2]
    kinds = [kind for kind, _ in seats(client, table)]
    assert kinds[0] == "person" and set(kinds[1:]) == {"open"} and len(kinds) == min(count for count in find(game).seats if count > 1)
    assert f'value="{page.url}"' in page.text and "<svg" in page.text.split('class="square"')[1][:300], (
        "the link, and a square for a camera"
    )
    friend = browser(client)
    invited = friend.get(f"/t/{table}").text
    title = find(game).title.replace("'", "&#39;")
    assert f"<h2>Anna invites you to {title}</h2>" in invited and "Join" in invited and "Watch" in invited
    assert f'<meta property="og:title" content="Anna invites you to {title}">' in invited
    assert 'class="square"' not in invited
    for seat in range(1, len(kinds)):
        browser(client).post(f"/t/{table}/sit", data={"seat": str(seat), "name": f"Ben {seat}"})
    assert {kind for kind, _ in seats(client, table)} == {"person"}
    assert "invites you" not in friend.get(f"/t/{table}").text


def test_who_has_no_name_is_asked_for_one(client: TestClient) -> None:
    page = client.post("/invite/sheepzzz")
    table = page.url.path.split("/")[2]
    assert "Say who you are" in page.text
    assert "<h2>You are invited to Sheepzzz</h2>" in browser(client).get(f"/t/{table}").text, "a guest is not named"
    assert "Say who you are" not in client.post(f"/t/{table}/name", data={"name": "  Anna "}).text
    assert "<h2>Anna invites you to Sheepzzz</h2>" in browser(client).get(f"/t/{table}").text
    assert browser(client).post(f"/t/{table}/name", data={"name": "Eve"}).status_code == 403
    assert seats(client, table)[0] == ("person", "Anna")
    another = client.post("/invite/te-kuiti").url.path.split("/")[2]
    assert seats(client, another)[0] == ("person", "Anna"), "and is remembered"


def test_bots_take_the_free_seats(client: TestClient) -> None:
    table = client.post("/invite/haste-bock").url.path.split("/")[2]
    assert browser(client).post(f"/t/{table}/fill").status_code == 403
    client.post(f"/t/{table}/fill")
    assert [kind for kind, _ in seats(client, table)] == ["person", "bot"]
    assert tables_of(client).in_memory[table].status == "playing"


def test_two_who_want_to_play_meet(client: TestClient) -> None:
    anna, ben, cleo = (browser(client, name=name) for name in ("Anna", "Ben", "Cleo"))
    table = anna.post("/pair/te-kuiti").url
    assert anna.post("/pair/te-kuiti").url != table, "nobody meets themselves"
    assert ben.post("/pair/te-kuiti").url == table, "who has waited longest is met first"
    assert {name for _, name in seats(client, table.path.split("/")[2])} == {"Anna", "Ben"}
    assert cleo.post("/pair/haste-bock").url != table
    assert tables_of(client).in_memory[table.path.split("/")[2]].settings["seconds"], "with a clock"


def test_many_who_come_together_all_sit_somewhere(server: str) -> None:
    def meets(number: int) -> str:
        with httpx.Client(base_url=server, cookies={"name": f"Meets {number}"}, follow_redirects=True, timeout=60) as comes:
            return comes.post("/pair/guerre-des-moutons").url.path

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(meets, range(16)))
    sitting = [httpx.get(f"{server}/api/tables/{path.split('/')[2]}", timeout=60).json()["players"] for path in set(found)]
    names = [player["name"] for players in sitting for player in players if player["kind"] == "person"]
    assert sorted(names) == sorted(f"Meets {number}" for number in range(16)), "everybody sits once"
    assert all(found.count(path) <= len(players) for path, players in zip(set(found), sitting, strict=True))


def test_nobody_is_led_to_who_has_long_gone(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = browser(client).post("/pair/te-kuiti").url
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + FRESH + 60)
    assert browser(client).post("/pair/te-kuiti").url != table


def test_the_lobby_shows_what_waits_and_what_goes_on(client: TestClient) -> None:
    empty = client.get("/lobby").text
    assert all(f'action="/pair/{game}"' in empty for game in GAMES) and "None just now" in empty and "Look on" not in empty
    anna, ben = browser(client, name="Anna"), browser(client, name="Ben")
    table = anna.post("/pair/te-kuiti").url.path.split("/")[2]
    waits = client.get("/lobby").text
    assert f'href="/t/{table}"' in waits.split("Tables that wait")[1]
    ben.post("/pair/te-kuiti")
    runs = client.get("/lobby").text
    assert f'href="/t/{table}"' in runs.split("Look on")[1] and "Anna, Ben" in runs
    private = client.post("/invite/te-kuiti").url.path.split("/")[2]
    browser(client).post(f"/t/{private}/sit", data={"seat": "1"})
    assert private not in client.get("/lobby").text, "who plays with friends is not shown"


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_page_has_all_its_words(client: TestClient, language: str) -> None:
    for address in ("/", "/lobby", client.post("/invite/sheepzzz").url.path):
        page = client.get(address, headers={"accept-language": language}).text
        unseen = r'(?:href|action|src|name|id|class|content|for|data-notices)="[^"]*"|<script.*?</script>|<style.*?</style>'
        text = re.sub(unseen, "", page, flags=re.DOTALL)
        assert not re.findall(r"\b(?:mine|age|invite|lobby|notices|home)\.[a-z-]+", text), address


def test_a_lobby_asks_the_database_twice_however_many_wait(client: TestClient) -> None:
    """It was asked once for every table, one after the other, and every table came into memory."""
    tables = tables_of(client)
    for _ in range(12):
        new_table(client, "haste-bock", "me", "open", listed="on")
    tables.in_memory.clear()
    asked: list[str] = []
    for engine in {tables.store.engine, tables.store.reading}:
        event.listen(engine, "before_cursor_execute", lambda *about: asked.append(about[2]))
    assert len(client.get("/api/tables").json()) == 12
    assert len([each for each in asked if "FROM" in each]) == 2
    assert not tables.in_memory
