"""Kept games: what a report has played so far, in a folder beside it, so that a report that was stopped goes on.

A line says by itself what was played, so nothing has to fit: what is wanted is found or played, what cannot be read is played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import sheepfold
from sheepfold.arena.ledger import append
from sheepfold.arena.watching import Watched, watched_from
from sheepfold.game.game import Setup


class KeptGames:
    """The games of a report, in a folder if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._watched = self.file("watched.jsonl")
        self._found: dict[str, dict[str, Any]] = {}
        for line in self._watched.read_text(encoding="utf-8").split("\n") if self._watched and self._watched.exists() else ():
            try:
                key, game = json.loads(line)
                self._found[key] = game
            except (ValueError, TypeError):
                continue  # half a line, from when everything stopped

    def file(self, name: str) -> Path | None:
        """Where games of another kind are kept."""
        return self.folder / name if self.folder else None

    def find(self, setup: Setup, bot: str, seed: str) -> Watched | None:
        """That game, if it was played."""
        row = self._found.get(_key(setup, bot, seed))
        return watched_from(row) if row else None

    def add(self, setup: Setup, bot: str, seed: str, game: Watched) -> None:
        if self._watched:
            self._watched.parent.mkdir(exist_ok=True)
            append(self._watched, "\n" + json.dumps([_key(setup, bot, seed), asdict(game)], separators=(",", ":")))


def _key(setup: Setup, bot: str, seed: str) -> str:
    return json.dumps([sheepfold.__version__, setup.game.name, setup.seats, setup.digest, setup.changed_options(), bot, seed])


@contextmanager
def kept_beside(page: Path) -> Iterator[KeptGames]:
    """The games kept for a page while it is made; once it is written they are not needed any more."""
    games = KeptGames(page.with_name(page.name + ".games"))
    yield games
    if games.folder and games.folder.is_dir():
        for file in games.folder.glob("*.jsonl"):
            file.unlink()
        games.folder.rmdir()
