"""Positions of Te Kuiti drawn as text, and moves given in notation.

Posts are +, fences --- and |. In a cell: nothing for a tile that has left, ? for one that nobody has seen, a letter for one that has
(c cheerful, s sleepy, h shy, a angry, d dreamy; capital when it is face up), and ^ > v < for a flower. An unfinished drawing is open:
rows and columns that are left out have unseen tiles and no fences.
"""

from __future__ import annotations

from sheepfold.core.position import CHANCE, OVER
from sheepfold.games.te_kuiti import GAME
from sheepfold.games.te_kuiti.rules import (
    CELL_BIT,
    CELLS,
    FIRST_FENCE,
    OUTSIDE,
    TURNING,
    TeKuiti,
    Terms,
    edge_at,
    flood,
)
from sheepfold.messages import Voice

LETTERS = "cshad"
NAMES = ("cheerful", "sleepy", "shy", "angry", "dreamy", "ram", "shepherd")
VOICE = Voice([GAME.folder / "locale"])


def field(drawing: str = "", seats: int = 2, turn: str = "sheep", gone: str | None = None, supply: int | None = None, late: bool = False,
          round: int = 1, revealed: int = 0, first: str | None = None, **options: object) -> TeKuiti:  # fmt: skip
    """The position drawn, with player 1 the Shepherd in round 1. `gone` names the tiles that have left (else sheep, then rams)."""
    if seats == 2:
        options = {"first-shepherd": 1, **options}
    position = GAME.setup(seats, **options).start()
    assert isinstance(position, TeKuiti)
    if round == 2:
        position.round = 1
        position.shepherd, position.sheep = 1, 0
    lines = _lines(drawing)
    _draw_tiles(position, lines)
    _draw_fences(position, lines)
    _settle_gone(position, gone)
    standing = position.terms.fences - position.supply
    if supply is not None:
        terms = position.terms
        settled = Terms(seats, list(terms.tiles), standing + supply, terms.first_shepherd, terms.late_field_stays, terms.memory_aid)
        position.supply = supply
        position = TeKuiti(settled, position)
    position.late = late
    position.revealed = revealed
    position.first = -1 if first is None else cell(first)
    position.turn = 7
    if turn == "sheep":
        position.stage, position.to_act = TURNING, position.sheep
    else:
        position.stage, position.to_act = FIRST_FENCE, position.shepherd
    return position


def _lines(drawing: str) -> list[str]:
    lines = drawing.strip("\n").split("\n")
    if not lines[-1].strip():
        lines.pop()
    margin = min((line.index("+") for line in lines if "+" in line), default=0)
    return [line[margin:].ljust(21) for line in lines] + [""] * (11 - len(lines))  # an empty string is a row left out


def _draw_tiles(position: TeKuiti, lines: list[str]) -> None:
    columns = lines[0].count("+") - 1
    for index in range(CELLS):
        row, column = divmod(index, 5)
        if not lines[2 * row + 1] or column >= columns:
            continue
        text = lines[2 * row + 1][4 * column + 1 : 4 * column + 4].strip()
        if text == "":
            position.tiles -= CELL_BIT[index]
        elif text != "?":
            kind = LETTERS.index(text[0].lower())
            flower = 1 + "^>v<".index(text[1]) if len(text) > 1 else 0
            position.known[index] = 1 + 5 * kind + flower
            position.seen_at[index] = 1
            position.unseen[2 * kind + (flower > 0)] -= 1
            if text[0].isupper():
                position.up |= CELL_BIT[index]


def _draw_fences(position: TeKuiti, lines: list[str]) -> None:
    for index in range(CELLS):
        row, column = divmod(index, 5)
        spots = ((2 * row, 4 * column + 1), (2 * row + 1, 4 * column + 4), (2 * row + 2, 4 * column + 1), (2 * row + 1, 4 * column))
        for side, (line, place) in enumerate(spots):
            if lines[line][place : place + 1] in ("-", "|") and not position.fenced(edge_at(index, side)):
                position.put_fence(edge_at(index, side))
    position.reached = flood(OUTSIDE, position.lying, position.standing)


def _settle_gone(position: TeKuiti, gone: str | None) -> None:
    missing = sum(not position.has_tile(index) for index in range(CELLS))
    left = (gone or "").split()
    for name in left:
        plain = 2 * NAMES.index(name)
        place = plain if position.unseen[plain] else plain + 1
        position.unseen[place] -= 1
        position.gone[place] += 1
    for _ in range(missing - len(left)):
        place = max(range(10), key=lambda index: int(position.unseen[index]))
        place = place if position.unseen[place] else max(range(14), key=lambda index: int(position.unseen[index]))
        position.unseen[place] -= 1
        position.gone[place] += 1
    assert min(position.unseen) >= 0, "more tiles of a kind are drawn than there are"


def all_but(kept: str) -> str:
    """The names of all tiles but those, for `gone`. Those without a flower go first."""
    names = [name for name in NAMES[:5] for _ in range(4)] + ["ram"] * 3 + ["shepherd"] * 2
    for name in kept.split():
        names.remove(name)
    return " ".join(names)


def cell(name: str) -> int:
    return "abcde".index(name[0]) + 5 * (int(name[1]) - 1)


def play(position: TeKuiti, *texts: str) -> list[str]:
    """Apply some events by their text; what the game tells of them."""
    told = []
    for text in texts:
        for part in text.split(","):
            before = position.copy()
            action = GAME.read(position, part.strip())
            position.apply(action)
            told += GAME.tell(before, action, position, VOICE)
    return told


def choices(position: TeKuiti) -> list[str]:
    """All that may happen now, as text."""
    return [GAME.write(position, action) for action in position.legal()]


def who(position: TeKuiti) -> str:
    """'shepherd', 'sheep', 'chance' or 'over'."""
    if position.to_act in (CHANCE, OVER):
        return "chance" if position.to_act == CHANCE else "over"
    return "shepherd" if position.to_act == position.shepherd else "sheep"


def up(position: TeKuiti) -> str:
    """The cells that are face up."""
    return " ".join(f"{'abcde'[index % 5]}{index // 5 + 1}" for index in range(CELLS) if position.face_up(index))


def enclosed(position: TeKuiti) -> str:
    """The cells that are enclosed."""
    return " ".join(f"{'abcde'[index % 5]}{index // 5 + 1}" for index in range(CELLS) if position.enclosed(index))
