"""How far counts may be from what was expected of them before it is no accident."""

from __future__ import annotations

import math


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
