"""Replaying a record: the game told and drawn again, for a spectator or with the eyes of one seat."""

from __future__ import annotations

from pathlib import Path

from sheepfold.ansi import ink
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.session import Seen, Session
from sheepfold.terminal.language import game_voice, terminal_voice
from sheepfold.terminal.layout import bullets, wrapped
from sheepfold.terminal.moments import framed, under
from sheepfold.terminal.screen import EndOfInput, Screen, whole
from sheepfold.terminal.seating import load_record


def replay(path: Path, to: int | None, seat: int | None, step: bool, components: str | None, language: str) -> int:
    """Show a record up to a ply, at once or step by step; the exit code."""
    session = Session(load_record(path, components))
    seats = session.setup.seats
    if seat is not None and seat > seats:
        raise SheepfoldError(f"--seat is 1 to {seats}, not {seat}")
    if to is not None and to > session.ply:
        raise SheepfoldError(f"{path} has {session.ply} events, so --to is 0 to {session.ply}, not {to}")
    shown = Shown(session, SPECTATOR if seat is None else seat - 1, language)
    if step:
        shown.walk(to or 0)
    else:
        shown.all(session.ply if to is None else to)
    return 0


class Shown:
    """A record on a screen, as one viewer sees it."""

    def __init__(self, session: Session, viewer: int, language: str) -> None:
        self.session = session
        self.viewer = viewer
        self.game = session.game
        self.say = terminal_voice(language).say
        self.voice = game_voice(self.game, language, session.record.names)
        self.screen = Screen()

    def all(self, last: int) -> None:
        """Everything that happened, then the picture of where it led."""
        for seen in self.session.seen(self.viewer, 0, last):
            for index, line in enumerate(self.session.tell(seen, self.voice).lines):
                self.screen.show_all(wrapped(line, self.screen.size.columns, f"{seen.ply + 1:>4}  " if index == 0 else " " * 6))
            self.screen.show_all(self._stop(seen))
        self.screen.show_all(["", *self._drawn(last)])

    def walk(self, ply: int) -> None:
        """One event after the other: Enter goes on, b goes back, a number jumps, q ends."""
        end = self.session.ply
        try:
            while True:
                self.screen.clear()
                columns, rows = self.screen.size
                news: list[str] = []
                for seen in self.session.seen(self.viewer, max(0, ply - 1), ply):
                    news += [*bullets(self.session.tell(seen, self.voice).lines, columns), *self._stop(seen)]
                board = self._drawn(ply)
                self.screen.show_all([*board, *news] if rows is None else under("\n".join(board), news, rows - 1))
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

    def _stop(self, seen: Seen) -> list[str]:
        """What play stopped for then, if it did."""
        moment = self.session.moment(seen, self.voice)
        return framed(moment, self.voice, self.say, self.game.colours, self.screen.size.columns) if moment else []

    def _drawn(self, ply: int) -> list[str]:
        view = self.session.view(self.viewer, ply)
        lines = self.game.text_picture(view, self.viewer, self.screen.size.columns, self.voice).split("\n")
        if view.to_act == OVER:
            scores = zip(range(view.seats), view.scores(), strict=True)
            points = ", ".join(f"{self.voice.name(seat)} {self.say('points', count=score)}" for seat, score in scores)
            lines.append(ink(self.say("replay.end", points=points), "bold"))
        return [*lines, ""]
