"""Sheepzzz: count sheep up or down on three piles, and do not collect pillows. The rules (docs/rules/sheepzzz.md) and the state.

A card is always in exactly one place, so the state is one place a card: `place[card]`. Cards of one kind, that is with the
same number and the same pillows, are interchangeable; actions and chance name kinds, never single cards. The deck
has no order: a draw is a chance event over the cards whose place is the deck.

Actions (K is the number of kinds, the wolf is the last kind):
     0, 1           count up, count down                     (ORDER)
     2, 3           turn the direction of play, keep it      (TURN)
     4, 5 + p       impose no pile, impose pile p            (IMPOSE)
     8 + p          take pile p                              (PLAY)
    11 + s          seat s plays next; chance: s starts      (NAME, STARTER)
    16 + k          start a new pile with kind k             (START)
    16 + K + k      chance: a card of kind k turns up        (TABLE, DEAL, DRAW, BITE, LAY)
    16 + 2K + 3k+p  play kind k on pile p                    (PLAY)

What a seat knows (SZ-20). Cards come to a hand unseen, from the deck only, and leave it openly, onto a pile or, after a round,
laid open for counting. Piles are taken face down, but of cards that all have seen. So with a perfect memory a seat knows every
pile and everything that was taken as multisets, and its own hand; unseen are the deck and the other hands, of which it
knows how many cards each has. In a view all unseen cards lie at place DECK, while `deck_size` and `hand_size` stay true.

Do choices tell more, by the rules? No. Taking a pile is always allowed, so it says nothing of what could not be played. It
obliges to start a pile with a sheep; but while the deck lasts every hand has five cards, and there are at most four
wolves, so there always is one. Being named needs only the number of cards. Which sheep or wolf is played may tell something
of a player's habits, but nothing by rule: `determinize` takes it that a played card says nothing about
the cards it leaves behind. All unseen cards are then equally likely in every unseen spot.

Whatever anybody learns comes from an event that they see. Therefore the cards that are left in hands after a round are laid open as
events too (LAY), one at a time in no particular order: the sums everybody then hears tell nothing that was not shown.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.dice import Dice
from sheepfold.core.packed import append, vec
from sheepfold.core.position import CHANCE, EVERYTHING, OVER, HiddenInformation, IllegalAction, Position, ranked

HAND_CARDS: Final = 5
PILES: Final = 3
ASLEEP: Final = 75
"""Who has that many pillows falls asleep, and the game is over."""
MOST_ROUNDS: Final = 100
JUMP: Final = 10
"""A sheep may also be played on one that is exactly so much higher (counting up) or lower (counting down)."""

# What is happening.
STARTER: Final = 0
TABLE: Final = 1
DEAL: Final = 2
ORDER: Final = 3
PLAY: Final = 4
START: Final = 5
TURN: Final = 6
NAME: Final = 7
IMPOSE: Final = 8
BITE: Final = 9
DRAW: Final = 10
LAY: Final = 11
END: Final = 12
STAGES: Final = 13

# Actions.
COUNT_UP: Final = 0
COUNT_DOWN: Final = 1
TURN_ROUND: Final = 2
KEEP: Final = 3
FREE: Final = 4
IMPOSE_PILE: Final = 5
TAKE: Final = 8
NEXT: Final = 11
CARD: Final = 16
"""From here on actions name kinds of cards: start with it, it turns up, play it."""

# Places.
DECK: Final = 0
PILE: Final = 1
TAKEN: Final = 4
HAND: Final = 9
NO_PILLOWS: Final = vec[i64]([0] * (HAND + 5))
"""A count for every place, to be copied."""

NONE: Final = -1
NO_POWER: Final = 0
NAMES_NEXT: Final = 1
"""The player names who plays next, and on which pile (SZ-8)."""
TURNS_PLAY: Final = 2
"""The player may turn the direction of play and impose a pile (SZ-9)."""
UP: Final = 1
DOWN: Final = -1
CLOCKWISE: Final = 1


class Cards:
    """What is printed on the cards: shared by all positions of a game."""

    count: i64
    kinds: i64
    wolf: i64
    """The kind of the wolves: the last."""
    powers: i64
    """How many sheep have a power."""
    highest: i64
    """The highest number of a sheep."""
    numbers: vec[i64]
    """By kind; a wolf has none, 0."""
    power: vec[i64]
    """By kind: NO_POWER, NAMES_NEXT or TURNS_PLAY."""
    pillows: vec[i64]
    """By kind."""
    first: vec[i64]
    """By kind: its first card. The cards of a kind follow each other; one more entry ends the last kind."""
    kind_of: vec[i64]
    """By card."""

    def __init__(self, sheep: list[tuple[int, int]], wolves: int, names_next: list[int], turns_play: list[int]) -> None:
        """`sheep` has number and pillows of every sheep; then the numbers with powers."""
        self.numbers = vec[i64]()
        self.pillows = vec[i64]()
        self.first = vec[i64]()
        self.kind_of = vec[i64]()
        self.power = vec[i64]()
        self.powers = 0
        ordered = sorted(sheep)
        self.highest = ordered[len(ordered) - 1][0]
        for index in range(len(ordered)):
            number, pillows = ordered[index]
            if index == 0 or ordered[index - 1] != ordered[index]:
                self.first = append(self.first, index)
                self.numbers = append(self.numbers, number)
                self.pillows = append(self.pillows, pillows)
                power: i64 = NAMES_NEXT if number in names_next else TURNS_PLAY if number in turns_play else NO_POWER
                self.power = append(self.power, power)
            self.kind_of = append(self.kind_of, len(self.numbers) - 1)
            if number in names_next or number in turns_play:
                self.powers += 1
        self.wolf = len(self.numbers)
        self.kinds = self.wolf + 1
        self.count = len(ordered) + wolves
        self.first = append(self.first, len(ordered))
        self.first = append(self.first, self.count)
        self.numbers = append(self.numbers, 0)
        self.pillows = append(self.pillows, 0)
        self.power = append(self.power, NO_POWER)
        for _ in range(wolves):
            self.kind_of = append(self.kind_of, self.wolf)


def follows(number: i64, top: i64, order: i64) -> bool:
    """Whether a sheep of that number may be played on that top, counting UP or DOWN (SZ-5)."""
    if order == UP:
        return number > top or number == top - JUMP
    return number < top or number == top + JUMP


class Terms:
    """What was agreed before the game: shared by all its positions."""

    names_after_turn: bool
    """Option `reverse-names-player`."""
    first_out_ends: bool
    """Option `first-out-ends`."""
    first_starter: i64
    """Option `first-starter`: a seat, or NONE where it is drawn."""
    memory_game: bool
    """Option `memory-game`, for pictures and words only: they do not tell how many cards are in the piles and taken."""

    def __init__(
        self, names_after_turn: bool = False, first_out_ends: bool = False, first_starter: i64 = NONE, memory_game: bool = False
    ) -> None:
        self.names_after_turn = names_after_turn
        self.first_out_ends = first_out_ends
        self.first_starter = first_starter
        self.memory_game = memory_game


class Sheepzzz(Position):
    """One game of Sheepzzz; see the module."""

    cards: Cards
    terms: Terms
    stage: i64
    rounds: i64
    """How many rounds are finished."""
    starter: i64
    """Who started, or will start, this round; NONE before anybody is drawn."""
    turn: i64
    """Whose turn it is; in DEAL who gets the next card, in LAY whose hand is laid open."""
    direction: i64
    """+1 clockwise, -1 the other way round."""
    order: i64
    """UP, DOWN, or 0 before the starter has chosen."""
    pile: i64
    """START: where the new pile comes; BITE: which pile was shuffled; TABLE: which is laid next; else NONE."""
    imposed: i64
    """The pile that the player whose turn is or comes must play on, or NONE."""
    named: i64
    """Who was named to play next, or NONE."""
    deck_size: i64
    place: vec[i64]
    """By card; in a view the cards that the viewer cannot see are at DECK."""
    hand_size: vec[i64]
    pile_size: vec[i64]
    top: vec[i64]
    """By pile: the kind of its top, or NONE where there is no pile."""
    totals: vec[i64]
    """Pillows of the rounds before this one."""

    def __init__(self, cards: Cards, seats: i64, terms: Terms, of: Sheepzzz | None = None) -> None:
        # A round: three cards on the table, five a hand, the counting order; then every turn plays one card for good, with at most two
        # events, its draw and three questions if it has a power; at last one taking, and what is left in hands is laid open.
        turns = cards.count - PILES
        events = PILES + HAND_CARDS * seats + 1 + 2 * turns + (turns - HAND_CARDS * seats) + 3 * cards.powers + 1
        super().__init__(seats, CARD + 5 * cards.kinds, 1 + MOST_ROUNDS * events)
        self.cards = cards
        self.terms = terms
        if of is not None:
            self.to_act = of.to_act
            self.viewer = of.viewer
            self.origin = of.origin
            self.stage = of.stage
            self.rounds = of.rounds
            self.starter = of.starter
            self.turn = of.turn
            self.direction = of.direction
            self.order = of.order
            self.pile = of.pile
            self.imposed = of.imposed
            self.named = of.named
            self.deck_size = of.deck_size
            self.place = of.place[:]
            self.hand_size = of.hand_size[:]
            self.pile_size = of.pile_size[:]
            self.top = of.top[:]
            self.totals = of.totals[:]
            return
        self.rounds = 0
        self.starter = NONE
        self.place = vec[i64]([0] * cards.count)
        self.hand_size = vec[i64]([0] * seats)
        self.pile_size = vec[i64]([0] * PILES)
        self.top = vec[i64]([0] * PILES)
        self.totals = vec[i64]([0] * seats)
        if terms.first_starter == NONE:
            self._gather()
            self.stage = STARTER
            self.to_act = CHANCE
        else:
            self.starter = terms.first_starter
            self._set_up()

    def copy(self) -> Sheepzzz:
        return Sheepzzz(self.cards, self.seats, self.terms, self)

    # What may happen.

    def packed_legal(self) -> vec[i64]:
        self._refuse_what_is_hidden()
        stage = self.stage
        shown: i64 = CARD + self.cards.kinds
        if stage == PLAY:
            return self._plays()
        if stage == START:
            return self._named(self._kinds_at(HAND + self.turn), CARD, self.cards.wolf)
        if stage == TABLE:
            return self._named(self._kinds_at(DECK), shown, self.cards.wolf)
        if self.to_act == CHANCE and stage != STARTER:
            return self._named(self._kinds_at(self._source()), shown, NONE)
        actions = vec[i64]()
        index: i64 = 0
        if stage in (STARTER, NAME):
            while index < self.seats:
                if stage == STARTER or (index != self.turn and self.hand_size[index] > 0):
                    actions = append(actions, NEXT + index)
                index += 1
        elif stage == ORDER:
            actions = append(append(actions, COUNT_UP), COUNT_DOWN)
        elif stage == TURN:
            actions = append(append(actions, TURN_ROUND), KEEP)
        elif stage == IMPOSE:
            actions = append(actions, FREE)
            while index < PILES:
                if self.top[index] != NONE:
                    actions = append(actions, IMPOSE_PILE + index)
                index += 1
        return actions

    def _named(self, kinds: vec[i64], first: i64, but: i64) -> vec[i64]:
        """The actions from `first` on that name these kinds, one of them left out."""
        actions = vec[i64]()
        for kind in kinds:
            if kind != but:
                actions = append(actions, first + kind)
        return actions

    def weights(self) -> list[int]:
        if self.stage == STARTER:
            return [1] * self.seats
        source = self._source()
        return [self._count_at(action - CARD - self.cards.kinds, source) for action in self.legal()]

    def _source(self) -> i64:
        """Where the card comes from that chance turns up now."""
        if self.stage == BITE:
            return PILE + self.pile
        if self.stage == LAY:
            return HAND + self.turn
        return DECK

    def _plays(self) -> vec[i64]:
        """What the player whose turn it is may do: take a pile, or play a card that fits (SZ-5, SZ-6, SZ-10, SZ-12)."""
        actions = vec[i64]()
        pile: i64 = 0
        while pile < PILES:
            if self.playable(pile):
                actions = append(actions, TAKE + pile)
            pile += 1
        for kind in self._kinds_at(HAND + self.turn):
            pile = 0
            while pile < PILES:
                if self.playable(pile) and self.fits(kind, pile):
                    actions = append(actions, CARD + 2 * self.cards.kinds + PILES * kind + pile)
                pile += 1
        return actions

    def playable(self, pile: i64) -> bool:
        """Whether that pile is there and no other is imposed."""
        return self.top[pile] != NONE and (self.imposed == NONE or self.imposed == pile)

    def fits(self, kind: i64, pile: i64) -> bool:
        """Whether a card of that kind may be played on that pile, as far as the numbers go; a wolf always may."""
        return kind == self.cards.wolf or follows(self.cards.numbers[kind], self.cards.numbers[self.top[pile]], self.order)

    def _refuse_what_is_hidden(self) -> None:
        """On a view: nobody is told what depends on the deck or on somebody else's hand."""
        if self.viewer == EVERYTHING:
            return
        stage = self.stage
        if stage in (DEAL, DRAW):
            raise HiddenInformation("which cards are left in the deck is not known to this view; determinize() draws them")
        if stage in (PLAY, START, LAY) and self.turn != self.viewer:
            raise HiddenInformation(f"the hand of seat {self.turn} is not known to this view; determinize() draws it")

    def random_action(self, dice: Dice) -> i64:
        """Every card and pile that can be played, and every taking, is equally likely; chance follows its weights."""
        stage = self.stage
        if stage in (STARTER, ORDER, TURN, NAME, IMPOSE):
            actions = self.packed_legal()
            return actions[dice.below(len(actions))]
        self._refuse_what_is_hidden()
        if stage == PLAY:
            return self._random_play(dice)
        shown: i64 = CARD + self.cards.kinds
        if stage == START:
            return CARD + self._random_sheep(HAND + self.turn, self.hand_size[self.turn], dice)
        if stage == TABLE:
            return shown + self._random_sheep(DECK, self.deck_size, dice)
        if stage == BITE:
            return shown + self._random_kind(PILE + self.pile, self.pile_size[self.pile], dice)
        if stage == LAY:
            return shown + self._random_kind(HAND + self.turn, self.hand_size[self.turn], dice)
        return shown + self._random_kind(DECK, self.deck_size, dice)

    def _random_play(self, dice: Dice) -> i64:
        """Draw a card, or the taking, and a pile until they fit; a taking always does."""
        size = self.hand_size[self.turn]
        while True:
            drawn = dice.below((size + 1) * PILES)
            pile = drawn % PILES
            if not self.playable(pile):
                continue
            card = drawn // PILES
            if card == size:
                return TAKE + pile
            kind = self._kind_at(HAND + self.turn, card)
            if self.fits(kind, pile):
                return CARD + 2 * self.cards.kinds + PILES * kind + pile

    def _random_kind(self, place: i64, size: i64, dice: Dice) -> i64:
        return self._kind_at(place, dice.below(size))

    def _random_sheep(self, place: i64, size: i64, dice: Dice) -> i64:
        while True:
            kind = self._random_kind(place, size, dice)
            if kind != self.cards.wolf:
                return kind

    # Where the cards are.

    def _kinds_at(self, place: i64) -> vec[i64]:
        """The kinds that lie there, ascending, each once."""
        kinds = vec[i64]()
        places = self.place
        kind_of = self.cards.kind_of
        count = self.cards.count
        last: i64 = NONE
        card: i64 = 0
        while card < count:
            if places[card] == place and kind_of[card] != last:
                last = kind_of[card]
                kinds = append(kinds, last)
            card += 1
        return kinds

    def _kind_at(self, place: i64, index: i64) -> i64:
        """The kind of the card number `index` that lies there."""
        places = self.place
        count = self.cards.count
        left = index
        card: i64 = 0
        while card < count:
            if places[card] == place:
                if left == 0:
                    return self.cards.kind_of[card]
                left -= 1
            card += 1
        raise IllegalAction(f"there are not {index + 1} cards at place {place}")

    def _count_at(self, kind: i64, place: i64) -> i64:
        card: i64
        count: i64 = 0
        for card in range(self.cards.first[kind], self.cards.first[kind + 1]):
            if self.place[card] == place:
                count += 1
        return count

    def count_at(self, place: i64) -> list[int]:
        """How many cards of each kind lie there."""
        return [self._count_at(kind, place) for kind in range(self.cards.kinds)]

    def _move(self, kind: i64, source: i64, goal: i64) -> None:
        """One card of that kind goes from one place to another."""
        card: i64
        for card in range(self.cards.first[kind], self.cards.first[kind + 1]):
            if self.place[card] == source:
                self.place[card] = goal
                return
        raise IllegalAction(f"there is no card of kind {kind} at place {source}")

    def piles_left(self) -> i64:
        """How many piles have not been eaten."""
        pile: i64
        left: i64 = 0
        for pile in range(PILES):
            if self.top[pile] != NONE:
                left += 1
        return left

    def taken_size(self, seat: i64) -> i64:
        """How many cards lie in front of that seat."""
        card: i64
        count: i64 = 0
        for card in range(self.cards.count):
            if self.place[card] == TAKEN + seat:
                count += 1
        return count

    def pillows(self) -> vec[i64]:
        """How many pillows are on the cards at each place but the deck."""
        kind_of = self.cards.kind_of
        on_kind = self.cards.pillows
        pillows = NO_PILLOWS[:]
        card: i64 = 0
        for place in self.place:
            if place != DECK:
                pillows[place] += on_kind[kind_of[card]]
            card += 1
        return pillows

    def taken_pillows(self, seat: i64) -> i64:
        """How many pillows are on the cards in front of that seat."""
        return self.pillows()[TAKEN + seat]

    # Going on.

    def advance(self, action: i64) -> None:
        stage = self.stage
        if stage == PLAY:
            if action < NEXT:
                self._take_pile(action - TAKE)
            else:
                card = action - CARD - 2 * self.cards.kinds
                self._play(card // PILES, card % PILES)
        elif stage == START:
            self._start_pile(action - CARD)
        elif stage == DRAW:
            self._get(action - CARD - self.cards.kinds)
            self._next_turn()
        elif stage == BITE:
            self._bite(action - CARD - self.cards.kinds)
        elif stage == DEAL:
            self._get(action - CARD - self.cards.kinds)
            self._deal_on()
        elif stage == LAY:
            self._move(action - CARD - self.cards.kinds, HAND + self.turn, TAKEN + self.turn)
            self.hand_size[self.turn] -= 1
            self._lay_on()
        elif stage == TURN:
            if action == TURN_ROUND:
                self.direction = -self.direction
            if self.terms.names_after_turn:
                self._ask_for_a_name()
            else:
                self._ask_for_a_pile()
        elif stage == NAME:
            self.named = action - NEXT
            self._ask_for_a_pile()
        elif stage == IMPOSE:
            if action != FREE:
                self.imposed = action - IMPOSE_PILE
            self._draw()
        elif stage == TABLE:
            self._lay_on_table(action - CARD - self.cards.kinds)
        elif stage == ORDER:
            self.order = UP if action == COUNT_UP else DOWN
            self._to_play(self.starter)
        elif stage == STARTER:
            self.starter = action - NEXT
            self._set_up()
        else:
            raise IllegalAction("the game is over")

    # A round is set up (SZ-2, SZ-3).

    def _gather(self) -> None:
        """All cards back into the deck, and everything as it is before a round."""
        card: i64
        seat: i64
        pile: i64
        for card in range(self.cards.count):
            self.place[card] = DECK
        for seat in range(self.seats):
            self.hand_size[seat] = 0
        for pile in range(PILES):
            self.pile_size[pile] = 0
            self.top[pile] = NONE
        self.deck_size = self.cards.count
        self.direction = CLOCKWISE
        self.order = 0
        self.turn = self.starter
        self.pile = NONE
        self.imposed = NONE
        self.named = NONE

    def _set_up(self) -> None:
        self._gather()
        self.stage = TABLE
        self.to_act = CHANCE
        self.pile = 0

    def _lay_on_table(self, kind: i64) -> None:
        self._move(kind, DECK, PILE + self.pile)
        self.deck_size -= 1
        self.pile_size[self.pile] = 1
        self.top[self.pile] = kind
        self.pile += 1
        if self.pile == PILES:
            self.pile = NONE
            self.stage = DEAL

    def _deal_on(self) -> None:
        """Clockwise from the starter, until everybody has five cards; then the starter chooses the counting order."""
        self.turn = (self.turn + 1) % self.seats
        if self.hand_size[self.turn] == HAND_CARDS:
            self.stage = ORDER
            self.to_act = self.turn

    def _get(self, kind: i64) -> None:
        """Who is dealt to, or whose turn it is, gets a card from the deck."""
        self._move(kind, DECK, HAND + self.turn)
        self.deck_size -= 1
        self.hand_size[self.turn] += 1

    # A turn (SZ-4 to SZ-12).

    def _play(self, kind: i64, pile: i64) -> None:
        self._move(kind, HAND + self.turn, PILE + pile)
        self.hand_size[self.turn] -= 1
        self.pile_size[pile] += 1
        self.imposed = NONE
        if kind == self.cards.wolf:
            self.order = -self.order
            self.pile = pile
            self.stage = BITE
            self.to_act = CHANCE
        else:
            self.top[pile] = kind
            self._use_power(self.cards.power[kind])

    def _take_pile(self, pile: i64) -> None:
        self.imposed = NONE
        self._collect(pile)
        if self.deck_size == 0:
            self._end_round()
        else:
            self.pile = pile
            self.stage = START

    def _collect(self, pile: i64) -> None:
        """The whole pile goes, face down, in front of the player whose turn it is."""
        places = self.place
        count = self.cards.count
        card: i64 = 0
        while card < count:
            if places[card] == PILE + pile:
                places[card] = TAKEN + self.turn
            card += 1
        self.pile_size[pile] = 0
        self.top[pile] = NONE

    def _start_pile(self, kind: i64) -> None:
        pile = self.pile
        self._move(kind, HAND + self.turn, PILE + pile)
        self.hand_size[self.turn] -= 1
        self.pile_size[pile] = 1
        self.top[pile] = kind
        self.pile = NONE
        self._use_power(self.cards.power[kind])

    def _bite(self, kind: i64) -> None:
        """The card drawn from the shuffled pile: a sheep becomes its top, a wolf eats it (SZ-12)."""
        pile = self.pile
        self.pile = NONE
        if kind != self.cards.wolf:
            self.top[pile] = kind
            self._draw()
            return
        self._collect(pile)
        if self.deck_size == 0 or self.piles_left() == 0:
            self._end_round()
        else:
            self._draw()

    def _use_power(self, power: i64) -> None:
        """The choices that a sheep brings. They lapse where nobody else has cards, or where the round is over anyway (SZ-11)."""
        if self._others_with_cards() == 0 or self._round_is_out():
            self._draw()
        elif power == NAMES_NEXT:
            self._ask_for_a_name()
        elif power == TURNS_PLAY:
            self.stage = TURN
        else:
            self._draw()

    def _others_with_cards(self) -> i64:
        seat: i64
        others: i64 = 0
        for seat in range(self.seats):
            if seat != self.turn and self.hand_size[seat] > 0:
                others += 1
        return others

    def _ask_for_a_name(self) -> None:
        """Where only one other player has cards there is nothing to ask."""
        if self._others_with_cards() > 1:
            self.stage = NAME
        else:
            self.named = self.next_with_cards()
            self._ask_for_a_pile()

    def _ask_for_a_pile(self) -> None:
        """With one pile left there is nothing to ask."""
        if self.piles_left() > 1:
            self.stage = IMPOSE
        else:
            self._draw()

    def _draw(self) -> None:
        """The turn ends with a card from the deck, while it lasts."""
        if self.deck_size > 0:
            self.stage = DRAW
            self.to_act = CHANCE
        else:
            self._next_turn()

    def next_with_cards(self) -> i64:
        """The next player in the direction of play who has cards: the same one if nobody else has."""
        seat = self.turn
        while True:
            seat = (seat + self.direction + self.seats) % self.seats
            if self.hand_size[seat] > 0 or seat == self.turn:
                return seat

    def _next_turn(self) -> None:
        if self._round_is_out():
            self._end_round()
            return
        seat = self.named if self.named != NONE else self.next_with_cards()
        self.named = NONE
        self._to_play(seat)

    def _to_play(self, seat: i64) -> None:
        self.turn = seat
        self.stage = PLAY
        self.to_act = seat

    # The end of a round (SZ-14 to SZ-17).

    def _round_is_out(self) -> bool:
        """Without a deck: when nobody has a card in hand; by the option when somebody has none."""
        seat: i64
        if self.deck_size > 0:
            return False
        holding: i64 = 0
        for seat in range(self.seats):
            if self.hand_size[seat] > 0:
                holding += 1
        return holding == 0 or (self.terms.first_out_ends and holding < self.seats)

    def _end_round(self) -> None:
        self.stage = LAY
        self.to_act = CHANCE
        self.turn = 0
        self._lay_on()

    def _lay_on(self) -> None:
        """Cards still in hand go to the others in front of their owner, openly; then everybody counts."""
        while self.hand_size[self.turn] == 0:
            self.turn += 1
            if self.turn == self.seats:
                self._count_pillows()
                return

    def _count_pillows(self) -> None:
        seat: i64
        most: i64 = 0
        pillows = self.pillows()
        for seat in range(self.seats):
            self.totals[seat] += pillows[TAKEN + seat]
            if self.totals[seat] > most:
                most = self.totals[seat]
        self.rounds += 1
        if most >= ASLEEP or self.rounds == MOST_ROUNDS:
            self.stage = END
            self.to_act = OVER
            self.turn = NONE
            return
        seat = self.starter
        while True:
            seat = (seat + 1) % self.seats
            if self.totals[seat] == most:
                break
        self.starter = seat
        self._set_up()

    def scores(self) -> list[int]:
        """The pillows of all finished rounds: the fewest win."""
        return [int(total) for total in self.totals]

    def ranks(self) -> list[int]:
        return ranked([-total for total in self.scores()])

    # What each seat knows.

    def seen_by(self, viewer: i64) -> Sheepzzz:
        card: i64
        view = self.copy()
        if viewer == self.viewer:
            return view
        if viewer == EVERYTHING:
            raise HiddenInformation("a view does not know the whole position; determinize() draws one that fits")
        view.viewer = viewer
        for card in range(self.cards.count):
            if self.place[card] >= HAND and self.place[card] != HAND + viewer:
                view.place[card] = DECK
        view._sort_places()
        return view

    def _sort_places(self) -> None:
        """Which of several equal cards lies where must not tell who had one first."""
        kind: i64
        card: i64
        for kind in range(self.cards.kinds):
            for card in range(self.cards.first[kind] + 1, self.cards.first[kind + 1]):
                moved = card
                while moved > self.cards.first[kind] and self.place[moved - 1] > self.place[moved]:
                    place = self.place[moved]
                    self.place[moved] = self.place[moved - 1]
                    self.place[moved - 1] = place
                    moved -= 1

    def sees(self, viewer: i64, action: i64) -> bool:
        """A card from the deck is seen by who gets it; everything else happens openly."""
        return viewer == EVERYTHING or viewer == self.turn or self.stage not in (DEAL, DRAW)

    def reveals(self, action: i64) -> bool:
        """With the last card that leaves a hand the round is over: all cards are gathered, and nothing is hidden any more."""
        seat: i64
        held: i64 = 0
        for seat in range(self.seats):
            held += self.hand_size[seat]
        if self.stage == LAY:
            return held == 1
        if self.stage == BITE:
            return held == 0
        sheep = action >= CARD + 2 * self.cards.kinds and action < CARD + 2 * self.cards.kinds + PILES * self.cards.wolf
        return self.stage == PLAY and sheep and held == 1 and self.deck_size == 0

    def determinize(self, dice: Dice) -> Sheepzzz:
        """The other hands are dealt from all unseen cards; what remains is the deck."""
        card: i64
        seat: i64
        whole = self.copy()
        whole.viewer = EVERYTHING
        if self.viewer == EVERYTHING:
            return whole
        unseen = vec[i64]()
        for card in range(self.cards.count):
            if self.place[card] == DECK:
                unseen = append(unseen, card)
        left: i64 = len(unseen)
        for seat in range(self.seats):
            if seat == self.viewer:
                continue
            for _ in range(self.hand_size[seat]):
                drawn = dice.below(left)
                left -= 1
                whole.place[unseen[drawn]] = HAND + seat
                unseen[drawn] = unseen[left]
        return whole

    def layout(self) -> list[tuple[str, int, int]]:
        kinds, seats = int(self.cards.kinds), int(self.seats)
        return [
            ("cards in the viewer's hand, by kind", kinds, 1),
            ("cards the viewer has not seen since they were shuffled, by kind", kinds, 1),
            ("cards on the piles, by pile and kind", PILES * kinds, 1),
            ("pile that is imposed; pile that is begun or bitten", 2 * PILES, 1),
            ("seat whose turn it is; from here on seats count from the viewer's", seats, 1),
            ("seat that is to act", seats, 1),
            ("seat that is named to play next", seats, 1),
            ("seat that started", seats, 1),
            ("stage", STAGES, 1),
            ("play goes clockwise; counting up; counting down", 3, 1),
            ("number on each pile's top", PILES, int(self.cards.highest)),
            ("cards in each pile", PILES, 10),
            ("cards in hand by seat", seats, HAND_CARDS),
            ("pillows of the rounds before by seat", seats, ASLEEP),
            ("pillows of this round by seat", seats, ASLEEP),
            ("cards in the deck", 1, int(self.cards.count)),
            ("rounds that are finished", 1, MOST_ROUNDS),
        ]

    def write_tensor(self, viewer: i64, numbers: vec[u8], at: i64) -> i64:
        seats = self.seats
        me: i64 = viewer if viewer >= 0 else 0
        pillows = vec[i64]([0, 0, 0, 0, 0])
        self._note_cards(viewer, numbers, at, pillows)
        at += (2 + PILES) * self.cards.kinds
        if self.imposed != NONE:
            numbers[at + self.imposed] = 1
        if self.pile != NONE and self.pile < PILES:
            numbers[at + PILES + self.pile] = 1
        at += 2 * PILES
        counts = at + 4 * seats + STAGES + 3
        pile: i64 = 0
        while pile < PILES:
            if self.top[pile] != NONE:
                numbers[counts + pile] = u8(self.cards.numbers[self.top[pile]])
            numbers[counts + PILES + pile] = u8(self.pile_size[pile])
            pile += 1
        counts += 2 * PILES
        seat = me
        step: i64 = 0
        while step < seats:
            if self.turn == seat:
                numbers[at + step] = 1
            if self.to_act == seat:
                numbers[at + seats + step] = 1
            if self.named == seat:
                numbers[at + 2 * seats + step] = 1
            if self.starter == seat:
                numbers[at + 3 * seats + step] = 1
            numbers[counts + step] = u8(self.hand_size[seat])
            numbers[counts + seats + step] = u8(min(self.totals[seat], 255))
            numbers[counts + 2 * seats + step] = u8(min(pillows[seat], 255))
            seat = seat + 1 if seat + 1 < seats else 0
            step += 1
        at += 4 * seats
        numbers[at + self.stage] = 1
        at += STAGES
        if self.direction == CLOCKWISE:
            numbers[at] = 1
        if self.order != 0:
            numbers[at + (1 if self.order == UP else 2)] = 1
        at = counts + 3 * seats
        numbers[at] = u8(self.deck_size)
        numbers[at + 1] = u8(self.rounds)
        return at + 2

    def _note_cards(self, viewer: i64, numbers: vec[u8], at: i64, pillows: vec[i64]) -> None:
        """Where the cards are, and the pillows in front of each seat.

        Those in other hands and in the deck are one heap to a viewer, whatever this position knows.
        """
        cards = self.cards
        kinds = cards.kinds
        kind_of = cards.kind_of
        places = self.place
        worth = cards.pillows
        count = cards.count
        mine: i64 = HAND + viewer if viewer >= 0 else NONE
        card: i64 = 0
        while card < count:
            place = places[card]
            kind = kind_of[card]
            if place == mine:
                numbers[at + kind] += 1
            elif place == DECK or place >= HAND:
                numbers[at + kinds + kind] += 1
            elif place < TAKEN:
                numbers[at + (2 + place - PILE) * kinds + kind] += 1
            else:
                pillows[place - TAKEN] += worth[kind]
            card += 1

    # Comparison.

    def key(self) -> tuple[int, ...]:
        """Cards of one kind are interchangeable, so their places are sorted."""
        parts: list[int] = [
            self.viewer, self.to_act, self.stage, self.rounds, self.starter, self.turn, self.direction, self.order,
            self.pile, self.imposed, self.named, self.deck_size,
        ]  # fmt: skip
        for kind in range(self.cards.kinds):
            places: list[int] = [int(self.place[card]) for card in range(self.cards.first[kind], self.cards.first[kind + 1])]
            places.sort()
            parts.extend(places)
        parts.extend([int(size) for size in self.hand_size])
        parts.extend([int(size) for size in self.pile_size])
        parts.extend([int(kind) for kind in self.top])
        parts.extend([int(total) for total in self.totals])
        return tuple(parts)

    def census(self) -> tuple[int, ...]:
        """How many cards of each kind there are in the deck, on piles, in front of players and in hands together."""
        found = [0] * self.cards.kinds
        for card in range(self.cards.count):
            if DECK <= self.place[card] < HAND + self.seats:
                found[self.cards.kind_of[card]] += 1
        return tuple(found)
