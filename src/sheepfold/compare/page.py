"""The page of a comparison: one file that needs nothing else, with its findings as sentences, plots, and their data as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from html import escape
from urllib.parse import quote

from sheepfold.arena import plots
from sheepfold.arena.simulate import wilson
from sheepfold.compare.figures import CLEARLY, NUMBER, OPEN, PERHAPS, SAME, SHARE, Found, found_in, won_by
from sheepfold.compare.pairs import ALONE, BEST, LINE_UP, Comparison, Pair
from sheepfold.compare.watched import Watched
from sheepfold.compare.words import VERDICTS, comparing_voice, difference, label, relative, sentence, sides_named, title_of, written
from sheepfold.game.game import Setup
from sheepfold.messages import Voice

STYLE = """
.sides { border-left: 4px solid var(--one); padding-left: 12px; overflow-wrap: anywhere; } .sides.b { border-color: var(--two); }
h3, summary { font-size: 1rem; font-weight: 600; margin: 18px 0 4px; } summary {cursor: pointer}
ul { margin: 4px 0 12px; padding-left: 22px; } li { margin: 4px 0; } a { color: var(--three); } .data { font-size: 14px; margin: 2px 0 0; }
"""

FOLDED = (OPEN, SAME)
"""What is said of figures that tell no difference is there to be opened."""
PLAY = ("ties", "comebacks", "behind", "mattered", "stake")
"""What tells what games are like."""

Rows = list[Sequence[object]]


def make_page(comparison: Comparison, setup: Setup, pairs: Sequence[Pair], language: str) -> str:
    """The page as HTML."""
    voice = comparing_voice(language)
    found = found_in(pairs, setup)
    names = sides_named(comparison.a.label(comparison.b), comparison.b.label(comparison.a), voice)
    title = title_of(setup.game.title, setup.seats, voice)
    parts = {part: [pair for pair in pairs if pair.part == part] for part in (LINE_UP, ALONE, BEST)}
    sections = [
        _findings(found, voice),
        *_gaps(found, voice),
        *_wins("wins", parts[LINE_UP], setup, names, voice),
        *_spread("length", parts[LINE_UP], lambda game: (game.turns,), names, voice),
        *_spread("scores", parts[LINE_UP], lambda game: game.scores, names, voice),
        *_play(found, names, voice),
        *_skill(parts[ALONE], comparison.best, setup, names, voice),
        *_wins("best", parts[BEST], setup, names, voice, best=comparison.best),
        _all(found, names, voice),
    ]
    intro = voice.say("intro", pairs=voice.number(len(parts[LINE_UP])), bots=line_ups(comparison), seed=comparison.seed)
    sides = "".join(f'<p class="sides {letter}">{escape(name)}</p>' for letter, name in zip("ab", names, strict=True))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{plots.STYLE}{STYLE}</style></head><body><h1>{escape(title)}</h1>{sides}"
        f"<p class=soft>{escape(intro)}</p>{''.join(sections)}</body></html>\n"
    )


def line_ups(comparison: Comparison) -> str:
    """Who plays, once where both sides have the same bots."""
    bots = dict.fromkeys(", ".join(dict.fromkeys(side.bots)) for side in (comparison.a, comparison.b))
    return " / ".join(bots)


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Rows as text that any program for tables reads."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def figure_rows(found: Sequence[Found]) -> Rows:
    """All figures, with a heading."""
    head: Sequence[object] = ("figure", "part", "pairs", "a", "b", "difference", "low", "high", "verdict", "needed")
    return [head, *((*_plain(each), each.verdict, each.needed) for each in found)]


def _plain(each: Found) -> tuple[object, ...]:
    numbers = (each.a, each.b, each.difference, each.low, each.high)
    return (each.figure.key, each.figure.part, each.pairs, *(round(number, 6) for number in numbers))


def _section(head: str, text: str, drawn: str, voice: Voice, name: str = "", rows: Rows | None = None) -> str:
    link = ""
    if rows:
        data = quote(as_csv(rows))
        link = f'<p class="data"><a download="{name}.csv" href="data:text/csv;charset=utf-8,{data}">{escape(voice.say("data"))}</a></p>'
    return f"<section><h2>{escape(head)}</h2><p class=soft>{escape(text)}</p>{drawn}{link}</section>"


def _findings(found: Sequence[Found], voice: Voice) -> str:
    """A sentence for every figure, by what can be said of it."""
    listed = ""
    for verdict in VERDICTS:
        said = [sentence(each, voice) for each in sorted(found, key=_strength) if each.verdict == verdict]
        if said:
            items = "".join(f"<li>{escape(each)}</li>" for each in said)
            head = escape(voice.say(f"finding.{verdict}.head"))
            folded = f"<details><summary>{head} ({len(said)})</summary><ul>{items}</ul></details>"
            listed += folded if verdict in FOLDED else f"<h3>{head}</h3><ul>{items}</ul>"
    return _section(voice.say("plot.findings"), voice.say("plot.findings.text", count=len(found)), listed, voice)


def _strength(each: Found) -> float:
    """The surest first."""
    return -abs(each.difference) / (each.half or 1e-9)


def _gaps(found: Sequence[Found], voice: Voice) -> list[str]:
    """All differences at a glance: shares by points, numbers by how much of them; what fewer games tell by itself, since it is wider."""
    sections = []
    for name, unit, parts in (("gaps", SHARE, (LINE_UP,)), ("parts", NUMBER, (LINE_UP,)), ("levels", SHARE, (ALONE, BEST))):
        of = [each for each in found if each.figure.unit == unit and each.figure.part in parts]
        rows = []
        for each in of:
            whole = relative(each)
            values = (each.difference / whole, each.low / whole, each.high / whole)
            rows.append(plots.Gap(label(each.figure, voice), *values, difference(each, voice), each.verdict in (CLEARLY, PERHAPS)))
        if rows:
            drawn = plots.gaps(voice, voice.say(f"plot.{name}"), rows)
            sections.append(_section(voice.say(f"plot.{name}"), voice.say(f"plot.{name}.text"), drawn, voice, name, figure_rows(of)))
    return sections


def _wins(name: str, pairs: Sequence[Pair], setup: Setup, names: tuple[str, str], voice: Voice, best: str = "") -> list[str]:
    """Who wins, seat by seat."""
    if not pairs or setup.seats == 1:
        return []
    rows = []
    data: Rows = [("seat", "side", "games", "share", "low", "high")]
    for seat in range(setup.seats):
        bars = []
        for side, games in zip("ab", _sides(pairs), strict=True):
            won = wilson(sum(won_by(game, seat) for game in games), len(games))
            bars.append(plots.Bar("", *won))
            data.append((seat + 1, side, len(games), *won))
        rows.append(plots.Twins(voice.say("seat", number=seat + 1), *bars))
    drawn = plots.twins(voice, voice.say(f"plot.{name}"), rows, names, 1 / setup.seats, voice.say("fair"))
    return [_section(voice.say(f"plot.{name}"), voice.say(f"plot.{name}.text", best=best), drawn, voice, name, data)]


def _sides(pairs: Sequence[Pair]) -> tuple[list[Watched], list[Watched]]:
    return [pair.a for pair in pairs], [pair.b for pair in pairs]


def _spread(
    name: str, pairs: Sequence[Pair], values: Callable[[Watched], Sequence[int]], names: tuple[str, str], voice: Voice
) -> list[str]:
    """How often which number on either side."""
    series = [[float(value) for game in games for value in values(game)] for games in _sides(pairs)]
    if not series[0]:
        return []
    title, unit, named = voice.say(f"plot.{name}"), voice.say(f"plot.{name}.unit"), list(zip(names, series, strict=True))
    drawn = plots.fitted(lambda width: plots.histogram(voice, title, named, unit, width=width))
    counts = [Counter(numbers) for numbers in series]
    data: Rows = [("value", "a", "b"), *((int(value), *(count[value] for count in counts)) for value in sorted(counts[0] | counts[1]))]
    return [_section(voice.say(f"plot.{name}"), voice.say(f"plot.{name}.text"), drawn, voice, name, data)]


def _play(found: Sequence[Found], names: tuple[str, str], voice: Voice) -> list[str]:
    """What games are like: how often they turn, and how much hangs on a decision."""
    shown = [each for each in found if each.figure.name in PLAY]
    if not shown:
        return []
    rows = [plots.Twins(label(each.figure, voice), *(plots.Bar("", value, value, value) for value in (each.a, each.b))) for each in shown]
    drawn = plots.twins(voice, voice.say("plot.play"), rows, names)
    return [_section(voice.say("plot.play"), voice.say("plot.play.text"), drawn, voice, "play", figure_rows(shown))]


def _skill(pairs: Sequence[Pair], best: str, setup: Setup, names: tuple[str, str], voice: Voice) -> list[str]:
    """What a better level wins alone."""
    if not pairs:
        return []
    shares = [wilson(sum(won_by(game, game.alone) for game in games), len(games)) for games in _sides(pairs)]
    rows = [plots.Twins(best, *(plots.Bar("", *share) for share in shares))]
    drawn = plots.twins(voice, voice.say("plot.skill"), rows, names, 1 / setup.seats, voice.say("fair"))
    data: Rows = [
        ("side", "games", "share", "low", "high"),
        *((side, len(pairs), *share) for side, share in zip("ab", shares, strict=True)),
    ]
    return [_section(voice.say("plot.skill"), voice.say("plot.skill.text", best=best), drawn, voice, "skill", data)]


def _all(found: Sequence[Found], names: tuple[str, str], voice: Voice) -> str:
    """Every figure in a table; what differs stands out."""
    cells, moved = [], []
    for each in found:
        sides = [written(value, each, voice) for value in (each.a, each.b)]
        cells.append([label(each.figure, voice), *sides, difference(each, voice), voice.number(each.pairs)])
        moved.append({3} if each.verdict == CLEARLY else set[int]())
    headings = ["", "A", "B", voice.say("difference"), voice.say("pairs")]
    return _section(
        voice.say("plot.all"), voice.say("plot.all.text"), plots.table(headings, cells, moved), voice, "figures", figure_rows(found)
    )
