"""Program players: the bots in any language that the host of a server has named for it, beside the bots of the house.

Nobody else can name one: what a form, a request or a row of the database says is only ever looked up among them. A program is begun for
each decision anew and knows nothing but its question, so a server may end, and another go on. Each has threads of its own, so that one
that hangs lets nobody wait but its own tables, and those no longer than its time.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from sheepfold.bots import BOTS, UnknownBot, bot
from sheepfold.bots.program import PREFIX, Command, Forfeit, ask_once, command, end_all, is_program
from sheepfold.bots.protocol import Question
from sheepfold.core.errors import SheepfoldError, nearest

log = logging.getLogger("sheepfold")

AT_ONCE = 4
"""So many tables a program is asked for at the same time."""
NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
"""What a program may be called: as long as a row has room for."""


def programs_from(named: Mapping[str, str]) -> dict[str, Command]:
    """What `--bot mybot=cmd:./mybot` names, checked."""
    for name, text in named.items():
        if not NAME.fullmatch(name) or name in BOTS:
            raise SheepfoldError(f"--bot {name}=…: a bot's name has up to 20 small letters, digits and dashes, and is not one of ours")
        if not is_program(text):
            raise SheepfoldError(f"--bot {name}={text}: a program is written {name}={PREFIX}./mybot")
    return {name: command(text) for name, text in named.items()}


def _note(level: str, line: str) -> None:
    """What a program has to say to who runs it."""
    log.warning("the bot %s says: %s", level, line)


class ProgramPlayers:
    """The programs of one server process, by name."""

    def __init__(self) -> None:
        self.commands: dict[str, Command] = {}
        self._threads: dict[str, ThreadPoolExecutor] = {}

    def check(self, level: str) -> None:
        """Whether a bot of that name may play here; UnknownBot where not. Settings are not for strangers: they cost time or name a file."""
        if level in self.commands:
            return
        try:
            if ":" in level:
                raise UnknownBot(level)
            bot(level)
        except UnknownBot:
            raise UnknownBot(f"there is no bot {level!r} here.{nearest(level, [*BOTS, *self.commands])}") from None

    def plays(self, level: str) -> bool:
        """Whether a seat of that level is a program's, also of one that this server does not know any more."""
        return level.partition(":")[0] not in BOTS

    def seconds(self, level: str) -> float:
        """What a program has for an answer; Forfeit where it is not here."""
        if level not in self.commands:
            raise Forfeit("there is no program of that name on this server now")
        return self.commands[level].seconds

    async def answer(self, level: str, asked: Question) -> int:
        """What a program answers; Forfeit says why it does not."""
        threads = self._threads.setdefault(level, ThreadPoolExecutor(AT_ONCE, f"bot {level}"))
        work = partial(ask_once, self.commands[level], asked, partial(_note, level))
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def close(self) -> None:
        """Nobody waits for an answer any more."""
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)
        if self._threads:
            end_all()
