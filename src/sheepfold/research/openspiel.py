"""The games in OpenSpiel: `import sheepfold.research.openspiel` registers them, `pyspiel.load_game` finds them.

    >>> import pyspiel
    >>> import sheepfold.research.openspiel
    >>> game = pyspiel.load_game("sheepfold_sheepzzz(seats=3,first_out_ends=True)")

Every option of a game is a parameter, with _ for -. Chance nodes are explicit, and everything that a player is told comes from
`seen_by`: the information state is the view itself, which by contract holds all that the seat may know with a perfect memory. What has led
there, where it no longer matters, is no part of it, so that IS-MCTS meets the same node by different ways. With the parameter
`perfect_recall` it is: then the string begins with all that the player has seen and done at its decisions, as CFR needs it. Interruptions
are asked for in turn (`core.sequential`). States, observations and actions are structs, too: those of `write_state`, and notation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sheepfold.ansi import plain
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.position import CHANCE, OVER, SPECTATOR, Position, divisors, worth
from sheepfold.core.sequential import Sequential, sequential, unwrapped
from sheepfold.game.game import SEAT, Game, Option, Setup
from sheepfold.game.registry import every_game
from sheepfold.game.states import read_state, write_state
from sheepfold.research.environment import shared
from sheepfold.research.vector import Sheet

pyspiel: Any = wanted("pyspiel", "openspiel")
np: Any = wanted("numpy", "openspiel")

PREFIX = "sheepfold_"


class Holder:
    """A position with what OpenSpiel asks of a state's attributes: copies that are quick, and pickles."""

    __slots__ = ("position", "setup", "trails")

    def __init__(self, setup: Setup, position: Position, trails: tuple[str, ...] = ()) -> None:
        self.setup = setup
        self.position = position
        self.trails = trails
        """By seat what it has seen and done at its decisions, where the game has perfect recall."""

    def __deepcopy__(self, memo: object) -> Holder:
        return Holder(self.setup, self.position.copy(), self.trails)

    def __reduce__(self) -> tuple[type[Holder], tuple[object, ...]]:
        return Holder, (self.setup, self.position, self.trails)

    def advance(self, action: int) -> None:
        seat = self.position.to_act
        if self.trails and seat >= 0:
            longer = f"{self.known_to(seat)} > {action} | "
            self.trails = (*self.trails[:seat], longer, *self.trails[seat + 1 :])
        self.position.advance(action)

    def known_to(self, seat: int) -> str:
        """The seat's information state."""
        return (self.trails[seat] if self.trails else "") + _text(self.position.seen_by(seat))


class SheepfoldState(pyspiel.State):  # type: ignore[misc]
    """A position of one of the games. `state.position` is ours, with all that it can do."""

    def __init__(self, game: SheepfoldGame, position: Position | None = None) -> None:
        super().__init__(game)
        self._holder = Holder(game.setup, game.first.copy() if position is None else position, game.trails)

    @property
    def position(self) -> Position:
        """The whole position, nobody's view."""
        return self._holder.position

    def current_player(self) -> int:
        # CHANCE is -1 in both libraries; OVER is not.
        seat = self._holder.position.to_act
        return TERMINAL if seat == OVER else seat

    def is_terminal(self) -> bool:
        return self._holder.position.to_act == OVER

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What OpenSpiel's own method answers, for callers in Python: that one asks four things in C++ before `_legal_actions`."""
        position = self._holder.position
        if player is None or position.to_act in (player, CHANCE):
            return position.legal()
        return super().legal_actions(player)  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        return self._holder.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        position = self._holder.position
        weights = position.weights()
        total = sum(weights)
        return [(outcome, weight / total) for outcome, weight in zip(position.legal(), weights, strict=True)]

    def is_chance_node(self) -> bool:
        return self._holder.position.to_act == CHANCE

    def _apply_action(self, action: int) -> None:
        self._holder.advance(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return written(self._holder.setup.game, self._holder.position, action)

    def returns(self) -> list[float]:
        position = self._holder.position
        if position.to_act != OVER:
            return [0.0] * position.seats
        return [worth(position, seat) for seat in range(position.seats)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SheepfoldState:
        """Another state that looks the same to the player, drawn with the right frequency from all that do."""
        game, holder = self.get_game(), self._holder
        state = SheepfoldState(game, holder.position.seen_by(player).determinize(Dice(sampler())))
        if holder.trails:  # how the others came here is not known
            state._holder.trails = tuple(trail if seat == player else "" for seat, trail in enumerate(holder.trails))
        return state

    # Structs.

    def _to_struct(self) -> dict[str, Any]:
        """The whole position; `game.new_initial_state(struct)` goes on from it."""
        return json.loads(write_state(self.position))  # type: ignore[no-any-return]

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """The player's view, or at chance nodes a spectator's."""
        return json.loads(write_state(self.position.seen_by(max(player, SPECTATOR))))  # type: ignore[no-any-return]

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"action": action, "notation": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: dict[str, Any]) -> list[int]:
        """An action by its number, or by its notation where that is all there is."""
        return [struct["action"] if "action" in struct else self.string_to_action(struct["notation"])]

    def __str__(self) -> str:
        return f"{self._holder.setup.game.title}, {seat_name(self.current_player())} to act: {_text(self._holder.position)}"


TERMINAL = int(pyspiel.PlayerId.TERMINAL)
assert int(pyspiel.PlayerId.CHANCE) == CHANCE


def seat_name(seat: int) -> str:
    return "nobody" if seat == TERMINAL else "chance" if seat == CHANCE else f"seat {seat}"


def written(game: Game, position: Position, action: int) -> str:
    """The action in our notation."""
    if isinstance(position, Sequential):
        return "pass" if action == position.pass_action else game.write(position.inner, action)
    return game.write(position, action)


def _text(position: Position) -> str:
    return " ".join(map(str, position.key()))


class Observer:
    """What a player sees, as a tensor and as a string: both from the player's view."""

    def __init__(self, game: SheepfoldGame, perfect_recall: bool) -> None:
        self._game = game
        self._recall = perfect_recall
        self._sheet = Sheet(game.size)
        self._numbers = shared(self._sheet.numbers)
        self._wholes = np.array(divisors(game.first), np.float32)
        self.tensor = np.zeros(game.size, np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: SheepfoldState, player: int) -> None:
        self._numbers.fill(0)
        self._sheet.take(state.position, max(0, player))
        np.divide(self._numbers, self._wholes, out=self.tensor)

    def string_from(self, state: SheepfoldState, player: int) -> str:
        """The information state in numbers, for tables; the observation as a picture in text, which shows what a table shows."""
        if self._recall:
            return state._holder.known_to(player)
        return plain(self._game.setup.game.text_picture(unwrapped(state.position.seen_by(player)), player))


class SheepfoldGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games, set up. `game.setup` is what `sheepfold.load` gives."""

    game: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = dict(params or {})
        seats = int(chosen.pop("seats", self.game.seats[-1]))
        components = str(chosen.pop("components", "")) or None
        self.trails = ("",) * seats if chosen.pop("perfect_recall", False) else ()
        self.setup = self.game.setup(seats, components, **chosen)
        self.first = sequential(self.setup.start())
        self.size = len(divisors(self.first))
        first = self.first
        info = pyspiel.GameInfo(
            num_distinct_actions=int(first.action_count),
            max_chance_outcomes=int(first.action_count),
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if seats == 1 else 0.0,
            max_game_length=int(first.ply_bound),
        )
        super().__init__(game_type(self.game, (seats,)), info, dict(params or {}))

    def __reduce__(self) -> tuple[object, ...]:
        return _loaded, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self, struct: dict[str, Any] | str | None = None) -> SheepfoldState:
        """The first state, or the one that a state's struct (or its JSON) tells."""
        if struct is None:
            return SheepfoldState(self)
        if isinstance(struct, pyspiel.StateStruct):
            struct = struct.to_dict()
        return SheepfoldState(self, sequential(read_state(struct if isinstance(struct, str) else json.dumps(struct), self.setup)))

    def max_chance_nodes_in_history(self) -> int:
        return int(self.first.ply_bound)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise SheepfoldError(f"observers take no parameters, not {params}")
        return Observer(self, bool(iig_obs_type is not None and iig_obs_type.perfect_recall))


def _loaded(name: str, parameters: dict[str, Any]) -> Any:
    """A game from its pickle: this module is imported for it, so OpenSpiel knows the game."""
    return pyspiel.load_game(name, parameters)


def _parameter(option: Option) -> bool | int | str:
    """The default of an option; text where its values are of several kinds, which OpenSpiel must not take for a number."""
    kinds = {type(value) for value in option.values}
    if len(kinds) == 1:
        return option.default
    return f"{SEAT}{option.default}" if option.names_seat and isinstance(option.default, int) else str(option.default)


def game_type(game: Game, seats: tuple[int, ...]) -> Any:
    """What OpenSpiel wants to know of a game before it is loaded; for one player it is no zero-sum game."""
    information = pyspiel.GameType.Information
    parameters = {option.name.replace("-", "_"): _parameter(option) for option in game.options}
    return pyspiel.GameType(
        short_name=PREFIX + game.name.replace("-", "_"),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if game.secrets else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if 1 in seats else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": game.seats[-1], "components": "", "perfect_recall": False, **parameters},
    )


def register(game: Game) -> type[SheepfoldGame]:
    """Tell OpenSpiel of a game."""
    kind = type(game.__class__.__name__, (SheepfoldGame,), {"game": game})
    pyspiel.register_game(game_type(game, game.seats), kind)
    return kind


GAMES = {PREFIX + game.name.replace("-", "_"): register(game) for game in every_game()}
"""The classes of the games by the name OpenSpiel knows them by."""
