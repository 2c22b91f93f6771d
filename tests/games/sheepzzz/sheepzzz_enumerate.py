"""Every way `determinize` can turn out, with its exact probability; run as a program it prints them as JSON.

It is run by test_sheepzzz_secrets.py as plain Python (SHEEPFOLD_PURE=1), because compiled code does not call the dice from here.
"""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction

from sheepzzz_table import held, lying, table

from sheepfold import Dice
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.rules import DECK, DRAW, HAND, Sheepzzz

SMALL = """
    up, clockwise
    piles: 14 | 6 | 12
    A> 9 10/5
    B: 7 wolf
    C: 8/3 11
    deck: wolf wolf 13 15
    rest: under 3
"""
VIEWER = 0
UNSEEN = "?"
LINE = ["9/0 on 2", "draw 15/0", "wolf on 1", "draw 14/0", UNSEEN, "11/0 on 1", UNSEEN]
"""What the viewer sees happen: its own play and draw, a wolf from B, a sheep from C; UNSEEN is a card that somebody else draws unseen."""


class EveryDice(Dice):
    """Follows a script of outcomes and notes how many there were at each draw."""

    def __init__(self, script: list[int]) -> None:
        super().__init__(0)
        self.script = script
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        at = len(self.bounds) - 1
        return self.script[at] if at < len(self.script) else 0


def guesses(view: Sheepzzz) -> dict[tuple[int, ...], Fraction]:
    """The exact distribution of what `determinize` gives."""
    found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    waiting: list[list[int]] = [[]]
    while waiting:
        script = waiting.pop()
        dice = EveryDice(script)
        world = view.determinize(dice)
        if len(dice.bounds) > len(script):
            waiting += [[*script, outcome] for outcome in range(dice.bounds[len(script)])]
            continue
        chance = Fraction(1)
        for bound in dice.bounds:
            chance /= bound
        found[world.key()] += chance
    return found


def deals() -> list[Sheepzzz]:
    """Every way the cards that A does not see can lie at the start, each equally likely: B has two, C has two, four are the deck."""
    start = table(SMALL)
    unseen = [card for card in range(start.cards.count) if start.place[card] in (DECK, HAND + 1, HAND + 2)]
    found: list[Sheepzzz] = []

    def give(places: list[int]) -> None:
        if len(places) == len(unseen):
            world = start.copy()
            for card, place in zip(unseen, places, strict=True):
                world.place[card] = place
            found.append(world)
            return
        for place, room in ((DECK, 4), (HAND + 1, 2), (HAND + 2, 2)):
            if places.count(place) < room:
                give([*places, place])

    give([])
    return found


def posterior() -> tuple[Sheepzzz, dict[tuple[int, ...], Fraction]]:
    """What can be the case after LINE, as Bayes has it, and one such world.

    Every deal and every draw is followed; a player who plays a card is taken to have drawn it blindly from the hand, so it says nothing
    about the others.
    """
    worlds = [(world, Fraction(1)) for world in deals()]
    for event in LINE:
        following = []
        for world, chance in worlds:
            before = world.hand_size[world.turn]
            actions = world.legal()
            weights = [Fraction(weight, sum(world.weights())) for weight in world.weights()] if world.to_act < 0 else []
            if event == UNSEEN:
                assert world.stage == DRAW
                for action, weight in zip(actions, weights, strict=True):
                    after = world.copy()
                    after.apply(action)
                    following.append((after, chance * weight))
                continue
            texts = [GAME.write(world, action) for action in actions]
            if event not in texts:
                continue
            at = texts.index(event)
            if world.to_act < 0:
                likely = weights[at]
            elif world.to_act == VIEWER:
                likely = Fraction(1)
            else:
                card = event.split(" ")[0]
                likely = Fraction(held(world, int(world.turn)).count(card), int(before))
            after = world.copy()
            after.apply(actions[at])
            following.append((after, chance * likely))
        worlds = following
    found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    total = sum((chance for _, chance in worlds), Fraction(0))
    for world, chance in worlds:
        found[world.key()] += chance / total
    return worlds[0][0], dict(found)


def main() -> None:
    world, expected = posterior()
    found = guesses(world.seen_by(VIEWER))
    print(json.dumps({
        "unseen": lying(world.seen_by(VIEWER), DECK),
        "expected": {str(key): str(chance) for key, chance in expected.items()},
        "guessed": {str(key): str(chance) for key, chance in found.items()},
    }))  # fmt: skip


if __name__ == "__main__":
    main()
