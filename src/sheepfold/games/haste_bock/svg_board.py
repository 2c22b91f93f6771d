"""Haste Bock? as a picture: the track winds round the pasture, below it stand the phase, the die and the card in play.

Every thing keeps its id from one picture to the next (`sheep-b1`, `cell-3-4`, `card-slam-2`), and `targets` names the ids that
spell an action: a card; a sheep and the field it goes to; a sheep and the last one that it rams.

The parts are drawn from their own few values and kept: after a move most of them are what they were, and other viewers see the same.
"""

from __future__ import annotations

from typing import Literal, cast

from sheepfold import art
from sheepfold.games import flock_svg_board
from sheepfold.games.flock import BLACK_SHEEP, COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES, ahead
from sheepfold.games.flock_svg_board import ABOVE, SIZE, SMALL, STRIP, Ring, facing_of, one_sheep, owner, strip, turn_arrows
from sheepfold.games.haste_bock.narration import phase_to_come, sheep_ahead
from sheepfold.games.haste_bock.notation import WAYS, foremost, move_kind, sheep_move
from sheepfold.games.haste_bock.rules import (
    CARD,
    CARD_KINDS,
    DIAGONAL,
    KIND_NAMES,
    LEAP,
    LINE,
    LINES,
    MOVE,
    NONE,
    PUSHES,
    SET_UP,
    SIDE,
    SLAM,
    STEP,
    STEPS,
    TROUGH,
    TROUGHS,
    TURN,
    TURNS,
    VALUES,
    HasteBock,
    column_of,
    row_of,
)
from sheepfold.kept import kept
from sheepfold.messages import Voice

CELL = 62.0
CORNER = (SIZE - SIDE * CELL) / 2
GUEST = 52.0
"""The size of Roger and Shawn, who stand between the track and the pasture and cover neither."""
ART_NAMES: dict[str, art.Action] = {
    "step": "step", "slam": "slam", "leap": "leap", "diagonal": "diagonal", "line": "line", "trough": "align", "turn": "turn",
}  # fmt: skip
A_ROW, CARD_WIDE, CARD_HIGH = 6, 120.0, 150.0
SQUARES, SQUARE_SIDE = 7, 720 / 7
NAME = 26.0
"""Below a card stands its name."""
"""Two and three players have more cards in hand: theirs are squares, so that all of them are seen at once on a phone."""
DRAWINGS = (*flock_svg_board.DRAWINGS, "action", "wall")
"""The beginnings of names of what is drawn here, for `Game.drawings`."""


def targets(view: HasteBock, action: int) -> list[str]:
    """What to tap, in order."""
    if view.to_act < 0:
        return []
    if view.stage == CARD:
        card, movement = divmod(action, 4)
        chosen = f"card-{KIND_NAMES[card // VALUES]}-{card % VALUES + 1}"
        return [chosen, f"movement-{movement}"] if view.movements_left(int(view.turn)) else [chosen]
    if action >= TURNS:
        return [f"turn-{WAYS[action - TURNS]}"]
    if action >= TROUGHS:
        return [f"trough-{DIRECTION_NAMES[(action - TROUGHS) * 2]}"]
    if action >= PUSHES:
        first = foremost(view, action)
        return [_sheep_id(first), _cell_id(view.where[first] + STEPS[(action - PUSHES) // LINES])]
    sheep, direction, number = sheep_move(action)
    kind = move_kind(view)
    if kind == STEP:
        return [_sheep_id(sheep), _cell_id(view.where[sheep] + STEPS[direction])]
    last = sheep_ahead(view, sheep, direction, number)[-1]
    return [_sheep_id(sheep), _sheep_id(last) if kind == SLAM else _cell_id(view.where[last] + STEPS[direction])]


def refusals(view: HasteBock, voice: Voice) -> dict[str, str]:
    """Why a card, a sheep or a way to turn cannot be tapped."""
    if view.stage == CARD:
        return {"card-": voice.say("refuse.card")}
    if view.stage != MOVE:
        return {"sheep-": voice.say("refuse.ram", rammer=voice.say(f"with.{COLOUR_NAMES[int(view.die)]}"))}
    kind, found = move_kind(view), {"turn-": voice.say("refuse.turn"), "trough-": voice.say("refuse.trough")}
    if kind in (STEP, SLAM, LEAP):
        found["sheep-"] = voice.say("refuse.not-yours")
        found[f"sheep-{SHEEP_NAMES[2 * int(view.turn)][0]}"] = voice.say("refuse.stuck")
    elif kind in (DIAGONAL, LINE):
        found["sheep-"] = voice.say("refuse.push")
    return found


def picture(view: HasteBock, seat: int, theme: str, voice: Voice) -> str:
    """The view, with the viewer's own cards in the part `hand` and everybody else's in the part `others`."""
    look = cast(art.Theme, theme)
    words, facing, where = voice.words, int(view.facing), tuple(view.where)
    phase, now = int(view.track.phase[view.timer]), phase_to_come(view)
    ring = Ring(view.track)
    body = (
        f'<g transform="translate(0 {ABOVE})">{ring.drawn(int(view.timer), "timer")}{_pasture(words)}'
        f"{_visitor(phase, facing, ring.space, words)}{_row_points(view)}{_flock(where, facing, words) if view.stage != SET_UP else ''}"
        f"{_sides(view, words)}{_strip(now, facing, int(view.die), int(view.card), int(view.turn), int(view.banned), words)}</g>"
    )
    bottom: float = ABOVE + SIZE + STRIP
    choosing = view.stage == CARD and view.to_act == seat
    hand, high = _hand(int(view.seats), seat, *_held(view, seat), choosing, words) if seat >= 0 else ("", 0)
    if hand:
        body += art.part("hand", bottom, SIZE, high, hand, look)
        bottom += high
    others, high = _others(view, seat, voice)
    if others:
        body += art.part("others", bottom, SIZE, high, others, look)
        bottom += high
    return art.document(SIZE, bottom, body, voice.say("picture.title"), _timer_text(view, voice), theme=look)


def window(name: str) -> tuple[float, float, float, float] | None:
    """`hand`; `pasture` with the track; or `fields ROW COLUMN ROWS COLUMNS`, counted from 1."""
    if name == "hand":
        return 0, ABOVE + SIZE + STRIP, SIZE, 2 * (CARD_HIGH + NAME) + 8
    if name == "pasture":
        return 0, 0, SIZE, ABOVE + SIZE
    if name.startswith("fields "):
        row, column, rows, columns = (int(number) for number in name.split()[1:])
        left, top = CORNER + (column - 1) * CELL, ABOVE + CORNER + (row - 1) * CELL
        return left - 8, top - 8, columns * CELL + 16, rows * CELL + 16
    return None


def _sheep_id(sheep: int) -> str:
    return f"sheep-{SHEEP_NAMES[sheep]}"


def _cell_id(cell: int) -> str:
    return f"cell-{int(row_of(cell)) + 1}-{int(column_of(cell)) + 1}"


def _middle(cell: int) -> tuple[float, float]:
    return CORNER + (int(column_of(cell)) + 0.5) * CELL, CORNER + (int(row_of(cell)) + 0.5) * CELL


def _colour(number: int) -> art.Colour:
    return COLOUR_NAMES[number]


# The pasture and who is on it.


@kept(16)
def _pasture(voice: Voice) -> str:
    long = SIDE * CELL
    return "\n" + art.pen_frame(CORNER - 5, CORNER - 5, long + 10, long + 10, 48) + art.pasture(
        SIDE, SIDE, CELL, CORNER, CORNER,
        id=lambda row, column: f"cell-{row + 1}-{column + 1}",
        label=lambda row, column: voice.say("label.field", row=row + 1, column=column + 1),
    )  # fmt: skip


@kept(256)
def _flock(where: tuple[int, ...], facing: int, voice: Voice) -> str:
    return "".join(_sheep_there(sheep, where[sheep], facing, voice) for sheep in sorted(range(SHEEP), key=lambda one: where[one]))


@kept(512)
def _sheep_there(sheep: int, cell: int, facing: int, voice: Voice) -> str:
    x, y = _middle(cell)
    said = voice.say(f"colour.{COLOUR_NAMES[sheep // 2]}")
    label = voice.say("label.berta") if sheep == BLACK_SHEEP else voice.say("label.sheep", name=SHEEP_NAMES[sheep], colour=said)
    return one_sheep(sheep, facing, _sheep_id(sheep), x, y, CELL, label)


def _side_point(direction: int, away: float) -> tuple[float, float]:
    """The middle of a side of the pasture, so far away from it."""
    half, out = SIZE / 2, CORNER - away
    return {0: (half, out), 2: (SIZE - out, half), 4: (half, SIZE - out), 6: (out, half)}[direction]


@kept(64)
def _visitor(phase: int, facing: int, track: float, voice: Voice) -> str:
    """Roger or Shawn, on the side that the flock looks at, between the track, which is so broad, and the pasture."""
    if phase not in (2, 4):
        return ""
    x, y = _side_point(facing, (CORNER - track) / 2)
    if phase == 4:
        return art.person("shearer", id="shawn", x=x, y=y, size=GUEST, label=voice.say("shawn"))
    return art.roger(facing_of((facing + 4) % 8), id="roger", x=x, y=y, size=GUEST, label=voice.say("roger"))


def _row_points(view: HasteBock) -> str:
    """What each row would score now, beside it; at the end what it has scored."""
    if view.track.phase[view.timer] not in (2, 4):
        return ""
    worth = view.row_points()
    counted = range(SHEEP if view.neutral_rows else 2 * view.seats)  # HB-26
    rows = {int(ahead(row_of(view.where[sheep]), column_of(view.where[sheep]), view.facing)): sheep for sheep in counted}
    drawn = ""
    for sheep in rows.values():
        if worth[sheep]:
            x, y = _middle(view.where[sheep])
            across = view.facing % 4 == 0
            drawn += art.rank_label(worth[sheep], CORNER - 14 if across else x, y if across else CORNER - 14, 19)
    return drawn


def _sides(view: HasteBock, voice: Voice) -> str:
    """Where the trough can stand, when that is asked."""
    if view.stage != MOVE or move_kind(view) != TROUGH:
        return ""
    drawn = ""
    for side in range(4):
        name = DIRECTION_NAMES[side * 2]
        x, y = _side_point(side * 2, 0)
        drawn += art.arrow(
            cast(art.Direction, name), id=f"trough-{name}", x=x, y=y, size=92, classes="ghost" if view.banned == TROUGHS + side else "",
            label=voice.say("label.trough", side=voice.say(f"side.{name}")),
        )  # fmt: skip
    return drawn


# Below the track: the phase, the die, the card in play and the turns.


def _timer_text(view: HasteBock, voice: Voice) -> str:
    return voice.say("picture.timer", space=int(view.timer), length=int(view.track.length))


@kept(512)
def _strip(phase: int, facing: int, die: int, card: int, turn: int, banned: int, voice: Voice) -> str:
    middle = SIZE + STRIP / 2
    crowded = die != NONE or (card != NONE and card // VALUES == TURN)  # then there is no room for more
    drawn = strip(phase, facing, voice.say(f"phase.{phase}"), "" if crowded else voice.say(f"scoring.{phase}"))
    if die != NONE:
        colour = _colour(die)
        drawn += art.die(colour, id=f"die-{colour}", x=SIZE - 62, y=middle, size=80, classes="last")
    if card != NONE:
        kind, value = divmod(card, VALUES)
        turning = kind == TURN
        drawn += art.action_card(
            ART_NAMES[KIND_NAMES[kind]], value + 1, _colour(turn), shape="square", id="in-play",
            x=SIZE - (246 if turning else 58), y=middle, size=76, label=_card_label(kind, value + 1, voice),
            comes_from=f"card-{KIND_NAMES[kind]}-{value + 1}",
        )  # fmt: skip
        if turning:
            drawn += turn_arrows(
                (f"turn-{WAYS[0]}", f"turn-{WAYS[1]}"),
                (voice.say(f"label.turn.{WAYS[0]}"), voice.say(f"label.turn.{WAYS[1]}")),
                (banned == TURNS, banned == TURNS + 1),
            )
    return drawn


# The cards.


def _card_label(kind: int, value: int, voice: Voice) -> str:
    return voice.say("card", kind=voice.say(f"kind.{KIND_NAMES[kind]}"), value=value)


Counts = tuple[int, ...]


def _held(view: HasteBock, seat: int) -> tuple[Counts, Counts]:
    """How many action cards of each kind and value a seat has, and how many movement cards of each value."""
    return tuple(view.hand[seat * CARD_KINDS : (seat + 1) * CARD_KINDS]), tuple(view.movement[seat * VALUES : (seat + 1) * VALUES])


def _cards(counts: Counts) -> list[tuple[int, int, int]]:
    """Kind, value and number of the action cards."""
    return [(card // VALUES, card % VALUES + 1, count) for card, count in enumerate(counts) if count]


@kept(256)
def _hand(seats: int, seat: int, counts: Counts, movements: Counts, choosing: bool, voice: Voice) -> tuple[str, float]:
    """The viewer's cards, large; and how high that is."""
    colour = _colour(seat)
    shape: Literal["card", "square"] = "card" if seats == 4 else "square"
    in_row, wide, deep = (A_ROW, CARD_WIDE, CARD_HIGH) if shape == "card" else (SQUARES, SQUARE_SIDE, SQUARE_SIDE + 1)
    drawn = ""
    cards = _cards(counts)
    for place, (kind, value, count) in enumerate(cards):
        x, y = (place % in_row + 0.5) * wide, place // in_row * (deep + NAME) + deep / 2 + 4
        name = voice.say(f"short.{KIND_NAMES[kind]}")
        drawn += art.action_card(
            ART_NAMES[KIND_NAMES[kind]], value, colour, shape, id=f"card-{KIND_NAMES[kind]}-{value}", x=x, y=y, size=wide - 12,
            label=_card_label(kind, value, voice),
        )  # fmt: skip
        drawn += _count(count, x, y, deep)
        drawn += art.text(x, y + deep / 2 + 16, name[:1].upper() + name[1:], art.fitting(name, 21, wide - 14))
    high = -(-len(cards) // in_row) * (deep + NAME) + 8
    if seats < 4:
        y = high + deep / 2
        high += deep + 4
        for value, count in enumerate(movements, 1):
            x = (value - 0.5) * wide
            if count:
                label = voice.say("label.movement", value=value)
                drawn += art.action_card(None, value, colour, shape, id=f"movement-{value}", x=x, y=y, size=wide - 12, label=label)
                drawn += _count(count, x, y, deep)
        if seats == 3 and any(movements) and choosing:
            drawn += art.button(voice.say("label.movement.none"), "movement-0", SIZE - wide * 2, y, wide * 4 - 16, 92, 26)
    return drawn, high


def _count(count: int, x: float, y: float, deep: float) -> str:
    """How many there are of a card, where there are several."""
    return art.badge(count, x=x + 38, y=y - deep / 2 + 18, size=36) if count > 1 else ""


def _others(view: HasteBock, seat: int, voice: Voice) -> tuple[str, float]:
    """What the other players have left, one below the other."""
    drawn, y, high = "", 0.0, 108.0 if view.seats == 4 else 160.0
    for other in range(int(view.seats)):
        if other != seat:
            drawn += owner(other, voice.name(other), y) + _other(other, *_held(view, other), y + 72, view.seats < 4, voice.words)
            y += high
    return drawn, y + 4 if y else 0


@kept(256)
def _other(seat: int, counts: Counts, movements: Counts, y: float, with_movements: bool, voice: Voice) -> str:
    """What another player has left, small: a line of action cards, and one of movement cards."""
    colour, drawn, x = _colour(seat), "", SMALL / 2 + 2
    for kind, value, count in _cards(counts):
        for _ in range(count):
            label = _card_label(kind, value, voice)
            drawn += art.action_card(ART_NAMES[KIND_NAMES[kind]], value, colour, "square", x=x, y=y, size=SMALL, label=label)
            x += SMALL + 4
    if with_movements:
        x, y = SMALL / 2, y + 52
        for value, count in enumerate(movements, 1):
            if count:
                drawn += art.badge(value, colour, x=x + 4, y=y, size=34, label=voice.say("label.movement", value=value))
                drawn += art.text(x + 36, y + 7, f"×{count}", 20) if count > 1 else ""
                x += 62 if count > 1 else 40
    return drawn


def vignette() -> str:
    """Roger looks at three who have not seen him yet."""
    flock = art.sheep("red", "e", x=60, y=100, size=62) + art.sheep("blue", "e", x=116, y=96, size=62)
    flock += art.sheep("green", "e", x=166, y=103, size=62)
    return art.lawn("hb") + flock + art.roger("w", x=266, y=88, size=92)
