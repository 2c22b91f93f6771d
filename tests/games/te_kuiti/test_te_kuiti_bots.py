"""What bots of Te Kuiti find worth turning."""

from __future__ import annotations

from te_kuiti_drawn import VOICE, field

from sheepfold.bots import LEVELS
from sheepfold.bots.thinkers import settings_of
from sheepfold.games.te_kuiti import GAME
from sheepfold.games.te_kuiti.evaluator import EVALUATOR, TeKuitiEvaluator
from sheepfold.games.te_kuiti.rules import TURN

PATIENT = TeKuitiEvaluator(patience=1)
NEAR = """
        +   +   +---+---+---+
        | c   c   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +   +   +   +   +   +
        | ?   ?   ?   ?   ? |
        +---+---+---+---+---+
"""


def tiles(evaluator, position):
    return [action - TURN for action in evaluator.sensible(position)]


def test_who_is_patient_learns_first_and_takes_known_pairs_while_there_is_still_time():
    far = field("""
        +   +   +   +   +   +
          c   c   ?   ?   ?
    """)  # fmt: skip
    assert tiles(EVALUATOR, far) == [0, 1]
    assert tiles(PATIENT, far) == list(range(2, 25)), "twenty fences are missing: ten turns"
    assert tiles(EVALUATOR, field(NEAR)) == tiles(PATIENT, field(NEAR)) == [0, 1], "the Shepherd's next turn closes it"


def test_a_match_of_what_is_up_is_taken_however_patient_one_is():
    position = field("""
        +   +   +   +   +   +
          C   c   s   s   ?
    """, revealed=1, first="a1")  # fmt: skip
    assert tiles(PATIENT, position) == [1]


def test_a_hint_to_turn_a_new_tile_says_that_known_pairs_can_wait():
    drawing = """
        +   +   +   +   +   +
          c   {}   ?   ?   ?
    """
    for second, said in (("c", "reason.turn.wait"), ("s", "reason.turn.new")):
        position = field(drawing.format(second), **{"memory-aid": True})
        assert GAME.reason(position.seen_by(position.sheep), TURN + 2, VOICE) == VOICE.say(said)
    closing = field(NEAR, **{"memory-aid": True})
    assert GAME.reason(closing, TURN + 2, VOICE) == VOICE.say("reason.turn.new"), "there is no time any more"
    assert GAME.reason(field(drawing.format("c")), TURN + 2, VOICE) == "", "in a game of memory nothing is said of what was seen"


def test_only_the_strongest_level_is_patient():
    start = field()
    assert ["patience=1" in settings_of(start, level) for level in LEVELS] == [False, False, False, True]
    assert "patience" not in settings_of(start, "bellwether-1"), "what it was stays as it was"
