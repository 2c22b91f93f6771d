"""What each player of La Guerre des Moutons knows: guesses against all worlds counted one by one, and views that give nothing away."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest
from guerre_table import Box, play, table
from test_guerre_play import happen_at_random

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, HIDDEN, OVER, SPECTATOR
from sheepfold.game.conformance import effort
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.actions import DEAL, PASS
from sheepfold.games.guerre_des_moutons.knowledge import Eras, Passed, after_laying, after_pass
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import NO_TILE, Tiles
from sheepfold.messages import Voice

VIEWER = 0


def small_game(tokens, seats=2):
    """The first position of a game with few tiles."""
    box = Box()
    for token in tokens.split():
        box.face(token)
    return GuerreDesMoutons(Tiles(box.faces), seats)


def hidden(position):
    """What two worlds of the small games can differ in: who holds what."""
    return (*(int(hand) for hand in position.hand), *(int(specials) for specials in position.specials))


def every_world(start, events):
    """All deals that the events can have led to, with how likely each is, by replaying them with every outcome that was not seen.

    Colours are left as they were dealt: they hang on nothing else. Tiles drawn one after the other are tried in one order only, since
    the other orders make the same hand.
    """
    worlds = Counter()

    def go(position, index, chance, above):
        if index == len(events):
            worlds[hidden(position)] += chance
            return
        who, action, seen, out_of_turn = events[index]
        if int(position.to_act) != who and not out_of_turn:
            return
        if out_of_turn:
            actions = [action] if action in position.interruptions(who) else []
        elif seen:
            actions = [action] if position.allows(action) else []
        else:
            actions = [each for each in position.legal() if each > above]
        for each in actions:
            following = position.copy()
            following.cut_in(who, each) if out_of_turn else following.advance(each)
            again = not seen and following.to_act == CHANCE and following.actor == position.actor
            go(following, index + 1, chance if seen else chance / int(position.in_bag), each if again else -1)

    go(start.copy(), 0, 1.0, -1)
    total = sum(worlds.values())
    return {world: chance / total for world, chance in worlds.items()}


def line_with(start, seed, wanted, viewer, unseen_at_most):
    """A random line up to the first position that is wanted, without too much unseen; or nothing."""
    position, dice, events, unseen = start.copy(), Dice(seed), [], 0
    while position.to_act != OVER:
        if wanted(position):
            return position, events
        seat = int(dice.below(position.seats))
        actions = position.interruptions(seat) if dice.below(3) == 0 else []
        if actions:
            event = (seat, actions[dice.below(len(actions))], True, True)
            position.cut_in(seat, event[1])
        else:
            action = int(position.random_action(dice))
            seen = position.stage == DEAL or bool(position.sees(viewer, action))
            event = (int(position.to_act), action, seen, False)
            position.advance(action)
        events.append(event)
        unseen += not event[2]
        if unseen > unseen_at_most:
            return None
    return None


def demand_right_frequencies(position, events, start, viewer, guesses):
    """Guesses come as often as the worlds do; how many worlds there are."""
    worlds = every_world(start, events)
    assert hidden(position) in worlds
    view, dice = position.seen_by(viewer), Dice("guess")
    demand_equal(Counter(hidden(view.determinize(dice)) for _ in range(guesses)), worlds, guesses)
    return len(worlds)


def demand_equal(found, worlds, guesses):
    """Chi-squared, by the normal approximation of Wilson and Hilferty: within five standard deviations."""
    assert set(found) <= set(worlds), "a guess that cannot be"
    chi, freedom, rest_found, rest_wanted = 0.0, -1, 0, 0.0
    for world, chance in worlds.items():
        wanted = chance * guesses
        if wanted < 8:
            rest_found, rest_wanted = rest_found + found[world], rest_wanted + wanted
        else:
            chi, freedom = chi + (found[world] - wanted) ** 2 / wanted, freedom + 1
    if rest_wanted >= 8:
        chi, freedom = chi + (rest_found - rest_wanted) ** 2 / rest_wanted, freedom + 1
    if freedom > 0:
        score = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5
        assert score < 5, (chi, freedom)


FEW = "vkkk vkyk vyyk kkkk kykk yyyy yyyk rrrr rrrb rrbb bbbb bbbr rrkk vrrk Wr Hb"
"""A bag in which many hands cannot follow."""


def passed(position, least):
    """Whether a pass of another seat is remembered, with that many cases, while tiles have been drawn since."""
    return position.to_act >= 0 and any(
        known is not None and known.barred and len(known.cases) >= least for seat, known in enumerate(position.known) if seat != VIEWER
    )


@pytest.mark.parametrize(("least", "unseen", "wanted"), [(1, 4, 3), (2, 8, 3), (3, 10, 1)])
def test_guesses_respect_what_a_pass_tells(least, unseen, wanted):  # GM-5, GM-30
    """Against all worlds: who passed had no landscape that fitted, also while it is unsure which tiles are still the old ones."""
    start = small_game(FEW)
    checked = 0
    for seed in range(6000):
        found = line_with(start, f"{least} {seed}", lambda position: passed(position, least), VIEWER, unseen)
        if found and demand_right_frequencies(*found, start, VIEWER, effort(8000)) >= 6:
            checked += 1
            if checked == wanted:
                return
    pytest.fail(f"only {checked} lines found")


def every_filling(position, viewer):
    """All hands of the others with how likely each is: every case with its ways, every slot with every tile that is not barred there."""
    unseen = [tile for tile in range(60) if position.seen_by(viewer).bag()[0] >> tile & 1]
    others = [seat for seat in range(position.seats) if seat != viewer]
    found = Counter()
    for cases in product(*(range(len(position.known[seat].cases)) for seat in others)):
        slots, ways = [], 1
        for seat, index in zip(others, cases, strict=True):
            known = position.known[seat]
            ways *= known.ways[index]
            for (barred, _), count in zip(known.barred, known.cases[index], strict=True):
                slots += [(seat, barred)] * count
            slots += [(seat, 0)] * (int(position.held[seat]) - sum(known.cases[index]))
        for tiles in permutations(unseen, len(slots)):
            if not any(barred >> tile & 1 for tile, (_, barred) in zip(tiles, slots, strict=True)):
                hands = [sum(1 << tile for tile, slot in zip(tiles, slots, strict=True) if slot[0] == seat) for seat in others]
                found[tuple(hands)] += ways
    total = sum(found.values())
    return {hands: ways / total for hands, ways in found.items()}


def remembered(barred, cases, ways):
    """What is known of a hand, as if it had come about in play."""
    known = Passed(None, 0, NO_TILE, 0, 0)
    known.worked_out = Eras(barred, cases, ways)
    return known


@pytest.mark.parametrize(
    "known",
    [
        [remembered([(0b0011110, 0)], [(2,)], [1]), remembered([(0b1100110, 0)], [(2,)], [1])],
        [
            remembered([(0b0011110, 0)], [(0,), (1,), (2,)], [5, 3, 4]),
            remembered([(0b1100110, 0), (0b0100100, 0)], [(1, 0), (1, 1)], [2, 3]),
        ],
        [remembered([(0b0000110, 0)], [(1,), (2,)], [1, 7]), remembered([(0b0000110, 0)], [(1,), (2,)], [2, 1])],
    ],
)
def test_guesses_of_two_hands_that_passed(known):  # GM-5, GM-30
    """Two players passed at different tables, and it is unsure what they kept: their limits hold together, as often as they should."""
    position = table("O", ("vvvk", "kkkk yyyy", "rrrr bbbb"), bag="kkky kkkr kkkb")
    position.known[1:] = known
    wanted, view, dice = every_filling(position, VIEWER), position.seen_by(VIEWER), Dice("two hands")
    guesses = effort(16000)
    found = Counter((int(whole.hand[1]), int(whole.hand[2])) for whole in (view.determinize(dice) for _ in range(guesses)))
    demand_equal(found, wanted, guesses)


def test_what_a_pass_bars():  # GM-5
    """A player without a village side has passed: no guess gives them one, until tiles are drawn that may have it."""
    position = table("O", ("vkkk vyyy", "rrrr yyyy"), bag="vbbb vrrr kkkb kkky", turn=2)
    play(position, "2 pass")
    view = position.seen_by(0)
    with_village = sum(view.determinize(Dice(seed)).hand[1] & position.map.any_front != 0 for seed in range(200))
    assert with_village == 0
    assert position.known[1].cases == [(2,)]


def test_eras_of_a_hand():  # GM-5
    known = after_pass(None, 3, 0b0011, 0)
    assert (known.cases, known.ways) == ([(3,)], [1])
    later = after_laying(known, 5, 2)  # three old tiles, two new ones; the laid one may be either
    assert (later.cases, later.ways) == ([(2,), (3,)], [3, 2])
    assert after_laying(known, 5, 0).cases == [(3,)]  # barred among the old ones, so it was new
    again = after_pass(later, 4, 0b0100, 0)
    assert again.barred == [(0b0111, 0), (0b0100, 0)] and again.cases == [(2, 2), (3, 1)]
    same = after_pass(known, 4, 0b0011, 0)
    assert same.barred == [(0b0011, 0)] and same.cases == [(4,)]


def test_perhaps_nothing_is_left_of_what_passed():  # GM-5, GM-30
    """One old tile and one new one: after laying a tile that may be either, a guess may find no old tile at all."""
    position = table("O", ("vyyy", "rrrr"), bag="rrrk bbbb", turn=2)
    position.known[1] = after_laying(after_pass(None, 1, position.map.any_front, 0), 2, 1)
    assert position.known[1].cases == [(0,), (1,)]
    view = position.seen_by(0)
    hands = Counter(int(view.determinize(Dice(seed)).hand[1]) for seed in range(900))
    assert len(hands) == 3 and min(hands.values()) > 230


def test_colours_are_guessed_evenly():  # GM-2, GM-30
    position = table("O vrvv", ("vkkk", "rrrr", "kkkk"), bag="bbbb", colours="kry", shown="r")
    view = position.seen_by(0)
    found = Counter(int(view.determinize(Dice(seed)).colours[2]) for seed in range(600))
    assert set(found) == {2, 8} and min(found.values()) > 230
    assert all(view.determinize(Dice(seed)).colours[1] == 4 for seed in range(20))


def test_names_are_marked_with_colours_only_once_they_are_revealed():  # GM-30
    position = table("O vrvv", ("vkkk", "rrrr", "kkkk"), bag="bbbb", colours="kry", shown="r")
    assert GAME.open_colours(position.seen_by(SPECTATOR)) == (None, "red", None)
    assert GAME.open_colours(position) == ("black", "red", "yellow"), "as at the end"


def test_waiting_with_the_question_mark_tells_nothing_of_its_colour():  # GM-24, GM-30
    """Black fits and was not revealed, red and blue fit nowhere: guesses have them equally often, after running out and after a pass."""
    position = table("O", ("vkkk", "vyyy vrrr", "vvvk"), bag="", colours="kyr", shown="y")
    for events in (("1 vkkk", "1 n1 kkvk"), ("2 vyyy", "2 e1 yyyv", "3 vvvk", "3 w1 kvvv", "1 pass")):
        play(position, *events)
        assert position.finish[0] == 0 and position.held[0] == 0
        found = Counter(int(position.seen_by(1).determinize(Dice(seed)).colours[0]) for seed in range(900))
        assert set(found) == {1, 4, 8} and min(found.values()) > 240


def test_a_retired_hand_stays_among_the_unseen():  # GM-20, GM-30
    position = table("O", ("vkkk", "vyyy vrrr", "vbbb"), bag="kkky kkkb", turn=2)
    play(position, "2 retire")
    view = position.seen_by(0)
    found = Counter()
    for seed in range(400):
        whole = view.determinize(Dice(seed))
        assert bin(int(whole.hand[1])).count("1") == 2
        found.update(tile for tile in range(8) if whole.hand[1] >> tile & 1)
    assert len(found) == 5 and min(found.values()) > 110  # each of the five unseen tiles in two hands of five


def test_after_a_redraw_nothing_is_known():  # GM-7, GM-30
    position = table("O", ("rrrr kkkk", "yyyy", "rrry"), bag="bbbb vkkk vyyy vrrr")
    play(position, "1 pass", "2 pass", "3 pass")
    assert list(position.known) == [None, None, None]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_unseen_reaches_a_viewer(seats):  # GM-30
    """From a guess, the line is played on with all unseen draws made anew: key, choices, picture and words stay the same."""
    voices = [Voice((GAME.folder / "locale",), language) for language in ("en", "fr")]
    different = 0
    for game in range(effort(48)):
        dice = Dice(f"leak {seats} {game}")
        position = GAME.setup(seats).start()
        viewer = int(dice.below(seats + 1)) - 1
        viewer = SPECTATOR if viewer < 0 else viewer
        for _ in range(dice.below(150)):
            if position.to_act != OVER:
                happen_at_random(position, dice)
        if position.to_act == OVER:
            continue
        other = position.seen_by(viewer).determinize(dice)
        for step in range(60):
            different += other.key() != position.key()
            view, same = position.seen_by(viewer), other.seen_by(viewer)
            assert view.key() == same.key() and view.tensor() == same.tensor()
            if viewer >= 0:
                assert view.interruptions(viewer) == same.interruptions(viewer)
            if position.to_act == viewer:
                assert position.legal() == other.legal() == view.legal()
            if step % 8 == 0:
                for voice in voices:
                    assert GAME.text_picture(view, viewer, 80, voice) == GAME.text_picture(same, viewer, 80, voice)
                    assert GAME.prompt(view, voice) == GAME.prompt(same, voice)
            if position.to_act == CHANCE and not position.sees(viewer, position.legal()[0]):
                one, two = position.random_action(dice), other.random_action(dice)
                told = [_told(each, int(action), viewer, voices[0]) for each, action in ((position, one), (other, two))]
                assert told[0] == told[1]
                position.advance(one)
                other.advance(two)
                continue
            action = position.random_action(dice)
            if position.to_act >= 0 and not other.allows(action):
                break  # what happened could not have happened in the other world, so they part here
            if position.to_act == CHANCE and not other.allows(action):
                break
            assert _told(position, int(action), viewer, voices[1]) == _told(other, int(action), viewer, voices[1])
            position.advance(action)
            other.advance(action)
            if position.to_act == OVER:
                break
    assert different


def _told(position, action, viewer, voice):
    after = position.copy()
    after.advance(action)
    if after.to_act == OVER:
        return []
    shown = action if position.sees(viewer, action) else HIDDEN
    return GAME.tell(position.seen_by(viewer), shown, after.seen_by(viewer), voice)


def test_passing_is_public_and_so_is_what_it_tells():  # GM-5, GM-30
    position = table("O", ("rrrr", "vkkk"), bag="bbbb")
    assert position.sees(1, PASS)
    play(position, "1 pass")
    assert position.seen_by(1).known[0] is not None
