"""Whole random games of the rules beside the plain second implementation, decision by decision.

`python tests/games/shear_panic/shear_panic_second.py 1000` plays so many for every set-up, `... 1000 SEED` the same ones again. Where they
part, the set-up, the game's own seed and all that was played are told.
"""

from __future__ import annotations

import secrets
import sys

from shear_panic_draw import new
from shear_panic_plain import LETTERS, Plain, tidy

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER
from sheepfold.games.flock import DIRECTION_NAMES
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.rules import START, ShearPanic

SETUPS: tuple[tuple[int, dict[str, bool]], ...] = (
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"stray_is_enough": True, "any_corner": True}),
    (3, {"roll_may_leave": False, "ban_by_facing": True}),
    (4, {"stray_is_enough": True, "first_seat_begins": True, "drawn_start": True}),
    (4, {"any_corner": True, "roll_may_leave": False, "ban_by_facing": True}),
)


def whole_game(seats: int, chosen: dict[str, bool], seed: str) -> int:
    """Play one; how many decisions and rolls it had. An AssertionError tells the set-up, the seed and all that was played."""
    dice = Dice(f"second {seats} {seed}")
    position, other = new(seats, **chosen), Plain(seats, **chosen)
    played: list[str] = []
    where = f"{seats} seats, {chosen}, seed {seed}"
    while position.to_act != OVER:
        if position.stage != START:
            assert facts(position) == plain_facts(other), f"{where}, after {played}"
            texts = [GAME.write(position, action) for action in position.legal()]
            assert len(texts) == len(set(texts)), f"{where}, after {played}"
            assert set(texts) == other.choices(), f"{where}, after {played}"
        action = position.random_action(dice)
        played.append(GAME.write(position, action))
        position.apply(action)
        other.play(played[-1])
    assert facts(position) == plain_facts(other), f"{where}, after {played}"
    assert position.ranks() == other.ranks(), f"{where}, after {played}"
    return len(played)


def facts(position: ShearPanic) -> dict[str, object]:
    places = {place: LETTERS[sheep // 2] for sheep, place in enumerate(position.places()) if place}
    return {
        "who": int(position.to_act),
        "flock": places,
        "looks": DIRECTION_NAMES[position.facing],
        "counter": int(position.counter),
        "scores": position.scores(),
    }


def plain_facts(other: Plain) -> dict[str, object]:
    return {
        "who": other.who(),
        "flock": tidy(other.flock),
        "looks": other.looks,
        "counter": other.counter,
        "scores": other.scores,
    }


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = sys.argv[2] if len(sys.argv) > 2 else secrets.token_hex(4)
    for seats, chosen in SETUPS:
        events = sum(whole_game(seats, chosen, f"{seed} {number}") for number in range(many))
        print(f"{seats} seats {chosen}: {many} games, {events} events agree (seed {seed})", flush=True)


if __name__ == "__main__":
    main()
