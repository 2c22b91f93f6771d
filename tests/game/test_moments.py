"""Moments of a session: with their plies, for each viewer; and read aloud."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
import toy_grass

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.position import SPECTATOR
from sheepfold.game.moments import Gain, Moment, Step, spoken
from sheepfold.game.records import Event, Record
from sheepfold.game.session import Session
from sheepfold.messages import Voice


def played(setup) -> Session:
    session, dice = Session(Record(setup, [])), Dice("moments")
    while not session.over:
        session.happened(session.plan(Event(int(session.position.to_act), int(session.position.random_action(dice)))))
    return session


@pytest.mark.parametrize("game", sheepfold.games(), ids=lambda game: game.name)
def test_a_game_ends_with_a_moment_and_has_few(game) -> None:
    session = played(game.setup(game.seats[-1]))
    voice = Voice([game.folder / "locale"])
    for viewer in (0, SPECTATOR):
        moments = session.moments(viewer, voice)
        plies = [ply for ply, _ in moments]
        assert plies[-1] == session.ply - 1 and 1 <= len(plies) <= 8
        assert session.moments(viewer, voice, plies[-1]) == moments[-1:]
        assert session.moments(viewer, voice, 0, plies[-1]) == moments[:-1]


def test_a_game_need_not_have_any() -> None:
    assert played(toy_grass.GAME.setup(2)).moments(SPECTATOR, Voice()) == []


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["The wall", "Ann +7: r1, row 1: 4; r2, row 2: 3. 23 in all.", "Bea -2: a card left. 0 in all.", "Bea is next."]),
        ("fr", ["The wall", "Ann +7 : r1, row 1: 4; r2, row 2: 3. 23 en tout.", "Bea -2 : a card left. 0 en tout.", "Bea is next."]),
        ("de", ["The wall", "Ann +7: r1, row 1: 4; r2, row 2: 3. 23 insgesamt.", "Bea -2: a card left. 0 insgesamt.", "Bea is next."]),
    ],
)
def test_a_moment_is_read_aloud(language, lines) -> None:
    gains = (Gain(0, 7, 23, ("r1, row 1: 4", "r2, row 2: 3")), Gain(1, -2, 0, ("a card left",)))
    moment = Moment("The wall", gains, (Step(("sheep-r1",), 4),), "Bea is next.")
    said = spoken(moment, Voice(language=language, names=["Ann", "Bea"]))
    assert [line.replace("\u00a0", " ") for line in said] == lines
    assert json.loads(json.dumps(asdict(moment)))["steps"] == [{"targets": ["sheep-r1"], "points": 4}]  # it can be sent
