"""Shear Panic in words, thing by thing, for who does not see the picture: the state, the flock as a grid, the sheep, the menus, the track.

Rows and columns are counted as on the labels of free places: from where the flock stood at the start.
"""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.game import Passage
from sheepfold.games.flock import BLACK, COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES, opposite
from sheepfold.games.flock_outline import grid, track_outline
from sheepfold.games.shear_panic.narration import guest_name, joined, sheep_name
from sheepfold.games.shear_panic.notation import called, members
from sheepfold.games.shear_panic.rules import KIND_NAMES, MOVE, PANIC, PLACEMENT, REGROUP_DIE, ROGER, SQUARES, START, Printed, ShearPanic
from sheepfold.kept import kept
from sheepfold.messages import Voice


def outline(view: ShearPanic, seat: int, voice: Voice) -> list[Passage]:
    """The viewer's own menu comes before the others'. Passages are kept by what they say."""
    words, flock = voice.words, []
    if view.stage != START:
        standing = _standing(view)
        flock = [_flock(standing, words), _sheep(standing, *_prospects(view), words)]
    menus = [_menu_of(view, one, voice) for one in sorted(range(int(view.seats)), key=lambda one: one != seat)]
    return [_state(view, words), *flock, *menus, track_outline(view.printed.track, "field", words)]


def _state(view: ShearPanic, voice: Voice) -> Passage:
    field = int(view.printed.track.phase[view.counter]) or 1
    looks = DIRECTION_NAMES[int(view.facing)]
    lines = [
        f"{voice.say(f'field.{field}')}. {voice.say(f'scoring.{field}')}.",
        voice.say("picture.counter", space=int(view.counter), length=int(view.printed.track.length)),
        voice.say("outline.looks", way=voice.say(f"way.{looks}")),
    ]
    if view.to_act != OVER and view.guest():
        lines.append(voice.say("outline.guest", who=guest_name(view, voice), side=voice.say(f"side.{looks}")))
    if view.stage == MOVE:
        lines.append(voice.say("outline.in-play", card=_square(view.printed, int(view.square), voice)))
    if view.stage == PANIC:
        lines.append(voice.say("outline.die", shows=voice.say(f"colour.{COLOUR_NAMES[int(view.die)]}")))
    if view.stage == PLACEMENT:
        lines.append(voice.say("outline.die", shows=voice.say("die.diagonal" if view.die else "die.straight")))
    if view.stage in (REGROUP_DIE, PLACEMENT):
        lines.append(voice.say("outline.group", sheep=joined([called(view, sheep) for sheep in members(view.group)], voice)))
    lines += [voice.say("picture.neutral", colour=voice.say(f"colour.{COLOUR_NAMES[colour]}")) for colour in range(view.seats, BLACK)]
    return Passage(voice.say("outline.state"), lines)


Standing = tuple[tuple[int, tuple[int, int]], ...]


def _standing(view: ShearPanic) -> Standing:
    """The pieces that are left, and where they stand, counted from the start's top left corner."""
    row, column = int(view.corner_row), int(view.corner_column)
    places = enumerate(view.places())
    return tuple(sorted((int(view.piece(sheep)), (place[0] + row, place[1] + column)) for sheep, place in places if place is not None))


def _flock(standing: Standing, voice: Voice) -> Passage:
    """As far as the flock reaches."""
    title = voice.say("outline.flock")
    if not standing:
        return Passage(title, [voice.say("picture.empty")])
    rows, columns = [row for _, (row, _) in standing], [column for _, (_, column) in standing]
    cells = tuple((place, SHEEP_NAMES[sheep]) for sheep, place in standing)
    return grid(title, range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1), cells, voice)


def _prospects(view: ShearPanic) -> tuple[tuple[int, ...], int]:
    """What the pieces would score with their rows, if anything, and those that would be shorn, as bits."""
    guest = int(view.guest()) if view.to_act != OVER else 0
    points = view.row_points(view.facing if guest == ROGER else opposite(view.facing)) if guest else []
    front = 0 if guest in (0, ROGER) or view.one_colour() else int(view.front_row())
    sheep = [int(view.piece(piece)) for piece in range(SHEEP)]  # the two of a colour have changed places, or not
    return tuple(points[one] for one in sheep) if points else (), sum((front >> one & 1) << piece for piece, one in enumerate(sheep))


@kept(256)
def _sheep(standing: Standing, worth: tuple[int, ...], front: int, voice: Voice) -> Passage:
    """Where each piece stands and what its row would score; who would be shorn; who is."""
    places, lines = dict(standing), []
    for sheep in range(SHEEP):
        name = sheep_name(sheep, voice)
        if sheep not in places:
            lines.append(voice.say("label.shorn", sheep=name))
            continue
        row, column = places[sheep]
        line = voice.say("outline.at", what=name, row=row + 1, column=column + 1)
        if front >> sheep & 1:
            line += voice.say("outline.front")
        elif worth and worth[sheep] and sheep != SHEEP - 1:
            line += voice.say("outline.worth", count=int(worth[sheep]))
        lines.append(line)
    return Passage(voice.say("outline.sheep"), lines)


def _square(printed: Printed, square: int, voice: Voice, key: str = "label.square") -> str:
    action = voice.say(f"action.{KIND_NAMES[int(printed.kind[square])]}")
    return voice.say(key, action=action, value=int(printed.value[square]))


def _menu_of(view: ShearPanic, seat: int, voice: Voice) -> Passage:
    extras = tuple(view.extras[seat * 4 + 1 : seat * 4 + 4]) if view.seats == 2 else ()
    return _menu(view.printed, seat, voice.name(seat), int(view.menus[seat]), extras, view.has_sheep(seat), voice.words)


@kept(256)
def _menu(printed: Printed, seat: int, who: str, menu: int, extras: tuple[int, ...], has_sheep: bool, voice: Voice) -> Passage:
    """The squares that are still free, and the extra moves of two players."""
    lines = [_square(printed, square, voice) for square in range(SQUARES) if menu >> square & 1]
    for value, left in enumerate(extras, 1):
        if left:
            lines.append(voice.say("outline.times", what=voice.say("label.extra", count=value), count=left))
    if not has_sheep:
        lines.append(voice.say("picture.shorn"))
    title = voice.say("outline.menu", who=who, colour=voice.say(f"colour.{COLOUR_NAMES[seat]}"))
    return Passage(title, lines or [voice.say("outline.none")])
