"""`sheepfold benchmark`: a player at the fixed tasks, and leaderboards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from sheepfold.arena.benchmark import Result, attempt, chosen, enter, read, suite, table
from sheepfold.bots import bot
from sheepfold.core.errors import SheepfoldError
from sheepfold.terminal.arena import bar
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.screen import Screen


def benchmark(
    agent: str | None, name: str | None, tasks: Sequence[str], games: int | None, board: Path | None, folder: Path | None, workers: int,
    ray: str | None, language: str,
) -> int:  # fmt: skip
    """Play the tasks, or show a leaderboard where no player is named; the exit code."""
    voice, screen = terminal_voice(language), Screen()
    if agent is None:
        if board is None:
            raise SheepfoldError("--agent names who plays, as in --agent ram; or --board a leaderboard to show")
        screen.show(table(read(board)))
        return 0
    bot(agent)
    if board:
        read(board)
    number, _ = suite()
    screen.show(voice.say("benchmark.title", agent=agent, suite=number))
    for task in chosen(tasks):
        wanted = games or task.games
        with bar(task.name, wanted) as progress:
            found = attempt(task, agent, wanted, workers, ray, folder, progress)
        if found is None or found.games < wanted:
            print(voice.say("sim.stopped", done=found.games if found else 0, wanted=wanted), file=sys.stderr)
            return 130
        _show(screen, task.name, found, language)
        if not found.within(task):
            screen.show(voice.say("benchmark.outside", games=task.games, seconds=voice.number(task.seconds, 1)))
        elif board:
            enter(board, name or agent, agent, {task.name: found})
    return 0


def _show(screen: Screen, name: str, found: Result, language: str) -> None:
    voice = terminal_voice(language)
    share, low, high = (voice.number(100 * part, 1) for part in (found.share, found.low, found.high))
    said = voice.say("benchmark.row", share=share, low=low, high=high, games=found.games, longest=voice.number(found.longest, 2))
    screen.show(f"{name:24}{said}")
