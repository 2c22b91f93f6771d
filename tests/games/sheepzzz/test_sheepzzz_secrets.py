"""What each seat knows in Sheepzzz: views, guesses, and histories that a viewer cannot tell apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from sheepzzz_table import do, held, lying, table

import sheepfold
from sheepfold import CHANCE, EVERYTHING, HIDDEN, OVER, SPECTATOR, Dice
from sheepfold.core.position import HiddenInformation
from sheepfold.games.sheepzzz import GAME
from sheepfold.games.sheepzzz.rules import CARD, DEAL, DECK, DRAW, HAND, HAND_CARDS, LAY, PILE, PLAY, START, TAKEN, Sheepzzz
from sheepfold.messages import Voice

VOICES = [Voice([GAME.folder / "locale"], language) for language in ("en", "fr")]

THREE = """
    up, clockwise
    piles: 14 | 4 5 6 | 12
    A> 9 10 wolf       taken: 7 7/3
    B: 4 1 wolf 17     taken: 8
    C: 19 11
    deck: 13 15 wolf
    rest: under 3
"""


def played(seats: int, seed: object, plies: int, **options: object) -> Sheepzzz:
    """A position some way into a random game."""
    position = sheepfold.load("sheepzzz", seats=seats, **options).start()
    dice = Dice(seed)
    for _ in range(plies):
        if position.to_act != OVER:
            position.advance(position.random_action(dice))
    assert isinstance(position, Sheepzzz)
    return position


# Views.


def test_a_view_holds_the_own_hand_and_everything_that_was_open():  # SZ-20
    position = table(THREE)
    view = position.seen_by(0)
    assert held(view, 0) == ["9/0", "10/0", "wolf"]
    assert (held(view, 1), held(view, 2)) == ([], [])
    assert Counter(lying(view, DECK)) == Counter([*held(position, 1), *held(position, 2), *lying(position, DECK)])
    assert (list(view.hand_size), view.deck_size) == ([3, 4, 2], 3)
    for place in (PILE, PILE + 1, PILE + 2, TAKEN, TAKEN + 1, TAKEN + 2):
        assert lying(view, place) == lying(position, place)
    assert view.census() == position.census()


def test_a_spectator_sees_no_hand():  # SZ-20
    view = table(THREE).seen_by(SPECTATOR)
    assert [held(view, seat) for seat in range(3)] == [[], [], []]
    assert GAME.text_picture(view, SPECTATOR).count("╭") == 3


def test_a_card_from_the_deck_is_seen_by_who_gets_it():  # SZ-20
    position = do(table(THREE), "9 on 2")
    drawn = GAME.read(position, "draw 13/0")
    assert position.stage == DRAW
    assert [position.sees(viewer, drawn) for viewer in (0, 1, 2, SPECTATOR, EVERYTHING)] == [True, False, False, False, True]
    taking = table(THREE)
    assert all(taking.sees(viewer, GAME.read(taking, "take 1")) for viewer in (0, 1, 2, SPECTATOR))
    dealing = do(sheepfold.load("sheepzzz", seats=2).start(), "starter 2", "draw 4/0", "draw 5/0", "draw 6/0")
    assert dealing.stage == DEAL
    assert [dealing.sees(viewer, dealing.legal()[0]) for viewer in (0, 1)] == [False, True]
    bite = do(table(THREE), "wolf on 2")
    assert all(bite.sees(viewer, bite.legal()[0]) for viewer in (0, 1, 2, SPECTATOR))


def test_a_view_does_not_answer_for_somebody_else():  # SZ-20
    position = table(THREE)
    assert position.seen_by(0).legal() == position.legal()
    for viewer in (1, 2, SPECTATOR):
        with pytest.raises(HiddenInformation):
            position.seen_by(viewer).legal()
        with pytest.raises(HiddenInformation):
            position.seen_by(viewer).random_action(Dice(1))
    do(position, "take 2")
    with pytest.raises(HiddenInformation):
        position.seen_by(1).legal()
    do(position, "start 9")
    with pytest.raises(HiddenInformation):  # what the deck holds is not even known to who draws
        position.seen_by(0).weights()
    bite = do(table(THREE), "wolf on 1")
    assert bite.seen_by(2).weights() == bite.weights()  # the pile was open
    with pytest.raises(HiddenInformation):
        bite.seen_by(2).seen_by(EVERYTHING)


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_choices_that_need_no_hand_are_open(viewer: int):  # SZ-20
    naming = do(table(THREE.replace("A>", "A:").replace("C:", "C>")), "19 on 1")
    assert naming.seen_by(viewer).legal() == naming.legal()


def test_which_of_several_wolves_was_drawn_first_is_not_in_the_view():  # SZ-20
    one = table("up, clockwise\npiles: 4 | 5 | 6\nA> wolf 9\nB: wolf 7\nC: 10\nrest: under 3")
    other = one.copy()
    wolves = [card for card in range(one.cards.count) if one.place[card] in (HAND, HAND + 1) and one.cards.kind_of[card] == one.cards.wolf]
    other.place[wolves[0]], other.place[wolves[1]] = one.place[wolves[1]], one.place[wolves[0]]
    assert one.key() == other.key()
    assert list(one.seen_by(0).place) == list(other.seen_by(0).place)


# Guesses.


def test_guess_is_exactly_the_posterior_on_a_small_deck():  # SZ-20 SZ-21
    here = Path(__file__).parent
    environment = {**os.environ, "SHEEPFOLD_PURE": "1", "PYTHONPATH": str(here)}
    output = subprocess.run([sys.executable, here / "sheepzzz_enumerate.py"], env=environment, capture_output=True, text=True, check=True)
    answer = json.loads(output.stdout)
    expected = {key: Fraction(chance) for key, chance in answer["expected"].items()}
    assert answer["unseen"] == ["7/0", "8/3", "13/0", "wolf", "wolf"]  # two of them in B's hand, two in C's, one in the deck
    assert (len(expected), set(expected.values())) == (18, {Fraction(1, 30), Fraction(1, 15)})
    assert {key: Fraction(chance) for key, chance in answer["guessed"].items()} == expected


@pytest.mark.parametrize(("seats", "viewer"), [(2, 0), (3, 2), (5, 1), (4, SPECTATOR)])
def test_guess_puts_every_unseen_card_everywhere_equally_often(seats: int, viewer: int):  # SZ-21
    position = played(seats, f"chi {seats}", 60)
    assert position.deck_size > 0
    view = position.seen_by(viewer)
    unseen = view.count_at(DECK)
    spots = {HAND + seat: int(view.hand_size[seat]) for seat in range(seats) if seat != viewer}
    spots[DECK] = int(view.deck_size)
    total, draws, dice = sum(unseen), 3000, Dice("chi")
    assert total == sum(spots.values())
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(draws):
        world = view.determinize(dice)
        for place, size in spots.items():
            counts = world.count_at(place)
            assert sum(counts) == size
            found.update({(kind, place): count for kind, count in enumerate(counts) if count})
    chi, freedom = 0.0, 0
    for kind, copies in enumerate(unseen):
        for place, size in spots.items():
            if copies:
                expected = draws * copies * size / total
                chi += (found[kind, place] - expected) ** 2 / expected
        freedom += (len(spots) - 1) if copies else 0
    # Cards of one guess exclude each other, so chi is somewhat smaller than with independent cells: both tails are asked.
    assert 0.6 * freedom < chi < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_determinize_fits_its_view_and_plays_on(seats: int):  # SZ-20
    dice = Dice(f"fits {seats}")
    for plies in range(0, 260, 13):
        position = played(seats, f"fit {seats}", plies)
        for viewer in (*range(seats), SPECTATOR):
            view = position.seen_by(viewer)
            world = view.determinize(dice)
            assert world.seen_by(viewer) == view
            assert world.viewer == EVERYTHING
            assert [sum(world.count_at(HAND + seat)) for seat in range(seats)] == list(position.hand_size)
            for _ in range(40):
                if world.to_act != OVER:
                    world.apply(int(world.random_action(dice)))


# Histories that a viewer cannot tell apart.


def redrawn(events: list[tuple[int, int, int]], position: Sheepzzz, viewer: int, seats: int, dice: Dice) -> list[int]:
    """The actions of a line of one round again, with all that the viewer did not see drawn anew so that everything it saw still happens.

    Each event is (stage, turn, action). Every other seat's draws are slots; what the seat showed later must have been in a slot by then,
    latest shown first finds a free slot; the slots that are left get any of the cards that the viewer has not seen at the end.
    """
    kinds = position.cards.kinds
    actions = [action for _, _, action in events]
    unseen = [kind for kind, count in enumerate(position.seen_by(viewer).count_at(DECK)) for _ in range(count)]
    for seat in range(seats):
        if seat == viewer:
            continue
        slots = [at for at, (stage, turn, _) in enumerate(events) if turn == seat and stage in (DEAL, DRAW)]
        shown = []
        for at, (stage, turn, action) in enumerate(events):
            if turn != seat:
                continue
            if stage == LAY:
                shown.append((at, action - CARD - kinds))
            elif stage == START:
                shown.append((at, action - CARD))
            elif stage == PLAY and action >= CARD:
                shown.append((at, (action - CARD - 2 * kinds) // 3))
        for at, kind in shown:  # the earliest has the fewest slots to come from, and every later one has one more
            free = [slot for slot in slots if slot < at]
            slot = free[dice.below(len(free))]
            slots.remove(slot)
            actions[slot] = CARD + kinds + kind
        for slot in slots:
            actions[slot] = CARD + kinds + unseen.pop(dice.below(len(unseen)))
    return actions


def what_is_seen(view: Sheepzzz, viewer: int) -> list[object]:
    """Everything that could reach the viewer from a view."""
    try:
        legal: list[int] | str = view.legal()
    except HiddenInformation:
        legal = "hidden"
    seen: list[object] = [
        view.key(),
        list(view.place),
        legal,
        view.scores(),
        view.ranks(),
        view.tensor(),
        view.determinize(Dice("same")).key(),
    ]
    for voice in VOICES:
        seen += [GAME.text_picture(view, viewer, 80, voice), GAME.prompt(view, voice), GAME.outline(view, viewer, voice)]
        if view.to_act == viewer:
            seen += [(GAME.write(view, action), GAME.describe(view, action, voice)) for action in view.legal()]
    return seen


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("option", ["none", "reverse-names-player", "first-out-ends", "memory-game"])
def test_what_a_viewer_gets_does_not_depend_on_what_it_did_not_see(seats: int, option: str):  # SZ-20
    options = {} if option == "none" else {option: True}
    different = 0
    for game in range(1 if options else 2):
        dice = Dice(f"leak {seats} {option} {game}")
        position = sheepfold.load("sheepzzz", seats=seats, **options).start()
        assert isinstance(position, Sheepzzz)
        events, history = [], [position.copy()]
        most = 25 + HAND_CARDS * seats + int(dice.below(90))
        while position.rounds == 0 and len(events) < most:
            action = int(position.random_action(dice))
            events.append((int(position.stage), int(position.turn), action))
            position.apply(action)
            if position.rounds == 0:
                history.append(position.copy())
        events = events[: len(history) - 1]
        for viewer in (*range(seats), SPECTATOR):
            actions = redrawn(events, history[-1], viewer, seats, dice)
            world = history[0].copy()
            for at, action in enumerate(actions):
                truth = history[at].seen_by(viewer)
                view = world.seen_by(viewer)
                assert what_is_seen(view, viewer) == what_is_seen(truth, viewer)
                different += world.key() != history[at].key()
                seen = world.sees(viewer, action)
                assert seen == history[at].sees(viewer, events[at][2])
                assert not seen or action == events[at][2]
                world.apply(action)
                told = [
                    [GAME.tell(one, action if seen else HIDDEN, two.seen_by(viewer), voice) for voice in VOICES]
                    for one, two in ((view, world), (truth, history[at + 1]))
                ]
                assert told[0] == told[1]
            assert what_is_seen(world.seen_by(viewer), viewer) == what_is_seen(history[-1].seen_by(viewer), viewer)
    assert different > 50


def test_after_a_round_all_was_shown():  # SZ-18 SZ-20
    position = table(THREE.replace("deck: 13 15 wolf", "deck:"))
    do(position, "take 2")
    while position.rounds == 0 and position.to_act == CHANCE:
        last = position.copy()
        action = position.legal()[0]
        assert position.reveals(action) == (sum(position.hand_size) == 1)
        position.apply(action)
    assert last.stage == LAY
    assert lying(position.seen_by(2), DECK) == lying(position, DECK)
