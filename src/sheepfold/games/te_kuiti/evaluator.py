"""What a position of Te Kuiti is worth, for bots, and what is worth looking at.

The Shepherd's aim is a region whose border is nearly fenced: `region` looks for the one with the most tiles for the
fences that are missing, each at a price in tiles. The Sheep player's aim is pairs that have been seen and are not enclosed.
Playouts and search follow these aims, because fences and tiles drawn at random lead nowhere.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from mypy_extensions import i64

from sheepfold.core.bits import ones
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import append, vec
from sheepfold.core.position import OVER, Position
from sheepfold.games.te_kuiti.rules import (
    ALL_CELLS,
    ALL_LYING,
    ALL_STANDING,
    CELL_BIT,
    CELLS,
    FACE,
    FIRST,
    FIRST_FENCE,
    GIVE_UP,
    MOODS,
    RAMMING,
    REMOVE,
    SIDE,
    TURN,
    TURNING,
    TeKuiti,
    count_of,
    edges_of,
)

PRICES: Final = (0.35, 0.7, 1.1)
"""What a missing fence may cost, in tiles: cheap fences make large regions, dear ones small."""
FINE: Final = 1000
"""In how many parts the chance to remember a tile is reckoned."""


class TeKuitiEvaluator(Evaluator):
    """Judges by what is enclosed and taken, by the best region and by the pairs that are known."""

    price: float
    """What a missing fence of the best region costs, in tiles."""
    pair: float
    """What a known pair in the open is worth, for the first; each further one half of that."""
    single: float
    """What a sheep in the open is worth that is known alone."""
    patience: float
    """1: turns new tiles as long as all known pairs can still be taken later; 0: takes a known pair at once."""

    def __init__(
        self,
        scale: float = 4.0,
        margin: float = 0.1,
        price: float = 0.7,
        pair: float = 1.4,
        single: float = 0.15,
        patience: float = 0.0,
    ) -> None:
        super().__init__(scale, margin)
        self.price = price
        self.pair = pair
        self.single = single
        self.patience = patience

    def points(self, position: Position) -> list[float]:
        assert isinstance(position, TeKuiti)
        expected = [float(points) for points in position.scores()]
        if position.to_act == OVER:
            return expected
        if position.seats == 1:
            expected[0] = expected[0] + max(0.1, 5.0 - 1.5 * float(position.enclosed_tiles()) + 0.5 * self.pairs(position))
            return expected
        inside = region(position, self.price)
        gain = float(ones(position.tiles & position.reached & inside)) - self.price * float(missing(position, inside))
        expected[position.shepherd] = expected[position.shepherd] + gain
        expected[position.sheep] = expected[position.sheep] + self.pairs(position)
        return expected

    def pairs(self, position: TeKuiti) -> float:
        """What the sheep that have been seen and can be turned are worth to who looks for pairs."""
        seen = vec[i64]([0] * (MOODS + 2))
        open_cells = position.tiles & position.reached
        cell: i64 = 0
        while cell < CELLS:
            if position.known[cell] != 0 and open_cells & CELL_BIT[cell]:
                seen[position.mood(cell)] += 1
            cell += 1
        worth = 0.0
        next_pair = self.pair
        mood: i64 = 0
        while mood < MOODS:
            if seen[mood] % 2 == 1:
                worth += self.single
            if seen[mood] >= 2:
                worth += next_pair * float(seen[mood] // 2)
                next_pair *= 0.5
            mood += 1
        return worth

    def spread(self, position: Position) -> float:
        assert isinstance(position, TeKuiti)
        rounds = float(1 - position.round) + float(position.supply) / 30.0
        return self.scale * sqrt(0.1 + 0.5 * rounds)

    def blurred(self, view: Position, memory: float, dice: Dice) -> Position:
        assert isinstance(view, TeKuiti)
        seen = TeKuiti(view.terms, view)
        cell: i64 = 0
        while cell < CELLS:
            if seen.known[cell] != 0 and seen.up & CELL_BIT[cell] == 0:
                age = seen.turn - seen.seen_at[cell]
                if float(dice.below(FINE)) >= float(FINE) * 0.5 ** (float(age) / memory):
                    face = seen.known[cell] - 1
                    seen.unseen[count_of(face)] += 1
                    seen.known[cell] = 0
                    seen.seen_at[cell] = 0
            cell += 1
        return seen

    def quiet(self, position: Position) -> bool:
        assert isinstance(position, TeKuiti)
        return position.stage == FIRST_FENCE or position.seats == 1

    def sensible(self, position: Position) -> list[int]:
        """Fences round a good region; tiles of known pairs and tiles never seen; fences whose removal opens something."""
        assert isinstance(position, TeKuiti)
        if position.late:
            return position.legal()
        found: list[int] = []
        if position.seats == 1 and position.stage != TURNING:
            found = [action for action in position.legal() if action != GIVE_UP]
        elif position.stage == TURNING:
            for cell in good_tiles(position, self.turns_left(position)):
                found.append(TURN + cell)
        elif position.fencing():
            lying: i64 = 0
            standing: i64 = 0
            for price in PRICES:
                more_lying, more_standing = border(region(position, price))
                lying |= more_lying
                standing |= more_standing
            for edge in edges_of(lying & position.lying, standing & position.standing):
                found.append(edge)
        elif position.stage == RAMMING:
            lying, standing = border(region(position, PRICES[1]) | (ALL_CELLS & ~position.reached))
            for edge in edges_of(lying & ~position.lying, standing & ~position.standing):
                found.append(REMOVE + edge)
        return found if len(found) > 0 else position.legal()

    def turns_left(self, position: TeKuiti) -> i64:
        """How many turns the Sheep player still has, this one included, until the best region is closed; none to who is not patient."""
        if self.patience == 0.0 or position.seats == 1:
            return 0
        return (missing(position, region(position, self.price)) + 1) // 2

    def branch(self, position: Position, outcome: i64) -> i64:
        """Flowers matter in the solo game only."""
        if position.seats == 1 or outcome < FACE or outcome >= FIRST:
            return outcome
        return outcome - (outcome - FACE) % 5

    def playout_action(self, position: Position, dice: Dice) -> i64:
        assert isinstance(position, TeKuiti)
        if position.seats == 1 or position.late:
            return position.random_action(dice)
        stage = position.stage
        if stage == TURNING:
            cells = good_tiles(position, self.turns_left(position))
            return TURN + cells[dice.below(len(cells))]
        fencing = position.fencing()
        if not fencing and stage != RAMMING:
            return position.random_action(dice)
        inside = region(position, PRICES[dice.below(3)])
        lying, standing = border(inside if fencing else inside | (ALL_CELLS & ~position.reached))
        lying &= position.lying if fencing else ~position.lying
        standing &= position.standing if fencing else ~position.standing
        chosen: i64 = -1
        count: i64 = 0
        for edge in edges_of(lying, standing):
            count += 1
            if dice.below(count) == 0:
                chosen = edge
        if chosen < 0:
            return position.random_action(dice)
        return chosen if fencing else REMOVE + chosen


def region(position: TeKuiti, price: float) -> i64:
    """The cells that are best fenced in, if a missing fence costs that many tiles; never one that the supply cannot finish.

    Two searches: all cells, from which the dear ones fall away, and the enclosed ones, to which cheap ones are added.
    """
    large = improved(position, ALL_CELLS, price)
    enclosed = ALL_CELLS & ~position.reached
    small = improved(position, enclosed, price)
    while missing(position, small) > position.supply and price < 2.0:
        price *= 1.5
        small = improved(position, enclosed, price)
    if missing(position, large) > position.supply or worth(position, small, price) > worth(position, large, price):
        return small
    return large


def worth(position: TeKuiti, inside: i64, price: float) -> float:
    """The tiles of a region, less the price of the fences it lacks."""
    return float(ones(position.tiles & inside)) - price * float(missing(position, inside))


def improved(position: TeKuiti, inside: i64, price: float) -> i64:
    """A region to which no single cell is worth adding and from which none is worth leaving out."""
    changed = True
    while changed:
        changed = False
        cell: i64 = 0
        while cell < CELLS:
            bit = CELL_BIT[cell]
            around: i64 = 0
            side: i64 = 0
            while side < 4:
                if not position.fenced(SIDE[4 * cell + side]):
                    around += 1 if neighbour(bit, side) & inside else -1
                side += 1
            gain = price * float(around)
            if position.tiles & bit:
                gain += 1.0
            is_in = (inside & bit) != 0
            if is_in and gain < -0.001:
                inside -= bit
                changed = True
            elif not is_in and gain > 0.001:
                inside += bit
                changed = True
            cell += 1
    return inside


def neighbour(bit: i64, side: i64) -> i64:
    """The place beside a place, both as bits of the frame."""
    if side == 0:
        return bit >> 7
    if side == 1:
        return bit << 1
    return bit << 7 if side == 2 else bit >> 1


def border(inside: i64) -> tuple[i64, i64]:
    """The edges between a region and what is round it, lying and standing ones, as the rules keep them."""
    return (inside ^ inside >> 7) & ALL_LYING, (inside ^ inside >> 1) & ALL_STANDING


def missing(position: TeKuiti, inside: i64) -> i64:
    """How many fences a region lacks."""
    lying, standing = border(inside)
    return ones(lying & position.lying) + ones(standing & position.standing)


def good_tiles(position: TeKuiti, turns: i64) -> vec[i64]:
    """The cells worth turning: the match of the sheep that is up; else known pairs, if they cannot all be taken after this one of so
    many turns; else what was never seen; else any. A turn that begins with a new tile may take a pair with it, too, and what is learned
    late is of no use."""
    turnable = position.turnable()
    wanted: i64 = -1
    if position.revealed == 1 and position.up & position.reached & CELL_BIT[position.first]:
        wanted = position.mood(position.first)
    seen = vec[i64]([0] * (MOODS + 2))
    cell: i64 = 0
    while cell < CELLS:
        if turnable & CELL_BIT[cell] and position.known[cell] != 0:
            seen[position.mood(cell)] += 1
        cell += 1
    matches = vec[i64]()
    fresh = vec[i64]()
    others = vec[i64]()
    cell = 0
    while cell < CELLS:
        if turnable & CELL_BIT[cell]:
            if position.known[cell] == 0:
                fresh = append(fresh, cell)
            elif position.mood(cell) == wanted or (position.revealed == 0 and seen[position.mood(cell)] >= 2):
                matches = append(matches, cell)
            else:
                others = append(others, cell)
        cell += 1
    pairs: i64 = 0
    mood: i64 = 0
    while mood < MOODS:
        pairs += seen[mood] // 2
        mood += 1
    if len(matches) > 0 and (wanted >= 0 or pairs >= turns or len(fresh) == 0):
        return matches
    return fresh if len(fresh) > 0 else others


EVALUATOR: Final = TeKuitiEvaluator()
