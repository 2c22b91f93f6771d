"""Checks of the rules themselves: legal actions, chance, copies, history, scores, bounds, components, numbers for learners."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from sheepfold.core.position import CHANCE, OVER, IllegalAction, Position, tensor_numbers
from sheepfold.game.conformance.contract import SHOWN, Broken, answer, check, demand, demand_same, memory
from sheepfold.game.conformance.lines import Line, digest, effort, play_on, state
from sheepfold.game.conformance.statistics import chi_squared, chi_squared_limit
from sheepfold.game.conformance.worlds import pairs
from sheepfold.game.levels import COMPILED
from sheepfold.game.records import happen

HUGE = (-(2**70), -(2**63) - 1, -(2**31), -1, -7, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 2**70)


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
        demand_sound_actions(actions, position, where)
    for ply in line.plies(effort(24) + 2)[:-1]:
        for action in line.positions[ply].legal()[:60]:
            following = line.positions[ply].copy()
            try:
                following.apply(action)
            except IllegalAction as error:
                raise Broken(f"{line.where(ply)}: {action} is in legal(), but {error}") from None


def demand_sound_actions(actions: list[int], position: Position, where: str) -> None:
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
            demand(answer(lambda view=view: state(view)) == seen, f"{line.where(ply)}: determinize changes its view")  # type: ignore[misc]
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
        play_on(copied, line.dice("copies", ply), 40)
        demand(state(original) == before, f"{line.where(ply)}: playing on with a copy changes the original")
        copied = original.copy()
        play_on(original, line.dice("originals", ply), 40)
        demand(state(copied) == before, f"{line.where(ply)}: playing on with the original changes a copy")


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
            demand_sound_actions(found, position, where)
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
def tensor_is_sound(line: Line) -> None:
    """tensor() has one length for a set-up and finite numbers, is equal for equal views, and tells positions apart.

    What is written for a viewer without making its view is what the view itself writes.
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
            demand(told == tensor_numbers(view, viewer), f"{where}: write_tensor() writes what the view does not")
            demand(len(told) == length and [*map(bool, told)] == [*map(bool, numbers)], f"{where}: write_tensor() is not tensor()")
    demand(len(different) > 1 or len(line.positions) < 8, f"{line.case}: tensor() is always the same")
    for pair in pairs(line)[: effort(16)]:
        one, two = pair.views
        demand_same(line, pair, "tensor()", one.tensor(), two.tensor())
