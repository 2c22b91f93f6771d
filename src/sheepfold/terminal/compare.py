"""`sheepfold compare`: two ways of making a game side by side, with a bar while it lasts, and what differs at the end.

With a folder every pair of games is kept there, so a run that was stopped goes on; a page and the figures as CSV are written beside them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from sheepfold.ansi import ink
from sheepfold.compare.figures import CLEARLY, OPEN, PERHAPS, Found, found_in
from sheepfold.compare.page import as_csv, figure_rows, line_ups, make_page
from sheepfold.compare.pairs import LINE_UP, Comparison, compare, work_of
from sheepfold.compare.sides import side
from sheepfold.compare.words import comparing_voice, difference, label, sentence, sides_named, title_of, written
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.workers import cores
from sheepfold.game.registry import find
from sheepfold.terminal.arena import bar
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.layout import bullets, wrapped
from sheepfold.terminal.screen import Screen, write

PAIRS, PAGE, FIGURES = "pairs.jsonl", "compare.html", "figures.csv"
"""What a folder holds."""


def comparison(
    game: str, a: str, b: str, games: int, seats: int | None, bots: Sequence[str], options: Mapping[str, str], components: str | None,
    seed: str, best: str, skill: int | None, workers: int | None, ray: str | None, folder: Path | None, json_file: Path | None,
    language: str,
) -> int:  # fmt: skip
    """Play a comparison, or the rest of one, and say what differs; the exit code."""
    if json_file and not json_file.parent.is_dir():
        raise SheepfoldError(f"{json_file}: there is no folder {json_file.parent}")
    found_game = find(game)
    (one, setup), (other, _) = (side(found_game, seats, text, options, components, bots, where) for text, where in ((a, "--a"), (b, "--b")))
    what = Comparison(found_game.name, setup.seats, one, other, seed, best).checked()
    more = games // 50 if skill is None else skill
    wanted = work_of(games, more, setup.seats)
    say = terminal_voice(language).say
    began = time.perf_counter()
    with bar(say("compare.bar", title=found_game.title), wanted) as progress:
        pairs = compare(what, games, more, workers or cores(), folder / PAIRS if folder else None, ray, progress)
    seconds = time.perf_counter() - began
    figures = found_in(pairs, setup)
    if json_file:
        write(json_file, json.dumps(_as_dict(what, figures, wanted, seconds, language), indent=1, ensure_ascii=False) + "\n")
    if folder and figures:
        write(folder / PAGE, make_page(what, setup, pairs, language))
        write(folder / FIGURES, as_csv(figure_rows(figures)))
        print(say("report.done", path=str(folder / PAGE)), file=sys.stderr)
    if str(json_file) != "-" and figures:
        show(what, figures, seconds, language)
    if len(pairs) < wanted:
        print(say("sim.stopped", done=len(pairs), wanted=wanted), file=sys.stderr)
        return 130
    return 0


def show(what: Comparison, figures: Sequence[Found], seconds: float, language: str) -> None:
    """Every figure in a table, a sentence for what differs, and what is left open."""
    from rich import box
    from rich.table import Table

    words, here, screen = comparing_voice(language), terminal_voice(language), Screen()
    screen.show(ink(title_of(find(what.game).title, what.seats, words), "bold"))
    for name in sides_named(what.a.label(what.b), what.b.label(what.a), words):
        _wrap(screen, name)
    pairs = max(each.pairs for each in figures)
    took = here.number(seconds, 1)
    _wrap(screen, here.say("compare.speed", pairs=here.number(pairs), seconds=took, bots=line_ups(what), seed=what.seed))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for index, heading in enumerate((here.say("compare.figure"), "A", "B", here.say("compare.difference"))):
        table.add_column(heading, justify="right" if index else "left", no_wrap=True)
    for each in figures:
        sides = (written(value, each, words) for value in (each.a, each.b))
        table.add_row(label(each.figure, words), *sides, difference(each, words), style="bold" if each.verdict == CLEARLY else None)
    for line in screen.rendered(table):
        screen.show(line.rstrip())
    said = [each for verdict in (CLEARLY, PERHAPS) for each in figures if each.verdict == verdict]
    for line in bullets([sentence(each, words) for each in said], screen.size.columns):
        screen.show(line)
    if not said:
        screen.show(here.say("compare.none"))
    for option in ("--games", "--skill"):
        left = [each for each in figures if each.verdict == OPEN and (each.figure.part == LINE_UP) == (option == "--games")]
        needed = [f"{label(each.figure, words)} ({here.number(each.needed)})" for each in left]
        if needed:
            _wrap(screen, here.say("compare.open", option=option, what=", ".join(needed)))


def _wrap(screen: Screen, text: str) -> None:
    for line in wrapped(text, screen.size.columns):
        screen.show(line)


def _as_dict(what: Comparison, figures: Sequence[Found], wanted: int, seconds: float, language: str) -> dict[str, object]:
    """Everything, ready for JSON."""
    words = comparing_voice(language)
    rows = [{**each.as_dict(), "sentence": sentence(each, words)} for each in figures]
    return {**asdict(what), "wanted": wanted, "seconds": seconds, "figures": rows}
