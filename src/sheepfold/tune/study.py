"""A study: values are tried, games played, and from how far each missed the goals Optuna draws what to try next.

Its sampler (a tree-structured Parzen estimator for several goals) takes whole numbers, choices and points that cannot be played, and does
with few tries. Every try is a line of a file, so a study that was stopped goes on. All tries play the same seeds, so they are compared by
what they change and not by luck; the best ones are played once more with seeds that had no say in choosing them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from typing import Any

from sheepfold.arena.ledger import Ledger
from sheepfold.compare.figures import Figure, figures_of, of_one_side
from sheepfold.compare.pairs import LINE_UP, Comparison, compare, work_of
from sheepfold.compare.sides import Side, side
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.game.registry import find
from sheepfold.tune.goals import Goal, Value, front, goal
from sheepfold.tune.ranges import Range, range_of

TRIES, FRONT, PAGE = "tries.jsonl", "front.json", "tune.html"
"""What a folder holds, beside the component file of each point."""

AGAIN = 10
"""After so many values in a row that were tried before, others are drawn by lot."""


@dataclass(frozen=True)
class Plan:
    """What is to be found; plain values."""

    game: str
    seats: int
    goals: tuple[str, ...]
    ranges: tuple[str, ...]
    options: dict[str, str]
    components: str | None
    bots: tuple[str, ...]
    best: str
    """The better level, where a goal is about luck and skill."""
    games: int
    seed: str


@dataclass(frozen=True)
class Point:
    """Values that were tried, what was measured with them, and how far each goal was missed; or why they cannot be played."""

    values: dict[str, str]
    figures: dict[str, Value]
    missed: tuple[float, ...]
    refused: str = ""


class Study:
    """A plan on its way."""

    def __init__(self, plan: Plan, folder: Path, workers: int = 1, ray: str | None = None) -> None:
        self.plan, self.folder, self.workers, self.ray = plan, folder, workers, ray
        self.game = find(plan.game)
        setup = self.game.setup(plan.seats, plan.components, **plan.options)
        self.figures: dict[str, Figure] = {figure.key: figure for figure in figures_of(setup)}
        self.goals: list[Goal] = [goal(text, setup) for text in plan.goals]
        self.ranges: list[Range] = [range_of(text) for text in plan.ranges]
        if not self.goals or not self.ranges:
            raise SheepfoldError("a study needs a --goal and something to --vary")
        for place in (0, -1):  # where neither end can be played, it is said why
            try:
                self._side({each.place: each.values[place] for each in self.ranges}, "--vary")
                break
            except SheepfoldError:
                if place:
                    raise
        self._ledger = Ledger(folder / TRIES, asdict(plan), "study")
        self.points = list(self._ledger.rows(_point, "try of a study"))

    # Tries.

    def go_on(self, tries: int) -> Iterator[Point]:
        """Try until there are so many, what was tried before included."""
        optuna: Any = wanted("optuna", "tune")
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        choices = {each.place: self._distribution(optuna, each) for each in self.ranges}
        sampler = optuna.samplers.TPESampler(seed=len(self.points), n_startup_trials=max(5, 2 * len(self.ranges)))
        study = optuna.create_study(directions=["minimize"] * len(self.goals), sampler=sampler)
        for point in self.points:
            study.add_trial(self._as_trial(optuna, point, choices))
        again = 0
        while len(self.points) < min(tries, self.size()):
            trial = study.ask(choices)
            values = {
                each.place: each.values[trial.params[each.place]] if each.ordered else str(trial.params[each.place]) for each in self.ranges
            }
            known = next((each for each in self.points if each.values == values), None)
            point = known or self.tried(values)
            if point.refused:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, point.missed)
            if not known:
                self._ledger.add([asdict(point)])
                self.points.append(point)
                again = 0
                yield point
                continue
            again += 1
            if again == AGAIN:
                study.enqueue_trial(self._params(self._untried()))
                again = 0

    def size(self) -> int:
        """How many values there are to try."""
        return prod(len(each.values) for each in self.ranges)

    def _untried(self) -> dict[str, str]:
        dice = Dice(self.plan.seed).split("untried", len(self.points))
        while True:
            values = {each.place: each.values[dice.below(len(each.values))] for each in self.ranges}
            if all(each.values != values for each in self.points):
                return values

    def _params(self, values: Mapping[str, str]) -> dict[str, int | str]:
        return {each.place: each.values.index(values[each.place]) if each.ordered else values[each.place] for each in self.ranges}

    @staticmethod
    def _distribution(optuna: Any, each: Range) -> Any:
        """A number by its place in the range, so that fractions have no rounding."""
        if each.ordered:
            return optuna.distributions.IntDistribution(0, len(each.values) - 1)
        return optuna.distributions.CategoricalDistribution(each.values)

    def _as_trial(self, optuna: Any, point: Point, choices: Mapping[str, Any]) -> Any:
        params = {
            each.place: each.values.index(point.values[each.place]) if each.ordered else point.values[each.place] for each in self.ranges
        }
        if point.refused:
            return optuna.trial.create_trial(params=params, distributions=dict(choices), state=optuna.trial.TrialState.FAIL)
        return optuna.trial.create_trial(params=params, distributions=dict(choices), values=list(point.missed))

    def tried(self, values: Mapping[str, str], fresh: int = 0, told: Callable[[int], None] = lambda done: None) -> Point:
        """Play with these values; `fresh` games with seeds of their own, if given."""
        plan = self.plan
        try:
            both = self._side(values)
        except SheepfoldError as error:
            return Point(dict(values), {}, (), str(error))
        parts = set[str]().union(*(each.parts(self.figures) for each in self.goals))
        games, seed = (fresh, f"{plan.seed} afresh") if fresh else (plan.games, plan.seed)
        what = Comparison(plan.game, plan.seats, both, both, seed, plan.best)
        line_up, skill = games if LINE_UP in parts else 0, games if parts - {LINE_UP} else 0
        pairs = compare(what, line_up, skill, self.workers, None, self.ray, told)
        if len(pairs) < work_of(line_up, skill, plan.seats):  # Ctrl+C: what is played by half is no try
            raise KeyboardInterrupt
        found = {}
        for key, figure in self.figures.items():
            here = [pair.a for pair in pairs if pair.part == figure.part]
            if here and (measured := of_one_side(figure, here)):
                found[key] = Value(*measured)
        return Point(dict(values), found, tuple(each.missed(found) for each in self.goals))

    def _side(self, values: Mapping[str, str], where: str = "") -> Side:
        plan, text = self.plan, ",".join(f"{place}={value}" for place, value in values.items())
        found, _ = side(self.game, plan.seats, text, plan.options, plan.components, plan.bots, where)
        return found

    # The front.

    def best(self) -> list[Point]:
        """Those tries that none is better than."""
        fine = [point for point in self.points if not point.refused]
        return [fine[place] for place in front([point.missed for point in fine])]

    def component_file(self, point: Point) -> str | None:
        """The text of the component file with which these values are played; None where they are options alone."""
        components = self._side(point.values).components
        return components[1] if components else None


def _point(row: dict[str, Any]) -> Point:
    figures = {key: Value(*value) for key, value in row["figures"].items()}
    return Point(dict(row["values"]), figures, tuple(row["missed"]), row["refused"])


def written(points: Sequence[Point], goals: Sequence[Goal]) -> str:
    """A front as JSON."""
    rows = [{**asdict(point), "missed": dict(zip((each.text for each in goals), point.missed, strict=True))} for point in points]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
