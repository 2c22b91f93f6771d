"""PettingZoo's and Gymnasium's own tests on every game and number of seats, and what they do not ask."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import parallel_to_aec

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.errors import MissingLibrary, wanted
from sheepfold.core.position import IllegalAction
from sheepfold.game.game import Game
from sheepfold.research.environment import pixels
from sheepfold.research.gymnasium import SheepfoldEnv, SheepfoldVectorEnv
from sheepfold.research.pettingzoo import env, parallel_env

EVERY = [(game.name, seats) for game in sheepfold.games() for seats in game.seats]
DRAWN = [game.name for game in sheepfold.games() if type(game).picture is not Game.picture]
pytestmark = pytest.mark.filterwarnings("ignore")


# PettingZoo.


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_pettingzoo_finds_nothing(name: str, seats: int) -> None:
    api_test(env(name, seats), num_cycles=30)
    seed_test(lambda: env(name, seats), num_cycles=30)
    parallel_api_test(parallel_env(name, seats, illegal="random"), num_cycles=30)


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_games_are_cut_off_after_max_cycles(name: str, seats: int) -> None:
    """PettingZoo's own test asks every agent in every cycle and knows no masks: so the parallel form, where a wild action is replaced."""

    def parallel(**values: int) -> object:
        return parallel_env(name, seats, illegal="random", **values)

    if seats > 1 and name != "guerre-des-moutons":  # there wild actions give up or retire before the fourth cycle
        max_cycles_test(SimpleNamespace(parallel_env=parallel, env=lambda **values: parallel_to_aec(parallel(**values))))
    table = env(name, seats, max_cycles=3)
    table.reset(seed=1)
    for step in range(3):
        assert not any(table.truncations.values()), step
        table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    assert all(table.truncations.values()) and not any(table.terminations.values())


@pytest.mark.parametrize("name", DRAWN)
def test_pettingzoo_renders(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    modes = ["human", "ansi", "svg"]
    try:
        pixels('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
        modes.append("rgb_array")
    except (MissingLibrary, OSError):
        pass  # no rasteriser here; the message has a test of its own

    def table(**values: str) -> object:
        made = env(name, 2, **values)
        made.metadata = {**made.metadata, "render_modes": modes}
        return made

    render_test(table, {"svg": lambda picture: picture.startswith("<svg")})
    assert capsys.readouterr().out


def test_rewards_come_at_the_end_and_add_up_to_nothing() -> None:
    table = env("haste-bock", 3)
    table.reset(seed=4)
    last = {}
    for agent in table.agent_iter():
        observation, reward, ended, cut, _ = table.last()
        last[agent] = reward
        assert (reward != 0) <= ended
        table.step(None if ended or cut else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert sum(last.values()) == pytest.approx(0) and max(last.values()) > 0


def test_agents_who_are_not_asked_have_an_empty_mask_and_their_own_view() -> None:
    table = env("sheepzzz", 3)
    table.reset(seed=2)
    position = table.table.games.position[0]
    for seat, agent in enumerate(table.possible_agents):
        seen = table.observe(agent)
        assert seen["action_mask"].any() == (agent == table.agent_selection)
        assert seen["observation"] == pytest.approx(position.seen_by(seat).tensor())
    first, second = (table.observe(agent)["observation"] for agent in table.possible_agents[:2])
    assert (first != second).any()


def test_observations_are_the_callers_to_keep() -> None:
    table = env("te-kuiti", 2)
    table.reset(seed=1)
    kept = table.last()[0]
    before = {name: array.copy() for name, array in kept.items()}
    for _ in range(5):
        table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    assert all((kept[name] == before[name]).all() for name in kept)


@pytest.mark.parametrize("illegal", ["raise", "lose", "random"])
def test_what_an_illegal_action_does(illegal: str) -> None:
    table = env("te-kuiti", 2, illegal=illegal)
    table.reset(seed=1)
    mover = table.agent_selection
    wrong = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    if illegal == "raise":
        with pytest.raises(IllegalAction, match="not legal"):
            table.step(wrong)
        return
    table.step(wrong)
    assert table.rewards[mover] == (-1 if illegal == "lose" else 0)
    assert all(table.terminations.values()) == (illegal == "lose")


# Gymnasium.


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_gymnasium_finds_nothing(name: str, seats: int) -> None:
    check_env(SheepfoldEnv(name, seats), skip_render_check=True)


def test_gymnasium_makes_the_games_by_name() -> None:
    made = gymnasium.make("sheepfold/sheepzzz-v0", seats=2, opponents="lamb", seat=1)
    made.reset(seed=3)
    assert made.unwrapped.seat == 1 and made.action_space.n == 241
    many = gymnasium.make_vec("sheepfold/sheepzzz-v0", num_envs=3, seats=2, vectorization_mode="vector_entry_point")
    assert many.reset(seed=1)[0].shape == (3, 269)


@pytest.mark.parametrize("opponents", ["random", "lamb", ("random", "ewe", "random")])
def test_a_game_against_bots_ends_with_a_result(opponents: str | tuple[str, ...]) -> None:
    table = SheepfoldEnv("haste-bock", 3, opponents=opponents, seat=0)
    _, info = table.reset(seed=1)
    ended = False
    while not ended:
        _, reward, ended, cut, info = table.step(np.flatnonzero(info["action_mask"])[0])
        assert not cut
    assert -0.5 <= reward <= 1 and reward != 0


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_many_games_at_once_are_the_same_as_one_by_one(name: str, seats: int) -> None:
    many = SheepfoldVectorEnv(name, 3, seats)
    seen, infos = many.reset(seed=7)
    alone = [SheepfoldEnv(name, seats, illegal="raise") for _ in range(3)]
    for index, table in enumerate(alone):
        table._dice = Dice(7).split(index)
        numbers, info = table.reset()
        assert (numbers == seen[index]).all() and (info["action_mask"] == infos["action_mask"][index]).all()
    over = [False] * 3
    random = np.random.default_rng(1)
    for _ in range(60):
        actions = [int(random.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in infos["action_mask"]]
        seen, rewards, ended, cut, infos = many.step(np.array(actions))
        for index, table in enumerate(alone):
            if over[index]:  # a game that was over begins anew and takes no action
                (numbers, info), reward, over[index], was_cut = table.reset(), 0.0, False, False
            else:
                numbers, reward, over[index], was_cut, info = table.step(actions[index])
            assert (numbers == seen[index]).all() and (info["action_mask"] == infos["action_mask"][index]).all()
            assert (reward, over[index], was_cut) == (pytest.approx(rewards[index]), ended[index], cut[index])


def test_many_games_refuse_an_illegal_action_before_anything_is_played() -> None:
    many = SheepfoldVectorEnv("te-kuiti", 2, 2)
    _, infos = many.reset(seed=1)
    [games] = many._parts.games()
    before = [position.key() for position in games.position]
    right = many.random_actions()
    wrong = int(np.flatnonzero(infos["action_mask"][1] == 0)[0])
    for actions in ([right[0], wrong], [right[0], -1], [right[0], 10**6], [right[0]]):
        with pytest.raises(IllegalAction):
            many.step(np.array(actions))
    assert [position.key() for position in games.position] == before


def test_many_games_are_cut_off() -> None:
    many = SheepfoldVectorEnv("sheepzzz", 4, 2, max_cycles=3)
    many.reset(seed=1)
    for _ in range(2):
        assert not many.step(many.random_actions())[3].any()
    assert many.step(many.random_actions())[3].all()
    assert not many.step(many.random_actions())[3].any()


# What both rest on.


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_observations_are_the_view_whatever_was_shown_before(name: str, seats: int) -> None:
    table = env(name, seats)
    table.reset(seed=5)
    dice = Dice(5)
    for _ in range(25):
        if any(table.terminations.values()):
            break
        position = table.table.games.position[0]
        for seat, agent in enumerate(table.possible_agents):
            seen, view = table.observe(agent), position.seen_by(seat)
            assert (seen["observation"] == np.array(view.tensor(), np.float32)).all()
            assert np.flatnonzero(seen["action_mask"]).tolist() == (view.legal() if view.to_act == seat else [])
        table.step(int(position.random_action(dice)))


def test_a_missing_library_gives_the_command() -> None:
    with pytest.raises(MissingLibrary, match=r"pip install 'sheepfold\[pettingzoo\]'"):
        wanted("no_such_zoo", "pettingzoo")


def test_sheepfold_needs_none_of_them() -> None:
    code = (
        "import sys\n"
        "for name in ('numpy', 'pyspiel', 'pettingzoo', 'gymnasium', 'pyarrow', 'cairosvg'): sys.modules[name] = None\n"
        "import sheepfold, sheepfold.bots, sheepfold.arena.simulate, sheepfold.research.vector\n"
        "sheepfold.games()\n"
        "for module in ('openspiel', 'pettingzoo', 'gymnasium'):\n"
        "    try: __import__('sheepfold.research.' + module)\n"
        "    except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("pip install 'sheepfold[") == 3
