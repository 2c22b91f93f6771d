"""Games that only bots play, in their own process: by the rules, with the chance that the table has sealed, a little at a time."""

from __future__ import annotations

import pytest

from sheepfold.core.position import CHANCE
from sheepfold.game.records import Record, happen
from sheepfold.game.registry import find, names
from sheepfold.game.session import Session
from sheepfold.table.bot_players import choose, play_on, think
from sheepfold.table.sealed_chance import SealedChance


def begun(name: str, secret: str) -> Record:
    """A game of the most players, after the chance that opens it."""
    game = find(name)
    session = Session(Record(game.setup(game.seats[-1]), []))
    plan = session.plan_nothing()
    session.let_chance_follow(plan, SealedChance(secret).draw, plan.seat)
    session.happened(plan)
    return session.record


@pytest.mark.parametrize("name", names())
def test_any_game_comes_to_its_end(name: str) -> None:
    secret = "5" * 64
    record = begun(name, secret)
    before = record.events[:]
    seats = record.setup.seats
    some = play_on(Record(record.setup, before[:]), ["lamb"] * seats, secret, 0.0)
    assert sum(event.who >= 0 for event in some) == 1, "one decision at least"
    rest = play_on(Record(record.setup, [*before, *some]), ["lamb"] * seats, secret, 300.0)
    position, chance = record.setup.start(), SealedChance(secret)
    for ply, event in enumerate([*before, *some, *rest]):
        if event.who == CHANCE:
            assert event.action == chance.draw(position, ply)
        happen(position, event)
    assert Session(Record(record.setup, [*before, *some, *rest])).over


def test_a_bot_plays_as_its_level_chooses_and_a_hint_is_its_best() -> None:
    """Also a level that does not always play the best it knows; what it finds best is for who asks for a hint."""
    record = begun("haste-bock", "5" * 64)
    seat = int(Session(record).position.to_act)
    found = think(record, seat, "ewe")
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
    assert found == think(record, seat, "ewe"), "nothing is hidden there"
    assert {choose(record, seat, "ewe") for _ in range(40)} > {found[0][0]}
