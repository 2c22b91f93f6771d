"""The rules of La Guerre des Moutons, one by one; rules are cited by their number in docs/rules/guerre-des-moutons.md."""

from __future__ import annotations

import re

import pytest
from guerre_table import draw_all, kept, legal, play, table

from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadComponents, BadOption
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, HiddenInformation, IllegalAction, let_chance_happen
from sheepfold.games.guerre_des_moutons import GAME, make_tiles
from sheepfold.games.guerre_des_moutons.actions import CONTENT, EXTRA, MORE, TURN
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH, place_cell
from sheepfold.games.guerre_des_moutons.narration import results
from sheepfold.games.guerre_des_moutons.notation import letters, names
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import LANDSCAPES, SHEPHERDS, areas_of
from sheepfold.messages import Voice

BLACK, YELLOW, RED, BLUE = range(4)


def pens(position, colour):
    """The pens of a colour as (sheep, closed, threatened), largest first."""
    found = [(int(pen.sheep), pen.open_sides == 0, bool(pen.threatened)) for pen in position.map.pens() if pen.colour == colour]
    return sorted(found, reverse=True)


# Components and set-up.


def test_the_box():  # GM-1
    faces = letters(GAME.components.tiles)
    assert faces[SHEPHERDS:] == ["kkkk", "yyyy", "rrrr", "bbbb", "vvvv"]
    assert sum(face == "ffff" for face in faces) == 8
    position = GAME.setup(4).start()
    assert position.census()[:4] == (60, 4, 4, 68)
    assert list(position.map.laid_face) == [140] and position.in_bag == 68


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setting_up(seats):  # GM-2
    position = GAME.setup(seats).start()
    while position.to_act == CHANCE:
        owner = position.actor
        outcome = int(position.random_action(Dice(seats).split(position.in_bag, position.dealt)))
        assert [position.sees(viewer, outcome) for viewer in range(seats)] == [viewer == owner for viewer in range(seats)]
        assert not position.sees(SPECTATOR, outcome)
        position.apply(outcome)
    assert list(position.held) == [4] * seats and position.in_bag == 68 - 4 * seats
    assert len({int(colour) for colour in position.colours}) == seats
    assert list(position.seen_by(SPECTATOR).colours) == [0] * seats
    assert position.to_act == 0


@pytest.mark.parametrize(("seats", "first"), [(2, 2), (3, 3), (4, 2), (4, 4)])
def test_a_chosen_seat_begins(seats, first):  # GM-2
    position = GAME.setup(seats, first_player=first).start()
    let_chance_happen(position, Dice(first))
    assert position.to_act == first - 1 and list(position.held) == [4] * seats


def test_a_seat_that_nobody_has_cannot_begin():  # GM-2
    with pytest.raises(BadOption, match="first-player with 2 players is 1, 2 or drawn, not 3"):
        GAME.setup(2, first_player=3)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_begins_is_drawn_for_all_to_see(seats):  # GM-2
    start = GAME.setup(seats, first_player="drawn").start()
    assert start.to_act == CHANCE and legal(start) == [f"first {seat}" for seat in range(1, seats + 1)]
    assert start.weights() == [1] * seats and start.sees(SPECTATOR, 0) and start.seen_by(SPECTATOR).legal() == start.legal()
    for seat in range(seats):
        position = play(start.copy(), f"chance first {seat + 1}")
        assert legal(position)[0] == "colour k" and not position.sees(SPECTATOR, position.legal()[0])  # dealing as ever, secretly
        let_chance_happen(position, Dice(seat))
        assert position.to_act == seat
    voice = Voice([GAME.folder / "locale"], "en", ["Anna", "Ben", "Cleo", "Dan"])
    after = play(start.copy(), "chance first 2")
    assert GAME.tell(start.seen_by(0), 1, after.seen_by(0), voice) == ["Ben begins."]
    assert GAME.prompt(start.seen_by(0), voice) == "It is drawn who begins."


def test_turns_go_clockwise():  # GM-2
    position = table("O", ("vkkk", "vkky", "vkkr"), bag="vyyy vyyk vyyr vyyb")
    for seat in (1, 2, 3, 1):
        assert position.to_act == seat - 1
        position.apply(position.legal()[0])
        position.apply(position.legal()[0])
        draw_all(position)


def test_areas_of_a_face():  # GM-3, GM-40
    assert areas_of([4, 4, 5, 5]) == [0, 0, 1, 1]
    assert areas_of([4, 5, 4, 3]) == [0, 1, 2, 3]
    assert areas_of([4, 4, 3, 4]) == [1, 1, 0, 1] or areas_of([4, 4, 3, 4]) == [0, 0, 1, 0]
    assert areas_of([0, 1, 1, 0]) == [-1, 0, 0, -1]
    assert areas_of([2, 2, 2, 2]) == [0, 0, 0, 0]


def test_no_tile_has_both_forest_and_village():  # GM-3, GM-42
    faces = letters(GAME.components.tiles)
    for tile in range(LANDSCAPES):
        both = faces[tile * 2] + faces[tile * 2 + 1]
        assert not ("v" in both and "f" in both)


def test_opposite_sides_of_a_motif_are_two_areas():  # GM-40
    position = table("O rbrv")
    assert pens(position, RED) == [(1, False, False), (1, False, False)]


def test_herds_are_behind_wolves_and_hunters():  # GM-41
    faces = letters(GAME.components.tiles)
    assert faces[120:136:2] == ["kkkk", "yyyy", "rrrr", "bbbb"] * 2


def test_landscapes_by_shape():  # GM-42
    faces = letters(GAME.components.tiles)[: LANDSCAPES * 2]
    fronts, backs = faces[::2], faces[1::2]
    assert sorted(fronts) == sorted(face for shape in make_tiles.sheep_faces() for face in shape)
    assert [len(shape) for shape in make_tiles.sheep_faces()] == [12, 6, 24, 12, 6]
    assert sorted(backs) == sorted(make_tiles.other_faces("v") + make_tiles.other_faces("f"))
    for motif in "vf":
        assert [sum(face.count(motif) == count for face in backs) for count in (3, 2, 1)] == [4, 10, 16]
    sheep = "".join(letters(GAME.components.tiles)[:SHEPHERDS])
    assert [sheep.count(colour) for colour in "kyrb"] == [104] * 4


def test_the_file_is_what_the_script_writes():  # GM-42
    assert (GAME.folder / "components.toml").read_text(encoding="utf-8") == make_tiles.text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"kkky', '"kkvf', "both forest and village"),
        ('"yyyk fffb"', '"yyyk"', "must be two faces"),
        ('"kkky', '"kkx', "four letters out of vfkyrb, such as 'rrrb'"),
        ('"rkrb', '"rkrb(12)', "all sheep of one colour"),
        ('"rkrb', '"rkrb(13,3)', "one is there twice"),
        ('"rkrb', '"rkrb(15)', "its sides from 1 to 4"),
        ('"rkrb', '"rkrb(13:10)', "its sides from 1 to 4"),
        ('"rkrb', '"rkrk(13,24)', "would cross"),
        ("vvrr", "vvrr(12)", "all forest or all sheep"),
        ("fffk", "fffk(12:2)", "a forest has no sheep; write '12'"),
        ("a-side = 1", "a-side = 0", "from 1 to 9, not 0"),
        ("a-side = 1", "a-side = 4", "255 sheep"),
        ('joined = "neighbours"', 'joined = "corners"', "neighbours, opposite, none"),
        ('faces = ["kkkk", "yyyy"', 'faces = ["yyyy", "kkkk"', "each colour once"),
        ('    "kkky', '    # "kkky', "a list of 60 tiles, not 59"),
        ('square = "vvvv"', 'square = "vvvf"', "must be 'vvvv'"),
        ('herds = ["kkkk", "yyyy"', 'herds = ["kkkk", "yyyk"', "one colour on all four sides such as 'rrrr', not 'yyyk'"),
    ],
)
def test_bad_component_files_are_refused(tmp_path, old, new, message):  # GM-43
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "tiles.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadComponents, match=re.escape(message)) as refused:
        GAME.setup(2, tmp_path / "tiles.toml")
    line = text[: text.index(old)].count("\n") + 1
    if new.startswith("    #") or "= 4" in new:
        line = text[: text.index("tiles = [")].count("\n") + 1  # what is wrong there is the whole list
    assert str(refused.value).startswith(f"tiles.toml, line {line}: ")


def another_box(tmp_path, *changes):
    """A set-up for two with other tiles."""
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "tiles.toml").write_text(text, encoding="utf-8")
    return GAME.setup(2, tmp_path / "tiles.toml")


def test_a_box_need_not_have_equal_colours(tmp_path):  # GM-43
    changes = ('"kkky fyyk"', '"kkkr fyyk"'), ('wolves]\nsource = "public"\nherds = ["kkkk"', 'wolves]\nsource = "public"\nherds = ["rrrr"')
    setup = another_box(tmp_path, *changes)
    assert letters(setup.components.tiles)[0] == "kkkr"
    assert names(setup.components.tiles)[120:126:2] == ["rrrr-wolf", "yyyy-wolf", "rrrr-wolf-2"]
    assert names(setup.components.tiles)[121:127:2] == ["wolf-r", "wolf-y", "wolf-r-2"]
    position, dice = setup.start(), Dice("unequal")
    while position.to_act != OVER:
        position.advance(position.random_action(dice))


@pytest.mark.parametrize(
    ("change", "areas", "sheep"),
    [
        (('"rkrb f', '"rkrb(13) f'), [0, 1, 0, 2], [2, 1, 1]),
        (('"rkrb f', '"rkrb(13:5,2:0) f'), [0, 1, 0, 2], [5, 0, 1]),
        (('joined = "neighbours"', 'joined = "opposite"'), [0, 1, 0, 2], [2, 1, 1]),
        (("a-side = 1", "a-side = 2"), [0, 1, 2, 3], [2, 2, 2, 2]),
    ],
)
def test_what_a_box_says_of_areas_and_sheep(tmp_path, change, areas, sheep):  # GM-40, GM-43
    tiles = another_box(tmp_path, change).components.tiles
    face = letters(tiles).index("rkrb")
    assert [int(tiles.area[face * 16 + side]) for side in range(4)] == areas
    assert [int(tiles.area_sheep[face * 4 + area]) for area in range(int(tiles.areas[face]))] == sheep


def test_neighbours_that_are_parted(tmp_path):  # GM-43
    tiles = another_box(tmp_path, ('"rrbk f', '"rrbk(1,2) f')).components.tiles
    face = letters(tiles).index("rrbk")
    assert [int(tiles.area[face * 16 + side]) for side in range(4)] == [0, 1, 2, 3]
    tiles = another_box(tmp_path, ('joined = "neighbours"', 'joined = "none"')).components.tiles
    assert [int(tiles.area[face * 16 + side]) for side in range(4)] == [0, 1, 2, 3]
    assert [int(tiles.area[121 * 16 + side]) for side in range(4)] == [0, 0, 0, 0]  # the forest of a wolf is one


def test_joined_opposite_sides_make_one_pen(tmp_path):  # GM-17, GM-43
    """A red side east and west of n1, joined, with three sheep: as one pen it is open on both sides."""
    setup = another_box(tmp_path, ('"ykyb vvvb"', '"ykyb vrkr(24:3)"'))
    position = GuerreDesMoutons(setup.components.tiles, 2)
    face = letters(position.tiles).index("vrkr")
    place = [place_cell(place) for place in position.map.places].index(MIDDLE - WIDTH)
    position.map.put(place, face, 2)
    assert pens(position, RED) == [(3, False, False)] and [int(pen.open_sides) for pen in position.map.pens() if pen.colour == RED] == [2]


def test_rotations_that_differ_in_areas_alone_are_written_apart(tmp_path):  # GM-43
    """Of rbrb one red side has four sheep: turned by half, its letters are the same and the tile is not."""
    setup = another_box(tmp_path, ('"ykyb vvvb"', '"rbrb(1:4) vvvb"'))
    position = GuerreDesMoutons(setup.components.tiles, 2)
    face = letters(position.tiles).index("rbrb")
    red = letters(position.tiles).index("vvrr")
    position.map.put(0, red, 0)  # north of the square, red to its south and west: never mind that it does not match
    position.hand[0], position.held[0], position.stage, position.to_act = 1 << face // 2, 1, TURN, 0
    position.colours[0] = 4
    play(position, "1 rbrb")
    texts = legal(position)
    assert len(set(texts)) == len(texts) and texts == ["n1w1 brbr", "n1w1 brbr 3"]


# A turn.


def test_all_touching_sides_must_match_and_each_draws_a_tile():  # GM-4
    """Yellow above, village to the west, the tile matches both: it draws two."""
    position = table(
        """
        vvvv vvyv
        O    .
    """,
        ("vyyk vrrr", "kkkk"),
        bag="kkky bbbb rrrr",
    )
    play(position, "1 vyyk", "1 e1 yykv")
    assert position.owed[0] == 2 and draw_all(position) == 2
    assert position.held[0] == 3 and position.to_act == 1


def test_a_side_that_does_not_match_makes_it_illegal():  # GM-4
    position = table(
        """
        vvvv vvyv
        O    .
    """,
        ("vrrr", "kkkk"),
        bag="kkkk",
    )
    play(position, "1 vrrr")
    assert not any(text.startswith("e1 ") for text in legal(position))
    with pytest.raises(IllegalAction):
        position.apply(next(action for action in range(147, 731) if action not in position.legal()))


def test_contact_at_a_corner_is_none():  # GM-4
    position = table("O", ("vvvk", "kkkk"), bag="kkkk")
    play(position, "1 vvvk")
    assert {text.split()[0] for text in legal(position)} == {"n1", "e1", "s1", "w1"}


def test_draws_stop_when_the_bag_is_empty_and_nothing_is_owed_later():  # GM-4
    position = table(
        """
        vvvv vvyv
        O    .
    """,
        ("vyyk vrrr", "vkkk"),
        bag="kkkk",
    )
    play(position, "1 vyyk", "1 e1 yykv")
    assert draw_all(position) == 1
    assert list(position.owed) == [0, 0] and position.in_bag == 0


def test_first_player_without_a_village_side_passes():  # GM-5
    position = table("O", ("rrrr kkkk", "vkkk vyyy"), bag="rrry rrrb")
    assert legal(position) == ["pass", "retire"]
    play(position, "1 pass")
    assert position.held[0] == 2 and position.to_act == 1
    play(position, "2 vkkk", "2 n1 kkvk")
    assert draw_all(position) == 1


def test_who_can_lay_must_lay_or_retire():  # GM-5
    position = table("O", ("vkkk rrrr", "vkkk"), bag="rrry")
    assert legal(position) == ["vkkk", "retire"]


def test_a_wolf_is_never_compulsory():  # GM-5
    position = table("O kfkv", ("Wr rrrr", "vkkk"), bag="rrry", colours="ry")
    assert legal(position) == ["wolf-r", "pass", "retire"]


def test_retiring_is_for_the_own_turn():  # GM-6
    position = table("O kfkv", ("vkkk", "Wr kkkk"), bag="rrry")
    assert "retire" in legal(position) and legal(position, seat=2) == ["wolf-r"]
    play(position, "1 retire")
    assert position.finish[0] == 1 and position.to_act == 1


def test_all_pass_and_redraw():  # GM-7
    position = table("O", ("rrrr kkkk", "yyyy", "vkkk"), bag="bbbb bbbk bbby")
    play(position, "1 pass", "2 pass", "3 retire", "1 pass")
    assert position.to_act == 1 and position.redraws == 0  # retiring broke the row
    play(position, "2 pass")
    assert position.to_act == CHANCE and position.redraws == 1
    assert position.in_bag == 7 and sum(position.held) == 0  # the hand of the retired player too
    assert let_chance_happen(position, Dice(1)) and list(position.held) == [2, 1, 0]
    assert position.to_act == 0


def test_three_redraws_in_a_row_then_the_game_ends():  # GM-7
    position = table("O", ("rrrr", "yyyy"), bag="bbbb")
    for _ in range(3):
        play(position, "1 pass", "2 pass")
        assert draw_all(position) == 2
    play(position, "1 pass", "2 pass")
    assert position.to_act == OVER and position.scores() == [0, 0]


def test_a_laid_tile_starts_the_count_again():  # GM-7
    position = table("O kfkv", ("rrrr", "Wr bbbb"), bag="bbbr bbby")
    play(position, "1 pass")
    assert position.passes == 1
    position.redraws = 2
    play(position, "2 wolf-r", "2 e2")
    draw_all(position)
    assert position.passes == 0 and position.redraws == 0
    play(position, "2 done", "1 pass")
    assert position.passes == 1 and position.to_act == 1  # leaving it at that was no pass


# Out of turn.


def test_reveal_in_anothers_turn_with_the_extra_play():  # GM-8
    """The red '?' touches two red sides: two draws; the extra tile one; then the opponent goes on."""
    position = table(
        """
        O    vvrv vvvv
        vrkk .    .
    """,
        ("vkkk", "bbbb rryy"),
        bag="kkkk kkky kkkb kkkr",
        colours="kr",
    )
    assert legal(position, seat=2) == ["reveal r"]
    play(position, "2! reveal r", "2 s1e1")
    assert position.owed[1] == 2 and draw_all(position) == 2 and position.stage == EXTRA
    assert position.shown[1] == 1 << RED and position.to_act == 1
    assert position.interruptions(0) == []  # never between a reveal and its extra play (GM-10)
    play(position, "2 rryy")
    play(position, next(f"2 {text}" for text in legal(position) if text.startswith("s2e1")))
    assert draw_all(position) == 1
    assert position.to_act == 0 and position.stage == TURN and list(position.held) == [1, 4]


def test_the_extra_play_is_lost_if_not_used_at_once():  # GM-8
    position = table("O vrvv", ("vkkk", "rrrr rryy"), bag="kkkk kkky kkkb", colours="kr")
    play(position, "2! reveal r", "2 e2")
    draw_all(position)
    play(position, "2 done")
    assert position.to_act == 0 and legal(position, seat=2) == []


def test_a_tile_just_drawn_can_be_the_extra_play():  # GM-8
    position = table("O vrvv", ("vkkk", "kkkk"), bag="rryy", colours="kr")
    play(position, "2! reveal r", "2 e2", "chance draw rryy")
    assert "rryy" in legal(position)


def test_a_reveal_must_fit():  # GM-8
    position = table("O vrvv", ("vkkk", "kkkk"), bag="rryy", colours="ky")
    assert legal(position, seat=2) == []


def test_three_plays_in_a_row_before_the_own_turn():  # GM-8
    position = table("O vrvv", ("rrrk rrry vkkk", "vyyy"), bag="bbbb bbbk bbby bbbr", colours="rk")
    play(position, "1 reveal r", "1 e2")
    draw_all(position)
    play(position, "1 rrrk", "1 e3 krrr")
    draw_all(position)
    assert position.to_act == 0 and position.stage == TURN
    play(position, "1 rrry", "1 n1e2 yrrr")
    draw_all(position)
    assert position.to_act == 1


def test_the_colour_is_known_from_then_on():  # GM-8
    position = table("O vrvv", ("vkkk", "kkkk"), bag="rryy", colours="kr")
    assert position.seen_by(0).colours[1] == 0
    play(position, "2! reveal r")
    assert position.seen_by(0).colours[1] == 1 << RED


def test_one_wolf_one_hunter():  # GM-9
    """The wolf touches one tile, the hunter two: both are laid, then three tiles drawn."""
    position = table(
        """
        vvvv vfkv
        O    kfkv
    """,
        ("vkkk", "Wr Hb"),
        bag="kkkk kkky kkkb kkkr",
    )
    play(position, "2! wolf-r", "2 e2")
    assert position.stage == MORE and position.to_act == 1 and position.in_bag == 4  # nothing drawn yet
    play(position, "2 hunter-b", "2 n1e2")
    assert draw_all(position) == 3
    assert position.to_act == 0 and list(position.held) == [1, 3]


def test_an_announcement_may_end_after_one():  # GM-9
    position = table("O kfkv", ("vkkk", "Wr Hb"), bag="kkkk kkky kkkb kkkr")
    play(position, "2! wolf-r", "2 e2")
    assert legal(position) == ["hunter-b", "done"]
    play(position, "2 done")
    assert draw_all(position) == 1 and position.to_act == 0


def test_after_a_wolf_in_the_own_turn_one_may_leave_it_at_that():  # GM-9
    position = table("O kfkv", ("Wr vkkk", "vyyy"), bag="rrry rrrb", colours="ry")
    play(position, "1 wolf-r", "1 e2")
    draw_all(position)
    assert position.stage == CONTENT and position.to_act == 0
    assert legal(position) == ["vkkk", "retire", "done"]
    play(position, "1 done")
    assert position.to_act == 1


def test_a_wolf_in_anothers_turn_leaves_the_turn_as_it_was():  # GM-9
    position = table("O kfkv", ("vkkk", "Wr kkkk"), bag="rrry rrrb")
    play(position, "2! wolf-r", "2 e2")
    draw_all(position)
    assert position.to_act == 0 and position.stage == TURN and "done" not in legal(position)


def test_no_moment_between_choosing_laying_and_drawing():  # GM-10
    position = table("O rfkv", ("vkkk", "Wr kkkk", "Hb"), bag="rrry rrrb", colours="krb")
    assert position.may_interrupt(1) and position.may_interrupt(2) and not position.may_interrupt(0)
    play(position, "1 vkkk")
    assert not any(position.may_interrupt(seat) for seat in range(3))
    position.apply(position.legal()[0])
    assert position.to_act == CHANCE and not any(position.may_interrupt(seat) for seat in range(3))
    draw_all(position)
    assert position.to_act == 1 and position.may_interrupt(0) and position.may_interrupt(2)
    with pytest.raises(IllegalAction):
        position.interrupt(1, 125)  # the own wolf is no interruption in the own turn


# Wolves and hunters.


def test_forest_areas_join_side_to_side():  # GM-11
    position = table("O kfkv", ("vkkk", "Wr"), bag="rrrr rrry rrrk")
    assert kept(position)[1] == {(0, 0): 1}
    play(position, "2! wolf-r", "2 e2")
    assert kept(position)[1] == {(1, 0): 1}


def test_a_guarded_forest_refuses_wolves():  # GM-12
    position = table(
        """
        vvvv vfvv .
        O    .    .
        vvvv vfvv Hr
    """,
        ("Wb vkkk", "vkkk"),
        bag="rrrr",
    )
    assert "wolf-b" in legal(position)
    play(position, "1 wolf-b")
    assert legal(position) == ["n1e2 ffff"]  # not beside the hunter, nor at e2, which touches a guarded forest


def test_touching_a_guarded_and_a_free_forest_is_illegal_too():  # GM-12
    position = table(
        """
        vvvv vvvv vvfv
        O    .    .
        vvvv vfvv Hr
    """,
        ("Wb vkkk", "vkkk"),
        bag="rrrr",
    )
    assert "wolf-b" not in legal(position)  # e2 lies between the free forest to its north and the hunter to its south


def test_several_wolves_in_one_forest():  # GM-12
    position = table("O kfkv Wk", ("Wb", "vkkk"), bag="rrrr rrrk")
    play(position, "1 wolf-b", "1 e3")
    assert kept(position)[1] == {(2, 0): 1}


def test_a_hunter_on_a_wolf_draws_for_every_neighbour():  # GM-13
    position = table("O kfkv Wk kkkf", ("Hb vkkk", "vyyy"), bag="rrrr rrrk rrry")
    before = position.census()
    play(position, "1 hunter-b", "1 on e2")
    assert position.owed[0] == 2 and position.map.wolves_out == 0
    assert kept(position)[1] == {(0, 1): 1}
    draw_all(position)
    assert position.census() == before and before[:3] == (7, 1, 1)


def test_a_hunter_guards_beside_a_forest():  # GM-13
    position = table("O kfkv", ("Hb Wr vkkk", "vyyy"), bag="rrrr rrrk rrry")
    assert "wolf-r" in legal(position)
    play(position, "1 hunter-b", "1 e2")
    assert kept(position)[1] == {(0, 1): 1} and position.stage != MORE  # no wolf can follow, as everybody can see
    draw_all(position)
    assert "wolf-r" not in legal(position)


def test_a_covered_wolf_guards_like_a_hunter():  # GM-13
    position = table("O kfkv Wk", ("Hb Wr", "vkkk"), bag="rrrr rrrk rrry")
    assert "wolf-r" in legal(position)
    play(position, "1 hunter-b", "1 on e2")
    draw_all(position)
    assert "wolf-r" not in legal(position)


def test_joined_forests_with_wolf_and_hunter():  # GM-14
    position = table(
        """
        O    vvvv vffv Wk
        vvvv .    .    .
        vvvv vvvv vffv Hy
    """,
        ("ffkf Wr Hb", "vkkk"),
        bag="rrrr rrrk rrry bbbb",
        colours="ry",
    )
    assert kept(position)[1] == {(1, 0): 1, (0, 1): 1}
    play(position, "1 ffkf", "1 s1e3 fkff")
    assert kept(position)[1] == {(1, 1): 1}
    assert pens(position, BLACK) == [(1, False, True)]  # the wolf stays
    draw_all(position)
    assert legal(position, seat=1) == ["hunter-b"]  # no further wolf
    play(position, "1! hunter-b", "1 on e3")
    assert kept(position)[1] == {(0, 2): 1} and pens(position, BLACK) == [(1, False, False)]


def test_a_pen_is_threatened_by_a_forest_on_any_side_of_its_tiles():  # GM-15
    position = table("""
        O vfrv Wk
        . rkrk .
    """)
    assert pens(position, RED)[0] == (2, True, True)


def test_opposite_sides_threaten_too():  # GM-15
    position = table("""
        . Wk
        O fkrv
        . rkkk
    """)
    assert pens(position, RED) == [(2, True, True)]


def test_one_wolf_makes_all_pens_beside_its_forest_worthless():  # GM-15
    """Pens of 8 and 4."""
    position = table(
        """
        O    vkrv .    .  kyyk kkky
        vrkk @r   kfkr Wk ykkf .
        .    rkkk .    .  .    .
    """,
        ("Hr vkkk", "vkkk"),
        bag="bbbb bbbk bbby bbbr",
        colours="ry",
    )
    assert position.scores() == [0, 0]
    play(position, "1 hunter-r", "1 on s1e3")
    assert position.scores() == [8, 4]


def test_one_hunter_per_wolf():  # GM-13
    """Two wolves, one covered by a hunter: still threatened."""
    position = table(
        """
        O vfrv Wk
        . rfrk Wy
    """,
        ("Hr Hb vkkk", "vkkk"),
        bag="bbbb bbbk bbby bbbr",
        colours="ry",
    )
    play(position, "1 hunter-r", "1 on e2")
    assert pens(position, RED)[0] == (2, True, True) and position.scores() == [0, 0]
    play(position, "1 hunter-b", "1 on s1e2")
    assert pens(position, RED)[0] == (2, True, False) and position.scores() == [2, 0]


def test_herds_are_ordinary_landscapes():  # GM-16
    position = table("O rfkv", ("Wr vkkk", "Hr kkkk"), bag="bbbb bbbk", colours="ky")
    assert {"rrrr-wolf", "wolf-r"} <= set(legal(position))
    assert legal(position, seat=2) == ["hunter-r"]  # the herd is for the own turn or the extra play
    play(position, "1 rrrr-wolf", "1 n1e1")
    assert draw_all(position) == 1 and position.to_act == 1


# Scoring and the end.


def test_two_single_sides_facing_are_a_closed_pen():  # GM-17
    assert pens(table("O vrvv kkkr"), RED) == [(2, True, False)]


def test_a_shepherd_with_four_single_sides_is_a_closed_pen_of_eight():  # GM-17
    position = table("""
        O    vkrv .
        vrkk @r   kkkr
        .    rkkk .
    """)
    assert pens(position, RED) == [(8, True, False)]


def test_open_pens_do_not_score():  # GM-17
    position = table("O rrrv", colours="rk")
    assert pens(position, RED) == [(3, False, False)] and position.scores() == [0, 0]


def test_a_threatened_pen_is_passed_over():  # GM-18
    """Closed pens of 8 (threatened), 6 and 4: six points."""
    position = table(
        """
        .    .    .    kkrk .    .
        .    .    krrk rkkr .    .
        krkk kkrr rkvk .    .    .
        .    rvkk O    vkrv .    .
        .    .    vrkk @r   kfkr Wy
        .    .    .    rkkk .    .
    """,
        colours="rk",
    )
    assert pens(position, RED) == [(8, True, True), (6, True, False), (4, True, False)]
    assert position.scores() == [6, 0]


def test_the_largest_closed_pen_counts():  # GM-18
    """An open pen of 11, a closed one of 2: two points."""
    position = table(
        """
        O    krkv rrrr rrrr kkrr
        vkrk .    .    .    .
        rkkk .    .    .    .
    """,
        colours="rk",
    )
    assert pens(position, RED) == [(11, False, False), (2, True, False)]
    assert position.scores() == [2, 0]


def test_every_closed_pen_has_an_even_number_of_sheep():  # GM-17
    """Each of its sides meets another of its sides: one sheep a side makes pairs."""
    position = GAME.setup(2).start()
    dice = Dice("even")
    closed = 0
    while position.to_act != OVER:
        position.advance(position.random_action(dice))
        found = [pen for pen in position.map.pens() if pen.open_sides == 0]
        assert all(pen.sheep % 2 == 0 for pen in found)
        closed += len(found)
    assert closed


def test_a_closed_pen_made_worthless_and_rescued():  # GM-18
    position = table(
        """
        O vfrv .
        . rkrk .
    """,
        ("vkkk", "Wk Hb"),
        bag="bbbb bbbk bbby bbbr",
        colours="rk",
    )
    assert position.scores()[0] == 2
    play(position, "2! wolf-k", "2 e2")
    assert position.scores()[0] == 0
    play(position, "2 hunter-b", "2 on e2")
    assert position.scores()[0] == 2


@pytest.mark.parametrize(("seats", "bonuses"), [(2, [6, 3]), (3, [6, 3, 1]), (4, [6, 3, 1, 0])])
def test_bonuses_in_order_of_finishing(seats, bonuses):  # GM-19
    position = table("O", ["vkkk"] * seats, bag="rrrr")
    for seat in range(seats):
        play(position, f"{seat + 1} retire")
    assert position.to_act == OVER and position.scores() == bonuses


@pytest.mark.parametrize(("seats", "bonuses"), [(2, [6, 0]), (3, [6, 3, 0]), (4, [6, 3, 1, 0])])
def test_last_gets_no_bonus(seats, bonuses):  # GM-19
    position = table("O", ["vkkk"] * seats, bag="rrrr", last_gets_no_bonus=True)
    for seat in range(seats):
        play(position, f"{seat + 1} retire")
    assert position.scores() == bonuses


def test_running_out_of_tiles_finishes_at_once_also_out_of_turn():  # GM-19
    position = table("O kfkv", ("vkkk", "Wr"), bag="", shown="ky")
    play(position, "2! wolf-r", "2 e2")
    assert list(position.finish) == [0, 1] and position.to_act == 0
    play(position, "1 vkkk", "1 n1 kkvk")
    assert list(position.finish) == [2, 1] and position.to_act == OVER and position.scores() == [3, 6]


def test_a_smaller_pen_can_win_by_finishing_first():  # GM-19, GM-22
    """Pen of 10 and second to finish against pen of 8 and first: 13 to 14."""
    position = table(
        """
        .    kkbk .    .
        kbkk @b   kkkb .
        .    bkvk .    .
        .    O    vkrv .
        .    vrkk rrrr kkrr
        .    .    rkkk rkkk
    """,
        ("vkkk", "vyyy"),
        bag="",
        colours="rb",
        turn=2,
    )
    assert position.scores() == [10, 8]
    play(position, "2 retire", "1 retire")
    assert position.scores() == [13, 14] and position.ranks() == [2, 1]


def test_a_retired_hand_leaves_unseen():  # GM-20
    position = table("O", ("vkkk vyyy", "vkkk"), bag="rrrr", colours="kr")
    play(position, "1 retire")
    view = position.seen_by(1)
    assert (position.held[0], view.hand[0], view.colours[0]) == (2, 0, 0)
    assert position.seen_by(0).hand[0] != 0
    play(position, "2 retire")
    assert position.to_act == OVER
    assert position.seen_by(1).colours[0] == 1 << BLACK  # the '?' is shown at the end, not laid
    assert position.seen_by(1).hand[0] == 0 and len(position.map.laid_face) == 1


def test_bag_empty_and_unequal_hands():  # GM-21
    position = table("O", ("vkkk vyyy vrrr", "vbbb"), bag="", shown="ky")
    play(position, "1 vkkk", "1 n1 kkvk", "2 vbbb", "2 s1 vbbb")
    assert list(position.finish) == [0, 1] and position.to_act == 0
    play(position, "1 vyyy", "1 e1 yyyv")
    assert position.to_act == 0  # goes on alone
    play(position, "1 vrrr", "1 w1 rvrr")
    assert position.to_act == OVER and position.scores() == [3, 6]


def test_a_full_round_of_passes_ends_the_game_when_the_bag_is_empty():  # GM-21
    position = table("O", ("rrrr", "kkkk"), bag="")
    play(position, "1 pass", "2 pass")
    assert position.to_act == OVER and position.scores() == [0, 0]


def test_who_has_passed_may_still_retire_when_another_did():  # GM-19, GM-21
    position = table(
        """
        O vkvv vvkk
        . .    kvvv
    """,
        ("rrrr", "bbbb"),
        bag="",
        colours="ky",
    )
    play(position, "1 pass", "2 retire")
    assert legal(position) == ["pass", "retire"]
    play(position, "1 retire")
    assert position.to_act == OVER and position.scores() == [7, 6] and position.ranks() == [1, 2]
    position = table("O", ("rrrr", "kkkk", "bbbb"), bag="")
    play(position, "1 pass", "2 pass", "3 retire", "1 retire", "2 pass")
    assert position.to_act == OVER and position.scores() == [3, 0, 6]


def test_a_single_player_may_go_on_drawing():  # GM-21
    position = table("O", ("vkkk", "kkkk"), bag="rrrr", turn=2)
    play(position, "2 retire", "1 vkkk", "1 n1 kkvk", "chance draw rrrr")
    assert position.to_act == 0 and "retire" in legal(position)


def test_ties_are_broken_by_the_next_largest_pen():  # GM-22
    position = table(
        """
        .    . kkrk
        kvbk O rkkv
        bkbk . .
        bkkk . .
    """,
        ("vkkk", "vyyy"),
        bag="",
        colours="rb",
    )
    assert [pen[0] for pen in pens(position, RED) if pen[1]] == [2]
    assert [pen[0] for pen in pens(position, BLUE) if pen[1]] == [2, 2]
    assert position.scores() == [2, 2] and position.ranks() == [2, 1]


def test_full_ties_are_shared():  # GM-22
    position = table("O vrvv kbkr kkkb", ("vkkk", "vkkk"), bag="", colours="rb")
    assert position.scores() == [2, 2] and position.ranks() == [1, 1]


def test_two_colours_are_added():  # GM-23
    position = table("O vrvv kbkr kkkb", ("vkkk", "vkkk"), bag="", colours="rbky", two_colours=True)
    assert position.scores() == [4, 0]
    voice = Voice([GAME.folder / "locale"], "en", ["Anna", "Ben"])
    assert results(position, voice)[0] == "Anna: largest pens (red 2, blue 2) 4 + bonus 0 = 4 points."


def test_two_colours_are_revealed_one_by_one():  # GM-23
    position = table("O vrbv", ("vkkk", "vyyy rrrr"), bag="kkkk kkky kkkb kkkr yyyy yyyk", colours="kyrb", two_colours=True)
    assert legal(position, seat=2) == ["reveal r", "reveal b"]
    play(position, "2! reveal r", "2 e2")
    draw_all(position)
    assert position.stage == EXTRA
    play(position, "2 done")
    assert legal(position, seat=2) == ["reveal b"]
    play(position, "2! reveal b", "2 s1e1")
    draw_all(position)
    assert position.stage == EXTRA and position.shown[1] == 1 << RED | 1 << BLUE


def test_two_colours_are_for_two():  # GM-23
    position = GAME.setup(2, two_colours=True).start()
    let_chance_happen(position, Dice(3))
    assert [bin(int(mask)).count("1") for mask in position.colours] == [2, 2] and sum(position.colours) == 15
    with pytest.raises(BadOption):
        GAME.setup(3, two_colours=True)


# The last '?': seat 1 lays the last tile of its hand, bag empty, with the '?' unrevealed. Black would fit above that tile, red nowhere.

LAST_TILE = ("1 vkkk", "1 n1 kkvk")


def before_the_last_tile(colours="kr", **options):
    return table("O", ("vkkk", "vyyy vbbb"), bag="", colours=colours, **options)


def test_whoever_has_the_question_mark_left_is_not_out():  # GM-24
    position = play(before_the_last_tile(), *LAST_TILE)
    assert list(position.finish) == [0, 0] and list(position.held) == [0, 2] and position.to_act == 1
    play(position, "2 vyyy", "2 e1 yyyv")
    assert legal(position) == ["reveal k", "pass", "retire"]  # asked in the own turn; the '?' is never compulsory
    play(position, "1 reveal k", "1 n2 kkkk")
    assert list(position.finish) == [1, 0] and position.to_act == 1  # no tile left now: out at that instant, without an extra play


def test_the_last_question_mark_is_revealed_out_of_turn_too():  # GM-8, GM-24
    position = play(before_the_last_tile(), *LAST_TILE)
    assert legal(position, seat=1) == ["reveal k"]
    play(position, "1! reveal k", "1 n2 kkkk")
    assert list(position.finish) == [1, 0] and position.to_act == 1


def test_a_question_mark_that_fits_nowhere_keeps_its_owner_in_the_game_too():  # GM-24
    """Else leaving, or staying, would tell everybody something about the colour."""
    position = play(before_the_last_tile("rk"), *LAST_TILE)
    assert list(position.finish) == [0, 0] and legal(position, seat=1) == []
    fits = play(before_the_last_tile("kr"), *LAST_TILE)
    assert position.seen_by(SPECTATOR).key() == fits.seen_by(SPECTATOR).key()
    play(position, "2 vyyy", "2 e1 yyyv")
    assert legal(position) == ["pass", "retire"]
    play(position, "1 retire")
    assert list(position.finish) == [1, 0] and position.scores() == [6, 0]


def test_the_game_ends_when_all_pass_although_a_question_mark_is_left():  # GM-21, GM-24
    position = table("O", ("vkkk", "rrrr"), bag="", colours="ky")
    play(position, *LAST_TILE, "2 pass", "1 pass")
    assert position.to_act == OVER and position.scores() == [0, 0]


def test_the_second_question_mark_counts_as_a_tile_too():  # GM-23, GM-24
    position = play(before_the_last_tile("krby", two_colours=True), *LAST_TILE, "1! reveal k", "1 n2 kkkk")
    assert position.finish[0] == 0 and position.to_act == 1 and position.stage == TURN  # no extra play with an empty hand
    assert position.has_question(0) and legal(position, seat=1) == []


def test_an_empty_hand_is_out():  # GM-24
    position = play(before_the_last_tile(empty_hand_is_out=True), *LAST_TILE)
    assert list(position.finish) == [1, 0] and position.to_act == 1 and position.scores() == [6, 0]
    assert legal(position, seat=1) == [] and not position.may_interrupt(0)
    play(position, "2 vyyy", "2 e1 yyyv")
    assert position.to_act == 1  # goes on alone


def test_who_waits_with_the_question_mark_alone_is_told_so():  # GM-24
    position = play(before_the_last_tile(), *LAST_TILE, "2 vyyy", "2 e1 yyyv")
    voice = Voice([GAME.folder / "locale"], "en", ["Anna", "Ben"])
    assert GAME.prompt(position.seen_by(0), voice) == "You have only the '?' tile left: reveal it, pass or retire."
    assert GAME.prompt(position.seen_by(1), voice) == "Anna has only the '?' tile left."


def test_hands_and_colours_are_hidden():  # GM-30
    position = table("O rfkv", ("vkkk Wr", "Hb rrry"), bag="bbbb", colours="kr")
    view = position.seen_by(0)
    assert (view.hand[1], view.specials[1], view.colours[1]) == (0, 0, 0) and view.held[1] == 2
    assert view.hand[0] and view.specials[0] and view.colours[0]
    spectator = position.seen_by(SPECTATOR)
    assert not any(spectator.hand) and not any(spectator.specials) and not any(spectator.colours)
    with pytest.raises(HiddenInformation):
        position.seen_by(1).legal()
    with pytest.raises(HiddenInformation):
        view.interruptions(1)
