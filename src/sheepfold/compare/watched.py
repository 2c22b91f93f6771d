"""Watched: one game, and what a comparison notes of it.

Both sides of a pair draw from the same streams, one for each purpose: chance has one, and every seat has its own. A bot that thinks longer
on one side shifts no card, and a card more on one side shifts nobody's thoughts. Every chance event and every decision has a stream of its
own below that, by its number, so that games that went different ways for a while draw alike again: that takes up to a third off the
spread of a difference in wins, and more off that in length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheepfold.bots import bot
from sheepfold.bots.greedy import Greedy
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.core.sequential import Sequential, sequential
from sheepfold.game.game import Setup

RARELY = 100
"""One decision in so many, drawn by lot, is judged for what is at stake: the judge takes longer than a quick bot plays."""
MATTERS = 0.05
"""A decision matters where the best choice is worth so much of a win more than the average one."""


class Watched(NamedTuple):
    """What was noted of one game; numbers alone, so that a line of a file holds it."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    starter: int
    """Who decided first."""
    turns: int
    """How often somebody else was to act than before."""
    decisions: int
    """How often there was something to choose."""
    behind: float
    """How far the winner was behind at worst, as a share of the win by the game's evaluator; 0 where the win is shared."""
    judged: int
    mattered: int
    stake: float
    """Of the decisions that were judged: how many mattered, and what was at stake in all of them together."""
    alone: int = -1
    """The seat of the better level, where one plays against the line-up."""


def watch(setup: Setup, bots: Sequence[str], dice: Dice, alone: int = -1) -> Watched:
    """Play a game and note what is compared."""
    position = sequential(setup.start())
    players = [bot(name) for name in bots]
    chance, lots = dice.split("chance"), dice.split("judge")
    thoughts = [dice.split("seat", seat) for seat in range(position.seats)]
    evaluator = setup.game.evaluator
    judge = Greedy(evaluator, 1)
    worst = [0.0] * position.seats
    starter = last = -1
    turns = decisions = judged = mattered = 0
    stake = 0.0
    drawn, thought = 0, [0] * position.seats
    while position.to_act != OVER:
        seat = int(position.to_act)
        if seat == CHANCE:
            position.advance(position.random_action(chance.split(drawn)))
            drawn += 1
            continue
        actions = position.legal()
        action = int(actions[0])
        if len(actions) > 1:
            decisions += 1
            if seat != last:
                _note_who_is_behind(worst, evaluator.values(position))
            view = position.seen_by(seat)
            if lots.below(RARELY) == 0:
                at_stake = _at_stake(judge, view, actions, lots)
                judged, mattered, stake = judged + 1, mattered + (at_stake >= MATTERS), stake + at_stake
            action = players[seat].choose(view, thoughts[seat].split(thought[seat]))
            thought[seat] += 1
        if seat != last and not (isinstance(position, Sequential) and action == position.pass_action):
            turns, last = turns + 1, seat
            starter = seat if starter < 0 else starter
        position.advance(action)
    ranks, scores = tuple(map(int, position.ranks())), tuple(map(int, position.scores()))
    behind = abs(worst[ranks.index(1)]) if len(ranks) > 1 and ranks.count(1) == 1 else 0.0
    return Watched(ranks, scores, starter, turns, decisions, round(behind, 4), judged, mattered, round(stake, 6), alone)


def _note_who_is_behind(worst: list[float], values: list[float]) -> None:
    """Every seat's worst lead so far; a lead is over the best of the others."""
    if len(values) < 2:
        return
    second, first = sorted(values)[-2:]
    for seat, value in enumerate(values):
        lead = value - (second if value == first else first)
        if lead < worst[seat]:
            worst[seat] = lead


def _at_stake(judge: Greedy, view: Position, actions: Sequence[int], dice: Dice) -> float:
    """By how much the best choice is better than the average one, one turn ahead, from what the seat knows."""
    guess = view.determinize(dice)
    values = [judge.after(guess, action, view.to_act, dice, judge.decisions) for action in actions]
    return max(values) - sum(values) / len(values)
