"""What play stops for, in the terminal: a frame that fits, that waits for a person and not for a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver import SHEEPFOLD, Terminal, piped

import sheepfold
from sheepfold.ansi import plain, width
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.moments import Gain, Moment
from sheepfold.game.records import Event, Record, write_record
from sheepfold.game.session import Session
from sheepfold.terminal.language import game_voice, terminal_voice
from sheepfold.terminal.moments import framed, under
from sheepfold.terminal.play import Play
from sheepfold.terminal.screen import Screen
from sheepfold.terminal.sitting import Sitting

MOMENT = Moment(
    "The timer is in the pen: the rows score",
    (
        Gain(0, 6, 19, ("blue b1, row 2: 3", "blue b2, row 2: 3")),
        Gain(1, -4, 0, ("yellow y1: 0", "yellow y2: 0", "2 movement cards left: -4")),
    ),
    note="Roger leaves. Black is beautiful: who moves scores for each own sheep that touches Berta.",
)
NAMES = ["Anna", "Bartholomew the very Long"]


def shown(columns: int, language: str = "en") -> list[str]:
    game = sheepfold.load("haste-bock").game
    return framed(MOMENT, game_voice(game, language, NAMES), terminal_voice(language).say, game.colours, columns)


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_the_frame_fits_and_leaves_nothing_out(columns, language):
    lines = shown(columns, language)
    assert len({width(line) for line in lines}) == 1 and width(lines[0]) <= columns
    text = " ".join(plain(line).strip("│ ") for line in lines)
    for reason in (reason for gain in MOMENT.gains for reason in gain.reasons):
        assert reason in text
    for part in ("Anna", "Bartholomew", "+6", "-4", "19", "Roger leaves."):
        assert part in text


def test_a_wide_screen_has_a_line_a_player():
    assert [plain(line) for line in shown(100)[3:5]] == [
        "│ Anna                       +6  blue b1, row 2: 3; blue b2, row 2: 3                   19 in all │",
        "│ Bartholomew the very Long  -4  yellow y1: 0; yellow y2: 0; 2 movement cards left: -4   0 in all │",
    ]
    assert any("\x1b[34m" in line for line in shown(100))  # Anna's colour


def test_the_board_gives_way():
    board = "\n".join(f"line {row}" for row in range(20))
    frame = ["frame"] * 5
    assert under(board, frame, 25)[:20] == board.split("\n")
    cut = under(board, frame, 20)
    assert (len(cut), cut[13], plain(cut[14])) == (20, "line 13", "…")
    assert under(board, frame, 13) == frame


def before_a_moment(path: Path) -> str:
    """A record of two people at Haste Bock? that ends before the first moment; what is to be typed next."""
    session, dice = Session(Record(sheepfold.load("haste-bock", seats=2), [])), Dice("moment")
    voice = game_voice(session.game, "en", None)
    while not session.moments(SPECTATOR, voice, max(0, session.ply - 1)):
        position = session.position
        session.happened(session.plan(Event(int(position.to_act), int(position.random_action(dice)))))
    last = session.events[-1]
    session.take_back(session.ply - 1)
    path.write_text(write_record(session.record))
    return session.game.write(session.position, last.action)


def test_at_a_terminal_play_waits_for_enter(tmp_path):
    record = tmp_path / "game.txt"
    text = before_a_moment(record)
    terminal = Terminal("play", "--record", record, program=SHEEPFOLD, rows=24, columns=80)
    terminal.see("\n> ")
    terminal.type(text)
    assert "nearest to him scores 4" in terminal.see("╯\n[Enter]")
    terminal.type("")
    terminal.see("\n> ")
    terminal.type("undo")  # and it is shown again when it happens again
    terminal.see("\n> ")
    terminal.type(text)
    terminal.see("╯\n[Enter]")
    terminal.kill()


def test_a_pipe_is_not_kept_waiting(tmp_path):
    """Every line that is typed is an answer to a question, none goes to a moment."""
    record = tmp_path / "game.txt"
    done = piped("play", "haste-bock", "--seats", 2, "--bot", "random", "--seed", 3, "--record", record, typed="1\n" * 60)
    assert done.returncode == 0 and "The game is over" in done.stdout
    moments = 6
    assert done.stdout.count("╭───") == moments
    again = piped("replay", record)
    assert again.stdout.count("╭───") == moments
    framed_lines = [line for line in done.stdout.splitlines() if line.startswith("│")]
    assert framed_lines == [line for line in again.stdout.splitlines() if line.startswith("│")]


@pytest.mark.parametrize(
    ("players", "viewer"), [((None, "bot"), 0), (("bot", None), 1), ((None, None), SPECTATOR), (("bot", "bot"), SPECTATOR)]
)
def test_people_who_share_a_screen_are_shown_what_all_may_see(players, viewer):
    seats = [sheepfold.bots.bot("random") if player else None for player in players]
    sitting = Sitting(Record(sheepfold.load("guerre-des-moutons", seats=2), []), seats, 1)
    assert Play(sitting, Screen(), "en")._onlooker == viewer


def test_watching_without_stopping_goes_on(monkeypatch, capsys):
    """Who watches bots and wants no stops is not stopped."""
    sitting = Sitting(Record(sheepfold.load("te-kuiti", seats=2), []), [sheepfold.bots.bot("random")] * 2, 1)
    play = Play(sitting, Screen(), "en")
    play.screen.live = play.undisturbed = True
    play._play()
    assert sitting.session.position.to_act == OVER
    assert "Round 1 is over" not in capsys.readouterr().out
