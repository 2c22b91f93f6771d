"""The network while it learns: floats and NumPy. `exported` makes of it what plays (`bots/net.py`).

Two layers whose units say from 0 to 1, then a row for every seat and every action; the game's judge is asked too, and all that they say of
who wins is by how far it is wrong. It learns by Adam from two questions at once: who
wins, and what would search do.
"""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from sheepfold.bots.net import FINE, LEAST, ONE, STEPS
from sheepfold.bots.nets import written
from sheepfold.learning.self_play import Examples

Floats = NDArray[numpy.float32]

MOST_ROW = 32767
MOST_COLUMN = 4 * FINE
"""Weights of the second layer stay below 4, so that no sum of them leaves its digits."""


MANY = 500
"""With so many inputs that are told apart more of them are not zero, and a unit hears enough of each."""


class Network:
    """Weights by name, and what Adam remembers of them."""

    def __init__(self, seats: int, divisors: list[int], actions: int, widths: tuple[int, int], seed: int = 1) -> None:
        """`divisors` are those of the clues; behind them it is told which seat is looking. With no actions it learns only who wins."""
        divisors = [*divisors, *[1] * seats]
        inputs, (first, second) = len(divisors), widths
        draw = numpy.random.default_rng(seed)
        self.seats, self.actions, self.widths = seats, actions, widths
        self.divisors = numpy.array(divisors, numpy.float32)
        self.weights: dict[str, Floats] = {
            "rows": draw.normal(0, 0.12 if inputs < MANY else 0.06, (inputs, first)).astype(numpy.float32),
            "rows_always": numpy.full(first, 0.3, numpy.float32),
            "columns": draw.normal(0, 1.4 / first**0.5, (first, second)).astype(numpy.float32),
            "columns_always": numpy.full(second, 0.3, numpy.float32),
            "heads": draw.normal(0, 0.01, (second, seats + actions)).astype(numpy.float32),
            "heads_always": numpy.zeros(seats + actions, numpy.float32),
            "reliance": numpy.ones(1, numpy.float32),
        }
        self.moments = {name: numpy.zeros_like(weight) for name, weight in self.weights.items()}
        self.squares = {name: numpy.zeros_like(weight) for name, weight in self.weights.items()}
        self.steps = 0

    # Learning.

    def learn(
        self,
        views: NDArray[numpy.uint8],
        values: Floats,
        judged: Floats,
        told: NDArray[numpy.bool_],
        shares: Floats,
        may: NDArray[numpy.bool_],
        rate: float,
    ) -> tuple[float, float]:
        """One step from a batch; how wrong it was of who wins, and of what to do where that was told."""
        w, count = self.weights, len(views)
        seen: Floats = views.astype(numpy.float32) / self.divisors
        before = seen @ w["rows"] + w["rows_always"]
        one = before.clip(0, 1)
        between = one @ w["columns"] + w["columns_always"]
        two = between.clip(0, 1)
        said = two @ w["heads"] + w["heads_always"]
        hints = numpy.log(judged + LEAST)
        expected = _softmax(said[:, : self.seats] + w["reliance"] * hints)
        wrong = float(-(values * numpy.log(expected + 1e-9)).sum() / count)
        astray = 0.0
        back = numpy.empty_like(said)
        back[:, : self.seats] = expected - values
        if self.actions:
            urged = said[:, self.seats :]
            urged[~may] = -1e9
            chosen = _softmax(urged)
            astray = float(-(shares * numpy.log(chosen + 1e-9))[told].sum() / max(1, told.sum()))
            back[:, self.seats :] = (chosen - shares) * told[:, None]
        back /= count
        grown = {"heads": two.T @ back, "heads_always": back.sum(0), "reliance": (back[:, : self.seats] * hints).sum().reshape(1)}
        back_two = (back @ w["heads"].T) * _open(between)
        grown |= {"columns": one.T @ back_two, "columns_always": back_two.sum(0)}
        back_one = (back_two @ w["columns"].T) * _open(before)
        grown |= {"rows": seen.T @ back_one, "rows_always": back_one.sum(0)}
        self._adam(grown, rate)
        return wrong, astray

    def _adam(self, grown: dict[str, Floats], rate: float, decay: float = 1e-5) -> None:
        self.steps += 1
        quick, slow = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for name, slope in grown.items():
            moment, square, weight = self.moments[name], self.squares[name], self.weights[name]
            moment += 0.1 * (slope - moment)
            square += 0.001 * (slope * slope - square)
            weight -= rate * (moment / quick / (numpy.sqrt(square / slow) + 1e-8) + decay * weight)
        numpy.clip(self.weights["columns"], -4, 4, out=self.weights["columns"])

    def learn_from(self, examples: Examples, count: int, batch: int, rate: float, draw: numpy.random.Generator) -> tuple[float, float]:
        """Learn from so many of the examples, any of them; how wrong it was on the way. Steps become smaller, down to a tenth."""
        order = draw.integers(len(examples), size=max(batch, count))
        starts = numpy.searchsorted(examples.rows, numpy.arange(len(examples) + 1))
        wrong, astray, rounds = 0.0, 0.0, 0
        for at in range(0, len(order) - batch + 1, batch):
            rows = order[at : at + batch]
            shares = numpy.zeros((batch, self.actions), numpy.float32)
            may = numpy.zeros((batch, self.actions), bool)
            counts = starts[rows + 1] - starts[rows]
            into = numpy.repeat(numpy.arange(batch), counts)
            # the choices of all rows, one after another
            source = numpy.repeat(starts[rows] - numpy.cumsum(counts) + counts, counts) + numpy.arange(counts.sum())
            actions = examples.actions[source]
            shares[into, actions] = examples.shares[source]
            may[into, actions] = True
            told = counts > 0
            may[~told] = True
            one, two = self.learn(
                examples.views[rows], examples.values[rows], examples.judged[rows], told, shares, may, rate * (1 - 0.9 * at / len(order))
            )
            wrong, astray, rounds = wrong + one, astray + two, rounds + 1
        return wrong / max(1, rounds), astray / max(1, rounds)

    # What plays, and what is kept.

    def exported(self, **about: Any) -> bytes:
        """The file of the net that plays like this (`bots/nets.py`)."""
        w, always = self.weights, numpy.vstack
        rows = always([w["rows"] / self.divisors[:, None] * ONE, w["rows_always"] * ONE]).round().clip(-MOST_ROW, MOST_ROW)
        columns = always([w["columns"] * FINE, w["columns_always"] * FINE * STEPS]).round()
        heads = always([w["heads"], w["heads_always"]]).T
        head = {
            "seats": self.seats,
            "inputs": len(self.divisors) - self.seats,
            "actions": self.actions,
            "widths": list(self.widths),
            "reliance": round(float(w["reliance"][0]), 4),
            **about,
        }
        return written(head, rows.astype(int).ravel().tolist(), columns.astype(int).ravel().tolist(), heads.ravel().tolist())

    def state(self) -> dict[str, Any]:
        """All arrays by name, to go on from."""
        found: dict[str, Any] = {"steps": numpy.array(self.steps)}
        for kind, arrays in (("weight", self.weights), ("moment", self.moments), ("square", self.squares)):
            found |= {f"{kind} {name}": array for name, array in arrays.items()}
        return found

    def restore(self, state: Any) -> None:
        """Go on from what `state` gave."""
        self.steps = int(state["steps"])
        for kind, arrays in (("weight", self.weights), ("moment", self.moments), ("square", self.squares)):
            for name in arrays:
                arrays[name] = state[f"{kind} {name}"]


def _softmax(said: Floats) -> Floats:
    raised: Floats = numpy.exp(said - said.max(1, keepdims=True))
    raised /= raised.sum(1, keepdims=True)
    return raised


def _open(before: Floats) -> NDArray[numpy.bool_]:
    """Where a unit would say something else if a little was added."""
    return (before > 0) & (before < 1)
