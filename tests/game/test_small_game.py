"""A game that brings only rules and a notation keeps the whole contract; what it brings replaces its defaults one by one."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sheepfold.ansi import plain
from sheepfold.core.errors import BadComponents
from sheepfold.core.position import HIDDEN, OVER, SPECTATOR, Position
from sheepfold.game.conformance import cases, faults
from sheepfold.game.game import Game
from sheepfold.game.records import Record, read_record, write_record
from sheepfold.game.registry import added
from sheepfold.messages import OFFERED, Voice
from toy_small import FEW, GRASS, GRID, HATS, MANY, Grassy, Pastures

CASES = [case for game in (GRASS, HATS, FEW, GRID) for case in cases(game)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rules_and_a_notation_keep_the_contract(case) -> None:
    with added(case.setup.game):
        assert faults(case, 1) == {}


def started(game: Game, *actions: int, seats: int = 2) -> Position:
    position = game.setup(seats).start()
    for action in actions:
        position.apply(action)
    return position


def ids(picture: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', re.sub(r"<defs>.*?</defs>", "", picture))


def paths(game: Game, view: Position) -> list[tuple[str, ...]]:
    return [tuple(game.targets(view, action)) for action in view.legal()]


# Choices.


@pytest.mark.parametrize(("game", "actions", "kinds"), [(GRASS, (5,), {1: 3}), (FEW, (), {2: 40}), (GRID, (), {1: 9})], ids=str)
def test_every_choice_can_be_tapped(game: Game, actions: tuple[int, ...], kinds: dict[int, int]) -> None:
    view = started(game, *actions).seen_by(0)
    found, drawn = paths(game, view), ids(game.picture(view, 0))
    assert Counter(map(len, found)) == kinds and len(set(found)) == len(found)
    assert {name for path in found for name in path} <= set(drawn)
    assert [name for name, count in Counter(drawn).items() if count > 1] == []


def test_many_choices_are_folded_by_how_they_begin() -> None:
    view = started(FEW).seen_by(0)
    assert FEW.targets(view, 0) == ["choices-graze_hill", "choice-0"]
    assert "graze hill …" in FEW.picture(view, 0) and "sf-soon" in FEW.picture(view, 0)


def test_of_hundreds_of_choices_there_is_only_the_list() -> None:
    view = started(MANY).seen_by(0)
    assert set(paths(MANY, view)) == {()}


def test_buttons_are_only_for_who_may_act() -> None:
    position = started(GRASS, 5)
    for viewer in (1, SPECTATOR):
        view = position.seen_by(viewer)
        assert "choice-" not in GRASS.picture(view, viewer) and GRASS.targets(view, 0) == []
    assert "choice-" not in GRASS.picture(position, 0), "a position is nobody's view"
    bell = started(HATS, 8, 0, 9, 1)
    assert [HATS.targets(bell.seen_by(seat), 9) for seat in (0, 1)] == [["choice-9"], []]


def test_cells_of_a_grid_can_be_tapped_instead() -> None:
    view = started(GRID, 4).seen_by(1)
    picture = GRID.picture(view, 1)
    assert "choice-" not in picture and 'aria-label="2, b: X"' in picture and 'aria-label="1, a: nothing"' in picture
    assert "  2  ·  X  ·" in plain(GRID.text_picture(view, 1)).split("\n")


# Words and pictures.


def test_what_happens_is_told_in_the_notation() -> None:
    voice = Voice(names=["Anna", "Ben"])
    start = started(HATS)
    dealt = started(HATS, 8)
    assert HATS.tell(start.seen_by(0), 8, dealt.seen_by(0), voice) == ["Chance: draw 8."]
    assert HATS.tell(start.seen_by(1), HIDDEN, dealt.seen_by(1), voice) == ["Something happens by chance that you do not see."]
    ready = started(HATS, 8, 0, 9, 1)
    played, rung = started(HATS, 8, 0, 9, 1, 8), ready.copy()
    assert HATS.prompt(ready.seen_by(0), voice) == "Choose what to play."
    assert HATS.prompt(ready.seen_by(1), voice) == "Anna is to play."
    assert HATS.tell(ready.seen_by(1), 8, played.seen_by(1), voice) == ["Anna: play 8.", "+8 Anna"]
    assert HATS.tell(ready.seen_by(1), HIDDEN, ready.seen_by(1), voice) == ["Anna does something that you do not see."]
    rung.points[1] += 1
    assert HATS.tell(ready.seen_by(0), 9, rung.seen_by(0), voice, 1) == ["Ben: play 9.", "+1 Ben"]


@pytest.mark.parametrize(("actions", "said"), [((0, 1, 2), "Anna has won"), ((0, 1), "to play")])
def test_the_result_is_told(actions: tuple[int, ...], said: str) -> None:
    voice = Voice(names=["Anna", "Ben"])
    end = started(FEW, *actions)
    assert said in FEW.prompt(end.seen_by(0), voice)
    told = FEW.tell(started(FEW, *actions[:-1]).seen_by(0), actions[-1], end.seen_by(0), voice)
    assert (said in told[-1]) == (end.to_act == OVER)


def test_a_shared_victory_and_a_game_alone() -> None:
    end = started(FEW, 0, 1, 2, seats=5)
    assert FEW.prompt(end.seen_by(0), Voice()) == "The game is over, and the victory is shared: Player 1, Player 2, Player 3."
    alone = Pastures(1, 5)
    for action in range(3):
        alone.apply(action)
    assert FEW.prompt(alone.seen_by(0), Voice()) == "The game is over with 3 points."


@pytest.mark.parametrize("language", OFFERED)
def test_players_and_points_are_shown_once(language: str) -> None:
    voice = Voice(language=language, names=["Anna", "Ben"])
    view = started(GRID, 4).seen_by(0)
    lines = plain(GRID.text_picture(view, 0, 80, voice)).split("\n")
    assert sum("Anna" in line for line in lines) == 1
    assert GRID.picture(view, 0, "auto", voice).count(">Anna<") == 1


def test_what_a_game_brings_replaces_only_that() -> None:
    class Talking(Grassy):
        def describe(self, view: Position, action: int, voice: Voice) -> str:
            return f"Munch {action + 1}"

    view, voice = started(GRASS, 5).seen_by(0), Voice()
    talking = Talking()
    assert "Munch 3" in talking.picture(view, 0) and talking.prompt(view, voice) == GRASS.prompt(view, voice)
    assert talking.text_picture(view, 0) == GRASS.text_picture(view, 0)


# Files that are not there.


def test_a_game_without_components_has_none_to_change(tmp_path) -> None:
    with pytest.raises(BadComponents, match="no components"):
        GRASS.setup(2, tmp_path / "other.toml")
    setup = GRASS.setup(2, tufts="many")
    with added(GRASS):
        record = read_record(write_record(Record(setup)))
    assert record.setup == setup and record.setup.digest == "none"


def test_without_rules_for_players_that_is_said() -> None:
    texts = {GRASS.help(language) for language in OFFERED}
    assert len(texts) == len(OFFERED) and all(text.startswith("# Small Grass\n") for text in texts)
