import gc
import sys
from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import fmean
from typing import Any

from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.registry import every_game, find
from sheepfold.games.guerre_des_moutons.tiles import Tiles
from sheepfold.messages import Voice

MOST = 100_000_000
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


def test_nothing_is_kept_for_ever_of_what_people_enter() -> None:
    """Pieces that somebody has entered are other objects every time: what is kept by them needs a bound."""
    for game in every_game():
        game.picture(game.setup(2).start(), 0, "bare", Voice([game.folder / "locale"], "en"))
    assert not [each for each in keeping() if each.cache_parameters()["maxsize"] is None and each.__wrapped__.__code__.co_argcount]


def test_sets_of_tiles_that_people_enter_do_not_pile_up() -> None:
    """What was drawn of a set kept it, a quarter of a megabyte each."""
    game = find("guerre-des-moutons")
    printed, landscape = game.printed, "rrrb"
    assert landscape in printed
    before = sets_of_tiles()
    faces = ["".join(each) for each in product("rkby", repeat=4)][:60]
    for face in faces:
        setup = game.setup(2, EnteredFile("own.toml", printed.replace(landscape, face, 1)))
        game.picture(setup.start(), 0, "bare", Voice([game.folder / "locale"], "en"))
    assert sets_of_tiles() - before < 40, "two times sixteen are kept, of sixty"


def sets_of_tiles() -> int:
    gc.collect()
    return sum(type(each) is Tiles for each in gc.get_objects())
