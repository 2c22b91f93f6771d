"""What a position of La Guerre des Moutons is worth, for bots.

A seat has its largest closed pen and hopes for its best open one. An open pen closes when every open place beside it is filled, so its
hope is the product over these places: surer where the owner has a tile that fits, less where one must be drawn, none where nothing that
is left fits. A pen beside a forest counts less while a wolf can come there, and little once one is there. Whoever has left the game has
the bonus; who plays on hopes for a share of what is left of it and for the tiles of the bag, and when it is out, to be rid of the own.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from sheepfold.core.bits import BIT, first_bit, ones
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.packed import vec
from sheepfold.core.position import OVER, Position
from sheepfold.core.sequential import Sequential, unwrapped
from sheepfold.games.guerre_des_moutons.actions import END, RETIRE, TURN
from sheepfold.games.guerre_des_moutons.map import (
    FIRST_AREA,
    hunters_in,
    laid_area,
    laid_face,
    open_sides_of,
    place_code,
    place_meets,
    sheep_in,
)
from sheepfold.games.guerre_des_moutons.rules import BONUS, GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import COLOURS, FIRST_COLOUR, FOREST, HUNTER_BITS, WOLF_BITS, WOLVES

AREAS: Final = FIRST_AREA + 292
"""At most so many areas lie on the table: four on each of 73 tiles, and two for none."""
TILES: Final = 68.0
"""So many tiles are drawn from the bag in a whole game."""
NONE: Final = vec[i64]([0 for _ in range(AREAS)])
SURE: Final = vec[float]([1.0 for _ in range(AREAS)])
SAFE: Final = 0
IN_REACH: Final = 1
"""A wolf can still come to a forest beside the pen."""
THREATENED: Final = 2


class GuerreEvaluator(Evaluator):
    """Judges by pens closed and pens to close."""

    hope: float
    """How much of what an open pen might add is counted."""
    ready: float
    """How likely an open place is filled for which the owner has a tile."""
    place: float
    """The same where the tile must be drawn, if every tile fitted; with `draws` tiles drawn until then."""
    draws: float
    wolf: float
    """How much of a threatened pen is counted: a hunter may still come. `cure`: the same where the owner has one."""
    cure: float
    risk: float
    """What is taken from a pen in a wolf's reach if somebody else has a wolf; `prowl`: if one is in the bag."""
    prowl: float
    grow: float
    """What each tile that may still be drawn is worth to who plays on, so that nobody retires with the bag full."""
    tile: float
    """What each tile in hand is worth while there are some in the bag."""
    later: float
    """How much of an equal share of the bonus points that are left is counted."""
    stay: float
    """Nobody thinks of retiring while more than this part of all tiles is in the bag; 1 for whoever may at any time."""

    def __init__(
        self,
        scale: float = 6.5,
        margin: float = 0.1,
        hope: float = 0.85,
        ready: float = 0.7,
        place: float = 0.75,
        draws: float = 4.5,
        wolf: float = 0.4,
        cure: float = 0.9,
        risk: float = 0.45,
        prowl: float = 0.2,
        grow: float = 0.27,
        tile: float = 0.1,
        later: float = 0.2,
        stay: float = 1.0,
    ) -> None:
        super().__init__(scale, margin)
        self.hope = hope
        self.ready = ready
        self.place = place
        self.draws = draws
        self.wolf = wolf
        self.cure = cure
        self.risk = risk
        self.prowl = prowl
        self.grow = grow
        self.tile = tile
        self.later = later
        self.stay = stay

    def points(self, position: Position) -> list[float]:
        assert isinstance(position, GuerreDesMoutons)
        if position.to_act == OVER or position.stage == END:
            return [float(points) for points in position.scores()]
        map = position.map
        owner = self._owners(position)
        chance = self._closing(position, owner)
        danger = self._danger(position)
        had = vec[float]([0.0, 0.0, 0.0, 0.0])
        hoped = vec[float]([0.0, 0.0, 0.0, 0.0])
        area: i64 = 0
        areas = i64(len(map.parent))
        while area < areas:
            if danger[area] >= 4 and map.parent[area] == area:
                colour = danger[area] // 4 - 1
                seat = owner[colour]
                if seat >= 0:
                    value = float(sheep_in(map.tally[area])) * self._safety(position, seat, danger[area] & 3)
                    sides = open_sides_of(map.tally[area])
                    if sides == 0:
                        if value > had[colour]:
                            had[colour] = value
                    elif position.finish[seat] == 0:
                        value = (value + float(sides)) * chance[area]
                        if value > hoped[colour]:
                            hoped[colour] = value
            area += 1
        return self._expected(position, had, hoped)

    def _expected(self, position: GuerreDesMoutons, had: vec[float], hoped: vec[float]) -> list[float]:
        playing = float(position.seats - position.finished)
        bag = float(position.in_bag)
        bonus = 0.0
        place = position.finished
        while place < position.seats:
            bonus += float(BONUS[place])
            place += 1
        expected: list[float] = []
        seat: i64 = 0
        while seat < position.seats:
            total = float(position.bonus(seat))
            colour: i64 = 0
            while colour < COLOURS:
                if i64(position.colours[seat]) & BIT[colour]:
                    total += had[colour]
                    if hoped[colour] > had[colour]:
                        total += self.hope * (hoped[colour] - had[colour])
                colour += 1
            if position.finish[seat] == 0:
                tiles = float(i64(position.held[seat]) + i64(position.owed[seat]))
                total += self.later * bonus / playing
                total += self.grow * bag / playing + self.tile * tiles if position.in_bag else -0.5 * tiles
            expected.append(total)
            seat += 1
        return expected

    def _owners(self, position: GuerreDesMoutons) -> vec[i64]:
        """By colour: whose it is, or -1."""
        owner = vec[i64]([-1, -1, -1, -1])
        seat: i64 = 0
        while seat < position.seats:
            colour: i64 = 0
            while colour < COLOURS:
                if i64(position.colours[seat]) & BIT[colour]:
                    owner[colour] = seat
                colour += 1
            seat += 1
        return owner

    def _closing(self, position: GuerreDesMoutons, owner: vec[i64]) -> vec[float]:
        """By area, right for roots of pens: how likely the owner fills all open places beside it."""
        map = position.map
        tiles = map.tiles
        landscapes, specials = position.bag()
        herds = NONE[:6]
        while specials:
            herds[tiles.side[(WOLVES + first_bit(specials)) * 32]] += 1
            specials &= specials - 1
        bag = float(position.in_bag) + 1.0
        chance = SURE[: i64(len(map.parent))]
        for place in map.places:
            code = place_code(place)
            fits = tiles.fits[code * 4] | tiles.fits[code * 4 + 1]
            alone = tiles.fits[code * 4 + 2]  # the one motif all round, as a mask
            drawn = -1.0
            done: i64 = -1
            side: i64 = 0
            while side < 4:
                motif = (code >> 3 * side & 7) - 1
                met = place_meets(place, side)
                side += 1
                if motif < FIRST_COLOUR:
                    continue
                seat = owner[motif - FIRST_COLOUR]
                root = map.root(met)
                if seat < 0 or root == done:
                    continue
                done = root
                own = alone == BIT[motif] and not i64(position.shown[seat]) & BIT[motif - FIRST_COLOUR]
                if position.hand[seat] & fits or own:
                    chance[root] = chance[root] * self.ready
                    continue
                if drawn < 0.0:
                    many = ones(fits & landscapes)
                    if alone:
                        many += herds[motif]
                    drawn = self.place * (1.0 - (1.0 - float(many) / bag) ** self.draws)
                chance[root] = chance[root] * drawn
        return chance

    def _danger(self, position: GuerreDesMoutons) -> vec[i64]:
        """By area, right for roots of pens: four times the colour + 1, and the danger."""
        map = position.map
        tiles = map.tiles
        found = NONE[: i64(len(map.parent))]
        side: i64
        if map.wolf_fits:
            for place in map.places:
                if tiles.fits[place_code(place) * 4 + 2] == BIT[FOREST]:
                    side = 0
                    while side < 4:
                        forest = map.root(place_meets(place, side))
                        if hunters_in(map.tally[forest]) == 0:
                            found[forest] = IN_REACH
                        side += 1
        for laid in map.laid:
            face = laid_face(laid)
            first = laid_area(laid)
            worst: i64 = THREATENED if map.wolves_out != 0 and map.wolf_beside(face, first) else SAFE
            area: i64 = 0
            while area < tiles.areas[face] and worst == SAFE:
                if tiles.area_motif[face * 4 + area] == FOREST:
                    worst = found[map.root(first + area)]
                area += 1
            area = 0
            while area < tiles.areas[face]:
                motif = tiles.area_motif[face * 4 + area]
                if motif != FOREST:
                    root = map.root(first + area)
                    found[root] = (motif - FIRST_COLOUR + 1) * 4 + max(worst, found[root] & 3)
                area += 1
        return found

    def _safety(self, position: GuerreDesMoutons, seat: i64, danger: i64) -> float:
        """How much of a pen in such danger is counted."""
        if danger == THREATENED:
            return self.cure if position.specials[seat] & HUNTER_BITS and not position.finish[seat] else self.wolf
        if danger == SAFE:
            return 1.0
        held: i64 = 0
        other: i64 = 0
        while other < position.seats:
            if other != seat and not position.finish[other]:
                held |= position.specials[other] & WOLF_BITS
            other += 1
        return 1.0 - (self.risk if held else 0.0) - (self.prowl if position.bag()[1] & WOLF_BITS else 0.0)

    def foresees(self) -> bool:
        return True

    def spread(self, position: Position) -> float:
        assert isinstance(position, GuerreDesMoutons)
        return self.scale * (0.3 + float(position.in_bag) / TILES)

    def quiet(self, position: Position) -> bool:
        inner = unwrapped(position)
        assert isinstance(inner, GuerreDesMoutons)
        return inner.stage == TURN

    def sensible(self, position: Position) -> list[int]:
        """All but retiring, as long as one stays."""
        actions = position.legal()
        inner = unwrapped(position)
        assert isinstance(inner, GuerreDesMoutons)
        if float(inner.in_bag) > self.stay * TILES and RETIRE in actions and len(actions) > 1:
            actions.remove(RETIRE)
        return actions

    def playout_action(self, position: Position, dice: Dice) -> i64:
        """Nobody retires in a playout while tiles are left, unless by the second draw too; interruptions are as the wrapper draws them."""
        action = position.random_action(dice)
        if action == RETIRE and not (isinstance(position, Sequential) and position.asking()):
            action = position.random_action(dice)
        return action


EVALUATOR: Final = GuerreEvaluator()
