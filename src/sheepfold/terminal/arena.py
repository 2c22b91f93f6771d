"""`sheepfold arena` and `sheepfold report`: bots against bots, with a bar while it lasts and what it adds up to at the end.

Every finished game is a line of the file in the folder that was named, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from sheepfold.ansi import ink
from sheepfold.arena.arena import Contest, Outcome, contend, duel, duels_of, standings
from sheepfold.bots import LEVELS
from sheepfold.bots import bot as bot_named
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.registry import find, names
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.layout import wrapped
from sheepfold.terminal.screen import Screen, colours, write

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADINGS = ("sim.bot", "arena.rating", "arena.interval", "arena.played", "sim.wins", "arena.interval", "arena.longest")


def arena(
    game: str,
    bots: Sequence[str],
    games: int,
    seats: int | None,
    options: Mapping[str, str],
    components: str | None,
    alone: bool,
    seed: str,
    workers: int,
    ray: str | None,
    folder: Path | None,
    language: str,
) -> int:
    """Play a contest, or the rest of one, and print the standings; the exit code."""
    say = terminal_voice(language).say
    setup = find(game).setup(seats, components, **options)
    own = (setup.own_file, Path(components).read_text(encoding="utf-8")) if components else None
    contest = Contest(setup.game.name, setup.seats, tuple(bots), seed, dict(setup.changed_options()), alone, own).checked()
    path = folder / "games.jsonl" if folder else None
    if warning := uneven(contest, games, language):
        print(warning, file=sys.stderr)
    with bar(setup.game.title, games) as progress:
        outcomes = contend(contest, games, workers, path, ray, progress)
    if outcomes:
        show(contest, outcomes, language)
    if len(outcomes) < games:
        print(say("sim.stopped", done=len(outcomes), wanted=games), file=sys.stderr)
        return 130
    return 0


def report(
    what: str, out: Path, games: int, bots: Sequence[str], ladder: int, changes: bool, seats: int | None, options: Mapping[str, str],
    components: str | None, seed: str, workers: int, language: str, ray: str | None = None,
) -> int:  # fmt: skip
    """Write a page about a game, or about the contests of an arena's files (several are separated by commas); the exit code."""
    from sheepfold.arena.kept_games import kept_beside
    from sheepfold.arena.report import arena_report, ladder_from, level_ladder, make_report, work_of

    say = terminal_voice(language).say
    if not out.resolve().parent.is_dir():
        raise SheepfoldError(f"{out}: there is no folder {out.parent}")
    if out.is_dir():
        raise SheepfoldError(f"{out} is a folder; name the file to write")
    if any(character in what for character in "/.\\") or (what not in names() and Path(what.split(",")[0]).exists()):
        if seats or options or components or ladder:
            raise SheepfoldError(
                "an arena's file says by itself what was played: --seats, --option, --components and --ladder are for a game"
            )
        write(out, arena_report([ladder_from(Path(name)) for name in what.split(",")], language))
        Screen().show(say("report.done", path=str(out)))
        return 0
    for bot in bots:
        bot_named(bot)
    own = EnteredFile(Path(components).name, Path(components).read_text(encoding="utf-8")) if components else None
    setup = find(what).setup(seats, own, **options)
    if ladder and components:
        raise SheepfoldError("the ladder is played with the game's own components: leave out --ladder or --components")
    try:
        with kept_beside(out) as kept:
            ladders = []
            if ladder:
                with bar(setup.game.title, (len(LEVELS) - 1) * ladder) as progress:
                    ladders = level_ladder(setup, ladder, seed, workers, progress, kept, ray)
            with bar(setup.game.title, work_of(setup, bots, games, changes)) as progress:
                page = make_report(setup, bots, games, ladders, changes, seed, language, progress, workers, kept, ray)
            write(out, page)
    except KeyboardInterrupt:
        print(say("report.stopped"), file=sys.stderr)
        return 130
    Screen().show(say("report.done", path=str(out)))
    return 0


@contextmanager
def bar(what: str, games: int) -> Iterator[Callable[[int], None]]:
    """A bar with an estimate on a terminal, nothing in a pipe."""
    if not colours(sys.stderr):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5) as progress:
        task = progress.add_task("", total=games)
        yield lambda done: progress.update(task, completed=done)


def show(contest: Contest, outcomes: Sequence[Outcome], language: str) -> None:
    """The standings, and with two bots or one alone also the duels."""
    from rich import box
    from rich.table import Table

    voice = terminal_voice(language)
    say = voice.say
    screen = Screen()
    title = find(contest.game).title
    screen.show(ink(say("arena.title", title=title, seats=contest.seats, games=len(outcomes), seed=contest.seed), "bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for index, heading in enumerate(HEADINGS):
        table.add_column(say(heading), justify="right" if index else "left", no_wrap=True)
    found = standings(outcomes)
    for each in found:
        rating = each.rating
        table.add_row(
            each.name, f"{rating.points:.0f}" if rating else "–", f"{rating.low:.0f}-{rating.high:.0f}" if rating else "–",
            f"{voice.number(each.games)} ({voice.number(each.seats)})",
            voice.percent(each.wins.share, 1), f"{voice.number(100 * each.wins.low, 1)}-{voice.percent(each.wins.high, 1)}",
            f"{voice.number(each.longest, 2)} s",
        )  # fmt: skip
    for line in screen.rendered(table):
        screen.show(line.rstrip())
    for name in contest.bots:
        lost = [why for each in outcomes for who, why in zip(each.line_up, each.forfeits, strict=False) if who == name and why]
        if lost:
            screen.show(ink(say("arena.forfeits", len(lost), name=name, why=lost[0]), "red"))
    for one, other in contest.duels():
        won = duel(outcomes, one, other)
        share, high = (voice.percent(part, 1) for part in (won.share, won.high))
        low, count = voice.number(100 * won.low, 1), len(duels_of(outcomes, one, other))
        screen.show(say("arena.duel", one=one, other=other, count=contest.seats - 1, games=count, share=share, low=low, high=high))
    if any(each.rating for each in found):
        screen.show_all(wrapped(say("arena.scale"), screen.size.columns))
    doubtful = [
        say("arena.pair", one=one.name, other=other.name, sure=voice.percent(one.rating.above_next))
        for one, other in pairwise(found)
        if one.rating and not one.rating.told_apart
    ]
    if doubtful:
        screen.show_all(wrapped(say("arena.untold", pairs="; ".join(doubtful)), screen.size.columns))


def uneven(contest: Contest, games: int, language: str) -> str:
    """A warning where so many games cannot seat everybody equally often; else nothing."""
    whole = contest.whole()
    if games % whole == 0:
        return ""
    say = terminal_voice(language).say
    less, more = games // whole * whole, (games // whole + 1) * whole
    return say("arena.uneven", games=games, less=less, more=more) if less else say("arena.uneven-least", games=games, more=more)
