"""The quick bot: it looks at a few actions and takes the best of them."""

from __future__ import annotations

import pytest

from sheepfold.bots import UnknownBot, bot
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import sequential
from sheepfold.game.registry import every_game


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_it_plays_every_game_from_views_alone_and_repeats_itself(game):
    ends = []
    for _ in range(2):
        position, dice, player = sequential(game.setup().start()), Dice("glance"), bot("glance:2")
        while position.to_act != OVER:
            if position.to_act == CHANCE:
                position.advance(position.random_action(dice))
            else:
                position.apply(player.choose(position.seen_by(position.to_act), dice))
        ends.append(position)
    assert ends[0] == ends[1]


def test_it_looks_at_a_whole_number_of_actions():
    assert bot("glance").looks == 4
    assert bot("glance:9").name == "glance:9"
    for wrong in ("glance:0", "glance:x", "glance:-1"):
        with pytest.raises(UnknownBot, match="as in glance:4"):
            bot(wrong)
