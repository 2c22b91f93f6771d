"""What was drawn or said once and is kept: pictures and words of a game are made of the same pieces again and again.

Everything is kept by its values, never by whose view it is made from: two viewers share only what each of them would have been drawn
alone. How much is kept has a bound, and what was not wanted for longest goes first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


def kept(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep that many results of a function of plain values (thousands of small pieces, hundreds of whole boards)."""

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        keeping = lru_cache(most)(function)
        _clearing.append((function.__module__, keeping.cache_clear))
        return cast("Callable[P, T]", keeping)

    return keep


_clearing: list[tuple[str, Callable[[], None]]] = []
"""By the module of each such function, what forgets its results."""


def forget(package: str) -> None:
    """Forget all that is kept in a package, where it keeps what is large and may be another every time."""
    for module, clear in _clearing:
        if module.startswith(f"{package}."):
            clear()
