"""Notation, words and pictures of Haste Bock?."""

import re
from itertools import pairwise

import pytest
from haste_bock_drawn import GAME, fresh, hand, pasture, play, texts, with_card

from sheepfold.ansi import plain, width
from sheepfold.core.dice import Dice
from sheepfold.core.errors import AmbiguousAction, UnreadableAction
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game.records import Event, Record, read_record, write_record
from sheepfold.games.flock import SHEEP_NAMES
from sheepfold.games.flock_svg_board import Ring
from sheepfold.games.haste_bock import svg_board
from sheepfold.games.haste_bock.rules import CARD, ENDED
from sheepfold.messages import Voice, catalogue

WORDS = GAME.folder / "locale"
NAMES = ["Anna", "Bert", "Cleo", "Dan"]


def voice(language: str = "en", seats: int = 4) -> Voice:
    return Voice([WORDS], language, NAMES[:seats])


def games(seats: int, number: int):
    """Every position of some random games, with the action taken and the position after it."""
    for seed in range(number):
        position, dice = fresh(seats), Dice(f"words {seats} {seed}")
        while position.to_act != OVER:
            before = position.copy()
            action = int(position.random_action(dice))
            position.apply(action)
            yield before, action, position


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_action_reads_back_and_is_described(seats):
    for language in ("en", "fr"):
        speaker = voice(language, seats)
        for before, action, _ in games(seats, 2):
            for legal in [action] if before.to_act == CHANCE else before.legal():
                text = GAME.write(before, legal)
                assert re.fullmatch(r"[a-z0-9 ]+", text)
                assert GAME.read(before, text) == legal
            assert GAME.describe(before, action, speaker)
            assert GAME.prompt(before, speaker)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_point_is_told_with_its_reason(seats, language):
    speaker = voice(language, seats)
    for before, action, after in games(seats, 6):
        told = GAME.tell(before, action, after, speaker)
        assert told
        points = dict.fromkeys(NAMES[:seats], 0)
        for line in told:
            if found := re.match(r"([+−])(\d+) (\w+)\s?:", line):
                points[found[3]] += int(found[2]) if found[1] == "+" else -int(found[2])
        assert list(points.values()) == [late - early for early, late in zip(before.scores(), after.scores(), strict=True)], told


def test_passes_and_the_early_end_are_told():  # HB-12
    position = pasture("B B Y Y G G R R K|")
    hand(position, 1, "")
    with_card(position, 0, "turn 1")
    before = position.copy()
    play(position, "turn cw")
    assert "Bert has no card that can be played and passes." in GAME.tell(before, GAME.read(before, "turn cw"), position, voice())
    for seat in range(4):
        hand(before, seat, "")
    after = play(before.copy(), "turn cw")
    told = GAME.tell(before, GAME.read(before, "turn cw"), after, voice())
    assert any("Nobody can play any more" in line for line in told)
    assert "+7 Anna: far from Shawn (blue b1 4 and blue b2 3)." in told
    assert told[-1] == "Anna wins with 9 points."  # two of them for the sheep side by side, in phase 1


def test_words_say_what_a_move_does():
    position = with_card(pasture("R . Y B . ."), 3, "slam 2")
    assert GAME.describe(position, GAME.read(position, "slam r1 e 2"), voice()) == "red r1 rams yellow y1 and blue b1 to the east"
    assert GAME.describe(position, GAME.read(position, "slam r1 e 2"), voice("fr")) == "rouge r1 bouscule jaune y1 et bleu b1 vers l'est"
    position = with_card(pasture("B . B"), 0, "step 1")
    assert GAME.describe(position, GAME.read(position, "step b1 e"), voice()) == "blue b1 steps to the east (+2 points)"
    assert GAME.describe(position, GAME.read(position, "step b1 ne"), voice()) == "blue b1 steps to the north-east (+1 point)"


def test_cards_say_where_they_lead_the_timer():
    position = pasture("B . B", seats=3)
    position.timer = 35
    said = {text: GAME.describe(position, GAME.read(position, text), voice()) for text in ("slam 2 plus 3", "turn 1")}
    assert said == {
        "slam 2 plus 3": "Lamb Slam 2 plus 3: timer to 37, pen (rows score)",
        "turn 1": "Herd Instinct 1: timer to 36",
    }


def test_what_cannot_be_read_is_answered_with_what_would_be_right():
    position = with_card(pasture("R . Y B . ."), 3, "slam 2")
    with pytest.raises(UnreadableAction, match="slam r1 e 2"):
        GAME.read(position, "slam r1 e 3")
    with pytest.raises(AmbiguousAction) as caught:
        GAME.read(with_card(position, 3, "step 1"), "step r1")
    assert "step r1 n" in caught.value.candidates
    assert GAME.read(position, "  STEP  r1 N ") == GAME.read(position, "step r1 n")


def test_records_of_whole_games_read_back():
    for seats in (2, 3, 4):
        setup = GAME.setup(seats, neutral_rows=False)
        record = Record(setup)
        position, dice = setup.start(), Dice(f"record {seats}")
        while position.to_act != OVER:
            action = int(position.random_action(dice))
            record.events.append(Event(int(position.to_act), action))
            position.apply(action)
        text = write_record(record)
        again = read_record(text)
        assert again.events == record.events
        assert again.setup == setup


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("columns", [80, 44])
def test_pictures_fit_and_say_all_without_colour(language, columns):
    for seats in (2, 3, 4):
        for before, _, _ in games(seats, 1):
            picture = GAME.text_picture(before.seen_by(0), 0, columns, voice(language, seats))
            lines = picture.split("\n")
            assert max(width(line) for line in lines) <= columns
            assert len(lines) <= 30 or columns < 80
            words = plain(picture).split()
            if before.stage > 0:
                arrow = "^>v<"[before.facing // 2]
                assert all(words.count(name + arrow) == 1 for name in SHEEP_NAMES)
            assert all(str(points) in words for points in before.scores())


def test_pictures_show_used_cards_gone_the_timer_and_the_ban():
    position = play(with_card(pasture("B . B\n. Y ."), 0, "trough 2"), "trough n")
    hand(position, 0, "slam 3")
    lines = plain(GAME.text_picture(position, 1, 80, voice())).split("\n")
    assert any(line.rstrip().endswith("not allowed now: trough s") for line in lines)
    assert any(re.search(r"slam +3 +23 +23 +23$", line) for line in lines)
    assert any(re.search(r"step +- +12 +12 +12$", line) for line in lines)
    assert any("1 Sheep stick together  1 . @ ! . . . . ! . . . . 12" in line for line in lines)
    assert any(". . . .|. . . ! . . . . ! . . . # 37" in line for line in lines)
    assert lines[0].startswith("  b Anna > y Bert*   g Cleo")


def test_both_languages_have_every_message():
    english, french = (catalogue(WORDS, language) for language in ("en", "fr"))
    ids = {message.id if isinstance(message.id, str) else message.id[0] for message in english if message.id}
    assert ids == {message.id if isinstance(message.id, str) else message.id[0] for message in french if message.id}
    for key in ids:
        for book in (english, french):
            strings = book.get(key).string
            assert strings and all(strings), key
        fields = [set(re.findall(r"{(\w+)}", str(book.get(key).string))) for book in (english, french)]
        assert fields[0] - {"way"} == fields[1] - {"way"}, key


def test_help_names_every_card_in_both_languages():
    for language in ("en", "fr"):
        text = GAME.help(language)
        for kind in ("step", "slam", "leap", "diagonal", "line", "trough", "turn"):
            assert voice(language).say(f"kind.{kind}") in text
    assert GAME.help("en") != GAME.help("fr")


def test_views_and_guesses_are_the_position_itself():
    dice = Dice("views")
    for one, other in pairwise(after.copy() for _, _, after in games(3, 1)):
        assert other.seen_by(1) == other and other.seen_by(1).determinize(dice) == other
        assert one != other
    position = pasture("B . B\n. Y .", seats=3)
    first, second = position.seen_by(0).tensor(), position.seen_by(1).tensor()
    assert len(first) == len(second)
    assert first[:81] == second[81 * 4 : 81 * 5]  # blue is the first player's own, and the third after the second
    assert texts(position.seen_by(2)) == texts(position)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_in_hand_are_drawn_with_their_names(seats):
    position, dice = fresh(seats), Dice("names")
    while position.to_act != 0 or position.stage != CARD:
        position.apply(position.random_action(dice))
    hands = {language: part_of(GAME.picture(position.seen_by(0), 0, "auto", voice(language, seats)), "hand") for language in ("en", "de")}
    for kind in {name.split("-")[1] for name in re.findall(r'id="(card-[a-z]+)', hands["en"])}:
        for language, drawn in hands.items():
            name = voice(language).say(f"short.{kind}")
            assert f">{name[:1].upper()}{name[1:]}</text>" in drawn, kind


def part_of(picture: str, name: str) -> str:
    return re.split(rf'data-part="{name}"', picture)[1].split("data-part=")[0]


def test_roger_and_shawn_cover_neither_the_track_nor_a_field():
    guests = 0
    for before, _, _ in games(3, 2):
        drawn = GAME.picture(before, 0, "auto", voice())
        for x, y in re.findall(r'id="(?:roger|shawn)"[^>]*translate\(([\d.]+)px,([\d.]+)px\)', drawn):
            for from_edge in {min(float(at), svg_board.SIZE - float(at)) for at in (x, y)} - {svg_board.SIZE / 2}:
                assert from_edge - svg_board.GUEST / 2 >= Ring(before.track).space - 4, "the drawing is narrower than its square"
                assert from_edge + svg_board.GUEST / 2 <= svg_board.CORNER + 4
                guests += 1
    assert guests > 10


def test_who_has_no_movement_card_left_is_asked_for_none():
    asked = set()
    for before, _, _ in games(3, 3):
        if before.to_act >= 0 and before.stage == CARD:
            left, view = before.movements_left(before.to_act) > 0, before.seen_by(before.to_act)
            assert {len(GAME.targets(view, action)) for action in view.legal()} == {2 if left else 1}
            assert ('id="movement-0"' in GAME.picture(view, before.to_act, "auto", voice())) == left
            assert ("movement card" in GAME.prompt(view, voice())) == left
            asked.add(left)
    assert asked == {True, False}


@pytest.mark.parametrize(("timer", "phase"), [(36, 2), (37, 3), (38, 3)])
def test_in_a_pen_it_stands_for_what_one_moves_now(timer, phase):  # HB-23
    position = pasture("B Y")
    position.timer = timer
    speaker = voice()
    counts = speaker.say(f"scoring.{phase}")
    assert counts in GAME.picture(position.seen_by(0), 0, "auto", speaker)
    assert counts in GAME.outline(position.seen_by(0), 0, speaker)[0].lines[0]


def test_no_movement_card_is_offered_where_a_card_is_chosen():
    position = pasture("B Y", seats=3)
    assert 'id="movement-0"' in GAME.picture(position.seen_by(0), 0, "auto", voice(seats=3))
    assert 'id="movement-0"' not in GAME.picture(position.seen_by(1), 1, "auto", voice(seats=3))
    with_card(position, 0, "slam 2")
    assert 'id="movement-0"' not in GAME.picture(position.seen_by(0), 0, "auto", voice(seats=3))


def test_the_log_tells_the_start_in_words():
    before = fresh()
    after = before.copy()
    action = before.legal()[0]
    after.apply(action)
    assert GAME.tell(before, action, after, voice()) == ["The flock stands in the middle of the pasture."]


def test_at_the_end_the_rows_still_say_what_they_brought():  # HB-25
    position = pasture("B . .\n. Y .")
    position.timer = position.track.length
    before = svg_board._row_points(position)
    position.stage, position.to_act = ENDED, OVER
    assert before and before in GAME.picture(position.seen_by(0), 0, "auto", voice())
