"""Plots as inline SVG, drawn by a few small functions: bars with intervals, histograms, bands and shares.

Colours are CSS variables of the page (`STYLE`), so that one drawing serves light and dark; every plot has a title and a description for
those who do not see it, and numbers stand beside the marks, so that nothing has to be guessed from a length. What is drawn by `fitted` is
there for wide screens and for narrow ones, so that its text has the same size on both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

from sheepfold.messages import Voice

WIDTH, NARROW = 680, 350
ROW = 30
LABEL = 150
GAP = "\N{EM SPACE}"
SERIES = ("var(--one)", "var(--two)", "var(--three)", "var(--four)", "var(--five)", "var(--six)", "var(--seven)", "var(--eight)")

STYLE = """
:root { color-scheme: light dark; --paper: #faf7f0; --ink: #26302a; --soft: #66726a; --line: #d9d5c8; --band: #cfe0d2;
  --one: #2f6f4f; --two: #b5651d; --three: #3b6ea5; --four: #8a4f9e; --five: #a38a00; --six: #b03a48; --seven: #4a8f8f; --eight: #7a6a58; }
@media (prefers-color-scheme: dark) { :root { --paper: #161d1a; --ink: #e8ece4; --soft: #9fada3; --line: #37433c; --band: #2b4436;
  --one: #7fc79f; --two: #e6a35c; --three: #86b6e8; --four: #cf9fe0; --five: #d8c24a; --six: #ee8b96; --seven: #84cccc;
  --eight: #c4b39d; } }
body { margin: 0 auto; max-width: 840px; padding: 24px 20px 60px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 4px; } h2 { font-size: 1.2rem; margin: 40px 0 4px; }
p { margin: 6px 0 12px; } .soft { color: var(--soft); }
svg { width: 100%; min-width: 460px; height: auto; display: block; } svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.wide svg, .narrow svg { min-width: 0; } .narrow { display: none; }
@media (max-width: 640px) { .wide { display: none; } .narrow { display: block; } }
svg text:not(.inside) { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg .soft { fill: var(--soft); } svg .inside { fill: var(--paper); } svg .axis { stroke: var(--line); stroke-width: 1; }
svg .whisker { stroke: var(--ink); stroke-width: 2; } svg .rule { stroke: var(--ink); stroke-dasharray: 4 4; }
svg.slim { min-width: 0; max-width: 560px; } svg .halo { stroke: var(--paper); stroke-width: 4px; paint-order: stroke; }
.scroll { overflow-x: auto; } table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 14px; }
th, td { text-align: right; padding: 5px 8px; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } td { white-space: nowrap; }
td:first-child { white-space: normal; } th { font-weight: 600; color: var(--soft); }
td.moved { color: var(--six); font-weight: 600; }
.key { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 4px 0; font-size: 14px; }
.key i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; }
"""


class Bar(NamedTuple):
    """A labelled share with its interval."""

    label: str
    value: float
    low: float
    high: float
    note: str = ""


def fitted(draw: Callable[[int], str]) -> str:
    """The same plot as wide as a desk's screen and as a phone's; the page shows the one that fits."""
    return f'<div class="wide">{draw(WIDTH)}</div><div class="narrow">{draw(NARROW)}</div>'


def _svg(height: float, title: str, parts: Sequence[str], width: int = WIDTH) -> str:
    head = f'<div class="scroll"><svg viewBox="0 0 {width} {height:.0f}" role="img"><title>{escape(title)}</title>'
    return "\n".join([head, *parts, "</svg></div>"])


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, kind: str = "axis") -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers from low to high, about as many as wanted."""
    span = max(high - low, 1e-9)
    step = 10 ** floor(log10(span / wanted))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= wanted)
    first = ceil(low / step - 1e-9)
    return [round(index * step, 10) for index in range(first, floor(high / step + 1e-9) + 1)]


def _rows(rows: Sequence[Bar], said: Sequence[str], top: float, width: int) -> tuple[float, float, float, list[float], list[str]]:
    """Where the marks of labelled rows begin, how much room they have, how high all is, the middle of each, and labels and numbers: beside
    the marks, or above them where that is too narrow."""
    if width >= WIDTH:
        left, room, tall, middle = float(LABEL), width - LABEL - 20.0 - 8 * max(map(len, said)), ROW, ROW / 2
    else:
        left, room, tall, middle = 4.0, width - 16.0, ROW + 16, 31.0
    middles = [top + tall * index + middle for index in range(len(rows))]
    parts = []
    for row, numbers, y in zip(rows, said, middles, strict=True):
        if width >= WIDTH:
            parts += [_text(LABEL - 8, y + 4, row.label, "end"), _text(left + room + 10, y + 4, numbers)]
        else:
            parts += [_text(0, y - 15, row.label), _text(width, y - 15, numbers, "end")]
    return left, room, top + tall * len(rows) + 26, middles, parts


def bars(voice: Voice, title: str, rows: Sequence[Bar], rule: float | None = None, rule_label: str = "", width: int = WIDTH) -> str:
    """Shares as bars with whiskers for their intervals; `rule` is a dashed line, such as the fair share."""
    top = 24 if rule is not None else 6
    most = max([1e-9, *(row.high for row in rows), rule or 0.0]) * 1.04
    most = min(most, 1.0) if most > 0.9 else most
    intervals = [f"{voice.number(100 * row.low, 1)}–{voice.number(100 * row.high, 1)}" for row in rows]
    said = [f"{voice.percent(row.value, 1)}{GAP}{interval}{GAP}{row.note}".strip() for row, interval in zip(rows, intervals, strict=True)]
    left, room, height, middles, labels = _rows(rows, said, top, width)
    parts = []
    for tick in ticks(0, most, 5 if width >= WIDTH else 4):
        x = left + room * tick / most
        parts += [_line(x, top, x, height - 22), _text(x, height - 6, voice.percent(tick), "middle" if tick else "start", "soft")]
    for row, y in zip(rows, middles, strict=True):
        end, low, high = (left + room * value / most for value in (row.value, row.low, row.high))
        parts += [
            f'<rect x="{left:g}" y="{y - 9}" width="{max(0.5, end - left):.1f}" height="18" rx="4" fill="{SERIES[0]}" opacity=".75"/>',
            _line(low, y, high, y, "whisker"),
        ]
    if rule is not None:
        x = left + room * rule / most
        parts += [_line(x, top - 4, x, height - 22, "rule"), _text(x, top - 9, rule_label, "middle", "soft")]
    return _svg(height, title, [*parts, *labels], width)


SLIM = 460
"""The width of plots whose labels stand above their marks: a phone shows them whole."""


def _slim(height: float, title: str, parts: Sequence[str]) -> str:
    head = f'<svg class="slim" viewBox="0 0 {SLIM} {height:.0f}" role="img"><title>{escape(title)}</title>'
    return "\n".join([head, *parts, "</svg>"])


class Twins(NamedTuple):
    """A label with two values side by side, each with its interval."""

    label: str
    one: Bar
    other: Bar


def twins(voice: Voice, title: str, rows: Sequence[Twins], names: Sequence[str], rule: float | None = None, rule_label: str = "") -> str:
    """Shares of two sides, a pair of thin bars a row, with their intervals."""
    top, tall, left, room = (22 if rule is not None else 4), 62, 8, SLIM - 84
    height = top + tall * len(rows) + 26
    most = max([1e-9, *(bar.high for row in rows for bar in (row.one, row.other)), rule or 0.0]) * 1.04
    parts = []
    for tick in ticks(0, most):
        x = left + room * tick / most
        written = voice.percent(tick, 0 if round(100 * tick, 6) == int(round(100 * tick, 6)) else 1)
        parts += [_line(x, top, x, height - 22), _text(x, height - 6, written, "middle" if tick else "start", "soft")]
    for index, row in enumerate(rows):
        parts.append(_text(left, top + tall * index + 16, row.label))
        for number, bar in enumerate((row.one, row.other)):
            y = top + tall * index + 31 + 17 * number
            end, low, high = (left + room * value / most for value in (bar.value, bar.low, bar.high))
            shape = f'x="{left}" y="{y - 7}" width="{max(0.5, end - left):.1f}" height="14" rx="3"'
            parts += [
                f'<rect {shape} fill="{SERIES[number]}" opacity=".75"/>',
                _line(low, y, high, y, "whisker"),
                _text(SLIM - 4, y + 5, voice.percent(bar.value, 1), "end"),
            ]
    if rule is not None:
        x = left + room * rule / most
        parts += [_line(x, top - 4, x, height - 22, "rule"), _text(x, top - 9, rule_label, "middle", "soft")]
    return key(names) + _slim(height, title, parts)


class Gap(NamedTuple):
    """A labelled difference with its interval, how it is written, and whether it is sure."""

    label: str
    value: float
    low: float
    high: float
    said: str
    sure: bool


def gaps(voice: Voice, title: str, rows: Sequence[Gap]) -> str:
    """Differences round nothing: a dot with its interval, full where it is sure; in per cent."""
    top, tall, left, right = 4, 42, 14, SLIM - 14
    height = top + tall * len(rows) + 26
    most = max([1e-6, *(max(abs(row.low), abs(row.high)) for row in rows)]) * 1.05
    middle, scale = (left + right) / 2, (right - left) / 2 / most
    parts = []
    for tick in ticks(-most, most, 6):
        x = middle + scale * tick
        written = voice.number(100 * tick, 0 if round(100 * tick, 6) == int(round(100 * tick, 6)) else 1, signed=tick != 0)
        parts += [_line(x, top, x, height - 22, "axis" if tick else "rule"), _text(x, height - 6, written, "middle", "soft")]
    for index, row in enumerate(rows):
        y = top + tall * index + 29
        colour = "var(--soft)" if not row.sure else SERIES[0] if row.value > 0 else SERIES[1]
        kind = " ".join(["halo"] + ["soft"] * (not row.sure))
        low, at, high = (middle + scale * value for value in (row.low, row.value, row.high))
        parts += [
            _text(0, y - 13, row.label, "start", kind),
            _text(SLIM, y - 13, row.said, "end", kind),
            f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke="{colour}" stroke-width="3" stroke-linecap="round"/>',
            f'<circle cx="{at:.1f}" cy="{y}" r="5" fill="{colour if row.sure else "var(--paper)"}" stroke="{colour}" stroke-width="2"/>',
        ]
    return _slim(height, title, parts)


def dots(
    voice: Voice,
    title: str,
    rows: Sequence[Bar],
    width: int = WIDTH,
    said: Sequence[str] = (),
    zone: tuple[float, float] | None = None,
    tick_said: Callable[[float], str] = "{:.0f}".format,
) -> str:
    """Numbers that have no natural zero, as dots in their intervals; `said` is what stands beside them, `zone` is where they should be."""
    top = 6
    ends = [end for row in rows for end in (row.low, row.high)]
    ends += [end for end in zone or () if isfinite(end)]
    low, high = min(ends), max(ends)
    low, high = low - 0.03 * (high - low or 1), high + 0.03 * (high - low or 1)
    said = said or [f"{row.value:.0f}{GAP}{row.low:.0f}–{row.high:.0f}{GAP}{row.note}" for row in rows]
    left, room, height, middles, labels = _rows(rows, said, top, width)

    def at(value: float) -> float:
        return left + room * (min(max(value, low), high) - low) / (high - low)

    parts = []
    if zone:
        start, end = map(at, zone)
        wide = max(3.0, end - start)
        parts.append(f'<rect x="{start:.1f}" y="{top}" width="{wide:.1f}" height="{height - 22 - top:.0f}" fill="var(--band)"/>')
    for tick in ticks(low, high, 5 if width >= WIDTH else 4):
        x = at(tick)
        parts += [_line(x, top, x, height - 22), _text(min(max(x, 18.0), width - 18.0), height - 6, tick_said(tick), "middle", "soft")]
    for row, y in zip(rows, middles, strict=True):
        parts += [
            _line(at(row.low), y, at(row.high), y, "whisker"),
            f'<circle cx="{at(row.value):.1f}" cy="{y}" r="6" fill="{SERIES[0]}"/>',
        ]
    return _svg(height, title, [*parts, *labels], width)


class Axis(NamedTuple):
    """What is measured along it, and how a number of it is written."""

    label: str
    said: Callable[[float], str]


def front(
    title: str, tried: Sequence[tuple[float, float]], best: Sequence[tuple[float, float]], x: Axis, y: Axis, width: int = WIDTH
) -> str:
    """What was tried as small dots, the best of it numbered, and joined where no other is better in both; what is far off is left out."""
    top, bottom, left, right = 16, 300, 56, width - 16
    most = [1.3 * max(point[each] for point in best) or 1.05 * max([1e-9, *(point[each] for point in tried)]) for each in (0, 1)]

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return left + 14 + (right - left - 14) * point[0] / most[0], bottom - 14 - (bottom - 14 - top) * point[1] / most[1]

    parts = []
    for tick in ticks(0, most[0], width // 110):
        across, _ = at((tick, 0.0))
        parts += [_line(across, top, across, bottom), _text(across, bottom + 18, x.said(tick), "middle", "soft")]
    for tick in ticks(0, most[1], 5):
        _, up = at((0.0, tick))
        parts += [_line(left, up, right, up), _text(left - 8, up + 4, y.said(tick), "end", "soft")]
    near = [point for point in tried if point[0] <= most[0] and point[1] <= most[1]]
    parts += [f'<circle cx="{across:.1f}" cy="{up:.1f}" r="4" fill="var(--soft)" opacity=".6"/>' for across, up in map(at, near)]
    foremost = [point for place, point in enumerate(sorted(best)) if all(point[1] < before[1] for before in sorted(best)[:place])]
    joined = " ".join(f"{across:.1f},{up:.1f}" for across, up in map(at, foremost))
    parts.append(f'<polyline points="{joined}" fill="none" stroke="{SERIES[0]}" stroke-width="2" stroke-dasharray="5 4"/>')
    taken: list[tuple[float, float]] = []
    for number, point in enumerate(best, start=1):
        across, up = at(point)
        while any(abs(across - other) < 20 and abs(up - beside) < 20 for other, beside in taken):
            across += 22  # beside one that lies in the same place
        taken.append((across, up))
        parts += [
            f'<circle cx="{across:.1f}" cy="{up:.1f}" r="11" fill="{SERIES[0]}"/>',
            _text(across, up + 4.5, str(number), "middle", "inside"),
        ]
    parts += [_text((left + right) / 2, bottom + 40, x.label, "middle", "soft"), _text(0, 10, y.label, "start", "soft")]
    return _svg(bottom + 48, title, parts, width)


def histogram(
    voice: Voice, title: str, series: Sequence[tuple[str, Sequence[float]]], unit: str, bins: int = 24, width: int = WIDTH
) -> str:
    """How often which number, one outline a series; heights are shares of each series."""
    values = [value for _, numbers in series for value in numbers]
    if not values:
        return ""
    low, high = min(values), max(values)
    step = max(1.0, ceil((high - low + 1) / bins))
    count = int((high - low) // step) + 1
    shares = []
    for _, numbers in series:
        heights = [0.0] * count
        for value in numbers:
            heights[int((value - low) // step)] += 1 / max(1, len(numbers))
        shares.append(heights)
    top, bottom, left, right = 10, 200, 44, width - 10
    most = max(height for heights in shares for height in heights) * 1.05
    parts = []
    for tick in ticks(0, most, 4):
        y = bottom - (bottom - top) * tick / most
        parts += [_line(left, y, right, y), _text(left - 6, y + 4, voice.percent(tick), "end", "soft")]
    wide = (right - left) / count
    for number, heights in enumerate(shares):
        outline = f"M{left},{bottom}"
        for index, height in enumerate(heights):
            y = bottom - (bottom - top) * height / most
            outline += f" V{y:.1f} H{left + wide * (index + 1):.1f}"
        colour = SERIES[number % len(SERIES)]
        parts.append(f'<path d="{outline} V{bottom} Z" fill="{colour}" fill-opacity=".28" stroke="{colour}" stroke-width="2"/>')
    for tick in ticks(low, high + step, width // 85):
        x = left + (tick - low) / step * wide
        said = voice.number(tick, 0 if tick == int(tick) else 1)
        parts.append(_text(min(x, width - 4.0 * len(said)), bottom + 18, said, "middle", "soft"))
    parts.append(_text((left + right) / 2, bottom + 36, unit, "middle", "soft"))
    return key([name for name, _ in series]) * (len(series) > 1) + _svg(bottom + 44, title, parts, width)


def band(
    voice: Voice, title: str, middle: Sequence[float], low: Sequence[float], high: Sequence[float], unit: str, width: int = WIDTH
) -> str:
    """A line inside a band, from the start of a game to its end."""
    top, bottom, left, right = 10, 200, 44, width - 10
    most = max([1.0, *high]) * 1.05
    wide = (right - left) / max(1, len(middle) - 1)

    def at(index: int, value: float) -> str:
        return f"{left + wide * index:.1f},{bottom - (bottom - top) * value / most:.1f}"

    parts = []
    for tick in ticks(0, most, 5):
        y = bottom - (bottom - top) * tick / most
        parts += [_line(left, y, right, y), _text(left - 6, y + 4, voice.number(tick, 0 if tick == int(tick) else 1), "end", "soft")]
    edge = [at(index, value) for index, value in enumerate(high)] + [at(index, low[index]) for index in reversed(range(len(low)))]
    parts.append(f'<polygon points="{" ".join(edge)}" fill="var(--band)"/>')
    curve = " ".join(at(index, value) for index, value in enumerate(middle))
    parts.append(f'<polyline points="{curve}" fill="none" stroke="{SERIES[0]}" stroke-width="2.5"/>')
    for tenth in range(0, 11, 2):
        anchor = "end" if tenth == 10 else "middle"
        parts.append(_text(left + (right - left) * tenth / 10, bottom + 18, voice.percent(tenth / 10), anchor, "soft"))
    parts.append(_text((left + right) / 2, bottom + 36, unit, "middle", "soft"))
    return _svg(bottom + 44, title, parts, width)


def stacks(voice: Voice, title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str], width: int = WIDTH) -> str:
    """For every row how a whole is shared out."""
    beside = width >= WIDTH
    tall, left = (ROW, LABEL) if beside else (ROW + 18, 0)
    room = width - left - (10 if beside else 0)
    parts = []
    for index, (label, shares) in enumerate(rows):
        y = tall * index + (4 if beside else 20)
        parts.append(_text(left - 8, y + 16, label, "end") if beside else _text(0, y - 5, label))
        x = float(left)
        for number, share in enumerate(shares):
            wide = room * share
            colour = SERIES[number % len(SERIES)]
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{max(0.0, wide - 1):.1f}" height="22" rx="3" fill="{colour}">'
                f"<title>{escape(names[number])}: {voice.percent(share, 1)}</title></rect>"
            )
            if wide > 26:
                parts.append(_text(x + wide / 2, y + 16, f"{100 * share:.0f}", "middle", "inside"))
            x += wide
    return key(names) + _svg(tall * len(rows) + 6, title, parts, width)


def key(names: Sequence[str]) -> str:
    """Which colour is what."""
    items = "".join(
        f'<span><i style="background:{SERIES[number % len(SERIES)]}"></i>{escape(name)}</span>' for number, name in enumerate(names)
    )
    return f'<div class="key">{items}</div>'


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], moved: Sequence[set[int]] = ()) -> str:
    """A table; cells whose column is in the row's `moved` stand out."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = ""
    for number, row in enumerate(rows):
        marked = moved[number] if number < len(moved) else set()
        body += "<tr>" + "".join(f"<td{' class=moved' * (index in marked)}>{escape(cell)}</td>" for index, cell in enumerate(row)) + "</tr>"
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'
