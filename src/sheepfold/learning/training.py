"""Training: rounds of games and of learning from them, that can be stopped at any time and go on where they were.

A folder holds a run: `state.json` says how far it is, `network-N.npz` has the weights after N rounds, `examples` the games of the last
ones, `learned.net` is what plays, and `strength.svg` shows how it grew. Every file is written whole or not at all, the state last.
Round 0 is played with the game's own judge; from then on search is guided by what was learned.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy

from sheepfold.arena.crew import all_done
from sheepfold.bots import bot
from sheepfold.bots.greedy import Greedy
from sheepfold.bots.guided import Guided
from sheepfold.bots.net import Net
from sheepfold.bots.nets import read
from sheepfold.bots.thinkers import evaluator_of, settings_of, taught
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import OVER, Position, let_chance_happen
from sheepfold.core.sequential import sequential
from sheepfold.game.game import Setup
from sheepfold.learning.looks import Looks, play_by_looks
from sheepfold.learning.network import Network
from sheepfold.learning.self_play import Examples, Manner, joined, play
from sheepfold.learning.strength_plot import strength_plot

Told = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is, and how much there is."""


@dataclass(frozen=True)
class Plan:
    """How a run is made."""

    seed: str = "train"
    games: int = 400
    """Games of a round,"""
    window: int = 12
    """of so many rounds it learns each time,"""
    uses: float = 1.5
    """from so many examples for each new one: more, and it learns by heart how these games ended."""
    widths: tuple[int, int] = (96, 33)
    batch: int = 512
    rate: float = 1e-3
    manner: Manner = field(default_factory=Manner)
    looks: Looks | None = None
    """How games are made in which everybody takes one look ahead; none: everybody searches."""
    first: int = 1
    """So many times as many games has the first round: in that of looks nothing is learned yet, and they are cheap."""
    against: tuple[str, ...] = ("greedy", "bellwether-1")
    """Opponents to measure by,"""
    measured: int = 10
    """every so many rounds,"""
    duels: int = 40
    """in so many games against each, alone against all other seats,"""
    simulations: int = 200
    """with so many simulations a decision; or by one look."""


BY_LOOKS = Plan(
    games=1000, first=8, window=4, uses=2.5, widths=(48, 18), batch=1024, looks=Looks(), against=("greedy:1",), measured=1, duels=200
)
"""A run of games in which everybody takes one look ahead."""


@dataclass
class State:
    """How far a run is."""

    game: str
    seats: int
    options: dict[str, Any]
    rounds: int = 0
    games: int = 0
    seconds: float = 0.0
    """Of the processor, all processes together."""
    other: str = ""
    """Whom it learns to beat; nobody but itself, if none is named."""
    looks: bool = False
    history: list[dict[str, Any]] = field(default_factory=list)
    """By round: games and seconds until then, how wrong it was, and its share of wins where that was measured."""


class Run:
    """A run in a folder."""

    def __init__(self, setup: Setup, folder: Path, plan: Plan, workers: int = 1, ray: str | None = None) -> None:
        self.setup, self.folder, self.plan, self.workers, self.ray = setup, folder, plan, workers, ray
        (folder / "examples").mkdir(parents=True, exist_ok=True)
        position = sequential(setup.start())
        self.pruned = "pruned" in settings_of(position, "search").split(":")
        """Whether the game's own search looks only at what is sensible: then this one does, too."""
        actions = 0 if plan.looks else int(position.action_count)
        self.network = Network(setup.seats, evaluator_of(position).clues(position), actions, plan.widths)
        options = dict(setup.changed_options())
        self.state = State(setup.game.name, setup.seats, options, other=plan.manner.other, looks=plan.looks is not None)
        if (folder / "state.json").exists():
            self._resume()

    def _resume(self) -> None:
        kept = State(**json.loads((self.folder / "state.json").read_text()))
        begun, wanted = ((each.game, each.seats, each.options, each.other, each.looks) for each in (kept, self.state))
        if begun != wanted:
            how = (f" against {kept.other}" if kept.other else "") + (" by looks" if kept.looks else "")
            raise SheepfoldError(f"{self.folder} holds a run of {kept.game} for {kept.seats}{how}; name another folder for this one")
        self.state = kept
        with numpy.load(self.folder / f"network-{kept.rounds}.npz") as arrays:
            self.network.restore(arrays)

    def go_on(self, told: Told) -> Iterator[dict[str, Any]]:
        """Round after round, what came of it, as long as it is asked for."""
        while True:
            began = time.process_time()
            spent = self._play(told)
            wrong, astray = self._learn(told)
            self.state.rounds += 1
            self.state.seconds += spent + time.process_time() - began
            entry: dict[str, Any] = {"games": self.state.games, "seconds": round(self.state.seconds), "wrong": wrong, "astray": astray}
            if self.state.rounds % self.plan.measured == 0:
                entry["wins"] = {name: self._measured(name, told) for name in self.plan.against}
            self.state.history.append(entry)
            self._keep()
            yield entry

    def _play(self, told: Told) -> float:
        """Make the games of a round; how many seconds that took, of all processors."""
        plan, number = self.plan, self.state.rounds
        manner = plan.looks or replace(plan.manner, pruned=self.pruned)
        net = self.network.exported() if number else None
        games = plan.games * (1 if number else plan.first)
        tasks = [(self.setup, net, manner, f"{plan.seed}/{number}", game) for game in range(games)]
        parts: dict[int, Examples] = {}
        spent = 0.0
        for game, part, seconds in all_done(_play, tasks, self.workers, self.ray):
            parts[game] = part
            spent += seconds
            told("play", len(parts), len(tasks))
        made = joined([parts[game] for game in sorted(parts)])
        _write(self.folder / "examples" / f"{number}.npz", lambda file: numpy.savez_compressed(file, **asdict(made)))
        self.state.games += len(tasks)
        return spent if self.workers > 1 or self.ray else 0.0

    def _learn(self, told: Told) -> tuple[float, float]:
        """Learn from the last rounds."""
        last = self.state.rounds
        parts = []
        for number in range(max(0, last + 1 - self.plan.window), last + 1):
            with numpy.load(self.folder / "examples" / f"{number}.npz") as kept:
                parts.append(Examples(**{name: kept[name] for name in kept.files}))
        count, draw = round(self.plan.uses * len(parts[-1])), numpy.random.default_rng([last])
        told("learn", 0, 1)
        wrong, astray = self.network.learn_from(joined(parts), count, self.plan.batch, self.plan.rate, draw)
        return round(wrong, 4), round(astray, 4)

    def _measured(self, name: str, told: Told) -> float:
        """The share of the games that it wins against others of that name."""
        net = self.network.exported()
        tasks = [
            (self.setup, net, 0 if self.plan.looks else self.plan.simulations, self.pruned, name, f"{self.plan.seed}/duel/{number}", number)
            for number in range(self.plan.duels)
        ]
        won = 0.0
        for done, share in enumerate(all_done(_duel, tasks, self.workers, self.ray), 1):
            won += share
            told(name, done, len(tasks))
        return round(won / len(tasks), 3)

    def _keep(self) -> None:
        """All that the run goes on from; what is older goes."""
        rounds, folder = self.state.rounds, self.folder
        _write(folder / f"network-{rounds}.npz", lambda file: numpy.savez_compressed(file, **self.network.state()))
        about = {"game": self.state.game, "games": self.state.games, "seconds": round(self.state.seconds)}
        _write(folder / "learned.net", lambda file: file.write(self.network.exported(**about)))
        _write(folder / "strength.svg", lambda file: file.write(strength_plot(self.state.history, 1 / self.setup.seats).encode()))
        _write(folder / "state.json", lambda file: file.write(json.dumps(asdict(self.state)).encode()))
        for old in folder.glob("network-*.npz"):
            if old.name != f"network-{rounds}.npz":
                old.unlink()
        for old in (folder / "examples").glob("*.npz"):
            if int(old.stem) < rounds + 1 - self.plan.window:
                old.unlink()


def _write(path: Path, fill: Callable[[Any], object]) -> None:
    beside = path.with_suffix(".part")
    with beside.open("wb") as file:
        fill(file)
    beside.replace(path)


# In a worker.


@lru_cache(1)
def _net(data: bytes | None) -> Net | None:
    return read(data)[1] if data else None


def _play(task: tuple[Setup, bytes | None, Manner | Looks, str, int]) -> tuple[int, Examples, float]:
    """One game, by its number, and the seconds that it took."""
    setup, data, manner, seed, number = task
    began = time.process_time()
    net, dice = _net(data), Dice(seed).split(number)
    made = play_by_looks(setup, net, manner, dice) if isinstance(manner, Looks) else play(setup, net, manner, dice)
    return number, made, time.process_time() - began


def _duel(task: tuple[Setup, bytes, int, bool, str, str, int]) -> float:
    """One game of the learner against others; its share of the win."""
    setup, data, simulations, pruned, name, seed, number = task
    position, dice, other = sequential(setup.start()), Dice(seed).split(number), bot(name)
    own = number % setup.seats
    while True:
        let_chance_happen(position, dice)
        if position.to_act == OVER:
            break
        seat = int(position.to_act)
        view = position.seen_by(seat)
        position.advance(_best(view, _net(data), simulations, pruned, dice) if seat == own else other.choose(view, dice))
    ranks = position.ranks()
    return 1 / ranks.count(1) if ranks[own] == 1 else 0.0


def _best(view: Position, net: Net | None, simulations: int, pruned: bool, dice: Dice) -> int:
    actions = evaluator_of(view).sensible(view) if pruned else view.legal()
    if len(actions) == 1:
        return actions[0]
    evaluator = taught(evaluator_of(view), net)
    if not simulations:
        return Greedy(evaluator, 1).values(view, dice)[0][0]
    search = Guided(evaluator, net, pruned=pruned)
    search.run(view, dice, simulations)
    return search.choices(view.to_act)[0][0]
