"""Random games of Sheepzzz with everything counted at every ply. As a program: python sheepzzz_random_games.py GAMES [SEATS ...]."""

from __future__ import annotations

import sys
import time
from collections import Counter

import sheepfold
from sheepfold import OVER, SPECTATOR, Dice
from sheepfold.game.game import Setup
from sheepfold.games.sheepzzz.rules import DECK, HAND, HAND_CARDS, NONE, PILE, PILES, START, TAKEN, Sheepzzz

EVERY = 61
"""As a program it counts at every 61st ply, from another one in each game, so that all plies have their turn."""


def demand_sound(position: Sheepzzz, census: tuple[int, ...], viewer: int) -> None:
    """Sizes are those of the places, tops lie on their piles, nothing is lost, and a view has the same cards."""
    assert position.census() == census
    found = Counter(int(place) for place in position.place)
    assert found[DECK] == position.deck_size
    for seat in range(position.seats):
        assert found[HAND + seat] == position.hand_size[seat] <= HAND_CARDS
        assert found[TAKEN + seat] == position.taken_size(seat)
    for pile in range(PILES):
        assert found[PILE + pile] == position.pile_size[pile]
        top = position.top[pile]
        assert (top == NONE) == (position.pile_size[pile] == 0)
        if top != NONE:
            assert top != position.cards.wolf
            assert position.count_at(PILE + pile)[top] > 0
    if position.stage == START:
        assert position.hand_size[position.turn] == HAND_CARDS
    view = position.seen_by(viewer)
    assert view.census() == census
    hidden = sum(int(position.hand_size[seat]) for seat in range(position.seats) if seat != viewer)
    assert sum(view.count_at(DECK)) == position.deck_size + hidden


def random_game(setup: Setup, dice: Dice, every: int = 1, first: int = 0) -> tuple[Sheepzzz, int]:
    """Play a game, counting at the ply `first` and every so many plies on; the end and how many plies it took."""
    position = setup.start()
    assert isinstance(position, Sheepzzz)
    census = position.census()
    pillows = sum(count * int(position.cards.pillows[kind]) for kind, count in enumerate(census))
    plies, rounds, totals = 0, 0, position.scores()
    while position.to_act != OVER:
        if plies % every == first:
            demand_sound(position, census, plies % setup.seats if plies % 5 else SPECTATOR)
        position.advance(position.random_action(dice))
        plies += 1
        if position.rounds > rounds:
            scores = position.scores()
            assert position.rounds == rounds + 1
            assert all(new >= old for new, old in zip(scores, totals, strict=True))
            assert sum(scores) - sum(totals) <= pillows
            assert (position.to_act == OVER) == (max(scores) >= 75 or position.rounds == 100)
            rounds, totals = int(position.rounds), scores
    assert plies <= position.ply_bound
    demand_sound(position, census, 0)
    assert [rank == 1 for rank in position.ranks()] == [score == min(totals) for score in totals]
    return position, plies


def main(games: int, counts: list[int]) -> None:
    for seats in counts:
        setup = sheepfold.load("sheepzzz", seats=seats)
        started, rounds, plies = time.perf_counter(), Counter[int](), Counter[int]()
        for game in range(games):
            end, length = random_game(setup, Dice(f"random games/{seats}/{game}"), EVERY, game % EVERY)
            rounds[int(end.rounds)] += 1
            plies[length] += 1
        mean = sum(number * count for number, count in rounds.items()) / games
        length = sum(number * count for number, count in plies.items()) / games
        seconds = time.perf_counter() - started
        print(
            f"{seats} seats: {games} games sound, rounds {mean:.2f} ({min(rounds)}-{max(rounds)}), "
            f"plies {length:.0f} (at most {max(plies)}, bound {end.ply_bound}), {seconds:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), [int(text) for text in sys.argv[2:]] or [2, 3, 4, 5])
