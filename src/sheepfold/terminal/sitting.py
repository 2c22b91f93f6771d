"""A sitting: a session at this terminal, with who sits where, the seed of all chance, and the file that it is saved in.

Chance and bots draw from (seed, ply), so what is taken back and played again happens again in the same way. After every event the
record, if there is one, is replaced as a whole: whatever ends the process, the file on the disk is a game that can go on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sheepfold.bots import STAND_IN, Bot, bot
from sheepfold.bots.program import Forfeit
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, SPECTATOR, Position
from sheepfold.core.sequential import Sequential
from sheepfold.game.records import Event, Record, write_record
from sheepfold.game.session import Session


class Sitting:
    """A session being played, with who sits where (a bot, or None for a person) and the seed of all chance."""

    def __init__(self, record: Record, players: Sequence[Bot | None], seed: object, path: Path | None = None) -> None:
        self.session = Session(record)
        self.players = list(players)
        self.seed = str(seed)
        self.path = path
        self.unsaved: SheepfoldError | None = None
        """Why the file does not hold the game as it is now. The game goes on: there may be room again later, or in another place."""
        self.unmoved: set[int] = set()
        """The bots that were asked at this ply and did not want to interrupt."""
        self.forfeits: list[tuple[int, int, str]] = []
        """At which ply a program has lost which seat, and why."""

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player is None]

    def act(self, action: int) -> None:
        """Whoever is to act does that."""
        self._happen(Event(int(self.session.position.to_act), action))

    def interrupt(self, seat: int, action: int) -> None:
        """A seat acts out of turn."""
        self._happen(Event(seat, action, interrupt=True))

    def _happen(self, event: Event) -> None:
        self.session.happened(self.session.plan(event))
        self._changed()

    def let_chance_happen(self) -> None:
        """One chance event, the same whenever this ply is reached again with this seed."""
        assert self.session.position.to_act == CHANCE
        self.act(int(self.session.position.random_action(self.dice("chance"))))

    def let_bot_act(self) -> None:
        """The bot to act does so, knowing its view alone."""
        seat = int(self.session.position.to_act)
        self.act(self._choose(seat, self.session.shown_to_bot(seat)))

    def let_bots_interrupt(self) -> bool:
        """Ask the bots, clockwise from the seat to act, each once a ply; whether one of them interrupted."""
        position, seats = self.session.position, self.session.setup.seats
        if not position.interruptible or position.to_act < 0:
            return False
        for seat in [(int(position.to_act) + step) % seats for step in range(1, seats)]:
            if self.players[seat] is None or seat in self.unmoved or not position.may_interrupt(seat):
                continue
            question = self.session.shown_to_bot(seat)
            assert isinstance(question, Sequential)
            action = self._choose(seat, question)
            if action != question.pass_action:
                self.interrupt(seat, action)
                return True
            self.unmoved.add(seat)
        return False

    def _choose(self, seat: int, shown: Position) -> int:
        """What the bot of a seat does with what it is shown. For a program that forfeits its seat another plays on."""
        player = self.players[seat]
        assert player is not None
        try:
            return player.choose(shown, self.dice("bot", seat))
        except Forfeit as why:
            self.forfeits.append((self.session.ply, seat, str(why)))
            self.players[seat] = bot(STAND_IN)
            return self._choose(seat, shown)

    def undo(self) -> None:
        """Take back the last thing that a person here did; NoUndo where that is not fair. All people share this keyboard."""
        last = self.session.last_ply_of(self.people)
        seat = SPECTATOR if last is None else self.session.events[last].who
        self.session.take_back(self.session.undo_ply(seat, ["keyboard"] * len(self.people)))
        self._changed()

    def dice(self, *names: object) -> Dice:
        """What is drawn for these names at this ply."""
        return Dice(self.seed).split(*names, self.session.ply)

    def _changed(self) -> None:
        self.unmoved.clear()
        self.unsaved = None
        if self.path:
            try:
                save(self.session.record, self.path)
            except SheepfoldError as error:
                self.unsaved = error


def save(record: Record, path: Path) -> None:
    """Write the record as a whole or not at all: the old file stays until the new one is complete."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(write_record(record))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        reason = str(error.strerror or error)
        raise SheepfoldError(f"cannot save {path}: {reason}", "save.failed", path=path, reason=reason) from None
