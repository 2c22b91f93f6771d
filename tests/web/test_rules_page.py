"""The rules that are shown: every figure is drawn by the game itself, every decision has its section, every thing its tip."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadRecord
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game import rule_figures
from sheepfold.game.registry import every_game, find
from sheepfold.web.lessons import tips_of
from sheepfold.web.rules_page import RULING, rules_text

GAMES = every_game()
one_of_each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@one_of_each
def test_the_rules_have_the_same_sections_figures_and_rulings_in_both_languages(game):
    english, french = game.help("en"), game.help("fr")
    assert rule_figures.ANCHOR.findall(english) == rule_figures.ANCHOR.findall(french)
    assert english.count(RULING) == french.count(RULING) >= 4
    blocks = [[re.sub(r"(?m)^---.*", "---", block) for block in rule_figures.FENCE.findall(text)] for text in (english, french)]
    assert blocks[0] == blocks[1] and len(blocks[0]) >= 2


@one_of_each
@pytest.mark.parametrize("language", ["en", "fr"])
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
    page, part = client.get("/rules/te-kuiti").text, client.get("/rules/te-kuiti?part=1").text
    assert 'id="rule-sheep"' in page and 'id="rule-sheep"' in part and 'id="sf-tileback"' in page
    assert client.get("/tips/te-kuiti").json()["fence"].startswith("A fence")
    assert client.get("/tips/no-such-game").status_code == 404
