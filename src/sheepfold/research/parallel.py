"""Games shared out to processes: each steps its part of them and shows it on one board, in memory that all share.

The process that asks steps the first part itself, so that two cores need one more process. Game i draws from the same dice whoever
steps it: the same seed and the same actions give the same games with any number of processes.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import IllegalAction
from sheepfold.core.workers import SPAWN, deaf_to_ctrl_c, ignore_ctrl_c
from sheepfold.research.environment import Board, Screen, Shape, np
from sheepfold.research.vector import Games

give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: None)
"""To a process that the same core has to work for; there may be fewer cores than processes."""
UNKNOWN, LEGAL, ILLEGAL = range(3)
"""Whether the actions on the board can be taken, the first of the signs; each of the others says whether that process is done."""
SLEEPLESS = 0.0005
"""Seconds for which a process waits for another without falling asleep."""


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
        self._signs = SPAWN.RawArray("b", len(every))
        self.board = shape.board(memory)
        self._rows = self.board.part(0, counts[0])
        self._starts = np.arange(shape.count) * self.board.mask.shape[1]
        """Where the mask of each game begins."""
        self.processes: list[Any] = []
        with deaf_to_ctrl_c():
            for index in range(1, len(every)):
                here, there = SPAWN.Pipe()
                given = there, every[index], shape, memory, self._ends[index], self._signs, index
                process = SPAWN.Process(target=_work, args=given, daemon=True)
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
        self._wake(word, *given)
        return [getattr(self.own, word)(self._rows, *[each[0] for each in given]), *self._answers()]

    def _wake(self, word: str, *given: list[Any]) -> None:
        """Have all other processes begin with something."""
        self._signs[:] = [UNKNOWN] + [False] * len(self._lines)
        with _told_if_gone():
            for index, line in enumerate(self._lines, start=1):
                line.send((word, [each[index] for each in given]))

    def _answers(self) -> list[Any]:
        """What each of them answers."""
        answers, asleep = [], time.perf_counter() + SLEEPLESS
        for index, line in enumerate(self._lines, start=1):
            while not self._signs[index] and time.perf_counter() < asleep:
                give_way()
            with _told_if_gone():
                made, error = line.recv()
            if error is not None:
                raise error
            answers.append(made)
        return answers

    def begin(self, dice: list[Dice]) -> None:
        """Start all games anew, each with its dice."""
        firsts = [0, *self._ends]
        self._all("begin", [dice[first:end] for first, end in zip(firsts, self._ends, strict=False)])

    def step(self, actions: Any) -> None:
        """An action for every game, after none of them was found illegal."""
        count = self._shape.count
        if actions.shape != (count,):
            raise IllegalAction(f"{count} games need {count} actions, not {len(actions)}")
        if not self._lines:
            self.own.held.check(actions.tolist())
            self.board.actions[:] = actions
            self.own.step(self._rows)
            return
        self.board.actions[:] = actions
        self._wake("step")
        try:
            self._check(actions)
            self._signs[0] = LEGAL
            self.own.step(self._rows)
        finally:
            if self._signs[0] == UNKNOWN:
                self._signs[0] = ILLEGAL
            self._answers()

    def _check(self, actions: Any) -> None:
        """The same as `Games.check`, of what is on the board."""
        board, shape, rows = self.board, self._shape, self._starts
        if actions.min() < 0 or actions.max() >= shape.actions:
            inside = (actions >= 0) & (actions < shape.actions)
            right = board.ended | board.cut | inside & self._shown(rows, actions * inside)
        else:
            right = board.ended | board.cut | self._shown(rows, actions)
        if not right.all():
            wrong = right.argmin()
            raise IllegalAction(f"action {actions[wrong]} is not legal in game {wrong}; the mask has those that are")

    def _shown(self, rows: Any, actions: Any) -> Any:
        """Whether the masks have these actions."""
        mask = self.board.mask.reshape(-1)
        if self._shape.packed:
            return (mask.take(rows + (actions >> 3)) >> (actions & 7) & 1).astype(np.bool_)
        return mask.take(rows + actions).view(np.bool_)

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


@contextmanager
def _told_if_gone() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError) as error:
        raise SheepfoldError("a process that steps games has ended; make the environment anew") from error


def _end(lines: list[Connection], processes: list[Any]) -> None:
    for line in lines:
        line.close()
    for process in processes:
        process.join()


def _work(line: Connection, games: Games, shape: Shape, memory: Any, end: int, signs: Any, index: int) -> None:
    """Another process: it does one thing after the other until nobody asks any more."""
    ignore_ctrl_c()
    part = Part(games)
    rows = shape.board(memory).part(end - int(games.count), end)
    while True:
        try:
            word, given = line.recv()
            made = error = None
            if word != "step" or _legal(signs, line):
                try:
                    made = getattr(part, word)(rows, *given)
                except Exception as found:
                    error = found
            line.send((made, error))
            signs[index] = True
            asleep = time.perf_counter() + SLEEPLESS
            while signs[index] and time.perf_counter() < asleep:
                give_way()
        except (EOFError, OSError):
            return


def _legal(signs: Any, line: Connection) -> bool:
    """Whether the actions on the board can be taken, as soon as that is known."""
    while True:
        for _ in range(100):
            if signs[0] != UNKNOWN:
                return bool(signs[0] == LEGAL)
            give_way()
        if line.poll():  # nobody is there any more: nothing is said before this is answered
            return False
