"""The rules of La Guerre des Moutons against a second, slow and plain implementation, through whole random games."""

from __future__ import annotations

import random
import tomllib

import guerre_plain as plain
import pytest

from plain_games import SetUp, agree_on, every_setup, in_short, tables_of
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game.component_file import EnteredFile
from sheepfold.games.guerre_des_moutons import GAME

PRINTED = tomllib.loads(GAME.component_file.read_text(encoding="utf-8"))


def another_box(dice: random.Random) -> EnteredFile:
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

    return EnteredFile(
        "box.toml",
        f"""
        [village]\nsource = "rulebook"\nsquare = "vvvv"
        [shepherds]\nsource = "rulebook"\nfaces = ["kkkk", "yyyy", "rrrr", "bbbb"]
        [wolves]\nsource = "public"\nherds = {herds()}
        [hunters]\nsource = "public"\nherds = {herds()}
        [sheep]\nsource = "public"\na-side = {a_side}
        [fences]\nsource = "reconstructed"\njoined = "{joined}"
        [landscapes]\nsource = "reconstructed"\ntiles = [{", ".join(tile() for _ in range(60))}]
        """,
    )


def agree(setup: SetUp, seed: str) -> int:
    """One random game, compared at every decision; how many there were."""
    dice, seats = random.Random(f"{setup} {seed}"), setup.seats
    begun = setup.begin(seed)
    position, other = begun.start(), plain.Plain(seats, begun.options, tables_of(begun) or PRINTED)
    rare = {"retire": dice.choice((4, 30, 1000)), "reveal": dice.choice((1, 8, 200))}
    """How rarely that is done: one in so many times that it could be."""
    boldness, events = dice.choice((2, 6, 40)), []
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
        demand("who is to act", other.who(), plain.OVER)
        demand("results", position.results(), other.results())
        demand("ranks", position.ranks(), other.ranks())
    except AssertionError as broken:
        raise AssertionError(f"{broken}\nafter:\n" + "\n".join(events[-12:])) from broken
    return len(events)


def demand(what: str, found: object, wanted: object) -> None:
    assert found == wanted, f"{what}: the rules say {found}, the plain game {wanted}"


SETUPS = [*every_setup(GAME), *(SetUp(GAME, seats, drawn=True, box=another_box) for seats in GAME.seats)]


@pytest.mark.parametrize("setup", in_short(SETUPS), ids=str)
def test_whole_games_agree(setup: SetUp) -> None:
    agree_on(agree, setup, 1)
