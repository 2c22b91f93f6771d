"""Sheepzzz as a picture: what can be tapped, what is shown, and that nobody is shown another's cards."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from sheepzzz_table import do, table

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.conformance import cases, pairs, play
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.rules import PILE, TAKEN, Sheepzzz
from sheepfold.games.sheepzzz.svg_board import COLOURS
from sheepfold.messages import Voice

VOICES = [Voice([GAME.folder / "locale"], language) for language in ("en", "fr")]
NAMES = "ABCD"
THREE = """
    up, clockwise
    piles: 14 | 4 5 6 | 12
    A> 9 10 19 17 wolf   taken: 7 7/3
    B: 4 1 wolf          taken: 8
    C: 3 11
    deck: 13 15
    rest: under 3
"""


def drawn(position: Sheepzzz, seat: int, voice: Voice | None = None) -> str:
    return GAME.picture(position.seen_by(seat), seat, "light", voice or Voice([GAME.folder / "locale"], "en", NAMES))


def ids(picture: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', picture.split("</defs>")[-1]))


def label(picture: str, name: str) -> str:
    found = re.search(rf'id="{name}"[^>]*aria-label="([^"]*)"', picture)
    assert found, name
    return found[1]


def taps(position: Sheepzzz) -> dict[str, list[str]]:
    return {GAME.write(position, action): GAME.targets(position, action) for action in position.legal()}


def test_a_card_is_played_by_tapping_it_and_then_a_pile():  # SZ-4
    spelt = taps(table(THREE))
    assert spelt["9/0 on 2"] == ["card-9-0", "pile-2"]
    assert spelt["wolf on 3"] == ["card-wolf", "pile-3"]


def test_a_pile_is_taken_with_two_taps_and_a_new_one_started_with_one():  # SZ-6
    position = table(THREE)
    assert taps(position)["take 1"] == ["pile-1", "take"]
    assert re.search(r'id="take" class="sf-piece sf-soon"', drawn(position, 0))
    do(position, "take 1")
    assert taps(position)["start 19"] == ["card-19-5"]
    assert label(drawn(position, 0), "pile-1") == "new pile 1"


def test_powers_are_used_by_tapping_players_piles_and_buttons():  # SZ-8, SZ-9
    naming = do(table(THREE), "19 on 2")
    assert taps(naming) == {"next 2": ["player-2"], "next 3": ["player-3"]}
    imposing = do(naming, "next 3")
    assert taps(imposing) == {"free": ["free"], "impose 1": ["pile-1"], "impose 2": ["pile-2"], "impose 3": ["pile-3"]}
    assert "C plays on any pile" in drawn(imposing, 0)
    turning = do(table(THREE), "17 on 2")
    assert taps(turning) == {"turn": ["turn"], "keep": ["keep"]}
    picture = drawn(turning, 0)
    assert label(picture, "turn") == "Turn round: C is next"
    assert label(picture, "keep") == "Leave it: B is next"


def test_buttons_are_for_who_is_to_act():
    turning = do(table(THREE), "17 on 2")
    assert [("turn" in ids(drawn(turning, seat))) for seat in (0, 1, SPECTATOR)] == [True, False, False]


def test_a_pile_shows_its_top_and_size_only():  # SZ-20
    picture = drawn(table(THREE), 0)
    assert label(picture, "pile-2") == "pile 2: 6 (no pillow), 3 cards"
    assert "top-2-3-card-6-0" in ids(picture)
    other = table(THREE.replace("4 5 6", "5 8 6").replace("taken: 8", "taken: 4").replace("B: 4 1", "B: 5 1"))
    assert drawn(other, 0) == picture


def test_an_imposed_pile_is_marked_and_the_others_are_barred():  # SZ-10
    position = table(THREE)
    assert "imposed" not in ids(drawn(position, 0))
    position.imposed = 1
    picture = drawn(position, 0)
    assert "imposed" in ids(picture)
    assert re.findall(r'id="(pile-\d)" class="sf-piece sf-used"', picture) == ["pile-1", "pile-3"]


def test_how_sheep_are_counted_is_said_with_what_may_be_played():  # SZ-5
    picture = drawn(table(THREE), 0)
    assert "Counting up" in picture and "higher, or 10 lower" in picture and "counting-up" in ids(picture)
    picture = drawn(table(THREE.replace("up,", "down,")), 0)
    assert "Counting down" in picture and "lower, or 10 higher" in picture and "counting-down" in ids(picture)


def test_an_eaten_pile_is_gone():  # SZ-12
    picture = drawn(table(THREE.replace("piles: 14 |", "piles: |")), 0)
    assert label(picture, "pile-1") == "no pile"


def test_only_the_own_hand_has_cards_with_names():  # SZ-20
    position = table(THREE)
    hands = [sorted(name for name in ids(drawn(position, seat)) if name.startswith("card-")) for seat in (0, 1, SPECTATOR)]
    assert hands == [["card-10-0", "card-17-4", "card-19-5", "card-9-0", "card-wolf"], ["card-1-5", "card-4-2", "card-wolf"], []]
    assert "part-hand" not in ids(drawn(position, SPECTATOR))
    assert label(drawn(position, SPECTATOR), "player-1") == "A: hand 5, taken 2, 0 pillows"


def test_two_wolves_in_hand_are_one_card_with_a_number():
    picture = drawn(table(THREE.replace("17 wolf", "wolf wolf")), 0)
    assert len(re.findall(r'id="card-wolf"', picture)) == 1


def test_seats_have_the_colours_that_the_page_gives_them():
    assert GAME.colours[: GAME.seats[-1]] == COLOURS


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_worlds_that_a_viewer_cannot_tell_apart_look_the_same(seats):  # SZ-20
    line = play(next(case for case in cases(GAME, seats) if case.plain), "pictures", most=150)
    compared = 0
    for pair in pairs(line):
        seat = pair.viewer
        one, other = (GAME.picture(world.seen_by(seat), seat, "auto", VOICES[compared % 2]) for world in (pair.truth, pair.other))
        assert one == other
        compared += 1
    assert compared > 10


def test_what_lies_under_a_top_or_was_taken_changes_no_picture():  # SZ-20: remembering is the players' job
    dice, position, compared = Dice("under"), GAME.setup(4).start(), 0
    while position.to_act != OVER and compared < 40:
        position.apply(position.random_action(dice))
        assert isinstance(position, Sheepzzz)
        other = position.copy()
        buried = [
            card for card in range(other.cards.count)
            if TAKEN <= other.place[card] < TAKEN + 5
            or (PILE <= other.place[card] < TAKEN and other.cards.kind_of[card] != other.top[other.place[card] - PILE])
        ]  # fmt: skip
        places = [other.place[card] for card in buried]
        for card, place in zip(buried, places[1:] + places[:1], strict=True):
            other.place[card] = place
        if other.key() != position.key():
            compared += 1
            for seat in (0, SPECTATOR):
                assert drawn(position, seat) == drawn(other, seat)
    assert compared == 40


@pytest.mark.parametrize("seats", [2, 5])
def test_pictures_are_sound_and_small_in_both_languages_and_themes(seats):
    dice, position, ply = Dice("sound"), GAME.setup(seats).start(), 0
    while position.to_act != OVER:
        if ply % 11 == 0:
            seat = (0, seats - 1, SPECTATOR)[ply % 3]
            picture = GAME.picture(position.seen_by(seat), seat, ("light", "dark", "auto")[ply % 3], VOICES[ply % 2])
            ElementTree.fromstring(picture)
            assert len(picture) < 60_000
            assert len(re.sub(r"<style>.*?</style>|<defs>.*?</defs>", "", picture)) < 20_000
        position.apply(position.random_action(dice))
        ply += 1
    end = drawn(position, SPECTATOR)
    assert end.split("</defs>")[-1].count("#sf-sheep-doze") >= 1
