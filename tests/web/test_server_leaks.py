"""What `test_leaks` asks of pages and scenes, asked of the rest that comes over the wire: streams, refusals, answers to moves."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from test_leaks import GAMES, elsewhere, store
from web_helper import run, tables_of, without_stamps

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.game.conformance import Case, Line, play
from sheepfold.game.game import Game
from sheepfold.web import api
from sheepfold.web.event_stream import as_it_happens
from sheepfold.web.scenes import Scenes, Watcher

PLIES = 4
ODD = ("jump", "pass", "sleep", "draw 1")


def streamed(client: TestClient, table: str, viewer: int) -> list[str]:
    """The first event of all streams."""
    tables, tokens = tables_of(client), [] if viewer == SPECTATOR else [f"token-{viewer}"]

    async def first(live: Any) -> str:
        try:
            return str(await anext(live))
        finally:
            await live.aclose()

    watcher = Watcher(Scenes(), tokens, "en", None, "", False)
    streams = (
        lambda: api.scenes(tables, table, tokens, "en"),
        lambda: as_it_happens(tables, table, watcher),
        lambda: as_it_happens(tables, table, api.News(tokens, 0)),
    )
    return [without_stamps(run(client, lambda live=live: first(live()))) for live in streams]


def refused(client: TestClient, table: str, viewer: int, ply: int, texts: list[str]) -> list[str]:
    """What is said to wishes that cannot be granted: not here, not now, not to this one."""
    headers = {} if viewer == SPECTATOR else {"authorization": f"Bearer token-{viewer}"}
    cookie = {} if viewer == SPECTATOR else {"cookie": f"seat_{table}=token-{viewer}"}
    wishes = [{"ply": at, "action": text} for text in texts for at in (ply, 0, ply + 1)]
    answers = [client.post(f"/api/tables/{table}/moves", json=wish, headers=headers) for wish in wishes]
    answers.append(client.post(f"/t/{table}/rematch", headers=cookie))
    answers.append(client.post(f"/t/{table}/move", json={"ply": ply, "action": "jump"}, headers=cookie))
    assert all(answer.status_code >= 400 for answer in answers)
    return [f"{answer.status_code} {answer.text}" for answer in answers]


def impossible(line: Line, ply: int, viewer: int, texts: list[str]) -> list[str]:
    """Those of the texts that mean nothing the viewer may do."""
    if viewer == SPECTATOR:
        return texts
    view = line.positions[ply].seen_by(viewer)
    actions = view.legal() if view.to_act == viewer else view.interruptions(viewer)
    legal = [line.game.write(view, action) for action in actions]
    return [text for text in texts if not any(f"{each} ".startswith(f"{text} ") for each in legal)]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_streams_and_refusals_tell_no_secrets(client: TestClient, game: Game) -> None:
    compared = 0
    seats = game.seats[-1]
    line = play(Case(game.setup(seats)), f"refusals {seats}")
    notations = sorted({game.write(position, action) for position in line.positions for action in position.legal()})
    for viewer in line.viewers:
        plies = [ply for ply, position in enumerate(line.positions) if int(position.to_act) not in (CHANCE, OVER)]
        for ply in plies[:: max(1, len(plies) // PLIES)]:
            changed = elsewhere(line, ply, viewer)
            if changed is None:
                continue
            texts = impossible(line, ply, viewer, [*ODD, *notations[:: max(1, len(notations) // 4)]])
            found: list[Any] = []
            for name, events in ((f"truth-{viewer}-{ply}", line.events[:ply]), (f"other-{viewer}-{ply}", changed)):
                table = store(client, line, events, name)
                heard = [*streamed(client, table, viewer), *refused(client, table, viewer, ply, texts)]
                found.append([re.sub(re.escape(table), "TABLE", text) for text in heard])
            assert found[0] == found[1], f"{line.where(ply)}, viewer {viewer}"
            compared += 1
    assert compared > 5


def told_to_each_what_their_log_says(client: TestClient, table: str, tokens: list[str], streams: list[Any], ply: int) -> None:
    """After a move that answered that ply."""
    for token, live in zip(tokens, streams, strict=True):
        log = client.get(f"{table}?since={ply}", headers={"authorization": f"Bearer {token}"}).json()["log"]
        news = json.loads(run(client, lambda live=live: anext(live)).split(b"data: ")[1])
        if news["since"] == 0:
            news["happened"] = news["happened"][ply:]
        assert news["happened"] == [[told["who"], told["notation"]] for told in log]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_the_answer_to_a_move_is_what_the_log_says_to_that_seat(client: TestClient, game: Game) -> None:
    """So it holds no more than the scene, which is checked above: outcomes that only others see are empty in both."""
    seats = game.seats[0]
    made = client.post("/api/tables", json={"game": game.name, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}).json()
    table = f"/api/tables/{made['table']}"
    tokens = [made["token"], *(client.post(f"{table}/seats", json={"seat": seat}).json()["token"] for seat in range(1, seats))]
    throws = Dice("answers")
    streams = [as_it_happens(tables_of(client), made["table"], api.News([token], 1_000_000)) for token in tokens]
    tables_of(client).in_memory[made["table"]].draw = lambda position, _: int(position.random_action(throws))  # the same game every time
    hidden = 0
    for turn in range(400):
        to_act = client.get(f"{table}?since=1000000").json()["to_act"]
        if to_act is None:
            break
        headers = {"authorization": f"Bearer {tokens[to_act]}"}
        mine = client.get(f"{table}?since=1000000", headers=headers).json()
        choice = mine["actions"][turn % len(mine["actions"])]["action"]
        answer = client.post(f"{table}/moves", json={"ply": mine["ply"], "action": choice}, headers=headers).json()
        log = client.get(f"{table}?since={mine['ply']}", headers=headers).json()["log"]
        assert answer["happened"] == [[told["who"], told["notation"]] for told in log]
        assert answer["happened"][0] == [to_act, choice]
        assert answer["ply"] == mine["ply"] + len(answer["happened"])
        if turn < 40:
            told_to_each_what_their_log_says(client, table, tokens, streams, mine["ply"])
        hidden += sum(not text for _, text in answer["happened"])
        for other, token in enumerate(tokens):
            assert other == to_act or token not in json.dumps(answer)
    assert hidden > 0 or game.name == "guerre-des-moutons"  # there only the mover draws
