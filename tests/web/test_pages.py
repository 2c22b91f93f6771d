"""The pages as a browser without scripts meets them, and what the script posts."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient
from web_helper import act, another, client_of, new_table, scene, tables_of

from sheepfold import art
from sheepfold.game.registry import every_game, names
from sheepfold.table import kept_seats
from sheepfold.web.guard import LARGEST_BODY


def test_home_shows_every_game_and_plays_at_once(client: TestClient) -> None:
    home = client.get("/").text
    for name in names():
        assert f'action="/play/{name}"' in home
    page = client.post("/play/haste-bock")
    assert page.status_code == 200
    assert re.search(r"/t/[\w-]+$", str(page.url))
    assert 'id="board"' in page.text
    assert "<svg" in page.text


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_set_up_and_looked_at(client: TestClient, name: str) -> None:
    assert client.get(f"/new/{name}").status_code == 200
    assert client.get(f"/rules/{name}").status_code == 200
    page = client.post(f"/play/{name}")
    assert page.status_code == 200
    table = str(page.url).rsplit("/", 1)[1]
    assert scene(client, table)["mine"] == [0]


def test_seats_are_as_many_as_the_largest_game_has(client: TestClient) -> None:
    most = max(game.seats[-1] for game in every_game())
    table = new_table(client)
    assert client.get(f"/t/{table}/scene?seat={most - 1}").status_code == 200
    assert client.get(f"/t/{table}/scene?seat={most}").status_code == 422


@pytest.mark.parametrize("name", names())
def test_a_page_holds_the_drawings_that_it_shows(client: TestClient, name: str) -> None:
    """The symbols of a game's page are those that the game names (`Game.drawings`), not the whole kit."""
    for page in (client.post(f"/play/{name}").text, client.get(f"/rules/{name}").text, client.post(f"/learn/{name}").text):
        assert set(re.findall(r'href="#(sf-[\w-]+)"', page)) <= set(re.findall(r' id="(sf-[\w-]+)"', page))
        assert 'id="sf-emblem"' not in page, "no game draws it"
        assert all(f'id="sf-{mark}"' in page for mark in art.MARKS.values()), "scripts draw the marks of players"


def test_a_table_page_is_small(client: TestClient) -> None:
    """All that is loaded before one can play, uncompressed, stays below 200 KB, whatever the first die shows."""
    page = client.post("/play/haste-bock")
    fetched = re.sub(r'<link rel="apple-touch-icon".*', "", page.text)  # that one only by who installs it
    names = re.findall(r'(?:src|href)="(/(?:static/[^"]+|art\.css[^"]*))"', fetched)
    files = {name: client.get(name) for name in set(names)}
    assert all(answer.status_code == 200 for answer in files.values())
    assert len(files) >= 4
    size = len(page.content) + sum(len(answer.content) for answer in files.values())
    assert size < 200_000, {name: len(answer.content) for name, answer in files.items()} | {"page": len(page.content)}


def test_languages(client: TestClient) -> None:
    assert "Jouer" in client.get("/", headers={"accept-language": "fr-CH,fr;q=0.9"}).text
    client.post("/language", data={"language": "fr", "back": "/lobby"})
    assert '<html lang="fr"' in client.get("/").text
    client.post("/language", data={"language": "xx"})
    assert '<html lang="en"' in client.get("/").text


def test_one_goes_back_only_inside(client: TestClient) -> None:
    for back in ("https://evil.test/", "//evil.test", "/\\evil.test"):
        for way in ("language", "theme"):
            answer = client.post(f"/{way}", data={way: "fr", "back": back}, follow_redirects=False)
            assert answer.headers["location"] == "/"


def test_theme_is_kept(client: TestClient) -> None:
    client.post("/theme", data={"theme": "dark"})
    assert 'data-theme="dark"' in client.get("/").text


def test_set_up_form(client: TestClient) -> None:
    table = new_table(
        client, "haste-bock", "me", "bot", "open", name0="Anna", name1="Dolly", level1="ram", listed="on", seconds="90",
        **{"option-neutral-rows": "false"},
    )  # fmt: skip
    found = tables_of(client).in_memory[table]
    assert [seat.kind for seat in found.seats] == ["person", "bot", "open"]
    assert (found.seats[0].name, found.seats[1].level) == ("Anna", "ram")
    assert found.setup.options["neutral-rows"] is False
    assert found.settings == {"listed": True, "seconds": 90, "budget": None}
    assert table in client.get("/lobby").text


def test_a_clock_is_as_near_to_the_wish_as_there_are_clocks(client: TestClient) -> None:
    for wish, seconds in (("3", 5), ("", None), ("0", None), ("999999", 604800), ("9" * 5000, 604800)):
        table = new_table(client, "te-kuiti", "me", "me", seconds=wish)
        assert tables_of(client).in_memory[table].settings["seconds"] == seconds


def test_where_only_a_form_leads_one_comes_back_to_its_page(client: TestClient) -> None:
    """By changing the language of a page that said no, or by its address."""
    table = new_table(client, "haste-bock", "me", "bot")
    no = client.post(f"/t/{table}/sit", data={"seat": "1"})
    assert no.status_code == 409
    assert f'name="back" value="/t/{table}/sit"' in no.text
    browser = {"accept": "text/html,*/*;q=0.8"}
    back = client.post("/language", data={"language": "de", "back": f"/t/{table}/sit"}, headers=browser)
    assert (back.status_code, back.url.path) == (200, f"/t/{table}")
    assert client.get("/play/haste-bock", headers=browser).url.path == "/"
    assert client.get("/api/tables/x/undo", headers=browser).status_code == 405


def test_free_seats_are_called_so_in_the_readers_language(client: TestClient) -> None:
    table = new_table(client, "sheepzzz", "me", "open")
    assert "Spieler 2" in client.get(f"/t/{table}/scene", headers={"accept-language": "de"}).json()["picture"]


def test_who_has_not_moved_yet_hears_so(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "open")
    another(client).post(f"/t/{table}/sit", data={"seat": "1"})
    assert tables_of(client).in_memory[table].events, "the flock is set out by chance"
    assert scene(client, table)["undo"] == "undo.none"


def test_an_option_for_other_numbers_of_players_is_left_aside(client: TestClient) -> None:
    table = new_table(client, "guerre-des-moutons", "me", "bot", "bot", **{"option-two-colours": "true"})
    assert tables_of(client).in_memory[table].setup.changed_options() == {}
    for picked, meant in (("3", {}), ("2", {"first-player": 2}), ("drawn", {"first-player": "drawn"})):
        table = new_table(client, "guerre-des-moutons", "me", "bot", **{"option-first-player": picked})
        assert tables_of(client).in_memory[table].setup.changed_options() == meant


@pytest.mark.parametrize("form", [{"seats": "9"}, {"seats": "2", "kind0": "king"}, {"seats": "2", "kind0": "bot", "level0": "dragon"}])
def test_a_form_that_does_not_fit_says_so(client: TestClient, form: dict[str, str]) -> None:
    answer = client.post("/new/haste-bock", data=form)
    assert answer.status_code == 422
    assert "That did not work" in answer.text


def test_what_is_not_there(client: TestClient) -> None:
    for address in ("/nowhere", "/t/nowhere99", "/new/chess", "/rules/chess", "/t/nowhere99/scene"):
        answer = client.get(address)
        assert answer.status_code == 404, address
        assert "That did not work" in answer.text or "problem" in answer.text


def test_friends_by_link(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "open", name0="Anna")
    friend, third = another(client), another(client)
    assert "Join" in friend.get(f"/t/{table}").text
    friend.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    assert scene(friend, table)["mine"] == [1]
    late = third.post(f"/t/{table}/sit", data={"seat": "1", "name": "Carl"})
    assert late.status_code == 409
    assert scene(third, table)["seat"] is None
    assert 'value="Ben"' in friend.get(f"/t/{new_table(client, 'haste-bock', 'me', 'open')}").text, "the name is remembered"


def test_two_tabs_and_a_stale_move(client: TestClient) -> None:
    table = new_table(client)
    old = scene(client, table)
    first, other = old["actions"][0], old["actions"][-1]
    wish = {"ply": old["ply"], "seat": old["seat"]}
    assert client.post(f"/t/{table}/move", json=wish | {"action": first["action"]}).status_code == 200
    again = client.post(f"/t/{table}/move", json=wish | {"action": first["action"]})
    assert again.status_code == 200, "the same move again is no mistake"
    stale = client.post(f"/t/{table}/move", json=wish | {"action": other["action"]}, headers={"accept": "application/json"})
    assert stale.status_code == 409
    assert "older position" in stale.json()["problem"]
    stale = client.post(
        f"/t/{table}/move", json=wish | {"action": other["action"]}, headers={"accept": "application/json", "accept-language": "fr"}
    )
    assert "plus ancienne" in stale.json()["problem"]


def test_spectators_look_and_do_not_touch(client: TestClient) -> None:
    table = new_table(client)
    watcher = another(client)
    shown = scene(watcher, table)
    assert (shown["seat"], shown["mine"], shown["actions"]) == (None, [], [])
    mine = scene(client, table)
    wish = {"ply": mine["ply"], "action": mine["actions"][0]["action"]}
    for body in (wish, wish | {"seat": 0}, wish | {"seat": 1}):
        assert watcher.post(f"/t/{table}/move", json=body).status_code == 403
    for what in ("undo", "hint", "rematch"):
        assert watcher.post(f"/t/{table}/{what}").status_code == 403
    assert watcher.post(f"/t/{table}/say", json={"text": "hi"}).status_code == 403
    assert watcher.post(f"/t/{table}/move", json=wish | {"seat": 7}).status_code == 422


def test_a_seats_own_link_works_elsewhere_and_tokens_stay_home(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "open")
    friend = another(client)
    friend.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    tokens = [seat.token for seat in tables_of(client).in_memory[table].seats]
    for reader, own in ((client, 0), (friend, 1), (another(client), None)):
        page = reader.get(f"/t/{table}").text
        for number, token in enumerate(tokens):
            assert (token in page) == (number == own)
            assert token not in json.dumps(scene(reader, table))
    link = re.search(rf"http://sheep.test(/t/{table}/seat/[\w-]+)", client.get(f"/t/{table}").text)
    assert link
    phone = another(client)
    phone.get(link[1])
    assert scene(phone, table)["mine"] == [0]
    wrong = another(client).get(link[1][:-1] + ("a" if link[1][-1] != "a" else "b"))
    assert wrong.status_code == 404


def test_leaving_gives_the_seat_to_a_bot_or_frees_it(client: TestClient) -> None:
    waiting = new_table(client, "haste-bock", "me", "open")
    client.post(f"/t/{waiting}/leave")
    assert [seat.kind for seat in tables_of(client).in_memory[waiting].seats] == ["open", "open"]
    table = new_table(client, "haste-bock", "me", "open")
    friend = another(client)
    friend.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    friend.post(f"/t/{table}/leave")
    assert tables_of(client).in_memory[table].seats[1].kind == "bot"
    assert scene(friend, table)["seat"] is None
    assert [line[:2] for line in scene(client, table)["chat"]] == [["", "Ben has left the table."]]


def test_who_leaves_is_asked_once_and_can_take_the_seat_back(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "open")
    friend = another(client)
    friend.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    page = friend.get(f"/t/{table}").text
    assert re.search(rf'<details><summary>Leave the table</summary>[^§]*?action="/t/{table}/leave"', page), (
        "a tap by mistake leaves nothing"
    )
    left = friend.post(f"/t/{table}/leave")
    assert "Take my seat back" in left.text and f'action="/t/{table}/return"' in left.text
    assert "Take my seat back" not in friend.get("/").text, "it is offered once"
    assert client.post(f"/t/{table}/return").status_code == 409, "it is not theirs"
    assert another(client).post(f"/t/{table}/return").status_code == 409
    assert friend.post(f"/t/{table}/return").url.path == f"/t/{table}"
    seat = tables_of(client).in_memory[table].seats[1]
    assert (seat.kind, seat.name) == ("person", "Ben")
    assert scene(friend, table)["mine"] == [1]
    assert [line[1] for line in scene(client, table)["chat"]] == ["Ben has left the table.", "Ben is back at the table."]
    friend.get("/")
    assert f"/t/{table}" in friend.get("/mine").text, "it is among their games again"
    assert friend.post(f"/t/{table}/return").status_code == 409, "once is enough"


def test_a_seat_is_kept_for_a_while_and_not_from_who_takes_it(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(client, "haste-bock", "me", "open")
    client.post(f"/t/{table}/leave")
    friend = another(client)
    friend.post(f"/t/{table}/sit", data={"seat": "0", "name": "Ben"})
    assert client.post(f"/t/{table}/return").status_code == 409, "before the game begins whoever comes may sit there"
    late = new_table(client, "haste-bock", "me", "bot")
    client.post(f"/t/{late}/leave")
    assert "kept" in tables_of(client).in_memory[late].settings
    later = time.time() + kept_seats.KEEP + 1
    monkeypatch.setattr(kept_seats, "time", SimpleNamespace(time=lambda: later))
    assert "Take my seat back" not in client.get(f"/?left={late}").text
    assert client.post(f"/t/{late}/return").status_code == 409


def test_a_clock_is_told_before_one_sits_down(client: TestClient) -> None:
    for seconds, told in ((90, "90 seconds per move"), (60, "1 minute per move"), (7200, "2 hours per move"), (None, "")):
        wish = {"game": "haste-bock", "seats": [{"kind": "me"}, {"kind": "open"}], "listed": True, "seconds": seconds}
        table = client.post("/api/tables", json=wish).json()["table"]
        for page in ("/lobby", f"/t/{table}"):
            text = client.get(page).text
            assert told in text and ("per move" in text) == (told != "" or page == "/lobby")


def test_to_the_end_and_again(client: TestClient) -> None:
    table = new_table(client)
    assert client.post(f"/t/{table}/rematch").status_code == 409
    for place in range(400):
        if scene(client, table)["status"] == "over":
            break
        assert act(client, table, place).status_code == 200
    shown = scene(client, table)
    assert sorted(shown["ranks"])[0] == 1
    assert act_after_end(client, table, shown) == 409
    answer = client.post(f"/t/{table}/rematch", follow_redirects=False)
    again = client.post(f"/t/{table}/rematch", follow_redirects=False)
    assert answer.headers["location"] == again.headers["location"] != f"/t/{table}"
    assert scene(client, answer.headers["location"].rsplit("/", 1)[1])["mine"] == [0, 1]
    assert scene(client, table)["rematch"] in answer.headers["location"]
    assert 'id="again"' in client.get(f"/t/{table}").text
    assert 'id="next"' in another(client).get(f"/t/{table}").text, "who watched can follow"


def act_after_end(client: TestClient, table: str, shown: dict[str, object]) -> int:
    return client.post(f"/t/{table}/move", json={"ply": shown["ply"], "action": "slam 2", "seat": 0}).status_code


def test_undo_and_hint(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "me", hints="on")
    assert scene(client, table)["undo"] is not None
    assert act(client, table).status_code == 200
    shown = scene(client, table)
    assert shown["undo"] is None, "at a shared screen the other's move can be taken back, also before one's own first"
    assert client.post(f"/t/{table}/undo").status_code == 200
    assert scene(client, table)["ply"] < shown["ply"]
    hint = client.post(f"/t/{table}/hint").json()
    assert hint["action"] in [choice["action"] for choice in scene(client, table)["actions"]]
    assert hint["label"].removesuffix(".") in hint["reason"]
    assert ".." not in hint["reason"]


def test_names_and_chat_are_text(client: TestClient) -> None:
    evil = "<script>x</script>"
    table = new_table(client, "haste-bock", "me", "open", name0="<b>A</b>\u202e\x00\n")
    friend = another(client)
    friend.post(f"/t/{table}/sit", data={"seat": "1", "name": evil})
    client.post(f"/t/{table}/say", json={"text": "</script><img src=x onerror=alert(1)>"})
    page = client.get(f"/t/{table}").text
    for bad in ("<script>x", "<b>A", "<img src=x", "\u202e", "\x00"):
        assert bad not in page
    shown = scene(client, table)
    assert shown["players"][0]["name"] == "<b>A</b>"
    assert "<b>A" not in shown["picture"]
    assert shown["chat"][0][1].startswith("</script>")
    lobby = new_table(client, "haste-bock", "me", "open", name0=evil, listed="on")
    assert lobby in client.get("/lobby").text
    assert "<script>x" not in client.get("/lobby").text


def test_other_sites_cannot_act(client: TestClient) -> None:
    table = new_table(client)
    for headers in ({"origin": "https://evil.test"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        assert client.post(f"/t/{table}/undo", headers=headers).status_code == 403
        assert client.post("/play/haste-bock", headers=headers).status_code == 403
    assert client.post("/play/haste-bock", headers={"origin": "http://sheep.test"}).status_code == 200
    page = client.get(f"/t/{table}")
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page.text), "no script stands in the page"
    assert not re.search(r"\son\w+=", page.text)


def test_cookies_are_for_one_table_and_not_for_scripts(client: TestClient) -> None:
    answer = client.post("/play/haste-bock", follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"Path={answer.headers['location']}" in cookie


def test_the_page_with_a_seats_token_is_kept_nowhere(client: TestClient) -> None:
    table = new_table(client)
    assert "no-store" in client.get(f"/t/{table}").headers["cache-control"]
    client.cookies.clear()
    assert "cache-control" not in client.get(f"/t/{table}").headers


def test_set_ups_that_cannot_be_are_refused(client: TestClient) -> None:
    assert client.post("/new/haste-bock", data={"seats": "1" * 5000}).status_code == 422
    for name in ("self", "seats", "component_file"):
        made = client.post("/api/tables", json={"game": "haste-bock", "seats": [{"kind": "me"}, {"kind": "bot"}], "options": {name: "2"}})
        assert made.status_code == 422 and f"no option '{name}'" in made.json()["problem"]


def test_bodies_and_rates_have_limits(tmp_path: Path) -> None:
    with client_of(tmp_path, burst=25.0, per_second=0.001) as client:
        table = new_table(client)
        large = client.post(f"/t/{table}/say", content=b"x" * (LARGEST_BODY + 1), headers={"content-type": "application/json"})
        assert large.status_code == 413
        pieces = client.post(f"/t/{table}/say", content=(b"x" * 9000 for _ in range(20)), headers={"content-type": "application/json"})
        assert pieces.status_code == 413
        assert client.post(f"/t/{table}/say", json={"text": "x" * 301}).status_code == 422
        codes = [client.get("/health").status_code for _ in range(40)]
        assert 429 in codes


def test_figures_name_no_table_and_no_token(client: TestClient) -> None:
    table = new_table(client)
    act(client, table)
    token = tables_of(client).in_memory[table].seats[0].token
    client.get(f"/t/{table}/seat/{token}")
    text = client.get("/metrics").text
    assert 'sheepfold_events_total{what="moves by people"} 1' in text
    assert 'route="/t/{table_id}/move",status="200"' in text
    assert re.search(r'sheepfold_tables{status="playing"} 1', text)
    assert re.search(r"sheepfold_request_seconds_count [1-9]", text)
    assert table not in text
    assert token not in text
    assert client.get("/health").json()["status"] == "ok"


def test_who_shares_a_screen_sees_the_seat_that_acted_until_the_next_one_does(client: TestClient) -> None:
    table = new_table(client, "sheepzzz", "me", "me", "bot")
    for _ in range(60):
        shown = scene(client, table)
        if shown["status"] == "over":
            break
        if shown["to_act"] in (0, 1):
            assert shown["seat"] == shown["to_act"]
            act(client, table)
            last = shown["seat"]
            after = scene(client, table)
            if after["to_act"] == 2:
                assert after["seat"] == last, "not the other's hand"
    page = client.get(f"/t/{table}").text
    if scene(client, table)["status"] == "playing":
        assert re.search(r'<div id="board"[^>]*></div>', page), "a shared screen starts behind the curtain"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("en;q=0.2, fr;q=0.3", "fr"),
        ("fr;q=0.5, en-GB;q=0.7", "en"),
        ("tlh, fr;q=0.4", "fr"),
        ("fr;q=0, *;q=0.1", "en"),
        ("en;q=0, *", "fr"),
        ("fr;q=much", "en"),
        ("tlh", "en"),
        ("", "en"),
        (",;q=,=;", "en"),
    ],
)
def test_the_browser_says_which_language_it_likes_best(client: TestClient, accepted: str, language: str) -> None:
    answer = client.get("/", headers={"accept-language": accepted})
    assert f'<html lang="{language}"' in answer.text


def test_what_went_wrong_is_said_in_the_readers_language(tmp_path: Path) -> None:
    """Also by the guard, which knows nothing but headers; the API speaks English to programs."""
    with client_of(tmp_path, burst=6, per_second=0.001) as client:
        client.headers["accept-language"] = "fr"
        assert "Ce jeu n&#39;existe pas ici." in client.get("/rules/chess").text
        assert "choisissez à nouveau" in client.post("/new/haste-bock", data={"seats": "9"}).text
        assert client.post("/theme", headers={"origin": "http://wolf.test"}).json()["problem"].startswith("Cela venait de la page")
        assert client.post("/theme", content=b"x" * 70_000).json()["problem"] == "C'est trop long\u00a0; 64 Ko sont permis."
        assert client.get("/api/tables/nowhere99").json()["problem"].startswith("There is no such table")
        client.cookies["language"] = "en"
        client.get("/")
        assert client.get("/").json()["problem"].startswith("Too many requests")


def test_nobody_is_offered_the_made_up_language(client: TestClient) -> None:
    client.post("/language", data={"language": "xx"})
    assert 'lang="xx"' not in client.get("/").text


def test_a_seat_that_nobody_sits_on_is_left_aside(client: TestClient) -> None:
    for picked, meant in (("3", {}), ("2", {"first-starter": 2}), ("drawn", {})):
        table = new_table(client, "sheepzzz", "me", "bot", **{"option-first-starter": picked})
        assert tables_of(client).in_memory[table].setup.changed_options() == meant
