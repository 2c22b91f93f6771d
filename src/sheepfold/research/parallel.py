"""Games shared out to processes: each steps its part of them and shows it on one board, in memory that all share.

The process that asks steps the first part itself, so that two cores need one more process. Game i draws from the same dice whoever
steps it: the same seed and the same actions give the same games with any number of processes.
"""

from __future__ import annotations

import weakref
from multiprocessing.connection import Connection
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import IllegalAction
from sheepfold.core.workers import SPAWN, deaf_to_ctrl_c, ignore_ctrl_c
from sheepfold.research.environment import Board, Screen, Shape, np
from sheepfold.research.vector import Games


class Part:
    """Some of the games, in one process."""

    def __init__(self, games: Games) -> None:
        self.held = games
        self.screen = Screen(games, (int(games.count),))

    def begin(self, board: Board, dice: list[Dice]) -> None:
        """Start all games anew, each with its dice."""
        self.screen.blank()
        self.held.begin(dice)
        self.screen.show(board)

    def step(self, board: Board) -> None:
        """Do what the board says, which has been checked."""
        self.screen.blank()
        self.held.step(board.actions.tolist())
        self.screen.show(board)

    def draw(self, board: Board) -> None:
        """Put a random legal action for every game on the board."""
        board.actions[:] = self.held.random_actions()

    def show(self, board: Board) -> None:
        self.screen.show(board)

    def told(self, board: Board) -> Games:
        """The games themselves, to be pickled or drawn."""
        return self.held


class Parts:
    """All games, part by part, each in its process; the first in this one."""

    def __init__(self, every: list[Games], shape: Shape) -> None:
        self._shape = shape
        self.own = Part(every[0])
        self._lines: list[Connection] = []
        counts = [int(games.count) for games in every]
        self._ends = [sum(counts[: index + 1]) for index in range(len(counts))]
        memory = SPAWN.RawArray("B", shape.bytes()) if len(every) > 1 else None
        self.board = shape.board(memory)
        self._rows = self.board.part(0, counts[0])
        self._starts = np.arange(shape.count) * self.board.mask.shape[1]
        """Where the mask of each game begins."""
        self.processes: list[Any] = []
        with deaf_to_ctrl_c():
            for games, end in zip(every[1:], self._ends[1:], strict=True):
                here, there = SPAWN.Pipe()
                process = SPAWN.Process(target=_work, args=(there, games, shape, memory, end), daemon=True)
                process.start()
                there.close()
                self._lines.append(here)
                self.processes.append(process)
        self.close = weakref.finalize(self, _end, self._lines, self.processes)
        """Ends the other processes."""
        self._all("show")

    def __reduce__(self) -> tuple[object, ...]:
        return Parts, (self.games(), self._shape)

    def _all(self, word: str, *given: list[Any]) -> list[Any]:
        """Have every part do something, at the same time; what each answers."""
        try:
            for index, line in enumerate(self._lines, start=1):
                line.send((word, [each[index] for each in given]))
            answers = [getattr(self.own, word)(self._rows, *[each[0] for each in given])]
            for line in self._lines:
                made, error = line.recv()
                if error is not None:
                    raise error
                answers.append(made)
        except (EOFError, OSError) as error:
            raise SheepfoldError("a process that steps games has ended; make the environment anew") from error
        return answers

    def begin(self, dice: list[Dice]) -> None:
        """Start all games anew, each with its dice."""
        firsts = [0, *self._ends]
        self._all("begin", [dice[first:end] for first, end in zip(firsts, self._ends, strict=False)])

    def step(self, actions: Any) -> None:
        """An action for every game, after none of them was found illegal."""
        if len(self.board.actions) == self._ends[0]:
            self.own.held.check(actions.tolist())
        else:
            self._check(actions)
        self.board.actions[:] = actions
        self._all("step")

    def _check(self, actions: Any) -> None:
        """The same as `Games.check`, of what is on the board."""
        board, shape = self.board, self._shape
        if actions.shape != (shape.count,):
            raise IllegalAction(f"{shape.count} games need {shape.count} actions, not {len(actions)}")
        where = actions.clip(0, shape.actions - 1)
        mask, row = board.mask.reshape(-1), self._starts
        allowed = mask.take(row + (where >> 3)) >> (where & 7) & 1 if shape.packed else mask.take(row + where)
        right = (allowed != 0) & (where == actions) | board.ended | board.cut
        if not right.all():
            wrong = right.argmin()
            raise IllegalAction(f"action {actions[wrong]} is not legal in game {wrong}; the mask has those that are")

    def given(self) -> Board:
        """The board as it is now, for the caller to keep."""
        if self._lines:
            return self.board.copy()
        board = self.board
        self.board = self._rows = self._shape.board()
        return board

    def draw(self) -> Any:
        """For every game one of its legal actions."""
        self._all("draw")
        return self.board.actions.copy()

    def games(self) -> list[Games]:
        return self._all("told")


def _end(lines: list[Connection], processes: list[Any]) -> None:
    for line in lines:
        line.close()
    for process in processes:
        process.join()


def _work(line: Connection, games: Games, shape: Shape, memory: Any, end: int) -> None:
    """Another process: it does one thing after the other until nobody asks any more."""
    ignore_ctrl_c()
    part = Part(games)
    rows = shape.board(memory).part(end - int(games.count), end)
    while True:
        try:
            word, given = line.recv()
        except (EOFError, OSError):
            return
        try:
            line.send((getattr(part, word)(rows, *given), None))
        except Exception as error:
            line.send((None, error))
