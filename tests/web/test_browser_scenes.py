"""A page that has come a long way by differences shows what a fresh load shows, element by element: to the end, over lines that are cut."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.request import Request, urlopen

import pytest
from browser_helper import in_chromium

from sheepfold.game.registry import names

pytestmark = in_chromium

CUTTABLE = """() => {
    const Stream = window.EventSource;
    window.EventSource = class extends Stream { constructor(...how) { super(...how); window.stream = this; } };
}"""
CUT = "() => { window.stream.close(); window.stream.dispatchEvent(new Event('error')); }"
SHOWN = """() => {
    const told = (node) => {
        if (node.nodeType !== Node.ELEMENT_NODE) return node.data.trim();
        const marks = [...node.classList].filter((each) => each !== 'last').sort().join(' ');
        const size = node.localName === 'svg' ? 'style' : ''; // how large the page shows it
        const attributes = [...node.attributes].filter(({ name }) => !['class', 'xmlns', size].includes(name));
        const inside = [...node.childNodes].filter((each) => !each.matches?.('.passing, .trails')).map(told).filter(Boolean);
        return [node.localName, marks, ...attributes.map(({ name, value }) => `${name}=${value}`).sort(), inside];
    };
    const rooms = ['prompt', 'board', 'below', 'hand', 'others', 'loose', 'players', 'choices', 'log', 'outline'];
    return JSON.stringify(rooms.map((id) => told(document.getElementById(id))));
}"""
SINCE = {"guerre-des-moutons": 90, "haste-bock": 12, "shear-panic": 40, "sheepzzz": 100, "te-kuiti": 110}
"""They begin in the middle."""
AT = "(ply) => document.querySelector('#table').dataset.ply === String(ply)"


def ask(address: str, token: str, body: object = None) -> dict:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    headers["X-Forwarded-For"] = f"192.0.2.{random.randrange(1, 255)}"  # from many places: a single client has to be slower
    with urlopen(Request(address, None if body is None else json.dumps(body).encode(), headers), timeout=60) as answer:
        return dict(json.loads(answer.read()))


@pytest.mark.parametrize("game", names())
def test_by_differences_the_page_comes_to_what_a_fresh_load_shows(visit, played, server: str, game: str) -> None:
    rolls = random.Random(game)
    links = played(game, 2, "differences", lambda view, ply: view.to_act >= 0 and ply >= SINCE.get(game, 0))
    table, tokens = links[0].split("/")[-3], [link.split("/")[-1] for link in links]
    page = visit(reduced_motion="reduce", at=None)
    page.add_init_script(f"({CUTTABLE})()")
    page.goto(links[0])
    other = visit(reduced_motion="reduce", at=None)
    api = f"{server}/api/tables/{table}"
    compared = 0
    while True:
        over, ply = go_on(api, tokens, rolls, 400 if compared == 3 else rolls.randrange(1, 20))
        if compared % 3 == 1:
            page.evaluate(CUT)
            over, ply = go_on(api, tokens, rolls, rolls.randrange(1, 12))
        page.wait_for_function(AT, arg=ply)
        other.goto(links[0])
        other.wait_for_function(AT, arg=ply)
        page.wait_for_function("() => !document.querySelector('.passing')")
        for _ in range(50):  # the tab order follows what is painted
            one, fresh = page.evaluate(SHOWN), other.evaluate(SHOWN)
            if one == fresh:
                break
            page.wait_for_timeout(100)
        assert unlike(["", json.loads(one)], ["", json.loads(fresh)]) == []
        other.goto("about:blank")  # not to follow every move as well
        compared += 1
        if over:
            break
    assert compared > 1


def unlike(one: Any, other: Any) -> list[Any]:
    """Where two elements or texts are not the same: what only the one has, and what only the other has."""
    if one == other:
        return []
    if isinstance(one, str) or isinstance(other, str) or len(one[-1]) != len(other[-1]):
        return [one, other]
    marks = [set(each[:-1]) for each in (one, other)]
    here = [one[:3], marks[0] - marks[1], marks[1] - marks[0]] if marks[0] != marks[1] else []
    return here + [found for each in zip(one[-1], other[-1], strict=True) for found in unlike(*each)]


def go_on(api: str, tokens: list[str], rolls: random.Random, moves: int) -> tuple[bool, int]:
    """Some moves, as programs make them; whether the game is over, and its ply."""
    for _ in range(moves):
        turn = ask(f"{api}?since=1000000", "")["to_act"]
        if turn is None:
            break
        mine = ask(f"{api}?since=1000000", tokens[turn])
        choices = [choice["action"] for choice in mine["actions"]]
        wish = rolls.choice([choice for choice in choices if choice != "retire"] or choices)  # nobody gives up a game by chance
        ask(f"{api}/moves", tokens[turn], {"ply": mine["ply"], "action": wish})
    now = ask(f"{api}?since=1000000", "")
    return now["status"] == "over", now["ply"]
