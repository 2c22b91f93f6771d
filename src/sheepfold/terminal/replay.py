"""Replaying a record: the game told and drawn again, for a spectator or with the eyes of one seat."""

from __future__ import annotations

from pathlib import Path

from sheepfold.ansi import ink
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.terminal.language import game_voice, terminal_voice
from sheepfold.terminal.layout import bullets, wrapped
from sheepfold.terminal.screen import EndOfInput, Screen, whole
from sheepfold.terminal.seating import load_record
from sheepfold.terminal.sitting import Sitting


def replay(path: Path, to: int | None, seat: int | None, step: bool, components: str | None, language: str) -> int:
    """Show a record up to a ply, at once or step by step; the exit code."""
    record = load_record(path, components)
    seats = record.setup.seats
    if seat is not None and seat > seats:
        raise SheepfoldError(f"--seat is 1 to {seats}, not {seat}")
    if to is not None and to > len(record.events):
        raise SheepfoldError(f"{path} has {len(record.events)} events, so --to is 0 to {len(record.events)}, not {to}")
    shown = Shown(Sitting(record, [None] * seats, ""), SPECTATOR if seat is None else seat - 1, language)
    last = len(record.events) if to is None else to
    if step:
        shown.walk(to or 0)
    else:
        shown.all(last)
    return 0


class Shown:
    """A record on a screen, as one viewer sees it."""

    def __init__(self, sitting: Sitting, viewer: int, language: str) -> None:
        self.sitting = sitting
        self.viewer = viewer
        self.game = sitting.record.setup.game
        self.say = terminal_voice(language).say
        self.voice = game_voice(self.game, language, sitting.record.names)
        self.screen = Screen()

    def all(self, last: int) -> None:
        """Everything that happened, then the picture of where it led."""
        for ply in range(last):
            for index, line in enumerate(self.sitting.told(self.viewer, self.voice, ply, ply + 1)):
                for part in wrapped(line, self.screen.size.columns, f"{ply + 1:>4}  " if index == 0 else " " * 6):
                    self.screen.show(part)
        self.screen.show()
        self._draw(last)

    def walk(self, ply: int) -> None:
        """One event after the other: Enter goes on, b goes back, a number jumps, q ends."""
        end = self.sitting.ply
        try:
            while True:
                self.screen.clear()
                self._draw(ply)
                for line in bullets(self.sitting.told(self.viewer, self.voice, max(0, ply - 1), ply), self.screen.size.columns):
                    self.screen.show(line)
                answer = self.screen.ask(f"{self.say('replay.ask', ply=ply, end=end)} ").lower()
                if answer.startswith("q"):
                    return
                if answer.isdecimal():
                    ply = min(whole(answer), end)
                elif answer.startswith(("b", "-")):
                    ply = max(0, ply - 1)
                elif ply == end:
                    return
                else:
                    ply += 1
        except EndOfInput:
            return

    def _draw(self, ply: int) -> None:
        view = self.sitting.view(self.viewer, ply)
        self.screen.show(self.game.text_picture(view, self.viewer, self.screen.size.columns, self.voice))
        if view.to_act == OVER:
            scores = zip(range(view.seats), view.scores(), strict=True)
            points = ", ".join(f"{self.voice.name(seat)} {self.say('points', count=score)}" for seat, score in scores)
            self.screen.show(ink(self.say("replay.end", points=points), "bold"))
        self.screen.show()
