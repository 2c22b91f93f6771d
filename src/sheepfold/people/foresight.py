"""Foresight: what would follow if others did this or that, and whether what somebody meant to do then can still be.

A line is a row of steps, each a seat and what it does, in the game's notation as the one who plans may know it: 'if Ben plays there, I
play here' has two. What chance does, and what others do in between, is no part of it. All is judged from the view of the one who plans, so
that whether a line stands tells nothing of what is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, HiddenInformation, Position
from sheepfold.game.game import Game, tidy
from sheepfold.game.session import Session
from sheepfold.messages import Voice

WORLDS = 24
"""How many worlds that fit a view are looked at for what might be."""
FURTHEST = 400
"""How many events one of them goes on at most."""


class Step(NamedTuple):
    """Something that a seat does."""

    seat: int
    action: str


@dataclass(frozen=True)
class Verdict:
    """What has become of a line."""

    stands: bool
    """Whether there is something left that can be."""
    acts: tuple[str, ...] = ()
    """What its seat does by it now, one after the other."""
    done: bool = False
    """Whether all of it has happened."""


GONE, WAITS, DONE = Verdict(False), Verdict(True), Verdict(False, done=True)


def judge(session: Session, seat: int, since: int, line: Sequence[Step]) -> Verdict:
    """What has become of a line that was set at a ply: whoever it names next has to do what it says, or it is gone."""
    rest = list(line)
    for who, action in session.notations(seat, since):
        if rest and who == rest[0].seat and action != rest.pop(0).action:
            return GONE
    if not rest or session.over:
        return GONE if rest else DONE
    view, step = session.view(seat), rest[0]
    if step.seat == seat:
        if view.to_act == seat:
            return Verdict(True, (step.action,)) if step.action in texts(session.game, view, view.legal()) else GONE
        return Verdict(True, (step.action,)) if step.action in texts(session.game, view, view.interruptions(seat)) else WAITS
    if view.to_act != step.seat:
        return WAITS
    try:
        return WAITS if step.action in texts(session.game, view, view.legal()) else GONE
    except HiddenInformation:  # nobody knows but who is to act
        return WAITS


def judge_standing(session: Session, seat: int, name: str) -> Verdict:
    """What a standing answer of the game's does now."""
    view = session.view(seat)
    actions = None if session.over else session.game.standing_answer(view, seat, name)
    if actions is None:
        return GONE
    acts = []
    for action in actions:
        acts.append(session.game.write(view, action))
        if view.to_act == seat:
            view.apply(action)
        else:
            view.interrupt(seat, action)
    return Verdict(True, tuple(acts))


def texts(game: Game, view: Position, actions: Sequence[int]) -> list[str]:
    return [tidy(game.write(view, action)) for action in actions]


@dataclass(frozen=True)
class Foreseen:
    """What may come after a line."""

    seat: int | None
    """Who decides next; None where the game is over by then, or the line cannot be."""
    choices: tuple[tuple[str, str], ...] = ()
    """What they may do: as it is written, and in words; the likeliest first where hidden things decide it."""
    view: Position | None = None
    """What it looks like right after the line, where that is certain."""


def foresee(game: Game, seen: Position, line: Sequence[Step], voice: Voice, until_mine: bool = False) -> Foreseen:
    """What may come after a line, or when the seat itself is next to decide after it, as far as it can know from its view."""
    dice, seat = Dice("foresight"), int(seen.viewer)
    worlds = [seen.determinize(dice) for _ in range(WORLDS)]
    worlds = [world for world in worlds if _follow(game, world, seat, line, dice) is not None]
    views = [world.seen_by(seat) for world in worlds]
    view = views[0] if views and all(each == views[0] for each in views) else None
    worlds = [world for world in worlds if _goes_on(world, seat, until_mine, dice) and world.to_act != OVER]
    if not worlds:
        return Foreseen(None, view=view)
    turn = Counter(int(world.to_act) for world in worlds).most_common(1)[0][0]
    found: Counter[str] = Counter()
    words: dict[str, str] = {}
    for world in worlds:
        if world.to_act == turn:
            then = world.seen_by(seat)
            for action in world.legal():
                if world.sees(seat, action):
                    written = tidy(game.write(then, action))
                    found[written] += 1
                    words[written] = words.get(written) or game.describe(then, action, voice)
    return Foreseen(turn, tuple((written, words[written]) for written, _ in found.most_common()), view)


def in_words(game: Game, seen: Position, line: Sequence[Step], voice: Voice) -> list[str]:
    """The steps of a line that was set at that view, as a list of choices would say them; as they are written where none is found."""
    dice, seat = Dice("in words"), int(seen.viewer)
    for _ in range(WORLDS):
        followed = _follow(game, seen.determinize(dice), seat, line, dice)
        if followed is not None:
            return [game.describe(view, action, voice) for view, action in followed]
    return [step.action for step in line]


def _follow(game: Game, world: Position, seat: int, line: Sequence[Step], dice: Dice) -> list[tuple[Position, int]] | None:
    """Play a line in a world, others and chance at random. The view before each step, and the action; None where it cannot be there."""
    followed: list[tuple[Position, int]] = []
    for step in line:
        for _ in range(FURTHEST):
            if world.to_act in (step.seat, OVER):
                break
            world.advance(world.random_action(dice))
        if world.to_act != step.seat:
            return None
        view = world.seen_by(seat)
        action = next((each for each in world.legal() if tidy(game.write(view, each)) == step.action), None)
        if action is None:
            return None
        followed.append((view, action))
        world.advance(action)
    return followed


def _goes_on(world: Position, seat: int, until_mine: bool, dice: Dice) -> bool:
    """Go on at random until somebody decides, or the seat itself; whether that comes."""
    for _ in range(FURTHEST):
        if world.to_act == OVER or (world.to_act != CHANCE and (not until_mine or world.to_act == seat)):
            return True
        world.advance(world.random_action(dice))
    return False
