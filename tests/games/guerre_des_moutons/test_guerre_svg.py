"""La Guerre des Moutons in the browser: the tap paths, fences and threats, and that a picture tells no secret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guerre_table import play, table

from sheepfold import art
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.conformance import cases, faults
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.land import areas_of_face
from sheepfold.games.guerre_des_moutons.narration import sides_of
from sheepfold.games.guerre_des_moutons.notation import letters
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.svg_board import MOTIFS
from sheepfold.games.guerre_des_moutons.text_board import centre, tile_lines
from sheepfold.games.guerre_des_moutons.tiles import Tiles
from sheepfold.messages import Voice
from sheepfold.web.scenes import without_kit


def shown(position: GuerreDesMoutons, seat: int, language: str = "en") -> str:
    return GAME.picture(position.seen_by(seat), seat, "auto", Voice([GAME.folder / "locale"], language))


def paths(position: GuerreDesMoutons, seat: int | None = None) -> dict[str, list[str]]:
    actions = position.legal() if seat is None else position.interruptions(seat)
    return {GAME.write(position, action): GAME.targets(position, action) for action in actions}


def test_a_place_is_enough_where_one_rotation_fits_else_the_rotation_is_asked() -> None:
    position = table("O", hands=("vryk|bbbb vvrb|kkkk", ""))
    assert paths(position)["vryk"] == ["face-vryk"]
    play(position, "1 vryk")
    assert paths(position)["n1 ykvr"] == ["place-n1"]
    assert 'class="sf-wait"' not in shown(position, 0)
    position = table("O", hands=("vryk|bbbb vvrb|kkkk", ""))
    play(position, "1 vvrb")
    assert paths(position)["n1 rbvv"] == ["place-n1", "place-n1-2"]
    assert paths(position)["n1 bvvr"] == ["place-n1", "place-n1-1"]
    assert re.search(r'id="place-n1-2" class="sf-wait"', shown(position, 0))
    assert "place-n1" not in shown(position, 1)  # only who lays it is asked


def test_retiring_is_asked_twice_and_passing_once() -> None:
    position = table("O", hands=("rryk|bbbb", "rryb|kkkk"))
    assert paths(position) == {"pass": ["pass"], "retire": ["retire", "retire-sure"]}
    assert re.search(r'id="retire-sure" class="sf-piece sf-wait"[^>]*aria-label="Yes, retire: \+6"', shown(position, 0))
    assert 'id="retire"' not in shown(position, 1)


def test_a_hunter_is_laid_on_a_wolf_by_tapping_it_and_interruptions_use_the_same_things() -> None:
    position = table("O krfv kbyr\n. Wk .", hands=("Hb vvvv|kkkk", "Wr Hy"), turn=2)
    assert paths(position, 0)["hunter-b"] == ["face-hunter-b"]
    assert 'id="face-hunter-b"' in shown(position, 0)
    play(position, "1! hunter-b")
    assert paths(position)["on s1e1"] == ["tile-s1e1"]


def test_a_closed_pen_is_fenced_and_counted_and_a_wolf_is_shown_over_it() -> None:
    open_pen = shown(table("O krbv", hands=("", "")), 0)
    assert 'class="sf-penned"' not in open_pen
    closed = shown(table("O krbv kbyr", hands=("", "")), 0)
    assert closed.count('class="sf-penned"') == 1
    assert re.search(r'class="sf-penned" pathLength="1" d="M100 0l50 -50M100 0l50 50M200 0l-50 50M200 0l-50 -50"', closed)
    assert 'class="sf-prey"' not in closed
    threatened = shown(table("O krfv kbyr\n. Wk .", hands=("", "")), 0)
    assert 'class="sf-prey"' in threatened


def test_my_colour_is_drawn_for_me_alone_until_i_reveal_it() -> None:
    position = table("O", hands=("rryk|bbbb", "rryb|kkkk"), colours="ry")
    assert 'id="question-r"' in shown(position, 0)
    for viewer in (1, SPECTATOR):
        assert "question-r" not in shown(position, viewer)
        others = shown(position, viewer).partition('data-part="others"')[2]
        assert "Player 1" in others
        assert "red" not in others
    assert 'id="face-rryk"' not in shown(position, 1)


def test_no_picture_tells_a_secret() -> None:
    """Two worlds that look the same to a seat are drawn the same for it."""
    for case in cases(GAME, 3):
        assert not faults(case, "pictures", ["pictures_hide"])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pictures_stay_light_and_a_spectator_has_no_hand(seats: int) -> None:
    dice, position, ply = Dice("light"), GAME.setup(seats).start(), 0
    while position.to_act != OVER:
        position.advance(position.random_action(dice))
        ply += 1
        if ply % 23 == 0 and position.to_act != CHANCE:
            assert len(without_kit(shown(position, max(int(position.to_act), 0), "fr"))) < 70_000
            assert "face-" not in shown(position, SPECTATOR)
            assert "question-" not in shown(position, SPECTATOR)
    assert len(without_kit(shown(position, 0))) < 70_000


def printed(face: str) -> Tiles:
    """Tiles with that face on the front of the first one; else neighbours are joined, and there is a sheep a side."""
    box = (Path(__file__).parents[2] / "boxes" / "guerre-des-moutons.toml").read_text(encoding="utf-8")
    box = box.replace("a-side = 2", "a-side = 1").replace('"opposite"', '"neighbours"').replace('"kkyk fyyb"', f'"{face} fyyb"')
    tiles = GAME.setup(2, EnteredFile("box.toml", box)).components.tiles
    assert isinstance(tiles, Tiles)
    return tiles


@pytest.mark.parametrize(
    ("face", "drawing", "lambs", "fences", "words"),
    [
        ("kkyr", r"\kkkk rrkkk /yyy\ ", 4, "nw se sw", "black, black, yellow, red"),
        ("kykr", r"\kkk/ rrXyy /kkk\ ", 4, "ne nw se sw", "black, yellow, black, red"),
        ("kykr(13)", r"\kkk/ rrkyy /kkk\ ", 4, "ne-ns nw-ns se-ns sw-ns", "black, yellow, black, red (pens: black 2, yellow 1, red 1)"),
        ("ykrk(24:3)", r"\yyy/ kkk2k /rrr\ ", 5, "ne-ew nw-ew se-ew sw-ew", "yellow, black, red, black (pens: yellow 1, black 3, red 1)"),
        ("kkyr(1,2)", r"\kkk/ rrXkk /yyy\ ", 4, "ne nw se sw", "black, black, yellow, red (pens: black 1, black 1, yellow 1, red 1)"),
        ("kkyr(12:5,3:0)", r"\k3kk rrk2k /y0y\ ", 6, "nw se sw", "black, black, yellow, red (pens: black 5, yellow 0, red 1)"),
        ("fyfr(13,2:9)", r"\fff/ rrf9y /fff\ ", 10, "ne-ns nw-ns se-ns sw-ns", "forest, yellow, forest, red (pens: yellow 9, red 1)"),
    ],
)
def test_landscapes_are_drawn_as_the_box_has_them(face: str, drawing: str, lambs: int, fences: str, words: str) -> None:  # GM-43
    tiles = printed(face)
    sides, areas = letters(tiles)[0], areas_of_face(tiles, 0, 0)
    assert tile_lines(sides, centre(sides, 0, areas), True, areas) == drawing.split()
    drawn = art.landscape([MOTIFS[letter] for letter in sides], "", areas)
    assert sorted(re.findall(r'#sf-hurdle-([a-z-]+)"', drawn)) == fences.split()
    assert drawn.count("#sf-lamb-") == lambs
    assert sides_of(tiles, 0, 0, Voice([GAME.folder / "locale"])) == words


def test_a_tile_that_is_turned_turns_its_areas() -> None:  # GM-43
    found = areas_of_face(printed("kykr(13:3)"), 0, 1)
    assert found is not None
    assert (found.of, found.sheep, found.bend) == ((2, 0, 1, 0), (1, 2, 1, 1), "ew")


def test_the_fence_of_a_pen_goes_round_what_goes_across() -> None:  # GM-43
    assert art.fence_run(1) == [(50, -50), (0, 0)]
    assert art.fence_run(1, "ns") == [(50, -50), (12, -12), (12, 0)]
    assert art.side_shape(0) == "M0 0L-50-50L50-50z"
    assert art.side_shape(0, "ns", 100, 0) == "M88 0L88-12L50-50L150-50L112-12L112 0z"
