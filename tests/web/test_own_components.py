"""Played with the pieces of somebody's own box: a made-up box of every game, on the page, in records, in the terminal, the arena and for
research."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tables_helper import a_move
from web_helper import client_of, new_table, run, scene, tables_of

from sheepfold.arena.arena import Contest
from sheepfold.arena.simulate import simulate
from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadRecord
from sheepfold.core.position import OVER
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.records import Event, Record, read_record, write_record
from sheepfold.game.registry import find
from sheepfold.web.rules_page import rules_text


def sheepfold(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sheepfold", *words], capture_output=True, text=True, check=False)


BOXES = {path.stem: path for path in sorted((Path(__file__).parent.parent / "boxes").glob("*.toml"))}


def played_out(client: TestClient, table_id: str) -> None:
    """Play at random to the end, all seats from this browser; after each move of its own the server makes some more itself."""
    dice, house = Dice(table_id), tables_of(client)

    async def some_moves() -> None:
        table = await house.table(table_id)
        for _ in range(4):
            if table.position.to_act != OVER and (move := a_move(table, dice.below(100)))[2] != "retire":
                await house.move(table_id, *move)

    while (shown := scene(client, table_id))["status"] != "over":
        choices = shown["actions"]
        if re.match("retire|done|take", choices[-1]["action"]) and len(choices) > 1:
            choices = choices[:-1]
        choice = choices[dice.below(len(choices))]
        answer = client.post(f"/t/{table_id}/move", json={"ply": shown["ply"], "action": choice["action"], "seat": shown["seat"]})
        assert answer.status_code == 200, answer.text
        run(client, some_moves)


@pytest.mark.parametrize("name", BOXES)
def test_a_box_is_kept_with_its_table_its_record_and_the_rematch(name: str, tmp_path: Path) -> None:
    text, game = BOXES[name].read_text(), find(name)
    digest = game.setup(2, BOXES[name]).digest
    with client_of(tmp_path) as client:
        assert game.component_file.read_text().splitlines()[-1] in client.get(f"/new/{name}").text.replace("&#34;", '"')
        table = new_table(client, name, "me", "me", components=text.replace("\n", "\r\n"), **{"components-name": "attic.toml"})
        assert "attic.toml" in client.get(f"/t/{table}").text
        assert tables_of(client).in_memory[table].setup.digest == digest != game.components.digest
        tables_of(client).in_memory.clear()  # from the store
        played_out(client, table)
        assert tables_of(client).in_memory[table].setup.digest == digest
        assert "attic.toml" in client.get(f"/replay/{table}").text
        record = client.get(f"/api/replays/{table}/record").text
        assert json.dumps(["attic.toml", text], ensure_ascii=False) in record
        brought = client.post("/api/replays", json={"record": record}).json()
        assert "attic.toml" in client.get(brought["page"]).text
        again = client.post(f"/t/{table}/rematch", follow_redirects=False).headers["location"].rsplit("/", 1)[1]
        assert tables_of(client).in_memory[again].setup.digest == digest
        on = client.post(f"/replay/{table}/play", data={"ply": "5", "seat": "0"}, follow_redirects=False).headers["location"]
        assert tables_of(client).in_memory[on.rsplit("/", 1)[1]].setup.digest == digest
    read = read_record(record)
    assert read.setup.digest == digest and read.setup.own_file == "attic.toml" and write_record(read) == record


TOLD = {
    "guerre-des-moutons": ["2 on each side", "between them ✓", "red pens of 4 sheep"],
    "haste-bock": ["Sheep Step (1, 3)", "Herd Instinct (2)", "<td>12-35</td>", "behind 58 and in the pen 70"],
    "shear-panic": [
        "Lamb slam (1, 2)",
        "Line push (2, 3) and diagonal push (2, 3)",
        "(spaces 1-11; ",
        "after 22 and 58 (16 and 43)",
        "2 faces with + and 4 with X",
        "4 extra moves (1, 2, 3, 3)",
        "1 off your points",
        "<td>○</td>\n<td>○</td>\n<td>–</td>\n<td>●</td>",
    ],
    "sheepzzz": ["39 sheep", "from 1 to 18", "3 wolves", "<td>0, 1, 4</td>", "<strong>2, 18</strong>", "<strong>1, 3, 16</strong>"],
    "te-kuiti": ["28 fences", "<td>6</td>\n<td>2</td>\n<td>6</td>"],
}
"""What the rules say with a made-up box, and with the game's own pieces do not."""


@pytest.mark.parametrize("name", BOXES)
def test_the_rules_beside_the_table_tell_its_numbers(name: str, tmp_path: Path) -> None:
    def told(text: str) -> list[str]:
        return [words for words in TOLD[name] if words in text]

    with client_of(tmp_path) as client:
        table = new_table(client, name, "me", "me", components=BOXES[name].read_text(), **{"components-name": "<attic>.toml"})
        text = client.get(f"/rules/{name}?part=1&table={table}").text
        assert told(text) == TOLD[name]
        assert told(client.get(f"/rules/{name}?part=1").text) == []
        assert text.count("&lt;attic&gt;.toml") == 1 and "attic" not in client.get(f"/rules/{name}?part=1").text


@pytest.mark.parametrize("name", ["haste-bock", "shear-panic"])
def test_figures_of_the_pieces_themselves_show_those_in_play(name: str) -> None:
    def figures(component_file: Path | None) -> list[str]:
        text = rules_text(name, "en", find(name).setup(component_file=component_file))
        return re.findall("(?s)<figure>(.*?)<figcaption>", text)

    usual, other = figures(None), figures(BOXES[name])
    changed = [place for place, (one, two) in enumerate(zip(usual, other, strict=True)) if one != two]
    assert changed == ([1] if name == "haste-bock" else [0, 1])


def test_pieces_that_do_not_fit_are_refused_with_the_place(tmp_path: Path) -> None:
    wrong = BOXES["te-kuiti"].read_text().replace("ram = 2", "ram = 99", 1)
    line = wrong.splitlines().index("ram = 99") + 1
    with client_of(tmp_path) as client:
        form = {"seats": "2", "kind0": "me", "kind1": "me", "components": wrong, "components-name": "attic.toml"}
        answer = client.post("/new/te-kuiti", data=form)
        assert answer.status_code == 422 and f"attic.toml, line {line}: tiles.ram" in answer.text
        seats = [{"kind": "me"}, {"kind": "me"}]
        sent = {"game": "te-kuiti", "seats": seats, "components": {"name": "attic.toml", "text": "no = TOML = file"}}
        assert "attic.toml: not a TOML file" in client.post("/api/tables", json=sent).json()["problem"]
        deep = sent | {"components": {"name": "attic.toml", "text": "a = " + "[" * 9000}}
        assert "attic.toml: not a TOML file" in client.post("/api/tables", json=deep).json()["problem"]
        table = new_table(client, "te-kuiti", "me", "me", components=find("te-kuiti").component_file.read_text() + "\n")
        assert tables_of(client).in_memory[table].setup.own_file == "", "what was not changed is the game's own"
    with sqlite3.connect(tmp_path / "web.db") as database:
        assert database.execute("SELECT count(*) FROM tables").fetchone() == (1,)


def test_a_server_may_have_its_own_boxes(tmp_path: Path) -> None:
    box = EnteredFile("attic.toml", BOXES["sheepzzz"].read_text())
    with client_of(tmp_path, components={"sheepzzz": box}) as client:
        assert client.get("/api/games/sheepzzz/components").text == box.text
        at_once = client.post("/play/sheepzzz", follow_redirects=False).headers["location"].rsplit("/", 1)[1]
        assert tables_of(client).in_memory[at_once].setup.own_file == "attic.toml"


def test_serve_refuses_a_bad_box_before_it_serves(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[tiles]\n")
    command = ["serve", "--database", f"sqlite:///{tmp_path}/x.db", "--components"]
    done = sheepfold(*command, f"te-kuiti={tmp_path}/bad.toml")
    assert done.returncode == 1 and "bad.toml, line 1: tiles.source" in done.stderr
    assert sheepfold(*command, "te-kuiti").returncode == 2


@pytest.mark.parametrize("name", BOXES)
def test_bots_play_with_it_in_the_arena_and_by_the_thousand(name: str, tmp_path: Path) -> None:
    game = find(name)
    told = ("--bots", "random,greedy:1", "-n", "2", "--seats", "2", "--components", str(BOXES[name]), "--out", str(tmp_path))
    assert sheepfold("arena", name, *told).returncode == 0
    header = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    contest = Contest(**{**header, "bots": tuple(header["bots"])})
    assert contest.setup().digest == game.setup(2, BOXES[name]).digest
    entered = game.setup(2, EnteredFile("attic.toml", BOXES[name].read_text()))
    assert len(simulate(entered, 4, ["random"], seed="1", workers=2).played) == 4


@pytest.mark.parametrize("name", BOXES)
def test_open_spiel_plays_with_it(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import sheepfold.research.openspiel  # noqa: F401

    game = pyspiel.load_game(f"sheepfold_{name.replace('-', '_')}", {"seats": 2, "components": str(BOXES[name])})
    state, dice = game.new_initial_state(), Dice(name)
    while not state.is_terminal():
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(actions[dice.below(len(actions))])


def test_a_record_says_what_is_wrong_with_its_box() -> None:
    setup = find("te-kuiti").setup(2, EnteredFile("attic.toml", BOXES["te-kuiti"].read_text()))
    position, dice, events = setup.start(), Dice("record"), []
    while position.to_act != OVER and len(events) < 20:
        events.append(Event(int(position.to_act), int(position.random_action(dice))))
        position.advance(events[-1].action)
    lines = write_record(Record(setup, events)).split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith("component-file: "))
    for wrong in (
        "component-file: attic.toml",
        "component-file: " + "[" * 9000,
        r'component-file: ["\ud800", "a"]',
        r'component-file: ["a", "\ud800"]',
        'component-file: ["attic.toml", 3]',
        'component-file: ["attic.toml", "[tiles]"]',
    ):
        text = "\n".join([*lines[:place], wrong, *lines[place + 1 : -2], ""])
        with pytest.raises(BadRecord, match=f"line {place + 1}"):
            read_record(text)
