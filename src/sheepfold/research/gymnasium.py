"""The games in Gymnasium: one learner against bots of a chosen level, game by game or many games at once.

    >>> from sheepfold.research.gymnasium import SheepfoldEnv, SheepfoldVectorEnv
    >>> env = SheepfoldEnv("haste-bock", seats=2, opponents="lamb")
    >>> many = SheepfoldVectorEnv("haste-bock", num_envs=256, seats=2)

An observation is the numbers of the learner's view; `info["action_mask"]` has what is legal. Once this module is imported,
`gymnasium.make("sheepfold/haste-bock-v0", seats=2)` works as well. The vector environment is compiled: `research/vector.py`, and
`research/parallel.py` where several processes step it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.position import OVER, IllegalAction
from sheepfold.game.registry import names
from sheepfold.research.environment import (
    ILLEGAL,
    NUMBERS,
    RENDER_MODES,
    Board,
    Screen,
    Shape,
    checked,
    games_of,
    np,
    opponents,
    render,
    set_up,
)
from sheepfold.research.parallel import Parts
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
    """Many games at once, stepped in compiled code, in as many processes as `workers` says. A game that is over begins anew with the next
    step (NEXT_STEP).

    Illegal actions raise IllegalAction, before anything is played. Without `copy` the arrays are the same ones at every step,
    which is quicker, and what they show is overwritten by the next. With `numbers="bytes"` the numbers are as games write them, undivided,
    a byte each; with `packed_masks` eight actions are one byte (np.unpackbits with bitorder="little"). With a seed, game i draws
    from `Dice(seed).split(i)`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1, "autoreset_mode": vector.AutoresetMode.NEXT_STEP}

    def __init__(
        self, game: str, num_envs: int, seats: int | None = None, *, opponents: str | Sequence[str] = "random",
        seat: int | None = None, render_mode: str | None = None, max_cycles: int | None = None, copy: bool = True,
        workers: int = 1, numbers: str = "float32", packed_masks: bool = False,
        components: str | Path | None = None, **options: object,
    ) -> None:  # fmt: skip
        checked(render_mode, RENDER_MODES, "render_mode")
        checked(numbers, NUMBERS, "numbers")
        if num_envs < 1:
            raise SheepfoldError(f"at least one game is needed, not {num_envs}")
        if not 1 <= workers <= num_envs:
            raise SheepfoldError(f"workers are at least 1 and at most as many as games, {num_envs}, not {workers}")
        self.setup = set_up(game, seats, components, options)
        shares = [num_envs * (index + 1) // workers - num_envs * index // workers for index in range(workers)]
        every = [_games(self.setup, share, seat, max_cycles, opponents) for share in shares]
        actions, size = int(every[0].actions), int(every[0].size)
        self._parts = Parts(every, Shape(num_envs, size, actions, numbers, packed_masks))
        self._copy = copy
        self.num_envs = num_envs
        self.render_mode = render_mode
        kind, most = (np.float32, np.inf) if numbers == "float32" else (np.uint8, 255)
        least = -most if numbers == "float32" else 0
        self.single_action_space = spaces.Discrete(actions)
        self.single_observation_space = spaces.Box(least, most, (size,), kind)
        self.action_space = spaces.MultiDiscrete([actions] * num_envs)
        self.observation_space = spaces.Box(least, most, (num_envs, size), kind)
        self._dice = Dice()

    def _shown(self) -> Board:
        return self._parts.given() if self._copy else self._parts.board

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._dice = Dice(seed) if seed is not None else self._dice.split("again")
        self._parts.begin([self._dice.split(index) for index in range(self.num_envs)])
        board = self._shown()
        return board.numbers, {"action_mask": board.mask}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self._parts.step(np.asarray(actions))
        board = self._shown()
        return board.numbers, board.reward, board.ended, board.cut, {"action_mask": board.mask}

    def random_actions(self) -> Any:
        """For every game one of its legal actions, each equally likely."""
        return self._parts.draw()

    def render(self) -> Any:
        """A picture of every game, as its learner sees it."""
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given; there are {', '.join(RENDER_MODES)}")
        drawn = []
        for games in self._parts.games():
            drawn += [render(self.setup, each, self.render_mode, int(games.seat[index])) for index, each in enumerate(games.position)]
        return tuple(drawn)

    def close_extras(self, **values: Any) -> None:
        """The other processes end."""
        self._parts.close()


for _name in names():
    gymnasium.register(
        f"sheepfold/{_name}-v0",
        entry_point=SheepfoldEnv,
        vector_entry_point=SheepfoldVectorEnv,
        kwargs={"game": _name},
        order_enforce=True,
        disable_env_checker=True,
    )
