"""A sitting: one game being played at this terminal, by people and bots, with everything that has happened so far.

Every position is kept, so undo is cutting the list. Chance and bots draw from (seed, ply), so what is taken
back and played again happens again in the same way. After every event the record, if there is one, is replaced as a whole: whatever
ends the process, the file on the disk is a game that can go on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sheepfold.bots import Bot
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, HIDDEN, OVER, Position
from sheepfold.core.sequential import Sequential, ask
from sheepfold.game.records import Event, Record, happen, write_record
from sheepfold.messages import Voice


class Sitting:
    """A record being made, with who sits where (a bot, or None for a person) and the seed of all chance."""

    def __init__(self, record: Record, players: Sequence[Bot | None], seed: object, path: Path | None = None) -> None:
        self.record = record
        self.players = list(players)
        self.seed = str(seed)
        self.path = path
        self.positions = list(record.positions())
        self.unsaved: SheepfoldError | None = None
        """Why the file does not hold the game as it is now. The game goes on: there may be room again later, or in another place."""
        self.unmoved: set[int] = set()
        """The bots that were asked at this ply and did not want to interrupt."""

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        return len(self.record.events)

    @property
    def over(self) -> bool:
        return self.position.to_act == OVER

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player is None]

    # Going on.

    def happen(self, event: Event) -> None:
        """Let something happen, with all checks, and save it."""
        following = self.position.copy()
        happen(following, event)
        self.record.events.append(event)
        self.positions.append(following)
        self.unmoved.clear()
        self._save()

    def act(self, action: int) -> None:
        """Whoever is to act does that."""
        self.happen(Event(int(self.position.to_act), action))

    def interrupt(self, seat: int, action: int) -> None:
        """A seat acts out of turn."""
        self.happen(Event(seat, action, interrupt=True))

    def let_chance_happen(self) -> None:
        """One chance event, the same whenever this ply is reached again with this seed."""
        assert self.position.to_act == CHANCE
        self.act(int(self.position.random_action(self._dice("chance"))))

    def let_bot_act(self) -> None:
        """The bot to act does so, knowing its view alone."""
        seat = int(self.position.to_act)
        player = self.players[seat]
        assert player is not None
        self.act(player.choose(self.for_bot(seat), self._dice("bot", seat)))

    def let_bots_interrupt(self) -> bool:
        """Ask the bots, clockwise from the seat to act, each once a ply; whether one of them interrupted."""
        if not self.position.interruptible or self.position.to_act < 0:
            return False
        for step in range(1, self.record.setup.seats):
            seat = (int(self.position.to_act) + step) % self.record.setup.seats
            player = self.players[seat]
            if player is None or seat in self.unmoved or not self.position.may_interrupt(seat):
                continue
            question = ask(self.position.seen_by(seat), seat)
            assert isinstance(question, Sequential)
            action = player.choose(question, self._dice("bot", seat))
            if action != question.pass_action:
                self.interrupt(seat, action)
                return True
            self.unmoved.add(seat)
        return False

    def _dice(self, *names: object) -> Dice:
        return Dice(self.seed).split(*names, self.ply)

    # Going back.

    def undo(self) -> bool:
        """Back to before the last thing that a person did; whether there was any."""
        for ply in range(self.ply - 1, -1, -1):
            who = self.record.events[ply].who
            if who >= 0 and self.players[who] is None:
                del self.record.events[ply:]
                del self.positions[ply + 1 :]
                self.unmoved.clear()
                self._save()
                return True
        return False

    def _save(self) -> None:
        self.unsaved = None
        if self.path:
            try:
                save(self.record, self.path)
            except SheepfoldError as error:
                self.unsaved = error

    # What a viewer gets to know.

    def view(self, viewer: int, ply: int | None = None) -> Position:
        """The position now, or after so many events, as that viewer sees it."""
        return self.positions[self.ply if ply is None else ply].seen_by(viewer)

    def told(self, viewer: int, voice: Voice, first: int = 0, last: int | None = None) -> list[str]:
        """What happened from one ply to another (by default until now), in words, as that viewer saw it."""
        return [line for ply in range(first, self.ply if last is None else last) for line in self._told(ply, viewer, voice)]

    def _told(self, ply: int, viewer: int, voice: Voice) -> list[str]:
        event = self.record.events[ply]
        action = event.action if self.positions[ply].sees(viewer, event.action) else HIDDEN
        seat = event.who if event.interrupt else None
        return self.record.setup.game.tell(self.view(viewer, ply), action, self.view(viewer, ply + 1), voice, seat)

    def last_done_by(self, seat: int) -> int:
        """The ply after the last thing that the seat did; 0 if it has done nothing yet."""
        plies = [ply + 1 for ply, event in enumerate(self.record.events) if event.who == seat]
        return plies[-1] if plies else 0

    def for_bot(self, seat: int) -> Position:
        """What a bot is shown to decide for the seat to act, or to advise it: everybody else has had the chance to interrupt."""
        view = self.position.seen_by(seat)
        return Sequential(view, view.seats - 1) if view.interruptible else view


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
