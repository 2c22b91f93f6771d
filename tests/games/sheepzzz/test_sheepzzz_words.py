"""How Sheepzzz is written, drawn and told, and which component files it refuses."""

from __future__ import annotations

import re

import pytest
from sheepzzz_table import do, legal, table

import sheepfold
from sheepfold import HIDDEN, OVER, SPECTATOR, AmbiguousAction, UnreadableAction
from sheepfold.ansi import plain
from sheepfold.core.errors import BadComponents, BadRecord
from sheepfold.game.records import Record, read_record, write_record
from sheepfold.games.sheepzzz import GAME
from sheepfold.messages import Voice, catalogue

NAMES = ["Ann", "Bea", "Cleo"]
ENGLISH, FRENCH = (Voice([GAME.folder / "locale"], language, NAMES) for language in ("en", "fr"))

THREE = """
    up, clockwise
    piles: 14/2 | 4 5 6 | 12
    A> 7 7/3 17 19 wolf    taken: 8 8/2
    B: 4/2 5/2 9 9 10
    C: 10 10 11 11 11
"""


def said(position, text, viewer=0, voice=ENGLISH):
    """What the viewer is told when that happens."""
    before, action = position.copy(), GAME.read(position, text)
    position.apply(action)
    return GAME.tell(before.seen_by(viewer), action if before.sees(viewer, action) else HIDDEN, position.seen_by(viewer), voice)


def test_cards_may_be_written_without_pillows_where_one_can_be_meant():
    position = table(THREE)
    assert "7/3 on 2" in legal(position)
    with pytest.raises(AmbiguousAction) as error:
        GAME.read(position, "7 on 2")
    assert error.value.candidates == ["7/0 on 2", "7/3 on 2"]
    assert GAME.write(position, GAME.read(position, " WOLF  on 1")) == "wolf on 1"
    do(position, "17 on 1", "keep", "impose 2")
    do(position, "draw 13/0")
    assert GAME.write(position, GAME.read(position, "10 on 2")) == "10/0 on 2"
    with pytest.raises(UnreadableAction):
        GAME.read(position, "10 on 1")


def test_the_picture_shows_tops_sizes_counts_and_the_own_hand_only():  # SZ-20
    picture = plain(GAME.text_picture(table(THREE).seen_by(0), 0, 80, ENGLISH))
    assert (
        picture
        == """\
Round 1   deck: 26 cards
count: up ▲ 1 → 19   play: clockwise ↻

╭────╮      ╭────╮      ╭────╮
│ 14 │      │ 6  │      │ 12 │
│ 2● │      │    │      │    │
╰────╯      ╰────╯      ╰────╯
pile 1      pile 2      pile 3
1 card      3 cards     1 card

↓ > Ann   hand 5 · taken 2 · 0 pillows
↓   Bea   hand 5 · taken 0 · 0 pillows
↓   Cleo  hand 5 · taken 0 · 0 pillows

Hand of Ann:
╭────╮  ╭────╮  ╭────╮  ╭────╮  ╭────╮
│ 7  │  │ 7  │  │ 17 │  │ 19 │  │ W  │
│    │  │ 3● │  │ 4● │  │ 5● │  │    │
╰────╯  ╰────╯  ╰────╯  ╰────╯  ╰────╯"""
    )
    for viewer in (1, 2, SPECTATOR):
        assert "Ann:" not in GAME.text_picture(table(THREE).seen_by(viewer), 0, 80, ENGLISH)


def test_the_picture_does_not_tell_what_lies_in_piles_and_in_front_of_players():  # SZ-20
    one = table("up, clockwise\npiles: 4 5 6 | 7 | 8\nA> 9\nB: 10    taken: 1 19\nrest: under 3")
    other = table("up, clockwise\npiles: 11 12 6 | 7 | 8\nA> 9\nB: 10    taken: 4 wolf\nrest: under 3")
    assert GAME.text_picture(one.seen_by(0), 0) == GAME.text_picture(other.seen_by(0), 0)


def test_turned_play_and_an_imposed_pile_are_drawn():
    position = do(table(THREE), "17 on 1", "turn", "impose 3", "draw 13/0")
    picture = plain(GAME.text_picture(position.seen_by(2), 2, 80, FRENCH))
    assert "antihoraire ↺" in picture
    assert "^ imposée" in picture
    assert "↑ > Cleo" in picture


def test_what_a_choice_does_is_said():
    position = table(THREE)
    texts = {GAME.write(position, action): GAME.describe(position.seen_by(0), action, ENGLISH) for action in position.legal()}
    assert texts["take 2"] == "Take pile 2 (3 cards), then start a new one"
    assert texts["7/3 on 2"] == "Play 7 (3 pillows) on pile 2, over the 6"
    assert texts["19 on 1"] == "Play 19 (5 pillows) on pile 1, over the 14; then say who plays next, and where"
    do(position, "17 on 1")
    turning = [GAME.describe(position.seen_by(0), action, ENGLISH) for action in position.legal()]
    assert turning == ["Turn the direction of play: Cleo is next", "Leave the direction as it is: Bea is next"]
    do(position, "turn")
    imposing = [GAME.describe(position.seen_by(0), action, FRENCH) for action in position.legal()]
    assert imposing[0] == "Ne rien imposer\u00a0: Cleo joue sur la pile de son choix"
    assert imposing[2] == "Cleo doit jouer sur la pile 2 (6 au-dessus)"


def test_a_draw_is_told_to_who_sees_the_card():  # SZ-20
    position = do(table(THREE), "7/3 on 2")
    assert said(position.copy(), "draw 13/0", 0) == ["Ann draws 13 (no pillow)."]
    assert said(position.copy(), "draw 13/0", 1) == said(position.copy(), "draw 13/0", SPECTATOR, FRENCH) == []
    assert said(position.copy(), "draw wolf", 0) == ["Ann draws a wolf."]


def test_a_wolf_is_told():  # SZ-12
    position = table(THREE)
    assert said(position, "wolf on 2") == ["Ann plays a wolf on pile 2: from now on sheep are counted down."]
    assert said(position.copy(), "draw 5/0") == ["Ann draws 5 (no pillow) from pile 2: all is well, it becomes the top."]
    assert said(position, "draw wolf") == ["Crunch! Ann draws a wolf and gets the whole pile 2: 4 cards. There is one pile less."]


def test_a_round_is_told_with_its_sums():  # SZ-15 SZ-16
    position = table("up, clockwise\npiles: 4/2 | 6 | 12\nA> 9/5\nB: 10\nC: 1\nrest: under 3", totals=[70, 10, 10])
    assert said(position, "take 1", 1) == ["Ann takes pile 1: 1 card.", "The deck is empty and a pile was taken: the round is over."]
    do(position, "draw 9/5", "draw 10/0")
    assert said(position, "draw 1", 1) == [
        "Cleo is left with 1 (5 pillows) in hand.",
        "Round 1 is counted, with the cards taken and those left in hand:",
        "+7 pillows for Ann, 77 in all.",
        "+0 pillows for Bea, 10 in all.",
        "+5 pillows for Cleo, 15 in all.",
        "Ann has 75 pillows or more and falls asleep.",
        "Bea wins with the fewest pillows: 10.",
    ]
    assert position.to_act == OVER
    assert GAME.prompt(position.seen_by(0), FRENCH) == "Bea gagne avec le moins d'oreillers\u00a0: 10."


@pytest.mark.parametrize("language", ["fr"])
def test_every_message_is_translated_with_the_same_values(language: str):
    english, other = (catalogue(GAME.folder / "locale", tongue) for tongue in ("en", language))
    assert {message.id for message in english} == {message.id for message in other}
    for message in english:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            mine, theirs = message.string, other.get(key).string
            assert isinstance(mine, str) == isinstance(theirs, str)
            for one, two in zip([mine] if isinstance(mine, str) else mine, [theirs] if isinstance(theirs, str) else theirs, strict=True):
                assert {word.split("}")[0] for word in one.split("{")[1:]} == {word.split("}")[0] for word in two.split("{")[1:]}, key
    assert GAME.help(language) != GAME.help("en")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("19 = [5]\n", ""), "line 17: sheep.19: is missing; it must be a list of whole numbers from 0 to 20"),
        (("19 = [5]\n", "19 = []\n"), "line 37: sheep.19: there is at least one sheep of every number"),
        (("4 = [0, 2]\n", "4 = [0, 2, 2]\n"), "line 17: sheep: the game has 44 sheep, not 45: add or remove copies, or correct deck.sheep"),
        (("cards = 4", "cards = 5"), "line 41: wolves.cards: must be a whole number from 0 to 4, not 5"),
        (("19 = [5]\n", "19 = [5]\n20 = [5]\n"), "line 38: sheep.20: sheep are numbered 1 to 19"),
        (("sheep = 44", "sheep = 43"), "the game has 43 sheep, not 44"),
        (("highest = 19", "highest = 0"), "line 7: deck.highest: must be a whole number from 1 to 99, not 0"),
        (("highest = 19", "highest = 20"), "sheep.20: is missing"),
        (("names-next = [1, 19]", "names-next = [1, 20]"), r"line 12: powers.names-next\[1\]: must be a whole number from 1 to 19, not 20"),
        (("names-next = [1, 19]", "names-next = [1, 18]"), "line 10: powers: a number has one power, and is named once"),
        (("turns-play", "turns-pay"), "line 13: powers.turns-pay: unknown. Did you mean turns-play?"),
        (("cards = 4", "card = 4"), "line 41: wolves.card: unknown. Did you mean cards?"),
    ],
)
def test_a_component_file_that_cannot_be_played_with_is_refused(tmp_path, change, complaint):  # SZ-1 SZ-7
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    path = tmp_path / "components.toml"
    assert change[0] in text
    path.write_text(text.replace(*change, 1), encoding="utf-8")
    with pytest.raises(BadComponents, match=complaint):
        sheepfold.load("sheepzzz", components=path)


def test_too_few_sheep_to_deal_are_refused(tmp_path):  # SZ-2
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^(\d+) = .*", r"\1 = [0]", text).replace("sheep = 44", "sheep = 19")
    (tmp_path / "few.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadComponents, match=r"few.toml: deck.sheep: must be at least 29 with 5 players"):
        sheepfold.load("sheepzzz", components=tmp_path / "few.toml")
    assert sheepfold.load("sheepzzz", seats=3, components=tmp_path / "few.toml").start()
    text = text.replace("sheep = 19\nhighest = 19", "sheep = 13\nhighest = 13").replace("19]", "9]").replace(", 17, 18]", "]")
    (tmp_path / "fewer.toml").write_text(re.sub(r"(?m)^1[4-9] = .*\n", "", text), encoding="utf-8")
    with pytest.raises(BadComponents, match=r"fewer.toml, line 6: deck.sheep: must be at least 14 with 2 players"):
        sheepfold.load("sheepzzz", seats=2, components=tmp_path / "fewer.toml")


def test_numbers_and_powers_are_those_of_the_file(tmp_path):  # SZ-8 SZ-9
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    text = text.replace("sheep = 44\nhighest = 19", "sheep = 45\nhighest = 20").replace("19 = [5]\n", "19 = [5]\n20 = [6]\n")
    text = text.replace("[1, 19]", "[20]").replace("[2, 3, 17, 18]", "[1]")
    (tmp_path / "other.toml").write_text(text, encoding="utf-8")
    drawing = "up, clockwise\npiles: 6 | 12 | 2\nA> {} 4\nB: 5 6\nC: 13"
    for card, names in (("20", True), ("19", False), ("18", False)):
        position = table(drawing.format(card), components=tmp_path / "other.toml")
        action = GAME.read(position, f"{card} on 1")
        assert ("who plays next" in GAME.describe(position, action, ENGLISH)) == names
        position.apply(action)
        assert (position.to_act == 0) == names
    assert "1 → 20" in plain(GAME.text_picture(position, 0))
    taking = do(table(drawing.format("1"), components=tmp_path / "other.toml"), "take 1", "start 1")
    assert legal(taking) == ["turn", "keep"]


def test_a_record_of_an_earlier_file_that_says_the_same_still_plays():
    now = GAME.setup(2)
    assert GAME.same_components[now.digest]
    text = "".join(line for line in write_record(Record(now)).splitlines(keepends=True) if not line.startswith("sum"))
    for earlier in GAME.same_components[now.digest]:
        assert read_record(text.replace(now.digest, earlier)).setup == now
    with pytest.raises(BadRecord, match="component file 12345678"):
        read_record(text.replace(now.digest, "12345678"))


def test_cards_of_one_kind_are_interchangeable(tmp_path):  # SZ-31
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    path = tmp_path / "components.toml"
    path.write_text(text.replace("9 = [0, 2, 3, 5]\n10", "9 = [1, 1, 1, 1]\n10"), encoding="utf-8")
    position = do(sheepfold.load("sheepzzz", seats=2, components=path).start(), "starter 1")
    actions = dict(zip(legal(position), position.weights(), strict=True))
    assert actions["draw 9"] == 4
    assert actions["draw 10/3"] == 1
