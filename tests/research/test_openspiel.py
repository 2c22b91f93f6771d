"""The games in OpenSpiel: its own tests, and that players are told nothing that they may not know."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.sequential import sequential
from sheepfold.game.states import read_state
from sheepfold.research.openspiel import GAMES, PREFIX

EVERY = [(name, seats) for name, kind in GAMES.items() for seats in kind.game.seats]
SECRET = [(name, seats) for name, seats in EVERY if GAMES[name].game.secrets]


def load(name: str, seats: int, **options: object) -> pyspiel.Game:
    return pyspiel.load_game(name, {"seats": seats, **options})


def played(game: pyspiel.Game, plies: int, seed: int = 1) -> pyspiel.State:
    """A state so many plies into a random game, where a player decides."""
    state, dice = game.new_initial_state(), Dice(seed)
    while not state.is_terminal() and (plies > 0 or state.is_chance_node()):
        state.apply_action(int(state.position.random_action(dice)))
        plies -= 1
    return state


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_open_spiel_finds_nothing(name: str, seats: int) -> None:
    pyspiel.random_sim_test(load(name, seats), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_a_parameter(name: str) -> None:
    game = GAMES[name].game
    for option in game.options:
        for value in option.values:
            seats = next(count for count in game.seats if value in option.values_for(count))
            mixed = len({type(allowed) for allowed in option.values}) > 1  # then all are texts to OpenSpiel
            loaded = load(name, seats, **{option.name.replace("-", "_"): str(value) if mixed else value})
            assert loaded.new_initial_state().get_game().setup.options[option.name] == value
            if value != option.default:
                pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_states_follow_our_positions(name: str, seats: int) -> None:
    state = played(load(name, seats), 12)
    twin = sequential(sheepfold.load(GAMES[name].game.name, seats=seats).start())
    for action in state.history():
        twin.apply(action)
    assert state.position == twin and state.legal_actions() == twin.legal()
    for seat in range(seats):
        assert state.information_state_tensor(seat) == pytest.approx(twin.seen_by(seat).tensor())
        assert state.information_state_string(seat) == " ".join(map(str, twin.seen_by(seat).key()))


@pytest.mark.parametrize("name", GAMES)
def test_the_short_way_to_legal_actions_answers_as_open_spiels_own(name: str) -> None:
    """`legal_actions` and `is_chance_node` are answered in Python; the methods of the C++ class must say the same of every state."""
    game, dice = load(name, 2), Dice("short way")
    state = game.new_initial_state()
    for _ in range(40):
        if state.is_terminal():
            break
        assert state.is_chance_node() == pyspiel.State.is_chance_node(state)
        assert state.legal_actions() == pyspiel.State.legal_actions(state)
        for seat in range(2):
            assert state.legal_actions(seat) == pyspiel.State.legal_actions(state, seat)
        state.apply_action(int(state.position.random_action(dice)))


def test_chance_has_the_weights_of_the_position() -> None:
    state = load(PREFIX + "sheepzzz", 2).new_initial_state()
    assert state.is_chance_node()
    weights = dict(zip(state.position.legal(), state.position.weights(), strict=True))
    for outcome, probability in state.chance_outcomes():
        assert probability == pytest.approx(weights[outcome] / sum(weights.values()))


def test_actions_are_written_in_our_notation() -> None:
    state = played(load(PREFIX + "haste_bock", 2), 4)
    setup = sheepfold.load("haste-bock", seats=2)
    for action in state.legal_actions():
        text = state.action_to_string(action)
        assert setup.game.read(state.position, text) == action and state.string_to_action(text) == action


def test_who_is_asked_to_interrupt_can_pass() -> None:
    game = load(PREFIX + "guerre_des_moutons", 3)
    texts = set()
    for plies in range(20, 60, 4):
        state = played(game, plies)
        if not state.is_terminal():
            texts |= {state.action_to_string(action) for action in state.legal_actions()}
    assert "pass" in texts


@pytest.mark.parametrize(("name", "seats"), SECRET)
def test_resampling_keeps_what_the_player_knows_and_nothing_else(name: str, seats: int) -> None:
    state = played(load(name, seats), 40)
    assert not state.is_terminal()
    player = state.current_player()
    random = np.random.RandomState(3)
    others = set()
    for _ in range(20):
        other = state.resample_from_infostate(player, random.random_sample)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
        others.add(str(other))
    assert len(others) > 1
    truth = str(state)
    assert len(others - {truth}) >= 1


@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name, seats in EVERY if seats == 2])
def test_open_spiels_bots_play_whole_games(name: str, seats: int) -> None:
    play_against_a_bot(load(name, seats, **SHORT.get(name, {})))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name, seats in EVERY if seats != 2])
def test_open_spiels_bots_play_whole_games_with_every_number_of_players(name: str, seats: int) -> None:
    play_against_a_bot(load(name, seats, **SHORT.get(name, {})))


SHORT = {PREFIX + "sheepzzz": {"first_out_ends": True}}


def searcher(game: pyspiel.Game) -> pyspiel.Bot:
    """OpenSpiel's IS-MCTS, or its MCTS where nothing is hidden, which IS-MCTS refuses; with so few simulations that games stay short."""
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return mcts.MCTSBot(game, 1.4, 2, Quick(), random_state=np.random.RandomState(2))
    return ismcts.ISMCTSBot(
        game=game,
        evaluator=Quick(),
        uct_c=1.4,
        max_simulations=2,
        random_state=np.random.RandomState(2),
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        allow_inconsistent_action_sets=True,
    )


def play_against_a_bot(game: pyspiel.Game) -> None:
    """Player 0 searches at every decision, the others draw their actions."""
    bot, random = searcher(game), np.random.RandomState(4)
    state, searched = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(outcomes, p=weights)))
        elif state.current_player() == 0:
            state.apply_action(int(bot.step(state)))
            searched += 1
        else:
            state.apply_action(int(random.choice(state.legal_actions())))
    assert searched and (game.num_players() == 1 or sum(state.returns()) == pytest.approx(0))


def test_a_rollout_values_a_state() -> None:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    for name, seats in SECRET:
        assert sum(evaluator.evaluate(played(load(name, seats), 60))) == pytest.approx(0)


class Quick(mcts.Evaluator):
    """Finds every position even: whole games with few simulations stay short."""

    def evaluate(self, state: pyspiel.State) -> np.ndarray:
        return np.zeros(state.num_players())

    def prior(self, state: pyspiel.State) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name, seats in EVERY if seats == 2])
def test_states_observations_and_actions_are_structs(name: str, seats: int) -> None:
    state = played(load(name, seats), 40)
    game, struct = state.get_game(), state.to_struct()
    for told in (struct, struct.to_dict(), struct.to_json(), state.to_json()):
        assert game.new_initial_state(told).position == state.position
    for seat in range(seats):
        assert read_state(state.to_observation_struct(seat).to_json(), game.setup) == state.position.seen_by(seat)
    for action in state.legal_actions():
        told = state.action_to_struct(action)
        assert told.to_dict() == {"action": action, "notation": state.action_to_string(action)} and state.struct_to_actions(told) == [
            action
        ]
    assert state.clone().apply_action_struct(told).ok() and pyspiel.load_game_from_json(f'{{"game_name": "{name}", "seats": 2}}')


def tiny() -> pyspiel.Game:
    """Small enough to be solved; see the component file."""
    file = str(GAMES[PREFIX + "sheepzzz"].game.folder / "tiny.toml")
    return load(PREFIX + "sheepzzz", 2, components=file, first_starter="seat-1", perfect_recall=True)


def test_with_perfect_recall_a_player_remembers_every_decision() -> None:
    state, dice = load(PREFIX + "sheepzzz", 2, perfect_recall=True).new_initial_state(), Dice(1)
    before = {0: "", 1: ""}
    for _ in range(60):
        seat, action = state.current_player(), int(state.position.random_action(dice))
        if seat >= 0:
            known = state.information_state_string()
            assert known.startswith(before[seat]) and known.endswith(" ".join(map(str, state.position.seen_by(seat).key())))
            before[seat] = f"{known} > {action} | "
        state.apply_action(action)
    twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    other = state.resample_from_infostate(1, np.random.RandomState(1).random_sample)
    assert state.information_state_string(1) == twin.information_state_string(1) == other.information_state_string(1)
    assert before[0] and not other.information_state_string(0).startswith(before[0])


def test_what_samples_in_cpp_solves_the_tiny_deck() -> None:
    """On the tree of our states that OpenSpiel caches. CFR+ does it in docs/research.md."""
    tree = pyspiel.convert_to_cached_tree(tiny())
    sampler = pyspiel.ExternalSamplingMCCFRSolver(tree, 1)
    for _ in range(1000):
        sampler.run_iteration()
    assert pyspiel.exploitability(tree, sampler.average_policy()) < 0.02


@pytest.mark.parametrize("name", sorted({name for name, _ in EVERY} - {name for name, _ in SECRET}))
def test_bots_in_cpp_play_where_nothing_is_hidden(name: str) -> None:
    game = load(name, 2)
    bots = [
        pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 3), 1.4, 2, 100, False, 3, False),
        pyspiel.make_uniform_random_bot(1, 4),
    ]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)) == pytest.approx(0)
