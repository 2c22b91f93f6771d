"""The JSON API, as a program uses it, and the live stream."""

from __future__ import annotations

import json
from typing import Any

from fastapi.testclient import TestClient
from web_helper import run, tables_of

from sheepfold.game.session import SHORT_LOG
from sheepfold.web import api
from sheepfold.web.event_stream import as_it_happens

TABLE = {"game": "haste-bock", "seats": [{"kind": "me", "name": "A"}, {"kind": "open"}]}


def test_a_program_plays(client: TestClient) -> None:
    made = client.post("/api/tables", json=TABLE).json()
    sat = client.post(f"/api/tables/{made['table']}/seats", json={"seat": 1, "name": "B"}).json()
    headers = [{"authorization": f"Bearer {token}"} for token in (made["token"], sat["token"])]
    table = f"/api/tables/{made['table']}"
    for _ in range(6):
        scene = client.get(table).json()
        mine = client.get(table, headers=headers[scene["to_act"]]).json()
        assert (scene["actions"], mine["seat"]) == ([], scene["to_act"])
        wish = {"ply": mine["ply"], "action": mine["actions"][0]["action"]}
        refused = client.post(f"{table}/moves", json=wish, headers=headers[1 - scene["to_act"]])
        assert refused.status_code == 409
        assert client.post(f"{table}/moves", json=wish).status_code == 403
        assert client.post(f"{table}/moves", json=wish, headers=headers[scene["to_act"]]).status_code == 200
    unreadable = client.post(f"{table}/moves", json=wish | {"ply": client.get(table).json()["ply"], "action": "jump"}, headers=headers[0])
    assert unreadable.status_code in (409, 422)
    assert "problem" in unreadable.json()


def test_what_is_wrong_is_said(client: TestClient) -> None:
    assert client.post("/api/tables", json=TABLE | {"game": "chess"}).status_code == 404
    assert client.post("/api/tables", json=TABLE | {"colour": "red"}).status_code == 422
    assert client.post("/api/tables", json=TABLE | {"options": {"fly": True}}).json()["problem"]
    assert client.get("/api/tables/nowhere99").status_code == 404
    assert client.get("/api/openapi.json").status_code == 200


def test_the_lobby_lists_what_may_be_listed(client: TestClient) -> None:
    hidden = client.post("/api/tables", json=TABLE).json()["table"]
    shown = client.post("/api/tables", json=TABLE | {"listed": True}).json()["table"]
    listed = [each["table"] for each in client.get("/api/tables").json()]
    assert shown in listed
    assert hidden not in listed


def test_the_stream_sends_the_log_piece_by_piece_and_all_of_it_after_an_undo(client: TestClient) -> None:
    made = client.post("/api/tables", json=TABLE | {"seats": [{"kind": "me"}, {"kind": "me"}]}).json()
    tables = tables_of(client)

    async def work() -> None:
        live = api.scenes(tables, made["table"], [made["token"]], "en")

        async def following() -> dict[str, Any]:
            text = await anext(live)
            while text.startswith(":"):
                text = await anext(live)
            return dict(json.loads(text.split("data: ", 1)[1]))

        scene = await following()
        assert [told["ply"] for told in scene["log"]] == list(range(scene["ply"]))
        seat, ply = scene["seat"], scene["ply"]
        await tables.move(made["table"], seat, ply, scene["actions"][0]["action"])
        after = await following()
        assert after["log_since"] == ply
        assert [told["ply"] for told in after["log"]] == list(range(ply, after["ply"]))
        await tables.undo(made["table"], seat)
        await tables.move(made["table"], seat, ply, scene["actions"][-1]["action"])
        again = await following()
        assert again["log_since"] == 0
        assert tables.listeners.count == 1
        await live.aclose()
        assert tables.listeners.count == 0

    run(client, work)


def test_the_short_log_of_a_game_of_memory_is_told_whole_at_its_end(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": "te-kuiti", "seats": [{"kind": "me"}]}).json()
    tables = tables_of(client)

    async def work() -> None:
        live = api.scenes(tables, made["table"], [made["token"]], "en")
        scene: dict[str, Any] = {"status": ""}
        while scene["status"] != "over":
            text = await anext(live)
            if not text.startswith(":"):
                scene = json.loads(text.split("data: ", 1)[1])
                if scene["status"] == "playing":
                    assert len(scene["log"]) <= SHORT_LOG
                    wish = "give up" if scene["ply"] > 3 * SHORT_LOG else scene["actions"][0]["action"]
                    await tables.move(made["table"], 0, scene["ply"], wish)
        assert [told["ply"] for told in scene["log"]] == list(range(scene["ply"]))
        await live.aclose()

    run(client, work)


def test_programs_hear_what_happened_and_what_was_taken_back(client: TestClient) -> None:
    made = client.post("/api/tables", json=TABLE | {"seats": [{"kind": "me"}, {"kind": "me"}]}).json()
    tables = tables_of(client)

    async def work() -> None:
        live = as_it_happens(tables, made["table"], api.News([made["token"]], 0))

        async def following() -> dict[str, Any]:
            return dict(json.loads((await anext(live)).split(b"data: ", 1)[1]))

        start = await following()
        assert (start["since"], len(start["happened"])) == (0, start["ply"])
        scene = tables.in_memory[made["table"]].scene(int(tables.in_memory[made["table"]].position.to_act), "en")
        seat, ply, choices = scene["seat"], scene["ply"], scene["actions"]
        await tables.move(made["table"], seat, ply, choices[0]["action"])
        told = await following()
        assert (told["since"], told["happened"][0]) == (ply, [seat, choices[0]["action"]])
        await tables.undo(made["table"], seat)
        await tables.move(made["table"], seat, ply, choices[-1]["action"])
        back = await following()
        assert (back["since"], len(back["happened"])) == (0, back["ply"])
        assert back["happened"] == start["happened"], "what was taken back has not happened"
        again = await following()
        assert (again["since"], again["happened"][0]) == (ply, [seat, choices[-1]["action"]])
        await live.aclose()  # type: ignore[attr-defined]
        assert tables.listeners.count == 0

    run(client, work)


def test_who_reads_slowly_is_told_the_rest_together(client: TestClient) -> None:
    made = client.post("/api/tables", json=TABLE | {"seats": [{"kind": "me"}, {"kind": "me"}]}).json()
    tables = tables_of(client)

    async def work() -> None:
        live = as_it_happens(tables, made["table"], api.News([made["token"]], 0))
        heard = [json.loads((await anext(live)).split(b"data: ", 1)[1])]
        table = tables.in_memory[made["table"]]
        for _ in range(4):
            seat = int(table.position.to_act)
            await tables.move(made["table"], seat, table.ply, table.scene(seat, "en")["actions"][0]["action"])
        while heard[-1]["ply"] < table.ply:
            heard.append(json.loads((await anext(live)).split(b"data: ", 1)[1]))
            assert heard[-1]["since"] == heard[-2]["ply"], "nothing is left out"
        assert len(heard) == 3, "the first of the moves, and then the others at once"
        await live.aclose()  # type: ignore[attr-defined]

    run(client, work)
