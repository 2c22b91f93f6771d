"""Puzzles from one's own games, as a browser without a script uses them: nobody else's, nothing of games in progress, and what is right."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient
from replay_helper import finished, played, put
from web_helper import tables_of

from sheepfold.bots.analysis import Finding, asked
from sheepfold.game.records import Record
from sheepfold.game.session import Session
from sheepfold.table.archive import Analysis, Archive


def looked_back(client: TestClient, record: Record, seat: int = 0, count: int = 3) -> tuple[str, list[Finding]]:
    """A finished game at which a bot has looked: the first decisions of a seat cost a third, a fourth, a fifth of the win."""
    store = tables_of(client).store
    name = put(store, record)
    session = Session(record)
    findings = []
    for ply, event in enumerate(record.events):
        if event.who == seat and not event.interrupt and asked(session, ply) is not None and len(findings) < count:
            other = next(each for each in session.view(seat, ply).legal() if each != event.action)
            findings.append(Finding(ply, seat, [1 / record.setup.seats] * record.setup.seats, [other], round(1 / (3 + len(findings)), 4)))
    archive = Archive(store)
    archive.begin(name, Analysis(played(record).digest(), "done", [each.ply for each in findings])).result(30)
    for each in findings:
        archive.found(name, each.ply, vars(each)).result(30)
    return name, findings


def sit(client: TestClient, name: str, seat: int = 0) -> None:
    """By the seat's own link, so that the game is this browser's."""
    assert client.get(f"/t/{name}/seat/token-{seat}").status_code == 200


def listed(page: str) -> list[tuple[str, int]]:
    return [(name, int(ply)) for name, ply in re.findall(r'href="/puzzle/([\w-]+)/(\d+)"', page)]


@pytest.mark.parametrize("game", ["haste-bock", "te-kuiti", "sheepzzz", "shear-panic", "guerre-des-moutons"])
def test_a_turning_point_is_to_be_found_better(client: TestClient, game: str) -> None:
    record = finished(game, 3 if game == "shear-panic" else 2, "puzzles")
    name, findings = looked_back(client, record)
    assert not listed(client.get("/puzzles").text)
    sit(client, name)
    page = client.get("/puzzles").text
    assert listed(page) == [(name, each.ply) for each in findings], "the costliest first"
    assert "Solved: 0 of 3" in page and "33%" in page
    session = Session(record)
    first = findings[0]
    where, view = f"/puzzle/{name}/{first.ply}", session.view(0, first.ply)
    page = client.get(where).text
    texts = [unescape(each) for each in re.findall(r'name="action" value="([^"]+)"', page)]
    assert texts == [session.game.write(view, action) for action in view.legal()] and "<svg" in page
    made, best = (session.game.write(view, action) for action in (record.events[first.ply].action, first.best[0]))
    page = client.post(where, data={"action": made}).text
    assert "That is what you played then" in page and "The bot plays" not in page
    page = client.post(where, data={"action": best}).text
    assert "Yes!" in page and "The bot plays" in page and f"/puzzle/{name}/{findings[1].ply}" in page
    page = client.get("/puzzles").text
    assert listed(page) == [(name, each.ply) for each in [*findings[1:], first]], "what is solved comes last"
    assert "Solved: 1 of 3" in page
    client.post(where, data={"action": made})
    assert "Solved: 1 of 3" in client.get("/puzzles").text, "solved is solved"
    page = client.post(f"/puzzle/{name}/{findings[1].ply}", data={"show": "1"}).text
    assert "The bot plays" in page and "Solved: 1 of 3" in client.get("/puzzles").text


def test_another_answer_is_weighed_by_the_bot(client: TestClient) -> None:
    record = finished("haste-bock", 2, "weighed")
    name, findings = looked_back(client, record)
    sit(client, name)
    client.app.state.gallery.analysis_queue.simulations = 30  # type: ignore[attr-defined]
    session, first = Session(record), findings[0]
    view = session.view(0, first.ply)
    others = [each for each in view.legal() if each not in (first.best[0], record.events[first.ply].action)]
    page = client.post(f"/puzzle/{name}/{first.ply}", data={"action": session.game.write(view, others[0])}).text
    assert re.search("as good as the best|Better than then|No: that costs", page)


def test_nobody_elses_and_no_nonsense(client: TestClient) -> None:
    record = finished("haste-bock", 2, "not mine")
    name, findings = looked_back(client, record)
    where = f"/puzzle/{name}/{findings[0].ply}"
    assert client.get(where).status_code == 422, "who sat nowhere"
    sit(client, name, 1)
    assert not listed(client.get("/puzzles").text), "it was the other seat's decision"
    assert client.get(where).status_code == client.post(where, data={"action": "x"}).status_code == 422
    sit(client, name, 0)
    assert client.get(where).status_code == 200
    assert client.post(where, data={"action": "over the moon"}).status_code == 422
    for wrong in (f"/puzzle/{name}/{findings[0].ply + 1}", f"/puzzle/{name}/99999", "/puzzle/nowhere/3", f"/puzzle/{name}/x"):
        assert client.get(wrong).status_code in (404, 422), wrong


def test_a_game_in_progress_has_none(client: TestClient) -> None:
    record = finished("sheepzzz", 2, "going on")
    name = put(tables_of(client).store, record, plies=len(record.events) // 2)
    archive = Archive(tables_of(client).store)
    archive.begin(name, Analysis("x", "done", [3])).result(30)
    archive.found(name, 3, vars(Finding(3, 0, [0.5, 0.5], [1], 0.5))).result(30)
    sit(client, name)
    assert not listed(client.get("/puzzles").text)
    assert client.get(f"/puzzle/{name}/3").status_code == 422


def test_a_bot_looks_at_the_latest_games(client: TestClient) -> None:
    gallery = client.app.state.gallery  # type: ignore[attr-defined]
    gallery.analysis_queue.simulations = 5
    name = put(tables_of(client).store, finished("haste-bock", 2, "to be looked at"))
    sit(client, name)
    assert "Look for puzzles" in client.get("/puzzles").text
    page = client.post("/puzzles/look").text
    assert "Look for puzzles" not in page
    found = gallery.archive.analysis(name)
    assert found is not None and json.dumps(found.plies)
