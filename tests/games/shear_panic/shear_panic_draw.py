"""Flocks as drawings, for the tests of Shear Panic: letters are colours (B Y G R K), a dot is an empty place.

A `lettered` drawing names every sheep with a letter of its own, A to H and X, as the examples of the dossier do where colours do not
matter.
"""

from __future__ import annotations

from sheepfold.games.flock import DIRECTION_NAMES
from sheepfold.games.shear_panic import GAME
from sheepfold.games.shear_panic.notation import members
from sheepfold.games.shear_panic.rules import ShearPanic

COLOURS = "BYGRK"
LETTERED = dict(zip("ABCDEFGHX", "BYGRKBYGR", strict=True))

Place = tuple[int, int]


def cells(drawing: str, lettered: bool = False) -> dict[Place, str]:
    """The colour letter on each place of a drawing."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    return {
        (row, column): LETTERED[mark] if lettered else mark
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark != "."
    }


def tidy(flock: dict[Place, str]) -> str:
    """A flock as text, drawn from its own top left corner."""
    rows, columns = [row for row, _ in flock], [column for _, column in flock]
    return "\n".join(
        " ".join(flock.get((row, column), ".") for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def drawn(drawing: str, lettered: bool = False) -> str:
    return tidy(cells(drawing, lettered))


def draw(position: ShearPanic) -> str:
    """The flock of a position."""
    return tidy({place: COLOURS[sheep // 2] for sheep, place in enumerate(position.places()) if place})


def new(seats: int = 4, **chosen: bool) -> ShearPanic:
    """A game at its start; `chosen` are options that are not at their default."""
    position = GAME.setup(seats, **chosen).start()
    assert isinstance(position, ShearPanic)
    return position


def flock(
    drawing: str, seats: int = 4, facing: str = "n", counter: int = 0, active: str = "B", lettered: bool = False, **chosen: bool
) -> ShearPanic:
    """A position with that flock; the sheep that are not drawn are shorn. `active` is the colour to play, `chosen` are options."""
    places: list[Place | None] = [None] * 9
    for place, colour in sorted(cells(drawing, lettered).items()):
        sheep = 2 * COLOURS.index(colour)
        places[sheep if places[sheep] is None else sheep + 1] = place
    position = new(seats, **chosen)
    position.arrange(places, DIRECTION_NAMES.index(facing), counter, COLOURS.index(active))
    return position


def play(position: ShearPanic, *texts: str) -> ShearPanic:
    """The position, after these actions and outcomes."""
    for text in texts:
        position.apply(GAME.read(position, text))
    return position


def options(position: ShearPanic) -> list[str]:
    return [GAME.write(position, action) for action in position.legal()]


def moves(position: ShearPanic, square: str) -> list[str]:
    """What can be done with a square."""
    return options(play(copied(position), square))


def copied(position: ShearPanic) -> ShearPanic:
    twin = position.copy()
    assert isinstance(twin, ShearPanic)
    return twin


def landings(position: ShearPanic, die: int) -> set[Place]:
    """Where the first sheep of the group that is to regroup may land, in the drawing's rows and columns."""
    start = position.places()[members(position.group)[0]]
    assert start
    shifts = [position.moved_by(name) for name in position.placements(die)]
    assert len(shifts) == len(set(shifts))
    return {(start[0] + rows, start[1] + columns) for rows, columns in shifts}


def squares(position: ShearPanic, *texts: str) -> list[int]:
    """The numbers of menu squares by their texts."""
    numbers = {GAME.write(position, square): square for square in range(12)}
    return [numbers[text] for text in texts]
