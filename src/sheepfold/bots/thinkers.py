"""The bots that think: greedy, search, and the levels that people choose from.

What a bot does is written in one line: `greedy:1:warmth=0.5`, `search:1000:horizon=0:policy`. `search` starts from the
game's own settings and a level is such a line, both in the game's levels.toml; `plain` starts from nothing, which is what docs/bots.md
measures improvements against. A setting that no bot knows is one of the game's evaluator (`scale=3`).
Levels think by simulations and not by time, so that a seed repeats a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from inspect import signature
from math import exp
from time import monotonic
from typing import Any

from sheepfold.bots.flat import flat_values
from sheepfold.bots.greedy import Greedy
from sheepfold.bots.guided import Guided
from sheepfold.bots.learned import Learned
from sheepfold.bots.net import Net
from sheepfold.bots.nets import net_from, net_of
from sheepfold.bots.playouts import Playouts
from sheepfold.bots.search import Search
from sheepfold.bots.solver import Solver
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError, listed, nearest
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import Position
from sheepfold.core.sequential import Sequential, unwrapped
from sheepfold.game.levels import USUAL, line_for
from sheepfold.game.registry import game_of

CHUNK = 5
"""So many simulations are run between two looks at the clock."""
TINY = 1e-9
FINE = 1_000_000
"""The weight of the best choice, where others have whole numbers too."""


class BadSetting(SheepfoldError):
    """A bot does not understand its settings."""


# What belongs to a game. Positions of no game (yardsticks, toys in a notebook) have what is usual.


USUAL_EVALUATOR = Evaluator()


def evaluator_of(view: Position, weights: tuple[tuple[str, float], ...] = ()) -> Evaluator:
    """The evaluator of a view's game, with other weights where some are given."""
    game = game_of(view)
    evaluator = game.evaluator if game else USUAL_EVALUATOR
    return _weighted(evaluator, weights) if weights else evaluator


@cache
def _weighted(evaluator: Evaluator, weights: tuple[tuple[str, float], ...]) -> Evaluator:
    known = list(signature(type(evaluator)).parameters)
    for name, _ in weights:
        if name not in known:
            there = f"the evaluator's weights are {listed(known, 'and')}, the bot's settings are in docs/bots.md"
            raise BadSetting(f"neither the bot nor the evaluator of this game knows {name!r}; {there}")
    weighted: Evaluator = type(evaluator)(**dict(weights))
    return weighted


def taught(judge: Evaluator, net: Net | None) -> Evaluator:
    """The judge, put right by what was learned; as it is, where nothing was."""
    return judge if net is None else Learned(judge, net)


def _judge(view: Position, weights: tuple[tuple[str, float], ...], learned: bool, file: str) -> Evaluator:
    """Who judges for a bot: the game's own, or if it is so set what was learned for the game, or stands in a file."""
    return taught(evaluator_of(view, weights), net_from(file, view) if file else net_of(view) if learned else None)


def _solved(evaluator: Evaluator, view: Position, limit: int) -> list[tuple[int, float]] | None:
    """All actions with their exact values, best first, in a game that hides nothing and has at most so many positions left."""
    if not limit or type(unwrapped(view)).determinize is not Position.determinize:
        return None
    return Solver(evaluator, limit).values(view)


def settings_of(view: Position, name: str) -> str:
    """How a level, or `search`, is set in a view's game, with its number of players."""
    game = game_of(view)
    return line_for(game.levels if game else USUAL, name, int(view.seats))


# Bots.


@dataclass(frozen=True)
class GreedyBot:
    """The best that one turn can bring, or with `warmth` something nearly as good."""

    name: str = "greedy"
    guesses: int = 8
    decisions: int = 2
    """How many decisions of its own in a row it looks at."""
    warmth: float = 0.0
    """How freely it chooses among what is better than the average choice; 0: always the best."""
    slack: float = 0.0
    """By what part the odds of a win may be less than the best choice's, for others to be good enough to choose from, too."""
    memory: float = 0.0
    """After how many turns half of what it has seen is forgotten, where that matters; 0: never."""
    learned: bool = False
    """Whether what was learned for the game judges,"""
    net: str = ""
    """or what stands in this file."""
    judging: tuple[tuple[str, float], ...] = ()

    def choose(self, view: Position, dice: Dice) -> int:
        values = self.think(view, dice)
        if self.warmth and not (
            isinstance(view, Sequential) and view.asking()
        ):  # nobody interrupts for something that is only nearly as good
            return warmly(values, self.warmth, self.slack, dice)
        best = [action for action, value in values if value == values[0][1]]
        return best[dice.below(len(best))]

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        evaluator = _judge(view, self.judging, self.learned, self.net)
        seen = evaluator.blurred(view, self.memory, dice) if self.memory else view
        guesses = self.guesses if seen.determinize(dice) != seen.determinize(dice) else 1
        return Greedy(evaluator, guesses, decisions=self.decisions).values(seen, dice)


def warmly(values: Sequence[tuple[int, float]], warmth: float, slack: float, dice: Dice) -> int:
    """One of what is nearly as good as the best, the better the likelier; `values` come best first.

    That is what is better than the average, and what has odds of a win by at most `slack` less than the best; but it ends where the next
    is worse by more than the best is better than the average. So what is plainly best is always taken, what is plainly bad never, and
    where much is alike nobody can tell what will be played. The unit of warmth is how far down the choices go.
    """
    best = last = values[0][1]
    average = min(best, sum(value for _, value in values) / len(values))  # where all are alike the sum may be rounded up
    odds = (1.0 - slack) * best / max(1.0 - best, TINY)
    least = min(average, odds / (1.0 + odds))
    near = []
    for action, value in values:
        if value < least or last - value > best - average + TINY:
            break
        near.append((action, value))
        last = value
    cold = max(warmth * (best - last), TINY)
    return int(near[dice.weighted([round(FINE * exp((value - best) / cold)) + 1 for _, value in near])][0])


@dataclass(frozen=True)
class Settings:
    """How a search is made; what each is worth is measured in docs/bots.md."""

    simulations: int
    exploration: float = 0.7
    urgency: float = 2.0
    horizon: int = -1
    policy: bool = False
    pruned: bool = False
    keep: int = 0
    """How many of a decision's actions are followed, the best by a greedy look; 0: all."""
    ripe: int = 20
    look: bool = False
    glance: int = 0
    """Of how many turns drawn at random playouts take the best; 0: any."""
    reuse: bool = False
    """Whether the tree is kept for the next decision of the same turn, and what was thought there counts."""
    solve: int = 0
    """Up to how many positions are looked at to solve the end of a game exactly, where nothing is hidden."""
    learned: bool = False
    """Whether what was learned for the game judges,"""
    net: str = ""
    """or what stands in this file."""
    memory: float = 0.0
    seconds: float = 0.0
    """A time limit on top of the simulations, 0 for none; with one, a seed no longer repeats a game."""
    judging: tuple[tuple[str, float], ...] = ()


@dataclass
class SearchBot:
    """Information-set tree search."""

    name: str
    settings: Settings
    kept: tuple[Position, Search] | None = field(default=None, repr=False)
    """With `reuse`: the view that is expected next, and the tree for it. A bot may play at many tables; so it is used once, there."""

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "kept": None}  # a tree stays where it grew

    def choose(self, view: Position, dice: Dice) -> int:
        thoughts, tree = self._thought(view, dice)
        action = thoughts[0][0]
        if self.settings.reuse and tree is not None:
            self._keep(view, action, tree)
        return action

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        """The most visited first: visits are steadier than means."""
        return self._thought(view, dice)[0]

    def _thought(self, view: Position, dice: Dice) -> tuple[list[tuple[int, float]], Search | None]:
        """What to do, and the tree that says so where there was one."""
        settings = self.settings
        evaluator = self.judge(view)
        if settings.memory:
            view = evaluator.blurred(view, settings.memory, dice)
        actions = evaluator.sensible(view) if settings.pruned else view.legal()
        if len(actions) == 1:  # the tree has no node for what is no choice
            return [(actions[0], 0.5)], None
        if solved := self.solved(view):
            return solved, None
        kept, self.kept = self.kept, None
        search = kept[1] if kept is not None and kept[0] == view else self.tree(view)
        wanted = max(1, settings.simulations - search.thought())
        deadline, left = monotonic() + settings.seconds, wanted
        while left > 0 and (not settings.seconds or left == wanted or monotonic() < deadline):
            search.run(view, dice, min(CHUNK, left))
            left -= CHUNK
        return [(action, value) for action, _, value in search.choices(view.to_act)], search

    @property
    def simulations(self) -> int:
        return self.settings.simulations

    def solved(self, view: Position) -> list[tuple[int, float]] | None:
        return _solved(self.judge(view), view, self.settings.solve)

    def judge(self, view: Position) -> Evaluator:
        return _judge(view, self.settings.judging, self.settings.learned, self.settings.net)

    def tree(self, view: Position) -> Search:
        """A fresh tree for such views."""
        s = self.settings
        evaluator = self.judge(view)
        playouts = Playouts(evaluator, s.horizon, s.policy, s.look, s.glance)
        return Search(evaluator, s.exploration, s.urgency, playouts, s.pruned, s.keep, s.ripe)

    def _keep(self, view: Position, action: int, tree: Search) -> None:
        """Keep the tree below the chosen action, if the same seat goes on at once and nothing was drawn."""
        following = view.copy()
        following.advance(action)
        if following.to_act == view.to_act and tree.descend(view.to_act, action):
            self.kept = following, tree


@dataclass(frozen=True)
class GuidedBot:
    """Tree search that a net guides, or where none was learned the game's judge."""

    name: str = "guided"
    simulations: int = 400
    exploration: float = 1.5
    caution: float = 0.2
    playouts: float = 0.0
    horizon: int = -1
    glance: int = 0
    replies: bool = False
    """Whether playouts go on as a greedy look with the game's judge would, which costs a quarter of one with a net."""
    pruned: bool = False
    look: float = 0.0
    looks: int = 0
    """After greedy looks at so many positions no simulation is begun any more, 0: all are. How long they take is known better than how
    long a simulation takes, and a seed repeats the game all the same."""
    judge: bool = False
    """Whether the game's judge guides it although there is a net."""
    net: str = ""
    """The file of another net than the game's own."""
    leaves: bool = True
    priors: bool = True
    """Whether the net judges leaves, and whether it says what to try."""
    solve: int = 0
    """Up to how many positions are looked at to solve the end of a game exactly, where nothing is hidden."""
    seconds: float = 0.0
    """A time limit on top of the simulations, 0 for none; with one, a seed no longer repeats a game."""
    judging: tuple[tuple[str, float], ...] = ()

    def choose(self, view: Position, dice: Dice) -> int:
        return self.think(view, dice)[0][0]

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        """The most visited first: visits are steadier than means."""
        actions = evaluator_of(view).sensible(view) if self.pruned else view.legal()
        if len(actions) == 1:
            return [(actions[0], 0.5)]
        if solved := self.solved(view):
            return solved
        search = self.tree(view)
        deadline, left = monotonic() + self.seconds, self.simulations
        while left > 0 and (not self.seconds or left == self.simulations or monotonic() < deadline):
            search.run(view, dice, min(CHUNK, left))
            left -= CHUNK
            if self.looks and search.looked() >= self.looks:
                break
        return [(action, value) for action, _, value in search.choices(view.to_act)]

    def solved(self, view: Position) -> list[tuple[int, float]] | None:
        return _solved(evaluator_of(view, self.judging), view, self.solve)

    def tree(self, view: Position) -> Guided:
        """A fresh tree for such views."""
        net = None if self.judge else net_from(self.net, view) if self.net else net_of(view)
        judge = evaluator_of(view, self.judging)
        evaluator = taught(judge, net if self.leaves else None)
        playouts = Playouts(evaluator, self.horizon, look=self.replies, glance=self.glance, guide=judge)
        trying = net if net is not None and net.chooses and self.priors else None
        return Guided(evaluator, trying, self.exploration, self.caution, 0.0, self.playouts, self.pruned, self.look, playouts)


@dataclass(frozen=True)
class FlatBot:
    """Every action is tried alike and played on at random: what whoever has an hour writes first, and so what others are measured by."""

    name: str = "flat"
    simulations: int = 2000
    judging: tuple[tuple[str, float], ...] = ()

    def choose(self, view: Position, dice: Dice) -> int:
        return self.think(view, dice)[0][0]

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        return flat_values(evaluator_of(view, self.judging), view, dice, self.simulations)


Thinking = FlatBot | GreedyBot | GuidedBot | SearchBot


@dataclass
class GameBot:
    """A bot that is another one in every game: a level, or search with the game's own settings."""

    name: str
    entry: str
    """Its name among the game's levels."""
    simulations: int = 0
    changes: str = ""
    made: dict[str, Thinking] = field(default_factory=dict, repr=False)
    """By the line that a game has for it."""

    def inner(self, view: Position) -> Thinking:
        line = settings_of(view, self.entry)
        if line not in self.made:
            whole = line
            if self.entry == "search":
                whole = f"plain:{self.simulations}{line and ':'}{line}{self.changes and ':'}{self.changes}"
            self.made[line] = thinker(whole, self.name)
        return self.made[line]

    def choose(self, view: Position, dice: Dice) -> int:
        return self.inner(view).choose(view, dice)

    def think(self, view: Position, dice: Dice) -> list[tuple[int, float]]:
        return self.inner(view).think(view, dice)


# From text.


def thinker(line: str, name: str = "") -> Thinking:
    """The bot that a line describes: `greedy:1:warmth=0.5`, `plain:500:horizon=0:policy`."""
    kind, *parts = line.split(":")
    number = parts.pop(0) if parts and parts[0].isdecimal() else ""
    if kind == "greedy":
        greedy: GreedyBot = _with(GreedyBot(name or line, int(number or 8)), parts)
        return greedy
    if kind == "flat":
        flat: FlatBot = _with(FlatBot(name or line, _simulations(kind, number or "2000")), parts)
        return flat
    if kind == "guided":
        guided: GuidedBot = _with(GuidedBot(name or line, _simulations(kind, number or "400")), parts)
        return guided
    return SearchBot(name or line, _with(Settings(_simulations(kind, number or "500")), parts))


def _simulations(kind: str, number: str) -> int:
    if not number.isdecimal() or not 1 <= int(number) <= 1_000_000:
        raise BadSetting(f"{kind} takes a whole number after the colon, as in {kind}:500, not {number!r}")
    return int(number)


def _with(made: Any, parts: list[str]) -> Any:
    """The same with settings from text: `name=number`, or `name` and `no-name` for what is on or off."""
    kinds = {each.name: each.type for each in fields(made) if each.name not in ("name", "judging", "simulations")}
    judging: dict[str, float] = {}
    for part in parts:
        name, equals, text = part.partition("=")
        off = name.startswith("no-")
        name = name.removeprefix("no-")
        try:
            if kinds.get(name) == "bool" and not equals:
                made = replace(made, **{name: not off})
            elif kinds.get(name) == "str":
                made = replace(made, **{name: text})
            elif name in kinds:
                made = replace(made, **{name: float(text) if kinds[name] == "float" else int(text)})
            else:
                judging[name] = float(text)
        except ValueError:
            raise BadSetting(f"{part!r} is no setting of a bot: name=number, or a name alone.{nearest(name, kinds)}") from None
    return replace(made, judging=tuple(sorted(judging.items()))) if judging else made
