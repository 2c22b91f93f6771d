"""Speed of the environments for research, as one run: `python bench/research.py [--json FILE] [--seconds S]`.

What counts are ratios within one run; seconds are the processor's. Every loop picks a random legal action in the way that its
library shows to users. PettingZoo's classic games need pygame: `pip install pygame`. `--peers` is the table of peers alone: games of
pgx, EnvPool and OpenSpiel (in C++) beside ours, as many of these libraries as are installed (`pip install pgx envpool open_spiel`).
"""

from __future__ import annotations

import argparse
import json
import random
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import sheepfold

CHOICES = [random.Random(1).randrange(1 << 30) for _ in range(1 << 16)]
"""Drawn in advance, so that stepping measures the games and not the generator."""
GAMES = 256
PEER_GAMES = 1024
"""So many games of a peer are stepped at once: more suit XLA better."""
PEERS = {
    "pgx": ("sparrow_mahjong", "backgammon", "leduc_holdem", "connect_four"),
    "EnvPool": ("SparrowMahjong-v1", "Backgammon-v1", "LeducHoldem-v1", "ConnectFour-v1"),
    "OpenSpiel": ("backgammon", "gin_rummy", "hearts", "crazy_eights", "leduc_poker", "connect_four"),
}
ROUNDS = 5


def rates(works: dict[str, Callable[[], int]], seconds: float) -> dict[str, float]:
    """Steps a second of each. They take turns, ROUNDS times, and the best turn counts: other work on the machine can only slow one down."""
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            steps, began = 0, time.process_time()
            while (passed := time.process_time() - began) < seconds / ROUNDS:
                steps += work()
            best[name] = max(best[name], steps / passed)
    return best


def aec_game(env: Any) -> Callable[[], int]:
    """One game of a PettingZoo environment, as its documentation writes the loop."""
    env.reset(seed=1)
    count = 0

    def play() -> int:
        nonlocal count
        env.reset()
        began = count
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                action = None
            else:
                legal = observation["action_mask"].nonzero()[0]
                action = legal[CHOICES[count & 0xFFFF] % len(legal)]
            env.step(action)
            count += 1
        return count - began

    return play


def single_loop(name: str, seats: int, sample: bool = False) -> Callable[[], int]:
    """A step in each of many Gymnasium environments, one after the other.

    A random legal action is drawn as quickly as NumPy can, or as Gymnasium's documentation shows it, with `action_space.sample(mask)`.
    """
    from sheepfold.research.gymnasium import SheepfoldEnv

    envs = [SheepfoldEnv(name, seats) for _ in range(GAMES)]
    infos = [env.reset(seed=index)[1] for index, env in enumerate(envs)]
    count = 0

    def step() -> int:
        nonlocal count
        for index, env in enumerate(envs):
            mask = infos[index]["action_mask"]
            if sample:
                action = env.action_space.sample(mask)
            else:
                legal = mask.nonzero()[0]
                action = legal[CHOICES[count & 0xFFFF] % len(legal)]
            _, _, ended, cut, info = env.step(action)
            infos[index] = env.reset()[1] if ended or cut else info
            count += 1
        return GAMES

    return step


def sync_vector(name: str, seats: int) -> Callable[[], int]:
    """The same through Gymnasium's own SyncVectorEnv."""
    import gymnasium

    from sheepfold.research.gymnasium import SheepfoldEnv

    many = gymnasium.vector.SyncVectorEnv([lambda: SheepfoldEnv(name, seats) for _ in range(GAMES)])
    _, infos = many.reset(seed=1)
    count = 0

    def step() -> int:
        nonlocal infos, count
        actions = np.zeros(GAMES, np.int64)
        for index, mask in enumerate(infos["action_mask"]):
            legal = mask.nonzero()[0]
            if len(legal):
                actions[index] = legal[CHOICES[count & 0xFFFF] % len(legal)]
            count += 1
        infos = many.step(actions)[4]
        return GAMES

    return step


def our_vector(name: str, seats: int, copy: bool = True) -> Callable[[], int]:
    """A step of our vector environment, with fresh arrays as the others give, or with arrays that are used again."""
    from sheepfold.research.gymnasium import SheepfoldVectorEnv

    many = SheepfoldVectorEnv(name, GAMES, seats, copy=copy)
    many.reset(seed=1)

    def step() -> int:
        many.step(many.random_actions())
        return GAMES

    return step


def parts(name: str, seats: int, seconds: float) -> dict[str, float]:
    """Where the time of a game's step in our vector environment goes, in microseconds."""
    from sheepfold.research.gymnasium import SheepfoldVectorEnv

    many, still = SheepfoldVectorEnv(name, GAMES, seats), SheepfoldVectorEnv(name, GAMES, seats)
    many.reset(seed=1)
    still.reset(seed=1)
    own = still._parts.own

    def step() -> int:
        many.step(many.random_actions())
        return GAMES

    def draw() -> int:
        still.random_actions()
        return GAMES

    def look() -> int:
        own.held.show()
        return GAMES

    def arrays() -> int:
        own.screen.blank()
        own.show(still._parts.given())
        return GAMES

    for _ in range(30):  # into the middle of the games
        step()
        still.step(still.random_actions())
    found = rates({"all": step, "drawing actions": draw, "numbers and mask": look, "arrays": arrays}, seconds)
    spent = {part: 1e6 / rate for part, rate in found.items()}
    spent["playing"] = spent["all"] - sum(spent[part] for part in ("drawing actions", "numbers and mask", "arrays"))
    return spent


def cores(seconds: float, workers: int = 2) -> None:
    """What a second process is worth to the vector environment: by the clock, and by the CPU time of this process.

    This one steps its part and does all that is not shared out, so it is the one that works longest. What the clock says needs an idle
    machine; CPU time says what an idle one would allow.
    """
    from sheepfold.research.gymnasium import SheepfoldVectorEnv

    print(f"{f'{workers} processes':24}{'by the clock':>16}{'by CPU time':>16}")
    for game in sheepfold.games():
        tables = [SheepfoldVectorEnv(game.name, 4 * GAMES, max(2, game.seats[0]), workers=count, copy=False) for count in (1, workers)]
        spent: list[list[tuple[float, float]]] = [[] for _ in tables]
        for table in tables:
            table.reset(seed=1)
        for _ in range(round(200 * seconds)):
            for table, each in zip(tables, spent, strict=True):
                actions = table.random_actions()
                clock, cpu = time.perf_counter(), time.process_time()
                table.step(actions)
                each.append((time.perf_counter() - clock, time.process_time() - cpu))
        ratios = [np.median(one) / np.median(more) for one, more in zip(*[zip(*each, strict=True) for each in spent], strict=True)]
        print(f"{game.name:24}{ratios[0]:>16.2f}{ratios[1]:>16.2f}", flush=True)
        for table in tables:
            table.close()


def open_spiel_game(name: str, parameters: dict[str, Any]) -> Callable[[], int]:
    """One game of an OpenSpiel state, with its chance nodes."""
    import pyspiel

    game = pyspiel.load_game(name, parameters)
    count = 0

    def play() -> int:
        nonlocal count
        began = count
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[CHOICES[count & 0xFFFF] % len(actions)])
            count += 1
        return count - began

    return play


def pgx_games(name: str) -> Callable[[], int]:
    """A step of many games of pgx at once, compiled by XLA, with its own random agent; games that are over begin anew."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make(name)
    start, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def go_on(state: Any, key: Any) -> tuple[Any, Any]:
        key, acting, stepping = jax.random.split(key, 3)
        return step(state, act_randomly(acting, state.legal_action_mask), jax.random.split(stepping, PEER_GAMES)), key

    key = jax.random.PRNGKey(1)
    state, compiled = jax.jit(start)(jax.random.split(key, PEER_GAMES)), jax.jit(go_on)

    def play() -> int:
        nonlocal state, key
        state, key = compiled(state, key)
        state.observation.block_until_ready()
        return PEER_GAMES

    play()  # compiles
    return play


def envpool_games(name: str) -> Callable[[], int]:
    """A step of many games of EnvPool at once, in one thread of its own; actions are drawn from the masks by NumPy."""
    import envpool

    many = envpool.make_gymnasium(name, num_envs=PEER_GAMES, num_threads=1)
    rng = np.random.default_rng(1)
    _, infos = many.reset()

    def play() -> int:
        nonlocal infos
        mask = np.asarray(infos["legal_action_mask"])[:PEER_GAMES]
        infos = many.step((rng.random(mask.shape, np.float32) * mask).argmax(1).astype(np.int32))[4]
        return PEER_GAMES

    play()
    return play


def open_spiel_seen(name: str, parameters: dict[str, Any] | None = None) -> Callable[[], int]:
    """One game of an OpenSpiel state, where every decision begins with the tensor of who is to act."""
    import pyspiel

    import sheepfold.research.openspiel  # noqa: F401  # registers ours

    game = pyspiel.load_game(name, parameters or {})
    look = "observation_tensor" if game.get_type().provides_observation_tensor else "information_state_tensor"
    count = 0

    def play() -> int:
        nonlocal count
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                getattr(state, look)()
                steps += 1
            actions = state.legal_actions()
            state.apply_action(actions[CHOICES[count & 0xFFFF] % len(actions)])
            count += 1
        return steps

    return play


def peers(seconds: float) -> dict[str, Any]:
    """Steps of our vector environment and of peers' games, and why a peer is not there."""
    made: dict[str, Callable[[], int]] = {}
    missing = {}
    kinds = {"ours": lambda name: our_vector(name, 2), "pgx": pgx_games, "EnvPool": envpool_games, "OpenSpiel": open_spiel_seen}
    games = {"ours": [game.name for game in sheepfold.games()], **PEERS}
    games["OpenSpiel"] = [*games["OpenSpiel"], *(f"sheepfold_{name.replace('-', '_')}" for name in games["ours"])]
    for library, names in games.items():
        for name in names:
            try:
                own = library == "OpenSpiel" and name.startswith("sheepfold_")
                made[f"{library} {name}"] = open_spiel_seen(name, {"seats": 2}) if own else kinds[library](name)
            except Exception as problem:  # whatever keeps a peer from being measured here is told in the table
                missing[f"{library} {name}"] = f"{type(problem).__name__}: {problem}"
    return {"compiled": sheepfold.compiled(), "peers": rates(made, seconds), "missing": missing}


def show_peers(results: dict[str, Any]) -> None:
    found = results["peers"]
    ours = {name.removeprefix("ours "): rate for name, rate in found.items() if name.startswith("ours ")}
    head = "compiled" if results["compiled"] else "NOT compiled"
    print(f"{head}; steps a second of CPU time, observations included, and how many times as many ours are\n")
    print(f"{'':40}{'steps/s':>12}" + "".join(f"{name[:15]:>16}" for name in ours))
    for name, rate in found.items():
        print(f"{name:40}{rate:>12,.0f}" + "".join(f"{own / rate:>16.1f}" for own in ours.values()))
    for name, why in results["missing"].items():
        print(f"{name:40} not measured: {why.splitlines()[0]}")


def measure(seconds: float) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    import open_spiel.python.games  # noqa: F401  # registers OpenSpiel's own games in Python
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    import sheepfold.research.openspiel
    from sheepfold.research.pettingzoo import env

    every = [(game.name, game.seats[0] if game.name != "te-kuiti" else 2) for game in sheepfold.games()]
    tables = {str(peer.env().metadata["name"]): aec_game(peer.env()) for peer in (connect_four_v3, tictactoe_v3)}
    tables |= {name: aec_game(env(name, seats)) for name, seats in every}
    results: dict[str, Any] = {"compiled": sheepfold.compiled(), "PettingZoo": rates(tables, seconds), "Gymnasium": {}, "parts": {}}
    kinds = {
        "loop": single_loop, "sampling loop": partial(single_loop, sample=True), "SyncVectorEnv": sync_vector, "vector": our_vector,
        "no copy": partial(our_vector, copy=False),
    }  # fmt: skip
    for name, seats in every:
        results["Gymnasium"][name] = rates({kind: make(name, seats) for kind, make in kinds.items()}, seconds)
        results["parts"][name] = parts(name, seats, seconds)
    peers = ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_block_dominoes")
    states = {name: open_spiel_game(name, {}) for name in peers}
    states |= {name: open_spiel_game(f"sheepfold_{name.replace('-', '_')}", {"seats": seats}) for name, seats in every}
    results["OpenSpiel"] = rates(states, seconds)
    return results


def show(results: dict[str, Any]) -> None:
    ours = [game.name for game in sheepfold.games()]
    print(f"{'compiled' if results['compiled'] else 'NOT compiled'}; steps a second of CPU time, and ratios within this run\n")
    zoo = results["PettingZoo"]
    peers = [name for name in zoo if name not in ours]
    print(f"{'PettingZoo':24}{'steps/s':>12}" + "".join(f"{'x ' + peer:>20}" for peer in peers))
    for name, steps in zoo.items():
        print(f"{name:24}{steps:>12,.0f}" + "".join(f"{steps / zoo[peer]:>20.1f}" for peer in peers))
    peers = ["loop", "sampling loop", "SyncVectorEnv"]
    print(f"\n{f'Gymnasium, {GAMES} games':24}" + "".join(f"{peer:>15}" for peer in peers), end="")
    print("".join(f"{kind:>12}{'x loop':>8}{'x samp.':>8}{'x Sync':>8}" for kind in ("vector", "no copy")))
    for name, row in results["Gymnasium"].items():
        print(f"{name:24}" + "".join(f"{row[peer]:>15,.0f}" for peer in peers), end="")
        for kind in ("vector", "no copy"):
            print(f"{row[kind]:>12,.0f}" + "".join(f"{row[kind] / row[peer]:>8.1f}" for peer in peers), end="")
        print()
    names = list(next(iter(results["parts"].values())))
    print(f"\n{'vector, us a step':24}" + "".join(f"{part:>18}" for part in names))
    for name, row in results["parts"].items():
        print(f"{name:24}" + "".join(f"{row[part]:>18.2f}" for part in names))
    spiel = results["OpenSpiel"]
    peers = [name for name in spiel if name not in ours]
    print(f"\n{'OpenSpiel':24}{'steps/s':>12}" + "".join(f"{'x ' + peer.removeprefix('python_'):>18}" for peer in peers))
    for name, steps in spiel.items():
        print(f"{name:24}{steps:>12,.0f}" + "".join(f"{steps / spiel[peer]:>18.1f}" for peer in peers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--cores", action="store_true", help="only what a second process is worth to the vector environment")
    parser.add_argument("--peers", action="store_true", help="only the table of peers")
    arguments = parser.parse_args()
    if arguments.cores:
        cores(arguments.seconds)
        return
    results = peers(arguments.seconds) if arguments.peers else measure(arguments.seconds)
    (show_peers if arguments.peers else show)(results)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
