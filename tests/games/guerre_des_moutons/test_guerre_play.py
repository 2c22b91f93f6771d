"""La Guerre des Moutons played at random, against recounts from the table alone; and lines out of turn against lines in strict turns."""

from __future__ import annotations

import pytest
from guerre_table import fitting, kept, play, recount, table

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.core.sequential import Sequential, sequential
from sheepfold.game.conformance import effort
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.actions import ACTIONS, LAY, LAY_SPECIAL, PLACE
from sheepfold.games.guerre_des_moutons.map import PLACES, place_cell
from sheepfold.games.guerre_des_moutons.notation import cell_of, letters, numbered, turned
from sheepfold.games.guerre_des_moutons.tiles import SHEPHERDS

SETUPS = [(2, False), (3, False), (4, False), (2, True)]


def happen_at_random(position, dice):
    """One event; now and then out of turn, where somebody can."""
    if position.interruptible and dice.below(4) == 0:
        seat = int(dice.below(position.seats))
        actions = position.interruptions(seat)
        if actions:
            position.cut_in(seat, actions[dice.below(len(actions))])
            return
    position.advance(position.random_action(dice))


@pytest.mark.parametrize(("seats", "two_colours"), SETUPS)
def test_pens_and_forests_are_those_of_a_recount(seats, two_colours):  # GM-11, GM-15, GM-17
    for game in range(max(1, effort(16))):
        position, dice = GAME.setup(seats, two_colours=two_colours).start(), Dice(f"recount {seats} {game}")
        laid = 0
        while position.to_act != OVER:
            happen_at_random(position, dice)
            if (len(position.map.laid_face), position.map.wolves_out) != laid:
                laid = (len(position.map.laid_face), position.map.wolves_out)
                assert kept(position) == recount(position)
                counting = [(pen >> 2, pen & 3) for pen in map(int, position.map.counting())]
                assert sorted(counting) == sorted((int(pen.area), int(pen.colour)) for pen in position.map.pens() if pen.counts())


def test_a_random_place_is_drawn_as_from_the_list():
    position, dice = GAME.setup(2).start(), Dice("anywhere")
    drawn = 0
    while position.to_act != OVER:
        if LAY <= position.stage <= LAY_SPECIAL:
            legal, one, other = position.legal(), Dice(drawn), Dice(drawn)
            assert position.random_action(one) == legal[other.below(len(legal))] and one.word() == other.word()
            drawn += 1
        position.advance(position.random_action(dice))
    assert drawn > 20


@pytest.mark.parametrize(("seats", "two_colours"), SETUPS)
def test_what_is_offered_is_what_fits(seats, two_colours):  # GM-4, GM-5, GM-12, GM-13
    """Faces and places from the tables against trying every rotation beside every laid tile."""
    for game in range(max(1, effort(8))):
        position, dice = GAME.setup(seats, two_colours=two_colours).start(), Dice(f"offers {seats} {game}")
        while position.to_act != OVER:
            happen_at_random(position, dice)
            if position.to_act < 0:
                continue
            offered = position.legal()
            if LAY <= position.stage <= LAY_SPECIAL:
                sides = letters(position.tiles)[position.chosen]
                found = {(cell_of(position, a), turned(sides, (a - PLACE) % 4) if a >= PLACE else "on") for a in offered}
                assert found == fitting(position, int(position.chosen)) and len(found) == len(offered)
                assert all(position.allows(action) == (action in offered) for action in range(ACTIONS))
            elif dice.below(4) == 0:
                held = int(position.hand[position.to_act]) + (int(position.specials[position.to_act]) << 60)
                for face in [2 * tile + back for tile in range(68) if held >> tile & 1 for back in (0, 1)]:
                    if face % 2 or face < 120 or position.stage != 9:
                        fits = bool(fitting(position, face))
                        special = face >= 120 and face % 2 == 1
                        assert (face in offered) == (fits and (position.stage != 9 or special))


@pytest.mark.parametrize(("seats", "two_colours"), SETUPS)
@pytest.mark.parametrize("wrapped", [False, True])
def test_random_games_end_and_lose_no_tile(seats, two_colours, wrapped):  # GM-1, GM-19, GM-21
    """A long run of this (20,000 games of each kind) is in the notes of the game; here are some."""
    for game in range(effort(240)):
        position = GAME.setup(seats, two_colours=two_colours).start()
        position = Sequential(position) if wrapped else position
        dice, census, plies = Dice(f"games {seats} {game}"), position.census(), 0
        while position.to_act != OVER:
            happen_at_random(position, dice)
            plies += 1
            assert position.census() == census
            if plies % 16 == 0:
                assert all(position.seen_by(viewer).census() == census for viewer in (*range(seats), SPECTATOR))
        inner = position.inner if wrapped else position
        assert plies <= position.ply_bound and len(inner.map.places) <= PLACES + 2
        finished = sorted(int(place) for place in inner.finish if place)
        assert finished == list(range(1, len(finished) + 1))


def test_no_more_open_places_than_actions():
    """The worst landscape has a tile in every second row and column of a staircase: 2 n + 2 places for n tiles, 146 for 72."""
    position = GAME.setup(2).start()
    for step in range(71):
        cell = max(position.map.laid_cell)
        wanted = cell + 1 if step % 2 else cell + 149
        rank = [place_cell(place) for place in position.map.places].index(wanted)
        position.map.put(rank, SHEPHERDS, 0)
        assert len(position.map.places) <= 2 * (step + 2) + 2
    assert len(position.map.laid_cell) == 72 and len(position.map.places) <= PLACES
    straight = GAME.setup(2).start()
    for _ in range(71):
        rank = [place_cell(place) for place in straight.map.places].index(max(straight.map.laid_cell) + 1)
        straight.map.put(rank, SHEPHERDS, 0)
    assert len(straight.map.places) == PLACES


def test_a_copy_is_small():
    position, dice = GAME.setup(4).start(), Dice("half way")
    while len(position.map.laid_face) < 36:
        happen_at_random(position, dice)
        assert position.to_act != OVER
    eight_bytes = [position.map.laid, position.map.tally, position.map.places]
    two_bytes = [position.map.parent, position.map.closed]
    size = 8 * sum(map(len, eight_bytes)) + 2 * sum(map(len, two_bytes)) + 25 * 8 + 7 * 4 * 8
    assert size < 3000


# Out of turn and in strict turns.

QUICK = [
    ("O rfkv", ("vkkk", "Wr Hb"), "bbbb bbbk bbby", "kr"),
    ("O kfkv Wk", ("Hb vkkk", "Hr"), "bbby bbbr", "ky"),
    ("O rfkv", ("Wb", "Wr", "Hb"), "kkkk", "rky"),
    ("O bfrv", ("vkkk rrrk", "Wr"), "yyyy", "kr"),
]


@pytest.mark.parametrize(("drawing", "hands", "bag", "colours"), QUICK)
def test_strict_turns_reach_the_same_lines_as_interruptions(drawing, hands, bag, colours):  # GM-8, GM-9, GM-10
    """Every line of five events that can happen with interruptions can happen with everybody asked in turn, and the other way round."""
    depth = 5
    position = table(drawing, hands, bag, colours)
    plain, asked = set(), set()

    def interrupted(here, line):
        plain.add(line)
        if len(line) == depth or here.to_act == OVER:
            return
        events = [(int(here.to_act), action, False) for action in here.legal()]
        events += [(seat, action, True) for seat in range(here.seats) for action in here.interruptions(seat)]
        for who, action, out_of_turn in events:
            following = here.copy()
            following.interrupt(who, action) if out_of_turn else following.apply(action)
            interrupted(following, (*line, (who, action, out_of_turn)))

    def in_turns(here, line):
        asked.add(line)
        if len(line) == depth or here.to_act == OVER:
            return
        for action in here.legal():
            following = here.copy()
            following.apply(action)
            event = () if action == here.pass_action else ((int(here.to_act), action, here.asking()),)
            in_turns(following, line + event)

    interrupted(position.copy(), ())
    in_turns(sequential(position.copy()), ())
    assert plain == asked
    assert any(event[2] for line in plain for event in line)


def test_the_others_are_asked_clockwise_then_the_seat_to_act():  # GM-10
    position = sequential(table("O rfkv", ("vkkk Wk", "Wr", "Hb"), "kkkk", "kyb", turn=2))
    order = []
    for _ in range(3):
        order.append(int(position.to_act))
        if position.asking():
            position.apply(position.pass_action)
    assert order == [2, 0, 1] and not position.asking()


def test_being_asked_tells_nothing():  # GM-10, GM-30
    """Who may interrupt is public: the same whatever is in the hand."""
    wolf = table("O kfkv", ("vkkk", "Wr"), "bbbb", "ry")
    none = table("O kfkv", ("vkkk", "bbbb"), "Wr", "ry")
    assert wolf.may_interrupt(1) and none.may_interrupt(1)
    assert wolf.interruptions(1) and not none.interruptions(1)


# Notation, words, pictures.


def test_numbers_on_the_map_can_be_typed():
    position = table("O vrvv", ("rrrk vkkk", "vyyy"), "bbbb")
    play(position, "1 rrrk")
    places = numbered(position)
    assert list(places) == [cell_of(position, position.legal()[0])]
    assert [GAME.read(position, f"1{letter}") for letter in "abc"] == position.legal()
    for text, message in (("1", "turned several ways"), ("2", "its places are 1 to 1"), ("1d", "not possible here")):
        with pytest.raises(ValueError, match=message):
            GAME.read(position, text)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_pictures_fit_the_columns(width):
    from sheepfold.ansi import plain

    for seed in range(max(2, effort(8))):
        position, dice = GAME.setup(4).start(), Dice(f"wide {seed}")
        while position.to_act != OVER:
            happen_at_random(position, dice)
            if len(position.map.laid_face) % 12 == 0:
                text = plain(GAME.text_picture(position.seen_by(0), 0, width))
                assert max(len(line.rstrip()) for line in text.split("\n\n")[0].split("\n")) <= width


def test_a_drawn_landscape():
    from sheepfold.ansi import plain

    position = table("O rffv Wk", ("vkkk", "vyyy"), "bbbb")
    lines = plain(GAME.text_picture(position.seen_by(0), 0, 80)).split("\n")[:4]
    assert [line.rstrip() for line in lines] == [
        "      0     e1    e2",
        "    vvvvv \\rrr/ fffff",
        "0   vvOvv vvfff ffWff",
        "    vvvvv /ffff fffff",
    ]
