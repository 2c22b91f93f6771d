"""The numbers that learners get of La Guerre des Moutons lose nothing: from them alone the key of the view is put together again."""

from __future__ import annotations

import pytest
from test_guerre_play import SETUPS

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, OVER, tensor_numbers
from sheepfold.core.sequential import sequential
from sheepfold.games.guerre_des_moutons import GAME
from sheepfold.games.guerre_des_moutons.actions import CONTENT, DEAL, DRAW, END, TURN
from sheepfold.games.guerre_des_moutons.map import MIDDLE, PLACES, WIDTH, place_code
from sheepfold.games.guerre_des_moutons.tensor import COVERED, SHOWN, TAKEN_UP
from sheepfold.games.guerre_des_moutons.tiles import SHEPHERDS, SQUARE, TILES, WOLVES


def blocks(view):
    numbers = tensor_numbers(view, view.viewer)
    found = []
    for _, count, _ in view.layout():
        found.append(numbers[:count])
        del numbers[:count]
    return found


def mask(flags):
    return sum(1 << bit for bit, flag in enumerate(flags) if flag)


def key_of(blocks, viewer):
    """What `key` says of a view, by its numbers alone; of a hand that passed what `known_of` says."""
    (turns, actors, colours, hand, specials, stages, content, _wolves, _motifs, faces, held, owed, finish, _points, left, in_bag,
     passes, redraws, dealt, after, barred, lies, rows, columns, *_places, asked) = blocks  # fmt: skip
    seats, stage = len(turns), stages.index(1)
    seat_of = lambda flags: (flags.index(1) + viewer) % seats if 1 in flags else -1  # noqa: E731
    turn, actor = seat_of(turns), seat_of(actors)
    chosen = lies.index(TAKEN_UP) if TAKEN_UP in lies else -1
    chosen = chosen - TILES + SHEPHERDS if chosen >= TILES else 2 * chosen + any(faces) if chosen >= 0 else -1
    laid = [(MIDDLE, SQUARE, 0)]
    for tile, (how, row, column) in enumerate(zip(lies, rows, columns, strict=True)):
        if 0 < how < COVERED:
            face = 2 * tile + (how > 4) if tile < TILES else tile - TILES + SHEPHERDS
            laid.append((row * WIDTH + column, face, (how - 1) % 4))
    to_act = OVER if stage == END else CHANCE if stage in (DEAL, DRAW) else actor
    resume = -1 if stage in (TURN, CONTENT, END) else CONTENT if content[0] else TURN
    numbers = [viewer, stage, to_act, turn, actor, chosen, resume, after[0] - 1]
    numbers += [*passes, *redraws, *in_bag, *dealt, mask(lies[WOLVES:TILES])]
    shown = mask(lies[TILES:])
    for seat in range(seats):
        place = (seat - viewer) % seats
        mine = mask(colours[4 * place : 4 * place + 4])
        numbers += [finish[place], held[place], owed[place], mine, mine & shown]
        numbers += [mask(hand), mask(specials)] if place == 0 else [0, 0]
        numbers += [left[place], mask(bits >> place & 1 for bits in barred)]
    waiting = seat_of(asked)
    asking = 0 if to_act < 0 else seats - 1 if waiting < 0 else (waiting - to_act - 1) % seats
    return (asking, *numbers, *sorted(cell * 1024 + face * 4 + turn for cell, face, turn in laid))


def known_of(passed):
    """Of a hand that passed: how many of its oldest tiles are left in the mean, in eighths, and which they cannot be."""
    if passed is None or not passed.barred:
        return [0, 0]
    mean = sum(case[0] * ways for case, ways in zip(passed.cases, passed.ways, strict=True)) / sum(passed.ways)
    assert len(passed.barred) == 1, "the tensor tells of one era; more were not seen in thousands of games"
    return [int(8 * mean + 0.5), passed.barred[0][0] | passed.barred[0][1] << WOLVES]


def expected(view):
    """The key, with `known_of` for all that passing tells."""
    asked, *numbers = view.key()
    heads, rest, found = numbers[:13], numbers[13:], []
    for passed in view.inner.known:
        skipped = 8 if passed is None else 7 + len(passed.numbers())
        found += [*rest[:7], *known_of(passed)]
        rest = rest[skipped:]
    return (asked, *heads, *found, *rest)


@pytest.mark.parametrize(("seats", "two_colours"), SETUPS)
def test_the_numbers_tell_the_whole_view(seats, two_colours):  # GM-30
    passed, covered = two_colours, False  # with two colours hardly anybody passes
    for game in range(99):
        position, dice = sequential(GAME.setup(seats, two_colours=two_colours).start()), Dice(f"tensor {seats} {game}")
        while position.to_act != OVER:
            position.advance(position.random_action(dice))
            if game < 4 or any(position.inner.known):
                viewer = int(dice.below(seats))
                view = position.seen_by(viewer)
                told = blocks(view)
                assert key_of(told, viewer) == expected(view)
                passed, covered = passed or any(told[20]), covered or COVERED in told[21]
        if passed and covered:
            return
    raise AssertionError("nobody passed, or no hunter covered a wolf")


def test_open_places_are_told_by_rank():
    position, dice, most = GAME.setup(2).start(), Dice("places"), 0
    while position.to_act != OVER:
        position.advance(position.random_action(dice))
        places = [int(place_code(place)) for place in position.map.places]
        motifs = blocks(position.seen_by(0))[-3]
        assert [sum(motif << 3 * side for side, motif in enumerate(motifs[at : at + 4])) for at in range(0, 4 * SHOWN, 4)] == (
            places[:SHOWN] + [0] * (SHOWN - len(places))
        )
        most = max(most, len(places))
    assert 30 < most < PLACES
