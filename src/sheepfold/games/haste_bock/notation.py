"""Actions of Haste Bock? as text: `slam 2`, then `slam r1 ne 2`; `trough n`, `turn cw`; chance is `flock gbr rky ygb`, `die red`.

Sheep are called b1 b2 y1 y2 g1 g2 r1 r2 and k, directions n ne e se s sw w nw with north at the top. A push is named by the foremost
sheep of its line (any other sheep of it is understood too), a movement card by `plus` and its value.
"""

from __future__ import annotations

from sheepfold.games.flock import COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES, start_rows
from sheepfold.games.haste_bock.rules import (
    CARD,
    EMPTY,
    FRONTS,
    KIND_NAMES,
    LINES,
    MOST_RAMMED,
    MOVE,
    PUSHES,
    SET_UP,
    SHEEP_MOVES,
    SIDE,
    SLAM,
    STEP,
    STEPS,
    TROUGHS,
    TURNS,
    VALUES,
    WHO_BEGINS,
    HasteBock,
)

WAYS = ("cw", "ccw")


def write(view: HasteBock, action: int) -> str:
    """An action, or a chance outcome, of this view."""
    if view.stage == SET_UP:
        return f"flock {' '.join(start_rows(action))}"
    if view.stage == WHO_BEGINS:
        return f"first {action + 1}"
    if view.to_act < 0:
        return f"die {COLOUR_NAMES[action]}"
    if view.stage == CARD:
        card, movement = divmod(action, 4)
        return f"{KIND_NAMES[card // VALUES]} {card % VALUES + 1}" + (f" plus {movement}" if movement else "")
    if action >= TURNS:
        return f"turn {WAYS[action - TURNS]}"
    if action >= TROUGHS:
        return f"trough {DIRECTION_NAMES[(action - TROUGHS) * 2]}"
    if action >= PUSHES:
        return push_text(action, foremost(view, action))
    sheep, direction, number = sheep_move(action)
    kind = move_kind(view)
    text = f"{KIND_NAMES[kind]} {SHEEP_NAMES[sheep]} {DIRECTION_NAMES[direction]}"
    return text if kind == STEP else f"{text} {number}"


def aliases(view: HasteBock, action: int) -> list[str]:
    """Other texts for the same action: a push named by another sheep of its line."""
    if view.stage != MOVE or not PUSHES <= action < TROUGHS:
        return []
    return [push_text(action, sheep) for sheep in on_line(view, action)]


def move_kind(view: HasteBock) -> int:
    """Which kind of action is to be done: the card's, or a ram where the die calls for one."""
    return int(view.card) // VALUES if view.stage == MOVE else SLAM


def sheep_move(action: int) -> tuple[int, int, int]:
    """Sheep, direction, and how many sheep are rammed or leapt over."""
    move, number = divmod(action - SHEEP_MOVES, MOST_RAMMED)
    return move // 8, move % 8, number + 1


def push_text(action: int, sheep: int) -> str:
    direction = (action - PUSHES) // LINES
    return f"{'diagonal' if direction & 1 else 'line'} {SHEEP_NAMES[sheep]} {DIRECTION_NAMES[direction]}"


def on_line(view: HasteBock, action: int) -> list[int]:
    """The sheep that a push moves, the foremost first."""
    direction = (action - PUSHES) // LINES
    cell = FRONTS[action - PUSHES]
    found = []
    for _ in range(SIDE):
        if view.board[cell] < SHEEP:
            found.append(int(view.board[cell]))
        elif view.board[cell] != EMPTY:
            break
        cell -= STEPS[direction]
    return found


def foremost(view: HasteBock, action: int) -> int:
    return on_line(view, action)[0]
