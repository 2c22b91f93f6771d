"""Tables: the shelf of games, simulations, counts and the benchmark, for people to read and for pipes to carry."""

from __future__ import annotations

import json
import runpy
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import sheepfold
from sheepfold import games
from sheepfold.ansi import ink
from sheepfold.arena.simulate import Simulation, simulate
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.perft import breakdown, count_lines
from sheepfold.core.position import CHANCE, playout
from sheepfold.core.sequential import Sequential, sequential
from sheepfold.game.defaults.narration import option_sentence
from sheepfold.game.game import Setup
from sheepfold.terminal.language import game_voice, terminal_voice
from sheepfold.terminal.layout import wrapped
from sheepfold.terminal.screen import Screen, colours, write
from sheepfold.terminal.seating import figures

if TYPE_CHECKING:
    from rich.table import Table

BENCH = Path(sheepfold.__file__).parents[2] / "bench" / "run.py"
"""The benchmark of the project, where sheepfold runs from its sources."""


def shelf(language: str) -> None:
    """The games, one after the other."""
    screen = Screen()
    for game in games.every_game():
        screen.show(f"{ink(game.title, 'bold')}  {ink(f'{game.name} · {figures(game, language)}', 'dim')}")
        for line in wrapped(game.about(language), screen.size.columns, "  "):
            screen.show(line)
        screen.show()
    screen.show(terminal_voice(language).say("shelf.next", name=games.every_game()[0].name))


def options_of(name: str, language: str) -> None:
    """One game, with the options that --option takes."""
    game = games.find(name)
    say, voice, screen = terminal_voice(language).say, game_voice(game, language), Screen()
    screen.show(f"{ink(game.title, 'bold')}  {ink(f'{game.name} · {figures(game, language)}', 'dim')}")
    for option in game.options:
        screen.show()
        values = say("shelf.values", values=", ".join(map(spelled, option.values)))
        seats = f"  {say('shelf.seats', seats=', '.join(map(str, option.seats)))}" if option.seats else ""
        screen.show(f"{ink(f'--option {option.name}={spelled(option.default)}', 'bold')}  {ink(values + seats, 'dim')}")
        for line in wrapped(option_sentence(option, voice), screen.size.columns, "  "):
            screen.show(line)
    if game.component_file.exists():
        screen.show()
        screen.show(say("shelf.components", path=game.component_file))


def spelled(value: bool | int | str) -> str:
    """A value of an option, as it is typed."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _table(*headings: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left", no_wrap=True)
    return table


def _print(screen: Screen, table: Table) -> None:
    for line in screen.rendered(table):
        screen.show(line.rstrip())


# Simulations.


def simulation(
    setup: Setup, count: int, bots: Sequence[str], seed: str | None, workers: int, json_file: Path | None, check: bool, language: str,
    dataset: Path | None = None, ray: str | None = None,
) -> int:  # fmt: skip
    """Play many games, with a bar on a terminal, and print what they add up to; the exit code."""
    say = terminal_voice(language).say
    for file in (json_file, dataset):
        if file and not file.parent.is_dir():
            raise SheepfoldError(f"{file}: there is no folder {file.parent}")
    result = _with_bar(setup, count, bots, seed, workers, check, say("sim.bar", title=setup.game.title), dataset, ray)
    if str(json_file) != "-":
        _show_simulation(result, 0 if ray else workers, check, language)
    if json_file:
        _write_json(result.as_dict(), json_file)
    if result.interrupted:
        print(say("sim.stopped", done=len(result.played), wanted=result.wanted), file=sys.stderr)
        return 130
    return 1 if result.problems else 0


def _with_bar(
    setup: Setup, count: int, bots: Sequence[str], seed: str | None, workers: int, check: bool, what: str, dataset: Path | None,
    ray: str | None,
) -> Simulation:  # fmt: skip
    if not colours(sys.stderr):
        return simulate(setup, count, bots, seed, workers, check, dataset=dataset, ray=ray)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5) as progress:
        task = progress.add_task("", total=count)
        return simulate(setup, count, bots, seed, workers, check, lambda done: progress.update(task, completed=done), dataset, ray)


def _write_json(figures: object, path: Path) -> None:
    write(path, json.dumps(figures, indent=1, ensure_ascii=False) + "\n")


def _show_simulation(result: Simulation, workers: int, check: bool, language: str) -> None:
    voice = terminal_voice(language)
    say = voice.say
    screen = Screen()
    setup = result.setup
    options = "".join(f", {name}={value}" for name, value in setup.changed_options().items())
    screen.show(ink(say("sim.title", count=setup.seats, title=setup.game.title, options=options, seed=result.seed), "bold"))
    if result.played:
        mean, least, most = result.plies()
        seconds, rate = voice.number(result.seconds, 1), voice.number(result.games_per_second(), 1)
        key = "sim.speed" if workers else "sim.speed-cluster"
        screen.show(say(key, games=voice.number(len(result.played)), seconds=seconds, rate=rate, workers=workers))
        screen.show(say("sim.plies", mean=voice.number(mean, 1), least=least, most=most))
        places = [say("sim.place", place=place) for place in range(1, setup.seats + 1)] if setup.seats > 1 else []
        table = _table(say("sim.seat"), say("sim.bot"), say("sim.wins"), say("sim.interval"), *places, say("sim.points"), say("sim.spread"))
        for seat, (won, ranks, (points, deviation)) in enumerate(zip(result.wins(), result.ranks(), result.scores(), strict=True)):
            shares = [voice.number(100 * share, 1) for share in ranks] if places else []
            share, low, high = (voice.number(100 * part, 1) for part in (won.share, won.low, won.high))
            mean_points, spread = voice.number(points, 2), voice.number(deviation, 2)
            table.add_row(str(seat + 1), result.bots[seat], share, f"{low}-{high}", *shares, mean_points, spread)
        _print(screen, table)
    if result.data:
        screen.show(say("sim.data", digest=result.data))
    for problem in result.problems[:10]:
        screen.show(ink(say("sim.problem", number=problem.number, ply=problem.ply, what=problem.what), "red"))
    if len(result.problems) > 10:
        screen.show(say("sim.problems", count=len(result.problems)))
    elif check and not result.problems:
        screen.show(say("sim.checked", count=len(result.played)))


# Counting.


def counted(setup: Setup, depth: int, by_first: bool, language: str) -> None:
    """The number of lines of play of a length, whole or by their first event."""
    say = terminal_voice(language).say
    screen = Screen()
    start = setup.start()
    if not by_first:
        screen.show(f"{count_lines(start, depth)}")
        return
    if depth < 1:
        raise SheepfoldError("--breakdown needs a depth of 1 or more")
    wrapped = sequential(start)
    total = 0
    for action, lines in breakdown(start, depth).items():
        passing = isinstance(wrapped, Sequential) and action == wrapped.pass_action
        screen.show(f"{lines:>12}  {say('count.pass') if passing else setup.game.write(start, action)}")
        total += lines
    who = say("count.chance") if wrapped.to_act == CHANCE else say("count.seat", number=wrapped.to_act + 1)
    screen.show(f"{total:>12}  {say('count.total', depth=depth, who=who)}")


# Speed.


def benchmark(names: Sequence[str], seconds: float, json_file: Path | None, language: str) -> None:
    """The project's own benchmark from a source tree, else random games of each game as this process runs them."""
    wanted = [games.find(name) for name in names] or games.every_game()
    if BENCH.exists():
        arguments = ["--seconds", str(seconds), *(["--json", str(json_file)] if json_file else []), *(game.name for game in wanted)]
        sys.argv = [str(BENCH), *arguments]
        runpy.run_path(str(BENCH), run_name="__main__")
        return
    voice = terminal_voice(language)
    say = voice.say
    screen = Screen()
    figures: dict[str, dict[str, float]] = {}
    table = _table(say("bench.game"), say("sim.seat"), say("bench.games"), say("bench.plies"))
    for game in wanted:
        for seats in game.seats:
            rate, plies = playouts_per_second(game.setup(seats), seconds)
            figures[f"{game.name} {seats}"] = {"games/s": rate, "plies/s": plies}
            table.add_row(game.title, str(seats), voice.number(rate), voice.number(plies))
    if str(json_file) != "-":
        screen.show(say("bench.title", state=say("compiled" if sheepfold.compiled() else "interpreted")))
        _print(screen, table)
    if json_file:
        _write_json(figures, json_file)


def playouts_per_second(setup: Setup, seconds: float) -> tuple[float, float]:
    """Random games a second and events a second, in processor time."""
    dice = Dice("bench")
    played = plies = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds or not played:
        plies += int(playout(sequential(setup.start()), dice))
        played += 1
    return played / passed, plies / passed
