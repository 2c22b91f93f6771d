"""Checks that positions and views travel: as pickles and as JSON they come back as they were, and tell nothing on the way."""

from __future__ import annotations

import pickle

from sheepfold.core.dice import Dice
from sheepfold.core.position import EVERYTHING, Position
from sheepfold.core.travel import BadState
from sheepfold.game.conformance.contract import answer, check, demand, demand_same, memory
from sheepfold.game.conformance.lines import Line, effort, play_on, state
from sheepfold.game.conformance.worlds import pairs
from sheepfold.game.states import read_state, write_state

FURTHER = 12
"""How many events are played on with what came back."""


@check
def states_travel(line: Line) -> None:
    """A position or view that was pickled, or written as JSON, comes back equal in all it holds and goes on as before."""
    for ply in line.plies(effort(6) + 2):
        position = line.positions[ply]
        view = position.seen_by(line.viewers[ply % len(line.viewers)])
        for thing in (position, view):
            for way, back in travelled(thing).items():
                found = strayed(thing, back, line.dice("travel", ply))
                demand(not found, f"{line.where(ply)}: as {way}, what viewer {thing.viewer} has {found}")


@check
def states_hide(line: Line) -> None:
    """What is written of a view is the same in worlds that its viewer cannot tell apart."""
    for pair in pairs(line):
        demand_same(line, pair, "what is written of the view", *[written(view) for view in pair.views])


def travelled(thing: Position) -> dict[str, Position]:
    """What comes back of a position or a view, by the way it took; not as JSON where it holds what JSON cannot."""
    found = {"a pickle": pickle.loads(pickle.dumps(thing))}
    try:
        text = write_state(thing)
    except BadState:
        return found
    return {**found, "JSON": read_state(text)}


def strayed(thing: Position, back: Position, dice: Dice) -> str:
    """What is otherwise with what came back: nothing, or words for it."""
    if type(back) is not type(thing) or answer(lambda: state(back)) != answer(lambda: state(thing)):
        return "answers otherwise than before"
    if memory(back) != memory(thing):
        return "holds something else than before"
    seed, ends = dice.seed, []
    for one in (thing, back):
        on = one.copy() if one.viewer == EVERYTHING else one.determinize(Dice(f"{seed}/guess"))
        play_on(on, Dice(seed), FURTHER)
        ends.append((state(on), memory(on)))
    return "" if ends[0] == ends[1] else "goes on otherwise than before"


def written(view: Position) -> object:
    try:
        return write_state(view)
    except BadState:
        return pickle.dumps(view)
