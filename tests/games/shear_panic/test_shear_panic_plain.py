"""The rules of Shear Panic against a second, slow and plain implementation, through whole random games."""

from __future__ import annotations

import pytest
from shear_panic_draw import flock, play
from shear_panic_plain import LETTERS, Plain, tidy

from plain_games import SetUp, agree_on, every_setup, in_short, tables_of
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.games.flock import DIRECTION_NAMES, SHEEP, SHEEP_NAMES
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.rules import START, ShearPanic

SETUPS = every_setup(GAME)


def agree(setup: SetUp, seed: str) -> int:
    """One random game, compared at every decision; how many there were."""
    dice = Dice(f"{setup} {seed}")
    begun = setup.begin(seed)
    position, other = begun.start(), Plain(setup.seats, begun.options, tables_of(begun))
    played: list[str] = []
    while position.to_act != OVER:
        if position.stage != START:
            assert facts(position) == plain_facts(other), played
            texts = [plainly(position, action) for action in position.legal()]
            assert len(texts) == len(set(texts)), played
            assert set(texts) == other.choices(), played
            if other.stage == "regroup die":
                faces = {f"die {face}": other.box["regroup-die"][face] for face in ("straight", "diagonal")}
                assert dict(zip(texts, position.weights(), strict=True)) == faces, played
        action = position.random_action(dice)
        played.append(plainly(position, action))
        position.apply(action)
        other.play(played[-1])
    assert facts(position) == plain_facts(other), played
    assert position.ranks() == other.ranks(), played
    return len(played)


def plainly(position: ShearPanic, action: int) -> str:
    """An action as the plain implementation writes it, which has no pieces: of two alike the first is the one that stands first."""
    names = {SHEEP_NAMES[position.piece(sheep)]: SHEEP_NAMES[sheep] for sheep in range(SHEEP)}
    return " ".join(names.get(word, word) for word in GAME.write(position, action).split())


def facts(position: ShearPanic) -> dict[str, object]:
    places = {place: LETTERS[sheep // 2] for sheep, place in enumerate(position.places()) if place}
    return {
        "who": int(position.to_act),
        "flock": places,
        "looks": DIRECTION_NAMES[position.facing],
        "counter": int(position.counter),
        "scores": position.scores(),
    }


def plain_facts(other: Plain) -> dict[str, object]:
    return {
        "who": other.who(),
        "flock": tidy(other.flock),
        "looks": other.looks,
        "counter": other.counter,
        "scores": other.scores,
    }


@pytest.mark.parametrize("setup", in_short(SETUPS), ids=str)
def test_whole_games_agree(setup: SetUp) -> None:  # SP-1 to SP-84
    assert agree_on(agree, setup, 1) > 30


def test_what_was_played_and_the_seed_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: a rule that is broken is found, and can be played again."""
    monkeypatch.setattr(Plain, "look_for_panic", Plain.end_turn)
    monkeypatch.setenv("SHEEPFOLD_SEED", "again")
    with pytest.raises(AssertionError, match=r"\['first \d', 'die ") as found:
        agree_on(agree, SetUp(GAME, 4), 1)
    assert found.value.__notes__ == ["shear-panic 4: SHEEPFOLD_SEED=again plays this game again"]


def test_facts_tell_positions_apart() -> None:
    position, other = flock("Y B R\nG K Y\nB R G", active="Y"), Plain(4, GAME.setup(4).options)
    assert isinstance(position, ShearPanic)
    other.begin(1)
    other.stage = "square"
    assert facts(position) == plain_facts(other)
    play(position, "slam 3", "slam y2 w")
    for text in ("slam 3", "slam y2 w"):
        assert facts(position) != plain_facts(other)
        other.play(text)
    assert facts(position) == plain_facts(other)
