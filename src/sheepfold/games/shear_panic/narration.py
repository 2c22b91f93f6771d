"""What Shear Panic says to players: what is expected, what an action would do, what happened and why there were points.

Everything is worked out from views before and after; the sentences stand in locale/<language>.po.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheepfold.core.position import OVER
from sheepfold.game.defaults.narration import expected
from sheepfold.games.flock import (
    BLACK,
    BLACK_SHEEP,
    BY_A_SIDE,
    COLOUR_NAMES,
    DIRECTION_NAMES,
    SHEEP_NAMES,
    WHITE,
    opposite,
    start_rows,
    turned,
)
from sheepfold.games.shear_panic.geometry import colour_of
from sheepfold.games.shear_panic.notation import DIE_NAMES, WAYS, called, group, members, moved, placement, step, step_kind
from sheepfold.games.shear_panic.rules import (
    COLOUR_AT,
    DIAGONAL,
    DIE_AT,
    EXTRA,
    EXTRA_AT,
    FIRST_AT,
    FIRST_PLAYER,
    GROUP,
    KIND_NAMES,
    LEAP,
    LINE,
    MOVE,
    OUT_OF_THE_LORRY,
    PANIC,
    PANIC_DIE,
    PLACEMENT,
    PLACEMENT_AT,
    REGROUP_DIE,
    ROGER,
    ROLL,
    SHEARER,
    SHEARING,
    SIDE_AT,
    SQUARE,
    SQUARE_AT,
    STAGE_NAMES,
    START,
    START_AT,
    TURN_AT,
    ShearPanic,
)
from sheepfold.messages import Voice


def prompt(view: ShearPanic, voice: Voice) -> str:
    """One sentence: who does what now."""
    who = voice.name(int(view.active))
    stage = view.stage
    if view.to_act == OVER:
        return winner(view, voice)
    if stage == MOVE:
        return expected(view, f"prompt.move.{KIND_NAMES[view.printed.kind[view.square]]}", voice, who=who)
    if stage == PANIC:
        key = "white" if view.die == WHITE else "lorry" if view.step == OUT_OF_THE_LORRY else "panic"
        if view.die != WHITE and view.sheep_left(view.die) == 1:
            key += ".one"
        return expected(view, f"prompt.panic.{key}", voice, who=who, colour=voice.say(f"colour.{COLOUR_NAMES[view.die]}"))
    if stage == PANIC_DIE:
        return voice.say(f"prompt.panic-die.{'lorry' if view.step == OUT_OF_THE_LORRY else 'panic'}", who=who)
    if stage in (REGROUP_DIE, PLACEMENT):
        flock = sheep_list(view, members(view.group), voice)
        lead, count = called(view, members(view.group)[0]), len(members(view.group))
        if stage == REGROUP_DIE:
            return voice.say("prompt.regroup-die", count, who=who, sheep=flock)
        return expected(view, f"prompt.placement.{way_taken(view)}", voice, count, who=who, sheep=flock, lead=lead)
    if stage == EXTRA:
        return expected(view, "prompt.extra.must" if view.must_spend() else "prompt.extra", voice, who=who, space=view.counter)
    key = f"prompt.{STAGE_NAMES[stage]}"
    return voice.say(key) if view.to_act < 0 else expected(view, key, voice, who=who)


def rule(view: ShearPanic) -> str:
    """Where the rules explain what is to be decided."""
    if view.to_act == OVER:
        return "end"
    if view.stage == MOVE:
        kind = KIND_NAMES[view.printed.kind[view.square]]
        return {"line": "push", "diagonal": "push"}.get(kind, kind)
    if view.stage in (PANIC, PANIC_DIE):
        return "lorry" if view.step == OUT_OF_THE_LORRY else "panic"
    if view.stage in (GROUP, REGROUP_DIE, PLACEMENT):
        return "regroup"
    return {SQUARE: "actions", EXTRA: "two"}.get(int(view.stage), "lorry")


def way_taken(view: ShearPanic) -> str:
    """How the group really moves: as rolled, where that is impossible the other way, or to the nearest place."""
    for die in (int(view.die), 1 - int(view.die)):
        if view.has_way(die):
            return DIE_NAMES[die]
    return "nearest"


# Names of things.


def sheep_name(piece: int, voice: Voice) -> str:
    """A piece with its colour."""
    return voice.say("sheep", colour=voice.say(f"colour.{COLOUR_NAMES[colour_of(piece)]}"), name=SHEEP_NAMES[piece])


def sheep_list(view: ShearPanic, flock: Sequence[int], voice: Voice) -> str:
    """Sheep of the flock: one with its colour, several by their short names, but for the black one, which has none on the board."""
    return pieces_list([int(view.piece(sheep)) for sheep in flock], voice)


def pieces_list(pieces: Sequence[int], voice: Voice) -> str:
    plain = len(pieces) > 1
    return joined([SHEEP_NAMES[piece] if plain and piece != BLACK_SHEEP else sheep_name(piece, voice) for piece in pieces], voice)


def joined(names: Sequence[str], voice: Voice) -> str:
    """'a, b and c'."""
    return names[0] if len(names) == 1 else voice.say("list", names=", ".join(names[:-1]), last=names[-1])


def way(direction: int, voice: Voice) -> str:
    return voice.say(f"way.{DIRECTION_NAMES[direction]}")


def part(view: ShearPanic, side: int, voice: Voice) -> str:
    """A side of the flock as the sheep see it: front, right, back or left."""
    return voice.say(f"part.{('front', 'right', 'back', 'left')[(side - int(view.facing)) % 8 // 2]}")


def field_name(field: int, voice: Voice) -> str:
    return voice.say(f"field.{field}")


# What an action would do.


def describe(view: ShearPanic, action: int, voice: Voice) -> str:
    """The action in a few words, with what it leads to."""
    stage = view.stage
    if stage == SQUARE:
        return describe_square(view, action - SQUARE_AT, voice)
    if stage == GROUP:
        return voice.say(
            "describe.group", number=view.legal().index(action) + 1, sheep=sheep_list(view, members(group(view, action)), voice)
        )
    if stage == PLACEMENT:
        move = f"{placement_words(view, action, voice)}{outcome(view, action, voice)}"
        return voice.say("describe.placement", number=view.legal().index(action) + 1, move=move)
    if stage == EXTRA:
        return f"{describe_extra(view, action - EXTRA_AT, voice)}{outcome(view, action, voice)}"
    if stage == START:
        return voice.say("describe.start", rows=" ".join(start_rows(action - START_AT)))
    if stage == FIRST_PLAYER:
        return voice.say("describe.first", who=voice.name(action - FIRST_AT))
    if stage == PANIC_DIE:
        return voice.say(f"colour.{COLOUR_NAMES[action - COLOUR_AT]}")
    if stage == REGROUP_DIE:
        return voice.say(f"die.{DIE_NAMES[action - DIE_AT]}")
    return f"{movement(view, action, voice)}{outcome(view, action, voice)}"


def describe_square(view: ShearPanic, square: int, voice: Voice) -> str:
    kind, value = view.printed.kind[square], int(view.printed.value[square])
    space = space_words(view, view.printed.track.moved(view.counter, value), voice)
    return voice.say("describe.square", count=value, action=voice.say(f"action.{KIND_NAMES[kind]}"), space=space)


def describe_extra(view: ShearPanic, value: int, voice: Voice) -> str:
    if not value:
        return voice.say("describe.extra.none")
    return voice.say("describe.extra", count=value, space=space_words(view, view.printed.track.moved(view.counter, value), voice))


def space_words(view: ShearPanic, space: int, voice: Voice) -> str:
    """A space of the track with what waits there: '24, panic'."""
    track = view.printed.track
    notes = []
    if track.pen[space]:
        notes.append(voice.say("note.pen"))
    elif track.passed_a_wall(view.came_from if view.stage == EXTRA else view.counter, space):
        notes.append(voice.say("note.gate"))
    elif track.phase[space] != track.phase[view.counter] and view.counter:
        notes.append(field_name(int(track.phase[space]), voice))
    if track.panic[space]:
        notes.append(voice.say("note.panic"))
    return ", ".join([str(space), *notes])


def movement(view: ShearPanic, action: int, voice: Voice) -> str:
    """A movement of step A or of a panic."""
    if action >= TURN_AT:
        looks = int(turned(view.facing, action - TURN_AT))
        return voice.say(f"move.turn.{WAYS[action - TURN_AT]}", way=way(looks, voice))
    if action >= SIDE_AT:
        side = 2 * (action - SIDE_AT)
        return voice.say("move.align", way=voice.say(f"side.{DIRECTION_NAMES[side]}"), part=part(view, side, voice))
    sheep, direction = step(action)
    kind = step_kind(view)
    mover, where = sheep_list(view, [sheep], voice), way(direction, voice)
    if kind == ROLL:
        return voice.say("move.roll", sheep=mover, way=where)
    pushed = moved(view, action)
    if kind in (LINE, DIAGONAL):
        return voice.say(f"move.{KIND_NAMES[kind]}", len(pushed), sheep=sheep_list(view, pushed, voice), way=where)
    if len(pushed) == 1:
        return voice.say("move.slam.alone", sheep=mover, way=where)
    return voice.say("move.leap" if kind == LEAP else "move.slam", sheep=mover, way=where, others=sheep_list(view, pushed[1:], voice))


def outcome(view: ShearPanic, action: int, voice: Voice) -> str:
    """What an action leads to at once: a split flock, or points."""
    after = view.copy()
    assert isinstance(after, ShearPanic)
    after.advance(action)
    gained = after.scores()[view.active] - view.scores()[view.active]
    if gained > 0:
        return voice.say("outcome.points", points=voice.say("points", count=gained))
    return voice.say("outcome.split") if view.stage in (MOVE, PANIC) and is_split(after) and after.step != SHEARING else ""


def placement_words(view: ShearPanic, action: int, voice: Voice) -> str:
    sheep, side, other = placement(action)
    one, two = (sheep_list(view, [each], voice) for each in (sheep, other))
    return voice.say(f"beside.{DIRECTION_NAMES[side]}", sheep=one, other=two)


# What happened.


def tell(before: ShearPanic, action: int, after: ShearPanic, voice: Voice) -> list[str]:
    """The event in sentences, in the order of the turn's steps."""
    return [
        *what(before, action, voice),
        *made_whole(before, action, after, voice),
        *counting(before, after, voice),
        *came_apart(before, after, voice),
        *ending(after, voice),
    ]


def what(before: ShearPanic, action: int, voice: Voice) -> list[str]:
    """The decision or the roll itself."""
    who = voice.name(int(before.active))
    stage = before.stage
    if stage == START:
        return [voice.say("tell.start", rows=" ".join(start_rows(action - START_AT)))]
    if stage == FIRST_PLAYER:
        return [voice.say("tell.first", who=voice.name(action - FIRST_AT))]
    if stage == PANIC_DIE:
        key = "tell.die.lorry" if before.step == OUT_OF_THE_LORRY else "tell.die.panic"
        return [voice.say(key, who=who, colour=voice.say(f"colour.{COLOUR_NAMES[action - COLOUR_AT]}"))]
    if stage == SQUARE:
        kind, value = before.printed.kind[action], before.printed.value[action]
        return [voice.say("tell.square", who=who, action=voice.say(f"action.{KIND_NAMES[kind]}"), value=value)]
    if stage in (MOVE, PANIC):
        return [voice.say("tell.move", who=who, move=movement(before, action, voice))]
    if stage == GROUP:
        return [voice.say("tell.group", who=who, sheep=sheep_list(before, members(group(before, action)), voice))]
    if stage == PLACEMENT:
        return [voice.say("tell.placement", who=who, move=placement_words(before, action, voice))]
    if stage == EXTRA:
        value = action - EXTRA_AT
        return [voice.say("tell.extra", who=who, count=value)] if value else []
    return regroup_roll(before, action - DIE_AT, voice)


def regroup_roll(before: ShearPanic, die: int, voice: Voice) -> list[str]:
    """What the regroup die showed, whether there was such a way, and the placement where there was only one."""
    said = [voice.say("tell.regroup-die", who=voice.name(int(before.active)), die=voice.say(f"die.{DIE_NAMES[die]}"))]
    if not before.has_way(die):
        said.append(voice.say(f"tell.no-way.{DIE_NAMES[die]}" if before.has_way(1 - die) else "tell.no-way"))
    names = before.placements(die)
    if len(names) == 1:
        said.append(voice.say("tell.only-placement", move=placement_words(before, PLACEMENT_AT + int(names[0]), voice)))
    return said


def is_split(view: ShearPanic) -> bool:
    return view.stage in (GROUP, REGROUP_DIE, PLACEMENT)


def made_whole(before: ShearPanic, action: int, after: ShearPanic, voice: Voice) -> list[str]:
    """Whether the last stray has rejoined."""
    rejoined = before.stage == PLACEMENT or (before.stage == REGROUP_DIE and len(before.placements(action - DIE_AT)) == 1)
    return [voice.say("tell.whole")] if rejoined and (not is_split(after) or after.step != before.step) else []


def came_apart(before: ShearPanic, after: ShearPanic, voice: Voice) -> list[str]:
    """Whether a movement or a shearing has split the flock."""
    return [voice.say("tell.split")] if is_split(after) and (not is_split(before) or after.step != before.step) else []


def counting(before: ShearPanic, after: ShearPanic, voice: Voice) -> list[str]:
    """Steps C and D: the counter, the Shearer's work, and the points with their reasons."""
    said = []
    track = after.printed.track
    start, end = int(before.counter), int(after.counter)
    if end != start:
        said.append(voice.say("tell.counter", count=end - start, space=end))
        field = int(track.phase[end])
        if field != track.phase[start]:
            said.append(voice.say(f"tell.field.{field}"))
        if track.pen[end]:
            said.append(voice.say("tell.pen"))
    gate = passed_the_gate(before, after)
    if gate:
        said.append(voice.say("tell.gate"))
    if after.to_act == OVER and end != track.length:
        said.append(voice.say("tell.nobody"))
    due = after.to_act == OVER or (gate and track.phase[end] == 4)
    return said + shearing(before, after, due, voice) + points(before, after, voice)


def passed_the_gate(before: ShearPanic, after: ShearPanic) -> bool:
    """Whether the counter's move, now that it is over, led through a gate."""
    counted = after.stage != EXTRA and (after.counter != before.counter or before.stage == EXTRA)
    return counted and after.printed.track.passed_a_wall(after.came_from, after.counter)


def rows_score(before: ShearPanic, after: ShearPanic) -> str:
    """What let the rows score, if they did: 'gate' and 'pen' near Roger, 'shearing', 'last' and 'nobody' far from the Shearer."""
    track, end = after.printed.track, int(after.counter)
    if after.to_act == OVER:
        return "last" if end == track.length else "nobody"
    if track.phase[end] == 2 and track.pen[end] and end != before.counter:
        return "pen"
    if track.phase[end] in (2, 4) and passed_the_gate(before, after):
        return "gate" if track.phase[end] == 2 else "shearing"
    return ""


def shearing(before: ShearPanic, after: ShearPanic, due: bool, voice: Voice) -> list[str]:
    """Who was shorn, and who is out of the game by it; or why nobody was, where a shearing was due."""
    lost = [int(before.sheep_left(colour) - after.sheep_left(colour)) for colour in range(BLACK + 1)]
    if not any(lost):
        return [voice.say("tell.one-colour")] if due else []
    said = [voice.say("tell.shorn", sheep=joined([voice.say(f"shorn.{COLOUR_NAMES[c]}", count=n) for c, n in enumerate(lost) if n], voice))]
    for seat in range(after.seats):
        if lost[seat] and not after.has_sheep(seat) and after.to_act != OVER:
            said.append(voice.say("tell.out", who=voice.name(seat)))
    return said


class Scored(NamedTuple):
    """What a seat got by an event: what for, what each of its sheep brought, what its last turn did besides, what it lost at the end."""

    key: str
    parts: list[int]
    turn: int
    lost: int

    @property
    def gained(self) -> int:
        return sum(self.parts) + self.turn - self.lost


def earned(before: ShearPanic, after: ShearPanic, seat: int) -> Scored:
    """The points of a seat with the reason."""
    over = after.to_act == OVER
    lost = int(after.printed.extra_penalty * after.extras_left(seat)) if over else 0
    gained = after.scores()[seat] - before.scores()[seat] + lost
    key, parts = reason(after, seat)
    if over and gained > sum(parts):  # two scorings at once: the last turn's own, and the end
        return Scored(key, parts, gained - sum(parts), lost)
    return Scored(key, parts if gained else [0] * len(parts), 0, lost)


def points(before: ShearPanic, after: ShearPanic, voice: Voice) -> list[str]:
    """Each seat's points with the reason."""
    said = []
    for seat in range(after.seats):
        who, scored = voice.name(seat), earned(before, after, seat)
        if scored.turn:
            said.append(voice.say("tell.points.turn", who=who, count=scored.turn))
        if rows := sum(scored.parts):
            parts = " + ".join(str(part) for part in scored.parts if part)
            said.append(voice.say(f"tell.points.{scored.key}", who=who, count=rows, parts=parts))
        if scored.lost:
            left = int(after.extras_left(seat))
            said.append(voice.say("tell.extras-left", count=left, who=who, points=voice.say("points", count=scored.lost)))
    return said


def reason(view: ShearPanic, seat: int) -> tuple[str, list[int]]:
    """What a seat's points are for in the field where the counter stands, and what each of its sheep gives."""
    field = view.printed.track.phase[view.counter]
    flock = (2 * seat, 2 * seat + 1)
    if view.to_act == OVER or field == 4:
        return "shearer", [view.row_points(opposite(view.facing))[sheep] for sheep in flock]
    if field == 2:
        return "roger", [view.row_points(view.facing)[sheep] for sheep in flock]
    if field == 3:
        return "black", [int(view.touch(sheep, BLACK_SHEEP)) for sheep in flock]
    return ("side" if view.pair_points(seat, 1) == BY_A_SIDE else "corner"), [int(view.pair_points(seat, 1))]


def ending(after: ShearPanic, voice: Voice) -> list[str]:
    return [winner(after, voice)] if after.to_act == OVER else []


def winner(view: ShearPanic, voice: Voice) -> str:
    """Who has won, and by which tie-break if one was needed."""
    best = view.ranks().index(1)
    scores = view.scores()
    level = [seat for seat in range(view.seats) if scores[seat] == scores[best] and seat != best]
    key = "won"
    if level:
        more = all(view.sheep_left(best) > view.sheep_left(seat) for seat in level)
        key = "won.sheep" if more else "won.turn"
    return voice.say(key, who=voice.name(best), points=voice.say("points", count=scores[best]))


def guest_name(view: ShearPanic, voice: Voice) -> str:
    """Who stands before the flock."""
    return {ROGER: voice.say("roger"), SHEARER: voice.say("shearer")}.get(int(view.guest()), "")
