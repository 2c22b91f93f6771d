"""What the page can do a program can do: talk, ask for hints, come back, leave, play again, take a lesson."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient
from replay_helper import finished, put
from tables_helper import until
from web_helper import run, tables_of

from sheepfold.game.registry import find
from sheepfold.table.admin import close
from sheepfold.table.lesson import lesson


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def a_table(client: TestClient, *seats: dict[str, Any], game: str = "haste-bock", **more: Any) -> tuple[str, dict[str, str]]:
    made = client.post("/api/tables", json={"game": game, "seats": list(seats), **more}).json()
    return f"/api/tables/{made['table']}", bearer(made["token"])


ME, OPEN, BOT = {"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "bot", "level": "lamb"}


def test_who_only_watches_may_do_nothing(client: TestClient) -> None:
    path, _ = a_table(client, ME, BOT)
    for what, body in (
        ("chat", {"text": "hi"}),
        ("hint", None),
        ("leave", None),
        ("rematch", None),
        ("back", None),
        ("guide", {"wish": "show"}),
    ):
        for headers in ({}, bearer("wrong")):
            answer = client.post(f"{path}/{what}", json=body, headers=headers)
            assert (answer.status_code, list(answer.json())) == (403, ["problem"]), what
        assert client.post(f"/api/tables/nowhere99/{what}", json=body).status_code == 404
    assert client.get(f"{path}/chat").json() == {"since": 0, "chat": []}


def test_a_program_talks(client: TestClient) -> None:
    path, mine = a_table(client, ME, OPEN)
    said = client.post(f"{path}/chat", json={"text": "  good \n morning "}, headers=mine)
    assert (said.status_code, said.json()["said"]) == (201, 1)
    assert client.post(f"{path}/chat", json={"text": " \n"}, headers=mine).status_code == 422
    assert client.post(f"{path}/chat", json={"text": "x" * 301}, headers=mine).status_code == 422
    shown = client.get(path).json()
    assert ([line[:2] for line in shown["chat"]], shown["said"]) == ([["Ada", "good morning"]], 1)
    assert client.get(f"{path}/chat").json() == {"since": 0, "chat": shown["chat"]}


def test_a_program_asks_for_a_hint(client: TestClient) -> None:
    path, mine = a_table(client, ME, ME, hints=True)
    hint = client.post(f"{path}/hint?language=fr", headers=mine).json()
    shown = client.get(f"{path}?language=fr", headers=mine).json()
    assert (hint["action"], hint["label"]) in [(choice["action"], choice["label"]) for choice in shown["actions"]]
    assert hint["label"].removesuffix(".") in hint["reason"]
    assert "100" not in hint["reason"], "how often a bot wins is no reason"
    for seats, answered in (((ME, ME), 409), ((ME, BOT), 200)):
        path, mine = a_table(client, *seats)
        if not client.get(path, headers=mine).json()["actions"]:
            continue  # the bot begins
        answer = client.post(f"{path}/hint", headers=mine)
        assert answer.status_code == answered, "among people there are none"
        assert answered == 200 or "Among people" in answer.json()["problem"]
    forgetful, mine = a_table(client, ME, ME, game="te-kuiti", hints=True)
    assert client.post(f"{forgetful}/hint", headers=mine).status_code == 409


def test_a_program_leaves(client: TestClient) -> None:
    path, mine = a_table(client, ME, OPEN)
    assert client.post(f"{path}/leave", headers=mine).json() == {"seats": [0]}
    shown = client.get(path).json()
    assert [player["kind"] for player in shown["players"]] == ["open", "open"]
    assert shown["chat"][0][:2] == ["", "Ada has left the table."]
    assert client.get(f"{path}?language=de").json()["chat"][0][1] == "Ada hat den Tisch verlassen."
    assert client.post(f"{path}/leave", headers=mine).status_code == 403, "it sits there no more"
    playing, mine = a_table(client, ME, ME)
    assert client.post(f"{playing}/leave", headers=mine).json() == {"seats": [0, 1]}
    assert [player["kind"] for player in client.get(playing).json()["players"]] == ["bot", "bot"]
    assert client.post(f"{playing}/return").status_code == 409, "without a token"
    assert client.post(f"{playing}/return", headers=mine).json() == {"seats": [0, 1]}
    assert [player["kind"] for player in client.get(playing).json()["players"]] == ["person", "person"]


def test_a_program_comes_back(client: TestClient) -> None:
    path, mine = a_table(client, ME, OPEN, seconds=600)
    client.post(f"{path}/seats", json={"seat": 1})
    tables = tables_of(client)

    async def run_out() -> None:
        async with tables.at(path.rsplit("/", 1)[1]) as table:
            await tables.set_away(table, 0, True)

    run(client, run_out)
    assert client.get(path).json()["players"][0]["away"]
    assert client.post(f"{path}/back", headers=mine).status_code == 200
    assert not client.get(path).json()["players"][0]["away"]


def test_a_program_plays_again(client: TestClient) -> None:
    path, mine = a_table(client, ME, ME)
    assert client.post(f"{path}/rematch", headers=mine).status_code == 409, "not while it is played"
    over = put(tables_of(client).store, finished("haste-bock", 2, "again"))
    following = client.post(f"/api/tables/{over}/rematch", headers=bearer("token-0")).json()["table"]
    assert client.post(f"/api/tables/{over}/rematch", headers=bearer("token-1")).json()["table"] == following
    assert client.get(f"/api/tables/{over}").json()["rematch"] == following
    seats = [client.get(f"/api/tables/{following}", headers=bearer(f"token-{number}")).json()["seat"] for number in range(2)]
    assert seats == [1, 0], "the same tokens, the seats moved on"


def test_a_program_takes_a_lesson(client: TestClient) -> None:
    found = lesson(find("haste-bock"))
    assert found
    made = client.post("/api/games/haste-bock/lesson", json={"name": "Ada"}).json()
    path, mine = f"/api/tables/{made['table']}", bearer(made["token"])
    assert client.get(path).json()["guide"] is None, "the guide speaks to the learner alone"
    guide = client.get(path, headers=mine).json()["guide"]
    assert (guide["step"], guide["steps"], guide["want"]) == (1, len(found.steps), list(found.steps[0].want))
    shown = client.post(f"{path}/guide", json={"wish": "show"}, headers=mine)
    assert shown.status_code == 200 and shown.json()["ply"] > 0
    assert client.post(f"{path}/guide", json={"wish": "done"}, headers=mine).status_code == 422
    assert client.post(f"{path}/guide", json={"wish": "leave"}, headers=mine).status_code == 200
    assert client.get(path, headers=mine).json()["guide"] is None
    assert client.post("/api/games/chess/lesson", json={}).status_code == 404
    assert client.post(f"{path}/guide", json={"wish": "show"}, headers=mine).status_code == 409


def test_a_closed_table_is_to_be_looked_at_and_nothing_else(client: TestClient) -> None:
    (table, token), (waiting, _) = (a_table(client, ME, OPEN, game="sheepzzz", listed=True) for _ in range(2))
    name, waiting_name = (path.removeprefix("/api/tables/") for path in (table, waiting))
    client.post(f"{table}/seats", json={"seat": 1, "name": "Ben"})
    before = [client.get(table, headers=head).json() for head in (token, {})]
    for each in (name, waiting_name):
        close(str(tables_of(client).store.engine.url), each, "Good night.")
    run(client, lambda: until(lambda: tables_of(client).in_memory[name].status == "closed"))
    assert waiting_name not in [each["table"] for each in client.get("/api/tables").json()]
    assert client.post(f"{waiting}/seats", json={"seat": 1}).status_code == 409
    for old, head in zip(before, (token, {}), strict=True):
        now = client.get(table, headers=head).json()
        assert (now["picture"], now["outline"], now["log"]) == (old["picture"], old["outline"], old["log"])
        assert (now["actions"], now["undo"], now["ranks"]) == ([], "undo.none", None)
    assert "fermé cette table" in client.get(f"/t/{name}", headers={"accept-language": "fr"}).text
    wishes = {"moves": {"ply": before[0]["ply"], "action": "1"}, "undo": {}, "chat": {"text": "oh"}, "leave": {}, "rematch": {}, "hint": {}}
    for wish, body in wishes.items():
        assert client.post(f"{table}/{wish}", headers=token, json=body).status_code == 409, wish
    assert client.get(f"/api/replays/{name}/record").status_code == 409
    assert client.get(f"{table}/chance").json()["secret"] is None
    assert 'sheepfold_tables{status="closed"}' in client.get("/metrics").text
