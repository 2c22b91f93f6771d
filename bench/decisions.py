"""How well each level plays, decision by decision: `python bench/decisions.py [--games N] [--show N] [--level NAME] [GAME ...]`.

Levels play against themselves; every decision is held against the values that a full look (`greedy:8`) gives all choices from the
same view. Told is how often the best was played, something within 2 % of a win of it, and something that costs more than 10 %.
`--show N` prints so many decisions of each level, spread over its games, as a person in that seat would see them: the board, what
was played, and the three best.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from sheepfold.ansi import plain
from sheepfold.bots import LEVELS, bot
from sheepfold.bots.greedy import Greedy
from sheepfold.bots.thinkers import GreedyBot, evaluator_of, thinker
from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, Position
from sheepfold.core.sequential import sequential, unwrapped
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game, find
from sheepfold.messages import Voice

NEAR, FAR = 0.02, 0.1
"""What is as good as the best, and what is plainly worse, in shares of a win."""


@dataclass(frozen=True)
class Decision:
    """One decision of a bot."""

    view: Position
    chosen: int
    values: list[tuple[int, float]]
    """What the judge finds of all choices, best first."""

    @property
    def loss(self) -> float:
        return self.values[0][1] - dict(self.values)[self.chosen]


def judged(judge: GreedyBot, view: Position, dice: Dice) -> list[tuple[int, float]]:
    """Every legal action with its value by a full look, best first, also what the evaluator would not look at."""
    values = judge.think(view, dice)
    evaluator, mover = evaluator_of(view, judge.judging), view.to_act
    look = Greedy(evaluator, judge.guesses)
    guesses = [view.determinize(dice) for _ in range(judge.guesses)]
    for action in sorted(set(view.legal()) - {action for action, _ in values}):
        values.append((action, sum(look.after(each, action, mover, dice, look.decisions) for each in guesses) / len(guesses)))
    return sorted(values, key=lambda choice: -choice[1])


def decisions(game: Game, seats: int, level: str, judge: GreedyBot, games: int) -> Iterator[Decision]:
    """Every decision of a level against itself."""
    player = bot(level)
    for number in range(games):
        dice = Dice("decisions").split(game.name, level, number)
        thoughts, judging = dice.split("bots"), dice.split("judge")
        position = sequential(game.setup(seats).start())
        while position.to_act != OVER:
            if position.to_act == CHANCE or len(position.legal()) == 1:
                position.advance(position.random_action(dice))
                continue
            view = position.seen_by(position.to_act)
            chosen = player.choose(view, thoughts)
            yield Decision(view, chosen, judged(judge, view, judging))
            position.advance(chosen)


def shown(game: Game, decision: Decision, voice: Voice) -> str:
    """A decision as its player sees it."""
    view, values = unwrapped(decision.view), decision.values

    def said(action: int, value: float) -> str:
        words = game.describe(view, action, voice) if action < view.action_count else "-"
        return f"{words}   ({100 * value:.1f} %)"

    lines = [plain(game.text_picture(view, decision.view.to_act, 100)), game.prompt(view, voice)]
    lines.append(f"played: {said(decision.chosen, dict(values)[decision.chosen])}")
    lines += [f"  best: {said(action, value)}" for action, value in values[:3]]
    lines.append(f"        of {len(values)} choices, on average {100 * sum(value for _, value in values) / len(values):.1f} %")
    return "\n".join(lines)


def row(losses: list[float]) -> str:
    """How often the best was played, something as good, something plainly worse, and how many decisions there were."""
    counts = (sum(loss <= 1e-9 for loss in losses), sum(loss <= NEAR for loss in losses), sum(loss > FAR for loss in losses))
    return f"{' | '.join(f'{100 * count / len(losses):.1f} %' for count in counts)} | {len(losses)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", help="which games (default: all)")
    parser.add_argument("--games", type=int, default=20, help="games of each level (default: 20)")
    parser.add_argument("--show", type=int, default=0, help="how many decisions of each level are printed")
    parser.add_argument("--seats", type=int, default=0, help="how many play (default: as the ladder in docs/bots.md)")
    parser.add_argument("--judge", default="greedy:8", help="a greedy bot (default: greedy:8)")
    parser.add_argument("--level", action="append", help="which levels (default: all but the strongest)")
    arguments = parser.parse_args()
    judge = thinker(arguments.judge)
    assert isinstance(judge, GreedyBot)
    if not arguments.show:
        print("| game, seats | level | the best | within 2 % | more than 10 % worse | decisions |\n|---|---|---|---|---|---|", flush=True)
    for game in [find(name) for name in arguments.names] or every_game():
        seats = arguments.seats or min(4, max(game.seats))
        voice = Voice([game.folder / "locale"])
        for level in arguments.level or LEVELS[:-1]:
            found = list(decisions(game, seats, level, judge, arguments.games))
            if arguments.show:
                for decision in found[:: max(1, len(found) // arguments.show)][: arguments.show]:
                    print(f"== {game.title}, {level}\n{shown(game, decision, voice)}\n", flush=True)
                continue
            print(f"| {game.title}, {seats} | {level} | {row([each.loss for each in found])}", flush=True)


if __name__ == "__main__":
    main()
