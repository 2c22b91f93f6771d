"""Environments and OpenSpiel's states travel: pickled, copied or sent to another process they go on as the original does."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pyspiel
import pytest

import sheepfold
import sheepfold.research.openspiel
from sheepfold.core.travel import from_json, to_json
from sheepfold.core.workers import pool
from sheepfold.research.gymnasium import SheepfoldEnv, SheepfoldVectorEnv
from sheepfold.research.pettingzoo import env, parallel_env

GAMES = sheepfold.game.registry.names()


def by_pickle(thing):
    return pickle.loads(pickle.dumps(thing))


WAYS = [by_pickle, copy.deepcopy]


def step_gym(table, steps=25):
    """What one learner sees on its way, drawing with a generator that begins anew."""
    random, seen = np.random.RandomState(3), []
    for _ in range(steps):
        numbers, reward, ended, cut, info = table.step(random.choice(np.flatnonzero(table.action_masks())))
        seen.append((numbers.tobytes(), info["action_mask"].tobytes(), reward, ended))
        if ended or cut:
            table.reset()
    return seen


def step_aec(table, steps=25):
    random, seen = np.random.RandomState(3), []
    for _ in range(steps):
        observation, reward, ended, cut, _ = table.last()
        seen.append((table.agent_selection, observation["observation"].tobytes(), reward, ended))
        if ended or cut:
            break
        table.step(random.choice(np.flatnonzero(observation["action_mask"])))
    return seen


def step_many(table, steps=25):
    seen = []
    for _ in range(steps):
        numbers, rewards, ended, _, infos = table.step(table.random_actions())
        seen.append((numbers.tobytes(), infos["action_mask"].tobytes(), rewards.tobytes(), ended.tobytes()))
    return seen


def in_the_middle(make, step):
    table = make()
    table.reset(seed=2)
    step(table, 9)
    return table


def gym(name):
    return in_the_middle(lambda: SheepfoldEnv(name, 2), step_gym)


def aec(name):
    return in_the_middle(lambda: env(name, 2), step_aec)


def many(name):
    return in_the_middle(lambda: SheepfoldVectorEnv(name, 5, 2), step_many)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("make", "step"), [(gym, step_gym), (aec, step_aec), (many, step_many)])
def test_environments_go_on_as_the_original_does(make, step, name, way):
    table = make(name)
    twin = way(table)
    for index in range(3):  # the twin has memory of its own: stepping it does not touch the original
        assert step(twin, index) is not None
    twin = way(table)
    assert step(twin) == step(table)


def test_a_parallel_environment_and_bots_travel():
    table = parallel_env("haste-bock", 2, illegal="random")
    table.reset(seed=1)
    twin = by_pickle(table)
    actions = dict.fromkeys(table.agents, 0)
    one, two = (each.step(actions)[0]["player_0"]["observation"].tobytes() for each in (table, twin))
    assert one == two
    one = SheepfoldEnv("te-kuiti", 2, opponents="search:4", seat=0)
    one.reset(seed=1)
    assert step_gym(by_pickle(one), 3) == step_gym(one, 3)


def test_an_environment_that_was_never_reset_travels():
    for make in (lambda: SheepfoldEnv("sheepzzz", 2), lambda: SheepfoldVectorEnv("sheepzzz", 3, 2), lambda: env("sheepzzz", 2)):
        by_pickle(make()).reset(seed=1)


def go_on(things):
    table, several = things
    return step_gym(table), step_many(several)


def test_environments_go_to_spawned_processes():
    things = gym("te-kuiti"), many("sheepzzz")
    with pool(1) as processes:
        assert processes.apply(go_on, (things,)) == go_on(things)


@pytest.mark.parametrize("name", GAMES)
def test_open_spiel_states_are_pickled_and_serialized(name):
    game = pyspiel.load_game(f"sheepfold_{name.replace('-', '_')}(seats=2)")
    state, random = game.new_initial_state(), np.random.RandomState(1)
    for _ in range(25):
        state.apply_action(int(random.choice(state.legal_actions())))
    guess = state.resample_from_infostate(max(0, state.current_player()), random.random_sample)
    for thing in (state, guess):
        again = by_pickle(thing)
        assert str(again) == str(thing) and again.history() == thing.history()
        assert again.legal_actions() == thing.legal_actions()
    other, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(other) == str(game) and str(again) == str(state) and again.history() == state.history()
    assert str(by_pickle(game)) == str(game) and by_pickle(game).new_initial_state().num_players() == 2


def test_numbers_of_any_size_travel_as_json() -> None:
    """OpenSpiel's JSON, as most, has 64 bits."""
    told = to_json([(1 << 70, -5), -(1 << 64)])
    assert json.loads(json.dumps(told)) == [{"tuple": [{"int": [str(1 << 70)]}, -5]}, {"int": [str(-(1 << 64))]}]
    assert from_json(told) == [(1 << 70, -5), -(1 << 64)]
