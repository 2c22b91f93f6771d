"""The result of a finished game without a browser: its page, what the table's page is told, its pictures; nothing of a running game."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html import unescape

import pytest
from fastapi.testclient import TestClient
from replay_helper import finished, played, put
from web_helper import client_of, new_table, tables_of

from sheepfold import art
from sheepfold.game.records import Record, write_record
from sheepfold.game.registry import every_game
from sheepfold.messages import languages
from sheepfold.web.conclusion import CARD, conclude


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_of(tmp_path_factory.mktemp("results")) as found:
        yield found


def tied() -> Record:
    """A game of two who share the win."""
    return next(record for seed in range(200) if (record := finished("haste-bock", 2, f"tie {seed}")).end().ranks() == [1, 1])


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_a_result_has_its_page_in_every_language(client: TestClient, game) -> None:
    for seats in (game.seats[0], game.seats[-1]):
        record = finished(game.name, seats, "result")
        name = put(tables_of(client).store, record)
        ended = record.end()
        for language in languages():
            page = client.get(f"/result/{name}", headers={"accept-language": language})
            assert page.status_code == 200
            text = unescape(page.text)
            found = conclude(played(record), language)
            assert found is not None
            assert f"<h1>{found.heading}</h1>" in text
            assert all(f'<th scope="row">{part}</th>' in text for part, _ in found.parts)
            assert [player.score for player in found.players] == [
                int(ended.scores()[player.seat]) for player in sorted(found.players, key=lambda each: int(ended.ranks()[each.seat]))
            ]
            assert f'<meta property="og:title" content="{found.title}: {found.heading}">' in text
            assert 'og:image" content="http://sheep.test/static/icon-512.png"' in text
            if found.turned:
                assert f"/replay/{name}?ply={found.turned['ply']}" in text
                assert 0 < found.turned["ply"] <= len(record.events)
                assert client.get(f"/replay/{name}?ply={found.turned['ply']}").status_code == 200


def test_the_tables_page_is_told_only_what_it_lacks(client: TestClient) -> None:
    name = put(tables_of(client).store, finished("haste-bock", 4, "result"))
    part = client.get(f"/result/{name}?part=1").text
    assert "<html" not in part
    assert not re.search(r"<li\b", part), "the ranks stand on the page already"
    assert part.count("<table") == part.count("<h2") == 1
    assert 'scope="col"' in part
    page = client.get(f"/t/{name}").text
    assert re.search(r'data-result="/static/result\.js\?\w+"', page)
    assert "result.css" not in page, "it comes when it is needed"


def test_who_has_won_reads_it_in_the_second_person(client: TestClient) -> None:
    alone, shared = finished("haste-bock", 4, "result"), tied()
    for record, yours in ((alone, "You win!"), (shared, "You share the win!")):
        name, ranks = put(tables_of(client).store, record), record.end().ranks()
        for seat, rank in enumerate(ranks):
            assert (f"<h2>{yours}</h2>" in client.get(f"/result/{name}?part=1&seat={seat}").text) == (rank == 1)
        assert yours not in client.get(f"/result/{name}?part=1").text + client.get(f"/result/{name}").text


def test_a_turn_at_the_very_end_does_not_tell_the_end_twice(client: TestClient) -> None:
    record = finished("te-kuiti", 2, "3")
    found = conclude(played(record), "en")
    assert found is not None and found.turned is not None
    assert (found.turned["ply"], found.turned["lines"]) == (len(record.events), [])
    name, (winner,) = put(tables_of(client).store, record), found.winners
    told = client.get(f"/result/{name}?part=1").text
    assert f"<p>{winner.name} was ahead only at the very end." in told
    assert "<p>You were ahead only at the very end." in client.get(f"/result/{name}?part=1&seat={winner.seat}").text


def test_pictures_of_a_result_stand_alone(client: TestClient) -> None:
    name = put(tables_of(client).store, finished("sheepzzz", 5, "result"))
    found = conclude(played(finished("sheepzzz", 5, "result")), "en")
    assert found is not None
    for address, size in ((f"/result/{name}/feast.svg", art.FEAST), (f"/result/{name}/card.svg", CARD)):
        answer = client.get(address)
        assert answer.headers["content-type"] == "image/svg+xml"
        root = ElementTree.fromstring(answer.text)
        assert root.get("viewBox") == f"0 0 {size[0]} {size[1]}"
        assert set(re.findall(r'href="#([\w-]+)"', answer.text)) <= set(re.findall(r' id="([\w-]+)"', answer.text))
        assert "http" not in answer.text.replace("http://www.w3.org/2000/svg", ""), "nothing is loaded from elsewhere"
    told = "".join(root.itertext())
    assert all(player.name in told for player in found.players)
    assert found.heading in told


def test_names_cannot_break_the_card(client: TestClient) -> None:
    record = finished("haste-bock", 2, "result")
    name = put(tables_of(client).store, type(record)(record.setup, record.events, ["<b>&\"'</b>", "W" * 24]))
    told = "".join(ElementTree.fromstring(client.get(f"/result/{name}/card.svg").text).itertext())
    assert "<b>&\"'</b>" in told
    assert "WWW" in told and "W" * 24 not in told.replace("W" * 24 + " wins!", ""), "a long name is cut where it would not fit"
    assert "<b>&" not in client.get(f"/result/{name}").text


def test_who_plays_alone_may_have_lost(client: TestClient) -> None:
    seen = set()
    for seed in range(12):
        record = finished("te-kuiti", 1, f"alone {seed}")
        found = conclude(played(record), "en")
        assert found is not None
        assert found.lost == (not record.end().won())
        assert found.heading.startswith("Not this time") == found.lost
        assert found.turned is None
        seen.add(found.lost)
    assert True in seen


def test_a_shared_win_is_everybodys(client: TestClient) -> None:
    name = put(tables_of(client).store, tied())
    text = client.get(f"/result/{name}").text
    assert len(re.findall(r'<li class="first">', text)) == 2
    assert "share the win" in text
    assert "There is no clear one." in text
    feast = client.get(f"/result/{name}/feast.svg").text
    assert feast.count('class="sf-hops"') == 2


def test_nothing_is_told_of_a_game_that_goes_on(client: TestClient) -> None:
    record = finished("sheepzzz", 3, "result")
    running = put(tables_of(client).store, record, plies=len(record.events) // 2)
    fresh = new_table(client, "guerre-des-moutons")
    for table in (running, fresh):
        for address in ("", "?part=1", "/feast.svg", "/card.svg"):
            answer = client.get(f"/result/{table}{address}")
            assert answer.status_code == 409
            assert "came-about" not in answer.text
            assert "og:title" not in answer.text
            assert "sf-hops" not in answer.text
    assert client.get("/result/no-such-table").status_code == 404


def test_a_record_that_stops_before_the_end_has_no_result(client: TestClient) -> None:
    record = finished("haste-bock", 2, "result")
    half = write_record(Record(record.setup, record.events[:20], record.names))
    name = client.post("/api/replays", json={"record": half}).json()["replay"]
    assert client.get(f"/replay/{name}").status_code == 200
    assert client.get(f"/result/{name}").status_code == 409
    whole = client.post("/api/replays", json={"record": write_record(record)}).json()["replay"]
    assert client.get(f"/result/{whole}").status_code == 200
