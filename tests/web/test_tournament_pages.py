"""The pages of tournaments, as a browser without a script would use them; and what is told of them to programs and to who looks on."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web_helper import another, client_of, tables_of

from sheepfold.core.position import OVER
from sheepfold.people import looking
from sheepfold.table.fairness import CLIENT
from sheepfold.web.serve import NoSuchWish, tournaments_from

FORM = {"seats": "2", "rounds": "2", "amount": "60", "unit": "minutes", "listed": "1", "me": "1", "called": "Anna", "name": "Spring Cup"}


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server sees to every second it sees to at once."""
    monkeypatch.setattr(looking, "LOOK", 0.05)


def announce(client: TestClient, game: str = "haste-bock", **form: str) -> str:
    """Announce a tournament by the form; its address."""
    answer = client.post(f"/tournaments/new/{game}", data=FORM | form)
    assert answer.status_code == 200, answer.text
    return answer.url.path


def until_it_says(client: TestClient, address: str, what: str) -> str:
    """The page, once it says so: the server goes on by itself."""
    for _ in range(4000):
        if re.search(what, text := client.get(address).text):
            return text
        time.sleep(0.05)
    raise AssertionError(f"{what} is not on {address}")


def play_out(client: TestClient, table_id: str) -> None:
    """People play a table to its end, in the server's own loop."""
    tables = tables_of(client)

    async def work() -> None:
        CLIENT.set("")
        table = await tables.table(table_id)
        while table.position.to_act != OVER:
            seat = int(table.position.to_act)
            view = table.position.seen_by(seat)
            table = await tables.move(table_id, seat, table.ply, table.game.write(view, view.legal()[0]))

    assert client.portal is not None
    client.portal.call(work)


def my_table(page: str) -> str:
    found = re.search(r'class="go large" href="/t/([\w-]+)"', page)
    assert found
    return found[1]


def test_two_people_from_the_announcement_to_the_end(client: TestClient) -> None:
    ben = another(client)
    address = announce(client)
    assert "You take part" in client.get(address).text and "device" in client.cookies
    page = ben.get("/tournaments").text
    assert address in page and "Spring Cup" in page and "1 player" in page
    page = ben.get(address).text
    assert "Start now" not in page and "Take part" in page
    assert "You take part" in ben.post(f"{address}/enter", data={"name": "Ben"}).text
    client.post(f"{address}/start")
    for number in (1, 2):
        page = until_it_says(client, address, f"Round {number}: your table is ready")
        table = my_table(page)
        assert my_table(ben.get(address).text) == table
        assert f'href="/t/{table}"' in client.get("/mine").text, "it is among one's games"
        shown = client.get(f"/t/{table}").text
        assert f'<a href="{address}">Tournament</a>' in shown and f"seat_{table}" in client.cookies
        play_out(client, table)
    page = until_it_says(ben, address, "data-over")
    assert "After round 2 you are in place" in page and "Over" in page and page.count("<tr data-entrant") == 2
    assert 'aria-current="page">1<' in ben.get(f"{address}?round=1").text


def test_who_looks_on_is_sent_only_what_has_changed(client: TestClient) -> None:
    address = announce(client)
    first = client.get(f"{address}/board")
    tag = first.headers["etag"]
    assert first.status_code == 200 and f'data-tag="{tag}"'.replace('"', "") in first.text.replace("&#34;", "").replace('"', "")
    again = client.get(f"{address}/board", headers={"If-None-Match": tag})
    assert again.status_code == 304 and not again.content
    another(client).post(f"{address}/enter", data={"name": "Ben"})
    later = client.get(f"{address}/board", headers={"If-None-Match": tag})
    assert later.status_code == 200 and "Ben" in later.text and later.headers["etag"] != tag
    german = client.get(f"{address}/board", headers={"If-None-Match": later.headers["etag"], "accept-language": "de"})
    assert german.status_code == 200 and "Wer mitmacht" in german.text
    assert "person" not in later.text and client.cookies["device"].split(".")[0] not in client.get(address).text


def test_leaving_removing_and_calling_off(client: TestClient) -> None:
    ben, cleo = another(client), another(client)
    address = announce(client)
    for each, name in ((ben, "Ben"), (cleo, "Cleo")):
        each.post(f"{address}/enter", data={"name": name})
    assert "Take part" in ben.post(f"{address}/leave").text
    assert ben.post(f"{address}/remove", data={"number": "0"}).status_code == 409
    assert "Cleo" not in client.post(f"{address}/remove", data={"number": "2"}).text
    for path in ("start", "call-off"):
        answer = cleo.post(f"{address}/{path}")
        assert answer.status_code == 409 and "Only who has announced" in answer.text
    few = client.post(f"{address}/start")
    assert few.status_code == 409 and "too few players" in few.text
    assert "Called off" in client.post(f"{address}/call-off").text
    assert ben.post(f"{address}/enter").status_code == 409
    assert ben.get(f"{address}/enter", headers={"accept": "text/html"}).url.path == address, "who reloads there is led back"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"seats": "9"}, "not played by so many"), ({"rounds": "50"}, "1 to 20 rounds"), ({"amount": "0"}, "needs a clock"),
        ({"clock": "none"}, "needs a clock"), ({"level": "lamb", "fill": "2000"}, "No more than 1,000"), ({"seats": "two"}, ""),
        ({"kind": "knockout"}, "1 to 20 rounds"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_told(client: TestClient, form: dict[str, str], said: str) -> None:
    answer = client.post("/tournaments/new/haste-bock", data=FORM | form)
    assert answer.status_code == 422 and said in answer.text


def test_what_is_not_there(client: TestClient) -> None:
    assert client.get("/tournament/nowhere").status_code == 404 and client.get("/tournament/nowhere/board").status_code == 404
    assert client.post("/tournament/nowhere/enter").status_code == 404 and client.get("/tournaments/new/chess").status_code == 404
    assert client.get("/api/tournaments/nowhere").status_code == 404
    address = announce(client)
    assert client.get(f"{address}?round=0").status_code == 422 and client.get(f"{address}?round=7").status_code == 200
    assert another(client).post("/tournaments/new/haste-bock", data=FORM | {"level": "wolf"}).status_code == 422


def test_programs_read_it_all(client: TestClient) -> None:
    address = announce(client, "te-kuiti", level="ewe", fill="4", me="", late="1")
    client.post(f"{address}/start")
    until_it_says(client, address, "data-over")
    found = client.get(f"/api/tournaments/{address.split('/')[-1]}").json()
    assert (found["state"], found["round"], len(found["players"]), len(found["standings"])) == ("over", 2, 4, 4)
    assert all(sum(table["points"]) == 12 for each in found["rounds"] for table in each["tables"])
    assert [each["id"] for each in client.get("/api/tournaments").json()] == [found["tournament"]]


def test_one_that_is_not_listed_is_found_by_its_link_alone(client: TestClient) -> None:
    address = announce(client, listed="")
    assert address in client.get("/tournaments").text and address not in another(client).get("/tournaments").text
    assert another(client).get(address).status_code == 200


def test_a_large_field_fits_the_page(client: TestClient) -> None:
    address = announce(client, "te-kuiti", level="ewe", fill="200", me="", rounds="1")
    client.post(f"{address}/start")
    page = until_it_says(client, address, "<tr data-entrant")
    assert page.count("<tr data-entrant") == 50 and "Show all" in page and len(page) < 200_000
    assert client.get(f"{address}?all=1").text.count("<tr data-entrant") == 200


def test_a_host_has_none(tmp_path: Path) -> None:
    with client_of(tmp_path, with_tournaments=False) as client:
        for address in ("/tournaments", "/tournaments/new/haste-bock", "/tournament/abcd", "/tournament/abcd/board", "/api/tournaments"):
            assert client.get(address).status_code == 404, address
        assert client.post("/tournaments/new/haste-bock", data=FORM).status_code == 404
        assert "ournament" not in client.get("/").text + client.get("/lobby").text


def test_the_hosts_wish_is_on_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for wish, wanted in (("", True), ("on", True), ("off", False)):
        monkeypatch.setenv("SHEEPFOLD_TOURNAMENTS", wish)
        assert tournaments_from() is wanted
    monkeypatch.setenv("SHEEPFOLD_TOURNAMENTS", "maybe")
    with pytest.raises(NoSuchWish, match="on, off"):
        tournaments_from()


def test_entries_have_a_limit(tmp_path: Path) -> None:
    with client_of(tmp_path, entries=2) as client:
        address = announce(client)
        answers = [another(client).post(f"{address}/enter", data={"name": "X"}).status_code for _ in range(3)]
        assert answers == [200, 200, 429]
