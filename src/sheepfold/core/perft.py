"""Counting lines of play, as chess programs do (perft): exact numbers that pin the rules of a game down.

Every choice and every chance outcome is a branch; only lines of exactly that many events count. An interruptible game is counted
as it is played in strict turns (`core.sequential`), where passing on an interruption is an event too.
"""

from __future__ import annotations

from sheepfold.core.position import OVER, Position
from sheepfold.core.sequential import sequential


def count_lines(position: Position, depth: int) -> int:
    """How many different lines of `depth` events go on from here."""
    if depth < 0:
        raise ValueError(f"a depth of 0 or more is wanted, not {depth}")
    return _count(sequential(position.copy()), depth)


def breakdown(position: Position, depth: int) -> dict[int, int]:
    """`count_lines` by the first event, to see at which one two programs part."""
    if depth < 1:
        raise ValueError(f"a depth of 1 or more is wanted, not {depth}")
    first = sequential(position.copy())
    return {} if first.to_act == OVER else {action: _count(_after(first, action), depth - 1) for action in first.legal()}


def _count(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.to_act == OVER:
        return 0
    actions = position.legal()
    if depth == 1:
        return len(actions)
    return sum(_count(_after(position, action), depth - 1) for action in actions)


def _after(position: Position, action: int) -> Position:
    following = position.copy()
    following.advance(action)
    return following
