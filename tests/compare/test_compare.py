"""Comparing two sides: pairs that differ only by what was changed, intervals that hold the truth, runs that stop and go on."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

import pytest

from sheepfold.bots import BOTS
from sheepfold.compare.figures import CLEARLY, NUMBER, OPEN, PERHAPS, SAME, SHARE, Figure, figures_of, found_in, measured, student
from sheepfold.compare.page import as_csv, figure_rows, make_page
from sheepfold.compare.pairs import ALONE, BEST, LINE_UP, Comparison, Pair, compare, play, work_of
from sheepfold.compare.sides import Side, entries, side
from sheepfold.compare.watched import Watched, watch
from sheepfold.compare.words import comparing_voice, sentence
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.component_file import with_value
from sheepfold.game.registry import every_game, find
from sheepfold.messages import languages
from sheepfold.terminal.compare import comparison as command

sys.path.insert(0, str(Path(__file__).parents[1] / "terminal"))
from toy_game import Burrow, Clover


def sides(game, a="", b="", seats=None, bots=("random",)):
    """A comparison of two texts, and what its first side starts from."""
    found = find(game)
    (one, setup), (other, _) = (side(found, seats, text, {}, None, bots, "--side") for text in (a, b))
    return Comparison(game, setup.seats, one, other, "seed", "greedy:1:decisions=1"), setup


def made(ranks=(1, 2), scores=(3, 1), **others):
    values = {"starter": 0, "turns": 10, "decisions": 20, "behind": 0.0, "judged": 1, "mattered": 0, "stake": 0.0, "alone": 0}
    return Watched(ranks, scores, **(values | others))


# Sides.


def test_a_side_is_options_components_values_and_bots_in_one_text():
    assert entries("late-field-stays=yes, bots=ram,greedy:1:decisions=1,panic.spaces=[3, 40],components=a,b.toml") == [
        ("late-field-stays", "yes"),
        ("bots", "ram,greedy:1:decisions=1"),
        ("panic.spaces", "[3, 40]"),
        ("components", "a,b.toml"),
    ]
    assert entries("tiles={a=1, b=2}, x=1") == [("tiles", "{a=1, b=2}"), ("x", "1")]
    one, setup = side(find("haste-bock"), 3, "neutral-rows=no,panic.spaces=[3, 40],bots=lamb,ewe,ram", {}, None, ["random"], "--a")
    assert one.options == (("neutral-rows", False),)
    assert one.bots == ("lamb", "ewe", "ram")
    assert setup.components.digest != find("haste-bock").components.digest
    assert one.label(Side(bots=("lamb",) * 3)) == "neutral-rows=false, panic.spaces=[3, 40], lamb,ewe,ram"
    assert Side(bots=("lamb",)).label(Side(bots=("lamb",))) == ""


def test_what_both_sides_have_is_changed_by_one(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text(with_value(find("haste-bock").printed, "panic.spaces", "[3]", "own.toml"))
    base, _ = side(find("haste-bock"), 2, "", {"neutral-rows": "no"}, str(own), ["lamb"], "--a")
    other, setup = side(find("haste-bock"), 2, "neutral-rows=yes,panic.spaces=[]", {"neutral-rows": "no"}, str(own), ["lamb"], "--b")
    assert base.components[0] == "own.toml" and "spaces = [3]" in base.components[1]
    assert other.options == () and other.components[0] == "own.toml, panic.spaces=[]"
    assert setup.component_file.text == other.components[1]


def test_a_value_over_several_lines_is_replaced_whole():
    text = '[a]\nsource = "public"\nlist = [\n  1,  # one\n  2,\n]\nnext = 3\n'
    assert with_value(text, "a.list", "[7]", "x") == '[a]\nsource = "public"\nlist = [7]\nnext = 3\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("wool", r"--b: 'wool' says nothing of a side; it is name=value"),
        ("bots=", r"--b: bots= has no value"),
        ("neutral-row=no", r"--b: Haste Bock\? has no option 'neutral-row'\. Did you mean neutral-rows"),
        ("neutral-rows=perhaps", r"--b: .*neutral-rows"),
        ("bots=lamp", r"--b: there is no bot 'lamp'\. Did you mean lamb"),
        ("bots=lamb,ewe,ram", r"--b: 2 seats need 2 bots, or one for all, not 3"),
        ("seats=3", r"--b: both sides are played by as many"),
        ("components=nowhere.toml", r"--b: nowhere\.toml: No such file"),
        ("panic.space=[3]", r"--b: components\.toml: there is nothing at 'panic\.space'\. Did you mean panic\.spaces"),
        ("panic.spaces=three", r"--b: panic\.spaces: three is no value that TOML knows"),
        ("panic.spaces=[900]", r"--b: .*line \d+: panic\.spaces\[0\]: must be a whole number"),
    ],
)
def test_what_is_wrong_with_a_side_is_said_in_one_line(text, says):
    with pytest.raises(SheepfoldError, match=says) as error:
        side(find("haste-bock"), 2, text, {}, None, ["random"], "--b")
    assert "\n" not in str(error.value)


# Pairs.


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_equal_sides_differ_by_nothing_at_all(game):
    setup = game.setup()
    games = [watch(setup, ("glance:2",) * setup.seats, Dice(7), alone=0) for _ in range(2)]
    assert games[0] == games[1], "the same dice, the same game"
    pairs = [Pair(part, number, *games) for part in (LINE_UP, ALONE, BEST) for number in range(40)]
    found = found_in(pairs, setup)
    assert len(found) == len(figures_of(setup)) - 2 * (games[0].judged == 0)
    assert {each.difference for each in found} == {0.0}


def test_whoever_draws_more_shifts_nobody_else(monkeypatch):
    """Chance and every seat have streams of their own, and every decision begins anew in its seat's: thinking longer changes no game."""
    words = []

    class Steady:
        def __init__(self, drawn):
            self.drawn = drawn

        def choose(self, view, dice):
            drawn = [int(dice.word()) for _ in range(self.drawn)]
            words.append(drawn[0])
            return view.legal()[words[-1] % len(view.legal())]

    for name, drawn in (("calm", 1), ("restless", 5)):
        monkeypatch.setitem(BOTS, name, lambda argument, drawn=drawn: Steady(drawn))
    setup = find("haste-bock").setup(2)
    calm = watch(setup, ("calm", "calm"), Dice("stream")), list(words)
    words.clear()
    assert (watch(setup, ("restless", "calm"), Dice("stream")), words) == calm
    assert len(set(words)) == len(words) > 20, "no decision draws what another has drawn"


def test_a_pair_depends_on_its_number_alone_and_the_better_level_sits_on_every_seat():
    what, _ = sides("te-kuiti", seats=2)
    assert play(what, ALONE, 3) == play(what, ALONE, 3) != play(what, ALONE, 4)
    assert [play(what, ALONE, number).a.alone for number in range(3)] == [0, 1, 0]
    assert play(what, BEST, 0).a.alone == -1


@pytest.mark.parametrize("game", [Clover(), Burrow()], ids=lambda game: game.name)
def test_a_game_that_brings_rules_alone_is_compared_too(game):
    """No evaluator, no component file; Burrow has secrets and is interrupted."""
    setup = game.setup(3)
    seen = watch(setup, ("glance", "random", "greedy:1"), Dice(1))
    assert seen.turns > 0 and seen.decisions > 0
    assert len(seen.ranks) == 3 and 0 <= seen.starter < 3
    with pytest.raises(SheepfoldError, match="has no component file"):
        side(game, 3, "heap.size=3", {}, None, ["random"], "--b")


def test_a_known_difference_is_found():
    what, setup = sides("haste-bock", b="bots=greedy:1:decisions=1,random", seats=2)
    pairs = compare(what, 60)
    found = {each.figure.key: each for each in found_in(pairs, setup)}
    assert found["win-1"].verdict == CLEARLY and found["win-1"].low > 0
    assert found["win-2"].difference == pytest.approx(-found["win-1"].difference)
    assert found["win-1"].a + found["win-2"].a == pytest.approx(1)


def test_a_run_that_was_stopped_goes_on(tmp_path):
    path = tmp_path / "run" / "pairs.jsonl"
    what, _ = sides("te-kuiti", b="late-field-stays=yes", seats=2)
    whole = compare(what, 6, 1)
    assert len(whole) == work_of(6, 1, 2) == 8

    def stop(done):
        if done == 3:
            raise KeyboardInterrupt

    assert compare(what, 6, 1, path=path, progress=stop) == [pair for pair in whole if pair.part == LINE_UP][:3]
    with path.open("a") as file:
        file.write('["line-up",3,[[1')  # the line that a crash left behind
    resumed = []
    assert compare(what, 6, 1, path=path, progress=resumed.append) == whole
    assert resumed[0] == 3 and resumed[-1] == 8
    assert compare(what, 6, 1, path=path, progress=resumed.append) == whole and resumed[-1] == 8
    assert len(path.read_text().splitlines()) == 1 + 8
    with pytest.raises(SheepfoldError, match="holds another comparison"):
        compare(sides("te-kuiti", seats=2)[0], 6, path=path)
    path.write_text(path.read_text() + '["wool",1,[],[]]\n')
    with pytest.raises(SheepfoldError, match=r"pairs\.jsonl: line 10 is no pair of games"):
        compare(what, 6, path=path)


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "pairs.jsonl"
    what, _ = sides("te-kuiti", seats=2)
    compare(what, 2, path=path)
    kept = path.read_bytes()
    opened = Path.open

    def full(self, mode="r", **how):
        if mode == "a":
            raise OSError(28, "No space left on device")
        return opened(self, mode, **how)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(SheepfoldError, match=r"No space left on device; what is in it is kept, and the same command goes on"):
        compare(what, 4, path=path)
    monkeypatch.undo()
    assert path.read_bytes() == kept
    assert len(compare(what, 4, path=path)) == 4


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing():
    what, _ = sides("te-kuiti", b="late-field-stays=yes", seats=2)
    assert compare(what, 4, 1, workers=2) == compare(what, 4, 1)


# Figures.


def test_the_figures_of_a_game():
    setup = find("haste-bock").setup(3)
    values = {figure.key: figure.above for figure in figures_of(setup)}
    game = made((1, 1, 3), (9, 9, 2), starter=1, behind=0.6, alone=2, judged=4, mattered=1, stake=0.2)
    assert [values[f"win-{seat}"](game) for seat in (1, 2, 3)] == [0.5, 0.5, 0]
    assert (values["starter"](game), values["ties"](game), values["comebacks"](game)) == (0.5, 1, 1)
    assert (values["lead"](game), values["spread"](game), values["winner"](game)) == (0, 7, 9)
    assert values["luck"](game) == 1.5, "alone it won less than its share"
    assert values["luck"](game._replace(alone=0, ranks=(1, 2, 3))) == 0, "it won for certain"
    fewest_win = made((2, 1, 3), (60, 20, 80))
    assert (values["lead"](fewest_win), values["winner"](fewest_win)) == (40, 20)
    pairs = [Pair(LINE_UP, number, game, game._replace(mattered=2)) for number in range(30)]
    found = {each.figure.key: each for each in found_in(pairs, setup)}
    assert (found["mattered"].a, found["mattered"].b) == (0.25, 0.5), "of the decisions that were judged"


def test_alone_a_win_is_the_goal():
    setup = find("te-kuiti").setup(1)
    values = {figure.key: figure.above for figure in figures_of(setup)}
    goal = setup.game.solo_goal
    assert [values["win-1"](made((1,), (points,))) for points in (goal - 1, goal)] == [0, 1]
    assert not {"lead", "starter", "luck", "comebacks"} & set(values)


NUMBERS = Figure("turns", NUMBER, LINE_UP, lambda game: float(game.turns))
SHARES = Figure("ties", SHARE, LINE_UP, lambda game: float(game.turns))
RATIO = Figure("mattered", SHARE, LINE_UP, lambda game: float(game.mattered), lambda game: float(game.judged))


def coverage(figure, truth, draw, pairs, times=200):
    """How often the interval of a figure holds the truth."""
    chance = random.Random(5)
    held = 0
    for _ in range(times):
        found = measured(figure, [Pair(LINE_UP, number, *draw(chance)) for number in range(pairs)])
        held += found.low <= truth <= found.high
    return held / times


def test_intervals_hold_the_truth_19_times_in_20():
    """Made-up games whose difference is known: numbers and shares that hang together within a pair, rare ones, and a ratio."""

    def numbers(chance):
        common = chance.gauss(50, 9)
        return made(turns=common + chance.gauss(0, 3)), made(turns=common + 2 + chance.gauss(0, 3))

    def shares(common, extra):
        def draw(chance):
            luck = chance.random()
            return made(turns=luck < common), made(turns=luck < common + extra)

        return draw

    def ratio(chance):
        games = [chance.randint(0, 4) for _ in range(2)]
        return tuple(
            made(judged=count, mattered=sum(chance.random() < share for _ in range(count)))
            for count, share in zip(games, (0.3, 0.4), strict=True)
        )

    assert coverage(NUMBERS, 2, numbers, 30) > 0.92
    assert coverage(SHARES, 0.1, shares(0.4, 0.1), 60) > 0.92
    assert coverage(SHARES, 0.02, shares(0.1, 0.02), 100) > 0.92, "a change that few games meet"
    assert 0.92 < coverage(RATIO, 0.1, ratio, 100) < 0.98


def test_pairs_make_an_interval_finer():
    chance = random.Random(1)
    games = [chance.gauss(50, 9) for _ in range(200)]
    paired = [Pair(LINE_UP, i, made(turns=turns), made(turns=turns + 1 + chance.gauss(0, 1))) for i, turns in enumerate(games)]
    shuffled = [pair._replace(b=paired[(i + 1) % 200].b) for i, pair in enumerate(paired)]
    assert measured(NUMBERS, paired).half < measured(NUMBERS, shuffled).half / 5


def test_the_t_distribution():
    assert [round(student(free), 2) for free in (5, 10, 30, 10_000)] == [2.57, 2.23, 2.04, 1.96]


def test_what_is_said_of_a_difference():
    def verdict(difference, noise, pairs, looked_at=20):
        drawn = [Pair(LINE_UP, i, made(turns=50.0), made(turns=50 + difference + noise * (-1) ** i)) for i in range(pairs)]
        return measured(NUMBERS, drawn, looked_at)

    assert verdict(5, 1, 100).verdict == CLEARLY
    assert verdict(0, 1, 100).verdict == SAME
    too_few = verdict(0, 20, 100)
    assert too_few.verdict == OPEN and too_few.needed > 100
    assert verdict(5, 1, 20).verdict == OPEN, "of a handful of games nothing is said"
    luck = verdict(0.25, 1, 100)
    assert luck.verdict == PERHAPS and luck.needed > 100
    assert verdict(0.25, 1, 100, looked_at=1).verdict == CLEARLY, "it is only one among many figures that makes it doubtful"
    unmet = measured(SHARES, [Pair(LINE_UP, i, made(turns=0), made(turns=0)) for i in range(100)])
    assert unmet.difference == 0 < unmet.half, "what no game met may still be there"


# The page and the command.


@pytest.fixture(scope="module")
def compared():
    what, setup = sides("te-kuiti", b="bots=glance,random", seats=2)
    return what, setup, compare(what, 30, 2)


def test_the_page_needs_nothing_else_and_holds_its_data(compared):
    what, setup, pairs = compared
    page = make_page(what, setup, pairs, "en")
    assert not re.search(r"src=|https?://|<script", page)
    drawings = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(drawings) == 11 and all(ElementTree.fromstring(drawing) is not None for drawing in drawings)
    data = [list(csv.reader(io.StringIO(unquote(text)))) for text in re.findall(r'href="data:text/csv;charset=utf-8,([^"]*)"', page)]
    assert len(data) == 10 and all(len({len(row) for row in rows}) == 1 < len(rows) for rows in data)
    found = found_in(pairs, setup)
    assert data[-1] == list(csv.reader(io.StringIO(as_csv(figure_rows(found)))))
    voice = comparing_voice("en")
    for each in found:
        assert sentence(each, voice) in page
    assert "glance,random" in page


@pytest.mark.parametrize("language", languages())
def test_every_figure_is_told_in_every_language(compared, language):
    what, setup, pairs = compared
    voice = comparing_voice(language)
    for each in found_in(pairs, setup):
        for verdict in (CLEARLY, PERHAPS, OPEN, SAME):
            for difference in (-0.1, 0.0, 0.1):
                assert not re.search(r"[{}]", sentence(each._replace(verdict=verdict, difference=difference), voice))
    assert f'lang="{language}"' in make_page(what, setup, pairs, language)


def run(tmp_path, b="", games=30, **others):
    values = {"out": tmp_path / "out", "json": None, "a": "", "skill": 0} | others
    skill, out, file = values["skill"], values["out"], values["json"]
    return command("te-kuiti", values["a"], b, games, 2, ["random"], {}, None, "1", "ram", skill, 1, None, out, file, "en")


def test_the_command_prints_writes_and_goes_on(tmp_path, capsys):
    assert run(tmp_path, "bots=glance,random", json=tmp_path / "found.json") == 0
    printed = capsys.readouterr().out
    assert "A: random\nB: glance,random\n30 pairs of games" in printed
    assert "The share of wins of seat 1 rises from" in printed
    assert "Too few games to tell (--games): " in printed
    told = json.loads((tmp_path / "found.json").read_text())
    assert told["figures"][0]["figure"] == "win-1" and told["figures"][0]["verdict"] == CLEARLY
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"pairs.jsonl", "compare.html", "figures.csv"}
    assert run(tmp_path, "bots=glance,random", games=31) == 0
    assert "31 pairs of games" in capsys.readouterr().out


def test_the_command_that_is_stopped_tells_what_there_is(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sheepfold.terminal.compare.compare", lambda *given: compare(given[0], 4))
    assert run(tmp_path, out=None) == 130
    told = capsys.readouterr()
    assert "4 pairs of games" in told.out and "30" in told.err


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SheepfoldError, match="there is no folder"):
        run(tmp_path, json=tmp_path / "nowhere" / "found.json")
