"""Checks of `determinize`: what it draws fits the view, varies, and comes as often as chance makes it."""

from __future__ import annotations

import math
from collections import Counter

from sheepfold.core.position import EVERYTHING, SPECTATOR
from sheepfold.game.conformance.contract import Broken, check, demand, difference
from sheepfold.game.conformance.lines import Line, Pair, effort, play_on
from sheepfold.game.conformance.worlds import Worlds, pairs
from sheepfold.game.levels import COMPILED


@check
def determinize_fits(line: Line) -> None:
    """A guess is a whole position that fits its view: seen by the viewer it is the view again, and it can be played to its end."""
    for ply in line.plies(effort(24) + 2):
        position = line.positions[ply]
        for viewer in line.viewers:
            view = position.seen_by(viewer)
            where = f"{line.where(ply)}, viewer {viewer}"
            guessed = view.determinize(line.dice("fits", ply, viewer))
            demand(guessed.viewer == EVERYTHING, f"{where}: a guess has viewer {guessed.viewer}")
            demand(guessed.to_act == view.to_act, f"{where}: in a guess {guessed.to_act} is to act, not {view.to_act}")
            demand(guessed.census() == view.census(), f"{where}: census {guessed.census()} in a guess, not {view.census()}")
            seen = guessed.seen_by(viewer).key()
            demand(seen == view.key(), lambda: f"{where}: seen again, the guess differs: {difference(seen, view.key())}")  # noqa: B023
            if int(position.to_act) == viewer:
                demand(guessed.legal() == position.legal(), f"{where}: in a guess the viewer's own choices differ")
            try:
                play_on(guessed, line.dice("guessed", ply), 60)
            except Exception as error:
                raise Broken(f"{where}: playing on from a guess fails: {type(error).__name__}: {error}") from error


@check
def determinize_varies(line: Line) -> None:
    """Where a viewer cannot tell worlds apart, guesses differ, and are not always the truth."""
    for pair in pairs(line)[:: max(1, len(pairs(line)) // (effort(16) + 1))]:
        view = pair.truth.seen_by(pair.viewer)
        dice = line.dice("varies", pair.ply)
        if any(view.determinize(dice).key() != pair.truth.key() for _ in range(60)):
            continue
        if _truth_is_usual(line, pair):
            continue
        raise Broken(f"{line.where(pair.ply)}: 60 guesses for viewer {pair.viewer} are all the truth, but it could be otherwise")


def _truth_is_usual(line: Line, pair: Pair) -> bool:
    """Whether the truth is so likely, by what the viewer saw, that sixty guesses in a row may well hit it."""
    worlds = Worlds(line, pair.ply, pair.viewer, line.dice("usual", pair.ply))
    key = pair.truth.key()
    hits = 0
    for _ in range(400):
        worlds.step(fair=True)
        hits += worlds.world.key() == key
    return hits > 360


@check
def determinize_has_right_frequencies(line: Line) -> None:
    """Over many draws determinize puts every hidden thing everywhere it could be, as often as chance does."""
    for viewer, choice in ((0, 6), (line.setup.seats - 1, 0), (SPECTATOR, 3)):
        choosing = [ply for ply, position in enumerate(line.positions) if int(position.to_act) >= 0]
        hiding = [ply for ply in choosing if not all(line.seen[viewer][line.turned_up[ply] : ply])]
        if hiding:
            _demand_frequencies(line, hiding[min(choice, len(hiding) - 1)], viewer)


def _facts(keys: Counter[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    """Positions' keys, taken to bits: how often each bit is set, as (place, bit). Few values come at a place: they are counted first."""
    values: Counter[tuple[int, int]] = Counter()
    for key, times in keys.items():
        for each in enumerate(key):
            values[each] += times
    found: Counter[tuple[int, int]] = Counter()
    for (place, value), times in values.items():
        left = value & (2**63 - 1)
        while left:
            found[place, left.bit_length() - 1] += times
            left ^= 1 << (left.bit_length() - 1)
    return found


BATCHES = 20
LEAST_DIFFERENCE = 0.05
LEAST_RENEWALS = 40


def _demand_frequencies(line: Line, ply: int, viewer: int) -> None:
    worlds = Worlds(line, ply, viewer, line.dice("frequencies", viewer, ply))
    if not worlds.unseen:
        return
    steps, guesses = (1600 if COMPILED else 800) // BATCHES, 600 if COMPILED else 400
    for _ in range(steps * BATCHES // 10):
        worlds.step(fair=True)
    batches: list[Counter[tuple[int, int]]] = []
    key = worlds.world.key()
    for _ in range(BATCHES):
        batch: Counter[tuple[int, ...]] = Counter()
        for _ in range(steps):
            if worlds.step(fair=True):
                key = worlds.world.key()
            batch[key] += 1
        batches.append(_facts(batch))
    if worlds.renewals < LEAST_RENEWALS:
        return  # the walk hardly moved, so it knows too little to compare with
    view = line.positions[ply].seen_by(viewer)
    dice = line.dice("guesses", viewer, ply)
    guessed = _facts(Counter(view.determinize(dice).key() for _ in range(guesses)))
    for fact in sorted(guessed.keys() | set().union(*batches)):
        shares = [batch[fact] / steps for batch in batches]
        wanted, found = sum(shares) / BATCHES, guessed[fact] / guesses
        spread = sum((share - wanted) ** 2 for share in shares) / (BATCHES - 1) / BATCHES
        pooled = (wanted + found) / 2
        doubt = math.sqrt(max(spread, pooled * (1 - pooled) / worlds.renewals) + pooled * (1 - pooled) / guesses)
        demand(
            abs(wanted - found) < max(LEAST_DIFFERENCE, 6 * doubt),
            f"{line.where(ply)}, viewer {viewer}: bit {fact[1]} of key()[{fact[0]}] is set in {found:.1%} of guesses, not {wanted:.1%}",
        )
