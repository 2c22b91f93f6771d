"""Whether more thinking helps: `python bench/thinking.py [--games N] [--out DIR] [--plot FILE] [GAME ...]`.

The strongest level of every game for two players, with 100, 400, 1,600 and 6,400 simulations a decision, against `bellwether-1`. Games are
kept, so that a run that was stopped goes on. Printed is a row for each, with its 95 % interval; the drawing has all of them.
"""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

from sheepfold.arena.arena import Contest, contend, duel
from sheepfold.arena.simulate import Interval
from sheepfold.bots.thinkers import settings_of
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game, find

SIMULATIONS = (100, 400, 1600, 6400)
OPPONENT = "bellwether-1"
WIDE, HIGH, LEFT, TOP, ROOM = 230, 200, 40, 30, 24
"""Of one game's drawing, and what is left of it and above and below."""


def with_simulations(game: Game, count: int) -> str:
    """The strongest level for two, with so many simulations; where it does not search, the game's own search."""
    start = game.setup(2).start()
    strongest = settings_of(start, "bellwether")
    return f"search:{count}" if strongest.startswith("greedy") else re.sub(r":\d+", f":{count}", strongest, count=1)


def drawn(title: str, found: list[tuple[int, Interval]], left: float) -> str:
    def at(count: float, share: float) -> tuple[float, float]:
        along = math.log(count / SIMULATIONS[0]) / math.log(SIMULATIONS[-1] / SIMULATIONS[0])
        return left + LEFT + 10 + (WIDE - LEFT - 30) * along, TOP + (HIGH - TOP - ROOM) * (1 - share)

    parts = [f'<text x="{left + LEFT}" y="18" font-weight="bold">{title}</text>']
    for percent in (0, 25, 50, 75, 100):
        y = at(100, percent / 100)[1]
        parts.append(f'<path d="M{left + LEFT},{y:.1f}h{WIDE - LEFT - 10}" stroke="#d8d2c2"/>')
        parts.append(f'<text x="{left + LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(count, won.share) for count, won in found))
    parts.append(f'<polyline points="{line}" fill="none" stroke="#2b6ca3" stroke-width="2"/>')
    for count, won in found:
        (x, low), (_, high), (_, y) = at(count, won.low), at(count, won.high), at(count, won.share)
        parts.append(
            f'<path d="M{x:.1f},{low:.1f}V{high:.1f}" stroke="#2b6ca3"/><circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#2b6ca3"/>'
        )
        parts.append(f'<text x="{x:.1f}" y="{HIGH - 6}" text-anchor="middle">{count:,}</text>')
    return "".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", help="which games (default: all)")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs"), help="the folder that keeps the games (default: runs)")
    parser.add_argument("--plot", type=Path, help="an SVG file for the drawing")
    asked = parser.parse_args()
    print(f"| game | bot, against `{OPPONENT}` | wins | 95 % | games | worst s |\n|---|---|---|---|---|---|", flush=True)
    drawings: list[str] = []
    for game in [find(name) for name in asked.names] or every_game():
        found = []
        for count in SIMULATIONS:
            own = with_simulations(game, count)
            contest = Contest(game.name, 2, (own, OPPONENT), "thinking", {}, True)
            outcomes = contend(contest, asked.games, asked.workers, asked.out / f"thinking-{game.name}-{count}" / "games.jsonl")
            won = duel(outcomes, own, OPPONENT)
            longest = max(each.longest[each.line_up.index(own)] for each in outcomes)
            share = f"{100 * won.share:.1f} % | {100 * won.low:.1f}-{100 * won.high:.1f}"
            print(f"| {game.title} | `{own}` | {share} | {len(outcomes)} | {longest:.2f} |", flush=True)
            found.append((count, won))
        drawings.append(drawn(game.title, found, WIDE * len(drawings)))
    if asked.plot:
        size = f"{WIDE * len(drawings)} {HIGH}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="11" fill="#38342a">'
        asked.plot.write_text(f'{head}<rect width="100%" height="100%" fill="#fbf7ec"/>{"".join(drawings)}</svg>\n')


if __name__ == "__main__":
    main()
