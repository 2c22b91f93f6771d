"""A rating over somebody's games, as a small drawing: the line, and round it how sure it is. Colours are the page's own, by day and night;
for who does not see it the same is said in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sheepfold.arena.plots import ticks
from sheepfold.people.ratings import shown
from sheepfold.people.skill import START, Skill

WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM = 360, 180, 40, 10, 8, 24
MOST = 120
"""So many points are drawn at most; of more games every second, third …"""


def rating_plot(history: Sequence[Skill], said: str, start: str, end: str) -> str:
    """The drawing; `said` is what it shows, in words, `start` and `end` are what stands below it."""
    step = -(-len(history) // MOST)
    kept = [START, *history[:-1:step], history[-1]]
    points = [shown(skill) for skill in kept]
    low, high = min(number - sure for number, sure in points), max(number + sure for number, sure in points)
    wide, tall = (WIDE - LEFT - RIGHT) / (len(points) - 1), HIGH - TOP - BOTTOM

    def at(place: int, number: float) -> str:
        return f"{LEFT + wide * place:.1f},{TOP + tall * (high - number) / max(high - low, 1):.1f}"

    lines = []
    for tick in ticks(low, high, 4):
        y = at(0, tick).partition(",")[2]
        lines.append(
            f'<path class="axis" d="M{LEFT},{y}H{WIDE - RIGHT}"/><text x="{LEFT - 5}" y="{y}" dy="4" text-anchor="end">{tick:.0f}</text>'
        )
    above = [at(place, number + sure) for place, (number, sure) in enumerate(points)]
    below = [at(place, number - sure) for place, (number, sure) in enumerate(points)]
    line = " ".join(at(place, number) for place, (number, _) in enumerate(points))
    x, y = at(len(points) - 1, points[-1][0]).split(",")
    return (
        f'<svg class="rating-plot" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(said)}">{"".join(lines)}'
        f'<polygon class="sure" points="{" ".join([*above, *below[::-1]])}"/><polyline class="rating" points="{line}"/>'
        f'<circle class="now" cx="{x}" cy="{y}" r="4"/><text x="{LEFT}" y="{HIGH - 6}">{escape(start)}</text>'
        f'<text x="{WIDE - RIGHT}" y="{HIGH - 6}" text-anchor="end">{escape(end)}</text></svg>'
    )
