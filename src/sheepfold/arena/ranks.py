"""Ranks: the order in which the seats of a game come in."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def placed_last(ranks: Sequence[int], gone: Collection[int]) -> list[int]:
    """The ranks of a game where some seats did not play to the end: who has left, or forfeited, comes after all others."""
    final = [len(ranks) + 1 if seat in gone else rank for seat, rank in enumerate(ranks)]
    return [1 + sum(other < own for other in final) for own in final]
