"""The vector environment in several processes, and its other ways to show what is seen: the same games, told otherwise."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import sheepfold
from sheepfold.core.position import IllegalAction, divisors
from sheepfold.core.sequential import sequential
from sheepfold.research.gymnasium import SheepfoldVectorEnv

GAMES = sheepfold.game.registry.names()


def course(table, steps=12):
    """What a table shows from its reset on, played at random."""
    numbers, infos = table.reset(seed=7)
    shown = [(numbers.copy(), infos["action_mask"].copy())]
    for _ in range(steps):
        numbers, rewards, ended, cut, infos = table.step(table.random_actions())
        shown.append((numbers.copy(), infos["action_mask"].copy(), rewards.copy(), ended.copy(), cut.copy()))
    return shown


def same(one, two):
    return all(np.array_equal(mine, yours) for row, other in zip(one, two, strict=True) for mine, yours in zip(row, other, strict=True))


@pytest.fixture(scope="module")
def two_processes():
    table = SheepfoldVectorEnv("guerre-des-moutons", 5, 2, workers=2, render_mode="svg", max_cycles=8)
    yield table
    table.close()


def test_more_processes_play_the_same_games(two_processes):
    alone = course(SheepfoldVectorEnv("guerre-des-moutons", 5, 2, max_cycles=8))
    assert same(course(two_processes), alone)
    assert any(row[4].any() for row in alone[1:])


def test_what_several_processes_hold_is_drawn_copied_and_pickled(two_processes):
    course(two_processes, 5)
    assert [picture[:4] for picture in two_processes.render()] == ["<svg"] * 5
    twin = pickle.loads(pickle.dumps(two_processes))
    other = copy.deepcopy(two_processes)
    for _ in range(4):
        actions = two_processes.random_actions()
        assert (twin.random_actions() == actions).all() and (other.random_actions() == actions).all()
        seen = two_processes.step(actions)[0]
        assert (twin.step(actions)[0] == seen).all() and (other.step(actions)[0] == seen).all()
    twin.close()
    other.close()


@pytest.mark.parametrize("wrong", [-1, 10**6, "illegal"])
def test_illegal_actions_are_refused_before_anything_is_played(two_processes, wrong):
    _, infos = two_processes.reset(seed=1)
    actions = two_processes.random_actions()
    before = [games.position[-1].key() for games in two_processes._parts.games()]
    actions[4] = np.flatnonzero(infos["action_mask"][4] == 0)[0] if wrong == "illegal" else wrong
    with pytest.raises(IllegalAction, match="is not legal in game 4; the mask has those that are"):
        two_processes.step(actions)
    with pytest.raises(IllegalAction, match="5 games need 5 actions, not 2"):
        two_processes.step(actions[:2])
    assert [games.position[-1].key() for games in two_processes._parts.games()] == before
    two_processes.step(two_processes.random_actions())
    assert [games.position[-1].key() for games in two_processes._parts.games()] != before


def test_a_process_that_is_gone_is_told():
    table = SheepfoldVectorEnv("te-kuiti", 2, 2, workers=2)
    [process] = table._parts.processes
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with pytest.raises(sheepfold.SheepfoldError, match="a process that steps games has ended"):
        table.reset(seed=1)
    table.close()


def test_a_process_ends_with_the_one_that_asked_it_even_while_it_waits_for_a_word():
    """Actions are checked after the others were woken: whoever is killed just then must not leave them waiting for ever."""
    asked = """
import os
from sheepfold.research.gymnasium import SheepfoldVectorEnv
if __name__ == "__main__":
    table = SheepfoldVectorEnv("te-kuiti", 2, 2, workers=2)
    table._parts._wake("step")
    print(table._parts.processes[0].pid, flush=True)
    os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=60)
    ended = time.monotonic() + 30
    while Path(f"/proc/{int(done.stdout)}").exists() and time.monotonic() < ended:
        time.sleep(0.05)
    assert time.monotonic() < ended


@pytest.mark.parametrize("name", GAMES)
def test_bytes_and_packed_masks_tell_the_same(name):
    usual = course(SheepfoldVectorEnv(name, 3, 2))
    table = SheepfoldVectorEnv(name, 3, 2, numbers="bytes", packed_masks=True, copy=False)
    wholes = np.array(divisors(sequential(sheepfold.load(name, 2).start())), np.float32)
    count = table.single_action_space.n
    assert table.observation_space.contains(table.reset(seed=1)[0])
    for row, other in zip(usual, course(table), strict=True):
        assert other[0].dtype == np.uint8 and np.array_equal(row[0], other[0] / wholes)
        assert np.array_equal(row[1], np.unpackbits(other[1], axis=1, count=count, bitorder="little"))


def test_packed_masks_are_checked_in_several_processes():
    with_workers = SheepfoldVectorEnv("sheepzzz", 3, 2, workers=2, packed_masks=True)
    _, infos = with_workers.reset(seed=1)
    mask = np.unpackbits(infos["action_mask"], axis=1, count=with_workers.single_action_space.n, bitorder="little")
    actions = with_workers.random_actions()
    with_workers.step(actions)
    with_workers.reset(seed=1)
    actions[1] = np.flatnonzero(mask[1] == 0)[0]
    with pytest.raises(IllegalAction, match="in game 1"):
        with_workers.step(actions)
    with_workers.close()


def test_without_copies_the_arrays_are_the_same_ones_and_others_can_share_them():
    table = SheepfoldVectorEnv("te-kuiti", 2, 2, copy=False)
    first, _ = table.reset(seed=1)
    assert table.step(table.random_actions())[0] is first
    assert np.shares_memory(np.from_dlpack(first), first)
    fresh = SheepfoldVectorEnv("te-kuiti", 2, 2)
    assert fresh.reset(seed=1)[0] is not fresh.step(fresh.random_actions())[0]


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"workers": 3}, {"numbers": "words"}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(sheepfold.SheepfoldError, match=r"workers are at least 1|numbers is float32 or bytes"):
        SheepfoldVectorEnv("te-kuiti", 2, 2, **wrong)
