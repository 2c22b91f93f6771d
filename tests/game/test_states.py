"""Positions and views travel: to another process, from compiled rules to interpreted ones and back, and nowhere else."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

import pytest
import toy_grass

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.sequential import Sequential, sequential
from sheepfold.core.travel import BadState
from sheepfold.core.workers import pool
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.conformance.travel_checks import strayed
from sheepfold.game.states import read_state, write_state
from sheepfold.yardsticks.connect_four import ConnectFour

GAMES = sheepfold.game.registry.names()


def played(setup, plies=40, seed=1):
    """A position in the middle of a game, played strictly in turns."""
    position, dice = sequential(setup.start()), Dice(seed)
    for _ in range(plies):
        if position.to_act == sheepfold.OVER:
            break
        position.advance(position.random_action(dice))
    return position


def some(count=4):
    """Positions of all games, at different moments, with a view of each."""
    for name in GAMES:
        for plies in range(9, 9 + count):
            position = played(sheepfold.load(name), 7 * plies, plies)
            yield position
            yield position.seen_by(plies % position.seats)


def test_a_pickle_is_small_and_says_what_set_up_it_needs():
    position = played(sheepfold.load("te-kuiti", seats=2))
    data = pickle.dumps(position)
    assert len(data) < 1500 and b"te-kuiti" in data
    assert pickle.loads(data).terms.tiles == position.terms.tiles


def test_what_comes_back_has_its_origin_and_travels_on():
    position = played(sheepfold.load("guerre-des-moutons", seats=3))
    again = pickle.loads(pickle.dumps(read_state(write_state(position))))
    assert isinstance(again, Sequential) and again.inner.origin == position.inner.origin
    assert strayed(position, again, Dice(1)) == ""


def test_a_component_file_of_ones_own_travels_along():
    game = sheepfold.games.find("te-kuiti")
    setup = game.setup(2, EnteredFile("mine.toml", game.printed.replace("count = 30", "count = 40")))
    position = played(setup, 3)
    assert position.supply > played(game.setup(2), 3).supply
    assert strayed(position, pickle.loads(pickle.dumps(position)), Dice(1)) == ""
    assert read_state(write_state(position), setup) == position


def test_fields_have_their_names_in_json():
    words = json.loads(write_state(sheepfold.load("haste-bock", seats=3).start()))
    assert words["game"] == "haste-bock" and words["seats"] == 3
    assert words["fields"]["points"] == [0, 0, 0] and len(words["fields"]["board"]) == 121


def answers(data):
    """In another process: what was sent, and what it is after some more events."""
    found = []
    for thing in pickle.loads(data):
        on = thing.determinize(Dice(5))
        for _ in range(12):
            if on.to_act == sheepfold.OVER:
                break
            on.advance(on.random_action(Dice(6)))
        found.append((thing.key(), on.key()))
    return found


def test_states_go_to_spawned_processes_and_come_back():
    things = list(some(2))
    with pool(1) as processes:
        assert processes.apply(answers, (pickle.dumps(things),)) == answers(pickle.dumps(things))


def test_states_go_from_compiled_rules_to_interpreted_ones_and_back():
    things = list(some(2))
    code = "import pickle, sys; things = pickle.load(sys.stdin.buffer); sys.stdout.buffer.write(pickle.dumps((sheepfold(), things)))"
    code = f"import sheepfold as s; sheepfold = s.compiled\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(things), capture_output=True, env={**os.environ, "SHEEPFOLD_PURE": "1"}, check=True
    )
    compiled, back = pickle.loads(done.stdout)
    assert not compiled
    assert [strayed(one, two, Dice(1)) for one, two in zip(things, back, strict=True)] == [""] * len(things)


def altered(position, **changes):
    return json.dumps({**json.loads(write_state(position)), **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sheepfold-state": 77}, "written in format 77, here it is 1"),
        ({"rules": 99}, "follows version 99 of its rules; here is version"),
        ({"game": "croquet"}, "set-up that cannot be had here: there is no game 'croquet'"),
        ({"seats": 9}, "set-up that cannot be had here: Haste Bock\\? is for 2, 3 or 4 players, not 9"),
        ({"options": {"wolves": True}}, "has no option 'wolves'"),
        ({"components": "0000"}, "was played with component file 0000; here it is"),
        ({"form": "0000"}, "has other fields than its rules have here"),
        ({"asked": "many"}, "how many seats have passed is a number, not 'many'"),
        ({"fields": {}}, "a state here has the fields"),
        ({"options": None}, "the set-up of this state is damaged"),
    ],
)
def test_what_does_not_belong_here_is_refused_with_a_sentence(changes, said):
    position = played(sheepfold.load("haste-bock", seats=3))
    with pytest.raises(BadState, match=said):
        read_state(altered(position, **changes))


@pytest.mark.parametrize("text", ["", "[]", "{}", '"x"', "7", "null", "[" * 9999])
def test_what_is_no_state_is_refused(text):
    with pytest.raises(BadState, match="this is no state as `write_state` writes them"):
        read_state(text)


@pytest.mark.parametrize("value", [None, "x", 10**30, 1.5, [300], [[1]], {"tuple": []}])
def test_a_vector_is_made_of_whole_numbers_that_it_can_hold(value):
    position = sheepfold.load("haste-bock", seats=3).start()
    fields = json.loads(write_state(position))["fields"]
    with pytest.raises(BadState, match="not the kind of value that belongs there"):
        read_state(altered(position, fields={**fields, "board": value}))


@pytest.mark.parametrize("value", [{"tuple": 3}, {"eval": ["1"]}, {"a": [], "b": []}, {"dict": [1]}, {"set": [[]]}])
def test_nothing_is_made_of_json_that_was_not_written(value):
    position = sheepfold.load("haste-bock", seats=3).start()
    fields = json.loads(write_state(position))["fields"]
    with pytest.raises(BadState):
        read_state(altered(position, fields={**fields, "stage": value}))


def test_another_set_up_is_refused_where_one_is_wanted():
    position = played(sheepfold.load("sheepzzz", seats=3, first_out_ends=True))
    with pytest.raises(BadState, match="another set-up: sheepzzz for 3, first-out-ends=True, not sheepzzz for 2"):
        read_state(write_state(position), sheepfold.load("sheepzzz", seats=2))


def test_a_pickle_of_other_rules_is_refused(monkeypatch):
    data = pickle.dumps(sheepfold.load("te-kuiti", seats=2).start())
    monkeypatch.setattr(type(sheepfold.games.find("te-kuiti")), "rules_version", 99)
    sheepfold.game.states.home.cache_clear()
    with pytest.raises(BadState, match=r"follows version \d+ of its rules; here is version 99"):
        pickle.loads(data)
    sheepfold.game.states.home.cache_clear()


def test_a_position_without_a_set_up_says_so():
    with pytest.raises(BadState, match="was started by no set-up"):
        pickle.dumps(ConnectFour())


def test_a_game_that_is_defined_anew_is_written_anew():
    first = toy_grass.GAME.setup(2).start()
    pickle.dumps(first)

    class Hay(toy_grass.Grass):
        def __init__(self, seats, tufts, of=None):
            super().__init__(seats, tufts, of)
            self.bales = 3

    anew = type(toy_grass.GAME)(toy_grass.GAME.name, Hay)
    with sheepfold.game.registry.added(anew):
        position = anew.setup(2).start()
        position.bales = 2
        assert pickle.loads(pickle.dumps(position)).bales == 2
