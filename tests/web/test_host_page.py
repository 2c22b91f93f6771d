"""The host's page and the reports that lead there, as a browser without a script would use them; nobody gets in without the key."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from web_helper import another, client_of, new_table, run, scene, tables_of

from sheepfold.people.manners import Manners
from sheepfold.table.schema import chat, reports
from sheepfold.web import host
from sheepfold.web.host import Door, ShortKey
from sheepfold.web.serve import serve

KEY = "a key of the host's own"
DEEDS = ("dismiss", "remove", "silence", "speak", "close", "erase", "limits")
FORM = {"table": "abcdef", "number": "0", "person": "0123456789abcdef", "days": "day", "reason": "", "chat": "3"}


@pytest.fixture
def client(tmp_path: Path):
    with client_of(tmp_path, host_key=KEY) as found:
        yield found


@pytest.fixture
def host_(client: TestClient) -> TestClient:
    """The host's browser, let in."""
    found = another(client)
    assert found.post("/host", data={"key": KEY}).status_code == 200
    return found


def friends(client: TestClient) -> tuple[TestClient, str]:
    """Another browser, and the table where both sit."""
    ben = another(client)
    table = new_table(client, "haste-bock", "me", "open", name0="Anna")
    client.get(f"/t/{table}")
    ben.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    return ben, table


def say(client: TestClient, table: str, text: str):
    return client.post(f"/t/{table}/say", json={"text": text}, headers={"accept": "application/json"})


def report(client: TestClient, table: str, number: int = 0, reason: str = ""):
    return client.post(f"/t/{table}/report", json={"number": number, "reason": reason}, headers={"accept": "application/json"})


def kept(client: TestClient, kind) -> list:
    with tables_of(client).store.engine.connect() as connection:
        return list(connection.execute(select(kind)).mappings())


# The door.


def test_without_a_key_there_is_no_page_and_nothing_to_report_to(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        table = new_table(client)
        assert client.get("/host").status_code == client.post("/host", data={"key": ""}).status_code == 404
        assert {client.post(f"/host/{deed}", data=FORM).status_code for deed in DEEDS} == {404}
        assert say(client, table, "hello").status_code == 200 and report(client, table).status_code == 404
        assert "data-reports" not in client.get(f"/t/{table}").text and kept(client, reports) == []


def test_a_short_key_is_refused_before_anything_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHEEPFOLD_HOST_KEY", "fifteen letters")
    with pytest.raises(ShortKey, match="at least 16"):
        serve(database=f"sqlite:///{tmp_path / 'none.db'}")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(ShortKey, match="at least 16"), client_of(tmp_path, host_key="fifteen letters"):
        pass


def test_nobody_does_anything_without_the_key(client: TestClient) -> None:
    ben, table = friends(client)
    say(ben, table, "hello")
    form = FORM | {"table": table, "person": ben.cookies["device"].partition(".")[0]}
    before = {kind: kept(client, kind) for kind in (chat, reports)}
    for cookie in ("", "host=", f"host={int(time.time()) + 999}.{'0' * 64}", "host=²³.00", f"host={'9' * 400}"):
        for deed in DEEDS:
            answer = ben.post(f"/host/{deed}", data=form, headers={"cookie": cookie.encode("latin-1")}, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (303, "/host")
        page = ben.get("/host", headers={"cookie": cookie.encode("latin-1")}).text
        assert 'type="password"' in page and table not in page
    assert {kind: kept(client, kind) for kind in (chat, reports)} == before
    assert tables_of(client).store.latest_note() is None


def test_the_cookie_is_for_this_page_alone_and_ends(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = client.post("/host", data={"key": KEY[:-1]})
    assert wrong.status_code == 403 and "That is not the key" in wrong.text and "host" not in client.cookies
    answer = client.post("/host", data={"key": KEY}, follow_redirects=False)
    for part in ("HttpOnly", "Path=/host", "SameSite=strict", "Max-Age=43200"):
        assert part in answer.headers["set-cookie"]
    assert "no-store" in client.get("/host").headers["cache-control"] and 'type="password"' not in client.get("/host").text
    store = tables_of(client).store
    shown = client.cookies["host"]
    assert not Door(store, "another key, as long").lets_in(shown), "who changes the key shuts everybody out"
    now = time.time()
    monkeypatch.setattr(host.time, "time", lambda: now + host.LASTS + 1)
    assert 'type="password"' in client.get("/host").text
    monkeypatch.undo()
    client.post("/host/out")
    assert 'type="password"' in client.get("/host").text
    secure = TestClient(client.app, base_url="https://sheep.test")
    assert "Secure" in secure.post("/host", data={"key": KEY}, follow_redirects=False).headers["set-cookie"]


def test_other_sites_do_nothing_here(host_: TestClient) -> None:
    for headers in ({"origin": "https://elsewhere.test"}, {"sec-fetch-site": "cross-site"}):
        assert host_.post("/host/out", headers=headers).status_code == 403
        assert host_.post("/host", data={"key": KEY}, headers=headers).status_code == 403
    assert 'type="password"' not in host_.get("/host").text


def test_keys_are_not_guessed(tmp_path: Path) -> None:
    with client_of(tmp_path, host_key=KEY, keys=3) as client:
        answers = [client.post("/host", data={"key": f"guess {number}"}).status_code for number in range(5)]
        assert answers == [403, 403, 403, 429, 429]
        refused = client.post("/host", data={"key": KEY})
        assert refused.status_code == 429 and "Too many keys" in refused.text, "the right one neither, so guessing tells nothing"


# Reports.


def test_a_report_thanks_and_nobody_else_notices(client: TestClient, host_: TestClient) -> None:
    ben, table = friends(client)
    say(ben, table, "shame <b>on</b> you")
    before = scene(ben, table)
    assert report(client, table, 0, "  not\nkind ").json() == {}
    report(client, table, 0, "twice")
    watcher = another(client)
    assert report(watcher, table).status_code == 200 and "device" in watcher.cookies
    assert scene(ben, table)["chat"] == before["chat"] and scene(ben, table)["revision"] == before["revision"]
    page = host_.get("/host").text
    assert "shame &lt;b&gt;on&lt;/b&gt; you" in page and "not kind" in page and "twice" not in page
    assert "Reported by 2 people" in page and page.count("<article") == 1
    assert report(client, table, 5).status_code == 404 and report(client, "nowhere-at-all").status_code == 404
    assert report(client, table, 0, "x" * 301).status_code == 422 and report(client, table, -1).status_code == 422


def test_reports_are_limited_by_person_and_address(tmp_path: Path) -> None:
    with client_of(tmp_path, host_key=KEY, reports=2) as client:
        ben, table = friends(client)
        for number in range(4):
            say(ben, table, f"line {number}")
        answers = [report(client, table, number) for number in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429] and "You have reported much" in answers[-1].json()["problem"]
        assert len(kept(client, reports)) == 2


# What a host does.


def test_a_line_is_removed_in_every_language(client: TestClient, host_: TestClient) -> None:
    ben, table = friends(client)
    say(ben, table, "shame")
    report(client, table)
    host_.post("/host/remove", data={"table": table, "number": "0"})
    for language, text in (
        ("en", "A line by Ben was removed"),
        ("fr", "L’hôte a retiré un message de Ben"),
        ("de", "Zeile von Ben entfernt"),
    ):
        shown = client.get(f"/t/{table}/scene", headers={"accept-language": language}).json()["chat"]
        assert shown[0][0] == "" and text in shown[0][1]
        assert "shame" not in client.get(f"/t/{table}/chat?before=9", headers={"accept-language": language}).text
    page = host_.get("/host").text
    assert "<article" not in page and f"removed line 0 at table {table}" in page
    assert host_.post("/host/remove", data={"table": table, "number": "9"}).status_code == 404


def test_who_is_silenced_reads_why_and_the_api_is_no_way_round(client: TestClient, host_: TestClient) -> None:
    ben, table = friends(client)
    say(ben, table, "shame")
    report(client, table)
    person = re.search(r'name="person" value="([^"]+)"', host_.get("/host").text)[1]
    assert person == ben.cookies["device"].partition(".")[0]
    host_.post("/host/silence", data={"person": person, "days": "day"})
    refused = say(ben, table, "more")
    assert refused.status_code == 403 and refused.json()["problem"] == "The host has asked you to write nothing in chat for now."
    token = ben.cookies.get(f"seat_{table}")
    assert client.post(f"/api/tables/{table}/chat", json={"text": "x"}, headers={"authorization": f"Bearer {token}"}).status_code == 403
    assert say(client, table, "hello").status_code == 200
    assert person in host_.get("/host").text and "Let them speak again" in host_.get("/host").text
    host_.post("/host/speak", data={"person": person})
    assert say(ben, table, "sorry").status_code == 200
    assert host_.post("/host/silence", data={"person": person, "days": "year"}).status_code == 422


def test_a_table_is_found_and_closed(client: TestClient, host_: TestClient) -> None:
    _, table = friends(client)
    for asked in (table, f"http://sheep.test/t/{table}", f"http://sheep.test/t/{table}/"):
        page = host_.get("/host", params={"table": asked}).text
        assert f"Table {table}" in page and "Anna" in page and "Ben" in page
    assert "There is no such table" in host_.get("/host?table=nowhere").text
    host_.post("/host/close", data={"table": table, "reason": "unkind"})
    assert scene(client, table)["status"] == "closed" and "unkind" in scene(client, table)["prompt"]
    again = host_.post("/host/close", data={"table": table, "reason": ""})
    assert again.status_code == 409 and "has ended already" in again.text
    assert host_.post("/host/close", data={"table": "nowhere"}).status_code == 404


def test_nothing_of_a_game_is_on_the_page(client: TestClient, host_: TestClient) -> None:
    ben = another(client)
    table = new_table(client, "sheepzzz", "me", "open", name0="Anna")
    client.get(f"/t/{table}")
    ben.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    say(ben, table, "shame")
    report(client, table)
    page = host_.get(f"/host?table={table}").text
    held = run(client, lambda: tables_of(client).table(table))
    assert "sf-piece" not in page and not any(seat.token in page for seat in held.seats) and held.chance.secret not in page


def test_a_person_is_erased(client: TestClient, host_: TestClient) -> None:
    ben, table = friends(client)
    say(ben, table, "hello")
    page = host_.get(f"/host?table={table}").text
    person = ben.cookies["device"].partition(".")[0]
    assert person in page
    host_.post("/host/erase", data={"person": person})
    shown = client.get(f"/t/{table}/scene", headers={"accept-language": "fr"}).json()
    assert [each["name"] for each in shown["players"]] == ["Anna", "Quelqu’un"] and shown["chat"][0][0] == "Quelqu’un"
    assert shown["players"][1]["kind"] == "bot" and scene(ben, table)["mine"] == []
    for address in ("/", "/mine"):
        listed = client.get(address, headers={"accept-language": "de"}).text
        assert "Jemand" in listed and "Ben" not in listed
        assert table not in ben.get(address).text
    assert "\x1a" not in client.get(f"/t/{table}").text and f"erased person {person}" in host_.get("/host").text


def test_limits_are_set_and_are_as_usual_again(client: TestClient, host_: TestClient) -> None:
    tables, usual = tables_of(client), tables_of(client).limits.chat
    host_.post("/host/limits", data={"chat": "7", "streams": ""})
    assert tables.limits.chat == 7 and 'name="chat" value="7"' in host_.get("/host").text
    host_.post("/host/limits", data={"chat": "7", "streams": ""})
    assert host_.get("/host").text.count("set the limit chat") == 1, "what stays as it is is no deed"
    refused = host_.post("/host/limits", data={"chat": "many"}, headers={"accept-language": "de"})
    assert refused.status_code == 422 and "Das ist keine Grenze" in refused.text
    host_.post("/host/limits", data={"chat": ""})
    assert tables.limits.chat == usual


def test_what_was_done_is_paged(client: TestClient, host_: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        run(client, lambda number=number: Manners(tables_of(client)).dismiss("table", number))
    first = host_.get("/host").text
    older = re.search(r'href="(/host\?before=\d+)#done"', first)[1]
    numbers = [set(map(int, re.findall(r"reports of line (\d+) ", text))) for text in (first, host_.get(older).text)]
    assert numbers[0] == set(range(10, 60)) and numbers[1] == set(range(10))


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_the_page_in_three_languages(client: TestClient, host_: TestClient, language: str) -> None:
    ben, table = friends(client)
    say(ben, table, "hello")
    report(client, table)
    page = host_.get(f"/host?table={table}", headers={"accept-language": language}).text
    assert {"en": "Dismiss", "fr": "Classer", "de": "Verwerfen"}[language] in page
    assert not re.findall(r"\b(?:host|problem)\.[a-z-]+", re.sub(r'(?:href|action|src)="[^"]*"', "", page))
