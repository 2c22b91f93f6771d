"""Te Kuiti: the Shepherd fences tiles in, the Sheep player frees sheep by finding pairs; and the solo game.

The field is kept as bits in a frame of 7 by 7, the 5 by 5 cells with a ring of outside round them, so that the border
is an edge like any other and enclosure (TK-6) is a flood from the ring that moves all cells at once. A tile has no
identity before it is first turned (TK-18): then it is drawn, and `known` keeps what has been seen of each cell.

Cells are 0 to 24, row by row from the top left; sides are 0 north, 1 east, 2 south, 3 west. Edges are 0 to 59:
5 * line + column for the thirty that lie (line 0 is the top border), 30 + 6 * row + line for the thirty that stand
(line 0 is the left border). Kinds are 0 to 4 the moods, 5 RAM, 6 SHEPHERD. What a tile shows, its face, is
5 * kind + flower, where flower is 0 for none, else 1 + the side it is at.

Actions:     0 + edge   place a fence           445        done: end the Sheep's turn
            60 + edge   remove a fence (ram)    446        give up (solo)
           120 + cell   turn a tile             447 + face the tile that is being turned shows it (chance)
           145 + pair   take two sheep          482 + seat that seat is Shepherd first (chance)
where the pairs of cells are counted (0, 1), (0, 2) ... (0, 24), (1, 2) ... (23, 24).
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.bits import mask_of, ones
from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, OVER, Position

CELLS: Final = 25
EDGES: Final = 60
KINDS: Final = 7
MOODS: Final = 5
RAM: Final = 5
SHEPHERD: Final = 6
FACES: Final = 35

FENCE: Final = 0
REMOVE: Final = 60
TURN: Final = 120
TAKE: Final = 145
DONE: Final = 445
GIVE_UP: Final = 446
FACE: Final = 447
FIRST: Final = 482
ACTIONS: Final = 484

# Stages: what is expected now.
DRAW_SHEPHERD: Final = 0
"""Chance says who is Shepherd first."""
FIRST_FENCE: Final = 1
SECOND_FENCE: Final = 2
"""The Shepherd's turn."""
LAST_FIRST_FENCE: Final = 3
LAST_SECOND_FENCE: Final = 4
"""The Shepherd's last turn of the round (TK-14)."""
TURNING: Final = 5
"""The Sheep player turns a tile, or takes a pair in a late field."""
REVEALING: Final = 6
"""Chance says what the tile `turning` is."""
RAMMING: Final = 7
"""A ram was revealed: the Sheep player removes a fence."""
CALLING: Final = 8
"""A shepherd was revealed: the Shepherd places a fence."""
LOOKING: Final = 9
"""No more tiles are turned in this turn: the Sheep player may take pairs in a late field, and ends the turn."""
ENDED: Final = 10
STAGES: Final = 11

LATE_FIELD: Final = 5
"""A field with so many tiles that are not enclosed, or fewer, is late (TK-13)."""
IDLE_TURNS: Final = 50
"""So many solo turns in a row that change nothing lose (TK-25)."""


def _place(cell: int) -> int:
    """Where a cell is in the frame."""
    return cell // 5 * 7 + cell % 5 + 8


ALL_CELLS: Final[i64] = mask_of([_place(cell) for cell in range(25)])
OUTSIDE: Final[i64] = 2**49 - 1 - mask_of([_place(cell) for cell in range(25)])
CELL_BIT: Final[vec[i64]] = vec[i64]([2 ** _place(cell) for cell in range(25)])
SIDE: Final[vec[i64]] = vec[i64](
    [edge for cell in range(25) for edge in (cell, 30 + cell // 5 * 6 + cell % 5 + 1, cell + 5, 30 + cell // 5 * 6 + cell % 5)]
)
"""The edge at 4 * cell + side."""
# An edge belongs to the frame's place north or west of it, in the mask of lying or of standing edges.
EDGE_BIT: Final[vec[i64]] = vec[i64](
    [2 ** (edge // 5 * 7 + edge % 5 + 1) for edge in range(30)] + [2 ** (edge // 6 * 7 + edge % 6 + 7) for edge in range(30)]
)
ALL_LYING: Final[i64] = mask_of([edge // 5 * 7 + edge % 5 + 1 for edge in range(30)])
ALL_STANDING: Final[i64] = mask_of([edge // 6 * 7 + edge % 6 + 7 for edge in range(30)])
NOTHING: Final[vec[i64]] = vec[i64]([0] * CELLS)
"""A blank for every cell, to be copied."""
LATELY: Final[vec[i64]] = vec[i64]([240 // (ago + 1) for ago in range(240)])
"""For learners: how lately a tile was face up, from 240 for now to 1, by turns that have gone by."""
PAIR_FIRST: Final[vec[i64]] = vec[i64]([one for one in range(25) for other in range(one + 1, 25)])
PAIR_SECOND: Final[vec[i64]] = vec[i64]([other for one in range(25) for other in range(one + 1, 25)])


def pair_of(one: i64, other: i64) -> i64:
    """The number of a pair of cells, one before the other."""
    return one * (49 - one) // 2 + other - one - 1


def count_of(face: i64) -> i64:
    """Where `Terms.tiles` and its likes count the tiles with that face."""
    return face // 5 * 2 + (1 if face % 5 else 0)


def edge_at(cell: i64, side: i64) -> i64:
    """The edge at a side of a cell."""
    return SIDE[4 * cell + side]


def edges_of(lying: i64, standing: i64) -> vec[i64]:
    """The edges of two such masks, ascending."""
    edges = vec[i64](capacity=16)
    edge: i64 = 0
    while edge < EDGES:
        if (lying if edge < EDGES // 2 else standing) & EDGE_BIT[edge] != 0:
            edges = append(edges, edge)
        edge += 1
    return edges


def flood(reached: i64, lying: i64, standing: i64) -> i64:
    """Everything that is reached from what is reached already, through the open edges of the two masks."""
    while True:
        grown = reached | ((reached & lying) << 7) | ((reached >> 7) & lying) | ((reached & standing) << 1) | ((reached >> 1) & standing)
        if grown == reached:
            return reached
        reached = grown


class Terms:
    """What never changes during a game, shared by all its positions."""

    seats: i64
    tiles: vec[i64]
    """How many tiles there are: at 2 * kind without a flower, at 2 * kind + 1 with one."""
    fences: i64
    first_shepherd: i64
    """A seat, or -1 where it is drawn."""
    late_field_stays: bool
    memory_aid: bool
    """For pictures and words only: whether they show what has been seen of face-down tiles."""
    ply_bound: i64

    def __init__(
        self,
        seats: i64,
        tiles: list[int],
        fences: i64,
        first_shepherd: i64 = -1,
        late_field_stays: bool = False,
        memory_aid: bool = False,
    ) -> None:
        self.seats = seats
        counts = vec[i64](capacity=2 * KINDS)
        for count in tiles:  # a vector made of a list goes through Python, and every game begins here
            counts = append(counts, count)
        self.tiles = counts
        self.fences = fences
        self.first_shepherd = first_shepherd
        self.late_field_stays = late_field_stays
        self.memory_aid = memory_aid
        rams = self.tiles[2 * RAM] + self.tiles[2 * RAM + 1]
        placed = fences + rams  # a fence is placed again only after a ram has brought it back
        if seats == 1:
            # Every turn changes something (a first sight, a fence placed or removed, a pair taken) or is idle; three events
            # a turn, besides what the draws, rams and shepherds add.
            changes = CELLS + placed + rams + CELLS // 2
            self.ply_bound = 3 * IDLE_TURNS * (changes + 1) + 3 * CELLS + 1
        else:
            # Sheep's turns: at most one for every two fences. Each has two sheep and an end; tiles are drawn once; rams and
            # shepherds add a turned tile and a removal each; pairs are taken.
            turns = placed // 2 + 1
            self.ply_bound = 2 * (placed + 3 * turns + CELLS + 2 * CELLS + CELLS // 2) + 1


class TeKuiti(Position):
    """A game of Te Kuiti."""

    terms: Terms
    stage: i64
    round: i64
    """0 or 1."""
    shepherd: i64
    """The seat that is Shepherd in this round; -1 in the solo game."""
    sheep: i64
    """The seat that is the Sheep player."""
    supply: i64
    lying: i64
    """The edges between a place and the one below it that have no fence, as bits of the frame."""
    standing: i64
    """The edges between a place and the one to the right of it that have no fence."""
    reached: i64
    """The places that are not enclosed, the outside among them."""
    tiles: i64
    """The cells that hold a tile."""
    up: i64
    """The cells whose tile is face up."""
    known: vec[i64]
    """For each cell 1 + the face of its tile if that has been seen, else 0."""
    seen_at: vec[i64]
    """For each cell the turn in which its tile was last face up, 0 for never. The rules never look at it."""
    unseen: vec[i64]
    """How many tiles nobody has seen, counted like Terms.tiles."""
    gone: vec[i64]
    """How many tiles have left the field in this round: taken sheep, rams and shepherds. Counted like Terms.tiles."""
    turn: i64
    """Counts the turns in which tiles are turned, through both rounds."""
    revealed: i64
    """How many sheep have been revealed in this turn."""
    first: i64
    """The cell of the first of them, else -1."""
    turning: i64
    """While REVEALING, the cell."""
    late: bool
    """Whether the field was late at the end of the Sheep's last turn (TK-13)."""
    changed: bool
    """Solo: whether this turn has changed anything."""
    idle: i64
    """Solo: how many turns in a row have changed nothing."""
    points: vec[i64]
    """Of the rounds that are over, at 2 * round + seat."""

    def __init__(self, terms: Terms, of: TeKuiti | None = None) -> None:
        super().__init__(terms.seats, ACTIONS, terms.ply_bound)
        self.terms = terms
        if of is not None:
            self.to_act = of.to_act
            self.viewer = of.viewer
            self.origin = of.origin
            self.stage = of.stage
            self.round = of.round
            self.shepherd = of.shepherd
            self.sheep = of.sheep
            self.supply = of.supply
            self.lying = of.lying
            self.standing = of.standing
            self.reached = of.reached
            self.tiles = of.tiles
            self.up = of.up
            self.known = of.known[:]
            self.seen_at = of.seen_at[:]
            self.unseen = of.unseen[:]
            self.gone = of.gone[:]
            self.turn = of.turn
            self.revealed = of.revealed
            self.first = of.first
            self.turning = of.turning
            self.late = of.late
            self.changed = of.changed
            self.idle = of.idle
            self.points = of.points[:]
            return
        self.round = 0
        self.turn = 0
        self.points = vec[i64]([0, 0, 0, 0])
        self.shepherd = -1
        self.sheep = 0
        self._lay_out()
        if terms.seats == 1:
            self._begin_sheep_turn()
        elif terms.first_shepherd < 0:
            self.stage = DRAW_SHEPHERD
            self.to_act = CHANCE
        else:
            self._begin_round(terms.first_shepherd)

    # The field.

    def _lay_out(self) -> None:
        """A fresh field of face-down tiles and a full supply (TK-2)."""
        self.supply = self.terms.fences
        self.lying = ALL_LYING
        self.standing = ALL_STANDING
        self.reached = ALL_CELLS | OUTSIDE
        self.tiles = ALL_CELLS
        self.up = 0
        self.known = NOTHING[:]
        self.seen_at = NOTHING[:]
        self.unseen = self.terms.tiles[:]
        self.gone = NOTHING[: 2 * KINDS]
        self.revealed = 0
        self.first = -1
        self.turning = -1
        self.late = False
        self.changed = False
        self.idle = 0

    def fenced(self, edge: i64) -> bool:
        """Whether a fence stands on that edge."""
        return ((self.lying if edge < 30 else self.standing) & EDGE_BIT[edge]) == 0

    def put_fence(self, edge: i64) -> None:
        """Move a fence from the supply to a free edge and see what it encloses."""
        bit = EDGE_BIT[edge]
        self.supply -= 1
        if edge < 30:
            self.lying -= bit
        else:
            self.standing -= bit
        if self.reached & bit:  # inside a pen a fence changes nothing
            self.reached = flood(OUTSIDE, self.lying, self.standing)

    def pull_fence(self, edge: i64) -> None:
        """Move a fence from its edge back to the supply and see what it opens."""
        bit = EDGE_BIT[edge]
        self.supply += 1
        if edge < 30:
            self.lying += bit
        else:
            self.standing += bit
        self.reached = flood(self.reached, self.lying, self.standing)

    def has_tile(self, cell: i64) -> bool:
        """Whether a tile lies there."""
        return (self.tiles & CELL_BIT[cell]) != 0

    def face_up(self, cell: i64) -> bool:
        """Whether a tile lies there face up."""
        return (self.up & CELL_BIT[cell]) != 0

    def enclosed(self, cell: i64) -> bool:
        """Whether that cell is enclosed (TK-6)."""
        return (self.reached & CELL_BIT[cell]) == 0

    def turnable(self) -> i64:
        """The cells with a tile that may be turned: face down and not enclosed (TK-7)."""
        return self.tiles & self.reached & ~self.up

    def enclosed_tiles(self) -> i64:
        """How many tiles are enclosed."""
        return ones(self.tiles & ~self.reached)

    def open_tiles(self) -> i64:
        """How many tiles are not enclosed."""
        return ones(self.tiles & self.reached)

    def tiles_gone(self) -> i64:
        """How many tiles have left the field in this round."""
        return CELLS - ones(self.tiles)

    def sheep_taken(self) -> i64:
        """How many sheep have been taken in this round."""
        total: i64 = 0
        index: i64 = 0
        while index < 2 * MOODS:
            total += self.gone[index]
            index += 1
        return total

    def mood(self, cell: i64) -> i64:
        """The kind of a tile that has been seen."""
        return (self.known[cell] - 1) // 5

    def _leave(self, cell: i64) -> None:
        """A tile leaves the field."""
        face = self.known[cell] - 1
        self.gone[count_of(face)] += 1
        self.known[cell] = 0
        self.seen_at[cell] = 0
        self.tiles -= CELL_BIT[cell]
        self.up &= ~CELL_BIT[cell]

    def _takes(self) -> list[int]:
        """The pairs of identical sheep that are face up and not enclosed (TK-13)."""
        pairs = []
        if self.late:
            visible = self.up & self.reached
            one: i64 = 0
            while one < CELLS:
                if visible & CELL_BIT[one]:
                    other = one + 1
                    while other < CELLS:
                        if visible & CELL_BIT[other] and self.mood(one) == self.mood(other):
                            pairs.append(int(pair_of(one, other)))
                        other += 1
                one += 1
        return pairs

    # Going on.

    def advance(self, action: i64) -> None:
        if action < REMOVE:
            self._place_fence(action)
        elif action < TURN:
            self.pull_fence(action - REMOVE)
            self.changed = True
            self._resolved()
        elif action < TAKE:
            self._turn_tile(action - TURN)
        elif action < DONE:
            self._leave(PAIR_FIRST[action - TAKE])
            self._leave(PAIR_SECOND[action - TAKE])
            self._go_on()
        elif action == DONE:
            self._end_sheep_turn()
        elif action == GIVE_UP:
            self._end_game()
        elif action < FIRST:
            face = action - FACE
            self.unseen[count_of(face)] -= 1
            self.known[self.turning] = 1 + face
            self.changed = True
            self._reveal(self.turning)
        else:
            self._begin_round(action - FIRST)

    def _begin_round(self, shepherd: i64) -> None:
        self.shepherd = shepherd
        self.sheep = 1 - shepherd
        self._begin_shepherd_turn(FIRST_FENCE)

    def _begin_shepherd_turn(self, stage: i64) -> None:
        self.stage = stage
        self.to_act = self.shepherd

    def _place_fence(self, edge: i64) -> None:
        self.put_fence(edge)
        if self.supply == 0:  # TK-15
            self._end_round()
        elif self.stage == FIRST_FENCE or self.stage == LAST_FIRST_FENCE:
            self.stage += 1
        elif self.stage == SECOND_FENCE:
            self._begin_sheep_turn()
        elif self.stage == LAST_SECOND_FENCE:
            self._end_round()
        else:
            self._go_on()

    def _begin_sheep_turn(self) -> None:
        self.turn += 1
        self.revealed = 0
        self.first = -1
        self.changed = False
        self._go_on()

    def _go_on(self) -> None:
        """The Sheep player's next step, while two sheep have not been revealed and there is a tile to turn (TK-7, TK-12)."""
        self.to_act = self.sheep
        if self.revealed < 2 and self.turnable() != 0:
            self.stage = TURNING
        elif (self.up != 0 and not self._stays_up()) or (self.late and len(self._takes()) > 0):
            self.stage = LOOKING
        else:
            self._end_sheep_turn()

    def _stays_up(self) -> bool:
        """Whether face-up sheep would not be turned down if the turn ended now (TK-13)."""
        if self.seats == 1:
            return False
        return self.open_tiles() <= LATE_FIELD or (self.late and self.terms.late_field_stays)

    def _turn_tile(self, cell: i64) -> None:
        if self.known[cell]:
            self._reveal(cell)
        else:
            self.turning = cell
            self.stage = REVEALING
            self.to_act = CHANCE

    def _reveal(self, cell: i64) -> None:
        """A tile is face up; what that brings."""
        face = self.known[cell] - 1
        self.turning = -1
        self.up |= CELL_BIT[cell]
        self.seen_at[cell] = self.turn
        if face % 5 and self.seats == 1:
            self._grow_fence(cell, face % 5 - 1)
        kind = face // 5
        if kind == RAM:
            self._leave(cell)
            if self.lying != ALL_LYING or self.standing != ALL_STANDING:
                self.stage = RAMMING
                self.to_act = self.sheep
                return
        elif kind == SHEPHERD:
            self._leave(cell)
            if self.seats == 2:
                self.stage = CALLING
                self.to_act = self.shepherd
                return
        elif self.revealed == 0:
            self.revealed = 1
            self.first = cell
        else:
            self.revealed = 2
            if not self.late:
                self._take_if_identical(self.first, cell)
        self._resolved()

    def _grow_fence(self, cell: i64, side: i64) -> None:
        """Solo: a fence at the side of the flower, or at the next free side clockwise (TK-21)."""
        while self.fenced(edge_at(cell, side)):
            side = (side + 1) % 4
        self.put_fence(edge_at(cell, side))
        self.changed = True

    def _take_if_identical(self, one: i64, other: i64) -> None:
        """Both sheep are taken if they are identical and neither is enclosed now (TK-8, TK-11, TK-24)."""
        if self.mood(one) == self.mood(other) and not self.enclosed(one) and not self.enclosed(other):
            self._leave(one)
            self._leave(other)
            self.changed = True

    def _resolved(self) -> None:
        """A revealed tile has had its effect; the Shepherd's fence is looked after elsewhere."""
        if self.seats == 1 and self._solo_is_over():
            self._end_game()
        else:
            self._go_on()

    def _solo_is_over(self) -> bool:
        """Whether the solo game is won or lost (TK-23, TK-25)."""
        return (self.tiles & self.reached) == 0 or self.supply == 0 or self._hopeless()

    def _hopeless(self) -> bool:
        """Whether every tile that is not enclosed has been seen and no two match (TK-25); seen rams and shepherds are gone."""
        within_reach = self.tiles & self.reached
        moods: i64 = 0
        cell: i64 = 0
        while cell < CELLS:
            if within_reach & CELL_BIT[cell]:
                if self.known[cell] == 0:
                    return False
                bit = CELL_BIT[self.mood(cell)]
                if moods & bit:
                    return False
                moods |= bit
            cell += 1
        return True

    def _end_sheep_turn(self) -> None:
        if self.seats == 1:
            self.up = 0
            self.idle = 0 if self.changed else self.idle + 1
            if self.idle == IDLE_TURNS:
                self._end_game()
            else:
                self._begin_sheep_turn()
            return
        all_face_up = self.turnable() == 0  # looked at before anything is turned down (TK-14)
        stays_up = self._stays_up()
        cell: i64 = 0
        if self.late:
            while cell < CELLS:
                if self.up & CELL_BIT[cell]:
                    self.seen_at[cell] = self.turn
                cell += 1
        if not stays_up:
            self.up = 0
        self.late = stays_up
        self._begin_shepherd_turn(LAST_FIRST_FENCE if all_face_up else FIRST_FENCE)

    def _end_round(self) -> None:
        """Score the round (TK-16) and begin the second, or end the game."""
        self.points[2 * self.round + self.shepherd] = self.enclosed_tiles()
        self.points[2 * self.round + self.sheep] = self.sheep_taken()
        if self.round == 0:
            self.round = 1
            self._lay_out()
            self._begin_round(self.sheep)
        else:
            self._end_game()

    def _end_game(self) -> None:
        self.stage = ENDED
        self.to_act = OVER

    # What may happen.

    def packed_legal(self) -> vec[i64]:
        actions = vec[i64]()
        index: i64 = 0
        stage = self.stage
        if stage == TURNING:
            turnable = self.turnable()
            while index < CELLS:
                if turnable & CELL_BIT[index]:
                    actions = append(actions, TURN + index)
                index += 1
        elif stage == RAMMING:
            while index < EDGES:
                if self.fenced(index):
                    actions = append(actions, REMOVE + index)
                index += 1
        elif self.fencing():
            edges = EDGE_BIT
            mask = self.lying
            while index < EDGES:
                if index == EDGES // 2:
                    mask = self.standing
                if mask & edges[index] != 0:
                    actions = append(actions, FENCE + index)
                index += 1
        elif stage == REVEALING:
            while index < FACES:
                if self._weight(index):
                    actions = append(actions, FACE + index)
                index += 1
        elif stage == DRAW_SHEPHERD:
            actions = append(append(actions, FIRST), FIRST + 1)
        if self.late and (stage in (TURNING, LOOKING)):
            for pair in self._takes():
                actions = append(actions, TAKE + pair)
        if stage == LOOKING:
            actions = append(actions, DONE)
        if self.seats == 1 and self.to_act == 0:
            actions = append(actions, GIVE_UP)
        return actions

    def fencing(self) -> bool:
        """Whether a fence is to be placed."""
        return FIRST_FENCE <= self.stage <= LAST_SECOND_FENCE or self.stage == CALLING

    def allows(self, action: i64) -> bool:
        if action < 0 or action >= ACTIONS:
            return False
        if action < REMOVE:
            return self.fencing() and not self.fenced(action)
        if action < TURN:
            return self.stage == RAMMING and self.fenced(action - REMOVE)
        if action < TAKE:
            return self.stage == TURNING and (self.turnable() & CELL_BIT[action - TURN]) != 0
        if action < DONE:
            return (self.stage == TURNING or self.stage == LOOKING) and int(action - TAKE) in self._takes()
        if action == DONE:
            return self.stage == LOOKING
        if action == GIVE_UP:
            return self.seats == 1 and self.to_act == 0
        if action < FIRST:
            return self.stage == REVEALING and self._weight(action - FACE) > 0
        return self.stage == DRAW_SHEPHERD

    def _weight(self, face: i64) -> i64:
        """How likely the tile being turned shows that face: a flower is as likely at each side."""
        if face % 5:
            return self.unseen[face // 5 * 2 + 1]
        return 4 * self.unseen[face // 5 * 2]

    def weights(self) -> list[int]:
        if self.stage == DRAW_SHEPHERD:
            return [1, 1]
        return [int(self._weight(action - FACE)) for action in self.legal()]

    def random_action(self, dice: Dice) -> i64:
        """Any action alike, but that nobody gives up."""
        drawn: i64
        if self.fencing():
            drawn = dice.below(EDGES)
            while self.fenced(drawn):
                drawn = dice.below(EDGES)
            return FENCE + drawn
        if self.stage == TURNING and not self.late:
            turnable = self.turnable()
            drawn = dice.below(CELLS)
            while (turnable & CELL_BIT[drawn]) == 0:
                drawn = dice.below(CELLS)
            return TURN + drawn
        if self.stage == REVEALING:
            return FACE + self._draw(dice)
        if self.stage == RAMMING:
            drawn = dice.below(EDGES)
            while not self.fenced(drawn):
                drawn = dice.below(EDGES)
            return REMOVE + drawn
        if self.stage == LOOKING and not self.late:
            return DONE
        actions = self.packed_legal()
        return actions[dice.below(len(actions))]

    def _draw(self, dice: Dice) -> i64:
        """A face, as likely as its weight."""
        left: i64 = 0
        for count in self.unseen:
            left += 4 * count
        left = dice.below(left)
        index: i64 = 0
        while left >= 4 * self.unseen[index]:
            left -= 4 * self.unseen[index]
            index += 1
        kind = index // 2
        return 5 * kind + (1 + left % 4 if index % 2 else 0)

    # Results and knowledge.

    def scores(self) -> list[int]:
        """Points so far, the round in progress counted as if it ended now; solo, the number of tiles freed (TK-23)."""
        return [int(self._total(seat)) for seat in range(self.seats)]

    def _total(self, seat: i64) -> i64:
        if self.seats == 1:
            return self.tiles_gone()
        total = self.points[seat] + self.points[2 + seat]
        if self.to_act != OVER and self.stage != DRAW_SHEPHERD:
            total += self.enclosed_tiles() if seat == self.shepherd else self.sheep_taken()
        return total

    def won(self) -> bool:
        """Solo: whether every tile has been freed."""
        return self.tiles == 0

    def copy(self) -> Position:
        return TeKuiti(self.terms, self)

    def key(self) -> tuple[int, ...]:
        values = [
            int(self.stage), int(self.to_act), int(self.round), int(self.shepherd), int(self.supply), int(self.lying),
            int(self.standing), int(self.tiles), int(self.up), int(self.turn), int(self.revealed), int(self.first), int(self.turning),
            int(self.late), int(self.changed), int(self.idle),
        ]  # fmt: skip
        for numbers in (self.known, self.seen_at, self.unseen, self.gone, self.points):
            for number in numbers:
                values.append(int(number))
        return tuple(values)

    def census(self) -> tuple[int, ...]:
        """Tiles of each kind without and with a flower, then fences."""
        counts = [int(self.unseen[index] + self.gone[index]) for index in range(2 * KINDS)]
        cell: i64 = 0
        while cell < CELLS:
            if self.known[cell]:
                face = self.known[cell] - 1
                counts[count_of(face)] += 1
            cell += 1
        counts.append(int(self.supply + ones(ALL_LYING & ~self.lying) + ones(ALL_STANDING & ~self.standing)))
        return tuple(counts)

    def layout(self) -> list[tuple[str, int, int]]:
        return [
            ("cells with a tile", CELLS, 1),
            ("cells whose tile is face up", CELLS, 1),
            ("enclosed cells", CELLS, 1),
            ("kind of tile that was seen, by kind and cell", KINDS * CELLS, 1),
            ("side of its flower, by side and cell", 4 * CELLS, 1),
            ("cell whose tile is being turned", CELLS, 1),
            ("edges with a fence", EDGES, 1),
            ("stage", STAGES, 1),
            ("viewer is to act; viewer is the Shepherd; second round; late field", 4, 1),
            ("how lately each tile was face up", CELLS, 240),
            ("tiles not seen yet, by kind, without and with a flower", 2 * KINDS, 4),
            ("sheep revealed in this turn", 1, 2),
            ("fences in the supply", 1, int(self.terms.fences)),
            ("solo turns in a row that changed nothing", 1, IDLE_TURNS),
            ("points of the viewer, of the other", 2, CELLS),
        ]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        cells = at
        lately = at + CELLS * (4 + KINDS + 4) + EDGES + STAGES + 4
        bit = CELL_BIT
        known = self.known
        cell: i64 = 0
        while cell < CELLS:
            if self.tiles & bit[cell] != 0:
                numbers[cells + cell] = 1
            if self.up & bit[cell] != 0:
                numbers[cells + CELLS + cell] = 1
            if self.reached & bit[cell] == 0:
                numbers[cells + 2 * CELLS + cell] = 1
            face = known[cell] - 1
            if face >= 0:
                kind: i64 = 0
                while face >= 5:
                    face -= 5
                    kind += 1
                numbers[cells + (3 + kind) * CELLS + cell] = 1
                if face != 0:
                    numbers[cells + (2 + KINDS + face) * CELLS + cell] = 1
                numbers[lately + cell] = u8(LATELY[min(self.turn - self.seen_at[cell], 239)])
            cell += 1
        at += (3 + KINDS + 4) * CELLS
        if self.turning >= 0:
            numbers[at + self.turning] = 1
        at += CELLS
        lying = ALL_LYING & ~self.lying
        standing = ALL_STANDING & ~self.standing
        edges = EDGE_BIT
        edge: i64 = 0
        while edge < EDGES // 2:
            if lying & edges[edge] != 0:
                numbers[at + edge] = 1
            if standing & edges[EDGES // 2 + edge] != 0:
                numbers[at + EDGES // 2 + edge] = 1
            edge += 1
        at += EDGES
        numbers[at + self.stage] = 1
        at += STAGES
        me = viewer if viewer >= 0 else max(self.to_act, 0)
        if self.to_act == me:
            numbers[at] = 1
        if self.shepherd == me:
            numbers[at + 1] = 1
        numbers[at + 2] = u8(self.round)
        if self.late:
            numbers[at + 3] = 1
        at += 4 + CELLS
        index: i64 = 0
        while index < 2 * KINDS:
            numbers[at + index] = u8(self.unseen[index])
            index += 1
        at += 2 * KINDS
        numbers[at] = u8(self.revealed)
        numbers[at + 1] = u8(self.supply)
        numbers[at + 2] = u8(self.idle)
        numbers[at + 3] = u8(self._total(me))
        if self.seats == 2:
            numbers[at + 4] = u8(self._total(1 - me))
        return at + 5
