"""How strong a learner has become, as a small drawing: its share of wins against each opponent, over the hours of the processor."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM = 560, 300, 48, 16, 120, 40
COLOURS = ("#2b6ca3", "#b3541e", "#3f7d3a", "#7a4b9d")


def strength_plot(history: Sequence[dict[str, Any]], fair: float) -> str:
    """The drawing as SVG; `fair` is the share that is nobody's merit."""
    measured = [entry for entry in history if "wins" in entry]
    hours = max([entry["seconds"] / 3600 for entry in measured], default=1.0) or 1.0

    def at(hour: float, share: float) -> tuple[float, float]:
        return LEFT + (WIDE - LEFT - RIGHT) * hour / hours, TOP + (HIGH - TOP - BOTTOM) * (1 - share)

    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = at(0, percent / 100)[1]
        parts.append(f'<path d="M{LEFT},{y:.1f}H{WIDE - RIGHT}" stroke="#d8d2c2"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    y = at(0, fair)[1]
    parts.append(f'<path d="M{LEFT},{y:.1f}H{WIDE - RIGHT}" stroke="#5b5648" stroke-dasharray="4 4"/>')
    for place, name in enumerate(measured[0]["wins"] if measured else ()):
        colour = COLOURS[place % len(COLOURS)]
        points = [at(entry["seconds"] / 3600, entry["wins"].get(name, 0)) for entry in measured]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(f'<text x="{WIDE - RIGHT + 8}" y="{TOP + 12 + 18 * place}" fill="{colour}">{escape(name)}</text>')
    parts.append(
        f'<text x="{LEFT}" y="{HIGH - 12}">0 h</text><text x="{WIDE - RIGHT}" y="{HIGH - 12}" text-anchor="end">{hours:.1f} h</text>'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="12" fill="#38342a">'
    return f'{head}<rect width="{WIDE}" height="{HIGH}" fill="#fbf7ec"/>{"".join(parts)}</svg>'
