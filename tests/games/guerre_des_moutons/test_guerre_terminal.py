"""La Guerre des Moutons on terminals that are too short for the landscape: what is drawn of it is right, and what is not is named."""

from __future__ import annotations

import re

import pytest

from sheepfold.ansi import plain, width
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.notation import is_where, labels, letters, numbered, turned
from sheepfold.games.guerre_des_moutons.text_board import MARGIN, small_landscape
from sheepfold.messages import Voice


def games(seed, least):
    """The views of whoever is to act, along a game that is played at random, once the landscape has grown."""
    position, dice = GAME.setup(4).start(), Dice(seed)
    while position.to_act != OVER:
        if position.to_act >= 0 and len(position.map.laid) >= least:
            yield position.seen_by(int(position.to_act))
        position.advance(position.random_action(dice))


def name_of(cell):
    """What stands at the head of its row and of its column."""
    away = cell // WIDTH - MIDDLE // WIDTH, cell % WIDTH - MIDDLE % WIDTH
    return tuple(f"{ways[steps > 0]}{abs(steps)}" if steps else "0" for steps, ways in zip(away, ("ns", "we"), strict=True))


@pytest.mark.parametrize(("columns", "height"), [(80, 9), (80, 13), (60, 20), (120, 30)])
def test_an_excerpt_fits(columns, height):
    voice = Voice([GAME.folder / "locale"], "de", ["Anna", "Ben", "Carla", "Dora"])
    met = 0
    for view in games("short", 12):
        lines = GAME.text_excerpt(view, int(view.viewer), columns, height, voice).split("\n")
        assert len(lines) <= height and max(map(width, lines)) <= columns
        met += len(GAME.text_picture(view, int(view.viewer), columns, voice).split("\n")) > height
    assert met > 10


def test_tiles_share_the_sides_between_them():
    """Read back from the drawing: every side of every tile that is drawn, where heads of rows and columns say that it is."""
    seen = 0
    for view in games("shared", 20):
        head, *lines = [plain(line).ljust(100) for line in small_landscape(view, 80, 60, ())]
        columns = {found[0]: found.start() for found in re.finditer(r"\S+", head)}
        rows = {line[:MARGIN].strip(): number for number, line in enumerate(lines) if line[:MARGIN].strip()}
        for cell, face, turn in zip(view.map.laid_cell, view.map.laid_face, view.map.laid_turn, strict=True):
            row, column = name_of(int(cell))
            y, x = rows[row], columns[column] + (len(column) == 3)
            sides = turned(letters(view.tiles)[int(face)], int(turn))
            assert (lines[y - 1][x], lines[y][x + 2], lines[y + 1][x], lines[y][x - 2]) == tuple(sides)
            seen += 1
    assert seen > 500


def test_numbers_are_on_the_map_or_named_beyond_it():
    met = 0
    for view in games("beyond", 16):
        if not is_where(view):
            continue
        drawn = plain("\n".join(small_landscape(view, 80, 11, ())))
        found = {
            number
            for first, last in re.findall(r"(?<![nsew\d-])(\d+)(?:-(\d+))?", drawn)
            for number in range(int(first), int(last or first) + 1)
        }
        assert found >= set(range(1, len(numbered(view)) + 1))
        met += "(" in drawn
    assert met


def test_the_map_follows_what_is_listed():
    """Turning to the last choices of a long list moves the map to where they are."""
    met = 0
    for view in games("listed", 24):
        if not is_where(view):
            continue
        last = max(view.legal(), key=lambda action: int(labels(view)[action].rstrip("abcd")))
        on_map = plain("\n".join(small_landscape(view, 80, 9, [last]))).split("\n↑")[0]
        assert re.search(rf"(?<!\w){len(numbered(view))}(?!\d)", re.sub(r"\b[nsew]\d+", "", on_map))
        met += "↑" in plain("\n".join(small_landscape(view, 80, 9, [last])))
    assert met
