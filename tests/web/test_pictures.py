"""Every game keeps the rules of docs/pictures.md, for every seat and spectator, at every ply of some games."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import sheepfold.web
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game
from sheepfold.messages import Voice, languages
from sheepfold.web.rendering import art_symbols
from sheepfold.web.scenes import without_kit

WEB = Path(sheepfold.web.__file__).parent
GAMES = [pytest.param(game, seats, id=f"{game.name}-{seats}") for game in every_game() for seats in game.seats]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_targets_are_in_the_picture_and_spell_one_action_each(game: Game, seats: int) -> None:
    for seed in range(2):
        dice, position = Dice(f"pictures {seed}"), game.setup(seats).start()
        voice = Voice([game.folder / "locale"], languages()[seed % len(languages())])
        while position.to_act != OVER:
            if position.to_act != CHANCE:
                for seat in range(seats):
                    view = position.seen_by(seat)
                    actions = view.legal() if seat == position.to_act else view.interruptions(seat)
                    if actions:
                        check(game, view, seat, actions, voice)
            position.advance(position.random_action(dice))
        for seat in (0, SPECTATOR):
            assert ids(game.picture(position.seen_by(seat), seat, "auto", voice))


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_bare_picture_is_the_same_without_what_the_page_holds(game: Game, seats: int) -> None:
    """Drawn by the game itself, and by default."""
    dice, position, voice = Dice("bare"), game.setup(seats).start(), Voice([game.folder / "locale"])
    while position.to_act != OVER:
        for seat in (*range(seats), SPECTATOR) if dice.below(8) == 0 else ():
            view = position.seen_by(seat)
            for drawn in (type(game).picture, Game.picture):
                assert drawn(game, view, seat, "bare", voice) == without_kit(drawn(game, view, seat, "auto", voice))
        position.advance(position.random_action(dice))


def check(game: Game, view, seat: int, actions: list[int], voice: Voice) -> None:
    picture = game.picture(view, seat, "auto", voice)
    known = ids(without_kit(picture))
    unloaded = set(re.findall(r'href="#(sf-[^"]+)"', picture)) - held(game)
    assert not unloaded, f"drawings that the game's page does not hold: {unloaded}"
    assert not set(known) & page_ids(), f"the page's own, which would be lit instead: {sorted(set(known) & page_ids())}"
    twice = [name for name, count in Counter(known).items() if count > 1]
    assert not twice, f"ids that stand twice: {twice[:5]}"
    paths = [tuple(game.targets(view, action)) for action in actions]
    paths = [path for path in paths if path]
    missing = {name for path in paths for name in path} - set(known)
    assert not missing, f"not in the picture: {sorted(missing)[:5]}"
    assert len(set(paths)) == len(paths), f"the same path twice: {[path for path, count in Counter(paths).items() if count > 1][:3]}"
    begun = {path[:step] for path in paths for step in range(1, len(path))}
    assert not begun & set(paths), f"a path that is the beginning of another: {sorted(begun & set(paths))[:3]}"


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_moments_show_what_the_page_holds(game: Game, seats: int) -> None:
    """Small pictures of what points were counted from are bare: their drawings are the page's."""
    dice, position, voice = Dice("moments"), game.setup(seats).start(), Voice([game.folder / "locale"])
    while position.to_act != OVER:
        before, action = position.copy(), int(position.random_action(dice))
        position.advance(action)
        moment = game.moment(before.seen_by(SPECTATOR), action, position.seen_by(SPECTATOR), voice)
        for gain in moment.gains if moment else ():
            assert "<style" not in gain.picture and "<defs" not in gain.picture
            assert set(re.findall(r'href="#(sf-[^"]+)"', gain.picture)) <= held(game)


@cache
def held(game: Game) -> set[str]:
    """The drawings that the game's page holds."""
    return set(ids(art_symbols(game)))


@cache
def page_ids() -> set[str]:
    """What the table's page names by itself."""
    found, texts = set[str](), [(WEB / "templates" / name).read_text() for name in ("base.html", "table.html")]
    while texts:
        text = texts.pop()
        found |= set(ids(text))
        texts += [(WEB / "templates" / name).read_text() for name in re.findall(r'include "([^"]+)"', text)]
    return found


def ids(picture: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', picture)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_reasons_are_for_things_that_are_drawn(game: Game, seats: int) -> None:
    """Why a tap does nothing is said in every language, of things that some picture of the game has."""
    dice, position, named, drawn_ids = Dice("reasons"), game.setup(seats).start(), set(), set()
    while position.to_act != OVER:
        if position.to_act != CHANCE:
            seat = int(position.to_act)
            view = position.seen_by(seat)
            for language in languages():
                reasons = game.refusals(view, Voice([game.folder / "locale"], language))
                assert all(reasons.values())
            named |= set(reasons)
            drawn_ids |= set(ids(game.picture(view, seat, "auto", Voice([game.folder / "locale"]))))
        position.advance(position.random_action(dice))
    assert all(any(name.startswith(start) for name in drawn_ids) for start in named), named
