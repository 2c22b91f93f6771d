"""The rules that are shown: every figure is drawn by the game itself, every decision has its section, every thing its tip."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from fastapi.testclient import TestClient

from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadRecord
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game import rule_figures
from sheepfold.game.registry import every_game, find
from sheepfold.messages import VALUE, page
from sheepfold.web.lessons import tips_of
from sheepfold.web.rules_page import RULING, contents, rules_text

GAMES = every_game()
one_of_each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@one_of_each
@pytest.mark.parametrize("language", ["fr", "de"])
def test_the_rules_have_the_same_sections_figures_rulings_and_values_in_every_language(game, language):
    english, other = game.help("en"), game.help(language)
    assert rule_figures.ANCHOR.findall(english) == rule_figures.ANCHOR.findall(other)
    assert english.count(RULING) == other.count(RULING) >= 4
    blocks = [[re.sub(r"(?m)^---.*", "---", block) for block in rule_figures.FENCE.findall(text)] for text in (english, other)]
    assert blocks[0] == blocks[1] and len(blocks[0]) >= 2
    written = [(game.folder / "help" / f"{each}.md").read_text(encoding="utf-8") for each in ("en", language)]
    assert Counter(VALUE.findall(written[0])) == Counter(VALUE.findall(written[1]))


@one_of_each
@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_figures_are_drawn_whole_and_share_no_ids(game, language):
    text = rules_text(game.name, language)
    shown = sum(len(re.findall(r"(?m)^---", block)) for block in rule_figures.FENCE.findall(game.help(language)))
    assert text.count("<figure>") == text.count("<figcaption>") == shown
    assert "{#" not in text and "```" not in text
    drawn = re.findall(r"<figure>(<svg.*?</svg>)<figcaption>", text, re.DOTALL)
    assert len(drawn) == shown and all('role="img"' in svg and svg.count("<use") > 2 for svg in drawn)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', text)) <= {*ids, *re.findall(r'"#(sf-[^"]+)"', text)}


@one_of_each
def test_every_decision_has_a_section(game):
    """In some random games, of all numbers of players."""
    anchors = set(rule_figures.ANCHOR.findall(game.help("en")))
    asked = set()
    for seats in game.seats:
        for seed in range(4):
            position, dice = game.setup(seats).start(), Dice(f"rule {seed}")
            for _ in range(150):
                if position.to_act == OVER:
                    break
                if position.to_act != CHANCE:
                    asked.add(game.rule(position.seen_by(int(position.to_act))))
                position.apply(int(position.random_action(dice)))
            assert game.rule(position.seen_by(0)) in anchors
    assert asked <= anchors and len(asked) >= 3


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("sheepzzz", ("4 = [0, 2]\n5 = [0, 2]\n", "4 = [1, 1, 7]\n5 = [0]\n"), ["| 4 | 3 | 1, 1, 7 |", "| 5 | 1 | 0 |"]),
        ("sheepzzz", ("cards = 4", "cards = 3"), [" 3 "]),
        ("te-kuiti", ("sleepy = 4\nshy = 4", "sleepy = 5\nshy = 3"), ["| 4 | 5 | 3 | 4 | 4 | 3 | 2 |"]),
        ("te-kuiti", ("count = 30", "count = 28"), ["28 "]),
        ("haste-bock", ("slam = [2, 3]\nleap = [2]", "slam = [2, 2]\nleap = [3]"), ["(2, 2)", "(3)"]),
        ("haste-bock", ("walls = [24, 61]", "walls = [23, 61]"), [" 23 "]),
    ],
)
def test_the_rules_tell_the_numbers_of_the_components_in_use(tmp_path, language, name, change, told):
    game, path = find(name), tmp_path / "components.toml"
    text = game.component_file.read_text(encoding="utf-8")
    assert text.count(change[0]) == 1
    path.write_text(text.replace(*change), encoding="utf-8")
    usual, other = game.help(language), game.help(language, game.setup(component_file=path))
    assert usual != other
    for words in told:
        assert other.count(words) > usual.count(words), words


def test_the_rules_beside_a_table_tell_its_own_numbers():
    hard = find("te-kuiti").setup(1, flowers=3)
    assert [rules_text("te-kuiti", "en", setup).count("<td>3</td>") for setup in (None, hard)] == [1, 6]


def test_a_value_that_nobody_knows_is_refused_with_its_line(tmp_path):
    (tmp_path / "en.md").write_text("# Wool\n\n{sheep} and {wool}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"en.md, line 3: nothing is known by the name \{wool\}; known are sheep"):
        page(tmp_path, "en", {"sheep": 4})


def test_a_figure_that_cannot_be_played_says_so():
    with pytest.raises(BadRecord, match="the figure's event '1 slam 9'"):
        rule_figures.panels(find("haste-bock"), "seats: 4\ndraw:\n  b y\n1 slam 9\n---\n")


def test_without_pictures_drawings_and_captions_stay():
    text = rule_figures.without_figures(find("haste-bock").help("en"))
    assert "    b . y . . r ." in text and "*Blue can ram one or two to the east*" in text
    assert "```picture" not in text and "{#" not in text and "window:" not in text


@one_of_each
def test_tips_are_about_things_that_are_drawn(game):
    """Each tip's key is the beginning of an id, a symbol or a class in some picture of a random game."""
    wanted, seen = set(tips_of(game.name, "en")), ""
    assert len(wanted) >= 8 and set(tips_of(game.name, "fr")) == wanted
    assert tips_of(game.name, "en") != tips_of(game.name, "fr")
    for seats in game.seats:
        position, dice = game.setup(seats).start(), Dice("tips")
        for ply in range(600):
            if position.to_act == OVER:
                break
            seat = int(position.to_act)
            if seat >= 0 and (ply < 60 or ply % 5 == 0):
                seen += re.sub(r"(?s)<(style|defs)>.*?</\1>", "", game.picture(position.seen_by(seat), seat))
            position.apply(int(position.random_action(dice)))
    for key in wanted:
        assert re.search(rf'id="{key}(-[^"]*)?"|href="#{key}"|class="[^"]*\b{key}\b', seen), key


def test_the_rules_page_and_the_part_beside_the_board(client: TestClient):
    wish = {"game": "te-kuiti", "seats": [{"kind": "me"}], "options": {"flowers": 3}}
    table = client.post("/api/tables", json=wish).json()["table"]
    assert client.get(f"/rules/te-kuiti?part=1&table={table}").text == rules_text("te-kuiti", "en", find("te-kuiti").setup(1, flowers=3))
    assert client.get(f"/rules/sheepzzz?part=1&table={table}").text == rules_text("sheepzzz", "en")
    assert client.get("/rules/te-kuiti?part=1&table=none").status_code == 404
    page, part = client.get("/rules/te-kuiti").text, client.get("/rules/te-kuiti?part=1").text
    assert 'id="rule-sheep"' in page and 'id="rule-sheep"' in part and 'id="sf-tileback"' in page
    assert client.get("/tips/te-kuiti").json()["fence"].startswith("A fence")
    assert client.get("/tips/no-such-game").status_code == 404


@one_of_each
def test_the_page_lists_its_sections_and_begins_with_play(client: TestClient, game):
    text = client.get(f"/rules/{game.name}").text
    contents = re.search(r'<nav class="contents".*?</nav>', text, re.DOTALL)[0]
    assert f'action="/play/{game.name}"' in contents and text.index(contents) < text.index("<article")
    listed = re.findall(r'<a href="#(rule-[^"]+)">([^<]+)</a>', contents)
    assert [anchor for anchor, _ in listed] == re.findall(r'<h2 id="([^"]+)"', text) and len(listed) >= 5
    assert "contents" not in client.get(f"/rules/{game.name}?part=1").text, "beside the board there is no room for them"


def test_the_contents_of_rules_are_read_without_their_marks():
    assert contents('<h2 id="rule-a">Up &amp; <em>down</em></h2><h3 id="rule-b">x</h3>') == [("rule-a", "Up & down")]
