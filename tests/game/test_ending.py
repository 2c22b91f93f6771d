"""How a finished game came about: points by phase, and the turning point, held against the log itself."""

from __future__ import annotations

import pytest
from tables_helper import finished

from sheepfold.core.evaluator import Evaluator
from sheepfold.game.ending import CLEAR, QUARTERS, ending
from sheepfold.game.registry import every_game, find
from sheepfold.game.session import Session
from sheepfold.messages import Voice, languages


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_all_parts_together_are_the_result(game) -> None:
    for seats in game.seats:
        session = Session(finished(game.name, seats, "parts"))
        told = ending(session)
        assert [sum(part.gains[seat] for part in told.parts) for seat in range(seats)] == [
            int(points) for points in session.position.scores()
        ]
        numbers = [part.number for part in told.parts]
        assert numbers == sorted(set(numbers))
        assert told.has_phases == bool(game.phase(session.setup.start()))
        assert told.has_phases or numbers == list(range(1, QUARTERS + 1))


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_the_winner_is_ahead_from_the_turning_point_on(game) -> None:
    found = []
    for seed in ("one", "two", "three", "four", "five"):
        session = Session(finished(game.name, game.seats[-1], seed))
        turned = ending(session).turned
        ranks = [int(rank) for rank in session.position.ranks()]
        if turned is None or ranks.count(1) > 1:
            assert turned is None or len(ranks) == 1
            continue
        winner = ranks.index(1)
        leads = []
        for ply in range(session.ply + 1):
            values = game.evaluator.values(session.at(ply))
            leads.append(values[winner] - max(value for seat, value in enumerate(values) if seat != winner))
        assert leads[turned] < 0 <= min(leads[turned + 1 :]), "behind before it, never after it"
        assert min(leads) <= -CLEAR
        found.append(turned)
    assert found, "one of five games had a turning point"


def test_who_was_ahead_all_the_way_has_no_turning_point(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(finished("haste-bock", 2, "one"))
    winner = [int(rank) for rank in session.position.ranks()].index(1)

    class Certain(Evaluator):
        def values(self, position) -> list[float]:
            return [1.0 if seat == winner else 0.0 for seat in range(2)]

    class Doubtful(Evaluator):
        def values(self, position) -> list[float]:
            lead = CLEAR / 3 * (1 if position.to_act == winner else -1)
            return [0.5 + lead if seat == winner else 0.5 for seat in range(2)]

    for evaluator in (Certain(), Doubtful()):
        monkeypatch.setattr(find("haste-bock"), "evaluator", evaluator, raising=False)
        assert ending(session).turned is None


def test_phases_have_names_in_every_language() -> None:
    named = {}
    for game in every_game():
        session = Session(finished(game.name, game.seats[-1], "parts"))
        told = ending(session)
        if told.has_phases:
            for language in languages():
                voice = Voice([game.folder / "locale"], language)
                named[game.name, language] = [game.phase_name(part.number, voice) for part in told.parts]
    assert named["sheepzzz", "de"][0] == "Runde 1"
    assert named["te-kuiti", "fr"] == ["Manche 1", "Manche 2"]
    assert named["haste-bock", "en"][1] == "Roger's attraction"
    assert named["shear-panic", "en"][1] == "Roger's field"
    assert all(len(set(each)) == len(each) for each in named.values())
