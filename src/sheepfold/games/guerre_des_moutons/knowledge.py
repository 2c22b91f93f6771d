"""What passing tells in La Guerre des Moutons: who passes has nothing that fits, which everybody remembers (GM-5, GM-30).

The one idea: the slots of a hand that have been there since a pass cannot hold what fitted then. `Passed` keeps that for a hand as it
goes on, and a `HandPlan` fills such slots, so that every deal that may be comes out as often as it should.
"""

from __future__ import annotations

import math

from mypy_extensions import i64

from sheepfold.core.bits import BIT, nth_bit, ones
from sheepfold.core.dice import Dice
from sheepfold.core.travel import remembers
from sheepfold.games.guerre_des_moutons.tiles import LANDSCAPES, NO_TILE, WOLVES


class Passed:
    """What everybody knows of a hand because its owner passed: nothing in it fitted (GM-5). Never changed, only replaced.

    The tiles that were in hand at a pass can be none of those that fitted then; tiles drawn later can. So a hand has eras: `barred` are the
    masks of excluded landscapes and wolf or hunter tiles by era, oldest first, each within the one before; tiles drawn since the last pass
    are free. When such a player lays a tile, it may have come from several eras. Each of `cases` says how many tiles of each era are
    left, and `ways` in how many ways the hand's slots can have come to it; together with how many fillings a case has
    (`drawn_plan` counts them) that is exactly how likely it is.

    All that is only worked out when somebody asks: most positions are played on and nobody does. Until then a pass, or a tile that was laid
    since, is remembered as what happened to what was known `before`.
    """

    before: Passed | None
    held: i64
    tile: i64
    """The tile that was laid, one of `held`, or NO_TILE: the hand passed while these landscapes and specials fitted."""
    landscapes: i64
    specials: i64
    worked_out: Eras | None

    def __init__(self, before: Passed | None, held: i64, tile: i64, landscapes: i64, specials: i64) -> None:
        self.before = before
        self.held = held
        self.tile = tile
        self.landscapes = landscapes
        self.specials = specials
        self.worked_out = None

    def eras(self) -> Eras:
        waiting: list[Passed] = []
        at: Passed | None = self
        eras: Eras | None = None
        while at is not None:
            eras = at.worked_out
            if eras is not None:
                break
            waiting.append(at)
            at = at.before
        if eras is None:
            eras = Eras([], [()], [1])
        while waiting:
            at = waiting.pop()
            if at.tile == NO_TILE:
                eras = eras.after_pass(int(at.held), int(at.landscapes), int(at.specials))
            else:
                eras = eras.after_laying(int(at.held), int(at.tile))
            at.worked_out = eras
            at.before = None
        return eras

    def __reduce__(self) -> tuple[object, ...]:
        eras = self.eras()
        return _recalled, (eras.barred, eras.cases, eras.ways)

    @property
    def barred(self) -> list[tuple[int, int]]:
        return self.eras().barred

    @property
    def cases(self) -> list[tuple[int, ...]]:
        return self.eras().cases

    @property
    def ways(self) -> list[int]:
        return self.eras().ways

    def numbers(self) -> list[int]:
        """For keys."""
        eras = self.eras()
        numbers = [len(eras.barred)]
        if eras.barred:
            for landscapes, specials in eras.barred:
                numbers += [landscapes, specials]
            for case, ways in zip(eras.cases, eras.ways, strict=True):
                numbers += [*case, ways]
        return numbers


class Eras:
    """See `Passed`; without any era nothing is known."""

    barred: list[tuple[int, int]]
    cases: list[tuple[int, ...]]
    ways: list[int]

    def __init__(self, barred: list[tuple[int, int]], cases: list[tuple[int, ...]], ways: list[int]) -> None:
        self.barred = barred
        self.cases = cases
        self.ways = ways

    def oldest_left(self, whole: int) -> int:
        """How many tiles of the oldest era are left in the mean of all cases, times `whole`, rounded."""
        left = sum([case[0] * ways for case, ways in zip(self.cases, self.ways, strict=True)])
        return (2 * whole * left + sum(self.ways)) // (2 * sum(self.ways))

    def after_pass(self, held: int, landscapes: int, specials: int) -> Eras:
        """What is known when a hand of so many tiles has passed while these tiles would have fitted."""
        barred = [(old | landscapes, olds | specials) for old, olds in self.barred]
        found: dict[tuple[int, ...], int] = {}
        for case, ways in zip(self.cases, self.ways, strict=True):
            found[(*case, held - sum(case))] = ways
        return _tidied([*barred, (landscapes, specials)], found)

    def after_laying(self, held: int, tile: int) -> Eras:
        """What is known when a hand of so many tiles, this one included, has laid the tile."""
        found: dict[tuple[int, ...], int] = {}
        bit = 1 << (tile if tile < LANDSCAPES else tile - WOLVES)
        for case, ways in zip(self.cases, self.ways, strict=True):
            free = held - sum(case)
            if free > 0:
                found[case] = found.get(case, 0) + ways * free
            for era, left in enumerate(case):
                masks = self.barred[era]
                if left > 0 and not (masks[0] if tile < LANDSCAPES else masks[1]) & bit:
                    fewer = (*case[:era], left - 1, *case[era + 1 :])
                    found[fewer] = found.get(fewer, 0) + ways * left
        return _tidied(self.barred, found)


def _tidied(barred: list[tuple[int, int]], found: dict[tuple[int, ...], int]) -> Eras:
    """Cases in order, without eras that are used up or bar the same tiles as the era before."""
    kept: list[tuple[int, int]] = []
    joined: list[list[int]] = []
    for era, masks in enumerate(barred):
        if all(case[era] == 0 for case in found):
            continue
        if kept and kept[-1] == masks:
            joined[-1].append(era)
        else:
            kept.append(masks)
            joined.append([era])
    merged: dict[tuple[int, ...], int] = {}
    for case, ways in found.items():
        shorter = tuple([sum([case[era] for era in eras]) for eras in joined])
        merged[shorter] = merged.get(shorter, 0) + ways
    divisor = math.gcd(*merged.values())
    cases = sorted(merged)
    return Eras(kept, cases, [merged[case] // divisor for case in cases])


def _recalled(barred: list[tuple[int, int]], cases: list[tuple[int, ...]], ways: list[int]) -> Passed:
    """What was known of a hand in another process."""
    passed = Passed(None, 0, NO_TILE, 0, 0)
    passed.worked_out = Eras(barred, cases, ways)
    return passed


remembers(_recalled)


def after_pass(known: Passed | None, held: i64, landscapes: i64, specials: i64) -> Passed:
    """What is known when a hand of so many tiles has passed while these tiles would have fitted."""
    return Passed(known, held, NO_TILE, landscapes, specials)


def after_laying(known: Passed, held: i64, tile: i64) -> Passed:
    """What is known when a hand of so many tiles, this one included, has laid the tile."""
    return Passed(known, held, tile, 0, 0)


class HandPlan:
    """One way in which slots may have come about: which slots there are, most restricted first, and what each may hold."""

    weight: float
    """The logarithm of the ways times the bound on the fillings."""
    seats: list[int]
    allowed: list[tuple[int, int]]
    most: list[int]

    def __init__(self, weight: float, groups: list[tuple[int, int, int, int]], unseen: int) -> None:
        sized = sorted([(int(ones(group[1]) + ones(group[2])), group) for group in groups])
        self.seats = []
        self.allowed = []
        self.most = []
        for size, (seat, landscapes, specials, count) in sized:
            for _ in range(count):
                within = sum([1 for earlier in self.allowed if not earlier[0] & ~landscapes and not earlier[1] & ~specials])
                self.seats.append(seat)
                self.allowed.append((landscapes, specials))
                self.most.append(size - within)
        self.weight = weight + math.lgamma(unseen - len(self.seats) + 1)
        for most in self.most:
            self.weight += math.log(most) if most > 0 else -math.inf

    def fill(self, dice: Dice) -> list[int] | None:
        """A tile for every slot (there may be none), or None: then draw a plan again."""
        tiles: list[int] = []
        landscapes_used: i64 = 0
        specials_used: i64 = 0
        chance = 1.0
        for masks, most in zip(self.allowed, self.most, strict=True):
            landscapes: i64 = masks[0]
            specials: i64 = masks[1]
            landscapes &= ~landscapes_used
            specials &= ~specials_used
            many = ones(landscapes)
            count = many + ones(specials)
            if count == 0:
                return None
            chance *= float(count) / float(most)
            rank = dice.below(count)
            if rank < many:
                tile = nth_bit(landscapes, rank)
                landscapes_used |= BIT[tile]
                tiles.append(int(tile))
            else:
                tile = nth_bit(specials, rank - many)
                specials_used |= BIT[tile]
                tiles.append(int(tile) + WOLVES)
        return tiles if chance >= 1.0 or dice.fraction() < chance else None


def _drawn_by_weight(logarithms: list[float], dice: Dice) -> int:
    """An index, as likely as the exponential of its number."""
    if len(logarithms) == 1:
        return 0
    highest = max(logarithms)
    weights = [math.exp(each - highest) for each in logarithms]
    left = dice.fraction() * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0.0:
            return index
    return weights.index(max(weights))


def plans_of(known: list[Passed | None], viewer: i64, landscapes: int, specials: int) -> list[HandPlan]:
    """One plan for each combination of the cases of the seats but the viewer's; none where nobody's pass is remembered."""
    unseen = int(ones(landscapes) + ones(specials))
    combinations: list[tuple[float, list[tuple[int, int, int, int]]]] = [(0.0, [])]
    seat: i64 = 0
    for passed in known:
        if passed is not None and seat != viewer:
            longer: list[tuple[float, list[tuple[int, int, int, int]]]] = []
            for weight, groups in combinations:
                for case, ways in zip(passed.cases, passed.ways, strict=True):
                    more = [
                        (int(seat), landscapes & ~masks[0], specials & ~masks[1], count)
                        for masks, count in zip(passed.barred, case, strict=True)
                        if count > 0
                    ]
                    longer.append((weight + math.log(ways), groups + more))
            combinations = longer
        seat += 1
    if len(combinations) == 1 and not combinations[0][1]:
        return []
    return [HandPlan(weight, groups, unseen) for weight, groups in combinations]


def drawn_plan(plans: list[HandPlan], dice: Dice) -> tuple[HandPlan, list[int]]:
    """A plan, and a tile for each of its slots.

    Slots are filled from the most to the least restricted, each from what is allowed and left. `most` bounds that number (earlier slots
    whose tiles are all allowed here too have certainly taken one each), and a filling is kept with a probability of the product of
    left / most: so every filling of every case comes out equally often, times its ways.
    """
    weights = [plan.weight for plan in plans]
    while True:
        plan = plans[_drawn_by_weight(weights, dice)]
        filled = plan.fill(dice)
        if filled is not None:
            return plan, filled
