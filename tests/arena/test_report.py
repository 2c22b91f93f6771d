"""The page of a report: one file with all its data, of one level or several, or of an arena's games alone, with games to look at.

In a browser it is looked at by tests/web/test_browser_report.py."""

import csv
import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

import pytest

from sheepfold.arena.arena import Contest, contend
from sheepfold.arena.kept_games import KeptGames, kept_beside
from sheepfold.arena.page import as_csv
from sheepfold.arena.report import arena_report, ladder_from, make_report, worth_a_look
from sheepfold.arena.watching import Watched, watch, watched_from
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import OVER
from sheepfold.game.records import Record, read_record
from sheepfold.game.registry import every_game, find
from sheepfold.terminal.arena import report

SETUP = find("te-kuiti").setup(2)


def links(page, kind):
    """By its name: every text of that kind that stands in the page."""
    found = re.findall(rf'<a download="([^"]+)" href="data:{kind};charset=utf-8,([^"]*)"', page)
    return {name: unquote(text) for name, text in found}


def tables(page):
    return {name: list(csv.reader(io.StringIO(text))) for name, text in links(page, "text/csv").items()}


def test_a_report_is_one_page_that_fetches_nothing(tmp_path):
    contest = Contest("haste-bock", 4, ("greedy:1", "random"), "1", {}, True)
    contend(contest, 4, path=tmp_path / "games.jsonl")
    setup = find("haste-bock").setup(4)
    page = make_report(setup, ["random"], 3, [ladder_from(tmp_path)], True, "1", "en")
    assert not re.search(r"\bsrc=|https?://(?!www\.w3\.org/2000/svg)", page)
    assert all(link.startswith(("#", "data:")) for link in re.findall(r'href="([^"]+)', page))
    drawings = re.findall(r"<svg.*?</svg>", page, re.S)
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    assert len(drawings) == 2 * 7, "ratings, duels and five plots, each for wide screens and for narrow ones"
    assert "greedy:1 / random" in page
    assert "no panic spaces" in page
    assert "Points" in make_report(setup, ["random"], 2, [], False, "1", "fr")


def test_every_plot_has_its_data():
    page = make_report(SETUP, ["random"], 4, [], False, "1", "en")
    found = tables(page)
    sections = re.findall(r"<section.*?</section>", page, re.S)
    assert len(sections) == len(found) == 7
    assert all("text/csv" in section for section in sections)
    games = [watch(SETUP, "random", f"1/{number}") for number in range(4)]
    assert found["te-kuiti-random-length.csv"][1:] == [[str(number), str(len(game.branching))] for number, game in enumerate(games, 1)]
    scores = found["te-kuiti-random-scores.csv"]
    assert scores[0] == ["game", "seat", "rank", "points"]
    assert [int(row[3]) for row in scores[1:]] == [score for game in games for score in game.scores]
    assert as_csv([("a", 'x,"y"'), (1, 1 / 3)]) == 'a,"x,""y"""\n1,0.333333\n'


def test_the_reader_chooses_between_levels():
    page = make_report(SETUP, ["random", "greedy:1"], 2, [], False, "1", "en")
    assert re.findall(r'<input type="radio" name="level" value="(\d)"( checked)?>([^<]+)', page) == [
        ("0", " checked", "random"),
        ("1", "", "greedy:1"),
    ]
    assert "Levels side by side" in page
    assert {name for name in tables(page) if name.endswith("-seats.csv")} == {"te-kuiti-random-seats.csv", "te-kuiti-greedy-1-seats.csv"}
    ids = re.findall(r'<section id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert 'type="radio"' not in make_report(SETUP, ["random"], 2, [], False, "1", "en")


def test_an_arenas_report_is_made_of_its_games_alone(tmp_path, monkeypatch):
    contend(Contest("te-kuiti", 2, ("greedy:1", "random"), "1", {}, True), 6, path=tmp_path / "games.jsonl")
    monkeypatch.setattr("sheepfold.arena.report.watch", None)
    monkeypatch.setattr("sheepfold.arena.arena.play", None)
    page = arena_report([ladder_from(tmp_path)], "en")
    found = tables(page)
    assert [row[0] for row in found["te-kuiti-ratings.csv"]] == ["bot", "greedy:1", "random"]
    (_, rating, low, high, _, games, seats, *_) = found["te-kuiti-ratings.csv"][1]
    assert float(low) <= float(rating) <= float(high)
    assert (games, seats) == ("6", "6")
    assert found["te-kuiti-duels.csv"][1][:3] == ["greedy:1", "random", "6"]
    assert "6 games" in page
    assert ">6 (6)<" in page


def test_the_games_of_a_figure_are_those_it_rests_on(tmp_path):
    contend(Contest("haste-bock", 3, ("greedy:1", "random", "lamb"), "1"), 6, path=tmp_path / "games.jsonl")
    assert "haste-bock-duels.csv" not in tables(arena_report([ladder_from(tmp_path)], "en")), "nobody sat alone against one other"
    contend(Contest("haste-bock", 3, ("greedy:1", "random"), "1"), 5, path=tmp_path / "two" / "games.jsonl")
    rows = tables(arena_report([ladder_from(tmp_path / "two")], "en"))["haste-bock-duels.csv"][1:]
    assert [row[:3] for row in rows] == [["greedy:1", "random", "3"], ["random", "greedy:1", "2"]]


def test_arenas_that_do_not_belong_together_and_empty_ones_are_refused(tmp_path):
    two, three = (Contest("haste-bock", seats, ("greedy:1", "random"), "1") for seats in (2, 3))
    with pytest.raises(SheepfoldError, match="one report each"):
        arena_report([(two, contend(two, 1)), (three, [])], "en")
    with pytest.raises(SheepfoldError, match="no games in it yet"):
        arena_report([(two, [])], "en")


def test_a_report_is_about_a_game_or_an_arenas_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    contend(Contest("te-kuiti", 2, ("greedy:1", "random"), "1", {}, True), 2, path=tmp_path / "run" / "games.jsonl")
    assert report("run", Path("page.html"), 2, ["random"], 0, False, None, {}, None, "1", 1, "en") == 0
    assert "greedy:1 / random" in Path("page.html").read_text()
    with pytest.raises(SheepfoldError, match="says by itself what was played"):
        report("run", Path("page.html"), 2, ["random"], 0, False, 2, {}, None, "1", 1, "en")


@pytest.mark.slow
def test_a_report_is_the_same_from_several_workers_and_of_other_set_ups(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text((find("te-kuiti").folder / "components.toml").read_text())
    setup = find("te-kuiti").setup(2, own, late_field_stays=True)
    page = make_report(setup, ["random"], 2, [], True, "1", "en")
    assert "Played with late-field-stays=true, own.toml." in page
    assert make_report(setup, ["random"], 2, [], True, "1", "en", workers=2) == page


def test_a_report_that_was_stopped_goes_on(tmp_path, monkeypatch):
    out = tmp_path / "page.html"
    arguments = (out, 3, ["random"], 0, False, 2, {}, None, "1", 1, "en")
    whole = make_report(SETUP, ["random"], 3, [], False, "1", "en")
    played = []

    def stopping(setup, name, seed):
        played.append(seed)
        if len(played) == 3:
            raise KeyboardInterrupt
        return watch(setup, name, seed)

    monkeypatch.setattr("sheepfold.arena.report.watch", stopping)
    assert report("te-kuiti", *arguments) == 130
    assert not out.exists()
    kept = tmp_path / "page.html.games" / "watched.jsonl"
    kept.write_text(kept.read_text() + '\n["half a li')
    assert report("te-kuiti", *arguments) == 0
    assert played == ["1/0", "1/1", "1/2", "1/2"], "only what was missing"
    assert out.read_text() == whole
    assert list(tmp_path.iterdir()) == [out], "what is done needs no keeping"


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    with pytest.raises(OSError, match="No space"), kept_beside(tmp_path / "page.html") as kept:
        kept.add(SETUP, "random", "1/0", watch(SETUP, "random", "1/0"))
        raise OSError(28, "No space left on device")
    again = KeptGames(tmp_path / "page.html.games")
    assert again.find(SETUP, "random", "1/0") == watch(SETUP, "random", "1/0")
    assert again.find(SETUP, "greedy:1", "1/0") is None


def ended(ranks, scores, decisions, behind=0.0):
    return Watched(ranks, scores, 9, [2] * decisions, [], behind)


def test_the_closest_the_biggest_comeback_and_the_longest_are_worth_a_look():
    games = [
        ended((1, 2), (9, 1), 5),
        ended((2, 1), (4, 5), 7, 0.2),
        ended((1, 1), (5, 5), 30),
        ended((1, 2), (9, 2), 6, 0.5),
        ended((1, 2), (3, 2), 6),
    ]
    assert worth_a_look(games) == {"closest": 1, "comeback": 3, "longest": 2}
    assert worth_a_look(games[:1]) == {"closest": 0, "longest": 0}, "nobody came back"
    assert worth_a_look([ended((1,), (9,), 5)]) == {"longest": 0}


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_a_watched_game_is_its_log(game):
    setup = game.setup()
    watched = watch(setup, "random", "log")
    end = Record(setup, watched.log).end()
    assert end.to_act == OVER
    assert tuple(end.scores()) == watched.scores
    assert 0 <= watched.behind <= 1
    assert watched_from(vars(watched)) == watched


def test_the_records_of_a_report_can_be_replayed():
    records = links(make_report(SETUP, ["random"], 3, [], False, "1", "en"), "text/plain")
    assert {"te-kuiti-closest.txt", "te-kuiti-longest.txt"} <= set(records)
    for text in records.values():
        assert read_record(text).end().to_act == OVER
