"""Accounts on the pages: kept, found again, recovered, taken away and erased; by a browser without a script, its passkey beside it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import httpx
import pytest
from authenticator import Authenticator
from fastapi.testclient import TestClient
from sqlalchemy import select
from tables_helper import a_move, until
from test_privacy import PAGE
from web_helper import act, client_of, new_table, run, scene, serving, tables_of

from sheepfold.core.position import OVER
from sheepfold.game.records import read_record
from sheepfold.messages import SOMEBODY
from sheepfold.people.exporting import LEFT_OUT, NOBODYS, TOLD_OTHERWISE
from sheepfold.people.identity import person_of
from sheepfold.people.push import Browser
from sheepfold.people.ways import Quiet, Ways
from sheepfold.table.schema import (
    analyses,
    carries,
    entrants,
    hooks,
    intents,
    metadata,
    notices,
    pairings,
    passkeys,
    places,
    profiles,
    puzzles,
    rated_seats,
    ratings,
    recoveries,
    reports,
    silences,
    subscriptions,
    tournaments,
)
from sheepfold.web import app as server
from sheepfold.web.my_games import COOKIE
from sheepfold.web.serve import NoSuchWish, accounts_from

JSON = {"accept": "application/json"}


def browser(client: TestClient, scheme: str = "https") -> TestClient:
    """Somebody's browser at the same server."""
    found = TestClient(client.app, base_url=f"{scheme}://sheep.test")
    found.headers["accept-language"], found.portal = "en", client.portal
    return found


@pytest.fixture
def anna(client: TestClient) -> TestClient:
    return browser(client)


@pytest.fixture
def phone(client: TestClient) -> TestClient:
    return browser(client)


def kept(who: TestClient) -> Authenticator:
    """A passkey for somebody, made by the page."""
    key = Authenticator()
    answer = who.post("/account/passkey", json=key.create(who.post("/account/passkey/new", headers=JSON).json()), headers=JSON)
    assert answer.status_code == 200, answer.text
    return key


def enter(who: TestClient, key: Authenticator, status: int = 200) -> str:
    answer = who.post("/account/sign-in", json=key.get(who.post("/account/sign-in/new", headers=JSON).json()), headers=JSON)
    assert answer.status_code == status, answer.text
    return answer.text


def listed(who: TestClient) -> set[str]:
    return set(re.findall(r'<li[^>]*><a href="/t/([^"]+)"', who.get("/mine").text))


def code_of(who: TestClient) -> str:
    page = who.post("/account/code")
    assert "no-store" in page.headers["cache-control"]
    return "".join(re.findall("<span>([A-Z0-9-]+)</span>", page.text))


def finish(client: TestClient, table_id: str) -> None:
    house = tables_of(client)

    async def whole() -> None:
        table = await house.table(table_id)
        while table.position.to_act != OVER:
            await house.move(table_id, *a_move(table))

    run(client, whole)


def test_games_are_kept_and_found_on_another_device(anna: TestClient, phone: TestClient) -> None:
    table = new_table(anna, "haste-bock", "me", "open")
    assert anna.get(f"/t/{table}").status_code == 200
    page = anna.get("/mine").text
    assert 'data-passkey="keep"' in page and 'data-passkey="enter"' in page and "passkeys.js" in page
    assert 'data-passkey="enter"' in phone.get("/").text and 'data-passkey="enter"' in phone.get("/mine").text
    assert not phone.cookies
    key = kept(anna)
    page = anna.get("/mine").text
    assert "Add another passkey" in page and 'data-passkey="enter"' not in page and 'data-passkey="enter"' not in anna.get("/").text
    own = new_table(phone, "te-kuiti", "me", "bot")
    phone.get(f"/t/{own}")
    enter(phone, key)
    assert listed(phone) == listed(anna) == {table, own}
    assert 'id="own"' in phone.get(f"/t/{table}").text, "and sits there"
    new = browser(anna)
    enter(new, key)
    assert listed(new) == {table, own}, "also who had no cookie"
    assert all("Secure" in each for each in new.post("/account/sign-in/new").headers.get_list("set-cookie"))


def test_somebody_without_a_device_has_nothing_to_keep_or_lose(client: TestClient, phone: TestClient) -> None:
    for wish in ("passkey/new", "code", "elsewhere", "delete"):
        assert phone.post(f"/account/{wish}").status_code == 404
    for address in ("export", "delete"):
        assert phone.get(f"/account/{address}").status_code == 404
    assert phone.get("/account/lost").status_code == 200 and not phone.cookies


def test_without_tls_the_page_says_why_not(client: TestClient) -> None:
    plain = browser(client, "http")
    plain.get(f"/t/{new_table(plain)}")
    page = plain.get("/mine").text
    assert "data-passkey" not in page and "Passkeys are not offered here" in page and "Recovery code" in page
    assert "data-passkey" not in plain.get("/").text


@pytest.mark.slow
def test_behind_a_proxy_the_site_is_the_one_that_browsers_know(tmp_path: Path) -> None:
    with serving(tmp_path / "proxy.db") as address:
        proxied = {"host": "sheep.example", "x-forwarded-proto": "https"}
        assert "data-passkey" in httpx.get(address, headers=proxied).text
        assert httpx.post(f"{address}/account/sign-in/new", headers=proxied).json()["rpId"] == "sheep.example"
        assert "data-passkey" not in httpx.get(address, headers={"host": "sheep.example"}).text
    with serving(tmp_path / "proxy.db", SHEEPFOLD_ACCOUNTS="off") as address:
        assert "passkey" not in httpx.get(address, headers=proxied).text


def test_refusals_are_in_the_readers_language(anna: TestClient, phone: TestClient) -> None:
    anna.get(f"/t/{new_table(anna)}")
    key = kept(anna)
    phone.headers["accept-language"] = "de"
    assert "Diesen Passkey hat hier niemand" in enter(phone, Authenticator(), 422)
    assert "Die Antwort des Passkeys passt nicht" in enter(phone, Authenticator(origin="https://evil.test", id=key.id, key=key.key), 422)
    assert phone.post("/account/sign-in", json={"id": "x"}, headers=JSON).status_code == 422
    assert phone.post("/account/sign-in", json=[1], headers=JSON).status_code == 422
    other = browser(anna)
    other.get(f"/t/{new_table(other)}")
    kept(other)
    assert "another account" in enter(other, key, 422)
    link = re.search(r'value="[^"]*(/carry/[^"]+)"', anna.post("/mine/carry").text)[1]
    assert "another account" in other.post(link).text


def test_the_last_passkey_is_removed_only_on_purpose(anna: TestClient) -> None:
    anna.get(f"/t/{new_table(anna)}")
    kept(anna)
    kept(anna)
    first, second = re.findall("/account/passkey/([0-9a-f]{64})/remove", anna.get("/mine").text)
    page = anna.post(f"/account/passkey/{first}/name", data={"name": "  My   phone \n"}).text
    assert 'value="My phone"' in page
    assert first not in anna.post(f"/account/passkey/{first}/remove").text
    warned = anna.post(f"/account/passkey/{second}/remove").text
    assert "Remove your last passkey?" in warned and second in anna.get("/mine").text
    code_of(anna)
    assert second not in anna.post(f"/account/passkey/{second}/remove").text, "who has a code need not be asked"
    kept(anna)
    (third,) = re.findall("/account/passkey/([0-9a-f]{64})/remove", anna.get("/mine").text)
    assert third not in anna.post(f"/account/passkey/{third}/remove", data={"sure": "yes"}).text


def test_strangers_do_nothing_to_my_passkeys(anna: TestClient, phone: TestClient) -> None:
    anna.get(f"/t/{new_table(anna)}")
    kept(anna)
    (mine,) = re.findall("/account/passkey/([0-9a-f]{64})/remove", anna.get("/mine").text)
    phone.get(f"/t/{new_table(phone)}")
    kept(phone)
    phone.post(f"/account/passkey/{mine}/name", data={"name": "Mine"})
    phone.post(f"/account/passkey/{mine}/remove", data={"sure": "yes"})
    page = anna.get("/mine").text
    assert mine in page and 'value="Mine"' not in page


def test_who_has_lost_all_devices_comes_back_and_the_finder_plays_no_more(anna: TestClient, phone: TestClient) -> None:
    table = new_table(anna, "sheepzzz", "me", "open")
    hidden = new_table(anna, "te-kuiti", "me", "open")
    for each in (table, hidden):
        anna.get(f"/t/{each}")
    anna.post(f"/mine/hide/{hidden}")
    ben = browser(anna)
    ben.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    kept(anna)
    code = code_of(anna)
    assert code not in anna.get("/mine").text, "shown once"
    hand = anna.get(f"/t/{table}/picture.svg").text
    page = phone.post("/account/lost", data={"code": code[:-1] + "?"})
    assert page.status_code == 422 and "nobody’s" in page.text and COOKIE not in phone.cookies
    phone.post("/account/lost", data={"code": code.lower()})
    assert listed(phone) == {table} and phone.get(f"/t/{table}/picture.svg").text == hand
    assert listed(anna) == set()
    for each in (table, hidden):
        assert 'id="own"' not in anna.get(f"/t/{each}").text, "the lock is another, of what was hidden too"
        assert anna.post(f"/t/{each}/say", json={"text": "still here"}).status_code == 403
        assert 'id="own"' in phone.get(f"/t/{each}").text
    assert 'id="own"' in ben.get(f"/t/{table}").text


def test_codes_are_tried_a_few_times_only(tmp_path: Path) -> None:
    with client_of(tmp_path, recoveries=3) as client:
        anna, thief = browser(client), browser(client)
        anna.get(f"/t/{new_table(anna)}")
        code = code_of(anna)
        answers = [thief.post("/account/lost", data={"code": "AAAA"}).status_code for _ in range(3)]
        assert answers == [422] * 3
        refused = thief.post("/account/lost", data={"code": code})
        assert refused.status_code == 429 and "many codes" in refused.text and refused.headers["retry-after"]


def test_sign_out_here_and_everywhere_else(anna: TestClient, phone: TestClient) -> None:
    table = new_table(anna, "haste-bock", "me", "open")
    anna.get(f"/t/{table}")
    key = kept(anna)
    enter(phone, key)
    phone.get(f"/t/{table}")
    assert "Sign out on this device" in phone.get("/mine").text
    phone.post("/account/elsewhere")
    assert listed(anna) == set() and 'id="own"' not in anna.get(f"/t/{table}").text
    assert listed(phone) == {table} and 'id="own"' in phone.get(f"/t/{table}").text
    phone.post("/mine/forget")
    assert listed(phone) == set() and 'id="own"' not in phone.get(f"/t/{table}").text and COOKIE not in phone.cookies
    enter(phone, key)
    assert listed(phone) == {table}, "what an account has is still there"


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_accounts_in_three_languages(anna: TestClient, language: str) -> None:
    anna.headers["accept-language"] = language
    anna.get(f"/t/{new_table(anna)}")
    kept(anna)
    (mine,) = re.findall("/account/passkey/([0-9a-f]{64})/remove", anna.get("/mine").text)
    pages = [anna.get("/mine"), anna.get("/"), anna.get("/account/lost"), anna.get("/account/delete")]
    pages += [anna.post("/account/lost", data={"code": "A"}), anna.post(f"/account/passkey/{mine}/remove"), anna.post("/account/code")]
    for page in pages:
        text = re.sub(r'(?:href|action|src)="[^"]*"', "", page.text)
        assert not re.findall(r"\b(?:account|mine|problem)\.[a-z-]+", text), "every message was found"
    title = {"en": "Delete all of yours?", "fr": "Tout supprimer\u00a0?", "de": "Alles von dir löschen?"}[language]
    assert title in pages[3].text


# Switched off.


@pytest.mark.parametrize("how", ["by the host", "not installed"])
def test_where_there_are_no_accounts_no_page_speaks_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(server, "can_check_passkeys", lambda: how == "by the host")
    with client_of(tmp_path, accounts=how != "by the host") as client:
        anna = browser(client)
        anna.get(f"/t/{new_table(anna)}")
        for address in ("/", "/mine"):
            page = anna.get(address).text
            assert "passkey" not in page and "account" not in page
        assert "Forget this device" in anna.get("/mine").text
        for address in ("export", "delete", "lost"):
            assert anna.get(f"/account/{address}").status_code == 404
        for wish in ("passkey/new", "sign-in/new", "code", "lost", "elsewhere", "delete"):
            assert anna.post(f"/account/{wish}").status_code == 404


def test_what_a_host_may_say_of_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, meant in (("on", True), ("off", False), ("", True)):
        monkeypatch.setenv("SHEEPFOLD_ACCOUNTS", said)
        assert accounts_from() == meant
    monkeypatch.setenv("SHEEPFOLD_ACCOUNTS", "maybe")
    with pytest.raises(NoSuchWish, match="SHEEPFOLD_ACCOUNTS=maybe is not one of on, off"):
        accounts_from()


# All of one's own.


def files_of(who: TestClient) -> dict[str, str]:
    answer = who.get("/account/export")
    assert answer.status_code == 200 and "no-store" in answer.headers["cache-control"]
    assert re.fullmatch(r'attachment; filename="sheepfold-[\d-]+\.zip"', answer.headers["content-disposition"])
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_everything_that_is_kept_can_be_taken_away(client: TestClient, anna: TestClient, phone: TestClient) -> None:
    """Every table and column that docs/privacy.md tells of is in the file, or is left out by name."""
    over, going_on = new_table(anna, "te-kuiti", "me", "me"), new_table(anna, "sheepzzz", "me", "open")
    for table in (over, going_on):
        anna.get(f"/t/{table}")
        anna.post(f"/t/{table}/say", json={"text": f"hello {table}"})
    finish(client, over)
    enter(phone, kept(anna))
    code = code_of(anna)
    anna.post("/mine/carry")
    anna.post("/account/passkey/new")
    house, device = tables_of(client), anna.cookies[COOKIE].partition(".")[0]
    ways = Ways(house.store)

    async def told() -> None:
        await ways.be_quiet(device, Quiet(0, 60, "Europe/Berlin"))
        await ways.add_hook(device, "https://chat.example/1", "json", "en", "https://sheep.test")

    run(client, told)

    def rows(connection) -> None:
        person = connection.scalar(select(person_of(device)))
        told = {"person": person, "language": "en", "origin": "https://sheep.test"}
        key = Browser("https://push.example/1", "public-of-browser", "secret-of-browser")
        connection.execute(subscriptions.insert().values(id="one", device=device, **told, **vars(key)))
        connection.execute(notices.insert().values(kind="turn", person=person, table_id=over, target="one", since=1.0, due=9e9))
        token = connection.scalar(select(places.c.token).where(places.c.table_id == going_on))
        intent = {"token": token, "ply": 3, "undos": 0, "line": "[]", "standing": "", "looked": -1}
        connection.execute(intents.insert().values(table_id=going_on, seat=0, **intent))
        connection.execute(puzzles.insert().values(person=person, table_id=over, ply=3, solved=True, tries=1, at=1.0))
        connection.execute(analyses.insert().values(id=over, digest="x", state="wanted", plies="[]", at=1.0, person=person))
        connection.execute(reports.insert().values(table_id=over, number=0, person=person, text="hello", reason="", at=1.0))
        cup = {"id": "cup-of-anna", "name": "Cup", "game": "te-kuiti", "settings": "{}", "state": "over", "created": 1.0, "since": 1.0}
        connection.execute(tournaments.insert().values(**cup))
        connection.execute(entrants.insert().values(tournament_id="cup-of-anna", number=1, person=person, name="Anna"))
        connection.execute(pairings.insert().values(tournament_id="cup-of-anna", round=1, entrant=1))
        connection.execute(silences.insert().values(person=person, at=1.0))
        connection.execute(profiles.insert().values(id="anna", person=person, name="Anna", shown=True, at=1.0))
        connection.execute(rated_seats.insert().values(table_id=over, seat=0, player="anna"))
        connection.execute(ratings.insert().values(game="te-kuiti", player="anna", mu=25.0, sigma=8.0, games=1))

    house.store.write(rows).result(30)
    files = files_of(anna)
    assert set(files) == {"mine.json", f"records/{over}.txt", f"games/{going_on}.json"}
    mine = json.loads(files["mine.json"])
    assert mine["left_out"] == list(LEFT_OUT) and mine["games_left_out"] == []

    rows_told = [row.split("|") for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    for name, columns in ((re.findall("`(.+?)`", row[1])[0], re.findall("`(.+?)`", row[2])) for row in rows_told):
        if name in (*TOLD_OTHERWISE, *NOBODYS):
            assert name not in mine
            continue
        assert mine[name], f"the test has a row in {name}"
        wanted = {column for column in columns if f"{name}.{column}" not in LEFT_OUT}
        assert all(set(row) == wanted for row in mine[name]), name
    assert {each.split(".")[0] for each in LEFT_OUT} <= set(metadata.tables)
    assert {row["text"] for row in mine["chat"]} == {f"hello {over}", f"hello {going_on}"}
    assert {row["id"] for row in mine["tables"]} == {over, going_on}
    whole = "".join(files.values())
    with house.store.engine.connect() as connection:
        secrets = {
            value for column in (places.c.token, hooks.c.secret, recoveries.c.code, carries.c.code, subscriptions.c.auth)
            for value in connection.execute(select(column)).scalars()
        }  # fmt: skip
    assert len(secrets) == 6
    for secret in (*secrets, code, anna.cookies[COOKIE], *(house.in_memory[each].chance.secret for each in (over, going_on))):
        assert secret not in whole
    played = read_record(files[f"records/{over}.txt"])
    assert played.events == house.in_memory[over].events


def test_the_file_tells_nothing_hidden_of_a_game_that_goes_on(client: TestClient, anna: TestClient, phone: TestClient) -> None:
    table = new_table(anna, "sheepzzz", "me", "open")
    phone.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    anna.get(f"/t/{table}")
    for _ in range(6):
        for who in (anna, phone):
            if scene(who, table)["actions"]:
                act(who, table)
    for who in (anna, phone):
        files = files_of(who)
        assert [name for name in files if name != "mine.json"] == [f"games/{table}.json"], "no record before it is over"
        told, seen = json.loads(files[f"games/{table}.json"]), scene(who, table)
        assert [told[key] for key in ("seat", "log", "outline")] == [seen[key] for key in ("seat", "log", "outline")]
    alone = new_table(anna, "sheepzzz", "me", "me")
    anna.get(f"/t/{alone}")
    assert json.loads(files_of(anna)[f"games/{alone}.json"])["seat"] is None, "round one screen it is what everybody sees"
    memory = new_table(anna, "te-kuiti", "me", "me")
    anna.get(f"/t/{memory}")
    for _ in range(12):
        act(anna, memory)
    told, whole = json.loads(files_of(anna)[f"games/{memory}.json"]), tables_of(client).in_memory[memory]
    assert len(told["log"]) == len(scene(anna, memory)["log"]) < whole.ply, "what is to be remembered is not told"


def test_all_of_mine_is_deleted_when_asked_twice(client: TestClient, anna: TestClient, phone: TestClient) -> None:
    table, over = new_table(anna, "haste-bock", "me", "open", name0="Anna"), new_table(anna, "te-kuiti", "me", "open", name0="Anna")
    for each in (table, over):
        phone.post(f"/t/{each}/sit", data={"seat": "1", "name": "Ben"})
        for who in (anna, phone):
            who.get(f"/t/{each}")
    anna.post(f"/t/{table}/say", json={"text": "good luck"})
    finish(client, over)
    key = kept(anna)
    asked = anna.post("/account/delete").text
    assert "Delete all of yours?" in asked and listed(anna) == {table, over}, "nothing has happened yet"
    assert asked == anna.get("/account/delete").text
    gone = anna.post("/account/delete", data={"sure": "yes"})
    assert "All of yours is gone" in gone.text and not anna.cookies
    assert listed(anna) == set() and 'id="own"' not in anna.get(f"/t/{table}").text
    assert "Nobody here has this passkey" in enter(anna, key, 422)
    for each in (table, over):
        assert [player["name"] for player in scene(phone, each)["players"]] == ["Somebody", "Ben"]
    assert scene(phone, table)["chat"][0][:2] == ["Somebody", "good luck"]
    page = phone.get("/mine", headers={"accept-language": "de"}).text
    assert "Jemand" in page and SOMEBODY not in page
    assert "Quelqu’un" in phone.get(f"/replay/{over}", headers={"accept-language": "fr"}).text
    record = phone.get(f"/api/replays/{over}/record").text
    assert "names: Somebody, Ben" in record
    house = tables_of(client)

    async def played_on() -> None:
        """Ben's moves, to the end; a bot makes the others."""
        found = await house.table(table)
        while True:
            await until(lambda: found.position.to_act in (1, OVER))
            if found.position.to_act == OVER:
                return
            await house.move(table, *a_move(found))

    run(client, played_on)
    with house.store.engine.connect() as connection:
        left = "\n".join(f"{kind.name} {list(row)}" for kind in metadata.sorted_tables for row in connection.execute(select(kind)))
        assert not connection.execute(select(passkeys)).all()
    assert "Anna" not in left
