"""Tuning: goals and ranges say what they mean, a study finds a value that is known to be best, and goes on where it was stopped."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import sheepfold
from sheepfold.arena.simulate import simulate
from sheepfold.compare.pairs import Comparison, compare
from sheepfold.compare.sides import Side
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.registry import find
from sheepfold.terminal.tune import tuned
from sheepfold.tune.goals import Value, front, goal
from sheepfold.tune.page import make_page
from sheepfold.tune.ranges import range_of
from sheepfold.tune.study import Plan, Study

ABOUT = {"options": {}, "components": None, "bots": ("random",), "best": "random", "games": 40, "seed": "1"}


def plan(*goals: str, vary: tuple[str, ...] = ("fences.count=4..43",), **others: object) -> Plan:
    return Plan("te-kuiti", 2, goals, vary, **{**ABOUT, **others})  # type: ignore[arg-type]


def values(**found: float) -> dict[str, Value]:
    return {name.replace("_", "-"): Value(value, 0.0) for name, value in found.items()}


@pytest.mark.parametrize(
    ("text", "found", "missed"),
    [
        ("turns=40-50", values(turns=37), 3), ("turns=40-50", values(turns=45), 0), ("turns=40-50", values(turns=51.5), 1.5),
        ("ties<30", values(ties=0.4), 0.1), ("ties<30", values(ties=0.2), 0), ("ties > 30", values(ties=0.2), 0.1),
        ("points=3", values(points=5), 2), ("win-2=50", values(win_2=0.4), 0.1), ("win=equal", values(win_1=0.7, win_2=0.3), 0.2),
    ],
)  # fmt: skip
def test_a_goal_says_by_how_much_it_is_missed(text: str, found: dict[str, Value], missed: float) -> None:
    assert goal(text, sheepfold.load("te-kuiti", seats=2)).missed(found) == pytest.approx(missed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("turns", "is no goal"), ("turns=50-40", "50 is more than 40"), ("truns=3", "no figure 'truns'. Did you mean turns"),
        ("turns=equal", "only the wins of several seats"), ("win=equal", "only the wins of several seats"),
    ],
)  # fmt: skip
def test_what_is_no_goal_is_said(text: str, why: str) -> None:
    seats = 1 if text == "win=equal" else 2
    setup = sheepfold.load("te-kuiti", seats=1) if seats == 1 else sheepfold.load("te-kuiti", seats=2)
    with pytest.raises(SheepfoldError, match=why):
        goal(text, setup)


def test_ranges() -> None:
    assert range_of("heap=3..6").values == ("3", "4", "5", "6")
    assert range_of("heap=3..9:3").values == ("3", "6", "9")
    assert range_of("a.b=0.5..1:0.25").values == ("0.50", "0.75", "1.00")
    assert range_of("memory-game=yes|no").values == ("yes", "no") and not range_of("x=1|2").ordered
    for text, why in (
        ("heap", "nothing that could"),
        ("heap=4", "nothing that could"),
        ("heap=9..3", "lower number"),
        ("heap=1..99999", "at most"),
    ):
        with pytest.raises(SheepfoldError, match=why):
            range_of(text)


def test_the_front_has_those_that_none_is_better_than() -> None:
    assert front([(0, 3), (1, 1), (3, 0), (2, 2), (1, 1), (4, 4)]) == [0, 1, 2]


def test_a_study_finds_what_is_known_to_be_best(tmp_path: Path) -> None:
    # The more fences there are the longer a game lasts: so there is a number of them for every length.
    study = Study(plan("turns=40", games=12), tmp_path / "run")
    assert len([*study.go_on(20)]) == 20
    known = sorted(study.tried({"fences.count": str(count)}).missed[0] for count in range(4, 44))
    assert study.best()[0].missed[0] <= known[2], "it is among the best three of forty, of which it tried twenty"


def test_a_study_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    what = plan("turns=30-40", "ties<5", vary=("fences.count=10..13", "tiles.ram=2|3"))
    begun = Study(what, tmp_path)
    assert [*islice(begun.go_on(99), 3)] == begun.points
    kept = begun.points[:]
    with (tmp_path / "tries.jsonl").open("a") as file:
        file.write('{"values": {"fen')  # it was being written when everything stopped
    rest = Study(what, tmp_path)
    assert rest.points == kept
    assert len([*rest.go_on(99)]) == 8 - len(kept), "no value is tried twice, and then there is an end"
    assert len({json.dumps(point.values) for point in rest.points}) == 8
    with pytest.raises(SheepfoldError, match="another study"):
        Study(plan("turns=6-8"), tmp_path)


def test_what_cannot_be_played_is_no_end_of_it(tmp_path: Path) -> None:
    study = Study(plan("turns=30", vary=("fences.count=-1..2",)), tmp_path)
    assert {point.values["fences.count"]: bool(point.refused) for point in study.go_on(9)} == {
        "-1": True,
        "0": True,
        "1": False,
        "2": False,
    }
    with pytest.raises(SheepfoldError, match=r"--vary: .*fence\.count"):
        Study(plan("turns=3", vary=("fence.count=1..3",)), tmp_path / "other")


def test_a_try_that_is_stopped_by_half_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study, both = Study(plan("turns=30"), tmp_path), Side(bots=("random", "random"))
    stopped = compare(Comparison("te-kuiti", 2, both, both, "1", "random"), 3)
    monkeypatch.setattr("sheepfold.tune.study.compare", lambda *told: stopped)  # as Ctrl+C leaves it
    with pytest.raises(KeyboardInterrupt):
        next(study.go_on(1))
    assert Study(plan("turns=30"), tmp_path).points == []


def test_a_page_has_the_front_with_its_data_and_component_files(tmp_path: Path) -> None:
    study = Study(plan("turns=30-31", "ties<5", vary=("fences.count=10..13",), games=4), tmp_path)
    for _ in study.go_on(9):
        pass
    for points, fresh, said in ((study.best(), 0, "It was stopped"), ([study.tried(study.best()[0].values, 4)], 4, "4 games each")):
        page = make_page(study, points, fresh, "en")
        assert said in page and "turns=30-31 against ties&lt;5" in page
        for drawing in re.findall(r"<svg.*?</svg>", page, re.S):
            ElementTree.fromstring(drawing)
        links = dict(re.findall(r'<a download="([^"]+)" href="data:[^,]*,([^"]*)"', page))
        assert len(unquote(links["te-kuiti-front-1-2.csv"]).splitlines()) == 1 + len(study.points)
        assert f"count = {points[0].values['fences.count']}" in unquote(links["te-kuiti-point-1.toml"])


def test_the_best_are_shown_with_fresh_seeds_and_their_component_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    what = plan("turns=30-40", vary=("fences.count=12..15",))
    assert tuned(what, tmp_path, 99, 50, 1, None, "en") == 0
    said = capsys.readouterr().out
    assert "what 4 tries found" in said and "turns=30-40: " in said
    found = json.loads((tmp_path / "front.json").read_text())
    assert found[0]["figures"]["turns"] != list(Study(what, tmp_path).best()[0].figures["turns"])
    assert f"count = {found[0]['values']['fences.count']}" in (tmp_path / "point-1.toml").read_text()
    assert "The best were played once more" in (tmp_path / "tune.html").read_text()
    assert len(simulate(find("te-kuiti").setup(2, str(tmp_path / "point-1.toml")), 2, seed=1).played) == 2
