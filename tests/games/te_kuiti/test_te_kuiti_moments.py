"""The moments of Te Kuiti: the end of a round, roles that swap, and the end, on drawn fields."""

from te_kuiti_drawn import field

from sheepfold.game.moments import Gain, Step
from sheepfold.games.te_kuiti import GAME
from sheepfold.messages import Voice

VOICE = Voice([GAME.folder / "locale"], "en", ["Ann", "Bea"])
PENNED = """
    +---+---+---+   +
    | ?   ?   ? |
    +---+---+---+   +
"""


def moment(position, text):
    before, action = position.copy(), GAME.read(position, text)
    position.apply(action)
    return GAME.moment(before.seen_by(0), action, position.seen_by(0), VOICE)


def test_the_first_round_ends_and_the_roles_swap():  # TK-16 TK-17
    found = moment(field(PENNED, supply=1, turn="shepherd", gone="shy shy"), "fence e5 s")
    assert found.title == "Round 1 is over"
    assert found.gains == (Gain(0, 3, 3, ("3 tiles enclosed as Shepherd",)), Gain(1, 2, 2, ("2 sheep taken",)))
    assert found.steps == ()  # the field is a fresh one
    assert found.note == "That was the last fence. The roles are swapped: Bea is the Shepherd now, on a fresh field."


def test_the_second_round_ends_the_game():
    position = field(PENNED, round=2, supply=1, turn="shepherd", gone="shy shy")
    position.points[0], position.points[1] = 4, 7
    found = moment(position, "fence e5 s")
    assert found.title == "The game is over"
    assert [(gain.points, gain.total) for gain in found.gains] == [(2, 6), (3, 10)]
    assert found.steps == (Step(("tile-a1", "tile-b1", "tile-c1"), 1),)
    assert found.note == "That was the last fence. Bea wins, 10 to 6."


def test_a_pair_that_is_taken_stops_nothing():  # TK-9
    position = field("""
        +   +   +
          C   c
    """, revealed=1, first="a1")  # fmt: skip
    assert moment(position, "turn b1") is None


def test_a_solo_game_ends_with_what_was_freed():  # TK-23
    found = moment(field(PENNED, seats=1, gone="shy"), "give up")
    assert found.gains == (Gain(0, 1, 1, ("1 of 25 tiles freed",)),)
    assert found.note == "Lost, with 1 of 25 tiles freed."
