"""Playing in the terminal, as real processes: piped, and at a terminal of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from driver import COLOUR, SHEEPFOLD, TOY, Terminal, environment, piped

import sheepfold
from sheepfold.ansi import plain
from sheepfold.core.dice import Dice
from sheepfold.game.records import Record
from sheepfold.terminal.layout import Size
from sheepfold.terminal.play import Asking, Play, Question
from sheepfold.terminal.screen import Screen
from sheepfold.terminal.sitting import Sitting

ALONE = ("play", "clover", "--seats", 2, "--bot", "random", "--seed", 1)
CTRL_C = 130


def events(path: Path) -> list[str]:
    """The event lines of a record."""
    return [line for line in path.read_text().split("\n\n", 1)[1].splitlines() if not line.startswith("sum:")]


def test_a_piped_game_is_played_to_its_end_in_plain_text():
    done = piped(*ALONE, typed="1\n" * 12)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "Player 1 takes 1 clover." in done.stdout
    assert "The game is over: " in done.stdout


def test_what_happened_is_told_once():
    done = piped("play", "clover", "--seats", 1, "--seed", 1, "--option", "heap=4", typed="1\n3\n")
    assert done.stdout.count("takes 1 clover.") == 1
    assert done.stdout.count("takes 3 clovers.") == 1


def test_choices_are_taken_by_number_by_notation_and_by_its_beginning(tmp_path):
    record = tmp_path / "game.txt"
    piped("play", "clover", "--seats", 1, "--seed", 1, "--record", record, typed="2\ntake 3 field 1\nTAKE  1\n")
    assert [line for line in events(record) if "take" in line] == ["1 take 2 field 1", "1 take 3 field 1", "1 take 1 field 1"]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("9", "There is no choice 9: type a number from 1 to 3"),
        ("tke 2", "'tke 2' is not possible here. Did you mean take 2 field 1"),
        ("take", "take could be one of these"),
        ("", "Type the number of a choice"),
        ("/purple", "No choice has purple in it."),
        ("undo", "There is nothing to take back yet."),
        ("save", "Say where: save FILE."),
        ("2!", "Player 2 cannot interrupt now."),
        ("log", "Nothing has happened yet."),
    ],
)
def test_bad_input_gets_a_clear_message_and_loses_nothing(tmp_path, typed, answer):
    record = tmp_path / "game.txt"
    done = piped("play", "clover", "--seats", 1, "--seed", 1, "--record", record, typed=f"{typed}\n2\n")
    assert answer in done.stdout
    assert events(record)[0] == "1 take 2 field 1"


def test_undo_goes_back_to_the_decision_and_the_dice_fall_again_as_they_fell(tmp_path):
    plain, undone = tmp_path / "plain.txt", tmp_path / "undone.txt"
    piped(*ALONE, "--record", plain, typed="1\n2\n")
    piped(*ALONE, "--record", undone, typed="3\nundo\n1\n1\nundo\n2\n")
    assert events(plain) == events(undone)
    assert len(events(plain)) >= 8


# Fair undo: the policy is the session's (tests/game/test_session.py), as it is the page's (tests/table/test_tables.py).


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "You have seen something by it, so it stands."),
        ("fr", "Vous avez vu quelque chose, le coup reste donc joué."),
        ("de", "Du hast dabei etwas gesehen, darum bleibt der Zug stehen."),
    ],
)
def test_among_people_nobody_looks_at_a_tile_again_by_taking_back(tmp_path, language, said):  # TK-7
    record = tmp_path / "game.txt"
    two = ("play", "te-kuiti", "--seats", 2, "--seed", 1, "--option", "first-shepherd=1", "--language", language, "--record", record)
    done = piped(*two, typed="fence a1 n\nundo\nfence b1 n\nfence c1 n\nturn a1\nundo\nundo\n")
    assert done.stdout.count(said) == 2
    decided = [line for line in events(record) if not line.startswith("chance")]
    assert decided == ["1 fence b1 n", "1 fence c1 n", "2 turn a1"], "a fence may be placed elsewhere, a tile was seen"


def test_alone_among_bots_what_was_seen_may_be_taken_back(tmp_path):
    record = tmp_path / "game.txt"
    alone = ("play", "te-kuiti", "--seats", 2, "--seed", 1, "--option", "first-shepherd=2", "--bot", "random", "--record", record)
    piped(*alone, typed="turn a1\nundo\nturn b1\n")
    turned = [line for line in events(record) if line.startswith("1 turn")]
    assert turned == ["1 turn b1"]


def test_people_at_one_keyboard_take_back_what_any_of_them_did_last(tmp_path):
    """As people at one screen do on the page: they agree, and nothing in this game is to be remembered."""
    record = tmp_path / "game.txt"
    typed = "undo\n3\nundo\n1\n1\nundo\nundo\nundo\n2\n"
    done = piped("play", "clover", "--seats", 2, "--seed", 1, "--option", "heap=4", "--record", record, typed=typed)
    assert done.stdout.count("There is nothing to take back yet.") == 2
    assert [line for line in events(record) if not line.startswith("chance")] == ["1 take 2 field 1"]
    at = Terminal("play", "clover", "--seats", 2, "--seed", 1, "--option", "heap=4")
    for turn in ("3", "1"):
        at.see("> ")
        at.type(turn)
    at.see("The game is over")
    at.type("undo")
    at.see("> ")
    at.type("1")
    at.see("The game is over")
    at.type("")
    assert at.ended() == 0


def test_an_unfinished_record_goes_on_with_the_same_command(tmp_path):
    whole, pieces = tmp_path / "whole.txt", tmp_path / "pieces.txt"
    piped(*ALONE, "--record", whole, typed="1\n" * 12)
    done = piped(*ALONE, "--record", pieces, typed="1\n")
    assert done.returncode == 0
    assert f"Go on with: sheepfold play --record {pieces}" in done.stdout
    piped(*ALONE, "--record", pieces, typed="1\n")
    piped("play", "--record", pieces, typed="1\n" * 12)
    assert pieces.read_text() == whole.read_text()
    assert "result:" in whole.read_text()


def test_a_finished_or_different_record_is_not_touched(tmp_path):
    record = tmp_path / "game.txt"
    piped(*ALONE, "--record", record, typed="1\n")
    before = record.read_text()
    for arguments, answer in (
        (("burrow",), "has game clover, not burrow"),
        (("clover", "--seats", 3), "has seats 2, not 3"),
        (("clover", "--seed", 5), "has seed 1, not 5"),
        (("clover", "--option", "heap=30"), "has option heap 12, not 30"),
    ):
        done = piped("play", *arguments, "--record", record)
        assert (done.returncode, done.stdout) == (1, "")
        assert answer in done.stderr
    assert record.read_text() == before
    piped(*ALONE, "--record", record, typed="1\n" * 12)
    done = piped(*ALONE, "--record", record)
    assert done.returncode == 1
    assert "is a finished game" in done.stderr


def test_a_record_in_a_folder_that_is_not_there_is_refused_before_play():
    done = piped(*ALONE, "--record", "/nowhere/at/all.txt")
    assert done.returncode == 1
    assert done.stderr == "sheepfold: cannot save /nowhere/at/all.txt: No such file or directory\n"


def test_kill_9_leaves_a_record_that_goes_on(tmp_path):
    record = tmp_path / "game.txt"
    arguments = ("play", "clover", "--seats", 3, "--bot", "slow", "--seed", 4, "--option", "heap=30", "--record", record)
    terminal = Terminal(*arguments)
    terminal.see("> ")
    terminal.type("1")
    while len(events(record)) < 3:
        time.sleep(0.005)
    terminal.kill()
    kept = events(record)
    assert "1 take 1 field 1" in kept
    done = piped(*arguments, typed="1\n" * 30)
    assert done.returncode == 0, done.stderr
    assert events(record)[: len(kept)] == kept
    assert "result:" in record.read_text()


def test_ctrl_c_says_how_to_go_on(tmp_path):
    record = tmp_path / "game.txt"
    terminal = Terminal(*ALONE, "--record", record)
    terminal.see("> ")
    terminal.type("1")
    terminal.see("> ")
    terminal.ctrl_c()
    terminal.see(f"Go on with: sheepfold play --record {record}")
    assert terminal.ended() == CTRL_C
    assert "Traceback" not in terminal.raw
    assert len(events(record)) >= 4
    assert piped("replay", record).returncode == 0


ANOTHER_THREAD_TAKES_THE_SIGNAL = """
import signal, threading, time
from sheepfold.terminal.screen import Screen

def interrupt():
    time.sleep(1)  # until the other waits
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    Screen().ask("> ")
except KeyboardInterrupt:
    print("heard")
"""


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_ctrl_c_is_heard_although_it_does_not_disturb_the_waiting(term):
    terminal = Terminal("-c", ANOTHER_THREAD_TAKES_THE_SIGNAL, program=(), TERM=term)
    terminal.see("heard")
    assert terminal.ended() == 0


def test_a_closed_pipe_is_quiet_and_leaves_the_record_sound(tmp_path):
    record = tmp_path / "game.txt"
    command = [sys.executable, str(TOY), *map(str, (*ALONE, "--option", "fields=60", "--option", "heap=30", "--record", record))]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout and process.stdin and process.stderr
    process.stdout.read(10)
    process.stdout.close()
    process.stdin.write(b"1\n1\n" * 200)
    process.stdin.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == 141
    assert said == f"Saved. Go on with: sheepfold play --record {record}\n"
    assert piped("replay", record).returncode == 0


def test_at_a_terminal_a_game_is_played_to_its_end_in_colour():
    terminal = Terminal(*ALONE, "--option", "heap=4")
    terminal.see("Player 1 takes one to three clovers.")
    terminal.type("3")
    terminal.see("The game is over")
    terminal.see("undo")
    terminal.type("undo")
    terminal.see("Player 1 takes one to three clovers.")
    terminal.type("3")
    terminal.see("The game is over")
    terminal.type("")
    assert terminal.ended() == 0
    assert "\x1b[32mheap" in terminal.raw


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_they_are_not_wanted(changes):
    terminal = Terminal(*ALONE, **changes)
    terminal.see("> ")
    terminal.type("quit")
    assert terminal.ended() == 0
    assert not COLOUR.search(terminal.raw)


def test_leaving_an_unsaved_game_is_confirmed_and_saving_is_offered(tmp_path):
    terminal = Terminal(*ALONE)
    terminal.see("> ")
    terminal.type("1")
    terminal.see("Bess takes")
    terminal.see("> ")
    terminal.type("quit")
    terminal.see("This game is not saved")
    terminal.type(f"save {tmp_path / 'kept.txt'}")
    terminal.see("Saved in")
    terminal.type("1")
    terminal.see("Bess takes")
    terminal.type("quit")
    terminal.see("Go on with")
    assert terminal.ended() == 0
    assert len([line for line in events(tmp_path / "kept.txt") if line.startswith("1 ")]) == 2


def test_save_never_overwrites(tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear Berta,")
    done = piped(*ALONE, typed=f"1\nsave {other}\nquit\n")
    assert "exists already" in done.stdout
    assert other.read_text() == "Dear Berta,"


def test_help_and_the_rules_of_the_game():
    done = piped(*ALONE, typed="?\n? rules\nquit\n")
    assert "take back your last decision" in done.stdout
    assert "Take one to three clovers." in done.stdout


def test_the_log_tells_everything_again():
    done = piped(*ALONE, typed="1\nlog\nquit\n")
    assert done.stdout.count("Player 1 takes 1 clover.") == 2


def test_a_hint_comes_from_the_strongest_level():
    done = piped(*ALONE, typed="hint\nquit\n")
    said = " ".join(done.stdout.split())
    assert "keen would: take 3 clovers in field 1 (take 3 field 1). Or: take 2 clovers in field 1 (" in said
    assert "100" not in said, "how often a bot wins is no reason"


def test_among_people_there_are_hints_only_if_they_want_it_so():
    for more, given in (((), False), (("--hints",), True)):
        done = piped("play", "clover", "--seats", 2, "--seed", 1, *more, typed="hint\nquit\n")
        assert ("Among people there are no hints" in done.stdout) is not given
        assert ("keen would:" in done.stdout) is given


def test_long_lists_are_folded_and_every_choice_can_be_reached():
    terminal = Terminal("play", "clover", "--seats", 1, "--option", "fields=60", "--seed", 1, rows=24, columns=80)
    seen = terminal.see("> ")
    assert "take 1 clover in field … (60)" in seen
    assert len(seen.splitlines()) <= 24
    terminal.type("2")
    terminal.see("take 2 clovers in field 7")
    terminal.see("> ")
    terminal.type("back")
    terminal.see("(60)")
    terminal.type("take 2 field 59")
    terminal.see("takes 2 clovers")
    terminal.see("> ")
    terminal.type("/field 42")
    terminal.see("take 3 clovers in field 42")
    terminal.type("3")
    terminal.see("takes 3 clovers")
    terminal.type("quit")
    terminal.type("quit")
    terminal.ended()


def test_pages_turn_with_enter():
    terminal = Terminal("play", "clover", "--seats", 1, "--option", "fields=60", "--seed", 1, rows=16, columns=60)
    terminal.see("> ")
    terminal.type("take 1")
    terminal.see("Page 1 of")
    terminal.type("")
    terminal.see("Page 2 of")
    terminal.type("quit")
    terminal.ended()


def test_the_menu_asks_for_what_is_not_given():
    done = piped("play", "--seed", 1, typed="clover\n7\n2\n9\n2\n" + "1\n" * 12)
    assert "Which game?" in done.stdout
    assert "Clover is for 1-3 players." in done.stdout
    assert "9 is not in the list" in done.stdout
    assert "The game is over" in done.stdout


def test_ending_input_in_the_menu_is_polite():
    done = piped("play")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("arguments", "changes"), [(("--language", "fr"), {}), ((), {"LANG": "fr_FR.UTF-8"}), ((), {"LC_ALL": "fr_CA"})])
def test_french(arguments, changes):
    done = piped(*ALONE, *arguments, typed="indice\n9\nannuler\n1\nquitter\n", **changes)
    for text in ("prend un à trois trèfles", "Il n'y a pas de choix 9", "Il n'y a encore rien à reprendre", "Joueur 1 prend 1 trèfle"):
        assert text in done.stdout
    assert "À la prochaine" in done.stdout


# Secrets and interruptions.


def test_people_who_share_a_keyboard_never_see_each_others_hands():
    terminal = Terminal("play", "burrow", "--seats", 2, "--seed", 3, "--names", "Anna,Ben")
    first = terminal.see("Pass the keyboard to Anna")
    assert "card" not in first
    terminal.type("")
    annas = terminal.see("> ")
    assert "Anna is dealt the secret card" in annas
    assert "Ben is dealt a card." in annas
    assert "Ben is dealt the secret" not in annas
    terminal.type("1")
    between = terminal.see("Pass the keyboard to Ben")
    assert "cards" not in between.replace("card 1", "")
    assert terminal.raw.rstrip().rfind("\x1b[2J") > terminal.raw.rfind("seen by 0")
    terminal.type("")
    bens = terminal.see("> ")
    assert "Ben is dealt the secret card" in bens
    assert "Anna is dealt the secret" not in bens
    assert "seen by 1" in bens
    assert "\x1b[?1049h" in terminal.raw
    terminal.type("quit")
    terminal.type("quit")
    terminal.ended()
    assert terminal.raw.count("\x1b[?1049l") == 1


DEALS = {"01": 2, "10": 9}
"""Which seed deals which cards today."""


def seed_with_cards(cards: str, tmp_path: Path) -> int:
    """A seed that deals these cards."""
    for seed in (DEALS[cards], *range(50)):
        record = tmp_path / f"deal{seed}.txt"
        piped("play", "burrow", "--seats", 2, "--seed", seed, "--record", record, typed="")
        if events(record) == [f"chance card {card}" for card in cards]:
            return seed
    raise AssertionError("no such seed")


def test_somebody_at_the_same_keyboard_interrupts(tmp_path):
    record = tmp_path / "game.txt"
    seed = seed_with_cards("01", tmp_path)
    done = piped(
        "play", "burrow", "--seats", 2, "--seed", seed, "--names", "Anna,Ben", "--record", record,
        typed="\n2!\n\nring\n\n1\n",
    )  # fmt: skip
    assert "To interrupt, anybody may type 2! (Ben)." in done.stdout
    assert "Ben rings the bell: +1." in done.stdout
    assert events(record)[2:4] == ["2! ring", "1 take 1 field 1"]


def test_who_has_nothing_to_interrupt_with_gives_nothing_away(tmp_path):
    seed = seed_with_cards("10", tmp_path)
    done = piped("play", "burrow", "--seats", 2, "--seed", seed, "--names", "Anna,Ben", typed="\n2!\n\n\n\n1\n\n")
    assert "To interrupt, anybody may type 2! (Ben)." in done.stdout
    assert done.stdout.index("Pass the keyboard to Ben") < done.stdout.index("Ben has nothing to interrupt with.")


def test_against_a_bot_the_person_is_told_what_could_be_played(tmp_path):
    seed = seed_with_cards("10", tmp_path)
    record = tmp_path / "game.txt"
    arguments = ("play", "burrow", "--seats", 2, "--bot", "random", "--seed", seed, "--record", record)
    done = piped(*arguments, typed="1\n\n1\non\n")
    assert done.stdout.count("You may interrupt before Bess plays:") == 2
    assert not [line for line in events(record) if "!" in line]
    done = piped(*arguments, typed="1\n1\nring\n1\n1\n1\n1\n1\n")
    assert "Player 1 rings the bell: +1." in done.stdout
    assert "1! ring" in events(record)


def test_a_bot_interrupts_and_that_is_told(tmp_path):
    seed = seed_with_cards("01", tmp_path)
    record = tmp_path / "game.txt"
    done = piped("play", "burrow", "--seats", 2, "--bot", "keen", "--seed", seed, "--record", record, typed="1\n")
    assert "Bess rings the bell: +1." in done.stdout
    assert events(record)[2] == "2! ring"


def test_bots_alone_are_watched():
    done = piped("play", "burrow", "--seats", 2, "--bot", "random,keen", "--seed", 1)
    assert "The game is over" in done.stdout
    assert "Molly (random)" in done.stdout
    assert "Bess (keen)" in done.stdout
    assert "secret" not in done.stdout
    terminal = Terminal("play", "burrow", "--seats", 2, "--bot", "random,keen", "--seed", 1)
    terminal.see("is about to play")
    terminal.type("on")
    terminal.see("The game is over")
    assert terminal.ended() == 0


def test_the_whole_table_can_be_seated(tmp_path):
    record = tmp_path / "game.txt"
    piped("play", "clover", "--seats", 2, "--bot", "random", "--bot", "person", "--record", record, "--seed", 1, typed="1\n")
    assert events(record)[0].startswith("1 take")
    assert "2 take 1 field 1" in events(record)
    done = piped("play", "clover", "--seats", 2, "--bot", "random,random,random")
    assert done.returncode == 1
    assert "only 2 seats" in done.stderr


def test_an_unfinished_file_beside_the_record_is_not_left(tmp_path):
    piped(*ALONE, "--record", tmp_path / "game.txt", typed="1\n1\n")
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


def test_in_a_memory_game_people_remember_by_themselves():
    done = piped("play", "te-kuiti", "--seats", 1, "--seed", 1, typed="hint\n" + "1\n" * 6 + "log\nquit\n")
    assert "In a game of memory bots give no hints" in done.stdout
    told = done.stdout[done.stdout.index("> log") :]
    assert 1 <= told.count("·") <= 4


def test_numbers_on_the_board_are_the_numbers_of_the_list(tmp_path):
    record = tmp_path / "game.txt"
    arguments = ("play", "guerre-des-moutons", "--seats", 3, "--bot", "random", "--seed", 2, "--record", record)
    done = piped(*arguments, typed="vvvy\n9\n2\n2c\n")
    assert "9 is not on the board here" in done.stdout
    assert " 2c  1 west (village, village, yellow, village): draws 1.  w1 vvyv" in done.stdout
    assert [line for line in events(record) if line.startswith("1 ")] == ["1 vvvy", "1 w1 vvyv"]


def test_labels_read_back():
    from sheepfold import load
    from sheepfold.core.dice import Dice

    setup, dice, seen = load("guerre-des-moutons", seats=2), Dice("labels"), 0
    position = setup.start()
    while seen < 40:
        if position.to_act >= 0:
            view = position.seen_by(position.to_act)
            for action, label in setup.game.labels(view).items():
                assert setup.game.read(view, label) == action
                seen += 1
        position.advance(position.random_action(dice))


class Window(Screen):
    """A screen of a given size that keeps what stands on it."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.live, self.colour, self.given, self.lines = True, False, Size(columns, rows), list[str]()

    @property
    def size(self) -> Size:
        return self.given

    def show(self, text: str = "") -> None:
        self.lines += plain(text).split("\n")

    def clear(self) -> None:
        self.lines = []


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("name", sheepfold.game.registry.names())
def test_nothing_scrolls_away_in_an_ordinary_window(name, language):
    setup = sheepfold.load(name)
    sitting = Sitting(Record(setup, names=[f"Spieler {seat + 1}" for seat in range(setup.seats)]), [None] * setup.seats, 3)
    session = sitting.session
    play = Play(sitting, Window(80, 24), language)
    while not session.over and session.ply < 100:
        if session.position.to_act == sheepfold.CHANCE:
            sitting.let_chance_happen()
            continue
        seat = int(session.position.to_act)
        view = session.view(seat)
        choices = play._choices(view, view.legal())
        play._draw(Asking(Question(seat, view, setup.game.prompt(view, play.voice), choices), play._news(seat)))
        assert len(play.screen.lines) < 24, "\n".join(play.screen.lines)  # the last line is for typing
        assert max(map(len, play.screen.lines)) <= 80, "\n".join(play.screen.lines)
        if any(line.startswith("… ") for line in play.screen.lines):
            assert len(play.screen.lines) > 20, "all the room is used before anything is left out"
        sitting.act(int(session.position.random_action(Dice("fit").split(session.ply))))


def test_a_picture_that_was_cut_is_shown_whole_on_request():
    at = Terminal("play", "te-kuiti", "--seats", 2, "--bot", "random", "--seed", 1, program=SHEEPFOLD, rows=12, columns=80)
    at.see("… board shows all of it")
    at.type("Board")
    at.see("[Enter] ")
    at.type("q")
    at.see("> ")
    at.type("quit")
    assert at.ended() == 0


def test_a_full_disk_does_not_end_the_game(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    at = Terminal("play", "clover", "--seats", 2, "--seed", 1, "--record", folder / "game.txt")
    at.see("> ")
    shutil.rmtree(folder)
    at.type("1")
    at.see("directory")  # no such one; where the line breaks depends on how long the path is
    at.type(f"save {tmp_path / 'elsewhere.txt'}")
    at.see("Saved in")
    at.type("quit")
    at.see("Saved. Go on with")
    assert at.ended() == 0
    assert events(tmp_path / "elsewhere.txt")[0] == "1 take 1 field 1"


def test_a_number_of_any_length_is_only_wrong():
    done = piped(*ALONE, typed=f"{'9' * 5000}\n{'9' * 5000}!\nquit\n")
    assert "There is no choice 999999999999…" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("given", "players"),
    [
        (["--bot", "random", "--names", "Anna"], "person, random, random"),
        (["--bot", "random,random", "--names", "Anna"], "person, random, random"),
        (["--bot", "random,person"], "random, person"),
        (["--names", "Anna,Ben"], "person, person"),
    ],
)
def test_who_is_named_makes_up_the_table(given, players, tmp_path):
    done = piped("play", "clover", *given, "--record", tmp_path / "game.txt")
    assert done.returncode == 0, done.stderr
    assert f"players: {players}\n" in (tmp_path / "game.txt").read_text()


def test_a_record_is_a_file():
    done = piped("play", "clover", "--record", "/dev/full")
    assert done.returncode == 1
    assert "/dev/full is no file that a game can be saved in" in done.stderr


def test_names_are_read_as_utf_8_whatever_the_locale_says(tmp_path):
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = piped("play", "clover", "--names", "Zoë,Ben", "--record", tmp_path / "game.txt", **plain)
    assert done.returncode == 0, done.stderr
    assert "names: Zoë, Ben\n" in (tmp_path / "game.txt").read_text(encoding="utf-8")


def test_a_record_with_own_components_says_how_to_go_on(tmp_path):
    record, own = tmp_path / "game.txt", tmp_path / "own.toml"
    own.write_text((sheepfold.games.find("te-kuiti").folder / "components.toml").read_text() + "\n# mine\n")
    begun = piped("play", "te-kuiti", "--seats", 1, "--record", record, "--components", own)
    assert f"sheepfold play --record {record} --components {own}" in begun.stdout
    assert "; --components names the file that it was played with" in piped("play", "--record", record).stderr
    assert piped("play", "--record", record, "--components", own).returncode == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("guerre-des-moutons", "2 on each side"),
        ("haste-bock", "Herd Instinct (2)"),
        ("shear-panic", "4 extra moves (1, 2, 3, 3)"),
        ("sheepzzz", "39 sheep"),
        ("te-kuiti", "28 fences"),
    ],
)
def test_a_made_up_box_is_played_to_the_end_and_looked_at_again(name, told, tmp_path):
    box, record = Path(__file__).parent.parent / "boxes" / f"{name}.toml", tmp_path / "game.txt"
    done = piped(
        *("play", name, "--seats", 2, "--bot", "random", "--seed", 1, "--components", box, "--record", record),
        typed="? rules\n" + "1\n1a\n" * 600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert told in " ".join(done.stdout.split()) and "The game is over: " in done.stdout
    assert f"sheepfold replay {record} --components {box}" in done.stdout
    again = piped("replay", record, "--components", box)
    assert again.returncode == 0 and again.stdout.splitlines()[-1] in done.stdout
