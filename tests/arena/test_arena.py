"""The arena: fair line-ups, results that depend on the seed alone, runs that stop and go on, ratings, and the report."""

import json
import tomllib
from pathlib import Path

import pytest

from sheepfold.arena import plots
from sheepfold.arena.arena import Contest, Outcome, Results, contend, duel, play, standings, won_by
from sheepfold.arena.report import changed_components, changed_seats, figures, ladder_from, level_ladder
from sheepfold.arena.watching import Watched, watch
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import EVERYTHING
from sheepfold.game.registry import every_game, find
from sheepfold.messages import Voice, languages
from sheepfold.terminal.arena import show, uneven

CONTEST = Contest("haste-bock", 3, ("greedy:1", "random"), "arena")


def timeless(outcomes):
    return [each._replace(longest=()) for each in outcomes]


def test_a_contest_is_checked_before_anything_is_played():
    for wrong in (("greedy", "greedy"), (), ("shepherd", "greedy")):
        with pytest.raises(SheepfoldError):
            contend(Contest("haste-bock", 3, wrong, "1"), 1)
    with pytest.raises(SheepfoldError, match="players"):
        contend(Contest("haste-bock", 9, ("random", "greedy"), "1"), 1)


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing():
    assert timeless(contend(CONTEST, 6, workers=1)) == timeless(contend(CONTEST, 6, workers=2))


def test_a_run_that_was_stopped_goes_on(tmp_path):
    path = tmp_path / "run" / "games.jsonl"
    whole = timeless(contend(CONTEST, 6))
    counted = []

    def stop(done):
        counted.append(done)
        if done == 3:
            raise KeyboardInterrupt

    assert len(contend(CONTEST, 6, path=path, progress=stop)) == 3
    with path.open("a") as file:
        file.write('{"number": 3, "line_')  # the line that a crash left behind
    resumed = []
    assert timeless(contend(CONTEST, 6, path=path, progress=resumed.append)) == whole
    assert resumed == [3, 4, 5, 6]
    assert len(path.read_text().split("\n")) == 1 + 6 + 1
    with pytest.raises(SheepfoldError, match="another contest"):
        Results(Contest("haste-bock", 2, ("random", "greedy"), "1"), path)


@pytest.mark.slow
def test_a_ray_cluster_gives_the_same_results(tmp_path):
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'sheepfold[ray]'")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert timeless(contend(CONTEST, 6, ray_address="local", path=tmp_path / "games.jsonl")) == timeless(contend(CONTEST, 6))
    finally:
        ray.shutdown()


def test_without_ray_the_arena_says_how_to_get_it(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SheepfoldError, match=r"pip install 'sheepfold\[ray\]'"):
        contend(CONTEST, 1, ray_address="auto")


def outcome(number, line_up, ranks):
    return Outcome(number, line_up, ranks, tuple(10 - rank for rank in ranks), 10, tuple(0.1 for _ in ranks))


def test_ratings_put_the_winner_first_with_an_interval_round_it():
    games = [outcome(i, ("weak", "strong")[:: 1 if i % 2 else -1], (2, 1)[:: 1 if i % 2 else -1]) for i in range(30)]
    games[0] = outcome(0, ("weak", "strong"), (1, 2))
    first, second = standings(games, resamples=39)
    assert (first.name, second.name) == ("strong", "weak")
    assert first.rating.low <= first.rating.points <= first.rating.high
    assert first.rating.low > second.rating.high
    assert first.rating.above_next == 1
    assert (first.games, first.seats) == (30, 30)
    assert first.wins.share == pytest.approx(29 / 30)


def test_a_standing_says_on_how_many_games_and_seats_it_rests():
    games = [outcome(0, ("a", "b", "b"), (1, 2, 3)), outcome(1, ("a", "a", "b"), (1, 2, 3)), outcome(2, ("a", "a", "a"), (1, 2, 3))]
    found = {each.name: each for each in standings(games, resamples=39)}
    assert [(found[name].games, found[name].seats) for name in "ab"] == [(3, 6), (2, 3)]
    apart = standings([outcome(0, ("a",), (1,)), outcome(1, ("b",), (1,))])
    assert [each.rating for each in apart] == [None, None], "who never meets is not rated"


def test_equals_are_not_told_apart_and_the_table_says_so(capsys):
    show(CONTEST, [outcome(i, ("random", "greedy:1"), (1, 2) if i % 2 else (2, 1)) for i in range(10)], "en")
    assert "Too few games to tell apart: greedy:1 and random (" in " ".join(capsys.readouterr().out.split())
    show(CONTEST, [outcome(i, ("random", "greedy:1"), (2, 1)) for i in range(30)], "en")
    assert "Too few" not in capsys.readouterr().out


def test_a_number_of_games_that_cannot_be_even_is_warned_of():
    mixed = Contest("haste-bock", 4, ("a", "b", "c"), "1")
    assert uneven(mixed, 21, "en") == ""
    assert "18 or 21 would be even" in uneven(mixed, 20, "en")
    assert "; 3 would be even" in uneven(mixed, 2, "en")


def test_a_duel_counts_only_games_of_one_against_the_others_and_shares_ties():
    games = [outcome(0, ("a", "b", "b"), (1, 1, 3)), outcome(1, ("b", "a", "b"), (2, 1, 3)), outcome(2, ("a", "a", "b"), (1, 2, 3))]
    won = duel(games, "a", "b")
    assert won.share == pytest.approx(0.75)
    assert won_by(games[2], "a") == 1


def test_the_same_number_is_the_same_game():
    line_up = ("random", "greedy:1", "random")
    assert play(CONTEST, 4, line_up)._replace(longest=()) == play(CONTEST, 4, line_up)._replace(longest=())
    assert [each.line_up for each in contend(CONTEST, 3)] == CONTEST.line_ups(3)


def test_only_a_cheat_of_the_arena_sees_the_position(monkeypatch):
    seen = []

    class Spy:
        def choose(self, view, dice):
            seen.append(int(view.viewer))
            return int(view.random_action(dice))

    for found_by in ("bot", "anybody"):
        monkeypatch.setattr(f"sheepfold.arena.arena.{found_by}", lambda name: Spy())
    contest = Contest("sheepzzz", 2, ("cheat:random", "random"), "spy")
    outcome = play(contest, 0, ("cheat:random", "random"))
    assert outcome.line_up == ("cheat:random", "random")
    assert set(seen) == {EVERYTHING, 1}


def test_a_line_that_is_no_game_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    contend(CONTEST, 1, path=path)
    path.write_text(path.read_text() + '{"wool": 1}\n')
    with pytest.raises(SheepfoldError, match=r"games\.jsonl: line 3 is no game of a contest"):
        contend(CONTEST, 2, path=path)


def test_a_file_with_other_line_ups_is_not_gone_on_with(tmp_path):
    path = tmp_path / "games.jsonl"
    contend(CONTEST, 2, path=path)
    first, *games = path.read_text().splitlines(keepends=True)
    swapped = [json.dumps({**json.loads(line), "line_up": ["random"] * 2 + ["greedy:1"]}) + "\n" for line in games]
    path.write_text(first + "".join(swapped))
    with pytest.raises(SheepfoldError, match=r"seated bots in another order \(game 1\).* give another folder"):
        contend(CONTEST, 3, path=path)
    assert path.read_text() == first + "".join(swapped)


# What reports measure; the page is in test_report.py.


def test_a_ladder_that_is_stopped_is_not_reported():
    done = []

    def stop(count):
        done.append(count)
        if count == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        level_ladder(find("te-kuiti").setup(2), 3, "1", 1, stop)
    assert done == [0, 1]


@pytest.mark.parametrize("game", [game for game in every_game() if game.what_ifs], ids=lambda game: game.name)
def test_every_change_is_one_that_the_component_file_takes(game):
    setup = game.setup()
    for change in game.what_ifs:
        other = game.setup(changed_seats(setup), changed_components(setup, change))
        assert other.digest != setup.digest, change.name
        assert all(Voice([game.folder / "locale"], language).has(f"what-if.{change.name}") for language in languages())
    with pytest.raises(SheepfoldError, match="wool"):
        changed_components(setup, game.what_ifs[0]._replace(edits=(("wool", "yarn"),)))


def test_what_turns_earn_adds_up_to_the_scores():
    for name in ("haste-bock", "shear-panic"):
        game = watch(find(name).setup(4), "random", "add up")
        assert game.turns
        assert {game.phase(turn) for turn in game.turns} == {1, 2, 3, 4}
        own = sum(turn.gain for turn in game.turns)
        assert 0 < own <= sum(game.scores)


def test_the_figures_of_a_report_are_means_with_intervals():
    games = [watch(find("te-kuiti").setup(2), "random", seed) for seed in "abcd"]
    found = figures(games)
    assert found.decisions[0] == pytest.approx(sum(len(game.branching) for game in games) / 4)
    assert found.decisions[1] > 0
    assert 0 <= found.first_seat[0] <= 1
    fewest_win = Watched((2, 1, 3), (60, 20, 80), 9, [2], [])
    assert figures([fewest_win, fewest_win]).lead == (40, 0), "the winner's lead, whichever way points count"
    alone = Watched((1,), (24,), 9, [2], [])
    assert figures([alone, alone], 25).first_seat == (0, 0)
    assert figures([alone, alone], 24).first_seat == (1, 0)


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_turns_begin_with_few_kinds_of_actions(game):
    kinds = {turn.kind for seed in "abc" for turn in watch(game.setup(), "random", seed).turns}
    assert 1 < len(kinds) <= 8
    assert all(kind.isalpha() for kind in kinds), "a kind is a word, whatever the numbers and colours of the card or tile"


def test_a_file_that_is_no_arenas_is_refused(tmp_path):
    (tmp_path / "games.jsonl").write_text(json.dumps({"game": "haste-bock"}))
    with pytest.raises(SheepfoldError, match="no file of an arena"):
        ladder_from(tmp_path)


def test_ticks_are_round_and_inside():
    assert plots.ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert plots.ticks(3, 17, 4) == [5, 10, 15]
    assert all(0 <= tick <= 0.37 for tick in plots.ticks(0, 0.37))


def test_the_measurements_of_the_bots_can_be_played_and_are_told():
    root = Path(__file__).parents[2]
    page = (root / "docs" / "bots.md").read_text(encoding="utf-8")
    for name, line in tomllib.loads((root / "bench" / "bots.toml").read_text(encoding="utf-8")).items():
        Contest(line["game"], line["seats"], tuple(line["bots"].split(",")), line["seed"], {}, True).checked()
        assert f"`{name}`" in page
