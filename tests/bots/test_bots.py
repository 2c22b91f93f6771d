"""What every bot must keep: it sees views only, answers legally, repeats itself from the same dice, and says best first."""

from collections import Counter

import pytest
from toy_grass import Grass

import sheepfold
from sheepfold.bots import ADVISER, LEVELS, UnknownBot, bot
from sheepfold.bots.greedy import Greedy
from sheepfold.bots.playouts import Playouts
from sheepfold.bots.search import Search
from sheepfold.bots.solver import Solver
from sheepfold.bots.thinkers import BadSetting, GameBot, SearchBot, evaluator_of, settings_of, thinker, warmly
from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadGame
from sheepfold.core.evaluator import Evaluator, shares
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import ask, sequential, unwrapped
from sheepfold.game import conformance
from sheepfold.game.levels import USUAL, line_for, read_levels
from sheepfold.game.registry import every_game, find, game_of
from sheepfold.games.guerre_des_moutons.actions import RETIRE, TURN
from sheepfold.games.haste_bock.rules import CARD
from sheepfold.games.te_kuiti.rules import TURNING
from sheepfold.yardsticks.connect_four import ConnectFour

SMALL = {"lamb": "lamb", "ewe": "ewe", "search": "search:30", "plain": "plain:30"}


def advanced(game, seats, plies, seed="bots"):
    """A position of a game some events after its start, where a seat has a choice."""
    dice = Dice(seed)
    position = sequential(find(game).setup(seats).start())
    while plies > 0 or position.to_act == CHANCE or len(position.legal()) < 2:
        position.advance(position.random_action(dice))
        plies -= 1
        assert position.to_act != OVER
    return position


SETUPS = [(game.name, seats) for game in every_game() for seats in game.seats]


@pytest.mark.parametrize(("game", "seats"), SETUPS)
@pytest.mark.parametrize("name", SMALL.values())
def test_a_bot_answers_legally_and_repeats_itself(game, seats, name):
    for plies in (0, 15, 40):
        view = (position := advanced(game, seats, plies)).seen_by(position.to_act)
        key = view.key()
        first = bot(name).choose(view, Dice("same"))
        assert first in view.legal()
        assert bot(name).choose(view, Dice("same")) == first
        assert view.key() == key, "a bot must not change the view it is shown"


@pytest.mark.parametrize(("game", "seats"), SETUPS)
def test_thoughts_come_best_first_as_shares_of_a_win(game, seats):
    position = advanced(game, seats, 20)
    view = position.seen_by(position.to_act)
    for name in ("ewe", "search:60"):
        thoughts = bot(name).think(view, Dice(1))
        assert thoughts
        assert {action for action, _ in thoughts} <= set(view.legal())
        assert all(0 <= value <= 1 for _, value in thoughts)
    assert [value for _, value in bot("ewe").think(view, Dice(1))] == sorted((v for _, v in bot("ewe").think(view, Dice(1))), reverse=True)


@pytest.mark.parametrize("game", [game.name for game in every_game() if game.secrets])
def test_bots_answer_alike_in_worlds_that_look_alike(game):
    tried = 0
    for case in conformance.cases(find(game)):
        if not case.plain or case.setup.start().interruptible != case.wrapped:
            continue
        line = conformance.play(case, "fair bots", most=150)
        for pair in conformance.pairs(line):
            if int(pair.truth.to_act) != pair.viewer or len(pair.truth.legal()) < 2:
                continue
            for name in SMALL.values():
                answers = [bot(name).think(world.seen_by(pair.viewer), Dice("fair")) for world in (pair.truth, pair.other)]
                assert answers[0] == answers[1], f"{name} tells apart two worlds that look alike: {line.where(pair.ply)}"
            tried += 1
    assert tried > 2


def test_a_bot_that_is_asked_to_interrupt_may_pass():
    for game in every_game():
        position = game.setup().start()
        if not position.interruptible:
            continue
        dice = Dice("interrupt")
        asked = 0
        while position.to_act != OVER and asked < 5:
            for seat in range(position.seats):
                if position.to_act >= 0 and seat != position.to_act and position.may_interrupt(seat):
                    view = ask(position.seen_by(seat), seat)
                    assert bot("search:20").choose(view, Dice(2)) in view.legal()
                    asked += 1
            position.advance(position.random_action(dice))
        assert asked


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_every_level_of_every_game_is_a_bot(game):
    named = ["search", *LEVELS, ADVISER, "bellwether-1"]
    assert {name.partition(" ")[0] for name in game.levels} == set(named)
    for seats in game.seats:
        view = game.setup(seats).start()
        for level in named[1:]:
            line = settings_of(view, level)
            assert line in (game.levels[level], game.levels.get(f"{level} seats-{seats}"))
            thinker(line)


def test_a_game_without_levels_has_the_usual_ones(tmp_path):
    assert read_levels(tmp_path) == USUAL
    (tmp_path / "levels.toml").write_text('ram = "greedy:9"\n')
    assert read_levels(tmp_path) == {**USUAL, "ram": "greedy:9"}
    for strongest, adviser in (("greedy:3", "greedy:3"), ("plain:40:look", "plain:40:look:seconds=2")):
        (tmp_path / "levels.toml").write_text(f'bellwether = "{strongest}"\n[seats-2]\nbellwether = "plain:9"\n')
        assert read_levels(tmp_path)[ADVISER] == adviser, "the strongest gives hints, and does not take long"
        assert line_for(read_levels(tmp_path), ADVISER, 2) == "plain:9:seconds=2"
    (tmp_path / "levels.toml").write_text('ram = "greedy:9"\n[seats-2]\nram = "greedy:3"\n')
    assert [line_for(read_levels(tmp_path), "ram", seats) for seats in (2, 3)] == ["greedy:3", "greedy:9"]
    for wrong, said in (
        ("[seats-2]\nrma = 'greedy'", "Did you mean ram"),
        ("[seats]\nram = 'greedy'", "is no level"),
        ('rma = "greedy"', "Did you mean ram"),
        ("ram = 4", "a line of text"),
        ("ram =", "Invalid value"),
    ):
        (tmp_path / "levels.toml").write_text(wrong)
        with pytest.raises(BadGame, match=said):
            read_levels(tmp_path)


@pytest.mark.parametrize("compiled", [True, False])
def test_without_a_compiler_the_strongest_level_stops_in_time(monkeypatch, tmp_path, compiled):
    monkeypatch.setattr("sheepfold.game.levels.COMPILED", compiled)
    usual = read_levels(tmp_path)
    (tmp_path / "levels.toml").write_text('bellwether = "plain:9"\n[seats-2]\nbellwether = "greedy"\n')
    own, late = read_levels(tmp_path), "" if compiled else ":seconds=2"
    assert [usual["bellwether"], line_for(own, "bellwether", 4), line_for(own, "bellwether", 2)] == [
        f"plain:2000{late}",
        f"plain:9{late}",
        "greedy",
    ]
    assert [line_for(own, ADVISER, 4), line_for(own, ADVISER, 2)] == ["plain:9:seconds=2", "greedy"]
    assert [own[level] for level in LEVELS[:-1]] == [USUAL[level] for level in LEVELS[:-1]]


@pytest.mark.parametrize("name", ["glance", "greedy", "search:20", *LEVELS[:-1]])
def test_a_position_of_no_game_is_played_all_the_same(name):
    """A yardstick has no Game, a class in a notebook not even a package: usual levels, and an evaluator that knows results and points."""
    lonely = type("Lonely", (Grass,), {"__module__": "__main__"})(2, 8)
    lonely.advance(5)
    for view in (ConnectFour(), lonely):
        assert game_of(view) is None
        assert bot(name).choose(view, Dice(1)) in view.legal()
        assert settings_of(view, "ram") == USUAL["ram"] and type(evaluator_of(view)) is Evaluator
    with pytest.raises(BadSetting, match="scale and margin"):
        bot("plain:10:wool=1").choose(lonely, Dice(1))


def test_settings_are_read_from_text():
    made = thinker("plain:700:horizon=4:policy:exploration=0.5:scale=3")
    assert isinstance(made, SearchBot)
    settings = made.settings
    assert (settings.simulations, settings.horizon, settings.policy, settings.exploration) == (700, 4, True, 0.5)
    assert settings.judging == (("scale", 3.0),)
    assert not thinker("plain:700:policy:no-policy").settings.policy
    for wrong in ("plain:0", "plain:700:horizon", "search:x", "greedy:1:warmth"):
        with pytest.raises(UnknownBot):
            bot(wrong)
    with pytest.raises(BadSetting, match="wool"):
        bot("plain:10:wool=1").choose(advanced("haste-bock", 2, 0).seen_by(0), Dice(1))
    with pytest.raises(UnknownBot, match="lamb takes no argument"):
        bot("lamb:3")


def test_search_takes_the_win_and_stops_the_loss():
    game = ConnectFour()
    for column in (3, 0, 3, 0, 3):
        game.apply(column)
    assert bot("plain:2000").choose(game.copy(), Dice(1)) == 3, "three in a column must be stopped"
    game.apply(1)
    assert bot("plain:500").choose(game.copy(), Dice(1)) == 3, "the fourth wins"


def test_the_solver_knows_every_end_and_gives_up_in_time():
    """Compared with minimax by hand: whoever is to act takes the best for itself; in the end of Connect Four that is win, draw or loss."""

    def best(position):
        if position.to_act == OVER:
            return evaluator.result(position)
        outcomes = []
        for action in position.legal():
            following = position.copy()
            following.advance(action)
            outcomes.append(best(following))
        return max(outcomes, key=lambda values: values[position.to_act])

    def quiet(position, dice):
        """An action that does not end the game, if there is one."""
        actions = []
        for action in position.legal():
            following = position.copy()
            following.advance(action)
            if following.to_act != OVER:
                actions.append(action)
        return actions[dice.below(len(actions))] if actions else None

    evaluator, compared = Evaluator(margin=0.0), 0
    for seed in range(30):
        game, dice = ConnectFour(), Dice(seed)
        for _ in range(33):
            action = quiet(game, dice)
            if action is None:
                break
            game.advance(action)
        else:
            compared += 1
            assert Solver(evaluator, 100_000).values(game)[0][1] == best(game)[game.to_act]
    assert compared > 5
    assert Solver(evaluator, 3).values(ConnectFour()) == []


def test_the_solver_averages_chance_and_is_asked_only_where_nothing_is_hidden():
    position = advanced("haste-bock", 2, 0)
    dice, line = Dice("end"), []
    while position.to_act != OVER:
        line.append(position.copy())
        position.advance(position.random_action(dice))
    late = next(each for each in line if each.to_act >= 0 and len(each.legal()) > 1 and Solver(evaluator_of(each), 3000).values(each))
    exact = Solver(evaluator_of(late), 3000).values(late)
    for line in ("plain:5:solve=3000", "guided:5:judge:solve=3000"):
        assert thinker(line).think(late.seen_by(late.to_act), Dice(1)) == exact
    hidden = advanced("sheepzzz", 2, 20)
    view = hidden.seen_by(hidden.to_act)
    assert thinker("plain:50:solve=1000000").think(view, Dice(1)) == thinker("plain:50").think(view, Dice(1))


def test_a_kept_tree_goes_on_where_it_was_and_what_was_thought_counts():
    position = advanced("haste-bock", 4, 12)
    while position.stage != CARD:
        position.advance(position.random_action(Dice(1)))
    view = position.seen_by(position.to_act)
    keeper = thinker("plain:400:keep=3:reuse")
    view.apply(keeper.choose(view, Dice(5)))
    expected, kept = keeper.kept
    assert expected == view
    assert 0 < kept.thought() < 400
    keeper.choose(view, Dice(6))
    assert sum(visits for _, visits, _ in kept.choices(view.to_act)) <= 400
    assert keeper.kept is None or keeper.kept[1] is kept


def test_a_tree_that_was_kept_for_one_table_is_not_used_at_another():
    position = advanced("haste-bock", 4, 12)
    while position.stage != CARD:
        position.advance(position.random_action(Dice(1)))
    view = position.seen_by(position.to_act)
    other = (elsewhere := advanced("shear-panic", 4, 12)).seen_by(elsewhere.to_act)
    line = "plain:60:keep=3:reuse"
    keeper = thinker(line)
    view.apply(keeper.choose(view, Dice(5)))
    assert keeper.think(other, Dice(6)) == thinker(line).think(other, Dice(6))
    assert keeper.think(view, Dice(6)) == thinker(line).think(view, Dice(6))


def test_playouts_that_look_ahead_play_as_greedy_would():
    position = advanced("haste-bock", 2, 30)
    evaluator = evaluator_of(position)
    dice, played, events = Dice("look"), position.copy(), 0
    while played.to_act != OVER and (events < 5 or not evaluator.quiet(played)):
        action = played.random_action(dice) if played.to_act == CHANCE else Greedy(evaluator, 1).values(played, dice)[0][0]
        played.advance(action)
        events += 1
    assert Playouts(evaluator, horizon=5, look=True).values(position.copy(), Dice("look")) == evaluator.values(played)
    other = evaluator_of(position, (("scale", -4.0),))
    judged = [Playouts(other, 5, look=True, guide=guide).values(position.copy(), Dice("look")) for guide in (evaluator, None)]
    assert judged[0] == other.values(played) != judged[1], "the guide says what is played, and not who likes to lose"


def test_playouts_that_glance_take_the_best_of_some_turns_and_not_what_is_drawn():
    position, dice = Grass(2, 20), Dice("glance")
    position.advance(5)  # up to three tufts may be eaten
    after = [Playouts(Evaluator(), glance=40).best_turn(position, dice) for _ in range(20)]
    assert {(tuple(each.eaten), int(each.to_act)) for each in after} == {((3, 0), CHANCE)}
    assert len({Playouts(Evaluator(), glance=1).best_turn(position, dice).key() for _ in range(20)}) == 3
    assert position.to_act == 0, "what is looked at is a copy"


def test_looks_run_out_as_simulations_do():
    position = advanced("guerre-des-moutons", 4, 30)
    view = position.seen_by(position.to_act)
    for line in ("guided:{}:judge:look=1", "guided:{}:judge:playouts=1:horizon=4:replies"):
        few, cut = thinker(line.format(5)), thinker(line.format(400) + ":looks=1")
        assert few.think(view, Dice(1)) == cut.think(view, Dice(1)) != thinker(line.format(400) + ":looks=500").think(view, Dice(1))


def test_visits_add_up():
    position = advanced("sheepzzz", 3, 30)
    search = Search(evaluator_of(position))
    search.run(position.seen_by(position.to_act), Dice(3), 200)
    assert sum(visits for _, visits, _ in search.choices(position.to_act)) == 200


def test_shares_add_up_and_favour_the_leader():
    assert sum(shares([3.0, 1.0, 1.0], 2.0)) == pytest.approx(1.0)
    assert shares([3.0, 1.0], 2.0)[0] > 0.5
    assert shares([-500.0, 500.0], 1.0) == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize(("game", "seats"), SETUPS)
def test_a_judge_knows_the_winner_of_a_finished_game(game, seats):
    for seed in range(5):
        position = sequential(find(game).setup(seats).start())
        dice = Dice(seed)
        while position.to_act != OVER:
            position.advance(position.random_action(dice))
        values = evaluator_of(position).values(position)
        ranks = position.ranks()
        assert len(values) == seats
        if seats > 1:
            assert ranks[values.index(max(values))] == 1


@pytest.mark.parametrize(("game", "seats"), SETUPS)
def test_what_a_judge_says_on_the_way_is_sound(game, seats):
    position = sequential(find(game).setup(seats).start())
    dice = Dice("sound")
    while position.to_act != OVER:
        evaluator = evaluator_of(position)
        assert all(0 <= value <= 1 for value in evaluator.values(position))
        if position.to_act >= 0:
            legal = position.legal()
            sensible = evaluator.sensible(position)
            assert sensible
            assert sensible == sorted(set(sensible))
            assert set(sensible) <= set(legal)
            assert evaluator.playout_action(position, dice) in legal
        position.advance(position.random_action(dice))


def some_way_into_te_kuiti(seed, turns):
    """A position of the first round in which so many turns have passed and the Sheep player has a choice."""
    position, dice = sheepfold.load("te-kuiti", seats=2).start(), Dice(seed)
    while position.turn < turns or position.to_act != position.sheep or len(position.legal()) < 3:
        position.advance(position.random_action(dice))
        if position.round:
            pytest.fail("the round was too short for this test: choose another seed")
    return position


def test_forgetting_blurs_the_view_and_keeps_every_tile():
    position = some_way_into_te_kuiti("forget", 8)
    evaluator, view = evaluator_of(position), position.seen_by(0)
    blurred = evaluator.blurred(view, 1, Dice(1))
    assert sum(map(bool, blurred.known)) < sum(map(bool, position.known))
    assert blurred.census() == position.census()
    assert blurred == evaluator.blurred(view, 1, Dice(1)), "the same dice, the same memory"
    assert evaluator.blurred(view, 1_000_000, Dice(1)) == view


def test_the_longer_ago_the_likelier_it_is_forgotten():
    position = some_way_into_te_kuiti("fade", 9)
    evaluator, view, memory, draws = evaluator_of(position), position.seen_by(0), 2.5, 400
    blurred = [evaluator.blurred(view, memory, Dice(draw)) for draw in range(draws)]
    ages = set()
    for cell in range(25):
        if position.known[cell] and not position.face_up(cell):
            age = int(position.turn - position.seen_at[cell])
            remembered = sum(bool(each.known[cell]) for each in blurred) / draws
            assert remembered == pytest.approx(0.5 ** (age / memory), abs=0.1)
            ages.add(age)
    assert len(ages) > 2


def test_what_was_forgotten_does_not_guide_the_bot():
    """Two fields that differ only in tiles that a bot has forgotten get the same answer from it."""
    position = some_way_into_te_kuiti("forgotten", 9)
    view = position.seen_by(position.sheep)
    blurred = evaluator_of(position).blurred(view, 1, Dice("same"))
    lost = [cell for cell in range(25) if position.known[cell] and not blurred.known[cell]]
    one, two = next((one, two) for one in lost for two in lost if position.known[one] // 5 != position.known[two] // 5)
    other = position.copy()
    other.known[one], other.known[two] = position.known[two], position.known[one]
    for line in ("greedy:1:memory=1:warmth=1", "plain:50:policy:pruned:memory=1"):
        answers = [thinker(line).think(world.seen_by(position.sheep), Dice("same")) for world in (position, other)]
        assert answers[0] == answers[1]


def drawn(values, warmth, slack=0.0, draws=300):
    """How often each action is chosen."""
    dice = Dice("warm")
    return Counter(warmly(values, warmth, slack, dice) for _ in range(draws))


def test_warmth_chooses_among_what_is_nearly_best():
    values = [(7, 0.5), (3, 0.49), (5, 0.48), (1, 0.2), (2, 0.2)]
    some = drawn(values, 1.0)
    assert some.keys() == {7, 3, 5}, "nothing below the average"
    assert some[7] > some[5]
    assert drawn(values, 0.01).keys() == {7}, "the colder, the nearer to the best"
    assert drawn([(7, 0.6), (3, 0.4), (5, 0.4), (1, 0.4)], 100.0).keys() == {7}, "what is plainly best is never missed"
    assert drawn([(7, 0.1), (3, 0.1), (5, 0.1)], 0.1).keys() == {7, 3, 5}, "what is alike is as likely"
    assert drawn([(4, 0.5)], 1.0).keys() == {4}
    assert drawn([(4, 1.0), (3, 0.0)], 1.0, 0.5).keys() == {4}, "a sure win is taken"


def test_slack_lets_in_what_costs_little():
    quiet = [(7, 0.5), (3, 0.49), (5, 0.48), (1, 0.47), (2, 0.46)]
    assert drawn(quiet, 100.0).keys() == {7, 3, 5}
    assert drawn(quiet, 100.0, 0.2).keys() == {7, 3, 5, 1, 2}
    assert drawn([(7, 0.6), (3, 0.4), (5, 0.4), (1, 0.4)], 100.0, 0.9).keys() == {7}, "what is plainly best is never missed"
    assert drawn([(7, 0.6), (3, 0.59), (5, 0.58), (1, 0.4)], 100.0, 0.9).keys() == {7, 3, 5}, "what is plainly bad is never taken"
    assert drawn([(7, 0.6), (3, 0.5)], 100.0, 0.9).keys() == {7}, "of two the better one"
    assert drawn([(7, 0.05), (3, 0.04), (5, 0.02), (1, 0.02)], 100.0, 0.2).keys() == {7, 3}, "nor is it given up when far behind"


@pytest.mark.parametrize("level", LEVELS[:-1])
@pytest.mark.parametrize("seats", [2, 4])
def test_no_level_below_the_strongest_retires_early(level, seats):
    """In La Guerre des Moutons: not in its first two turns, and not while more than a quarter of the tiles is in the bag."""
    game, retired = find("guerre-des-moutons"), 0
    for seed in range(4):
        position, dice, player = sequential(game.setup(seats).start()), Dice(seed), bot(level)
        whose, turns = -1, Counter()
        while position.to_act != OVER:
            inner = unwrapped(position)
            if inner.stage == TURN and whose != inner.turn:
                whose = inner.turn
                turns[whose] += 1
            seeing = position.seen_by(position.to_act) if position.to_act != CHANCE else None
            action = player.choose(seeing, dice) if seeing else position.random_action(dice)
            if action == RETIRE and seeing:
                retired += 1
                assert turns[whose] > 2
                assert inner.in_bag <= 17
            position.advance(action)
    assert retired, "they do retire, in the end"


def test_search_that_looks_only_at_what_is_sensible_turns_the_match_it_knows():
    """Where one action is sensible there is no node for it; what follows must not be taken for it."""
    setup = sheepfold.load("te-kuiti", seats=2)
    position = setup.start()
    dice = Dice("match")
    found = 0
    while position.to_act != OVER:
        evaluator = evaluator_of(position)
        if position.to_act >= 0 and position.stage == TURNING and len(sensible := evaluator.sensible(position)) == 1:
            for line in ("plain:40:horizon=0:policy:pruned", "plain:40:horizon=0:policy:pruned:keep=4"):
                assert thinker(line).choose(position.seen_by(position.to_act), Dice(1)) == sensible[0]
            found += 1
        position.advance(evaluator.playout_action(position, dice) if position.to_act >= 0 else position.random_action(dice))
    assert found


def test_a_level_is_a_game_bot_that_settles_by_the_view():
    level = bot("lamb")
    assert isinstance(level, GameBot)
    assert level.name == "lamb"
