"""Points that an action brings at once, as the page promises them: always what it then brings, and nothing where that would tell more."""

from __future__ import annotations

import pytest

from sheepfold.game.conformance.lines import Case, play
from sheepfold.game.game import Game, Setup
from sheepfold.game.registry import every_game, find
from sheepfold.messages import Voice


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_what_is_promised_is_given(game: Game) -> None:
    promised = 0
    lines = [play(Case(game.setup(game.seats[-1])), f"gains {number}") for number in range(4)]
    for position in (position for line in lines for position in line.positions):
        seat = int(position.to_act)
        if seat < 0:
            continue
        view = position.seen_by(seat)
        for action in view.legal()[:40]:
            gain = game.gain(view, action)
            if gain is None:
                continue
            after = position.copy()
            after.advance(action)
            assert after.scores()[seat] - position.scores()[seat] == gain
            promised += gain > 0
    assert (promised > 0) is (game.name != "sheepzzz"), "pillows are counted at the end of a round"


def test_a_tile_that_was_seen_promises_nothing() -> None:
    """Te Kuiti: whoever turns one up knows by heart what it is, or does not."""
    game = find("te-kuiti")
    for position in play(Case(game.setup(2)), "turning").positions:
        if position.to_act >= 0:
            view = position.seen_by(position.to_act)
            turns = [action for action in view.legal() if game.write(view, action).startswith("turn")]
            assert {game.gain(view, action) for action in turns} <= {None}
            assert {game.reason(view, action, Voice([game.folder / "locale"])) for action in turns} <= {""}


def test_a_game_that_does_not_say_promises_nothing_of_secrets() -> None:
    open_game = find("haste-bock")
    kind = type(open_game)

    class Secret(kind):  # type: ignore[valid-type, misc]
        secrets = True

    class Remembered(kind):  # type: ignore[valid-type, misc]
        def tests_memory(self, setup: Setup) -> bool:
            return False

    positions = play(Case(open_game.setup(2)), "gains").positions
    view = next(each for each in positions if each.to_act == 0 and any(open_game.gain(each, action) for action in each.legal()))
    action = next(action for action in view.legal() if open_game.gain(view, action))
    voice = Voice([open_game.folder / "locale"])
    assert Secret().gain(view, action) is Remembered().gain(view, action) is None
    assert Game.reason(open_game, view, action, voice).startswith("It brings") and Game.reason(Secret(), view, action, voice) == ""
