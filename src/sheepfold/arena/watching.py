"""Watching: one game of a bot against itself, and what a report wants to know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sheepfold.bots import bot
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import Sequential, sequential, unwrapped
from sheepfold.game.game import Setup
from sheepfold.game.records import Event


class Turn(NamedTuple):
    """A seat's decisions in a row: at which decision of the game it began, in which phase, with what kind of action, and what it earned."""

    at: int
    phase: int
    kind: str
    gain: float


@dataclass(frozen=True)
class Watched:
    """What was noted of one game."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    events: int
    branching: list[int]
    """How many actions there were at each decision."""
    turns: list[Turn]
    behind: float = 0.0
    """By how large a share of the win the later winner was behind, at worst, as the game's evaluator sees it."""
    log: list[Event] = field(default_factory=list)

    @property
    def lead(self) -> int:
        """The points between the first and the second, whichever way points count."""
        ordered = [score for _, score in sorted(zip(self.ranks, self.scores, strict=True))]
        return abs(ordered[0] - ordered[1]) if len(ordered) > 1 else 0

    def phase(self, turn: Turn) -> int:
        """The game's own phase, else the quarter of the game."""
        return turn.phase or min(4, 4 * turn.at // max(1, len(self.branching)) + 1)


def watch(setup: Setup, name: str, seed: str) -> Watched:
    """One game of a bot against itself."""
    game = setup.game
    dice = Dice(seed)
    player = bot(name)
    position = sequential(setup.start())
    branching: list[int] = []
    turns: list[Turn] = []
    values: list[list[float]] = []
    log: list[Event] = []
    last_seat, before, events = -1, [0.0], 0
    while position.to_act != OVER:
        seat = int(position.to_act)
        events += 1
        if seat == CHANCE:
            log.append(Event(seat, int(position.random_action(dice))))
            position.advance(log[-1].action)
            continue
        actions = position.legal()
        view = position.seen_by(seat)
        action = actions[0] if len(actions) == 1 else player.choose(view, dice)
        passing = isinstance(view, Sequential) and action == view.pass_action
        if not passing and seat != last_seat:
            now = game.earned(unwrapped(position))
            if turns:
                turns[-1] = turns[-1]._replace(gain=now[last_seat] - before[last_seat])
            kind = game.kind(unwrapped(view), action)
            turns.append(Turn(len(branching), game.phase(unwrapped(position)), kind, 0.0))
            values.append(list(game.evaluator.values(unwrapped(position))))
            last_seat, before = seat, now
        if not passing:
            log.append(Event(seat, action, isinstance(position, Sequential) and position.asking()))
        branching.append(len(actions))
        position.advance(action)
    if turns:
        turns[-1] = turns[-1]._replace(gain=game.earned(unwrapped(position))[last_seat] - before[last_seat])
    ranks = tuple(map(int, position.ranks()))
    return Watched(ranks, tuple(map(int, position.scores())), events, branching, turns, _behind(ranks, values), log)


def _behind(ranks: Sequence[int], values: Sequence[Sequence[float]]) -> float:
    """By how much the one winner was behind the best of the others, at worst."""
    if len(ranks) < 2 or ranks.count(1) > 1:
        return 0.0
    winner = ranks.index(1)
    return max([0.0, *(max(each[:winner] + each[winner + 1 :]) - each[winner] for each in map(list, values))])


def watched_from(row: Mapping[str, Any]) -> Watched:
    """A game as it was written, by `asdict` and JSON."""
    turns, log = [Turn(*turn) for turn in row["turns"]], [Event(*event) for event in row["log"]]
    return Watched(tuple(row["ranks"]), tuple(row["scores"]), row["events"], row["branching"], turns, row["behind"], log)
