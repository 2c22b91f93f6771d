"""The measurements of docs/bots.md, as one run each: `python bench/bots.py [--out DIR] [--workers W] [--table] [NAME ...]`.

A line of bots.toml says who plays whom, how often and with which seed; `NAME` is a line or the beginning of some. Games are kept,
so that a run that was stopped goes on, and `--table` only prints what is there. Counted are the wins of the first bot, alone against
the other in all other seats.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path

from sheepfold.arena.arena import Contest, Outcome, contend, duel
from sheepfold.arena.report import ladder_from
from sheepfold.bots.thinkers import settings_of
from sheepfold.game.registry import find


def lines() -> dict[str, dict[str, str | int]]:
    with Path(__file__).with_suffix(".toml").open("rb") as file:
        table: dict[str, dict[str, str | int]] = tomllib.load(file)
    return table


def same_levels(folder: Path, contest: Contest) -> None:
    """Refuse to go on with games of levels that were set otherwise then. Folders of before this was written down are trusted."""
    start = contest.setup().start()
    known = find(contest.game).levels
    levels = {each: settings_of(start, each) for each in contest.bots if each in known}
    file = folder / "levels.json"
    if file.exists() and json.loads(file.read_text()) != levels:
        sys.exit(f"{folder} has games of {file.read_text()}, now it is {json.dumps(levels)}: move it away, or give another --out")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(levels))


def row(name: str, contest: Contest, outcomes: list[Outcome]) -> str:
    """A line of the table in docs/bots.md: what, wins, interval, games, the first bot's longest thought."""
    one, other = contest.bots
    won = duel(outcomes, one, other)
    longest = max(each.longest[each.line_up.index(one)] for each in outcomes)
    what = f"{find(contest.game).title}, {contest.seats} | `{one}` | `{other}`"
    share = f"{100 * won.share:.1f} % | {100 * won.low:.1f}-{100 * won.high:.1f}"
    return f"| `{name}` | {what} | {share} | {len(outcomes)} | {longest:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which lines of bots.toml (default: all)")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="the folder that keeps the games (default: runs)")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="play nothing, print what is there")
    arguments = parser.parse_args()
    print("| | game, seats | who | against | wins | 95 % | games | worst s |\n|---|---|---|---|---|---|---|---|", flush=True)
    for name, line in lines().items():
        if arguments.names and not any(name.startswith(each) for each in arguments.names):
            continue
        folder = arguments.out / name
        bots = tuple(str(line["bots"]).split(","))
        contest = Contest(str(line["game"]), int(line["seats"]), bots, str(line["seed"]), {}, True)
        if arguments.table:
            outcomes = ladder_from(folder)[1] if (folder / "games.jsonl").exists() else []
        else:
            same_levels(folder, contest)
            outcomes = contend(contest, int(line["games"]), arguments.workers, folder / "games.jsonl")
        if outcomes:
            print(row(name, contest, outcomes), flush=True)


if __name__ == "__main__":
    main()
