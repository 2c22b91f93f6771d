"""Net: a small network that judges a position and says what is worth trying, compiled.

It reads the numbers that learners get (`Position.write_tensor`, from one seat's own view) and answers with a share of the win for
every seat and a weight for every action. What the game's judge says of the position is where it starts from. Most of its inputs are
zero, so its first layer adds up the rows of those that are not.
Several units lie side by side in one machine word, as digits of a large base: a sum of words is the sums of all of them at once.
All layers but the last are whole numbers, so every machine finds the same.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import Position

LANES: Final = 3
"""So many units share a word,"""
BITS: Final = 21
"""each with so many bits, the first lowest. Below nothing a unit borrows from the next: `unpacked` gives it back."""
BASE: Final = 2097152
HALF: Final = 1048576
ONE: Final = 4096
"""What 1 is in the first layer's weights,"""
STEP_BITS: Final = 5
"""without so many bits it is in steps,"""
STEPS: Final = 128
"""of which so many are 1, the most that a unit says."""
FINE: Final = 256
"""What 1 is in the second layer's weights; its sums are steps times that."""


LEAST: Final = 1e-4
"""The judge is never so sure that nobody can teach it better."""


class Net:
    """The weights, and what it thinks of the position that it was shown last."""

    seats: i64
    inputs: i64
    first: i64
    """Words of the first layer,"""
    second: i64
    """and of the second."""
    rows: vec[i64]
    """The first layer's weights by word, a row for each input, then for each seat that may be looking, then what is added always."""
    columns: vec[i64]
    """The second layer's, by unit of the first and word; the last row as before."""
    judging: vec[float]
    """Weights by seat, counted from the viewer's, and unit of the second layer, then what is added always."""
    choosing: vec[float]
    """The same by action;"""
    chooses: bool
    """none, where all it has learned is who wins."""
    numbers: vec[u8]
    """The view; blank between two looks."""
    begins: vec[i64]
    """Where the rows begin of the numbers that are not zero,"""
    times: vec[i64]
    """and these numbers."""
    sums: vec[i64]
    units: vec[i64]
    sums_after: vec[i64]
    thought: vec[float]
    """What the second layer says."""
    viewer: i64
    reliance: float
    """How much of what the judge says counts, as a power of its shares; 0: nothing."""

    def __init__(
        self,
        seats: i64,
        rows: list[list[int]],
        columns: list[list[int]],
        judging: list[list[float]],
        choosing: list[list[float]],
        reliance: float = 0.0,
    ) -> None:
        """Weights row by row, unit by unit; the last row of `rows` and `columns`, and the last number of each of `judging` and `choosing`,
        is added always."""
        self.seats = seats
        self.inputs = len(rows) - 1 - seats
        self.first = len(rows[0]) // LANES
        self.second = len(columns[0]) // LANES
        self.rows = packed(rows)
        self.columns = packed(columns)
        self.judging = flat(judging)
        self.choosing = flat(choosing)
        self.chooses = len(choosing) > 0
        self.numbers = vec[u8]()
        for _ in range(self.inputs):
            self.numbers = append(self.numbers, 0)
        self.begins = vec[i64]([0 for _ in range(self.inputs + 2)])
        self.times = self.begins[:]
        self.sums = vec[i64]([0 for _ in range(self.first)])
        self.units = vec[i64]([0 for _ in range(self.first * LANES)])
        self.sums_after = vec[i64]([0 for _ in range(self.second)])
        self.thought = vec[float]([0.0 for _ in range(self.second * LANES)])
        self.viewer = 0
        self.reliance = reliance

    def look(self, position: Position, viewer: i64, judge: Evaluator) -> None:
        """Think of a position as that seat sees it; the judge says what there is to see."""
        self.viewer = viewer
        numbers = self.numbers
        judge.write_clues(position, viewer, numbers)
        words = self.first
        rows = self.rows
        sums = self.sums
        begins = self.begins
        times = self.times
        begins[0] = (self.inputs + viewer) * words
        begins[1] = (self.inputs + self.seats) * words
        times[0] = 1
        times[1] = 1
        count: i64 = 2
        at: i64 = 0
        while at < self.inputs:
            number = i64(numbers[at])
            if number != 0:
                numbers[at] = 0
                begins[count] = at * words
                times[count] = number
                count += 1
            at += 1
        # four words at a time, because what is summed up in a vector goes to memory and back with every row
        word: i64 = 0
        while word + 4 <= words:
            one: i64 = 0
            two: i64 = 0
            three: i64 = 0
            four: i64 = 0
            at = 0
            while at < count:
                base = begins[at] + word
                number = times[at]
                one += number * rows[base]
                two += number * rows[base + 1]
                three += number * rows[base + 2]
                four += number * rows[base + 3]
                at += 1
            sums[word] = one
            sums[word + 1] = two
            sums[word + 2] = three
            sums[word + 3] = four
            word += 4
        while word < words:
            one = 0
            at = 0
            while at < count:
                one += times[at] * rows[begins[at] + word]
                at += 1
            sums[word] = one
            word += 1
        unpacked(sums, self.units)
        self.think()

    def think(self) -> None:
        """The second layer."""
        units = self.units
        words = self.second
        columns = self.columns
        sums = self.sums_after
        many: i64 = len(units)
        base = many * words
        word: i64 = 0
        while word < words:
            sums[word] = columns[base + word]
            word += 1
        unit: i64 = 0
        while unit < many:
            said = units[unit]
            if said > 0:
                said >>= STEP_BITS
                if said > STEPS:
                    said = STEPS
                base = unit * words
                word = 0
                while word < words:
                    sums[word] = sums[word] + said * columns[base + word]
                    word += 1
            unit += 1
        unpacked(sums, units)
        thought = self.thought
        whole = float(FINE * STEPS)
        unit = 0
        while unit < i64(len(thought)):
            value = float(units[unit]) / whole
            thought[unit] = 0.0 if value < 0.0 else 1.0 if value > 1.0 else value
            unit += 1

    def values(self, judged: list[float]) -> list[float]:
        """The share of the win that each seat has, seat 0 first, where the judge says that of it."""
        seats = self.seats
        found = [0.0 for _ in range(seats)]
        highest = -1000.0
        seat: i64 = 0
        while seat < seats:
            place = seat + self.viewer
            if place >= seats:
                place -= seats
            value = dot(self.judging, seat, self.thought) + self.reliance * log(judged[place] + LEAST)
            if value > highest:
                highest = value
            found[place] = value
            seat += 1
        total = 0.0
        seat = 0
        while seat < seats:
            share = exp(found[seat] - highest)
            found[seat] = share
            total += share
            seat += 1
        seat = 0
        while seat < seats:
            found[seat] = found[seat] / total
            seat += 1
        return found

    def urge(self, action: i64) -> float:
        """How much it would do that, as a logarithm."""
        return dot(self.choosing, action, self.thought)


def dot(weights: vec[float], row: i64, said: vec[float]) -> float:
    width: i64 = len(said)
    base = row * (width + 1)
    total = weights[base + width]
    at: i64 = 0
    while at < width:
        total += weights[base + at] * said[at]
        at += 1
    return total


def flat(rows: list[list[float]]) -> vec[float]:
    found = vec[float]()
    for row in rows:
        for weight in row:
            found = append(found, weight)
    return found


def packed(rows: list[list[int]]) -> vec[i64]:
    """Rows of weights, LANES of them in a word."""
    found = vec[i64]()
    for row in rows:
        for start in range(0, len(row), LANES):
            word: i64 = 0
            for lane in range(LANES):
                word = word * BASE + row[start + LANES - 1 - lane]
            found = append(found, word)
    return found


def unpacked(words: vec[i64], units: vec[i64]) -> None:
    """What the units in the words have summed up to."""
    unit: i64 = 0
    for word in words:
        lane: i64 = 0
        while lane < LANES:
            low = word & (BASE - 1)
            if low >= HALF:
                low -= BASE
            units[unit] = low
            word = (word - low) >> BITS
            unit += 1
            lane += 1
