"""Haste Bock? in words: what is expected, what an action would do, and what has happened, all worked out from views."""

from __future__ import annotations

from collections.abc import Sequence

from sheepfold.game.defaults.narration import expected
from sheepfold.games.flock import BLACK_SHEEP, BY_A_SIDE, COLOUR_NAMES, DIRECTION_NAMES, SHEEP_NAMES, start_rows, turned
from sheepfold.games.haste_bock.notation import WAYS, move_kind, on_line, sheep_move
from sheepfold.games.haste_bock.rules import (
    CARD,
    EMPTY,
    ENDED,
    FIGHT_DIE,
    FIGHT_RAM,
    KIND_NAMES,
    LINES,
    MOVE,
    NONE,
    PANIC_DIE,
    PANIC_RAM,
    PUSHES,
    SET_UP,
    STEP,
    STEPS,
    TROUGHS,
    TURNS,
    VALUES,
    WHO_BEGINS,
    HasteBock,
)
from sheepfold.messages import Voice

SHAWNS_PHASE = 4


def prompt(view: HasteBock, voice: Voice) -> str:
    """What is expected now, of whom."""
    if view.stage == ENDED:
        return winners(view, voice)
    who = voice.name(int(view.turn))
    if view.stage == SET_UP or view.stage == WHO_BEGINS:
        return voice.say("prompt.set-up" if view.stage == SET_UP else "prompt.who-begins")
    if view.stage == FIGHT_DIE or view.stage == PANIC_DIE:
        return voice.say("prompt.fight-die" if view.stage == FIGHT_DIE else "prompt.panic-die", who=who)
    if view.stage == CARD:
        asked = 2 if not view.movements_left(int(view.turn)) else int(view.seats) - 2
        key = ("prompt.card-and-movement", "prompt.card-and-maybe-movement", "prompt.card")[asked]
        return expected(view, key, voice, who=who)
    if view.stage == MOVE:
        return expected(view, f"prompt.{KIND_NAMES[move_kind(view)]}", voice, who=who)
    key = "prompt.fight-ram" if view.stage == FIGHT_RAM else "prompt.panic-ram"
    return expected(view, key, voice, who=who, rammer=voice.say(f"with.{COLOUR_NAMES[int(view.die)]}"))


def rule(view: HasteBock) -> str:
    """Where the rules explain what is to be decided."""
    if view.stage == CARD:
        return "cards"
    if view.stage == MOVE:
        kind = KIND_NAMES[move_kind(view)]
        return {"line": "push", "diagonal": "push", "turn": "turn-card"}.get(kind, kind)
    return {FIGHT_DIE: "fight", FIGHT_RAM: "fight", PANIC_DIE: "panic", PANIC_RAM: "panic", ENDED: "points"}.get(int(view.stage), "start")


def describe(view: HasteBock, action: int, voice: Voice) -> str:
    """What an action would do, and the points that it would bring at once."""
    if view.to_act < 0:
        return _chance(view, action, voice)
    if view.stage == CARD:
        return _card(view, action, voice)
    after = view.copy()
    after.advance(action)
    gained = after.scores()[int(view.turn)] - view.scores()[int(view.turn)]
    what = _move(view, action, voice)
    return voice.say("describe.gain", count=gained, what=what) if gained > 0 else what


def tell(before: HasteBock, action: int, after: HasteBock, voice: Voice) -> list[str]:
    """What happened: the card, the die or the move, the timer, the points with their reasons, and whose turn is passed."""
    who = voice.name(int(before.turn))
    told = []
    if before.stage == SET_UP:
        told.append(voice.say("tell.flock"))
    elif before.to_act < 0:
        told.append(_chance(before, action, voice))
        if before.stage in (FIGHT_DIE, PANIC_DIE) and after.die == NONE:
            told.append(voice.say("tell.no-ram"))
    elif before.stage == CARD:
        told.append(voice.say("tell.card", who=who, card=_card_name(action, voice)))
    else:
        told.append(voice.say("tell.move", who=who, what=_move(before, action, voice)))
    landed = landing(before)
    if before.stage == MOVE:
        told += _timer(before, landed, after, voice)
    if before.stage not in (CARD, SET_UP, WHO_BEGINS):
        told += _turn_over(before, landed, after, voice)
    return told


def _chance(view: HasteBock, action: int, voice: Voice) -> str:
    if view.stage == SET_UP:
        return voice.say("chance.flock", rows=" / ".join(start_rows(action)))
    if view.stage == WHO_BEGINS:
        return voice.say("chance.first", who=voice.name(action))
    return voice.say("chance.die", colour=voice.say(f"colour.{COLOUR_NAMES[action]}"))


def _card_name(action: int, voice: Voice) -> str:
    card, movement = divmod(action, 4)
    key = "card.with-movement" if movement else "card"
    return voice.say(key, kind=voice.say(f"kind.{KIND_NAMES[card // VALUES]}"), value=card % VALUES + 1, movement=movement)


def _card(view: HasteBock, action: int, voice: Voice) -> str:
    """A card with where it leads the timer, and what waits there."""
    card, movement = divmod(action, 4)
    start = int(view.timer)
    space = int(view.track.moved(start, card % VALUES + 1 + movement))
    text = voice.say("describe.card", card=_card_name(action, voice), space=space)
    if view.track.pen[space]:
        return text + voice.say("describe.end" if space == view.track.length else "describe.pen")
    if view.track.passed_a_wall(start, space):
        text += voice.say("describe.wall")
    if view.track.phase[space] != view.track.phase[start] and start:
        text += voice.say("describe.phase", phase=voice.say(f"phase.{view.track.phase[space]}"))
    return text + (voice.say("describe.panic") if view.track.panic[space] else "")


def _move(view: HasteBock, action: int, voice: Voice) -> str:
    """'r1 rams y1 and k to the east'."""
    if action >= TURNS:
        way = action - TURNS
        looks = DIRECTION_NAMES[int(turned(view.facing, way))]
        return voice.say(f"move.turn.{WAYS[way]}", way=voice.say(f"way.{looks}"))
    if action >= TROUGHS:
        return voice.say("move.trough", way=voice.say(f"way.{DIRECTION_NAMES[(action - TROUGHS) * 2]}"))
    if action >= PUSHES:
        way_text = voice.say(f"way.{DIRECTION_NAMES[(action - PUSHES) // LINES]}")
        pushed = on_line(view, action)
        return voice.say("move.push", count=len(pushed), sheep=_listed([sheep_name(sheep, voice) for sheep in pushed], voice), way=way_text)
    sheep, direction, number = sheep_move(action)
    kind = move_kind(view)
    name, way_text = sheep_name(sheep, voice), voice.say(f"way.{DIRECTION_NAMES[direction]}")
    if kind == STEP:
        return voice.say("move.step", sheep=name, way=way_text)
    met = _listed([sheep_name(other, voice) for other in sheep_ahead(view, sheep, direction, number)], voice)
    return voice.say(f"move.{KIND_NAMES[kind]}", sheep=name, others=met, way=way_text)


def sheep_name(sheep: int, voice: Voice) -> str:
    """'blue b1', 'Berta': by the colour that is seen and the name that is typed."""
    if sheep == BLACK_SHEEP:
        return voice.say("with.black")
    return voice.say("sheep", colour=voice.say(f"colour.{COLOUR_NAMES[sheep // 2]}"), name=SHEEP_NAMES[sheep])


def sheep_ahead(view: HasteBock, sheep: int, direction: int, number: int) -> list[int]:
    """The first sheep ahead, that many."""
    found: list[int] = []
    cell = view.where[sheep]
    while len(found) < number:
        cell += STEPS[direction]
        if view.board[cell] != EMPTY:
            found.append(int(view.board[cell]))
    return found


def landing(before: HasteBock) -> int:
    """Where the timer comes to stand by the event that follows."""
    return int(before.track.moved(before.timer, before.steps) if before.stage == MOVE else before.timer)


def row_scorings(before: HasteBock, landed: int) -> list[str]:
    """Why rows score when the timer comes to stand there: a wall that it passed, a pen that it stops in."""
    if before.stage != MOVE:
        return []
    found = {"wall": before.track.passed_a_wall(before.timer, landed), "pen": before.track.pen[landed]}
    return [what for what, there in found.items() if there]


def ended_early(after: HasteBock, landed: int) -> bool:
    """Whether nobody could play any more, so that the last pen scored without the timer."""
    return after.stage == ENDED and landed != after.track.length


def phase_to_come(view: HasteBock) -> int:
    """The phase for which sheep are moved now: in a pen, which has scored when the timer stopped there, the one after it."""
    space = int(view.timer)
    return int(view.track.phase[space + 1 if view.track.pen[space] and space < view.track.length else space]) or 1


def new_phase(after: HasteBock, phase: int, voice: Voice) -> str:
    """What counts in that phase."""
    return voice.say(f"tell.phase.{phase}", way=voice.say(f"side.{DIRECTION_NAMES[int(after.facing)]}"))


def _timer(before: HasteBock, landed: int, after: HasteBock, voice: Voice) -> list[str]:
    """The timer's move and the points that it brought."""
    track, start, turn = before.track, int(before.timer), int(before.turn)
    told = [voice.say("tell.timer", space=landed)]
    phase = int(track.phase[landed])
    if phase != track.phase[start]:
        told.append(new_phase(after, phase, voice))
    for what in row_scorings(before, landed):
        told += [voice.say(f"tell.{what}"), *_rows(after, landed, voice)]
    counts = 0 if track.pen[landed] else phase
    if counts == 1:
        points = int(after.touch_points(turn * 2, turn * 2 + 1))
        if points:
            key = "tell.side" if points == BY_A_SIDE else "tell.corner"
            told.append(voice.say(key, who=voice.name(turn), points=points))
    elif counts == 3:
        touching = {sheep: int(after.touch_points(sheep, BLACK_SHEEP)) for sheep in (turn * 2, turn * 2 + 1)}
        if worth := {sheep: points for sheep, points in touching.items() if points}:
            told.append(_points_of("tell.black", turn, worth, voice))
    if track.panic[landed] and landed != track.length:
        told.append(voice.say("tell.panic"))
    return told


def _rows(after: HasteBock, space: int, voice: Voice) -> list[str]:
    """Everybody's points for the rows, with the timer on that space."""
    worth = row_worth(after, space)
    key = "tell.shawn" if after.track.phase[space] == SHAWNS_PHASE else "tell.roger"
    seats = range(int(after.seats))
    return [_points_of(key, seat, {sheep: worth[sheep] for sheep in (seat * 2, seat * 2 + 1)}, voice) for seat in seats]


def row_worth(after: HasteBock, space: int) -> list[int]:
    """What each sheep brings its owner when rows score with the timer on that space."""
    then = after.copy()
    then.timer = space
    return then.row_points()


def penalty(after: HasteBock, seat: int) -> int:
    """What unused movement cards cost a seat at the end, of three."""
    return 2 * int(after.movements_left(seat)) if after.stage == ENDED and after.seats == 3 else 0


def _points_of(key: str, seat: int, worth: dict[int, int], voice: Voice) -> str:
    points_of = [voice.say("tell.sheep-points", sheep=sheep_name(sheep, voice), points=points) for sheep, points in worth.items()]
    each = _listed(points_of, voice)
    return voice.say(key, who=voice.name(seat), points=sum(worth.values()), sheep=each)


def _turn_over(before: HasteBock, landed: int, after: HasteBock, voice: Voice) -> list[str]:
    """Passes, and the end of the game."""
    told = []
    if after.stage == CARD:
        seat = (int(before.turn) + 1) % int(before.seats)
        while seat != after.turn:
            told.append(voice.say("tell.pass", who=voice.name(seat)))
            seat = (seat + 1) % int(before.seats)
    if after.stage == ENDED:
        if ended_early(after, landed):
            told += [voice.say("tell.early-end"), *_rows(after, int(after.track.length), voice)]
        for seat in range(int(after.seats)):
            if points := penalty(after, seat):
                told.append(voice.say("tell.penalty", count=int(after.movements_left(seat)), who=voice.name(seat), points=points))
        told.append(winners(after, voice))
    return told


def winners(view: HasteBock, voice: Voice) -> str:
    """Who has won, and by what if they were level."""
    places, scores = view.ranks(), view.scores()
    best = [seat for seat, place in enumerate(places) if place == 1]
    names = _listed([voice.name(seat) for seat in best], voice)
    points = voice.say("points", count=scores[best[0]])
    if len(best) > 1:
        return voice.say("end.shared", who=names, points=points)
    tied = scores.count(scores[best[0]]) > 1
    return voice.say("end.tie-break" if tied else "end.wins", who=names, points=points)


def _listed(texts: Sequence[str], voice: Voice) -> str:
    return texts[0] if len(texts) == 1 else voice.say("and", most=", ".join(texts[:-1]), last=texts[-1])
