"""Shear Panic as a picture: the track winds round a plain, and the view follows the flock, which is always in its middle.

The one idea: sheep move and the view moves, apart from each other. A piece of wool keeps its id all through the game and its place is
counted from the start, so that only sheep that have moved glide; the view of the plain follows the flock and zooms as it spreads.
`targets` names what a person would tap: a square; a sheep, then where it goes (the place, or whoever stands there); a group; its new place.
Plain, strip and menus are drawn from their own few values and kept: after a move most are what they were, and other viewers see the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from html import escape
from typing import NamedTuple, cast

from sheepfold import art
from sheepfold.art import pen
from sheepfold.core.position import OVER
from sheepfold.games import flock_svg_board
from sheepfold.games.flock import BLACK, COLOUR_NAMES, COLUMN_STEP, DIRECTION_NAMES, ROW_STEP, SHEEP, SHEEP_NAMES, WHITE, Track, opposite
from sheepfold.games.flock_svg_board import ABOVE, SIZE, SMALL, STRIP, Ring, facing_of, one_sheep, owner, strip, turn_arrows
from sheepfold.games.shear_panic.geometry import colour_of
from sheepfold.games.shear_panic.narration import pieces_list, rows_score, sheep_name
from sheepfold.games.shear_panic.notation import WAYS, called, group, members, moved, step, step_kind
from sheepfold.games.shear_panic.rules import (
    ALIGN,
    EXTRA,
    EXTRA_AT,
    GROUP,
    KIND_NAMES,
    LEAP,
    MOVE,
    PANIC,
    PLACEMENT,
    PLACEMENT_AT,
    REGROUP_DIE,
    ROGER,
    SHEARER,
    SIDE_AT,
    SQUARE,
    SQUARES,
    START,
    TURN,
    TURN_AT,
    Printed,
    ShearPanic,
)
from sheepfold.kept import kept
from sheepfold.messages import Voice

Place = tuple[int, int]

LARGEST = 92.0
"""A place is so large (44 px on a phone) as long as the flock fits."""
SHORN = -1
"""Instead of a row's points: it would be shorn."""
GUEST = 0.8
"""How many places deep whoever stands before the flock needs."""
A_ROW = 6
MENU_WIDE, MENU_HIGH = 120.0, 142.0
EXTRAS_HIGH = 112.0
ART_NAMES: dict[str, art.Action] = {
    "slam": "slam", "align": "align", "line": "line", "diagonal": "diagonal", "roll": "step", "leap": "leap", "turn": "turn",
}  # fmt: skip
DRAWINGS = (*flock_svg_board.DRAWINGS, "crossed", "pen")
"""The beginnings of names of what is drawn here, for `Game.drawings`."""


def targets(view: ShearPanic, action: int) -> list[str]:
    """What to tap, in order."""
    if view.to_act < 0:
        return []
    if view.stage == SQUARE:
        return [f"square-{action + 1}"]
    if view.stage == GROUP:
        return [_group_id(int(view.piece(sheep)) for sheep in members(group(view, action)))]
    if view.stage == PLACEMENT:
        return [_rejoin_id(*_ghosts(view, action)[0])]
    if view.stage == EXTRA:
        return [f"extra-{action - EXTRA_AT}"]
    if action >= TURN_AT:
        return [f"turn-{WAYS[action - TURN_AT]}"]
    if action >= SIDE_AT:
        return [f"align-{DIRECTION_NAMES[2 * (action - SIDE_AT)]}"]
    sheep, goal = step(action)[0], _goal(view, action)
    on_it = [other for other, place in _standing(view).items() if place == goal]
    return [_sheep_id(view, sheep), _sheep_id(view, on_it[0]) if on_it else _place_id(*goal)]


def refusals(view: ShearPanic, voice: Voice) -> dict[str, str]:
    """Why a square, a sheep or a side cannot be tapped."""
    if view.stage == SQUARE:
        free = {f"square-{square + 1}" for square in range(SQUARES) if not _is_used(int(view.menus[view.to_act]), square)}
        # A longer id must not find the shorter one's reason: square-1 and square-12.
        return {f"square-{n}": voice.say("refuse.square" if f"square-{n}" in free else "refuse.used") for n in range(1, SQUARES + 1)}
    if view.stage == PANIC and view.die != WHITE:
        return {"sheep-": voice.say("refuse.panic", colour=voice.say(f"colour.{COLOUR_NAMES[int(view.die)]}"))}
    if view.stage == MOVE:
        return {"sheep-": voice.say("refuse.sheep"), "turn-": voice.say("refuse.back"), "align-": voice.say("refuse.back")}
    return {}


def picture(view: ShearPanic, seat: int, theme: str, voice: Voice) -> str:
    """The view, with the viewer's own menu in the part `hand` and everybody else's in the part `others`."""
    look = cast(art.Theme, theme)
    words, track, counter = voice.words, view.printed.track, int(view.counter)
    said = words.say("picture.counter", space=counter, length=int(track.length))
    ring = Ring(track).drawn(counter, "counter", "pen", True, said)
    body = f'<g transform="translate(0 {ABOVE})">{_plain(flock_of(view), words)}{ring}{_strip_of(view, words)}</g>'
    bottom: float = ABOVE + SIZE + STRIP
    for name, (part, high) in (("hand", _hand_of(view, seat, words)), ("others", _others(view, seat, voice))):
        if part:
            body += art.part(name, bottom, SIZE, high, part, look)
            bottom += high
    return art.document(SIZE, bottom, body, voice.say("picture.title"), said, theme=look)


def passing(before: ShearPanic, after: ShearPanic) -> str:
    """Rows that have scored in a pen: what each was worth, and who stood before them, though both have left the picture by then."""
    guest = {"pen": ROGER, "last": SHEARER}.get(rows_score(before, after), 0)
    if not guest:
        return ""
    worth = after.row_points(after.facing if guest == ROGER else opposite(after.facing))
    plain = Plain(flock_of(after)._replace(worth=tuple(int(points) for points in worth)))
    return f'<g transform="translate(0 {ABOVE})">{plain.leaving(guest)}</g>'


def window(view: ShearPanic, name: str) -> tuple[float, float, float, float] | None:
    """`hand`; `plain` with the track; or `flock`: the flock, whoever stands before it and the places beside it."""
    if name == "hand":
        return 0, ABOVE + SIZE + STRIP, SIZE, 2 * MENU_HIGH + 8
    if name == "plain":
        return 0, 0, SIZE, ABOVE + SIZE
    if name == "flock":
        plain = Plain(flock_of(view))
        left, top = plain.corner()
        cell, guest = plain.cell, bool(plain.guest)
        x, y = left + (plain.left - 0.5) * cell, ABOVE + top + (plain.top - 0.5) * cell
        wide, high = (plain.right - plain.left) * cell, (plain.bottom - plain.top) * cell
        return (0, y, SIZE, high) if guest else (x, y, wide, high)
    return None


def _sheep_id(view: ShearPanic, sheep: int) -> str:
    return f"sheep-{called(view, sheep)}"


def _group_id(pieces: Iterable[int]) -> str:
    return f"group-{SHEEP_NAMES[min(pieces)]}"


def _place_id(row: int, column: int) -> str:
    return f"place-{row}-{column}"


def _rejoin_id(row: int, column: int) -> str:
    return f"rejoin-{row}-{column}"


def _beside(place: Place, direction: int) -> Place:
    return place[0] + int(ROW_STEP[direction]), place[1] + int(COLUMN_STEP[direction])


def _standing(view: ShearPanic) -> dict[int, Place]:
    """The sheep of the flock in reading order, with their places on the plain, counted from the start's top left corner."""
    row, column = int(view.corner_row), int(view.corner_column)
    found = {sheep: (place[0] + row, place[1] + column) for sheep, place in enumerate(view.places()) if place is not None}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _goal(view: ShearPanic, action: int) -> Place:
    """Where the sheep of a step, push or leap goes."""
    sheep, direction = step(action)
    over = len(moved(view, action)) - 1 if step_kind(view) == LEAP else 0
    place = _standing(view)[sheep]
    for _ in range(over + 1):
        place = _beside(place, direction)
    return place


def _ghosts(view: ShearPanic, action: int) -> list[Place]:
    """Where a placement puts the sheep of the group, in their order."""
    rows, columns = view.moved_by(action - PLACEMENT_AT)
    standing = _standing(view)
    return [(standing[sheep][0] + rows, standing[sheep][1] + columns) for sheep in members(view.group)]


@kept(64)
def _grass(edge: float, side: float) -> str:
    return art.meadow(edge, edge, side, side, "plain", 40)


def _cross(x: float, y: float) -> str:
    return f'<circle class="sf-bow" cx="{pen.num(x)}" cy="{pen.num(y)}" r="18"/>' + art.use("times", x, y, 0.24)


def _point(row: float, column: float) -> tuple[float, float]:
    """The middle of a place, as the view shows the plain: 100 a place, (0, 0) in the middle of the first."""
    return column * 100, row * 100


@kept(512)
def _free_place(row: int, column: int, voice: Voice) -> str:
    label = voice.say("label.place", row=row + 1, column=column + 1)
    x, y = _point(row, column)
    at = f'x="{pen.num(x)}" y="{pen.num(y)}"'
    return f'<use href="#sf-cell" id="{_place_id(row, column)}" class="sf-lit" {at} role="img" aria-label="{escape(label)}"/>'


@kept(512)
def _sheep_there(piece: int, facing: int, row: int, column: int, voice: Voice) -> str:
    return one_sheep(piece, facing, f"sheep-{SHEEP_NAMES[piece]}", *_point(row, column), 100, sheep_name(piece, voice))


class Flock(NamedTuple):
    """All that the plain shows of a view."""

    track: Track
    facing: int
    guest: int
    """Who stands before the flock, else 0."""
    over: bool
    sheep: tuple[tuple[int, Place], ...]
    """The sheep of the flock in reading order, with their places."""
    pieces: tuple[int, ...]
    """By sheep: which piece of wool it is."""
    shorn: tuple[int, ...]
    worth: tuple[int, ...]
    """By sheep: what its row would score, or SHORN; empty where nobody is before the flock."""
    groups: tuple[tuple[int, ...], ...]
    """The groups to choose from."""
    strays: tuple[int, ...]
    """The group that is to rejoin."""
    ghosts: tuple[tuple[Place, ...], ...]
    """Where it can rejoin: the places of its sheep."""
    sides: tuple[bool, ...]
    """When it is asked against which side the flock closes up: whether it may, clockwise from the north."""


def flock_of(view: ShearPanic) -> Flock:
    """What the plain shows."""
    stage, over = view.stage, view.to_act == OVER
    sheep = {} if stage == START else _standing(view)
    guest = 0 if over else int(view.guest())
    worth: tuple[int, ...] = ()
    if guest:
        points = view.row_points(view.facing if guest == ROGER else opposite(view.facing))
        front = 0 if guest == ROGER or view.one_colour() else int(view.front_row())
        worth = tuple(SHORN if front >> one & 1 else int(points[one]) for one in range(SHEEP))
    aligning = stage == MOVE and step_kind(view) == ALIGN
    return Flock(
        view.printed.track, int(view.facing), guest, over, tuple(sheep.items()), tuple(int(view.piece(one)) for one in range(SHEEP)),
        () if stage == START else tuple(one for one in range(SHEEP) if one not in sheep), worth,
        tuple(tuple(members(group(view, action))) for action in view.legal()) if stage == GROUP else (),
        tuple(members(view.group)) if stage in (REGROUP_DIE, PLACEMENT) else (),
        tuple(tuple(_ghosts(view, action)) for action in view.legal()) if stage == PLACEMENT else (),
        tuple(view.may_align(side) for side in range(0, 8, 2)) if aligning else (),
    )  # fmt: skip


@kept(256)
def _plain(flock: Flock, voice: Voice) -> str:
    return Plain(flock).drawn(voice)


class Plain:
    """The ground inside the track, and where the places of the flock lie on it."""

    def __init__(self, flock: Flock) -> None:
        self.flock = flock
        self.ring = Ring(flock.track)
        self.sheep = dict(flock.sheep)
        self.facing, self.guest = flock.facing, flock.guest
        room = SIZE - 2 * self.ring.space - 10
        self.cell = min(LARGEST, room / max(self.bottom - self.top, self.right - self.left))

    @cached_property
    def free(self) -> list[Place]:
        """The free places next to the flock, as long as anybody may go there."""
        if self.flock.over:
            return []
        taken = set(self.sheep.values())
        near = {_beside(place, direction) for place in taken for direction in range(8)}
        return sorted(near - taken)

    @cached_property
    def _shown(self) -> list[Place]:
        return [*self.sheep.values(), *self.free, *(place for ghosts in self.flock.ghosts for place in ghosts)] or [(0, 0), (2, 2)]

    @cached_property
    def top(self) -> float:
        return min(row for row, _ in self._shown) - self._guest_at(0)

    @cached_property
    def bottom(self) -> float:
        return max(row for row, _ in self._shown) + 1 + self._guest_at(4)

    @cached_property
    def left(self) -> float:
        return min(column for _, column in self._shown) - self._guest_at(6)

    @cached_property
    def right(self) -> float:
        return max(column for _, column in self._shown) + 1 + self._guest_at(2)

    def _guest_at(self, side: int) -> float:
        return GUEST if self.guest and self.facing == side else 0

    @cached_property
    def zoom(self) -> float:
        return self.cell / 100

    def corner(self) -> tuple[float, float]:
        """Where the view puts the first place on the sheet."""
        return SIZE / 2 - ((self.left + self.right) / 2 - 0.5) * self.cell, SIZE / 2 - ((self.top + self.bottom) / 2 - 0.5) * self.cell

    def front(self, side: int, away: float) -> tuple[float, float]:
        """A point outside a side of the flock, before its middle, so many places away from its outermost row or column."""
        rows = [row for row, _ in self.sheep.values()] or [0, 2]
        columns = [column for _, column in self.sheep.values()] or [0, 2]
        row, column = (min(rows) + max(rows)) / 2, (min(columns) + max(columns)) / 2
        outside = {
            0: (min(rows) - away, column), 2: (row, max(columns) + away), 4: (max(rows) + away, column), 6: (row, min(columns) - away),
        }  # fmt: skip
        return _point(*outside[side])

    # What is drawn, from the ground up.

    def drawn(self, voice: Voice) -> str:
        inner = SIZE - 2 * self.ring.space
        grass = _grass(self.ring.space - 4, inner + 8)
        x, y = self.corner()
        view = f"transform:translate({pen.num(x)}px,{pen.num(y)}px) scale({self.zoom:.4g})"
        inside = self._trodden() + self._visitor(voice) + self._places(voice) + self._flock(voice) + self._groups(voice)
        inside += self._rejoins(voice) + self._sides(voice)
        lines, points = self._row_points()
        return f'{grass}\n{lines}{self._shorn(voice)}<g class="sf-view" style="{view}">{inside}</g>\n<g pointer-events="none">{points}</g>'

    def _trodden(self) -> str:
        """The grass is shorter where the flock stands and can go."""
        drawn = ""
        for row, column in [*self.sheep.values(), *self.free]:
            x, y = _point(row, column)
            drawn += pen.box(f"trodden {row} {column}", x - 48, y - 48, 96, 96, 16, 1.5)
        return f'<path class="sf-mown-flat" d="{drawn}"/>' if drawn else ""

    def _places(self, voice: Voice) -> str:
        """Free places, to be lit where a sheep may go."""
        return f"<g>{''.join(_free_place(*place, voice) for place in self.free)}</g>"

    def _flock(self, voice: Voice) -> str:
        pieces = self.flock.pieces
        return "".join(_sheep_there(pieces[sheep], self.facing, *place, voice) for sheep, place in self.sheep.items())

    def _id(self, what: str, sheep: int) -> str:
        return f"{what}-{SHEEP_NAMES[self.flock.pieces[sheep]]}"

    def _shorn(self, voice: Voice) -> str:
        """Those that the Shearer has had, walking off along the lower edge."""
        drawn = ""
        for count, sheep in enumerate(self.flock.shorn):
            x, y = self.ring.space + 30 + 46 * count, SIZE - self.ring.space - 26
            label = voice.say("label.shorn", sheep=sheep_name(self.flock.pieces[sheep], voice))
            here = art.Place(id=self._id("shorn", sheep), x=x, y=y, size=50, label=label, comes_from=self._id("sheep", sheep))
            drawn += art.shorn(COLOUR_NAMES[int(colour_of(sheep))], "e", **here)
        return drawn

    def _visitor(self, voice: Voice) -> str:
        """Roger or the Shearer, before the heads of the flock."""
        x, y = self.front(self.facing, 1.5 + GUEST / 2)
        if self.guest == SHEARER:
            return art.person("shearer", id="shearer", x=x, y=y, size=100, label=voice.say("shearer"))
        if self.guest == ROGER:
            return art.roger(facing_of(int(opposite(self.facing))), id="roger", x=x, y=y, size=100, label=voice.say("roger"))
        return ""

    def leaving(self, guest: int) -> str:
        """The rows and their points, and a guest for whom the picture keeps no room any more, close to the flock."""
        (x, y), (left, top) = self.front(self.facing, 1.1), self.corner()
        here = art.Place(x=left + x * self.zoom, y=top + y * self.zoom, size=self.cell)
        drawn = art.person("shearer", **here) if guest == SHEARER else art.roger(facing_of(int(opposite(self.facing))), **here)
        return "".join(self._row_points()) + drawn

    def _row_points(self) -> tuple[str, str]:
        """A line along each row, and at its end what the row would score now; a cross for the one that would be shorn before that."""
        if not self.flock.worth:
            return "", ""
        rows: dict[float, int] = {}
        across = self.facing % 4 == 0
        for sheep, place in self.sheep.items():
            along = self.corner()[1 if across else 0] + _point(*place)[1 if across else 0] * self.zoom
            rows[along] = self.flock.worth[sheep]
        lines, drawn, edge = "", "", self.ring.space + 26
        for along, points in rows.items():
            if points:
                x, y = (edge, along) if across else (along, edge)
                lines += f"M{x:.1f} {y:.1f}{'H' if across else 'V'}{SIZE - self.ring.space - 8:.1f}"
                drawn += _cross(x, y) if points == SHORN else art.rank_label(points, x, y, 22)
        return (f'<path class="sf-seam" d="{lines}"/>' if lines else ""), drawn

    def _groups(self, voice: Voice) -> str:
        """The groups to choose from, or the one that is to rejoin, each in a frame."""
        drawn = "".join(self._frame(self.sheep[sheep]) for sheep in self.flock.strays)
        for number, flock in enumerate(self.flock.groups, 1):
            label = voice.say("describe.group", number=number, sheep=pieces_list([self.flock.pieces[sheep] for sheep in flock], voice))
            veil = "".join(self._veil(self.sheep[sheep]) for sheep in flock) + self._number(number, self.sheep[flock[0]])
            name = _group_id(self.flock.pieces[sheep] for sheep in flock)
            drawn += f'\n<g id="{name}" role="img" aria-label="{escape(label)}">{veil}</g>'
        return drawn

    def _rejoins(self, voice: Voice) -> str:
        """Where the group can rejoin: its sheep as ghosts, with a number. Where ghosts would stand on one another or on the group itself,
        there is only one of them at rest: a sheep that comes to a free place everywhere, if there is one."""
        standing = [self.sheep[one] for one in self.flock.strays]
        places = [place for ghosts in (*self.flock.ghosts, standing) for place in ghosts]
        rest = "sf-peek sf-later" if len(set(places)) < len(places) else "sf-peek"
        free = (at for at in range(len(standing)) if not any(ghosts[at] in standing for ghosts in self.flock.ghosts))
        drawn, seen = "", next(free, 0)
        for number, ghosts in enumerate(self.flock.ghosts, 1):
            sheep = [
                one_sheep(self.flock.pieces[one], self.facing, "", *_point(*place), 100, "")
                for one, place in zip(self.flock.strays, ghosts, strict=True)
            ]
            shown = f'<g class="{rest}">{"".join(sheep[:seen] + sheep[seen + 1 :])}</g><g class="sf-peek">{sheep[seen]}</g>'
            said = voice.say("label.rejoin", number=number)
            body = self._veil(ghosts[seen]) + shown + self._number(number, ghosts[seen])
            drawn += f'\n<g id="{_rejoin_id(*ghosts[0])}" role="img" aria-label="{escape(said)}">{body}</g>'
        return drawn

    def _veil(self, place: Place) -> str:
        x, y = _point(*place)
        return art.use("cell", x, y, 1.06, "sf-lit sf-veil")

    def _frame(self, place: Place) -> str:
        x, y = _point(*place)
        return f'<rect class="sf-dashed" x="{pen.num(x - 48)}" y="{pen.num(y - 48)}" width="96" height="96" rx="16"/>'

    def _number(self, number: int, place: Place) -> str:
        x, y = _point(*place)
        return art.badge(number, x=x - 30, y=y - 30, size=38)  # what it would score is shown at the right

    def _sides(self, voice: Voice) -> str:
        """The sides of the flock, when it is asked against which one it closes up."""
        drawn = ""
        for quarter, allowed in enumerate(self.flock.sides):
            name: art.Direction = DIRECTION_NAMES[2 * quarter]
            x, y = self.front(2 * quarter, 1)
            drawn += art.arrow(
                name, id=f"align-{name}", x=x, y=y, size=max(100, 92 / self.zoom), classes="" if allowed else "ghost",
                label=voice.say("label.align", side=voice.say(f"side.{name}")),
            )  # fmt: skip
        return drawn


# Below the track: the field and what it scores, the die, the square in play and the turns.


def _strip_of(view: ShearPanic, voice: Voice) -> str:
    stage, die, field = int(view.stage), int(view.die), int(view.printed.track.phase[view.counter]) or 1
    square = int(view.square) if stage == MOVE else -1
    ghosts: tuple[bool, bool] | None = None
    if stage == MOVE and step_kind(view) == TURN:
        ghosts = not view.may_turn(0), not view.may_turn(1)
    elif stage == PANIC and die == WHITE:
        ghosts = False, False
    return _strip(view.printed, field, int(view.facing), stage, square, die, int(view.active), ghosts, voice)


@kept(512)
def _strip(
    printed: Printed, field: int, facing: int, stage: int, square: int, die: int, active: int, ghosts: tuple[bool, bool] | None,
    voice: Voice,
) -> str:  # fmt: skip
    """`ghosts` says which turns are not allowed, where one is asked for."""
    turning = ghosts is not None
    drawn = strip(field, facing, voice.say(f"field.{field}"), "" if turning else voice.say(f"scoring.{field}"))
    at, middle = SIZE - (246 if turning else 58), SIZE + STRIP / 2
    if stage == MOVE:
        kind, value = int(printed.kind[square]), int(printed.value[square])
        drawn += art.action_card(
            ART_NAMES[KIND_NAMES[kind]], value, COLOUR_NAMES[active], "square", id="in-play", x=at, y=middle, size=76,
            label=_square_label(printed, square, voice),
        )  # fmt: skip
    if stage == PANIC:
        colour: art.Colour = COLOUR_NAMES[die]
        said = voice.say(f"colour.{colour}")
        drawn += art.die(colour, id=f"die-{colour}", x=at, y=middle, size=80, classes="last", label=said)
    if stage == PLACEMENT:
        said = voice.say("die.diagonal" if die else "die.straight")
        drawn += art.die("x" if die else "+", id="regroup-die", x=at, y=middle, size=80, classes="last", label=said)
    if ghosts:
        labels = (voice.say("label.turn.right"), voice.say("label.turn.left"))
        drawn += turn_arrows((f"turn-{WAYS[0]}", f"turn-{WAYS[1]}"), labels, ghosts)
    return drawn


# The menus.


def _square_label(printed: Printed, square: int, voice: Voice, used: bool = False) -> str:
    action = voice.say(f"action.{KIND_NAMES[int(printed.kind[square])]}")
    return voice.say("label.square.used" if used else "label.square", action=action, value=int(printed.value[square]))


def _is_used(menu: int, square: int) -> bool:
    return not menu >> square & 1


def _square(printed: Printed, seat: int, menu: int, square: int, voice: Voice, **place: float | str) -> str:
    kind, value = KIND_NAMES[int(printed.kind[square])], int(printed.value[square])
    used = _is_used(menu, square)
    where = cast(art.Place, {"label": _square_label(printed, square, voice, used), **place})
    return art.action_card(ART_NAMES[kind], value, COLOUR_NAMES[seat], "square", used, **where)


def _hand_of(view: ShearPanic, seat: int, voice: Voice) -> tuple[str, float]:
    if seat < 0:
        return "", 0
    asked = view.stage == EXTRA and view.to_act == seat
    return _hand(view.printed, seat, int(view.menus[seat]), _extras_of(view, seat), asked, asked and view.may_spend(0), voice)


def _extras_of(view: ShearPanic, seat: int) -> tuple[int, ...]:
    """How many extra moves of 1, 2 and 3 a seat has."""
    return tuple(view.extras[seat * 4 + 1 : seat * 4 + 4]) if view.seats == 2 else (0, 0, 0)


@kept(256)
def _hand(
    printed: Printed, seat: int, menu: int, extras: tuple[int, ...], asked: bool, may_save: bool, voice: Voice
) -> tuple[str, float]:  # fmt: skip
    """The viewer's twelve squares, large, and the extra moves of two players; and how high that is."""
    above = EXTRAS_HIGH if asked else 0.0  # what is asked comes first, under the thumb
    drawn = ""
    for square in range(SQUARES):
        row, column = divmod(square, A_ROW)
        x, y = (column + 0.5) * MENU_WIDE, above + row * MENU_HIGH + 60
        kind = KIND_NAMES[int(printed.kind[square])]
        drawn += _square(printed, seat, menu, square, voice, id=f"square-{square + 1}", x=x, y=y, size=MENU_WIDE - 12)
        drawn += art.text(x, y + 76, voice.say(f"short.{kind}"), 21, soft=_is_used(menu, square))
    high = MENU_HIGH * SQUARES / A_ROW + 8
    if not any(extras):
        return drawn, high
    return drawn + _extras(seat, extras, may_save, 0 if asked else high, voice), high + EXTRAS_HIGH


def _extras(seat: int, extras: tuple[int, ...], may_save: bool, top: float, voice: Voice) -> str:
    """The extra moves of two players."""
    drawn, x, y = "", MENU_WIDE / 2, top + 54
    for value, left in enumerate(extras, 1):
        if left:
            label = voice.say("label.extra", count=value)
            drawn += art.action_card(None, value, COLOUR_NAMES[seat], "square", id=f"extra-{value}", x=x, y=y, size=96, label=label)
            drawn += art.badge(left, x=x + 40, y=y - 34, size=34) if left > 1 else ""
        x += MENU_WIDE
    if may_save:
        return drawn + art.button(voice.say("label.extra.none"), "extra-0", MENU_WIDE * 4.5, y, MENU_WIDE * 3 - 16, 92, 26)
    return drawn + art.text(MENU_WIDE * 3, y + 8, voice.say("label.extras"), 24, "start", soft=True)


def _others(view: ShearPanic, seat: int, voice: Voice) -> tuple[str, float]:
    """The other players' menus, small."""
    drawn, y = "", 0.0
    for other in range(int(view.seats)):
        if other == seat:
            continue
        drawn += owner(other, voice.name(other) + ("" if view.has_sheep(other) else f" {voice.say('picture.shorn')}"), y)
        if view.seats == 2:
            x = SIZE - 22
            for value, left in reversed(list(enumerate(_extras_of(view, other), 1))):
                for _ in range(left):
                    drawn += art.badge(value, COLOUR_NAMES[other], x=x, y=y + 22, size=34, label=voice.say("label.extra", count=value))
                    x -= 38
        drawn += _menu(view.printed, other, int(view.menus[other]), y + 72, voice.words)
        y += 108
    for colour in range(int(view.seats), BLACK):
        said = voice.say("picture.neutral", colour=voice.say(f"colour.{COLOUR_NAMES[colour]}"))
        drawn += owner(colour, said, y)
        y += 44
    return drawn, y + 8


@kept(256)
def _menu(printed: Printed, seat: int, menu: int, y: float, voice: Voice) -> str:
    """Another player's squares."""
    width = SIZE / SQUARES
    return "".join(_square(printed, seat, menu, square, voice, x=(square + 0.5) * width, y=y, size=SMALL) for square in range(SQUARES))


def vignette() -> str:
    """Three on their way, and the shearer behind them."""
    flock = art.sheep("yellow", "w", x=52, y=104, size=60) + art.berta("w", x=104, y=98, size=62)
    flock += art.sheep("blue", "w", x=154, y=106, size=60)
    return art.lawn("sp") + flock + art.person("shearer", x=262, y=84, size=104)
