"""What players of Shear Panic read: pictures, prompts, descriptions and tellings, and component files that are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from shear_panic_draw import copied, flock, options, play

from sheepfold.ansi import plain
from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadComponents
from sheepfold.core.position import OVER
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.notation import STEP_BY_NAME, called, moved
from sheepfold.games.shear_panic.rules import MOVE, PANIC, ShearPanic
from sheepfold.messages import Voice, catalogue

ENGLISH = Voice([GAME.folder / "locale"], "en", ["Ada", "Bo", "Cy", "Di"])
GERMAN = Voice([GAME.folder / "locale"], "de", ["Ada", "Bo", "Cy", "Di"])
FRENCH = Voice([GAME.folder / "locale"], "fr", ["Ada", "Bo", "Cy", "Di"])


def shown(position: ShearPanic, voice: Voice = ENGLISH) -> list[str]:
    return plain(GAME.text_picture(position.seen_by(0), 0, 80, voice)).split("\n")


def told(position: ShearPanic, text: str, voice: Voice = ENGLISH) -> list[str]:
    before = copied(position)
    action = GAME.read(before, text)
    play(position, text)
    return GAME.tell(before, action, position, voice)


def test_catalogues_say_the_same_things() -> None:
    english, french = (catalogue(GAME.folder / "locale", language) for language in ("en", "fr"))
    values = re.compile(r"{(\w+)}")
    for message in english:
        if message.id:
            other = french.get(message.id if isinstance(message.id, str) else message.id[0])
            assert other and all(other.string), message.id
            forms = [message.string] if isinstance(message.string, str) else message.string
            translated = [other.string] if isinstance(other.string, str) else other.string
            for form, translation in zip(forms, translated, strict=True):
                assert set(values.findall(form)) == set(values.findall(translation)), message.id
    assert len(english) == len(french)


def test_placements_are_numbered_in_the_picture_as_they_are_described() -> None:
    position = play(flock("B Y G .\n. . . R"), "die diagonal")
    assert [GAME.describe(position, action, ENGLISH) for action in position.legal()] == [
        "(1) red r1 rejoins east of green g1",
        "(2) red r1 rejoins south of green g1",
    ]
    picture = shown(position)
    assert picture[1].split() == ["b1^", "y1^", "g1^", "(1)"]
    assert picture[2].split() == [".", ".", "(2)", "[r1^]"]
    assert GAME.prompt(position.seen_by(0), ENGLISH) == "Where does red r1 rejoin, moving diagonally? Choose a number."
    assert GAME.prompt(position.seen_by(1), ENGLISH) == "Ada chooses where red r1 rejoins, moving diagonally."


def test_groups_are_numbered_in_the_picture() -> None:
    position = flock("B Y .\n. . G\nR . .")
    assert options(position) == ["group g1", "group r1"]
    picture = shown(position)
    assert picture[2].split()[-1] == "[g1^]1"
    assert picture[3].split()[0] == "[r1^]2"


def test_picture_shows_who_stands_in_front() -> None:
    lines = shown(flock("B Y\nG R", counter=20))
    assert lines[0].strip() == "v Roger v"
    lines = shown(flock("B Y\nG R", counter=60, facing="s"), FRENCH)
    assert lines[2].strip() == "^ Tondeur ^"
    assert shown(flock("B Y\nG R", counter=60, facing="e"))[1].endswith("< Shearer <")
    assert shown(flock("B Y\nG R", counter=60, facing="w"))[1].startswith("> Shearer >")


def test_points_are_told_with_their_reason() -> None:
    position = play(flock("Y B R\nG K Y\nB R G", active="Y"), "slam 3")
    assert told(position, "slam y2 w") == [
        "Bo: yellow y2 slams west, pushing black k and g1.",
        "The counter moves 3 spaces, to 3.",
        "The flock is in the teammates' meadow: keep your two sheep together.",
        "+1 Bo: the two sheep touch by a corner.",
    ]
    roger = play(flock("B B\nY Y", counter=24, facing="w"), "turn 1")
    assert told(roger, "turn right", FRENCH)[1:] == [
        "Le compteur avance de 1 case, jusqu'à 25.",
        "Le troupeau franchit la porte.",
        "+8 Ada\u00a0: près de Roger (4 + 4).",
        "+6 Bo\u00a0: près de Roger (3 + 3).",
    ]


def test_the_end_is_told_with_its_tie_break() -> None:
    position = flock("Y B\nG B", facing="w", counter=73)
    position.deal(1, list(range(12)), points=4)
    said = told(play(position, "turn 1"), "turn right")
    assert said[2:] == [
        "The flock is in the pen.",
        "The Shearer shears the front row: 1 blue and 1 yellow.",
        "+4 Ada: far from the Shearer (4).",
        "+4 Cy: far from the Shearer (4).",
        "Cy wins with 4 points: level, but the last turn is longest ago.",
    ]


@pytest.mark.parametrize("voice", [ENGLISH, FRENCH, GERMAN])
def test_flock_that_is_spared_at_the_gate_is_told(voice: Voice) -> None:  # SP-44
    spared = told(play(flock("B B", facing="w", counter=61), "turn 1"), "turn right", voice)
    assert spared[2:4] == [voice.say("tell.gate"), voice.say("tell.one-colour")]
    shorn = told(play(flock("B Y\nB Y", facing="w", counter=61), "turn 1"), "turn right", voice)
    roger = told(play(flock("B B", facing="w", counter=24), "turn 1"), "turn right", voice)
    beyond = told(play(flock("B B", facing="w", counter=62), "turn 1"), "turn right", voice)
    assert all(voice.say("tell.one-colour") not in said for said in (shorn, roger, beyond))


def test_no_way_back_is_explained() -> None:
    position = flock("B Y G . . R")
    assert told(position, "die diagonal") == [
        "Ada rolls the regroup die: X (diagonally).",
        "There is no diagonal way back, so it goes straight.",
        "There is only one way: red r1 rejoins east of green g1.",
        "The flock is whole again.",
    ]


def test_what_an_action_leads_to_is_said_before() -> None:
    position = play(flock("Y B R\nG K Y\nB R G", active="Y"), "slam 3")
    assert GAME.describe(position, GAME.read(position, "slam y2 w"), ENGLISH).endswith("pushing black k and g1: 1 point for you")
    assert GAME.describe(position, GAME.read(position, "slam y1 nw"), ENGLISH).endswith("splitting the flock")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("leap = [2]", "leap = [2, 2]", "components.toml, line 4: menu: must have 12 squares, not 13"),
        ('ever = ["turn"]', 'ever = ["leap"]', r"line 16: no-reverse.ever\[0\]: must be align, line, diagonal or turn, not 'leap'"),
        ('ever = ["turn"]', 'ever = ["line"]', "line 17: no-reverse.until-a-die: 'line' stands in `ever` too; an action bears one sign"),
        ('"align", "line"', '"line", "line"', r"line 17: no-reverse.until-a-die\[1\]: 'line' is there twice"),
        ('ever = ["turn"]', 'ever = "turn"', "no-reverse.ever: must be a list of words in quotation marks, not 'turn'"),
        ('"gky"', '"gkk"', "line 21: start.rows: must be three words of three letters, with b, y, g, r twice each and k once"),
        ('"ybr", "gky"', '"ybrgky"', "start.rows: must be three words of three letters"),
        ("three = [18, 46]", "three = [30, 46]", r"gates.three: must lie inside fields 2 and 4 \(10-27 and 38-55\)"),
        ("four = [12, 37, 49, 74]", "four = [12, 37, 37, 74]", "fields.four: the four fields must end one after the other"),
        ("three = [3, 7,", "three = [7, 7,", "panic.three: has a space twice"),
        ("straight = 3", "straight = 4", "regroup-die: straight and diagonal must make six faces, not 7"),
    ],
)
def test_wrong_component_files_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (GAME.folder / "components.toml").read_text()
    assert old in text
    path = tmp_path / "components.toml"
    path.write_text(text.replace(old, new))
    with pytest.raises(BadComponents, match=message):
        GAME.setup(3, path)


def test_signs_against_undoing_are_what_the_file_says(tmp_path: Path) -> None:  # SP-17, SP-83
    text = (GAME.folder / "components.toml").read_text()
    path = tmp_path / "components.toml"
    path.write_text(text.replace('ever = ["turn"]', "ever = []").replace('["align", "line", "diagonal"]', '["turn", "line"]'))
    for file, align, after_panic in ((None, 3, ["turn left"]), (path, 4, ["turn right", "turn left"])):
        position = GAME.setup(3, file).start()
        assert isinstance(position, ShearPanic)
        position.arrange(flock("B Y . .\nG K G R").places(), counter=12)
        play(position, "align 2", "align n")  # south would restore the flock
        assert len(options(play(copied(position), "align 2"))) == align
        position.arrange(flock("Y B R\nG K Y\nB R G").places(), counter=2)
        play(position, "turn 1", "turn left", "die blue", "slam b1 w")
        assert options(play(position, "turn 1")) == after_panic  # a die lifts that ban only if the file says so


@pytest.mark.parametrize("by_facing", [False, True])
def test_a_flock_that_looks_elsewhere_is_not_restored(tmp_path: Path, by_facing: bool) -> None:  # SP-17, SP-83
    """With a file by which no die lifts the ban on alignments: a panic that slams does not, one that turns the flock does."""
    path = tmp_path / "components.toml"
    text = (GAME.folder / "components.toml").read_text().replace('ever = ["turn"]', 'ever = ["align"]')
    path.write_text(text.replace('["align", "line", "diagonal"]', '["turn", "line"]'))
    for dice, restores in ((("die black", "slam k w"), False), (("die white", "turn left"), True)):
        position = GAME.setup(3, path, ban_by_facing=by_facing).start()
        assert isinstance(position, ShearPanic)
        position.arrange(flock("Y B R\nG K G\n. . Y").places(), counter=1)
        play(position, "align 2", "align w", *dice)
        assert ("align e" in options(play(position, "align 2"))) == restores


def test_start_is_what_the_file_says(tmp_path: Path) -> None:  # SP-84
    path = tmp_path / "components.toml"
    path.write_text((GAME.folder / "components.toml").read_text().replace('"ybr", "gky", "brg"', '"bby", "ykg", "grr"'))
    position = GAME.setup(3, path).start()
    assert isinstance(position, ShearPanic)
    assert position.places() == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2), (1, 1)]


def test_two_squares_that_are_alike_are_one_choice(tmp_path: Path) -> None:
    path = tmp_path / "components.toml"
    path.write_text((GAME.folder / "components.toml").read_text().replace("roll = [1, 2]", "roll = [1, 1]"))
    position = GAME.setup(3, path, first_seat_begins=True).start()
    assert isinstance(position, ShearPanic)
    position.arrange(flock("B Y\nG R").places())
    assert options(position).count("roll 1") == 1
    play(position, "roll 1", "roll b1 ne")
    position.arrange(flock("B Y\nG R").places())
    assert options(position).count("roll 1") == 1


def test_a_piece_keeps_its_number_wherever_it_goes():
    """Through whole random games: whoever slams, rolls or leaps has the same name where it arrives, and who is not moved keeps theirs."""
    stepped = crossed = 0
    for number in range(12):
        position, dice = GAME.setup(4).start(), Dice(f"names {number}")
        assert isinstance(position, ShearPanic)
        while position.to_act != OVER:
            action = int(position.random_action(dice))
            before = named(position)
            text = GAME.write(position, action).split()
            steps = position.to_act >= 0 and position.stage in (MOVE, PANIC) and text[0] in ("slam", "roll")
            moved_names = {called(position, sheep) for sheep in moved(position, action)} if steps else set()
            position.apply(action)
            after = named(position)
            if steps:
                rows, columns = STEP_BY_NAME[text[2]]
                row, column = before[text[1]]
                assert after.get(text[1]) in ((row + rows, column + columns), None), text  # the Shearer may have had it since
                assert all(after[name] == place for name, place in before.items() if name not in moved_names and name in after), text
                stepped += 1
                crossed += position.crossed != 0
    assert stepped > 200 and crossed > 50


def named(position: ShearPanic) -> dict[str, tuple[int, int]]:
    """Where the pieces stand on the plain, by their names."""
    row, column = int(position.corner_row), int(position.corner_column)
    return {called(position, sheep): (at[0] + row, at[1] + column) for sheep, at in enumerate(position.places()) if at is not None}


def test_moves_of_others_are_told_not_asked_for() -> None:
    position = flock("B Y\nK G", counter=1)
    assert told(play(copied(position), "line 1"), "line b1 e")[0] == "Ada: b1 and y1 are pushed east."
    assert told(play(copied(position), "turn 1"), "turn left")[0] == "Ada: the flock turns left, to look west."
    assert told(play(copied(position), "align 2"), "align s")[0] == "Ada: the flock closes up against the south side (the flock's back)."


def test_a_colour_of_one_sheep_leaves_only_the_way_to_choose() -> None:
    position = play(flock("B Y\nK B", counter=2), "turn 1", "turn left", "die black")
    assert GAME.prompt(position.seen_by(0), ENGLISH) == "Panic: slam with the black sheep. Where to?"
    assert GAME.prompt(position.seen_by(1), ENGLISH) == "Panic: Ada slams with the black sheep."
    assert "Where to?" not in GAME.prompt(play(flock("B Y\nK B", counter=2), "turn 1", "turn left", "die blue").seen_by(0), ENGLISH)
