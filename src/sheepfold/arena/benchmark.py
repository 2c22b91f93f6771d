"""The benchmark: fixed tasks, so that players can be compared who never met. A player sits alone against the opponent of the task, in every
seat equally often, as often as the task says; its share of the wins is the result, with its interval. docs/benchmark.md has the protocol.

A leaderboard is a JSON file, one entry a player.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sheepfold
from sheepfold.arena.arena import Contest, Outcome, contend, duel, duels_of
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.registry import every_game

SUITE, OPPONENT, GAMES, SECONDS = 1, "greedy", 400, 2.0
"""What all tasks of this suite have in common. It is never changed; another suite gets another number."""


@dataclass(frozen=True)
class Task:
    """What is to be played."""

    name: str
    game: str
    seats: int
    opponent: str
    games: int
    seed: str
    seconds: float
    """That a decision may take at most, of one processor."""

    def contest(self, agent: str) -> Contest:
        return Contest(self.game, self.seats, (agent, self.opponent), self.seed, alone=True)


@dataclass(frozen=True)
class Result:
    """How a player did at a task: its share of the wins with the bounds that it has with 95 % confidence, and its longest decision."""

    share: float
    low: float
    high: float
    games: int
    longest: float

    def within(self, task: Task) -> bool:
        """Whether all games were played, and no decision took too long."""
        return self.games >= task.games and self.longest <= task.seconds


def suite() -> tuple[int, dict[str, Task]]:
    """The number of the suite, and its tasks by name: those that the games that are there bring in their `benchmark.toml`."""
    tasks = {}
    for game in every_game():
        path = game.folder / "benchmark.toml"
        if path.exists():
            for seats in tomllib.loads(path.read_text(encoding="utf-8")).get(f"suite-{SUITE}", ()):
                name = f"{game.name}-{seats}"
                tasks[name] = Task(name, game.name, int(seats), OPPONENT, GAMES, f"benchmark {SUITE}", SECONDS)
    return SUITE, tasks


def chosen(names: Sequence[str]) -> list[Task]:
    """The tasks of these names, or all."""
    _, tasks = suite()
    if unknown := [name for name in names if name not in tasks]:
        raise SheepfoldError(f"there is no task {unknown[0]}; there are {', '.join(tasks)}")
    return [tasks[name] for name in names] if names else list(tasks.values())


def attempt(
    task: Task, agent: str, games: int, workers: int, ray: str | None, folder: Path | None, progress: Callable[[int], None]
) -> Result | None:
    """Let a player do so many games of a task, the rest of those that the folder has; None if it was stopped before any."""
    if agent == task.opponent:
        raise SheepfoldError(f"{agent} is the opponent of {task.name}; against itself it wins what is fair, 1 of {task.seats}")
    path = folder / f"{task.name}.jsonl" if folder else None
    outcomes = contend(task.contest(agent), games, workers, path, ray, progress)
    return _result(outcomes, agent, task.opponent) if outcomes else None


def _result(outcomes: Sequence[Outcome], agent: str, opponent: str) -> Result:
    longest = max(seconds for each in outcomes for who, seconds in zip(each.line_up, each.longest, strict=True) if who == agent)
    share, low, high = duel(outcomes, agent, opponent)
    return Result(round(share, 4), round(low, 4), round(high, 4), len(duels_of(outcomes, agent, opponent)), round(longest, 3))


# Leaderboards.


def read(path: Path) -> dict[str, Any]:
    """A leaderboard; an empty one where there is none yet."""
    number, _ = suite()
    if not path.exists():
        return {"suite": number, "players": {}}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        players = dict(found["players"])
    except (ValueError, KeyError, TypeError):
        raise SheepfoldError(f"{path} is no leaderboard: it should be JSON with `suite` and `players`") from None
    if found["suite"] != number:
        raise SheepfoldError(f"{path} is a leaderboard of suite {found['suite']}; this version plays suite {number}")
    return {"suite": number, "players": players}


def enter(path: Path, player: str, agent: str, results: Mapping[str, Result]) -> None:
    """Put a player's results in, beside those that it has of other tasks."""
    board = read(path)
    before = board["players"].get(player, {})
    kept = before.get("results", {}) if before.get("agent") == agent and before.get("version") == sheepfold.__version__ else {}
    entry = {"agent": agent, "version": sheepfold.__version__, "results": kept | {name: asdict(each) for name, each in results.items()}}
    board["players"][player] = entry
    text = json.dumps(board, indent=1, ensure_ascii=False) + "\n"
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise SheepfoldError(f"{path}: {error.strerror or error}") from None


def table(board: Mapping[str, Any]) -> str:
    """A leaderboard as Markdown, the strongest first: percent of the wins with half of the interval's width."""
    _, tasks = suite()
    players = {name: {task: Result(**found) for task, found in entry["results"].items()} for name, entry in board["players"].items()}
    order = sorted(players, key=lambda name: -sum(each.share for each in players[name].values()) / max(1, len(players[name])))
    rows = [f"| player | {' | '.join(tasks)} |", "|---" * (1 + len(tasks)) + "|"]
    for name in order:
        cells = [_cell(players[name].get(task)) for task in tasks]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(found: Result | None) -> str:
    return f"{100 * found.share:.1f} ± {50 * (found.high - found.low):.1f}" if found else ""
