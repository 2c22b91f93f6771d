"""La Guerre des Moutons: the rules, from laying tiles by their matching sides to counting the sheep of closed pens.

The turn machine: whose turn it is, what may be done, what follows (docs/rules/guerre-des-moutons.md, GM-1 to GM-40). What is printed is in
tiles.py, what lies on the table in map.py, what passing tells in knowledge.py, the numbers of actions and stages in actions.py. A hand is
a mask of bits, and so is what fits somewhere on the map: what a player can lay is one AND.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import BIT, append_bits, first_bit, nth_bit, ones
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, EVERYTHING, OVER, HiddenInformation, Position
from sheepfold.games.guerre_des_moutons import tensor
from sheepfold.games.guerre_des_moutons.actions import (
    ACTIONS,
    CONTENT,
    DEAL,
    DONE,
    DRAW,
    END,
    EXTRA,
    EXTRA_PLAY,
    GO_ON,
    LAY,
    LAY_EXTRA,
    LAY_SHEPHERD,
    LAY_SPECIAL,
    MORE,
    NEXT_TURN,
    ON_WOLF,
    PASS,
    PLACE,
    PLY_BOUND,
    REDRAWS,
    RETIRE,
    TURN,
)
from sheepfold.games.guerre_des_moutons.knowledge import Passed, after_laying, after_pass, drawn_plan, plans_of
from sheepfold.games.guerre_des_moutons.map import Map, place_code, sheep_in
from sheepfold.games.guerre_des_moutons.tiles import (
    COLOURS,
    FIRST_COLOUR,
    HUNTER_BITS,
    HUNTERS,
    LANDSCAPES,
    SHEPHERDS,
    WOLF_BITS,
    WOLVES,
    Tiles,
    is_wolf,
    tiles_of,
)

HAND: Final = 4
BONUS: Final = (6, 3, 1, 0)
NOBODY: Final = -1
TURNS: Final = vec[u8]([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4])
"""How many of four bits are set: the rotations in which a face fits."""


class GuerreDesMoutons(Position):
    """A game of La Guerre des Moutons; see the module."""

    tiles: Final[Tiles]
    two_colours: Final[bool]
    last_gets_no_bonus: Final[bool]
    empty_hand_is_out: Final[bool]
    """Whether an unrevealed '?' keeps nobody in the game whose hand is empty (GM-24)."""
    first: Final[i64]
    """The seat that begins, or NOBODY: then it is drawn (GM-2)."""

    stage: i64 = DEAL
    turn: i64 = 0
    """Whose turn it is, also while somebody else interrupts; NOBODY's until it is drawn who begins."""
    actor: i64 = 0
    """Who lays or draws now."""
    chosen: i64 = -1
    """The face to be laid, in the LAY stages; else -1. It has left the hand and counts as laid: everybody has seen it."""
    resume: i64 = TURN
    """The stage (TURN or CONTENT) that goes on after an interruption, a reveal or wolves and hunters."""
    after: i64 = GO_ON
    passes: i64 = 0
    """Passes in a row."""
    redraws: i64 = 0
    """Redraws of all hands since a tile was last laid (GM-7)."""
    finished: i64 = 0
    """How many have retired or run out of tiles."""
    in_bag: i64
    dealt: i64 = 0
    """How many '?' tiles have been dealt."""

    finish: vec[u8]
    """By seat: 0, or which one it was to leave the game."""
    held: vec[u8]
    """By seat: how many tiles the hand has; of a player who has left, how many left the game with them."""
    owed: vec[u8]
    """By seat: how many tiles are still to be drawn."""
    colours: vec[u8]
    """By seat: the colours of the '?' tiles as a mask; in a view those that the viewer knows."""
    shown: vec[u8]
    """By seat: the colours that have been revealed."""
    hand: vec[i64]
    """By seat: the landscapes in hand as a mask; in a view nothing for the others. specials: wolves and hunters likewise."""
    specials: vec[i64]
    known: list[Passed | None]
    """By seat: what its passes tell. Replaced, never changed, so that copies share it."""

    laid_landscapes: i64 = 0
    laid_specials: i64 = 0
    map: Map

    def __init__(
        self,
        tiles: Tiles,
        seats: i64,
        two_colours: bool = False,
        last_gets_no_bonus: bool = False,
        empty_hand_is_out: bool = False,
        first: i64 = 0,
        of: GuerreDesMoutons | None = None,
    ) -> None:
        super().__init__(seats, ACTIONS, PLY_BOUND if first >= 0 else PLY_BOUND + 1, True)
        self.tiles = tiles
        self.two_colours = two_colours
        self.last_gets_no_bonus = last_gets_no_bonus
        self.empty_hand_is_out = empty_hand_is_out
        self.first = first
        if of is None:
            self._set_up()
        else:
            self._be_like(of)

    def _set_up(self) -> None:
        self.to_act = CHANCE
        self.turn = self.first
        self.in_bag = ones(self.tiles.every_landscape) + ones(self.tiles.every_special)
        nothing = [0 for _ in range(self.seats)]
        self.finish = vec[u8](nothing)
        self.held = vec[u8](nothing)
        self.owed = vec[u8](nothing)
        self.colours = vec[u8](nothing)
        self.shown = vec[u8](nothing)
        self.hand = vec[i64](nothing)
        self.specials = vec[i64](nothing)
        self.known = [None for _ in range(self.seats)]
        self.map = Map(self.tiles)

    def _be_like(self, of: GuerreDesMoutons) -> None:
        self.to_act = of.to_act
        self.viewer = of.viewer
        self.origin = of.origin
        self.stage = of.stage
        self.turn = of.turn
        self.actor = of.actor
        self.chosen = of.chosen
        self.resume = of.resume
        self.after = of.after
        self.passes = of.passes
        self.redraws = of.redraws
        self.finished = of.finished
        self.in_bag = of.in_bag
        self.dealt = of.dealt
        self.finish = of.finish[:]
        self.held = of.held[:]
        self.owed = of.owed[:]
        self.colours = of.colours[:]
        self.shown = of.shown[:]
        self.hand = of.hand[:]
        self.specials = of.specials[:]
        self.known = of.known
        self.laid_landscapes = of.laid_landscapes
        self.laid_specials = of.laid_specials
        self.map = Map(of.tiles, of.map)

    def copy(self) -> GuerreDesMoutons:
        return GuerreDesMoutons(self.tiles, self.seats, self.two_colours, self.last_gets_no_bonus, self.empty_hand_is_out, self.first, self)

    # What may happen.

    def _must_know(self, seat: i64) -> None:
        if self.viewer != EVERYTHING and self.viewer != seat:
            raise HiddenInformation("what another player can do depends on a hidden hand; ask the view of that seat")

    def _landscapes(self, seat: i64, actions: vec[i64]) -> vec[i64]:
        """The landscape faces in hand that fit somewhere, herds included (GM-4, GM-16)."""
        hand = self.hand[seat]
        left = hand & (self.map.any_front | self.map.any_back)
        while left:
            tile = first_bit(left)
            if self.map.any_front & BIT[tile]:
                actions = append(actions, tile * 2)
            if self.map.any_back & BIT[tile]:
                actions = append(actions, tile * 2 + 1)
            left &= left - 1
        return actions

    def _wolves_and_hunters(self, seat: i64, herds: bool, faces: bool, actions: vec[i64]) -> vec[i64]:
        left = self.specials[seat]
        while left:
            special = first_bit(left)
            if herds and self.map.herd_fits(special):
                actions = append(actions, (WOLVES + special) * 2)
            if faces and self.map.special_fits(special):
                actions = append(actions, (WOLVES + special) * 2 + 1)
            left &= left - 1
        return actions

    def has_question(self, seat: i64) -> bool:
        """Whether a '?' tile of that seat is unrevealed, as everybody sees: it is a tile to lay, so its owner is not out (GM-24)."""
        return ones(i64(self.shown[seat])) < (2 if self.two_colours else 1)

    def _reveals(self, seat: i64, actions: vec[i64]) -> vec[i64]:
        left = i64(self.colours[seat]) & ~i64(self.shown[seat])
        colour: i64 = 0
        while colour < COLOURS:
            if left & BIT[colour] and self.map.any_uniform & BIT[FIRST_COLOUR + colour]:
                actions = append(actions, SHEPHERDS + colour)
            colour += 1
        return actions

    def can_lay_landscape(self, seat: i64) -> bool:
        """Whether a landscape in that hand fits somewhere: then passing is not allowed (GM-5)."""
        if self.hand[seat] & (self.map.any_front | self.map.any_back):
            return True
        left = self.specials[seat]
        while left:
            if self.map.herd_fits(first_bit(left)):
                return True
            left &= left - 1
        return False

    def _where(self, face: i64) -> vec[i64]:
        """Every place and rotation for a face."""
        tiles = self.tiles
        actions = vec[i64](capacity=32)
        if face >= HUNTERS * 2 and face < SHEPHERDS and face & 1:
            left = self.map.wolves_out
            while left:
                actions = append(actions, ON_WOLF + first_bit(left))
                left &= left - 1
        wolf = is_wolf(face)
        half_fits = tiles.half_fits
        action: i64 = PLACE
        for place in self.map.places:
            code = place_code(place)
            turns = i64(half_fits[face * 128 + (code & 63)] & half_fits[face * 128 + 64 + (code >> 6)])  # `rotations`, too slow a call here
            if turns != 0 and not (wolf and self.map.guarded(place)):
                actions = append_bits(actions, action, turns)
            action += 4
        return actions

    def _anywhere(self, face: i64, dice: Dice) -> i64:
        """One of `_where`, each equally likely, for a face that needs only to fit: counted, not listed."""
        half_fits = self.tiles.half_fits
        count: i64 = 0
        for place in self.map.places:
            code = place_code(place)
            turns = i64(half_fits[face * 128 + (code & 63)] & half_fits[face * 128 + 64 + (code >> 6)])
            count += i64(TURNS[turns])
        drawn = dice.below(count)
        action: i64 = PLACE
        for place in self.map.places:
            code = place_code(place)
            turns = i64(half_fits[face * 128 + (code & 63)] & half_fits[face * 128 + 64 + (code >> 6)])
            if drawn < i64(TURNS[turns]):
                return action + nth_bit(turns, drawn)
            drawn -= i64(TURNS[turns])
            action += 4
        raise ValueError("a face that fits nowhere was taken up")

    def bag(self) -> tuple[i64, i64]:
        """The bag as masks; in a view everything unseen."""
        landscapes = self.tiles.every_landscape & ~self.laid_landscapes
        specials = self.tiles.every_special & ~self.laid_specials
        seat: i64 = 0
        while seat < self.seats:
            landscapes &= ~self.hand[seat]
            specials &= ~self.specials[seat]
            seat += 1
        return landscapes, specials

    def _undealt(self) -> i64:
        colours: i64 = 15
        seat: i64 = 0
        while seat < self.seats:
            colours &= ~i64(self.colours[seat])
            seat += 1
        return colours

    def drawing_first(self) -> bool:
        """Whether it is to be drawn who begins."""
        return self.turn == NOBODY

    def _chances(self) -> vec[i64]:
        if self.drawing_first():
            return append_bits(vec[i64](), 0, BIT[self.seats] - 1)
        if self.viewer != EVERYTHING:
            raise HiddenInformation("what can be drawn depends on hidden hands; determinize() first")
        actions = vec[i64]()
        if self.stage == DEAL:
            colours = self._undealt()
            while colours:
                actions = append(actions, SHEPHERDS + first_bit(colours))
                colours &= colours - 1
            return actions
        landscapes, specials = self.bag()
        return tiles_of(landscapes, specials)

    def packed_legal(self) -> vec[i64]:
        """`legal()` as a vector; ascending."""
        stage = self.stage
        if stage == END:
            return vec[i64]()
        if stage <= DRAW:
            return self._chances()
        if stage >= LAY and stage <= LAY_SPECIAL:
            return self._where(self.chosen)
        seat = self.to_act
        self._must_know(seat)
        actions = vec[i64](capacity=16)
        if stage != MORE:
            actions = self._landscapes(seat, actions)
        actions = self._wolves_and_hunters(seat, stage != MORE, True, actions)
        if stage in (TURN, CONTENT):
            actions = self._reveals(seat, actions)
            if stage == TURN and not self.can_lay_landscape(seat):
                actions = append(actions, PASS)
            actions = append(actions, RETIRE)
        if stage != TURN:
            actions = append(actions, DONE)
        return actions

    def weights(self) -> list[int]:
        return [1 for _ in self._chances()]

    def allows(self, action: i64) -> bool:
        stage = self.stage
        if stage >= LAY and stage <= LAY_SPECIAL and action >= PLACE:
            rank = (action - PLACE) // 4
            if rank >= i64(len(self.map.places)):
                return False
            place = self.map.places[rank]
            turns = self.tiles.rotations(self.chosen, place_code(place))
            return turns >> ((action - PLACE) & 3) & 1 != 0 and not (is_wolf(self.chosen) and self.map.guarded(place))
        return action in self.legal()

    def random_action(self, dice: Dice) -> i64:
        """Uniform, but for retiring: one in 32 where something can be laid, one in four where not."""
        if self.stage == DRAW and self.viewer == EVERYTHING:
            landscapes, specials = self.bag()
            rank = dice.below(self.in_bag)
            many = self.in_bag - ones(specials)
            return nth_bit(landscapes, rank) if rank < many else WOLVES + nth_bit(specials, rank - many)
        if self.stage >= LAY and self.stage <= LAY_SPECIAL and (self.chosen < WOLVES * 2 or self.chosen >= SHEPHERDS):
            return self._anywhere(self.chosen, dice)
        actions = self.packed_legal()
        count = i64(len(actions))
        if self.stage == TURN or self.stage == CONTENT:
            last: i64 = count - 1 if self.stage == TURN else count - 2  # where RETIRE stands
            if dice.below(4 if count == 2 and self.stage == TURN and actions[0] == PASS else 32) == 0:
                return RETIRE
            drawn = dice.below(count - 1)
            return actions[drawn] if drawn < last else actions[drawn + 1]
        return actions[dice.below(count)]

    # Going on.

    def advance(self, action: i64) -> None:
        stage = self.stage
        if stage == DRAW:
            self._draw(action)
        elif stage >= LAY and stage <= LAY_SPECIAL:
            self._lay(action)
        elif stage in (TURN, CONTENT):
            self._play(action)
        elif stage == MORE:
            if action == DONE:
                self._draw_all(GO_ON)
            else:
                self._choose(self.actor, action, LAY_SPECIAL)
        elif stage == EXTRA:
            if action == DONE:
                self._go_on()
            else:
                self._choose(self.actor, action, LAY_EXTRA)
        else:
            self._deal(action)

    def _deal(self, action: i64) -> None:
        """Who begins, if that is drawn; a '?' tile for the next seat (GM-2); with two colours two rounds of them (GM-23). Then everybody
        draws a hand."""
        if self.drawing_first():
            self.turn = action
            return
        self.colours[self.actor] = self.colours[self.actor] | u8(BIT[action - SHEPHERDS])
        self.dealt += 1
        self.actor = self.dealt % self.seats
        if self.dealt == self.seats * (2 if self.two_colours else 1):
            seat: i64 = 0
            while seat < self.seats:
                self.owed[seat] = HAND
                seat += 1
            self.stage = DRAW

    def _play(self, action: i64) -> None:
        """The own turn (GM-4 to GM-6), or what can be done at any moment."""
        if action < SHEPHERDS and not (action >= WOLVES * 2 and action & 1):
            self._choose(self.turn, action, LAY)
        elif action < PASS:
            self._begin(self.turn, action)
        elif action == PASS:
            self._pass()
        elif action == RETIRE:
            self._retire()
        else:
            self._next_turn()

    def _begin(self, seat: i64, action: i64) -> None:
        """A reveal, or the first wolf or hunter of an announcement (GM-8, GM-9)."""
        self.resume = self.stage
        if action >= SHEPHERDS:
            self._choose(seat, action, LAY_SHEPHERD)
        else:
            if seat == self.turn:
                self.resume = CONTENT
            self._choose(seat, action, LAY_SPECIAL)

    def _choose(self, seat: i64, face: i64, stage: i64) -> None:
        """The first half of a play: a tile is taken up for all to see."""
        self.actor = seat
        self.to_act = seat
        self.chosen = face
        self.stage = stage
        if face < SHEPHERDS:
            self._leave_hand(seat, face // 2)
        else:
            self.shown[seat] = self.shown[seat] | u8(BIT[face - SHEPHERDS])
            self.colours[seat] = self.colours[seat] | self.shown[seat]

    def _lay(self, action: i64) -> None:
        """The second half: it is put on the table."""
        face = self.chosen
        seat = self.actor
        touched: i64
        if action >= PLACE:
            touched = self.map.put((action - PLACE) // 4, face, (action - PLACE) & 3)
        else:
            touched = self.map.cover(action - ON_WOLF, face)
        self.chosen = -1
        self.passes = 0
        self.redraws = 0
        self.owed[seat] += u8(touched)
        if self.stage == LAY:
            self._draw_all(NEXT_TURN)
        elif self.stage == LAY_SHEPHERD:
            self._draw_all(EXTRA_PLAY)
        elif self.stage == LAY_SPECIAL and self.held[seat] and self._specials_thinkable():
            self.stage = MORE
        else:
            self._draw_all(GO_ON)

    def _leave_hand(self, seat: i64, tile: i64) -> None:
        known = self.known[seat]
        if known is not None:
            self._learn(seat, after_laying(known, i64(self.held[seat]), tile))
        if tile < LANDSCAPES:
            self.laid_landscapes |= BIT[tile]
            self.hand[seat] &= ~BIT[tile]
        else:
            self.laid_specials |= BIT[tile - WOLVES]
            self.specials[seat] &= ~BIT[tile - WOLVES]
        self.held[seat] -= 1

    def _learn(self, seat: i64, passed: Passed) -> None:
        known = self.known[:]
        known[seat] = passed
        self.known = known

    def _draw_all(self, after: i64) -> None:
        """Draw what is owed, as far as the bag goes (GM-4), then go on."""
        self.after = after
        if i64(self.owed[self.actor]) > self.in_bag:
            self.owed[self.actor] = u8(self.in_bag)
        if self.owed[self.actor]:
            self.stage = DRAW
            self.to_act = CHANCE
        else:
            self._drawn()

    def _draw(self, tile: i64) -> None:
        seat = self.actor
        if tile < LANDSCAPES:
            self.hand[seat] |= BIT[tile]
        else:
            self.specials[seat] |= BIT[tile - WOLVES]
        self.held[seat] += 1
        self.in_bag -= 1
        self.owed[seat] -= 1
        step: i64 = 0
        while step < self.seats:
            self.actor = (seat + step) % self.seats
            if self.owed[self.actor]:
                return
            step += 1
        self.actor = seat
        self._drawn()

    def _drawn(self) -> None:
        """All draws are made: what follows?"""
        seat = self.actor
        if self.held[seat] == 0 and self.finish[seat] == 0 and (self.empty_hand_is_out or not self.has_question(seat)):
            self._finish(seat)
        if self.after == EXTRA_PLAY and self.held[seat]:
            self.stage = EXTRA
            self.to_act = seat
        elif self.after == NEXT_TURN:
            self._next_turn()
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Back to the turn that was interrupted, if its player is still in the game."""
        if self.finish[self.turn]:
            self._next_turn()
        else:
            self.actor = self.turn
            self.to_act = self.turn
            self.stage = self.resume

    def _finish(self, seat: i64) -> None:
        self.finished += 1
        self.finish[seat] = u8(self.finished)

    def _next_turn(self) -> None:
        if self.finished == self.seats:
            self._end()
            return
        self.turn = (self.turn + 1) % self.seats
        while self.finish[self.turn]:
            self.turn = (self.turn + 1) % self.seats
        self.actor = self.turn
        self.to_act = self.turn
        self.stage = TURN
        self.resume = TURN

    def _end(self) -> None:
        self.stage = END
        self.to_act = OVER

    def _pass(self) -> None:
        """Nothing fits (GM-5), which tells everybody something about the hand. If all who are left have passed in a row: redraw (GM-7), or
        end (GM-21)."""
        seat = self.turn
        specials: i64 = 0
        special: i64 = 0
        while special < 8:
            if self.map.herd_fits(special):
                specials |= BIT[special]
            special += 1
        self._learn(seat, after_pass(self.known[seat], i64(self.held[seat]), self.map.any_front | self.map.any_back, specials))
        self.passes += 1
        if self.passes < self.seats - self.finished:
            self._next_turn()
        elif self.in_bag == 0 or self.redraws == REDRAWS:
            self._end()
        else:
            self._redraw()

    def _retire(self) -> None:
        """That is no pass and breaks their row: who has passed may rather retire too, for what the next to finish gets (GM-21)."""
        self._finish(self.turn)
        self.passes = 0
        self._next_turn()

    def _redraw(self) -> None:
        """Every hand goes back, also those of retired players, so that nothing is known of any hidden tile; who is left draws as many."""
        self.redraws += 1
        self.passes = 0
        self.known = [None for _ in range(self.seats)]
        self._next_turn()
        seat: i64 = 0
        while seat < self.seats:
            self.owed[seat] = 0 if self.finish[seat] else self.held[seat]
            self.in_bag += i64(self.held[seat])
            self.held[seat] = 0
            self.hand[seat] = 0
            self.specials[seat] = 0
            seat += 1
        self.after = GO_ON
        self.stage = DRAW
        self.to_act = CHANCE

    # Out of turn (GM-8 to GM-10).

    def _specials_thinkable(self) -> bool:
        """Whether a wolf or hunter that has not been laid could be laid now, whoever has it: public knowledge."""
        left = self.tiles.every_special & ~self.laid_specials
        return (left & WOLF_BITS != 0 and self.map.special_fits(0)) or (left & HUNTER_BITS != 0 and self.map.special_fits(4))

    def may_interrupt(self, seat: i64) -> bool:
        if (self.stage != TURN and self.stage != CONTENT) or seat == self.turn or self.finish[seat]:
            return False
        if self.held[seat] and self._specials_thinkable():
            return True
        return self.has_question(seat) and self._reveals_thinkable()

    def _reveals_thinkable(self) -> bool:
        """Whether a colour that nobody has revealed has a place."""
        shown: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            shown |= i64(self.shown[seat])
            seat += 1
        return self.map.any_uniform // 4 & ~shown != 0

    def interruptions(self, seat: i64) -> list[int]:
        if not self.may_interrupt(seat):
            return []
        self._must_know(seat)
        actions = self._wolves_and_hunters(seat, False, True, vec[i64]())
        return [int(action) for action in self._reveals(seat, actions)]

    def cut_in(self, seat: i64, action: i64) -> None:
        self._begin(seat, action)

    # Results (GM-15, GM-17 to GM-23).

    def bonus(self, seat: i64) -> i64:
        """Points for the order of leaving the game (GM-19)."""
        place = i64(self.finish[seat])
        if place == 0 or (self.last_gets_no_bonus and place == self.seats):
            return 0
        return BONUS[place - 1]

    def results(self) -> list[list[int]]:
        """By seat: the points, then the sheep of the other pens that count, largest first, to break ties (GM-22)."""
        sizes: list[list[int]] = [[] for _ in range(COLOURS)]
        for pen in self.map.counting():
            sizes[i64(pen) & 3].append(int(sheep_in(self.map.tally[i64(pen) >> 2])))
        results = []
        seat: i64 = 0
        while seat < self.seats:
            points = int(self.bonus(seat))
            others: list[int] = []
            colour: i64 = 0
            while colour < COLOURS:
                if i64(self.colours[seat]) & BIT[colour] and sizes[colour]:
                    mine = sorted(sizes[colour], reverse=True)
                    points += mine[0]
                    others += mine[1:]
                colour += 1
            others.sort(reverse=True)
            results.append([points, *others])
            seat += 1
        return results

    def scores(self) -> list[int]:
        """Points by seat as the table stands; in a view, unknown colours count nothing."""
        return [result[0] for result in self.results()]

    def ranks(self) -> list[int]:
        results = self.results()
        return [1 + sum([1 for other in results if other > mine]) for mine in results]

    # Knowledge (GM-30).

    def seen_by(self, viewer: i64) -> GuerreDesMoutons:
        view = self.copy()
        view.viewer = viewer
        if viewer == EVERYTHING:
            return view
        seat: i64 = 0
        while seat < self.seats:
            if seat != viewer:
                view.hand[seat] = 0
                view.specials[seat] = 0
                if self.to_act != OVER:
                    view.colours[seat] = view.shown[seat]
            seat += 1
        return view

    def sees(self, viewer: i64, action: i64) -> bool:
        return self.to_act != CHANCE or viewer == EVERYTHING or viewer == self.actor or self.drawing_first()

    def determinize(self, dice: Dice) -> GuerreDesMoutons:
        whole = self.copy()
        if self.viewer == EVERYTHING:
            return whole
        whole.viewer = EVERYTHING
        self._guess_colours(whole, dice)
        landscapes, specials = self.bag()
        slots = vec[i64]([0 for _ in range(self.seats)])
        plans = plans_of(self.known, self.viewer, int(landscapes), int(specials))
        if plans:
            plan, filled = drawn_plan(plans, dice)
            for owner, tile in zip(plan.seats, filled, strict=True):
                whole._take(owner, tile)
                slots[owner] += 1
        landscapes, specials = whole.bag()
        unseen = tiles_of(landscapes, specials)
        left = i64(len(unseen))
        seat: i64 = 0
        while seat < self.seats:
            free: i64 = 0 if seat == self.viewer else i64(self.held[seat]) - slots[seat]
            while free > 0:
                drawn = dice.below(left)
                whole._take(seat, unseen[drawn])
                left -= 1
                unseen[drawn] = unseen[left]
                free -= 1
            seat += 1
        return whole

    def _take(self, seat: i64, tile: i64) -> None:
        if tile < LANDSCAPES:
            self.hand[seat] |= BIT[tile]
        else:
            self.specials[seat] |= BIT[tile - WOLVES]

    def _guess_colours(self, whole: GuerreDesMoutons, dice: Dice) -> None:
        if self.stage == END:
            return
        seat: i64 = 0
        while seat < self.seats:
            dealt = self.dealt // self.seats + (1 if seat < self.dealt % self.seats else 0)
            while ones(i64(whole.colours[seat])) < dealt:
                free = whole._undealt()
                whole.colours[seat] = whole.colours[seat] | u8(BIT[nth_bit(free, dice.below(ones(free)))])
            seat += 1

    # Comparison.

    def key(self) -> tuple[int, ...]:
        after: i64 = self.after if self.stage == DRAW else -1
        resume: i64 = -1 if self.stage in (TURN, CONTENT, END) else self.resume
        numbers: list[int] = [self.viewer, self.stage, self.to_act, self.turn, self.actor, self.chosen, resume, after]
        numbers += [self.passes, self.redraws, self.in_bag, self.dealt, self.laid_specials]
        seat: i64 = 0
        while seat < self.seats:
            numbers += [int(self.finish[seat]), int(self.held[seat]), int(self.owed[seat]), int(self.colours[seat]), int(self.shown[seat])]
            numbers += [self.hand[seat], self.specials[seat]]
            known = self.known[seat]
            numbers += [0] if known is None else known.numbers()
            seat += 1
        return (*numbers, *self.map.numbers())

    def census(self) -> tuple[int, ...]:
        """Landscapes, wolves and hunters; tiles by the public counts of bag, hands and table; what lies there beyond them (the square)."""
        landscapes, specials = self.bag()
        places: i64 = self.in_bag + ones(self.laid_landscapes) + ones(self.laid_specials)
        shown: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            landscapes += self.hand[seat]
            specials += self.specials[seat]
            places += i64(self.held[seat])
            shown += i64(self.shown[seat])
            seat += 1
        landscapes += self.laid_landscapes
        specials += self.laid_specials
        covered = ones(self.laid_specials & 15) - ones(self.map.wolves_out) - self.map.laid_herds()
        if self.chosen >= WOLVES * 2 and self.chosen < HUNTERS * 2:
            covered -= 1
        taken_up: i64 = 1 if self.chosen >= 0 else 0
        on_table = i64(len(self.map.laid)) + taken_up + covered - ones(shown) - ones(self.laid_landscapes) - ones(self.laid_specials)
        return (ones(landscapes), ones(specials & 15), ones(specials // 16), places, on_table)

    # The view as numbers.

    def layout(self) -> list[tuple[str, int, int]]:
        return tensor.layout(int(self.seats))

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        return tensor.write(self, viewer, numbers, at)
