"""The games in Gymnasium: one learner against bots of a chosen level, game by game or many games at once.

    >>> from sheepfold.research.gymnasium import SheepfoldEnv, SheepfoldVectorEnv
    >>> env = SheepfoldEnv("haste-bock", seats=2, opponents="lamb")
    >>> many = SheepfoldVectorEnv("haste-bock", num_envs=256, seats=2)

An observation is the numbers of the learner's view; `info["action_mask"]` has what is legal. Once this module is imported,
`gymnasium.make("sheepfold/haste-bock-v0", seats=2)` works as well. The vector environment is compiled: `research/vector.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.position import OVER, IllegalAction
from sheepfold.game.registry import names
from sheepfold.research.environment import ILLEGAL, RENDER_MODES, Screen, checked, games_of, np, opponents, render, set_up
from sheepfold.research.vector import ANY_SEAT

gymnasium: Any = wanted("gymnasium", "gymnasium")
spaces: Any = wanted("gymnasium.spaces", "gymnasium")
vector: Any = wanted("gymnasium.vector", "gymnasium")


def _learner(seat: int | None, seats: int) -> int:
    if seat is None:
        return ANY_SEAT
    if not 0 <= seat < seats:
        raise SheepfoldError(f"the learner's seat is from 0 to {seats - 1}, or None for another seat every game, not {seat}")
    return seat


class SheepfoldEnv(gymnasium.Env):  # type: ignore[misc]
    """One learner at the table. `seat` None draws its seat anew for every game; `illegal` says what an illegal action does."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self, game: str, seats: int | None = None, *, opponents: str | Sequence[str] = "random", seat: int | None = None,
        render_mode: str | None = None, max_cycles: int | None = None, illegal: str = "lose",
        components: str | Path | None = None, **options: object,
    ) -> None:  # fmt: skip
        checked(render_mode, RENDER_MODES, "render_mode")
        checked(illegal, ILLEGAL, "illegal")
        self.setup = set_up(game, seats, components, options)
        self._games = _games(self.setup, 1, seat, max_cycles, opponents)
        self._screen = Screen(self._games)
        self._dice = Dice()
        self._illegal = illegal
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(int(self._games.actions))
        self.observation_space = spaces.Box(-np.inf, np.inf, (int(self._games.size),), np.float32)

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self._games.seat[0])

    def action_masks(self) -> Any:
        """What is legal now, for algorithms that ask the environment (sb3-contrib's MaskablePPO)."""
        return self._screen.mask()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        screen = self._screen
        screen.blank()
        self._games.look(0, self._games.seat[0])
        return screen.numbers(), {"action_mask": screen.mask()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._dice = Dice(seed)
        self._games.dice[0] = self._dice
        self._games.restart(0)
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        games = self._games
        try:
            asked = games.act(0, int(action))
        except IllegalAction:
            if self._illegal == "raise" or games.position[0].to_act == OVER:
                raise
            if self._illegal == "lose":
                numbers, info = self._seen()
                return numbers, -1.0, True, False, {**info, "illegal": True}
            legal = games.position[0].legal()
            asked = games.act(0, legal[self._dice.below(len(legal))])
        numbers, info = self._seen()
        if self.render_mode == "human":
            self.render()
        if asked == OVER:
            return numbers, games.worth(0)[self.seat], True, False, info
        return numbers, 0.0, False, games.steps[0] >= games.bound, info

    def render(self) -> Any:
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given; there are {', '.join(RENDER_MODES)}")
        return render(self.setup, self._games.position[0], self.render_mode, self.seat)


def _games(setup: Any, count: int, seat: int | None, max_cycles: int | None, names: str | Sequence[str]) -> Any:
    players = opponents(names if isinstance(names, str) else list(names), setup.seats)
    return games_of(setup, count, _learner(seat, setup.seats), max_cycles, players)


class SheepfoldVectorEnv(vector.VectorEnv):  # type: ignore[misc]
    """Many games at once, stepped in compiled code. A game that is over begins anew with the next step (NEXT_STEP).

    Illegal actions raise IllegalAction, before anything is played. Without `copy` the arrays are the same ones at every step,
    which is quicker, and what they show is overwritten by the next. With a seed, game i draws from `Dice(seed).split(i)`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1, "autoreset_mode": vector.AutoresetMode.NEXT_STEP}

    def __init__(
        self, game: str, num_envs: int, seats: int | None = None, *, opponents: str | Sequence[str] = "random",
        seat: int | None = None, render_mode: str | None = None, max_cycles: int | None = None, copy: bool = True,
        components: str | Path | None = None, **options: object,
    ) -> None:  # fmt: skip
        checked(render_mode, RENDER_MODES, "render_mode")
        if num_envs < 1:
            raise SheepfoldError(f"at least one game is needed, not {num_envs}")
        self.setup = set_up(game, seats, components, options)
        self._games = _games(self.setup, num_envs, seat, max_cycles, opponents)
        self._screen = Screen(self._games, (num_envs,), kept=not copy)
        self._ended = np.frombuffer(self._games.ended, np.bool_)
        self._cut = np.frombuffer(self._games.cut, np.bool_)
        self.num_envs = num_envs
        self.render_mode = render_mode
        actions, size = int(self._games.actions), int(self._games.size)
        self.single_action_space = spaces.Discrete(actions)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (size,), np.float32)
        self.action_space = spaces.MultiDiscrete([actions] * num_envs)
        self.observation_space = spaces.Box(-np.inf, np.inf, (num_envs, size), np.float32)
        self._dice = Dice()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        return self._screen.numbers(), {"action_mask": self._screen.mask()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._dice = Dice(seed) if seed is not None else self._dice.split("again")
        self._screen.blank()
        self._games.begin([self._dice.split(index) for index in range(self.num_envs)])
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        games, chosen = self._games, np.asarray(actions).tolist()
        games.check(chosen)
        self._screen.blank()
        games.step(chosen)
        numbers, infos = self._seen()
        return numbers, np.array(games.reward, np.float32), self._ended.copy(), self._cut.copy(), infos

    def random_actions(self) -> Any:
        """For every game one of its legal actions, each equally likely."""
        return np.array(self._games.random_actions())

    def render(self) -> Any:
        """A picture of every game, as its learner sees it."""
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given; there are {', '.join(RENDER_MODES)}")
        games, mode = self._games, self.render_mode
        return tuple(render(self.setup, games.position[index], mode, int(games.seat[index])) for index in range(self.num_envs))

    def close_extras(self, **values: Any) -> None:
        """Nothing is held open."""


for _name in names():
    gymnasium.register(
        f"sheepfold/{_name}-v0",
        entry_point=SheepfoldEnv,
        vector_entry_point=SheepfoldVectorEnv,
        kwargs={"game": _name},
        order_enforce=True,
        disable_env_checker=True,
    )
