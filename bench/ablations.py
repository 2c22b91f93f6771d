"""What each part of a learned bot is worth: `python bench/ablations.py GAME [--seats S] [--games N] [--folder DIR] [--workers W]`.

Two nets are trained from nothing, as `sheepfold train` would, one of them half as wide. Then the whole bot, alone against others that each
lack one thing: the net at the leaves, its weights for what to try, the net altogether (the game's judge guides), half the width, the last
round of training. Everybody has as many simulations; so half a share, with two seats, says that the thing is worth nothing. Nets and games
are kept, so that the same command goes on.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import sheepfold
from sheepfold.arena.arena import Contest, contend, duel
from sheepfold.learning.training import Plan, Run


def trained(run: Run, rounds: int) -> None:
    """Go on until so many rounds are learned; the net of each is kept."""
    going = run.go_on(lambda *_: None)
    while run.state.rounds < rounds:
        next(going)
        net = (run.folder / "learned.net").read_bytes()
        (run.folder / f"{run.state.rounds}.net").write_bytes(net)
        print(f"{run.folder}: round {run.state.rounds}, {run.state.games} games, {run.state.seconds:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--learn", type=int, default=200, help="games of a round (200)")
    parser.add_argument("--games", type=int, default=200, help="games against each (200)")
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=Path("runs/ablations"))
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    setup, folder, rounds = sheepfold.load(arguments.game, seats=arguments.seats), arguments.folder, arguments.rounds
    whole, half = Plan().widths, (48, 18)
    for name, widths in (("whole", whole), ("half", half)):
        plan = Plan(games=arguments.learn, widths=widths, measured=rounds + 1)
        trained(Run(setup, folder / name, plan, arguments.workers), rounds)
    bot = f"guided:{arguments.simulations}"
    net = f"{bot}:net={folder / 'whole' / f'{rounds}.net'}"
    others = {
        "no net at the leaves": f"{net}:no-leaves",
        "no weights for what to try": f"{net}:no-priors",
        "the judge instead of the net": f"{bot}:judge",
        "half the width": f"{bot}:net={folder / 'half' / f'{rounds}.net'}",
        "one round of training less": f"{bot}:net={folder / 'whole' / f'{rounds - 1}.net'}",
    }
    print("| the whole against | wins | 95 % | games |\n|---|---|---|---|", flush=True)
    for what, other in others.items():
        contest = Contest(arguments.game, arguments.seats, (net, other), "ablations", {}, True)
        outcomes = contend(contest, arguments.games, arguments.workers, folder / f"{what.replace(' ', '-')}.jsonl")
        won = duel(outcomes, net, other)
        print(f"| {what} | {100 * won.share:.1f} % | {100 * won.low:.1f}-{100 * won.high:.1f} | {len(outcomes)} |", flush=True)


if __name__ == "__main__":
    main()
