"""Whole random games of La Guerre des Moutons, decided twice: by the rules, and by guerre_plain.

As a program: `python tests/games/guerre_des_moutons/guerre_plain_games.py --games 1000` plays so many of every set-up, `--seed` those of an
earlier run again, `--set-up` one set-up only.
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import guerre_plain as plain

from sheepfold.core.position import CHANCE, OVER
from sheepfold.games.guerre_des_moutons import GAME

SETUPS: dict[str, tuple[int, dict[str, object]]] = {
    f"{seats}{name}": (seats, dict(options))
    for seats in (2, 3, 4)
    for name, options in (
        ("", {}),
        (" empty-hand-is-out", {"empty_hand_is_out": True}),
        (" last-gets-no-bonus", {"last_gets_no_bonus": True}),
        (" first-player=drawn", {"first_player": "drawn"}),
        (" other box", {"first_player": f"seat-{seats}"}),
    )
}
SETUPS |= {
    "2 two-colours": (2, {"two_colours": True}),
    "2 two-colours empty-hand-is-out": (2, {"two_colours": True, "empty_hand_is_out": True}),
}


def another_box(dice: random.Random, folder: str) -> str:
    """A box as it might be printed: any faces without forest and village on one tile, some with areas and sheep of their own (GM-43)."""
    joined, a_side = dice.choice(("neighbours", "opposite", "none")), dice.choice((1, 1, 2))

    def face(motifs: str) -> str:
        while True:
            sides = "".join(dice.choice(motifs) for _ in range(4))
            if sides[0] != sides[2] or sides[1] != sides[3] or sides[0] == sides[1]:
                break  # where both pairs of opposite sides are alike they might cross
        if dice.random() < 0.3:
            pair = dice.choice(("12", "34") if len(set(sides)) == 1 else ("13", "24", "12", "34"))
            one, two = (sides[int(side) - 1] for side in pair)
            if one == two and one != "v":
                return f"{sides}({pair}{f':{dice.randrange(4)}' if one != 'f' and dice.random() < 0.5 else ''})"
            if one not in "vf":
                return f"{sides}({pair[0]}:{dice.randrange(4)})"
        return sides

    few_villages = dice.random() < 0.4  # then hardly anybody can begin, and hands are redrawn

    def tile() -> str:
        wall = "f" if few_villages and dice.random() < 0.95 else dice.choice("vf")
        return f'"{face("kyrb" + dice.choice(("", wall)))} {face("kyrb" + wall * 2)}"'

    def herds() -> str:
        return str([dice.choice("kyrb") * 4 for _ in range(4)])

    path = Path(folder) / "box.toml"
    path.write_text(
        f"""
        [village]\nsource = "rulebook"\nsquare = "vvvv"
        [shepherds]\nsource = "rulebook"\nfaces = ["kkkk", "yyyy", "rrrr", "bbbb"]
        [wolves]\nsource = "public"\nherds = {herds()}
        [hunters]\nsource = "public"\nherds = {herds()}
        [sheep]\nsource = "public"\na-side = {a_side}
        [fences]\nsource = "reconstructed"\njoined = "{joined}"
        [landscapes]\nsource = "reconstructed"\ntiles = [{", ".join(tile() for _ in range(60))}]
        """,
        encoding="utf-8",
    )
    return str(path)


def compare(name: str, seed: str) -> Counter[str]:
    """One game of that set-up: everything that may be done, at every decision, and what it comes to. What happened is counted."""
    seats, options = SETUPS[name]
    dice = random.Random(f"{name} {seed}")
    with tempfile.TemporaryDirectory() as folder:
        box = another_box(dice, folder) if "box" in name else None
        position = GAME.setup(seats, box, **options).start()
        other = plain.Plain(seats, box or str(GAME.component_file), **options)
    rare = {"retire": dice.choice((4, 30, 1000)), "reveal": dice.choice((1, 8, 200))}
    """How rarely that is done: one in so many times that it could be."""
    boldness, events = dice.choice((2, 6, 40)), []
    seen: Counter[str] = Counter()
    try:
        while position.to_act != OVER:
            to_act = plain.CHANCE if position.to_act == CHANCE else int(position.to_act)
            demand("who is to act", to_act, other.who())
            actions = {GAME.write(position, action): int(action) for action in position.legal()}
            demand("legal actions", len(actions), len(position.legal()))
            demand("legal actions", sorted(actions), sorted(other.choices()))
            cuts = []
            for seat in range(seats):
                found = {GAME.write(position, action): action for action in position.interruptions(seat)}
                demand(f"interruptions of seat {seat + 1}", sorted(found), sorted(other.interruptions(seat)))
                cuts += [(seat, text, action) for text, action in found.items()]
            cuts = [cut for cut in cuts if dice.randrange(rare.get(cut[1].split()[0], 1)) == 0]
            if cuts and dice.randrange(boldness) == 0:
                seat, text, action = dice.choice(cuts)
                events.append(f"{seat + 1}! {text}")
                position.interrupt(seat, action)
                other.interrupt(seat, text)
                seen["interruptions"] += 1
            else:
                text = dice.choice([text for text in actions if dice.randrange(rare.get(text.split()[0], 1)) == 0] or list(actions))
                events.append(f"{to_act if to_act == plain.CHANCE else position.to_act + 1} {text}")
                position.apply(actions[text])
                other.play(text)
            demand(
                "finished",
                [int(place) for place in position.finish],
                [other.left.index(s) + 1 if s in other.left else 0 for s in range(seats)],
            )
            demand(
                "tiles in hand",
                [int(h) for h, out in zip(position.held, position.finish, strict=True) if not out],
                [len(other.hands[s]) for s in range(seats) if s not in other.left],
            )
            demand("tiles in the bag", int(position.in_bag), len(other.bag))
            demand("passes and redraws in a row", (int(position.passes), int(position.redraws)), (other.passes, other.redraws))
            if to_act != plain.CHANCE and " " in text and dice.randrange(3) == 0:  # now and then, as counting takes long
                demand("scores", position.scores(), other.scores())
            seen["redraws"] += int(position.redraws) and text == "pass" and position.to_act == CHANCE
            seen["waited with the '?' alone"] += text == "pass" and position.to_act != CHANCE and not other.hands[int(events[-1][0]) - 1]
        demand("who is to act", other.who(), plain.OVER)
        demand("results", position.results(), other.results())
        demand("ranks", position.ranks(), other.ranks())
    except AssertionError as broken:
        raise AssertionError(f"{broken}\nset-up {name!r}, seed {seed!r}, after:\n" + "\n".join(events[-12:])) from broken
    seen["decisions"] += len(events)
    seen["ran out of tiles"] += len(other.left) - sum(event.endswith("retire") for event in events)
    seen["ended by passes"] += len(other.left) < seats
    return seen


def demand(what: str, found: object, wanted: object) -> None:
    assert found == wanted, f"{what}: the rules say {found}, the plain game {wanted}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="of every set-up")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--set-up", action="append", choices=list(SETUPS), help="only this one (may be repeated)")
    chosen = parser.parse_args()
    print(f"--seed {chosen.seed}", flush=True)
    for name in chosen.set_up or SETUPS:
        began, seen = time.process_time(), Counter()
        for game in range(chosen.games):
            seen += compare(name, f"{chosen.seed} {game}")
        facts = ", ".join(f"{count} {what}" for what, count in seen.items())
        print(f"{name}: {chosen.games} games agree ({facts}; {time.process_time() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
