"""Every registered game keeps the contract: every number of seats, option and check; in other processes and under Hypothesis too.

The toy games prove that the checks work: the sound ones pass them all, and each broken one is caught by the check meant for it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import toy_faults
import toy_grass
import toy_hats
from hypothesis import given, settings
from hypothesis import strategies as st

import sheepfold
from sheepfold.bots import bot
from sheepfold.game import conformance, registry
from sheepfold.game.conformance import CHECKS, Broken, Case, Line, cases, effort, pairs, play
from sheepfold.game.conformance.__main__ import main
from sheepfold.game.records import write_record

HERE = Path(__file__).parents[1]
FAILURES = HERE / "failures"
GAMES = sheepfold.games()
CASES = [case for game in GAMES for case in cases(game) if case.plain or case.setup.seats in (game.seats[0], game.seats[-1])]
"""Options at other values for the fewest and the most seats; under Hypothesis (below) and by the command for all of them."""
TOYS = [toy_grass.GAME, toy_hats.GAME, toy_hats.BELLS, toy_faults.COUNTED]
HEAVY = {"determinize_has_right_frequencies"}
"""Only at the default options, for the fewest and the most seats: what these check does not hang on more."""
LONG = {"words_work", "pictures_hide"}
"""At other options for the fewest seats."""


@pytest.fixture(scope="module", autouse=True)
def _bots():
    conformance.BOTS[:] = [bot(name).choose for name in ("random",)]
    yield
    conformance.BOTS.clear()


def checks_of(case: Case) -> list[str]:
    thorough = case.plain and not case.wrapped and case.setup.seats in (case.setup.game.seats[0], case.setup.game.seats[-1])
    short = not case.plain and (case.wrapped or case.setup.seats != case.setup.game.seats[0])
    return [name for name in CHECKS if (thorough or name not in HEAVY) and not (short and name in LONG)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case).replace(" ", "-"))
def test_game_keeps_the_contract(case: Case) -> None:
    """All checks on one line of play: to report each of two thousand as a test of its own took longer than most of them."""
    assert conformance.faults(case, 1, checks_of(case)) == {}


@pytest.mark.parametrize("game", [game for game in GAMES if game.secrets], ids=lambda game: game.name)
def test_searching_bots_are_fair(game, monkeypatch) -> None:
    """They take longer than the random one, so they are shown a few pairs of worlds only."""
    monkeypatch.setattr(conformance.secrecy_checks, "BOTS", [bot("search:8").choose])
    checked = 0
    for seed in range(6):
        line = play(cases(game, game.seats[0])[-1], seed, most=90)
        line.pairs = [pair for pair in pairs(line) if int(pair.truth.to_act) == pair.viewer][:2]
        CHECKS["bots_are_fair"](line)
        checked += len(line.pairs)
    assert checked


# Under Hypothesis: choices are shrunk to the shortest line that fails, and that line is kept as a record.

SLOW = {"determinize_has_right_frequencies", "words_work", "records_round_trip", "chance_follows_weights"}
QUICK = [name for name in CHECKS if name not in SLOW]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_any_choices_keep_the_contract(game) -> None:
    every = cases(game)

    @settings(max_examples=effort(24))
    @given(st.sampled_from(every), st.lists(st.integers(0, 10**6), max_size=60), st.sampled_from(QUICK))
    def drive(case: Case, choices: list[int], name: str) -> None:
        line = play(case, "choices", choices)
        try:
            CHECKS[name](line)
        except Exception:
            keep_failure(line, name)
            raise

    drive()


def keep_failure(line: Line, name: str, folder: Path = FAILURES) -> Path:
    """The line as a record, or, where it cannot be written so, as its events."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{line.game.name}-{name}.txt"
    try:
        path.write_text(write_record(line.record()), encoding="utf-8")
    except Exception:
        path.write_text("\n".join(str(tuple(event)) for event in line.events), encoding="utf-8")
    return path


def test_a_failure_is_shrunk_and_kept_as_a_record(tmp_path) -> None:
    """The shortest line on which the toy loses a tuft is die, bite."""
    game = toy_faults.FAULTS["TuftGetsLost-census_is_constant"][1]
    kept = []

    @settings(max_examples=100)
    @given(st.lists(st.integers(0, 10**6), max_size=60))
    def drive(choices: list[int]) -> None:
        line = play(Case(game.setup(2)), "choices", choices)
        try:
            CHECKS["census_is_constant"](line)
        except Broken:
            kept.append(keep_failure(line, "census_is_constant", tmp_path))
            raise

    with pytest.raises(Broken):
        drive()
    events = kept[-1].read_text().split("\n\n")[1].splitlines()[:-1]
    assert events == ["chance draw 3", "1 take 0"]


# Other processes.


def sums_elsewhere(name: str, **environment: str) -> dict[str, str]:
    path = os.pathsep.join([str(HERE / "toys"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "sheepfold.game.conformance", name, "--checksums"],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    sums: dict[str, str] = json.loads(done.stdout)
    return sums


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_other_processes_play_the_same(game) -> None:
    """Whatever PYTHONHASHSEED, compiled or interpreted, the same seeds give the same games."""
    here = conformance.checksums(game)
    assert sums_elsewhere(game.name, PYTHONHASHSEED="1", SHEEPFOLD_PURE="1") == here
    if sheepfold.compiled():
        assert sums_elsewhere(game.name, PYTHONHASHSEED="2", SHEEPFOLD_PURE="0") == here


def test_hash_order_is_caught() -> None:
    assert sums_elsewhere("toy_faults:HASH_ORDER", PYTHONHASHSEED="1") != sums_elsewhere("toy_faults:HASH_ORDER", PYTHONHASHSEED="2")
    assert sums_elsewhere("toy_hats:BELLS", PYTHONHASHSEED="1") == sums_elsewhere("toy_hats:BELLS", PYTHONHASHSEED="2")


# The checks themselves.


@contextmanager
def on_the_shelf(game):
    """The toy can be found by name, as a record finds its game."""
    with registry.added(game):
        yield


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_sound_toys_pass_every_check(toy) -> None:
    with on_the_shelf(toy):
        for case in cases(toy):
            assert conformance.faults(case, 1, checks_of(case)) == {}
            assert conformance.faults(case, 2, QUICK) == {}


@pytest.mark.parametrize("fault", toy_faults.FAULTS)
def test_broken_toys_are_caught(fault: str) -> None:
    """By the check meant for it, on one of a few lines of play."""
    check, game = toy_faults.FAULTS[fault]
    game.name = game.name.lower()
    with on_the_shelf(game):
        for seed in range(4):
            for case in cases(game):
                try:
                    CHECKS[check](play(case, seed))
                except Broken:
                    return
    pytest.fail(f"{check} does not notice that {fault}")


def test_every_check_has_a_fault_that_it_catches() -> None:
    assert {check for check, _ in toy_faults.FAULTS.values()} == set(CHECKS)


def test_every_check_states_its_contract() -> None:
    for name, check in CHECKS.items():
        sentence = str(check.__doc__).splitlines()[0]
        assert sentence[0].isupper() or sentence.split("(")[0].split()[0].isidentifier(), name
        assert sentence.endswith("."), name


def test_the_command_says_what_is_broken(capsys) -> None:
    assert main(["toy_grass:GAME", "--seats", "2"]) == 0
    assert "grass 2: sound" in capsys.readouterr().out
    toy_faults.BROKEN = toy_faults.FAULTS["UnsortedLegal-legal_is_sound"][1]
    assert main(["toy_faults:BROKEN", "--seats", "2", "--check", "legal_is_sound"]) == 1
    assert "not ascending" in capsys.readouterr().out
