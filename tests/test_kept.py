import gc
import sys
from collections.abc import Iterator
from random import Random
from statistics import fmean
from typing import Any

from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.registry import every_game
from sheepfold.messages import Voice

MOST = 150_000_000
"""Bytes that all that is kept of pictures and their words may come to in a process; docs/operations.md tells what it is now."""
MOVES = 40


def keeping() -> Iterator[Any]:
    """The functions whose results are kept."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("sheepfold.art.", "sheepfold.games.")):
            yield from (each for each in vars(module).values() if hasattr(each, "cache_parameters") and each.__module__ == name)


def bytes_of(value: Any) -> int:
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, tuple | list | frozenset) else []
    return sys.getsizeof(value) + sum(map(bytes_of, inner))


def most_bytes_of(function: Any) -> float:
    """As large as what it has kept until now is, as often as it may be kept."""
    most, pieces = function.cache_parameters()["maxsize"], [each for each in gc.get_referents(function) if isinstance(each, str | tuple)]
    return 2 * most * fmean(map(bytes_of, pieces)) if most and pieces else 0.0  # of each it is kept what for, and what


def test_what_is_kept_of_pictures_has_a_bound() -> None:
    for function in keeping():
        function.cache_clear()
    for game in every_game():
        position, dice, voice = game.setup(2).start(), Random(1), Voice([game.folder / "locale"], "en")
        for _ in range(MOVES):
            if position.to_act == OVER:
                break
            position.apply(dice.choice(position.legal()))
            for viewer in (0, 1, SPECTATOR):
                game.picture(position.seen_by(viewer), viewer, "bare", voice)
                game.outline(position.seen_by(viewer), viewer, voice)
    found = {f"{function.__module__}.{function.__name__}": most_bytes_of(function) for function in keeping()}
    largest = sorted(found, key=lambda name: -found[name])[:20]
    assert sum(found.values()) < MOST, "\n".join(f"{found[name] / 1e6:6.1f} MB {name}" for name in largest)
