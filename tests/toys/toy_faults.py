"""Toy games that are broken on purpose, each by one override, each for one check to catch.

`FAULTS` maps a fault's name to the check that is meant to catch it and the game.
"""

from __future__ import annotations

import random

from toy_base import ToyGame
from toy_grass import Grass
from toy_hats import DECK, LOST, UNKNOWN, Hats

from sheepfold.core.position import CHANCE, EVERYTHING, OVER, IllegalAction
from sheepfold.game.moments import Gain, Moment, Step

FAULTS: dict[str, tuple[str, ToyGame]] = {}


def caught_by(check, name=None, **arguments):
    """Put a broken Position, or a broken game of one, on the list."""

    def enter(kind):
        secrets = arguments.pop("secrets", None)
        if issubclass(kind, ToyGame):
            position = arguments.pop("position", Grass)
            game = kind(name or kind.__name__, position, issubclass(position, Hats) if secrets is None else secrets, **arguments)
        else:
            game = ToyGame(name or kind.__name__, kind, issubclass(kind, Hats) if secrets is None else secrets, **arguments)
        FAULTS[f"{kind.__name__}-{check}"] = (check, game)
        return kind

    return enter


# Faults of an open game.


@caught_by("legal_is_sound")
class UnsortedLegal(Grass):
    def legal(self):
        return super().legal()[::-1]


@caught_by("legal_is_sound")
class DuplicateLegal(Grass):
    def legal(self):
        return [action for action in super().legal() for _ in range(2)]


@caught_by("legal_is_sound")
class StuckBeforeTheEnd(Grass):
    def legal(self):
        return super().legal() if self.left > 3 else []


@caught_by("legal_is_sound")
class LegalButRefused(Grass):
    def apply(self, action):
        if action == 2:
            raise IllegalAction("no")
        super().apply(action)


class Meal:
    """How much was eaten last, as an object that is replaced and never changed."""

    def __init__(self, tufts):
        self.tufts = tufts


@caught_by("states_travel")
class StateInSharedObjects(Grass):
    """Copies know their set-up and share an object, so it is taken for a part of the set-up; but play replaces it."""

    def __init__(self, seats, tufts, of=None):
        super().__init__(seats, tufts, of)
        self.meal = Meal(0) if of is None else of.meal
        if of is not None:
            self.origin = of.origin

    def advance(self, action):
        if self.to_act != CHANCE:
            self.meal = Meal(action + 1)
        super().advance(action)

    def key(self):
        return (*super().key(), self.meal.tufts)


@caught_by("weights_are_sound")
class WeightMissing(Grass):
    def weights(self):
        return [1, 2]


@caught_by("weights_are_sound")
class WeightZero(Grass):
    def weights(self):
        return [1, 0, 1]


@caught_by("chance_follows_weights")
class ChanceIgnoresWeights(Grass):
    def random_action(self, dice):
        actions = self.legal()
        return actions[dice.below(len(actions))]


@caught_by("illegal_actions_are_refused")
class IllegalLeavesTraces(Grass):
    def apply(self, action):
        if not self.allows(action):
            self.turn = 1 - self.turn
            raise IllegalAction("no")
        super().apply(action)


@caught_by("illegal_actions_are_refused")
class IllegalIsAccepted(Grass):
    def apply(self, action):
        if action > 100:
            return
        super().apply(action)


@caught_by("illegal_actions_are_refused")
class IllegalBreaksDown(Grass):
    def apply(self, action):
        [0, 1, 2, 3, 4, 5][action]
        super().apply(action)


@caught_by("allows_agrees_with_legal")
class AllowsTooMuch(Grass):
    def allows(self, action):
        return super().allows(action) or (self.to_act >= 0 and action == 2)


@caught_by("random_action_is_legal")
class RandomIsIllegal(Grass):
    def random_action(self, dice):
        return dice.below(3) + (3 if self.to_act == CHANCE else 0)


@caught_by("random_action_is_legal")
class RandomHasOwnDice(Grass):
    def random_action(self, dice):
        return random.choice(self.legal())


class Sharing(Grass):
    def __init__(self, seats, tufts, of=None):
        super().__init__(seats, tufts, of)
        if of is not None:
            self.eaten = of.eaten


caught_by("copies_are_independent")(Sharing)
caught_by("history_is_undisturbed")(Sharing)


@caught_by("questions_change_nothing")
class HandsOutItsOwnList(Grass):
    def scores(self):
        return self.eaten


@caught_by("starts_are_equal")
class ShuffledDeck(Hats):
    """Stores the order of the deck, and draws from its top."""

    def __init__(self, seats, cards, bells=False, of=None):
        super().__init__(seats, cards, bells, of)
        self.order = random.sample(range(cards), cards) if of is None else of.order

    def legal(self):
        return super().legal() if self.to_act != CHANCE else [next(card for card in self.order if self.where[card] == DECK)]

    def weights(self):
        return [1]


@caught_by("same_log_gives_same_game")
class PlaysDiceOfItsOwn(Grass):
    def advance(self, action):
        super().advance(action)
        if self.to_act == CHANCE:
            self.turn = random.randrange(self.seats)


@caught_by("equal_keys_mean_equal_positions")
class KeyForgets(Grass):
    def key(self):
        return (self.turn,)


@caught_by("scores_and_ranks_fit")
class NobodyIsFirst(Grass):
    def ranks(self):
        return [rank + 1 for rank in super().ranks()]


@caught_by("scores_and_ranks_fit")
class RanksIgnoreScores(Grass):
    def ranks(self):
        return [1] * int(self.seats)


@caught_by("ends_within_bound")
class BoundLies(Grass):
    def __init__(self, seats, tufts, of=None):
        super().__init__(seats, tufts, of)
        self.ply_bound = 5


@caught_by("bounds_are_fixed")
class BoundsGrow(Grass):
    def advance(self, action):
        super().advance(action)
        self.action_count += 1

    def copy(self):
        copied = super().copy()
        copied.action_count = self.action_count
        return copied


@caught_by("census_is_constant")
class TuftGetsLost(Grass):
    def advance(self, action):
        super().advance(action)
        if self.left > 1 and self.to_act == CHANCE:
            self.left -= 1


@caught_by("census_is_constant")
class CardGetsLost(Hats):
    def put(self, seat, card):
        super().put(seat, card)
        if card == 3:
            self.where[card] = LOST


@caught_by("census_is_constant")
class ViewForgetsCards(Hats):
    def seen_by(self, viewer):
        view = super().seen_by(viewer)
        view.deck = 0
        return view


@caught_by("views_are_views")
class ViewerIsNotSet(Grass):
    def seen_by(self, viewer):
        return self.copy()


@caught_by("views_are_views")
class SeenTwiceIsLess(Hats):
    def seen_by(self, viewer):
        view = super().seen_by(viewer)
        view.where = [LOST if where == UNKNOWN and self.viewer == viewer else where for where in view.where]
        return view


@caught_by("views_are_views", secrets=False)
class HidesWithoutSecrets(Hats):
    pass


@caught_by("tensor_is_sound")
class TensorIsNotANumber(Grass):
    def tensor(self):
        return [*super().tensor(), float("nan")]


@caught_by("tensor_is_sound")
class TensorGrows(Grass):
    def tensor(self):
        return super().tensor() + [0.0] * self.left


@caught_by("tensor_is_sound")
class TensorSaysNothing(Grass):
    def tensor(self):
        return [0.0]


@caught_by("tensor_is_sound")
class NotesOtherHands(Hats):
    def write_tensor(self, viewer, numbers, at):
        return super().write_tensor(EVERYTHING, numbers, at)


@caught_by("tensor_is_sound")
class NotesSomethingElse(Grass):
    def write_tensor(self, viewer, numbers, at):
        end = super().write_tensor(viewer, numbers, at)
        if viewer != self.viewer:
            numbers[at] = 0
        return end


@caught_by("legal_is_sound")
class PacksLess(Grass):
    def packed_legal(self):
        return super().packed_legal()[1:]


# Faults of what is said and drawn.


@caught_by("texts_read_back")
class SameText(ToyGame):
    def write(self, view, action):
        return "take" if view.to_act != CHANCE else super().write(view, action)


@caught_by("texts_read_back")
class LoudText(ToyGame):
    def write(self, view, action):
        return super().write(view, action).upper()


@caught_by("texts_read_back")
class ReadsOtherwise(ToyGame):
    def read(self, view, text, seat=None):
        return view.legal()[0]


@caught_by("records_round_trip")
class RecordsReadOtherwise(ToyGame):
    def read(self, view, text, seat=None):
        return view.legal()[0]


@caught_by("words_work")
class PictureTooWide(ToyGame):
    def text_picture(self, view, seat, width=80, voice=None):
        return "~" * (width + 1)


@caught_by("words_work")
class PromptIsMissing(ToyGame):
    def prompt(self, view, voice):
        return super().prompt(view, voice) if view.to_act != OVER else ""


@caught_by("words_work")
class TellsWithHoles(ToyGame):
    def tell(self, before, action, after, voice, seat=None):
        return ["{who}"]


class Counted(ToyGame):
    """Stops at the end, where everybody's tufts are counted from the start on; each fault counts otherwise."""

    def moment(self, before, action, after, voice, seat=None):
        gains = tuple(self.counted(who, score) for who, score in enumerate(after.scores()))
        return Moment("The end", gains) if after.to_act == OVER else None

    def counted(self, seat, score):
        return Gain(seat, score, score, ("eaten",))


@caught_by("moments_add_up")
class TotalsAreOthers(Counted):
    def counted(self, seat, score):
        return Gain(seat, score, score + 1, ("eaten",))


@caught_by("moments_add_up")
class GainsAreOthers(Counted):
    def counted(self, seat, score):
        return Gain(seat, score + 1, score, ("eaten",))


@caught_by("moments_add_up")
class NoReasons(Counted):
    def counted(self, seat, score):
        return Gain(seat, score, score, ())


@caught_by("moments_add_up")
class SomebodyIsLeftOut(Counted):
    def moment(self, before, action, after, voice, seat=None):
        found = super().moment(before, action, after, voice, seat)
        return found and Moment(found.title, found.gains[1:])


@caught_by("moments_add_up")
class LightsWhatIsNotThere(Counted):
    def moment(self, before, action, after, voice, seat=None):
        found = super().moment(before, action, after, voice, seat)
        return found and Moment(found.title, found.gains, (Step(("tuft-99",), 1),))


COUNTED = Counted("counted", Grass)
"""Sound."""


# Faults of a game with secrets.


@caught_by("views_hide")
class ViewShowsAHand(Hats):
    def seen_by(self, viewer):
        view = super().seen_by(viewer)
        view.where = [real if real == 0 else shown for real, shown in zip(self.where, view.where, strict=True)]
        return view


@caught_by("views_hide")
class ScoreShowsAHand(Hats):
    """Points are counted from hands that the others cannot see."""

    def __init__(self, seats, cards, bells=False, of=None):
        super().__init__(seats, cards, bells, of)
        self.hopes = 0 if of is None else of.hopes

    def draw(self, card):
        super().draw(card)
        self.hopes += card

    def scores(self):
        return [points + self.hopes for points in super().scores()]


@caught_by("views_hide")
class NothingIsUnseen(Hats):
    """Says that it has secrets, but that everybody sees every draw."""

    def sees(self, viewer, action):
        return True


class Remembering(Hats):
    """Its views keep the whole position at heart, and do not show it in their key."""

    def __init__(self, seats, cards, bells=False, of=None):
        super().__init__(seats, cards, bells, of)
        self.truth = None if of is None else of.truth

    def seen_by(self, viewer):
        view = super().seen_by(viewer)
        view.truth = self.copy() if self.truth is None else self.truth
        return view


caught_by("views_hide", name="remembering")(Remembering)


@caught_by("views_do_not_widen")
class ViewsWiden(Remembering):
    def seen_by(self, viewer):
        whole = self if self.truth is None else self.truth
        return super(ViewsWiden, whole).seen_by(viewer)


@caught_by("choices_hide")
class LegalShowsAHand(Hats):
    """Who holds card 0 keeps the others from playing odd cards."""

    def lying(self, where):
        cards = super().lying(where)
        if where == DECK or self.viewer != EVERYTHING or self.where[0] < 0 or self.where[0] == where:
            return cards
        return [card for card in cards if card % 2 == 0] or cards


@caught_by("choices_hide", bells=True)
class AskingShowsAHand(Hats):
    """Only those are asked who do have a bell."""

    def may_interrupt(self, seat):
        return super().may_interrupt(seat) and any(self.where[card] == seat for card in range(self.cards - 2, self.cards))


@caught_by("interruptions_are_sound", bells=True)
class AskedInOneViewOnly(AskingShowsAHand):
    pass


@caught_by("interruptions_are_sound", bells=True)
class InterruptsItself(Hats):
    def interruptions(self, seat):
        return super().interruptions(seat) if seat != self.to_act else self.lying(seat)


@caught_by("interruptions_are_sound", bells=True)
class InterruptsUnasked(Hats):
    def may_interrupt(self, seat):
        return super().may_interrupt(seat) and seat == 0

    def interruptions(self, seat):
        return [card for card in self.lying(seat) if card >= self.cards - 2] if super().may_interrupt(seat) else []


@caught_by("pictures_hide", position=Remembering)
class PictureShowsAHand(ToyGame):
    def text_picture(self, view, seat, width=80, voice=None):
        return view.picture() if view.truth is None else view.truth.picture()


@caught_by("words_hide", position=Remembering)
class TellingShowsACard(ToyGame):
    def tell(self, before, action, after, voice, seat=None):
        return [*super().tell(before, action, after, voice, seat), f"{after.truth.where}"]


@caught_by("words_hide", position=Remembering)
class MomentShowsACard(ToyGame):
    def moment(self, before, action, after, voice, seat=None):
        return Moment(f"{after.truth.where}")


@caught_by("words_hide", position=Remembering)
class PromptShowsACard(ToyGame):
    def prompt(self, view, voice):
        return f"{super().prompt(view, voice)} {view.truth.where if view.truth else ''}"


class GuessIsTheTruth(Remembering):
    def determinize(self, dice):
        return (self if self.truth is None else self.truth).copy()


caught_by("determinize_varies")(GuessIsTheTruth)
caught_by("bots_are_fair")(GuessIsTheTruth)
caught_by("states_hide")(GuessIsTheTruth)


@caught_by("determinize_has_right_frequencies")
class GuessIsBiased(Hats):
    """Fills hands with the lowest unknown cards more often than not."""

    def determinize(self, dice):
        whole = super().determinize(dice)
        return min(whole, super().determinize(dice), key=lambda world: sum(card for card, where in enumerate(world.where) if where >= 0))


@caught_by("determinize_has_right_frequencies")
class GuessNeverDealsTheZero(Hats):
    def determinize(self, dice):
        whole = super().determinize(dice)
        while self.where[0] == UNKNOWN and whole.where[0] != DECK and DECK in whole.where:
            whole = super().determinize(dice)
        return whole


@caught_by("determinize_fits")
class GuessForgetsACard(Hats):
    def determinize(self, dice):
        whole = super().determinize(dice)
        if DECK in whole.where:
            whole.where[whole.where.index(DECK)] = LOST
        return whole


@caught_by("determinize_fits")
class GuessMixesHands(Hats):
    """Deals the viewer's own cards anew as well."""

    def determinize(self, dice):
        if self.viewer < 0 or self.to_act == OVER:
            return super().determinize(dice)
        blind = self.copy()
        blind.where = [UNKNOWN if where == self.viewer else where for where in self.where]
        blind.viewer = EVERYTHING
        return Hats.determinize(blind, dice)


# A fault that only another process shows.


class HashOrder(Grass):
    """The seat that plays next depends on how Python hashes text in this process."""

    def advance(self, action):
        super().advance(action)
        if self.to_act == CHANCE:
            self.turn = hash(f"{self.left}") % int(self.seats)


HASH_ORDER = ToyGame("hash-order", HashOrder)
