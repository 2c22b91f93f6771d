"""The games in PettingZoo: `env` asks one agent after the other, `parallel_env` asks all at once and listens to the one to act.

    >>> from sheepfold.research.pettingzoo import env
    >>> table = env("te-kuiti", seats=2, render_mode="ansi")

An observation is a dictionary: `observation`, the numbers of the agent's view, and `action_mask`, which is empty for an agent that
is not to act. It is made when it is asked for. Chance is played inside; the seed of `reset` settles it. Rewards come at the end: 1 for
the winner, and the others share the loss.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import wanted
from sheepfold.core.position import OVER, IllegalAction
from sheepfold.research.environment import ILLEGAL, RENDER_MODES, Screen, checked, games_of, np, render, set_up
from sheepfold.research.vector import EVERY_SEAT

pettingzoo: Any = wanted("pettingzoo", "pettingzoo")
spaces: Any = wanted("gymnasium.spaces", "pettingzoo")


def agent_names(seats: int) -> list[str]:
    return [f"player_{seat}" for seat in range(seats)]


class _Table:
    """A game with its buffers: what both environments are made of."""

    def __init__(
        self, game: str, seats: int | None, components: str | Path | None, render_mode: str | None, max_cycles: int | None,
        illegal: str, options: dict[str, object],
    ) -> None:  # fmt: skip
        checked(render_mode, RENDER_MODES, "render_mode")
        checked(illegal, ILLEGAL, "illegal")
        self.setup = set_up(game, seats, components, options)
        self.games = games_of(self.setup, 1, EVERY_SEAT, max_cycles, [None] * self.setup.seats)
        self.bound = int(self.games.bound)
        self.illegal = illegal
        self.screen = Screen(self.games)
        self.dice = Dice()
        self.names = agent_names(self.setup.seats)
        actions, size = int(self.games.actions), int(self.games.size)
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.names}
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for name in self.names
        }

    def begin(self, seed: int | None) -> int:
        """Start a game; who is asked. Without a seed the dice roll on."""
        if seed is not None:
            self.dice = Dice(seed)
        self.games.dice[0] = self.dice
        return int(self.games.restart(0))

    def act(self, action: Any) -> int:
        """Take an action; the seat that is asked next, OVER, or LOST where it was illegal and that loses."""
        try:
            return self.games.act(0, int(action))
        except IllegalAction:
            if self.illegal == "raise":
                raise
            if self.illegal == "lose":
                return LOST
            legal = self.games.position[0].legal()
            return self.games.act(0, legal[self.dice.below(len(legal))])

    def observe(self, seat: int) -> dict[str, Any]:
        screen = self.screen
        screen.blank()
        self.games.look(0, seat)
        return {"observation": screen.numbers(), "action_mask": screen.mask()}

    def rewards(self, lost: int | None) -> dict[str, float]:
        """By agent, at the end of a game or when a seat has lost it by an illegal action."""
        if lost is None:
            return dict(zip(self.names, self.games.worth(0), strict=True))
        share = 1.0 / max(1, len(self.names) - 1)
        return {name: -1.0 if seat == lost else share for seat, name in enumerate(self.names)}


LOST = -9


class _Agents:
    """What both environments say of themselves and of their agents."""

    metadata: dict[str, Any]

    def __init__(self, table: _Table, render_mode: str | None) -> None:
        super().__init__()
        self.table = table
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"sheepfold_{table.setup.game.name.replace('-', '_')}"}
        self.possible_agents = list(table.names)
        self.agents: list[str] = []
        self.action_spaces = table.action_spaces
        self.observation_spaces = table.observation_spaces

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def render(self) -> Any:
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given; there are {', '.join(RENDER_MODES)}")
        return render(self.table.setup, self.table.games.position[0], self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


class SheepfoldAEC(_Agents, pettingzoo.AECEnv):  # type: ignore[misc]
    """One game, one agent a seat. See `env`."""

    metadata = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1, "name": "sheepfold"}

    def __init__(self, table: _Table, render_mode: str | None) -> None:
        super().__init__(table, render_mode)
        self._seats = {name: seat for seat, name in enumerate(table.names)}
        self._names = table.names
        self._steps = 0

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        names = self._names
        self.agents = list(names)
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in names}
        self._skip_agent_selection = None
        self._steps = 0
        self.agent_selection = names[self.table.begin(seed)]

    def observe(self, agent: str) -> dict[str, Any]:
        return self.table.observe(self._seats[agent])

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.table.act(action)
        self._steps += 1
        if seat >= 0 and self._steps < self.table.bound:
            self.agent_selection = self._names[seat]  # rewards are all 0 and stay so
        else:
            self._finish(agent, seat)
        if self.render_mode == "human":
            self.render()

    def _finish(self, agent: str, seat: int) -> None:
        if seat >= 0:
            self.truncations = dict.fromkeys(self._names, True)
            self.agent_selection = self._names[seat]
            return
        self.terminations = dict.fromkeys(self._names, True)
        self.rewards = self.table.rewards(None if seat == OVER else self._seats[agent])
        self._accumulate_rewards()


class SheepfoldParallel(_Agents, pettingzoo.ParallelEnv):  # type: ignore[misc]
    """The same game for algorithms that ask all agents at every step: only the action of the one to act counts."""

    metadata = dict(SheepfoldAEC.metadata, is_parallelizable=True)

    def __init__(self, table: _Table, render_mode: str | None) -> None:
        super().__init__(table, render_mode)
        self._asked = 0
        self._steps = 0

    def _observations(self) -> dict[str, Any]:
        return {name: self.table.observe(seat) for seat, name in enumerate(self.table.names)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {name: {"to_act": seat == self._asked} for seat, name in enumerate(self.table.names)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self.agents = list(self.table.names)
        self._steps = 0
        self._asked = self.table.begin(seed)
        return self._observations(), self._infos()

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        names = self.table.names
        mover = self._asked
        self._asked = self.table.act(actions[names[mover]])
        self._steps += 1
        over = self._asked < 0
        cut = not over and self._steps >= self.table.bound
        rewards = self.table.rewards(None if self._asked == OVER else mover) if over else dict.fromkeys(names, 0.0)
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return self._observations(), rewards, dict.fromkeys(names, over), dict.fromkeys(names, cut), self._infos()


def env(
    game: str, seats: int | None = None, *, render_mode: str | None = None, max_cycles: int | None = None,
    illegal: str = "raise", components: str | Path | None = None, **options: object,
) -> SheepfoldAEC:  # fmt: skip
    """A game as an AEC environment.

    `max_cycles` truncates after so many decisions (by default no game reaches it); `illegal` says what an illegal action does:
    "raise", "lose" or "random". Everything is checked here, so no wrapper is needed.
    """
    return SheepfoldAEC(_Table(game, seats, components, render_mode, max_cycles, illegal, options), render_mode)


raw_env = env


def parallel_env(
    game: str, seats: int | None = None, *, render_mode: str | None = None, max_cycles: int | None = None,
    illegal: str = "raise", components: str | Path | None = None, **options: object,
) -> SheepfoldParallel:  # fmt: skip
    """The same as a parallel environment, with the same arguments."""
    return SheepfoldParallel(_Table(game, seats, components, render_mode, max_cycles, illegal, options), render_mode)
