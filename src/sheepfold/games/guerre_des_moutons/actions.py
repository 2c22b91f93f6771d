"""The numbers of La Guerre des Moutons: actions, and stages, which say what is to be decided.

A play is two small decisions, first what and then where, so that the bound stays small:
      0-135    lay this face (see tiles.py). Only faces that fit somewhere are offered, so the second half exists.
    136-139    reveal the own '?' tile of that colour
    140-142    pass, retire, done (no more wolves or hunters; no extra play; leave it at that)
    143-146    where: on top of that wolf
    147-730    where: 147 + 4 x (rank of the open place in reading order) + quarter turns clockwise
Chance outcomes are seats (0-3, who begins), colours (136-139) and tiles (0-67). Between what and where, and between announced wolves and
hunters, nobody can interrupt; as nothing is drawn or seen there either, choosing wolves and hunters one by one is the same as announcing
all of them first.
"""

from __future__ import annotations

from typing import Final

PASS: Final = 140
RETIRE: Final = 141
DONE: Final = 142
ON_WOLF: Final = 143
PLACE: Final = 147
ACTIONS: Final = 731

# Stages: what is to be decided.
DEAL: Final = 0
DRAW: Final = 1
TURN: Final = 2
CONTENT: Final = 3
"""The own turn, after laying a wolf or hunter: the player may leave it at that."""
LAY: Final = 4
LAY_SHEPHERD: Final = 5
LAY_EXTRA: Final = 6
LAY_SPECIAL: Final = 7
EXTRA: Final = 8
MORE: Final = 9
"""One more wolf or hunter of the same announcement, or done."""
END: Final = 10

# What follows when all draws are made.
NEXT_TURN: Final = 0
EXTRA_PLAY: Final = 1
GO_ON: Final = 2

REDRAWS: Final = 3
"""So often in a row are all hands drawn again (GM-7)."""
PLY_BOUND: Final = 4 + 68 + 73 * 3 + 4 * 4 + 74 * ((REDRAWS + 1) * 4 + REDRAWS * 68)
"""Deals; draws; two decisions a tile and at most one 'done'; retiring after three passes; and before and after every tile four rounds of
passes and three redraws. A usual game has 250 events or fewer; only the redraws make the bound so large."""
