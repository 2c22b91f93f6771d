"""`sheepfold train`: a bot teaches itself a game, with a bar while it does, and a line for every round."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheepfold.bots import bot
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.registry import find
from sheepfold.messages import Voice
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.screen import Screen

if TYPE_CHECKING:
    from sheepfold.learning.training import Run

DONE = {"play": "train.play", "learn": "train.learn"}
"""What is said of what is being done; anything else is an opponent."""


def train(
    game: str, seats: int | None, options: Mapping[str, str], hours: float, folder: Path, out: Path | None, games: int | None, looks: bool,
    beat: str, workers: int, ray: str | None, language: str,
) -> int:  # fmt: skip
    """Go on for so long; the exit code."""
    voice = terminal_voice(language)
    try:
        from sheepfold.learning.self_play import Manner
        from sheepfold.learning.training import BY_LOOKS, Plan, Run
    except ImportError:
        raise SheepfoldError(voice.say("train.needs")) from None
    if beat and looks:
        raise SheepfoldError(voice.say("train.looks-alone"))
    plan = BY_LOOKS if looks else Plan()
    if beat:
        bot(beat)  # it says what it does not know before anything is played
        plan = Plan(manner=Manner(other=beat), against=(beat,))
    plan = replace(plan, games=games or plan.games)
    run = Run(find(game).setup(seats, **options), folder, plan, workers, ray)
    deadline = time.monotonic() + 3600 * hours
    try:
        for entry in _rounds(run, voice):
            Screen().show(_told(run, entry, voice))
            if time.monotonic() >= deadline:
                break
    except KeyboardInterrupt:
        return 130
    finally:
        if out and (folder / "learned.net").exists():
            out.write_bytes((folder / "learned.net").read_bytes())
    return 0


def _rounds(run: Run, voice: Voice) -> Iterator[dict[str, Any]]:
    """The rounds of a run; on a terminal with a bar for what is being done."""
    if not Screen().live:
        yield from run.go_on(lambda *_: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5) as progress:
        task = progress.add_task("", total=None)

        def told(what: str, done: int, wanted: int) -> None:
            number = run.state.rounds + 1
            said = voice.say(DONE[what], round=number) if what in DONE else voice.say("train.against", round=number, name=what)
            progress.update(task, description=said, completed=done, total=wanted)

        yield from run.go_on(told)


def _told(run: Run, entry: dict[str, Any], voice: Voice) -> str:
    hours = voice.number(entry["seconds"] / 3600, 2)
    wrong, astray = (voice.number(entry[name], 3) for name in ("wrong", "astray"))
    said = voice.say("train.round", round=run.state.rounds, games=voice.number(entry["games"]), hours=hours, wrong=wrong, astray=astray)
    wins = [voice.say("train.wins", share=voice.percent(share), name=name) for name, share in entry.get("wins", {}).items()]
    return "; ".join([said, *wins])
