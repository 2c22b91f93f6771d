"""Regrouping (SP-20 to SP-26): the worked examples, a slow second implementation, and split flocks of every nasty kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shear_panic_plain as plain
from shear_panic_draw import draw, drawn, flock, landings, new, options, play

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE
from sheepfold.game.conformance import effort
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.notation import DIE_NAMES, members
from sheepfold.games.shear_panic.regrouping import DIAGONALLY, STRAIGHT
from sheepfold.games.shear_panic.rules import GROUP, PLACEMENT, REGROUP_DIE, SQUARE, ShearPanic
from sheepfold.messages import Voice

# Drawn examples. Places are (row, column) from the flock's own top left corner.


def test_corners_do_not_connect() -> None:  # SP-20
    split = flock(
        """
        B Y .
        . . G
        """
    )
    assert split.stage == REGROUP_DIE
    whole = flock(
        """
        B Y .
        . G G
        """
    )
    assert whole.stage == SQUARE


def test_smallest_group_moves() -> None:  # SP-21
    assert members(flock("B Y G . R R").group) == [6, 7]


def test_active_player_chooses_among_equal_groups_before_the_roll() -> None:  # SP-21
    position = flock(
        """
        B . . . G
        Y K R . .
        . . . . Y
        """,
        active="R",
    )
    assert (position.stage, position.to_act) == (GROUP, 3)
    assert options(position) == ["group y2", "group g1"]
    said = {GAME.reason(position.seen_by(3), action, Voice([GAME.folder / "locale"])) for action in position.legal()}
    assert said == {"These come back first; the others then come to a larger flock. Which way, the die decides."}
    play(position, "group g1")
    assert (position.stage, position.to_act) == (REGROUP_DIE, CHANCE)
    assert members(position.group) == [4]


def test_either_of_two_halves_may_move() -> None:  # SP-21
    position = flock(
        """
        B Y . .
        . . G R
        """
    )
    assert options(position) == ["group b1", "group g1"]
    assert draw(play(position, "group r1", "die straight", "place g1 e of y1")) == "B Y G R"


def test_die_is_rolled_even_where_nothing_depends_on_it() -> None:  # SP-21
    position = flock("B Y . . G")
    assert landings(position, STRAIGHT) == landings(position, DIAGONALLY) == {(0, 2)}
    assert (position.stage, options(position)) == (REGROUP_DIE, ["die straight", "die diagonal"])
    assert position.weights() == [3, 3]


def test_group_moves_as_one_rigid_piece() -> None:  # SP-21
    position = flock(
        """
        B Y K . . .
        G Y G . . R
        . . . . . R
        """
    )
    assert draw(play(position, "die straight")) == drawn(
        """
        B Y K .
        G Y G R
        . . . R
        """
    )


TWO_STRAYS = """
    Y . G G R R
    . . . K . .
    B . . . . .
    """


def test_strays_rejoin_the_main_flock() -> None:  # SP-25, SP-21
    position = flock(TWO_STRAYS)
    assert options(position) == ["group b1", "group y1"]
    play(position, "group y1")
    # East the yellow sheep meets the flock; south there is only the other stray.
    assert landings(position, STRAIGHT) == {(0, 1)}
    play(position, "die straight")
    assert (position.stage, members(position.group)) == (REGROUP_DIE, [0])


def test_touching_another_stray_is_enough_by_the_option() -> None:  # SP-25, SP-21
    position = play(flock(TWO_STRAYS, stray_is_enough=True), "group y1")
    # South it meets the other stray, and the two are one group from then on.
    assert landings(position, STRAIGHT) == {(0, 1), (1, 0)}
    play(position, "die straight", "place y1 n of b1")
    assert position.stage == REGROUP_DIE
    assert members(position.group) == [0, 2]


def test_stray_in_the_way_bars_it_and_one_beside_it_does_not() -> None:  # SP-25
    drawing = """
        Y . B . G
        . . . . B
        K Y R R G
        """
    # East the yellow sheep would have to run over the blue one to reach the green one.
    assert landings(play(flock(drawing), "group y1"), STRAIGHT) == {(1, 0)}
    assert landings(play(flock(drawing, stray_is_enough=True), "group y1"), STRAIGHT) == {(0, 1), (1, 0)}
    passing = flock(
        """
        . B . . G G K
        Y . . . R R .
        """
    )
    play(passing, "group y1")
    assert landings(passing, STRAIGHT) == {(1, 3)}  # past the corner and the side of the blue one
    play(passing, "die straight")
    assert (passing.stage, members(passing.group)) == (REGROUP_DIE, [0])


def test_largest_group_is_the_main_flock_and_of_equal_ones_any() -> None:  # SP-25
    drawing = """
        B B . Y . G G
        . . . . . . .
        . . . R . . .
        . . . K . . .
        """
    position = play(flock(drawing), "die straight")
    assert options(position) == ["place y1 e of b2", "place y1 w of g1", "place y1 n of r1"]
    larger = flock(drawing.replace("G G", "G ."))
    assert options(larger) == ["group y1", "group g1"]
    assert landings(play(larger, "group y1"), STRAIGHT) == {(0, 2), (1, 3)}  # not to the other single one


def test_straight_ignores_corners_and_does_not_slide() -> None:  # SP-22
    position = flock(
        """
        A B C
        D . .
        E . .
        . . X
        """,
        lettered=True,
    )
    # West along the bottom row it passes the corner of E and goes on until it stands right below it.
    assert landings(position, STRAIGHT) == {(3, 0), (1, 2)}


def test_slam_isolates_one_sheep_and_either_die_brings_it_back() -> None:  # SP-10, SP-22, SP-23
    position = flock(
        """
        R G B
        G Y R
        B Y K
        """,
        active="Y",
    )
    play(position, "slam 2", "slam y1 ne")
    assert draw(position) == drawn(
        """
        . . . B
        R G Y .
        G . R .
        B Y K .
        """
    )
    assert landings(position, STRAIGHT) == landings(position, DIAGONALLY) == {(0, 2), (1, 3)}


def test_corner_contact_slides_to_either_side() -> None:  # SP-23
    position = flock(
        """
        A B C D E
        F G H . .
        . . . X .
        """,
        lettered=True,
    )
    assert landings(position, DIAGONALLY) == {(1, 3), (2, 2), (1, 4)}
    assert landings(position, STRAIGHT) == {(1, 3), (2, 2)}


BESIDE_THE_WAY = """
    A B . X
    C . . .
    """


def test_only_the_leading_corner_stops_a_diagonal_move() -> None:  # SP-23, SP-24
    position = flock(BESIDE_THE_WAY, lettered=True)
    # North-west X passes above B, south-west below it, each time by a corner that does not lead; so it goes straight.
    assert landings(position, DIAGONALLY) == landings(position, STRAIGHT) == {(0, 2)}
    ahead = flock(
        """
        A B . .
        C . . .
        . . . X
        """,
        lettered=True,
    )
    # North-west it comes to B's corner right ahead, and slides to either side of B.
    assert landings(ahead, DIAGONALLY) == {(0, 2), (1, 1)}


def test_any_corner_stops_it_by_the_option() -> None:  # SP-23
    position = flock(BESIDE_THE_WAY, lettered=True, any_corner=True)
    assert landings(position, DIAGONALLY) == {(0, 2), (-1, 1), (1, 1)}


def test_diagonal_ends_where_it_touches_by_a_side() -> None:  # SP-23
    position = flock(
        """
        A B C D
        E . . .
        . . . .
        . X . .
        """,
        lettered=True,
    )
    # North-west it comes to stand right below E and stays. North-east it gets right below D.
    assert landings(position, DIAGONALLY) == {(2, 0), (1, 3)}


@pytest.mark.parametrize(("any_corner", "places"), [(False, {(0, 4), (1, 3)}), (True, {(0, 4), (1, 3), (2, 2)})])
def test_pair_slides_as_one_piece(any_corner: bool, places: set[tuple[int, int]]) -> None:  # SP-23
    position = flock(
        """
        A B C . .
        D E . X F
        """,
        lettered=True,
        any_corner=any_corner,
    )
    # X touches C by its north-west corner: the pair slides up or left. South-west X passes E's corner, where it may slide below E if any
    # corner stops it. The places are those of F, the sheep that the pair is named by.
    assert landings(position, DIAGONALLY) == places
    play(position, "die diagonal", "place r2 e of g1")
    assert draw(position) == drawn(
        """
        A B C X F
        D E . . .
        """,
        lettered=True,
    )


def test_several_groups_the_long_example() -> None:  # SP-12, SP-21, SP-22, SP-23, SP-24, SP-25
    position = flock(
        """
        K R Y .
        . G B .
        . . R Y
        . G B .
        """,
        active="R",
    )
    play(position, "diagonal 1", "diagonal r2 nw")
    assert draw(position) == drawn(
        """
        K . . . .
        . G R Y .
        . . R B .
        . . . . Y
        . . G B .
        """
    )
    assert options(position) == ["group y2", "group k"]
    play(position, "group k")
    assert landings(position, STRAIGHT) == landings(position, DIAGONALLY) == {(0, 1), (1, 0)}
    play(position, "die diagonal", "place k n of g1")
    assert members(position.group) == [3]
    # The flock's left edge is one further to the right now. Yellow: up, or left, which would join everything at once.
    for die in (STRAIGHT, DIAGONALLY):
        assert landings(position, die) == {(2, 3), (3, 2)}
    play(position, "die straight", "place y2 e of b1")
    assert members(position.group) == [1, 5]
    assert landings(position, DIAGONALLY) == {(3, 1), (3, 3)}  # of its blue sheep
    play(position, "die diagonal", "place b2 s of r2")
    assert draw(position) == drawn(
        """
        . K . . .
        . G R Y .
        . . R B Y
        . G B . .
        """
    )
    assert (position.counter, position.to_act) == (1, 0)


def test_diagonal_without_a_way_goes_straight() -> None:  # SP-24
    position = flock("A B C . . X", lettered=True)
    assert landings(position, DIAGONALLY) == landings(position, STRAIGHT) == {(0, 3)}


def test_straight_without_a_way_goes_diagonally() -> None:  # SP-24
    position = flock(
        """
        A B . .
        . . . .
        . . . X
        """,
        lettered=True,
    )
    assert landings(position, STRAIGHT) == landings(position, DIAGONALLY) == {(0, 2), (1, 1)}


def test_without_any_way_the_nearest_place_counts() -> None:  # SP-24
    position = flock(
        """
        A B . . . . .
        . . . . . . .
        . . . . . . X
        """,
        lettered=True,
    )
    # Beside B and below it are both six steps away, all else is further.
    assert landings(position, STRAIGHT) == landings(position, DIAGONALLY) == {(0, 2), (1, 1)}
    play(position, "die diagonal")
    assert (position.stage, position.to_act) == (PLACEMENT, 0)


def test_single_placement_is_taken_without_asking() -> None:  # SP-24
    position = flock("A B C . . X", lettered=True)
    play(position, "die diagonal")
    assert (position.stage, draw(position)) == (SQUARE, drawn("A B C X", lettered=True))


def test_splits_by_a_panic_slam_are_regrouped_by_the_active_player() -> None:  # SP-26
    position = flock(
        """
        B Y R
        G K Y
        R G B
        """,
        counter=2,
        active="G",
    )
    play(position, "turn 1", "turn left", "die blue", "slam b1 nw")
    assert (position.stage, position.active) == (REGROUP_DIE, 2)
    play(position, "die straight")
    assert (position.stage, position.to_act) == (PLACEMENT, 2)
    play(position, options(position)[0])
    assert (position.stage, position.to_act) == (SQUARE, 3)


def test_every_name_of_a_placement_is_understood() -> None:  # SP-24
    position = flock(
        """
        B Y .
        R . .
        . G .
        """
    )
    play(position, "die diagonal")
    assert options(position) == ["place g1 s of y1", "place g1 s of r1"]
    assert GAME.read(position, "place g1 e of r1") == position.legal()[0]


# Split flocks of every nasty kind, against the slow second implementation.

Place = tuple[int, int]


def nasty(dice: Dice) -> list[Place | None]:
    """Places of two to nine sheep: near, scattered far, in a low band, on one line, or hooks and rings with strays about them."""
    count = 2 + int(dice.below(8))
    kind = dice.below(5)
    tall, wide = ((2 + int(dice.below(6)), 2 + int(dice.below(6))), (40, 40), (3, 7), (1, 30), (5, 5))[kind]
    chosen: list[Place] = []
    if kind == 4:
        ring = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (3, 0), (2, 0), (1, 0)]
        start = int(dice.below(12))
        chosen = [ring[(start + step) % 12] for step in range(min(count - 1, 3 + int(dice.below(5))))]
    while len(chosen) < min(count, tall * wide):
        place = int(dice.below(tall)), int(dice.below(wide))
        if place not in chosen:
            chosen.append(place)
    sheep = list(range(9))
    places: list[Place | None] = [None] * 9
    for place in chosen:
        places[sheep.pop(int(dice.below(len(sheep))))] = place
    return places


def split_flocks(seed: str, many: int, **chosen: bool) -> Iterator[tuple[ShearPanic, Dice]]:
    """Positions with a split flock, before a group is chosen or the die is rolled."""
    dice = Dice(seed)
    position = new(**chosen)
    while many:
        position.arrange(nasty(dice))
        if position.stage != SQUARE:
            many -= 1
            yield position, dice


@pytest.mark.parametrize("any_corner", [False, True])
@pytest.mark.parametrize("stray_is_enough", [False, True])
def test_agrees_with_the_slow_implementation(any_corner: bool, stray_is_enough: bool) -> None:  # SP-20 to SP-25
    for position, dice in split_flocks("slow", effort(2_000), any_corner=any_corner, stray_is_enough=stray_is_enough):
        places = position.places()
        everybody = {place for place in places if place}
        groups = plain.groups(everybody)
        least = min(map(len, groups))
        smallest = [group for group in groups if len(group) == least]
        assert (position.stage == GROUP) == (len(smallest) > 1)
        if position.stage == GROUP:
            assert len(position.legal()) == len(smallest)
            position.advance(position.random_action(dice))
        group = {place for sheep in members(position.group) if (place := places[sheep])}
        assert group in smallest
        die = int(dice.below(2))
        found = {position.moved_by(name) for name in position.placements(die)}
        expected = plain.placements(group, everybody, DIE_NAMES[die], any_corner, stray_is_enough)
        assert found == expected, f"{draw(position)}\n{sorted(group)}, die {die}: {sorted(found)}, slowly {sorted(expected)}"


@pytest.mark.parametrize("stray_is_enough", [False, True])
def test_regrouping_always_ends(stray_is_enough: bool) -> None:  # SP-25
    for position, dice in split_flocks("ends", effort(2_000), stray_is_enough=stray_is_enough):
        rest = len(plain.groups({place for place in position.places() if place}))
        sheep = sum(place is not None for place in position.places())
        while position.stage != SQUARE:
            before = position.stage
            position.advance(position.random_action(dice))
            places = {place for place in position.places() if place}
            assert len(places) == sheep
            groups = len(plain.groups(places))
            moved = before == PLACEMENT or (before == REGROUP_DIE and position.stage != PLACEMENT)
            assert groups < rest if moved else groups == rest
            rest = groups
        assert rest == 1
