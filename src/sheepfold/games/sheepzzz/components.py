"""The cards of Sheepzzz as read from a component file: which sheep there are with which pillows, and how many wolves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sheepfold.game.component_file import ComponentFile, Source
from sheepfold.games.sheepzzz.rules import HAND_CARDS, NAMES_NEXT, PILES, TURNS_PLAY, Cards

MOST_PILLOWS = 20
MOST_SHEEP = 150
HIGHEST = 99
FEWEST_SEATS = 2


@dataclass(frozen=True)
class Components:
    """What is printed on the cards."""

    digest: str
    cards: Cards

    @property
    def sheep(self) -> int:
        return int(self.cards.first[self.cards.wolf])

    def named(self) -> dict[str, object]:
        """Every number by its name, as the help calls them; `cards` is the rows of a table: numbers, copies of each, their pillows."""
        cards = self.cards
        copies: dict[int, list[int]] = {}
        for card in range(cards.first[cards.wolf]):
            kind = cards.kind_of[card]
            copies.setdefault(int(cards.numbers[kind]), []).append(int(cards.pillows[kind]))
        alike: dict[tuple[int, ...], list[int]] = {}
        for number, pillows in copies.items():
            alike.setdefault(tuple(pillows), []).append(number)
        rows = [f"| {_listed(numbers)} | {len(pillows)} | {_listed(pillows)} |" for pillows, numbers in alike.items()]
        powers = {int(cards.numbers[kind]): int(cards.power[kind]) for kind in range(cards.wolf)}
        return {
            "sheep": self.sheep,
            "wolves": int(cards.count) - self.sheep,
            "highest": int(cards.highest),
            "names-next": _listed(number for number, power in powers.items() if power == NAMES_NEXT),
            "turns-play": _listed(number for number, power in powers.items() if power == TURNS_PLAY),
            "pillows": sum(map(sum, copies.values())),
            "cards": "\n".join(rows),
        }


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def sheep_needed(seats: int) -> int:
    return PILES + HAND_CARDS * seats + 1


def too_few(seats: int) -> str:
    return f"must be at least {sheep_needed(seats)} with {seats} players: three piles, five cards for each, and a deck"


def read_components(path: Source) -> Components:
    """Read and check a component file."""
    file = ComponentFile(path, ["deck", "powers", "sheep", "wolves"])
    file.only("deck", ("sheep", "highest"))
    file.only("powers", ("names-next", "turns-play"))
    file.only("wolves", ("cards",))
    count, highest = file.whole("deck.sheep", 1, MOST_SHEEP), file.whole("deck.highest", 1, HIGHEST)
    for name in file.data["sheep"]:
        if name != "source" and name not in {str(number) for number in range(1, highest + 1)}:
            file.fail(f"sheep.{name}", f"sheep are numbered 1 to {highest}")
    sheep = []
    for number in range(1, highest + 1):
        pillows = file.wholes(f"sheep.{number}", 0, MOST_PILLOWS)
        if not pillows:
            file.fail(f"sheep.{number}", "there is at least one sheep of every number")
        sheep += [(number, count) for count in pillows]
    if len(sheep) != count:
        file.fail("sheep", f"the game has {count} sheep, not {len(sheep)}: add or remove copies, or correct deck.sheep")
    if count < sheep_needed(FEWEST_SEATS):
        file.fail("deck.sheep", too_few(FEWEST_SEATS))
    powers = [file.wholes(f"powers.{name}", 1, highest) for name in ("names-next", "turns-play")]
    if len({*powers[0], *powers[1]}) < len(powers[0]) + len(powers[1]):
        file.fail("powers", "a number has one power, and is named once")
    # Fewer wolves than a hand has cards: who takes a pile always holds a sheep to start the new one with.
    wolves = file.whole("wolves.cards", 0, HAND_CARDS - 1)
    return Components(file.digest, Cards(sheep, wolves, *powers))
