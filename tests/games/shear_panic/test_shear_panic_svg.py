"""Shear Panic in the browser: wool keeps its id, the view follows the flock, and what is chosen can be hit."""

from __future__ import annotations

import re

import pytest
from shear_panic_draw import flock, play

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.rules import PLACEMENT, SHEARER, ShearPanic
from sheepfold.messages import Voice

WHERE = re.compile(r'id="(sheep-\w+)"[^>]*?translate\(([-\d.]+)px,([-\d.]+)px\)')
VIEW = re.compile(r'class="sf-view" style="transform:translate\(([-\d.]+)px,([-\d.]+)px\) scale\(([\d.]+)\)')


def shown(position: ShearPanic, seat: int = 0, language: str = "en") -> str:
    return GAME.picture(position.seen_by(seat), seat, "auto", Voice([GAME.folder / "locale"], language))


def sheep(picture: str) -> dict[str, tuple[float, float]]:
    return {name: (float(x), float(y)) for name, x, y in WHERE.findall(picture)}


def paths(position: ShearPanic) -> dict[str, list[str]]:
    return {GAME.write(position, action): GAME.targets(position, action) for action in position.legal()}


START = """
    Y B R
    G K Y
    B R G
"""


def test_wool_keeps_its_id_when_the_numbers_of_a_colour_change() -> None:
    position = flock(
        """
        . B K
        B R .
        """
    )
    before = sheep(shown(position))
    play(position, "slam 2", "slam b2 n")
    after = sheep(shown(position))
    assert position.piece(0) == 1  # b2 has gone past b1 and is called b1 now
    assert after["sheep-b2"][1] == after["sheep-b1"][1]
    assert after["sheep-b2"][0] < after["sheep-b1"][0]
    assert before["sheep-b2"][1] > before["sheep-b1"][1]


def test_the_view_follows_the_flock_and_places_are_large() -> None:
    position = flock(START)
    for squares in (), ("line 1", "line b2 w"), ("diagonal 3", "diagonal y1 nw"):
        if squares:
            play(position, *squares)
        picture = shown(position)
        places = sheep(picture)
        left, top, zoom = (float(number) for number in VIEW.findall(picture)[0])
        xs, ys = [left + x * zoom for x, _ in places.values()], [top + y * zoom for _, y in places.values()]
        assert (min(xs) + max(xs)) / 2 == pytest.approx(360, abs=0.2)
        assert (min(ys) + max(ys)) / 2 == pytest.approx(360, abs=0.2)
        assert zoom == 0.92


def test_only_sheep_that_have_moved_change_their_places() -> None:
    position = flock(START)
    before = sheep(shown(position))
    play(position, "line 1", "line g2 w")  # the flock's left column is a new one now
    after = sheep(shown(position))
    assert {name for name in before if before[name] != after[name]} == {"sheep-b2", "sheep-r2", "sheep-g2"}


def test_a_step_is_spelt_by_the_sheep_and_where_it_goes() -> None:
    position = flock(START, active="Y")
    assert paths(position)["slam 2"] == ["square-1"]
    play(position, "slam 2")
    spelt = paths(position)
    assert spelt["slam y1 n"] == ["sheep-y1", "place--1-0"]
    assert spelt["slam y1 e"] == ["sheep-y1", "sheep-b1"]
    position = flock(START, active="Y")
    play(position, "leap 2")
    assert paths(position)["leap y1 e"] == ["sheep-y1", "place-0-3"]


def test_an_alignment_is_spelt_by_a_side_and_a_turn_that_is_banned_is_a_ghost() -> None:
    position = flock(START)
    play(position, "align 2")
    assert paths(position)["align e"] == ["align-e"]
    position = flock(START)
    play(position, "turn 1", "turn left", "turn 1")
    picture = shown(position, int(position.to_act))
    assert re.search(r'id="turn-right" class="sf-piece ghost"', picture)
    assert re.search(r'id="turn-left" class="sf-piece"', picture)


def test_a_group_goes_where_its_ghost_is() -> None:
    position = flock(
        """
        B Y G R K
        B Y G . .
        . . . R .
        """
    )
    while position.stage != PLACEMENT:
        position.advance(position.random_action(Dice("x")))
    spots = [GAME.targets(position, action)[0] for action in position.legal()]
    assert sorted(spots) in (["rejoin-1-3", "rejoin-2-2"], ["rejoin-1-3", "rejoin-1-4", "rejoin-2-2"])
    assert 'class="sf-peek"' in shown(position)


def test_ghosts_of_a_large_group_do_not_stand_on_one_another() -> None:
    position = flock(
        """
        G G R B .
        . K . . .
        . . Y Y B
        . . R . .
        """
    )
    play(position, "die diagonal")
    picture = shown(position, int(position.to_act))
    group = re.findall(r'class="sf-dashed" x="([-\d.]+)" y="([-\d.]+)"', picture)
    seen = re.findall(r'</g><g class="sf-peek">\s*<g[^>]*?translate\(([-\d.]+)px,([-\d.]+)px\)', picture)
    assert 'class="sf-peek sf-later"' in picture and len(group) == 4
    assert len(set(seen)) == len(seen) == len(position.legal()), "one of each, so that one sees where they would go"
    assert not {(float(x), float(y)) for x, y in seen} & {(float(x) + 48, float(y) + 48) for x, y in group}


@pytest.mark.parametrize(("counter", "shown_rows"), [(36, ["4", "3", "2", "1"]), (24, []), (30, [])])
def test_what_scored_in_a_pen_is_seen_for_a_moment(counter: int, shown_rows: list[str]) -> None:
    """Roger leaves as soon as the pen has been scored (SP-32), and the points of the rows with him."""
    before = play(flock("B B\nY Y\nK G\nR .", 4, "w", counter), "turn 1")
    after = play(before.copy(), "turn right")
    passing = GAME.passing(before.seen_by(0), 0, after.seen_by(0))
    assert re.findall(r'href="#sf-d(\d)"', passing) == shown_rows
    assert ("roger" in passing) == bool(shown_rows)
    assert ' id="' not in passing, "nothing on the page may be mistaken for it"


def test_covered_squares_and_shorn_sheep() -> None:
    position = flock(
        """
        R B K
        Y . G
        R . Y
        """,
        counter=60,
        active="B",
    )
    assert position.guest() == SHEARER
    assert 'id="shearer"' in shown(position)
    assert shown(position).count('<circle class="sf-bow"') == 1  # the row that would be shorn
    assert '<circle class="sf-bow"' not in shown(flock(START, counter=20))  # Roger shears nobody
    play(position, "line 3", "line r2 n")
    picture = shown(position)
    assert picture.count(", covered") == 1
    shorn = re.findall(r'id="(shorn-\w+)"[^>]*aria-label="([^"]+), shorn"', picture)
    assert shorn == [("shorn-b2", "blue b2"), ("shorn-g2", "green g2"), ("shorn-r1", "red r1")]  # a piece keeps its number


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pictures_stay_light_in_both_languages_and_a_spectator_has_no_menu(seats: int) -> None:
    dice, position = Dice("light"), GAME.setup(seats).start()
    assert isinstance(position, ShearPanic)
    ply = 0
    while position.to_act != OVER:
        position.advance(position.random_action(dice))
        ply += 1
        if position.to_act != CHANCE and ply % 9 == 0:
            for language in ("en", "fr"):
                assert len(shown(position, ply % seats, language)) < 75_000
            assert 'data-part="hand"' not in shown(position, SPECTATOR)
