"""Kept seats: who leaves a table may think better of it. For a while the seat is kept; who shows the token that it had sits there again.

A bot plays there meanwhile, or, before the game has begun, the seat is free and goes to whoever takes it first. Where a result counts it is
kept only until that bot has played: nobody has a move played for them. The table's settings say until when it is kept, and have a sum of
the token, from which nobody can tell it.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

KEPT = "kept"
"""The setting of a table: by seat, the sum of its token, until when it is kept, and how far the game was."""
KEEP = 900.0
"""Seconds for which a seat is kept."""

RETURNED = "\t"
"""Before a name in a line of chat that nobody says: who it names had left and sits there again. Names never begin so."""


def keep(settings: Mapping[str, Any], seat: int, token: str, ply: int) -> dict[str, Any]:
    """The settings of a table where a seat is kept for who has the token."""
    return {**settings, KEPT: {**settings.get(KEPT, {}), str(seat): [_sum(token), time.time() + KEEP, ply]}}


def let_go(settings: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """The settings of a table where a seat is kept for nobody."""
    others = {number: kept for number, kept in settings.get(KEPT, {}).items() if number != str(seat)}
    return {**{name: value for name, value in settings.items() if name != KEPT}, **({KEPT: others} if others else {})}


def kept(settings: Mapping[str, Any]) -> list[int]:
    """The seats that are kept for somebody now."""
    return [int(seat) for seat, (_, until, _ply) in settings.get(KEPT, {}).items() if time.time() < until]


def kept_for(settings: Mapping[str, Any], tokens: Sequence[str]) -> dict[int, str]:
    """The seats that are kept for who shows these tokens, each with its token."""
    sums = {seat: settings[KEPT][str(seat)][0] for seat in kept(settings)}
    return {seat: token for seat, known in sums.items() for token in tokens if hmac.compare_digest(known, _sum(token))}


def left_at(settings: Mapping[str, Any], seat: int) -> int:
    """How far the game was when who had that seat left."""
    return int(settings[KEPT][str(seat)][2])


def _sum(token: str) -> str:
    return sha256(token.encode()).hexdigest()
