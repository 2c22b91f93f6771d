"""Looking back: what a decision cost, and that nobody is blamed for what could not be known."""

from __future__ import annotations

import pytest

from sheepfold.bots import analysis
from sheepfold.bots.analysis import Finding, asked, find_out, result, turning_points
from sheepfold.bots.solver import Solver
from sheepfold.bots.thinkers import CHUNK
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import sequential
from sheepfold.game.conformance import Case, Worlds, play
from sheepfold.game.registry import every_game, find
from sheepfold.game.session import Session, shown_to_bot
from sheepfold.yardsticks import connect_four

GAMES = list(every_game())


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_decision_can_be_looked_at(game) -> None:
    line = play(Case(game.setup(game.seats[-1])), "look back")
    looked, session = 0, Session(line.record())
    for ply, event in enumerate(line.events):
        view = asked(session, ply)
        if event.who == CHANCE:
            assert view is None
        if view is None or ply % 7 or looked == 4:
            continue
        found = find_out(view, event.action, ply, simulations=8)
        assert (found.ply, found.seat) == (ply, event.who)
        assert len(found.shares) == line.setup.seats
        assert all(0 <= share <= 1 for share in found.shares) and 0 <= found.loss <= 1
        following = view.copy()
        for action in found.best:
            assert following.to_act == event.who and action in following.legal()
            following.advance(action)
        looked += 1
    assert looked == 4 or len(line.events) < 60


@pytest.mark.parametrize("game", [game for game in GAMES if game.secrets], ids=lambda game: game.name)
def test_what_could_not_be_known_changes_nothing(game) -> None:
    """Two worlds that the seat cannot tell apart give the same finding."""
    line = play(Case(game.setup(game.seats[-1])), "look back")
    compared, session = 0, Session(line.record())
    for ply, event in enumerate(line.events):
        if event.interrupt or asked(session, ply) is None or compared == 4:
            continue
        worlds = Worlds(line, ply, event.who, line.dice("analysis", ply))
        truth = line.positions[ply].key()
        if any(worlds.step() and worlds.world.key() != truth for _ in range(12)):
            here, there = (find_out(shown_to_bot(each, event.who), event.action, ply, 25) for each in (session.at(ply), worlds.world))
            assert here == there
            compared += 1
    assert compared > 1


def test_a_blunder_costs_and_the_best_costs_nothing() -> None:
    """Connect Four: three in a row stand open. Who does not stop them loses."""
    position = connect_four.ConnectFour()
    for column in (3, 0, 3, 0, 3):  # the first player threatens to have four in the column
        position.apply(column)
    blocked = find_out(shown_to_bot(position, 1), 3, 5, 400)
    missed = find_out(shown_to_bot(position, 1), 6, 5, 400)
    assert missed.best[0] == 3 == blocked.best[0]
    assert blocked.loss == 0
    assert missed.loss > 0.2
    assert turning_points([blocked, missed]) == [missed]


def test_at_the_end_best_and_cost_are_exact() -> None:
    """Haste Bock? with four, whose strongest level solves small endings: every choice of such a decision costs what it gives away."""
    game, dice = find("haste-bock"), Dice("exactly")
    position = game.setup(4).start()
    compared = 0
    while position.to_act != OVER:
        exact = Solver(game.evaluator, 3000).values(position) if position.to_act >= 0 and len(position.legal()) > 1 else []
        for action, value in exact[:: max(1, len(exact) - 1)]:
            found = find_out(shown_to_bot(position, position.to_act), action, 0, simulations=4)
            assert found.loss == round(exact[0][1] - value, 4)
            assert found.best[0] == exact[0][0]
            compared += 1
        position.advance(position.random_action(dice))
    assert compared > 2


def test_no_decision_is_looked_at_for_ever_where_simulations_are_dear(monkeypatch) -> None:
    """La Guerre des Moutons with four: the strongest level looks greedily, and one look may take as long as a hundred others."""
    position, dice = sequential(find("guerre-des-moutons").setup(4).start()), Dice("dear")
    while position.to_act == CHANCE or len(position.legal()) < 4:
        position.advance(position.random_action(dice))
    view = position.seen_by(position.to_act)
    few = find_out(view, view.legal()[0], 1, simulations=CHUNK)
    assert find_out(view, view.legal()[0], 1, simulations=8 * CHUNK).shares != few.shares
    monkeypatch.setattr(analysis, "MOST_LOOKS", 1)
    assert find_out(view, view.legal()[0], 1, simulations=8 * CHUNK).shares == few.shares


def test_turning_points_are_few_and_the_largest_first() -> None:
    findings = [Finding(ply, 0, [0.5, 0.5], [1], loss) for ply, loss in enumerate([0.0, 0.3, 0.04, 0.06, 0.5, *[0.1] * 20])]
    found = [each.loss for each in turning_points(findings)]
    assert found == [0.5, 0.3, *[0.1] * 6]


def test_the_end_is_a_win_or_a_shared_one() -> None:
    line = play(Case(find("haste-bock").setup(3)), "end")
    shares = result(line.positions[-1])
    assert sum(shares) == pytest.approx(1)
    assert [share > 0 for share in shares] == [rank == 1 for rank in line.positions[-1].ranks()]
