"""A miniature training run: it makes games, learns from them, is killed and goes on, and what it learned plays."""

import json
from dataclasses import replace

import numpy
import pytest

from sheepfold.bots import bot, nets
from sheepfold.bots.net import Net
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import OVER, let_chance_happen
from sheepfold.core.sequential import sequential
from sheepfold.game.registry import every_game, find
from sheepfold.learning.looks import Looks, play_by_looks, returns
from sheepfold.learning.network import Network
from sheepfold.learning.self_play import Manner, joined, numbers_of, play
from sheepfold.learning.training import BY_LOOKS, Plan, Run

QUICK = Manner(long=12, short=4)
SMALL = Plan(games=3, window=2, widths=(12, 6), batch=16, manner=QUICK, against=("random",), measured=2, duels=2, simulations=5)


def quietly(*_):
    """Nobody is told."""


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_a_game_gives_examples(game):
    seats = max(game.seats)
    made = play(game.setup(seats), None, QUICK, Dice("examples"))
    assert len(made) == len(made.values) > 5
    assert numpy.allclose(made.values.sum(1), 1, atol=1e-3)
    assert numpy.allclose(made.judged.sum(1), 1, atol=1e-3) and made.judged.shape == made.values.shape
    told = sorted(set(made.rows.tolist()))
    assert told
    for row in told[:5]:
        assert made.shares[made.rows == row].sum() == pytest.approx(1)
    both = joined([made, made])
    assert len(both) == 2 * len(made)
    assert both.rows[len(made.rows)] == made.rows[0] + len(made)


def test_where_search_looks_only_at_what_is_sensible_so_does_learning(tmp_path):
    """At Te Kuiti most fences enclose nothing; other games have nothing to leave out."""
    setups = [find(name).setup(2) for name in ("te-kuiti", "sheepzzz")]
    assert [Run(setup, tmp_path / setup.game.name, SMALL).pruned for setup in setups] == [True, False]
    considered = []
    for manner in (QUICK, replace(QUICK, pruned=True)):
        made = play(setups[0], None, manner, Dice("examples"))
        considered.append(len(made.rows) / len(set(made.rows.tolist())))
    assert considered[1] < considered[0] / 2


def test_who_learns_to_beat_a_bot_learns_what_it_does(tmp_path):
    """It has one seat, the bot all others; what the bot did is what to expect there, and whoever names another bot has another run."""
    setup = find("sheepzzz").setup(3)
    manner = replace(QUICK, other="greedy:1:decisions=1", share=0.0, asides=0.0)
    made = play(setup, None, manner, Dice("others"))
    seats = made.views[:, -3:].argmax(1)
    alone = set(range(3)) - {int(seats[row]) for row in made.rows}
    assert len(alone) == 1, "what to do was told of two seats, for nothing was thought about long"
    assert (made.shares == 1).all() and len(made.rows) == int((seats != alone.pop()).sum())
    next(Run(setup, tmp_path, replace(SMALL, manner=manner)).go_on(quietly))
    with pytest.raises(SheepfoldError, match="holds a run of sheepzzz for 3 against greedy:1:decisions=1"):
        Run(setup, tmp_path, SMALL)


def test_a_network_learns_what_it_is_shown():
    """Examples where the first number says who wins and the second what to do."""
    draw = numpy.random.default_rng(1)
    views = draw.integers(0, 2, (400, 6)).astype(numpy.uint8)
    views[:, 4:] = [1, 0]
    values = numpy.stack([views[:, 0], 1 - views[:, 0]], 1).astype(numpy.float32)
    judged = numpy.full((400, 2), 0.5, numpy.float32)
    shares = numpy.stack([views[:, 1], 1 - views[:, 1], 0 * views[:, 1]], 1).astype(numpy.float32)
    may = numpy.ones((400, 3), bool)
    network = Network(2, [1, 1, 1, 1], 3, (12, 6))
    told = numpy.ones(400, bool)
    first = network.learn(views, values, judged, told, shares, may, 0.01)
    for _ in range(300):
        last = network.learn(views, values, judged, told, shares, may, 0.01)
    assert last[0] < 0.1 < first[0]
    assert last[1] < 0.1 < first[1]


def test_what_plays_is_what_was_learned():
    """Whole numbers and halves lose little of the floats."""
    game = find("sheepzzz")
    position = sequential(game.setup(3).start())
    network = Network(3, game.evaluator.clues(position), int(position.action_count), (24, 12), seed=5)
    network.weights["heads"] *= 100
    net = nets.read(network.exported())[1]
    dice = Dice("exported")
    compared = 0
    while position.to_act != OVER and compared < 40:
        let_chance_happen(position, dice)
        seat = int(position.to_act)
        seen = numpy.array(numbers_of(position, seat)) / network.divisors
        w = network.weights
        one = (seen @ w["rows"] + w["rows_always"]).clip(0, 1)
        two = (one @ w["columns"] + w["columns_always"]).clip(0, 1)
        said = two @ w["heads"] + w["heads_always"]
        raised = numpy.exp(said[:3] - said[:3].max())
        net.look(position, seat, game.evaluator)
        values = net.values([1 / 3] * 3)
        assert [values[(seat + step) % 3] for step in range(3)] == pytest.approx((raised / raised.sum()).tolist(), abs=0.02)
        assert [net.urge(action) for action in range(9)] == pytest.approx(said[3:12].tolist(), abs=0.08)
        compared += 1
        position.advance(position.random_action(dice))
    assert compared == 40


def test_a_run_that_is_stopped_goes_on_as_if_it_had_not_been(tmp_path):
    setup = find("sheepzzz").setup(2)
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    for folder, turns in ((whole, [3]), (stopped, [1, 2])):
        for count in turns:
            going = Run(setup, folder, SMALL).go_on(quietly)
            for _ in range(count):
                entry = next(going)
            going.close()
    assert set(entry) >= {"games", "seconds", "wrong", "astray"}
    histories = [json.loads((folder / "state.json").read_text())["history"] for folder in (whole, stopped)]
    assert [each | {"seconds": 0} for each in histories[0]] == [each | {"seconds": 0} for each in histories[1]]
    assert "random" in histories[0][1]["wins"]
    nets_made = [nets.read((folder / "learned.net").read_bytes())[1] for folder in (whole, stopped)]
    assert list(nets_made[0].rows) == list(nets_made[1].rows)
    assert sorted(path.name for path in (whole / "examples").iterdir()) == ["2.npz"], "what is not learned from any more goes"
    assert (whole / "strength.svg").read_text().startswith("<svg")
    view = sequential(setup.start())
    let_chance_happen(view, Dice(1))
    view = view.seen_by(view.to_act)
    assert bot(f"guided:20:net={whole / 'learned.net'}").choose(view, Dice(1)) in view.legal()


def test_what_came_later_is_what_a_position_is_worth():
    """Three positions and the end. What was thought of the next one counts by a half, what came after it by the other half; before a whim
    what was thought there is all that is known."""
    worth, result = numpy.array([[0.5, 0.5], [0.6, 0.4], [0.2, 0.8]]), numpy.array([1.0, 0.0])
    plain = [each[0] for each in returns(worth, result, [False] * 3, 0.5)]
    assert plain == pytest.approx([0.5 * 0.6 + 0.5 * (0.5 * 0.2 + 0.5 * 1), 0.5 * 0.2 + 0.5 * 1, 1])
    assert [each[0] for each in returns(worth, result, [False] * 3, 1.0)] == [1, 1, 1], "how the game ended, and nothing else"
    assert [each[0] for each in returns(worth, result, [False, True, False], 1.0)] == pytest.approx([0.6, 0.6, 1])


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_games_of_looks_teach_who_wins(game):
    made = play_by_looks(game.setup(2), None, Looks(whims=0.3), Dice("looks"))
    assert len(made) > 5 and len(made.rows) == 0
    assert numpy.allclose(made.values.sum(1), 1, atol=1e-3) and made.judged.shape == made.values.shape == (len(made), 2)
    assert len(made.views[0]) == len(game.evaluator.clues(sequential(game.setup(2).start()))) + 2


def test_a_run_by_looks_learns_to_judge_and_not_to_choose(tmp_path):
    setup = find("haste-bock").setup(2)
    plan = replace(BY_LOOKS, games=2, first=2, widths=(12, 6), batch=16, duels=2)
    going = Run(setup, tmp_path, plan).go_on(quietly)
    entries = [next(going), next(going)]
    assert [entry["games"] for entry in entries] == [4, 6], "the first round has more"
    assert all(entry["astray"] == 0 and "greedy:1" in entry["wins"] for entry in entries)
    net = nets.read((tmp_path / "learned.net").read_bytes())[1]
    assert not net.chooses
    view = sequential(setup.start())
    let_chance_happen(view, Dice(1))
    view = view.seen_by(view.to_act)
    for line in ("greedy:1", "guided:20", "guided:20:look=0.5"):
        assert bot(f"{line}:net={tmp_path / 'learned.net'}").choose(view, Dice(1)) in view.legal()
    with pytest.raises(SheepfoldError, match="holds a run of haste-bock for 2 by looks"):
        Run(setup, tmp_path, SMALL)


def test_another_game_in_the_same_folder_is_refused(tmp_path):
    next(Run(find("sheepzzz").setup(2), tmp_path, SMALL).go_on(quietly))
    with pytest.raises(SheepfoldError, match="holds a run of sheepzzz for 2"):
        Run(find("sheepzzz").setup(3), tmp_path, SMALL)


def test_games_are_the_same_in_other_processes(tmp_path):
    setup = find("sheepzzz").setup(2)
    files = []
    for name, workers in (("one", 1), ("two", 2)):
        next(Run(setup, tmp_path / name, SMALL, workers).go_on(quietly))
        with numpy.load(tmp_path / name / "examples" / "0.npz") as kept:
            files.append(kept["views"])
    assert (files[0] == files[1]).all()


def test_nets_of_our_own_fit_their_games():
    for game in every_game():
        for seats in game.seats:
            if path := game.net(seats):
                start = sequential(game.setup(seats).start())
                net = nets.net_from(str(path), start)
                assert isinstance(net, Net)
                assert nets.net_of(start) is net, path
                assert path.stat().st_size < 400_000
