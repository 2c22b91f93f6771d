"""Conformance: the contract of docs/architecture.md as checks that run on any game.

Each check is a function whose first sentence states a rule of the contract. It is given a `Line`, a game that was played at random with
a copy kept at every ply, and raises `Broken` where the rule is broken. Fairness rests on one idea: worlds that a
viewer cannot tell apart are made by replaying the line with the events that the viewer did not see drawn anew, and then
nothing that reaches the viewer may differ.

    python -m sheepfold.game.conformance GAME [--seats N]

checks one game; GAME may also be `module:ATTRIBUTE`, for a game that is not on the shelf.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from sheepfold.ansi import width
from sheepfold.core import position as position_module
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, EVERYTHING, HIDDEN, OVER, SPECTATOR, HiddenInformation, IllegalAction, Position, tensor_numbers
from sheepfold.core.sequential import sequential, unwrapped
from sheepfold.game.game import Game, Setup, tidy
from sheepfold.game.records import Event, Record, happen, read_record, write_record
from sheepfold.messages import Voice, languages

COMPILED = not str(position_module.__file__).endswith(".py")
INTERPRETED_SHARE = 8
"""Interpreted runs do this many times less of whatever can be done more or less thoroughly."""
COLUMNS = 100
HUGE = (-(2**70), -(2**63) - 1, -(2**31), -1, -7, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 2**70)
SHOWN = 6
"""How many refused actions a message lists."""


def effort(number: int) -> int:
    """That many where the rules are compiled, fewer where they are interpreted."""
    return number if COMPILED else max(1, number // INTERPRETED_SHARE)


class Broken(AssertionError):
    """A rule of the contract is broken; the message says where and how."""


def demand(condition: object, message: str | Callable[[], str]) -> None:
    """Go on only if the condition holds."""
    if not condition:
        raise Broken(message if isinstance(message, str) else message())


# Set-ups and lines of play.


@dataclass(frozen=True)
class Case:
    """One way to set a game up, played plainly or through the sequential wrapper."""

    setup: Setup
    wrapped: bool = False

    def __str__(self) -> str:
        options = "".join(f" {name}={value}" for name, value in self.setup.changed_options().items())
        return f"{self.setup.game.name} {self.setup.seats}{options}{' sequential' if self.wrapped else ''}"

    @property
    def plain(self) -> bool:
        """Whether all options are at their defaults."""
        return not self.setup.changed_options()

    def start(self) -> Position:
        first = self.setup.start()
        return sequential(first) if self.wrapped else first

    def voice(self, language: str) -> Voice:
        return Voice([self.setup.game.folder / "locale"], language)


def cases(game: Game, seats: int | None = None) -> list[Case]:
    """Every number of seats with every option at each of its values, the others at their defaults."""
    found = []
    for count in game.seats if seats is None else [seats]:
        changes: list[dict[str, Any]] = [{}]
        for option in game.options:
            if not option.seats or count in option.seats:
                changes += [{option.name: value} for value in option.values if value != option.default]
        for change in changes:
            setup = game.setup(count, **change)
            found.append(Case(setup))
            if setup.start().interruptible:
                found.append(Case(setup, wrapped=True))
    return found


def state(position: Position) -> tuple[object, ...]:
    """What a position answers, to see whether it has changed."""
    to_act = int(position.to_act)
    try:
        legal: object = position.legal()
    except HiddenInformation:
        legal = None
    return (to_act, int(position.viewer), position.key(), legal, position.scores(), position.ranks(), position.census())


def digest(*parts: object) -> str:
    """A short sum of whatever prints the same in every process."""
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def spaced(plies: Sequence[int], number: int) -> list[int]:
    """About that many of the plies, evenly, the first and the last among them; the middle one where one is wanted."""
    count = len(plies)
    if count <= number:
        return list(plies)
    if number < 2:
        return [plies[count // 2]]
    return [plies[index] for index in sorted({round(step * (count - 1) / (number - 1)) for step in range(number)})]


@dataclass
class Line:
    """A game from its start to wherever it got: events, and a copy of the position before each and after the last."""

    case: Case
    seed: str
    events: list[Event] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    """Of each position, taken when it was reached."""

    @property
    def setup(self) -> Setup:
        return self.case.setup

    @property
    def game(self) -> Game:
        return self.case.setup.game

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def finished(self) -> bool:
        return int(self.last.to_act) == OVER

    @property
    def viewers(self) -> list[int]:
        return [*range(self.setup.seats), SPECTATOR]

    def dice(self, *names: object) -> Dice:
        return Dice(self.seed).split(*names)

    def keep(self, position: Position) -> None:
        self.positions.append(position.copy())
        self.digests.append(digest(state(self.last)))

    def plies(self, number: int) -> list[int]:
        """About that many plies, spread over the line, the first and the last among them."""
        return spaced(range(len(self.positions)), number)

    def where(self, ply: int) -> str:
        """The place, for messages."""
        return f"{self.case}, seed {self.seed}, ply {ply}"

    @cached_property
    def seen(self) -> dict[int, list[bool]]:
        """For each viewer, whether each event was seen."""
        moments = list(zip(self.positions, self.events, strict=False))
        return {viewer: [bool(position.sees(viewer, event.action)) for position, event in moments] for viewer in self.viewers}

    @cached_property
    def turned_up(self) -> list[int]:
        """For each ply, the ply from which on hidden things are still hidden."""
        since, found = 0, [0]
        for ply, event in enumerate(self.events):
            if self.positions[ply].reveals(event.action):
                since = ply + 1
            found.append(since)
        return found

    @cached_property
    def pairs(self) -> list[Pair]:
        """Positions of the line with worlds that a viewer cannot tell from them."""
        return list(_pairs(self))

    def record(self, ply: int | None = None) -> Record:
        return Record(self.setup, self.events[:ply])


def options_now(position: Position) -> list[tuple[int, int, bool]]:
    """Everything that could happen now, as (who, action, whether out of turn)."""
    found = [(int(position.to_act), action, False) for action in position.legal()]
    if position.interruptible:
        for seat in range(position.seats):
            found += [(seat, action, True) for action in position.interruptions(seat)]
    return found


def play(case: Case, seed: object, choices: list[int] | None = None, most: int | None = None) -> Line:
    """A line of play: at random, or by `choices`, numbers that are taken modulo what could happen; then it stops where they do.

    It does not trust `random_action`, and stops where the rules contradict themselves, for a check to say so.
    """
    line = Line(case, str(seed))
    dice = line.dice("play")
    position = case.start()
    line.keep(position)
    bound = int(position.ply_bound) + 1 if most is None else most
    while int(position.to_act) != OVER and len(line.events) < (bound if choices is None else len(choices)):
        event = _next_event(position, dice, None if choices is None else choices[len(line.events)])
        if event is None:
            break
        try:
            happen(position, event)
        except IllegalAction:
            break
        line.events.append(event)
        line.keep(position)
    return line


def _next_event(position: Position, dice: Dice, choice: int | None) -> Event | None:
    if choice is not None:
        found = options_now(position)
        return Event(*found[choice % len(found)]) if found else None
    if position.interruptible and dice.below(3) == 0:
        out_of_turn = [(seat, action) for seat in range(position.seats) for action in position.interruptions(seat)]
        if out_of_turn:
            seat, action = out_of_turn[dice.below(len(out_of_turn))]
            return Event(seat, action, True)
    actions = position.legal()
    if not actions:
        return None
    index = int(dice.below(len(actions)))
    if int(position.to_act) == CHANCE:
        weights = position.weights()
        if len(weights) == len(actions) and min(weights) > 0:
            index = int(dice.weighted(weights))
    return Event(int(position.to_act), actions[index])


# Worlds that a viewer cannot tell apart.


ONE, SWAP, ALL = range(3)


class Likelihood(NamedTuple):
    """Logarithms: how likely an event is, and how likely it is drawn among those that the viewer does not see."""

    happening: float
    drawing: float


SAID = Likelihood(0.0, 0.0)
"""Of a choice that was seen: it says nothing about what is hidden, beyond that it was possible."""


class Worlds:
    """A walk through the worlds that one viewer cannot tell from a position of a line.

    A step draws one unseen event anew, or all from one on, or swaps two, and replays what follows; it is taken if everything that was
    seen can still happen and nothing unseen becomes seen. With `fair` it is also weighed (Metropolis and Hastings), so that the
    worlds come as often as chance makes them.
    """

    def __init__(self, line: Line, ply: int, viewer: int, dice: Dice) -> None:
        first = line.turned_up[ply]
        self.events = line.events[first:ply]
        self.seen = line.seen[viewer][first:ply]
        self.viewer = viewer
        self.dice = dice
        self.actions = [event.action for event in self.events]
        self.positions = line.positions[first : ply + 1]
        self.unseen = [index for index, seen in enumerate(self.seen) if not seen]
        self.likelihoods = [SAID] * len(self.events)
        self.to_act = int(self.positions[-1].to_act)
        self.renewals = 0.0
        """How many times over the world has been drawn anew, roughly: what the walk is worth in independent draws."""
        if self.unseen:
            for index in range(self.unseen[0], len(self.events)):
                likelihood = self._likelihood(index, self.positions[index], self.actions[index])
                demand(likelihood, lambda: f"{line.where(first + index)}: replayed, {self.events[index]} cannot happen")  # noqa: B023
                self.likelihoods[index] = likelihood or SAID

    @property
    def world(self) -> Position:
        return self.positions[-1]

    def step(self, fair: bool = False) -> bool:
        """Whether the walk went on to another world."""
        if not self.unseen:
            return False
        actions = list(self.actions)
        at = self.unseen[self.dice.below(len(self.unseen))]
        way = self.dice.below(3)
        if way == SWAP:
            other = self.unseen[self.dice.below(len(self.unseen))]
            actions[at], actions[other] = actions[other], actions[at]
            at = min(at, other)
            if actions == self.actions:
                return False
        tail, likelihoods, gain = [], [], 0.0
        position = self.positions[at].copy()
        for index in range(at, len(self.events)):
            event = self.events[index]
            if not event.interrupt and int(position.to_act) != event.who:
                return False
            anew = not self.seen[index] and (way == ALL or (way == ONE and index == at))
            if anew:
                possible, weights, _ = self._unseen_here(position, event)
                if not possible:
                    return False
                actions[index] = possible[self.dice.weighted(weights)]
            likelihood = self._likelihood(index, position, actions[index])
            if likelihood is None:
                return False
            gain += likelihood.happening - self.likelihoods[index].happening
            if anew:
                gain += self.likelihoods[index].drawing - likelihood.drawing
            likelihoods.append(likelihood)
            if event.interrupt:
                position.cut_in(event.who, actions[index])
            else:
                position.advance(actions[index])
            tail.append(position.copy())
        if int(position.to_act) != self.to_act or actions == self.actions:
            return False
        if fair and gain < 0 and self.dice.fraction() >= math.exp(gain):
            return False
        self.actions = actions
        self.positions = self.positions[: at + 1] + tail
        self.likelihoods = self.likelihoods[:at] + likelihoods
        self.renewals += 1.0 if way == ALL and at == self.unseen[0] else 1.0 / len(self.unseen)
        return True

    def _likelihood(self, index: int, position: Position, action: int) -> Likelihood | None:
        """How likely an action is at that event; None where it cannot be, or would be seen where it was not."""
        event = self.events[index]
        if position.reveals(action):
            return None
        if not self.seen[index]:
            actions, weights, total = self._unseen_here(position, event)
            if action not in actions:
                return None
            weight = weights[actions.index(action)]
            return Likelihood(math.log(weight / total), math.log(weight / sum(weights)))
        if event.who != CHANCE:
            possible = action in position.interruptions(event.who) if event.interrupt else position.allows(action)
            return SAID if possible and position.sees(self.viewer, action) else None
        actions, weights = position.legal(), position.weights()
        if action not in actions or not position.sees(self.viewer, action):
            return None
        return Likelihood(math.log(weights[actions.index(action)] / sum(weights)), 0.0)

    def _unseen_here(self, position: Position, event: Event) -> tuple[list[int], list[int], int]:
        """What could happen unseen, with weights (choices weigh the same), and the weight of all that could happen, seen or not."""
        actions = position.interruptions(event.who) if event.interrupt else position.legal()
        weights = position.weights() if event.who == CHANCE else [1] * len(actions)
        hidden = [not position.sees(self.viewer, action) for action in actions]
        if all(hidden):
            return actions, weights, sum(weights)
        unseen = [index for index, unseen in enumerate(hidden) if unseen]
        total = sum(weights) if event.who == CHANCE else len(unseen)
        return [actions[index] for index in unseen], [weights[index] for index in unseen], total


@dataclass
class Pair:
    """A position of the line and a different one that the viewer cannot tell from it."""

    ply: int
    viewer: int
    truth: Position
    other: Position


def _pairs(line: Line) -> Iterator[Pair]:
    for viewer in line.viewers:
        if all(line.seen[viewer]):
            continue
        hiding = [ply for ply in range(len(line.positions)) if not all(line.seen[viewer][line.turned_up[ply] : ply])]
        for ply in spaced(hiding, effort(16) + 2):
            truth = line.positions[ply]
            if int(truth.to_act) == OVER:
                continue
            worlds = Worlds(line, ply, viewer, line.dice("worlds", viewer, ply))
            found = 0
            for _ in range(16):
                if worlds.step() and worlds.world.key() != truth.key():
                    yield Pair(ply, viewer, truth, worlds.world.copy())
                    found += 1
                if found == 2:
                    break


def memory(thing: object) -> object:
    """All that an object holds, as far as it is numbers, text, lists of them or positions."""
    if thing is None or isinstance(thing, int | float | str | bytes):
        return thing
    if isinstance(thing, Position):
        names = {name for kind in type(thing).__mro__ for name in getattr(kind, "__mypyc_attrs__", ())}
        names.update(getattr(thing, "__dict__", {}))
        return tuple((name, memory(getattr(thing, name, None))) for name in sorted(names) if not name.startswith("__"))
    if isinstance(thing, dict):
        return tuple(sorted(((repr(key), memory(value)) for key, value in thing.items()), key=repr))
    if isinstance(thing, set | frozenset):
        return tuple(sorted((memory(item) for item in thing), key=repr))
    if isinstance(thing, list | tuple) or type(thing).__name__ == "vec":
        return tuple(memory(item) for item in thing)  # type: ignore[attr-defined]
    return f"a {type(thing).__name__}"


def answer(ask: Callable[[], object]) -> object:
    """What a question answers, HiddenInformation being an answer too."""
    try:
        return ask()
    except HiddenInformation:
        return "hidden"


# The checks. Each begins with the sentence of the contract that it guards.

Check = Callable[[Line], None]
CHECKS: dict[str, Check] = {}
BOTS: list[Callable[[Position, Dice], int]] = []
"""Whoever is to be checked for fairness beside the look-ahead below: given a view (in strict turns) and dice, an action."""


def check(function: Check) -> Check:
    CHECKS[function.__name__] = function
    return function


@check
def starts_are_equal(line: Line) -> None:
    """Nothing random is stored: two first positions of a set-up are equal in all they hold."""
    one, two = line.case.start(), line.case.start()
    demand(state(one) == state(two) and memory(one) == memory(two), f"{line.case}: two starts differ")


@check
def bounds_are_fixed(line: Line) -> None:
    """Seats, action_count, ply_bound and interruptible are the same at every ply and in every view; to_act is a seat, CHANCE or OVER."""
    first = line.positions[0]
    wanted = (line.setup.seats, first.action_count, first.ply_bound, first.interruptible)
    for ply, position in enumerate(line.positions):
        for one in [position, position.seen_by(line.viewers[ply % len(line.viewers)])]:
            found = (one.seats, one.action_count, one.ply_bound, one.interruptible)
            demand(found == wanted, f"{line.where(ply)}: {found}, but {wanted} at the start")
            demand(one.to_act == position.to_act and -2 <= one.to_act < one.seats, f"{line.where(ply)}: to_act is {one.to_act}")


@check
def legal_is_sound(line: Line) -> None:
    """legal() is ascending, without repeats, within action_count and never empty before OVER; each of its actions can be applied."""
    for ply, position in enumerate(line.positions):
        actions = position.legal()
        where = line.where(ply)
        demand([int(action) for action in position.packed_legal()] == actions, f"{where}: packed_legal() is not legal()")
        if int(position.to_act) == OVER:
            demand(actions == [], f"{where}: the game is over, but legal() is {actions[:SHOWN]}")
            continue
        demand(actions, f"{where}: legal() is empty before the game is over")
        _demand_sound_actions(actions, position, where)
    for ply in line.plies(effort(24) + 2)[:-1]:
        for action in line.positions[ply].legal()[:60]:
            following = line.positions[ply].copy()
            try:
                following.apply(action)
            except IllegalAction as error:
                raise Broken(f"{line.where(ply)}: {action} is in legal(), but {error}") from None


def _demand_sound_actions(actions: list[int], position: Position, where: str) -> None:
    demand(all(type(action) is int for action in actions), f"{where}: not whole numbers: {actions[:SHOWN]}")
    demand(all(one < two for one, two in pairwise(actions)), lambda: f"{where}: not ascending without repeats: {actions}")
    demand(not actions or (actions[0] >= 0 and actions[-1] < position.action_count), lambda: f"{where}: not within action_count: {actions}")


@check
def weights_are_sound(line: Line) -> None:
    """At CHANCE there is one positive whole weight for each outcome, and together they are at most 2**31."""
    for ply, position in enumerate(line.positions):
        if int(position.to_act) == CHANCE:
            weights = position.weights()
            demand(len(weights) == len(position.legal()), f"{line.where(ply)}: {len(weights)} weights for {len(position.legal())} outcomes")
            demand(all(type(weight) is int and weight > 0 for weight in weights), f"{line.where(ply)}: weights {weights}")
            demand(sum(weights) <= 2**31, f"{line.where(ply)}: weights too large: {sum(weights)}")


@check
def illegal_actions_are_refused(line: Line) -> None:
    """An illegal action, also one out of range, huge or legal elsewhere, raises IllegalAction and changes nothing."""
    elsewhere = sorted({event.action for event in line.events})
    for ply in line.plies(effort(24) + 2):
        position = line.positions[ply].copy()
        before, legal = state(position), set(position.legal())
        count = int(position.action_count)
        dice = line.dice("illegal", ply)
        drawn = [elsewhere[dice.below(len(elsewhere))] for _ in range(12)] if elsewhere else []
        drawn += [int(dice.below(count)) for _ in range(12)]
        for action in [*HUGE, count, count + 1, *drawn]:
            if action not in legal:
                _demand_refusal(position, lambda p=position, a=action: p.apply(a), before, f"{line.where(ply)}: apply({action})")  # type: ignore[misc]
        for seat in [-1, *range(position.seats), int(position.seats), 2**70]:
            known = set(position.interruptions(seat)) if 0 <= seat < position.seats else set()
            for action in [*HUGE, count, *drawn[:4], *drawn[-4:]]:
                if action not in known:
                    where = f"{line.where(ply)}: interrupt({seat}, {action})"
                    _demand_refusal(position, lambda p=position, s=seat, a=action: p.interrupt(s, a), before, where)  # type: ignore[misc]


def _demand_refusal(position: Position, act: Callable[[], None], before: object, where: str) -> None:
    try:
        act()
    except IllegalAction:
        demand(state(position) == before, f"{where} was refused, but changed the position")
    except Exception as error:
        raise Broken(f"{where} raises {type(error).__name__}: {error}, not IllegalAction") from error
    else:
        raise Broken(f"{where} is not legal, but was accepted")


@check
def allows_agrees_with_legal(line: Line) -> None:
    """allows(action) holds exactly for the actions of legal()."""
    for ply in line.plies(effort(32) + 2):
        position = line.positions[ply]
        legal, count = set(position.legal()), int(position.action_count)
        dice = line.dice("allows", ply)
        others = range(count) if count <= 400 else [int(dice.below(count)) for _ in range(400)]
        for action in [*sorted(legal), *others]:
            found = bool(position.allows(action))
            demand(found == (action in legal), f"{line.where(ply)}: allows({action}) is {found}, but not by legal()")


@check
def random_action_is_legal(line: Line) -> None:
    """random_action(dice) is one of legal(), and the same from the same dice."""
    for ply, position in enumerate(line.positions):
        if int(position.to_act) != OVER:
            legal = set(position.legal())
            dice = line.dice("random", ply)
            drawn = [int(position.random_action(dice)) for _ in range(4)]
            demand(legal.issuperset(drawn), f"{line.where(ply)}: random_action gives {sorted(set(drawn) - legal)}")
            dice = line.dice("random", ply)
            demand(drawn == [int(position.random_action(dice)) for _ in range(4)], f"{line.where(ply)}: random_action has dice of its own")


def chi_squared_limit(freedom: int) -> float:
    """What chi squared exceeds about once in three million (Wilson and Hilferty's approximation)."""
    share = 2 / (9 * freedom)
    return float(freedom * (1 - share + 5 * math.sqrt(share)) ** 3)


def chi_squared(counts: list[int], expected: list[float]) -> tuple[float, int]:
    """Chi squared and its degrees of freedom, outcomes expected less than five times taken together."""
    rare = [index for index, value in enumerate(expected) if value < 5]
    groups = [([counts[index]], [expected[index]]) for index in range(len(expected)) if expected[index] >= 5]
    if rare:
        groups.append(([counts[index] for index in rare], [expected[index] for index in rare]))
    return sum((sum(found) - sum(wanted)) ** 2 / sum(wanted) for found, wanted in groups), len(groups) - 1


@check
def chance_follows_weights(line: Line) -> None:
    """At CHANCE random_action draws each outcome as often as its weight says."""
    at_chance = [ply for ply, position in enumerate(line.positions) if int(position.to_act) == CHANCE and len(position.legal()) > 1]
    if not at_chance:
        return
    dice = line.dice("chance")
    for ply in {at_chance[dice.below(len(at_chance))] for _ in range(effort(8) + 2)}:
        position = line.positions[ply]
        actions, weights = position.legal(), position.weights()
        draws = max(400, 8 * len(actions)) if COMPILED else 200
        counts = Counter(int(position.random_action(dice)) for _ in range(draws))
        found, freedom = chi_squared([counts[action] for action in actions], [weight * draws / sum(weights) for weight in weights])
        demand(
            freedom == 0 or found <= chi_squared_limit(freedom),
            lambda: f"{line.where(ply)}: of {draws} draws {dict(counts)}, with weights {dict(zip(actions, weights, strict=True))}",  # noqa: B023
        )


@check
def questions_change_nothing(line: Line) -> None:
    """Asking changes nothing, and the lists that are answered belong to the asker."""
    for ply in line.plies(effort(16) + 2):
        position = line.positions[ply].copy()
        before = state(position)
        lists: list[list[Any]] = [position.legal(), position.scores(), position.ranks(), position.tensor()]
        lists += [position.interruptions(seat) for seat in range(position.seats)]
        if int(position.to_act) == CHANCE:
            lists.append(position.weights())
        if int(position.to_act) != OVER:
            position.random_action(line.dice("ask"))
        for viewer in line.viewers:
            view = position.seen_by(viewer)
            seen = answer(lambda view=view: state(view))  # type: ignore[misc]
            view.determinize(line.dice("ask", viewer))
            demand(answer(lambda view=view: state(view)) == seen, f"{line.where(ply)}: guess changes its view")  # type: ignore[misc]
        for one in lists:
            one.append(77)
            one.reverse()
        demand(state(position) == before, f"{line.where(ply)}: asking, or changing a list that was answered, changes the position")


@check
def copies_are_independent(line: Line) -> None:
    """A copy is equal, and whatever happens to one of the two does not touch the other."""
    for ply in line.plies(effort(8) + 2):
        original = line.positions[ply].copy()
        copied = original.copy()
        before = state(original)
        demand(state(copied) == before and memory(copied) == memory(original), f"{line.where(ply)}: a copy differs")
        _play_on(copied, line.dice("copies", ply), 40)
        demand(state(original) == before, f"{line.where(ply)}: playing on with a copy changes the original")
        copied = original.copy()
        _play_on(original, line.dice("originals", ply), 40)
        demand(state(copied) == before, f"{line.where(ply)}: playing on with the original changes a copy")


def _play_on(position: Position, dice: Dice, most: int) -> None:
    for _ in range(most):
        event = None if int(position.to_act) == OVER else _next_event(position, dice, None)
        if event is None:
            return
        happen(position, event)


@check
def history_is_undisturbed(line: Line) -> None:
    """After any line of play the copies taken earlier are unchanged."""
    for ply, position in enumerate(line.positions):
        demand(digest(state(position)) == line.digests[ply], f"{line.where(ply)}: the copy taken here was changed by what came later")


@check
def same_log_gives_same_game(line: Line) -> None:
    """The same events from the same set-up give the same positions, ply by ply."""
    position = line.case.start()
    for ply, event in enumerate(line.events):
        demand(digest(state(position)) == line.digests[ply], f"{line.where(ply)}: replayed, the position differs")
        try:
            happen(position, event)
        except IllegalAction as error:
            raise Broken(f"{line.where(ply)}: replayed, {event} is refused: {error}") from None
    demand(digest(state(position)) == line.digests[-1], f"{line.where(len(line.events))}: replayed, the end differs")


@check
def equal_keys_mean_equal_positions(line: Line) -> None:
    """key() has everything: positions with the same key have the same legal actions, scores and mover."""
    known: dict[tuple[int, ...], tuple[int, object]] = {}
    for ply, position in enumerate(line.positions):
        key = position.key()
        demand(all(type(part) is int for part in key), f"{line.where(ply)}: key() must be whole numbers")
        earlier, answers = known.setdefault(key, (ply, state(position)))
        demand(answers == state(position), f"{line.where(ply)}: the same key as at ply {earlier}, but not the same position")
        demand(position == position.copy() and hash(position) == hash(position.copy()), f"{line.where(ply)}: not equal to its copy")


@check
def scores_and_ranks_fit(line: Line) -> None:
    """Scores and ranks have one whole number a seat; ranks count from 1, equal ones are shared; at the end they follow the scores."""
    for ply, position in enumerate(line.positions):
        scores, ranks = position.scores(), position.ranks()
        where = line.where(ply)
        demand(len(scores) == len(ranks) == line.setup.seats, f"{where}: scores {scores}, ranks {ranks}")
        demand(all(type(number) is int for number in [*scores, *ranks]), f"{where}: not whole numbers: {scores}, {ranks}")
        demand(all(mine == 1 + sum(other < mine for other in ranks) for mine in ranks), f"{where}: {ranks} is no ranking")
    if line.finished:
        scores, ranks = line.last.scores(), line.last.ranks()
        where = f"{line.where(len(line.events))}: scores {scores}, ranks {ranks}"
        couples = [(one, two) for one in range(line.setup.seats) for two in range(line.setup.seats)]
        better = {scores[one] > scores[two] for one, two in couples if ranks[one] < ranks[two] and scores[one] != scores[two]}
        demand(len(better) < 2, f"{where}: more points are better for some and worse for others")
        shared = [(one, two) for one, two in couples if ranks[one] == ranks[two]]
        demand(all(scores[one] == scores[two] for one, two in shared), f"{where}: a shared place with unequal points")


@check
def ends_within_bound(line: Line) -> None:
    """Every game ends, after at most ply_bound events."""
    bound = int(line.positions[0].ply_bound)
    demand(len(line.events) <= bound, f"{line.where(len(line.events))}: still going on after ply_bound = {bound} events")


@check
def census_is_constant(line: Line) -> None:
    """Components are conserved: census() is the same at every ply, in views and in guesses."""
    wanted = line.positions[0].census()
    for ply, position in enumerate(line.positions):
        demand(position.census() == wanted, f"{line.where(ply)}: {position.census()}, at the start {wanted}")
        view = position.seen_by(line.viewers[ply % len(line.viewers)])
        demand(view.census() == wanted, f"{line.where(ply)}: in the view of {view.viewer} {view.census()}, at the start {wanted}")


@check
def interruptions_are_sound(line: Line) -> None:
    """Interruptions are ascending and none for the seat to act; may_interrupt holds for all who can, and is the same in all views."""
    for ply, position in enumerate(line.positions):
        for seat in range(position.seats):
            where = f"{line.where(ply)}, seat {seat}"
            found = position.interruptions(seat)
            _demand_sound_actions(found, position, where)
            demand(not found or position.interruptible, f"{where}: interruptions, but not interruptible")
            demand(not found or seat != position.to_act, f"{where}: is to act, and could interrupt itself")
            demand(not found or position.may_interrupt(seat), f"{where}: can interrupt, but may_interrupt is False")
            if position.interruptible:
                _demand_same_interruptions(line, ply, seat, found)


def _demand_same_interruptions(line: Line, ply: int, seat: int, found: list[int]) -> None:
    position = line.positions[ply]
    for viewer in line.viewers:
        view = position.seen_by(viewer)
        where = f"{line.where(ply)}, in the view of {viewer}"
        demand(view.may_interrupt(seat) == position.may_interrupt(seat), f"{where}: may_interrupt({seat}) differs")
        seen = answer(lambda view=view: view.interruptions(seat))  # type: ignore[misc]
        demand(seen == found or (seen == "hidden" and viewer != seat), f"{where}: interruptions({seat}) differ")


@check
def views_are_views(line: Line) -> None:
    """seen_by sets the viewer, seen twice is seen once, and the viewer's own choices are the true ones."""
    for ply, position in enumerate(line.positions):
        demand(position.viewer == EVERYTHING, f"{line.where(ply)}: the position itself has viewer {position.viewer}")
        for viewer in line.viewers:
            view = position.seen_by(viewer)
            where = f"{line.where(ply)}, viewer {viewer}"
            demand(view.viewer == viewer, f"{where}: viewer is {view.viewer}")
            demand(type(view) is type(position), f"{where}: a {type(view).__name__}")
            demand(view.seen_by(viewer).key() == view.key(), f"{where}: seen twice is not seen once")
            legal = answer(view.legal)
            own = int(position.to_act) in (viewer, OVER)
            demand(legal == position.legal() or (legal == "hidden" and not own), f"{where}: legal() differs in the view")
            if not line.game.secrets:
                demand(view.key() == position.key(), f"{where}: the view differs, though the game has no secrets")
        event = line.events[ply] if ply < len(line.events) else None
        if event is not None:
            demand(event.who < 0 or line.seen[event.who][ply], f"{line.where(ply)}: seat {event.who} does not see its own action")
            open_to_all = all(line.seen[viewer][ply] for viewer in line.viewers)
            demand(line.game.secrets or open_to_all, f"{line.where(ply)}: {event} is hidden, though the game has no secrets")


def _views(pair: Pair) -> tuple[Position, Position]:
    return pair.truth.seen_by(pair.viewer), pair.other.seen_by(pair.viewer)


def _demand_same(line: Line, pair: Pair, what: str, one: object, two: object) -> None:
    demand(
        one == two,
        lambda: (
            f"{line.where(pair.ply)}: {what} tells viewer {pair.viewer} what it cannot know: {_difference(one, two)}"
            " (if the last event turns hidden things up by rule, Position.reveals must say so)"
        ),
    )


def _difference(one: object, two: object) -> str:
    if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        index = next(index for index in range(len(one)) if one[index] != two[index])
        return f"at {index}: {_difference(one[index], two[index])}"
    return f"{one!r} or {two!r}"


@check
def views_hide(line: Line) -> None:
    """Worlds that a viewer cannot tell apart give the same view, in its key and in all that it holds."""
    if line.game.secrets and line.finished:
        demand(line.pairs, f"{line.case}: the game has secrets, but nothing unseen could have been otherwise")
    for pair in line.pairs:
        one, two = _views(pair)
        _demand_same(line, pair, "the view's key", one.key(), two.key())
        _demand_same(line, pair, "the view's memory", memory(one), memory(two))
        _demand_same(line, pair, "the score", (one.scores(), one.ranks()), (two.scores(), two.ranks()))


@check
def views_do_not_widen(line: Line) -> None:
    """A view of a view shows no more than the view."""
    for pair in line.pairs:
        one, two = _views(pair)
        for viewer in [*line.viewers, EVERYTHING]:
            seen = [answer(lambda v=v, w=viewer: v.seen_by(w).key()) for v in (one, two)]  # type: ignore[misc]
            _demand_same(line, pair, f"seen_by({viewer}) of the view", *seen)


@check
def choices_hide(line: Line) -> None:
    """What may be done, and who might interrupt, is the same in worlds that a viewer cannot tell apart."""
    for pair in line.pairs:
        one, two = _views(pair)
        _demand_same(line, pair, "legal()", answer(one.legal), answer(two.legal))
        _demand_same(line, pair, "weights()", *(answer(v.weights) if int(v.to_act) == CHANCE else 0 for v in (one, two)))
        if int(pair.truth.to_act) == pair.viewer:
            _demand_same(line, pair, "legal() of the position", pair.truth.legal(), pair.other.legal())
        for seat in range(one.seats):
            _demand_same(line, pair, f"may_interrupt({seat})", pair.truth.may_interrupt(seat), pair.other.may_interrupt(seat))
            _demand_same(line, pair, f"interruptions({seat})", *(answer(lambda v=v, s=seat: v.interruptions(s)) for v in (one, two)))  # type: ignore[misc]
        if pair.viewer >= 0:
            _demand_same(line, pair, "interruptions()", pair.truth.interruptions(pair.viewer), pair.other.interruptions(pair.viewer))


@check
def pictures_hide(line: Line) -> None:
    """The picture is the same in worlds that a viewer cannot tell apart."""
    voice = line.case.voice("en")
    for pair in line.pairs:
        one, two = (line.game.text_picture(unwrapped(view), pair.viewer, 100, voice) for view in _views(pair))
        _demand_same(line, pair, "the picture", one, two)
        one, two = (line.game.picture(unwrapped(view), pair.viewer, "auto", voice) for view in _views(pair))
        _demand_same(line, pair, "the drawing", one, two)
        one, two = (str(line.game.outline(unwrapped(view), pair.viewer, voice)) for view in _views(pair))
        _demand_same(line, pair, "the outline", one, two)


@check
def words_hide(line: Line) -> None:
    """Prompt, descriptions and the telling of what happens are the same in worlds that a viewer cannot tell apart."""
    voice = line.case.voice("en")
    for pair in line.pairs:
        views = one, two = [unwrapped(view) for view in _views(pair)]
        _demand_same(line, pair, "the prompt", *(line.game.prompt(view, voice) for view in views))
        if line.case.wrapped:
            continue
        if int(pair.truth.to_act) == pair.viewer:
            for action in pair.truth.legal()[:20]:
                _demand_same(line, pair, f"the description of {action}", *(line.game.describe(view, action, voice) for view in views))
                _demand_same(line, pair, f"the notation of {action}", *(line.game.write(view, action) for view in views))
        if pair.ply == len(line.events):
            continue
        if pair.ply == len(line.events):
            continue
        event = line.events[pair.ply]
        other = _same_event(line, pair, event)
        if other is not None:
            after = line.positions[pair.ply + 1]
            seat = event.who if event.interrupt else None
            shown = event.action if line.seen[pair.viewer][pair.ply] else HIDDEN
            told = [line.game.tell(view, shown, end.seen_by(pair.viewer), voice, seat) for view, end in ((one, after), (two, other))]
            _demand_same(line, pair, "what is told", *told)


def _same_event(line: Line, pair: Pair, event: Event) -> Position | None:
    """The pair's other world after an event that looks the same to the viewer; None where there is none or all is turned up."""
    seen = line.seen[pair.viewer][pair.ply]
    if line.turned_up[pair.ply + 1] > pair.ply or int(line.positions[pair.ply + 1].to_act) == OVER:
        return None
    actions = pair.other.interruptions(event.who) if event.interrupt else pair.other.legal()
    fitting = [action for action in actions if bool(pair.other.sees(pair.viewer, action)) == seen and (not seen or action == event.action)]
    if not fitting:
        return None
    action = fitting[line.dice("tell", pair.ply).below(len(fitting))]
    following = pair.other.copy()
    if following.reveals(action):
        return None
    happen(following, Event(event.who, action, event.interrupt))
    return None if following.to_act != line.positions[pair.ply + 1].to_act else following


@check
def bots_are_fair(line: Line) -> None:
    """From the same dice a guess, and whatever a bot makes of the view, are the same in worlds that its seat cannot tell apart."""
    for pair in line.pairs:
        one, two = _views(pair)
        guesses = [view.determinize(line.dice("fair", pair.ply)).key() for view in (one, two)]
        _demand_same(line, pair, "guess", *guesses)
        if int(pair.truth.to_act) == pair.viewer:
            for bot in [_look_ahead, *([] if pair.truth.interruptible else BOTS)]:
                moves = [int(bot(view, line.dice("bot", pair.ply))) for view in (one, two)]
                _demand_same(line, pair, "a bot's move", *moves)


def _look_ahead(view: Position, dice: Dice) -> int:
    """A very small bot: of three moves that `random_action` draws, the one that ends best from a guess, a few events on."""
    best, chosen = -(2**62), -1
    for _ in range(3):
        action = int(view.random_action(dice))
        world = view.determinize(dice)
        if not world.allows(action):
            continue
        world.advance(action)
        _play_on(world, dice, 6)
        score = world.scores()[view.to_act]
        if score > best:
            best, chosen = score, action
    return chosen


@check
def guess_fits(line: Line) -> None:
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
            demand(seen == view.key(), lambda: f"{where}: seen again, the guess differs: {_difference(seen, view.key())}")  # noqa: B023
            if int(position.to_act) == viewer:
                demand(guessed.legal() == position.legal(), f"{where}: in a guess the viewer's own choices differ")
            try:
                _play_on(guessed, line.dice("guessed", ply), 60)
            except Exception as error:
                raise Broken(f"{where}: playing on from a guess fails: {type(error).__name__}: {error}") from error


@check
def guess_varies(line: Line) -> None:
    """Where a viewer cannot tell worlds apart, guesses differ, and are not always the truth."""
    for pair in line.pairs[:: max(1, len(line.pairs) // (effort(16) + 1))]:
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
def guess_has_right_frequencies(line: Line) -> None:
    """Over many draws guess puts every hidden thing everywhere it could be, as often as chance does."""
    for viewer, choice in ((0, 6), (line.setup.seats - 1, 0), (SPECTATOR, 3)):
        choosing = [ply for ply, position in enumerate(line.positions) if int(position.to_act) >= 0]
        hiding = [ply for ply in choosing if not all(line.seen[viewer][line.turned_up[ply] : ply])]
        if hiding:
            _demand_frequencies(line, hiding[min(choice, len(hiding) - 1)], viewer)


def _facts(position: Position) -> set[tuple[int, int]]:
    """A position's key, taken to bits: (place, bit) for every bit that is set."""
    found = set()
    for place, value in enumerate(position.key()):
        left, bit = value & (2**63 - 1), 0
        while left:
            if left & 1:
                found.add((place, bit))
            left >>= 1
            bit += 1
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
    facts = _facts(worlds.world)
    for _ in range(BATCHES):
        batch: Counter[tuple[int, int]] = Counter()
        for _ in range(steps):
            if worlds.step(fair=True):
                facts = _facts(worlds.world)
            batch.update(facts)
        batches.append(batch)
    if worlds.renewals < LEAST_RENEWALS:
        return  # the walk hardly moved, so it knows too little to compare with
    view = line.positions[ply].seen_by(viewer)
    dice = line.dice("guesses", viewer, ply)
    guessed: Counter[tuple[int, int]] = Counter()
    for _ in range(guesses):
        guessed.update(_facts(view.determinize(dice)))
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


@check
def tensor_is_sound(line: Line) -> None:
    """tensor() has one length for a set-up and finite numbers, is equal for equal views, and tells positions apart.

    What is noted for a viewer without making its view is what the view itself notes.
    """
    length, different = 0, set()
    for ply in line.plies(effort(40) + 2):
        for viewer in line.viewers[ply % 2 :]:
            view = line.positions[ply].seen_by(viewer)
            numbers = view.tensor()
            where = f"{line.where(ply)}, viewer {viewer}"
            length = length or len(numbers)
            demand(len(numbers) == length > 0, f"{where}: {len(numbers)} numbers, elsewhere {length}")
            demand(all(type(number) is float and math.isfinite(number) for number in numbers), f"{where}: not all finite floats")
            demand(line.positions[ply].copy().seen_by(viewer).tensor() == numbers, f"{where}: equal views, different tensors")
            different.add(tuple(numbers))
            told = tensor_numbers(line.positions[ply], viewer)
            demand(told == tensor_numbers(view, viewer), f"{where}: note() writes what the view does not")
            demand(len(told) == length and [*map(bool, told)] == [*map(bool, numbers)], f"{where}: note() is not tensor()")
    demand(len(different) > 1 or len(line.positions) < 8, f"{line.case}: tensor() is always the same")
    for pair in line.pairs[: effort(16)]:
        one, two = _views(pair)
        _demand_same(line, pair, "tensor()", one.tensor(), two.tensor())


@check
def texts_read_back(line: Line) -> None:
    """Every action's text is short lower-case text, unique in its position, and reads back to the same action."""
    if line.case.wrapped:
        return
    game = line.game
    for ply, position in enumerate(line.positions):
        lists: list[tuple[int | None, list[int]]] = [(None, position.legal())]
        if position.interruptible:
            lists += [(seat, position.interruptions(seat)) for seat in range(position.seats)]
        for seat, actions in lists:
            texts = [game.write(position, action) for action in actions]
            where = line.where(ply)
            for action, text in zip(actions, texts, strict=True):
                demand(text and text == tidy(text), f"{where}: the text of {action} is {text!r}")
            repeated = [text for text, count in Counter(texts).items() if count > 1]
            demand(not repeated, f"{where}: several actions are written {repeated[:SHOWN]}")
            few = actions if len(actions) <= 3 else [actions[line.dice("read", ply).below(len(actions))]]
            for action in few:
                _demand_reads_back(line, ply, seat, action)


def _demand_reads_back(line: Line, ply: int, seat: int | None, action: int) -> None:
    position = line.positions[ply]
    text = line.game.write(position, action)
    who = int(position.to_act) if seat is None else seat
    views = [position, position.seen_by(who)] if who >= 0 else [position]
    for view in views:
        written = line.game.write(view, action)
        demand(written == text, f"{line.where(ply)}: {action} is written {text!r}, but {written!r} in the view of {who}")
        found = line.game.read(view, f" {text.upper()} ", seat)
        demand(found == action, f"{line.where(ply)}: {action} is written {text!r}, which reads as {found}")


@check
def records_round_trip(line: Line) -> None:
    """A record written, read and replayed gives the same end."""
    if line.case.wrapped:
        return
    for ply in {len(line.events), len(line.events) // 3}:
        text = write_record(line.record(ply))
        position = line.positions[ply]
        if _on_the_shelf(line.game):
            try:
                again = read_record(text)
            except SheepfoldError as error:
                raise Broken(f"{line.where(ply)}: the record that was written cannot be read: {error}") from error
            demand(again.setup == line.setup and again.events == line.events[:ply], f"{line.where(ply)}: the record reads otherwise")
            demand(state(again.end()) == state(position), f"{line.where(ply)}: the record ends otherwise")
            demand(write_record(again) == text, f"{line.where(ply)}: written again, the record differs")
        demand(state(line.record(ply).end()) == state(position), f"{line.where(ply)}: the events end otherwise")


def _on_the_shelf(game: Game) -> bool:
    from sheepfold.game.registry import names

    return game.name in names()


@check
def words_work(line: Line) -> None:
    """Pictures, prompts, descriptions and tellings work in every language for every viewer, and what is printed fits the columns."""
    ways = [(viewer, language) for viewer in line.viewers for language in languages()]
    thorough = set(line.plies(effort(8) + 1))
    for ply in range(len(line.positions)):
        for viewer, language in ways if ply in thorough else [ways[ply % len(ways)]]:
            _demand_words(line, ply, viewer, line.case.voice(language))
    for language in languages():
        demand(line.game.help(language).startswith("# "), f"{line.game.name}: no help in {language}")


def _demand_words(line: Line, ply: int, viewer: int, voice: Voice) -> None:
    game, position = line.game, unwrapped(line.positions[ply])
    view = position.seen_by(viewer)
    where = f"{line.where(ply)}, viewer {viewer}, {voice.language}"
    picture = game.text_picture(view, viewer, COLUMNS, voice)
    demand(picture.strip(), f"{where}: the picture is empty")
    sentences = [*picture.split("\n"), *_sentence(game.prompt(view, voice), f"{where}: prompt")]
    for passage in game.outline(view, viewer, voice):
        demand(bool(passage.title and (passage.lines or passage.rows)), f"{where}: a passage of the outline is empty: {passage}")
        demand(all(len(row) == len(passage.columns) + 1 for row in passage.rows), f"{where}: rows of unequal length: {passage}")
        for text in (passage.title, *passage.lines, *passage.columns, *(cell for row in passage.rows for cell in row)):
            demand("{" not in text and "\n" not in text, f"{where}: the outline says {text!r}")  # it is read aloud: no columns to fit
    if int(view.to_act) == viewer:
        actions = view.legal()
        few = actions if len(actions) <= 8 else [actions[line.dice("describe", ply).below(len(actions))] for _ in range(8)]
        for action in few:
            sentences += _sentence(game.describe(view, action, voice), f"{where}: describe({action})")
    if viewer >= 0 and position.interruptible:
        for action in view.interruptions(viewer)[:8]:
            sentences += _sentence(game.describe(view, action, voice), f"{where}: describe({action})")
    if ply < len(line.events) and not line.case.wrapped:
        event = line.events[ply]
        shown = event.action if line.seen[viewer][ply] else HIDDEN
        after = line.positions[ply + 1].seen_by(viewer)
        for told in game.tell(view, shown, after, voice, event.who if event.interrupt else None):
            sentences += _sentence(told, f"{where}: tell")
    for text in sentences:
        demand(width(text) <= COLUMNS, lambda: f"{where}: {width(text)} columns: {text!r}")  # noqa: B023


def _sentence(text: str, where: str) -> list[str]:
    demand(text.strip() and "\n" not in text, f"{where} is {text!r}")
    demand("{" not in text, f"{where}: a value is not filled in: {text!r}")
    return [text]


# Other processes.


def checksums(game: Game, seeds: int = 1, most: int = 120) -> dict[str, str]:
    """What playing some seeds gives, for each set-up, to be compared between processes."""
    found = {}
    for case in cases(game):
        parts: list[object] = []
        for seed in range(seeds):
            line = play(case, f"checksum {seed}", most=most)
            parts += [line.events, line.digests, _ask_all(line)]
            playing = case.start()
            _play_out(playing, line.dice("playout"), 4 * most)
            parts.append(state(playing))
        found[str(case)] = digest(parts)
    return found


def _play_out(position: Position, dice: Dice, most: int) -> None:
    for _ in range(most):
        if int(position.to_act) == OVER:
            return
        position.advance(position.random_action(dice))


def _ask_all(line: Line) -> list[object]:
    found: list[object] = []
    for ply in line.plies(6):
        position = line.positions[ply]
        for viewer in line.viewers:
            view = position.seen_by(viewer)
            plain = unwrapped(view)
            found += [view.key(), [round(number, 9) for number in view.tensor()], view.determinize(line.dice("ask", ply)).key()]
            found += [line.game.prompt(plain, line.case.voice("fr")), line.game.text_picture(plain, viewer, COLUMNS, line.case.voice("en"))]
        if not line.case.wrapped:
            found += [line.game.write(position, action) for action in position.legal()[:50]]
    return found


# The command.


def find_game(name: str) -> Game:
    """A game of the shelf, or `module:ATTRIBUTE`."""
    if ":" in name:
        module, _, attribute = name.partition(":")
        game = getattr(import_module(module), attribute)
        if not isinstance(game, Game):
            raise SystemExit(f"{name} is not a Game")
        return game
    from sheepfold.game.registry import find

    return find(name)


def faults(case: Case, seed: object, only: list[str] | None = None) -> dict[str, str]:
    """What is broken on one line of play: name of the check -> message."""
    line = play(case, seed)
    found = {}
    for name in only or CHECKS:
        try:
            CHECKS[name](line)
        except Exception as error:
            found[name] = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sheepfold.game.conformance", description="Check a game against the contract.")
    parser.add_argument("game", help="a game's name, or module:ATTRIBUTE")
    parser.add_argument("--seats", type=int, help="only with that many seats")
    parser.add_argument("--seed", default="1", help="for another line of play")
    parser.add_argument("--check", action="append", choices=list(CHECKS), metavar="NAME", help="only this check (may be repeated)")
    parser.add_argument("--checksums", action="store_true", help="play some seeds and print sums, to compare with another process")
    chosen = parser.parse_args(arguments)
    game = find_game(chosen.game)
    if chosen.checksums:
        print(json.dumps(checksums(game)))
        return 0
    broken = 0
    for case in cases(game, chosen.seats):
        found = faults(case, chosen.seed, chosen.check)
        broken += len(found)
        print(f"{case}: {'sound' if not found else 'BROKEN'}", flush=True)
        for name, message in found.items():
            print(f"  {name}: {str(CHECKS[name].__doc__).splitlines()[0]}\n    {message}")
    return 1 if broken else 0


if __name__ == "__main__":
    from sheepfold.game import conformance

    sys.exit(conformance.main())
