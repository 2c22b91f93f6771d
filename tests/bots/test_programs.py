"""Bots in any language: the examples play, worlds that look alike are told alike, and whatever a program does wrong costs it its seat."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sheepfold.arena.arena import Contest, contend, outcome_from
from sheepfold.arena.simulate import simulate
from sheepfold.bots import UnknownBot, bot
from sheepfold.bots.program import Forfeit, ProgramBot, anybody, ask_once, command
from sheepfold.bots.protocol import LET_GO, Nonsense, question
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import Sequential, sequential
from sheepfold.game import conformance
from sheepfold.game.registry import every_game, find

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
PYTHON = f"{sys.executable} -S -E"
"""Without what only our own commands need, which takes longest to begin."""
POSIX = pytest.mark.skipif(os.name == "nt", reason="groups of processes and limits of memory are those of Unix")


def program(folder: Path, text: str, settings: str = "") -> str:
    """A bot that is this Python program. `told` has what it is told."""
    file = folder / f"bot{abs(hash(text))}.py"
    before = (
        "import json, os, sys, time\ndef say(it): print(json.dumps(it), flush=True)\ndef told(): return json.loads(sys.stdin.readline())\n"
    )
    file.write_text(before + text)
    return f"cmd:{settings}{PYTHON} {file}"


READY = "told(); say({'ready': 1})\n"


@pytest.fixture(scope="module")
def first():
    """A question at the start of a game, and its view."""
    setup = find("sheepzzz").setup(3)
    position, dice = setup.start(), Dice("first")
    while position.to_act == CHANCE:
        position.advance(position.random_action(dice))
    return setup, position.seen_by(position.to_act)


# The examples.


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> str:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("no C compiler here")
    made = tmp_path_factory.mktemp("c") / "bot"
    subprocess.run([compiler, "-Wall", "-Werror", "-o", made, EXAMPLES / "bot.c"], check=True)
    return f"cmd:{made}"


def in_javascript() -> str:
    if not shutil.which("node"):
        pytest.skip("no Node.js here")
    return f"cmd:node {EXAMPLES / 'bot.js'}"


@pytest.mark.parametrize("language", ["Python", "JavaScript", "C"])
def test_the_examples_play(language: str, request: pytest.FixtureRequest) -> None:
    name = {
        "Python": lambda: f"cmd:{PYTHON} {EXAMPLES / 'bot.py'}",
        "JavaScript": in_javascript,
        "C": lambda: request.getfixturevalue("in_c"),
    }[language]()
    for game, seats in (("guerre-des-moutons", 2), ("sheepzzz", 2)):
        contest = Contest(game, seats, (name, "random"), "examples").checked()
        outcome = contend(contest, 1)[0]
        assert not outcome.forfeits and name in outcome.line_up
        again = contend(contest, 1)[0]
        assert outcome[:5] == again[:5], "the same seed is the same game"


@pytest.mark.parametrize("game", [game.name for game in every_game()])
def test_a_program_is_given_all_that_can_be_done_in_every_game(game: str) -> None:
    setup = find(game).setup()
    position, dice, asked = sequential(setup.start()), Dice("every"), set()
    while position.to_act != OVER and len(asked) < 30:
        if position.to_act != CHANCE:
            view = position.seen_by(position.to_act)
            given = question(view, dice, 2.5, setup)
            told = json.loads(given.decide)
            assert given.decide.isascii() and given.decide.count("\n") == 1
            assert sorted(given.answers.values()) == view.legal() == sorted(each["number"] for each in told["actions"])
            assert len(told["view"]) == sum(count for _, count, _ in json.loads(given.setup)["layout"])
            assert told["clock"] == {"seconds": 2.5} and told["outline"] and told["prompt"]
            for text, number in given.answers.items():
                assert given.meant(json.dumps({"action": text})) == given.meant(json.dumps({"action": number})) == number
            interrupting = isinstance(view, Sequential) and view.asking()
            assert told["interrupting"] == interrupting and (not interrupting or given.answers[LET_GO] == view.pass_action)
            asked.add(given.decide)
        position.advance(position.random_action(dice))


@pytest.mark.parametrize("game", [game.name for game in every_game() if game.secrets])
def test_a_program_is_told_the_same_in_worlds_that_look_alike(game: str) -> None:
    tried = 0
    for case in conformance.cases(find(game)):
        if not case.plain or case.setup.start().interruptible != case.wrapped:
            continue
        line = conformance.play(case, "fair programs", most=150)
        for pair in conformance.pairs(line):
            if int(pair.truth.to_act) == pair.viewer:
                told = [question(world.seen_by(pair.viewer), Dice("fair"), 1, case.setup) for world in (pair.truth, pair.other)]
                assert told[0] == told[1], f"a program could tell apart two worlds that look alike: {line.where(pair.ply)}"
                assert pair.truth.key() != pair.other.key()
                tried += 1
    assert tried > 5


# What goes wrong.


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("told(); sys.exit(3)", "it ended with code 3"),
        ("told(); raise RuntimeError('wool in the works')", "it ended with code 1: RuntimeError: wool in the works"),
        (READY + "told(); os.abort()", "it was ended by signal 6"),
        ("told(); say('baa')", "no JSON object"),
        ("told(); print('baa', flush=True)", "'baa', which is no JSON"),
        ("told(); say({'ready': 7})", 'not with {"ready": 1}, the protocol here'),
        (READY + "told(); say({'action': 'fly away'})", "none of the"),
        (READY + "told(); say({'action': 10**30})", "none of the"),
        (READY + "told(); say({'action': True})", "none of the"),
        (READY + "told(); print('[' * 60000, flush=True)", "no JSON"),
        (READY + "told()\nwhile True: sys.stdout.write('baa' * 1000)", "longer than 65536 bytes"),
        (READY + "say({'action': 'fly'}); told()", "nobody had asked|none of the"),
        ("told(); os.close(1); time.sleep(1000)", "it closed its output"),
    ],
)
@POSIX
def test_what_a_program_does_wrong_is_a_forfeit_with_the_reason(tmp_path: Path, first, text: str, why: str) -> None:
    setup, view = first
    player = ProgramBot(program(tmp_path, text), setup)
    with pytest.raises(Forfeit, match=why.replace("{", r"\{").replace("}", r"\}")):
        player.choose(view, Dice(1))


@pytest.mark.parametrize("text", ["time.sleep(1000)", READY + "time.sleep(1000)", READY + "told()\nwhile True: pass"])
def test_who_waits_for_a_program_that_hangs_waits_no_longer_than_its_time(tmp_path: Path, first, text: str) -> None:
    """Whether it reads its questions or not."""
    setup, view = first
    player = ProgramBot(program(tmp_path, text, "seconds=0.2:" + ("start=0.2:" if READY not in text else "")), setup)
    with pytest.raises(Forfeit, match=r"no answer in 0\.2 seconds"):
        player.choose(view, Dice(1))


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can be told from outside")
def test_a_program_has_no_more_memory_than_it_is_given(tmp_path: Path, first) -> None:
    setup, view = first
    hungry = READY + "told(); wool = b'x' * (200 << 20); say({'action': 'fly'})"
    with pytest.raises(Forfeit, match="MemoryError"):
        ProgramBot(program(tmp_path, hungry, "memory=100:"), setup).choose(view, Dice(1))
    with pytest.raises(Forfeit, match="none of the"):
        ProgramBot(program(tmp_path, hungry, "memory=400:"), setup).choose(view, Dice(1))


def gone(process: int) -> bool:
    """Whether it has ended, though nobody may have asked how."""
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("last", ["say({'action': told()['actions'][0]['action']}); time.sleep(1000)", "sys.exit(1)"])
def test_what_a_program_has_started_ends_with_it(tmp_path: Path, first, last: str) -> None:
    setup, view = first
    noted = tmp_path / "children"
    text = (
        f"import subprocess\nwool = subprocess.Popen(['sleep', '1000'])\nopen({str(noted)!r}, 'w').write(f'{{os.getpid()}} {{wool.pid}}')\n"
    )
    player = ProgramBot(program(tmp_path, text + READY + last), setup)
    try:
        player.choose(view, Dice(1))
    except Forfeit:
        assert "exit" in last
    player.close()
    processes = list(map(int, noted.read_text().split()))
    assert len(processes) == 2
    for _ in range(600):
        if all(map(gone, processes)):
            return
        time.sleep(0.05)
    pytest.fail("a process was left behind")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_programs_end_with_a_worker_that_is_ended(tmp_path: Path) -> None:
    """An arena that is interrupted ends its workers by a signal."""
    noted = tmp_path / "process"
    hangs = program(tmp_path, f"open({str(noted)!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)")
    worker = subprocess.Popen(
        [sys.executable, "-c", f"from sheepfold.arena.arena import *; contend(Contest('sheepzzz', 2, ({hangs!r}, 'random'), '1'), 1)"]
    )
    for _ in range(600):
        if noted.exists() and noted.read_text():
            break
        time.sleep(0.05)
    worker.terminate()
    assert worker.wait(60) < 0
    process = int(noted.read_text())
    for _ in range(600):
        if gone(process):
            return
        time.sleep(0.05)
    pytest.fail("a program was left behind")


@POSIX
def test_what_a_program_notes_is_shown_up_to_a_bound(tmp_path: Path, first, capfd: pytest.CaptureFixture[str]) -> None:
    setup, view = first
    noisy = READY + "for at in range(5000): print('note', at, 'x' * 5000, file=sys.stderr)\nsay({'action': told()['actions'][0]['action']})"
    player = ProgramBot(program(tmp_path, noisy), setup)
    assert player.choose(view, Dice(1)) in view.legal(), "who reads nothing of it would let it wait for ever"
    player.close()
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 200 and max(map(len, said)) < 600
    assert said[0].startswith("[") and "note 0" in said[0] and "more than is passed on" in said[-1]


def test_a_program_is_told_nothing_of_a_servers_keys(tmp_path: Path, first, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHEEPFOLD_HOST_KEY", "a key for tests only")
    setup, view = first
    curious = READY + "told(); say({'action': [name for name in os.environ if 'SHEEPFOLD' in name]})"
    with pytest.raises(Forfeit, match=r"\"action\": \[\]"):
        ProgramBot(program(tmp_path, curious), setup).choose(view, Dice(1))


# Contests.


def test_who_forfeits_comes_last_and_another_plays_on(tmp_path: Path) -> None:
    """In a game for four the other three have a whole game."""
    lost = program(tmp_path, READY + "told(); sys.exit(1)")
    contest = Contest("sheepzzz", 4, (lost, "random"), "forfeits").checked()
    file = tmp_path / "games.jsonl"
    outcomes = contend(contest, 5, path=file)
    for outcome in outcomes:
        seats = [seat for seat, name in enumerate(outcome.line_up) if name == lost]
        others = [rank for seat, rank in enumerate(outcome.ranks) if seat not in seats]
        assert all("it ended with code 1" in outcome.forfeits[seat] for seat in seats)
        assert {outcome.ranks[seat] for seat in seats} == {len(others) + 1} and max(others) <= len(others)
        assert sum(map(bool, outcome.forfeits)) == len(seats)
    assert contend(contest, 5, path=file) == outcomes, "what was written is read again"
    old = {key: value for key, value in outcomes[0]._asdict().items() if key != "forfeits"}
    assert outcome_from(old).forfeits == (), "a file of before"


def test_in_a_simulation_a_forfeit_is_a_game_without_result(tmp_path: Path) -> None:
    result = simulate(find("sheepzzz").setup(2), 2, [program(tmp_path, "told(); sys.exit(1)"), "random"], seed=1)
    assert not result.played and len(result.problems) == 2
    assert "forfeits: it ended with code 1" in result.problems[0].what


def test_every_seat_has_a_program_of_its_own(tmp_path: Path) -> None:
    """Else it would see the hands of two seats."""
    noted = tmp_path / "seats"
    text = f"seat = told()['seat']\nopen({str(noted)!r}, 'a').write(f'{{os.getpid()}} {{seat}}\\n')\nsay({{'ready': 1}})\n"
    text += (
        "for line in sys.stdin:\n asked = json.loads(line)\n assert asked['seat'] == seat\n say({'action': asked['actions'][0]['action']})"
    )
    outcome = contend(Contest("sheepzzz", 3, (program(tmp_path, text),), "seats"), 1)[0]
    assert not outcome.forfeits
    lines = [line.split() for line in noted.read_text().splitlines()]
    assert len({process for process, _ in lines}) == 3 and sorted(seat for _, seat in lines) == ["0", "1", "2"]


# Names.


def test_settings_stand_before_the_command() -> None:
    told = command(f"cmd:seconds=2.5:memory=64:{sys.executable} -c 'print(1)'")
    assert (told.seconds, told.memory, told.start, told.words) == (2.5, 64, 30.0, (sys.executable, "-c", "print(1)"))


@pytest.mark.parametrize("name", ["cmd:", "cmd:./there-is-none", "cmd:seconds=soon:cat", "cmd:seconds=0:cat", "cmd:memory=0:cat", "cmd:'"])
def test_a_command_that_cannot_be_is_refused_at_once(name: str) -> None:
    with pytest.raises(UnknownBot):
        anybody(name)


def test_only_who_runs_a_command_has_programs() -> None:
    """Everything else finds bots by `bot`: forms, requests, files."""
    with pytest.raises(UnknownBot, match="there is no bot"):
        bot("cmd:cat")


def test_a_program_for_one_question_alone_is_asked_as_any(tmp_path: Path, first) -> None:
    setup, view = first
    asked = question(view, Dice(1), 5, setup)
    willing = command(program(tmp_path, READY + "say({'action': told()['actions'][-1]['action']})"))
    assert ask_once(willing, asked, lambda line: None) == max(asked.answers.values())
    with pytest.raises(Nonsense):
        asked.meant("{}")
