"""Drawn pastures for the tests of Haste Bock?.

A drawing has one word a field: a dot, a colour's letter (B Y G R K, the first in reading order being 1), or a sheep's name (r2). A bar
at the end of its lines is the pasture's east edge. Sheep that are not drawn stand out of
the way, in two rows of four in the south-east corner.
"""

from __future__ import annotations

from sheepfold.game.registry import find
from sheepfold.games.flock import COLOUR_NAMES, DIRECTION_NAMES, SHEEP_NAMES
from sheepfold.games.haste_bock.rules import CARD, CARD_KINDS, FIGHT_RAM, KIND_NAMES, MOVE, SIDE, VALUES, HasteBock, cell_at

GAME = find("haste-bock")
AT = (2, 2)
"""Where the upper left field of a drawing lies, unless it is told: away from all edges."""


def fresh(seats: int = 4, **options: object) -> HasteBock:
    """The first position."""
    position = GAME.setup(seats, **options).start()
    assert isinstance(position, HasteBock)
    return position


def fields(drawing: str, at: tuple[int, int] = AT) -> dict[str, tuple[int, int]]:
    """Where each drawn sheep stands."""
    lines = [line.split() for line in drawing.strip().split("\n")]
    row, column = at
    if any(line[-1].endswith("|") for line in lines):
        lines = [[word.rstrip("|") for word in line if word != "|"] for line in lines]
        column = SIDE - max(len(line) for line in lines)
    found: dict[str, tuple[int, int]] = {}
    for down, line in enumerate(lines):
        for right, word in enumerate(line):
            if word == ".":
                continue
            name = word.lower()
            if name not in SHEEP_NAMES:
                name = f"{name}1" if f"{name}1" not in found else f"{name}2"
            assert name in SHEEP_NAMES and name not in found, word
            found[name] = (row + down, column + right)
    return found


def pasture(drawing: str, seats: int = 4, at: tuple[int, int] = AT, facing: str = "n", **options: object) -> HasteBock:
    """A position with that flock in which seat 0 is to choose a card, the timer still before space 1."""
    places = fields(drawing, at)
    corner = [(row, column) for row in (8, 7) for column in (8, 7, 6, 5)]
    free = [field for field in corner if field not in places.values()]
    for name in SHEEP_NAMES:
        if name not in places:
            places[name] = free.pop(0)
    position = fresh(seats, **options)
    position.stand([cell_at(*places[name]) for name in SHEEP_NAMES])
    position.fights = 0
    position.facing = DIRECTION_NAMES.index(facing)
    return turn_of(position, 0)


def turn_of(position: HasteBock, seat: int) -> HasteBock:
    position.stage = CARD
    position.turn = position.to_act = seat
    return position


def with_card(position: HasteBock, seat: int, card: str) -> HasteBock:
    """The seat has played that card ('slam 2') and is to do its action."""
    kind, value = card.split()
    position.stage = MOVE
    position.turn = position.to_act = seat
    position.card = KIND_NAMES.index(kind) * VALUES + int(value) - 1
    position.steps = int(value)
    return position


def rolled(position: HasteBock, colour: str) -> HasteBock:
    """Seat 0 has rolled that colour as the last one in the fight for the best spots."""
    position.stage = FIGHT_RAM
    position.turn = position.to_act = 0
    position.fights = 1
    position.die = COLOUR_NAMES.index(colour)
    return position


def hand(position: HasteBock, seat: int, cards: str, movements: str = "") -> None:
    """Deal a seat these cards ('slam 2, turn 1') and these movement cards ('1 2')."""
    counts = [0] * CARD_KINDS
    for card in filter(None, cards.split(", ")):
        kind, value = card.split()
        counts[KIND_NAMES.index(kind) * VALUES + int(value) - 1] += 1
    position.deal(seat, counts, [movements.split().count(str(value)) for value in (1, 2, 3)])


def texts(position: HasteBock) -> set[str]:
    """What may be done now."""
    return {GAME.write(position, action) for action in position.legal()}


def play(position: HasteBock, *events: str) -> HasteBock:
    """Let these things happen, with all checks; the same position comes back."""
    for event in events:
        position.apply(GAME.read(position, event))
    return position


def where(position: HasteBock) -> dict[str, tuple[int, int]]:
    return {name: (int(position.where[sheep]) // 11 - 1, int(position.where[sheep]) % 11 - 1) for sheep, name in enumerate(SHEEP_NAMES)}


def shows(position: HasteBock, drawing: str, at: tuple[int, int] = AT) -> bool:
    """Whether just the drawn colours stand within the drawing's frame."""
    lines = [line.split() for line in drawing.strip().split("\n")]
    bar = any(line[-1].endswith("|") for line in lines)
    row, column = at
    columns = max(len([word for word in line if word != "|"]) for line in lines)
    column = SIDE - columns if bar else column
    expected = {field: name[0] for name, field in fields(drawing, at).items()}
    inside = {
        field: name[0]
        for name, field in where(position).items()
        if row <= field[0] < row + len(lines) and column <= field[1] < column + columns
    }
    assert inside == expected, f"expected {expected}\nfound    {inside}"
    return True
