"""Ratings on the pages, as a browser without a script would use them: agreeing, what a table says, one's page, and what nobody is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from tables_helper import a_move, until
from web_helper import another, client_of, new_table, run, scene, tables_of

from sheepfold.core.position import OVER
from sheepfold.game.registry import find
from sheepfold.messages import Voice
from sheepfold.people import ratings as room
from sheepfold.people.ratings import Ratings
from sheepfold.people.skill import Skill
from sheepfold.table import admin
from sheepfold.table.schema import profiles, rated_games
from sheepfold.web.language import WORDS
from sheepfold.web.rating_plot import MOST, rating_plot
from sheepfold.web.serve import NoSuchWish, rating_from

LANGUAGES = ("en", "fr", "de")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is over is counted without waiting for what might have ended before it, when a test says so and not by itself."""
    monkeypatch.setattr(room, "GRACE", -1.0)
    monkeypatch.setattr("sheepfold.people.looking.LOOK", 3600.0)


@pytest.fixture
def ben(client: TestClient) -> Iterator[TestClient]:
    yield another(client)


def rated_table(client: TestClient, ben: TestClient | None = None, game: str = "te-kuiti", **form: str) -> str:
    """The id of a rated table where Anna sits, and Ben if he is there, else a bot."""
    kinds = ("me", "open" if ben else "bot")
    table = new_table(client, game, *kinds, name0="Anna", rated="on", **form)
    client.get(f"/t/{table}")
    if ben:
        ben.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    return table


def play(client: TestClient, table_id: str) -> None:
    """To the end, by the server's own hands."""

    async def whole() -> None:
        house = tables_of(client)
        table = await house.table(table_id)
        while table.position.to_act != OVER:
            await house.move(table_id, *a_move(table))

    run(client, whole)


def test_who_left_comes_back_to_what_counts_only_before_a_bot_has_played_for_them(client: TestClient, ben: TestClient) -> None:
    table = rated_table(client, ben)
    asked = tables_of(client).in_memory[table].position.to_act
    leaver, other = (client, ben) if asked == 1 else (ben, client)
    assert leaver.post(f"/t/{table}/leave").status_code == 200
    assert leaver.post(f"/t/{table}/return").url.path == f"/t/{table}", "nobody has played for them yet"
    other.post(f"/t/{table}/leave")

    def played() -> bool:
        return any(event.who == asked for event in tables_of(client).in_memory[table].events)

    run(client, lambda: until(played))
    assert other.post(f"/t/{table}/return").status_code == 409, "a bot has played for them"


def count(client: TestClient) -> int:
    """Let the server count what is over; how many games' ratings have changed."""
    return int(run(client, Ratings(tables_of(client).store).look))


def page_of(client: TestClient) -> str:
    found = re.search(r'"(/player/[^"]+)"', client.get("/mine").text)
    assert found
    return found[1]


def rows(client: TestClient, table: Any) -> list[Any]:
    with tables_of(client).store.engine.connect() as connection:
        return list(connection.execute(select(table)))


def test_a_rated_game_from_the_form_to_both_pages(client: TestClient, ben: TestClient) -> None:
    table = new_table(client, "te-kuiti", "me", "open", name0="Anna", rated="on")
    client.get(f"/t/{table}")
    invited = ben.get(f"/t/{table}").text
    assert "Whoever sits down agrees" in invited and "Clock: 3 days" in invited
    assert not rows(client, profiles), "nobody has agreed to anything before the game begins"
    ben.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    part = client.get(f"/t/{table}/rated").text
    assert re.findall(r'href="/player/[^"]+">(\w+)<', part) == ["Anna", "Ben"] and part.count("1500") == 3
    play(client, table)
    assert "It is being counted" in client.get(f"/t/{table}/rated").text
    assert count(client) == 1
    part = client.get(f"/t/{table}/rated").text
    assert part.count("→") == 2 and "data-again" not in part
    page = client.get(page_of(client)).text
    assert "<h1>Anna</h1>" in page and "Te Kuiti" in page and "1 rated game" in page and page_of(ben) in page
    assert 'class="rating-plot"' in page and "The rating over 1 game" in page
    best = client.get("/players").text
    assert page_of(client) in best and page_of(ben) in best and "Fewer than 10 games" in best
    for secret in (table, client.cookies["device"], client.cookies["device"].partition(".")[0]):
        assert secret not in page + best


def test_who_switches_it_off_is_shown_nowhere(client: TestClient, ben: TestClient) -> None:
    table = rated_table(client, ben)
    play(client, table)
    count(client)
    bens = page_of(ben)
    ben.post("/mine/profile")
    assert another(client).get(bens).status_code == ben.get(bens).status_code == 404
    annas = client.get(page_of(client)).text
    for page in (annas, client.get("/players").text, client.get(f"/t/{table}").text, client.get(f"/t/{table}/rated").text):
        assert bens not in page
    assert client.get(f"/t/{table}/rated").text.count("→") == 1, "nor is a number beside the name"
    assert "Ben" not in annas and "Others, who do not show themselves" in annas
    ben.post("/mine/profile", data={"wanted": "1"})
    assert ben.get(bens).status_code == 200
    ben.post("/mine/forget")
    assert ben.get(bens).status_code == 404 and "Ben" not in client.get(page_of(client)).text


def test_nothing_is_public_of_who_has_not_asked(client: TestClient, ben: TestClient) -> None:
    table = new_table(client, "te-kuiti", "me", "open", name0="Anna")
    ben.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    play(client, table)
    assert count(client) == 0 and not rows(client, profiles)
    assert "/player/" not in client.get(f"/t/{table}").text + client.get("/mine").text + client.get("/players").text
    assert client.get(f"/t/{table}/rated").text == ""
    another(client).post("/mine/profile", data={"wanted": "1"})
    assert not rows(client, profiles), "nor of who is not known at all"
    client.post("/mine/profile", data={"wanted": "1"})
    assert "No rated games yet" in client.get(page_of(client)).text and len(rows(client, profiles)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("why", "form"),
    [
        ("seats", {"kind1": "me"}),
        ("options", {}),
        ("components", {}),
        ("one", {"seats": "1"}),
        ("nobody", {"kind0": "bot", "kind1": "bot"}),
    ],
)
def test_what_cannot_be_rated_is_said(client: TestClient, language: str, why: str, form: dict[str, str]) -> None:
    if why == "options":
        option = next(each for each in find("te-kuiti").options if len(each.values_for(2)) > 1)
        form = {f"option-{option.name}": str(next(each for each in option.values_for(2) if each != option.default)).lower()}
    if why == "components":
        form = {"components": client.get("/api/games/te-kuiti/components").text + "\n# mine\n"}
    wish = {"seats": "2", "kind0": "me", "kind1": "bot", "rated": "on"} | form
    answer = client.post("/new/te-kuiti", data=wish, headers={"accept-language": language})
    assert answer.status_code == 422
    assert Voice([WORDS], language).say(f"problem.not-rated.{why}").replace("'", "&#39;") in answer.text


def test_a_hint_makes_it_a_game_for_practice(client: TestClient) -> None:
    table = rated_table(client, game="haste-bock")
    assert scene(client, table)["rated"] == "on" and 'data-sure="With a hint' in client.get(f"/t/{table}").text
    run(client, lambda: until(lambda: tables_of(client).in_memory[table].position.to_act == 0))
    assert client.post(f"/t/{table}/hint").status_code == 200
    assert scene(client, table)["rated"] == "hint"
    for page in (f"/t/{table}", f"/t/{table}/rated"):
        assert "a hint was taken" in client.get(page).text


def test_among_people_there_are_no_hints_and_every_move_stands(client: TestClient, ben: TestClient) -> None:
    table = rated_table(client, ben, "haste-bock")
    mover = client if scene(client, table)["actions"] else ben
    answer = mover.post(f"/t/{table}/hint", headers={"accept": "application/json", "accept-language": "de"})
    assert (answer.status_code, answer.json()["problem"]) == (409, "Diese Partie wird gewertet: keine Tipps.")
    shown = scene(mover, table)
    assert shown["rated"] == "firm" and shown["undo"] == "undo.rated"
    mover.post(f"/t/{table}/move", json={"ply": shown["ply"], "action": shown["actions"][0]["action"], "seat": shown["seat"]})
    assert mover.post(f"/t/{table}/undo", headers={"accept": "application/json"}).status_code == 409
    assert scene(mover, table)["rated"] == "firm"


def test_a_second_seat_at_one_screen_is_said(client: TestClient) -> None:
    table = new_table(client, "te-kuiti", "me", "open", name0="Anna", rated="on")
    client.post(f"/t/{table}/sit", data={"seat": "1", "name": "Bea"})
    assert scene(client, table)["rated"] == "seats" and "somebody plays several seats" in client.get(f"/t/{table}").text


def test_who_gave_no_name_is_somebody(client: TestClient) -> None:
    client.get(f"/t/{new_table(client, 'te-kuiti', 'me', 'bot')}")
    client.post("/mine/profile", data={"wanted": "1"})
    for language, name in (("en", "Somebody"), ("fr", "Quelqu&#39;un"), ("de", "Jemand")):
        assert f"<h1>{name}</h1>" in client.get(page_of(client), headers={"accept-language": language}).text


def test_a_table_that_the_host_has_closed_does_not_count(client: TestClient, ben: TestClient) -> None:
    table = rated_table(client, ben)
    admin.close(str(tables_of(client).store.engine.url), table)
    run(client, lambda: tables_of(client).look_again(table))
    assert "the host has closed the table" in client.get(f"/t/{table}/rated").text and count(client) == 0


def test_programs_ask_for_it_too(client: TestClient) -> None:
    wish = {"game": "te-kuiti", "seats": [{"kind": "me"}, {"kind": "open"}], "rated": True, "listed": True}
    made = client.post("/api/tables", json=wish)
    assert made.status_code == 201
    (listed,) = client.get("/api/tables").json()
    assert listed["rated"] is True and listed["seconds"] == 3 * 86400
    assert client.get(f"/api/tables/{made.json()['table']}").json()["rated"] == "firm"
    assert client.post("/api/tables", json=wish | {"budget": 600}).status_code == 201
    refused = client.post("/api/tables", json=wish | {"seats": [{"kind": "me"}, {"kind": "bot", "level": "random"}]})
    assert refused.status_code == 422 and "level" in refused.json()["problem"]


def test_a_rematch_is_rated_when_both_have_come(client: TestClient, ben: TestClient) -> None:
    table = rated_table(client, ben)
    play(client, table)
    again = client.post(f"/t/{table}/rematch").url.path.split("/")[2]
    assert scene(client, again)["rated"] == "firm"
    assert re.findall(r'href="/player/[^"]+">(\w+)<', client.get(f"/t/{again}/rated").text) == ["Anna"]
    ben.get(f"/t/{again}")
    assert sorted(re.findall(r'href="/player/[^"]+">(\w+)<', client.get(f"/t/{again}/rated").text)) == ["Anna", "Ben"]
    play(client, again)
    assert count(client) == 1 and len(rows(client, rated_games)) == 2


def test_a_host_can_switch_it_off(tmp_path: Path) -> None:
    with client_of(tmp_path, rating=False) as client:
        assert 'name="rated"' not in client.get("/new/te-kuiti").text and "/players" not in client.get("/lobby").text
        answer = client.post("/new/te-kuiti", data={"seats": "2", "kind0": "me", "kind1": "bot", "rated": "on"})
        assert answer.status_code == 422 and "no ratings on this server" in answer.text
        client.get(f"/t/{new_table(client, 'te-kuiti', 'me', 'bot')}")
        assert "device" in client.cookies and "profile" not in client.get("/mine").text
        client.post("/mine/profile", data={"wanted": "1"})
        assert not rows(client, profiles)
        for address in ("/players", "/player/abcdefgh"):
            assert client.get(address).status_code == 404


@pytest.mark.parametrize("wanted", ["of", "ON", "1"])
def test_a_wish_that_means_nothing_is_refused(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setenv("SHEEPFOLD_RATINGS", wanted)
    with pytest.raises(NoSuchWish, match="on, off"):
        rating_from()


@pytest.mark.parametrize("address", ["/player/unknown-id", "/player/a", "/player/%00", "/player/" + "x" * 99])
def test_nobody_there(client: TestClient, address: str) -> None:
    assert client.get(address).status_code in (404, 422)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_speak_the_language(client: TestClient, ben: TestClient, language: str) -> None:
    table = rated_table(client, ben)
    play(client, table)
    count(client)
    for address in (page_of(client), "/players", f"/t/{table}/rated", "/mine", "/new/te-kuiti"):
        page = client.get(address, headers={"accept-language": language}).text
        plain = re.sub(r"<[^>]*>", " ", page)
        assert not re.findall(r"\b(?:rated|player|players|profile|honour|new)\.[a-z-]+", plain), address
        assert Voice([WORDS], language).say("rated.means") in page or address in ("/mine", "/new/te-kuiti")


def test_a_plot_of_very_many_games_is_small() -> None:
    drawn = rating_plot([Skill(25.0 + number % 7, 2.0) for number in range(5000)], "said <here>", "1 & 2", "end")
    points = re.search(r'polyline class="rating" points="([^"]+)"', drawn)
    assert points and len(points[1].split()) <= MOST + 2 and len(drawn) < 8000
    assert 'aria-label="said &lt;here&gt;"' in drawn and "1 &amp; 2" in drawn
    assert "polyline" in rating_plot([Skill(25.0, 2.0)], "", "", "")
