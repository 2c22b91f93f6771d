"""Actions of Shear Panic as text: `slam 3`, then `slam r1 ne`; `align n`, `turn left`; `group y1`, `place y1 n of k`; `extra 2`.

Sheep are called b1 b2 y1 y2 g1 g2 r1 r2 and k, the first of two being the one that came first in reading order at the start: a piece keeps
its name wherever it goes. Directions are n ne e se s sw w nw with north at the top. Chance is `flock ybr gky brg`, `first 2`, `die red`,
`die straight`.
"""

from __future__ import annotations

from sheepfold.games.flock import COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES, start_rows
from sheepfold.games.shear_panic.geometry import group_of
from sheepfold.games.shear_panic.rules import (
    COLOUR_AT,
    DIAGONAL,
    DIE_AT,
    EXTRA_AT,
    FIRST_AT,
    GROUP,
    GROUP_AT,
    KIND_NAMES,
    LINE,
    MOVE,
    PLACEMENT,
    PLACEMENT_AT,
    SIDE_AT,
    SLAM,
    SQUARE_AT,
    START_AT,
    STEP_AT,
    TURN_AT,
    ShearPanic,
)

WAYS = ("right", "left")
DIE_NAMES = ("straight", "diagonal")


def write(view: ShearPanic, action: int) -> str:
    """An action, or a chance outcome, of this view."""
    if action >= DIE_AT:
        return f"die {DIE_NAMES[action - DIE_AT]}"
    if action >= COLOUR_AT:
        return f"die {COLOUR_NAMES[action - COLOUR_AT]}"
    if action >= FIRST_AT:
        return f"first {action - FIRST_AT + 1}"
    if action >= START_AT:
        return f"flock {' '.join(start_rows(action - START_AT))}"
    if action >= EXTRA_AT:
        return f"extra {action - EXTRA_AT or 'none'}"
    if action >= PLACEMENT_AT:
        return placement_text(view, *placement(action))
    if action >= GROUP_AT:
        return f"group {called(view, action - GROUP_AT)}"
    if action >= TURN_AT:
        return f"turn {WAYS[action - TURN_AT]}"
    if action >= SIDE_AT:
        return f"align {DIRECTION_NAMES[2 * (action - SIDE_AT)]}"
    if action >= STEP_AT:
        return step_text(view, *step(action))
    square = action - SQUARE_AT
    return f"{KIND_NAMES[view.printed.kind[square]]} {view.printed.value[square]}"


def aliases(view: ShearPanic, action: int) -> list[str]:
    """Other texts for the same action: another sheep of the line pushed or of the group, another pair of a placement."""
    if view.stage == GROUP:
        return [f"group {called(view, sheep)}" for sheep in members(group(view, action))]
    if view.stage == PLACEMENT:
        return [placement_text(view, *other) for other in same_placements(view, action)]
    if step_kind(view) in (LINE, DIAGONAL) and STEP_AT <= action < SIDE_AT:
        return [step_text(view, sheep, step(action)[1]) for sheep in moved(view, action)]
    return []


def called(view: ShearPanic, sheep: int) -> str:
    """What the piece is called that the rules count as that sheep of the flock."""
    return SHEEP_NAMES[view.piece(sheep)]


def step(action: int) -> tuple[int, int]:
    """Sheep and direction of a slam, push, roll or leap."""
    return divmod(action - STEP_AT, 8)


def step_kind(view: ShearPanic) -> int:
    """Which kind of action is carried out: the square's, or a slam where the die calls for one."""
    return int(view.printed.kind[view.square]) if view.stage == MOVE else SLAM


def step_text(view: ShearPanic, sheep: int, direction: int) -> str:
    return f"{KIND_NAMES[step_kind(view)]} {called(view, sheep)} {DIRECTION_NAMES[direction]}"


def placement(action: int) -> tuple[int, int, int]:
    """The sheep of the group, the side (a direction), and the other sheep of a placement."""
    pair, side = divmod(action - PLACEMENT_AT, 4)
    return pair // SHEEP, 2 * side, pair % SHEEP


def placement_text(view: ShearPanic, sheep: int, side: int, other: int) -> str:
    return f"place {called(view, sheep)} {DIRECTION_NAMES[side]} of {called(view, other)}"


def same_placements(view: ShearPanic, action: int) -> list[tuple[int, int, int]]:
    """All the ways to name a placement."""
    wanted = view.moved_by(action - PLACEMENT_AT)
    places = view.places()
    group = members(view.group)
    return [
        (sheep, 2 * side, other)
        for sheep in group
        for other in range(SHEEP)
        if other not in group and places[other]
        for side in range(4)
        if view.moved_by((sheep * SHEEP + other) * 4 + side) == wanted
    ]


def members(group: int) -> list[int]:
    """The sheep of a group that is given as bits."""
    return [sheep for sheep in range(SHEEP) if int(group) >> sheep & 1]


def group(view: ShearPanic, action: int) -> int:
    """The group, as bits, that a choice of the stage GROUP names."""
    return int(group_of(view.at, action - GROUP_AT))


def moved(view: ShearPanic, action: int) -> list[int]:
    """The sheep that a slam or push moves, in their order from the first."""
    sheep, direction = step(action)
    places = {place: other for other, place in enumerate(view.places()) if place}
    rows, columns = STEP_BY_NAME[DIRECTION_NAMES[direction]]
    place = view.places()[sheep]
    found = []
    while place in places:
        found.append(places[place])
        place = place[0] + rows, place[1] + columns
    return found


STEP_BY_NAME = {name: ((("s" in name) - ("n" in name)), (("e" in name) - ("w" in name))) for name in DIRECTION_NAMES}
